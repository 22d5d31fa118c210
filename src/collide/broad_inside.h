// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The inside of the broad phase. A hierarchy is a complete tree of four children a node over a row of leaves: node i of a depth has the
// children 4 i … 4 i + 3 of the next, which lie side by side in one quad. So there are no links to load, a walk needs no stack, refitting
// is a sweep over rows and all children of two nodes are tested with a few vector instructions. The types differ in which patch is which
// leaf only.
//
// Finding pairs: (1) two trees are walked down together, level by level: from a list of pairs of nodes, 16 bits each for the pairs of their
// children that overlap, counted, summed and written out as the next list, until it holds pairs of patches; (2) each pair of patches
// tests its 8 x 8 triangles and keeps 64 bits, which become pairs of triangles likewise. (Walks of their own, one for four leaves, do
// about as many tests, but on pleated cloth the longest took 17 to 28 times the mean, one load after another.) All sizes stay on the
// device until the one read at the end, which says whether a list was too small.

#include "collide/broad.h"
#include "collide/broad_kernels.h"

typedef struct wfBroadType {
    const char* name;
    void (*arrange)(wfBroad* broad); // puts the leaves, which are the patches in their own order, into another; or NULL
} wfBroadType;

struct wfBroad {
    wfDevice* device;
    const wfBroadType* type;
    bool dop;
    int vertexCount, triangleCount, patchCount;
    wfTree tree;                                    // lies in `quads`
    wfBuffer slots, boxes, slabs;                   // wfPatchSlots, wfPatchBoxes, wfPatchSlabs (with dop) a patch
    wfBuffer quads, leafSlabs;                      // wfQuad; wfQuadSlabs, with dop
    wfBuffer patchBoxes, patchSlabs;                // wfAabb, wfSlabs (with dop) a patch, where leaves are sorted
    wfBuffer keys, order;                           // uint32_t, int a patch, where they are sorted
    wfBuffer lists[wf_mostSteps + 1];               // wfPair: nodes, after the last step patches; the first one is not kept
    wfBuffer splitMasks, splitCounts, splitOffsets; // int a pair of nodes
    wfBuffer masks, counts, offsets;                // uint64_t, int, int a pair of patches
    wfBuffer totals;                                // wfBroadTotals
    wfBuffer scratch;
    int mostPairs; // of any list: INT_MAX; tests lower it
};

// The stages of Find, for timing them one by one. `other` NULL: self.
void wfBroad_FindPatches(wfBroad* broad, const wfBroad* other, int fromStep);
void wfBroad_TestTriangles(wfBroad* broad, const wfBroad* other);
void wfBroad_WriteTriangles(wfBroad* broad, const wfBroad* other, wfPairList* out);
