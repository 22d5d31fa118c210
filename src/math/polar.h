// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Small matrices, and the polar and singular value decompositions of a 3x2 matrix, in both precisions (names ending in D are double).
// A 3x2 matrix F is the map of a flat triangle into space; its columns are the images of the warp and weft directions. A surface in space
// has no inside out, so both singular values are >= 0 and the rotation R (orthonormal columns) is as near to F as any.

#include "math/vec_double.h"

#define WF_BOTH "math/polar.inl"
#include "math/both_precisions.inl"
