// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The flat pattern of a mesh as triangles of its own: a vertex of the mesh that lies on a seam is a different one in each piece.

#include "mesh/mesh.h"

/// Side 3 t + k runs from corner k of triangle t to corner k + 1, as in the mesh.
typedef struct wfPattern {
    wfArena arena;
    int vertexCount, triangleCount, pieceCount;
    wfVec2* positions;               // [m] per vertex; mirrored pieces are turned over, so that all triangles are counter-clockwise
    int* meshVertex;                 // per vertex
    wfTriangle* triangles;           // in vertices of the pattern
    int* piece;                      // per triangle, numbered by first triangle
    int *pieceStart, *pieceTriangle; // the triangles of piece i are pieceTriangle[pieceStart[i]] … pieceTriangle[pieceStart[i + 1] - 1]
    bool* mirrored;                  // per piece: u was negated
    int* boundarySide;               // per vertex: the boundary side that starts there, -1 inside
} wfPattern;

/// Fails (wf_badInput), with `name` before it, where a piece has no flat shape or folds over in it. Start from {0}.
bool wfPattern_Create(wfPattern* pattern, const wfMesh* mesh, const char* name, wfError* err);
void wfPattern_Free(wfPattern* pattern);

/// Finds where a point of the pattern lies in the mesh.
typedef struct wfLocator wfLocator;
wfLocator* wfLocator_Create(const wfPattern* pattern, int piece, wfArena* arena, wfError* err);
/// The nearest triangle of the piece to p, and the weights of its corners there.
int wfLocator_Find(const wfLocator* locator, wfVec2 p, double weights[3]);
