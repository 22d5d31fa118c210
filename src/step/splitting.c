// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/repulsion.h"
#include "step/step.h"

// Wu, Wu, Yang and Wang 2020, "A safe and fast repulsion method for GPU-based cloth self collisions", algorithm 1, and what it is compared
// with there. The dynamics has its own positions y (state->x), contact has x. In each round the dynamics improves y, which is pulled toward
// x, and x goes toward y as far as is safe. In the end y becomes x.
//
// Rounds are taken in blocks that only launch (wfRepulsion_Run). Where a block notes that it was not safe, everything goes back to its
// beginning. It is taken once more, and all that follow in the step, with a firmer soft phase; where that is not safe either, its rounds
// are taken one by one, the hard phase behind each (section 4.3.4).
//
// A step in which a body goes farther into cloth, or through it, than these can answer fails; the scene then takes it in halves, which have
// as many rounds each.

enum { Rounds = 72, Start = -1 }; // K, of 1/100 s; the block in which x starts
enum { Pieces = wf_repulsionStart / wf_repulsionDrifts, MostBlocks = wf_repulsionBlocks - Pieces }; // of the start; of rounds
enum { MostMore = 4 };                                  // blocks that a step takes at its end to part cloth from sharp edges of bodies
static const float s_roundsPerSecond = 100.0f * Rounds; // longer steps take more of them: x goes D in a round
enum { Horizon = 30 }; // iterations that acceleration remembers where contact changes the dynamics' own positions

static const float s_coupling = 80000.0f; // sigma [1/s²]
static const float s_multiply = 0.1f;     // s of appendix C: more of it oscillates

typedef struct Turn {
    const wfStepParts* parts;
    const wfStepContext* ctx;
    int blocks; // of rounds in the step
    bool interleaved;
    bool firm; // since a block was not safe
} Turn;

static bool AcceptsFor(const char* stepper, const wfDynamicsType* dynamics, const wfContactType* contact, wfError* err) {
    if (contact != &wfRepulsionContact)
        return wfFail(err, wf_badInput, "stepper \"%s\" needs the contact \"repulsion\", got \"%s\"", stepper, contact->name);
    if (dynamics->round == NULL)
        return wfFail(err, wf_badInput, "stepper \"%s\" needs a dynamics that takes rounds (chebyshev, multilevel, hierarchy), got \"%s\"",
                      stepper, dynamics->name);
    return true;
}

static int BlocksFor(float dt) {
    int blocks = (int)ceilf(s_roundsPerSecond * dt / (float)wf_repulsionBlock - 1e-3f), fewest = Rounds / wf_repulsionBlock;
    return blocks < fewest ? fewest : blocks > MostBlocks ? MostBlocks : blocks;
}

// ---- rounds -------------------------------------------------------------------------------------------------------------------

/// y[k+1] ← Dynamics_Solver(x[k], y[k]); x_init ← toward y[k+1]; x[k+1] ← Soft_Phase(x_init).
static void TakeRound(const Turn* turn, int k, bool judge, bool firm) {
    wfRepulsion* contact = turn->parts->contactSelf;
    int left = turn->blocks * wf_repulsionBlock - k;
    turn->parts->dynamics->iterate(turn->parts->dynamicsSelf, turn->ctx, turn->parts->dynamics->roundIterations);
    wfRepulsion_Aim(contact, turn->ctx, left, k == 0 && !firm, judge);
    wfRepulsion_Soften(contact, turn->ctx, left, firm);
}

/// A piece of x[0] ← Initialization(x, y[0]), or a block of rounds. A firm one has been begun before, and acceleration can only start anew.
static void RecordBlock(void* user, int index, bool firm) {
    const Turn* turn = user;
    wfRepulsion* contact = turn->parts->contactSelf;
    int block = index - Pieces;
    if (block < 0) {
        bool last = index == Pieces - 1;
        if (index == 0) wfRepulsion_Smooth(contact, turn->ctx);
        for (int k = 0; k < wf_repulsionDrifts; ++k) wfRepulsion_Drift(contact, turn->ctx, false, last && k == wf_repulsionDrifts - 1);
        if (last) wfRepulsion_TestFolds(contact, turn->ctx);
        return;
    }
    turn->parts->dynamics->round(turn->parts->dynamicsSelf, block * wf_repulsionBlock, firm);
    for (int k = 0; k < wf_repulsionBlock; ++k) {
        if (firm || k % wf_repulsionPick == 0) wfRepulsion_Pick(contact, turn->ctx);
        TakeRound(turn, block * wf_repulsionBlock + k, k > 0, firm);
    }
    wfRepulsion_Test(contact, turn->ctx);
}

