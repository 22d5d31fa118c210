// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "dynamics/dynamics.h"
#include "dynamics/pressure.h"

typedef struct PredictArgs {
    wfVec4 *x, *xStart, *target, *v;
    wfVec4 *history, *origin; // BDF2 only
    const float* area;
    wfFanView fans;
    wfPressureView pressure;
    wfForces forces;
    float span, time;
    int count;
    int second; // whether the history counts
    wfFaultSlot* fault;
} PredictArgs;

typedef struct EndStepArgs {
    const wfVec4 *x, *origin;
    wfVec4* v;
    const float* keep; // per cloth: what damping leaves of a velocity
    const int* clothOf;
    wfVec3 down; // unit, along gravity
    float span, dt;
} EndStepArgs;

typedef struct RayleighArgs {
    wfVec4* x;
    const wfVec4 *origin, *target;
    wfVec4* shiftedTarget; // written when going there
    const float* ahead;    // per cloth: time ahead over span
    const int* clothOf;
} RayleighArgs;

typedef RayleighArgs RayleighShiftArgs, RayleighReturnArgs;
