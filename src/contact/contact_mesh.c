// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/contact_mesh_kernels.h"

#include "compute/primitives.h"

#include <limits.h>

// Of the lowest height of a triangle at a vertex: the most that a cloth may be thick there, half. Parts of a flat, well-shaped mesh that
// are not neighbours are at least twice that height apart: this leaves room to be compressed. In a grid of squares it is half an edge.
static const float s_halfPerHeight = 0.70710678f;
static const float s_nearPart = 0.5f; // neighbours are at least as far apart as that height; of what others keep they keep this part
static const float s_few = 0.12f;     // of the vertices: where more have strayed, all pairs are looked for again

static wfBuffer View(const wfBuffer* buffer, size_t first, size_t count) {
    wfBuffer view = *buffer;
    view.data = (char*)buffer->data + first * buffer->stride;
    view.count = view.capacity = count;
    return view;
}

// ---- creation -----------------------------------------------------------------------------------------------------------------

// The lowest height of each vertex's triangles, in the reference shape.
static void FillHeights(const wfModel* model, float* height) {
    const wfTopology* t = model->topology;
    for (int v = 0; v < model->vertexCount; ++v) height[v] = INFINITY;
    for (int i = 0; i < t->triangleCount; ++i) {
        const wfVec2* corner = model->flat[i].corner;
        wfVec2 u = {corner[1].x - corner[0].x, corner[1].y - corner[0].y}, w = {corner[2].x - corner[0].x, corner[2].y - corner[0].y};
        float longest = fmaxf(hypotf(u.x, u.y), fmaxf(hypotf(w.x, w.y), hypotf(w.x - u.x, w.y - u.y)));
        float lowest = fabsf(u.x * w.y - u.y * w.x) / longest;
        for (int k = 0; k < 3; ++k) height[t->triangles[i].v[k]] = fminf(height[t->triangles[i].v[k]], lowest);
    }
}

static bool UploadHalves(wfContactMesh* m, const wfModel* model, wfArena* arena, wfError* err) {
    const wfTopology* t = model->topology;
    size_t n = (size_t)model->vertexCount;
    float *half = wfArena_New(arena, float, n, "half thicknesses", err), *near = wfArena_New(arena, float, n, "half thicknesses", err);
    if (half == NULL || near == NULL) return false;
    FillHeights(model, near);
    bool thick = false;
    for (size_t v = 0; v < n; ++v) {
        float most = s_halfPerHeight * near[v];
        half[v] = fminf(0.5f * model->cloths[model->clothOf[v]].fabric.thickness, most);
        near[v] = fminf(half[v], s_nearPart * most);
        thick = thick || near[v] < half[v];
        m->thickest = fmaxf(m->thickest, half[v]);
    }
    wfUpload(m->device, &m->half, half, n);
    if (thick) {
        wfUpload(m->device, &m->nearHalf, near, n);
        wfUpload(m->device, &m->ringStart, t->ring1.start, n + 1);
        wfUpload(m->device, &m->ring, t->ring1.item, (size_t)t->ring1.start[n]);
    }
    return wfDevice_Sync(m->device, err);
}

// The places of cloths in their declared order; how many there are.
static int FillLayers(const wfModel* model, int* layer) {
    int64_t last = INT64_MIN;
    for (int place = 0;; ++place) {
        int64_t next = INT64_MAX;
        for (int c = 0; c < model->clothCount; ++c) {
            int64_t own = model->cloths[c].layer;
            if (own > last && own < next) next = own;
        }
        if (next == INT64_MAX) return place;
        for (int v = 0; v < model->vertexCount; ++v)
            if (model->cloths[model->clothOf[v]].layer == next) layer[v] = place;
        last = next;
    }
}

static bool UploadSurfaces(wfContactMesh* m, const wfModel* model, const wfColliderSet* colliders, wfArena* arena, wfError* err) {
    int *surface = wfArena_New(arena, int, m->vertexCount, "surfaces", err),
        *layer = wfArena_New(arena, int, m->vertexCount, "layers", err);
    wfTriangle* planes = wfArena_New(arena, wfTriangle, colliders->bodyCount, "planes", err);
    if (surface == NULL || layer == NULL || planes == NULL) return false;
    size_t planeCount = 0;
    for (int v = 0; v < m->vertexCount; ++v) layer[v] = -1;
    m->clothCount = model->clothCount;
    m->layerCount = FillLayers(model, layer);
    for (int v = 0; v < model->vertexCount; ++v) surface[v] = model->clothOf[v];
    for (int b = 0; b < colliders->bodyCount; ++b) {
        const wfBodyRange* body = &colliders->bodies[b];
        int first = model->vertexCount + body->firstVertex;
        for (int v = 0; v < body->vertexCount; ++v) surface[first + v] = model->clothCount + b;
        if (!body->infinite) continue;
        for (int k = 0; k < 3; ++k) planes[planeCount].v[k] = model->vertexCount + colliders->triangles[body->firstTriangle].v[k];
        ++planeCount;
    }
    if ((int64_t)planeCount * model->vertexCount > INT_MAX)
        return wfFail(err, wf_badInput, "contact: too many planes for %d vertices", model->vertexCount);
    wfUpload(m->device, &m->surfaceOf, surface, (size_t)m->vertexCount);
    wfUpload(m->device, &m->layerOf, layer, (size_t)m->vertexCount);
    wfUpload(m->device, &m->planes, planes, planeCount);
    return wfDevice_Sync(m->device, err);
}

