// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/triangle_tree.h"

static wfTreeBox Union(wfTreeBox a, wfTreeBox b) { return (wfTreeBox){wfLower3(a.lo, b.lo), wfHigher3(a.hi, b.hi)}; }

static uint32_t SpreadBits(uint32_t x) { // 10 bits, two zeros between each
    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    return (x | x << 2) & 0x09249249u;
}

static uint32_t Cell(double x, double lo, double scale) {
    double cell = (x - lo) * scale;
    return cell < 0.0 ? 0 : cell > 1023.0 ? 1023 : (uint32_t)cell;
}

// Stable radix sort by the upper half, 30 bits of it.
static void SortByCode(uint64_t* keys, uint64_t* spare, int count) {
    for (int shift = 32; shift < 62; shift += 10) {
        int start[1025] = {0};
        for (int i = 0; i < count; ++i) ++start[(keys[i] >> shift & 1023) + 1];
        for (int b = 0; b < 1024; ++b) start[b + 1] += start[b];
        for (int i = 0; i < count; ++i) spare[start[keys[i] >> shift & 1023]++] = keys[i];
        uint64_t* swap = keys;
        keys = spare;
        spare = swap;
    }
    // Three passes: the result lies in what was given as spare.
}

bool wfTriangleTree_Build(wfTriangleTree* tree, wfArena* arena, wfError* err) {
    int count = tree->triangleCount;
    uint64_t* codes = wfArena_New(arena, uint64_t, count, "order of triangles", err);
    tree->order = wfArena_New(arena, uint64_t, count, "order of triangles", err);
    if (codes == NULL || tree->order == NULL) return false;

    wfTreeBox all = wfTriangleBox(tree->positions, &tree->triangles[0]);
    for (int i = 1; i < count; ++i) all = Union(all, wfTriangleBox(tree->positions, &tree->triangles[i]));
    double size = fmax(fmax((double)all.hi.x - all.lo.x, (double)all.hi.y - all.lo.y), (double)all.hi.z - all.lo.z);
    double scale = size > 0.0 ? 1024.0 / size : 0.0;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < count; ++i) {
        wfTreeBox b = wfTriangleBox(tree->positions, &tree->triangles[i]);
        uint32_t x = Cell(0.5 * ((double)b.lo.x + b.hi.x), all.lo.x, scale), y = Cell(0.5 * ((double)b.lo.y + b.hi.y), all.lo.y, scale),
                 z = Cell(0.5 * ((double)b.lo.z + b.hi.z), all.lo.z, scale);
        uint32_t code = SpreadBits(x) << 2 | SpreadBits(y) << 1 | SpreadBits(z);
        codes[i] = (uint64_t)code << 32 | (uint32_t)i;
    }
    SortByCode(codes, tree->order, count);

    for (int nodes = (count + wf_treeLeaf - 1) / wf_treeLeaf, level = 0;; nodes = (nodes + 1) / 2, ++level) {
        tree->level[level] = wfArena_New(arena, wfTreeBox, nodes, "boxes", err);
        tree->ignored[level] = tree->ignore != NULL ? wfArena_New(arena, uint8_t, nodes, "boxes", err) : NULL;
        if (tree->level[level] == NULL || (tree->ignore != NULL && tree->ignored[level] == NULL)) return false;
        tree->size[level] = nodes;
        tree->levelCount = level + 1;
        if (nodes == 1) break;
    }
#pragma omp parallel for schedule(static)
    for (int i = 0; i < tree->size[0]; ++i) {
        int first = wfTriangleTree_First(i), last = wfTriangleTree_Last(tree, i);
        wfTreeBox b = wfTriangleBox(tree->positions, &tree->triangles[wfTriangleTree_At(tree, first)]);
        bool ignored = tree->ignore != NULL;
        for (int k = first; k < last; ++k) {
            b = Union(b, wfTriangleBox(tree->positions, &tree->triangles[wfTriangleTree_At(tree, k)]));
            ignored = ignored && tree->ignore[wfTriangleTree_At(tree, k)];
        }
        tree->level[0][i] = b;
        if (tree->ignore != NULL) tree->ignored[0][i] = ignored ? wf_treeSomeIgnored | wf_treeAllIgnored : 0;
    }
    for (int level = 1; level < tree->levelCount; ++level) {
        for (int i = 0; i < tree->size[level]; ++i) {
            int a = 2 * i, b = a + 1 < tree->size[level - 1] ? a + 1 : a;
            tree->level[level][i] = Union(tree->level[level - 1][a], tree->level[level - 1][b]);
            if (tree->ignore == NULL) continue;
            uint8_t left = tree->ignored[level - 1][a], right = tree->ignored[level - 1][b];
            tree->ignored[level][i] = (uint8_t)(((left | right) & wf_treeSomeIgnored) | (left & right & wf_treeAllIgnored));
        }
    }
    return true;
}
