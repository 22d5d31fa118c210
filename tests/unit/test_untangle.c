// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "tangles.h"

#include "collide/bounds.h"
#include "collide/gap.h"
#include "contact/untangle_inside.h"
#include "math/perturbed.h"
#include "weft/weft.h"

#include <omp.h>
#include <stdio.h>

static uint32_t s_random = 1;

static float Random(void) {
    s_random = s_random * 1664525u + 1013904223u;
    return (float)(s_random >> 8) / 16777216.0f;
}

// ---- orientation without zero ---------------------------------------------------------------------------------------------------

static void PerturbedSigns(void** state) {
    (void)state;
    int decided = 0;
    for (int round = 0; round < 5000; ++round) {
        wfVec3 x[5];
        for (int k = 0; k < 5; ++k) // few places, so that planes, lines and equal points are common
            x[k] = wfMake3((float)(int)(3 * Random()), (float)(int)(3 * Random()), (float)(int)(2 * Random()));
        int v[4] = {0, 1, 2, 3};
        for (int k = 3; k > 0; --k) {
            int j = (int)(Random() * (float)(k + 1)), swap = v[k];
            v[k] = v[j];
            v[j] = swap;
        }
        int plain = wfOrient3(x[v[0]], x[v[1]], x[v[2]], x[v[3]]), sign = wfOrient3Perturbed(x, v[0], v[1], v[2], v[3]);
        assert_true(sign == 1 || sign == -1);
        if (plain != 0) assert_int_equal(sign, plain);
        decided += plain == 0;
        assert_int_equal(wfOrient3Perturbed(x, v[1], v[0], v[2], v[3]), -sign);
        assert_int_equal(wfOrient3Perturbed(x, v[0], v[1], v[3], v[2]), -sign);
        assert_int_equal(wfOrient3Perturbed(x, v[1], v[2], v[0], v[3]), sign);
        // Five points in space: the signs of their five tetrahedra cannot all agree with (+, -, +, -, +) or its opposite, for then each
        // would lie beyond all others (their weighted sum is zero).
        int with = 0;
        for (int k = 0; k < 5; ++k) {
            int w[4], n = 0;
            for (int i = 0; i < 5; ++i)
                if (i != k) w[n++] = i;
            with += wfOrient3Perturbed(x, w[0], w[1], w[2], w[3]) * (k % 2 == 0 ? 1 : -1);
        }
        assert_true(with != 5 && with != -5);
    }
    assert_true(decided > 500);
}

// ---- every edge and face once ---------------------------------------------------------------------------------------------------

static void Crumple(Tangle* t, float amount) {
    for (int v = 0; v < t->vertexCount; ++v)
        t->x[v] = wfAdd(t->x[v], wfMake3(amount * (Random() - 0.5f), amount * (Random() - 0.5f), amount * (Random() - 0.5f)));
}

static bool ShareVertex(const wfEdge* e, wfTriangle t) {
    for (int k = 0; k < 3; ++k)
        if (e->v[0] == t.v[k] || e->v[1] == t.v[k]) return true;
    return false;
}

static bool DopsOverlap(const wfVec3* x, const int* a, int countA, const int* b, int countB) {
    wfAabb box[2];
    wfSlabs slabs[2];
    wfGrowth growth = wfMakeGrowth(0.0f);
    for (int side = 0; side < 2; ++side) {
        box[side] = wfAabb_Empty(0);
        slabs[side] = wfSlabs_Empty();
        for (int k = 0; k < (side == 0 ? countA : countB); ++k) {
            wfVec4 p = wfMake4(x[side == 0 ? a[k] : b[k]], 0.0f);
            wfAabb_Add(&box[side], p);
            wfSlabs_Add(&slabs[side], p);
        }
        wfAabb_Grow(&box[side], &growth);
        wfSlabs_Grow(&slabs[side], &growth);
    }
    return wfAabb_Overlap(&box[0], &box[1]) && wfSlabs_Overlap(&slabs[0], &slabs[1]);
}

