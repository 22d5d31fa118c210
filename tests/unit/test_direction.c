// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "math/direction.h"
#include "random_vectors.h"

// How far off a direction comes back, and whether it has length 1.
static float ErrorOf(wfVec3 n) {
    wfVec3 back = wfUnpackDirection(wfPackDirection(n));
    CHECK_NEAR(wfLength(back), 1.0, 3e-7);
    return wfDistance(back, wfScale(n, 1.0f / wfLength(n)));
}

static void TestRandomDirections(void** state) {
    (void)state;
    float worst = 0.0f;
    for (int k = 1; k <= 1000000; ++k) {
        wfVec3 n = RandomDirection();
        if (k % 3 == 0) n.z *= 1e-4f;                     // where the halves of the octahedron meet
        if (k % 7 == 0) n.x *= 1e-5f;                     // where the lower half was cut open
        if (k % 5 == 0) n = wfScale(n, 1e-3f * (float)k); // lengths do not matter
        worst = fmaxf(worst, ErrorOf(n));
    }
    assert_true(worst < 7e-5f);
    assert_true(worst > 1e-5f); // else it would take fewer bits
}

static void TestAxes(void** state) {
    (void)state;
    for (int k = 0; k < 27; ++k) {
        wfVec3 n = wfMake3((float)(k % 3 - 1), (float)(k / 3 % 3 - 1), (float)(k / 9 - 1));
        float parts = wfLengthSq(n);
        if (parts > 0.0f) assert_true(ErrorOf(n) <= (parts == 1.0f ? 0.0f : 7e-5f));
    }
    assert_true(ErrorOf(wfMake3(-0.0f, -0.0f, -1.0f)) == 0.0f);
    assert_true(ErrorOf(wfMake3(1e-15f, -1e-15f, 1e-15f)) < 7e-5f);
}

// Any code is a direction, and what has none gets one.
static void TestOdd(void** state) {
    (void)state;
    uint32_t codes[] = {0u, 0xffffffffu, 0xffffu, 0xffff0000u, 0x7fff7fffu, 0x80008000u, 0x7fff0000u};
    for (size_t k = 0; k < sizeof codes / sizeof codes[0]; ++k) CHECK_NEAR(wfLength(wfUnpackDirection(codes[k])), 1.0, 3e-7);
    wfVec3 none[] = {{0, 0, 0}, {NAN, 0, 1}, {INFINITY, 1, 0}, {3e38f, 3e38f, 3e38f}};
    for (size_t k = 0; k < sizeof none / sizeof none[0]; ++k) CHECK_NEAR(wfLength(wfUnpackDirection(wfPackDirection(none[k]))), 1.0, 3e-7);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestRandomDirections), cmocka_unit_test(TestAxes), cmocka_unit_test(TestOdd)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
