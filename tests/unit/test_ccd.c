// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "ccd_judge.h"

#include <stdlib.h>

// Queries made so that they touch at a time known exactly, queries whose first time is plain, and random ones held against the judge in
// ccd_judge.h. What must hold without tolerance is that no hit is missed and none is told late; how early it may be is a matter of quality.

typedef double (*FirstTimeFn)(const wfCcdQuery* q, double separation);
static const struct {
    const char* name;
    FirstTimeFn run;
} s_methods[] = {{"cubic", wfCcd_FirstTime}, {"inclusion", wfCcd_FirstTimeByInclusion}};
enum { METHODS = 2 };

static uint32_t s_seed;
static int RandomInt(int lo, int hi) {
    s_seed = s_seed * 1664525u + 1013904223u;
    return lo + (int)((s_seed >> 8) % (uint32_t)(hi - lo + 1));
}
static double RandomReal(void) { return RandomInt(-1000000, 1000000) * 1e-6; }

static double RandomWholeReal(double size) { return floor(size * (RandomReal() + 1e-6 * RandomReal()) + 0.5); }
static wfVec3D RandomWhole(double size) { return wfMake3D(RandomWholeReal(size), RandomWholeReal(size), RandomWholeReal(size)); }
static wfVec3D RandomSpot(double size) { return wfMake3D(size * RandomReal(), size * RandomReal(), size * RandomReal()); }
static wfVec3D Between(wfVec3D a, wfVec3D b, double t) { return wfAddD(wfScaleD(a, 1.0 - t), wfScaleD(b, t)); }

static void FailQuery(const wfCcdQuery* q, const char* method, const char* what, double expected, double got) {
    for (int i = 0; i < 4; ++i)
        print_error("  %a %a %a -> %a %a %a\n", q->start[i].x, q->start[i].y, q->start[i].z, q->end[i].x, q->end[i].y, q->end[i].z);
    fail_msg("%s by %s: %s, expected %.17g, got %.17g", q->kind == wf_ccdEdgeEdge ? "edge-edge" : "point-triangle", method, what, expected,
             got);
}

/// Hit by every method, never after `time`; and no more than `early` before it.
static void CheckHit(const wfCcdQuery* q, double separation, double time, double early) {
    for (int m = 0; m < METHODS; ++m) {
        double got = s_methods[m].run(q, separation);
        if (!(got >= 0.0 && got <= time)) FailQuery(q, s_methods[m].name, "missed or late", time, got);
        if (!(got >= time - early)) FailQuery(q, s_methods[m].name, "far too early", time, got);
    }
}

static void CheckMiss(const wfCcdQuery* q, double separation) {
    for (int m = 0; m < METHODS; ++m) {
        double got = s_methods[m].run(q, separation);
        if (got != WF_CCD_NEVER) FailQuery(q, s_methods[m].name, "no hit", WF_CCD_NEVER, got);
    }
}

static wfCcdQuery Transformed(wfCcdQuery q, double scale, wfVec3D shift) {
    for (int i = 0; i < 4; ++i) {
        q.start[i] = wfMulAddD(shift, scale, q.start[i]);
        q.end[i] = wfMulAddD(shift, scale, q.end[i]);
    }
    return q;
}

/// Moves so that it is at `at` at time t = 2^-k; exact on whole numbers of few digits.
static wfVec3D EndThrough(wfVec3D start, wfVec3D at, double t) {
    wfVec3D end = wfMulAddD(start, 1.0 / t, wfSubD(at, start)), there = Between(start, end, t);
    assert_true(there.x == at.x && there.y == at.y && there.z == at.z);
    return end;
}

