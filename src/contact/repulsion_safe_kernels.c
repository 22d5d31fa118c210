// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "compute/kernel.h"
#include "contact/repulsion_kernels.h"

static const float s_bodyPush = 8.0f;    // as in the soft phase
static const float s_leastRoom = 1e-9f;  // of the slack: what a barrier takes as left where a constraint is at its limit
static const float s_leastEdge = 0.05f;  // of an edge that may be longer than L: from there on its barrier goes on straight
static const float s_leastShare = 0.01f; // of a step's length: below it a vertex waits for others

enum { Batch = 4, Lanes = wf_repulsionLanes, Slice = wf_repulsionSlice };

/// Whether one of a lane's constraints of vertex i fails.
WF_FN int Fails(const RepulsionCheckArgs* a, int i, int lane) {
    wfVec3 from = wfXyz(a->from[i]), to = wfXyz(a->to[i]);
    int failed = 0;
    for (int k = lane; k < a->ring.counts[i]; k += Lanes) {
        int item = a->ring.items[k * a->ring.count + i];
        if (wfRepulsion_Kind(item) != wf_repelEdge) break;
        wfVec3 d = wfSub(to, wfXyz(a->to[wfRepulsion_Vertex(item)]));
        if (!(wfRepulsion_Condition(&a->rules, wf_repelEdge, d) >= a->cond)) failed = 1;
    }
    int count = a->near.counts[i];
    const int* row = a->near.items + a->near.start[i];
    for (int first = lane; first < count; first += Batch * Lanes) { // as in repulsion_kernels.c
        int others[Batch];
        wfVec3 before[Batch], after[Batch];
        WF_UNROLL(4)
        for (int k = 0; k < Batch; ++k) others[k] = row[first + k * Lanes < count ? first + k * Lanes : first];
        WF_UNROLL(4)
        for (int k = 0; k < Batch; ++k) {
            before[k] = wfSub(from, wfXyz(a->from[others[k]]));
            after[k] = wfSub(to, wfXyz(a->to[others[k]]));
        }
        WF_UNROLL(4)
        for (int k = 0; k < Batch; ++k) {
            if (!(wfRepulsion_Constraint(&a->rules, wf_repelPair, after[k]) >= a->cond)) failed = 1;
            if (!(wfRepulsion_NearestSq(before[k], after[k]) >= a->rules.leastSq)) failed = 1;
        }
    }
    return failed;
}

/// How far a vertex has gone since near rows were listed; in the start of a step that is kept, and what comes then counts from here.
WF_FN float WayOf(const RepulsionCheckArgs* a, int i) {
    wfVec3 to = wfXyz(a->to[i]);
    wfVec4 nearAt = a->nearAt[i];
    if (a->smooth == 0) return wfDistance(to, wfXyz(nearAt)) + nearAt.w;
    float way = nearAt.w + wfDistance(to, wfXyz(a->smooth[i])) + a->shrink * fminf(1.0f, wfFromOrder(*a->steep));
    a->nearAt[i] = wfMake4(to, way);
    return way;
}

WF_TILE_KERNEL(RepulsionCheck, a, tile)
{
    WF_SHARED int failed[WF_TILE];
    WF_LANES (t, WF_TILE) {
        int i = tile * Slice + t / Lanes;
        failed[t] = i < a.count && (a.only == 0 || a.only[i]) ? Fails(&a, i, t % Lanes) : 0;
    }
    WF_SYNC();
    WF_LANES (t, Slice) {
        int i = tile * Slice + t;
        if (i < a.count) {
            float way = WayOf(&a, i);
            int any = !(way <= a.farthest);
            for (int k = 0; k < Lanes; ++k) any |= failed[t * Lanes + k];
            if (a.flags != 0) a.flags[i] = any;
            if (a.verdict != 0 && any) wfRaise(&a.verdict->violated, 1, i);
            if (a.verdict != 0 && !(way <= a.soon)) wfRaise(&a.verdict->moved, 1, i);
        }
    }
}

WF_KERNEL(RepulsionLabel, a, i)
{
    int label = a.labels[i] | a.flags[i], group = wfRepulsion_Weld(&a.welds, i);
    for (int k = group < 0 ? 0 : group; k < (group < 0 ? 0 : a.welds.end[group]); ++k) label |= a.flags[a.welds.item[k]];
    a.labels[i] = label;
    a.x[i] = label ? a.before[i] : a.soft[i];
}

/// Of a vertex, or of all that move as one.
typedef struct Descent {
    wfVec3 gradient;
    float value, bound; // bound: of how much the gradient grows where this vertex and its others move
} Descent;

