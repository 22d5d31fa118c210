// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "collide/intersect.h"
#include "collide/triangle_pair.h"
#include "mesh/sewn.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

// The search for pairs against all pairs; what makes a pair is judged in test_exact_pairs.c.

static uint32_t s_random = 1;
static uint32_t Random(void) {
    s_random ^= s_random << 13;
    s_random ^= s_random >> 17;
    s_random ^= s_random << 5;
    return s_random;
}
static float RandomUnit(void) { return (float)(Random() >> 8) / 16777216.0f; }
static wfVec3 RandomPoint(void) { // one number a line: the order of arguments is the compiler's
    float x = RandomUnit();
    float y = RandomUnit();
    float z = RandomUnit();
    return wfMake3(x, y, z);
}

static void TestPlainCases(void** state) {
    (void)state;
    wfVec3 a[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    wfVec3 through[3] = {{0.2f, 0.2f, -1}, {0.2f, 0.2f, 1}, {5, 5, 0.5f}};
    wfVec3 above[3] = {{0, 0, 1e-6f}, {1, 0, 1e-6f}, {0, 1, 1e-6f}};
    wfVec3 touching[3] = {{0.2f, 0.2f, 0}, {1, 0, 1}, {0, 1, 1}};
    wfVec3 inPlane[3] = {{0.1f, 0.1f, 0}, {0.2f, 0.1f, 0}, {0.1f, 0.2f, 0}};
    wfVec3 beside[3] = {{1, 1, 0}, {2, 1, 0}, {1, 2, 0}};
    wfVec3 needle[3] = {{0.2f, 0.2f, -1}, {0.2f, 0.2f, 0}, {0.2f, 0.2f, 1}};
    assert_true(wfTrianglesMeet(a, through));
    assert_false(wfTrianglesMeet(a, above));
    assert_true(wfTrianglesMeet(a, touching));
    assert_true(wfTrianglesMeet(a, inPlane));
    assert_true(wfTrianglesMeet(inPlane, a));
    assert_false(wfTrianglesMeet(a, beside));
    assert_true(wfTrianglesMeet(a, needle));
    assert_true(wfTrianglesMeet(needle, a));

    wfVec3 unfolded[3] = {{0, 0, 0}, {1, 0, 0}, {0.5f, -1, 0}};
    wfVec3 half[3] = {{0, 0, 0}, {1, 0, 0}, {0.5f, 0.5f, 1e-20f}};
    wfVec3 onto[3] = {{0, 0, 0}, {1, 0, 0}, {0.5f, 0.5f, 0}};
    wfVec3 twice[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    assert_false(wfTrianglesMeetBeyondEdge(a, unfolded));
    assert_false(wfTrianglesMeetBeyondEdge(a, half));
    assert_true(wfTrianglesMeetBeyondEdge(a, onto));
    assert_true(wfTrianglesMeetBeyondEdge(a, twice)); // another vertex at the same place
}

// ---- whole meshes -------------------------------------------------------------------------------------------------------------

static void Sheet(int side, wfVec3* x, wfTriangle* t) {
    for (int j = 0; j <= side; ++j) {
        for (int i = 0; i <= side; ++i) x[j * (side + 1) + i] = wfMake3((float)i / (float)side, 0.0f, (float)j / (float)side);
    }
    for (int j = 0; j < side; ++j) {
        for (int i = 0; i < side; ++i) {
            int v = j * (side + 1) + i, w = v + side + 1;
            *t++ = (wfTriangle){{v, w, v + 1}};
            *t++ = (wfTriangle){{v + 1, w, w + 1}};
        }
    }
}

static bool SlowPair(const wfVec3* x, const wfTriangle* ta, const wfTriangle* tb) {
    wfVec3 a[3], b[3];
    int shared = 0, restA = 3, restB = 3; // shared corners first, the others behind in any order
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            if (ta->v[i] == tb->v[j]) a[shared] = b[shared] = x[ta->v[i]], ++shared;
        }
    }
    for (int i = 0; i < 3; ++i) {
        if (ta->v[i] != tb->v[0] && ta->v[i] != tb->v[1] && ta->v[i] != tb->v[2]) a[--restA] = x[ta->v[i]];
        if (tb->v[i] != ta->v[0] && tb->v[i] != ta->v[1] && tb->v[i] != ta->v[2]) b[--restB] = x[tb->v[i]];
    }
    return shared == 0   ? wfTrianglesMeet(a, b)
           : shared == 1 ? wfTrianglesMeetBeyondVertex(a, b)
           : shared == 2 ? wfTrianglesMeetBeyondEdge(a, b)
                         : false;
}

