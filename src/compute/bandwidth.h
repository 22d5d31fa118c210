// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "compute/device.h"

/// Bytes a second of a triad (a = b + s c over arrays far larger than any cache; two reads and a write counted), best of several runs.
/// The floor under every kernel that only moves data. Takes about a second; 0 where the device failed.
double wfMeasureBandwidth(wfDevice* device);
