// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "harness.h"

#include "scene/scene.h"

// Two panels beside a turning ball and a screen that changes its shape: sewn together, gathered, drawn to the one by springs and held on
// the other.

enum { Across = WF_SLOW_BUILD ? 12 : 24, Rows = WF_SLOW_BUILD ? 10 : 20, MoreRows = WF_SLOW_BUILD ? 17 : 33 };
enum { Left = Across * Rows, Right = Across * MoreRows, Frames = 31 };

static void FillPanel(float (*x)[3], int (*triangles)[3], int rows, float left, float depth) {
    int t = 0;
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < Across; ++i) {
            int v = j * Across + i;
            x[v][0] = left + 0.3f * (float)i / (Across - 1);
            x[v][1] = 0.3f + 0.02f * sinf((float)(3 * i + j));
            x[v][2] = depth * ((float)j / (float)(rows - 1) - 0.5f);
            if (i + 1 == Across || j + 1 == rows) continue;
            memcpy(triangles[t++], (const int[]){v, v + Across, v + Across + 1}, sizeof triangles[0]);
            memcpy(triangles[t++], (const int[]){v, v + Across + 1, v + 1}, sizeof triangles[0]);
        }
}

static wfClothId AddPanel(wfScene* scene, const char* name, int rows, float left, float depth, int ripple, wfError* err) {
    static float positions[Right][3];
    static int triangles[2 * Right][3];
    FillPanel(positions, triangles, rows, left, depth);
    for (int i = 0; i < rows * Across; ++i) positions[i][1] = Ripple(positions[i][1], ripple, i);
    wfClothDef def = wfDefaultClothDef();
    strcpy(def.name, name);
    def.mesh = (wfMeshView){
        .positions = positions[0], .vertexCount = rows * Across, .triangles = triangles[0], .triangleCount = 2 * (rows - 1) * (Across - 1)};
    return wfCreateCloth(scene, &def, err);
}

static wfColliderId AddScreen(wfScene* scene, wfError* err) {
    static const wfVec3 corners[4] = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}};
    static const int triangles[6] = {0, 2, 1, 0, 3, 2};
    wfVec3 sequence[Frames][4];
    for (int f = 0; f < Frames; ++f)
        for (int v = 0; v < 4; ++v) sequence[f][v] = wfMulAdd(corners[v], 0.01f * (float)f, wfMake3(corners[v].z, 0.3f, -corners[v].x));
    wfColliderDef def = wfDefaultColliderDef();
    def.shape = wf_shapeMesh;
    def.mesh = (wfMeshView){.positions = &corners[0].x, .vertexCount = 4, .triangles = triangles, .triangleCount = 2};
    def.sequence = &sequence[0][0].x;
    def.sequenceCount = Frames;
    return wfCreateCollider(scene, &def, err);
}

/// ripple: 0, or a start that differs in a bit.
static wfScene* MakeScene(wfDevice* device, const char* dynamics, int ripple, wfError* err) {
    wfSceneDef def = wfDefaultSceneDef();
    strcpy(def.contact, "project");
    strcpy(def.dynamics, dynamics);
    wfScene* scene = wfCreateScene(device, &def, err);
    if (scene == NULL) return NULL;
    wfSeamDef seam = wfDefaultSeamDef();
    seam.close = 0.1f;
    seam.a = (wfSeamSide){AddPanel(scene, "left", Rows, -0.35f, 0.3f, ripple, err), (const int[]){Across - 1, Left - 1}, 2};
    seam.b = (wfSeamSide){AddPanel(scene, "right", MoreRows, 0.05f, 0.5f, ripple, err), (const int[]){0, Right - Across}, 2};
    wfCreateSeam(scene, &seam, err);
    seam.match = wf_matchVertices;
    seam.start = 0.02f;
    seam.a.vertices = (const int[]){0, Left - Across};
    seam.b.vertices = (const int[]){Across - 1, Right - 1};
    wfCreateSeam(scene, &seam, err);
    wfColliderDef ball = wfDefaultColliderDef();
    const wfKey keys[] = {{0, {0, 0, 0}, {0, 0, 0, 1}}, {0.5f, {0.1f, 0.05f, 0}, {0, 0.6f, 0, 0.8f}}};
    ball.keys = keys;
    ball.keyCount = 2;
    wfPinDef pin = wfDefaultPinDef();
    pin.cloth = seam.a.cloth;
    pin.vertices = (const int[]){5, 6, 7};
    pin.vertexCount = 3;
    pin.follow = wfCreateCollider(scene, &ball, err);
    pin.attach = wf_attachSurface;
    pin.close = 0.1f;
    pin.stiffness = 30.0f;
    wfCreatePin(scene, &pin, err);
    pin.cloth = seam.b.cloth;
    pin.vertices = (const int[]){Right - 9, Right - 8};
    pin.vertexCount = 2;
    pin.follow = AddScreen(scene, err);
    pin.stiffness = 0.0f;
    wfCreatePin(scene, &pin, err);
    if (err->code == wf_ok && wfScene_Commit(scene, err)) return scene;
    wfDestroyScene(scene);
    return NULL;
}

