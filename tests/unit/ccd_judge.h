// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The slow obvious judge of collide/ccd.h: the distance at one time in long double, and a walk through time in steps that cannot pass
// anything because no point moves faster than the fastest corner. It knows no cubic, no separating direction and no polygon of differences.

#include "collide/ccd.h"

typedef struct Spot {
    long double v[3];
} Spot;

static inline Spot SpotAt(const wfCcdQuery* q, int i, long double t) {
    long double a[3] = {q->start[i].x, q->start[i].y, q->start[i].z}, b[3] = {q->end[i].x, q->end[i].y, q->end[i].z};
    Spot s;
    for (int c = 0; c < 3; ++c) s.v[c] = (1.0L - t) * a[c] + t * b[c];
    return s;
}

static inline long double SpotDot(Spot a, Spot b) { return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2]; }

static inline Spot SpotMix(Spot a, Spot b, long double s) { // a + s b
    for (int c = 0; c < 3; ++c) a.v[c] += s * b.v[c];
    return a;
}

static inline Spot SpotCross(Spot a, Spot b) {
    Spot r;
    for (int c = 0; c < 3; ++c) r.v[c] = a.v[(c + 1) % 3] * b.v[(c + 2) % 3] - a.v[(c + 2) % 3] * b.v[(c + 1) % 3];
    return r;
}

static inline long double PointSegment(Spot p, Spot a, Spot b) {
    Spot u = SpotMix(b, a, -1.0L), w = SpotMix(p, a, -1.0L);
    long double uu = SpotDot(u, u), s = uu > 0.0L ? SpotDot(w, u) / uu : 0.0L;
    w = SpotMix(w, u, -(s < 0.0L ? 0.0L : s > 1.0L ? 1.0L : s));
    return sqrtl(SpotDot(w, w));
}

static inline long double PointTriangle(Spot p, Spot a, Spot b, Spot c) {
    long double least = fminl(fminl(PointSegment(p, a, b), PointSegment(p, b, c)), PointSegment(p, c, a));
    Spot u = SpotMix(b, a, -1.0L), v = SpotMix(c, a, -1.0L), w = SpotMix(p, a, -1.0L), n = SpotCross(u, v);
    long double nn = SpotDot(n, n);
    if (!(nn > 0.0L)) return least;
    long double beta = SpotDot(SpotCross(w, v), n) / nn, gamma = SpotDot(SpotCross(u, w), n) / nn;
    return beta >= 0.0L && gamma >= 0.0L && beta + gamma <= 1.0L ? fminl(least, fabsl(SpotDot(w, n)) / sqrtl(nn)) : least;
}

static inline long double EdgeEdge(Spot a, Spot b, Spot c, Spot d) {
    long double least = fminl(fminl(PointSegment(a, c, d), PointSegment(b, c, d)), fminl(PointSegment(c, a, b), PointSegment(d, a, b)));
    Spot u = SpotMix(b, a, -1.0L), v = SpotMix(d, c, -1.0L), w = SpotMix(c, a, -1.0L), n = SpotCross(u, v);
    long double nn = SpotDot(n, n);
    if (!(nn > 0.0L)) return least;
    long double s = SpotDot(SpotCross(w, v), n) / nn, r = SpotDot(SpotCross(w, u), n) / nn;
    return s >= 0.0L && s <= 1.0L && r >= 0.0L && r <= 1.0L ? fminl(least, fabsl(SpotDot(w, n)) / sqrtl(nn)) : least;
}

static inline long double DistanceAt(const wfCcdQuery* q, long double t) {
    Spot x[4];
    for (int i = 0; i < 4; ++i) x[i] = SpotAt(q, i, t);
    return q->kind == wf_ccdEdgeEdge ? EdgeEdge(x[0], x[1], x[2], x[3]) : PointTriangle(x[0], x[1], x[2], x[3]);
}

/// No two points of the two primitives approach faster: differences of points are mixes of differences of corners.
static inline long double FastestApproach(const wfCcdQuery* q) {
    long double fastest = 0.0L;
    bool edges = q->kind == wf_ccdEdgeEdge;
    for (int i = 0; i < (edges ? 2 : 1); ++i) {
        for (int j = edges ? 2 : 1; j < 4; ++j) {
            Spot first = SpotMix(SpotAt(q, i, 0.0L), SpotAt(q, j, 0.0L), -1.0L),
                 last = SpotMix(SpotAt(q, i, 1.0L), SpotAt(q, j, 1.0L), -1.0L);
            Spot move = SpotMix(last, first, -1.0L);
            fastest = fmaxl(fastest, sqrtl(SpotDot(move, move)));
        }
    }
    return fastest;
}

/// The first time at which the distance is within `slack` of `separation`; none before it, up to the rounding of long double. Above 1:
/// never. Steps shrink with the distance left, so `slack` must not be tiny against the speed.
static inline long double JudgeFirstTime(const wfCcdQuery* q, long double separation, long double slack) {
    long double fastest = FastestApproach(q), t = 0.0L;
    for (;;) {
        long double left = DistanceAt(q, t) - separation;
        if (left <= slack) return t;
        if (t >= 1.0L) return 2.0L;
        t = fastest > 0.0L ? t + left / fastest : 1.0L;
        if (t > 1.0L) t = 1.0L;
    }
}
