// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "collide/bounds.h"
#include "collide/candidates.h"

/// A triangle's vertices and what belongs to it: bits 0-2 its vertices, bits 3-5 its edges (edge k runs from corner k to corner k + 1).
typedef struct wfCorners {
    WF_ALIGN(16) int v[3];
    int owned;
} wfCorners;

/// Tests of a pair (a, b): 3 vertices of a with b, 3 of b with a, 9 edges with edges (3 k + l: edge k of a, edge l of b), 3 edges of a with
/// b, 3 of b with a.
enum {
    wf_testVertexA = 0,
    wf_testVertexB = 3,
    wf_testEdges = 6,
    wf_testEdgeA = 15,
    wf_testEdgeB = 18,
};

typedef struct wfAdjacent {
    int a, b, tests;
} wfAdjacent;

/// Which tests belong to a pair of triangles, by what each of them owns.
WF_FN int wfOwnedTests(int ownedA, int ownedB) {
    int tests =
        (ownedA & 7) << wf_testVertexA | (ownedB & 7) << wf_testVertexB | (ownedA >> 3) << wf_testEdgeA | (ownedB >> 3) << wf_testEdgeB;
    for (int k = 0; k < 3; ++k)
        if (ownedA >> (3 + k) & 1) tests |= (ownedB >> 3) << (wf_testEdges + 3 * k);
    return tests;
}

typedef struct wfElementsView {
    const wfCorners* corners;
    const wfTriangle* edges;
    const wfVec4* motion; // a vertex: where it starts; its way and the largest coordinate of that: in one sector of memory
    const int* marks;     // a triangle: its marked vertices, as bits; NULL: there are none
} wfElementsView;

/// How far apart bounds along the axes of boxes and of slabs may be: both radii together, rounded up.
typedef struct wfReach {
    float box, slab;
} wfReach;

typedef struct CandidateMotionArgs {
    const wfVec4 *start, *end;
    wfVec4* motion;
} CandidateMotionArgs;

typedef struct CandidateMarkArgs {
    const wfCorners* corners;
    const int* vertices;
    int* marks;
} CandidateMarkArgs;

/// Sources are pairs of triangles, first those found, then the neighbours; a tile takes wf_candidateTile of them.
enum { wf_candidateTile = 128 };

typedef struct CandidateTestArgs {
    const wfPair* pairs;
    const wfAdjacent* adjacent;
    wfElementsView a, b;
    float beside; // what the frame that pairs are seen from takes of each of four ways: a quarter, or nothing
    wfReach reach;
    int* masks;                       // a source: the tests whose bounds overlap
    int* counts;                      // kind * tileCount + tile: how many of the kind
    int kinds[wf_candidateKindCount]; // bits of the tests; none: not asked for
    int pairCount, sourceCount, tileCount;
    int some; // only pairs with a marked vertex
} CandidateTestArgs;

typedef struct CandidateWriteArgs {
    const wfPair* pairs;
    const wfAdjacent* adjacent;
    wfElementsView a, b;
    const int *masks, *offsets; // offsets: of the counts
    wfPair* out[wf_candidateKindCount];
    wfFourVertices* vertices[wf_candidateKindCount]; // instead of out
    int* totals;                                     // a kind
    int kinds[wf_candidateKindCount], capacity[wf_candidateKindCount];
    int pairCount, sourceCount, tileCount, self;
    int offset; // of the second mesh's vertices, among `vertices`
} CandidateWriteArgs;
