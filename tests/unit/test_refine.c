// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/refine.h"

#include "cloths.h"

#include <omp.h>
#include <string.h>

// Subdivision that knows of collisions, judged by the exact test and by plain subdivision, which does not.

static int64_t CountMeeting(const wfVec3* x, const wfTriangle* triangles, int count) {
    wfArena arena = {0};
    wfIntersections found = {0};
    wfError err = {0};
    CHECK_OK(wfFindIntersections(x, triangles, count, NULL, 1, &arena, &found, &err), err);
    wfArena_Free(&arena);
    return found.count;
}

static wfMesh MakeSheet(wfSheetPattern pattern, int n, float size) {
    wfMesh mesh = {0};
    wfError err = {0};
    wfGenerateDef def = wfDefaultGenerateDef();
    def.n = def.m = n;
    def.size = wfMake3(size, 1.0f, size);
    def.pattern = pattern;
    CHECK_OK(wfGenerate(&mesh, &def, &err), err);
    return mesh;
}

static void Append(wfMesh* mesh, wfMesh* add) {
    wfError err = {0};
    CHECK_OK(wfMesh_Append(mesh, add, &err), err);
    wfMesh_Free(add);
}

/// Rolls a flat sheet about the z axis.
static void Roll(wfMesh* mesh, float radius, float perMetre) {
    for (int i = 0; i < mesh->vertexCount; ++i) {
        wfVec3 p = mesh->positions[i];
        mesh->positions[i] = wfMake3(radius * sinf(perMetre * p.x), radius * cosf(perMetre * p.x), p.z);
    }
}

typedef struct Result {
    wfRefineReport report;
    wfVec3* x;
    wfTriangle* triangles;
    int vertexCount, triangleCount;
    int64_t plain; // pairs that meet by plain subdivision
} Result;

static wfVec3* Plain(wfRefiner* refiner, const wfVec3* positions, int levels) {
    wfVec3* x = NULL;
    for (int i = 0; i < levels; ++i) {
        const wfSubdivision* s = wfRefiner_GetLevel(refiner, i);
        wfVec3* fine = calloc((size_t)s->vertexCount, sizeof *fine);
        wfSubdivision_Smooth(s, x != NULL ? x : positions, fine);
        free(x);
        x = fine;
    }
    return x;
}

static Result Refine(const wfMesh* cloth, const wfMesh* colliders, int levels, int threads) {
    wfError err = {0};
    Result result = {0};
    wfDevice* device = OpenCpu(threads);
    wfRefineDef def = {.cloth = cloth, .colliders = colliders, .levels = levels, .sharp = wfDefaultSharpDef(), .name = "test"};
    wfRefiner* refiner = wfCreateRefiner(device, &def, &err);
    CHECK_OK(refiner != NULL, err);
    CHECK_OK(wfRefiner_Run(refiner, cloth->positions, colliders != NULL ? colliders->positions : NULL, &result.report, &err), err);
    const wfSubdivision* last = wfRefiner_GetLevel(refiner, levels - 1);
    result.vertexCount = last->vertexCount;
    result.triangleCount = last->triangleCount;
    result.x = calloc((size_t)last->vertexCount, sizeof(wfVec3));
    result.triangles = calloc((size_t)last->triangleCount, sizeof(wfTriangle));
    memcpy(result.x, wfRefiner_GetPositions(refiner), (size_t)last->vertexCount * sizeof(wfVec3));
    memcpy(result.triangles, last->triangles, (size_t)last->triangleCount * sizeof(wfTriangle));
    wfVec3* plain = Plain(refiner, cloth->positions, levels);
    result.plain = CountMeeting(plain, last->triangles, last->triangleCount);
    free(plain);
    wfDestroyRefiner(refiner);
    wfDestroyDevice(device);
    return result;
}

static void FreeResult(Result* result) {
    free(result->x);
    free(result->triangles);
}

static void RequireClean(const Result* result) {
    assert_false(result->report.refused);
    assert_int_equal(CountMeeting(result->x, result->triangles, result->triangleCount), 0);
}

