// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/repulsion_inside.h"

#include "compute/primitives.h"

#include <limits.h>
#include <stdlib.h>

static const float s_smoothCell = 12.0f; // of the mean edge
// How much two vertices may approach in a round of the start, of their distance. With rows that are listed every other round, reach R and
// d, how far vertices may leave the smooth motion in a round, everybody else stays farther away than B + Bt: 0.95² R - 3.9 d > B + Bt.
static const float s_steepest = 0.05f;
// Of L: what a sample may come nearer by to others in the rounds between two lists, beside what vertices do: its vertices are up to
// sqrt(5) L away, on average, where edges are 4 L long, and the smooth motion differs there.
static const float s_sampleDrift = 2.24f * 0.05f * (float)wf_repulsionDrifts;
static const float s_ontoBodies = 0.25f;                 // of d: how far the smooth motion may take a vertex toward a body in a round
static const float s_astray = 0.6f, s_astrayHeld = 0.1f; // of d: how far bodies, or what holds it, may take a vertex off it
static const float s_longest = 2.4f;                     // cells that the start of a step goes at most: as far as the filters reach
static const float s_safeDrift = 1.0f;                   // of the stride: a vertex's way in a safe round of the start
static const float s_full = 0.85f; // of the room for rows: where there is more of them they get more, before it is too late
// How far a vertex may have gone since near rows were listed, of how far it may go, where two rounds of the start or the first block are
// ahead: vertices go D in a round at most.
static const float s_soonDrift = 0.3f, s_soonFirst = 0.06f;
// What a vertex may go in a later block: within a step ever less far, but for what is set free; of its way in the block before, and of how
// far it may go.
static const float s_again = 1.25f, s_spare = 0.4f;
// Of the way that x can go in the rounds that are left: how far y may be ahead of it. What is much farther away cannot be reached any more,
// and without a bound y went ever farther where bodies and acceleration pushed it to and fro.
static const float s_ahead = 0.25f;
// Where a step ends before it must: of D, how far x may be from y; of the vertices, how many may be farther.
static const float s_behind = 4.0f, s_mostBehind = 0.001f;
// Of D: how deep in a body a vertex is, and how far what holds it leads it in a round, where it is in haste.
static const float s_hasteDepth = 3.0f, s_hasteHeld = 1.0f;
static const float s_torn = 1.2f;        // of L, or of the edge of x: an edge of y that is longer tears it
static const float s_farthestLag = 0.1f; // [m] of a held vertex
// Of the mean edge: how near triangles may come to bodies, which is more than fields are wrong by at sharp edges; how much farther away
// vertices of those that come nearer are kept.
static const float s_bodyGap = 0.15f, s_fartherAway = 0.15f;
// Mean edges that a body may still go into cloth when the rounds of a step begin. They get it out by about a fifth of an edge each, one
// after another in safe mode: what is much deeper can be past the middle of the body, and leaves it on the wrong side.
static const float s_mostDepth = 2.0f;
// Of how steep the motion may be: what caps leave of it, and what of it nodes take to come back from where less of the motion is taken.
// Both together are no more than all, or the whole motion would have to be less.
static const float s_even = 0.667f, s_rise = 0.333f;
// Sweeps by which the smooth motion comes to meet what bodies push. Each leaves a half to three quarters: of the 5 D a round of the start
// that a knee pushes four leave about one, which the soft phase can answer.
enum { Sweeps = 4 };
enum { Filters = 1, Beyond = 2, Eases = 7, NearRoom = 24, ActiveRoom = 16 }; // the latter of a vertex, to begin with
static const wfRepulsionVerdict s_nothing = {.violated = ~(wfFaultSlot)0,
                                             .far = ~(wfFaultSlot)0,
                                             .haste = ~(wfFaultSlot)0,
                                             .nearFull = ~(wfFaultSlot)0,
                                             .activeFull = ~(wfFaultSlot)0,
                                             .late = ~(wfFaultSlot)0,
                                             .cut = ~(wfFaultSlot)0,
                                             .passed = ~(wfFaultSlot)0,
                                             .deep = ~(wfFaultSlot)0,
                                             .outside = ~(wfFaultSlot)0,
                                             .moved = ~(wfFaultSlot)0,
                                             .stretched = ~(wfFaultSlot)0};

