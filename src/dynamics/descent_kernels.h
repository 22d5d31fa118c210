// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "elastic/tables.h"

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
    const float* bound;
    wfVec4* out; // holds the iterate before x
    // NULL, or gets the residual [N] in place of a step, and as w the weight of the target with what the bound has grown by [N/m]: below 0
    // where `touched`, -INFINITY where held.
    wfVec4* residual;
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
