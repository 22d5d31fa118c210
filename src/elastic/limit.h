// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Limits on how far and how fast the edges of a mesh stretch and shrink (Provot 1995, on velocities as in Bridson et al. 2002, section 4).
// With r = x_b - x_a at the beginning of a step and u = v_b - v_a, an edge ends the step with the length |r + dt u|:
//   strain  that length stays within `limit` of the edge's rest length, by Jacobi sweeps
//   rate    that length stays within `limit` of the edge's length now, |r|, by Gauss–Seidel sweeps, one launch a colour of edges
// What is too long or too short gets an impulse on both ends, equal and opposite and along r: so linear and angular momentum (about
// positions at the beginning of the step) stay what they were. Held vertices (target.w < 0) have infinite mass.
//
// All edges of a vertex answer at once in a Jacobi sweep. Each is given a share of the vertex's mass, the mass divided by the number of
// edges at work there: together they then do not overshoot (mass splitting). An edge keeps the sum of its impulses, which may pull or
// push but never against its limit: sweeps then find the least change of velocities (with
// Nesterov's acceleration: each goes on a little in the direction of the last change), and a cloth that hangs on a few edges need not find
// the impulses that hold it anew, the next step begins with those of the last.
// Neither kind of sweep is certain to reach its limit: held vertices may pull an edge apart, and what a row of edges has too much travels
// one edge a Jacobi sweep.

#include "mesh/model.h"

typedef struct wfLimits {
    wfBuffer edges;                   // wfLimitEdge, by colour; edges of one colour have no vertex in common
    wfBuffer impulses, last;          // float an edge: positive pushes its ends apart [N s]; those of the sweep before
    wfBuffer start, other, edgeItems; // the edges of each vertex: the vertex across, and which edge it is
    wfBuffer busy;                    // float a vertex: how many of its edges are at work
    wfBuffer given;                   // wfVec4: the velocities to be limited
    int* colorStart;                  // host, colorCount + 1
    int colorCount, edgeCount;
    wfArena arena;
} wfLimits;

wfLimits wfMakeLimits(void);
/// Needs model->topology.
bool wfLimits_Create(wfLimits* limits, wfDevice* device, const wfModel* model, wfError* err);
void wfLimits_Free(wfLimits* limits, wfDevice* device);

/// Forgets the impulses of the strain limit: the next sweeps begin from none.
void wfLimits_Reset(wfLimits* limits, wfDevice* device);
/// Both change state->v, read state->x (positions at the beginning of the step) and state->target, do not wait and may be recorded.
void wfLimits_Strain(wfLimits* limits, wfDevice* device, wfState* state, float dt, float limit, int sweeps);
void wfLimits_Rate(wfLimits* limits, wfDevice* device, wfState* state, float dt, float limit, int sweeps);
