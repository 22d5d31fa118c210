// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/meter.h"

#include "compute/primitives.h"
#include "dynamics/descent_kernels.h"
#include "elastic/tables_kernels.h"

typedef struct Result {
    float energy, stretch;
    int edge;
} Result;

wfMeter wfMakeMeter(void) {
    return (wfMeter){
        .gradient = wfMakeBuffer(sizeof(wfVec4), "meter.gradient"),
        .energy = wfMakeBuffer(sizeof(float), "meter.energy"),
        .stretch = wfMakeBuffer(sizeof(float), "meter.stretch"),
        .result = wfMakeBuffer(sizeof(Result), "meter.result"),
        .scratch = wfMakeBuffer(1, "meter.scratch"),
    };
}

void wfMeter_Create(wfMeter* meter, wfDevice* device, const wfElasticTables* tables) {
    wfReserve(device, &meter->gradient, (size_t)tables->vertexCount);
    wfReserve(device, &meter->energy, (size_t)tables->vertexCount);
    wfReserve(device, &meter->stretch, (size_t)tables->edgeCount);
    wfReserve(device, &meter->result, 1);
    // Once, so that scratch has its size before a graph is recorded with it.
    wfZero(device, &meter->energy);
    wfZero(device, &meter->stretch);
    Result* result = wfData(&meter->result, Result);
    wfSum(device, wfData(&meter->energy, float), &result->energy, tables->vertexCount, &meter->scratch);
    wfMaxIndex(device, wfData(&meter->stretch, float), &result->stretch, &result->edge, tables->edgeCount, &meter->scratch);
}

void wfMeter_Free(wfMeter* meter, wfDevice* device) {
    wfBuffer* buffers[] = {&meter->gradient, &meter->energy, &meter->stretch, &meter->result, &meter->scratch};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(device, buffers[k]);
}

bool wfMeter_Measure(wfMeter* meter, wfDevice* device, const wfElasticTables* tables, const wfVec4* x, wfMeasure* out, wfError* err) {
    Result* result = wfData(&meter->result, Result);
    StepEnergyArgs energy = {.x = x, .gradient = wfData(&meter->gradient, wfVec4), .out = wfData(&meter->energy, float)};
    wfElasticTables_Gradient(tables, device, x, wfData(&meter->gradient, wfVec4));
    wfLaunch(device, StepEnergy, tables->vertexCount, &energy);
    wfSum(device, energy.out, &result->energy, tables->vertexCount, &meter->scratch);
    EdgeStretchArgs stretch = {wfData(&tables->edges, wfRestEdge), x, wfData(&meter->stretch, float)};
    wfLaunch(device, EdgeStretch, tables->edgeCount, &stretch);
    wfMaxIndex(device, stretch.out, &result->stretch, &result->edge, tables->edgeCount, &meter->scratch);
    Result host;
    wfRestEdge edge = {.v = {-1, -1}};
    WF_TRY(wfDownload(device, &host, &meter->result, 0, 1, err));
    if (host.edge >= 0) WF_TRY(wfDownload(device, &edge, &tables->edges, (size_t)host.edge, 1, err));
    *out = (wfMeasure){host.energy, host.stretch, edge.v[0]};
    return true;
}
