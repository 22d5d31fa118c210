// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Where the edges of a mesh pass through its faces (Ye, Nyberg and Xiong, section III): the discrete intersection detection that untangling
// rests on. Pairs come from the broad phase with 18-DOPs; each edge is tested by its representative triangle alone and neighbours by the
// orphan set (collide/candidates.h), so every edge and face once. Exact arithmetic decides, and where it says zero a symbolic perturbation
// does (math/perturbed.h): an edge passes through a face or it does not, and touching is one of the two.

#include "collide/broad.h"
#include "collide/candidates.h"
#include "collide/intersect.h"
#include "math/vec_double.h"

typedef struct wfCrossing {
    int edge, face;
    wfVec3D point;
} wfCrossing;

typedef struct wfCrossings {
    wfCrossing* items; // by edge, then by face
    int count;
    int64_t pairCount; // triangle pairs of the broad phase
    int64_t testCount; // edge and face pairs that were tested
} wfCrossings;

typedef struct wfCrossingFinder {
    wfDevice* device;
    const wfTopology* topology;
    const bool* fixed; // per vertex, or NULL: what does not move at all is not tested against its like
    wfBroad* broad;
    wfElements elements;
    wfCandidates work;
    wfPairList triangles, tests, edges;
    wfBuffer x;
    wfVec4* staging;
    wfPair* found;
    size_t capacity;
    wfArena arena;
} wfCrossingFinder;

/// Start from {0}; free also after a failure. The topology and `fixed` must stay valid.
bool wfCrossingFinder_Create(wfCrossingFinder* finder, wfDevice* device, const wfTopology* topology, const bool* fixed, wfError* err);
void wfCrossingFinder_Free(wfCrossingFinder* finder);

/// Positions must be finite. Memory from `arena`.
bool wfCrossingFinder_Find(wfCrossingFinder* finder, const wfVec3* x, wfArena* arena, wfCrossings* out, wfError* err);

/// The same where the triangles that meet are known: of two that do not, no edge passes through the other.
bool wfCrossingFinder_FindAmong(wfCrossingFinder* finder, const wfVec3* x, const wfTrianglePair* pairs, int count, wfArena* arena,
                                wfCrossings* out, wfError* err);

/// Vertices and triangles, and edges, that share no vertex and may be nearer than `distance`: host copies, valid until the next call.
typedef struct wfNearPairs {
    const wfPair *points, *edges; // vertex and triangle; edge and edge
    int pointCount, edgeCount;
} wfNearPairs;

bool wfCrossingFinder_FindNear(wfCrossingFinder* finder, const wfVec3* x, float distance, wfNearPairs* out, wfError* err);

/// Whether the edge from p to q passes through triangle abc, all numbers of points in x and no two the same.
bool wfEdgeCrosses(const wfVec3* x, int p, int q, int a, int b, int c);
