// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene_fixture.h"

#include "math/vec.h"

#include <stdio.h>
#include <unistd.h>

// Checkpoints: going on from one gives the same bits, and whatever is not whole or not of this scene is refused.

typedef void (*Change)(wfSceneDef* scene, wfClothDef* cloth, wfColliderDef* collider, wfPinDef* pin);

static wfScene* MakeScene(wfDevice* device, Change change) {
    wfSceneDef def = wfDefaultSceneDef();
    def.preroll = 0.02f;
    def.wind = wfMake3(1, 0, 0.5f);
    def.wind_noise = 0.5f;
    def.air_density = 1.2f;
    Grid grid = MakeGrid(10, 10, 0.5f, 0.5f, wfMake3(-0.25f, 0.3f, -0.25f));
    wfClothDef cloth = GridCloth(&grid, "sheet");
    wfColliderDef ball = wfDefaultColliderDef();
    const wfKey keys[] = {{0.0f, {0, 0, 0}, {0, 0, 0, 1}}, {0.2f, {0.1f, 0.05f, 0}, {0, 0.6f, 0, 0.8f}}};
    ball.keys = keys;
    ball.keyCount = 2;
    int vertex = 3;
    wfPinDef pin = wfDefaultPinDef();
    pin.vertices = &vertex;
    pin.vertexCount = 1;
    pin.release = 0.1f;
    if (change != NULL) change(&def, &cloth, &ball, &pin);
    wfScene* scene = NewScene(device, &def);
    pin.cloth = AddCloth(scene, &cloth);
    AddCollider(scene, &ball);
    AddPin(scene, &pin);
    Commit(scene);
    FreeGrid(&grid);
    return scene;
}

// A file in a folder of its own; the working folder of the tests is the build's.
static char s_path[64];
static int MakeFolder(void** state) {
    (void)state;
    char folder[] = "checkpoint.XXXXXX";
    if (mkdtemp(folder) == NULL) return 1;
    snprintf(s_path, sizeof s_path, "%s/state.wck", folder);
    return 0;
}

static int RemoveFolder(void** state) {
    (void)state;
    unlink(s_path);
    *strrchr(s_path, '/') = 0;
    return rmdir(s_path); // also fails where a temporary file was left
}

static void TestResumeGivesTheSameBits(void** state) {
    (void)state;
    wfDevice *one = OpenCpu(1), *two = OpenCpu(2);
    wfError err = {0};
    for (int stop = 0; stop <= 8; stop += WF_SLOW_BUILD ? 8 : 4) { // before the preroll, before and after the pin lets go
        wfScene *whole = MakeScene(one, NULL), *first = MakeScene(one, NULL), *second = MakeScene(two, NULL);
        StepFrames(whole, 12);
        StepFrames(first, stop);
        CHECK_OK(wfScene_SaveCheckpoint(first, s_path, &err), err);
        CHECK_OK(wfScene_SaveCheckpoint(first, s_path, &err), err); // over the old one
        StepFrames(second, 2);                                      // what was there is overwritten
        CHECK_OK(wfScene_LoadCheckpoint(second, s_path, &err), err);
        assert_int_equal(wfScene_GetFrame(second), stop);
        assert_true(wfScene_GetTime(second) == wfScene_GetTime(first));
        CheckSameState(first, second);
        wfCertificate c;
        CHECK_OK(wfScene_Certify(second, false, &c, &err), err);
        assert_int_equal(c.contacts, -1);
        StepFrames(second, 12 - stop);
        CheckSameState(whole, second);
        wfDestroyScene(whole);
        wfDestroyScene(first);
        wfDestroyScene(second);
    }
    wfDestroyDevice(one);
    wfDestroyDevice(two);
}

// ---- stopped within a frame ---------------------------------------------------------------------------------------------------

