// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include "scene_fixture.h"

#include "scene/scene.h"

// The frame loop: commit, steps, pins, colliders that move, the preroll, cancel, faults, certificates.

// A sheet above a ball, held at two corners: by a pin that stays and by a spring.
static wfScene* MakeDrape(wfDevice* device, int n, const char* contact) {
    wfSceneDef def = wfDefaultSceneDef();
    snprintf(def.contact, sizeof def.contact, "%s", contact);
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(n, n, 1.0f, 1.0f, wfMake3(-0.5f, 0.26f, -0.5f));
    wfClothDef cloth = GridCloth(&grid, "sheet");
    wfClothId sheet = AddCloth(scene, &cloth);
    FreeGrid(&grid);
    wfColliderDef ball = wfDefaultColliderDef();
    const wfKey keys[] = {{0.0f, {0, 0, 0}, {0, 0, 0, 1}}, {0.2f, {0.1f, 0.05f, 0}, wfQuatAxisAngle(wfMake3(0, 1, 0), 1.0f)}};
    ball.keys = keys;
    ball.keyCount = 2;
    AddCollider(scene, &ball);
    wfPinDef pin = wfDefaultPinDef();
    pin.cloth = sheet;
    pin.vertices = (const int[]){0};
    pin.vertexCount = 1;
    AddPin(scene, &pin);
    pin.vertices = (const int[]){n - 1};
    pin.stiffness = 50.0f;
    AddPin(scene, &pin);
    Commit(scene);
    return scene;
}

static void TestSameBitsForOneAndTwoThreads(void** state) {
    (void)state;
    int frames = WF_SLOW_BUILD ? 3 : 7;
    wfDevice *one = OpenCpu(1), *two = OpenCpu(2);
    wfScene *a = MakeDrape(one, 66, "project"), *b = MakeDrape(two, 66, "project"),
            *c = MakeDrape(two, 66, "project"); // 4356 vertices: above two grains
    StepFrames(a, frames);
    StepFrames(b, frames);
    StepFrames(c, frames);
    CheckSameState(a, b);
    CheckSameState(b, c);
    wfCertificate p, q;
    wfError err = {0};
    CHECK_OK(wfScene_Certify(a, true, &p, &err), err);
    CHECK_OK(wfScene_Certify(b, true, &q, &err), err);
    assert_true(p.contacts > 0); // or the scene would show little
    assert_int_equal(p.contacts, q.contacts);
    assert_int_equal(p.intersectingPairs, q.intersectingPairs);
    assert_true(p.kineticEnergy == q.kineticEnergy && p.elasticEnergy == q.elasticEnergy && p.gravityEnergy == q.gravityEnergy);
    assert_true(p.worstStretch == q.worstStretch && p.worstStretchVertex == q.worstStretchVertex);
    wfDestroyScene(a);
    wfDestroyScene(b);
    wfDestroyScene(c);
    wfDestroyDevice(one);
    wfDestroyDevice(two);
}

static void TestWarmStepAllocatesNothing(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    wfScene* scene = MakeDrape(device, 20, "project");
    wfCertificate certificate;
    wfError err = {0};
    StepFrames(scene, 1);
    CHECK_OK(wfScene_Certify(scene, true, &certificate, &err), err);
    int64_t warm = wfDevice_GetAllocCount(device);
    size_t memory = wfDevice_GetMemory(device);
    for (int i = 0; i < 20; ++i) {
        StepFrames(scene, 1);
        CHECK_OK(wfScene_Certify(scene, true, &certificate, &err), err);
    }
    assert_int_equal(wfDevice_GetAllocCount(device), warm);
    assert_int_equal(wfDevice_GetMemory(device), memory);
    wfDestroyScene(scene);
    assert_true(wfDevice_GetMemory(device) < 1024); // the device's own
    wfDestroyDevice(device);
}

static bool StopAt(void* user, int64_t step, double time) {
    (void)time;
    return step != *(int64_t*)user;
}