static void MakeBuffers(wfRepulsion* r) {
    const struct {
        wfBuffer* buffer;
        size_t stride;
        const char* name;
    } all[] = {
        {&r->x, sizeof(wfVec4), "repulsion.x"},
        {&r->kept, sizeof(wfVec4), "repulsion.kept"},
        {&r->keptY, sizeof(wfVec4), "repulsion.keptY"},
        {&r->startV, sizeof(wfVec4), "repulsion.startV"},
        {&r->startHistory, sizeof(wfVec4), "repulsion.startHistory"},
        {&r->init, sizeof(wfVec4), "repulsion.init"},
        {&r->plane, sizeof(wfVec4), "repulsion.plane"},
        {&r->one, sizeof(wfVec4), "repulsion.one"},
        {&r->two, sizeof(wfVec4), "repulsion.two"},
        {&r->before, sizeof(wfVec4), "repulsion.before"},
        {&r->smooth, sizeof(wfVec4), "repulsion.smooth"},
        {&r->at, sizeof(wfVec4), "repulsion.at"},
        {&r->nearAt, sizeof(wfVec4), "repulsion.nearAt"},
        {&r->base, sizeof(wfVec4), "repulsion.base"},
        {&r->multipliers, sizeof(wfVec4), "repulsion.multipliers"},
        {&r->gradient, sizeof(wfVec4), "repulsion.gradient"},
        {&r->trial, sizeof(wfVec4), "repulsion.trial"},
        {&r->clear, sizeof(float), "repulsion.clear"},
        {&r->touched, sizeof(int), "repulsion.touched"},
        {&r->value, sizeof(float), "repulsion.value"},
        {&r->slope, sizeof(float), "repulsion.slope"},
        {&r->share, sizeof(float), "repulsion.share"},
        {&r->flags, sizeof(int), "repulsion.flags"},
        {&r->labels, sizeof(int), "repulsion.labels"},
        {&r->tight, sizeof(int), "repulsion.tight"},
        {&r->dirty, sizeof(int), "repulsion.dirty"},
        {&r->nearStart, sizeof(int), "repulsion.nearStart"},
        {&r->nearCount, sizeof(int), "repulsion.nearCount"},
        {&r->activeCount, sizeof(int), "repulsion.activeCount"},
    };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k) *all[k].buffer = wfMakeBuffer(all[k].stride, all[k].name);
    r->clothOf = wfMakeBuffer(sizeof(int), "repulsion.clothOf");
    r->friction = wfMakeBuffer(sizeof(wfFriction), "repulsion.friction");
    r->ringCount = wfMakeBuffer(sizeof(int), "repulsion.ringCount");
    r->ringItem = wfMakeBuffer(sizeof(int), "repulsion.ringItem");
    r->nearItem = wfMakeBuffer(sizeof(int), "repulsion.nearItem");
    r->activeStart = wfMakeBuffer(sizeof(int), "repulsion.activeStart");
    r->activeItem = wfMakeBuffer(sizeof(int), "repulsion.activeItem");
    r->acts = wfMakeBuffer(sizeof(wfVec2), "repulsion.acts");
    r->ringSq = wfMakeBuffer(sizeof(float), "repulsion.ringSq");
    r->aroundCount = wfMakeBuffer(sizeof(int), "repulsion.aroundCount");
    r->aroundItem = wfMakeBuffer(sizeof(int), "repulsion.aroundItem");
    r->triangles = wfMakeBuffer(sizeof(wfTriangle), "repulsion.triangles");
    r->verdict = wfMakeBuffer(sizeof(wfRepulsionVerdict), "repulsion.verdict");
    r->sums = wfMakeBuffer(sizeof(wfSmoothSum), "repulsion.sums");
    r->nodes = wfMakeBuffer(sizeof(wfVec4), "repulsion.nodes");
    r->otherNodes = wfMakeBuffer(sizeof(wfVec4), "repulsion.otherNodes");
    r->caps = wfMakeBuffer(sizeof(unsigned), "repulsion.caps");
    r->excess = wfMakeBuffer(sizeof(unsigned), "repulsion.excess");
    r->torn = wfMakeBuffer(sizeof(int), "repulsion.torn");
    r->offsets = wfMakeBuffer(sizeof(int), "repulsion.offsets");
    r->trialResult = wfMakeBuffer(sizeof(wfHardTrial), "repulsion.trial_result");
    r->wait = wfMakeBuffer(sizeof(wfRoundsWait), "repulsion.wait");
    r->listed = wfMakeBuffer(sizeof(unsigned), "repulsion.listed");
    r->scratch = wfMakeBuffer(1, "repulsion.scratch");
}

// As much as was asked for: room that grows by itself would take more.
static int ReserveItems(wfDevice* device, wfBuffer* buffer, long long count) {
    int room = count < INT_MAX / 2 ? (int)count : INT_MAX / 2;
    if ((size_t)room > buffer->capacity) wfFreeBuffer(device, buffer);
    wfReserve(device, buffer, (size_t)room);
    return room;
}

void wfRepulsion_ReserveNear(wfRepulsion* r, wfDevice* device, long long count) { r->nearRoom = ReserveItems(device, &r->nearItem, count); }

static void ReserveActive(wfRepulsion* r, wfDevice* device, long long count) {
    r->activeRoom = ReserveItems(device, &r->activeItem, count);
    ReserveItems(device, &r->acts, count);
}

static void ReserveAll(wfRepulsion* r, wfDevice* device) {
    size_t n = (size_t)r->vertexCount;
    wfBuffer* ofVertices[] = {&r->x,         &r->kept,      &r->keptY,       &r->init,   &r->plane, &r->one,         &r->two,
                              &r->before,    &r->smooth,    &r->at,          &r->nearAt, &r->base,  &r->multipliers, &r->gradient,
                              &r->trial,     &r->clear,     &r->touched,     &r->value,  &r->slope, &r->flags,       &r->labels,
                              &r->nearStart, &r->nearCount, &r->activeCount, &r->tight,  &r->dirty, &r->share};
    for (size_t k = 0; k < sizeof ofVertices / sizeof ofVertices[0]; ++k) wfReserve(device, ofVertices[k], n);
    wfRepulsion_ReserveNear(r, device, (long long)n * NearRoom);
    ReserveActive(r, device, (long long)n * ActiveRoom);
    wfReserve(device, &r->activeStart, (size_t)wfRepulsion_Tiles(r));
    wfReserve(device, &r->sums, wf_smoothNodes);
    wfReserve(device, &r->nodes, wf_smoothNodes);
    wfReserve(device, &r->otherNodes, wf_smoothNodes);
    wfReserve(device, &r->caps, wf_smoothNodes);
    wfReserve(device, &r->excess, 2);
    wfReserve(device, &r->torn, 1);
    wfReserve(device, &r->offsets, n + 1);
    wfReserve(device, &r->trialResult, 1);
    wfReserve(device, &r->wait, 1);
    wfReserve(device, &r->listed, 1);
    wfZero(device, &r->trialResult);
    wfZero(device, &r->wait);
    wfUpload(device, &r->verdict, &s_nothing, 1);
    wfZero(device, &r->multipliers);
    wfZero(device, &r->activeCount);
    wfZero(device, &r->activeStart);
    wfZero(device, &r->plane);
}

