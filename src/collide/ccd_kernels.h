// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "collide/ccd.h"
#include "compute/device.h"

/// One item a pair: times[i] is its first time rounded down to a float, or infinity.
typedef struct CcdFirstTimesArgs {
    const wfVec4 *start, *end; // positions at t = 0 and t = 1
    const wfCcdPair* pairs;
    float* times;
    float separation;
    bool byInclusion; // the judge instead of the fast way
} CcdFirstTimesArgs;
