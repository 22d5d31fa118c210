// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/broad_inside.h"

#include "cloths.h"

#include <stdio.h>
#include <string.h>

// Every broad phase must find what testing all pairs of bounds finds, no more and no less; and the bounds themselves must hold what
// exact arithmetic says they hold.

static const char* const s_types[] = {"connectivity", "morton"};

static wfBroad* Make(wfDevice* device, int type, bool dop, const wfTopology* topology) {
    wfError err = {0};
    wfBroad* broad = wfCreateBroad(device, &(wfBroadDef){.type = s_types[type], .dop = dop}, topology, &err);
    CHECK_OK(broad != NULL, err);
    return broad;
}

// ---- brute force --------------------------------------------------------------------------------------------------------------

typedef struct Bounds {
    wfAabb box;
    wfSlabs slabs;
    double lo[9], hi[9]; // the same axes, exact but for the last bit of a double
} Bounds;

static void AddExact(Bounds* b, wfVec4 p, double radius) {
    const double d[9] = {
        p.x, p.y, p.z, (double)p.x + p.y, (double)p.x - p.y, (double)p.x + p.z, (double)p.x - p.z, (double)p.y + p.z, (double)p.y - p.z};
    for (int k = 0; k < 9; ++k) {
        double grow = k < 3 ? radius : radius * sqrt(2.0);
        b->lo[k] = fmin(b->lo[k], d[k] - grow);
        b->hi[k] = fmax(b->hi[k], d[k] + grow);
    }
}

static Bounds* AllBounds(const Cloth* c, bool swept, float radius) {
    Bounds* all = calloc((size_t)c->mesh.triangleCount, sizeof *all);
    wfGrowth growth = wfMakeGrowth(radius);
    for (int t = 0; t < c->mesh.triangleCount; ++t) {
        Bounds* b = &all[t];
        b->box = wfAabb_Empty(t);
        b->slabs = wfSlabs_Empty();
        for (int k = 0; k < 9; ++k) {
            b->lo[k] = INFINITY;
            b->hi[k] = -INFINITY;
        }
        for (int k = 0; k < 6; ++k) {
            int v = c->mesh.triangles[t].v[k % 3];
            wfVec4 p = k < 3 || !swept ? c->start[v] : c->end[v];
            wfAabb_Add(&b->box, p);
            wfSlabs_Add(&b->slabs, p);
            AddExact(b, p, (double)radius);
        }
        wfAabb_Grow(&b->box, &growth);
        wfSlabs_Grow(&b->slabs, &growth);
    }
    return all;
}

static bool OverlapExact(const Bounds* a, const Bounds* b, bool dop) {
    for (int k = 0; k < (dop ? 9 : 3); ++k)
        if (a->lo[k] > b->hi[k] || b->lo[k] > a->hi[k]) return false;
    return true;
}

static bool Overlap(const Bounds* a, const Bounds* b, bool dop) {
    return wfAabb_Overlap(&a->box, &b->box) && (!dop || wfSlabs_Overlap(&a->slabs, &b->slabs));
}

static bool ShareVertex(wfTriangle a, wfTriangle b) {
    for (int k = 0; k < 9; ++k)
        if (a.v[k / 3] == b.v[k % 3]) return true;
    return false;
}

/// found[a * n + b]: how often a list holds (a, b).
static unsigned char* Found(wfDevice* device, const wfPairList* list, int rows, int n) {
    unsigned char* found = calloc((size_t)rows * (size_t)n, 1);
    wfPair* pairs = calloc((size_t)list->count + 1, sizeof *pairs);
    wfError err = {0};
    CHECK_OK(wfDownload(device, pairs, &list->pairs, 0, (size_t)list->count, &err), err);
    for (int i = 0; i < list->count; ++i) {
        assert_in_range(pairs[i].a, 0, rows - 1);
        assert_in_range(pairs[i].b, 0, n - 1);
        found[(size_t)pairs[i].a * (size_t)n + (size_t)pairs[i].b] += 1;
    }
    free(pairs);
    return found;
}

