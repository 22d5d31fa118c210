// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Eight wfVec4 at a time between their array and one line of numbers a component: 16-byte loads and shuffles, several times faster than the
// gathers that compilers make of plain loops. What kernels use of it is in compute/kernel.h.

#include "math/vec.h"

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define WF_HAS_SHUFFLE 1
#endif
#endif

#if defined(WF_HAS_SHUFFLE)

typedef float wfFour_ __attribute__((vector_size(16), may_alias));
typedef float wfEight_ __attribute__((vector_size(32), aligned(4), may_alias));

#define WF_PAIRS_LOW_(a, b)   __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define WF_PAIRS_HIGH_(a, b)  __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define WF_HALVES_LOW_(a, b)  __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define WF_HALVES_HIGH_(a, b) __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)

/// w may be NULL.
WF_LANE_FN void wfCpu_LoadRows(const wfVec4* array, const int* at, float* x, float* y, float* z, float* w) {
    wfEight_ row[4];
    for (int k = 0; k < 4; ++k) {
        wfFour_ low = *(const wfFour_*)&array[at[k]], high = *(const wfFour_*)&array[at[k + 4]];
        row[k] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
    }
    wfEight_ xy01 = WF_PAIRS_LOW_(row[0], row[1]), xy23 = WF_PAIRS_LOW_(row[2], row[3]);
    wfEight_ zw01 = WF_PAIRS_HIGH_(row[0], row[1]), zw23 = WF_PAIRS_HIGH_(row[2], row[3]);
    *(wfEight_*)x = WF_HALVES_LOW_(xy01, xy23);
    *(wfEight_*)y = WF_HALVES_HIGH_(xy01, xy23);
    *(wfEight_*)z = WF_HALVES_LOW_(zw01, zw23);
    if (w != 0) *(wfEight_*)w = WF_HALVES_HIGH_(zw01, zw23);
}

WF_LANE_FN void wfCpu_StoreRows(wfVec4* to, const float* x, const float* y, const float* z, const float* w) {
    wfEight_ vx = *(const wfEight_*)x, vy = *(const wfEight_*)y, vz = *(const wfEight_*)z, vw = *(const wfEight_*)w;
    wfEight_ xy01 = WF_PAIRS_LOW_(vx, vy), xy23 = WF_PAIRS_HIGH_(vx, vy); // of lanes 0, 1, 4, 5 and 2, 3, 6, 7
    wfEight_ zw01 = WF_PAIRS_LOW_(vz, vw), zw23 = WF_PAIRS_HIGH_(vz, vw);
    wfEight_ row[4] = {WF_HALVES_LOW_(xy01, zw01), WF_HALVES_HIGH_(xy01, zw01), WF_HALVES_LOW_(xy23, zw23), WF_HALVES_HIGH_(xy23, zw23)};
    for (int k = 0; k < 4; ++k) {
        *(wfFour_*)&to[k] = __builtin_shufflevector(row[k], row[k], 0, 1, 2, 3);
        *(wfFour_*)&to[k + 4] = __builtin_shufflevector(row[k], row[k], 4, 5, 6, 7);
    }
}

#undef WF_PAIRS_LOW_
#undef WF_PAIRS_HIGH_
#undef WF_HALVES_LOW_
#undef WF_HALVES_HIGH_

#else

WF_LANE_FN void wfCpu_LoadRows(const wfVec4* array, const int* at, float* x, float* y, float* z, float* w) {
    for (int k = 0; k < 8; ++k) {
        wfVec4 row = array[at[k]];
        x[k] = row.x, y[k] = row.y, z[k] = row.z;
        if (w != 0) w[k] = row.w;
    }
}

WF_LANE_FN void wfCpu_StoreRows(wfVec4* to, const float* x, const float* y, const float* z, const float* w) {
    for (int k = 0; k < 8; ++k) to[k].x = x[k], to[k].y = y[k], to[k].z = z[k], to[k].w = w[k];
}

#endif
