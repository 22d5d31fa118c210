// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene/scene_kernels.h"

#include "compute/kernel.h"

WF_FN wfVec3 PinnedAt(const wfPinPose* pin, const wfPinLink* link) {
    return wfPose_Apply(pin->pose, wfMulAdd(link->goal, pin->open, wfSub(link->start, link->goal)));
}

/// Before a step: the first pin that holds a vertex says where it ends; without one it is free, also when a pin has just let go.
WF_KERNEL(HoldPins, a, i)
{
    wfPinnedVertex p = a.vertices[i];
    wfVec4 target = a.target[p.vertex];
    target.w = 0.0f;
    for (int k = p.count - 1; k >= 0; --k) {
        wfPinLink link = a.links[p.first + k];
        wfPinPose pin = a.poses[link.pose];
        if (pin.stiffness == 0.0f) target = wfMake4(PinnedAt(&pin, &link), -1.0f);
    }
    a.target[p.vertex] = target;
}

/// After the prediction: two weighted targets w/2 |x - t|^2 are one, with the sum of the weights at their mean.
WF_KERNEL(FoldPins, a, i)
{
    wfPinnedVertex p = a.vertices[i];
    wfVec4 target = a.target[p.vertex];
    if (target.w < 0.0f) return;
    for (int k = 0; k < p.count; ++k) {
        wfPinLink link = a.links[p.first + k];
        wfPinPose pin = a.poses[link.pose];
        if (!(pin.stiffness > 0.0f)) continue;
        float weight = target.w + pin.stiffness;
        wfVec3 toward = wfSub(PinnedAt(&pin, &link), wfXyz(target));
        target = wfMake4(wfMulAdd(wfXyz(target), pin.stiffness / weight, toward), weight);
    }
    a.target[p.vertex] = target;
}

/// Only the first step that goes wrong is recorded: a vertex that is not finite spoils its neighbours in the next one, and the report
/// must name where it began.
WF_KERNEL(CheckFinite, a, i)
{
    if (*a.seen != wf_noFault) return;
    if (!wfIsFinite3(wfXyz(a.x[i])) || !wfIsFinite3(wfXyz(a.v[i]))) wfRaise(a.fault, wf_faultNotFinite, i);
}

WF_KERNEL(StateEnergy, a, i)
{
    float mass = a.x[i].w;
    a.kinetic[i] = 0.5f * mass * wfLengthSq(wfXyz(a.v[i]));
    a.potential[i] = -mass * wfDot(a.gravity, wfXyz(a.x[i]));
}
