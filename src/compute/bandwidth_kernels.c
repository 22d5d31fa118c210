// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "compute/bandwidth_kernels.h"

#include "compute/kernel.h"

WF_TILE_KERNEL(Triad, a, tile)
{ // four floats a lane: one 16-byte access each
    const wfVec4* b = (const wfVec4*)a.b;
    const wfVec4* c = (const wfVec4*)a.c;
    wfVec4* out = (wfVec4*)a.a;
    WF_LANES (t, WF_TILE) {
        int i = tile * WF_TILE + t;
        if (4 * i < a.count) {
            wfVec4 p = b[i], q = c[i];
            p.x += a.s * q.x;
            p.y += a.s * q.y;
            p.z += a.s * q.z;
            p.w += a.s * q.w;
            out[i] = p;
        }
    }
}
