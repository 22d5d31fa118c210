// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// A triangle mesh on the host, as files and generators give it: positions, triangles, and the flat reference shape if there is one.

#include "base/memory.h"
#include "math/vec.h"
#include "weft/types.h"

enum { wf_maxMeshElements = 0x7fffffff / 4 }; // vertices or triangles of a mesh: their edges can still be counted in an int

typedef struct wfTriangle {
    int v[3];
} wfTriangle;

/// Three flat corners of a triangle: its reference shape, in metres of cloth; x runs along the warp.
typedef struct wfFlatTriangle {
    wfVec2 corner[3];
} wfFlatTriangle;

/// Owns its arrays (one arena). Start from {0}; free with wfMesh_Free, also after a failure.
typedef struct wfMesh {
    wfArena arena;
    int vertexCount, triangleCount, stitchCount;
    wfVec3* positions;
    wfTriangle* triangles;
    wfFlatTriangle* flat; // per triangle, or NULL
    int (*stitches)[2];   // loose edges (OBJ `l`): pairs of vertices to be sewn together, or NULL
} wfMesh;

/// Allocates zeroed arrays. The mesh must be {0}, and is {0} again after a failure (also of Copy).
bool wfMesh_Create(wfMesh* mesh, int vertexCount, int triangleCount, bool withFlat, wfError* err);
void wfMesh_Free(wfMesh* mesh);
bool wfMesh_Copy(wfMesh* out, const wfMesh* in, wfError* err);
wfMeshView wfMesh_View(const wfMesh* mesh);

/// Appends `add` to `mesh`, with its vertices renumbered behind the others. Flat shapes are kept only if both have one (a mesh without
/// triangles counts as having one). On failure the mesh stays as it was.
bool wfMesh_Append(wfMesh* mesh, const wfMesh* add, wfError* err);

/// Scales about the origin, then rotates, then translates. The flat shape is scaled along, so that scaling strains nothing: a triangle
/// keeps the strain it had. A scale that mirrors turns the triangles (and mirrors the flat shape), so that outside stays outside.
void wfMesh_Transform(wfMesh* mesh, wfVec3 scale, wfQuat rotate, wfVec3 translate);

/// The box about all positions; of none: lo = +infinity, hi = -infinity.
void wfMesh_Bounds(const wfVec3* positions, int count, wfVec3* lo, wfVec3* hi);

float wfTriangleArea(wfVec3 a, wfVec3 b, wfVec3 c);

/// Area-weighted unit vertex normals; a vertex without area gets (0, 1, 0). out holds vertexCount elements.
void wfMesh_VertexNormals(const wfVec3* positions, int vertexCount, const wfTriangle* triangles, int triangleCount, wfVec3* out);

/// Checks what every later step relies on: at least one triangle, indices in range, finite numbers, no triangle that uses a vertex twice.
/// `name` opens the message, which names the triangle or vertex, counted from 0.
bool wfMesh_Check(const wfMeshView* view, const char* name, wfError* err);

/// The part of wfMesh_Check that concerns indices.
bool wfCheckTriangles(const wfTriangle* triangles, int triangleCount, int vertexCount, const char* name, wfError* err);
