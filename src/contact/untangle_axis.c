// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/untangle_inside.h"

// Which way the surfaces of a contour go apart as a whole. Where one pokes through the other the normals along the contour agree on it.
// Where two bodies pass right through each other, as the strands of a flat knot, they point everywhere, and what is inside cannot go out by
// the nearest way: it would go out on all sides. Then both go as a whole, along the direction that their normals have most in common.

static const double leastAgreement = 0.3, leastLead = 1.15, undecided = 0.1;

wfVec3D wfUntangler_Along(const wfUntangler* u, const wfContour* c, int at, int on) {
    const wfStop* stops = u->contours->stops + c->firstStop;
    int to = at + on;
    if (c->closed) to = (to + c->stopCount) % c->stopCount;
    wfVec3D here = u->crossings->items[stops[at].crossing].point;
    if (to >= 0 && to < c->stopCount) return wfSubD(u->crossings->items[stops[to].crossing].point, here);
    int loop = c->loop[to < 0 ? 0 : 1];
    return loop >= 0 ? wfSubD(wfUntangler_At(u, loop), here) : wfMake3D(0.0, 0.0, 0.0);
}

int wfUntangler_LegalSide(const wfUntangler* u, const wfCrossing* c, int illegalColor, int* illegalEnd) {
    const int* v = u->topology.edges[c->edge].v;
    int a = u->color[v[0]], b = u->color[v[1]];
    if (a < 0 || a > 1 || b != 1 - a) return 0;
    *illegalEnd = a == illegalColor ? v[0] : v[1];
    int legalEnd = a == illegalColor ? v[1] : v[0];
    double along = wfDotD(wfUntangler_Normal(u, c->face), wfSubD(wfUntangler_At(u, legalEnd), wfUntangler_At(u, *illegalEnd)));
    return along > 0.0 ? 1 : along < 0.0 ? -1 : 0;
}

void wfUntangler_AddAxis(wfUntangler* u, const wfCurve* curves, int count, const wfFlood* flood) {
    for (int i = 0; i < count; ++i) {
        const wfContour* c = &u->contours->items[curves[i].contour];
        wfAxis* axis = &u->axes[curves[i].contour];
        for (int k = 0; k < c->stopCount && !c->single; ++k) {
            const wfStop* stop = &u->contours->stops[c->firstStop + k];
            if (!(curves[i].strands >> stop->strand & 1)) continue;
            const wfCrossing* crossing = &u->crossings->items[stop->crossing];
            int illegalEnd, side = wfUntangler_LegalSide(u, crossing, flood->illegal, &illegalEnd);
            if (side == 0) continue;
            wfVec3D n = wfUntangler_Normal(u, crossing->face);
            // A piece of the contour counts by its length, not by the number of crossings that happen to be on it.
            double length = 0.5 * (wfLengthD(wfUntangler_Along(u, c, k, -1)) + wfLengthD(wfUntangler_Along(u, c, k, 1)));
            axis->sum = wfMulAddD(axis->sum, stop->strand == 0 ? side * length : -side * length, n);
            axis->weight += length;
        }
    }
}

static bool Agrees(const wfAxis* axis) {
    double length = wfLengthD(axis->sum);
    return length > leastAgreement * axis->weight && length > 0.0;
}

wfVec3D wfUntangler_AxisOf(const wfUntangler* u, int contour, int strand) {
    const wfAxis* axis = &u->axes[contour];
    double length = wfLengthD(axis->sum);
    if (!Agrees(axis)) return strand == 0 ? axis->apart : wfScaleD(axis->apart, -1.0);
    return wfScaleD(axis->sum, (strand == 0 ? 1.0 : -1.0) / length);
}

/// The direction that a sum of squares of unit vectors is longest in, unit; zero where none leads.
static wfVec3D LongestOf(const double m[3][3]) {
    wfVec3D best = {0.0, 0.0, 0.0};
    double value = 0.0, trace = m[0][0] + m[1][1] + m[2][2];
    for (int start = 0; start < 3; ++start) {
        wfVec3D v = {start == 0, start == 1, start == 2};
        double length = 0.0;
        for (int i = 0; i < 100; ++i) {
            wfVec3D w = {m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z, m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
                         m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z};
            length = wfLengthD(w);
            if (!(length > 0.0)) break;
            v = wfScaleD(w, 1.0 / length);
        }
        if (length > value * (1.0 + 1e-9)) {
            value = length;
            best = v;
        }
    }
    return value > leastLead * 0.5 * (trace - value) ? best : wfMake3D(0.0, 0.0, 0.0);
}

/// The normal at a crossing of the surface whose edge it is.
static wfVec3D EdgeNormal(const wfUntangler* u, int edge) {
    const int* t = u->topology.edges[edge].triangle;
    wfVec3D sum = wfUntangler_Normal(u, t[0]);
    if (t[1] >= 0) sum = wfAddD(sum, wfUntangler_Normal(u, t[1]));
    double length = wfLengthD(sum);
    return length > 0.0 ? wfScaleD(sum, 1.0 / length) : sum;
}

void wfUntangler_FindApart(wfUntangler* u, int contour) {
    const wfContour* c = &u->contours->items[contour];
    wfAxis* axis = &u->axes[contour];
    if (c->single || !c->closed || Agrees(axis)) return;
    double m[3][3] = {{0}}, weight = 0.0, index[2] = {0.0, 0.0};
    wfVec3D sum[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    int edges[2] = {0, 0};
    for (int k = 0; k < c->stopCount; ++k) {
        const wfStop* stop = &u->contours->stops[c->firstStop + k];
        const wfCrossing* crossing = &u->crossings->items[stop->crossing];
        double length = 0.5 * (wfLengthD(wfUntangler_Along(u, c, k, -1)) + wfLengthD(wfUntangler_Along(u, c, k, 1)));
        wfVec3D n[2] = {EdgeNormal(u, crossing->edge), wfUntangler_Normal(u, crossing->face)};
        const int* v = u->topology.edges[crossing->edge].v;
        for (int i = 0; i < 2; ++i) {
            int strand = i == 0 ? stop->strand : 1 - stop->strand;
            double p[3] = {n[i].x, n[i].y, n[i].z};
            for (int row = 0; row < 3; ++row)
                for (int column = 0; column < 3; ++column) m[row][column] += length * p[row] * p[column];
            int piece = u->topology.component[i == 0 ? v[0] : u->topology.triangles[crossing->face].v[0]];
            sum[strand] = wfMulAddD(sum[strand], length * u->solid[piece], n[i]);
        }
        weight += length;
        index[stop->strand] += v[0];
        edges[stop->strand] += 1;
    }
    wfVec3D d = LongestOf(m);
    // The contour is on the side of each body where the other one is.
    double above = wfDotD(d, wfSubD(sum[1], sum[0]));
    if (fabs(above) < undecided * weight) { // one in the middle of the other: all contours between them must say the same
        double largest = fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z)));
        double sign = largest == fabs(d.y) ? d.y : largest == fabs(d.x) ? d.x : d.z;
        bool firstIsFirst = edges[0] == 0 || edges[1] == 0 ? edges[0] > 0 : index[0] / edges[0] <= index[1] / edges[1];
        above = firstIsFirst ? sign : -sign;
    }
    axis->apart = wfScaleD(d, above >= 0.0 ? 1.0 : -1.0);
}
