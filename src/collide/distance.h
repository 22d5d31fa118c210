// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Nearest points of a point and a triangle, of two edges, and of two triangles, in both precisions (names ending in D are double), for
// host and kernels. Every input has an answer: parallel edges (one of the nearest pairs), triangles and edges without extent (taken for
// what is left of them).
//
// What is nearest is told by four weights, those of point and triangle and those of two edges alike: offset = sum w_k x_k, so that a
// contact need not know which kind it is. By the envelope theorem the gradient of the squared distance is 2 w_k offset; it is continuous
// for a point and a triangle, and for two edges where they are not parallel (there it is one of the one-sided ones).
//
// The answer is chosen among pairs of points by the distance they have, so it is never below the true distance by more than the rounding of
// a sum of the input, also for slivers and edges that are almost parallel. Lengths from 1e-9 to 1e9 [m] are safe in single precision,
// from 1e-75 to 1e75 in double; nothing becomes NaN there.

#include "math/polar.h"

#define WF_BOTH "collide/distance.inl"
#include "math/both_precisions.inl"
