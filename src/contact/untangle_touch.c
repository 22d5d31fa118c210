// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/untangle_inside.h"

#include "contact/separate.h"

// What meets without crossing: touching, or overlapping within a plane. Two triangles go apart by the shortest way that parts them; the
// free corners of neighbours that are folded onto each other go off the other's plane.

static void Corners(const wfUntangler* u, int triangle, wfVec3D out[3]) {
    for (int k = 0; k < 3; ++k) out[k] = wfUntangler_At(u, u->topology.triangles[triangle].v[k]);
}

static bool Has(wfTriangle t, int v) { return t.v[0] == v || t.v[1] == v || t.v[2] == v; }

static void Unfold(wfUntangler* u, int a, int b) {
    wfTriangle s = u->topology.triangles[a], t = u->topology.triangles[b];
    wfVec3D n = wfUntangler_Normal(u, b), origin = wfUntangler_At(u, t.v[0]);
    double height = 0.0;
    for (int k = 0; k < 3; ++k)
        if (!Has(t, s.v[k])) height += wfDotD(n, wfSubD(wfUntangler_At(u, s.v[k]), origin));
    for (int k = 0; k < 3; ++k)
        if (!Has(t, s.v[k])) wfUntangler_Wish(u, s.v[k], wfScaleD(n, (height >= 0.0 ? 1.0 : -1.0) * u->gap), 1.0);
}

void wfUntangler_PushPairs(wfUntangler* u, const wfTrianglePair* pairs, int count) {
    for (int i = 0; i < count; ++i) {
        int a = pairs[i].a, b = pairs[i].b;
        wfTriangle s = u->topology.triangles[a], t = u->topology.triangles[b];
        if (Has(t, s.v[0]) || Has(t, s.v[1]) || Has(t, s.v[2])) {
            Unfold(u, a, b);
            Unfold(u, b, a);
            continue;
        }
        wfVec3D x[3], y[3];
        Corners(u, a, x);
        Corners(u, b, y);
        wfPush push = wfShortestPush(x, y, NULL);
        double share = wfUntangler_ShareOf(u, s.v, 3, t.v, 3);
        if (share < 0.0 || !(push.depth < INFINITY)) continue;
        wfVec3D way = wfScaleD(push.direction, push.depth + u->gap);
        for (int k = 0; k < 3; ++k) wfUntangler_Wish(u, s.v[k], wfScaleD(way, share), 1.0);
        for (int k = 0; k < 3; ++k) wfUntangler_Wish(u, t.v[k], wfScaleD(way, share - 1.0), 1.0);
    }
}
