// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Adaptive samples of safe repulsion (Wu et al. 2020, section 6.2): points on triangles that keep their distance as vertices do, so that
// edges may be longer than L where a load stretches them. Candidates are those of two subdivisions of a triangle: the middle of an edge,
// the middles of its halves, and of each segment between the middles of two edges its own middle. They are switched on where an edge, half
// of it, or that segment, which is half of the third edge, is longer than L_ada, and stay on until the step ends.
//
// Why it is safe. A triangle is cut at its samples, of which only those count that it needs: the middle of an edge longer than L, and
// quarters and inner ones where half of an edge is. Edges of this cut, by how many edges of the triangle are longer than L:
//
//   none   its own edges.
//   one    both halves, and the median to the middle, which is no longer than the mean of the two other edges. They are at most L, so the
//          one is at most 2 L: it needs no quarters.
//   two    four halves; the segment between the middles, half of the third edge; and one diagonal of what is left, a trapezoid. The
//          diagonal can be as long as 1.23 L: the shorter one is asked to be at most L, and neither edge to be longer than 2 L.
//   three  six halves, and three segments of half an edge: four triangles like the whole, half as large. Where an edge is longer than 2 L
//          each of the four is cut in turn as above, at quarters and at inner samples: the edge that is halved there is the same in all
//          four, so that looking at one of them is enough. Edges longer than 4 L are refused.
//
// So all edges of the cut are at most L. Of an edge and a triangle none of whose vertices are within two edges of each other, all
// vertices and samples of one are B + Bt from all of the other. Were they to meet in a point, one end of the piece of the edge and one
// corner of the piece of the triangle would be no farther apart than sqrt(1/4 + 1/3) L = 0.764 L < B + Bt = 0.766 L. On the straight way
// between two states that hold, samples go no farther than vertices do, whose means they are, so they stay B apart, too. What meets first
// on the way are two edges, whose pieces are at most L long, or a vertex and a triangle, whose points are no farther than 0.64 L from
// one of its samples, diagonals of 1.23 L included: both are nearer than B = 0.707 L.
//
// Samples of one edge or triangle and vertices or samples of another are no pairs where any vertices of the two are within two edges of
// each other. These triangles are tested themselves (repulsion_fold_kernels.c), however long their edges are.
//
// In the soft phase samples push as vertices do, from L_ada on; edges keep their own limit there. That they may be longer is a matter of
// what is accepted, in both phases.

#include "contact/repulsion_rules.h"

/// A point of a triangle, or of an edge where the third weight is 0; v[2] is then v[0]. The edge from v[0] to v[1] is the one that decides
/// whether the sample counts: its own, or that which its segment is half of.
typedef struct wfRepulsionSample {
    WF_ALIGN(16) int v[3];
    int weights; // of the three, in quarters: four bits each
} wfRepulsionSample;

WF_FN wfRepulsionSample wfMakeRepulsionSample(int a, int b, int c, int wa, int wb, int wc) {
    wfRepulsionSample s;
    s.v[0] = a;
    s.v[1] = b;
    s.v[2] = c;
    s.weights = wa | wb << 4 | wc << 8;
    return s;
}

WF_FN int wfSample_Weight(const wfRepulsionSample* s, int corner) { return s->weights >> (4 * corner) & 15; }
/// Vertices that it is part of.
WF_FN int wfSample_Corners(const wfRepulsionSample* s) { return wfSample_Weight(s, 2) > 0 ? 3 : 2; }

WF_FN wfVec3 wfSample_At(const wfRepulsionSample* s, const wfVec4* x) {
    wfVec3 p = wfScale(wfXyz(x[s->v[0]]), 0.25f * (float)wfSample_Weight(s, 0));
    p = wfMulAdd(p, 0.25f * (float)wfSample_Weight(s, 1), wfXyz(x[s->v[1]]));
    return wfMulAdd(p, 0.25f * (float)wfSample_Weight(s, 2), wfXyz(x[s->v[2]]));
}

/// How many times an edge of this length is halved by samples.
WF_FN int wfSample_Level(const wfRepulsionRules* r, float lengthSq) {
    return lengthSq > 4.0f * r->adaptSq ? 2 : lengthSq > r->adaptSq ? 1 : 0;
}

/// Whether it counts at x. Quarters and inner ones do where half of the edge is longer than L.
WF_FN bool wfSample_Counts(const wfRepulsionRules* r, float cond, const wfRepulsionSample* s, const wfVec4* x) {
    float most = (s->weights == 0x22 ? 1.0f : 4.0f) * (r->mostSq - cond);
    return !(wfLengthSq(wfSub(wfXyz(x[s->v[0]]), wfXyz(x[s->v[1]]))) <= most);
}

/// Of a triangle whose two edges a and b are halved, the third, c, is not: the shorter diagonal of what is left; all squared.
WF_FN float wfSample_DiagonalSq(float a, float b, float c) { return 0.25f * fminf(2.0f * b + 2.0f * c - a, 2.0f * a + 2.0f * c - b); }

/// Whether a triangle with these squared edges is cut by its samples into triangles with no edge longer than `most`, which is squared, too.
WF_FN bool wfSample_IsCut(float most, const float* sq, const int* levels) {
    int once = 0, twice = 0;
    bool holds = true;
    for (int k = 0; k < 3; ++k) {
        int halved = sq[k] <= most ? 0 : sq[k] <= 4.0f * most ? 1 : 2;
        holds = holds && sq[k] <= 16.0f * most && halved <= levels[k];
        once += halved > 0;
        twice += halved > 1;
    }
    if (!holds || once == 0) return holds;
    float a = fmaxf(sq[0], fmaxf(sq[1], sq[2])), c = fminf(sq[0], fminf(sq[1], sq[2]));
    float b = fmaxf(fminf(sq[0], sq[1]), fminf(fmaxf(sq[0], sq[1]), sq[2]));
    if (once < 3) return twice == 0 && (once == 1 || wfSample_DiagonalSq(a, b, c) <= most);
    return twice != 2 || 0.25f * wfSample_DiagonalSq(a, b, c) <= most;
}
