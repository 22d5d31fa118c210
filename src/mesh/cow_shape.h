// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The shape of a cow that stands on y = 0 and faces +z.

#include "mesh/loft.h"

/// Negative inside, about the distance close to the surface, which is at least the field divided by wfCowSlope away.
double wfCowField(wfFieldPoint p);
#define wfCowSlope  2.0

#define wfCowHeight 0.9581 // to the tips of its horns
#define wfCowMiddle 0.0656 // z, between tail and muzzle
