// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// What a run leaves in its folder, for those who come after it (pictures, checks): run.json lists the objects, each with the mesh that
// gives its topology, the cache that moves it and the mesh in which nothing is stretched.
//   {"title": "Drape", "frame_rate": 60, "first_frame": 0, "up": "y", "camera": {"eye": [x, y, z], "target": [x, y, z], "fov": 35} or null,
//    "objects": [{"name": "sheet", "kind": "cloth" or "collider", "color": [r, g, b], "visible": true,
//                 "topology": "sheet.obj", "cache": "sheet.pc2" or null, "rest": "sheet.obj"}]}
// File names are relative to the folder. An object without a cache stays where its topology mesh has it.

#include "mesh/mesh.h"
#include "weft/io.h"

typedef struct wfRunObject {
    char name[wf_nameSize];
    bool cloth; // else a collider
    wfVec3 color;
    bool visible;
    char topology[wf_nameSize + 16];
    char cache[wf_nameSize + 16]; // "": it never moves
    char rest[wf_nameSize + 16];  // mesh whose positions are the unstretched shape; may be the same file as topology
} wfRunObject;

typedef struct wfRunManifest {
    char title[256];
    double frameRate; // [1/s]; kept as a float in the file
    int firstFrame;   // number of the first frame that the caches hold; 0 in files without it
    wfUpAxis up;
    wfCameraDef camera;
    wfRunObject* objects;
    int objectCount;
} wfRunManifest;

/// Writes <folder>/run.json, atomically. The folder must exist; the objects stay the caller's.
bool wfWriteRunManifest(const char* folder, const wfRunManifest* manifest, wfError* err);

/// A run's folder opened for reading: the manifest, all topologies, and the caches (also while the run still goes on).
typedef struct wfRunFolder wfRunFolder;

/// True where `folder` holds a run.json.
bool wfIsRunFolder(const char* folder);

wfRunFolder* wfRunFolder_Open(const char* folder, wfError* err);
void wfRunFolder_Close(wfRunFolder* run); // NULL allowed
/// Valid until the folder is closed.
const wfRunManifest* wfRunFolder_GetManifest(const wfRunFolder* run);
/// Frames that every moving object has; 1 where nothing moves.
int wfRunFolder_GetFrameCount(const wfRunFolder* run);
/// The topology mesh of an object, with its positions in the file. Valid until the folder is closed.
const wfMesh* wfRunFolder_GetMesh(const wfRunFolder* run, int object);
/// Positions of an object in a frame, counted as in the scene: from firstFrame on. An object without a cache is the same in all. out holds
/// the mesh's vertexCount elements.
bool wfRunFolder_ReadFrame(wfRunFolder* run, int object, int frame, wfVec3* out, wfError* err);
/// The positions in which nothing is stretched. out holds the mesh's vertexCount elements.
bool wfRunFolder_ReadRest(wfRunFolder* run, int object, wfVec3* out, wfError* err);
