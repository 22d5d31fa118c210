// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The two halves of `weft subdivide`: mesh files, and the folder of a run.

#include "app/options.h"
#include "app/subdivide_scene.h"

typedef struct wfSubdivideOptions {
    const char *output, *frames;
    wfTextList colliders;
    int levels, every, threads;
    double corner, crease;
    bool each;
} wfSubdivideOptions;

/// What is told of all frames together.
typedef struct wfSubdivideSum {
    int frameCount, pushedFrames;
    int64_t triangleCount;
    float pushed;     // [m] of the frame in which it is most
    int stoppedCount; // likewise
} wfSubdivideSum;

void wfSubdivideSum_Add(wfSubdivideSum* sum, const wfRefineReport* report);

/// The meshes of --collider. `meshes` and the pointers to them lie in `arena`; free the meshes with wfFreeMeshes, also after a failure.
bool wfReadMeshes(const char* const* paths, int count, wfArena* arena, wfMesh** meshes, wfSubdivideObjects* out, wfError* err);
void wfFreeMeshes(wfMesh* meshes, int count);

/// Whether a mesh can be written under that name: .obj, .ply.
bool wfIsMeshName(const char* path);
/// The name of a result in a folder: that of the input; what cannot be written (.stl) becomes .ply.
bool wfOutputName(const char* path, char* out, size_t size, wfError* err);

/// True where the two are one and the same file or folder.
bool wfIsSameFile(const char* a, const char* b);

bool wfSubdivideRun(const char* path, const wfSubdivideOptions* options, wfDevice* device, wfSubdivideSum* sum, wfError* err);
