// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Rotations for tests of rigid motions.

#include "difference.h"

/// The rotation by `angle` about an axis of any length, by Rodrigues' formula.
static inline wfMat3D AxisAngle(wfVec3D axis, double angle) {
    wfVec3D n = wfScaleD(axis, 1.0 / wfLengthD(axis));
    double c = cos(angle), s = sin(angle);
    wfMat3D r = wfDiagonal3D(c);
    wfMat3_AddOuterD(&r, 1.0 - c, n, n);
    r.m[0][1] -= s * n.z, r.m[1][0] += s * n.z;
    r.m[0][2] += s * n.y, r.m[2][0] -= s * n.y;
    r.m[1][2] -= s * n.x, r.m[2][1] += s * n.x;
    return r;
}
