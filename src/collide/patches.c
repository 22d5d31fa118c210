// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/patches.h"

#include <string.h>

// Growing: from a seed beside the patches made so far, always the neighbour whose corners the patch uses most, which closes fans and
// keeps patches round. What was left too small joins a neighbour, or takes triangles from larger ones. Ordering: breadth-first search from
// a far end of a set of patches gives them by distance; the first half is one part, the rest the other, down to four.

typedef struct Grower {
    const wfTopology* topology;
    int* patchOf; // per triangle; -1: none yet
    int (*members)[wf_patchSize];
    int* size;
    int count;
} Grower;

static int Neighbour(const wfTopology* t, int triangle, int k) {
    const wfEdge* e = &t->edges[t->triangleEdges[triangle][k]];
    return e->triangle[0] != triangle ? e->triangle[0] : e->triangle[1];
}

static int UsesOfCorners(const Grower* g, int patch, int triangle) {
    int uses = 0;
    for (int m = 0; m < g->size[patch]; ++m)
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) uses += g->topology->triangles[g->members[patch][m]].v[a] == g->topology->triangles[triangle].v[b];
    return uses;
}

static int FreeNeighbours(const Grower* g, int triangle) {
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        int n = Neighbour(g->topology, triangle, k);
        count += n >= 0 && g->patchOf[n] < 0;
    }
    return count;
}

static void Put(Grower* g, int patch, int triangle) {
    g->members[patch][g->size[patch]++] = triangle;
    g->patchOf[triangle] = patch;
}

static void Grow(Grower* g, int patch) {
    while (g->size[patch] < wf_patchSize) {
        int best = -1, bestScore = -1;
        for (int m = 0; m < g->size[patch]; ++m)
            for (int k = 0; k < 3; ++k) {
                int n = Neighbour(g->topology, g->members[patch][m], k);
                if (n < 0 || g->patchOf[n] >= 0) continue;
                // One that would be left alone comes first.
                int score = 4 * UsesOfCorners(g, patch, n) + (FreeNeighbours(g, n) == 0 ? 64 : 0);
                if (score > bestScore || (score == bestScore && n < best)) {
                    best = n;
                    bestScore = score;
                }
            }
        if (best < 0) return;
        Put(g, patch, best);
    }
}

static void GrowAll(Grower* g, int* queue) {
    int head = 0, tail = 0, next = 0, triangleCount = g->topology->triangleCount;
    for (;;) {
        int seed = -1;
        while (head < tail && seed < 0)
            if (g->patchOf[queue[head++]] < 0) seed = queue[head - 1];
        while (seed < 0 && next < triangleCount)
            if (g->patchOf[next++] < 0) seed = next - 1;
        if (seed < 0) return;
        int patch = g->count++;
        Put(g, patch, seed);
        Grow(g, patch);
        for (int m = 0; m < g->size[patch]; ++m)
            for (int k = 0; k < 3; ++k) {
                int n = Neighbour(g->topology, g->members[patch][m], k);
                if (n >= 0 && g->patchOf[n] < 0) queue[tail++] = n; // at most once a side of each triangle
            }
    }
}

// ---- patches that came out too small ------------------------------------------------------------------------------------------

static void Take(Grower* g, int from, int member) { g->members[from][member] = g->members[from][--g->size[from]]; }

/// Whether the patch stays connected without one of its members.
static bool StaysConnected(const Grower* g, int patch, int without) {
    int stack[wf_patchSize], height = 0, seen = 0, size = g->size[patch];
    unsigned reached = 1u << without;
    for (int m = 0; m < size && height == 0; ++m)
        if (m != without) {
            stack[height++] = m;
            reached |= 1u << m;
        }
    while (height > 0) {
        int at = g->members[patch][stack[--height]];
        ++seen;
        for (int k = 0; k < 3; ++k) {
            int n = Neighbour(g->topology, at, k);
            for (int m = 0; m < size; ++m)
                if (g->members[patch][m] == n && !(reached >> m & 1u)) {
                    reached |= 1u << m;
                    stack[height++] = m;
                }
        }
    }
    return seen == size - 1;
}

