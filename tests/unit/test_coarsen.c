// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "mesh/coarsen.h"
#include "mesh/generate.h"
#include "mesh/measure.h"

#include <stdio.h>
#include <stdlib.h>

// Meshes coarsened twice; each level is judged against the one it came from by looking at all of it.

typedef struct Cloths {
    wfMesh mesh;
    wfTopology topology;
    wfClothRange range[3];
    wfFlatTriangle* flat;
    float *mass, *area;
    int* clothOf;
    wfModel model;
} Cloths;

static double Twice(wfVec2 a, wfVec2 b, wfVec2 c) {
    return ((double)b.x - a.x) * ((double)c.y - a.y) - ((double)c.x - a.x) * ((double)b.y - a.y);
}

/// Finishes a model from the meshes that were added.
static void Finish(Cloths* c) {
    wfError err = {0};
    int n = c->mesh.vertexCount, triangleCount = c->mesh.triangleCount;
    wfMeshView view = wfMesh_View(&c->mesh);
    CHECK_OK(wfTopology_Create(&c->topology, c->mesh.triangles, triangleCount, n, &err), err);
    c->flat = calloc((size_t)triangleCount, sizeof *c->flat);
    c->mass = calloc((size_t)n, sizeof(float));
    c->area = calloc((size_t)n, sizeof(float));
    c->clothOf = calloc((size_t)n, sizeof(int));
    assert_true(c->flat && c->mass && c->area && c->clothOf);
    CHECK_OK(wfReferenceShape(&view, "test", c->flat, &err), err);
    for (int i = 0; i < c->model.clothCount; ++i)
        for (int v = 0; v < c->range[i].vertexCount; ++v) c->clothOf[c->range[i].firstVertex + v] = i;
    for (int t = 0; t < triangleCount; ++t) {
        const wfVec2* f = c->flat[t].corner;
        float third = (float)(fabs(Twice(f[0], f[1], f[2])) / 6.0);
        for (int k = 0; k < 3; ++k) {
            c->area[c->mesh.triangles[t].v[k]] += third;
            c->mass[c->mesh.triangles[t].v[k]] += 0.2f * third;
        }
    }
    c->model = (wfModel){
        .vertexCount = n,
        .triangleCount = triangleCount,
        .clothCount = c->model.clothCount,
        .start = c->mesh.positions,
        .triangles = c->mesh.triangles,
        .flat = c->flat,
        .mass = c->mass,
        .area = c->area,
        .clothOf = c->clothOf,
        .cloths = c->range,
        .topology = &c->topology,
    };
}

static void Add(Cloths* c, const wfGenerateDef* def) {
    wfError err = {0};
    wfMesh mesh = {0};
    CHECK_OK(wfGenerate(&mesh, def, &err), err);
    c->range[c->model.clothCount++] = (wfClothRange){.name = "cloth",
                                                     .firstVertex = c->mesh.vertexCount,
                                                     .vertexCount = mesh.vertexCount,
                                                     .firstTriangle = c->mesh.triangleCount,
                                                     .triangleCount = mesh.triangleCount};
    CHECK_OK(wfMesh_Append(&c->mesh, &mesh, &err), err);
    wfMesh_Free(&mesh);
}

static void Free(Cloths* c) {
    wfTopology_Free(&c->topology);
    wfMesh_Free(&c->mesh);
    free(c->flat);
    free(c->mass);
    free(c->area);
    free(c->clothOf);
}

static wfGenerateDef Sheet(int n, wfSheetPattern pattern) {
    wfGenerateDef def = wfDefaultGenerateDef();
    def.shape = wf_makeSheet;
    def.n = n;
    def.pattern = pattern;
    return def;
}

static double FlatArea(const wfModel* model) {
    double sum = 0.0;
    for (int t = 0; t < model->triangleCount; ++t) {
        const wfVec2* f = model->flat[t].corner;
        sum += 0.5 * fabs(Twice(f[0], f[1], f[2]));
    }
    return sum;
}