void wfRepulsion_DropGraphs(wfRepulsion* r, wfDevice* device) {
    for (int k = 0; k < wf_repulsionPaces * wf_repulsionBlocks; ++k) {
        int pace = k / wf_repulsionBlocks, block = k % wf_repulsionBlocks;
        if (r->recorded[pace][block]) wfGraph_Free(device, &r->graphs[pace][block]);
        r->graphs[pace][block] = (wfGraph){0};
        r->recorded[pace][block] = false;
    }
    wfGraph_Free(device, &r->lists);
}

static void Destroy(void* self, wfDevice* device) {
    wfRepulsion* r = self;
    if (r == NULL) return;
    wfRepulsion_DropGraphs(r, device);
    wfDestroyVertexGrid(r->grid);
    wfRepulsion_FreeBodies(r, device);
    wfRepulsion_FreeWelds(r, device);
    wfRepulsion_FreeSamples(r, device);
    wfBuffer* buffers[] = {
        &r->x,          &r->kept,        &r->keptY,        &r->init,      &r->plane,       &r->one,         &r->two,      &r->before,
        &r->smooth,     &r->at,          &r->nearAt,       &r->base,      &r->multipliers, &r->gradient,    &r->trial,    &r->clear,
        &r->touched,    &r->value,       &r->slope,        &r->flags,     &r->labels,      &r->nearCount,   &r->nearItem, &r->activeCount,
        &r->activeItem, &r->nearStart,   &r->activeStart,  &r->clothOf,   &r->friction,    &r->ringCount,   &r->ringItem, &r->verdict,
        &r->sums,       &r->nodes,       &r->otherNodes,   &r->excess,    &r->offsets,     &r->trialResult, &r->scratch,  &r->acts,
        &r->ringSq,     &r->aroundCount, &r->aroundItem,   &r->triangles, &r->tight,       &r->dirty,       &r->share,    &r->torn,
        &r->caps,       &r->startV,      &r->startHistory, &r->wait,      &r->listed};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(device, buffers[k]);
    wfReadback_Free(device, &r->readback);
    free(r);
}

static void* Create(wfDevice* device, const wfModel* model, const wfColliderSet* colliders, wfError* err) {
    wfRepulsion* r = calloc(1, sizeof *r);
    if (r == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for contact");
        return NULL;
    }
    r->vertexCount = model->vertexCount;
    r->surfaceCount = model->surfaceCount;
    r->smoothStart = r->adaptive = true;
    MakeBuffers(r);
    ReserveAll(r, device);
    wfUpload(device, &r->clothOf, model->clothOf, (size_t)model->vertexCount);
    wfUpload(device, &r->friction, model->friction, (size_t)model->surfaceCount * (size_t)model->surfaceCount);
    if (wfRepulsion_CreateBodies(r, colliders, err) && wfRepulsion_Build(r, device, model, err) && wfDevice_Sync(device, err)) return r;
    Destroy(r, device);
    return NULL;
}

// ---- views --------------------------------------------------------------------------------------------------------------------

static wfRepulsionVerdict* Verdict(const wfRepulsion* r) { return wfData(&r->verdict, wfRepulsionVerdict); }

wfGridRows wfRepulsion_Near(const wfRepulsion* r) {
    return (wfGridRows){wfData(&r->nearStart, int), wfData(&r->nearCount, int), wfData(&r->nearItem, int), &Verdict(r)->nearUsed,
                        r->nearRoom};
}

wfRepulsionRows wfRepulsion_Ring(const wfRepulsion* r) {
    return (wfRepulsionRows){wfData(&r->ringCount, int), wfData(&r->ringItem, int), r->ringRoom, r->vertexCount};
}

int wfRepulsion_Tiles(const wfRepulsion* r) { return (r->vertexCount + wf_repulsionSlice - 1) / wf_repulsionSlice; }

static wfRepulsionActive Active(const wfRepulsion* r) {
    return (wfRepulsionActive){
        .counts = wfData(&r->activeCount, int),
        .start = wfData(&r->activeStart, int),
        .items = wfData(&r->activeItem, int),
        .acts = wfData(&r->acts, wfVec2),
        .used = &Verdict(r)->activeUsed,
        .room = r->activeRoom,
    };
}

static wfRepulsionBodies Bodies(const wfRepulsion* r, const wfColliderSet* colliders) {
    return (wfRepulsionBodies){
        .shapes = wfData(&colliders->shapes, wfShape),
        .fields = wfData(&r->fields, wfBody),
        .carried = wfData(&r->carried, wfVec4),
        .deforming = r->deforming,
        .shapeCount = colliders->shapeCount,
        .fieldCount = r->bodyCount,
    };
}

static const wfVec4* Multipliers(const wfRepulsion* r) { return r->mode.multiply > 0.0f ? wfData(&r->multipliers, wfVec4) : NULL; }

// ---- pieces -------------------------------------------------------------------------------------------------------------------

void wfRepulsion_Couple(wfRepulsion* r, const wfStepContext* ctx) {
    RepulsionCoupleArgs args = {
        .x = wfData(&r->x, wfVec4),
        .base = wfData(&r->base, wfVec4),
        .multipliers = Multipliers(r),
        .target = wfData(&ctx->state->target, wfVec4),
        .coupling = r->mode.coupling,
    };
    wfLaunch(ctx->device, RepulsionCouple, r->vertexCount, &args);
}

