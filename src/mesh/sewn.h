// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "mesh/mesh.h"

/// Makes one vertex of those that are sewn to each other, also by others between, and lie at the very same place, bit for bit: there two
/// panels share a vertex, or an edge, as neighbours in a mesh do, and whether they meet is asked beyond that. Writes `out`, as many
/// triangles as `in`, with the lowest number of each such group in place of the others. A triangle that would have one vertex twice keeps
/// its own.
bool wfJoinSewn(const wfVec3* positions, int vertexCount, const int (*stitches)[2], int stitchCount, const wfTriangle* in, wfTriangle* out,
                int triangleCount, wfError* err);
