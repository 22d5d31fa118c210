// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/safe_move.h"

#include "base/assert.h"
#include "collide/ccd_kernels.h"
#include "math/vec_double.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// Stopping shortens the way of a vertex by a factor and never lengthens it, so the motions of all rounds lie inside the bounds of the
// first: candidates are found once, and a round looks only at the pairs of which a vertex was stopped in the round before.

// How much of the way to a collision is gone: a tenth of the gap, about, is left for the next level of subdivision.
static const double keepShare = 0.9;
// A vertex that may go less of its way than this does not go at all.
static const double leastShare = 1e-3;
// Rounds in which a vertex is slowed; later it is left where it started at once, so that an end is certain.
enum { slowingRounds = 8 };

static const wfBroadDef s_broadDef = {.type = "connectivity", .dop = true};

// A growing array on the host.
typedef struct Row {
    void* data;
    size_t room;
} Row;

struct wfSafeMove {
    wfDevice* device;
    const wfTopology* topology;
    wfBroad* broad;
    wfElements elements;
    wfCandidates work;
    wfPairList triangles, list[wf_candidateKindCount];
    wfBuffer start, end; // wfVec4: of the mesh, then of the obstacles
    wfBuffer ccdPairs, times;
    Row hostStart, hostEnd;   // wfVec4, likewise
    Row share, factor;        // double: how much of its way a vertex goes, and how much of that it may keep in a round
    Row pairs, active, found; // wfCcdPair: all that may collide; those of a round; float: their times
    Row download;             // wfPair
    int pairCount, activeCount;
};

// ---- obstacles ----------------------------------------------------------------------------------------------------------------

bool wfObstacles_Create(wfObstacles* o, wfDevice* device, const wfTriangle* triangles, int triangleCount, int vertexCount, wfError* err) {
    *o = (wfObstacles){.device = device, .x = wfMakeBuffer(sizeof(wfVec4), "obstacles.x")};
    o->host = calloc((size_t)vertexCount + 1, sizeof *o->host);
    if (o->host == NULL) return wfFail(err, wf_outOfMemory, "out of memory for obstacles");
    WF_TRY(wfTopology_Create(&o->topology, triangles, triangleCount, vertexCount, err));
    o->broad = wfCreateBroad(device, &s_broadDef, &o->topology, err);
    return o->broad != NULL && wfElements_Create(&o->elements, device, &o->topology, err);
}

void wfObstacles_Free(wfObstacles* o) {
    if (o->device == NULL) return;
    if (o->elements.device != NULL) wfElements_Free(&o->elements);
    if (o->broad != NULL) wfDestroyBroad(o->broad);
    wfFreeBuffer(o->device, &o->x);
    wfTopology_Free(&o->topology);
    free(o->host);
    *o = (wfObstacles){0};
}

void wfObstacles_Place(wfObstacles* o, const wfVec3* positions) {
    for (int i = 0; i < o->topology.vertexCount; ++i) o->host[i] = wfMake4(positions[i], 0.0f);
    wfUpload(o->device, &o->x, o->host, (size_t)o->topology.vertexCount);
    wfBroad_Update(o->broad, &o->x, NULL, 0.0f);
    wfElements_Move(&o->elements, &o->x, NULL, wf_paceAny, 0.0f);
}

// ---- creation -----------------------------------------------------------------------------------------------------------------

static bool Need(Row* row, size_t count, size_t size, wfError* err) {
    return wfGrow(&row->data, &row->room, count, size, "safe motion", err);
}

wfSafeMove* wfCreateSafeMove(wfDevice* device, const wfTopology* topology, wfError* err) {
    wfSafeMove* m = calloc(1, sizeof *m);
    if (m == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for safe motion");
        return NULL;
    }
    m->device = device;
    m->topology = topology;
    m->work = wfMakeCandidates();
    m->triangles = wfMakePairList("safe_move.triangles");
    for (int k = 0; k < wf_candidateKindCount; ++k) m->list[k] = wfMakePairList("safe_move.candidates");
    m->start = wfMakeBuffer(sizeof(wfVec4), "safe_move.start");
    m->end = wfMakeBuffer(sizeof(wfVec4), "safe_move.end");
    m->ccdPairs = wfMakeBuffer(sizeof(wfCcdPair), "safe_move.pairs");
    m->times = wfMakeBuffer(sizeof(float), "safe_move.times");
    m->broad = wfCreateBroad(device, &s_broadDef, topology, err);
    if (m->broad != NULL && wfElements_Create(&m->elements, device, topology, err)) return m;
    wfDestroySafeMove(m);
    return NULL;
}

void wfDestroySafeMove(wfSafeMove* m) {
    if (m == NULL) return;
    if (m->elements.device != NULL) wfElements_Free(&m->elements);
    if (m->broad != NULL) wfDestroyBroad(m->broad);
    wfCandidates_Free(m->device, &m->work);
    wfPairList_Free(m->device, &m->triangles);
    for (int k = 0; k < wf_candidateKindCount; ++k) wfPairList_Free(m->device, &m->list[k]);
    wfBuffer* buffers[] = {&m->start, &m->end, &m->ccdPairs, &m->times};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i) wfFreeBuffer(m->device, buffers[i]);
    Row* rows[] = {&m->hostStart, &m->hostEnd, &m->share, &m->factor, &m->pairs, &m->active, &m->found, &m->download};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) free(rows[i]->data);
    free(m);
}

