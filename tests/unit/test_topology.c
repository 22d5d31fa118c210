// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "mesh/topology.h"

#include <stdlib.h>
#include <string.h>

// The judge: everything again by looking at all triangles, for random soups (mostly non-manifold), grids and small known meshes.

static unsigned s_random = 1;

static int Random(int count) {
    s_random = s_random * 1664525u + 1013904223u;
    return (int)((s_random >> 8) % (unsigned)count);
}

static bool Uses(wfTriangle t, int v) { return t.v[0] == v || t.v[1] == v || t.v[2] == v; }

static int Other(wfTriangle t, int a, int b) {
    for (int k = 0; k < 3; ++k)
        if (t.v[k] != a && t.v[k] != b) return t.v[k];
    return -1;
}

static bool Adjacent(const wfTriangle* triangles, int count, int a, int b) {
    for (int t = 0; t < count; ++t)
        if (a != b && Uses(triangles[t], a) && Uses(triangles[t], b)) return true;
    return false;
}

static void JudgeEdges(const wfTopology* topology, const wfTriangle* triangles, int count, int vertexCount) {
    int e = 0, boundary = 0;
    for (int a = 0; a < vertexCount; ++a)
        for (int b = a + 1; b < vertexCount; ++b) {
            int found[2] = {-1, -1}, n = 0;
            for (int t = 0; t < count; ++t)
                if (Uses(triangles[t], a) && Uses(triangles[t], b)) {
                    if (n < 2) found[n] = t;
                    ++n;
                }
            if (n == 0) continue;
            assert_true(e < topology->edgeCount);
            const wfEdge* edge = &topology->edges[e];
            assert_int_equal(edge->v[0], a);
            assert_int_equal(edge->v[1], b);
            for (int k = 0; k < 2; ++k) {
                assert_int_equal(edge->triangle[k], found[k]);
                assert_int_equal(edge->opposite[k], found[k] < 0 ? -1 : Other(triangles[found[k]], a, b));
            }
            boundary += n == 1;
            ++e;
        }
    assert_int_equal(topology->edgeCount, e);
    assert_int_equal(topology->boundaryEdgeCount, boundary);
    for (int t = 0; t < count; ++t)
        for (int k = 0; k < 3; ++k) {
            int a = triangles[t].v[k], b = triangles[t].v[(k + 1) % 3];
            const wfEdge* edge = &topology->edges[topology->triangleEdges[t][k]];
            assert_int_equal(edge->v[0], a < b ? a : b);
            assert_int_equal(edge->v[1], a < b ? b : a);
        }
}

static void JudgeVertices(const wfTopology* topology, const wfTriangle* triangles, int count, int vertexCount) {
    for (int i = 0; i < vertexCount; ++i) {
        int at = topology->vertexTriangles.start[i];
        for (int t = 0; t < count; ++t)
            if (Uses(triangles[t], i)) assert_int_equal(topology->vertexTriangles.item[at++], t);
        assert_int_equal(at, topology->vertexTriangles.start[i + 1]);

        at = topology->vertexEdges.start[i];
        bool boundary = false;
        for (int e = 0; e < topology->edgeCount; ++e)
            if (topology->edges[e].v[0] == i || topology->edges[e].v[1] == i) {
                assert_int_equal(topology->vertexEdges.item[at++], e);
                boundary = boundary || topology->edges[e].triangle[1] < 0;
            }
        assert_int_equal(at, topology->vertexEdges.start[i + 1]);
        assert_int_equal(topology->boundaryVertex[i], boundary);

        at = topology->ring1.start[i];
        for (int j = 0; j < vertexCount; ++j)
            if (Adjacent(triangles, count, i, j)) assert_int_equal(topology->ring1.item[at++], j);
        assert_int_equal(at, topology->ring1.start[i + 1]);
    }
}

