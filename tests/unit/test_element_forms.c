// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "patch.h"
#include "scene_fixture.h"

#include "math/vec_double.h"

#include <string.h>

// What cloth of triangle elements and hinges does on the device, against what is known on paper: moduli from stored energy, the shape of a
// hanging chain, the bending length of a strip, momentum in free flight, and what the integrators take from a pendulum.

static wfSceneDef ElementScene(float dt) {
    wfSceneDef def = wfDefaultSceneDef();
    def.time_step = dt;
    def.membrane = wf_membraneFabric;
    def.bending = wf_bendingDihedral;
    strcpy(def.contact, "none");
    return def;
}

typedef wfVec3 (*PlaceFn)(wfVec3 p, const void* how);
typedef bool (*HeldFn)(wfVec3 p, const void* how);

/// A scene with the patch placed by `place`, its flat shape as rest shape, and what `held` says held where it starts.
static wfScene* PlacePatch(wfDevice* device, const wfSceneDef* def, const Patch* patch, PlaceFn place, HeldFn held, const void* how) {
    int n = patch->model.vertexCount, count = 0;
    wfVec3* start = calloc((size_t)n, sizeof *start);
    int* vertices = calloc((size_t)n, sizeof *vertices);
    assert_non_null(start);
    assert_non_null(vertices);
    for (int i = 0; i < n; ++i) {
        start[i] = place(patch->mesh.positions[i], how);
        if (held(patch->mesh.positions[i], how)) vertices[count++] = i;
    }
    wfScene* scene = NewScene(device, def);
    wfClothDef cloth = wfDefaultClothDef();
    cloth.fabric = patch->cloth.fabric;
    cloth.mesh = wfMesh_View(&patch->mesh);
    cloth.mesh.restPositions = cloth.mesh.positions;
    cloth.mesh.positions = &start->x;
    wfPinDef pin = wfDefaultPinDef();
    pin.cloth = AddCloth(scene, &cloth);
    pin.vertices = vertices;
    pin.vertexCount = count;
    if (count > 0) AddPin(scene, &pin);
    Commit(scene);
    free(start);
    free(vertices);
    return scene;
}

static void Run(wfScene* scene, float seconds) {
    wfError err = {0};
    CHECK_OK(wfScene_Step(scene, seconds, &err), err);
}

static wfCertificate Certify(wfScene* scene) {
    wfError err = {0};
    wfCertificate certificate;
    CHECK_OK(wfScene_Certify(scene, false, &certificate, &err), err);
    return certificate;
}

/// Positions of the scene's only cloth, or its velocities; to be freed.
static wfVec3* Read(const wfScene* scene, bool velocities) {
    wfClothId id = wfScene_GetCloth(scene, 0);
    wfVec3* out = calloc((size_t)wfCloth_GetVertexCount(scene, id), sizeof *out);
    wfError err = {0};
    assert_non_null(out);
    if (velocities)
        CHECK_OK(wfCloth_ReadVelocities(scene, id, &out->x, sizeof *out, &err), err);
    else
        CHECK_OK(wfCloth_ReadPositions(scene, id, &out->x, sizeof *out, &err), err);
    return out;
}

// ---- moduli -------------------------------------------------------------------------------------------------------------------

static wfVec3 Pulled(wfVec3 p, const void* how) { return wfMake3((1.0f + *(const float*)how) * p.x, p.y, p.z); }
static bool AtEnds(wfVec3 p, const void* how) {
    (void)how;
    return fabsf(p.x) > 0.0999f;
}
static wfVec3 Sheared(wfVec3 p, const void* how) { return wfMake3(p.x + *(const float*)how * p.z, p.y, p.z); }
static bool AtSides(wfVec3 p, const void* how) {
    (void)how;
    return fabsf(p.z) > 0.0199f;
}