// Those of one side, from vertex `first` on; *count: of all before, then with these.
static void FillRims(const wfTopology* t, int first, int vertexCount, int* start, wfPair* rim, int* count) {
    for (int v = 0; v < vertexCount; ++v) {
        start[first + v] = *count;
        for (int k = t->vertexTriangles.start[v]; k < t->vertexTriangles.start[v + 1]; ++k) {
            const int* c = t->triangles[t->vertexTriangles.item[k]].v;
            int own = c[0] == v ? 0 : c[1] == v ? 1 : 2;
            rim[(*count)++] = (wfPair){first + c[(own + 1) % 3], first + c[(own + 2) % 3]};
        }
    }
}

/// bodies: without any triangle where there are none.
static bool UploadRims(wfContactMesh* m, const wfTopology* cloth, const wfTopology* bodies, wfArena* arena, wfError* err) {
    size_t n = (size_t)m->vertexCount, all = 3 * ((size_t)cloth->triangleCount + (size_t)bodies->triangleCount);
    if (all > INT_MAX) return wfFail(err, wf_badInput, "contact: too many triangles of cloths and colliders");
    int *start = wfArena_New(arena, int, n + 1, "rims", err), count = 0;
    wfPair* rim = wfArena_New(arena, wfPair, all, "rims", err);
    if (start == NULL || rim == NULL) return false;
    FillRims(cloth, 0, m->clothVertexCount, start, rim, &count);
    if (bodies->triangleCount > 0) FillRims(bodies, m->clothVertexCount, m->vertexCount - m->clothVertexCount, start, rim, &count);
    for (size_t v = bodies->triangleCount > 0 ? n : (size_t)m->clothVertexCount; v <= n; ++v) start[v] = count;
    wfUpload(m->device, &m->rimStart, start, n + 1);
    wfUpload(m->device, &m->rim, rim, all);
    return wfDevice_Sync(m->device, err);
}

static bool UploadEdges(wfDevice* device, const wfTopology* t, wfBuffer* out, wfArena* arena, wfError* err) {
    wfPair* edges = wfArena_New(arena, wfPair, t->edgeCount, "edges", err);
    if (edges == NULL) return false;
    for (int e = 0; e < t->edgeCount; ++e) edges[e] = (wfPair){t->edges[e].v[0], t->edges[e].v[1]};
    wfUpload(device, out, edges, (size_t)t->edgeCount);
    return wfDevice_Sync(device, err);
}

static bool CreateSide(wfContactMesh* m, const wfTopology* t, wfBroad** broad, wfElements* elements, wfError* err) {
    *broad = wfCreateBroad(m->device, &(wfBroadDef){.type = "connectivity"}, t, err);
    return *broad != NULL && wfElements_Create(elements, m->device, t, err);
}

static bool CreateBodies(wfContactMesh* m, const wfTopology* cloth, const wfColliderSet* colliders, wfArena* arena, wfError* err) {
    wfTriangle* triangles = wfArena_New(arena, wfTriangle, colliders->triangleCount, "triangles of bodies", err);
    if (triangles == NULL) return false;
    int count = 0;
    for (int b = 0; b < colliders->bodyCount; ++b) {
        const wfBodyRange* body = &colliders->bodies[b];
        for (int t = 0; t < body->triangleCount && !body->infinite; ++t) triangles[count++] = colliders->triangles[body->firstTriangle + t];
    }
    wfTopology topology = {0};
    bool ok = count == 0 || (wfTopology_Create(&topology, triangles, count, colliders->vertexCount, err) &&
                             CreateSide(m, &topology, &m->bodies, &m->bodyElements, err));
    ok = ok && UploadRims(m, cloth, &topology, arena, err);
    wfTopology_Free(&topology);
    return ok;
}

