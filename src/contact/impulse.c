// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/impulse.h"

#include "compute/kernel.h"
#include "compute/primitives.h"
#include "contact/carry.h"
#include "contact/impact_zones.h"
#include "contact/impulse_kernels.h"
#include "contact/pinch.h"

#include <stdlib.h>

static const float s_separation = 1e-6f;    // [m] nearer than this is a collision
static const float s_fraction = 0.1f;       // of an overlap that a step takes back
static const float s_margin = 2.0f;         // of the thickness: half of it vertices may leave their way before pairs are looked for again
static const float s_marginPerEdge = 0.25f; // of a mean edge: more would make pairs of much of what is beside each other in the cloth
static const float s_little = 0.5f;         // of half the thickness: what need not go back to the dynamics
static const float s_much = 0.2f;           // of a mean edge: what it should have known of
static const float s_still = 1e-3f;         // [m/s] along a surface: what is slower counts as at rest on it
static const float s_part = 0.01f;          // of a mean edge: what it may be stretched by where it touches here and there
enum { LimitRounds = 3 };                   // each may find edges that the last one has stretched
static const wfEdgeLimits s_limits = {.strain = 0.1f, .rate = 0.1f};

struct wfImpulse {
    wfContactMesh mesh;
    wfBuffer friction; // wfFriction
    int surfaceCount;
    wfTouches touches;
    int nearCount; // of the touches, the first: what was near at the beginning of the step
    wfCarry carry;
    wfBuffer target; // wfVec4: state->target as the dynamics began with it
    wfBuffer v;      // wfVec4: state->v at the beginning of the step
    wfBuffer sides;  // wfSide a pair
    wfBuffer flags;  // int a pair or an edge: when it meets, whether it is near or too long; 0: it does not, it is not
    wfBuffer list;   // int: those of which flags are not 0
    wfBuffer shifts, largest, largestAt;
    wfBuffer toward;         // wfVec4: of all vertices
    wfBuffer rest, answered; // of each edge of the cloths: float, uint8_t
    wfBuffer limited;        // wfPair: of the touches that are limits of edges, the touch and the edge
    int limitedCount;
    bool knowing; // whether the dynamics that proposes knows of the contacts
    wfBuffer scratch;
    float margin, reach, meanEdge; // [m]
    wfPinch* pinch;
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
    wfDestroyPinch(p->pinch);
    wfDestroyImpactZones(p->zones);
    free(p->zoneBodies);
    free(p->bodyOf);
    free(p->hits);
    free(p->from);
    free(p->to);
    wfTouches_Free(&p->touches);
    wfCarry_Free(&p->carry, device);
    wfBuffer* buffers[] = {&p->friction, &p->target,   &p->sides,    &p->flags,   &p->list, &p->shifts, &p->largest, &p->largestAt,
                           &p->rest,     &p->answered, &p->hitQuads, &p->scratch, &p->v,    &p->toward, &p->limited};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(device, buffers[k]);
    free(p);
}

