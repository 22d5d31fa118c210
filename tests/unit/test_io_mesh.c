// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "base/file.h"
#include "io/mesh_file.h"
#include "io/number.h"
#include "io/weld.h"

#include <dirent.h>
#include <float.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char s_folder[64];

static const char* InFolder(const char* name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", s_folder, name);
    return path;
}

static uint64_t s_random = 0x2545f4914f6cdd1du;

static uint32_t Random(void) {
    s_random ^= s_random << 13;
    s_random ^= s_random >> 7;
    s_random ^= s_random << 17;
    return (uint32_t)(s_random >> 32);
}

static float RandomFiniteFloat(void) {
    for (;;) {
        uint32_t bits = Random();
        float value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) return value;
    }
}

static void CheckSameMesh(const wfMesh* a, const wfMesh* b) {
    assert_int_equal(a->vertexCount, b->vertexCount);
    assert_int_equal(a->triangleCount, b->triangleCount);
    assert_int_equal(a->stitchCount, b->stitchCount);
    assert_memory_equal(a->positions, b->positions, (size_t)a->vertexCount * sizeof *a->positions);
    assert_memory_equal(a->triangles, b->triangles, (size_t)a->triangleCount * sizeof *a->triangles);
    assert_int_equal(a->flat == NULL, b->flat == NULL);
    if (a->flat != NULL) assert_memory_equal(a->flat, b->flat, (size_t)a->triangleCount * sizeof *a->flat);
    if (a->stitchCount > 0) assert_memory_equal(a->stitches, b->stitches, (size_t)a->stitchCount * sizeof *a->stitches);
}

//---------------------------------------------------------------------------------------------------------------------- numbers

/// strtof in the C locale judges.
static void CheckNumber(const char* text) {
    float value = -1.0f;
    const char* end = text + strlen(text);
    char* judged;
    float expected = strtof(text, &judged);
    if (wfScanFloat(text, end, &value) != judged || memcmp(&value, &expected, sizeof value) != 0)
        fail_msg("\"%s\": got %a, strtof gives %a", text, (double)value, (double)expected);
}

static void TestNumbersAreNearest(void** state) {
    (void)state;
    static const char* const texts[] = {"0",
                                        "-0",
                                        "+1",
                                        "1.",
                                        ".5",
                                        "-.5e1",
                                        "1e5",
                                        "1E+5",
                                        "1e-5",
                                        "1e",
                                        "1e+",
                                        "1.5x",
                                        "16777217",
                                        "16777219",
                                        "16777217.0000000000000000001",
                                        "3.4028234663852886e38",
                                        "3.4028235677973366e38",
                                        "3.4028235677973367e38",
                                        "1e39",
                                        "-1e400",
                                        "1e99999999999999999999",
                                        "1e-99999999999999999999",
                                        "1.1754943508222875e-38",
                                        "1.401298464324817e-45",
                                        "7.006492321624085e-46",
                                        "7.006492321624086e-46",
                                        "1e-46",
                                        "0e999",
                                        "00000000000000000000001.5",
                                        "0.00000000000000000000000000000000000000000000000000000000000000000000001e71",
                                        "123456789012345678901234567890",
                                        "9007199254740993",
                                        "100000000000000000000000000000000000000000000000000000000000000e-60",
                                        "8388608.5",
                                        "8388609.5",
                                        "8388609.50000000000000000000000000000000000001"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) CheckNumber(texts[i]);

    char text[400];
    for (int i = 0; i < 300000; ++i) {
        float f = RandomFiniteFloat();
        snprintf(text, sizeof text, "%.*e", (int)(Random() % 20), (double)f);
        CheckNumber(text);
        snprintf(text, sizeof text, "%.*g", 1 + (int)(Random() % 20), (double)((int)Random()) / (double)(1 + Random() % 100000));
        CheckNumber(text);
    }
    // The exact middle between two floats, and a hair beside it.
    for (int i = 0; i < 20000; ++i) {
        float f = fabsf(RandomFiniteFloat());
        double middle = 0.5 * ((double)f + (double)nextafterf(f, INFINITY));
        if (middle > (double)FLT_MAX) continue;
        snprintf(text, sizeof text, "%.160e", middle);
        CheckNumber(text);
        size_t length = strcspn(text, "e");
        text[length - 1] = '1'; // far behind the digits that the middle has
        CheckNumber(text);
    }
    float value;
    static const char* const none[] = {"", "-", "+", ".", "e5", "nan", "inf", "-.", "abc", "--1", " 1"};
    for (size_t i = 0; i < sizeof none / sizeof *none; ++i) assert_null(wfScanFloat(none[i], none[i] + strlen(none[i]), &value));
}

