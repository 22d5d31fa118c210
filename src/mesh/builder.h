// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// A mesh that grows while a generator writes it.

#include "mesh/mesh.h"

typedef struct wfMeshBuilder {
    void *positions, *triangles; // wfVec3, wfTriangle
    size_t positionCapacity, triangleCapacity;
    int vertexCount, triangleCount;
} wfMeshBuilder;

/// Vertices in a closed row around something, one behind the other. Vertex i lies at (i + half / 2) / count of a turn. A ring of one
/// vertex is a pole.
typedef struct wfVertexRing {
    int first, count, half;
} wfVertexRing;

/// Parts of about `edge` that a length is divided into: at least one, at most wf_maxMeshElements.
int wfPartsOf(double length, double edge);

/// Fails where a mesh would be too large to be numbered; doubles, so that no product can overflow before.
bool wfCheckMeshSize(double vertexCount, double triangleCount, wfError* err);

/// Room for that many more.
bool wfBuilder_Reserve(wfMeshBuilder* builder, double vertexCount, double triangleCount, wfError* err);
void wfBuilder_Free(wfMeshBuilder* builder);

/// These two need reserved room.
int wfBuilder_AddVertex(wfMeshBuilder* builder, double x, double y, double z);
void wfBuilder_AddTriangle(wfMeshBuilder* builder, int a, int b, int c);

/// Triangles between two rings, whose numbers may differ. The outside is where the rings turn counter-clockwise seen with `upper` on top.
bool wfBuilder_Zip(wfMeshBuilder* builder, wfVertexRing lower, wfVertexRing upper, wfError* err);

/// Makes vertices at exactly the same place one; they are numbered by their first appearance.
bool wfBuilder_Weld(wfMeshBuilder* builder, wfError* err);

/// Copies into a mesh, which must be {0}.
bool wfBuilder_Finish(const wfMeshBuilder* builder, wfMesh* out, bool withFlat, wfError* err);
