// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Moves the vertices of a mesh along straight lines toward where they are wanted, and stops those of colliding pairs just before they meet,
// as if they had collided inelastically (Bridson et al. 2002, section 8). What is stopped may be hit by what still moves, so this is
// repeated until nothing collides; an answer exists, since everything may stay where it is.
//
// Where the start has no two triangles that meet, the end has none either: continuous collision detection takes the rounded positions as
// they are and proves that all pairs keep apart. Pairs that begin nearer than the separation stay as they are.

#include "collide/broad.h"
#include "collide/candidates.h"

/// Triangles that stay where they are and stop what comes to them: colliders.
typedef struct wfObstacles {
    wfDevice* device;
    wfTopology topology;
    wfBroad* broad;
    wfElements elements;
    wfVec4* host; // where they are, on the host
    wfBuffer x;   // and on the device
} wfObstacles;

/// `triangles` must stay valid. Start from {0}; free also after a failure.
bool wfObstacles_Create(wfObstacles* obstacles, wfDevice* device, const wfTriangle* triangles, int triangleCount, int vertexCount,
                        wfError* err);
void wfObstacles_Free(wfObstacles* obstacles);
void wfObstacles_Place(wfObstacles* obstacles, const wfVec3* positions);

typedef struct wfSafeMove wfSafeMove;

/// The topology must stay valid.
wfSafeMove* wfCreateSafeMove(wfDevice* device, const wfTopology* topology, wfError* err);
void wfDestroySafeMove(wfSafeMove* move); // NULL allowed

typedef struct wfMoveReport {
    int64_t pairs;    // that were looked at
    int rounds;       // of collision detection
    int stoppedCount; // vertices that did not get where they were wanted
} wfMoveReport;

/// From `start` toward `wanted`; `out` may be the same as `wanted`. obstacles may be NULL; else they must have been placed. separation [m]:
/// how far apart pairs are kept at least. Positions must be finite. The bits do not depend on the number of threads.
bool wfSafeMove_Advance(wfSafeMove* move, const wfVec3* start, const wfVec3* wanted, wfObstacles* obstacles, float separation, wfVec3* out,
                        wfMoveReport* report, wfError* err);
