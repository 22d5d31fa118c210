// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene_fixture.h"

#include "difference.h"

// Explicit dynamics against motions known on paper, against what must not change, and against the implicit dynamics.

static const double s_pi = 3.14159265358979;

static wfSceneDef PlainScene(float dt) {
    wfSceneDef def = wfDefaultSceneDef();
    def.time_step = dt;
    strcpy(def.dynamics, "explicit");
    strcpy(def.contact, "none");
    return def;
}

static void Step(wfScene* scene, double seconds) {
    wfError err = {0};
    CHECK_OK(wfScene_Step(scene, (float)seconds, &err), err);
}

// ---- closed forms -------------------------------------------------------------------------------------------------------------

static void TestFreeFall(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = PlainScene(0.005f);
    def.membrane = wf_membraneSprings; // whose forces are opposite to the bit, so that the mean knows nothing of them
    def.bending = wf_bendingSprings;
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(9, 7, 0.4f, 0.3f, wfMake3(0, 0, 0));
    wfClothDef cloth = GridCloth(&grid, "sheet");
    cloth.velocity = wfMake3(0.25f, 0.5f, 0.0f);
    cloth.fabric = wfDefaultFabric();
    wfClothId id = AddCloth(scene, &cloth);
    Commit(scene);
    Step(scene, 0.2);
    size_t count;
    float* x = ReadState(scene, &count);
    double mean[3] = {0}, n = (double)count / 6.0;
    for (size_t i = 0; i < count / 6; ++i) {
        // Positions are known to 3e-8 m, strains to 1e-6, and 1 kN/m makes forces of that: each vertex trembles by some 1e-5 m.
        CHECK_NEAR(x[6 * i + 1], 0.5 * 0.2 - 0.5 * 9.81 * 0.04, 2e-5);
        CHECK_NEAR(x[6 * i] - grid.positions[3 * i], 0.25 * 0.2, 2e-5);
        mean[0] += (x[6 * i] - grid.positions[3 * i]) / n;
        mean[1] += x[6 * i + 1] / n;
        mean[2] += x[6 * i + 4] / n;
    }
    CHECK_NEAR(mean[0], 0.25 * 0.2, 2e-6); // central differences have no error in a parabola; 40 steps round by 3e-8 m each
    CHECK_NEAR(mean[1], 0.5 * 0.2 - 0.5 * 9.81 * 0.04, 2e-6);
    CHECK_NEAR(mean[2], 0.5 - 9.81 * 0.2, 1e-5);
    (void)id;
    free(x);
    FreeGrid(&grid);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

/// An equilateral triangle of springs that breathes: r'' = -w² (r - r0), w² = 9 stretch / (density side²); see test_closed_forms.c.
/// Writes the distance of a vertex from its rest at the end of each of `steps` steps.
static void Breathe(wfDevice* device, float dt, int substeps, float rayleigh, int steps, double* out) {
    wfSceneDef def = PlainScene(dt);
    def.gravity = wfMake3(0, 0, 0);
    def.membrane = wf_membraneSprings;
    def.bending = wf_bendingNone;
    def.iterations = substeps;
    wfScene* scene = NewScene(device, &def);
    const float rest[] = {0.5773503f, 0, 0, -0.28867513f, 0, 0.5f, -0.28867513f, 0, -0.5f};
    float start[9];
    for (int i = 0; i < 9; ++i) start[i] = 1.05f * rest[i];
    const int triangle[] = {0, 1, 2};
    wfClothDef cloth = wfDefaultClothDef();
    cloth.fabric.stretch = 1.0f;
    cloth.fabric.density = 0.2f;
    cloth.fabric.rayleigh = rayleigh;
    cloth.mesh = (wfMeshView){.positions = start, .vertexCount = 3, .triangles = triangle, .triangleCount = 1, .restPositions = rest};
    wfClothId id = AddCloth(scene, &cloth);
    Commit(scene);
    for (int k = 0; k < steps; ++k) {
        Step(scene, dt);
        out[k] = ReadVertex(scene, id, 0).x - 0.5773503;
    }
    wfDestroyScene(scene);
}

static void TestSpring(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    enum { steps = 400 };
    double w = sqrt(9.0 / 0.2), out[steps], start = 0.05 * 0.5773503;
    for (int k = 0; k < 3; ++k) {
        // Central differences turn by 2 asin(w h / 2) a substep, without any loss.
        int substeps = 1 << k;
        double h = 0.02 / substeps, turn = 2.0 * asin(0.5 * w * h) * substeps;
        Breathe(device, 0.02f, substeps, 0.0f, steps, out);
        double worst = 0.0;
        for (int n = 0; n < steps; ++n) worst = fmax(worst, fabs(out[n] - start * cos(turn * (n + 1))));
        print_message("spring: %d substeps, largest error in 8 s %.2e m\n", substeps, worst);
        CHECK_NEAR(worst, 0.0, 2e-5); // rounding of positions moves the phase, by 1e-7 m of 0.03 m a step
    }
    // Damped by stiffness: exp(-z w t) cos(w sqrt(1 - z²) t) + …, z = rayleigh w / 2. Second order in h.
    double error[3], z = 0.5 * 0.02 * w, wd = w * sqrt(1.0 - z * z);
    for (int k = 0; k < 3; ++k) {
        double dt = 0.02 / (1 << k);
        int count = 50 << k;
        Breathe(device, (float)dt, 1, 0.02f, count, out);
        error[k] = 0.0;
        for (int n = 0; n < count; ++n) {
            double t = dt * (n + 1), exact = start * exp(-z * w * t) * (cos(wd * t) + z / sqrt(1.0 - z * z) * sin(wd * t));
            error[k] = fmax(error[k], fabs(out[n] - exact) / start);
        }
    }
    print_message("damped spring: error of the start %.2e, %.2e, %.2e\n", error[0], error[1], error[2]);
    assert_true(error[0] < 0.05);
    CHECK_NEAR(error[0] / error[1], 4.0, 0.8);
    CHECK_NEAR(error[1] / error[2], 4.0, 0.8);
    wfDestroyDevice(device);
}

/// Two stiff triangles' worth of pendulum: one triangle held at its top vertex, the other two at (±a, -b), swings in its plane.
static void TestPendulum(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = PlainScene(0.005f);
    def.membrane = wf_membraneSprings;
    def.bending = wf_bendingNone;
    wfScene* scene = NewScene(device, &def);
    const double a = 0.1, b = 0.3, angle = 0.1, g = 9.81;
    const double corner[3][2] = {{0, 0}, {-a, -b}, {a, -b}};
    float rest[9];
    for (int i = 0; i < 3; ++i) {
        rest[3 * i] = (float)(cos(angle) * corner[i][0] - sin(angle) * corner[i][1]);
        rest[3 * i + 1] = (float)(sin(angle) * corner[i][0] + cos(angle) * corner[i][1]);
        rest[3 * i + 2] = 0.0f;
    }
    const int triangle[] = {0, 1, 2}, top = 0;
    wfClothDef cloth = wfDefaultClothDef();
    cloth.fabric.stretch = 2000.0f;
    cloth.mesh = (wfMeshView){.positions = rest, .vertexCount = 3, .triangles = triangle, .triangleCount = 1};
    wfClothId id = AddCloth(scene, &cloth);
    wfPinDef pin = wfDefaultPinDef();
    pin.cloth = id;
    pin.vertices = &top;
    pin.vertexCount = 1;
    AddPin(scene, &pin);
    Commit(scene);
    double small = 2.0 * s_pi * sqrt((a * a + b * b) / (g * b)), period = small * (1.0 + angle * angle / 16.0);
    // From the first to the 41st passage through the lowest point: 20 periods.
    double last = 1.0, first = 0.0, end = 0.0, highest[2] = {0.0, 0.0};
    int passages = 0;
    for (int n = 1; passages < 41 && n < 20000; ++n) {
        Step(scene, 0.005);
        wfVec3 p = ReadVertex(scene, id, 1), q = ReadVertex(scene, id, 2);
        double now = atan2(p.x + q.x, -(p.y + q.y));
        if ((now < 0.0) != (last < 0.0) && n > 1) {
            end = 0.005 * (n - 1 + last / (last - now));
            if (passages++ == 0) first = end;
        }
        if (passages <= 2) highest[0] = fmax(highest[0], fabs(now));
        if (passages >= 39) highest[1] = fmax(highest[1], fabs(now));
        last = now;
    }
    assert_int_equal(passages, 41);
    print_message("pendulum: period %.6f s, expected %.6f; amplitude %.6f, then %.6f\n", (end - first) / 20.0, period, highest[0],
                  highest[1]);
    CHECK_NEAR((end - first) / 20.0 / period, 1.0, 1e-3);
    CHECK_NEAR(highest[1] / highest[0], 1.0, 2e-3);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

/// Mean velocity downwards and along x of a level sheet that falls for `seconds`.
static void Fall(wfDevice* device, const char* dynamics, float density, float drag, float wind, float dt, double seconds, double* down,
                 double* along) {
    wfSceneDef def = PlainScene(dt);
    strcpy(def.dynamics, dynamics);
    def.air_density = density;
    def.air_drag = drag;
    def.wind = wfMake3(wind, 0, 0);
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(5, 5, 0.2f, 0.2f, wfMake3(0, 0, 0));
    wfClothDef cloth = GridCloth(&grid, "sheet");
    cloth.fabric.density = 0.2f;
    cloth.fabric.stretch = 50.0f;
    AddCloth(scene, &cloth);
    Commit(scene);
    Step(scene, seconds);
    size_t count;
    float* s = ReadState(scene, &count);
    *down = *along = 0.0;
    for (size_t i = 0; i < count; i += 6) {
        *down -= 6.0 * s[i + 4] / (double)count;
        *along += 6.0 * s[i + 3] / (double)count;
    }
    free(s);
    FreeGrid(&grid);
    wfDestroyScene(scene);
}

/// Pressure drag along the normal: half density v² = mass g per area at last, v = top tanh(g t / top) on the way. Linear drag:
/// v = top (1 - exp(-g t / top)), top = mass g / drag; the wind takes it along.
static void TestAir(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    const double g = 9.81, density = 0.2;
    const char* dynamics[] = {"explicit", "chebyshev"};
    for (int k = 0; k < 2; ++k) {
        double square = sqrt(2.0 * density * g / 1.2), linear = density * g / 0.5, down, along, t = 0.3;
        double tolerance = k == 0 ? 0.002 : 0.015; // the explicit substep is 0.25 ms at most, the implicit step 2 ms
        Fall(device, dynamics[k], 1.2f, 0.0f, 0.0f, 0.002f, t, &down, &along);
        CHECK_NEAR(down / (square * tanh(g * t / square)), 1.0, tolerance);
        Fall(device, dynamics[k], 1.2f, 0.0f, 0.0f, 0.005f, 2.0, &down, &along);
        CHECK_NEAR(down / square, 1.0, tolerance); // 1.81 m/s
        Fall(device, dynamics[k], 0.0f, 0.5f, 3.0f, 0.002f, t, &down, &along);
        CHECK_NEAR(down / (linear * (1.0 - exp(-g * t / linear))), 1.0, tolerance);
        CHECK_NEAR(along / (3.0 * (1.0 - exp(-g * t / linear))), 1.0, tolerance);
    }
    wfDestroyDevice(device);
}

// ---- what must not change -----------------------------------------------------------------------------------------------------

typedef struct Motion {
    wfVec3D linear, angular;
    double kinetic, scale;
} Motion;

static Motion MotionOf(const wfScene* scene, const double* mass) {
    Motion m = {0};
    size_t count;
    float* s = ReadState(scene, &count);
    for (size_t i = 0; i < count / 6; ++i) {
        wfVec3D x = wfMake3D(s[6 * i], s[6 * i + 1], s[6 * i + 2]), v = wfMake3D(s[6 * i + 3], s[6 * i + 4], s[6 * i + 5]);
        wfVec3D p = wfScaleD(v, mass[i]);
        m.linear = wfAddD(m.linear, p);
        m.angular = wfAddD(m.angular, wfCrossD(x, p));
        m.kinetic += 0.5 * wfDotD(p, v);
        m.scale += wfLengthD(p);
    }
    free(s);
    return m;
}

static double* MassesOf(const wfClothDef* cloth) {
    double* mass = calloc((size_t)cloth->mesh.vertexCount, sizeof *mass);
    for (int t = 0; t < cloth->mesh.triangleCount; ++t) {
        const int* v = cloth->mesh.triangles + 3 * t;
        const float* p = cloth->mesh.restPositions != NULL ? cloth->mesh.restPositions : cloth->mesh.positions;
        wfVec3D a = wfMake3D(p[3 * v[0]], p[3 * v[0] + 1], p[3 * v[0] + 2]);
        wfVec3D b = wfMake3D(p[3 * v[1]], p[3 * v[1] + 1], p[3 * v[1] + 2]);
        wfVec3D c = wfMake3D(p[3 * v[2]], p[3 * v[2] + 1], p[3 * v[2] + 2]);
        double area = 0.5 * wfLengthD(wfCrossD(wfSubD(b, a), wfSubD(c, a)));
        for (int k = 0; k < 3; ++k) mass[v[k]] += cloth->fabric.density * area / 3.0;
    }
    return mass;
}

/// A sheet that starts turned, stretched and spinning, in free flight without gravity.
static void TestFreeFlight(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    const wfMembraneModel membranes[] = {wf_membraneFabric, wf_membraneSprings, wf_membraneStVK};
    const wfBendingModel bendings[] = {wf_bendingDihedral, wf_bendingSprings, wf_bendingQuadratic};
    for (int k = 0; k < 3; ++k) {
        wfSceneDef def = PlainScene(0.005f);
        def.gravity = wfMake3(0, 0, 0);
        def.membrane = membranes[k];
        def.bending = bendings[k];
        wfScene* scene = NewScene(device, &def);
        Grid grid = MakeGrid(9, 8, 0.4f, 0.35f, wfMake3(-0.2f, 0, -0.17f));
        wfClothDef cloth = GridCloth(&grid, "sheet");
        cloth.fabric.stretch = 50.0f;
        cloth.fabric.shear = 10.0f;
        float start[3 * 72];
        uint64_t seed = 5;
        for (int i = 0; i < 72; ++i) {
            const float* r = grid.positions + 3 * i;
            start[3 * i] = 1.03f * r[0];
            start[3 * i + 1] = (float)(0.1 * r[0] * r[0] + 0.001 * NextRandom(&seed));
            start[3 * i + 2] = 0.99f * r[2];
        }
        cloth.mesh.positions = start;
        cloth.mesh.restPositions = grid.positions;
        cloth.velocity = wfMake3(0.3f, 0.1f, -0.2f);
        AddCloth(scene, &cloth);
        Commit(scene);
        double* mass = MassesOf(&cloth);
        Motion before = MotionOf(scene, mass);
        wfCertificate c;
        wfError err = {0};
        CHECK_OK(wfScene_Certify(scene, false, &c, &err), err);
        double energy = c.kineticEnergy + c.elasticEnergy, elastic = c.elasticEnergy, mean[4] = {0}, worst = 0.0;
        for (int n = 0; n < 100; ++n) {
            Step(scene, 0.01);
            CHECK_OK(wfScene_Certify(scene, false, &c, &err), err);
            worst = fmax(worst, fabs(c.kineticEnergy + c.elasticEnergy - energy));
            mean[n / 25] += (c.kineticEnergy + c.elasticEnergy) / 25.0;
        }
        Motion after = MotionOf(scene, mass);
        double linear = wfLengthD(wfSubD(after.linear, before.linear)) / before.scale;
        double angular = wfLengthD(wfSubD(after.angular, before.angular)) / before.scale;
        print_message("flight %d: momentum %.1e, angular %.1e, energy %.6g J (%.3g elastic) within %.2e, from quarter to quarter %.2e\n", k,
                      linear, angular, energy, elastic, worst / energy, (mean[3] - mean[0]) / energy);
        // Strains are known to 1e-7, so each section of 0.4 m pulls on its two sides with forces that differ by so much, for 1 s.
        double rounding = 1e-7 * 50.0 * 0.4 / before.scale;
        CHECK_NEAR(linear, 0.0, rounding);
        CHECK_NEAR(angular, 0.0, 0.4 * rounding);
        // The stiffest motions are near the limit of stability, where the energy swings within each of their periods; it must not drift
        // over the hundreds of periods of the others.
        assert_true(worst < 0.03 * energy);
        CHECK_NEAR(mean[3] / mean[0], 1.0, 2e-3);
        free(mass);
        FreeGrid(&grid);
        wfDestroyScene(scene);
    }
    wfDestroyDevice(device);
}

// ---- limits -------------------------------------------------------------------------------------------------------------------

/// Least and largest length over rest length of the grid's edges.
static void EdgeRange(const wfScene* scene, wfClothId id, const Grid* grid, double* least, double* most) {
    int n = grid->n * grid->m;
    float* x = malloc(3 * (size_t)n * sizeof(float));
    wfError err = {0};
    CHECK_OK(wfCloth_ReadPositions(scene, id, x, 12, &err), err);
    *least = 1e9, *most = 0.0;
    for (int t = 0; t < 2 * (grid->n - 1) * (grid->m - 1); ++t)
        for (int k = 0; k < 3; ++k) {
            int a = grid->triangles[3 * t + k], b = grid->triangles[3 * t + (k + 1) % 3];
            double now = 0.0, rest = 0.0;
            for (int c = 0; c < 3; ++c) {
                now += ((double)x[3 * a + c] - x[3 * b + c]) * ((double)x[3 * a + c] - x[3 * b + c]);
                double r = (double)grid->positions[3 * a + c] - grid->positions[3 * b + c];
                rest += r * r;
            }
            *least = fmin(*least, sqrt(now / rest));
            *most = fmax(*most, sqrt(now / rest));
        }
    free(x);
}

typedef struct Shaken {
    double least, most; // edges over all steps
} Shaken;

/// A sheet that hangs from two corners, which are shaken: up and down by 4 cm, five times a second, and to and fro.
static Shaken Shake(wfDevice* device, const char* dynamics, int side, float stretch, int steps) {
    wfSceneDef def = PlainScene(0.005f);
    strcpy(def.dynamics, dynamics);
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(side, side, 0.5f, 0.5f, wfMake3(0, 0, 0));
    wfClothDef cloth = GridCloth(&grid, "sheet");
    cloth.fabric.stretch = stretch;
    cloth.fabric.shear = 0.2f * stretch;
    cloth.fabric.density = 0.2f;
    wfClothId id = AddCloth(scene, &cloth);
    wfKey keys[41];
    for (int k = 0; k < 41; ++k) {
        double t = 0.025 * k;
        keys[k] = (wfKey){(float)t, wfMake3((float)(0.03 * sin(31.0 * t)), (float)(0.04 * sin(10.0 * s_pi * t)), 0.0f), {0, 0, 0, 1}};
    }
    const int corners[] = {0, side - 1};
    wfPinDef pin = wfDefaultPinDef();
    pin.cloth = id;
    pin.vertices = corners;
    pin.vertexCount = 2;
    pin.keys = keys;
    pin.keyCount = 41;
    AddPin(scene, &pin);
    Commit(scene);
    Shaken out = {1e9, 0.0};
    for (int n = 0; n < steps; ++n) {
        Step(scene, 0.005);
        double least, most;
        EdgeRange(scene, id, &grid, &least, &most);
        out.least = fmin(out.least, least);
        out.most = fmax(out.most, most);
    }
    FreeGrid(&grid);
    wfDestroyScene(scene);
    return out;
}

static void TestShaken(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    const float stretches[] = {200.0f, 1000.0f};
    for (int k = 0; k < 2; ++k) {
        Shaken with = Shake(device, "explicit", 15, stretches[k], 100), without = Shake(device, "chebyshev", 15, stretches[k], 100);
        print_message("shaken, %g N/m: edges %.4f to %.4f of their length; implicit, without limits, %.4f to %.4f\n", (double)stretches[k],
                      with.least, with.most, without.least, without.most);
        assert_true(with.least >= 0.9 && with.most <= 1.1);
        assert_true(without.most > 1.15);
    }
    wfDestroyDevice(device);
}

/// A free sheet thrown apart so fast that only the limits hold it together: both momenta stay.
static void TestThrownApart(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = PlainScene(0.005f);
    def.gravity = wfMake3(0, 0, 0);
    def.membrane = wf_membraneSprings;
    def.bending = wf_bendingSprings;
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(11, 11, 0.4f, 0.4f, wfMake3(-0.2f, 0, -0.2f));
    wfClothDef cloth = GridCloth(&grid, "sheet");
    cloth.fabric.stretch = 20.0f;
    float start[3 * 121]; // stretched by 12 %, out of its plane a little, and turned in it
    for (int i = 0; i < 121; ++i) {
        const float* r = grid.positions + 3 * i;
        start[3 * i] = 1.12f * (r[0] + 0.2f * r[2]);
        start[3 * i + 1] = 0.3f * r[0] * r[2];
        start[3 * i + 2] = 1.12f * r[2];
    }
    cloth.mesh.positions = start;
    cloth.mesh.restPositions = grid.positions;
    cloth.velocity = wfMake3(0.5f, 0.2f, 0.1f);
    wfClothId id = AddCloth(scene, &cloth);
    Commit(scene);
    double *mass = MassesOf(&cloth), least, most;
    Motion before = MotionOf(scene, mass);
    EdgeRange(scene, id, &grid, &least, &most);
    assert_true(most > 1.15);
    for (int n = 0; n < 20; ++n) {
        Step(scene, 0.005);
        EdgeRange(scene, id, &grid, &least, &most);
        if (n > 0) assert_true(least >= 0.9 && most <= 1.1);
    }
    Motion after = MotionOf(scene, mass);
    double linear = wfLengthD(wfSubD(after.linear, before.linear)) / before.scale;
    double angular = wfLengthD(wfSubD(after.angular, before.angular)) / before.scale;
    print_message("thrown apart: momentum %.1e, angular %.1e\n", linear, angular);
    CHECK_NEAR(linear, 0.0, 5e-6); // 400 substeps
    CHECK_NEAR(angular, 0.0, 5e-6);
    free(mass);
    FreeGrid(&grid);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

// ---- against the implicit dynamics --------------------------------------------------------------------------------------------

/// A sheet held along one side falls and swings for 0.1 s; positions of all vertices, malloc'ed.
static float* Swing(wfDevice* device, const char* dynamics, wfIntegrator integrator, float dt, size_t* count) {
    wfSceneDef def = PlainScene(dt);
    strcpy(def.dynamics, dynamics);
    def.integrator = integrator;
    def.air_density = 1.2f;
    def.wind = wfMake3(1.0f, 0.5f, 2.0f);
    if (strcmp(dynamics, "explicit") != 0) def.iterations = 300;
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(7, 6, 0.3f, 0.25f, wfMake3(0, 0, 0));
    wfClothDef cloth = GridCloth(&grid, "sheet");
    cloth.fabric.stretch = 30.0f; // soft enough for the descent to be done, stiff enough for 10 %
    cloth.fabric.shear = 6.0f;
    cloth.fabric.damping = 0.5f;
    wfClothId id = AddCloth(scene, &cloth);
    const int side[] = {0, 1, 2, 3, 4, 5, 6};
    wfPinDef pin = wfDefaultPinDef();
    pin.cloth = id;
    pin.vertices = side;
    pin.vertexCount = 7;
    AddPin(scene, &pin);
    Commit(scene);
    Step(scene, 0.1);
    float* x = ReadState(scene, count);
    FreeGrid(&grid);
    wfDestroyScene(scene);
    return x;
}

static double Apart(const float* a, const float* b, size_t count) {
    double most = 0.0;
    for (size_t i = 0; i < count; i += 6) most = fmax(most, hypot(hypot(a[i] - b[i], a[i + 1] - b[i + 1]), a[i + 2] - b[i + 2]));
    return most;
}

static void TestAgainstImplicit(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    size_t count;
    float* fine = Swing(device, "explicit", wf_integrateEuler, 0.001f, &count);
    float* coarse = Swing(device, "explicit", wf_integrateEuler, 0.005f, &count);
    double e[3];
    for (int k = 0; k < 3; ++k) {
        float* x = Swing(device, "chebyshev", wf_integrateEuler, 0.004f / (float)(1 << k), &count);
        e[k] = Apart(x, fine, count);
        free(x);
    }
    print_message("explicit with steps of 1 and 5 ms: %.2e m apart; Euler with 4, 2, 1 ms: %.2e, %.2e, %.2e m from it\n",
                  Apart(fine, coarse, count), e[0], e[1], e[2]);
    CHECK_NEAR(Apart(fine, coarse, count), 0.0, 2e-4); // its own substeps are 0.25 ms at most in both
    CHECK_NEAR(e[0] / e[1], 2.0, 0.3);                 // first order, toward the explicit result
    CHECK_NEAR(e[1] / e[2], 2.0, 0.3);
    assert_true(e[2] < 2e-3);
    free(fine);
    free(coarse);
    wfDestroyDevice(device);
}

// ---- the seam -----------------------------------------------------------------------------------------------------------------

/// Soft pins of any stiffness, moving: what is folded into the targets never makes a substep unstable.
static void TestFoldedTargets(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    const float stiffnesses[] = {1.0f, 100.0f, 1e4f, 1e9f};
    for (int k = 0; k < 4; ++k) {
        wfSceneDef def = PlainScene(0.005f);
        wfScene* scene = NewScene(device, &def);
        Grid grid = MakeGrid(8, 8, 0.3f, 0.3f, wfMake3(0, 0, 0));
        wfClothDef cloth = GridCloth(&grid, "sheet");
        cloth.fabric.rayleigh = 1e-3f;
        wfClothId id = AddCloth(scene, &cloth);
        const int corners[] = {0, 7};
        const wfKey keys[] = {{0.0f, {0, 0, 0}, {0, 0, 0, 1}}, {1.0f, {1.0f, 0, 0}, {0, 0, 0, 1}}};
        wfPinDef pin = wfDefaultPinDef();
        pin.cloth = id;
        pin.vertices = corners;
        pin.vertexCount = 2;
        pin.stiffness = stiffnesses[k];
        pin.keys = keys;
        pin.keyCount = 2;
        pin.interpolation = wf_interpolateLinear;
        AddPin(scene, &pin);
        Commit(scene);
        double fastest = 0.0, farthest = 0.0;
        for (int n = 0; n < 100; ++n) {
            Step(scene, 0.005);
            size_t count;
            float* s = ReadState(scene, &count);
            for (size_t i = 0; i < count; i += 6) fastest = fmax(fastest, hypot(hypot(s[i + 3], s[i + 4]), s[i + 5]));
            wfVec3 at = wfMake3(0.005f * (float)(n + 1), 0, 0);
            if (n > 20) farthest = fmax(farthest, wfDistance(wfMake3(s[0], s[1], s[2]), at));
            free(s);
        }
        print_message("pins of %g N/m: corner at most %.2e m away, nothing faster than %.2f m/s\n", (double)stiffnesses[k], farthest,
                      fastest);
        assert_true(fastest < 12.0); // half a second of free fall is 4.9 m/s
        if (k >= 2) assert_true(farthest < 1e-3);
        FreeGrid(&grid);
        wfDestroyScene(scene);
    }
    wfDestroyDevice(device);
}

/// Down on a plane with contact after each step, stiff damping on: comes to rest on it.
static void TestContact(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = PlainScene(0.005f);
    strcpy(def.contact, "project");
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(8, 8, 0.3f, 0.3f, wfMake3(0, 0.02f, 0));
    wfClothDef cloth = GridCloth(&grid, "sheet");
    cloth.fabric.rayleigh = 5e-3f; // far above what an explicit treatment could bear
    cloth.fabric.viscosity = 1e-3f;
    AddCloth(scene, &cloth);
    wfColliderDef plane = wfDefaultColliderDef();
    plane.shape = wf_shapePlane;
    AddCollider(scene, &plane);
    Commit(scene);
    Step(scene, 0.5);
    size_t count;
    float* s = ReadState(scene, &count);
    for (size_t i = 0; i < count; i += 6) {
        CHECK_NEAR(s[i + 1], 0.5 * cloth.fabric.thickness, 1e-4);
        CHECK_NEAR(hypot(hypot(s[i + 3], s[i + 4]), s[i + 5]), 0.0, 0.06); // gravity in a step, before contact takes it
    }
    free(s);
    FreeGrid(&grid);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

static void TestThreads(void** state) {
    (void)state;
    wfDevice* devices[2] = {OpenCpu(1), OpenCpu(3)};
    wfScene* scenes[2];
    Grid grid = MakeGrid(70, 70, 0.5f, 0.5f, wfMake3(0, 0, 0));
    for (int k = 0; k < 2; ++k) {
        wfSceneDef def = PlainScene(0.0005f);
        def.air_density = 1.2f;
        def.wind = wfMake3(1, 0, 0.3f);
        def.wind_noise = 0.5f;
        scenes[k] = NewScene(devices[k], &def);
        wfClothDef cloth = GridCloth(&grid, "sheet");
        cloth.fabric.stretch = 40.0f;
        cloth.fabric.rayleigh = 1e-4f;
        cloth.fabric.viscosity = 1e-3f;
        cloth.pressure = 5.0f;
        wfClothId id = AddCloth(scenes[k], &cloth);
        const int corner = 0;
        wfPinDef pin = wfDefaultPinDef();
        pin.cloth = id;
        pin.vertices = &corner;
        pin.vertexCount = 1;
        AddPin(scenes[k], &pin);
        Commit(scenes[k]);
        Step(scenes[k], 0.002);
    }
    CheckSameState(scenes[0], scenes[1]);
    for (int k = 0; k < 2; ++k) {
        wfDestroyScene(scenes[k]);
        wfDestroyDevice(devices[k]);
    }
    FreeGrid(&grid);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestFreeFall),    cmocka_unit_test(TestSpring),          cmocka_unit_test(TestPendulum),
        cmocka_unit_test(TestAir),         cmocka_unit_test(TestFreeFlight),      cmocka_unit_test(TestShaken),
        cmocka_unit_test(TestThrownApart), cmocka_unit_test(TestAgainstImplicit), cmocka_unit_test(TestFoldedTargets),
        cmocka_unit_test(TestContact),     cmocka_unit_test(TestThreads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
