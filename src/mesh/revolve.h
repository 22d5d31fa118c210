// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Surfaces of revolution about the y axis with triangles of even size: a profile is cut into rows, each row gets as many vertices as its
// circle has room for, and neighbouring rows are zipped together.

#include "mesh/builder.h"

/// A line or an arc of the profile, in the half plane of r and y. Ends are exact; r = 0 there is a pole.
typedef struct wfProfilePart {
    double r0, y0, r1, y1;
    bool isArc;
    double centerR, centerY, radius, angle0, angle1; // arc only; angle from the r direction toward y
} wfProfilePart;

/// Appends the surface. The outside is on the right of the profile's direction (r to the right, y up). Parts must follow each other; the
/// last ends in the first where the profile is closed, else both ends may be poles or open rims.
bool wfRevolve(wfMeshBuilder* builder, const wfProfilePart* parts, int partCount, bool closed, double edge, wfError* err);

/// The longest edge with which a turn of this radius is still round: an eighth of it.
static inline double wfRoundEdge(double radius) { return 0.785398163397448 * radius; }
