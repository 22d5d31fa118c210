// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "math/vec.h"

/// Inertia times the turn = moment, by cofactors in double precision: a narrow strip has a small determinant.
WF_FN wfVec3 wfSolveTurn(double xx, double yy, double zz, double xy, double yz, double zx, double lx, double ly, double lz) {
    double cxx = yy * zz - yz * yz, cyy = zz * xx - zx * zx, czz = xx * yy - xy * xy;
    double cxy = yz * zx - xy * zz, cyz = zx * xy - yz * xx, czx = xy * yz - zx * yy;
    double det = xx * cxx + xy * cxy + zx * czx, trace = xx + yy + zz;
    // A straight row of vertices has no inertia about itself; which way it turns there means nothing.
    double inverse = det > 1e-9 * trace * trace * trace ? 1.0 / det : 0.0;
    return wfMake3((float)((cxx * lx + cxy * ly + czx * lz) * inverse), (float)((cxy * lx + cyy * ly + cyz * lz) * inverse),
                   (float)((czx * lx + cyz * ly + czz * lz) * inverse));
}