static void TestNumbersComeBack(void** state) {
    (void)state;
    char text[wf_numberSize], judged[wf_numberSize];
    static const double plain[] = {
        0,     -0.0,   1,     -1,        10,       123456789, 999999999, 999999999.5, 1e9,   1e-4,   9.99999999e-5, 0.1,
        0.125, 1234.5, 100.5, 1.0 / 3.0, 0.000125, 1e38,      1.5e-45,   24,          1e-38, 23.976, 0.0009765625,  100};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; ++i) {
        wfFormatNumber(text, plain[i]);
        snprintf(judged, sizeof judged, "%.9g", plain[i]);
        assert_string_equal(text, judged);
    }
    for (int i = 0; i < 300000; ++i) {
        float f = i % 2 ? RandomFiniteFloat() : (float)(int)Random() / (float)(1 << Random() % 31), back;
        int length = wfFormatNumber(text, (double)f);
        snprintf(judged, sizeof judged, "%.9g", (double)f);
        assert_string_equal(text, judged); // printf judges the digits as well
        assert_int_equal(length, strlen(text));
        assert_ptr_equal(wfScanFloat(text, text + length, &back), text + length);
        assert_memory_equal(&f, &back, sizeof f);
    }
}

static void TestLargeAndSmallDoubles(void** state) {
    (void)state;
    char text[wf_numberSize], judged[wf_numberSize];
    for (int i = 0; i < 100000; ++i) {
        uint64_t bits = (uint64_t)Random() << 32 | Random();
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        wfFormatNumber(text, value);
        snprintf(judged, sizeof judged, "%.9g", value);
        assert_string_equal(text, judged);
    }
    static const double ends[] = {DBL_MAX, -DBL_MAX, DBL_MIN, DBL_TRUE_MIN, 1e300, 1e-300, 9.999999999e22, 9.9999999949e99};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
        wfFormatNumber(text, ends[i]);
        snprintf(judged, sizeof judged, "%.9g", ends[i]);
        assert_string_equal(text, judged);
    }
}

/// German writes a decimal comma. It is compiled into our folder, since a bare machine has no locale but C.
static void TestNumbersUnderAnotherLocale(void** state) {
    (void)state;
    char command[256];
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 ./%s/de_DE.UTF-8 >/dev/null 2>&1", s_folder);
    setenv("LOCPATH", s_folder, 1);
    if (system(command) != 0 || setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL) {
        print_message("no localedef with the source of a locale here (Debian: package locales)\n");
        skip();
    }
    assert_string_equal(localeconv()->decimal_point, ",");
    char text[wf_numberSize];
    float value;
    wfFormatNumber(text, -1234.5);
    static const char middle[] = "8388609.5"; // between two floats: goes through strtof
    bool read = wfScanFloat(middle, middle + strlen(middle), &value) != NULL;
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(text, "-1234.5");
    assert_true(read);
    assert_true(value == 8388610.0f);
}