/// Before rows are picked anew.
static void GrowActive(wfRepulsion* r, wfDevice* device) {
    if (r->activeWanted <= r->activeRoom) return;
    ReserveActive(r, device, r->activeWanted);
    wfRepulsion_DropGraphs(r, device);
}

void wfRepulsion_KeepState(wfRepulsion* r, const wfStepContext* ctx) {
    const wfState* state = ctx->state;
    size_t history = state->history.count;
    wfReserve(ctx->device, &r->startV, (size_t)r->vertexCount);
    wfCopy(ctx->device, &r->startV, &state->v, (size_t)r->vertexCount);
    r->startHistoryDt = state->historyDt;
    if (history == 0) return;
    wfReserve(ctx->device, &r->startHistory, history);
    wfCopy(ctx->device, &r->startHistory, &state->history, history);
}

void wfRepulsion_Undo(wfRepulsion* r, const wfStepContext* ctx) {
    wfState* state = ctx->state;
    wfCopy(ctx->device, &state->x, &state->xStart, (size_t)r->vertexCount);
    wfCopy(ctx->device, &state->v, &r->startV, (size_t)r->vertexCount);
    if (state->history.count > 0) wfCopy(ctx->device, &state->history, &r->startHistory, state->history.count);
    state->historyDt = r->startHistoryDt;
}

bool wfRepulsion_Begin(wfRepulsion* r, const wfStepContext* ctx, wfRepulsionMode mode, wfError* err) {
    r->mode = mode;
    r->remembers = r->remembers || mode.multiply > 0.0f;
    r->hardened = r->hasty = r->behind = false;
    r->passed = s_nothing.passed;
    GrowActive(r, ctx->device);
    WF_TRY(wfRepulsion_PlaceBodies(r, ctx, err));
    RepulsionStartArgs args = {
        .xStart = wfData(&ctx->state->xStart, wfVec4),
        .target = wfData(&ctx->state->target, wfVec4),
        .x = wfData(&r->x, wfVec4),
        .base = wfData(&r->base, wfVec4),
        .y = mode.projected ? wfData(&ctx->state->x, wfVec4) : NULL, // a pull would not take it back
        .clear = wfData(&r->clear, float),
        .touched = wfData(&r->touched, int),
        .bodies = Bodies(r, ctx->colliders),
        .body = r->rules.body,
        .step = r->rules.step,
    };
    wfLaunch(ctx->device, RepulsionStart, r->vertexCount, &args);
    wfRepulsion_PlaceWelds(r, ctx);
    wfRepulsion_Couple(r, ctx);
    wfRepulsion_DropSamples(r, ctx->device);
    wfRepulsion_NoteStretch(r, ctx->device, &r->x, Verdict(r));
    wfRepulsion_Ask(r, ctx); // whether there are samples: rounds that know of none take no account of them
    return true;
}

void wfRepulsion_Smooth(wfRepulsion* r, const wfStepContext* ctx) {
    wfDevice* device = ctx->device;
    float cell = s_smoothCell * r->rules.mean;
    float steepest = (float)wf_repulsionStart * s_steepest * 0.57735f * cell; // differences along three axes together
    wfZero(device, &r->sums);
    SmoothScatterArgs scatter = {
        .x = wfData(&r->x, wfVec4),
        .y = wfData(&ctx->state->x, wfVec4),
        .clear = wfData(&r->clear, float),
        .bodies = Bodies(r, ctx->colliders),
        .sums = wfData(&r->sums, wfSmoothSum),
        .inverseCell = 1.0f / cell,
    };
    wfLaunch(device, SmoothScatter, r->vertexCount, &scatter);
    wfVec4 *in = wfData(&r->nodes, wfVec4), *out = wfData(&r->otherNodes, wfVec4);
    SmoothMeanArgs mean = {scatter.sums, out};
    wfLaunch(device, SmoothMean, wf_smoothNodes, &mean);
    for (int k = 0; k < Filters + Beyond; ++k) { // an odd number of them: the last writes r->nodes
        SmoothFilterArgs filter = {k % 2 == 0 ? out : in, k % 2 == 0 ? in : out, k >= Filters};
        wfLaunch(device, SmoothFilter, wf_smoothNodes, &filter);
    }
    SmoothDivideArgs divide = {in, out};
    wfLaunch(device, SmoothDivide, wf_smoothNodes, &divide);
    SmoothRestArgs rest = {scatter.x, out, wfData(&r->base, wfVec4), scatter.clear, scatter.bodies, scatter.sums, scatter.inverseCell};
    SmoothAddArgs add = {scatter.sums, out};
    wfZero(device, &r->sums);
    for (int k = 0; k < Sweeps; ++k) {
        wfLaunch(device, SmoothRest, r->vertexCount, &rest);
        wfLaunch(device, SmoothAdd, wf_smoothNodes, &add);
    }
    SmoothCapArgs cap = {
        .nodes = out,
        .x = scatter.x,
        .clear = scatter.clear,
        .bodies = scatter.bodies,
        .caps = wfData(&r->caps, unsigned),
        .inverseCell = scatter.inverseCell,
        .steepest = s_even * steepest,
        .ontoBodies = (float)wf_repulsionStart * s_ontoBodies * r->rules.drift,
    };
    wfZero(device, &r->caps);
    wfLaunch(device, SmoothCap, wf_smoothNodes + r->vertexCount, &cap);
    for (int k = 0; k < Eases; ++k) { // an odd number of them, too
        SmoothEaseArgs ease = {k % 2 == 0 ? out : in, k % 2 == 0 ? in : out, k == 0 ? cap.caps : NULL, s_rise * steepest};
        wfLaunch(device, SmoothEase, wf_smoothNodes, &ease);
    }
    SmoothLimitArgs limit = {in, wfData(&r->excess, unsigned), steepest, s_longest * cell};
    wfZero(device, &r->excess);
    wfLaunch(device, SmoothLimit, wf_smoothNodes, &limit);
}

