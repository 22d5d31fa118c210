// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/descent.h"

#include "compute/kernel.h"
#include "compute/primitives.h"
#include "dynamics/descent_kernels.h"
#include "elastic/tables_kernels.h"

#include <limits.h>

static const float s_leastScale = 0.55f, s_leastLadderScale = 0.8f; // the latter of the rungs, too: their ways add up
// Of runs that no judgement guards: where nothing but them changes x, and where contact does, too.
static const float s_freeScale = 0.7f, s_pushedScale = 1.0f;
enum { FewestIterations = 16, MostIterations = 10000, OmegaCount = 1024 };
// With a ladder errors along the cloth shrink alike whatever the mesh: by e in so many iterations, of which a step takes a few times as
// many for what is not linear. Across the cloth, which is softer than the springs of the ladder, it is the mesh that counts: a share of its
// iterations. Runs are short, so that judgements must be near each other: a block that goes back is lost.
enum { LadderReach = 14, LadderIterations = 40, LadderBlock = 20 };
static const float s_ladderShare = 1.0f / 6.0f;

bool wfDescent_Create(wfDescent* descent, wfDevice* device, const wfModel* model, const wfElasticDef* def, wfError* err) {
    size_t n = (size_t)model->vertexCount;
    *descent = (wfDescent){
        .other = wfMakeBuffer(sizeof(wfVec4), "descent.other"),
        .saved = wfMakeBuffer(sizeof(wfVec4), "descent.saved"),
        .sum = wfMakeBuffer(sizeof(float), "descent.sum"),
        .control = wfMakeBuffer(sizeof(wfDescentControl), "descent.control"),
        .omegas = wfMakeBuffer(sizeof(float), "descent.omegas"),
        .meter = wfMakeMeter(),
    };
    if (!wfElasticTables_Create(&descent->tables, device, model, def, err)) return false;
    wfReserve(device, &descent->other, n);
    wfReserve(device, &descent->saved, n);
    wfReserve(device, &descent->sum, 1);
    wfZero(device, &descent->other); // plain iterations take nothing of it, but not even that may be NaN
    wfUpload(device, &descent->control, (wfDescentControl[2]){{.scale = s_leastScale}, {.scale = s_freeScale}}, 2);
    wfMeter_Create(&descent->meter, device, &descent->tables);
    return true;
}

void wfDescent_Free(wfDescent* descent, wfDevice* device) {
    wfBuffer* buffers[] = {&descent->other, &descent->saved, &descent->sum, &descent->control, &descent->omegas};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(device, buffers[k]);
    wfMeter_Free(&descent->meter, device);
    wfElasticTables_Free(&descent->tables, device);
}

static float LeastScale(const wfDescent* descent) { return descent->ladder != NULL ? s_leastLadderScale : s_leastScale; }

static float Contraction(const wfDescent* descent, float span) {
    float gas = descent->pressure != NULL ? descent->pressure->gasRatio : 0.0f;
    float stiffest = (s_leastScale * descent->tables.stiffestRatio + gas) * span * span;
    return stiffest / (1.0f + stiffest);
}

int wfDescent_Plan(const wfDescent* descent, float span) {
    float rho = Contraction(descent, span), n = ceilf(2.0f / sqrtf(2.0f * (1.0f - rho)));
    if (descent->ladder != NULL) n = fminf(n, fmaxf(s_ladderShare * n, (float)LadderIterations));
    int count = (int)wfClamp(n, (float)FewestIterations, (float)MostIterations);
    return count + count % 2;
}

void wfDescent_Prepare(wfDescent* descent, wfDevice* device, float span, int horizon) {
    if (descent->span == span && descent->horizon == horizon) return;
    float omegas[OmegaCount], rho = Contraction(descent, span), omega = 1.0f;
    int reach = horizon > 0 ? horizon : descent->ladder != NULL ? LadderReach : 0; // contact leaves what it touches to the mesh itself
    if (reach > 0) rho = fminf(rho, 1.0f - 0.5f / (float)(reach * reach));
    for (int k = 0; k < OmegaCount; ++k) {
        if (k == wf_descentPlain)
            omega = 2.0f / (2.0f - rho * rho);
        else if (k > wf_descentPlain)
            omega = 4.0f / (4.0f - rho * rho * omega);
        omegas[k] = omega;
    }
    wfUpload(device, &descent->omegas, omegas, OmegaCount);
    float scale = horizon > 0 ? s_pushedScale : fmaxf(s_freeScale, LeastScale(descent));
    wfUploadRange(device, &descent->control, 1, &(wfDescentControl){.scale = scale}, 1);
    descent->span = span;
    descent->horizon = horizon;
}

