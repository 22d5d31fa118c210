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
        .motion = wfMakeBuffer(sizeof(wfVec4), "elements.motion"),
        .marks = wfMakeBuffer(sizeof(int), "elements.marks"),
        .vertexCount = topology->vertexCount,
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
    wfFreeBuffer(e->device, &e->motion);
    wfFreeBuffer(e->device, &e->marks);
}

void wfElements_Move(wfElements* e, const wfBuffer* start, const wfBuffer* end, wfPace pace, float radius) {
    size_t count = (size_t)e->vertexCount;
    WF_ASSERT(radius >= 0.0f && start->count >= count && (end == NULL || end->count >= count));
    wfReserve(e->device, &e->motion, 2 * count);
    CandidateMotionArgs args = {wfData(start, wfVec4), wfData(end != NULL ? end : start, wfVec4), wfData(&e->motion, wfVec4)};
    wfLaunch(e->device, CandidateMotion, e->vertexCount, &args);
    e->radius = radius;
    e->even = pace == wf_paceEven;
    e->marked = false;
}

void wfElements_Mark(wfElements* e, const wfBuffer* vertices) {
    WF_ASSERT(vertices->count >= (size_t)e->vertexCount);
    wfReserve(e->device, &e->marks, e->corners.count);
    CandidateMarkArgs args = {wfData(&e->corners, wfCorners), wfData(vertices, int), wfData(&e->marks, int)};
    wfLaunch(e->device, CandidateMark, (int)e->corners.count, &args);
    e->marked = true;
}

// ---- candidates ---------------------------------------------------------------------------------------------------------------

wfCandidates wfMakeCandidates(void) {
    return (wfCandidates){.masks = wfMakeBuffer(sizeof(int), "candidates.masks"),
                          .counts = wfMakeBuffer(sizeof(int), "candidates.counts"),
                          .offsets = wfMakeBuffer(sizeof(int), "candidates.offsets"),
                          .totals = wfMakeBuffer(sizeof(int), "candidates.totals"),
                          .scratch = wfMakeBuffer(1, "candidates.scratch")};
}

void wfCandidates_Free(wfDevice* device, wfCandidates* work) {
    wfFreeBuffer(device, &work->masks);
    wfFreeBuffer(device, &work->counts);
    wfFreeBuffer(device, &work->offsets);
    wfFreeBuffer(device, &work->totals);
    wfFreeBuffer(device, &work->scratch);
}

static wfElementsView View(const wfElements* e) {
    return (wfElementsView){wfData(&e->corners, wfCorners), wfData(&e->edges, wfTriangle), wfData(&e->motion, wfVec4),
                            e->marked ? wfData(&e->marks, int) : NULL};
}

/// The tests of a kind, as bits.
static int TestsOf(wfCandidateKind kind, bool self) {
    static const int tests[wf_candidateKindCount] = {
        [wf_vertexTriangle] = 7 << wf_testVertexA, [wf_triangleVertex] = 7 << wf_testVertexB, [wf_edgeEdge] = 0x1ff << wf_testEdges,
        [wf_edgeTriangle] = 7 << wf_testEdgeA,     [wf_triangleEdge] = 7 << wf_testEdgeB,
    };
    if (self && kind == wf_vertexTriangle) return tests[wf_vertexTriangle] | tests[wf_triangleVertex];
    if (self && kind == wf_edgeTriangle) return tests[wf_edgeTriangle] | tests[wf_triangleEdge];
    return tests[kind];
}

static int64_t SourcesOf(const wfElements* first, bool self, const wfPairList* triangles) {
    return triangles->count + (self ? (int64_t)first->adjacent.count : 0);
}

static int TilesOf(int64_t sources) { return (int)((sources + wf_candidateTile - 1) / wf_candidateTile); }

static CandidateWriteArgs Write(const wfCandidates* work, const wfElements* first, const wfElements* second, const wfPairList* triangles) {
    int64_t sources = SourcesOf(first, second == NULL, triangles);
    CandidateWriteArgs write = {.pairs = wfData(&triangles->pairs, wfPair),
                                .adjacent = wfData(&first->adjacent, wfAdjacent),
                                .a = View(first),
                                .b = View(second == NULL ? first : second),
                                .masks = wfData(&work->masks, int),
                                .offsets = wfData(&work->offsets, int),
                                .totals = wfData(&work->totals, int),
                                .pairCount = triangles->count,
                                .sourceCount = (int)sources,
                                .tileCount = TilesOf(sources),
                                .self = second == NULL};
    for (int kind = 0; kind < wf_candidateKindCount; ++kind) write.kinds[kind] = work->kinds[kind];
    return write;
}

