// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Where a cubic can be near zero, with proof. The cubic is split where its slope changes sign (Yuksel 2022, "High-performance polynomial
// root finding for graphics"), and each monotone piece is searched by Newton steps kept inside a bracket. What is new here is that every
// decision carries the rounding of its own evaluation: outside of the spans returned, |f| > band holds for the cubic with exactly the given
// coefficients, not only for what was computed. Whatever cannot be proven is left inside a span.
//
// Cubics are in Bernstein form on [0, 1]: f(t) = b0 (1-t)³ + 3 b1 (1-t)² t + 3 b2 (1-t) t² + b3 t³, which stays inside the hull of b.

#include "base/compiler.h"

#include <math.h>
#include <stdbool.h>

#define WF_ROUNDING 1.1102230246251565e-16 // 2^-53, the most a double operation is off by, relative to its result

enum { wf_cubicSpanLimit = 5 }; // three monotone pieces and the two turns between them

typedef struct wfCubicSpans {
    double lo[wf_cubicSpanLimit], hi[wf_cubicSpanLimit]; // increasing, apart from each other
    int count;
} wfCubicSpans;

WF_FN double wfMix(double a, double b, double t) { return a + t * (b - a); }

/// The blossom b(r, s, t): b(t, t, t) is f(t), and b(l, l, l), b(l, l, r), b(l, r, r), b(r, r, r) are the coefficients on [l, r].
/// Each mix of numbers below m is off by at most 5 m WF_ROUNDING (difference 2, product 2, sum 1) and passes on at most what its two
/// numbers were off by, so three rows of them are off by at most 15.
WF_FN double wfCubic_Blossom(const double b[4], double r, double s, double t) {
    double c0 = wfMix(b[0], b[1], r), c1 = wfMix(b[1], b[2], r), c2 = wfMix(b[2], b[3], r);
    return wfMix(wfMix(c0, c1, s), wfMix(c1, c2, s), t);
}

WF_FN double wfQuadratic_Blossom(const double d[3], double s, double t) { return wfMix(wfMix(d[0], d[1], s), wfMix(d[1], d[2], s), t); }

/// On a piece where `sign` f falls from above `level` at `above` to at most `level` at `below` (either may be the left one): a place at
/// which it is still computed above, next to the crossing. Only how near it is depends on the search.
WF_FN double wfCubic_LastAbove(const double b[4], const double d[3], double sign, double level, double above, double below) {
    const double close = 0x1p-46;
    double first = sign * wfCubic_Blossom(b, above, above, above), last = sign * wfCubic_Blossom(b, below, below, below);
    double t = wfMix(above, below, first > last ? (first - level) / (first - last) : 0.5);
    for (int k = 0; k < 64 && fabs(below - above) > close; ++k) {
        double lo = fmin(above, below), hi = fmax(above, below);
        if (!(t > lo && t < hi)) t = 0.5 * (lo + hi);
        double value = sign * wfCubic_Blossom(b, t, t, t) - level;
        double step = fabs(value / (3.0 * wfQuadratic_Blossom(d, t, t))), side = above < below ? -1.0 : 1.0; // towards above
        if (value > 0.0) {
            above = t;
            if (step <= close) break;
        } else
            below = t;
        // A little short of where Newton's line crosses, so that the next place is above again.
        t += side * (fmin(0.01 * step, 8.0 * step * step) + 0.5 * close - (value > 0.0 ? step : -step));
    }
    return above;
}

WF_FN void wfCubicSpans_Add(wfCubicSpans* spans, double lo, double hi) {
    if (spans->count > 0 && lo <= spans->hi[spans->count - 1])
        spans->hi[spans->count - 1] = hi;
    else {
        spans->lo[spans->count] = lo;
        spans->hi[spans->count] = hi;
        spans->count += 1;
    }
}

