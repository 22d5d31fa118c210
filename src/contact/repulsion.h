// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Safe repulsion: the pieces. Based on: Wu, Wu, Yang and Wang 2020, "A safe and fast repulsion method for GPU-based cloth self
// collisions", sections 4, 5.2 and 7. step/splitting.c puts them in the order of its algorithm 1. x is the state of this method, y that of
// the dynamics (state->x during the step).
//
// A step is a row of blocks of rounds. Within a block nothing waits: rounds only launch, are recorded once as a graph, and note what they
// could not keep. wfRepulsion_IsSafe asks for that at the end of the block; where it says no, the block is taken back and its rounds are
// taken again one by one, each with wfRepulsion_Harden behind it.
//
// How the rows stay complete: the grid lists everybody within `reach` of each vertex, between blocks. Of these, pairs, edges and
// neighbours' neighbours that matter are picked every few rounds. Each pick is good as long as vertices have gone no farther than half of
// what it looked beyond the constraints; a vertex that has is noted like a violated constraint.

#include "contact/contact.h"
#include "contact/repulsion_rules.h"

typedef struct wfRepulsion wfRepulsion;

/// How x follows y.
typedef struct wfRepulsionMode {
    float coupling;   // sigma [1/s²]; 0: the dynamics knows nothing of contact
    float multiply;   // phantom mesh: what of the difference of x and y its multipliers take over, a step
    bool projected;   // what contact does to x it does to y, too
    bool interleaved; // x takes the whole way to y in every round, and y becomes x
} wfRepulsionMode;

enum {
    wf_repulsionBlock = 9,    // R: rounds between two looks at what was noted
    wf_repulsionPick = 3,     // rounds between two picks of active pairs; between two looks where vertices are in haste
    wf_repulsionSoft = 6,     // I_soft
    wf_repulsionFirm = 16,    // the same where that was not enough
    wf_repulsionStart = 6,    // I_init
    wf_repulsionDrifts = 2,   // rounds of the start between two lists of who is near whom
    wf_repulsionBlocks = 120, // places where one can begin in a step
};

/// How a block is taken.
typedef struct wfRepulsionPace {
    bool firm;  // with a firmer soft phase
    bool hasty; // of few rounds, each of which picks anew: vertices are led or pushed farther in a block than rows are good for
    bool anew;  // acceleration starts again: a block before was taken back
} wfRepulsionPace;
enum { wf_repulsionPaces = 16 }; // each with samples and without

/// Before dynamics->begin, which writes over the state: keeps that, for a step that is not taken.
void wfRepulsion_KeepState(wfRepulsion* r, const wfStepContext* ctx);
void wfRepulsion_Undo(wfRepulsion* r, const wfStepContext* ctx);

/// After dynamics->begin and the scene's own targets: x is where the step begins; bodies are where they are in this step.
bool wfRepulsion_Begin(wfRepulsion* r, const wfStepContext* ctx, wfRepulsionMode mode, wfError* err);

/// The displacement to y, smoothed over the scene, and with it what bodies push by their own way.
void wfRepulsion_Smooth(wfRepulsion* r, const wfStepContext* ctx);
/// Lists who is near whom: in any case (a step begins so, to be the same after a checkpoint), or where a vertex has gone so far since that
/// the next rounds could take it too far.
void wfRepulsion_Find(wfRepulsion* r, const wfStepContext* ctx, bool anew);
/// The same and Pick, again and again until rows have room for all. Waits.
bool wfRepulsion_FindAll(wfRepulsion* r, const wfStepContext* ctx, wfError* err);
/// A round of the start, of which there are `left` from this one on: a part of the smooth motion, then the soft phase. `rounds` of the step
/// follow on the last one, else 0.
void wfRepulsion_Drift(wfRepulsion* r, const wfStepContext* ctx, bool safe, int left, int rounds);
/// Whether vertices are in haste, and whether x is behind y, as the last block has noted.
bool wfRepulsion_IsHasty(const wfRepulsion* r);
bool wfRepulsion_IsBehind(const wfRepulsion* r);
/// Picks the active ones at x. `ready`: the round before has said that it would.
void wfRepulsion_Pick(wfRepulsion* r, const wfStepContext* ctx, bool ready);
/// A round of a step.
typedef struct wfRepulsionRound {
    int left;    // rounds of the step from this one on
    int arrive;  // those in which held vertices get where they are told
    bool first;  // of the step: notes where bodies are too deep in the cloth
    bool judged; // judges x, where the block has begun before
    bool last;   // of the block: notes haste, and whether x is behind y
    bool picks;  // active ones are picked behind it, which it makes ready
} wfRepulsionRound;
/// x_init: toward y by at most D, out of bodies, with friction; then the soft phase, `firm` or not; then x pulls at y, which gets no
/// farther ahead of it than x can follow in the rounds that are left.
void wfRepulsion_TakeRound(wfRepulsion* r, const wfStepContext* ctx, wfRepulsionRound round, bool firm);
/// Behind a round: judges its way where samples are on.
void wfRepulsion_TestSamples(wfRepulsion* r, const wfStepContext* ctx);
/// Judges x: its constraints, and whether triangles within two edges of each other meet.
void wfRepulsion_Test(wfRepulsion* r, const wfStepContext* ctx);

