// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The boundary of a pattern divided anew, seams alike on all their sides.

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
} wfDivision;

/// Start from {0}. Fails (wf_badInput) where sides of a seam do not fit together.
bool wfDivision_Create(wfDivision* division, const wfMesh* mesh, const wfPattern* pattern, double edge, const char* name, wfError* err);
void wfDivision_Free(wfDivision* division);
