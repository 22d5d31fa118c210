// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The boundary of a mesh, runs along it, and how two runs are sewn together.

#include "mesh/mesh.h"

/// The loops of a boundary, walked in the direction of their triangles. Start from {0}.
typedef struct wfBoundary {
    wfArena arena;
    int vertexCount;
    int *next, *previous; // per vertex; -1 inside
    double* length;       // per vertex: of the edge to `next` in the reference shape [m]
} wfBoundary;

/// Fails where the triangles are not what wfCheckTriangles asks for, or the boundary branches. `name` opens the message.
bool wfBoundary_Create(wfBoundary* boundary, const wfMeshView* view, const char* name, wfError* err);
void wfBoundary_Free(wfBoundary* boundary);

/// A row of boundary vertices; the last is the first again where it is closed.
typedef struct wfRun {
    int count;
    int* vertices;
    double* share; // how much of the length lies before each: from 0 to 1, increasing
    double length; // [m]
} wfRun;

/// The run through `count` vertices one after the other, each time by the shorter way. Memory from `arena`. Fails, with `name` before it,
/// where there is no way, or two of the same length, or the run would meet itself elsewhere than at its ends.
bool wfBoundary_FindRun(const wfBoundary* boundary, const int* through, int count, wfArena* arena, wfRun* out, const char* name,
                        wfError* err);

/// A vertex of one run and the point of the other that it is tied to: (1 - share) of vertex at[0] and share of at[1].
typedef struct wfTie {
    int side; // whose vertex it is: 0 or 1
    int vertex;
    int at[2]; // the same where share is 0
    float share;
} wfTie;

/// Ties two runs so that equal shares of their lengths meet. Every vertex of the run with more of them is tied, and of the other those that
/// would be left over; tying all of both would force the seam straight. `out` holds as many as both runs have vertices. Returns how many.
int wfSewRuns(const wfRun* a, const wfRun* b, wfTie* out);
