// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// What `weft check` looks at: all objects in one row of triangles, searched once, and pairs told apart by object again.

#include "collide/gap.h"
#include "collide/intersect.h"

typedef struct wfCheckPart {
    const char* name;
    int firstVertex, firstTriangle;
} wfCheckPart;

/// Start from {0}; free with wfCheckScene_Free, also after a failure.
typedef struct wfCheckScene {
    wfArena arena;
    wfMesh mesh;        // all parts in a row
    wfCheckPart* parts; // one more than partCount, so that every part has an end
    int partCount;
    bool* ignore; // per triangle: a collider's, of which two may meet; NULL without any
} wfCheckScene;

/// What was found; the pairs live in the arena.
typedef struct wfCheckResult {
    wfArena arena;
    wfIntersections found;
    int stored;  // pairs that are kept, all but for hopeless cases
    bool hasGap; // whether it was looked for
    wfGap gap;
} wfCheckResult;

/// `names` must outlive the scene.
bool wfCheckScene_Create(wfCheckScene* scene, const wfMesh* const* meshes, const char* const* names, int count, wfError* err);
void wfCheckScene_Free(wfCheckScene* scene);
const wfCheckPart* wfCheckScene_FindPart(const wfCheckScene* scene, int triangle);

bool wfCheckScene_Search(const wfCheckScene* scene, bool withGap, wfCheckResult* out, wfError* err);
void wfCheckResult_Free(wfCheckResult* result);
