// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "math/cubic.h"

#include <stdlib.h>

// Judges: roots that the cubics were made from, and values in long double at many places outside of the spans.

static double Random(uint32_t* seed) { // [-1, 1]
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388607.5 - 1.0;
}

static long double Value(const double b[4], long double t) {
    long double s = 1.0L - t;
    return s * s * s * b[0] + 3.0L * s * s * t * b[1] + 3.0L * s * t * t * b[2] + t * t * t * b[3];
}

/// scale (t - r0)(t - r1)(t - r2), whose coefficients are its blossom at 0 and 1.
static void FromRoots(const double r[3], double scale, double b[4]) {
    double p = r[0] * r[1] * r[2], pairs = r[0] * r[1] + r[1] * r[2] + r[2] * r[0], sum = r[0] + r[1] + r[2];
    b[0] = -scale * p;
    b[1] = scale * (pairs / 3.0 - p);
    b[2] = scale * (2.0 * pairs / 3.0 - p - sum / 3.0);
    b[3] = scale * (1.0 - sum + pairs - p);
}

static bool Covers(const wfCubicSpans* s, double t) {
    for (int k = 0; k < s->count; ++k)
        if (t >= s->lo[k] && t <= s->hi[k]) return true;
    return false;
}

/// Spans are in order inside [0, 1], and nothing outside of them is in the band. Returns their length.
static double CheckSpans(const double b[4], double band) {
    wfCubicSpans s = wfCubic_NearZero(b, band);
    assert_in_range(s.count, 0, wf_cubicSpanLimit);
    double length = 0.0, before = -1.0;
    for (int k = 0; k < s.count; ++k) {
        if (!(s.lo[k] > before && s.hi[k] >= s.lo[k] && s.hi[k] <= 1.0 && s.lo[k] >= 0.0)) fail_msg("span %d: %g, %g", k, s.lo[k], s.hi[k]);
        length += s.hi[k] - s.lo[k];
        before = s.hi[k];
    }
    enum { Places = 400 };
    for (int i = 0; i <= Places + 4 * s.count; ++i) {
        int k = (i - Places - 1) / 4; // right beside the spans too
        double near = 0.0;
        if (i > Places) near = i % 2 ? nextafter(s.lo[k], -1.0) : nextafter(s.hi[k], 2.0);
        double t = i <= Places ? (double)i / Places : near;
        if (t < 0.0 || t > 1.0 || Covers(&s, t)) continue;
        if (!(fabsl(Value(b, t)) > band))
            fail_msg("%a %a %a %a, band %a: value %Lg at %a is outside of all spans", b[0], b[1], b[2], b[3], band, Value(b, t), t);
    }
    return length;
}

static void TestRandomRoots(void** state) {
    (void)state;
    uint32_t seed = 3;
    for (int n = 0; n < 4000; ++n) {
        double scale = ldexp(1.0, n % 7 * 60 - 180), r[3], b[4];
        for (int k = 0; k < 3; ++k) r[k] = 0.5 + 0.8 * Random(&seed);
        if (n % 5 == 0) r[1] = r[0];
        if (n % 25 == 0) r[2] = r[0];
        if (n % 3 == 0) r[2] = r[1] + 1e-9 * Random(&seed);
        FromRoots(r, scale, b);
        double rounding = 1e-15 * scale, length = CheckSpans(b, rounding); // of the coefficients
        wfCubicSpans s = wfCubic_NearZero(b, rounding);
        double closest = fmin(fmin(fabs(r[0] - r[1]), fabs(r[1] - r[2])), fabs(r[2] - r[0]));
        for (int k = 0; k < 3; ++k)
            if (r[k] >= 0.0 && r[k] <= 1.0 && !Covers(&s, r[k])) fail_msg("roots %g %g %g: %.17g is not covered", r[0], r[1], r[2], r[k]);
        if (closest > 0.01 && length > 1e-9) fail_msg("roots %g %g %g: spans of %g for simple roots", r[0], r[1], r[2], length);
        CheckSpans(b, 0.01 * scale);
    }
}

static void TestRandomCoefficients(void** state) {
    (void)state;
    uint32_t seed = 17;
    for (int n = 0; n < 4000; ++n) {
        double b[4];
        for (int k = 0; k < 4; ++k) b[k] = n % 2 ? Random(&seed) : floor(3.0 * Random(&seed)); // small whole numbers: zeros and ties
        CheckSpans(b, n % 3 == 0 ? 0.0 : n % 3 == 1 ? 0.1 : 1e-12);
    }
}

static void TestDegenerate(void** state) {
    (void)state;
    const double zero[4] = {0, 0, 0, 0}, constant[4] = {1, 1, 1, 1}, linear[4] = {-1, 0, 1, 2}, last[4] = {3, 2, 1, 0},
                 first[4] = {0, 1, 2, 3};
    const double touch[4] = {1, -1.0 / 3.0, -1.0 / 3.0, 1}, triple[4] = {-0.125, 0.125, -0.125, 0.125}, bad[4] = {NAN, 1, 1, 1};
    CHECK_NEAR(CheckSpans(zero, 0.0), 1.0, 0.0);
    assert_int_equal(wfCubic_NearZero(constant, 0.5).count, 0);
    CHECK_NEAR(CheckSpans(constant, 1.0), 1.0, 0.0);
    CHECK_NEAR(CheckSpans(linear, 0.0), 0.0, 1e-13); // (3t - 1)
    CHECK_NEAR(wfCubic_NearZero(linear, 0.0).lo[0], 1.0 / 3.0, 1e-13);
    CHECK_NEAR(wfCubic_NearZero(last, 0.0).hi[0], 1.0, 0.0);
    CHECK_NEAR(wfCubic_NearZero(first, 0.0).lo[0], 0.0, 0.0);
    CHECK_NEAR(CheckSpans(touch, 1e-16), 0.0, 1e-6);  // (2t - 1)²
    CHECK_NEAR(CheckSpans(triple, 1e-16), 0.0, 1e-4); // (t - 1/2)³
    CHECK_NEAR(CheckSpans(linear, 0.3), 0.2, 1e-12);
    wfCubicSpans all = wfCubic_NearZero(bad, 0.0);
    assert_true(all.count == 1 && all.lo[0] == 0.0 && all.hi[0] == 1.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestRandomRoots), cmocka_unit_test(TestRandomCoefficients),
                                       cmocka_unit_test(TestDegenerate)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
