// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The parts of `weft untangle`: what is untangled, and how it is told.

#include "app/check_scene.h"
#include "contact/untangle.h"

/// How much longer or shorter edges are than at rest.
typedef struct wfStretch {
    double largest, smallest, mean; // length / rest length; the mean is of |length / rest - 1|, of the cloth's edges
} wfStretch;

typedef struct wfUntangleResult {
    wfUntangleReport report;
    wfStretch before, after;
    wfContourInfo* left; // contours that stay
    int leftCount;
    double seconds;
    float ease;     // [m] asked for; 0: none was
    double closest; // [m] between two objects
    int64_t closer; // pairs of elements nearer than asked for
} wfUntangleResult;

void wfUntangle_PrintText(const wfCheckScene* scene, const char* output, const wfUntangleResult* result);
/// One object on one line.
void wfUntangle_PrintJson(const wfCheckScene* scene, const char* output, const wfUntangleResult* result);
