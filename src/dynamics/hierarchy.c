// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "compute/kernel.h"
#include "dynamics/balance.h"
#include "dynamics/hierarchy_kernels.h"
#include "dynamics/inertia.h"
#include "dynamics/levels.h"

#include <stdlib.h>

// Implicit Euler or BDF2 by Chebyshev descent on three resolutions of the mesh, from coarse to fine: errors that reach far, for which the
// mesh itself needs many iterations, are few edges long on a coarse one. Based on: Wu, Wu, Yang and Wang 2020, "A safe and fast
// repulsion method for GPU-based cloth self collisions", 5.1.
//
// Driven in rounds (iterate with a count), it is theirs: 48 rounds of 6 iterations on the coarsest mesh, 12 of 1 on the middle one, from
// then on 1 on the mesh itself; the coarse meshes have their own elasticity, and the acceleration goes on from round to round.
// A whole step is a row of cycles through all levels. The first is as above: far from the solution the coarse meshes' own elasticity is the
// better guide. The others are tau-corrected, and so end where descent on the mesh itself would: with P the up-sampling, r the gradient of
// the step's energy on the finer mesh and X0 the place where the coarse one starts, they look for the X with gradient E(X) - gradient E(X0)
// + W (X - X0) = -Pt r, and move the finer mesh by P (X - X0): nothing, where r = 0, whatever X0 is.

enum { MostCoarse = 2, CoarsestRounds = 48, MiddleRounds = 12, CoarsestIterations = 6 };
enum { Cycles = 3, CycleIterations = 20, MostCoarsest = 400 };

typedef struct Hierarchy {
    wfInertia inertia;
    wfBalance balance;
    wfDescent descent; // of the mesh itself
    wfCoarseLevel coarse[MostCoarse];
    int coarseCount;
    wfBuffer start;  // wfVec4: where the first cycle began
    int asked;       // iterations on the mesh itself that the scene asks for; 0: choose
    int round, anew; // since begin; the one in which acceleration has started
    wfGraph graph;   // a whole step …
    float graphSpan; // … recorded for this one
} Hierarchy;

static void Destroy(void* self, wfDevice* device) {
    Hierarchy* h = self;
    if (h == NULL) return;
    wfGraph_Free(device, &h->graph);
    for (int k = 0; k < h->coarseCount; ++k) wfCoarseLevel_Free(&h->coarse[k], device);
    wfFreeBuffer(device, &h->start);
    wfDescent_Free(&h->descent, device);
    wfBalance_Free(&h->balance, device);
    wfInertia_Free(&h->inertia, device);
    free(h);
}

/// Coarser meshes, as long as they are coarser: one that keeps most of its vertices is no help.
static bool CreateCoarse(Hierarchy* h, wfDevice* device, const wfModel* model, const wfElasticDef* def, wfError* err) {
    wfCoarseModel models[MostCoarse] = {{.fineCount = 0}};
    bool ok = true;
    const wfModel* fine = model;
    for (int k = 0; ok && k < MostCoarse; ++k) {
        ok = wfCoarsen(&models[k], fine, err);
        if (!ok || 2 * models[k].model.vertexCount > fine->vertexCount) break;
        ok = wfCoarseLevel_Create(&h->coarse[h->coarseCount++], device, &models[k], def, err);
        fine = &models[k].model;
    }
    for (int k = 0; k < MostCoarse; ++k) wfCoarseModel_Free(&models[k]);
    h->descent.silent = h->coarseCount > 0;
    return ok;
}

static void* Create(wfDevice* device, const wfModel* model, const wfState* state, const wfDynamicsDef* def, wfError* err) {
    Hierarchy* h = calloc(1, sizeof *h);
    if (h == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for dynamics");
        return NULL;
    }
    h->asked = def->iterations;
    h->start = wfMakeBuffer(sizeof(wfVec4), "hierarchy.start");
    wfReserve(device, &h->start, (size_t)model->vertexCount);
    if (!wfInertia_Create(&h->inertia, device, model, def->integrator, err) || !wfBalance_Create(&h->balance, device, model, err) ||
        !wfDescent_Create(&h->descent, device, model, &def->elastic, err) || !CreateCoarse(h, device, model, &def->elastic, err) ||
        !wfDevice_Sync(device, err)) {
        Destroy(h, device);
        return NULL;
    }
    h->descent.pressure = &h->inertia.pressure;
    h->descent.from = &state->xStart;
    return h;
}

