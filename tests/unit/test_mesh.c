// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "mesh/model.h"
#include "mesh/topology.h"

#include <string.h>

// Two triangles of a unit square in the plane z = 0, facing +z, with a flat shape that is stretched by 2 along x.
static void MakeSquare(wfMesh* mesh, bool withFlat) {
    wfError err = {0};
    CHECK_OK(wfMesh_Create(mesh, 4, 2, withFlat, &err), err);
    const wfVec3 positions[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    const wfTriangle triangles[2] = {{{0, 1, 2}}, {{0, 2, 3}}};
    memcpy(mesh->positions, positions, sizeof positions);
    memcpy(mesh->triangles, triangles, sizeof triangles);
    for (int t = 0; withFlat && t < 2; ++t)
        for (int k = 0; k < 3; ++k)
            mesh->flat[t].corner[k] = (wfVec2){2.0f * positions[triangles[t].v[k]].x, positions[triangles[t].v[k]].y};
}

static void AddStitch(wfMesh* mesh, int a, int b) {
    wfError err = {0};
    mesh->stitches = wfArena_Alloc(&mesh->arena, 1, sizeof *mesh->stitches, "stitches", &err);
    assert_non_null(mesh->stitches);
    mesh->stitchCount = 1;
    mesh->stitches[0][0] = a;
    mesh->stitches[0][1] = b;
}

static void TestCreateRefusesCounts(void** state) {
    (void)state;
    wfError err = {0};
    wfMesh mesh = {0};
    CHECK_FAILS(wfMesh_Create(&mesh, -1, 0, false, &err), err, "a mesh cannot have -1 vertices and 0 triangles");
    CHECK_FAILS(wfMesh_Create(&mesh, 536870912, 0, false, &err), err,
                "a mesh of 536870912 vertices is too large, at most 536870911 are possible");
    CHECK_FAILS(wfMesh_Create(&mesh, 0, 536870912, true, &err), err,
                "a mesh of 536870912 triangles is too large, at most 536870911 are possible");
    assert_null(mesh.arena.first);
    wfMesh_Free(&mesh);
}

static void TestCopyAndAppend(void** state) {
    (void)state;
    wfError err = {0};
    wfMesh a = {0}, b = {0}, copy = {0}, sum = {0};
    MakeSquare(&a, true);
    MakeSquare(&b, true);
    AddStitch(&a, 0, 2);
    AddStitch(&b, 1, 3);
    CHECK_OK(wfMesh_Copy(&copy, &a, &err), err);
    assert_memory_equal(copy.positions, a.positions, 4 * sizeof *a.positions);
    assert_memory_equal(copy.triangles, a.triangles, 2 * sizeof *a.triangles);
    assert_memory_equal(copy.flat, a.flat, 2 * sizeof *a.flat);
    assert_int_equal(copy.stitchCount, 1);
    assert_int_equal(copy.stitches[0][1], 2);

    CHECK_OK(wfMesh_Append(&sum, &a, &err), err); // to an empty mesh: the flat shape survives
    assert_non_null(sum.flat);
    CHECK_OK(wfMesh_Append(&sum, &b, &err), err);
    assert_int_equal(sum.vertexCount, 8);
    assert_int_equal(sum.triangleCount, 4);
    assert_int_equal(sum.stitchCount, 2);
    for (int t = 0; t < 2; ++t)
        for (int k = 0; k < 3; ++k) {
            assert_int_equal(sum.triangles[t].v[k], a.triangles[t].v[k]);
            assert_int_equal(sum.triangles[2 + t].v[k], b.triangles[t].v[k] + 4);
        }
    assert_memory_equal(sum.positions + 4, b.positions, 4 * sizeof *b.positions);
    assert_memory_equal(sum.flat + 2, b.flat, 2 * sizeof *b.flat);
    assert_int_equal(sum.stitches[0][0], 0);
    assert_int_equal(sum.stitches[1][0], 5);
    assert_int_equal(sum.stitches[1][1], 7);

    CHECK_OK(wfMesh_Append(&sum, &sum, &err), err); // itself
    assert_int_equal(sum.vertexCount, 16);
    assert_int_equal(sum.triangles[7].v[2], 3 + 4 + 8);

    wfMesh plain = {0};
    MakeSquare(&plain, false);
    CHECK_OK(wfMesh_Append(&sum, &plain, &err), err); // without a flat shape the sum has none
    assert_null(sum.flat);

    // Too large together: refused, and the mesh stays as it was.
    wfMesh huge = plain;
    huge.vertexCount = wf_maxMeshElements;
    CHECK_FAILS(wfMesh_Append(&sum, &huge, &err), err, "a mesh of 536870931 vertices is too large, at most 536870911 are possible");
    assert_int_equal(sum.vertexCount, 20);

    wfMeshView view = wfMesh_View(&a);
    assert_ptr_equal(view.positions, a.positions);
    assert_ptr_equal(view.flat, a.flat);
    assert_null(view.restPositions);
    assert_int_equal(view.triangleCount, 2);
    wfMesh_Free(&a);
    wfMesh_Free(&b);
    wfMesh_Free(&copy);
    wfMesh_Free(&sum);
    wfMesh_Free(&plain);
}

// The metric F'F of the map from the flat shape to space, as xx, xy, yy.
static void Metric(const wfMesh* mesh, int t, double out[3]) {
    const wfFlatTriangle* f = &mesh->flat[t];
    const int* v = mesh->triangles[t].v;
    double u1 = f->corner[1].x - f->corner[0].x, v1 = f->corner[1].y - f->corner[0].y;
    double u2 = f->corner[2].x - f->corner[0].x, v2 = f->corner[2].y - f->corner[0].y, det = u1 * v2 - u2 * v1;
    wfVec3 e1 = wfSub(mesh->positions[v[1]], mesh->positions[v[0]]), e2 = wfSub(mesh->positions[v[2]], mesh->positions[v[0]]);
    wfVec3 fx = wfSub(wfScale(e1, (float)(v2 / det)), wfScale(e2, (float)(v1 / det)));
    wfVec3 fy = wfSub(wfScale(e2, (float)(u1 / det)), wfScale(e1, (float)(u2 / det)));
    out[0] = wfDot(fx, fx);
    out[1] = wfDot(fx, fy);
    out[2] = wfDot(fy, fy);
}

static double FlatArea(const wfFlatTriangle* f) {
    return 0.5 * ((double)(f->corner[1].x - f->corner[0].x) * (f->corner[2].y - f->corner[0].y) -
                  (double)(f->corner[2].x - f->corner[0].x) * (f->corner[1].y - f->corner[0].y));
}

static void TestTransform(void** state) {
    (void)state;
    wfMesh mesh = {0};
    MakeSquare(&mesh, true);
    wfMesh_Transform(&mesh, wfMake3(2, 2, 2), wfQuatAxisAngle(wfMake3(0, 0, 1), 1.5707963267948966f), wfMake3(10, 20, 30));
    const wfVec3 expected[4] = {{10, 20, 30}, {10, 22, 30}, {8, 22, 30}, {8, 20, 30}};
    for (int i = 0; i < 4; ++i) CHECK_NEAR(wfDistance(mesh.positions[i], expected[i]), 0.0, 1e-5);
    CHECK_NEAR(mesh.flat[0].corner[1].x, 4.0, 0.0); // uniform: exactly along
    CHECK_NEAR(mesh.flat[0].corner[2].y, 2.0, 0.0);
    wfMesh_Free(&mesh);

    // Any scale keeps the strain of each triangle; a mirroring one keeps the outside outside.
    const wfVec3 scales[] = {{1, 1, 1}, {3, 1, 1}, {1, 0.2f, 5}, {0.5f, 2, 0.7f}, {-1, 1, 1}, {-2, -1, 3}, {-1, -2, -0.5f}};
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; ++s) {
        MakeSquare(&mesh, true);
        mesh.positions[2].z = 0.3f; // out of plane, and sheared
        mesh.flat[0].corner[2].x += 0.2f;
        double before[2][3], after[3], area[2];
        wfVec3 normal[4], turned[4];
        for (int t = 0; t < 2; ++t) {
            Metric(&mesh, t, before[t]);
            area[t] = FlatArea(&mesh.flat[t]);
        }
        wfMesh_VertexNormals(mesh.positions, 4, mesh.triangles, 2, normal);
        wfMesh_Transform(&mesh, scales[s], wfQuatIdentity(), wfMake3(0, 0, 0));
        wfMesh_VertexNormals(mesh.positions, 4, mesh.triangles, 2, turned);
        for (int t = 0; t < 2; ++t) {
            Metric(&mesh, t, after);
            bool mirrored = scales[s].x * scales[s].y * scales[s].z < 0.0f; // the weft then runs the other way
            CHECK_NEAR(after[0], before[t][0], 1e-5);
            CHECK_NEAR(after[1], mirrored ? -before[t][1] : before[t][1], 1e-5);
            CHECK_NEAR(after[2], before[t][2], 1e-5);
            assert_true(FlatArea(&mesh.flat[t]) * area[t] > 0.0);
        }
        // Of a normal n, the scaled surface has the normal n / scale (component-wise) when the outside stays outside.
        for (int i = 0; i < 4; ++i) {
            wfVec3 n = wfMake3(normal[i].x / scales[s].x, normal[i].y / scales[s].y, normal[i].z / scales[s].z);
            assert_true(wfDot(n, turned[i]) > 0.0f);
        }
        wfMesh_Free(&mesh);
    }

    // The pattern of an unstrained sheet that is scaled along an axis is again that of an unstrained sheet.
    MakeSquare(&mesh, true);
    for (int k = 0; k < 3; ++k) mesh.flat[0].corner[k].x *= 0.5f;
    wfMesh_Transform(&mesh, wfMake3(3, 1, 7), wfQuatIdentity(), wfMake3(0, 0, 0));
    CHECK_NEAR(mesh.flat[0].corner[1].x, 3.0, 1e-6);
    CHECK_NEAR(mesh.flat[0].corner[2].x, 3.0, 1e-6);
    CHECK_NEAR(mesh.flat[0].corner[2].y, 1.0, 1e-6);
    wfMesh_Free(&mesh);
}

