// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "ramp.h"

#include "contact/repulsion.h"
#include "scene/scene.h"

// Coulomb friction of safe repulsion on an incline, of a plane and of a mesh with a distance field: a small sheet slips where the tangent
// of the angle is above the coefficient, stays without creep below it, and slides as the formula says.

static const double s_gravity = 9.81;

typedef struct Incline {
    const char* stepper;
    bool mesh;
    double angle; // [rad]
    float hold, slide;
    float speed; // [m/s] of a mesh, along x, as a sequence of shapes; 0: it is rigid and stands still
} Incline;

static wfScene* MakeScene(wfDevice* device, const Incline* c) {
    wfSceneDef def = wfDefaultSceneDef();
    def.time_step = 0.01f;
    def.frame_rate = 100.0f;
    strcpy(def.contact, "repulsion");
    strcpy(def.stepper, c->stepper);
    wfScene* scene = NewScene(device, &def);
    Ramp ramp = {.angle = c->angle, .width = 0.02f, .hold = c->hold, .slide = c->slide, .body = wfDefaultColliderDef()};
    float mean = ramp.width / (RampSide - 1) * (2.0f + 1.41421356f * (1.0f - 1.0f / RampSide)) / 3.0f;
    ramp.lift = wfMakeRepulsionRules(mean).body * 1.02f;
    const float box[24] = {-0.05f, -0.05f, -0.05f, 0.3f, -0.05f, -0.05f, -0.05f, 0, -0.05f, 0.3f, 0, -0.05f,
                           -0.05f, -0.05f, 0.05f,  0.3f, -0.05f, 0.05f,  -0.05f, 0, 0.05f,  0.3f, 0, 0.05f};
    const int faces[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    ramp.body.shape = c->mesh ? wf_shapeMesh : wf_shapePlane;
    if (c->mesh) ramp.body.mesh = (wfMeshView){.positions = box, .vertexCount = 8, .triangles = faces, .triangleCount = 12};
    float moved[48];
    for (int k = 0; k < 48; ++k) moved[k] = box[k % 24] + (k >= 24 && k % 3 == 0 ? c->speed : 0.0f);
    if (c->speed > 0.0f) {
        ramp.body.sequence = moved;
        ramp.body.sequenceCount = 2;
        ramp.body.sequenceRate = 1.0f;
    }
    BuildRamp(scene, &ramp);
    return scene;
}

// How far it goes in `seconds` after 0.1 s.
static double Go(wfDevice* device, const Incline* c, float seconds) {
    wfScene* scene = MakeScene(device, c);
    wfError err = {0};
    CHECK_OK(wfScene_Step(scene, 0.1f, &err), err);
    double start = PlaceOnRamp(scene, c->angle).way;
    CHECK_OK(wfScene_Step(scene, seconds, &err), err);
    double way = PlaceOnRamp(scene, c->angle).way - start;
    wfCertificate certificate;
    CHECK_OK(wfScene_Certify(scene, true, &certificate, &err), err);
    assert_int_equal(certificate.intersectingPairs, 0);
    wfDestroyScene(scene);
    return way;
}

static void TestIncline(void** state) {
    (void)state;
    static const float coefficients[] = {0.1f, 0.5f, 1.0f, 1.5f};
    wfDevice* device = OpenCpu(1);
    for (int k = 0; k < 4; ++k) {
        float mu = coefficients[k];
        Incline c = {.stepper = "projection", .mesh = k % 2 == 1, .hold = mu, .slide = mu};
        c.angle = atan(0.97 * (double)mu);
        double creep = Go(device, &c, 1.0f);
        c.angle = atan(1.03 * (double)mu);
        double slip = Go(device, &c, 0.3f), freely = 0.5 * s_gravity * (sin(c.angle) - (double)mu * cos(c.angle)) * (0.4 * 0.4 - 0.1 * 0.1);
        print_message("%s, %s, mu %.1f: creeps %.3g mm in 1 s just below its angle, slips %.3g mm above it (free of creep: %.3g)\n",
                      c.stepper, c.mesh ? "mesh" : "plane", (double)mu, 1e3 * creep, 1e3 * slip, 1e3 * freely);
        assert_true(fabs(creep) < 0.1e-3);                       // 0.97 of the coefficient
        assert_true(slip > 0.9 * freely && slip < 1.5 * freely); // 1.03 of it: the way is half as long at 1.015
    }
    wfDestroyDevice(device);
}

// Above its angle it goes down as fast as it should.
static void TestSlide(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    for (int k = 0; k < 4; ++k) {
        float mu = 0.1f + 0.3f * (float)k;
        Incline c = {.stepper = "projection", .angle = atan((double)mu) + 0.3, .hold = mu, .slide = mu};
        double way = Go(device, &c, 0.2f);
        double want = 0.5 * s_gravity * (sin(c.angle) - (double)mu * cos(c.angle)) * (0.3 * 0.31 - 0.1 * 0.11); // as Euler steps go
        print_message("mu %.1f, 17 degrees above its angle: %.4g mm in 0.2 s, %.4g by the formula\n", (double)mu, 1e3 * way, 1e3 * want);
        CHECK_NEAR(way, want, 0.01 * want);
    }
    wfDestroyDevice(device);
}

// A body that changes its shape carries what lies on it, as far as friction can: its own acceleration is beyond that only at first.
static void TestCarried(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    Incline c = {.stepper = "projection", .mesh = true, .hold = 0.8f, .slide = 0.8f, .speed = 0.1f};
    double way = Go(device, &c, 0.2f);
    print_message("a body that moves by its shape, 0.1 m/s, carries cloth %.4g mm in 0.2 s\n", 1e3 * way);
    CHECK_NEAR(way, 0.02, 0.0002);
    c.hold = c.slide = 0.0f;
    CHECK_NEAR(Go(device, &c, 0.2f), 0.0, 0.0002);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestIncline), cmocka_unit_test(TestSlide), cmocka_unit_test(TestCarried)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
