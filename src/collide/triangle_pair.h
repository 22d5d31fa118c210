// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Whether two triangles meet, in plain double precision. Triangles are closed sets: touching counts, and so does overlap within one plane.
// A triangle without area is taken for its edges; two such are not compared.

#include "math/vec.h"

/// Two triangles that share no corner.
bool wfTrianglesMeet(const wfVec3 a[3], const wfVec3 b[3]);

/// Two triangles whose first corner is the same vertex: whether they meet anywhere else.
bool wfTrianglesMeetBeyondVertex(const wfVec3 a[3], const wfVec3 b[3]);
