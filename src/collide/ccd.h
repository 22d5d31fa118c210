// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// When a point and a triangle, or two edges, whose corners move linearly over t in [0, 1] first come within a distance of each other.
//
// The answer is safe: the time returned is never later than the true one, and WF_CCD_NEVER is returned only where it is proven that the
// two stay farther apart than the separation asked for. The proof is for the given numbers as they stand, all rounding of the double
// arithmetic counted in; float positions are taken exactly. What cannot be proven within a bounded number of steps, and what is not finite,
// is a hit at the last time up to which the proof goes. A query that begins within the separation is a hit at 0.
//
// Both kinds are one problem: the differences (point minus corner of the triangle; point of edge b minus point of edge a) fill a triangle
// or a parallelogram whose corners move linearly, and the question is when the origin comes within the separation of that polygon.
//
//   wfCcd_FirstTime              roots of the coplanarity cubic first, then proof by inclusion around them only: the fast way
//   wfCcd_FirstTimeByInclusion   inclusion over all of [0, 1]: slower when something is hit, and judge and fallback of the other

#include "math/cubic.h"
#include "math/vec_double.h"

#define WF_CCD_NEVER ((double)INFINITY)

typedef enum wfCcdKind { wf_ccdPointTriangle, wf_ccdEdgeEdge } wfCcdKind;

typedef struct wfCcdQuery {
    int kind;                 // wfCcdKind
    wfVec3D start[4], end[4]; // point and the triangle's corners; or the ends of edge a and of edge b
} wfCcdQuery;

/// Four vertices of a mesh, or of two, in the order of wfCcdQuery.
typedef struct wfCcdPair {
    int kind;
    int vertex[4];
} wfCcdPair;

WF_FN wfCcdQuery wfCcd_MakeQuery(int kind, const wfVec3 start[4], const wfVec3 end[4]) {
    wfCcdQuery q;
    q.kind = kind;
    for (int i = 0; i < 4; ++i) {
        q.start[i] = wfWiden(start[i]);
        q.end[i] = wfWiden(end[i]);
    }
    return q;
}

// ---- inclusion ----------------------------------------------------------------------------------------------------------------
// Over [ta, tb] the moving polygon stays inside the hull of its corners at ta and tb. Where a direction has all of these on one side of the
// origin, farther than the separation, nothing comes near in that time. Inclusion methods after Wang et al. 2021 ("A large scale benchmark
// and an inclusion-based algorithm for continuous collision detection") take boxes for hulls and must cut them in the two directions
// of the primitives too, until they are small; with the hull itself and a direction of choice only time has to be cut, so there is no
// stack, and a gap of the size of the rounding is enough to prove a miss.

/// The corners of the polygon of differences, in a row around it, at t = 0 and t = 1.
typedef struct wfCcdPolygon {
    int count;
    wfVec3D first[4], last[4];
    wfVec3D bound; // no coordinate of a corner is larger
} wfCcdPolygon;

WF_FN wfVec3D wfCcd_MaxAbs(wfVec3D a, wfVec3D b) {
    return wfMake3D(fmax(fabs(a.x), fabs(b.x)), fmax(fabs(a.y), fabs(b.y)), fmax(fabs(a.z), fabs(b.z)));
}

/// Each coordinate is one difference, so it is off by at most WF_ROUNDING of itself.
WF_FN wfCcdPolygon wfCcd_MakePolygon(const wfCcdQuery* q) {
    wfCcdPolygon p;
    bool edges = q->kind == wf_ccdEdgeEdge;
    p.count = edges ? 4 : 3;
    p.bound = wfMake3D(0.0, 0.0, 0.0);
    for (int k = 0; k < p.count; ++k) { // edges: b0-a0, b0-a1, b1-a1, b1-a0
        int to = edges ? 2 + k / 2 : 0, from = edges ? (k == 1 || k == 2) : 1 + k;
        p.first[k] = wfSubD(q->start[to], q->start[from]);
        p.last[k] = wfSubD(q->end[to], q->end[from]);
        p.bound = wfCcd_MaxAbs(p.bound, wfCcd_MaxAbs(p.first[k], p.last[k]));
    }
    return p;
}

