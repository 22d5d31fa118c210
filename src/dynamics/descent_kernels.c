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

/// Whether the iterations since the last judgement may stand. An energy that is not a number is a rise.
WF_KERNEL(JudgeDescent, a, i)
{
    (void)i;
    wfDescentControl c = *a.control;
    float energy = *a.energy;
    // Sums of single precision know the energy to some 1e-6; Chebyshev iterations may also rise a little on their way down.
    bool risen = !(energy <= c.energy + 1e-4f * fabsf(c.energy) + 1e-20f);
    if (a.first) {
        c.scale = a.leastScale; // each step anew: a run that is resumed knows nothing of the steps before
        c.energy = energy;
        c.since = 0;
        c.goBack = 0;
    } else if (risen) {
        c.scale = c.scale < 1000.0f ? 2.0f * c.scale : c.scale;
        c.since = 0;
        c.goBack = 1;
    } else {
        c.energy = energy < c.energy ? energy : c.energy;
        c.since += a.block;
        c.goBack = 0;
    }
    *a.control = c;
}

WF_KERNEL(SettleDescent, a, i)
{
    if (a.control->goBack)
        a.x[i] = a.saved[i];
    else
        a.saved[i] = a.x[i];
}

WF_KERNEL(SwapVectors, a, i)
{
    wfVec4 v = a.a[i];
    a.a[i] = a.b[i];
    a.b[i] = v;
}
