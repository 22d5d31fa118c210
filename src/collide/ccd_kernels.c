// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/ccd_kernels.h"

#include "compute/kernel.h"

WF_KERNEL(CcdFirstTimes, a, i)
{
    wfCcdPair pair = a.pairs[i];
    wfVec3 start[4], end[4];
    for (int k = 0; k < 4; ++k) {
        start[k] = wfXyz(a.start[pair.vertex[k]]);
        end[k] = wfXyz(a.end[pair.vertex[k]]);
    }
    wfCcdQuery q = wfCcd_MakeQuery(pair.kind, start, end);
    double separation = a.separation;
    a.times[i] = wfCcd_RoundDown(a.byInclusion ? wfCcd_FirstTimeByInclusion(&q, separation) : wfCcd_FirstTime(&q, separation));
}
