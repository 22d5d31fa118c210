// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "mesh/measure.h"
#include "mesh/remesh.h"
#include "mesh/remesh_pattern.h"

#include <omp.h>
#include <string.h>

#define PI 3.14159265358979323846

// ---- meshes -------------------------------------------------------------------------------------------------------------------

/// A grid of n by m cells, flat in the plane z = 0 and in its pattern, with its lower left corner at x.
static void MakeGrid(wfMesh* mesh, int n, int m, double x, double cell, bool withFlat) {
    wfError err = {0};
    CHECK_OK(wfMesh_Create(mesh, (n + 1) * (m + 1), 2 * n * m, withFlat, &err), err);
    for (int j = 0; j <= m; ++j)
        for (int i = 0; i <= n; ++i) mesh->positions[j * (n + 1) + i] = wfMake3((float)(x + i * cell), (float)(j * cell), 0.0f);
    for (int j = 0, t = 0; j < m; ++j)
        for (int i = 0; i < n; ++i) {
            int a = j * (n + 1) + i;
            mesh->triangles[t++] = (wfTriangle){{a, a + 1, a + n + 2}};
            mesh->triangles[t++] = (wfTriangle){{a, a + n + 2, a + n + 1}};
        }
    for (int t = 0; withFlat && t < mesh->triangleCount; ++t)
        for (int k = 0; k < 3; ++k) {
            wfVec3 p = mesh->positions[mesh->triangles[t].v[k]];
            mesh->flat[t].corner[k] = (wfVec2){p.x, p.y};
        }
}

/// A tube about z: the pattern is a rectangle whose left and right sides share their vertices.
static void MakeTube(wfMesh* mesh, int n, int m, double radius, double height) {
    wfError err = {0};
    CHECK_OK(wfMesh_Create(mesh, n * (m + 1), 2 * n * m, true, &err), err);
    double width = 2.0 * n * radius * sin(PI / n); // along the chords
    for (int j = 0; j <= m; ++j)
        for (int i = 0; i < n; ++i)
            mesh->positions[j * n + i] =
                wfMake3((float)(radius * cos(2.0 * PI * i / n)), (float)(radius * sin(2.0 * PI * i / n)), (float)(height * j / m));
    for (int j = 0, t = 0; j < m; ++j)
        for (int i = 0; i < n; ++i)
            for (int half = 0; half < 2; ++half, ++t) {
                const int di[2][3] = {{0, 1, 1}, {0, 1, 0}}, dj[2][3] = {{0, 0, 1}, {0, 1, 1}};
                for (int k = 0; k < 3; ++k) {
                    mesh->triangles[t].v[k] = (j + dj[half][k]) * n + (i + di[half][k]) % n;
                    mesh->flat[t].corner[k] = (wfVec2){(float)(width * (i + di[half][k]) / n), (float)(height * (j + dj[half][k]) / m)};
                }
            }
}

static void Mirror(wfMesh* mesh) {
    for (int t = 0; t < mesh->triangleCount; ++t)
        for (int k = 0; k < 3; ++k) mesh->flat[t].corner[k].x *= -1.0f;
}

static double FlatArea(const wfMesh* mesh) {
    double sum = 0.0;
    for (int t = 0; t < mesh->triangleCount; ++t) {
        const wfVec2* c = mesh->flat[t].corner;
        sum += 0.5 * (((double)c[1].x - c[0].x) * ((double)c[2].y - c[0].y) - ((double)c[1].y - c[0].y) * ((double)c[2].x - c[0].x));
    }
    return sum;
}

static void Measure(const wfMesh* mesh, wfMeasures* out) {
    wfError err = {0};
    wfTopology topology;
    CHECK_OK(wfTopology_Create(&topology, mesh->triangles, mesh->triangleCount, mesh->vertexCount, &err), err);
    CHECK_OK(wfTopology_RequireManifold(&topology, "new mesh", &err), err);
    CHECK_OK(wfMeasureMesh(mesh, &topology, out, &err), err);
    wfTopology_Free(&topology);
}

static void Remesh(wfMesh* out, const wfMesh* in, double edge, wfRemeshReport* report) {
    wfError err = {0};
    wfRemeshDef def = {.name = "mesh", .edge = (float)edge};
    CHECK_OK(wfRemesh(out, in, &def, report, &err), err);
}

// ---- tests --------------------------------------------------------------------------------------------------------------------

