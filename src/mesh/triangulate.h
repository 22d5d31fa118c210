// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Constrained Delaunay triangulation: points in the plane, and edges between them that must be there.

#include "mesh/mesh.h"

/// Points, and edges by the numbers of their ends. The first outlineCount edges form closed loops that may meet in points and nowhere else;
/// what lies behind an odd number of them is inside, so loops within loops are holes. The other edges are kept and bound nothing.
typedef struct wfOutline {
    const wfVec2* points;
    int pointCount;
    const int (*edges)[2];
    int edgeCount, outlineCount;
} wfOutline;

/// The inside by its sides (mesh/sides.h).
typedef struct wfTriangulation {
    wfArena arena;
    int triangleCount;
    int *corner, *twin; // 3 a triangle
    bool* kept;         // per side: an edge of the outline or one that must stay
} wfTriangulation;

/// Triangles of the inside, counter-clockwise, none without area. No triangle has a point that can be seen from it inside its circle, but
/// for what rounding cannot tell. A point outside is in no triangle. Time in proportion to the points. Fails (wf_badInput), with `name`
/// before it, where two points are the same, an edge crosses another or runs through a point. `out` must be {0}, and is {0} again after a
/// failure.
bool wfTriangulate(wfTriangulation* out, const wfOutline* outline, const char* name, wfError* err);
void wfTriangulation_Free(wfTriangulation* triangulation);
