// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene_fixture.h"

#include "difference.h"
#include "dynamics/pressure.h"
#include "mesh/generate.h"

// Areas, volumes and forces against differences of the volume in double precision; what commit refuses.

typedef struct Rig {
    wfMesh mesh;
    wfTopology topology;
    wfClothRange cloth;
    wfModel model;
    int* clothOf;
    float* mass;
    wfDevice* device;
    wfFans fans;
    wfPressure pressure;
    wfState state;
    wfVec4* x; // host
} Rig;

static void Rig_Create(Rig* rig, wfGenerator shape, float edge, float pressure, wfInflation inflation) {
    wfError err = {0};
    wfGenerateDef def = wfDefaultGenerateDef();
    def.shape = shape;
    def.radius = 0.25f;
    def.size = wfMake3(0.3f, 0.2f, 0.5f);
    def.edge = edge;
    *rig = (Rig){.device = OpenCpu(1), .fans = wfMakeFans(), .pressure = wfMakePressure()};
    CHECK_OK(wfGenerate(&rig->mesh, &def, &err), err);
    const wfMesh* mesh = &rig->mesh;
    wfMesh_Transform(&rig->mesh, wfMake3(1, 1, 1), wfQuatAxisAngle(wfMake3(1, 2, 3), 0.7f), wfMake3(0.3f, 1.5f, -0.4f));
    CHECK_OK(wfTopology_Create(&rig->topology, mesh->triangles, mesh->triangleCount, mesh->vertexCount, &err), err);
    size_t n = (size_t)mesh->vertexCount;
    rig->clothOf = calloc(n, sizeof(int));
    rig->mass = calloc(n, sizeof(float));
    rig->x = calloc(n, sizeof *rig->x);
    for (size_t i = 0; i < n; ++i) rig->mass[i] = 1e-4f;
    for (size_t i = 0; i < n; ++i) rig->x[i] = wfMake4(mesh->positions[i], rig->mass[i]);
    rig->cloth = (wfClothRange){.name = "ball",
                                .vertexCount = mesh->vertexCount,
                                .triangleCount = mesh->triangleCount,
                                .pressure = pressure,
                                .inflation = inflation};
    rig->model = (wfModel){.vertexCount = mesh->vertexCount,
                           .triangleCount = mesh->triangleCount,
                           .clothCount = 1,
                           .start = mesh->positions,
                           .triangles = mesh->triangles,
                           .mass = rig->mass,
                           .clothOf = rig->clothOf,
                           .cloths = &rig->cloth,
                           .topology = &rig->topology};
    rig->state = (wfState){
        .vertexCount = mesh->vertexCount, .x = wfMakeBuffer(sizeof(wfVec4), "x"), .target = wfMakeBuffer(sizeof(wfVec4), "target")};
    wfUpload(rig->device, &rig->state.x, rig->x, n);
    CHECK_OK(wfFans_Create(&rig->fans, rig->device, &rig->model, &err), err);
}

static void Rig_Free(Rig* rig) {
    wfPressure_Free(&rig->pressure, rig->device);
    wfFans_Free(&rig->fans, rig->device);
    wfFreeBuffer(rig->device, &rig->state.x);
    wfFreeBuffer(rig->device, &rig->state.target);
    assert_int_equal(wfDevice_GetMemory(rig->device), sizeof(wfFaultSlot));
    wfDestroyDevice(rig->device);
    wfTopology_Free(&rig->topology);
    wfMesh_Free(&rig->mesh);
    free(rig->clothOf);
    free(rig->mass);
    free(rig->x);
}

static double VolumeOf(const wfMesh* mesh, const wfVec3D* x) {
    double sum = 0.0;
    for (int t = 0; t < mesh->triangleCount; ++t) {
        const int* v = mesh->triangles[t].v;
        sum += wfDotD(x[v[0]], wfCrossD(x[v[1]], x[v[2]])) / 6.0;
    }
    return sum;
}