/// Worst ratio of the shortest to the longest edge of a triangle, in the flat shape.
static double WorstShape(const wfModel* model) {
    double worst = 1.0;
    for (int t = 0; t < model->triangleCount; ++t) {
        double lo = INFINITY, hi = 0.0;
        for (int k = 0; k < 3; ++k) {
            wfVec2 a = model->flat[t].corner[k], b = model->flat[t].corner[(k + 1) % 3];
            double length = hypot((double)b.x - a.x, (double)b.y - a.y);
            lo = fmin(lo, length);
            hi = fmax(hi, length);
        }
        worst = fmin(worst, lo / hi);
    }
    return worst;
}

static double Sum(const float* values, int first, int count) {
    double sum = 0.0;
    for (int i = first; i < first + count; ++i) sum += values[i];
    return sum;
}

/// What holds of every coarsening.
static void Judge(const wfModel* fine, const wfCoarseModel* coarse) {
    wfError err = {0};
    const wfModel* model = &coarse->model;
    CHECK_OK(wfTopology_RequireManifold(&coarse->topology, "coarse", &err), err);
    assert_int_equal(coarse->fineCount, fine->vertexCount);
    assert_int_equal(coarse->topology.componentCount, fine->topology->componentCount);
    // The Euler number does not change: nothing is torn, glued or filled.
    assert_int_equal(model->vertexCount - coarse->topology.edgeCount + model->triangleCount,
                     fine->vertexCount - fine->topology->edgeCount + fine->triangleCount);
    assert_int_equal(model->clothCount, fine->clothCount);
    int vertices = 0, triangles = 0;
    for (int i = 0; i < model->clothCount; ++i) {
        const wfClothRange *a = &fine->cloths[i], *b = &model->cloths[i];
        assert_int_equal(b->firstVertex, vertices);
        assert_int_equal(b->firstTriangle, triangles);
        vertices += b->vertexCount;
        triangles += b->triangleCount;
        for (int t = b->firstTriangle; t < triangles; ++t)
            for (int k = 0; k < 3; ++k) assert_int_equal(model->clothOf[model->triangles[t].v[k]], i);
        double mass = Sum(fine->mass, a->firstVertex, a->vertexCount), area = Sum(fine->area, a->firstVertex, a->vertexCount);
        CHECK_NEAR(Sum(model->mass, b->firstVertex, b->vertexCount), mass, 1e-6 * mass);
        CHECK_NEAR(Sum(model->area, b->firstVertex, b->vertexCount), area, 1e-6 * area);
    }
    assert_int_equal(vertices, model->vertexCount);
    assert_int_equal(triangles, model->triangleCount);
    for (int v = 0; v < model->vertexCount; ++v) {
        int f = coarse->fineOf[v];
        assert_true(v == 0 || f > coarse->fineOf[v - 1]);
        assert_memory_equal(&model->start[v], &fine->start[f], sizeof(wfVec3));
        assert_int_equal(model->clothOf[v], fine->clothOf[f]);
        assert_int_equal(coarse->prolong[f].parent[0], v);
        assert_true(coarse->prolong[f].weight[0] == 1.0f);
        assert_true(model->mass[v] > 0.0f && model->area[v] > 0.0f);
    }
    for (int v = 0; v < fine->vertexCount; ++v) {
        const wfProlongation* p = &coarse->prolong[v];
        double sum = 0.0;
        for (int k = 0; k < 3; ++k) {
            assert_in_range(p->parent[k], 0, model->vertexCount - 1);
            assert_int_equal(model->clothOf[p->parent[k]], fine->clothOf[v]);
            assert_true(p->weight[k] >= WF_LEAST_WEIGHT && p->weight[k] <= 1.0f - 2.0f * WF_LEAST_WEIGHT);
            sum += p->weight[k];
        }
        CHECK_NEAR(sum, 1.0, 1e-6);
    }
}

typedef struct Levels {
    Cloths cloths;
    wfCoarseModel coarse[2];
} Levels;

