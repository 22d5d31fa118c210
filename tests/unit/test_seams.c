// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "difference.h"
#include "patch.h"
#include "scene_fixture.h"

#include "elastic/stitches.h"
#include "elastic/tables.h"
#include "mesh/coarsen.h"
#include "scene/scene.h"

#include <stdio.h>
#include <unistd.h>

// Seams: the energy of a stitch against differences, what is refused and in which words, and that panels are drawn together as told.

static const char* const s_dynamics[] = {"newton", "chebyshev", "multilevel", "hierarchy", "explicit"};
enum { DynamicsCount = sizeof s_dynamics / sizeof s_dynamics[0], FirstFast = 1 };

// ---- a stitch -----------------------------------------------------------------------------------------------------------------

typedef struct Thread {
    double stiffness, share, length;
} Thread;

static double ThreadEnergy(const void* self, const wfVec3D* x) {
    const Thread* t = self;
    return wfStitch_EnergyD(t->stiffness, t->share, t->length, x);
}

static void ThreadGradient(const void* self, const wfVec3D* x, wfVec3D* out) {
    const Thread* t = self;
    wfStitch_GradientD(t->stiffness, t->share, t->length, x, out);
}

static wfMat3D ThreadBlock(const void* self, const wfVec3D* x, int i, int j) {
    const Thread* t = self;
    wfMat3D h = wfStitch_CurvatureD(t->stiffness, t->share, t->length, x), out = wfDiagonal3D(0.0);
    wfMat3_AddD(&out, wfStitch_WeightD(t->share, i) * wfStitch_WeightD(t->share, j), &h);
    return out;
}

static void TestStitchEnergy(void** state) {
    (void)state;
    uint64_t seed = 3;
    double worstGradient = 0.0, worstHessian = 0.0, worstMomentum = 0.0, worstSingle = 0.0;
    for (int trial = 0; trial < 200; ++trial) {
        wfVec3D x[3] = {RandomVector(&seed), RandomVector(&seed), RandomVector(&seed)}, g[3];
        Thread t = {.stiffness = pow(10.0, 3.0 * NextRandom(&seed)), .share = fabs(NextRandom(&seed))};
        wfVec3D d = wfSubD(x[0], wfMulAddD(x[1], t.share, wfSubD(x[2], x[1])));
        double distance = wfLengthD(d);
        t.length = trial % 4 == 0 ? 0.0 : 0.95 * distance * fabs(NextRandom(&seed));
        CHECK_NEAR(ThreadEnergy(&t, x), 0.5 * t.stiffness * (distance - t.length) * (distance - t.length), 1e-12 * t.stiffness);
        worstGradient = fmax(worstGradient, GradientError(ThreadEnergy, ThreadGradient, &t, x, 3, 1e-3 * distance, 0.0));
        worstHessian = fmax(worstHessian, HessianError(ThreadGradient, ThreadBlock, &t, x, 3, 1e-3 * distance));
        ThreadGradient(&t, x, g);
        worstMomentum = fmax(worstMomentum, MomentumError(x, g, 3));
        double least, most;
        CurvatureRange(ThreadBlock, &t, x, 3, &seed, &least, &most);
        assert_true(least > -1e-9 * t.stiffness && most <= 2.0 * t.stiffness); // |weights|² is at most 2
        // What kernels run.
        wfVec3 y[3] = {wfNarrow(x[0]), wfNarrow(x[1]), wfNarrow(x[2])}, h[3];
        wfStitch_Gradient((float)t.stiffness, (float)t.share, (float)t.length, y, h);
        for (int k = 0; k < 3; ++k) worstSingle = fmax(worstSingle, wfLengthD(wfSubD(wfWiden(h[k]), g[k])) / (t.stiffness * distance));
        // Slack: nothing, not even a push.
        t.length = 1.01 * distance;
        ThreadGradient(&t, x, g);
        for (int k = 0; k < 3; ++k) assert_true(g[k].x == 0.0 && g[k].y == 0.0 && g[k].z == 0.0);
        assert_true(ThreadEnergy(&t, x) == 0.0);
        x[0] = wfMulAddD(x[1], t.share, wfSubD(x[2], x[1])); // closed: no direction, no NaN
        t.length = 0.0;
        ThreadGradient(&t, x, g);
        for (int k = 0; k < 3; ++k) CHECK_NEAR(wfLengthD(g[k]), 0.0, 1e-15 * t.stiffness);
    }
    CHECK_NEAR(worstGradient, 0.0, 1e-9);
    CHECK_NEAR(worstHessian, 0.0, 1e-8);
    CHECK_NEAR(worstMomentum, 0.0, 1e-14);
    CHECK_NEAR(worstSingle, 0.0, 1e-5);
}

