// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "math/rigid_motion.h"

#include "turns.h"

// Rigid motions that keep momentum, in double precision.

/// sum m r0 x r1 about the centre of mass, of masses that go as they say or by a motion.
static wfVec3D DiscreteMomentum(const wfMovedMass* p, int count, const wfRigidMotion* motion) {
    wfVec3D centre = wfMake3D(0, 0, 0), l = centre;
    double mass = 0.0;
    for (int i = 0; i < count; ++i) centre = wfMulAddD(centre, p[i].mass, p[i].start), mass += p[i].mass;
    centre = wfScaleD(centre, 1.0 / mass);
    for (int i = 0; i < count; ++i) {
        wfVec3D shift = motion == NULL ? p[i].shift : wfRigidMotion_Shift(motion, p[i].start);
        l = wfMulAddD(l, p[i].mass, wfCrossD(wfSubD(p[i].start, centre), shift));
    }
    return l;
}

// The fit alone, before anything is rounded to single precision: to the rounding of double.
static void TestFit(void** state) {
    (void)state;
    uint64_t seed = 11;
    int matchedCount = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        // Boxes, plates and rods: down to a thousandth in one or two directions.
        wfVec3D size = wfMake3D(1.0, trial % 3 > 0 ? pow(10.0, -3.0 * fabs(NextRandom(&seed))) : 1.0,
                                trial % 3 > 1 ? pow(10.0, -3.0 * fabs(NextRandom(&seed))) : 1.0);
        wfMat3D frame = RandomRotation(&seed), r = AxisAngle(RandomVector(&seed), 1.4 * NextRandom(&seed));
        wfMovedMass p[20];
        int count = 4 + trial % 17;
        double tear = trial % 2 == 0 ? 0.0 : 0.2 * fabs(NextRandom(&seed));
        for (int i = 0; i < count; ++i) {
            wfVec3D x = RandomVector(&seed), torn = RandomVector(&seed);
            x = wfMake3D(x.x * size.x, x.y * size.y, x.z * size.z);
            torn = wfMulAddD(x, tear, wfMake3D(torn.x * size.x, torn.y * size.y, torn.z * size.z));
            x = wfMat3_ApplyD(&frame, x), torn = wfMat3_ApplyD(&frame, torn);
            p[i] = (wfMovedMass){.start = x, .shift = wfSubD(wfMat3_ApplyD(&r, torn), x), .mass = 1.5 + NextRandom(&seed)};
        }
        bool matched;
        wfRigidMotion motion = wfMatchMotion(p, count, &matched);
        double q =
            motion.turn.x * motion.turn.x + motion.turn.y * motion.turn.y + motion.turn.z * motion.turn.z + motion.turn.w * motion.turn.w;
        CHECK_NEAR(q, 1.0, 1e-15);
        if (tear == 0.0) {
            assert_true(matched);
            for (int i = 0; i < count; ++i) assert_true(wfLengthD(wfSubD(wfRigidMotion_Shift(&motion, p[i].start), p[i].shift)) < 1e-9);
        }
        if (!matched) continue; // what is torn by more than a narrow direction may ask for too much
        ++matchedCount;         // see TestTooMuch
        wfVec3D asked = DiscreteMomentum(p, count, NULL), got = DiscreteMomentum(p, count, &motion);
        CHECK_NEAR(wfLengthD(wfSubD(asked, got)), 0.0, 1e-12);
    }
    assert_true(matchedCount > 1900);
}

// Any turn below a quarter is found again from its momentum, about any axis, of boxes, plates, rods and what is nearly a line.
static void TestFound(void** state) {
    (void)state;
    uint64_t seed = 13;
    for (int trial = 0; trial < 4000; ++trial) {
        double thick = pow(10.0, -8.0 * fabs(NextRandom(&seed))), thin = thick * fabs(NextRandom(&seed));
        double size[3] = {1.0, trial % 2 == 0 ? 1.0 : thick, thin};
        wfMat3D frame = RandomRotation(&seed), spread = wfDiagonal3D(0.0);
        wfMat3D r = AxisAngle(RandomVector(&seed), 1.55 * NextRandom(&seed));
        wfVec3D momentum = wfMake3D(0, 0, 0);
        for (int k = 0; k < 3; ++k) {
            wfVec3D axis = wfMake3D(frame.m[k][0], frame.m[k][1], frame.m[k][2]);
            wfMat3_AddOuterD(&spread, size[k], axis, axis);
            momentum = wfMulAddD(momentum, size[k], wfCrossD(axis, wfMat3_ApplyD(&r, axis)));
        }
        bool matched;
        wfTurn turn = wfMatchTurn(&spread, momentum, &matched);
        assert_true(matched);
        for (int k = 0; k < 3; ++k) {
            wfVec3D axis = wfMake3D(frame.m[k][0], frame.m[k][1], frame.m[k][2]);
            wfVec3D image = wfAddD(axis, wfTurn_Shift(turn, axis));
            // Across a row of 1e-4 of its length in width the momentum has eight digits less.
            CHECK_NEAR(wfLengthD(wfSubD(image, wfMat3_ApplyD(&r, axis))), 0.0, 1e-12 / thick);
        }
    }
}

