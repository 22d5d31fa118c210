// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/repulsion_inside.h"

#include "compute/primitives.h"

#include <stdlib.h>

static const float s_smoothCell = 16.0f; // of the mean edge
// How much two vertices may approach in a round of the start, of their distance. With rows that are listed every other round, reach R and
// d, how far vertices may leave the smooth motion in a round, everybody else stays farther away than B + Bt: 0.95² R - 3.9 d > B + Bt.
static const float s_steepest = 0.05f;
static const float s_ontoBodies = 0.85f; // of d: how far the smooth motion may take a vertex toward a body in a round
static const float s_longest = 1.4f;     // cells that the start of a step goes at most: as far as the filter reaches
static const float s_safeDrift = 1.0f;   // of the stride: a vertex's way in a safe round of the start
enum { Filters = 3, NearRoom = 96, ActiveRoom = 32 };
static const wfRepulsionVerdict s_nothing = {~(wfFaultSlot)0, ~(wfFaultSlot)0, ~(wfFaultSlot)0, ~(wfFaultSlot)0};

static void MakeBuffers(wfRepulsion* r) {
    const struct {
        wfBuffer* buffer;
        size_t stride;
        const char* name;
    } all[] = {
        {&r->x, sizeof(wfVec4), "repulsion.x"},
        {&r->kept, sizeof(wfVec4), "repulsion.kept"},
        {&r->keptY, sizeof(wfVec4), "repulsion.keptY"},
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
        {&r->value, sizeof(float), "repulsion.value"},
        {&r->slope, sizeof(float), "repulsion.slope"},
        {&r->flags, sizeof(int), "repulsion.flags"},
        {&r->labels, sizeof(int), "repulsion.labels"},
        {&r->tight, sizeof(int), "repulsion.tight"},
        {&r->look, sizeof(int), "repulsion.look"},
        {&r->nearCount, sizeof(int), "repulsion.nearCount"},
        {&r->activeCount, sizeof(int), "repulsion.activeCount"},
    };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k) *all[k].buffer = wfMakeBuffer(all[k].stride, all[k].name);
    r->clothOf = wfMakeBuffer(sizeof(int), "repulsion.clothOf");
    r->friction = wfMakeBuffer(sizeof(wfFriction), "repulsion.friction");
    r->ringCount = wfMakeBuffer(sizeof(int), "repulsion.ringCount");
    r->ringItem = wfMakeBuffer(sizeof(int), "repulsion.ringItem");
    r->nearItem = wfMakeBuffer(sizeof(int), "repulsion.nearItem");
    r->activeItem = wfMakeBuffer(sizeof(int), "repulsion.activeItem");
    r->acts = wfMakeBuffer(sizeof(wfVec2), "repulsion.acts");
    r->ringSq = wfMakeBuffer(sizeof(float), "repulsion.ringSq");
    r->aroundCount = wfMakeBuffer(sizeof(int), "repulsion.aroundCount");
    r->aroundItem = wfMakeBuffer(sizeof(int), "repulsion.aroundItem");
    r->triangles = wfMakeBuffer(sizeof(wfTriangle), "repulsion.triangles");
    r->gate = wfMakeBuffer(sizeof(int), "repulsion.gate");
    r->verdict = wfMakeBuffer(sizeof(wfRepulsionVerdict), "repulsion.verdict");
    r->sums = wfMakeBuffer(sizeof(wfSmoothSum), "repulsion.sums");
    r->nodes = wfMakeBuffer(sizeof(wfVec4), "repulsion.nodes");
    r->otherNodes = wfMakeBuffer(sizeof(wfVec4), "repulsion.otherNodes");
    r->excess = wfMakeBuffer(sizeof(float), "repulsion.excess");
    r->excessMost = wfMakeBuffer(sizeof(float), "repulsion.excessMost");
    r->excessAt = wfMakeBuffer(sizeof(int), "repulsion.excessAt");
    r->offsets = wfMakeBuffer(sizeof(int), "repulsion.offsets");
    r->number = wfMakeBuffer(sizeof(float), "repulsion.number");
    r->scratch = wfMakeBuffer(1, "repulsion.scratch");
    r->fixedScratch = wfMakeBuffer(1, "repulsion.fixedScratch");
}

