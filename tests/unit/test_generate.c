// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "collide/intersect.h"
#include "collide/shape.h"
#include "mesh/builder.h"
#include "mesh/delaunay.h"
#include "mesh/figure_shape.h"
#include "mesh/generate.h"
#include "mesh/topology.h"

#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

// What a generated mesh is, measured from its triangles.
typedef struct Facts {
    int vertices, triangles, euler, boundaryEdges, components;
    double volume, area, shortest, longest, smallestAngle; // angle in degrees
    wfVec3 lo, hi;
} Facts;

static double Angle(wfVec3 apex, wfVec3 a, wfVec3 b) {
    wfVec3 u = wfSub(a, apex), v = wfSub(b, apex);
    return atan2(wfLength(wfCross(u, v)), wfDot(u, v)) * 180.0 / PI;
}

// Also requires what all generated meshes promise: manifold, oriented, every vertex used, nothing meets itself.
static Facts Measure(const wfMesh* mesh) {
    wfError err = {0};
    wfMeshView view = wfMesh_View(mesh);
    CHECK_OK(wfMesh_Check(&view, "generated", &err), err);
    wfTopology topology;
    CHECK_OK(wfTopology_Create(&topology, mesh->triangles, mesh->triangleCount, mesh->vertexCount, &err), err);
    CHECK_OK(wfTopology_RequireManifold(&topology, "generated", &err), err);
    Facts f = {.vertices = mesh->vertexCount,
               .triangles = mesh->triangleCount,
               .euler = mesh->vertexCount - topology.edgeCount + mesh->triangleCount,
               .boundaryEdges = topology.boundaryEdgeCount,
               .components = topology.componentCount,
               .shortest = INFINITY,
               .smallestAngle = INFINITY};
    for (int i = 0; i < mesh->vertexCount; ++i) assert_true(topology.vertexTriangles.start[i] < topology.vertexTriangles.start[i + 1]);
    for (int e = 0; e < topology.edgeCount; ++e) {
        double length = wfDistance(mesh->positions[topology.edges[e].v[0]], mesh->positions[topology.edges[e].v[1]]);
        f.shortest = fmin(f.shortest, length);
        f.longest = fmax(f.longest, length);
    }
    for (int t = 0; t < mesh->triangleCount; ++t) {
        const int* v = mesh->triangles[t].v;
        wfVec3 a = mesh->positions[v[0]], b = mesh->positions[v[1]], c = mesh->positions[v[2]];
        f.volume += wfDot(a, wfCross(b, c)) / 6.0;
        f.area += wfTriangleArea(a, b, c);
        f.smallestAngle = fmin(f.smallestAngle, fmin(Angle(a, b, c), fmin(Angle(b, c, a), Angle(c, a, b))));
    }
    wfMesh_Bounds(mesh->positions, mesh->vertexCount, &f.lo, &f.hi);
    wfTopology_Free(&topology);

    wfArena arena = {0};
    wfIntersections meeting;
    CHECK_OK(wfFindIntersections(mesh->positions, mesh->triangles, mesh->triangleCount, NULL, 0, &arena, &meeting, &err), err);
    assert_int_equal(meeting.count, 0);
    wfArena_Free(&arena);
    return f;
}

static Facts Make(wfMesh* mesh, const wfGenerateDef* def) {
    wfError err = {0};
    *mesh = (wfMesh){0};
    CHECK_OK(wfGenerate(mesh, def, &err), err);
    return Measure(mesh);
}

static wfGenerateDef Def(wfGenerator shape, float edge) {
    wfGenerateDef def = wfDefaultGenerateDef();
    def.shape = shape;
    def.edge = edge;
    return def;
}

static void CheckEdges(const Facts* f, double edge, double lo, double hi, double angle) {
    if (f->shortest < lo * edge || f->longest > hi * edge || f->smallestAngle < angle)
        fail_msg("%d vertices: edges %.3g .. %.3g of the target, expected %.3g .. %.3g; smallest angle %.3g, expected %.3g", f->vertices,
                 f->shortest / edge, f->longest / edge, lo, hi, f->smallestAngle, angle);
}

static void CheckBox(const Facts* f, double x, double y, double z, double tolerance) {
    CHECK_NEAR(f->hi.x, 0.5 * x, tolerance);
    CHECK_NEAR(f->lo.x, -0.5 * x, tolerance);
    CHECK_NEAR(f->hi.y, 0.5 * y, tolerance);
    CHECK_NEAR(f->lo.y, -0.5 * y, tolerance);
    CHECK_NEAR(f->hi.z, 0.5 * z, tolerance);
    CHECK_NEAR(f->lo.z, -0.5 * z, tolerance);
}

// ---- flat shapes --------------------------------------------------------------------------------------------------------------

static double FlatArea(const wfFlatTriangle* f) {
    return 0.5 * (((double)f->corner[1].x - f->corner[0].x) * ((double)f->corner[2].y - f->corner[0].y) -
                  ((double)f->corner[2].x - f->corner[0].x) * ((double)f->corner[1].y - f->corner[0].y));
}

