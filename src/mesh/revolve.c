// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/revolve.h"

#define PI 3.14159265358979323846

// Rows lie this part of an edge apart. Equilateral triangles would want 0.87, right-angled ones, where rows of different numbers are
// zipped, 1.
#define ROW 0.9

static double LengthOf(const wfProfilePart* p) {
    return p->isArc ? p->radius * fabs(p->angle1 - p->angle0) : hypot(p->r1 - p->r0, p->y1 - p->y0);
}

static int RowsOf(const wfProfilePart* p, double edge) {
    int rows = wfPartsOf(LengthOf(p), ROW * edge);
    bool circle = p->isArc && p->r0 == p->r1 && p->y0 == p->y1;
    return circle && rows % 2 == 1 ? rows + 1 : rows; // even, so that the half steps of its rows match where it closes
}

static void PointOf(const wfProfilePart* p, int i, int count, double* r, double* y) {
    double t = (double)i / count, angle = p->angle0 + t * (p->angle1 - p->angle0);
    *r = i == 0 ? p->r0 : i == count ? p->r1 : p->isArc ? p->centerR + p->radius * cos(angle) : p->r0 + t * (p->r1 - p->r0);
    *y = i == 0 ? p->y0 : i == count ? p->y1 : p->isArc ? p->centerY + p->radius * sin(angle) : p->y0 + t * (p->y1 - p->y0);
}

static bool AddRing(wfMeshBuilder* builder, double r, double y, int half, double edge, wfVertexRing* out, wfError* err) {
    int count = r == 0.0 ? 1 : wfPartsOf(2.0 * PI * r, edge);
    if (r != 0.0 && count < 3) count = 3;
    *out = (wfVertexRing){builder->vertexCount, count, half};
    WF_TRY(wfBuilder_Reserve(builder, count, 0, err));
    for (int i = 0; i < count; ++i) {
        double angle = 2.0 * PI * (i + 0.5 * half) / count;
        wfBuilder_AddVertex(builder, r * cos(angle), y, -r * sin(angle));
    }
    return true;
}

bool wfRevolve(wfMeshBuilder* builder, const wfProfilePart* parts, int partCount, bool closed, double edge, wfError* err) {
    // Refused before anything is made: a length of many edges around a radius of many edges.
    double estimate = 0.0;
    for (int p = 0; p < partCount; ++p) {
        double r, y;
        PointOf(&parts[p], 1, 2, &r, &y);
        estimate += (double)RowsOf(&parts[p], edge) * fmax(3.0, 2.0 * PI * r / edge);
    }
    WF_TRY(wfCheckMeshSize(builder->vertexCount + estimate, builder->triangleCount + 2.0 * estimate, err));

    wfVertexRing first, last;
    WF_TRY(AddRing(builder, parts[0].r0, parts[0].y0, 0, edge, &first, err));
    last = first;
    for (int p = 0; p < partCount; ++p) {
        int rows = RowsOf(&parts[p], edge);
        for (int i = 1; i <= rows; ++i) {
            wfVertexRing next = first;
            if (!closed || p < partCount - 1 || i < rows) {
                double r, y;
                PointOf(&parts[p], i, rows, &r, &y);
                WF_TRY(AddRing(builder, r, y, 1 - last.half, edge, &next, err));
            }
            WF_TRY(wfBuilder_Zip(builder, last, next, err));
            last = next;
        }
    }
    return true;
}
