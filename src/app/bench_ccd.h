// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "compute/device.h"

/// `weft bench ccd`: nanoseconds a query of continuous collision detection by both methods, on pairs of cloth that stay apart, that pass
/// each other's planes elsewhere, and that hit.
bool wfBench_Ccd(wfDevice* device, int repeat, bool json, wfError* err);
