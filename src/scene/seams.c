// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Seams: two sides become a list of ties when the seam is created, so that what is wrong with it is told where it was written; at commit
// the ties become the stitches of the model, with the lengths their threads have at the start.

enum { seamCookie = 0x7766534D, sidePlaceSize = wf_placeSize + 8 };

wfSeamDef wfDefaultSeamDef(void) {
    wfSeamDef def = {.cookie = seamCookie};
    wfParamTable_SetDefaults(&wfSeamParams, &def);
    return def;
}

void wfScene_FreeSeam(wfSeam* seam) {
    if (seam == NULL) return;
    free(seam->ties);
    free(seam);
}

static bool SeamNameIsTaken(const wfScene* scene, const char* name) {
    for (int i = 0; i < scene->seamCount; ++i) {
        if (strcmp(scene->seams[i]->def.name, name) == 0) return true;
    }
    return false;
}

static bool CheckSide(const wfScene* scene, const wfSeamSide* side, const char* place, wfError* err) {
    if (!wfCloth_IsValid(scene, side->cloth)) return wfFail(err, wf_badInput, "%s: cloth: expected a cloth of this scene", place);
    if (side->vertices == NULL || side->vertexCount < 1) {
        return wfFail(err, wf_badInput, "%s: vertices: expected at least one, got %s", place, side->vertices == NULL ? "NULL" : "none");
    }
    const wfCloth* cloth = scene->cloths[side->cloth.index1 - 1];
    for (int i = 0; i < side->vertexCount; ++i) {
        if (side->vertices[i] < 0 || side->vertices[i] >= cloth->def.mesh.vertexCount) {
            return wfFail(err, wf_badInput, "%s: vertices[%d]: expected 0 to %d, the vertices of cloth \"%s\", got %d", place, i,
                          cloth->def.mesh.vertexCount - 1, cloth->def.name, side->vertices[i]);
        }
    }
    return true;
}

static bool NewTies(wfSeam* seam, size_t count, const char* place, wfError* err) {
    seam->ties = calloc(count, sizeof *seam->ties);
    return seam->ties != NULL || wfFail(err, wf_outOfMemory, "%s: out of memory", place);
}

static bool MatchVertices(wfSeam* seam, const char* place, wfError* err) {
    const wfSeamSide *a = &seam->def.a, *b = &seam->def.b;
    if (a->vertexCount != b->vertexCount) {
        return wfFail(err, wf_badInput, "%s: expected as many vertices on both sides, got %d and %d", place, a->vertexCount,
                      b->vertexCount);
    }
    WF_TRY(NewTies(seam, (size_t)a->vertexCount, place, err));
    for (int k = 0; k < a->vertexCount; ++k) seam->ties[k] = (wfTie){0, a->vertices[k], {b->vertices[k], b->vertices[k]}, 0.0f};
    seam->tieCount = a->vertexCount;
    return true;
}

static bool FindRun(wfScene* scene, const wfSeamSide* side, wfArena* arena, wfRun* out, const char* place, wfError* err) {
    wfCloth* cloth = scene->cloths[side->cloth.index1 - 1];
    if (cloth->boundary.next == NULL) WF_TRY(wfBoundary_Create(&cloth->boundary, &cloth->def.mesh, place, err));
    return wfBoundary_FindRun(&cloth->boundary, side->vertices, side->vertexCount, arena, out, place, err);
}

// Two runs of one cloth may meet at their ends, as the sides of a dart do.
static bool RequireApart(const wfRun* a, const wfRun* b, int vertexCount, wfArena* arena, const char* place, wfError* err) {
    bool* inner = wfArena_New(arena, bool, vertexCount, "a seam", err);
    if (inner == NULL) return false;
    for (int k = 1; k + 1 < a->count; ++k) inner[a->vertices[k]] = true;
    for (int k = 0; k < b->count; ++k) {
        if (inner[b->vertices[k]]) return wfFail(err, wf_badInput, "%s: both sides go through vertex %d", place, b->vertices[k]);
    }
    for (int k = 1; k + 1 < b->count; ++k) {
        if (b->vertices[k] == a->vertices[0] || b->vertices[k] == a->vertices[a->count - 1]) {
            return wfFail(err, wf_badInput, "%s: both sides go through vertex %d", place, b->vertices[k]);
        }
    }
    return true;
}

static bool MatchLengths(wfScene* scene, wfSeam* seam, const char* place, const char* placeA, const char* placeB, wfArena* arena,
                         wfError* err) {
    const wfSeamSide *sideA = &seam->def.a, *sideB = &seam->def.b;
    wfRun a, b;
    WF_TRY(FindRun(scene, sideA, arena, &a, placeA, err));
    WF_TRY(FindRun(scene, sideB, arena, &b, placeB, err));
    if (sideA->cloth.index1 == sideB->cloth.index1) {
        WF_TRY(RequireApart(&a, &b, scene->cloths[sideA->cloth.index1 - 1]->def.mesh.vertexCount, arena, place, err));
    }
    WF_TRY(NewTies(seam, (size_t)a.count + (size_t)b.count, place, err));
    seam->tieCount = wfSewRuns(&a, &b, seam->ties);
    return true;
}