const wfVec4* wfDescent_Target(wfDescent* descent, wfDevice* device, const wfVec4* x, const wfVec4* target) {
    if (descent->pressure != NULL) target = wfPressure_Fold(descent->pressure, device, wfData(descent->from, wfVec4), x, target);
    return descent->terms != NULL ? descent->terms->fold(descent->terms->self, x, target) : target;
}

static void Descend(wfDescent* descent, wfDevice* device, const wfDescentControl* control, wfVec4* x, const wfVec4* target, int count,
                    int since) {
    wfVec4* other = wfData(&descent->other, wfVec4);
    DescendArgs args = {
        .view = wfElasticTables_View(&descent->tables),
        .sewn = wfElasticTables_Sewn(&descent->tables),
        .inertia = target,
        .bound = wfData(&descent->tables.bound, float),
        .control = control,
        .omegas = wfData(&descent->omegas, float),
        .omegaCount = OmegaCount,
        .residual = descent->ladder != NULL ? wfData(&descent->ladder->residual, wfVec4) : NULL,
        .own = descent->ladder != NULL ? wfData(&descent->ladder->own, wfVec4) : NULL,
        .touched = descent->ladder != NULL ? descent->touched : NULL, // of no use to others
        .count = descent->tables.vertexCount,
    };
    bool judged = control == wfData(&descent->control, wfDescentControl);
    if (descent->ladder != NULL && judged) args.across = wfData(&descent->tables.across, float);
    if (args.sewn.start != NULL) args.view.extra = NULL;
    int tiles = wfTileCount(args.count);
    for (int k = 0; k < count; ++k) {
        args.index = since + k;
        args.x = k % 2 == 0 ? x : other;
        args.out = k % 2 == 0 ? other : x;
        args.target = wfDescent_Target(descent, device, args.x, target);
        if (args.sewn.start == NULL) wfElasticTables_Terms(&descent->tables, device, args.x);
        switch (descent->tables.def.membrane) {
        case wf_membraneStVK:
            wfLaunch(device, DescendStVK, tiles, &args);
            break;
        case wf_membraneCorotational:
            wfLaunch(device, DescendCorotational, tiles, &args);
            break;
        case wf_membraneFabric:
            wfLaunch(device, DescendFabric, tiles, &args);
            break;
        case wf_membraneSprings:
            wfLaunch(device, DescendSprings, tiles, &args);
            break;
        }
        if (descent->ladder != NULL) wfLadder_Step(descent->ladder, device, &args);
    }
    if (count % 2 == 1) {
        SwapVectorsArgs swap = {x, other};
        wfLaunch(device, SwapVectors, args.count, &swap);
    }
}

void wfDescent_RunFree(wfDescent* descent, wfDevice* device, wfVec4* x, const wfVec4* target, int count, int since) {
    Descend(descent, device, wfData(&descent->control, wfDescentControl) + 1, x, target, count, since);
}

void wfDescent_Energy(wfDescent* descent, wfDevice* device, const wfVec4* x, const wfVec4* target, wfFaultSlot* fault, float* out) {
    int n = descent->tables.vertexCount;
    wfVec4* gradient = wfData(&descent->meter.gradient, wfVec4);
    wfElasticTables_Gradient(&descent->tables, device, x, gradient);
    StepEnergyArgs args = {x, target, gradient, wfData(&descent->meter.energy, float), fault};
    wfLaunch(device, StepEnergy, n, &args);
    wfSum(device, args.out, out, n, &descent->meter.scratch);
    if (descent->pressure != NULL) wfPressure_AddEnergy(descent->pressure, device, wfData(descent->from, wfVec4), x, out);
    if (descent->terms != NULL) descent->terms->addEnergy(descent->terms->self, x, out);
}

