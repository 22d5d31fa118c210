// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/impulse.h"

#include "compute/primitives.h"
#include "contact/impact_zones.h"
#include "contact/impulse_kernels.h"

#include <stdlib.h>
#include <stdio.h>

static const float s_separation = 1e-6f; // [m] nearer than this is a collision
static const float s_fraction = 0.1f;    // of an overlap that a step takes back
static const float s_margin = 2.0f;      // of the thickness: how far vertices may leave their way before pairs are looked for again
static const float s_little = 0.5f;      // of half the thickness: what need not go back to the dynamics
static const wfEdgeLimits s_limits = {.strain = 0.1f, .rate = 0.1f};
enum { Sweeps = 16 };

struct wfImpulse {
    wfContactMesh mesh;
    wfBuffer friction; // wfFriction
    float stiffness;   // [N/m]
    int surfaceCount;
    wfBuffer sides, times;       // of each pair: wfVec4, float
    wfBuffer flags, list, count; // int
    wfBuffer touches, responses, changes;
    int touchCount;
    wfBuffer keys, values, first, last; // contacts of each cloth vertex
    wfBuffer moves, way, astray, largest, largestAt;
    wfBuffer rest, answered; // of each edge of the cloths: float, int
    wfBuffer scratch;
    float margin; // [m]
    // Impact zones, on the host.
    wfImpactZones* zones;
    wfZoneBody* zoneBodies;
    int* bodyOf; // of each vertex of the colliders
    wfHit* hits;
    int hitRoom;
    wfBuffer hitQuads;
    wfVec4 *from, *to; // mesh.from, mesh.to
};

static void Destroy(void* self, wfDevice* device) {
    wfImpulse* p = self;
    if (p == NULL) return;
    wfContactMesh_Free(&p->mesh);
    wfDestroyImpactZones(p->zones);
    free(p->zoneBodies);
    free(p->bodyOf);
    free(p->hits);
    free(p->from);
    free(p->to);
    wfBuffer* buffers[] = {&p->friction, &p->sides,     &p->times,  &p->flags,    &p->list,     &p->count,  &p->touches, &p->responses,
                           &p->changes,  &p->keys,      &p->values, &p->first,    &p->last,     &p->moves,  &p->way,     &p->astray,
                           &p->largest,  &p->largestAt, &p->rest,   &p->answered, &p->hitQuads, &p->scratch};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(device, buffers[k]);
    free(p);
}

static void MakeBuffers(wfImpulse* p) {
    p->friction = wfMakeBuffer(sizeof(wfFriction), "impulse.friction");
    p->sides = wfMakeBuffer(sizeof(wfVec4), "impulse.sides");
    p->times = wfMakeBuffer(sizeof(float), "impulse.times");
    p->flags = wfMakeBuffer(sizeof(int), "impulse.flags");
    p->list = wfMakeBuffer(sizeof(int), "impulse.list");
    p->count = wfMakeBuffer(sizeof(int), "impulse.count");
    p->touches = wfMakeBuffer(sizeof(wfTouch), "impulse.touches");
    p->responses = wfMakeBuffer(sizeof(wfResponse), "impulse.responses");
    p->changes = wfMakeBuffer(sizeof(wfVec4), "impulse.changes");
    p->keys = wfMakeBuffer(sizeof(uint32_t), "impulse.keys");
    p->values = wfMakeBuffer(sizeof(int), "impulse.values");
    p->first = wfMakeBuffer(sizeof(int), "impulse.first");
    p->last = wfMakeBuffer(sizeof(int), "impulse.last");
    p->moves = wfMakeBuffer(sizeof(wfVec4), "impulse.moves");
    p->way = wfMakeBuffer(sizeof(wfVec4), "impulse.way");
    p->astray = wfMakeBuffer(sizeof(float), "impulse.astray");
    p->largest = wfMakeBuffer(sizeof(float), "impulse.largest");
    p->largestAt = wfMakeBuffer(sizeof(int), "impulse.largestAt");
    p->rest = wfMakeBuffer(sizeof(float), "impulse.rest");
    p->answered = wfMakeBuffer(sizeof(int), "impulse.answered");
    p->hitQuads = wfMakeBuffer(sizeof(wfQuad), "impulse.hitQuads");
    p->scratch = wfMakeBuffer(1, "impulse.scratch");
}