static void TestCancelInTheMiddle(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfScene *a = MakeDrape(device, 12, "project"), *b = MakeDrape(device, 12, "project");
    int64_t stop = 10; // in the middle of frame 3, of 4 steps each
    wfError err = {0};
    wfScene_SetProgress(a, StopAt, &stop);
    StepFrames(a, 2);
    CHECK_FAILS(wfScene_StepFrame(a, &err), err, "cancelled after step 10, at 0.0416667 s");
    assert_int_equal(err.code, wf_cancelled);
    assert_int_equal(wfScene_GetFrame(a), 2);
    CHECK_NEAR(wfScene_GetTime(a), 10.0 / 240.0, 1e-12);
    // The state is that of ten whole steps …
    err = (wfError){0};
    for (int i = 0; i < 10; ++i) CHECK_OK(wfScene_Step(b, 1.0f / 240.0f, &err), err);
    wfScene* c = MakeDrape(device, 12, "project");
    StepFrames(c, 2);
    assert_int_equal(wfScene_GetFrame(b), 2);
    // … and going on from it gives the same bits as never having stopped.
    wfScene_SetProgress(a, NULL, NULL);
    StepFrames(a, 3);
    StepFrames(c, 3);
    assert_int_equal(wfScene_GetFrame(a), 5);
    assert_true(wfScene_GetTime(a) == wfScene_GetTime(c));
    CheckSameState(a, c);
    wfDestroyScene(a);
    wfDestroyScene(b);
    wfDestroyScene(c);
    wfDestroyDevice(device);
}

// ---- commit -------------------------------------------------------------------------------------------------------------------

typedef void (*Change)(wfSceneDef* scene, wfClothDef* cloth);
static void UnknownDynamics(wfSceneDef* scene, wfClothDef* cloth) {
    (void)cloth;
    strcpy(scene->dynamics, "xpdb");
}
static void UnknownContact(wfSceneDef* scene, wfClothDef* cloth) {
    (void)cloth;
    strcpy(scene->contact, "magic");
}
static void UnknownStepper(wfSceneDef* scene, wfClothDef* cloth) {
    (void)cloth;
    strcpy(scene->stepper, "sideways");
}
static void LooseVertex(wfSceneDef* scene, wfClothDef* cloth) {
    (void)scene;
    cloth->mesh.triangleCount = 6; // of 8: the last corner is left out
}
static float s_bad[27];
static void NotFinite(wfSceneDef* scene, wfClothDef* cloth) {
    (void)scene;
    memcpy(s_bad, cloth->mesh.positions, sizeof s_bad);
    s_bad[3 * 5 + 1] = NAN;
    cloth->mesh.positions = s_bad;
}
static void NoArea(wfSceneDef* scene, wfClothDef* cloth) {
    (void)scene;
    memcpy(s_bad, cloth->mesh.positions, sizeof s_bad);
    for (int i = 0; i < 9; ++i) s_bad[3 * i + 2] = 0.0f;
    cloth->mesh.positions = s_bad;
}
static int s_badTriangles[24];
static void Twice(wfSceneDef* scene, wfClothDef* cloth) {
    (void)scene;
    memcpy(s_badTriangles, cloth->mesh.triangles, sizeof s_badTriangles);
    int swap = s_badTriangles[0];
    s_badTriangles[0] = s_badTriangles[1];
    s_badTriangles[1] = swap;
    cloth->mesh.triangles = s_badTriangles;
}

