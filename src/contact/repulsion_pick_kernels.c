// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "compute/kernel.h"
#include "contact/repulsion_kernels.h"

// Picks what acts of what is near. A tile takes a slice of vertices, four lanes a vertex, each every fourth item: these count first and
// keep what they have found as bits; then the slice takes as much room as its longest row needs, and they fill it.

static const float s_growth = 0.01f;     // of the slack: how much of it a constraint gains in a step
static const float s_ringActive = 0.75f; // of the squared distance on the flat cloth: what is picked of pairs two edges apart
enum { Batch = 4, Word = 64, Lanes = wf_repulsionLanes, Slice = wf_repulsionSlice };

/// How far from its limit a constraint acts in this step, as wfRepulsionActive has it; startSq is where it began.
WF_FN wfVec2 ActOf(const wfRepulsionRules* rules, int kind, float restSq, float startSq, int cloth) {
    float limit = kind == wf_repelPair ? rules->pairSq : kind == wf_repelEdge ? rules->mostSq : wfRingLeast * restSq;
    float whole = kind == wf_repelRing ? (wfRingBegin - wfRingLeast) * restSq : rules->slack;
    float held = kind == wf_repelEdge ? limit - startSq : startSq - limit;
    wfVec2 act;
    act.x = kind == wf_repelPair ? (float)cloth : limit;
    bool beyond = kind == wf_repelEdge && held < 0.0f; // samples let it: what pulls it back is no wall
    act.y = 1.0f / (beyond ? whole : fminf(whole, fmaxf(held, 0.0f) + s_growth * whole));
    return act;
}

/// Which of a lane's neighbours within two edges act, from its `from`-th on, as bits.
WF_FN uint64_t RingBits(const RepulsionCollectArgs* a, int i, wfVec3 x, int lane, int from) {
    int count = a->ring.counts[i];
    uint64_t bits = 0;
    for (int b = 0; b < Word && (from + b) * Lanes + lane < count; b += Batch) {
        int items[Batch];
        float sq[Batch], restSq[Batch];
        WF_UNROLL(4)
        for (int k = 0; k < Batch; ++k) {
            int n = (from + b + k) * Lanes + lane, at = (n < count ? n : lane) * a->ring.count + i;
            items[k] = a->ring.items[at];
            restSq[k] = a->ringSq[at];
        }
        WF_UNROLL(4)
        for (int k = 0; k < Batch; ++k) sq[k] = wfLengthSq(wfSub(x, wfXyz(a->x[wfRepulsion_Vertex(items[k])])));
        WF_UNROLL(4)
        for (int k = 0; k < Batch; ++k) {
            bool edge = wfRepulsion_Kind(items[k]) == wf_repelEdge, last = (from + b + k) * Lanes + lane >= count;
            bool acts = edge ? sq[k] > a->rules.edgeSq : sq[k] < s_ringActive * restSq[k];
            if (acts && !last) bits |= (uint64_t)1 << (b + k);
        }
    }
    return bits;
}

/// The same of its near ones.
WF_FN uint64_t NearBits(const RepulsionCollectArgs* a, int i, wfVec3 x, int lane, int from) {
    int count = a->near.counts[i];
    const int* row = a->near.items + a->near.start[i];
    uint64_t bits = 0;
    for (int b = 0; b < Word && (from + b) * Lanes + lane < count; b += Batch) {
        int others[Batch];
        float sq[Batch];
        WF_UNROLL(4)
        for (int k = 0; k < Batch; ++k) {
            int n = (from + b + k) * Lanes + lane;
            others[k] = row[n < count ? n : lane];
        }
        WF_UNROLL(4)
        for (int k = 0; k < Batch; ++k) sq[k] = wfLengthSq(wfSub(x, wfXyz(a->x[others[k]])));
        WF_UNROLL(4)
        for (int k = 0; k < Batch; ++k)
            if (!(sq[k] > a->rules.activeSq) && (from + b + k) * Lanes + lane < count) bits |= (uint64_t)1 << (b + k);
    }
    return bits;
}