/// The latter alone.
void wfRepulsion_TestFolds(wfRepulsion* r, const wfStepContext* ctx);

/// Whether triangles are clear of bodies, too, whose sharp edges could lie between their corners. Where they are not, these are kept
/// farther away in the rounds that follow. Also looks for vertices that bodies went through: then the step cannot be left. Waits.
bool wfRepulsion_IsClear(wfRepulsion* r, const wfStepContext* ctx);
/// Where IsClear has said no: whether what it found meets a body or lies in it, exactly. Fails with its name.
bool wfRepulsion_RequireClear(wfRepulsion* r, const wfStepContext* ctx, wfError* err);
/// Where an answer was wf_repulsionDeep: says so.
bool wfRepulsion_FailDeep(const wfRepulsion* r, const wfStepContext* ctx, wfError* err);

/// Keeps x and y, to come back to.
void wfRepulsion_Keep(wfRepulsion* r, const wfStepContext* ctx);
/// `start`: the start of a step, in which y is as it was predicted. It stays so, torn or not: all momentum is in it.
void wfRepulsion_GoBack(wfRepulsion* r, const wfStepContext* ctx, bool start);

typedef enum wfRepulsionAnswer {
    wf_repulsionSafe,
    wf_repulsionUnsafe,
    wf_repulsionFar,   // vertices went so far that it is not known
    wf_repulsionAgain, // rows were too short: they get more when the step is taken again
    wf_repulsionDeep,
} wfRepulsionAnswer;
/// Of all rounds since it was asked last. Waits.
wfRepulsionAnswer wfRepulsion_Ask(wfRepulsion* r, const wfStepContext* ctx);
/// After one round in safe mode, of the start or not: judges its way by the closed form; where it fails the hard phase takes over. Waits.
bool wfRepulsion_Harden(wfRepulsion* r, const wfStepContext* ctx, bool start, wfError* err);

/// A block as a graph, recorded when it is run for the first time, and again when rows have grown, the time step or the mode changed.
typedef void (*wfRepulsionRecordFn)(void* user, int block, wfRepulsionPace pace);
void wfRepulsion_Run(wfRepulsion* r, const wfStepContext* ctx, int block, wfRepulsionPace pace, wfRepulsionRecordFn record, void* user);

/// Leaves x in state->x. A held vertex that contact keeps from where it is told stays where it got to, and goes on from there in the steps
/// that follow; the step fails where it lags behind by more than 0.1 m.
bool wfRepulsion_Leave(wfRepulsion* r, const wfStepContext* ctx, wfError* err);

/// What has happened since the scene was made.
typedef struct wfRepulsionCounts {
    int64_t rounds, softRounds; // all; those whose soft phase was enough
    int64_t rollbacks, hardRounds, hardSteps;
} wfRepulsionCounts;
/// Counts rounds that were safe without a look at each.
void wfRepulsion_CountSoft(wfRepulsion* r, int rounds);
wfRepulsionCounts wfRepulsion_GetCounts(const wfRepulsion* r);
const wfRepulsionRules* wfRepulsion_GetRules(const wfRepulsion* r);
/// For tests and comparisons: the soft phase without pushes fails wherever there is contact.
void wfRepulsion_SetPush(wfRepulsion* r, float push);
/// For comparisons: without adaptive samples (section 6.2) no edge gets longer than L.
void wfRepulsion_SetSamples(wfRepulsion* r, bool adaptive);
/// For comparisons: without the smooth start (section 5.2).
void wfRepulsion_SetStart(wfRepulsion* r, bool smooth);
bool wfRepulsion_HasStart(const wfRepulsion* r);
/// On the device, of each vertex: whether a body touched it in the last round, or pairs or edges pushed it by more than little; at the
/// start of a step, whether a body is as near.
const int* wfRepulsion_Touched(const wfRepulsion* r);
