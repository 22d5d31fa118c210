// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/subdivide_scene.h"

#include <stdio.h>
#include <string.h>

// Old vertices keep their numbers, and an edge's new one lies in order of its ends, so what belongs to an object has the order within it
// that it would have had alone.

static const wfSubdivision* Last(const wfSubdivideScene* s) { return wfRefiner_GetLevel(s->refiner, s->levels - 1); }

/// To which cloth each vertex of the last level belongs.
static int* FindOwners(const wfSubdivideScene* s, wfArena* arena, wfError* err) {
    int* owner = wfArena_New(arena, int, Last(s)->vertexCount, "owners of vertices", err);
    if (owner == NULL) return NULL;
    for (int i = 0; i < s->cloths.partCount; ++i)
        for (int v = s->cloths.parts[i].firstVertex; v < s->cloths.parts[i + 1].firstVertex; ++v) owner[v] = i;
    for (int i = 0; i < s->levels; ++i) {
        const wfSubdivision* level = wfRefiner_GetLevel(s->refiner, i);
        for (int v = level->coarseCount; v < level->vertexCount; ++v) owner[v] = owner[level->ends[v - level->coarseCount][0]];
    }
    return owner;
}

static bool CutFlat(const wfSubdivideScene* s, const wfMesh* coarse, wfMesh* fine, wfError* err) {
    wfArena arena = {0};
    const wfFlatTriangle* flat = coarse->flat;
    bool ok = true;
    for (int i = 0, count = coarse->triangleCount; ok && i < s->levels; ++i) {
        count *= 4;
        wfFlatTriangle* next = i + 1 < s->levels ? wfArena_New(&arena, wfFlatTriangle, count, "flat shapes", err) : fine->flat;
        ok = next != NULL;
        if (ok) wfSplitFlat(flat, count / 4, next);
        flat = next;
    }
    wfArena_Free(&arena);
    return ok;
}

static bool MakeFine(wfSubdivideScene* s, int part, const wfMesh* coarse, const int* owner, int* local, wfError* err) {
    const wfSubdivision* last = Last(s);
    wfMesh* fine = &s->fine[part];
    int count = 0, first = s->cloths.parts[part].firstTriangle << (2 * s->levels), triangles = coarse->triangleCount << (2 * s->levels);
    for (int v = 0; v < last->vertexCount; ++v)
        if (owner[v] == part) local[v] = count++;
    WF_TRY(wfMesh_Create(fine, count, triangles, coarse->flat != NULL, err));
    s->places[part] = wfArena_New(&s->arena, int, count, "places of vertices", err);
    if (s->places[part] == NULL) return false;
    for (int v = 0; v < last->vertexCount; ++v)
        if (owner[v] == part) s->places[part][local[v]] = v;
    for (int t = 0; t < triangles; ++t)
        for (int k = 0; k < 3; ++k) fine->triangles[t].v[k] = local[last->triangles[first + t].v[k]];
    if (coarse->stitchCount > 0) { // between old vertices, whose numbers are the same
        fine->stitches = wfArena_Alloc(&fine->arena, (size_t)coarse->stitchCount, sizeof *fine->stitches, "stitches", err);
        if (fine->stitches == NULL) return false;
        memcpy(fine->stitches, coarse->stitches, (size_t)coarse->stitchCount * sizeof *fine->stitches);
        fine->stitchCount = coarse->stitchCount;
    }
    return coarse->flat == NULL || CutFlat(s, coarse, fine, err);
}

static bool MakeAllFine(wfSubdivideScene* s, const wfSubdivideDef* def, wfArena* scratch, wfError* err) {
    int* owner = FindOwners(s, scratch, err);
    int* local = wfArena_New(scratch, int, Last(s)->vertexCount, "numbers of vertices", err);
    s->fine = wfArena_New(&s->arena, wfMesh, def->cloths.count, "cloths", err);
    s->places = wfArena_New(&s->arena, int*, def->cloths.count, "cloths", err);
    if (owner == NULL || local == NULL || s->fine == NULL || s->places == NULL) return false;
    for (int i = 0; i < def->cloths.count; ++i) WF_TRY(MakeFine(s, i, def->cloths.meshes[i], owner, local, err));
    return true;
}

