// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "math/vec.h"

/// What is summed over a cloth, r from its first vertex, d = x - target: w; w r; w d; w r x d; moments xx, yy, zz, xy, yz, zx; held
/// vertices.
enum { wf_balanceSums = 17 };

/// Up to WF_TILE vertices of one cloth.
typedef struct wfBalanceTile {
    int first, count;
    int cloth;
} wfBalanceTile;

typedef struct wfBalanceCloth {
    int firstVertex;
    int firstTile, tileCount;
    wfVec3 center, linear, angular; // the motion to take away, about the center
} wfBalanceCloth;

typedef struct BalanceSumArgs {
    const wfBalanceTile* tiles;
    const wfBalanceCloth* cloths;
    const wfVec4 *x, *target;
    float* sums;
} BalanceSumArgs;

/// Tiles: cloths.
typedef struct BalanceSolveArgs {
    wfBalanceCloth* cloths;
    const float* sums;
    const wfVec4* x;
} BalanceSolveArgs;

/// Tiles: as BalanceSum.
typedef struct BalanceMoveArgs {
    const wfBalanceTile* tiles;
    const wfBalanceCloth* cloths;
    wfVec4* x;
} BalanceMoveArgs;
