// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "difference.h"

#include "elastic/membrane.h"
#include "weft/weft.h"

// Triangle elements against finite differences, against the moduli they are given, and single against double precision.

typedef struct Triangle {
    wfMembraneModel model;
    wfPlanarD law;
    wfElementD element;
    bool clamped;
} Triangle;

static double Energy(const void* self, const wfVec3D* x) {
    const Triangle* t = self;
    return wfMembrane_EnergyD(t->model, &t->law, &t->element, x);
}

static void Gradient(const void* self, const wfVec3D* x, wfVec3D* out) {
    const Triangle* t = self;
    wfMembrane_GradientD(t->model, &t->law, &t->element, x, out);
}

static wfMat3D Block(const void* self, const wfVec3D* x, int i, int j) {
    const Triangle* t = self;
    wfMat3D blocks[3][3];
    wfMembrane_HessianD(t->model, &t->law, &t->element, x, t->clamped, blocks);
    return blocks[i][j];
}

static const wfFlatTriangle s_flat = {{{0.010f, 0.004f}, {0.031f, 0.009f}, {0.016f, 0.023f}}};
static const char* const s_names[] = {"StVK", "corotational", "fabric"};

static Triangle MakeTriangle(wfMembraneModel model) {
    wfPlanarD law = model == wf_membraneCorotational ? wfMakeIsotropic(800.0, 0.3) : wfMakeOrthotropic(900.0, 300.0, 120.0, 0.25);
    return (Triangle){model, law, wfMakeElement(&s_flat), false};
}

/// The triangle under the map f (warp and weft to space), turned and moved at random.
static void Place(wfMat32D f, uint64_t* seed, wfVec3D* x) {
    wfMat3D turn = RandomRotation(seed);
    wfVec3D move = RandomVector(seed);
    for (int k = 0; k < 3; ++k) {
        wfVec3D p = wfMulAddD(wfScaleD(f.u, s_flat.corner[k].x), s_flat.corner[k].y, f.v);
        x[k] = wfAddD(wfMat3_ApplyD(&turn, p), move);
    }
}

typedef struct Deformation {
    const char* name;
    wfMat32D map;
} Deformation;

static const Deformation s_deformations[] = {
    {"rest", {{1, 0, 0}, {0, 1, 0}}},
    {"stretched", {{1.3, 0, 0}, {0, 0.9, 0}}},
    {"far stretched", {{3.0, 0.2, 0}, {0.1, 2.0, 0}}},
    {"sheared", {{1, 0, 0}, {0.6, 0.8, 0}}},
    {"squeezed", {{0.4, 0, 0}, {0, 0.5, 0}}},
    {"thin", {{1.1, 0, 0}, {0.7, 0.02, 0}}},
    {"inverted in its plane", {{-1, 0.1, 0}, {0.2, 1.2, 0}}},
};
enum { DeformationCount = sizeof s_deformations / sizeof s_deformations[0] };

