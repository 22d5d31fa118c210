// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "difference.h"
#include "patch.h"

#include "elastic/bending.h"
#include "elastic/meshless.h"

// Bending models against finite differences, against the energy of a cylinder, and single against double precision.

static const double s_stiffness = 3e-5;

typedef struct Fold {
    wfBendD bend;
    double restAngle;
    wfVec3D rest; // of the quadratic model
    bool clamped;
} Fold;

/// A flat hinge with uneven sides.
static wfHinge MakeFlat(void) {
    return (wfHinge){.v = {0, 1, 2, 3}, .length = 0.02, .along = {0.3, 0.8}, .height = {0.015, 0.011}, .area = 0.01 * 0.026, .warp = 0.0};
}

/// The flat hinge folded by an angle, then moved at random.
static void PlaceHinge(double angle, uint64_t* seed, wfVec3D* x) {
    wfHinge h = MakeFlat();
    wfMat3D turn = RandomRotation(seed);
    wfVec3D move = RandomVector(seed);
    double c = cos(0.5 * angle), s = sin(0.5 * angle);
    wfVec3D flat[4] = {{0, 0, 0},
                       {h.length, 0, 0},
                       {h.along[0] * h.length, h.height[0] * c, h.height[0] * s},
                       {h.along[1] * h.length, -h.height[1] * c, h.height[1] * s}};
    for (int k = 0; k < 4; ++k) x[k] = wfAddD(wfMat3_ApplyD(&turn, flat[k]), move);
}

static double QuadraticEnergy(const void* self, const wfVec3D* x) {
    const Fold* f = self;
    return wfBend_EnergyD(&f->bend, x, f->rest);
}

static void QuadraticGradient(const void* self, const wfVec3D* x, wfVec3D* out) {
    const Fold* f = self;
    wfBend_GradientD(&f->bend, x, f->rest, out);
}

static wfMat3D QuadraticBlock(const void* self, const wfVec3D* x, int i, int j) {
    const Fold* f = self;
    (void)x;
    return wfDiagonal3D(f->bend.stiffness * f->bend.k[i] * f->bend.k[j]);
}

static double AngleEnergy(const void* self, const wfVec3D* x) { return wfDihedral_EnergyD(s_stiffness, ((const Fold*)self)->restAngle, x); }

static void AngleGradient(const void* self, const wfVec3D* x, wfVec3D* out) {
    wfDihedral_GradientD(s_stiffness, ((const Fold*)self)->restAngle, x, out);
}

static wfMat3D AngleBlock(const void* self, const wfVec3D* x, int i, int j) {
    const Fold* f = self;
    wfMat3D blocks[4][4];
    wfDihedral_HessianD(s_stiffness, f->restAngle, x, f->clamped, blocks);
    return blocks[i][j];
}

static void RandomHinge(int trial, uint64_t* seed, wfVec3D* x) {
    static const double s_angles[] = {0.0, 1e-6, 0.1, -0.7, 1.5, -2.9};
    enum { AngleCount = sizeof s_angles / sizeof s_angles[0] };
    if (trial < AngleCount) {
        PlaceHinge(s_angles[trial], seed, x);
        return;
    }
    double angle;
    do { // a fold by pi is a corner of the angle; a triangle without height has none
        for (int k = 0; k < 4; ++k) x[k] = wfScaleD(RandomVector(seed), 0.03);
        wfVec3D e = wfSubD(x[1], x[0]), n0 = wfCrossD(e, wfSubD(x[2], x[0])), n1 = wfCrossD(e, wfSubD(x[3], x[0]));
        double least = 0.1 * wfDotD(e, e);
        angle = wfLengthD(n0) > least && wfLengthD(n1) > least && wfLengthD(e) > 0.005 ? wfDihedral_AngleD(x) : 4.0;
    } while (fabs(angle) > 3.0);
}

