// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "patch.h"

#include "difference.h"
#include "elastic/limit.h"
#include "elastic/limit_kernels.h"
#include "elastic/springs.h"

#include <string.h>

// Strain and strain-rate limits: sweep by sweep against a plain loop over edges in double precision, then what they promise.

typedef struct Rig {
    Patch patch;
    wfDevice* device;
    wfLimits limits;
    wfState state;
    int n;
    wfVec4 *x, *v, *target; // host
} Rig;

static wfDevice* Open(int threads) {
    wfDeviceDef def = wfDefaultDeviceDef();
    def.kind = wf_deviceCpu;
    def.threadCount = threads;
    wfError err = {0};
    wfDevice* device = wfCreateDevice(&def, &err);
    if (device == NULL) fail_msg("%s", err.text);
    return device;
}

static void Rig_Create(Rig* rig, int side, wfSheetPattern pattern, int threads) {
    *rig = (Rig){.device = Open(threads), .limits = wfMakeLimits()};
    wfFabric fabric = {.density = 0.2f, .stretch = 1000.0f};
    MakePatch(&rig->patch, 1.0f, 1.0f, side, pattern, &fabric);
    wfError err = {0};
    CHECK_OK(wfLimits_Create(&rig->limits, rig->device, &rig->patch.model, &err), err);
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
    wfLimits_Free(&rig->limits, rig->device);
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

static void Download(Rig* rig, wfVec4* v) {
    wfError err = {0};
    CHECK_OK(wfDownload(rig->device, v, &rig->state.v, 0, (size_t)rig->n, &err), err);
}

/// Velocities up to `speed`, positions up to `way` away from the flat sheet, some masses thirty times the others, and a few held vertices.
static void Disturb(Rig* rig, double speed, double way, bool hold) {
    uint64_t seed = 7;
    for (int i = 0; i < rig->n; ++i) {
        wfVec3 d = wfNarrow(RandomVector(&seed)), v = wfNarrow(RandomVector(&seed));
        rig->x[i] = wfMake4(wfMulAdd(rig->patch.mesh.positions[i], (float)way, d), rig->patch.mass[i] * (i % 3 == 0 ? 30.0f : 1.0f));
        rig->v[i] = wfMake4(wfScale(v, (float)speed), (float)i);
        rig->target[i].w = hold && i % 17 == 0 ? -1.0f : 0.0f;
    }
    Upload(rig);
}

// ---- the plain loop -----------------------------------------------------------------------------------------------------------

typedef struct Reach {
    wfVec3D along;
    double now, least, most;
} Reach;

/// Largest y >= 0 with |(y, aside)| <= length; 0 where there is none. By bisection, where the device has a root.
static double Along(double length, double aside) {
    double a = 0.0, b = length;
    for (int k = 0; k < 100; ++k) {
        double middle = 0.5 * (a + b);
        if (hypot(middle, aside) > length)
            b = middle;
        else
            a = middle;
    }
    return a;
}

static Reach MakeReach(const Rig* rig, const wfVec3D* v, int p, int q, double dt, double lo, double hi, double inner) {
    wfVec3D r = wfSubD(wfWiden(wfXyz(rig->x[q])), wfWiden(wfXyz(rig->x[p])));
    Reach reach = {.along = wfScaleD(r, 1.0 / wfLengthD(r))};
    wfVec3D end = wfMulAddD(r, dt, wfSubD(v[q], v[p]));
    reach.now = wfDotD(end, reach.along);
    double aside = wfLengthD(wfMulAddD(end, -reach.now, reach.along));
    reach.least = Along(lo, aside);
    reach.most = fmax(Along(hi, aside), inner);
    return reach;
}

static double Mobility(const Rig* rig, int i) { return rig->target[i].w < 0.0f ? 0.0 : 1.0 / rig->x[i].w; }

/// Sweeps from `given`, edge by edge as in the mesh; v is the result, impulses those of the edges.
static void PlainStrain(const Rig* rig, const wfVec3D* given, double* impulses, wfVec3D* v, double dt, double limit, int sweeps) {
    const wfTopology* topology = &rig->patch.topology;
    double* busy = calloc((size_t)rig->n, sizeof *busy);
    double* last = calloc((size_t)topology->edgeCount, sizeof *last);
    for (int i = 0; i < rig->n; ++i) v[i] = given[i];
    for (int sweep = 0; sweep <= sweeps; ++sweep) {
        for (int e = 0; e < topology->edgeCount; ++e) {
            wfSpring s = wfSpring_Along(&rig->patch.model, e);
            double lo = (1.0 - limit) * s.rest, hi = (1.0 + limit) * s.rest, mp = Mobility(rig, s.v[0]), mq = Mobility(rig, s.v[1]);
            Reach r = MakeReach(rig, v, s.v[0], s.v[1], dt, lo, hi, lo);
            if (mp + mq == 0.0) continue;
            if (sweep == 0) {
                if (impulses[e] == 0.0 && (r.now < r.least || r.now > r.most)) impulses[e] = 1e-30;
                last[e] = impulses[e];
                continue;
            }
            double more = impulses[e] == 0.0, mass = 1.0 / ((busy[s.v[0]] + more) * mp + (busy[s.v[1]] + more) * mq);
            double pull = impulses[e] + mass * (r.most - r.now) / dt, push = impulses[e] + mass * (r.least - r.now) / dt;
            double now = pull < 0.0 ? pull : push > 0.0 ? push : 0.0;
            impulses[e] = now + (sweep < sweeps ? (sweep - 1.0) / (sweep + 2.0) : 0.0) * (now - last[e]);
            last[e] = now;
        }
        for (int i = 0; i < rig->n; ++i) {
            v[i] = given[i];
            busy[i] = 0.0;
        }
        for (int e = 0; e < topology->edgeCount; ++e)
            for (int side = 0; side < 2 && impulses[e] != 0.0; ++side) {
                int a = topology->edges[e].v[side], b = topology->edges[e].v[1 - side];
                wfVec3D r = wfSubD(wfWiden(wfXyz(rig->x[b])), wfWiden(wfXyz(rig->x[a])));
                v[a] = wfMulAddD(v[a], -impulses[e] * Mobility(rig, a) / wfLengthD(r), r);
                busy[a] += 1.0;
            }
    }
    free(busy);
    free(last);
}

static wfLimitEdge* DownloadEdges(const Rig* rig) {
    wfLimitEdge* edges = malloc((size_t)rig->limits.edgeCount * sizeof *edges);
    wfError err = {0};
    CHECK_OK(wfDownload(rig->device, edges, &rig->limits.edges, 0, (size_t)rig->limits.edgeCount, &err), err);
    return edges;
}

static void PlainRate(const Rig* rig, wfVec3D* v, double dt, double limit) {
    wfLimitEdge* edges = DownloadEdges(rig);
    for (int e = 0; e < rig->limits.edgeCount; ++e) {
        int p = edges[e].v[0], q = edges[e].v[1];
        double length = wfLengthD(wfSubD(wfWiden(wfXyz(rig->x[q])), wfWiden(wfXyz(rig->x[p]))));
        double share = Mobility(rig, p) + Mobility(rig, q);
        if (share == 0.0) continue;
        Reach r = MakeReach(rig, v, p, q, dt, (1.0 - limit) * length, (1.0 + limit) * length, length);
        double impulse = (r.now < r.least ? r.least - r.now : r.now > r.most ? r.most - r.now : 0.0) / dt / share;
        v[p] = wfMulAddD(v[p], -impulse * Mobility(rig, p), r.along);
        v[q] = wfMulAddD(v[q], impulse * Mobility(rig, q), r.along);
    }
    free(edges);
}

// ---- what is measured ---------------------------------------------------------------------------------------------------------

/// Furthest that an edge is from `limit`, as a share of its rest length (or of its length now) at the end of the step; <= 0: none is.
static double Excess(const Rig* rig, const wfVec4* v, double dt, double limit, bool rate) {
    double worst = -1.0;
    for (int e = 0; e < rig->patch.topology.edgeCount; ++e) {
        wfSpring s = wfSpring_Along(&rig->patch.model, e);
        wfVec3D r = wfSubD(wfWiden(wfXyz(rig->x[s.v[1]])), wfWiden(wfXyz(rig->x[s.v[0]])));
        wfVec3D u = wfSubD(wfWiden(wfXyz(v[s.v[1]])), wfWiden(wfXyz(v[s.v[0]])));
        double of = rate ? wfLengthD(r) : s.rest;
        worst = fmax(worst, fabs(wfLengthD(wfMulAddD(r, dt, u)) / of - 1.0) - limit);
    }
    return worst;
}

typedef struct Momentum {
    wfVec3D linear, angular;
    double scale; // sum of |m v|
} Momentum;

static Momentum MomentumOf(const Rig* rig, const wfVec4* v) {
    Momentum m = {0};
    for (int i = 0; i < rig->n; ++i) {
        wfVec3D p = wfScaleD(wfWiden(wfXyz(v[i])), rig->x[i].w);
        m.linear = wfAddD(m.linear, p);
        m.angular = wfAddD(m.angular, wfCrossD(wfWiden(wfXyz(rig->x[i])), p));
        m.scale += wfLengthD(p);
    }
    return m;
}

static void CheckSameMomentum(const Rig* rig, const wfVec4* before, const wfVec4* after) {
    Momentum a = MomentumOf(rig, before), b = MomentumOf(rig, after);
    // The sheet is about 1 m across and centred, so that torques and impulses have one scale.
    CHECK_NEAR(wfLengthD(wfSubD(a.linear, b.linear)) / a.scale, 0.0, 1e-7);
    CHECK_NEAR(wfLengthD(wfSubD(a.angular, b.angular)) / a.scale, 0.0, 1e-7);
}

static void CheckAgainstPlain(bool rate) {
    const wfSheetPattern patterns[] = {wf_patternRegular, wf_patternAlternating, wf_patternIrregular};
    for (int k = 0; k < 3; ++k) {
        Rig rig;
        Rig_Create(&rig, 13, patterns[k], 1);
        Disturb(&rig, 5.0, 0.03, true);
        wfVec3D* given = malloc((size_t)rig.n * sizeof *given);
        wfVec3D* v = malloc((size_t)rig.n * sizeof *v);
        wfVec4* device = malloc((size_t)rig.n * sizeof *device);
        double* impulses = calloc((size_t)rig.limits.edgeCount, sizeof *impulses);
        for (int i = 0; i < rig.n; ++i) given[i] = v[i] = wfWiden(wfXyz(rig.v[i]));
        for (int call = 0; call < 3; ++call) { // the second and third call of the strain limit go on with the impulses of the one before
            if (rate) {
                wfLimits_Rate(&rig.limits, rig.device, &rig.state, 0.01f, 0.1f, 1);
                PlainRate(&rig, v, 0.01f, 0.1f);
            } else {
                wfUpload(rig.device, &rig.state.v, rig.v, (size_t)rig.n);
                wfLimits_Strain(&rig.limits, rig.device, &rig.state, 0.01f, 0.1f, 1 + call);
                PlainStrain(&rig, given, impulses, v, 0.01f, 0.1f, 1 + call);
            }
            Download(&rig, device);
            double moved = 0.0;
            for (int i = 0; i < rig.n; ++i) {
                // |r| is about 0.08 m with up to 1e-8 m of rounding, divided by dt, from six edges or so and a few sweeps.
                CHECK_NEAR(wfLengthD(wfSubD(wfWiden(wfXyz(device[i])), v[i])), 0.0, 5e-5);
                moved = fmax(moved, wfLengthD(wfSubD(v[i], given[i])));
                if (rig.target[i].w < 0.0f) assert_memory_equal(&device[i], &rig.v[i], sizeof device[i]);
                assert_true(device[i].w == rig.v[i].w);
            }
            assert_true(moved > 0.5);
        }
        free(given);
        free(v);
        free(device);
        free(impulses);
        Rig_Free(&rig);
    }
}

static void TestStrainSweep(void** state) {
    (void)state;
    CheckAgainstPlain(false);
}

static void TestRateSweep(void** state) {
    (void)state;
    CheckAgainstPlain(true);
}

static void TestColours(void** state) {
    (void)state;
    Rig rig;
    Rig_Create(&rig, 20, wf_patternIrregular, 1);
    int count = rig.patch.topology.edgeCount;
    wfLimitEdge* edges = DownloadEdges(&rig);
    int* seen = calloc((size_t)rig.n, sizeof *seen);
    assert_int_equal(rig.limits.colorStart[0], 0);
    assert_int_equal(rig.limits.colorStart[rig.limits.colorCount], count);
    uint64_t sum = 0, expected = 0;
    for (int c = 0; c < rig.limits.colorCount; ++c) {
        assert_true(rig.limits.colorStart[c + 1] > rig.limits.colorStart[c]);
        for (int e = rig.limits.colorStart[c]; e < rig.limits.colorStart[c + 1]; ++e)
            for (int s = 0; s < 2; ++s) {
                assert_int_not_equal(seen[edges[e].v[s]], c + 1);
                seen[edges[e].v[s]] = c + 1;
            }
    }
    for (int e = 0; e < count; ++e) { // every edge once: a sum that tells them apart
        const int* v = rig.patch.topology.edges[e].v;
        sum += ((uint64_t)edges[e].v[0] * 1000003u + (uint64_t)edges[e].v[1]) * 2654435761u;
        expected += ((uint64_t)v[0] * 1000003u + (uint64_t)v[1]) * 2654435761u;
    }
    assert_true(sum == expected);
    free(edges);
    free(seen);
    Rig_Free(&rig);
}

// ---- what is promised ---------------------------------------------------------------------------------------------------------

static double KineticEnergy(const Rig* rig, const wfVec4* v) {
    double sum = 0.0;
    for (int i = 0; i < rig->n; ++i) sum += 0.5 * rig->x[i].w * wfDotD(wfWiden(wfXyz(v[i])), wfWiden(wfXyz(v[i])));
    return sum;
}

/// A free sheet under random velocities that would stretch it too far: what is left of that after so many sweeps.
static double LeftOver(bool rate, int sweeps, wfSheetPattern pattern, double speed) {
    Rig rig;
    Rig_Create(&rig, 13, pattern, 1);
    Disturb(&rig, speed, 0.01, false);
    wfVec4* v = malloc((size_t)rig.n * sizeof *v);
    if (rate)
        wfLimits_Rate(&rig.limits, rig.device, &rig.state, 0.02f, 0.1f, sweeps);
    else
        wfLimits_Strain(&rig.limits, rig.device, &rig.state, 0.02f, 0.1f, sweeps);
    Download(&rig, v);
    CheckSameMomentum(&rig, rig.v, v);
    if (rate) assert_true(KineticEnergy(&rig, v) <= KineticEnergy(&rig, rig.v));
    double excess = Excess(&rig, v, 0.02f, 0.1, rate);
    free(v);
    Rig_Free(&rig);
    return excess;
}

static void TestLimitsReached(void** state) {
    (void)state;
    const wfSheetPattern patterns[] = {wf_patternRegular, wf_patternAlternating, wf_patternIrregular};
    for (int k = 0; k < 3; ++k) {
        // Edges of 83 mm whose ends move 6 mm each way, one vertex in three thirty times as heavy.
        double start = LeftOver(false, 0, patterns[k], 0.3), some = LeftOver(false, 16, patterns[k], 0.3);
        double many = LeftOver(false, 256, patterns[k], 0.3);
        print_message("beyond 10 %% strain: %.4f, after 16 sweeps %.4f, after 256 %.5f\n", start, some, many);
        assert_true(start > 0.2 && some < 0.1 * start && many < 0.005);
        assert_true(LeftOver(true, 0, patterns[k], 0.3) > 0.05);
        CHECK_NEAR(fmax(LeftOver(true, 2, patterns[k], 0.3), 0.0), 0.0, 1e-6);
        // Twice as fast, and so fast that no impulse along the edges can help: momentum stays, energy never grows.
        assert_true(LeftOver(true, 0, patterns[k], 0.6) > 0.2);
        CHECK_NEAR(fmax(LeftOver(true, 32, patterns[k], 0.6), 0.0), 0.0, 1e-3);
        LeftOver(true, 64, patterns[k], 10.0);
        LeftOver(false, 4, patterns[k], 10.0);
    }
}

/// A sheet pulled evenly apart along x beyond its limit by its velocities: the strain comes out at the limit, not inside it.
static void TestEvenPull(void** state) {
    (void)state;
    Rig rig;
    Rig_Create(&rig, 9, wf_patternRegular, 1);
    const float dt = 0.01f;
    for (int i = 0; i < rig.n; ++i) rig.v[i] = wfMake4(wfMake3(0.11f / dt * rig.x[i].x, 0.0f, 0.0f), 0.0f);
    Upload(&rig);
    wfVec4* v = malloc((size_t)rig.n * sizeof *v);
    wfLimits_Strain(&rig.limits, rig.device, &rig.state, dt, 0.1f, 200);
    Download(&rig, v);
    CheckSameMomentum(&rig, rig.v, v);
    CHECK_NEAR(Excess(&rig, v, dt, 0.1, false), 0.0, 1e-4);
    // Within its limits nothing is touched, not a bit of it.
    wfLimits_Reset(&rig.limits, rig.device);
    for (int i = 0; i < rig.n; ++i) rig.v[i] = wfMake4(wfMake3(0.09f / dt * rig.x[i].x, 0.3f, 0.0f), 0.0f);
    Upload(&rig);
    wfLimits_Strain(&rig.limits, rig.device, &rig.state, dt, 0.1f, 3);
    wfLimits_Rate(&rig.limits, rig.device, &rig.state, dt, 0.1f, 3);
    Download(&rig, v);
    assert_memory_equal(v, rig.v, (size_t)rig.n * sizeof *v);
    free(v);
    Rig_Free(&rig);
}

/// Held vertices that pull an edge apart: it cannot be held, and nothing else suffers.
static void TestImpossible(void** state) {
    (void)state;
    Rig rig;
    Rig_Create(&rig, 5, wf_patternRegular, 1);
    int corner[2] = {0, 4};
    for (int k = 0; k < 2; ++k) {
        rig.target[corner[k]].w = -1.0f;
        rig.v[corner[k]] = wfMake4(wfMake3(k == 0 ? -10.0f : 10.0f, 0.0f, 0.0f), 0.0f);
    }
    Upload(&rig);
    wfVec4* v = malloc((size_t)rig.n * sizeof *v);
    wfLimits_Strain(&rig.limits, rig.device, &rig.state, 0.01f, 0.1f, 500);
    wfLimits_Rate(&rig.limits, rig.device, &rig.state, 0.01f, 0.1f, 50);
    Download(&rig, v);
    assert_true(Excess(&rig, v, 0.01, 0.1, false) > 0.05);
    for (int i = 0; i < rig.n; ++i) assert_true(wfLength(wfXyz(v[i])) <= 10.5f); // and finite
    free(v);
    Rig_Free(&rig);
}

static void TestThreads(void** state) {
    (void)state;
    wfVec4* v[2];
    int n = 0;
    for (int k = 0; k < 2; ++k) {
        Rig rig;
        Rig_Create(&rig, 80, wf_patternIrregular, k == 0 ? 1 : 3);
        Disturb(&rig, 0.1, 0.002, true);
        wfLimits_Strain(&rig.limits, rig.device, &rig.state, 0.02f, 0.1f, 5);
        wfLimits_Rate(&rig.limits, rig.device, &rig.state, 0.02f, 0.1f, 2);
        n = rig.n;
        v[k] = malloc((size_t)n * sizeof *v[k]);
        Download(&rig, v[k]);
        Rig_Free(&rig);
    }
    assert_memory_equal(v[0], v[1], (size_t)n * sizeof *v[0]);
    free(v[0]);
    free(v[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestColours),       cmocka_unit_test(TestStrainSweep), cmocka_unit_test(TestRateSweep),
        cmocka_unit_test(TestLimitsReached), cmocka_unit_test(TestEvenPull),    cmocka_unit_test(TestImpossible),
        cmocka_unit_test(TestThreads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
