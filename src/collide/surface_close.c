// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/surface.h"

#include <stdlib.h>

// Closing a mesh, and the order of its triangles; on the host, once a body.
//
// Each triangle runs along its three edges; on a closed surface the two directions of every edge cancel. What is left over (directed edges,
// some perhaps more than once) enters each vertex as often as it leaves it, so it falls into loops. A fan from the middle of each loop,
// which runs along its edges in the other direction, cancels it: a hole gets a lid, a triangle that was turned over two of the right
// orientation.

typedef struct Side {
    uint64_t key; // lower vertex << 32 | upper vertex
    int sign;     // 1 from the lower to the upper
} Side;

static int CompareSides(const void* a, const void* b) {
    uint64_t p = ((const Side*)a)->key, q = ((const Side*)b)->key;
    return (p > q) - (p < q);
}

/// Leaves in `sides` the edges that do not cancel, with how often they are left; returns their number.
static int KeepUncancelled(Side* sides, size_t count) {
    qsort(sides, count, sizeof *sides, CompareSides);
    int kept = 0;
    for (size_t i = 0, next; i < count; i = next) {
        Side sum = {sides[i].key, 0};
        for (next = i; next < count && sides[next].key == sum.key; ++next) sum.sign += sides[next].sign;
        if (sum.sign != 0) sides[kept++] = sum;
    }
    return kept;
}

static int LowerOf(const Side* side) { return (int)(side->key >> 32); }
static int UpperOf(const Side* side) { return (int)(uint32_t)side->key; }

/// The edges that are left, by the vertex they leave, each as often as it is left; `from` of an edge is its row.
static bool MakeRows(const Side* sides, int sideCount, int vertexCount, wfArena* arena, wfRows* rows, wfError* err) {
    rows->rowCount = vertexCount;
    rows->start = wfArena_New(arena, int, vertexCount + 2, "closing a surface", err);
    if (rows->start == NULL) return false;
    int *fill = rows->start + 1, count = 0;
    for (int k = 0; k < sideCount; ++k) {
        fill[(sides[k].sign > 0 ? LowerOf(&sides[k]) : UpperOf(&sides[k])) + 1] += abs(sides[k].sign);
        count += abs(sides[k].sign);
    }
    for (int i = 0; i < vertexCount; ++i) fill[i + 1] += fill[i];
    rows->item = wfArena_New(arena, int, count, "closing a surface", err);
    if (rows->item == NULL) return false;
    for (int k = 0; k < sideCount; ++k) {
        bool up = sides[k].sign > 0;
        int from = up ? LowerOf(&sides[k]) : UpperOf(&sides[k]), to = up ? UpperOf(&sides[k]) : LowerOf(&sides[k]);
        for (int times = 0; times < abs(sides[k].sign); ++times) rows->item[fill[from]++] = to;
    }
    return true;
}

/// Walks along the edges that are left; whenever the way comes back to a vertex it holds, that part of it is a loop and is cut off. So a
/// row of holes that touch at corners is closed hole by hole.
static bool CutLoops(const wfRows* left, int vertexCount, wfArena* arena, wfFans* out, wfError* err) {
    int edgeCount = left->start[vertexCount];
    int* next = wfArena_New(arena, int, vertexCount, "closing a surface", err);  // edges of the row that are used up
    int* place = wfArena_New(arena, int, vertexCount, "closing a surface", err); // in the way, from 1; 0: not in it
    int* way = wfArena_New(arena, int, edgeCount + 1, "closing a surface", err);
    out->triangles = wfArena_New(arena, wfTriangle, edgeCount, "closing a surface", err);
    out->vertices.item = wfArena_New(arena, int, edgeCount, "closing a surface", err);
    out->vertices.start = wfArena_New(arena, int, edgeCount + 1, "closing a surface", err);
    if (next == NULL || place == NULL || way == NULL || out->triangles == NULL || out->vertices.item == NULL || out->vertices.start == NULL)
        return false;
    for (int start = 0; start < vertexCount; ++start) {
        while (left->start[start] + next[start] < left->start[start + 1]) {
            int length = 0, at = start;
            do {
                way[length++] = at;
                place[at] = length;
                at = left->item[left->start[at] + next[at]++];
                if (place[at] == 0) continue;
                int middle = vertexCount + out->fanCount, first = place[at] - 1;
                for (int k = first; k < length; ++k) {
                    int to = k + 1 < length ? way[k + 1] : at;
                    out->vertices.item[out->triangleCount] = way[k];
                    out->triangles[out->triangleCount++] = (wfTriangle){{to, way[k], middle}};
                    place[way[k]] = 0;
                }
                out->vertices.start[++out->fanCount] = out->triangleCount;
                length = first;
            } while (length > 0 || at != start);
        }
    }
    out->vertices.rowCount = out->fanCount;
    return true;
}

