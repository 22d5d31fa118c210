// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "step/relax.h"

#include "elastic/limit.h"
#include "elastic/limit_kernels.h"
#include "weft/weft.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

enum { sweeps = 30, mostPasses = 20 };

static const double enough = 0.02; // of the stretch: what may be left over it

struct wfRelax {
    wfDevice* device;
    wfLimits limits;
    wfLimitEdge* edges; // those of the limits, to judge them by
    wfState state;
    wfVec4 *x, *v;
    float* mass;
    bool* held;
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
    device.threadCount = omp_get_max_threads();
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
    r->held = wfArena_New(&r->arena, bool, n, "held vertices", err);
    int* clothOf = wfArena_New(&r->arena, int, n, "cloth numbers", err);
    if (r->x == NULL || r->v == NULL || r->mass == NULL || r->held == NULL || clothOf == NULL) return false;
    for (size_t v = 0; v < n; ++v) {
        r->mass[v] = def->mass != NULL ? def->mass[v] : 1.0f;
        r->held[v] = def->fixed != NULL && def->fixed[v];
        r->v[v] = wfMake4(wfMake3(0.0f, 0.0f, 0.0f), r->held[v] ? -1.0f : 0.0f);
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
    r->edges = ok ? wfArena_New(&r->arena, wfLimitEdge, r->limits.edgeCount, "edges", err) : NULL;
    return r->edges != NULL && wfDownload(r->device, r->edges, &r->limits.edges, 0, (size_t)r->limits.edgeCount, err);
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

/// How far the edges are beyond the limit at most, as a share of their rest length; edges that are held do not count.
static double Excess(const wfRelax* r, const wfVec3* x) {
    double most = 0.0;
    for (int i = 0; i < r->limits.edgeCount; ++i) {
        const wfLimitEdge* e = &r->edges[i];
        if (!(e->rest > 0.0f) || (r->held[e->v[0]] && r->held[e->v[1]])) continue;
        double stretch = (double)wfDistance(x[e->v[0]], x[e->v[1]]) / (double)e->rest - 1.0;
        most = fmax(most, fabs(stretch) - (double)r->stretch);
    }
    return most;
}

bool wfRelax_Apply(void* self, const wfVec3* before, wfVec3* x, wfError* err) {
    wfRelax* r = self;
    int n = r->state.vertexCount;
    for (int i = 0; i < n; ++i) {
        r->x[i] = wfMake4(before[i], r->mass[i]);
        r->v[i] = wfMake4(wfSub(x[i], before[i]), 0.0f);
    }
    // The limits push along the edges as they were before the way; of edges that turn on it some stays, and the next pass begins there.
    for (int pass = 0; pass < mostPasses; ++pass) {
        wfUpload(r->device, &r->state.x, r->x, (size_t)n);
        wfUpload(r->device, &r->state.v, r->v, (size_t)n);
        wfLimits_Reset(&r->limits, r->device);
        wfLimits_Strain(&r->limits, r->device, &r->state, 1.0f, r->stretch, sweeps);
        WF_TRY(wfDownload(r->device, r->v, &r->state.v, 0, (size_t)n, err));
        for (int i = 0; i < n; ++i) {
            x[i] = wfAdd(wfXyz(r->x[i]), wfXyz(r->v[i]));
            r->x[i] = wfMake4(x[i], r->mass[i]);
            r->v[i] = wfMake4(wfMake3(0.0f, 0.0f, 0.0f), 0.0f);
        }
        if (Excess(r, x) <= enough * (double)r->stretch) break;
    }
    return true;
}
