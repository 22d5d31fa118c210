// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "collide/vertex_grid.h"
#include "math/vec.h"

/// A vertex and its cell.
typedef struct wfGridEntry {
    WF_ALIGN(16) int cell[3];
    int vertex;
} wfGridEntry;

typedef struct wfGridRange {
    int first, last; // of the sorted entries; last is one behind
    int mixed;       // whether they are of several cells
} wfGridRange;

typedef struct wfGridTotals {
    int pairs;
    wfFaultSlot moved;   // the lowest vertex that has left its skin
    wfFaultSlot tooMany; // the lowest vertex with more neighbours than can be counted
} wfGridTotals;

typedef struct GridKeysArgs {
    const wfVec4* x;
    uint32_t* keys;
    int* order;
    wfFaultSlot* fault;
    double inverseCell;
    int bits;
} GridKeysArgs;

typedef struct GridEntriesArgs {
    const wfVec4* x;
    const uint32_t* keys; // sorted
    const int* order;
    wfGridEntry* entries;
    wfVec4 *places, *cachedAt; // positions in the sorted order, and by vertex
    int* placeOf;              // where each vertex is in the sorted order
    wfGridRange* buckets;
    double inverseCell;
    int count;
} GridEntriesArgs;

typedef struct GridCacheArgs {
    const wfGridEntry* entries;
    const wfVec4* places;
    const wfGridRange* buckets;
    const int *ringStart, *ring; // within two edges, increasing
    const int* offsets;          // NULL: count only
    int *counts, *cache;
    wfGridTotals* totals;
    double reachSq;
    int bits, most; // most: neighbours that one may have
} GridCacheArgs;

typedef struct GridPairsArgs {
    const wfVec4 *x, *cachedAt;
    const wfGridEntry* entries;
    const int *cacheOffsets, *cache;
    const int* offsets; // NULL: count only
    int* counts;
    wfPair* out;
    wfGridTotals* totals;
    wfFaultSlot* fault;
    double radiusSq, slackSq;
    int count, capacity;
} GridPairsArgs;

/// All others within reach of each vertex, but for those within two edges, in rows as long as each needs.
typedef struct GridRowsArgs {
    const wfGridEntry* entries;
    const wfVec4* places;
    const wfGridRange* buckets;
    const int *ringStart, *ring;
    const int *order, *placeOf;
    wfGridRows rows;
    double reachSq;
    int bits, count;
} GridRowsArgs;

enum { wf_gridRowsOfTile = 32 }; // vertices of a tile
