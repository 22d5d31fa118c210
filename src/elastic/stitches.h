// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Stitches: threads between a vertex and a point of an edge. With d = x0 - (1 - share) x1 - share x2 and the thread's length l,
//   E = k/2 (|d| - l)²  where |d| > l, else 0                                                                                  [J]
// It pulls and never pushes, which makes E convex: a panel that falls toward another one is not held off by its seam, and where the
// thread has shortened to nothing, E = k/2 |d|². Both precisions; names ending in D are double.

#include "math/polar.h"
#include "mesh/model.h"

#define WF_BOTH "elastic/stitches.inl"
#include "math/both_precisions.inl"