static void TestCommitErrors(void** state) {
    (void)state;
    static const struct {
        Change change;
        const char* message; // beginning
    } cases[] = {
        {UnknownDynamics, "scene: dynamics: unknown name \"xpdb\"; known: chebyshev"},
        {UnknownContact, "scene: contact: unknown name \"magic\"; known: impulse, repulsion, untangle, project, none"},
        {UnknownStepper, "scene: stepper: unknown name \"sideways\"; known: impulse, sequential"},
        {LooseVertex, "cloth \"sheet\": vertex 8 belongs to no triangle"},
        {NotFinite, "cloth \"sheet\": "},
        {NoArea, "cloth \"sheet\": the rest shape of triangle 0 has no area"},
        {Twice, "cloth \"sheet\": "},
    };
    wfDevice* device = OpenCpu(1);
    wfError err = {0};
    Grid grid = MakeGrid(3, 3, 1.0f, 1.0f, wfMake3(0, 0, 0));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        wfSceneDef def = wfDefaultSceneDef();
        wfClothDef cloth = GridCloth(&grid, "sheet");
        cases[i].change(&def, &cloth);
        wfScene* scene = NewScene(device, &def);
        AddCloth(scene, &cloth);
        err = (wfError){0};
        assert_false(wfScene_Commit(scene, &err));
        assert_int_equal(err.code, wf_badInput);
        if (strncmp(err.text, cases[i].message, strlen(cases[i].message)) != 0)
            fail_msg("\"%s\", expected \"%s\"", err.text, cases[i].message);
        assert_true(strlen(err.text) > strlen("cloth \"sheet\": "));
        CHECK_FAILS(wfScene_Commit(scene, &err), err, "scene: its commit has failed before");
        CHECK_FAILS(wfScene_StepFrame(scene, &err), err, "wfScene_StepFrame: the scene has not been committed");
        wfDestroyScene(scene);
    }
    wfSceneDef def = wfDefaultSceneDef();
    wfScene* scene = NewScene(device, &def);
    CHECK_FAILS(wfScene_StepFrame(scene, &err), err, "wfScene_StepFrame: the scene has not been committed");
    CHECK_FAILS(wfScene_Commit(scene, &err), err, "scene: expected at least one cloth, got none");
    wfDestroyScene(scene);

    scene = NewScene(device, &def);
    wfClothDef cloth = GridCloth(&grid, "");
    wfClothId id = AddCloth(scene, &cloth);
    Commit(scene);
    CHECK_FAILS(wfScene_Commit(scene, &err), err, "scene: it is committed already");
    CHECK_FAILS(!WF_ID_IS_NULL(wfCreateCloth(scene, &cloth, &err)), err,
                "cloth: the scene is committed; nothing can be created in it any more");
    wfPinDef pin = wfDefaultPinDef();
    pin.cloth = id;
    CHECK_FAILS(!WF_ID_IS_NULL(wfCreatePin(scene, &pin, &err)), err, "pin: the scene is committed; nothing can be created in it any more");
    CHECK_FAILS(wfScene_Step(scene, -1.0f, &err), err, "wfScene_Step: seconds: expected a number above 0 and up to 1e6, got -1");
    CHECK_FAILS(wfScene_Step(scene, NAN, &err), err, "wfScene_Step: seconds: expected a number above 0 and up to 1e6, got nan");
    assert_memory_equal(wfCloth_GetTriangles(scene, id), grid.triangles, 24 * sizeof(int));
    wfDestroyScene(scene);
    FreeGrid(&grid);
    assert_true(wfDevice_GetMemory(device) < 1024);
    wfDestroyDevice(device);
}

// ---- pins ---------------------------------------------------------------------------------------------------------------------

