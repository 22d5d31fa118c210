// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene/scene.h"

#include "contact/untangle.h"

#include <stdio.h>

// A tangled start is untangled once, on the host. Colliders and what is pinned exactly stay where they are; cloth belongs on the outside of
// colliders, and cloths with a higher `layer` on the outside of those with a lower one.

enum { startRounds = 200 };

typedef struct Arrays {
    wfGathered all;
    bool* fixed;
    int *objectOf, *layerOf;
} Arrays;

static bool Fill(wfScene* scene, wfArena* arena, Arrays* a, wfError* err) {
    const wfModel* m = &scene->model;
    WF_TRY(wfScene_Gather(scene, arena, &a->all, err));
    a->fixed = wfArena_New(arena, bool, a->all.vertexCount, "fixed vertices", err);
    a->objectOf = wfArena_New(arena, int, a->all.vertexCount, "objects", err);
    a->layerOf = wfArena_New(arena, int, m->clothCount + scene->colliderCount, "layers", err);
    if (a->fixed == NULL || a->objectOf == NULL || a->layerOf == NULL) return false;
    int least = m->cloths[0].layer;
    for (int i = 1; i < m->clothCount; ++i) least = m->cloths[i].layer < least ? m->cloths[i].layer : least;
    for (int i = 0; i < m->clothCount; ++i) a->layerOf[i] = 1 + m->cloths[i].layer - least; // colliders: 0
    for (int v = 0; v < m->vertexCount; ++v) a->objectOf[v] = m->clothOf[v];
    for (int i = 0, v = m->vertexCount; i < scene->colliderCount; ++i)
        for (int k = 0; k < scene->colliders[i]->vertexCount; ++k, ++v) {
            a->objectOf[v] = m->clothCount + i;
            a->fixed[v] = true;
        }
    for (int i = 0; i < scene->pinCount; ++i) {
        const wfPinDef* pin = &scene->pins[i]->def;
        const wfCloth* cloth = wfScene_FindCloth(scene, pin->cloth, err);
        if (cloth == NULL) return false;
        for (int k = 0; k < pin->vertexCount && pin->stiffness == 0.0f; ++k) a->fixed[cloth->firstVertex + pin->vertices[k]] = true;
    }
    return true;
}

static void Upload(wfScene* scene, const wfVec3* positions) {
    size_t n = (size_t)scene->model.vertexCount;
    for (size_t first = 0; first < n; first += wf_stagingCount) {
        size_t piece = n - first < wf_stagingCount ? n - first : wf_stagingCount;
        for (size_t i = 0; i < piece; ++i) scene->staging[i] = wfMake4(positions[first + i], scene->model.mass[first + i]);
        wfUploadRange(scene->device, &scene->state.x, first, scene->staging, piece);
    }
    wfCopy(scene->device, &scene->state.xStart, &scene->state.x, n);
}

/// "2 CL/CL, 1 BLI"
static void NameContours(const int counts[wf_contourKindCount], char* text, size_t size) {
    size_t used = 0;
    text[0] = 0;
    for (int k = 0; k < wf_contourKindCount; ++k) {
        if (counts[k] == 0) continue;
        int n = snprintf(text + used, size - used, "%s%d %s", used > 0 ? ", " : "", counts[k], wfContourNames[k]);
        if (n > 0 && used + (size_t)n < size) used += (size_t)n;
    }
}

static bool Run(wfScene* scene, wfArena* arena, wfError* err) {
    Arrays a = {0};
    WF_TRY(Fill(scene, arena, &a, err));
    wfUntangleDef def = {
        .vertexCount = a.all.vertexCount,
        .triangleCount = a.all.triangleCount,
        .triangles = a.all.triangles,
        .fixed = a.fixed,
        .objectOf = a.objectOf,
        .layerOf = a.layerOf,
        .clearance = wf_untangleClearance,
        .rounds = startRounds,
    };
    wfUntangleReport report;
    wfUntangler* u = wfCreateUntangler(&def, err);
    bool ok = u != NULL && wfUntangler_Run(u, a.all.positions, &report, err);
    wfDestroyUntangler(u);
    if (!ok) return false;
    if (report.pairsAfter > 0) {
        char kinds[128];
        NameContours(report.contoursAfter, kinds, sizeof kinds);
        return wfFail(err, wf_badInput, "start: untangle: %lld of %lld intersecting pairs stay after %d rounds (contours: %s)",
                      (long long)report.pairsAfter, (long long)report.pairsBefore, report.rounds,
                      kinds[0] != 0 ? kinds : "none, they touch");
    }
    if (report.pairsBefore == 0) return true;
    Upload(scene, a.all.positions);
    wfStartReport* out = &scene->startReport;
    *out = (wfStartReport){report.pairsBefore, report.rounds, report.movedCount, (float)report.largest, (float)report.mean, -1, -1};
    if (report.farthest >= 0) {
        const wfClothRange* cloth = wfModel_FindCloth(&scene->model, report.farthest, &out->vertex);
        out->cloth = (int)(cloth - scene->model.cloths);
    }
    return wfDevice_Sync(scene->device, err);
}

bool wfScene_UntangleStart(wfScene* scene, wfError* err) {
    wfArena arena = {0};
    bool ok = Run(scene, &arena, err);
    wfArena_Free(&arena);
    return ok;
}

wfStartReport wfScene_GetStartReport(const wfScene* scene) { return scene->startReport; }
