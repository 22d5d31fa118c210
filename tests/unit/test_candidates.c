// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/candidates.h"

#include "cloths.h"
#include "collide/bounds.h"
#include "collide/distance.h"

// Every elementary test exactly once: lists are compared with all pairs of elements that share no vertex, in double precision.

typedef struct Element {
    int v[3], count;
    int owner; // the triangle that it belongs to
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
        e->owner = kind == Vertices ? t->vertexTriangles.item[t->vertexTriangles.start[i]] : kind == Edges ? t->edges[i].triangle[0] : i;
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

// What both elements of a pair are looked at with.
typedef struct Look {
    const Cloth *a, *b;
    bool swept;
    wfPace pace;
    double reach; // both radii
} Look;

static wfVec3D At(const Look* look, const Cloth* c, int v, double time) {
    wfVec3D p = wfWiden(wfXyz(c->start[v])), q = wfWiden(wfXyz(look->swept ? c->end[v] : c->start[v]));
    return wfMulAddD(p, time, wfSubD(q, p));
}

/// How far apart both are along n, at both ends of a motion from which `along` is taken; less than the reach: they may meet.
static double GapAlong(const Look* look, const Element* a, const Element* b, wfVec3D n, wfVec3D along) {
    double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
    for (int side = 0; side < 2; ++side) {
        const Element* e = side ? b : a;
        for (int k = 0; k < 2 * e->count; ++k) {
            wfVec3D p = wfMulAddD(At(look, side ? look->b : look->a, e->v[k / 2], k % 2), -(k % 2), along);
            lo[side] = fmin(lo[side], wfDotD(n, p));
            hi[side] = fmax(hi[side], wfDotD(n, p));
        }
    }
    return fmax(lo[0] - hi[1], lo[1] - hi[0]) / wfLengthD(n);
}

/// The same along the axes of candidates, where all go evenly seen from beside the two triangles that they belong to.
static double Gap(const Look* look, const Element* a, const Element* b, bool between) {
    static const double axes[9][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, -1, 0}, {1, 0, 1}, {1, 0, -1}, {0, 1, 1}, {0, 1, -1}};
    wfVec3D along = wfMake3D(0.0, 0.0, 0.0), line = along;
    for (int side = 0; side < 2; ++side) {
        const Cloth* c = side ? look->b : look->a;
        const int* v = c->topology.triangles[(side ? b : a)->owner].v;
        for (int k = 0; k < 2 && look->pace == wf_paceEven; ++k)
            along = wfMulAddD(along, 0.25, wfSubD(At(look, c, v[k], 1.0), At(look, c, v[k], 0.0)));
        for (int k = 0; k < 3; ++k) line = wfMulAddD(line, side ? -1.0 : 1.0, At(look, c, v[k], 0.5)); // `along` cancels
    }
    double gap = between && wfLengthD(line) > 0.0 ? GapAlong(look, a, b, line, along) : -INFINITY;
    for (int k = 0; k < 9; ++k) gap = fmax(gap, GapAlong(look, a, b, wfMake3D(axes[k][0], axes[k][1], axes[k][2]), along));
    return gap;
}

/// Whether a vertex and a triangle, or two edges, come within the reach at one of some times; at any pace each has its own.
static bool ComeNear(const Look* look, const Element* a, const Element* b) {
    for (int step = 0; step < 81; ++step) {
        double times[2] = {step / 9 / 8.0, step % 9 / 8.0};
        if (look->pace == wf_paceEven && times[0] != times[1]) continue;
        wfVec3D x[4];
        int count = 0;
        const Element *first = a->count == 3 ? b : a, *second = a->count == 3 ? a : b; // a vertex before its triangle
        for (int k = 0; k < first->count; ++k) x[count++] = At(look, first == a ? look->a : look->b, first->v[k], times[0]);
        for (int k = 0; k < second->count; ++k) x[count++] = At(look, second == a ? look->a : look->b, second->v[k], times[1]);
        wfNearestD near = first->count == 1 ? wfPointTriangleD(x[0], x[1], x[2], x[3]) : wfEdgeEdgeD(x[0], x[1], x[2], x[3]);
        if (sqrt(near.distanceSq) < look->reach) return true;
    }
    return false;
}