static void CoarsenTwice(Levels* l, const char* name) {
    wfError err = {0};
    Finish(&l->cloths);
    const wfModel* fine = &l->cloths.model;
    for (int k = 0; k < 2; ++k) {
        CHECK_OK(wfCoarsen(&l->coarse[k], fine, &err), err);
        Judge(fine, &l->coarse[k]);
        const wfModel* model = &l->coarse[k].model;
        printf("%-24s level %d: %6d of %6d vertices (%.3f), shortest over longest edge >= %.3f, flat area %.4f of before\n", name, k + 1,
               model->vertexCount, fine->vertexCount, (double)model->vertexCount / fine->vertexCount, WorstShape(model),
               FlatArea(model) / FlatArea(fine));
        fine = model;
    }
}

static void FreeLevels(Levels* l) {
    wfCoarseModel_Free(&l->coarse[0]);
    wfCoarseModel_Free(&l->coarse[1]);
    Free(&l->cloths);
}

/// Up-sampling gives back the flat place of every vertex: of a generated sheet or disc (x, -z) of its start. Returns how many vertices lie
/// outside of their coarse triangle.
static int JudgeLinear(const wfModel* fine, const wfCoarseModel* coarse, double tolerance) {
    int outside = 0;
    for (int v = 0; v < fine->vertexCount; ++v) {
        const wfProlongation* p = &coarse->prolong[v];
        double x = 0.0, z = 0.0;
        bool out = false;
        for (int k = 0; k < 3; ++k) {
            wfVec3 at = coarse->model.start[p->parent[k]];
            x += (double)p->weight[k] * at.x;
            z += (double)p->weight[k] * at.z;
            out = out || p->weight[k] < 0.0f;
        }
        CHECK_NEAR(x, fine->start[v].x, tolerance);
        CHECK_NEAR(z, fine->start[v].z, tolerance);
        outside += out;
        assert_true(!out || fine->topology->boundaryVertex[v]);
    }
    return outside;
}

/// The coarse flat shapes are the same chart: (x, -z) of the start.
static void JudgeChart(const wfModel* model) {
    for (int t = 0; t < model->triangleCount; ++t)
        for (int k = 0; k < 3; ++k) {
            wfVec3 at = model->start[model->triangles[t].v[k]];
            assert_true(model->flat[t].corner[k].x == at.x && model->flat[t].corner[k].y == -at.z);
        }
}

static bool IsCorner(const wfCoarseModel* first, const wfCoarseModel* second, int fineVertex) {
    for (int v = 0; v < second->model.vertexCount; ++v)
        if (first->fineOf[second->fineOf[v]] == fineVertex) return true;
    return false;
}

static void TestSheets(void** state) {
    (void)state;
    const char* names[] = {"regular sheet 65", "alternating sheet 65", "irregular sheet 65"};
    const double shapes[] = {0.4, 0.4, 0.3};
    for (int pattern = 0; pattern < 3; ++pattern) {
        Levels l = {0};
        wfGenerateDef def = Sheet(65, (wfSheetPattern)pattern);
        Add(&l.cloths, &def);
        CoarsenTwice(&l, names[pattern]);
        const wfModel* fine = &l.cloths.model;
        for (int k = 0; k < 2; ++k) {
            const wfModel* model = &l.coarse[k].model;
            assert_int_equal(JudgeLinear(fine, &l.coarse[k], 1e-6), 0);
            JudgeChart(model);
            CHECK_NEAR(FlatArea(model), FlatArea(fine), 1e-6 * FlatArea(fine)); // the boundary is straight
            assert_true(model->vertexCount < 0.36 * fine->vertexCount && model->vertexCount > 0.2 * fine->vertexCount);
            assert_true(WorstShape(model) > shapes[pattern]);
            fine = model;
        }
        const int corners[] = {0, 64, 65 * 64, 65 * 65 - 1};
        for (int k = 0; k < 4; ++k) assert_true(IsCorner(&l.coarse[0], &l.coarse[1], corners[k]));
        if (pattern == wf_patternRegular) { // every second one along both sides, twice
            assert_int_equal(l.coarse[0].model.vertexCount, 33 * 33);
            assert_int_equal(l.coarse[1].model.vertexCount, 17 * 17);
        }
        FreeLevels(&l);
    }
}

