// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/generate_shapes.h"

#include "mesh/garment.h"

#include <math.h>

// A tie, knotted loosely: from the narrow end through the knot, about the neck, through the knot again and over it to the wide end. In the
// knot the two strands wind about each other one and a half turns, on a cylinder that lies across the throat; that is an overhand knot, and
// pulling at the ends tightens it. Along a helix on a cylinder and about the neck a ribbon is not stretched.

#define PI 3.14159265358979323846

typedef struct Vector {
    double x, y, z;
} Vector;

static Vector Add(Vector a, double t, Vector b) { return (Vector){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z}; }
static double Dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static Vector Unit(Vector a) { return Add((Vector){0, 0, 0}, 1.0 / sqrt(Dot(a, a)), a); }
static Vector Cross(Vector a, Vector b) { return (Vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

static const double s_half = 0.075, s_radius = 0.018, s_turns = 3.0 * PI; // of the knot: half its width
static const Vector s_knot = {0.0, 0.808, 0.108};
static const double s_ring = 0.062;
static const Vector s_neck = {0.0, 0.857, -0.005};
static const double s_leave = 0.020;                      // radius of the bend behind the knot
static const double s_arch = 0.022;                       // radius of the bend over the knot
static const double s_narrowEnd = 0.15, s_wideEnd = 0.26; // how far they hang

// A place of the middle line, and which way the ribbon faces.
typedef struct Frame {
    Vector at, normal;
} Frame;

// Both strands of the knot: `strand` 0 goes in at the left, 1 at the right; t from 0, where it comes from the neck, to 1.
static Frame KnotFrame(int strand, double t) {
    double across = strand == 0 ? t : 1.0 - t, angle = -0.5 * PI + s_turns * across + (strand == 0 ? 0.0 : PI);
    Vector out = {0.0, cos(angle), sin(angle)};
    Vector at = Add(s_knot, s_radius, out);
    at.x += (2.0 * across - 1.0) * s_half;
    return (Frame){at, {0.0, -out.y, -out.z}};
}

static Vector KnotDirection(int strand, double t) {
    const double h = 1e-5;
    return Unit(Add(KnotFrame(strand, t + h).at, -1.0, KnotFrame(strand, t - h).at));
}

// About the neck from the left (0) behind it to the right (1), higher behind.
static Frame NeckFrame(double t) {
    double angle = PI * (1.0 - t);
    Vector out = {cos(angle), 0.0, -sin(angle)};
    Vector at = Add(s_neck, s_ring, out);
    at.y += 0.028 * sin(angle);
    return (Frame){at, out};
}

// From where the left strand comes out of the knot, down behind it, a quarter turn backwards.
static Frame LeaveFrame(double t) {
    Frame knot = KnotFrame(0, 0.0);
    Vector up = KnotDirection(0, 0.0), back = {0.0, 0.0, -1.0}, out = {0.0, 0.0, cos(0.5 * PI * t)};
    out = Add(out, -sin(0.5 * PI * t), up);
    return (Frame){Add(Add(knot.at, s_leave, back), s_leave, out), out};
}

// Faces nowhere yet.
static Frame Bridge(Frame a, Vector fromA, Frame b, Vector toB, double t) {
    const double pull = 0.14;

    double s = t * t * (3.0 - 2.0 * t), in = pull * t * (1.0 - t) * (1.0 - t), end = -pull * t * t * (1.0 - t);
    Vector at = Add(a.at, s, Add(b.at, -1.0, a.at));
    return (Frame){Add(Add(at, in, fromA), end, toB), a.normal};
}

enum { Pieces = 9, Over = 7 }; // Over: what follows the knot at the wide end

// The piece of the way from one end of the tie to the other, t from 0 to 1.
static Frame FrameAt(int piece, double t) {
    const Vector back = {0.0, 0.41, -0.91}, forward = {0.0, -0.41, 0.91}, front = {0.0, 0.0, 1.0};
    Frame narrow = KnotFrame(0, 1.0), wide = KnotFrame(1, 1.0);
    Vector up = KnotDirection(1, 1.0), out;
    switch (piece) {
    case 0:
        return (Frame){Add(narrow.at, s_narrowEnd * (1.0 - t), KnotDirection(0, 1.0)), narrow.normal};
    case 1:
        return KnotFrame(0, 1.0 - t);
    case 2:
        return LeaveFrame(t);
    case 3:
        return Bridge(LeaveFrame(1.0), (Vector){0.0, 0.0, -1.0}, NeckFrame(0.0), back, t);
    case 4:
        return NeckFrame(t);
    case 5:
        return Bridge(NeckFrame(1.0), forward, KnotFrame(1, 0.0), KnotDirection(1, 0.0), t);
    case 6:
        return KnotFrame(1, t);
    case Over:
        out = Add((Vector){sin(PI * t) * up.x, sin(PI * t) * up.y, sin(PI * t) * up.z}, -cos(PI * t), front);
        return (Frame){Add(Add(wide.at, s_arch, front), s_arch, out), out};
    default:
        return (Frame){Add(Add(wide.at, 2.0 * s_arch, front), -s_wideEnd * t, up), front};
    }
}

enum { Samples = 400 }; // a piece

// The frames of a bridge face as the first does, carried along without turning about the line; what they are then off at the end is spread
// over the way.
static void TurnBridge(Frame* first, Vector normal) {
    Vector along = {0, 0, 0};
    for (int k = 1; k <= Samples; ++k) {
        along = Unit(Add(first[k].at, -1.0, first[k - 1].at));
        first[k].normal = Unit(Add(first[k - 1].normal, -Dot(first[k - 1].normal, along), along));
    }
    double off = atan2(Dot(Cross(first[Samples].normal, normal), along), Dot(first[Samples].normal, normal));
    for (int k = 1; k <= Samples; ++k) {
        double t = (double)k / Samples, angle = off * t * t * (3.0 - 2.0 * t);
        along = Unit(Add(first[k].at, -1.0, first[k - 1].at));
        Vector n = first[k].normal, m = Cross(along, n);
        first[k].normal =
            (Vector){cos(angle) * n.x + sin(angle) * m.x, cos(angle) * n.y + sin(angle) * m.y, cos(angle) * n.z + sin(angle) * m.z};
    }
}

// Fills the path at equal steps of its length. `between` tells where each piece ends.
static bool MakePath(wfRibbonPath* path, wfArena* arena, double between[Pieces + 1], wfError* err) {
    enum { Count = Pieces * Samples + 1, Steps = 4000 };
    Frame* frames = wfArena_New(arena, Frame, Count, "a tie", err);
    double* length = wfArena_New(arena, double, Count, "a tie", err);
    path->steps = Steps;
    path->places = wfArena_New(arena, wfRibbonPlace, Steps + 1, "a tie", err);
    if (frames == NULL || length == NULL || path->places == NULL) return false;
    for (int k = 0; k < Count; ++k) {
        int piece = k == Count - 1 ? Pieces - 1 : k / Samples;
        frames[k] = FrameAt(piece, (double)(k - piece * Samples) / Samples);
        Vector step = k == 0 ? (Vector){0, 0, 0} : Add(frames[k].at, -1.0, frames[k - 1].at);
        length[k] = k == 0 ? 0.0 : length[k - 1] + sqrt(Dot(step, step));
    }
    TurnBridge(&frames[3 * Samples], NeckFrame(0.0).normal);
    TurnBridge(&frames[5 * Samples], KnotFrame(1, 0.0).normal);
    path->length = length[Count - 1];
    for (int k = 0; k <= Pieces; ++k) between[k] = length[k * Samples];
    for (int i = 0, k = 0; i <= Steps; ++i) {
        double s = path->length * i / Steps;
        while (k + 2 < Count && length[k + 1] < s) ++k;
        double t = (s - length[k]) / (length[k + 1] - length[k]);
        Vector at = Add(frames[k].at, t, Add(frames[k + 1].at, -1.0, frames[k].at));
        Vector along = Unit(Add(frames[k + 1].at, -1.0, frames[k].at));
        Vector across = Unit(Cross(along, Add(frames[k].normal, t, Add(frames[k + 1].normal, -1.0, frames[k].normal))));
        path->places[i] = (wfRibbonPlace){{at.x, at.y, at.z}, {across.x, across.y, across.z}};
    }
    return true;
}

bool wfMakeTie(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    const double narrow = 0.0150, neck = 0.0145, wide = 0.033, point = 0.028;
    wfGarment g = {.name = "tie", .err = err};
    wfArena arena = {0};
    wfRibbonPath path;
    double between[Pieces + 1];
    bool ok = MakePath(&path, &arena, between, err);
    if (ok) {
        double end = path.length, over = between[Over], full = end - 1.6 * point, third = (full - over) / 3.0;
        wfGarment_Panel(&g, (wfGarmentPlace){.lay = wf_layRibbon, .path = &path}, 0.0, 0.0);
        wfGarment_Line(&g, narrow, 0.6 * point);
        wfGarment_Line(&g, neck, over);
        wfGarment_Curve(&g, neck, over + third, wide, full - third, wide, full);
        wfGarment_Line(&g, 0.0, end);
        wfGarment_Line(&g, -wide, full);
        wfGarment_Curve(&g, -wide, full - third, -neck, over + third, -neck, over);
        wfGarment_Line(&g, -narrow, 0.6 * point);
        wfGarment_Line(&g, 0.0, 0.0);
        ok = wfGarment_Finish(&g, out, def->size.y, def->edge, err);
    }
    wfArena_Free(&arena);
    return ok;
}
