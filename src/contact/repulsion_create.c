// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/repulsion_inside.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// What safe repulsion needs of a mesh: even edges, and a start in which all its constraints hold.

static const float s_leastRatio = 0.3f; // of shortest to longest edge; the least of the paper's table 1

// ---- edges --------------------------------------------------------------------------------------------------------------------

typedef struct Edges {
    float mean, shortest, longest;
    int shortestAt, longestAt; // edges
} Edges;

static bool MeasureEdges(const wfModel* model, wfArena* arena, Edges* out, wfError* err) {
    const wfTopology* t = model->topology;
    float* rest = wfArena_New(arena, float, t->edgeCount, "rest lengths", err);
    if (rest == NULL) return false;
    for (int i = 0; i < t->triangleCount; ++i)
        for (int k = 0; k < 3; ++k) {
            const wfVec2 *a = &model->flat[i].corner[k], *b = &model->flat[i].corner[(k + 1) % 3];
            rest[t->triangleEdges[i][k]] = hypotf(b->x - a->x, b->y - a->y);
        }
    double sum = 0.0;
    *out = (Edges){.shortest = INFINITY};
    for (int e = 0; e < t->edgeCount; ++e) {
        sum += rest[e];
        if (rest[e] < out->shortest) out->shortest = rest[e], out->shortestAt = e;
        if (rest[e] > out->longest) out->longest = rest[e], out->longestAt = e;
    }
    out->mean = (float)(sum / t->edgeCount);
    return true;
}

static bool FailEdge(const wfModel* model, const Edges* edges, int edge, const char* what, float length, wfError* err) {
    const int* v = model->topology->edges[edge].v;
    int a = 0, b = 0;
    const wfClothRange* cloth = wfModel_FindCloth(model, v[0], &a);
    wfModel_FindCloth(model, v[1], &b);
    return wfFail(err, wf_badInput,
                  "contact \"repulsion\" needs an even mesh: cloth \"%s\", edge %d-%d is %s (%.4g mm; all edges: %.4g to %.4g mm, ratio "
                  "%.2f, mean %.4g); `weft remesh` makes one",
                  cloth->name, a, b, what, 1e3 * (double)length, 1e3 * (double)edges->shortest, 1e3 * (double)edges->longest,
                  (double)(edges->shortest / edges->longest), 1e3 * (double)edges->mean);
}

static bool RequireEven(wfRepulsion* r, const wfModel* model, wfArena* arena, wfError* err) {
    Edges edges;
    WF_TRY(MeasureEdges(model, arena, &edges, err));
    r->rules = wfMakeRepulsionRules(edges.mean);
    if (edges.longest > sqrtf(r->rules.mostSq - r->rules.slack))
        return FailEdge(model, &edges, edges.longestAt, "more than 1.69 times as long as the mean", edges.longest, err);
    if (edges.shortest < s_leastRatio * edges.longest)
        return FailEdge(model, &edges, edges.shortestAt, "too short beside the longest", edges.shortest, err);
    for (int e = 0; e < model->topology->edgeCount; ++e) {
        const int* v = model->topology->edges[e].v;
        float length = wfDistance(model->start[v[0]], model->start[v[1]]);
        if (length * length > r->rules.mostSq - r->rules.cond)
            return FailEdge(model, &edges, e, "stretched too far at the start", length, err);
    }
    return true;
}

// ---- who is no pair -----------------------------------------------------------------------------------------------------------

typedef struct Welds {
    const int *start, *other; // rows: who is sewn to whom
} Welds;

static bool FindWelds(const wfModel* model, wfArena* arena, Welds* out, wfError* err) {
    size_t n = (size_t)model->vertexCount;
    int* start = wfArena_New(arena, int, n + 2, "seams", err);
    int* other = wfArena_New(arena, int, 4 * (size_t)model->stitchCount, "seams", err);
    if (start == NULL || other == NULL) return false;
    for (int pass = 0; pass < 2; ++pass) { // count into start[v + 2], then fill from start[v + 1]
        for (int s = 0; s < model->stitchCount; ++s)
            for (int k = 1; k < 3; ++k) {
                int a = model->stitches[s].v[0], b = model->stitches[s].v[k];
                if (k == 2 && b == model->stitches[s].v[1]) continue;
                if (pass == 0) {
                    start[a + 2] += 1;
                    start[b + 2] += 1;
                } else {
                    other[start[a + 1]++] = b;
                    other[start[b + 1]++] = a;
                }
            }
        for (size_t v = 2; pass == 0 && v < n + 2; ++v) start[v] += start[v - 1];
    }
    *out = (Welds){start, other};
    return true;
}

