// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The mesh that wfCoarsen takes apart: sides with their twins, flat shapes in double precision, and the vertices that are gone, each with
// its place in the triangle that covers it (as in Lee et al. 1998, "MAPS"). A change lays a few neighbouring triangles out in the plane,
// cuts the same area into other triangles, and finds the places of what lies in them anew.

#include "mesh/model.h"

enum { wf_mostFan = 60 }; // triangles about a vertex that can be taken out

typedef struct wfPoint2 {
    double x, y;
} wfPoint2;

typedef struct wfCoarsener {
    wfArena arena;
    int vertexCount, triangleCount; // of the fine mesh
    // Side 3 t + k of triangle t runs from its corner k to corner k + 1.
    int* corner;  // vertex where a side begins; -1 where the triangle is gone
    int* twin;    // the same side of the neighbour, -1 on the boundary
    bool* seam;   // the edge stays an edge; set on both sides
    wfPoint2* at; // flat place of each corner, counter-clockwise; x along the warp
    bool* turned; // per triangle: its flat shape is given mirrored, y having changed sign here
    // Per vertex:
    int* sideOf;         // a side that begins there, of the vertices that are in the mesh; -1 of the others
    int* home;           // the triangle that covers a vertex that is gone …
    double (*weight)[3]; // … and its weights there
    int* nextPoint;      // the next vertex that is gone in the same triangle
    int* firstPoint;     // per triangle, -1 where there is none
} wfCoarsener;

/// Start from {0}. Fails on a mesh that is not manifold. Seams are edges between two flat patterns, that is between triangles whose flat
/// places agree with those of other neighbours, but not with each other's.
bool wfCoarsener_Create(wfCoarsener* mesh, const wfModel* model, wfError* err);
void wfCoarsener_Free(wfCoarsener* mesh);

/// Takes a vertex out and triangulates the hole, or both halves of it where the vertex is on a seam. False, with nothing changed, where
/// no triangulation keeps the mesh manifold and its triangles unfolded. `ring` gets the neighbours it had, at most wf_mostFan + 1.
bool wfCoarsener_Remove(wfCoarsener* mesh, int vertex, int* ring, int* ringCount);

/// Flips edges until the angles across each sum to at most pi, in a bounded number of passes. Boundary and seams stay.
void wfCoarsener_Flip(wfCoarsener* mesh);

static inline int wfNextSide(int side) { return side % 3 == 2 ? side - 2 : side + 1; }
static inline int wfPreviousSide(int side) { return side % 3 == 0 ? side + 2 : side - 1; }
