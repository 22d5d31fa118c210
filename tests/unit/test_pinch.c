// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene_fixture.h"

#include "contact/posed_body.h"
#include "math/vec.h"
#include "scene/scene.h"

#include <stdio.h>
#include <unistd.h>

// Cloth between two bodies that leave it no room: it is held, calm and free of crossings with itself, and comes out again.

static wfCertificate Certify(wfScene* scene) {
    wfError err = {0};
    wfCertificate c;
    CHECK_OK(wfScene_Certify(scene, true, &c, &err), err);
    return c;
}

static void AddBody(wfScene* scene, const char* name, wfShapeKind shape, const wfKey* keys, int count) {
    wfColliderDef def = wfDefaultColliderDef();
    strcpy(def.name, name);
    def.shape = shape;
    def.radius = 0.06f;
    def.size = wfMake3(0.1f, 0.1f, 0.08f);
    def.keys = keys;
    def.keyCount = count;
    AddCollider(scene, &def);
}

// A sheet held at its corners, with a second one of another size close above it where there are two layers.
static wfScene* OpenScene(wfDevice* device, int layers) {
    wfSceneDef def = wfDefaultSceneDef();
    def.frame_rate = 50.0f;
    def.gravity = wfMake3(0, 0, 0); // what moves was moved by the bodies
    wfScene* scene = NewScene(device, &def);
    for (int i = 0; i < layers; ++i) {
        int n = i == 0 ? 11 : 7;
        float size = i == 0 ? 0.3f : 0.17f;
        Grid grid = MakeGrid(n, n, size, size, wfMake3(-0.5f * size, 0.004f * (float)i, -0.5f * size));
        wfClothDef cloth = GridCloth(&grid, i == 0 ? "sheet" : "patch");
        cloth.fabric.thickness = 0.001f;
        wfClothId id = AddCloth(scene, &cloth);
        FreeGrid(&grid);
        if (i > 0) continue;
        const int corners[] = {0, n - 1, n * (n - 1), n * n - 1};
        wfPinDef pin = wfDefaultPinDef();
        pin.cloth = id;
        pin.vertices = corners;
        pin.vertexCount = 4;
        AddPin(scene, &pin);
    }
    return scene;
}

static const wfQuat s_straight = {0, 0, 0, 1};

// Two bodies close on it within 0.1 s until they overlap by 2 cm, stay to 0.2 s, and part until 0.3 s.
static wfScene* MakePinch(wfDevice* device, wfShapeKind shape, int layers) {
    wfScene* scene = OpenScene(device, layers);
    float half = shape == wf_shapeBox ? 0.05f : 0.06f, far = half + 0.02f, near = half - 0.01f;
    const wfKey above[] = {{0.0f, {0.01f, far, 0}, s_straight},
                           {0.1f, {0.01f, near, 0}, s_straight},
                           {0.2f, {0.01f, near, 0}, s_straight},
                           {0.3f, {0.01f, far, 0}, s_straight}};
    const wfKey below[] = {{0.0f, {-0.01f, -far, 0.005f}, s_straight},
                           {0.1f, {-0.01f, -near, 0.005f}, s_straight},
                           {0.2f, {-0.01f, -near, 0.005f}, s_straight},
                           {0.3f, {-0.01f, -far, 0.005f}, s_straight}};
    AddBody(scene, "above", shape, above, 4);
    AddBody(scene, "below", shape, below, 4);
    Commit(scene);
    return scene;
}

static void CheckPinch(wfDevice* device, wfShapeKind shape, int layers) {
    wfScene* scene = MakePinch(device, shape, layers);
    int most = 0, held = 0;
    double mass = 0.0;
    for (int v = 0; v < scene->model.vertexCount; ++v) mass += scene->model.mass[v];
    double calm = 0.5 * mass * 0.075 * 0.075; // [J] at a quarter of the speed at which the bodies came
    for (int frame = 1; frame <= 20; ++frame) {
        StepFrames(scene, 1);
        wfCertificate c = Certify(scene);
        if (c.intersectingPairs != 0) fail_msg("shape %d, frame %d: %lld pairs", (int)shape, frame, (long long)c.intersectingPairs);
        most = c.pinchedVertices > most ? c.pinchedVertices : most;
        held += c.pinchedVertices > 0;
        assert_true(c.worstStretch < 1.35f);
        if (c.pinchedVertices > 0) {
            assert_int_equal(c.pinchedCloth, 0);
            assert_int_equal(c.pinchedColliders[0], 0);
            assert_int_equal(c.pinchedColliders[1], 1);
        } else {
            assert_int_equal(c.pinchedCloth, -1);
            assert_int_equal(c.pinchedPairs, 0);
        }
        if (frame == 8 || frame == 9 || frame == 10) { // the bodies stand
            assert_true(c.pinchedVertices > 0 && c.pinchedPairs > 0);
            if (c.kineticEnergy > calm) fail_msg("shape %d, frame %d: %g J", (int)shape, frame, c.kineticEnergy);
        }
        if (frame >= 18) assert_int_equal(c.pinchedVertices, 0);
    }
    assert_true(most > 5 && held >= 6);
    wfDestroyScene(scene);
}