static void JudgeRing2(const wfTopology* topology, const wfTriangle* triangles, int count, int vertexCount) {
    wfError err = {0};
    wfArena arena = {0};
    wfRows ring2;
    CHECK_OK(wfTopology_Ring2(topology, &arena, &ring2, &err), err);
    assert_int_equal(ring2.rowCount, vertexCount);
    for (int i = 0; i < vertexCount; ++i) {
        int at = ring2.start[i];
        for (int j = 0; j < vertexCount; ++j) {
            bool near = i != j && Adjacent(triangles, count, i, j);
            for (int k = 0; k < vertexCount && i != j && !near; ++k)
                near = Adjacent(triangles, count, i, k) && Adjacent(triangles, count, k, j);
            if (near) assert_int_equal(ring2.item[at++], j);
        }
        assert_int_equal(at, ring2.start[i + 1]);
    }
    wfArena_Free(&arena);
}

static void JudgeComponents(const wfTopology* topology, const wfTriangle* triangles, int count, int vertexCount) {
    int* mark = malloc((size_t)vertexCount * sizeof(int));
    int next = 0;
    for (int i = 0; i < vertexCount; ++i) mark[i] = -1;
    for (int i = 0; i < vertexCount; ++i) {
        if (mark[i] >= 0) continue;
        mark[i] = next;
        for (bool grew = true; grew;) {
            grew = false;
            for (int t = 0; t < count; ++t)
                for (int k = 0; k < 3; ++k) {
                    int a = triangles[t].v[k], b = triangles[t].v[(k + 1) % 3];
                    if ((mark[a] == next) == (mark[b] == next)) continue;
                    mark[a] = mark[b] = next;
                    grew = true;
                }
        }
        ++next;
    }
    assert_int_equal(topology->componentCount, next);
    for (int i = 0; i < vertexCount; ++i) assert_int_equal(topology->component[i], mark[i]);
    free(mark);
}

static bool SameSet(wfTriangle a, wfTriangle b) { return Uses(b, a.v[0]) && Uses(b, a.v[1]) && Uses(b, a.v[2]); }

static bool Directed(wfTriangle t, int a, int b) {
    return (t.v[0] == a && t.v[1] == b) || (t.v[1] == a && t.v[2] == b) || (t.v[2] == a && t.v[0] == b);
}

// The first triangle of vertex i that cannot be reached from its first one across edges at i; -1 where all can.
static int SecondFan(const wfTriangle* triangles, int count, int i, int* first) {
    bool* reached = calloc((size_t)count, sizeof(bool));
    *first = -1;
    for (int t = 0; t < count && *first < 0; ++t)
        if (Uses(triangles[t], i)) *first = t;
    if (*first >= 0) reached[*first] = true;
    for (bool grew = true; grew;) {
        grew = false;
        for (int s = 0; s < count; ++s)
            for (int t = 0; t < count; ++t) {
                if (!reached[s] || reached[t] || !Uses(triangles[t], i)) continue;
                for (int k = 0; k < 3; ++k)
                    if (triangles[s].v[k] != i && Uses(triangles[t], triangles[s].v[k]) && !reached[t]) grew = reached[t] = true;
            }
    }
    int second = -1;
    for (int t = 0; t < count && second < 0; ++t)
        if (Uses(triangles[t], i) && !reached[t]) second = t;
    free(reached);
    return second;
}

static void ExpectDefect(const wfDefect* defects, int count, int* at, wfDefect expected) {
    assert_true(*at < count);
    const wfDefect* d = &defects[(*at)++];
    assert_int_equal(d->kind, expected.kind);
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(d->vertices[k], expected.vertices[k]);
        assert_int_equal(d->triangles[k], expected.triangles[k]);
    }
}

