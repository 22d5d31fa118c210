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

enum { wf_mostSteps = 15 }; // down a tree

typedef struct wfBroadTotals {
    int lists[wf_mostSteps + 1]; // pairs after each step; the last one's are patches
    int pairs;                   // of triangles
} wfBroadTotals;

typedef struct BroadFitArgs {
    const wfSlot* slots;
    const wfVec4 *start, *end; // end may be NULL
    wfAabb *boxes, *patchBoxes;
    wfSlabs *slabs, *patchSlabs; // may be NULL
    wfFaultSlot* fault;
    float radius;
    int patchCount;
} BroadFitArgs;

enum { wf_tilePatches = 128 / wf_patchSize };    // patches, or pairs of them, that a tile takes
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

/// One step down two trees together: from pairs of nodes to those pairs of their children whose bounds overlap.
typedef struct BroadSplitArgs {
    const wfPair* pairs;  // NULL: every node of the first tree with every one of the second, `rowLength` of them
    const int* pairCount; // NULL: all
    const wfAabb *childrenA, *childrenB;
    const wfSlabs *slabsA, *slabsB; // a patch, where the children are leaves; or NULL
    int* masks;                     // 4 k + l: child k of the first, child l of the second
    int* counts;
    int childCountA, childCountB, rowLength, self;
} BroadSplitArgs;

typedef struct BroadSplitWriteArgs {
    const wfPair* pairs;
    const int* pairCount;
    const wfAabb *leavesA, *leavesB; // where the children are leaves: patches are written, not nodes; or NULL
    const int *masks, *offsets;
    wfPair* out;
    int* outCount;
    int rowLength, pairCapacity, capacity;
} BroadSplitWriteArgs;

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
    const int* pairCount;
    const uint64_t* masks;
    const int* offsets;
    const wfSlot *slotsA, *slotsB;
    wfPair* out; // triangles
    int* outCount;
    int self, pairCapacity, capacity;
} BroadWriteArgs;