// A vertex need not be sewn to itself: the tip of a dart.
static bool DropClosedTies(wfSeam* seam, const char* place, wfError* err) {
    if (seam->def.a.cloth.index1 != seam->def.b.cloth.index1) return true;
    int count = 0;
    for (int k = 0; k < seam->tieCount; ++k) {
        const wfTie* tie = &seam->ties[k];
        if (tie->share != 0.0f || tie->vertex != tie->at[0]) seam->ties[count++] = *tie;
    }
    seam->tieCount = count;
    return count > 0 || wfFail(err, wf_badInput, "%s: every vertex would be sewn to itself", place);
}

static bool FillSeam(wfScene* scene, wfSeam* seam, const char* place, wfError* err) {
    char placeA[sidePlaceSize], placeB[sidePlaceSize];
    snprintf(placeA, sizeof placeA, "%s: a", place);
    snprintf(placeB, sizeof placeB, "%s: b", place);
    if (seam->def.match != wf_matchLengths && seam->def.match != wf_matchVertices) {
        return wfFail(err, wf_badInput, "%s: match: expected lengths or vertices, got %d", place, (int)seam->def.match);
    }
    WF_TRY(CheckSide(scene, &seam->def.a, placeA, err));
    WF_TRY(CheckSide(scene, &seam->def.b, placeB, err));
    wfArena arena = {0};
    bool ok = seam->def.match == wf_matchVertices ? MatchVertices(seam, place, err)
                                                  : MatchLengths(scene, seam, place, placeA, placeB, &arena, err);
    wfArena_Free(&arena);
    seam->def.a.vertices = seam->def.b.vertices = NULL;
    return ok && DropClosedTies(seam, place, err);
}

wfSeamId wfCreateSeam(wfScene* scene, const wfSeamDef* def, wfError* err) {
    char place[wf_placeSize], name[wf_nameSize] = "";
    if (def != NULL) memcpy(name, def->name, sizeof name);
    if (!wfScene_OpenObject(scene, "seam", scene == NULL ? 0 : scene->seamCount, &wfSeamParams, def,
                            def != NULL && def->cookie == seamCookie, name, SeamNameIsTaken, place, err) ||
        !wfGrow((void**)&scene->seams, &scene->seamCapacity, (size_t)scene->seamCount + 1, sizeof *scene->seams, "seams", err)) {
        return wf_nullSeam;
    }
    wfSeam* seam = calloc(1, sizeof *seam);
    if (seam == NULL) {
        wfFail(err, wf_outOfMemory, "%s: out of memory", place);
        return wf_nullSeam;
    }
    seam->def = *def;
    memcpy(seam->def.name, name, sizeof name);
    if (!FillSeam(scene, seam, place, err)) {
        wfScene_FreeSeam(seam);
        return wf_nullSeam;
    }
    scene->seams[scene->seamCount++] = seam;
    return (wfSeamId){scene->seamCount, scene->generation};
}

int wfSeam_GetStitchCount(const wfScene* scene, wfSeamId id) {
    bool fits = id.index1 >= 1 && id.index1 <= scene->seamCount && id.generation == scene->generation;
    return fits ? scene->seams[id.index1 - 1]->tieCount : 0;
}

// ---- at commit ----------------------------------------------------------------------------------------------------------------

static wfStitch MakeStitch(const wfScene* scene, int seamIndex, const wfTie* tie) {
    const wfSeam* seam = scene->seams[seamIndex];
    const wfSeamSide *own = tie->side == 0 ? &seam->def.a : &seam->def.b, *other = tie->side == 0 ? &seam->def.b : &seam->def.a;
    int v0 = scene->cloths[own->cloth.index1 - 1]->firstVertex, v1 = scene->cloths[other->cloth.index1 - 1]->firstVertex;
    const wfVec3* x = scene->model.start;
    wfStitch s = {.v = {v0 + tie->vertex, v1 + tie->at[0], v1 + tie->at[1]},
                  .share = tie->share,
                  .stiffness = seam->def.stiffness,
                  .seam = seamIndex};
    s.length = wfDistance(x[s.v[0]], wfLerp(x[s.v[1]], x[s.v[2]], s.share));
    return s;
}

bool wfScene_BuildStitches(wfScene* scene, wfError* err) {
    wfModel* m = &scene->model;
    int64_t count = 0;
    for (int i = 0; i < scene->seamCount; ++i) count += scene->seams[i]->tieCount;
    if (count > wf_maxMeshElements) return wfFail(err, wf_badInput, "scene: %lld stitches are too many", (long long)count);
    wfStitch* stitches = wfArena_New(&scene->arena, wfStitch, count, "stitches", err);
    wfSeamTiming* seams = wfArena_New(&scene->arena, wfSeamTiming, scene->seamCount, "seams", err);
    if (stitches == NULL || seams == NULL) return false;
    for (int i = 0; i < scene->seamCount; ++i) {
        const wfSeam* seam = scene->seams[i];
        seams[i] = (wfSeamTiming){(double)seam->def.start - (double)scene->def.preroll, seam->def.close};
        for (int k = 0; k < seam->tieCount; ++k) stitches[m->stitchCount++] = MakeStitch(scene, i, &seam->ties[k]);
    }
    m->seamCount = scene->seamCount;
    m->stitches = stitches;
    m->seams = seams;
    return true;
}