static bool JoinNeighbour(Grower* g, int patch) {
    int best = -1;
    for (int m = 0; m < g->size[patch]; ++m)
        for (int k = 0; k < 3; ++k) {
            int n = Neighbour(g->topology, g->members[patch][m], k), p = n >= 0 ? g->patchOf[n] : patch;
            if (p != patch && g->size[p] + g->size[patch] <= wf_patchSize && (best < 0 || g->size[p] < g->size[best])) best = p;
        }
    if (best < 0) return false;
    for (int m = 0; m < g->size[patch]; ++m) Put(g, best, g->members[patch][m]);
    g->size[patch] = 0;
    return true;
}

static bool TakeFromNeighbour(Grower* g, int patch) {
    int best = -1, bestMember = -1;
    for (int m = 0; m < g->size[patch]; ++m)
        for (int k = 0; k < 3; ++k) {
            int n = Neighbour(g->topology, g->members[patch][m], k), p = n >= 0 ? g->patchOf[n] : patch, member = 0;
            if (p == patch || g->size[p] <= wf_patchLeast || (best >= 0 && g->size[p] <= g->size[best])) continue;
            while (g->members[p][member] != n) ++member;
            if (!StaysConnected(g, p, member)) continue;
            best = p;
            bestMember = member;
        }
    if (best < 0) return false;
    int triangle = g->members[best][bestMember];
    Take(g, best, bestMember);
    Put(g, patch, triangle);
    return true;
}

static void MendSmall(Grower* g) {
    for (int p = 0; p < g->count; ++p)
        while (0 < g->size[p] && g->size[p] < wf_patchLeast)
            if (!JoinNeighbour(g, p) && !TakeFromNeighbour(g, p)) break;
    int kept = 0;
    for (int p = 0; p < g->count; ++p) {
        if (g->size[p] == 0) continue;
        memmove(g->members[kept], g->members[p], sizeof g->members[p]);
        g->size[kept] = g->size[p];
        for (int m = 0; m < g->size[kept]; ++m) g->patchOf[g->members[kept][m]] = kept;
        ++kept;
    }
    g->count = kept;
}

// ---- order --------------------------------------------------------------------------------------------------------------------

static bool PatchGraph(const Grower* g, wfArena* scratch, wfRows* rows, wfError* err) {
    const wfTopology* t = g->topology;
    rows->rowCount = g->count;
    rows->start = wfArena_New(scratch, int, (size_t)g->count + 2, "neighbours of patches", err);
    if (rows->start == NULL) return false;
    int* start = rows->start + 1; // one further: after filling, start[i] is where row i ends
    for (int fill = 0; fill < 2; ++fill) {
        for (int e = 0; e < t->edgeCount; ++e) {
            if (t->edges[e].triangle[1] < 0) continue;
            int a = g->patchOf[t->edges[e].triangle[0]], b = g->patchOf[t->edges[e].triangle[1]];
            if (a == b) continue;
            if (fill) {
                rows->item[start[a]++] = b;
                rows->item[start[b]++] = a;
            } else {
                ++start[a + 1];
                ++start[b + 1];
            }
        }
        if (fill) break;
        for (int i = 0; i < g->count; ++i) start[i + 1] += start[i];
        rows->item = wfArena_New(scratch, int, start[g->count], "neighbours of patches", err);
        if (rows->item == NULL) return false;
    }
    return true;
}

typedef struct Orderer {
    wfRows graph;
    int* order;   // patches, being ordered
    int* part;    // the set a patch is in, by its number
    int* visited; // the search that met it last
    int* queue;
    int searches, parts;
} Orderer;

