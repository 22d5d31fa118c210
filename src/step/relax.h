// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Keeps cloth within a stretch of its rest shape while it is untangled: what a round of untangling moves is taken for a velocity, and the
// strain limits of the dynamics (elastic/limit.h) give it the least change that keeps the edges within their limit.

#include "contact/untangle.h"
#include "mesh/model.h"

typedef struct wfRelaxDef {
    int vertexCount, triangleCount;
    const wfTriangle* triangles;
    const wfFlatTriangle* flat; // the rest shape
    const float* mass;          // per vertex, or NULL: all alike
    const bool* fixed;          // per vertex, or NULL
    float stretch;              // edges keep within this share of their rest length; > 0
} wfRelaxDef;

typedef struct wfRelax wfRelax;

/// Reads the def and keeps nothing of it.
wfRelax* wfCreateRelax(const wfRelaxDef* def, wfError* err);
void wfDestroyRelax(wfRelax* relax); // NULL allowed

/// For wfUntangleDef.relax; self is a wfRelax.
bool wfRelax_Apply(void* self, const wfVec3* before, wfVec3* x, wfError* err);
