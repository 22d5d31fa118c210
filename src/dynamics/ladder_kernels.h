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

enum { wf_ladderLanes = 8 }; // that share the children of an unknown

/// Residuals and weights, shared out over the next rung. What is not to be moved adds the bound of the cloth about it, with which it would
/// answer if it were.
typedef struct LadderDownArgs {
    wfShares children;
    const wfVec4* fine;
    const float* fineBound; // [N/m] of the mesh itself; not looked at on rungs, all of whose unknowns move
    wfVec4* out;
    int count;
} LadderDownArgs;

/// The same for unknowns with many children, of which ways are all that is asked. A tile: an unknown.
typedef struct LadderFarArgs {
    wfShares children;
    const wfVec4* fine;
    const float* bound; // [N/m]
    const wfDescentControl* control;
    wfVec4* way;
} LadderFarArgs;

/// Ways: a rung's own, and those of the coarser ones.
typedef struct LadderUpArgs {
    wfShares parents;
    const wfVec4* residual;
    const float* bound; // [N/m]
    const wfDescentControl* control;
    const wfVec4* coarse;
    wfVec4* out;
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
