// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/newton.h"

#include <float.h>
#include <string.h>

wfNewtonDef wfDefaultNewtonDef(void) {
    return (wfNewtonDef){
        .elastic = {.membrane = wf_membraneFabric, .bending = wf_bendingDihedral},
        .dt = 0.01,
        .gravity = {0.0, -9.81, 0.0},
        .tolerance = 1e-10,
        .mostIterations = 1000,
    };
}

static void TouchBlock(void* to, int i, int j, const wfMat3D* block) {
    (void)block;
    wfSkyline_Touch(to, i, j);
}

bool wfNewton_Create(wfNewton* newton, const wfModel* model, const wfNewtonDef* def, wfError* err) {
    int n = model->vertexCount;
    newton->def = *def;
    newton->model = model;
    wfVec3D** vectors[] = {&newton->x, &newton->v,        &newton->hold,  &newton->x1,       &newton->v1,
                           &newton->y, &newton->gradient, &newton->trial, &newton->direction};
    bool ok = true;
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; ++k) {
        *vectors[k] = wfArena_New(&newton->arena, wfVec3D, n, "the reference solver", err);
        ok = ok && *vectors[k] != NULL;
    }
    newton->held = wfArena_New(&newton->arena, bool, n, "the reference solver", err);
    newton->weight = wfArena_New(&newton->arena, double, n, "the reference solver", err);
    newton->scratch = wfArena_New(&newton->arena, double, 3 * (int64_t)n, "the reference solver", err);
    ok = ok && newton->held != NULL && newton->weight != NULL && newton->scratch != NULL &&
         wfElastic_Create(&newton->elastic, model, &def->elastic, err) &&
         wfSkyline_Create(&newton->matrix, n, model->topology->ring1.start, model->topology->ring1.item, err);
    if (ok) {
        for (int i = 0; i < n; ++i) newton->x[i] = wfWiden(model->start[i]);
        wfElastic_AddHessian(&newton->elastic, newton->x, true, TouchBlock, &newton->matrix);
        ok = wfSkyline_LayOut(&newton->matrix, err);
    }
    if (!ok) wfNewton_Free(newton);
    return ok;
}

void wfNewton_Free(wfNewton* newton) {
    wfSkyline_Free(&newton->matrix);
    wfElastic_Free(&newton->elastic);
    wfArena_Free(&newton->arena);
    *newton = (wfNewton){0};
}

void wfNewton_Hold(wfNewton* newton, int vertex, wfVec3D at) {
    newton->held[vertex] = true;
    newton->hold[vertex] = at;
}

/// What the step minimises.
static double Objective(const wfNewton* newton, const wfVec3D* x) {
    double sum = wfElastic_Energy(&newton->elastic, x);
    for (int i = 0; i < newton->model->vertexCount; ++i) {
        wfVec3D d = wfSubD(x[i], newton->y[i]);
        sum += 0.5 * newton->weight[i] * wfDotD(d, d) - newton->model->mass[i] * wfDotD(newton->def.gravity, x[i]);
    }
    return sum;
}

/// Its gradient, zero at held vertices; returns the length.
static double Gradient(const wfNewton* newton, const wfVec3D* x, wfVec3D* g) {
    double sum = 0.0;
    memset(g, 0, (size_t)newton->model->vertexCount * sizeof *g);
    wfElastic_AddGradient(&newton->elastic, x, g);
    for (int i = 0; i < newton->model->vertexCount; ++i) {
        g[i] = wfMulAddD(g[i], newton->weight[i], wfSubD(x[i], newton->y[i]));
        g[i] = wfMulAddD(g[i], -(double)newton->model->mass[i], newton->def.gravity);
        if (newton->held[i]) g[i] = wfMake3D(0, 0, 0);
        sum += wfDotD(g[i], g[i]);
    }
    return sqrt(sum);
}

static void AddBlock(void* to, int i, int j, const wfMat3D* block) {
    wfNewton* newton = to;
    if (!newton->held[i] && !newton->held[j]) wfSkyline_Add(&newton->matrix, i, j, block);
}