static void TestFarApartIsPlainSubdivision(void** state) {
    (void)state;
    wfMesh mesh = MakeSheet(wf_patternIrregular, 14, 0.4f);
    Roll(&mesh, 0.2f, 5.0f);
    Result result = Refine(&mesh, NULL, 2, 2);
    RequireClean(&result);
    assert_int_equal(result.plain, 0);
    assert_int_equal(result.report.stoppedCount, 0);
    assert_int_equal(result.report.pushedCount, 0);
    wfError err = {0};
    wfDevice* device = OpenCpu(1);
    wfRefineDef def = {.cloth = &mesh, .levels = 2, .sharp = wfDefaultSharpDef(), .name = "test"};
    wfRefiner* refiner = wfCreateRefiner(device, &def, &err);
    CHECK_OK(refiner != NULL, err);
    wfVec3* plain = Plain(refiner, mesh.positions, 2);
    assert_memory_equal(plain, result.x, (size_t)result.vertexCount * sizeof(wfVec3));
    free(plain);
    wfDestroyRefiner(refiner);
    wfDestroyDevice(device);
    FreeResult(&result);
    wfMesh_Free(&mesh);
}

/// Lays a second layer upon a mesh, the same surface cut finer: smoothing moves it less, so the layers pass through each other.
static void AddFinerLayer(wfMesh* mesh, float height) {
    wfError err = {0};
    wfArena arena = {0};
    wfTopology topology = {0};
    wfSharp sharp;
    wfSubdivision split = {0};
    wfMeshView view = wfMesh_View(mesh);
    wfSharpDef def = wfDefaultSharpDef();
    wfMesh fine = {0};
    CHECK_OK(wfTopology_Create(&topology, mesh->triangles, mesh->triangleCount, mesh->vertexCount, &err), err);
    CHECK_OK(wfFindSharp(&topology, &view, &def, &arena, &sharp, &err), err);
    CHECK_OK(wfSubdivision_Create(&split, &topology, &sharp, "layer", &err), err);
    CHECK_OK(wfMesh_Create(&fine, split.vertexCount, split.triangleCount, false, &err), err);
    wfSubdivision_Split(&split, mesh->positions, fine.positions);
    for (int i = 0; i < fine.vertexCount; ++i) fine.positions[i].y += height;
    memcpy(fine.triangles, split.triangles, (size_t)split.triangleCount * sizeof(wfTriangle));
    wfSubdivision_Free(&split);
    wfTopology_Free(&topology);
    wfArena_Free(&arena);
    Append(mesh, &fine);
    assert_int_equal(CountMeeting(mesh->positions, mesh->triangles, mesh->triangleCount), 0);
}

// Two layers 0.2 mm apart, in zigzag.
static void TestNearLayersDoNotCross(void** state) {
    (void)state;
    wfMesh mesh = MakeSheet(wf_patternRegular, 7, 0.06f);
    for (int i = 0; i < mesh.vertexCount; ++i) mesh.positions[i].y = i % 7 % 2 ? 0.004f : -0.004f;
    AddFinerLayer(&mesh, 0.0002f);
    for (int levels = 1; levels <= 3; ++levels) {
        Result result = Refine(&mesh, NULL, levels, 2);
        assert_true(result.plain > 100);
        RequireClean(&result);
        assert_int_equal(result.report.inputPairs, 0);
        assert_true(result.report.stoppedCount > 0);
        print_message("%d levels: %lld pairs meet by plain subdivision; stopped %d of %d vertices, %d rounds\n", levels,
                      (long long)result.plain, result.report.stoppedCount, result.vertexCount, result.report.rounds);
        FreeResult(&result);
    }
    wfMesh_Free(&mesh);
}

