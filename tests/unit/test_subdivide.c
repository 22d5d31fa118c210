// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/subdivide.h"

#include "check.h"
#include "math/noise.h"
#include "math/vec_double.h"
#include "mesh/generate.h"

#include <stdlib.h>
#include <string.h>

// The rules of subdivision, judged by what they must give: affine invariance, boundaries that depend on nothing else, eigenvalues.

enum { MaxLevels = 6 };

typedef struct Levels {
    wfMesh mesh;
    wfTopology topology;
    wfArena arena;
    wfSharp sharp;
    wfSubdivision level[MaxLevels];
    wfVec3* x[MaxLevels + 1];
    int count;
} Levels;

static wfSharpDef s_noCorners = {180.0, 180.0};

static void Prepare(Levels* l, const wfSharpDef* def, int count) {
    wfError err = {0};
    wfMeshView view = wfMesh_View(&l->mesh);
    CHECK_OK(wfTopology_Create(&l->topology, l->mesh.triangles, l->mesh.triangleCount, l->mesh.vertexCount, &err), err);
    CHECK_OK(wfFindSharp(&l->topology, &view, def, &l->arena, &l->sharp, &err), err);
    l->count = count;
    for (int i = 0; i < count; ++i) {
        CHECK_OK(wfSubdivision_Create(&l->level[i], i ? &l->level[i - 1].topology : &l->topology, i ? &l->level[i - 1].sharp : &l->sharp,
                                      "test", &err),
                 err);
        l->x[i + 1] = calloc((size_t)l->level[i].vertexCount, sizeof(wfVec3));
    }
    l->x[0] = l->mesh.positions;
}

static void Smooth(Levels* l) {
    for (int i = 0; i < l->count; ++i) wfSubdivision_Smooth(&l->level[i], l->x[i], l->x[i + 1]);
}

static void FreeLevels(Levels* l) {
    for (int i = 0; i < l->count; ++i) {
        wfSubdivision_Free(&l->level[i]);
        free(l->x[i + 1]);
    }
    wfTopology_Free(&l->topology);
    wfArena_Free(&l->arena);
    wfMesh_Free(&l->mesh);
}

static wfMesh MakeSheet(wfSheetPattern pattern, int n) {
    wfMesh mesh = {0};
    wfError err = {0};
    wfGenerateDef def = wfDefaultGenerateDef();
    def.n = def.m = n;
    def.pattern = pattern;
    CHECK_OK(wfGenerate(&mesh, &def, &err), err);
    return mesh;
}

/// A vertex with n triangles about it and `rings` rings of them: every other vertex inside has valence six.
static wfMesh MakeStar(int n, int rings) {
    wfMesh mesh = {0};
    wfError err = {0};
    int vertices = 1 + n * rings * (rings + 1) / 2, t = 0;
    CHECK_OK(wfMesh_Create(&mesh, vertices, n * rings * rings, false, &err), err);
    for (int r = 1; r <= rings; ++r)
        for (int s = 0; s < n; ++s)
            for (int i = 0; i < r; ++i) {
                double a = 2.0 * 3.14159265358979 * s / n, b = 2.0 * 3.14159265358979 * (s + 1) / n, f = (double)i / r;
                wfVec3 p = {(float)(r * ((1 - f) * cos(a) + f * cos(b))), 0.0f, (float)(-r * ((1 - f) * sin(a) + f * sin(b)))};
                int inner = 1 + n * (r - 1) * (r - 2) / 2, outer = 1 + n * r * (r - 1) / 2, v = outer + s * r + i;
                mesh.positions[v] = p;
                int next = outer + (s * r + i + 1) % (n * r);
                int in = r == 1 ? 0 : inner + (s * (r - 1) + i) % (n * (r - 1));
                mesh.triangles[t++] = (wfTriangle){{in, v, next}};
                if (i + 1 < r) mesh.triangles[t++] = (wfTriangle){{in, next, inner + (s * (r - 1) + i + 1) % (n * (r - 1))}};
            }
    assert_int_equal(t, mesh.triangleCount);
    return mesh;
}

