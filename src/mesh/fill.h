// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The inside of an outline as triangles of even edges: what panels (mesh/panel.h) and remeshing (mesh/remesh.h) share.

#include "mesh/triangulate.h"

/// Triangles within an outline. Vertices are the outline's points first, all of them, then those that were added.
typedef struct wfFilling {
    wfArena arena;
    int vertexCount, triangleCount;
    wfVec2* positions;
    wfTriangle* triangles; // counter-clockwise
} wfFilling;

/// Fills an outline with edges of about that length. Where the ratio of shortest to longest is poor, other starts are tried and the best
/// is kept. Fails (wf_badInput), with `name` before it, where wfTriangulate does or the mesh would
/// be too large. `out` must be {0}, and is {0} again after a failure.
bool wfFill(wfFilling* out, const wfOutline* outline, double edge, const char* name, wfError* err);
void wfFilling_Free(wfFilling* filling);

/// Edges of triangles in the plane, each counted once.
typedef struct wfEdgeLengths {
    double shortest, mean, longest;
    int edgeCount;
} wfEdgeLengths;

bool wfMeasureFlat(const wfVec2* positions, int vertexCount, const wfTriangle* triangles, int triangleCount, wfEdgeLengths* out,
                   wfError* err);

// ---- the parts of wfFill, for it and for tests ----------------------------------------------------------------------------------

/// Evenly spread points inside, at about that distance from each other and from the outline, which have pushed each other apart. Those of
/// the outline come first in *points. A variant (0 to wf_scatterVariants - 1) is another way to start. Memory from `arena`.
enum { wf_scatterVariants = 4 };
bool wfScatter(const wfOutline* outline, double edge, int variant, wfArena* arena, wfVec2** points, int* count, const char* name,
               wfError* err);

/// Moves all but the first fixedCount points, and flips edges that need not be kept, so that the ratio of the shortest to the longest
/// edge rises. May take points away and add others; *count is updated, and room for them is taken from `arena`.
bool wfEvenOut(wfTriangulation* triangulation, wfVec2** points, int* count, int fixedCount, double edge, wfArena* arena, wfError* err);
