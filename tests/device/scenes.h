// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// What tests that step whole scenes share.

#include "harness.h"

#include "scene/scene.h"

static inline wfMeshView ViewOf(const wfMesh* mesh) {
    return (wfMeshView){.positions = &mesh->positions[0].x,
                        .vertexCount = mesh->vertexCount,
                        .triangles = mesh->triangles[0].v,
                        .triangleCount = mesh->triangleCount};
}

typedef wfScene* MakeSceneFn(wfDevice* device, wfError* err);

/// Frames free of intersections from the first, with contacts; the positions of all cloths at the end, which the caller frees.
static inline float* RunClean(MakeSceneFn* make, wfDevice* device, int frames, size_t* count) {
    wfError err = {0};
    *count = 0;
    wfScene* scene = make(device, &err);
    ENSURE(scene != NULL, "%s", err.text);
    if (scene == NULL) return NULL;
    wfCertificate c = {0};
    int64_t most = 0;
    for (int frame = 1; frame <= frames; ++frame) {
        ENSURE(wfScene_StepFrame(scene, &err) && wfScene_Certify(scene, true, &c, &err), "%s", err.text);
        ENSURE(c.intersectingPairs == 0, "frame %d: %lld pairs intersect", frame, (long long)c.intersectingPairs);
        if (c.contacts > most) most = c.contacts;
    }
    ENSURE(most > 100, "never more than %lld contacts", (long long)most);
    *count = 3 * (size_t)scene->model.vertexCount;
    float *x = calloc(*count, sizeof *x), *to = x;
    for (int i = 0; i < wfScene_GetClothCount(scene); ++i) {
        wfClothId cloth = wfScene_GetCloth(scene, i);
        ENSURE(wfCloth_ReadPositions(scene, cloth, to, 3 * sizeof *x, &err), "%s", err.text);
        to += 3 * wfCloth_GetVertexCount(scene, cloth);
    }
    wfDestroyScene(scene);
    return x;
}

/// Contact makes small differences large (test_scene.c): any two CPU devices agree bit by bit, CUDA with itself.
static inline void CompareRuns(MakeSceneFn* make, int frames, wfDevice* reference, wfDevice* device) {
    bool cpu = wfDevice_GetKind(device) == wf_deviceCpu;
    size_t n, m;
    float *x = RunClean(make, device, frames, &n), *y = RunClean(make, cpu ? reference : device, frames, &m);
    ENSURE(n > 0 && n == m && memcmp(x, y, n * sizeof *x) == 0, "two runs differ");
    free(x);
    free(y);
}
