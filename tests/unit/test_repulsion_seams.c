// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene_fixture.h"

#include "contact/repulsion.h"
#include "scene/scene.h"

// Seams with safe repulsion: what is sewn moves as one vertex does, whatever pulls at its sides.

static const float s_edge = 4.2e-3f;
enum { Across = 5 };

static void AddStrip(wfScene* scene, const char* name, int n, float x) {
    Grid grid = MakeGrid(n, Across, s_edge * (float)(n - 1), s_edge * (float)(Across - 1), wfMake3(x, 0, 0));
    wfClothDef cloth = GridCloth(&grid, name);
    AddCloth(scene, &cloth);
    FreeGrid(&grid);
}

static void Column(int n, int column, int* out) {
    for (int k = 0; k < Across; ++k) out[k] = k * n + column;
}

// A long strip and a short one, held at their far ends, are sewn: where the seam comes to rest both are stretched alike. Were its two sides
// each drawn by D at most, they would keep it where it closed, and all of the stretch next to it.
static void TestBalance(void** state) {
    (void)state;
    enum { Long = 16, Short = 4 };
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = wfDefaultSceneDef();
    def.frame_rate = 100.0f;
    def.time_step = 0.01f;
    def.gravity = wfMake3(0, 0, 0);
    strcpy(def.contact, "repulsion");
    strcpy(def.stepper, "projection");
    strcpy(def.dynamics, "chebyshev");
    wfScene* scene = NewScene(device, &def);
    float gap = 0.6f * s_edge; // so near that it closes at once, long before its threads are gone
    AddStrip(scene, "long", Long, 0.0f);
    AddStrip(scene, "short", Short, s_edge * (float)(Long - 1) + gap);
    wfClothId first = wfScene_GetCloth(scene, 0), second = wfScene_GetCloth(scene, 1);
    int far[2][Across], near[2][Across];
    Column(Long, 0, far[0]);
    Column(Long, Long - 1, near[0]);
    Column(Short, Short - 1, far[1]);
    Column(Short, 0, near[1]);
    float back = -2.4f * s_edge; // then they are drawn apart
    const wfKey keys[] = {{.time = 0.0, .rotate = wfQuatIdentity()},
                          {.time = 0.04, .rotate = wfQuatIdentity()},
                          {.time = 0.12, .translate = {-back, 0, 0}, .rotate = wfQuatIdentity()}};
    for (int k = 0; k < 2; ++k) {
        wfPinDef pin = wfDefaultPinDef();
        pin.cloth = k == 0 ? first : second;
        pin.vertices = far[k];
        pin.vertexCount = Across;
        pin.keys = k == 1 ? keys : NULL;
        pin.keyCount = k == 1 ? 3 : 0;
        AddPin(scene, &pin);
    }
    wfSeamDef seam = wfDefaultSeamDef();
    seam.a = (wfSeamSide){.cloth = first, .vertices = near[0], .vertexCount = Across};
    seam.b = (wfSeamSide){.cloth = second, .vertices = near[1], .vertexCount = Across};
    seam.match = wf_matchVertices;
    seam.close = 100.0f;
    wfError err = {0};
    assert_false(WF_ID_IS_NULL(wfCreateSeam(scene, &seam, &err)));
    Commit(scene);
    // It swings about its place, undamped: where it is in one frame depends on the last bit of the start.
    enum { Frames = 60 };
    float mean = 0.0f;
    StepFrames(scene, 30);
    for (int k = 0; k < Frames; ++k) {
        StepFrames(scene, 1);
        mean += ReadVertex(scene, first, near[0][Across / 2]).x / (float)Frames;
    }
    float stretch = 1.0f + (gap - back) / (s_edge * (float)(Long + Short - 2)), want = stretch * s_edge * (float)(Long - 1);
    wfVec3 a = ReadVertex(scene, first, near[0][Across / 2]), b = ReadVertex(scene, second, near[1][Across / 2]);
    print_message("a seam between strips of %d and %d edges rests at %.2f edges, wanted %.2f\n", Long - 1, Short - 1,
                  (double)(mean / s_edge), (double)(want / s_edge));
    assert_true(wfDistance(a, b) == 0.0f);
    CHECK_NEAR(mean / s_edge, want / s_edge, 0.05);
    wfRepulsionCounts counts = wfRepulsion_GetCounts(scene->parts.contactSelf);
    assert_true(counts.softRounds == counts.rounds);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestBalance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