static int JudgeDefects(const wfTopology* topology, const wfTriangle* triangles, int count, int vertexCount) {
    wfError err = {0};
    wfArena arena = {0};
    wfDefect* defects = NULL;
    int defectCount = -1, at = 0;
    CHECK_OK(wfTopology_FindDefects(topology, &arena, &defects, &defectCount, &err), err);
    for (int kind = wf_defectEdge; kind <= wf_defectOrientation; ++kind)
        for (int a = 0; a < vertexCount; ++a)
            for (int b = a + 1; b < vertexCount; ++b) {
                int found[2] = {-1, -1}, n = 0, up = 0;
                for (int t = 0; t < count; ++t)
                    if (Uses(triangles[t], a) && Uses(triangles[t], b)) {
                        if (n < 2) found[n] = t;
                        ++n;
                        up += Directed(triangles[t], a, b);
                    }
                if (kind == wf_defectEdge ? n > 2 : n == 2 && up != 1)
                    ExpectDefect(defects, defectCount, &at, (wfDefect){(wfDefectKind)kind, {a, b}, {found[0], found[1]}});
            }
    for (int i = 0; i < vertexCount; ++i) {
        int first, second = SecondFan(triangles, count, i, &first);
        if (second >= 0) ExpectDefect(defects, defectCount, &at, (wfDefect){wf_defectVertex, {i, -1}, {first, second}});
    }
    for (int t = 0; t < count; ++t)
        for (int s = 0; s < t; ++s)
            if (SameSet(triangles[s], triangles[t])) {
                ExpectDefect(defects, defectCount, &at, (wfDefect){wf_defectDuplicate, {triangles[s].v[0], triangles[s].v[1]}, {s, t}});
                break;
            }
    assert_int_equal(at, defectCount);
    assert_int_equal(wfTopology_RequireManifold(topology, "mesh", NULL), defectCount == 0);
    wfArena_Free(&arena);
    return defectCount;
}

static int Judge(const wfTriangle* triangles, int count, int vertexCount) {
    wfError err = {0};
    wfTopology topology;
    CHECK_OK(wfTopology_Create(&topology, triangles, count, vertexCount, &err), err);
    assert_ptr_equal(topology.triangles, triangles);
    JudgeEdges(&topology, triangles, count, vertexCount);
    JudgeVertices(&topology, triangles, count, vertexCount);
    JudgeRing2(&topology, triangles, count, vertexCount);
    JudgeComponents(&topology, triangles, count, vertexCount);
    int defects = JudgeDefects(&topology, triangles, count, vertexCount);
    wfTopology_Free(&topology);
    return defects;
}

static void TestSoups(void** state) {
    (void)state;
    wfTriangle triangles[64];
    int found = 0;
    for (int round = 0; round < 60; ++round) {
        int vertexCount = 3 + Random(round % 3 == 0 ? 8 : 30), count = Random(64);
        for (int t = 0; t < count; ++t) {
            int* v = triangles[t].v;
            v[0] = Random(vertexCount);
            do v[1] = Random(vertexCount);
            while (v[1] == v[0]);
            do v[2] = Random(vertexCount);
            while (v[2] == v[0] || v[2] == v[1]);
        }
        found += Judge(triangles, count, vertexCount);
    }
    assert_true(found > 1000);
}

// n x n cells; vertex numbers are shuffled so that nothing depends on their order.
static void TestGrids(void** state) {
    (void)state;
    for (int n = 1; n <= 4; ++n) {
        int vertexCount = (n + 1) * (n + 1) + 2, place[32], count = 0; // two loose vertices
        wfTriangle triangles[32];
        for (int i = 0; i < vertexCount; ++i) place[i] = i;
        for (int i = vertexCount - 1; i > 0; --i) {
            int j = Random(i + 1), swap = place[i];
            place[i] = place[j];
            place[j] = swap;
        }
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x) {
                int a = y * (n + 1) + x, b = a + 1, c = a + n + 1, d = c + 1;
                triangles[count++] = (wfTriangle){{place[a], place[b], place[d]}};
                triangles[count++] = (wfTriangle){{place[d], place[c], place[a]}};
            }
        assert_int_equal(Judge(triangles, count, vertexCount), 0);
        wfTopology topology;
        wfError err = {0};
        CHECK_OK(wfTopology_Create(&topology, triangles, count, vertexCount, &err), err);
        assert_int_equal(topology.edgeCount, 3 * n * n + 2 * n);
        assert_int_equal(topology.boundaryEdgeCount, 4 * n);
        assert_int_equal(topology.componentCount, 3);
        wfTopology_Free(&topology);
    }
    assert_int_equal(Judge(NULL, 0, 0), 0);
    assert_int_equal(Judge(NULL, 0, 5), 0);
}

