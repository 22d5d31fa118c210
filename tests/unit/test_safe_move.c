// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/safe_move.h"

#include "cloths.h"

// What goes along with others is hit by them once they are stopped: a large triangle falls on an obstacle under one end of it, and a small
// one, which goes the same way above its other end, falls on.
static void TestFallTogether(void** state) {
    (void)state;
    const float gap = 0.004f, fall = 0.1f, separation = 1e-4f;
    const wfVec3 start[6] = {{0.0f, gap, -0.1f},      {0.0f, gap, 0.1f},      {0.3f, gap, 0.0f},
                             {0.2f, 2 * gap, -0.01f}, {0.2f, 2 * gap, 0.01f}, {0.22f, 2 * gap, 0.0f}};
    const wfVec3 corners[3] = {{-0.01f, 0.0f, -0.02f}, {-0.01f, 0.0f, 0.02f}, {0.04f, 0.0f, 0.0f}};
    const wfTriangle triangles[2] = {{{0, 1, 2}}, {{3, 4, 5}}};
    wfDevice* device = OpenCpu(1);
    wfError err = {0};
    wfTopology topology = {0};
    CHECK_OK(wfTopology_Create(&topology, triangles, 2, 6, &err), err);
    wfSafeMove* move = wfCreateSafeMove(device, &topology, &err);
    CHECK_OK(move != NULL, err);
    wfObstacles obstacles = {0};
    CHECK_OK(wfObstacles_Create(&obstacles, device, triangles, 1, 3, &err), err);
    wfObstacles_Place(&obstacles, corners);

    wfVec3 out[6];
    for (int i = 0; i < 6; ++i) out[i] = wfSub(start[i], wfMake3(0.0f, fall, 0.0f));
    wfMoveReport report;
    CHECK_OK(wfSafeMove_Advance(move, start, out, &obstacles, separation, out, &report, &err), err);
    assert_int_equal(report.stoppedCount, 6);
    for (int i = 0; i < 6; ++i) assert_true(out[i].y > (i < 3 ? 0.0f : out[0].y));

    wfObstacles_Free(&obstacles);
    wfDestroySafeMove(move);
    wfTopology_Free(&topology);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestFallTogether)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