static void MakeBuffers(wfImpulse* p) {
    p->friction = wfMakeBuffer(sizeof(wfFriction), "impulse.friction");
    p->sides = wfMakeBuffer(sizeof(wfSide), "impulse.sides");
    p->flags = wfMakeBuffer(sizeof(int), "impulse.flags");
    p->list = wfMakeBuffer(sizeof(int), "impulse.list");
    p->target = wfMakeBuffer(sizeof(wfVec4), "impulse.target");
    p->v = wfMakeBuffer(sizeof(wfVec4), "impulse.v");
    p->shifts = wfMakeBuffer(sizeof(float), "impulse.shifts");
    p->largest = wfMakeBuffer(sizeof(float), "impulse.largest");
    p->largestAt = wfMakeBuffer(sizeof(int), "impulse.largestAt");
    p->rest = wfMakeBuffer(sizeof(float), "impulse.rest");
    p->answered = wfMakeBuffer(sizeof(uint8_t), "impulse.answered");
    p->limited = wfMakeBuffer(sizeof(wfPair), "impulse.limited");
    p->hitQuads = wfMakeBuffer(sizeof(wfQuad), "impulse.hitQuads");
    p->toward = wfMakeBuffer(sizeof(wfVec4), "impulse.toward");
    p->scratch = wfMakeBuffer(1, "impulse.scratch");
    p->carry = wfMakeCarry();
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
    double sum = 0.0;
    for (int e = 0; rest != NULL && e < t->edgeCount; ++e) sum += (double)rest[e];
    p->meanEdge = t->edgeCount > 0 ? (float)(sum / t->edgeCount) : 0.0f;
    bool ok = rest != NULL;
    if (ok) wfUpload(device, &p->rest, rest, (size_t)t->edgeCount);
    wfReserve(device, &p->answered, (size_t)t->edgeCount);
    wfReserve(device, &p->limited, (size_t)t->edgeCount); // each once
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
    wfReserve(device, &p->target, n);
    wfReserve(device, &p->v, n);
    wfReserve(device, &p->shifts, n);
    wfReserve(device, &p->largest, 1);
    wfReserve(device, &p->largestAt, 1);
    // As stiff as the cloth is along its threads: "matching the stiffness of the stretch springs gave good results".
    float stiffness = 0.0f;
    for (int c = 0; c < model->clothCount; ++c) stiffness = fmaxf(stiffness, model->cloths[c].fabric.stretch);
    bool ok = wfContactMesh_Create(&p->mesh, device, model, colliders, err) && UploadRestLengths(p, device, model, err) &&
              CreateZones(p, colliders, err);
    p->pinch = ok ? wfCreatePinch(model, err) : NULL;
    ok = p->pinch != NULL;
    if (ok) wfTouches_Create(&p->touches, device, &p->mesh, stiffness);
    p->margin = fminf(2.0f * s_margin * p->mesh.thickest, s_marginPerEdge * p->meanEdge);
    if (ok && wfDevice_Sync(device, err)) return p;
    Destroy(p, device);
    return NULL;
}

// ---- contacts -----------------------------------------------------------------------------------------------------------------

static int PairCount(const wfImpulse* p) { return wfQuadRanges_Count(&p->mesh.ranges); }

// The flagged ones of `count` to p->list. Waits.
static int ListFlagged(wfImpulse* p, wfDevice* device, int count) {
    int flagged = wfCountFlagged(device, wfData(&p->flags, int), count, &p->scratch);
    if (flagged == 0) return 0;
    wfReserve(device, &p->list, (size_t)flagged);
    wfListFlagged(device, wfData(&p->flags, int), wfData(&p->list, int), count, &p->scratch);
    return flagged;
}

static TouchEdgeArgs EdgeLimits(wfImpulse* p, const wfStepContext* ctx) {
    return (TouchEdgeArgs){
        .from = wfData(&p->mesh.from, wfVec4),
        .to = wfData(&p->mesh.to, wfVec4),
        .proposed = wfData(&ctx->state->x, wfVec4),
        .edges = wfData(&p->mesh.clothEdges, wfPair),
        .rest = wfData(&p->rest, float),
        .list = wfData(&p->list, int),
        .answered = wfData(&p->answered, uint8_t),
        .flags = wfData(&p->flags, int),
        .touches = wfData(&p->touches.touches, wfTouch),
        .responses = wfData(&p->touches.responses, wfResponse),
        .limited = wfData(&p->limited, wfPair),
        .first = p->touches.count,
        .limits = s_limits,
    };
}

// Adds the edges that impulses would stretch or shrink too much; how many. Waits.
static int LimitEdges(wfImpulse* p, const wfStepContext* ctx) {
    wfDevice* device = ctx->device;
    int edgeCount = (int)p->rest.count;
    TouchEdgeArgs over = EdgeLimits(p, ctx);
    wfLaunch(device, EdgeOver, edgeCount, &over);
    int count = ListFlagged(p, device, edgeCount);
    if (count == 0) return 0;
    wfTouches_MakeRoom(&p->touches, count);
    TouchEdgeArgs add = EdgeLimits(p, ctx);
    add.limited += p->limitedCount;
    wfLaunch(device, TouchEdge, count, &add);
    p->touches.count += count;
    p->limitedCount += count;
    return count;
}

static wfTouchRules Rules(const wfImpulse* p, float dt) { return (wfTouchRules){s_fraction, p->touches.stiffness, dt}; }

static void Solve(wfImpulse* p, wfDevice* device) {
    if (p->touches.count == 0) return;
    wfTouches_Solve(&p->touches);
    TouchPlaceArgs place = {
        .from = wfData(&p->mesh.from, wfVec4),
        .moves = wfData(&p->touches.moves, wfVec4),
        .first = wfData(&p->touches.first, int),
        .last = wfData(&p->touches.last, int),
        .to = wfData(&p->mesh.to, wfVec4),
    };
    wfLaunch(device, TouchPlace, p->mesh.clothVertexCount, &place);
}

