// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Whether an edge and a triangle, or two edges, meet: exact, for host and kernels. All are closed sets, so touching counts, and every input
// has an answer: an edge without length is a point, a triangle whose corners lie on one line is the segment they span.

#include "math/predicates.h"

WF_FN bool wfSpansMeet(float a, float b, float c, float d) {
    return (a < b ? a : b) <= (c > d ? c : d) && (c < d ? c : d) <= (a > b ? a : b);
}

/// Edges pq and ab that lie in one plane, which is not seen as a line along `axis`; or all on one line.
WF_FN bool wfEdgesMeetInPlane(wfVec3 p, wfVec3 q, wfVec3 a, wfVec3 b, int axis) {
    if (wfOrientAlong(a, b, p, axis) * wfOrientAlong(a, b, q, axis) > 0) return false;
    if (wfOrientAlong(p, q, a, axis) * wfOrientAlong(p, q, b, axis) > 0) return false;
    // On one line the signs say nothing; in all other cases the spans meet anyway.
    return wfSpansMeet(p.x, q.x, a.x, b.x) && wfSpansMeet(p.y, q.y, a.y, b.y) && wfSpansMeet(p.z, q.z, a.z, b.z);
}

/// Whether edges pq and ab meet.
WF_FN bool wfEdgesMeet(wfVec3 p, wfVec3 q, wfVec3 a, wfVec3 b) {
    if (wfOrient3(p, q, a, b) != 0) return false;
    int axis = wfWidestView(p, q, a); // shows the plane of all four; where a is on the line pq, b does, unless a is q
    if (axis < 0) axis = wfWidestView(a, b, q);
    return wfEdgesMeetInPlane(p, q, a, b, axis < 0 ? 0 : axis); // all on one line, or a is q: the spans decide
}

/// Whether p lies in the triangle, in whose plane it is; the triangle has an area along `axis`.
WF_FN bool wfPointInTriangle(wfVec3 p, wfVec3 a, wfVec3 b, wfVec3 c, int axis) {
    int s = wfOrientAlong(a, b, p, axis), t = wfOrientAlong(b, c, p, axis), u = wfOrientAlong(c, a, p, axis);
    return (s >= 0 && t >= 0 && u >= 0) || (s <= 0 && t <= 0 && u <= 0);
}

/// The ends of a triangle whose corners lie on one line: there, the lexical order is the order along it.
WF_FN void wfEndsOfFlat(wfVec3 a, wfVec3 b, wfVec3 c, wfVec3* lo, wfVec3* hi) {
    wfVec3 x[3];
    x[0] = a, x[1] = b, x[2] = c;
    *lo = *hi = a;
    for (int k = 1; k < 3; ++k) {
        if (x[k].x < lo->x || (x[k].x == lo->x && (x[k].y < lo->y || (x[k].y == lo->y && x[k].z < lo->z)))) *lo = x[k];
        if (x[k].x > hi->x || (x[k].x == hi->x && (x[k].y > hi->y || (x[k].y == hi->y && x[k].z > hi->z)))) *hi = x[k];
    }
}

/// Whether edge pq meets triangle abc, with none of whose corners it shares a vertex.
WF_FN bool wfEdgeMeetsTriangle(wfVec3 p, wfVec3 q, wfVec3 a, wfVec3 b, wfVec3 c) {
    int sideP = wfOrient3(a, b, c, p), sideQ = wfOrient3(a, b, c, q);
    if (sideP * sideQ > 0) return false;
    if (sideP != 0 || sideQ != 0) { // the line meets the plane in one point, which is inside where it has no two edges on different sides
        int s = wfOrient3(p, q, a, b), t = wfOrient3(p, q, b, c), u = wfOrient3(p, q, c, a);
        return (s >= 0 && t >= 0 && u >= 0) || (s <= 0 && t <= 0 && u <= 0);
    }
    int axis = wfWidestView(a, b, c);
    if (axis < 0) {
        wfVec3 lo, hi;
        wfEndsOfFlat(a, b, c, &lo, &hi);
        return wfEdgesMeet(p, q, lo, hi);
    }
    return wfPointInTriangle(p, a, b, c, axis) || wfEdgesMeetInPlane(p, q, a, b, axis) || wfEdgesMeetInPlane(p, q, b, c, axis) ||
           wfEdgesMeetInPlane(p, q, c, a, axis);
}