// Up, flat, counter-clockwise in the flat shape, which is the triangle itself without a stretch; x is the warp.
static void CheckFlat(const wfMesh* mesh, double area) {
    double sum = 0.0;
    assert_non_null(mesh->flat);
    for (int t = 0; t < mesh->triangleCount; ++t) {
        const int* v = mesh->triangles[t].v;
        wfVec3 normal = wfCross(wfSub(mesh->positions[v[1]], mesh->positions[v[0]]), wfSub(mesh->positions[v[2]], mesh->positions[v[0]]));
        assert_true(normal.y > 0.0f && normal.x == 0.0f && normal.z == 0.0f);
        assert_true(FlatArea(&mesh->flat[t]) > 0.0);
        sum += FlatArea(&mesh->flat[t]);
        for (int k = 0; k < 3; ++k) {
            wfVec3 a = mesh->positions[v[k]], b = mesh->positions[v[(k + 1) % 3]];
            wfVec2 p = mesh->flat[t].corner[k], q = mesh->flat[t].corner[(k + 1) % 3];
            assert_true(p.x == a.x && a.y == 0.0f);
            assert_true(hypotf(p.x - q.x, p.y - q.y) == hypotf(a.x - b.x, a.z - b.z));
        }
    }
    CHECK_NEAR(sum / area, 1.0, 1e-6);
}

static void TestSheet(void** state) {
    (void)state;
    const struct {
        float x, z, edge;
        int n, m, columns, rows;
    } cases[] = {
        {1, 1, 0.1f, 0, 0, 11, 11},  {2, 1, 0.1f, 0, 0, 21, 11}, {1, 1, 0.1f, 2, 2, 2, 2},         {1, 3, 0.02f, 5, 0, 5, 13},
        {1, 1, 0.02f, 7, 12, 7, 12}, {1, 1, 100, 0, 0, 2, 2},    {0.3f, 0.7f, 0.02f, 0, 4, 16, 4}, {1e-4f, 1e-4f, 1e-5f, 0, 0, 11, 11},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c)
        for (int pattern = wf_patternRegular; pattern <= wf_patternIrregular; ++pattern) {
            wfGenerateDef def = Def(wf_makeSheet, cases[c].edge);
            def.size = wfMake3(cases[c].x, 1, cases[c].z);
            def.n = cases[c].n;
            def.m = cases[c].m;
            def.pattern = (wfSheetPattern)pattern;
            wfMesh mesh;
            Facts f = Make(&mesh, &def);
            int n = cases[c].columns, m = cases[c].rows;
            assert_int_equal(f.vertices, n * m);
            assert_int_equal(f.triangles, 2 * (n - 1) * (m - 1));
            assert_int_equal(f.boundaryEdges, 2 * (n + m - 2));
            assert_int_equal(f.components, 1);
            CheckBox(&f, cases[c].x, 0, cases[c].z, 0.0);
            CheckFlat(&mesh, (double)cases[c].x * cases[c].z);
            double dx = cases[c].x / (n - 1), dz = cases[c].z / (m - 1), cell = fmax(dx, dz);
            if (pattern != wf_patternIrregular) {
                CheckEdges(&f, 1.0, (1.0 - 1e-4) * fmin(dx, dz), (1.0 + 1e-4) * hypot(dx, dz), 0.0);
            } else if (cases[c].m == 0) { // square cells
                CheckEdges(&f, cell, 0.5, 1.9, 15.0);
            }
            // Numbered row by row; the border is where it was promised, also of the irregular pattern.
            for (int j = 0; j < m; ++j)
                for (int i = 0; i < n; ++i) {
                    wfVec3 p = mesh.positions[j * n + i];
                    bool inside = i > 0 && j > 0 && i < n - 1 && j < m - 1;
                    double slack = pattern == wf_patternIrregular && inside ? 0.2401 : 1e-5;
                    CHECK_NEAR(p.x, -0.5 * cases[c].x + i * dx, slack * dx);
                    CHECK_NEAR(p.z, -0.5 * cases[c].z + j * dz, slack * dz);
                }
            wfMesh_Free(&mesh);
        }
}

static void TestDiagonals(void** state) {
    (void)state;
    wfGenerateDef def = Def(wf_makeSheet, 1);
    def.n = def.m = 9;
    for (int pattern = wf_patternRegular; pattern <= wf_patternAlternating; ++pattern) {
        def.pattern = (wfSheetPattern)pattern;
        wfError err = {0};
        wfMesh mesh;
        wfTopology topology;
        Make(&mesh, &def);
        CHECK_OK(wfTopology_Create(&topology, mesh.triangles, mesh.triangleCount, mesh.vertexCount, &err), err);
        for (int i = 0; i < mesh.vertexCount; ++i) {
            int valence = topology.ring1.start[i + 1] - topology.ring1.start[i];
            if (topology.boundaryVertex[i]) continue;
            if (pattern == wf_patternRegular) assert_int_equal(valence, 6);
            if (pattern == wf_patternAlternating) assert_int_equal(valence, (i / 9 + i % 9) % 2 == 0 ? 8 : 4);
        }
        wfTopology_Free(&topology);
        wfMesh_Free(&mesh);
    }
}

// How far d lies inside the circle through a, b, c, relative to the size of the determinant.
static long double Inside(wfVec2 a, wfVec2 b, wfVec2 c, wfVec2 d) {
    long double ax = (long double)a.x - d.x, ay = (long double)a.y - d.y, bx = (long double)b.x - d.x, by = (long double)b.y - d.y;
    long double cx = (long double)c.x - d.x, cy = (long double)c.y - d.y;
    long double aa = ax * ax + ay * ay, bb = bx * bx + by * by, cc = cx * cx + cy * cy;
    long double det = aa * (bx * cy - cx * by) - bb * (ax * cy - cx * ay) + cc * (ax * by - bx * ay);
    long double size =
        aa * (fabsl(bx * cy) + fabsl(cx * by)) + bb * (fabsl(ax * cy) + fabsl(cx * ay)) + cc * (fabsl(ax * by) + fabsl(bx * ay));
    return size > 0.0L ? det / size : 0.0L;
}

