// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene_fixture.h"

#include "scene/scene.h"

#include <stdio.h>
#include <unistd.h>

// Friction of pairs: the table a scene makes of what its surfaces and its pairs say, and that contact holds and lets slide by it.

static wfScene* s_scene;
static wfClothId s_sheets[2];
static wfColliderId s_bodies[2];
static Grid s_grid;

// Two sheets and two bodies: surfaces 0 to 3.
static void OpenScene(wfDevice* device) {
    wfSceneDef def = wfDefaultSceneDef();
    strcpy(def.contact, "project");
    s_scene = NewScene(device, &def);
    s_grid = MakeGrid(3, 3, 0.1f, 0.1f, wfMake3(0, 1, 0));
    for (int i = 0; i < 2; ++i) {
        wfClothDef cloth = GridCloth(&s_grid, i == 0 ? "first" : "second");
        cloth.fabric.friction = i == 0 ? 0.4f : 0.9f;
        cloth.fabric.static_friction = i == 0 ? 0.5f : 0.0f;
        cloth.layer = i;
        s_sheets[i] = AddCloth(s_scene, &cloth);
        wfColliderDef body = wfDefaultColliderDef();
        body.friction = i == 0 ? 0.1f : 0.6f;
        body.static_friction = i == 0 ? 0.2f : 0.3f; // less than the other: means nothing
        s_bodies[i] = AddCollider(s_scene, &body);
    }
}

static void CloseScene(void) {
    wfDestroyScene(s_scene);
    FreeGrid(&s_grid);
}

static wfFrictionDef Pair(wfFrictionSide a, wfFrictionSide b, float friction, float atRest) {
    wfFrictionDef def = wfDefaultFrictionDef();
    def.a = a;
    def.b = b;
    def.friction = friction;
    def.static_friction = atRest;
    return def;
}

static wfFrictionSide Sheet(int i) { return (wfFrictionSide){.cloth = s_sheets[i]}; }
static wfFrictionSide Body(int i) { return (wfFrictionSide){.collider = s_bodies[i]}; }

static void Set(wfFrictionDef def) {
    wfError err = {0};
    CHECK_OK(wfScene_SetFriction(s_scene, &def, &err), err);
}

static void CheckPair(int a, int b, double hold, double slide) {
    const wfModel* m = &s_scene->model;
    for (int k = 0; k < 2; ++k) {
        wfFriction f = m->friction[k == 0 ? a * m->surfaceCount + b : b * m->surfaceCount + a];
        CHECK_NEAR(f.hold, hold, 1e-6);
        CHECK_NEAR(f.slide, slide, 1e-6);
    }
}

static void TestTable(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    OpenScene(device);
    Set(Pair(Body(1), Sheet(1), 0.3f, 0.8f));
    Set(Pair(Sheet(0), Sheet(0), 0.3f, 0.4f));
    Set(Pair(Sheet(0), Sheet(0), 0.25f, 0.1f)); // the last holds
    Commit(s_scene);
    assert_int_equal(s_scene->model.surfaceCount, 4);
    CheckPair(0, 0, 0.25, 0.25);
    CheckPair(0, 1, sqrt(0.5 * 0.9), sqrt(0.4 * 0.9));
    CheckPair(1, 1, 0.9, 0.9);
    CheckPair(0, 2, sqrt(0.5 * 0.2), sqrt(0.4 * 0.1));
    CheckPair(0, 3, sqrt(0.5 * 0.6), sqrt(0.4 * 0.6));
    CheckPair(1, 2, sqrt(0.9 * 0.2), sqrt(0.9 * 0.1));
    CheckPair(1, 3, 0.8, 0.3);
    assert_int_equal(s_scene->model.cloths[0].layer, 0);
    assert_int_equal(s_scene->model.cloths[1].layer, 1);
    wfError err = {0};
    wfFrictionDef late = Pair(Sheet(0), Body(0), 1, 1);
    CHECK_FAILS(wfScene_SetFriction(s_scene, &late, &err), err, "friction: the scene is committed; nothing can be set in it any more");
    CloseScene();
    wfDestroyDevice(device);
}

static void TestRefused(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    OpenScene(device);
    wfError err = {0};
    wfFrictionDef good = Pair(Sheet(0), Body(0), 0.5f, 0.6f), bad = good;
    CHECK_FAILS(wfScene_SetFriction(s_scene, NULL, &err), err, "friction: expected a scene and a Def, got NULL");
    bad.cookie = 0;
    CHECK_FAILS(wfScene_SetFriction(s_scene, &bad, &err), err, "friction: the Def did not start from wfDefaultFrictionDef()");
    bad = good;
    bad.static_friction = NAN;
    CHECK_FAILS(wfScene_SetFriction(s_scene, &bad, &err), err, "friction: static_friction: expected a number in [0, 10], got nan");
    const char* sides = "expected either a cloth or a collider of this scene";
    char message[128];
    wfFrictionSide wrong[4] = {Sheet(0), Sheet(0), Sheet(0), Body(0)};
    wrong[0].cloth = wf_nullCloth;
    wrong[1].collider = s_bodies[0];
    wrong[2].cloth.index1 = 3;
    ++wrong[3].collider.generation;
    for (int i = 0; i < 4; ++i) {
        bad = good;
        *(i % 2 == 0 ? &bad.a : &bad.b) = wrong[i];
        snprintf(message, sizeof message, "friction: %s: %s", i % 2 == 0 ? "a" : "b", sides);
        CHECK_FAILS(wfScene_SetFriction(s_scene, &bad, &err), err, message);
    }
    bad = Pair(Body(0), Body(1), 1, 1);
    CHECK_FAILS(wfScene_SetFriction(s_scene, &bad, &err), err,
                "friction: both are colliders, which do not feel each other; expected a cloth");
    assert_int_equal(s_scene->frictionCount, 0);
    CloseScene();
    wfDestroyDevice(device);
}