void wfRepulsion_Find(wfRepulsion* r, const wfStepContext* ctx, bool anew) {
    if (!anew && !r->stale) return;
    if (r->nearWanted > r->nearRoom) {
        wfRepulsion_ReserveNear(r, ctx->device, r->nearWanted);
        wfRepulsion_DropGraphs(r, ctx->device);
    }
    if (r->lists.impl == NULL) {
        RepulsionSeenArgs seen = {wfData(&r->x, wfVec4), wfData(&r->nearAt, wfVec4)};
        wfGraph_Begin(ctx->device, &r->lists);
        wfVertexGrid_ListRows(r->grid, &r->x, wfRepulsion_Near(r));
        wfLaunch(ctx->device, RepulsionSeen, r->vertexCount, &seen);
        wfGraph_End(ctx->device);
    }
    wfGraph_Launch(ctx->device, &r->lists);
    wfRepulsion_ListSamples(r, ctx->device);
    r->stale = false;
}

bool wfRepulsion_FindAll(wfRepulsion* r, const wfStepContext* ctx, wfError* err) {
    for (;;) {
        GrowActive(r, ctx->device);
        wfRepulsion_Find(r, ctx, true);
        wfRepulsion_Pick(r, ctx, false);
        wfRepulsion_NoteStretch(r, ctx->device, &r->x, Verdict(r));
        wfRepulsionAnswer answer = wfRepulsion_Ask(r, ctx);
        if (answer != wf_repulsionAgain && !r->stale) return wfDevice_Sync(ctx->device, err);
    }
}

// What counts the places that rows use is zero by now.
static void Collect(wfRepulsion* r, const wfStepContext* ctx, const wfBuffer* x, float nearMove) {
    RepulsionCollectArgs args = {
        .x = wfData(x, wfVec4),
        .nearAt = wfData(&r->nearAt, wfVec4),
        .xStart = wfData(&ctx->state->xStart, wfVec4),
        .ringSq = wfData(&r->ringSq, float),
        .clothOf = wfData(&r->clothOf, int),
        .at = wfData(&r->at, wfVec4),
        .ring = wfRepulsion_Ring(r),
        .near = wfRepulsion_Near(r),
        .active = Active(r),
        .verdict = Verdict(r),
        .rules = r->rules,
        .nearMove = nearMove,
    };
    wfLaunch(ctx->device, RepulsionCollect, wfRepulsion_Tiles(r), &args);
}

void wfRepulsion_Pick(wfRepulsion* r, const wfStepContext* ctx, bool ready) {
    long long* count = Active(r).used;
    wfBuffer used = {.data = count, .count = 1, .capacity = 1, .stride = sizeof *count, .name = "repulsion.used"};
    if (!ready) wfZero(ctx->device, &used);
    Collect(r, ctx, &r->x, r->rules.nearMove);
}

bool wfRepulsion_IsHasty(const wfRepulsion* r) { return r->hasty; }
bool wfRepulsion_IsBehind(const wfRepulsion* r) { return r->behind; }

// `reference` and `limit`: what the last step may not leave by more. No rounds are left to those of the start: they do not change y.
static RepulsionSoftArgs SoftArgs(wfRepulsion* r, const wfStepContext* ctx, bool firm, const wfBuffer* reference, float limit,
                                  wfRepulsionRound round) {
    bool start = round.left == 0;
    int steps = firm ? wf_repulsionFirm : wf_repulsionSoft;
    return (RepulsionSoftArgs){
        .init = wfData(&r->init, wfVec4),
        .plane = wfData(&r->plane, wfVec4),
        .xStart = wfData(&ctx->state->xStart, wfVec4),
        .one = wfData(&r->one, wfVec4),
        .two = wfData(&r->two, wfVec4),
        .rounds = steps + (r->weldCount > 0),
        .steps = steps,
        .items = wfData(&r->offsets, int),
        .wait = wfData(&r->wait, wfRoundsWait),
        .out = wfData(&r->x, wfVec4),
        .reference = wfData(reference, wfVec4),
        .limit = limit,
        .follow = r->mode.interleaved && !start ? wfData(&ctx->state->x, wfVec4) : NULL,
        .project = r->mode.projected && !start ? wfData(&ctx->state->x, wfVec4) : NULL,
        .goal = wfData(&r->smooth, wfVec4),
        .clothOf = wfData(&r->clothOf, int),
        .friction = wfData(&r->friction, wfFriction),
        .active = Active(r),
        .verdict = Verdict(r),
        .rules = r->rules,
        .surfaceCount = r->surfaceCount,
        .welds = wfRepulsion_Welds(r),
        .base = wfData(&r->base, wfVec4),
        .multipliers = Multipliers(r),
        .target = wfData(&ctx->state->target, wfVec4),
        .coupling = r->mode.coupling,
        .touched = wfData(&r->touched, int),
        .ahead = s_ahead * r->rules.step * (float)round.left,
        .behind = round.last ? s_behind * r->rules.step : INFINITY,
    };
}

// From r->init. Samples push before, so that none has taken its steps yet.
static void Soften(wfRepulsion* r, const wfStepContext* ctx, const RepulsionSoftArgs* args, wfBuffer* goal) {
    wfRepulsion_PushSamples(r, ctx, goal);
    wfLaunch(ctx->device, RepulsionAlone, r->vertexCount, args);
    wfLaunch(ctx->device, RepulsionSoft, r->vertexCount, args);
}

