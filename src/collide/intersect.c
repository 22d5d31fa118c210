// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/intersect.h"

#include "collide/triangle_pair.h"

#include <stdlib.h>
#include <string.h>

// Triangles in Morton order, LEAF of them a leaf, and above the leaves a binary tree without pointers: level by level, node i of a level
// holds nodes 2i and 2i + 1 of the level below. Each leaf then looks for what it overlaps among itself and the leaves behind it.
// 28 bytes a triangle: 16 for the sort, 12 for the boxes of all levels; a triangle's own box is made again where it is needed.
enum { LEAF = 4, MAX_LEVELS = 32 };

typedef struct Box {
    wfVec3 lo, hi;
} Box;

typedef struct Tree {
    const wfVec3* positions;
    const wfTriangle* triangles;
    const bool* ignore;
    int triangleCount, levelCount;
    uint64_t* order;           // low 32 bits: the triangle
    Box* level[MAX_LEVELS];    // level 0 are the leaves
    bool* ignored[MAX_LEVELS]; // whether all triangles below are to be ignored; NULL without `ignore`
    int size[MAX_LEVELS];
} Tree;

// As wfMin3 and wfMax3, but of finite numbers only, which takes an instruction in place of a call of the library.
static float Lower(float a, float b) { return a < b ? a : b; }
static float Higher(float a, float b) { return a > b ? a : b; }
static wfVec3 Lower3(wfVec3 a, wfVec3 b) { return wfMake3(Lower(a.x, b.x), Lower(a.y, b.y), Lower(a.z, b.z)); }
static wfVec3 Higher3(wfVec3 a, wfVec3 b) { return wfMake3(Higher(a.x, b.x), Higher(a.y, b.y), Higher(a.z, b.z)); }

static Box TriangleBox(const wfVec3* x, const wfTriangle* t) {
    wfVec3 a = x[t->v[0]], b = x[t->v[1]], c = x[t->v[2]];
    return (Box){Lower3(a, Lower3(b, c)), Higher3(a, Higher3(b, c))};
}

static Box Union(Box a, Box b) { return (Box){Lower3(a.lo, b.lo), Higher3(a.hi, b.hi)}; }

static bool Overlap(const Box* a, const Box* b) {
    return a->lo.x <= b->hi.x && b->lo.x <= a->hi.x && a->lo.y <= b->hi.y && b->lo.y <= a->hi.y && a->lo.z <= b->hi.z && b->lo.z <= a->hi.z;
}

static int TriangleAt(const Tree* tree, int place) { return (int)(uint32_t)tree->order[place]; }

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

static bool BuildTree(Tree* tree, wfArena* arena, wfError* err) {
    int count = tree->triangleCount;
    uint64_t* codes = wfArena_New(arena, uint64_t, count, "order of triangles", err);
    tree->order = wfArena_New(arena, uint64_t, count, "order of triangles", err);
    if (codes == NULL || tree->order == NULL) return false;

    Box all = TriangleBox(tree->positions, &tree->triangles[0]);
    for (int i = 1; i < count; ++i) all = Union(all, TriangleBox(tree->positions, &tree->triangles[i]));
    double size = fmax(fmax((double)all.hi.x - all.lo.x, (double)all.hi.y - all.lo.y), (double)all.hi.z - all.lo.z);
    double scale = size > 0.0 ? 1024.0 / size : 0.0;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < count; ++i) {
        Box b = TriangleBox(tree->positions, &tree->triangles[i]);
        uint32_t x = Cell(0.5 * ((double)b.lo.x + b.hi.x), all.lo.x, scale), y = Cell(0.5 * ((double)b.lo.y + b.hi.y), all.lo.y, scale),
                 z = Cell(0.5 * ((double)b.lo.z + b.hi.z), all.lo.z, scale);
        uint32_t code = SpreadBits(x) << 2 | SpreadBits(y) << 1 | SpreadBits(z);
        codes[i] = (uint64_t)code << 32 | (uint32_t)i;
    }
    SortByCode(codes, tree->order, count);

    for (int nodes = (count + LEAF - 1) / LEAF, level = 0;; nodes = (nodes + 1) / 2, ++level) {
        tree->level[level] = wfArena_New(arena, Box, nodes, "boxes", err);
        tree->ignored[level] = tree->ignore != NULL ? wfArena_New(arena, bool, nodes, "boxes", err) : NULL;
        if (tree->level[level] == NULL || (tree->ignore != NULL && tree->ignored[level] == NULL)) return false;
        tree->size[level] = nodes;
        tree->levelCount = level + 1;
        if (nodes == 1) break;
    }
