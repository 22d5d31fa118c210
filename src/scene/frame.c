// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene/scene.h"

#include <limits.h>
#include <stdio.h>

// The frame loop. A call is a row of equal steps that ends at a given time; the device runs behind and is asked for faults once, at the
// end of the call. On a fault everything is as it was before the call.

wfStepContext wfScene_Context(wfScene* scene, double time, float dt) {
    return (wfStepContext){
        .device = scene->device,
        .model = &scene->model,
        .state = &scene->state,
        .colliders = &scene->colliderSet,
        .dt = dt,
        .time = time,
        .index = scene->stepIndex,
        .scratch = &scene->scratch,
    };
}

static wfStepVerdict StepOnce(wfScene* scene, double end, float dt, bool mayShorten, wfError* err) {
    double start = scene->time;
    wfDevice* device = scene->device;
    wfDevice_Mark(device, wf_stageMotion);
    wfScene_MoveShapes(scene, start, end);
    wfScene_MoveBodies(scene, start, end);
    wfScene_MovePins(scene, start, end);
    wfStepContext ctx = wfScene_Context(scene, start, dt);
    ctx.mayShorten = mayShorten;
    wfStepVerdict verdict = scene->stepper->step(&scene->parts, &ctx, err);
    if (verdict != wf_stepTaken) return verdict;
    wfDevice_Mark(device, wf_stageCheck);
    wfCopy(device, &scene->seenFault, &scene->fault, 1);
    CheckFiniteArgs args = {
        .x = wfData(&scene->state.x, wfVec4),
        .v = wfData(&scene->state.v, wfVec4),
        .seen = wfData(&scene->seenFault, wfFaultSlot),
        .fault = wfData(&scene->fault, wfFaultSlot),
    };
    wfLaunch(device, CheckFinite, scene->state.vertexCount, &args);
    wfDevice_Mark(device, -1);
    ++scene->stepIndex;
    ++scene->stepsSinceCertificate;
    scene->stepped = true;
    scene->time = end;
    return wf_stepTaken;
}

typedef struct Plan {
    int count;
    double step; // [s]
} Plan;

// How to go over `remaining` seconds, the rest of a span (a frame, the preroll). Where a whole number of the span's own equal steps is
// left, these are taken.
static Plan MakePlan(double span, double remaining, double longest) {
    const double slack = 1.0 - 1e-6; // time_step is single precision: 0.1 / 0.005f is a little above 20
    double step = span / ceil(span / longest * slack);
    double left = remaining / step;
    if (left > 0.5 && fabs(left - round(left)) < 1e-6) return (Plan){(int)round(left), step};
    int count = (int)ceil(remaining / longest * slack);
    return (Plan){count, remaining / count};
}

typedef enum RunResult { RunWhole, RunCancelled, RunFailed } RunResult;

// How often a planned step may be halved.
static int HalvingLimit(const wfScene* scene, double step) {
    int limit = 0;
    while (limit < 10 && scene->def.shortest_step > 0.0f && 0.5 * step >= scene->def.shortest_step * (1.0 - 1e-6)) {
        step *= 0.5;
        ++limit;
    }
    return limit;
}

enum { LastHalvings = 6 }; // beyond the shortest step, before a step that cannot be made safe ends the run

/// Whether a call to `end` goes on where another was cancelled. Asks of all numbers, which may come from a file.
static bool GoesOn(const wfScene* scene, double end) {
    const wfStepRest* r = &scene->rest;
    if (!(r->left > 0 && r->end == end && r->step > 0.0)) return false;
    int last = HalvingLimit(scene, r->step) + LastHalvings;
    double left = ldexp((double)r->left * r->step, -last);
    return r->halvings >= 0 && r->halvings <= last && r->good >= 0 && r->good < INT_MAX &&
           fabs(left - (end - scene->time)) < 1e-6 * r->step;
}

