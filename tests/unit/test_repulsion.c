// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "random_vectors.h"
#include "scene_fixture.h"

#include "collide/edge_triangle.h"
#include "collide/triangle_pair.h"
#include "collide/vertex_grid.h"
#include "contact/repulsion_inside.h"
#include "scene/scene.h"

#include <stdio.h>

// Safe repulsion: that its constraints do what they promise, that they are kept, and what is refused.

// ---- the constraints ----------------------------------------------------------------------------------------------------------

// A triangle about a point with edges of at most L, mostly not much less.
static void RandomTriangle(wfVec3 about, float most, wfVec3 out[3]) {
    for (;;) {
        for (int k = 0; k < 3; ++k) out[k] = wfMulAdd(about, Random(0.3f, 0.7f) * most, RandomDirection());
        float longest = 0.0f;
        for (int k = 0; k < 3; ++k) longest = fmaxf(longest, wfDistance(out[k], out[(k + 1) % 3]));
        if (longest <= most && longest > 0.7f * most) return;
    }
}

// Section 3: edges of at most L, and all pairs at least L / sqrt(2) apart: no two triangles meet. The other way round, triangles that meet
// have a pair that is too near.
static void TestTheorem(void** state) {
    (void)state;
    wfRepulsionRules r = wfMakeRepulsionRules(4.2e-3f);
    int kept = 0, met = 0;
    for (int k = 0; k < 100000; ++k) {
        wfVec3 a[3], b[3];
        RandomTriangle(wfMake3(0, 0, 0), r.most, a);
        RandomTriangle(wfScale(RandomDirection(), Random(0.0f, 1.2f) * r.most), r.most, b);
        float leastSq = INFINITY;
        for (int i = 0; i < 9; ++i) leastSq = fminf(leastSq, wfLengthSq(wfSub(a[i / 3], b[i % 3])));
        bool meet = wfTrianglesMeet(a, b), apart = leastSq >= r.leastSq;
        if (meet && apart) fail_msg("two triangles meet, their corners %g of B apart", (double)sqrtf(leastSq / r.leastSq));
        kept += apart;
        met += meet;
    }
    print_message("100000 states: %d keep the constraints, %d intersect\n", kept, met);
    assert_true(kept > 10000 && met > 10000);
    // The bound is sharp: edges of length L that cross in their middles at right angles.
    wfVec3 cross[4] = {{0.5f * r.most, 0, 0}, {-0.5f * r.most, 0, 0}, {0, 0.5f * r.most, 0}, {0, -0.5f * r.most, 0}};
    CHECK_NEAR(wfDistance(cross[0], cross[2]), sqrtf(r.leastSq), 1e-8);
}

// The closed form against many times between, in double precision; and section 4.1: discrete constraints and short ways are enough.
static void TestWays(void** state) {
    (void)state;
    wfRepulsionRules r = wfMakeRepulsionRules(4.2e-3f);
    float pair = sqrtf(r.pairSq);
    for (int k = 0; k < 20000; ++k) {
        wfVec3 a = wfScale(RandomDirection(), pair * Random(1.0f, 1.3f));
        wfVec3 b = wfAdd(a, wfScale(RandomDirection(), r.stride * Random(0.0f, 2.0f)));
        double least = INFINITY;
        for (int t = 0; t <= 1000; ++t) {
            double u = t / 1000.0, x = a.x + u * (b.x - a.x), y = a.y + u * (b.y - a.y), z = a.z + u * (b.z - a.z);
            least = fmin(least, x * x + y * y + z * z);
        }
        double closed = wfRepulsion_NearestSq(a, b);
        if (!(closed <= least * (1.0 + 1e-6) && closed >= least * (1.0 - 1e-4))) fail_msg("least %g, closed form %g", least, closed);
        if (wfLength(b) >= pair && closed < (double)r.leastSq * (1.0 - 1e-6))
            fail_msg("a pair passes at %g of B", sqrt(closed / (double)r.leastSq));
    }
    CHECK_NEAR(r.stride * r.stride, r.pairSq - r.leastSq, 1e-9);
}

