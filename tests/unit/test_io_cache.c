// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "io/cache.h"
#include "base/file.h"
#include "io/mesh_file.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { s_vertexCount = 20011 }; // more than one chunk of the writer, and no multiple of it

static char s_folder[64];

static const char* InFolder(const char* name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", s_folder, name);
    return path;
}

static void FillFrame(float* x, int frame) {
    for (int i = 0; i < 3 * s_vertexCount; ++i) x[i] = sinf((float)(i + 1) * 0.37f) * (float)(frame + 1) - 0.1f * (float)frame;
}

static void WriteFrames(const char* path, int first, int last) {
    static float x[3 * s_vertexCount];
    wfError err = {0};
    wfPc2* cache = wfPc2_OpenWrite(path, s_vertexCount, 24.0, first, &err);
    if (cache == NULL) fail_msg("%s", err.text);
    assert_int_equal(wfPc2_GetFrameCount(cache), first);
    for (int f = first; f < last; ++f) {
        FillFrame(x, f);
        CHECK_OK(wfPc2_Append(cache, x, &err), err);
        assert_int_equal(wfPc2_GetFrameCount(cache), f + 1);
    }
    CHECK_OK(wfPc2_Close(cache, &err), err);
}

static void CheckFrames(const char* path, int count) {
    static float x[3 * s_vertexCount], expected[3 * s_vertexCount];
    wfError err = {0};
    wfPc2* cache = wfPc2_OpenRead(path, &err);
    if (cache == NULL) fail_msg("%s", err.text);
    assert_int_equal(wfPc2_GetFrameCount(cache), count);
    assert_int_equal(wfPc2_GetVertexCount(cache), s_vertexCount);
    assert_true(wfPc2_GetFrameRate(cache) == 24.0);
    for (int f = count - 1; f >= 0; --f) {
        FillFrame(expected, f);
        CHECK_OK(wfPc2_ReadFrame(cache, f, x, &err), err);
        assert_memory_equal(x, expected, sizeof x);
    }
    CHECK_OK(wfPc2_Close(cache, &err), err);
}

static off_t SizeOf(const char* path) {
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_size;
}

static void TestFramesComeBack(void** state) {
    (void)state;
    wfError err = {0};
    WriteFrames(InFolder("a.pc2"), 0, 5);
    assert_true(SizeOf(InFolder("a.pc2")) == 32 + 5 * 12 * (off_t)s_vertexCount);
    CheckFrames(InFolder("a.pc2"), 5);
    WriteFrames(InFolder("a.pc2"), 0, 2); // anew
    CheckFrames(InFolder("a.pc2"), 2);
    WriteFrames(InFolder("a.pc2"), 2, 2); // nothing
    CheckFrames(InFolder("a.pc2"), 2);
    assert_true(wfPc2_Close(NULL, &err));
}

static void TestGoldenFile(void** state) {
    (void)state;
    static const struct {
        const char* path;
        int frameCount;
    } rows[] = {{WF_TEST_DATA "/good/house.pc2", 3}, {WF_TEST_DATA "/good/house_killed.pc2", 2}, {WF_TEST_DATA "/good/house_cut.pc2", 2}};
    static const float first[] = {0, 0, 0, 1, 0, 0.1f, 1, 1, -0.25f, 0, 1, 3e-5f, 0.5f, 2, 0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        wfError err = {0};
        wfPc2* cache = wfPc2_OpenRead(rows[i].path, &err);
        if (cache == NULL) fail_msg("%s", err.text);
        assert_int_equal(wfPc2_GetVertexCount(cache), 5);
        assert_int_equal(wfPc2_GetFrameCount(cache), rows[i].frameCount);
        assert_true(wfPc2_GetFrameRate(cache) == 24.0);
        for (int f = 0; f < rows[i].frameCount; ++f) {
            float x[15], expected[15];
            CHECK_OK(wfPc2_ReadFrame(cache, f, x, &err), err);
            for (int k = 0; k < 15; ++k) expected[k] = first[k] + (k % 3 == 1 ? (float)f : 0.0f);
            assert_memory_equal(x, expected, sizeof x);
        }
        CHECK_OK(wfPc2_Close(cache, &err), err);
    }
}