/// A query on whole numbers up to `size` that touches at exactly 2^-k; with weights 0 and 1 also at corners and along sides.
static wfCcdQuery TouchingQuery(int kind, double size, double* time) {
    static const double weights[][2] = {{0.25, 0.25}, {0.5, 0.25}, {0, 0}, {1, 0}, {0, 1}, {0.5, 0.5}, {0.5, 0}, {0.125, 0.75}};
    const double* w = weights[RandomInt(0, 7)];
    double t = ldexp(1.0, -RandomInt(0, 6));
    wfCcdQuery q = {.kind = kind};
    for (int i = 0; i < 4; ++i) {
        q.start[i] = RandomWhole(size);
        q.end[i] = RandomInt(0, 3) ? RandomWhole(size) : q.start[i];
    }
    wfVec3D x[4];
    for (int i = 0; i < 4; ++i) x[i] = Between(q.start[i], q.end[i], t);
    if (kind == wf_ccdPointTriangle) {
        wfVec3D at = wfMulAddD(wfMulAddD(x[1], w[0], wfSubD(x[2], x[1])), w[1], wfSubD(x[3], x[1]));
        q.end[0] = EndThrough(q.start[0], at, t);
    } else { // b1 such that the point of b at 1/2, or b1 itself, lies on a
        wfVec3D at = wfMulAddD(x[0], w[0], wfSubD(x[1], x[0]));
        q.end[3] = EndThrough(q.start[3], w[1] == 0.0 ? at : wfSubD(wfScaleD(at, 2.0), x[2]), t);
    }
    *time = t;
    return q;
}

static void TestExactTouch(void** state) {
    (void)state;
    s_seed = 1;
    for (int n = 0; n < 20000; ++n) {
        double time;
        // Up to 2^36 the points are exact in double and the products of three of their differences are not, by far.
        wfCcdQuery q = TouchingQuery(n % 2, n % 3 == 0 ? 8.0 : n % 3 == 1 ? 0x1p20 : 0x1p36, &time);
        CheckHit(&q, 0.0, time, 1.0);
        CheckHit(&q, 0.25, time, 1.0);
        wfCcdQuery scaled = Transformed(q, ldexp(1.0, RandomInt(-250, 250)), wfMake3D(0, 0, 0));
        CheckHit(&scaled, 0.0, time, 1.0);
        wfCcdQuery far = Transformed(q, 0.125, RandomWhole(0x1p20)); // as parts of few digits still exact
        if (n % 3 == 0) CheckHit(&far, 0.0, time, 1.0);
    }
}

/// The first contact is before the end, but the last step reaches it at exactly t = 1, or leaves it at t = 0.
static void TestTouchAtEnds(void** state) {
    (void)state;
    wfCcdQuery fall = {.kind = wf_ccdPointTriangle,
                       .start = {{0.25, 1, 0.25}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}},
                       .end = {{0.25, 0, 0.25}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}}};
    CheckHit(&fall, 0.0, 1.0, 1e-9);
    CheckHit(&fall, 0.5, 0.5, 1e-9);
    fall.end[0].y = 0x1p-40;
    CheckMiss(&fall, 0.0);
    wfCcdQuery rise = fall;
    rise.start[0].y = 0.0;
    rise.end[0].y = 1.0;
    CheckHit(&rise, 0.0, 0.0, 0.0);
    rise.start[0].y = 0x1p-40;
    CheckMiss(&rise, 0.0);
    CheckHit(&rise, 0x1p-40, 0.0, 0.0);
}

