// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "compute/device.h"

/// `weft bench sdf`: what it costs to build the distance field of a body that deforms, and to sample it.
bool wfBench_Sdf(wfDevice* device, int repeat, bool json, wfError* err);