static bool UploadRestLengths(wfImpulse* p, wfDevice* device, const wfModel* model, wfError* err) {
    const wfTopology* t = model->topology;
    wfArena arena = {0};
    float* rest = wfArena_New(&arena, float, t->edgeCount, "rest lengths", err);
    for (int i = 0; rest != NULL && i < t->triangleCount; ++i)
        for (int k = 0; k < 3; ++k) {
            const wfVec2 *a = &model->flat[i].corner[k], *b = &model->flat[i].corner[(k + 1) % 3];
            rest[t->triangleEdges[i][k]] = hypotf(b->x - a->x, b->y - a->y);
        }
    bool ok = rest != NULL;
    if (ok) wfUpload(device, &p->rest, rest, (size_t)t->edgeCount);
    wfReserve(device, &p->answered, (size_t)t->edgeCount);
    ok = ok && wfDevice_Sync(device, err);
    wfArena_Free(&arena);
    return ok;
}

static bool CreateZones(wfImpulse* p, const wfColliderSet* colliders, wfError* err) {
    p->zoneBodies = calloc((size_t)colliders->bodyCount + 1, sizeof *p->zoneBodies);
    p->bodyOf = calloc((size_t)colliders->vertexCount + 1, sizeof *p->bodyOf);
    if (p->zoneBodies == NULL || p->bodyOf == NULL) return wfFail(err, wf_outOfMemory, "out of memory for contact");
    for (int b = 0; b < colliders->bodyCount; ++b)
        for (int v = 0; v < colliders->bodies[b].vertexCount; ++v) p->bodyOf[colliders->bodies[b].firstVertex + v] = b;
    p->zones = wfCreateImpactZones(p->mesh.clothVertexCount, p->mesh.vertexCount, p->bodyOf, err);
    return p->zones != NULL;
}

static void* Create(wfDevice* device, const wfModel* model, const wfColliderSet* colliders, wfError* err) {
    wfImpulse* p = calloc(1, sizeof *p);
    if (p == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for contact");
        return NULL;
    }
    MakeBuffers(p);
    size_t n = (size_t)model->vertexCount;
    p->surfaceCount = model->surfaceCount;
    wfUpload(device, &p->friction, model->friction, (size_t)model->surfaceCount * (size_t)model->surfaceCount);
    wfReserve(device, &p->count, 1);
    wfReserve(device, &p->first, n + 1);
    wfReserve(device, &p->last, n + 1);
    wfReserve(device, &p->way, n);
    wfReserve(device, &p->astray, n);
    wfReserve(device, &p->largest, 1);
    wfReserve(device, &p->largestAt, 1);
    // As stiff as the cloth is along its threads: "matching the stiffness of the stretch springs gave good results".
    for (int c = 0; c < model->clothCount; ++c) p->stiffness = fmaxf(p->stiffness, model->cloths[c].fabric.stretch);
    bool ok = wfContactMesh_Create(&p->mesh, device, model, colliders, err) && UploadRestLengths(p, device, model, err) &&
              CreateZones(p, colliders, err);
    wfReserve(device, &p->moves, (size_t)p->mesh.vertexCount);
    p->margin = 2.0f * s_margin * p->mesh.thickest;
    if (ok && wfDevice_Sync(device, err)) return p;
    Destroy(p, device);
    return NULL;
}

// ---- contacts -----------------------------------------------------------------------------------------------------------------

static int PairCount(const wfImpulse* p) { return p->mesh.pointCount + p->mesh.edgeCount + p->mesh.planeCount; }

// The flagged ones of `count` to p->list. Waits.
static int ListFlagged(wfImpulse* p, wfDevice* device, int count) {
    wfCompact(device, wfData(&p->flags, int), wfData(&p->list, int), wfData(&p->count, int), count, &p->scratch);
    return wfReadInt(device, wfData(&p->count, int));
}