// No turn has all the momentum that is asked for: the most there is, which about one axis is a quarter turn.
static void TestTooMuch(void** state) {
    (void)state;
    wfMovedMass p[4];
    for (int i = 0; i < 4; ++i) {
        wfVec3D x = wfMake3D(cos(1.5707963267948966 * i), sin(1.5707963267948966 * i), 0.0), across = wfMake3D(-x.y, x.x, 0.0);
        p[i] = (wfMovedMass){.start = x, .shift = wfScaleD(across, 1.7), .mass = 1.0};
    }
    bool matched;
    wfRigidMotion motion = wfMatchMotion(p, 4, &matched);
    assert_false(matched);
    wfVec3D got = DiscreteMomentum(p, 4, &motion);
    CHECK_NEAR(got.z, 4.0, 1e-7);
    CHECK_NEAR(hypot(got.x, got.y), 0.0, 1e-12);
    // Just within reach.
    for (int i = 0; i < 4; ++i) p[i].shift = wfScaleD(p[i].shift, 0.999 / 1.7);
    motion = wfMatchMotion(p, 4, &matched);
    assert_true(matched);
    CHECK_NEAR(2.0 * atan2(motion.turn.z, motion.turn.w), asin(0.999), 1e-12);
}

// Few masses, in a row or on a spot.
static void TestDegenerate(void** state) {
    (void)state;
    bool matched;
    // Two that pass through each other do not turn over.
    wfMovedMass two[] = {{{-1, 0, 0}, {3, 0, 0}, 1.0}, {{1, 0, 0}, {-3, 0, 0}, 1.0}};
    wfRigidMotion motion = wfMatchMotion(two, 2, &matched);
    assert_true(matched);
    for (int i = 0; i < 2; ++i) assert_true(wfLengthD(wfRigidMotion_Shift(&motion, two[i].start)) == 0.0);
    // Two, one of them three times as heavy, turned by a radian.
    wfMovedMass turned[] = {{{0.1, 0, 0}, {0, 0, 0}, 3.0}, {{0.3, 0.1, 0}, {0, 0, 0}, 1.0}};
    wfMat3D r = AxisAngle(wfMake3D(0.0, 0.0, 1.0), 1.0);
    for (int i = 0; i < 2; ++i) turned[i].shift = wfSubD(wfMat3_ApplyD(&r, turned[i].start), turned[i].start);
    motion = wfMatchMotion(turned, 2, &matched);
    assert_true(matched);
    for (int i = 0; i < 2; ++i) CHECK_NEAR(wfLengthD(wfSubD(wfRigidMotion_Shift(&motion, turned[i].start), turned[i].shift)), 0.0, 1e-14);
    // One alone, and many on one spot: the mean shift.
    motion = wfMatchMotion(turned, 1, &matched);
    assert_true(matched && wfLengthD(wfSubD(wfRigidMotion_Shift(&motion, turned[0].start), turned[0].shift)) < 1e-16);
    two[1].start = two[0].start;
    motion = wfMatchMotion(two, 2, &matched);
    assert_true(matched && wfLengthD(wfRigidMotion_Shift(&motion, two[0].start)) == 0.0);
    // In a row, and the row goes apart sidewards: it turns as the momentum has it.
    uint64_t seed = 17;
    for (int trial = 0; trial < 200; ++trial) {
        wfVec3D along = RandomVector(&seed), at = RandomVector(&seed);
        wfMovedMass row[6];
        for (int i = 0; i < 6; ++i)
            row[i] = (wfMovedMass){wfMulAddD(at, NextRandom(&seed), along), wfScaleD(RandomVector(&seed), 0.1 * wfLengthD(along)), 1.0};
        motion = wfMatchMotion(row, 6, &matched);
        assert_true(matched);
        CHECK_NEAR(wfLengthD(wfSubD(DiscreteMomentum(row, 6, NULL), DiscreteMomentum(row, 6, &motion))), 0.0, 1e-13);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestFit),
        cmocka_unit_test(TestFound),
        cmocka_unit_test(TestTooMuch),
        cmocka_unit_test(TestDegenerate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
