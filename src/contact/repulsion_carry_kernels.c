// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/surface_query.h"
#include "compute/kernel.h"
#include "contact/repulsion_kernels.h"

WF_HEAVY_KERNEL(RepulsionCarry, a, i) {
    wfVec4 carried = wfMake4(wfMake3(0.0f, 0.0f, 0.0f), a.limit);
    if (!a.first) carried = a.carried[i];
    wfVec3 p = wfXyz(a.xStart[i]), sum = wfMake3(0.0f, 0.0f, 0.0f);
    float distanceSq;
    int place = wfSurface_Nearest(&a.surface, p, carried.w, &distanceSq);
    if (place >= 0) {
        const int* v = a.surface.corners[place];
        wfNearest near = wfPointTriangle(p, wfXyz(a.surface.x[v[0]]), wfXyz(a.surface.x[v[1]]), wfXyz(a.surface.x[v[2]]));
        for (int k = 0; k < 3; ++k)
            if (v[k] < a.vertexCount) sum = wfMulAdd(sum, -near.w[k + 1], wfSub(wfXyz(a.to[v[k]]), wfXyz(a.from[v[k]])));
        carried = wfMake4(sum, sqrtf(distanceSq));
    }
    a.carried[i] = carried;
}

WF_KERNEL(RepulsionRide, a, i)
{
    wfVec3 x = wfXyz(a.xStart[i]), normal, zero = wfMake3(0.0f, 0.0f, 0.0f);
    wfVec4 carried = a.first ? wfMake4(zero, a.limit) : a.carried[i];
    float distance = fabsf(wfBody_DistanceAt(&a.body, a.body.shape.start, x, &normal));
    if (distance < carried.w) {
        wfVec3 end = wfPose_Apply(a.body.shape.end, wfPose_Unapply(a.body.shape.start, x));
        carried = wfMake4(wfSub(end, x), distance);
    }
    a.carried[i] = carried;
}