static void TestVolumeAndArea(void** state) {
    (void)state;
    const wfGenerator shapes[] = {wf_makeSphere, wf_makeBox};
    for (int s = 0; s < 2; ++s) {
        Rig rig;
        Rig_Create(&rig, shapes[s], 0.05f, 500.0f, wf_inflationGas);
        wfError err = {0};
        CHECK_OK(wfPressure_Create(&rig.pressure, rig.device, &rig.model, &err), err);
        wfPressure_Measure(&rig.pressure, rig.device, &rig.fans, wfData(&rig.state.x, wfVec4));
        int n = rig.mesh.vertexCount;
        wfVec4* area = malloc((size_t)n * sizeof *area);
        wfVec3D* x = malloc((size_t)n * sizeof *x);
        wfGasSums sums;
        CHECK_OK(wfDownload(rig.device, area, &rig.pressure.area, 0, (size_t)n, &err), err);
        CHECK_OK(wfDownload(rig.device, &sums, &rig.pressure.sums, 0, 1, &err), err);
        for (int i = 0; i < n; ++i) x[i] = wfWiden(wfXyz(rig.x[i]));
        double volume = VolumeOf(&rig.mesh, x), total = 0.0;
        CHECK_NEAR(sums.volume / volume, 1.0, 2e-6);
        if (shapes[s] == wf_makeBox) CHECK_NEAR(volume, 0.3 * 0.2 * 0.5, 1e-6);
        for (int i = 0; i < n; ++i) {
            double d[3];
            for (int a = 0; a < 3; ++a) { // the volume is linear in every coordinate, so a difference is exact
                double *at = Coordinate(&x[i], a), kept = *at;
                *at = kept + 0.5;
                d[a] = VolumeOf(&rig.mesh, x);
                *at = kept - 0.5;
                d[a] -= VolumeOf(&rig.mesh, x);
                *at = kept;
            }
            CHECK_NEAR(wfLengthD(wfSubD(wfMake3D(d[0], d[1], d[2]), wfWiden(wfXyz(area[i])))), 0.0, 2e-9);
            total += wfLength(wfXyz(area[i]));
        }
        CHECK_NEAR(sums.area / total, 1.0, 2e-6);
        free(area);
        free(x);
        Rig_Free(&rig);
    }
}

/// What the folded targets pull with, over what the base pulled with, is the force of the gas where it is: p a, a the area at the start.
static void CheckFold(Rig* rig, const wfVec4* x, double p) {
    wfError err = {0};
    int n = rig->mesh.vertexCount;
    size_t bytes = (size_t)n * sizeof(wfVec4);
    wfVec4 *target = malloc(bytes), *folded = malloc(bytes), *area = malloc(bytes);
    for (int i = 0; i < n; ++i)
        target[i] = wfMake4(wfMulAdd(wfXyz(x[i]), 1e-4f, wfMake3(1, -2, 1)), i % 7 == 0 ? -1.0f : i % 5 == 0 ? 0.0f : 4.0f);
    wfBuffer to = wfMakeBuffer(sizeof(wfVec4), "to");
    wfUpload(rig->device, &to, x, (size_t)n);
    wfUpload(rig->device, &rig->state.target, target, (size_t)n);
    wfPressure_Measure(&rig->pressure, rig->device, &rig->fans, wfData(&rig->state.x, wfVec4));
    const wfVec4* out = wfPressure_Fold(&rig->pressure, rig->device, wfData(&rig->state.x, wfVec4), wfData(&to, wfVec4),
                                        wfData(&rig->state.target, wfVec4));
    assert_ptr_equal(out, wfData(&rig->pressure.folded, wfVec4));
    CHECK_OK(wfDownload(rig->device, folded, &rig->pressure.folded, 0, (size_t)n, &err), err);
    CHECK_OK(wfDownload(rig->device, area, &rig->pressure.area, 0, (size_t)n, &err), err);
    for (int i = 0; i < n; ++i) {
        if (target[i].w < 0.0f) {
            assert_memory_equal(&target[i], &folded[i], sizeof folded[i]);
            continue;
        }
        wfVec3D at = wfWiden(wfXyz(x[i]));
        wfVec3D pull = wfScaleD(wfSubD(wfWiden(wfXyz(folded[i])), at), folded[i].w);
        wfVec3D own = wfScaleD(wfSubD(wfWiden(wfXyz(target[i])), at), target[i].w), force = wfSubD(pull, own);
        wfVec3D expected = wfScaleD(wfWiden(wfXyz(area[i])), p);
        // Positions near 1.7 m carry 1.2e-7 m of rounding, which the weight makes a force of.
        CHECK_NEAR(wfLengthD(wfSubD(force, expected)), 0.0, 2.4e-7 * folded[i].w + 1e-4 * wfLengthD(expected));
    }
    wfFreeBuffer(rig->device, &to);
    free(target);
    free(folded);
    free(area);
}

