// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/viscosity.h"

#include "compute/primitives.h"
#include "dynamics/viscosity_kernels.h"
#include "elastic/hinge.h"

wfViscosity wfMakeViscosity(void) {
    return (wfViscosity){
        .start = wfMakeBuffer(sizeof(int), "viscosity.start"),
        .other = wfMakeBuffer(sizeof(int), "viscosity.other"),
        .weight = wfMakeBuffer(sizeof(float), "viscosity.weight"),
        .now = wfMakeBuffer(sizeof(wfVec4), "viscosity.now"),
        .before = wfMakeBuffer(sizeof(wfVec4), "viscosity.before"),
        .parts = wfMakeBuffer(sizeof(float), "viscosity.parts"),
        .rigid = wfMakeBuffer(sizeof(wfRigid), "viscosity.rigid"),
        .scratch = wfMakeBuffer(1, "viscosity.scratch"),
    };
}

void wfViscosity_Free(wfViscosity* viscosity, wfDevice* device) {
    wfBuffer* buffers[] = {&viscosity->start,  &viscosity->other, &viscosity->weight, &viscosity->now,
                           &viscosity->before, &viscosity->parts, &viscosity->rigid,  &viscosity->scratch};
    wfGraph_Free(device, &viscosity->graph);
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(device, buffers[k]);
    wfArena_Free(&viscosity->arena);
    viscosity->clothCount = 0;
}

/// Half the sum of the cotangents of the angles that look at an edge. May be negative where both are obtuse: the matrix is positive
/// semidefinite all the same.
static double CotangentWeight(const wfModel* model, int edge) {
    int sides = model->topology->edges[edge].triangle[1] >= 0 ? 2 : 1;
    double sum = 0.0;
    for (int s = 0; s < sides; ++s) {
        wfEdgeSide e = wfMakeEdgeSide(model, edge, s);
        sum += 0.5 * (e.height * e.height - e.along * (1.0 - e.along) * e.length * e.length) / (e.height * e.length);
    }
    return sum;
}

bool wfViscosity_Create(wfViscosity* viscosity, wfDevice* device, const wfModel* model, wfError* err) {
    const wfRows* rows = &model->topology->vertexEdges;
    viscosity->cloths = wfArena_New(&viscosity->arena, wfViscousCloth, model->clothCount, "viscosity", err);
    if (viscosity->cloths == NULL) return false;
    size_t n = (size_t)model->vertexCount, edgeCount = (size_t)model->topology->edgeCount;
    int most = 0;
    for (int c = 0; c < model->clothCount; ++c) {
        const wfClothRange* cloth = &model->cloths[c];
        if (!(cloth->fabric.viscosity > 0.0f)) continue;
        double mass = 0.0;
        for (int v = cloth->firstVertex; v < cloth->firstVertex + cloth->vertexCount; ++v) mass += model->mass[v];
        viscosity->cloths[viscosity->clothCount++] = (wfViscousCloth){cloth->firstVertex, cloth->vertexCount, (float)mass, 0.0f};
        if (cloth->vertexCount > most) most = cloth->vertexCount;
    }
    if (viscosity->clothCount == 0) return true;
    wfArena arena = {0};
    float* weight = wfArena_New(&arena, float, 2 * edgeCount, "viscosity", err);
    if (weight == NULL) return false;
    for (int c = 0; c < viscosity->clothCount; ++c) {
        wfViscousCloth* cloth = &viscosity->cloths[c];
        const wfFabric* fabric = &model->cloths[model->clothOf[cloth->first]].fabric;
        for (int v = cloth->first; v < cloth->first + cloth->count; ++v) {
            double sum = 0.0;
            for (int k = rows->start[v]; k < rows->start[v + 1]; ++k) {
                weight[k] = (float)((double)fabric->viscosity * fabric->density * CotangentWeight(model, rows->item[k]));
                sum += fabs(weight[k]);
            }
            cloth->stiffest = fmaxf(cloth->stiffest, (float)(2.0 * sum / model->mass[v])); // Gershgorin
        }
    }
    wfUpload(device, &viscosity->start, rows->start, n + 1);
    wfUpload(device, &viscosity->other, model->topology->ring1.item, 2 * edgeCount);
    wfUpload(device, &viscosity->weight, weight, 2 * edgeCount);
    wfReserve(device, &viscosity->now, n);
    wfReserve(device, &viscosity->before, n);
    wfReserve(device, &viscosity->parts, (size_t)wf_rigidParts * (size_t)most);
    wfReserve(device, &viscosity->rigid, 1);
    wfZero(device, &viscosity->parts);
    // Once before any graph is recorded, so that the scratch has its size.
    wfSum(device, wfData(&viscosity->parts, float), wfData(&viscosity->rigid, wfRigid)->sums, most, &viscosity->scratch);
    wfArena_Free(&arena);
    return wfDevice_Sync(device, err);
}

