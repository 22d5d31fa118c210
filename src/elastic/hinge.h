// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The flat shape about an edge: one side of it, and both sides laid out as a hinge.

#include "mesh/model.h"

/// A triangle seen along one of its edges.
typedef struct wfEdgeSide {
    int first;     // the vertex where the triangle's edge begins, running counter-clockwise
    double length; // of the edge [m]
    double area;   // of the triangle [m²]
    double along;  // where the opposite vertex lies along the edge, from `first`, as a share of its length
    double height; // of the opposite vertex above it [m]
    double warp;   // cos of twice the angle between the direction across the edge and the warp: 1 where an edge runs along the weft
    double slant;  // sin of twice the angle from the warp to the edge, its sign turned over where the triangle's flat shape is mirrored
} wfEdgeSide;

/// side is 0, or 1 where there is a second triangle. Needs model->topology.
wfEdgeSide wfMakeEdgeSide(const wfModel* model, int edge, int side);

/// Two triangles that meet in an edge, from v[0] to v[1]; v[2] lies across it in the first, v[3] in the second triangle. The first runs
/// counter-clockwise as v[0], v[1], v[2]. Where a pattern was sewn and both sides differ in length, the mean counts.
typedef struct wfHinge {
    int v[4];
    double length;
    double along[2]; // from v[0], as a share of the length
    double height[2];
    double area;  // of both triangles
    double warp;  // mean of both sides
    double slant; // of the first
} wfHinge;

/// False on the boundary, where there is none. Needs model->topology.
bool wfMakeHinge(const wfModel* model, int edge, wfHinge* out);
