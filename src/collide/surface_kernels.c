// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/surface_kernels.h"

#include "collide/surface_query.h"
#include "compute/kernel.h"

/// The middle of each fan.
WF_KERNEL(SurfaceFans, a, i)
{
    wfVec3 sum = wfMake3(0.0f, 0.0f, 0.0f);
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) sum = wfAdd(sum, wfXyz(a.x[a.vertex[k]]));
    a.x[a.firstVertex + i] = wfMake4(wfScale(sum, 1.0f / (float)(a.start[i + 1] - a.start[i])), 0.0f);
}

WF_FN float InverseOr0(float x) { return x > 0.0f ? 1.0f / x : 0.0f; }

WF_FN wfSurfaceTriangle MakeTriangle(wfVec3 a, wfVec3 b, wfVec3 c) {
    wfSurfaceTriangle t;
    t.a = a;
    t.ab = wfSub(b, a);
    t.ac = wfSub(c, a);
    float ab = wfLengthSq(t.ab), ac = wfLengthSq(t.ac), dot = wfDot(t.ab, t.ac);
    float scale = InverseOr0(wfLengthSq(wfCross(t.ab, t.ac))); // the Gram matrix's determinant, without its cancellation
    t.abScale = InverseOr0(ab);
    t.acScale = InverseOr0(ac);
    t.bcScale = InverseOr0(wfLengthSq(wfSub(c, b)));
    t.m00 = ac * scale;
    t.m01 = -dot * scale;
    t.m11 = ab * scale;
    wfVec3 middle = wfScale(wfAdd(t.ab, t.ac), 1.0f / 3.0f);
    float radiusSq = wfHigher(wfLengthSq(middle), wfHigher(wfLengthSq(wfSub(t.ab, middle)), wfLengthSq(wfSub(t.ac, middle))));
    t.radius = sqrtf(radiusSq) * (1.0f + 1e-5f);
    return t;
}

WF_FN wfSurfaceNode EmptyNode(void) {
    wfSurfaceNode n;
    n.box.lo = wfMake3(INFINITY, INFINITY, INFINITY);
    n.box.hi = wfMake3(-INFINITY, -INFINITY, -INFINITY);
    n.centre = n.area = wfMake3(0.0f, 0.0f, 0.0f);
    n.box.weight = n.box.radius = 0.0f;
    for (int k = 0; k < 9; ++k) n.moment[k / 3][k % 3] = 0.0f;
    return n;
}

/// Adds (from - centre) by area.
WF_FN void AddMoment(wfSurfaceNode* n, wfVec3 from, wfVec3 area) {
    wfVec3 to = wfSub(from, n->centre);
    const float d[3] = {to.x, to.y, to.z}, f[3] = {area.x, area.y, area.z};
    for (int k = 0; k < 9; ++k) n->moment[k / 3][k % 3] += d[k / 3] * f[k % 3];
}

/// From the weighted sum of middles to the centre.
WF_FN void PlaceCentre(wfSurfaceNode* n) {
    n->centre = n->box.weight > 0.0f ? wfScale(n->centre, 1.0f / n->box.weight) : wfScale(wfAdd(n->box.lo, n->box.hi), 0.5f);
}

WF_HEAVY_KERNEL(SurfaceLeaves, a, i) {
    wfSurfaceNode n = EmptyNode();
    bool finite = true;
    int first = i * wf_surfaceLeaf, last = first + wf_surfaceLeaf < a.s.triangleCount ? first + wf_surfaceLeaf : a.s.triangleCount;
    for (int t = first; t < last; ++t) {
        const int* v = a.s.corners[t];
        wfVec3 p = wfXyz(a.s.x[v[0]]), q = wfXyz(a.s.x[v[1]]), r = wfXyz(a.s.x[v[2]]);
        finite = finite && wfIsFinite3(p) && wfIsFinite3(q) && wfIsFinite3(r);
        a.triangles[t] = MakeTriangle(p, q, r);
        n.box.lo = wfMin3(n.box.lo, wfMin3(p, wfMin3(q, r)));
        n.box.hi = wfMax3(n.box.hi, wfMax3(p, wfMax3(q, r)));
        wfVec3 area = wfScale(wfCross(wfSub(q, p), wfSub(r, p)), 0.5f);
        float size = wfLength(area);
        n.area = wfAdd(n.area, area);
        n.box.weight += size;
        n.centre = wfMulAdd(n.centre, size * (1.0f / 3.0f), wfAdd(p, wfAdd(q, r)));
    }
    PlaceCentre(&n);
    for (int t = first; t < last; ++t) {
        const int* v = a.s.corners[t];
        wfVec3 p = wfXyz(a.s.x[v[0]]), q = wfXyz(a.s.x[v[1]]), r = wfXyz(a.s.x[v[2]]);
        AddMoment(&n, wfScale(wfAdd(p, wfAdd(q, r)), 1.0f / 3.0f), wfScale(wfCross(wfSub(q, p), wfSub(r, p)), 0.5f));
        n.box.radius =
            wfHigher(n.box.radius, wfHigher(wfDistance(p, n.centre), wfHigher(wfDistance(q, n.centre), wfDistance(r, n.centre))));
    }
    if (!finite) n.box.lo = n.box.hi = wfMake3(NAN, NAN, NAN); // min and max pass it over: keep it
    a.nodes[i] = n;
}

WF_HEAVY_KERNEL(SurfaceLevel, a, i) {
    wfSurfaceNode n = EmptyNode();
    bool finite = true;
    int first = i * wf_surfaceArity, last = first + wf_surfaceArity < a.childCount ? first + wf_surfaceArity : a.childCount;
    for (int k = first; k < last; ++k) {
        const wfSurfaceNode* child = &a.children[k];
        finite = finite && wfIsFinite3(child->box.lo);
        n.box.lo = wfMin3(n.box.lo, child->box.lo);
        n.box.hi = wfMax3(n.box.hi, child->box.hi);
        n.area = wfAdd(n.area, child->area);
        n.box.weight += child->box.weight;
        n.centre = wfMulAdd(n.centre, child->box.weight, child->centre);
    }
    PlaceCentre(&n);
    float reach = 0.0f;
    for (int k = first; k < last; ++k) {
        const wfSurfaceNode* child = &a.children[k];
        AddMoment(&n, child->centre, child->area);
        for (int m = 0; m < 9; ++m) n.moment[m / 3][m % 3] += child->moment[m / 3][m % 3];
        reach = wfHigher(reach, wfDistance(child->centre, n.centre) + child->box.radius);
    }
    // Whichever is tighter: about the children's balls, or about the box.
    n.box.radius = wfLower(reach, wfLength(wfMax3(wfSub(n.box.hi, n.centre), wfSub(n.centre, n.box.lo))));
    if (!finite) n.box.lo = n.box.hi = wfMake3(NAN, NAN, NAN);
    a.nodes[i] = n;
}

WF_HEAVY_KERNEL(SurfaceClosest, a, i) { a.hits[i] = wfSurface_Closest(&a.s, wfXyz(a.points[i]), a.points[i].w); }

WF_HEAVY_KERNEL(SurfaceCast, a, i) { a.hits[i] = wfSurface_Cast(&a.s, &a.rays[i]); }

WF_HEAVY_KERNEL(SurfaceWinding, a, i) { a.numbers[i] = wfSurface_Winding(&a.s, wfXyz(a.points[i])); }
