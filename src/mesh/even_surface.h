// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Makes the triangles of a closed surface even: edges that are too short are collapsed, others flipped until most vertices have six
// neighbours, and the vertices are spread along the surface.

#include "mesh/mesh.h"

typedef struct wfSurfacePoint {
    double x, y, z;
} wfSurfacePoint;

/// Where a point close to the surface belongs on it, or nearly.
typedef wfSurfacePoint wfProjectFn(wfSurfacePoint p, const void* user);

/// `mesh` is closed, manifold, has no flat shape, and edges somewhat shorter than `edge`, the length that they get. On failure the mesh
/// stays as it was.
bool wfEvenSurface(wfMesh* mesh, double edge, wfProjectFn* project, const void* user, wfError* err);
