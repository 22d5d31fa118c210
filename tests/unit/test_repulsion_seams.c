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

typedef struct Strips {
    wfScene* scene;
    wfClothId cloths[2];
    int far[2][Across], near[2][Across]; // vertices of their ends
} Strips;

// A strip of `first` vertices along it and one of `second`, to be sewn at the ends that are near each other; not committed. They are so
// near that they close at once, long before their threads are gone.
static Strips MakeStrips(wfDevice* device, int first, int second, float gap) {
    wfSceneDef def = wfDefaultSceneDef();
    def.frame_rate = 100.0f;
    def.time_step = 0.01f;
    def.gravity = wfMake3(0, 0, 0);
    strcpy(def.contact, "repulsion");
    strcpy(def.stepper, "projection");
    strcpy(def.dynamics, "chebyshev");
    Strips s = {.scene = NewScene(device, &def)};
    AddStrip(s.scene, "first", first, 0.0f);
    AddStrip(s.scene, "second", second, s_edge * (float)(first - 1) + gap);
    for (int k = 0; k < 2; ++k) s.cloths[k] = wfScene_GetCloth(s.scene, k);
    Column(first, 0, s.far[0]);
    Column(first, first - 1, s.near[0]);
    Column(second, second - 1, s.far[1]);
    Column(second, 0, s.near[1]);
    wfSeamDef seam = wfDefaultSeamDef();
    seam.a = (wfSeamSide){.cloth = s.cloths[0], .vertices = s.near[0], .vertexCount = Across};
    seam.b = (wfSeamSide){.cloth = s.cloths[1], .vertices = s.near[1], .vertexCount = Across};
    seam.match = wf_matchVertices;
    seam.close = 100.0f;
    wfError err = {0};
    assert_false(WF_ID_IS_NULL(wfCreateSeam(s.scene, &seam, &err)));
    return s;
}

static void PinColumn(Strips* s, int cloth, const int* column, const wfKey* keys, int keyCount) {
    wfPinDef pin = wfDefaultPinDef();
    pin.cloth = s->cloths[cloth];
    pin.vertices = column;
    pin.vertexCount = Across;
    pin.keys = keys;
    pin.keyCount = keyCount;
    AddPin(s->scene, &pin);
}

// A long strip and a short one, held at their far ends, are sewn: where the seam comes to rest both are stretched alike. Were its two sides
// each drawn by D at most, they would keep it where it closed, and all of the stretch next to it.
static void TestBalance(void** state) {
    (void)state;
    enum { Long = 16, Short = 4 };
    wfDevice* device = OpenCpu(1);
    float gap = 0.6f * s_edge, back = -2.4f * s_edge; // then they are drawn apart
    const wfKey keys[] = {{.time = 0.0, .rotate = wfQuatIdentity()},
                          {.time = 0.04, .rotate = wfQuatIdentity()},
                          {.time = 0.12, .translate = {-back, 0, 0}, .rotate = wfQuatIdentity()}};
    Strips s = MakeStrips(device, Long, Short, gap);
    PinColumn(&s, 0, s.far[0], NULL, 0);
    PinColumn(&s, 1, s.far[1], keys, 3);
    Commit(s.scene);
    // It swings about its place, undamped: where it is in one frame depends on the last bit of the start.
    enum { Frames = 60 };
    float mean = 0.0f;
    StepFrames(s.scene, 30);
    for (int k = 0; k < Frames; ++k) {
        StepFrames(s.scene, 1);
        mean += ReadVertex(s.scene, s.cloths[0], s.near[0][Across / 2]).x / (float)Frames;
    }
    float stretch = 1.0f + (gap - back) / (s_edge * (float)(Long + Short - 2)), want = stretch * s_edge * (float)(Long - 1);
    wfVec3 a = ReadVertex(s.scene, s.cloths[0], s.near[0][Across / 2]), b = ReadVertex(s.scene, s.cloths[1], s.near[1][Across / 2]);
    print_message("a seam between strips of %d and %d edges rests at %.2f edges, wanted %.2f\n", Long - 1, Short - 1,
                  (double)(mean / s_edge), (double)(want / s_edge));
    assert_true(wfDistance(a, b) == 0.0f);
    CHECK_NEAR(mean / s_edge, want / s_edge, 0.05);
    wfRepulsionCounts counts = wfRepulsion_GetCounts(s.scene->parts.contactSelf);
    assert_true(counts.softRounds == counts.rounds);
    wfDestroyScene(s.scene);
    wfDestroyDevice(device);
}

// What is sewn to a pinned vertex comes to where that is held, which stays there to the bit, also while the seam closes.
static void TestHeld(void** state) {
    (void)state;
    enum { Length = 6, Frames = 20 };
    wfDevice* device = OpenCpu(1);
    Strips s = MakeStrips(device, Length, Length, 0.5f * s_edge);
    PinColumn(&s, 0, s.near[0], NULL, 0);
    Commit(s.scene);
    wfVec3 places[Across];
    for (int k = 0; k < Across; ++k) places[k] = ReadVertex(s.scene, s.cloths[0], s.near[0][k]);
    for (int frame = 1; frame <= Frames; ++frame) {
        StepFrames(s.scene, 1);
        for (int k = 0; k < Across; ++k) {
            float off = wfDistance(ReadVertex(s.scene, s.cloths[0], s.near[0][k]), places[k]);
            if (off != 0.0f) fail_msg("frame %d: a pinned vertex is %g edges from its place", frame, (double)(off / s_edge));
        }
    }
    for (int k = 0; k < Across; ++k) assert_true(wfDistance(ReadVertex(s.scene, s.cloths[1], s.near[1][k]), places[k]) == 0.0f);
    wfDestroyScene(s.scene);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestBalance), cmocka_unit_test(TestHeld)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
