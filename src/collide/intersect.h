// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Which triangles of a scene meet. Plain for now: orientation tests in double precision, decided by sign; a later version decides them
// exactly. Triangles are closed: those that touch or overlap within a plane are counted too. Pairs that share a vertex (by number, not by
// place) are tested only for what goes beyond the shared one; pairs that share an edge are left out.

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
