// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene_fixture.h"

#include "io/scene_file.h"
#include "scene/scene.h"

#include <stdio.h>

// Contact without history: nothing meets in any frame, whatever came before.

static int64_t Pairs(wfScene* scene, wfCertificate* out) {
    wfError err = {0};
    CHECK_OK(wfScene_Certify(scene, true, out, &err), err);
    return out->intersectingPairs;
}

typedef struct Case {
    const char* scene;
    const char* settings[4];
    int count, frames;
    float lowest; // [m] the cloth's middle is no lower than this in the end: nothing fell through
} Case;

static void RunCase(const Case* c) {
    char path[1024];
    snprintf(path, sizeof path, "%s/../../scenes/%s.yaml", WF_TEST_DATA, c->scene);
    wfDevice* device = OpenCpu(1);
    wfError err = {0};
    wfScene* scene = wfLoadScene(device, path, c->settings, c->count, NULL, &err);
    if (scene == NULL) fail_msg("%s", err.text);
    assert_string_equal(scene->def.contact, "untangle");
    Commit(scene);
    wfCertificate certificate;
    assert_int_equal(Pairs(scene, &certificate), 0);
    double most = certificate.gravityEnergy;
    for (int frame = 1; frame <= c->frames; ++frame) {
        CHECK_OK(wfScene_StepFrame(scene, &err), err);
        if (Pairs(scene, &certificate) != 0)
            fail_msg("%s: frame %d: %lld pairs", c->scene, frame, (long long)certificate.intersectingPairs);
        assert_true(certificate.worstStretch < 1.5f);
    }
    // What falls comes to rest; bodies that move may have lifted it.
    assert_true(certificate.kineticEnergy < 0.5 * most && certificate.elasticEnergy < 0.5 * most);
    double sum = 0.0;
    int n = scene->model.vertexCount;
    size_t size;
    float* x = ReadState(scene, &size);
    for (int v = 0; v < n; ++v) sum += (double)x[6 * v + 1];
    if (sum / n < (double)c->lowest) fail_msg("%s: the cloth's middle is at %g", c->scene, sum / n);
    free(x);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

static void SpikesFall(void** state) {
    (void)state;
    const Case c = {"spikes-fall", {"n=21", "spikes=5", "time_step=1/100"}, 3, 30, 0.1f};
    RunCase(&c);
}

static void SpikesMoving(void** state) {
    (void)state;
    const Case c = {"spikes-moving", {"n=19", "spikes=5", "time_step=1/100"}, 3, 75, 0.25f};
    RunCase(&c);
}

static void CowLike(void** state) {
    (void)state;
    const Case c = {"cow-like", {"n=11"}, 1, 14, 0.4f};
    RunCase(&c);
}

static wfScene* Crossing(wfDevice* device, const char* dynamics) {
    wfSceneDef def = wfDefaultSceneDef();
    strcpy(def.contact, "untangle");
    strcpy(def.dynamics, dynamics);
    def.time_step = 0.005f;
    wfScene* scene = NewScene(device, &def);
    AddDentedPair(scene, 13, 11, 0.2f, 0.03f);
    wfColliderDef ball = wfDefaultColliderDef();
    strcpy(ball.name, "ball");
    ball.radius = 0.1f;
    AddCollider(scene, &ball);
    return scene;
}

// It starts tangled, is clean after the first frame, and stays so while it falls on a ball; with every implicit dynamics.
static void TangledStart(void** state) {
    (void)state;
    for (int k = 0; wfDynamicsTypes[k] != NULL; ++k) {
        if (wfDynamicsTypes[k] == &wfExplicitDynamics) continue;
        wfDevice* device = OpenCpu(1);
        wfScene* scene = Crossing(device, wfDynamicsTypes[k]->name);
        wfCertificate certificate;
        Commit(scene);
        assert_true(Pairs(scene, &certificate) > 0);
        for (int frame = 1; frame <= 12; ++frame) {
            StepFrames(scene, 1);
            if (Pairs(scene, &certificate) != 0)
                fail_msg("%s: frame %d: %lld pairs", wfDynamicsTypes[k]->name, frame, (long long)certificate.intersectingPairs);
        }
        // Less than they have fallen by, with 0.33 kg.
        assert_true(certificate.kineticEnergy + certificate.elasticEnergy < 0.33 * 9.81 * 0.2);
        wfDestroyScene(scene);
        wfDestroyDevice(device);
    }
}

static void SameBits(void** state) {
    (void)state;
    wfDevice* device[2];
    wfScene* scene[2];
    for (int k = 0; k < 2; ++k) {
        device[k] = OpenCpu(1 + 2 * k);
        scene[k] = Crossing(device[k], "chebyshev");
        Commit(scene[k]);
        StepFrames(scene[k], 6);
    }
    CheckSameState(scene[0], scene[1]);
    for (int k = 0; k < 2; ++k) {
        wfDestroyScene(scene[k]);
        wfDestroyDevice(device[k]);
    }
}

// A box goes through cloth that is held all over: no frame with that is made, the last good one comes back, and the message names both.
static void CannotBeResolved(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfSceneDef def = wfDefaultSceneDef();
    strcpy(def.contact, "untangle");
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(5, 5, 0.4f, 0.4f, (wfVec3){-0.2f, 0.0f, -0.2f});
    wfClothDef sheet = GridCloth(&grid, "sheet");
    wfClothId cloth = AddCloth(scene, &sheet);
    int all[25];
    for (int v = 0; v < 25; ++v) all[v] = v;
    wfPinDef pin = wfDefaultPinDef();
    pin.cloth = cloth;
    pin.vertices = all;
    pin.vertexCount = 25;
    AddPin(scene, &pin);
    FreeGrid(&grid);
    const wfKey keys[2] = {{.translate = {0.0f, -0.3f, 0.0f}, .rotate = {0.0f, 0.0f, 0.0f, 1.0f}},
                           {.time = 0.2f, .translate = {0.0f, 0.1f, 0.0f}, .rotate = {0.0f, 0.0f, 0.0f, 1.0f}}};
    wfColliderDef box = wfDefaultColliderDef();
    strcpy(box.name, "box");
    box.shape = wf_shapeBox;
    box.size = (wfVec3){0.15f, 0.15f, 0.15f};
    box.keys = keys;
    box.keyCount = 2;
    AddCollider(scene, &box);
    Commit(scene);
    wfError err = {0};
    wfCertificate certificate;
    int frame = 0;
    while (frame < 20 && wfScene_StepFrame(scene, &err)) {
        assert_int_equal(Pairs(scene, &certificate), 0);
        ++frame;
    }
    assert_true(frame > 0 && frame < 20);
    assert_int_equal(err.code, wf_stepFailed);
    assert_non_null(strstr(err.text, "cloth \"sheet\", vertex "));
    assert_non_null(strstr(err.text, "still meets collider \"box\""));
    assert_int_equal(Pairs(scene, &certificate), 0);
    assert_int_equal(certificate.frame, frame);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

static void ExplicitIsRefused(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfScene* scene = Crossing(device, "explicit");
    wfError err = {0};
    assert_false(wfScene_Commit(scene, &err));
    assert_string_equal(err.text, "scene: contact: no stepper takes \"untangle\" with the dynamics \"explicit\"");
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SpikesFall),        cmocka_unit_test(SpikesMoving), cmocka_unit_test(CowLike),
        cmocka_unit_test(TangledStart),      cmocka_unit_test(SameBits),     cmocka_unit_test(CannotBeResolved),
        cmocka_unit_test(ExplicitIsRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