static void TestGoesOnWhereItStopped(void** state) {
    (void)state;
    WriteFrames(InFolder("whole.pc2"), 0, 8);
    WriteFrames(InFolder("parts.pc2"), 0, 6);
    WriteFrames(InFolder("parts.pc2"), 4, 7); // frames 4 and 5 are cut off and come again
    WriteFrames(InFolder("parts.pc2"), 7, 8);
    size_t sizeA, sizeB;
    wfError err = {0};
    char* a = wfReadFile(InFolder("whole.pc2"), &sizeA, &err);
    char* b = wfReadFile(InFolder("parts.pc2"), &sizeB, &err);
    assert_non_null(a);
    assert_non_null(b);
    assert_int_equal(sizeA, sizeB);
    assert_memory_equal(a, b, sizeA);
    free(a);
    free(b);
}

/// The same file, cut at every interesting place: what is whole is read, and a run goes on from any frame of it.
static void TestCutFiles(void** state) {
    (void)state;
    const off_t frame = 12 * (off_t)s_vertexCount;
    for (int whole = 0; whole <= 3; ++whole) {
        const off_t extra[] = {0, 1, 4, frame / 2, frame - 1};
        for (size_t i = 0; i < sizeof extra / sizeof *extra; ++i) {
            if (whole == 3 && i > 0) continue;
            WriteFrames(InFolder("cut.pc2"), 0, 3);
            assert_int_equal(truncate(InFolder("cut.pc2"), 32 + whole * frame + extra[i]), 0);
            CheckFrames(InFolder("cut.pc2"), whole);
            WriteFrames(InFolder("cut.pc2"), whole, 3);
            CheckFrames(InFolder("cut.pc2"), 3);
        }
    }
    char message[256];
    wfError err;
    assert_int_equal(truncate(InFolder("cut.pc2"), 32 + 2 * frame + 100), 0);
    snprintf(message, sizeof message, "%s: cannot go on at frame 3, it has 2 whole frames", InFolder("cut.pc2"));
    CHECK_FAILS(wfPc2_OpenWrite(InFolder("cut.pc2"), s_vertexCount, 24.0, 3, &err) != NULL, err, message);
    CheckFrames(InFolder("cut.pc2"), 2); // and has touched nothing
}

static int CountFrames(const char* path) {
    wfError err = {0};
    wfPc2* cache = wfPc2_OpenRead(path, &err);
    if (cache == NULL) fail_msg("%s", err.text);
    int count = wfPc2_GetFrameCount(cache);
    CHECK_OK(wfPc2_Close(cache, &err), err);
    return count;
}

/// A writer killed at any moment leaves a cache whose counted frames are whole. Every second one starts anew over the old cache.
static void TestKilledWriters(void** state) {
    (void)state;
    WriteFrames(InFolder("killed.pc2"), 0, 1);
    for (int attempt = 0; attempt < 12; ++attempt) {
        int first = attempt % 2, enough = first + attempt / 2;
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            static float x[3 * s_vertexCount];
            wfError err = {0};
            wfPc2* cache = wfPc2_OpenWrite(InFolder("killed.pc2"), s_vertexCount, 24.0, first, &err);
            for (int f = first; cache != NULL; ++f) {
                FillFrame(x, f);
                if (!wfPc2_Append(cache, x, &err)) break;
            }
            _exit(1);
        }
        while (CountFrames(InFolder("killed.pc2")) < enough) usleep(200); // also while it writes there is a readable cache at any time
        usleep((useconds_t)attempt * 300);
        assert_int_equal(kill(child, SIGKILL), 0);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        int count = CountFrames(InFolder("killed.pc2"));
        CheckFrames(InFolder("killed.pc2"), count);
        if (count == 0) WriteFrames(InFolder("killed.pc2"), 0, 1);
    }
}

