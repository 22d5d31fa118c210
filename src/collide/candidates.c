// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/candidates.h"

#include "base/assert.h"
#include "collide/candidates_kernels.h"
#include "compute/primitives.h"

#include <limits.h>

// ---- what belongs to whom -----------------------------------------------------------------------------------------------------

static bool Has(wfTriangle t, int v) { return t.v[0] == v || t.v[1] == v || t.v[2] == v; }
static bool EdgeMeets(const wfEdge* e, wfTriangle t) { return Has(t, e->v[0]) || Has(t, e->v[1]); }
static bool EdgesMeet(const wfEdge* e, const wfEdge* f) {
    return e->v[0] == f->v[0] || e->v[0] == f->v[1] || e->v[1] == f->v[0] || e->v[1] == f->v[1];
}

/// The owned tests of two triangles that share a vertex, without those that share one themselves.
static int AdjacentTests(const wfTopology* t, const wfCorners* corners, int a, int b) {
    int tests = wfOwnedTests(corners[a].owned, corners[b].owned);
    for (int k = 0; k < 3; ++k) {
        const wfEdge *edgeA = &t->edges[t->triangleEdges[a][k]], *edgeB = &t->edges[t->triangleEdges[b][k]];
        if (Has(t->triangles[b], t->triangles[a].v[k])) tests &= ~(1 << (wf_testVertexA + k));
        if (Has(t->triangles[a], t->triangles[b].v[k])) tests &= ~(1 << (wf_testVertexB + k));
        if (EdgeMeets(edgeA, t->triangles[b])) tests &= ~(1 << (wf_testEdgeA + k));
        if (EdgeMeets(edgeB, t->triangles[a])) tests &= ~(1 << (wf_testEdgeB + k));
        for (int l = 0; l < 3; ++l)
            if (EdgesMeet(edgeA, &t->edges[t->triangleEdges[b][l]])) tests &= ~(1 << (wf_testEdges + 3 * k + l));
    }
    return tests;
}

/// Neighbours a < b with something to test, by a; counts only where out is NULL.
static int64_t ListAdjacent(const wfTopology* t, const wfCorners* corners, int* seen, wfAdjacent* out) {
    int64_t count = 0;
    for (int i = 0; i < t->triangleCount; ++i) seen[i] = -1;
    for (int a = 0; a < t->triangleCount; ++a)
        for (int k = 0; k < 3; ++k) {
            int v = t->triangles[a].v[k];
            for (int at = t->vertexTriangles.start[v]; at < t->vertexTriangles.start[v + 1]; ++at) {
                int b = t->vertexTriangles.item[at];
                if (b <= a || seen[b] == a) continue;
                seen[b] = a;
                int tests = AdjacentTests(t, corners, a, b);
                if (tests == 0) continue;
                if (out != NULL) out[count] = (wfAdjacent){a, b, tests};
                ++count;
            }
        }
    return count;
}

static bool Build(wfElements* e, const wfTopology* t, wfArena* scratch, wfError* err) {
    size_t count = (size_t)t->triangleCount;
    wfCorners* corners = wfArena_New(scratch, wfCorners, count, "corners of triangles", err);
    int* seen = wfArena_New(scratch, int, count, "neighbours of triangles", err);
    if (corners == NULL || seen == NULL) return false;
    for (int i = 0; i < t->triangleCount; ++i)
        for (int k = 0; k < 3; ++k) {
            int v = t->triangles[i].v[k];
            corners[i].v[k] = v;
            if (t->vertexTriangles.item[t->vertexTriangles.start[v]] == i) corners[i].owned |= 1 << k;
            if (t->edges[t->triangleEdges[i][k]].triangle[0] == i) corners[i].owned |= 8 << k;
        }
    int64_t adjacentCount = ListAdjacent(t, corners, seen, NULL);
    if (adjacentCount > INT_MAX)
        return wfFail(err, wf_badInput, "a mesh with %lld neighbouring triangles is too large", (long long)adjacentCount);
    wfAdjacent* adjacent = wfArena_New(scratch, wfAdjacent, adjacentCount, "neighbours of triangles", err);
    if (adjacent == NULL) return false;
    ListAdjacent(t, corners, seen, adjacent);
    wfUpload(e->device, &e->corners, corners, count);
    wfUpload(e->device, &e->edges, t->triangleEdges, count);
    wfUpload(e->device, &e->adjacent, adjacent, (size_t)adjacentCount);
    return wfDevice_Sync(e->device, err); // the uploads read the arena
}

bool wfElements_Create(wfElements* elements, wfDevice* device, const wfTopology* topology, wfError* err) {
    *elements = (wfElements){
        .device = device,
        .corners = wfMakeBuffer(sizeof(wfCorners), "elements.corners"),
        .edges = wfMakeBuffer(sizeof(wfTriangle), "elements.edges"),
        .adjacent = wfMakeBuffer(sizeof(wfAdjacent), "elements.adjacent"),
    };
    wfArena scratch = {0};
    bool ok = Build(elements, topology, &scratch, err);
    wfArena_Free(&scratch);
    if (!ok) wfElements_Free(elements);
    return ok;
}

