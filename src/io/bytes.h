// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Numbers in binary files, byte by byte: the same on every host, and one load or store where the orders agree (gcc and clang see it).

#include <stdint.h>
#include <string.h>

static inline uint16_t wfLoadLe16(const unsigned char* p) { return (uint16_t)(p[0] | p[1] << 8); }
static inline uint16_t wfLoadBe16(const unsigned char* p) { return (uint16_t)(p[1] | p[0] << 8); }
static inline uint32_t wfLoadLe32(const unsigned char* p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static inline uint32_t wfLoadBe32(const unsigned char* p) {
    return (uint32_t)p[3] | (uint32_t)p[2] << 8 | (uint32_t)p[1] << 16 | (uint32_t)p[0] << 24;
}
static inline uint64_t wfLoadLe64(const unsigned char* p) { return wfLoadLe32(p) | (uint64_t)wfLoadLe32(p + 4) << 32; }
static inline uint64_t wfLoadBe64(const unsigned char* p) { return wfLoadBe32(p + 4) | (uint64_t)wfLoadBe32(p) << 32; }

static inline void wfStoreLe32(unsigned char* p, uint32_t value) {
    p[0] = (unsigned char)value;
    p[1] = (unsigned char)(value >> 8);
    p[2] = (unsigned char)(value >> 16);
    p[3] = (unsigned char)(value >> 24);
}

static inline float wfFloatFromBits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

static inline double wfDoubleFromBits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, 8);
    return value;
}

static inline uint32_t wfBitsFromFloat(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return bits;
}

static inline float wfLoadLeFloat(const unsigned char* p) { return wfFloatFromBits(wfLoadLe32(p)); }
static inline void wfStoreLeFloat(unsigned char* p, float value) { wfStoreLe32(p, wfBitsFromFloat(value)); }
