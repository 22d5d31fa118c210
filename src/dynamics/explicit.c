// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/explicit_kernels.h"

#include "dynamics/air.h"
#include "dynamics/meter.h"
#include "dynamics/viscosity.h"
#include "elastic/limit.h"

#include <stdlib.h>

// Explicit central differences. Based on: Bridson, Fedkiw and Anderson 2002, "Robust treatment of collisions, contact and friction for
// cloth animation", sections 4 and 7.6. A step is cut into substeps of h, as many as stability asks for; each is
//   v(n+1/2) = v(n) + h/2 a(x(n), v(n))
//   strain and strain rate are limited on v(n+1/2)
//   x(n+1) = x(n) + h v(n+1/2)
//   v(n+1) = v(n+1/2) + h/2 a(x(n+1), v(n+1))        implicit in the damping, by an accelerated fixed-point iteration
// The acceleration: elastic force with that of the stitches (at x + rayleigh v), pressure, gravity, what a stepper has folded into the
// targets. Air and the damping by mass act on v(n+1) at the end of a substep, implicitly.
//
// Central differences are stable below h = 2/omega. The tables bound omega² by stiffestRatio, at small strain; cloth that stiffens and
// gas that is compressed have a margin. The fixed-point iteration takes steps of 1/(1 + r), r = h/2 rayleigh omega², the same for all
// vertices, so that every iterate has the momentum it should have. It runs twice over as many as Chebyshev's weights need to shrink the
// error well, sqrt(r) or so: what is left of any motion is then a square, and damping is never overdone, which would excite it.
// Where r is large, the first half of a step's first substep is implicit too.

static const float s_strainLimit = 0.095f;   // so that 10 % hold with what the sweeps leave
static const float s_rateLimit = 0.1f;       // in a substep
static const double s_margin = 0.8;          // of the largest stable substep
static const double s_explicitDamping = 0.5; // r up to which damping may be explicit
static const double s_longest = 2.5e-4;      // [s] longest substep: the limits of soft cloth work better in many small steps
enum { StrainSweeps = 16, RateSweeps = 1, MostIterations = 40 };

typedef struct Explicit {
    const wfModel* model;
    wfElasticTables tables;
    wfFans fans;
    wfPressure pressure;
    wfViscosity viscosity;
    wfLimits limits;
    wfMeter meter;
    wfBuffer v, half, before; // wfVec4: velocities at the end and in the middle of a substep; the iterate before
    wfBuffer moved, gained;   // wfVec4: way and velocity since the beginning of the step
    wfBuffer acceleration, gradient, ahead, proposed;
    wfBuffer area, clothOf, keep, lead; // keep, lead: float per cloth, what damping leaves of a velocity, and rayleigh
    wfBuffer clock;
    wfForces forces;
    float rayleigh; // largest
    int asked;      // substeps the scene asks for; 0: choose
    bool damped;    // whether any fabric has damping by mass
    bool air;       // whether anything acts on v at the end of a substep
    wfGraph graph;  // a substep …
    float graphDt;  // … of a step of this length, with `air` as it is
} Explicit;

static void MakeParts(Explicit* e) {
    e->fans = wfMakeFans();
    e->pressure = wfMakePressure();
    e->viscosity = wfMakeViscosity();
    e->limits = wfMakeLimits();
    e->meter = wfMakeMeter();
    e->v = wfMakeBuffer(sizeof(wfVec4), "explicit.v");
    e->half = wfMakeBuffer(sizeof(wfVec4), "explicit.half");
    e->before = wfMakeBuffer(sizeof(wfVec4), "explicit.before");
    e->moved = wfMakeBuffer(sizeof(wfVec4), "explicit.moved");
    e->gained = wfMakeBuffer(sizeof(wfVec4), "explicit.gained");
    e->acceleration = wfMakeBuffer(sizeof(wfVec4), "explicit.acceleration");
    e->gradient = wfMakeBuffer(sizeof(wfVec4), "explicit.gradient");
    e->ahead = wfMakeBuffer(sizeof(wfVec4), "explicit.ahead");
    e->proposed = wfMakeBuffer(sizeof(wfVec4), "explicit.proposed");
    e->area = wfMakeBuffer(sizeof(float), "explicit.area");
    e->clothOf = wfMakeBuffer(sizeof(int), "explicit.clothOf");
    e->keep = wfMakeBuffer(sizeof(float), "explicit.keep");
    e->lead = wfMakeBuffer(sizeof(float), "explicit.lead");
    e->clock = wfMakeBuffer(sizeof(wfExplicitClock), "explicit.clock");
}