static void TestWholeNumbers(void** state) {
    (void)state;
    static const struct {
        const char* text;
        int64_t value;
        int length;
    } rows[] = {{"0", 0, 1},
                {"-12/3", -12, 3},
                {"+7 ", 7, 2},
                {"9223372036854775807", INT64_MAX, 19},
                {"99999999999999999999", INT64_MAX, 20},
                {"-99999999999999999999", -INT64_MAX, 21}};
    int64_t value;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const char* text = rows[i].text;
        assert_ptr_equal(wfScanInt(text, text + strlen(text), &value), text + rows[i].length);
        assert_true(value == rows[i].value);
    }
    static const char* const none[] = {"-", "x", ""};
    for (size_t i = 0; i < 3; ++i) assert_null(wfScanInt(none[i], none[i] + strlen(none[i]), &value));
}

//------------------------------------------------------------------------------------------------------------------------ files

static void TestWeldAgainstSearch(void** state) {
    (void)state;
    enum { count = 3000 };
    static uint32_t keys[count][3];
    int numbers[count], known = 0;
    wfWeld weld;
    wfError err = {0};
    CHECK_OK(wfWeld_Create(&weld, count, &err), err);
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) keys[i][k] = Random() % 11 << (k * 12); // few different ones
        numbers[i] = wfWeld_Find(&weld, keys[i][0], keys[i][1], keys[i][2]);
        int first = 0;
        while (memcmp(keys[first], keys[i], sizeof keys[i]) != 0) ++first;
        assert_int_equal(numbers[i], first < i ? numbers[first] : known);
        known += first == i;
    }
    assert_int_equal(weld.count, known);
    assert_in_range(known, 1000, 1331);
    wfWeld_Free(&weld);
}

/// One small house in every way that a file can say it.
static void TestGoodFilesAgree(void** state) {
    (void)state;
    static const char* const names[] = {"house.obj",       "house_crlf.obj",  "house_cr.obj",    "house_negative.obj",
                                        "house_odd.obj",   "house_ascii.ply", "house_le.ply",    "house_be.ply",
                                        "house_mixed.ply", "house_ascii.stl", "house_upper.stl", "house.stl"};
    static const wfVec3 positions[] = {{0, 0, 0}, {1, 0, 0.1f}, {1, 1, -0.25f}, {0, 1, 3e-5f}, {0.5f, 2, 0}};
    static const wfTriangle triangles[] = {{{0, 1, 2}}, {{0, 2, 3}}, {{3, 2, 4}}};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        char path[512];
        snprintf(path, sizeof path, "%s/good/%s", WF_TEST_DATA, names[i]);
        wfMesh mesh = {0};
        wfError err = {0};
        CHECK_OK(wfReadMesh(&mesh, path, &err), err);
        if (mesh.vertexCount != 5 || mesh.triangleCount != 3)
            fail_msg("%s: %d vertices, %d triangles", path, mesh.vertexCount, mesh.triangleCount);
        assert_memory_equal(mesh.positions, positions, sizeof positions);
        assert_memory_equal(mesh.triangles, triangles, sizeof triangles);
        assert_null(mesh.flat);
        assert_int_equal(mesh.stitchCount, 0);
        wfMesh_Free(&mesh);
    }
}

static void TestObjFlatShapeAndStitches(void** state) {
    (void)state;
    wfMesh mesh = {0};
    wfError err = {0};
    CHECK_OK(wfReadMesh(&mesh, WF_TEST_DATA "/good/house_flat.obj", &err), err);
    static const wfFlatTriangle flat[] = {{{{0, 0}, {1, 0}, {1, 1}}}, {{{0, 0}, {1, 1}, {0, 1}}}, {{{0, 1}, {1, 1}, {0.5f, 0}}}};
    static const int stitches[][2] = {{0, 2}, {2, 4}, {0, 3}};
    assert_non_null(mesh.flat);
    assert_memory_equal(mesh.flat, flat, sizeof flat);
    assert_int_equal(mesh.stitchCount, 3);
    assert_memory_equal(mesh.stitches, stitches, sizeof stitches);
    wfMesh_Free(&mesh);

    // One corner without: no flat shape at all.
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\nf 1/1 2/1 3\n";
    CHECK_OK(wfParseObj(&mesh, text, sizeof text - 1, "text", &err), err);
    assert_null(mesh.flat);
    wfMesh_Free(&mesh);
}