// The tables on the device against the sum on the host: gradient, energy, and the bound of the second derivative.
static void TestTables(void** state) {
    (void)state;
    enum { Stitches = 60 };
    wfDevice* device = OpenCpu(2);
    wfError err = {0};
    uint64_t seed = 5;
    wfFabric fabric = wfDefaultFabric();
    Patch patch;
    MakePatch(&patch, 0.3f, 0.2f, 12, wf_patternIrregular, &fabric);
    size_t n = (size_t)patch.model.vertexCount;
    wfStitch stitches[Stitches];
    const wfSeamTiming seams[2] = {{0.0, 1.0}, {0.5, 0.0}};
    for (int s = 0; s < Stitches; ++s) {
        int v[3];
        for (int k = 0; k < 3; ++k) v[k] = (int)(fabs(NextRandom(&seed)) * (double)n);
        float share = s % 3 == 0 ? 0.0f : (float)fabs(NextRandom(&seed));
        stitches[s] = (wfStitch){{v[0], v[1], share == 0.0f ? v[1] : v[2]}, share, 50.0f + (float)s, 0.02f * (float)(s % 7), s % 2};
    }
    patch.model.stitches = stitches;
    patch.model.stitchCount = Stitches;
    patch.model.seams = seams;
    patch.model.seamCount = 2;
    const wfElasticDef defs[] = {{.membrane = wf_membraneSprings, .bending = wf_bendingNone},
                                 {.membrane = wf_membraneFabric, .bending = wf_bendingQuadratic},
                                 {.membrane = wf_membraneFabric, .bending = wf_bendingDihedral},
                                 {.membrane = wf_membraneFabric, .bending = wf_bendingMeshless}};
    wfVec4 *x4 = calloc(n, sizeof *x4), *out = calloc(n, sizeof *out);
    wfVec3D *x = calloc(n, sizeof *x), *g = calloc(n, sizeof *g), *h = calloc(n, sizeof *h);
    float *with = calloc(n, sizeof *with), *without = calloc(n, sizeof *without);
    assert_true(x4 != NULL && out != NULL && x != NULL && g != NULL && h != NULL && with != NULL && without != NULL);
    for (size_t v = 0; v < n; ++v) {
        wfVec3 p = patch.model.start[v];
        x4[v] = wfMake4(wfMake3(p.x, 0.02f * sinf(30.0f * p.x), 1.02f * p.z), patch.model.mass[v]);
        x[v] = wfWiden(wfXyz(x4[v]));
    }
    wfBuffer bx = wfMakeBuffer(sizeof(wfVec4), "x"), bg = wfMakeBuffer(sizeof(wfVec4), "g");
    wfReserve(device, &bg, n);
    wfUpload(device, &bx, x4, n);
    for (size_t d = 0; d < sizeof defs / sizeof defs[0]; ++d) {
        wfElasticTables tables = {0};
        wfElastic host = {0};
        patch.model.stitchCount = 0;
        CHECK_OK(wfElasticTables_Create(&tables, device, &patch.model, &defs[d], &err), err);
        CHECK_OK(wfDownload(device, without, &tables.bound, 0, n, &err), err);
        wfElasticTables_Free(&tables, device);
        patch.model.stitchCount = Stitches;
        CHECK_OK(wfElasticTables_Create(&tables, device, &patch.model, &defs[d], &err), err);
        CHECK_OK(wfElastic_Create(&host, &patch.model, &defs[d], &err), err);
        for (int k = 0; k < 4; ++k) { // before the first call as at the start
            if (k > 0) {
                wfElasticTables_SetTime(&tables, device, 0.4 * k - 0.2);
                wfElastic_SetTime(&host, 0.4 * k - 0.2);
            }
            wfElasticTables_Gradient(&tables, device, wfData(&bx, wfVec4), wfData(&bg, wfVec4));
            CHECK_OK(wfDownload(device, out, &bg, 0, n, &err), err);
            memset(g, 0, n * sizeof *g);
            wfElastic_AddGradient(&host, x, g);
            double most = 0.0, worst = 0.0, energy = 0.0;
            for (size_t v = 0; v < n; ++v) {
                most = fmax(most, wfLengthD(g[v]));
                worst = fmax(worst, wfLengthD(wfSubD(g[v], wfWiden(wfXyz(out[v])))));
                energy += out[v].w;
            }
            CHECK_NEAR(worst / most, 0.0, 1e-4);
            CHECK_NEAR(energy / wfElastic_Energy(&host, x), 1.0, 1e-4);
        }
        // What the stitches add to the bound bounds their part of the second derivative: for any d, d H d is at most the sum of bound d².
        CHECK_OK(wfDownload(device, with, &tables.bound, 0, n, &err), err);
        for (int trial = 0; trial < 50; ++trial) {
            double dhd = 0.0, bound = 0.0;
            for (size_t v = 0; v < n; ++v) {
                h[v] = RandomVector(&seed);
                bound += (double)(with[v] - without[v]) * wfDotD(h[v], h[v]);
            }
            for (int s = 0; s < Stitches; ++s) {
                wfVec3D points[3], sum = wfMake3D(0, 0, 0);
                for (int k = 0; k < 3; ++k) {
                    points[k] = x[stitches[s].v[k]];
                    sum = wfMulAddD(sum, wfStitch_WeightD(stitches[s].share, k), h[stitches[s].v[k]]);
                }
                wfMat3D m = wfStitch_CurvatureD(stitches[s].stiffness, stitches[s].share, 0.0, points);
                dhd += wfDotD(sum, wfMat3_ApplyD(&m, sum));
            }
            assert_true(dhd <= bound * 1.0001);
        }
        wfElastic_Free(&host);
        wfElasticTables_Free(&tables, device);
    }
    wfFreeBuffer(device, &bx);
    wfFreeBuffer(device, &bg);
    free(x4);
    free(out);
    free(x);
    free(g);
    free(h);
    free(with);
    free(without);
    FreePatch(&patch);
    wfDestroyDevice(device);
}

