// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The smallest distance in a scene: between any two triangles that share no vertex (by number), within an object and across.

#include "mesh/mesh.h"

typedef struct wfGap {
    int a, b;        // a < b; -1, -1 where no two triangles are to be compared
    double distance; // [m] to the rounding of double precision; exactly 0 where the two meet, by the exact test; infinity without a pair
    wfVec3 onA, onB; // the nearest points of the two
} wfGap;

/// Of all pairs with the smallest distance the first in order of a, then b. `ignore` as for wfFindIntersections. Positions must be finite.
/// Uses OpenMP's threads; the answer does not depend on their number.
bool wfFindGap(const wfVec3* positions, const wfTriangle* triangles, int triangleCount, const bool* ignore, wfGap* out, wfError* err);
