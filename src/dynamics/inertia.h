// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// What implicit dynamics share at both ends of a step: the prediction from velocity, gravity and air, and the velocity that came of it.

#include "dynamics/dynamics.h"

typedef struct wfInertia {
    wfBuffer area;          // float
    wfBuffer clothOf;       // int
    wfBuffer keep;          // float per cloth: what damping leaves of a velocity in a step …
    float keepDt;           // … of this length
    wfBuffer fanStart, fan; // triangles about a vertex, as pairs of its other two corners: what the normal needs
    wfVec3 down;            // unit, along gravity
} wfInertia;

wfInertia wfMakeInertia(void);
/// Needs model->topology.
bool wfInertia_Create(wfInertia* inertia, wfDevice* device, const wfModel* model, wfError* err);
void wfInertia_Free(wfInertia* inertia, wfDevice* device);

/// As wfDynamicsType.begin and end.
void wfInertia_Begin(wfInertia* inertia, const wfStepContext* ctx, const wfForces* forces);
void wfInertia_End(const wfInertia* inertia, const wfStepContext* ctx);
