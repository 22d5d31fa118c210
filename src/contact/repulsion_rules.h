// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The constraints of safe repulsion (Wu, Wu, Yang and Wang 2020, sections 3 and 4). If every edge of a mesh is at most L long and every two
// vertices that are no neighbours are at least B = L / sqrt(2) apart, nothing intersects. In discrete states pairs are kept a little
// farther apart, B + Bt, and no vertex goes farther than sqrt((B + Bt)² - B²) in an update: then pairs stay B apart on the straight way
// too.
//
// Where a load stretches edges beyond L, samples on them take the place of vertices (repulsion_samples.h).
//
// Vertices within two edges of each other are no such pairs: at rest they are nearer. So the theorem says nothing of triangles that have
// corners within two edges of each other, and the paper leaves them to bending. Here these vertices repel each other, too, where
// the cloth between them is folded by more than a right angle, and such triangles are tested for intersections themselves
// (repulsion_fold_kernels.c): a block in which one is found is taken back as where a constraint fails.
//
// All lengths are those of the paper times the mean edge of the mesh over its 4.2 mm.

#include "math/vec.h"

typedef struct wfRepulsionRules {
    float mean;         // [m] mean edge
    float most, mostSq; // L: of an edge
    float acceptSq;     // what an edge may be where a state is judged: L², or more where samples are on it
    float adaptSq;      // L_ada²: where an edge gets samples
    float leastSq;      // B²: of a pair, at all times
    float pairSq;       // (B + Bt)²: of a pair, in every state
    float slack, cond;  // [m²] where repulsion begins above pairSq; what the soft phase must leave
    float step, lone;   // D: how far a vertex may go toward the dynamics in a round; the same of one on which no other acts
    float stride;       // how far it may go in a round in all
    float body;         // distance to bodies, so that triangles do not cut their edges
    float push;         // weight of a pair's penalty
    // Rows of pairs: near ones are found by the grid once in a block of rounds, active ones are picked from these every few rounds.
    float activeSq, edgeSq;     // what is picked: pairs below, edges above
    float activeMove, nearMove; // how far a vertex may have gone since, for the rows to be complete
    float drift;                // at the start of a step: how far a vertex may leave the smooth motion in a round
} wfRepulsionRules;

typedef enum wfRepulsionKind { wf_repelPair, wf_repelEdge, wf_repelRing } wfRepulsionKind;

WF_FN wfRepulsionRules wfMakeRepulsionRules(float meanEdge) {
    float mm = meanEdge / 4.2f; // what is a millimetre in the paper
    wfRepulsionRules r;
    r.mean = meanEdge;
    r.most = 6.0f * 1.41421356f * mm;
    r.mostSq = 72.0f * mm * mm;
    r.acceptSq = r.mostSq;
    r.adaptSq = 6.5f * 6.5f * mm * mm;
    r.leastSq = 36.0f * mm * mm;
    r.pairSq = 6.5f * 6.5f * mm * mm;
    r.slack = 21.75f * mm * mm;
    r.cond = 0.01f * mm * mm;
    r.step = 0.25f * mm;
    r.lone = 0.33f * mm; // in three rounds as far as active rows are good for, in nine as far as near ones
    r.stride = 2.5f * mm;
    r.body = 3.0f * mm;
    r.push = 0.1f;
    r.activeSq = 8.75f * 8.75f * mm * mm;
    r.edgeSq = 5.5f * 5.5f * mm * mm;
    r.activeMove = 1.1f * mm;
    r.nearMove = 3.2f * mm;
    r.drift = 1.8f * mm;
    return r;
}

// Of pairs two edges apart, in shares of the square of their distance on the flat cloth: where they begin to repel each other (0.8 of
// the distance: folded by 74 degrees), where they do so with full weight (0.5: by 120), and below which the triangles about them are looked
// at.
static const float wfRingBegin = 0.64f, wfRingLeast = 0.25f, wfRingTight = 0.81f;
/// How near triangles within two edges may come, of the mean edge: what the soft phase must leave, and what the hard phase must.
static const float wfFoldGap = 0.02f, wfFoldLeast = 0.002f;

/// How far the grid looks: pairs within 8.75 mm are picked after vertices have gone as far as they may.
WF_FN float wfRepulsion_Reach(const wfRepulsionRules* r) { return sqrtf(r->activeSq) + 2.0f * r->nearMove; }

/// A constraint of a pair or an edge, at least 0 where it holds; d is the difference of the two vertices.
WF_FN float wfRepulsion_Constraint(const wfRepulsionRules* r, int kind, wfVec3 d) {
    float sq = wfLengthSq(d);
    return kind == wf_repelEdge ? r->mostSq - sq : sq - r->pairSq;
}

/// The same as a state is judged by it.
WF_FN float wfRepulsion_Condition(const wfRepulsionRules* r, int kind, wfVec3 d) {
    float sq = wfLengthSq(d);
    return kind == wf_repelEdge ? r->acceptSq - sq : sq - r->pairSq;
}

/// The least of |(1 - t) a + t b|² for t in [0, 1].
WF_FN float wfRepulsion_NearestSq(wfVec3 a, wfVec3 b) {
    wfVec3 way = wfSub(b, a);
    float sq = wfLengthSq(way), t = sq > 0.0f ? wfClamp(-wfDot(a, way) / sq, 0.0f, 1.0f) : 0.0f;
    return wfLengthSq(wfMulAdd(a, t, way));
}

/// The barrier's f of the hard phase (equations 16 and 17), and its derivative: x near 0, e above e, once continuously differentiable.
WF_FN float wfRepulsion_Barrier(float x, float e, float* slope) {
    if (x >= e) {
        *slope = 0.0f;
        return e;
    }
    if (x <= 0.0f) {
        *slope = 1.0f;
        return x;
    }
    float u = x / e; // f = e (u + u² - u³): f(0) = 0, f'(0) = 1, f(e) = e, f'(e) = 0
    *slope = 1.0f + u * (2.0f - 3.0f * u);
    return e * u * (1.0f + u * (1.0f - u));
}