static void TestObjForwardReferences(void** state) {
    (void)state;
    static const char text[] = "f 1 2 3\nl 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n";
    wfMesh mesh = {0};
    wfError err = {0};
    CHECK_OK(wfParseObj(&mesh, text, sizeof text - 1, "text", &err), err);
    assert_int_equal(mesh.triangles[0].v[2], 2);
    assert_int_equal(mesh.stitches[0][0], 1);
    wfMesh_Free(&mesh);
}

static void TestPlyScalarTypes(void** state) {
    (void)state;
    static const struct {
        const char* name;
        int size;
        unsigned char bytes[8]; // the number 7, or -7 where there is a sign, little-endian
        float value;
    } rows[] = {
        {"char", 1, {0xf9}, -7},
        {"int8", 1, {0xf9}, -7},
        {"uchar", 1, {0xf9}, 249},
        {"uint8", 1, {7}, 7},
        {"short", 2, {0xf9, 0xff}, -7},
        {"int16", 2, {0xf9, 0xff}, -7},
        {"ushort", 2, {0xf9, 0xff}, 65529},
        {"uint16", 2, {7, 1}, 263},
        {"int", 4, {0xf9, 0xff, 0xff, 0xff}, -7},
        {"int32", 4, {0xf9, 0xff, 0xff, 0xff}, -7},
        {"uint", 4, {0, 0, 0, 0x80}, 2147483648.0f},
        {"uint32", 4, {7, 0, 1, 0}, 65543},
        {"float", 4, {0, 0, 0xe0, 0xc0}, -7},
        {"float32", 4, {0, 0, 0xe0, 0x40}, 7},
        {"double", 8, {0, 0, 0, 0, 0, 0, 0x1c, 0xc0}, -7},
        {"float64", 8, {0, 0, 0, 0, 0, 0, 0x1c, 0x40}, 7},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        for (int big = 0; big < 2; ++big) {
            char file[256];
            int length = snprintf(file, sizeof file,
                                  "ply\nformat binary_%s_endian 1.0\nelement vertex 1\nproperty float x\nproperty %s y\nproperty float "
                                  "z\nend_header\n%c%c%c%c",
                                  big ? "big" : "little", rows[i].name, 0, 0, 0, 0);
            for (int k = 0; k < rows[i].size; ++k) file[length++] = (char)rows[i].bytes[big ? rows[i].size - 1 - k : k];
            for (int k = 0; k < 4; ++k) file[length++] = 0;
            wfMesh mesh = {0};
            wfError err = {0};
            CHECK_OK(wfParsePly(&mesh, file, (size_t)length, "file", &err), err);
            if (mesh.positions[0].y != rows[i].value) fail_msg("%s: %g", rows[i].name, (double)mesh.positions[0].y);
            assert_true(mesh.positions[0].z == 0.0f);
            wfMesh_Free(&mesh);
        }
    }
}

