// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "elastic/springs.h"

#include "compute/kernel.h"
#include "elastic/hinge.h"

wfSpring wfSpring_Along(const wfModel* model, int edge) {
    const wfEdge* e = &model->topology->edges[edge];
    double length = 0.0, area = 0.0;
    int sides = e->triangle[1] >= 0 ? 2 : 1;
    for (int s = 0; s < sides; ++s) { // the two sides may differ where a pattern was sewn: take the mean
        wfEdgeSide side = wfMakeEdgeSide(model, edge, s);
        length += side.length / sides;
        area += side.area;
    }
    double stretch = model->cloths[model->clothOf[e->v[0]]].fabric.stretch;
    return (wfSpring){{e->v[0], e->v[1]}, (float)length, (float)(stretch * area / (length * length))};
}

bool wfSpring_Across(const wfModel* model, int edge, wfSpring* out) {
    wfHinge hinge;
    if (!wfMakeHinge(model, edge, &hinge)) return false;
    double rest = hypot(hinge.length * (hinge.along[0] - hinge.along[1]), hinge.height[0] + hinge.height[1]);
    double bending = model->cloths[model->clothOf[hinge.v[0]]].fabric.bending;
    *out = (wfSpring){{hinge.v[2], hinge.v[3]}, (float)rest, (float)(4.0 * bending / (rest * rest))};
    return true;
}

wfSprings wfMakeSprings(void) {
    return (wfSprings){
        .slices = wfMakeBuffer(sizeof(wfSpringSlice), "elastic.slices"),
        .other = wfMakeBuffer(sizeof(int), "elastic.other"),
        .rest = wfMakeBuffer(sizeof(float), "elastic.rest"),
        .stiffness = wfMakeBuffer(sizeof(float), "elastic.stiffness"),
    };
}

wfSpringView wfSprings_View(const wfSprings* springs) {
    return (wfSpringView){wfData(&springs->slices, wfSpringSlice), wfData(&springs->other, int), wfData(&springs->rest, float),
                          wfData(&springs->stiffness, float)};
}

void wfSprings_Free(wfSprings* springs, wfDevice* device) {
    wfFreeBuffer(device, &springs->slices);
    wfFreeBuffer(device, &springs->other);
    wfFreeBuffer(device, &springs->rest);
    wfFreeBuffer(device, &springs->stiffness);
}

/// How many springs of either kind each vertex has, and from that the slices. Returns the number of entries, or -1.
static int64_t LaySlices(const wfModel* model, int* along, int* across, wfSpringSlice* slices, int sliceCount, wfError* err) {
    const wfTopology* topology = model->topology;
    for (int e = 0; e < topology->edgeCount; ++e) {
        const wfEdge* edge = &topology->edges[e];
        for (int s = 0; s < 2; ++s) {
            along[edge->v[s]]++;
            if (edge->triangle[1] >= 0) across[edge->opposite[s]]++;
        }
    }
    int64_t total = 0;
    for (int s = 0; s < sliceCount; ++s) {
        int most = 0, mostAcross = 0;
        for (int v = s * WF_WARP; v < (s + 1) * WF_WARP && v < model->vertexCount; ++v) {
            if (along[v] > most) most = along[v];
            if (across[v] > mostAcross) mostAcross = across[v];
        }
        slices[s] = (wfSpringSlice){(int)total, most, most + mostAcross};
        total += (int64_t)slices[s].count * WF_WARP;
        if (total > INT32_MAX) {
            wfFail(err, wf_badInput, "elastic: more than 2^31 spring entries; the cloth is too large for one device");
            return -1;
        }
    }
    return total;
}

static void PutEntry(const wfSpringSlice* slices, int v, int k, int other, wfSpring spring, int* outOther, float* outRest,
                     float* outStiffness) {
    int64_t at = slices[v / WF_WARP].start + (int64_t)k * WF_WARP + v % WF_WARP;
    outOther[at] = other;
    outRest[at] = spring.rest;
    outStiffness[at] = spring.stiffness;
}

bool wfSprings_Create(wfSprings* springs, wfDevice* device, const wfModel* model, wfError* err) {
    const wfTopology* topology = model->topology;
    int n = model->vertexCount, sliceCount = (n + WF_WARP - 1) / WF_WARP;
    wfArena arena = {0}, tables[3] = {{0}};
    bool ok = false;
    int* along = wfArena_New(&arena, int, n, "springs", err);
    int* across = wfArena_New(&arena, int, n, "springs", err);
    float* sum = wfArena_New(&arena, float, n, "springs", err);
    wfSpringSlice* slices = wfArena_New(&arena, wfSpringSlice, sliceCount, "springs", err);
    if (along == NULL || across == NULL || sum == NULL || slices == NULL) goto done;
    int64_t total = LaySlices(model, along, across, slices, sliceCount, err);
    if (total < 0) goto done;
    int* other = wfArena_New(&tables[0], int, total, "springs", err);
    float* rest = wfArena_New(&tables[1], float, total, "springs", err);
    float* stiffness = wfArena_New(&tables[2], float, total, "springs", err);
    if (other == NULL || rest == NULL || stiffness == NULL) goto done;

    for (int s = 0; s < sliceCount; ++s) // entries nobody uses: the vertex itself
        for (int k = 0; k < slices[s].count; ++k)
            for (int lane = 0; lane < WF_WARP; ++lane) {
                int v = s * WF_WARP + lane;
                other[slices[s].start + k * WF_WARP + lane] = v < n ? v : n - 1;
            }
    for (int v = 0; v < n; ++v) along[v] = across[v] = 0; // from now on: how many are placed
    springs->entryCount = 0;
    for (int e = 0; e < topology->edgeCount; ++e) {
        wfSpring spring = wfSpring_Along(model, e);
        for (int s = 0; s < 2; ++s) {
            int v = spring.v[s];
            PutEntry(slices, v, along[v]++, spring.v[1 - s], spring, other, rest, stiffness);
            sum[v] += spring.stiffness;
        }
        springs->entryCount += 2;
        if (!wfSpring_Across(model, e, &spring)) continue;
        for (int s = 0; s < 2; ++s) {
            int v = spring.v[s];
            PutEntry(slices, v, slices[v / WF_WARP].alongCount + across[v]++, spring.v[1 - s], spring, other, rest, stiffness);
            sum[v] += spring.stiffness;
        }
        springs->entryCount += 2;
    }
    springs->stiffestRatio = 0.0f;
    for (int v = 0; v < n; ++v)
        if (model->mass[v] > 0.0f) springs->stiffestRatio = fmaxf(springs->stiffestRatio, sum[v] / model->mass[v]);

    wfUpload(device, &springs->slices, slices, (size_t)sliceCount);
    // Each table goes as soon as it is on the device: this is where the memory of a commit peaks.
    wfUpload(device, &springs->other, other, (size_t)total);
    wfArena_Free(&tables[0]);
    wfUpload(device, &springs->rest, rest, (size_t)total);
    wfArena_Free(&tables[1]);
    wfUpload(device, &springs->stiffness, stiffness, (size_t)total);
    ok = wfDevice_Sync(device, err);
done:
    for (int k = 0; k < 3; ++k) wfArena_Free(&tables[k]);
    wfArena_Free(&arena);
    return ok;
}
