// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "collide/distance.h"
#include "collide/gap.h"
#include "collide/triangle_pair.h"
#include "difference.h"

#include <omp.h>

// The search for the smallest gap against all pairs.

static wfGap SlowGap(const wfVec3* x, const wfTriangle* t, int count, const bool* ignore) {
    wfGap best = {.a = -1, .b = -1, .distance = INFINITY};
    for (int a = 0; a < count; ++a) {
        for (int b = a + 1; b < count; ++b) {
            if (ignore != NULL && ignore[a] && ignore[b]) continue;
            wfVec3 fa[3], fb[3];
            wfVec3D da[3], db[3];
            bool shared = false;
            for (int i = 0; i < 3; ++i) {
                for (int j = 0; j < 3; ++j) shared = shared || t[a].v[i] == t[b].v[j];
                fa[i] = x[t[a].v[i]], fb[i] = x[t[b].v[i]];
                da[i] = wfWiden(fa[i]), db[i] = wfWiden(fb[i]);
            }
            if (shared) continue;
            double distance = wfTrianglesMeet(fa, fb) ? 0.0 : sqrt(wfTriangleTriangleD(da, db).distanceSq);
            if (distance < best.distance) best = (wfGap){.a = a, .b = b, .distance = distance};
        }
    }
    return best;
}

static wfGap CheckGap(const wfVec3* x, const wfTriangle* t, int count, const bool* ignore) {
    wfGap slow = SlowGap(x, t, count, ignore), first = {0};
    wfError err = {0};
    int threads = omp_get_max_threads();
    for (int n = 1; n <= 4; ++n) {
        omp_set_num_threads(n);
        wfGap gap;
        CHECK_OK(wfFindGap(x, t, count, ignore, &gap, &err), err);
        if (n == 1) first = gap;
        assert_true(gap.a == first.a && gap.b == first.b && gap.distance == first.distance);
    }
    omp_set_num_threads(threads);
    if (slow.a < 0) {
        assert_int_equal(first.a, -1);
        assert_int_equal(first.b, -1);
        assert_true(isinf(first.distance));
        return first;
    }
    CHECK_NEAR(first.distance, slow.distance, 1e-15);
    assert_true((first.distance == 0.0) == (slow.distance == 0.0));
    if (slow.distance == 0.0) assert_true(first.a == slow.a && first.b == slow.b); // the first of all that meet
    CHECK_NEAR(wfLengthD(wfSubD(wfWiden(first.onA), wfWiden(first.onB))), first.distance, 1e-6);
    return first;
}

enum { COUNT = 200, MOST = 400 };
static wfVec3 s_x[3 * MOST];
static wfTriangle s_t[MOST];
static bool s_ignore[MOST];

static void Soup(double reach, uint64_t* seed) {
    for (int i = 0; i < COUNT; ++i) {
        wfVec3D c = RandomVector(seed);
        for (int k = 0; k < 3; ++k) {
            s_x[3 * i + k] = wfNarrow(wfMulAddD(c, reach, RandomVector(seed)));
            s_t[i].v[k] = 3 * i + k;
        }
        s_ignore[i] = i % 4 != 0;
    }
}

static void TestSoup(void** state) {
    (void)state;
    uint64_t seed = 1;
    for (int trial = 0; trial < 4; ++trial) {
        Soup(0.004, &seed);
        wfGap all = CheckGap(s_x, s_t, COUNT, NULL), some = CheckGap(s_x, s_t, COUNT, s_ignore);
        assert_true(all.distance > 0.0 && all.distance <= some.distance);
    }
    Soup(0.3, &seed); // many meet
    assert_true(CheckGap(s_x, s_t, COUNT, NULL).distance == 0.0);
    assert_true(CheckGap(s_x, s_t, COUNT, s_ignore).distance == 0.0);
    for (int i = 0; i < COUNT; ++i) s_ignore[i] = true;
    assert_int_equal(CheckGap(s_x, s_t, COUNT, s_ignore).a, -1);
}

// Two sheets over each other: the gap is that between them, though neighbours within each are nearer than that.
static void TestSheets(void** state) {
    (void)state;
    enum { SIDE = 9, ROW = SIDE + 1, LAYER = ROW * ROW, TRIANGLES = 2 * SIDE * SIDE };
    int n = 0;
    for (int layer = 0; layer < 2; ++layer) {
        for (int i = 0; i < LAYER; ++i) {
            float u = (float)(i % ROW), v = (float)(i / ROW);
            s_x[layer * LAYER + i] = wfMake3(u, 0.25f * (float)layer + 0.01f * (float)layer * u, v);
        }
        for (int j = 0; j < SIDE; ++j) {
            for (int i = 0; i < SIDE; ++i) {
                int v = layer * LAYER + j * ROW + i;
                s_t[n++] = (wfTriangle){{v, v + ROW, v + 1}};
                s_t[n++] = (wfTriangle){{v + 1, v + ROW, v + ROW + 1}};
            }
        }
    }
    assert_int_equal(n, 2 * TRIANGLES);
    wfGap gap = CheckGap(s_x, s_t, n, NULL);
    CHECK_NEAR(gap.distance, 0.25 / sqrt(1.0 + 1e-4), 1e-4); // the upper one rises by one in a hundred
    assert_true(gap.a < TRIANGLES && gap.b >= TRIANGLES);
    // Within one sheet alone: the width of a strip.
    CHECK_NEAR(CheckGap(s_x, s_t, TRIANGLES, NULL).distance, sqrt(0.5), 1e-12);
}

static void TestFew(void** state) {
    (void)state;
    wfVec3 x[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    wfTriangle t[3] = {{{0, 1, 2}}, {{2, 3, 4}}, {{0, 3, 1}}};
    assert_int_equal(CheckGap(x, t, 0, NULL).a, -1);
    assert_int_equal(CheckGap(x, t, 1, NULL).a, -1);
    assert_int_equal(CheckGap(x, t, 3, NULL).a, -1); // each two share a vertex
    // Large and small numbers.
    for (int e = -40; e <= 100; e += 70) {
        wfVec3 y[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 3}, {1, 0, 3}, {0, 1, 3}};
        wfTriangle two[2] = {{{0, 1, 2}}, {{3, 4, 5}}};
        wfGap gap;
        wfError err = {0};
        for (int k = 0; k < 6; ++k) y[k] = wfScale(y[k], ldexpf(1.0f, e));
        CHECK_OK(wfFindGap(y, two, 2, NULL, &gap, &err), err);
        assert_true(gap.distance == ldexp(3.0, e));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestSoup), cmocka_unit_test(TestSheets), cmocka_unit_test(TestFew)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