#pragma omp parallel for schedule(static)
    for (int i = 0; i < tree->size[0]; ++i) {
        int first = i * LEAF, last = first + LEAF < count ? first + LEAF : count;
        Box b = TriangleBox(tree->positions, &tree->triangles[TriangleAt(tree, first)]);
        bool ignored = tree->ignore != NULL;
        for (int k = first; k < last; ++k) {
            b = Union(b, TriangleBox(tree->positions, &tree->triangles[TriangleAt(tree, k)]));
            ignored = ignored && tree->ignore[TriangleAt(tree, k)];
        }
        tree->level[0][i] = b;
        if (tree->ignore != NULL) tree->ignored[0][i] = ignored;
    }
    for (int level = 1; level < tree->levelCount; ++level) {
        for (int i = 0; i < tree->size[level]; ++i) {
            int a = 2 * i, b = a + 1 < tree->size[level - 1] ? a + 1 : a;
            tree->level[level][i] = Union(tree->level[level - 1][a], tree->level[level - 1][b]);
            if (tree->ignore != NULL) tree->ignored[level][i] = tree->ignored[level - 1][a] && tree->ignored[level - 1][b];
        }
    }
    return true;
}

// ---- pairs --------------------------------------------------------------------------------------------------------------------

// What one thread has found: how many, and the first `limit` of them. Twice that many are kept before the later half is dropped,
// so that a mesh with billions of pairs needs no memory for them.
typedef struct Found {
    wfTrianglePair* pairs;
    size_t size, capacity;
    int64_t count;
    wfError err;
} Found;

static int ComparePairs(const void* a, const void* b) {
    const wfTrianglePair *p = a, *q = b;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

static bool Reserve(Found* found, size_t need, wfError* err) {
    void* data = found->pairs;
    bool ok = wfGrow(&data, &found->capacity, need, sizeof *found->pairs, "intersecting pairs", err);
    found->pairs = data;
    return ok;
}

static void KeepFirst(Found* found, size_t limit) {
    qsort(found->pairs, found->size, sizeof *found->pairs, ComparePairs);
    if (found->size > limit) found->size = limit;
}

static void AddPair(Found* found, int a, int b, size_t limit) {
    ++found->count;
    if (limit == 0) return;
    if (found->size >= 2 * limit + 1024) KeepFirst(found, limit);
    if (!Reserve(found, found->size + 1, &found->err)) return;
    found->pairs[found->size++] = a < b ? (wfTrianglePair){a, b} : (wfTrianglePair){b, a};
}

static bool PairMeets(const Tree* tree, int a, int b) {
    const wfTriangle *ta = &tree->triangles[a], *tb = &tree->triangles[b];
    int shared = 0, ka[3] = {0, 0, 0}, kb[3] = {0, 0, 0};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            if (ta->v[i] != tb->v[j]) continue;
            ka[shared] = i;
            kb[shared++] = j;
        }
    }
    if (shared > 2) return false;
    wfVec3 xa[3], xb[3];
    if (shared == 2) {
        for (int k = 0; k < 2; ++k) xa[k] = xb[k] = tree->positions[ta->v[ka[k]]];
        xa[2] = tree->positions[ta->v[3 - ka[0] - ka[1]]];
        xb[2] = tree->positions[tb->v[3 - kb[0] - kb[1]]];
        return wfTrianglesMeetBeyondEdge(xa, xb);
    }
    for (int k = 0; k < 3; ++k) {
        xa[k] = tree->positions[ta->v[(ka[0] + k) % 3]];
        xb[k] = tree->positions[tb->v[(kb[0] + k) % 3]];
    }
    return shared == 1 ? wfTrianglesMeetBeyondVertex(xa, xb) : wfTrianglesMeet(xa, xb);
}

