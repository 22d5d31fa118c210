// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "patch.h"

#include "difference.h"
#include "dynamics/viscosity.h"

// The Laplacian against plain loops over triangles in double precision, then its promises: waves die away at the rate that the fabric
// says on any mesh, and nothing else changes.

typedef struct Rig {
    Patch patch;
    wfDevice* device;
    wfViscosity viscosity;
    wfState state;
    int n;
    wfVec4 *x, *v, *target; // host
} Rig;

static void Rig_Create(Rig* rig, float depth, int side, wfSheetPattern pattern, float viscosity, int threads) {
    wfDeviceDef def = wfDefaultDeviceDef();
    def.kind = wf_deviceCpu;
    def.threadCount = threads;
    wfError err = {0};
    *rig = (Rig){.device = wfCreateDevice(&def, &err), .viscosity = wfMakeViscosity()};
    if (rig->device == NULL) fail_msg("%s", err.text);
    wfFabric fabric = {.density = 0.15f, .viscosity = viscosity};
    MakePatch(&rig->patch, 1.0f, depth, side, pattern, &fabric);
    CHECK_OK(wfViscosity_Create(&rig->viscosity, rig->device, &rig->patch.model, &err), err);
    rig->n = rig->patch.model.vertexCount;
    rig->state.vertexCount = rig->n;
    rig->state.x = wfMakeBuffer(sizeof(wfVec4), "x");
    rig->state.v = wfMakeBuffer(sizeof(wfVec4), "v");
    rig->state.target = wfMakeBuffer(sizeof(wfVec4), "target");
    rig->x = calloc((size_t)rig->n, sizeof *rig->x);
    rig->v = calloc((size_t)rig->n, sizeof *rig->v);
    rig->target = calloc((size_t)rig->n, sizeof *rig->target);
    for (int i = 0; i < rig->n; ++i) rig->x[i] = wfMake4(rig->patch.mesh.positions[i], rig->patch.mass[i]);
}

static void Rig_Free(Rig* rig) {
    wfViscosity_Free(&rig->viscosity, rig->device);
    wfFreeBuffer(rig->device, &rig->state.x);
    wfFreeBuffer(rig->device, &rig->state.v);
    wfFreeBuffer(rig->device, &rig->state.target);
    assert_int_equal(wfDevice_GetMemory(rig->device), sizeof(wfFaultSlot));
    wfDestroyDevice(rig->device);
    FreePatch(&rig->patch);
    free(rig->x);
    free(rig->v);
    free(rig->target);
}

static void Upload(Rig* rig) {
    wfUpload(rig->device, &rig->state.x, rig->x, (size_t)rig->n);
    wfUpload(rig->device, &rig->state.v, rig->v, (size_t)rig->n);
    wfUpload(rig->device, &rig->state.target, rig->target, (size_t)rig->n);
}

/// Velocities after `steps` steps of dt; malloc'ed.
static wfVec4* Run(Rig* rig, float dt, int steps) {
    Upload(rig);
    for (int k = 0; k < steps; ++k) wfViscosity_Apply(&rig->viscosity, rig->device, &rig->state, dt);
    wfVec4* v = malloc((size_t)rig->n * sizeof *v);
    wfError err = {0};
    CHECK_OK(wfDownload(rig->device, v, &rig->state.v, 0, (size_t)rig->n, &err), err);
    return v;
}

/// A crumpled sheet with random velocities, turned and far from the origin.
static void Disturb(Rig* rig, bool hold) {
    uint64_t seed = 11;
    wfMat3D turn = RandomRotation(&seed);
    for (int i = 0; i < rig->n; ++i) {
        wfVec3D p = wfMulAddD(wfWiden(rig->patch.mesh.positions[i]), 0.02, RandomVector(&seed));
        wfVec3D x = wfAddD(wfMat3_ApplyD(&turn, p), wfMake3D(0.5, 1.0, -0.7));
        rig->x[i] = wfMake4(wfNarrow(x), rig->patch.mass[i]);
        rig->v[i] = wfMake4(wfNarrow(wfAddD(RandomVector(&seed), wfMake3D(1, 0, 0.5))), (float)i);
        rig->target[i].w = hold && i % 13 == 0 ? -1.0f : 0.0f;
    }
}

typedef struct Motion {
    wfVec3D linear, angular; // momenta, the second about the center
    wfVec3D center;
    double energy, mass, scale;
} Motion;