// No vertex at all inside the circle of any triangle.
static void CheckDelaunay(const wfVec2* points, int count, const wfTriangle* triangles, int triangleCount) {
    for (int t = 0; t < triangleCount; ++t)
        for (int i = 0; i < count; ++i) {
            const int* v = triangles[t].v;
            if (v[0] == i || v[1] == i || v[2] == i) continue;
            if (Inside(points[v[0]], points[v[1]], points[v[2]], points[i]) > 1e-13L)
                fail_msg("vertex %d lies inside the circle of triangle %d", i, t);
        }
}

static void TestIrregularIsDelaunay(void** state) {
    (void)state;
    wfGenerateDef def = Def(wf_makeSheet, 0.05f);
    def.pattern = wf_patternIrregular;
    const float sizes[3][2] = {{1, 1}, {0.6f, 0.9f}, {1, 1}};
    for (int c = 0; c < 3; ++c) {
        def.size = wfMake3(sizes[c][0], 1, sizes[c][1]);
        def.seed = c;
        def.m = c == 2 ? 9 : 0; // long cells need more flips
        wfMesh mesh, again;
        Facts f = Make(&mesh, &def);
        wfVec2* points = malloc((size_t)mesh.vertexCount * sizeof *points);
        for (int i = 0; i < mesh.vertexCount; ++i) points[i] = (wfVec2){mesh.positions[i].x, -mesh.positions[i].z};
        CheckDelaunay(points, mesh.vertexCount, mesh.triangles, mesh.triangleCount);
        CHECK_NEAR(f.area, (double)sizes[c][0] * sizes[c][1], 1e-6);
        free(points);
        Make(&again, &def); // the same seed, the same bits
        assert_memory_equal(again.positions, mesh.positions, (size_t)mesh.vertexCount * sizeof *mesh.positions);
        assert_memory_equal(again.triangles, mesh.triangles, (size_t)mesh.triangleCount * sizeof *mesh.triangles);
        wfMesh_Free(&again);
        def.seed += 1;
        Make(&again, &def);
        assert_memory_not_equal(again.positions, mesh.positions, (size_t)mesh.vertexCount * sizeof *mesh.positions);
        wfMesh_Free(&again);
        wfMesh_Free(&mesh);
    }
}

// A convex polygon cut into a fan from one corner, about as far from Delaunay as it gets.
static void TestFlipAFan(void** state) {
    (void)state;
    enum { count = 200 };
    wfError err = {0};
    wfVec2 points[count];
    wfTriangle triangles[count - 2];
    for (int i = 0; i < count; ++i) {
        double angle = 2.0 * PI * (i + 0.3 * sin(7.0 * i)) / count;
        points[i] = (wfVec2){(float)(3.0 * cos(angle)), (float)sin(angle)};
    }
    for (int t = 0; t < count - 2; ++t) triangles[t] = (wfTriangle){{0, t + 1, t + 2}};
    CHECK_OK(wfFlipToDelaunay(points, count, triangles, count - 2, &err), err);
    CheckDelaunay(points, count, triangles, count - 2);
    wfTopology topology;
    CHECK_OK(wfTopology_Create(&topology, triangles, count - 2, count, &err), err);
    CHECK_OK(wfTopology_RequireManifold(&topology, "fan", &err), err);
    assert_int_equal(topology.boundaryEdgeCount, count);
    wfTopology_Free(&topology);
}

static void TestDisc(void** state) {
    (void)state;
    for (float edge = 0.005f; edge < 1.0f; edge *= 2.7f) {
        wfGenerateDef def = Def(wf_makeDisc, edge);
        wfMesh mesh;
        Facts f = Make(&mesh, &def);
        double used = fmin(edge, 2.0 * PI * 0.25 / 8.0);
        assert_int_equal(f.euler, 1);
        assert_true(f.boundaryEdges >= 8);
        for (int i = 0; i < f.boundaryEdges; ++i) CHECK_NEAR(wfLength(mesh.positions[i]), 0.25, 1e-7); // the rim comes first
        CHECK_NEAR(f.area, 0.5 * f.boundaryEdges * 0.0625 * sin(2.0 * PI / f.boundaryEdges), 1e-7);
        CheckFlat(&mesh, f.area);
        CheckEdges(&f, used, 0.7, 1.5, 35.0);
        wfMesh_Free(&mesh);
    }
}

// ---- solids -------------------------------------------------------------------------------------------------------------------

static void CheckSolid(const Facts* f, int components, int handles) {
    assert_int_equal(f->boundaryEdges, 0);
    assert_int_equal(f->components, components);
    assert_int_equal(f->euler, 2 * components - 2 * handles);
}

// Volume near the closed form, and four times nearer (three at least: numbers are rounded) with half the edge. `radius`: the smallest.
static void CheckVolume(wfGenerateDef def, double exact, double radius) {
    double error[2];
    for (int k = 0; k < 2; ++k) {
        wfMesh mesh;
        Facts f = Make(&mesh, &def);
        error[k] = fabs(f.volume / exact - 1.0);
        double used = fmin(def.edge, 2.0 * PI * radius / 8.0);
        if (error[k] > 1.1 * (used / radius) * (used / radius)) fail_msg("volume %g, expected %g", f.volume, exact);
        wfMesh_Free(&mesh);
        def.edge = (float)(0.5 * used);
    }
    // The walls of a straight tube lose the same on both sides; what is left is the rounding of its vertices.
    if (error[1] > fmax(error[0] / 3.0, 1e-5)) fail_msg("volume error %g, with half the edge %g", error[0], error[1]);
}