static void TestBoundsAreaNormals(void** state) {
    (void)state;
    wfMesh mesh = {0};
    MakeSquare(&mesh, false);
    wfVec3 lo, hi, normals[5];
    wfMesh_Bounds(mesh.positions, 4, &lo, &hi);
    assert_true(lo.x == 0 && lo.y == 0 && lo.z == 0 && hi.x == 1 && hi.y == 1 && hi.z == 0);
    wfMesh_Bounds(mesh.positions, 0, &lo, &hi);
    assert_true(lo.x > hi.x);
    CHECK_NEAR(wfTriangleArea(wfMake3(1, 1, 1), wfMake3(3, 1, 1), wfMake3(1, 1, 4)), 3.0, 1e-6);

    // A large and a small triangle at right angles: the normals at the common edge lean by area. The fifth vertex is loose.
    const wfVec3 positions[5] = {{0, 0, 0}, {1, 0, 0}, {0, 3, 0}, {0, 0, 1}, {9, 9, 9}};
    const wfTriangle triangles[2] = {{{0, 1, 2}}, {{0, 3, 1}}};
    wfMesh_VertexNormals(positions, 5, triangles, 2, normals);
    CHECK_NEAR(normals[0].y / normals[0].z, 1.0 / 3.0, 1e-6);
    CHECK_NEAR(wfLength(normals[0]), 1.0, 1e-6);
    CHECK_NEAR(normals[2].z, 1.0, 1e-6);
    CHECK_NEAR(normals[3].y, 1.0, 1e-6);
    CHECK_NEAR(normals[4].y, 1.0, 0.0);
    wfMesh_Free(&mesh);
}

