// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Pushes apart triangles that touch or have slipped into each other by a little: recorded cloth whose vertices were kept out of a body but
// not its edges, say ("lie about it", Bridson et al. 2002, section 8). Cloth that has really passed through itself is no matter for this.

#include "collide/intersect.h"
#include "contact/safe_move.h"
#include "math/vec_double.h"

typedef struct wfPush {
    wfVec3D direction; // in which the first goes, or the second against it
    double depth;      // [m]
} wfPush;

/// The shortest way that parts two triangles. outward: the first may go only within 60 degrees of it, or NULL. The depth is infinite where
/// there is none.
wfPush wfShortestPush(const wfVec3D a[3], const wfVec3D b[3], const wfVec3D* outward);

/// Cloth and colliders in one row, cloth first.
typedef struct wfSurfaces {
    int vertexCount, triangleCount;           // of all
    int clothVertexCount, clothTriangleCount; // of the cloth
    const wfTriangle* triangles;
    const bool* ignore; // per triangle: whether it is a collider's
    wfVec3* x;
} wfSurfaces;

typedef struct wfSeparateDef {
    float separation; // [m] what is left between them
    float reach;      // [m] what is deeper in each other, or would have to move farther, is not repaired
} wfSeparateDef;

typedef struct wfSeparateReport {
    int64_t pairCount;    // of triangles that still meet, or met where it would have taken too much; 0: done
    int64_t before;       // that met at the beginning
    wfTrianglePair worst; // one of those: that nothing could be done about, else the first
    int movedCount;       // vertices that were pushed
    float farthest;       // [m] how far
} wfSeparateReport;

/// Moves the cloth in s->x until nothing meets, or as far as it comes: report->pairCount tells. Where nothing meets at the beginning
/// nothing is done. `move` belongs to the cloth; while the cloth does not meet itself, it is not made to. obstacles may be NULL. False only
/// where memory or the device fails.
bool wfSeparate(const wfSurfaces* s, const wfSeparateDef* def, wfSafeMove* move, const wfObstacles* obstacles, wfSeparateReport* report,
                wfError* err);
