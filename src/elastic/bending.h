// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Bending across the edges of a mesh, in both precisions (names ending in D are double). The third model, without edges, is
// elastic/meshless.h.
//
// A hinge whose flat shape has edge length l and areas A0 + A1 = A bends by the angle t; B [N m] is the fabric's bending rigidity in the
// direction across the edge. Both models store B/2 l²/A t² [J] for small angles:
//   quadratic  (Bergou et al. 2006) B/2 1/A |sum k_i x_i|², k the cotangent weights of the flat hinge: constant matrix, the same scalar
//              weight for x, y and z. Exact for what bends without stretching; with l (2 sin t/2) in place of l t it is softer near folds.
//   dihedral   (Grinspun et al. 2003) B/2 l²/A (t - rest)²: nonlinear, knows its side, so rest angles need nothing else.
// The weight is l²/A and not the 3 l²/A found with the sum of squared mean curvature: only so does a sheet bent to a cylinder of curvature
// c store B/2 c² per area. A P1 sheet puts all of that curvature into the edges that cross it, and 3 would count it three times: on
// equilateral triangles in every direction, on square cells along both threads. In between a grid is not even; with s = sin of twice the
// angle between the bent direction and the warp a cylinder stores, as a multiple of B/2 c² (tests/unit/test_bending.c prints the table):
//   square cells, one diagonal each    1 + s + s²     0.75 to 3, the most across the diagonals
//   square cells, alternating          1 + s²/2       1 to 1.5
//   irregular sheets                   1.0 along the threads to 1.45 between them
// That is the energy of vertices on the cylinder. Left alone they find a softer shape near it, without stretching anything: on alternating
// diagonals every second vertex moves out of the surface, and of the rigidity u along the warp remains u (w + 4 b) / (u + w + 4 b), w and b
// those of weft and bias: 5/6 for an even fabric. A hanging strip on irregular triangles comes out right (bending length within 3.1 % for
// every preset along both threads, tests/unit/test_newton.c; foil and paper, which hardly stretch, on small triangles only).

#include "elastic/hinge.h"
#include "math/polar.h"

#define WF_BOTH "elastic/bending.inl"
#include "math/both_precisions.inl"

/// Rigidities [N m] of the edges that cross a thread, and of those between.
typedef struct wfRigidity {
    double warp, bias, weft;
} wfRigidity;

/// Those which the edges of each cloth must have, so that it has its fabric's when it is bent along warp and weft: edges of an irregular
/// mesh lie in all directions, and a cylinder bends all that are not parallel to the bent direction. With the shares of the cylinder's
/// energy that the mesh gives to warp, bias and weft (about 0.86, 0.10, 0.03 on irregular triangles; 1, 0, 0 on a grid), two equations;
/// bias stays. out: one a cloth. Needs model->topology.
void wfFindRigidities(const wfModel* model, wfRigidity* out);
/// Rigidity [N m] across an edge: linear between warp, bias and weft in the cos of twice the angle (wfHinge.warp).
double wfRigidity_Across(const wfRigidity* rigidity, double warp);
wfBendD wfMakeBend(const wfHinge* hinge, double rigidity);
wfBend wfBend_Narrow(wfBendD b);
/// Stiffness of the dihedral model [N m].
double wfDihedralStiffness(const wfHinge* hinge, double rigidity);
/// Signed length of the quadratic model's vector at a rest angle, for wfBend_Rest.
double wfBendRestLength(const wfHinge* hinge, double angle);

/// All hinges of a model, by edge.
typedef struct wfBending {
    wfArena arena;
    int hingeCount;
    wfRigidity* rigidities; // per cloth
    wfHinge* hinges;
    wfBendD* bends;    // quadratic
    double* stiffness; // dihedral [N m]
    double* restAngle; // [rad]
} wfBending;

/// Start from {0}. `rest` are positions at which nothing is bent, one a vertex; NULL: flat. Needs model->topology.
bool wfBending_Create(wfBending* bending, const wfModel* model, const wfVec3* rest, wfError* err);
void wfBending_Free(wfBending* bending);
