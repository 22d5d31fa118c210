// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Whether two triangles meet: exact, for every finite input in single precision.
//
// A triangle is the closed set its corners span, also where that is only a segment or a point: touching counts, and so does overlap within
// one plane. Two triangles that share vertices (by number in the mesh, not by place) always have in common what these vertices span, their
// vertex or edge; they meet where they have anything else in common:
//
//   no shared vertex   any common point
//   one                a common point other than it: one pierces, touches or overlaps the other elsewhere
//   two                a common point that is not on the edge: with areas, only where one is folded exactly onto the other
//   three              never: one triangle given twice shares all of itself

#include "math/vec.h"

/// Two triangles that share no vertex.
bool wfTrianglesMeet(const wfVec3 a[3], const wfVec3 b[3]);

/// Two triangles whose first corner is the same vertex.
bool wfTrianglesMeetBeyondVertex(const wfVec3 a[3], const wfVec3 b[3]);

/// Two triangles whose first and second corners are the same vertices.
bool wfTrianglesMeetBeyondEdge(const wfVec3 a[3], const wfVec3 b[3]);