// Compares all pairs with the judge's, for several numbers of threads and limits. Returns how many there are.
static int64_t CheckAgainstAllPairs(const wfVec3* x, const wfTriangle* t, int count, const bool* ignore) {
    wfArena arena = {0};
    wfError err = {0};
    int threads = omp_get_max_threads();
    int64_t expected = 0;
    wfIntersections all;
    CHECK_OK(wfFindIntersections(x, t, count, ignore, INT32_MAX, &arena, &all, &err), err);
    for (int a = 0; a < count; ++a) {
        for (int b = a + 1; b < count; ++b) {
            if ((ignore != NULL && ignore[a] && ignore[b]) || !SlowPair(x, &t[a], &t[b])) continue;
            if (expected >= all.count || all.pairs[expected].a != a || all.pairs[expected].b != b) fail_msg("pair %d %d is missing", a, b);
            ++expected;
        }
    }
    assert_int_equal(all.count, expected);
    for (int n = 1; n <= 4; n *= 2) {
        omp_set_num_threads(n);
        wfIntersections some;
        CHECK_OK(wfFindIntersections(x, t, count, ignore, 7, &arena, &some, &err), err);
        assert_int_equal(some.count, expected);
        for (int i = 0; i < 7 && i < expected; ++i) assert_true(some.pairs[i].a == all.pairs[i].a && some.pairs[i].b == all.pairs[i].b);
        CHECK_OK(wfFindIntersections(x, t, count, ignore, 0, &arena, &some, &err), err);
        assert_int_equal(some.count, expected);
    }
    omp_set_num_threads(threads);
    wfArena_Free(&arena);
    return expected;
}

static void TestSoup(void** state) {
    (void)state;
    enum { COUNT = 600 };
    static wfVec3 x[3 * COUNT];
    static wfTriangle t[COUNT];
    static bool ignore[COUNT];
    for (int size = 0; size < 3; ++size) {
        float reach = size == 0 ? 0.02f : size == 1 ? 0.2f : 2.0f; // sparse, dense, everything over everything
        for (int i = 0; i < COUNT; ++i) {
            wfVec3 c = RandomPoint();
            for (int k = 0; k < 3; ++k) {
                x[3 * i + k] = wfMulAdd(c, reach, RandomPoint());
                t[i].v[k] = 3 * i + k;
            }
            ignore[i] = i % 3 != 0 || (i > 200 && i < 400);
        }
        int64_t all = CheckAgainstAllPairs(x, t, COUNT, NULL);
        int64_t some = CheckAgainstAllPairs(x, t, COUNT, ignore);
        assert_true(size == 0 || (some > 0 && some < all));
    }
}

static void TestFoldedSheet(void** state) {
    (void)state;
    enum { SIDE = 16, VERTICES = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE };
    static wfVec3 flat[VERTICES], x[VERTICES];
    static wfTriangle t[TRIANGLES];
    Sheet(SIDE, flat, t);
    assert_int_equal(CheckAgainstAllPairs(flat, t, TRIANGLES, NULL), 0); // neighbours in one plane only share what they share

    wfQuat tilt = wfQuatAxisAngle(wfMake3(0.3f, 0.2f, 0.9f), 0.7f);
    for (int i = 0; i < VERTICES; ++i) x[i] = wfRotate(tilt, flat[i]);
    assert_int_equal(CheckAgainstAllPairs(x, t, TRIANGLES, NULL), 0);

    // Rolled up with a growing radius: no pair; with a shrinking gap that turns over: many.
    for (int i = 0; i < VERTICES; ++i) {
        float angle = 12.0f * flat[i].x, r = 0.1f + 0.05f * flat[i].x;
        x[i] = wfMake3(r * cosf(angle), r * sinf(angle), flat[i].z);
    }
    assert_int_equal(CheckAgainstAllPairs(x, t, TRIANGLES, NULL), 0);
    for (int i = 0; i < VERTICES; ++i) {
        float angle = 12.0f * flat[i].x, r = 0.1f + 0.05f * flat[i].x * (flat[i].z - 0.5f);
        x[i] = wfMake3(r * cosf(angle), r * sinf(angle), flat[i].z);
    }
    assert_true(CheckAgainstAllPairs(x, t, TRIANGLES, NULL) > 20);

    // Folded flat along a line of vertices: each triangle lies upon others, the neighbours across the fold upon each other.
    for (int i = 0; i < VERTICES; ++i) x[i] = wfRotate(tilt, wfMake3(fabsf(flat[i].x - 0.5f), 0.0f, flat[i].z));
    for (int i = 0; i < VERTICES; ++i) flat[i] = wfMake3(fabsf(flat[i].x - 0.5f), 0.0f, flat[i].z);
    assert_true(CheckAgainstAllPairs(flat, t, TRIANGLES, NULL) > TRIANGLES);
    assert_true(CheckAgainstAllPairs(x, t, TRIANGLES, NULL) > 0);

    // Crumpled: neighbours that share one vertex cross as well.
    for (int i = 0; i < VERTICES; ++i) { x[i] = wfMulAdd(flat[i], 0.2f, RandomPoint()); }
    assert_true(CheckAgainstAllPairs(x, t, TRIANGLES, NULL) > 100);
}