static void Destroy(void* self, wfDevice* device) {
    Explicit* e = self;
    if (e == NULL) return;
    wfGraph_Free(device, &e->graph);
    wfElasticTables_Free(&e->tables, device);
    wfFans_Free(&e->fans, device);
    wfPressure_Free(&e->pressure, device);
    wfViscosity_Free(&e->viscosity, device);
    wfLimits_Free(&e->limits, device);
    wfMeter_Free(&e->meter, device);
    wfBuffer* buffers[] = {&e->v,     &e->half,     &e->before, &e->moved,   &e->gained, &e->acceleration, &e->gradient,
                           &e->ahead, &e->proposed, &e->area,   &e->clothOf, &e->keep,   &e->lead,         &e->clock};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(device, buffers[k]);
    free(e);
}

static bool CreateParts(Explicit* e, wfDevice* device, const wfModel* model, const wfElasticDef* def, wfError* err) {
    size_t n = (size_t)model->vertexCount;
    WF_TRY(wfElasticTables_Create(&e->tables, device, model, def, err));
    WF_TRY(wfFans_Create(&e->fans, device, model, err));
    WF_TRY(wfPressure_Create(&e->pressure, device, model, err));
    WF_TRY(wfViscosity_Create(&e->viscosity, device, model, err));
    WF_TRY(wfLimits_Create(&e->limits, device, model, err));
    wfMeter_Create(&e->meter, device, &e->tables);
    wfReserve(device, &e->keep, (size_t)model->clothCount);
    wfReserve(device, &e->lead, (size_t)model->clothCount);
    for (int c = 0; c < model->clothCount; ++c) {
        float rayleigh = model->cloths[c].fabric.rayleigh;
        e->rayleigh = fmaxf(e->rayleigh, rayleigh);
        e->damped = e->damped || model->cloths[c].fabric.damping > 0.0f;
        wfUploadRange(device, &e->lead, (size_t)c, &rayleigh, 1);
    }
    wfBuffer* vectors[] = {&e->v, &e->half, &e->before, &e->moved, &e->gained, &e->acceleration, &e->gradient, &e->proposed};
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; ++k) wfReserve(device, vectors[k], n);
    if (e->rayleigh > 0.0f) wfReserve(device, &e->ahead, n);
    wfReserve(device, &e->clock, 1);
    wfUpload(device, &e->area, model->area, n);
    wfUpload(device, &e->clothOf, model->clothOf, n);
    return wfDevice_Sync(device, err);
}

static void* Create(wfDevice* device, const wfModel* model, const wfState* state, const wfDynamicsDef* def, wfError* err) {
    (void)state;
    Explicit* e = calloc(1, sizeof *e);
    if (e == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for dynamics");
        return NULL;
    }
    MakeParts(e);
    e->model = model;
    e->asked = def->iterations;
    if (CreateParts(e, device, model, &def->elastic, err)) return e;
    Destroy(e, device);
    return NULL;
}

// ---- how many -----------------------------------------------------------------------------------------------------------------

static double SquaredFrequency(const Explicit* e) {
    return (double)e->tables.stiffestRatio + (double)e->pressure.gasRatio + (double)e->pressure.turnRatio;
}

static int Substeps(const Explicit* e, float dt) {
    if (e->asked > 0) return e->asked;
    double count = ceil(fmax((double)dt * sqrt(SquaredFrequency(e)) / (2.0 * s_margin), (double)dt / s_longest * (1.0 - 1e-6)));
    return count < 1.0 ? 1 : count < 1e6 ? (int)count : 1000000;
}