static const wfVec3 s_center = {0.3f, 1.5f, -0.4f};

static void TestFold(void** state) {
    (void)state;
    wfError err = {0};
    Rig rig;
    Rig_Create(&rig, wf_makeSphere, 0.05f, 5000.0f, wf_inflationGas);
    CHECK_OK(wfPressure_Create(&rig.pressure, rig.device, &rig.model, &err), err);
    CheckFold(&rig, rig.x, 5000.0);
    // Blown up by e, the volume grows by 3 e to first order, which is what a step counts.
    wfVec4* x = malloc((size_t)rig.mesh.vertexCount * sizeof *x);
    for (int k = -1; k <= 1; ++k) {
        double e = 0.05 * k;
        for (int i = 0; i < rig.mesh.vertexCount; ++i)
            x[i] = wfMake4(wfMulAdd(s_center, (float)(1.0 + e), wfSub(wfXyz(rig.x[i]), s_center)), rig.x[i].w);
        CheckFold(&rig, x, (101325.0 + 5000.0) / (1.0 + 3.0 * e) - 101325.0);
    }
    free(x);
    Rig_Free(&rig);
    // A constant pressure is a force; there is nothing to fold.
    Rig_Create(&rig, wf_makeSheet, 0.05f, -40.0f, wf_inflationConstant);
    CHECK_OK(wfPressure_Create(&rig.pressure, rig.device, &rig.model, &err), err);
    wfVec4* at = wfData(&rig.state.x, wfVec4);
    wfPressure_Measure(&rig.pressure, rig.device, &rig.fans, at);
    assert_ptr_equal(wfPressure_Fold(&rig.pressure, rig.device, at, at, at), at);
    wfPressureView view = wfPressure_View(&rig.pressure); // of the CPU: its pointers may be read here
    wfVec3 force = {0, 0, 0};
    for (int i = 0; i < rig.mesh.vertexCount; ++i) force = wfAdd(force, wfPressureForce(&view, i));
    wfVec3 up = wfRotate(wfQuatAxisAngle(wfMake3(1, 2, 3), 0.7f), wfMake3(0, 1, 0));
    CHECK_NEAR(wfDistance(force, wfScale(up, -40.0f * 0.3f * 0.5f)), 0.0, 1e-5);
    Rig_Free(&rig);
}

static double Energy(Rig* rig, const wfVec4* x) {
    int n = rig->mesh.vertexCount;
    wfBuffer to = wfMakeBuffer(sizeof(wfVec4), "to"), sum = wfMakeBuffer(sizeof(float), "sum");
    wfUpload(rig->device, &to, x, (size_t)n);
    wfUpload(rig->device, &sum, &(float){7.0f}, 1);
    wfPressure_AddEnergy(&rig->pressure, rig->device, wfData(&rig->state.x, wfVec4), wfData(&to, wfVec4), wfData(&sum, float));
    float out;
    wfError err = {0};
    CHECK_OK(wfDownload(rig->device, &out, &sum, 0, 1, &err), err);
    wfFreeBuffer(rig->device, &to);
    wfFreeBuffer(rig->device, &sum);
    return (double)out - 7.0;
}