// Impulses that keep edges within their limits. Waits.
static void SolveWithin(wfImpulse* p, const wfStepContext* ctx) {
    Solve(p, ctx->device);
    for (int round = 0; round < LimitRounds && LimitEdges(p, ctx) > 0; ++round) {
        wfTouches_Sort(&p->touches);
        Solve(p, ctx->device);
    }
}

// ---- pieces -------------------------------------------------------------------------------------------------------------------

// The pairs from `first` on.
static void StartPairs(wfImpulse* p, const wfStepContext* ctx, const wfBuffer* at, const wfBuffer* toward, int first, bool later) {
    PairStartArgs args = {
        .from = wfData(&p->mesh.from, wfVec4),
        .to = wfData(&p->mesh.to, wfVec4),
        .at = wfData(at, wfVec4),
        .toward = wfData(toward, wfVec4),
        .quads = wfData(&p->mesh.quads, wfQuad),
        .sides = wfData(&p->sides, wfSide),
        .flags = wfData(&p->flags, int),
        .reach = p->reach,
        .near = wfContactMesh_NearThickness(&p->mesh),
        .rims = wfContactMesh_Rims(&p->mesh),
        .pinched = ctx->state->pinchedCount > 0 ? wfData(&ctx->state->pinched, int) : NULL,
        .later = later,
        .ranges = p->mesh.ranges,
        .first = first,
        .clothVertexCount = p->mesh.clothVertexCount,
    };
    wfLaunch(ctx->device, PairStart, PairCount(p) - first, &args);
}

static void MakePairRoom(wfImpulse* p, wfDevice* device) {
    size_t pairs = p->mesh.quads.capacity, items = pairs > p->rest.count ? pairs : p->rest.count;
    wfReserveExactly(device, &p->sides, pairs);
    wfReserveExactly(device, &p->flags, items);
}

static bool FindPairsAt(wfImpulse* p, const wfStepContext* ctx, const wfBuffer* at, const wfBuffer* toward, wfError* err) {
    // Who has a reach looks at positions only, and at no way between them.
    WF_TRY(p->reach > 0.0f ? wfContactMesh_FindNear(&p->mesh, at, p->margin, err) : wfContactMesh_FindPairs(&p->mesh, p->margin, err));
    MakePairRoom(p, ctx->device);
    StartPairs(p, ctx, at, toward, 0, false);
    return true;
}

// Pairs for where vertices go now. Of what is looked for again in a step nobody asks which are near. Waits.
static bool FindPairsAgain(wfImpulse* p, const wfStepContext* ctx, wfError* err) {
    int before = PairCount(p);
    wfPairsChange change;
    WF_TRY(wfContactMesh_FindAgain(&p->mesh, &change, err));
    if (change == wf_pairsHold) return true;
    if (change == wf_pairsAdded) {
        PairDropArgs drop = {wfData(&p->mesh.quads, wfQuad), wfData(&p->mesh.strayed, int), wfData(&p->sides, wfSide),
                             p->mesh.clothVertexCount};
        wfLaunch(ctx->device, PairDrop, before, &drop);
    } else {
        MakePairRoom(p, ctx->device);
    }
    StartPairs(p, ctx, &p->mesh.from, &p->mesh.to, change == wf_pairsAdded ? before : 0, true);
    return true;
}

static wfTouchFriction Friction(const wfImpulse* p, const wfStepContext* ctx) {
    return (wfTouchFriction){
        .table = wfData(&p->friction, wfFriction),
        .surfaceOf = wfData(&p->mesh.surfaceOf, int),
        .v = wfData(&ctx->state->v, wfVec4),
        .surfaceCount = p->surfaceCount,
        .clothVertexCount = p->mesh.clothVertexCount,
        .dt = ctx->dt,
        .still = s_still,
    };
}

// Contacts where pairs are nearer than their thickness and the reach. Waits.
static void AddNear(wfImpulse* p, const wfStepContext* ctx, const wfBuffer* at) {
    int near = ListFlagged(p, ctx->device, PairCount(p));
    wfTouches_MakeRoom(&p->touches, near);
    TouchNearArgs args = {
        .from = wfData(&p->mesh.from, wfVec4),
        .to = wfData(&p->mesh.to, wfVec4),
        .at = wfData(at, wfVec4),
        .quads = wfData(&p->mesh.quads, wfQuad),
        .list = wfData(&p->list, int),
        .friction = Friction(p, ctx),
        .touches = wfData(&p->touches.touches, wfTouch) + p->touches.count,
        .responses = wfData(&p->touches.responses, wfResponse) + p->touches.count,
        .rules = Rules(p, ctx->dt),
        .near = wfContactMesh_NearThickness(&p->mesh),
        .ranges = p->mesh.ranges,
    };
    wfLaunch(ctx->device, TouchNear, near, &args);
    p->touches.count += near;
}