/// Tests and crossings against all pairs of an edge and a face.
static void CompareWithAll(const Tangle* t, bool expectSome) {
    wfTopology topology = {0};
    wfCrossingFinder finder = {0};
    wfCrossings found;
    wfArena arena = {0};
    wfError err = {0};
    wfDeviceDef def = wfDefaultDeviceDef();
    def.kind = wf_deviceCpu;
    wfDevice* device = wfCreateDevice(&def, &err);
    CHECK_OK(device != NULL, err);
    CHECK_OK(wfTopology_Create(&topology, t->triangles, t->triangleCount, t->vertexCount, &err), err);
    CHECK_OK(wfCrossingFinder_Create(&finder, device, &topology, NULL, &err), err);
    CHECK_OK(wfCrossingFinder_Find(&finder, t->x, &arena, &found, &err), err);
    int64_t tests = 0, plain = 0;
    int at = 0;
    for (int e = 0; e < topology.edgeCount; ++e) {
        const wfEdge* edge = &topology.edges[e];
        for (int f = 0; f < topology.triangleCount; ++f) {
            wfTriangle face = t->triangles[f];
            if (ShareVertex(edge, face) || !DopsOverlap(t->x, edge->v, 2, face.v, 3)) continue;
            ++tests;
            plain += edge->triangle[1] >= 0 ? 2 : 1; // without representatives each triangle of the edge tests it
            if (!wfEdgeCrosses(t->x, edge->v[0], edge->v[1], face.v[0], face.v[1], face.v[2])) continue;
            assert_true(at < found.count);
            assert_int_equal(found.items[at].edge, e); // in this order, so each once
            assert_int_equal(found.items[at].face, f);
            ++at;
        }
    }
    assert_int_equal(at, found.count);
    assert_int_equal(tests, found.testCount);
    wfIntersections met;
    wfCrossings among;
    CHECK_OK(wfFindIntersections(t->x, t->triangles, t->triangleCount, NULL, 100000, &arena, &met, &err), err);
    CHECK_OK(wfCrossingFinder_FindAmong(&finder, t->x, met.pairs, (int)met.count, &arena, &among, &err), err);
    assert_int_equal(among.count, found.count);
    for (int i = 0; i < found.count; ++i) assert_memory_equal(&among.items[i], &found.items[i], sizeof found.items[i]);
    assert_true(!expectSome || at > 0);
    if (expectSome) assert_true((double)tests < 0.56 * (double)plain); // a half, but for the edges of the boundary
    wfContours contours;
    CHECK_OK(wfContours_Create(&contours, &topology, &found, &arena, &err), err);
    bool* seen = calloc((size_t)found.count + 1, sizeof *seen);
    int stops = 0;
    for (int i = 0; i < contours.count; ++i) {
        const wfContour* c = &contours.items[i];
        for (int k = 0; k < c->stopCount; ++k) {
            assert_false(seen[contours.stops[c->firstStop + k].crossing]);
            seen[contours.stops[c->firstStop + k].crossing] = true;
        }
        stops += c->stopCount;
        if (c->closed || c->stopCount == 0) continue;
        for (int end = 0; end < 2; ++end) { // an open contour ends at a boundary edge or at a loop vertex, and nowhere else
            const wfStop* stop = &contours.stops[c->firstStop + (end == 0 ? 0 : c->stopCount - 1)];
            assert_true(c->loop[end] >= 0 || topology.edges[found.items[stop->crossing].edge].triangle[1] < 0);
        }
    }
    assert_int_equal(stops, found.count);
    free(seen);
    wfArena_Free(&arena);
    wfCrossingFinder_Free(&finder);
    wfTopology_Free(&topology);
    wfDestroyDevice(device);
}

static void EachPairOnce(void** state) {
    (void)state;
    for (int round = 0; round < 6; ++round) {
        Tangle t = {0};
        Tangle_Sheet(&t, 10, 9, wfMake3(-0.5f, 0, -0.5f), wfMake3(0, 0, 1), wfMake3(1, 0, 0));
        if (round % 3 != 0) Tangle_Sheet(&t, 8, 8, wfMake3(-0.4f, -0.4f, 0.01f), wfMake3(0.9f, 0, 0), wfMake3(0, 0.8f, 0.1f));
        if (round % 3 == 2) Tangle_Tube(&t, 10, 6, wfMake3(0.1f, -0.3f, 0), 0.3f, 0.7f, 0.1f);
        Crumple(&t, 0.1f * (float)(round + 1));
        CompareWithAll(&t, round > 1);
        Tangle_Free(&t);
    }
}

/// Sheets on a lattice: all that can touch does, in corners, edges and planes; the perturbation must make whole contours of it.
static void LatticeContacts(void** state) {
    (void)state;
    for (int round = 0; round < 6; ++round) {
        Tangle t = {0};
        Tangle_Sheet(&t, 6, 6, wfMake3(0, 0, 0), wfMake3(0, 0, 6), wfMake3(6, 0, 0));
        Tangle_Sheet(&t, 4, 4, wfMake3(1, -2, (float)(round % 3)), wfMake3(4, 0, 0), wfMake3(0, 4, 0));
        if (round > 2) Tangle_Sheet(&t, 4, 4, wfMake3(1, 0, 1), wfMake3(4, 0, 0), wfMake3(0, 0, 4));
        CompareWithAll(&t, false);
        Tangle_Free(&t);
    }
}