/// The energy is the integral of the force over volume, also below the least volume, where the force stays what it was.
static void TestEnergy(void** state) {
    (void)state;
    wfError err = {0};
    Rig rig;
    Rig_Create(&rig, wf_makeBox, 0.08f, 3000.0f, wf_inflationGas);
    CHECK_OK(wfPressure_Create(&rig.pressure, rig.device, &rig.model, &err), err);
    wfPressure_Measure(&rig.pressure, rig.device, &rig.fans, wfData(&rig.state.x, wfVec4));
    const double volume = 0.3 * 0.2 * 0.5, amount = (101325.0 + 3000.0) * volume;
    wfVec4* x = malloc((size_t)rig.mesh.vertexCount * sizeof *x);
    const double by[] = {-0.3332, -0.3, -0.01, 0.0, 0.02, 0.3};
    for (int k = 0; k < 6; ++k) {
        for (int i = 0; i < rig.mesh.vertexCount; ++i)
            x[i] = wfMake4(wfMulAdd(wfXyz(rig.x[i]), (float)by[k], wfSub(wfXyz(rig.x[i]), s_center)), rig.x[i].w);
        double expected = 0.0, gain = 3.0 * by[k] * volume, step = gain / 1e6;
        for (int s = 0; s < 1000000; ++s) {
            double v = volume + (s + 0.5) * step;
            expected -= (amount / fmax(v, 1e-3 * volume) - 101325.0) * step;
        }
        CHECK_NEAR(Energy(&rig, x), expected, 1e-4 * fabs(expected) + 1e-3); // 3 kJ that nearly cancel, positions to 1e-7
    }
    free(x);
    Rig_Free(&rig);
}

/// The weight really bounds the gas: no direction gains more from the gas than from the weights.
static void TestBound(void** state) {
    (void)state;
    wfError err = {0};
    Rig rig;
    Rig_Create(&rig, wf_makeBox, 0.08f, 20000.0f, wf_inflationGas);
    CHECK_OK(wfPressure_Create(&rig.pressure, rig.device, &rig.model, &err), err);
    int n = rig.mesh.vertexCount;
    wfVec4* target = calloc((size_t)n, sizeof *target);
    wfVec4* area = malloc((size_t)n * sizeof *area);
    wfVec4* x = wfData(&rig.state.x, wfVec4);
    wfUpload(rig.device, &rig.state.target, target, (size_t)n);
    wfPressure_Measure(&rig.pressure, rig.device, &rig.fans, x);
    wfPressure_Fold(&rig.pressure, rig.device, x, x, wfData(&rig.state.target, wfVec4));
    CHECK_OK(wfDownload(rig.device, target, &rig.pressure.folded, 0, (size_t)n, &err), err);
    CHECK_OK(wfDownload(rig.device, area, &rig.pressure.area, 0, (size_t)n, &err), err);
    double volume = 0.3 * 0.2 * 0.5, k = (101325.0 + 20000.0) / volume, ratio = 0.0;
    uint64_t seed = 3;
    for (int trial = 0; trial < 50; ++trial) {
        double gas = 0.0, weight = 0.0;
        for (int i = 0; i < n; ++i) { // the first trial is the direction the gas is stiffest in
            wfVec3D d = trial == 0 ? wfScaleD(wfWiden(wfXyz(area[i])), 1.0 / target[i].w) : RandomVector(&seed);
            gas += wfDotD(d, wfWiden(wfXyz(area[i])));
            weight += target[i].w * wfDotD(d, d);
        }
        assert_true(k * gas * gas <= weight * (1.0 + 1e-5));
    }
    for (int i = 0; i < n; ++i) ratio = fmax(ratio, target[i].w / rig.mass[i]);
    assert_true(rig.pressure.gasRatio >= 2.0 * ratio && rig.pressure.gasRatio <= 4.0 * ratio);
    free(target);
    free(area);
    Rig_Free(&rig);
}

static void TestRefused(void** state) {
    (void)state;
    wfError err = {0};
    Rig rig;
    Rig_Create(&rig, wf_makeSheet, 0.25f, 10.0f, wf_inflationGas);
    CHECK_FAILS(wfPressure_Create(&rig.pressure, rig.device, &rig.model, &err), err,
                "cloth \"ball\": inflation gas: expected a closed mesh, but edge 0-1 is on a boundary");
    Rig_Free(&rig);
    Rig_Create(&rig, wf_makeBox, 0.5f, 10.0f, wf_inflationGas);
    for (int t = 0; t < rig.mesh.triangleCount; ++t) {
        int* v = rig.mesh.triangles[t].v;
        int swap = v[0];
        v[0] = v[1];
        v[1] = swap;
    }
    CHECK_FAILS(wfPressure_Create(&rig.pressure, rig.device, &rig.model, &err), err,
                "cloth \"ball\": inflation gas: expected triangles that face outwards, but they enclose -0.03 m^3");
    Rig_Free(&rig);
    // Nothing to inflate takes no memory.
    Rig_Create(&rig, wf_makeSheet, 0.25f, 0.0f, wf_inflationConstant);
    size_t before = wfDevice_GetMemory(rig.device);
    CHECK_OK(wfPressure_Create(&rig.pressure, rig.device, &rig.model, &err), err);
    assert_int_equal(wfDevice_GetMemory(rig.device), before);
    assert_null(wfPressure_View(&rig.pressure).of);
    Rig_Free(&rig);
}

