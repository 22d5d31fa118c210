// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// What the fuzzers of mesh readers share: whatever the bytes, a reader either gives a mesh that later steps may trust, or says why not.

#include "io/mesh_file.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

typedef bool (*wfParseMeshFn)(wfMesh* out, const char* bytes, size_t size, const char* name, wfError* err);

static inline void wfRequire(bool condition) {
    if (!condition) abort();
}

static inline int wfFuzzMesh(wfParseMeshFn parse, const uint8_t* data, size_t size) {
    wfMesh mesh = {0};
    wfError err = {0};
    if (!parse(&mesh, (const char*)data, size, "fuzz", &err)) {
        wfRequire(err.code != wf_ok && err.text[0] != 0 && mesh.arena.first == NULL);
        return 0;
    }
    wfRequire(err.code == wf_ok && mesh.vertexCount > 0);
    wfRequire((size_t)mesh.vertexCount <= size && (size_t)mesh.triangleCount <= size && (size_t)mesh.stitchCount <= size);
    for (int i = 0; i < mesh.vertexCount; ++i) wfRequire(wfIsFinite3(mesh.positions[i]));
    for (int i = 0; i < mesh.triangleCount; ++i) {
        for (int k = 0; k < 3; ++k) {
            wfRequire(mesh.triangles[i].v[k] >= 0 && mesh.triangles[i].v[k] < mesh.vertexCount);
            if (mesh.flat != NULL) wfRequire(isfinite(mesh.flat[i].corner[k].x) && isfinite(mesh.flat[i].corner[k].y));
        }
    }
    for (int i = 0; i < mesh.stitchCount; ++i) {
        for (int k = 0; k < 2; ++k) wfRequire(mesh.stitches[i][k] >= 0 && mesh.stitches[i][k] < mesh.vertexCount);
    }
    wfMesh_Free(&mesh);
    return 0;
}
