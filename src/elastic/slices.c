// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "elastic/slices.h"

int64_t wfLaySlices(const int* lengths, int vertexCount, const char* what, wfSlice* slices, wfError* err) {
    int64_t total = 0;
    for (int s = 0; s < wfSliceCount(vertexCount); ++s) {
        int most = 0;
        for (int v = s * WF_WARP; v < (s + 1) * WF_WARP && v < vertexCount; ++v)
            if (lengths[v] > most) most = lengths[v];
        slices[s] = (wfSlice){(int)total, most};
        total += (int64_t)most * WF_WARP;
        if (total > INT32_MAX) {
            wfFail(err, wf_badInput, "elastic: more than 2^31 entries of %s; the cloth is too large for one device", what);
            return -1;
        }
    }
    return total;
}

void wfSlices_PointToSelf(const wfSlice* slices, int vertexCount, int* out) {
    for (int s = 0; s < wfSliceCount(vertexCount); ++s)
        for (int k = 0; k < slices[s].count; ++k)
            for (int lane = 0; lane < WF_WARP; ++lane) {
                int v = s * WF_WARP + lane;
                out[slices[s].start + k * WF_WARP + lane] = v < vertexCount ? v : vertexCount - 1;
            }
}
