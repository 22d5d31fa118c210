// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "collide/sdf.h"

/// What every kernel of a build knows.
typedef struct SdfArgs {
    wfSurfaceView s;
    wfVec3 origin;
    float cell, reach;
    int nx, ny, nz;
    int* leafCount;
    const int *leafStart, *cellOf;
    int *leaves, *brickOf;
    float *bricks, *corners;
    wfFaultSlot* status;
} SdfArgs;

typedef SdfArgs SdfCountArgs;
typedef SdfArgs SdfFillArgs;
typedef SdfArgs SdfDistanceArgs;
typedef SdfArgs SdfSignArgs;
typedef SdfArgs SdfCornersArgs;

typedef struct SdfSampleArgs {
    wfSdfField field;
    const wfVec4* points;
    wfVec4* out;
} SdfSampleArgs;
