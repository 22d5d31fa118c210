// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/repulsion_inside.h"

#include "compute/primitives.h"

// The hard phase (Wu et al. 2020, section 4.2.2), for the vertices whose soft phase has failed. These go back to where they were; should
// they be in the way of others there, so do the others. Then a descent with barriers takes them as near to where they should be as it can;
// every state on its way is safe, so it may stop anywhere.

static const float s_firstLength = 0.1f, s_armijo = 1e-4f, s_barrier = 0.17e-6f / (4.2e-3f * 4.2e-3f); // the last times the mean edge²
static const float s_enough = 0.04f; // of D: the gradient of a vertex, on average, that ends it
enum { Tries = 8, BlockSteps = 8, MostSteps = 24, MostSpreads = 16 };

static RepulsionCheckArgs CheckArgs(wfRepulsion* r, const wfBuffer* from, const wfBuffer* to, float cond) {
    return (RepulsionCheckArgs){
        .from = wfData(from, wfVec4),
        .to = wfData(to, wfVec4),
        .ring = wfRepulsion_Ring(r),
        .near = wfRepulsion_Near(r),
        .flags = wfData(&r->flags, int),
        .rules = r->rules,
        .nearAt = wfData(&r->nearAt, wfVec4),
        .cond = cond,
        .farthest = 0.5f * (wfRepulsion_Reach(&r->rules) - sqrtf(r->rules.pairSq)),
        .count = r->vertexCount,
    };
}

// How many vertices fail on the way. Waits.
static int CountFailed(wfRepulsion* r, wfDevice* device, const wfBuffer* from, const wfBuffer* to, float cond, float gap) {
    RepulsionCheckArgs args = CheckArgs(r, from, to, cond);
    wfLaunch(device, RepulsionCheck, wfRepulsion_Tiles(r), &args);
    wfRepulsion_CheckFolds(r, device, to, gap, args.flags);
    wfScanExclusive(device, args.flags, wfData(&r->offsets, int), r->vertexCount, &r->scratch);
    return wfReadInt(device, wfData(&r->offsets, int) + r->vertexCount);
}

// Labels what fails and takes it back to r->before, until the way from there to r->x is safe. r->trial holds what the soft phase gave.
static void TakeBack(wfRepulsion* r, wfDevice* device) {
    wfZero(device, &r->labels);
    RepulsionLabelArgs label = {
        .before = wfData(&r->before, wfVec4),
        .soft = wfData(&r->trial, wfVec4),
        .flags = wfData(&r->flags, int),
        .labels = wfData(&r->labels, int),
        .x = wfData(&r->x, wfVec4),
        .welds = wfRepulsion_Welds(r),
    };
    int failed = 1;
    for (int k = 0; k < MostSpreads && failed > 0; ++k) {
        wfLaunch(device, RepulsionLabel, r->vertexCount, &label);
        failed = CountFailed(r, device, &r->before, &r->x, 0.0f, 0.0f);
    }
    if (failed == 0) return;
    wfCopy(device, &r->x, &r->before, (size_t)r->vertexCount); // everybody stays: that is safe
}

typedef struct Objective {
    float value, slopeSq;
} Objective;

static Objective Measure(wfRepulsion* r, wfDevice* device, const wfBuffer* x, wfBuffer* gradient) {
    HardGradientArgs args = {
        .x = wfData(x, wfVec4),
        .init = wfData(&r->init, wfVec4),
        .plane = wfData(&r->plane, wfVec4),
        .labels = wfData(&r->labels, int),
        .ring = wfRepulsion_Ring(r),
        .near = wfRepulsion_Near(r),
        .gradient = wfData(gradient, wfVec4),
        .value = wfData(&r->value, float),
        .slope = wfData(&r->slope, float),
        .rules = r->rules,
        .welds = wfRepulsion_Welds(r),
        .barrier = s_barrier * r->rules.mean * r->rules.mean,
    };
    float* sums = wfData(&r->number, float);
    wfLaunch(device, HardGradient, r->vertexCount, &args);
    wfSum(device, args.value, sums, r->vertexCount, &r->scratch);
    wfSum(device, args.slope, sums + 1, r->vertexCount, &r->scratch);
    float host[2] = {0};
    wfDownload(device, host, &r->number, 0, 2, NULL);
    return (Objective){host[0], host[1]};
}

// One step down from r->x, as long as it may be. False where none is.
static bool StepDown(wfRepulsion* r, wfDevice* device, Objective* at) {
    HardMoveArgs move = {wfData(&r->x, wfVec4), wfData(&r->gradient, wfVec4), wfData(&r->two, wfVec4), s_firstLength};
    for (int k = 0; k < Tries; ++k, move.length *= 0.5f) {
        wfLaunch(device, HardMove, r->vertexCount, &move);
        if (CountFailed(r, device, &r->x, &r->two, 0.01f * r->rules.cond, wfFoldLeast) > 0) continue;
        Objective next = Measure(r, device, &r->two, &r->smooth);
        if (!(next.value <= at->value - s_armijo * move.length * at->slopeSq)) continue;
        wfCopy(device, &r->x, &r->two, (size_t)r->vertexCount);
        wfCopy(device, &r->gradient, &r->smooth, (size_t)r->vertexCount);
        *at = next;
        r->counts.hardSteps += 1;
        return true;
    }
    return false;
}

bool wfRepulsion_Harden(wfRepulsion* r, const wfStepContext* ctx, bool start, wfError* err) {
    wfDevice* device = ctx->device;
    r->counts.rounds += 1;
    r->stale = true; // x may have gone farther in one round here than rows allow for
    int failed = CountFailed(r, device, &r->before, &r->x, r->rules.cond, wfFoldGap);
    if (failed == 0) {
        r->counts.softRounds += 1;
        return wfDevice_Sync(device, err);
    }
    r->counts.hardRounds += 1;
    r->hardened = true;
    wfCopy(device, &r->trial, &r->x, (size_t)r->vertexCount);
    TakeBack(r, device);
    Objective at = Measure(r, device, &r->x, &r->gradient);
    float enough = s_enough * r->rules.step;
    for (int k = 0; k < MostSteps; ++k) {
        if (k % BlockSteps == 0 && at.slopeSq <= (float)failed * enough * enough) break;
        if (!StepDown(r, device, &at)) break;
    }
    if (r->mode.projected && !start) { // y, too
        HardFollowArgs follow = {wfData(&r->x, wfVec4), wfData(&r->trial, wfVec4), wfData(&ctx->state->x, wfVec4)};
        wfLaunch(device, HardFollow, r->vertexCount, &follow);
    }
    if (r->mode.interleaved) wfCopy(device, &ctx->state->x, &r->x, (size_t)r->vertexCount);
    wfRepulsion_Couple(r, ctx);
    return wfDevice_Sync(device, err);
}
