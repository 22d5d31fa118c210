// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "io/cache.h"
#include "io/mesh_file.h"
#include "io/run_manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char s_folder[64];

static int SetUp(void** state) {
    (void)state;
    strcpy(s_folder, "/tmp/weft_run_XXXXXX");
    return mkdtemp(s_folder) == NULL;
}

static int TearDown(void** state) {
    (void)state;
    char path[128];
    static const char* const names[] = {"run.json", "sheet.obj", "sheet.pc2", "ball.obj", "rest.obj"};
    for (int i = 0; i < 5; ++i) {
        snprintf(path, sizeof path, "%s/%s", s_folder, names[i]);
        unlink(path);
    }
    return rmdir(s_folder);
}

static void TestManifestRoundTrip(void** state) {
    (void)state;
    wfError err = {0};
    wfRunObject objects[2] = {
        {.name = "sheet \"A\\B\"",
         .cloth = true,
         .color = {0.1f, 0.25f, 1.0f / 3.0f},
         .visible = true,
         .topology = "sheet.obj",
         .cache = "sheet.pc2",
         .rest = "sheet.obj"},
        {.name = "true", .cloth = false, .color = {1, 1, 1}, .visible = false, .topology = "ball.obj"},
    };
    wfRunManifest out = {.title = "Tücher:\t#1 {\"x\"}",
                         .frameRate = 23.976f,
                         .up = wf_upZ,
                         .camera = {.given = true, .eye = {1, -2.5f, 3e-7f}, .target = {0, 0.1f, 0}, .fov = 33.25f},
                         .objects = objects,
                         .objectCount = 2};
    CHECK_OK(wfWriteRunManifest(s_folder, &out, &err), err);
    assert_true(wfIsRunFolder(s_folder));
    char path[128];
    snprintf(path, sizeof path, "%s/run.json", s_folder);
    wfArena arena = {0};
    wfRunManifest in;
    CHECK_OK(wfReadRunManifest(&in, &arena, path, &err), err);
    assert_string_equal(in.title, out.title);
    assert_true(in.frameRate == out.frameRate && in.up == out.up);
    assert_true(in.camera.given && in.camera.fov == out.camera.fov);
    assert_memory_equal(&in.camera.eye, &out.camera.eye, sizeof in.camera.eye);
    assert_memory_equal(&in.camera.target, &out.camera.target, sizeof in.camera.target);
    assert_int_equal(in.objectCount, 2);
    for (int i = 0; i < 2; ++i) {
        assert_string_equal(in.objects[i].name, objects[i].name);
        assert_string_equal(in.objects[i].topology, objects[i].topology);
        assert_string_equal(in.objects[i].cache, objects[i].cache);
        assert_string_equal(in.objects[i].rest, objects[i].rest);
        assert_true(in.objects[i].cloth == objects[i].cloth && in.objects[i].visible == objects[i].visible);
        assert_memory_equal(&in.objects[i].color, &objects[i].color, sizeof(wfVec3));
    }
    wfArena_Free(&arena);

    out.camera.given = false;
    out.objectCount = 0;
    CHECK_OK(wfWriteRunManifest(s_folder, &out, &err), err);
    CHECK_OK(wfReadRunManifest(&in, &arena, path, &err), err);
    assert_false(in.camera.given);
    assert_int_equal(in.objectCount, 0);
    wfArena_Free(&arena);
}

static void CheckRefused(const char* json, const char* message) {
    char path[128], expected[600];
    snprintf(path, sizeof path, "%s/run.json", s_folder);
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fputs(json, file);
    fclose(file);
    wfArena arena = {0};
    wfRunManifest in;
    wfError err;
    snprintf(expected, sizeof expected, "%s%s", path, message);
    CHECK_FAILS(wfReadRunManifest(&in, &arena, path, &err), err, expected);
    wfArena_Free(&arena);
}

