// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/chebyshev_kernels.h"

#include "compute/kernel.h"
#include "compute/primitives.h"
#include "dynamics/inertia.h"

#include <stdlib.h>

// Implicit Euler by Chebyshev-accelerated, Jacobi-preconditioned descent on springs. Based on: Wang and Yang 2016, "Descent methods for
// elastic body simulation on the GPU".
//
// With a spring's Hessian bounded by its stiffness, the Jacobi iteration contracts by at most rho = K / (K + m/dt²) at a vertex with
// stiffness K. Chebyshev needs about 1/sqrt(2 (1 - rho)) iterations to shrink the error by e. The first iterations are plain: the
// combination assumes smooth error, which they provide.

enum { PlainIterations = 8, FewestIterations = 16, MostIterations = 600 };

typedef struct Result {
    float energy, stretch;
    int vertex;
} Result;

typedef struct Chebyshev {
    wfSprings springs;
    wfInertia inertia;
    wfBuffer other; // wfVec4: the second set of positions
    wfBuffer energy, stretch, result, scratch;
    const wfModel* model;
    int asked;     // iterations the scene asks for; 0: choose
    wfGraph graph; // the iterations of a whole step …
    float graphDt; // … recorded for this time step
} Chebyshev;

static void Destroy(void* self, wfDevice* device) {
    Chebyshev* c = self;
    if (c == NULL) return;
    wfGraph_Free(device, &c->graph);
    wfSprings_Free(&c->springs, device);
    wfInertia_Free(&c->inertia, device);
    wfBuffer* buffers[] = {&c->other, &c->energy, &c->stretch, &c->result, &c->scratch};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(device, buffers[k]);
    free(c);
}

static void* Create(wfDevice* device, const wfModel* model, const wfState* state, int iterations, wfError* err) {
    (void)state;
    Chebyshev* c = calloc(1, sizeof *c);
    if (c == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for dynamics");
        return NULL;
    }
    size_t n = (size_t)model->vertexCount;
    c->model = model;
    c->asked = iterations;
    c->springs = wfMakeSprings();
    c->inertia = wfMakeInertia();
    c->other = wfMakeBuffer(sizeof(wfVec4), "dynamics.other");
    c->energy = wfMakeBuffer(sizeof(float), "dynamics.energy");
    c->stretch = wfMakeBuffer(sizeof(float), "dynamics.stretch");
    c->result = wfMakeBuffer(sizeof(Result), "dynamics.result");
    c->scratch = wfMakeBuffer(1, "dynamics.scratch");
    wfReserve(device, &c->other, n);
    wfReserve(device, &c->energy, n);
    wfReserve(device, &c->stretch, n);
    wfReserve(device, &c->result, 1);
    if (!wfSprings_Create(&c->springs, device, model, err) || !wfInertia_Create(&c->inertia, device, model, err) ||
        !wfDevice_Sync(device, err)) {
        Destroy(c, device);
        return NULL;
    }
    return c;
}

static void Begin(void* self, const wfStepContext* ctx, const wfForces* forces) {
    Chebyshev* c = self;
    wfInertia_Begin(&c->inertia, ctx, forces);
}

static float Contraction(const Chebyshev* c, float dt) {
    float stiffest = c->springs.stiffestRatio * dt * dt;
    return stiffest / (1.0f + stiffest);
}

/// An even number, so that the result ends in state->x.
static int IterationsFor(const Chebyshev* c, float dt) {
    int n = c->asked;
    if (n == 0) {
        float rho = Contraction(c, dt);
        n = (int)wfClamp(ceilf(2.0f / sqrtf(2.0f * (1.0f - rho))), (float)FewestIterations, (float)MostIterations);
    }
    return n + n % 2;
}

static void LaunchIterations(Chebyshev* c, const wfStepContext* ctx, int count) {
    wfState* state = ctx->state;
    float rho = Contraction(c, ctx->dt), omega = 1.0f;
    wfCopy(ctx->device, &c->other, &state->x, (size_t)state->vertexCount);
    for (int k = 0; k < count; ++k) {
        if (k == PlainIterations)
            omega = 2.0f / (2.0f - rho * rho);
        else if (k > PlainIterations)
            omega = 4.0f / (4.0f - rho * rho * omega);
        wfBuffer *from = k % 2 == 0 ? &state->x : &c->other, *to = k % 2 == 0 ? &c->other : &state->x;
        ChebyshevIterateArgs args = {
            .springs = wfSprings_View(&c->springs),
            .x = wfData(from, wfVec4),
            .target = wfData(&state->target, wfVec4),
            .out = wfData(to, wfVec4),
            .omega = omega,
            .count = state->vertexCount,
        };
        wfLaunch(ctx->device, ChebyshevIterate, wfTileCount(state->vertexCount), &args);
    }
}

static void Iterate(void* self, const wfStepContext* ctx, int count) {
    Chebyshev* c = self;
    if (count > 0) {
        LaunchIterations(c, ctx, count + count % 2);
        return;
    }
    if (c->graphDt != ctx->dt) {
        wfGraph_Begin(ctx->device, &c->graph);
        LaunchIterations(c, ctx, IterationsFor(c, ctx->dt));
        wfGraph_End(ctx->device);
        c->graphDt = ctx->dt;
    }
    wfGraph_Launch(ctx->device, &c->graph);
}

static void End(void* self, const wfStepContext* ctx) {
    Chebyshev* c = self;
    wfInertia_End(&c->inertia, ctx);
}

static bool Measure(void* self, const wfStepContext* ctx, wfMeasure* out, wfError* err) {
    Chebyshev* c = self;
    int n = ctx->state->vertexCount;
    SpringMeasureArgs args = {
        .springs = wfSprings_View(&c->springs),
        .x = wfData(&ctx->state->x, wfVec4),
        .energy = wfData(&c->energy, float),
        .stretch = wfData(&c->stretch, float),
        .count = n,
    };
    wfLaunch(ctx->device, SpringMeasure, n, &args);
    Result* result = wfData(&c->result, Result);
    wfSum(ctx->device, args.energy, &result->energy, n, &c->scratch);
    wfMaxIndex(ctx->device, args.stretch, &result->stretch, &result->vertex, n, &c->scratch);
    Result host;
    WF_TRY(wfDownload(ctx->device, &host, &c->result, 0, 1, err));
    *out = (wfMeasure){host.energy, host.stretch, host.vertex};
    return true;
}

static wfStepCost Cost(const void* self, float dt) {
    const Chebyshev* c = self;
    // A vertex: x, the iterate before, the target, and the result; a spring's end: other vertex, rest length, stiffness.
    double bytes = 4.0 * sizeof(wfVec4) * c->model->vertexCount + 12.0 * (double)c->springs.entryCount;
    return (wfStepCost){IterationsFor(c, dt), bytes};
}

const wfDynamicsType wfChebyshevDynamics = {
    .name = "chebyshev",
    .about = "implicit Euler on springs by Chebyshev-accelerated, Jacobi-preconditioned descent (Wang and Yang 2016)",
    .create = Create,
    .destroy = Destroy,
    .begin = Begin,
    .iterate = Iterate,
    .end = End,
    .measure = Measure,
    .cost = Cost,
};

const wfDynamicsType* const wfDynamicsTypes[] = {&wfChebyshevDynamics, &wfNewtonDynamics, NULL};