static void TestFlatPiece(void** state) {
    (void)state;
    for (int withFlat = 0; withFlat < 2; ++withFlat) {
        wfMesh in = {0}, out = {0};
        wfRemeshReport report;
        wfMeasures m;
        MakeGrid(&in, 5, 3, 0.0, 0.1, withFlat);
        Remesh(&out, &in, 0.05, &report);
        Measure(&out, &m);
        assert_int_equal(report.pieceCount, 1);
        assert_int_equal(report.seamCount, 0);
        assert_int_equal(m.boundaryLoopCount, 1);
        assert_int_equal(m.looseVertexCount, 0);
        assert_true((out.flat != NULL) == (withFlat != 0));
        CHECK_NEAR(m.area, 0.15, 1e-6);
        CHECK_NEAR(m.edgeMin, report.lengths.shortest, 1e-6);
        CHECK_NEAR(m.edgeMean, report.lengths.mean, 1e-6);
        CHECK_NEAR(m.edgeMax, report.lengths.longest, 1e-6);
        assert_true(report.lengths.shortest >= 0.65 * report.lengths.longest);
        if (withFlat) CHECK_NEAR(FlatArea(&out), 0.15, 1e-6);
        for (int c = 0; c < 4; ++c) { // corners exactly
            wfVec3 corner = in.positions[c / 2 * 18 + c % 2 * 5];
            bool found = false;
            for (int i = 0; i < out.vertexCount; ++i) found = found || memcmp(&out.positions[i], &corner, sizeof corner) == 0;
            assert_true(found);
        }
        wfMesh_Free(&in);
        wfMesh_Free(&out);
    }
}

/// The seam of a tube: its vertices are shared, at the same height in both sides of the pattern, and the tube stays closed.
static void TestSharedSeam(void** state) {
    (void)state;
    enum { n = 16 };
    const double radius = 0.1, height = 0.3, width = 2.0 * n * radius * sin(PI / n);
    wfMesh in = {0}, out = {0};
    wfRemeshReport report;
    wfMeasures m;
    MakeTube(&in, n, 6, radius, height);
    Remesh(&out, &in, 0.05, &report);
    Measure(&out, &m);
    assert_int_equal(report.pieceCount, 1);
    assert_int_equal(report.seamCount, 1);
    assert_int_equal(m.boundaryLoopCount, 2);
    CHECK_NEAR(FlatArea(&out), width * height, 1e-6);
    bool atLeft[1024] = {false}, atRight[1024] = {false};
    float leftHeight[1024], rightHeight[1024];
    assert_true(out.vertexCount <= 1024);
    for (int t = 0; t < out.triangleCount; ++t)
        for (int k = 0; k < 3; ++k) {
            int v = out.triangles[t].v[k];
            wfVec2 p = out.flat[t].corner[k];
            if (p.x == 0.0f) atLeft[v] = true, leftHeight[v] = p.y;
            if ((double)p.x > width - 1e-6) atRight[v] = true, rightHeight[v] = p.y;
        }
    int shared = 0;
    for (int v = 0; v < out.vertexCount; ++v) {
        assert_int_equal(atLeft[v], atRight[v]);
        if (!atLeft[v]) continue;
        ++shared;
        CHECK_NEAR((double)leftHeight[v], (double)rightHeight[v], 1e-7);
        CHECK_NEAR((double)out.positions[v].z, (double)leftHeight[v], 1e-6);
    }
    assert_int_equal(shared, 7);
    for (int v = 0; v < out.vertexCount; ++v) { // on the chords of the old tube
        double r = hypot((double)out.positions[v].x, (double)out.positions[v].y);
        assert_true(r <= radius + 1e-6 && r >= radius * cos(PI / n) - 1e-6);
    }
    wfMesh_Free(&in);
    wfMesh_Free(&out);
}

/// Two pieces with stitches from edge to edge, of different lengths; and one stitch that no seam explains, to a vertex inside.
static void TestStitches(void** state) {
    (void)state;
    wfMesh in = {0}, second = {0}, out = {0};
    wfError err = {0};
    wfRemeshReport report;
    MakeGrid(&in, 4, 4, 0.0, 0.1, true);
    MakeGrid(&second, 3, 4, 1.0, 0.11, true);
    CHECK_OK(wfMesh_Append(&in, &second, &err), err);
    in.stitchCount = 6;
    in.stitches = wfArena_Alloc(&in.arena, 6, sizeof *in.stitches, "stitches", &err);
    assert_non_null(in.stitches);
    for (int j = 0; j < 5; ++j) { // the right side of the first to the left side of the second
        in.stitches[j][0] = j * 5 + 4;
        in.stitches[j][1] = 25 + j * 4;
    }
    in.stitches[5][0] = 2 * 5 + 1;  // inside
    in.stitches[5][1] = 25 + 3 + 4; // on the free side, and no corner
    Remesh(&out, &in, 0.05, &report);
    assert_int_equal(report.pieceCount, 2);
    assert_int_equal(report.seamCount, 1);
    int parts = (int)lround(0.5 * (0.4 + 0.44) / 0.05);
    assert_int_equal(out.stitchCount, parts + 1 + 1);
    bool taken[16] = {false};
    int odd = 0, seen = 0;
    for (int i = 0; i < out.stitchCount; ++i) {
        wfVec3 a = out.positions[out.stitches[i][0]], b = out.positions[out.stitches[i][1]];
        if (memcmp(&a, &in.positions[11], sizeof a) == 0) {
            assert_memory_equal(&b, &in.positions[32], sizeof b);
            ++odd;
            continue;
        }
        CHECK_NEAR((double)a.x, 0.4, 1e-6);
        CHECK_NEAR((double)b.x, 1.0, 1e-6);
        CHECK_NEAR((double)b.y, 1.1 * (double)a.y, 1e-6);
        int at = (int)lround((double)a.y / 0.4 * parts); // not far from even
        assert_true(at >= 0 && at <= parts && !taken[at]);
        taken[at] = true;
        ++seen;
    }
    assert_int_equal(odd, 1);
    assert_int_equal(seen, parts + 1);
    wfMesh_Free(&in);
    wfMesh_Free(&second);
    wfMesh_Free(&out);
}