static bool Factor(wfNewton* newton, bool clamped, double shift) {
    wfSkyline_Clear(&newton->matrix);
    wfElastic_AddHessian(&newton->elastic, newton->x, clamped, AddBlock, newton);
    for (int i = 0; i < newton->model->vertexCount; ++i) {
        wfMat3D block = wfDiagonal3D(newton->held[i] ? 1.0 : newton->weight[i] + shift);
        wfSkyline_Add(&newton->matrix, i, i, &block);
    }
    return wfSkyline_Factor(&newton->matrix);
}

/// Stiffness of a typical vertex, for shifts that are small against it.
static void AddTrace(void* to, int i, int j, const wfMat3D* block) {
    if (i == j) *(double*)to += block->m[0][0] + block->m[1][1] + block->m[2][2];
}

/// The Newton direction; where the exact Hessian is not positive definite, that of the clamped one, shifted as little as it needs.
static bool FindDirection(wfNewton* newton) {
    if (!Factor(newton, newton->elastic.def.bending == wf_bendingMeshless, 0.0)) {
        double shift = 0.0;
        wfElastic_AddHessian(&newton->elastic, newton->x, true, AddTrace, &shift);
        shift *= 1e-9 / (3.0 * newton->model->vertexCount);
        newton->clampedIterations++;
        int tries = 0;
        for (; tries < 6 && !Factor(newton, true, shift); ++tries) shift *= 100.0;
        if (tries == 6) return false;
    }
    for (int i = 0; i < newton->model->vertexCount; ++i) newton->direction[i] = wfScaleD(newton->gradient[i], -1.0);
    wfSkyline_Solve(&newton->matrix, newton->direction, newton->scratch);
    return true;
}

static void SetTrial(wfNewton* newton, double step) {
    for (int i = 0; i < newton->model->vertexCount; ++i) newton->trial[i] = wfMulAddD(newton->x[i], step, newton->direction[i]);
}

/// The longest of the steps 1, 2, 4, … up to which the energy falls, `energy` being that of 1; the trial is left there.
static double Lengthen(wfNewton* newton, double energy) {
    double step = 1.0;
    for (; step < 1e6; step *= 2.0) {
        SetTrial(newton, 2.0 * step);
        double next = Objective(newton, newton->trial);
        if (!(next < energy)) break;
        energy = next;
    }
    SetTrial(newton, step);
    return step;
}

/// Moves x along the direction as far as the energy falls as it should. Where the expected fall is lost in the rounding of the energy, the
/// gradient has to fall instead. A direction of the clamped Hessian may be far too short (away from a saddle, where cloth is about to
/// buckle, it is): it is doubled as long as the energy falls. Returns the gradient's length at the new x, or -1 where there is no such
/// step.
static double Search(wfNewton* newton, double residual, bool clamped) {
    int n = newton->model->vertexCount;
    double slope = 0.0, before = Objective(newton, newton->x);
    for (int i = 0; i < n; ++i) slope += wfDotD(newton->gradient[i], newton->direction[i]);
    for (double step = 1.0; step > 1e-12; step *= 0.5) {
        SetTrial(newton, step);
        double after = Objective(newton, newton->trial);
        bool lost = fabs(step * slope) < 1e-11 * fabs(before);
        if (!(after <= before + 1e-4 * step * slope) && !lost) continue;
        if (clamped && !lost && step == 1.0) step = Lengthen(newton, after);
        double length = Gradient(newton, newton->trial, newton->gradient);
        if (lost && !(length < residual) && !(after <= before + 1e-4 * step * slope)) continue;
        memcpy(newton->x, newton->trial, (size_t)n * sizeof *newton->x);
        return length;
    }
    return -1.0;
}

static void AddTraceAt(void* to, int i, int j, const wfMat3D* block) {
    if (i == j) ((double*)to)[i] += block->m[0][0] + block->m[1][1] + block->m[2][2];
}

/// How long a gradient can come from nothing but the rounding of x: no x in double precision need have a shorter one.
static double Noise(wfNewton* newton) {
    double sum = 0.0;
    memset(newton->scratch, 0, (size_t)newton->model->vertexCount * sizeof *newton->scratch);
    wfElastic_AddHessian(&newton->elastic, newton->x, true, AddTraceAt, newton->scratch);
    for (int i = 0; i < newton->model->vertexCount; ++i) {
        double noise = newton->held[i] ? 0.0 : DBL_EPSILON * wfLengthD(newton->x[i]) * (newton->scratch[i] + newton->weight[i]);
        sum += noise * noise;
    }
    return sqrt(sum);
}

