// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/delaunay.h"

#include "mesh/topology.h"

// Lawson's edge flips. Side 3 t + k of triangle t runs from its corner k to corner k + 1; twin names the same side of the neighbour.
// Passes over all sides, rather than a stack: a jittered sheet needs about ten.

// Whether d lies inside the circle through a, b, c (counter-clockwise), beyond what rounding could pretend: 16 times the error bound of the
// determinant in double precision. Only flips that are certain are made, so the passes must end.
static bool InsideCircle(wfVec2 a, wfVec2 b, wfVec2 c, wfVec2 d) {
    double ax = (double)a.x - d.x, ay = (double)a.y - d.y, bx = (double)b.x - d.x, by = (double)b.y - d.y;
    double cx = (double)c.x - d.x, cy = (double)c.y - d.y;
    double aa = ax * ax + ay * ay, bb = bx * bx + by * by, cc = cx * cx + cy * cy;
    double det = aa * (bx * cy - cx * by) + bb * (cx * ay - ax * cy) + cc * (ax * by - bx * ay);
    double size = aa * (fabs(bx * cy) + fabs(cx * by)) + bb * (fabs(cx * ay) + fabs(ax * cy)) + cc * (fabs(ax * by) + fabs(bx * ay));
    return det > 2e-14 * size;
}

static int Next(int side) { return side % 3 == 2 ? side - 2 : side + 1; }

static void Connect(int* twin, int side, int other) {
    twin[side] = other;
    if (other >= 0) twin[other] = side;
}

// abc with side h = ab, bad with side g = ba, become adc and bcd.
static void Flip(int* corner, int* twin, int h) {
    int g = twin[h], h1 = Next(h), g1 = Next(g);
    int c = corner[Next(h1)], d = corner[Next(g1)], beyondH = twin[h1], beyondG = twin[g1];
    corner[h1] = d;
    corner[g1] = c;
    Connect(twin, h, beyondG);
    Connect(twin, g, beyondH);
    Connect(twin, h1, g1);
}

static bool FlipOnce(const wfVec2* points, int* corner, int* twin, int sideCount) {
    bool flipped = false;
    for (int h = 0; h < sideCount; ++h) {
        if (twin[h] < h) continue; // each edge once; boundary sides have -1
        int h1 = Next(h), d = corner[Next(Next(twin[h]))];
        if (!InsideCircle(points[corner[h]], points[corner[h1]], points[corner[Next(h1)]], points[d])) continue;
        Flip(corner, twin, h);
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
