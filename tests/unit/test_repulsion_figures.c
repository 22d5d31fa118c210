// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene_fixture.h"

#include "contact/repulsion.h"
#include "mesh/generate.h"
#include "scene/scene.h"

// What Wu et al. 2020 measure of their own method: gap and bumps of a stack (section 8.3, figure 14), stretch by load (8.4.3, figure 15),
// and how fast cloth falls with and without the smooth start of a step (5.2, figure 12).

static wfSceneDef MakeDef(const char* contact, const char* stepper) {
    wfSceneDef def = wfDefaultSceneDef();
    def.frame_rate = 100.0f;
    def.time_step = 0.01f;
    strcpy(def.contact, contact);
    strcpy(def.stepper, stepper);
    strcpy(def.dynamics, "chebyshev");
    return def;
}

// ---- figure 14 ----------------------------------------------------------------------------------------------------------------

// A sheet of regular triangles in the plane of x and z.
static Grid MakeRegular(int n, int m, float edge, wfVec3 corner) {
    Grid g = MakeGrid(n, m, edge * (float)(n - 1), 0.8660254f * edge * (float)(m - 1), corner);
    int* t = g.triangles;
    for (int j = 0; j < m; ++j)
        for (int i = 0; i < n; ++i) g.positions[3 * (j * n + i)] += j % 2 == 1 ? 0.5f * edge : 0.0f;
    for (int j = 0; j + 1 < m; ++j)
        for (int i = 0; i + 1 < n; ++i, t += 6) {
            int a = j * n + i, b = a + 1, c = a + n, d = c + 1;
            const int even[6] = {a, c, b, b, c, d}, odd[6] = {a, c, d, a, d, b};
            memcpy(t, j % 2 == 0 ? even : odd, sizeof even);
        }
    return g;
}

