// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/figure_shape.h"

#include <math.h>

typedef wfFigurePoint Vector;

static Vector Add(Vector a, double t, Vector b) { return (Vector){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z}; }
static double Dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// ---- parts --------------------------------------------------------------------------------------------------------------------

// A place along the axis of a loft: half widths along the two directions across, and how far its middle is off the axis along the second.
typedef struct Knot {
    double at, u, w, off;
} Knot;

// Of one knot it is an ellipsoid. The left half is the mirror image of the right one.
typedef struct Part {
    double blend;             // how far it runs into those before it
    Vector from, along, u, w; // origin and unit vectors: of the axis, and of the two directions across
    double cap[2];            // height of the half ellipsoids at both ends
    double reach;             // no point of it is farther from the axis between its ends
    const Knot* knots;
    int count;
} Part;

#define KNOTS(table) .knots = (table), .count = (int)(sizeof(table) / sizeof((table)[0]))

static const Knot s_torso[] = {
    {0.478, 0.0840, 0.0560, -0.006}, {0.510, 0.0955, 0.0650, -0.009}, {0.565, 0.0870, 0.0595, -0.004},
    {0.632, 0.0660, 0.0475, 0.003},  {0.690, 0.0755, 0.0540, 0.002},  {0.735, 0.0830, 0.0565, -0.002},
    {0.775, 0.0860, 0.0500, -0.008}, {0.805, 0.0680, 0.0380, -0.013}, {0.828, 0.0360, 0.0300, -0.015},
};
static const Knot s_shoulder[] = {{0.0, 0.031, 0.028, 0.0}, {0.080, 0.032, 0.0285, 0.0}};
static const Knot s_neck[] = {{0.0, 0.031, 0.033, 0.0}, {0.035, 0.0275, 0.029, 0.0}, {0.09, 0.0275, 0.030, 0.0}};
static const Knot s_head[] = {
    {0.8735, 0.0185, 0.0200, 0.030}, {0.888, 0.0315, 0.0370, 0.018}, {0.910, 0.0395, 0.0490, 0.009},
    {0.9350, 0.0430, 0.0545, 0.003}, {0.955, 0.0440, 0.0560, 0.000},
};
static const Knot s_breast[] = {{0.0, 0.034, 0.033, 0.0}};
static const Knot s_seat[] = {{0.0, 0.044, 0.046, 0.0}};
static const Knot s_leg[] = {
    {0.000, 0.0440, 0.0540, -0.004}, {0.060, 0.0455, 0.0520, 0.000},  {0.130, 0.0400, 0.0445, 0.002},
    {0.205, 0.0310, 0.0340, 0.002},  {0.238, 0.0295, 0.0320, -0.002}, {0.290, 0.0310, 0.0335, -0.008},
    {0.350, 0.0250, 0.0265, -0.008}, {0.405, 0.0185, 0.0205, -0.005}, {0.440, 0.0185, 0.0215, -0.003},
};
static const Knot s_foot[] = {
    {0.000, 0.0210, 0.0200, 0.0200}, {0.030, 0.0205, 0.0250, 0.0250}, {0.070, 0.0235, 0.0200, 0.0200},
    {0.098, 0.0255, 0.0155, 0.0155}, {0.120, 0.0220, 0.0125, 0.0125},
};
static const Knot s_arm[] = {
    {0.000, 0.0285, 0.0310, 0.000}, {0.050, 0.0262, 0.0290, 0.000}, {0.110, 0.0230, 0.0255, 0.000}, {0.180, 0.0190, 0.0205, 0.000},
    {0.215, 0.0198, 0.0208, 0.000}, {0.270, 0.0168, 0.0178, 0.000}, {0.325, 0.0142, 0.0160, 0.000}, {0.350, 0.0150, 0.0200, 0.001},
    {0.378, 0.0150, 0.0225, 0.002}, {0.402, 0.0138, 0.0205, 0.003}, {0.412, 0.0130, 0.0185, 0.003},
};
static const Knot s_thumb[] = {{0.0, 0.0130, 0.0130, 0.0}, {0.032, 0.0118, 0.0118, 0.0}};

static const Part s_body[] = {
    {0.000, {0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}, {0.030, 0.016}, 0.115, KNOTS(s_torso)},
    {0.032, {0.022, 0.807, -0.012}, {0.94868, -0.31623, 0}, {0, 0, 1}, {0.31623, 0.94868, 0}, {0.02, 0.026}, 0.04, KNOTS(s_shoulder)},
    {0.030, {0, 0.805, -0.015}, {0, 0.98058, 0.19612}, {1, 0, 0}, {0, -0.19612, 0.98058}, {0.01, 0.01}, 0.04, KNOTS(s_neck)},
    {0.012, {0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}, {0.0065, 0.045}, 0.07, KNOTS(s_head)},
    {0.022, {0.0395, 0.722, 0.040}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0.03, 0.036}, 0.04, KNOTS(s_breast)},
    {0.030, {0.044, 0.508, -0.036}, {0, 0, -1}, {1, 0, 0}, {0, 1, 0}, {0.03, 0.036}, 0.05, KNOTS(s_seat)},
    {0.045, {0.0535, 0.490, -0.002}, {0.02695, -0.99964, 0}, {0.99964, 0.02695, 0}, {0, 0, 1}, {0.05, 0.015}, 0.065, KNOTS(s_leg)},
    {0.014, {0.0655, 0, -0.026}, {0.08716, 0, 0.99619}, {0.99619, 0, -0.08716}, {0, 1, 0}, {0.017, 0.017}, 0.055, KNOTS(s_foot)},
};
static const Part s_limb[] = {
    {0.026, {0.103, 0.780, -0.008}, {0.57358, -0.81915, 0}, {0.81915, 0.57358, 0}, {0, 0, 1}, {0.026, 0.018}, 0.04, KNOTS(s_arm)},
    {0.010,
     {0.297, 0.503, 0.012},
     {0.3813, -0.5446, 0.747},
     {0.81915, 0.57358, 0},
     {-0.4285, 0.6119, 0.6647},
     {0.012, 0.0115},
     0.02,
     KNOTS(s_thumb)},
};
enum { BodyCount = sizeof s_body / sizeof s_body[0], LimbCount = sizeof s_limb / sizeof s_limb[0] };

