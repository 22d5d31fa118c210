// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/repulsion_inside.h"

#include "base/memory.h"

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

// ---- rows ---------------------------------------------------------------------------------------------------------------------

static bool IsIn(const wfRows* rows, int row, int item) {
    for (int k = rows->start[row]; k < rows->start[row + 1]; ++k)
        if (rows->item[k] == item) return true;
    return false;
}

// near: within two edges, what is sewn being one; sewn (or NULL): who is sewn to whom, which is no neighbour but the same.
static bool UploadRing(wfRepulsion* r, wfDevice* device, const wfModel* model, const wfRows* ring2, const wfRows* sewn, wfArena* arena,
                       wfError* err) {
    const wfRows* ring1 = &model->topology->ring1;
    int n = model->vertexCount, room = 1;
    for (int v = 0; v < n; ++v) {
        int count = ring2->start[v + 1] - ring2->start[v];
        room = count > room ? count : room;
    }
    int* counts = wfArena_New(arena, int, n, "neighbours", err);
    int* items = wfArena_New(arena, int, (size_t)n*(size_t)room, "neighbours", err);
    if (counts == NULL || items == NULL) return false;
    for (int v = 0; v < n; ++v) // edges come first
        for (int kind = wf_repelEdge; kind <= wf_repelRing; ++kind) {
            int next = ring1->start[v];
            for (int k = ring2->start[v]; k < ring2->start[v + 1]; ++k) {
                while (next < ring1->start[v + 1] && ring1->item[next] < ring2->item[k]) ++next;
                bool edge = next < ring1->start[v + 1] && ring1->item[next] == ring2->item[k];
                if (edge != (kind == wf_repelEdge) || (sewn != NULL && IsIn(sewn, v, ring2->item[k]))) continue;
                items[(size_t)counts[v]++ * (size_t)n + (size_t)v] = wfRepulsion_Item(ring2->item[k], kind);
            }
        }
    r->ringRoom = room;
    wfUpload(device, &r->ringCount, counts, (size_t)n);
    wfUpload(device, &r->ringItem, items, (size_t)n * (size_t)room);
    return wfDevice_Sync(device, err);
}

// ---- the start ----------------------------------------------------------------------------------------------------------------

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
    wfVertexGrid_ListRows(r->grid, &r->x, wfRepulsion_Near(r));
    wfRepulsionVerdict verdict;
    WF_TRY(wfDownload(device, &verdict, &r->verdict, 0, 1, err));
    if (verdict.nearUsed + verdict.nearUsed / 4 > r->nearRoom) { // rows that found no room are empty
        wfRepulsion_ReserveNear(r, device, verdict.nearUsed + verdict.nearUsed / 2);
        wfVertexGrid_ListRows(r->grid, &r->x, wfRepulsion_Near(r));
    }
    RepulsionCheckArgs check = {
        .from = wfData(&r->x, wfVec4),
        .to = wfData(&r->x, wfVec4),
        .ring = wfRepulsion_Ring(r),
        .near = wfRepulsion_Near(r),
        .flags = wfData(&r->flags, int),
        .rules = r->rules,
        .nearAt = wfData(&r->nearAt, wfVec4),
        .cond = r->rules.cond,
        .farthest = INFINITY,
        .count = n,
    };
    wfLaunch(device, RepulsionCheck, wfRepulsion_Tiles(r), &check);
    WF_TRY(wfDownload(device, flags, &r->flags, 0, (size_t)n, err));
    for (int v = 0; v < n; ++v)
        if (flags[v]) return FailPair(r, model, none, v, err);
    return true;
}

static bool BuildAll(wfRepulsion* r, wfDevice* device, const wfModel* model, wfArena* arena, wfError* err) {
    if (model->vertexCount >= 1 << 29) return wfFail(err, wf_badInput, "contact \"repulsion\": too many vertices");
    WF_TRY(RequireEven(r, model, arena, err));
    wfRows near, sewn;
    bool isSewn = model->stitchCount > 0;
    WF_TRY(isSewn ? wfRepulsion_ListSewn(model, arena, &near, &sewn, err) : wfTopology_Ring2(model->topology, arena, &near, err));
    WF_TRY(UploadRing(r, device, model, &near, isSewn ? &sewn : NULL, arena, err));
    WF_TRY(wfRepulsion_BuildFolds(r, device, model, &near, arena, err));
    WF_TRY(wfRepulsion_BuildSamples(r, device, model, arena, err));
    r->grid = wfCreateVertexGrid(device, model->topology, wfRepulsion_Reach(&r->rules), 0.0f, err);
    if (r->grid == NULL) return false;
    if (isSewn) {
        WF_TRY(wfVertexGrid_Exclude(r->grid, &near, err));
        WF_TRY(wfRepulsion_CreateWelds(r, device, model, arena, err));
    }
    return RequireApart(r, device, model, &near, arena, err);
}

bool wfRepulsion_Build(wfRepulsion* r, wfDevice* device, const wfModel* model, wfError* err) {
    wfArena arena = {0};
    bool ok = BuildAll(r, device, model, &arena, err);
    wfArena_Free(&arena);
    return ok;
}
