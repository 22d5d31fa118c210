// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// wfDynamicsType.measure for dynamics on the device's elastic tables.

#include "dynamics/dynamics.h"
#include "elastic/tables.h"

typedef struct wfMeter {
    wfBuffer gradient; // wfVec4, with the energy
    wfBuffer energy;   // float per vertex
    wfBuffer stretch;  // float per edge
    wfBuffer result, scratch;
} wfMeter;

wfMeter wfMakeMeter(void);
void wfMeter_Create(wfMeter* meter, wfDevice* device, const wfElasticTables* tables);
void wfMeter_Free(wfMeter* meter, wfDevice* device);
bool wfMeter_Measure(wfMeter* meter, wfDevice* device, const wfElasticTables* tables, const wfVec4* x, wfMeasure* out, wfError* err);
