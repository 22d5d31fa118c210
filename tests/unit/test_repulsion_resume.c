// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene_fixture.h"

#include "mesh/generate.h"

#include <unistd.h>

// Safe repulsion goes on from a checkpoint to the same bits, whatever it has made, recorded or grown before.

enum { N = 16, Sheets = 3, Poses = 9 };
static const char s_path[] = "repulsion_resume.wck";

/// A ball that turns, keeps its shape for 0.08 s, then gets flat, and keeps that: its edges bend ever more, and its triangles change
/// places.
static void AddBall(wfScene* scene) {
    wfGenerateDef make = wfDefaultGenerateDef();
    make.shape = wf_makeSphere;
    make.radius = 0.02f;
    make.edge = 0.006f;
    wfMesh mesh = {0};
    wfError err = {0};
    CHECK_OK(wfGenerate(&mesh, &make, &err), err);
    size_t count = (size_t)mesh.vertexCount;
    wfVec3* poses = malloc(Poses * count * sizeof *poses);
    for (int pose = 0; pose < Poses; ++pose) {
        float flat = pose < 5 ? 0.0f : 0.22f * (float)(pose - 4);
        for (size_t v = 0; v < count; ++v) {
            wfVec3 p = mesh.positions[v];
            poses[(size_t)pose * count + v] = wfMake3((1.0f + 0.3f * flat) * p.x, (1.0f - flat) * p.y, p.z);
        }
    }
    wfColliderDef ball = wfDefaultColliderDef();
    strcpy(ball.name, "ball");
    ball.shape = wf_shapeMesh;
    ball.mesh = (wfMeshView){.positions = &mesh.positions[0].x,
                             .vertexCount = mesh.vertexCount,
                             .triangles = mesh.triangles[0].v,
                             .triangleCount = mesh.triangleCount};
    ball.sequence = &poses[0].x;
    ball.sequenceCount = Poses;
    ball.sequenceRate = 50.0f;
    const wfKey keys[] = {{0.0f, {-0.015f, 0, 0}, {0, 0, 0, 1}}, {0.5f, {-0.01f, 0, 0}, {0, 0.70711f, 0, 0.70711f}}};
    ball.keys = keys;
    ball.keyCount = 2;
    AddCollider(scene, &ball);
    free(poses);
    wfMesh_Free(&mesh);
}

/// A box that keeps its shape and turns from the start.
static void AddBox(wfScene* scene) {
    const float h = 0.01f, corners[24] = {-h, -h, -h, h, -h, -h, -h, h, -h, h, h, -h, -h, -h, h, h, -h, h, -h, h, h, h, h, h};
    const int faces[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    const wfKey keys[] = {{0.0f, {0.027f, 0.01f, 0}, {0, 0, 0, 1}}, {1.0f, {0.027f, 0.01f, 0}, {0, 0.99619f, 0, 0.08716f}}};
    wfColliderDef box = wfDefaultColliderDef();
    strcpy(box.name, "box");
    box.shape = wf_shapeMesh;
    box.mesh = (wfMeshView){.positions = corners, .vertexCount = 8, .triangles = faces, .triangleCount = 12};
    box.keys = keys;
    box.keyCount = 2;
    AddCollider(scene, &box);
}

/// Sheets that fall onto both and gather there: more vertices are near each other than there is room for at the start.
static wfScene* MakeScene(wfDevice* device, wfIntegrator integrator) {
    wfSceneDef def = wfDefaultSceneDef();
    def.frame_rate = 100.0f;
    def.time_step = 0.01f;
    def.air_drag = 0.5f; // changes velocities when a step begins
    def.integrator = integrator;
    strcpy(def.contact, "repulsion");
    strcpy(def.stepper, "projection");
    strcpy(def.dynamics, "multilevel");
    wfScene* scene = NewScene(device, &def);
    for (int k = 0; k < Sheets; ++k) {
        Grid grid = MakeGrid(N, N, 0.06f, 0.06f, wfMake3(-0.029f, 0.0265f + 0.018f * (float)k, -0.031f));
        wfClothDef cloth = GridCloth(&grid, "sheet");
        cloth.name[5] = (char)('0' + k);
        cloth.velocity = wfMake3(0.0f, -0.6f * (float)k, 0.0f);
        AddCloth(scene, &cloth);
        FreeGrid(&grid);
    }
    AddBall(scene);
    AddBox(scene);
    Commit(scene);
    return scene;
}

// Before the ball changes its shape, while it does, and behind.
static void CheckResumes(wfIntegrator integrator) {
    const int stops[] = {1, 4, 9, 13, 18};
    wfDevice* device = OpenCpu(1);
    wfScene* whole = MakeScene(device, integrator);
    for (int k = 0; k < 5; ++k) {
        wfError err = {0};
        wfScene* resumed = MakeScene(device, integrator);
        StepFrames(whole, stops[k] - wfScene_GetFrame(whole));
        CHECK_OK(wfScene_SaveCheckpoint(whole, s_path, &err), err);
        CHECK_OK(wfScene_LoadCheckpoint(resumed, s_path, &err), err);
        unlink(s_path);
        for (int frame = 0; frame < 2; ++frame) {
            StepFrames(whole, 1);
            StepFrames(resumed, 1);
            CheckSameState(whole, resumed);
        }
        wfDestroyScene(resumed);
    }
    wfDestroyScene(whole);
    wfDestroyDevice(device);
}

static void TestResumes(void** state) {
    (void)state;
    CheckResumes(wf_integrateEuler);
}

static void TestResumesBdf2(void** state) {
    (void)state;
    CheckResumes(wf_integrateBdf2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestResumes), cmocka_unit_test(TestResumesBdf2)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
