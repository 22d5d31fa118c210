// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Chebyshev-accelerated, Jacobi-preconditioned descent on sum w/2 |x - target|² + elastic energy. Based on: Wang and Yang 2016, "Descent
// methods for elastic body simulation on the GPU".
//
// The preconditioner is w + scale bound, with the tables' bound of the second derivative: with scale = 1 no step goes up at small strain,
// with 1/2 none diverges. It starts a little above 1/2. A plain iteration then shrinks every part of the error by at most
// rho = scale bound / (w + scale bound), and Chebyshev needs about 1 / sqrt(2 (1 - rho)) iterations to shrink it by e.
// A ladder (dynamics/ladder.h) is another preconditioner, for which the mesh does not matter.
// With one, judged runs know that cloth is stiff along itself and soft across: where it is flat and not stretched, a vertex goes across it
// as far as bending and a tenth of the bound let it (descend.inl). With one number for all directions folds form more slowly.
// Every wf_descentBlock iterations, fewer with a ladder, the energy is judged. A tenth above the lowest so far, x goes back to that one and
// the acceleration starts anew, as it does after any clear rise; steps are halved where it had only just started. A run ends at the lowest
// energy.

#include "dynamics/dynamics.h"
#include "dynamics/ladder.h"
#include "dynamics/meter.h"
#include "dynamics/pressure.h"

// The first iterations after a start are plain: the acceleration assumes smooth error, which they provide.
enum { wf_descentPlain = 8, wf_descentBlock = 32 };

typedef struct wfDescent {
    wfElasticTables tables;
    wfBuffer other;           // wfVec4: the iterate before
    wfBuffer saved;           // wfVec4: the last one that was judged good
    wfBuffer sum;             // float
    wfBuffer control;         // wfDescentControl: of judged runs; of free ones, which never changes
    wfBuffer omegas;          // float
    wfMeter meter;            // lends its arrays to the sums of energy
    float span;               // what omegas are made for …
    int horizon;              // … and with
    wfPressure* pressure;     // what inflates, or NULL; measured at …
    const wfBuffer* from;     // … these positions
    const wfStepTerms* terms; // further ones of the step, or NULL
    wfLadder* ladder;         // the preconditioner, or NULL: Jacobi's
    const int* touched;       // see wfForces
    bool silent;              // raises no fault: another does, or its vertices are not those of the scene
} wfDescent;

bool wfDescent_Create(wfDescent* descent, wfDevice* device, const wfModel* model, const wfElasticDef* def, wfError* err);
void wfDescent_Free(wfDescent* descent, wfDevice* device);

/// Iterations that a step with weights m / span² needs.
int wfDescent_Plan(const wfDescent* descent, float span);
/// Makes the acceleration for such steps; it shrinks errors by e in at most `horizon` iterations, if that is not 0, and leaves those that
/// would take more. Not within a graph.
void wfDescent_Prepare(wfDescent* descent, wfDevice* device, float span, int horizon);

/// `count` iterations from x; judged, with one judgement more at the end. Start and Continue are its two parts, so that it can be stopped
/// and go on where it was.
void wfDescent_Start(wfDescent* descent, wfDevice* device, wfVec4* x, const wfVec4* target);
void wfDescent_Continue(wfDescent* descent, wfDevice* device, wfVec4* x, const wfVec4* target, int count);
void wfDescent_Run(wfDescent* descent, wfDevice* device, wfVec4* x, const wfVec4* target, int count);
/// Start, from x or from where the step began (descent->from), whichever has the lower energy: then no run ends with more energy than the
/// step began with.
void wfDescent_StartLower(wfDescent* descent, wfDevice* device, wfVec4* x, const wfVec4* target);
/// The energy is another from here on: judgements start anew, the acceleration goes on.
void wfDescent_Restart(wfDescent* descent, wfDevice* device, wfVec4* x, const wfVec4* target);
/// A few plain iterations on another energy, with the step length that judgements have found, judged once.
void wfDescent_Finish(wfDescent* descent, wfDevice* device, wfVec4* x, const wfVec4* target);
/// Iterations without judgements: for steppers that take turns after a few iterations. The acceleration is that of iteration `since`: 0 to
/// start anew, else the number of iterations since, x and `other` being as they were left.
void wfDescent_RunFree(wfDescent* descent, wfDevice* device, wfVec4* x, const wfVec4* target, int count, int since);

/// The targets with all that is folded into them at x, a gas among it; valid until they are asked for at another x.
const wfVec4* wfDescent_Target(wfDescent* descent, wfDevice* device, const wfVec4* x, const wfVec4* target);
/// The step's energy, to *out on the device; elastic alone where target is NULL. Leaves the elastic gradient in meter.gradient. Vertices
/// whose energy is not finite are raised in `fault`, unless that is NULL.
void wfDescent_Energy(wfDescent* descent, wfDevice* device, const wfVec4* x, const wfVec4* target, wfFaultSlot* fault, float* out);

/// wfDynamicsType.measure.
bool wfDescent_Measure(wfDescent* descent, wfDevice* device, const wfVec4* x, wfMeasure* out, wfError* err);
/// Bytes that an iteration must move, everything read or written once.
double wfDescent_Bytes(const wfDescent* descent);
