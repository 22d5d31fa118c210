// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "compute/kernel.h"
#include "contact/repulsion_kernels.h"

// The start of a step: the displacement of the vertices, smoothed on a coarse grid (Wu et al. 2020, section 5.2). The grid repeats every
// wf_smoothSide cells, so that it needs no bounds: the motion stays continuous, it only mixes places that far apart.

static const float s_unit = 1048576.0f; // [1/m] whole numbers for sums: about a micrometre, up to 10⁴ m

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

WF_FN wfVec3 MotionAt(const wfVec4* nodes, int node) {
    wfVec4 n = nodes[node];
    return n.w > 0.0f ? wfScale(wfXyz(n), 1.0f / n.w) : wfMake3(0.0f, 0.0f, 0.0f);
}

/// The motion of the nodes at x, between them.
WF_FN wfVec3 MotionOf(const wfVec4* nodes, float inverseCell, wfVec3 at) {
    wfVec3 p = wfScale(at, inverseCell), way = wfMake3(0.0f, 0.0f, 0.0f);
    int x = (int)floorf(p.x), y = (int)floorf(p.y), z = (int)floorf(p.z);
    wfVec3 u = wfMake3(p.x - (float)x, p.y - (float)y, p.z - (float)z);
    for (int k = 0; k < 8; ++k) {
        float share = (k & 1 ? u.x : 1.0f - u.x) * (k & 2 ? u.y : 1.0f - u.y) * (k & 4 ? u.z : 1.0f - u.z);
        way = wfMulAdd(way, share, MotionAt(nodes, NodeAt(x + (k & 1), y + (k >> 1 & 1), z + (k >> 2))));
    }
    return way;
}

WF_KERNEL(SmoothLimit, a, i)
{
    float excess = 0.0f, steep = 0.0f;
    if (i >= wf_smoothNodes) {
        int v = i - wf_smoothNodes;
        wfVec4 plane;
        wfVec3 x = wfXyz(a.x[v]), way = MotionOf(a.nodes, a.inverseCell, x);
        wfRepulsion_OutOfBodies(&a.bodies, wfAdd(x, way), a.clear[v], &plane);
        excess = fmaxf(0.0f, -wfDot(way, wfXyz(plane))) / a.ontoBodies;
    } else if (a.nodes[i].w > 0.0f) {
        int x = i % wf_smoothSide, y = i / wf_smoothSide % wf_smoothSide, z = i / (wf_smoothSide * wf_smoothSide);
        wfVec3 mine = MotionAt(a.nodes, i);
        excess = wfLength(mine) / a.longest;
        for (int axis = 0; axis < 3; ++axis) {
            int other = NodeAt(x + (axis == 0), y + (axis == 1), z + (axis == 2));
            if (a.nodes[other].w > 0.0f) steep = fmaxf(steep, wfDistance(mine, MotionAt(a.nodes, other)) / a.steepest);
        }
    }
    wfRaiseMost(&a.excess[0], fmaxf(excess, steep));
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
    wfVec3 x = wfXyz(a.x[i]), way = MotionOf(a.nodes, a.inverseCell, x);
    way = wfScale(way, a.share / fmaxf(1.0f, wfFromOrder(*a.excess)));
    float length = wfLength(way);
    if (length > a.longest) way = wfScale(way, a.longest / length);
    wfVec3 smooth = wfAdd(x, way);
    bool held = a.base[i].w < 0.0f;
    wfVec4 plane;
    wfVec3 out = wfRepulsion_OutOfBodies(&a.bodies, smooth, a.clear[i], &plane);
    if (held) out = HeldOnWay(x, wfXyz(a.base[i]), smooth);
    wfVec3 off = wfSub(out, smooth);
    float distance = wfLength(off), most = held ? a.astrayHeld : a.astray;
    if (distance > most) { // the rest of it in the rounds that follow
        out = wfMulAdd(smooth, most / distance, off);
        plane.w = fminf(plane.w, wfDot(wfXyz(plane), out));
    }
    a.before[i] = a.x[i];
    a.smooth[i] = wfMake4(smooth, 0.0f);
    a.init[i] = wfMake4(out, held ? 1.0f : 0.0f);
    a.plane[i] = plane;
}
