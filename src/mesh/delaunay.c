// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/delaunay.h"

#include "mesh/sides.h"
#include "mesh/topology.h"

// Lawson's edge flips. Passes over all sides, rather than a stack: a jittered sheet needs about ten.

static bool FlipOnce(const wfVec2* points, int* corner, int* twin, int sideCount) {
    bool flipped = false;
    for (int h = 0; h < sideCount; ++h) {
        if (twin[h] < h) continue; // each edge once; boundary sides have -1
        int h1 = wfNextSide(h), d = corner[wfNextSide(wfNextSide(twin[h]))];
        if (!wfInsideCircle(points[corner[h]], points[corner[h1]], points[corner[wfNextSide(h1)]], points[d])) continue;
        wfFlipSide(corner, twin, h);
        flipped = true;
    }
    return flipped;
}

bool wfFlipToDelaunay(const wfVec2* points, int pointCount, wfTriangle* triangles, int triangleCount, wfError* err) {
    wfTopology topology;
    WF_TRY(wfTopology_Create(&topology, triangles, triangleCount, pointCount, err));
    wfArena arena = {0};
    int* twin = wfArena_New(&arena, int, 3 * (size_t)triangleCount, "neighbours of triangles", err);
    for (int side = 0; twin != NULL && side < 3 * triangleCount; ++side) {
        const wfEdge* edge = &topology.edges[topology.triangleEdges[side / 3][side % 3]];
        int other = edge->triangle[0] == side / 3 ? edge->triangle[1] : edge->triangle[0];
        twin[side] = -1;
        for (int k = 0; k < 3 && other >= 0; ++k)
            if (topology.triangleEdges[other][k] == topology.triangleEdges[side / 3][side % 3]) twin[side] = 3 * other + k;
    }
    wfTopology_Free(&topology);
    if (twin != NULL)
        while (FlipOnce(points, (int*)triangles, twin, 3 * triangleCount)) {}
    wfArena_Free(&arena);
    return twin != NULL;
}
