// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "elastic/stitches_kernels.h"

#include "compute/kernel.h"
#include "elastic/stitches.h"

WF_KERNEL(StitchTerms, a, i)
{
    wfStitch stitch = a.stitches[i];
    float length = stitch.length * wfSeamTiming_Open(&a.seams[stitch.seam], *a.time);
    wfVec3 x[3], g[3];
    for (int k = 0; k < 3; ++k) x[k] = wfXyz(a.x[stitch.v[k]]);
    wfStitch_Gradient(stitch.stiffness, stitch.share, length, x, g);
    float energy = wfStitch_Energy(stitch.stiffness, stitch.share, length, x);
    for (int k = 0; k < 3; ++k) a.slots[3 * i + k] = wfMake4(g[k], k == 0 ? energy : 0.0f);
}