static void TestModuli(void** state) {
    (void)state;
    wfError err = {0};
    wfDevice* device = OpenCpu(1);
    wfFabric fabric;
    CHECK_OK(wfFindFabric("wool", &fabric, &err), err);
    fabric.damping = 20.0f;
    wfSceneDef def = ElementScene(0.01f);
    def.gravity = wfMake3(0, 0, 0);
    for (int pattern = wf_patternAlternating; pattern <= wf_patternIrregular; ++pattern) {
        const float strain = 0.01f;
        Patch patch;
        // A strip pulled along the warp, free to narrow: E = stiffness/2 strain² area.
        MakePatch(&patch, 0.2f, 0.02f, 21, (wfSheetPattern)pattern, &fabric);
        wfScene* scene = PlacePatch(device, &def, &patch, Pulled, AtEnds, &strain);
        Run(scene, 0.3f);
        double pull = 2.0 * Certify(scene).elasticEnergy / ((double)strain * (double)strain * 0.2 * 0.02);
        wfDestroyScene(scene);
        FreePatch(&patch);
        // A low wide one sheared, whose short ends are free; without Poisson's ratio these hardly matter.
        wfFabric plain = fabric;
        plain.poisson = 0.0f;
        MakePatch(&patch, 0.6f, 0.04f, 46, (wfSheetPattern)pattern, &plain);
        scene = PlacePatch(device, &def, &patch, Sheared, AtSides, &strain);
        Run(scene, 0.1f);
        double shear = 2.0 * Certify(scene).elasticEnergy / ((double)strain * (double)strain * 0.6 * 0.04);
        wfDestroyScene(scene);
        FreePatch(&patch);
        double warp = (double)fabric.stretch * (double)fabric.stretch_warp;
        print_message("pull %.1f of %.1f N/m, shear %.2f of %.2f N/m\n", pull, warp, shear, (double)fabric.shear);
        CHECK_NEAR(pull, warp, 0.01 * warp);
        CHECK_NEAR(shear, fabric.shear, 0.01 * (double)fabric.shear);
    }
    wfDestroyDevice(device);
}

// ---- catenary -----------------------------------------------------------------------------------------------------------------

typedef struct Span {
    double length, span, angle; // of the strip, between its ends; half the angle of the arc it starts as
} Span;

static wfVec3 OnArc(wfVec3 p, const void* how) {
    const Span* s = how;
    double radius = 0.5 * s->length / s->angle, t = (double)p.x / radius;
    return wfMake3((float)(radius * sin(t)), (float)(radius * (cos(s->angle) - cos(t))), p.z);
}
static bool AtSpanEnds(wfVec3 p, const void* how) { return fabs((double)p.x) > 0.4999 * ((const Span*)how)->length; }

static void TestCatenary(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    Span s = {.length = 0.6, .span = 0.4, .angle = 1.0};
    double a = 0.1;
    for (int k = 0; k < 100; ++k)
        s.angle -= (sin(s.angle) / s.angle - s.span / s.length) / ((cos(s.angle) - sin(s.angle) / s.angle) / s.angle);
    for (int k = 0; k < 100; ++k)
        a -= (2.0 * a * sinh(0.5 * s.span / a) - s.length) / (2.0 * sinh(0.5 * s.span / a) - s.span / a * cosh(0.5 * s.span / a));
    wfFabric fabric = wfDefaultFabric(); // 1000 N/m: its own weight stretches it by less than a thousandth
    fabric.poisson = 0.0f;
    fabric.damping = 8.0f;
    Patch patch;
    MakePatch(&patch, (float)s.length, 0.03f, 41, wf_patternAlternating, &fabric);
    wfSceneDef def = ElementScene(0.01f);
    def.bending = wf_bendingNone;
    wfScene* scene = PlacePatch(device, &def, &patch, OnArc, AtSpanEnds, &s);
    Run(scene, 2.0f);
    wfVec3* x = Read(scene, false);
    double sag = a * (cosh(0.5 * s.span / a) - 1.0), worst = 0.0;
    for (int i = 0; i < patch.model.vertexCount; ++i)
        worst = fmax(worst, fabs((double)x[i].y - a * (cosh((double)x[i].x / a) - cosh(0.5 * s.span / a))));
    print_message("catenary: off by %.2g of the sag %.4f m\n", worst / sag, sag);
    CHECK_NEAR(worst, 0.0, 0.01 * sag);
    free(x);
    wfDestroyScene(scene);
    FreePatch(&patch);
    wfDestroyDevice(device);
}

// ---- cantilever ---------------------------------------------------------------------------------------------------------------

typedef struct Overhang {
    double length, left, cell; // of the free part; where the strip begins; of a row
} Overhang;

