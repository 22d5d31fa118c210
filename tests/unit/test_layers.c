// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene_fixture.h"

#include "contact/touches.h"
#include "math/vec_double.h"

// Cloths with a declared order: who gives way in the last impulses of a step, and that layers pulled onto a body stay where they belong.

// ---- who gives way --------------------------------------------------------------------------------------------------------------

// A triangle of a body (6, 7, 8), one of an inner layer above it (0, 1, 2), a vertex of an outer one above that (3), which comes down.
enum { Inner = 3, Cloth = 6, Vertices = 9 };

// How far the inner and the outer layer are moved by impulses; the inner one lies on the body where `lies`.
static void Solve(bool lies, bool outward, wfVec3 inner[Inner], wfVec3* outer) {
    wfDevice* device = OpenCpu(1);
    wfContactMesh mesh = {.clothVertexCount = Cloth, .vertexCount = Vertices, .layerCount = 2};
    wfVec4 from[Vertices], to[Vertices];
    int layer[Vertices];
    for (int v = 0; v < Vertices; ++v) {
        float y = v < 3 ? 1e-3f : v < 6 ? 2e-3f : 0.0f;
        from[v] = wfMake4(v == 3 ? wfMake3(0.3f, y, 0.3f) : wfMake3(v % 3 == 1 ? 1.0f : 0.0f, y, v % 3 == 2 ? 1.0f : 0.0f),
                          v < Cloth ? 500.0f + 10.0f * (float)v : 0.0f);
        to[v] = from[v];
        layer[v] = v < 3 ? 0 : v < Cloth ? 1 : -1;
    }
    to[3].y -= 1e-3f;
    wfBuffer* buffers[] = {&mesh.from, &mesh.to, &mesh.layerOf};
    for (int k = 0; k < 3; ++k) *buffers[k] = wfMakeBuffer(k < 2 ? sizeof(wfVec4) : sizeof(int), "test");
    wfUpload(device, &mesh.from, from, Vertices);
    wfUpload(device, &mesh.to, to, Vertices);
    wfUpload(device, &mesh.layerOf, layer, Vertices);
    wfTouch touches[4] = {{{{3, 0, 1, 2}}, {1, -0.4f, -0.3f, -0.3f}}};
    int count = 1;
    for (int v = 0; v < 3 && lies; ++v) {
        touches[count] = (wfTouch){{{v, 6, 7, 8}}, {1, 0, 0, 0}};
        touches[count++].w[1 + v] = -1.0f;
    }
    wfResponse responses[4];
    for (int c = 0; c < count; ++c) {
        responses[c] = (wfResponse){.normal = {0, 1, 0}};
        for (int k = 0; k < 4; ++k) responses[c].own += touches[c].w[k] * touches[c].w[k] * from[touches[c].q.v[k]].w;
    }
    wfTouches t;
    wfTouches_Create(&t, device, &mesh, 1000.0f);
    wfTouches_MakeRoom(&t, count);
    wfUploadRange(device, &t.touches, 0, touches, (size_t)count);
    wfUploadRange(device, &t.responses, 0, responses, (size_t)count);
    t.count = count;
    t.outward = outward;
    wfTouches_Sort(&t);
    wfTouches_Place(&t);
    for (int k = 0; k < 20; ++k) wfTouches_Solve(&t);
    wfVec4 moves[Vertices];
    wfError err = {0};
    CHECK_OK(wfDownload(device, moves, &t.moves, 0, Vertices, &err), err);
    for (int v = 0; v < Inner; ++v) inner[v] = wfXyz(moves[v]);
    *outer = wfXyz(moves[3]);
    wfTouches_Free(&t);
    for (int k = 0; k < 3; ++k) wfFreeBuffer(device, buffers[k]);
    wfDestroyDevice(device);
}

static void TestWhoGivesWay(void** state) {
    (void)state;
    wfVec3 inner[Inner], outer;
    // In the air both do, declared order or not, and momentum is kept.
    for (int outward = 0; outward < 2; ++outward) {
        Solve(false, outward != 0, inner, &outer);
        double momentum = ((double)outer.y + 1e-3) / 530.0, part = outer.y;
        for (int v = 0; v < Inner; ++v) {
            assert_true(inner[v].y < -1e-5f);
            momentum += inner[v].y / (500.0 + 10.0 * v);
            part -= (v == 0 ? 0.4 : 0.3) * inner[v].y;
        }
        CHECK_NEAR(momentum, 0.0, 1e-10);
        CHECK_NEAR(part, 0.0, 1e-7);
    }
    // On the body the outer one has to stop: with the order at once and exactly, without it once all contacts agree.
    Solve(true, true, inner, &outer);
    for (int v = 0; v < Inner; ++v) assert_true(inner[v].y == 0.0f);
    CHECK_NEAR(outer.y, 0.0, 1e-7);
    Solve(true, false, inner, &outer);
    for (int v = 0; v < Inner; ++v) CHECK_NEAR(inner[v].y, 0.0, 1e-6);
    CHECK_NEAR(outer.y, 0.0, 2e-6);
}