static void CompareLeaves(const Tree* tree, int leafA, int leafB, const Box boxA[LEAF], Found* found, size_t limit) {
    int count = tree->triangleCount;
    int firstA = leafA * LEAF, lastA = firstA + LEAF < count ? firstA + LEAF : count;
    int firstB = leafB * LEAF, lastB = firstB + LEAF < count ? firstB + LEAF : count;
    for (int j = firstB; j < lastB; ++j) {
        int b = TriangleAt(tree, j);
        Box boxB = TriangleBox(tree->positions, &tree->triangles[b]);
        for (int i = firstA; i < lastA && (leafA != leafB || i < j); ++i) {
            int a = TriangleAt(tree, i);
            if (tree->ignore != NULL && tree->ignore[a] && tree->ignore[b]) continue;
            // The lower number goes first, so that the answer does not depend on the order of the tree.
            if (Overlap(&boxA[i - firstA], &boxB) && PairMeets(tree, a < b ? a : b, a < b ? b : a)) AddPair(found, a, b, limit);
        }
    }
}

static void SearchLeaf(const Tree* tree, int leaf, Found* found, size_t limit) {
    Box boxes[LEAF];
    int first = leaf * LEAF;
    for (int k = 0; k < LEAF && first + k < tree->triangleCount; ++k) {
        boxes[k] = TriangleBox(tree->positions, &tree->triangles[TriangleAt(tree, first + k)]);
    }
    const Box* own = &tree->level[0][leaf];
    bool ignored = tree->ignore != NULL && tree->ignored[0][leaf];
    struct {
        int level, node;
    } stack[2 * MAX_LEVELS];
    int depth = 0;
    stack[depth].level = tree->levelCount - 1;
    stack[depth++].node = 0;
    while (depth > 0) {
        int level = stack[--depth].level, node = stack[depth].node;
        // The last leaf below; shifted in 64 bits because it may lie far behind the last there is.
        if (((int64_t)(node + 1) << level) - 1 < leaf) continue;
        if (ignored && tree->ignored[level][node]) continue;
        if (!Overlap(own, &tree->level[level][node])) continue;
        if (level == 0) {
            CompareLeaves(tree, leaf, node, boxes, found, limit);
            continue;
        }
        for (int child = 2 * node + 1; child >= 2 * node; --child) {
            if (child >= tree->size[level - 1]) continue;
            stack[depth].level = level - 1;
            stack[depth++].node = child;
        }
    }
}

static bool Collect(const Tree* tree, int limit, wfArena* arena, wfIntersections* out, wfError* err) {
    Found all = {0};
    bool ok = true;
#pragma omp parallel
    {
        Found mine = {0};
#pragma omp for schedule(dynamic, 64) nowait
        for (int leaf = 0; leaf < tree->size[0]; ++leaf) SearchLeaf(tree, leaf, &mine, (size_t)limit);
#pragma omp critical(wfCollectIntersections)
        {
            all.count += mine.count;
            ok = ok && (mine.err.code == wf_ok || wfFail(err, mine.err.code, "%s", mine.err.text));
            ok = ok && Reserve(&all, all.size + mine.size, err);
            if (ok && mine.size > 0) {
                memcpy(all.pairs + all.size, mine.pairs, mine.size * sizeof *mine.pairs);
                all.size += mine.size;
            }
        }
        free(mine.pairs);
    }
    if (ok && all.size > 0) KeepFirst(&all, (size_t)limit);
    if (ok) {
        out->count = all.count;
        out->pairs = wfArena_New(arena, wfTrianglePair, all.size, "intersecting pairs", err);
        ok = out->pairs != NULL;
        if (ok && all.size > 0) memcpy(out->pairs, all.pairs, all.size * sizeof *all.pairs);
    }
    free(all.pairs);
    return ok;
}

bool wfFindIntersections(const wfVec3* positions, const wfTriangle* triangles, int triangleCount, const bool* ignore, int limit,
                         wfArena* arena, wfIntersections* out, wfError* err) {
    *out = (wfIntersections){0};
    if (triangleCount == 0) return true;
    Tree tree = {.positions = positions, .triangles = triangles, .ignore = ignore, .triangleCount = triangleCount};
    wfArena treeArena = {0};
    bool ok = BuildTree(&tree, &treeArena, err) && Collect(&tree, limit, arena, out, err);
    wfArena_Free(&treeArena);
    return ok;
}
