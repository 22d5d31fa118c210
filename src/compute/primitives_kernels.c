// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "compute/primitives_kernels.h"

#include "compute/kernel.h"

// Reductions over tiles. The tree is the same on every backend, so the sums are the same bits.

WF_TILE_KERNEL(TileSum, a, tile)
{
    WF_SHARED float s[WF_TILE];
    WF_LANES (t, WF_TILE) {
        float sum = 0.0f;
        for (int k = 0; k < wf_reduceRun; ++k) {
            int i = tile * wf_reduceTile + k * WF_TILE + t;
            if (i < a.count) sum += a.times ? a.in[i] * a.times[i] : a.in[i];
        }
        s[t] = sum;
    }
    WF_SYNC();
    for (int h = WF_TILE / 2; h > 0; h /= 2) {
        WF_LANES (t, h) { s[t] += s[t + h]; }
        WF_SYNC();
    }
    WF_LANES (t, 1) { a.out[tile] = s[t]; }
}

/// Whether (v, i) comes before (w, j): larger, NaN largest of all, the lower index where equal.
WF_FN bool Exceeds(float v, int i, float w, int j) {
    bool vn = isnan(v), wn = isnan(w);
    if (vn != wn) return vn;
    if (!vn && v != w) return v > w;
    return i < j;
}

WF_TILE_KERNEL(TileMaxIndex, a, tile)
{
    WF_SHARED float s[WF_TILE];
    WF_SHARED int at[WF_TILE];
    WF_LANES (t, WF_TILE) {
        float best = -INFINITY;
        int bestIndex = 0x7fffffff;
        for (int k = 0; k < wf_reduceRun; ++k) {
            int i = tile * wf_reduceTile + k * WF_TILE + t;
            if (i < a.count) {
                int index = a.inIndex ? a.inIndex[i] : i;
                if (Exceeds(a.in[i], index, best, bestIndex)) {
                    best = a.in[i];
                    bestIndex = index;
                }
            }
        }
        s[t] = best;
        at[t] = bestIndex;
    }
    WF_SYNC();
    for (int h = WF_TILE / 2; h > 0; h /= 2) {
        WF_LANES (t, h) {
            if (Exceeds(s[t + h], at[t + h], s[t], at[t])) {
                s[t] = s[t + h];
                at[t] = at[t + h];
            }
        }
        WF_SYNC();
    }
    WF_LANES (t, 1) {
        a.out[tile] = s[t];
        a.outIndex[tile] = at[t] == 0x7fffffff ? -1 : at[t];
    }
}

WF_KERNEL(SegmentedSum, a, i)
{
    float sum = 0.0f;
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) sum += a.in[k];
    a.out[i] = sum;
}

/// How many flags are set in the run of a lane.
WF_FN int CountRun(const int* flags, int first, int count) {
    int set = 0, last = first + wf_reduceRun < count ? first + wf_reduceRun : count;
    for (int i = first; i < last; ++i) set += flags[i] != 0;
    return set;
}

WF_TILE_KERNEL(CountFlags, a, tile)
{
    WF_SHARED int s[WF_TILE];
    WF_LANES (t, WF_TILE) { s[t] = CountRun(a.flags, tile * wf_reduceTile + t * wf_reduceRun, a.count); }
    WF_SYNC();
    for (int h = WF_TILE / 2; h > 0; h /= 2) {
        WF_LANES (t, h) { s[t] += s[t + h]; }
        WF_SYNC();
    }
    WF_LANES (t, 1) { a.counts[tile] = s[t]; }
}

WF_TILE_KERNEL(ListFlags, a, tile)
{
    WF_SHARED int sums[2][WF_TILE];
    int first = a.offsets[tile], from = 0;
    if (tile == 0 && a.outCount != 0)
        WF_LANES (t, 1) { a.outCount[t] = a.offsets[a.tileCount]; }
    if (a.offsets[tile + 1] == first) return; // most tiles have none
    WF_LANES (t, WF_TILE) { sums[0][t] = CountRun(a.flags, tile * wf_reduceTile + t * wf_reduceRun, a.count); }
    for (int step = 1; step < WF_TILE; step *= 2) {
        WF_SYNC();
        WF_LANES (t, WF_TILE) { sums[1 - from][t] = sums[from][t] + (t >= step ? sums[from][t - step] : 0); }
        from = 1 - from;
    }
    WF_SYNC();
    WF_LANES (t, WF_TILE) {
        int at = first + (t > 0 ? sums[from][t - 1] : 0), end = first + sums[from][t];
        for (int i = tile * wf_reduceTile + t * wf_reduceRun; at < end; ++i)
            if (a.flags[i] != 0) a.out[at++] = i;
    }
}