static void TestPolar(void** state) {
    (void)state;
    uint64_t seed = 5;
    for (int trial = 0; trial < 2000; ++trial) {
        wfMat32D f = {RandomVector(&seed), RandomVector(&seed)};
        if (trial % 5 == 1) f.v = wfScaleD(f.u, NextRandom(&seed));                          // flat
        if (trial % 5 == 2) f.v = wfMulAddD(wfScaleD(f.u, 2.0), 1e-9, RandomVector(&seed));  // nearly
        if (trial % 5 == 3) f.u = wfScaleD(f.u, pow(10.0, -20.0 * fabs(NextRandom(&seed)))); // one column vanishes
        if (trial % 100 == 4) f = (wfMat32D){{0, 0, 0}, {0, 0, 0}};
        wfPolarD p = wfPolar3x2D(f);
        double scale = fmax(wfLengthD(f.u), wfLengthD(f.v));
        CHECK_NEAR(wfDotD(p.r.u, p.r.u), 1.0, 1e-14);
        CHECK_NEAR(wfDotD(p.r.v, p.r.v), 1.0, 1e-14);
        CHECK_NEAR(wfDotD(p.r.u, p.r.v), 0.0, 1e-14);
        CHECK_NEAR(wfLengthD(wfSubD(wfCrossD(p.r.u, p.r.v), p.normal)), 0.0, 1e-14);
        wfVec3D u = wfMulAddD(wfScaleD(p.r.u, p.uu), p.uv, p.r.v), v = wfMulAddD(wfScaleD(p.r.v, p.vv), p.uv, p.r.u);
        CHECK_NEAR(wfLengthD(wfSubD(u, f.u)), 0.0, 1e-14 * scale);
        CHECK_NEAR(wfLengthD(wfSubD(v, f.v)), 0.0, 1e-14 * scale);
        CHECK_NEAR(p.uu * p.vv - p.uv * p.uv, p.det, 1e-14 * scale * scale);
        assert_true(p.uu >= -1e-15 * scale && p.vv >= -1e-15 * scale && p.det >= 0.0);
        wfSvdD d = wfSvd3x2D(f);
        assert_true(d.large >= d.small && d.small >= 0.0);
        CHECK_NEAR(d.c * d.c + d.s * d.s, 1.0, 1e-14);
        CHECK_NEAR(wfDotD(d.u.u, d.u.v), 0.0, 1e-14);
        u = wfMulAddD(wfScaleD(d.u.u, d.large * d.c), -d.small * d.s, d.u.v);
        v = wfMulAddD(wfScaleD(d.u.u, d.large * d.s), d.small * d.c, d.u.v);
        CHECK_NEAR(wfLengthD(wfSubD(u, f.u)), 0.0, 3e-14 * scale);
        CHECK_NEAR(wfLengthD(wfSubD(v, f.v)), 0.0, 3e-14 * scale);
        wfPolar s = wfPolar3x2((wfMat32){wfNarrow(f.u), wfNarrow(f.v)});
        CHECK_NEAR(wfDot(s.r.u, s.r.u), 1.0, 1e-6);
        CHECK_NEAR(wfDot(s.r.v, s.r.v), 1.0, 1e-6);
        CHECK_NEAR(wfDot(s.r.u, s.r.v), 0.0, 1e-6);
    }
}

static void TestDerivatives(void** state) {
    (void)state;
    uint64_t seed = 1;
    for (int model = 0; model < wf_elementModelCount; ++model) {
        Triangle t = MakeTriangle((wfMembraneModel)model);
        double worstGradient = 0.0, worstHessian = 0.0;
        for (int trial = 0; trial < 200 + DeformationCount; ++trial) {
            wfVec3D x[3];
            if (trial < DeformationCount) {
                Place(s_deformations[trial].map, &seed, x);
            } else {
                for (int k = 0; k < 3; ++k) x[k] = wfScaleD(RandomVector(&seed), 0.03);
            }
            // The scale of a force: stiffness times the size of the triangle, so that zero at rest is judged too.
            double gradient = GradientError(Energy, Gradient, &t, x, 3, 2e-6, 900.0 * 0.02);
            double hessian = HessianError(Gradient, Block, &t, x, 3, 2e-6);
            if (gradient > 1e-9 || hessian > 1e-8)
                fail_msg("%s, %s: gradient off by %.3g, Hessian by %.3g", s_names[model],
                         trial < DeformationCount ? s_deformations[trial].name : "random", gradient, hessian);
            worstGradient = fmax(worstGradient, gradient), worstHessian = fmax(worstHessian, hessian);
        }
        print_message("%-13s worst relative error: gradient %.1e, Hessian %.1e\n", s_names[model], worstGradient, worstHessian);
    }
}

