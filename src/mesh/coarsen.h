// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// A coarser model of the same cloths, about a quarter of the vertices, for dynamics on a hierarchy of resolutions.
//
// Coarse vertices are fine ones, in the same order, so what is said of a vertex (position, pin) restricts by copying. Corners of the
// boundary and of seams and the tips of cones stay; of a boundary or seam every second vertex goes. What cannot be taken out without
// harm to the mesh (few vertices, more than 60 triangles about one) stays, so a small mesh comes out as it went in.
// Every fine vertex is a combination of three coarse ones: the corners of the coarse triangle that covers it in the flat shape. Weights
// sum to 1 and are negative only outside a coarse boundary, which cuts off what bulges, and then above WF_LEAST_WEIGHT; between these
// bounds linear functions of a flat pattern are met exactly.

#include "mesh/model.h"

#define WF_LEAST_WEIGHT (-0.3f)

typedef struct wfProlongation {
    int parent[3]; // coarse vertices; a vertex that stays has itself three times
    float weight[3];
} wfProlongation;

typedef struct wfCoarseModel {
    wfArena arena;
    wfTopology topology;
    wfModel model; // complete, with `topology` above (so a wfCoarseModel must not be moved); masses and areas are those of the fine
                   // vertices shared out by the weights, so their sums are kept; of stitches see mesh/coarsen_seams.h
    int fineCount; // vertices of the fine model
    int* fineOf;   // per coarse vertex: the fine one it is
    wfProlongation* prolong; // per fine vertex
} wfCoarseModel;

/// Start from {0}; it is {0} again after a failure. Reads everything of `fine`, whose topology must be there; keeps pointers to the names
/// of its cloths only. Fails (wf_badInput) on a mesh that is not manifold.
bool wfCoarsen(wfCoarseModel* coarse, const wfModel* fine, wfError* err);
void wfCoarseModel_Free(wfCoarseModel* coarse);