static Motion MotionOf(const Rig* rig, const wfVec4* v) {
    Motion m = {0};
    for (int i = 0; i < rig->n; ++i) {
        m.mass += rig->x[i].w;
        m.center = wfMulAddD(m.center, rig->x[i].w, wfWiden(wfXyz(rig->x[i])));
    }
    m.center = wfScaleD(m.center, 1.0 / m.mass);
    for (int i = 0; i < rig->n; ++i) {
        wfVec3D u = wfWiden(wfXyz(v[i])), p = wfScaleD(u, rig->x[i].w);
        m.linear = wfAddD(m.linear, p);
        m.angular = wfAddD(m.angular, wfCrossD(wfSubD(wfWiden(wfXyz(rig->x[i])), m.center), p));
        m.energy += 0.5 * wfDotD(u, p);
        m.scale += wfLengthD(p);
    }
    return m;
}

/// Takes the rigid motion out of w.
static void RemoveRigid(const Rig* rig, wfVec3D* w) {
    double mass = 0.0, inertia[3][3] = {{0}};
    wfVec3D center = {0, 0, 0}, linear = {0, 0, 0}, angular = {0, 0, 0};
    for (int i = 0; i < rig->n; ++i) {
        mass += rig->x[i].w;
        center = wfMulAddD(center, rig->x[i].w, wfWiden(wfXyz(rig->x[i])));
        linear = wfMulAddD(linear, rig->x[i].w, w[i]);
    }
    center = wfScaleD(center, 1.0 / mass);
    linear = wfScaleD(linear, 1.0 / mass);
    for (int i = 0; i < rig->n; ++i) {
        wfVec3D r = wfSubD(wfWiden(wfXyz(rig->x[i])), center);
        double c[3] = {r.x, r.y, r.z};
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) inertia[a][b] += rig->x[i].w * ((a == b ? wfDotD(r, r) : 0.0) - c[a] * c[b]);
        angular = wfMulAddD(angular, rig->x[i].w, wfCrossD(r, w[i]));
    }
    double rhs[3] = {angular.x, angular.y, angular.z}; // elimination; the inertia of a sheet is well away from singular
    for (int k = 0; k < 3; ++k)
        for (int a = k + 1; a < 3; ++a) {
            double f = inertia[a][k] / inertia[k][k];
            for (int b = 0; b < 3; ++b) inertia[a][b] -= f * inertia[k][b];
            rhs[a] -= f * rhs[k];
        }
    double o[3];
    for (int k = 2; k >= 0; --k) {
        o[k] = rhs[k];
        for (int b = k + 1; b < 3; ++b) o[k] -= inertia[k][b] * o[b];
        o[k] /= inertia[k][k];
    }
    for (int i = 0; i < rig->n; ++i) {
        wfVec3D r = wfSubD(wfWiden(wfXyz(rig->x[i])), center);
        w[i] = wfSubD(wfSubD(w[i], linear), wfCrossD(wfMake3D(o[0], o[1], o[2]), r));
    }
}

/// Q L Q v triangle by triangle: the gradient of viscosity density / 2 sum area |grad w|² over the flat shape.
static void PlainRate(const Rig* rig, wfVec3D* rate) {
    const wfModel* model = &rig->patch.model;
    wfVec3D* w = malloc((size_t)rig->n * sizeof *w);
    for (int i = 0; i < rig->n; ++i) {
        w[i] = wfWiden(wfXyz(rig->v[i]));
        rate[i] = wfMake3D(0, 0, 0);
    }
    RemoveRigid(rig, w);
    double strength = (double)rig->patch.cloth.fabric.viscosity * rig->patch.cloth.fabric.density;
    for (int t = 0; t < model->triangleCount; ++t) {
        const wfVec2* c = model->flat[t].corner;
        const int* v = model->triangles[t].v;
        double area2 = (double)(c[1].x - c[0].x) * (c[2].y - c[0].y) - (double)(c[2].x - c[0].x) * (c[1].y - c[0].y);
        double gx[3], gy[3]; // gradients of the shape functions
        for (int k = 0; k < 3; ++k) {
            const wfVec2 *p = &c[(k + 1) % 3], *q = &c[(k + 2) % 3];
            gx[k] = ((double)p->y - q->y) / area2;
            gy[k] = ((double)q->x - p->x) / area2;
        }
        for (int k = 0; k < 3; ++k)
            for (int l = 0; l < 3; ++l) {
                double h = -strength * 0.5 * fabs(area2) * (gx[k] * gx[l] + gy[k] * gy[l]) / rig->x[v[k]].w;
                rate[v[k]] = wfMulAddD(rate[v[k]], h, w[v[l]]);
            }
    }
    for (int i = 0; i < rig->n; ++i)
        if (rig->target[i].w < 0.0f) rate[i] = wfMake3D(0, 0, 0);
    RemoveRigid(rig, rate);
    for (int i = 0; i < rig->n; ++i)
        if (rig->target[i].w < 0.0f) rate[i] = wfMake3D(0, 0, 0);
    free(w);
}

