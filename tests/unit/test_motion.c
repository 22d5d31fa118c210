// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "scene/motion.h"

#include <stdlib.h>

static float Random(uint32_t* seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / 8388608.0f - 1.0f; // [-1, 1)
}

enum { keyCount = 7 };

// Unevenly spaced keys with turns of up to about two radians.
static void MakeKeys(wfKey* keys, uint32_t seed) {
    wfKey raw[keyCount];
    float time = -0.3f;
    wfQuat q = wfQuatIdentity();
    for (int i = 0; i < keyCount; ++i) {
        wfVec3 axis = wfMake3(Random(&seed), Random(&seed), Random(&seed));
        q = wfQuatMul(q, wfQuatAxisAngle(axis, 2.0f * Random(&seed)));
        raw[i] = (wfKey){time, wfMake3(Random(&seed), Random(&seed), Random(&seed)), q};
        if (i % 2 == 1) raw[i].rotate = (wfQuat){-3.0f * q.x, -3.0f * q.y, -3.0f * q.z, -3.0f * q.w}; // the same rotation
        time += 0.5f + 0.4f * Random(&seed);
    }
    wfError err = {0};
    CHECK_OK(wfMotion_CopyKeys(raw, keyCount, keys, "test", &err), err);
}

static double Norm(wfQuat q) { return sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w); }

// The angle [rad] between two rotations.
static double Angle(wfQuat a, wfQuat b) {
    wfQuat d = wfQuatMul(wfQuatConjugate(a), b);
    return 2.0 * atan2(sqrt((double)d.x * d.x + (double)d.y * d.y + (double)d.z * d.z), fabs((double)d.w));
}

// Angular velocity [rad/s] from two poses, as a vector in the frame of the first.
static wfVec3 AngularVelocity(wfQuat a, wfQuat b, float dt) {
    wfQuat d = wfQuatMul(wfQuatConjugate(a), b);
    float sign = d.w < 0.0f ? -2.0f : 2.0f;
    return wfScale(wfMake3(d.x, d.y, d.z), sign / dt);
}

static void TestPassesThroughKeys(void** state) {
    (void)state;
    const wfInterpolation kinds[] = {wf_interpolateLinear, wf_interpolateSmooth, wf_interpolateHold};
    for (uint32_t seed = 1; seed <= 20; ++seed) {
        wfKey keys[keyCount];
        MakeKeys(keys, seed);
        for (int k = 0; k < 3; ++k) {
            wfMotion motion = {keys, keyCount, kinds[k]};
            for (int i = 0; i < keyCount; ++i) {
                wfPose p = wfMotion_At(&motion, keys[i].time);
                assert_true(wfDistance(p.translate, keys[i].translate) == 0.0f); // a key starts its piece, so it is hit exactly
                CHECK_NEAR(Angle(p.rotate, keys[i].rotate), 0.0, 2e-6);
                // Just before a key the end of the piece is met: one part in a million of a metre or radian, rounding of single precision.
                if (i == 0 || kinds[k] == wf_interpolateHold) continue;
                wfPose before = wfMotion_At(&motion, keys[i].time - 1e-9);
                CHECK_NEAR(wfDistance(before.translate, keys[i].translate), 0.0, 1e-6);
                CHECK_NEAR(Angle(before.rotate, keys[i].rotate), 0.0, 2e-6);
            }
        }
    }
}

static void TestRestsOutside(void** state) {
    (void)state;
    wfKey keys[keyCount];
    MakeKeys(keys, 5);
    for (int k = 0; k <= wf_interpolateHold; ++k) {
        wfMotion motion = {keys, keyCount, (wfInterpolation)k};
        assert_true(wfDistance(wfMotion_At(&motion, -1e6).translate, keys[0].translate) == 0.0f);
        assert_true(wfDistance(wfMotion_At(&motion, 1e6).translate, keys[keyCount - 1].translate) == 0.0f);
        motion.keyCount = 0;
        wfPose none = wfMotion_At(&motion, 0.5);
        assert_true(wfLength(none.translate) == 0.0f && none.rotate.w == 1.0f);
        motion.keyCount = 1;
        assert_true(wfDistance(wfMotion_At(&motion, 0.7).translate, keys[0].translate) == 0.0f);
    }
}

