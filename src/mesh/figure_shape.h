// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The shape of a mannequin of height 1 that stands on y = 0 and faces +z, with its arms a little out, 7.5 heads high.

#include "mesh/loft.h"

typedef wfFieldPoint wfFigurePoint;

/// Negative inside, about the distance close to the surface, which is at least the field divided by wfFigureSlope away.
double wfFigureField(wfFigurePoint p);
#define wfFigureSlope 1.5

/// How much of a point belongs to the arm on its side (0 is the body, 1 the arm), and how far down the arm it lies, from the shoulder.
double wfFigureArmShare(wfFigurePoint p, double* along);

/// Joints, of the right side (+x).
#define wfFigureHip      0.500 // heights
#define wfFigureKnee     0.285
#define wfFigureShoulder ((wfFigurePoint){0.098, 0.783, -0.008})
#define wfFigureElbow    0.180 // along the arm