static void TestTiming(void** state) {
    (void)state;
    wfSeamTiming seam = {-1.0, 0.5}, atOnce = {2.0, 0.0};
    CHECK_NEAR(wfSeamTiming_Open(&seam, -2.0), 1.0, 0.0);
    CHECK_NEAR(wfSeamTiming_Open(&seam, -0.75), 0.5, 1e-7);
    CHECK_NEAR(wfSeamTiming_Open(&seam, -0.5), 0.0, 0.0);
    CHECK_NEAR(wfSeamTiming_Open(&seam, 9.0), 0.0, 0.0);
    CHECK_NEAR(wfSeamTiming_Open(&seam, -0.9), 1.0 - 0.104, 1e-7); // 3 t² - 2 t³: slowly at first, and in the end
    CHECK_NEAR(wfSeamTiming_Open(&seam, -0.6), 0.104, 1e-7);
    CHECK_NEAR(wfSeamTiming_Open(&seam, -0.505), 0.0003, 1e-5);
    CHECK_NEAR(wfSeamTiming_Open(&atOnce, 2.0), 1.0, 0.0);
    CHECK_NEAR(wfSeamTiming_Open(&atOnce, 2.001), 0.0, 0.0);
}

// ---- scenes -------------------------------------------------------------------------------------------------------------------

static int SeamOf(wfScene* scene, const wfSeamDef* def) {
    wfError err = {0};
    wfSeamId id = wfCreateSeam(scene, def, &err);
    if (WF_ID_IS_NULL(id)) fail_msg("%s", err.text);
    return wfSeam_GetStitchCount(scene, id);
}

static float* ReadPositions(const wfScene* scene, wfClothId cloth) {
    float* x = malloc(3 * (size_t)wfCloth_GetVertexCount(scene, cloth) * sizeof(float));
    wfError err = {0};
    CHECK_OK(wfCloth_ReadPositions(scene, cloth, x, 12, &err), err);
    return x;
}

static wfSceneDef SceneOf(const char* dynamics) {
    wfSceneDef def = wfDefaultSceneDef();
    strcpy(def.dynamics, dynamics);
    strcpy(def.contact, "none");
    return def;
}

#define CHECK_SEAM_FAILS(def, message)                               \
    do {                                                             \
        err = (wfError){0};                                          \
        assert_true(WF_ID_IS_NULL(wfCreateSeam(scene, &def, &err))); \
        assert_string_equal(err.text, message);                      \
        assert_int_equal(err.code, wf_badInput);                     \
    } while (0)

