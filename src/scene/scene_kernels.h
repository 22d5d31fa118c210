// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "mesh/model.h"

/// A vertex with pins: those from `first` on in the list of links.
typedef struct wfPinnedVertex {
    int vertex, first, count;
} wfPinnedVertex;

/// A vertex and one of its pins, in the frame of the pose: where it is at the start, and where it is drawn to.
typedef struct wfPinLink {
    int pose;
    wfVec3 start, goal;
} wfPinLink;

/// A pin, or the surface that one of its vertices is tied to, during a step.
typedef struct wfPinPose {
    wfPose pose;     // at the end of the step
    float stiffness; // [N/m]; 0 holds; negative has let go
    float open;      // how much of the way from start to goal is left: from 1 to 0
} wfPinPose;

typedef struct HoldPinsArgs {
    const wfPinnedVertex* vertices;
    const wfPinLink* links;
    const wfPinPose* poses;
    wfVec4* target;
} HoldPinsArgs;

typedef struct FoldPinsArgs {
    const wfPinnedVertex* vertices;
    const wfPinLink* links;
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
