// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "step/step.h"

// The plainest turn-taking: dynamics proposes, contact corrects what it proposed, the velocity is what came of it.

static bool Accepts(const wfDynamicsType* dynamics, const wfContactType* contact, wfError* err) {
    (void)dynamics;
    if (contact->correct == NULL && contact != &wfNoContact)
        return wfFail(err, wf_badInput, "stepper \"sequential\" needs a contact that corrects positions; \"%s\" does not", contact->name);
    return true;
}

static wfStepVerdict Step(const wfStepParts* parts, const wfStepContext* ctx, wfError* err) {
    (void)err;
    wfStepParts_Begin(parts, ctx, &parts->forces);
    parts->dynamics->iterate(parts->dynamicsSelf, ctx, 0);
    wfDevice_Mark(ctx->device, wf_stageContact);
    if (parts->contact->correct != NULL) parts->contact->correct(parts->contactSelf, ctx);
    wfDevice_Mark(ctx->device, wf_stageDynamics);
    parts->dynamics->end(parts->dynamicsSelf, ctx);
    wfDevice_Mark(ctx->device, -1);
    return wf_stepTaken;
}

const wfStepperType wfSequentialStepper = {
    .name = "sequential",
    .about = "dynamics, then contact on what it proposed",
    .accepts = Accepts,
    .step = Step,
};

const wfStepperType* const wfStepperTypes[] = {&wfImpulseStepper,   &wfSequentialStepper,   &wfProjectionStepper,
                                               &wfSplittingStepper, &wfInterleavingStepper, &wfPostProcessingStepper,
                                               &wfPhantomStepper,   &wfUntangleStepper,     NULL};