/// A mirrored pattern stays mirrored, and the cloth keeps its outside.
static void TestMirrored(void** state) {
    (void)state;
    wfMesh in = {0}, out = {0};
    wfRemeshReport report;
    MakeGrid(&in, 4, 3, 0.0, 0.1, true);
    Mirror(&in);
    Remesh(&out, &in, 0.05, &report);
    CHECK_NEAR(FlatArea(&out), -0.12, 1e-6);
    for (int t = 0; t < out.triangleCount; ++t) {
        const int* v = out.triangles[t].v;
        wfVec3 normal = wfCross(wfSub(out.positions[v[1]], out.positions[v[0]]), wfSub(out.positions[v[2]], out.positions[v[0]]));
        assert_true(normal.z > 0.0f);
        for (int k = 0; k < 3; ++k) {
            CHECK_NEAR((double)out.flat[t].corner[k].x, -(double)out.positions[v[k]].x, 1e-6);
            CHECK_NEAR((double)out.flat[t].corner[k].y, (double)out.positions[v[k]].y, 1e-6);
        }
    }
    wfMesh_Free(&in);
    wfMesh_Free(&out);
}

static void TestLocate(void** state) {
    (void)state;
    wfMesh in = {0};
    wfPattern pattern = {0};
    wfArena arena = {0};
    wfError err = {0};
    MakeTube(&in, 12, 5, 0.1, 0.3);
    CHECK_OK(wfPattern_Create(&pattern, &in, "mesh", &err), err);
    wfLocator* locator = wfLocator_Create(&pattern, 0, &arena, &err);
    assert_non_null(locator);
    for (int i = 0; i < 300; ++i) { // inside and outside; brute force by the same rule, the nearest triangle
        wfVec2 p = {-0.1f + 0.8f * (float)(i * 37 % 300) / 300.0f, -0.1f + 0.5f * (float)i / 300.0f};
        double w[3];
        int t = wfLocator_Find(locator, p, w);
        CHECK_NEAR(w[0] + w[1] + w[2], 1.0, 1e-12);
        double x = 0.0, y = 0.0, inX = fmin(fmax(p.x, 0.0), 12 * 0.2 * sin(PI / 12)), inY = fmin(fmax(p.y, 0.0), 0.3);
        for (int k = 0; k < 3; ++k) {
            assert_true(w[k] >= 0.0);
            x += w[k] * pattern.positions[pattern.triangles[t].v[k]].x;
            y += w[k] * pattern.positions[pattern.triangles[t].v[k]].y;
        }
        CHECK_NEAR(x, inX, 1e-6);
        CHECK_NEAR(y, inY, 1e-6);
    }
    wfArena_Free(&arena);
    wfPattern_Free(&pattern);
    wfMesh_Free(&in);
}

/// A straight or bent strip, `width` edges across. Bent: a sector of a ring of that inner radius.
static void MakeStrip(wfMesh* mesh, double edge, double width, double radius) {
    enum { n = 24 };
    MakeGrid(mesh, n, 1, 0.0, 1.0, true);
    for (int t = 0; t < mesh->triangleCount; ++t)
        for (int k = 0; k < 3; ++k) {
            wfVec3* p = &mesh->positions[mesh->triangles[t].v[k]];
            wfVec2* flat = &mesh->flat[t].corner[k];
            double along = 20.0 * edge * (double)flat->x / n, across = edge * width * (double)flat->y, angle = along / radius;
            *flat = radius > 0.0 ? (wfVec2){(float)((radius + across) * sin(angle)), (float)((radius + across) * cos(angle))}
                                 : (wfVec2){(float)along, (float)across};
            *p = wfMake3(flat->x, flat->y, 0.0f);
        }
}

