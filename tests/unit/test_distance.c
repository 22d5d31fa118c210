// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "collide/distance.h"
#include "difference.h"

// The judge: the squared distance is convex in the two free weights, so a search by thirds inside a search by thirds finds its minimum.
typedef enum Kind { pointTriangle, edgeEdge } Kind;

static double DistanceSqAt(Kind kind, const wfVec3D x[4], double u, double v) {
    wfVec3D d;
    if (kind == pointTriangle) {
        d = wfSubD(x[0], wfAddD(x[1], wfAddD(wfScaleD(wfSubD(x[2], x[1]), u), wfScaleD(wfSubD(x[3], x[1]), v))));
    } else {
        d = wfSubD(wfMulAddD(x[0], u, wfSubD(x[1], x[0])), wfMulAddD(x[2], v, wfSubD(x[3], x[2])));
    }
    return wfDotD(d, d);
}

static double SlowInner(Kind kind, const wfVec3D x[4], double u) {
    double lo = 0.0, hi = kind == pointTriangle ? 1.0 - u : 1.0;
    for (int i = 0; i < 75; ++i) {
        double a = lo + (hi - lo) / 3.0, b = hi - (hi - lo) / 3.0;
        if (DistanceSqAt(kind, x, u, a) <= DistanceSqAt(kind, x, u, b)) {
            hi = b;
        } else {
            lo = a;
        }
    }
    return DistanceSqAt(kind, x, u, 0.5 * (lo + hi));
}

static double SlowDistance(Kind kind, const wfVec3D x[4]) {
    double lo = 0.0, hi = 1.0;
    for (int i = 0; i < 75; ++i) {
        double a = lo + (hi - lo) / 3.0, b = hi - (hi - lo) / 3.0;
        if (SlowInner(kind, x, a) <= SlowInner(kind, x, b)) {
            hi = b;
        } else {
            lo = a;
        }
    }
    return sqrt(SlowInner(kind, x, 0.5 * (lo + hi)));
}

static wfNearestD NearestOf(Kind kind, const wfVec3D x[4]) {
    return kind == pointTriangle ? wfPointTriangleD(x[0], x[1], x[2], x[3]) : wfEdgeEdgeD(x[0], x[1], x[2], x[3]);
}

static wfNearest NearestOfFloat(Kind kind, const wfVec3D x[4]) {
    wfVec3 f[4];
    for (int k = 0; k < 4; ++k) f[k] = wfNarrow(x[k]);
    return kind == pointTriangle ? wfPointTriangle(f[0], f[1], f[2], f[3]) : wfEdgeEdge(f[0], f[1], f[2], f[3]);
}

static wfVec3D NormalOf(Kind kind, const wfVec3D x[4], const wfNearestD* near) {
    return kind == pointTriangle ? wfPointTriangle_NormalD(near, x[1], x[2], x[3]) : wfEdgeEdge_NormalD(near, x[0], x[1], x[2], x[3]);
}

/// Random input of many shapes, all coordinates single precision and of size about 1.
enum { ShapeCount = 9 };
static void RandomInput(Kind kind, int shape, wfVec3D x[4], uint64_t* seed) {
    for (int k = 0; k < 4; ++k) x[k] = RandomVector(seed);
    double small = pow(10.0, -4.0 + 4.0 * NextRandom(seed)), t = NextRandom(seed);
    wfVec3D along = wfSubD(x[3], x[2]), noise = wfScaleD(RandomVector(seed), small);
    switch (shape) {
    case 0:
        break;
    case 1:
        x[0] = wfAddD(x[2], noise);
        break; // near a vertex
    case 2:
        x[0] = wfAddD(wfMulAddD(x[2], t, along), noise);
        break; // near an edge
    case 3:
        x[1] = wfAddD(wfMulAddD(x[2], t, along), noise);
        break; // a sliver; an end near the other edge
    case 4:
        x[3] = wfAddD(x[2], noise);
        break; // a needle; a short edge
    case 5:
        x[1] = wfAddD(wfAddD(x[0], wfScaleD(along, t)), noise);
        break; // edges almost parallel
    case 6:
        x[3] = x[2];
        break; // no area; no length
    case 7:
        x[1] = kind == edgeEdge ? wfMulAddD(x[0], t, along) : x[2], x[3] = x[2];
        break; // a point; as parallel as it goes
    case 8:
        x[0] = wfMulAddD(x[2], 0.3, along), x[1] = wfAddD(wfMulAddD(x[2], 2.0, along), noise);
        break; // almost on one line
    default:
        fail();
    }
    for (int k = 0; k < 4; ++k) x[k] = wfWiden(wfNarrow(x[k]));
}

