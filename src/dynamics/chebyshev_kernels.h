// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "dynamics/dynamics.h"
#include "elastic/springs.h"

typedef struct ChebyshevPredictArgs {
    wfVec4 *x, *xStart, *target;
    const wfVec4* v;
    const float* area;
    const int* fanStart; // triangles about a vertex, as pairs of its other two corners
    const int* fan;
    wfForces forces;
    float dt, time;
    wfFaultSlot* fault;
} ChebyshevPredictArgs;

typedef struct ChebyshevIterateArgs {
    wfSpringView springs;
    const wfVec4* x;
    const wfVec4* target;
    wfVec4* out; // holds the iterate before x
    float omega;
    int count;
} ChebyshevIterateArgs;

typedef struct ChebyshevEndArgs {
    const wfVec4 *x, *xStart;
    wfVec4* v;
    const float* keep; // per cloth: what damping leaves of a velocity
    const int* clothOf;
    wfVec3 down; // unit, along gravity
    float dt;
} ChebyshevEndArgs;

typedef struct SpringMeasureArgs {
    wfSpringView springs;
    const wfVec4* x;
    float *energy, *stretch; // per vertex
    int count;
} SpringMeasureArgs;