// A sheet that is thrown onto a ball, with dynamics that know nothing of contacts, so that every frame is cut into halved steps.
static wfScene* MakeThrown(wfDevice* device) {
    wfSceneDef def = wfDefaultSceneDef();
    def.time_step = 1.0f / 60;
    snprintf(def.dynamics, sizeof def.dynamics, "hierarchy");
    Grid grid = MakeGrid(13, 13, 1.0f, 1.0f, wfMake3(-0.5f, 0.3f, -0.5f));
    wfClothDef cloth = GridCloth(&grid, "sheet");
    cloth.velocity = wfMake3(0, -8, 0);
    wfColliderDef ball = wfDefaultColliderDef();
    wfScene* scene = NewScene(device, &def);
    AddCloth(scene, &cloth);
    AddCollider(scene, &ball);
    Commit(scene);
    FreeGrid(&grid);
    return scene;
}

static bool CountDown(void* left, int64_t steps, double time) {
    (void)steps, (void)time;
    return (*(int*)left)-- != 0;
}

// How far steps are halved, and since when, is part of what a stopped call leaves.
static void TestStoppedInHalvedSteps(void** state) {
    (void)state;
    enum { Frames = 2 };
    wfDevice* device = OpenCpu(1);
    wfScene* whole = MakeThrown(device);
    int left = -1;
    wfScene_SetProgress(whole, CountDown, &left);
    StepFrames(whole, Frames);
    int tries = -1 - left;
    assert_true(tries > 4 * Frames);
    for (int stop = 1; stop < tries; stop += WF_SLOW_BUILD ? 9 : 2) {
        wfScene *first = MakeThrown(device), *second = MakeThrown(device);
        wfError err = {0};
        left = stop;
        wfScene_SetProgress(first, CountDown, &left);
        while (wfScene_GetFrame(first) < Frames && wfScene_StepFrame(first, &err)) {}
        assert_int_equal(err.code, wf_cancelled);
        err = (wfError){0};
        wfScene_SetProgress(first, NULL, NULL);
        CHECK_OK(wfScene_SaveCheckpoint(first, s_path, &err), err);
        CHECK_OK(wfScene_LoadCheckpoint(second, s_path, &err), err);
        StepFrames(first, Frames - wfScene_GetFrame(first));
        StepFrames(second, Frames - wfScene_GetFrame(second));
        CheckSameState(whole, first);
        CheckSameState(whole, second);
        wfDestroyScene(first);
        wfDestroyScene(second);
    }
    wfDestroyScene(whole);
    wfDestroyDevice(device);
}

static void Nothing(wfSceneDef* s, wfClothDef* c, wfColliderDef* b, wfPinDef* p) {
    (void)p;
    s->frames = 999; // a run may be made longer, and looks may change
    c->color.x = 0.0f;
    b->visible = false;
}
static void Gravity(wfSceneDef* s, wfClothDef* c, wfColliderDef* b, wfPinDef* p) {
    (void)c, (void)b, (void)p;
    s->gravity.y = -1.62f;
}
static void Density(wfSceneDef* s, wfClothDef* c, wfColliderDef* b, wfPinDef* p) {
    (void)s, (void)b, (void)p;
    c->fabric.density = 0.21f;
}
static void Smaller(wfSceneDef* s, wfClothDef* c, wfColliderDef* b, wfPinDef* p) {
    (void)s, (void)b, (void)p;
    c->mesh.triangleCount -= 2; // drops a corner cell; the vertices stay, one of them loses its only triangles
    c->mesh.vertexCount -= 1;
}
static void Radius(wfSceneDef* s, wfClothDef* c, wfColliderDef* b, wfPinDef* p) {
    (void)s, (void)c, (void)p;
    b->radius = 0.26f;
}
static void Motion(wfSceneDef* s, wfClothDef* c, wfColliderDef* b, wfPinDef* p) {
    (void)s, (void)c, (void)p;
    b->keyCount = 1;
}
static void Release(wfSceneDef* s, wfClothDef* c, wfColliderDef* b, wfPinDef* p) {
    (void)s, (void)c, (void)b;
    p->release = 0.2f;
}