static void TestPins(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = wfDefaultSceneDef();
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(6, 6, 0.5f, 0.5f, wfMake3(0.3f, 0.7f, -0.2f));
    wfClothDef cloth = GridCloth(&grid, "a");
    wfClothId first = AddCloth(scene, &cloth);
    for (int i = 0; i < 36; ++i) grid.positions[3 * i] += 1.0f;
    cloth = GridCloth(&grid, "b");
    wfClothId b = AddCloth(scene, &cloth);

    const wfKey path[] = {{0.0f, {0, 0, 0}, {0, 0, 0, 1}}, {0.5f, {0.1f, 0.2f, 0}, wfQuatAxisAngle(wfMake3(0, 0, 1), 1.5707963f)}};
    wfColliderDef handle = wfDefaultColliderDef();
    const wfKey moved[] = {{-1.0f, {5, 5, 5}, {0, 1, 0, 0}}, {0.0f, {2, 1, 0}, {0, 0, 0, 1}}, {0.5f, {2, 1.5f, 0}, {0, 0, 0, 1}}};
    handle.keys = moved;
    handle.keyCount = 3;
    handle.interpolation = wf_interpolateLinear;
    handle.radius = 1e-3f;
    wfColliderId collider = AddCollider(scene, &handle);
    wfPinDef pin = wfDefaultPinDef();
    pin.cloth = b;
    pin.vertexCount = 2;
    pin.vertices = (const int[]){0, 0}; // named twice
    AddPin(scene, &pin);                // stays
    pin.vertexCount = 1;
    pin.vertices = (const int[]){5};
    pin.keys = path;
    pin.keyCount = 2;
    pin.interpolation = wf_interpolateLinear;
    pin.center = wfMake3(1.3f, 0.7f, -0.2f); // where vertex 0 of b is; vertex 5 is 0.5 m along x
    AddPin(scene, &pin);
    pin.keyCount = 0;
    pin.follow = collider;
    pin.vertices = (const int[]){30};
    AddPin(scene, &pin);
    pin.follow = wf_nullCollider;
    pin.cloth = first;
    pin.vertices = (const int[]){35};
    pin.release = 0.25f;
    AddPin(scene, &pin);
    pin.cloth = b;
    pin.release = -1.0f;
    pin.vertices = (const int[]){0}; // a spring on a vertex that is held does nothing
    pin.stiffness = 1e6f;
    AddPin(scene, &pin);
    Commit(scene);

    wfVec3 corner = ReadVertex(scene, b, 0), free35 = ReadVertex(scene, first, 35), follower = ReadVertex(scene, b, 30);
    StepFrames(scene, 15); // 0.25 s
    wfVec3 p = ReadVertex(scene, b, 0);
    assert_memory_equal(&p, &corner, sizeof p); // held is held, to the bit
    p = ReadVertex(scene, first, 35);
    assert_memory_equal(&p, &free35, sizeof p);
    p = ReadVertex(scene, b, 30);
    CHECK_NEAR(p.y - follower.y, 0.25, 1e-6);
    p = ReadVertex(scene, b, 5); // half way: 45 degrees about the corner, and half the shift
    CHECK_NEAR(p.x, 1.3 + 0.5 * sqrt(0.5) + 0.05, 1e-6);
    CHECK_NEAR(p.y, 0.7 + 0.5 * sqrt(0.5) + 0.1, 1e-6);
    StepFrames(scene, 15);
    p = ReadVertex(scene, first, 35);
    assert_true(p.y < free35.y - 0.1f); // let go at 0.25 s
    p = ReadVertex(scene, b, 30);
    CHECK_NEAR(p.y - follower.y, 0.5, 1e-6);
    CHECK_NEAR(p.x, follower.x, 1e-6);
    p = ReadVertex(scene, b, 5);
    CHECK_NEAR(p.x, 1.3 + 0.1, 1e-6);
    CHECK_NEAR(p.y, 0.7 + 0.5 + 0.2, 1e-6);
    FreeGrid(&grid);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

static void TestSoftPinHangsAsASpring(void** state) {
    (void)state;
    // Every vertex on a spring; drag lets it come to rest. At height 0, where single precision has room: at height 1 a step of g dt^2 is
    // 0.17 mm, rounded to 0.06 um, and the sheet hangs 0.2 % low.
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = wfDefaultSceneDef();
    def.air_drag = 5.0f;
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(4, 4, 0.3f, 0.3f, wfMake3(0, 0, 0));
    wfClothDef cloth = GridCloth(&grid, "a");
    wfClothId id = AddCloth(scene, &cloth);
    int all[16];
    for (int i = 0; i < 16; ++i) all[i] = i;
    wfPinDef pin = wfDefaultPinDef();
    pin.cloth = id;
    pin.vertices = all;
    pin.vertexCount = 16;
    pin.stiffness = 0.5f;
    AddPin(scene, &pin);
    Commit(scene);
    StepFrames(scene, 240);
    // The whole hangs as one: sum of -k y = total weight, whatever the sheet's own springs share out.
    double sum = 0.0, weight = 0.3 * 0.3 * 0.2 * 9.81;
    for (int i = 0; i < 16; ++i) sum += -0.5 * ReadVertex(scene, id, i).y;
    CHECK_NEAR(sum, weight, 2e-4 * weight); // what is left of the swing after 4 s, and rounding
    FreeGrid(&grid);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

// ---- preroll ------------------------------------------------------------------------------------------------------------------

static void TestPreroll(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = wfDefaultSceneDef();
    def.preroll = 0.1f;
    wfScene *a = NewScene(device, &def), *b = NewScene(device, &def);
    Grid grid = MakeGrid(4, 4, 0.3f, 0.3f, wfMake3(0, 1, 0));
    const wfKey keys[] = {{-5.0f, {9, 9, 9}, {0, 0, 0, 1}}, {0.0f, {0, 2, 0}, {0, 0, 0, 1}}, {1.0f, {3, 2, 0}, {0, 0, 0, 1}}};
    wfScene* scenes[] = {a, b};
    wfClothId id = wf_nullCloth;
    wfColliderId ball = wf_nullCollider;
    for (int i = 0; i < 2; ++i) {
        wfClothDef cloth = GridCloth(&grid, "a");
        id = AddCloth(scenes[i], &cloth);
        wfColliderDef collider = wfDefaultColliderDef();
        collider.keys = keys;
        collider.keyCount = 3;
        collider.radius = 1e-3f;
        collider.interpolation = wf_interpolateLinear;
        ball = AddCollider(scenes[i], &collider);
        Commit(scenes[i]);
    }
    wfError err = {0};
    CHECK_NEAR(wfScene_GetTime(b), -0.1, 1e-8);
    assert_int_equal(wfScene_GetFrame(b), 0);
    int count = wfCollider_GetVertexCount(b, ball);
    float* mesh = malloc(3 * (size_t)count * sizeof(float));
    CHECK_OK(wfScene_Step(b, 0.05f, &err), err);
    CHECK_NEAR(wfScene_GetTime(b), -0.05, 1e-8);
    CHECK_OK(wfCollider_ReadPositions(b, ball, mesh, 12, &err), err);
    CHECK_NEAR(mesh[0], 0.0, 1.1e-3); // held where it is at time 0
    int64_t stop = 13;
    wfScene_SetProgress(b, StopAt, &stop);
    CHECK_FAILS(wfScene_Preroll(b, &err), err, "cancelled after step 13, at -0.035 s");
    wfScene_SetProgress(b, NULL, NULL);
    err = (wfError){0};
    CHECK_OK(wfScene_Preroll(b, &err), err);
    assert_true(wfScene_GetTime(b) == 0.0);
    assert_int_equal(wfScene_GetFrame(b), 0);
    // Implicit Euler falls g dt^2 n (n + 1) / 2 in n = 20 steps.
    wfVec3 free16 = ReadVertex(scenes[1], wfScene_GetCloth(b, 0), 15);
    CHECK_NEAR(1.0 - free16.y, 9.81 * 0.005 * 0.005 * 20 * 21 / 2, 1e-5);
    CHECK_OK(wfScene_Preroll(b, &err), err); // has run
    assert_true(wfScene_GetTime(b) == 0.0);
    StepFrames(a, 2); // runs it by itself
    StepFrames(b, 2);
    assert_int_equal(wfScene_GetFrame(a), 2);
    CHECK_NEAR(wfScene_GetTime(a), 2.0 / 60.0, 1e-12);
    CheckSameState(a, b);
    CHECK_OK(wfCollider_ReadPositions(b, ball, mesh, 12, &err), err);
    CHECK_NEAR(mesh[0], 0.1, 1.1e-3);
    free(mesh);
    (void)id;
    FreeGrid(&grid);
    wfDestroyScene(a);
    wfDestroyScene(b);
    wfDestroyDevice(device);
}

// ---- faults -------------------------------------------------------------------------------------------------------------------

typedef struct Poison {
    wfScene* scene;
    struct {
        int64_t step;
        int vertex; // of the model
    } doses[2];
} Poison;

static bool Spoil(void* user, int64_t step, double time) {
    (void)time;
    Poison* p = user;
    for (int i = 0; i < 2; ++i) {
        wfVec4 bad = {NAN, 0, 0, 1};
        if (step == p->doses[i].step) wfUploadRange(p->scene->device, &p->scene->state.x, (size_t)p->doses[i].vertex, &bad, 1);
    }
    return true;
}

static void TestFaultNamesTheFirstAndRestores(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    wfSceneDef def = wfDefaultSceneDef();
    def.preroll = 0.01f;
    wfScene *a = NewScene(device, &def), *b = NewScene(device, &def);
    wfScene* scenes[] = {a, b};
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 3; ++k) {
            Grid grid = MakeGrid(4, 4, 0.3f, 0.3f, wfMake3((float)k, 1, 0));
            wfClothDef cloth = GridCloth(&grid, k == 0 ? "left" : k == 1 ? "sheet" : "right");
            AddCloth(scenes[i], &cloth);
            FreeGrid(&grid);
        }
        Commit(scenes[i]);
    }
    wfError err = {0};
    Poison poison = {a, {{1, 16}, {-1, 0}}};
    wfScene_SetProgress(a, Spoil, &poison);
    CHECK_FAILS(wfScene_StepFrame(a, &err), err, "preroll: cloth \"sheet\", vertex 0: position is not finite after dynamics \"chebyshev\"");
    assert_int_equal(err.code, wf_stepFailed);
    CHECK_NEAR(wfScene_GetTime(a), -0.01, 1e-8);
    wfScene_SetProgress(a, NULL, NULL);
    StepFrames(a, 36);
    StepFrames(b, 36);
    // "sheet" goes wrong a step before "left", which has the lower numbers.
    poison = (Poison){a, {{2 + 36 * 4 + 1, 16}, {2 + 36 * 4 + 2, 3}}};
    wfScene_SetProgress(a, Spoil, &poison);
    CHECK_FAILS(wfScene_StepFrame(a, &err), err,
                "frame 37: cloth \"sheet\", vertex 0: position is not finite after dynamics \"chebyshev\"");
    assert_int_equal(wfScene_GetFrame(a), 36);
    CheckSameState(a, b);
    CHECK_FAILS(wfScene_Step(a, 1.0f / 60.0f, &err), err,
                "frame 37: cloth \"sheet\", vertex 0: position is not finite after dynamics \"chebyshev\"");
    wfScene_SetProgress(a, NULL, NULL);
    StepFrames(a, 2); // nothing of it is left
    StepFrames(b, 2);
    CheckSameState(a, b);
    wfDestroyScene(a);
    wfDestroyScene(b);
    wfDestroyDevice(device);
}

