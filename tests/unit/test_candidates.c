// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/candidates.h"

#include "cloths.h"
#include "collide/bounds.h"

// Every elementary test exactly once: lists are compared with all pairs of elements, sharing no vertex and with bounds that overlap.

typedef struct Element {
    int v[3], count;
    wfAabb box;
    wfSlabs slabs;
} Element;

enum { Vertices, Edges, Triangles };

static Element* MakeElements(const Cloth* c, int kind, bool swept, float radius, int* count) {
    const wfTopology* t = &c->topology;
    *count = kind == Vertices ? t->vertexCount : kind == Edges ? t->edgeCount : t->triangleCount;
    Element* all = calloc((size_t)*count, sizeof *all);
    wfGrowth growth = wfMakeGrowth(radius);
    for (int i = 0; i < *count; ++i) {
        Element* e = &all[i];
        e->count = kind + 1;
        for (int k = 0; k < e->count; ++k) e->v[k] = kind == Vertices ? i : kind == Edges ? t->edges[i].v[k] : t->triangles[i].v[k];
        e->box = wfAabb_Empty(i);
        e->slabs = wfSlabs_Empty();
        for (int k = 0; k < e->count; ++k)
            for (int end = 0; end < 1 + swept; ++end) {
                wfVec4 p = end ? c->end[e->v[k]] : c->start[e->v[k]];
                wfAabb_Add(&e->box, p);
                wfSlabs_Add(&e->slabs, p);
            }
        wfAabb_Grow(&e->box, &growth);
        wfSlabs_Grow(&e->slabs, &growth);
    }
    return all;
}

static bool ShareVertex(const Element* a, const Element* b) {
    for (int i = 0; i < a->count; ++i)
        for (int j = 0; j < b->count; ++j)
            if (a->v[i] == b->v[j]) return true;
    return false;
}

static int Judge(wfDevice* device, const wfPairList* list, const Element* a, int countA, const Element* b, int countB, bool sameMesh,
                 bool sameKind) {
    size_t n = (size_t)countB;
    unsigned char* found = calloc((size_t)countA * n, 1);
    wfPair* pairs = calloc((size_t)list->count + 1, sizeof *pairs);
    wfError err = {0};
    CHECK_OK(wfDownload(device, pairs, &list->pairs, 0, (size_t)list->count, &err), err);
    for (int i = 0; i < list->count; ++i) {
        assert_in_range(pairs[i].a, 0, countA - 1);
        assert_in_range(pairs[i].b, 0, countB - 1);
        found[(size_t)pairs[i].a * n + (size_t)pairs[i].b] += 1;
    }
    int expected = 0;
    for (int i = 0; i < countA; ++i)
        for (int j = 0; j < countB; ++j) {
            bool is = wfAabb_Overlap(&a[i].box, &b[j].box) && wfSlabs_Overlap(&a[i].slabs, &b[j].slabs);
            if (sameMesh) is = is && !ShareVertex(&a[i], &b[j]) && (!sameKind || i < j);
            int times = found[(size_t)i * n + (size_t)j];
            if (times != is) fail_msg("elements %d and %d: %d times, expected %d", i, j, times, is);
            expected += is;
        }
    assert_int_equal(list->count, expected);
    free(found);
    free(pairs);
    return expected;
}

// By kind: what the first and what the second of a pair is.
static const int s_kinds[wf_candidateKindCount][2] = {
    [wf_vertexTriangle] = {Vertices, Triangles}, [wf_triangleVertex] = {Triangles, Vertices}, [wf_edgeEdge] = {Edges, Edges},
    [wf_edgeTriangle] = {Edges, Triangles},      [wf_triangleEdge] = {Triangles, Edges},
};

typedef struct Lists {
    wfPairList list[wf_candidateKindCount], *out[wf_candidateKindCount];
} Lists;

static void MakeLists(Lists* lists, bool self) {
    for (int kind = 0; kind < wf_candidateKindCount; ++kind) {
        lists->list[kind] = wfMakePairList("test.list");
        lists->out[kind] = self && (kind == wf_triangleVertex || kind == wf_triangleEdge) ? NULL : &lists->list[kind];
    }
}