/// Every file in the folder of bad ones fails with the text beside it, and leaves nothing behind.
static void TestBadFiles(void** state) {
    (void)state;
    static const char folder[] = WF_TEST_DATA "/bad";
    DIR* dir = opendir(folder);
    assert_non_null(dir);
    int count = 0;
    for (struct dirent* entry; (entry = readdir(dir)) != NULL;) {
        const char* dot = strrchr(entry->d_name, '.');
        if (dot == NULL || (strcmp(dot, ".obj") != 0 && strcmp(dot, ".ply") != 0 && strcmp(dot, ".stl") != 0)) continue;
        char path[1024];
        size_t size, expectedSize;
        wfError err = {0};
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        char* bytes = wfReadFile(path, &size, &err);
        if (bytes == NULL) fail_msg("%s", err.text);
        snprintf(path, sizeof path, "%s/%.*s.err", folder, (int)(dot - entry->d_name), entry->d_name);
        char* expected = wfReadFile(path, &expectedSize, &err);
        if (expected == NULL) fail_msg("%s", err.text);
        expected[strcspn(expected, "\n")] = 0;

        // An exact copy without anything behind it, so that the address sanitizer sees a byte too far.
        char* copy = malloc(size > 0 ? size : 1);
        assert_non_null(copy);
        memcpy(copy, bytes, size);
        wfMesh mesh = {0};
        bool ok = dot[1] == 'o'   ? wfParseObj(&mesh, copy, size, entry->d_name, &err)
                  : dot[1] == 'p' ? wfParsePly(&mesh, copy, size, entry->d_name, &err)
                                  : wfParseStl(&mesh, copy, size, entry->d_name, &err);
        if (ok) fail_msg("%s was read, expected: %s", entry->d_name, expected);
        assert_string_equal(err.text, expected);
        assert_int_equal(err.code, wf_badInput);
        assert_null(mesh.arena.first);
        free(copy);
        free(bytes);
        free(expected);
        ++count;
    }
    closedir(dir);
    assert_true(count >= 55); // all of them are there
}

static void TestNames(void** state) {
    (void)state;
    wfMesh mesh = {0};
    wfError err;
    CHECK_FAILS(wfReadMesh(&mesh, "a/shirt.obj.gz", &err), err, "a/shirt.obj.gz: compressed; unpack it first (gunzip)");
    CHECK_FAILS(wfReadMesh(&mesh, "shirt.fbx", &err), err, "shirt.fbx: expected a name that ends in .obj, .ply or .stl");
    CHECK_FAILS(wfReadMesh(&mesh, "none/shirt.obj", &err), err, "none/shirt.obj: No such file or directory");
    CHECK_FAILS(wfWriteMesh("shirt.stl", &mesh, &err), err, "shirt.stl: expected a name that ends in .obj or .ply");
    CHECK_FAILS(wfWriteMesh("none/shirt.ply", &mesh, &err), err, "none/shirt.ply: No such file or directory");
}

//---------------------------------------------------------------------------------------------------------------------- writing

static void MakeRandomMesh(wfMesh* mesh, int vertexCount, int triangleCount, bool flat, int stitchCount) {
    wfError err = {0};
    CHECK_OK(wfMesh_Create(mesh, vertexCount, triangleCount, flat, &err), err);
    for (int i = 0; i < vertexCount; ++i) mesh->positions[i] = wfMake3(RandomFiniteFloat(), RandomFiniteFloat(), RandomFiniteFloat());
    for (int i = 0; i < triangleCount; ++i)
        for (int k = 0; k < 3; ++k) mesh->triangles[i].v[k] = (int)(Random() % (uint32_t)vertexCount);
    for (int i = 0; flat && i < triangleCount; ++i) // some equal ones, some 0 and -0
        for (int k = 0; k < 3; ++k)
            mesh->flat[i].corner[k] = Random() % 2 ? (wfVec2){RandomFiniteFloat(), -0.0f} : (wfVec2){(float)(Random() % 4), 0.0f};
    if (stitchCount > 0) {
        mesh->stitches = wfArena_Alloc(&mesh->arena, (size_t)stitchCount, sizeof *mesh->stitches, "stitches", &err);
        assert_non_null(mesh->stitches);
        mesh->stitchCount = stitchCount;
        for (int i = 0; i < stitchCount; ++i)
            for (int k = 0; k < 2; ++k) mesh->stitches[i][k] = (int)(Random() % (uint32_t)vertexCount);
    }
}