static void TestCrumpledSheets(void** state) {
    (void)state;
    for (int seed = 0; seed < 3; ++seed) {
        wfMesh mesh = MakeSheet(seed % 2 ? wf_patternIrregular : wf_patternAlternating, 9, 0.08f);
        for (int i = 0; i < mesh.vertexCount; ++i) mesh.positions[i].y = 0.01f * wfNoise3(wfScale(mesh.positions[i], 70.0f), seed);
        AddFinerLayer(&mesh, 0.0003f);
        Result result = Refine(&mesh, NULL, 2, 2);
        assert_true(result.plain > 100);
        RequireClean(&result);
        FreeResult(&result);
        wfMesh_Free(&mesh);
    }
}

static void TestSameBitsForAnyThreads(void** state) {
    (void)state;
    wfMesh inner = MakeSheet(wf_patternRegular, 14, 0.3f), outer = MakeSheet(wf_patternIrregular, 14, 0.3f);
    Roll(&inner, 0.05f, 15.0f);
    Roll(&outer, 0.0525f, 15.0f);
    Append(&inner, &outer);
    int before = omp_get_max_threads();
    omp_set_num_threads(1);
    Result one = Refine(&inner, NULL, 2, 1);
    omp_set_num_threads(3);
    Result three = Refine(&inner, NULL, 2, 3);
    omp_set_num_threads(before);
    RequireClean(&one);
    assert_memory_equal(one.x, three.x, (size_t)one.vertexCount * sizeof(wfVec3));
    FreeResult(&one);
    FreeResult(&three);
    wfMesh_Free(&inner);
}

/// A ball, and a sheet laid over it with its vertices a millimetre outside: its edges cut into the ball.
static void MakeBallAndSheet(wfMesh* ball, wfMesh* sheet, float gap) {
    wfError err = {0};
    wfGenerateDef def = wfDefaultGenerateDef();
    def.shape = wf_makeSphere;
    def.radius = 0.1f;
    def.edge = 0.01f;
    CHECK_OK(wfGenerate(ball, &def, &err), err);
    *sheet = MakeSheet(wf_patternIrregular, 12, 0.25f);
    for (int i = 0; i < sheet->vertexCount; ++i) {
        wfVec3 p = sheet->positions[i];
        float r = 0.1f + gap, d = hypotf(p.x, p.z), angle = d / r;
        if (d > 0.0f) sheet->positions[i] = wfMake3(p.x / d * r * sinf(angle), r * cosf(angle), p.z / d * r * sinf(angle));
        if (d == 0.0f) sheet->positions[i].y = r;
    }
}

static int64_t CountMeetingBody(const Result* result, const wfMesh* ball) {
    wfMesh all = {0};
    wfError err = {0};
    CHECK_OK(wfMesh_Create(&all, result->vertexCount, result->triangleCount, false, &err), err);
    memcpy(all.positions, result->x, (size_t)result->vertexCount * sizeof(wfVec3));
    memcpy(all.triangles, result->triangles, (size_t)result->triangleCount * sizeof(wfTriangle));
    CHECK_OK(wfMesh_Append(&all, ball, &err), err);
    int64_t count = CountMeeting(all.positions, all.triangles, all.triangleCount);
    wfMesh_Free(&all);
    return count;
}

static void TestClothThatCutsIntoBodyIsPushedOut(void** state) {
    (void)state;
    wfMesh ball = {0}, sheet = {0};
    MakeBallAndSheet(&ball, &sheet, 0.0002f);
    for (int inverted = 0; inverted < 2; ++inverted) { // the larger side of a closed body is its outside, however it is wound
        Result result = Refine(&sheet, &ball, 2, 2);
        RequireClean(&result);
        assert_true(result.report.inputPairs > 50);
        assert_true(result.report.pushedCount > 50 && result.report.pushed < 0.002f);
        assert_int_equal(CountMeetingBody(&result, &ball), 0);
        for (int i = 0; i < result.vertexCount; ++i) assert_true(wfLength(result.x[i]) > 0.0985f); // the ball is a polyhedron
        print_message("%lld pairs, pushed %d vertices by up to %g mm\n", (long long)result.report.inputPairs, result.report.pushedCount,
                      (double)(1e3f * result.report.pushed));
        FreeResult(&result);
        for (int t = 0; t < ball.triangleCount; ++t) {
            int v = ball.triangles[t].v[0];
            ball.triangles[t].v[0] = ball.triangles[t].v[1];
            ball.triangles[t].v[1] = v;
        }
    }
    wfMesh_Free(&ball);
    wfMesh_Free(&sheet);
}

