// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The tree of the exact check, on the host: triangles in Morton order, LEAF of them a leaf, and above the leaves a binary tree without
// pointers: level by level, node i of a level holds nodes 2i and 2i + 1 of the level below. 28 bytes a triangle: 16 for the sort, 12 for
// the boxes of all levels; a triangle's own box is made again where it is needed.

#include "mesh/mesh.h"

enum { wf_treeLeaf = 4, wf_treeMaxLevels = 32 };

/// Bits: whether of the leaves below there is one with nothing but triangles to ignore, and whether all are so.
typedef enum wfTreeIgnored { wf_treeSomeIgnored = 1, wf_treeAllIgnored = 2 } wfTreeIgnored;

typedef struct wfTreeBox {
    wfVec3 lo, hi;
} wfTreeBox;

typedef struct wfTriangleTree {
    const wfVec3* positions;
    const wfTriangle* triangles;
    const bool* ignore; // per triangle, or NULL
    int triangleCount, levelCount;
    uint64_t* order;                    // low 32 bits: the triangle
    wfTreeBox* level[wf_treeMaxLevels]; // level 0 are the leaves
    uint8_t* ignored[wf_treeMaxLevels]; // wfTreeIgnored; NULL without `ignore`
    int size[wf_treeMaxLevels];
} wfTriangleTree;

/// The first four members of the tree must be filled in, with at least one triangle; the others live in `arena`. Positions must be finite.
bool wfTriangleTree_Build(wfTriangleTree* tree, wfArena* arena, wfError* err);

// As wfMin3 and wfMax3, but of finite numbers only, which takes an instruction in place of a call of the library.
static inline float wfLower(float a, float b) { return a < b ? a : b; }
static inline float wfHigher(float a, float b) { return a > b ? a : b; }
static inline wfVec3 wfLower3(wfVec3 a, wfVec3 b) { return wfMake3(wfLower(a.x, b.x), wfLower(a.y, b.y), wfLower(a.z, b.z)); }
static inline wfVec3 wfHigher3(wfVec3 a, wfVec3 b) { return wfMake3(wfHigher(a.x, b.x), wfHigher(a.y, b.y), wfHigher(a.z, b.z)); }

static inline wfTreeBox wfTriangleBox(const wfVec3* x, const wfTriangle* t) {
    wfVec3 a = x[t->v[0]], b = x[t->v[1]], c = x[t->v[2]];
    return (wfTreeBox){wfLower3(a, wfLower3(b, c)), wfHigher3(a, wfHigher3(b, c))};
}

/// The triangle at a place in Morton order.
static inline int wfTriangleTree_At(const wfTriangleTree* tree, int place) { return (int)(uint32_t)tree->order[place]; }

/// The places of a leaf: from the first to before the last.
static inline int wfTriangleTree_First(int leaf) { return leaf * wf_treeLeaf; }
static inline int wfTriangleTree_Last(const wfTriangleTree* tree, int leaf) {
    int last = (leaf + 1) * wf_treeLeaf;
    return last < tree->triangleCount ? last : tree->triangleCount;
}

/// The last leaf below a node; in 64 bits because it may lie far behind the last there is.
static inline int64_t wfTriangleTree_LastLeaf(int level, int node) { return ((int64_t)(node + 1) << level) - 1; }

/// Goes down from the root wherever `enter` says so, and calls `leaf` for every leaf it comes to, in order. Inline, as the two are where
/// they are known.
static inline void wfTriangleTree_Visit(const wfTriangleTree* tree,
                                        bool (*enter)(const wfTriangleTree* tree, int level, int node, void* user),
                                        void (*leaf)(const wfTriangleTree* tree, int leaf, void* user), void* user) {
    struct {
        int level, node;
    } stack[2 * wf_treeMaxLevels];
    int depth = 0;
    stack[depth].level = tree->levelCount - 1;
    stack[depth++].node = 0;
    while (depth > 0) {
        int level = stack[--depth].level, node = stack[depth].node;
        if (!enter(tree, level, node, user)) continue;
        if (level == 0) {
            leaf(tree, node, user);
            continue;
        }
        for (int child = 2 * node + 1; child >= 2 * node; --child) {
            if (child >= tree->size[level - 1]) continue;
            stack[depth].level = level - 1;
            stack[depth++].node = child;
        }
    }
}