// Room for `count` elements, of which the first `kept` stay.
static void Grow(wfDevice* device, wfBuffer* buffer, size_t kept, size_t count) {
    if (count <= buffer->capacity) {
        buffer->count = count;
        return;
    }
    wfBuffer larger = wfMakeBuffer(buffer->stride, buffer->name);
    wfReserve(device, &larger, count + count / 2);
    if (kept > 0) wfCopy(device, &larger, buffer, kept);
    wfFreeBuffer(device, buffer);
    *buffer = larger;
    buffer->count = count;
}

static void MakeRoom(wfImpulse* p, wfDevice* device, int count) {
    size_t kept = (size_t)p->touchCount, all = kept + (size_t)count;
    Grow(device, &p->touches, kept, all);
    Grow(device, &p->responses, kept, all);
    Grow(device, &p->changes, 0, all);
    Grow(device, &p->keys, 0, 4 * all);
    Grow(device, &p->values, 0, 4 * all);
}

// Which contacts each vertex has. In the order of contacts, so that sums have one order.
static void SortTouches(wfImpulse* p, wfDevice* device) {
    int none = p->mesh.clothVertexCount, entries = 4 * p->touchCount, bits = 1;
    while (none >> bits != 0) ++bits;
    wfZero(device, &p->first);
    wfZero(device, &p->last);
    TouchEntriesArgs fill = {
        .touches = wfData(&p->touches, wfTouch),
        .from = wfData(&p->mesh.from, wfVec4),
        .keys = wfData(&p->keys, uint32_t),
        .values = wfData(&p->values, int),
        .none = none,
    };
    wfLaunch(device, TouchEntries, p->touchCount, &fill);
    wfSortPairs(device, fill.keys, fill.values, entries, bits, &p->scratch);
    TouchRangesArgs ranges = {fill.keys, wfData(&p->first, int), wfData(&p->last, int), entries};
    wfLaunch(device, TouchRanges, entries, &ranges);
}

// Adds the edges that the motion would stretch or shrink too much. Waits.
static void LimitEdges(wfImpulse* p, wfDevice* device) {
    int edgeCount = (int)p->rest.count;
    EdgeOverArgs over = {
        .from = wfData(&p->mesh.from, wfVec4),
        .to = wfData(&p->mesh.to, wfVec4),
        .edges = wfData(&p->mesh.clothEdges, wfPair),
        .rest = wfData(&p->rest, float),
        .answered = wfData(&p->answered, int),
        .flags = wfData(&p->flags, int),
        .limits = s_limits,
    };
    wfLaunch(device, EdgeOver, edgeCount, &over);
    int count = ListFlagged(p, device, edgeCount);
    MakeRoom(p, device, count);
    TouchEdgeArgs add = {
        .from = over.from,
        .to = over.to,
        .edges = over.edges,
        .rest = over.rest,
        .list = wfData(&p->list, int),
        .answered = wfData(&p->answered, int),
        .touches = wfData(&p->touches, wfTouch) + p->touchCount,
        .responses = wfData(&p->responses, wfResponse) + p->touchCount,
        .limits = s_limits,
    };
    wfLaunch(device, TouchEdge, count, &add);
    p->touchCount += count;
}

static wfTouchRules Rules(const wfImpulse* p, float dt) { return (wfTouchRules){s_fraction, p->stiffness, dt}; }

static void Solve(wfImpulse* p, wfDevice* device) {
    if (p->touchCount == 0) return;
    TouchSolveArgs solve = {
        .touches = wfData(&p->touches, wfTouch),
        .responses = wfData(&p->responses, wfResponse),
        .moves = wfData(&p->moves, wfVec4),
        .changes = wfData(&p->changes, wfVec4),
    };
    TouchApplyArgs apply = {
        .touches = solve.touches,
        .changes = solve.changes,
        .from = wfData(&p->mesh.from, wfVec4),
        .first = wfData(&p->first, int),
        .last = wfData(&p->last, int),
        .values = wfData(&p->values, int),
        .moves = wfData(&p->moves, wfVec4),
    };
    for (int sweep = 0; sweep <= Sweeps; ++sweep) { // the first one only finds what is active
        solve.give = sweep > 0;
        wfLaunch(device, TouchSolve, p->touchCount, &solve);
        wfLaunch(device, TouchApply, p->mesh.clothVertexCount, &apply);
    }
    TouchPlaceArgs place = {
        .from = apply.from,
        .moves = apply.moves,
        .way = wfData(&p->way, wfVec4),
        .first = apply.first,
        .last = apply.last,
        .to = wfData(&p->mesh.to, wfVec4),
        .astray = wfData(&p->astray, float),
    };
    wfLaunch(device, TouchPlace, p->mesh.clothVertexCount, &place);
}