// The planned steps; each may be halved where the stepper refuses it, and after three good ones in a row (Bridson et al. 2002, section 5)
// halves are taken together again. A call begins with whole ones; one that goes on where another was cancelled, as that would have.
static RunResult Run(wfScene* scene, Plan plan, double end, wfError* err) {
    bool goesOn = GoesOn(scene, end);
    wfStepRest r = goesOn ? scene->rest : (wfStepRest){.end = end, .step = plan.step};
    int limit = HalvingLimit(scene, r.step), last = limit + LastHalvings;
    int64_t whole = (int64_t)1 << last;
    if (!goesOn) r.left = plan.count * whole;
    scene->rest = (wfStepRest){0};
    wfStepVerdict verdict = wf_stepTaken;
    while (r.left > 0) {
        // Not where a step is taken again: what is known of it so far is in no checkpoint.
        bool ask = scene->progress != NULL && verdict != wf_stepAgain;
        if (ask && !scene->progress(scene->progressUser, scene->stepIndex, scene->time)) {
            scene->rest = r;
            return RunCancelled;
        }
        int64_t size = whole >> r.halvings;
        double part = r.step / (double)whole;
        *err = (wfError){0};
        verdict = StepOnce(scene, end - (double)(r.left - size) * part, (float)((double)size * part), r.halvings < limit, err);
        if (verdict == wf_stepStuck && r.halvings == last) return RunFailed;
        if (verdict != wf_stepTaken) {
            if (!wfDevice_Sync(scene->device, err)) return RunFailed;
            r.halvings += verdict != wf_stepAgain;
            r.good = 0;
            continue;
        }
        r.left -= size;
        if (++r.good >= 3 && r.halvings > 0 && r.left % (2 * size) == 0) {
            --r.halvings;
            r.good = 0;
        }
    }
    return RunWhole;
}

typedef struct Before {
    int frame, stepsSinceCertificate;
    double time;
    int64_t stepIndex;
    wfStepRest rest;
    bool stepped;
    float historyDt;
    int pinchedCount;
} Before;

static Before Keep(wfScene* scene) {
    size_t n = (size_t)scene->state.vertexCount;
    wfCopy(scene->device, &scene->backupX, &scene->state.x, n);
    wfCopy(scene->device, &scene->backupV, &scene->state.v, n);
    wfCopy(scene->device, &scene->backupHistory, &scene->state.history, scene->state.history.count);
    wfCopy(scene->device, &scene->backupPinched, &scene->state.pinched, n);
    const wfBuffer* memory = wfScene_ContactMemory(scene, false);
    size_t kept = memory != NULL ? memory->count : 0;
    if (kept > 0) {
        wfReserve(scene->device, &scene->backupMemory, kept);
        wfCopy(scene->device, &scene->backupMemory, memory, kept);
    }
    scene->backupMemory.count = kept;
    return (Before){
        .frame = scene->frame,
        .stepsSinceCertificate = scene->stepsSinceCertificate,
        .time = scene->time,
        .stepIndex = scene->stepIndex,
        .rest = scene->rest,
        .stepped = scene->stepped,
        .historyDt = scene->state.historyDt,
        .pinchedCount = scene->state.pinchedCount,
    };
}

// Waits, then takes what was raised in this call: by the scene's own check, which knows the first step that went wrong, or by a method.
static wfFault TakeFault(wfScene* scene) {
    wfFaultSlot slot = wf_noFault;
    wfFault raised = wfDevice_TakeFault(scene->device);
    if (!wfDownload(scene->device, &slot, &scene->fault, 0, 1, NULL) || slot == wf_noFault) return raised;
    wfUpload(scene->device, &scene->fault, &(wfFaultSlot){wf_noFault}, 1);
    return (wfFault){(wfFaultCode)(slot & 0xff), (int)(slot >> 8)};
}

static void PlaceOf(const Before* before, char place[32]) {
    if (before->time >= 0.0)
        snprintf(place, 32, "frame %d", before->frame + 1);
    else
        snprintf(place, 32, "preroll");
}

