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
// are taken one by one, the hard phase behind each (section 4.3.4). Where bodies or pins take vertices farther than rows are good for,
// blocks are of few rounds.
//
// A step in which rows of near vertices find too little room is taken anew with more: what comes out does not hang on how much there was.
// A step in which a body goes farther into cloth, or through it, than these can answer fails; the scene then takes it in halves, which have
// as many rounds each.

// Rounds of a block, and of a hasty one, of which there are as many places to begin with; pieces of the start; K at most.
enum { Block = wf_repulsionBlock, Hasty = wf_repulsionPick, Pieces = wf_repulsionStart / wf_repulsionDrifts };
enum { MostRounds = (wf_repulsionBlocks - Pieces) * Hasty / Block * Block };
enum { MostMore = 4 }; // blocks that a step takes at its end to part cloth from sharp edges of bodies
enum { Horizon = 30 }; // iterations that acceleration remembers where contact changes the dynamics' own positions

static const float s_usualStep = 0.01f;   // [s] longer ones take more rounds: x goes D in each
static const float s_coupling = 80000.0f; // sigma [1/s²]
static const float s_multiply = 0.1f;     // s of appendix C: more of it oscillates

typedef struct Turn {
    const wfStepParts* parts;
    const wfStepContext* ctx;
    int rounds, fewest; // K, at most and where x has come to y by then
    bool interleaved;
    bool firm;      // since a block was not safe
    bool anew;      // since one was taken back, each starts acceleration anew: where vertices go so far, what it remembers is no longer so
    int hastyUntil; // a round: since a vertex went too far
    bool again;     // rows were too short: the step is to be taken anew
} Turn;

static bool AcceptsFor(const char* stepper, const wfDynamicsType* dynamics, const wfContactType* contact, wfError* err) {
    if (contact != &wfRepulsionContact)
        return wfFail(err, wf_badInput, "stepper \"%s\" needs the contact \"repulsion\", got \"%s\"", stepper, contact->name);
    if (dynamics->round == NULL)
        return wfFail(err, wf_badInput, "stepper \"%s\" needs a dynamics that takes rounds (chebyshev, multilevel, hierarchy), got \"%s\"",
                      stepper, dynamics->name);
    return true;
}

static int RoundsFor(int usual, float dt) {
    int blocks = (int)ceilf((float)usual * dt / (s_usualStep * (float)Block) - 1e-3f), rounds = blocks * Block;
    return rounds < usual ? usual : rounds > MostRounds ? MostRounds : rounds;
}

// ---- rounds -------------------------------------------------------------------------------------------------------------------

/// y[k+1] ← Dynamics_Solver(x[k], y[k]); x_init ← toward y[k+1]; x[k+1] ← Soft_Phase(x_init).
static void TakeRound(const Turn* turn, wfRepulsionRound round, bool firm) {
    wfRepulsion* contact = turn->parts->contactSelf;
    turn->parts->dynamics->iterate(turn->parts->dynamicsSelf, turn->ctx, turn->parts->dynamics->roundIterations);
    wfRepulsion_TakeRound(contact, turn->ctx, round, firm);
}

static wfRepulsionRound RoundAt(const Turn* turn, int k) {
    return (wfRepulsionRound){.left = turn->rounds - k, .arrive = k < turn->fewest ? turn->fewest - k : 1};
}

/// Those of the block that begins with round k.
static int CountRounds(const Turn* turn, int k, bool hasty) {
    int most = hasty ? Hasty : Block;
    return turn->rounds - k < most ? turn->rounds - k : most;
}

