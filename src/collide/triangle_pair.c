// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/triangle_pair.h"

#include "collide/edge_triangle.h"

// Everything is decided by signs of exact orientations, most of them never needed: in a clean mesh the first few tell two triangles apart.

static bool SamePlace(wfVec3 a, wfVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static bool OneSide(const int s[3]) { return (s[0] > 0 && s[1] > 0 && s[2] > 0) || (s[0] < 0 && s[1] < 0 && s[2] < 0); }

static bool NotMixed(int s, int t, int u) { return (s >= 0 && t >= 0 && u >= 0) || (s <= 0 && t <= 0 && u <= 0); }

static bool AllZero(const int s[3]) { return s[0] == 0 && s[1] == 0 && s[2] == 0; }

// ---- no shared vertex ---------------------------------------------------------------------------------------------------------

static bool MeetInPlane(const wfVec3 a[3], const wfVec3 b[3], int axis) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            if (wfEdgesMeetInPlane(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3], axis)) return true;
        }
    }
    return wfPointInTriangle(a[0], b[0], b[1], b[2], axis) || wfPointInTriangle(b[0], a[0], a[1], a[2], axis);
}

// `flat` lies on one line; b may do so as well.
static bool FlatMeets(const wfVec3 flat[3], const wfVec3 b[3]) {
    wfVec3 lo, hi;
    wfEndsOfFlat(flat[0], flat[1], flat[2], &lo, &hi);
    return wfEdgeMeetsTriangle(lo, hi, b[0], b[1], b[2]);
}

// Whether an edge of a triangle, whose ends lie on these sides of the plane of another, meets that other in its plane.
static bool EdgeMeets(int sideP, int sideQ, int s, int t, int u, wfVec3 p, wfVec3 q, const wfVec3 other[3]) {
    if (sideP * sideQ > 0) return false;
    if (sideP != 0 || sideQ != 0) return NotMixed(s, t, u);
    return wfEdgeMeetsTriangle(p, q, other[0], other[1], other[2]);
}

bool wfTrianglesMeet(const wfVec3 a[3], const wfVec3 b[3]) {
    int sideA[3], sideB[3];
    for (int k = 0; k < 3; ++k) sideA[k] = wfOrient3(b[0], b[1], b[2], a[k]);
    if (OneSide(sideA)) return false;
    for (int k = 0; k < 3; ++k) sideB[k] = wfOrient3(a[0], a[1], a[2], b[k]);
    if (OneSide(sideB)) return false;
    if (AllZero(sideA) || AllZero(sideB)) { // in one plane, or one of them has no plane
        int axisA = wfWidestView(a[0], a[1], a[2]);
        if (axisA < 0) return FlatMeets(a, b);
        if (wfWidestView(b[0], b[1], b[2]) < 0) return FlatMeets(b, a);
        return MeetInPlane(a, b, axisA);
    }
    // Two planes: where the triangles meet, an edge of one meets the other. The turn of each edge about each decides.
    int turn[3][3];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) turn[i][j] = wfOrient3(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]);
    }
    for (int k = 0; k < 3; ++k) {
        int next = (k + 1) % 3;
        if (EdgeMeets(sideA[k], sideA[next], turn[k][0], turn[k][1], turn[k][2], a[k], a[next], b)) return true;
        if (EdgeMeets(sideB[k], sideB[next], turn[0][k], turn[1][k], turn[2][k], b[k], b[next], a)) return true;
    }
    return false;
}

// ---- beyond a vertex ----------------------------------------------------------------------------------------------------------

// Both triangles hold the vertex, so they have more in common exactly where their cones at it have: the cones of all rays from it to the
// opposite edge. How far the triangles reach does not matter.

static bool RayInCone(wfVec3 ray, const wfVec3 cone[3], int axis) { // all in one plane, where the cone has an area seen along the axis
    int turn = wfOrientAlong(cone[0], cone[1], cone[2], axis);
    return turn * wfOrientAlong(cone[0], cone[1], ray, axis) >= 0 && turn * wfOrientAlong(cone[0], ray, cone[2], axis) >= 0;
}

static bool SameRay(wfVec3 from, wfVec3 a, wfVec3 b) {
    if (wfWidestView(from, a, b) >= 0) return false;
    return (a.x > from.x && b.x > from.x) || (a.x < from.x && b.x < from.x) || (a.y > from.y && b.y > from.y) ||
           (a.y < from.y && b.y < from.y) || (a.z > from.z && b.z > from.z) || (a.z < from.z && b.z < from.z);
}

