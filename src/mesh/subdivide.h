// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Subdivision of triangle meshes: each triangle becomes four, and every vertex has two places: where it lies in the old surface (split) and
// where Loop's rules with bounded curvature put it (smooth). Both places are convex combinations of the old vertices.
//
//   inside            Loop's masks; about a vertex whose valence is not six those of the modified scheme (see subdivide.c)
//   sharp edges       boundaries, and creases where the caller wants them: cubic B-splines of the sharp edges alone
//   corners           stay: where three or more sharp edges meet, and where the caller says so

#include "mesh/topology.h"

/// What stays sharp, per edge and per vertex of a mesh. Edges of the boundary are sharp in any case.
typedef struct wfSharp {
    bool *edge, *corner;
} wfSharp;

typedef struct wfSharpDef {
    double cornerAngle; // [deg] boundary vertices where the boundary turns by more than this are corners; 180 or more: none
    double creaseAngle; // [deg] edges whose triangles are tilted by more than this against each other are creases; 180 or more: none
} wfSharpDef;

wfSharpDef wfDefaultSharpDef(void); // corners from 45 degrees on, no creases

/// How far a boundary turns is told by the angles of the triangles within the surface, so that it does not depend on how the cloth lies;
/// in the flat shape where the mesh has one. Memory from `arena`.
bool wfFindSharp(const wfTopology* topology, const wfMeshView* mesh, const wfSharpDef* def, wfArena* arena, wfSharp* out, wfError* err);

/// One level of subdivision; only the topology and what is sharp counts, so it serves any number of positions. Start from {0}.
typedef struct wfSubdivision {
    wfArena arena;
    int coarseCount;       // vertices before; they keep their numbers
    int vertexCount;       // afterwards: vertex coarseCount + e lies on edge e
    int triangleCount;     // triangle t becomes 4 t .. 4 t + 3: at its corners, then in its middle
    wfTriangle* triangles; // oriented as before
    int (*ends)[2];        // per edge before: its vertices
    wfTopology topology;   // of the new triangles
    wfSharp sharp;         // likewise
    wfRows masks;          // per vertex: the old vertices that its smooth place depends on
    double* weights;       // beside masks.item; positive or zero, a row adds up to one
} wfSubdivision;

/// Fails where the mesh is not manifold (`name` opens the message) or the new one would be too large.
bool wfSubdivision_Create(wfSubdivision* out, const wfTopology* coarse, const wfSharp* sharp, const char* name, wfError* err);
void wfSubdivision_Free(wfSubdivision* subdivision);

/// Places in the old surface, to the rounding of a float: coarseCount positions in, vertexCount out.
void wfSubdivision_Split(const wfSubdivision* subdivision, const wfVec3* coarse, wfVec3* out);
/// Smooth places. Both use OpenMP's threads; the bits do not depend on their number.
void wfSubdivision_Smooth(const wfSubdivision* subdivision, const wfVec3* coarse, wfVec3* out);
/// The flat shape of the new triangles: `count` old ones cut in four.
void wfSplitFlat(const wfFlatTriangle* coarse, int count, wfFlatTriangle* out);
