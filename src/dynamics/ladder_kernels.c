// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/ladder_kernels.h"

#include "compute/kernel.h"

// There are few unknowns, and each has dozens of children or hundreds: one lane for all of these would wait for them one after the other.
// A lane reads a few shares at once, then what they are of.
enum { Lanes = wf_ladderLanes, Unknowns = WF_TILE / Lanes, Batch = WF_IN_FLIGHT(8) };

/// Every `lanes`-th share from k on, as many as a lane reads at once; behind the end come shares of 0.
WF_FN void LoadShares(const wfShares* rows, int k, int end, int lanes, int* items, float* shares) {
    WF_UNROLL(8)
    for (int n = 0; n < Batch; ++n) {
        bool on = k + n * lanes < end;
        items[n] = on ? rows->item[k + n * lanes] : 0;
        shares[n] = on ? rows->share[k + n * lanes] : 0.0f;
    }
}

/// Every `lanes`-th of what an unknown has shares of, from the first-th on: residuals, and as w what they weigh. No bounds: all move.
WF_FN wfVec4 SumOfShares(const wfShares* rows, const wfVec4* from, const float* bound, int i, int first, int lanes) {
    wfVec3 sum = wfMake3(0.0f, 0.0f, 0.0f);
    float weight = 0.0f;
    int end = rows->start[i + 1];
    for (int k = rows->start[i] + first; k < end; k += Batch * lanes) {
        int items[Batch];
        float shares[Batch];
        wfVec4 fine[Batch];
        LoadShares(rows, k, end, lanes, items, shares);
        WF_UNROLL(8)
        for (int n = 0; n < Batch; ++n) fine[n] = from[items[n]];
        WF_UNROLL(8)
        for (int n = 0; n < Batch; ++n) {
            bool moves = bound == 0 || fine[n].w >= 0.0f;
            sum = wfMulAdd(sum, moves ? shares[n] : 0.0f, wfXyz(fine[n]));
            weight += shares[n] * (moves ? fine[n].w : bound[items[n]]);
        }
    }
    return wfMake4(sum, weight);
}

WF_FN wfVec4 SumOf(const wfVec4* parts, int count, int stride) {
    wfVec4 sum = parts[0];
    for (int k = 1; k < count; ++k) {
        wfVec4 part = parts[k * stride];
        sum = wfMake4(wfAdd(wfXyz(sum), wfXyz(part)), sum.w + part.w);
    }
    return sum;
}

/// How far an unknown goes by itself.
WF_FN wfVec3 OwnWay(wfVec4 residual, const wfDescentControl* control, float bound) {
    return wfScale(wfXyz(residual), 1.0f / (residual.w + control->scale * bound));
}

WF_TILE_KERNEL(LadderDown, a, tile)
{
    WF_SHARED wfVec4 parts[WF_TILE], sums[Unknowns];
    bool wide = tile < a.wide;
    int first = wide ? a.narrow + tile : (tile - a.wide) * Unknowns, end = wide ? first + 1 : a.narrow;
    WF_LANES (t, WF_TILE) {
        int i = wide ? first : first + t / Lanes;
        if (i < end) parts[t] = SumOfShares(&a.children, a.fine, a.fineBound, i, wide ? t : t % Lanes, wide ? WF_TILE : Lanes);
    }
    WF_SYNC();
    WF_LANES (t, Unknowns) {
        if (wide || first + t < end) sums[t] = SumOf(parts + (wide ? t : t * Lanes), Lanes, wide ? Unknowns : 1);
    }
    WF_SYNC();
    WF_LANES (t, Unknowns) {
        int i = first + t;
        if (i < end) {
            wfVec4 residual = wide ? SumOf(sums, Unknowns, 1) : sums[t];
            a.way[i] = wfMake4(OwnWay(residual, a.control, a.bound[i]), 0.0f);
            if (wide && a.wideResidual != 0) a.wideResidual[tile] = residual;
        }
    }
}