/// The same in safe mode.
static bool TakeSafely(const Turn* turn, int block, wfError* err) {
    wfRepulsion* contact = turn->parts->contactSelf;
    if (block == Start) {
        wfRepulsion_Smooth(contact, turn->ctx);
        for (int k = 0; k < wf_repulsionStart; ++k) {
            WF_TRY(wfRepulsion_FindAll(contact, turn->ctx, err));
            wfRepulsion_Drift(contact, turn->ctx, true, false);
            WF_TRY(wfRepulsion_Harden(contact, turn->ctx, true, err));
        }
        return true;
    }
    for (int k = 0; k < wf_repulsionBlock; ++k) {
        turn->parts->dynamics->round(turn->parts->dynamicsSelf, block * wf_repulsionBlock + k, k == 0 || turn->interleaved);
        WF_TRY(wfRepulsion_FindAll(contact, turn->ctx, err));
        TakeRound(turn, block * wf_repulsionBlock + k, false, true);
        WF_TRY(wfRepulsion_Harden(contact, turn->ctx, false, err));
    }
    return true;
}

static wfRepulsionAnswer RunBlock(Turn* turn, int block, bool firm) {
    wfRepulsion* contact = turn->parts->contactSelf;
    int first = block == Start ? 0 : Pieces + block, last = block == Start ? Pieces - 1 : first;
    wfRepulsionAnswer answer = wf_repulsionSafe;
    for (int index = first; index <= last && answer == wf_repulsionSafe; ++index) {
        bool anew = index == 0 || firm || (index == Pieces && !wfRepulsion_HasStart(contact));
        wfRepulsion_Find(contact, turn->ctx, anew);
        wfRepulsion_Run(contact, turn->ctx, index, firm, RecordBlock, turn);
        answer = wfRepulsion_Ask(contact, turn->ctx);
    }
    return answer;
}

static bool TakeBlock(Turn* turn, int block, wfError* err) {
    wfRepulsion* contact = turn->parts->contactSelf;
    wfRepulsion_Keep(contact, turn->ctx);
    wfRepulsionAnswer answer = RunBlock(turn, block, turn->firm);
    if (answer == wf_repulsionUnsafe && block != Start && !turn->firm) {
        turn->firm = true;
        wfRepulsion_GoBack(contact, turn->ctx, false);
        answer = RunBlock(turn, block, true);
    }
    if (answer == wf_repulsionSafe) {
        wfRepulsion_CountSoft(contact, block == Start ? wf_repulsionStart : wf_repulsionBlock);
        return wfDevice_Sync(turn->ctx->device, err);
    }
    if (answer == wf_repulsionDeep) return wfRepulsion_FailDeep(contact, turn->ctx, err);
    wfRepulsion_GoBack(contact, turn->ctx, block == Start);
    WF_TRY(TakeSafely(turn, block, err)); // also where rows were too short: the acceleration of the dynamics can only start anew
    wfRepulsion_Ask(contact, turn->ctx);  // what the soft phases of safe rounds noted has been answered
    return true;
}

// ---- a step -------------------------------------------------------------------------------------------------------------------

static bool Advance(Turn* turn, wfRepulsionMode mode, wfError* err) {
    wfRepulsion* contact = turn->parts->contactSelf;
    WF_TRY(wfRepulsion_Begin(contact, turn->ctx, mode, err));
    for (int block = wfRepulsion_HasStart(contact) ? Start : 0; block < turn->blocks; ++block) WF_TRY(TakeBlock(turn, block, err));
    bool clear = wfRepulsion_IsClear(contact, turn->ctx);
    for (int k = 0; k < MostMore && !clear; ++k) {
        WF_TRY(TakeSafely(turn, turn->blocks - 1, err));
        wfRepulsion_Ask(contact, turn->ctx);
        clear = wfRepulsion_IsClear(contact, turn->ctx);
    }
    if (!clear) WF_TRY(wfRepulsion_RequireClear(contact, turn->ctx, err));
    return wfRepulsion_Leave(contact, turn->ctx, err);
}

