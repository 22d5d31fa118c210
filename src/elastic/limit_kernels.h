// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "math/vec.h"

typedef struct wfLimitEdge {
    int v[2];
    float rest; // [m]
} wfLimitEdge;

/// New impulses of all edges.
typedef struct LimitImpulseArgs {
    const wfLimitEdge* edges;
    const wfVec4 *x, *target, *v; // x.w: mass
    const float* busy;
    float* impulses;
    float* last; // those of the sweep before, which impulses go ahead of
    float dt, limit;
    float ahead; // how far, as a share of the change
    int mark;    // the first time: only marks those at fault, with an impulse too small to matter
} LimitImpulseArgs;

/// What they do to the vertices.
typedef struct LimitGatherArgs {
    const int* start;
    const int* other;
    const int* edgeItems;
    const float* impulses;
    const wfVec4 *x, *target, *given;
    wfVec4* v;
    float* busy;
} LimitGatherArgs;

typedef struct LimitRateArgs {
    const wfLimitEdge* edges; // of one colour
    const wfVec4* x;
    const wfVec4* target;
    wfVec4* v;
    float dt, limit;
} LimitRateArgs;
