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

WF_KERNEL(MarkFlags, a, i)
{ a.ones[i] = a.flags[i] != 0; }

/// Over count + 1 items: the last one writes how many there are.
WF_KERNEL(ScatterFlagged, a, i)
{
    if (i == a.count)
        *a.outCount = a.offsets[i];
    else if (a.flags[i] != 0)
        a.out[a.offsets[i]] = i;
}
