// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Vectors and quaternions for host and kernels: plain structs, free functions, single precision.

#include "base/compiler.h"
#include "weft/base.h"

#include <math.h>

/// Positions on the device: 16 bytes, so that a gather is one load. w is the user's.
typedef struct wfVec4 {
    WF_ALIGN(16) float x;
    float y, z, w;
} wfVec4;

typedef struct wfVec2 {
    float x, y;
} wfVec2;

WF_FN wfVec3 wfMake3(float x, float y, float z) {
    wfVec3 r;
    r.x = x;
    r.y = y;
    r.z = z;
    return r;
}

WF_FN wfVec4 wfMake4(wfVec3 v, float w) {
    wfVec4 r;
    r.x = v.x;
    r.y = v.y;
    r.z = v.z;
    r.w = w;
    return r;
}

WF_FN wfVec3 wfXyz(wfVec4 v) { return wfMake3(v.x, v.y, v.z); }
WF_FN wfVec3 wfAdd(wfVec3 a, wfVec3 b) { return wfMake3(a.x + b.x, a.y + b.y, a.z + b.z); }
WF_FN wfVec3 wfSub(wfVec3 a, wfVec3 b) { return wfMake3(a.x - b.x, a.y - b.y, a.z - b.z); }
WF_FN wfVec3 wfScale(wfVec3 a, float s) { return wfMake3(a.x * s, a.y * s, a.z * s); }
WF_FN wfVec3 wfMulAdd(wfVec3 a, float s, wfVec3 b) { return wfMake3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z); } // a + s b
WF_FN wfVec3 wfLerp(wfVec3 a, wfVec3 b, float t) { return wfMulAdd(a, t, wfSub(b, a)); }
WF_FN wfVec3 wfMin3(wfVec3 a, wfVec3 b) { return wfMake3(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z)); }
WF_FN wfVec3 wfMax3(wfVec3 a, wfVec3 b) { return wfMake3(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z)); }
WF_FN float wfDot(wfVec3 a, wfVec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
WF_FN wfVec3 wfCross(wfVec3 a, wfVec3 b) { return wfMake3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
WF_FN float wfLengthSq(wfVec3 a) { return wfDot(a, a); }
WF_FN float wfLength(wfVec3 a) { return sqrtf(wfDot(a, a)); }
WF_FN float wfDistance(wfVec3 a, wfVec3 b) { return wfLength(wfSub(a, b)); }
WF_FN float wfInverseSqrt(float x) { return WF_INVERSE_SQRT(x); } // on CUDA to 2 ulp, which is several times faster than the exact one
WF_FN float wfInverseAbs(float x) { return WF_FAST_INVERSE ? wfInverseSqrt(x * x + 1e-37f) : 1.0f / (fabsf(x) + 1e-19f); } // finite
WF_FN float wfClamp(float x, float lo, float hi) { return fminf(fmaxf(x, lo), hi); }
WF_FN bool wfIsFinite3(wfVec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

/// Unit vector, or `fallback` where the length is zero.
WF_FN wfVec3 wfNormalizeOr(wfVec3 a, wfVec3 fallback) {
    float l = wfLength(a);
    return l > 0.0f ? wfScale(a, 1.0f / l) : fallback;
}

WF_FN wfQuat wfQuatIdentity(void) {
    wfQuat q;
    q.x = q.y = q.z = 0.0f;
    q.w = 1.0f;
    return q;
}

/// Rotation by `angle` [rad] about `axis`, which need not be unit; a zero axis is no rotation.
WF_FN wfQuat wfQuatAxisAngle(wfVec3 axis, float angle) {
    wfVec3 n = wfScale(wfNormalizeOr(axis, wfMake3(0, 0, 0)), sinf(0.5f * angle));
    wfQuat q;
    q.x = n.x;
    q.y = n.y;
    q.z = n.z;
    q.w = cosf(0.5f * angle);
    return q;
}

WF_FN wfQuat wfQuatNormalize(wfQuat q) {
    float l = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    float s = l > 0.0f ? 1.0f / l : 0.0f;
    wfQuat r;
    r.x = q.x * s;
    r.y = q.y * s;
    r.z = q.z * s;
    r.w = l > 0.0f ? q.w * s : 1.0f;
    return r;
}

WF_FN wfQuat wfQuatConjugate(wfQuat q) {
    wfQuat r;
    r.x = -q.x;
    r.y = -q.y;
    r.z = -q.z;
    r.w = q.w;
    return r;
}

/// First b, then a.
WF_FN wfQuat wfQuatMul(wfQuat a, wfQuat b) {
    wfQuat r;
    r.x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y;
    r.y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x;
    r.z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w;
    r.w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
    return r;
}

WF_FN wfVec3 wfRotate(wfQuat q, wfVec3 v) {
    wfVec3 u = wfMake3(q.x, q.y, q.z);
    wfVec3 t = wfScale(wfCross(u, v), 2.0f);
    return wfAdd(wfMulAdd(v, q.w, t), wfCross(u, t));
}

WF_FN wfVec3 wfUnrotate(wfQuat q, wfVec3 v) { return wfRotate(wfQuatConjugate(q), v); }
