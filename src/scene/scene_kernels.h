// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "mesh/model.h"

/// A vertex with pins: those from `first` on in the list of links.
typedef struct wfPinnedVertex {
    int vertex, first, count;
    wfVec3 rest; // where it is at the start
} wfPinnedVertex;

/// A pin during a step.
typedef struct wfPinPose {
    wfPose pose;     // at the end of the step, relative to the start
    float stiffness; // [N/m]; 0 holds; negative has let go
} wfPinPose;

typedef struct HoldPinsArgs {
    const wfPinnedVertex* vertices;
    const int* links;
    const wfPinPose* poses;
    wfVec4* target;
} HoldPinsArgs;

typedef struct FoldPinsArgs {
    const wfPinnedVertex* vertices;
    const int* links;
    const wfPinPose* poses;
    wfVec4* target;
} FoldPinsArgs;

#define wf_noFault (~(wfFaultSlot)0)

typedef struct CheckFiniteArgs {
    const wfVec4 *x, *v;
    const wfFaultSlot* seen;
    wfFaultSlot* fault;
} CheckFiniteArgs;

typedef struct StateEnergyArgs {
    const wfVec4 *x, *v;
    wfVec3 gravity;
    float* kinetic;
    float* potential;
} StateEnergyArgs;
