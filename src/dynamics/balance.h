// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Momentum of what flies freely. Elastic forces within a cloth have neither sum nor moment, so at the minimum of a step's energy
// sum w (x - target) = 0 and sum w r x (x - target) = 0. Descent comes slowly to the motion of a cloth as a whole; here that part is
// solved: the rigid motion (six numbers a cloth) that makes both sums zero, which no elastic force resists. A cloth with a held vertex or a
// stitch is left as it is: what holds it answers for its momentum.

#include "mesh/model.h"

typedef struct wfBalance {
    int clothCount, tileCount; // of the cloths without stitches
    wfBuffer tiles;            // wfBalanceTile
    wfBuffer cloths;           // wfBalanceCloth
    wfBuffer sums;             // wf_balanceSums floats a tile
} wfBalance;

bool wfBalance_Create(wfBalance* balance, wfDevice* device, const wfModel* model, wfError* err);
void wfBalance_Free(wfBalance* balance, wfDevice* device);

/// Moves x so that momentum is that of the targets. May be recorded into a graph.
void wfBalance_Apply(const wfBalance* balance, wfDevice* device, wfVec4* x, const wfVec4* target);
