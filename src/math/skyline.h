// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// A symmetric sparse matrix of 3x3 blocks and its Cholesky factor, stored by envelope: every row from its first entry to the diagonal.
// Plain and exact, for reference solvers and small systems: a sheet of n x m vertices (n <= m) costs about 9 n² m numbers.
//
//   create with the mesh's neighbours (they give the order), touch every pair that will have a block, lay out;
//   then as often as wanted: clear, add blocks, factor, solve.

#include "base/memory.h"
#include "math/polar.h"

typedef struct wfSkyline {
    wfArena arena;
    int blockCount;
    int* place;     // where a block row stands in the reordered matrix
    int* first;     // per block row of the reordered matrix: its first block column
    int64_t* start; // per row of numbers, less its first column: value[start[r] + c] is entry (r, c)
    int64_t size;
    double* value;
} wfSkyline;

/// Start from {0}; blocks are ordered by reverse Cuthill–McKee on the graph in which the neighbours of block i are
/// neighbour[neighbourStart[i]] .. neighbour[neighbourStart[i + 1] - 1]. All parts may be unconnected.
bool wfSkyline_Create(wfSkyline* matrix, int blockCount, const int* neighbourStart, const int* neighbour, wfError* err);
void wfSkyline_Touch(wfSkyline* matrix, int i, int j);
bool wfSkyline_LayOut(wfSkyline* matrix, wfError* err);
void wfSkyline_Free(wfSkyline* matrix);

void wfSkyline_Clear(wfSkyline* matrix);
/// Adds block (i, j); of the two halves of the matrix only one is kept, so both (i, j) and (j, i) are to be given once each.
void wfSkyline_Add(wfSkyline* matrix, int i, int j, const wfMat3D* block);
/// Turns the matrix into its factor, in place; false where it is not positive definite.
bool wfSkyline_Factor(wfSkyline* matrix);
/// x = (matrix)^-1 x, after Factor; scratch holds three numbers a block.
void wfSkyline_Solve(const wfSkyline* matrix, wfVec3D* x, double* scratch);