// Two grids at right angles whose vertices meet exactly: an open test by sign would see nothing here.
static void TestAlignedGrids(void** state) {
    (void)state;
    enum { SIDE = 8, VERTICES = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE };
    static wfVec3 x[2 * VERTICES];
    static wfTriangle t[2 * TRIANGLES];
    Sheet(SIDE, x, t);
    Sheet(SIDE, x + VERTICES, t + TRIANGLES);
    for (int i = VERTICES; i < 2 * VERTICES; ++i) x[i] = wfMake3(x[i].x, x[i].z - 0.5f, 0.5f);
    for (int i = TRIANGLES; i < 2 * TRIANGLES; ++i) {
        for (int k = 0; k < 3; ++k) t[i].v[k] += VERTICES;
    }
    assert_true(CheckAgainstAllPairs(x, t, 2 * TRIANGLES, NULL) >= 4 * SIDE);
    for (int i = VERTICES; i < 2 * VERTICES; ++i) x[i] = x[i - VERTICES]; // one upon the other, in one plane
    assert_true(CheckAgainstAllPairs(x, t, 2 * TRIANGLES, NULL) >= TRIANGLES);
}

static void TestFewTriangles(void** state) {
    (void)state;
    wfVec3 x[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2f, 0.2f, -1}, {0.2f, 0.2f, 1}, {5, 5, 0.5f}};
    wfTriangle t[2] = {{{0, 1, 2}}, {{3, 4, 5}}};
    assert_int_equal(CheckAgainstAllPairs(x, t, 0, NULL), 0);
    assert_int_equal(CheckAgainstAllPairs(x, t, 1, NULL), 0);
    assert_int_equal(CheckAgainstAllPairs(x, t, 2, NULL), 1);
}

// Two squares that meet at an edge, each with vertices of its own: they touch, so they count, unless they are sewn there; and then only
// where they lie at the same place, and only as long as they do not meet elsewhere.
static void TestSewn(void** state) {
    (void)state;
    wfVec3 x[8] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1, 0, 0}, {2, 0, 0.1f}, {2, 1, 0.1f}, {1, 1, 0}};
    const wfTriangle t[4] = {{{0, 1, 2}}, {{0, 2, 3}}, {{4, 5, 6}}, {{4, 6, 7}}};
    const int stitches[2][2] = {{1, 4}, {2, 7}};
    wfTriangle joined[4];
    wfError err = {0};
    assert_int_equal(CheckAgainstAllPairs(x, t, 4, NULL), 3);
    CHECK_OK(wfJoinSewn(x, 8, stitches, 1, t, joined, 4, &err), err);
    assert_true(CheckAgainstAllPairs(x, joined, 4, NULL) > 0); // only one of the two stitches
    CHECK_OK(wfJoinSewn(x, 8, stitches, 2, t, joined, 4, &err), err);
    assert_int_equal(CheckAgainstAllPairs(x, joined, 4, NULL), 0);
    x[5].x = x[6].x = 0.5f; // folded over: above the other square, and then through it
    CHECK_OK(wfJoinSewn(x, 8, stitches, 2, t, joined, 4, &err), err);
    assert_int_equal(CheckAgainstAllPairs(x, joined, 4, NULL), 0);
    x[5].z = x[6].z = 0.0f;
    assert_true(CheckAgainstAllPairs(x, joined, 4, NULL) > 0);
    x[5].z = x[6].z = 0.1f;
    x[7].z = -1e-7f; // no longer at the same place: its edges count again
    CHECK_OK(wfJoinSewn(x, 8, stitches, 2, t, joined, 4, &err), err);
    assert_int_equal(joined[3].v[2], 7);
    assert_int_equal(joined[3].v[0], 1);
    // Sewn by one between that is elsewhere.
    x[7].z = 0.0f;
    const int chain[4][2] = {{1, 5}, {5, 4}, {6, 2}, {7, 6}};
    CHECK_OK(wfJoinSewn(x, 8, chain, 4, t, joined, 4, &err), err);
    assert_int_equal(CheckAgainstAllPairs(x, joined, 4, NULL), 0);
    assert_int_equal(joined[2].v[1], 5);
    // Two corners of one triangle sewn to each other: it stays as it is.
    x[1] = x[2] = x[0];
    const int own[2][2] = {{0, 1}, {1, 2}};
    CHECK_OK(wfJoinSewn(x, 8, own, 2, t, joined, 4, &err), err);
    assert_memory_equal(joined[0].v, t[0].v, sizeof t[0].v);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestPlainCases),  cmocka_unit_test(TestFewTriangles), cmocka_unit_test(TestSoup),
                                       cmocka_unit_test(TestFoldedSheet), cmocka_unit_test(TestAlignedGrids), cmocka_unit_test(TestSewn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
