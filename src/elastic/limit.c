// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "elastic/limit.h"

#include "elastic/limit_kernels.h"
#include "elastic/springs.h"

wfLimits wfMakeLimits(void) {
    return (wfLimits){
        .start = wfMakeBuffer(sizeof(int), "limit.start"),
        .other = wfMakeBuffer(sizeof(int), "limit.other"),
        .rest = wfMakeBuffer(sizeof(float), "limit.rest"),
        .edges = wfMakeBuffer(2 * sizeof(int), "limit.edges"),
        .faults = wfMakeBuffer(sizeof(float), "limit.faults"),
        .next = wfMakeBuffer(sizeof(wfVec4), "limit.next"),
    };
}

void wfLimits_Free(wfLimits* limits, wfDevice* device) {
    wfBuffer* buffers[] = {&limits->start, &limits->other, &limits->rest, &limits->edges, &limits->faults, &limits->next};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(device, buffers[k]);
    wfArena_Free(&limits->arena);
    limits->colorStart = NULL;
    limits->colorCount = 0;
}

/// The first colour that no edge about either end has, edge by edge. Returns how many colours there are, or -1.
static int ColorEdges(const wfTopology* topology, int* color, wfArena* arena, wfError* err) {
    const wfRows* rows = &topology->vertexEdges;
    int most = 0, count = 0;
    for (int v = 0; v < topology->vertexCount; ++v) {
        int degree = rows->start[v + 1] - rows->start[v];
        if (degree > most) most = degree;
    }
    int* seen = wfArena_New(arena, int, 2 * most, "edge colours", err); // the edge + 1 that saw this colour last
    if (seen == NULL) return -1;
    for (int e = 0; e < topology->edgeCount; ++e) color[e] = -1;
    for (int e = 0; e < topology->edgeCount; ++e) {
        for (int s = 0; s < 2; ++s) {
            int v = topology->edges[e].v[s];
            for (int k = rows->start[v]; k < rows->start[v + 1]; ++k) {
                int c = color[rows->item[k]];
                if (c >= 0) seen[c] = e + 1;
            }
        }
        int c = 0;
        while (seen[c] == e + 1) ++c; // two vertices have at most 2 most - 2 other edges
        color[e] = c;
        if (c + 1 > count) count = c + 1;
    }
    return count;
}

bool wfLimits_Create(wfLimits* limits, wfDevice* device, const wfModel* model, wfError* err) {
    const wfTopology* topology = model->topology;
    const wfRows* rows = &topology->vertexEdges;
    size_t n = (size_t)model->vertexCount, edgeCount = (size_t)topology->edgeCount;
    wfArena arena = {0};
    bool ok = false;
    int* color = wfArena_New(&arena, int, edgeCount, "edge colours", err);
    float* rest = wfArena_New(&arena, float, 2 * edgeCount, "edge lengths", err);
    int(*edges)[2] = wfArena_Alloc(&arena, edgeCount, sizeof *edges, "edges", err);
    if (color == NULL || rest == NULL || edges == NULL) goto done;
    limits->colorCount = ColorEdges(topology, color, &arena, err);
    if (limits->colorCount < 0) goto done;
    limits->colorStart = wfArena_New(&limits->arena, int, limits->colorCount + 1, "edge colours", err);
    if (limits->colorStart == NULL) goto done;
    int* place = limits->colorStart; // first how many each colour has, one to the right; then where its next edge goes
    for (int e = 0; e < topology->edgeCount; ++e) place[color[e] + 1]++;
    for (int c = 0; c < limits->colorCount; ++c) place[c + 1] += place[c];
    for (int e = 0; e < topology->edgeCount; ++e) {
        int at = place[color[e]]++;
        for (int s = 0; s < 2; ++s) edges[at][s] = topology->edges[e].v[s];
    }
    for (int c = limits->colorCount; c > 0; --c) place[c] = place[c - 1]; // every one has come to where the next begins
    place[0] = 0;
    for (int v = 0; v < model->vertexCount; ++v)
        for (int k = rows->start[v]; k < rows->start[v + 1]; ++k) rest[k] = wfSpring_Along(model, rows->item[k]).rest;
    wfUpload(device, &limits->start, rows->start, n + 1);
    wfUpload(device, &limits->other, topology->ring1.item, 2 * edgeCount);
    wfUpload(device, &limits->rest, rest, 2 * edgeCount);
    wfUpload(device, &limits->edges, edges, edgeCount);
    wfReserve(device, &limits->faults, n);
    wfReserve(device, &limits->next, n);
    ok = wfDevice_Sync(device, err);
done:
    wfArena_Free(&arena);
    return ok;
}

void wfLimits_Strain(wfLimits* limits, wfDevice* device, wfState* state, float dt, float limit, int sweeps) {
    wfLimitView view = {
        .start = wfData(&limits->start, int),
        .other = wfData(&limits->other, int),
        .rest = wfData(&limits->rest, float),
        .x = wfData(&state->x, wfVec4),
        .target = wfData(&state->target, wfVec4),
        .dt = dt,
        .limit = limit,
    };
    float* faults = wfData(&limits->faults, float);
    wfVec4 *from = wfData(&state->v, wfVec4), *to = wfData(&limits->next, wfVec4);
    for (int k = 0; k < sweeps; ++k) {
        LimitCountArgs count = {view, from, faults};
        LimitStrainArgs strain = {view, from, faults, to};
        wfLaunch(device, LimitCount, state->vertexCount, &count);
        wfLaunch(device, LimitStrain, state->vertexCount, &strain);
        wfVec4* swap = from;
        from = to;
        to = swap;
    }
    if (sweeps % 2 != 0) wfCopy(device, &state->v, &limits->next, (size_t)state->vertexCount);
}

void wfLimits_Rate(wfLimits* limits, wfDevice* device, wfState* state, float dt, float limit, int sweeps) {
    const int(*edges)[2] = (const int(*)[2])wfBuffer_Check(&limits->edges, 2 * sizeof(int));
    for (int k = 0; k < sweeps * limits->colorCount; ++k) {
        int first = limits->colorStart[k % limits->colorCount], end = limits->colorStart[k % limits->colorCount + 1];
        LimitRateArgs args = {
            .edges = edges + first,
            .x = wfData(&state->x, wfVec4),
            .target = wfData(&state->target, wfVec4),
            .v = wfData(&state->v, wfVec4),
            .dt = dt,
            .limit = limit,
        };
        wfLaunch(device, LimitRate, end - first, &args);
    }
}
