// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// How strongly vertices hold each other, as springs that pull alike in all directions: together at least as stiff as stretch, shear and
// seams are at small strain, whichever way the cloth lies. With sum b_i = 0, |sum b_i d_i|² = -sum b_i b_j |d_i - d_j|² over all pairs, so
// every term is a sum of such springs; those that would push are left out. Bending is not in it: it is weak against these.

#include "elastic/elastic.h"
#include "math/sparse.h"

/// Off the diagonal minus the stiffness [N/m] between two vertices, on it the sum of those of a vertex.
bool wfFindBonds(wfSparse* out, wfArena* arena, const wfModel* model, const wfElasticDef* def, wfError* err);
