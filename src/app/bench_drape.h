// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The drape test of Cusick (BS 5058): a disc of cloth, 30 cm across, lies on a pedestal of 18 cm; its rim hangs down in folds. The drape
// coefficient is the share of the ring's area that its shadow, seen from above, still covers: 1 is a stiff plate, 0 hangs straight down.
// What lies on the pedestal is held; the rest is free, and passes through itself where folds meet: there is no contact in this test.

#include "mesh/mesh.h"
#include "weft/weft.h"

typedef struct wfDrapeDef {
    wfFabric fabric;
    int rows;       // of triangles across the ring that hangs down
    bool irregular; // points moved at random and connected anew (Delaunay)
    wfBendingModel bending;
    const char* dynamics; // as in scene files
    float timeStep;       // [s]
    float damping;        // [1/s] in place of the fabric's, to come to rest
    float longest;        // [s] given up after this time
} wfDrapeDef;

wfDrapeDef wfDefaultDrapeDef(void);

typedef struct wfDrape {
    int vertexCount;
    double coefficient;
    int nodes;            // folds: how often the rim of the shadow goes out and in
    double time;          // [s] simulated
    double speed;         // [m/s] of the fastest vertex at the end
    double elasticEnergy; // [J]
    double drop;          // [m] mean depth of the rim below the pedestal
    double worstStretch;
    wfMesh mesh; // at rest; the caller frees it
} wfDrape;

/// Runs the test until no vertex is faster than 0.1 mm/s. `out` must be {0}; its mesh is {0} after a failure. Running out of time is no
/// failure: `speed` tells.
bool wfDrape_Run(wfDrape* out, wfDevice* device, const wfDrapeDef* def, wfError* err);

/// Steps a scene of one cloth until no vertex is faster than 0.1 mm/s, or `longest` [s] is reached. scratch: one element a vertex.
bool wfDrape_Settle(wfScene* scene, wfVec3* scratch, float longest, double* speed, wfError* err);

/// The area [m²] that the triangles cover seen along -y, and how often the rim of that shadow goes out and in about the origin.
/// Nothing may lie farther out than 0.2 m.
bool wfDrape_MeasureShadow(const wfMesh* mesh, double* area, int* nodes, wfError* err);

/// Bending length [m]: the cube root of the mean rigidity over the weight.
double wfDrape_BendingLength(const wfFabric* fabric);