static void TestSmoothVelocityIsContinuous(void** state) {
    (void)state;
    // One-sided differences over e on both sides of a key differ by e times the acceleration (up to 310 m/s^2 with these keys) and by
    // rounding, 1.2e-7 / e. The acceleration's part must halve with e; a jump of the velocity itself would stay.
    const float e = 1e-3f;
    for (uint32_t seed = 1; seed <= 20; ++seed) {
        wfKey keys[keyCount];
        MakeKeys(keys, seed);
        wfMotion motion = {keys, keyCount, wf_interpolateSmooth};
        for (int i = 0; i < keyCount; ++i) {
            double jump[2], spin[2];
            for (int half = 0; half < 2; ++half) { // the jump must shrink with e
                float h = half == 0 ? e : 0.5f * e;
                wfPose a = wfMotion_At(&motion, keys[i].time - (double)h), b = wfMotion_At(&motion, keys[i].time),
                       c = wfMotion_At(&motion, keys[i].time + (double)h);
                wfVec3 left = wfScale(wfSub(b.translate, a.translate), 1.0f / h),
                       right = wfScale(wfSub(c.translate, b.translate), 1.0f / h);
                jump[half] = wfDistance(left, right);
                spin[half] = wfDistance(AngularVelocity(a.rotate, b.rotate, h), AngularVelocity(b.rotate, c.rotate, h));
                if (i == 0 || i == keyCount - 1) { // at rest: no velocity on either side
                    CHECK_NEAR(wfLength(left) + wfLength(right), 0.0, 0.35);
                }
            }
            CHECK_NEAR(jump[0], 0.0, 0.35);
            CHECK_NEAR(spin[0], 0.0, 0.35);
            CHECK_NEAR(jump[1], 0.5 * jump[0], 0.1 * jump[0] + 2e-3);
            CHECK_NEAR(spin[1], 0.5 * spin[0], 0.1 * spin[0] + 4e-3);
        }
    }
}

static void TestEvenKeysAreCatmullRom(void** state) {
    (void)state;
    // Evenly spaced points on a line at constant speed: the inner pieces keep that speed exactly.
    wfKey keys[5];
    for (int i = 0; i < 5; ++i) {
        keys[i] = (wfKey){(float)i, wfMake3(2.0f * (float)i, 0, 0), wfQuatAxisAngle(wfMake3(0, 1, 0), 0.6f * (float)i)};
    }
    wfMotion motion = {keys, 5, wf_interpolateSmooth};
    for (double t = 1.0; t <= 3.0; t += 0.125) {
        wfPose p = wfMotion_At(&motion, t);
        CHECK_NEAR(p.translate.x, 2.0 * t, 1e-6);
        CHECK_NEAR(Angle(p.rotate, wfQuatAxisAngle(wfMake3(0, 1, 0), (float)(0.6 * t))), 0.0, 1e-6);
    }
}

static void TestUnitQuaternionsAndShortestArc(void** state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 20; ++seed) {
        wfKey keys[keyCount];
        MakeKeys(keys, seed);
        for (int k = 0; k <= wf_interpolateHold; ++k) {
            wfMotion motion = {keys, keyCount, (wfInterpolation)k};
            for (int j = 0; j < 500; ++j) {
                double t = keys[0].time + (keys[keyCount - 1].time - keys[0].time) * j / 499.0;
                CHECK_NEAR(Norm(wfMotion_At(&motion, t).rotate), 1.0, 5e-7);
            }
        }
        // The linear way between two keys is as long as the angle between them, never more than pi, and even.
        wfMotion linear = {keys, keyCount, wf_interpolateLinear};
        for (int i = 0; i + 1 < keyCount; ++i) {
            double whole = Angle(keys[i].rotate, keys[i + 1].rotate), length = 0.0;
            wfQuat last = keys[i].rotate;
            for (int j = 1; j <= 16; ++j) {
                wfQuat q = wfMotion_At(&linear, keys[i].time + ((double)keys[i + 1].time - keys[i].time) * j / 16.0).rotate;
                double part = Angle(last, q);
                CHECK_NEAR(part, whole / 16.0, 3e-6);
                length += part;
                last = q;
            }
            CHECK_NEAR(length, whole, 1e-5);
        }
    }
    // 350 degrees one way are 10 the other.
    wfKey keys[2], raw[2] = {{0, {0, 0, 0}, {0, 0, 0, 1}}, {1, {0, 0, 0}, wfQuatAxisAngle(wfMake3(0, 0, 1), 6.1086524f)}};
    wfError err = {0};
    CHECK_OK(wfMotion_CopyKeys(raw, 2, keys, "test", &err), err);
    wfMotion motion = {keys, 2, wf_interpolateLinear};
    CHECK_NEAR(Angle(wfMotion_At(&motion, 0.5).rotate, wfQuatIdentity()), 5.0 * 3.14159265 / 180.0, 1e-6);
}

