// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// What `weft subdivide` works on: cloths and colliders as named objects, refined together, and each cloth's share of what comes out.

#include "app/check_scene.h"
#include "contact/refine.h"

typedef struct wfSubdivideObjects {
    const wfMesh* const* meshes;
    const char* const* names;
    int count;
} wfSubdivideObjects;

typedef struct wfSubdivideDef {
    wfSubdivideObjects cloths; // at rest, which tells where a boundary turns; their flat shapes and stitches go along
    wfSubdivideObjects colliders;
    int levels;
    wfSharpDef sharp;
} wfSubdivideDef;

/// Start from {0}; free also after a failure. The meshes are copied, the names must stay.
typedef struct wfSubdivideScene {
    wfArena arena;
    wfCheckScene cloths, colliders; // the frame that is to be subdivided: their mesh.positions, all parts in a row
    wfRefiner* refiner;
    wfMesh* fine; // per cloth
    int** places; // per cloth and vertex of `fine`: its number in the refiner
    int levels;
} wfSubdivideScene;

bool wfSubdivideScene_Create(wfSubdivideScene* scene, wfDevice* device, const wfSubdivideDef* def, wfError* err);
void wfSubdivideScene_Free(wfSubdivideScene* scene);

/// Subdivides the frame into `fine`. Fails (wf_stepFailed), naming the triangles, where no result without intersections can be had; `label`
/// opens the message.
bool wfSubdivideScene_Run(wfSubdivideScene* scene, const char* label, wfRefineReport* report, wfError* err);

/// Subdivides the positions at rest, wherever cloths may meet in them, into `fine`.
bool wfSubdivideScene_Smooth(wfSubdivideScene* scene, wfError* err);