/// Whether a coordinate of every corner stays beyond the separation on one side all the time; what is not finite does not. A difference
/// has the sign of the exact one, so this proves a gap of a single rounding, which wfCcd_Reach, summing products, cannot.
WF_FN bool wfCcd_ApartAlongAxis(const wfCcdPolygon* p, double separation) {
    double least = separation * (1.0 + 4.0 * WF_ROUNDING), sum = 0.0;
    bool above[3] = {true, true, true}, below[3] = {true, true, true};
    for (int k = 0; k < p->count; ++k) {
        const double a[3] = {p->first[k].x, p->first[k].y, p->first[k].z}, b[3] = {p->last[k].x, p->last[k].y, p->last[k].z};
        for (int axis = 0; axis < 3; ++axis) {
            above[axis] = above[axis] && a[axis] > least && b[axis] > least;
            below[axis] = below[axis] && a[axis] < -least && b[axis] < -least;
            sum += fabs(a[axis]) + fabs(b[axis]);
        }
    }
    return sum < (double)INFINITY && (above[0] || above[1] || above[2] || below[0] || below[1] || below[2]);
}

/// Up to which time in [from, to] the direction n keeps the polygon and the origin farther apart than the separation; -1 where it does not
/// even at `from`.
WF_FN double wfCcd_Reach(const wfCcdPolygon* p, wfVec3D n, double from, double to, double separation) {
    // Only the direction counts: a size near one keeps products of tiny numbers from vanishing.
    double size = fmax(fmax(fabs(n.x), fabs(n.y)), fabs(n.z));
    n = wfScaleD(n, 1.0 / size);
    // A corner along n is off by 5 roundings of the sum below (difference, product, two sums; n itself is taken as it is), and mixing
    // two of them by time adds 5 more; the last term is for numbers too small to have a relative rounding.
    double sum = fabs(n.x) * p->bound.x + fabs(n.y) * p->bound.y + fabs(n.z) * p->bound.z;
    double least = separation * wfLengthD(n) * (1.0 + 8.0 * WF_ROUNDING) + 16.0 * WF_ROUNDING * sum + 1e-300;
    double a[4], b[4], sign = 1.0, reach = to;
    for (int k = 0; k < p->count; ++k) {
        a[k] = wfDotD(n, p->first[k]);
        b[k] = wfDotD(n, p->last[k]);
        double now = wfMix(a[k], b[k], from), then = wfMix(a[k], b[k], to);
        if (k == 0 && now < 0.0) sign = -1.0;
        now *= sign;
        then *= sign;
        if (!(now > least)) return -1.0; // also what is not a number
        if (!(then > least)) reach = fmin(reach, from + (1.0 - 0x1p-16) * (to - from) * ((now - least) / (now - then)));
    }
    if (!(reach < to)) return reach;
    for (int k = 0; k < p->count; ++k) // what was solved for is only near it
        if (!(sign * wfMix(a[k], b[k], reach) > least)) return -1.0;
    return reach;
}

/// Directions that may separate the polygon r from the origin: `near` from its nearest point, and where that is too close to zero to mean
/// anything `others`, which are its normal and those of its sides within its plane. Any direction is safe; these are good.
typedef struct wfCcdDirections {
    wfVec3D near, others[6];
    int otherCount;
} wfCcdDirections;

WF_FN wfCcdDirections wfCcd_FindDirections(const wfVec3D r[4], int count) {
    wfCcdDirections found;
    wfVec3D n = wfCrossD(wfSubD(r[1], r[0]), wfSubD(r[2], r[0]));
    bool inside = wfDotD(n, n) > 0.0;
    double least = (double)INFINITY;
    found.near = n;
    for (int k = 0; k < count; ++k) {
        wfVec3D side = wfSubD(r[k + 1 < count ? k + 1 : 0], r[k]), outward = wfCrossD(side, n);
        if (wfDotD(r[k], outward) < 0.0) inside = false;
        double along = wfDotD(side, side), s = along > 0.0 ? fmin(fmax(-wfDotD(r[k], side) / along, 0.0), 1.0) : 0.0;
        wfVec3D v = wfMulAddD(r[k], s, side);
        if (wfDotD(v, v) < least) {
            least = wfDotD(v, v);
            found.near = v;
        }
        found.others[k] = outward;
    }
    found.others[count] = n;
    found.others[count + 1] = found.near; // of the sides alone
    found.otherCount = count + 2;
    if (inside) found.near = wfDotD(n, r[0]) < 0.0 ? wfScaleD(n, -1.0) : n;
    return found;
}