static void TestBadSeams(void** state) {
    (void)state;
    wfError err = {0};
    wfDevice* device = OpenCpu(1);
    wfSceneDef sceneDef = wfDefaultSceneDef();
    wfScene *scene = NewScene(device, &sceneDef), *other = NewScene(device, &sceneDef);
    Grid grid = MakeGrid(4, 3, 0.3f, 0.2f, wfMake3(0, 0, 0)); // 0 to 3, 4 to 7, 8 to 11
    wfClothDef cloth = GridCloth(&grid, "front");
    wfClothId front = AddCloth(scene, &cloth), foreign = AddCloth(other, &cloth);
    strcpy(cloth.name, "back");
    wfClothId back = AddCloth(scene, &cloth);
    const int side[] = {0, 3}, inside[] = {0, 5}, same[] = {3, 3}, around[] = {0, 11}, wrong[] = {0, 12}, part[] = {1, 2}, low[] = {8, 11};
    wfSeamDef def = wfDefaultSeamDef();
    def.a = (wfSeamSide){front, side, 2};
    def.b = (wfSeamSide){back, side, 2};
    wfSeamDef bad = def;
    bad.cookie = 0;
    CHECK_SEAM_FAILS(bad, "seam: the Def did not start from its wfDefault…Def()");
    bad = def;
    bad.stiffness = 0.0f;
    CHECK_SEAM_FAILS(bad, "seam \"seam1\": stiffness: expected a number in [0.001, 1e+07] N/m, got 0");
    bad = def;
    bad.close = NAN;
    CHECK_SEAM_FAILS(bad, "seam \"seam1\": close: expected a number in [0, 1e+06] s, got nan");
    bad = def;
    bad.match = (wfSeamMatch)7;
    CHECK_SEAM_FAILS(bad, "seam \"seam1\": match: expected lengths or vertices, got 7");
    bad = def;
    bad.a.cloth = foreign;
    CHECK_SEAM_FAILS(bad, "seam \"seam1\": a: cloth: expected a cloth of this scene");
    bad = def;
    bad.b.vertices = NULL;
    CHECK_SEAM_FAILS(bad, "seam \"seam1\": b: vertices: expected at least one, got NULL");
    bad.b.vertices = side;
    bad.b.vertexCount = 0;
    CHECK_SEAM_FAILS(bad, "seam \"seam1\": b: vertices: expected at least one, got none");
    bad.b.vertexCount = 1;
    CHECK_SEAM_FAILS(bad, "seam \"seam1\": b: expected at least 2 vertices for a run, got 1");
    bad.b = (wfSeamSide){back, wrong, 2};
    CHECK_SEAM_FAILS(bad, "seam \"seam1\": b: vertices[1]: expected 0 to 11, the vertices of cloth \"back\", got 12");
    bad.b = (wfSeamSide){back, inside, 2};
    CHECK_SEAM_FAILS(bad, "seam \"seam1\": b: vertex 5 is not on the boundary");
    bad.b = (wfSeamSide){back, same, 2};
    CHECK_SEAM_FAILS(bad, "seam \"seam1\": b: the run goes from vertex 3 to itself; name vertices between");
    bad.b = (wfSeamSide){back, around, 2};
    CHECK_SEAM_FAILS(bad, "seam \"seam1\": b: both ways from vertex 0 to 11 are 0.5 m long; name a vertex between");
    bad.b = (wfSeamSide){front, part, 2};
    CHECK_SEAM_FAILS(bad, "seam \"seam1\": both sides go through vertex 1");
    bad.a = (wfSeamSide){front, part, 2};
    bad.b = (wfSeamSide){front, side, 2};
    CHECK_SEAM_FAILS(bad, "seam \"seam1\": both sides go through vertex 1");
    bad = def;
    bad.match = wf_matchVertices;
    bad.b.vertexCount = 1;
    CHECK_SEAM_FAILS(bad, "seam \"seam1\": expected as many vertices on both sides, got 2 and 1");
    bad.b = bad.a;
    CHECK_SEAM_FAILS(bad, "seam \"seam1\": every vertex would be sewn to itself");
    strcpy(def.name, "hem");
    assert_int_equal(SeamOf(scene, &def), 4);
    CHECK_SEAM_FAILS(def, "seam \"hem\": name: another object of the scene has it already");
    def.name[0] = 0;
    def.b = (wfSeamSide){front, low, 2};
    assert_int_equal(SeamOf(scene, &def), 4); // a cloth with itself
    const int tip[] = {8, 0}, leg[] = {8, 11};
    def.a = (wfSeamSide){back, tip, 2};
    def.b = (wfSeamSide){back, leg, 2};
    assert_int_equal(SeamOf(scene, &def), 3); // a dart: its tip is closed already
    assert_int_equal(wfSeam_GetStitchCount(scene, (wfSeamId){99, 1}), 0);
    assert_int_equal(wfSeam_GetStitchCount(scene, wf_nullSeam), 0);
    wfDestroyScene(scene);
    wfDestroyScene(other);

    FreeGrid(&grid);
    wfDestroyDevice(device);
}

