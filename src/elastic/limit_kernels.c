// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "elastic/limit_kernels.h"

#include "compute/kernel.h"

/// An edge as the limits see it: how far its ends will be apart along r at the end of the step, and between which two they should be.
typedef struct Reach {
    wfVec3 along; // unit vector of r; zero where the ends coincide: no impulse would keep angular momentum then
    float now, least, most;
} Reach;

/// Lengths |r + dt u| shall end between lo and hi. What moves aside no impulse along r can change; ends that move aside are not drawn
/// closer than `inner` for it.
WF_FN Reach MakeReach(wfVec3 r, wfVec3 u, float dt, float lo, float hi, float inner) {
    Reach reach;
    float length = wfLength(r);
    reach.along = length > 0.0f ? wfScale(r, 1.0f / length) : wfMake3(0.0f, 0.0f, 0.0f);
    wfVec3 end = wfMulAdd(r, dt, u);
    reach.now = wfDot(end, reach.along);
    float aside = fmaxf(wfLengthSq(end) - reach.now * reach.now, 0.0f);
    reach.least = sqrtf(fmaxf(lo * lo - aside, 0.0f));
    reach.most = fmaxf(sqrtf(fmaxf(hi * hi - aside, 0.0f)), inner);
    return reach;
}

/// Speed that an impulse of 1 gives a vertex.
WF_FN float Mobility(wfVec4 x, wfVec4 target) { return target.w < 0.0f ? 0.0f : 1.0f / x.w; }

WF_KERNEL(LimitImpulse, a, i)
{
    wfLimitEdge e = a.edges[i];
    int p = e.v[0], q = e.v[1];
    if (!a.mark && a.impulses[i] == 0.0f && a.busy[p] == 0.0f && a.busy[q] == 0.0f) return; // nothing has changed here
    wfVec3 r = wfSub(wfXyz(a.x[q]), wfXyz(a.x[p])), u = wfSub(wfXyz(a.v[q]), wfXyz(a.v[p]));
    float mp = Mobility(a.x[p], a.target[p]), mq = Mobility(a.x[q], a.target[q]), old = a.impulses[i];
    float lo = (1.0f - a.limit) * e.rest, hi = (1.0f + a.limit) * e.rest;
    Reach reach = MakeReach(r, u, a.dt, lo, hi, lo);
    if (mp + mq == 0.0f || wfLengthSq(reach.along) == 0.0f) {
        a.impulses[i] = a.last[i] = 0.0f;
        return;
    }
    if (a.mark) {
        if (old == 0.0f && (reach.now < reach.least || reach.now > reach.most)) a.impulses[i] = old = 1e-30f;
        a.last[i] = old;
        return;
    }
    // An edge that was idle does not count among the busy ones yet.
    float more = old == 0.0f ? 1.0f : 0.0f;
    float mass = 1.0f / ((a.busy[p] + more) * mp + (a.busy[q] + more) * mq);
    float pull = fminf(old + mass * (reach.most - reach.now) / a.dt, 0.0f),
          push = fmaxf(old + mass * (reach.least - reach.now) / a.dt, 0.0f);
    float now = pull + push;
    a.impulses[i] = now + a.ahead * (now - a.last[i]);
    a.last[i] = now;
}

WF_KERNEL(LimitGather, a, i)
{
    wfVec4 x = a.x[i], v = a.given[i];
    wfVec3 sum = wfMake3(0.0f, 0.0f, 0.0f);
    float busy = 0.0f;
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
        float impulse = a.impulses[a.edgeItems[k]];
        if (impulse == 0.0f) continue;
        wfVec3 r = wfSub(wfXyz(a.x[a.other[k]]), wfXyz(x));
        sum = wfMulAdd(sum, -impulse, wfScale(r, 1.0f / wfLength(r)));
        busy += 1.0f;
    }
    a.busy[i] = busy;
    a.v[i] = busy == 0.0f ? v : wfMake4(wfMulAdd(wfXyz(v), Mobility(x, a.target[i]), sum), v.w);
}

WF_KERNEL(LimitRate, a, i)
{
    wfLimitEdge e = a.edges[i];
    int p = e.v[0], q = e.v[1];
    float mp = Mobility(a.x[p], a.target[p]), mq = Mobility(a.x[q], a.target[q]);
    if (mp + mq == 0.0f) return;
    wfVec4 vp = a.v[p], vq = a.v[q];
    wfVec3 r = wfSub(wfXyz(a.x[q]), wfXyz(a.x[p])), u = wfSub(wfXyz(vq), wfXyz(vp));
    float length = wfLength(r);
    Reach reach = MakeReach(r, u, a.dt, (1.0f - a.limit) * length, (1.0f + a.limit) * length, length);
    float missing = fmaxf(reach.least - reach.now, 0.0f) + fminf(reach.most - reach.now, 0.0f);
    if (missing == 0.0f) return;
    float impulse = missing / (a.dt * (mp + mq));
    a.v[p] = wfMake4(wfMulAdd(wfXyz(vp), -impulse * mp, reach.along), vp.w);
    a.v[q] = wfMake4(wfMulAdd(wfXyz(vq), impulse * mq, reach.along), vq.w);
}