WF_FN void wfCcd_CornersAt(const wfCcdPolygon* p, double t, wfVec3D r[4]) {
    for (int k = 0; k < p->count; ++k) r[k] = wfMulAddD(p->first[k], t, wfSubD(p->last[k], p->first[k]));
}

/// Whether a direction that turns evenly from n[0] to n[1] while the corners go from r[0] to r[1] separates all the time. Along it a corner
/// is a quadratic in time, above the separation where its coefficients are. Two sheets that roll off each other need this: no fixed
/// direction separates them for long.
WF_FN bool wfCcd_SeparatesTurning(const wfCcdPolygon* p, const wfVec3D n[2], const wfVec3D r[2][4], double separation) {
    wfVec3D most = wfCcd_MaxAbs(n[0], n[1]);
    // As in wfCcd_Reach: 6 roundings for a corner at its time, 3 for the product with n, 2 for the mean.
    double sum = most.x * p->bound.x + most.y * p->bound.y + most.z * p->bound.z, length = fmax(wfLengthD(n[0]), wfLengthD(n[1]));
    double least = separation * length * (1.0 + 8.0 * WF_ROUNDING) + 16.0 * WF_ROUNDING * sum + 1e-300;
    for (int k = 0; k < p->count; ++k) {
        double mean = 0.5 * (wfDotD(n[0], r[1][k]) + wfDotD(n[1], r[0][k]));
        if (!(wfDotD(n[0], r[0][k]) > least && mean > least && wfDotD(n[1], r[1][k]) > least)) return false;
    }
    return true;
}

/// The first time in [from, to] up to which the polygon is proven to stay away, as a hit; WF_CCD_NEVER where it is proven up to `to`.
WF_FN double wfCcd_Advance(const wfCcdPolygon* p, double from, double to, double separation) {
    const double leastStep = 0x1p-40;
    const int stepLimit = 256, plainSteps = 8; // most come to an end in these
    double t = from, stretch = 2.0;
    for (int step = 0; step < stepLimit; ++step) {
        wfVec3D r[2][4], n[2];
        wfCcd_CornersAt(p, t, r[0]);
        wfCcdDirections directions = wfCcd_FindDirections(r[0], p->count);
        double reach = wfCcd_Reach(p, directions.near, t, to, separation);
        for (int k = 0; k < directions.otherCount && !(reach >= to) && !(reach - t > leastStep); ++k)
            reach = fmax(reach, wfCcd_Reach(p, directions.others[k], t, to, separation));
        if (reach >= to) return WF_CCD_NEVER;
        if (!(reach - t > leastStep)) return t;
        if (step >= plainSteps) {
            double farther = fmin(to, t + stretch * (reach - t));
            wfCcd_CornersAt(p, farther, r[1]);
            n[0] = wfScaleD(directions.near, 1.0 / wfLengthD(directions.near));
            n[1] = wfCcd_FindDirections(r[1], p->count).near;
            n[1] = wfScaleD(n[1], 1.0 / wfLengthD(n[1]));
            bool turned = wfCcd_SeparatesTurning(p, n, (const wfVec3D(*)[4])r, separation);
            if (turned && farther >= to) return WF_CCD_NEVER;
            if (turned) reach = farther;
            stretch = turned ? 2.0 * stretch : fmax(2.0, 0.5 * stretch);
        }
        t = reach;
    }
    return t;
}

WF_FN double wfCcd_FirstTimeByInclusion(const wfCcdQuery* q, double separation) {
    wfCcdPolygon p = wfCcd_MakePolygon(q);
    double time = wfCcd_Advance(&p, 0.0, 1.0, separation);
    return time <= 1.0 && wfCcd_ApartAlongAxis(&p, separation) ? WF_CCD_NEVER : time;
}

// ---- coplanarity --------------------------------------------------------------------------------------------------------------
// With u and v along two sides of the polygon, n = u × v and w its first corner, f = n · w is a cubic in t. The point of the polygon
// nearest to the origin has the same product with n as w has, so a distance of at most s means |f| <= s |n|: outside of the spans where
// that can be, nothing has to be looked at.