static void TestSphere(void** state) {
    (void)state;
    for (float edge = 0.01f; edge < 2.0f; edge *= 2.3f) {
        wfGenerateDef def = Def(wf_makeSphere, edge);
        wfMesh mesh;
        Facts f = Make(&mesh, &def);
        CheckSolid(&f, 1, 0);
        for (int i = 0; i < f.vertices; ++i) CHECK_NEAR(wfLength(mesh.positions[i]), 0.25, 1e-7);
        int frequency = (int)lround(sqrt((f.vertices - 2) / 10.0));
        assert_int_equal(f.vertices, 10 * frequency * frequency + 2);
        CheckEdges(&f, edge < 0.1f ? edge : f.longest, 0.7, 1.3, 50.0);
        wfMesh_Free(&mesh);
    }
    CheckVolume(Def(wf_makeSphere, 0.03f), 4.0 / 3.0 * PI * pow(0.25, 3), 0.25);
}

// Round shapes about y: { shape, radius, radius2, length or height, thickness, handles, closed form, smallest radius }.
typedef struct RoundCase {
    wfGenerator shape;
    double radius, radius2, length, thickness;
    int handles;
    double volume, smallest;
} RoundCase;

static double ConeVolume(double r0, double r1, double h) { return PI * h / 3.0 * (r0 * r0 + r0 * r1 + r1 * r1); }

// The wall by what it encloses: the outer side less the inner one. The outer neck ends where both outer sides meet.
static double FunnelVolume(double r, double neck, double length, double t) {
    double cone = 2.0 / 3.0 * length, slope = (r - neck) / cone, wide = t / cos(atan(slope));
    double shift = slope > 0.0 ? (wide - t) / slope : 0.0;
    double inner = ConeVolume(neck, r, cone) + PI * neck * neck * length / 3.0;
    double outer = ConeVolume(neck + t, r + wide, cone + shift) + PI * (neck + t) * (neck + t) * (length / 3.0 - shift);
    return outer - inner;
}

static void TestRound(void** state) {
    (void)state;
    const RoundCase cases[] = {
        {wf_makeCapsule, 0.25, 0.1, 0.5, 0.1, 0, PI * 0.0625 * 0.5 + 4.0 / 3.0 * PI * 0.015625, 0.25},
        {wf_makeCapsule, 0.05, 0.1, 1.0, 0.1, 0, PI * 0.0025 * 1.0 + 4.0 / 3.0 * PI * 0.000125, 0.05},
        {wf_makeCylinder, 0.25, 0.1, 0.5, 0.1, 0, PI * 0.0625 * 0.5, 0.25},
        {wf_makeCylinder, 0.5, 0.1, 0.1, 0.1, 0, PI * 0.25 * 0.1, 0.5},
        {wf_makeCone, 0.25, 0.1, 0.5, 0.1, 0, PI * 0.0625 * 0.5 / 3.0, 0.25},
        {wf_makeFunnel, 0.3, 0.1, 0.6, 0.03, 1, FunnelVolume(0.3, 0.1, 0.6, 0.03), 0.1},
        {wf_makeFunnel, 0.2, 0.2, 0.6, 0.05, 1, FunnelVolume(0.2, 0.2, 0.6, 0.05), 0.2},
        {wf_makeFunnel, 0.6, 0.2, 0.3, 0.05, 1, FunnelVolume(0.6, 0.2, 0.3, 0.05), 0.2},
        {wf_makeTorus, 0.25, 0.1, 0.5, 0.1, 1, 2.0 * PI * PI * 0.25 * 0.01, 0.1},
        {wf_makeTorus, 0.3, 0.25, 0.5, 0.1, 1, 2.0 * PI * PI * 0.3 * 0.0625, 0.05}, // a hole of 0.05
        {wf_makeRoundTable, 0.5, 0.1, 0.7, 0.05, 0, PI * (0.25 * 0.05 + 0.01 * 0.65), 0.1},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c)
        for (float edge = 0.03f; edge < 0.5f; edge *= 2.3f) {
            const RoundCase* k = &cases[c];
            wfGenerateDef def = Def(k->shape, edge);
            def.radius = (float)k->radius;
            def.radius2 = (float)k->radius2;
            def.length = (float)k->length;
            def.thickness = (float)k->thickness;
            def.size.y = (float)k->length;
            wfMesh mesh;
            Facts f = Make(&mesh, &def);
            CheckSolid(&f, 1, k->handles);
            CHECK_NEAR(f.hi.y, -f.lo.y, 1e-7);
            double height = k->shape == wf_makeCapsule ? k->length + 2 * k->radius : k->shape == wf_makeTorus ? 2 * k->radius2 : k->length;
            CHECK_NEAR(f.hi.y - f.lo.y, height, 1e-6);
            if (edge < 0.8 * k->smallest) {
                // A wall, top or side thinner than an edge has shorter ones across.
                bool hasWall = k->shape == wf_makeFunnel || k->shape == wf_makeRoundTable;
                double least = hasWall ? k->thickness : k->shape == wf_makeCylinder ? k->length : INFINITY;
                bool thin = least < edge;
                CheckEdges(&f, edge, thin ? 0.9 * least / edge : 0.55, 1.65, thin ? 15.0 : 25.0);
            }
            wfMesh_Free(&mesh);
            if (edge == 0.03f) CheckVolume(def, k->volume, k->smallest);
        }
}

