// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/descent_kernels.h"

#include "compute/kernel.h"

WF_TILE_KERNEL(DescendSprings, a, tile)
{
#include "dynamics/descend.inl"
}

#define WF_MODEL wf_membraneStVK
WF_TILE_KERNEL(DescendStVK, a, tile)
{
#include "dynamics/descend.inl"
}
#undef WF_MODEL

#define WF_MODEL wf_membraneCorotational
WF_TILE_KERNEL(DescendCorotational, a, tile)
{
#include "dynamics/descend.inl"
}
#undef WF_MODEL

#define WF_MODEL wf_membraneFabric
WF_TILE_KERNEL(DescendFabric, a, tile)
{
#include "dynamics/descend.inl"
}
#undef WF_MODEL

WF_KERNEL(StepEnergy, a, i)
{
    float energy = a.gradient[i].w;
    if (a.target != 0) {
        wfVec4 target = a.target[i];
        wfVec3 d = wfSub(wfXyz(a.x[i]), wfXyz(target));
        if (target.w > 0.0f) energy += 0.5f * target.w * wfDot(d, d);
    }
    // A position that is not a number takes the energy of its neighbours with it: then it is the one to report.
    if (a.fault != 0 && !isfinite(energy) && (*a.fault & 0xff) != wf_faultNotFinite) wfRaise(a.fault, wf_faultNoEnergy, i);
    a.out[i] = energy;
}

/// Whether the iterations since the last judgement may stand. Chebyshev iterations rise now and then on their way down, the more so where
/// single precision ends: a tenth above the lowest energy is borne, no more, and at the end what sums of single precision cannot tell: near
/// rest they would otherwise forbid the last steps. A number that is none is above everything.
/// What rises after some blocks of acceleration has only overshot: it starts anew from the lowest, without the acceleration. Steps are too
/// long, and are halved, where it rises in the first block after that already.
WF_KERNEL(JudgeDescent, a, i)
{
    (void)i;
    wfDescentControl c = *a.control;
    float energy = *a.energy;
    bool lowest = energy <= c.energy;
    if (a.first) {
        c.scale = a.leastScale; // each step anew: a run that is resumed knows nothing of the steps before
        c.energy = c.last = energy;
        c.since = 0;
        c.verdict = wf_descentSave;
    } else if (a.choose) {
        c.verdict = lowest ? wf_descentSave : wf_descentGoBack;
        c.energy = c.last = lowest ? energy : c.energy;
    } else if (a.anew) {
        c.energy = c.last = energy;
        c.verdict = wf_descentSave;
    } else if (!(energy <= c.energy + (a.final ? 1e-4f : 0.1f) * fabsf(c.energy))) {
        bool tooLong = c.since == 0 || !isfinite(energy);
        c.scale = tooLong && c.scale < 1000.0f ? 2.0f * c.scale : c.scale;
        c.last = c.energy;
        c.since = 0;
        c.verdict = wf_descentGoBack;
    } else {
        c.since = energy > c.last + 1e-3f * fabsf(c.last) ? 0 : c.since + a.block; // a clear rise: the acceleration starts anew
        c.verdict = lowest ? wf_descentSave : wf_descentGoOn;
        c.last = energy;
        c.energy = lowest ? energy : c.energy;
    }
    *a.control = c;
}

WF_KERNEL(StayDescent, a, i)
{
    wfVec4 x = a.x[i], target = a.target[i];
    a.kept[i] = x;
    a.x[i] = wfMake4(target.w < 0.0f ? wfXyz(target) : wfXyz(a.from[i]), x.w);
}

WF_KERNEL(SettleDescent, a, i)
{
    if (a.control->verdict == wf_descentGoBack)
        a.x[i] = a.saved[i];
    else if (a.control->verdict == wf_descentSave)
        a.saved[i] = a.x[i];
}

WF_KERNEL(SwapVectors, a, i)
{
    wfVec4 v = a.a[i];
    a.a[i] = a.b[i];
    a.b[i] = v;
}