static void TestDisc(void** state) {
    (void)state;
    Levels l = {0};
    wfGenerateDef def = wfDefaultGenerateDef();
    def.shape = wf_makeDisc;
    def.radius = 0.5f;
    def.edge = 0.02f;
    Add(&l.cloths, &def);
    CoarsenTwice(&l, "disc");
    const wfModel* fine = &l.cloths.model;
    for (int k = 0; k < 2; ++k) {
        int outside = JudgeLinear(fine, &l.coarse[k], 1e-6);
        assert_true(outside > 0); // the rim, which the coarse one cuts off
        // A rim of n edges cuts off 1 - sin(2 pi / n) / (2 pi / n) of the disc.
        double turn = 6.283185307179586 / l.coarse[k].topology.boundaryEdgeCount;
        double finer = 6.283185307179586 / fine->topology->boundaryEdgeCount;
        CHECK_NEAR(FlatArea(&l.coarse[k].model) / FlatArea(fine), sin(turn) / turn * finer / sin(finer), 0.01);
        JudgeChart(&l.coarse[k].model);
        assert_true(WorstShape(&l.coarse[k].model) > 0.25);
        assert_true(l.coarse[k].model.vertexCount < 0.4 * fine->vertexCount);
        fine = &l.coarse[k].model;
    }
    FreeLevels(&l);
}

static void TestClosed(void** state) {
    (void)state;
    const wfGenerator shapes[] = {wf_makeSphere, wf_makeTorus, wf_makeBox};
    const char* names[] = {"sphere", "torus", "box"};
    for (int s = 0; s < 3; ++s) {
        Levels l = {0};
        wfGenerateDef def = wfDefaultGenerateDef();
        def.shape = shapes[s];
        def.edge = shapes[s] == wf_makeTorus ? 0.015f : 0.03f;
        Add(&l.cloths, &def);
        CoarsenTwice(&l, names[s]);
        const wfModel* fine = &l.cloths.model;
        for (int k = 0; k < 2; ++k) {
            const wfModel* model = &l.coarse[k].model;
            assert_int_equal(l.coarse[k].topology.boundaryEdgeCount, 0);
            CHECK_NEAR(FlatArea(model) / FlatArea(fine), 1.0, 0.06); // rigid where it can be flat, else stretched to a full turn
            assert_true(model->vertexCount < 0.4 * fine->vertexCount);
            // Up-sampling the start stays near the surface: within a coarse edge of the vertex it stands for.
            wfMesh mesh = {.vertexCount = model->vertexCount,
                           .triangleCount = model->triangleCount,
                           .positions = (wfVec3*)model->start,
                           .triangles = (wfTriangle*)model->triangles};
            wfMeasures measures;
            wfError err = {0};
            CHECK_OK(wfMeasureMesh(&mesh, &l.coarse[k].topology, &measures, &err), err);
            assert_true(measures.closed && measures.volume > 0.0);
            for (int v = 0; v < fine->vertexCount; ++v) {
                const wfProlongation* p = &l.coarse[k].prolong[v];
                wfVec3 at = wfMake3(0.0f, 0.0f, 0.0f);
                for (int j = 0; j < 3; ++j) {
                    at = wfMulAdd(at, p->weight[j], model->start[p->parent[j]]);
                    assert_true(p->weight[j] >= 0.0f);
                }
                assert_true((double)wfDistance(at, fine->start[v]) < 0.6 * measures.edgeMean);
            }
            fine = model;
        }
        FreeLevels(&l);
    }
}

static void TestSeveral(void** state) {
    (void)state;
    Levels l = {0};
    wfGenerateDef a = Sheet(20, wf_patternAlternating), b = Sheet(2, wf_patternRegular), c = Sheet(31, wf_patternIrregular);
    Add(&l.cloths, &a);
    Add(&l.cloths, &b); // four vertices: stays
    Add(&l.cloths, &c);
    CoarsenTwice(&l, "three sheets");
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(l.coarse[k].model.cloths[1].vertexCount, 4);
        assert_int_equal(l.coarse[k].model.cloths[1].triangleCount, 2);
    }
    FreeLevels(&l);
}

