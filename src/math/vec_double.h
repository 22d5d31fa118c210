// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The vectors of math/vec.h in double precision, for what must be exact to more than a float: judges in tests and the reference solver.

#include "math/vec.h"

typedef struct wfVec3D {
    double x, y, z;
} wfVec3D;

WF_FN wfVec3D wfMake3D(double x, double y, double z) {
    wfVec3D r;
    r.x = x;
    r.y = y;
    r.z = z;
    return r;
}

WF_FN wfVec3D wfWiden(wfVec3 a) { return wfMake3D(a.x, a.y, a.z); }
WF_FN wfVec3 wfNarrow(wfVec3D a) { return wfMake3((float)a.x, (float)a.y, (float)a.z); }
WF_FN wfVec3D wfAddD(wfVec3D a, wfVec3D b) { return wfMake3D(a.x + b.x, a.y + b.y, a.z + b.z); }
WF_FN wfVec3D wfSubD(wfVec3D a, wfVec3D b) { return wfMake3D(a.x - b.x, a.y - b.y, a.z - b.z); }
WF_FN wfVec3D wfScaleD(wfVec3D a, double s) { return wfMake3D(a.x * s, a.y * s, a.z * s); }
WF_FN wfVec3D wfMulAddD(wfVec3D a, double s, wfVec3D b) { return wfMake3D(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z); } // a + s b
WF_FN double wfDotD(wfVec3D a, wfVec3D b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
WF_FN wfVec3D wfCrossD(wfVec3D a, wfVec3D b) { return wfMake3D(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
WF_FN double wfLengthD(wfVec3D a) { return sqrt(wfDotD(a, a)); }
