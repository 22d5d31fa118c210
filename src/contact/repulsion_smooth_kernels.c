// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "compute/kernel.h"
#include "contact/repulsion_kernels.h"

// The start of a step: the displacement of the vertices, smoothed on a coarse grid (Wu et al. 2020, section 5.2). The grid repeats every
// wf_smoothSide cells, so that it needs no bounds: the motion stays continuous, it only mixes places that far apart.

static const float s_unit = 1048576.0f;        // [1/m] whole numbers for sums: about a micrometre, up to 10⁴ m
static const float s_fineUnit = 1073741824.0f; // [1/m] of sums of what is below 1 m, by shares squared
static const float s_leastRest = 1e-6f;        // [m] less is what rounding makes of a body that stands

WF_FN int NodeAt(int x, int y, int z) {
    int mask = wf_smoothSide - 1;
    return ((z & mask) * wf_smoothSide + (y & mask)) * wf_smoothSide + (x & mask);
}

WF_KERNEL(SmoothScatter, a, i)
{
    wfVec4 plane;
    wfVec3 x = wfXyz(a.x[i]), way = wfSub(wfRepulsion_OutOfBodies(&a.bodies, wfXyz(a.y[i]), a.clear[i], &plane), x);
    if (!(wfLengthSq(way) < 1e6f && wfLengthSq(x) < 1e12f)) return; // not finite, or nowhere
    wfSmoothSum* sum = &a.sums[NodeAt((int)floorf(x.x * a.inverseCell + 0.5f), (int)floorf(x.y * a.inverseCell + 0.5f),
                                      (int)floorf(x.z * a.inverseCell + 0.5f))];
    wfAddWhole(&sum->x, (long long)(way.x * s_unit));
    wfAddWhole(&sum->y, (long long)(way.y * s_unit));
    wfAddWhole(&sum->z, (long long)(way.z * s_unit));
    wfAddWhole(&sum->count, 1);
}

WF_KERNEL(SmoothMean, a, i)
{
    wfSmoothSum sum = a.sums[i];
    a.out[i] = wfMake4(wfMake3((float)sum.x / s_unit, (float)sum.y / s_unit, (float)sum.z / s_unit), (float)sum.count);
}

WF_KERNEL(SmoothFilter, a, i)
{
    int x = i % wf_smoothSide, y = i / wf_smoothSide % wf_smoothSide, z = i / (wf_smoothSide * wf_smoothSide);
    if (a.beyond && a.in[i].w > 0.0f) {
        a.out[i] = a.in[i];
        return;
    }
    wfVec3 sum = wfMake3(0.0f, 0.0f, 0.0f);
    float weight = 0.0f;
    for (int k = 0; k < 27; ++k) {
        int dx = k % 3 - 1, dy = k / 3 % 3 - 1, dz = k / 9 - 1;
        wfVec4 node = a.in[NodeAt(x + dx, y + dy, z + dz)];
        float share = (dx == 0 ? 1.0f : 0.5f) * (dy == 0 ? 1.0f : 0.5f) * (dz == 0 ? 1.0f : 0.5f);
        sum = wfMulAdd(sum, share, wfXyz(node));
        weight += share * node.w;
    }
    a.out[i] = wfMake4(sum, weight);
}

WF_KERNEL(SmoothDivide, a, i)
{
    wfVec4 n = a.in[i];
    bool known = n.w > 0.0f;
    a.out[i] = wfMake4(known ? wfScale(wfXyz(n), 1.0f / n.w) : wfMake3(0.0f, 0.0f, 0.0f), known ? 1.0f : 0.0f);
}

WF_FN wfVec3 MotionAt(const wfVec4* nodes, int node) { return wfScale(wfXyz(nodes[node]), nodes[node].w); }

/// How much the motion differs from that of the next nodes along the axes.
WF_FN float SteepAt(const wfVec4* nodes, int node) {
    int x = node % wf_smoothSide, y = node / wf_smoothSide % wf_smoothSide, z = node / (wf_smoothSide * wf_smoothSide);
    float steep = 0.0f;
    for (int axis = 0; axis < 3 && nodes[node].w > 0.0f; ++axis) {
        int other = NodeAt(x + (axis == 0), y + (axis == 1), z + (axis == 2));
        if (nodes[other].w > 0.0f) steep = fmaxf(steep, wfDistance(MotionAt(nodes, node), MotionAt(nodes, other)));
    }
    return steep;
}