WF_FN void Put(const RepulsionCollectArgs* a, int i, int k, int item, float restSq) {
    int at = wfRepulsion_Place(&a->active, i, k);
    a->active.items[at] = item;
    int j = wfRepulsion_Vertex(item), kind = wfRepulsion_Kind(item);
    wfVec3 d = wfSub(wfXyz(a->xStart[i]), wfXyz(a->xStart[j]));
    a->active.acts[at] = ActOf(&a->rules, kind, restSq, wfLengthSq(d), kind == wf_repelPair ? a->clothOf[j] : 0);
}

WF_TILE_KERNEL(RepulsionCollect, a, tile)
{
    WF_SHARED int found[WF_TILE];
    WF_SHARED int start[1];
    WF_PRIVATE(uint64_t, ringBits);
    WF_PRIVATE(uint64_t, nearBits);
    WF_LANES (t, WF_TILE) {
        int i = tile * Slice + t / Lanes, lane = t % Lanes;
        found[t] = 0;
        WF_MINE(ringBits, t) = 0;
        WF_MINE(nearBits, t) = 0;
        if (i < a.ring.count) {
            wfVec4 x4 = a.x[i];
            wfVec3 x = wfXyz(x4);
            WF_MINE(ringBits, t) = RingBits(&a, i, x, lane, 0);
            WF_MINE(nearBits, t) = NearBits(&a, i, x, lane, 0);
            found[t] = WF_COUNT_BITS(WF_MINE(ringBits, t)) + WF_COUNT_BITS(WF_MINE(nearBits, t));
            for (int n = Word; n * Lanes + lane < a.ring.counts[i]; n += Word) found[t] += WF_COUNT_BITS(RingBits(&a, i, x, lane, n));
            for (int n = Word; n * Lanes + lane < a.near.counts[i]; n += Word) found[t] += WF_COUNT_BITS(NearBits(&a, i, x, lane, n));
            if (lane == 0) {
                wfVec4 nearAt = a.nearAt[i];
                a.at[i] = x4;
                if (a.nearMove >= 0.0f && !(wfDistance(x, wfXyz(nearAt)) + nearAt.w <= a.nearMove)) wfRaise(&a.verdict->far, 1, i);
                if (i == 0 && *a.near.used > a.near.room) wfRaise(&a.verdict->nearFull, 1, i);
            }
        }
    }
    WF_SYNC();
    WF_LANES (t, 1) {
        int most = 0;
        WF_UNROLL(8)
        for (int v = t; v < Slice; ++v) {
            int sum = 0;
            for (int k = 0; k < Lanes; ++k) sum += found[v * Lanes + k];
            most = sum > most ? sum : most;
        }
        long long size = (long long)most * Slice, at = wfTake(a.active.used, size);
        start[0] = at + size <= a.active.room ? (int)at : -1;
        a.active.start[tile] = start[0];
        if (start[0] < 0) wfRaise(&a.verdict->activeFull, 1, tile * Slice);
    }
    WF_SYNC();
    WF_LANES (t, WF_TILE) {
        int i = tile * Slice + t / Lanes, lane = t % Lanes, k = 0;
        if (i < a.ring.count) {
            for (int n = t - lane; n < t; ++n) k += found[n];
            if (lane == Lanes - 1) a.active.counts[i] = start[0] < 0 ? 0 : k + found[t];
            if (start[0] >= 0 && found[t] > 0) {
                wfVec3 x = wfXyz(a.x[i]);
                uint64_t bits = WF_MINE(ringBits, t);
                for (int n = 0; n * Lanes + lane < a.ring.counts[i]; n += Word) {
                    if (n > 0) bits = RingBits(&a, i, x, lane, n);
                    for (; bits != 0; bits &= bits - 1) {
                        int at = ((n + WF_LOWEST_BIT(bits)) * Lanes + lane) * a.ring.count + i;
                        Put(&a, i, k++, a.ring.items[at], a.ringSq[at]);
                    }
                }
                bits = WF_MINE(nearBits, t);
                const int* row = a.near.items + a.near.start[i];
                for (int n = 0; n * Lanes + lane < a.near.counts[i]; n += Word) {
                    if (n > 0) bits = NearBits(&a, i, x, lane, n);
                    for (; bits != 0; bits &= bits - 1)
                        Put(&a, i, k++, wfRepulsion_Item(row[(n + WF_LOWEST_BIT(bits)) * Lanes + lane], wf_repelPair), 0.0f);
                }
            }
        }
    }
}
