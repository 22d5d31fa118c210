// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/generate_shapes.h"

#include "mesh/builder.h"

#include <math.h>

// A wide robe without sleeves, to be worn by a figure: from the rim of the neck over the shoulders, then down and outwards to the hem,
// which lies in waves. Rows go around it, each with as many vertices as it has room for, zipped together.

#define PI 3.14159265358979323846

typedef struct Cut {
    double neck;                   // [m] radius
    double shoulderX, shoulderZ;   // half widths
    double hemX, hemZ;             // the same
    double neckY, shoulderY, hemY; // heights
    double waves, swing;           // how many, and what part of the width they go in and out at the hem
    double edge;
} Cut;

// An ellipse around the robe. `along` is how far a row lies from the shoulder toward the hem.
typedef struct Row {
    double x, z, y, along;
} Row;

static double Mix(double a, double b, double t) { return a + t * (b - a); }

// From the hem (0) to the shoulder (1) to the neck (2).
static Row RowAt(const Cut* cut, double up) {
    if (up < 1.0) {
        return (Row){Mix(cut->hemX, cut->shoulderX, up), Mix(cut->hemZ, cut->shoulderZ, up), Mix(cut->hemY, cut->shoulderY, up), 1.0 - up};
    }
    double t = up - 1.0;
    return (Row){Mix(cut->shoulderX, cut->neck, t), Mix(cut->shoulderZ, cut->neck, t), Mix(cut->shoulderY, cut->neckY, t), 0.0};
}

static bool AddRow(wfMeshBuilder* builder, const Cut* cut, Row row, int half, wfVertexRing* out, wfError* err) {
    int count = wfPartsOf(PI * (row.x + row.z), cut->edge);
    count = count < 8 ? 8 : count;
    *out = (wfVertexRing){builder->vertexCount, count, half};
    WF_TRY(wfBuilder_Reserve(builder, count, 0, err));
    for (int i = 0; i < count; ++i) {
        double angle = 2.0 * PI * (i + 0.5 * half) / count;
        double wave = (1.0 + cut->swing * row.along * cos(cut->waves * angle)) / (1.0 + cut->swing * row.along);
        wfBuilder_AddVertex(builder, wave * row.x * cos(angle), row.y, -wave * row.z * sin(angle));
    }
    return true;
}

static bool AddRows(wfMeshBuilder* builder, const Cut* cut, wfError* err) {
    const double rowOfEdge = 0.9; // between equilateral triangles, 0.87, and the right-angled ones of rows that differ in number
    double side = hypot(cut->hemX - cut->shoulderX, cut->shoulderY - cut->hemY);
    double top = hypot(cut->shoulderX - cut->neck, cut->neckY - cut->shoulderY);
    int rows[2] = {wfPartsOf(side, rowOfEdge * cut->edge), wfPartsOf(top, rowOfEdge * cut->edge)};
    wfVertexRing last, next;
    WF_TRY(AddRow(builder, cut, RowAt(cut, 0.0), 0, &last, err));
    for (int part = 0; part < 2; ++part) {
        for (int i = 1; i <= rows[part]; ++i) {
            WF_TRY(AddRow(builder, cut, RowAt(cut, part + (double)i / rows[part]), 1 - last.half, &next, err));
            WF_TRY(wfBuilder_Zip(builder, last, next, err));
            last = next;
        }
    }
    return true;
}

// Each triangle as it is, with the warp around the body.
static void LayFlat(wfMesh* mesh) {
    for (int t = 0; t < mesh->triangleCount; ++t) {
        wfVec3 p[3];
        for (int k = 0; k < 3; ++k) p[k] = mesh->positions[mesh->triangles[t].v[k]];
        wfVec3 normal = wfNormalizeOr(wfCross(wfSub(p[1], p[0]), wfSub(p[2], p[0])), wfMake3(0.0f, 1.0f, 0.0f));
        wfVec3 around = wfMake3(p[0].z + p[1].z + p[2].z, 0.0f, -(p[0].x + p[1].x + p[2].x));
        wfVec3 warp = wfNormalizeOr(wfMulAdd(around, -wfDot(around, normal), normal), around), weft = wfCross(normal, warp);
        for (int k = 0; k < 3; ++k) mesh->flat[t].corner[k] = (wfVec2){wfDot(p[k], warp), wfDot(p[k], weft)};
    }
}

bool wfMakeRobe(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    double hemX = 0.5 * (double)def->size.x, hemZ = 0.5 * (double)def->size.z, y = 0.5 * (double)def->size.y;
    Cut cut = {.neck = def->radius,
               .shoulderX = 0.67 * hemX,
               .shoulderZ = 0.55 * hemZ,
               .hemX = hemX,
               .hemZ = hemZ,
               .neckY = y,
               .hemY = -y,
               .waves = def->count,
               .swing = fmin(0.12, 0.8 / def->count),
               .edge = def->edge};
    cut.shoulderY = y - 0.25 * (cut.shoulderX - cut.neck);
    double most = (2.0 * y + hemX) * PI * (hemX + hemZ) / (cut.edge * cut.edge);
    WF_TRY(wfCheckMeshSize(most, 2.0 * most, err));
    double widest = fmin(cut.shoulderX, cut.shoulderZ);
    if (cut.neck >= widest) {
        return wfFail(err, wf_badInput, "robe: radius: expected a neck of less than %g m inside the shoulders, got %g", widest, cut.neck);
    }
    if (cut.shoulderY <= cut.hemY) {
        return wfFail(err, wf_badInput, "robe: size: expected y above the %g m of its shoulders, got %g", y - cut.shoulderY, 2.0 * y);
    }
    wfMeshBuilder builder = {0};
    bool ok = AddRows(&builder, &cut, err) && wfBuilder_Finish(&builder, out, true, err);
    wfBuilder_Free(&builder);
    if (ok) LayFlat(out);
    return ok;
}