// Which tests of each source are candidates, to work->masks, and where those of a tile go, to work->offsets.
static bool Test(wfCandidates* work, const wfElements* first, const wfElements* second, const wfPairList* triangles,
                 const bool asked[wf_candidateKindCount], wfError* err) {
    enum { MostSources = INT_MAX / 21 }; // a pair of triangles has at most so many candidates
    bool self = second == NULL;
    wfDevice* device = first->device;
    WF_ASSERT(first->motion.count != 0 && (self || second->motion.count != 0));
    WF_ASSERT(!self || (!asked[wf_triangleVertex] && !asked[wf_triangleEdge]));
    bool some = first->marked || (!self && second->marked);
    WF_ASSERT(!some || (!asked[wf_edgeTriangle] && !asked[wf_triangleEdge]));
    int64_t sources = SourcesOf(first, self, triangles);
    if (sources > MostSources)
        return wfFail(err, wf_stepFailed, "candidates: %lld pairs of triangles, more than the %d that can be handled", (long long)sources,
                      MostSources);
    int tileCount = TilesOf(sources), countCount = wf_candidateKindCount * tileCount;
    size_t masks = (size_t)sources; // of which there are many: with less room than wfReserve would leave
    wfReserveExactly(device, &work->masks, masks > work->masks.capacity ? masks + masks / 32 : masks);
    wfReserve(device, &work->counts, (size_t)countCount);
    wfReserve(device, &work->offsets, (size_t)countCount + 1);
    wfReserve(device, &work->totals, wf_candidateKindCount);
    float reach = wfNextAbove(first->radius + (self ? first : second)->radius);
    CandidateTestArgs test = {.pairs = wfData(&triangles->pairs, wfPair),
                              .adjacent = wfData(&first->adjacent, wfAdjacent),
                              .a = View(first),
                              .b = View(self ? first : second),
                              .beside = first->even && (self || second->even) ? 0.25f : 0.0f,
                              .reach = {reach, wfNextAbove(wfNextAbove(reach * 1.41421366f))},
                              .masks = wfData(&work->masks, int),
                              .counts = wfData(&work->counts, int),
                              .pairCount = triangles->count,
                              .sourceCount = (int)sources,
                              .tileCount = tileCount,
                              .some = some};
    for (int kind = 0; kind < wf_candidateKindCount; ++kind)
        test.kinds[kind] = work->kinds[kind] = asked[kind] ? TestsOf((wfCandidateKind)kind, self) : 0;
    if (sources == 0) return true;
    wfLaunch(device, CandidateTest, tileCount, &test);
    wfScanExclusive(device, test.counts, wfData(&work->offsets, int), countCount, &work->scratch);
    return true;
}

bool wfCandidates_Find(wfCandidates* work, const wfElements* first, const wfElements* second, const wfPairList* triangles,
                       wfPairList* const out[wf_candidateKindCount], wfError* err) {
    wfDevice* device = first->device;
    bool asked[wf_candidateKindCount];
    for (int kind = 0; kind < wf_candidateKindCount; ++kind) asked[kind] = out[kind] != NULL;
    WF_TRY(Test(work, first, second, triangles, asked, err));
    CandidateWriteArgs write = Write(work, first, second, triangles);
    for (int kind = 0; kind < wf_candidateKindCount; ++kind) {
        if (out[kind] == NULL) continue;
        out[kind]->count = 0;
        write.out[kind] = wfData(&out[kind]->pairs, wfPair);
        write.capacity[kind] = wfPairList_GetRoom(out[kind]);
    }
    if (write.tileCount == 0) return wfDevice_Sync(device, err);
    for (bool again = true; again;) {
        wfLaunch(device, CandidateWrite, write.tileCount, &write);
        int totals[wf_candidateKindCount];
        WF_TRY(wfDownload(device, totals, &work->totals, 0, wf_candidateKindCount, err));
        again = false;
        for (int kind = 0; kind < wf_candidateKindCount; ++kind) {
            if (out[kind] == NULL) continue;
            bool tooSmall = totals[kind] > wfPairList_GetRoom(out[kind]);
            size_t total = (size_t)totals[kind];
            wfReserve(device, &out[kind]->pairs, tooSmall ? total + total / 4 : total);
            out[kind]->count = totals[kind];
            write.out[kind] = tooSmall ? wfData(&out[kind]->pairs, wfPair) : NULL; // what is written stays
            write.capacity[kind] = wfPairList_GetRoom(out[kind]);
            again = again || tooSmall;
        }
    }
    return wfDevice_Sync(device, err);
}

bool wfCandidates_Count(wfCandidates* work, const wfElements* first, const wfElements* second, const wfPairList* triangles,
                        const bool asked[wf_candidateKindCount], int totals[wf_candidateKindCount], wfError* err) {
    WF_ASSERT(!asked[wf_edgeTriangle] && !asked[wf_triangleEdge]);
    WF_TRY(Test(work, first, second, triangles, asked, err));
    CandidateWriteArgs write = Write(work, first, second, triangles);
    for (int kind = 0; kind < wf_candidateKindCount; ++kind) totals[kind] = 0;
    if (write.tileCount == 0) return wfDevice_Sync(first->device, err);
    wfLaunch(first->device, CandidateWrite, 1, &write); // the first tile has the totals, and writes nothing else
    return wfDownload(first->device, totals, &work->totals, 0, wf_candidateKindCount, err);
}

void wfCandidates_Write(const wfCandidates* work, const wfElements* first, const wfElements* second, const wfPairList* triangles,
                        const int totals[wf_candidateKindCount], wfFourVertices* const out[wf_candidateKindCount], int offset) {
    CandidateWriteArgs write = Write(work, first, second, triangles);
    write.offset = offset;
    for (int kind = 0; kind < wf_candidateKindCount; ++kind) {
        write.vertices[kind] = out[kind];
        write.capacity[kind] = totals[kind];
    }
    wfLaunch(first->device, CandidateWrite, write.tileCount, &write);
}