// ---- on a body ------------------------------------------------------------------------------------------------------------------

enum { Side = 9, Layers = 3, Frames = 4 };
static const float s_radius = 0.1f, s_thickness = 0.002f;
static const wfQuat s_straight = {0, 0, 0, 1};

// Three sheets over a ball; the corners of the outermost are pulled down and in, at `speed` [m/s].
static wfScene* MakeLayers(wfDevice* device, const char* dynamics, float speed, float shortest, bool ordered) {
    wfSceneDef def = wfDefaultSceneDef();
    def.frame_rate = 100.0f;
    def.time_step = 0.01f;
    def.shortest_step = shortest;
    strcpy(def.dynamics, dynamics);
    wfScene* scene = NewScene(device, &def);
    for (int k = 0; k < Layers; ++k) {
        float size = 0.34f + 0.013f * (float)k;
        Grid grid = MakeGrid(Side, Side, size, size, wfMake3(-0.5f * size, s_radius + 0.004f * (float)(k + 1), -0.5f * size));
        char name[16] = "layer0";
        name[5] = (char)('0' + k);
        wfClothDef cloth = GridCloth(&grid, name);
        cloth.layer = ordered ? k - 1 : 0;
        cloth.fabric.thickness = s_thickness;
        wfClothId id = AddCloth(scene, &cloth);
        FreeGrid(&grid);
        for (int c = 0; c < 4 && k == Layers - 1; ++c) {
            wfVec3 move = wfMake3(c % 2 == 0 ? 0.05f : -0.05f, -0.16f, c < 2 ? 0.05f : -0.05f);
            const wfKey keys[] = {{0.0f, {0, 0, 0}, s_straight}, {wfLength(move) / speed, move, s_straight}};
            int corner = (c % 2) * (Side - 1) + (c / 2) * Side * (Side - 1);
            wfPinDef pin = wfDefaultPinDef();
            pin.cloth = id;
            pin.vertices = &corner;
            pin.vertexCount = 1;
            pin.keys = keys;
            pin.keyCount = 2;
            AddPin(scene, &pin);
        }
    }
    wfColliderDef ball = wfDefaultColliderDef();
    ball.radius = s_radius;
    AddCollider(scene, &ball);
    Commit(scene);
    return scene;
}

// Distance from the origin to where the ray along d meets a sheet, the farthest; 0: nowhere.
static double RayToSheet(const float* x, const int* triangles, const double d[3]) {
    double farthest = 0.0;
    for (int t = 0; t < 2 * (Side - 1) * (Side - 1); ++t) {
        wfVec3D p[3];
        for (int k = 0; k < 3; ++k) {
            const float* q = x + 3 * triangles[3 * t + k];
            p[k] = (wfVec3D){q[0], q[1], q[2]};
        }
        wfVec3D ray = {d[0], d[1], d[2]}, n = wfCrossD(wfSubD(p[1], p[0]), wfSubD(p[2], p[0]));
        double along = wfDotD(n, p[0]) / wfDotD(n, ray), inside = INFINITY;
        wfVec3D at = {along * d[0], along * d[1], along * d[2]};
        for (int k = 0; k < 3; ++k) inside = fmin(inside, wfDotD(n, wfCrossD(wfSubD(p[(k + 1) % 3], p[k]), wfSubD(at, p[k]))));
        if (inside >= 0.0 && along > farthest) farthest = along;
    }
    return farthest;
}