static void MakeParts(wfContactMesh* m, wfDevice* device) {
    *m = (wfContactMesh){
        .device = device,
        .from = wfMakeBuffer(sizeof(wfVec4), "contact.from"),
        .to = wfMakeBuffer(sizeof(wfVec4), "contact.to"),
        .half = wfMakeBuffer(sizeof(float), "contact.half"),
        .nearHalf = wfMakeBuffer(sizeof(float), "contact.nearHalf"),
        .ringStart = wfMakeBuffer(sizeof(int), "contact.ringStart"),
        .ring = wfMakeBuffer(sizeof(int), "contact.ring"),
        .rimStart = wfMakeBuffer(sizeof(int), "contact.rimStart"),
        .rim = wfMakeBuffer(sizeof(wfPair), "contact.rim"),
        .surfaceOf = wfMakeBuffer(sizeof(int), "contact.surfaceOf"),
        .layerOf = wfMakeBuffer(sizeof(int), "contact.layerOf"),
        .quads = wfMakeBuffer(sizeof(wfQuad), "contact.quads"),
        .way = wfMakeBuffer(sizeof(wfVec4), "contact.way"),
        .strayed = wfMakeBuffer(sizeof(int), "contact.strayed"),
        .planes = wfMakeBuffer(sizeof(wfTriangle), "contact.planes"),
        .clothEdges = wfMakeBuffer(sizeof(wfPair), "contact.clothEdges"),
        .flags = wfMakeBuffer(sizeof(int), "contact.flags"),
        .list = wfMakeBuffer(sizeof(int), "contact.list"),
        .scratch = wfMakeBuffer(1, "contact.scratch"),
    };
    for (int k = 0; k < 2; ++k) {
        m->trianglePairs[k] = wfMakePairList("contact.trianglePairs");
        m->work[k] = wfMakeCandidates();
    }
}

bool wfContactMesh_Create(wfContactMesh* m, wfDevice* device, const wfModel* model, const wfColliderSet* colliders, wfError* err) {
    MakeParts(m, device);
    m->clothVertexCount = model->vertexCount;
    if ((int64_t)model->vertexCount + colliders->vertexCount > INT_MAX)
        return wfFail(err, wf_badInput, "contact: too many vertices of cloths and colliders");
    m->vertexCount = model->vertexCount + colliders->vertexCount;
    wfReserve(device, &m->from, (size_t)m->vertexCount);
    wfReserve(device, &m->to, (size_t)m->vertexCount);
    wfReserve(device, &m->way, (size_t)m->clothVertexCount);
    wfReserve(device, &m->strayed, (size_t)m->clothVertexCount);
    wfArena arena = {0};
    bool ok = UploadHalves(m, model, &arena, err) && UploadSurfaces(m, model, colliders, &arena, err) &&
              CreateSide(m, model->topology, &m->cloth, &m->clothElements, err) &&
              UploadEdges(device, model->topology, &m->clothEdges, &arena, err) &&
              CreateBodies(m, model->topology, colliders, &arena, err) && wfDevice_Sync(device, err);
    wfArena_Free(&arena);
    return ok;
}

void wfContactMesh_Free(wfContactMesh* m) {
    wfDestroyBroad(m->cloth);
    wfDestroyBroad(m->bodies);
    if (m->clothElements.device != NULL) wfElements_Free(&m->clothElements);
    if (m->bodyElements.device != NULL) wfElements_Free(&m->bodyElements);
    for (int k = 0; k < 2; ++k) {
        wfPairList_Free(m->device, &m->trianglePairs[k]);
        wfCandidates_Free(m->device, &m->work[k]);
    }
    wfBuffer* buffers[] = {&m->from,      &m->to,      &m->half,  &m->nearHalf, &m->ringStart,  &m->ring,
                           &m->surfaceOf, &m->layerOf, &m->quads, &m->planes,   &m->clothEdges, &m->rimStart,
                           &m->rim,       &m->flags,   &m->list,  &m->scratch,  &m->way,        &m->strayed};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(m->device, buffers[k]);
}

// ---- a step -------------------------------------------------------------------------------------------------------------------

void wfContactMesh_Place(wfContactMesh* m, const wfStepContext* ctx) {
    const wfState* state = ctx->state;
    ContactPlaceArgs args = {
        .xStart = wfData(&state->xStart, wfVec4),
        .x = wfData(&state->x, wfVec4),
        .target = wfData(&state->target, wfVec4),
        .half = wfData(&m->half, float),
        .from = wfData(&m->from, wfVec4),
        .to = wfData(&m->to, wfVec4),
    };
    wfLaunch(m->device, ContactPlace, m->clothVertexCount, &args);
    size_t n = (size_t)m->clothVertexCount, bodyCount = (size_t)m->vertexCount - n;
    if (bodyCount == 0 || (m->bodiesFitted && ctx->colliders->still)) return;
    m->bodiesFitted = false;
    wfBuffer from = View(&m->from, n, bodyCount), to = View(&m->to, n, bodyCount);
    wfCopy(m->device, &from, &ctx->colliders->from, bodyCount);
    wfCopy(m->device, &to, &ctx->colliders->to, bodyCount);
}

