// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Random numbers and directions, the same in every run of a test.

#include "math/vec.h"

#include <stdint.h>

static uint32_t s_random = 4711;

static inline float Random(float lo, float hi) {
    s_random ^= s_random << 13;
    s_random ^= s_random >> 17;
    s_random ^= s_random << 5;
    return lo + (hi - lo) * (float)(s_random >> 8) / 16777216.0f;
}

static inline wfVec3 RandomDirection(void) {
    for (;;) {
        wfVec3 d = wfMake3(Random(-1, 1), Random(-1, 1), Random(-1, 1));
        float sq = wfLengthSq(d);
        if (sq > 0.01f && sq < 1.0f) return wfScale(d, 1.0f / sqrtf(sq));
    }
}
