// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Scan, sort, sums: results stay on the device, none of these waits, all give the same bits on every run, thread count and backend
// (sums use one fixed tree). `scratch` (stride 1) is grown as needed and may be shared by all calls of one device.

#include "compute/device.h"

#if defined(__cplusplus)
extern "C" {
#endif

/// out[i] = in[0] + … + in[i-1]; out[count] = total, so out holds count + 1. in may not be out.
void wfScanExclusive(wfDevice* device, const int* in, int* out, int count, wfBuffer* scratch);

/// Sorts by the low bitCount bits of the key; equal keys keep their order.
void wfSortPairs(wfDevice* device, uint32_t* keys, int* values, int count, int bitCount, wfBuffer* scratch);

void wfSum(wfDevice* device, const float* in, float* out, int count, wfBuffer* scratch);
void wfDotProduct(wfDevice* device, const float* a, const float* b, float* out, int count, wfBuffer* scratch);

/// Largest value and the lowest index that holds it. NaN counts as largest. out[0] = value, *outIndex = index; -1 where count is 0.
void wfMaxIndex(wfDevice* device, const float* in, float* out, int* outIndex, int count, wfBuffer* scratch);

/// out[s] = sum of in[start[s]] .. in[start[s + 1] - 1], each in increasing order.
void wfSegmentedSum(wfDevice* device, const float* in, const int* start, float* out, int segmentCount);

/// Indices i with flags[i] != 0, increasing, to out, which has room for `count`; *outCount (device) is how many.
void wfCompact(wfDevice* device, const int* flags, int* out, int* outCount, int count, wfBuffer* scratch);

/// The same in two halves, for whoever has no room for `count`. First how many there are. Waits.
int wfCountFlagged(wfDevice* device, const int* flags, int count, wfBuffer* scratch);
/// Then their indices to out, which has room for that many; with flags, count and scratch as they were left.
void wfListFlagged(wfDevice* device, const int* flags, int* out, int count, const wfBuffer* scratch);

/// Waits and reads one value.
int wfReadInt(wfDevice* device, const int* value);
float wfReadFloat(wfDevice* device, const float* value);

#if defined(__cplusplus)
}
#endif