static void StepFrames(wfScene* scene, int count) {
    wfError err = {0};
    for (int i = 0; i < count; ++i) ENSURE(wfScene_StepFrame(scene, &err), "%s", err.text);
}

static float LargestDifference(const wfScene* a, const wfScene* b) {
    static float x[Right][3], y[Right][3];
    float most = 0.0f;
    wfError err = {0};
    for (int c = 0; c < 2; ++c) {
        int count = c == 0 ? Left : Right;
        ENSURE(wfCloth_ReadPositions(a, wfScene_GetCloth(a, c), x[0], sizeof x[0], &err), "%s", err.text);
        ENSURE(wfCloth_ReadPositions(b, wfScene_GetCloth(b, c), y[0], sizeof y[0], &err), "%s", err.text);
        for (int i = 0; i < 3 * count; ++i) {
            float d = fabsf(x[i / 3][i % 3] - y[i / 3][i % 3]);
            if (!(d <= most)) most = d; // NaN stays
        }
    }
    return most;
}

/// What a bit of the start makes in `steps` on the reference: no more can be asked of another device.
static float SpreadOf(const char* dynamics, wfDevice* reference, int steps) {
    enum { Ripples = 4 };
    wfError err = {0};
    float spread = 0.0f;
    for (int ripple = 1; ripple <= Ripples; ++ripple) {
        wfScene *a = MakeScene(reference, dynamics, 0, &err), *b = MakeScene(reference, dynamics, ripple, &err);
        ENSURE(a != NULL && b != NULL, "%s", err.text);
        float step = a != NULL ? wfScene_GetDef(a)->time_step : 0.0f;
        for (int k = 0; a != NULL && b != NULL && k < steps; ++k)
            ENSURE(wfScene_Step(a, step, &err) && wfScene_Step(b, step, &err), "%s", err.text);
        if (a != NULL && b != NULL) spread = fmaxf(spread, LargestDifference(a, b));
        wfDestroyScene(a);
        wfDestroyScene(b);
    }
    return spread;
}

static void Compare(const char* dynamics, wfDevice* reference, wfDevice* device) {
    wfError err = {0};
    wfScene *a = MakeScene(reference, dynamics, 0, &err), *b = MakeScene(device, dynamics, 0, &err),
            *c = MakeScene(device, dynamics, 0, &err);
    ENSURE(a != NULL && b != NULL && c != NULL, "%s", err.text);
    if (a == NULL || b == NULL || c == NULL) return;
    bool cpu = wfDevice_GetKind(device) == wf_deviceCpu;
    float step = wfScene_GetDef(a)->time_step;
    ENSURE(wfScene_Step(a, step, &err) && wfScene_Step(b, step, &err) && wfScene_Step(c, step, &err), "%s", err.text);
    float one = LargestDifference(a, b);
    float spread = cpu || one <= 1e-5f ? 0.0f : SpreadOf(dynamics, reference, 1);
    ENSURE(cpu ? one == 0.0f : one <= fmaxf(1e-5f, 2.0f * spread), "positions after 1 step differ by %g, where a bit makes %g", (double)one,
           (double)spread);
    for (int k = 0; k < 3; ++k)
        ENSURE(wfScene_Step(a, step, &err) && wfScene_Step(b, step, &err) && wfScene_Step(c, step, &err), "%s", err.text);
    float four = LargestDifference(a, b); // what is drawn together buckles, and rounding doubles in every step
    spread = cpu || four <= 4e-4f ? 0.0f : SpreadOf(dynamics, reference, 4);
    ENSURE(cpu ? four == 0.0f : four <= fmaxf(4e-4f, 2.0f * spread), "positions after 4 steps differ by %g, where a bit makes %g",
           (double)four, (double)spread);
    StepFrames(b, WF_SLOW_BUILD ? 1 : 3);
    StepFrames(c, WF_SLOW_BUILD ? 1 : 3);
    int64_t warm = wfDevice_GetAllocCount(device);
    StepFrames(b, WF_SLOW_BUILD ? 1 : 5);
    StepFrames(c, WF_SLOW_BUILD ? 1 : 5);
    ENSURE(wfDevice_GetAllocCount(device) == warm, "a warm step allocated");
    ENSURE(LargestDifference(b, c) == 0.0f, "two runs on one device differ");
    if (!cpu) printf("     %s: after 1 step %.3g m apart, after 4 steps %.3g m\n", dynamics, (double)one, (double)four);
    wfDestroyScene(a);
    wfDestroyScene(b);
    wfDestroyScene(c);
}

void TestSeams(wfDevice* reference, wfDevice* device) {
    Compare("chebyshev", reference, device);
    Compare("hierarchy", reference, device);
    Compare("explicit", reference, device);
}
