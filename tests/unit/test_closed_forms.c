// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene_fixture.h"

#include "math/vec.h"

// Motions that are known on paper. Each is compared twice: with what implicit Euler does in exact arithmetic at that time step, to the
// accuracy of single precision; and with the true motion, where the error must shrink as the order of the method says.
//
// Rounding: a position near 1 m carries 6e-8 m. A velocity is the difference of two of them over dt, so each step can put another 6e-8 m
// onto the way of every later step: about 6e-8 n^1.5 after n steps if the signs are random, 3e-8 n^2 if they are all the same.

static double RoundingAfter(int steps) { return 1e-6 + 3e-8 * steps * steps; }

static wfSceneDef PlainScene(float dt) {
    wfSceneDef def = wfDefaultSceneDef();
    def.time_step = dt;
    def.membrane = wf_membraneSprings; // what the closed forms below are of
    def.bending = wf_bendingSprings;
    return def;
}

// ---- free fall ----------------------------------------------------------------------------------------------------------------

static double FallError(wfDevice* device, int steps, double seconds) {
    double dt = seconds / steps, g = 9.81, v0 = 0.5;
    wfSceneDef def = PlainScene((float)dt);
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(5, 4, 0.4f, 0.3f, wfMake3(0, 0, 0));
    wfClothDef cloth = GridCloth(&grid, "sheet");
    cloth.velocity = wfMake3(0.25f, (float)v0, 0);
    wfClothId id = AddCloth(scene, &cloth);
    Commit(scene);
    wfError err = {0};
    CHECK_OK(wfScene_Step(scene, (float)seconds, &err), err);
    double worst = 0.0;
    for (int i = 0; i < 20; ++i) {
        wfVec3 p = ReadVertex(scene, id, i);
        CHECK_NEAR(p.y, v0 * seconds - g * dt * dt * steps * (steps + 1) / 2, RoundingAfter(steps));
        CHECK_NEAR(p.x - grid.positions[3 * i], 0.25 * seconds, RoundingAfter(steps));
        worst = fmax(worst, fabs(p.y - (v0 * seconds - 0.5 * g * seconds * seconds)));
    }
    FreeGrid(&grid);
    wfDestroyScene(scene);
    return worst;
}

static void TestFreeFall(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    // The method is of first order: the error is g t dt / 2, so it halves with dt. 3 %: rounding at the finest step is 1.3 % of it.
    double e[3];
    for (int k = 0; k < 3; ++k) {
        int steps = 20 << k;
        e[k] = FallError(device, steps, 0.2);
        CHECK_NEAR(e[k], 9.81 * 0.2 * (0.2 / steps) / 2, 0.03 * e[k]);
    }
    CHECK_NEAR(e[0] / e[1], 2.0, 0.06);
    CHECK_NEAR(e[1] / e[2], 2.0, 0.06);
    wfDestroyDevice(device);
}

// ---- one spring ---------------------------------------------------------------------------------------------------------------

// An equilateral triangle of side l that breathes. Its three springs have k = S A / l^2 with A its area, its vertices m = density A / 3
// each; all lengths go with the distance r from the middle, so r'' = -(3 k / m) (r - r0) exactly: w^2 = 9 S / (density l^2).
static double BreathingPeriod(wfDevice* device, float dt) {
    wfSceneDef def = PlainScene(dt);
    def.gravity = wfMake3(0, 0, 0);
    wfScene* scene = NewScene(device, &def);
    const float rest[] = {0.5773503f, 0, 0, -0.28867513f, 0, 0.5f, -0.28867513f, 0, -0.5f};
    float start[9];
    for (int i = 0; i < 9; ++i) start[i] = 1.1f * rest[i];
    const int triangle[] = {0, 1, 2};
    wfClothDef cloth = wfDefaultClothDef();
    cloth.fabric.stretch = 1.0f;
    cloth.fabric.density = 0.2f;
    cloth.mesh = (wfMeshView){.positions = start, .vertexCount = 3, .triangles = triangle, .triangleCount = 1, .restPositions = rest};
    wfClothId id = AddCloth(scene, &cloth);
    Commit(scene);
    // The time between the first and the ninth passage through rest, each by linear interpolation: four periods.
    double last = 0.1 * 0.5773503, first = 0.0, end = 0.0;
    int passages = 0;
    wfError err = {0};
    for (int n = 1; passages < 9 && n < 100000; ++n) {
        CHECK_OK(wfScene_Step(scene, dt, &err), err);
        double now = ReadVertex(scene, id, 0).x - 0.5773503;
        if ((now < 0.0) != (last < 0.0)) {
            end = (double)dt * (n - 1 + last / (last - now));
            if (passages++ == 0) first = end;
        }
        last = now;
    }
    assert_int_equal(passages, 9);
    wfDestroyScene(scene);
    return (end - first) / 4.0;
}