/// r: how much faster than 1/h the damping of the stiffest motion is.
static double DampingRatio(const Explicit* e, double h) { return 0.5 * h * e->rayleigh * SquaredFrequency(e); }

/// Of each of the two rounds.
static int Iterations(double r) {
    int count = (int)ceil(1.0 + 1.5 * sqrt(r));
    return count < MostIterations ? count : MostIterations;
}

// ---- a substep ----------------------------------------------------------------------------------------------------------------

/// e->acceleration at state->x, with damping as of the velocities v.
static void LaunchAcceleration(Explicit* e, const wfStepContext* ctx, const wfVec4* v, float h) {
    wfState* state = ctx->state;
    wfVec4 *x = wfData(&state->x, wfVec4), *gradient = wfData(&e->gradient, wfVec4);
    const wfVec4* at = x;
    if (e->rayleigh > 0.0f) {
        ExplicitAheadArgs ahead = {x, v, wfData(&e->lead, float), wfData(&e->clothOf, int), wfData(&e->ahead, wfVec4)};
        wfLaunch(ctx->device, ExplicitAhead, state->vertexCount, &ahead);
        at = ahead.out;
    }
    wfElasticTables_Gradient(&e->tables, ctx->device, at, gradient);
    ExplicitAccelerateArgs args = {
        .x = x,
        .xStart = wfData(&state->xStart, wfVec4),
        .target = wfData(&state->target, wfVec4),
        .gradient = gradient,
        .pressure = wfPressure_View(&e->pressure),
        .clock = wfData(&e->clock, wfExplicitClock),
        .acceleration = wfData(&e->acceleration, wfVec4),
        .h = h,
        .dt = ctx->dt,
    };
    wfLaunch(ctx->device, ExplicitAccelerate, state->vertexCount, &args);
}

/// e->acceleration at state->x with damping as of the velocities that it leads to: e->v = e->half + h/2 acceleration.
static void LaunchImplicit(Explicit* e, const wfStepContext* ctx, float h) {
    int n = ctx->state->vertexCount;
    double r = DampingRatio(e, h), rho = r / (1.0 + r), omega = 1.0;
    wfVec4 *half = wfData(&e->half, wfVec4), *acceleration = wfData(&e->acceleration, wfVec4);
    wfVec4 *now = wfData(&e->v, wfVec4), *before = wfData(&e->before, wfVec4);
    wfCopy(ctx->device, &e->v, &e->half, (size_t)n);
    int count = Iterations(r);
    for (int k = 0; k < 2 * count; ++k) { // an even number, so that the result is in e->v
        int since = k % count;
        omega = since == 0 ? 1.0 : since == 1 ? 2.0 / (2.0 - rho * rho) : 4.0 / (4.0 - rho * rho * omega);
        LaunchAcceleration(e, ctx, now, h);
        ExplicitSolveArgs solve = {
            .half = half,
            .acceleration = acceleration,
            .now = now,
            .out = before,
            .h = h,
            .step = (float)(1.0 / (1.0 + r)),
            .omega = (float)omega,
        };
        wfLaunch(ctx->device, ExplicitSolve, n, &solve);
        before = now;
        now = solve.out;
    }
    ExplicitSettleArgs settle = {half, now, acceleration, h};
    wfLaunch(ctx->device, ExplicitSettle, n, &settle);
}

/// v(n+1) from v(n+1/2).
static void LaunchSecondHalf(Explicit* e, const wfStepContext* ctx, float h) {
    if (e->rayleigh > 0.0f)
        LaunchImplicit(e, ctx, h);
    else
        LaunchAcceleration(e, ctx, wfData(&e->half, wfVec4), h);
    ExplicitFinishArgs finish = {
        .vStart = wfData(&ctx->state->v, wfVec4),
        .target = wfData(&ctx->state->target, wfVec4),
        .acceleration = wfData(&e->acceleration, wfVec4),
        .gained = wfData(&e->gained, wfVec4),
        .v = wfData(&e->v, wfVec4),
        .h = h,
    };
    wfLaunch(ctx->device, ExplicitFinish, ctx->state->vertexCount, &finish);
}

