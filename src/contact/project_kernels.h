// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "collide/shape.h"

typedef struct ProjectArgs {
    wfVec4* x;
    const wfVec4 *xStart, *target;
    const wfShape* shapes;
    int shapeCount;
    const float* half;          // [m] per cloth: half its thickness
    const wfFriction* friction; // as wfModel
    int surfaceCount;
    const int* clothOf;
    int* touching; // per vertex: 1 where it was pushed
} ProjectArgs;
