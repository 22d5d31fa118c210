// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "difference.h"

#include "mesh/boundary.h"
#include "mesh/generate.h"

#include <string.h>

// Runs along a boundary, and how two of them are sewn together.

enum { N = 5, M = 4 };

/// 5 x 4 vertices in the plane of x and y, vertex (i, j) at (i, j) has index 5 j + i; counter-clockwise.
static void MakeMesh(wfMesh* mesh) {
    wfError err = {0};
    CHECK_OK(wfMesh_Create(mesh, N * M, 2 * (N - 1) * (M - 1), false, &err), err);
    for (int v = 0; v < N * M; ++v) mesh->positions[v] = wfMake3((float)(v % N), (float)(v / N), 0.0f);
    wfTriangle* t = mesh->triangles;
    for (int j = 0; j + 1 < M; ++j)
        for (int i = 0; i + 1 < N; ++i) {
            int a = j * N + i;
            *t++ = (wfTriangle){{a, a + 1, a + N + 1}};
            *t++ = (wfTriangle){{a, a + N + 1, a + N}};
        }
}

static void CheckRun(const wfBoundary* b, const int* through, int count, const int* expected, int expectedCount, double length) {
    wfArena arena = {0};
    wfRun run;
    wfError err = {0};
    CHECK_OK(wfBoundary_FindRun(b, through, count, &arena, &run, "x", &err), err);
    assert_int_equal(run.count, expectedCount);
    assert_memory_equal(run.vertices, expected, (size_t)expectedCount * sizeof(int));
    CHECK_NEAR(run.length, length, 1e-12);
    assert_true(run.share[0] == 0.0);
    CHECK_NEAR(run.share[run.count - 1], 1.0, 1e-15);
    for (int k = 0; k + 1 < run.count; ++k) assert_true(run.share[k + 1] > run.share[k]);
    wfArena_Free(&arena);
}
#define CHECK_RUN(b, length, ints, ...)                                                                       \
    do {                                                                                                      \
        const int through_[] = ints, run_[] = {__VA_ARGS__};                                                  \
        CheckRun(b, through_, sizeof through_ / sizeof(int), run_, (int)(sizeof run_ / sizeof(int)), length); \
    } while (0)
#define INTS(...) \
    { __VA_ARGS__ }

static void CheckNoRun(const wfBoundary* b, const int* through, int count, const char* message) {
    wfArena arena = {0};
    wfRun run;
    wfError err = {0};
    CHECK_FAILS(wfBoundary_FindRun(b, through, count, &arena, &run, "hem", &err), err, message);
    wfArena_Free(&arena);
}
#define CHECK_NO_RUN(b, message, ...)                                           \
    do {                                                                        \
        const int through_[] = {__VA_ARGS__};                                   \
        CheckNoRun(b, through_, (int)(sizeof through_ / sizeof(int)), message); \
    } while (0)