/// A piece of x[0] ← Initialization(x, y[0]), or a block of rounds.
static void RecordBlock(void* user, int index, wfRepulsionPace pace) {
    const Turn* turn = user;
    wfRepulsion* contact = turn->parts->contactSelf;
    if (index < Pieces) {
        bool last = index == Pieces - 1;
        if (index == 0) wfRepulsion_Smooth(contact, turn->ctx);
        for (int k = index * wf_repulsionDrifts; k < (index + 1) * wf_repulsionDrifts; ++k)
            wfRepulsion_Drift(contact, turn->ctx, false, wf_repulsionStart - k, k == wf_repulsionStart - 1 ? turn->fewest : 0);
        if (last) wfRepulsion_TestFolds(contact, turn->ctx);
        return;
    }
    int first = (index - Pieces) * Hasty, count = CountRounds(turn, first, pace.hasty);
    const wfDynamicsType* dynamics = turn->parts->dynamics;
    dynamics->round(turn->parts->dynamicsSelf, 0, true); // what a block is does not hang on those before it
    dynamics->round(turn->parts->dynamicsSelf, first, pace.anew);
    int every = pace.firm || pace.hasty ? 1 : wf_repulsionPick;
    for (int k = 0; k < count; ++k) {
        if (k % every == 0) wfRepulsion_Pick(contact, turn->ctx, k > 0);
        wfRepulsionRound round = RoundAt(turn, first + k);
        round.first = first + k == 0 && !pace.anew;
        round.judged = k > 0;
        round.last = k == count - 1;
        round.picks = !round.last && (k + 1) % every == 0;
        TakeRound(turn, round, pace.firm);
        wfRepulsion_TestSamples(contact, turn->ctx);
    }
    wfRepulsion_Test(contact, turn->ctx);
}

/// x[0] ← Initialization(x, y[0]) in safe mode.
static bool StartSafely(const Turn* turn, wfError* err) {
    wfRepulsion* contact = turn->parts->contactSelf;
    wfRepulsion_Smooth(contact, turn->ctx);
    for (int k = 0; k < wf_repulsionStart; ++k) {
        WF_TRY(wfRepulsion_FindAll(contact, turn->ctx, err));
        wfRepulsion_Drift(contact, turn->ctx, true, wf_repulsionStart - k, 0);
        WF_TRY(wfRepulsion_Harden(contact, turn->ctx, true, err));
    }
    return true;
}

/// Rounds in safe mode.
static bool TakeSafely(const Turn* turn, int first, int count, wfError* err) {
    wfRepulsion* contact = turn->parts->contactSelf;
    for (int k = first; k < first + count; ++k) {
        turn->parts->dynamics->round(turn->parts->dynamicsSelf, k, k == first || turn->interleaved);
        WF_TRY(wfRepulsion_FindAll(contact, turn->ctx, err));
        TakeRound(turn, RoundAt(turn, k), true);
        WF_TRY(wfRepulsion_Harden(contact, turn->ctx, false, err));
    }
    return true;
}

static wfRepulsionAnswer Run(Turn* turn, int index, wfRepulsionPace pace, bool anew) {
    wfRepulsion* contact = turn->parts->contactSelf;
    wfRepulsion_Find(contact, turn->ctx, anew);
    wfRepulsion_Run(contact, turn->ctx, index, pace, RecordBlock, turn);
    return wfRepulsion_Ask(contact, turn->ctx);
}

/// There is no way back to the beginning of a block but without the acceleration of the dynamics: it is the step that is taken anew.
static bool TakeAnew(Turn* turn) {
    turn->again = true;
    return false;
}

static bool TakeStart(Turn* turn, wfError* err) {
    wfRepulsion* contact = turn->parts->contactSelf;
    wfRepulsionAnswer answer = wf_repulsionSafe;
    wfRepulsion_Keep(contact, turn->ctx);
    for (int piece = 0; piece < Pieces && answer == wf_repulsionSafe; ++piece) answer = Run(turn, piece, (wfRepulsionPace){0}, piece == 0);
    if (answer == wf_repulsionSafe) {
        wfRepulsion_CountSoft(contact, wf_repulsionStart);
        return wfDevice_Sync(turn->ctx->device, err);
    }
    if (answer == wf_repulsionAgain) return TakeAnew(turn);
    wfRepulsion_GoBack(contact, turn->ctx, true);
    WF_TRY(StartSafely(turn, err));
    wfRepulsion_Ask(contact, turn->ctx); // what the soft phases of safe rounds noted has been answered
    return true;
}