void wfElements_Free(wfElements* e) {
    wfFreeBuffer(e->device, &e->corners);
    wfFreeBuffer(e->device, &e->edges);
    wfFreeBuffer(e->device, &e->adjacent);
}

void wfElements_Move(wfElements* e, const wfBuffer* start, const wfBuffer* end, float radius) {
    WF_ASSERT(radius >= 0.0f);
    e->start = wfData(start, wfVec4);
    e->end = end != NULL ? wfData(end, wfVec4) : NULL;
    e->radius = radius;
}

// ---- candidates ---------------------------------------------------------------------------------------------------------------

wfCandidates wfMakeCandidates(void) {
    return (wfCandidates){.masks = wfMakeBuffer(sizeof(int), "candidates.masks"),
                          .counts = wfMakeBuffer(sizeof(int), "candidates.counts"),
                          .offsets = wfMakeBuffer(sizeof(int), "candidates.offsets"),
                          .scratch = wfMakeBuffer(1, "candidates.scratch")};
}

void wfCandidates_Free(wfDevice* device, wfCandidates* work) {
    wfFreeBuffer(device, &work->masks);
    wfFreeBuffer(device, &work->counts);
    wfFreeBuffer(device, &work->offsets);
    wfFreeBuffer(device, &work->scratch);
}

static wfElementsView View(const wfElements* e) {
    return (wfElementsView){wfData(&e->corners, wfCorners), wfData(&e->edges, wfTriangle), e->start, e->end, e->radius};
}

static int TestsOf(wfCandidateKind kind, bool self) {
    switch (kind) {
    case wf_vertexTriangle:
        return self ? 0x3f << wf_testVertexA : 7 << wf_testVertexA;
    case wf_triangleVertex:
        return 7 << wf_testVertexB;
    case wf_edgeEdge:
        return 0x1ff << wf_testEdges;
    case wf_edgeTriangle:
        return self ? 0x3f << wf_testEdgeA : 7 << wf_testEdgeA;
    case wf_triangleEdge:
        return 7 << wf_testEdgeB;
    }
    return 0;
}

bool wfCandidates_Find(wfCandidates* work, wfCandidateKind kind, const wfElements* first, const wfElements* second,
                       const wfPairList* triangles, wfPairList* out, wfError* err) {
    bool self = second == NULL;
    wfDevice* device = first->device;
    WF_ASSERT(first->start != NULL && (self || second->start != NULL));
    WF_ASSERT(!self || (kind != wf_triangleVertex && kind != wf_triangleEdge));
    out->count = 0;
    int64_t sources = triangles->count + (self ? (int64_t)first->adjacent.count : 0);
    if (sources > INT_MAX / 9) // a pair of triangles has at most nine candidates of a kind
        return wfFail(err, wf_stepFailed, "candidates: %lld pairs of triangles: too many to be counted", (long long)sources);
    int count = (int)sources;
    wfReserve(device, &work->masks, (size_t)count);
    wfReserve(device, &work->counts, (size_t)count);
    wfReserve(device, &work->offsets, (size_t)count + 1);
    CandidateTestArgs test = {.pairs = wfData(&triangles->pairs, wfPair),
                              .adjacent = wfData(&first->adjacent, wfAdjacent),
                              .a = View(first),
                              .b = View(self ? first : second),
                              .masks = wfData(&work->masks, int),
                              .counts = wfData(&work->counts, int),
                              .kinds = TestsOf(kind, self),
                              .pairCount = triangles->count};
    wfLaunch(device, CandidateTest, count, &test);
    wfScanExclusive(device, test.counts, wfData(&work->offsets, int), count, &work->scratch);
    for (;;) {
        CandidateWriteArgs write = {.pairs = test.pairs,
                                    .adjacent = test.adjacent,
                                    .a = test.a,
                                    .b = test.b,
                                    .masks = test.masks,
                                    .offsets = wfData(&work->offsets, int),
                                    .out = wfData(&out->pairs, wfPair),
                                    .pairCount = test.pairCount,
                                    .capacity = wfPairList_GetRoom(out),
                                    .self = self};
        wfLaunch(device, CandidateWrite, count, &write);
        int total = 0;
        WF_TRY(wfDownload(device, &total, &work->offsets, (size_t)count, 1, err));
        if (total <= wfPairList_GetRoom(out)) {
            wfReserve(device, &out->pairs, (size_t)total);
            out->count = total;
            return wfDevice_Sync(device, err);
        }
        wfReserve(device, &out->pairs, (size_t)total + (size_t)total / 4);
    }
}
