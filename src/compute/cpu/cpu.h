// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "compute/device.h"

/// Runs fn now, or appends it to the graph that is being recorded. `args` is copied.
void wfCpu_Do(wfDevice* device, wfKernelFn fn, int count, const void* args, size_t argsSize);

size_t wfCpu_ScanScratch(wfDevice* device, int count);
void wfCpu_Scan(wfDevice* device, const int* in, int* out, int count, void* scratch);
size_t wfCpu_SortScratch(wfDevice* device, int count);
void wfCpu_Sort(wfDevice* device, uint32_t* keys, int* values, int count, int bitCount, void* scratch);