// Vertices lie on the surface that the exact colliders of the same name have.
static void TestAgreesWithShapes(void** state) {
    (void)state;
    const struct {
        wfGenerator make;
        wfShape shape;
    } cases[] = {
        {wf_makeSphere, {.kind = wf_shapeSphere, .radius = 0.25f}},
        {wf_makeCapsule, {.kind = wf_shapeCapsule, .radius = 0.25f, .half = {0, 0.25f, 0}}},
        {wf_makeBox, {.kind = wf_shapeBox, .half = {0.5f, 0.2f, 0.3f}}},
    };
    for (size_t c = 0; c < 3; ++c) {
        wfGenerateDef def = Def(cases[c].make, 0.05f);
        def.size = wfMake3(1, 0.4f, 0.6f);
        wfMesh mesh;
        Make(&mesh, &def);
        for (int i = 0; i < mesh.vertexCount; ++i) {
            wfVec3 normal;
            CHECK_NEAR(wfShape_Distance(&cases[c].shape, mesh.positions[i], &normal), 0.0, 1e-7);
        }
        wfMesh_Free(&mesh);
    }
}

static void TestBox(void** state) {
    (void)state;
    const struct {
        wfVec3 size;
        float edge;
        int nx, ny, nz;
    } cases[] = {{{1, 1, 1}, 100, 1, 1, 1}, {{1, 0.5f, 0.3f}, 0.1f, 10, 5, 3}, {{0.01f, 2, 0.7f}, 0.1f, 1, 20, 7}};
    for (size_t c = 0; c < 3; ++c) {
        wfGenerateDef def = Def(wf_makeBox, cases[c].edge);
        def.size = cases[c].size;
        wfMesh mesh;
        Facts f = Make(&mesh, &def);
        int nx = cases[c].nx, ny = cases[c].ny, nz = cases[c].nz;
        CheckSolid(&f, 1, 0);
        assert_int_equal(f.triangles, 4 * (nx * ny + ny * nz + nz * nx));
        CheckBox(&f, def.size.x, def.size.y, def.size.z, 0.0);
        CHECK_NEAR(f.volume / ((double)def.size.x * def.size.y * def.size.z), 1.0, 1e-5);
        double cell[3] = {def.size.x / nx, def.size.y / ny, def.size.z / nz};
        CHECK_NEAR(f.shortest, fmin(cell[0], fmin(cell[1], cell[2])), 1e-6);
        wfMesh_Free(&mesh);
    }
}

static void TestStairs(void** state) {
    (void)state;
    for (int count = 1; count <= 7; count += 3)
        for (float edge = 0.04f; edge < 3.0f; edge *= 5.0f) {
            wfGenerateDef def = Def(wf_makeStairs, edge);
            def.count = count;
            def.size = wfMake3(2, 1.5f, 0.8f);
            wfMesh mesh;
            Facts f = Make(&mesh, &def);
            CheckSolid(&f, 1, 0);
            CheckBox(&f, 2, 1.5, 0.8f, 0.0);
            CHECK_NEAR(f.volume, 2 * 1.5 * 0.8 * (count + 1) / (2.0 * count), 1e-5);
            // Treads: the area that faces up is that of the ground, in `count` heights that rise with x.
            double up = 0.0;
            for (int t = 0; t < mesh.triangleCount; ++t) {
                const int* v = mesh.triangles[t].v;
                wfVec3 a = mesh.positions[v[0]], b = mesh.positions[v[1]], c = mesh.positions[v[2]];
                wfVec3 normal = wfNormalizeOr(wfCross(wfSub(b, a), wfSub(c, a)), wfMake3(0, 0, 0));
                if (normal.y < 0.5f) continue;
                up += wfTriangleArea(a, b, c);
                int step = (int)floor(((a.x + b.x + c.x) / 3.0 + 1.0) / (2.0 / count));
                CHECK_NEAR(a.y, -0.75 + 1.5 * (step + 1) / count, 1e-6);
            }
            CHECK_NEAR(up, 1.6, 1e-5);
            if (edge < 0.1f) CheckEdges(&f, edge, 0.8, 1.6, 40.0);
            wfMesh_Free(&mesh);
        }
}

static void TestSpikes(void** state) {
    (void)state;
    const struct {
        int count;
        float x, y, z, radius2, thickness, edge;
    } cases[] = {{1, 1, 0.5f, 1, 0.2f, 0.1f, 0.05f},
                 {4, 1, 0.3f, 1, 0.05f, 0.05f, 0.02f},
                 {5, 1, 0.3f, 2, 0.1f, 0.05f, 0.04f},       // touching along x
                 {3, 0.6f, 0.2f, 0.6f, 0.1f, 0.05f, 0.03f}, // touching both ways
                 {2, 1, 1, 1, 0.1f, 0.02f, 10}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        wfGenerateDef def = Def(wf_makeSpikes, cases[c].edge);
        def.count = cases[c].count;
        def.size = wfMake3(cases[c].x, cases[c].y, cases[c].z);
        def.radius2 = cases[c].radius2;
        def.thickness = cases[c].thickness;
        wfMesh mesh;
        Facts f = Make(&mesh, &def);
        int spikes = def.count * def.count, tips = 0;
        CheckSolid(&f, 1, 0);
        CheckBox(&f, def.size.x, def.size.y, def.size.z, 1e-7);
        double plate = (double)def.size.x * def.size.z * def.thickness, height = (double)def.size.y - def.thickness;
        double pyramids = spikes * 4.0 * def.radius2 * def.radius2 * height / 3.0;
        CHECK_NEAR(f.volume / (plate + pyramids), 1.0, 1e-5);
        for (int i = 0; i < f.vertices; ++i) tips += mesh.positions[i].y == f.hi.y;
        assert_int_equal(tips, spikes);
        // Near a tip the edges across are shorter.
        if (cases[c].edge < 1.0f) CheckEdges(&f, cases[c].edge, 0.2, 1.8, 9.0);
        wfMesh_Free(&mesh);
    }
}