/// Breadth first through the `count` patches of set `part`, from `first`; where the set is not connected, on from its next patch in row.
static void Search(Orderer* o, const int* set, int count, int part, int first) {
    int mark = ++o->searches, head = 0, tail = 0, next = 0;
    o->queue[tail++] = first;
    o->visited[first] = mark;
    while (tail < count || head < tail) {
        if (head == tail) {
            while (o->visited[set[next]] == mark) ++next;
            o->queue[tail++] = set[next];
            o->visited[set[next]] = mark;
        }
        int at = o->queue[head++];
        for (int k = o->graph.start[at]; k < o->graph.start[at + 1]; ++k) {
            int n = o->graph.item[k];
            if (o->part[n] != part || o->visited[n] == mark) continue;
            o->visited[n] = mark;
            o->queue[tail++] = n;
        }
    }
}

static void OrderSet(Orderer* o, int first, int count) {
    while (count > 4) {
        int* set = o->order + first;
        int part = ++o->parts, block = 1;
        for (int i = 0; i < count; ++i) o->part[set[i]] = part;
        // The last one that a search meets is far from its start, and the last one from there is at the other end.
        Search(o, set, count, part, set[0]);
        Search(o, set, count, part, o->queue[count - 1]);
        memcpy(set, o->queue, (size_t)count * sizeof *set);
        while (block < (count + 3) / 4) block *= 4; // the largest power of four with at most four blocks
        int half = block * (((count - 1) / block + 2) / 2);
        OrderSet(o, first, half);
        first += half;
        count -= half;
    }
}

static bool OrderPatches(const Grower* g, wfArena* scratch, int** order, wfError* err) {
    Orderer o = {0};
    size_t count = (size_t)g->count;
    WF_TRY(PatchGraph(g, scratch, &o.graph, err));
    o.order = wfArena_New(scratch, int, count, "order of patches", err);
    o.part = wfArena_New(scratch, int, count, "order of patches", err);
    o.visited = wfArena_New(scratch, int, count, "order of patches", err);
    o.queue = wfArena_New(scratch, int, count, "order of patches", err);
    if (o.order == NULL || o.part == NULL || o.visited == NULL || o.queue == NULL) return false;
    for (int p = 0; p < g->count; ++p) o.order[p] = p;
    OrderSet(&o, 0, g->count);
    *order = o.order;
    return true;
}

static bool Make(wfPatches* out, const wfTopology* topology, wfArena* arena, wfArena* scratch, wfError* err) {
    Grower g = {.topology = topology};
    size_t count = (size_t)topology->triangleCount;
    g.patchOf = wfArena_New(scratch, int, count, "patches", err);
    g.members = wfArena_Alloc(scratch, count, sizeof *g.members, "patches", err);
    g.size = wfArena_New(scratch, int, count, "patches", err);
    int *queue = wfArena_New(scratch, int, 3 * count, "patches", err), *order = NULL;
    if (g.patchOf == NULL || g.members == NULL || g.size == NULL || queue == NULL) return false;
    for (size_t i = 0; i < count; ++i) g.patchOf[i] = -1;
    GrowAll(&g, queue);
    MendSmall(&g);
    WF_TRY(OrderPatches(&g, scratch, &order, err));
    out->count = g.count;
    out->triangles = wfArena_Alloc(arena, (size_t)g.count, sizeof *out->triangles, "patches", err);
    if (out->triangles == NULL) return false;
    for (int p = 0; p < g.count; ++p)
        for (int m = 0; m < wf_patchSize; ++m) out->triangles[p][m] = m < g.size[order[p]] ? g.members[order[p]][m] : -1;
    return true;
}

bool wfPatches_Create(wfPatches* out, const wfTopology* topology, wfArena* arena, wfError* err) {
    wfArena scratch = {0};
    *out = (wfPatches){0};
    bool ok = Make(out, topology, arena, &scratch, err);
    wfArena_Free(&scratch);
    return ok;
}