static int JudgeSelf(wfDevice* device, const Cloth* c, const wfPairList* list, bool swept, float radius, bool dop) {
    int n = c->mesh.triangleCount, expected = 0;
    Bounds* all = AllBounds(c, swept, radius);
    unsigned char* found = Found(device, list, n, n);
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) {
            bool may = a < b && !ShareVertex(c->mesh.triangles[a], c->mesh.triangles[b]);
            bool is = may && Overlap(&all[a], &all[b], dop);
            if (found[(size_t)a * (size_t)n + (size_t)b] != is) fail_msg("pair %d %d: %d times, expected %d", a, b, found[a * n + b], is);
            if (may && !is && OverlapExact(&all[a], &all[b], dop)) fail_msg("pair %d %d overlaps, but not its rounded bounds", a, b);
            expected += is;
        }
    assert_int_equal(list->count, expected);
    free(found);
    free(all);
    return expected;
}

// ---- self and pairwise --------------------------------------------------------------------------------------------------------

static void TestSelf(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    wfError err = {0};
    for (int shape = 0; shape < ShapeCount; ++shape) {
        Cloth c = MakeCloth(24, shape, 3 + shape);
        UploadCloth(device, &c);
        int counts[2][2][2] = {0};
        for (int type = 0; type < 2; ++type)
            for (int dop = 0; dop < 2; ++dop) {
                wfBroad* broad = Make(device, type, dop, &c.topology);
                wfPairList list = wfMakePairList("test.pairs");
                for (int swept = 0; swept < 2; ++swept) {
                    float radius = swept ? 1e-6f : 0.002f;
                    wfBroad_Update(broad, &c.x, swept ? &c.xEnd : NULL, radius);
                    CHECK_OK(wfBroad_FindSelf(broad, &list, &err), err);
                    counts[type][dop][swept] = JudgeSelf(device, &c, &list, swept, radius, dop);
                }
                wfPairList_Free(device, &list);
                wfDestroyBroad(broad);
            }
        for (int swept = 0; swept < 2; ++swept) {
            assert_int_equal(counts[0][0][swept], counts[1][0][swept]);
            assert_true(counts[0][1][swept] < counts[0][0][swept]); // what k-DOPs are for
            assert_true(counts[0][1][swept] > 50);
        }
        FreeCloth(device, &c);
    }
    assert_int_equal(wfDevice_TakeFault(device).code, wf_faultNone);
    wfDestroyDevice(device);
}

static void TestAgainst(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    wfError err = {0};
    Cloth a = MakeCloth(40, ShapeFolded, 5), b = MakeCloth(9, ShapeCrumpled, 6);
    UploadCloth(device, &a);
    UploadCloth(device, &b);
    for (int type = 0; type < 2; ++type)
        for (int dop = 0; dop < 2; ++dop)
            for (int swept = 0; swept < 2; ++swept) {
                wfBroad *first = Make(device, type, dop, &a.topology), *second = Make(device, 1 - type, dop, &b.topology);
                wfPairList list = wfMakePairList("test.pairs");
                wfBroad_Update(first, &a.x, swept ? &a.xEnd : NULL, 0.001f);
                wfBroad_Update(second, &b.x, swept ? &b.xEnd : NULL, 0.0f);
                CHECK_OK(wfBroad_FindAgainst(first, second, &list, &err), err);
                int rows = a.mesh.triangleCount, n = b.mesh.triangleCount, expected = 0;
                Bounds *ofA = AllBounds(&a, swept, 0.001f), *ofB = AllBounds(&b, swept, 0.0f);
                unsigned char* found = Found(device, &list, rows, n);
                for (int i = 0; i < rows; ++i)
                    for (int j = 0; j < n; ++j) {
                        bool is = Overlap(&ofA[i], &ofB[j], dop);
                        if (found[i * n + j] != is) fail_msg("pair %d %d: %d times, expected %d", i, j, found[i * n + j], is);
                        expected += is;
                    }
                assert_int_equal(list.count, expected);
                assert_true(expected > 100);
                free(found);
                free(ofA);
                free(ofB);
                wfPairList_Free(device, &list);
                wfDestroyBroad(first);
                wfDestroyBroad(second);
            }
    FreeCloth(device, &a);
    FreeCloth(device, &b);
    wfDestroyDevice(device);
}

