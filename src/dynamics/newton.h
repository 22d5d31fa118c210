// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The judge of dynamics: every step solved by Newton's method on the host, in double precision, with an exact Hessian, a Cholesky factor
// and a line search, until the gradient is 1e-10 of what it was. No device, no contact, no wind. Slow and obvious.
//
// A step minimises  sum m/(2 s²) |x - y|² - m g·x + elastic energy  over the vertices that are not held:
//   implicit Euler   y = x0 + dt v0,                                            s = dt,      v = (x - x0) / dt
//   BDF2             y = (4 x0 - x1)/3 + s (4 v0 - v1)/3,  s = 2 dt / 3,  v = (x - (4 x0 - x1)/3) / s; the first step is Euler's
//   dt = INFINITY    static equilibrium: no inertia, v = 0
// Afterwards v is damped by exp(-damping dt), as the fabric says.

#include "elastic/elastic.h"
#include "math/skyline.h"

typedef struct wfNewtonDef {
    wfElasticDef elastic;
    bool bdf2;
    double dt;        // [s]
    wfVec3D gravity;  // [m/s²]
    double tolerance; // of |gradient|, by the larger of its first value in the step and the weight of all
    int mostIterations;
} wfNewtonDef;

/// Implicit Euler, fabric elements with dihedral bending, dt 1/100, gravity 9.81 along -y, tolerance 1e-10.
wfNewtonDef wfDefaultNewtonDef(void);

enum { wf_newtonHistory = 64 };

typedef struct wfNewton {
    wfArena arena;
    wfNewtonDef def; // dt, gravity and tolerance may change from step to step
    const wfModel* model;
    wfElastic elastic;
    wfSkyline matrix;
    wfVec3D *x, *v;   // per vertex; the caller may set both
    bool* held;       // vertices that stay where `hold` says
    wfVec3D* hold;    // position at the end of the next step
    wfVec3D *x1, *v1; // of the step before
    wfVec3D *y, *gradient, *trial, *direction;
    double* weight; // m/s²
    double* scratch;
    int stepCount;
    // Of the last step:
    int iterations;                     // Newton directions taken
    int clampedIterations;              // … that had to take the clamped Hessian, the exact one not being positive definite
    bool rounded;                       // ended by rounding, above the tolerance
    double residuals[wf_newtonHistory]; // |gradient| by the scale of the tolerance, before the k-th direction; the last is what was reached
} wfNewton;

/// Start from {0}. Keeps `model`, whose topology is needed during this call only. Nothing is held at first; x is the model's start, v zero.
bool wfNewton_Create(wfNewton* newton, const wfModel* model, const wfNewtonDef* def, wfError* err);
void wfNewton_Free(wfNewton* newton);

/// Holds a vertex at a point, from the next step on.
void wfNewton_Hold(wfNewton* newton, int vertex, wfVec3D at);

/// One step. Fails (wf_stepFailed) where the tolerance is not reached; x is then the best point found.
bool wfNewton_Step(wfNewton* newton, wfError* err);

/// What a step and dynamics "newton" share: minimises  sum weight/2 |x - y|² - m g·x + elastic energy  from x on, over the vertices that
/// are not held. Gradients are measured by the first one or `weightOfAll` [N], whichever is larger. Fails as Step does.
bool wfNewton_Minimise(wfNewton* newton, double weightOfAll, wfError* err);
/// Root of the sum of squared weights of the vertices that are not held: what a gradient is to be small against.
double wfNewton_WeightOfAll(const wfNewton* newton, double gravity);

/// Kinetic, gravitational (zero at the origin) and elastic energy of x and v [J].
double wfNewton_Energy(const wfNewton* newton);
