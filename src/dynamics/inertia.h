// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// What the implicit dynamics share: how a step begins and ends. A step is a minimum of sum w/2 |x - target|² + elastic energy, with
//   implicit Euler   target = x0 + s v0 + s² g                             s = dt        v = (x - x0) / s
//   BDF2             target = (4 x0 - x1)/3 + s (4 v0 - v1)/3 + s² g       s = 2 dt / 3  v = (x - (4 x0 - x1)/3) / s
// and w = m / s². BDF2 takes an Euler step first, and whenever dt changes. Air and wind enter the velocity of the target.
// Damping by stiffness (Rayleigh) takes the elastic force at z = x + rayleigh v; see RayleighShift.

#include "dynamics/dynamics.h"
#include "dynamics/pressure.h"
#include "dynamics/viscosity.h"

typedef struct wfInertia {
    wfIntegrator integrator;
    bool rayleigh;    // whether any fabric has that damping
    wfBuffer area;    // float
    wfBuffer clothOf; // int
    wfBuffer keep;    // float per cloth: what damping leaves of a velocity …
    wfBuffer ahead;   // … and rayleigh over span
    wfBuffer origin;  // wfVec4, BDF2: what v is measured from
    wfBuffer shifted; // wfVec4, Rayleigh: targets in z
    float dt, span;   // what keep and ahead are made for; span is the s above
    wfVec3 down;      // unit, along gravity
    wfFans fans;
    wfPressure pressure; // a gas is left to what iterates: see wfPressure_Fold
    wfViscosity viscosity;
} wfInertia;

bool wfInertia_Create(wfInertia* inertia, wfDevice* device, const wfModel* model, wfIntegrator integrator, wfError* err);
void wfInertia_Free(wfInertia* inertia, wfDevice* device);

/// wfDynamicsType.begin and end.
void wfInertia_Begin(wfInertia* inertia, const wfStepContext* ctx, const wfForces* forces);
void wfInertia_End(wfInertia* inertia, const wfStepContext* ctx);

/// The span of a step whose weights m / span² have a coupling added.
static inline float wfCoupledSpan(float span, float coupling) { return span / sqrtf(1.0f + coupling * span * span); }

/// Before iterations: takes state->x to z and returns the targets there. Where no fabric asks for it, x is z.
const wfBuffer* wfInertia_Enter(wfInertia* inertia, const wfStepContext* ctx);
/// After them: takes it back.
void wfInertia_Leave(wfInertia* inertia, const wfStepContext* ctx);
