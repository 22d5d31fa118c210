// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Who is next to whom: edges with their triangles, adjacency in compressed rows, boundary, rings; and what is wrong with a mesh.

#include "mesh/mesh.h"

typedef struct wfEdge {
    int v[2];        // v[0] < v[1]
    int triangle[2]; // triangle[1] is -1 on the boundary
    int opposite[2]; // the third vertex of each triangle, -1 where there is none
} wfEdge;

/// Compressed rows: the items of row i are item[start[i]] .. item[start[i + 1] - 1].
typedef struct wfRows {
    int rowCount;
    int* start; // rowCount + 1
    int* item;
} wfRows;

typedef struct wfTopology {
    wfArena arena;
    int vertexCount, triangleCount, edgeCount;
    const wfTriangle* triangles; // the caller's
    wfEdge* edges;               // sorted by v[0], then v[1]
    int (*triangleEdges)[3];     // edge k of a triangle runs from corner k to corner k + 1
    wfRows vertexTriangles;      // increasing
    wfRows vertexEdges;          // increasing
    wfRows ring1;                // neighbouring vertices, increasing; the k-th is across the k-th of vertexEdges (same starts)
    bool* boundaryVertex;
    int boundaryEdgeCount;
    int componentCount;
    int* component; // per vertex, numbered by first vertex; a vertex without triangle is its own
} wfTopology;

/// Builds it for any triangles, also non-manifold ones: an edge with more than two triangles keeps the first two.
/// Fails (wf_badInput) where wfCheckTriangles does; the topology is {0} then. `triangles` must stay valid as long as the topology.
bool wfTopology_Create(wfTopology* topology, const wfTriangle* triangles, int triangleCount, int vertexCount, wfError* err);
void wfTopology_Free(wfTopology* topology);

/// Vertices within two edges, without the vertex itself, increasing. Memory from `arena`.
bool wfTopology_Ring2(const wfTopology* topology, wfArena* arena, wfRows* out, wfError* err);

typedef enum wfDefectKind {
    wf_defectEdge,        // an edge with more than two triangles
    wf_defectOrientation, // two triangles run along an edge in the same direction
    wf_defectVertex,      // the triangles of a vertex fall into more than one fan
    wf_defectDuplicate,   // two triangles have the same three vertices
} wfDefectKind;

typedef struct wfDefect {
    wfDefectKind kind;
    int vertices[2];  // the edge, or the vertex and -1; of a duplicate, the first two of its vertices
    int triangles[2]; // the first two of the offending triangles; of a vertex, the first ones of two fans
} wfDefect;

/// Every defect that makes the mesh non-manifold or inconsistently oriented, by kind, then by edge, vertex or triangle. Memory from
/// `arena`; *count may be 0.
bool wfTopology_FindDefects(const wfTopology* topology, wfArena* arena, wfDefect** out, int* count, wfError* err);

/// Writes one line for a defect: "edge 4-17 has more than two triangles (faces 3, 9)". Indices as in files, from 1, when oneBased.
void wfDefect_Describe(const wfDefect* defect, bool oneBased, char* text, size_t size);

/// Fails with the first defect (indices from 0) and how many there are.
bool wfTopology_RequireManifold(const wfTopology* topology, const char* name, wfError* err);

/// The flat shape of each triangle: the mesh's own, or each triangle of the rest positions laid flat, counter-clockwise, with its first
/// corner at the origin and its first edge along x. A mesh's own flat shape may be mirrored (clockwise): its area is |area|.
/// out holds triangleCount elements. Fails, naming the triangle, where one has no area that single precision can tell from none.
bool wfReferenceShape(const wfMeshView* view, const char* name, wfFlatTriangle* out, wfError* err);