static int CompareInts(const void* a, const void* b) { return (*(const int*)a > *(const int*)b) - (*(const int*)a < *(const int*)b); }

typedef struct Walk {
    const wfTopology* topology;
    Welds welds;
    int* seen; // per vertex: the vertex + 1 that has seen it last
    int *found, *depth, count;
} Walk;

static void Visit(Walk* w, int from, int v, int depth) {
    if (w->seen[v] == from + 1) return;
    w->seen[v] = from + 1;
    w->depth[w->count] = depth;
    w->found[w->count++] = v;
}

// Everybody within two edges of v, sewn vertices being one: breadth first, what is sewn at the same depth.
static void Around(Walk* w, int v) {
    w->count = 0;
    Visit(w, v, v, 0);
    for (int depth = 0; depth <= 2; ++depth) {
        for (int k = 0; k < w->count; ++k) {
            if (w->depth[k] != depth) continue;
            for (int s = w->welds.start[w->found[k]]; s < w->welds.start[w->found[k] + 1]; ++s) Visit(w, v, w->welds.other[s], depth);
        }
        int count = w->count;
        for (int k = 0; k < count && depth < 2; ++k) {
            if (w->depth[k] != depth) continue;
            const wfRows* ring = &w->topology->ring1;
            for (int s = ring->start[w->found[k]]; s < ring->start[w->found[k] + 1]; ++s) Visit(w, v, ring->item[s], depth + 1);
        }
    }
}

static bool ListSewn(const wfModel* model, wfArena* arena, wfRows* out, wfError* err) {
    size_t n = (size_t)model->vertexCount;
    Walk w = {.topology = model->topology,
              .seen = wfArena_New(arena, int, n, "seams", err),
              .found = wfArena_New(arena, int, n, "seams", err),
              .depth = wfArena_New(arena, int, n, "seams", err)};
    if (w.seen == NULL || w.found == NULL || w.depth == NULL || !FindWelds(model, arena, &w.welds, err)) return false;
    int64_t total = 0;
    for (int v = 0; v < model->vertexCount; ++v) {
        Around(&w, v);
        total += w.count - 1;
    }
    out->rowCount = model->vertexCount;
    out->start = wfArena_New(arena, int, n + 1, "seams", err);
    out->item = wfArena_New(arena, int, total, "seams", err);
    if (out->start == NULL || out->item == NULL || total > INT32_MAX) return false;
    memset(w.seen, 0, n * sizeof *w.seen);
    for (int v = 0, at = 0; v < model->vertexCount; ++v) {
        Around(&w, v);
        memcpy(out->item + at, w.found + 1, (size_t)(w.count - 1) * sizeof(int));
        qsort(out->item + at, (size_t)(w.count - 1), sizeof(int), CompareInts);
        at += w.count - 1;
        out->start[v + 1] = at;
    }
    return true;
}

// ---- rows ---------------------------------------------------------------------------------------------------------------------

static bool UploadRing(wfRepulsion* r, wfDevice* device, const wfModel* model, const wfRows* ring2, wfArena* arena, wfError* err) {
    const wfRows* ring1 = &model->topology->ring1;
    int n = model->vertexCount, room = 1;
    for (int v = 0; v < n; ++v) {
        int count = ring2->start[v + 1] - ring2->start[v];
        room = count > room ? count : room;
    }
    int* counts = wfArena_New(arena, int, n, "neighbours", err);
    int* items = wfArena_New(arena, int, (size_t)n*(size_t)room, "neighbours", err);
    if (counts == NULL || items == NULL) return false;
    for (int v = 0; v < n; ++v) {
        int next = ring1->start[v];
        for (int k = ring2->start[v]; k < ring2->start[v + 1]; ++k) {
            while (next < ring1->start[v + 1] && ring1->item[next] < ring2->item[k]) ++next;
            bool edge = next < ring1->start[v + 1] && ring1->item[next] == ring2->item[k];
            size_t at = (size_t)counts[v]++ * (size_t)n + (size_t)v;
            items[at] = wfRepulsion_Item(ring2->item[k], edge ? wf_repelEdge : wf_repelRing);
        }
    }
    r->ringRoom = room;
    wfUpload(device, &r->ringCount, counts, (size_t)n);
    wfUpload(device, &r->ringItem, items, (size_t)n * (size_t)room);
    return wfDevice_Sync(device, err);
}

// ---- the start ----------------------------------------------------------------------------------------------------------------

static bool IsIn(const wfRows* rows, int row, int item) {
    for (int k = rows->start[row]; k < rows->start[row + 1]; ++k)
        if (rows->item[k] == item) return true;
    return false;
}