// The pairs that meet on their way to p->list. Waits.
static int FindHits(wfImpulse* p, wfDevice* device) {
    PairTimesArgs args = {
        .from = wfData(&p->mesh.from, wfVec4),
        .to = wfData(&p->mesh.to, wfVec4),
        .sides = wfData(&p->sides, wfSide),
        .quads = wfData(&p->mesh.quads, wfQuad),
        .meets = wfData(&p->flags, int),
        .ranges = p->mesh.ranges,
        .separation = s_separation,
        .count = PairCount(p),
    };
    wfLaunch(device, PairTimes, wfTileCount(args.count), &args);
    return ListFlagged(p, device, PairCount(p));
}

// Of the pairs in p->list those whose contact leads out of both; how many. Waits.
static int KeepOutward(wfImpulse* p, wfDevice* device, int count) {
    HitLeadsOutArgs args = {
        .from = wfData(&p->mesh.from, wfVec4),
        .to = wfData(&p->mesh.to, wfVec4),
        .sides = wfData(&p->sides, wfSide),
        .quads = wfData(&p->mesh.quads, wfQuad),
        .meets = wfData(&p->flags, int),
        .list = wfData(&p->list, int),
        .rims = wfContactMesh_Rims(&p->mesh),
        .ranges = p->mesh.ranges,
    };
    wfLaunch(device, HitLeadsOut, count, &args);
    return ListFlagged(p, device, PairCount(p));
}

// Contacts where pairs meet on their way; how many pairs do. Waits.
static int AddHits(wfImpulse* p, const wfStepContext* ctx, bool all) {
    int met = FindHits(p, ctx->device), count = met > 0 && !all ? KeepOutward(p, ctx->device, met) : met;
    if (count == 0) return met;
    wfTouches_MakeRoom(&p->touches, count);
    TouchHitArgs add = {
        .from = wfData(&p->mesh.from, wfVec4),
        .to = wfData(&p->mesh.to, wfVec4),
        .sides = wfData(&p->sides, wfSide),
        .quads = wfData(&p->mesh.quads, wfQuad),
        .meets = wfData(&p->flags, int),
        .list = wfData(&p->list, int),
        .friction = Friction(p, ctx),
        .touches = wfData(&p->touches.touches, wfTouch) + p->touches.count,
        .responses = wfData(&p->touches.responses, wfResponse) + p->touches.count,
        .rules = Rules(p, ctx->dt),
        .near = wfContactMesh_NearThickness(&p->mesh),
        .ranges = p->mesh.ranges,
    };
    wfLaunch(ctx->device, TouchHit, count, &add);
    p->touches.count += count;
    return met;
}

bool wfImpulse_Begin(wfImpulse* p, const wfStepContext* ctx, wfError* err) {
    wfCopy(ctx->device, &p->v, &ctx->state->v, (size_t)p->mesh.clothVertexCount);
    return wfPinch_Hold(p->pinch, ctx, &p->mesh.half, err);
}

void wfImpulse_Undo(wfImpulse* p, const wfStepContext* ctx) {
    wfState* state = ctx->state;
    wfCopy(ctx->device, &state->x, &state->xStart, (size_t)state->vertexCount);
    wfCopy(ctx->device, &state->v, &p->v, (size_t)state->vertexCount);
    state->historyDt = 0.0f; // the dynamics has written over what it knew of the step before
    wfPinch_LetGo(ctx);
}

bool wfImpulse_Find(wfImpulse* p, const wfStepContext* ctx, wfError* err) {
    wfDevice* device = ctx->device;
    wfContactMesh_Place(&p->mesh, ctx);
    wfCopy(device, &p->target, &ctx->state->target, (size_t)p->mesh.clothVertexCount);
    wfZero(device, &p->answered);
    p->touches.count = 0;
    p->limitedCount = 0;
    p->knowing = false;
    p->touches.outward = false;
    WF_TRY(FindPairsAt(p, ctx, &p->mesh.from, &p->mesh.to, err));
    AddNear(p, ctx, &p->mesh.from);
    p->nearCount = p->touches.count;
    wfTouches_Sort(&p->touches);
    return wfDevice_Sync(device, err);
}