static void TestCountsAndTriangles(void** state) {
    (void)state;
    Levels l = {.mesh = MakeSheet(wf_patternIrregular, 9)};
    Prepare(&l, &s_noCorners, 2);
    for (int i = 0; i < 2; ++i) {
        const wfTopology* coarse = i ? &l.level[0].topology : &l.topology;
        const wfSubdivision* s = &l.level[i];
        assert_int_equal(s->vertexCount, coarse->vertexCount + coarse->edgeCount);
        assert_int_equal(s->triangleCount, 4 * coarse->triangleCount);
        assert_int_equal(s->topology.boundaryEdgeCount, 2 * coarse->boundaryEdgeCount);
        assert_int_equal(s->topology.edgeCount, 2 * coarse->edgeCount + 3 * coarse->triangleCount);
        // Places in the old surface: every new triangle is a quarter of the old one, and faces the same way.
        wfSubdivision_Split(s, l.x[i], l.x[i + 1]);
        for (int t = 0; t < s->triangleCount; ++t) {
            const int *v = s->triangles[t].v, *w = coarse->triangles[t / 4].v;
            const wfVec3 *x = l.x[i + 1], *y = l.x[i];
            wfVec3 fine = wfCross(wfSub(x[v[1]], x[v[0]]), wfSub(x[v[2]], x[v[0]]));
            wfVec3 old = wfCross(wfSub(y[w[1]], y[w[0]]), wfSub(y[w[2]], y[w[0]]));
            CHECK_NEAR((double)wfDistance(wfScale(fine, 4.0f), old), 0.0, 1e-4 * (double)wfLength(old));
        }
    }
    FreeLevels(&l);
}

static void TestWeights(void** state) {
    (void)state;
    for (int n = 3; n < 70; n += n < 20 ? 1 : 13) {
        Levels l = {.mesh = MakeStar(n, 3)};
        Prepare(&l, &s_noCorners, 1);
        const wfSubdivision* s = &l.level[0];
        for (int i = 0; i < s->vertexCount; ++i) {
            double sum = 0.0;
            for (int k = s->masks.start[i]; k < s->masks.start[i + 1]; ++k) {
                assert_true(s->weights[k] >= 0.0); // convex hull
                sum += s->weights[k];
            }
            CHECK_NEAR(sum, 1.0, 1e-14);
        }
        FreeLevels(&l);
    }
}

/// The mask of a vertex as a row of weights by old vertex; the caller frees.
static double* Row(const wfSubdivision* s, int i) {
    double* row = calloc((size_t)s->coarseCount, sizeof *row);
    for (int k = s->masks.start[i]; k < s->masks.start[i + 1]; ++k) row[s->masks.item[k]] += s->weights[k];
    return row;
}

static int MiddleOf(const wfTopology* coarse, int a, int b) {
    for (int e = 0; e < coarse->edgeCount; ++e)
        if ((coarse->edges[e].v[0] == a && coarse->edges[e].v[1] == b) || (coarse->edges[e].v[0] == b && coarse->edges[e].v[1] == a))
            return coarse->vertexCount + e;
    fail_msg("no edge %d-%d", a, b);
    return -1;
}

// By a wave of frequency k about the centre: what comes out of the ring of edge middles is the eigenvalue. It must be Loop's own for the
// first, its square for the second and for frequency zero, and smaller for all others.
static void TestEigenvaluesAtExtraordinaryVertices(void** state) {
    (void)state;
    for (int n = 3; n <= 64; n += n < 20 ? 1 : 11) {
        Levels l = {.mesh = MakeStar(n, 3)};
        Prepare(&l, &s_noCorners, 1);
        double lambda = 0.375 + 0.25 * cos(2.0 * 3.14159265358979 / n);
        for (int k = 1; k <= n / 2; ++k) {
            double* row = Row(&l.level[0], MiddleOf(&l.topology, 0, 1));
            double eigenvalue = 0.0;
            for (int j = 0; j < n; ++j) eigenvalue += row[1 + j] * cos(2.0 * 3.14159265358979 * j * k / n);
            free(row);
            if (k == 1) {
                CHECK_NEAR(eigenvalue, lambda, 1e-12);
            } else if (k == 2) {
                CHECK_NEAR(eigenvalue, n == 6 ? 0.25 : lambda * lambda, 1e-12);
            } else {
                assert_true(fabs(eigenvalue) < lambda * lambda);
            }
        }
        double *vertex = Row(&l.level[0], 0), *edge = Row(&l.level[0], MiddleOf(&l.topology, 0, 1));
        CHECK_NEAR(vertex[0] - edge[0], lambda * lambda, 1e-12); // of the 2 x 2 block with rows that add up to one
        free(vertex);
        free(edge);
        FreeLevels(&l);
    }
}