static void TestCheck(void** state) {
    (void)state;
    wfError err = {0};
    wfMesh mesh = {0};
    MakeSquare(&mesh, true);
    wfMeshView view = wfMesh_View(&mesh);
    view.restPositions = view.positions;
    CHECK_OK(wfMesh_Check(&view, "cloth \"a\"", &err), err);

    wfMeshView bad = view;
    bad.triangleCount = 0;
    CHECK_FAILS(wfMesh_Check(&bad, "cloth \"a\"", &err), err, "cloth \"a\": expected at least one triangle, got none");
    bad = view;
    bad.positions = NULL;
    CHECK_FAILS(wfMesh_Check(&bad, "a", &err), err, "a: expected positions and triangles, got NULL");
    bad = view;
    bad.triangleCount = -3;
    CHECK_FAILS(wfMesh_Check(&bad, "a", &err), err, "a: expected 0 to 536870911 triangles, got -3");
    bad = view;
    bad.vertexCount = 3;
    CHECK_FAILS(wfMesh_Check(&bad, "a", &err), err, "a: triangle 1 uses vertex 3, there are 3 (counted from 0)");
    mesh.triangles[1].v[2] = -1;
    CHECK_FAILS(wfMesh_Check(&view, "a", &err), err, "a: triangle 1 uses vertex -1, there are 4 (counted from 0)");
    mesh.triangles[1].v[2] = 2;
    CHECK_FAILS(wfMesh_Check(&view, "a", &err), err, "a: triangle 1 uses vertex 2 twice");
    mesh.triangles[1].v[2] = 0;
    CHECK_FAILS(wfMesh_Check(&view, "a", &err), err, "a: triangle 1 uses vertex 0 twice");
    mesh.triangles[1].v[2] = 3;
    mesh.flat[1].corner[0].y = INFINITY;
    CHECK_FAILS(wfMesh_Check(&view, "a", &err), err, "a: flat shape of triangle 1: expected 6 finite numbers, got inf");
    mesh.positions[2].y = (float)NAN;
    CHECK_FAILS(wfMesh_Check(&view, "a", &err), err, "a: position of vertex 2: expected 3 finite numbers, got (1, nan, 0)");
    float good[12] = {0};
    view.positions = good;
    CHECK_FAILS(wfMesh_Check(&view, "a", &err), err, "a: rest position of vertex 2: expected 3 finite numbers, got (1, nan, 0)");
    wfMesh_Free(&mesh);
}

