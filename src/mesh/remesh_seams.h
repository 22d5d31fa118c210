// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The boundary of a pattern divided anew, seams alike on all their sides.

#include "mesh/fill.h"
#include "mesh/remesh_pattern.h"

/// What all pieces together begin with. The vertices are those of the new mesh that lie on boundaries or are kept inside.
typedef struct wfDivision {
    wfArena arena;
    int vertexCount;
    wfVec3* positions;
    int seamCount;
    int (*stitches)[2]; // in vertices
    int stitchCount;

    // Per piece: its points are pointStart[i] … pointStart[i + 1] - 1, its edges likewise.
    int *pointStart, *edgeStart;
    wfVec2* points;  // in the pattern
    int* vertex;     // of each point
    int (*edges)[2]; // in points, counted from the first of the piece

    // Where the points between the corners lie on their curves; a knot is a vertex of a seam, on all of its sides.
    wfRider* riders;
    int** riderPath; // per rider: the vertices of the old mesh along its rail
    int riderCount;
    double* shares; // per knot
    int knotCount;
} wfDivision;

/// Start from {0}. Fails (wf_badInput) where sides of a seam do not fit together.
bool wfDivision_Create(wfDivision* division, const wfMesh* mesh, const wfPattern* pattern, double edge, const char* name, wfError* err);
/// Puts the vertices of all knots on the old boundary, where `shares` says.
void wfDivision_Place(wfDivision* division, const wfMesh* mesh);
void wfDivision_Free(wfDivision* division);