static void TestBadKeys(void** state) {
    (void)state;
    wfKey out[2], good = {0, {0, 0, 0}, {0, 0, 0, 1}};
    wfError err;
    wfKey keys[2] = {good, good};
    CHECK_FAILS(wfMotion_CopyKeys(keys, 2, out, "pin \"hem\"", &err), err,
                "pin \"hem\": key 1: time: expected more than 0, the time of the key before, got 0");
    keys[1].time = NAN;
    CHECK_FAILS(wfMotion_CopyKeys(keys, 2, out, "x", &err), err, "x: key 1: time: expected a finite number, got nan");
    keys[1].time = 1.0f;
    keys[1].translate.y = INFINITY;
    CHECK_FAILS(wfMotion_CopyKeys(keys, 2, out, "x", &err), err, "x: key 1: translate: expected 3 finite numbers, got [0, inf, 0]");
    keys[1].translate.y = 0.0f;
    keys[0].rotate = (wfQuat){0, 0, 0, 0};
    CHECK_FAILS(wfMotion_CopyKeys(keys, 2, out, "x", &err), err,
                "x: key 0: rotate: expected a quaternion that is not zero, got [0, 0, 0, 0]");
}

static void TestPoses(void** state) {
    (void)state;
    wfPose a = {{1, 2, 3}, wfQuatAxisAngle(wfMake3(1, 2, 0), 0.7f)}, b = {{-2, 0.5f, 1}, wfQuatAxisAngle(wfMake3(0, -1, 3), 2.1f)};
    wfVec3 p = wfMake3(0.3f, -0.4f, 0.9f);
    CHECK_NEAR(wfDistance(wfPose_Apply(wfPose_Mul(a, b), p), wfPose_Apply(a, wfPose_Apply(b, p))), 0.0, 1e-6);
    CHECK_NEAR(wfDistance(wfPose_Apply(wfPose_Inverse(a), p), wfPose_Unapply(a, p)), 0.0, 1e-6);
}

static void TestSequence(void** state) {
    (void)state;
    const wfVec3 frames[6] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {1, 2, 4}, {0, 4, 0}, {5, 4, 4}}; // 3 frames of 2 vertices
    CHECK_NEAR(wfSequence_At(frames, 3, 2, 10.0f, 0.05, 0).y, 1.0, 1e-6);
    CHECK_NEAR(wfSequence_At(frames, 3, 2, 10.0f, 0.05, 1).z, 2.0, 1e-6);
    assert_true(wfSequence_At(frames, 3, 2, 10.0f, -3.0, 1).x == 1.0f);
    assert_true(wfSequence_At(frames, 3, 2, 10.0f, 0.2, 1).x == 5.0f);
    assert_true(wfSequence_At(frames, 3, 2, 10.0f, 0.2, 0).y == 4.0f);
    assert_true(wfSequence_At(frames, 3, 2, 10.0f, 99.0, 1).x == 5.0f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestPassesThroughKeys),
        cmocka_unit_test(TestRestsOutside),
        cmocka_unit_test(TestSmoothVelocityIsContinuous),
        cmocka_unit_test(TestEvenKeysAreCatmullRom),
        cmocka_unit_test(TestUnitQuaternionsAndShortestArc),
        cmocka_unit_test(TestBadKeys),
        cmocka_unit_test(TestPoses),
        cmocka_unit_test(TestSequence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
