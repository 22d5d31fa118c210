// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/impulse.h"
#include "step/step.h"

// Bridson, Fedkiw and Anderson 2002, "Robust treatment of collisions, contact and friction for cloth animation", section 5. Any dynamics
// proposes where the cloth goes; the mean velocity of the step is then changed until nothing meets anything on its way.
//
// Beyond the paper: the dynamics knows the contacts. Their repulsion is part of the energy it minimises, or, where it takes no such terms,
// what impulses have moved is handed back to it as forces. Stiff cloth then gives way about a contact within the step, instead of being
// stretched there first and snapping back. Where impulses still move it much, both take another turn. And a contact that was there in the
// last step begins with the force that it had then, so that what lies in heaps or is wrung need not be found anew.

enum {
    Turns = 3,      // that dynamics and impulses take at most
    TurnRounds = 2, // of collisions in a turn …
    LastRounds = 8, // … and at the end, before what still meets moves rigidly
};

static bool Accepts(const wfDynamicsType* dynamics, const wfContactType* contact, wfError* err) {
    (void)dynamics;
    if (contact == &wfImpulseContact) return true;
    return wfFail(err, wf_badInput, "stepper \"impulse\" needs the contact \"impulse\", got \"%s\"", contact->name);
}

// Impulses on what the dynamics proposed; where pairs meet on their way, these too. *hits: how many still do.
static bool Collide(wfImpulse* impulse, const wfStepContext* ctx, int rounds, bool all, int* hits, wfError* err) {
    do { WF_TRY(wfImpulse_Collide(impulse, ctx, all, hits, err)); } while (*hits > 0 && --rounds > 0);
    return true;
}

static bool TakesTerms(const wfStepParts* parts) {
    return parts->dynamics->takesTerms != NULL && parts->dynamics->takesTerms(parts->dynamicsSelf);
}

static void Propose(const wfStepParts* parts, const wfStepContext* ctx) {
    const wfDynamicsType* dynamics = parts->dynamics;
    wfDevice_Mark(ctx->device, wf_stageDynamics);
    if (TakesTerms(parts)) {
        wfStepTerms terms = wfImpulse_Terms(parts->contactSelf, ctx);
        dynamics->iterateWith(parts->dynamicsSelf, ctx, &terms);
    } else {
        wfImpulse_Couple(parts->contactSelf, ctx);
        dynamics->iterate(parts->dynamicsSelf, ctx, 0);
    }
    wfDevice_Mark(ctx->device, wf_stageContact);
}

static bool Resolve(const wfStepParts* parts, const wfStepContext* ctx, wfStepVerdict* verdict, wfError* err) {
    wfImpulse* impulse = parts->contactSelf;
    WF_TRY(wfImpulse_Find(impulse, ctx, err));
    bool together = TakesTerms(parts);
    if (together) wfImpulse_Foresee(impulse, ctx);
    int hits = 0;
    for (int turn = 0; turn < Turns; ++turn) {
        Propose(parts, ctx);
        wfImpulse_Repel(impulse, ctx);
        WF_TRY(Collide(impulse, ctx, TurnRounds, !together, &hits, err));
        if (hits == 0 && wfImpulse_MovesLittle(impulse, ctx)) return true;
        if (hits > 0 && !together && ctx->mayShorten) break; // as the paper does; what knows the contacts may still get along
    }
    if (hits > 0 && (together || !ctx->mayShorten)) {
        wfImpulse_Outward(impulse);
        WF_TRY(Collide(impulse, ctx, LastRounds, true, &hits, err));
    }
    if (ctx->mayShorten && (hits > 0 || (together && wfImpulse_MovesMuch(impulse, ctx)))) {
        *verdict = wf_stepTooLong;
        return true;
    }
    if (hits == 0) return true;
    bool pinched = false;
    WF_TRY(wfImpulse_Freeze(impulse, ctx, &pinched, err));
    if (pinched) *verdict = wf_stepAgain;
    return true;
}

static wfStepVerdict Step(const wfStepParts* parts, const wfStepContext* ctx, wfError* err) {
    wfDevice* device = ctx->device;
    wfDevice_Mark(device, wf_stageContact);
    if (!wfImpulse_Begin(parts->contactSelf, ctx, err)) {
        wfDevice_Mark(device, -1);
        return wf_stepStuck;
    }
    wfStepParts_Begin(parts, ctx, &parts->forces);

    wfDevice_Mark(device, wf_stageContact);
    wfStepVerdict verdict = wf_stepTaken;
    if (!Resolve(parts, ctx, &verdict, err)) verdict = wf_stepStuck;
    if (verdict != wf_stepTaken) {
        wfImpulse_Undo(parts->contactSelf, ctx);
        wfDevice_Mark(device, -1);
        return verdict;
    }
    wfImpulse_Leave(parts->contactSelf, ctx);

    wfDevice_Mark(device, wf_stageDynamics);
    parts->dynamics->end(parts->dynamicsSelf, ctx);
    wfDevice_Mark(device, wf_stageContact);
    if (TakesTerms(parts)) wfImpulse_Carry(parts->contactSelf, ctx);
    wfImpulse_End(parts->contactSelf, ctx);
    wfDevice_Mark(device, -1);
    return wf_stepTaken;
}

const wfStepperType wfImpulseStepper = {
    .name = "impulse",
    .about = "dynamics proposes, impulses and rigid impact zones make its motion free of collisions (Bridson et al. 2002)",
    .accepts = Accepts,
    .step = Step,
};
