// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/garment_cuts.h"

#include <math.h>

#define PI 3.14159265358979323846

static const double s_middle = -0.012; // where front and back meet on the shoulders
static const double s_depth = 0.102;   // of the innermost layer before and behind that; the body goes from -0.09 to 0.08
static const double s_radius = 0.085;  // of the sides where it is wide
static const double s_above = 0.866;   // height of the innermost layer where it bends over the shoulders

double wfLayerDistance(double height, double edge) {
    const double least = 0.007, edges = 1.65;
    return fmax(least, edges * fmin(edge / height, wf_longestEdge));
}

wfGarmentPlace wfHangPlace(const wfBodiceCut* cut, int side, double out) {
    const double apart = 0.004, round = 0.004; // front and back, at the shoulder seam; what of it is round below the arms
    double bend = cut->top - 0.5 * PI * s_depth + apart;
    return (wfGarmentPlace){.lay = wf_layHang,
                            .middle = s_middle,
                            .depth = side * (s_depth + out),
                            .bend = bend,
                            .lift = s_above - s_depth - bend,
                            .flat = cut->armHalf - round,
                            .radius = s_radius};
}

wfGarmentPlace wfConePlace(const wfSectorCut* cut, int side, double out, int layer, double apart) {
    const double meets = 0.94, most = 0.012; // of half a turn: what a sector goes about the cone; how much higher a layer may begin
    double slope = cut->angle / (meets * PI), waist = cut->waist / cut->angle, depth = fmax(s_depth + out - waist * slope, 0.001);
    // The same cone, higher; what that does not give by a wider one.
    double rise = fmin(apart / slope, most), wider = (apart - rise * slope) / sqrt(1.0 - slope * slope);
    slope += layer * wider / waist;
    double tip = cut->y + waist * sqrt(1.0 - slope * slope) + layer * rise;
    return (wfGarmentPlace){
        .lay = wf_layCone, .middle = s_middle, .depth = side * depth, .origin = {0, tip, 0}, .apex = cut->y + waist, .slope = slope};
}

// From a to b with upright ends.
static void Upright(wfGarment* g, bool first, double ax, double ay, double bx, double by) {
    double third = (by - ay) / 3.0;
    if (first) {
        wfGarment_Curve(g, ax, ay + third, bx, by - third, bx, by);
    } else {
        wfGarment_More(g, ax, ay + third, bx, by - third, bx, by);
    }
}

// Side is 1 upwards on the right, -1 downwards on the left.
static void CutSide(wfGarment* g, const wfBodiceCut* c, int side) {
    double x[4], y[4];
    int count = 0;
    x[count] = c->hemHalf;
    y[count++] = c->hemY;
    if (c->hipY > c->hemY) {
        x[count] = c->hipHalf;
        y[count++] = c->hipY;
    }
    if (c->waistY > c->hemY) {
        x[count] = c->waistHalf;
        y[count++] = c->waistY;
    }
    x[count] = c->armHalf;
    y[count++] = c->armY;
    for (int k = 0; k + 1 < count; ++k) {
        int a = side > 0 ? k : count - 1 - k, b = side > 0 ? k + 1 : count - 2 - k;
        if ((a == 0 || b == 0) && count > 2) { // straight toward the hem, upright at the hip
            double hx = x[1], hy = y[1], dx = (x[0] - hx) / 3.0, dy = (y[0] - hy) / 3.0;
            if (side > 0) {
                wfGarment_Curve(g, x[0] - dx, y[0] - dy, hx, hy + dy, hx, hy);
            } else {
                wfGarment_More(g, -hx, hy + dy, -x[0] + dx, y[0] - dy, -x[0], y[0]);
            }
        } else {
            Upright(g, k == 0, side * x[a], y[a], side * x[b], y[b]);
        }
    }
}

