// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "mesh/cow_shape.h"
#include "mesh/figure_shape.h"
#include "mesh/generate.h"
#include "mesh/polygonise.h"
#include "mesh/topology.h"

// Shapes that are fields, and what is cut from them.

// What lies on different sides of the surface is as far apart as the field says, so that no part of it is skipped.
static void CheckSlope(wfFieldFn* field, double slope, wfFieldPoint lo, wfFieldPoint hi) {
    uint32_t seed = 1;
    int crossings = 0;
    for (int k = 0; k < 100000; ++k) {
        double v[6];
        for (int i = 0; i < 6; ++i) {
            seed = seed * 1664525u + 1013904223u;
            v[i] = (double)(seed >> 8) / (1 << 24);
        }
        wfFieldPoint p = {lo.x + (hi.x - lo.x) * v[0], lo.y + (hi.y - lo.y) * v[1], lo.z + (hi.z - lo.z) * v[2]};
        wfFieldPoint q = {p.x + 0.2 * (v[3] - 0.5), p.y + 0.2 * (v[4] - 0.5), p.z + 0.2 * (v[5] - 0.5)};
        double distance = sqrt((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z));
        double a = field(p), b = field(q);
        if ((a < 0.0) == (b < 0.0)) continue;
        ++crossings;
        if (fmax(fabs(a), fabs(b)) > slope * distance) fail_msg("fields %g and %g are %g apart", a, b, distance);
    }
    assert_true(crossings > 5000);
}

// The half widths of a body are those of a person: about 7.5 heads high, a waist, and nothing where nothing is.
static void TestFigureShape(void** state) {
    (void)state;
    const struct {
        double y, lo, hi; // half width at a height, of what lies about the middle
    } widths[] = {{0.95, 0.040, 0.048}, {0.845, 0.026, 0.043}, {0.735, 0.078, 0.095}, {0.632, 0.06, 0.072}, {0.52, 0.09, 0.11}};
    for (size_t k = 0; k < sizeof widths / sizeof widths[0]; ++k) {
        double x = 0.0;
        while (wfFigureField((wfFigurePoint){x, widths[k].y, 0.0}) < 0.0) x += 1e-3;
        if (x < widths[k].lo || x > widths[k].hi) fail_msg("half width %g at height %g", x, widths[k].y);
    }
    assert_true(wfFigureField((wfFigurePoint){0.0, 0.3, 0.0}) > 0.0);  // between the legs
    assert_true(wfFigureField((wfFigurePoint){0.15, 0.6, 0.0}) > 0.0); // between arm and body
    CheckSlope(wfFigureField, wfFigureSlope, (wfFieldPoint){-0.4, -0.05, -0.15}, (wfFieldPoint){0.4, 1.05, 0.15});
}

static void TestCow(void** state) {
    (void)state;
    const float heights[] = {1.0f, 1.4f}, edges[] = {10.0f, 0.02f};
    for (int c = 0; c < 2; ++c) {
        wfGenerateDef def = wfDefaultGenerateDef();
        def.shape = wf_makeCow;
        def.edge = edges[c];
        def.size.y = heights[c];
        wfMesh mesh = {0};
        wfTopology topology = {0};
        wfError err = {0};
        CHECK_OK(wfGenerate(&mesh, &def, &err), err);
        CHECK_OK(wfTopology_Create(&topology, mesh.triangles, mesh.triangleCount, mesh.vertexCount, &err), err);
        CHECK_OK(wfTopology_RequireManifold(&topology, "cow", &err), err);
        assert_int_equal(topology.componentCount, 1);
        assert_int_equal(mesh.vertexCount - topology.edgeCount + mesh.triangleCount, 2); // no handles, and closed:
        assert_int_equal(2 * topology.edgeCount, 3 * mesh.triangleCount);
        double scale = heights[c] / wfCowHeight, used = fmin(edges[c], 0.02 * scale), length = 0.0;
        for (int e = 0; e < topology.edgeCount; ++e)
            length += wfDistance(mesh.positions[topology.edges[e].v[0]], mesh.positions[topology.edges[e].v[1]]);
        CHECK_NEAR(length / topology.edgeCount / used, 1.0, 0.1); // as long as asked for, on the whole
        wfVec3 lo = mesh.positions[0], hi = lo;
        for (int v = 0; v < mesh.vertexCount; ++v) {
            wfVec3 p = mesh.positions[v];
            lo = wfMin3(lo, p);
            hi = wfMax3(hi, p);
            wfFieldPoint q = {p.x / scale, p.y / scale + 0.5 * wfCowHeight, p.z / scale + wfCowMiddle};
            CHECK_NEAR(wfCowField(q), 0.0, 1e-3);
        }
        CHECK_NEAR(hi.y, 0.5 * heights[c], 0.2 * used);
        CHECK_NEAR(lo.y, -0.5 * heights[c], 0.2 * used);
        CHECK_NEAR(hi.x + lo.x, 0.0, 0.2 * used);
        CHECK_NEAR(hi.z + lo.z, 0.0, 0.2 * used);
        wfTopology_Free(&topology);
        wfMesh_Free(&mesh);
    }
    assert_true(wfCowField((wfFieldPoint){0.0, 0.55, 0.0}) < 0.0); // trunk
    assert_true(wfCowField((wfFieldPoint){0.0, 0.15, 0.0}) > 0.0); // between the legs
    CheckSlope(wfCowField, wfCowSlope, (wfFieldPoint){-0.3, -0.05, -0.75}, (wfFieldPoint){0.3, 1.0, 0.85});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestFigureShape),
        cmocka_unit_test(TestCow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
