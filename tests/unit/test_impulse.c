// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene_fixture.h"

#include "contact/impulse.h"
#include "math/vec.h"
#include "scene/scene.h"

#include <stdio.h>
#include <unistd.h>

// Contact by impulses as a scene sees it: what it keeps, what it refuses, and that every dynamics stays free of intersections with it.

static void CheckClean(wfScene* scene) {
    wfError err = {0};
    wfCertificate c;
    CHECK_OK(wfScene_Certify(scene, true, &c, &err), err);
    assert_true(c.selfContact && c.meshContact);
    assert_int_equal(c.pinchedVertices, 0);
    if (c.intersectingPairs != 0) fail_msg("frame %d: %lld intersecting pairs", c.frame, (long long)c.intersectingPairs);
}

// ---- momentum -----------------------------------------------------------------------------------------------------------------

typedef struct Momentum {
    double mass, linear[3], angular[3];
} Momentum;

static Momentum MomentumOf(const wfScene* scene) {
    size_t count;
    float* state = ReadState(scene, &count);
    Momentum sum = {0};
    for (size_t i = 0; i < count / 6; ++i) {
        double m = scene->model.mass[i];
        const float *x = state + 6 * i, *v = x + 3;
        sum.mass += m;
        for (int k = 0; k < 3; ++k) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            sum.linear[k] += m * v[k];
            sum.angular[k] += m * ((double)x[a] * v[b] - (double)x[b] * v[a]);
        }
    }
    free(state);
    return sum;
}

