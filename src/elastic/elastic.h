// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The elastic energy of a whole model on the host in double precision: the sum of what springs.h, membrane.h, bending.h, meshless.h and
// stitches.h define, term by term. Slow and obvious; it judges what runs on devices.

#include "elastic/bending.h"
#include "elastic/membrane.h"
#include "elastic/meshless.h"

typedef struct wfElasticDef {
    wfMembraneModel membrane;
    wfBendingModel bending;
    bool restAngles; // nothing is bent at model->start; else flat. Not for meshless bending
} wfElasticDef;

typedef struct wfElastic {
    wfArena arena;
    wfElasticDef def;
    const wfModel* model;
    int springCount;
    struct wfSpring* springs;
    wfElementD* elements; // per triangle
    wfPlanarD* laws;      // per cloth
    wfBending bending;
    wfVec3D* restVectors; // per hinge, of the quadratic model: see wfElastic_Hold
    wfMeshless meshless;
    double* open; // per seam: what is left of the length of its threads
} wfElastic;

/// Start from {0}. Keeps `model`; needs its topology during this call.
bool wfElastic_Create(wfElastic* elastic, const wfModel* model, const wfElasticDef* def, wfError* err);
void wfElastic_Free(wfElastic* elastic);

/// Turns the rest vectors of the quadratic model along with x; they stay until the next call. Nothing else depends on it.
void wfElastic_Hold(wfElastic* elastic, const wfVec3D* x);

/// Shortens the threads of the seams to what they have at `time` [s]. Before the first call they have their length at the start.
void wfElastic_SetTime(wfElastic* elastic, double time);

/// [J]
double wfElastic_Energy(const wfElastic* elastic, const wfVec3D* x);
/// Adds to g [N].
void wfElastic_AddGradient(const wfElastic* elastic, const wfVec3D* x, wfVec3D* g);

typedef void (*wfAddBlockFn)(void* to, int i, int j, const wfMat3D* block);
/// Calls `add` for every block of every term, (i, j) and (j, i) both; which blocks there are does not depend on x.
/// Exact, or `clamped` term by term to positive semidefinite; of meshless bending only the clamped one is known.
void wfElastic_AddHessian(const wfElastic* elastic, const wfVec3D* x, bool clamped, wfAddBlockFn add, void* to);
