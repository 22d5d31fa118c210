// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The seam of steppers: one file a published algorithm, saying how dynamics and contact take turns.

#include "contact/contact.h"
#include "dynamics/dynamics.h"

typedef struct wfStepParts {
    const wfDynamicsType* dynamics;
    void* dynamicsSelf;
    const wfContactType* contact;
    void* contactSelf;
    wfForces forces;
    /// Folds the scene's soft pins into state->target; NULL where there are none.
    void (*fold)(void* self, const wfStepContext* ctx);
    void* foldSelf;
} wfStepParts;

/// How every step begins: the dynamics predicts, then what the scene adds to its targets.
static inline void wfStepParts_Begin(const wfStepParts* parts, const wfStepContext* ctx, const wfForces* forces) {
    wfDevice_Mark(ctx->device, wf_stageDynamics);
    parts->dynamics->begin(parts->dynamicsSelf, ctx, forces);
    if (parts->fold != NULL) parts->fold(parts->foldSelf, ctx);
}

typedef enum wfStepVerdict {
    wf_stepTaken,
    // Otherwise x and v are as they were.
    wf_stepTooLong, // only where ctx->mayShorten
    wf_stepAgain,   // more of the state is held by now (contact/pinch.h): the same step may go well. Never without end
    wf_stepStuck,   // with an error
} wfStepVerdict;

typedef struct wfStepperType {
    const char* name;
    const char* about;
    /// Whether the two fit together; the message names what is missing.
    bool (*accepts)(const wfDynamicsType* dynamics, const wfContactType* contact, wfError* err);
    /// One step on the device, from state->x, v to state->x, v.
    wfStepVerdict (*step)(const wfStepParts* parts, const wfStepContext* ctx, wfError* err);
} wfStepperType;

extern const wfStepperType wfImpulseStepper;
extern const wfStepperType wfUntangleStepper;
extern const wfStepperType wfSequentialStepper;
extern const wfStepperType wfSplittingStepper;
extern const wfStepperType wfProjectionStepper;
extern const wfStepperType wfInterleavingStepper;
extern const wfStepperType wfPostProcessingStepper;
extern const wfStepperType wfPhantomStepper;
extern const wfStepperType* const wfStepperTypes[]; // ended by NULL