static void TestSpringPeriod(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    double w = sqrt(9.0 * 1.0 / 0.2), period = 2.0 * 3.14159265358979 / w, e[3];
    for (int k = 0; k < 3; ++k) {
        double dt = 0.02 / (1 << k);
        double measured = BreathingPeriod(device, (float)dt);
        // Implicit Euler turns by atan(w dt) each step (and shrinks, which moves no passage). Interpolating a sine between two steps is off
        // by less than (w dt)^2 / 8 of a step.
        CHECK_NEAR(measured, 2.0 * 3.14159265358979 * dt / atan(w * dt), 1e-4 * period);
        e[k] = measured / period - 1.0;
        CHECK_NEAR(e[k], (w * dt) * (w * dt) / 3.0, 0.05 * e[k]); // leading term; the next one is (w dt)^2 / 5 of it, up to 0.4 %
    }
    CHECK_NEAR(e[0] / e[1], 4.0, 0.2);
    CHECK_NEAR(e[1] / e[2], 4.0, 0.2);
    wfDestroyDevice(device);
}

// ---- a hanging strip ----------------------------------------------------------------------------------------------------------

// A strip of equilateral triangles with straight sides: columns of vertices l apart, every other one half an l lower. Springs on such a
// net are a membrane of stiffness S with Poisson ratio 1/3, so a strip of length L hangs u(y) = (density g / S) (L y - y^2 / 2) at depth
// y, and is narrower by a third of its stretch. The top vertices are pinned where that solution has them; the lower end is a zigzag, on
// average a quarter of an l below the even columns.
static double HangingError(wfDevice* device, int rows, float dt) {
    enum { columns = 5, mostRows = 40 };
    const double l = 1.0 / rows, s = l * 0.8660254037844386, length = 1.0 + 0.25 * l, density = 0.2, g = 9.81, stiffness = 200.0;
    static float rest[columns * (mostRows + 1)][3], start[columns * (mostRows + 1)][3];
    static int triangles[2 * columns * mostRows][3];
    int perColumn = rows + 1, t = 0;
    for (int i = 0; i < columns; ++i) {
        for (int j = 0; j < perColumn; ++j) {
            int v = i * perColumn + j;
            double x = (i - 0.5 * (columns - 1)) * s, y = j * l + (i % 2) * 0.5 * l;
            double u = density * g / stiffness * (length * y - 0.5 * y * y), stretch = density * g / stiffness * (length - y);
            rest[v][0] = (float)x;
            rest[v][1] = (float)-y;
            start[v][0] = (float)(x * (1.0 - stretch / 3.0));
            start[v][1] = (float)-(y + u);
            if (i + 1 == columns || j + 1 == perColumn) continue;
            int a = v, b = v + perColumn;
            const int even[2][3] = {{a, a + 1, b}, {a + 1, b + 1, b}}, odd[2][3] = {{a, b + 1, b}, {a, a + 1, b + 1}};
            for (int k = 0; k < 2; ++k, ++t) memcpy(triangles[t], i % 2 == 0 ? even[k] : odd[k], sizeof triangles[t]);
        }
    }
    wfSceneDef def = PlainScene(dt);
    def.air_drag = 1.0f; // to rest within half a second: air_drag / density = 5 1/s
    def.iterations = 200;
    wfScene* scene = NewScene(device, &def);
    wfClothDef cloth = wfDefaultClothDef();
    cloth.fabric.stretch = (float)stiffness;
    cloth.fabric.density = (float)density;
    cloth.fabric.bending = 0.0f;
    cloth.mesh = (wfMeshView){
        .positions = start[0], .vertexCount = columns * perColumn, .triangles = triangles[0], .triangleCount = t, .restPositions = rest[0]};
    wfClothId id = AddCloth(scene, &cloth);
    int top[columns];
    for (int i = 0; i < columns; ++i) top[i] = i * perColumn;
    wfPinDef pin = wfDefaultPinDef();
    pin.cloth = id;
    pin.vertices = top;
    pin.vertexCount = columns;
    AddPin(scene, &pin);
    Commit(scene);
    wfError err = {0};
    CHECK_OK(wfScene_Step(scene, 3.0f, &err), err);
    int bottom = 2 * perColumn + rows; // of the middle column, at depth 1
    double hangs = -ReadVertex(scene, id, bottom).y - 1.0, expected = density * g / stiffness * (length - 0.5);
    wfDestroyScene(scene);
    return hangs / expected - 1.0;
}

