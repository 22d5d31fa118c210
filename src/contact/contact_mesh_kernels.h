// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "contact/contact_mesh.h"

typedef struct ContactPlaceArgs {
    const wfVec4 *xStart, *x, *target;
    const float* half;
    wfVec4 *from, *to;
} ContactPlaceArgs;

/// Marks the vertices that have strayed so far from their way that pairs are looked for again, and takes the way that they go now for
/// theirs.
typedef struct ContactStrayArgs {
    const wfVec4* to;
    wfVec4* way;
    int* strayed;
    float leash; // [m]
} ContactStrayArgs;

/// One item a cloth vertex and plane.
typedef struct PlaneNearArgs {
    const wfVec4 *from, *to;
    const wfTriangle* planes;
    const int* marks; // of cloth vertices that are looked at; NULL: all are
    int* flags;
    int clothVertexCount;
    float margin;
} PlaneNearArgs;

typedef struct QuadsOfPlanesArgs {
    const int* list;
    const wfTriangle* planes;
    wfQuad* out;
    int clothVertexCount;
} QuadsOfPlanesArgs;