/// Flat shapes that share no chart: the sheet's own, turned by an angle that differs from triangle to triangle about a common one. What
/// remains is the common direction.
static void TestThreads(void** state) {
    (void)state;
    Levels l = {0};
    wfGenerateDef def = Sheet(41, wf_patternIrregular);
    Add(&l.cloths, &def);
    wfMesh* mesh = &l.cloths.mesh;
    double common = 0.6;
    for (int t = 0; t < mesh->triangleCount; ++t) {
        double angle = common + 0.3 * sin(12.9898 * t), c = cos(angle), s = sin(angle);
        for (int k = 0; k < 3; ++k) {
            wfVec2 at = mesh->flat[t].corner[k];
            mesh->flat[t].corner[k] = (wfVec2){(float)(c * at.x - s * at.y), (float)(s * at.x + c * at.y)};
        }
    }
    CoarsenTwice(&l, "threads turned");
    const wfModel* model = &l.coarse[1].model;
    double worst = 0.0, c2 = 0.0, s2 = 0.0;
    for (int t = 0; t < model->triangleCount; ++t) {
        wfVec3 a = model->start[model->triangles[t].v[0]], b = model->start[model->triangles[t].v[1]];
        const wfVec2* f = model->flat[t].corner;
        double turned = atan2((double)f[1].y - f[0].y, (double)f[1].x - f[0].x) - atan2(-((double)b.z - a.z), (double)b.x - a.x);
        worst = fmax(worst, fabs(remainder(turned - common, 3.14159265358979)));
        c2 += cos(2.0 * turned);
        s2 += sin(2.0 * turned);
        CHECK_NEAR(hypot((double)f[1].x - f[0].x, (double)f[1].y - f[0].y), wfDistance(a, b), 1e-5);
    }
    CHECK_NEAR(0.5 * atan2(s2, c2), common, 0.02);
    assert_true(worst < 0.3);
    printf("threads: the worst of the coarse triangles is %.3f rad from the common direction (fine: 0.3)\n", worst);
    FreeLevels(&l);
}

/// Two patterns sewn along a line: the threads of one run along x, of the other along z, and the second is mirrored. No coarse triangle
/// mixes them, and the seam stays a line.
static void TestSeam(void** state) {
    (void)state;
    Levels l = {0};
    int n = 33;
    wfGenerateDef def = Sheet(n, wf_patternAlternating);
    Add(&l.cloths, &def);
    wfMesh* mesh = &l.cloths.mesh;
    float seam = mesh->positions[n / 2].x;
    for (int t = 0; t < mesh->triangleCount; ++t) {
        float middle = 0.0f;
        for (int k = 0; k < 3; ++k) middle += mesh->positions[mesh->triangles[t].v[k]].x / 3.0f;
        for (int k = 0; k < 3 && middle > seam; ++k) {
            wfVec2 at = mesh->flat[t].corner[k];
            mesh->flat[t].corner[k] = (wfVec2){5.0f + at.y, at.x}; // clockwise
        }
    }
    CoarsenTwice(&l, "seam");
    for (int k = 0; k < 2; ++k) {
        const wfModel* model = &l.coarse[k].model;
        for (int t = 0; t < model->triangleCount; ++t) {
            bool left = false, right = false;
            for (int j = 0; j < 3; ++j) {
                left = left || model->start[model->triangles[t].v[j]].x < seam;
                right = right || model->start[model->triangles[t].v[j]].x > seam;
            }
            assert_true(left != right);
            const wfVec2* f = model->flat[t].corner;
            assert_true((Twice(f[0], f[1], f[2]) < 0.0) == right);
            for (int j = 0; j < 3; ++j) {
                wfVec3 at = model->start[model->triangles[t].v[j]];
                if (right)
                    assert_true(f[j].x == 5.0f - at.z && f[j].y == at.x);
                else
                    assert_true(f[j].x == at.x && f[j].y == -at.z);
            }
        }
        assert_true(model->vertexCount < 0.45 * l.coarse[k].fineCount);
    }
    FreeLevels(&l);
}