/// What the coarser meshes of a hierarchy have of a seam: every second stitch between the same points, as stiff together.
static void TestCoarseSeams(void** state) {
    (void)state;
    enum { Rows = 17, Width = 9, Count = 2 * Rows };
    wfError err = {0};
    wfFabric fabric = wfDefaultFabric();
    Patch patch;
    MakePatch(&patch, 0.2f, 0.4f, Width, wf_patternAlternating, &fabric);
    assert_int_equal(patch.model.vertexCount, Rows * Width);
    // A tube: the right side to points between the vertices of the left one, and vertex to vertex.
    wfStitch stitches[Count];
    const wfSeamTiming seams[2] = {{0.0, 1.0}, {0.5, 0.0}};
    for (int j = 0; j < Rows; ++j) {
        int left = j * Width, right = left + Width - 1, next = j + 1 < Rows ? left + Width : left;
        stitches[2 * j] = (wfStitch){{right, left, next}, j + 1 < Rows ? 0.25f : 0.0f, 50.0f + (float)j, 0.2f, 0};
        stitches[2 * j + 1] = (wfStitch){{right, left, left}, 0.0f, 100.0f, 0.2f, 1};
    }
    patch.model.stitches = stitches;
    patch.model.stitchCount = Count;
    patch.model.seams = seams;
    patch.model.seamCount = 2;
    wfCoarseModel coarse = {0};
    CHECK_OK(wfCoarsen(&coarse, &patch.model, &err), err);
    assert_true(2 * coarse.model.vertexCount < patch.model.vertexCount);
    assert_int_equal(coarse.model.seamCount, 2);
    assert_in_range(coarse.model.stitchCount, Rows - 1, Rows + 3);
    double fine[2] = {0.0}, kept[2] = {0.0};
    for (int s = 0; s < Count; ++s) fine[stitches[s].seam] += stitches[s].stiffness;
    for (int s = 0; s < coarse.model.stitchCount; ++s) {
        const wfStitch* c = &coarse.model.stitches[s];
        kept[c->seam] += c->stiffness;
        assert_true(c->share >= 0.0f && c->share <= 1.0f && (c->share > 0.0f || c->v[2] == c->v[1]));
        // Its ends are those of a fine one: both are on the sides of the sheet, and it runs straight across but for a quarter of a row.
        const wfVec3* x = coarse.model.start;
        wfVec3 a = x[c->v[0]], b = wfLerp(x[c->v[1]], x[c->v[2]], c->share);
        CHECK_NEAR(fabsf(a.x), 0.1, 1e-6);
        CHECK_NEAR(fabsf(b.x), 0.1, 1e-6);
        CHECK_NEAR(fabsf(a.z - b.z), c->seam == 0 && a.z < 0.199f && b.z < 0.199f ? 0.25f * 0.4f / (Rows - 1) : 0.0f, 1e-6);
        CHECK_NEAR(c->length, hypot(0.2, (double)(a.z - b.z)), 1e-6);
    }
    for (int k = 0; k < 2; ++k) CHECK_NEAR(kept[k], fine[k], 1e-4 * fine[k]);
    wfCoarseModel_Free(&coarse);
    FreePatch(&patch);
}

/// Two panels side by side, `gap` apart along x, in the plane of x and z; the left one is held at its left side. Grid indices: j n + i.
typedef struct Panels {
    wfScene* scene;
    wfClothId left, right;
    int n, m, n2, m2;
} Panels;

static Panels MakePanels(wfDevice* device, const wfSceneDef* def, float gap, int m, int m2, float depth2, bool held,
                         const wfSeamDef* seam) {
    Panels p = {.scene = NewScene(device, def), .n = 5, .m = m, .n2 = 5, .m2 = m2};
    Grid a = MakeGrid(p.n, m, 0.2f, 0.3f, wfMake3(-0.2f, 0, 0)), b = MakeGrid(p.n2, m2, 0.2f, depth2, wfMake3(gap, 0, 0));
    wfClothDef cloth = GridCloth(&a, "left");
    p.left = AddCloth(p.scene, &cloth);
    cloth = GridCloth(&b, "right");
    p.right = AddCloth(p.scene, &cloth);
    const int right[] = {p.n - 1, p.n * m - 1}, left[] = {0, p.n2 * (m2 - 1)};
    wfSeamDef s = *seam;
    s.a = (wfSeamSide){p.left, right, 2};
    s.b = (wfSeamSide){p.right, left, 2};
    SeamOf(p.scene, &s);
    int* vertices = malloc((size_t)m * sizeof(int));
    for (int j = 0; j < m; ++j) vertices[j] = j * p.n;
    wfPinDef pin = wfDefaultPinDef();
    pin.cloth = p.left;
    pin.vertices = vertices;
    pin.vertexCount = m;
    if (held) AddPin(p.scene, &pin);
    Commit(p.scene);
    free(vertices);
    FreeGrid(&a);
    FreeGrid(&b);
    return p;
}

