// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/repulsion_inside.h"

#include "compute/primitives.h"

// The hard phase (Wu et al. 2020, section 4.2.2), for the vertices whose soft phase has failed. These go back to where they were; should
// they be in the way of others there, so do the others. Then a descent with barriers takes them as near to where they should be as it can;
// every state on its way is safe, so it may stop anywhere.
//
// Unlike in the paper each vertex goes down over a bound of its own, and where it fails it goes less far by itself: with one length for
// all, a single edge at its limit, whose barrier is as steep as it is near, stopped everybody else, and a body went through cloth that
// stood still.

static const float s_firstLength = 0.5f, s_armijo = 1e-4f, s_barrier = 0.17e-6f / (4.2e-3f * 4.2e-3f); // the last times the mean edge²
static const float s_enough = 0.04f;      // of D: the gradient of a vertex, on average, that ends it
static const float s_littleGain = 0.001f; // of the objective, in a step: what is stuck need not be tried for longer
enum { Tries = 8, MostSteps = 24, MostSpreads = 16 };
static const float s_leastLength = 0.5f / 256.0f, s_longer = 1.5f;

static RepulsionCheckArgs CheckArgs(wfRepulsion* r, const wfBuffer* from, const wfBuffer* to, float cond) {
    return (RepulsionCheckArgs){
        .from = wfData(from, wfVec4),
        .to = wfData(to, wfVec4),
        .ring = wfRepulsion_Ring(r),
        .near = wfRepulsion_Near(r),
        .flags = wfData(&r->flags, int),
        .rules = wfRepulsion_JudgeBy(r),
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
    wfRepulsion_CheckSamples(r, device, from, to, cond, (wfSampleNotes){.flags = args.flags});
    wfRepulsion_CheckFolds(r, device, to, (wfFoldLook){.gap = gap, .flags = args.flags});
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

// Leaves value and slope in r->trialResult.
static void LaunchMeasure(wfRepulsion* r, wfDevice* device, const wfBuffer* x, wfBuffer* way) {
    HardGradientArgs args = {
        .x = wfData(x, wfVec4),
        .init = wfData(&r->init, wfVec4),
        .plane = wfData(&r->plane, wfVec4),
        .labels = wfData(&r->labels, int),
        .ring = wfRepulsion_Ring(r),
        .near = wfRepulsion_Near(r),
        .way = wfData(way, wfVec4),
        .value = wfData(&r->value, float),
        .slope = wfData(&r->slope, float),
        .rules = wfRepulsion_JudgeBy(r),
        .welds = wfRepulsion_Welds(r),
        .barrier = s_barrier * r->rules.mean * r->rules.mean,
    };
    wfHardTrial* trial = wfData(&r->trialResult, wfHardTrial);
    wfLaunch(device, HardGradient, r->vertexCount, &args);
    wfSum(device, args.value, &trial->value, r->vertexCount, &r->scratch);
    wfSum(device, args.slope, &trial->slopeSq, r->vertexCount, &r->scratch);
}

void wfRepulsion_SpreadLabels(wfRepulsion* r, wfDevice* device) {
    const int* from = wfData(&r->labels, int);
    for (int k = 0; k < 2; ++k) {
        HardSpreadArgs args = {wfRepulsion_Ring(r), from, wfData(k == 0 ? &r->flags : &r->dirty, int), k == 0};
        wfLaunch(device, HardSpread, r->vertexCount, &args);
        from = args.out;
    }
}

// What a step of this length down from r->x would give, in r->two and r->smooth. Only what the labelled are part of is looked at: nothing
// else moves. Waits once, for all of it.
static bool Try(wfRepulsion* r, wfDevice* device, float length, int turn, Objective* out) {
    wfHardTrial* trial = wfData(&r->trialResult, wfHardTrial);
    HardMoveArgs move = {
        .x = wfData(&r->x, wfVec4),
        .way = wfData(&r->gradient, wfVec4),
        .flags = wfData(&r->flags, int),
        .share = wfData(&r->share, float),
        .out = wfData(&r->two, wfVec4),
        .welds = wfRepulsion_Welds(r),
        .length = length,
        .turn = turn,
        .violated = &trial->verdict.violated,
    };
    wfLaunch(device, HardMove, r->vertexCount, &move);
    RepulsionCheckArgs check = CheckArgs(r, &r->x, &r->two, 0.01f * r->rules.cond);
    check.only = wfData(&r->labels, int);
    check.verdict = &trial->verdict;
    check.soon = INFINITY;
    wfLaunch(device, RepulsionCheck, wfRepulsion_Tiles(r), &check);
    wfSampleNotes notes = {.only = check.only, .flags = check.flags, .verdict = check.verdict};
    wfRepulsion_CheckSamples(r, device, &r->x, &r->two, check.cond, notes);
    wfFoldLook look = {.gap = wfFoldLeast, .only = wfData(&r->dirty, int), .flags = check.flags, .verdict = check.verdict};
    wfRepulsion_CheckFolds(r, device, &r->two, look);
    LaunchMeasure(r, device, &r->two, &r->smooth);
    wfHardTrial host = {.verdict.violated = 0};
    wfDownload(device, &host, &r->trialResult, 0, 1, NULL);
    *out = (Objective){host.value, host.slopeSq};
    return host.verdict.violated == ~(wfFaultSlot)0;
}

// One step down from r->x, longer than the one before where that was right at once. False where none is.
static bool StepDown(wfRepulsion* r, wfDevice* device, int turn, float* length, Objective* at) {
    for (int k = 0; k < Tries && *length >= s_leastLength; ++k, turn = wf_hardRetry) {
        Objective next;
        if (!Try(r, device, *length, turn, &next)) continue;
        if (!(next.value <= at->value - s_armijo * *length * at->slopeSq)) {
            *length *= 0.5f;
            continue;
        }
        wfCopy(device, &r->x, &r->two, (size_t)r->vertexCount);
        wfCopy(device, &r->gradient, &r->smooth, (size_t)r->vertexCount);
        if (k == 0) *length = fminf(s_firstLength, s_longer * *length);
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
    wfRepulsion_SpreadLabels(r, device);
    LaunchMeasure(r, device, &r->x, &r->gradient);
    wfHardTrial first = {.value = 0.0f};
    WF_TRY(wfDownload(device, &first, &r->trialResult, 0, 1, err));
    Objective at = {first.value, first.slopeSq};
    float length = s_firstLength, enough = s_enough * r->rules.step;
    for (int k = 0; k < MostSteps; ++k) {
        if (at.slopeSq <= 0.5f * (float)failed * enough * enough) break; // freely a bound is 2
        float before = at.value;
        if (!StepDown(r, device, k == 0 ? wf_hardFirst : wf_hardNext, &length, &at)) break;
        if (!(before - at.value > s_littleGain * before)) break;
    }
    if (r->mode.projected && !start) { // y, too
        HardFollowArgs follow = {wfData(&r->x, wfVec4), wfData(&r->trial, wfVec4), wfData(&ctx->state->x, wfVec4)};
        wfLaunch(device, HardFollow, r->vertexCount, &follow);
    }
    if (r->mode.interleaved) wfCopy(device, &ctx->state->x, &r->x, (size_t)r->vertexCount);
    wfRepulsion_Couple(r, ctx);
    return wfDevice_Sync(device, err);
}
