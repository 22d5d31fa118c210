// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// A flat sheet laid into pleats, as a closed curtain hangs: the input of collision tests and benchmarks, which need cloth in many close
// layers before anything could have been simulated.

#include "math/vec.h"

/// Moves vertices from the plane y = 0 onto pleats along x: upright layers of the given height, `gap` apart, joined by half circles, all of
/// them waving together by `wave`, and turned so that nothing lies along an axis. Lengths are kept but for the wave. `gap` > 0.
void wfLayIntoPleats(wfVec3* positions, int count, float height, float gap, float wave);

/// Length of cloth in one layer and the half circle after it.
double wfGetPleatLength(float height, float gap);
