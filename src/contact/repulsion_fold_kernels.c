// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "compute/kernel.h"
#include "contact/repulsion_kernels.h"

// Triangles within two edges of each other, of which distances of vertices say nothing. Two triangles that share no vertex meet where an
// edge of one meets the other; those that share one meet beyond it where the edge across from it meets the other; those that share an edge
// where one is folded onto the other. So it is enough to look at edges and triangles without a common vertex, and at hinges.

static const float s_flatFold = 0.9962f; // cosine of 5 degrees: what two triangles with a common edge must leave between them

WF_KERNEL(RepulsionTight, a, i)
{
    int count = a.ring.counts[i], tight = 0;
    wfVec3 x = wfXyz(a.x[i]);
    for (int k = 0; k < count; ++k) {
        int at = k * a.ring.count + i, item = a.ring.items[at];
        float sq = wfLengthSq(wfSub(x, wfXyz(a.x[wfRepulsion_Vertex(item)])));
        if (wfRepulsion_Kind(item) == wf_repelRing && !(sq >= wfRingTight * a.ringSq[at])) tight = 1;
    }
    a.tight[i] = tight;
}

/// Whether two spans are farther apart than gap, in multiples of the axis' length.
WF_FN bool SpansApart(float p0, float p1, float t0, float t1, float t2, float gap) {
    float lo = fminf(t0, fminf(t1, t2)), hi = fmaxf(t0, fmaxf(t1, t2));
    return fminf(p0, p1) > hi + gap || fmaxf(p0, p1) < lo - gap;
}

WF_FN bool ApartAlong(wfVec3 axis, const wfVec3* edge, const wfVec3* t, float gap) {
    float length = wfLength(axis);
    return length > 0.0f &&
           SpansApart(wfDot(axis, edge[0]), wfDot(axis, edge[1]), wfDot(axis, t[0]), wfDot(axis, t[1]), wfDot(axis, t[2]), gap * length);
}

/// Whether some axis shows edge and triangle apart by more than the gap: the normal, within the plane across the triangle's edges, and
/// across both edges. Where they do meet none does; where they are very near and none does, that counts as meeting, too.
WF_FN bool AreApart(const wfVec3* edge, const wfVec3* t, wfVec3 normal, float gap) {
    if (ApartAlong(normal, edge, t, gap)) return true;
    wfVec3 along = wfSub(edge[1], edge[0]);
    for (int k = 0; k < 3; ++k) {
        wfVec3 side = wfSub(t[(k + 1) % 3], t[k]);
        if (ApartAlong(wfCross(normal, side), edge, t, gap) || ApartAlong(wfCross(along, side), edge, t, gap)) return true;
    }
    return false;
}

/// Whether triangles abc and abd, with d given, are folded onto each other.
WF_FN bool IsFoldedFlat(wfVec3 a, wfVec3 b, wfVec3 c, wfVec3 d) {
    wfVec3 edge = wfSub(b, a), u = wfSub(c, a), v = wfSub(d, a);
    float sq = wfLengthSq(edge);
    if (!(sq > 0.0f)) return true;
    u = wfMulAdd(u, -wfDot(u, edge) / sq, edge);
    v = wfMulAdd(v, -wfDot(v, edge) / sq, edge);
    float dot = wfDot(u, v);
    return !(dot <= 0.0f || dot * dot <= s_flatFold * s_flatFold * wfLengthSq(u) * wfLengthSq(v));
}

WF_FN void Report(const RepulsionFoldArgs* a, const wfTriangle* triangle, int i, int j) {
    if (a->verdict != 0) wfRaise(&a->verdict->violated, 1, i);
    if (a->flags == 0) return;
    wfMark(&a->flags[i]);
    wfMark(&a->flags[j]);
    for (int c = 0; c < 3; ++c) wfMark(&a->flags[triangle->v[c]]);
}

/// Of vertex i at the origin, all edges and one triangle, with its corners relative to i.
WF_FN void TestTriangle(const RepulsionFoldArgs* a, int i, wfVec3 x, int index) {
    wfTriangle triangle = a->triangles[index];
    wfVec3 t[3], edge[2];
    for (int c = 0; c < 3; ++c) t[c] = wfSub(wfXyz(a->x[triangle.v[c]]), x);
    wfVec3 normal = wfCross(wfSub(t[1], t[0]), wfSub(t[2], t[0]));
    edge[0] = wfMake3(0.0f, 0.0f, 0.0f);
    int count = a->ring.counts[i], shared = 0;
    for (int k = 0; k < count; ++k) {
        int item = a->ring.items[k * a->ring.count + i], j = wfRepulsion_Vertex(item);
        if (wfRepulsion_Kind(item) != wf_repelEdge) break; // edges come first
        int corner = j == triangle.v[0] ? 1 : j == triangle.v[1] ? 2 : j == triangle.v[2] ? 4 : 0;
        shared |= corner;
        if (corner != 0) continue;
        edge[1] = wfSub(wfXyz(a->x[j]), x);
        if (!AreApart(edge, t, normal, a->gap)) Report(a, &triangle, i, j);
    }
    int third = shared == 6 ? 0 : shared == 5 ? 1 : shared == 3 ? 2 : -1; // the corner that is no neighbour of i, where the others are
    if (third >= 0 && IsFoldedFlat(t[(third + 1) % 3], t[(third + 2) % 3], t[third], edge[0])) Report(a, &triangle, i, triangle.v[third]);
}

WF_KERNEL(RepulsionTightNear, a, i)
{
    int count = a.ring.counts[i], look = a.tight[i];
    for (int k = 0; k < count; ++k) {
        int item = a.ring.items[k * a.ring.count + i];
        if (wfRepulsion_Kind(item) != wf_repelEdge) break;
        look |= a.tight[wfRepulsion_Vertex(item)];
    }
    a.look[i] = look;
}

// An item for each triangle about each vertex.
WF_KERNEL(RepulsionFold, a, item)
{
    int i = item % a.around.count, k = item / a.around.count;
    if (a.look[i] && k < a.around.counts[i]) TestTriangle(&a, i, wfXyz(a.x[i]), a.around.items[item]);
}