static void TestBarrier(void** state) {
    (void)state;
    float e = 21.75e-6f, slope = 0.0f, up = 0.0f;
    CHECK_NEAR(wfRepulsion_Barrier(e, e, &slope), e, 1e-12);
    CHECK_NEAR(wfRepulsion_Barrier(0.999999f * e, e, &slope), e, 1e-10);
    CHECK_NEAR(slope, 0.0, 1e-5);
    for (float u = 0.05f; u < 1.0f; u += 0.05f) {
        float h = 1e-3f * e, below = wfRepulsion_Barrier(u * e - h, e, &up), above = wfRepulsion_Barrier(u * e + h, e, &up);
        wfRepulsion_Barrier(u * e, e, &slope);
        CHECK_NEAR(slope, (above - below) / (2.0f * h), 2e-3);
    }
    wfRepulsion_Barrier(1e-12f, e, &slope);
    CHECK_NEAR(slope, 1.0, 1e-6);
}

// ---- rows ---------------------------------------------------------------------------------------------------------------------

// The smaller the box that they are in, the more vertices a cell has: up to all of them, and more than fit into what is kept.
enum { RowsSide = 48, RowsCount = RowsSide * RowsSide };
static void CheckRows(float box) {
    enum { N = RowsSide, Count = RowsCount, Room = Count };
    wfDevice* device = OpenCpu(1);
    Grid grid = MakeGrid(N, N, 0.08f, 0.08f, wfMake3(0, 0, 0));
    wfTopology topology = {0};
    wfError err = {0};
    CHECK_OK(wfTopology_Create(&topology, (const wfTriangle*)grid.triangles, 2 * (N - 1) * (N - 1), Count, &err), err);
    wfArena arena = {0};
    wfRows ring;
    CHECK_OK(wfTopology_Ring2(&topology, &arena, &ring, &err), err);
    static wfVec4 x[RowsCount];
    for (int i = 0; i < Count; ++i) x[i] = wfMake4(wfMake3(Random(0, box), Random(0, box), Random(-0.4f * box, 0.4f * box)), 1.0f);
    wfBuffer bx = wfMakeBuffer(sizeof(wfVec4), "x"), counts = wfMakeBuffer(sizeof(int), "counts"), rows = wfMakeBuffer(sizeof(int), "rows");
    wfBuffer starts = wfMakeBuffer(sizeof(int), "starts"), used = wfMakeBuffer(sizeof(long long), "used");
    wfUpload(device, &bx, x, Count);
    wfReserve(device, &counts, Count);
    wfReserve(device, &starts, Count);
    wfReserve(device, &used, 1);
    wfReserve(device, &rows, (size_t)Count * Room);
    wfVertexGrid* made = wfCreateVertexGrid(device, &topology, 0.012f, 0.0f, &err);
    assert_non_null(made);
    wfGridRows out = {wfData(&starts, int), wfData(&counts, int), wfData(&rows, int), wfData(&used, long long), Count * Room};
    wfVertexGrid_ListRows(made, &bx, out);
    int *c = malloc(Count * sizeof(int)), *items = malloc((size_t)Count * Room * sizeof(int)), first[Count], total = 0;
    long long needed = 0;
    CHECK_OK(wfDownload(device, first, &starts, 0, Count, &err) && wfDownload(device, &needed, &used, 0, 1, &err), err);
    CHECK_OK(wfDownload(device, c, &counts, 0, Count, &err) && wfDownload(device, items, &rows, 0, (size_t)Count * Room, &err), err);
    for (int i = 0; i < Count; ++i) {
        bool want[Count] = {false};
        int number = 0;
        for (int j = 0; j < Count; ++j) {
            double dx = (double)x[i].x - x[j].x, dy = (double)x[i].y - x[j].y, dz = (double)x[i].z - x[j].z;
            want[j] = j != i && dx * dx + dy * dy + dz * dz <= 0.012f * (double)0.012f;
            for (int k = ring.start[i]; k < ring.start[i + 1]; ++k) want[j] = want[j] && ring.item[k] != j;
            number += want[j];
        }
        assert_int_equal(c[i], number);
        for (int k = 0; k < number; ++k) {
            assert_true(want[items[first[i] + k]]);
            want[items[first[i] + k]] = false; // each once
        }
        total += number;
    }
    assert_true(total > 4 * Count);
    assert_int_equal(needed, total);
    out.room = total / 2; // too little: it says how much it needs, and writes nothing beyond
    wfData(&rows, int)[total / 2] = -7;
    wfVertexGrid_ListRows(made, &bx, out);
    CHECK_OK(wfDownload(device, &needed, &used, 0, 1, &err), err);
    assert_int_equal(needed, total);
    assert_int_equal(wfData(&rows, int)[total / 2], -7);
    free(c);
    free(items);
    wfDestroyVertexGrid(made);
    wfFreeBuffer(device, &bx);
    wfFreeBuffer(device, &counts);
    wfFreeBuffer(device, &starts);
    wfFreeBuffer(device, &used);
    wfFreeBuffer(device, &rows);
    wfArena_Free(&arena);
    wfTopology_Free(&topology);
    FreeGrid(&grid);
    wfDestroyDevice(device);
}

