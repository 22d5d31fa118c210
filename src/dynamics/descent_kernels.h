// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "elastic/tables.h"

// Of the bound along the cloth, what a vertex takes for it across: so little that cloth forms folds in few iterations, and as much as that
// these do not overshoot.
#define wf_descentAcross 0.1f
// Times that coarser unknowns count what terms weigh. On every resolution the step answers all of a contact, and these steps add up:
// counted once, cloth that has just met something went up by a third in each iteration (test_ladder has the eigenvalues).
#define wf_descentTermShare 5.0f

typedef enum wfDescentVerdict { wf_descentSave, wf_descentGoOn, wf_descentGoBack } wfDescentVerdict;

/// What steers a descent, on the device, so that a graph of iterations can go back and go on without the host.
typedef struct wfDescentControl {
    float scale;  // of the bound in the preconditioner: the step is its inverse
    float energy; // the lowest of this step: that of the saved positions [J]
    float last;   // of the last judgement
    int since;    // iterations since the last restart
    int verdict;  // of the last judgement: wfDescentVerdict
} wfDescentControl;

typedef struct DescendArgs {
    wfElasticView view;
    wfSewnView sewn; // in place of view.extra
    const wfVec4* x;
    const wfVec4* target;
    const wfVec4* inertia;       // target as it is without terms
    const float *bound, *across; // across: NULL where one number is to be good for all directions
    wfVec4* out;                 // holds the iterate before x
    // NULL, or gets the residual [N] in place of a step, and as w what it weighs for coarser unknowns [N/m]: below 0 where `touched`,
    // -INFINITY where held.
    wfVec4* residual;
    wfVec4* own;        // with it: the step of the vertex alone [m], and the same w
    const int* touched; // or NULL
    const wfDescentControl* control;
    const float* omegas; // by iterations since the restart
    int omegaCount;
    int index; // iterations since control was set; far below 0: plain ones
    int count;
} DescendArgs;

// One kernel a membrane model.
typedef DescendArgs DescendSpringsArgs, DescendStVKArgs, DescendCorotationalArgs, DescendFabricArgs;

typedef struct StepEnergyArgs {
    const wfVec4 *x, *target; // target NULL: elastic energy alone
    const wfVec4* gradient;   // w: elastic energy
    float* out;
    wfFaultSlot* fault; // NULL: energies may be anything
} StepEnergyArgs;

/// Where nothing moves but what is held: another start.
typedef struct StayDescentArgs {
    const wfVec4 *from, *target;
    wfVec4 *x, *kept; // kept: what x was
} StayDescentArgs;

typedef struct JudgeDescentArgs {
    const float* energy;
    wfDescentControl* control;
    float leastScale;
    int first;  // the first of a step: accepts
    int choose; // between the one before and this one: takes the lower
    int anew;   // the first of another energy: accepts, and leaves step length and acceleration as they are
    int final;  // the last of a run: ends at the lowest energy
    int block;  // iterations since the last judgement
} JudgeDescentArgs;

typedef struct SwapVectorsArgs {
    wfVec4 *a, *b;
} SwapVectorsArgs;

typedef struct SettleDescentArgs {
    const wfDescentControl* control;
    wfVec4 *x, *saved;
} SettleDescentArgs;