static void TestFullDisk(void** state) {
    (void)state;
    static float x[3 * s_vertexCount];
    wfError err = {0};
    wfPc2* cache = wfPc2_OpenWrite(InFolder("full.pc2"), s_vertexCount, 24.0, 0, &err);
    if (cache == NULL) fail_msg("%s", err.text);
    struct rlimit limit, old;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = old;
    limit.rlim_cur = 32 + 5 * 6 * s_vertexCount; // two and a half frames
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    bool ok = true;
    int written = 0;
    for (; ok; ++written) {
        FillFrame(x, written);
        ok = wfPc2_Append(cache, x, &err);
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(written, 3);
    char message[256];
    snprintf(message, sizeof message, "%s: File too large", InFolder("full.pc2"));
    assert_string_equal(err.text, message);
    err = (wfError){0};
    CHECK_OK(wfPc2_Close(cache, &err), err);
    CheckFrames(InFolder("full.pc2"), 2);
}

static void TestFrameRates(void** state) {
    (void)state;
    static const double rates[] = {1, 24, 25, 29.97, 30, 50, 59.94, 60, 90, 100, 120, 240, 1000, 24000.0 / 1001.0, 0.5, 12.5};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; ++i) {
        wfError err = {0};
        wfPc2* cache = wfPc2_OpenWrite(InFolder("rate.pc2"), 1, rates[i], 0, &err);
        if (cache == NULL) fail_msg("%s", err.text);
        CHECK_OK(wfPc2_Append(cache, (const float[]){1, 2, 3}, &err), err);
        CHECK_OK(wfPc2_Close(cache, &err), err);
        cache = wfPc2_OpenWrite(InFolder("rate.pc2"), 1, rates[i], 1, &err); // the same rate is known again
        if (cache == NULL) fail_msg("%s", err.text);
        CHECK_NEAR(wfPc2_GetFrameRate(cache), rates[i], rates[i] == round(rates[i]) ? 0.0 : 1e-7 * rates[i]);
        CHECK_OK(wfPc2_Close(cache, &err), err);
    }
}

static void TestBadCaches(void** state) {
    (void)state;
    static const char* const names[] = {"short", "magic", "version", "vertices", "frames", "sampling"};
    assert_int_equal(chdir(WF_TEST_DATA "/bad"), 0);
    wfError err = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        char path[64];
        size_t size;
        snprintf(path, sizeof path, "%s.err", names[i]);
        char* expected = wfReadFile(path, &size, &err);
        if (expected == NULL) fail_msg("%s", err.text);
        expected[strcspn(expected, "\n")] = 0;
        snprintf(path, sizeof path, "%s.pc2", names[i]);
        CHECK_FAILS(wfPc2_OpenRead(path, &err) != NULL, err, expected);
        free(expected);
    }
    CHECK_FAILS(wfPc2_OpenRead("none.pc2", &err) != NULL, err, "none.pc2: No such file or directory");
    CHECK_FAILS(wfPc2_OpenWrite("none.pc2", 5, 24, 1, &err) != NULL, err, "none.pc2: No such file or directory");
    CHECK_FAILS(wfPc2_OpenWrite("none/none.pc2", 5, 24, 0, &err) != NULL, err, "none/none.pc2: No such file or directory");
    CHECK_FAILS(wfPc2_OpenWrite("x.pc2", 0, 24, 0, &err) != NULL, err,
                "x.pc2: cannot write a cache of 0 vertices, 24 frames a second, from frame 0");
    CHECK_FAILS(wfPc2_OpenWrite("x.pc2", 5, 0, 0, &err) != NULL, err,
                "x.pc2: cannot write a cache of 5 vertices, 0 frames a second, from frame 0");
    CHECK_FAILS(wfPc2_OpenWrite("x.pc2", 5, NAN, 0, &err) != NULL, err,
                "x.pc2: cannot write a cache of 5 vertices, nan frames a second, from frame 0");
    CHECK_FAILS(wfPc2_OpenWrite("../good/house.pc2", 6, 24, 1, &err) != NULL, err,
                "../good/house.pc2: expected a cache of 6 vertices, it has 5");
    CHECK_FAILS(wfPc2_OpenWrite("../good/house.pc2", 5, 25, 1, &err) != NULL, err,
                "../good/house.pc2: expected a cache of 25 frames a second, it has 24");
    err = (wfError){0};
    wfPc2* cache = wfPc2_OpenRead("../good/house.pc2", &err);
    if (cache == NULL) fail_msg("%s", err.text);
    float x[15];
    CHECK_FAILS(wfPc2_ReadFrame(cache, 3, x, &err), err, "../good/house.pc2: frame 3: the cache has 3 frames (numbered from 0)");
    CHECK_FAILS(wfPc2_ReadFrame(cache, -1, x, &err), err, "../good/house.pc2: frame -1: the cache has 3 frames (numbered from 0)");
    assert_true(wfPc2_Close(cache, NULL));
}

//---------------------------------------------------------------------------------------------------------------------- exports

static wfMesh s_house, s_sail;
static wfPc2* s_frames;
static wfExportObject s_objects[2];

