// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "mesh/measure.h"

static const int s_box[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                 {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

// The first `count` triangles of a box of size 1 x 2 x 3 that lies far from the origin, with `extra` vertices that nothing uses.
static void MakeBox(wfMesh* mesh, int count, int extra) {
    wfError err = {0};
    CHECK_OK(wfMesh_Create(mesh, 8 + extra, count, false, &err), err);
    for (int i = 0; i < 8 + extra; ++i) {
        mesh->positions[i] = wfMake3(1000.0f + (float)(i & 1), -500.0f + 2.0f * (float)(i >> 1 & 1), 3.0f * (float)(i >> 2 & 1));
    }
    for (int t = 0; t < count; ++t) {
        for (int k = 0; k < 3; ++k) mesh->triangles[t].v[k] = s_box[t][k];
    }
}

static wfMeasures Measure(const wfMesh* mesh) {
    wfError err = {0};
    wfTopology topology = {0};
    wfMeasures m;
    CHECK_OK(wfTopology_Create(&topology, mesh->triangles, mesh->triangleCount, mesh->vertexCount, &err), err);
    CHECK_OK(wfMeasureMesh(mesh, &topology, &m, &err), err);
    wfTopology_Free(&topology);
    return m;
}

static void TestClosedBox(void** state) {
    (void)state;
    wfMesh mesh = {0};
    MakeBox(&mesh, 12, 0);
    wfMeasures m = Measure(&mesh);
    assert_true(m.closed);
    CHECK_NEAR(m.volume, 6.0, 1e-9);
    CHECK_NEAR(m.area, 22.0, 1e-5);
    CHECK_NEAR(m.edgeMin, 1.0, 0.0);
    CHECK_NEAR(m.edgeMax, sqrt(13.0), 1e-6);
    CHECK_NEAR(m.edgeMean, (4.0 * (1 + 2 + 3) + 2.0 * (sqrt(5.0) + sqrt(10.0) + sqrt(13.0))) / 18.0, 1e-6);
    assert_int_equal(m.pieceCount, 1);
    assert_int_equal(m.looseVertexCount, 0);
    assert_int_equal(m.boundaryLoopCount, 0);
    CHECK_NEAR((double)m.lo.x, 1000.0, 0.0);
    CHECK_NEAR((double)m.hi.y, -498.0, 0.0);

    for (int t = 0; t < 12; ++t) { // inside out
        int v = mesh.triangles[t].v[1];
        mesh.triangles[t].v[1] = mesh.triangles[t].v[2];
        mesh.triangles[t].v[2] = v;
    }
    CHECK_NEAR(Measure(&mesh).volume, -6.0, 1e-9);
    int v = mesh.triangles[0].v[1]; // one of them turned: no inside any more
    mesh.triangles[0].v[1] = mesh.triangles[0].v[2];
    mesh.triangles[0].v[2] = v;
    m = Measure(&mesh);
    assert_false(m.closed);
    assert_true(isnan(m.volume));
    wfMesh_Free(&mesh);
}

static void TestOpenPieces(void** state) {
    (void)state;
    wfMesh mesh = {0};
    MakeBox(&mesh, 4, 3); // bottom and top only, and three vertices that belong to nothing
    wfMeasures m = Measure(&mesh);
    assert_false(m.closed);
    assert_true(isnan(m.volume));
    assert_int_equal(m.pieceCount, 2);
    assert_int_equal(m.looseVertexCount, 3);
    assert_int_equal(m.boundaryLoopCount, 2);
    wfMesh_Free(&mesh);

    MakeBox(&mesh, 10, 0); // one side open
    assert_int_equal(Measure(&mesh).boundaryLoopCount, 1);
    wfMesh_Free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestClosedBox), cmocka_unit_test(TestOpenPieces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