static void TestRuns(void** state) {
    (void)state;
    wfMesh mesh = {0};
    wfBoundary b = {0};
    wfError err = {0};
    MakeMesh(&mesh);
    wfMeshView view = wfMesh_View(&mesh);
    CHECK_OK(wfBoundary_Create(&b, &view, "x", &err), err);
    for (int v = 0; v < N * M; ++v) {
        bool edge = v % N == 0 || v % N == N - 1 || v / N == 0 || v / N == M - 1;
        assert_int_equal(b.next[v] >= 0, edge);
        if (edge) assert_int_equal(b.previous[b.next[v]], v);
    }
    // A side from corner to corner, in both directions, and a corner between.
    CHECK_RUN(&b, 4.0, INTS(0, 4), 0, 1, 2, 3, 4);
    CHECK_RUN(&b, 4.0, INTS(4, 0), 4, 3, 2, 1, 0);
    CHECK_RUN(&b, 5.0, INTS(1, 14), 1, 2, 3, 4, 9, 14);
    CHECK_RUN(&b, 3.0, INTS(15, 0), 15, 10, 5, 0);
    // The longer way needs a vertex between; every vertex may be named; once around.
    CHECK_RUN(&b, 10.0, INTS(0, 15, 19, 4), 0, 5, 10, 15, 16, 17, 18, 19, 14, 9, 4);
    CHECK_RUN(&b, 2.0, INTS(2, 3, 4), 2, 3, 4);
    CHECK_RUN(&b, 14.0, INTS(0, 4, 19, 15, 0), 0, 1, 2, 3, 4, 9, 14, 19, 18, 17, 16, 15, 10, 5, 0);

    CHECK_NO_RUN(&b, "hem: vertex 6 is not on the boundary", 0, 6);
    CHECK_NO_RUN(&b, "hem: expected vertices from 0 to 19, got 20", 0, 20);
    CHECK_NO_RUN(&b, "hem: expected at least 2 vertices for a run, got 1", 3);
    CHECK_NO_RUN(&b, "hem: the run goes from vertex 3 to itself; name vertices between", 3, 3);
    CHECK_NO_RUN(&b, "hem: both ways from vertex 0 to 19 are 7 m long; name a vertex between", 0, 19);
    CHECK_NO_RUN(&b, "hem: the run meets itself at vertex 3", 0, 4, 2);
    CHECK_NO_RUN(&b, "hem: the run meets itself at vertex 3", 0, 4, 3);
    CHECK_NO_RUN(&b, "hem: the run meets itself at vertex 0", 0, 4, 19, 15, 0, 4);
    CHECK_NO_RUN(&b, "hem: the run meets itself", 0, 4, 19, 15, 0, 4, 19);
    wfBoundary_Free(&b);

    // Lengths are those of the reference shape, whatever the mesh has been drawn out to.
    float rest[3 * N * M];
    memcpy(rest, mesh.positions, sizeof rest);
    for (int v = 0; v < N * M; ++v) mesh.positions[v].x *= 10.0f;
    view.restPositions = rest;
    CHECK_OK(wfBoundary_Create(&b, &view, "x", &err), err);
    CHECK_RUN(&b, 4.0, INTS(0, 4), 0, 1, 2, 3, 4);
    wfBoundary_Free(&b);
    float flat[24][6];
    for (int t = 0; t < mesh.triangleCount; ++t)
        for (int k = 0; k < 3; ++k) {
            flat[t][2 * k] = 0.5f * rest[3 * mesh.triangles[t].v[k]];
            flat[t][2 * k + 1] = 3.0f * rest[3 * mesh.triangles[t].v[k] + 1];
        }
    view.flat = flat[0];
    CHECK_OK(wfBoundary_Create(&b, &view, "x", &err), err);
    CHECK_RUN(&b, 2.0, INTS(0, 4), 0, 1, 2, 3, 4);
    CHECK_RUN(&b, 9.0, INTS(0, 15), 0, 5, 10, 15);
    wfBoundary_Free(&b);
    wfMesh_Free(&mesh);
}

static void TestOtherMeshes(void** state) {
    (void)state;
    wfMesh mesh = {0}, second = {0};
    wfBoundary b = {0};
    wfError err = {0};
    MakeMesh(&mesh);
    MakeMesh(&second);
    CHECK_OK(wfMesh_Append(&mesh, &second, &err), err);
    wfMeshView view = wfMesh_View(&mesh);
    CHECK_OK(wfBoundary_Create(&b, &view, "x", &err), err);
    CHECK_NO_RUN(&b, "hem: vertices 0 and 20 lie on different boundaries", 0, 20);
    wfBoundary_Free(&b);
    wfMesh_Free(&second);

    mesh.triangles[0] = (wfTriangle){{1, 0, 6}}; // turned over
    CHECK_FAILS(wfBoundary_Create(&b, &view, "cloth \"x\"", &err), err, "cloth \"x\": the boundary branches at vertex 0");
    assert_null(b.next);
    mesh.triangles[0] = (wfTriangle){{0, 1, 99}};
    CHECK_FAILS(wfBoundary_Create(&b, &view, "cloth \"x\"", &err), err,
                "cloth \"x\": triangle 0 uses vertex 99, there are 40 (counted from 0)");
    mesh.triangles[0] = (wfTriangle){{0, 1, 6}};
    mesh.positions[1] = mesh.positions[0];
    CHECK_FAILS(wfBoundary_Create(&b, &view, "cloth \"x\"", &err), err, "cloth \"x\": the boundary edge from vertex 0 to 1 has no length");
    wfMesh_Free(&mesh);

    // A closed surface has no boundary.
    wfGenerateDef def = wfDefaultGenerateDef();
    def.shape = wf_makeSphere;
    CHECK_OK(wfGenerate(&mesh, &def, &err), err);
    view = wfMesh_View(&mesh);
    CHECK_OK(wfBoundary_Create(&b, &view, "x", &err), err);
    CHECK_NO_RUN(&b, "hem: vertex 0 is not on the boundary", 0, 1);
    wfBoundary_Free(&b);
    wfMesh_Free(&mesh);
}

// ---- sewing -------------------------------------------------------------------------------------------------------------------

enum { MostVertices = 40 };

typedef struct TestRun {
    wfRun run;
    int vertices[MostVertices];
    double share[MostVertices];
} TestRun;

/// Vertices base, base + 1, …; spread evenly, or by chance.
static void FillRun(TestRun* r, int count, int base, bool closed, uint64_t* seed) {
    double at = 0.0;
    for (int k = 0; k < count; ++k) {
        r->vertices[k] = base + k;
        r->share[k] = at;
        at += seed == NULL ? 1.0 : pow(10.0, NextRandom(seed));
    }
    for (int k = 0; k < count; ++k) r->share[k] /= r->share[count - 1];
    if (closed) r->vertices[count - 1] = base;
    r->run = (wfRun){count, r->vertices, r->share, 1.0};
}

