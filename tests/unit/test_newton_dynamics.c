// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "patch.h"
#include "scene_fixture.h"

#include "dynamics/newton.h"

// Dynamics "newton" behind the seam: the reference solver in a scene, judged by the reference solver alone.

static wfSceneDef NewtonScene(void) {
    wfSceneDef def = wfDefaultSceneDef();
    strcpy(def.dynamics, "newton");
    strcpy(def.contact, "none");
    def.time_step = 0.01f;
    def.bending = wf_bendingDihedral;
    return def;
}

static wfClothDef PatchCloth(const Patch* patch) {
    wfClothDef cloth = wfDefaultClothDef();
    cloth.fabric = patch->cloth.fabric;
    cloth.mesh = wfMesh_View(&patch->mesh);
    return cloth;
}

/// A sheet held at two corners, swinging with damping.
static void TestAgainstItself(void** state) {
    (void)state;
    enum { Steps = 20 };
    wfError err = {0};
    wfFabric fabric = wfDefaultFabric();
    fabric.damping = 0.5f;
    Patch patch;
    MakePatch(&patch, 0.3f, 0.2f, 8, wf_patternIrregular, &fabric);
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = NewtonScene();
    wfScene* scene = NewScene(device, &def);
    wfClothDef cloth = PatchCloth(&patch);
    wfPinDef pin = wfDefaultPinDef();
    const int corners[2] = {0, 7};
    pin.cloth = AddCloth(scene, &cloth);
    pin.vertices = corners;
    pin.vertexCount = 2;
    AddPin(scene, &pin);
    Commit(scene);
    wfNewtonDef newtonDef = wfDefaultNewtonDef();
    wfNewton newton = {0};
    CHECK_OK(wfNewton_Create(&newton, &patch.model, &newtonDef, &err), err);
    for (int k = 0; k < 2; ++k) wfNewton_Hold(&newton, corners[k], newton.x[corners[k]]);
    double worst = 0.0;
    for (int step = 0; step < Steps; ++step) {
        CHECK_OK(wfNewton_Step(&newton, &err), err);
        CHECK_OK(wfScene_Step(scene, def.time_step, &err), err);
        for (int i = 0; i < patch.model.vertexCount; ++i)
            worst = fmax(worst, wfLengthD(wfSubD(newton.x[i], wfWiden(ReadVertex(scene, pin.cloth, i)))));
    }
    wfCertificate certificate;
    CHECK_OK(wfScene_Certify(scene, false, &certificate, &err), err);
    print_message("%d steps: off by %.2g m\n", Steps, worst);
    // Positions and velocities are rounded to single precision in every step: 3e-8 m at 0.3 m, as a velocity over dt.
    CHECK_NEAR(worst, 0.0, 3e-8 * Steps * Steps);
    CHECK_NEAR(certificate.elasticEnergy, wfElastic_Energy(&newton.elastic, newton.x), 1e-4 * certificate.elasticEnergy);
    double stretch = 0.0;
    for (int e = 0; e < patch.topology.edgeCount; ++e) {
        const int* v = patch.topology.edges[e].v;
        double rest = wfDistance(patch.model.start[v[0]], patch.model.start[v[1]]);
        stretch = fmax(stretch, wfLengthD(wfSubD(newton.x[v[0]], newton.x[v[1]])) / rest);
    }
    CHECK_NEAR(certificate.worstStretch, stretch, 1e-5);
    wfNewton_Free(&newton);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
    FreePatch(&patch);
}

/// A single triangle on a spring at each corner sinks until a third of its weight hangs on each.
static void TestSoftPins(void** state) {
    (void)state;
    wfError err = {0};
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = NewtonScene();
    wfScene* scene = NewScene(device, &def);
    const float positions[] = {0, 0, 0, 0.1f, 0, 0, 0, 0, 0.1f};
    const int triangle[] = {0, 2, 1}, all[] = {0, 1, 2};
    wfClothDef cloth = wfDefaultClothDef();
    cloth.mesh = (wfMeshView){.positions = positions, .vertexCount = 3, .triangles = triangle, .triangleCount = 1};
    cloth.fabric.damping = 20.0f;
    wfPinDef pin = wfDefaultPinDef();
    pin.cloth = AddCloth(scene, &cloth);
    pin.vertices = all;
    pin.vertexCount = 3;
    pin.stiffness = 0.5f;
    AddPin(scene, &pin);
    Commit(scene);
    CHECK_OK(wfScene_Step(scene, 2.0f, &err), err);
    double sag = 0.2 * 0.005 / 3.0 * 9.81 / 0.5; // density, area; a third of the weight on each spring
    for (int i = 0; i < 3; ++i) CHECK_NEAR(-ReadVertex(scene, pin.cloth, i).y, sag, 1e-4 * sag);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

static void TestRefusals(void** state) {
    (void)state;
    wfError err = {0};
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = NewtonScene();
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(201, 100, 1.0f, 0.5f, wfMake3(0, 0, 0));
    wfClothDef cloth = GridCloth(&grid, "large");
    AddCloth(scene, &cloth);
    CHECK_FAILS(wfScene_Commit(scene, &err), err, "dynamics \"newton\": expected at most 20000 vertices in all cloths, got 20100");
    wfDestroyScene(scene);
    FreeGrid(&grid);

    // One iteration is not enough for a sheet that begins to swing, and it says so.
    def.iterations = 1;
    scene = NewScene(device, &def);
    grid = MakeGrid(4, 4, 0.1f, 0.1f, wfMake3(0, 0, 0));
    cloth = GridCloth(&grid, "small");
    wfPinDef pin = wfDefaultPinDef();
    const int corner[] = {0};
    pin.cloth = AddCloth(scene, &cloth);
    pin.vertices = corner;
    pin.vertexCount = 1;
    AddPin(scene, &pin);
    Commit(scene);
    err = (wfError){0};
    assert_false(wfScene_Step(scene, def.time_step, &err));
    assert_int_equal(err.code, wf_stepFailed);
    if (strstr(err.text, "step 0: newton: relative gradient ") != err.text ||
        strstr(err.text, " after 1 iterations, expected 1e-10") == NULL)
        fail_msg("%s", err.text);
    wfDestroyScene(scene);
    FreeGrid(&grid);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestAgainstItself),
        cmocka_unit_test(TestSoftPins),
        cmocka_unit_test(TestRefusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
