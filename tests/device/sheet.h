// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// A crumpled sheet of irregular triangles with random velocities and a few held vertices, for tests of one kernel or a few.

#include "harness.h"

#include "mesh/generate.h"
#include "mesh/model.h"

#include <stdlib.h>

typedef struct Sheet {
    wfMesh mesh;
    wfTopology topology;
    wfFlatTriangle* flat;
    wfClothRange cloth;
    float *mass, *area;
    int* clothOf;
    wfModel model;
    wfVec4 *x, *v, *target;
} Sheet;

/// Fills everything from sheet->mesh.
static inline void Sheet_Finish(Sheet* sheet) {
    const wfMesh* mesh = &sheet->mesh;
    wfMeshView view = wfMesh_View(mesh);
    size_t n = (size_t)mesh->vertexCount;
    wfError err = {0};
    sheet->flat = calloc((size_t)mesh->triangleCount, sizeof *sheet->flat);
    ENSURE(wfReferenceShape(&view, "sheet", sheet->flat, &err), "%s", err.text);
    ENSURE(wfTopology_Create(&sheet->topology, mesh->triangles, mesh->triangleCount, mesh->vertexCount, &err), "%s", err.text);
    sheet->mass = calloc(n, sizeof(float));
    sheet->area = calloc(n, sizeof(float));
    sheet->clothOf = calloc(n, sizeof(int));
    sheet->x = calloc(n, sizeof(wfVec4));
    sheet->v = calloc(n, sizeof(wfVec4));
    sheet->target = calloc(n, sizeof(wfVec4));
    wfFabric fabric = {.density = 0.2f, .stretch = 500.0f, .shear = 100.0f, .bending = 1e-5f, .thickness = 1e-3f};
    sheet->cloth =
        (wfClothRange){.name = "sheet", .vertexCount = mesh->vertexCount, .triangleCount = mesh->triangleCount, .fabric = fabric};
    for (int t = 0; t < mesh->triangleCount; ++t) {
        const wfVec2* c = sheet->flat[t].corner;
        float area = 0.5f * fabsf((c[1].x - c[0].x) * (c[2].y - c[0].y) - (c[2].x - c[0].x) * (c[1].y - c[0].y));
        for (int k = 0; k < 3; ++k) sheet->area[mesh->triangles[t].v[k]] += area / 3.0f;
    }
    uint32_t seed = 12345;
    for (size_t i = 0; i < n; ++i) {
        float d[6];
        for (int k = 0; k < 6; ++k) d[k] = NextFloat(&seed);
        sheet->mass[i] = fabric.density * sheet->area[i];
        sheet->x[i] = wfMake4(wfMulAdd(mesh->positions[i], 2e-3f, wfMake3(d[0], d[1], d[2])), sheet->mass[i]);
        sheet->v[i] = wfMake4(wfMake3(d[3], d[4], d[5]), 0.0f);
        sheet->target[i] = sheet->x[i];
        sheet->target[i].w = i % 97 == 0 ? -1.0f : 0.0f;
    }
    sheet->model = (wfModel){
        .vertexCount = mesh->vertexCount,
        .triangleCount = mesh->triangleCount,
        .clothCount = 1,
        .start = mesh->positions,
        .triangles = mesh->triangles,
        .flat = sheet->flat,
        .mass = sheet->mass,
        .area = sheet->area,
        .clothOf = sheet->clothOf,
        .cloths = &sheet->cloth,
        .topology = &sheet->topology,
    };
}

/// 1 m by 1 m, so many vertices a side; or a ball of radius 0.25 m with edges of a twentieth of it.
static inline void Sheet_Create(Sheet* sheet, int side, bool ball) {
    *sheet = (Sheet){0};
    wfGenerateDef def = wfDefaultGenerateDef();
    wfError err = {0};
    def.shape = ball ? wf_makeSphere : wf_makeSheet;
    def.edge = 0.0125f;
    def.n = ball ? 0 : side;
    def.pattern = wf_patternIrregular;
    ENSURE(wfGenerate(&sheet->mesh, &def, &err), "%s", err.text);
    Sheet_Finish(sheet);
}

static inline void Sheet_Free(Sheet* sheet) {
    wfTopology_Free(&sheet->topology);
    wfMesh_Free(&sheet->mesh);
    void* arrays[] = {sheet->flat, sheet->mass, sheet->area, sheet->clothOf, sheet->x, sheet->v, sheet->target};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; ++k) free(arrays[k]);
}

static inline void Sheet_Upload(const Sheet* sheet, wfDevice* device, wfState* state) {
    size_t n = (size_t)sheet->model.vertexCount;
    *state = (wfState){.vertexCount = sheet->model.vertexCount,
                       .x = wfMakeBuffer(sizeof(wfVec4), "x"),
                       .v = wfMakeBuffer(sizeof(wfVec4), "v"),
                       .xStart = wfMakeBuffer(sizeof(wfVec4), "xStart"),
                       .target = wfMakeBuffer(sizeof(wfVec4), "target")};
    wfUpload(device, &state->x, sheet->x, n);
    wfUpload(device, &state->v, sheet->v, n);
    wfUpload(device, &state->xStart, sheet->x, n);
    wfUpload(device, &state->target, sheet->target, n);
}

static inline void Sheet_FreeState(wfDevice* device, wfState* state) {
    wfBuffer* buffers[] = {&state->x, &state->v, &state->xStart, &state->target};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(device, buffers[k]);
}

static inline float LargestApart(const wfVec4* a, const wfVec4* b, int count) {
    float most = 0.0f;
    for (int i = 0; i < count; ++i) {
        float d = wfDistance(wfXyz(a[i]), wfXyz(b[i]));
        if (!(d <= most)) most = d; // NaN stays
    }
    return most;
}