static void TestHangingStrip(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    // What is left is the net's: it shrinks with the square of the edge length. At rest the time step plays no part.
    double coarse = HangingError(device, 8, 0.005f), shorter = HangingError(device, 8, 0.0025f), fine = HangingError(device, 32, 0.005f);
    CHECK_NEAR(coarse, 0.0, 0.01);
    CHECK_NEAR(shorter, coarse, 0.001);
    CHECK_NEAR(fine, 0.0, 0.002);
    wfDestroyDevice(device);
}

// ---- an incline ---------------------------------------------------------------------------------------------------------------

// How far a sheet slides down a plane in `seconds`, with friction sqrt(0.4 * 0.4) = 0.4.
static double Slide(wfDevice* device, double angle, int steps, double seconds) {
    wfSceneDef def = PlainScene((float)(seconds / steps));
    strcpy(def.contact, "project");
    def.iterations = 100; // a whole solve: the closed form knows nothing of a descent that stops early
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(4, 4, 0.3f, 0.3f, wfMake3(-0.15f, 0, -0.15f));
    wfClothDef cloth = GridCloth(&grid, "sheet");
    cloth.fabric.friction = 0.4f;
    // It slides as one piece, so its stiffness plays no part; but single precision moves a vertex only by what its springs do not round
    // away, about 1e-8 m times (spring stiffness) / (m / dt^2) a step. Soft springs keep that under 1e-7 m.
    cloth.fabric.stretch = 20.0f;
    wfQuat tilt = wfQuatAxisAngle(wfMake3(0, 0, 1), (float)-angle); // falls toward +x
    float* positions = malloc(48 * sizeof(float));
    for (int i = 0; i < 16; ++i) {
        wfVec3 p = wfRotate(tilt, wfMake3(grid.positions[3 * i], 0.5f * cloth.fabric.thickness, grid.positions[3 * i + 2]));
        memcpy(positions + 3 * i, &p, sizeof p);
    }
    cloth.mesh.positions = positions;
    wfClothId id = AddCloth(scene, &cloth);
    wfColliderDef plane = wfDefaultColliderDef();
    const wfKey key = {0, {0, 0, 0}, tilt};
    plane.shape = wf_shapePlane;
    plane.friction = 0.4f;
    plane.keys = &key;
    plane.keyCount = 1;
    AddCollider(scene, &plane);
    Commit(scene);
    wfError err = {0};
    CHECK_OK(wfScene_Step(scene, (float)seconds, &err), err);
    double least = 1e9, most = -1e9;
    for (int i = 0; i < 16; ++i) {
        wfVec3 p = ReadVertex(scene, id, i), q = wfMake3(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
        wfVec3 moved = wfUnrotate(tilt, wfSub(p, q));
        least = fmin(least, moved.x);
        most = fmax(most, moved.x);
        CHECK_NEAR(moved.y, 0.0, 2e-6); // on the plane
        CHECK_NEAR(moved.z, 0.0, RoundingAfter(steps));
    }
    CHECK_NEAR(most - least, 0.0, RoundingAfter(steps)); // as one piece
    free(positions);
    FreeGrid(&grid);
    wfDestroyScene(scene);
    return 0.5 * (least + most);
}

static void TestIncline(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    const double friction = 0.4, limit = atan(friction), g = 9.81, seconds = 0.2;
    // Below the angle of friction it stays, also just below; above it, also just above, it goes.
    CHECK_NEAR(Slide(device, 0.5 * limit, 40, seconds), 0.0, 1e-6);
    CHECK_NEAR(Slide(device, 0.99 * limit, 40, seconds), 0.0, 1e-6);
    double e[3], angle = 0.6, a = g * (sin(angle) - friction * cos(angle));
    double slow = g * (sin(1.02 * limit) - friction * cos(1.02 * limit));
    CHECK_NEAR(Slide(device, 1.02 * limit, 40, seconds), slow * (seconds / 40) * (seconds / 40) * 40 * 41 / 2, RoundingAfter(40));
    for (int k = 0; k < 3; ++k) {
        int steps = 20 << k;
        double dt = seconds / steps, way = Slide(device, angle, steps, seconds);
        CHECK_NEAR(way, a * dt * dt * steps * (steps + 1) / 2, RoundingAfter(steps));
        e[k] = way - 0.5 * a * seconds * seconds; // first order: a t dt / 2
        CHECK_NEAR(e[k], 0.5 * a * seconds * dt, 0.05 * e[k]);
    }
    CHECK_NEAR(e[0] / e[1], 2.0, 0.1);
    CHECK_NEAR(e[1] / e[2], 2.0, 0.1);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestFreeFall),
        cmocka_unit_test(TestSpringPeriod),
        cmocka_unit_test(TestHangingStrip),
        cmocka_unit_test(TestIncline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
