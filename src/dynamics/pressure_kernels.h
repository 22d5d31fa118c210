// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "dynamics/pressure.h"

typedef struct PressureAreaArgs {
    wfFanView fans;
    const wfVec4* x;
    const int* clothOf;
    const int* firstOf; // per cloth: its first vertex, from which volumes are measured
    wfVec4* area;
    float *volume, *size; // shares of V and of the sum of |area|
} PressureAreaArgs;

typedef struct PressureGainArgs {
    const wfVec4 *area, *from, *x;
    float* out; // shares of s
} PressureGainArgs;

typedef struct PressureFoldArgs {
    wfPressureView pressure;
    const wfVec4 *x, *target;
    wfVec4* out;
} PressureFoldArgs;

/// One item, for all cloths.
typedef struct PressureEnergyArgs {
    wfPressureView pressure;
    int clothCount;
    float* energy;
} PressureEnergyArgs;
