// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Mass–spring cloth on any triangle mesh: a spring along every edge, and one across every inner edge between its opposite vertices.
//   along an edge   k = stretch (A1 + A2) / l²     (Van Gelder 1998; A the reference areas beside the edge, l its reference length)
//   across an edge  k = 4 bending / l²             (l the flat distance of the opposite vertices)
// On equilateral triangles the first gives the membrane stiffness `stretch` exactly, in every direction (Poisson ratio 1/3); on a square
// grid with one diagonal a cell it gives 1.2 times that along the threads. A spring across an edge answers bending only to second order:
// its stiffness sets the scale, not the bending law. `shear`, `poisson` and the multiples for warp and weft are not read; elements
// (elastic/membrane.h) and hinges (elastic/bending.h) mean what a fabric says.

#include "mesh/model.h"

typedef struct wfSpring {
    int v[2];
    float rest;      // [m]
    float stiffness; // [N/m]
} wfSpring;

/// Both need model->topology.
wfSpring wfSpring_Along(const wfModel* model, int edge);
/// False on the boundary, where there is none.
bool wfSpring_Across(const wfModel* model, int edge, wfSpring* out);