static void TestHingeDerivatives(void** state) {
    (void)state;
    uint64_t seed = 1;
    wfHinge flat = MakeFlat();
    double worst[4] = {0.0};
    for (int trial = 0; trial < 200; ++trial) {
        wfVec3D x[4];
        RandomHinge(trial, &seed, x);
        Fold f = {wfMakeBend(&flat, s_stiffness), trial % 2 == 0 ? 0.0 : 0.4, {0, 0, 0}, false};
        if (trial % 2 == 1) f.rest = wfBend_RestD(wfBendRestLength(&flat, 0.4), x);
        double force = s_stiffness / 0.02;
        worst[0] = fmax(worst[0], GradientError(QuadraticEnergy, QuadraticGradient, &f, x, 4, 1e-4, force));
        worst[1] = fmax(worst[1], HessianError(QuadraticGradient, QuadraticBlock, &f, x, 4, 1e-4));
        worst[2] = fmax(worst[2], GradientError(AngleEnergy, AngleGradient, &f, x, 4, 2e-6, force));
        worst[3] = fmax(worst[3], HessianError(AngleGradient, AngleBlock, &f, x, 4, 2e-6));
        f.clamped = true;
        double least, most;
        CurvatureRange(AngleBlock, &f, x, 4, &seed, &least, &most);
        assert_true(least >= -1e-12 * most);
        wfVec3D g[4];
        wfDihedral_AngleGradientD(x, g);
        wfMat3D one = wfDihedral_BlockD(s_stiffness, g[2]), whole = AngleBlock(&f, x, 2, 2);
        for (int a = 0; a < 9; ++a) CHECK_NEAR(one.m[a / 3][a % 3], whole.m[a / 3][a % 3], 1e-12 * most);
    }
    print_message("worst relative error: quadratic %.1e, %.1e; dihedral %.1e, %.1e (gradient, Hessian)\n", worst[0], worst[1], worst[2],
                  worst[3]);
    assert_true(worst[0] < 1e-9 && worst[1] < 1e-9 && worst[2] < 1e-7 && worst[3] < 1e-6);
}

static void TestHingeRigidMotion(void** state) {
    (void)state;
    uint64_t seed = 2;
    wfHinge flat = MakeFlat();
    for (int trial = 0; trial < 100; ++trial) {
        wfVec3D x[4], g[4];
        double angle = trial % 2 == 0 ? 0.0 : 0.9;
        PlaceHinge(angle, &seed, x);
        CHECK_NEAR(wfDihedral_AngleD(x), angle, 1e-12);
        Fold f = {wfMakeBend(&flat, s_stiffness), angle, wfBend_RestD(wfBendRestLength(&flat, angle), x), false};
        CHECK_NEAR(f.bend.k[0] + f.bend.k[1] + f.bend.k[2] + f.bend.k[3], 0.0, 1e-14);
        CHECK_NEAR(wfLengthD(wfBend_VectorD(&f.bend, x)), 2.0 * flat.length * sin(0.5 * angle), 1e-14);
        CHECK_NEAR(QuadraticEnergy(&f, x), 0.0, 1e-27);
        CHECK_NEAR(AngleEnergy(&f, x), 0.0, 1e-27);
        QuadraticGradient(&f, x, g);
        for (int k = 0; k < 4; ++k) CHECK_NEAR(wfLengthD(g[k]), 0.0, 1e-14);
        AngleGradient(&f, x, g);
        for (int k = 0; k < 4; ++k) CHECK_NEAR(wfLengthD(g[k]), 0.0, 1e-14);
        RandomHinge(trial + 10, &seed, x);
        AngleGradient(&f, x, g);
        CHECK_NEAR(MomentumError(x, g, 4), 0.0, 1e-12);
        f.rest = wfMake3D(0, 0, 0); // a rest vector held still is a field from outside: only without it are torques balanced
        QuadraticGradient(&f, x, g);
        CHECK_NEAR(MomentumError(x, g, 4), 0.0, 1e-14);
    }
    // Small folds: both models store the same.
    for (int k = 0; k < 2; ++k) {
        wfVec3D x[4];
        double angle = k == 0 ? 0.01 : -0.01;
        PlaceHinge(angle, &seed, x);
        double expected = 0.5 * 2e-5 * flat.length * flat.length / flat.area * angle * angle;
        wfBendD bend = wfMakeBend(&flat, 2e-5);
        CHECK_NEAR(wfBend_EnergyD(&bend, x, wfMake3D(0, 0, 0)), expected, 1e-4 * expected);
        CHECK_NEAR(wfDihedral_EnergyD(wfDihedralStiffness(&flat, 2e-5), 0.0, x), expected, 1e-4 * expected);
    }
}