// A sheet folded over the ridge of a roof, half a millimetre above it: smoothing rounds the fold, into the roof.
static void TestSmoothingIsStoppedByBody(void** state) {
    (void)state;
    const float s = 0.70710678f;
    wfMesh roof = {0}, sheet = MakeSheet(wf_patternRegular, 11, 0.16f);
    wfError err = {0};
    wfGenerateDef def = wfDefaultGenerateDef();
    def.shape = wf_makeBox;
    def.size = wfMake3(0.2f, 0.2f, 0.2f);
    def.edge = 0.05f;
    CHECK_OK(wfGenerate(&roof, &def, &err), err);
    wfMesh_Transform(&roof, wfMake3(1, 1, 1), wfQuatAxisAngle(wfMake3(0, 0, 1), 0.78539816f), wfMake3(0, -0.2f * s, 0));
    for (int i = 0; i < sheet.vertexCount; ++i) {
        wfVec3 p = sheet.positions[i];
        sheet.positions[i] = wfMake3(s * p.x, 0.0005f - s * fabsf(p.x), p.z);
    }
    Result alone = Refine(&sheet, NULL, 2, 2), result = Refine(&sheet, &roof, 2, 2);
    assert_int_equal(result.report.inputPairs, 0);
    assert_true(CountMeetingBody(&alone, &roof) > 20);
    RequireClean(&result);
    assert_int_equal(CountMeetingBody(&result, &roof), 0);
    assert_true(result.report.stoppedCount > 0);
    FreeResult(&alone);
    FreeResult(&result);
    wfMesh_Free(&roof);
    wfMesh_Free(&sheet);
}

static void TestTouchingSheetsAreParted(void** state) {
    (void)state;
    wfMesh lower = MakeSheet(wf_patternRegular, 8, 0.1f), upper = MakeSheet(wf_patternIrregular, 7, 0.07f);
    for (int i = 0; i < upper.vertexCount; ++i) upper.positions[i].y = i % 5 == 0 ? 0.0f : 0.002f; // some lie exactly upon the lower one
    Append(&lower, &upper);
    assert_true(CountMeeting(lower.positions, lower.triangles, lower.triangleCount) > 0);
    Result result = Refine(&lower, NULL, 2, 2);
    RequireClean(&result);
    assert_true(result.report.pushed < 0.001f);
    FreeResult(&result);
    wfMesh_Free(&lower);
}

static void TestRefusesWhatHasPassedThrough(void** state) {
    (void)state;
    wfMesh a = MakeSheet(wf_patternRegular, 8, 0.1f), b = MakeSheet(wf_patternRegular, 8, 0.1f);
    int first = a.triangleCount;
    for (int i = 0; i < b.vertexCount; ++i) b.positions[i] = wfMake3(b.positions[i].x, 1.01f * b.positions[i].z, 0.003f);
    Append(&a, &b); // an upright sheet through a flat one
    Result result = Refine(&a, NULL, 1, 2);
    assert_true(result.report.refused);
    assert_int_equal(result.report.level, 0);
    assert_true(result.report.pairCount > 0);
    assert_true(result.report.first.a < first && result.report.first.b >= first);
    FreeResult(&result);
    wfMesh_Free(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestFarApartIsPlainSubdivision),
        cmocka_unit_test(TestNearLayersDoNotCross),
        cmocka_unit_test(TestCrumpledSheets),
        cmocka_unit_test(TestSameBitsForAnyThreads),
        cmocka_unit_test(TestClothThatCutsIntoBodyIsPushedOut),
        cmocka_unit_test(TestSmoothingIsStoppedByBody),
        cmocka_unit_test(TestTouchingSheetsAreParted),
        cmocka_unit_test(TestRefusesWhatHasPassedThrough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