static void CheckNearest(Kind kind, const wfVec3D x[4], const wfNearestD* near, double truth, double tolerance) {
    double sum[2] = {0, 0};
    wfVec3D offset = wfMake3D(0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        bool first = kind == pointTriangle ? k == 0 : k < 2;
        sum[first ? 0 : 1] += near->w[k];
        assert_true(first ? near->w[k] >= 0 : near->w[k] <= 0);
        offset = wfMulAddD(offset, near->w[k], x[k]);
    }
    CHECK_NEAR(sum[0], 1.0, 1e-7);
    CHECK_NEAR(sum[1], -1.0, 1e-7);
    CHECK_NEAR(wfLengthD(wfSubD(offset, near->offset)), 0.0, tolerance);
    CHECK_NEAR(sqrt(near->distanceSq), wfLengthD(near->offset), 1e-7 * (1e-30 + sqrt(near->distanceSq)));
    CHECK_NEAR(sqrt(near->distanceSq), truth, tolerance);
}

static void TestAgainstSlow(void** state) {
    (void)state;
    uint64_t seed = 1;
    for (int kind = 0; kind < 2; ++kind) {
        for (int shape = 0; shape < ShapeCount; ++shape) {
            for (int trial = 0; trial < 60; ++trial) {
                wfVec3D x[4];
                RandomInput((Kind)kind, shape, x, &seed);
                double truth = SlowDistance((Kind)kind, x);
                wfNearestD near = NearestOf((Kind)kind, x);
                // A search by thirds sees squares only, so it stops at the root of their rounding.
                CheckNearest((Kind)kind, x, &near, truth, truth > 1e-6 ? 1e-9 : 2e-8);
                wfNearest f = NearestOfFloat((Kind)kind, x);
                wfNearestD wide = {{f.w[0], f.w[1], f.w[2], f.w[3]}, wfWiden(f.offset), f.distanceSq};
                CheckNearest((Kind)kind, x, &wide, sqrt(near.distanceSq), 2e-6);
            }
        }
    }
}

// Far from the origin and of any size the answer is the same, as far as the input allows.
static void TestScales(void** state) {
    (void)state;
    uint64_t seed = 2;
    for (int kind = 0; kind < 2; ++kind) {
        for (int shape = 0; shape < ShapeCount; ++shape) {
            for (int trial = 0; trial < 200; ++trial) {
                wfVec3D x[4], y[4];
                RandomInput((Kind)kind, shape, x, &seed);
                double truth = sqrt(NearestOf((Kind)kind, x).distanceSq);
                for (int e = -29; e <= 29; e += 29) {
                    for (int k = 0; k < 4; ++k) y[k] = wfScaleD(x[k], ldexp(1.0, e));
                    wfNearest f = NearestOfFloat((Kind)kind, y);
                    CHECK_NEAR(ldexp(sqrt((double)f.distanceSq), -e), truth, 2e-6);
                    for (int k = 0; k < 4; ++k) y[k] = wfScaleD(x[k], ldexp(1.0, 8 * e));
                    CHECK_NEAR(ldexp(sqrt(NearestOf((Kind)kind, y).distanceSq), -8 * e), truth, 1e-14);
                }
            }
        }
    }
}

static void TestNormals(void** state) {
    (void)state;
    uint64_t seed = 3;
    for (int kind = 0; kind < 2; ++kind) {
        for (int shape = 0; shape < ShapeCount; ++shape) {
            for (int trial = 0; trial < 200; ++trial) {
                wfVec3D x[4];
                RandomInput((Kind)kind, shape, x, &seed);
                wfNearestD near = NearestOf((Kind)kind, x);
                wfVec3D n = NormalOf((Kind)kind, x, &near);
                CHECK_NEAR(wfLengthD(n), 1.0, 1e-14);
                CHECK_NEAR(wfDotD(n, near.offset), sqrt(near.distanceSq), 1e-14);
                // At no distance: across what is there.
                near.offset = wfMake3D(0, 0, 0), near.distanceSq = 0.0;
                n = NormalOf((Kind)kind, x, &near);
                CHECK_NEAR(wfLengthD(n), 1.0, 1e-14);
                wfVec3D first = kind == pointTriangle ? wfSubD(x[2], x[1]) : wfSubD(x[1], x[0]);
                wfVec3D second = kind == pointTriangle ? wfSubD(x[3], x[1]) : wfSubD(x[3], x[2]);
                double area = wfLengthD(wfCrossD(first, second)), longer = fmax(wfLengthD(first), wfLengthD(second));
                double sharp = area > 0.0 ? fmax(longer * longer / area, 1.0) : 1.0; // how much a sliver magnifies rounding
                if (sharp > 1e6) continue;
                CHECK_NEAR(fabs(wfDotD(n, wfLengthD(first) > wfLengthD(second) ? first : second)), 0.0, 1e-14 * sharp);
                if (area > 0.0) CHECK_NEAR(fabs(wfDotD(n, first)) + fabs(wfDotD(n, second)), 0.0, 1e-14 * sharp);
            }
        }
    }
    // Nothing but a point: up.
    wfVec3D point[4] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
    for (int kind = 0; kind < 2; ++kind) {
        wfNearestD near = NearestOf((Kind)kind, point);
        CHECK_NEAR(near.distanceSq, 0.0, 0.0);
        CHECK_NEAR(NormalOf((Kind)kind, point, &near).y, 1.0, 0.0);
    }
}

