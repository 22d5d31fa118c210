// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "dynamics/descent_kernels.h"

/// Rows of shares: of each unknown on one rung, unknowns of another.
typedef struct wfShares {
    const int* start;
    const int* item;
    const float* share;
} wfShares;

/// The same for lanes, of the vertices of the mesh: warp w has the rows from start[w] to start[w + 1], each of one share a lane, as many as
/// the vertex with the most of them has; the others have shares of 0.
typedef struct wfPackedShares {
    const int* start;
    const int* item;
    const float* share;
} wfPackedShares;

// A residual [N] goes with what its unknown weighs in the step, as w [N/m]; of the mesh itself see DescendArgs.

enum { wf_ladderLanes = 8 }; // that share what belongs to an unknown, unless there is so much of it that a whole tile does

/// Residuals and weights, shared out over coarser unknowns, and how far each of these goes by itself. What is not to be moved adds the
/// bound of the cloth about it, with which it would answer if it were. Of narrow + wide unknowns the wide ones, with hundreds of children,
/// have a tile each; these are the first tiles, so that none of them is left to the end.
typedef struct LadderDownArgs {
    wfShares children;
    const wfVec4* fine;
    const float* fineBound; // [N/m] of the mesh itself; NULL on rungs, all of whose unknowns move
    const float* bound;     // [N/m]
    const wfDescentControl* control;
    wfVec4* way;
    wfVec4* wideResidual; // of wide unknowns alone; NULL where nobody asks
    int narrow, wide;
} LadderDownArgs;

/// To a rung's own ways, those of the coarser ones.
typedef struct LadderUpArgs {
    wfShares parents;
    const wfVec4* coarse;
    wfVec4* way;
    int count;
} LadderUpArgs;

/// The step of the mesh itself with the ways of all rungs, then the Chebyshev combination with the iterate before.
typedef struct LadderStepArgs {
    wfPackedShares parents;
    const wfVec4 *coarse, *own, *x;
    wfVec4* out; // holds the iterate before x
    const wfDescentControl* control;
    const float* omegas;
    int omegaCount, index;
    int count;
} LadderStepArgs;
