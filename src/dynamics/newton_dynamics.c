// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/inertia.h"
#include "dynamics/newton.h"
#include "elastic/springs.h"

#include <stdlib.h>

// The judge behind the seam: what the other dynamics approach by descent, solved on the host to 1e-10. It waits for the device in every
// step and reads the positions back, so it is for small scenes and for comparison.

enum { MostVertices = 20000 }; // the factor of a square sheet of that many takes about 0.5 GB, and half a minute

typedef struct NewtonDynamics {
    wfArena arena;
    wfNewton newton;
    wfInertia inertia;
    wfVec4 *x, *target; // on the host
    wfSpring* edges;    // for the worst stretch
    int edgeCount;
    double gravity; // [m/s²] of this step
} NewtonDynamics;

static void Destroy(void* self, wfDevice* device) {
    NewtonDynamics* d = self;
    if (d == NULL) return;
    wfInertia_Free(&d->inertia, device);
    wfNewton_Free(&d->newton);
    wfArena_Free(&d->arena);
    free(d);
}

static bool CreateParts(NewtonDynamics* d, wfDevice* device, const wfModel* model, const wfDynamicsDef* dynamics, wfError* err) {
    if (model->vertexCount > MostVertices)
        return wfFail(err, wf_badInput, "dynamics \"newton\": expected at most %d vertices in all cloths, got %d", MostVertices,
                      model->vertexCount);
    wfNewtonDef def = wfDefaultNewtonDef();
    def.gravity = wfMake3D(0, 0, 0); // it is in the target already
    def.elastic = dynamics->elastic;
    if (dynamics->iterations > 0) def.mostIterations = dynamics->iterations;
    d->x = wfArena_New(&d->arena, wfVec4, model->vertexCount, "dynamics", err);
    d->target = wfArena_New(&d->arena, wfVec4, model->vertexCount, "dynamics", err);
    d->edgeCount = model->topology->edgeCount;
    d->edges = wfArena_New(&d->arena, wfSpring, d->edgeCount, "dynamics", err);
    if (d->x == NULL || d->target == NULL || d->edges == NULL) return false;
    for (int e = 0; e < d->edgeCount; ++e) d->edges[e] = wfSpring_Along(model, e);
    WF_TRY(wfNewton_Create(&d->newton, model, &def, err) && wfInertia_Create(&d->inertia, device, model, dynamics->integrator, err));
    if (d->inertia.pressure.gasCount > 0)
        return wfFail(err, wf_badInput, "dynamics \"newton\" knows no gas; expected inflation constant, or another dynamics");
    return wfDevice_Sync(device, err);
}

static void* Create(wfDevice* device, const wfModel* model, const wfState* state, const wfDynamicsDef* def, wfError* err) {
    (void)state;
    NewtonDynamics* d = calloc(1, sizeof *d);
    if (d == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for dynamics");
        return NULL;
    }
    if (CreateParts(d, device, model, def, err)) return d;
    Destroy(d, device);
    return NULL;
}

static void Begin(void* self, const wfStepContext* ctx, const wfForces* forces) {
    NewtonDynamics* d = self;
    d->gravity = wfLength(forces->gravity);
    wfInertia_Begin(&d->inertia, ctx, forces);
}

static bool Read(wfDevice* device, wfVec4* host, const wfBuffer* buffer, int count) {
    return wfDownload(device, host, buffer, 0, (size_t)count, NULL);
}

/// Takes the step's problem from the device. False where there is none: the device has failed, or something is not finite, which the scene
/// finds by itself.
static bool Pose(NewtonDynamics* d, const wfStepContext* ctx, const wfBuffer* target) {
    wfNewton* newton = &d->newton;
    int n = ctx->state->vertexCount;
    if (!Read(ctx->device, d->x, &ctx->state->xStart, n)) return false;
    for (int i = 0; i < n; ++i) newton->trial[i] = wfWiden(wfXyz(d->x[i]));
    wfElastic_Hold(&newton->elastic, newton->trial);
    wfElastic_SetTime(&newton->elastic, ctx->time + ctx->dt);
    if (!Read(ctx->device, d->x, &ctx->state->x, n) || !Read(ctx->device, d->target, target, n)) return false;
    for (int i = 0; i < n; ++i) {
        wfVec3 x = wfXyz(d->x[i]), toward = wfXyz(d->target[i]);
        if (!wfIsFinite3(x) || !wfIsFinite3(toward) || !isfinite(d->target[i].w)) return false;
        newton->held[i] = d->target[i].w < 0.0f;
        newton->weight[i] = newton->held[i] ? 0.0 : d->target[i].w;
        newton->y[i] = wfWiden(toward);
        newton->x[i] = newton->held[i] ? newton->y[i] : wfWiden(x);
    }
    return true;
}

// One solve is as good as many; `count` is for those that stop earlier.
static void Iterate(void* self, const wfStepContext* ctx, int count) {
    (void)count;
    NewtonDynamics* d = self;
    wfError err = {0};
    if (!Pose(d, ctx, wfInertia_Enter(&d->inertia, ctx))) return;
    if (!wfNewton_Minimise(&d->newton, wfNewton_WeightOfAll(&d->newton, d->gravity), &err)) {
        wfDevice_Fail(ctx->device, wf_stepFailed, "step %lld: %s", (long long)ctx->index, err.text);
        return;
    }
    for (int i = 0; i < ctx->state->vertexCount; ++i) {
        wfVec3D x = d->newton.x[i];
        d->x[i] = wfMake4(wfMake3((float)x.x, (float)x.y, (float)x.z), d->x[i].w);
    }
    wfUpload(ctx->device, &ctx->state->x, d->x, (size_t)ctx->state->vertexCount);
    wfInertia_Leave(&d->inertia, ctx);
}

static void End(void* self, const wfStepContext* ctx) {
    NewtonDynamics* d = self;
    wfInertia_End(&d->inertia, ctx);
}

static bool Measure(void* self, const wfStepContext* ctx, wfMeasure* out, wfError* err) {
    NewtonDynamics* d = self;
    int n = ctx->state->vertexCount;
    WF_TRY(wfDownload(ctx->device, d->x, &ctx->state->x, 0, (size_t)n, err));
    for (int i = 0; i < n; ++i) d->newton.trial[i] = wfWiden(wfXyz(d->x[i]));
    wfElastic_SetTime(&d->newton.elastic, ctx->time);
    *out = (wfMeasure){.elasticEnergy = wfElastic_Energy(&d->newton.elastic, d->newton.trial), .worstVertex = -1};
    for (int e = 0; e < d->edgeCount; ++e) {
        const wfSpring* edge = &d->edges[e];
        float stretch = wfDistance(wfXyz(d->x[edge->v[0]]), wfXyz(d->x[edge->v[1]])) / edge->rest;
        if (out->worstVertex < 0 || stretch > out->worstStretch) {
            out->worstStretch = stretch;
            out->worstVertex = edge->v[0];
        }
    }
    return true;
}

static wfStepCost Cost(const void* self, float dt) {
    const NewtonDynamics* d = self;
    (void)dt;
    return (wfStepCost){1, (double)sizeof(double) * (double)d->newton.matrix.size};
}

const wfDynamicsType wfNewtonDynamics = {
    .name = "newton",
    .about = "the reference: each step solved on the host in double precision to 1e-10, for small scenes and as a judge",
    .create = Create,
    .destroy = Destroy,
    .begin = Begin,
    .iterate = Iterate,
    .end = End,
    .measure = Measure,
    .cost = Cost,
};
