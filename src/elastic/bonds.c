// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "elastic/bonds.h"

#include "elastic/springs.h"
#include "elastic/stitches.h"

typedef struct Bonds {
    wfSparseEntry* entries;
    size_t count;
} Bonds;

static void Add(Bonds* bonds, int i, int j, double stiffness) {
    if (!(stiffness > 0.0) || i == j) return;
    bonds->entries[bonds->count++] = (wfSparseEntry){i, j, -stiffness};
    bonds->entries[bonds->count++] = (wfSparseEntry){j, i, -stiffness};
    bonds->entries[bonds->count++] = (wfSparseEntry){i, i, stiffness};
    bonds->entries[bonds->count++] = (wfSparseEntry){j, j, stiffness};
}

static void AddElement(Bonds* bonds, const wfModel* model, int triangle, wfMembraneModel membrane) {
    const int* v = model->triangles[triangle].v;
    wfElementD e = wfMakeElement(&model->flat[triangle]);
    wfPlanarD law = wfMakePlanar(&model->cloths[model->clothOf[v[0]]].fabric, membrane);
    double u[3], w[3], lawU, lawV;
    wfPlanar_Bounds(&law, &lawU, &lawV);
    for (int k = 0; k < 3; ++k) wfElement_ShapeD(&e, k, &u[k], &w[k]);
    for (int k = 0; k < 3; ++k) {
        int m = (k + 1) % 3;
        Add(bonds, v[k], v[m], -e.area * (lawU * u[k] * u[m] + lawV * w[k] * w[m]));
    }
}

static void AddStitch(Bonds* bonds, const wfStitch* stitch) {
    for (int k = 1; k < 3; ++k) Add(bonds, stitch->v[0], stitch->v[k], stitch->stiffness * fabs(wfStitch_WeightD(stitch->share, k)));
}

bool wfFindBonds(wfSparse* out, wfArena* arena, const wfModel* model, const wfElasticDef* def, wfError* err) {
    bool springs = def->membrane == wf_membraneSprings;
    size_t most = (springs ? (size_t)model->topology->edgeCount : 3 * (size_t)model->triangleCount) + 2 * (size_t)model->stitchCount;
    wfArena scratch = {0};
    Bonds bonds = {.entries = wfArena_New(&scratch, wfSparseEntry, 4 * most, "bonds", err)};
    bool ok = bonds.entries != NULL;
    for (int e = 0; ok && springs && e < model->topology->edgeCount; ++e) {
        wfSpring spring = wfSpring_Along(model, e);
        Add(&bonds, spring.v[0], spring.v[1], spring.stiffness);
    }
    for (int t = 0; ok && !springs && t < model->triangleCount; ++t) AddElement(&bonds, model, t, def->membrane);
    for (int s = 0; ok && s < model->stitchCount; ++s) AddStitch(&bonds, &model->stitches[s]);
    ok = ok && wfSparse_Gather(out, arena, model->vertexCount, model->vertexCount, bonds.entries, bonds.count, err);
    wfArena_Free(&scratch);
    return ok;
}
