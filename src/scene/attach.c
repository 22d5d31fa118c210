// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene/scene.h"

#include "collide/distance.h"
#include "collide/shape.h"

// Where cloth is tied to a collider: the nearest point of its surface at the start. All on the host, once; what follows a mesh that changes
// its shape needs the frame of its triangle at every step.

static void CornersAt(const wfCollider* collider, int triangle, double time, wfVec3 out[3]) {
    const wfColliderDef* def = &collider->def;
    wfPose pose = wfCollider_PoseAt(collider, time);
    for (int k = 0; k < 3; ++k) {
        int v = collider->triangles[triangle].v[k];
        out[k] =
            wfPose_Apply(pose, wfSequence_At(collider->sequence, def->sequenceCount, collider->vertexCount, def->sequenceRate, time, v));
    }
}

// Of a triangle without area in any direction.
static wfVec3 NormalOf(const wfVec3 x[3]) {
    return wfNormalizeOr(wfCross(wfSub(x[1], x[0]), wfSub(x[2], x[0])), wfMake3(0.0f, 1.0f, 0.0f));
}

static float BoxDistanceSq(const wfVec3 x[3], wfVec3 p) {
    wfVec3 lo = wfMin3(x[0], wfMin3(x[1], x[2])), hi = wfMax3(x[0], wfMax3(x[1], x[2]));
    wfVec3 out = wfMax3(wfMax3(wfSub(lo, p), wfSub(p, hi)), wfMake3(0.0f, 0.0f, 0.0f));
    return wfLengthSq(out);
}

// In the collider's own frame; a sequence begins with its first frame.
static wfVec3 NearestOnMesh(const wfCollider* collider, wfVec3 p, wfVec3* normal, wfAnchor* anchor) {
    const wfVec3* x = collider->sequence != NULL ? collider->sequence : collider->positions;
    wfVec3 nearest = p;
    wfAnchor found = {.collider = collider};
    float best = INFINITY;
    for (int t = 0; t < collider->triangleCount; ++t) {
        const int* v = collider->triangles[t].v;
        wfVec3 corner[3] = {x[v[0]], x[v[1]], x[v[2]]};
        if (BoxDistanceSq(corner, p) >= best) continue;
        wfNearest near = wfPointTriangle(p, corner[0], corner[1], corner[2]);
        if (!(near.distanceSq < best)) continue;
        best = near.distanceSq;
        nearest = wfSub(p, near.offset);
        *normal = NormalOf(corner);
        found.triangle = t;
        for (int k = 0; k < 3; ++k) found.weight[k] = -near.w[k + 1];
    }
    if (anchor != NULL) *anchor = found;
    return nearest;
}

wfVec3 wfCollider_NearestPoint(const wfCollider* collider, wfVec3 p, wfVec3* normal, wfAnchor* anchor) {
    const wfColliderDef* def = &collider->def;
    wfPose pose = wfCollider_PoseAt(collider, 0.0);
    wfVec3 local = wfPose_Unapply(pose, p), nearest, outward = wfMake3(0.0f, 1.0f, 0.0f);
    if (def->shape == wf_shapeMesh) {
        nearest = NearestOnMesh(collider, local, &outward, anchor);
    } else {
        wfShape shape = {.kind = (int)def->shape, .radius = def->radius, .half = wfScale(def->size, 0.5f)};
        float distance = wfShape_Distance(&shape, local, &outward);
        nearest = wfMulAdd(local, -distance, outward);
    }
    *normal = wfRotate(pose.rotate, outward);
    return wfPose_Apply(pose, nearest);
}

// The rotation that takes the axes x, y, z to u, v, w: by the largest of the four components, which is never near zero.
static wfQuat QuatOfAxes(wfVec3 u, wfVec3 v, wfVec3 w) {
    float trace = u.x + v.y + w.z;
    wfQuat q;
    if (trace >= u.x && trace >= v.y && trace >= w.z) {
        q = (wfQuat){v.z - w.y, w.x - u.z, u.y - v.x, 1.0f + trace};
    } else if (u.x >= v.y && u.x >= w.z) {
        q = (wfQuat){1.0f + u.x - v.y - w.z, u.y + v.x, w.x + u.z, v.z - w.y};
    } else if (v.y >= w.z) {
        q = (wfQuat){u.y + v.x, 1.0f + v.y - u.x - w.z, v.z + w.y, w.x - u.z};
    } else {
        q = (wfQuat){w.x + u.z, v.z + w.y, 1.0f + w.z - u.x - v.y, u.y - v.x};
    }
    return wfQuatNormalize(q);
}

wfPose wfAnchor_PoseAt(const wfAnchor* anchor, double time) {
    wfVec3 x[3];
    CornersAt(anchor->collider, anchor->triangle, time, x);
    wfVec3 normal = NormalOf(x);
    // The first edge, made square to the normal: also where the triangle has no area.
    wfVec3 edge = wfSub(x[1], x[0]);
    edge = wfMulAdd(edge, -wfDot(edge, normal), normal);
    wfVec3 across = fabsf(normal.x) < 0.5f ? wfMake3(1.0f, 0.0f, 0.0f) : wfMake3(0.0f, 0.0f, 1.0f);
    across = wfMulAdd(across, -wfDot(across, normal), normal);
    wfVec3 u = wfNormalizeOr(edge, wfNormalizeOr(across, wfMake3(1.0f, 0.0f, 0.0f)));
    wfVec3 origin = wfAdd(wfAdd(wfScale(x[0], anchor->weight[0]), wfScale(x[1], anchor->weight[1])), wfScale(x[2], anchor->weight[2]));
    return (wfPose){origin, QuatOfAxes(u, normal, wfCross(u, normal))};
}