int wfCutBodice(wfGarment* g, wfGarmentPlace place, const wfBodiceCut* c) {
    int panel = wfGarment_Panel(g, place, -c->hemHalf, c->hemY);
    double tip = c->top - c->slope, neck = c->top - c->neckDepth, in = fmin(c->shoulderHalf, c->armHalf) - 0.016, up = tip - c->armY;
    wfGarment_Curve(g, -0.5 * c->hemHalf, c->hemY - 1.33 * c->hemDip, 0.5 * c->hemHalf, c->hemY - 1.33 * c->hemDip, c->hemHalf, c->hemY);
    CutSide(g, c, 1);
    wfGarment_Curve(g, 0.5 * (c->armHalf + in), c->armY, in, c->armY + 0.3 * up, c->shoulderHalf, tip);
    wfGarment_Line(g, c->neckHalf, c->top);
    wfGarment_Curve(g, c->neckHalf, c->top - 0.6 * c->neckDepth, 0.55 * c->neckHalf, neck, 0.0, neck);
    wfGarment_Curve(g, -0.55 * c->neckHalf, neck, -c->neckHalf, c->top - 0.6 * c->neckDepth, -c->neckHalf, c->top);
    wfGarment_Line(g, -c->shoulderHalf, tip);
    wfGarment_Curve(g, -in, c->armY + 0.3 * up, -0.5 * (c->armHalf + in), c->armY, -c->armHalf, c->armY);
    CutSide(g, c, -1);
    return panel;
}

static void SewBoth(wfGarment* g, int front, int back, int right, int left) {
    wfGarment_Sew(g, (wfGarmentEdge){front, right}, (wfGarmentEdge){back, left}, false);
    wfGarment_Sew(g, (wfGarmentEdge){front, left}, (wfGarmentEdge){back, right}, false);
}

void wfSewBodice(wfGarment* g, int front, int back) {
    SewBoth(g, front, back, wf_bodiceSideRight, wf_bodiceSideLeft);
    SewBoth(g, front, back, wf_bodiceShoulderRight, wf_bodiceShoulderLeft);
}

// An arc about (0, apex) from one angle to another, in pieces that cubics follow to 1e-5 of the radius. Angles are from straight down.
static void Arc(wfGarment* g, double apex, double radius, double from, double to) {
    int pieces = 1 + (int)(fabs(to - from) / (0.25 * PI));
    double step = (to - from) / pieces, handle = radius * 4.0 / 3.0 * tan(0.25 * step);
    for (int k = 0; k < pieces; ++k) {
        double a = from + k * step, b = from + (k + 1) * step;
        double ax = radius * sin(a), ay = apex - radius * cos(a), bx = radius * sin(b), by = apex - radius * cos(b);
        if (k == 0) {
            wfGarment_Curve(g, ax + handle * cos(a), ay + handle * sin(a), bx - handle * cos(b), by - handle * sin(b), bx, by);
        } else {
            wfGarment_More(g, ax + handle * cos(a), ay + handle * sin(a), bx - handle * cos(b), by - handle * sin(b), bx, by);
        }
    }
}

int wfCutSector(wfGarment* g, wfGarmentPlace place, const wfSectorCut* cut) {
    double inner = cut->waist / cut->angle, outer = inner + cut->length, apex = cut->y + inner, half = 0.5 * cut->angle;
    double line = inner + cut->line, lineX = line * sin(half), lineY = apex - line * cos(half);
    int panel = wfGarment_Panel(g, place, -outer * sin(half), apex - outer * cos(half));
    Arc(g, apex, outer, -half, half);
    if (cut->line > 0.0) wfGarment_Line(g, lineX, lineY);
    wfGarment_Line(g, inner * sin(half), apex - inner * cos(half));
    Arc(g, apex, inner, half, -half);
    if (cut->line > 0.0) wfGarment_Line(g, -lineX, lineY);
    wfGarment_Line(g, -outer * sin(half), apex - outer * cos(half));
    if (cut->line > 0.0) {
        wfGarment_Crease(g, lineX, lineY);
        Arc(g, apex, line, half, -half);
    }
    return panel;
}

void wfSewSectors(wfGarment* g, int front, int back, bool lined) {
    if (lined) {
        SewBoth(g, front, back, wf_linedYokeRight, wf_linedYokeLeft);
        SewBoth(g, front, back, wf_linedSideRight, wf_linedSideLeft);
    } else {
        SewBoth(g, front, back, wf_sectorSideRight, wf_sectorSideLeft);
    }
}
