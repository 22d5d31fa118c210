// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "compute/kernel.h"
#include "contact/repulsion_kernels.h"

// Triangles within two edges of each other, of which distances of vertices say nothing. Two triangles that share no vertex meet where an
// edge of one meets the other; those that share one meet beyond it where the edge across from it meets the other; those that share an edge
// where one is folded onto the other. So it is enough to look at edges and triangles without a common vertex, and at hinges. Vertices that
// are sewn together are one.

static const float s_flatFold = 0.9962f; // cosine of 5 degrees: what two triangles with a common edge must leave between them

enum { Lanes = wf_repulsionLanes, Slice = wf_repulsionSlice }; // lanes share the work on a vertex, each takes every fourth item

WF_TILE_KERNEL(RepulsionTight, a, tile)
{
    WF_SHARED int tight[WF_TILE];
    WF_LANES (t, WF_TILE) {
        int i = tile * Slice + t / Lanes, count = i < a.ring.count ? a.ring.counts[i] : 0;
        wfVec3 x = count > 0 ? wfXyz(a.x[i]) : wfMake3(0.0f, 0.0f, 0.0f);
        tight[t] = 0;
        for (int k = t % Lanes; k < count; k += Lanes) {
            int at = k * a.ring.count + i, item = a.ring.items[at];
            float sq = wfLengthSq(wfSub(x, wfXyz(a.x[wfRepulsion_Vertex(item)])));
            if (wfRepulsion_Kind(item) == wf_repelRing && !(sq >= wfRingTight * a.ringSq[at])) tight[t] = 1;
        }
    }
    WF_SYNC();
    WF_LANES (t, Slice) {
        int any = 0;
        for (int k = 0; k < Lanes; ++k) any |= tight[t * Lanes + k];
        if (tile * Slice + t < a.ring.count) a.tight[tile * Slice + t] = any;
    }
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

/// Whether some axis shows edge and triangle apart by more than the gap: the normal, within the plane across the triangle's edges and
/// across the edge, and across both edges. Where they do meet none does; where they are very near and none does, that counts as meeting,
/// too.
WF_FN bool AreApart(const wfVec3* edge, const wfVec3* t, wfVec3 normal, float gap) {
    if (ApartAlong(normal, edge, t, gap)) return true;
    wfVec3 along = wfSub(edge[1], edge[0]);
    if (ApartAlong(wfCross(normal, along), edge, t, gap)) return true; // in one plane the edge itself can part them
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

/// Which corners of a triangle are the vertex, or are sewn to it: bit c of corner c.
WF_FN int CornersAt(const RepulsionFoldArgs* a, const wfTriangle* triangle, int vertex) {
    int corners = 0, group = wfRepulsion_Weld(&a->welds, vertex);
    for (int c = 0; c < 3; ++c)
        if (triangle->v[c] == vertex || (group >= 0 && wfRepulsion_Weld(&a->welds, triangle->v[c]) == group)) corners |= 1 << c;
    return corners;
}

/// How far the edges of a vertex reach.
WF_FN float LongestEdge(const RepulsionFoldArgs* a, int i, wfVec3 x) {
    float sq = 0.0f;
    for (int k = 0; k < a->ring.counts[i]; ++k) {
        int item = a->ring.items[k * a->ring.count + i];
        if (wfRepulsion_Kind(item) != wf_repelEdge) break; // edges come first
        sq = fmaxf(sq, wfLengthSq(wfSub(wfXyz(a->x[wfRepulsion_Vertex(item)]), x)));
    }
    return sqrtf(sq);
}

/// Of vertex i at the origin, all edges and one triangle, with its corners relative to i. Most are shown apart by the direction to the
/// middle of the triangle: all edges at once where it is farther than these reach.
WF_FN void TestTriangle(const RepulsionFoldArgs* a, int i, wfVec3 x, float longest, int index) {
    wfTriangle triangle = a->triangles[index];
    if (CornersAt(a, &triangle, i) != 0) return;
    wfVec3 t[3], edge[2];
    for (int c = 0; c < 3; ++c) t[c] = wfSub(wfXyz(a->x[triangle.v[c]]), x);
    wfVec3 toward = wfAdd(wfAdd(t[0], t[1]), t[2]);
    float length = wfLength(toward), nearest = fminf(wfDot(toward, t[0]), fminf(wfDot(toward, t[1]), wfDot(toward, t[2])));
    nearest -= a->gap * length;
    if (nearest > longest * length) return;
    wfVec3 normal = wfCross(wfSub(t[1], t[0]), wfSub(t[2], t[0]));
    edge[0] = wfMake3(0.0f, 0.0f, 0.0f);
    int count = a->ring.counts[i], shared = 0;
    for (int k = 0; k < count; ++k) {
        int item = a->ring.items[k * a->ring.count + i], j = wfRepulsion_Vertex(item);
        if (wfRepulsion_Kind(item) != wf_repelEdge) break;
        int corner = CornersAt(a, &triangle, j);
        shared |= corner;
        if (corner != 0) continue;
        edge[1] = wfSub(wfXyz(a->x[j]), x);
        if (nearest > fmaxf(0.0f, wfDot(toward, edge[1]))) continue;
        if (!AreApart(edge, t, normal, a->gap)) Report(a, &triangle, i, j);
    }
    int third = shared == 6 ? 0 : shared == 5 ? 1 : shared == 3 ? 2 : -1; // the corner that is no neighbour of i, where the others are
    if (third >= 0 && IsFoldedFlat(t[(third + 1) % 3], t[(third + 2) % 3], t[third], edge[0])) Report(a, &triangle, i, triangle.v[third]);
}

/// Whether a vertex or one of its neighbours has one two edges away that is nearer than on flat cloth.
WF_FN bool IsTight(const RepulsionFoldArgs* a, int i) {
    int count = a->ring.counts[i], tight = a->tight[i];
    for (int k = 0; k < count; ++k) {
        int item = a->ring.items[k * a->ring.count + i];
        if (wfRepulsion_Kind(item) != wf_repelEdge) break;
        tight |= a->tight[wfRepulsion_Vertex(item)];
    }
    return tight != 0;
}

// Few vertices of a slice are tight, often: the lanes of the tile share these.
WF_TILE_KERNEL(RepulsionFold, a, tile)
{
    WF_SHARED float longest[Slice]; // negative: nothing can meet here
    WF_SHARED int who[Slice], tightCount[1];
    WF_LANES (t, Slice) {
        int i = tile * Slice + t;
        longest[t] = i < a.around.count && (a.only == 0 || a.only[i]) && IsTight(&a, i) ? LongestEdge(&a, i, wfXyz(a.x[i])) : -1.0f;
    }
    WF_SYNC();
    WF_LANES (t, 1) {
        int n = t;
        for (int k = 0; k < Slice; ++k)
            if (longest[k] >= 0.0f) who[n++] = k;
        tightCount[0] = n;
    }
    WF_SYNC();
    WF_LANES (t, WF_TILE) {
        int lanes = tightCount[0] > 0 ? WF_TILE / tightCount[0] : WF_TILE + 1, n = t / lanes;
        if (n < tightCount[0]) {
            int i = tile * Slice + who[n], count = a.around.counts[i];
            wfVec3 x = wfXyz(a.x[i]);
            for (int k = t % lanes; k < count; k += lanes) TestTriangle(&a, i, x, longest[who[n]], a.around.items[k * a.around.count + i]);
        }
    }
}
