// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Subdivision of recorded cloth that knows of collisions (Bridson et al. 2002, section 8): what touches or has slipped in by a little is
// pushed apart; then, level by level, triangles are cut in four within their surface, which is safe, and the way from there to the smooth
// places is stopped before anything meets. What comes out has no two triangles that meet, by the exact test; where that cannot be had, the
// refiner says so and gives nothing.

#include "contact/separate.h"
#include "mesh/subdivide.h"

enum { wf_maxRefineLevels = 8 };

typedef struct wfRefineDef {
    const wfMesh* cloth;     // all cloths in a row; its positions and flat shape tell what is sharp. Read at creation only
    const wfMesh* colliders; // likewise; NULL or without triangles: none
    int levels;              // from 1 to wf_maxRefineLevels
    wfSharpDef sharp;
    const char* name; // opens messages about the mesh
} wfRefineDef;

typedef struct wfRefiner wfRefiner;

/// Makes what does not depend on positions, so that every frame of a run can use it.
wfRefiner* wfCreateRefiner(wfDevice* device, const wfRefineDef* def, wfError* err);
void wfDestroyRefiner(wfRefiner* refiner); // NULL allowed

typedef struct wfRefineReport {
    bool refused;         // there is no result: the input, or a level, meets itself in a way that could not be mended
    int level;            // where: 0 is the input
    int64_t pairCount;    // that meet there
    wfTrianglePair first; // one of them, as triangles of the input, behind those of the cloth those of the colliders
    int64_t inputPairs;   // that met in the input
    int pushedCount;      // vertices that were pushed apart before and between the levels
    float pushed;         // [m] how far at most
    int stoppedCount;     // vertices of the last level that stopped before their smooth place
    int rounds;           // of collision detection, at most
    int64_t pairs;        // that were looked at in the last level
} wfRefineReport;

/// Positions of the cloth and (may be NULL without) of the colliders, as many as the meshes have vertices; all must be finite. False where
/// memory or the device fails; report->refused where the answer is no.
bool wfRefiner_Run(wfRefiner* refiner, const wfVec3* cloth, const wfVec3* colliders, wfRefineReport* report, wfError* err);

/// The last level: its topology and how it came about; vertices keep their numbers from level to level, triangle t comes from triangle
/// t / 4^levels. `level` from 0.
const wfSubdivision* wfRefiner_GetLevel(const wfRefiner* refiner, int level);
/// Positions of the last run, of the last level's vertices. Valid until the next run.
const wfVec3* wfRefiner_GetPositions(const wfRefiner* refiner);
