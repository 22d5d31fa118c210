// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene_fixture.h"

// A tangled start: refused with the pair that meets, or untangled where the scene allows it, and told.

static wfScene* TwoSheets(wfDevice* device, wfStart start, float apart, int frames) {
    wfSceneDef def = wfDefaultSceneDef();
    def.start = start;
    def.frames = frames;
    wfScene* scene = NewScene(device, &def);
    AddDentedPair(scene, 17, 15, 0.0f, apart);
    return scene;
}

static void RefusedByDefault(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfScene* scene = TwoSheets(device, wf_startRefuse, 0.03f, 2);
    wfError err = {0};
    assert_false(wfScene_Commit(scene, &err));
    assert_non_null(strstr(err.text, "needs a start free of intersections: cloth \"flat\", triangle"));
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

static void UntangledWhereAllowed(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    wfScene* scene = TwoSheets(device, wf_startUntangle, 0.03f, 2);
    wfError err = {0};
    CHECK_OK(wfScene_Commit(scene, &err), err);
    wfStartReport report = wfScene_GetStartReport(scene);
    assert_true(report.pairs > 0 && report.rounds > 0 && report.movedCount > 0);
    assert_true(report.largest > 0.005f && report.largest < 0.1f && report.mean > 0.0f && report.mean <= report.largest);
    assert_true(report.cloth >= 0 && report.cloth < 2 && report.vertex >= 0);
    wfCertificate certificate;
    CHECK_OK(wfScene_Certify(scene, true, &certificate, &err), err);
    assert_int_equal(certificate.intersectingPairs, 0);
    for (int frame = 0; frame < 2; ++frame) CHECK_OK(wfScene_StepFrame(scene, &err), err);
    CHECK_OK(wfScene_Certify(scene, true, &certificate, &err), err);
    assert_int_equal(certificate.intersectingPairs, 0);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

static void CleanStartIsNotTouched(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfScene* scenes[2] = {TwoSheets(device, wf_startRefuse, 0.2f, 2), TwoSheets(device, wf_startUntangle, 0.2f, 2)};
    float x[2][3 * 15 * 15];
    wfError err = {0};
    for (int k = 0; k < 2; ++k) {
        CHECK_OK(wfScene_Commit(scenes[k], &err), err);
        CHECK_OK(wfCloth_ReadPositions(scenes[k], wfScene_GetCloth(scenes[k], 1), x[k], 12, &err), err);
        assert_int_equal(wfScene_GetStartReport(scenes[k]).pairs, 0);
        wfDestroyScene(scenes[k]);
    }
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RefusedByDefault),
        cmocka_unit_test(UntangledWhereAllowed),
        cmocka_unit_test(CleanStartIsNotTouched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