/// Objects are checked one by one, so that a message counts within the object it names.
static bool RequireManifold(const wfSubdivideObjects* cloths, wfError* err) {
    for (int i = 0; i < cloths->count; ++i) {
        const wfMesh* mesh = cloths->meshes[i];
        wfTopology topology = {0};
        bool ok = wfTopology_Create(&topology, mesh->triangles, mesh->triangleCount, mesh->vertexCount, err) &&
                  wfTopology_RequireManifold(&topology, cloths->names[i], err);
        wfTopology_Free(&topology);
        WF_TRY(ok);
    }
    return true;
}

bool wfSubdivideScene_Create(wfSubdivideScene* s, wfDevice* device, const wfSubdivideDef* def, wfError* err) {
    *s = (wfSubdivideScene){.levels = def->levels};
    WF_TRY(RequireManifold(&def->cloths, err));
    WF_TRY(wfCheckScene_Create(&s->cloths, def->cloths.meshes, def->cloths.names, def->cloths.count, err));
    WF_TRY(wfCheckScene_Create(&s->colliders, def->colliders.meshes, def->colliders.names, def->colliders.count, err));
    wfRefineDef refine = {.cloth = &s->cloths.mesh,
                          .colliders = &s->colliders.mesh,
                          .levels = def->levels,
                          .sharp = def->sharp,
                          .name = def->cloths.count == 1 ? def->cloths.names[0] : "all cloths together"};
    s->refiner = wfCreateRefiner(device, &refine, err);
    if (s->refiner == NULL) return false;
    wfArena scratch = {0};
    bool ok = MakeAllFine(s, def, &scratch, err);
    wfArena_Free(&scratch);
    return ok;
}

void wfSubdivideScene_Free(wfSubdivideScene* s) {
    for (int i = 0; s->fine != NULL && i < s->cloths.partCount; ++i) wfMesh_Free(&s->fine[i]);
    wfDestroyRefiner(s->refiner);
    wfCheckScene_Free(&s->cloths);
    wfCheckScene_Free(&s->colliders);
    wfArena_Free(&s->arena);
    *s = (wfSubdivideScene){0};
}

static void Distribute(wfSubdivideScene* s, const wfVec3* x) {
    for (int i = 0; i < s->cloths.partCount; ++i)
        for (int v = 0; v < s->fine[i].vertexCount; ++v) s->fine[i].positions[v] = x[s->places[i][v]];
}

static void Describe(const wfSubdivideScene* s, int triangle, char* text, size_t size) {
    bool collider = triangle >= s->cloths.mesh.triangleCount;
    if (collider) triangle -= s->cloths.mesh.triangleCount;
    const wfCheckPart* part = wfCheckScene_FindPart(collider ? &s->colliders : &s->cloths, triangle);
    snprintf(text, size, "triangle %d of %s%.64s", triangle - part->firstTriangle, collider ? "collider " : "", part->name);
}

bool wfSubdivideScene_Run(wfSubdivideScene* s, const char* label, wfRefineReport* report, wfError* err) {
    WF_TRY(wfRefiner_Run(s->refiner, s->cloths.mesh.positions, s->colliders.mesh.positions, report, err));
    if (report->refused) {
        char first[128], second[128], where[32] = "";
        Describe(s, report->first.a, first, sizeof first);
        Describe(s, report->first.b, second, sizeof second);
        if (report->level > 0) snprintf(where, sizeof where, " in level %d", report->level);
        return wfFail(err, wf_stepFailed, "%s: %s and %s meet%s (%lld pair%s), too deep to be pushed apart", label, first, second, where,
                      (long long)report->pairCount, report->pairCount == 1 ? "" : "s");
    }
    Distribute(s, wfRefiner_GetPositions(s->refiner));
    return true;
}

bool wfSubdivideScene_Smooth(wfSubdivideScene* s, wfError* err) {
    wfArena arena = {0};
    const wfVec3* x = s->cloths.mesh.positions;
    bool ok = true;
    for (int i = 0; ok && i < s->levels; ++i) {
        const wfSubdivision* level = wfRefiner_GetLevel(s->refiner, i);
        wfVec3* next = wfArena_New(&arena, wfVec3, level->vertexCount, "shape at rest", err);
        ok = next != NULL;
        if (ok) wfSubdivision_Smooth(level, x, next);
        x = next;
    }
    if (ok) Distribute(s, x);
    wfArena_Free(&arena);
    return ok;
}