/// About as it will hang: curvature falls to the tip like the moment, with the square.
static wfVec3 Hanging(wfVec3 p, const void* how) {
    enum { Pieces = 100 };
    const Overhang* o = how;
    double s = (double)p.x - o->left - o->cell, x = o->left + o->cell, y = 0.0;
    if (s <= 0.0) return p;
    for (int k = 0; k < Pieces; ++k) {
        double rest = 1.0 - (k + 0.5) / Pieces * s / o->length, angle = 1.01 * (1.0 - rest * rest * rest);
        x += s / Pieces * cos(angle);
        y -= s / Pieces * sin(angle);
    }
    return wfMake3((float)x, (float)y, p.z);
}
static bool OnTable(wfVec3 p, const void* how) { return (double)p.x < ((const Overhang*)how)->left + 1.5 * ((const Overhang*)how)->cell; }

/// ASTM D1388: overhang and angle of the tip give the bending length (Peirce 1930) L (cos(t/2) / (8 tan t))^(1/3); see test_newton.c.
static void TestCantilever(void** state) {
    (void)state;
    enum { Cells = 14, Across = 7 };
    const char* names[] = {"denim", "jersey"};
    wfDevice* device = OpenCpu(1);
    for (int k = 0; k < 2; ++k) {
        wfError err = {0};
        wfFabric fabric;
        CHECK_OK(wfFindFabric(names[k], &fabric, &err), err);
        fabric.damping = 20.0f;
        double set = cbrt((double)fabric.bending * (double)fabric.bend_warp / ((double)fabric.density * 9.81));
        Overhang o = {.length = 2.0 * set, .cell = 2.0 * set / Cells};
        o.left = -0.5 * o.cell * (Cells + 1);
        Patch patch;
        MakePatch(&patch, (float)(o.cell * (Cells + 1)), (float)(o.cell * Across), Cells + 2, wf_patternIrregular, &fabric);
        wfSceneDef def = ElementScene(0.004f);
        wfScene* scene = PlacePatch(device, &def, &patch, Hanging, OnTable, &o);
        Run(scene, 0.6f);
        wfVec3* p = Read(scene, false);
        double x = 0.0, y = 0.0;
        int count = 0;
        for (int i = 0; i < patch.model.vertexCount; ++i) {
            if ((double)patch.mesh.positions[i].x < -o.left - 0.5 * o.cell) continue;
            x += (double)p[i].x;
            y += (double)p[i].y;
            count++;
        }
        // The last held row bends as one cell of the strip, half of which lies before it: the edge is in the middle of that cell.
        double angle = atan2(-y / count, x / count - (o.left + 0.5 * o.cell));
        double got = (o.length + 0.5 * o.cell) * cbrt(cos(0.5 * angle) / (8.0 * tan(angle)));
        print_message("%s: bending length %.2f of %.2f mm, tip at %.1f degrees\n", names[k], 1e3 * got, 1e3 * set, angle * 57.29578);
        CHECK_NEAR(got, set, 0.05 * set);
        free(p);
        wfDestroyScene(scene);
        FreePatch(&patch);
    }
    wfDestroyDevice(device);
}

// ---- pendulum -----------------------------------------------------------------------------------------------------------------

static wfVec3 AsItIs(wfVec3 p, const void* how) {
    (void)how;
    return p;
}
static bool AtLeft(wfVec3 p, const void* how) {
    (void)how;
    return p.x < -0.0999f;
}

/// Share of its energy that a stiff flap loses on its way down and up the other side.
static double PendulumLoss(wfDevice* device, wfIntegrator integrator, float dt) {
    wfFabric fabric = wfDefaultFabric();
    fabric.bending = 0.02f; // a board
    fabric.shear = 500.0f;
    Patch patch;
    MakePatch(&patch, 0.2f, 0.1f, 5, wf_patternAlternating, &fabric);
    wfSceneDef def = ElementScene(dt);
    def.integrator = integrator;
    def.iterations = 200; // a whole solve: what is lost is the integrator's
    wfScene* scene = PlacePatch(device, &def, &patch, AsItIs, AtLeft, NULL);
    wfCertificate before = Certify(scene);
    Run(scene, 0.7f);
    wfCertificate after = Certify(scene);
    double total = 0.2 * 0.1 * (double)fabric.density * 9.81 * 0.1; // from horizontal to the lowest point
    double lost = before.kineticEnergy + before.elasticEnergy + before.gravityEnergy - after.kineticEnergy - after.elasticEnergy -
                  after.gravityEnergy;
    wfDestroyScene(scene);
    FreePatch(&patch);
    return lost / total;
}

