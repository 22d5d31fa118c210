// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "mesh/mesh.h"

/// Flips edges of a triangulation in the plane until none has the opposite vertex of one triangle inside the circle through the other.
/// Triangles must be counter-clockwise and without overlap; the boundary stays, and so do triangles whose circles nearly touch the vertex.
bool wfFlipToDelaunay(const wfVec2* points, int pointCount, wfTriangle* triangles, int triangleCount, wfError* err);