static void ReserveAll(wfRepulsion* r, wfDevice* device) {
    size_t n = (size_t)r->vertexCount;
    wfBuffer* ofVertices[] = {&r->x,      &r->kept,  &r->keptY,  &r->init,   &r->plane,       &r->one,         &r->two,   &r->before,
                              &r->smooth, &r->at,    &r->nearAt, &r->base,   &r->multipliers, &r->gradient,    &r->trial, &r->clear,
                              &r->value,  &r->slope, &r->flags,  &r->labels, &r->nearCount,   &r->activeCount, &r->tight, &r->look};
    for (size_t k = 0; k < sizeof ofVertices / sizeof ofVertices[0]; ++k) wfReserve(device, ofVertices[k], n);
    r->nearRoom = NearRoom;
    r->activeRoom = ActiveRoom;
    wfReserve(device, &r->nearItem, n * (size_t)r->nearRoom);
    wfReserve(device, &r->activeItem, n * (size_t)r->activeRoom);
    wfReserve(device, &r->acts, n * (size_t)r->activeRoom);
    wfReserve(device, &r->sums, wf_smoothNodes);
    wfReserve(device, &r->nodes, wf_smoothNodes);
    wfReserve(device, &r->otherNodes, wf_smoothNodes);
    wfReserve(device, &r->excess, wf_smoothNodes + n);
    wfReserve(device, &r->excessMost, 1);
    wfReserve(device, &r->excessAt, 1);
    wfReserve(device, &r->offsets, n + 1);
    wfReserve(device, &r->number, 2);
    wfUpload(device, &r->verdict, &s_nothing, 1);
    wfUpload(device, &r->gate, &(int){1}, 1);
    wfZero(device, &r->multipliers);
    wfZero(device, &r->activeCount);
    wfZero(device, &r->plane);
    // Scratch gets its size now: inside a graph it may not grow.
    wfZero(device, &r->excess);
    wfMaxIndex(device, wfData(&r->excess, float), wfData(&r->excessMost, float), wfData(&r->excessAt, int), wf_smoothNodes + r->vertexCount,
               &r->fixedScratch);
}

static void DropGraphs(wfRepulsion* r, wfDevice* device) {
    for (int k = 0; k < wf_repulsionBlocks; ++k) {
        if (r->recorded[k]) wfGraph_Free(device, &r->graphs[k]);
        r->graphs[k] = (wfGraph){0};
        r->recorded[k] = false;
    }
}

static void Destroy(void* self, wfDevice* device) {
    wfRepulsion* r = self;
    if (r == NULL) return;
    DropGraphs(r, device);
    wfDestroyVertexGrid(r->grid);
    wfRepulsion_FreeBodies(r, device);
    wfRepulsion_FreeWelds(r, device);
    wfBuffer* buffers[] = {
        &r->x,       &r->kept,        &r->keptY,      &r->init,      &r->plane,       &r->one,      &r->two,          &r->before,
        &r->smooth,  &r->at,          &r->nearAt,     &r->base,      &r->multipliers, &r->gradient, &r->trial,        &r->clear,
        &r->value,   &r->slope,       &r->flags,      &r->labels,    &r->nearCount,   &r->nearItem, &r->activeCount,  &r->activeItem,
        &r->clothOf, &r->friction,    &r->ringCount,  &r->ringItem,  &r->verdict,     &r->sums,     &r->nodes,        &r->otherNodes,
        &r->excess,  &r->excessMost,  &r->excessAt,   &r->offsets,   &r->number,      &r->scratch,  &r->fixedScratch, &r->acts,
        &r->ringSq,  &r->aroundCount, &r->aroundItem, &r->triangles, &r->tight,       &r->look,     &r->gate};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(device, buffers[k]);
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
    r->smoothStart = true;
    MakeBuffers(r);
    ReserveAll(r, device);
    wfUpload(device, &r->clothOf, model->clothOf, (size_t)model->vertexCount);
    wfUpload(device, &r->friction, model->friction, (size_t)model->surfaceCount * (size_t)model->surfaceCount);
    if (wfRepulsion_CreateBodies(r, colliders, err) && wfRepulsion_Build(r, device, model, err) && wfDevice_Sync(device, err)) return r;
    Destroy(r, device);
    return NULL;
}

