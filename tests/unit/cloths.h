// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Cloth for tests of collision: a sheet with its topology, folded or crumpled, and a motion of it.

#include "check.h"
#include "compute/device.h"
#include "math/noise.h"
#include "mesh/generate.h"
#include "mesh/pleats.h"
#include "mesh/topology.h"

#include <stdlib.h>

typedef enum Shape { ShapeFlat, ShapeFolded, ShapeCrumpled, ShapeCount } Shape;

typedef struct Cloth {
    wfMesh mesh;
    wfTopology topology;
    wfVec4 *start, *end;
    wfBuffer x, xEnd; // on the device of the last UploadCloth
} Cloth;

static inline wfVec3 Swirl(wfVec3 p, float size, float amount, int seed) {
    wfVec3 q = wfScale(p, 1.0f / size);
    return wfMake3(p.x + amount * wfNoise3(q, seed), p.y + amount * wfNoise3(q, seed + 1), p.z + amount * wfNoise3(q, seed + 2));
}

/// Edges of 10 mm; n vertices a side. The motion moves vertices by up to about 15 mm.
static inline Cloth MakeCloth(int n, Shape shape, int seed) {
    Cloth c = {0};
    wfError err = {0};
    wfGenerateDef def = wfDefaultGenerateDef();
    def.n = def.m = n;
    def.size = wfMake3(0.01f * (float)(n - 1), 1.0f, 0.01f * (float)(n - 1));
    def.pattern = wf_patternIrregular;
    def.seed = seed;
    CHECK_OK(wfGenerate(&c.mesh, &def, &err), err);
    CHECK_OK(wfTopology_Create(&c.topology, c.mesh.triangles, c.mesh.triangleCount, c.mesh.vertexCount, &err), err);
    if (shape != ShapeFlat) wfLayIntoPleats(c.mesh.positions, c.mesh.vertexCount, 0.06f, 0.012f, 0.004f);
    c.start = calloc((size_t)c.mesh.vertexCount, sizeof *c.start);
    c.end = calloc((size_t)c.mesh.vertexCount, sizeof *c.end);
    for (int i = 0; i < c.mesh.vertexCount; ++i) {
        wfVec3 p = c.mesh.positions[i];
        if (shape == ShapeCrumpled) p = Swirl(Swirl(p, 0.05f, 0.03f, seed + 7), 0.02f, 0.01f, seed + 11);
        c.start[i] = wfMake4(p, 0.0f);
        c.end[i] = wfMake4(Swirl(p, 0.04f, 0.02f, seed + 21), 0.0f);
    }
    c.x = wfMakeBuffer(sizeof(wfVec4), "test.x");
    c.xEnd = wfMakeBuffer(sizeof(wfVec4), "test.x_end");
    return c;
}

static inline void UploadCloth(wfDevice* device, Cloth* c) {
    wfUpload(device, &c->x, c->start, (size_t)c->mesh.vertexCount);
    wfUpload(device, &c->xEnd, c->end, (size_t)c->mesh.vertexCount);
}

static inline void FreeCloth(wfDevice* device, Cloth* c) {
    wfFreeBuffer(device, &c->x);
    wfFreeBuffer(device, &c->xEnd);
    wfTopology_Free(&c->topology);
    wfMesh_Free(&c->mesh);
    free(c->start);
    free(c->end);
}

static inline wfDevice* OpenCpu(int threads) {
    wfError err = {0};
    wfDeviceDef def = wfDefaultDeviceDef();
    def.kind = wf_deviceCpu;
    def.threadCount = threads;
    wfDevice* device = wfCreateDevice(&def, &err);
    CHECK_OK(device != NULL, err);
    return device;
}
