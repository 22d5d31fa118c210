// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// A body that cloth meets: an exact shape or a distance field, behind one call.

#include "collide/sdf.h"
#include "collide/shape.h"

/// shape.kind wf_shapeMesh: the field says where the surface is; any other kind: the shape does. Poses and surface are the shape's.
typedef struct wfBody {
    wfShape shape;
    wfSdfField field;
} wfBody;

/// Signed distance of p (in the body's own frame) to its surface, negative inside; *normal points outwards, unit.
WF_FN float wfBody_Distance(const wfBody* body, wfVec3 p, wfVec3* normal) {
    if (body->shape.kind != wf_shapeMesh) return wfShape_Distance(&body->shape, p, normal);
    float distance = wfSdf_Distance(&body->field, p, normal);
    *normal = wfNormalizeOr(*normal, wfMake3(0.0f, 1.0f, 0.0f));
    return distance;
}

/// The same in the world, the body at `pose` (its shape's start or end).
WF_FN float wfBody_DistanceAt(const wfBody* body, wfPose pose, wfVec3 p, wfVec3* normal) {
    float distance = wfBody_Distance(body, wfPose_Unapply(pose, p), normal);
    *normal = wfRotate(pose.rotate, *normal);
    return distance;
}