/// What meets, where a look knows of the last one what has not moved, against all that meets.
static void LookKnowsWhatMeets(void** state) {
    (void)state;
    Tangle t = {0};
    Tangle_Sheet(&t, 14, 13, wfMake3(-0.5f, 0, -0.5f), wfMake3(0, 0, 1), wfMake3(1, 0, 0));
    Tangle_Sheet(&t, 12, 12, wfMake3(-0.5f, -0.2f, -0.4f), wfMake3(0, 0.1f, 1), wfMake3(1, 0.3f, 0));
    Crumple(&t, 0.05f);
    for (int v = 0; v < 60; ++v) t.fixed[v] = true;
    wfUntangleDef def = Tangle_Def(&t);
    def.fixed = t.fixed;
    wfError err = {0};
    wfUntangler* u = wfCreateUntangler(&def, &err);
    CHECK_OK(u != NULL, err);
    u->x = t.x;
    bool* still = calloc((size_t)t.triangleCount, sizeof *still);
    for (int i = 0; i < t.triangleCount; ++i) {
        const int* v = t.triangles[i].v;
        still[i] = t.fixed[v[0]] && t.fixed[v[1]] && t.fixed[v[2]];
    }
    for (int look = 0; look < 12; ++look) {
        for (int v = 60; v < t.vertexCount && look > 0; ++v)
            if (Random() < 0.02f * (float)(look % 6)) t.x[v].y += 0.2f * (Random() - 0.5f); // none at the sixth
        CHECK_OK(wfUntangler_Look(u, look == 0, &err), err);
        wfArena arena = {0};
        wfIntersections met;
        CHECK_OK(wfFindIntersections(t.x, t.triangles, t.triangleCount, still, 100000, &arena, &met, &err), err);
        assert_true(met.count > 0);
        assert_int_equal(u->metCount, met.count);
        assert_memory_equal(u->met, met.pairs, (size_t)met.count * sizeof *met.pairs);
        wfArena_Free(&arena);
    }
    free(still);
    wfDestroyUntangler(u);
    Tangle_Free(&t);
}

// ---- runs -----------------------------------------------------------------------------------------------------------------------

static wfUntangleReport Run(Tangle* t, const wfUntangleDef* def) {
    wfUntangleReport report;
    wfError err = {0};
    wfUntangler* u = wfCreateUntangler(def, &err);
    CHECK_OK(u != NULL, err);
    CHECK_OK(wfUntangler_Run(u, t->x, &report, &err), err);
    wfDestroyUntangler(u);
    wfArena arena = {0};
    wfIntersections met; // the report must say what the exact search says
    CHECK_OK(wfFindIntersections(t->x, t->triangles, t->triangleCount, NULL, 0, &arena, &met, &err), err);
    if (def->fixed == NULL) assert_int_equal(met.count, report.pairsAfter);
    wfArena_Free(&arena);
    return report;
}

static void CleanStaysAsItIs(void** state) {
    (void)state;
    Tangle t = {0};
    Tangle_Sheet(&t, 8, 8, wfMake3(0, 0, 0), wfMake3(0, 0, 1), wfMake3(1, 0, 0));
    Tangle_Sheet(&t, 8, 8, wfMake3(0, 0.01f, 0), wfMake3(0, 0, 1), wfMake3(1, 0, 0));
    wfVec3 copy[162];
    memcpy(copy, t.x, sizeof copy);
    wfUntangleDef def = Tangle_Def(&t);
    wfUntangleReport report = Run(&t, &def);
    assert_int_equal(report.rounds, 0);
    assert_int_equal(report.movedCount, 0);
    assert_memory_equal(copy, t.x, sizeof copy);
    Tangle_Free(&t);
}

