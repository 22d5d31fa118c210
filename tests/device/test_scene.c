// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "harness.h"

#include "scene/scene.h"

// A whole scene: pins that hold, move, pull and let go, a ball that moves, the check for finite positions, the certificate, a checkpoint.

enum { Side = 48, Vertices = Side * Side };

static wfScene* MakeScene(wfDevice* device, wfError* err) {
    static float positions[Vertices][3];
    static int triangles[2 * (Side - 1) * (Side - 1)][3];
    int t = 0;
    for (int j = 0; j < Side; ++j) {
        for (int i = 0; i < Side; ++i) {
            int v = j * Side + i;
            positions[v][0] = (float)i / (Side - 1) - 0.5f;
            positions[v][1] = 0.3f;
            positions[v][2] = (float)j / (Side - 1) - 0.5f;
            if (i + 1 == Side || j + 1 == Side) continue;
            memcpy(triangles[t++], (const int[]){v, v + Side, v + Side + 1}, sizeof triangles[0]);
            memcpy(triangles[t++], (const int[]){v, v + Side + 1, v + 1}, sizeof triangles[0]);
        }
    }
    wfSceneDef def = wfDefaultSceneDef();
    strcpy(def.contact, "project");
    wfScene* scene = wfCreateScene(device, &def, err);
    if (scene == NULL) return NULL;
    wfClothDef cloth = wfDefaultClothDef();
    strcpy(cloth.name, "sheet");
    cloth.mesh = (wfMeshView){.positions = positions[0], .vertexCount = Vertices, .triangles = triangles[0], .triangleCount = t};
    wfColliderDef ball = wfDefaultColliderDef();
    const wfKey keys[] = {{0, {0, 0, 0}, {0, 0, 0, 1}}, {0.5f, {0.1f, 0.05f, 0}, {0, 0.6f, 0, 0.8f}}};
    ball.keys = keys;
    ball.keyCount = 2;
    wfPinDef pin = wfDefaultPinDef();
    pin.cloth = wfCreateCloth(scene, &cloth, err);
    pin.vertexCount = 1;
    pin.vertices = (const int[]){0};
    wfCreateCollider(scene, &ball, err);
    wfCreatePin(scene, &pin, err);
    pin.keys = keys;
    pin.keyCount = 2;
    pin.vertices = (const int[]){Side - 1};
    wfCreatePin(scene, &pin, err);
    pin.keyCount = 0;
    pin.vertices = (const int[]){Vertices - 1};
    pin.stiffness = 20.0f;
    pin.release = 0.1f;
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
    static float x[Vertices][3], y[Vertices][3];
    wfError err = {0};
    ENSURE(wfCloth_ReadPositions(a, wfScene_GetCloth(a, 0), x[0], sizeof x[0], &err), "%s", err.text);
    ENSURE(wfCloth_ReadPositions(b, wfScene_GetCloth(b, 0), y[0], sizeof y[0], &err), "%s", err.text);
    float most = 0.0f;
    for (int i = 0; i < Vertices; ++i) {
        for (int k = 0; k < 3; ++k) {
            float d = fabsf(x[i][k] - y[i][k]);
            if (!(d <= most)) most = d; // NaN stays
        }
    }
    return most;
}

static bool Spoil(void* user, int64_t step, double time) {
    (void)time;
    wfScene* scene = user;
    wfVec4 bad = {.x = INFINITY, .y = 0.0f, .z = 0.0f, .w = 1.0f};
    if (step % 4 == 2) wfUploadRange(scene->device, &scene->state.x, 0, &bad, 1);
    return true;
}

