// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Contact without history (Ye, Nyberg and Xiong, section VI): what crosses at the end of a step is found there and untangled
// (contact/untangle.h), however it came to be so. The pieces; step/untangle.c puts them in order.
//
// Untangling says where cloth has to be, not what forces it. Those come from contacts of what is near (contact/impulse.h, the part of it
// that looks at positions only): at the beginning of a step, and at the untangled end of it, where the sides are known again.

#include "contact/impulse.h"

typedef struct wfResolver wfResolver;

typedef struct wfResolved {
    int64_t found, left; // pairs of triangles that met, and that still do
    float shift;         // [m] how far untangling has moved a vertex
} wfResolved;

/// The contacts of what is near.
wfImpulse* wfResolver_Near(wfResolver* resolver);

/// Before a step: untangles state->x where something meets in it, with the colliders as they are at the beginning; *left: pairs that stay.
bool wfResolver_Begin(wfResolver* resolver, const wfStepContext* ctx, int64_t* left, wfError* err);

/// Untangles state->x with the colliders as they are at the end of the step.
bool wfResolver_Resolve(wfResolver* resolver, const wfStepContext* ctx, wfResolved* out, wfError* err);

/// After that: contacts where it has moved things to, for another turn of the dynamics.
bool wfResolver_FindContacts(wfResolver* resolver, const wfStepContext* ctx, wfError* err);

/// Whether a shift is so small that nobody need know of it; and whether it is so large that cloth is stretched by it.
bool wfResolver_IsLittle(const wfResolver* resolver, float shift);
bool wfResolver_IsMuch(const wfResolver* resolver, float shift);

/// Names a pair that stayed in the last call, and fails.
bool wfResolver_Fail(const wfResolver* resolver, const wfStepContext* ctx, wfError* err);

/// Around the end of the dynamics, whose velocities are to be those of its own motion: state->x as it was before the last Resolve, and as
/// it is after.
void wfResolver_Unresolve(wfResolver* resolver, const wfStepContext* ctx);
void wfResolver_Leave(wfResolver* resolver, const wfStepContext* ctx);
