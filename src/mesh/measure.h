// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// What can be said of a mesh in a few numbers.

#include "mesh/topology.h"

typedef struct wfMeasures {
    wfVec3 lo, hi; // bounds of all vertices
    double area;
    double edgeMin, edgeMean, edgeMax; // 0 where there is no edge
    int pieceCount;                    // components that have triangles
    int looseVertexCount;              // vertices without a triangle
    int boundaryLoopCount;             // connected parts of the boundary
    bool closed;                       // no boundary, no edge with more than two triangles, all triangles oriented alike
    double volume;                     // signed, positive when the normals point outwards; NaN unless closed
} wfMeasures;

bool wfMeasureMesh(const wfMesh* mesh, const wfTopology* topology, wfMeasures* out, wfError* err);
