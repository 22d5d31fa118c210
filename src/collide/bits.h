// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Bits, spelled so that C and CUDA both take it.

#include "base/compiler.h"

#include <stdint.h>

WF_FN int wfCountBits(uint64_t x) {
    x -= (x >> 1) & 0x5555555555555555ull;
    x = (x & 0x3333333333333333ull) + ((x >> 2) & 0x3333333333333333ull);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0full;
    return (int)((x * 0x0101010101010101ull) >> 56);
}

/// The place of the lowest one; x != 0.
WF_FN int wfLowestBit64(uint64_t x) { return wfCountBits((x & (~x + 1u)) - 1u); }
WF_FN int wfLowestBit(uint32_t x) { return wfLowestBit64(x); }

/// The low ten bits, each followed by two zeros.
WF_FN uint32_t wfSpreadBits(uint32_t x) {
    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    x = (x | x << 2) & 0x09249249u;
    return x;
}