static double ShareOf(const TestRun* r, int vertex, double near) {
    double best = INFINITY;
    for (int k = 0; k < r->run.count; ++k) // a closed run has its first vertex at both ends
        if (r->vertices[k] == vertex && fabs(r->share[k] - near) < fabs(best - near)) best = r->share[k];
    return best;
}

/// Every tie joins equal shares, and no vertex of either run is left out.
static void CheckSewn(const TestRun* a, const TestRun* b, const wfTie* ties, int count) {
    bool met[2][MostVertices] = {{false}};
    const TestRun* runs[2] = {a, b};
    for (int k = 0; k < count; ++k) {
        const wfTie* t = &ties[k];
        const TestRun *own = runs[t->side], *other = runs[1 - t->side];
        double to0 = ShareOf(other, t->at[0], ShareOf(own, t->vertex, 0.5)), to1 = to0;
        for (int e = 0; t->share > 0.0f && e + 1 < other->run.count; ++e) {
            if (other->vertices[e] == t->at[0] && other->vertices[e + 1] == t->at[1]) to0 = other->share[e], to1 = other->share[e + 1];
        }
        double there = to0 + t->share * (to1 - to0);
        double here = ShareOf(own, t->vertex, there);
        if (t->share == 0.0f) { // taken for a vertex: within a thousandth of an edge beside it
            double edge = 0.0;
            for (int e = 0; e + 1 < other->run.count; ++e) edge = fmax(edge, other->share[e + 1] - other->share[e]);
            CHECK_NEAR(fmin(fabs(there - here), fabs(fabs(there - here) - 1.0)), 0.0, 1.001e-3 * edge);
            assert_int_equal(t->at[0], t->at[1]);
        } else {
            CHECK_NEAR(there, here, 1e-6);
            assert_true(t->share > 0.0f && t->share < 1.0f);
        }
        met[t->side][t->vertex - own->vertices[0]] = true;
        met[1 - t->side][t->at[0] - other->vertices[0]] = true;
        met[1 - t->side][t->at[1] - other->vertices[0]] = true;
    }
    for (int s = 0; s < 2; ++s)
        for (int k = 0; k < runs[s]->run.count; ++k) {
            if (!met[s][runs[s]->vertices[k] - runs[s]->vertices[0]]) fail_msg("vertex %d of side %d is not sewn", k, s);
        }
}

static void TestSewing(void** state) {
    (void)state;
    TestRun a, b;
    wfTie ties[2 * MostVertices];
    // As many on both sides: vertex to vertex.
    FillRun(&a, 6, 0, false, NULL);
    FillRun(&b, 6, 10, false, NULL);
    assert_int_equal(wfSewRuns(&a.run, &b.run, ties), 6);
    for (int k = 0; k < 6; ++k) {
        assert_int_equal(ties[k].vertex, k);
        assert_int_equal(ties[k].at[0], 10 + k);
        assert_int_equal(ties[k].at[1], 10 + k);
    }
    // 13 on 4: every fourth meets a vertex, the others a quarter, a half and three quarters of an edge; from either side the same.
    FillRun(&a, 13, 0, false, NULL);
    FillRun(&b, 4, 20, false, NULL);
    for (int turn = 0; turn < 2; ++turn) {
        assert_int_equal(turn == 0 ? wfSewRuns(&a.run, &b.run, ties) : wfSewRuns(&b.run, &a.run, ties), 13);
        for (int k = 0; k < 13; ++k) {
            assert_int_equal(ties[k].side, turn);
            assert_int_equal(ties[k].vertex, k);
            assert_int_equal(ties[k].at[0], 20 + k / 4);
            CHECK_NEAR(ties[k].share, 0.25 * (k % 4), 1e-6);
        }
    }
    // By chance: shares meet and nobody is left out. Closed runs, too, and one that is closed with one that is not.
    uint64_t seed = 7;
    for (int trial = 0; trial < 2000; ++trial) {
        int na = 2 + (int)(19.0 * fabs(NextRandom(&seed))), nb = 2 + (int)(19.0 * fabs(NextRandom(&seed)));
        bool closedA = trial % 4 >= 2 && na > 3, closedB = trial % 2 == 1 && nb > 3;
        FillRun(&a, na, 0, closedA, &seed);
        FillRun(&b, nb, 100, closedB, &seed);
        int count = wfSewRuns(&a.run, &b.run, ties);
        assert_true(count <= na + nb);
        CheckSewn(&a, &b, ties, count);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestRuns),
        cmocka_unit_test(TestOtherMeshes),
        cmocka_unit_test(TestSewing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