typedef enum Judgement { JudgeFirst, JudgeChoose, JudgeAnew, JudgeBlock, JudgeFinal } Judgement;

static void Judge(wfDescent* descent, wfDevice* device, wfVec4* x, const wfVec4* target, int block, Judgement kind) {
    float* sum = wfData(&descent->sum, float);
    wfDescentControl* control = wfData(&descent->control, wfDescentControl);
    wfFaultSlot* fault = kind == JudgeFirst && !descent->silent ? wfDevice_FaultSlot(device) : NULL; // from nowhere there is no way down
    wfDescent_Energy(descent, device, x, target, fault, sum);
    JudgeDescentArgs judge = {
        sum, control, LeastScale(descent), kind == JudgeFirst, kind == JudgeChoose, kind == JudgeAnew, kind == JudgeFinal, block};
    wfLaunch(device, JudgeDescent, 1, &judge);
    SettleDescentArgs settle = {control, x, wfData(&descent->saved, wfVec4)};
    wfLaunch(device, SettleDescent, descent->tables.vertexCount, &settle);
}

void wfDescent_Start(wfDescent* descent, wfDevice* device, wfVec4* x, const wfVec4* target) {
    Judge(descent, device, x, target, 0, JudgeFirst);
}

void wfDescent_StartLower(wfDescent* descent, wfDevice* device, wfVec4* x, const wfVec4* target) {
    int n = descent->tables.vertexCount;
    StayDescentArgs stay = {wfData(descent->from, wfVec4), target, x, wfData(&descent->other, wfVec4)};
    wfLaunch(device, StayDescent, n, &stay);
    Judge(descent, device, x, target, 0, JudgeFirst);
    SwapVectorsArgs swap = {x, stay.kept};
    wfLaunch(device, SwapVectors, n, &swap);
    Judge(descent, device, x, target, 0, JudgeChoose);
}

void wfDescent_Restart(wfDescent* descent, wfDevice* device, wfVec4* x, const wfVec4* target) {
    Judge(descent, device, x, target, 0, JudgeAnew);
}

void wfDescent_Continue(wfDescent* descent, wfDevice* device, wfVec4* x, const wfVec4* target, int count) {
    int most = descent->ladder != NULL ? LadderBlock : wf_descentBlock;
    for (int done = 0; done < count; done += most) {
        int block = count - done < most ? count - done : most;
        Descend(descent, device, wfData(&descent->control, wfDescentControl), x, target, block, 0);
        Judge(descent, device, x, target, block, done + block == count ? JudgeFinal : JudgeBlock);
    }
}

void wfDescent_Run(wfDescent* descent, wfDevice* device, wfVec4* x, const wfVec4* target, int count) {
    wfDescent_Start(descent, device, x, target);
    wfDescent_Continue(descent, device, x, target, count);
}

void wfDescent_Finish(wfDescent* descent, wfDevice* device, wfVec4* x, const wfVec4* target) {
    wfDescent_Restart(descent, device, x, target);
    Descend(descent, device, wfData(&descent->control, wfDescentControl), x, target, wf_descentPlain, INT_MIN / 2);
    Judge(descent, device, x, target, wf_descentPlain, JudgeFinal);
}

bool wfDescent_Measure(wfDescent* descent, wfDevice* device, const wfVec4* x, wfMeasure* out, wfError* err) {
    return wfMeter_Measure(&descent->meter, device, &descent->tables, x, out, err);
}

double wfDescent_Bytes(const wfDescent* descent) {
    // A vertex: x, the iterate before, the target and the result; its bound.
    double own = (4.0 * sizeof(wfVec4) + sizeof(float)) * descent->tables.vertexCount + wfElasticTables_Bytes(&descent->tables);
    // With a ladder its residual and its own step, each written and read.
    return own + (descent->ladder != NULL ? 4.0 * sizeof(wfVec4) * descent->tables.vertexCount + descent->ladder->bytes : 0.0);
}
