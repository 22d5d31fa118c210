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

WF_KERNEL(RepulsionAway, a, i)
{
    if (a.flags[i]) a.clear[i] += a.more;
}
