// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Exact colliders: signed distance and normal of plane, sphere, box and capsule.

#include "mesh/model.h"

typedef struct wfShape {
    int kind;          // wfShapeKind, without mesh
    float radius;      // sphere, capsule
    wfVec3 half;       // box: half edges; capsule: y is half the distance of its centres
    int surface;       // its row in wfModel.friction
    wfPose start, end; // placement at the beginning and at the end of the step
} wfShape;

/// A collider as a mesh: its own, or one that stands for its exact shape.
typedef struct wfBodyRange {
    const char* name;
    int firstVertex, vertexCount, firstTriangle, triangleCount; // of all colliders together
    bool infinite;                                              // a plane: what its mesh shows is a part of it
    bool mesh;                                                  // no exact shape stands behind it
    bool rigid;                                                 // moves as its poses say; otherwise its shape changes too
    bool moves;                                                 // one of its vertices does in this step
    bool keeps;                                                 // its shape does not change in this step
    double since;                                               // [s] keeps: from when on its shape has been what it is
    wfPose first;                                               // placement then; of what is rigid at time 0
    wfPose start, end;                                          // placement at the beginning and at the end of the step
} wfBodyRange;

/// The colliders of a step, as contact sees them.
typedef struct wfColliderSet {
    wfBuffer shapes; // wfShape, device
    int shapeCount;
    int meshCount; // mesh colliders in the scene, which only some contact methods answer
    // All of them as meshes, one after the other.
    int bodyCount, vertexCount, triangleCount;
    wfBodyRange* bodies;   // host; body i is collider i
    wfTriangle* triangles; // host; corners numbered over all colliders
    wfVec3* first;         // host; where the vertices are at time 0: what is made of it once does not hang on when that was
    wfVec3* kept;          // host; of bodies that keep their shape, where the vertices were when they got it
    bool still;            // no collider moves or has moved since the step before
    wfBuffer from, to;     // wfVec4, device: where the vertices are at the beginning and at the end of the step; w is 0
} wfColliderSet;

/// Signed distance of p (in the shape's own frame) to its surface, negative inside; *normal points outwards, unit also at the centre.
WF_FN float wfShape_Distance(const wfShape* s, wfVec3 p, wfVec3* normal) {
    wfVec3 up = wfMake3(0.0f, 1.0f, 0.0f);
    if (s->kind == wf_shapePlane) {
        *normal = up;
        return p.y;
    }
    if (s->kind == wf_shapeBox) {
        wfVec3 q = wfMake3(fabsf(p.x) - s->half.x, fabsf(p.y) - s->half.y, fabsf(p.z) - s->half.z);
        wfVec3 sign = wfMake3(copysignf(1.0f, p.x), copysignf(1.0f, p.y), copysignf(1.0f, p.z));
        wfVec3 out = wfMax3(q, wfMake3(0.0f, 0.0f, 0.0f));
        float outside = wfLength(out);
        if (outside > 0.0f) {
            *normal = wfMake3(sign.x * out.x / outside, sign.y * out.y / outside, sign.z * out.z / outside);
            return outside;
        }
        if (q.y >= q.x && q.y >= q.z) {
            *normal = wfMake3(0.0f, sign.y, 0.0f);
            return q.y;
        }
        *normal = q.x >= q.z ? wfMake3(sign.x, 0.0f, 0.0f) : wfMake3(0.0f, 0.0f, sign.z);
        return fmaxf(q.x, q.z);
    }
    // Sphere; a capsule is a sphere about the nearest point of its segment.
    if (s->kind == wf_shapeCapsule) p.y -= wfClamp(p.y, -s->half.y, s->half.y);
    float length = wfLength(p);
    *normal = length > 0.0f ? wfScale(p, 1.0f / length) : (s->kind == wf_shapeCapsule ? wfMake3(1.0f, 0.0f, 0.0f) : up);
    return length - s->radius;
}