// ---- pieces -------------------------------------------------------------------------------------------------------------------

static bool FindPairs(wfImpulse* p, const wfStepContext* ctx, wfError* err) {
    WF_TRY(wfContactMesh_FindPairs(&p->mesh, p->margin, err));
    size_t pairs = (size_t)PairCount(p), items = pairs > p->rest.count ? pairs : p->rest.count;
    wfCopy(ctx->device, &p->way, &p->mesh.to, (size_t)p->mesh.clothVertexCount);
    wfReserve(ctx->device, &p->sides, pairs);
    wfReserve(ctx->device, &p->times, pairs);
    wfReserve(ctx->device, &p->flags, items);
    wfReserve(ctx->device, &p->list, items);
    PairStartArgs args = {
        .from = wfData(&p->mesh.from, wfVec4),
        .to = wfData(&p->mesh.to, wfVec4),
        .quads = wfData(&p->mesh.quads, wfQuad),
        .sides = wfData(&p->sides, wfVec4),
        .flags = wfData(&p->flags, int),
        .pointCount = p->mesh.pointCount,
        .edgeCount = p->mesh.edgeCount,
    };
    wfLaunch(ctx->device, PairStart, (int)pairs, &args);
    return true;
}

bool wfImpulse_Find(wfImpulse* p, const wfStepContext* ctx, wfError* err) {
    wfDevice* device = ctx->device;
    wfContactMesh_Place(&p->mesh, ctx);
    p->touchCount = 0;
    WF_TRY(FindPairs(p, ctx, err));
    int near = ListFlagged(p, device, PairCount(p));
    MakeRoom(p, device, near);
    TouchNearArgs args = {
        .from = wfData(&p->mesh.from, wfVec4),
        .to = wfData(&p->mesh.to, wfVec4),
        .quads = wfData(&p->mesh.quads, wfQuad),
        .list = wfData(&p->list, int),
        .surfaceOf = wfData(&p->mesh.surfaceOf, int),
        .friction = wfData(&p->friction, wfFriction),
        .touches = wfData(&p->touches, wfTouch),
        .responses = wfData(&p->responses, wfResponse),
        .rules = Rules(p, ctx->dt),
        .pointCount = p->mesh.pointCount,
        .edgeCount = p->mesh.edgeCount,
        .surfaceCount = p->surfaceCount,
    };
    wfLaunch(device, TouchNear, near, &args);
    p->touchCount = near;
    wfZero(device, &p->answered);
    LimitEdges(p, device);
    TouchMovesArgs moves = {args.from, args.to, wfData(&p->moves, wfVec4)};
    wfLaunch(device, TouchMoves, p->mesh.vertexCount, &moves);
    SortTouches(p, device);
    return wfDevice_Sync(device, err);
}

void wfImpulse_Repel(wfImpulse* p, const wfStepContext* ctx) { Solve(p, ctx->device); }

// Of p->astray. Waits.
static float Largest(wfImpulse* p, wfDevice* device) {
    wfMaxIndex(device, wfData(&p->astray, float), wfData(&p->largest, float), wfData(&p->largestAt, int), p->mesh.clothVertexCount,
               &p->scratch);
    return wfReadFloat(device, wfData(&p->largest, float));
}

// Whether a vertex has left its way so far that pairs may be missing. Waits.
static bool IsAstray(wfImpulse* p, wfDevice* device) { return p->touchCount > 0 && !(Largest(p, device) <= 0.5f * p->margin); }