// Within the plane the map must not fold: all triangles keep their orientation, at every level.
static void TestNoFoldAboutExtraordinaryVertices(void** state) {
    (void)state;
    for (int n = 3; n <= 24; n += n < 9 ? 1 : 5) {
        Levels l = {.mesh = MakeStar(n, 2)};
        Prepare(&l, &s_noCorners, 4);
        Smooth(&l);
        const wfVec3* x = l.x[4];
        for (int t = 0; t < l.level[3].triangleCount; ++t) {
            const int* v = l.level[3].triangles[t].v;
            wfVec3 normal = wfCross(wfSub(x[v[1]], x[v[0]]), wfSub(x[v[2]], x[v[0]]));
            assert_true(normal.y > 0.0f && normal.x == 0.0f && normal.z == 0.0f);
        }
        FreeLevels(&l);
    }
}

// Curvature at the centre, told from the height of its ring over the square of the radius, for a saddle. With Loop's own masks it grows by
// lambda_2 / lambda² a level from n = 7 on.
static void TestBoundedCurvature(void** state) {
    (void)state;
    for (int n = 4; n <= 12; n += 1) {
        Levels l = {.mesh = MakeStar(n, 3)};
        for (int i = 0; i < l.mesh.vertexCount; ++i) {
            wfVec3* p = &l.mesh.positions[i];
            p->y = 0.1f * (p->x * p->x - p->z * p->z);
        }
        Prepare(&l, &s_noCorners, 6);
        Smooth(&l);
        double before = 0.0;
        for (int level = 3; level <= 6; ++level) {
            const wfSubdivision* s = &l.level[level - 1];
            const wfRows* ring = &s->topology.ring1;
            double curvature = 0.0;
            for (int k = ring->start[0]; k < ring->start[1]; ++k) {
                wfVec3 p = wfSub(l.x[level][ring->item[k]], l.x[level][0]);
                curvature = fmax(curvature, fabs((double)p.y) / (double)(p.x * p.x + p.z * p.z));
            }
            if (level > 3) CHECK_NEAR(curvature / before, 1.0, 0.06);
            before = curvature;
        }
        FreeLevels(&l);
    }
}

static void TestAffineInvariance(void** state) {
    (void)state;
    Levels l = {.mesh = MakeSheet(wf_patternIrregular, 12)}, m = {.mesh = MakeSheet(wf_patternIrregular, 12)};
    for (int i = 0; i < l.mesh.vertexCount; ++i) {
        wfVec3 p = l.mesh.positions[i];
        p.y = 0.1f * wfNoise3(wfScale(p, 8.0f), 3);
        l.mesh.positions[i] = p;
        m.mesh.positions[i] = wfMake3(1.0f + p.x - 2.0f * p.y, 0.5f * p.z + p.x, 3.0f * p.y - p.z);
    }
    Prepare(&l, &s_noCorners, 3);
    Prepare(&m, &s_noCorners, 3);
    Smooth(&l);
    Smooth(&m);
    for (int i = 0; i < l.level[2].vertexCount; ++i) {
        wfVec3 p = l.x[3][i], q = wfMake3(1.0f + p.x - 2.0f * p.y, 0.5f * p.z + p.x, 3.0f * p.y - p.z);
        CHECK_NEAR((double)wfDistance(m.x[3][i], q), 0.0, 2e-6);
    }
    FreeLevels(&l);
    FreeLevels(&m);
}

static void TestFlatStaysFlat(void** state) {
    (void)state;
    Levels l = {.mesh = MakeSheet(wf_patternIrregular, 15)};
    for (int i = 0; i < l.mesh.vertexCount; ++i) l.mesh.positions[i].y = 0.3f;
    wfSharpDef def = wfDefaultSharpDef();
    Prepare(&l, &def, 3);
    Smooth(&l);
    wfVec3 lo, hi;
    wfMesh_Bounds(l.x[3], l.level[2].vertexCount, &lo, &hi);
    assert_true(lo.y == 0.3f && hi.y == 0.3f); // to the bit
    // Its four corners stay where they are, so the outline does: a straight boundary remains straight.
    wfVec3 lo0, hi0;
    wfMesh_Bounds(l.x[0], l.mesh.vertexCount, &lo0, &hi0);
    assert_true(lo.x == lo0.x && hi.x == hi0.x && lo.z == lo0.z && hi.z == hi0.z);
    int corners = 0;
    for (int i = 0; i < l.mesh.vertexCount; ++i) corners += l.sharp.corner[i];
    assert_int_equal(corners, 4);
    double area = 0.0;
    for (int t = 0; t < l.level[2].triangleCount; ++t) {
        const int* v = l.level[2].triangles[t].v;
        area += (double)wfTriangleArea(l.x[3][v[0]], l.x[3][v[1]], l.x[3][v[2]]);
    }
    CHECK_NEAR(area, (double)((hi.x - lo.x) * (hi.z - lo.z)), 1e-5);
    FreeLevels(&l);
}

