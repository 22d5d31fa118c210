// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// A generated sheet as a model, for tests of what works on models.

#include "check.h"

#include "mesh/generate.h"
#include "mesh/model.h"
#include "weft/weft.h"

#include <stdlib.h>

typedef struct Patch {
    wfMesh mesh;
    wfTopology topology;
    wfClothRange cloth;
    float *mass, *area;
    int* clothOf;
    wfModel model;
} Patch;

/// A sheet of width x (along the warp) and depth z, lying in y = 0, with n vertices along x. Free with FreePatch.
static inline void MakePatch(Patch* patch, float width, float depth, int n, wfSheetPattern pattern, const wfFabric* fabric) {
    wfError err = {0};
    wfGenerateDef def = wfDefaultGenerateDef();
    def.shape = wf_makeSheet;
    def.size = wfMake3(width, 1.0f, depth);
    def.n = n;
    def.pattern = pattern;
    *patch = (Patch){0};
    CHECK_OK(wfGenerate(&patch->mesh, &def, &err), err);
    const wfMesh* mesh = &patch->mesh;
    CHECK_OK(wfTopology_Create(&patch->topology, mesh->triangles, mesh->triangleCount, mesh->vertexCount, &err), err);
    patch->mass = calloc((size_t)mesh->vertexCount, sizeof(float));
    patch->area = calloc((size_t)mesh->vertexCount, sizeof(float));
    patch->clothOf = calloc((size_t)mesh->vertexCount, sizeof(int));
    assert_non_null(patch->mass);
    assert_non_null(patch->area);
    assert_non_null(patch->clothOf);
    for (int t = 0; t < mesh->triangleCount; ++t) {
        const wfVec2* c = mesh->flat[t].corner;
        float area = 0.5f * fabsf((c[1].x - c[0].x) * (c[2].y - c[0].y) - (c[2].x - c[0].x) * (c[1].y - c[0].y));
        for (int k = 0; k < 3; ++k) {
            patch->area[mesh->triangles[t].v[k]] += area / 3.0f;
            patch->mass[mesh->triangles[t].v[k]] += area / 3.0f * fabric->density;
        }
    }
    patch->cloth =
        (wfClothRange){.name = "patch", .vertexCount = mesh->vertexCount, .triangleCount = mesh->triangleCount, .fabric = *fabric};
    patch->model = (wfModel){
        .vertexCount = mesh->vertexCount,
        .triangleCount = mesh->triangleCount,
        .clothCount = 1,
        .start = mesh->positions,
        .triangles = mesh->triangles,
        .flat = mesh->flat,
        .mass = patch->mass,
        .area = patch->area,
        .clothOf = patch->clothOf,
        .cloths = &patch->cloth,
        .topology = &patch->topology,
    };
}

static inline void FreePatch(Patch* patch) {
    wfTopology_Free(&patch->topology);
    wfMesh_Free(&patch->mesh);
    free(patch->mass);
    free(patch->area);
    free(patch->clothOf);
}
