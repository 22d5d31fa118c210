// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/ladder_kernels.h"

#include "compute/kernel.h"

WF_FN wfVec3 Shared(const wfShares* rows, int i, const wfVec4* from) {
    wfVec3 sum = wfMake3(0.0f, 0.0f, 0.0f);
    for (int k = rows->start[i]; k < rows->start[i + 1]; ++k) sum = wfMulAdd(sum, rows->share[k], wfXyz(from[rows->item[k]]));
    return sum;
}

// There are few unknowns, and each has dozens of children: one lane for all of these would wait for them one after the other.
enum { Lanes = wf_ladderLanes, Unknowns = WF_TILE / Lanes };

WF_TILE_KERNEL(LadderDown, a, tile)
{
    WF_SHARED wfVec4 parts[WF_TILE];
    WF_LANES (t, WF_TILE) {
        int i = tile * Unknowns + t / Lanes;
        wfVec3 sum = wfMake3(0.0f, 0.0f, 0.0f);
        float weight = 0.0f;
        for (int k = i < a.count ? a.children.start[i] + t % Lanes : 0; i < a.count && k < a.children.start[i + 1]; k += Lanes) {
            int child = a.children.item[k];
            float share = a.children.share[k];
            wfVec4 fine = a.fine[child];
            bool moves = fine.w >= 0.0f;
            sum = wfMulAdd(sum, moves ? share : 0.0f, wfXyz(fine));
            weight += share * (moves ? fine.w : a.fineBound[child]);
        }
        parts[t] = wfMake4(sum, weight);
    }
    WF_SYNC();
    WF_LANES (t, Unknowns) {
        int i = tile * Unknowns + t;
        wfVec4 sum = parts[t * Lanes];
        for (int k = 1; k < Lanes; ++k) {
            wfVec4 part = parts[t * Lanes + k];
            sum = wfMake4(wfAdd(wfXyz(sum), wfXyz(part)), sum.w + part.w);
        }
        if (i < a.count) a.out[i] = sum;
    }
}

WF_KERNEL(LadderUp, a, i)
{
    wfVec4 residual = a.residual[i];
    wfVec3 way = wfScale(wfXyz(residual), 1.0f / (residual.w + a.control->scale * a.bound[i]));
    if (a.coarse != 0) way = wfAdd(way, Shared(&a.parents, i, a.coarse));
    a.out[i] = wfMake4(way, 0.0f);
}

WF_KERNEL(LadderStep, a, i)
{
    int since = a.control->since + a.index;
    float more = since < 0 ? 0.0f : a.omegas[since < a.omegaCount ? since : a.omegaCount - 1] - 1.0f;
    wfVec4 x = a.x[i], residual = a.residual[i];
    wfVec3 y = wfXyz(x);
    if (residual.w > -INFINITY) {
        y = wfMulAdd(y, 1.0f / (fabsf(residual.w) + a.control->scale * a.bound[i]), wfXyz(residual));
        if (residual.w >= 0.0f) y = wfAdd(y, Shared(&a.parents, i, a.coarse));
        if (more > 0.0f) y = wfMulAdd(y, more, wfSub(y, wfXyz(a.out[i]))); // else it may not even be a number
    }
    a.out[i] = wfMake4(y, x.w);
}