/// Sheets that lie in one plane, or share points without crossing.
static void TouchingComesApart(void** state) {
    (void)state;
    for (int round = 0; round < 3; ++round) {
        Tangle t = {0};
        Tangle_Sheet(&t, 6, 6, wfMake3(0, 0, 0), wfMake3(0, 0, 6), wfMake3(6, 0, 0));
        if (round == 0) Tangle_Sheet(&t, 4, 4, wfMake3(1, 0, 1), wfMake3(4, 0, 0), wfMake3(0, 0, 4));
        if (round == 1) Tangle_Sheet(&t, 4, 4, wfMake3(1, 0, 3), wfMake3(4, 0, 0), wfMake3(0, 4, 0));
        if (round == 2) Tangle_Sheet(&t, 6, 6, wfMake3(6, 0, 0), wfMake3(0, 0, 6), wfMake3(6, 0, 0));
        wfUntangleDef def = Tangle_Def(&t);
        def.fixed = NULL;
        wfUntangleReport report = Run(&t, &def);
        assert_true(report.pairsBefore > 0);
        assert_int_equal(report.pairsAfter, 0);
        Tangle_Free(&t);
    }
}

static void FixedStays(void** state) {
    (void)state;
    Tangle t = {0};
    Tangle_Sheet(&t, 16, 16, wfMake3(-1, 0, -1), wfMake3(0, 0, 2), wfMake3(2, 0, 0));
    int first = Tangle_Sheet(&t, 16, 16, wfMake3(-0.9f, 0.05f, -0.92f), wfMake3(0, 0, 1.8f), wfMake3(1.8f, 0, 0.02f));
    Tangle_Bump(&t, 1, wfMake3(0.02f, 0, 0.01f), 0.5f, -0.2f);
    for (int v = 0; v < first; ++v) t.fixed[v] = true;
    wfVec3* copy = malloc((size_t)first * sizeof *copy);
    memcpy(copy, t.x, (size_t)first * sizeof *copy);
    wfUntangleDef def = Tangle_Def(&t);
    wfUntangleReport report = Run(&t, &def);
    assert_int_equal(report.pairsAfter, 0);
    assert_memory_equal(copy, t.x, (size_t)first * sizeof *copy);
    free(copy);
    Tangle_Free(&t);
}

static void ReachIsKept(void** state) {
    (void)state;
    Tangle t = {0};
    Tangle_Sheet(&t, 16, 16, wfMake3(-1, 0, -1), wfMake3(0, 0, 2), wfMake3(2, 0, 0));
    Tangle_Sheet(&t, 16, 16, wfMake3(-0.9f, 0.05f, -0.92f), wfMake3(0, 0, 1.8f), wfMake3(1.8f, 0, 0.02f));
    Tangle_Bump(&t, 1, wfMake3(0.02f, 0, 0.01f), 0.5f, -0.4f);
    wfUntangleDef def = Tangle_Def(&t);
    def.reach = 0.03f;
    def.rounds = 10;
    wfUntangleReport report = Run(&t, &def);
    assert_true(report.pairsAfter > 0); // said, not hidden
    assert_true(report.contoursAfter[wf_contourCLCL] > 0);
    assert_true(report.largest < 0.0301);
    Tangle_Free(&t);
}

/// Room between two sheets that do not cross at all: they go apart by what is missing, and no farther.
static void EaseMakesRoom(void** state) {
    (void)state;
    Tangle t = {0};
    Tangle_Sheet(&t, 12, 12, wfMake3(-0.5f, 0, -0.5f), wfMake3(0, 0, 1), wfMake3(1, 0, 0));
    Tangle_Sheet(&t, 12, 12, wfMake3(-0.48f, 0.002f, -0.49f), wfMake3(0, 0, 1), wfMake3(1, 0, 0));
    wfUntangleDef def = Tangle_Def(&t);
    wfUntangleReport report;
    wfEaseReport eased;
    wfError err = {0};
    wfUntangler* u = wfCreateUntangler(&def, &err);
    CHECK_OK(u != NULL, err);
    CHECK_OK(wfUntangler_Run(u, t.x, &report, &err), err);
    assert_int_equal(report.movedCount, 0);
    CHECK_OK(wfUntangler_Ease(u, t.x, 0.006f, &eased, &report, &err), err);
    assert_int_equal(eased.closer, 0);
    assert_true(eased.closest > 0.00599);
    assert_true(report.movedCount > 0 && report.largest < 0.004); // a half each
    assert_int_equal(report.pairsAfter, 0);
    wfDestroyUntangler(u);
    Tangle_Free(&t);
}

