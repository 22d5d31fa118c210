// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene_fixture.h"

#include "math/vec.h"
#include "scene/scene.h"

// Contact by impulses against blades: wedges whose edge has no radius at all, so that cloth lies on a line or on the end of one. What falls
// on them is neither cut nor torn, and does not gain energy from them, at any speed and whichever way it comes.

enum { Side = 12, Vertices = Side * Side };
static const float s_density = 0.2f, s_thickness = 1e-3f; // [kg/m²], [m]
static const float s_width = 0.3f;                        // [m] of the sheet
static const float s_half = 0.004f, s_depth = 0.15f;      // [m] of the blade: half its width at the back, and how far that is from the edge

// The edge runs along z at the origin, 3 degrees sharp; its ends are corners.
static wfColliderDef MakeBlade(float length, float positions[18]) {
    static const int triangles[] = {0, 1, 2, 3, 5, 4, 0, 3, 1, 1, 3, 4, 0, 2, 3, 2, 5, 3, 1, 4, 2, 2, 4, 5};
    for (int end = 0; end < 2; ++end) {
        float z = (end == 0 ? -0.5f : 0.5f) * length;
        const float corners[9] = {0, 0, z, -s_half, -s_depth, z, s_half, -s_depth, z};
        memcpy(positions + 9 * end, corners, sizeof corners);
    }
    wfColliderDef blade = wfDefaultColliderDef();
    strcpy(blade.name, "blade");
    blade.shape = wf_shapeMesh;
    blade.mesh = (wfMeshView){.positions = positions, .vertexCount = 6, .triangles = triangles, .triangleCount = 8};
    blade.friction = 0.3f;
    return blade;
}

typedef struct Throw {
    const char* name;
    float length;    // [m] of the blade
    wfVec3 axis;     // the sheet lies flat, turned about this …
    float angle;     // … by this
    wfVec3 center;   // [m]
    wfVec3 velocity; // [m/s]
    float gravity;   // [m/s²]
    bool bladeMoves; // the same seen from the sheet: the blade comes
    int frames;
    double left; // of the energy, at most, in the end
} Throw;

static wfScene* MakeThrow(wfDevice* device, const Throw* t) {
    wfSceneDef def = wfDefaultSceneDef();
    def.gravity = wfMake3(0, -t->gravity, 0);
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(Side, Side, s_width, s_width, wfMake3(-0.5f * s_width, 0, -0.5f * s_width));
    wfQuat turn = wfQuatAxisAngle(t->axis, t->angle);
    for (int i = 0; i < Vertices; ++i) {
        wfVec3 p;
        memcpy(&p, grid.positions + 3 * i, sizeof p);
        p = wfAdd(t->center, wfRotate(turn, p));
        memcpy(grid.positions + 3 * i, &p, sizeof p);
    }
    wfClothDef cloth = GridCloth(&grid, "sheet");
    cloth.fabric.thickness = s_thickness;
    cloth.fabric.density = s_density;
    if (!t->bladeMoves) cloth.velocity = t->velocity;
    AddCloth(scene, &cloth);
    FreeGrid(&grid);
    float positions[18];
    wfColliderDef blade = MakeBlade(t->length, positions);
    const wfKey keys[] = {{0.0f, {0, 0, 0}, {0, 0, 0, 1}}, {1.0f, wfScale(t->velocity, -1.0f), {0, 0, 0, 1}}};
    if (t->bladeMoves) {
        blade.interpolation = wf_interpolateLinear;
        blade.keys = keys;
        blade.keyCount = 2;
    }
    AddCollider(scene, &blade);
    Commit(scene);
    return scene;
}

