// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/vertex_grid_inside.h"

#include "cloths.h"

#include <string.h>

static int Judge(wfDevice* device, const Cloth* c, const wfVec4* x, double radius, const wfPairList* list) {
    int n = c->mesh.vertexCount, expected = 0;
    wfArena arena = {0};
    wfError err = {0};
    wfRows rings;
    CHECK_OK(wfTopology_Ring2(&c->topology, &arena, &rings, &err), err);
    unsigned char* found = calloc((size_t)n * (size_t)n, 1);
    wfPair* pairs = calloc((size_t)list->count + 1, sizeof *pairs);
    CHECK_OK(wfDownload(device, pairs, &list->pairs, 0, (size_t)list->count, &err), err);
    for (int i = 0; i < list->count; ++i) found[pairs[i].a * n + pairs[i].b] += 1;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double dx = (double)x[i].x - x[j].x, dy = (double)x[i].y - x[j].y, dz = (double)x[i].z - x[j].z;
            bool is = i < j && dx * dx + dy * dy + dz * dz <= radius * radius;
            for (int k = rings.start[i]; k < rings.start[i + 1]; ++k) is = is && rings.item[k] != j;
            if (found[i * n + j] != is) fail_msg("vertices %d and %d: %d times, expected %d", i, j, found[i * n + j], is);
            expected += is;
        }
    assert_int_equal(list->count, expected);
    free(found);
    free(pairs);
    wfArena_Free(&arena);
    return expected;
}

static void TestSteps(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    wfError err = {0};
    for (int shape = 0; shape < ShapeCount; ++shape) {
        Cloth c = MakeCloth(30, shape, 4);
        wfVec4* x = calloc((size_t)c.mesh.vertexCount, sizeof *x);
        const float radius = 0.019f;
        wfVertexGrid* grid = wfCreateVertexGrid(device, &c.topology, radius, 0.006f, &err);
        CHECK_OK(grid != NULL, err);
        wfPairList list = wfMakePairList("test.pairs");
        int least = INT32_MAX;
        for (int step = 0; step <= 12; ++step) { // from start to end, far from the origin as well: cells are right everywhere
            for (int i = 0; i < c.mesh.vertexCount; ++i) {
                wfVec3 p = wfLerp(wfXyz(c.start[i]), wfXyz(c.end[i]), (float)step / 12.0f);
                if (shape == ShapeFolded) p.x += 1000.0f;
                x[i] = wfMake4(p, 0.0f);
            }
            wfUpload(device, &c.x, x, (size_t)c.mesh.vertexCount);
            CHECK_OK(wfVertexGrid_Find(grid, &c.x, &list, &err), err);
            int found = Judge(device, &c, x, (double)radius, &list);
            if (found < least) least = found;
        }
        assert_true(shape == ShapeFlat || least > 100);
        // Moves of up to 1.7 mm a step against half a skin of 3 mm: some steps must fill the cache, and some must not.
        assert_in_range(wfVertexGrid_GetFillCount(grid), 3, 12);
        int64_t allocations = wfDevice_GetAllocCount(device);
        CHECK_OK(wfVertexGrid_Find(grid, &c.x, &list, &err), err);
        assert_int_equal(wfDevice_GetAllocCount(device), allocations);
        assert_int_equal(wfDevice_TakeFault(device).code, wf_faultNone);

        x[5].z = NAN;
        wfUpload(device, &c.x, x, (size_t)c.mesh.vertexCount);
        CHECK_OK(wfVertexGrid_Find(grid, &c.x, &list, &err), err);
        wfFault fault = wfDevice_TakeFault(device);
        assert_int_equal(fault.code, wf_faultNotFinite);
        assert_int_equal(fault.index, 5);
        wfPairList_Free(device, &list);
        wfDestroyVertexGrid(grid);
        FreeCloth(device, &c);
        free(x);
    }
    wfDestroyDevice(device);
}

static void TestThreads(void** state) {
    (void)state;
    Cloth c = MakeCloth(130, ShapeFolded, 4);
    wfPair* pairs[2] = {NULL, NULL};
    int counts[2] = {0};
    for (int run = 0; run < 2; ++run) {
        wfDevice* device = OpenCpu(run == 0 ? 1 : 3);
        wfError err = {0};
        UploadCloth(device, &c);
        wfVertexGrid* grid = wfCreateVertexGrid(device, &c.topology, 0.02f, 0.0f, &err);
        CHECK_OK(grid != NULL, err);
        wfPairList list = wfMakePairList("test.pairs");
        CHECK_OK(wfVertexGrid_Find(grid, &c.x, &list, &err), err);
        counts[run] = list.count;
        pairs[run] = calloc((size_t)list.count, sizeof(wfPair));
        CHECK_OK(wfDownload(device, pairs[run], &list.pairs, 0, (size_t)list.count, &err), err);
        wfPairList_Free(device, &list);
        wfDestroyVertexGrid(grid);
        wfFreeBuffer(device, &c.x);
        wfFreeBuffer(device, &c.xEnd);
        wfDestroyDevice(device);
    }
    assert_int_equal(counts[0], counts[1]);
    assert_true(counts[0] > 1000);
    assert_memory_equal(pairs[0], pairs[1], (size_t)counts[0] * sizeof(wfPair));
    free(pairs[0]);
    free(pairs[1]);
    FreeCloth(NULL, &c);
}

static void TestRefuses(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfError err = {0};
    Cloth c = MakeCloth(4, ShapeFlat, 1);
    assert_null(wfCreateVertexGrid(device, &c.topology, 0.0f, 0.001f, &err));
    assert_string_equal(err.text, "vertex grid: expected radius > 0 and skin >= 0, got 0 and 0.001");
    err = (wfError){0};
    assert_null(wfCreateVertexGrid(device, &c.topology, 0.001f, NAN, &err));
    FreeCloth(device, &c);

    // More neighbours than can be counted: said, and forgotten once they can.
    err = (wfError){0};
    c = MakeCloth(12, ShapeFlat, 1);
    UploadCloth(device, &c);
    wfVertexGrid* grid = wfCreateVertexGrid(device, &c.topology, 1.0f, 0.5f, &err);
    CHECK_OK(grid != NULL, err);
    wfPairList list = wfMakePairList("test.pairs");
    grid->most = 10 * c.mesh.vertexCount;
    assert_false(wfVertexGrid_Find(grid, &c.x, &list, &err));
    assert_non_null(strstr(err.text, "has more than 10 others within 1.5 m: too many pairs to be counted"));
    assert_int_equal(list.count, 0);
    grid->most = c.mesh.vertexCount * c.mesh.vertexCount;
    err = (wfError){0};
    CHECK_OK(wfVertexGrid_Find(grid, &c.x, &list, &err), err);
    assert_true(Judge(device, &c, c.start, 1.0, &list) > 100);
    wfPairList_Free(device, &list);
    wfDestroyVertexGrid(grid);
    FreeCloth(device, &c);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestSteps), cmocka_unit_test(TestThreads), cmocka_unit_test(TestRefuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