static void TestLegsAndRods(void** state) {
    (void)state;
    for (int count = 1; count <= 7; count += count < 5 ? 1 : 2)
        for (float edge = 0.013f; edge < 0.2f; edge *= 4.0f) {
            wfGenerateDef def = Def(wf_makeTableLegs, edge);
            def.count = count;
            def.size = wfMake3(1, 0.7f, 0.8f);
            def.radius2 = 0.04f;
            wfMesh mesh;
            Facts f = Make(&mesh, &def);
            CheckSolid(&f, count, 0);
            assert_true(f.lo.x >= -0.500001f && f.hi.x <= 0.500001f && f.lo.z >= -0.400001f && f.hi.z <= 0.400001f);
            CHECK_NEAR(f.hi.y, 0.35f, 0.0);
            CHECK_NEAR(f.lo.y, -0.35f, 0.0);
            if (count == 4) CHECK_NEAR(f.hi.z - f.lo.z, 0.8, 0.02);
            double leg = PI * 0.0016 * 0.7;
            CHECK_NEAR(f.volume / (count * leg), 1.0, edge < 0.02f ? 0.015 : 0.11);
            if (edge < 0.02f) CheckEdges(&f, edge, 0.6, 1.6, 30.0);
            wfMesh_Free(&mesh);

            def.shape = wf_makeRods;
            f = Make(&mesh, &def);
            CheckSolid(&f, count, 0);
            CHECK_NEAR(f.hi.z - f.lo.z, 0.8, 1e-6);
            CHECK_NEAR(f.hi.x - f.lo.x, count == 1 ? 0.08 : 1.0, 0.004);
            double rod = PI * 0.0016 * (0.8 - 0.08) + 4.0 / 3.0 * PI * 0.000064;
            CHECK_NEAR(f.volume / (count * rod), 1.0, edge < 0.02f ? 0.02 : 0.13);
            if (edge < 0.02f) CheckEdges(&f, edge, 0.6, 1.6, 30.0);
            wfMesh_Free(&mesh);
        }
}

// ---- figure and robe ------------------------------------------------------------------------------------------------------------

static void TestFigure(void** state) {
    (void)state;
    const float heights[] = {1.75f, 1.75f, 0.3f}, edges[] = {10.0f, 0.02f, 0.0025f};
    double volume[3];
    for (int c = 0; c < 3; ++c) {
        wfGenerateDef def = Def(wf_makeFigure, edges[c]);
        def.size.y = heights[c];
        wfMesh mesh;
        Facts f = Make(&mesh, &def);
        double used = fmin(edges[c], 0.009 * heights[c]), h = heights[c];
        CheckSolid(&f, 1, 0);
        CheckEdges(&f, used, 0.5, 1.9, 20.0);
        CHECK_NEAR(f.area / (0.433 * used * used * f.triangles), 1.0, 0.1); // the edges are as long as asked for, on the whole
        CHECK_NEAR(f.hi.y, 0.5 * h, 0.1 * used);
        CHECK_NEAR(f.lo.y, -0.5 * h, 0.1 * used);
        CHECK_NEAR(f.hi.x + f.lo.x, 0.0, 0.1 * used); // the same on both sides
        CHECK_NEAR(f.hi.x - f.lo.x, 0.7135 * h, 0.005 * h);
        assert_true(f.hi.z > -f.lo.z); // the feet point to +z
        for (int v = 0; v < mesh.vertexCount; ++v) {
            wfVec3 p = wfScale(mesh.positions[v], 1.0f / heights[c]);
            CHECK_NEAR(wfFigureField((wfFigurePoint){p.x, (double)p.y + 0.5, p.z}), 0.0, 2e-4);
        }
        volume[c] = f.volume / (h * h * h);
        wfMesh_Free(&mesh);
    }
    CHECK_NEAR(volume[0] / volume[1], 1.0, 0.01);
    CHECK_NEAR(volume[2] / volume[1], 1.0, 0.01);
}

// Standing is the mesh itself, walking keeps the head upright and a foot on the ground, the two ways are mirror images, nothing meets
// itself.
static void TestPoses(void** state) {
    (void)state;
    wfGenerateDef def = Def(wf_makeFigure, 10.0f);
    def.size.y = 1.75f;
    wfMesh mesh;
    Facts rest = Make(&mesh, &def);
    wfVec3* start = malloc((size_t)mesh.vertexCount * sizeof *start);
    memcpy(start, mesh.positions, (size_t)mesh.vertexCount * sizeof *start);
    wfPoseFigure(&mesh, 1.75f, (wfFigurePose){0}, mesh.positions);
    for (int v = 0; v < mesh.vertexCount; ++v) CHECK_NEAR(wfDistance(mesh.positions[v], start[v]), 0.0, 1e-6);
    double reach[9];
    for (int k = 0; k <= 8; ++k) { // a whole cycle, and the arms at the side
        wfFigurePose pose = k < 8 ? wfWalkingPose(0.125f * (float)k, 1.0f, 0.0f) : (wfFigurePose){.arms = -25.0f};
        memcpy(mesh.positions, start, (size_t)mesh.vertexCount * sizeof *start);
        wfPoseFigure(&mesh, 1.75f, pose, mesh.positions);
        Facts f = Measure(&mesh);
        CHECK_NEAR(f.volume / rest.volume, 1.0, 0.03);
        CHECK_NEAR(f.lo.y, rest.lo.y, 0.015); // on the ground
        float down = f.hi.y - rest.hi.y;
        assert_true(down < 0.03f && down > -0.12f); // up on the toes, down in the stride
        reach[k] = -INFINITY;
        for (int v = 0; v < mesh.vertexCount; ++v) {
            wfVec3 p = start[v], q = mesh.positions[v], same = wfMake3(p.x, p.y + down, p.z);
            if (fabsf(p.x) < 0.08f && p.y > 0.15f) CHECK_NEAR(wfDistance(same, q), 0.0, 1e-6); // head and trunk
            if (p.y < -0.8f && p.x > 0.0f) reach[k] = fmax(reach[k], q.z);                     // the foot on the side of +x
        }
    }
    CHECK_NEAR(reach[4], rest.hi.z, 1e-3);                                     // under the body,
    assert_true(reach[6] < -0.1);                                              // behind it,
    assert_true(reach[0] > reach[6] && reach[0] < reach[2]);                   // swinging past,
    assert_true(reach[2] > 0.4 && reach[2] > reach[3] && reach[3] > reach[4]); // and set down in front
    double wide = 0.0;
    for (int v = 0; v < mesh.vertexCount; ++v) wide = fmax(wide, mesh.positions[v].x);
    assert_true(wide < 0.4 && rest.hi.x > 0.6); // the arms hang
    free(start);
    wfMesh_Free(&mesh);
}

