// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Sliced rows: 32 vertices, the lanes of a warp, lie side by side, so that a warp reads entry k of all its rows as one line. A slice is as
// long as its longest row.

#include "base/error.h"
#include "compute/kernel.h"

typedef struct wfSlice {
    int start, count; // count: entries a lane
} wfSlice;

static inline int wfSliceCount(int vertexCount) { return (vertexCount + WF_WARP - 1) / WF_WARP; }

/// Slices for rows of the given lengths; returns how many entries they have with padding, or -1.
int64_t wfLaySlices(const int* lengths, int vertexCount, const char* what, wfSlice* slices, wfError* err);

/// Where entry k of vertex v lies.
static inline size_t wfSlice_At(const wfSlice* slices, int v, int k) {
    return (size_t)slices[v / WF_WARP].start + (size_t)k * WF_WARP + (size_t)(v % WF_WARP);
}

/// Fills `out` with each lane's own vertex: what padding points to.
void wfSlices_PointToSelf(const wfSlice* slices, int vertexCount, int* out);
