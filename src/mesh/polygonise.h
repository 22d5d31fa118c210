// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The surface of a field as a mesh. The field is cut on a body-centred cubic lattice, whose tetrahedra leave no ambiguous case: each gives
// one or two triangles, what meets has the same bits, and welding closes the surface. Then the vertices are spread evenly along the
// surface.

#include "mesh/loft.h"
#include "mesh/mesh.h"

/// Negative inside; the surface is at least the field divided by the slope away.
typedef double wfFieldFn(wfFieldPoint p);

typedef struct wfFieldDef {
    wfFieldFn* field;
    double slope;
    double edge;   // of the mesh
    double area;   // of the surface, about
    double side;   // of the cubes that it is looked for in, at least
    int cubes[3];  // how many, along each axis; 1 and 2 lie about 0 …
    bool onGround; // … but along y from 0 upwards
} wfFieldDef;

/// Closed and manifold, pointing outwards. `out` must be {0}.
bool wfPolygonise(wfMesh* out, const wfFieldDef* def, wfError* err);