static void ExpectFirst(const wfTriangle* triangles, int count, int vertexCount, const char* line, const char* failure) {
    wfError err = {0};
    wfArena arena = {0};
    wfTopology topology;
    wfDefect* defects;
    int defectCount;
    char text[128];
    Judge(triangles, count, vertexCount);
    CHECK_OK(wfTopology_Create(&topology, triangles, count, vertexCount, &err), err);
    CHECK_OK(wfTopology_FindDefects(&topology, &arena, &defects, &defectCount, &err), err);
    assert_true(defectCount > 0);
    wfDefect_Describe(&defects[0], true, text, sizeof text);
    assert_string_equal(text, line);
    CHECK_FAILS(wfTopology_RequireManifold(&topology, "shirt.obj", &err), err, failure);
    wfArena_Free(&arena);
    wfTopology_Free(&topology);
}

static void TestEachDefect(void** state) {
    (void)state;
    const wfTriangle book[] = {{{0, 1, 2}}, {{1, 0, 3}}, {{0, 1, 4}}}; // three pages at one spine
    ExpectFirst(book, 3, 5, "edge 1-2 has more than two triangles (faces 1, 2)",
                "shirt.obj: edge 0-1 has more than two triangles (faces 0, 1); 1 defect in all");
    const wfTriangle turned[] = {{{0, 1, 2}}, {{0, 1, 3}}};
    ExpectFirst(turned, 2, 4, "edge 1-2 is run along in the same direction twice (faces 1, 2)",
                "shirt.obj: edge 0-1 is run along in the same direction twice (faces 0, 1); 1 defect in all");
    const wfTriangle hourglass[] = {{{2, 0, 1}}, {{2, 3, 4}}, {{2, 4, 5}}};
    ExpectFirst(hourglass, 3, 6, "vertex 3 joins more than one fan of triangles (faces 1, 2)",
                "shirt.obj: vertex 2 joins more than one fan of triangles (faces 0, 1); 1 defect in all");
    const wfTriangle pillow[] = {{{0, 1, 2}}, {{1, 0, 2}}}; // closed and oriented, and still no surface
    ExpectFirst(pillow, 2, 3, "faces 1 and 2 have the same three vertices",
                "shirt.obj: faces 0 and 1 have the same three vertices; 1 defect in all");
    const wfTriangle twice[] = {{{0, 1, 2}}, {{0, 1, 2}}};
    ExpectFirst(twice, 2, 3, "edge 1-2 is run along in the same direction twice (faces 1, 2)",
                "shirt.obj: edge 0-1 is run along in the same direction twice (faces 0, 1); 4 defects in all");

    const wfTriangle tetrahedron[] = {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{2, 0, 3}}};
    assert_int_equal(Judge(tetrahedron, 4, 4), 0);
    char small[8];
    wfDefect_Describe(&(wfDefect){wf_defectVertex, {123456, -1}, {1, 2}}, false, small, sizeof small);
    assert_string_equal(small, "vertex ");
}

static void TestBadInput(void** state) {
    (void)state;
    wfError err = {0};
    wfTopology topology;
    const wfTriangle outside[] = {{{0, 1, 2}}, {{0, 1, 3}}}, same[] = {{{0, 1, 1}}};
    CHECK_FAILS(wfTopology_Create(&topology, outside, 2, 3, &err), err, "mesh: triangle 1 uses vertex 3, there are 3 (counted from 0)");
    CHECK_FAILS(wfTopology_Create(&topology, same, 1, 3, &err), err, "mesh: triangle 0 uses vertex 1 twice");
    CHECK_FAILS(wfTopology_Create(&topology, same, 536870912, 3, &err), err, "mesh: expected 0 to 536870911 triangles, got 536870912");
    assert_null(topology.arena.first);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestSoups), cmocka_unit_test(TestGrids), cmocka_unit_test(TestEachDefect),
                                       cmocka_unit_test(TestBadInput)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
