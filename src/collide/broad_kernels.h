// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "collide/bounds.h"
#include "collide/broad.h"
#include "collide/patches.h"
#include "compute/device.h"

/// A triangle's place in its patch; triangle -1: none.
typedef struct wfSlot {
    WF_ALIGN(16) int v[3];
    int triangle;
} wfSlot;

/// Node i of depth d (0: the root) is nodes[wfTree_First(d) + i]; the leaves lie at `depth`.
typedef struct wfTree {
    wfAabb* nodes;
    int leafCount, depth;
} wfTree;

WF_FN int wfTree_First(int depth) { return 0x55555555 & (int)((1u << 2 * depth) - 1u); }
WF_FN int wfTree_Count(const wfTree* tree, int depth) {
    int shift = 2 * (tree->depth - depth);
    return (tree->leafCount + (1 << shift) - 1) >> shift;
}

typedef struct wfBroadTotals {
    int quadPairs, patchPairs, pairs;
    wfFaultSlot tooMany; // the quad that meets more others than can be counted
} wfBroadTotals;

typedef struct BroadSlotsArgs {
    const wfSlot* slots;
    const wfVec4 *start, *end; // end may be NULL
    wfAabb* boxes;
    wfSlabs* slabs; // may be NULL
    wfFaultSlot* fault;
    float radius;
} BroadSlotsArgs;

typedef struct BroadPatchesArgs {
    const wfAabb* boxes;
    const wfSlabs* slabs; // may be NULL
    wfAabb* patchBoxes;
    wfSlabs* patchSlabs;
} BroadPatchesArgs;

enum { wf_refitTile = 128, wf_refitLevels = 3 }; // children that a tile takes, levels that it fits

typedef struct BroadRefitArgs {
    wfTree tree;
    int depth; // the children's
} BroadRefitArgs;

enum { wf_mortonBits = 30 };

typedef struct BroadMortonArgs {
    const wfAabb *leaves, *root;
    wfAabb* patchBoxes; // a copy of the leaves, to gather from
    uint32_t* keys;
    int* order;
} BroadMortonArgs;

typedef struct BroadGatherArgs {
    const wfAabb* patchBoxes;
    const int* order;
    wfAabb* leaves;
} BroadGatherArgs;

/// The tree down to the nodes that ask: four leaves each. A query so large keeps walks few, and short of the level where most tests fail.
WF_FN wfTree wfTree_Quads(wfTree tree) {
    tree.leafCount = (tree.leafCount + 3) / 4;
    tree.depth -= 1;
    return tree;
}

typedef struct BroadWalkArgs {
    wfTree tree, asking; // both of quads
    const int* offsets;  // NULL: count only
    int* counts;
    wfPair* out; // quads
    wfBroadTotals* totals;
    int self, capacity, most; // most: partners that one may have
} BroadWalkArgs;

typedef struct BroadQuadsArgs {
    const wfPair* pairs; // quads
    const int* pairCount;
    wfTree treeA, treeB;
    const wfSlabs *slabsA, *slabsB; // a patch, or NULL
    int *masks, *counts;
    int self;
} BroadQuadsArgs;

typedef struct BroadPatchPairsArgs {
    const wfPair* pairs; // quads
    const int* pairCount;
    const wfAabb *leavesA, *leavesB;
    const int *masks, *offsets;
    wfPair* out; // patches
    int pairCapacity, capacity;
} BroadPatchPairsArgs;

enum { wf_broadTestPairs = 128 / wf_patchSize }; // that a tile takes

typedef struct BroadTestArgs {
    const wfPair* pairs; // patches
    const int* pairCount;
    const wfAabb *boxesA, *boxesB;  // a slot
    const wfSlabs *slabsA, *slabsB; // a slot, or NULL
    const wfSlot *slotsA, *slotsB;
    uint64_t* masks;
    int* counts;
    int self, capacity;
} BroadTestArgs;

typedef struct BroadWriteArgs {
    const wfPair* pairs; // patches
    const int *quadPairCount, *pairCount;
    const uint64_t* masks;
    const int* offsets;
    const wfSlot *slotsA, *slotsB;
    wfPair* out; // triangles
    wfBroadTotals* totals;
    int self, pairCapacity, capacity;
} BroadWriteArgs;