/// A house that rises through three frames, and a sail that stays, with a name that needs care.
static int MakeObjects(void** state) {
    (void)state;
    static const char sail[] = "v 2 0 0\nv 3 0 0\nv 2 1 0.5\nf 1 2 3\n";
    wfError err = {0};
    CHECK_OK(wfReadMesh(&s_house, WF_TEST_DATA "/good/house.obj", &err), err);
    CHECK_OK(wfParseObj(&s_sail, sail, sizeof sail - 1, "sail", &err), err);
    s_frames = wfPc2_OpenRead(WF_TEST_DATA "/good/house.pc2", &err);
    if (s_frames == NULL) fail_msg("%s", err.text);
    s_objects[0] = (wfExportObject){"house", {0.8f, 0.1f, 0.05f}, &s_house, s_frames};
    s_objects[1] = (wfExportObject){"1st \"sail\"", {0.2f, 0.3f, 2.0f}, &s_sail, NULL};
    return 0;
}

static int FreeObjects(void** state) {
    (void)state;
    wfMesh_Free(&s_house);
    wfMesh_Free(&s_sail);
    return wfPc2_Close(s_frames, NULL) ? 0 : -1;
}

/// The files beside the tests were looked at with other readers (tools/gltf_check.mjs; a USD parser): they must not change unnoticed.
static void CheckGolden(const char* written, const char* golden) {
    size_t sizeA, sizeB;
    wfError err = {0};
    char* a = wfReadFile(written, &sizeA, &err);
    if (a == NULL) fail_msg("%s", err.text);
    char* b = wfReadFile(golden, &sizeB, &err);
    if (b == NULL) fail_msg("%s", err.text);
    if (sizeA != sizeB || memcmp(a, b, sizeA) != 0) fail_msg("%s is not what %s holds", written, golden);
    free(a);
    free(b);
}

static void TestGoldenExports(void** state) {
    (void)state;
    wfError err = {0};
    CHECK_OK(wfWriteGltf(InFolder("a.glb"), s_objects, 2, 24.0, false, &err), err);
    CheckGolden(InFolder("a.glb"), WF_TEST_DATA "/good/house.glb");
    CHECK_OK(wfWriteUsda(InFolder("a.usda"), s_objects, 2, 24.0, true, &err), err);
    CheckGolden(InFolder("a.usda"), WF_TEST_DATA "/good/house.usda");
}

static uint32_t WordAt(const char* bytes, size_t offset) {
    uint32_t word; // little-endian, as the machines are that run these tests
    memcpy(&word, bytes + offset, 4);
    return word;
}

/// The binary chunk against the frames, by the layout that gltf.c states.
static void TestGltfHoldsTheFrames(void** state) {
    (void)state;
    wfError err = {0};
    wfMesh mesh = {0};
    CHECK_OK(wfMesh_Create(&mesh, s_vertexCount, 1, false, &err), err);
    mesh.triangles[0] = (wfTriangle){{0, 1, 2}};
    enum { frameCount = 4 };
    WriteFrames(InFolder("glb.pc2"), 0, frameCount);
    wfPc2* frames = wfPc2_OpenRead(InFolder("glb.pc2"), &err);
    wfExportObject object = {"cloth", {1, 1, 1}, &mesh, frames};
    CHECK_OK(wfWriteGltf(InFolder("b.glb"), &object, 1, 50.0, true, &err), err);
    size_t size;
    char* bytes = wfReadFile(InFolder("b.glb"), &size, &err);
    assert_non_null(bytes);
    assert_int_equal(WordAt(bytes, 0), 0x46546c67);
    assert_int_equal(WordAt(bytes, 4), 2);
    assert_int_equal(WordAt(bytes, 8), size);
    size_t jsonSize = WordAt(bytes, 12), start = 20 + jsonSize + 8;
    assert_int_equal(jsonSize % 4, 0);
    assert_int_equal(start + WordAt(bytes, start - 8), size);
    bytes[20 + jsonSize] = 0; // the JSON chunk as a string; the byte is the next chunk's length
    assert_non_null(strstr(bytes + 20, "\"rotation\":[-0.707106769,0,0,0.707106769]"));

    static float first[3 * s_vertexCount], x[3 * s_vertexCount];
    size_t row = sizeof first, at = start;
    for (int f = 0; f < frameCount; ++f, at += 2 * row) {
        const float* told = (const float*)(bytes + at);
        FillFrame(x, f);
        if (f == 0) memcpy(first, x, sizeof x);
        for (int i = 0; i < 3 * s_vertexCount; ++i) {
            float value = f == 0 ? told[i] : first[i] + told[i];
            if (!(fabsf(value - x[i]) <= (f == 0 ? 0.0f : 2e-7f * (fabsf(x[i]) + fabsf(first[i]))))) // two roundings
                fail_msg("frame %d, number %d: %.9g, not %.9g", f, i, (double)value, (double)x[i]);
        }
    }
    at += 12; // the indices of one triangle
    const float* times = (const float*)(bytes + at);
    for (int f = 0; f < frameCount; ++f) assert_true(times[f] == (float)(f / 50.0));
    const float* weights = times + frameCount;
    for (int f = 0; f < frameCount; ++f)
        for (int t = 0; t < frameCount - 1; ++t) assert_true(weights[f * (frameCount - 1) + t] == (t == f - 1 ? 1.0f : 0.0f));
    assert_ptr_equal((const char*)(weights + frameCount * (frameCount - 1)), bytes + size);
    free(bytes);
    wfMesh_Free(&mesh);
    CHECK_OK(wfPc2_Close(frames, &err), err);
}

