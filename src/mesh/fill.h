// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The inside of an outline as triangles of even edges: what panels (mesh/panel.h) and remeshing (mesh/remesh.h) share.

#include "mesh/relax.h"
#include "mesh/triangulate.h"

/// Triangles within an outline. Vertices are the outline's points first, all of them, then those that were added.
typedef struct wfFilling {
    wfArena arena;
    int vertexCount, triangleCount;
    int fixedCount; // the outline's points
    wfVec2* positions;
    wfTriangle* triangles; // counter-clockwise
    int* twin;             // per side (mesh/sides.h)
    bool* kept;
} wfFilling;

/// Fills an outline with edges of about that length. Where the ratio of shortest to longest is poor, other starts are tried and the best
/// is kept. Fails (wf_badInput), with `name` before it, where wfTriangulate does or the mesh would
/// be too large. `out` must be {0}, and is {0} again after a failure.
bool wfFill(wfFilling* out, const wfOutline* outline, double edge, const char* name, wfError* err);
void wfFilling_Free(wfFilling* filling);

/// A point of an outline that may go along a curve of it. Points of the same knot keep the same share of their curves: those of a seam.
typedef struct wfRider {
    int piece, vertex;
    wfRail rail; // in the direction of the seam
    int knot;
} wfRider;

/// Raises the ratio of the shortest to the longest edge of all pieces together, with points of the outlines going along their curves; those
/// that are no riders stay. `shares` holds where each knot is, and is updated. Keeps everything where that does not raise the ratio.
bool wfEvenTogether(wfFilling* const* pieces, int pieceCount, const wfRider* riders, int riderCount, double* shares, int knotCount,
                    double edge, const char* name, wfError* err);

/// Edges of triangles in the plane, each counted once.
typedef struct wfEdgeLengths {
    double shortest, mean, longest;
    wfVec2 shortestEnds[2], longestEnds[2];
    int edgeCount;
} wfEdgeLengths;

bool wfMeasureFlat(const wfVec2* positions, int vertexCount, const wfTriangle* triangles, int triangleCount, wfEdgeLengths* out,
                   wfError* err);

/// The triangles that are left, in their order: all, or where `piece` is given, those whose vertices have the number `which` in it;
/// vertices are then numbered by `vertexNumber`. The result lies in `keep`.
bool wfRelax_Take(const wfRelax* relax, const int* piece, int which, const int* vertexNumber, wfTriangulation* out, wfArena* keep,
                  wfArena* scratch, wfError* err);

/// Copies what is in use: all points of the outline, which come first, and of the others those that a triangle has.
bool wfFilling_Take(wfFilling* out, const wfTriangulation* in, const wfVec2* points, int count, int fixedCount, const char* name,
                    wfError* err);

#define wf_askedRatio 0.65  // of shortest to longest edge
#define wf_fairRatio  0.66  // from which on no other start is tried; a right corner alone gives 0.72
#define wf_smallMesh  3000  // vertices, up to which other lengths of edges are worth a try
#define wf_largePiece 40000 // vertices, from which on another start is tried only where the first is poor, and no third

// ---- the parts of wfFill, for it and for tests ----------------------------------------------------------------------------------

/// Evenly spread points inside, at about that distance from each other and from the outline, which have pushed each other apart. Those of
/// the outline come first in *points. A variant (0 to wf_scatterVariants - 1) is another way to start. Memory from `arena`.
enum { wf_scatterVariants = 4 };
bool wfScatter(const wfOutline* outline, double edge, int variant, wfArena* arena, wfVec2** points, int* count, const char* name,
               wfError* err);

/// Moves all but the first fixedCount points, and flips edges that need not be kept, so that the ratio of the shortest to the longest
/// edge rises. May take points away and add others; *count is updated, and room for them is taken from `arena`.
bool wfEvenOut(wfTriangulation* triangulation, wfVec2** points, int* count, int fixedCount, double edge, wfArena* arena, wfError* err);
