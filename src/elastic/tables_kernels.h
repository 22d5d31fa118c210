// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "elastic/tables.h"

typedef struct GradientArgs {
    wfElasticView view;
    const wfVec4* x;
    wfVec4* out; // gradient, energy
    int count;
} GradientArgs;

// One kernel a membrane model.
typedef GradientArgs GradientSpringsArgs, GradientStVKArgs, GradientCorotationalArgs, GradientFabricArgs;

typedef struct HingeTermsArgs {
    const wfHingeTerm* hinges;
    const wfVec4* restVectors; // quadratic; NULL: dihedral
    const wfVec4* x;
    wfVec4* slots; // four a hinge
} HingeTermsArgs;

typedef struct HoldHingesArgs {
    const wfHingeTerm* hinges;
    const wfVec4* x;
    wfVec4* restVectors;
} HoldHingesArgs;

typedef struct StarTermsArgs {
    const int *start, *item;
    const wfNeighbour* neighbours; // beside item
    const float* stiffness;        // per vertex
    const wfVec4* x;
    wfVec4* slots; // of each vertex: one for itself, then one a neighbour
} StarTermsArgs;

typedef struct GatherSlotsArgs {
    const int *start, *item;
    const wfVec4* slots;
    wfVec4* out;
} GatherSlotsArgs;

typedef struct EdgeStretchArgs {
    const wfRestEdge* edges;
    const wfVec4* x;
    float* out; // length over rest length
} EdgeStretchArgs;
