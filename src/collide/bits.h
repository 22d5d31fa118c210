// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Bits, spelled so that C and CUDA both take it.

#include "compute/kernel.h"

#include <stdint.h>

WF_FN int wfCountBits(uint64_t x) { return WF_COUNT_BITS(x); }

/// The place of the lowest one; x != 0.
WF_FN int wfLowestBit64(uint64_t x) { return WF_LOWEST_BIT(x); }
WF_FN int wfLowestBit(uint32_t x) { return wfLowestBit64(x); }

/// The low ten bits, each followed by two zeros.
WF_FN uint32_t wfSpreadBits(uint32_t x) {
    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    x = (x | x << 2) & 0x09249249u;
    return x;
}
