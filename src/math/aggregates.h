// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Coarser spaces for a matrix of springs, by its numbers alone: smoothed aggregation. Based on: Vaněk, Mandel and Brezina 1996, "Algebraic
// multigrid by smoothed aggregation for second and fourth order elliptic problems".
//
// Unknowns that hold each other strongly are put together, and what moves together is made smooth by a step of Jacobi's iteration. It needs
// no flat shape and no triangles, so that it goes over seams as if there were none.

#include "math/sparse.h"

/// Rows are those of `a`, columns aggregates; rows sum to 1, no entry is negative. `a`: off the diagonal minus the stiffness of springs, on
/// it their sums.
bool wfSmoothAggregates(wfSparse* out, wfArena* arena, const wfSparse* a, wfError* err);