/// As many edges across as one likes: widths that no whole number of edges fits are the hard ones.
static void TestStrips(void** state) {
    (void)state;
    const double widths[] = {1.1, 1.4, 2.0, 3.0}, edge = 0.01;
    for (int i = 0; i < 2 * (int)(sizeof widths / sizeof *widths); i += WF_SLOW_BUILD ? 5 : 1) {
        double width = widths[i / 2], radius = i % 2 == 0 ? 0.0 : 10.0 * edge;
        wfMesh in = {0}, out = {0};
        wfRemeshReport report;
        MakeStrip(&in, edge, width, radius);
        Remesh(&out, &in, edge, &report);
        const wfEdgeLengths* l = &report.lengths;
        if (l->shortest < 0.65 * l->longest || fabs(l->mean / edge - 1.0) > 0.3)
            fail_msg("strip %g edges wide, radius %g m: ratio %.3f, mean edge %.4f m", width, radius, l->shortest / l->longest, l->mean);
        CHECK_NEAR(hypot((double)l->shortestEnds[0].x - l->shortestEnds[1].x, (double)l->shortestEnds[0].y - l->shortestEnds[1].y),
                   l->shortest, 1e-9);
        wfMesh_Free(&in);
        wfMesh_Free(&out);
    }
}

static void TestThreads(void** state) {
    (void)state;
    wfMesh in = {0}, second = {0}, one = {0}, many = {0};
    wfError err = {0};
    wfRemeshReport report;
    MakeGrid(&in, 4, 4, 0.0, 0.1, true);
    MakeTube(&second, 12, 4, 0.1, 0.3);
    CHECK_OK(wfMesh_Append(&in, &second, &err), err);
    int before = omp_get_max_threads();
    omp_set_num_threads(1);
    Remesh(&one, &in, 0.06, &report);
    omp_set_num_threads(3);
    Remesh(&many, &in, 0.06, &report);
    omp_set_num_threads(before);
    assert_int_equal(one.vertexCount, many.vertexCount);
    assert_int_equal(one.triangleCount, many.triangleCount);
    assert_memory_equal(one.positions, many.positions, (size_t)one.vertexCount * sizeof(wfVec3));
    assert_memory_equal(one.triangles, many.triangles, (size_t)one.triangleCount * sizeof(wfTriangle));
    assert_memory_equal(one.flat, many.flat, (size_t)one.triangleCount * sizeof(wfFlatTriangle));
    wfMesh_Free(&in);
    wfMesh_Free(&second);
    wfMesh_Free(&one);
    wfMesh_Free(&many);
}

static void TestBadMeshes(void** state) {
    (void)state;
    wfMesh in = {0}, out = {0};
    wfError err = {0};
    wfRemeshReport report;
    wfRemeshDef def = {.name = "mesh", .edge = 0.05f};
    MakeTube(&in, 8, 2, 0.1, 0.3);
    in.flat = NULL;
    CHECK_FAILS(wfRemesh(&out, &in, &def, &report, &err), err,
                "mesh: expected a flat pattern (texture coordinates): the piece with vertex 17 has none and is not flat, by 0.3 m");
    wfMesh_Free(&in);
    MakeGrid(&in, 2, 2, 0.0, 0.1, true);
    in.flat[1].corner[2].y = -0.1f; // turned over its edge
    CHECK_FAILS(wfRemesh(&out, &in, &def, &report, &err), err, "mesh: the flat pattern folds over between triangles 0 and 1 of one piece");
    in.flat[1].corner[2] = in.flat[1].corner[1];
    CHECK_FAILS(wfRemesh(&out, &in, &def, &report, &err), err, "mesh: triangle 1 has no area in the flat pattern");
    def.edge = 0.0f;
    CHECK_FAILS(wfRemesh(&out, &in, &def, &report, &err), err, "mesh: edge: expected a length above 0, got 0");
    assert_null(out.positions);
    wfMesh_Free(&in);
    // A tube that would close upon itself: one edge around.
    MakeTube(&in, 8, 2, 0.1, 0.3);
    def.edge = 0.6f;
    CHECK_FAILS(wfRemesh(&out, &in, &def, &report, &err), err,
                "mesh: edges of 0.6 m are too long for piece 1: a triangle would meet itself across a seam");
    wfMesh_Free(&in);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestFlatPiece), cmocka_unit_test(TestSharedSeam), cmocka_unit_test(TestStitches), cmocka_unit_test(TestMirrored),
        cmocka_unit_test(TestLocate),    cmocka_unit_test(TestStrips),     cmocka_unit_test(TestThreads),  cmocka_unit_test(TestBadMeshes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
