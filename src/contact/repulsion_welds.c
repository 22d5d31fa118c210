// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/repulsion_inside.h"

#include "base/memory.h"
#include "mesh/find_root.h"

#include <stdlib.h>
#include <string.h>

// Seams. Vertices that are sewn to each other come nearer than any pair may, so they and all within two edges of them, across the seam, are
// no pairs, just as within a mesh. Once their threads are gone they are drawn to one place and stay there as one vertex: then the seam is
// as safe as the mesh. A vertex that is sewn to a point within an edge stays on its thread and counts as a neighbour of that edge's ends.

// Mean edges from their middle in which sewn vertices are drawn together: while their threads shorten, and afterwards. Early, since edges
// that lie almost upon each other easily cross; not earlier, since then they go as one, and cannot turn about each other.
static const float s_early = 0.35f, s_late = 1.0f;
static const float s_lateTime = 0.2f; // [s] how long after their threads are gone all of the latter is taken

// ---- who is no pair -----------------------------------------------------------------------------------------------------------

typedef struct Links {
    const int *start, *other;
} Links;

/// Rows of who is sewn to whom: vertex to vertex, or (ties) vertex to the ends of an edge.
static bool FindLinks(const wfModel* model, bool ties, wfArena* arena, Links* out, wfError* err) {
    size_t n = (size_t)model->vertexCount;
    int* start = wfArena_New(arena, int, n + 2, "seams", err);
    int* other = wfArena_New(arena, int, 4 * (size_t)model->stitchCount + 1, "seams", err);
    if (start == NULL || other == NULL) return false;
    for (int pass = 0; pass < 2; ++pass) { // count into start[v + 2], then fill from start[v + 1]
        for (int s = 0; s < model->stitchCount; ++s) {
            const int* v = model->stitches[s].v;
            if ((v[1] != v[2]) != ties) continue;
            for (int k = 1; k < (ties ? 3 : 2); ++k) {
                if (pass == 0) {
                    start[v[0] + 2] += 1;
                    start[v[k] + 2] += 1;
                } else {
                    other[start[v[0] + 1]++] = v[k];
                    other[start[v[k] + 1]++] = v[0];
                }
            }
        }
        for (size_t v = 2; pass == 0 && v < n + 2; ++v) start[v] += start[v - 1];
    }
    *out = (Links){start, other};
    return true;
}

static int CompareInts(const void* a, const void* b) { return (*(const int*)a > *(const int*)b) - (*(const int*)a < *(const int*)b); }

typedef struct Walk {
    const wfTopology* topology;
    Links welds, ties;
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
            int u = w->found[k];
            if (w->depth[k] != depth) continue;
            const wfRows* ring = &w->topology->ring1;
            for (int s = ring->start[u]; s < ring->start[u + 1]; ++s) Visit(w, v, ring->item[s], depth + 1);
            for (int s = w->ties.start[u]; s < w->ties.start[u + 1]; ++s) Visit(w, v, w->ties.other[s], depth + 1);
        }
    }
}

static int CountSame(const Walk* w) {
    int same = 0;
    for (int k = 1; k < w->count; ++k) same += w->depth[k] == 0;
    return same;
}

static bool NewRows(wfRows* rows, int rowCount, int64_t total, wfArena* arena, wfError* err) {
    if (total > INT32_MAX) return wfFail(err, wf_badInput, "contact \"repulsion\": too many sewn vertices");
    rows->rowCount = rowCount;
    rows->start = wfArena_New(arena, int, (size_t)rowCount + 1, "seams", err);
    rows->item = wfArena_New(arena, int, (size_t)total + 1, "seams", err);
    return rows->start != NULL && rows->item != NULL;
}

static void FillRow(wfRows* rows, int v, const Walk* w, bool sameOnly) {
    int at = rows->start[v];
    for (int k = 1; k < w->count; ++k)
        if (!sameOnly || w->depth[k] == 0) rows->item[at++] = w->found[k];
    qsort(rows->item + rows->start[v], (size_t)(at - rows->start[v]), sizeof(int), CompareInts);
    rows->start[v + 1] = at;
}

bool wfRepulsion_ListSewn(const wfModel* model, wfArena* arena, wfRows* near, wfRows* sewn, wfError* err) {
    size_t n = (size_t)model->vertexCount;
    Walk w = {.topology = model->topology,
              .seen = wfArena_New(arena, int, n, "seams", err),
              .found = wfArena_New(arena, int, n, "seams", err),
              .depth = wfArena_New(arena, int, n, "seams", err)};
    if (w.seen == NULL || w.found == NULL || w.depth == NULL || !FindLinks(model, false, arena, &w.welds, err) ||
        !FindLinks(model, true, arena, &w.ties, err))
        return false;
    int64_t total = 0, same = 0;
    for (int v = 0; v < model->vertexCount; ++v) {
        Around(&w, v);
        total += w.count - 1;
        same += CountSame(&w);
    }
    if (!NewRows(near, model->vertexCount, total, arena, err) || !NewRows(sewn, model->vertexCount, same, arena, err)) return false;
    memset(w.seen, 0, n * sizeof *w.seen);
    for (int v = 0; v < model->vertexCount; ++v) {
        Around(&w, v);
        FillRow(near, v, &w, false);
        FillRow(sewn, v, &w, true);
    }
    return true;
}

// ---- places -------------------------------------------------------------------------------------------------------------------

