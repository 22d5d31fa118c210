// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The scene reader below wfLoadScene: it takes bytes in memory and its meshes from wherever the caller says, which is what tests and the
// fuzzer need.

#include "mesh/generate.h"
#include "weft/io.h"

#include <stdio.h>

typedef struct wfMeshSource {
    bool (*read)(wfMesh* out, const char* path, wfError* err);
    bool (*generate)(wfMesh* out, const wfGenerateDef* def, wfError* err);
} wfMeshSource;

extern const wfMeshSource wfMeshesFromFiles; // wfReadMesh, wfGenerate

/// As wfLoadScene, of `size` bytes that stand for the file `name`.
wfScene* wfParseScene(wfDevice* device, const char* bytes, size_t size, const char* name, const char* const* overrides, int overrideCount,
                      const wfMeshSource* meshes, wfSceneFile* info, wfError* err);

/// Writes the whole scene reference and the table of fabrics as Markdown.
void wfWriteSceneReference(FILE* out);