// ---- certificate --------------------------------------------------------------------------------------------------------------

static void TestCertificateAgainstTheSlowWay(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    wfScene* scene = MakeDrape(device, 16, "project");
    wfCertificate c;
    wfError err = {0};
    CHECK_OK(wfScene_Certify(scene, false, &c, &err), err);
    assert_int_equal(c.contacts, -1); // nobody has looked
    assert_int_equal(c.intersectingPairs, -1);
    assert_int_equal(c.stepCount, 0);
    assert_false(c.selfContact);
    assert_false(c.meshContact);
    CHECK_NEAR(c.worstStretch, 1.0, 1e-5);
    StepFrames(scene, 9);
    CHECK_OK(wfScene_Certify(scene, true, &c, &err), err);
    assert_int_equal(c.frame, 9);
    assert_int_equal(c.stepCount, 36);
    CHECK_NEAR(c.time, 0.15, 1e-12);
    assert_true(c.contacts > 0);
    assert_true(c.intersectingPairs >= 0);
    assert_true(c.stageSeconds[wf_stageDynamics] > 0.0);
    assert_true(c.stageSeconds[wf_stageCheck] > 0.0);
    size_t n;
    float* s = ReadState(scene, &n);
    double kinetic = 0.0, potential = 0.0, stretch = 0.0;
    const wfModel* m = &scene->model;
    int worst = -1;
    for (int i = 0; i < m->vertexCount; ++i) {
        const float *p = s + 6 * i, *v = p + 3;
        kinetic += 0.5 * m->mass[i] * ((double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2]);
        potential += 9.81 * m->mass[i] * p[1];
    }
    for (int t = 0; t < m->triangleCount; ++t) {
        for (int k = 0; k < 3; ++k) {
            int i = m->triangles[t].v[k], j = m->triangles[t].v[(k + 1) % 3];
            double now = sqrt(pow(s[6 * i] - s[6 * j], 2) + pow(s[6 * i + 1] - s[6 * j + 1], 2) + pow(s[6 * i + 2] - s[6 * j + 2], 2));
            double rest = hypot((i % 16 - j % 16) / 15.0, (i / 16 - j / 16) / 15.0);
            if (now / rest > stretch) {
                stretch = now / rest;
                worst = i < j ? i : j;
            }
        }
    }
    CHECK_NEAR(c.kineticEnergy, kinetic, 1e-5 * kinetic);
    CHECK_NEAR(c.gravityEnergy, potential, 1e-5 * potential);
    CHECK_NEAR(c.worstStretch, stretch, 1e-5);
    assert_int_equal(c.worstStretchCloth, 0);
    assert_int_equal(c.worstStretchVertex, worst);
    double mass = 0.0;
    for (int i = 0; i < m->vertexCount; ++i) mass += m->mass[i];
    CHECK_NEAR(mass, 0.2, 1e-5); // one square metre of 0.2 kg/m^2
    free(s);
    CHECK_OK(wfScene_Certify(scene, false, &c, &err), err);
    assert_int_equal(c.stepCount, 0);
    assert_int_equal(c.intersectingPairs, -1);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

static void TestIntersectionsAreCounted(void** state) {
    (void)state;
    // Two triangles of different cloths that cross, and a mesh collider that crosses the first; the two colliders cross each other
    // too, which does not count.
    const float flat[] = {0, 0, 0, 1, 0, 0, 0, 0, -1}, upright[] = {0.2f, -0.5f, -0.2f, 0.3f, 0.5f, -0.2f, 0.2f, 0.5f, -0.3f};
    const float away[] = {5, 0, 0, 6, 0, 0, 5, 0, -1};
    const int triangle[] = {0, 1, 2};
    wfDevice* device = OpenCpu(1);
    for (int crossing = 0; crossing < 2; ++crossing) {
        wfSceneDef def = wfDefaultSceneDef();
        strcpy(def.contact, "project");
        wfScene* scene = NewScene(device, &def);
        wfClothDef cloth = wfDefaultClothDef();
        cloth.mesh = (wfMeshView){.positions = flat, .vertexCount = 3, .triangles = triangle, .triangleCount = 1};
        AddCloth(scene, &cloth);
        cloth.mesh.positions = crossing ? upright : away;
        AddCloth(scene, &cloth);
        wfColliderDef collider = wfDefaultColliderDef();
        collider.shape = wf_shapeMesh;
        collider.mesh = (wfMeshView){.positions = crossing ? upright : away, .vertexCount = 3, .triangles = triangle, .triangleCount = 1};
        const wfKey shift = {0, {-0.05f, 0, crossing ? -0.1f : -9.0f}, {0, 0, 0, 1}};
        collider.keys = &shift;
        collider.keyCount = 1;
        AddCollider(scene, &collider);
        if (!crossing) AddCollider(scene, &collider);
        Commit(scene);
        wfCertificate c;
        wfError err = {0};
        CHECK_OK(wfScene_Certify(scene, true, &c, &err), err);
        assert_int_equal(c.intersectingPairs, crossing ? 2 : 0);
        wfDestroyScene(scene);
    }
    wfDestroyDevice(device);
}

// ---- colliders ----------------------------------------------------------------------------------------------------------------

static void TestColliderMeshes(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = wfDefaultSceneDef();
    strcpy(def.contact, "project");
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(3, 3, 1.0f, 1.0f, wfMake3(0, 50, 0));
    wfClothDef cloth = GridCloth(&grid, "a");
    AddCloth(scene, &cloth);
    const wfKey key = {0, {1, 2, 3}, {0, 0, 0.70710678f, 0.70710678f}}; // a quarter turn about z
    wfColliderId ids[5];
    for (int k = 0; k < 5; ++k) {
        wfColliderDef collider = wfDefaultColliderDef();
        collider.shape = (wfShapeKind)k;
        collider.size = wfMake3(2.0f, 3.0f, 4.0f);
        collider.radius = 0.5f;
        collider.keys = &key;
        collider.keyCount = 1;
        float sequence[2 * 27];
        for (int i = 0; i < 27; ++i) {
            sequence[i] = 0.0f;
            sequence[27 + i] = 6.0f;
        }
        if (k == wf_shapeMesh) {
            collider.mesh = cloth.mesh;
            collider.sequence = sequence;
            collider.sequenceCount = 2;
            collider.sequenceRate = 30.0f; // frame 1 of the sequence is frame 2 of the scene
        }
        ids[k] = AddCollider(scene, &collider);
    }
    Commit(scene);
    StepFrames(scene, 1);
    assert_int_equal(wfCollider_GetVertexCount(scene, ids[wf_shapePlane]), 4);
    assert_int_equal(wfCollider_GetTriangleCount(scene, ids[wf_shapePlane]), 2);
    for (int k = 0; k < 5; ++k) {
        int n = wfCollider_GetVertexCount(scene, ids[k]);
        assert_true(n >= 4 && wfCollider_GetTriangleCount(scene, ids[k]) >= 2);
        assert_non_null(wfCollider_GetTriangles(scene, ids[k]));
        wfVec4* p = malloc((size_t)n * sizeof *p);
        wfError err = {0};
        CHECK_OK(wfCollider_ReadPositions(scene, ids[k], &p[0].x, sizeof *p, &err), err);
        wfVec3 lo = wfMake3(1e9f, 1e9f, 1e9f), hi = wfMake3(-1e9f, -1e9f, -1e9f);
        for (int i = 0; i < n; ++i) {
            lo = wfMin3(lo, wfXyz(p[i]));
            hi = wfMax3(hi, wfXyz(p[i]));
            if (k == wf_shapeSphere) CHECK_NEAR(wfDistance(wfXyz(p[i]), wfMake3(1, 2, 3)), 0.5, 1e-5);
        }
        // x of the shape points along y now, y along -x. The sphere's mesh may miss the extreme points by the sagitta of an edge.
        static const float half[5][3] = {{0, 1, 2}, {0.5f, 0.5f, 0.5f}, {1.5f, 1, 2}, {2, 0.5f, 0.5f}, {0, 0, 0}};
        wfVec3 center = k == wf_shapeMesh ? wfMake3(1 - 3, 2 + 3, 3 + 3) : wfMake3(1, 2, 3);
        CHECK_NEAR(lo.x, center.x - half[k][0], 1e-3);
        CHECK_NEAR(hi.x, center.x + half[k][0], 1e-3);
        CHECK_NEAR(lo.y, center.y - half[k][1], 1e-3);
        CHECK_NEAR(hi.y, center.y + half[k][1], 1e-3);
        CHECK_NEAR(lo.z, center.z - half[k][2], 1e-3);
        CHECK_NEAR(hi.z, center.z + half[k][2], 1e-3);
        free(p);
    }
    FreeGrid(&grid);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

/// A cloth's mass is its area times density, whichever way it is spread over the vertices.
static void TestMasses(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = wfDefaultSceneDef();
    strcpy(def.contact, "project");
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(5, 4, 0.4f, 0.3f, wfMake3(0, 1, 0));
    wfClothDef cloth = GridCloth(&grid, "by area");
    cloth.fabric.density = 0.25f;
    AddCloth(scene, &cloth);
    cloth = GridCloth(&grid, "equal");
    cloth.fabric.density = 0.4f;
    cloth.masses = wf_massesEqual;
    AddCloth(scene, &cloth);
    Commit(scene);
    const wfModel* m = &scene->model;
    double total[2] = {0.0, 0.0};
    for (int v = 0; v < 40; ++v) total[v / 20] += m->mass[v];
    CHECK_NEAR(total[0], 0.25 * 0.12, 1e-8);
    CHECK_NEAR(total[1], 0.4 * 0.12, 1e-8);
    for (int v = 0; v < 20; ++v) {
        assert_true(m->mass[v] == m->area[v] * 0.25f);
        CHECK_NEAR(m->mass[20 + v], 0.4 * 0.12 / 20.0, 1e-9);
        assert_true(m->area[20 + v] == m->area[v]); // air still acts on areas
    }
    assert_true(m->mass[0] < 0.4f * m->mass[6]); // a corner against the inside
    wfDestroyScene(scene);
    FreeGrid(&grid);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSameBitsForOneAndTwoThreads),
        cmocka_unit_test(TestWarmStepAllocatesNothing),
        cmocka_unit_test(TestCancelInTheMiddle),
        cmocka_unit_test(TestCommitErrors),
        cmocka_unit_test(TestPins),
        cmocka_unit_test(TestSoftPinHangsAsASpring),
        cmocka_unit_test(TestPreroll),
        cmocka_unit_test(TestFaultNamesTheFirstAndRestores),
        cmocka_unit_test(TestCertificateAgainstTheSlowWay),
        cmocka_unit_test(TestIntersectionsAreCounted),
        cmocka_unit_test(TestColliderMeshes),
        cmocka_unit_test(TestMasses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