static void FreeLists(wfDevice* device, Lists* lists) {
    for (int kind = 0; kind < wf_candidateKindCount; ++kind) wfPairList_Free(device, &lists->list[kind]);
}

static void TestSelf(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    wfError err = {0};
    wfCandidates work = wfMakeCandidates();
    for (int shape = 0; shape < ShapeCount; ++shape)
        for (int k = 0; k < 4; ++k) {
            bool swept = k & 1, dop = k & 2;
            float radius = swept ? 1e-6f : 0.002f;
            Cloth c = MakeCloth(13, shape, 8 + shape);
            UploadCloth(device, &c);
            wfBroad* broad = wfCreateBroad(device, &(wfBroadDef){.type = k & 1 ? "morton" : "connectivity", .dop = dop}, &c.topology, &err);
            CHECK_OK(broad != NULL, err);
            wfElements elements;
            CHECK_OK(wfElements_Create(&elements, device, &c.topology, &err), err);
            wfPairList triangles = wfMakePairList("test.triangles");
            Lists lists;
            MakeLists(&lists, true);
            wfBroad_Update(broad, &c.x, swept ? &c.xEnd : NULL, radius);
            wfElements_Move(&elements, &c.x, swept ? &c.xEnd : NULL, radius);
            CHECK_OK(wfBroad_FindSelf(broad, &triangles, &err), err);
            CHECK_OK(wfCandidates_Find(&work, &elements, NULL, &triangles, lists.out, &err), err);
            for (int kind = 0; kind < wf_candidateKindCount; ++kind) {
                if (lists.out[kind] == NULL) continue;
                int countA, countB;
                Element *a = MakeElements(&c, s_kinds[kind][0], swept, radius, &countA),
                        *b = MakeElements(&c, s_kinds[kind][1], swept, radius, &countB);
                int found = Judge(device, &lists.list[kind], a, countA, b, countB, true, s_kinds[kind][0] == s_kinds[kind][1]);
                assert_true(shape != ShapeCrumpled || found > 50);
                free(a);
                free(b);
            }
            // One kind alone gives the same list, without an allocation.
            int64_t allocations = wfDevice_GetAllocCount(device);
            int edges = lists.list[wf_edgeEdge].count;
            lists.out[wf_vertexTriangle] = lists.out[wf_edgeTriangle] = NULL;
            CHECK_OK(wfCandidates_Find(&work, &elements, NULL, &triangles, lists.out, &err), err);
            assert_int_equal(lists.list[wf_edgeEdge].count, edges);
            assert_int_equal(wfDevice_GetAllocCount(device), allocations);
            FreeLists(device, &lists);
            wfPairList_Free(device, &triangles);
            wfElements_Free(&elements);
            wfDestroyBroad(broad);
            FreeCloth(device, &c);
        }
    wfCandidates_Free(device, &work);
    wfDestroyDevice(device);
}

static void TestAgainst(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    wfError err = {0};
    Cloth c[2] = {MakeCloth(14, ShapeFolded, 5), MakeCloth(11, ShapeCrumpled, 6)};
    const float radii[2] = {0.003f, 0.0f};
    wfBroad* broad[2];
    wfElements elements[2];
    wfPairList triangles = wfMakePairList("test.triangles");
    Lists lists;
    MakeLists(&lists, false);
    wfCandidates work = wfMakeCandidates();
    for (int k = 0; k < 2; ++k) {
        UploadCloth(device, &c[k]);
        broad[k] = wfCreateBroad(device, &(wfBroadDef){.type = "morton", .dop = true}, &c[k].topology, &err);
        CHECK_OK(broad[k] != NULL, err);
        CHECK_OK(wfElements_Create(&elements[k], device, &c[k].topology, &err), err);
        wfBroad_Update(broad[k], &c[k].x, &c[k].xEnd, radii[k]);
        wfElements_Move(&elements[k], &c[k].x, &c[k].xEnd, radii[k]);
    }
    CHECK_OK(wfBroad_FindAgainst(broad[0], broad[1], &triangles, &err), err);
    CHECK_OK(wfCandidates_Find(&work, &elements[0], &elements[1], &triangles, lists.out, &err), err);
    for (int kind = 0; kind < wf_candidateKindCount; ++kind) {
        int countA, countB;
        Element *a = MakeElements(&c[0], s_kinds[kind][0], true, radii[0], &countA),
                *b = MakeElements(&c[1], s_kinds[kind][1], true, radii[1], &countB);
        assert_true(Judge(device, &lists.list[kind], a, countA, b, countB, false, false) > 100);
        free(a);
        free(b);
    }
    for (int k = 0; k < 2; ++k) {
        wfDestroyBroad(broad[k]);
        wfElements_Free(&elements[k]);
        FreeCloth(device, &c[k]);
    }
    wfPairList_Free(device, &triangles);
    FreeLists(device, &lists);
    wfCandidates_Free(device, &work);
    wfDestroyDevice(device);
}

