// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "elastic/limit_kernels.h"

#include "compute/kernel.h"

/// How much faster the ends of an edge must move apart, along the unit vector *along of r, so that |r + dt u| ends between lo and hi.
/// Ends that move aside are not drawn closer than `inner` for it. Seen from the other end (-r, -u) it is the same number, to the bit.
WF_FN float MissingSpeed(wfVec3 r, wfVec3 u, float dt, float lo, float hi, float inner, wfVec3* along) {
    wfVec3 end = wfMulAdd(r, dt, u);
    float square = wfLengthSq(end);
    *along = wfMake3(0.0f, 0.0f, 0.0f);
    if (square >= lo * lo && square <= hi * hi) return 0.0f;
    float length = wfLength(r);
    if (!(length > 0.0f)) return 0.0f; // no direction to push along; no other impulse would keep angular momentum
    *along = wfScale(r, 1.0f / length);
    float now = wfDot(end, *along);
    float aside = fmaxf(square - now * now, 0.0f); // what no impulse along r can change
    float wanted;
    if (square > hi * hi && now > 0.0f)
        wanted = fmaxf(sqrtf(fmaxf(hi * hi - aside, 0.0f)), fminf(now, inner));
    else
        wanted = sqrtf(fmaxf(lo * lo - aside, 0.0f)); // also where the ends would pass through each other
    return (wanted - now) / dt;
}

/// Speed that an impulse of 1 gives a vertex.
WF_FN float Mobility(wfVec4 x, wfVec4 target) { return target.w < 0.0f ? 0.0f : 1.0f / x.w; }

WF_FN float MissingStrain(const wfLimitView* e, const wfVec4* v, int i, int k, wfVec3* along) {
    int j = e->other[k];
    wfVec3 r = wfSub(wfXyz(e->x[j]), wfXyz(e->x[i])), u = wfSub(wfXyz(v[j]), wfXyz(v[i]));
    float lo = (1.0f - e->limit) * e->rest[k], hi = (1.0f + e->limit) * e->rest[k];
    return MissingSpeed(r, u, e->dt, lo, hi, lo, along);
}

WF_KERNEL(LimitCount, a, i)
{
    float faults = 0.0f;
    wfVec3 along;
    for (int k = a.edges.start[i]; k < a.edges.start[i + 1]; ++k)
        if (MissingStrain(&a.edges, a.v, i, k, &along) != 0.0f) faults += 1.0f;
    a.faults[i] = faults;
}

WF_KERNEL(LimitStrain, a, i)
{
    const wfLimitView* e = &a.edges;
    wfVec4 v = a.v[i];
    float mobility = Mobility(e->x[i], e->target[i]), faults = a.faults[i];
    if (mobility == 0.0f || faults == 0.0f) {
        a.out[i] = v;
        return;
    }
    wfVec3 impulse = wfMake3(0.0f, 0.0f, 0.0f), along;
    for (int k = e->start[i]; k < e->start[i + 1]; ++k) {
        float speed = MissingStrain(e, a.v, i, k, &along);
        if (speed == 0.0f) continue;
        int j = e->other[k];
        impulse = wfMulAdd(impulse, -speed / (mobility * faults + Mobility(e->x[j], e->target[j]) * a.faults[j]), along);
    }
    a.out[i] = wfMake4(wfMulAdd(wfXyz(v), mobility, impulse), v.w);
}

WF_KERNEL(LimitRate, a, i)
{
    int p = a.edges[i][0], q = a.edges[i][1];
    float mp = Mobility(a.x[p], a.target[p]), mq = Mobility(a.x[q], a.target[q]);
    if (mp + mq == 0.0f) return;
    wfVec4 vp = a.v[p], vq = a.v[q];
    wfVec3 r = wfSub(wfXyz(a.x[q]), wfXyz(a.x[p])), u = wfSub(wfXyz(vq), wfXyz(vp)), along;
    float length = wfLength(r);
    float speed = MissingSpeed(r, u, a.dt, (1.0f - a.limit) * length, (1.0f + a.limit) * length, length, &along);
    if (speed == 0.0f) return;
    float impulse = speed / (mp + mq);
    a.v[p] = wfMake4(wfMulAdd(wfXyz(vp), -impulse * mp, along), vp.w);
    a.v[q] = wfMake4(wfMulAdd(wfXyz(vq), impulse * mq, along), vq.w);
}