static void TestUsdaNames(void** state) {
    (void)state;
    static const char* const names[] = {"a b", "a_b", "a-b", "a_b_2", "", "9"};
    static const char* const expected[] = {"\"a_b\" (", "\"a_b_2\" (", "\"a_b_3\" (", "\"a_b_2_2\" (", "\"_\" (", "\"_9\" ("};
    wfExportObject objects[6];
    wfError err = {0};
    for (int i = 0; i < 6; ++i) objects[i] = (wfExportObject){names[i], {1, 1, 1}, &s_sail, NULL};
    CHECK_OK(wfWriteUsda(InFolder("names.usda"), objects, 6, 30.0, false, &err), err);
    size_t size;
    char* text = wfReadFile(InFolder("names.usda"), &size, &err);
    assert_non_null(text);
    const char* at = text;
    for (int i = 0; i < 6; ++i) {
        at = strstr(at, expected[i]);
        if (at == NULL) fail_msg("%s is missing", expected[i]);
    }
    free(text);
}

static void TestBadExports(void** state) {
    (void)state;
    wfError err = {0};
    CHECK_FAILS(wfWriteGltf("x.glb", s_objects, 0, 24, false, &err), err, "x.glb: expected 1 or more objects, got 0");
    CHECK_FAILS(wfWriteUsda("x.usda", s_objects, 2, 0, false, &err), err, "x.usda: frame rate: expected above 0, got 0");
    CHECK_FAILS(wfWriteGltf("none/x.glb", s_objects, 2, 24, false, &err), err, "none/x.glb: No such file or directory");

    wfExportObject odd = {"odd", {1, 1, 1}, &s_sail, s_frames};
    CHECK_FAILS(wfWriteGltf("x.glb", &odd, 1, 24, false, &err), err, "x.glb: object \"odd\": the mesh has 3 vertices, the cache has 5");
    odd = (wfExportObject){"odd", {1, NAN, 1}, &s_sail, NULL};
    CHECK_FAILS(wfWriteUsda("x.usda", &odd, 1, 24, false, &err), err, "x.usda: object \"odd\": the colour is not finite");
    wfMesh points = {.vertexCount = 3, .positions = s_sail.positions};
    odd = (wfExportObject){"odd", {1, 1, 1}, &points, NULL};
    CHECK_FAILS(wfWriteUsda("x.usda", &odd, 1, 24, false, &err), err, "x.usda: object \"odd\" has no triangles");

    err = (wfError){0};
    wfPc2* cache = wfPc2_OpenWrite(InFolder("nan.pc2"), 3, 24, 0, &err);
    assert_non_null(cache);
    CHECK_OK(wfPc2_Append(cache, (const float[9]){0}, &err), err);
    CHECK_OK(wfPc2_Append(cache, (const float[9]){0, 1, 2, 3, NAN, 5}, &err), err);
    odd = (wfExportObject){"odd", {1, 1, 1}, &s_sail, cache};
    CHECK_FAILS(wfWriteGltf("x.glb", &odd, 1, 24, false, &err), err,
                "x.glb: object \"odd\", frame 1, vertex 1: expected finite numbers, got \"3 nan 5\"");
    CHECK_FAILS(wfWriteUsda("x.usda", &odd, 1, 24, false, &err), err,
                "x.usda: object \"odd\", frame 1, vertex 1: expected finite numbers, got \"3 nan 5\"");
    assert_int_equal(access("x.glb", F_OK), -1);
    assert_int_equal(access("x.usda", F_OK), -1);
    err = (wfError){0};
    CHECK_OK(wfPc2_Close(cache, &err), err);

    cache = wfPc2_OpenWrite(InFolder("far.pc2"), 3, 24, 0, &err);
    CHECK_OK(wfPc2_Append(cache, (const float[9]){-3e38f}, &err), err);
    CHECK_OK(wfPc2_Append(cache, (const float[9]){3e38f}, &err), err);
    odd.frames = cache;
    CHECK_FAILS(wfWriteGltf("x.glb", &odd, 1, 24, false, &err), err,
                "x.glb: object \"odd\", frame 1: moves farther than single precision can tell");
    err = (wfError){0};
    CHECK_OK(wfPc2_Close(cache, &err), err);
}

