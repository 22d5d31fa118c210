// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene_fixture.h"

#include "contact/repulsion.h"
#include "mesh/generate.h"
#include "scene/scene.h"

// Safe repulsion where it meets what it cannot move: sharp edges of bodies, fast ones, and pins.

static wfSceneDef MakeDef(float step) {
    wfSceneDef def = wfDefaultSceneDef();
    def.frame_rate = 1.0f / step;
    def.time_step = step;
    strcpy(def.contact, "repulsion");
    strcpy(def.stepper, "projection");
    strcpy(def.dynamics, "chebyshev");
    return def;
}

static void RequireNoPairs(wfScene* scene) {
    wfError err = {0};
    wfCertificate c;
    CHECK_OK(wfScene_Certify(scene, true, &c, &err), err);
    if (c.intersectingPairs != 0) fail_msg("frame %d: %lld intersecting pairs", c.frame, (long long)c.intersectingPairs);
}

// Long steps onto a box that is small beside the triangles: its edges and corners would get between the vertices.
static void TestSharp(void** state) {
    (void)state;
    enum { N = 12 };
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = MakeDef(1.0f / 30.0f);
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(N, N, 0.088f, 0.088f, wfMake3(-0.041f, 0.012f, -0.046f));
    wfClothDef cloth = GridCloth(&grid, "sheet");
    cloth.velocity = wfMake3(0.0f, -2.0f, 0.0f);
    cloth.fabric.friction = 0.3f;
    AddCloth(scene, &cloth);
    FreeGrid(&grid);
    wfColliderDef box = wfDefaultColliderDef();
    box.shape = wf_shapeBox;
    box.size = wfMake3(0.06f, 0.06f, 0.03f);
    const wfKey place = {0.0f, {0, -0.042f, 0}, {0, 0, 0.38268343f, 0.92387953f}}; // an edge of it is up
    box.keys = &place;
    box.keyCount = 1;
    AddCollider(scene, &box);
    Commit(scene);
    for (int frame = 0; frame < 6; ++frame) {
        StepFrames(scene, 1);
        RequireNoPairs(scene);
    }
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

static wfColliderDef MakeBall(float radius, const wfKey keys[2]) {
    wfColliderDef ball = wfDefaultColliderDef();
    strcpy(ball.name, "ball");
    ball.shape = wf_shapeSphere;
    ball.radius = radius;
    ball.interpolation = wf_interpolateLinear;
    ball.keys = keys;
    ball.keyCount = 2;
    return ball;
}

// A ball goes much farther in a step than it is thick, and the sheet in its way than rounds can take it: the step is cut, and the sheet is
// taken along.
static void TestFast(void** state) {
    (void)state;
    enum { N = 14, Frames = 4 };
    const float speeds[] = {6.0f, 15.0f};
    for (int k = 0; k < 2; ++k) {
        wfDevice* device = OpenCpu(1);
        wfSceneDef def = MakeDef(0.01f);
        wfScene* scene = NewScene(device, &def);
        Grid grid = MakeGrid(N, N, 0.056f, 0.056f, wfMake3(-0.027f, 0.03f, -0.029f));
        wfClothDef cloth = GridCloth(&grid, "sheet");
        wfClothId id = AddCloth(scene, &cloth);
        FreeGrid(&grid);
        const wfKey keys[] = {{0.0f, {0, 0, 0}, {0, 0, 0, 1}}, {1.0f, {0, speeds[k], 0}, {0, 0, 0, 1}}};
        wfColliderDef ball = MakeBall(0.02f, keys);
        AddCollider(scene, &ball);
        Commit(scene);
        for (int frame = 1; frame <= Frames; ++frame) {
            StepFrames(scene, 1);
            RequireNoPairs(scene);
            wfVec3 centre = wfMake3(0.0f, 0.01f * speeds[k] * (float)frame, 0.0f), middle = ReadVertex(scene, id, N * N / 2 + N / 2);
            float away = wfDistance(middle, centre), ahead = middle.y - centre.y; // it may slide off the pole a little
            if (!(away > 0.02f && ahead > 0.018f))
                fail_msg("%g m/s, frame %d: the sheet is %g m from the middle of the ball, %g m ahead", (double)speeds[k], frame,
                         (double)away, (double)ahead);
        }
        wfDestroyScene(scene);
        wfDestroyDevice(device);
    }
}

// A ball goes into a sheet that is held all around and can only stretch so far: the step in which there is no room left fails, and says
// where; until then there is nothing that meets.
static void TestNoRoom(void** state) {
    (void)state;
    enum { N = 8 };
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = MakeDef(0.01f);
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(N, N, 0.03f, 0.03f, wfMake3(-0.0145f, 0.014f, -0.0155f));
    wfClothDef cloth = GridCloth(&grid, "sheet");
    wfClothId id = AddCloth(scene, &cloth);
    FreeGrid(&grid);
    int rim[4 * N], count = 0;
    for (int v = 0; v < N * N; ++v)
        if (v % N == 0 || v % N == N - 1 || v / N == 0 || v / N == N - 1) rim[count++] = v;
    wfPinDef pin = wfDefaultPinDef();
    pin.cloth = id;
    pin.vertices = rim;
    pin.vertexCount = count;
    AddPin(scene, &pin);
    const wfKey keys[] = {{0.0f, {0, 0, 0}, {0, 0, 0, 1}}, {1.0f, {0, 0.8f, 0}, {0, 0, 0, 1}}};
    wfColliderDef ball = MakeBall(0.01f, keys);
    AddCollider(scene, &ball);
    Commit(scene);
    wfError err = {0};
    int frame = 0;
    while (frame < 12 && wfScene_StepFrame(scene, &err)) {
        RequireNoPairs(scene);
        ++frame;
    }
    print_message("after %d frames: %s\n", frame, err.text);
    assert_true(frame > 0 && frame < 8);
    assert_int_equal(err.code, wf_stepFailed);
    assert_non_null(strstr(err.text, "cloth \"sheet\", vertex "));
    RequireNoPairs(scene); // as after the last frame that went well
    assert_int_equal(wfScene_GetFrame(scene), frame);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

// A vertex is led through a sheet that cannot give way, and back: it stays before the sheet, and is with its pin again as soon as it can
// be.
static void TestPinInContact(void** state) {
    (void)state;
    enum { N = 9, Middle = N * N / 2 };
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = MakeDef(0.01f);
    wfScene* scene = NewScene(device, &def);
    int all[N * N];
    for (int k = 0; k < N * N; ++k) all[k] = k;
    const int middle = Middle;
    const wfKey keys[] = {{0.0f, {0, 0, 0}, {0, 0, 0, 1}}, {0.05f, {0, -0.02f, 0}, {0, 0, 0, 1}}, {0.1f, {0, 0, 0}, {0, 0, 0, 1}}};
    wfClothId ids[2];
    for (int k = 0; k < 2; ++k) {
        Grid grid = MakeGrid(N, N, 0.032f, 0.032f, wfMake3(0.001f * (float)k, 0.01f * (float)k, 0.0f));
        wfClothDef cloth = GridCloth(&grid, k == 0 ? "held" : "led");
        ids[k] = AddCloth(scene, &cloth);
        FreeGrid(&grid);
        wfPinDef pin = wfDefaultPinDef();
        pin.cloth = ids[k];
        pin.vertices = k == 0 ? all : &middle;
        pin.vertexCount = k == 0 ? N * N : 1;
        pin.keys = k == 0 ? NULL : keys;
        pin.keyCount = k == 0 ? 0 : 3;
        AddPin(scene, &pin);
    }
    Commit(scene);
    float least = INFINITY;
    for (int frame = 0; frame < 12; ++frame) {
        StepFrames(scene, 1);
        RequireNoPairs(scene);
        least = fminf(least, wfDistance(ReadVertex(scene, ids[0], Middle), ReadVertex(scene, ids[1], Middle)));
    }
    float left = fmaxf(fabsf(ReadVertex(scene, ids[1], Middle).y - 0.01f), fabsf(ReadVertex(scene, ids[0], Middle).y));
    const wfRepulsionRules* rules = wfRepulsion_GetRules(scene->parts.contactSelf);
    print_message("led from 10 mm to -10 mm and back: at least %.2f mm apart, %.3g mm from their pins in the end\n", 1e3 * (double)least,
                  1e3 * (double)left);
    assert_true(least * least >= rules->pairSq);
    assert_true(left < 1e-6f);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

// Sheets that lie on each other are lifted by what they lie on. In the start of a step that pushes the lowest no faster than the others are
// taken along: pushed all the way at once, it got into them before they had moved, and the start of every step was hard.
static void TestLift(void** state) {
    (void)state;
    enum { N = 12, Sheets = 5, Frames = 24 };
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = MakeDef(0.01f);
    wfScene* scene = NewScene(device, &def);
    for (int k = 0; k < Sheets; ++k) {
        Grid grid = MakeGrid(N, N, 0.046f, 0.046f, wfMake3(-0.023f, 0.004f + 0.0078f * (float)k, -0.023f));
        char name[] = "sheet 0";
        name[6] = (char)('0' + k);
        wfClothDef cloth = GridCloth(&grid, name);
        AddCloth(scene, &cloth);
        FreeGrid(&grid);
    }
    const wfKey keys[] = {{0.0f, {0, -0.02f, 0}, {0, 0, 0, 1}}, {0.1f, {0, -0.02f, 0}, {0, 0, 0, 1}}, {0.24f, {0, 0.08f, 0}, {0, 0, 0, 1}}};
    wfColliderDef box = wfDefaultColliderDef();
    box.shape = wf_shapeBox;
    box.size = wfMake3(0.1f, 0.04f, 0.1f);
    box.keys = keys;
    box.keyCount = 3;
    AddCollider(scene, &box);
    Commit(scene);
    for (int frame = 0; frame < Frames; ++frame) StepFrames(scene, 1);
    RequireNoPairs(scene);
    wfRepulsionCounts counts = wfRepulsion_GetCounts(scene->parts.contactSelf);
    print_message("five sheets are lifted: %lld of %lld rounds soft, %lld blocks taken back\n", (long long)counts.softRounds,
                  (long long)counts.rounds, (long long)counts.rollbacks);
    assert_true(counts.softRounds == counts.rounds);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

// A ball that starts all at once pushes few vertices of a wide sheet, and a fold lies over these: in the start of a step both go along,
// though most of what is about them stays. Where the push was left to the few alone they got into the fold, and its rounds were hard.
static void TestPush(void** state) {
    (void)state;
    enum { N = 40, M = 14, Frames = 8 };
    const float edge = 0.0042f, radius = 0.03f, speed = 0.6f;
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = MakeDef(0.01f);
    def.gravity = wfMake3(0.0f, 0.0f, 0.0f);
    wfScene* scene = NewScene(device, &def);
    for (int k = 0; k < 2; ++k) {
        int n = k == 0 ? N : M;
        float width = edge * (float)(n - 1);
        Grid grid = MakeGrid(n, n, width, width, wfMake3(-0.5f * width, 0.0032f + 0.0075f * (float)k, -0.5f * width));
        wfClothDef cloth = GridCloth(&grid, k == 0 ? "sheet" : "fold");
        AddCloth(scene, &cloth);
        FreeGrid(&grid);
    }
    const wfKey keys[] = {{0.0f, {0, -radius, 0}, {0, 0, 0, 1}}, {1.0f, {0, speed - radius, 0}, {0, 0, 0, 1}}};
    wfColliderDef ball = MakeBall(radius, keys);
    AddCollider(scene, &ball);
    Commit(scene);
    for (int frame = 0; frame < Frames; ++frame) {
        StepFrames(scene, 1);
        RequireNoPairs(scene);
    }
    wfRepulsionCounts counts = wfRepulsion_GetCounts(scene->parts.contactSelf);
    print_message("a fold over a ball that starts: %lld of %lld rounds soft, %lld blocks taken back\n", (long long)counts.softRounds,
                  (long long)counts.rounds, (long long)counts.rollbacks);
    assert_true(counts.softRounds == counts.rounds);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

enum { TurnN = 14, TurnFrames = 8 };

/// Where a sheet is after falling onto a ball that turns and rises, given as one mesh or as two that are the same.
static void ReadTurned(bool sequence, wfVec3 out[TurnN * TurnN]) {
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = MakeDef(0.01f);
    strcpy(def.dynamics, "multilevel");
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(TurnN, TurnN, 0.056f, 0.056f, wfMake3(-0.027f, 0.0265f, -0.029f));
    wfClothDef cloth = GridCloth(&grid, "sheet");
    cloth.velocity = wfMake3(0.0f, -0.2f, 0.0f);
    wfClothId id = AddCloth(scene, &cloth);
    FreeGrid(&grid);
    wfGenerateDef make = wfDefaultGenerateDef();
    make.shape = wf_makeSphere;
    make.radius = 0.02f;
    make.edge = 0.006f;
    wfMesh mesh = {0};
    wfError err = {0};
    CHECK_OK(wfGenerate(&mesh, &make, &err), err);
    wfVec3* frames = malloc(2 * (size_t)mesh.vertexCount * sizeof *frames);
    for (int v = 0; v < 2 * mesh.vertexCount; ++v) frames[v] = mesh.positions[v % mesh.vertexCount];
    const wfKey keys[] = {{0.0f, {0, 0, 0}, {0, 0, 0, 1}}, {0.5f, {0.01f, 0.05f, 0}, {0, 0.70711f, 0, 0.70711f}}};
    wfColliderDef ball = wfDefaultColliderDef();
    strcpy(ball.name, "ball");
    ball.shape = wf_shapeMesh;
    ball.mesh = wfMesh_View(&mesh);
    ball.sequence = sequence ? &frames[0].x : NULL;
    ball.sequenceCount = sequence ? 2 : 0;
    ball.sequenceRate = 50.0f;
    ball.keys = keys;
    ball.keyCount = 2;
    AddCollider(scene, &ball);
    free(frames);
    wfMesh_Free(&mesh);
    Commit(scene);
    StepFrames(scene, TurnFrames);
    RequireNoPairs(scene);
    for (int v = 0; v < TurnN * TurnN; ++v) out[v] = ReadVertex(scene, id, v);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

// A body that may change its shape but keeps it is met as one that never does, but for where it is asked how far it takes a vertex along:
// once a step in place of each round. That is most of 0.2 mm; the rest grows out of last bits (0.6 mm with steps of 1/200 s, whose cause is
// not that). Carried by nothing, the sheet ends 3.5 mm off.
static void TestKeptShape(void** state) {
    (void)state;
    static wfVec3 rigid[TurnN * TurnN], kept[TurnN * TurnN];
    ReadTurned(false, rigid);
    ReadTurned(true, kept);
    float worst = 0.0f;
    for (int v = 0; v < TurnN * TurnN; ++v) worst = fmaxf(worst, wfDistance(rigid[v], kept[v]));
    print_message("kept shape: %g mm from a rigid body's\n", 1e3 * (double)worst);
    assert_true(worst < 5e-4f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestSharp),        cmocka_unit_test(TestFast), cmocka_unit_test(TestNoRoom),
                                       cmocka_unit_test(TestPinInContact), cmocka_unit_test(TestLift), cmocka_unit_test(TestPush),
                                       cmocka_unit_test(TestKeptShape)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
