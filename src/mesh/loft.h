// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Organic shapes as fields: a smooth union of lofts, each a straight axis with an ellipse about it whose half widths follow a profile,
// closed by half ellipsoids. They are bodies of the right half (x > 0); the left one is their mirror image.

#include <stdbool.h>

typedef struct wfFieldPoint {
    double x, y, z;
} wfFieldPoint;

/// A place along the axis of a loft: half widths along the two directions across, and how far its middle is off the axis along the second.
typedef struct wfLoftKnot {
    double at, u, w, off;
} wfLoftKnot;

/// Of one knot it is an ellipsoid.
typedef struct wfLoft {
    double blend;                   // how far it runs into those before it
    wfFieldPoint from, along, u, w; // origin and unit vectors: of the axis, and of the two directions across
    double cap[2];                  // height of the half ellipsoids at both ends
    double reach;                   // no point of it is farther from the axis between its ends
    const wfLoftKnot* knots;
    int count;
} wfLoft;

#define WF_KNOTS(table) .knots = (table), .count = (int)(sizeof(table) / sizeof((table)[0]))

/// The field f (negative inside, about the distance close to the surface) united with lofts, one after the other.
double wfUniteLofts(double f, const wfLoft* lofts, int count, wfFieldPoint p);

/// To the right half, without a crease: the halves run into each other by `middle`.
wfFieldPoint wfMirrorField(wfFieldPoint p, double middle);
