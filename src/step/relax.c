// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "step/relax.h"

#include "elastic/limit.h"
#include "weft/weft.h"

#include <stdlib.h>

enum { sweeps = 30 };

struct wfRelax {
    wfDevice* device;
    wfLimits limits;
    wfState state;
    wfVec4 *x, *v;
    float* mass;
    float stretch;
    wfArena arena;
};

void wfDestroyRelax(wfRelax* r) {
    if (r == NULL) return;
    if (r->device != NULL) {
        wfLimits_Free(&r->limits, r->device);
        wfFreeBuffer(r->device, &r->state.x);
        wfFreeBuffer(r->device, &r->state.v);
        wfFreeBuffer(r->device, &r->state.target);
        wfDestroyDevice(r->device);
    }
    wfArena_Free(&r->arena);
    free(r);
}

static bool Build(wfRelax* r, const wfRelaxDef* def, wfError* err) {
    size_t n = (size_t)def->vertexCount;
    wfDeviceDef device = wfDefaultDeviceDef();
    device.kind = wf_deviceCpu;
    r->device = wfCreateDevice(&device, err);
    if (r->device == NULL) return false;
    r->limits = wfMakeLimits();
    r->state = (wfState){
        .vertexCount = def->vertexCount,
        .x = wfMakeBuffer(sizeof(wfVec4), "relax.x"),
        .v = wfMakeBuffer(sizeof(wfVec4), "relax.v"),
        .target = wfMakeBuffer(sizeof(wfVec4), "relax.target"),
    };
    r->stretch = def->stretch;
    r->x = wfArena_New(&r->arena, wfVec4, n, "positions", err);
    r->v = wfArena_New(&r->arena, wfVec4, n, "displacements", err);
    r->mass = wfArena_New(&r->arena, float, n, "masses", err);
    int* clothOf = wfArena_New(&r->arena, int, n, "cloth numbers", err);
    if (r->x == NULL || r->v == NULL || r->mass == NULL || clothOf == NULL) return false;
    for (size_t v = 0; v < n; ++v) {
        r->mass[v] = def->mass != NULL ? def->mass[v] : 1.0f;
        r->v[v] = wfMake4(wfMake3(0.0f, 0.0f, 0.0f), def->fixed != NULL && def->fixed[v] ? -1.0f : 0.0f);
    }
    wfUpload(r->device, &r->state.target, r->v, n);
    wfTopology topology = {0};
    WF_TRY(wfTopology_Create(&topology, def->triangles, def->triangleCount, def->vertexCount, err));
    wfClothRange cloth = {.vertexCount = def->vertexCount, .triangleCount = def->triangleCount, .fabric = wfDefaultFabric()};
    wfModel model = {
        .vertexCount = def->vertexCount,
        .triangleCount = def->triangleCount,
        .clothCount = 1,
        .triangles = def->triangles,
        .flat = def->flat,
        .clothOf = clothOf,
        .cloths = &cloth,
        .topology = &topology,
    };
    bool ok = wfLimits_Create(&r->limits, r->device, &model, err);
    wfTopology_Free(&topology);
    return ok;
}

wfRelax* wfCreateRelax(const wfRelaxDef* def, wfError* err) {
    wfRelax* r = calloc(1, sizeof *r);
    if (r == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for strain limits");
        return NULL;
    }
    if (Build(r, def, err)) return r;
    wfDestroyRelax(r);
    return NULL;
}

bool wfRelax_Apply(void* self, const wfVec3* before, wfVec3* x, wfError* err) {
    wfRelax* r = self;
    int n = r->state.vertexCount;
    for (int i = 0; i < n; ++i) {
        r->x[i] = wfMake4(before[i], r->mass[i]);
        r->v[i] = wfMake4(wfSub(x[i], before[i]), 0.0f);
    }
    wfUpload(r->device, &r->state.x, r->x, (size_t)n);
    wfUpload(r->device, &r->state.v, r->v, (size_t)n);
    wfLimits_Reset(&r->limits, r->device);
    wfLimits_Strain(&r->limits, r->device, &r->state, 1.0f, r->stretch, sweeps);
    WF_TRY(wfDownload(r->device, r->v, &r->state.v, 0, (size_t)n, err));
    for (int i = 0; i < n; ++i) x[i] = wfAdd(before[i], wfXyz(r->v[i]));
    return true;
}