/// The acceleration that a step begins with.
static void LaunchFirst(Explicit* e, const wfStepContext* ctx, float h) {
    size_t n = (size_t)ctx->state->vertexCount;
    if (DampingRatio(e, h) <= s_explicitDamping) {
        LaunchAcceleration(e, ctx, wfData(&e->v, wfVec4), h);
        return;
    }
    wfCopy(ctx->device, &e->half, &e->v, n);
    LaunchImplicit(e, ctx, h);
    wfCopy(ctx->device, &e->v, &e->half, n);
}

static void LaunchSubstep(Explicit* e, const wfStepContext* ctx, int count) {
    wfDevice* device = ctx->device;
    wfState* state = ctx->state;
    int n = state->vertexCount;
    float h = ctx->dt / (float)count;
    wfVec4 *x = wfData(&state->x, wfVec4), *xStart = wfData(&state->xStart, wfVec4), *target = wfData(&state->target, wfVec4);
    wfVec4 *vStart = wfData(&state->v, wfVec4), *v = wfData(&e->v, wfVec4), *half = wfData(&e->half, wfVec4);
    wfVec4* gained = wfData(&e->gained, wfVec4);
    wfExplicitClock* clock = wfData(&e->clock, wfExplicitClock);
    ExplicitTickArgs tick = {clock, e->tables.stitchCount > 0 ? wfData(&e->tables.time, double) : NULL, ctx->dt, count};
    wfLaunch(device, ExplicitTick, 1, &tick);
    ExplicitKickArgs kick = {x, xStart, vStart, target, v, wfData(&e->acceleration, wfVec4), half, gained, clock, h, ctx->dt};
    wfLaunch(device, ExplicitKick, n, &kick);

    wfState middle = {.vertexCount = n, .x = state->x, .v = e->half, .target = state->target};
    wfLimits_Strain(&e->limits, device, &middle, h, s_strainLimit, StrainSweeps);
    wfLimits_Rate(&e->limits, device, &middle, h, s_rateLimit, RateSweeps);

    ExplicitDriftArgs drift = {xStart, vStart, target, half, x, wfData(&e->moved, wfVec4), gained, clock, h};
    wfLaunch(device, ExplicitDrift, n, &drift);
    wfPressure_Measure(&e->pressure, device, &e->fans, x);
    LaunchSecondHalf(e, ctx, h);
    if (!e->air) return;
    ExplicitAirArgs air = {
        .x = x,
        .target = target,
        .v = v,
        .gained = gained,
        .fans = wfFans_View(&e->fans),
        .area = wfData(&e->area, float),
        .keep = wfData(&e->keep, float),
        .clothOf = wfData(&e->clothOf, int),
        .clock = clock,
        .h = h,
    };
    wfLaunch(device, ExplicitAir, n, &air);
}

// ---- the seam -----------------------------------------------------------------------------------------------------------------

static void Begin(void* self, const wfStepContext* ctx, const wfForces* forces) {
    Explicit* e = self;
    wfState* state = ctx->state;
    e->forces = *forces;
    wfCopy(ctx->device, &state->xStart, &state->x, (size_t)state->vertexCount);
    ExplicitPredictArgs args = {
        .xStart = wfData(&state->xStart, wfVec4),
        .v = wfData(&state->v, wfVec4),
        .x = wfData(&state->x, wfVec4),
        .target = wfData(&state->target, wfVec4),
        .gravity = forces->gravity,
        .dt = ctx->dt,
        .fault = wfDevice_FaultSlot(ctx->device),
    };
    wfLaunch(ctx->device, ExplicitPredict, state->vertexCount, &args);
    wfElasticTables_Hold(&e->tables, ctx->device, wfData(&state->xStart, wfVec4));
}