static void TestRows(void** state) {
    (void)state;
    const float boxes[] = {0.09f, 0.04f, 0.008f};
    uint32_t seed = s_random;
    for (int k = 0; k < 3; ++k) {
        s_random = seed;
        CheckRows(boxes[k]);
    }
    s_random = seed; // the tests that follow have the same numbers as without these
}

// ---- scenes -------------------------------------------------------------------------------------------------------------------

static wfSceneDef SplitDef(const char* stepper, const char* dynamics) {
    wfSceneDef def = wfDefaultSceneDef();
    def.frame_rate = 100.0f;
    def.time_step = 0.01f;
    strcpy(def.contact, "repulsion");
    strcpy(def.stepper, stepper);
    strcpy(def.dynamics, dynamics);
    return def;
}

static void AddSheet(wfScene* scene, const char* name, int n, float width, wfVec3 corner, wfVec3 velocity) {
    Grid grid = MakeGrid(n, n, width, width, corner);
    wfClothDef cloth = GridCloth(&grid, name);
    cloth.velocity = velocity;
    AddCloth(scene, &cloth);
    FreeGrid(&grid);
}

// Every constraint of the current state by the slow way, and the exact check.
static void CheckSafe(wfScene* scene) {
    wfError err = {0};
    const wfModel* m = &scene->model;
    const wfRepulsionRules* r = wfRepulsion_GetRules(scene->parts.contactSelf);
    size_t count;
    float* x = ReadState(scene, &count);
    int n = m->vertexCount;
    char* steps = calloc((size_t)n * (size_t)n, 1); // edges between two vertices: 0 more than two
    for (int t = 0; t < m->triangleCount; ++t)
        for (int k = 0; k < 9; ++k) steps[m->triangles[t].v[k / 3] * n + m->triangles[t].v[k % 3]] = 1;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            if (steps[i * n + j] != 1) continue;
            for (int k = 0; k < n; ++k)
                if (steps[j * n + k] == 1 && steps[i * n + k] == 0) steps[i * n + k] = 2;
        }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j) {
            double dx = (double)x[6 * i] - x[6 * j], dy = (double)x[6 * i + 1] - x[6 * j + 1], dz = (double)x[6 * i + 2] - x[6 * j + 2];
            double sq = dx * dx + dy * dy + dz * dz;
            if (steps[i * n + j] == 1 && sq > (double)r->mostSq) fail_msg("edge %d-%d: %g of L", j, i, sqrt(sq / (double)r->mostSq));
            if (steps[i * n + j] == 0 && sq < (double)r->pairSq) fail_msg("pair %d, %d: %g of B + Bt", j, i, sqrt(sq / (double)r->pairSq));
        }
    free(steps);
    free(x);
    wfCertificate c;
    CHECK_OK(wfScene_Certify(scene, true, &c, &err), err);
    if (c.intersectingPairs != 0) fail_msg("frame %d: %lld intersecting pairs", c.frame, (long long)c.intersectingPairs);
}

// ---- triangles within two edges -----------------------------------------------------------------------------------------------

