// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "io/render_heat.h"

#include <stdlib.h>

static const wfTriangle s_quad[2] = {{{0, 1, 2}}, {{0, 2, 3}}};

static void TestStretch(void** state) {
    (void)state;
    wfVec3 rest[5] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}, {7, 7, 7}};
    wfVec3 x[5] = {{0, 0, 0}, {1.5f, 0, 0}, {1.5f, 0, 1}, {0, 0, 1}, {0, 0, 0}}; // along x by half
    float out[5];
    wfHeat_Stretch(s_quad, 2, x, rest, 5, out);
    for (int v = 0; v < 4; ++v) CHECK_NEAR(out[v], 1.5, 1e-6); // every corner has an edge along x
    CHECK_NEAR(out[4], 1.0, 0);                                // no edge
    wfHeat_Stretch(s_quad, 2, rest, rest, 5, out);
    for (int v = 0; v < 5; ++v) CHECK_NEAR(out[v], 1.0, 0);
    rest[1] = rest[0]; // an edge without length says nothing
    wfHeat_Stretch(s_quad, 2, rest, rest, 4, out);
    for (int v = 0; v < 4; ++v) CHECK_NEAR(out[v], 1.0, 0);
}

static void TestSpeed(void** state) {
    (void)state;
    wfVec3 before[2] = {{0, 0, 0}, {1, 1, 1}}, after[2] = {{3, 4, 0}, {1, 1, 1}};
    float out[2];
    wfHeat_Speed(before, after, 2, 0.5, out);
    CHECK_NEAR(out[0], 10.0, 1e-6);
    CHECK_NEAR(out[1], 0.0, 0);
}

static double Random(void) { return (double)rand() / RAND_MAX * 2.0 - 1.0; }

// The nearest point of a triangle by trying it out: a fine grid of its points, in double precision. Never too small.
static double TriedDistance(wfVec3 p, wfVec3 a, wfVec3 b, wfVec3 c, int steps) {
    double best = INFINITY;
    for (int i = 0; i <= steps; ++i) {
        for (int j = 0; i + j <= steps; ++j) {
            double u = (double)i / steps, v = (double)j / steps, w = 1.0 - u - v;
            double dx = w * a.x + u * b.x + v * c.x - p.x, dy = w * a.y + u * b.y + v * c.y - p.y, dz = w * a.z + u * b.z + v * c.z - p.z;
            best = fmin(best, sqrt(dx * dx + dy * dy + dz * dz));
        }
    }
    return best;
}

static void TestDistance(void** state) {
    (void)state;
    enum { triangleCount = 30, pointCount = 60, steps = 60 };
    wfVec3 corners[3 * triangleCount], points[pointCount];
    wfTriangle triangles[triangleCount];
    srand(5);
    for (int i = 0; i < 3 * triangleCount; ++i) {
        corners[i] = wfMake3((float)Random(), (float)Random(), (float)Random());
        triangles[i / 3].v[i % 3] = i;
    }
    corners[2] = corners[1]; // one collapsed to a line, one to a point
    corners[5] = corners[4] = corners[3];
    for (int i = 0; i < pointCount; ++i) points[i] = wfMake3((float)Random() * 1.5f, (float)Random() * 1.5f, (float)Random() * 1.5f);
    // Two bodies share the triangles.
    wfRenderObject bodies[2] = {
        {.name = "a", .positions = corners, .vertexCount = 3 * triangleCount, .triangles = triangles, .triangleCount = 10},
        {.name = "b",
         .positions = corners,
         .vertexCount = 3 * triangleCount,
         .triangles = triangles + 10,
         .triangleCount = triangleCount - 10},
    };
    float out[pointCount];
    wfError err = {0};
    CHECK_OK(wfHeat_Distance(points, pointCount, bodies, 2, 100.0f, out, &err), err);
    for (int i = 0; i < pointCount; ++i) {
        double tried = INFINITY;
        for (int t = 0; t < triangleCount; ++t)
            tried = fmin(tried, TriedDistance(points[i], corners[3 * t], corners[3 * t + 1], corners[3 * t + 2], steps));
        // The grid's points are at most 3.5 / 60 apart along an edge, so the nearest of them is off by less than half of that.
        assert_true(out[i] <= tried + 1e-6);
        assert_true(out[i] >= tried - 0.03);
    }
    // Above the middle of a triangle, beside an edge, beside a corner: closed forms; and the limit.
    wfVec3 quad[4] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}},
           probes[4] = {{0.4f, 0.25f, 0.3f}, {-0.5f, 0, 0.5f}, {-3, 0, -4}, {0, 90, 0}};
    wfRenderObject body = {.name = "quad", .positions = quad, .vertexCount = 4, .triangles = s_quad, .triangleCount = 2};
    CHECK_OK(wfHeat_Distance(probes, 4, &body, 1, 50.0f, out, &err), err);
    CHECK_NEAR(out[0], 0.25, 1e-6);
    CHECK_NEAR(out[1], 0.5, 1e-6);
    CHECK_NEAR(out[2], 5.0, 1e-5);
    CHECK_NEAR(out[3], 50.0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestStretch), cmocka_unit_test(TestSpeed), cmocka_unit_test(TestDistance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
