// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// A triangulation of the plane by the sides of its triangles, for whoever flips edges. Side 3 t + k of triangle t runs from its corner k to
// corner k + 1, counter-clockwise; corner[side] is where it starts, twin[side] the same edge in the neighbour, -1 on the boundary.

#include "mesh/mesh.h"

static inline int wfNextSide(int side) { return side % 3 == 2 ? side - 2 : side + 1; }
static inline int wfPreviousSide(int side) { return side % 3 == 0 ? side + 2 : side - 1; }

static inline void wfJoinSides(int* twin, int side, int other) {
    twin[side] = other;
    if (other >= 0) twin[other] = side;
}

/// abc with side h = ab, bad with side g = ba, become adc and bcd. The sides h + 1 and g + 1 (the next ones) are the new edge cd.
static inline void wfFlipSide(int* corner, int* twin, int h) {
    int g = twin[h], h1 = wfNextSide(h), g1 = wfNextSide(g);
    int c = corner[wfNextSide(h1)], d = corner[wfNextSide(g1)], beyondH = twin[h1], beyondG = twin[g1];
    corner[h1] = d;
    corner[g1] = c;
    wfJoinSides(twin, h, beyondG);
    wfJoinSides(twin, g, beyondH);
    wfJoinSides(twin, h1, g1);
}

/// Whether d lies inside the circle through a, b, c (counter-clockwise), beyond what rounding could pretend: 16 times the error bound of
/// the determinant in double precision. Where only flips are made that are certain, they must end.
static inline bool wfInsideCircle(wfVec2 a, wfVec2 b, wfVec2 c, wfVec2 d) {
    double ax = (double)a.x - d.x, ay = (double)a.y - d.y, bx = (double)b.x - d.x, by = (double)b.y - d.y;
    double cx = (double)c.x - d.x, cy = (double)c.y - d.y;
    double aa = ax * ax + ay * ay, bb = bx * bx + by * by, cc = cx * cx + cy * cy;
    double det = aa * (bx * cy - cx * by) + bb * (cx * ay - ax * cy) + cc * (ax * by - bx * ay);
    double size = aa * (fabs(bx * cy) + fabs(cx * by)) + bb * (fabs(cx * ay) + fabs(ax * cy)) + cc * (fabs(ax * by) + fabs(bx * ay));
    return det > 2e-14 * size;
}
