// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// What `weft render` draws: mesh files (one frame) or a run's folder (many), both seen as a list of objects with positions a frame.

#include "io/render.h"

typedef struct wfPictureObject {
    wfRenderObject render; // as of the last wfPictureSource_Read
    wfVec3* positions;     // of a run's object: what render.positions shows
    float* heat;           // likewise; NULL before the first wfPictureSource_ReadHeat
    bool shown;            // invisible colliders, and one that serves as the floor, are not
    bool moves;
} wfPictureObject;

typedef struct wfPictureSource {
    wfArena arena;
    struct wfRunFolder* run; // NULL: files
    wfMesh* meshes;          // of the files; count
    wfPictureObject* objects;
    int count;
    int firstFrame, frameCount;
    double frameRate;
    bool zUp;
    wfCameraDef camera;
    bool hasFloor; // a level collider that never moves lies under everything: the floor is drawn in its place
    float floorHeight;
} wfPictureSource;

/// paths: mesh files, or one run's folder. Close also after a failure.
bool wfPictureSource_Open(wfPictureSource* source, char** paths, int count, bool zUp, wfError* err);
void wfPictureSource_Close(wfPictureSource* source);

bool wfPictureSource_Read(wfPictureSource* source, int frame, wfError* err);

typedef enum wfHeatKind { wf_heatNone, wf_heatStretch, wf_heatContact, wf_heatSpeed } wfHeatKind;

/// What the legend says.
const char* wfHeat_GetTitle(wfHeatKind kind);
/// Fails where the source cannot tell: files have no rest shape and no time.
bool wfPictureSource_CheckHeat(const wfPictureSource* source, wfHeatKind kind, wfError* err);
/// Fills the heat of the cloths for the frame just read. limit: the largest distance told (contact).
bool wfPictureSource_ReadHeat(wfPictureSource* source, wfHeatKind kind, int frame, float limit, wfError* err);
