// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/resolve.h"
#include "step/step.h"

// Ye, Nyberg and Xiong, "Fast discrete intersection detection for cloth penetration resolution", section VI: the dynamics goes where it
// likes, what crosses then is found and untangled, and nothing is asked about the way or the past.
//
// Untangling alone only moves vertices. Taken for a velocity that would throw the cloth about, and left out of it cloth would fall on.
// So the dynamics knows contacts, as far as positions tell them: what is near at the beginning of the step, and what is near where it was
// untangled to, where each is on its own side. With the latter it takes another turn. What untangling still moves then is little, and
// changes no velocity.

enum { Turns = 5 };

static bool Accepts(const wfDynamicsType* dynamics, const wfContactType* contact, wfError* err) {
    if (contact != &wfUntangleContact)
        return wfFail(err, wf_badInput, "stepper \"untangle\" needs the contact \"untangle\", got \"%s\"", contact->name);
    if (dynamics == &wfExplicitDynamics) // it would keep what untangling has moved as vibrations, and more of it every time
        return wfFail(err, wf_badInput, "stepper \"untangle\" needs an implicit dynamics, got \"%s\"", dynamics->name);
    return true;
}

static void Propose(const wfStepParts* parts, const wfStepContext* ctx) {
    const wfDynamicsType* dynamics = parts->dynamics;
    wfImpulse* near = wfResolver_Near(parts->contactSelf);
    bool together = dynamics->takesTerms != NULL && dynamics->takesTerms(parts->dynamicsSelf);
    if (together) wfImpulse_Repel(near, ctx); // or its iterations would begin deep in their springs
    wfDevice_Mark(ctx->device, wf_stageDynamics);
    if (together) {
        wfStepTerms terms = wfImpulse_Terms(near, ctx);
        dynamics->iterateWith(parts->dynamicsSelf, ctx, &terms);
    } else {
        dynamics->iterate(parts->dynamicsSelf, ctx, 0);
    }
    wfDevice_Mark(ctx->device, wf_stageContact);
    wfImpulse_Repel(near, ctx);
    wfImpulse_Leave(near, ctx);
}

static bool Resolve(const wfStepParts* parts, const wfStepContext* ctx, wfStepVerdict* verdict, wfError* err) {
    wfResolver* resolver = parts->contactSelf;
    wfImpulse* near = wfResolver_Near(resolver);
    wfResolved resolved = {0};
    WF_TRY(wfImpulse_Find(near, ctx, err));
    for (int turn = 0; turn < Turns; ++turn) {
        if (turn > 0) WF_TRY(wfResolver_FindContacts(resolver, ctx, err));
        Propose(parts, ctx);
        WF_TRY(wfResolver_Resolve(resolver, ctx, &resolved, err));
        if (resolved.left > 0 || wfResolver_IsLittle(resolver, resolved.shift)) break;
    }
    if (ctx->mayShorten && (resolved.left > 0 || wfResolver_IsMuch(resolver, resolved.shift))) {
        *verdict = wf_stepTooLong;
        return true;
    }
    return resolved.left == 0 || wfResolver_Fail(resolver, ctx, err);
}

static wfStepVerdict Step(const wfStepParts* parts, const wfStepContext* ctx, wfError* err) {
    wfDevice* device = ctx->device;
    wfResolver* resolver = parts->contactSelf;
    wfImpulse* near = wfResolver_Near(resolver);
    int64_t left = 0;
    wfDevice_Mark(device, wf_stageContact);
    if (!wfResolver_Begin(resolver, ctx, &left, err) || (left > 0 && !wfResolver_Fail(resolver, ctx, err)) ||
        !wfImpulse_Begin(near, ctx, err)) {
        wfDevice_Mark(device, -1);
        return wf_stepStuck;
    }
    wfStepParts_Begin(parts, ctx, &parts->forces);

    wfDevice_Mark(device, wf_stageContact);
    wfStepVerdict verdict = wf_stepTaken;
    if (!Resolve(parts, ctx, &verdict, err)) verdict = wf_stepStuck;
    if (verdict != wf_stepTaken) {
        wfImpulse_Undo(near, ctx);
        wfDevice_Mark(device, -1);
        return verdict;
    }
    wfResolver_Unresolve(resolver, ctx);
    wfDevice_Mark(device, wf_stageDynamics);
    parts->dynamics->end(parts->dynamicsSelf, ctx);
    wfResolver_Leave(resolver, ctx);
    wfImpulse_End(near, ctx);
    wfDevice_Mark(device, -1);
    return wf_stepTaken;
}

const wfStepperType wfUntangleStepper = {
    .name = "untangle",
    .about = "dynamics proposes, what crosses then is untangled, without history (Ye et al.)",
    .accepts = Accepts,
    .step = Step,
};