static wfStepVerdict StepIn(const wfStepParts* parts, const wfStepContext* ctx, wfRepulsionMode mode, wfError* err) {
    wfForces forces = parts->forces;
    forces.coupling = mode.coupling;
    forces.touched = mode.projected ? wfRepulsion_Touched(parts->contactSelf) : NULL;
    forces.horizon = mode.projected || mode.interleaved ? Horizon : 0;
    wfStepParts_Begin(parts, ctx, &forces);      // y[0] ← y + dt v
    wfDevice_Mark(ctx->device, wf_stageContact); // blocks hold both: their rounds are recorded together
    Turn turn = {.parts = parts, .ctx = ctx, .blocks = BlocksFor(ctx->dt), .interleaved = mode.interleaved};
    if (!Advance(&turn, mode, err)) {
        wfCopy(ctx->device, &ctx->state->x, &ctx->state->xStart, (size_t)ctx->state->vertexCount);
        wfDevice_Mark(ctx->device, -1);
        return wf_stepStuck;
    }
    wfDevice_Mark(ctx->device, wf_stageDynamics);
    parts->dynamics->end(parts->dynamicsSelf, ctx);
    wfDevice_Mark(ctx->device, -1);
    return wf_stepTaken;
}

// ---- its four kinds -----------------------------------------------------------------------------------------------------------

static bool AcceptsSplitting(const wfDynamicsType* dynamics, const wfContactType* contact, wfError* err) {
    return AcceptsFor("splitting", dynamics, contact, err);
}
static wfStepVerdict StepSplitting(const wfStepParts* parts, const wfStepContext* ctx, wfError* err) {
    return StepIn(parts, ctx, (wfRepulsionMode){.coupling = s_coupling}, err);
}

static bool AcceptsProjection(const wfDynamicsType* dynamics, const wfContactType* contact, wfError* err) {
    return AcceptsFor("projection", dynamics, contact, err);
}
static wfStepVerdict StepProjection(const wfStepParts* parts, const wfStepContext* ctx, wfError* err) {
    return StepIn(parts, ctx, (wfRepulsionMode){.projected = true}, err);
}

static bool AcceptsInterleaving(const wfDynamicsType* dynamics, const wfContactType* contact, wfError* err) {
    return AcceptsFor("interleaving", dynamics, contact, err);
}
static wfStepVerdict StepInterleaving(const wfStepParts* parts, const wfStepContext* ctx, wfError* err) {
    return StepIn(parts, ctx, (wfRepulsionMode){.interleaved = true}, err);
}

static bool AcceptsPost(const wfDynamicsType* dynamics, const wfContactType* contact, wfError* err) {
    return AcceptsFor("post-processing", dynamics, contact, err);
}
static wfStepVerdict StepPost(const wfStepParts* parts, const wfStepContext* ctx, wfError* err) {
    return StepIn(parts, ctx, (wfRepulsionMode){0}, err);
}

static bool AcceptsPhantom(const wfDynamicsType* dynamics, const wfContactType* contact, wfError* err) {
    return AcceptsFor("phantom", dynamics, contact, err);
}
static wfStepVerdict StepPhantom(const wfStepParts* parts, const wfStepContext* ctx, wfError* err) {
    return StepIn(parts, ctx, (wfRepulsionMode){.coupling = s_coupling, .multiply = s_multiply}, err);
}

const wfStepperType wfSplittingStepper = {
    .name = "splitting",
    .about = "dynamics and safe repulsion each have their own positions and pull at each other (Wu et al. 2020)",
    .accepts = AcceptsSplitting,
    .step = StepSplitting,
};

const wfStepperType wfProjectionStepper = {
    .name = "projection",
    .about = "splitting in which the dynamics gets every push and the friction of safe repulsion itself, in place of a pull",
    .accepts = AcceptsProjection,
    .step = StepProjection,
};

const wfStepperType wfInterleavingStepper = {
    .name = "interleaving",
    .about = "one set of positions: a round of dynamics, then safe repulsion on what it proposed; to compare with splitting",
    .accepts = AcceptsInterleaving,
    .step = StepInterleaving,
};

const wfStepperType wfPostProcessingStepper = {
    .name = "post-processing",
    .about = "splitting without the pull toward what is safe: the dynamics knows nothing of contact; to compare with splitting",
    .accepts = AcceptsPost,
    .step = StepPost,
};

const wfStepperType wfPhantomStepper = {
    .name = "phantom",
    .about = "splitting with multipliers that change once a step (phantom mesh, Harmon et al. 2011); to compare with splitting",
    .accepts = AcceptsPhantom,
    .step = StepPhantom,
};
