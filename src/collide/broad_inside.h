// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The inside of the broad phase. A hierarchy is a complete tree of four children a node over a row of leaves: node i of a depth has the
// children 4 i … 4 i + 3 of the next, and depth d starts at the sum of the powers of four before it. So there are no links to load, a walk
// needs no stack, refitting is a sweep over rows, and a query for the leaves behind its own starts at its own place. The types differ in
// which patch is which leaf only.
//
// Finding pairs: (1) every quad (a node above four leaves) walks the tree, once to count and once to write the quads it meets; (2) each
// pair of quads tests its 4 x 4 patches and keeps 16 bits, which are counted, summed and written out as pairs of patches; (3) each of these
// tests its 8 x 8 triangles and keeps 64 bits, which become pairs of triangles likewise. All sizes stay on the device until the one read
// at the end, which says whether a buffer was too small.

#include "collide/broad.h"
#include "collide/broad_kernels.h"

typedef struct wfBroadType {
    const char* name;
    void (*arrange)(wfBroad* broad); // from the boxes of triangles to the leaves of the tree
} wfBroadType;

struct wfBroad {
    wfDevice* device;
    const wfBroadType* type;
    bool dop;
    int vertexCount, triangleCount, patchCount;
    wfTree tree;                                         // its nodes lie in `nodes`
    wfBuffer slots;                                      // wfSlot: eight a patch
    wfBuffer boxes;                                      // wfAabb a slot; item is the triangle
    wfBuffer slabs;                                      // wfSlabs a slot, with dop
    wfBuffer patchBoxes;                                 // wfAabb a patch, where leaves are sorted
    wfBuffer patchSlabs;                                 // wfSlabs a patch, with dop
    wfBuffer nodes;                                      // wfAabb; the item of a leaf is its patch
    wfBuffer keys, order;                                // uint32_t, int a patch, where they are sorted
    wfBuffer quadCounts, quadOffsets;                    // int a quad
    wfBuffer quadPairs;                                  // wfPair
    wfBuffer quadMasks, quadMaskCounts, quadMaskOffsets; // int a pair of quads
    wfBuffer patchPairs;                                 // wfPair
    wfBuffer masks, counts, offsets;                     // uint64_t, int, int a pair of patches
    wfBuffer totals;                                     // wfBroadTotals
    wfBuffer scratch;
    int mostPairs; // INT_MAX; tests lower it
};

extern const wfBroadType wf_broadConnectivity, wf_broadMorton;

wfAabb* wfBroad_Leaves(const wfBroad* broad);

/// Joins the boxes of triangles (and with dop their slabs) to those of patches: wfAabb a patch to `out`.
void wfBroad_FitPatches(wfBroad* broad, wfAabb* out);

/// Joins children to parents over the whole tree.
void wfBroad_Refit(wfBroad* broad);

// The stages of Find, for timing them one by one. `other` NULL: self.
void wfBroad_CountQuads(wfBroad* broad, const wfBroad* other);
void wfBroad_WriteQuads(wfBroad* broad, const wfBroad* other);
void wfBroad_FindPatches(wfBroad* broad, const wfBroad* other);
void wfBroad_TestTriangles(wfBroad* broad, const wfBroad* other);
void wfBroad_WriteTriangles(wfBroad* broad, const wfBroad* other, wfPairList* out);