wfRims wfContactMesh_Rims(const wfContactMesh* m) {
    return (wfRims){wfData(&m->rimStart, int), wfData(&m->rim, wfPair), m->clothVertexCount};
}

wfNearThickness wfContactMesh_NearThickness(const wfContactMesh* m) {
    return (wfNearThickness){
        .half = m->nearHalf.count > 0 ? wfData(&m->nearHalf, float) : NULL,
        .ringStart = wfData(&m->ringStart, int),
        .ring = wfData(&m->ring, int),
        .clothVertexCount = m->clothVertexCount,
    };
}

// The vertices near planes to m->list; how many.
static int FindPlanes(wfContactMesh* m, const wfBuffer* marks, float margin) {
    int items = (int)m->planes.count * m->clothVertexCount;
    if (items == 0) return 0;
    wfReserve(m->device, &m->flags, (size_t)items);
    PlaneNearArgs args = {
        .from = wfData(&m->from, wfVec4),
        .to = wfData(&m->to, wfVec4),
        .planes = wfData(&m->planes, wfTriangle),
        .marks = marks != NULL ? wfData(marks, int) : NULL,
        .flags = wfData(&m->flags, int),
        .clothVertexCount = m->clothVertexCount,
        .margin = margin,
    };
    wfLaunch(m->device, PlaneNear, items, &args);
    int near = wfCountFlagged(m->device, args.flags, items, &m->scratch);
    wfReserve(m->device, &m->list, (size_t)near);
    wfListFlagged(m->device, args.flags, wfData(&m->list, int), items, &m->scratch);
    return near;
}

// How many candidates of each kind there are. Waits.
static bool CountSelf(wfContactMesh* m, const wfBuffer* from, const wfBuffer* to, const wfBuffer* marks, float margin,
                      int totals[wf_candidateKindCount], wfError* err) {
    float radius = m->thickest + 0.5f * margin; // two of them are met by twice that
    wfBroad_Update(m->cloth, from, to, radius);
    wfElements_Move(&m->clothElements, from, to, wf_paceEven, radius);
    if (marks != NULL) wfElements_Mark(&m->clothElements, marks);
    WF_TRY(wfBroad_FindSelf(m->cloth, &m->trianglePairs[0], err));
    const bool asked[wf_candidateKindCount] = {[wf_vertexTriangle] = true, [wf_edgeEdge] = true};
    return wfCandidates_Count(&m->work[0], &m->clothElements, NULL, &m->trianglePairs[0], asked, totals, err);
}

// After CountSelf, which has fitted the bounds of the cloths.
static bool CountAgainst(wfContactMesh* m, float margin, int totals[wf_candidateKindCount], wfError* err) {
    for (int kind = 0; kind < wf_candidateKindCount; ++kind) totals[kind] = 0;
    if (m->bodies == NULL) return true;
    size_t n = (size_t)m->clothVertexCount, bodyCount = (size_t)m->vertexCount - n;
    if (!m->bodiesFitted) { // the margin is always the same
        wfBuffer from = View(&m->from, n, bodyCount), to = View(&m->to, n, bodyCount);
        wfBroad_Update(m->bodies, &from, &to, 0.5f * margin);
        wfElements_Move(&m->bodyElements, &from, &to, wf_paceEven, 0.5f * margin);
        m->bodiesFitted = true;
    }
    WF_TRY(wfBroad_FindAgainst(m->cloth, m->bodies, &m->trianglePairs[1], err));
    const bool asked[wf_candidateKindCount] = {[wf_vertexTriangle] = true, [wf_triangleVertex] = true, [wf_edgeEdge] = true};
    return wfCandidates_Count(&m->work[1], &m->clothElements, &m->bodyElements, &m->trianglePairs[1], asked, totals, err);
}

// Leaves less room than wfReserve when it grows: the count has some, and most of the memory is a few numbers a pair.
static void ReservePairs(wfContactMesh* m, size_t count) {
    if (count > m->quads.capacity) wfReserveExactly(m->device, &m->quads, count + count / 32);
    wfReserve(m->device, &m->quads, count);
}

