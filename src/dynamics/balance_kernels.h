// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "mesh/model.h"

/// What is summed over a cloth, with r from its first vertex, g = w (x - target) - force of terms, and A = w, or with how that force falls.
/// With B = (1, o -> o x r), of three by six: Bt A B row by row; Bt g; held vertices; those that terms hold.
enum { wf_balanceHeld = 42, wf_balanceTouched, wf_balanceSums };

/// Up to WF_TILE vertices of one cloth.
typedef struct wfBalanceTile {
    int first, count;
    int cloth;
} wfBalanceTile;

typedef struct wfBalanceCloth {
    int firstVertex, vertexCount;
    int firstTile, tileCount;
    int sewn;                       // whether it has a stitch
    wfVec3 origin, linear, angular; // the motion to take away, about the origin
} wfBalanceCloth;

typedef struct BalanceSumArgs {
    const wfBalanceTile* tiles;
    const wfBalanceCloth* cloths;
    const wfVec4 *x, *target;
    const wfTermForce* forces; // a vertex; NULL: none
    int stiff;                 // whether A is more than w
    const int* groups;         // a cloth: the first of those that move as one, -1: none; NULL: each for itself
    float* sums;
} BalanceSumArgs;

/// Tiles: cloths.
typedef struct BalanceSolveArgs {
    wfBalanceCloth* cloths;
    const float *sums, *stiffSums; // with A = w; with all of A, or NULL
    const wfVec4* x;
    float part; // [m] how far the first may move a cloth that is held here and there; beyond it, or where it is held all over, the second
    const int* groups; // as above
    int clothCount;
} BalanceSolveArgs;

/// Tiles: as BalanceSum.
typedef struct BalanceMoveArgs {
    const wfBalanceTile* tiles;
    const wfBalanceCloth* cloths;
    const int* groups;
    wfVec4* x;
} BalanceMoveArgs;