static void TestCheckpoint(void** state) {
    (void)state;
    const char* path = "test_friction.wck";
    wfDevice* device = OpenCpu(1);
    wfError err = {0};
    for (int i = 0; i < 2; ++i) {
        OpenScene(device);
        Set(Pair(Sheet(0), Body(0), 0.5f, i == 0 ? 0.6f : 0.7f));
        Commit(s_scene);
        if (i == 0) {
            CHECK_OK(wfScene_SaveCheckpoint(s_scene, path, &err), err);
            CHECK_OK(wfScene_LoadCheckpoint(s_scene, path, &err), err);
        } else {
            CHECK_FAILS(wfScene_LoadCheckpoint(s_scene, path, &err), err,
                        "test_friction.wck: the checkpoint is of another scene: its friction pairs differ");
        }
        CloseScene();
    }
    unlink(path);
    wfDestroyDevice(device);
}

// How far a sheet that starts with `speed` goes down a plane at 30 degrees in 0.2 s.
static double Slide(wfDevice* device, float friction, float atRest, float speed) {
    enum { Steps = 80, Count = 9 };
    const double seconds = 0.2;
    wfSceneDef def = wfDefaultSceneDef();
    strcpy(def.contact, "project");
    def.time_step = (float)(seconds / Steps);
    def.iterations = 100;
    strcpy(def.contact, "project");
    strcpy(def.stepper, "sequential");
    s_scene = NewScene(device, &def);
    wfQuat tilt = wfQuatAxisAngle(wfMake3(0, 0, 1), -0.5235988f); // down is +x
    s_grid = MakeGrid(3, 3, 0.1f, 0.1f, wfMake3(0, 0, 0));
    wfClothDef cloth = GridCloth(&s_grid, "sheet");
    cloth.fabric.stretch = 20.0f; // it moves as one piece; soft springs round less
    for (int i = 0; i < Count; ++i) {
        wfVec3 p = wfRotate(tilt, wfMake3(s_grid.positions[3 * i], 0.5f * cloth.fabric.thickness, s_grid.positions[3 * i + 2]));
        memcpy(s_grid.positions + 3 * i, &p, sizeof p);
    }
    cloth.velocity = wfRotate(tilt, wfMake3(speed, 0, 0));
    s_sheets[0] = AddCloth(s_scene, &cloth);
    wfColliderDef plane = wfDefaultColliderDef();
    const wfKey key = {0, {0, 0, 0}, tilt};
    plane.shape = wf_shapePlane;
    plane.keys = &key;
    plane.keyCount = 1;
    s_bodies[0] = AddCollider(s_scene, &plane);
    Set(Pair(Sheet(0), Body(0), friction, atRest));
    Commit(s_scene);
    wfError err = {0};
    CHECK_OK(wfScene_Step(s_scene, (float)seconds, &err), err);
    wfVec3 p = ReadVertex(s_scene, s_sheets[0], 4);
    wfVec3 start = {s_grid.positions[12], s_grid.positions[13], s_grid.positions[14]};
    double way = wfUnrotate(tilt, wfSub(p, start)).x;
    CloseScene();
    return way;
}

// tan 30° = 0.577 lies between both coefficients: what rests stays, what slides goes on sliding, slowly enough that the coefficient of
// rest would have stopped it.
static void TestHoldsAndSlides(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    const double g = 9.81, angle = 0.5235988, t = 0.2;
    CHECK_NEAR(Slide(device, 0.4f, 0.65f, 0.0f), 0.0, 1e-6);
    for (int k = 0; k < 2; ++k) {
        double a = g * (sin(angle) - 0.4 * cos(angle)), way = 0.1 * t + 0.5 * a * t * t;
        CHECK_NEAR(Slide(device, 0.4f, k == 0 ? 0.65f : 0.0f, 0.1f), way, 0.5 * a * t * (t / 80) + 1e-5);
    }
    double stopping = g * (0.65 * cos(angle) - sin(angle));
    CHECK_NEAR(Slide(device, 0.65f, 0.0f, 0.1f), 0.1 * 0.1 / (2 * stopping), 0.1 * (t / 80));
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestTable),
        cmocka_unit_test(TestRefused),
        cmocka_unit_test(TestCheckpoint),
        cmocka_unit_test(TestHoldsAndSlides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
