// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The triangles about a vertex as a walk from neighbour to neighbour, so that each neighbour's position is read once.

#include "elastic/membrane.h"
#include "mesh/model.h"

typedef struct wfFanEntry {
    int next;       // neighbour
    int edge;       // the edge to it, or -1 where an earlier entry has it already
    int triangle;   // between the neighbour before and this one; -1 where a fan begins
    float shape[4]; // gradient (u, v) of the neighbour before and of this one in that triangle's flat shape
} wfFanEntry;

/// Entries that a vertex can have at most: what `out` below must hold for any vertex.
int wfMostFanEntries(const wfModel* model);
/// Writes the walk about vertex v and returns its length. Open, closed and several fans (a vertex that is not manifold), triangles of
/// either orientation. Needs model->topology and flat.
int wfWalkFan(const wfModel* model, int v, wfFanEntry* out);