/// The part of [l, r] that may lie in the band; `level` is the band widened by the rounding of an evaluation, as `flat` is zero slope.
WF_FN void wfCubicSpans_AddPiece(wfCubicSpans* spans, const double b[4], const double d[3], double l, double r, double level, double flat) {
    if (!(l < r)) return;
    double first = wfCubic_Blossom(b, l, l, l), last = wfCubic_Blossom(b, r, r, r);
    double slope[3] = {wfQuadratic_Blossom(d, l, l), wfQuadratic_Blossom(d, l, r), wfQuadratic_Blossom(d, r, r)};
    bool rises = slope[0] > flat && slope[1] > flat && slope[2] > flat, falls = slope[0] < -flat && slope[1] < -flat && slope[2] < -flat;
    if (rises || falls) {
        double sign = falls ? 1.0 : -1.0, end = r; // sign f falls
        if (sign * first < -level || sign * last > level) return;
        if (sign * first > level) l = wfCubic_LastAbove(b, d, sign, level, l, r);
        if (sign * last < -level) { // of a narrow band the other side is right behind
            r = l + 4.0 * level / fabs(3.0 * wfQuadratic_Blossom(d, l, l)) + 0x1p-46;
            bool near = r < fmin(end, l + 0x1p-40) && sign * wfCubic_Blossom(b, r, r, r) < -level;
            if (!near) r = wfCubic_LastAbove(b, d, -sign, level, end, l);
        }
    } else {
        double inner[2] = {wfCubic_Blossom(b, l, l, r), wfCubic_Blossom(b, l, r, r)};
        if (first > level && inner[0] > level && inner[1] > level && last > level) return;
        if (first < -level && inner[0] < -level && inner[1] < -level && last < -level) return;
    }
    wfCubicSpans_Add(spans, l, r);
}

/// Whether f is above `level` or below its negative on all of [0, 1], told from the hull of its coefficients.
WF_FN bool wfCubic_StaysBeyond(const double b[4], double level) {
    return (b[0] > level && b[1] > level && b[2] > level && b[3] > level) ||
           (b[0] < -level && b[1] < -level && b[2] < -level && b[3] < -level);
}

/// The spans of [0, 1] outside of which |f| > band is proven; all of [0, 1] for coefficients that are not finite.
WF_FN wfCubicSpans wfCubic_NearZero(const double b[4], double band) {
    wfCubicSpans spans;
    spans.count = 0;
    double size = fmax(fmax(fabs(b[0]), fabs(b[1])), fmax(fabs(b[2]), fabs(b[3])));
    double level = band + 20.0 * WF_ROUNDING * size;
    if (!isfinite(b[0] + b[1] + b[2] + b[3]) || !isfinite(level)) {
        wfCubicSpans_Add(&spans, 0.0, 1.0);
        return spans;
    }
    if (wfCubic_StaysBeyond(b, band)) return spans;

    // A third of the slope, as a quadratic in Bernstein form: off by 2 from the differences and 2 · 10 from two rows of mixes.
    double d[3] = {b[1] - b[0], b[2] - b[1], b[3] - b[2]}, flat = 24.0 * WF_ROUNDING * size;
    if ((d[0] > flat && d[1] > flat && d[2] > flat) || (d[0] < -flat && d[1] < -flat && d[2] < -flat)) {
        wfCubicSpans_AddPiece(&spans, b, d, 0.0, 1.0, level, flat);
        return spans;
    }
    double curve = d[0] - 2.0 * d[1] + d[2], half = d[1] - d[0], square = half * half - curve * d[0], root = sqrt(fmax(square, 0.0));
    double turn[2] = {2.0, 2.0}, reach = 0.0; // where the slope is zero, and how far around it the sign cannot be told
    if (square <= 0.0) {
        if (curve != 0.0) turn[0] = -half / curve; // never zero, or once: on each side of its least value it is easy to tell
    } else {
        double q = -(half + copysign(root, half));
        double first = curve != 0.0 ? q / curve : 2.0, second = q != 0.0 ? d[0] / q : 2.0;
        turn[0] = fmin(first, second);
        turn[1] = fmax(first, second);
    }
    // curve x² + 2 root x = 4 flat: beyond x from a turn the slope is far from what rounding could make of zero.
    if (curve != 0.0 || root > 0.0)
        reach = 4.0 * flat / (root + sqrt(square > 0.0 ? square + 4.0 * flat * fabs(curve) : 4.0 * flat * fabs(curve)));
    reach += 0x1p-50;
    double at = 0.0;
    for (int k = 0; k < 2; ++k) {
        double lo = turn[k] - reach, hi = turn[k] + reach;
        if (!(hi > at && lo < 1.0)) continue;
        if (lo > at) wfCubicSpans_AddPiece(&spans, b, d, at, lo, level, flat);
        wfCubicSpans_AddPiece(&spans, b, d, fmax(lo, at), fmin(hi, 1.0), level, flat);
        at = fmin(hi, 1.0);
    }
    wfCubicSpans_AddPiece(&spans, b, d, at, 1.0, level, flat);
    return spans;
}