/// Two hundred frames of a million vertices: only holes in this file, and refused before any of it is read.
static void TestTooLargeForGlb(void** state) {
    (void)state;
    enum { vertexCount = 1000000, frameCount = 200 };
    wfError err = {0};
    wfPc2* cache = wfPc2_OpenWrite(InFolder("large.pc2"), vertexCount, 24, 0, &err);
    assert_non_null(cache);
    CHECK_OK(wfPc2_Close(cache, &err), err);
    assert_int_equal(truncate(InFolder("large.pc2"), 32 + 12 * (off_t)vertexCount * frameCount), 0);
    FILE* stream = fopen(InFolder("large.pc2"), "r+b");
    assert_non_null(stream);
    assert_int_equal(fseek(stream, 28, SEEK_SET), 0);
    assert_int_equal(fputc(frameCount, stream), frameCount);
    assert_int_equal(fclose(stream), 0);
    cache = wfPc2_OpenRead(InFolder("large.pc2"), &err);
    assert_non_null(cache);
    assert_int_equal(wfPc2_GetFrameCount(cache), frameCount);
    wfMesh mesh = {0};
    CHECK_OK(wfMesh_Create(&mesh, vertexCount, 1, false, &err), err);
    wfExportObject object = {"large", {1, 1, 1}, &mesh, cache};
    CHECK_FAILS(wfWriteGltf("x.glb", &object, 1, 24, false, &err), err,
                "x.glb: the animation takes 4.5 GiB, a .glb can hold 4; write fewer frames, or pc2 or usda");
    wfMesh_Free(&mesh);
    assert_true(wfPc2_Close(cache, NULL));
}

static int MakeFolder(void** state) {
    (void)state;
    snprintf(s_folder, sizeof s_folder, "test_io_cache_XXXXXX");
    return mkdtemp(s_folder) != NULL ? 0 : -1;
}

static int RemoveFolder(void** state) {
    (void)state;
    char command[80];
    snprintf(command, sizeof command, "rm -r ./%s", s_folder);
    return system(command);
}

static char s_start[1024];

static int GoBack(void** state) {
    (void)state;
    return chdir(s_start);
}

int main(void) {
    if (getcwd(s_start, sizeof s_start) == NULL) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestFramesComeBack),
        cmocka_unit_test(TestGoldenFile),
        cmocka_unit_test(TestGoesOnWhereItStopped),
        cmocka_unit_test(TestCutFiles),
        cmocka_unit_test(TestKilledWriters),
        cmocka_unit_test(TestFullDisk),
        cmocka_unit_test(TestFrameRates),
        cmocka_unit_test_teardown(TestBadCaches, GoBack),
        cmocka_unit_test_setup_teardown(TestGoldenExports, MakeObjects, FreeObjects),
        cmocka_unit_test(TestGltfHoldsTheFrames),
        cmocka_unit_test_setup_teardown(TestUsdaNames, MakeObjects, FreeObjects),
        cmocka_unit_test_setup_teardown(TestBadExports, MakeObjects, FreeObjects),
        cmocka_unit_test(TestTooLargeForGlb),
    };
    return cmocka_run_group_tests(tests, MakeFolder, RemoveFolder);
}
