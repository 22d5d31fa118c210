// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Exact orientation of points in single precision, for host and kernels: the sign is right for every finite input, from denormal numbers
// to the largest, and the same from every compiler and device.
//
// First in double precision, where the differences of floats are exact or nearly so: the sign of a determinant is trusted where it exceeds
// all that rounding can have done. Nothing can overflow or underflow there (a product of three differences of floats lies between 2^-447
// and 2^387), so a bound relative to the sum of the products' sizes is all there is to it. What remains, in practice points that do lie in
// one plane or on one line, is summed exactly: a float is an integer below 2^24 times a power of two, so a product of three is one of 72
// bits, and a register of fixed point that spans all their powers of two (864 bits) takes the sum of all products without a rounding.
// A fused multiply-add only takes roundings away, so the bounds hold with and without it; -ffast-math is not allowed.

#include "math/vec.h"

#include <stdint.h>
#include <string.h>

typedef struct wfExactFloat {
    int32_t mantissa; // signed, below 2^24
    int32_t exponent; // of two, at least -149
} wfExactFloat;

WF_FN wfExactFloat wfExactFloat_Make(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    int32_t biased = (int32_t)(bits >> 23 & 255), mantissa = (int32_t)(bits & 0x7fffff);
    wfExactFloat r;
    if (biased > 0) mantissa |= 0x800000;
    r.mantissa = bits >> 31 ? -mantissa : mantissa;
    r.exponent = (biased > 0 ? biased : 1) - 150;
    return r;
}

/// A sum of products of three floats: 32 bits a digit, each in 64 so that no carry is due before the end. Digit 0 counts 2^-447.
enum { wf_exactDigits = 27 };
typedef struct wfExactSum {
    int64_t digit[wf_exactDigits];
} wfExactSum;

/// += sign x y z. Sums of up to 2^28 products are safe.
WF_FN void wfExactSum_Add(wfExactSum* sum, int sign, wfExactFloat x, wfExactFloat y, wfExactFloat z) {
    uint64_t mx = (uint64_t)(x.mantissa < 0 ? -x.mantissa : x.mantissa), my = (uint64_t)(y.mantissa < 0 ? -y.mantissa : y.mantissa),
             mz = (uint64_t)(z.mantissa < 0 ? -z.mantissa : z.mantissa), mxy = mx * my;
    if (mxy == 0 || mz == 0) return;
    bool negative = (x.mantissa < 0) ^ (y.mantissa < 0) ^ (z.mantissa < 0) ^ (sign < 0);
    uint64_t low = (mxy & 0xffffffffu) * mz, high = (mxy >> 32) * mz; // 56 and 40 bits
    uint64_t part[3];
    part[0] = low & 0xffffffffu;
    part[1] = (low >> 32) + (high & 0xffffffffu);
    part[2] = high >> 32;
    int place = x.exponent + y.exponent + z.exponent + 447;
    int64_t* digit = sum->digit + place / 32;
    for (int k = 0; k < 3; ++k) {
        uint64_t shifted = part[k] << place % 32; // below 2^33 before, so nothing is lost
        int64_t a = (int64_t)(shifted & 0xffffffffu), b = (int64_t)(shifted >> 32);
        digit[k] += negative ? -a : a;
        digit[k + 1] += negative ? -b : b;
    }
}

/// -1, 0 or 1.
WF_FN int wfExactSum_Sign(const wfExactSum* sum) {
    int64_t carry = 0, any = 0;
    for (int k = 0; k < wf_exactDigits; ++k) {
        int64_t value = sum->digit[k] + carry, rest = value & 0xffffffff; // the rest is not negative, the carry takes the sign
        carry = (value - rest) / 4294967296;
        any |= rest;
    }
    return carry < 0 ? -1 : carry > 0 || any != 0 ? 1 : 0;
}

// += sign times the determinant with rows a, b, c.
WF_FN void wfExactSum_AddDeterminant(wfExactSum* sum, int sign, const wfExactFloat* a, const wfExactFloat* b, const wfExactFloat* c) {
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        wfExactSum_Add(sum, sign, a[i], b[j], c[k]);
        wfExactSum_Add(sum, -sign, a[i], b[k], c[j]);
    }
}