void wfRepulsion_TakeRound(wfRepulsion* r, const wfStepContext* ctx, wfRepulsionRound round, bool firm) {
    RepulsionAimArgs args = {
        .x = wfData(&r->x, wfVec4),
        .y = wfData(&ctx->state->x, wfVec4),
        .xStart = wfData(&ctx->state->xStart, wfVec4),
        .base = wfData(&r->base, wfVec4),
        .at = wfData(&r->at, wfVec4),
        .multipliers = r->mode.coupling > 0.0f ? Multipliers(r) : NULL,
        .before = wfData(&r->before, wfVec4),
        .goal = wfData(&r->smooth, wfVec4),
        .init = wfData(&r->init, wfVec4),
        .plane = wfData(&r->plane, wfVec4),
        .clear = wfData(&r->clear, float),
        .clothOf = wfData(&r->clothOf, int),
        .friction = wfData(&r->friction, wfFriction),
        .bodies = Bodies(r, ctx->colliders),
        .active = Active(r),
        .verdict = Verdict(r),
        .rules = wfRepulsion_JudgeBy(r),
        .welds = wfRepulsion_Welds(r),
        .turn = {.step = r->mode.interleaved ? INFINITY : r->rules.step,
                 .lone = r->mode.interleaved ? INFINITY : r->rules.lone,
                 .share = 1.0f / (float)round.arrive,
                 .coupling = r->mode.coupling},
        .surfaceCount = r->surfaceCount,
        .soft = SoftArgs(r, ctx, firm, &r->before, r->rules.stride, round),
        .alone = !wfRepulsion_HasSamples(r),
        .test = round.judged,
        .used = round.picks ? Active(r).used : NULL,
        .mostDepth = round.first ? s_mostDepth * r->rules.mean : INFINITY,
        .hasteDepth = round.last ? s_hasteDepth * r->rules.step : INFINITY,
        .hasteHeld = round.last ? s_hasteHeld * r->rules.step : INFINITY,
    };
    wfLaunch(ctx->device, RepulsionAim, r->vertexCount, &args);
    if (args.alone)
        wfLaunch(ctx->device, RepulsionSoft, r->vertexCount, &args.soft);
    else
        Soften(r, ctx, &args.soft, &r->smooth);
}

void wfRepulsion_Drift(wfRepulsion* r, const wfStepContext* ctx, bool safe, int left, int rounds) {
    SmoothMoveArgs move = {
        .x = wfData(&r->x, wfVec4),
        .nodes = wfData(&r->nodes, wfVec4),
        .excess = wfData(&r->excess, unsigned),
        .before = wfData(&r->before, wfVec4),
        .smooth = wfData(&r->smooth, wfVec4),
        .init = wfData(&r->init, wfVec4),
        .plane = wfData(&r->plane, wfVec4),
        .base = wfData(&r->base, wfVec4),
        .clear = wfData(&r->clear, float),
        .bodies = Bodies(r, ctx->colliders),
        .inverseCell = 1.0f / (s_smoothCell * r->rules.mean),
        .share = 1.0f / (float)wf_repulsionStart,
        .left = (float)left,
        .used = Active(r).used,
        .longest = safe ? s_safeDrift * r->rules.stride : INFINITY,
        .astray = s_astray * r->rules.drift,
        .astrayHeld = s_astrayHeld * r->rules.drift,
        .verdict = Verdict(r),
        .hasteDepth = rounds > 0 ? s_hasteDepth * r->rules.step : INFINITY,
        .hasteHeld = rounds > 0 ? s_hasteHeld * r->rules.step * (float)rounds : INFINITY,
    };
    wfLaunch(ctx->device, SmoothMove, r->vertexCount, &move);
    Collect(r, ctx, &r->init, -1.0f);
    RepulsionSoftArgs soft = SoftArgs(r, ctx, safe, &r->smooth, r->rules.drift, (wfRepulsionRound){0});
    Soften(r, ctx, &soft, NULL);
    if (safe) return; // Harden judges it
    RepulsionCheckArgs check = {
        .from = move.before,
        .to = wfData(&r->x, wfVec4),
        .ring = wfRepulsion_Ring(r),
        .near = wfRepulsion_Near(r),
        .verdict = Verdict(r),
        .rules = wfRepulsion_JudgeBy(r),
        .cond = r->rules.cond,
        .nearAt = wfData(&r->nearAt, wfVec4),
        .smooth = move.smooth,
        .steep = move.excess + 1,
        .shrink = 0.5f * s_steepest * wfRepulsion_Reach(&r->rules),
        .soon = (rounds > 0 ? s_soonFirst : s_soonDrift) * r->rules.nearMove,
        .farthest = 0.5f * (wfRepulsion_Reach(&r->rules) - sqrtf(r->rules.pairSq)) - (r->sampled ? s_sampleDrift * r->rules.most : 0.0f),
        .count = r->vertexCount,
    };
    wfLaunch(ctx->device, RepulsionCheck, wfRepulsion_Tiles(r), &check);
    wfRepulsion_TestSamples(r, ctx);
}

void wfRepulsion_TestSamples(wfRepulsion* r, const wfStepContext* ctx) {
    wfRepulsion_CheckSamples(r, ctx->device, &r->before, &r->x, r->rules.cond, (wfSampleNotes){.verdict = Verdict(r)});
}

