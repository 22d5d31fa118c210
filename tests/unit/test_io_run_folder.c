// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

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
    snprintf(path, sizeof path, "%s/run.json", s_folder);
    unlink(path);
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
                         .frameRate = 23.976,
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
    CheckRefused("[1]", ": expected a mapping with title, frame_rate, objects");
    CheckRefused("{\"title\": \"x\"}", ": frame_rate: expected a finite number, got nothing");
    CheckRefused("{\"title\": \"x\",\n\"frame_rate\": -1}", ":2: frame_rate: expected a number > 0, got \"-1\"");
    CheckRefused("{\"frame_rate\": 24, \"up\": \"x\"}", ":1: up: expected y or z, got \"x\"");
    CheckRefused("{\"frame_rate\": 24, \"up\": \"y\", \"objects\": 3}", ":1: objects: expected a list, got \"3\"");
    CheckRefused("{\"frame_rate\": 24, \"up\": \"y\", \"objects\": [{\"name\": \"a\", \"kind\": \"cloth\", \"color\": [1, 2]}]}",
                 ": objects[0].color: expected a list of 3 numbers, got a list");
    CheckRefused("{\"frame_rate\": 24, \"up\": \"y\", \"objects\": [\n3]}", ":2: objects[0]: expected a mapping, got \"3\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestManifestRoundTrip), cmocka_unit_test(TestBadManifests)};
    return cmocka_run_group_tests(tests, SetUp, TearDown);
}
