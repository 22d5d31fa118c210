// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/outward.h"

#include "collide/distance.h"
#include "difference.h"
#include "scene_fixture.h"

#include <stdlib.h>

// Points about a crumpled sheet, against all of its triangles: a pair that does not lead out is never the nearest one, and the nearest one
// leads out.

enum { Side = 9, Vertices = Side * Side + 1, Triangles = 2 * (Side - 1) * (Side - 1), Points = 2000 };

typedef struct Crumpled {
    wfVec4 x[Vertices]; // the last one is the point
    int start[Vertices + 1];
    wfPair rim[3 * Triangles];
    const int* triangles;
} Crumpled;

static void FillRims(Crumpled* c) {
    int count = 0;
    for (int v = 0; v < Vertices; ++v) {
        c->start[v] = count;
        for (int t = 0; t < Triangles; ++t)
            for (int k = 0; k < 3; ++k)
                if (c->triangles[3 * t + k] == v)
                    c->rim[count++] = (wfPair){c->triangles[3 * t + (k + 1) % 3], c->triangles[3 * t + (k + 2) % 3]};
    }
    c->start[Vertices] = count;
    assert_int_equal(count, 3 * Triangles);
}

static void TestNearestLeadsOut(void** state) {
    (void)state;
    static Crumpled c;
    Grid grid = MakeGrid(Side, Side, 1.0f, 1.0f, wfMake3(-0.5f, 0, -0.5f));
    uint64_t seed = 7;
    c.triangles = grid.triangles;
    for (int v = 0; v < Side * Side; ++v) {
        const float* p = grid.positions + 3 * v;
        c.x[v] = wfMake4(wfMake3(p[0], p[1] + 0.06f * (float)NextRandom(&seed), p[2]), 1.0f);
    }
    FillRims(&c);
    const wfRims rims = {c.start, c.rim, Vertices};
    const wfOnWay way = {c.x, c.x, 0.0f};
    int inside = 0, beside = 0, dropped = 0;
    for (int k = 0; k < Points; ++k) {
        wfVec3D d = RandomVector(&seed);
        c.x[Vertices - 1] = wfMake4(wfMake3(0.5f * (float)d.x, 0.1f * (float)d.y, 0.5f * (float)d.z), 1.0f);
        float nearest = INFINITY, least = INFINITY; // of all; of those that do not lead out
        bool leads = false;
        for (int t = 0; t < Triangles; ++t) {
            const int* v = grid.triangles + 3 * t;
            wfQuad q = {{Vertices - 1, v[0], v[1], v[2]}};
            wfNearest near = wfPointTriangle(wfXyz(c.x[q.v[0]]), wfXyz(c.x[v[0]]), wfXyz(c.x[v[1]]), wfXyz(c.x[v[2]]));
            wfVec3 normal = wfPointTriangle_Normal(&near, wfXyz(c.x[v[0]]), wfXyz(c.x[v[1]]), wfXyz(c.x[v[2]]));
            float distance = sqrtf(near.distanceSq);
            bool out = wfLeadsOut(&rims, &way, &q, wf_quadPointTriangle, near.w, normal);
            bool border = fmaxf(near.w[1], fmaxf(near.w[2], near.w[3])) > -1e-3f;
            inside += !border;
            beside += border && out;
            dropped += !out;
            assert_true(border || out);
            if (!out) least = fminf(least, distance);
            if (distance < nearest) {
                nearest = distance;
                leads = out;
            }
        }
        if (!leads || !(nearest < least))
            fail_msg("point %d: the nearest, %g m, leads out: %d; of others %g m", k, (double)nearest, leads, (double)least);
    }
    assert_true(inside > Points && beside > Points / 4 && dropped > Points); // all of it has been asked
    FreeGrid(&grid);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestNearestLeadsOut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