/// Of node k of a cell at u in it.
WF_FN float ShareOf(wfVec3 u, int k) { return (k & 1 ? u.x : 1.0f - u.x) * (k & 2 ? u.y : 1.0f - u.y) * (k & 4 ? u.z : 1.0f - u.z); }

/// The motion of the nodes at x, between them.
WF_FN wfVec3 MotionOf(const wfVec4* nodes, float inverseCell, wfVec3 at) {
    wfVec3 p = wfScale(at, inverseCell), way = wfMake3(0.0f, 0.0f, 0.0f);
    int x = (int)floorf(p.x), y = (int)floorf(p.y), z = (int)floorf(p.z);
    wfVec3 u = wfMake3(p.x - (float)x, p.y - (float)y, p.z - (float)z);
    for (int k = 0; k < 8; ++k) {
        way = wfMulAdd(way, ShareOf(u, k), MotionAt(nodes, NodeAt(x + (k & 1), y + (k >> 1 & 1), z + (k >> 2))));
    }
    return way;
}

/// What bodies push vertex i by their own way where the motion takes it, as far as that does not go along. What runs into a body that
/// stands is no push: that the cap takes back.
WF_FN wfVec3 PushedAt(const SmoothRestArgs* a, int i, wfVec3 x, wfVec3 way) {
    wfVec3 rest = wfMake3(0.0f, 0.0f, 0.0f);
    for (int k = 0; k < a->bodies.shapeCount + a->bodies.fieldCount; ++k) {
        wfVec3 normal, at = wfAdd(x, wfAdd(way, rest));
        float depth = a->clear[i] - wfRepulsion_BodyDistance(&a->bodies, k, true, at, &normal);
        if (!(depth > 0.0f)) continue;
        float own = wfDot(wfRepulsion_CarriedBy(&a->bodies, k, i, at), normal), along = fmaxf(wfDot(way, normal), 0.0f);
        rest = wfMulAdd(rest, fmaxf(fminf(depth, own - along), 0.0f), normal);
    }
    return rest;
}

// In the average few vertices that a body pushes count for little among many that it does not, which would leave most of its push to these
// few alone, while what lies over them stays behind. So only those that are pushed still count here, and what they need is interpolated
// (Lee, Wolberg and Shin 1997, "Scattered data interpolation with multilevel B-splines", section 3, with hats in place of cubics): a node
// takes what each vertex by itself would have it take, the least sum of squares that meets its push, by the square of its share. What is
// beside them goes along.
WF_KERNEL(SmoothRest, a, i)
{
    if (a.base[i].w < 0.0f) return; // held: no body moves it
    wfVec3 x = wfXyz(a.x[i]), rest = PushedAt(&a, i, x, MotionOf(a.nodes, a.inverseCell, x)), p = wfScale(x, a.inverseCell);
    float sq = wfLengthSq(rest);
    if (!(sq > s_leastRest * s_leastRest && sq < 1.0f)) return;
    int cx = (int)floorf(p.x), cy = (int)floorf(p.y), cz = (int)floorf(p.z);
    wfVec3 u = wfMake3(p.x - (float)cx, p.y - (float)cy, p.z - (float)cz);
    float all = 0.0f;
    for (int k = 0; k < 8; ++k) all += ShareOf(u, k) * ShareOf(u, k);
    for (int k = 0; k < 8; ++k) {
        float share = ShareOf(u, k), weight = share * share * s_fineUnit, alone = weight * share / all;
        wfSmoothSum* sum = &a.sums[NodeAt(cx + (k & 1), cy + (k >> 1 & 1), cz + (k >> 2))];
        wfAddWhole(&sum->x, (long long)(alone * rest.x));
        wfAddWhole(&sum->y, (long long)(alone * rest.y));
        wfAddWhole(&sum->z, (long long)(alone * rest.z));
        wfAddWhole(&sum->count, (long long)weight);
    }
}

WF_KERNEL(SmoothAdd, a, i)
{
    wfSmoothSum sum = a.sums[i];
    if (sum.count <= 0) return;
    wfVec4 node = a.nodes[i];
    wfVec3 more = wfScale(wfMake3((float)sum.x, (float)sum.y, (float)sum.z), 1.0f / (float)sum.count);
    a.nodes[i] = wfMake4(wfAdd(wfXyz(node), more), node.w);
    a.sums[i].x = a.sums[i].y = a.sums[i].z = a.sums[i].count = 0;
}

