// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Two neighbouring resolutions of one cloth (mesh/coarsen.h): a problem goes down to the coarser mesh, and what was changed there comes up.
//
// Down, the coarse mesh takes its positions from the vertices it shares with the finer one, and either
//   - targets and their weights, shared out over its vertices, with the elasticity of its own triangles: Wu et al. 2020, 5.1; or
//   - such targets that at these positions its energy falls exactly as the finer one does (the tau correction of full approximation
//     schemes): then nothing changes there that is solved here, and cycles converge to the finer mesh's own minimum.
// Up, the change of the coarse positions is interpolated: x += P (x_c - x_c before). After a tau correction it is a way down, followed as
// far as the energy falls.

#include "dynamics/descent.h"
#include "mesh/coarsen.h"

/// A step's problem on one mesh.
typedef struct wfLevel {
    wfDescent* descent;
    wfVec4* x;
    const wfVec4* target;
} wfLevel;

/// The coarser mesh, and the way between it and the finer one.
typedef struct wfCoarseLevel {
    wfDescent descent;
    wfBuffer x, before, target;                         // wfVec4, of the coarse mesh
    wfBuffer fineOf, childStart, child, share, prolong; // see RestrictArgs and mesh/coarsen.h
    wfBuffer slope;                                     // float per finer vertex
    wfBuffer search;                                    // wfSearch
    int vertexCount, fineCount;
} wfCoarseLevel;

/// `coarse` is needed during this call only.
bool wfCoarseLevel_Create(wfCoarseLevel* level, wfDevice* device, const wfCoarseModel* coarse, const wfElasticDef* def, wfError* err);
void wfCoarseLevel_Free(wfCoarseLevel* level, wfDevice* device);

/// The coarse problem itself.
wfLevel wfCoarseLevel_View(wfCoarseLevel* level);

/// Rest shapes that turn along (wfElasticTables_Hold), from positions of the finer mesh; leaves those of the coarse one in x.
void wfCoarseLevel_Hold(wfCoarseLevel* level, wfDevice* device, const wfVec4* fineX);

void wfCoarseLevel_Down(wfCoarseLevel* level, wfDevice* device, wfLevel fine, bool tau);
/// `searched` needs a tau correction, and nothing done to the finer mesh since. Uses the finer descent's `other` and `saved`.
void wfCoarseLevel_Up(wfCoarseLevel* level, wfDevice* device, wfLevel fine, bool searched);
