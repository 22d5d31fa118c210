// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/explicit_kernels.h"

#include "compute/kernel.h"
#include "dynamics/air.h"

WF_KERNEL(ExplicitTick, a, i)
{
    wfExplicitClock* clock = a.clock + i;
    clock->substep += 1;
    clock->share = (float)clock->substep / (float)a.count;
    if (a.seamTime != 0) *a.seamTime = clock->time + (double)a.dt * clock->substep / a.count;
}

WF_KERNEL(ExplicitPredict, a, i)
{
    wfVec4 x = a.xStart[i], target = a.target[i];
    wfVec3 v = wfXyz(a.v[i]);
    if (target.w < 0.0f) { // held: the scene has said where
        a.x[i] = wfMake4(wfXyz(target), x.w);
        return;
    }
    if (!wfIsFinite3(wfXyz(x)) || !wfIsFinite3(v)) wfRaise(a.fault, wf_faultNotFinite, i);
    a.target[i] = wfMake4(wfXyz(x), 0.0f);
    a.x[i] = wfMake4(wfMulAdd(wfMulAdd(wfXyz(x), a.dt, v), 0.5f * a.dt * a.dt, a.gravity), x.w);
}

WF_KERNEL(ExplicitStart, a, i)
{
    wfVec4 x = a.xStart[i], target = a.target[i], v = a.vStart[i];
    if (target.w < 0.0f) v = wfMake4(wfScale(wfSub(wfXyz(target), wfXyz(x)), 1.0f / a.dt), v.w);
    a.x[i] = x;
    a.v[i] = v;
    a.moved[i] = a.gained[i] = wfMake4(wfMake3(0.0f, 0.0f, 0.0f), 0.0f);
}

/// Where a folded target is when `share` of the step is over. What is known of it is where it is at the end of the step; a stiff one has
/// the vertex with it when the step begins and moves evenly from there, a soft one pulls from where it is all the time.
WF_FN wfVec3 TargetAt(wfVec4 target, wfVec4 xStart, float dt, float share) {
    float k = dt * dt * target.w / xStart.w;
    wfVec3 way = wfSub(wfXyz(target), wfXyz(xStart));
    return wfMulAdd(wfXyz(target), -(1.0f - share) * k / (1.0f + k), way);
}

/// Of a target's weight, the part that explicit substeps can follow goes into the acceleration; the rest is taken implicitly here.
WF_FN float ExplicitWeight(float weight, float mass, float h) { return fminf(weight, mass / (h * h)); }

WF_KERNEL(ExplicitKick, a, i)
{
    wfVec4 target = a.target[i], v = a.v[i];
    if (target.w < 0.0f) {
        a.half[i] = v;
        return;
    }
    wfVec4 x = a.x[i];
    wfVec3 start = wfXyz(a.vStart[i]), gained = wfMulAdd(wfXyz(a.gained[i]), 0.5f * a.h, wfXyz(a.acceleration[i]));
    float k = a.h * a.h * (target.w - ExplicitWeight(target.w, x.w, a.h)) / x.w;
    if (k > 0.0f) {
        wfVec3 toward = wfSub(TargetAt(target, a.xStart[i], a.dt, a.clock->share), wfXyz(x));
        wfVec3 half = wfScale(wfMulAdd(wfAdd(start, gained), k / a.h, toward), 1.0f / (1.0f + k));
        gained = wfSub(half, start);
    }
    a.gained[i] = wfMake4(gained, 0.0f);
    a.half[i] = wfMake4(wfAdd(start, gained), v.w);
}

WF_KERNEL(ExplicitDrift, a, i)
{
    wfVec4 start = a.xStart[i], target = a.target[i];
    if (target.w < 0.0f) {
        float share = a.clock->share;
        a.x[i] = wfMake4(share < 1.0f ? wfLerp(wfXyz(start), wfXyz(target), share) : wfXyz(target), start.w);
        return;
    }
    wfVec3 half = wfXyz(a.half[i]), gained = wfXyz(a.gained[i]);
    wfVec3 limited = wfSub(half, wfAdd(wfXyz(a.vStart[i]), gained)); // what the limits have changed: else zero, to the bit
    a.gained[i] = wfMake4(wfAdd(gained, limited), 0.0f);
    wfVec3 moved = wfMulAdd(wfXyz(a.moved[i]), a.h, half);
    a.moved[i] = wfMake4(moved, 0.0f);
    a.x[i] = wfMake4(wfAdd(wfXyz(start), moved), start.w);
}

