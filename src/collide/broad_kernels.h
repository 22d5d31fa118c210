// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "collide/bounds.h"
#include "collide/broad.h"
#include "collide/patches.h"
#include "compute/device.h"

// Bounds lie side by side: the first numbers of eight triangles, or of four nodes, then their second ones. So one vector instruction takes
// a side of them all, and a patch is five cache lines, eleven with slabs.

/// The triangles of a patch and their vertices; triangle -1: none there, vertices 0.
typedef struct wfPatchSlots {
    WF_ALIGN(32) int v[3][wf_patchSize];
    int triangle[wf_patchSize];
} wfPatchSlots;

/// Of the triangles of a patch: lo along the axes, then hi. What is not there is empty.
typedef struct wfPatchBoxes {
    WF_ALIGN(32) float side[6][wf_patchSize];
} wfPatchBoxes;
typedef struct wfPatchSlabs {
    WF_ALIGN(32) float side[2 * wf_slabCount][wf_patchSize];
} wfPatchSlabs;

/// The boxes of four siblings, and the slabs of four leaves.
typedef struct wfQuad {
    WF_ALIGN(32) float side[6][4];
} wfQuad;
typedef struct wfQuadSlabs {
    WF_ALIGN(32) float side[2 * wf_slabCount][4];
} wfQuadSlabs;

/// Node i of depth d (0: the root) is lane i % 4 of quads[wfTree_First(d) + i / 4]: the children of node i are quad i of the next depth.
/// Leaves lie at `depth`. Lanes without a node are empty.
typedef struct wfTree {
    wfQuad* quads;
    int leafCount, depth;
} wfTree;

WF_FN int wfTree_First(int depth) { return depth == 0 ? 0 : 1 + (0x55555555 & (int)((1u << 2 * (depth - 1)) - 1u)); }
WF_FN int wfTree_Count(const wfTree* tree, int depth) {
    int shift = 2 * (tree->depth - depth);
    return (tree->leafCount + (1 << shift) - 1) >> shift;
}
WF_FN int wfTree_QuadCount(const wfTree* tree, int depth) { return (wfTree_Count(tree, depth) + 3) / 4; }

enum { wf_mostSteps = 15 }; // down a tree

typedef struct wfBroadTotals {
    int lists[wf_mostSteps + 1]; // pairs after each step; the last one's are patches
    int pairs;                   // of triangles
} wfBroadTotals;

typedef struct BroadFitArgs {
    const wfPatchSlots* slots;
    const wfVec4 *start, *end; // the same where nothing moves
    wfPatchBoxes* boxes;
    wfPatchSlabs* slabs;    // may be NULL
    wfQuad* leaves;         // the patches' boxes, in their own order
    wfQuadSlabs* leafSlabs; // may be NULL
    wfFaultSlot* fault;
    wfGrowth growth;
    int patchCount;
} BroadFitArgs;

enum { wf_tilePatches = 128 / wf_patchSize };    // patches, or pairs of them, that a tile takes
enum { wf_refitTile = 128, wf_refitLevels = 3 }; // quads of children that a tile takes, levels that it fits

typedef struct BroadRefitArgs {
    wfTree tree;
    int depth; // the children's
} BroadRefitArgs;

enum { wf_mortonBits = 30 };

typedef struct BroadMortonArgs {
    const wfQuad *leaves, *root;
    const wfQuadSlabs* leafSlabs; // may be NULL
    wfAabb* patchBoxes;           // copies of the leaves, to gather from
    wfSlabs* patchSlabs;
    uint32_t* keys;
    int* order;
} BroadMortonArgs;

typedef struct BroadGatherArgs {
    const wfAabb* patchBoxes;
    const wfSlabs* patchSlabs;
    const int* order;
    wfQuad* leaves;
    wfQuadSlabs* leafSlabs; // may be NULL
} BroadGatherArgs;

/// One step down two trees together: from pairs of nodes to those pairs of their children whose bounds overlap.
typedef struct BroadSplitArgs {
    const wfPair* pairs;  // NULL: every node of the first tree with every one of the second, `rowLength` of them
    const int* pairCount; // NULL: all
    const wfQuad *childrenA, *childrenB;
    const wfQuadSlabs *slabsA, *slabsB; // where the children are leaves; or NULL
    int* masks;                         // 4 k + l: child k of the first, child l of the second
    int* counts;
    int rowLength, self;
} BroadSplitArgs;

typedef struct BroadSplitWriteArgs {
    const wfPair* pairs;
    const int* pairCount;
    const int *orderA, *orderB; // the patches of leaves, where the children are leaves in another order; or NULL
    const int *masks, *offsets;
    wfPair* out;
    int* outCount;
    int rowLength, pairCapacity, capacity;
} BroadSplitWriteArgs;

typedef struct BroadTestArgs {
    const wfPair* pairs; // patches
    const int* pairCount;
    const wfPatchBoxes *boxesA, *boxesB;
    const wfPatchSlabs *slabsA, *slabsB; // or NULL
    const wfPatchSlots *slotsA, *slotsB;
    uint64_t* masks;
    int* counts;
    int self, capacity;
} BroadTestArgs;

typedef struct BroadWriteArgs {
    const wfPair* pairs; // patches
    const int* pairCount;
    const uint64_t* masks;
    const int* offsets;
    const wfPatchSlots *slotsA, *slotsB;
    wfPair* out; // triangles
    int* outCount;
    int self, pairCapacity, capacity;
} BroadWriteArgs;
