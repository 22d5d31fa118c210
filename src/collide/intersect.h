// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Which triangles of a scene meet: exact. What meeting means, also for triangles that share vertices and for those without area, is said
// in collide/triangle_pair.h.

#include "mesh/mesh.h"

typedef struct wfTrianglePair {
    int a, b; // a < b
} wfTrianglePair;

typedef struct wfIntersections {
    wfTrianglePair* pairs; // sorted; at most `limit` of them
    int64_t count;         // all of them
} wfIntersections;

/// Every meeting pair among the triangles. `ignore` (may be NULL, per triangle) leaves out pairs with ignore[a] && ignore[b]
/// (two colliders, say). `pairs` holds the first `limit` in order of a, then b, from `arena`. Positions must be finite.
/// Uses OpenMP's threads; the answer does not depend on their number.
bool wfFindIntersections(const wfVec3* positions, const wfTriangle* triangles, int triangleCount, const bool* ignore, int limit,
                         wfArena* arena, wfIntersections* out, wfError* err);
