// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/balance.h"
#include "dynamics/descent.h"
#include "dynamics/inertia.h"

#include <stdlib.h>

// Implicit Euler or BDF2, every step by Chebyshev descent: "chebyshev" on the mesh itself, "multilevel" with a ladder of coarser ones as
// the preconditioner.

typedef struct Chebyshev {
    wfInertia inertia;
    wfDescent descent;
    wfBalance balance;
    wfLadder ladder;    // of "multilevel"
    int asked;          // iterations the scene asks for; 0: choose
    int round, anew;    // rounds since begin; the one in which acceleration has started
    wfGraph graph;      // the iterations of a whole step …
    float graphSpan;    // … recorded for this one
    wfGraph termsGraph; // the same with terms
    float termsSpan;
    uint64_t termsShape;
} Chebyshev;

static void Destroy(void* self, wfDevice* device) {
    Chebyshev* c = self;
    if (c == NULL) return;
    wfGraph_Free(device, &c->graph);
    wfGraph_Free(device, &c->termsGraph);
    wfDescent_Free(&c->descent, device);
    wfLadder_Free(&c->ladder, device);
    wfBalance_Free(&c->balance, device);
    wfInertia_Free(&c->inertia, device);
    free(c);
}

static void* Create(wfDevice* device, const wfModel* model, const wfState* state, const wfDynamicsDef* def, wfError* err) {
    Chebyshev* c = calloc(1, sizeof *c);
    if (c == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for dynamics");
        return NULL;
    }
    c->asked = def->iterations;
    if (!wfInertia_Create(&c->inertia, device, model, def->integrator, err) ||
        !wfDescent_Create(&c->descent, device, model, &def->elastic, err) || !wfBalance_Create(&c->balance, device, model, err) ||
        !wfDevice_Sync(device, err)) {
        Destroy(c, device);
        return NULL;
    }
    c->descent.pressure = &c->inertia.pressure;
    c->descent.from = &state->xStart;
    return c;
}

static void* CreateMultilevel(wfDevice* device, const wfModel* model, const wfState* state, const wfDynamicsDef* def, wfError* err) {
    Chebyshev* c = Create(device, model, state, def, err);
    if (c == NULL) return NULL;
    if (!wfLadder_Create(&c->ladder, device, model, &def->elastic, err)) {
        Destroy(c, device);
        return NULL;
    }
    if (c->ladder.count > 0) c->descent.ladder = &c->ladder;
    return c;
}

static void Begin(void* self, const wfStepContext* ctx, const wfForces* forces) {
    Chebyshev* c = self;
    c->round = c->anew = 0;
    c->descent.touched = forces->touched;
    wfInertia_Begin(&c->inertia, ctx, forces);
    wfDescent_Prepare(&c->descent, ctx->device, wfCoupledSpan(c->inertia.span, forces->coupling), forces->horizon);
    wfElasticTables_Hold(&c->descent.tables, ctx->device, wfData(&ctx->state->xStart, wfVec4));
    wfElasticTables_SetTime(&c->descent.tables, ctx->device, ctx->time + ctx->dt);
}

static int IterationsFor(const Chebyshev* c, float span) { return c->asked > 0 ? c->asked : wfDescent_Plan(&c->descent, span); }

static void Iterate(void* self, const wfStepContext* ctx, int count) {
    Chebyshev* c = self;
    wfVec4* x = wfData(&ctx->state->x, wfVec4);
    if (count > 0) {
        const wfVec4* target = wfData(wfInertia_Enter(&c->inertia, ctx), wfVec4);
        wfDescent_RunFree(&c->descent, ctx->device, x, target, count, (c->round++ - c->anew) * count);
        wfInertia_Leave(&c->inertia, ctx);
        return;
    }
    if (c->graphSpan != c->inertia.span) {
        wfGraph_Begin(ctx->device, &c->graph);
        const wfVec4* target = wfData(wfInertia_Enter(&c->inertia, ctx), wfVec4);
        wfDescent_Run(&c->descent, ctx->device, x, target, IterationsFor(c, c->inertia.span));
        wfBalance_Apply(&c->balance, ctx->device, x, target);
        wfInertia_Leave(&c->inertia, ctx);
        wfGraph_End(ctx->device);
        c->graphSpan = c->inertia.span;
    }
    wfGraph_Launch(ctx->device, &c->graph);
}

