// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "elastic/limit.h"

#include "elastic/limit_kernels.h"
#include "elastic/springs.h"

wfLimits wfMakeLimits(void) {
    return (wfLimits){
        .edges = wfMakeBuffer(sizeof(wfLimitEdge), "limit.edges"),
        .impulses = wfMakeBuffer(sizeof(float), "limit.impulses"),
        .last = wfMakeBuffer(sizeof(float), "limit.last"),
        .start = wfMakeBuffer(sizeof(int), "limit.start"),
        .other = wfMakeBuffer(sizeof(int), "limit.other"),
        .edgeItems = wfMakeBuffer(sizeof(int), "limit.edgeItems"),
        .busy = wfMakeBuffer(sizeof(float), "limit.busy"),
        .given = wfMakeBuffer(sizeof(wfVec4), "limit.given"),
    };
}

void wfLimits_Free(wfLimits* limits, wfDevice* device) {
    wfBuffer* buffers[] = {&limits->edges, &limits->impulses,  &limits->last, &limits->start,
                           &limits->other, &limits->edgeItems, &limits->busy, &limits->given};
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
    int* placed = wfArena_New(&arena, int, edgeCount, "edges", err); // where each edge has gone
    int* items = wfArena_New(&arena, int, 2 * edgeCount, "edges", err);
    wfLimitEdge* edges = wfArena_New(&arena, wfLimitEdge, edgeCount, "edges", err);
    if (color == NULL || placed == NULL || items == NULL || edges == NULL) goto done;
    limits->edgeCount = topology->edgeCount;
    limits->colorCount = ColorEdges(topology, color, &arena, err);
    if (limits->colorCount < 0) goto done;
    limits->colorStart = wfArena_New(&limits->arena, int, limits->colorCount + 1, "edge colours", err);
    if (limits->colorStart == NULL) goto done;
    int* place = limits->colorStart; // first how many each colour has, one to the right; then where its next edge goes
    for (int e = 0; e < topology->edgeCount; ++e) place[color[e] + 1]++;
    for (int c = 0; c < limits->colorCount; ++c) place[c + 1] += place[c];
    for (int e = 0; e < topology->edgeCount; ++e) {
        wfSpring spring = wfSpring_Along(model, e);
        placed[e] = place[color[e]]++;
        edges[placed[e]] = (wfLimitEdge){{spring.v[0], spring.v[1]}, spring.rest};
    }
    for (int c = limits->colorCount; c > 0; --c) place[c] = place[c - 1]; // every one has come to where the next begins
    place[0] = 0;
    for (size_t k = 0; k < 2 * edgeCount; ++k) items[k] = placed[rows->item[k]];
    wfUpload(device, &limits->edges, edges, edgeCount);
    wfUpload(device, &limits->start, rows->start, n + 1);
    wfUpload(device, &limits->other, topology->ring1.item, 2 * edgeCount);
    wfUpload(device, &limits->edgeItems, items, 2 * edgeCount);
    wfReserve(device, &limits->impulses, edgeCount);
    wfReserve(device, &limits->last, edgeCount);
    wfReserve(device, &limits->busy, n);
    wfReserve(device, &limits->given, n);
    wfLimits_Reset(limits, device);
    ok = wfDevice_Sync(device, err);
done:
    wfArena_Free(&arena);
    return ok;
}

void wfLimits_Reset(wfLimits* limits, wfDevice* device) { wfZero(device, &limits->impulses); }

void wfLimits_Strain(wfLimits* limits, wfDevice* device, wfState* state, float dt, float limit, int sweeps) {
    wfVec4 *x = wfData(&state->x, wfVec4), *v = wfData(&state->v, wfVec4), *target = wfData(&state->target, wfVec4);
    LimitImpulseArgs impulse = {
        .edges = wfData(&limits->edges, wfLimitEdge),
        .x = x,
        .target = target,
        .v = v,
        .busy = wfData(&limits->busy, float),
        .impulses = wfData(&limits->impulses, float),
        .last = wfData(&limits->last, float),
        .dt = dt,
        .limit = limit,
        .mark = 1,
    };
    LimitGatherArgs gather = {
        .start = wfData(&limits->start, int),
        .other = wfData(&limits->other, int),
        .edgeItems = wfData(&limits->edgeItems, int),
        .impulses = impulse.impulses,
        .x = x,
        .target = target,
        .given = wfData(&limits->given, wfVec4),
        .v = v,
        .busy = wfData(&limits->busy, float),
    };
    wfCopy(device, &limits->given, &state->v, (size_t)state->vertexCount);
    for (int k = 0; k <= sweeps; ++k) { // the first only marks who is at fault, and applies what was kept
        impulse.ahead = k < sweeps ? (float)(k - 1) / (float)(k + 2) : 0.0f;
        wfLaunch(device, LimitImpulse, limits->edgeCount, &impulse);
        wfLaunch(device, LimitGather, state->vertexCount, &gather);
        impulse.mark = 0;
    }
}

void wfLimits_Rate(wfLimits* limits, wfDevice* device, wfState* state, float dt, float limit, int sweeps) {
    for (int k = 0; k < sweeps * limits->colorCount; ++k) {
        int first = limits->colorStart[k % limits->colorCount], end = limits->colorStart[k % limits->colorCount + 1];
        LimitRateArgs args = {
            .edges = wfData(&limits->edges, wfLimitEdge) + first,
            .x = wfData(&state->x, wfVec4),
            .target = wfData(&state->target, wfVec4),
            .v = wfData(&state->v, wfVec4),
            .dt = dt,
            .limit = limit,
        };
        wfLaunch(device, LimitRate, end - first, &args);
    }
}