// Kinetic energy in the frame of the blade, and how deep a vertex is inside of it.
static double KineticBeside(const wfScene* scene, wfVec3 speed, wfVec3 place, float length, float* deepest) {
    size_t count;
    float* state = ReadState(scene, &count);
    double sum = 0.0;
    *deepest = 0.0f;
    for (size_t i = 0; i < count / 6; ++i) {
        wfVec3 p, v;
        memcpy(&p, state + 6 * i, sizeof p);
        memcpy(&v, state + 6 * i + 3, sizeof v);
        p = wfSub(p, place);
        sum += 0.5 * (double)scene->model.mass[i] * (double)wfLengthSq(wfSub(v, speed));
        if (fabsf(p.z) < 0.5f * length && p.y > -s_depth) *deepest = fmaxf(*deepest, -p.y * s_half / s_depth - fabsf(p.x));
    }
    free(state);
    return sum;
}

static void RunThrow(wfDevice* device, const Throw* t) {
    wfScene* scene = MakeThrow(device, t);
    wfError err = {0};
    wfCertificate c;
    wfVec3 speed = t->bladeMoves ? wfScale(t->velocity, -1.0f) : wfMake3(0, 0, 0);
    double first = 0.0, last = 0.0;
    int64_t contacts = 0;
    for (int frame = 0; frame <= t->frames; ++frame) {
        if (frame > 0) StepFrames(scene, 1);
        CHECK_OK(wfScene_Certify(scene, true, &c, &err), err);
        contacts += c.contacts;
        float deepest;
        last = KineticBeside(scene, speed, wfScale(speed, (float)wfScene_GetTime(scene)), t->length, &deepest);
        last += c.elasticEnergy + c.gravityEnergy;
        if (frame == 0) first = last;
        if (c.intersectingPairs != 0) fail_msg("%s, frame %d: %lld intersecting pairs", t->name, frame, (long long)c.intersectingPairs);
        if (deepest > 0.0f) fail_msg("%s, frame %d: a vertex is %g m inside of the blade", t->name, frame, (double)deepest);
        if (!(c.worstStretch < 1.1f)) fail_msg("%s, frame %d: stretched to %g", t->name, frame, (double)c.worstStretch);
        // What has come nearer than its thickness is lifted back.
        double most = 1.001 * first + (double)(s_density * s_width * s_width * t->gravity * s_thickness);
        if (!(last < most)) fail_msg("%s, frame %d: %g J, at the beginning %g J", t->name, frame, last, first);
    }
    assert_true(contacts > 5);           // they have met …
    assert_true(last < t->left * first); // … and stopped each other
    wfDestroyScene(scene);
}

static void TestBlades(void** state) {
    (void)state;
    const wfVec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    const wfVec3 fast = {0, -10, 0};
    const float right = 1.5707963f;
    const Throw throws[] = {
        {"lies down", 0.5f, y, 0.3f, {0.01f, 0.005f, 0}, {0, 0, 0}, 9.8f, false, 20, 0.9},
        {"flat", 0.5f, y, 0.3f, {0.01f, 0.02f, 0}, fast, 0, false, 4, 0.9},
        {"on a corner", 0.1f, x, 0.5f, {0, 0.05f, -0.02f}, fast, 0, false, 4, 0.9},
        {"rim across the edge", 0.5f, x, right, {0.01f, 0.16f, 0}, fast, 0, false, 4, 0.9},
        {"rim along the edge", 0.5f, z, right, {0, 0.16f, 0}, fast, 0, false, 4, 0.9},
        {"the blade comes", 0.2f, y, 0.3f, {0.01f, 0.02f, 0}, fast, 0, true, 4, 0.9},
        // The fall has 4 % of it, of which some stays: only one end of the sheet meets the blade, and the other falls on.
        {"drawn along the edge", 0.5f, x, 0.2f, {0.01f, 0.05f, 0}, {0, -2, 9.8f}, 0, false, 4, 0.98},
    };
    wfDevice* device = OpenCpu(1);
    for (size_t k = 0; k < sizeof throws / sizeof throws[0]; ++k) RunThrow(device, &throws[k]);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestBlades)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