// ---- scenes -------------------------------------------------------------------------------------------------------------------

typedef struct Ball {
    wfScene* scene;
    wfClothId id;
    wfMesh mesh;
    int n;
} Ball;

static void Ball_Create(Ball* ball, wfDevice* device, const char* dynamics, float pressure, wfInflation inflation, float scale, float dt) {
    wfError err = {0};
    wfGenerateDef generate = wfDefaultGenerateDef();
    generate.shape = wf_makeSphere;
    generate.radius = 0.25f;
    generate.edge = 0.06f;
    *ball = (Ball){0};
    CHECK_OK(wfGenerate(&ball->mesh, &generate, &err), err);
    ball->n = ball->mesh.vertexCount;
    wfSceneDef def = wfDefaultSceneDef();
    def.time_step = dt;
    def.gravity = wfMake3(0, 0, 0);
    strcpy(def.dynamics, dynamics);
    strcpy(def.contact, "none");
    if (strcmp(dynamics, "chebyshev") == 0) def.iterations = 400;
    ball->scene = NewScene(device, &def);
    wfClothDef cloth = wfDefaultClothDef();
    cloth.mesh = wfMesh_View(&ball->mesh);
    float* start = malloc(3 * (size_t)ball->n * sizeof(float));
    for (int i = 0; i < 3 * ball->n; ++i) start[i] = scale * cloth.mesh.positions[i];
    cloth.mesh.restPositions = cloth.mesh.positions;
    cloth.mesh.positions = start;
    cloth.fabric.stretch = 2000.0f;
    cloth.fabric.shear = 2000.0f / 2.4f; // isotropic
    cloth.fabric.poisson = 0.2f;
    cloth.fabric.damping = 8.0f; // to rest
    cloth.pressure = pressure;
    cloth.inflation = inflation;
    ball->id = AddCloth(ball->scene, &cloth);
    Commit(ball->scene);
    free(start);
}

static void Ball_Free(Ball* ball) {
    wfDestroyScene(ball->scene);
    wfMesh_Free(&ball->mesh);
}

/// Volume over the volume of the rest shape, and how far the middle has moved [m].
static double Ball_Volume(const Ball* ball, double* off) {
    size_t count;
    float* s = ReadState(ball->scene, &count);
    wfVec3D *x = malloc((size_t)ball->n * sizeof *x), *rest = malloc((size_t)ball->n * sizeof *rest), middle = {0, 0, 0};
    for (int i = 0; i < ball->n; ++i) {
        x[i] = wfMake3D(s[6 * i], s[6 * i + 1], s[6 * i + 2]);
        rest[i] = wfWiden(ball->mesh.positions[i]);
        middle = wfMulAddD(middle, 1.0 / ball->n, wfSubD(x[i], rest[i]));
    }
    double ratio = VolumeOf(&ball->mesh, x) / VolumeOf(&ball->mesh, rest);
    *off = wfLengthD(middle);
    free(s);
    free(x);
    free(rest);
    return ratio;
}

static double GaugeAt(double pressure, wfInflation inflation, double start, double volume) {
    return inflation == wf_inflationGas ? (101325.0 + pressure) * start / volume - 101325.0 : pressure;
}

/// A thin ball of radius R under the pressure p has the strain e with p R (1 + e)² / 2 = stretch e / (1 - poisson): tension per width of
/// the rest shape holds the pressure on the ball as it is. With a gas p itself goes with the volume.
static double ExpectedStrain(double pressure, wfInflation inflation, double scale) {
    double lo = -0.2, hi = 0.5;
    for (int k = 0; k < 200; ++k) {
        double e = 0.5 * (lo + hi), grown = (1.0 + e) * (1.0 + e) * (1.0 + e);
        double p = GaugeAt(pressure, inflation, scale * scale * scale, grown);
        if (0.5 * p * 0.25 * (1.0 + e) * (1.0 + e) > 2000.0 * e / 0.8)
            lo = e;
        else
            hi = e;
    }
    return lo;
}