static void TestHingeSinglePrecision(void** state) {
    (void)state;
    uint64_t seed = 3;
    wfHinge flat = MakeFlat();
    wfBendD bend = wfMakeBend(&flat, s_stiffness);
    wfBend narrow = wfBend_Narrow(bend);
    for (int trial = 6; trial < 200; ++trial) {
        wfVec3D wide[4], exact[4];
        wfVec3 x[4], g[4];
        RandomHinge(trial, &seed, wide);
        double scale = 0.0;
        for (int k = 0; k < 4; ++k) {
            x[k] = wfNarrow(wide[k]);
            wide[k] = wfWiden(x[k]);
        }
        CHECK_NEAR(wfDihedral_Angle(x), wfDihedral_AngleD(wide), 1e-5);
        wfDihedral_Gradient((float)s_stiffness, 0.0f, x, g);
        wfDihedral_GradientD(s_stiffness, 0.0, wide, exact);
        for (int k = 0; k < 4; ++k) scale = fmax(scale, wfLengthD(exact[k]));
        for (int k = 0; k < 4; ++k) CHECK_NEAR(wfLengthD(wfSubD(wfWiden(g[k]), exact[k])), 0.0, 1e-4 * scale);
        wfBend_Gradient(&narrow, x, wfMake3(0, 0, 0), g);
        wfBend_GradientD(&bend, wide, wfMake3D(0, 0, 0), exact);
        for (int k = 0; k < 4; ++k) CHECK_NEAR(wfLengthD(wfSubD(wfWiden(g[k]), exact[k])), 0.0, 1e-5 * bend.stiffness * 0.1);
    }
}

// ---- meshless -----------------------------------------------------------------------------------------------------------------

typedef struct Star {
    const wfNeighbourD* neighbours;
    int count;
    double stiffness;
} Star;

// The vertex is the first point, its neighbours follow.
static double StarEnergy(const void* self, const wfVec3D* x) {
    const Star* s = self;
    return wfMeshless_EnergyD(s->stiffness, s->neighbours, s->count, x[0], x + 1);
}

static void StarGradient(const void* self, const wfVec3D* x, wfVec3D* out) {
    const Star* s = self;
    out[0] = wfMeshless_GradientD(s->stiffness, s->neighbours, s->count, x[0], x + 1, out + 1);
}

static wfMat3D StarBlock(const void* self, const wfVec3D* x, int i, int j) {
    const Star* s = self;
    wfMeshlessFrameD f = wfMeshless_FrameD(s->neighbours, s->count, x[0], x + 1);
    return wfMeshless_BlockD(s->stiffness, s->neighbours, s->count, &f, i - 1, j - 1);
}

static void TestMeshless(void** state) {
    (void)state;
    uint64_t seed = 4;
    wfError err = {0};
    wfFabric fabric = wfDefaultFabric();
    Patch patch;
    MakePatch(&patch, 0.1f, 0.1f, 6, wf_patternIrregular, &fabric);
    wfMeshless meshless = {0};
    CHECK_OK(wfMeshless_Create(&meshless, &patch.model, 1.5, &err), err);
    double worst = 0.0;
    for (int v = 0; v < patch.model.vertexCount; ++v) {
        int start = meshless.rows.start[v];
        Star star = {meshless.neighbours + start, meshless.rows.start[v + 1] - start, meshless.stiffness[v]};
        assert_true(star.count >= 2 && star.count < MostPoints);
        wfVec3D x[MostPoints], g[MostPoints];
        wfMat3D turn = RandomRotation(&seed);
        for (int trial = 0; trial < 3; ++trial) {
            double noise = trial == 0 ? 0.0 : 0.004;
            for (int k = 0; k <= star.count; ++k) {
                wfVec3 p = patch.model.start[k == 0 ? v : meshless.rows.item[start + k - 1]];
                x[k] = wfMulAddD(wfMat3_ApplyD(&turn, wfWiden(p)), noise, RandomVector(&seed));
            }
            if (trial == 0) { // rigid; positions are floats, so only to their precision
                assert_true(StarEnergy(&star, x) < 1e-15);
                continue;
            }
            StarGradient(&star, x, g);
            if (star.stiffness == 0.0) continue;
            worst = fmax(worst, GradientError(StarEnergy, StarGradient, &star, x, star.count + 1, 1e-6, 0.0));
            CHECK_NEAR(MomentumError(x, g, star.count + 1), 0.0, 1e-12);
            // At rest the second derivative with the frame held still is exact.
            for (int k = 0; k <= star.count; ++k) {
                wfVec3 p = patch.model.start[k == 0 ? v : meshless.rows.item[start + k - 1]];
                x[k] = wfMat3_ApplyD(&turn, wfWiden(p));
            }
            if (trial == 1) assert_true(HessianError(StarGradient, StarBlock, &star, x, star.count + 1, 1e-6) < 1e-4);
        }
    }
    print_message("meshless: worst relative error of the gradient %.1e\n", worst);
    assert_true(worst < 1e-6);
    wfMeshless_Free(&meshless);
    FreePatch(&patch);
}

