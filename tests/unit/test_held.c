// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene_fixture.h"

#include "math/vec.h"

#include <stdio.h>

// Cloth that pins hold goes where they say and gives way to nothing. Where that is into something, the run ends with the frame, the cloth
// and the vertex, and nothing that intersects was ever handed out.

static const wfQuat s_straight = {0, 0, 0, 1};

enum { Side = 7, Count = Side * Side };

typedef enum Held { HeldAll, HeldCorner, HeldNone } Held;

// A sheet of 0.3 m about the origin at a height, of which pins hold all or a corner, and move it by `move` within 0.2 s.
static void AddSheet(wfScene* scene, const char* name, float height, Held held, wfVec3 move) {
    Grid grid = MakeGrid(Side, Side, 0.3f, 0.3f, wfMake3(-0.15f, height, -0.15f));
    wfClothDef cloth = GridCloth(&grid, name);
    int vertices[Count];
    wfPinDef pin = wfDefaultPinDef();
    pin.cloth = AddCloth(scene, &cloth);
    FreeGrid(&grid);
    pin.vertices = vertices;
    for (int v = 0; v < (held == HeldAll ? Count : 1); ++v) vertices[pin.vertexCount++] = v;
    const wfKey keys[] = {{0.0f, {0, 0, 0}, s_straight}, {0.2f, move, s_straight}};
    pin.keys = keys;
    pin.keyCount = 2;
    if (held != HeldNone) AddPin(scene, &pin);
}

static void AddBody(wfScene* scene, const char* name, wfShapeKind shape, wfVec3 from, wfVec3 to) {
    wfColliderDef def = wfDefaultColliderDef();
    strcpy(def.name, name);
    def.shape = shape;
    def.radius = 0.05f;
    def.size = wfMake3(0.1f, 0.1f, 0.1f);
    const wfKey keys[] = {{0.0f, from, s_straight}, {0.2f, to, s_straight}};
    def.keys = keys;
    def.keyCount = 2;
    AddCollider(scene, &def);
}

static wfScene* Open(wfDevice* device) {
    wfSceneDef def = wfDefaultSceneDef();
    def.gravity = wfMake3(0, 0, 0);
    return NewScene(device, &def);
}

static void CheckClean(wfScene* scene) {
    wfError err = {0};
    wfCertificate c;
    CHECK_OK(wfScene_Certify(scene, true, &c, &err), err);
    if (c.intersectingPairs != 0) fail_msg("frame %d: %lld intersecting pairs", c.frame, (long long)c.intersectingPairs);
}

// Steps to the frame at which the run must end, after `from` and up to `to`; the scene goes with it.
static void CheckEnds(wfScene* scene, int from, int to, const char* cloth, const char* with) {
    Commit(scene);
    for (int frame = 1;; ++frame) {
        wfError err = {0};
        if (wfScene_StepFrame(scene, &err)) {
            CheckClean(scene);
            if (frame >= to) fail_msg("%s: frame %d went well", with, frame);
            continue;
        }
        int named = -1, vertex = -1, used = 0;
        char text[160], name[64];
        assert_int_equal(sscanf(err.text, "frame %d: cloth \"%63[^\"]\", vertex %d: %n", &named, name, &vertex, &used), 3);
        assert_string_equal(name, cloth);
        snprintf(text, sizeof text, "is held, and meets %s", with);
        assert_string_equal(err.text + used, text);
        assert_int_equal(err.code, wf_stepFailed);
        assert_int_equal(named, frame);
        assert_in_range(vertex, 0, Count - 1);
        assert_in_range(frame, from, to);
        CheckClean(scene); // as the frame before left it
        break;
    }
    wfDestroyScene(scene);
}