/// Untangling ends where nothing meets by however little; with a clearance that is no less than what was asked for.
static void ClearanceIsLeft(void** state) {
    (void)state;
    double closest[2] = {INFINITY, INFINITY};
    int tangled = 0;
    for (int i = 0; i < 8; ++i) {
        for (int with = 0; with < 2; ++with) {
            Tangle t = {0};
            uint32_t before = s_random;
            for (int k = 0; k < 2; ++k) {
                Tangle_Sheet(&t, 16, 16, wfMake3(-0.5f, 0.02f * (float)k, -0.5f), wfMake3(0.1f * (float)k, 0, 1), wfMake3(1, 0, 0));
                float height = Random(), z = Random(), x = Random(); // in this order with any compiler
                Tangle_Bump(&t, k, wfMake3(x - 0.5f, 0, z - 0.5f), 0.2f, 0.1f * (height - 0.5f));
            }
            Crumple(&t, 0.005f);
            if (with == 0) s_random = before; // twice the same
            wfUntangleDef def = Tangle_Def(&t);
            def.clearance = with == 1 ? 0.01f : 0.0f;
            wfUntangleReport report = Run(&t, &def);
            assert_int_equal(report.pairsAfter, 0);
            tangled += report.pairsBefore > 0;
            wfGap gap;
            wfError err = {0};
            CHECK_OK(wfFindGap(t.x, t.triangles, t.triangleCount, NULL, &gap, &err), err);
            closest[with] = fmin(closest[with], gap.distance);
            Tangle_Free(&t);
        }
    }
    printf("closest without a clearance %g, with one %g\n", closest[0], closest[1]);
    assert_true(tangled > 8);
    assert_true(closest[0] < 3e-4); // or there would be nothing to see
    assert_true(closest[1] > 6e-4);
}

/// On which side of the plane y = 0 the object's vertices are: how many are above.
static int CountAbove(const Tangle* t, int object) {
    int above = 0;
    for (int v = 0; v < t->vertexCount; ++v) above += t->objectOf[v] == object && t->x[v].y > 0.0f;
    return above;
}

/// A sheet that is fixed in the plane y = 0, normals up, and a smaller one that leans through it: `share` of it is above.
static void Leaning(Tangle* t, float share) {
    int first = Tangle_Sheet(t, 16, 16, wfMake3(-1, 0, -1), wfMake3(0, 0, 2), wfMake3(2, 0, 0));
    Tangle_Sheet(t, 10, 10, wfMake3(-0.6f, -0.3f * (1.0f - share), -0.5f), wfMake3(0.02f, 0, 1.0f), wfMake3(1.2f, 0.3f, 0.03f));
    for (int v = first; v < t->vertexCount; ++v) t->fixed[v] = t->objectOf[v] == 0;
}

/// Without an order the smaller part goes back; with one it is the order that decides, whatever the areas are.
static void LayersDecide(void** state) {
    (void)state;
    static const int s_up[] = {0, 1}, s_down[] = {1, 0};
    static const struct {
        float share;
        const int* layers;
        bool up;
    } s_runs[] = {{0.7f, NULL, true},  {0.7f, s_up, true}, {0.7f, s_down, false},
                  {0.3f, NULL, false}, {0.3f, s_up, true}, {0.3f, s_down, false}};
    for (int i = 0; i < 6; ++i) {
        Tangle t = {0};
        Leaning(&t, s_runs[i].share);
        wfUntangleDef def = Tangle_Def(&t);
        def.layerOf = s_runs[i].layers;
        wfUntangleReport report = Run(&t, &def);
        assert_int_equal(report.pairsAfter, 0);
        assert_int_equal(CountAbove(&t, 1), s_runs[i].up ? 11 * 11 : 0);
        Tangle_Free(&t);
    }
}

/// Of a sheet that is for the most part inside a closed body all goes out, where the small part would go in without an inside. Turned
/// inside out the body is the same.
static void InsideOfABodyIsWrong(void** state) {
    (void)state;
    for (int round = 0; round < 2; ++round) {
        Tangle t = {0};
        const wfVec3 corners[8] = {{-1, -0.2f, -1}, {1, -0.2f, -1}, {1, -0.2f, 1}, {-1, -0.2f, 1},
                                   {-1, 0.2f, -1},  {1, 0.2f, -1},  {1, 0.2f, 1},  {-1, 0.2f, 1}};
        const int box[12][3] = {{0, 1, 2}, {0, 2, 3}, {4, 6, 5}, {4, 7, 6}, {0, 5, 1}, {0, 4, 5},
                                {1, 6, 2}, {1, 5, 6}, {2, 7, 3}, {2, 6, 7}, {3, 4, 0}, {3, 7, 4}};
        Tangle_Mesh(&t, corners, 8, box, 12);
        for (int k = 0; k < 3; ++k) Tangle_Refine(&t);
        for (int i = 0; i < t.triangleCount && round == 1; ++i) {
            int swap = t.triangles[i].v[1];
            t.triangles[i].v[1] = t.triangles[i].v[2];
            t.triangles[i].v[2] = swap;
        }
        for (int v = 0; v < t.vertexCount; ++v) t.fixed[v] = true;
        int first = Tangle_Sheet(&t, 10, 10, wfMake3(-0.5f, 0.05f, -0.5f), wfMake3(0.02f, 0, 1.0f), wfMake3(1.0f, 0.2f, 0.03f));
        int inside = 0;
        for (int v = first; v < t.vertexCount; ++v) inside += t.x[v].y < 0.2f;
        assert_true(inside > 2 * (t.vertexCount - first) / 3);
        wfUntangleDef def = Tangle_Def(&t);
        wfUntangleReport report = Run(&t, &def);
        assert_int_equal(report.pairsAfter, 0);
        for (int v = first; v < t.vertexCount; ++v) assert_true(t.x[v].y > 0.2f);
        Tangle_Free(&t);
    }
}

