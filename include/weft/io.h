// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Files: scene files and meshes (library weft_io, which needs libfyaml, libpng and zstd; the simulation itself does not).

#include "weft/weft.h"

/// How a scene file wants to be seen and written; everything else of it is in the wfScene.
typedef struct wfCameraDef {
    bool given; // false: frame everything automatically
    wfVec3 eye, target;
    float fov; // [degrees] vertical
} wfCameraDef;

typedef struct wfSceneFile {
    char title[256];
    wfCameraDef camera;
} wfSceneFile;

/// Reads a YAML (or JSON) scene file and creates everything in it. The scene is not yet committed.
/// overrides: `overrideCount` strings "key=value", as of `weft run --set`. `info` may be NULL.
WF_API wfScene* wfLoadScene(wfDevice* device, const char* path, const char* const* overrides, int overrideCount, wfSceneFile* info,
                            wfError* err);