static void Round(void* self, int round, bool anew) {
    Chebyshev* c = self;
    c->round = round;
    if (anew || round == 0) c->anew = round;
}

// Damping by stiffness iterates on other positions than those that the terms know.
static bool TakesTerms(const void* self) { return !((const Chebyshev*)self)->inertia.rayleigh; }

static void IterateWith(void* self, const wfStepContext* ctx, const wfStepTerms* terms) {
    Chebyshev* c = self;
    if (c->termsSpan != c->inertia.span || c->termsShape != terms->shape) {
        wfVec4 *x = wfData(&ctx->state->x, wfVec4), *target = wfData(&ctx->state->target, wfVec4);
        wfGraph_Begin(ctx->device, &c->termsGraph);
        c->descent.terms = terms;
        wfDescent_StartLower(&c->descent, ctx->device, x, target);
        wfDescent_Continue(&c->descent, ctx->device, x, target, IterationsFor(c, c->inertia.span));
        terms->release(terms->self);
        wfDescent_Finish(&c->descent, ctx->device, x, target);
        wfBalance_Settle(&c->balance, ctx->device, x, target, c->inertia.span, terms);
        c->descent.terms = NULL;
        wfGraph_End(ctx->device);
        c->termsSpan = c->inertia.span;
        c->termsShape = terms->shape;
    }
    wfGraph_Launch(ctx->device, &c->termsGraph);
}

static void End(void* self, const wfStepContext* ctx) { wfInertia_End(&((Chebyshev*)self)->inertia, ctx); }

static bool Measure(void* self, const wfStepContext* ctx, wfMeasure* out, wfError* err) {
    Chebyshev* c = self;
    wfElasticTables_SetTime(&c->descent.tables, ctx->device, ctx->time);
    return wfDescent_Measure(&c->descent, ctx->device, wfData(&ctx->state->x, wfVec4), out, err);
}

static wfStepCost Cost(const void* self, float dt) {
    const Chebyshev* c = self;
    return (wfStepCost){IterationsFor(c, dt), wfDescent_Bytes(&c->descent)};
}

const wfDynamicsType wfChebyshevDynamics = {
    .name = "chebyshev",
    .about = "implicit Euler or BDF2 by Chebyshev-accelerated, Jacobi-preconditioned descent (Wang and Yang 2016)",
    .create = Create,
    .destroy = Destroy,
    .begin = Begin,
    .iterate = Iterate,
    .round = Round,
    .roundIterations = 4,
    .rounds = 72,
    .fewest = 72,
    .takesTerms = TakesTerms,
    .iterateWith = IterateWith,
    .end = End,
    .measure = Measure,
    .cost = Cost,
};

const wfDynamicsType wfMultilevelDynamics = {
    .name = "multilevel",
    .about = "the same with a preconditioner on all resolutions of the mesh at once (Bramble, Pasciak and Xu 1990)",
    .create = CreateMultilevel,
    .destroy = Destroy,
    .begin = Begin,
    .iterate = Iterate,
    .round = Round,
    .roundIterations = 2,
    .rounds = 54,
    .fewest = 36,
    .takesTerms = TakesTerms,
    .iterateWith = IterateWith,
    .end = End,
    .measure = Measure,
    .cost = Cost,
};

const wfDynamicsType* const wfDynamicsTypes[] = {&wfChebyshevDynamics, &wfMultilevelDynamics, &wfHierarchyDynamics,
                                                 &wfExplicitDynamics,  &wfNewtonDynamics,     NULL};