static double Length(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static double Change(const double a[3], const double b[3]) {
    const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    return Length(d);
}

// Two sheets of different masses that fly at each other, off centre, the upper one turned.
static wfScene* MakePair(wfDevice* device, const char* dynamics, float friction, float step) {
    wfSceneDef def = wfDefaultSceneDef();
    def.time_step = def.shortest_step = step;
    def.gravity = wfMake3(0, 0, 0);
    strcpy(def.dynamics, dynamics);
    wfScene* scene = NewScene(device, &def);
    wfQuat turned = wfQuatAxisAngle(wfMake3(0.2f, 1.0f, 0.1f), 0.7f);
    for (int i = 0; i < 2; ++i) {
        Grid grid = MakeGrid(8, 8, 0.4f, 0.4f, wfMake3(-0.2f, i == 0 ? 0.0f : 0.06f, -0.2f));
        for (int k = 0; k < 64 && i == 1; ++k) {
            wfVec3 p;
            memcpy(&p, grid.positions + 3 * k, sizeof p);
            p = wfAdd(wfRotate(turned, p), wfMake3(0.08f, 0.02f, 0.05f));
            memcpy(grid.positions + 3 * k, &p, sizeof p);
        }
        wfClothDef cloth = GridCloth(&grid, i == 0 ? "lower" : "upper");
        cloth.fabric.density = i == 0 ? 0.2f : 0.35f;
        cloth.fabric.friction = friction;
        cloth.velocity = i == 0 ? wfMake3(0, 2, 0) : wfMake3(-0.5f, -3, 0.3f);
        AddCloth(scene, &cloth);
        FreeGrid(&grid);
    }
    Commit(scene);
    return scene;
}

// Of the angular momentum, by two sheets that meet.
static double LoseMomentum(wfDevice* device, const char* dynamics, float friction, float step) {
    wfScene* scene = MakePair(device, dynamics, friction, step);
    Momentum start = MomentumOf(scene);
    wfError err = {0};
    wfCertificate c;
    StepFrames(scene, 1);
    CheckClean(scene);
    CHECK_OK(wfScene_Certify(scene, false, &c, &err), err);
    assert_true(c.contacts > 50); // they have met
    StepFrames(scene, 1);
    CheckClean(scene);
    Momentum end = MomentumOf(scene);
    CHECK_NEAR(Change(start.linear, end.linear), 0.0, 5e-6 * start.mass * 5.0); // they meet at 5 m/s
    wfDestroyScene(scene);
    return Change(start.angular, end.angular) / Length(start.angular);
}

// Linear momentum is kept to rounding. Angular momentum is kept by explicit dynamics alone, and by impulses where both points of a contact
// are one: they are apart by up to the thickness, and a collision is answered from the beginning of its step. So what is lost shrinks with
// the step.
static void TestMomentum(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    for (int k = 0; k < 2; ++k) {
        float friction = k == 0 ? 0.0f : 0.5f;
        double coarse = LoseMomentum(device, "explicit", friction, 0.004f), fine = LoseMomentum(device, "explicit", friction, 0.001f);
        assert_true(fine < 0.5 * coarse && fine < 0.0025);
        LoseMomentum(device, "chebyshev", friction, 0.001f);
    }
    wfDestroyDevice(device);
}

// ---- same bits ----------------------------------------------------------------------------------------------------------------

// Two sheets fall on a ball that turns, one on the other; they meet from frame 1 on.
static wfScene* MakeFall(wfDevice* device, const char* dynamics, wfIntegrator integrator) {
    wfSceneDef def = wfDefaultSceneDef();
    strcpy(def.dynamics, dynamics);
    def.integrator = integrator;
    wfScene* scene = NewScene(device, &def);
    for (int i = 0; i < 2; ++i) {
        Grid grid = MakeGrid(8, 8, 0.4f, 0.4f, wfMake3(-0.18f - 0.05f * (float)i, 0.16f + 0.02f * (float)i, -0.2f));
        wfClothDef cloth = GridCloth(&grid, i == 0 ? "lower" : "upper");
        cloth.velocity = wfMake3(0, -1.0f - (float)i, 0);
        AddCloth(scene, &cloth);
        FreeGrid(&grid);
    }
    wfColliderDef ball = wfDefaultColliderDef();
    const wfKey keys[] = {{0.0f, {0, 0, 0}, {0, 0, 0, 1}}, {0.5f, {0, 0.1f, 0}, {0, 0.6f, 0, 0.8f}}};
    ball.radius = 0.15f;
    ball.friction = 0.8f;
    ball.keys = keys;
    ball.keyCount = 2;
    AddCollider(scene, &ball);
    Commit(scene);
    return scene;
}

static void TestSameBits(void** state) {
    (void)state;
    const char* path = "test_impulse.wck";
    wfDevice *one = OpenCpu(1), *three = OpenCpu(3);
    wfScene *whole = MakeFall(one, "chebyshev", wf_integrateEuler), *other = MakeFall(three, "chebyshev", wf_integrateEuler),
            *resumed = MakeFall(three, "chebyshev", wf_integrateEuler);
    wfError err = {0};
    wfCertificate c;
    int64_t contacts = 0;
    for (int frame = 1; frame <= 6; ++frame) {
        StepFrames(whole, 1);
        StepFrames(other, 1);
        CheckClean(whole);
        CheckSameState(whole, other);
        CHECK_OK(wfScene_Certify(whole, false, &c, &err), err);
        contacts += c.contacts;
        if (frame == 4) CHECK_OK(wfScene_SaveCheckpoint(whole, path, &err), err);
    }
    assert_true(contacts > 100);
    CHECK_OK(wfScene_LoadCheckpoint(resumed, path, &err), err);
    StepFrames(resumed, 6 - 4);
    CheckSameState(whole, resumed);
    unlink(path);
    wfDestroyScene(whole);
    wfDestroyScene(other);
    wfDestroyScene(resumed);
    wfDestroyDevice(one);
    wfDestroyDevice(three);
}

// ---- refused and stuck --------------------------------------------------------------------------------------------------------

static void TestIntersectingStart(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    for (int with = 0; with < 2; ++with) { // a second cloth, a collider
        wfSceneDef def = wfDefaultSceneDef();
        wfScene* scene = NewScene(device, &def);
        Grid flat = MakeGrid(4, 4, 0.3f, 0.3f, wfMake3(-0.15f, 0, -0.15f));
        wfClothDef cloth = GridCloth(&flat, "tablecloth");
        AddCloth(scene, &cloth);
        if (with == 0) {
            Grid upright = MakeGrid(2, 2, 0.1f, 0.1f, wfMake3(-0.04f, 0, -0.03f));
            for (int i = 0; i < 4; ++i) { // on edge, half below
                float* p = upright.positions + 3 * i;
                p[1] = p[0] - 0.01f;
                p[0] = 0.02f;
            }
            wfClothDef second = GridCloth(&upright, "napkin");
            AddCloth(scene, &second);
            FreeGrid(&upright);
        } else {
            wfColliderDef ball = wfDefaultColliderDef();
            strcpy(ball.name, "apple");
            ball.radius = 0.04f;
            AddCollider(scene, &ball);
        }
        wfError err = {0};
        assert_false(wfScene_Commit(scene, &err));
        assert_int_equal(err.code, wf_badInput);
        const char* start = "contact \"impulse\" needs a start free of intersections: cloth \"tablecloth\", triangle ";
        assert_int_equal(strncmp(err.text, start, strlen(start)), 0);
        assert_non_null(strstr(err.text, with == 0 ? "meets cloth \"napkin\", triangle " : "meets collider \"apple\", triangle "));
        wfDestroyScene(scene);
        FreeGrid(&flat);
    }
    wfDestroyDevice(device);
}

// A free sheet between two plates that close on it until they have passed each other: one body that changes its shape, so that no two
// bodies pinch it, and nothing is held by pins.
static wfScene* MakePressed(wfDevice* device) {
    wfSceneDef def = wfDefaultSceneDef();
    def.gravity = wfMake3(0, 0, 0);
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(7, 7, 0.2f, 0.2f, wfMake3(-0.1f, 0.0f, -0.1f));
    wfClothDef cloth = GridCloth(&grid, "sheet");
    AddCloth(scene, &cloth);
    FreeGrid(&grid);
    static const int triangles[] = {0, 1, 2, 1, 3, 2, 4, 6, 5, 5, 6, 7};
    float plates[2][8][3]; // open, closed
    for (int k = 0; k < 2; ++k)
        for (int v = 0; v < 8; ++v) {
            plates[k][v][0] = v % 2 == 0 ? -0.2f : 0.2f;
            plates[k][v][1] = (v < 4 ? 1.0f : -1.0f) * (k == 0 ? 0.02f : -0.02f);
            plates[k][v][2] = v % 4 < 2 ? -0.2f : 0.2f;
        }
    wfColliderDef press = wfDefaultColliderDef();
    strcpy(press.name, "press");
    press.shape = wf_shapeMesh;
    press.mesh = (wfMeshView){.positions = plates[0][0], .vertexCount = 8, .triangles = triangles, .triangleCount = 4};
    press.sequence = plates[0][0];
    press.sequenceCount = 2;
    press.sequenceRate = 10.0f;
    AddCollider(scene, &press);
    Commit(scene);
    return scene;
}

static void TestStuck(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfScene* scene = MakePressed(device);
    for (int frame = 1; frame <= 12; ++frame) {
        wfError err = {0};
        size_t count, after;
        float* before = ReadState(scene, &count);
        double time = wfScene_GetTime(scene);
        if (wfScene_StepFrame(scene, &err)) {
            CheckClean(scene);
            free(before);
            continue;
        }
        assert_int_equal(err.code, wf_stepFailed);
        int vertex = -1, named = -1;
        assert_int_equal(sscanf(err.text, "frame %d: cloth \"sheet\", vertex %d: a collision with collider \"press\"", &named, &vertex), 2);
        assert_non_null(strstr(err.text, "collider \"press\" cannot be resolved"));
        assert_int_equal(named, frame);
        assert_in_range(vertex, 0, 48);
        float* now = ReadState(scene, &after);
        assert_memory_equal(before, now, count * sizeof(float));
        assert_true(wfScene_GetTime(scene) == time && wfScene_GetFrame(scene) == frame - 1);
        free(before);
        free(now);
        wfDestroyScene(scene);
        wfDestroyDevice(device);
        return;
    }
    fail_msg("the sheet went through the press");
}

// ---- off the way ----------------------------------------------------------------------------------------------------------------

// One side of a sheet lies on the floor, the other is far above it. Pairs are looked for about a motion that goes nowhere; then the
// dynamics takes a vertex of the far side, where nothing touches, below the floor. That has to be seen, whatever is answered elsewhere.
static void TestLeavesWayWithoutContact(void** state) {
    (void)state;
    enum { Count = 64, Far = 63 };
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = wfDefaultSceneDef();
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(8, 8, 0.4f, 0.4f, wfMake3(-0.2f, 0.0f, -0.2f));
    for (int k = 0; k < Count; ++k) grid.positions[3 * k + 1] = 2e-4f + 0.5f * (grid.positions[3 * k + 2] + 0.2f);
    wfClothDef cloth = GridCloth(&grid, "sheet");
    cloth.fabric.thickness = 1e-3f;
    AddCloth(scene, &cloth);
    FreeGrid(&grid);
    wfColliderDef floor = wfDefaultColliderDef();
    floor.shape = wf_shapePlane;
    wfError err = {0};
    wfCreateCollider(scene, &floor, &err);
    Commit(scene);

    const float dt = 0.005f;
    wfVec4 x[Count], target[Count];
    wfStepContext ctx = wfScene_Context(scene, 0.0, dt);
    wfImpulse* impulse = scene->parts.contactSelf;
    wfScene_MoveBodies(scene, 0.0, (double)dt);
    CHECK_OK(wfDownload(device, x, &scene->state.x, 0, Count, &err), err);
    assert_true(x[Far].y > 0.1f);
    for (int k = 0; k < Count; ++k) target[k] = wfMake4(wfXyz(x[k]), x[k].w / (dt * dt));
    wfUploadRange(device, &scene->state.xStart, 0, x, Count);
    wfUploadRange(device, &scene->state.target, 0, target, Count);
    CHECK_OK(wfImpulse_Find(impulse, &ctx, &err), err);
    assert_true(wfImpulseContact.count(impulse, &ctx) > 0);
    x[Far].y = -0.01f;
    wfUploadRange(device, &scene->state.x, 0, x, Count);
    int hits = 0;
    wfImpulse_Repel(impulse, &ctx);
    CHECK_OK(wfImpulse_Collide(impulse, &ctx, true, &hits, &err), err);
    assert_true(hits > 0);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

// Sheets of n x n vertices that fall on a ball with `speed` [m/s], a centimetre from each other.
static void AddHeap(wfScene* scene, int sheets, int n, float speed) {
    for (int k = 0; k < sheets; ++k) {
        Grid grid = MakeGrid(n, n, 0.5f, 0.5f, wfMake3(-0.25f, 0.01f * (float)(k + 1), -0.25f));
        char name[32];
        snprintf(name, sizeof name, "sheet%d", k);
        wfClothDef cloth = GridCloth(&grid, name);
        cloth.fabric.stretch = 1000.0f;
        cloth.fabric.thickness = 1e-3f;
        cloth.velocity = wfMake3(0, -speed, 0);
        AddCloth(scene, &cloth);
        FreeGrid(&grid);
    }
    wfColliderDef ball = wfDefaultColliderDef();
    const wfKey below = {0.0f, {0, -0.27f, 0}, {0, 0, 0, 1}};
    ball.radius = 0.25f;
    ball.keys = &below;
    ball.keyCount = 1;
    AddCollider(scene, &ball);
}

// Sheets fall together on a ball, in long steps. The lowest is stopped on its way, and the next one, which stayed where it was beside it as
// long as both fell, has to be seen to come down on it.
static void TestFallTogether(void** state) {
    (void)state;
    enum { Sheets = 4, N = 10 };
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = wfDefaultSceneDef();
    def.time_step = 1.0f / 60.0f;
    wfScene* scene = NewScene(device, &def);
    AddHeap(scene, Sheets, N, 1.0f);
    Commit(scene);
    for (int frame = 0; frame < 4; ++frame) {
        StepFrames(scene, 1);
        CheckClean(scene);
    }
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

// What lies ten layers deep is calm. While each of a vertex's dozen contacts was a spring as stiff as the cloth, iterations did not get
// far: the heap hung in the air, and threads in it trembled with up to ten times the energy.
static void TestHeap(void** state) {
    (void)state;
    if (WF_SLOW_BUILD) skip();
    wfDevice* device = OpenCpu(2);
    wfSceneDef def = wfDefaultSceneDef();
    def.time_step = 1.0f / 120.0f;
    strcpy(def.dynamics, "multilevel");
    wfScene* scene = NewScene(device, &def);
    AddHeap(scene, 10, 14, 0.0f);
    Commit(scene);
    StepFrames(scene, 16);
    for (int frame = 16; frame < 20; ++frame) {
        StepFrames(scene, 1);
        CheckClean(scene);
        wfCertificate c;
        wfError err = {0};
        CHECK_OK(wfScene_Certify(scene, false, &c, &err), err);
        assert_true(c.elasticEnergy < 0.02 && c.kineticEnergy < 0.01); // with steps of 1/480 s 0.01 J
        assert_true(c.worstStretch < 1.05f);
    }
    // On top of the ball each layer bears all that are above it, and is a thickness of 1 mm from the next, or a little more where it still
    // comes down. While contacts began each step without the forces that they had, it was down to 0.96 mm.
    StepFrames(scene, 20);
    size_t count;
    float *x = ReadState(scene, &count), before = 0.0f;
    for (int sheet = 0; sheet < 10; ++sheet) {
        float height = -INFINITY;
        for (int i = 0; i < 14 * 14; ++i) height = fmaxf(height, x[6 * (14 * 14 * sheet + i) + 1]);
        if (sheet > 0) assert_true(height - before > 0.98e-3f && height - before < 1.4e-3f);
        before = height;
    }
    free(x);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

// ---- every dynamics -----------------------------------------------------------------------------------------------------------

static void TestEveryDynamics(void** state) {
    (void)state;
    static const struct {
        const char* dynamics;
        wfIntegrator integrator;
    } cases[] = {{"chebyshev", wf_integrateEuler}, {"chebyshev", wf_integrateBdf2},  {"multilevel", wf_integrateEuler},
                 {"multilevel", wf_integrateBdf2}, {"hierarchy", wf_integrateEuler}, {"hierarchy", wf_integrateBdf2},
                 {"newton", wf_integrateEuler},    {"newton", wf_integrateBdf2},     {"explicit", wf_integrateEuler}};
    wfDevice* device = OpenCpu(1);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        wfScene* scene = MakeFall(device, cases[k].dynamics, cases[k].integrator);
        for (int frame = 0; frame < (WF_SLOW_BUILD ? 3 : 6); ++frame) {
            StepFrames(scene, 1);
            CheckClean(scene);
        }
        wfDestroyScene(scene);
    }
    wfDestroyDevice(device);
}

// ---- sliding ------------------------------------------------------------------------------------------------------------------

static float WorstStretch(wfScene* scene, int frames) {
    wfError err = {0};
    float worst = 0.0f;
    for (int frame = 0; frame < frames; ++frame) {
        wfCertificate c;
        StepFrames(scene, 1);
        CHECK_OK(wfScene_Certify(scene, true, &c, &err), err);
        if (c.intersectingPairs != 0) fail_msg("frame %d: %lld intersecting pairs", c.frame, (long long)c.intersectingPairs);
        worst = fmaxf(worst, c.worstStretch);
    }
    return worst;
}

static wfScene* NewSlide(wfDevice* device) {
    wfSceneDef def = wfDefaultSceneDef();
    def.time_step = 1.0f / 60.0f;
    return NewScene(device, &def);
}

// A sheet is drawn over a ball by one side, without friction, two thirds of an edge in a step. With contacts aslant of the ball's own edges
// and vertices, which tension presses ever deeper between them, it did not slide but was stretched to 1.7 of its length.
static void TestDrawnOverBall(void** state) {
    (void)state;
    enum { Side = 24 };
    const wfQuat straight = {0, 0, 0, 1};
    const wfKey keys[] = {{0.0f, {0, 0, 0}, straight}, {0.5f, {0, -0.5f, -0.1f}, straight}};
    int side[Side];
    for (int k = 0; k < Side; ++k) side[k] = k;
    wfDevice* device = OpenCpu(2);
    wfScene* scene = NewSlide(device);
    Grid grid = MakeGrid(Side, Side, 0.6f, 0.6f, wfMake3(-0.3f, 0.202f, -0.3f));
    wfClothDef cloth = GridCloth(&grid, "sheet");
    cloth.fabric.thickness = 0.002f;
    cloth.fabric.friction = 0.0f;
    wfPinDef pin = wfDefaultPinDef();
    pin.cloth = AddCloth(scene, &cloth);
    pin.vertices = side;
    pin.vertexCount = Side;
    pin.keys = keys;
    pin.keyCount = 2;
    AddPin(scene, &pin);
    FreeGrid(&grid);
    wfColliderDef ball = wfDefaultColliderDef();
    ball.radius = 0.2f;
    AddCollider(scene, &ball);
    Commit(scene);
    float worst = WorstStretch(scene, 28);
    if (!(worst < 1.15f)) fail_msg("stretched to %g", (double)worst);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

// A sheet lies on the floor, stretched by a tenth: friction can hold a thousandth of what its threads pull with, at rest or not.
static void TestStretchedOnFloor(void** state) {
    (void)state;
    enum { Side = 16 };
    wfDevice* device = OpenCpu(1);
    wfScene* scene = NewSlide(device);
    Grid flat = MakeGrid(Side, Side, 0.2f, 0.2f, wfMake3(-0.1f, 0.001f, -0.1f)),
         wide = MakeGrid(Side, Side, 0.22f, 0.22f, wfMake3(-0.11f, 0.001f, -0.11f));
    wfClothDef cloth = GridCloth(&wide, "sheet");
    cloth.mesh.restPositions = flat.positions;
    cloth.fabric.thickness = 0.002f;
    cloth.fabric.friction = 0.5f;
    cloth.fabric.static_friction = 1.5f;
    AddCloth(scene, &cloth);
    wfColliderDef floor = wfDefaultColliderDef();
    floor.shape = wf_shapePlane;
    floor.friction = 0.5f;
    floor.static_friction = 1.5f;
    AddCollider(scene, &floor);
    Commit(scene);
    WorstStretch(scene, 20);
    float worst = WorstStretch(scene, 1);
    if (!(worst < 1.01f)) fail_msg("stretched to %g", (double)worst);
    FreeGrid(&flat);
    FreeGrid(&wide);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestMomentum),          cmocka_unit_test(TestSameBits),
        cmocka_unit_test(TestIntersectingStart), cmocka_unit_test(TestStuck),
        cmocka_unit_test(TestEveryDynamics),     cmocka_unit_test(TestLeavesWayWithoutContact),
        cmocka_unit_test(TestFallTogether),      cmocka_unit_test(TestHeap),
        cmocka_unit_test(TestDrawnOverBall),     cmocka_unit_test(TestStretchedOnFloor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