static void TestReferenceShape(void** state) {
    (void)state;
    wfError err = {0};
    wfMesh mesh = {0};
    wfFlatTriangle out[2];
    MakeSquare(&mesh, true);
    wfMeshView view = wfMesh_View(&mesh);
    CHECK_OK(wfReferenceShape(&view, "a", out, &err), err);
    assert_memory_equal(out, mesh.flat, sizeof out);

    // From the rest positions: lengths kept, counter-clockwise, first edge along x.
    float rest[12] = {5, 5, 5, 5, 8, 5, 5, 8, 9, 1, 2, 3};
    view.flat = NULL;
    view.restPositions = rest;
    CHECK_OK(wfReferenceShape(&view, "a", out, &err), err);
    for (int t = 0; t < 2; ++t) {
        assert_true(out[t].corner[0].x == 0 && out[t].corner[0].y == 0 && out[t].corner[1].y == 0);
        assert_true(out[t].corner[1].x > 0 && out[t].corner[2].y > 0);
        for (int k = 0; k < 3; ++k) {
            const float *a = rest + 3 * mesh.triangles[t].v[k], *b = rest + 3 * mesh.triangles[t].v[(k + 1) % 3];
            wfVec2 p = out[t].corner[k], q = out[t].corner[(k + 1) % 3];
            CHECK_NEAR(hypot(p.x - q.x, p.y - q.y), hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]), 1e-5);
        }
    }
    memcpy(rest + 6, rest + 3, 3 * sizeof(float));
    CHECK_FAILS(wfReferenceShape(&view, "a", out, &err), err, "a: the rest shape of triangle 0 has no area");
    view.flat = (const float*)mesh.flat;
    mesh.flat[1].corner[2] = (wfVec2){1.0f, 0.5f};
    CHECK_FAILS(wfReferenceShape(&view, "a", out, &err), err, "a: the flat shape of triangle 1 has no area");
    wfMesh_Free(&mesh);
}

static void TestFindCloth(void** state) {
    (void)state;
    const wfClothRange cloths[2] = {{.name = "shirt", .vertexCount = 3}, {.name = "skirt", .firstVertex = 3, .vertexCount = 2}};
    const int clothOf[5] = {0, 0, 0, 1, 1};
    wfModel model = {.vertexCount = 5, .clothCount = 2, .cloths = cloths, .clothOf = clothOf};
    int local = -1;
    assert_string_equal(wfModel_FindCloth(&model, 2, &local)->name, "shirt");
    assert_int_equal(local, 2);
    assert_string_equal(wfModel_FindCloth(&model, 3, &local)->name, "skirt");
    assert_int_equal(local, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestCreateRefusesCounts), cmocka_unit_test(TestCopyAndAppend), cmocka_unit_test(TestTransform),
        cmocka_unit_test(TestBoundsAreaNormals),   cmocka_unit_test(TestCheck),         cmocka_unit_test(TestReferenceShape),
        cmocka_unit_test(TestFindCloth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