static void TestPinch(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    CheckPinch(device, wf_shapeSphere, 2);
    if (!WF_SLOW_BUILD) {
        CheckPinch(device, wf_shapeSphere, 1);
        CheckPinch(device, wf_shapeBox, 1);
    }
    wfDestroyDevice(device);
}

// One of the two goes away sideways and leaves the cloth in the other: it comes out by itself.
static void TestLeftBehind(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfScene* scene = OpenScene(device, 1);
    const wfKey above[] = {{0.0f, {0, 0.08f, 0}, s_straight}, {0.1f, {0, 0.05f, 0}, s_straight}};
    const wfKey below[] = {{0.0f, {0, -0.08f, 0}, s_straight},
                           {0.1f, {0, -0.05f, 0}, s_straight},
                           {0.2f, {0.09f, -0.05f, 0}, s_straight},
                           {0.3f, {0.09f, -0.2f, 0}, s_straight}};
    AddBody(scene, "above", wf_shapeSphere, above, 2);
    AddBody(scene, "below", wf_shapeSphere, below, 4);
    Commit(scene);
    int most = 0;
    for (int frame = 1; frame <= 30; ++frame) {
        StepFrames(scene, 1);
        wfCertificate c = Certify(scene);
        if (c.intersectingPairs != 0) fail_msg("frame %d: %lld pairs", frame, (long long)c.intersectingPairs);
        most = c.pinchedVertices > most ? c.pinchedVertices : most;
        if (frame == 30) assert_int_equal(c.pinchedVertices, 0);
    }
    assert_true(most > 0);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

// A body without an inside has no way out either: what is pressed through it would stay in it, and be stretched, for good.
static void TestOpenBody(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfScene* scene = OpenScene(device, 1);
    const wfKey above[] = {{0.0f, {0, 0.08f, 0}, s_straight}, {0.1f, {0, 0.04f, 0}, s_straight}, {0.2f, {0, 0.08f, 0}, s_straight}};
    AddBody(scene, "above", wf_shapeSphere, above, 3);
    Grid grid = MakeGrid(2, 2, 0.2f, 0.2f, wfMake3(-0.1f, -0.005f, -0.1f));
    wfColliderDef open = wfDefaultColliderDef();
    open.shape = wf_shapeMesh;
    open.mesh = GridCloth(&grid, "").mesh;
    AddCollider(scene, &open);
    Commit(scene);
    FreeGrid(&grid);
    wfError err = {0};
    while (wfScene_GetFrame(scene) < 12 && wfScene_StepFrame(scene, &err)) assert_int_equal(Certify(scene).pinchedVertices, 0);
    assert_int_equal(err.code, wf_stepFailed);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

static void TestSameBits(void** state) {
    (void)state;
    const char* path = "test_pinch.wck";
    wfDevice *one = OpenCpu(1), *two = OpenCpu(2);
    wfError err = {0};
    wfScene *whole = MakePinch(one, wf_shapeSphere, 1), *first = MakePinch(one, wf_shapeSphere, 1),
            *second = MakePinch(two, wf_shapeSphere, 1);
    StepFrames(first, 8);
    assert_true(Certify(first).pinchedVertices > 0);
    CHECK_OK(wfScene_SaveCheckpoint(first, path, &err), err);
    StepFrames(second, 12); // what was there is overwritten
    CHECK_OK(wfScene_LoadCheckpoint(second, path, &err), err);
    assert_int_equal(Certify(second).pinchedVertices, Certify(first).pinchedVertices);
    assert_int_equal(Certify(second).pinchedPairs, Certify(first).pinchedPairs);
    StepFrames(whole, 18);
    StepFrames(second, 10);
    CheckSameState(whole, second);
    // Back to before anything was pinched.
    wfScene* fresh = MakePinch(one, wf_shapeSphere, 1);
    CHECK_OK(wfScene_SaveCheckpoint(fresh, path, &err), err);
    CHECK_OK(wfScene_LoadCheckpoint(first, path, &err), err);
    assert_int_equal(Certify(first).pinchedVertices, 0);
    StepFrames(first, 18);
    CheckSameState(whole, first);
    unlink(path);
    wfScene* scenes[] = {whole, first, second, fresh};
    for (int i = 0; i < 4; ++i) wfDestroyScene(scenes[i]);
    wfDestroyDevice(one);
    wfDestroyDevice(two);
}

// ---- a step that is refused -----------------------------------------------------------------------------------------------------

// A sheet that drifts in air, and two balls that close on it.
static wfScene* MakeDrift(wfDevice* device, wfIntegrator integrator) {
    wfSceneDef def = wfDefaultSceneDef();
    def.air_density = 1.2f;
    def.integrator = integrator;
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(8, 8, 0.3f, 0.3f, wfMake3(-0.15f, 0.0f, -0.15f));
    wfClothDef cloth = GridCloth(&grid, "sheet");
    cloth.velocity = wfMake3(0.5f, 0.3f, 0);
    AddCloth(scene, &cloth);
    FreeGrid(&grid);
    const wfKey above[] = {{0.0f, {0, 0.08f, 0}, s_straight}, {0.1f, {0, 0.04f, 0}, s_straight}};
    const wfKey below[] = {{0.0f, {0, -0.08f, 0}, s_straight}, {0.1f, {0, -0.04f, 0}, s_straight}};
    AddBody(scene, "above", wf_shapeSphere, above, 2);
    AddBody(scene, "below", wf_shapeSphere, below, 2);
    Commit(scene);
    return scene;
}

static wfStepVerdict Step(wfScene* scene, float dt, bool mayShorten) {
    wfError err = {0};
    wfScene_MoveShapes(scene, scene->time, scene->time + dt);
    wfScene_MoveBodies(scene, scene->time, scene->time + dt);
    wfScene_MovePins(scene, scene->time, scene->time + dt);
    wfStepContext ctx = wfScene_Context(scene, scene->time, dt);
    ctx.mayShorten = mayShorten;
    wfStepVerdict verdict = wf_stepAgain;
    while (verdict == wf_stepAgain) verdict = scene->stepper->step(&scene->parts, &ctx, &err);
    if (verdict == wf_stepTaken) scene->time += dt;
    return verdict;
}

static void TestRefusedStep(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    const float dt = 0.001f;
    for (int k = 0; k < 2; ++k) {
        wfIntegrator integrator = k == 0 ? wf_integrateEuler : wf_integrateBdf2;
        wfScene *refused = MakeDrift(device, integrator), *other = MakeDrift(device, integrator);
        int tries = 0;
        for (;; ++tries) {
            if (Step(refused, dt, true) == wf_stepTooLong) break;
            assert_true(Step(other, dt, false) == wf_stepTaken);
            assert_true(tries < 100);
        }
        assert_true(tries > 0);
        CheckSameState(refused, other); // x and v as they were
        assert_true(refused->state.historyDt == 0.0f && refused->state.pinchedCount == 0);
        other->state.historyDt = 0.0f;
        assert_true(Step(refused, dt, false) == wf_stepTaken && Step(other, dt, false) == wf_stepTaken);
        CheckSameState(refused, other);
        assert_true(refused->state.pinchedCount > 0); // which took the step again
        wfDestroyScene(refused);
        wfDestroyScene(other);
    }
    wfDestroyDevice(device);
}

// ---- bodies -----------------------------------------------------------------------------------------------------------------------

// A cube against its exact shape.
static void TestPosedBody(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfScene* scene = OpenScene(device, 1);
    const wfKey place = {0.0f, {0.02f, 0.2f, 0.01f}, {0, 0.6f, 0, 0.8f}}, floor = {0.0f, {0, -0.3f, 0}, s_straight};
    AddBody(scene, "box", wf_shapeBox, &place, 1);
    AddBody(scene, "floor", wf_shapePlane, &floor, 1);
    Commit(scene);
    wfScene_MoveBodies(scene, 0.0, 0.01);
    const wfColliderSet* set = &scene->colliderSet;
    wfVec3 positions[256];
    assert_true(set->vertexCount <= 256);
    for (int v = 0; v < set->vertexCount; ++v) positions[v] = wfXyz(scene->bodyPositions[v]);
    wfArena arena = {0};
    wfError err = {0};
    for (int b = 0; b < 2; ++b) {
        wfPosedBody body;
        CHECK_OK(wfPosedBody_Create(&body, set, b, positions, &arena, &err), err);
        wfShape shape = scene->shapes[b];
        wfPose pose = set->bodies[b].start;
        for (int i = 0; i < 500; ++i) {
            wfVec3 p = wfMake3(0.02f + 0.01f * (float)(i % 21 - 10), (b == 0 ? 0.2f : -0.3f) + 0.011f * (float)(i % 17 - 8),
                               0.01f + 0.012f * (float)(i % 13 - 6)),
                   normal;
            float distance = wfShape_Distance(&shape, wfPose_Unapply(pose, p), &normal);
            if (fabsf(distance) < 1e-6f) continue;
            assert_int_equal(wfPosedBody_Contains(&body, p), distance < 0.0f);
            CHECK_NEAR(wfDistance(wfPosedBody_Nearest(&body, p).point, p), fabsf(distance), 1e-6);
            wfVec3 triangle[3] = {p, p, p};
            float far = b == 0 || distance > 0.0f ? fabsf(distance) : 0.0f; // below a plane there is no outside
            CHECK_NEAR(wfPosedBody_TriangleDistance(&body, triangle, 1.0f), far, 1e-6);
            CHECK_NEAR(wfPosedBody_TriangleDistance(&body, triangle, 1e-3f), fminf(far, 1e-3f), 1e-6);
            triangle[1] = wfMulAdd(p, -2.0f * distance, wfRotate(pose.rotate, normal)); // to the other side
            assert_true(wfPosedBody_TriangleDistance(&body, triangle, 1.0f) == 0.0f);
        }
    }
    wfArena_Free(&arena);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestPosedBody),  cmocka_unit_test(TestRefusedStep), cmocka_unit_test(TestPinch),
        cmocka_unit_test(TestLeftBehind), cmocka_unit_test(TestOpenBody),    cmocka_unit_test(TestSameBits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