// ---- views --------------------------------------------------------------------------------------------------------------------

wfRepulsionRows wfRepulsion_Near(const wfRepulsion* r) {
    return (wfRepulsionRows){wfData(&r->nearCount, int), wfData(&r->nearItem, int), r->nearRoom, r->vertexCount};
}

wfRepulsionRows wfRepulsion_Ring(const wfRepulsion* r) {
    return (wfRepulsionRows){wfData(&r->ringCount, int), wfData(&r->ringItem, int), r->ringRoom, r->vertexCount};
}

static wfRepulsionRows Active(const wfRepulsion* r) {
    return (wfRepulsionRows){wfData(&r->activeCount, int), wfData(&r->activeItem, int), r->activeRoom, r->vertexCount};
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

static wfRepulsionVerdict* Verdict(const wfRepulsion* r) { return wfData(&r->verdict, wfRepulsionVerdict); }

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

bool wfRepulsion_Begin(wfRepulsion* r, const wfStepContext* ctx, wfRepulsionMode mode, wfError* err) {
    r->mode = mode;
    r->remembers = r->remembers || mode.multiply > 0.0f;
    r->hardened = false;
    WF_TRY(wfRepulsion_PlaceBodies(r, ctx, err));
    RepulsionStartArgs args = {
        .xStart = wfData(&ctx->state->xStart, wfVec4),
        .target = wfData(&ctx->state->target, wfVec4),
        .x = wfData(&r->x, wfVec4),
        .base = wfData(&r->base, wfVec4),
        .y = mode.projected ? wfData(&ctx->state->x, wfVec4) : NULL, // a pull would not take it back
        .clear = wfData(&r->clear, float),
        .bodies = Bodies(r, ctx->colliders),
        .body = r->rules.body,
        .step = r->rules.step,
    };
    wfLaunch(ctx->device, RepulsionStart, r->vertexCount, &args);
    wfRepulsion_PlaceWelds(r, ctx);
    wfRepulsion_Couple(r, ctx);
    return true;
}

void wfRepulsion_Smooth(wfRepulsion* r, const wfStepContext* ctx) {
    wfDevice* device = ctx->device;
    float cell = s_smoothCell * r->rules.mean;
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
    for (int k = 0; k < Filters; ++k) { // an odd number of them: the last writes r->nodes
        SmoothFilterArgs filter = {k % 2 == 0 ? out : in, k % 2 == 0 ? in : out};
        wfLaunch(device, SmoothFilter, wf_smoothNodes, &filter);
    }
    SmoothLimitArgs limit = {
        .nodes = in,
        .x = scatter.x,
        .clear = scatter.clear,
        .bodies = scatter.bodies,
        .out = wfData(&r->excess, float),
        .inverseCell = scatter.inverseCell,
        .ontoBodies = (float)wf_repulsionStart * s_ontoBodies * r->rules.drift,
        .steepest = (float)wf_repulsionStart * s_steepest * 0.57735f * cell, // differences along three axes together
        .longest = s_longest * cell,
    };
    wfLaunch(device, SmoothLimit, wf_smoothNodes + r->vertexCount, &limit);
    wfMaxIndex(device, limit.out, wfData(&r->excessMost, float), wfData(&r->excessAt, int), wf_smoothNodes + r->vertexCount,
               &r->fixedScratch);
}

void wfRepulsion_Find(wfRepulsion* r, const wfStepContext* ctx, wfRepulsionFind when) {
    // Within a step vertices go ever less far in a block.
    static const float farthest[] = {[wf_findAnew] = -1.0f, [wf_findFirst] = 0.06f, [wf_findLater] = 0.375f}; // of how far they may go
    RepulsionMovedArgs moved = {
        .x = wfData(&r->x, wfVec4),
        .nearAt = wfData(&r->nearAt, wfVec4),
        .gate = wfData(&r->gate, int),
        .farthest = farthest[when] * r->rules.nearMove,
    };
    RepulsionSeenArgs seen = {moved.x, wfData(&r->nearAt, wfVec4), moved.gate};
    if (when == wf_findAnew)
        wfCopy(ctx->device, &r->nearAt, &r->x, (size_t)r->vertexCount);
    else
        wfLaunch(ctx->device, RepulsionMoved, r->vertexCount, &moved);
    wfVertexGrid_ListRows(r->grid, &r->x, wfData(&r->nearCount, int), wfData(&r->nearItem, int), r->nearRoom,
                          when == wf_findAnew ? NULL : moved.gate);
    if (when != wf_findAnew) wfLaunch(ctx->device, RepulsionSeen, r->vertexCount, &seen);
    wfZero(ctx->device, &r->gate);
}

bool wfRepulsion_FindAll(wfRepulsion* r, const wfStepContext* ctx, wfError* err) {
    for (;;) {
        wfRepulsion_Find(r, ctx, wf_findAnew);
        wfRepulsion_Pick(r, ctx);
        wfRepulsionAnswer answer = wfRepulsion_Ask(r, ctx);
        if (answer != wf_repulsionAgain) return wfDevice_Sync(ctx->device, err);
    }
}

static void Collect(wfRepulsion* r, const wfStepContext* ctx, const wfBuffer* x, float nearMove) {
    RepulsionCollectArgs args = {
        .x = wfData(x, wfVec4),
        .nearAt = wfData(&r->nearAt, wfVec4),
        .xStart = wfData(&ctx->state->xStart, wfVec4),
        .ringSq = wfData(&r->ringSq, float),
        .acts = wfData(&r->acts, wfVec2),
        .at = wfData(&r->at, wfVec4),
        .ring = wfRepulsion_Ring(r),
        .near = wfRepulsion_Near(r),
        .active = Active(r),
        .verdict = Verdict(r),
        .rules = r->rules,
        .nearMove = nearMove,
    };
    wfLaunch(ctx->device, RepulsionCollect, r->vertexCount, &args);
}

void wfRepulsion_Pick(wfRepulsion* r, const wfStepContext* ctx) { Collect(r, ctx, &r->x, r->rules.nearMove); }

void wfRepulsion_Aim(wfRepulsion* r, const wfStepContext* ctx, int left, bool judge) {
    RepulsionAimArgs args = {
        .x = wfData(&r->x, wfVec4),
        .y = wfData(&ctx->state->x, wfVec4),
        .xStart = wfData(&ctx->state->xStart, wfVec4),
        .base = wfData(&r->base, wfVec4),
        .at = wfData(&r->at, wfVec4),
        .multipliers = r->mode.coupling > 0.0f ? Multipliers(r) : NULL,
        .goal = wfData(&r->smooth, wfVec4),
        .init = wfData(&r->init, wfVec4),
        .plane = wfData(&r->plane, wfVec4),
        .clear = wfData(&r->clear, float),
        .clothOf = wfData(&r->clothOf, int),
        .friction = wfData(&r->friction, wfFriction),
        .bodies = Bodies(r, ctx->colliders),
        .active = Active(r),
        .verdict = Verdict(r),
        .rules = r->rules,
        .welds = wfRepulsion_Welds(r),
        .turn = {r->mode.interleaved ? INFINITY : r->rules.step, 1.0f / (float)left, r->mode.coupling},
        .surfaceCount = r->surfaceCount,
        .test = judge,
    };
    wfLaunch(ctx->device, RepulsionAim, r->vertexCount, &args);
}

// `reference` and `limit`: what the last step may not leave by more.
static void Soften(wfRepulsion* r, const wfStepContext* ctx, int count, const wfBuffer* reference, float limit, bool start) {
    wfVec4 *one = wfData(&r->one, wfVec4), *two = wfData(&r->two, wfVec4);
    RepulsionSoftArgs args = {
        .from = wfData(&r->init, wfVec4),
        .init = wfData(&r->init, wfVec4),
        .plane = wfData(&r->plane, wfVec4),
        .xStart = wfData(&ctx->state->xStart, wfVec4),
        .limit = limit,
        .clothOf = wfData(&r->clothOf, int),
        .friction = wfData(&r->friction, wfFriction),
        .active = Active(r),
        .acts = wfData(&r->acts, wfVec2),
        .verdict = Verdict(r),
        .rules = r->rules,
        .surfaceCount = r->surfaceCount,
        .welds = wfRepulsion_Welds(r),
        .base = wfData(&r->base, wfVec4),
        .multipliers = Multipliers(r),
        .coupling = r->mode.coupling,
    };
    for (int k = 0; k < count; ++k) {
        args.out = k % 2 == 0 ? one : two;
        if (k == count - 1) {
            args.out = wfData(&r->x, wfVec4);
            args.reference = wfData(reference, wfVec4);
            args.follow = r->mode.interleaved && !start ? wfData(&ctx->state->x, wfVec4) : NULL;
            args.project = r->mode.projected && !start ? wfData(&ctx->state->x, wfVec4) : NULL;
            args.goal = wfData(&r->smooth, wfVec4);
            args.target = wfData(&ctx->state->target, wfVec4);
        }
        wfLaunch(ctx->device, RepulsionSoft, r->vertexCount, &args);
        args.from = args.out;
    }
}

void wfRepulsion_Soften(wfRepulsion* r, const wfStepContext* ctx, bool safe) {
    if (safe) wfCopy(ctx->device, &r->before, &r->x, (size_t)r->vertexCount);
    Soften(r, ctx, safe ? wf_repulsionSafeSoft : wf_repulsionSoft, &r->x, r->rules.stride, false);
}

void wfRepulsion_Drift(wfRepulsion* r, const wfStepContext* ctx, bool safe) {
    SmoothMoveArgs move = {
        .x = wfData(&r->x, wfVec4),
        .nodes = wfData(&r->nodes, wfVec4),
        .excess = wfData(&r->excessMost, float),
        .before = wfData(&r->before, wfVec4),
        .smooth = wfData(&r->smooth, wfVec4),
        .init = wfData(&r->init, wfVec4),
        .plane = wfData(&r->plane, wfVec4),
        .base = wfData(&r->base, wfVec4),
        .clear = wfData(&r->clear, float),
        .bodies = Bodies(r, ctx->colliders),
        .inverseCell = 1.0f / (s_smoothCell * r->rules.mean),
        .share = 1.0f / (float)wf_repulsionStart,
        .longest = safe ? s_safeDrift * r->rules.stride : INFINITY,
    };
    wfLaunch(ctx->device, SmoothMove, r->vertexCount, &move);
    Collect(r, ctx, &r->init, -1.0f);
    Soften(r, ctx, safe ? wf_repulsionSafeSoft : wf_repulsionSoft, &r->smooth, r->rules.drift, true);
    if (safe) return; // Harden judges it
    RepulsionCheckArgs check = {
        .from = move.before,
        .to = wfData(&r->x, wfVec4),
        .ring = wfRepulsion_Ring(r),
        .near = wfRepulsion_Near(r),
        .verdict = Verdict(r),
        .rules = r->rules,
        .cond = r->rules.cond,
        .nearAt = wfData(&r->nearAt, wfVec4),
        .farthest = INFINITY,
    };
    wfLaunch(ctx->device, RepulsionCheck, r->vertexCount, &check);
}

void wfRepulsion_Test(wfRepulsion* r, const wfStepContext* ctx) {
    RepulsionTestArgs args = {
        .x = wfData(&r->x, wfVec4),
        .at = wfData(&r->at, wfVec4),
        .active = Active(r),
        .verdict = Verdict(r),
        .rules = r->rules,
    };
    wfLaunch(ctx->device, RepulsionTest, r->vertexCount, &args);
    wfRepulsion_TestFolds(r, ctx);
}

void wfRepulsion_TestFolds(wfRepulsion* r, const wfStepContext* ctx) { wfRepulsion_CheckFolds(r, ctx->device, &r->x, wfFoldGap, NULL); }

void wfRepulsion_Keep(wfRepulsion* r, const wfStepContext* ctx) {
    wfCopy(ctx->device, &r->kept, &r->x, (size_t)r->vertexCount);
    wfCopy(ctx->device, &r->keptY, &ctx->state->x, (size_t)r->vertexCount);
}

void wfRepulsion_GoBack(wfRepulsion* r, const wfStepContext* ctx) {
    wfCopy(ctx->device, &r->x, &r->kept, (size_t)r->vertexCount);
    wfCopy(ctx->device, &ctx->state->x, &r->keptY, (size_t)r->vertexCount);
    wfRepulsion_Couple(r, ctx);
    r->counts.rollbacks += 1;
}

wfRepulsionAnswer wfRepulsion_Ask(wfRepulsion* r, const wfStepContext* ctx) {
    wfDevice* device = ctx->device;
    wfRepulsionVerdict v;
    if (!wfDownload(device, &v, &r->verdict, 0, 1, NULL)) return wf_repulsionSafe; // the device has failed; the step says so
    if (v.violated == s_nothing.violated && v.nearFull == s_nothing.nearFull && v.activeFull == s_nothing.activeFull)
        return wf_repulsionSafe;
    wfUpload(device, &r->verdict, &s_nothing, 1);
    if (v.nearFull == s_nothing.nearFull && v.activeFull == s_nothing.activeFull) return wf_repulsionUnsafe;
    if (v.nearFull != s_nothing.nearFull) r->nearRoom += r->nearRoom / 3;
    if (v.activeFull != s_nothing.activeFull) r->activeRoom += r->activeRoom / 2;
    wfUpload(device, &r->gate, &(int){1}, 1); // what was listed is lost
    wfReserve(device, &r->nearItem, (size_t)r->vertexCount * (size_t)r->nearRoom);
    wfReserve(device, &r->activeItem, (size_t)r->vertexCount * (size_t)r->activeRoom);
    wfReserve(device, &r->acts, (size_t)r->vertexCount * (size_t)r->activeRoom);
    DropGraphs(r, device);
    return wf_repulsionAgain;
}

void wfRepulsion_Run(wfRepulsion* r, const wfStepContext* ctx, int block, wfRepulsionRecordFn record, void* user) {
    const wfRepulsionMode *a = &r->mode, *b = &r->graphMode;
    bool same =
        a->coupling == b->coupling && a->multiply == b->multiply && a->interleaved == b->interleaved && a->projected == b->projected;
    if (!same || r->graphDt != ctx->dt) DropGraphs(r, ctx->device);
    r->graphMode = r->mode;
    r->graphDt = ctx->dt;
    if (!r->recorded[block]) {
        wfGraph_Begin(ctx->device, &r->graphs[block]);
        record(user, block);
        wfGraph_End(ctx->device);
        r->recorded[block] = true;
    }
    wfGraph_Launch(ctx->device, &r->graphs[block]);
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
    wfCopy(ctx->device, &ctx->state->x, &r->x, (size_t)r->vertexCount);
    if (!r->hardened) return true;
    // In rounds that only launch held vertices go where they are told, or the block is taken back; the hard phase can leave them behind.
    RepulsionArriveArgs arrive = {wfData(&r->x, wfVec4), wfData(&r->base, wfVec4), Verdict(r)};
    wfLaunch(ctx->device, RepulsionArrive, r->vertexCount, &arrive);
    wfRepulsionVerdict v;
    WF_TRY(wfDownload(ctx->device, &v, &r->verdict, 0, 1, err));
    wfUpload(ctx->device, &r->verdict, &s_nothing, 1);
    if (v.late == s_nothing.late) return true;
    int local = 0;
    const wfClothRange* cloth = wfModel_FindCloth(ctx->model, (int)(v.late >> 8), &local);
    return wfFail(err, wf_stepFailed, "cloth \"%s\", vertex %d: contact keeps it from where its pin holds it", cloth->name, local);
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
void wfRepulsion_SetStart(wfRepulsion* r, bool smooth) { r->smoothStart = smooth; }
bool wfRepulsion_HasStart(const wfRepulsion* r) { return r->smoothStart; }

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