// ---- what may collide -----------------------------------------------------------------------------------------------------------

/// The vertices of a triangle or an edge, behind those given.
static void PutTriangle(const wfTopology* t, int triangle, int shift, int* out) {
    for (int k = 0; k < 3; ++k) out[k] = t->triangles[triangle].v[k] + shift;
}
static void PutEdge(const wfTopology* t, int edge, int shift, int* out) {
    for (int k = 0; k < 2; ++k) out[k] = t->edges[edge].v[k] + shift;
}

static bool Moves(const wfVec4* start, const wfVec4* end, int v) { return memcmp(&start[v], &end[v], sizeof(wfVec3)) != 0; }

/// Adds the candidates of a kind, but for those of which nothing moves. `second` numbers its vertices from `shift` on.
static bool AddPairs(wfSafeMove* m, wfCandidateKind kind, const wfTopology* second, int shift, wfError* err) {
    const wfVec4 *start = m->hostStart.data, *end = m->hostEnd.data;
    const wfTopology* first = m->topology;
    int count = m->list[kind].count;
    if (count > INT_MAX - m->pairCount) return wfFail(err, wf_stepFailed, "more than %d pairs that may collide", INT_MAX);
    WF_TRY(Need(&m->download, (size_t)count, sizeof(wfPair), err));
    WF_TRY(wfDownload(m->device, m->download.data, &m->list[kind].pairs, 0, (size_t)count, err));
    WF_TRY(Need(&m->pairs, (size_t)m->pairCount + (size_t)count, sizeof(wfCcdPair), err));
    for (int i = 0; i < count; ++i) {
        wfPair pair = ((const wfPair*)m->download.data)[i];
        wfCcdPair out = {.kind = kind == wf_edgeEdge ? wf_ccdEdgeEdge : wf_ccdPointTriangle};
        if (kind == wf_edgeEdge) {
            PutEdge(first, pair.a, 0, out.vertex);
            PutEdge(second, pair.b, shift, out.vertex + 2);
        } else if (kind == wf_vertexTriangle) {
            out.vertex[0] = pair.a;
            PutTriangle(second, pair.b, shift, out.vertex + 1);
        } else {
            out.vertex[0] = pair.b + shift;
            PutTriangle(first, pair.a, 0, out.vertex + 1);
        }
        bool moves = false;
        for (int k = 0; k < 4; ++k) moves = moves || Moves(start, end, out.vertex[k]);
        if (moves) ((wfCcdPair*)m->pairs.data)[m->pairCount++] = out;
    }
    return true;
}

static bool FindPairs(wfSafeMove* m, wfObstacles* obstacles, float separation, wfError* err) {
    m->pairCount = 0;
    wfBroad_Update(m->broad, &m->start, &m->end, separation);
    wfElements_Move(&m->elements, &m->start, &m->end, wf_paceAny, separation); // some will be slowed
    wfPairList* within[wf_candidateKindCount] = {[wf_vertexTriangle] = &m->list[wf_vertexTriangle], [wf_edgeEdge] = &m->list[wf_edgeEdge]};
    WF_TRY(wfBroad_FindSelf(m->broad, &m->triangles, err));
    WF_TRY(wfCandidates_Find(&m->work, &m->elements, NULL, &m->triangles, within, err));
    WF_TRY(AddPairs(m, wf_vertexTriangle, m->topology, 0, err));
    WF_TRY(AddPairs(m, wf_edgeEdge, m->topology, 0, err));
    if (obstacles == NULL) return true;
    int shift = m->topology->vertexCount;
    within[wf_triangleVertex] = &m->list[wf_triangleVertex];
    WF_TRY(wfBroad_FindAgainst(m->broad, obstacles->broad, &m->triangles, err));
    WF_TRY(wfCandidates_Find(&m->work, &m->elements, &obstacles->elements, &m->triangles, within, err));
    WF_TRY(AddPairs(m, wf_vertexTriangle, &obstacles->topology, shift, err));
    WF_TRY(AddPairs(m, wf_triangleVertex, &obstacles->topology, shift, err));
    return AddPairs(m, wf_edgeEdge, &obstacles->topology, shift, err);
}

// ---- rounds -------------------------------------------------------------------------------------------------------------------

/// The times of the active pairs.
static bool Detect(wfSafeMove* m, int count, float separation, wfError* err) {
    wfUpload(m->device, &m->end, m->hostEnd.data, (size_t)count);
    wfUpload(m->device, &m->ccdPairs, m->active.data, (size_t)m->activeCount);
    wfReserve(m->device, &m->times, (size_t)m->activeCount);
    CcdFirstTimesArgs args = {.start = wfData(&m->start, wfVec4),
                              .end = wfData(&m->end, wfVec4),
                              .pairs = wfData(&m->ccdPairs, wfCcdPair),
                              .times = wfData(&m->times, float),
                              .separation = separation};
    wfLaunch(m->device, CcdFirstTimes, m->activeCount, &args);
    WF_TRY(Need(&m->found, (size_t)m->activeCount, sizeof(float), err));
    return wfDownload(m->device, m->found.data, &m->times, 0, (size_t)m->activeCount, err);
}

