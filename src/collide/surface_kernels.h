// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "collide/surface.h"

typedef struct SurfaceFansArgs {
    wfVec4* x;
    const int *start, *vertex;
    int firstVertex;
} SurfaceFansArgs;

typedef struct SurfaceLeavesArgs {
    wfSurfaceView s; // triangles and nodes are written
    wfSurfaceTriangle* triangles;
    wfSurfaceNode* nodes;
} SurfaceLeavesArgs;

typedef struct SurfaceLevelArgs {
    wfSurfaceNode *nodes, *children; // of this level, of the one below
    int childCount;
} SurfaceLevelArgs;

typedef struct SurfaceClosestArgs {
    wfSurfaceView s;
    const wfVec4* points;
    wfSurfaceHit* hits;
} SurfaceClosestArgs;

typedef struct SurfaceCastArgs {
    wfSurfaceView s;
    const wfRay* rays;
    wfSurfaceHit* hits;
} SurfaceCastArgs;

typedef struct SurfaceWindingArgs {
    wfSurfaceView s;
    const wfVec4* points;
    float* numbers;
} SurfaceWindingArgs;
