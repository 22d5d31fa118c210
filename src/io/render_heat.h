// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Values a vertex for heat maps.

#include "io/render.h"

/// The largest edge length over rest length among the edges at each vertex; 1 where a vertex has none. rest and positions: vertexCount
/// elements each; out as many.
void wfHeat_Stretch(const wfTriangle* triangles, int triangleCount, const wfVec3* positions, const wfVec3* rest, int vertexCount,
                    float* out);

/// Speed [m/s] from the positions at two times.
void wfHeat_Speed(const wfVec3* before, const wfVec3* after, int vertexCount, double seconds, float* out);

/// Distance [m] from each position to the nearest surface of the bodies; `limit` where none is nearer.
bool wfHeat_Distance(const wfVec3* positions, int vertexCount, const wfRenderObject* bodies, int bodyCount, float limit, float* out,
                     wfError* err);
