// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// A collider as it stands at one moment, on the host, for questions that are asked rarely. A plane is endless and has its inside below it.

#include "collide/shape.h"
#include "collide/triangle_tree.h"

typedef struct wfPosedBody {
    const wfBodyRange* range;
    wfTriangleTree tree;  // of its mesh; without levels for a plane
    wfVec3 point, normal; // of a plane, unit
} wfPosedBody;

/// A point of a body's surface.
typedef struct wfBodyPoint {
    wfVec3 point;
    int corners[3]; // of its triangle, numbered over all colliders
    float w[3];     // their weights
} wfBodyPoint;

/// Of body `index`. positions: of the vertices of all colliders, finite; they and the arena must outlive the body.
bool wfPosedBody_Create(wfPosedBody* body, const wfColliderSet* set, int index, const wfVec3* positions, wfArena* arena, wfError* err);

/// Distance to a triangle: exactly 0 where they meet, by the exact test; a plane meets all that reaches below it. `limit` where it is
/// no less than that.
float wfPosedBody_TriangleDistance(const wfPosedBody* body, const wfVec3 triangle[3], float limit);

/// Whether the surface winds about p.
bool wfPosedBody_Contains(const wfPosedBody* body, wfVec3 p);

/// The point of the surface nearest to p; its corners are those of the plane's first triangle where it is one.
wfBodyPoint wfPosedBody_Nearest(const wfPosedBody* body, wfVec3 p);