/// The whole step from xStart, whatever `count` says: where a stepper takes turns, each turn goes over it again with the targets of then.
static void Iterate(void* self, const wfStepContext* ctx, int count) {
    (void)count;
    Explicit* e = self;
    wfDevice* device = ctx->device;
    wfState* state = ctx->state;
    int n = state->vertexCount, substeps = Substeps(e, ctx->dt);
    float h = ctx->dt / (float)substeps;
    bool air = e->damped || wfHasAir(&e->forces);
    if (e->graphDt != ctx->dt || e->air != air) {
        e->air = air;
        for (int c = 0; c < e->model->clothCount; ++c) {
            float keep = expf(-e->model->cloths[c].fabric.damping * h);
            wfUploadRange(device, &e->keep, (size_t)c, &keep, 1);
        }
        wfGraph_Begin(device, &e->graph);
        LaunchSubstep(e, ctx, substeps);
        wfGraph_End(device);
        e->graphDt = ctx->dt;
    }
    wfExplicitClock clock = {.forces = e->forces, .time = ctx->time};
    wfUploadRange(device, &e->clock, 0, &clock, 1);
    wfElasticTables_SetTime(&e->tables, device, ctx->time);
    ExplicitStartArgs start = {
        .xStart = wfData(&state->xStart, wfVec4),
        .target = wfData(&state->target, wfVec4),
        .vStart = wfData(&state->v, wfVec4),
        .x = wfData(&state->x, wfVec4),
        .v = wfData(&e->v, wfVec4),
        .moved = wfData(&e->moved, wfVec4),
        .gained = wfData(&e->gained, wfVec4),
        .dt = ctx->dt,
    };
    wfLaunch(device, ExplicitStart, n, &start);
    wfLimits_Reset(&e->limits, device);
    wfPressure_Measure(&e->pressure, device, &e->fans, start.x);
    LaunchFirst(e, ctx, h);
    for (int k = 0; k < substeps; ++k) wfGraph_Launch(device, &e->graph);
    wfCopy(device, &e->proposed, &state->x, (size_t)n);
}

/// What contact has moved since is a change of velocity.
static void End(void* self, const wfStepContext* ctx) {
    Explicit* e = self;
    wfState* state = ctx->state;
    ExplicitEndArgs args = {
        .x = wfData(&state->x, wfVec4),
        .proposed = wfData(&e->proposed, wfVec4),
        .own = wfData(&e->v, wfVec4),
        .v = wfData(&state->v, wfVec4),
        .dt = ctx->dt,
    };
    wfLaunch(ctx->device, ExplicitEnd, state->vertexCount, &args);
    wfViscosity_Apply(&e->viscosity, ctx->device, state, ctx->dt);
}

static bool Measure(void* self, const wfStepContext* ctx, wfMeasure* out, wfError* err) {
    Explicit* e = self;
    wfElasticTables_SetTime(&e->tables, ctx->device, ctx->time);
    return wfMeter_Measure(&e->meter, ctx->device, &e->tables, wfData(&ctx->state->x, wfVec4), out, err);
}

static wfStepCost Cost(const void* self, float dt) {
    const Explicit* e = self;
    int n = e->model->vertexCount, substeps = Substeps(e, dt);
    double r = DampingRatio(e, (double)dt / substeps), solves = r > 0.0 ? 2.0 * Iterations(r) : 1.0;
    // A vertex reads x, v, acceleration, gradient, target and start, and writes all but the last two.
    return (wfStepCost){substeps, 10.0 * sizeof(wfVec4) * n + solves * wfElasticTables_Bytes(&e->tables)};
}

const wfDynamicsType wfExplicitDynamics = {
    .name = "explicit",
    .about =
        "central differences with as many substeps as stability asks for, strain and strain rate limited to 10 % (Bridson et al. 2002)",
    .create = Create,
    .destroy = Destroy,
    .begin = Begin,
    .iterate = Iterate,
    .end = End,
    .measure = Measure,
    .cost = Cost,
};