bool wfFindFans(const wfMeshView* mesh, wfArena* arena, wfFans* out, wfError* err) {
    *out = (wfFans){0};
    size_t count = 3 * (size_t)mesh->triangleCount;
    Side* sides = malloc(count * sizeof *sides);
    if (sides == NULL) return wfFail(err, wf_outOfMemory, "out of memory for the edges of a surface");
    for (size_t i = 0; i < count; ++i) {
        int a = mesh->triangles[i], b = mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
        sides[i] = a < b ? (Side){(uint64_t)a << 32 | (uint32_t)b, 1} : (Side){(uint64_t)b << 32 | (uint32_t)a, -1};
    }
    int sideCount = KeepUncancelled(sides, count);
    wfRows left = {0};
    bool ok = MakeRows(sides, sideCount, mesh->vertexCount, arena, &left, err) && CutLoops(&left, mesh->vertexCount, arena, out, err);
    free(sides);
    return ok;
}

// ---- order --------------------------------------------------------------------------------------------------------------------

// Halves by the longest side of the box of middles, again and again, at a multiple of the leaf that leaves a power of two of leaves on the
// left: every node of the tree is then one of these halves.

typedef struct Keyed {
    float key;
    int triangle;
} Keyed;

static bool Before(const Keyed* a, const Keyed* b) { return a->key != b->key ? a->key < b->key : a->triangle < b->triangle; }

static void Swap(Keyed* a, Keyed* b) {
    Keyed swap = *a;
    *a = *b;
    *b = swap;
}

/// Puts the `first` lowest of `count` items first. The order is total, so what comes first does not depend on how it is found.
static void Select(Keyed* items, int count, int first) {
    int lo = 0, hi = count - 1;
    while (lo < hi) {
        Keyed pivot = items[lo + (hi - lo) / 2];
        int i = lo, j = hi;
        while (i <= j) {
            while (Before(&items[i], &pivot)) ++i;
            while (Before(&pivot, &items[j])) --j;
            if (i <= j) Swap(&items[i++], &items[j--]);
        }
        if (first <= j)
            hi = j;
        else if (first >= i)
            lo = i;
        else
            return;
    }
}

static void Split(const wfVec3* middles, Keyed* items, int count) {
    while (count > wf_surfaceLeaf) {
        wfVec3 lo = middles[items[0].triangle], hi = lo;
        for (int i = 1; i < count; ++i) {
            lo = wfMin3(lo, middles[items[i].triangle]);
            hi = wfMax3(hi, middles[items[i].triangle]);
        }
        wfVec3 size = wfSub(hi, lo);
        int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        for (int i = 0; i < count; ++i) {
            const wfVec3* m = &middles[items[i].triangle];
            items[i].key = axis == 0 ? m->x : axis == 1 ? m->y : m->z;
        }
        int left = wf_surfaceLeaf;
        while (left < count - left) left *= 2;
        Select(items, count, left);
        Split(middles, items, left);
        items += left;
        count -= left;
    }
}

bool wfOrderTriangles(const wfVec3* middles, int count, int* order, wfError* err) {
    Keyed* items = malloc((size_t)(count > 0 ? count : 1) * sizeof *items);
    if (items == NULL) return wfFail(err, wf_outOfMemory, "out of memory for the order of a surface");
    for (int i = 0; i < count; ++i) items[i] = (Keyed){0.0f, i};
    Split(middles, items, count);
    for (int i = 0; i < count; ++i) order[i] = items[i].triangle;
    free(items);
    return true;
}
