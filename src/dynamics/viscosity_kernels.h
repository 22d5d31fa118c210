// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "math/vec.h"

enum { wf_centerParts = 3, wf_rigidParts = 12 };

/// The rigid motion of some vectors: linear + angular x (x - center).
typedef struct wfRigid {
    float offset[wf_centerParts]; // sum of m (x - origin)
    float sums[wf_rigidParts];    // about the center: inertia xx, yy, zz, xy, yz, zx; sum of m u; sum of m r x u
    wfVec3 center, linear, angular;
} wfRigid;

/// First vertex and number of vertices are those of the cloth at work; `origin` is its first vertex.
typedef struct RigidCenterArgs {
    const wfVec4* x;
    int first;
    int stride; // between the arrays of parts
    float* parts;
} RigidCenterArgs;

typedef struct RigidMomentsArgs {
    const wfVec4 *x, *u;
    int first, stride;
    float mass; // of the cloth
    const wfRigid* rigid;
    float* parts;
} RigidMomentsArgs;

/// One item.
typedef struct RigidSolveArgs {
    const wfVec4* x;
    int first;
    float mass;
    wfRigid* rigid;
} RigidSolveArgs;

/// out = before = v without its rigid motion.
typedef struct ViscosityStartArgs {
    const wfVec4 *x, *v;
    const wfRigid* rigid;
    int first;
    wfVec4 *out, *before;
} ViscosityStartArgs;

/// out = mu now + nu out + tilde L now, L the diffusion per second.
typedef struct ViscosityStageArgs {
    const int* start;
    const int* other;
    const float* weight;
    const wfVec4 *x, *target, *now;
    int first;
    float mu, nu, tilde;
    wfVec4* out;
} ViscosityStageArgs;

/// now becomes how much it differs from v without its rigid motion.
typedef struct ViscosityChangeArgs {
    const wfVec4 *x, *v;
    const wfRigid* rigid;
    int first;
    wfVec4* now;
} ViscosityChangeArgs;

typedef struct ViscosityEndArgs {
    const wfVec4 *x, *target, *change;
    const wfRigid* rigid; // of the change
    int first;
    wfVec4* v;
} ViscosityEndArgs;
