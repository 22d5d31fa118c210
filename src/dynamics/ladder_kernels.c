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
            WF_WARP_GATHER4(px, py, pz, pw, a.x, t, w, first + t < a.count ? first + t : a.count - 1);
            WF_WARP_GATHER4(ox, oy, oz, ow, a.own, t, w, first + t < a.count ? first + t : a.count - 1);
            WF_WARP_GATHER3(bx, by, bz, a.out, t, w, first + t < a.count ? first + t : a.count - 1);
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