/// From one triangle to several levels of the tree, every count of leaves near a power of four.
static void TestSizes(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfError err = {0};
    for (int n = 2; n < 14; ++n)
        for (int type = 0; type < 2; ++type) {
            Cloth c = MakeCloth(n, ShapeCrumpled, n);
            UploadCloth(device, &c);
            wfBroad* broad = Make(device, type, false, &c.topology);
            wfPairList list = wfMakePairList("test.pairs");
            wfBroad_Update(broad, &c.x, &c.xEnd, 0.001f);
            CHECK_OK(wfBroad_FindSelf(broad, &list, &err), err);
            JudgeSelf(device, &c, &list, true, 0.001f, false);
            wfPairList_Free(device, &list);
            wfDestroyBroad(broad);
            FreeCloth(device, &c);
        }
    wfDestroyDevice(device);
}

// ---- growth, order, failure ---------------------------------------------------------------------------------------------------

static void TestGrowth(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    wfError err = {0};
    Cloth flat = MakeCloth(38, ShapeFlat, 3), crumpled = MakeCloth(38, ShapeCrumpled, 3);
    UploadCloth(device, &flat);
    UploadCloth(device, &crumpled);
    for (int type = 0; type < 2; ++type) {
        wfBroad* broad = Make(device, type, false, &flat.topology);
        wfPairList list = wfMakePairList("test.pairs");
        wfBroad_Update(broad, &flat.x, NULL, 0.0f);
        CHECK_OK(wfBroad_FindSelf(broad, &list, &err), err); // from buffers of nothing
        int few = JudgeSelf(device, &flat, &list, false, 0.0f, false);
        wfBroad_Update(broad, &crumpled.x, &crumpled.xEnd, 0.01f);
        CHECK_OK(wfBroad_FindSelf(broad, &list, &err), err); // from buffers that were large enough until now
        assert_true(JudgeSelf(device, &crumpled, &list, true, 0.01f, false) > 4 * few);
        int64_t allocations = wfDevice_GetAllocCount(device);
        for (int k = 0; k < 3; ++k) {
            wfBroad_Update(broad, k % 2 ? &flat.x : &crumpled.x, k % 2 ? NULL : &crumpled.xEnd, 0.01f);
            CHECK_OK(wfBroad_FindSelf(broad, &list, &err), err);
        }
        assert_int_equal(wfDevice_GetAllocCount(device), allocations);
        wfPairList_Free(device, &list);
        wfDestroyBroad(broad);
    }
    FreeCloth(device, &flat);
    FreeCloth(device, &crumpled);
    wfDestroyDevice(device);
}

static void TestThreads(void** state) {
    (void)state;
    Cloth c = MakeCloth(110, ShapeFolded, 4); // large enough for several threads in every kernel
    for (int type = 0; type < 2; ++type) {
        wfPair* pairs[2] = {NULL, NULL};
        int counts[2] = {0};
        for (int run = 0; run < 2; ++run) {
            wfDevice* device = OpenCpu(run == 0 ? 1 : 3);
            wfError err = {0};
            UploadCloth(device, &c);
            wfBroad* broad = Make(device, type, true, &c.topology);
            wfPairList list = wfMakePairList("test.pairs");
            wfBroad_Update(broad, &c.x, &c.xEnd, 0.0f);
            CHECK_OK(wfBroad_FindSelf(broad, &list, &err), err);
            counts[run] = list.count;
            pairs[run] = calloc((size_t)list.count, sizeof(wfPair));
            CHECK_OK(wfDownload(device, pairs[run], &list.pairs, 0, (size_t)list.count, &err), err);
            wfPairList_Free(device, &list);
            wfDestroyBroad(broad);
            wfFreeBuffer(device, &c.x);
            wfFreeBuffer(device, &c.xEnd);
            wfDestroyDevice(device);
        }
        assert_int_equal(counts[0], counts[1]);
        assert_memory_equal(pairs[0], pairs[1], (size_t)counts[0] * sizeof(wfPair));
        free(pairs[0]);
        free(pairs[1]);
    }
    FreeCloth(NULL, &c);
}