void wfImpulse_SetReach(wfImpulse* p, float reach) {
    p->reach = reach;
    p->margin = fmaxf(p->margin, reach);
}

bool wfImpulse_FindAtEnd(wfImpulse* p, const wfStepContext* ctx, const wfBuffer* proposed, wfError* err) {
    wfContactMesh_Place(&p->mesh, ctx);
    wfReserve(ctx->device, &p->toward, (size_t)p->mesh.vertexCount);
    wfCopy(ctx->device, &p->toward, &p->mesh.to, (size_t)p->mesh.vertexCount);
    wfCopy(ctx->device, &p->toward, proposed, (size_t)p->mesh.clothVertexCount);
    WF_TRY(FindPairsAt(p, ctx, &p->mesh.to, &p->toward, err));
    AddNear(p, ctx, &p->mesh.to);
    wfTouches_Sort(&p->touches);
    return wfDevice_Sync(ctx->device, err);
}

void wfImpulse_Foresee(wfImpulse* p, const wfStepContext* ctx) {
    if (AddHits(p, ctx, false) > 0) wfTouches_Sort(&p->touches);
    wfTouches_Place(&p->touches);
    SolveWithin(p, ctx);
    wfCarry_Give(&p->carry, &p->touches, p->nearCount, ctx->dt);
}

wfStepTerms wfImpulse_Terms(wfImpulse* p, const wfStepContext* ctx) {
    wfCopy(ctx->device, &ctx->state->target, &p->target, (size_t)p->mesh.clothVertexCount);
    wfImpulse_Leave(p, ctx);
    TouchEdgeArgs limits = EdgeLimits(p, ctx);
    wfLaunch(ctx->device, TouchEdgeSpan, p->limitedCount, &limits);
    p->knowing = true;
    wfStepTerms terms = wfTouches_Terms(&p->touches, ctx->dt);
    terms.part = s_part * p->meanEdge;
    return terms;
}

void wfImpulse_Repel(wfImpulse* p, const wfStepContext* ctx) {
    wfContactMesh_Place(&p->mesh, ctx);
    // For a new proposal: limits for an old one would hold edges where these no longer go. But a dynamics that takes no terms answers what
    // impulses gave in the turn before: what its proposal stretches is their doing, and they must not do it again.
    TouchEdgeArgs limits = EdgeLimits(p, ctx);
    if (p->knowing) wfLaunch(ctx->device, TouchEdgeAnew, p->limitedCount, &limits);
    wfTouches_Place(&p->touches);
    SolveWithin(p, ctx);
}

bool wfImpulse_Collide(wfImpulse* p, const wfStepContext* ctx, bool all, int* hits, wfError* err) {
    wfDevice* device = ctx->device;
    WF_TRY(FindPairsAgain(p, ctx, err));
    *hits = AddHits(p, ctx, all);
    if (*hits == 0) return wfDevice_Sync(device, err);
    wfTouches_Sort(&p->touches);
    SolveWithin(p, ctx);
    return wfDevice_Sync(device, err);
}

void wfImpulse_Outward(wfImpulse* p) { p->touches.outward = p->mesh.layerCount > 1; }

// [m] by how much impulses have moved a vertex from where the dynamics proposes it. Waits.
static float LargestShift(wfImpulse* p, const wfStepContext* ctx) {
    if (p->touches.count == 0) return 0.0f;
    ContactShiftArgs args = {wfData(&p->mesh.to, wfVec4), wfData(&ctx->state->x, wfVec4), wfData(&p->shifts, float)};
    wfLaunch(ctx->device, ContactShift, p->mesh.clothVertexCount, &args);
    wfMaxIndex(ctx->device, args.shift, wfData(&p->largest, float), wfData(&p->largestAt, int), p->mesh.clothVertexCount, &p->scratch);
    return wfReadFloat(ctx->device, wfData(&p->largest, float));
}

bool wfImpulse_MovesLittle(wfImpulse* p, const wfStepContext* ctx) { return !(LargestShift(p, ctx) > s_little * p->mesh.thickest); }

bool wfImpulse_MovesMuch(wfImpulse* p, const wfStepContext* ctx) { return LargestShift(p, ctx) > s_much * p->meanEdge; }

