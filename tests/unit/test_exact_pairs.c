// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "collide/edge_triangle.h"
#include "collide/triangle_pair.h"
#include "exact_judge.h"

#include <float.h>
#include <stdio.h>

// Orientations, edge against triangle and triangle against triangle, all against rational arithmetic.

static uint64_t s_seed = 1;
static uint32_t Random(void) {
    s_seed = s_seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(s_seed >> 33);
}
static int RandomBelow(int n) { return (int)(Random() % (uint32_t)n); }
static float RandomUnit(void) { return (float)RandomBelow(1 << 24) / 8388608.0f - 1.0f; }
static wfVec3 RandomPoint(void) { // one number a line: the order of arguments is the compiler's
    float x = RandomUnit();
    float y = RandomUnit();
    float z = RandomUnit();
    return wfMake3(x, y, z);
}
static wfVec3 RandomCell(int size) {
    float x = (float)RandomBelow(size);
    float y = (float)RandomBelow(size);
    float z = (float)RandomBelow(size);
    return wfMake3(x, y, z);
}

/// Any finite float, all exponents alike.
static float RandomFloat(void) {
    uint32_t bits = Random() << 1 ^ Random();
    if ((bits >> 23 & 255) == 255) bits ^= 1u << 28;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static float RandomExtreme(void) {
    static const float some[] = {0.0f, 1.4e-45f, FLT_MIN, 1.0f, 1.0000001f, 0.33333334f, 3.0f, FLT_MAX, 1.7014118e38f, 1e-30f};
    float x = some[RandomBelow((int)(sizeof some / sizeof *some))];
    return RandomBelow(2) ? -x : x;
}

static float Nudge(float x) {
    for (int n = RandomBelow(4); n > 0; --n) x = nextafterf(x, Random() & 1 ? 2.0f : -2.0f);
    return x;
}

enum {
    randomKind,
    gridKind,
    planeKind,
    latticeKind,
    touchKind,
    sliverKind,
    nudgeKind,
    anyKind,
    extremeKind,
    scaledKind,
    flatKind,
    kindCount
};
static const char* const s_kinds[kindCount] = {"random",         "small grid",        "about one plane", "in one plane",
                                               "touching",       "slivers",           "few roundings",   "any float",
                                               "extreme floats", "scaled small grid", "without area"};

/// Six points of a kind: the corners of two triangles.
static void MakePoints(int kind, wfVec3 x[6]) {
    for (int k = 0; k < 6; ++k) x[k] = RandomPoint();
    int size = 2 + RandomBelow(4);
    switch (kind) {
    case randomKind:
        break;
    case gridKind:
    case scaledKind:
    case flatKind:
        for (int k = 0; k < 6; ++k) x[k] = RandomCell(size);
        break;
    case planeKind: { // off by rounding
        wfVec3 o = x[0], u = x[1], v = x[2];
        for (int k = 0; k < 6; ++k) {
            float s = RandomUnit(), t = RandomUnit();
            x[k] = wfMulAdd(wfMulAdd(o, s, u), t, v);
        }
        break;
    }
    case latticeKind: { // exactly: whole numbers
        wfVec3 u = RandomCell(1000), v = RandomCell(1000), o = RandomCell(100000);
        for (int k = 0; k < 6; ++k) {
            float s = (float)RandomBelow(size + 1), t = (float)RandomBelow(size + 1);
            x[k] = wfMulAdd(wfMulAdd(o, s, u), t, v);
        }
        break;
    }
    case touchKind: { // a corner of b on a, exactly (quarters of whole numbers) or nearly
        for (int k = 0; k < 3; ++k) x[k] = wfScale(RandomCell(4096), 4.0f);
        int s = RandomBelow(5), t = RandomBelow(5 - s);
        x[3] = wfAdd(x[0], wfAdd(wfScale(wfSub(x[1], x[0]), 0.25f * (float)s), wfScale(wfSub(x[2], x[0]), 0.25f * (float)t)));
        for (int k = 4; k < 6; ++k) x[k] = wfScale(RandomCell(4096), 4.0f);
        if (RandomBelow(2)) x[3] = wfMake3(Nudge(x[3].x), Nudge(x[3].y), Nudge(x[3].z));
        break;
    }
    case sliverKind: // half of them along a line through the other; one or both
        if (RandomBelow(2)) x[4] = wfLerp(x[3], wfLerp(x[0], x[1], 0.5f), 2.0f);
        for (int k = 0, end = RandomBelow(2) ? 6 : 3; k < end; k += 3) {
            wfVec3 on = wfLerp(x[k], x[k + 1], 1.5f * RandomUnit());
            x[k + 2] = wfMake3(Nudge(on.x), Nudge(on.y), Nudge(on.z));
        }
        break;
    case nudgeKind: // b is a, or a part of its plane, but for roundings
        for (int k = 0; k < 3; ++k) {
            wfVec3 p = RandomBelow(2) ? x[k] : wfLerp(x[k], x[(k + 1) % 3], RandomUnit());
            x[3 + k] = wfMake3(Nudge(p.x), Nudge(p.y), Nudge(p.z));
        }
        break;
    case anyKind:
    case extremeKind:
        for (int k = 0; k < 18; ++k) (&x[k / 3].x)[k % 3] = kind == anyKind ? RandomFloat() : RandomExtreme();
        break;
    default:
        fail();
    }
    if (kind == scaledKind) {
        int e = RandomBelow(274) - 149; // down to denormal numbers, up to where the grid still fits
        for (int k = 0; k < 18; ++k) (&x[k / 3].x)[k % 3] = ldexpf((&x[k / 3].x)[k % 3], e);
    }
    if (kind == flatKind) { // a, b or both on a line, or in a point
        for (int k = 0; k < 6; k += 3) {
            int what = RandomBelow(4);
            if (what == 0) continue;
            int s = RandomBelow(4);
            x[k + 2] = what == 1 ? x[k + RandomBelow(2)] : wfAdd(x[k], wfScale(wfSub(x[k + 1], x[k]), (float)(s - 1)));
            if (what == 3) x[k + 1] = x[k + 2] = x[k];
        }
    }
}

static bool FastMeet(const wfVec3 a[3], const wfVec3 b[3], int shared) {
    return shared == 0 ? wfTrianglesMeet(a, b) : shared == 1 ? wfTrianglesMeetBeyondVertex(a, b) : wfTrianglesMeetBeyondEdge(a, b);
}

static void FailPair(const char* what, int kind, int shared, const wfVec3 a[3], const wfVec3 b[3], bool truth) {
    for (int k = 0; k < 3; ++k) {
        print_message("a (%a, %a, %a)  b (%a, %a, %a)\n", (double)a[k].x, (double)a[k].y, (double)a[k].z, (double)b[k].x, (double)b[k].y,
                      (double)b[k].z);
    }
    fail_msg("%s, %s, %d shared: the judge says %d", what, s_kinds[kind], shared, truth);
}

static void TestPairs(void** state) {
    (void)state;
    Judge judge;
    Judge_Init(&judge);
    int total = 0;
    for (int kind = 0; kind < kindCount; ++kind) {
        for (int shared = 0; shared < 3; ++shared) {
            int met = 0, trials = shared == 0 ? 4000 : 3000;
            for (int trial = 0; trial < trials; ++trial, ++total) {
                wfVec3 x[6];
                MakePoints(kind, x);
                wfVec3 *a = x, *b = x + 3;
                for (int k = 0; k < shared; ++k) b[k] = a[k];
                // Without this, folded neighbours in one plane would hardly occur.
                if (shared == 2 && kind != anyKind && kind != extremeKind && RandomBelow(3) == 0)
                    b[2] = wfLerp(a[RandomBelow(2)], a[2], 0.5f);
                bool truth = Judge_Meet(&judge, a, b, shared);
                if (FastMeet(a, b, shared) != truth) FailPair("pair", kind, shared, a, b, truth);
                if (FastMeet(b, a, shared) != truth) FailPair("pair swapped", kind, shared, a, b, truth);
                // The same in another order of corners: those not shared, or all of them.
                wfVec3 c[3] = {a[shared == 0], a[shared != 0], a[2]}, d[3] = {b[0], b[1], b[2]};
                if (shared == 1) d[1] = b[2], d[2] = b[1];
                if (shared == 2) c[0] = a[1], c[1] = a[0], d[0] = b[1], d[1] = b[0];
                if (FastMeet(c, d, shared) != truth) FailPair("pair turned", kind, shared, a, b, truth);
                met += truth;
            }
            // Both answers must occur; folded neighbours do not where nothing lies in one plane.
            if (shared < 2 || kind == gridKind || kind == latticeKind || kind == scaledKind) {
                if (met < trials / 200 || met > trials - trials / 200)
                    fail_msg("%s, %d shared: %d of %d", s_kinds[kind], shared, met, trials);
            }
        }
    }
    assert_true(total >= 100000);
    Judge_Clear(&judge);
}

static void TestEdgeTriangle(void** state) {
    (void)state;
    Judge judge;
    Judge_Init(&judge);
    for (int kind = 0; kind < kindCount; ++kind) {
        int met = 0;
        for (int trial = 0; trial < 2000; ++trial) {
            wfVec3 x[6];
            MakePoints(kind, x);
            wfVec3 edge[3] = {x[3], x[4], x[4]};
            bool truth = Judge_Meet(&judge, x, edge, 0);
            if (wfEdgeMeetsTriangle(x[3], x[4], x[0], x[1], x[2]) != truth) FailPair("edge", kind, 0, x, edge, truth);
            if (wfEdgeMeetsTriangle(x[4], x[3], x[2], x[1], x[0]) != truth) FailPair("edge turned", kind, 0, x, edge, truth);
            met += truth;
            wfVec3 line[3] = {x[0], x[1], x[1]};
            truth = Judge_Meet(&judge, line, edge, 0);
            if (wfEdgesMeet(x[0], x[1], x[3], x[4]) != truth) FailPair("edges", kind, 0, line, edge, truth);
            if (wfEdgesMeet(x[4], x[3], x[0], x[1]) != truth) FailPair("edges turned", kind, 0, line, edge, truth);
        }
        assert_in_range(met, 10, 1990);
    }
    Judge_Clear(&judge);
}

static void TestOrientations(void** state) {
    (void)state;
    Judge judge;
    Judge_Init(&judge);
    int zero = 0;
    for (int kind = 0; kind < kindCount; ++kind) {
        for (int trial = 0; trial < 5000; ++trial) {
            wfVec3 x[6];
            MakePoints(kind, x);
            int truth = Judge_Orient3(&judge, x);
            zero += truth == 0;
            assert_int_equal(wfOrient3(x[0], x[1], x[2], x[3]), truth);
            assert_int_equal(wfOrient3(x[1], x[0], x[2], x[3]), -truth);
            assert_int_equal(wfOrient3(x[3], x[1], x[2], x[0]), -truth);
            assert_int_equal(wfOrient3_Exact(x[0], x[1], x[2], x[3]), truth);
            wfVec2 a = wfSeenAlong(x[0], 2), b = wfSeenAlong(x[1], 2), c = wfSeenAlong(x[2], 2);
            wfVec3 flat[4] = {{a.x, a.y, 0}, {b.x, b.y, 0}, {c.x, c.y, 0}, {0, 0, 1}};
            if (kind == randomKind) { // on one line but for a point near the origin, so small that its differences are rounded
                float ratio = (float)RandomBelow(16), small = ldexpf(1.0f, -20 - RandomBelow(24));
                c.x = ratio * (b.x = (float)(RandomBelow(1 << 20) + 1)), c.y = ratio * (b.y = (float)(RandomBelow(1 << 20) + 1));
                a.x = small * b.x, a.y = small * b.y;
                a.x = Nudge(a.x);
                flat[0] = wfMake3(a.x, a.y, 0), flat[1] = wfMake3(b.x, b.y, 0), flat[2] = wfMake3(c.x, c.y, 0);
            }
            truth = Judge_Orient3(&judge, flat);
            assert_int_equal(wfOrient2(a, b, c), truth);
            assert_int_equal(wfOrient2(c, b, a), -truth);
            assert_int_equal(wfOrient2_Exact(a, b, c), truth);
        }
    }
    assert_in_range(zero, 5000, 40000);
    // The largest and the smallest there is.
    wfVec3 large[4] = {
        {-FLT_MAX, -FLT_MAX, -FLT_MAX}, {FLT_MAX, -FLT_MAX, -FLT_MAX}, {-FLT_MAX, FLT_MAX, -FLT_MAX}, {FLT_MAX, FLT_MAX, FLT_MAX}};
    assert_int_equal(wfOrient3(large[0], large[1], large[2], large[3]), 1);
    assert_int_equal(wfOrient3_Exact(large[0], large[1], large[2], large[3]), 1);
    float tiny = 1.4e-45f;
    wfVec3 small[4] = {{0, 0, 0}, {tiny, 0, 0}, {0, tiny, 0}, {0, 0, -tiny}};
    assert_int_equal(wfOrient3(small[0], small[1], small[2], small[3]), -1);
    assert_int_equal(wfOrient3_Exact(small[0], small[1], small[2], small[3]), -1);
    Judge_Clear(&judge);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestOrientations), cmocka_unit_test(TestEdgeTriangle), cmocka_unit_test(TestPairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