static void TestBadManifests(void** state) {
    (void)state;
    CheckRefused("[1]", ":1: expected a mapping with title, frame_rate, objects");
    CheckRefused("{\"title\": \"x\"}", ":1: frame_rate: expected a finite number, got nothing");
    CheckRefused("{\"title\": \"x\",\n\"frame_rate\": -1}", ":2: frame_rate: expected a number > 0, got \"-1\"");
    CheckRefused("{\"frame_rate\": 24, \"up\": \"x\"}", ":1: up: expected y or z, got \"x\"");
    CheckRefused("{\"frame_rate\": 24, \"up\": \"y\", \"objects\": 3}", ":1: objects: expected a list, got \"3\"");
    CheckRefused("{\"frame_rate\": 24, \"up\": \"y\", \"objects\": [{\"name\": \"a\", \"kind\": \"cloth\", \"color\": [1, 2]}]}",
                 ":1: objects[0].color: expected a list of 3 numbers, got a list");
    CheckRefused("{\"frame_rate\": 24, \"up\": \"y\", \"objects\": [\n3]}", ":2: objects[0]: expected a mapping, got \"3\"");
}

static void WriteTriangle(const char* name, int vertexCount, float size) {
    char path[128];
    wfError err = {0};
    wfMesh mesh = {0};
    CHECK_OK(wfMesh_Create(&mesh, vertexCount, 1, false, &err), err);
    for (int v = 0; v < vertexCount; ++v) mesh.positions[v] = wfMake3(size * (float)(v % 2), size * (float)(v / 2), 0);
    mesh.triangles[0] = (wfTriangle){{0, 1, 2}};
    snprintf(path, sizeof path, "%s/%s", s_folder, name);
    CHECK_OK(wfWriteMesh(path, &mesh, &err), err);
    wfMesh_Free(&mesh);
}

static void TestFolder(void** state) {
    (void)state;
    wfError err = {0};
    char path[128], expected[256];
    wfRunObject objects[2] = {
        {.name = "sheet", .cloth = true, .visible = true, .topology = "sheet.obj", .cache = "sheet.pc2", .rest = "rest.obj"},
        {.name = "ball", .visible = true, .topology = "ball.obj"},
    };
    WriteTriangle("sheet.obj", 3, 1.0f);
    WriteTriangle("rest.obj", 3, 2.0f);
    WriteTriangle("ball.obj", 4, 5.0f);
    snprintf(path, sizeof path, "%s/sheet.pc2", s_folder);
    wfPc2* cache = wfPc2_OpenWrite(path, 3, 24.0, 0, &err);
    assert_non_null(cache);
    for (int f = 0; f < 3; ++f) {
        float p[9] = {(float)f, 1, 2, 3, 4, 5, 6, 7, 8};
        CHECK_OK(wfPc2_Append(cache, p, &err), err);
    }
    CHECK_OK(wfPc2_Close(cache, &err), err);
    wfRunManifest manifest = {.frameRate = 24.0, .objects = objects, .objectCount = 2};
    CHECK_OK(wfWriteRunManifest(s_folder, &manifest, &err), err);

    wfRunFolder* run = wfRunFolder_Open(s_folder, &err);
    if (run == NULL) fail_msg("%s", err.text);
    assert_int_equal(wfRunFolder_GetFrameCount(run), 3);
    assert_int_equal(wfRunFolder_GetManifest(run)->objectCount, 2);
    assert_int_equal(wfRunFolder_GetMesh(run, 1)->vertexCount, 4);
    wfVec3 p[4];
    CHECK_OK(wfRunFolder_ReadFrame(run, 0, 2, p, &err), err);
    assert_true(p[0].x == 2.0f && p[2].z == 8.0f);
    CHECK_OK(wfRunFolder_ReadFrame(run, 1, 2, p, &err), err); // never moves
    assert_true(p[1].x == 5.0f && p[3].y == 5.0f);
    CHECK_OK(wfRunFolder_ReadRest(run, 0, p, &err), err);
    assert_true(p[1].x == 2.0f);
    snprintf(expected, sizeof expected, "%s: frame 3 asked for, it has 3 (0 is the first)", s_folder);
    CHECK_FAILS(wfRunFolder_ReadFrame(run, 0, 3, p, &err), err, expected);
    wfRunFolder_Close(run);

    WriteTriangle("sheet.obj", 4, 1.0f); // no longer fits its cache
    err = (wfError){0};
    assert_null(wfRunFolder_Open(s_folder, &err));
    snprintf(expected, sizeof expected, "%s/sheet.pc2: 3 vertices, its topology sheet.obj has 4", s_folder);
    assert_string_equal(err.text, expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestManifestRoundTrip), cmocka_unit_test(TestBadManifests),
                                       cmocka_unit_test(TestFolder)};
    return cmocka_run_group_tests(tests, SetUp, TearDown);
}
