// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "elastic/tables_kernels.h"

#include "compute/kernel.h"

#define WF_ENERGY

WF_TILE_KERNEL(GradientSprings, a, tile)
{
#include "elastic/gather.inl"
    WF_WARPS(w) { WF_WARP_STORE4(a.out, gx, gy, gz, energy, w, first, a.count); }
}

#define WF_MODEL wf_membraneStVK
WF_TILE_KERNEL(GradientStVK, a, tile)
{
#include "elastic/gather.inl"
    WF_WARPS(w) { WF_WARP_STORE4(a.out, gx, gy, gz, energy, w, first, a.count); }
}
#undef WF_MODEL

#define WF_MODEL wf_membraneCorotational
WF_TILE_KERNEL(GradientCorotational, a, tile)
{
#include "elastic/gather.inl"
    WF_WARPS(w) { WF_WARP_STORE4(a.out, gx, gy, gz, energy, w, first, a.count); }
}
#undef WF_MODEL

#define WF_MODEL wf_membraneFabric
WF_TILE_KERNEL(GradientFabric, a, tile)
{
#include "elastic/gather.inl"
    WF_WARPS(w) { WF_WARP_STORE4(a.out, gx, gy, gz, energy, w, first, a.count); }
}
#undef WF_MODEL

WF_KERNEL(HoldHinges, a, h)
{
    wfHingeTerm hinge = a.hinges[h];
    wfVec3 x[4];
    for (int k = 0; k < 4; ++k) x[k] = wfXyz(a.x[hinge.v[k]]);
    a.restVectors[h] = wfMake4(wfBend_Rest(hinge.rest, x), 0.0f);
}

WF_KERNEL(HingeTerms, a, h)
{
    wfHingeTerm hinge = a.hinges[h];
    wfVec3 x[4], g[4];
    float energy;
    for (int k = 0; k < 4; ++k) x[k] = wfXyz(a.x[hinge.v[k]]);
    if (a.restVectors != 0) {
        wfVec3 rest = wfXyz(a.restVectors[h]);
        wfBend_Gradient(&hinge.bend, x, rest, g);
        energy = wfBend_Energy(&hinge.bend, x, rest);
    } else {
        wfDihedral_Gradient(hinge.stiffness, hinge.rest, x, g);
        energy = wfDihedral_Energy(hinge.stiffness, hinge.rest, x);
    }
    for (int k = 0; k < 4; ++k) a.slots[4 * h + k] = wfMake4(g[k], 0.25f * energy);
}

WF_KERNEL(StarTerms, a, i)
{
    int start = a.start[i], count = a.start[i + 1] - start;
    wfVec3 x = wfXyz(a.x[i]), xs[wf_mostNeighbours], g[wf_mostNeighbours];
    for (int k = 0; k < count; ++k) xs[k] = wfXyz(a.x[a.item[start + k]]);
    const wfNeighbour* n = a.neighbours + start;
    float energy = wfMeshless_Energy(a.stiffness[i], n, count, x, xs);
    wfVec3 own = wfMeshless_Gradient(a.stiffness[i], n, count, x, xs, g);
    wfVec4* slots = a.slots + start + i;
    slots[0] = wfMake4(own, energy);
    for (int k = 0; k < count; ++k) slots[k + 1] = wfMake4(g[k], 0.0f);
}

WF_KERNEL(GatherSlots, a, i)
{
    wfVec3 g = wfMake3(0.0f, 0.0f, 0.0f);
    float energy = 0.0f;
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
        wfVec4 slot = a.slots[a.item[k]];
        g = wfAdd(g, wfXyz(slot));
        energy += slot.w;
    }
    a.out[i] = wfMake4(g, energy);
}

WF_KERNEL(EdgeStretch, a, e)
{
    wfRestEdge edge = a.edges[e];
    a.out[e] = wfDistance(wfXyz(a.x[edge.v[0]]), wfXyz(a.x[edge.v[1]])) / edge.length;
}