// The rays of a flat triangle against the other.
static bool FlatMeetsBeyondVertex(const wfVec3 flat[3], const wfVec3 b[3], int axisB) {
    for (int k = 1; k < 3; ++k) {
        if (SamePlace(flat[k], flat[0])) continue;
        if (axisB < 0) {
            if (SameRay(flat[0], flat[k], b[1]) || SameRay(flat[0], flat[k], b[2])) return true;
        } else if (wfOrient3(b[0], b[1], b[2], flat[k]) == 0 && RayInCone(flat[k], b, axisB)) {
            return true;
        }
    }
    return false;
}

// Whether a plane across an axis through the vertex has one triangle before it and the other on or behind it.
static bool ApartAlong(float v, float a1, float a2, float b1, float b2) {
    return (a1 < v && a2 < v && b1 >= v && b2 >= v) || (a1 > v && a2 > v && b1 <= v && b2 <= v) ||
           (b1 < v && b2 < v && a1 >= v && a2 >= v) || (b1 > v && b2 > v && a1 <= v && a2 <= v);
}

bool wfTrianglesMeetBeyondVertex(const wfVec3 a[3], const wfVec3 b[3]) {
    wfVec3 v = a[0];
    if (ApartAlong(v.x, a[1].x, a[2].x, b[1].x, b[2].x) || ApartAlong(v.y, a[1].y, a[2].y, b[1].y, b[2].y) ||
        ApartAlong(v.z, a[1].z, a[2].z, b[1].z, b[2].z)) {
        return false;
    }
    int side1 = wfOrient3(v, b[1], b[2], a[1]), side2 = wfOrient3(v, b[1], b[2], a[2]);
    if (side1 * side2 > 0) return false;
    int other1 = wfOrient3(v, a[1], a[2], b[1]), other2 = wfOrient3(v, a[1], a[2], b[2]);
    if (other1 * other2 > 0) return false;
    if ((side1 == 0 && side2 == 0) || (other1 == 0 && other2 == 0)) {
        int axisA = wfWidestView(a[0], a[1], a[2]), axisB = wfWidestView(b[0], b[1], b[2]);
        if (axisA < 0) return FlatMeetsBeyondVertex(a, b, axisB);
        if (axisB < 0) return FlatMeetsBeyondVertex(b, a, axisA);
        return RayInCone(a[1], b, axisA) || RayInCone(a[2], b, axisA) || RayInCone(b[1], a, axisA) || RayInCone(b[2], a, axisA);
    }
    // The edge opposite the vertex meets the plane of the other in one point; from it the sides of the cone are seen as turning one way
    // when it is in the cone, the other way when it is in the opposite one.
    int way = side2 != 0 ? side2 : -side1;
    return way * wfOrient3(a[1], a[2], v, b[1]) >= 0 && way * wfOrient3(a[1], a[2], b[2], v) >= 0;
}

// ---- beyond an edge -----------------------------------------------------------------------------------------------------------

// 1 where a is before b, 0 where they are one place, else -1. Lexical order, which on a line is the order along it.
static int Before(wfVec3 a, wfVec3 b) {
    return a.x != b.x ? (a.x < b.x ? 1 : -1) : a.y != b.y ? (a.y < b.y ? 1 : -1) : a.z != b.z ? (a.z < b.z ? 1 : -1) : 0;
}

bool wfTrianglesMeetBeyondEdge(const wfVec3 a[3], const wfVec3 b[3]) {
    wfVec3 v = a[0], w = a[1], c = a[2], d = b[2];
    bool flatA = true, flatB = true;
    for (int axis = 0; axis < 3; ++axis) { // folded neighbours are on one side in every view; flat and bent ones are not
        int sideC = wfOrientAlong(v, w, c, axis), sideD = wfOrientAlong(v, w, d, axis);
        if (sideC * sideD < 0) return false;
        flatA = flatA && sideC == 0;
        flatB = flatB && sideD == 0;
    }
    if (!flatA && !flatB) return wfOrient3(v, w, c, d) == 0;
    if (flatA != flatB) return false; // the flat one ends in the line of the edge, where the other has only the edge
    if (SamePlace(v, w)) return SameRay(v, c, d);
    int way = Before(v, w); // all on one line: beyond the same end of the edge
    return (way * Before(w, c) > 0 && way * Before(w, d) > 0) || (way * Before(v, c) < 0 && way * Before(v, d) < 0);
}
