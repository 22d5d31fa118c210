// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/carry_kernels.h"

#include "collide/bounds.h"
#include "compute/kernel.h"
#include "contact/impulse_kernels.h"

// Of the square of all pushes at a vertex: below that they are as good as even, and its motion says nothing of them.
static const float s_even = 1e-3f;

WF_FN bool AreEdges(const wfTouch* touch) { return touch->w[1] > 0.0f; }

/// As every pair has a vertex of a cloth, and these come before those of colliders, this is one.
WF_FN int LowestOf(const wfQuad* q) {
    int lowest = q->v[0];
    for (int k = 1; k < 4; ++k)
        if (q->v[k] < lowest) lowest = q->v[k];
    return lowest;
}

/// [N] on what counts as positive.
WF_FN wfVec3 ForceOf(const wfResponse* r, float dt) { return wfScale(wfMulAdd(r->slip, r->push, r->normal), 1.0f / (dt * dt)); }

/// The body of a pair, as a surface; -1: both sides are cloth.
WF_FN int BodyOf(const wfQuad* q, const int* surfaceOf, int clothVertexCount) {
    int body = -1;
    for (int k = 0; k < 4; ++k)
        if (q->v[k] >= clothVertexCount) body = surfaceOf[q->v[k]];
    return body;
}

WF_KERNEL(CarryStay, a, i)
{
    int body = -1;
    bool squeezed = false;
    wfVec3 force = wfMake3(0.0f, 0.0f, 0.0f);
    float all = 0.0f, inverseMass = a.from[i].w;
    for (int e = a.first[i]; e < a.last[i]; ++e) {
        int contact = a.values[e] >> 2;
        wfTouch touch = a.touches[contact];
        wfResponse r = a.responses[contact];
        if (wfIsEdgeLimit(&touch) || !(r.push > 0.0f)) continue;
        int other = BodyOf(&touch.q, a.surfaceOf, a.clothVertexCount);
        squeezed = squeezed || (other >= 0 && body >= 0 && other != body);
        body = other >= 0 ? other : body;
        wfVec3 own = ForceOf(&r, a.dt);
        force = wfMulAdd(force, a.weights[e], own);
        all += fabsf(a.weights[e]) * wfLength(own);
    }
    float square = wfDot(force, force) + s_even * all * all, stays = 1.0f;
    if (inverseMass > 0.0f && square > 0.0f) {
        wfVec3 taken = wfScale(wfSub(wfXyz(a.after[i]), wfXyz(a.before[i])), 1.0f / (inverseMass * a.dt));
        float left = 1.0f - wfDot(taken, force) / square;
        stays = left > 0.0f ? wfLess(left, 1.0f) : 0.0f; // also where it is no number
    }
    a.stays[i] = wfMake4(wfMake3(squeezed ? 0.0f : stays, 0.0f, 0.0f), 0.0f);
}

WF_KERNEL(CarryFlag, a, i)
{
    wfTouch touch = a.touches[i];
    a.flags[i] = a.responses[i].push > 0.0f && !wfIsEdgeLimit(&touch);
}

WF_KERNEL(CarryKeys, a, i)
{ a.keys[i] = (uint32_t)LowestOf(&a.touches[a.list[i]].q); }

WF_KERNEL(CarryWrite, a, i)
{
    wfTouch touch = a.touches[a.list[i]];
    wfResponse r = a.responses[a.list[i]];
    float stays = 1.0f;
    for (int k = 0; k < 4; ++k)
        if (touch.q.v[k] < a.clothVertexCount && touch.w[k] != 0.0f) stays = wfLess(stays, a.stays[touch.q.v[k]].x);
    wfCarried out;
    out.q = touch.q;
    out.force = wfScale(ForceOf(&r, a.dt), stays);
    out.edges = AreEdges(&touch);
    a.out[i] = out;
}

WF_KERNEL(CarryGive, a, i)
{
    wfTouch touch = a.touches[i];
    int lowest = LowestOf(&touch.q), at = 0, end = a.count;
    while (at < end) {
        int middle = at + (end - at) / 2;
        if (LowestOf(&a.carried[middle].q) < lowest)
            at = middle + 1;
        else
            end = middle;
    }
    wfVec3 force = wfMake3(0.0f, 0.0f, 0.0f); // of all: what was near may have met as well, and was then answered twice
    for (; at < a.count && LowestOf(&a.carried[at].q) == lowest; ++at) {
        wfCarried c = a.carried[at];
        bool same = (c.edges != 0) == AreEdges(&touch);
        for (int k = 0; k < 4; ++k) same = same && c.q.v[k] == touch.q.v[k];
        if (same) force = wfAdd(force, c.force);
    }
    wfResponse r = a.responses[i];
    force = wfScale(force, a.dt * a.dt);
    float push = wfDot(force, r.normal);
    if (!(push > r.push)) return;
    wfVec3 slip = wfMulAdd(force, -push, r.normal);
    r.push = r.aheadPush = push;
    r.slip = r.aheadSlip = wfScale(slip, wfLess(r.friction * push / wfMore(wfLength(slip), 1e-30f), 1.0f));
    a.responses[i] = r;
}
