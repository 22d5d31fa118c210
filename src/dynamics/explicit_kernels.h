// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "dynamics/dynamics.h"
#include "dynamics/pressure.h"

/// What changes from step to step and from substep to substep, on the device, so that one recorded substep serves for all.
typedef struct wfExplicitClock {
    wfForces forces;
    double time; // [s] at the beginning of the step
    int substep; // the one at work, from 1; 0 before the first
    float share; // of the step that is over at its end
} wfExplicitClock;

/// One item.
typedef struct ExplicitTickArgs {
    wfExplicitClock* clock;
    double* seamTime; // [s] of the elastic tables: the end of the substep
    float dt;
    int count; // substeps a step
} ExplicitTickArgs;

typedef struct ExplicitPredictArgs {
    const wfVec4 *xStart, *v;
    wfVec4 *x, *target;
    wfVec3 gravity;
    float dt;
    wfFaultSlot* fault;
} ExplicitPredictArgs;

// Positions and velocities are those at the beginning of the step and what was moved and gained since, which is kept by itself: a substep
// may add less than a position near 1 m or a velocity near 1 m/s can tell.

typedef struct ExplicitStartArgs {
    const wfVec4 *xStart, *target, *vStart;
    wfVec4 *x, *v, *moved, *gained;
    float dt;
} ExplicitStartArgs;

/// Velocities in the middle of a substep.
typedef struct ExplicitKickArgs {
    const wfVec4 *x, *xStart, *vStart, *target, *v, *acceleration;
    wfVec4 *half, *gained;
    const wfExplicitClock* clock;
    float h, dt;
} ExplicitKickArgs;

typedef struct ExplicitDriftArgs {
    const wfVec4 *xStart, *vStart, *target, *half;
    wfVec4 *x, *moved, *gained;
    const wfExplicitClock* clock;
    float h;
} ExplicitDriftArgs;

/// out = where the elastic force is taken: x + rayleigh v.
typedef struct ExplicitAheadArgs {
    const wfVec4 *x, *v;
    const float* ahead; // per cloth [s]
    const int* clothOf;
    wfVec4* out;
} ExplicitAheadArgs;

typedef struct ExplicitAccelerateArgs {
    const wfVec4 *x, *xStart, *target, *gradient;
    wfPressureView pressure;
    const wfExplicitClock* clock;
    wfVec4* acceleration;
    float h, dt;
} ExplicitAccelerateArgs;

/// v = half + h/2 acceleration.
typedef struct ExplicitFinishArgs {
    const wfVec4 *vStart, *target, *acceleration;
    wfVec4 *gained, *v;
    float h;
} ExplicitFinishArgs;

/// One iteration toward it where the acceleration depends on v and was taken at `now`; out holds the iterate before.
typedef struct ExplicitSolveArgs {
    const wfVec4 *half, *acceleration, *now;
    wfVec4* out;
    float h, step, omega;
} ExplicitSolveArgs;

/// What v has gained in the second half of a substep by such iterations is the acceleration that the next one begins with.
typedef struct ExplicitSettleArgs {
    const wfVec4 *half, *v;
    wfVec4* acceleration;
    float h;
} ExplicitSettleArgs;

/// Air, and the damping by mass.
typedef struct ExplicitAirArgs {
    const wfVec4 *x, *target;
    wfVec4 *v, *gained;
    wfFanView fans;
    const float* area; // per vertex
    const float* keep; // per cloth: what damping leaves of a velocity
    const int* clothOf;
    const wfExplicitClock* clock;
    float h;
} ExplicitAirArgs;

typedef struct ExplicitEndArgs {
    const wfVec4 *x, *proposed, *own;
    wfVec4* v;
    float dt;
} ExplicitEndArgs;