/// The separation is a distance: it reaches around sides and corners as a circle does.
static void TestSeparation(void** state) {
    (void)state;
    for (int k = 1; k < 20; ++k) {
        double s = 0.05 * k;
        wfCcdQuery corner = {.kind = wf_ccdPointTriangle,
                             .start = {{-3, -4, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                             .end = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
        CheckHit(&corner, s, nextafter(1.0 - s / 5.0, 1.0), 1e-9);
        wfCcdQuery side = {.kind = wf_ccdPointTriangle,
                           .start = {{0.5, -3, 4}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                           .end = {{0.5, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
        CheckHit(&side, s, nextafter(1.0 - s / 5.0, 1.0), 1e-9);
        wfCcdQuery edges = {.kind = wf_ccdEdgeEdge,
                            .start = {{-1, 0, 0}, {1, 0, 0}, {0, 2, -1}, {0, 2, 1}},
                            .end = {{-1, 0, 0}, {1, 0, 0}, {0, -2, -1}, {0, -2, 1}}};
        CheckHit(&edges, s, nextafter((2.0 - s) / 4.0, 1.0), 1e-9);
        wfCcdQuery parallel = {.kind = wf_ccdEdgeEdge,
                               .start = {{-1, 0, 0}, {1, 0, 0}, {-1, 3, 4}, {1, 3, 4}},
                               .end = {{-1, 0, 0}, {1, 0, 0}, {-1, -3, -4}, {1, -3, -4}}};
        CheckHit(&parallel, s, nextafter((5.0 - s) / 10.0, 1.0), 1e-9);
        // Past the corner at a distance of 1, within reach of nothing smaller.
        wfCcdQuery pass = {.kind = wf_ccdPointTriangle,
                           .start = {{-1, -5, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                           .end = {{-1, 5, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
        if (s < 0.999) CheckMiss(&pass, s);
    }
}

/// The slope of the triangle passes zero while the point passes the axis: the point is (2t - 1)² above it.
static wfCcdQuery GrazingQuery(double below) {
    return (wfCcdQuery){.kind = wf_ccdPointTriangle,
                        .start = {{-1, 0, -below}, {-4, -4, 4}, {4, -4, -4}, {0, 8, 0}},
                        .end = {{1, 0, -below}, {-4, -4, -4}, {4, -4, 4}, {0, 8, 0}}};
}

static void TestTangential(void** state) {
    (void)state;
    wfCcdQuery touch = GrazingQuery(0.0), miss = GrazingQuery(0x1p-30), hit = GrazingQuery(-0x1p-30);
    CheckHit(&touch, 0.0, 0.5, 1e-5);
    CheckMiss(&miss, 0.0);
    CheckHit(&miss, 0x1p-29, 0.5, 1e-4);
    CheckHit(&hit, 0.0, 0.5 - 0x1p-16, 1e-6);
}

/// Everything in one plane, where the cubic is zero: whole numbers in a plane that no axis is normal to.
static wfVec3D InPlane(double x, double y) { return wfMake3D(2 * x + y, 3 * y - x, x + 2 * y); }

static void TestCoplanar(void** state) {
    (void)state;
    wfCcdQuery q = {.kind = wf_ccdPointTriangle};
    for (int i = 0; i < 4; ++i) {
        static const double x[4][2] = {{-3, 0.5}, {0, 0}, {2, 0}, {0, 2}};
        q.start[i] = q.end[i] = InPlane(x[i][0], x[i][1]);
    }
    q.end[0] = InPlane(1, 0.5);
    CheckHit(&q, 0.0, 0.75, 1e-9);
    q.end[0] = InPlane(-1, 8);
    CheckMiss(&q, 0.0);
    q.end[0] = q.start[0];
    CheckMiss(&q, 0.0);
    for (int i = 0; i < 4; ++i) q.end[i] = wfAddD(q.start[i], InPlane(100, 7)); // all together
    CheckMiss(&q, 0.0);

    wfCcdQuery e = {.kind = wf_ccdEdgeEdge};
    static const double from[4][2] = {{0, 0}, {1, 0}, {3, 0}, {4, 0}}, to[4][2] = {{0, 0}, {1, 0}, {-1, 0}, {0, 0}};
    for (int i = 0; i < 4; ++i) { // on one line, head on
        e.start[i] = InPlane(from[i][0], from[i][1]);
        e.end[i] = InPlane(to[i][0], to[i][1]);
    }
    CheckHit(&e, 0.0, 0.5, 1e-9);
    for (int i = 2; i < 4; ++i) { // on a parallel line, past each other
        e.start[i] = InPlane(from[i][0], 0x1p-20);
        e.end[i] = InPlane(to[i][0], 0x1p-20);
    }
    CheckMiss(&e, 0.0);
    e.start[2] = InPlane(0.5, 3); // across each other
    e.start[3] = InPlane(0.5, 4);
    e.end[2] = InPlane(0.5, -1);
    e.end[3] = InPlane(0.5, 0);
    CheckHit(&e, 0.0, 0.75, 1e-9);

    // Random ones: the touching queries pressed flat, with the exact time kept.
    s_seed = 5;
    for (int n = 0; n < 4000; ++n) {
        double time;
        wfCcdQuery flat = TouchingQuery(n % 2, 8.0, &time);
        for (int i = 0; i < 4; ++i) {
            flat.start[i] = InPlane(flat.start[i].x, flat.start[i].y);
            flat.end[i] = InPlane(flat.end[i].x, flat.end[i].y);
        }
        CheckHit(&flat, 0.0, time, 1.0);
    }
}

/// A corner passes a corner with a gap of one rounding of a coordinate, and all the rest lies farther off on either side: no direction but
/// the axis itself tells them apart, and that only by signs.
static void TestRoundingGap(void** state) {
    (void)state;
    for (int kind = 0; kind < 2; ++kind)
        for (int axis = 0; axis < 3; ++axis)
            for (int side = -1; side < 2; side += 2) {
                wfCcdQuery q = {.kind = kind};
                for (int i = 0; i < 4; ++i) {
                    bool second = kind == wf_ccdEdgeEdge ? i >= 2 : i >= 1;
                    double along = 1.0 - (second && i < 3 ? 0.5 * side : 0.0), u = i == 0 || i == 3 ? 3.1 : 0.7 * i, v = 0.3 * (i % 3);
                    if (!second) along = (side < 0 ? 1.0 - 0x1p-53 : 1.0 + 0x1p-52) + 0.4 * i * side;
                    double start[3], end[3];
                    start[axis] = end[axis] = along;
                    start[(axis + 1) % 3] = second ? u : u - 0.35;
                    start[(axis + 2) % 3] = second ? v : v - 0.17;
                    end[(axis + 1) % 3] = second ? u : u + 0.35;
                    end[(axis + 2) % 3] = second ? v : v + 0.17;
                    q.start[i] = wfMake3D(start[0], start[1], start[2]);
                    q.end[i] = wfMake3D(end[0], end[1], end[2]);
                }
                CheckMiss(&q, 0.0);
                assert_true(wfCcd_FirstTime(&q, 1e-9) <= 1.0 && wfCcd_FirstTimeByInclusion(&q, 1e-9) <= 1.0);
                q.start[3].x = NAN; // nothing is proven of it, whatever the other coordinates say
                assert_true(wfCcd_FirstTime(&q, 0.0) <= 1.0 && wfCcd_FirstTimeByInclusion(&q, 0.0) <= 1.0);
            }
}

static void TestDegenerate(void** state) {
    (void)state;
    for (int kind = 0; kind < 2; ++kind) {
        wfCcdQuery q = {.kind = kind}; // all eight points the same
        CheckHit(&q, 0.0, 0.0, 0.0);
        for (int i = 0; i < 4; ++i) q.end[i] = wfMake3D(3, 4, 5);
        CheckHit(&q, 0.0, 0.0, 0.0);
        for (int i = 0; i < 4; ++i) q.start[i] = q.end[i] = wfMake3D(i == 0 || (kind == wf_ccdEdgeEdge && i == 1) ? 0 : 1, 2, 3);
        CheckMiss(&q, 0.999); // two points, standing
        CheckHit(&q, 1.0, 0.0, 0.0);
        for (int i = 0; i < 4; ++i) q.end[i].x = 1.0 - q.end[i].x; // and changing places
        CheckHit(&q, 0.0, 0.5, 1e-9);
        CheckHit(&q, 0.5, 0.25, 1e-9);
        q.start[2].y = NAN; // nothing can be proven of it
        CheckHit(&q, 0.0, 0.0, 0.0);
        q.start[2].y = INFINITY;
        CheckHit(&q, 0.0, 0.0, 0.0);
    }
    // A triangle of no area is still hit along its line.
    wfCcdQuery line = {.kind = wf_ccdPointTriangle,
                       .start = {{0.5, 1, 0}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
                       .end = {{0.5, -1, 0}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}}};
    CheckHit(&line, 0.0, 0.5, 1e-9);
    line.start[0].z = line.end[0].z = 0x1p-20;
    CheckMiss(&line, 0.0);
}

/// How the primitives are written down does not matter: `n` counts through the orders of the corners and of the two edges.
static wfCcdQuery Reordered(const wfCcdQuery* q, int n) {
    static const int corners[6][3] = {{1, 2, 3}, {2, 3, 1}, {3, 1, 2}, {1, 3, 2}, {3, 2, 1}, {2, 1, 3}};
    static const int edges[6][4] = {{0, 1, 2, 3}, {1, 0, 2, 3}, {0, 1, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}, {2, 3, 1, 0}};
    wfCcdQuery r = *q;
    for (int i = 0; i < 4; ++i) {
        int from = q->kind == wf_ccdEdgeEdge ? edges[n][i] : i == 0 ? 0 : corners[n][i - 1];
        r.start[i] = q->start[from];
        r.end[i] = q->end[from];
    }
    return r;
}

/// Against the judge: what it proves to be a miss is one; a hit is told no earlier than `early` before the judge's first time.
static void CheckAgainstJudge(const wfCcdQuery* q, double separation, double size, int* hits, int* misses) {
    const double slack = 1e-7 * size;
    double near = (double)JudgeFirstTime(q, separation, slack), surely = near;
    // Inside of the separation or beyond it: a second walk, from farther out, says where the distance is surely reached.
    if (near <= 1.0 && separation > 10.0 * slack) surely = (double)JudgeFirstTime(q, separation - 2.0 * slack, slack);
    for (int m = 0; m < METHODS; ++m) {
        double got = s_methods[m].run(q, separation);
        if (near > 1.0) {
            if (got != WF_CCD_NEVER) FailQuery(q, s_methods[m].name, "no hit", WF_CCD_NEVER, got);
        } else {
            if (got < near - 1e-6) FailQuery(q, s_methods[m].name, "far too early", near, got);
            if (separation > 10.0 * slack && surely <= 1.0 && !(got <= surely))
                FailQuery(q, s_methods[m].name, "missed or late", surely, got);
        }
        for (int n = 1; n < 6; ++n) {
            wfCcdQuery other = Reordered(q, n);
            double again = s_methods[m].run(&other, separation);
            if (again != got && !(fabs(again - got) < 1e-6)) FailQuery(q, s_methods[m].name, "depends on the order", got, again);
        }
    }
    *(near > 1.0 ? misses : hits) += 1;
}

/// Bends the way of the first primitive so that it comes near some point of the second.
static void Aim(wfCcdQuery* q, double miss) {
    double t = 0.2 + 0.8 * fabs(RandomReal()), u = fabs(RandomReal()), v = (1.0 - u) * fabs(RandomReal());
    wfVec3D x[4];
    for (int i = 0; i < 4; ++i) x[i] = Between(q->start[i], q->end[i], t);
    bool edges = q->kind == wf_ccdEdgeEdge;
    wfVec3D from = edges ? Between(x[0], x[1], u) : x[0];
    wfVec3D to = edges ? Between(x[2], x[3], v) : wfMulAddD(wfMulAddD(x[1], u, wfSubD(x[2], x[1])), v, wfSubD(x[3], x[1]));
    wfVec3D change = wfScaleD(wfSubD(wfAddD(to, RandomSpot(miss)), from), 1.0 / t);
    for (int i = 0; i < (edges ? 2 : 1); ++i) q->end[i] = wfAddD(q->end[i], change);
}

static void TestRandomAgainstJudge(void** state) {
    (void)state;
    s_seed = 11;
    int hits = 0, misses = 0;
    for (int n = 0; n < 3000; ++n) {
        wfCcdQuery q = {.kind = n % 2};
        double moved = n % 3 == 0 ? 1.0 : n % 3 == 1 ? 0.1 : 0.01, size = ldexp(1.0, RandomInt(-60, 60));
        wfVec3D shift = RandomSpot(n % 4 == 0 ? 1000.0 : 1.0);
        for (int i = 0; i < 4; ++i) {
            q.start[i] = RandomSpot(1.0);
            q.end[i] = wfAddD(q.start[i], RandomSpot(moved));
        }
        if (n % 7 < 4) Aim(&q, n % 7 < 2 ? 0.2 : 0.001);
        q = Transformed(q, 1.0, shift);
        q = Transformed(q, size, wfMake3D(0, 0, 0));
        CheckAgainstJudge(&q, n % 5 < 2 ? 0.0 : 0.05 * size, size, &hits, &misses);
    }
    if (hits < 300 || misses < 300) fail_msg("%d hits, %d misses: not much of a test", hits, misses);
}

/// A sheet that slides over another a hair above it, as cloth on cloth does.
static void TestClosePairs(void** state) {
    (void)state;
    s_seed = 23;
    int hits = 0, misses = 0;
    for (int n = 0; n < 2000; ++n) {
        wfCcdQuery q = {.kind = n % 2};
        for (int i = 0; i < 4; ++i) {
            bool upper = i == 0 || (n % 2 == 1 && i == 1);
            q.start[i] = wfMake3D(RandomReal(), RandomReal(), (upper ? 1e-3 : 0.0) + 1e-4 * RandomReal());
            q.end[i] = wfMake3D(q.start[i].x + 0.3 * RandomReal(), q.start[i].y + 0.3 * RandomReal(), 3e-3 * RandomReal());
        }
        if (n % 4 == 0) Aim(&q, 1e-3);
        CheckAgainstJudge(&q, n % 3 == 0 ? 0.0 : 1e-4, 1.0, &hits, &misses);
    }
    if (hits < 200 || misses < 200) fail_msg("%d hits, %d misses: not much of a test", hits, misses);
}

/// With no separation a crossing is certain where the volume changes sign well inside: then it is a hit, and not after the change.
static void TestCrossings(void** state) {
    (void)state;
    s_seed = 31;
    int crossings = 0;
    for (int n = 0; n < 20000; ++n) {
        wfCcdQuery q = {.kind = wf_ccdPointTriangle};
        for (int i = 0; i < 4; ++i) {
            q.start[i] = wfWiden(wfNarrow(RandomSpot(1.0)));
            q.end[i] = wfWiden(wfNarrow(RandomSpot(1.0)));
        }
        enum { Steps = 32 };
        long double before = 0.0L;
        for (int k = 0; k <= Steps; ++k) {
            long double t = (long double)k / Steps;
            Spot p = SpotAt(&q, 0, t), a = SpotAt(&q, 1, t), u = SpotMix(SpotAt(&q, 2, t), a, -1), v = SpotMix(SpotAt(&q, 3, t), a, -1);
            Spot w = SpotMix(p, a, -1), nrm = SpotCross(u, v);
            long double side = SpotDot(nrm, w);
            if (k > 0 && before * side < 0.0L) {
                long double lo = t - 1.0L / Steps, hi = t;
                for (int j = 0; j < 70; ++j) { // to the crossing
                    long double mid = 0.5L * (lo + hi);
                    a = SpotAt(&q, 1, mid), u = SpotMix(SpotAt(&q, 2, mid), a, -1), v = SpotMix(SpotAt(&q, 3, mid), a, -1);
                    w = SpotMix(SpotAt(&q, 0, mid), a, -1), nrm = SpotCross(u, v);
                    if (SpotDot(nrm, w) * side < 0.0L)
                        lo = mid;
                    else
                        hi = mid;
                }
                long double nn = SpotDot(nrm, nrm), beta = SpotDot(SpotCross(w, v), nrm) / nn, gamma = SpotDot(SpotCross(u, w), nrm) / nn;
                if (nn > 1e-6L && beta > 1e-9L && gamma > 1e-9L && beta + gamma < 1.0L - 1e-9L) {
                    CheckHit(&q, 0.0, (double)hi, 1.0);
                    crossings += 1;
                    break;
                }
            }
            before = side;
        }
    }
    assert_true(crossings > 1000);
}

static void TestFloats(void** state) {
    (void)state;
    const wfVec3 start[4] = {{0.1f, 0.3f, 1e-8f}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                 end[4] = {{0.1f, 0.3f, -1e8f}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    wfCcdQuery q = wfCcd_MakeQuery(wf_ccdPointTriangle, start, end);
    assert_true(q.start[0].x == (double)0.1f && q.end[0].z == (double)-1e8f);
    CheckHit(&q, 0.0, 1e-16, 1e-16);
    assert_true(wfCcd_RoundDown(0.1) < 0.1 && wfCcd_RoundDown(0.5) == 0.5f && wfCcd_RoundDown(0.0) == 0.0f);
    assert_true(wfCcd_RoundDown(1e-60) == 0.0f && isinf(wfCcd_RoundDown(WF_CCD_NEVER)));
    for (double t = 1e-6; t < 1.0; t += 1.7e-3) assert_true((double)wfCcd_RoundDown(t) <= t && nextafterf(wfCcd_RoundDown(t), 2.0f) > t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestExactTouch),         cmocka_unit_test(TestTouchAtEnds),
                                       cmocka_unit_test(TestSeparation),         cmocka_unit_test(TestTangential),
                                       cmocka_unit_test(TestCoplanar),           cmocka_unit_test(TestDegenerate),
                                       cmocka_unit_test(TestRandomAgainstJudge), cmocka_unit_test(TestClosePairs),
                                       cmocka_unit_test(TestCrossings),          cmocka_unit_test(TestFloats),
                                       cmocka_unit_test(TestRoundingGap)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