static void Begin(void* self, const wfStepContext* ctx, const wfForces* forces) {
    Hierarchy* h = self;
    const wfVec4* x = wfData(&ctx->state->xStart, wfVec4);
    h->round = h->anew = 0;
    wfInertia_Begin(&h->inertia, ctx, forces);
    wfDescent_Prepare(&h->descent, ctx->device, wfCoupledSpan(h->inertia.span, forces->coupling), forces->horizon);
    wfElasticTables_Hold(&h->descent.tables, ctx->device, x);
    wfElasticTables_SetTime(&h->descent.tables, ctx->device, ctx->time + ctx->dt);
    for (int k = 0; k < h->coarseCount; ++k) {
        wfDescent_Prepare(&h->coarse[k].descent, ctx->device, wfCoupledSpan(h->inertia.span, forces->coupling), forces->horizon);
        wfCoarseLevel_Hold(&h->coarse[k], ctx->device, x);
        wfElasticTables_SetTime(&h->coarse[k].descent.tables, ctx->device, ctx->time + ctx->dt);
        x = wfData(&h->coarse[k].x, wfVec4);
    }
}

/// Level 0 is the mesh itself, where `fine` is; the last is the coarsest.
static wfLevel LevelAt(Hierarchy* h, wfLevel fine, int level) { return level == 0 ? fine : wfCoarseLevel_View(&h->coarse[level - 1]); }

// ---- a whole step -------------------------------------------------------------------------------------------------------------

static int IterationsAt(const Hierarchy* h, int level, float span) {
    if (level == 0 && h->asked > 0) return (h->asked + Cycles - 1) / Cycles;
    if (level == 0 && h->coarseCount == 0) return wfDescent_Plan(&h->descent, span) / Cycles + 1;
    if (level == 0 || level < h->coarseCount) return CycleIterations;
    int plan = wfDescent_Plan(&h->coarse[level - 1].descent, span);
    return plan < MostCoarsest ? plan : MostCoarsest;
}

static void Cycle(Hierarchy* h, wfDevice* device, wfLevel fine, bool tau) {
    float span = h->inertia.span;
    for (int k = 0; k < h->coarseCount; ++k) wfCoarseLevel_Down(&h->coarse[k], device, LevelAt(h, fine, k), tau);
    for (int k = h->coarseCount; k >= 0; --k) {
        wfLevel level = LevelAt(h, fine, k);
        if (k < h->coarseCount) wfCoarseLevel_Up(&h->coarse[k], device, level, tau);
        wfDescent_Run(level.descent, device, level.x, level.target, IterationsAt(h, k, span));
    }
}

/// The first cycle follows another energy, so it stands only if the step's own has not risen. What is wrong with the cloth is said here,
/// before the coarse meshes carry it to other vertices.
static void FirstCycle(Hierarchy* h, const wfStepContext* ctx, wfLevel fine) {
    if (h->coarseCount == 0) {
        Cycle(h, ctx->device, fine, false);
        return;
    }
    wfSearch* search = wfData(&h->coarse[0].search, wfSearch);
    KeepLowerArgs keep = {search, wfData(&h->start, wfVec4), fine.x};
    wfCopy(ctx->device, &h->start, &ctx->state->x, (size_t)ctx->state->vertexCount);
    wfDescent_Energy(fine.descent, ctx->device, fine.x, fine.target, wfDevice_FaultSlot(ctx->device), &search->start);
    Cycle(h, ctx->device, fine, false);
    wfDescent_Energy(fine.descent, ctx->device, fine.x, fine.target, NULL, &search->tried);
    wfLaunch(ctx->device, KeepLower, ctx->state->vertexCount, &keep);
}