static void TestTooMany(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    wfError err = {0};
    Cloth c = MakeCloth(36, ShapeCrumpled, 3);
    UploadCloth(device, &c);
    wfBroad* broad = Make(device, 0, false, &c.topology);
    wfPairList list = wfMakePairList("test.pairs");
    wfBroad_Update(broad, &c.x, NULL, 10.0f); // everything meets everything
    char text[160];
    int patches = broad->patchCount, quads = (patches + 3) / 4, quadPairs = quads * (quads + 1) / 2,
        patchPairs = patches * (patches + 1) / 2;
    assert_true(256 < patches && patches <= 1024); // two steps down
    snprintf(text, sizeof text, "broad phase: %d pairs of nodes meet, more than the %d that can be handled", quadPairs, quadPairs - 1);
    broad->mostPairs = 16 * quadPairs - 1;
    CHECK_FAILS(wfBroad_FindSelf(broad, &list, &err), err, text);
    assert_int_equal(list.count, 0);
    snprintf(text, sizeof text, "broad phase: %d pairs of patches meet, more than the %d that can be handled", patchPairs, patchPairs - 1);
    broad->mostPairs = 64 * patchPairs - 1;
    CHECK_FAILS(wfBroad_FindSelf(broad, &list, &err), err, text);
    broad->mostPairs = 64 * patchPairs;
    err = (wfError){0};
    CHECK_OK(wfBroad_FindSelf(broad, &list, &err), err);
    JudgeSelf(device, &c, &list, false, 10.0f, false);

    assert_null(wfCreateBroad(device, &(wfBroadDef){.type = "octree"}, &c.topology, &err));
    assert_string_equal(err.text, "broad phase: expected connectivity or morton, got \"octree\"");
    c.start[77].y = NAN;
    UploadCloth(device, &c);
    wfBroad_Update(broad, &c.x, NULL, 0.0f);
    wfFault fault = wfDevice_TakeFault(device);
    assert_int_equal(fault.code, wf_faultNotFinite);
    assert_int_equal(fault.index, 77);
    wfPairList_Free(device, &list);
    wfDestroyBroad(broad);
    FreeCloth(device, &c);
    wfDestroyDevice(device);
}

// ---- patches and bounds -------------------------------------------------------------------------------------------------------

static bool Touch(const wfTopology* t, int a, int b) {
    for (int e = 0; e < 3; ++e)
        for (int f = 0; f < 3; ++f)
            if (t->triangleEdges[a][e] == t->triangleEdges[b][f]) return true;
    return false;
}

/// Every triangle once, every patch connected; returns how many patches have fewer than five.
static int JudgePatches(const wfTopology* t) {
    wfArena arena = {0};
    wfError err = {0};
    wfPatches patches;
    CHECK_OK(wfPatches_Create(&patches, t, &arena, &err), err);
    int* times = calloc((size_t)t->triangleCount, sizeof *times);
    int small = 0;
    for (int p = 0; p < patches.count; ++p) {
        int size = 0, joined = 1;
        while (size < wf_patchSize && patches.triangles[p][size] >= 0) times[patches.triangles[p][size++]] += 1;
        for (int k = size; k < wf_patchSize; ++k) assert_int_equal(patches.triangles[p][k], -1);
        assert_true(size > 0);
        small += size < wf_patchLeast;
        bool in[wf_patchSize] = {true};
        for (bool more = true; more;) {
            more = false;
            for (int i = 0; i < size; ++i)
                for (int j = 0; j < size; ++j)
                    if (in[i] && !in[j] && Touch(t, patches.triangles[p][i], patches.triangles[p][j])) {
                        in[j] = more = true;
                        ++joined;
                    }
        }
        assert_int_equal(joined, size);
    }
    for (int i = 0; i < t->triangleCount; ++i) assert_int_equal(times[i], 1);
    free(times);
    wfArena_Free(&arena);
    return small;
}

/// Triangles with one neighbour at most: a patch that starts about one may be shut in.
static int CountCorners(const wfTopology* t) {
    int corners = 0;
    for (int i = 0; i < t->triangleCount; ++i) {
        int open = 0;
        for (int k = 0; k < 3; ++k) open += t->edges[t->triangleEdges[i][k]].triangle[1] < 0;
        corners += open > 1;
    }
    return corners;
}