WF_TILE_KERNEL(LadderUp, a, tile)
{
    WF_SHARED wfVec4 parts[WF_TILE];
    int first = tile * Unknowns;
    WF_LANES (t, WF_TILE) {
        int i = first + t / Lanes;
        if (i < a.count) parts[t] = SumOfShares(&a.parents, a.coarse, 0, i, t % Lanes, Lanes);
    }
    WF_SYNC();
    WF_LANES (t, Unknowns) {
        int i = first + t;
        if (i < a.count) a.way[i] = wfMake4(wfAdd(wfXyz(a.way[i]), wfXyz(SumOf(parts + t * Lanes, Lanes, 1))), 0.0f);
    }
}

WF_TILE_KERNEL(LadderStep, a, tile)
{
#define EACH_PART(DO)      DO(px) DO(py) DO(pz) DO(pw) DO(ox) DO(oy) DO(oz) DO(ow) DO(bx) DO(by) DO(bz) DO(cx) DO(cy) DO(cz) DO(sx) DO(sy) DO(sz)
#define PRIVATE_PART(part) WF_PRIVATE(float, part);
    EACH_PART(PRIVATE_PART)
    int first = tile * WF_TILE, since = a.control->since + a.index;
    float more = since < 0 ? 0.0f : a.omegas[since < a.omegaCount ? since : a.omegaCount - 1] - 1.0f;
    WF_WARPS(w) {
        if (first + w * WF_WARP < a.count) {
            int warp = tile * (WF_TILE / WF_WARP) + w;
            WF_WARP_LANES(t, w) { WF_MINE(sx, t) = WF_MINE(sy, t) = WF_MINE(sz, t) = 0.0f; }
            // Ahead of the shares, so that they are on their way meanwhile.
            WF_WARP_GATHER4(px, py, pz, pw, a.x, t, w, first + t < a.count ? first + t : a.count - 1);
            WF_WARP_GATHER4(ox, oy, oz, ow, a.own, t, w, first + t < a.count ? first + t : a.count - 1);
            WF_WARP_GATHER3(bx, by, bz, a.out, t, w, first + t < a.count ? first + t : a.count - 1);
            for (int row = a.parents.start[warp]; row < a.parents.start[warp + 1]; ++row) {
                int at = (row - w) * WF_WARP;
                WF_WARP_GATHER3(cx, cy, cz, a.coarse, t, w, a.parents.item[at + t]);
                WF_WARP_LANES(t, w) {
                    float share = a.parents.share[at + t];
                    WF_MINE(sx, t) += share * WF_MINE(cx, t);
                    WF_MINE(sy, t) += share * WF_MINE(cy, t);
                    WF_MINE(sz, t) += share * WF_MINE(cz, t);
                }
            }
            WF_WARP_LANES(t, w) {
                float weight = WF_MINE(ow, t);
                bool shared = weight >= 0.0f;
                bool on = more > 0.0f && weight > -INFINITY; // else the iterate before may not even be a number
                float x = WF_MINE(px, t) + WF_MINE(ox, t) + (shared ? WF_MINE(sx, t) : 0.0f);
                float y = WF_MINE(py, t) + WF_MINE(oy, t) + (shared ? WF_MINE(sy, t) : 0.0f);
                float z = WF_MINE(pz, t) + WF_MINE(oz, t) + (shared ? WF_MINE(sz, t) : 0.0f);
                WF_MINE(px, t) = on ? x + more * (x - WF_MINE(bx, t)) : x;
                WF_MINE(py, t) = on ? y + more * (y - WF_MINE(by, t)) : y;
                WF_MINE(pz, t) = on ? z + more * (z - WF_MINE(bz, t)) : z;
            }
            WF_WARP_STORE4(a.out, px, py, pz, pw, w, first, a.count);
        }
    }
#undef EACH_PART
#undef PRIVATE_PART
}