static void SameForAllThreads(void** state) {
    (void)state;
    wfVec3* first = NULL;
    int threads = omp_get_max_threads();
    for (int count = 1; count <= 3; ++count) {
        omp_set_num_threads(count);
        Tangle t = {0};
        Tangle_Sheet(&t, 24, 24, wfMake3(-1, 0, -1), wfMake3(0, 0, 2), wfMake3(2, 0, 0));
        Tangle_Sheet(&t, 24, 24, wfMake3(-0.9f, 0.05f, -0.92f), wfMake3(0, 0, 1.8f), wfMake3(1.8f, 0, 0.02f));
        for (int k = 0; k < 4; ++k) Tangle_Bump(&t, 1, wfMake3(k % 2 ? 0.4f : -0.4f, 0, k / 2 ? 0.4f : -0.4f), 0.35f, -0.15f);
        wfUntangleDef def = Tangle_Def(&t);
        Run(&t, &def);
        if (first == NULL) {
            first = t.x;
            t.x = NULL;
        } else {
            assert_memory_equal(first, t.x, (size_t)t.vertexCount * sizeof *first);
        }
        Tangle_Free(&t);
    }
    free(first);
    omp_set_num_threads(threads);
}

/// Layers pressed into each other at random; of many random tangles nearly all must come out clean, and none may come out worse.
static void RandomTangles(void** state) {
    (void)state;
    int clean = 0, count = 8;
    s_random = 7;
    for (int i = 0; i < count; ++i) {
        Tangle t = {0};
        int layers = 2 + i % 3;
        for (int k = 0; k < layers; ++k) {
            float turn = 0.1f * (Random() - 0.5f);
            Tangle_Sheet(&t, 20, 20, wfMake3(-1 + turn, 0.06f * (float)k, -1 - turn), wfMake3(turn, 0, 2), wfMake3(2, 0, -turn));
            for (int b = 0; b < 3; ++b)
                Tangle_Bump(&t, k, wfMake3(1.6f * Random() - 0.8f, 0, 1.6f * Random() - 0.8f), 0.2f + 0.3f * Random(),
                            0.3f * (Random() - 0.5f));
        }
        wfUntangleDef def = Tangle_Def(&t);
        def.rounds = 100;
        wfUntangleReport report = Run(&t, &def);
        printf("random %2d: %3lld pairs, %3lld left after %d rounds, moved by %.3f\n", i, (long long)report.pairsBefore,
               (long long)report.pairsAfter, report.rounds, report.largest);
        assert_true(report.pairsAfter <= report.pairsBefore);
        clean += report.pairsAfter == 0;
        Tangle_Free(&t);
    }
    printf("%d of %d random tangles resolved\n", clean, count);
    assert_true(clean >= count - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PerturbedSigns),     cmocka_unit_test(EachPairOnce),    cmocka_unit_test(LatticeContacts),
        cmocka_unit_test(CleanStaysAsItIs),   cmocka_unit_test(FixedStays),      cmocka_unit_test(ReachIsKept),
        cmocka_unit_test(TouchingComesApart), cmocka_unit_test(EaseMakesRoom),   cmocka_unit_test(SameForAllThreads),
        cmocka_unit_test(RandomTangles),      cmocka_unit_test(LayersDecide),    cmocka_unit_test(InsideOfABodyIsWrong),
        cmocka_unit_test(LookKnowsWhatMeets), cmocka_unit_test(ClearanceIsLeft),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
