// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/inertia_kernels.h"

#include "compute/kernel.h"
#include "dynamics/air.h"

// xStart is copied before this runs, so that the fan can be read there while x is written.
WF_KERNEL(Predict, a, i)
{
    wfVec4 x4 = a.xStart[i], v4 = a.v[i];
    wfVec3 x = wfXyz(x4), v = wfXyz(v4), from = x;
    if (a.history != 0) {
        if (a.second) { // BDF2 goes from where the last two steps point to
            from = wfMulAdd(x, 0.33333334f, wfSub(x, wfXyz(a.history[i])));
            v = wfMulAdd(v, 0.33333334f, wfSub(v, wfXyz(a.history[a.count + i])));
        }
        a.history[i] = x4;
        a.history[a.count + i] = v4;
        a.origin[i] = wfMake4(from, 0.0f);
    }
    wfVec4 target = a.target[i];
    if (target.w < 0.0f) { // held: the scene has said where
        a.x[i] = wfMake4(wfXyz(target), x4.w);
        return;
    }
    if (!wfIsFinite3(x) || !wfIsFinite3(v)) wfRaise(a.fault, wf_faultNotFinite, i);
    if (wfHasAir(&a.forces)) {
        wfVec3 gained = wfAirVelocity(&a.forces, wfFanArea(&a.fans, a.xStart, i), a.area[i], x4.w, x, v, a.span, a.time);
        v = wfAdd(v, gained);
        a.v[i] = wfMake4(wfAdd(wfXyz(v4), gained), v4.w); // so that the end of the step knows what gravity alone has done
    }
    wfVec3 moved = wfMulAdd(from, a.span, v);
    wfVec3 acceleration = a.forces.gravity;
    if (a.pressure.of != 0) acceleration = wfMulAdd(acceleration, 1.0f / x4.w, wfConstantPressureForce(&a.pressure, i));
    a.target[i] = wfMake4(wfMulAdd(moved, a.span * a.span, acceleration), x4.w / (a.span * a.span));
    // Start where the vertex would be if it went on to fall as fast as it did in the last step: right in free flight, where descent
    // alone would never catch up, and right at rest, where starting from free flight would sag (Chen et al. 2024, section 3.7).
    float g = wfLength(a.forces.gravity);
    float share = g > 0.0f ? wfClamp(v4.w / g, 0.0f, 1.0f) : 0.0f;
    a.x[i] = wfMake4(wfMulAdd(moved, share * a.span * a.span, a.forces.gravity), x4.w);
}

WF_KERNEL(EndStep, a, i)
{
    float keep = a.keep[a.clothOf[i]] / a.span;
    wfVec3 v = wfScale(wfSub(wfXyz(a.x[i]), wfXyz(a.origin[i])), keep);
    float fall = wfDot(wfSub(v, wfXyz(a.v[i])), a.down) / a.dt; // for the start of the next step
    a.v[i] = wfMake4(v, fall);
}

// With z = x + c (x - origin), c the time ahead over the span of the step, the elastic force of a step with damping by stiffness is that
// at z: x - target = (z - z of target) / (1 + c). So the damped step is an undamped one in z, with weights w / (1 + c).
WF_KERNEL(RayleighShift, a, i)
{
    float c = a.ahead[a.clothOf[i]];
    wfVec4 x = a.x[i], target = a.target[i];
    wfVec3 origin = wfXyz(a.origin[i]);
    wfVec3 z = wfMulAdd(wfXyz(x), c, wfSub(wfXyz(x), origin)), zTarget = wfMulAdd(wfXyz(target), c, wfSub(wfXyz(target), origin));
    a.x[i] = wfMake4(z, x.w);
    a.shiftedTarget[i] = wfMake4(zTarget, target.w < 0.0f ? target.w : target.w / (1.0f + c));
}

WF_KERNEL(RayleighReturn, a, i)
{
    float c = a.ahead[a.clothOf[i]];
    wfVec4 z = a.x[i], target = a.target[i];
    wfVec3 origin = wfXyz(a.origin[i]);
    wfVec3 x = wfMulAdd(origin, 1.0f / (1.0f + c), wfSub(wfXyz(z), origin));
    a.x[i] = wfMake4(target.w < 0.0f ? wfXyz(target) : x, z.w); // a held vertex comes back to the bit
}