/// Places by union; a vertex that is sewn to no other has none. parent holds the place of each vertex in the end.
static int NumberPlaces(const wfModel* model, int* parent, int* number) {
    int count = 0;
    for (int v = 0; v < model->vertexCount; ++v) parent[v] = v;
    for (int s = 0; s < model->stitchCount; ++s) {
        const int* v = model->stitches[s].v;
        if (v[1] == v[2]) parent[wfFindRoot(parent, v[0])] = wfFindRoot(parent, v[1]);
    }
    for (int v = 0; v < model->vertexCount; ++v) number[v] = 0;
    for (int v = 0; v < model->vertexCount; ++v) number[wfFindRoot(parent, v)] += 1;
    for (int v = 0; v < model->vertexCount; ++v) number[v] = number[v] > 1 ? count++ : -1; // of roots; others have none of their own
    for (int v = 0; v < model->vertexCount; ++v) parent[v] = wfFindRoot(parent, v);
    for (int v = 0; v < model->vertexCount; ++v) parent[v] = number[parent[v]];
    return count;
}

bool wfRepulsion_CreateWelds(wfRepulsion* r, wfDevice* device, const wfModel* model, wfArena* arena, wfError* err) {
    size_t n = (size_t)model->vertexCount;
    int* place = wfArena_New(arena, int, n, "seams", err);
    int* number = wfArena_New(arena, int, n, "seams", err);
    if (place == NULL || number == NULL) return false;
    int count = NumberPlaces(model, place, number);
    int* first = wfArena_New(arena, int, (size_t)count + 2, "seams", err);
    int* members = wfArena_New(arena, int, n, "seams", err);
    double* due = wfArena_New(arena, double, 2 * (size_t)count + 1, "seams", err);
    if (first == NULL || members == NULL || due == NULL) return false;
    for (size_t v = 0; v < n; ++v)
        if (place[v] >= 0) first[place[v] + 2] += 1;
    for (int g = 0; g < count; ++g) first[g + 2] += first[g + 1];
    for (size_t v = 0; v < n; ++v)
        if (place[v] >= 0) members[first[place[v] + 1]++] = (int)v;
    for (int s = 0; s < model->stitchCount; ++s) {
        const wfStitch* stitch = &model->stitches[s];
        const wfSeamTiming* seam = &model->seams[stitch->seam];
        int g = stitch->v[1] == stitch->v[2] ? place[stitch->v[0]] : -1;
        if (g < 0) continue;
        due[2 * g] = fmax(due[2 * g], seam->begin);
        due[2 * g + 1] = fmax(due[2 * g + 1], seam->begin + seam->duration);
    }
    const struct {
        wfBuffer* buffer;
        size_t stride;
        const char* name;
    } all[] = {
        {&r->weldGroup, sizeof(int), "repulsion.weldGroup"},   {&r->weldItem, sizeof(int), "repulsion.weldItem"},
        {&r->weldEnd, sizeof(int), "repulsion.weldEnd"},       {&r->weldState, sizeof(int), "repulsion.weldState"},
        {&r->weldFirst, sizeof(int), "repulsion.weldFirst"},   {&r->weldMembers, sizeof(int), "repulsion.weldMembers"},
        {&r->weldLabels, sizeof(int), "repulsion.weldLabels"}, {&r->weldDue, sizeof(double), "repulsion.weldDue"},
    };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k) *all[k].buffer = wfMakeBuffer(all[k].stride, all[k].name);
    r->weldCount = count;
    if (count == 0) return true;
    size_t memberCount = (size_t)first[count];
    wfUpload(device, &r->weldGroup, place, n); // -1 of what is not sewn; the others change
    wfUpload(device, &r->weldFirst, first, (size_t)count + 1);
    wfUpload(device, &r->weldMembers, members, memberCount);
    wfUpload(device, &r->weldDue, due, 2 * (size_t)count);
    wfBuffer* perMember[] = {&r->weldItem, &r->weldEnd, &r->weldState, &r->weldLabels};
    for (size_t k = 0; k < sizeof perMember / sizeof perMember[0]; ++k) wfReserve(device, perMember[k], memberCount);
    return wfDevice_Sync(device, err);
}

void wfRepulsion_FreeWelds(wfRepulsion* r, wfDevice* device) {
    wfBuffer* all[] = {&r->weldGroup, &r->weldItem,    &r->weldEnd,    &r->weldState,
                       &r->weldFirst, &r->weldMembers, &r->weldLabels, &r->weldDue};
    for (size_t k = 0; k < sizeof all / sizeof all[0] && r->weldCount > 0; ++k) wfFreeBuffer(device, all[k]);
}

wfRepulsionWelds wfRepulsion_Welds(const wfRepulsion* r) {
    if (r->weldCount == 0) return (wfRepulsionWelds){0};
    return (wfRepulsionWelds){wfData(&r->weldGroup, int), wfData(&r->weldItem, int), wfData(&r->weldEnd, int), wfData(&r->weldState, int)};
}

void wfRepulsion_PlaceWelds(wfRepulsion* r, const wfStepContext* ctx) {
    if (r->weldCount == 0) return;
    RepulsionWeldArgs args = {
        .xStart = wfData(&ctx->state->xStart, wfVec4),
        .first = wfData(&r->weldFirst, int),
        .members = wfData(&r->weldMembers, int),
        .labels = wfData(&r->weldLabels, int),
        .welds = wfRepulsion_Welds(r),
        .due = wfData(&r->weldDue, double),
        .time = ctx->time + (double)ctx->dt,
        .early = s_early * r->rules.mean,
        .late = s_late * r->rules.mean,
        .lateTime = s_lateTime,
    };
    wfLaunch(ctx->device, RepulsionWeld, r->weldCount, &args);
}
