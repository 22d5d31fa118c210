// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// A triangulation of the plane that is changed as long as that makes its edges more equal.
//
// An edge of length l costs (l^2 / e^2)^k + (e^2 / l^2)^k - 2: nothing at the length e that is wanted; and for large k only the longest and
// the shortest edges count, by their ratio to e alike, so that the sum of all costs falls as the ratio of shortest to longest rises. (A
// fixed step along the gradient of longest - shortest, as in the paper, moves two edges at a time.) Every change must lower the sum: a
// vertex moved by a Newton step, an edge flipped; and an edge collapsed, split or flipped, with its neighbourhood moved and flipped after
// it, which is taken back where it did not lower the sum. One thread, in a fixed order: the same result everywhere.

#include "mesh/mesh.h"

typedef struct wfUndo {
    int* place; // NULL: a vertex
    int value;  // what was there, or the vertex
    double x[2], share;
} wfUndo;

/// A curve along which vertices may go: followed in straight pieces, from the share 0 to 1.
typedef struct wfRail {
    const wfVec2* points;
    const double* shares; // increasing
    int count;            // at least 2
} wfRail;

typedef enum wfRelaxHold { wf_relaxFree, wf_relaxFixed, wf_relaxRides } wfRelaxHold;

/// By its sides, see mesh/sides.h. A triangle that is gone has corner -1; a vertex that is gone, or in no triangle, has sideOf -1.
/// A vertex that rides goes along a rail only, and all that are mates, as those of a seam, keep the same share of theirs. Fill hold, and of
/// riders rail, share and mate; vertices are free where nothing is said.
typedef struct wfRelax {
    double (*x)[2];
    int vertexCount, vertexCapacity;
    uint8_t* hold; // wfRelaxHold, per vertex
    wfRail* rail;
    double* share;
    int* mate; // the next one, in a ring; itself where it has none
    int *corner, *twin, *kept, *sideOf;
    int triangleCount, triangleCapacity;
    double target; // e^2
    int doublings; // k = 2^doublings
    double need;   // by how much a change of the mesh must lower the cost
    bool* tired;   // per vertex: the caller's; cleared about every change of the mesh
    int tries;     // changes that have been tried

    bool recording;
    wfUndo* undo;
    int undoCount;
    bool* awake; // per vertex: something about it has changed
    int* stamp;  // per vertex: the time it was last near
    int time;
} wfRelax;

typedef enum wfRelaxChange { wf_relaxCollapse, wf_relaxSplit, wf_relaxFlip, wf_relaxChangeCount } wfRelaxChange;
enum { wf_maxRing = 32, wf_maxNear = 512, wf_maxMates = 64 }; // with more mates a vertex stays where it is

/// Room for a mesh that the caller fills.
bool wfRelax_Create(wfRelax* relax, int vertexCount, int triangleCount, wfArena* arena, wfError* err);

/// The straight piece of a rail at a share, and how far along it that is, 0 to 1.
int wfRail_Find(const wfRail* rail, double share, double* along);
void wfRail_At(const wfRail* rail, double share, double out[2]);

double wfRelax_LengthSq(const wfRelax* relax, int a, int b);
double wfRelax_Cost(const wfRelax* relax, double lengthSq);

/// The squared lengths of the shortest and the longest edge.
void wfRelax_Extremes(const wfRelax* relax, double* lo, double* hi);

/// Moves and flips with ever larger k, and between that changes the mesh where edges are worst. `rounds`: how many of these rounds, from
/// the last; a mesh that has been through all of them needs fewer.
bool wfRelax_Optimise(wfRelax* relax, int rounds, wfArena* arena, wfError* err);

/// Moves every vertex and looks at every edge that many times, but for those about which nothing has changed since.
void wfRelax_Sweep(wfRelax* relax, int sweeps);

/// Tries a change at a side; it collapses into its end. Returns whether it was kept.
bool wfRelax_Try(wfRelax* relax, int side, wfRelaxChange change);

/// Vertices within `depth` edges of v, v first; at most wf_maxNear. Returns how many.
int wfRelax_Around(wfRelax* relax, int v, int depth, int* out);
/// Sides that start at v, at most wf_maxRing. Returns how many.
int wfRelax_SidesOf(const wfRelax* relax, int v, int* out);
