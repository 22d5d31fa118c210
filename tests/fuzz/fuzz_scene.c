// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT

// Feeds bytes to the scene reader. A first line "#set key=value" is also an override. Meshes are one small square whatever is asked for:
// readers and generators have tests of their own, and a sheet of 20000 x 20000 vertices is a fair wish that no fuzzer should grant.

#include "io/scene_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// One for the whole run; it stays open to the end of the program.
static wfDevice* Device(void) {
    static wfDevice* s_device;
    wfDeviceDef def = wfDefaultDeviceDef();
    def.kind = wf_deviceCpu;
    def.threadCount = 1;
    if (s_device == NULL) s_device = wfCreateDevice(&def, NULL);
    if (s_device == NULL) abort();
    return s_device;
}

static bool MakeSquare(wfMesh* out, bool withFlat, wfError* err) {
    static const wfVec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {1, 0, -1}, {0, 0, -1}};
    if (!wfMesh_Create(out, 4, 2, withFlat, err)) return false;
    memcpy(out->positions, corners, sizeof corners);
    out->triangles[0] = (wfTriangle){{0, 1, 2}};
    out->triangles[1] = (wfTriangle){{0, 2, 3}};
    for (int i = 0; withFlat && i < 6; ++i) {
        const wfVec3* corner = &corners[out->triangles[i / 3].v[i % 3]];
        out->flat[i / 3].corner[i % 3] = (wfVec2){corner->x, -corner->z};
    }
    return true;
}

static bool ReadSquare(wfMesh* out, const char* path, wfError* err) { return MakeSquare(out, strstr(path, "flat") != NULL, err); }

static bool GenerateSquare(wfMesh* out, const wfGenerateDef* def, wfError* err) { return MakeSquare(out, def->shape == wf_makeSheet, err); }

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const wfMeshSource squares = {ReadSquare, GenerateSquare};
    char setting[256] = "";
    const char* overrides[] = {setting};
    if (size > 5 && memcmp(data, "#set ", 5) == 0) {
        const uint8_t* end = memchr(data, '\n', size);
        size_t length = end == NULL ? 0 : (size_t)(end - data) - 5;
        if (length < sizeof setting) memcpy(setting, data + 5, length);
    }
    wfError err = {0};
    wfSceneFile info;
    wfScene* scene = wfParseScene(Device(), (const char*)data, size, "fuzz.yaml", overrides, setting[0] != 0, &squares, &info, &err);
    // A refusal says why, on one line; a success says nothing.
    if ((scene == NULL) != (err.code != wf_ok) || (scene == NULL) != (err.text[0] != 0) || strchr(err.text, '\n') != NULL) abort();
    wfDestroyScene(scene);
    return 0;
}