// What lies inside has no say in the boundary, also one that turns in and out like a C; and the boundary's limit is a cubic B-spline.
static void TestBoundaryDependsOnBoundaryAlone(void** state) {
    (void)state;
    Levels l = {.mesh = MakeSheet(wf_patternAlternating, 10)}, m = {.mesh = MakeSheet(wf_patternAlternating, 10)};
    Prepare(&l, &s_noCorners, 3);
    for (int i = 0; i < l.mesh.vertexCount; ++i) {
        wfVec3 p = l.mesh.positions[i];
        float angle = 5.0f * p.x, radius = 0.4f + 0.3f * p.z; // a C
        l.mesh.positions[i] = m.mesh.positions[i] = wfMake3(radius * cosf(angle), 0.1f * p.z, radius * sinf(angle));
        if (!l.topology.boundaryVertex[i]) m.mesh.positions[i].y += 5.0f * wfNoise3(p, i);
    }
    Prepare(&m, &s_noCorners, 3);
    Smooth(&l);
    Smooth(&m);
    int onBoundary = 0;
    for (int i = 0; i < l.level[2].vertexCount; ++i) {
        if (!l.level[2].topology.boundaryVertex[i]) continue;
        assert_memory_equal(&l.x[3][i], &m.x[3][i], sizeof(wfVec3));
        ++onBoundary;
    }
    assert_int_equal(onBoundary, l.topology.boundaryEdgeCount * 8);
    // The curve about an old vertex: its limit is (1 4 1) / 6 of the old places, which three levels come near to by 4^-3 of the first step.
    for (int v = 0; v < l.mesh.vertexCount; ++v) {
        wfVec3 sum = {0, 0, 0};
        if (!l.topology.boundaryVertex[v]) continue;
        for (int k = l.topology.vertexEdges.start[v]; k < l.topology.vertexEdges.start[v + 1]; ++k)
            if (l.topology.edges[l.topology.vertexEdges.item[k]].triangle[1] < 0) sum = wfAdd(sum, l.x[0][l.topology.ring1.item[k]]);
        wfVec3 limit = wfScale(wfAdd(wfScale(l.x[0][v], 4.0f), sum), 1.0f / 6.0f);
        double first = (double)wfDistance(limit, l.x[0][v]), left = (double)wfDistance(limit, l.x[3][v]);
        CHECK_NEAR(left, first / 64.0, 1e-6);
    }
    FreeLevels(&l);
    FreeLevels(&m);
}

static void TestCreases(void** state) {
    (void)state;
    wfGenerateDef def = wfDefaultGenerateDef();
    wfError err = {0};
    Levels l = {0};
    def.shape = wf_makeBox;
    def.size = wfMake3(1.0f, 1.0f, 1.0f);
    def.edge = 0.3f;
    CHECK_OK(wfGenerate(&l.mesh, &def, &err), err);
    Prepare(&l, &(wfSharpDef){45.0, 60.0}, 2);
    Smooth(&l);
    // A box whose edges are creases is that box: corners by three creases, edges straight, sides flat.
    double area = 0.0;
    wfVec3 lo, hi;
    for (int t = 0; t < l.level[1].triangleCount; ++t) {
        const int* v = l.level[1].triangles[t].v;
        area += (double)wfTriangleArea(l.x[2][v[0]], l.x[2][v[1]], l.x[2][v[2]]);
    }
    wfMesh_Bounds(l.x[2], l.level[1].vertexCount, &lo, &hi);
    CHECK_NEAR(area, 6.0, 1e-5);
    CHECK_NEAR((double)(hi.x - lo.x), 1.0, 1e-6);
    for (int i = 0; i < l.level[1].vertexCount; ++i) {
        wfVec3 p = l.x[2][i];
        CHECK_NEAR(fmax(fmax(fabs((double)p.x), fabs((double)p.y)), fabs((double)p.z)), 0.5, 1e-6);
    }
    FreeLevels(&l);
}

