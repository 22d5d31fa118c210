// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "compute/device.h"

/// `weft bench broad`: what finding candidate pairs costs, for every type of broad phase, on pleated cloth of growing size with as
/// much near each triangle. sizes: triangles, "10000,100000".
bool wfBench_Broad(wfDevice* device, const char* sizes, int repeat, bool json, wfError* err);
