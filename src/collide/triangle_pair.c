// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/triangle_pair.h"

#include <math.h>

// Two triangles meet where an edge of one meets the other, so everything comes down to segment against triangle, and that to signs of
// volumes. The inputs are single precision, so their differences are exact or nearly so in double, and so are the products of two of them:
// signs in a plane can be trusted. A volume within its own rounding error is taken for zero. That matters: a sheet that was only turned or
// moved often lies exactly in one plane, and the noise of its volumes would make neighbours cross.

typedef struct Point {
    double v[3];
} Point;

typedef struct Triangle {
    Point corner[3];
    int drop; // the axis along which it is seen widest; -1 where it has no area
} Triangle;

static Point Sub(Point a, Point b) { return (Point){{a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2]}}; }

// Six times the volume of the tetrahedron spanned by three edges; 0 where rounding could have changed its sign.
static double Volume(Point a, Point b, Point c) {
    double value = 0.0, bound = 0.0;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double p = b.v[j] * c.v[k], q = b.v[k] * c.v[j];
        value += a.v[i] * (p - q);
        bound += fabs(a.v[i]) * (fabs(p) + fabs(q));
    }
    return fabs(value) > 1e-15 * bound ? value : 0.0; // 9 roundings of 2^-53
}

// Twice the area of a triangle seen in the plane of axes i and j, positive when it turns from i to j.
static double Turn(Point a, Point b, Point p, int i, int j) {
    return (b.v[i] - a.v[i]) * (p.v[j] - a.v[j]) - (b.v[j] - a.v[j]) * (p.v[i] - a.v[i]);
}

static Triangle Load(const wfVec3 x[3]) {
    Triangle t;
    for (int k = 0; k < 3; ++k) t.corner[k] = (Point){{x[k].x, x[k].y, x[k].z}};
    double widest = 0.0;
    t.drop = -1;
    for (int k = 0; k < 3; ++k) {
        double area = fabs(Turn(t.corner[0], t.corner[1], t.corner[2], (k + 1) % 3, (k + 2) % 3));
        if (area > widest) {
            widest = area;
            t.drop = k;
        }
    }
    return t;
}

// On which side of the plane of t a point lies: positive, negative or 0.
static double Side(const Triangle* t, Point p) {
    return Volume(Sub(p, t->corner[0]), Sub(t->corner[1], t->corner[0]), Sub(t->corner[2], t->corner[0]));
}

static bool OneSide(const double s[3]) { return (s[0] > 0.0 && s[1] > 0.0 && s[2] > 0.0) || (s[0] < 0.0 && s[1] < 0.0 && s[2] < 0.0); }

static bool SpansMeet(double a, double b, double c, double d) { return fmin(a, b) <= fmax(c, d) && fmin(c, d) <= fmax(a, b); }

static bool SegmentsMeetInPlane(Point p, Point q, Point a, Point b, int i, int j) {
    double tp = Turn(a, b, p, i, j), tq = Turn(a, b, q, i, j), ta = Turn(p, q, a, i, j), tb = Turn(p, q, b, i, j);
    if ((tp > 0.0 && tq > 0.0) || (tp < 0.0 && tq < 0.0) || (ta > 0.0 && tb > 0.0) || (ta < 0.0 && tb < 0.0)) return false;
    // On one line the signs say nothing; in all other cases the spans meet anyway.
    return SpansMeet(p.v[i], q.v[i], a.v[i], b.v[i]) && SpansMeet(p.v[j], q.v[j], a.v[j], b.v[j]);
}

static bool SegmentMeetsInPlane(Point p, Point q, const Triangle* t) {
    int i = (t->drop + 1) % 3, j = (t->drop + 2) % 3;
    double s[3];
    for (int k = 0; k < 3; ++k) {
        Point a = t->corner[k], b = t->corner[(k + 1) % 3];
        if (SegmentsMeetInPlane(p, q, a, b, i, j)) return true;
        s[k] = Turn(a, b, p, i, j);
    }
    return OneSide(s); // wholly inside
}

// sp, sq: the sides of p and q.
static bool SegmentMeets(Point p, Point q, double sp, double sq, const Triangle* t) {
    if ((sp > 0.0 && sq > 0.0) || (sp < 0.0 && sq < 0.0)) return false;
    if (sp == 0.0 && sq == 0.0) return SegmentMeetsInPlane(p, q, t);
    Point along = Sub(q, p);
    Point c[3] = {Sub(t->corner[0], p), Sub(t->corner[1], p), Sub(t->corner[2], p)};
    bool left = true, right = true; // of all three edges, seen along the segment
    for (int k = 0; k < 3; ++k) {
        double volume = Volume(along, c[k], c[(k + 1) % 3]);
        left = left && volume >= 0.0;
        right = right && volume <= 0.0;
    }
    return left || right;
}

// Whether one of the edges first .. last of a meets b; edge k runs from corner k to corner k + 1.
static bool EdgesMeet(const Triangle* a, const double side[3], const Triangle* b, int first, int last) {
    for (int k = first; k <= last; ++k) {
        int next = (k + 1) % 3;
        if (SegmentMeets(a->corner[k], a->corner[next], side[k], side[next], b)) return true;
    }
    return false;
}

static bool Meet(const wfVec3 a[3], const wfVec3 b[3], int firstEdge, int lastEdge) {
    Triangle ta = Load(a), tb = Load(b);
    double sideA[3] = {0, 0, 0}, sideB[3] = {0, 0, 0};
    if (tb.drop >= 0) {
        for (int k = 0; k < 3; ++k) sideA[k] = Side(&tb, ta.corner[k]);
        if (OneSide(sideA)) return false;
    }
    if (ta.drop >= 0) {
        for (int k = 0; k < 3; ++k) sideB[k] = Side(&ta, tb.corner[k]);
        if (OneSide(sideB)) return false;
    }
    return (tb.drop >= 0 && EdgesMeet(&ta, sideA, &tb, firstEdge, lastEdge)) ||
           (ta.drop >= 0 && EdgesMeet(&tb, sideB, &ta, firstEdge, lastEdge));
}

bool wfTrianglesMeet(const wfVec3 a[3], const wfVec3 b[3]) { return Meet(a, b, 0, 2); }

// What the two have in common beyond the vertex starts at it and ends on one of the opposite edges.
bool wfTrianglesMeetBeyondVertex(const wfVec3 a[3], const wfVec3 b[3]) { return Meet(a, b, 1, 1); }
