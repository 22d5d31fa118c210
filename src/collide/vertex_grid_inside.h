// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Cells as large as radius + skin, hashed into buckets, vertices sorted by bucket. Cells that share a bucket are told apart by their
// coordinates, so that no pair comes twice.

#include "collide/vertex_grid.h"

struct wfVertexGrid {
    wfDevice* device;
    int vertexCount, bits, fillCount;
    int most; // neighbours of all vertices together: INT_MAX; tests lower it
    double radius, skin;
    bool filled;
    wfBuffer ringStart, ring;             // int: who is within two edges
    wfBuffer keys, order, placeOf;        // uint32_t, int; the sorted order and its inverse
    wfBuffer entries, places;             // wfGridEntry, wfVec4: in the sorted order
    wfBuffer cachedAt;                    // wfVec4: where each vertex was when the cache was filled
    wfBuffer buckets;                     // wfGridRange
    wfBuffer counts, cacheOffsets, cache; // int; rows of the cache in the sorted order
    wfBuffer offsets, totals;
    wfBuffer scratch;
};
