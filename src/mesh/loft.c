// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/loft.h"

#include <math.h>

typedef wfFieldPoint Vector;

static Vector Add(Vector a, double t, Vector b) { return (Vector){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z}; }
static double Dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static double SlopeAt(double before, double after) { return before * after <= 0.0 ? 0.0 : 2.0 * before * after / (before + after); }

static double Cubic(double t, double length, double a, double b, double slopeA, double slopeB) {
    double s = t * t * (3.0 - 2.0 * t);
    return a + s * (b - a) + length * t * (1.0 - t) * ((1.0 - t) * slopeA - t * slopeB);
}

static double ShapeOf(const wfLoftKnot* k, int c) { return c == 0 ? k->u : c == 1 ? k->w : k->off; }

// The knot at a place between others: cubics that never go beyond what they join.
static wfLoftKnot KnotAt(const wfLoft* part, double at) {
    const wfLoftKnot* k = part->knots;
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
    return (wfLoftKnot){at, shape[0], shape[1], shape[2]};
}

static double PartField(const wfLoft* part, Vector p) {
    Vector d = Add(p, -1.0, part->from);
    double at = Dot(d, part->along), last = part->knots[part->count - 1].at;
    wfLoftKnot k = KnotAt(part, at);
    double over = at < part->knots[0].at ? at - part->knots[0].at : at > last ? at - last : 0.0;
    double cap = over < 0.0 ? part->cap[0] : part->cap[1], x = Dot(d, part->u) / k.u, y = over / cap, z = (Dot(d, part->w) - k.off) / k.w;
    double k0 = sqrt(x * x + y * y + z * z), k1 = sqrt(x * x / (k.u * k.u) + y * y / (cap * cap) + z * z / (k.w * k.w));
    return k1 < 1e-12 ? -fmin(k.u, k.w) : k0 * (k0 - 1.0) / k1;
}

static bool IsFar(const wfLoft* part, Vector p, double limit) {
    Vector d = Add(p, -1.0, part->from);
    double at = fmin(fmax(Dot(d, part->along), part->knots[0].at), part->knots[part->count - 1].at);
    d = Add(d, -at, part->along);
    return Dot(d, d) > (limit + part->reach) * (limit + part->reach);
}

double wfUniteLofts(double f, const wfLoft* parts, int count, Vector p) {
    for (int i = 0; i < count; ++i) {
        if (IsFar(&parts[i], p, fmax(2.0 * f, 0.0) + parts[i].blend)) continue;
        double own = PartField(&parts[i], p), mix = fmax(parts[i].blend - fabs(f - own), 0.0);
        f = fmin(f, own) - (mix > 0.0 ? mix * mix / (4.0 * parts[i].blend) : 0.0);
    }
    return f;
}

Vector wfMirrorField(Vector p, double middle) { return (Vector){sqrt(p.x * p.x + middle * middle) - middle, p.y, p.z}; }