double wfNewton_WeightOfAll(const wfNewton* newton, double gravity) {
    double sum = 0.0;
    for (int i = 0; i < newton->model->vertexCount; ++i) {
        double w = newton->held[i] ? 0.0 : newton->model->mass[i] * gravity;
        sum += w * w;
    }
    return sqrt(sum);
}

bool wfNewton_Minimise(wfNewton* newton, double weightOfAll, wfError* err) {
    double residual = Gradient(newton, newton->x, newton->gradient), scale = fmax(residual, weightOfAll);
    newton->iterations = newton->clampedIterations = 0;
    newton->rounded = false;
    memset(newton->residuals, 0, sizeof newton->residuals);
    for (;;) {
        int slot = newton->iterations < wf_newtonHistory ? newton->iterations : wf_newtonHistory - 1;
        newton->residuals[slot] = scale > 0.0 ? residual / scale : 0.0;
        if (residual <= newton->def.tolerance * scale) return true;
        if (newton->iterations == newton->def.mostIterations)
            return wfFail(err, wf_stepFailed, "newton: relative gradient %.3g after %d iterations, expected %.3g", residual / scale,
                          newton->iterations, newton->def.tolerance);
        int clampedBefore = newton->clampedIterations;
        if (!FindDirection(newton)) return wfFail(err, wf_stepFailed, "newton: the Hessian is singular even when shifted");
        double length = Search(newton, residual, newton->clampedIterations > clampedBefore);
        if (!(length >= 0.0 && length < 0.5 * residual) && residual <= Noise(newton)) {
            newton->rounded = true;
            return true;
        }
        if (length < 0.0)
            return wfFail(err, wf_stepFailed,
                          "newton: no step lowers the energy at a relative gradient of %.3g (iteration %d), expected %.3g",
                          residual / scale, newton->iterations, newton->def.tolerance);
        residual = length;
        newton->iterations++;
    }
}

bool wfNewton_Step(wfNewton* newton, wfError* err) {
    int n = newton->model->vertexCount;
    bool fixed = isinf(newton->def.dt), second = newton->def.bdf2 && newton->stepCount > 0 && !fixed;
    double s = second ? 2.0 * newton->def.dt / 3.0 : newton->def.dt;
    for (int i = 0; i < n; ++i) {
        wfVec3D x0 = newton->x[i], v0 = newton->v[i], from = x0, v = v0;
        if (second) {
            from = wfScaleD(wfSubD(wfScaleD(x0, 4.0), newton->x1[i]), 1.0 / 3.0);
            v = wfScaleD(wfSubD(wfScaleD(v0, 4.0), newton->v1[i]), 1.0 / 3.0);
        }
        newton->x1[i] = x0;
        newton->v1[i] = v0;
        newton->v[i] = from; // until the end of the step
        newton->weight[i] = fixed ? 0.0 : newton->model->mass[i] / (s * s);
        newton->y[i] = fixed ? x0 : wfMulAddD(from, s, v);
        newton->x[i] = newton->held[i] ? newton->hold[i] : newton->y[i];
    }
    wfElastic_Hold(&newton->elastic, newton->x1);
    bool ok = wfNewton_Minimise(newton, wfNewton_WeightOfAll(newton, wfLengthD(newton->def.gravity)), err);
    for (int i = 0; i < n; ++i) {
        double keep = exp(-newton->model->cloths[newton->model->clothOf[i]].fabric.damping * newton->def.dt);
        newton->v[i] = fixed ? wfMake3D(0, 0, 0) : wfScaleD(wfSubD(newton->x[i], newton->v[i]), keep / s);
    }
    newton->stepCount++;
    return ok;
}

double wfNewton_Energy(const wfNewton* newton) {
    double sum = wfElastic_Energy(&newton->elastic, newton->x);
    for (int i = 0; i < newton->model->vertexCount; ++i)
        sum += newton->model->mass[i] * (0.5 * wfDotD(newton->v[i], newton->v[i]) - wfDotD(newton->def.gravity, newton->x[i]));
    return sum;
}
