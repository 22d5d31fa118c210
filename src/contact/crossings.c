// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/crossings.h"

#include "math/perturbed.h"

#include <limits.h>
#include <stdlib.h>

bool wfEdgeCrosses(const wfVec3* x, int p, int q, int a, int b, int c) {
    if (wfOrient3Perturbed(x, a, b, c, p) == wfOrient3Perturbed(x, a, b, c, q)) return false;
    int s = wfOrient3Perturbed(x, p, q, a, b);
    return s == wfOrient3Perturbed(x, p, q, b, c) && s == wfOrient3Perturbed(x, p, q, c, a);
}

bool wfCrossingFinder_Create(wfCrossingFinder* f, wfDevice* device, const wfTopology* topology, const bool* fixed, wfError* err) {
    *f = (wfCrossingFinder){
        .device = device,
        .topology = topology,
        .fixed = fixed,
        .work = wfMakeCandidates(),
        .triangles = wfMakePairList("crossings.triangles"),
        .tests = wfMakePairList("crossings.tests"),
        .edges = wfMakePairList("crossings.edges"),
        .x = wfMakeBuffer(sizeof(wfVec4), "crossings.x"),
    };
    f->staging = wfArena_New(&f->arena, wfVec4, topology->vertexCount, "positions", err);
    f->broad = wfCreateBroad(device, &(wfBroadDef){.type = "morton", .dop = true}, topology, err);
    return f->staging != NULL && f->broad != NULL && wfElements_Create(&f->elements, device, topology, err);
}

void wfCrossingFinder_Free(wfCrossingFinder* f) {
    if (f->device == NULL) return;
    wfDestroyBroad(f->broad);
    if (f->elements.device != NULL) wfElements_Free(&f->elements);
    wfCandidates_Free(f->device, &f->work);
    wfPairList_Free(f->device, &f->triangles);
    wfPairList_Free(f->device, &f->tests);
    wfPairList_Free(f->device, &f->edges);
    wfFreeBuffer(f->device, &f->x);
    free(f->found);
    wfArena_Free(&f->arena);
    *f = (wfCrossingFinder){0};
}

static bool AllFixed(const wfCrossingFinder* f, const wfEdge* e, wfTriangle t) {
    return f->fixed != NULL && f->fixed[e->v[0]] && f->fixed[e->v[1]] && f->fixed[t.v[0]] && f->fixed[t.v[1]] && f->fixed[t.v[2]];
}

/// Where the edge meets the plane of the face; the middle of the edge where rounding cannot tell.
static wfVec3D PointOf(const wfVec3* x, const wfEdge* e, wfTriangle t) {
    wfVec3D p = wfWiden(x[e->v[0]]), q = wfWiden(x[e->v[1]]), a = wfWiden(x[t.v[0]]);
    wfVec3D n = wfCrossD(wfSubD(wfWiden(x[t.v[1]]), a), wfSubD(wfWiden(x[t.v[2]]), a));
    double above = wfDotD(n, wfSubD(p, a)), below = wfDotD(n, wfSubD(q, a));
    double share = above - below != 0.0 ? above / (above - below) : 0.5;
    return wfMulAddD(p, fmin(fmax(share, 0.0), 1.0), wfSubD(q, p));
}

