// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "mesh/coarsen.h"

/// From a mesh to a coarser one. Children of a coarse vertex are the finer ones that have it as a parent, itself among them.
typedef struct RestrictArgs {
    const int *fineOf, *childStart, *child;
    const float* share; // beside child: its weight at this parent
    const wfVec4 *x, *target;
    const float* bound;       // of the second derivative of the finer elastic energy [N/m]
    const wfVec4* gradient;   // elastic, of the finer mesh; NULL: the coarse mesh minimises an energy of its own
    wfVec4 *coarseX, *before; // with a gradient, coarseX is read: it stays
    wfVec4* coarseTarget;     // with a gradient: the whole gradient of the step, shared out, and the weight
} RestrictArgs;

/// Makes targets of shared-out gradients.
typedef struct FoldTauArgs {
    const wfVec4 *x, *gradient; // elastic, of the coarse mesh
    wfVec4* target;
} FoldTauArgs;

typedef struct InjectArgs {
    const int* fineOf;
    const wfVec4* x;
    wfVec4* out;
} InjectArgs;

typedef struct ProlongArgs {
    const wfProlongation* prolong;
    const wfVec4 *coarseX, *before, *target;
    const wfVec4* x;
    wfVec4* out;            // may be x
    const wfVec4* gradient; // elastic; with it, slope gets the change of the step's energy along the way
    float* slope;
} ProlongArgs;

/// Energies along the way of a correction, and how far to go.
typedef struct wfSearch {
    float start, slope;  // energy at the start, and its derivative along the way there
    float tried, length; // energy at this share of the way; the share to try next, at last to go
    float lowest, best;  // of those tried, and where
} wfSearch;

typedef struct ChooseLengthArgs {
    wfSearch* search;
    int first, last; // the first one tried is the whole way; after the last, the best is the length to go
} ChooseLengthArgs;

typedef struct GoAlongArgs {
    const wfSearch* search;
    const wfVec4 *x, *whole;
    wfVec4* out; // may be x
} GoAlongArgs;

/// Goes back where the energy has risen since `saved`.
typedef struct KeepLowerArgs {
    const wfSearch* search; // start, tried
    const wfVec4* saved;
    wfVec4* x;
} KeepLowerArgs;