static void TestBalls(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    const struct {
        const char* dynamics;
        float pressure, scale, dt;
        wfInflation inflation;
    } cases[] = {
        {"chebyshev", 1000.0f, 1.0f, 0.005f, wf_inflationConstant}, {"chebyshev", 1000.0f, 1.0f, 0.005f, wf_inflationGas},
        {"chebyshev", 20000.0f, 1.02f, 0.01f, wf_inflationGas},     {"explicit", 1000.0f, 1.0f, 0.005f, wf_inflationConstant},
        {"explicit", 1000.0f, 1.0f, 0.005f, wf_inflationGas},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k += WF_SLOW_BUILD ? 2 : 1) {
        Ball ball;
        double off, most = 0.0, least = 1e9;
        Ball_Create(&ball, device, cases[k].dynamics, cases[k].pressure, cases[k].inflation, cases[k].scale, cases[k].dt);
        wfError err = {0};
        for (int n = 0; n < 40; ++n) {
            CHECK_OK(wfScene_Step(ball.scene, 0.01f, &err), err);
            double v = Ball_Volume(&ball, &off);
            most = fmax(most, v);
            least = fmin(least, v);
        }
        double e = cbrt(Ball_Volume(&ball, &off)) - 1.0, expected = ExpectedStrain(cases[k].pressure, cases[k].inflation, cases[k].scale);
        print_message("ball, %s, %s, %g Pa, from %g of its size: strain %.5f, expected %.5f; volume %.4f to %.4f; moved %.1e m\n",
                      cases[k].dynamics, cases[k].inflation == wf_inflationGas ? "gas" : "constant", (double)cases[k].pressure,
                      (double)cases[k].scale, e, expected, least, most, off);
        CHECK_NEAR(e, expected, 0.04 * fabs(expected) + 2e-4); // a ball of 26 edges around
        CHECK_NEAR(off, 0.0, 1e-4);
        Ball_Free(&ball);
    }
    wfDestroyDevice(device);
}

static void TestRefusedScenes(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    Grid grid = MakeGrid(3, 3, 0.1f, 0.1f, wfMake3(0, 0, 0));
    const char* dynamics[] = {"chebyshev", "explicit", "newton"};
    for (int k = 0; k < 3; ++k) {
        wfSceneDef def = wfDefaultSceneDef();
        strcpy(def.dynamics, dynamics[k]);
        wfScene* scene = NewScene(device, &def);
        wfClothDef cloth = GridCloth(&grid, "sail");
        cloth.inflation = wf_inflationGas;
        AddCloth(scene, &cloth);
        wfError err = {0};
        CHECK_FAILS(wfScene_Commit(scene, &err), err,
                    "cloth \"sail\": inflation gas: expected a closed mesh, but edge 0-1 is on a boundary");
        wfDestroyScene(scene);
    }
    FreeGrid(&grid);
    wfGenerateDef generate = wfDefaultGenerateDef();
    wfMesh mesh = {0};
    wfError err = {0};
    generate.shape = wf_makeBox;
    generate.edge = 0.5f;
    CHECK_OK(wfGenerate(&mesh, &generate, &err), err);
    wfSceneDef def = wfDefaultSceneDef();
    strcpy(def.dynamics, "newton");
    wfScene* scene = NewScene(device, &def);
    wfClothDef cloth = wfDefaultClothDef();
    cloth.mesh = wfMesh_View(&mesh);
    cloth.inflation = wf_inflationGas;
    AddCloth(scene, &cloth);
    CHECK_FAILS(wfScene_Commit(scene, &err), err, "dynamics \"newton\" knows no gas; expected inflation constant, or another dynamics");
    wfDestroyScene(scene);
    wfMesh_Free(&mesh);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestVolumeAndArea), cmocka_unit_test(TestFold),  cmocka_unit_test(TestEnergy),        cmocka_unit_test(TestBound),
        cmocka_unit_test(TestRefused),       cmocka_unit_test(TestBalls), cmocka_unit_test(TestRefusedScenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
