// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Pictures: Embree ray casting with soft light, ambient occlusion, a floor, smooth normals and fabric colours.

#include "mesh/mesh.h"
#include "weft/io.h"

typedef struct wfRenderObject {
    const char* name;
    const wfVec3* positions;
    int vertexCount;
    const wfTriangle* triangles;
    int triangleCount;
    wfVec3 color;       // linear RGB
    bool cloth;         // two-sided, woven look; else a smooth body
    const wfVec3* rest; // cloth: the shape its weave is drawn on, so that it moves with the cloth; NULL: positions
    const float* heat;  // a value a vertex, shown by colour when the Def asks for a heat map; NULL: plain colour
} wfRenderObject;

typedef struct wfRenderDef {
    int width, height;
    int samples; // rays a pixel
    bool wireframe;
    bool floor; // a ground that catches the shadow, at floorHeight
    float floorHeight;
    bool zUp;
    wfCameraDef camera;
    const char* heatTitle; // legend of the heat map, with unit; NULL: none
    float heatMin, heatMax;
    int threadCount;
} wfRenderDef;

wfRenderDef wfDefaultRenderDef(void);

/// A camera that shows all of the objects; used where none is given. For an animation call it once, over the bounds of all frames.
wfCameraDef wfFrameCamera(wfVec3 lo, wfVec3 hi, float aspect, bool zUp);

/// pixels: 3 bytes each, sRGB, width * height, top row first.
bool wfRender(const wfRenderObject* objects, int count, const wfRenderDef* def, uint8_t* pixels, wfError* err);

bool wfWritePng(const char* path, const uint8_t* pixels, int width, int height, wfError* err);

/// A video fed frame by frame through the ffmpeg program; a clear error where there is none.
typedef struct wfVideo wfVideo;
wfVideo* wfVideo_Open(const char* path, int width, int height, double frameRate, wfError* err);
bool wfVideo_Add(wfVideo* video, const uint8_t* pixels, wfError* err);
/// Waits until the file is whole. NULL allowed.
bool wfVideo_Close(wfVideo* video, wfError* err);