static int Judge(wfDevice* device, const wfPairList* list, const Element* a, int countA, const Element* b, int countB, bool sameMesh,
                 const Look* look) {
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
    int expected = 0, vague = 0;
    bool sameKind = a->count == b->count, edgeTriangle = a->count + b->count == 5;
    for (int i = 0; i < countA; ++i)
        for (int j = 0; j < countB; ++j) {
            int times = found[(size_t)i * n + (size_t)j];
            if (sameMesh && (ShareVertex(&a[i], &b[j]) || (sameKind && i >= j))) {
                if (times != 0) fail_msg("elements %d and %d: found, and are never to be", i, j);
                continue;
            }
            bool overlap = wfAabb_Overlap(&a[i].box, &b[j].box) && wfSlabs_Overlap(&a[i].slabs, &b[j].slabs);
            if (!overlap && times == 0) continue; // triangles may meet where these elements do not
            double beyond = Gap(look, &a[i], &b[j], !edgeTriangle) - look->reach;
            bool near = !edgeTriangle && times == 0 && ComeNear(look, &a[i], &b[j]);
            if (near) fail_msg("elements %d and %d come near and are not found", i, j);
            if (times > 1 || (times == 1 && beyond > 1e-7)) fail_msg("elements %d and %d: %d times, %g m apart", i, j, times, beyond);
            if (times == 0 && beyond < -1e-7) fail_msg("elements %d and %d: not found, overlap by %g m", i, j, -beyond);
            vague += fabs(beyond) <= 1e-7;
            expected += times;
        }
    assert_int_equal(list->count, expected);
    assert_true(vague <= 2 + expected / 100);
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

static int FillVertices(const Cloth* c, int what, int index, int offset, int* out) {
    int count = what == Vertices ? 1 : what == Edges ? 2 : 3;
    const int* v = what == Edges ? c->topology.edges[index].v : what == Triangles ? c->mesh.triangles[index].v : &index;
    for (int k = 0; k < count; ++k) out[k] = v[k] + offset;
    return count;
}

/// Counted and written as vertices, they are those of the lists, in their order; of two meshes the second's vertices come behind.
static void CheckVertices(wfCandidates* work, const wfElements* first, const wfElements* second, const wfPairList* triangles, Lists* lists,
                          const Cloth* a, const Cloth* b) {
    wfDevice* device = first->device;
    wfError err = {0};
    const bool asked[wf_candidateKindCount] = {[wf_vertexTriangle] = true, [wf_triangleVertex] = second != NULL, [wf_edgeEdge] = true};
    int totals[wf_candidateKindCount], offset = second != NULL ? a->mesh.vertexCount : 0, all = 0;
    CHECK_OK(wfCandidates_Count(work, first, second, triangles, asked, totals, &err), err);
    wfBuffer buffer = wfMakeBuffer(sizeof(wfFourVertices), "test.vertices");
    for (int kind = 0; kind < wf_candidateKindCount; ++kind) all += totals[kind];
    wfReserve(device, &buffer, (size_t)all);
    wfFourVertices *out[wf_candidateKindCount] = {NULL}, *at = wfData(&buffer, wfFourVertices);
    for (int kind = 0; kind < wf_candidateKindCount; ++kind) {
        if (asked[kind]) out[kind] = at;
        at += totals[kind];
    }
    wfCandidates_Write(work, first, second, triangles, totals, out, offset);
    wfFourVertices *found = calloc((size_t)all + 1, sizeof *found), *next = found;
    CHECK_OK(wfDownload(device, found, &buffer, 0, (size_t)all, &err), err);
    for (int kind = 0; kind < wf_candidateKindCount; ++kind) {
        assert_int_equal(totals[kind], asked[kind] ? lists->list[kind].count : 0);
        wfPair* pairs = calloc((size_t)totals[kind] + 1, sizeof *pairs);
        CHECK_OK(wfDownload(device, pairs, &lists->list[kind].pairs, 0, (size_t)totals[kind], &err), err);
        for (int i = 0; i < totals[kind]; ++i, ++next) {
            int expected[4];
            if (kind == wf_triangleVertex) { // the vertex comes first
                FillVertices(b, Vertices, pairs[i].b, offset, expected);
                FillVertices(a, Triangles, pairs[i].a, 0, expected + 1);
            } else {
                int count = FillVertices(a, s_kinds[kind][0], pairs[i].a, 0, expected);
                FillVertices(b, s_kinds[kind][1], pairs[i].b, offset, expected + count);
            }
            assert_memory_equal(next->v, expected, sizeof expected);
        }
        free(pairs);
    }
    free(found);
    wfFreeBuffer(device, &buffer);
}

static void TestSelf(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    wfError err = {0};
    wfCandidates work = wfMakeCandidates();
    for (int shape = 0; shape < ShapeCount; ++shape)
        for (int k = 0; k < 4; ++k) {
            bool swept = k & 1, dop = k & 2;
            wfPace pace = dop ? wf_paceAny : wf_paceEven;
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
            wfElements_Move(&elements, &c.x, swept ? &c.xEnd : NULL, pace, radius);
            CHECK_OK(wfBroad_FindSelf(broad, &triangles, &err), err);
            CHECK_OK(wfCandidates_Find(&work, &elements, NULL, &triangles, lists.out, &err), err);
            for (int kind = 0; kind < wf_candidateKindCount; ++kind) {
                if (lists.out[kind] == NULL) continue;
                int countA, countB;
                Element *a = MakeElements(&c, s_kinds[kind][0], swept, radius, &countA),
                        *b = MakeElements(&c, s_kinds[kind][1], swept, radius, &countB);
                Look look = {&c, &c, swept, pace, 2.0 * (double)radius};
                int found = Judge(device, &lists.list[kind], a, countA, b, countB, true, &look);
                assert_true(shape != ShapeCrumpled || found > 50);
                free(a);
                free(b);
            }
            CheckVertices(&work, &elements, NULL, &triangles, &lists, &c, &c);
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
        wfElements_Move(&elements[k], &c[k].x, &c[k].xEnd, wf_paceEven, radii[k]);
    }
    CHECK_OK(wfBroad_FindAgainst(broad[0], broad[1], &triangles, &err), err);
    CHECK_OK(wfCandidates_Find(&work, &elements[0], &elements[1], &triangles, lists.out, &err), err);
    CheckVertices(&work, &elements[0], &elements[1], &triangles, &lists, &c[0], &c[1]);
    for (int kind = 0; kind < wf_candidateKindCount; ++kind) {
        int countA, countB;
        Element *a = MakeElements(&c[0], s_kinds[kind][0], true, radii[0], &countA),
                *b = MakeElements(&c[1], s_kinds[kind][1], true, radii[1], &countB);
        Look look = {&c[0], &c[1], true, wf_paceEven, (double)radii[0] + (double)radii[1]};
        assert_true(Judge(device, &lists.list[kind], a, countA, b, countB, false, &look) > 100);
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

/// What only flies as a whole, however fast, has the candidates of what rests.
static void TestFlight(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfError err = {0};
    wfCandidates work = wfMakeCandidates();
    Cloth c = MakeCloth(15, ShapeCrumpled, 3);
    for (int i = 0; i < c.mesh.vertexCount; ++i) c.end[i] = wfMake4(wfAdd(wfXyz(c.start[i]), wfMake3(0.25f, -0.5f, 0.125f)), 0.0f);
    UploadCloth(device, &c);
    wfBroad* broad = wfCreateBroad(device, &(wfBroadDef){.type = "connectivity"}, &c.topology, &err);
    CHECK_OK(broad != NULL, err);
    wfElements elements;
    CHECK_OK(wfElements_Create(&elements, device, &c.topology, &err), err);
    wfPairList triangles = wfMakePairList("test.triangles");
    int counts[2][wf_candidateKindCount];
    for (int flies = 0; flies < 2; ++flies) {
        Lists lists;
        MakeLists(&lists, true);
        wfBroad_Update(broad, &c.x, flies ? &c.xEnd : NULL, 0.001f);
        wfElements_Move(&elements, &c.x, flies ? &c.xEnd : NULL, wf_paceEven, 0.001f);
        CHECK_OK(wfBroad_FindSelf(broad, &triangles, &err), err);
        CHECK_OK(wfCandidates_Find(&work, &elements, NULL, &triangles, lists.out, &err), err);
        for (int kind = 0; kind < wf_candidateKindCount; ++kind) counts[flies][kind] = lists.list[kind].count;
        FreeLists(device, &lists);
    }
    for (int kind = 0; kind < wf_candidateKindCount; ++kind) assert_int_equal(counts[0][kind], counts[1][kind]);
    assert_true(counts[0][wf_edgeEdge] > 10);
    wfPairList_Free(device, &triangles);
    wfElements_Free(&elements);
    wfDestroyBroad(broad);
    wfCandidates_Free(device, &work);
    FreeCloth(device, &c);
    wfDestroyDevice(device);
}

static wfPair* DownloadPairs(wfDevice* device, const wfPairList* list) {
    wfPair* pairs = calloc((size_t)list->count + 1, sizeof *pairs);
    wfError err = {0};
    CHECK_OK(wfDownload(device, pairs, &list->pairs, 0, (size_t)list->count, &err), err);
    return pairs;
}

static bool HasMark(const Element* e, const int* marks) {
    bool has = false;
    for (int k = 0; k < e->count; ++k) has = has || marks[e->v[k]] != 0;
    return has;
}

/// With marks come, in their order, the pairs of all in which a vertex is marked; where the other mesh has none as well.
static void TestMarks(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    wfError err = {0};
    wfCandidates work = wfMakeCandidates();
    Cloth c = MakeCloth(16, ShapeCrumpled, 4), other = MakeCloth(9, ShapeCrumpled, 5);
    UploadCloth(device, &c);
    UploadCloth(device, &other);
    wfElements elements, others;
    CHECK_OK(wfElements_Create(&elements, device, &c.topology, &err), err);
    CHECK_OK(wfElements_Create(&others, device, &other.topology, &err), err);
    wfBroad *broad = wfCreateBroad(device, &(wfBroadDef){.type = "connectivity"}, &c.topology, &err),
            *otherBroad = wfCreateBroad(device, &(wfBroadDef){.type = "connectivity"}, &other.topology, &err);
    CHECK_OK(broad != NULL && otherBroad != NULL, err);
    wfBroad_Update(broad, &c.x, &c.xEnd, 0.002f);
    wfBroad_Update(otherBroad, &other.x, &other.xEnd, 0.001f);
    wfElements_Move(&others, &other.x, &other.xEnd, wf_paceEven, 0.001f);
    int* marks = calloc((size_t)c.mesh.vertexCount, sizeof *marks);
    wfBuffer markBuffer = wfMakeBuffer(sizeof(int), "test.marks");
    wfPairList triangles = wfMakePairList("test.triangles");
    static const int every[] = {1, 5, 40, 1000};
    for (int k = 0; k < 8; ++k) {
        bool self = k % 2 == 0;
        for (int i = 0; i < c.mesh.vertexCount; ++i) marks[i] = (i * 7 + 3) % every[k / 2] == 0;
        wfUpload(device, &markBuffer, marks, (size_t)c.mesh.vertexCount);
        CHECK_OK(self ? wfBroad_FindSelf(broad, &triangles, &err) : wfBroad_FindAgainst(broad, otherBroad, &triangles, &err), err);
        Lists all, some;
        MakeLists(&all, self);
        MakeLists(&some, self);
        some.out[wf_edgeTriangle] = some.out[wf_triangleEdge] = NULL;
        wfElements_Move(&elements, &c.x, &c.xEnd, wf_paceEven, 0.002f);
        CHECK_OK(wfCandidates_Find(&work, &elements, self ? NULL : &others, &triangles, all.out, &err), err);
        wfElements_Mark(&elements, &markBuffer);
        CHECK_OK(wfCandidates_Find(&work, &elements, self ? NULL : &others, &triangles, some.out, &err), err);
        for (int kind = 0; kind < wf_candidateKindCount; ++kind) {
            if (some.out[kind] == NULL) continue;
            int countA, countB, at = 0;
            Element *a = MakeElements(&c, s_kinds[kind][0], true, 0.0f, &countA),
                    *b = MakeElements(self ? &c : &other, s_kinds[kind][1], true, 0.0f, &countB);
            wfPair *allPairs = DownloadPairs(device, &all.list[kind]), *somePairs = DownloadPairs(device, &some.list[kind]);
            for (int i = 0; i < all.list[kind].count; ++i) {
                wfPair pair = allPairs[i];
                if (!HasMark(&a[pair.a], marks) && !(self && HasMark(&b[pair.b], marks))) continue;
                assert_true(at < some.list[kind].count);
                assert_int_equal(somePairs[at].a, pair.a);
                assert_int_equal(somePairs[at].b, pair.b);
                ++at;
            }
            assert_int_equal(some.list[kind].count, at);
            assert_true(every[k / 2] > 1 ? at < all.list[kind].count : at == all.list[kind].count);
            free(a);
            free(b);
            free(allPairs);
            free(somePairs);
        }
        FreeLists(device, &all);
        FreeLists(device, &some);
    }
    free(marks);
    wfFreeBuffer(device, &markBuffer);
    wfPairList_Free(device, &triangles);
    wfElements_Free(&elements);
    wfElements_Free(&others);
    wfDestroyBroad(broad);
    wfDestroyBroad(otherBroad);
    wfCandidates_Free(device, &work);
    FreeCloth(device, &c);
    FreeCloth(device, &other);
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
        wfElements_Move(&elements, &c.x, NULL, wf_paceEven, 10.0f);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestSelf), cmocka_unit_test(TestAgainst), cmocka_unit_test(TestFlight),
                                       cmocka_unit_test(TestMarks), cmocka_unit_test(TestCounts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
