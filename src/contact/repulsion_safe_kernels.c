// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "compute/kernel.h"
#include "contact/repulsion_kernels.h"

static const float s_bodyPush = 8.0f; // as in the soft phase

enum { Batch = 4, Lanes = wf_repulsionLanes, Slice = wf_repulsionSlice };

/// Whether one of a lane's constraints of vertex i fails.
WF_FN int Fails(const RepulsionCheckArgs* a, int i, int lane) {
    wfVec3 from = wfXyz(a->from[i]), to = wfXyz(a->to[i]);
    int failed = 0;
    for (int k = lane; k < a->ring.counts[i]; k += Lanes) {
        int item = a->ring.items[k * a->ring.count + i];
        if (wfRepulsion_Kind(item) != wf_repelEdge) break;
        wfVec3 d = wfSub(to, wfXyz(a->to[wfRepulsion_Vertex(item)]));
        if (!(wfRepulsion_Constraint(&a->rules, wf_repelEdge, d) >= a->cond)) failed = 1;
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
    for (int k = group < 0 ? 0 : a.welds.start[group]; k < (group < 0 ? 0 : a.welds.start[group + 1]); ++k)
        label |= a.flags[a.welds.item[k]];
    a.labels[i] = label;
    a.x[i] = label ? a.before[i] : a.soft[i];
}

/// |x - x_init|² - mu sum log f(c); a pair of two that both move is shared between them.
WF_FN wfVec3 HardTerms(const HardGradientArgs* a, int i, float* value) {
    wfVec3 x = wfXyz(a->x[i]), gradient = wfMake3(0.0f, 0.0f, 0.0f);
    *value = 0.0f;
    if (!a->labels[i] || a->init[i].w != 0.0f) return gradient;
    wfVec3 off = wfSub(x, wfXyz(a->init[i]));
    *value = wfLengthSq(off);
    gradient = wfScale(off, 2.0f);
    for (int row = 0; row < 2; ++row) {
        int count = row == 0 ? a->ring.counts[i] : a->near.counts[i];
        for (int k = 0; k < count; ++k) {
            int item = row == 0 ? a->ring.items[k * a->ring.count + i] : a->near.items[a->near.start[i] + k];
            int j = row == 0 ? wfRepulsion_Vertex(item) : item, kind = row == 0 ? wfRepulsion_Kind(item) : wf_repelPair;
            if (kind == wf_repelRing) continue;
            wfVec3 d = wfSub(x, wfXyz(a->x[j]));
            float slope, f = wfRepulsion_Barrier(wfRepulsion_Constraint(&a->rules, kind, d), a->rules.slack, &slope);
            if (slope == 0.0f) continue;
            float share = a->labels[j] && a->init[j].w == 0.0f ? 0.5f : 1.0f;
            *value -= share * a->barrier * logf(fmaxf(f, 1e-30f) / a->rules.slack);
            gradient = wfMulAdd(gradient, (kind == wf_repelEdge ? 2.0f : -2.0f) * a->barrier * slope / fmaxf(f, 1e-30f), d);
        }
    }
    wfVec4 plane = a->plane[i];
    float depth = plane.w - wfDot(wfXyz(plane), x);
    if (depth > 0.0f && wfLengthSq(wfXyz(plane)) > 0.0f) {
        *value += s_bodyPush * depth * depth;
        gradient = wfMulAdd(gradient, -2.0f * s_bodyPush * depth, wfXyz(plane));
    }
    return gradient;
}

/// What is sewn moves as one, by the mean of its gradients; not at all where one of it is held.
WF_FN wfVec3 SewnGradient(const HardGradientArgs* a, int group) {
    wfVec3 sum = wfMake3(0.0f, 0.0f, 0.0f);
    int first = a->welds.start[group], end = a->welds.start[group + 1];
    for (int k = first; k < end; ++k) {
        float value;
        if (a->init[a->welds.item[k]].w != 0.0f) return wfMake3(0.0f, 0.0f, 0.0f);
        sum = wfAdd(sum, HardTerms(a, a->welds.item[k], &value));
    }
    return wfScale(sum, 1.0f / (float)(end - first));
}

WF_KERNEL(HardGradient, a, i)
{
    float value;
    int group = wfRepulsion_Weld(&a.welds, i);
    wfVec3 gradient = HardTerms(&a, i, &value);
    if (group >= 0) gradient = SewnGradient(&a, group);
    a.gradient[i] = wfMake4(gradient, 0.0f);
    a.value[i] = value;
    a.slope[i] = wfLengthSq(gradient);
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
    wfVec4 x = a.x[i];
    a.out[i] = wfMake4(wfMulAdd(wfXyz(x), -a.length, wfXyz(a.gradient[i])), x.w);
}

WF_KERNEL(HardFollow, a, i)
{
    wfVec4 y = a.y[i];
    a.y[i] = wfMake4(wfAdd(wfXyz(y), wfSub(wfXyz(a.x[i]), wfXyz(a.soft[i]))), y.w);
}
