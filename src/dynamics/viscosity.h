// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Inner friction of a fabric: its velocities diffuse, dv/dt = viscosity lap v [m²/s], with the Laplacian of the flat shape (cotangent
// weights over vertex areas), so that it means the same on every mesh: a wave of length L dies away at the rate viscosity (2 pi / L)².
//
// The motion of a cloth as a whole is left alone. With R v the rigid motion that has the momentum and angular momentum of v, and S the
// diffusion over a step, v becomes v + (1 - R)(S - 1)(1 - R) v: rigid motion stays, so do both momenta of a free cloth, and no kinetic
// energy comes in. Held vertices (target.w < 0) keep their velocity.
//
// S is a row of explicit stages, stable for any viscosity and step: Runge–Kutta–Legendre of first order (Meyer, Balsara, Aslam 2014),
// s stages reach as far as s²/2 plain ones.

#include "mesh/model.h"

/// A cloth that has viscosity.
typedef struct wfViscousCloth {
    int first, count; // vertices
    float mass;       // [kg]
    float stiffest;   // a bound of the Laplacian's eigenvalues times viscosity [1/s]
} wfViscousCloth;

typedef struct wfViscosity {
    wfArena arena;
    wfViscousCloth* cloths; // host
    int clothCount;         // 0: there is nothing to do
    wfBuffer start, other;  // the neighbours of each vertex …
    wfBuffer weight;        // … and how strongly they pull [kg/s]
    wfBuffer now, before;   // wfVec4: velocities without rigid motion, of the last two stages
    wfBuffer parts;         // float: what is summed, one array a quantity
    wfBuffer rigid;         // wfRigid: of the cloth at work
    wfBuffer scratch;
    wfGraph graph; // of a whole call …
    float graphDt; // … for this time step
} wfViscosity;

wfViscosity wfMakeViscosity(void);
/// Needs model->topology.
bool wfViscosity_Create(wfViscosity* viscosity, wfDevice* device, const wfModel* model, wfError* err);
void wfViscosity_Free(wfViscosity* viscosity, wfDevice* device);

/// Changes state->v as dt seconds of viscosity do. Does not wait; may not be recorded into a graph, it has its own.
void wfViscosity_Apply(wfViscosity* viscosity, wfDevice* device, wfState* state, float dt);