// The limit of a tetrahedron is smooth: the largest angle between neighbouring triangles halves with every level, and no vertex leaves it.
static void TestTetrahedronBecomesSmooth(void** state) {
    (void)state;
    Levels l = {0};
    wfError err = {0};
    CHECK_OK(wfMesh_Create(&l.mesh, 4, 4, false, &err), err);
    static const wfVec3 corners[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    static const wfTriangle triangles[4] = {{{0, 1, 2}}, {{0, 3, 1}}, {{0, 2, 3}}, {{1, 3, 2}}};
    memcpy(l.mesh.positions, corners, sizeof corners);
    memcpy(l.mesh.triangles, triangles, sizeof triangles);
    Prepare(&l, &s_noCorners, 6);
    Smooth(&l);
    double before = 0.0;
    for (int level = 2; level <= 6; ++level) {
        const wfTopology* t = &l.level[level - 1].topology;
        const wfVec3* x = l.x[level];
        double worst = 0.0;
        for (int e = 0; e < t->edgeCount; ++e) {
            wfVec3 n[2];
            for (int k = 0; k < 2; ++k) {
                const int* v = t->triangles[t->edges[e].triangle[k]].v;
                n[k] = wfCross(wfSub(x[v[1]], x[v[0]]), wfSub(x[v[2]], x[v[0]]));
            }
            worst = fmax(worst, atan2((double)wfLength(wfCross(n[0], n[1])), (double)wfDot(n[0], n[1])));
        }
        if (level > 2) assert_true(worst < 0.62 * before);
        before = worst;
    }
    for (int i = 0; i < l.level[5].vertexCount; ++i) assert_true(wfLength(l.x[6][i]) < 1.0f);
    FreeLevels(&l);
}

static void TestFlatShapeIsCut(void** state) {
    (void)state;
    Levels l = {.mesh = MakeSheet(wf_patternRegular, 5)};
    Prepare(&l, &s_noCorners, 1);
    wfSubdivision_Split(&l.level[0], l.x[0], l.x[1]);
    wfFlatTriangle* flat = calloc((size_t)l.level[0].triangleCount, sizeof *flat);
    wfSplitFlat(l.mesh.flat, l.mesh.triangleCount, flat);
    for (int t = 0; t < l.level[0].triangleCount; ++t)
        for (int k = 0; k < 3; ++k) { // generated sheets have flat = (x, -z)
            CHECK_NEAR((double)flat[t].corner[k].x, (double)l.x[1][l.level[0].triangles[t].v[k]].x, 1e-6);
            CHECK_NEAR((double)flat[t].corner[k].y, (double)-l.x[1][l.level[0].triangles[t].v[k]].z, 1e-6);
        }
    free(flat);
    FreeLevels(&l);
}

static void TestRefusesWhatIsNoSurface(void** state) {
    (void)state;
    static const wfTriangle triangles[3] = {{{0, 1, 2}}, {{1, 0, 3}}, {{0, 1, 4}}};
    wfTopology topology = {0};
    wfSubdivision level = {0};
    wfError err = {0};
    bool edge[16] = {false}, corner[5] = {false};
    CHECK_OK(wfTopology_Create(&topology, triangles, 3, 5, &err), err);
    assert_false(wfSubdivision_Create(&level, &topology, &(wfSharp){edge, corner}, "book.obj", &err));
    assert_int_equal(err.code, wf_badInput);
    assert_non_null(strstr(err.text, "book.obj"));
    assert_non_null(strstr(err.text, "more than two triangles"));
    wfTopology_Free(&topology);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestCountsAndTriangles),
        cmocka_unit_test(TestWeights),
        cmocka_unit_test(TestEigenvaluesAtExtraordinaryVertices),
        cmocka_unit_test(TestNoFoldAboutExtraordinaryVertices),
        cmocka_unit_test(TestBoundedCurvature),
        cmocka_unit_test(TestAffineInvariance),
        cmocka_unit_test(TestFlatStaysFlat),
        cmocka_unit_test(TestBoundaryDependsOnBoundaryAlone),
        cmocka_unit_test(TestCreases),
        cmocka_unit_test(TestTetrahedronBecomesSmooth),
        cmocka_unit_test(TestFlatShapeIsCut),
        cmocka_unit_test(TestRefusesWhatIsNoSurface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