static void WholeStep(Hierarchy* h, const wfStepContext* ctx) {
    wfLevel fine = {&h->descent, wfData(&ctx->state->x, wfVec4), wfData(wfInertia_Enter(&h->inertia, ctx), wfVec4)};
    FirstCycle(h, ctx, fine);
    for (int k = 1; k < Cycles; ++k) Cycle(h, ctx->device, fine, true);
    wfBalance_Apply(&h->balance, ctx->device, fine.x, fine.target);
    wfInertia_Leave(&h->inertia, ctx);
}

// ---- rounds -------------------------------------------------------------------------------------------------------------------

static void Round(Hierarchy* h, const wfStepContext* ctx, int count) {
    int phase[] = {CoarsestRounds, MiddleRounds}, level = h->coarseCount, within = h->round, since = h->round++ - h->anew;
    for (int k = 0; level > 0 && within >= phase[k]; ++k) {
        within -= phase[k];
        --level;
    }
    if (level > 0 && level == h->coarseCount) count *= CoarsestIterations;
    since = since < within ? since : within;
    wfLevel fine = {&h->descent, wfData(&ctx->state->x, wfVec4), wfData(wfInertia_Enter(&h->inertia, ctx), wfVec4)};
    for (int k = 0; k < level; ++k) wfCoarseLevel_Down(&h->coarse[k], ctx->device, LevelAt(h, fine, k), false);
    wfLevel here = LevelAt(h, fine, level);
    wfDescent_RunFree(here.descent, ctx->device, here.x, here.target, count, since * count);
    for (int k = level - 1; k >= 0; --k) wfCoarseLevel_Up(&h->coarse[k], ctx->device, LevelAt(h, fine, k), false);
    wfInertia_Leave(&h->inertia, ctx);
}

static void Iterate(void* self, const wfStepContext* ctx, int count) {
    Hierarchy* h = self;
    if (count > 0) {
        Round(h, ctx, count);
        return;
    }
    if (h->graphSpan != h->inertia.span) {
        wfGraph_Begin(ctx->device, &h->graph);
        WholeStep(h, ctx);
        wfGraph_End(ctx->device);
        h->graphSpan = h->inertia.span;
    }
    wfGraph_Launch(ctx->device, &h->graph);
}

static void GoToRound(void* self, int round, bool anew) {
    Hierarchy* h = self;
    h->round = round;
    if (anew || round == 0) h->anew = round;
}

static void End(void* self, const wfStepContext* ctx) { wfInertia_End(&((Hierarchy*)self)->inertia, ctx); }

static bool Measure(void* self, const wfStepContext* ctx, wfMeasure* out, wfError* err) {
    Hierarchy* h = self;
    wfElasticTables_SetTime(&h->descent.tables, ctx->device, ctx->time);
    return wfDescent_Measure(&h->descent, ctx->device, wfData(&ctx->state->x, wfVec4), out, err);
}

/// All levels together; an iteration moves their mean.
static wfStepCost Cost(const void* self, float dt) {
    const Hierarchy* h = self;
    wfStepCost cost = {0};
    double bytes = 0.0;
    for (int k = 0; k <= h->coarseCount; ++k) {
        int iterations = Cycles * IterationsAt(h, k, dt);
        cost.iterations += iterations;
        bytes += iterations * wfDescent_Bytes(k == 0 ? &h->descent : &h->coarse[k - 1].descent);
    }
    cost.iterationBytes = bytes / cost.iterations;
    return cost;
}

const wfDynamicsType wfHierarchyDynamics = {
    .name = "hierarchy",
    .about = "implicit Euler or BDF2 by Chebyshev descent on three resolutions of the mesh (Wu et al. 2020); for stiff or large cloths",
    .create = Create,
    .destroy = Destroy,
    .begin = Begin,
    .iterate = Iterate,
    .round = GoToRound,
    .roundIterations = 1,
    .rounds = CoarsestRounds + 2 * MiddleRounds,
    .fewest = CoarsestRounds + 2 * MiddleRounds,
    .end = End,
    .measure = Measure,
    .cost = Cost,
};