static void TestSmall(void** state) {
    (void)state;
    // A tetrahedron, and a single triangle: nothing can go.
    const int tetrahedron[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    const wfVec3 at[4] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {0, 1, 0}};
    for (int closed = 0; closed < 2; ++closed) {
        wfError err = {0};
        Levels l = {0};
        CHECK_OK(wfMesh_Create(&l.cloths.mesh, closed ? 4 : 3, closed ? 4 : 1, false, &err), err);
        for (int v = 0; v < l.cloths.mesh.vertexCount; ++v) l.cloths.mesh.positions[v] = at[v];
        for (int t = 0; t < l.cloths.mesh.triangleCount; ++t)
            for (int k = 0; k < 3; ++k) l.cloths.mesh.triangles[t].v[k] = tetrahedron[t][k];
        l.cloths.range[0] =
            (wfClothRange){.name = "small", .vertexCount = l.cloths.mesh.vertexCount, .triangleCount = l.cloths.mesh.triangleCount};
        l.cloths.model.clothCount = 1;
        CoarsenTwice(&l, closed ? "tetrahedron" : "triangle");
        assert_int_equal(l.coarse[1].model.vertexCount, closed ? 4 : 3);
        FreeLevels(&l);
    }
}

/// However often: nothing breaks, and in the end nothing changes.
static void TestToTheEnd(void** state) {
    (void)state;
    const wfGenerator shapes[] = {wf_makeSheet, wf_makeDisc, wf_makeSphere, wf_makeTorus, wf_makeCylinder};
    for (int s = 0; s < 5; ++s) {
        Cloths cloths = {0};
        wfGenerateDef def = wfDefaultGenerateDef();
        def.shape = shapes[s];
        def.edge = 0.1f;
        def.pattern = wf_patternIrregular;
        Add(&cloths, &def);
        Finish(&cloths);
        enum { Most = 12 };
        wfCoarseModel level[Most] = {{.fineCount = 0}};
        const wfModel* fine = &cloths.model;
        for (int k = 0; k < Most; ++k) {
            wfError err = {0};
            CHECK_OK(wfCoarsen(&level[k], fine, &err), err);
            Judge(fine, &level[k]);
            assert_true(level[k].model.vertexCount <= fine->vertexCount);
            fine = &level[k].model;
        }
        assert_int_equal(level[Most - 1].model.vertexCount, level[Most - 2].model.vertexCount);
        assert_true(fine->vertexCount < 40);
        for (int k = 0; k < Most; ++k) wfCoarseModel_Free(&level[k]);
        Free(&cloths);
    }
}

static void TestNotManifold(void** state) {
    (void)state;
    wfError err = {0};
    Cloths c = {0};
    CHECK_OK(wfMesh_Create(&c.mesh, 5, 3, false, &err), err);
    for (int v = 0; v < 5; ++v) c.mesh.positions[v] = wfMake3(v > 1 ? (float)v : 0.0f, v > 1 ? 1.0f : 0.0f, v == 1 ? 1.0f : 0.0f);
    for (int t = 0; t < 3; ++t) c.mesh.triangles[t] = (wfTriangle){{0, 1, 2 + t}};
    c.range[0] = (wfClothRange){.name = "fin", .vertexCount = 5, .triangleCount = 3};
    c.model.clothCount = 1;
    Finish(&c);
    wfCoarseModel coarse = {0};
    CHECK_FAILS(wfCoarsen(&coarse, &c.model, &err), err, "coarsening: edge 0-1 has more than two triangles (faces 0, 1); 1 defect in all");
    assert_null(coarse.prolong);
    Free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSheets),  cmocka_unit_test(TestDisc),     cmocka_unit_test(TestClosed),
        cmocka_unit_test(TestSeveral), cmocka_unit_test(TestThreads),  cmocka_unit_test(TestSeam),
        cmocka_unit_test(TestSmall),   cmocka_unit_test(TestToTheEnd), cmocka_unit_test(TestNotManifold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
