// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/untangle_inside.h"

#include <float.h>
#include <string.h>

// What a run must know of the pieces of the mesh before it begins: how long a step may be, and which of them have an inside.

static const double gapInEdges = 0.02, mostGapInEdges = 0.3, pi = 3.14159265358979323846;
static const double mostHole = 0.05; // of a piece's area: what has smaller holes has an inside all the same, as a tube with open ends

typedef struct Piece {
    wfVec3D origin; // one of its vertices: volumes of pieces with holes depend on where they are seen from, the less the nearer
    double volume, area, length, rim;
    int edges;
    bool twisted; // two neighbours with opposite orientations
} Piece;

bool wfUntangler_MeasurePieces(wfUntangler* u, wfError* err) {
    const wfTopology* t = &u->topology;
    wfArena scratch = {0};
    Piece* pieces = wfArena_New(&scratch, Piece, t->componentCount, "pieces", err);
    if (pieces == NULL) return false;
    double largest = 0.0, total = 0.0;
    memset(u->area, 0, (size_t)t->vertexCount * sizeof *u->area);
    for (int v = 0; v < t->vertexCount; ++v) pieces[t->component[v]].origin = wfUntangler_At(u, v);
    for (int i = 0; i < t->edgeCount; ++i) {
        const wfEdge* e = &t->edges[i];
        Piece* piece = &pieces[t->component[e->v[0]]];
        double length = wfLengthD(wfSubD(wfUntangler_At(u, e->v[1]), wfUntangler_At(u, e->v[0])));
        piece->length += length;
        total += length;
        piece->edges += 1;
        if (e->triangle[1] < 0) piece->rim += length;
    }
    for (int i = 0; i < t->triangleCount; ++i) {
        const int* v = t->triangles[i].v;
        wfVec3D a = wfUntangler_At(u, v[0]), b = wfUntangler_At(u, v[1]), c = wfUntangler_At(u, v[2]);
        Piece* piece = &pieces[t->component[v[0]]];
        wfVec3D o = piece->origin, normal = wfCrossD(wfSubD(b, a), wfSubD(c, a));
        piece->volume += wfDotD(wfSubD(a, o), normal);
        double area = 0.5 * wfLengthD(normal);
        piece->area += area;
        for (int k = 0; k < 3; ++k) u->area[v[k]] += area / 3.0;
        for (int k = 0; k < 3; ++k) { // oriented alike: the neighbour runs along the edge the other way
            const wfEdge* e = &t->edges[t->triangleEdges[i][k]];
            int other = e->triangle[0] == i ? e->triangle[1] : e->triangle[0];
            if (other < 0) continue;
            for (int j = 0; j < 3; ++j)
                if (t->triangles[other].v[j] == v[k] && t->triangles[other].v[(j + 1) % 3] == v[(k + 1) % 3]) piece->twisted = true;
        }
    }
    for (int v = 0; v < t->vertexCount; ++v)
        largest = fmax(largest, fmax(fabs((double)u->x[v].x), fmax(fabs((double)u->x[v].y), fabs((double)u->x[v].z))));
    for (int i = 0; i < t->componentCount; ++i) {
        const Piece* piece = &pieces[i];
        u->size[i] = piece->edges;
        u->step[i] = piece->edges > 0 ? wf_stepInEdges * piece->length / piece->edges : 0.0;
        // No hole can be larger than a circle with its rim.
        bool open = piece->rim * piece->rim > 4.0 * pi * mostHole * piece->area;
        u->solid[i] = open || piece->twisted || piece->edges == 0 ? 0 : piece->volume > 0.0 ? 1 : -1;
    }
    double mean = u->meanEdge = t->edgeCount > 0 ? total / t->edgeCount : 0.0;
    u->gap = u->def.gap > 0.0f ? (double)u->def.gap : gapInEdges * mean;
    u->gap = fmax(u->gap, 16.0 * FLT_EPSILON * largest);
    u->leastGap = u->gap;
    u->mostGap = fmax(u->gap, mostGapInEdges * mean);
    wfArena_Free(&scratch);
    return true;
}