static void TestPatches(void** state) {
    (void)state;
    wfError err = {0};
    for (int shape = 0; shape < wf_generatorCount; ++shape) {
        // More panels of a dress's kind, and long to make.
        if (shape == wf_makeGown || shape == wf_makeShirt || shape == wf_makeLayeredDress) continue;
        wfMesh mesh = {0};
        wfTopology topology;
        wfGenerateDef def = wfDefaultGenerateDef();
        def.shape = (wfGenerator)shape;
        def.edge = 0.05f;
        CHECK_OK(wfGenerate(&mesh, &def, &err), err);
        CHECK_OK(wfTopology_Create(&topology, mesh.triangles, mesh.triangleCount, mesh.vertexCount, &err), err);
        int small = JudgePatches(&topology);
        int most = topology.componentCount + CountCorners(&topology);
        if (small > most) fail_msg("shape %d: %d small patches of %d triangles, at most %d", shape, small, mesh.triangleCount, most);
        wfTopology_Free(&topology);
        wfMesh_Free(&mesh);
    }
    // Three triangles at one edge, and one alone.
    wfTriangle fan[] = {{{0, 1, 2}}, {{0, 1, 3}}, {{0, 1, 4}}, {{5, 6, 7}}};
    wfTopology topology;
    CHECK_OK(wfTopology_Create(&topology, fan, 4, 8, &err), err);
    JudgePatches(&topology);
    wfTopology_Free(&topology);
}

static void TestNext(void** state) {
    (void)state;
    const float numbers[] = {0.0f, -0.0f, 1.0f, -1.0f, 1e-45f, -1e-45f, 1.17549435e-38f, 3.4e38f, -3.4e38f, 0.1f, -1e-3f};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; ++k) {
        assert_true(wfNextBelow(numbers[k]) == nextafterf(numbers[k], -INFINITY));
        assert_true(wfNextAbove(numbers[k]) == nextafterf(numbers[k], INFINITY));
    }
    assert_true(wfNextBelow(INFINITY) == INFINITY && wfNextAbove(-INFINITY) == -INFINITY && wfNextBelow(-INFINITY) == -INFINITY);
}

/// Sums and differences of numbers of every size: the exact one, which is the rounded one and an error that can be had exactly, lies
/// between; and a larger sum never has the lower bounds.
static void TestBelow(void** state) {
    (void)state;
    uint32_t random = 5;
    for (int k = 0; k < 200000; ++k) {
        uint32_t bits[2];
        float x[2];
        for (int i = 0; i < 2; ++i) bits[i] = random = random * 1664525u + 1013904223u;
        if (k % 3 == 0) bits[1] = (bits[1] & 0x80ffffffu) | (bits[0] & 0x7f000000u); // near in size
        if (k % 7 == 0) bits[0] &= 0x80ffffffu;                                      // tiny
        memcpy(x, bits, sizeof x);
        if (!(fabsf(x[0]) < 1e37f && fabsf(x[1]) < 1e37f)) continue;
        volatile float sum = x[0] + x[1], part = sum - x[0], back = sum - part, rest = x[1] - part, lost = x[0] - back;
        double error = (double)rest + (double)lost; // exact
        assert_true((double)wfBelow(sum) - sum <= error && error <= (double)wfAbove(sum) - sum);
        float next = nextafterf(sum, INFINITY);
        assert_true(wfBelow(sum) <= wfBelow(next) && wfAbove(sum) <= wfAbove(next));
    }
    assert_true(wfBelow(-INFINITY) == -INFINITY && wfAbove(INFINITY) == INFINITY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestNext),   cmocka_unit_test(TestBelow),   cmocka_unit_test(TestPatches),
        cmocka_unit_test(TestSelf),   cmocka_unit_test(TestAgainst), cmocka_unit_test(TestSizes),
        cmocka_unit_test(TestGrowth), cmocka_unit_test(TestThreads), cmocka_unit_test(TestTooMany),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