void TestScene(wfDevice* reference, wfDevice* device) {
    wfError err = {0};
    wfScene *a = MakeScene(reference, &err), *b = MakeScene(device, &err), *c = MakeScene(device, &err);
    ENSURE(a != NULL && b != NULL && c != NULL, "%s", err.text);
    if (a == NULL || b == NULL || c == NULL) return;
    bool cpu = wfDevice_GetKind(device) == wf_deviceCpu;
    float step = wfScene_GetDef(a)->time_step;
    ENSURE(wfScene_Step(a, step, &err) && wfScene_Step(b, step, &err) && wfScene_Step(c, step, &err), "%s", err.text);
    float one = LargestDifference(a, b);
    ENSURE(cpu ? one == 0.0f : one <= 1e-5f, "positions after 1 step differ by %g", (double)one);
    // Cloth that buckles is chaotic: on the CPU alone, moving the start by 1e-7 m moves it by 4e-5 m in 3 frames and by 1 mm in 5. A
    // backend rounds otherwise in every step, so it gets ten times the former; later only what is summed over the vertices can be compared.
    StepFrames(a, 3);
    StepFrames(b, 3);
    StepFrames(c, 3);
    float three = LargestDifference(a, b);
    ENSURE(cpu ? three == 0.0f : three <= 4e-4f, "positions after 3 frames differ by %g", (double)three);
    StepFrames(a, 12);
    StepFrames(b, 5);
    StepFrames(c, 5);
    int64_t warm = wfDevice_GetAllocCount(device);
    StepFrames(b, 7);
    StepFrames(c, 7);
    ENSURE(wfDevice_GetAllocCount(device) == warm, "a warm step allocated");
    ENSURE(LargestDifference(b, c) == 0.0f, "two runs on one device differ");
    ENSURE(!cpu || LargestDifference(a, b) == 0.0f, "positions after 15 frames differ");

    wfCertificate p, q;
    ENSURE(wfScene_Certify(a, true, &p, &err) && wfScene_Certify(b, true, &q, &err), "%s", err.text);
    double part = cpu ? 0.0 : 0.1;
    ENSURE_NEAR(p.kineticEnergy, q.kineticEnergy, part * p.kineticEnergy);
    // Springs that crumple keep an energy that is not the motion's: on the CPU alone, moving the start by 1e-7 m gives 0.18 to 0.35 J here.
    ENSURE(cpu ? p.elasticEnergy == q.elasticEnergy : q.elasticEnergy > p.elasticEnergy / 3 && q.elasticEnergy < p.elasticEnergy * 3,
           "elastic energy: %g, %g", p.elasticEnergy, q.elasticEnergy);
    ENSURE_NEAR(p.gravityEnergy, q.gravityEnergy, part * fabs(p.gravityEnergy));
    ENSURE_NEAR(p.worstStretch, q.worstStretch, cpu ? 0.0 : 0.05);
    ENSURE(p.contacts > 50 && llabs(p.contacts - q.contacts) <= (cpu ? 0 : p.contacts / 10 + 3), "contacts: %lld, %lld",
           (long long)p.contacts, (long long)q.contacts);
    ENSURE(q.stageSeconds[wf_stageDynamics] > 0.0 && q.stageSeconds[wf_stageMotion] > 0.0, "no stage times");
    if (!cpu) {
        printf("     after 1 step %.3g m apart, after 3 frames %.3g m; kinetic %.4g, %.4g J; gravity %.4g, %.4g J; pairs %lld, %lld\n",
               (double)one, (double)three, p.kineticEnergy, q.kineticEnergy, p.gravityEnergy, q.gravityEnergy,
               (long long)p.intersectingPairs, (long long)q.intersectingPairs);
    }

    // A step that goes wrong leaves the state before the call.
    wfScene_SetProgress(b, Spoil, b);
    err = (wfError){0};
    ENSURE(!wfScene_StepFrame(b, &err), "a position that is not finite was taken");
    ENSURE(strcmp(err.text, "frame 16: cloth \"sheet\", vertex 0: position is not finite after dynamics \"chebyshev\"") == 0, "%s",
           err.text);
    ENSURE(LargestDifference(b, c) == 0.0f, "the state before the call was not restored");
    wfScene_SetProgress(b, NULL, NULL);

    // From a checkpoint to the same bits.
    char path[] = "test_device_checkpoint.tmp";
    err = (wfError){0};
    ENSURE(wfScene_SaveCheckpoint(b, path, &err), "%s", err.text);
    StepFrames(b, 6);
    StepFrames(c, 2);
    ENSURE(wfScene_LoadCheckpoint(c, path, &err), "%s", err.text);
    StepFrames(c, 6);
    ENSURE(LargestDifference(b, c) == 0.0f, "a run that went on from its checkpoint differs");
    remove(path);
    wfDestroyScene(a);
    wfDestroyScene(b);
    wfDestroyScene(c);
}
