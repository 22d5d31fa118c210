// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Momentum of what flies freely. Elastic forces within a cloth have neither sum nor moment, so at the minimum of a step's energy
// sum w (x - target) = 0 and sum w r x (x - target) = 0. Descent comes slowly to the motion of a cloth as a whole; here that part is
// solved: the rigid motion (six numbers a cloth) that makes both sums zero, which no elastic force resists. A cloth with a held vertex or a
// stitch is left as it is: what holds it answers for its momentum.
// Forces of further terms of the step count as given. Stiff ones that are a little off would throw the whole cloth: where the motion would
// be more than what is little to the terms, the one is taken to which their forces, as they change with it, lead.

#include "mesh/model.h"

typedef struct wfBalance {
    int clothCount, tileCount; // of the cloths without stitches
    wfBuffer tiles;            // wfBalanceTile
    wfBuffer cloths;           // wfBalanceCloth
    wfBuffer sums;             // wf_balanceSums floats a tile
} wfBalance;

bool wfBalance_Create(wfBalance* balance, wfDevice* device, const wfModel* model, wfError* err);
void wfBalance_Free(wfBalance* balance, wfDevice* device);

/// Finds the motion that makes momentum that of the targets and of `terms`, or NULL, whose forces are as at x; and takes it. Both may be
/// recorded into a graph.
void wfBalance_Find(const wfBalance* balance, wfDevice* device, const wfVec4* x, const wfVec4* target, const wfStepTerms* terms);
void wfBalance_Move(const wfBalance* balance, wfDevice* device, wfVec4* x);