static void TestRobe(void** state) {
    (void)state;
    for (float edge = 0.012f; edge < 0.1f; edge *= 2.5f) {
        wfGenerateDef def = Def(wf_makeRobe, edge);
        def.size = wfMake3(1.0f, 1.2f, 0.8f);
        def.radius = 0.1f;
        def.count = 10;
        wfMesh mesh;
        Facts f = Make(&mesh, &def);
        assert_int_equal(f.components, 1);
        assert_int_equal(f.euler, 0); // two rims
        CHECK_NEAR(f.hi.y, 0.6, 1e-6);
        CHECK_NEAR(f.lo.y, -0.6, 1e-6);
        CHECK_NEAR(f.hi.x, 0.5, 1e-6);
        assert_true(f.lo.x >= -0.5f && f.hi.z <= 0.4f && f.lo.z >= -0.4f);
        CheckEdges(&f, edge, 0.4, 1.9, 20.0);
        for (int v = 0; v < f.vertices; ++v) {
            wfVec3 p = mesh.positions[v];
            if (p.y == f.hi.y) CHECK_NEAR(hypot(p.x, p.z), 0.1, 1e-6);
        }
        for (int t = 0; t < f.triangles; ++t) {
            const int* v = mesh.triangles[t].v;
            wfVec3 p = mesh.positions[v[0]], a = wfSub(mesh.positions[v[1]], p), b = wfSub(mesh.positions[v[2]], p), normal = wfCross(a, b);
            const wfVec2* c = mesh.flat[t].corner;
            double area = FlatArea(&mesh.flat[t]);
            CHECK_NEAR(area / (0.5 * wfLength(normal)), 1.0, 1e-4);
            // Where the warp, (1, 0) of the flat shape, lies in space: as long, and around the body.
            double s = ((double)c[2].y - c[0].y) / (2.0 * area), r = -((double)c[1].y - c[0].y) / (2.0 * area);
            wfVec3 warp = wfAdd(wfScale(a, (float)s), wfScale(b, (float)r));
            CHECK_NEAR(wfLength(warp), 1.0, 1e-3);
            p = wfMulAdd(p, 1.0f / 3.0f, wfAdd(a, b));                                             // the middle
            assert_true((double)warp.x * p.z - (double)warp.z * p.x > 0.6 * hypot(p.x, p.z));      // less than 1 on the slopes of the waves
            assert_true(normal.y > 0.0f || (double)normal.x * p.x + (double)normal.z * p.z > 0.0); // faces outwards
        }
        wfMesh_Free(&mesh);
    }
}

// ---- parameters ---------------------------------------------------------------------------------------------------------------

static void TestDefaults(void** state) {
    (void)state;
    wfGenerateDef def = wfDefaultGenerateDef();
    assert_int_equal(def.shape, wf_makeSheet);
    assert_int_equal(def.pattern, wf_patternAlternating);
    assert_int_equal(def.count, 4);
    CHECK_NEAR(def.size.y, 1.0, 0.0);
    CHECK_NEAR(def.edge, 0.02, 1e-8);
    for (int shape = 0; shape < wf_generatorCount; ++shape) { // every shape can be made from the defaults
        // Long to make, and test_garments makes them at another height; it is left out of slow builds, which make the one with most parts.
        if (shape == wf_makeGown || shape == wf_makeLayeredDress || (shape == wf_makeShirt && !WF_SLOW_BUILD)) continue;
        wfMesh mesh;
        def.shape = (wfGenerator)shape;
        Facts f = Make(&mesh, &def);
        assert_true((f.boundaryEdges == 0) ==
                    (shape == wf_makeCow || (shape != wf_makeSheet && shape != wf_makeDisc && shape < wf_makeRobe)));
        assert_true(f.boundaryEdges > 0 || f.volume > 0.0);
        assert_true((mesh.flat != NULL) == (f.boundaryEdges > 0));
        wfMesh_Free(&mesh);
    }
}