/// |x - x_init|² - mu sum log f(c); a pair of two that both move is shared between them. Near its limit a constraint is as steep as it is
/// near: over its bound it goes as far as it has room, and one of them does not cut the steps of all.
WF_FN Descent HardTerms(const HardGradientArgs* a, int i) {
    wfVec3 x = wfXyz(a->x[i]);
    Descent sum;
    sum.gradient = wfMake3(0.0f, 0.0f, 0.0f);
    sum.value = 0.0f;
    sum.bound = 2.0f;
    if (!a->labels[i] || a->init[i].w != 0.0f) return sum;
    wfVec3 off = wfSub(x, wfXyz(a->init[i]));
    sum.value = wfLengthSq(off);
    sum.gradient = wfScale(off, 2.0f);
    for (int row = 0; row < 2; ++row) {
        int count = row == 0 ? a->ring.counts[i] : a->near.counts[i];
        for (int k = 0; k < count; ++k) {
            int item = row == 0 ? a->ring.items[k * a->ring.count + i] : a->near.items[a->near.start[i] + k];
            int j = row == 0 ? wfRepulsion_Vertex(item) : item, kind = row == 0 ? wfRepulsion_Kind(item) : wf_repelPair;
            if (kind == wf_repelRing) continue;
            wfVec3 d = wfSub(x, wfXyz(a->x[j]));
            float slope, f = wfRepulsion_Barrier(wfRepulsion_Constraint(&a->rules, kind, d), a->rules.slack, &slope);
            if (slope == 0.0f) continue;
            bool open = kind == wf_repelEdge && a->rules.acceptSq > a->rules.mostSq; // no end, but a pull back to L
            float least = (open ? s_leastEdge : s_leastRoom) * a->rules.slack, beyond = open ? fmaxf(least - f, 0.0f) / least : 0.0f;
            f = fmaxf(f, least);
            float share = a->labels[j] && a->init[j].w == 0.0f ? 0.5f : 1.0f, steep = slope / f;
            sum.value -= share * a->barrier * (logf(f / a->rules.slack) - beyond);
            sum.gradient = wfMulAdd(sum.gradient, (kind == wf_repelEdge ? 2.0f : -2.0f) * a->barrier * steep, d);
            sum.bound += 2.0f * a->barrier * (4.0f * steep * steep * wfLengthSq(d) + 2.0f * steep);
        }
    }
    wfVec4 plane = a->plane[i];
    float depth = plane.w - wfDot(wfXyz(plane), x);
    if (depth > 0.0f && wfLengthSq(wfXyz(plane)) > 0.0f) {
        sum.value += s_bodyPush * depth * depth;
        sum.gradient = wfMulAdd(sum.gradient, -2.0f * s_bodyPush * depth, wfXyz(plane));
        sum.bound += 2.0f * s_bodyPush;
    }
    return sum;
}

/// What is sewn moves as one, by the mean of its gradients; not at all where one of it is held.
WF_FN Descent SewnTerms(const HardGradientArgs* a, int group) {
    Descent sum;
    sum.gradient = wfMake3(0.0f, 0.0f, 0.0f);
    sum.value = sum.bound = 0.0f;
    int first = group, end = a->welds.end[group];
    bool held = false;
    for (int k = first; k < end; ++k) {
        Descent one = HardTerms(a, a->welds.item[k]);
        held = held || a->init[a->welds.item[k]].w != 0.0f;
        sum.gradient = wfAdd(sum.gradient, one.gradient);
        sum.bound += one.bound;
    }
    if (held) sum.gradient = wfMake3(0.0f, 0.0f, 0.0f);
    return sum;
}

WF_KERNEL(HardGradient, a, i)
{
    int group = wfRepulsion_Weld(&a.welds, i);
    Descent terms = HardTerms(&a, i);
    a.value[i] = terms.value;
    if (group >= 0) terms = SewnTerms(&a, group);
    wfVec3 way = wfScale(terms.gradient, -1.0f / terms.bound);
    a.way[i] = wfMake4(way, 0.0f);
    a.slope[i] = wfLengthSq(way) * terms.bound / (group >= 0 ? (float)(a.welds.end[group] - group) : 1.0f);
}

WF_KERNEL(HardSpread, a, i)
{
    int near = a.labels[i];
    for (int k = 0; k < a.ring.counts[i]; ++k) {
        int item = a.ring.items[k * a.ring.count + i];
        if (a.edges && wfRepulsion_Kind(item) != wf_repelEdge) break; // edges come first
        near |= a.labels[wfRepulsion_Vertex(item)];
    }
    a.out[i] = near;
}

WF_KERNEL(HardMove, a, i)
{
    if (i == 0) *a.violated = ~(wfFaultSlot)0;
    int group = wfRepulsion_Weld(&a.welds, i), failed = a.flags[i];
    for (int k = group < 0 ? 0 : group; k < (group < 0 ? 0 : a.welds.end[group]); ++k) failed |= a.flags[a.welds.item[k]];
    float share = a.share[i];
    if (a.turn == wf_hardFirst) share = 1.0f;
    if (a.turn == wf_hardRetry && failed) share = share > s_leastShare ? 0.25f * share : 0.0f;
    if (a.turn == wf_hardNext) share = fminf(1.0f, 2.0f * fmaxf(share, s_leastShare));
    a.share[i] = share;
    wfVec4 x = a.x[i];
    a.out[i] = wfMake4(wfMulAdd(wfXyz(x), a.length * share, wfXyz(a.way[i])), x.w);
}

WF_KERNEL(HardFollow, a, i)
{
    wfVec4 y = a.y[i];
    a.y[i] = wfMake4(wfAdd(wfXyz(y), wfSub(wfXyz(a.x[i]), wfXyz(a.soft[i]))), y.w);
}
