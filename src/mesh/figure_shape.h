// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The shape of a mannequin of height 1 that stands on y = 0 and faces +z, with its arms a little out: a smooth union of lofts (a straight
// axis with an ellipse about it whose half widths follow a profile, closed by half ellipsoids) and ellipsoids, 7.5 heads high.

#include <stdbool.h>

typedef struct wfFigurePoint {
    double x, y, z;
} wfFigurePoint;

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