// ---- energy of a cylinder -----------------------------------------------------------------------------------------------------

/// Rolls a sheet in y = 0 up to a cylinder of curvature c; `angle` is that of the direction that is bent against the warp (x).
static wfVec3D Roll(wfVec3 p, double c, double angle) {
    double along = cos(angle) * p.x - sin(angle) * p.z, across = sin(angle) * p.x + cos(angle) * p.z;
    double u = sin(c * along) / c, y = (1.0 - cos(c * along)) / c;
    return wfMake3D(cos(angle) * u + sin(angle) * across, y, -sin(angle) * u + cos(angle) * across);
}

typedef struct Ratios {
    double quadratic, dihedral, meshless;
} Ratios;

/// Zero with its slope at the border of the sheet, 1 in the middle: hinges leave out half an edge length at the border, which is no error
/// of the interior.
static double Window(double x, double z) {
    double a = cos(acos(-1.0) * x / 0.2), b = cos(acos(-1.0) * z / 0.2);
    return a * a * b * b;
}

/// Stored energy of a rolled sheet, seen through the window, over `rigidity`/2 c² times the window's area.
static Ratios CylinderRatios(wfSheetPattern pattern, int n, double angle, const wfFabric* fabric, double rigidity) {
    wfError err = {0};
    Patch patch;
    MakePatch(&patch, 0.2f, 0.2f, n, pattern, fabric);
    wfBending bending = {0};
    wfMeshless meshless = {0};
    CHECK_OK(wfBending_Create(&bending, &patch.model, NULL, &err), err);
    CHECK_OK(wfMeshless_Create(&meshless, &patch.model, 1.5, &err), err);
    const double curvature = 3.0, whole = 0.5 * rigidity * curvature * curvature * 0.01;
    wfVec3D* x = calloc((size_t)patch.model.vertexCount, sizeof *x);
    assert_non_null(x);
    for (int v = 0; v < patch.model.vertexCount; ++v) x[v] = Roll(patch.model.start[v], curvature, angle);
    Ratios r = {0.0, 0.0, 0.0};
    for (int h = 0; h < bending.hingeCount; ++h) {
        const wfHinge* hinge = &bending.hinges[h];
        wfVec3D points[4];
        for (int k = 0; k < 4; ++k) points[k] = x[hinge->v[k]];
        wfVec3 middle = wfLerp(patch.model.start[hinge->v[0]], patch.model.start[hinge->v[1]], 0.5f);
        double w = Window(middle.x, middle.z) / whole;
        r.quadratic += w * wfBend_EnergyD(&bending.bends[h], points, wfMake3D(0, 0, 0));
        r.dihedral += w * wfDihedral_EnergyD(bending.stiffness[h], 0.0, points);
    }
    for (int v = 0; v < patch.model.vertexCount; ++v) {
        wfVec3D points[MostPoints];
        int start = meshless.rows.start[v], count = meshless.rows.start[v + 1] - start;
        assert_true(count <= MostPoints);
        for (int k = 0; k < count; ++k) points[k] = x[meshless.rows.item[start + k]];
        double w = Window(patch.model.start[v].x, patch.model.start[v].z) / whole;
        r.meshless += w * wfMeshless_EnergyD(meshless.stiffness[v], meshless.neighbours + start, count, x[v], points);
    }
    free(x);
    wfMeshless_Free(&meshless);
    wfBending_Free(&bending);
    FreePatch(&patch);
    return r;
}

