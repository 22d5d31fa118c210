// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/inertia.h"

#include "dynamics/inertia_kernels.h"

bool wfInertia_Create(wfInertia* inertia, wfDevice* device, const wfModel* model, wfIntegrator integrator, wfError* err) {
    size_t n = (size_t)model->vertexCount;
    *inertia = (wfInertia){
        .integrator = integrator,
        .area = wfMakeBuffer(sizeof(float), "dynamics.area"),
        .clothOf = wfMakeBuffer(sizeof(int), "dynamics.clothOf"),
        .keep = wfMakeBuffer(sizeof(float), "dynamics.keep"),
        .ahead = wfMakeBuffer(sizeof(float), "dynamics.ahead"),
        .origin = wfMakeBuffer(sizeof(wfVec4), "dynamics.origin"),
        .shifted = wfMakeBuffer(sizeof(wfVec4), "dynamics.shifted"),
        .fans = wfMakeFans(),
        .pressure = wfMakePressure(),
        .viscosity = wfMakeViscosity(),
    };
    for (int c = 0; c < model->clothCount; ++c) inertia->rayleigh = inertia->rayleigh || model->cloths[c].fabric.rayleigh > 0.0f;
    wfReserve(device, &inertia->keep, (size_t)model->clothCount);
    wfReserve(device, &inertia->ahead, (size_t)model->clothCount);
    if (integrator == wf_integrateBdf2) wfReserve(device, &inertia->origin, n);
    if (inertia->rayleigh) wfReserve(device, &inertia->shifted, n);
    wfUpload(device, &inertia->area, model->area, n);
    wfUpload(device, &inertia->clothOf, model->clothOf, n);
    return wfFans_Create(&inertia->fans, device, model, err) && wfPressure_Create(&inertia->pressure, device, model, err) &&
           wfViscosity_Create(&inertia->viscosity, device, model, err);
}

void wfInertia_Free(wfInertia* inertia, wfDevice* device) {
    wfBuffer* buffers[] = {&inertia->area, &inertia->clothOf, &inertia->keep, &inertia->ahead, &inertia->origin, &inertia->shifted};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(device, buffers[k]);
    wfFans_Free(&inertia->fans, device);
    wfPressure_Free(&inertia->pressure, device);
    wfViscosity_Free(&inertia->viscosity, device);
}

static wfVec4* Origin(const wfInertia* inertia, const wfState* state) {
    return wfData(inertia->integrator == wf_integrateBdf2 ? &inertia->origin : &state->xStart, wfVec4);
}

void wfInertia_Begin(wfInertia* inertia, const wfStepContext* ctx, const wfForces* forces) {
    wfState* state = ctx->state;
    bool bdf2 = inertia->integrator == wf_integrateBdf2, second = bdf2 && state->historyDt == ctx->dt;
    float span = second ? 2.0f * ctx->dt / 3.0f : ctx->dt;
    if (inertia->span != span || inertia->dt != ctx->dt) { // once or twice a scene: dt changes only when a caller steps by odd amounts
        for (int k = 0; k < ctx->model->clothCount; ++k) {
            const wfFabric* fabric = &ctx->model->cloths[k].fabric;
            float keep = expf(-fabric->damping * ctx->dt), ahead = fabric->rayleigh / span;
            wfUploadRange(ctx->device, &inertia->keep, (size_t)k, &keep, 1);
            wfUploadRange(ctx->device, &inertia->ahead, (size_t)k, &ahead, 1);
        }
        inertia->span = span;
        inertia->dt = ctx->dt;
    }
    if (bdf2) state->historyDt = ctx->dt;
    inertia->down = wfNormalizeOr(forces->gravity, wfMake3(0.0f, 0.0f, 0.0f));
    wfCopy(ctx->device, &state->xStart, &state->x, (size_t)state->vertexCount);
    wfPressure_Measure(&inertia->pressure, ctx->device, &inertia->fans, wfData(&state->xStart, wfVec4));
    PredictArgs args = {
        .x = wfData(&state->x, wfVec4),
        .xStart = wfData(&state->xStart, wfVec4),
        .target = wfData(&state->target, wfVec4),
        .v = wfData(&state->v, wfVec4),
        .history = bdf2 ? wfData(&state->history, wfVec4) : NULL,
        .origin = Origin(inertia, state),
        .area = wfData(&inertia->area, float),
        .fans = wfFans_View(&inertia->fans),
        .pressure = wfPressure_View(&inertia->pressure),
        .forces = *forces,
        .span = span,
        .time = (float)ctx->time,
        .count = state->vertexCount,
        .second = second,
        .fault = wfDevice_FaultSlot(ctx->device),
    };
    wfLaunch(ctx->device, Predict, state->vertexCount, &args);
}

void wfInertia_End(wfInertia* inertia, const wfStepContext* ctx) {
    wfState* state = ctx->state;
    EndStepArgs args = {
        .x = wfData(&state->x, wfVec4),
        .origin = Origin(inertia, state),
        .v = wfData(&state->v, wfVec4),
        .keep = wfData(&inertia->keep, float),
        .clothOf = wfData(&inertia->clothOf, int),
        .down = inertia->down,
        .span = inertia->span,
        .dt = ctx->dt,
    };
    wfLaunch(ctx->device, EndStep, state->vertexCount, &args);
    wfViscosity_Apply(&inertia->viscosity, ctx->device, state, ctx->dt);
}

static RayleighArgs Rayleigh(const wfInertia* inertia, const wfStepContext* ctx) {
    return (RayleighArgs){
        .x = wfData(&ctx->state->x, wfVec4),
        .origin = Origin(inertia, ctx->state),
        .target = wfData(&ctx->state->target, wfVec4),
        .shiftedTarget = wfData(&inertia->shifted, wfVec4),
        .ahead = wfData(&inertia->ahead, float),
        .clothOf = wfData(&inertia->clothOf, int),
    };
}

const wfBuffer* wfInertia_Enter(wfInertia* inertia, const wfStepContext* ctx) {
    if (!inertia->rayleigh) return &ctx->state->target;
    RayleighArgs args = Rayleigh(inertia, ctx);
    wfLaunch(ctx->device, RayleighShift, ctx->state->vertexCount, &args);
    return &inertia->shifted;
}

void wfInertia_Leave(wfInertia* inertia, const wfStepContext* ctx) {
    if (!inertia->rayleigh) return;
    RayleighArgs args = Rayleigh(inertia, ctx);
    wfLaunch(ctx->device, RayleighReturn, ctx->state->vertexCount, &args);
}
