// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Small scenes for tests, made by hand through the public functions.

#include "check.h"

#include "weft/weft.h"

#include <stdlib.h>
#include <string.h>

static inline wfDevice* OpenCpu(int threads) {
    wfDeviceDef def = wfDefaultDeviceDef();
    def.kind = wf_deviceCpu;
    def.threadCount = threads;
    wfError err = {0};
    wfDevice* device = wfCreateDevice(&def, &err);
    if (device == NULL) fail_msg("%s", err.text);
    return device;
}

static inline wfScene* NewScene(wfDevice* device, const wfSceneDef* def) {
    wfError err = {0};
    wfScene* scene = wfCreateScene(device, def, &err);
    if (scene == NULL) fail_msg("%s", err.text);
    return scene;
}

typedef struct Grid {
    int n, m; // vertices along x and z
    float* positions;
    int* triangles;
} Grid;

/// A sheet in the plane of x and z with its first vertex at `corner`; vertex (i, j) has index j n + i; diagonals alternate.
static inline Grid MakeGrid(int n, int m, float width, float depth, wfVec3 corner) {
    Grid g = {n, m, malloc(3 * (size_t)(n * m) * sizeof(float)), malloc(6 * (size_t)((n - 1) * (m - 1)) * sizeof(int))};
    for (int j = 0; j < m; ++j) {
        for (int i = 0; i < n; ++i) {
            float* p = g.positions + 3 * (j * n + i);
            p[0] = corner.x + width * (float)i / (float)(n - 1);
            p[1] = corner.y;
            p[2] = corner.z + depth * (float)j / (float)(m - 1);
        }
    }
    int* t = g.triangles;
    for (int j = 0; j + 1 < m; ++j) {
        for (int i = 0; i + 1 < n; ++i) {
            int a = j * n + i, b = a + 1, c = a + n, d = c + 1;
            const int even[6] = {a, c, d, a, d, b}, odd[6] = {a, c, b, b, c, d};
            memcpy(t, (i + j) % 2 == 0 ? even : odd, sizeof even);
            t += 6;
        }
    }
    return g;
}

static inline void FreeGrid(Grid* g) {
    free(g->positions);
    free(g->triangles);
}

static inline wfClothDef GridCloth(const Grid* g, const char* name) {
    wfClothDef def = wfDefaultClothDef();
    strcpy(def.name, name);
    def.mesh = (wfMeshView){
        .positions = g->positions, .vertexCount = g->n * g->m, .triangles = g->triangles, .triangleCount = 2 * (g->n - 1) * (g->m - 1)};
    return def;
}

static inline wfClothId AddCloth(wfScene* scene, const wfClothDef* def) {
    wfError err = {0};
    wfClothId id = wfCreateCloth(scene, def, &err);
    if (WF_ID_IS_NULL(id)) fail_msg("%s", err.text);
    return id;
}

static inline wfColliderId AddCollider(wfScene* scene, const wfColliderDef* def) {
    wfError err = {0};
    wfColliderId id = wfCreateCollider(scene, def, &err);
    if (WF_ID_IS_NULL(id)) fail_msg("%s", err.text);
    return id;
}

static inline void AddPin(wfScene* scene, const wfPinDef* def) {
    wfError err = {0};
    if (WF_ID_IS_NULL(wfCreatePin(scene, def, &err))) fail_msg("%s", err.text);
}

static inline void Commit(wfScene* scene) {
    wfError err = {0};
    CHECK_OK(wfScene_Commit(scene, &err), err);
}

static inline void StepFrames(wfScene* scene, int count) {
    wfError err = {0};
    for (int i = 0; i < count; ++i) CHECK_OK(wfScene_StepFrame(scene, &err), err);
}

/// Positions and velocities of all cloths, one after the other; malloc'ed, 6 floats a vertex.
static inline float* ReadState(const wfScene* scene, size_t* count) {
    size_t n = 0, at = 0;
    for (int i = 0; i < wfScene_GetClothCount(scene); ++i) n += (size_t)wfCloth_GetVertexCount(scene, wfScene_GetCloth(scene, i));
    float* out = malloc(6 * n * sizeof(float));
    wfError err = {0};
    for (int i = 0; i < wfScene_GetClothCount(scene); ++i) {
        wfClothId id = wfScene_GetCloth(scene, i);
        CHECK_OK(wfCloth_ReadPositions(scene, id, out + at, 6 * sizeof(float), &err), err);
        CHECK_OK(wfCloth_ReadVelocities(scene, id, out + at + 3, 6 * sizeof(float), &err), err);
        at += 6 * (size_t)wfCloth_GetVertexCount(scene, id);
    }
    *count = 6 * n;
    return out;
}

/// Bit for bit.
static inline void CheckSameState(const wfScene* a, const wfScene* b) {
    size_t na, nb;
    float *p = ReadState(a, &na), *q = ReadState(b, &nb);
    assert_int_equal(na, nb);
    for (size_t i = 0; i < na; ++i) {
        if (memcmp(&p[i], &q[i], sizeof(float)) != 0) fail_msg("float %zu of vertex %zu: %a, %a", i % 6, i / 6, p[i], q[i]);
    }
    free(p);
    free(q);
}

static inline wfVec3 ReadVertex(const wfScene* scene, wfClothId id, int vertex) {
    float* out = malloc(3 * (size_t)wfCloth_GetVertexCount(scene, id) * sizeof(float));
    wfError err = {0};
    CHECK_OK(wfCloth_ReadPositions(scene, id, out, 12, &err), err);
    wfVec3 p = {out[3 * vertex], out[3 * vertex + 1], out[3 * vertex + 2]};
    free(out);
    return p;
}

/// A flat sheet of n x n vertices, and one of m x m `apart` above it whose middle is pushed down by 80 mm: where that is more, through it.
static inline void AddDentedPair(wfScene* scene, int n, int m, float height, float apart) {
    Grid flat = MakeGrid(n, n, 1.0f, 1.0f, (wfVec3){-0.5f, height, -0.5f});
    Grid bent = MakeGrid(m, m, 0.8f, 0.8f, (wfVec3){-0.41f, height + apart, -0.39f});
    for (int v = 0; v < m * m; ++v) {
        float* p = bent.positions + 3 * v;
        float r = (p[0] * p[0] + p[2] * p[2]) / 0.1f;
        if (r < 1.0f) p[1] -= 0.08f * (1.0f - r);
    }
    wfClothDef a = GridCloth(&flat, "flat"), b = GridCloth(&bent, "bent");
    AddCloth(scene, &a);
    AddCloth(scene, &b);
    FreeGrid(&flat);
    FreeGrid(&bent);
}