static int Compare(const void* a, const void* b) {
    const wfPair *p = a, *q = b;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

static bool FindCandidates(wfCrossingFinder* f, const wfVec3* x, float radius, wfPairList* const lists[wf_candidateKindCount],
                           wfError* err) {
    const wfTopology* t = f->topology;
    for (int v = 0; v < t->vertexCount; ++v) f->staging[v] = wfMake4(x[v], 0.0f);
    wfUpload(f->device, &f->x, f->staging, (size_t)t->vertexCount);
    wfBroad_Update(f->broad, &f->x, NULL, radius);
    WF_TRY(wfBroad_FindSelf(f->broad, &f->triangles, err));
    wfElements_Move(&f->elements, &f->x, NULL, wf_paceEven, radius);
    return wfCandidates_Find(&f->work, &f->elements, NULL, &f->triangles, lists, err);
}

/// Copies lists to the host, one behind the other.
static bool Fetch(wfCrossingFinder* f, const wfPairList* first, const wfPairList* second, wfError* err) {
    size_t count = (size_t)first->count, more = second != NULL ? (size_t)second->count : 0;
    void* data = f->found;
    bool ok = wfGrow(&data, &f->capacity, count + more, sizeof *f->found, "candidates", err);
    f->found = data;
    return ok && wfDownload(f->device, f->found, &first->pairs, 0, count, err) &&
           (more == 0 || wfDownload(f->device, f->found + count, &second->pairs, 0, more, err));
}

bool wfCrossingFinder_FindNear(wfCrossingFinder* f, const wfVec3* x, float distance, wfNearPairs* out, wfError* err) {
    wfPairList* lists[wf_candidateKindCount] = {[wf_vertexTriangle] = &f->tests, [wf_edgeEdge] = &f->edges};
    WF_TRY(FindCandidates(f, x, 0.5f * distance, lists, err) && Fetch(f, &f->tests, &f->edges, err));
    *out = (wfNearPairs){f->found, f->found + f->tests.count, f->tests.count, f->edges.count};
    return true;
}

/// Those of the first `count` found that cross, in order.
static bool Decide(wfCrossingFinder* f, const wfVec3* x, int count, wfArena* arena, wfCrossings* out, wfError* err) {
    const wfTopology* t = f->topology;
    out->testCount = count;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < count; ++i) {
        const wfEdge* e = &t->edges[f->found[i].a];
        wfTriangle face = t->triangles[f->found[i].b];
        if (AllFixed(f, e, face) || !wfEdgeCrosses(x, e->v[0], e->v[1], face.v[0], face.v[1], face.v[2])) f->found[i].a = -1;
    }
    for (int i = 0; i < count; ++i)
        if (f->found[i].a >= 0) f->found[out->count++] = f->found[i];
    if (out->count > 0) qsort(f->found, (size_t)out->count, sizeof *f->found, Compare); // of nothing there may be no array
    out->items = wfArena_New(arena, wfCrossing, out->count, "crossings", err);
    if (out->items == NULL) return false;
    for (int i = 0; i < out->count; ++i) {
        int edge = f->found[i].a, face = f->found[i].b;
        out->items[i] = (wfCrossing){edge, face, PointOf(x, &t->edges[edge], t->triangles[face])};
    }
    return true;
}

bool wfCrossingFinder_Find(wfCrossingFinder* f, const wfVec3* x, wfArena* arena, wfCrossings* out, wfError* err) {
    *out = (wfCrossings){0};
    wfPairList* lists[wf_candidateKindCount] = {[wf_edgeTriangle] = &f->tests};
    WF_TRY(FindCandidates(f, x, 0.0f, lists, err) && Fetch(f, &f->tests, NULL, err));
    out->pairCount = f->triangles.count;
    return Decide(f, x, f->tests.count, arena, out, err);
}

/// Lists the edges that belong to a triangle, but for those that share a vertex with the face.
static int AddTests(const wfTopology* t, int triangle, int face, wfPair* out) {
    const int* v = t->triangles[face].v;
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        const wfEdge* e = &t->edges[t->triangleEdges[triangle][k]];
        bool shared = false;
        for (int i = 0; i < 2; ++i) shared = shared || e->v[i] == v[0] || e->v[i] == v[1] || e->v[i] == v[2];
        if (e->triangle[0] == triangle && !shared) out[count++] = (wfPair){t->triangleEdges[triangle][k], face};
    }
    return count;
}

bool wfCrossingFinder_FindAmong(wfCrossingFinder* f, const wfVec3* x, const wfTrianglePair* pairs, int count, wfArena* arena,
                                wfCrossings* out, wfError* err) {
    *out = (wfCrossings){.pairCount = count};
    if (count > INT_MAX / 6) return wfFail(err, wf_stepFailed, "%d pairs of triangles meet, more than can be handled", count);
    void* data = f->found;
    bool ok = wfGrow(&data, &f->capacity, 6 * (size_t)count, sizeof *f->found, "candidates", err);
    f->found = data;
    WF_TRY(ok);
    int tests = 0;
    for (int i = 0; i < count; ++i) {
        tests += AddTests(f->topology, pairs[i].a, pairs[i].b, f->found + tests);
        tests += AddTests(f->topology, pairs[i].b, pairs[i].a, f->found + tests);
    }
    return Decide(f, x, tests, arena, out, err);
}
