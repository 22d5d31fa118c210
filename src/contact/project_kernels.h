// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "collide/shape.h"

/// What contact reads of a cloth.
typedef struct wfClothSurface {
    float half; // [m] half its thickness
    float friction;
} wfClothSurface;

typedef struct ProjectArgs {
    wfVec4* x;
    const wfVec4 *xStart, *target;
    const wfShape* shapes;
    int shapeCount;
    const wfClothSurface* surfaces;
    const int* clothOf;
    int* touching; // per vertex: 1 where it was pushed
} ProjectArgs;
