// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "collide/broad.h"
#include "contact/repulsion_kernels.h"
#include "contact/repulsion_samples.h"

/// How many there are, and what found no room.
typedef struct wfSampleCounts {
    long long samples, pairs;
} wfSampleCounts;

typedef struct wfSampleEdge {
    int v[2];
} wfSampleEdge;
typedef struct wfSampleSides {
    int edge[3]; // edge k of a triangle runs from corner k to corner k + 1
} wfSampleSides;

/// The samples that are on, in no order.
typedef struct wfSampleList {
    wfRepulsionSample* items;
    wfSampleCounts* counts;
    int room;
} wfSampleList;

/// Switches samples of edges on, beside those that have been on before in the step, and lists them.
typedef struct SampleEdgesArgs {
    const wfVec4* x;
    const wfSampleEdge* edges;
    int* levels; // how many times an edge is halved
    wfSampleList list;
    wfRepulsionRules rules;
} SampleEdgesArgs;

/// Lists those inside triangles, which are on where the samples that they lie between are and the edge along their segment is halved twice.
typedef struct SampleInsideArgs {
    const wfTriangle* triangles;
    const wfSampleSides* sides;
    const int* levels;
    wfSampleList list;
} SampleInsideArgs;

/// A point in a cell of the grid. Its cell is kept: were it found again, from a position that a compiler rounds otherwise, it could be
/// another.
typedef struct wfSampleNode {
    WF_ALIGN(16) int cell[3];
    int next;
} wfSampleNode;

/// Vertices, then samples, in buckets: heads, and what comes next, are one more than the index of a point, 0 where there is none.
typedef struct wfSampleHash {
    int* heads;
    wfSampleNode* nodes;
    double inverseCell;
    int bits, vertexCount;
} wfSampleHash;

typedef struct SampleHashArgs {
    const wfVec4* x;
    wfSampleList list;
    wfSampleHash hash;
} SampleHashArgs;

/// Lists pairs within reach of a sample (a) and a vertex or, from vertexCount on, a sample before it (b). An item is one of the 27 cells
/// about a sample.
typedef struct SampleNearArgs {
    const wfVec4* x;
    wfSampleList list;
    wfSampleHash hash;
    wfGridExcluded excluded;
    wfPair* pairs;
    int pairRoom;
    double reachSq;
} SampleNearArgs;

/// How states are judged with samples, and where what fails is noted; all may be NULL.
typedef struct wfSampleNotes {
    const int* only;             // only what one of these vertices is part of
    int* flags;                  // of vertices: marked, beside what others have set before
    wfRepulsionVerdict* verdict; // violated
} wfSampleNotes;

/// Judges the straight way from one state to another by the pairs of samples.
typedef struct SampleTestArgs {
    const wfVec4 *from, *to;
    wfSampleList list;
    const wfPair* pairs;
    wfSampleNotes notes;
    wfRepulsionRules rules;
    float cond;
    int vertexCount;
} SampleTestArgs;

/// What pairs of samples ask of a vertex, in whole numbers, whose sums have no order.
typedef struct wfSamplePush {
    long long x, y, z, bound; // bound: of how much the pull grows
} wfSamplePush;

/// Adds up what samples that are too near others ask of their vertices.
typedef struct SamplePushArgs {
    const wfVec4 *x, *xStart; // where a round begins, and where the step did
    wfSampleList list;
    const wfPair* pairs;
    wfSamplePush* pushes;
    wfRepulsionRules rules;
    int vertexCount;
} SamplePushArgs;

/// Gives way to it: where a round begins and where y is to be.
typedef struct SampleYieldArgs {
    wfSamplePush* pushes; // are cleared
    wfVec4 *init, *goal;  // goal: or NULL
    float most;           // [m]
} SampleYieldArgs;

/// Whether triangles are cut finely enough by the samples that are on.
typedef struct SampleCutArgs {
    const wfVec4* x;
    const wfTriangle* triangles;
    const wfSampleSides* sides;
    const int* levels;
    wfSampleNotes notes;
    wfRepulsionRules rules;
    float cond;
} SampleCutArgs;

/// Notes whether an edge is so long that samples of it are to be switched on, and marks the ends of those longer than L.
typedef struct SampleStretchArgs {
    const wfVec4* x;
    const wfSampleEdge* edges;
    const int* levels;
    wfRepulsionVerdict* verdict; // or NULL
    int* longEnds;               // of vertices, or NULL
    wfRepulsionRules rules;
} SampleStretchArgs;