static double SquaredDistance(const void* self, const wfVec3D* x) { return NearestOf(*(const Kind*)self, x).distanceSq; }

static void SquaredGradient(const void* self, const wfVec3D* x, wfVec3D* out) {
    wfNearestD near = NearestOf(*(const Kind*)self, x);
    for (int k = 0; k < 4; ++k) out[k] = wfNearest_GradientD(&near, k);
}

static void TestGradients(void** state) {
    (void)state;
    uint64_t seed = 4;
    int sharp[2] = {0, 0};
    for (int kind = 0; kind < 2; ++kind) {
        Kind self = (Kind)kind;
        for (int trial = 0; trial < 2000; ++trial) {
            wfVec3D x[4], g[4];
            RandomInput(self, 0, x, &seed);
            // The second derivative jumps where the nearest point reaches a vertex or an edge: there a difference has an error of its
            // own, of the size of the step, and only there.
            double coarse = GradientError(SquaredDistance, SquaredGradient, &self, x, 4, 1e-4, 1e-3);
            assert_true(coarse < 5e-3);
            sharp[kind] += coarse < 1e-9;
            SquaredGradient(&self, x, g);
            CHECK_NEAR(MomentumError(x, g, 4), 0.0, 1e-13);
        }
        assert_true(sharp[kind] > 1900);
    }
}

// ---- two triangles ------------------------------------------------------------------------------------------------------------

// By alternating projections: from a point of one to the nearest of the other and back, from many starts. Convex sets: it converges.
static double SlowTriangles(const wfVec3D a[3], const wfVec3D b[3]) {
    double best = INFINITY;
    for (int start = 0; start < 3; ++start) {
        wfVec3D p = a[start], q = p;
        for (int i = 0; i < 3000; ++i) {
            q = wfSubD(p, wfPointTriangleD(p, b[0], b[1], b[2]).offset);
            p = wfSubD(q, wfPointTriangleD(q, a[0], a[1], a[2]).offset);
        }
        best = fmin(best, wfLengthD(wfSubD(p, q)));
    }
    return best;
}

static void TestTriangles(void** state) {
    (void)state;
    uint64_t seed = 5;
    int crossing = 0;
    for (int trial = 0; trial < 60; ++trial) {
        wfVec3D a[3], b[3], shift = wfScaleD(RandomVector(&seed), 1.5);
        for (int k = 0; k < 3; ++k) {
            a[k] = wfWiden(wfNarrow(RandomVector(&seed)));
            b[k] = wfWiden(wfNarrow(wfAddD(RandomVector(&seed), shift)));
        }
        if (trial % 6 == 5) b[2] = b[1];                                                                     // a segment
        if (trial % 6 == 4) b[0] = wfWiden(wfNarrow(wfScaleD(wfAddD(a[0], wfAddD(a[1], a[2])), 1.0 / 3.0))); // touches
        wfTrianglesNearestD near = wfTriangleTriangleD(a, b);
        wfVec3D offset = wfMake3D(0, 0, 0);
        double sumA = 0.0, sumB = 0.0;
        for (int k = 0; k < 3; ++k) {
            assert_true(near.wa[k] >= 0 && near.wb[k] >= 0);
            sumA += near.wa[k], sumB += near.wb[k];
            offset = wfMulAddD(wfMulAddD(offset, near.wa[k], a[k]), -near.wb[k], b[k]);
        }
        CHECK_NEAR(sumA, 1.0, 1e-14);
        CHECK_NEAR(sumB, 1.0, 1e-14);
        CHECK_NEAR(wfLengthD(wfSubD(offset, near.offset)), 0.0, 1e-14);
        double distance = sqrt(near.distanceSq), slow = SlowTriangles(a, b);
        crossing += distance < 1e-14;
        assert_true(distance <= slow + 1e-14);
        CHECK_NEAR(distance, slow, 2e-4); // alternating projections converge slowly where two planes are almost parallel
        wfVec3 fa[3], fb[3];
        for (int k = 0; k < 3; ++k) fa[k] = wfNarrow(a[k]), fb[k] = wfNarrow(b[k]);
        CHECK_NEAR(sqrt((double)wfTriangleTriangle(fa, fb).distanceSq), distance, 2e-6);
    }
    assert_in_range(crossing, 5, 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestAgainstSlow), cmocka_unit_test(TestScales), cmocka_unit_test(TestNormals),
                                       cmocka_unit_test(TestGradients), cmocka_unit_test(TestTriangles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