static void TestOtherScenesAreRefused(void** state) {
    (void)state;
    static const struct {
        Change change;
        const char* what; // NULL: taken
    } cases[] = {{Nothing, NULL},       {Gravity, "parameters"}, {Density, "cloths"}, {Smaller, "cloths"},
                 {Radius, "colliders"}, {Motion, "colliders"},   {Release, "pins"}};
    wfDevice* device = OpenCpu(1);
    wfError err = {0};
    wfScene* scene = MakeScene(device, NULL);
    StepFrames(scene, 2);
    CHECK_OK(wfScene_SaveCheckpoint(scene, s_path, &err), err);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        wfScene *other = MakeScene(device, cases[i].change), *same = MakeScene(device, cases[i].change);
        if (cases[i].what == NULL) {
            err = (wfError){0};
            CHECK_OK(wfScene_LoadCheckpoint(other, s_path, &err), err);
        } else {
            char message[160];
            snprintf(message, sizeof message, "%s: the checkpoint is of another scene: its %s differ", s_path, cases[i].what);
            CHECK_FAILS(wfScene_LoadCheckpoint(other, s_path, &err), err, message);
            assert_int_equal(err.code, wf_badInput);
            CheckSameState(other, same); // and left alone
            assert_int_equal(wfScene_GetFrame(other), 0);
        }
        wfDestroyScene(other);
        wfDestroyScene(same);
    }
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

static size_t ReadAll(char* data, size_t size) {
    FILE* f = fopen(s_path, "rb");
    assert_non_null(f);
    size_t n = fread(data, 1, size, f);
    fclose(f);
    return n;
}

static void WriteAll(const char* data, size_t size) {
    FILE* f = fopen(s_path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    fclose(f);
}

static void TestDamagedFilesAreRefused(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfError err = {0};
    wfScene *scene = MakeScene(device, NULL), *same = MakeScene(device, NULL);
    CHECK_OK(wfScene_SaveCheckpoint(scene, s_path, &err), err);
    static char data[8192];
    size_t size = ReadAll(data, sizeof data);
    assert_int_equal(size, 136 + 100 * 32 + 8);
    char message[160];
    // Torn at every length, one flipped bit at every byte: none of them is ever taken.
    for (size_t cut = 0; cut < size; cut += cut < 142 ? 1 : 61) {
        WriteAll(data, cut);
        if (cut < 136) {
            snprintf(message, sizeof message, "%s: not a weft checkpoint", s_path);
        } else {
            snprintf(message, sizeof message, "%s: the checkpoint is torn: expected %zu bytes, got %zu", s_path, size, cut);
        }
        CHECK_FAILS(wfScene_LoadCheckpoint(scene, s_path, &err), err, message);
    }
    for (size_t at = 0; at < size; at += at < 142 ? 1 : 37) {
        data[at] ^= 4;
        WriteAll(data, size);
        data[at] ^= 4;
        err = (wfError){0};
        assert_false(wfScene_LoadCheckpoint(scene, s_path, &err));
        assert_int_equal(err.code, wf_badInput);
    }
    data[200] ^= 4;
    WriteAll(data, size);
    snprintf(message, sizeof message, "%s: the checkpoint is damaged: its checksum does not fit", s_path);
    CHECK_FAILS(wfScene_LoadCheckpoint(scene, s_path, &err), err, message);
    data[200] ^= 4;
    data[8] = 8;
    WriteAll(data, size);
    snprintf(message, sizeof message, "%s: checkpoint of version 8, expected version 7", s_path);
    CHECK_FAILS(wfScene_LoadCheckpoint(scene, s_path, &err), err, message);
    CheckSameState(scene, same);
    unlink(s_path);
    snprintf(message, sizeof message, "%s: No such file or directory", s_path);
    CHECK_FAILS(wfScene_LoadCheckpoint(scene, s_path, &err), err, message);
    assert_int_equal(err.code, wf_fileFailed);
    CHECK_FAILS(wfScene_SaveCheckpoint(scene, "no/such/folder/x.wck", &err), err, "no/such/folder/x.wck: No such file or directory");
    wfDestroyScene(scene);
    wfDestroyScene(same);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(TestResumeGivesTheSameBits, MakeFolder, RemoveFolder),
        cmocka_unit_test_setup_teardown(TestStoppedInHalvedSteps, MakeFolder, RemoveFolder),
        cmocka_unit_test_setup_teardown(TestOtherScenesAreRefused, MakeFolder, RemoveFolder),
        cmocka_unit_test_setup_teardown(TestDamagedFilesAreRefused, MakeFolder, RemoveFolder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