// The same as wfOrient3, always by the exact sum.
WF_RARE_FN int wfOrient3_Exact(wfVec3 a, wfVec3 b, wfVec3 c, wfVec3 d) {
    wfVec3 in[4];
    wfExactFloat x[4][3];
    wfExactSum sum;
    in[0] = a, in[1] = b, in[2] = c, in[3] = d;
    for (int i = 0; i < 4; ++i) {
        x[i][0] = wfExactFloat_Make(in[i].x);
        x[i][1] = wfExactFloat_Make(in[i].y);
        x[i][2] = wfExactFloat_Make(in[i].z);
    }
    for (int k = 0; k < wf_exactDigits; ++k) sum.digit[k] = 0;
    for (int i = 0; i < 4; ++i) { // the determinant of the others, with alternating sign
        wfExactSum_AddDeterminant(&sum, i % 2 == 0 ? 1 : -1, x[i == 0], x[i <= 1 ? 2 : 1], x[i <= 2 ? 3 : 2]);
    }
    return wfExactSum_Sign(&sum);
}

// The same as wfOrient2, always by the exact sum.
WF_RARE_FN int wfOrient2_Exact(wfVec2 a, wfVec2 b, wfVec2 c) {
    wfVec3 p, q, r, s;
    // A tetrahedron upon the triangle, with its tip one above the first corner.
    p = wfMake3(a.x, a.y, 0.0f), q = wfMake3(b.x, b.y, 0.0f), r = wfMake3(c.x, c.y, 0.0f), s = wfMake3(a.x, a.y, 1.0f);
    return wfOrient3_Exact(p, q, r, s);
}

/// On which side of the plane through a, b, c the point d lies: 1 where the three turn counter-clockwise seen from d, -1 on the other side,
/// 0 in the plane. The sign of (b - a) x (c - a) . (d - a).
WF_FN int wfOrient3(wfVec3 a, wfVec3 b, wfVec3 c, wfVec3 d) {
    double ux = (double)b.x - a.x, uy = (double)b.y - a.y, uz = (double)b.z - a.z;
    double vx = (double)c.x - a.x, vy = (double)c.y - a.y, vz = (double)c.z - a.z;
    double wx = (double)d.x - a.x, wy = (double)d.y - a.y, wz = (double)d.z - a.z;
    double uyvz = uy * vz, uzvy = uz * vy, uzvx = uz * vx, uxvz = ux * vz, uxvy = ux * vy, uyvx = uy * vx;
    double value = wx * (uyvz - uzvy) + wy * (uzvx - uxvz) + wz * (uxvy - uyvx);
    double size = fabs(wx) * (fabs(uyvz) + fabs(uzvy)) + fabs(wy) * (fabs(uzvx) + fabs(uxvz)) + fabs(wz) * (fabs(uxvy) + fabs(uyvx));
    // A product passes through at most 8 roundings of 2^-53: three differences, two products, three sums; and so does the size.
    if (fabs(value) > 1.2e-15 * size) return value > 0.0 ? 1 : -1;
    if (size == 0.0) return 0;
    return wfOrient3_Exact(a, b, c, d);
}

/// 1 where a, b, c turn counter-clockwise, -1 clockwise, 0 on one line. The sign of (b - a) x (c - a).
WF_FN int wfOrient2(wfVec2 a, wfVec2 b, wfVec2 c) {
    double p = ((double)b.x - a.x) * ((double)c.y - a.y), q = ((double)b.y - a.y) * ((double)c.x - a.x);
    double value = p - q, size = fabs(p) + fabs(q);
    if (fabs(value) > 6e-16 * size) return value > 0.0 ? 1 : -1; // 4 roundings of 2^-53, and those of the size
    if (size == 0.0) return 0;
    return wfOrient2_Exact(a, b, c);
}

/// The view along an axis (0, 1, 2): what is left of p keeps its orientation.
WF_FN wfVec2 wfSeenAlong(wfVec3 p, int axis) {
    wfVec2 r;
    r.x = axis == 0 ? p.y : axis == 1 ? p.z : p.x;
    r.y = axis == 0 ? p.z : axis == 1 ? p.x : p.y;
    return r;
}

/// wfOrient2 of the view along an axis.
WF_FN int wfOrientAlong(wfVec3 a, wfVec3 b, wfVec3 c, int axis) {
    return wfOrient2(wfSeenAlong(a, axis), wfSeenAlong(b, axis), wfSeenAlong(c, axis));
}

/// An axis along which a triangle is seen with an area, the widest to rounding; -1 where its corners lie on one line.
WF_FN int wfWidestView(wfVec3 a, wfVec3 b, wfVec3 c) {
    double ux = (double)b.x - a.x, uy = (double)b.y - a.y, uz = (double)b.z - a.z;
    double vx = (double)c.x - a.x, vy = (double)c.y - a.y, vz = (double)c.z - a.z;
    double x = fabs(uy * vz - uz * vy), y = fabs(uz * vx - ux * vz), z = fabs(ux * vy - uy * vx);
    int first = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    for (int k = 0; k < 3; ++k) {
        int axis = (first + k) % 3;
        if (wfOrientAlong(a, b, c, axis) != 0) return axis;
    }
    return -1;
}