typedef struct wfCcdCubic {
    double b[4]; // Bernstein coefficients of f
    double band; // what |f| can be at most, rounding of b counted in, where the separation is reached
} wfCcdCubic;

WF_FN wfCcdCubic wfCcd_MakeCubic(const wfCcdQuery* q, double separation) {
    const bool edges = q->kind == wf_ccdEdgeEdge;
    const int from[3] = {edges ? 0 : 1, edges ? 2 : 1, edges ? 0 : 1}, to[3] = {edges ? 1 : 2, 3, edges ? 2 : 0};
    wfVec3D e[3][2], m[3];
    for (int i = 0; i < 3; ++i) {
        e[i][0] = wfSubD(q->start[to[i]], q->start[from[i]]);
        e[i][1] = wfSubD(q->end[to[i]], q->end[from[i]]);
        m[i] = wfCcd_MaxAbs(e[i][0], e[i][1]);
    }
    wfVec3D n0 = wfCrossD(e[0][0], e[1][0]), n2 = wfCrossD(e[0][1], e[1][1]);
    wfVec3D n1 = wfScaleD(wfAddD(wfCrossD(e[0][0], e[1][1]), wfCrossD(e[0][1], e[1][0])), 0.5);
    wfCcdCubic c;
    c.b[0] = wfDotD(n0, e[2][0]);
    c.b[1] = (wfDotD(n0, e[2][1]) + 2.0 * wfDotD(n1, e[2][0])) / 3.0;
    c.b[2] = (wfDotD(n2, e[2][0]) + 2.0 * wfDotD(n1, e[2][1])) / 3.0;
    c.b[3] = wfDotD(n2, e[2][1]);
    // Roundings on the way to a coefficient, relative to the sum of all products without their signs: three differences, two products, a
    // difference and a sum in n, two sums of the dot product, a sum and a quotient; 11, and some for the products of these.
    wfVec3D a = wfMake3D(m[0].y * m[1].z + m[0].z * m[1].y, m[0].z * m[1].x + m[0].x * m[1].z, m[0].x * m[1].y + m[0].y * m[1].x);
    double rounding = 16.0 * WF_ROUNDING * wfDotD(a, m[2]) + 1e-300 * (1.0 + m[2].x + m[2].y + m[2].z);
    // n is quadratic in time, so no longer than the longest of its coefficients.
    double longest = fmax(fmax(wfLengthD(n0), wfLengthD(n1)), wfLengthD(n2)) + 16.0 * WF_ROUNDING * wfLengthD(a);
    c.band = separation * longest + rounding;
    return c;
}

WF_FN double wfCcd_FirstTime(const wfCcdQuery* q, double separation) {
    wfCcdCubic c = wfCcd_MakeCubic(q, separation);
    if (wfCubic_StaysBeyond(c.b, c.band)) return WF_CCD_NEVER;
    // Most that pass through each other's plane do so far from each other: one direction tells, before any root is searched.
    wfCcdPolygon p = wfCcd_MakePolygon(q);
    double safe = wfCcd_Reach(&p, wfCcd_FindDirections(p.first, p.count).near, 0.0, 1.0, separation);
    if (safe >= 1.0) return WF_CCD_NEVER;
    safe = fmax(safe, 0.0);
    // A wide band is most of the way already; its spans would cost more than they save.
    double size = fmax(fmax(fabs(c.b[0]), fabs(c.b[1])), fmax(fabs(c.b[2]), fabs(c.b[3]))), time = WF_CCD_NEVER;
    if (c.band < 1e-3 * size) {
        wfCubicSpans spans = wfCubic_NearZero(c.b, c.band);
        for (int k = 0; k < spans.count && !(time <= 1.0); ++k)
            if (!(spans.hi[k] < safe)) time = wfCcd_Advance(&p, fmax(spans.lo[k], safe), spans.hi[k], separation);
    } else {
        time = wfCcd_Advance(&p, safe, 1.0, separation);
    }
    return time <= 1.0 && wfCcd_ApartAlongAxis(&p, separation) ? WF_CCD_NEVER : time;
}

/// As a float, never later.
WF_FN float wfCcd_RoundDown(double time) {
    float t = (float)time;
    return (double)t > time ? nextafterf(t, 0.0f) : t;
}
