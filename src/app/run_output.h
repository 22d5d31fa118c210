// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// What a run writes into its folder, in an order that leaves nothing wrong behind when it is killed at any moment:
//   run.json                   the list of objects (io/run_folder.h)
//   <object>.obj, .pc2         the start shape with the topology, and the frames; colliders that rest have no .pc2
//   <object>/00042.ply, .obj   with --format ply or obj, one file a frame as well
//   scene.glb, scene.usda      with --format gltf or usda, made from the caches when the run ends
// Frames come first, then their line in the report, then a checkpoint: whatever a checkpoint stands behind is there and whole.

#include "io/run_folder.h"

typedef enum wfRunFormat { wf_formatPc2, wf_formatPly, wf_formatObj, wf_formatGltf, wf_formatUsda } wfRunFormat;

typedef struct wfRunOutputDef {
    const char* folder;
    const char* title;
    wfCameraDef camera;
    wfRunFormat format;
    bool colliders; // write them in `format` as well
    int firstFrame; // frames before it are not written
} wfRunOutputDef;

typedef struct wfRunOutput wfRunOutput;

/// Takes the topology and the start shape of everything in a scene that has just been committed. Touches no file.
wfRunOutput* wfRunOutput_Create(const wfRunOutputDef* def, const wfScene* scene, wfError* err);
void wfRunOutput_Destroy(wfRunOutput* output); // NULL allowed

/// Whether the folder can take a run: it is missing, empty, or holds an earlier run (*earlier). Touches nothing.
bool wfRunOutput_CheckFolder(const char* folder, bool* earlier, wfError* err);

/// Makes the folder if need be and keeps every other run out of it until Destroy.
bool wfRunOutput_Lock(wfRunOutput* output, wfError* err);

/// Begins anew: whatever an earlier run left in the folder goes.
bool wfRunOutput_Start(wfRunOutput* output, wfError* err);
/// Goes on behind `frame`: what was written of later frames goes, and frame files that the earlier run did not write are made up for.
bool wfRunOutput_Resume(wfRunOutput* output, int frame, wfError* err);

/// Writes the scene's current state as its current frame.
bool wfRunOutput_WriteFrame(wfRunOutput* output, const wfScene* scene, wfError* err);

/// Closes the caches and, where the format asks for it, makes one file of them.
bool wfRunOutput_Finish(wfRunOutput* output, wfError* err);