static void TestPendulum(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    for (int k = 0; k < 2; ++k) {
        float dt = k == 0 ? 0.02f : 0.01f;
        double euler = PendulumLoss(device, wf_integrateEuler, dt), bdf2 = PendulumLoss(device, wf_integrateBdf2, dt);
        print_message("pendulum, dt %g s, 0.7 s: Euler loses %.2f %% of its energy, BDF2 %.2f %%\n", (double)dt, 100.0 * euler,
                      100.0 * bdf2);
        assert_true(euler > 0.0 && fabs(bdf2) < 0.25 * euler); // second order shows
    }
    wfDestroyDevice(device);
}

// ---- momentum -----------------------------------------------------------------------------------------------------------------

static wfVec3 Waved(wfVec3 p, const void* how) {
    (void)how;
    return wfMake3(1.02f * p.x, 0.004f * sinf(40.0f * p.x) * cosf(31.0f * p.z), p.z);
}
static bool Nothing(wfVec3 p, const void* how) {
    (void)p;
    (void)how;
    return false;
}

typedef struct Drift {
    double push; // momentum, by the most that the parts had
    double turn; // moment of all impulses, by the most that those of one step had
} Drift;

/// A strained, wavy sheet let go at rest, without gravity: whatever it does inside, it must neither go anywhere nor be turned. The moment
/// of an impulse is taken about the end of its step, where the forces of implicit Euler act.
static Drift FreeDrift(wfDevice* device, const char* dynamics, int iterations) {
    wfFabric fabric = wfDefaultFabric();
    fabric.stretch = 200.0f;
    fabric.shear = 40.0f;
    Patch patch;
    MakePatch(&patch, 0.2f, 0.2f, 9, wf_patternIrregular, &fabric);
    wfSceneDef def = ElementScene(0.005f);
    def.gravity = wfMake3(0, 0, 0);
    def.iterations = iterations;
    strcpy(def.dynamics, dynamics);
    wfScene* scene = PlacePatch(device, &def, &patch, Waved, Nothing, NULL);
    Drift drift = {0.0, 0.0};
    double pushes = 0.0, turns = 0.0;
    wfVec3D turn = {0, 0, 0};
    wfVec3* before = Read(scene, true);
    for (int step = 0; step < 15; ++step) {
        Run(scene, def.time_step);
        wfVec3 *x = Read(scene, false), *v = Read(scene, true);
        wfVec3D push = {0, 0, 0};
        double allPushes = 0.0, allTurns = 0.0;
        for (int i = 0; i < patch.model.vertexCount; ++i) {
            wfVec3D p = wfScaleD(wfWiden(v[i]), (double)patch.mass[i]);
            wfVec3D moment = wfCrossD(wfWiden(x[i]), wfSubD(p, wfScaleD(wfWiden(before[i]), (double)patch.mass[i])));
            push = wfAddD(push, p);
            turn = wfAddD(turn, moment);
            allPushes += wfLengthD(p);
            allTurns += wfLengthD(moment);
        }
        pushes = fmax(pushes, allPushes);
        turns = fmax(turns, allTurns);
        drift.push = fmax(drift.push, wfLengthD(push));
        drift.turn = fmax(drift.turn, wfLengthD(turn));
        free(x);
        free(before);
        before = v;
    }
    free(before);
    wfDestroyScene(scene);
    FreePatch(&patch);
    return (Drift){drift.push / pushes, drift.turn / turns};
}

/// A step that is solved keeps momentum to the rounding of positions; so does descent, which solves for the motion of a cloth as a whole
/// (dynamics/balance.h) however far it comes with the rest.
static void TestMomentum(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    Drift solved = FreeDrift(device, "newton", 0), descended = FreeDrift(device, "chebyshev", 200);
    print_message("free flight: momentum %.2g of what the parts have, moment %.2g; by descent %.2g, %.2g\n", solved.push, solved.turn,
                  descended.push, descended.turn);
    CHECK_NEAR(solved.push, 0.0, 1e-5);
    CHECK_NEAR(solved.turn, 0.0, 1e-5);
    CHECK_NEAR(descended.push, 0.0, 1e-5);
    CHECK_NEAR(descended.turn, 0.0, 1e-5);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestModuli),   cmocka_unit_test(TestCatenary), cmocka_unit_test(TestCantilever),
        cmocka_unit_test(TestPendulum), cmocka_unit_test(TestMomentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