WF_KERNEL(SmoothCap, a, i)
{
    if (i < wf_smoothNodes) {
        wfRaiseMost(&a.caps[i], SteepAt(a.nodes, i) / a.steepest);
        return;
    }
    int v = i - wf_smoothNodes;
    wfVec4 plane;
    wfVec3 x = wfXyz(a.x[v]), way = MotionOf(a.nodes, a.inverseCell, x), p = wfScale(x, a.inverseCell);
    wfRepulsion_OutOfBodies(&a.bodies, wfAdd(x, way), a.clear[v], &plane);
    float excess = -wfDot(way, wfXyz(plane)) / a.ontoBodies;
    if (!(excess > 1.0f)) return;
    for (int k = 0; k < 8; ++k)
        wfRaiseMost(&a.caps[NodeAt((int)floorf(p.x) + (k & 1), (int)floorf(p.y) + (k >> 1 & 1), (int)floorf(p.z) + (k >> 2))], excess);
}

WF_FN float TakenAt(const SmoothEaseArgs* a, int node) {
    return a->in[node].w > 0.0f && a->caps != 0 ? 1.0f / fmaxf(1.0f, wfFromOrder(a->caps[node])) : a->in[node].w;
}

WF_KERNEL(SmoothEase, a, i)
{
    int x = i % wf_smoothSide, y = i / wf_smoothSide % wf_smoothSide, z = i / (wf_smoothSide * wf_smoothSide);
    wfVec4 node = a.in[i];
    float taken = TakenAt(&a, i), length = wfLength(wfXyz(node)), more = length > a.rise ? a.rise / length : 1.0f;
    for (int k = 0; k < 6; ++k) {
        int step = k % 2 == 0 ? 1 : -1, axis = k / 2;
        int other = NodeAt(x + (axis == 0 ? step : 0), y + (axis == 1 ? step : 0), z + (axis == 2 ? step : 0));
        if (a.in[other].w > 0.0f) taken = fminf(taken, TakenAt(&a, other) + more);
    }
    a.out[i] = wfMake4(wfXyz(node), taken);
}

WF_KERNEL(SmoothLimit, a, i)
{
    float steep = SteepAt(a.nodes, i) / a.steepest;
    wfRaiseMost(&a.excess[0], fmaxf(wfLength(MotionAt(a.nodes, i)) / a.longest, steep));
    wfRaiseMost(&a.excess[1], steep);
}

/// Where the smooth motion takes a held vertex on the way to where it is told: what stays stays.
WF_FN wfVec3 HeldOnWay(wfVec3 x, wfVec3 told, wfVec3 smooth) {
    wfVec3 way = wfSub(told, x);
    float sq = wfLengthSq(way);
    return sq > 0.0f ? wfMulAdd(x, wfClamp(wfDot(wfSub(smooth, x), way) / sq, 0.0f, 1.0f), way) : x;
}

WF_KERNEL(SmoothMove, a, i)
{
    if (i == 0) *a.used = 0;
    wfVec3 x = wfXyz(a.x[i]), way = MotionOf(a.nodes, a.inverseCell, x);
    way = wfScale(way, a.share / fmaxf(1.0f, wfFromOrder(*a.excess)));
    float length = wfLength(way);
    if (length > a.longest) way = wfScale(way, a.longest / length);
    wfVec3 smooth = wfAdd(x, way), end = wfMulAdd(x, a.left, way);
    bool held = a.base[i].w < 0.0f;
    wfVec4 plane;
    // Bodies are where they are at the end of the step. What they push beyond the smooth motion, evenly over the rounds that are left.
    wfVec3 off = wfScale(wfSub(wfRepulsion_OutOfBodies(&a.bodies, end, a.clear[i], &plane), end), 1.0f / a.left);
    if (held) off = wfSub(HeldOnWay(x, wfXyz(a.base[i]), smooth), smooth);
    float distance = wfLength(off), most = held ? a.astrayHeld : a.astray;
    if (held ? wfDistance(wfXyz(a.base[i]), x) > a.hasteHeld : distance - most > a.hasteDepth) wfRaise(&a.verdict->haste, 1, i);
    wfVec3 out = wfMulAdd(smooth, distance > most ? most / distance : 1.0f, off);
    plane.w = fminf(plane.w, wfDot(wfXyz(plane), out)); // the rest of it in the rounds that follow
    a.before[i] = a.x[i];
    a.smooth[i] = wfMake4(smooth, 0.0f);
    a.init[i] = wfMake4(out, held ? 1.0f : 0.0f);
    a.plane[i] = plane;
}
