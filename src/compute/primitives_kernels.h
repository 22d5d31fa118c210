// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "compute/device.h"

/// Items that one tile of a reduction takes: each lane adds WF_REDUCE_RUN of them, WF_TILE apart.
enum { wf_reduceRun = 8, wf_reduceTile = 128 * wf_reduceRun };

typedef struct TileSumArgs {
    const float *in, *times; // sums in, or in times `times` where that is not NULL
    float* out;              // one a tile
    int count;
} TileSumArgs;

typedef struct TileMaxIndexArgs {
    const float* in;
    const int* inIndex; // NULL in the first pass: the position itself
    float* out;
    int* outIndex;
    int count;
} TileMaxIndexArgs;

typedef struct SegmentedSumArgs {
    const float* in;
    const int* start;
    float* out;
} SegmentedSumArgs;

/// How many of a tile's wf_reduceTile flags are set; a lane looks at wf_reduceRun of them in a row.
typedef struct CountFlagsArgs {
    const int* flags;
    int* counts; // one a tile
    int count;
} CountFlagsArgs;

typedef struct ListFlagsArgs {
    const int *flags, *offsets; // offsets: one a tile, and how many there are
    int *out, *outCount;        // outCount may be NULL
    int count, tileCount;
} ListFlagsArgs;
