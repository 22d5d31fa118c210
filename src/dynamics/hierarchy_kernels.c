// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/hierarchy_kernels.h"

#include "compute/kernel.h"

/// A coarse vertex is held where it is so in the finer mesh. A vertex that is held there and is none of the coarse ones holds those that
/// it goes with for a good part, too; or, where the way is not far, it holds its parents back with the stiffness of the cloth about it:
/// so much it would answer if they moved without it. Targets are shared out as ways from where the children are: the children of a vertex
/// at the rim all lie on one side of it, and their mean place would pull it there.
/// A correction (with a gradient) starts from where the coarse mesh was left, not from the fine vertices: in folds that only the finer mesh
/// can follow these lie nearer to each other than the coarse mesh may, which answers by buckling. Any start will do that is near and at
/// rest: only the way from there goes up, and there is none where the shared-out gradient is zero.
WF_KERNEL(Restrict, a, i)
{
    int own = a.fineOf[i];
    wfVec4 x = a.gradient != 0 ? a.coarseX[i] : a.x[own];
    float weight = 0.0f;
    wfVec3 sum = wfMake3(0.0f, 0.0f, 0.0f);
    bool held = a.target[own].w < 0.0f;
    for (int k = a.childStart[i]; k < a.childStart[i + 1]; ++k) {
        int child = a.child[k];
        float share = a.share[k];
        wfVec4 target = a.target[child];
        if (target.w < 0.0f) {
            held = held || (a.gradient == 0 && share > 0.25f);
            weight += share > 0.0f && a.gradient != 0 ? share * a.bound[child] : 0.0f;
        } else {
            weight += share * target.w;
            if (a.gradient != 0) {
                wfVec3 inertia = wfScale(wfSub(wfXyz(a.x[child]), wfXyz(target)), target.w);
                sum = wfMulAdd(sum, share, wfAdd(wfXyz(a.gradient[child]), inertia));
            } else {
                sum = wfMulAdd(sum, share * target.w, wfSub(wfXyz(target), wfXyz(a.x[child])));
            }
        }
    }
    a.coarseX[i] = x;
    a.before[i] = x;
    // Children outside of their triangle have negative shares; should they outweigh the others, the vertex waits.
    if (held || !(weight > 0.0f))
        a.coarseTarget[i] = wfMake4(wfXyz(x), -1.0f);
    else
        a.coarseTarget[i] = wfMake4(a.gradient != 0 ? sum : wfMulAdd(wfXyz(x), 1.0f / weight, sum), weight);
}

/// w/2 |y - x|² + (r - g)·y has its middle at x + (g - r) / w: with it the coarse energy falls at x as the fine one does.
WF_KERNEL(FoldTau, a, i)
{
    wfVec4 target = a.target[i];
    if (target.w < 0.0f) return;
    wfVec3 rest = wfSub(wfXyz(a.gradient[i]), wfXyz(target));
    a.target[i] = wfMake4(wfMulAdd(wfXyz(a.x[i]), 1.0f / target.w, rest), target.w);
}

WF_KERNEL(Inject, a, i)
{ a.out[i] = a.x[a.fineOf[i]]; }

WF_KERNEL(Prolong, a, i)
{
    wfVec4 x = a.x[i], target = a.target[i];
    wfVec3 way = wfMake3(0.0f, 0.0f, 0.0f);
    if (target.w >= 0.0f) {
        wfProlongation p = a.prolong[i];
        for (int k = 0; k < 3; ++k) way = wfMulAdd(way, p.weight[k], wfSub(wfXyz(a.coarseX[p.parent[k]]), wfXyz(a.before[p.parent[k]])));
    }
    if (a.gradient != 0) {
        wfVec3 inertia = wfScale(wfSub(wfXyz(x), wfXyz(target)), target.w);
        a.slope[i] = wfDot(way, wfAdd(wfXyz(a.gradient[i]), inertia));
    }
    a.out[i] = wfMake4(wfAdd(wfXyz(x), way), x.w);
}

/// The lowest of what was tried; after that, the parabola through the start, its slope and the last try. Far ways are no parabolas, they
/// rise with the fourth power where cloth turns: the next one is the better for a nearer try. Anything that is not a number stays at the
/// start.
WF_KERNEL(ChooseLength, a, i)
{
    (void)i;
    wfSearch s = *a.search;
    float length = a.first ? 1.0f : s.length, rise = s.tried - s.start;
    if (a.first) {
        s.best = 0.0f;
        s.lowest = s.start;
    }
    if (s.tried < s.lowest) {
        s.best = length;
        s.lowest = s.tried;
    }
    float curve = rise - length * s.slope;
    s.length = s.slope < 0.0f && curve > 0.0f ? -0.5f * s.slope * length * length / curve : length;
    s.length = a.last ? s.best : s.length > 1.5f ? 1.5f : s.length;
    *a.search = s;
}

WF_KERNEL(GoAlong, a, i)
{
    wfVec4 x = a.x[i];
    float length = a.search->length;
    if (length == 0.0f) { // the end may be no number
        a.out[i] = x;
        return;
    }
    a.out[i] = wfMake4(wfLerp(wfXyz(x), wfXyz(a.whole[i]), length), x.w);
}

WF_KERNEL(KeepLower, a, i)
{
    if (!(a.search->tried <= a.search->start)) a.x[i] = a.saved[i];
}
