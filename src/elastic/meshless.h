// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Bending without edges (Wu et al. 2020, appendix B), in both precisions (names ending in D are double). It needs to know who is near whom
// in the flat shape and nothing else, so it also serves meshes that are not manifold.
//
// About each vertex the best affine map A (3x2) of its flat neighbourhood is taken as plane deformation; what is left is bending:
//   E = k/2 sum |A^-1 (x_j - x) - (r_j - r)|²       with A made square by its normal as third column, so that A^-1 is there.
// With the residuals e_j = x_j - x - A (r_j - r) this is k/2 sum e_jᵀ G e_j, G = (A Aᵀ + n nᵀ)^-1, which is how it is computed.
// k = B area / (mean over all directions of the squared residuals of curvature 1), so that a cylinder stores B/2 c² per area on average
// over directions; at the boundary too. One rigidity for all directions: (warp + weft + 2 bias) / 4 of the fabric.

#include "math/polar.h"
#include "mesh/model.h"

#define WF_BOTH "elastic/meshless.inl"
#include "math/both_precisions.inl"

enum { wf_mostNeighbours = 64 };
#define wf_meshlessRadius 1.5 // by the mean length of a vertex's edges: takes the eight around a vertex of a square grid

typedef struct wfMeshless {
    wfArena arena;
    wfRows rows;              // neighbours, increasing
    wfNeighbourD* neighbours; // beside rows.item
    double* stiffness;        // per vertex [N/m]; 0 where the neighbourhood cannot tell bending from tilting
} wfMeshless;

/// Start from {0}. Neighbours are those within `radius` times the mean length of the vertex's edges; 1.5 takes the eight around a vertex of
/// a square grid. Flat triangles are laid side by side about the vertex, so seams between panels need no common chart.
/// Needs model->topology.
bool wfMeshless_Create(wfMeshless* meshless, const wfModel* model, double radius, wfError* err);
void wfMeshless_Free(wfMeshless* meshless);