static void TestWhatIsWrittenComesBack(void** state) {
    (void)state;
    static const struct {
        const char* name;
        bool flat;
        int stitchCount;
    } rows[] = {{"a.obj", false, 0}, {"b.obj", true, 0}, {"c.obj", true, 40}, {"D.OBJ", false, 7}, {"e.ply", false, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        wfMesh mesh = {0}, back = {0};
        wfError err = {0};
        MakeRandomMesh(&mesh, 3000, 5000, rows[i].flat, rows[i].stitchCount);
        mesh.positions[0] = wfMake3(-0.0f, FLT_MIN / 8, -FLT_MAX);
        CHECK_OK(wfWriteMesh(InFolder(rows[i].name), &mesh, &err), err);
        CHECK_OK(wfReadMesh(&back, InFolder(rows[i].name), &err), err);
        CheckSameMesh(&mesh, &back);
        wfMesh_Free(&mesh);
        wfMesh_Free(&back);
    }
}

static void TestFailedWritesLeaveTheOldFile(void** state) {
    (void)state;
    wfMesh mesh = {0}, back = {0};
    wfError err = {0};
    MakeRandomMesh(&mesh, 30, 50, true, 0);
    CHECK_OK(wfWriteMesh(InFolder("old.obj"), &mesh, &err), err);

    char message[256];
    wfMesh bad = {0};
    MakeRandomMesh(&bad, 4, 1, false, 0);
    bad.positions[2] = wfMake3(1, NAN, 0);
    snprintf(message, sizeof message, "%s: vertex 2: expected finite numbers, got \"1 nan 0\"", InFolder("old.obj"));
    CHECK_FAILS(wfWriteMesh(InFolder("old.obj"), &bad, &err), err, message);
    wfMesh_Free(&bad);
    MakeRandomMesh(&bad, 4, 2, true, 0);
    bad.flat[1].corner[2] = (wfVec2){1, INFINITY};
    snprintf(message, sizeof message, "%s: flat shape of triangle 1: expected finite numbers, got \"1 inf\"", InFolder("old.obj"));
    CHECK_FAILS(wfWriteMesh(InFolder("old.obj"), &bad, &err), err, message);
    wfMesh_Free(&bad);

    // A disk that fills up midway: later writes find room again in the stream's buffer, and only its error mark tells.
    MakeRandomMesh(&bad, 30000, 1, false, 0);
    struct rlimit limit, old;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = old;
    limit.rlim_cur = 100000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    err = (wfError){0};
    bool ok = wfWriteMesh(InFolder("old.obj"), &bad, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_false(ok);
    assert_int_equal(err.code, wf_fileFailed);
    wfMesh_Free(&bad);

    err = (wfError){0};
    CHECK_OK(wfReadMesh(&back, InFolder("old.obj"), &err), err);
    CheckSameMesh(&mesh, &back);
    wfMesh_Free(&mesh);
    wfMesh_Free(&back);
    DIR* dir = opendir(s_folder);
    assert_non_null(dir);
    for (struct dirent* entry; (entry = readdir(dir)) != NULL;) assert_null(strstr(entry->d_name, ".tmp"));
    closedir(dir);
}

static int MakeFolder(void** state) {
    (void)state;
    snprintf(s_folder, sizeof s_folder, "test_io_mesh_XXXXXX");
    return mkdtemp(s_folder) != NULL ? 0 : -1;
}

static int RemoveFolder(void** state) {
    (void)state;
    char command[80];
    snprintf(command, sizeof command, "rm -r ./%s", s_folder);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestNumbersAreNearest),
        cmocka_unit_test(TestNumbersComeBack),
        cmocka_unit_test(TestLargeAndSmallDoubles),
        cmocka_unit_test(TestNumbersUnderAnotherLocale),
        cmocka_unit_test(TestWholeNumbers),
        cmocka_unit_test(TestWeldAgainstSearch),
        cmocka_unit_test(TestGoodFilesAgree),
        cmocka_unit_test(TestObjFlatShapeAndStitches),
        cmocka_unit_test(TestObjForwardReferences),
        cmocka_unit_test(TestPlyScalarTypes),
        cmocka_unit_test(TestBadFiles),
        cmocka_unit_test(TestNames),
        cmocka_unit_test(TestWhatIsWrittenComesBack),
        cmocka_unit_test(TestFailedWritesLeaveTheOldFile),
    };
    return cmocka_run_group_tests(tests, MakeFolder, RemoveFolder);
}
