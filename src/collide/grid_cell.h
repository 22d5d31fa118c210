// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Cells of a hashed grid, in double: a cell is then right for any position.

#include "math/vec.h"

WF_FN int wfCellOf(float x, double inverseCell) {
    const double most = 1 << 30; // beyond it all cells are one: slower, but still right
    double cell = floor((double)x * inverseCell);
    return cell < -most ? -(1 << 30) : cell > most ? 1 << 30 : cell == cell ? (int)cell : 0;
}

WF_FN uint32_t wfBucketOf(int x, int y, int z, int bits) {
    uint32_t h = (uint32_t)x * 0x8da6b343u ^ (uint32_t)y * 0xd8163841u ^ (uint32_t)z * 0xcb1ab31fu;
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    h ^= h >> 13;
    return h & ((1u << bits) - 1u);
}

/// Whether increasing items hold a value.
WF_FN bool wfInRow(const int* items, int first, int last, int value) {
    while (first < last) {
        int middle = first + (last - first) / 2, item = items[middle];
        if (item == value) return true;
        if (item < value)
            first = middle + 1;
        else
            last = middle;
    }
    return false;
}