static const double s_middle = 0.003; // how far the halves run into each other

// ---- the field ----------------------------------------------------------------------------------------------------------------

static double SlopeAt(double before, double after) { return before * after <= 0.0 ? 0.0 : 2.0 * before * after / (before + after); }

static double Cubic(double t, double length, double a, double b, double slopeA, double slopeB) {
    double s = t * t * (3.0 - 2.0 * t);
    return a + s * (b - a) + length * t * (1.0 - t) * ((1.0 - t) * slopeA - t * slopeB);
}

static double ShapeOf(const Knot* k, int c) { return c == 0 ? k->u : c == 1 ? k->w : k->off; }

// The knot at a place between others: cubics that never go beyond what they join.
static Knot KnotAt(const Part* part, double at) {
    const Knot* k = part->knots;
    int i = 0;
    while (i + 2 < part->count && at > k[i + 1].at) ++i;
    if (part->count == 1 || at <= k[0].at) return k[0];
    if (at >= k[i + 1].at) return k[i + 1];
    double length = k[i + 1].at - k[i].at, t = (at - k[i].at) / length;
    double shape[3];
    for (int c = 0; c < 3; ++c) {
        double from = ShapeOf(&k[i], c), to = ShapeOf(&k[i + 1], c), step = (to - from) / length;
        double before = i == 0 ? step : (from - ShapeOf(&k[i - 1], c)) / (k[i].at - k[i - 1].at);
        double after = i + 2 == part->count ? step : (ShapeOf(&k[i + 2], c) - to) / (k[i + 2].at - k[i + 1].at);
        shape[c] = Cubic(t, length, from, to, SlopeAt(before, step), SlopeAt(step, after));
    }
    return (Knot){at, shape[0], shape[1], shape[2]};
}

static double PartField(const Part* part, Vector p) {
    Vector d = Add(p, -1.0, part->from);
    double at = Dot(d, part->along), last = part->knots[part->count - 1].at;
    Knot k = KnotAt(part, at);
    double over = at < part->knots[0].at ? at - part->knots[0].at : at > last ? at - last : 0.0;
    double cap = over < 0.0 ? part->cap[0] : part->cap[1], x = Dot(d, part->u) / k.u, y = over / cap, z = (Dot(d, part->w) - k.off) / k.w;
    double k0 = sqrt(x * x + y * y + z * z), k1 = sqrt(x * x / (k.u * k.u) + y * y / (cap * cap) + z * z / (k.w * k.w));
    return k1 < 1e-12 ? -fmin(k.u, k.w) : k0 * (k0 - 1.0) / k1;
}

static bool IsFar(const Part* part, Vector p, double limit) {
    Vector d = Add(p, -1.0, part->from);
    double at = fmin(fmax(Dot(d, part->along), part->knots[0].at), part->knots[part->count - 1].at);
    d = Add(d, -at, part->along);
    return Dot(d, d) > (limit + part->reach) * (limit + part->reach);
}

static double Unite(double f, const Part* parts, int count, Vector p) {
    for (int i = 0; i < count; ++i) {
        if (IsFar(&parts[i], p, fmax(2.0 * f, 0.0) + parts[i].blend)) continue;
        double own = PartField(&parts[i], p), mix = fmax(parts[i].blend - fabs(f - own), 0.0);
        f = fmin(f, own) - (mix > 0.0 ? mix * mix / (4.0 * parts[i].blend) : 0.0);
    }
    return f;
}

static Vector Mirror(Vector p) { return (Vector){sqrt(p.x * p.x + s_middle * s_middle) - s_middle, p.y, p.z}; } // without a crease

double wfFigureField(Vector p) {
    p = Mirror(p);
    return Unite(Unite(INFINITY, s_body, BodyCount, p), s_limb, LimbCount, p);
}

double wfFigureArmShare(Vector p, double* along) {
    p = Mirror(p);
    double body = Unite(INFINITY, s_body, BodyCount, p), arm = Unite(INFINITY, s_limb, LimbCount, p);
    double t = fmin(fmax(0.5 + (body - arm) / 0.06, 0.0), 1.0);
    *along = Dot(Add(p, -1.0, s_limb[0].from), s_limb[0].along);
    return t * t * (3.0 - 2.0 * t);
}
