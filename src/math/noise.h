// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Smooth noise for gusts of wind: values hashed on an integer lattice, blended with a C2 weight. The same on every backend.

#include "math/vec.h"

WF_FN float wfHash3(int x, int y, int z, int seed) {
    uint32_t h = (uint32_t)x * 0x8da6b343u ^ (uint32_t)y * 0xd8163841u ^ (uint32_t)z * 0xcb1ab31fu ^ (uint32_t)seed * 0x9e3779b9u;
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12)) * 0x297a2d39u;
    h ^= h >> 15;
    return (float)(h >> 8) / 8388608.0f - 1.0f; // [-1, 1)
}

WF_FN float wfNoise3(wfVec3 p, int seed) {
    float fx = floorf(p.x), fy = floorf(p.y), fz = floorf(p.z);
    // Far from the origin a float has no fraction left; there the lattice wraps rather than overflow an int.
    int x = (int)fmodf(fx, 1048576.0f), y = (int)fmodf(fy, 1048576.0f), z = (int)fmodf(fz, 1048576.0f);
    float u = p.x - fx, v = p.y - fy, w = p.z - fz;
    u = u * u * u * (u * (u * 6.0f - 15.0f) + 10.0f);
    v = v * v * v * (v * (v * 6.0f - 15.0f) + 10.0f);
    w = w * w * w * (w * (w * 6.0f - 15.0f) + 10.0f);
    float sum = 0.0f;
    for (int corner = 0; corner < 8; ++corner) {
        int i = corner & 1, j = (corner >> 1) & 1, k = corner >> 2;
        float weight = (i ? u : 1.0f - u) * (j ? v : 1.0f - v) * (k ? w : 1.0f - w);
        sum += weight * wfHash3(x + i, y + j, z + k, seed);
    }
    return sum;
}

/// Wind at x: the mean, and gusts of `noise` times its speed and of extent `size` that drift with it.
WF_FN wfVec3 wfGust(wfVec3 mean, float noise, float size, int seed, wfVec3 x, float time) {
    float speed = wfLength(mean);
    if (!(noise > 0.0f) || !(speed > 0.0f)) return mean;
    wfVec3 p = wfScale(wfMulAdd(x, -time, mean), 1.0f / size);
    wfVec3 gust = wfMake3(wfNoise3(p, 3 * seed), wfNoise3(p, 3 * seed + 1), wfNoise3(p, 3 * seed + 2));
    return wfMulAdd(mean, noise * speed, gust);
}