// A sheet rolled about an axis through its plane, and shaken: small radii make it meet itself within few edges.
static void RollSheet(const wfModel* m, float radius, float angle, float shake, wfVec4* x) {
    for (int i = 0; i < m->vertexCount; ++i) {
        wfVec3 p = m->start[i];
        float u = p.x * cosf(angle) + p.z * sinf(angle), w = p.z * cosf(angle) - p.x * sinf(angle),
              r = radius * (1.0f + 0.05f * u / radius);
        x[i] = wfMake4(
            wfMake3(r * sinf(u / radius) + Random(-shake, shake), r * cosf(u / radius) + Random(-shake, shake), w + Random(-shake, shake)),
            1.0f);
    }
}

// Where an edge meets a triangle with a corner within two edges of it, by the exact test, their vertices are marked; where the cloth is
// only bent, none is.
static void TestFolds(void** state) {
    (void)state;
    enum { N = 12, Count = N * N };
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = SplitDef("projection", "chebyshev");
    wfScene* scene = NewScene(device, &def);
    AddSheet(scene, "sheet", N, 0.05f, wfMake3(0, 0, 0), wfMake3(0, 0, 0));
    Commit(scene);
    wfRepulsion* r = scene->parts.contactSelf;
    const wfModel* m = &scene->model;
    Grid grid = MakeGrid(N, N, 0.05f, 0.05f, wfMake3(0, 0, 0));
    wfModel flat = *m; // the scene's own start is gone by now
    flat.start = (const wfVec3*)(const void*)grid.positions;
    static char steps[Count][Count];
    memset(steps, 0, sizeof steps);
    for (int pass = 0; pass < 2; ++pass)
        for (int t = 0; t < m->triangleCount; ++t)
            for (int k = 0; k < 9; ++k) {
                int a = m->triangles[t].v[k / 3], b = m->triangles[t].v[k % 3];
                steps[a][b] = 1;
                for (int c = 0; pass == 1 && c < Count; ++c)
                    if (steps[a][c] == 1 && steps[b][c] == 0) steps[b][c] = steps[c][b] = 2;
            }
    wfBuffer bx = wfMakeBuffer(sizeof(wfVec4), "x"), flags = wfMakeBuffer(sizeof(int), "flags");
    wfReserve(device, &flags, Count);
    wfVec4 x[Count];
    int met = 0, left = 0, marked[Count];
    wfError err = {0};
    for (int k = 0; k < 60; ++k) {
        bool bent = k % 3 == 0;
        RollSheet(&flat, bent ? Random(0.012f, 0.05f) : Random(0.001f, 0.006f), Random(0.0f, 6.0f), bent ? 0.0f : Random(0.0f, 0.003f), x);
        wfUpload(device, &bx, x, Count);
        wfZero(device, &flags);
        wfRepulsion_CheckFolds(r, device, &bx, (wfFoldLook){.gap = wfFoldGap, .flags = wfData(&flags, int)});
        CHECK_OK(wfDownload(device, marked, &flags, 0, Count, &err), err);
        for (int i = 0; bent && i < Count; ++i) assert_false(marked[i]);
        for (int s = 0; s < 3 * m->triangleCount; ++s)
            for (int t = 0; t < m->triangleCount; ++t) {
                int p = m->triangles[s / 3].v[s % 3], q = m->triangles[s / 3].v[(s + 1) % 3];
                const int* v = m->triangles[t].v;
                bool apart = true, near = false;
                for (int c = 0; c < 3; ++c) {
                    apart = apart && p != v[c] && q != v[c];
                    near = near || steps[p][v[c]] > 0 || steps[q][v[c]] > 0;
                }
                if (!apart || !near || !wfEdgeMeetsTriangle(wfXyz(x[p]), wfXyz(x[q]), wfXyz(x[v[0]]), wfXyz(x[v[1]]), wfXyz(x[v[2]])))
                    continue;
                ++met;
                // What distances say themselves is theirs: edges of at most L, and what is more than two edges apart no nearer than B.
                bool promised = true;
                for (int c = 0; c < 3; ++c) {
                    promised = promised && wfLengthSq(wfSub(wfXyz(x[v[c]]), wfXyz(x[v[(c + 1) % 3]]))) <= r->rules.mostSq;
                    promised = promised && (steps[p][v[c]] > 0 || wfLengthSq(wfSub(wfXyz(x[p]), wfXyz(x[v[c]]))) >= 0.5f * r->rules.mostSq);
                    promised = promised && (steps[q][v[c]] > 0 || wfLengthSq(wfSub(wfXyz(x[q]), wfXyz(x[v[c]]))) >= 0.5f * r->rules.mostSq);
                }
                promised = promised && wfLengthSq(wfSub(wfXyz(x[p]), wfXyz(x[q]))) <= r->rules.mostSq;
                if (!promised) continue;
                ++left;
                if (!marked[p] || !marked[q] || !marked[v[0]] || !marked[v[1]] || !marked[v[2]])
                    fail_msg("state %d: edge %d-%d meets triangle %d, and that is not marked", k, p, q, t);
            }
    }
    // A single vertex is moved: who looks only about it finds a fold where one who looks everywhere does.
    wfBuffer noted = wfMakeBuffer(sizeof(wfRepulsionVerdict), "noted");
    int folded = 0;
    for (int k = 0; k < 300; ++k) {
        int labels[Count] = {0}, mover = (int)Random(0.0f, (float)Count - 0.5f), any = 0;
        wfRepulsionVerdict verdict = {.violated = ~(wfFaultSlot)0};
        RollSheet(&flat, 0.03f, 0.0f, 0.0f, x);
        wfVec3 way = wfMake3(Random(-0.015f, 0.015f), Random(-0.015f, 0.015f), Random(-0.015f, 0.015f));
        x[mover] = wfMake4(wfAdd(wfXyz(x[mover]), way), 1.0f);
        labels[mover] = 1;
        wfUpload(device, &bx, x, Count);
        wfUpload(device, &noted, &verdict, 1);
        wfUpload(device, &r->labels, labels, Count);
        wfZero(device, &flags);
        wfRepulsion_CheckFolds(r, device, &bx, (wfFoldLook){.gap = wfFoldGap, .flags = wfData(&flags, int)});
        wfRepulsion_SpreadLabels(r, device);
        wfFoldLook look = {.gap = wfFoldGap, .only = wfData(&r->dirty, int), .verdict = wfData(&noted, wfRepulsionVerdict)};
        wfRepulsion_CheckFolds(r, device, &bx, look);
        CHECK_OK(wfDownload(device, marked, &flags, 0, Count, &err), err);
        CHECK_OK(wfDownload(device, &verdict, &noted, 0, 1, &err), err);
        for (int i = 0; i < Count; ++i) any |= marked[i];
        assert_int_equal(verdict.violated != ~(wfFaultSlot)0, any);
        folded += any;
    }
    print_message("300 vertices moved: %d fold\n", folded);
    assert_true(folded > 8 && folded < 280);
    wfFreeBuffer(device, &noted);
    for (int i = 0; i < Count; ++i) // folded flat, the upper half a hair above the lower
        x[i] = wfMake4(wfMake3(fabsf(flat.start[i].x - 0.0205f), flat.start[i].x > 0.0205f ? 1e-6f : 0.0f, flat.start[i].z), 1.0f);
    wfUpload(device, &bx, x, Count);
    wfZero(device, &flags);
    wfRepulsion_CheckFolds(r, device, &bx, (wfFoldLook){.gap = wfFoldLeast, .flags = wfData(&flags, int)});
    CHECK_OK(wfDownload(device, marked, &flags, 0, Count, &err), err);
    for (int i = 0; i < Count; ++i)
        if (fabsf(flat.start[i].x - 0.0205f) < 0.005f) assert_true(marked[i]);
    print_message("60 states: %d edges meet triangles within two edges, %d where distances are as they must be\n", met, left);
    assert_true(met > 1000 && left > 100);
    wfFreeBuffer(device, &bx);
    wfFreeBuffer(device, &flags);
    FreeGrid(&grid);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

// Two sheets fly at each other, the upper one turned a little by its place; every stepper keeps them apart.
static wfScene* MakePair(wfDevice* device, const char* stepper, const char* dynamics, float speed) {
    wfSceneDef def = SplitDef(stepper, dynamics);
    def.gravity = wfMake3(0, 0, 0);
    wfScene* scene = NewScene(device, &def);
    AddSheet(scene, "lower", 12, 0.05f, wfMake3(0, 0, 0), wfMake3(0, 0.5f * speed, 0));
    AddSheet(scene, "upper", 12, 0.05f, wfMake3(0.0113f, 0.012f, 0.0071f), wfMake3(0, -0.5f * speed, 0));
    Commit(scene);
    return scene;
}

static void TestKinds(void** state) {
    (void)state;
    static const char* steppers[] = {"projection", "splitting", "interleaving", "post-processing", "phantom"};
    wfDevice* device = OpenCpu(1);
    for (int k = 0; k < 5; ++k) {
        wfScene* scene = MakePair(device, steppers[k], k % 2 == 1 ? "hierarchy" : "chebyshev", 1.0f);
        for (int frame = 0; frame < 8; ++frame) {
            StepFrames(scene, 1);
            CheckSafe(scene);
        }
        wfRepulsionCounts counts = wfRepulsion_GetCounts(scene->parts.contactSelf);
        print_message("%s: %lld of %lld rounds soft, %lld rollbacks, %lld hard\n", steppers[k], (long long)counts.softRounds,
                      (long long)counts.rounds, (long long)counts.rollbacks, (long long)counts.hardRounds);
        assert_true(counts.rounds >= 8 * 78);
        wfDestroyScene(scene);
    }
    wfDestroyDevice(device);
}

// Without its pushes the soft phase fails wherever sheets meet: rounds are taken back, and the hard phase alone keeps everything apart.
static void TestHard(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfScene* scene = MakePair(device, "splitting", "hierarchy", 2.0f);
    wfRepulsion_SetPush(scene->parts.contactSelf, 0.0f);
    for (int frame = 0; frame < 4; ++frame) {
        StepFrames(scene, 1);
        CheckSafe(scene);
    }
    wfRepulsionCounts counts = wfRepulsion_GetCounts(scene->parts.contactSelf);
    print_message("hard: %lld of %lld rounds soft, %lld rollbacks, %lld hard, %lld steps\n", (long long)counts.softRounds,
                  (long long)counts.rounds, (long long)counts.rollbacks, (long long)counts.hardRounds, (long long)counts.hardSteps);
    assert_true(counts.rollbacks > 3 && counts.hardRounds > 20 && counts.hardSteps > 20);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

// Blocks that are taken back, the start of the step among them, take nothing of the momentum of cloth that has no part in it.
static void TestMomentum(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = SplitDef("projection", "chebyshev");
    def.gravity = wfMake3(0, 0, 0);
    def.air_drag = 0.0f;
    wfScene* scene = NewScene(device, &def);
    AddSheet(scene, "lower", 12, 0.05f, wfMake3(0, 0, 0), wfMake3(0, 1.0f, 0));
    AddSheet(scene, "upper", 12, 0.05f, wfMake3(0.0113f, 0.012f, 0.0071f), wfMake3(0, -1.0f, 0));
    AddSheet(scene, "far", 12, 0.05f, wfMake3(0.5f, 0, 0), wfMake3(0.5f, 0, 0));
    Commit(scene);
    wfRepulsion_SetPush(scene->parts.contactSelf, 0.0f);
    StepFrames(scene, 4);
    wfRepulsionCounts counts = wfRepulsion_GetCounts(scene->parts.contactSelf);
    size_t count;
    float* x = ReadState(scene, &count);
    float speed = x[count - 3];
    print_message("%lld rollbacks; what flies alone at 0.5 m/s does so at %g\n", (long long)counts.rollbacks, (double)speed);
    assert_true(counts.rollbacks >= 4);
    CHECK_NEAR(speed, 0.5f, 0.005f);
    free(x);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

// Rounds alone cannot go faster than K D / dt, 1.8 m/s on this mesh; the smooth start can.
static void TestFreeFall(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    for (int smooth = 0; smooth < 2; ++smooth) {
        wfSceneDef def = SplitDef("splitting", "hierarchy");
        wfScene* scene = NewScene(device, &def);
        AddSheet(scene, "sheet", 10, 9 * 3.69e-3f, wfMake3(0, 0, 0), wfMake3(0, 0, 0));
        Commit(scene);
        wfRepulsion_SetStart(scene->parts.contactSelf, smooth == 1);
        StepFrames(scene, 40);
        size_t count;
        float* x = ReadState(scene, &count);
        float cap = 72.0f * wfRepulsion_GetRules(scene->parts.contactSelf)->step / def.time_step;
        print_message("free fall for 0.4 s, start %s: %g m/s; K D / dt is %g\n", smooth ? "smooth" : "none", (double)-x[4], (double)cap);
        CHECK_NEAR(cap, 1.8, 0.02);
        if (smooth)
            CHECK_NEAR(-x[4], 0.4f * 9.81f, 0.02f * 0.4f * 9.81f);
        else
            assert_true(-x[4] <= 1.01f * cap);
        free(x);
        wfDestroyScene(scene);
    }
    wfDestroyDevice(device);
}

// What meets a body gives way in the smooth start alone: what falls beside it goes on.
static void TestFreeFallBeside(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = SplitDef("projection", "multilevel");
    wfScene* scene = NewScene(device, &def);
    wfColliderDef ball = wfDefaultColliderDef();
    wfKey key = {.translate = {0.617f, -0.4f, 0.017f}, .rotate = wfQuatIdentity()};
    ball.shape = wf_shapeSphere;
    ball.radius = 0.1f;
    ball.keys = &key;
    ball.keyCount = 1;
    AddCollider(scene, &ball);
    AddSheet(scene, "stopped", 10, 9 * 3.69e-3f, wfMake3(0.6f, 0, 0), wfMake3(0, 0, 0));
    AddSheet(scene, "falls", 10, 9 * 3.69e-3f, wfMake3(0, 0, 0), wfMake3(0, 0, 0));
    Commit(scene);
    StepFrames(scene, 40);
    size_t count;
    float* x = ReadState(scene, &count);
    float stopped = -x[6 * 45 + 4], falls = -x[count - 2];
    print_message("0.4 s: one that has met a ball goes at %g m/s, one beside it at %g\n", (double)stopped, (double)falls);
    assert_true(stopped < 1.5f);
    CHECK_NEAR(falls, 0.4f * 9.81f, 0.003f * 0.4f * 9.81f);
    free(x);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

// Two panels sewn along a side: the seam closes, though its vertices come nearer than any other pair may.
static void TestSeam(void** state) {
    (void)state;
    enum { N = 10 };
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = SplitDef("projection", "chebyshev");
    def.gravity = wfMake3(0, 0, 0);
    wfScene* scene = NewScene(device, &def);
    float width = 0.036f;
    AddSheet(scene, "left", N, width, wfMake3(0, 0, 0), wfMake3(0, 0, 0));
    AddSheet(scene, "right", N, width, wfMake3(width + 0.012f, 0.002f, 0), wfMake3(0, 0, 0));
    int left[N], right[N];
    for (int k = 0; k < N; ++k) {
        left[k] = k * N + N - 1;
        right[k] = k * N;
    }
    wfSeamDef seam = wfDefaultSeamDef();
    seam.a = (wfSeamSide){.cloth = wfScene_GetCloth(scene, 0), .vertices = left, .vertexCount = N};
    seam.b = (wfSeamSide){.cloth = wfScene_GetCloth(scene, 1), .vertices = right, .vertexCount = N};
    seam.match = wf_matchVertices;
    seam.close = 0.1f;
    wfError err = {0};
    assert_false(WF_ID_IS_NULL(wfCreateSeam(scene, &seam, &err)));
    Commit(scene);
    int64_t most = 0;
    for (int frame = 0; frame < 20; ++frame) {
        StepFrames(scene, 1);
        wfCertificate c;
        CHECK_OK(wfScene_Certify(scene, true, &c, &err), err);
        most = c.intersectingPairs > most ? c.intersectingPairs : most;
    }
    double gap = 0.0;
    for (int k = 0; k < N; ++k) {
        wfVec3 a = ReadVertex(scene, wfScene_GetCloth(scene, 0), left[k]), b = ReadVertex(scene, wfScene_GetCloth(scene, 1), right[k]);
        gap = fmax(gap, (double)wfDistance(a, b));
    }
    print_message("a seam closes from 12.2 mm to %.3g mm; at most %lld pairs intersect meanwhile\n", 1e3 * gap, (long long)most);
    assert_true(gap == 0.0);
    assert_int_equal(most, 0);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

// What a step of the phantom mesh has learnt is in the checkpoint: a run that goes on from one ends with the same bits.
static void TestCheckpoint(void** state) {
    (void)state;
    static const char path[] = "test_repulsion.wfc";
    wfDevice* device = OpenCpu(1);
    wfError err = {0};
    wfScene *whole = MakePair(device, "phantom", "chebyshev", 1.0f), *resumed = MakePair(device, "phantom", "chebyshev", 1.0f);
    StepFrames(whole, 4);
    CHECK_OK(wfScene_SaveCheckpoint(whole, path, &err), err);
    CHECK_OK(wfScene_LoadCheckpoint(resumed, path, &err), err);
    StepFrames(whole, 2);
    StepFrames(resumed, 2);
    CheckSameState(whole, resumed);
    remove(path);
    wfDestroyScene(whole);
    wfDestroyScene(resumed);
    wfDestroyDevice(device);
}

static void TestThreads(void** state) {
    (void)state;
    wfDevice *one = OpenCpu(1), *three = OpenCpu(3);
    wfScene *a = MakePair(one, "projection", "chebyshev", 1.0f), *b = MakePair(three, "projection", "chebyshev", 1.0f);
    StepFrames(a, 6);
    StepFrames(b, 6);
    CheckSameState(a, b);
    wfDestroyScene(a);
    wfDestroyScene(b);
    wfDestroyDevice(one);
    wfDestroyDevice(three);
}

// ---- what is refused ----------------------------------------------------------------------------------------------------------

static void TestRefuses(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfError err = {0};
    wfSceneDef def = SplitDef("splitting", "hierarchy");
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(6, 6, 0.05f, 0.05f, wfMake3(0, 0, 0));
    grid.positions[0] -= 0.02f; // the corner pulled out
    wfClothDef cloth = GridCloth(&grid, "uneven");
    AddCloth(scene, &cloth);
    FreeGrid(&grid);
    CHECK_FAILS(
        wfScene_Commit(scene, &err), err,
        "contact \"repulsion\" needs an even mesh: cloth \"uneven\", edge 0-7 is more than 1.69 times as long as the mean (31.62 mm; "
        "all edges: 10 to 31.62 mm, ratio 0.32, mean 11.8); `weft remesh` makes one");
    wfDestroyScene(scene);

    scene = NewScene(device, &def);
    AddSheet(scene, "lower", 6, 0.05f, wfMake3(0, 0, 0), wfMake3(0, 0, 0));
    AddSheet(scene, "upper", 6, 0.05f, wfMake3(0, 0.01f, 0), wfMake3(0, 0, 0));
    CHECK_FAILS(
        wfScene_Commit(scene, &err), err,
        "contact \"repulsion\": cloth \"lower\", vertex 0 and cloth \"upper\", vertex 0 are 10 mm apart at the start; with edges of "
        "11.22 mm it needs 17.36 mm: move them apart, or take a finer mesh (`weft remesh`)");
    wfDestroyScene(scene);

    strcpy(def.dynamics, "explicit");
    scene = NewScene(device, &def);
    AddSheet(scene, "sheet", 6, 0.05f, wfMake3(0, 0, 0), wfMake3(0, 0, 0));
    CHECK_FAILS(
        wfScene_Commit(scene, &err), err,
        "scene: stepper: stepper \"splitting\" needs a dynamics that takes rounds (chebyshev, multilevel, hierarchy), got \"explicit\"");
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestTheorem),  cmocka_unit_test(TestWays),       cmocka_unit_test(TestBarrier),
        cmocka_unit_test(TestRows),     cmocka_unit_test(TestKinds),      cmocka_unit_test(TestHard),
        cmocka_unit_test(TestMomentum), cmocka_unit_test(TestFreeFall),   cmocka_unit_test(TestFreeFallBeside),
        cmocka_unit_test(TestSeam),     cmocka_unit_test(TestThreads),    cmocka_unit_test(TestRefuses),
        cmocka_unit_test(TestFolds),    cmocka_unit_test(TestCheckpoint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