void wfRepulsion_Test(wfRepulsion* r, const wfStepContext* ctx) {
    RepulsionTestArgs args = {
        .x = wfData(&r->x, wfVec4),
        .at = wfData(&r->at, wfVec4),
        .nearAt = wfData(&r->nearAt, wfVec4),
        .active = Active(r),
        .verdict = Verdict(r),
        .rules = wfRepulsion_JudgeBy(r),
        .kept = wfData(&r->kept, wfVec4),
        .again = s_again,
        .spare = s_spare * r->rules.nearMove,
    };
    wfLaunch(ctx->device, RepulsionTest, r->vertexCount, &args);
    wfRepulsion_TestFolds(r, ctx);
}

void wfRepulsion_TestFolds(wfRepulsion* r, const wfStepContext* ctx) {
    wfRepulsion_CheckFolds(r, ctx->device, &r->x, (wfFoldLook){.gap = wfFoldGap, .verdict = Verdict(r)});
}

bool wfRepulsion_IsClear(wfRepulsion* r, const wfStepContext* ctx) {
    wfDevice* device = ctx->device;
    RepulsionCutArgs cut = {
        .x = wfData(&r->x, wfVec4),
        .plane = wfData(&r->plane, wfVec4),
        .triangles = wfData(&r->triangles, wfTriangle),
        .bodies = Bodies(r, ctx->colliders),
        .verdict = Verdict(r),
        .flags = wfData(&r->flags, int),
        .gap = s_bodyGap * r->rules.mean,
    };
    if (cut.bodies.shapeCount + cut.bodies.fieldCount == 0) return true;
    RepulsionPassArgs pass = {cut.x, wfData(&ctx->state->xStart, wfVec4), cut.bodies, cut.verdict, cut.gap};
    RepulsionOutsideArgs outside = {cut.x, cut.bodies, cut.verdict};
    wfZero(device, &r->flags);
    wfLaunch(device, RepulsionCut, ctx->model->triangleCount, &cut);
    wfLaunch(device, RepulsionPass, r->vertexCount, &pass);
    wfLaunch(device, RepulsionOutside, r->vertexCount, &outside);
    wfRepulsionVerdict v;
    if (!wfDownload(device, &v, &r->verdict, 0, 1, NULL)) return true; // a device that has failed says so later
    r->passed = v.passed;
    bool known = v.outside == s_nothing.outside;
    if (v.cut == s_nothing.cut && v.passed == s_nothing.passed && known) return true;
    wfUpload(device, &r->verdict, &s_nothing, 1);
    if (v.passed != s_nothing.passed) return true; // more rounds do not bring it back
    if (!known && !wfRepulsion_CoverBodies(r, ctx, NULL)) return true;
    RepulsionAwayArgs away = {cut.flags, wfData(&r->clear, float), s_fartherAway * r->rules.mean};
    wfLaunch(device, RepulsionAway, r->vertexCount, &away);
    return false;
}

void wfRepulsion_Keep(wfRepulsion* r, const wfStepContext* ctx) {
    wfCopy(ctx->device, &r->kept, &r->x, (size_t)r->vertexCount);
    wfCopy(ctx->device, &r->keptY, &ctx->state->x, (size_t)r->vertexCount);
}

void wfRepulsion_GoBack(wfRepulsion* r, const wfStepContext* ctx, bool start) {
    RepulsionTornArgs torn = {
        .y = wfData(&r->keptY, wfVec4),
        .kept = wfData(&r->kept, wfVec4),
        .ring = wfRepulsion_Ring(r),
        .mostSq = r->rules.mostSq,
        .ratioSq = s_torn * s_torn,
        .torn = wfData(&r->torn, int),
    };
    RepulsionReturnArgs args = {
        .kept = wfData(&r->kept, wfVec4),
        .keptY = torn.y,
        .base = wfData(&r->base, wfVec4),
        .x = wfData(&r->x, wfVec4),
        .y = wfData(&ctx->state->x, wfVec4),
        .torn = r->mode.projected && !start ? torn.torn : NULL,
    };
    wfZero(ctx->device, &r->torn);
    wfLaunch(ctx->device, RepulsionTorn, r->vertexCount, &torn);
    wfLaunch(ctx->device, RepulsionReturn, r->vertexCount, &args);
    wfRepulsion_Couple(r, ctx);
    r->counts.rollbacks += 1;
}

wfRepulsionAnswer wfRepulsion_Ask(wfRepulsion* r, const wfStepContext* ctx) {
    wfDevice* device = ctx->device;
    wfReadback_Start(device, &r->readback, &r->verdict, 0, 1);
    const wfRepulsionVerdict* v = wfReadback_Wait(device, &r->readback, NULL);
    if (v == NULL) return wf_repulsionSafe; // the device has failed; the step says so
    const wfFaultSlot none = s_nothing.violated;
    bool nearFull = v->nearFull != none, activeFull = v->activeFull != none;
    if (v->moved != none) r->stale = true;
    if (v->stretched != none && r->adaptive) r->sampled = r->stale = true;
    r->hasty = v->haste != none;
    r->behind = (float)v->behind > s_mostBehind * (float)r->vertexCount;
    wfRepulsionAnswer answer = nearFull || activeFull ? wf_repulsionAgain
                               : v->far != none       ? wf_repulsionFar
                               : v->violated != none  ? wf_repulsionUnsafe
                                                      : wf_repulsionSafe;
    if (v->deep != none) {
        answer = wf_repulsionDeep;
        r->deepest = (int)(v->deep >> 8);
    }
    // Room may depend on what was before a checkpoint; so nothing else may that depends on it.
    nearFull = nearFull || (float)v->nearUsed > s_full * (float)r->nearRoom;
    activeFull = activeFull || (float)v->activeUsed > s_full * (float)r->activeRoom;
    if (nearFull) r->nearWanted = v->nearUsed + v->nearUsed / 4;
    if (activeFull) r->activeWanted = v->activeUsed + v->activeUsed / 4;
    if (answer != wf_repulsionSafe || v->moved != none || v->stretched != none || r->hasty || v->behind > 0)
        wfUpload(device, &r->verdict, &s_nothing, 1);
    return answer;
}

