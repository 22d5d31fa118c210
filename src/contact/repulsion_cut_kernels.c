// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "compute/kernel.h"
#include "contact/repulsion_kernels.h"

// Edges of bodies against triangles of cloth: all corners of a triangle can be far enough away from a body whose sharp edge lies between
// them.

static const float s_shortest = 0.06f; // of the length of an edge: what a look along it skips at least

WF_FN float NearestBody(const wfRepulsionBodies* b, wfVec3 p) {
    float least = INFINITY;
    for (int k = 0; k < b->shapeCount + b->fieldCount; ++k) {
        wfVec3 normal;
        least = fminf(least, wfRepulsion_BodyDistance(b, k, true, p, &normal));
    }
    return least;
}

/// Whether a point from p to q is nearer to a body than the gap. A point at distance d from all bodies has none nearer within d.
WF_FN bool ComesNear(const wfRepulsionBodies* b, wfVec3 p, wfVec3 q, float gap) {
    float length = wfDistance(p, q), at = 0.0f;
    while (at <= length) {
        float distance = NearestBody(b, wfLerp(p, q, length > 0.0f ? at / length : 0.0f));
        if (!(distance >= gap)) return true;
        at += fmaxf(distance - gap, s_shortest * length);
        if (!(length > 0.0f)) break;
    }
    return false;
}

WF_KERNEL(RepulsionCut, a, t)
{
    wfTriangle triangle = a.triangles[t];
    wfVec3 x[3];
    bool near = false;
    for (int c = 0; c < 3; ++c) {
        x[c] = wfXyz(a.x[triangle.v[c]]);
        near = near || wfLengthSq(wfXyz(a.plane[triangle.v[c]])) > 0.0f;
    }
    if (!near) return;
    wfVec3 middle = wfScale(wfAdd(x[0], wfAdd(x[1], x[2])), 1.0f / 3.0f);
    bool cut = !(NearestBody(&a.bodies, middle) >= a.gap);
    for (int c = 0; c < 3 && !cut; ++c) cut = ComesNear(&a.bodies, x[c], x[(c + 1) % 3], a.gap);
    if (!cut) return;
    wfRaise(&a.verdict->cut, 1, t);
    for (int c = 0; c < 3; ++c) wfMark(&a.flags[triangle.v[c]]);
}

/// Where a vertex that kept its place on body k would be at the end of the step.
WF_FN wfVec3 TakenAlong(const wfRepulsionBodies* b, int k, int i, wfVec3 x) {
    if (wfRepulsion_IsDeforming(b, k)) return wfAdd(x, wfXyz(b->carried[i]));
    const wfShape* shape = wfRepulsion_BodyShape(b, k);
    return wfPose_Apply(shape->end, wfPose_Unapply(shape->start, x));
}

/// Whether a way from outside a body leads into it and out elsewhere, where it faces the other way. A way that only cuts a bulge, as one
/// that slides along the surface does, comes out on the same side.
WF_FN bool Passes(const wfRepulsionBodies* b, int k, wfVec3 p, wfVec3 q, float gap) {
    wfVec3 in, out, normal;
    float length = wfDistance(p, q), at = fmaxf(0.0f, wfRepulsion_BodyDistance(b, k, true, p, &in));
    if (at > length) return false;
    wfRepulsion_BodyDistance(b, k, true, q, &out);
    if (!(wfDot(in, out) < 0.0f)) return false;
    while (at < length) {
        float distance = wfRepulsion_BodyDistance(b, k, true, wfLerp(p, q, at / length), &normal);
        if (distance < -gap) return true;
        at += fmaxf(distance, s_shortest * length);
    }
    return false;
}

WF_KERNEL(RepulsionPass, a, i)
{
    wfVec3 x = wfXyz(a.x[i]), from = wfXyz(a.xStart[i]);
    for (int k = 0; k < a.bodies.shapeCount + a.bodies.fieldCount; ++k)
        if (Passes(&a.bodies, k, TakenAlong(&a.bodies, k, i, from), x, a.gap)) wfRaise(&a.verdict->passed, 1, i);
}

WF_KERNEL(RepulsionAway, a, i)
{
    if (a.flags[i]) a.clear[i] += a.more;
}

WF_KERNEL(RepulsionOutside, a, i)
{
    for (int k = 0; k < a.bodies.fieldCount; ++k) {
        const wfBody* body = &a.bodies.fields[k];
        if (!wfSdf_Knows(&body->field, wfPose_Unapply(body->shape.end, wfXyz(a.x[i])))) wfRaise(&a.verdict->outside, 1, i);
    }
}