static void TestRate(void** state) {
    (void)state;
    const wfSheetPattern patterns[] = {wf_patternRegular, wf_patternAlternating, wf_patternIrregular};
    for (int k = 0; k < 6; ++k) {
        Rig rig;
        Rig_Create(&rig, 0.7f, 15, patterns[k % 3], 0.1f, 1);
        Disturb(&rig, k >= 3);
        wfVec3D* rate = malloc((size_t)rig.n * sizeof *rate);
        PlainRate(&rig, rate);
        const float dt = 1e-4f; // a hundredth of what one stage reaches
        wfVec4* v = Run(&rig, dt, 1);
        double scale = 0.0;
        for (int i = 0; i < rig.n; ++i) scale = fmax(scale, wfLengthD(rate[i]));
        for (int i = 0; i < rig.n; ++i) {
            wfVec3D change = wfScaleD(wfSubD(wfWiden(wfXyz(v[i])), wfWiden(wfXyz(rig.v[i]))), 1.0 / dt);
            CHECK_NEAR(wfLengthD(wfSubD(change, rate[i])), 0.0, 1e-2 + 1e-4 * scale); // 1e-2: rounding of velocities of 1 m/s, over dt
            assert_true(v[i].w == rig.v[i].w);
        }
        assert_true(scale > 50.0);
        free(v);
        free(rate);
        Rig_Free(&rig);
    }
}

static void TestRigidMotionStays(void** state) {
    (void)state;
    Rig rig;
    Rig_Create(&rig, 0.3f, 21, wf_patternIrregular, 1.0f, 1);
    Disturb(&rig, true);
    wfVec3 omega = wfMake3(2.0f, -3.0f, 1.0f);
    for (int i = 0; i < rig.n; ++i) rig.v[i] = wfMake4(wfAdd(wfMake3(1, 2, 3), wfCross(omega, wfXyz(rig.x[i]))), 0.0f);
    wfVec4* v = Run(&rig, 0.005f, 20);
    for (int i = 0; i < rig.n; ++i) CHECK_NEAR(wfDistance(wfXyz(v[i]), wfXyz(rig.v[i])), 0.0, 3e-5); // of 7 m/s, in 20 steps
    free(v);
    Rig_Free(&rig);
}

static void TestMomentum(void** state) {
    (void)state;
    const float viscosities[] = {1e-5f, 1e-3f, 0.1f, 10.0f};
    for (int k = 0; k < 4; ++k) {
        Rig rig;
        Rig_Create(&rig, 0.6f, 25, wf_patternIrregular, viscosities[k], 1);
        Disturb(&rig, false);
        wfVec4* v = Run(&rig, 0.005f, 10);
        Motion a = MotionOf(&rig, rig.v), b = MotionOf(&rig, v);
        CHECK_NEAR(wfLengthD(wfSubD(a.linear, b.linear)) / a.scale, 0.0, 2e-6); // 10 steps, each a sum in single precision
        CHECK_NEAR(wfLengthD(wfSubD(a.angular, b.angular)) / a.scale, 0.0, 2e-6);
        assert_true(b.energy < a.energy);
        // What is left after the strongest is rigid motion.
        if (k == 3) {
            wfVec3D* w = malloc((size_t)rig.n * sizeof *w);
            for (int i = 0; i < rig.n; ++i) w[i] = wfWiden(wfXyz(v[i]));
            RemoveRigid(&rig, w);
            for (int i = 0; i < rig.n; ++i) CHECK_NEAR(wfLengthD(w[i]), 0.0, 0.02);
            free(w);
        }
        free(v);
        Rig_Free(&rig);
    }
}