void wfRepulsion_Run(wfRepulsion* r, const wfStepContext* ctx, int block, wfRepulsionPace pace, wfRepulsionRecordFn record, void* user) {
    const wfRepulsionMode *a = &r->mode, *b = &r->graphMode;
    bool same =
        a->coupling == b->coupling && a->multiply == b->multiply && a->interleaved == b->interleaved && a->projected == b->projected;
    if (!same || r->graphDt != ctx->dt) wfRepulsion_DropGraphs(r, ctx->device);
    r->graphMode = r->mode;
    r->graphDt = ctx->dt;
    int kind = (r->sampled ? 8 : 0) + (pace.firm ? 4 : 0) + (pace.hasty ? 2 : 0) + (pace.anew ? 1 : 0);
    wfGraph* graph = &r->graphs[kind][block];
    if (!r->recorded[kind][block]) {
        wfGraph_Begin(ctx->device, graph);
        record(user, block, pace);
        wfGraph_End(ctx->device);
        r->recorded[kind][block] = true;
    }
    wfGraph_Launch(ctx->device, graph);
}

bool wfRepulsion_Leave(wfRepulsion* r, const wfStepContext* ctx, wfError* err) {
    if (r->mode.multiply > 0.0f) {
        RepulsionMultiplyArgs args = {
            .x = wfData(&r->x, wfVec4),
            .y = wfData(&ctx->state->x, wfVec4),
            .multipliers = wfData(&r->multipliers, wfVec4),
            .rate = r->mode.multiply * r->mode.coupling,
        };
        wfLaunch(ctx->device, RepulsionMultiply, r->vertexCount, &args);
    }
    int local = 0;
    if (r->passed != s_nothing.passed) {
        const wfClothRange* passed = wfModel_FindCloth(ctx->model, (int)(r->passed >> 8), &local);
        return wfFail(err, wf_stepFailed, "cloth \"%s\", vertex %d: a body went through it", passed->name, local);
    }
    wfCopy(ctx->device, &ctx->state->x, &r->x, (size_t)r->vertexCount);
    if (!r->hardened) return true;
    // In rounds that only launch held vertices go where they are told, or the block is taken back; the hard phase can leave them behind.
    RepulsionArriveArgs arrive = {wfData(&r->x, wfVec4), wfData(&ctx->state->xStart, wfVec4), wfData(&r->base, wfVec4), Verdict(r),
                                  s_farthestLag};
    wfLaunch(ctx->device, RepulsionArrive, r->vertexCount, &arrive);
    wfRepulsionVerdict v;
    WF_TRY(wfDownload(ctx->device, &v, &r->verdict, 0, 1, err));
    wfUpload(ctx->device, &r->verdict, &s_nothing, 1);
    if (v.late == s_nothing.late) return true;
    const wfClothRange* cloth = wfModel_FindCloth(ctx->model, (int)(v.late >> 8), &local);
    return wfFail(err, wf_stepFailed,
                  "cloth \"%s\", vertex %d: contact keeps it from where its pin holds it, or more than %g mm from where it leads it",
                  cloth->name, local, 1e3 * (double)s_farthestLag);
}

static int64_t Count(void* self, const wfStepContext* ctx) {
    wfRepulsion* r = self;
    RepulsionTouchArgs args = {wfData(&r->x, wfVec4), wfData(&r->plane, wfVec4), Active(r), r->rules, wfData(&r->flags, int)};
    wfLaunch(ctx->device, RepulsionTouch, r->vertexCount, &args);
    wfScanExclusive(ctx->device, args.touching, wfData(&r->offsets, int), r->vertexCount, &r->scratch);
    return wfReadInt(ctx->device, wfData(&r->offsets, int) + r->vertexCount);
}

void wfRepulsion_CountSoft(wfRepulsion* r, int rounds) {
    r->counts.rounds += rounds;
    r->counts.softRounds += rounds;
}

wfRepulsionCounts wfRepulsion_GetCounts(const wfRepulsion* r) { return r->counts; }
const wfRepulsionRules* wfRepulsion_GetRules(const wfRepulsion* r) { return &r->rules; }
void wfRepulsion_SetPush(wfRepulsion* r, float push) { r->rules.push = push; }
void wfRepulsion_SetSamples(wfRepulsion* r, bool adaptive) { r->adaptive = adaptive; }
void wfRepulsion_SetStart(wfRepulsion* r, bool smooth) { r->smoothStart = smooth; }
bool wfRepulsion_HasStart(const wfRepulsion* r) { return r->smoothStart; }

const int* wfRepulsion_Touched(const wfRepulsion* r) { return wfData(&r->touched, int); }

static wfContactRounds CountRounds(const void* self) {
    const wfRepulsionCounts* c = &((const wfRepulsion*)self)->counts;
    return (wfContactRounds){c->rounds, c->softRounds, c->rollbacks};
}

static wfBuffer* Memory(void* self, bool load) {
    wfRepulsion* r = self;
    r->remembers = r->remembers || load;
    return r->remembers ? &r->multipliers : NULL;
}

const wfContactType wfRepulsionContact = {
    .name = "repulsion",
    .about = "vertices repel each other so far and edges are so short that nothing can intersect; even meshes only (Wu et al. 2020)",
    .selfContact = true,
    .meshContact = true,
    .create = Create,
    .destroy = Destroy,
    .count = Count,
    .rounds = CountRounds,
    .memory = Memory,
};
