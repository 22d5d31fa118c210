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
// edges at fault there: together they then never overshoot (mass splitting), and no mesh makes the sweeps diverge.
// Neither kind of sweep is certain to reach its limit: held vertices may pull an edge apart, and what a row of edges has too much travels
// one edge a Jacobi sweep.

#include "mesh/model.h"

typedef struct wfLimits {
    wfBuffer start, other, rest; // the edges of each vertex: the vertex across, and the rest length [m]
    wfBuffer edges;              // both vertices of each edge, by colour; edges of one colour have no vertex in common
    wfBuffer faults;             // float a vertex: how many of its edges are at fault
    wfBuffer next;               // wfVec4: the velocities of the next sweep
    int* colorStart;             // host, colorCount + 1
    int colorCount;
    wfArena arena;
} wfLimits;

wfLimits wfMakeLimits(void);
/// Needs model->topology.
bool wfLimits_Create(wfLimits* limits, wfDevice* device, const wfModel* model, wfError* err);
void wfLimits_Free(wfLimits* limits, wfDevice* device);

/// Both change state->v, read state->x (positions at the beginning of the step) and state->target, do not wait and may be recorded.
void wfLimits_Strain(wfLimits* limits, wfDevice* device, wfState* state, float dt, float limit, int sweeps);
void wfLimits_Rate(wfLimits* limits, wfDevice* device, wfState* state, float dt, float limit, int sweeps);
