// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "io/cache.h"
#include "io/file.h"

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
        cmocka_unit_test(TestFramesComeBack),       cmocka_unit_test(TestGoldenFile),
        cmocka_unit_test(TestGoesOnWhereItStopped), cmocka_unit_test(TestCutFiles),
        cmocka_unit_test(TestKilledWriters),        cmocka_unit_test(TestFullDisk),
        cmocka_unit_test(TestFrameRates),           cmocka_unit_test_teardown(TestBadCaches, GoBack),
    };
    return cmocka_run_group_tests(tests, MakeFolder, RemoveFolder);
}