/// The block that begins with round *k, which becomes the one behind it.
static bool TakeBlock(Turn* turn, int* k, wfError* err) {
    wfRepulsion* contact = turn->parts->contactSelf;
    int index = Pieces + *k / Hasty;
    wfRepulsionPace pace = {.firm = turn->firm, .hasty = wfRepulsion_IsHasty(contact) || *k < turn->hastyUntil};
    pace.anew = turn->anew && !pace.hasty;
    wfRepulsion_Keep(contact, turn->ctx);
    wfRepulsionAnswer answer = Run(turn, index, pace, pace.firm || (*k == 0 && !wfRepulsion_HasStart(contact)));
    for (int tries = 0; (answer == wf_repulsionFar && !pace.hasty) || (answer == wf_repulsionUnsafe && !pace.firm); ++tries) {
        if (answer == wf_repulsionFar && tries > 0) turn->hastyUntil = *k + Block; // new rows alone do not help
        if (answer == wf_repulsionUnsafe) turn->firm = true;
        pace = (wfRepulsionPace){.firm = turn->firm, .hasty = pace.hasty || *k < turn->hastyUntil, .anew = turn->anew = true};
        wfRepulsion_GoBack(contact, turn->ctx, false);
        answer = Run(turn, index, pace, true);
    }
    if (answer == wf_repulsionAgain) return TakeAnew(turn);
    if (answer == wf_repulsionDeep) return wfRepulsion_FailDeep(contact, turn->ctx, err);
    int count = CountRounds(turn, *k, pace.hasty);
    if (answer == wf_repulsionSafe) {
        wfRepulsion_CountSoft(contact, count);
        WF_TRY(wfDevice_Sync(turn->ctx->device, err));
    } else {
        wfRepulsion_GoBack(contact, turn->ctx, false);
        WF_TRY(TakeSafely(turn, *k, count, err));
        wfRepulsion_Ask(contact, turn->ctx);
    }
    *k += count;
    return true;
}

// ---- a step -------------------------------------------------------------------------------------------------------------------

static bool Advance(Turn* turn, wfRepulsionMode mode, wfError* err) {
    wfRepulsion* contact = turn->parts->contactSelf;
    WF_TRY(wfRepulsion_Begin(contact, turn->ctx, mode, err));
    if (wfRepulsion_HasStart(contact)) WF_TRY(TakeStart(turn, err));
    int k = 0;
    while (k < turn->fewest || (k < turn->rounds && wfRepulsion_IsBehind(contact))) WF_TRY(TakeBlock(turn, &k, err));
    bool clear = wfRepulsion_IsClear(contact, turn->ctx);
    for (int more = 0; more < MostMore && !clear; ++more) {
        WF_TRY(TakeSafely(turn, turn->rounds - Block, Block, err));
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
    wfRepulsion_KeepState(parts->contactSelf, ctx);
    bool taken = false, again = true;
    while (!taken && again) {
        Turn turn = {.parts = parts, .ctx = ctx, .interleaved = mode.interleaved};
        turn.rounds = RoundsFor(parts->dynamics->rounds, ctx->dt);
        turn.fewest = RoundsFor(parts->dynamics->fewest, ctx->dt);
        wfStepParts_Begin(parts, ctx, &forces);      // y[0] ← y + dt v
        wfDevice_Mark(ctx->device, wf_stageContact); // blocks hold both: their rounds are recorded together
        taken = Advance(&turn, mode, err);
        again = turn.again;
        if (!taken) wfRepulsion_Undo(parts->contactSelf, ctx);
        if (again && !wfDevice_Sync(ctx->device, err)) again = false; // where there is no more room to get
    }
    if (!taken) {
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