// The pairs that meet on their way to p->list. Waits.
static int FindHits(wfImpulse* p, wfDevice* device) {
    PairTimesArgs args = {
        .from = wfData(&p->mesh.from, wfVec4),
        .to = wfData(&p->mesh.to, wfVec4),
        .sides = wfData(&p->sides, wfVec4),
        .quads = wfData(&p->mesh.quads, wfQuad),
        .times = wfData(&p->times, float),
        .flags = wfData(&p->flags, int),
        .pointCount = p->mesh.pointCount,
        .edgeCount = p->mesh.edgeCount,
        .separation = s_separation,
    };
    wfLaunch(device, PairTimes, PairCount(p), &args);
    return ListFlagged(p, device, PairCount(p));
}

bool wfImpulse_Collide(wfImpulse* p, const wfStepContext* ctx, int* hits, wfError* err) {
    wfDevice* device = ctx->device;
    if (IsAstray(p, device)) WF_TRY(FindPairs(p, ctx, err));
    int met = *hits = FindHits(p, device);
    if (met == 0) return wfDevice_Sync(device, err);
    MakeRoom(p, device, met);
    TouchHitArgs add = {
        .from = wfData(&p->mesh.from, wfVec4),
        .to = wfData(&p->mesh.to, wfVec4),
        .sides = wfData(&p->sides, wfVec4),
        .quads = wfData(&p->mesh.quads, wfQuad),
        .times = wfData(&p->times, float),
        .list = wfData(&p->list, int),
        .surfaceOf = wfData(&p->mesh.surfaceOf, int),
        .friction = wfData(&p->friction, wfFriction),
        .touches = wfData(&p->touches, wfTouch) + p->touchCount,
        .responses = wfData(&p->responses, wfResponse) + p->touchCount,
        .rules = Rules(p, ctx->dt),
        .pointCount = p->mesh.pointCount,
        .edgeCount = p->mesh.edgeCount,
        .surfaceCount = p->surfaceCount,
    };
    wfLaunch(device, TouchHit, met, &add);
    p->touchCount += met;
    LimitEdges(p, device);
    SortTouches(p, device);
    Solve(p, device);
    return wfDevice_Sync(device, err);
}

bool wfImpulse_MovesLittle(wfImpulse* p, const wfStepContext* ctx) {
    if (p->touchCount == 0) return true;
    ContactShiftArgs args = {wfData(&p->mesh.to, wfVec4), wfData(&ctx->state->x, wfVec4), wfData(&p->astray, float)};
    wfLaunch(ctx->device, ContactShift, p->mesh.clothVertexCount, &args);
    return !(Largest(p, ctx->device) > s_little * p->mesh.thickest);
}

void wfImpulse_Couple(wfImpulse* p, const wfStepContext* ctx) {
    ContactCoupleArgs args = {
        .to = wfData(&p->mesh.to, wfVec4),
        .x = wfData(&ctx->state->x, wfVec4),
        .target = wfData(&ctx->state->target, wfVec4),
    };
    wfLaunch(ctx->device, ContactCouple, p->mesh.clothVertexCount, &args);
}

void wfImpulse_Again(wfImpulse* p, const wfStepContext* ctx) {
    wfContactMesh_Place(&p->mesh, ctx);
    TouchMovesArgs moves = {wfData(&p->mesh.from, wfVec4), wfData(&p->mesh.to, wfVec4), wfData(&p->moves, wfVec4)};
    wfLaunch(ctx->device, TouchMoves, p->mesh.vertexCount, &moves);
    TouchAstrayArgs args = {moves.from, moves.to, wfData(&p->way, wfVec4), wfData(&p->astray, float)};
    wfLaunch(ctx->device, TouchAstray, p->mesh.clothVertexCount, &args);
    Solve(p, ctx->device);
}

// ---- rigid impact zones -------------------------------------------------------------------------------------------------------

// The pairs of p->list as hits. Waits.
static bool ReadHits(wfImpulse* p, wfDevice* device, int count, wfError* err) {
    if (count > p->hitRoom) {
        wfHit* hits = realloc(p->hits, ((size_t)count + (size_t)count / 2) * sizeof *hits);
        if (hits == NULL) return wfFail(err, wf_outOfMemory, "out of memory for %d collisions", count);
        p->hits = hits;
        p->hitRoom = count + count / 2;
    }
    wfReserve(device, &p->hitQuads, (size_t)count);
    HitQuadsArgs args = {wfData(&p->mesh.quads, wfQuad), wfData(&p->list, int), wfData(&p->hitQuads, wfQuad)};
    wfLaunch(device, HitQuads, count, &args);
    return wfDownload(device, p->hits, &p->hitQuads, 0, (size_t)count, err);
}