/// The rigid motion of the vectors u.
static void LaunchRigid(wfViscosity* viscosity, wfDevice* device, const wfState* state, const wfViscousCloth* cloth, const wfVec4* u) {
    wfRigid* rigid = wfData(&viscosity->rigid, wfRigid);
    float* parts = wfData(&viscosity->parts, float);
    const wfVec4* x = wfData(&state->x, wfVec4);
    RigidCenterArgs center = {.x = x, .first = cloth->first, .stride = cloth->count, .parts = parts};
    wfLaunch(device, RigidCenter, cloth->count, &center);
    for (int k = 0; k < wf_centerParts; ++k)
        wfSum(device, parts + (size_t)k * (size_t)cloth->count, &rigid->offset[k], cloth->count, &viscosity->scratch);
    RigidMomentsArgs moments = {
        .x = x, .u = u, .first = cloth->first, .stride = cloth->count, .mass = cloth->mass, .rigid = rigid, .parts = parts};
    wfLaunch(device, RigidMoments, cloth->count, &moments);
    for (int k = 0; k < wf_rigidParts; ++k)
        wfSum(device, parts + (size_t)k * (size_t)cloth->count, &rigid->sums[k], cloth->count, &viscosity->scratch);
    RigidSolveArgs solve = {.x = x, .first = cloth->first, .mass = cloth->mass, .rigid = rigid};
    wfLaunch(device, RigidSolve, 1, &solve);
}

static void LaunchCloth(wfViscosity* viscosity, wfDevice* device, wfState* state, const wfViscousCloth* cloth, float dt) {
    wfVec4 *x = wfData(&state->x, wfVec4), *v = wfData(&state->v, wfVec4), *target = wfData(&state->target, wfVec4);
    wfVec4 *now = wfData(&viscosity->now, wfVec4), *before = wfData(&viscosity->before, wfVec4);
    const wfRigid* rigid = wfData(&viscosity->rigid, wfRigid);
    LaunchRigid(viscosity, device, state, cloth, v);
    ViscosityStartArgs start = {.x = x, .v = v, .rigid = rigid, .first = cloth->first, .out = now, .before = before};
    wfLaunch(device, ViscosityStart, cloth->count, &start);
    // The most stages can reach is (s² + s) / 2 times the 2 / stiffest of a plain one.
    double reach = (double)dt * cloth->stiffest;
    int stages = (int)ceil(0.5 * (sqrt(1.0 + 4.0 * reach) - 1.0));
    if (stages < 1) stages = 1;
    double whole = (double)stages * (stages + 1);
    for (int s = 1; s <= stages; ++s) {
        double mu = (2.0 * s - 1.0) / s;
        ViscosityStageArgs stage = {
            .start = wfData(&viscosity->start, int),
            .other = wfData(&viscosity->other, int),
            .weight = wfData(&viscosity->weight, float),
            .x = x,
            .target = target,
            .now = now,
            .first = cloth->first,
            .mu = (float)mu,
            .nu = (float)((1.0 - s) / s),
            .tilde = (float)(mu * 2.0 / whole * dt),
            .out = before,
        };
        wfLaunch(device, ViscosityStage, cloth->count, &stage);
        wfVec4* swap = now;
        now = before;
        before = swap;
    }
    ViscosityChangeArgs change = {.x = x, .v = v, .rigid = rigid, .first = cloth->first, .now = now};
    wfLaunch(device, ViscosityChange, cloth->count, &change);
    LaunchRigid(viscosity, device, state, cloth, now);
    ViscosityEndArgs end = {.x = x, .target = target, .change = now, .rigid = rigid, .first = cloth->first, .v = v};
    wfLaunch(device, ViscosityEnd, cloth->count, &end);
}

void wfViscosity_Apply(wfViscosity* viscosity, wfDevice* device, wfState* state, float dt) {
    if (viscosity->clothCount == 0) return;
    if (viscosity->graphDt != dt) {
        wfGraph_Begin(device, &viscosity->graph);
        for (int c = 0; c < viscosity->clothCount; ++c) LaunchCloth(viscosity, device, state, &viscosity->cloths[c], dt);
        wfGraph_End(device);
        viscosity->graphDt = dt;
    }
    wfGraph_Launch(device, &viscosity->graph);
}