static void TestStack(void** state) {
    (void)state;
    enum { N = 11, Inset = 3 };
    const float edge = 4.2e-3f;
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = MakeDef("repulsion", "splitting");
    wfScene* scene = NewScene(device, &def);
    for (int k = 0; k < 2; ++k) {
        Grid grid = MakeRegular(N, N, edge, wfMake3(0.0017f * (float)k, 3.5e-3f + 8.5e-3f * (float)k, 0.0011f * (float)k));
        wfClothDef cloth = GridCloth(&grid, k == 0 ? "lower" : "upper");
        cloth.fabric.friction = 0.5f;
        cloth.fabric.damping = 4.0f;
        AddCloth(scene, &cloth);
        FreeGrid(&grid);
    }
    wfColliderDef plane = wfDefaultColliderDef();
    plane.shape = wf_shapePlane;
    AddCollider(scene, &plane);
    Commit(scene);
    StepFrames(scene, 30);
    float lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
    size_t count;
    float* x = ReadState(scene, &count);
    for (int k = 0; k < 2; ++k)
        for (int j = Inset; j < N - Inset; ++j)
            for (int i = Inset; i < N - Inset; ++i) {
                float y = x[6 * (k * N * N + j * N + i) + 1];
                lo[k] = fminf(lo[k], y);
                hi[k] = fmaxf(hi[k], y);
            }
    free(x);
    double gap = 1e3 * (double)(hi[1] - lo[0]), bump = 1e3 * (double)(hi[1] - lo[1]);
    wfCertificate c;
    wfError err = {0};
    CHECK_OK(wfScene_Certify(scene, true, &c, &err), err);
    print_message("figure 14, edges of 4.2 mm: gap at most %.2f mm, bump %.3f mm\n", gap, bump);
    assert_int_equal(c.intersectingPairs, 0);
    assert_true(gap <= 8.0 && bump <= 0.4);
    assert_true((double)(lo[1] - hi[0]) >= 6.5e-3 * 0.9); // it is the other sheet that carries it
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

// ---- figure 15 ----------------------------------------------------------------------------------------------------------------

static double HangingHeight(wfDevice* device, const char* contact, const char* stepper, float density, double* longest) {
    enum { N = 5, M = 17 };
    wfSceneDef def = MakeDef(contact, stepper);
    def.frame_rate = 50.0f;
    def.time_step = 0.02f;
    def.gravity = wfMake3(0, 0, 9.81f);
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(N, M, 0.25f, 1.0f, wfMake3(0, 0, 0));
    wfClothDef cloth = GridCloth(&grid, "strip");
    cloth.fabric.density = density;
    cloth.fabric.stretch = 20.0f;
    cloth.fabric.shear = 7.0f;
    cloth.fabric.damping = 5.0f;
    wfClothId id = AddCloth(scene, &cloth);
    wfPinDef pin = wfDefaultPinDef();
    int top[N];
    for (int i = 0; i < N; ++i) top[i] = i;
    pin.cloth = id;
    pin.vertices = top;
    pin.vertexCount = N;
    AddPin(scene, &pin);
    Commit(scene);
    StepFrames(scene, 75);
    wfError err = {0};
    wfCertificate c;
    CHECK_OK(wfScene_Certify(scene, true, &c, &err), err);
    assert_int_equal(c.intersectingPairs, 0);
    *longest = c.worstStretch;
    double height = ReadVertex(scene, id, N * (M - 1) + N / 2).z;
    FreeGrid(&grid);
    wfDestroyScene(scene);
    return height;
}

static void TestStretch(void** state) {
    (void)state;
    const float densities[] = {0.1f, 1.0f, 3.0f, 10.0f};
    wfDevice* device = OpenCpu(1);
    for (int k = 0; k < 4; ++k) {
        double longest[2];
        double without = HangingHeight(device, "none", "sequential", densities[k], &longest[0]);
        double with = HangingHeight(device, "repulsion", "projection", densities[k], &longest[1]);
        print_message("figure 15, %g kg/m2: %.3f m without contact, %.3f m with it; longest edge %.2f and %.2f\n", (double)densities[k],
                      without, with, longest[0], longest[1]);
        if (k < 2) CHECK_NEAR(with, without, 0.02 * without);
        assert_true(with <= 1.01 * without);
        if (k == 3) assert_true(with < 0.9 * without && longest[0] > 2.5);
    }
    wfDestroyDevice(device);
}

// ---- figure 12 ----------------------------------------------------------------------------------------------------------------

static const float s_speed = 1.6f; // [m/s] at the beginning; rounds alone reach K D / dt, 1.8 m/s

static double FallingSpeed(wfDevice* device, bool smooth) {
    enum { Frames = 8 };
    wfError err = {0};
    wfMesh skirt = {0};
    wfGenerateDef make = wfDefaultGenerateDef();
    make.shape = wf_makeSkirt;
    make.size.y = 0.21f; // of a doll, so that few vertices have edges of 4.2 mm
    make.edge = 4.2e-3f;
    CHECK_OK(wfGenerate(&skirt, &make, &err), err);
    wfSceneDef def = MakeDef("repulsion", "splitting");
    strcpy(def.dynamics, "hierarchy");
    wfScene* scene = NewScene(device, &def);
    wfClothDef cloth = wfDefaultClothDef();
    strcpy(cloth.name, "skirt");
    cloth.mesh = wfMesh_View(&skirt);
    cloth.velocity = wfMake3(0, -s_speed, 0);
    AddCloth(scene, &cloth);
    Commit(scene);
    wfRepulsion_SetStart(scene->parts.contactSelf, smooth);
    StepFrames(scene, Frames);
    size_t count;
    float* x = ReadState(scene, &count);
    double sum = 0.0;
    for (size_t i = 0; i < count / 6; ++i) sum -= (double)x[6 * i + 4];
    double speed = sum / (double)(count / 6);
    free(x);
    wfMesh_Free(&skirt);
    wfDestroyScene(scene);
    return speed;
}

static void TestFall(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    double without = FallingSpeed(device, false), with = FallingSpeed(device, true);
    double free = (double)s_speed + 0.08 * 9.81;
    print_message(
        "figure 12, a skirt falls for 0.08 s from 1.6 m/s: %.2f m/s without the smooth start, %.2f m/s with it, free fall %.2f m/s\n",
        without, with, free);
    CHECK_NEAR(with, free, 0.02 * free);
    assert_true(without < 1.8);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestStack), cmocka_unit_test(TestStretch), cmocka_unit_test(TestFall)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