// Names what cannot be resolved: a cloth vertex, and what it meets.
static bool FailStuck(const wfImpulse* p, const wfStepContext* ctx, wfError* err) {
    int vertex = -1, other = -1, local = 0;
    for (int k = 3; k >= 0; --k) {
        int v = p->hits[0].v[k];
        if (v < p->mesh.clothVertexCount)
            vertex = v;
        else
            other = p->bodyOf[v - p->mesh.clothVertexCount];
    }
    const wfClothRange* cloth = wfModel_FindCloth(ctx->model, vertex, &local);
    char with[80] = "cloth";
    if (other >= 0) snprintf(with, sizeof with, "collider \"%s\"", ctx->colliders->bodies[other].name);
    return wfFail(err, wf_stepFailed, "cloth \"%s\", vertex %d: a collision with %s cannot be resolved, by impulses or as a rigid piece",
                  cloth->name, local, with);
}

bool wfImpulse_Freeze(wfImpulse* p, const wfStepContext* ctx, wfError* err) {
    wfDevice* device = ctx->device;
    wfContactMesh* m = &p->mesh;
    size_t n = (size_t)m->vertexCount, clothCount = (size_t)m->clothVertexCount;
    if (p->from == NULL) {
        p->from = malloc(n * sizeof *p->from);
        p->to = malloc(n * sizeof *p->to);
        if (p->from == NULL || p->to == NULL) return wfFail(err, wf_outOfMemory, "out of memory for impact zones");
    }
    WF_TRY(wfDownload(device, p->from, &m->from, 0, n, err));
    WF_TRY(wfDownload(device, p->to, &m->to, 0, n, err));
    for (int b = 0; b < ctx->colliders->bodyCount; ++b) {
        const wfBodyRange* body = &ctx->colliders->bodies[b];
        p->zoneBodies[b] = (wfZoneBody){body->start, body->end, body->rigid};
    }
    wfImpactZones_Begin(p->zones, &(wfZoneStep){p->from, p->to, p->zoneBodies, ctx->colliders->bodyCount});
    for (;;) {
        int met = FindHits(p, device);
        if (met == 0) return wfDevice_Sync(device, err);
        WF_TRY(ReadHits(p, device, met, err));
        bool grew = false;
        WF_TRY(wfImpactZones_Grow(p->zones, p->hits, met, &grew, err));
        if (!grew) return FailStuck(p, ctx, err);
        WF_TRY(wfImpactZones_Move(p->zones, err));
        wfUploadRange(device, &m->to, 0, p->to, clothCount);
        TouchAstrayArgs args = {wfData(&m->from, wfVec4), wfData(&m->to, wfVec4), wfData(&p->way, wfVec4), wfData(&p->astray, float)};
        wfLaunch(device, TouchAstray, (int)clothCount, &args);
        if (IsAstray(p, device)) WF_TRY(FindPairs(p, ctx, err));
    }
}

void wfImpulse_Leave(wfImpulse* p, const wfStepContext* ctx) {
    ContactLeaveArgs args = {
        .to = wfData(&p->mesh.to, wfVec4),
        .x = wfData(&ctx->state->x, wfVec4),
    };
    wfLaunch(ctx->device, ContactLeave, p->mesh.clothVertexCount, &args);
}

static int64_t Count(void* self, const wfStepContext* ctx) {
    (void)ctx;
    const wfImpulse* p = self;
    return p->touchCount;
}

const wfContactType wfImpulseContact = {
    .name = "impulse",
    .about = "cloth against itself and every collider: repulsion, friction, collisions stopped on their way, rigid impact zones (Bridson "
             "et al. 2002)",
    .selfContact = true,
    .meshContact = true,
    .create = Create,
    .destroy = Destroy,
    .count = Count,
};
