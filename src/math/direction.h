// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// A direction in four bytes, for lists that are long: the sphere is pulled onto an octahedron, and that is unfolded onto a square (Meyer et
// al. 2010, "On floating-point normal vectors"), 16 bits a side. What comes back has length 1 to rounding and is off by 7e-5 at most.

#include "math/vec.h"

#include <stdint.h>

/// From -1..1 to 16 bits.
WF_FN uint32_t wfDirection_PackSide(float x) { return (uint32_t)(int)(32767.5f + 32767.0f * x); }
WF_LANE_FN float wfDirection_UnpackSide(uint32_t bits) { return (float)((int)bits - 32767) * (1.0f / 32767.0f); }

/// n need not have length 1; any direction comes of what has none.
WF_FN uint32_t wfPackDirection(wfVec3 n) {
    float sum = fabsf(n.x) + fabsf(n.y) + fabsf(n.z);
    if (!(sum > 0.0f && sum < INFINITY)) return 0u;
    float x = n.x / sum, y = n.y / sum;
    if (n.z < 0.0f) { // the lower half is folded out beside the upper one
        float across = copysignf(1.0f - fabsf(y), x);
        y = copysignf(1.0f - fabsf(x), y);
        x = across;
    }
    return wfDirection_PackSide(x) | wfDirection_PackSide(y) << 16;
}

/// Without branches, for lanes.
WF_LANE_FN wfVec3 wfUnpackDirection(uint32_t packed) {
    float x = wfDirection_UnpackSide(packed & 0xffffu), y = wfDirection_UnpackSide(packed >> 16), z = 1.0f - fabsf(x) - fabsf(y);
    float below = z < 0.0f ? z : 0.0f;
    x += x < 0.0f ? -below : below;
    y += y < 0.0f ? -below : below;
    float scale = wfInverseSqrt(x * x + y * y + z * z); // of what is not 0: the three sum up to 1
    return wfMake3(scale * x, scale * y, scale * z);
}
