// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "collide/sdf.h"

enum { wf_sdfFound = 32 };

/// What every kernel of a build knows.
typedef struct SdfArgs {
    wfSurfaceView s;
    wfVec3 origin;
    float cell, reach;
    int lx, ly, lz, nx, ny, nz; // of the field
    int near;                   // whether it is asked near points alone
    int askedCount, brickCount;
    int* leafCount;
    int* found;        // per cell that is asked, room for leaves that are kept as they are counted
    int room;          // wf_sdfFound, three times what most cells have; of a field that lasts 0
    const int* places; // of cells among those that are asked
    const int *leafStart, *askedOf;
    int *leaves, *brickOf, *asked, *cellOf;
    float *bricks, *corners;
    wfFaultSlot* status;
} SdfArgs;

typedef SdfArgs SdfListArgs;
typedef SdfArgs SdfCountArgs;
typedef SdfArgs SdfFillArgs;
typedef SdfArgs SdfDistanceArgs;
typedef SdfArgs SdfSignArgs;
typedef SdfArgs SdfCornersArgs;
typedef SdfArgs SdfDepthsArgs;

enum { wf_sdfSpan = 6 };

/// Of the cells of the whole lattice that are asked, for x, y and z: how many there are from the first on; where they end. Item: a point.
typedef struct SdfSpanArgs {
    wfSdfWhere where;
    wfSdfField field;
    unsigned* span; // wf_sdfSpan, in order (wfFromOrder)
} SdfSpanArgs;

/// Marks cells that are asked, 1. Item: a point, or a cell of the lattice.
typedef struct SdfAskArgs {
    wfSdfWhere where;
    int everywhere;
    wfSdfField field;
    int* asked;
} SdfAskArgs;

/// Marks `missing` where something that is asked is not known.
typedef struct SdfCoverArgs {
    wfSdfWhere where;
    wfSdfField field;
    int* missing;
} SdfCoverArgs;

typedef struct SdfSampleArgs {
    wfSdfField field;
    const wfVec4* points;
    wfVec4* out;
} SdfSampleArgs;
