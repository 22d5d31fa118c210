// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/check_scene.h"

#include "mesh/sewn.h"

#include <string.h>

enum { maxPairs = 10000000 };

bool wfCheckScene_Create(wfCheckScene* scene, const wfMesh* const* meshes, const char* const* names, int count, wfError* err) {
    *scene = (wfCheckScene){.partCount = count};
    int64_t vertices = 0, triangles = 0, stitches = 0;
    scene->parts = wfArena_New(&scene->arena, wfCheckPart, count + 1, "parts", err);
    if (scene->parts == NULL) return false;
    for (int i = 0; i <= count; ++i) {
        scene->parts[i] = (wfCheckPart){i < count ? names[i] : NULL, (int)vertices, (int)triangles};
        if (i == count) break;
        vertices += meshes[i]->vertexCount;
        triangles += meshes[i]->triangleCount;
        stitches += meshes[i]->stitchCount;
        if (vertices > wf_maxMeshElements || triangles > wf_maxMeshElements) {
            return wfFail(err, wf_badInput, "%s: more than %d vertices or triangles in all", names[i], wf_maxMeshElements);
        }
    }
    WF_TRY(wfMesh_Create(&scene->mesh, (int)vertices, (int)triangles, false, err));
    wfMesh* all = &scene->mesh;
    all->stitches = wfArena_Alloc(&all->arena, (size_t)stitches, sizeof *all->stitches, "stitches", err);
    if (all->stitches == NULL) return false;
    for (int i = 0; i < count; ++i) {
        const wfCheckPart* part = &scene->parts[i];
        memcpy(scene->mesh.positions + part->firstVertex, meshes[i]->positions, (size_t)meshes[i]->vertexCount * sizeof(wfVec3));
        for (int t = 0; t < meshes[i]->triangleCount; ++t) {
            for (int k = 0; k < 3; ++k)
                scene->mesh.triangles[part->firstTriangle + t].v[k] = meshes[i]->triangles[t].v[k] + part->firstVertex;
        }
        for (int s = 0; s < meshes[i]->stitchCount; ++s, ++all->stitchCount) {
            for (int k = 0; k < 2; ++k) all->stitches[all->stitchCount][k] = meshes[i]->stitches[s][k] + part->firstVertex;
        }
    }
    return true;
}

void wfCheckScene_Free(wfCheckScene* scene) {
    wfMesh_Free(&scene->mesh);
    wfArena_Free(&scene->arena);
}

const wfCheckPart* wfCheckScene_FindPart(const wfCheckScene* scene, int triangle) {
    int lo = 0, hi = scene->partCount; // the part is in [lo, hi); parts without triangles are passed over
    while (hi - lo > 1) {
        int middle = lo + (hi - lo) / 2;
        if (scene->parts[middle].firstTriangle <= triangle) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    return &scene->parts[lo];
}

bool wfCheckScene_Search(const wfCheckScene* scene, bool withGap, wfCheckResult* out, wfError* err) {
    *out = (wfCheckResult){.hasGap = withGap};
    const wfMesh* m = &scene->mesh;
    const wfTriangle* triangles = m->triangles;
    if (m->stitchCount > 0) {
        wfTriangle* joined = wfArena_New(&out->arena, wfTriangle, m->triangleCount, "triangles", err);
        WF_TRY(joined != NULL && wfJoinSewn(m->positions, m->vertexCount, (const int(*)[2])m->stitches, m->stitchCount, m->triangles,
                                            joined, m->triangleCount, err));
        triangles = joined;
    }
    WF_TRY(wfFindIntersections(m->positions, triangles, m->triangleCount, scene->ignore, maxPairs, &out->arena, &out->found, err));
    out->stored = out->found.count < maxPairs ? (int)out->found.count : maxPairs;
    if (withGap) WF_TRY(wfFindGap(m->positions, triangles, m->triangleCount, scene->ignore, &out->gap, err));
    return true;
}

void wfCheckResult_Free(wfCheckResult* result) { wfArena_Free(&result->arena); }
