// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/inertia.h"

#include "compute/kernel.h"
#include "dynamics/chebyshev_kernels.h"

wfInertia wfMakeInertia(void) {
    return (wfInertia){
        .area = wfMakeBuffer(sizeof(float), "dynamics.area"),
        .clothOf = wfMakeBuffer(sizeof(int), "dynamics.clothOf"),
        .keep = wfMakeBuffer(sizeof(float), "dynamics.keep"),
        .fanStart = wfMakeBuffer(sizeof(int), "dynamics.fanStart"),
        .fan = wfMakeBuffer(sizeof(int), "dynamics.fan"),
    };
}

static bool UploadFans(wfInertia* inertia, wfDevice* device, const wfModel* model, wfError* err) {
    const wfRows* rows = &model->topology->vertexTriangles;
    wfArena arena = {0};
    int* fan = wfArena_New(&arena, int, 6 * (size_t)model->triangleCount, "dynamics", err);
    if (fan == NULL) return false;
    for (int v = 0; v < model->vertexCount; ++v)
        for (int k = rows->start[v]; k < rows->start[v + 1]; ++k) {
            const int* t = model->triangles[rows->item[k]].v;
            int corner = t[0] == v ? 0 : t[1] == v ? 1 : 2;
            fan[2 * k] = t[(corner + 1) % 3];
            fan[2 * k + 1] = t[(corner + 2) % 3];
        }
    wfUpload(device, &inertia->fanStart, rows->start, (size_t)model->vertexCount + 1);
    wfUpload(device, &inertia->fan, fan, 6 * (size_t)model->triangleCount);
    wfArena_Free(&arena);
    return true;
}

bool wfInertia_Create(wfInertia* inertia, wfDevice* device, const wfModel* model, wfError* err) {
    wfReserve(device, &inertia->keep, (size_t)model->clothCount);
    wfUpload(device, &inertia->area, model->area, (size_t)model->vertexCount);
    wfUpload(device, &inertia->clothOf, model->clothOf, (size_t)model->vertexCount);
    return UploadFans(inertia, device, model, err);
}

void wfInertia_Free(wfInertia* inertia, wfDevice* device) {
    wfBuffer* buffers[] = {&inertia->area, &inertia->clothOf, &inertia->keep, &inertia->fanStart, &inertia->fan};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(device, buffers[k]);
}

void wfInertia_Begin(wfInertia* inertia, const wfStepContext* ctx, const wfForces* forces) {
    wfState* state = ctx->state;
    if (inertia->keepDt != ctx->dt) { // once per scene: dt changes only when a caller steps by odd amounts
        for (int k = 0; k < ctx->model->clothCount; ++k) {
            float keep = expf(-ctx->model->cloths[k].fabric.damping * ctx->dt);
            wfUploadRange(ctx->device, &inertia->keep, (size_t)k, &keep, 1);
        }
        inertia->keepDt = ctx->dt;
    }
    inertia->down = wfNormalizeOr(forces->gravity, wfMake3(0.0f, 0.0f, 0.0f));
    wfCopy(ctx->device, &state->xStart, &state->x, (size_t)state->vertexCount);
    ChebyshevPredictArgs args = {
        .x = wfData(&state->x, wfVec4),
        .xStart = wfData(&state->xStart, wfVec4),
        .target = wfData(&state->target, wfVec4),
        .v = wfData(&state->v, wfVec4),
        .area = wfData(&inertia->area, float),
        .fanStart = wfData(&inertia->fanStart, int),
        .fan = wfData(&inertia->fan, int),
        .forces = *forces,
        .dt = ctx->dt,
        .time = (float)ctx->time,
        .fault = wfDevice_FaultSlot(ctx->device),
    };
    wfLaunch(ctx->device, ChebyshevPredict, state->vertexCount, &args);
}

void wfInertia_End(const wfInertia* inertia, const wfStepContext* ctx) {
    wfState* state = ctx->state;
    ChebyshevEndArgs args = {
        .x = wfData(&state->x, wfVec4),
        .xStart = wfData(&state->xStart, wfVec4),
        .v = wfData(&state->v, wfVec4),
        .keep = wfData(&inertia->keep, float),
        .clothOf = wfData(&inertia->clothOf, int),
        .down = inertia->down,
        .dt = ctx->dt,
    };
    wfLaunch(ctx->device, ChebyshevEnd, state->vertexCount, &args);
}