static void TestClampedHessian(void** state) {
    (void)state;
    uint64_t seed = 2;
    for (int model = 0; model < wf_elementModelCount; ++model) {
        for (int trial = 0; trial < 60 + DeformationCount; ++trial) {
            Triangle t = MakeTriangle((wfMembraneModel)model);
            wfVec3D x[3];
            if (trial < DeformationCount) {
                Place(s_deformations[trial].map, &seed, x);
            } else {
                for (int k = 0; k < 3; ++k) x[k] = wfScaleD(RandomVector(&seed), 0.03);
            }
            t.clamped = true;
            double least, most;
            CurvatureRange(Block, &t, x, 3, &seed, &least, &most);
            if (!(least >= -1e-9 * most)) fail_msg("%s: curvature %.3g of %.3g", s_names[model], least, most);
        }
        // What the clamp is for is there to be seen.
        {
            Triangle t = MakeTriangle((wfMembraneModel)model);
            wfVec3D x[3];
            double least, most;
            Place(s_deformations[4].map, &seed, x);
            CurvatureRange(Block, &t, x, 3, &seed, &least, &most);
            assert_true(least < -0.01 * most);
        }
        // In pure tension without shear nothing has to be clamped: both are the same. (With shear the fabric drops a term.)
        Triangle t = MakeTriangle((wfMembraneModel)model);
        wfVec3D x[3];
        Place(s_deformations[1].map, &seed, x);
        for (int k = 0; k < 3; ++k) x[k] = wfScaleD(x[k], 1.3);
        for (int i = 0; i < 3; ++i) {
            wfMat3D exact = Block(&t, x, i, i);
            t.clamped = true;
            wfMat3D clamped = Block(&t, x, i, i);
            t.clamped = false;
            for (int a = 0; a < 9; ++a) CHECK_NEAR(clamped.m[a / 3][a % 3], exact.m[a / 3][a % 3], 1e-9 * 900.0);
        }
    }
    // Collapsed to a line and to a point everything stays finite.
    for (int model = 0; model < wf_elementModelCount; ++model) {
        Triangle t = MakeTriangle((wfMembraneModel)model);
        t.clamped = true;
        wfVec3D line[3] = {{0, 0, 0}, {0.02, 0, 0}, {0.01, 0, 0}}, point[3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
        const wfVec3D* states[2] = {line, point};
        for (int s = 0; s < 2; ++s) {
            wfVec3D g[3];
            assert_true(isfinite(Energy(&t, states[s])));
            Gradient(&t, states[s], g);
            for (int k = 0; k < 3; ++k) {
                assert_true(isfinite(g[k].x) && isfinite(g[k].y) && isfinite(g[k].z));
                wfMat3D h = Block(&t, states[s], k, k);
                for (int a = 0; a < 9; ++a) assert_true(isfinite(h.m[a / 3][a % 3]));
            }
        }
    }
}

static void TestRigidAndMomentum(void** state) {
    (void)state;
    uint64_t seed = 3;
    for (int model = 0; model < wf_elementModelCount; ++model) {
        Triangle t = MakeTriangle((wfMembraneModel)model);
        for (int trial = 0; trial < 100; ++trial) {
            wfVec3D x[3], g[3];
            Place(s_deformations[0].map, &seed, x);
            CHECK_NEAR(Energy(&t, x), 0.0, 1e-25);
            Gradient(&t, x, g);
            for (int k = 0; k < 3; ++k) CHECK_NEAR(wfLengthD(g[k]), 0.0, 1e-11);
            for (int k = 0; k < 3; ++k) x[k] = wfScaleD(RandomVector(&seed), 0.03);
            Gradient(&t, x, g);
            CHECK_NEAR(MomentumError(x, g, 3), 0.0, 1e-14);
        }
    }
}

static void TestSinglePrecision(void** state) {
    (void)state;
    uint64_t seed = 4;
    for (int model = 0; model < wf_elementModelCount; ++model) {
        Triangle t = MakeTriangle((wfMembraneModel)model);
        wfElement element = wfElement_Narrow(t.element);
        wfPlanar law = wfPlanar_Narrow(t.law);
        for (int trial = 0; trial < 200; ++trial) {
            wfVec3 x[3], g[3];
            wfVec3D wide[3], exact[3];
            for (int k = 0; k < 3; ++k) {
                x[k] = wfNarrow(wfScaleD(RandomVector(&seed), 0.03));
                wide[k] = wfWiden(x[k]); // the same state: only the arithmetic differs
            }
            wfMembrane_Gradient((wfMembraneModel)model, &law, &element, x, g);
            Gradient(&t, wide, exact);
            double scale = 0.0, energy = Energy(&t, wide);
            for (int k = 0; k < 3; ++k) scale = fmax(scale, wfLengthD(exact[k]));
            for (int k = 0; k < 3; ++k) CHECK_NEAR(wfLengthD(wfSubD(wfWiden(g[k]), exact[k])), 0.0, 2e-5 * scale);
            CHECK_NEAR(wfMembrane_Energy((wfMembraneModel)model, &law, &element, x), energy, 1e-5 * energy);
            wfMat3 blocks[3][3];
            wfMembrane_Hessian((wfMembraneModel)model, &law, &element, x, true, blocks);
            t.clamped = true;
            wfMat3D h = Block(&t, wide, trial % 3, trial % 3);
            t.clamped = false;
            double size = fmax(h.m[0][0], fmax(h.m[1][1], h.m[2][2]));
            for (int a = 0; a < 9; ++a) CHECK_NEAR(blocks[trial % 3][trial % 3].m[a / 3][a % 3], h.m[a / 3][a % 3], 1e-4 * size);
        }
    }
}

/// Force per width that a patch answers to a strain along a thread when it may narrow freely, and to a shear: against the fabric.
static void TestModuli(void** state) {
    (void)state;
    wfFabric fabric = wfDefaultFabric();
    fabric.stretch = 700.0f;
    fabric.stretch_warp = 9.0f / 7.0f;
    fabric.stretch_weft = 4.0f / 7.0f;
    fabric.shear = 60.0f;
    fabric.poisson = 0.3f;
    for (int model = 0; model < wf_elementModelCount; ++model) {
        wfPlanarD law = wfMakePlanar(&fabric, (wfMembraneModel)model);
        bool isotropic = model != wf_membraneFabric;
        double strain = 0.002, young[2] = {isotropic ? 700.0 : 900.0, isotropic ? 700.0 : 400.0};
        for (int thread = 0; thread < 2; ++thread) {
            double high = 1.0 + strain, wide = 1.0; // find the width that no force is needed to hold
            for (int k = 0; k < 50; ++k) {
                wfMat32D f = thread == 0 ? (wfMat32D){{high, 0, 0}, {0, wide, 0}} : (wfMat32D){{wide, 0, 0}, {0, high, 0}};
                wfMat32D p = wfMembrane_StressD((wfMembraneModel)model, &law, f);
                wide -= (thread == 0 ? p.v.y : p.u.x) / law.uu;
            }
            wfMat32D f = thread == 0 ? (wfMat32D){{high, 0, 0}, {0, wide, 0}} : (wfMat32D){{wide, 0, 0}, {0, high, 0}};
            wfMat32D p = wfMembrane_StressD((wfMembraneModel)model, &law, f);
            CHECK_NEAR((thread == 0 ? p.u.x : p.v.y) / strain, young[thread], 0.01 * young[thread]);
            // nu_uv / E_u = nu_vu / E_v
            double narrowing = 0.3 * sqrt(young[thread] / young[1 - thread]);
            CHECK_NEAR((1.0 - wide) / strain, narrowing, 0.01 * narrowing);
        }
        double shear = isotropic ? 0.5 * 700.0 / 1.3 : 60.0, angle = 0.002;
        wfMat32D p = wfMembrane_StressD((wfMembraneModel)model, &law, (wfMat32D){{1, 0, 0}, {angle, 1, 0}});
        CHECK_NEAR(p.v.x / angle, shear, 0.01 * shear);
    }
    // A mirrored flat shape is the same element.
    wfFlatTriangle mirrored = s_flat;
    for (int k = 0; k < 3; ++k) mirrored.corner[k].x = -mirrored.corner[k].x;
    uint64_t seed = 6;
    Triangle t = MakeTriangle(wf_membraneFabric), m = t;
    m.element = wfMakeElement(&mirrored);
    for (int trial = 0; trial < 20; ++trial) {
        wfVec3D x[3];
        for (int k = 0; k < 3; ++k) x[k] = wfScaleD(RandomVector(&seed), 0.03);
        CHECK_NEAR(Energy(&m, x), Energy(&t, x), 1e-12 * Energy(&t, x));
    }
}

/// The orders that the header states: constant modulus of a thread, growth by 1.5 times the strain for StVK, ARAP for lambda = 0.
static void TestLargeStrain(void** state) {
    (void)state;
    wfPlanarD law = wfMakeOrthotropic(1000.0, 1000.0, 200.0, 0.0);
    wfMat32D f = {{1.3, 0, 0}, {0, 1, 0}};
    CHECK_NEAR(wfMembrane_StressD(wf_membraneFabric, &law, f).u.x, 300.0, 1e-9);
    CHECK_NEAR(wfMembrane_StressD(wf_membraneStVK, &law, f).u.x, 1.3 * 1000.0 * 0.5 * (1.69 - 1.0), 1e-9);
    wfPlanarD arap = {.uu = 1000.0, .vv = 1000.0, .uv = 0.0, .shear = 500.0};
    wfMat32D p = wfMembrane_StressD(wf_membraneCorotational, &arap, (wfMat32D){{1.2, 0, 0.1}, {0.3, 0.8, 0.2}});
    wfPolarD polar = wfPolar3x2D((wfMat32D){{1.2, 0, 0.1}, {0.3, 0.8, 0.2}});
    CHECK_NEAR(p.u.x, 1000.0 * (1.2 - polar.r.u.x), 1e-9);
    CHECK_NEAR(p.v.z, 1000.0 * (0.2 - polar.r.v.z), 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestPolar),           cmocka_unit_test(TestDerivatives),
        cmocka_unit_test(TestClampedHessian),  cmocka_unit_test(TestRigidAndMomentum),
        cmocka_unit_test(TestSinglePrecision), cmocka_unit_test(TestModuli),
        cmocka_unit_test(TestLargeStrain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