/// What each model stores, by direction: closed forms on the grids, bounds on irregular triangles. The table is for reading.
static void TestCylinder(void** state) {
    (void)state;
    static const char* const s_patterns[] = {"regular", "alternating", "irregular"};
    static const char* const s_models[] = {"quadratic", "dihedral", "meshless"};
    wfFabric fabric = wfDefaultFabric();
    print_message("energy of a cylinder over B/2 c² area, bent along  0°    22.5°     45°    67.5°     90°   112.5°    135°\n");
    for (int pattern = 0; pattern < 3; ++pattern) {
        double r[3][7];
        for (int k = 0; k < 7; ++k) {
            double angle = k * acos(-1.0) / 8.0, s = sin(2.0 * angle);
            Ratios ratios = CylinderRatios((wfSheetPattern)pattern, 41, angle, &fabric, fabric.bending);
            r[0][k] = ratios.quadratic, r[1][k] = ratios.dihedral, r[2][k] = ratios.meshless;
            for (int model = 0; model < 2; ++model) {
                if (pattern == wf_patternRegular) CHECK_NEAR(r[model][k], 1.0 - s + s * s, 0.002);
                if (pattern == wf_patternAlternating) CHECK_NEAR(r[model][k], 1.0 + 0.5 * s * s, 0.002);
                if (pattern == wf_patternIrregular) CHECK_NEAR(r[model][k], 1.0 + 0.4 * s * s, 0.1);
            }
            CHECK_NEAR(r[2][k], 1.0 - 0.2 * cos(4.0 * angle), pattern == wf_patternIrregular ? 0.15 : 0.002);
        }
        for (int model = 0; model < 3; ++model) {
            print_message("%-12s %-10s                       ", s_patterns[pattern], s_models[model]);
            for (int k = 0; k < 7; ++k) print_message("%9.4f", r[model][k]);
            print_message("\n");
        }
    }
}

/// The direction that is bent has its own rigidity.
static void TestDirections(void** state) {
    (void)state;
    wfFabric fabric = wfDefaultFabric();
    fabric.bending = 1e-5f;
    fabric.bend_warp = 3.0f;
    fabric.bend_weft = 0.5f;
    fabric.bend_bias = 1.25f;
    CHECK_NEAR(CylinderRatios(wf_patternAlternating, 41, 0.0, &fabric, 3e-5).dihedral, 1.0, 0.002);
    CHECK_NEAR(CylinderRatios(wf_patternAlternating, 41, acos(-1.0) / 2.0, &fabric, 0.5e-5).quadratic, 1.0, 0.002);
    // Also where edges lie in all directions, which would mix 3 and 0.5 to 2.7 and 0.7.
    CHECK_NEAR(CylinderRatios(wf_patternIrregular, 41, 0.0, &fabric, 3e-5).dihedral, 1.0, 0.03);
    CHECK_NEAR(CylinderRatios(wf_patternIrregular, 41, acos(-1.0) / 2.0, &fabric, 0.5e-5).dihedral, 1.0, 0.03);
    wfRigidity rigidity = {3e-5, 1.25e-5, 0.5e-5};
    CHECK_NEAR(wfRigidity_Across(&rigidity, 0.0), 1.25e-5, 1e-11);
    CHECK_NEAR(wfRigidity_Across(&rigidity, 0.5), 2.125e-5, 1e-11);
    CHECK_NEAR(wfRigidity_Across(&rigidity, -0.5), 0.875e-5, 1e-11);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestHingeDerivatives), cmocka_unit_test(TestHingeRigidMotion), cmocka_unit_test(TestHingeSinglePrecision),
        cmocka_unit_test(TestMeshless),         cmocka_unit_test(TestCylinder),         cmocka_unit_test(TestDirections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