WF_KERNEL(ExplicitAhead, a, i)
{
    wfVec4 x = a.x[i];
    a.out[i] = wfMake4(wfMulAdd(wfXyz(x), a.ahead[a.clothOf[i]], wfXyz(a.v[i])), x.w);
}

WF_KERNEL(ExplicitAccelerate, a, i)
{
    wfVec4 target = a.target[i], x = a.x[i];
    if (target.w < 0.0f) {
        a.acceleration[i] = wfMake4(wfMake3(0.0f, 0.0f, 0.0f), 0.0f);
        return;
    }
    wfVec3 force = wfScale(wfXyz(a.gradient[i]), -1.0f);
    if (a.pressure.of != 0) force = wfAdd(force, wfPressureForce(&a.pressure, i));
    if (target.w > 0.0f) {
        wfVec3 toward = wfSub(TargetAt(target, a.xStart[i], a.dt, a.clock->share), wfXyz(x));
        force = wfMulAdd(force, ExplicitWeight(target.w, x.w, a.h), toward);
    }
    a.acceleration[i] = wfMake4(wfMulAdd(a.clock->forces.gravity, 1.0f / x.w, force), 0.0f);
}

WF_KERNEL(ExplicitFinish, a, i)
{
    wfVec4 start = a.vStart[i];
    if (a.target[i].w < 0.0f) return; // its velocity stays what it is
    wfVec3 gained = wfMulAdd(wfXyz(a.gained[i]), 0.5f * a.h, wfXyz(a.acceleration[i]));
    a.gained[i] = wfMake4(gained, 0.0f);
    a.v[i] = wfMake4(wfAdd(wfXyz(start), gained), start.w);
}

WF_KERNEL(ExplicitSolve, a, i)
{
    wfVec4 half = a.half[i];
    wfVec3 wanted = wfMulAdd(wfXyz(half), 0.5f * a.h, wfXyz(a.acceleration[i])), now = wfXyz(a.now[i]), before = wfXyz(a.out[i]);
    wfVec3 next = wfLerp(now, wanted, a.step);
    a.out[i] = wfMake4(a.omega == 1.0f ? next : wfLerp(before, next, a.omega), half.w); // a round begins without one before
}

WF_KERNEL(ExplicitSettle, a, i)
{ a.acceleration[i] = wfMake4(wfScale(wfSub(wfXyz(a.v[i]), wfXyz(a.half[i])), 2.0f / a.h), 0.0f); }

WF_KERNEL(ExplicitAir, a, i)
{
    if (a.target[i].w < 0.0f) return;
    wfVec4 x = a.x[i], v4 = a.v[i];
    wfVec3 v = wfXyz(v4);
    if (wfHasAir(&a.clock->forces)) {
        float time = (float)(a.clock->time + (double)a.h * a.clock->substep);
        v = wfAdd(v, wfAirVelocity(&a.clock->forces, wfFanArea(&a.fans, a.x, i), a.area[i], x.w, wfXyz(x), v, a.h, time));
    }
    v = wfScale(v, a.keep[a.clothOf[i]]);
    a.gained[i] = wfMake4(wfAdd(wfXyz(a.gained[i]), wfSub(v, wfXyz(v4))), 0.0f);
    a.v[i] = wfMake4(v, v4.w);
}

WF_KERNEL(ExplicitEnd, a, i)
{
    wfVec4 own = a.own[i];
    wfVec3 corrected = wfSub(wfXyz(a.x[i]), wfXyz(a.proposed[i]));
    a.v[i] = wfMake4(wfMulAdd(wfXyz(own), 1.0f / a.dt, corrected), own.w);
}
