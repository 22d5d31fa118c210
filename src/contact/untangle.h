// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Untangling: moves the vertices of meshes that cross until nothing does, without history and without knowing inside from outside. Based
// on: Ye, Nyberg and Xiong, "Fast discrete intersection detection for cloth penetration resolution".
//
// Each round finds the crossings, links them to contours, decides which side of each is on the wrong side of the other surface (the small
// one, unless a closed body or an order of layers says it), and moves that back. The exact test of collide/intersect.h has the last word:
// what touches is pushed apart too. What could not be resolved is left and reported.
//
// Beyond the paper: the step is as long as the depth and no longer; the inside of a region on the wrong side goes through the surface with
// its rim; curves that do not part their surface (several boundaries, loop vertices) take the side that is less deep.

#include "contact/contours.h"

/// The clearance of meshes that something else goes on with: far above rounding, and nothing to be seen.
static const float wf_untangleClearance = 1e-3f;

typedef struct wfUntangleDef {
    int vertexCount, triangleCount;
    const wfTriangle* triangles;
    const bool* fixed;      // per vertex, or NULL: stays where it is
    const int* objectOf;    // per vertex, or NULL: all are one
    const int* layerOf;     // per object, or NULL: the higher one lies on the side of the lower one's normals, the lower one behind its
    const double* mobility; // per vertex, or NULL: how readily it moves beside others, > 0
    float gap;              // [m] that is left between what is pushed apart; 0: a little more than rounding
    float reach;            // [m] no vertex goes farther from where it was; 0: any way is allowed
    float clearance;        // of a mean edge: what was moved ends no nearer to anything than that, if it can be; 0: as it comes
    int rounds;             // at most
    /// Called after every round, may be NULL: brings x, to which a round has moved `before`, back to what the cloth can do.
    bool (*relax)(void* self, const wfVec3* before, wfVec3* x, wfError* err);
    void* relaxSelf;
} wfUntangleDef;

typedef struct wfUntangleReport {
    int64_t pairsBefore, pairsAfter; // of triangles that meet, exact
    int contoursBefore[wf_contourKindCount], contoursAfter[wf_contourKindCount];
    int rounds;
    int movedCount;       // vertices
    double largest, mean; // [m] how far; the mean is of those that were moved
    int farthest;         // the vertex
    int64_t testCount;    // edges and faces in the first round
} wfUntangleReport;

typedef struct wfUntangler wfUntangler;

/// The arrays of def must stay valid; what they hold may change between runs, but for the triangles.
wfUntangler* wfCreateUntangler(const wfUntangleDef* def, wfError* err);
void wfDestroyUntangler(wfUntangler* untangler); // NULL allowed

/// Instead of what the def says.
void wfUntangler_SetRounds(wfUntangler* untangler, int rounds);

/// Moves x, which must be finite. report->pairsAfter is 0 where nothing meets any more. False only where memory fails. The bits do not
/// depend on the number of threads.
bool wfUntangler_Run(wfUntangler* untangler, wfVec3* x, wfUntangleReport* report, wfError* err);

typedef struct wfEaseReport {
    double closest; // [m] between two objects; infinity without a pair
    int64_t closer; // pairs of elements nearer than asked for, to a thousandth
    int rounds;
} wfEaseReport;

/// After a run: pushes objects apart that are nearer than `ease` [m], as far as it goes without anything meeting. *report is that of
/// the run, and is brought up to date.
/// x must be free of meeting triangles.
bool wfUntangler_Ease(wfUntangler* untangler, wfVec3* x, float ease, wfEaseReport* eased, wfUntangleReport* report, wfError* err);

/// A contour as it can be told.
typedef struct wfContourInfo {
    wfContourKind kind;
    int triangles[2]; // one of each surface, that cross on it
    wfVec3 at;        // a point of it
    double length;    // [m]
} wfContourInfo;

/// The contours at x, in the order in which they were found. Memory from `arena`.
bool wfUntangler_ListContours(wfUntangler* untangler, const wfVec3* x, wfArena* arena, wfContourInfo** out, int* count, wfError* err);