static bool FailPair(const wfRepulsion* r, const wfModel* model, const wfRows* none, int v, wfError* err) {
    int nearest = -1, a = 0, b = 0;
    float least = INFINITY;
    for (int j = 0; j < model->vertexCount; ++j) {
        float distance = wfDistance(model->start[v], model->start[j]);
        if (j == v || distance >= least || IsIn(none, v, j)) continue;
        least = distance;
        nearest = j;
    }
    const wfClothRange *first = wfModel_FindCloth(model, v, &a), *second = wfModel_FindCloth(model, nearest, &b);
    return wfFail(
        err, wf_badInput,
        "contact \"repulsion\": cloth \"%s\", vertex %d and cloth \"%s\", vertex %d are %.4g mm apart at the start; with edges of "
        "%.4g mm it needs %.4g mm: move them apart, or take a finer mesh (`weft remesh`)",
        first->name, a, second->name, b, 1e3 * (double)least, 1e3 * (double)r->rules.mean,
        1e3 * (double)sqrtf(r->rules.pairSq + r->rules.cond));
}

// Judges the start by the rows of the grid, which also gives the grid's scratch its size.
static bool RequireApart(wfRepulsion* r, wfDevice* device, const wfModel* model, const wfRows* none, wfArena* arena, wfError* err) {
    int n = model->vertexCount;
    wfVec4* x = wfArena_New(arena, wfVec4, n, "start positions", err);
    int* flags = wfArena_New(arena, int, n, "start positions", err);
    if (x == NULL || flags == NULL) return false;
    for (int v = 0; v < n; ++v) x[v] = wfMake4(model->start[v], model->mass[v]);
    wfUpload(device, &r->x, x, (size_t)n);
    wfCopy(device, &r->nearAt, &r->x, (size_t)n);
    wfRepulsionRows near = wfRepulsion_Near(r);
    wfVertexGrid_ListRows(r->grid, &r->x, near.counts, near.items, near.room);
    // Rows that are full are those of crowded vertices: the nearest may be missing, so they are taken up again with more room.
    int* counts = flags;
    WF_TRY(wfDownload(device, counts, &r->nearCount, 0, (size_t)n, err));
    int most = 0;
    for (int v = 0; v < n; ++v) most = counts[v] > most ? counts[v] : most;
    if (most > r->nearRoom) {
        r->nearRoom = most + most / 4;
        wfReserve(device, &r->nearItem, (size_t)n * (size_t)r->nearRoom);
        near = wfRepulsion_Near(r);
        wfVertexGrid_ListRows(r->grid, &r->x, near.counts, near.items, near.room);
    }
    RepulsionCheckArgs check = {
        .from = wfData(&r->x, wfVec4),
        .to = wfData(&r->x, wfVec4),
        .ring = wfRepulsion_Ring(r),
        .near = near,
        .flags = wfData(&r->flags, int),
        .rules = r->rules,
        .nearAt = wfData(&r->nearAt, wfVec4),
        .cond = r->rules.cond,
        .farthest = INFINITY,
    };
    wfLaunch(device, RepulsionCheck, n, &check);
    WF_TRY(wfDownload(device, flags, &r->flags, 0, (size_t)n, err));
    for (int v = 0; v < n; ++v)
        if (flags[v]) return FailPair(r, model, none, v, err);
    return true;
}

static bool BuildAll(wfRepulsion* r, wfDevice* device, const wfModel* model, wfArena* arena, wfError* err) {
    if (model->vertexCount >= 1 << 29) return wfFail(err, wf_badInput, "contact \"repulsion\": too many vertices");
    WF_TRY(RequireEven(r, model, arena, err));
    wfRows ring2, sewn;
    WF_TRY(wfTopology_Ring2(model->topology, arena, &ring2, err));
    WF_TRY(UploadRing(r, device, model, &ring2, arena, err));
    r->grid = wfCreateVertexGrid(device, model->topology, wfRepulsion_Reach(&r->rules), 0.0f, err);
    if (r->grid == NULL) return false;
    if (model->stitchCount > 0) {
        WF_TRY(ListSewn(model, arena, &sewn, err));
        WF_TRY(wfVertexGrid_Exclude(r->grid, &sewn, err));
    }
    return RequireApart(r, device, model, model->stitchCount > 0 ? &sewn : &ring2, arena, err);
}

bool wfRepulsion_Build(wfRepulsion* r, wfDevice* device, const wfModel* model, wfError* err) {
    wfArena arena = {0};
    bool ok = BuildAll(r, device, model, &arena, err);
    wfArena_Free(&arena);
    return ok;
}
