// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Momentum of what flies freely. Elastic forces within a cloth have neither sum nor moment, so at the minimum of a step's energy
// sum w (x - target) = 0 and sum w r x (x - target) = 0. Descent comes slowly to the motion of a cloth as a whole; here that part is
// solved: the rigid motion (six numbers a cloth) that makes both sums zero, which no elastic force resists. A cloth with a held vertex or a
// stitch is left as it is: what holds it answers for its momentum.
// Forces of further terms of the step count as given. Where they are stiff and a little off, that would throw the whole cloth, or, where
// they hold a part of it, stretch it. A cloth that they hold all over, or that they would move by more than what is little to them, is
// taken to where these forces, as they change with the motion, lead; each cloth for itself. Of cloths that hang together by such forces,
// and by nothing outside, it is then their common motion that has to be right, which changes none of these forces.

#include "mesh/model.h"

typedef struct wfBalance {
    int clothCount, tileCount;
    wfBuffer tiles;  // wfBalanceTile
    wfBuffer cloths; // wfBalanceCloth
    wfBuffer sums;   // wf_balanceSums floats a tile, twice: with forces as they are, then with how they fall
} wfBalance;

bool wfBalance_Create(wfBalance* balance, wfDevice* device, const wfModel* model, wfError* err);
void wfBalance_Free(wfBalance* balance, wfDevice* device);

/// Takes x there. May be recorded into a graph, as the next.
void wfBalance_Apply(const wfBalance* balance, wfDevice* device, wfVec4* x, const wfVec4* target);
/// The same with further terms, whose forces at x become part of the targets: see wfStepTerms.settle.
void wfBalance_Settle(const wfBalance* balance, wfDevice* device, wfVec4* x, wfVec4* target, float span, const wfStepTerms* terms);