static void TestBadParameters(void** state) {
    (void)state;
    wfError err = {0};
    wfMesh mesh = {0};
    const struct {
        wfGenerateDef def;
        const char* text;
    } cases[] = {
#define CASE(make, field, value, message) {{.shape = make, .field = value}, message}
        CASE(wf_makeSheet, n, 1, "sheet: n: expected 0 or at least 2 vertices along x, got 1"),
        CASE(wf_makeSheet, m, 1, "sheet: m: expected 0 or at least 2 vertices along z, got 1"),
        CASE(wf_makeSheet, m, -1, "generate: m: expected a whole number in [0, 20000], got -1"),
        CASE(wf_makeSheet, edge, -0.5f, "generate: edge: expected a number in [1e-05, 100] m, got -0.5"),
        CASE(wf_makeSheet, edge, 1e-5f, "the mesh would have 2e+10 triangles, at most 536870911 are possible: choose a longer edge"),
        CASE(wf_makeSheet, size.z, (float)NAN, "generate: size: expected a number in [0.0001, 1000] m, got nan"),
        CASE(wf_makeSheet, pattern, (wfSheetPattern)3, "generate: pattern: expected one of regular|alternating|irregular, got number 3"),
        CASE(wf_makeFunnel, radius2, 0.3f, "funnel: radius2: expected a neck of at most radius 0.25 m, got 0.3"),
        CASE(wf_makeFunnel, thickness, 1.0f, "funnel: thickness: expected a wall that fits below the cone, got 1 m"),
        CASE(wf_makeTorus, radius2, 0.25f, "torus: radius2: expected a tube thinner than radius 0.25 m, got 0.25"),
        CASE(wf_makeRoundTable, radius2, 0.5f, "round-table: radius2: expected a foot thinner than radius 0.25 m, got 0.5"),
        CASE(wf_makeRoundTable, thickness, 1.0f, "round-table: thickness: expected a top thinner than size y 1 m, got 1"),
        CASE(wf_makeTableLegs, radius2, 0.25f, "table-legs: radius2: expected 4 legs that fit apart into size 1 x 1 m, got 0.25"),
        CASE(wf_makeTableLegs, radius2, 0.75f, "table-legs: radius2: expected 4 legs that fit apart into size 1 x 1 m, got 0.75"),
        CASE(wf_makeTableLegs, count, 100, "table-legs: radius2: expected 100 legs that fit apart into size 1 x 1 m, got 0.05"),
        CASE(wf_makeRods, count, 10, "rods: radius2: expected 10 rods that fit apart into size 1 x 1 m, got 0.05"),
        CASE(wf_makeRods, size.z, 0.0625f, "rods: radius2: expected 4 rods that fit apart into size 1 x 0.0625 m, got 0.05"),
        CASE(wf_makeSpikes, count, 16, "spikes: radius2: expected at most 0.03125 m (16 spikes a side), got 0.05"),
        CASE(wf_makeSpikes, thickness, 1.0f, "spikes: thickness: expected a plate thinner than size y 1 m, got 1"),
        CASE(wf_makeRobe, radius, 0.3f, "robe: radius: expected a neck of less than 0.275 m inside the shoulders, got 0.3"),
        CASE(wf_makeRobe, size.y, 0.0156250f, "robe: size: expected y above the 0.02125 m of its shoulders, got 0.015625"),
        CASE(wf_makeSphere, edge, 1e-5f, "the mesh would have 1.8e+10 triangles, at most 536870911 are possible: choose a longer edge"),
        CASE(wf_makeBox, edge, 1e-5f, "the mesh would have 1.2e+11 triangles, at most 536870911 are possible: choose a longer edge"),
        CASE(wf_makeStairs, edge, 1e-5f, "the mesh would have 6e+10 triangles, at most 536870911 are possible: choose a longer edge"),
#undef CASE
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        // What a case leaves zero takes its default.
        wfGenerateDef def = wfDefaultGenerateDef();
        def.shape = cases[c].def.shape;
        if (cases[c].def.n != 0) def.n = cases[c].def.n;
        if (cases[c].def.m != 0) def.m = cases[c].def.m;
        if (cases[c].def.count != 0) def.count = cases[c].def.count;
        if (cases[c].def.edge != 0.0f) def.edge = cases[c].def.edge;
        if (cases[c].def.size.y != 0.0f) def.size.y = cases[c].def.size.y;
        if (cases[c].def.radius != 0.0f) def.radius = cases[c].def.radius;
        if (cases[c].def.size.z != 0.0f) def.size.z = cases[c].def.size.z;
        if (cases[c].def.radius2 != 0.0f) def.radius2 = cases[c].def.radius2;
        if (cases[c].def.thickness != 0.0f) def.thickness = cases[c].def.thickness;
        if (cases[c].def.pattern != 0) def.pattern = cases[c].def.pattern;
        CHECK_FAILS(wfGenerate(&mesh, &def, &err), err, cases[c].text);
        assert_null(mesh.arena.first);
    }
    wfGenerateDef def = wfDefaultGenerateDef();
    def.shape = wf_generatorCount;
    assert_false(wfGenerate(&mesh, &def, &err));
    // Every shape refuses what it cannot number, before it fills the memory.
    for (int shape = 0; shape < wf_generatorCount; ++shape) {
        def = wfDefaultGenerateDef();
        def.shape = (wfGenerator)shape;
        def.edge = 1e-5f;
        def.radius = def.length = 1000.0f;
        def.size = wfMake3(1000, 1000, 1000);
        err = (wfError){0};
        assert_false(wfGenerate(&mesh, &def, &err));
        assert_int_equal(err.code, wf_badInput);
        assert_non_null(strstr(err.text, "at most 536870911 are possible: choose a longer edge"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSheet),
        cmocka_unit_test(TestDiagonals),
        cmocka_unit_test(TestIrregularIsDelaunay),
        cmocka_unit_test(TestFlipAFan),
        cmocka_unit_test(TestDisc),
        cmocka_unit_test(TestSphere),
        cmocka_unit_test(TestRound),
        cmocka_unit_test(TestAgreesWithShapes),
        cmocka_unit_test(TestBox),
        cmocka_unit_test(TestStairs),
        cmocka_unit_test(TestSpikes),
        cmocka_unit_test(TestLegsAndRods),
        cmocka_unit_test(TestFigure),
        cmocka_unit_test(TestPoses),
        cmocka_unit_test(TestRobe),
        cmocka_unit_test(TestDefaults),
        cmocka_unit_test(TestBadParameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