static void GoBack(wfScene* scene, const Before* before) {
    size_t n = (size_t)scene->state.vertexCount;
    wfCopy(scene->device, &scene->state.x, &scene->backupX, n);
    wfCopy(scene->device, &scene->state.v, &scene->backupV, n);
    wfCopy(scene->device, &scene->state.history, &scene->backupHistory, scene->state.history.count);
    wfCopy(scene->device, &scene->state.pinched, &scene->backupPinched, n);
    size_t kept = scene->backupMemory.count;
    wfBuffer* memory = wfScene_ContactMemory(scene, kept > 0);
    if (memory != NULL && kept > 0) {
        wfReserve(scene->device, memory, kept);
        wfCopy(scene->device, memory, &scene->backupMemory, kept);
    } else if (memory != NULL) {
        wfZero(scene->device, memory); // as good as nothing
    }
    scene->state.historyDt = before->historyDt;
    scene->state.pinchedCount = before->pinchedCount;
    scene->frame = before->frame;
    scene->stepsSinceCertificate = before->stepsSinceCertificate;
    scene->time = before->time;
    scene->stepIndex = before->stepIndex;
    scene->rest = before->rest;
    scene->stepped = before->stepped;
}

static bool FailStep(wfScene* scene, const Before* before, wfFault fault, wfError* err) {
    char place[32];
    PlaceOf(before, place);
    GoBack(scene, before);
    int local = 0;
    const wfClothRange* cloth = wfModel_FindCloth(&scene->model, fault.index, &local);
    const char* what = fault.code == wf_faultNotFinite  ? "position is not finite after"
                       : fault.code == wf_faultNoEnergy ? "energy is not finite in"
                                                        : "an unknown fault in";
    return wfFail(err, wf_stepFailed, "%s: cloth \"%s\", vertex %d: %s dynamics \"%s\"", place, cloth->name, local, what,
                  scene->parts.dynamics->name);
}

// Ends a call: waits, and looks at what became of it.
static bool Finish(wfScene* scene, const Before* before, RunResult result, const wfError* stuck, wfError* err) {
    wfFault fault = TakeFault(scene);
    if (fault.code != wf_faultNone) return FailStep(scene, before, fault, err);
    WF_TRY(wfDevice_Sync(scene->device, err));
    if (result == RunFailed) {
        char place[32];
        PlaceOf(before, place);
        GoBack(scene, before);
        return wfFail(err, stuck->code, "%s: %s", place, stuck->text);
    }
    if (result == RunWhole) return true;
    return wfFail(err, wf_cancelled, "cancelled after step %lld, at %.6g s", (long long)scene->stepIndex, scene->time);
}

// The last frame that began at or before a time; rounding of the time does not count.
static int FrameAt(const wfScene* scene, double time) { return time > 0.0 ? (int)floor(time * scene->def.frame_rate + 1e-6) : 0; }

bool wfScene_Step(wfScene* scene, float seconds, wfError* err) {
    WF_TRY(wfScene_RequireCommitted(scene, "wfScene_Step", err));
    if (!(seconds > 0.0f && seconds <= 1e6f)) {
        return wfFail(err, wf_badInput, "wfScene_Step: seconds: expected a number above 0 and up to 1e6, got %g", seconds);
    }
    Before before = Keep(scene);
    wfError stuck = {0};
    RunResult result = Run(scene, MakePlan(seconds, seconds, scene->def.time_step), scene->time + seconds, &stuck);
    scene->frame = FrameAt(scene, scene->time);
    return Finish(scene, &before, result, &stuck, err);
}

bool wfScene_Preroll(wfScene* scene, wfError* err) {
    WF_TRY(wfScene_RequireCommitted(scene, "wfScene_Preroll", err));
    if (scene->time >= 0.0) return true;
    Before before = Keep(scene);
    wfError stuck = {0};
    RunResult result = Run(scene, MakePlan(scene->def.preroll, -scene->time, scene->def.time_step), 0.0, &stuck);
    return Finish(scene, &before, result, &stuck, err);
}

bool wfScene_StepFrame(wfScene* scene, wfError* err) {
    WF_TRY(wfScene_RequireCommitted(scene, "wfScene_StepFrame", err));
    WF_TRY(wfScene_Preroll(scene, err));
    Before before = Keep(scene);
    double end = (scene->frame + 1) / (double)scene->def.frame_rate;
    wfError stuck = {0};
    RunResult result = Run(scene, MakePlan(1.0 / scene->def.frame_rate, end - scene->time, scene->def.time_step), end, &stuck);
    if (result == RunWhole) ++scene->frame;
    return Finish(scene, &before, result, &stuck, err);
}
