// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/project_kernels.h"

#include "compute/kernel.h"

WF_KERNEL(Project, a, i)
{
    wfVec4 x4 = a.x[i];
    wfVec3 x = wfXyz(x4), xStart = wfXyz(a.xStart[i]);
    int cloth = a.clothOf[i];
    int touching = 0;
    if (a.target[i].w >= 0.0f) { // a held vertex goes where it is told
        for (int k = 0; k < a.shapeCount; ++k) {
            wfShape shape = a.shapes[k];
            wfVec3 normal, local = wfPose_Unapply(shape.end, x);
            float depth = a.half[cloth] - wfShape_Distance(&shape, local, &normal);
            if (!(depth > 0.0f)) continue;
            touching = 1;
            // Out along the normal; then Coulomb on what is left of the motion along the surface, relative to the body's own point there.
            // The push is the normal impulse over mass and step, so the friction it can give is mu times as much.
            local = wfMulAdd(local, depth, normal);
            normal = wfRotate(shape.end.rotate, normal);
            x = wfPose_Apply(shape.end, local);
            wfVec3 slip = wfSub(wfPose_Apply(shape.start, local), xStart); // (x - xStart) less how far that point went itself: x - start
            slip = wfMulAdd(slip, -wfDot(slip, normal), normal);
            wfFriction friction = a.friction[cloth * a.surfaceCount + shape.surface];
            float length = wfLength(slip);
            x = wfMulAdd(x, length > friction.hold * depth ? -friction.slide * depth / length : -1.0f, slip);
        }
    }
    a.x[i] = wfMake4(x, x4.w);
    a.touching[i] = touching;
}