static void TestHeld(void** state) {
    (void)state;
    const float viscosities[] = {1e-3f, 0.1f, 10.0f};
    for (int k = 0; k < 3; ++k) {
        Rig rig;
        Rig_Create(&rig, 0.6f, 25, wf_patternIrregular, viscosities[k], 1);
        Disturb(&rig, true);
        for (int i = 0; i < rig.n; ++i)
            if (rig.target[i].w < 0.0f) rig.v[i] = wfMake4(wfMake3(0, 0, 0), 5.0f);
        double energy = MotionOf(&rig, rig.v).energy;
        for (int step = 0; step < 30; ++step) { // with vertices held at rest, energy goes down and down
            wfVec4* v = Run(&rig, 0.005f, 1);
            double now = MotionOf(&rig, v).energy;
            assert_true(now <= energy * (1.0 + 1e-6));
            energy = now;
            for (int i = 0; i < rig.n; ++i) {
                if (rig.target[i].w < 0.0f) assert_memory_equal(&v[i], &rig.v[i], sizeof v[i]);
                rig.v[i] = v[i];
            }
            free(v);
        }
        Rig_Free(&rig);
    }
}

/// How much of the wave cos(2 pi x) across the sheet is left after a while.
static double WaveLeft(int side, wfSheetPattern pattern, float viscosity, float dt, int steps) {
    Rig rig;
    Rig_Create(&rig, 0.5f, side, pattern, viscosity, 1);
    const double pi = 3.14159265358979;
    double x0 = 1e9;
    for (int i = 0; i < rig.n; ++i) x0 = fmin(x0, rig.x[i].x);
    for (int i = 0; i < rig.n; ++i) rig.v[i] = wfMake4(wfMake3(0, (float)cos(2.0 * pi * (rig.x[i].x - x0)), 0), 0.0f);
    wfVec4* v = Run(&rig, dt, steps);
    double before = 0.0, after = 0.0;
    for (int i = 0; i < rig.n; ++i) {
        before += rig.x[i].w * rig.v[i].y * rig.v[i].y;
        after += rig.x[i].w * rig.v[i].y * v[i].y;
    }
    free(v);
    Rig_Free(&rig);
    return after / before;
}

static void TestWaves(void** state) {
    (void)state;
    // exp(-viscosity (2 pi)² t) with t = 0.1 s: a third of it is left. The P1 Laplacian is off by (k h)²/12 of the rate.
    const double rate = 0.3 * 39.4784176;
    const wfSheetPattern patterns[] = {wf_patternRegular, wf_patternAlternating, wf_patternIrregular};
    for (int p = 0; p < 3; ++p) {
        const int sides[] = {13, 25, 49};
        for (int k = 0; k < 3; ++k) {
            double measured = -log(WaveLeft(sides[k], patterns[p], 0.3f, 0.001f, 100)) / 0.1;
            print_message("pattern %d, %d vertices a side: rate %.4f 1/s, expected %.4f\n", p, sides[k], measured, rate);
            CHECK_NEAR(measured / rate, 1.0, k == 0 ? 0.05 : 0.015);
        }
    }
    // One long step of many stages is of first order; it still decays, and halving the step halves the error.
    double e[3];
    for (int k = 0; k < 3; ++k) e[k] = -log(WaveLeft(49, wf_patternAlternating, 0.3f, 0.02f / (float)(1 << k), 5 << k)) / 0.1 / rate - 1.0;
    print_message("error of steps of 20, 10, 5 ms: %.4f %.4f %.4f\n", e[0], e[1], e[2]);
    CHECK_NEAR(e[0], 0.0, 0.15);
    CHECK_NEAR(e[2], 0.0, 0.04);
}

static void TestThreadsAndNone(void** state) {
    (void)state;
    wfVec4* v[2];
    int n = 0;
    for (int k = 0; k < 2; ++k) {
        Rig rig;
        Rig_Create(&rig, 1.0f, 80, wf_patternIrregular, 0.01f, k == 0 ? 1 : 3);
        Disturb(&rig, true);
        v[k] = Run(&rig, 0.005f, 3);
        n = rig.n;
        Rig_Free(&rig);
    }
    assert_memory_equal(v[0], v[1], (size_t)n * sizeof *v[0]);
    free(v[0]);
    free(v[1]);
    Rig rig;
    Rig_Create(&rig, 1.0f, 10, wf_patternIrregular, 0.0f, 1);
    assert_int_equal(wfDevice_GetMemory(rig.device), sizeof(wfFaultSlot));
    Disturb(&rig, false);
    v[0] = Run(&rig, 0.005f, 3);
    assert_memory_equal(v[0], rig.v, (size_t)rig.n * sizeof *v[0]);
    free(v[0]);
    Rig_Free(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestRate),  cmocka_unit_test(TestRigidMotionStays), cmocka_unit_test(TestMomentum), cmocka_unit_test(TestHeld),
        cmocka_unit_test(TestWaves), cmocka_unit_test(TestThreadsAndNone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