/// Distance of a stitch's ends now; `force` receives its pull on its vertex [N], threads being closed.
static double Gap(const Panels* p, const wfStitch* s, const float* left, const float* right, double force[3]) {
    double d[3];
    int first = p->n * p->m;
    for (int k = 0; k < 3; ++k) {
        double x[3];
        for (int i = 0; i < 3; ++i) x[i] = s->v[i] < first ? left[3 * s->v[i] + k] : right[3 * (s->v[i] - first) + k];
        d[k] = x[0] - ((1.0 - (double)s->share) * x[1] + (double)s->share * x[2]);
        force[k] = s->stiffness * d[k];
    }
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static void TestSeamClosesAndCarries(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    for (int k = 0; k < DynamicsCount; ++k) {
        wfSceneDef def = SceneOf(s_dynamics[k]);
        def.air_drag = 2.0f; // so that it comes to rest
        wfSeamDef seam = wfDefaultSeamDef();
        seam.close = 0.25f;
        seam.start = 0.05f;
        seam.stiffness = 200.0f;
        Panels p = MakePanels(device, &def, 0.1f, 7, 7, 0.3f, true, &seam);
        const wfModel* model = &p.scene->model;
        assert_int_equal(model->stitchCount, 7);
        double force[3], length = 0.0;
        // While it closes, a thread is never longer than the clock allows by more than what stretches it.
        for (int frame = 1; frame <= 18; ++frame) {
            StepFrames(p.scene, 1);
            float *left = ReadPositions(p.scene, p.left), *right = ReadPositions(p.scene, p.right);
            double open = wfSeamTiming_Open(&model->seams[0], wfScene_GetTime(p.scene));
            for (int s = 0; s < model->stitchCount; ++s) {
                length = Gap(&p, &model->stitches[s], left, right, force);
                if (length > 0.1 * open + 0.01)
                    fail_msg("%s: frame %d: stitch %d is %g m long, the thread %g m", s_dynamics[k], frame, s, length, 0.1 * open);
            }
            free(left);
            free(right);
        }
        if (WF_SLOW_BUILD) { // coming to rest takes long
            wfDestroyScene(p.scene);
            continue;
        }
        StepFrames(p.scene, 162); // 3 s
        float *left = ReadPositions(p.scene, p.left), *right = ReadPositions(p.scene, p.right);
        double weight = 0.0, carried[3] = {0}, longest = 0.0;
        for (int v = model->cloths[1].firstVertex; v < model->vertexCount; ++v) weight += 9.81 * model->mass[v];
        for (int s = 0; s < model->stitchCount; ++s) {
            longest = fmax(longest, Gap(&p, &model->stitches[s], left, right, force));
            for (int c = 0; c < 3; ++c) carried[c] += model->stitches[s].v[0] < p.n * p.m ? force[c] : -force[c];
        }
        // The right panel hangs on the seam alone: the stitches carry its weight, and none more than three shares of it.
        CHECK_NEAR(carried[1], weight, 0.02 * weight);
        CHECK_NEAR(carried[0], 0.0, 0.05 * weight);
        CHECK_NEAR(carried[2], 0.0, 0.05 * weight);
        assert_true(longest <= 3.0 * weight / 7.0 / seam.stiffness);
        free(left);
        free(right);
        wfDestroyScene(p.scene);
    }
    wfDestroyDevice(device);
}

/// Positions of both panels after one step.
static float* StepOnce(wfDevice* device, const char* dynamics, int iterations, const wfSeamDef* seam, int* count, double* moved) {
    wfSceneDef def = SceneOf(dynamics);
    def.iterations = iterations;
    def.time_step = 1.0f / 60.0f;
    Panels p = MakePanels(device, &def, 0.03f, 25, 33, 0.3f, true, seam);
    wfError err = {0};
    float* before = ReadPositions(p.scene, p.right);
    CHECK_OK(wfScene_Step(p.scene, def.time_step, &err), err);
    float *left = ReadPositions(p.scene, p.left), *right = ReadPositions(p.scene, p.right);
    int nLeft = 3 * p.n * p.m, nRight = 3 * p.n2 * p.m2;
    float* all = malloc((size_t)(nLeft + nRight) * sizeof *all);
    assert_non_null(all);
    memcpy(all, left, (size_t)nLeft * sizeof *all);
    memcpy(all + nLeft, right, (size_t)nRight * sizeof *all);
    *count = nLeft + nRight;
    *moved = 0.0;
    for (int i = 0; i < nRight; ++i) *moved = fmax(*moved, fabs((double)right[i] - before[i]));
    free(before);
    free(left);
    free(right);
    wfDestroyScene(p.scene);
    return all;
}

/// A step in which a seam pulls, against the reference: by as many iterations as are chosen, and by many.
static void TestOneStep(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    wfSeamDef seam = wfDefaultSeamDef();
    seam.close = 0.043f; // a third of the threads is gone after the step
    seam.stiffness = 100.0f;
    int count;
    enum { Fast = 3 };
    double moved, way, error[Fast][2];
    float* judge = StepOnce(device, "newton", 0, &seam, &count, &moved);
    const char* const fast[Fast] = {"chebyshev", "multilevel", "hierarchy"};
    const int iterations[2] = {0, 1500};
    print_message("one step: the cloth moves by %.3g m; of that off by", moved);
    for (int k = 0; k < Fast; ++k)
        for (int many = 0; many < 2; ++many) {
            float* x = StepOnce(device, fast[k], iterations[many], &seam, &count, &way);
            error[k][many] = 0.0;
            for (int i = 0; i < count; ++i) error[k][many] = fmax(error[k][many], fabs((double)x[i] - judge[i]) / moved);
            print_message(" %.3g (%s, %d)", error[k][many], fast[k], iterations[many]);
            free(x);
        }
    print_message("\n");
    for (int k = 0; k < Fast; ++k) {
        CHECK_NEAR(error[k][0], 0.0, 0.12);
        CHECK_NEAR(error[k][1], 0.0, 2e-3);
    }
    free(judge);
    wfDestroyDevice(device);
}

static void TestGathersAreEven(void** state) {
    (void)state;
    // A side of 0.45 m with 13 vertices on one of 0.3 m with 5: each vertex meets its own share of the short side.
    wfDevice* device = OpenCpu(2);
    for (int k = FirstFast; k < DynamicsCount; ++k) { // a flat sheet that buckles takes the reference hundreds of iterations a step
        wfSceneDef def = SceneOf(s_dynamics[k]);
        def.air_drag = 1.0f;
        wfSeamDef seam = wfDefaultSeamDef();
        seam.close = 0.3f;
        seam.stiffness = 1e4f; // what is gathered resists with newtons while its folds are two vertices wide
        // No edge of explicit dynamics gets shorter by more than 10 %: what is half as long again cannot fold into so few vertices.
        float depth = strcmp(s_dynamics[k], "explicit") == 0 ? 0.36f : 0.45f;
        Panels p = MakePanels(device, &def, 0.05f, 5, 13, depth, true, &seam);
        assert_int_equal(p.scene->model.stitchCount, 13);
        StepFrames(p.scene, 60);
        float *left = ReadPositions(p.scene, p.left), *right = ReadPositions(p.scene, p.right);
        double force[3], worst = 0.0;
        for (int s = 0; s < 13; ++s) worst = fmax(worst, Gap(&p, &p.scene->model.stitches[s], left, right, force));
        CHECK_NEAR(worst, 0.0, 2e-3); // less than a tenth of the 25 mm that a vertex has of the short side
        // Along the short side, as it lies now, the long one's vertices are spread evenly.
        double at[13], total = 0.0;
        for (int j = 0; j < 13; ++j) {
            const float* x = right + 3 * (j * p.n2);
            double best = INFINITY, along = 0.0, length = 0.0;
            for (int e = 0; e + 1 < p.m; ++e) {
                const float *q = left + 3 * (e * p.n + p.n - 1), *r = q + 3 * p.n;
                double d2 = 0.0, dot = 0.0, distance = 0.0;
                for (int c = 0; c < 3; ++c) d2 += (double)(r[c] - q[c]) * (r[c] - q[c]), dot += (double)(x[c] - q[c]) * (r[c] - q[c]);
                double t = fmin(fmax(dot / d2, 0.0), 1.0);
                for (int c = 0; c < 3; ++c) distance += pow(x[c] - (q[c] + t * (r[c] - q[c])), 2.0);
                if (distance < best) best = distance, along = length + t * sqrt(d2);
                length += sqrt(d2);
            }
            at[j] = along;
            total = length;
        }
        for (int j = 0; j < 13; ++j) CHECK_NEAR(at[j] / total, j / 12.0, 0.01);
        free(left);
        free(right);
        wfDestroyScene(p.scene);
    }
    wfDestroyDevice(device);
}

static void TestMomentum(void** state) {
    (void)state;
    // Two panels in free space draw themselves together: neither momentum nor angular momentum comes from it.
    wfDevice* device = OpenCpu(1);
    for (int k = 0; k < DynamicsCount; ++k) {
        wfSceneDef def = SceneOf(s_dynamics[k]);
        def.gravity = wfMake3(0, 0, 0);
        def.iterations = 500; // descent keeps momentum as far as it has converged, to what single precision knows of an x
        wfSeamDef seam = wfDefaultSeamDef();
        seam.close = 0.1f;
        Panels p = MakePanels(device, &def, 0.1f, 4, 6, 0.3f, false, &seam);
        StepFrames(p.scene, 5);
        const wfModel* m = &p.scene->model;
        size_t count;
        float* state6 = ReadState(p.scene, &count);
        double momentum[3] = {0}, spin[3] = {0}, scale = 0.0;
        for (int v = 0; v < m->vertexCount; ++v) {
            const float *x = state6 + 6 * v, *u = x + 3;
            for (int c = 0; c < 3; ++c) {
                int d = (c + 1) % 3, e = (c + 2) % 3;
                momentum[c] += (double)m->mass[v] * u[c];
                spin[c] += (double)m->mass[v] * ((double)x[d] * u[e] - (double)x[e] * u[d]);
                scale += (double)m->mass[v] * fabs((double)u[c]);
            }
        }
        assert_true(scale > 0.01); // [kg m/s] it moves: 24 g at 0.5 m/s
        for (int c = 0; c < 3; ++c) {
            CHECK_NEAR(momentum[c] / scale, 0.0, k < FirstFast ? 1e-5 : 5e-4);
            CHECK_NEAR(spin[c] / scale, 0.0, k < FirstFast ? 1e-5 : 5e-4);
        }
        free(state6);
        wfDestroyScene(p.scene);
    }
    wfDestroyDevice(device);
}

static void TestCheckpointInTheMiddle(void** state) {
    (void)state;
    wfDevice *one = OpenCpu(1), *two = OpenCpu(2);
    wfError err = {0};
    for (int k = 0; k < DynamicsCount; ++k) {
        wfSceneDef def = SceneOf(s_dynamics[k]);
        def.preroll = 0.05f;
        wfSeamDef seam = wfDefaultSeamDef();
        seam.close = 0.3f;
        Panels whole = MakePanels(one, &def, 0.1f, 4, 6, 0.3f, true, &seam), first = MakePanels(one, &def, 0.1f, 4, 6, 0.3f, true, &seam);
        Panels second = MakePanels(two, &def, 0.1f, 4, 6, 0.3f, true, &seam);
        seam.close = 0.31f;
        Panels other = MakePanels(one, &def, 0.1f, 4, 6, 0.3f, true, &seam);
        const char* path = "test_seams.wck";
        StepFrames(whole.scene, 20);
        StepFrames(first.scene, 8); // half closed: 0.133 s after a preroll of 0.05 s
        double left = 1.0 - (8.0 / 60.0 + 0.05) / 0.3;
        CHECK_NEAR(wfSeamTiming_Open(&first.scene->model.seams[0], wfScene_GetTime(first.scene)), left * left * (3.0 - 2.0 * left), 1e-6);
        CHECK_OK(wfScene_SaveCheckpoint(first.scene, path, &err), err);
        CHECK_OK(wfScene_LoadCheckpoint(second.scene, path, &err), err);
        StepFrames(second.scene, 12);
        CheckSameState(whole.scene, second.scene);
        CHECK_FAILS(wfScene_LoadCheckpoint(other.scene, path, &err), err,
                    "test_seams.wck: the checkpoint is of another scene: its seams differ");
        unlink(path);
        wfDestroyScene(whole.scene);
        wfDestroyScene(first.scene);
        wfDestroyScene(second.scene);
        wfDestroyScene(other.scene);
    }
    wfDestroyDevice(one);
    wfDestroyDevice(two);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestStitchEnergy), cmocka_unit_test(TestTables),
        cmocka_unit_test(TestTiming),       cmocka_unit_test(TestBadSeams),
        cmocka_unit_test(TestCoarseSeams),  cmocka_unit_test(TestSeamClosesAndCarries),
        cmocka_unit_test(TestOneStep),      cmocka_unit_test(TestGathersAreEven),
        cmocka_unit_test(TestMomentum),     cmocka_unit_test(TestCheckpointInTheMiddle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