// Over the upper part of the ball every vertex of a layer lies outside of the layer below it. Returns the mean distance at the top [m].
static double CheckOrder(const wfScene* scene) {
    static float x[Layers][3 * Side * Side];
    wfError err = {0};
    Grid grid = MakeGrid(Side, Side, 1.0f, 1.0f, wfMake3(0, 0, 0));
    for (int k = 0; k < Layers; ++k) CHECK_OK(wfCloth_ReadPositions(scene, wfScene_GetCloth(scene, k), x[k], 12, &err), err);
    double sum = 0.0;
    int count = 0;
    for (int k = 1; k < Layers; ++k)
        for (int v = 0; v < Side * Side; ++v) {
            const float* p = x[k] + 3 * v;
            double r = sqrt((double)p[0] * p[0] + (double)p[1] * p[1] + (double)p[2] * p[2]), d[3] = {p[0] / r, p[1] / r, p[2] / r};
            if (d[1] < 0.5) continue;
            double below = RayToSheet(x[k - 1], grid.triangles, d);
            if (below >= r) fail_msg("frame %d: layer %d, vertex %d is %g m inside", wfScene_GetFrame(scene), k, v, below - r);
            if (d[1] < 0.8) continue;
            sum += r - below;
            ++count;
        }
    FreeGrid(&grid);
    assert_true(count >= 4);
    return sum / count;
}

static void TestOnBall(void** state) {
    (void)state;
    static const struct {
        const char* dynamics;
        float speed, shortest;
    } cases[] = {{"chebyshev", 3.0f, 0.001f},
                 {"hierarchy", 200.0f, 0.0f}}; // the second knows no contacts: the last impulses of a step have much to do
    wfDevice *one = OpenCpu(1), *two = OpenCpu(2);
    for (int k = WF_SLOW_BUILD; k < 2; ++k) {
        wfScene* scene = MakeLayers(one, cases[k].dynamics, cases[k].speed, cases[k].shortest, true);
        int frames = k == 0 ? Frames + 2 : Frames; // until the first ones have met and come to rest on each other
        for (int frame = 1; frame <= frames; ++frame) {
            wfError err = {0};
            wfCertificate c;
            StepFrames(scene, 1);
            CHECK_OK(wfScene_Certify(scene, true, &c, &err), err);
            if (c.intersectingPairs != 0) fail_msg("frame %d: %lld intersecting pairs", frame, (long long)c.intersectingPairs);
            double apart = CheckOrder(scene);
            if (k == 0 && frame == frames && !(apart > 0.5 * (double)s_thickness && apart < 1.25 * (double)s_thickness))
                fail_msg("layers are %g m apart", apart);
        }
        if (k == 1) {
            wfScene *other = MakeLayers(two, cases[k].dynamics, cases[k].speed, cases[k].shortest, true),
                    *unordered = MakeLayers(one, cases[k].dynamics, cases[k].speed, cases[k].shortest, false);
            StepFrames(other, Frames);
            StepFrames(unordered, Frames);
            CheckSameState(scene, other);
            size_t count, same;
            float *a = ReadState(scene, &count), *b = ReadState(unordered, &same);
            assert_true(count == same && memcmp(a, b, count * sizeof *a) != 0); // the order was asked for
            free(a);
            free(b);
            wfDestroyScene(other);
            wfDestroyScene(unordered);
        }
        wfDestroyScene(scene);
    }
    wfDestroyDevice(one);
    wfDestroyDevice(two);
}

// ---- a tangled start ------------------------------------------------------------------------------------------------------------

// Two equal sheets across each other: nothing but the order says which half of which is wrong. The normals of both point up.
static void TestStart(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    for (int turned = 0; turned < 2; ++turned) { // which is declared further out
        wfSceneDef def = wfDefaultSceneDef();
        def.start = wf_startUntangle;
        wfScene* scene = NewScene(device, &def);
        for (int k = 0; k < 2; ++k) {
            float size = k == 0 ? 1.0f : 1.2f;
            Grid grid = MakeGrid(Side, Side, size, size, wfMake3(-0.5f * size, 0, -0.517f * size));
            for (int v = 0; v < Side * Side; ++v) grid.positions[3 * v + 1] = (k == 0 ? 0.2f : -0.17f) * grid.positions[3 * v];
            wfClothDef cloth = GridCloth(&grid, k == 0 ? "first" : "second");
            cloth.layer = k == turned ? 3 : 5;
            AddCloth(scene, &cloth);
            FreeGrid(&grid);
        }
        Commit(scene);
        assert_true(wfScene_GetStartReport(scene).pairs > 0);
        double mean[2] = {0, 0};
        size_t count;
        float* x = ReadState(scene, &count);
        for (int v = 0; v < 2 * Side * Side; ++v) mean[v / (Side * Side)] += (double)x[6 * v + 1] / (Side * Side);
        assert_true(turned == 0 ? mean[1] > mean[0] + 1e-3 : mean[0] > mean[1] + 1e-3);
        free(x);
        wfDestroyScene(scene);
    }
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestWhoGivesWay), cmocka_unit_test(TestOnBall), cmocka_unit_test(TestStart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
