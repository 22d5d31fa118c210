// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "ramp.h"

// Coulomb friction of contact by impulses, on an incline: a small sheet on a plane, which vertices meet alone, and on a box, which is met
// as a mesh. It slips at the angle whose tangent is the coefficient, stays without creep below it, and slides as the formula says above.

static const double s_gravity = 9.81;
static const float s_coefficients[] = {0.1f, 0.3f, 0.6f, 1.0f, 1.5f};
enum { CoefficientCount = sizeof s_coefficients / sizeof s_coefficients[0] };

typedef struct Incline {
    wfShapeKind shape;
    double angle; // [rad]
    float hold, slide;
    float speed;  // [m/s] down the slope at the start
    float settle; // [s] that nothing is measured in
    float step;   // [s] longest; 0: as scenes have it
} Incline;

static wfScene* MakeScene(wfDevice* device, const Incline* c) {
    wfSceneDef def = wfDefaultSceneDef();
    if (c->step > 0.0f) def.time_step = c->step;
    wfScene* scene = NewScene(device, &def);
    Ramp ramp = {.angle = c->angle, .width = 0.2f, .speed = c->speed, .hold = c->hold, .slide = c->slide, .body = wfDefaultColliderDef()};
    ramp.lift = 0.5f * wfDefaultClothDef().fabric.thickness;
    ramp.body.shape = c->shape;
    ramp.body.size = wfMake3(3.0f, 0.5f, 3.0f);
    if (c->shape == wf_shapeBox) ramp.at = wfMake3(0, -0.25f, 0);
    BuildRamp(scene, &ramp);
    return scene;
}

// What the sheet does in `seconds`, after it has settled.
static RampPlace Go(wfDevice* device, const Incline* c, double seconds) {
    wfScene* scene = MakeScene(device, c);
    wfError err = {0};
    RampPlace start = {0, c->speed}, end;
    if (c->settle > 0.0f) {
        CHECK_OK(wfScene_Step(scene, c->settle, &err), err);
        start = PlaceOnRamp(scene, c->angle);
    }
    CHECK_OK(wfScene_Step(scene, (float)seconds, &err), err);
    end = PlaceOnRamp(scene, c->angle);
    wfCertificate certificate;
    CHECK_OK(wfScene_Certify(scene, true, &certificate, &err), err);
    assert_int_equal(certificate.intersectingPairs, 0);
    wfDestroyScene(scene);
    return (RampPlace){end.way - start.way, end.speed - start.speed};
}

// [m/s^2] down the slope, of a sheet that slides.
static double Acceleration(double angle, double friction) { return s_gravity * (sin(angle) - friction * cos(angle)); }

static const wfShapeKind s_shapes[] = {wf_shapePlane, wf_shapeBox};

// At 0.98 of the angle it stays where it is; at 1.02 it goes off with the little that gravity has left.
static void TestSlipAngle(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    const double t = 0.4;
    for (int s = 0; s < 2; ++s)
        for (int k = 0; k < CoefficientCount; ++k) {
            float friction = s_coefficients[k];
            double slip = atan(friction), off = Acceleration(1.02 * slip, friction);
            RampPlace held = Go(device, &(Incline){s_shapes[s], 0.98 * slip, 0.0f, friction, 0.0f, 0.0f, 0.0f}, t);
            CHECK_NEAR(held.way, 0.0, 1e-5);
            RampPlace gone = Go(device, &(Incline){s_shapes[s], 1.02 * slip, 0.0f, friction, 0.0f, 0.0f, 0.0f}, t);
            assert_true(gone.way > 0.45 * off * t * t);
        }
    wfDestroyDevice(device);
}

static void TestNoCreep(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    for (int s = 0; s < 2; ++s) {
        RampPlace held = Go(device, &(Incline){s_shapes[s], 0.98 * atan(0.6), 0.0f, 0.6f, 0.0f, 0.0f, 0.0f}, 10.0);
        CHECK_NEAR(held.way, 0.0, 1e-4);
        CHECK_NEAR(held.speed, 0.0, 1e-5);
    }
    wfDestroyDevice(device);
}

// Above the angle it goes ever faster, below it what slides is stopped, both by the formula.
static void TestSlides(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    const double t = 0.3;
    for (int s = 0; s < 2; ++s)
        for (int k = 0; k < CoefficientCount; ++k)
            for (int down = 0; down < 2; ++down) {
                float friction = s_coefficients[k];
                double angle = (down ? 1.3 : 0.7) * atan(friction), a = Acceleration(angle, friction);
                RampPlace p = Go(device, &(Incline){s_shapes[s], angle, 0.0f, friction, down ? 0.0f : (float)(-a * 0.5), 0.1f, 0.0f}, t);
                CHECK_NEAR(p.speed / t, a, 0.02 * fabs(a));
            }
    wfDestroyDevice(device);
}

// However long the steps are; but on a mesh not as long as 1/30 s, in which the sheet goes over many of its edges.
static void TestSteps(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    const float friction = 0.6f, rates[] = {30, 60, 150, 1000};
    const double t = 0.3, slip = atan(friction);
    for (int s = 0; s < 2; ++s)
        for (int k = s_shapes[s] == wf_shapePlane ? 0 : 1; k < 4; ++k) {
            float step = 1.0f / rates[k];
            RampPlace held = Go(device, &(Incline){s_shapes[s], 0.98 * slip, 0.0f, friction, 0.0f, 0.0f, step}, t);
            CHECK_NEAR(held.way, 0.0, 1e-5);
            for (int down = 0; down < 2; ++down) {
                double angle = (down ? 1.3 : 0.7) * slip, a = Acceleration(angle, friction);
                RampPlace p = Go(device, &(Incline){s_shapes[s], angle, 0.0f, friction, down ? 0.0f : (float)(-a * 0.5), 0.1f, step}, t);
                CHECK_NEAR(p.speed / t, a, 0.02 * fabs(a));
            }
        }
    wfDestroyDevice(device);
}

// The angle lies between both coefficients: what rests stays, what slides goes on sliding, by the lower one.
static void TestTwoCoefficients(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    const double t = 0.3, angle = atan(0.5), a = Acceleration(angle, 0.4);
    for (int s = 0; s < 2; ++s) {
        RampPlace held = Go(device, &(Incline){s_shapes[s], angle, 0.6f, 0.4f, 0.0f, 0.0f, 0.0f}, t);
        CHECK_NEAR(held.way, 0.0, 1e-5);
        RampPlace slides = Go(device, &(Incline){s_shapes[s], angle, 0.6f, 0.4f, 0.5f, 0.1f, 0.0f}, t);
        CHECK_NEAR(slides.speed / t, a, 0.02 * a);
    }
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSlipAngle), cmocka_unit_test(TestNoCreep),         cmocka_unit_test(TestSlides),
        cmocka_unit_test(TestSteps),     cmocka_unit_test(TestTwoCoefficients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
