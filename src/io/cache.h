// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Animations in files: one object over many frames.
//   pc2   one binary cache; frames appended as they come, the count in the header tells how many are whole, so that a killed run
//         leaves a readable cache (header and a frame are synced in that order: frame first, then count)
//   ply, obj   one file a frame, <object>/00042.ply
//   gltf  one .glb with a morph target a frame; usda  one text file with time samples: both written when the run ends, from the pc2

#include "mesh/mesh.h"

typedef struct wfPc2 wfPc2;

/// Opens for appending at frame `first`: frames at and behind it are cut off, earlier ones must be there. first 0 starts anew.
wfPc2* wfPc2_OpenWrite(const char* path, int vertexCount, double frameRate, int first, wfError* err);
bool wfPc2_Append(wfPc2* cache, const float* positions, wfError* err); // 3 floats a vertex
wfPc2* wfPc2_OpenRead(const char* path, wfError* err);                 // a half-written last frame is not counted
int wfPc2_GetFrameCount(const wfPc2* cache);
int wfPc2_GetCutFrameCount(const wfPc2* cache); // frames that the header counts and the file does not have: it was cut off
int wfPc2_GetVertexCount(const wfPc2* cache);
double wfPc2_GetFrameRate(const wfPc2* cache);
bool wfPc2_ReadFrame(wfPc2* cache, int frame, float* positions, wfError* err);
bool wfPc2_Close(wfPc2* cache, wfError* err); // NULL allowed

/// One object of an exported animation.
typedef struct wfExportObject {
    const char* name;
    wfVec3 color;
    const wfMesh* mesh;
    wfPc2* frames; // NULL: the mesh as it is
} wfExportObject;

/// Writes a .glb: y up, as glTF wants it (a scene that is z up is turned), one mesh an object. The first frame is the mesh, every later
/// one a morph target with positions and normals; the weights go linearly from frame to frame. Takes 24 bytes a vertex and frame, in all
/// at most 4 GiB, which is what a .glb can hold: a larger animation is refused before anything is written.
bool wfWriteGltf(const char* path, const wfExportObject* objects, int count, double frameRate, bool zUp, wfError* err);
/// Writes text with points.timeSamples: 30 to 40 bytes a vertex and frame.
bool wfWriteUsda(const char* path, const wfExportObject* objects, int count, double frameRate, bool zUp, wfError* err);