/// How much of its way each vertex may keep: the least that one of its pairs allows, so that their order does not count. Returns whether a
/// vertex must be slowed.
static bool FindFactors(wfSafeMove* m, int round) {
    const wfCcdPair* active = m->active.data;
    const float* times = m->found.data;
    const wfVec4 *start = m->hostStart.data, *end = m->hostEnd.data;
    double* factor = m->factor.data;
    int count = m->topology->vertexCount;
    bool any = false;
    for (int v = 0; v < count; ++v) factor[v] = 1.0;
    for (int i = 0; i < m->activeCount; ++i) {
        if (!(times[i] <= 1.0f)) continue;
        for (int k = 0; k < 4; ++k) {
            int v = active[i].vertex[k];
            if (v >= count || !Moves(start, end, v)) continue; // where nothing moves, the pair was that near before
            factor[v] = fmin(factor[v], round < slowingRounds ? keepShare * (double)times[i] : 0.0);
            any = true;
        }
    }
    return any;
}

static void Slow(wfSafeMove* m, const wfVec3* wanted) {
    const wfVec4* start = m->hostStart.data;
    const double* factor = m->factor.data;
    wfVec4* end = m->hostEnd.data;
    double* share = m->share.data;
    for (int v = 0; v < m->topology->vertexCount; ++v) {
        if (!(factor[v] < 1.0)) continue;
        share[v] *= factor[v];
        if (share[v] < leastShare) share[v] = 0.0;
        wfVec3D from = wfWiden(wfXyz(start[v]));
        end[v] = wfMake4(wfNarrow(wfMulAddD(from, share[v], wfSubD(wfWiden(wanted[v]), from))), 0.0f);
    }
    const wfCcdPair* pairs = m->pairs.data;
    wfCcdPair* active = m->active.data;
    m->activeCount = 0;
    for (int i = 0; i < m->pairCount; ++i) {
        bool changed = false;
        for (int k = 0; k < 4; ++k) {
            int v = pairs[i].vertex[k];
            changed = changed || (v < m->topology->vertexCount && factor[v] < 1.0);
        }
        if (changed) active[m->activeCount++] = pairs[i];
    }
}

static bool Prepare(wfSafeMove* m, const wfVec3* from, const wfVec3* wanted, const wfObstacles* obstacles, wfError* err) {
    int count = m->topology->vertexCount, others = obstacles != NULL ? obstacles->topology.vertexCount : 0;
    size_t all = (size_t)count + (size_t)others;
    WF_TRY(Need(&m->hostStart, all, sizeof(wfVec4), err) && Need(&m->hostEnd, all, sizeof(wfVec4), err));
    WF_TRY(Need(&m->share, (size_t)count, sizeof(double), err) && Need(&m->factor, (size_t)count, sizeof(double), err));
    wfVec4 *start = m->hostStart.data, *end = m->hostEnd.data;
    for (int v = 0; v < count; ++v) {
        start[v] = wfMake4(from[v], 0.0f);
        end[v] = wfMake4(wanted[v], 0.0f);
        ((double*)m->share.data)[v] = 1.0;
    }
    for (int v = 0; v < others; ++v) start[count + v] = end[count + v] = obstacles->host[v];
    wfUpload(m->device, &m->start, start, all);
    wfUpload(m->device, &m->end, end, all);
    return true;
}

bool wfSafeMove_Advance(wfSafeMove* m, const wfVec3* start, const wfVec3* wanted, wfObstacles* obstacles, float separation, wfVec3* out,
                        wfMoveReport* report, wfError* err) {
    int count = m->topology->vertexCount, others = obstacles != NULL ? obstacles->topology.vertexCount : 0;
    WF_ASSERT(separation > 0.0f);
    WF_TRY(Prepare(m, start, wanted, obstacles, err));
    WF_TRY(FindPairs(m, obstacles, separation, err));
    WF_TRY(Need(&m->active, (size_t)m->pairCount, sizeof(wfCcdPair), err));
    m->activeCount = m->pairCount;
    if (m->pairCount > 0) memcpy(m->active.data, m->pairs.data, (size_t)m->pairCount * sizeof(wfCcdPair));
    *report = (wfMoveReport){.pairs = m->pairCount};
    // From slowingRounds on every round leaves at least one more vertex at its start.
    while (m->activeCount > 0) {
        WF_TRY(Detect(m, count + others, separation, err));
        if (!FindFactors(m, report->rounds++)) break;
        Slow(m, wanted);
    }
    for (int v = 0; v < count; ++v) {
        report->stoppedCount += ((const double*)m->share.data)[v] < 1.0;
        out[v] = wfXyz(((const wfVec4*)m->hostEnd.data)[v]);
    }
    return true;
}
