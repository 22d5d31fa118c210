// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/intersect.h"

#include "collide/triangle_pair.h"
#include "collide/triangle_tree.h"

#include <stdlib.h>
#include <string.h>

// Each leaf of the tree looks for what it overlaps among itself, the leaves behind it, and those before it that do not look themselves:
// where all triangles are to be ignored there is nothing to find but by others.

static bool Overlap(const wfTreeBox* a, const wfTreeBox* b) {
    return a->lo.x <= b->hi.x && b->lo.x <= a->hi.x && a->lo.y <= b->hi.y && b->lo.y <= a->hi.y && a->lo.z <= b->hi.z && b->lo.z <= a->hi.z;
}

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

static bool PairMeets(const wfTriangleTree* tree, int a, int b) {
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

// A leaf that looks for others.
typedef struct Search {
    int leaf;
    wfTreeBox boxes[wf_treeLeaf]; // of its triangles
    Found* found;
    size_t limit;
} Search;

static void CompareLeaf(const wfTriangleTree* tree, int leafB, void* user) {
    const Search* s = user;
    int firstA = wfTriangleTree_First(s->leaf), lastA = wfTriangleTree_Last(tree, s->leaf);
    int firstB = wfTriangleTree_First(leafB), lastB = wfTriangleTree_Last(tree, leafB);
    for (int j = firstB; j < lastB; ++j) {
        int b = wfTriangleTree_At(tree, j);
        wfTreeBox boxB = wfTriangleBox(tree->positions, &tree->triangles[b]);
        for (int i = firstA; i < lastA && (s->leaf != leafB || i < j); ++i) {
            int a = wfTriangleTree_At(tree, i);
            if (tree->ignore != NULL && tree->ignore[a] && tree->ignore[b]) continue;
            // The lower number goes first, so that the answer does not depend on the order of the tree.
            if (Overlap(&s->boxes[i - firstA], &boxB) && PairMeets(tree, a < b ? a : b, a < b ? b : a)) AddPair(s->found, a, b, s->limit);
        }
    }
}

static bool MayMeet(const wfTriangleTree* tree, int level, int node, void* user) {
    const Search* s = user;
    bool behind = wfTriangleTree_LastLeaf(level, node) >= s->leaf;
    return (behind || (tree->ignore != NULL && (tree->ignored[level][node] & wf_treeSomeIgnored) != 0)) &&
           Overlap(&tree->level[0][s->leaf], &tree->level[level][node]);
}

static void SearchLeaf(const wfTriangleTree* tree, int leaf, Found* found, size_t limit) {
    if (tree->ignore != NULL && tree->ignored[0][leaf] != 0) return;
    Search s = {.leaf = leaf, .found = found, .limit = limit};
    int first = wfTriangleTree_First(leaf);
    for (int k = 0; first + k < wfTriangleTree_Last(tree, leaf); ++k)
        s.boxes[k] = wfTriangleBox(tree->positions, &tree->triangles[wfTriangleTree_At(tree, first + k)]);
    wfTriangleTree_Visit(tree, MayMeet, CompareLeaf, &s);
}

static bool Collect(const wfTriangleTree* tree, int limit, wfArena* arena, wfIntersections* out, wfError* err) {
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
    wfTriangleTree tree = {.positions = positions, .triangles = triangles, .ignore = ignore, .triangleCount = triangleCount};
    wfArena treeArena = {0};
    bool ok = wfTriangleTree_Build(&tree, &treeArena, err) && Collect(&tree, limit, arena, out, err);
    wfArena_Free(&treeArena);
    return ok;
}
