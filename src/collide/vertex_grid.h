// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// All pairs of vertices within a radius, but for those within two edges of each other (Wu et al. 2020, section 4.3.1): a uniform grid, and
// a cache of the neighbours of each vertex. The cache holds what is within radius + skin, found in 14 of the 27 cells about a vertex, and
// serves as long as no vertex has moved by more than half the skin since; a step in between only looks through it.

#include "collide/broad.h"

typedef struct wfVertexGrid wfVertexGrid;

/// radius > 0, skin >= 0 [m]. Reads the topology and keeps nothing of it.
wfVertexGrid* wfCreateVertexGrid(wfDevice* device, const wfTopology* topology, float radius, float skin, wfError* err);
void wfDestroyVertexGrid(wfVertexGrid* grid);

/// Pairs a < b at most the radius apart, each once, in an order that depends on nothing but where vertices were when the cache was filled
/// last. x: wfVec4, as many as the mesh has vertices. Fills the cache anew where it has to. Waits once, more often where it did.
/// Raises wf_faultNotFinite at a vertex that is not finite; such a vertex has no pairs.
bool wfVertexGrid_Find(wfVertexGrid* grid, const wfBuffer* x, wfPairList* out, wfError* err);

/// Takes other rows of vertices that are no pairs (increasing, symmetric) in place of those within two edges: of a mesh that is sewn.
bool wfVertexGrid_Exclude(wfVertexGrid* grid, const wfRows* rows, wfError* err);

/// Those rows, on the device: the items of vertex i are items[start[i]] to items[start[i + 1] - 1], increasing.
typedef struct wfGridExcluded {
    const int *start, *items;
} wfGridExcluded;
wfGridExcluded wfVertexGrid_GetExcluded(const wfVertexGrid* grid);

/// Rows on the device: the others of vertex i are items[start[i]] to items[start[i] + counts[i] - 1]. Where rows lie among the items
/// depends on the order of threads, what is in them does not.
typedef struct wfGridRows {
    int *start, *counts, *items;
    long long* used; // places that rows take; where that is above the room, some rows are left empty
    int room;        // places that there are
} wfGridRows;

/// Of each vertex all others within radius + skin at x, without any cache. Only launches. The first call makes room: it is not to be
/// recorded.
void wfVertexGrid_ListRows(wfVertexGrid* grid, const wfBuffer* x, wfGridRows rows);

/// How often the cache was filled.
int wfVertexGrid_GetFillCount(const wfVertexGrid* grid);