void wfImpulse_Couple(wfImpulse* p, const wfStepContext* ctx) {
    ContactCoupleArgs args = {
        .to = wfData(&p->mesh.to, wfVec4),
        .x = wfData(&ctx->state->x, wfVec4),
        .target = wfData(&ctx->state->target, wfVec4),
    };
    wfLaunch(ctx->device, ContactCouple, p->mesh.clothVertexCount, &args);
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

// Whether all of a hit goes where it is told, by pins and motions.
static bool IsHeld(const wfImpulse* p, const wfHit* hit) {
    bool held = true;
    for (int k = 0; k < 4; ++k) held = held && p->from[hit->v[k]].w == 0.0f;
    return held;
}

// Names what cannot be resolved: a cloth vertex, and what it meets. What pins do is said first: the rest may follow from it.
static bool FailStuck(const wfImpulse* p, const wfStepContext* ctx, int hits, wfError* err) {
    int first = 0, vertex = -1, local = 0;
    while (first < hits && !IsHeld(p, &p->hits[first])) ++first;
    bool byPins = first < hits && ctx->state->pinchedCount == 0;
    const wfHit* hit = &p->hits[byPins ? first : 0];
    const char *kind = "cloth", *with = NULL;
    for (int k = 3; k >= 0; --k) { // the last is always of the other thing
        int v = hit->v[k], body = v - p->mesh.clothVertexCount;
        if (body < 0) {
            vertex = v;
            if (with == NULL) with = wfModel_FindCloth(ctx->model, v, &local)->name;
        } else {
            kind = "collider";
            with = ctx->colliders->bodies[p->bodyOf[body]].name;
        }
    }
    const wfClothRange* cloth = wfModel_FindCloth(ctx->model, vertex, &local);
    if (byPins) return wfFail(err, wf_stepFailed, "cloth \"%s\", vertex %d: is held, and meets %s \"%s\"", cloth->name, local, kind, with);
    return wfFail(err, wf_stepFailed,
                  "cloth \"%s\", vertex %d: a collision with %s \"%s\" cannot be resolved, by impulses or as a rigid piece", cloth->name,
                  local, kind, with);
}

// What nobody can keep out of two bodies becomes pinched by them; fails where that is not what is wrong.
static bool Pinch(wfImpulse* p, const wfStepContext* ctx, int hits, bool* pinched, wfError* err) {
    *pinched = false;
    WF_TRY(wfPinch_Mark(p->pinch, ctx, &p->mesh.half, p->hits, hits, pinched, err));
    return *pinched || FailStuck(p, ctx, hits, err);
}

bool wfImpulse_Freeze(wfImpulse* p, const wfStepContext* ctx, bool* pinched, wfError* err) {
    *pinched = false;
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
        WF_TRY(FindPairsAgain(p, ctx, err)); // also at first: the last impulses may have taken vertices far off
        int met = FindHits(p, device);
        if (met == 0) return wfDevice_Sync(device, err);
        WF_TRY(ReadHits(p, device, met, err));
        bool grew = false;
        WF_TRY(wfImpactZones_Grow(p->zones, p->hits, met, &grew, err));
        if (!grew) return Pinch(p, ctx, met, pinched, err);
        WF_TRY(wfImpactZones_Move(p->zones, err));
        wfUploadRange(device, &m->to, 0, p->to, clothCount);
    }
}

void wfImpulse_Leave(wfImpulse* p, const wfStepContext* ctx) {
    ContactLeaveArgs args = {
        .to = wfData(&p->mesh.to, wfVec4),
        .x = wfData(&ctx->state->x, wfVec4),
    };
    wfLaunch(ctx->device, ContactLeave, p->mesh.clothVertexCount, &args);
}

void wfImpulse_Carry(wfImpulse* p, const wfStepContext* ctx) {
    wfCarry_Keep(&p->carry, &p->touches, wfData(&p->v, wfVec4), wfData(&ctx->state->v, wfVec4), ctx->dt, &p->scratch);
}

void wfImpulse_End(wfImpulse* p, const wfStepContext* ctx) {
    (void)p;
    wfPinch_LetGo(ctx);
}

static int64_t Count(void* self, const wfStepContext* ctx) {
    (void)ctx;
    const wfImpulse* p = self;
    return p->touches.count;
}

static wfBuffer* Memory(void* self, bool load) {
    wfBuffer* contacts = &((wfImpulse*)self)->carry.contacts;
    return load || contacts->count > 0 ? contacts : NULL;
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
    .memory = Memory,
};
