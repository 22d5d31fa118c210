// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "math/vec.h"

/// The edges of each vertex, and the bounds of their lengths at the end of the step as multiples of their rest length.
typedef struct wfLimitView {
    const int* start;
    const int* other;
    const float* rest;
    const wfVec4* x; // w: mass
    const wfVec4* target;
    float dt, limit;
} wfLimitView;

typedef struct LimitCountArgs {
    wfLimitView edges;
    const wfVec4* v;
    float* faults;
} LimitCountArgs;

typedef struct LimitStrainArgs {
    wfLimitView edges;
    const wfVec4* v;
    const float* faults;
    wfVec4* out;
} LimitStrainArgs;

typedef struct LimitRateArgs {
    const int (*edges)[2]; // of one colour
    const wfVec4* x;
    const wfVec4* target;
    wfVec4* v;
    float dt, limit;
} LimitRateArgs;