static void TestInto(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfScene* scene = Open(device); // 0.03 m to go at 1 m/s
    AddSheet(scene, "sheet", 0.08f, HeldAll, wfMake3(0, -0.2f, 0));
    AddBody(scene, "body", wf_shapeSphere, wfMake3(0.01f, 0, 0.01f), wfMake3(0.01f, 0, 0.01f));
    CheckEnds(scene, 2, 4, "sheet", "collider \"body\"");
    scene = Open(device); // the body comes to it
    AddSheet(scene, "sheet", 0.08f, HeldAll, wfMake3(0, 0, 0));
    AddBody(scene, "body", wf_shapeBox, wfMake3(0.01f, 0, 0.01f), wfMake3(0.01f, 0.2f, 0.01f));
    CheckEnds(scene, 2, 4, "sheet", "collider \"body\"");
    scene = Open(device);
    AddSheet(scene, "sheet", 0.03f, HeldAll, wfMake3(0, -0.2f, 0));
    AddBody(scene, "body", wf_shapePlane, wfMake3(0, 0, 0), wfMake3(0, 0, 0));
    CheckEnds(scene, 2, 4, "sheet", "collider \"body\"");
    scene = Open(device); // from 0.15 m beside the box into its middle, the rest of the sheet is free to follow
    AddSheet(scene, "sheet", 0.0f, HeldCorner, wfMake3(-0.2f, 0, 0));
    AddBody(scene, "body", wf_shapeBox, wfMake3(-0.25f, 0, -0.15f), wfMake3(-0.25f, 0, -0.15f));
    CheckEnds(scene, 4, 7, "sheet", "collider \"body\"");
    scene = Open(device); // two of them
    AddSheet(scene, "lower", 0.0f, HeldAll, wfMake3(0, 0, 0));
    AddSheet(scene, "upper", 0.03f, HeldAll, wfMake3(0.013f, -0.2f, 0.021f));
    wfError err = {0};
    Commit(scene);
    bool ended = false;
    for (int frame = 1; frame <= 5 && !ended; ++frame) ended = !wfScene_StepFrame(scene, &err);
    assert_true(ended);
    assert_non_null(strstr(err.text, "is held, and meets cloth \""));
    CheckClean(scene);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

// Beside bodies, with a body, and onto cloth that is free to give way: nothing to be said.
static void TestPasses(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfScene* scene = Open(device);
    AddSheet(scene, "sheet", 0.052f, HeldAll, wfMake3(0.4f, 0, 0.1f));
    AddBody(scene, "body", wf_shapeBox, wfMake3(0.01f, 0, 0.01f), wfMake3(0.01f, 0, 0.01f));
    AddSheet(scene, "carried", 0.3f, HeldAll, wfMake3(0.1f, 0.2f, 0));
    AddBody(scene, "carrier", wf_shapeBox, wfMake3(0.01f, 0.2495f, 0.01f), wfMake3(0.11f, 0.4495f, 0.01f));
    AddSheet(scene, "driving", -0.2f, HeldAll, wfMake3(0, -0.1f, 0));
    AddSheet(scene, "driven", -0.23f, HeldNone, wfMake3(0, 0, 0));
    Commit(scene);
    for (int frame = 1; frame <= 14; ++frame) {
        StepFrames(scene, 1);
        CheckClean(scene);
    }
    wfVec3 driven = ReadVertex(scene, wfScene_GetCloth(scene, 3), Count / 2);
    assert_true(driven.y < -0.3f);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

// A call that failed leaves nothing of its steps, nor of what contacts pushed in them: what follows is as if it had not been.
static void TestGoesOnAfterFailure(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfScene* scenes[2];
    for (int k = 0; k < 2; ++k) {
        wfSceneDef def = wfDefaultSceneDef();
        Grid grid = MakeGrid(13, 13, 1.0f, 1.0f, wfMake3(-0.5f, 0.26f, -0.5f));
        wfClothDef cloth = GridCloth(&grid, "sheet");
        wfColliderDef ball = wfDefaultColliderDef();
        const wfKey keys[] = {{0.2f, {0, 0, 0}, {0, 0, 0, 1}}, {0.25f, {0, -0.26f, 0.5f}, {0, 0, 0, 1}}};
        int held[13];
        for (int i = 0; i < 13; ++i) held[i] = i;
        wfPinDef pin = wfDefaultPinDef();
        pin.vertices = held;
        pin.vertexCount = 13;
        pin.keys = keys;
        pin.keyCount = 2;
        pin.interpolation = wf_interpolateLinear;
        wfScene* scene = scenes[k] = NewScene(device, &def);
        pin.cloth = AddCloth(scene, &cloth);
        AddCollider(scene, &ball);
        AddPin(scene, &pin);
        Commit(scene);
        FreeGrid(&grid);
        StepFrames(scene, 11);
        wfError err = {0};
        if (k == 1) {
            assert_false(wfScene_Step(scene, 0.2f, &err)); // held cloth goes into the ball
            assert_int_equal(err.code, wf_stepFailed);
            err = (wfError){0};
        }
        CHECK_OK(wfScene_Step(scene, 0.005f, &err), err);
    }
    CheckSameState(scenes[0], scenes[1]);
    wfDestroyScene(scenes[0]);
    wfDestroyScene(scenes[1]);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestGoesOnAfterFailure), cmocka_unit_test(TestInto), cmocka_unit_test(TestPasses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