// Of marked vertices, or of all where marks is NULL. *added: false: there is no room, and nothing was added.
static bool FindPairs(wfContactMesh* m, const wfBuffer* clothFrom, const wfBuffer* clothTo, const wfBuffer* marks, float margin,
                      bool* added, wfError* err) {
    if (marks == NULL) m->ranges.searches = 0;
    *added = m->ranges.searches < wf_mostSearches;
    if (!*added) return true;
    int self[wf_candidateKindCount], against[wf_candidateKindCount];
    WF_TRY(CountSelf(m, clothFrom, clothTo, marks, margin, self, err));
    WF_TRY(CountAgainst(m, margin, against, err));
    int planeCount = FindPlanes(m, marks, margin), n = m->clothVertexCount, at = wfQuadRanges_Count(&m->ranges);
    int64_t points = (int64_t)self[wf_vertexTriangle] + against[wf_vertexTriangle] + against[wf_triangleVertex];
    int64_t edges = (int64_t)self[wf_edgeEdge] + against[wf_edgeEdge], all = at + points + edges + planeCount;
    if (all > INT_MAX / 4) return wfFail(err, wf_stepFailed, "contact: %lld pairs may touch, more than can be counted", (long long)all);
    *added = marks == NULL || (size_t)all <= m->quads.count;
    if (!*added) return true;
    // With room for what is found again. What was there before does not count: a run that is taken up again must find the same.
    if (marks == NULL) ReservePairs(m, (size_t)(all + all / 8));
    int* end = m->ranges.end + 3 * m->ranges.searches;
    end[0] = at + (int)points;
    end[1] = end[0] + (int)edges;
    end[2] = (int)all;
    m->ranges.searches += 1;
    wfQuad *out = wfData(&m->quads, wfQuad), *withBodies = out + at + self[wf_vertexTriangle];
    wfQuad* const toSelf[wf_candidateKindCount] = {[wf_vertexTriangle] = out + at, [wf_edgeEdge] = out + end[0]};
    wfQuad* const toAgainst[wf_candidateKindCount] = {[wf_vertexTriangle] = withBodies,
                                                      [wf_triangleVertex] = withBodies + against[wf_vertexTriangle],
                                                      [wf_edgeEdge] = out + end[0] + self[wf_edgeEdge]};
    wfCandidates_Write(&m->work[0], &m->clothElements, NULL, &m->trianglePairs[0], self, toSelf, 0);
    if (m->bodies != NULL)
        wfCandidates_Write(&m->work[1], &m->clothElements, &m->bodyElements, &m->trianglePairs[1], against, toAgainst, n);
    QuadsOfPlanesArgs planes = {wfData(&m->list, int), wfData(&m->planes, wfTriangle), out + end[1], n};
    wfLaunch(m->device, QuadsOfPlanes, planeCount, &planes);
    return wfDevice_Sync(m->device, err);
}

bool wfContactMesh_FindPairs(wfContactMesh* m, float margin, wfError* err) {
    wfBuffer from = View(&m->from, 0, (size_t)m->clothVertexCount), to = View(&m->to, 0, (size_t)m->clothVertexCount);
    bool added;
    m->margin = margin;
    wfCopy(m->device, &m->way, &to, (size_t)m->clothVertexCount);
    return FindPairs(m, &from, &to, NULL, margin, &added, err);
}

bool wfContactMesh_FindAgain(wfContactMesh* m, wfPairsChange* change, wfError* err) {
    int n = m->clothVertexCount;
    ContactStrayArgs args = {
        .to = wfData(&m->to, wfVec4),
        .way = wfData(&m->way, wfVec4),
        .strayed = wfData(&m->strayed, int),
        .leash = 0.5f * m->margin, // both of a pair may go that far
    };
    wfLaunch(m->device, ContactStray, n, &args);
    int strayed = wfCountFlagged(m->device, args.strayed, n, &m->scratch);
    *change = wf_pairsHold;
    if (strayed == 0) return true;
    bool added = (float)strayed <= s_few * (float)n;
    wfBuffer from = View(&m->from, 0, (size_t)n);
    if (added) WF_TRY(FindPairs(m, &from, &m->way, &m->strayed, m->margin, &added, err));
    *change = added ? wf_pairsAdded : wf_pairsNew;
    return added || wfContactMesh_FindPairs(m, m->margin, err);
}

bool wfContactMesh_FindNear(wfContactMesh* m, const wfBuffer* at, float margin, wfError* err) {
    wfBuffer cloth = View(at, 0, (size_t)m->clothVertexCount);
    bool added;
    return FindPairs(m, &cloth, NULL, NULL, margin, &added, err);
}