/// With bounds that all overlap, what is left is the number of tests itself: each edge with each triangle that it shares no vertex with,
/// once, where six tests a pair of triangles do every inner edge twice.
static void TestCounts(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    wfError err = {0};
    wfCandidates work = wfMakeCandidates();
    for (int closed = 0; closed < 2; ++closed) {
        Cloth c = MakeCloth(12, ShapeFlat, 2);
        if (closed) { // a sphere in place of the sheet
            wfTopology_Free(&c.topology);
            wfMesh_Free(&c.mesh);
            wfGenerateDef def = wfDefaultGenerateDef();
            def.shape = wf_makeSphere;
            def.edge = 0.1f;
            CHECK_OK(wfGenerate(&c.mesh, &def, &err), err);
            CHECK_OK(wfTopology_Create(&c.topology, c.mesh.triangles, c.mesh.triangleCount, c.mesh.vertexCount, &err), err);
            free(c.start);
            free(c.end);
            c.start = calloc((size_t)c.mesh.vertexCount, sizeof *c.start);
            c.end = calloc((size_t)c.mesh.vertexCount, sizeof *c.end);
        }
        UploadCloth(device, &c);
        wfBroad* broad = wfCreateBroad(device, &(wfBroadDef){.type = "connectivity"}, &c.topology, &err);
        CHECK_OK(broad != NULL, err);
        wfElements elements;
        CHECK_OK(wfElements_Create(&elements, device, &c.topology, &err), err);
        wfPairList triangles = wfMakePairList("test.triangles"), list = wfMakePairList("test.list");
        wfPairList* out[wf_candidateKindCount] = {[wf_edgeTriangle] = &list};
        wfBroad_Update(broad, &c.x, NULL, 10.0f);
        wfElements_Move(&elements, &c.x, NULL, 10.0f);
        CHECK_OK(wfBroad_FindSelf(broad, &triangles, &err), err);
        CHECK_OK(wfCandidates_Find(&work, &elements, NULL, &triangles, out, &err), err);
        const wfTopology* t = &c.topology;
        int tests = 0, plain = 0;
        for (int f = 0; f < t->triangleCount; ++f) {
            const int* v = t->triangles[f].v;
            for (int e = 0; e < t->edgeCount; ++e) {
                const int* w = t->edges[e].v;
                bool apart = true;
                for (int k = 0; k < 3; ++k) apart = apart && v[k] != w[0] && v[k] != w[1];
                tests += apart;
                plain += apart * (t->edges[e].triangle[1] >= 0 ? 2 : 1);
            }
        }
        assert_int_equal(list.count, tests);
        if (closed)
            assert_int_equal(2 * tests, plain);
        else
            CHECK_NEAR((double)plain / tests, 2.0, 2.0 * t->boundaryEdgeCount / t->edgeCount);
        wfPairList_Free(device, &triangles);
        wfPairList_Free(device, &list);
        wfElements_Free(&elements);
        wfDestroyBroad(broad);
        FreeCloth(device, &c);
    }
    wfCandidates_Free(device, &work);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestSelf), cmocka_unit_test(TestAgainst), cmocka_unit_test(TestCounts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
