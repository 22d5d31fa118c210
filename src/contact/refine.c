// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/refine.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Rounding: a middle of an edge that is rounded to a float leaves the surface by up to half a unit in the last place in each coordinate,
// 2^-24 of the largest. Two layers farther apart than 2 sqrt(3) times that cannot meet by it, so the motions keep a little more; what was
// nearer to begin with, and folds that are sharper than rounding, are found by the exact test of the cut surface and pushed apart.

static const float separationUnits = 4.0f; // of FLT_EPSILON times the largest coordinate; 2 sqrt(3) / 2 would do
// Shares of the mean edge of a level: what is left between triangles that were pushed apart, and how deep in each other
// they may have been.
static const double pushShare = 1e-3, reachShare = 0.25;

typedef struct Level {
    wfSubdivision made; // not of the input
    const wfTopology* topology;
    wfSurfaces surfaces;
    wfTriangle* triangles;
    bool* ignore;
    wfSafeMove* move;
} Level;

struct wfRefiner {
    wfDevice* device;
    wfArena arena;
    wfTopology input;
    wfSharp sharp;
    wfTriangle* colliderTriangles;
    int colliderVertices, colliderCount;
    wfObstacles obstacles;
    Level level[wf_maxRefineLevels + 1];
    int levels;
    wfVec3* wanted;
};

static bool MakeSurfaces(wfRefiner* r, Level* level, wfError* err) {
    const wfTopology* t = level->topology;
    int64_t vertices = (int64_t)t->vertexCount + r->colliderVertices, triangles = (int64_t)t->triangleCount + r->colliderCount;
    if (vertices > wf_maxMeshElements || triangles > wf_maxMeshElements)
        return wfFail(err, wf_badInput, "more than %d vertices or triangles with the colliders", wf_maxMeshElements);
    wfSurfaces* s = &level->surfaces;
    s->vertexCount = (int)vertices;
    s->triangleCount = (int)triangles;
    s->clothVertexCount = t->vertexCount;
    s->clothTriangleCount = t->triangleCount;
    level->triangles = wfArena_New(&r->arena, wfTriangle, triangles, "triangles", err);
    level->ignore = wfArena_New(&r->arena, bool, triangles, "marks of colliders", err);
    s->x = wfArena_New(&r->arena, wfVec3, vertices, "positions", err);
    if (level->triangles == NULL || level->ignore == NULL || s->x == NULL) return false;
    s->triangles = level->triangles;
    s->ignore = level->ignore;
    memcpy(level->triangles, t->triangles, (size_t)t->triangleCount * sizeof(wfTriangle));
    for (int i = 0; i < r->colliderCount; ++i) {
        for (int k = 0; k < 3; ++k) level->triangles[t->triangleCount + i].v[k] = r->colliderTriangles[i].v[k] + t->vertexCount;
        level->ignore[t->triangleCount + i] = true;
    }
    level->move = wfCreateSafeMove(r->device, t, err);
    return level->move != NULL;
}

static bool TakeColliders(wfRefiner* r, const wfMesh* colliders, wfError* err) {
    if (colliders == NULL || colliders->triangleCount == 0) return true;
    r->colliderTriangles = wfArena_New(&r->arena, wfTriangle, colliders->triangleCount, "colliders", err);
    if (r->colliderTriangles == NULL) return false;
    memcpy(r->colliderTriangles, colliders->triangles, (size_t)colliders->triangleCount * sizeof(wfTriangle));
    r->colliderVertices = colliders->vertexCount;
    r->colliderCount = colliders->triangleCount;
    return wfObstacles_Create(&r->obstacles, r->device, r->colliderTriangles, r->colliderCount, r->colliderVertices, err);
}

static bool Build(wfRefiner* r, const wfRefineDef* def, wfError* err) {
    wfMeshView view = wfMesh_View(def->cloth);
    wfTriangle* triangles = wfArena_New(&r->arena, wfTriangle, def->cloth->triangleCount, "triangles", err);
    if (triangles == NULL) return false;
    memcpy(triangles, def->cloth->triangles, (size_t)def->cloth->triangleCount * sizeof *triangles);
    // Said before any level is made: the one before the last that fits takes minutes and gigabytes.
    int64_t last = (int64_t)def->cloth->triangleCount << (2 * def->levels);
    if (last > wf_maxMeshElements / 8)
        return wfFail(err, wf_badInput, "%s: %lld triangles after subdivision, expected at most %d", def->name, (long long)last,
                      wf_maxMeshElements / 8);
    WF_TRY(wfTopology_Create(&r->input, triangles, def->cloth->triangleCount, def->cloth->vertexCount, err));
    WF_TRY(wfFindSharp(&r->input, &view, &def->sharp, &r->arena, &r->sharp, err));
    WF_TRY(TakeColliders(r, def->colliders, err));
    const wfTopology* topology = &r->input;
    const wfSharp* sharp = &r->sharp;
    for (int i = 0; i <= def->levels; ++i) {
        Level* level = &r->level[i];
        r->levels = i;
        if (i > 0) {
            WF_TRY(wfSubdivision_Create(&level->made, topology, sharp, def->name, err));
            topology = &level->made.topology;
            sharp = &level->made.sharp;
        }
        level->topology = topology;
        WF_TRY(MakeSurfaces(r, level, err));
    }
    r->wanted = wfArena_New(&r->arena, wfVec3, topology->vertexCount, "smooth places", err);
    return r->wanted != NULL;
}

wfRefiner* wfCreateRefiner(wfDevice* device, const wfRefineDef* def, wfError* err) {
    wfRefiner* r = calloc(1, sizeof *r);
    if (r == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for subdivision");
        return NULL;
    }
    r->device = device;
    if (def->levels < 1 || def->levels > wf_maxRefineLevels) {
        wfFail(err, wf_badInput, "levels: expected 1 to %d, got %d", wf_maxRefineLevels, def->levels);
    } else if (Build(r, def, err)) {
        return r;
    }
    wfDestroyRefiner(r);
    return NULL;
}

void wfDestroyRefiner(wfRefiner* r) {
    if (r == NULL) return;
    for (int i = 0; i <= r->levels; ++i) {
        wfDestroySafeMove(r->level[i].move);
        wfSubdivision_Free(&r->level[i].made);
    }
    wfObstacles_Free(&r->obstacles);
    wfTopology_Free(&r->input);
    wfArena_Free(&r->arena);
    free(r);
}

const wfSubdivision* wfRefiner_GetLevel(const wfRefiner* r, int level) { return &r->level[level + 1].made; }
const wfVec3* wfRefiner_GetPositions(const wfRefiner* r) { return r->level[r->levels].surfaces.x; }

// ---- a frame ------------------------------------------------------------------------------------------------------------------

static float RoundingOf(const wfSurfaces* s) {
    wfVec3 lo, hi;
    wfMesh_Bounds(s->x, s->vertexCount, &lo, &hi);
    lo = wfMax3(wfScale(lo, -1.0f), hi);
    return separationUnits * FLT_EPSILON * fmaxf(fmaxf(fmaxf(lo.x, lo.y), lo.z), FLT_MIN / FLT_EPSILON);
}

static double MeanEdge(const wfTopology* t, const wfVec3* x) {
    double sum = 0.0;
    for (int e = 0; e < t->edgeCount; ++e) sum += (double)wfDistance(x[t->edges[e].v[0]], x[t->edges[e].v[1]]);
    return t->edgeCount > 0 ? sum / t->edgeCount : 0.0;
}

/// Pushes apart what meets in a level.
static bool Mend(wfRefiner* r, int index, float rounding, wfRefineReport* report, wfError* err) {
    Level* level = &r->level[index];
    double edge = MeanEdge(level->topology, level->surfaces.x);
    wfSeparateDef def = {.separation = fmaxf((float)(pushShare * edge), 2.0f * rounding), .reach = (float)(reachShare * edge)};
    wfSeparateReport mended;
    WF_TRY(wfSeparate(&level->surfaces, &def, level->move, r->colliderCount > 0 ? &r->obstacles : NULL, &mended, err));
    if (index == 0) report->inputPairs = mended.before;
    report->pushedCount += mended.movedCount;
    report->pushed = fmaxf(report->pushed, mended.farthest);
    if (mended.pairCount == 0) return true;
    report->refused = true;
    report->level = index;
    report->pairCount = mended.before;
    report->first = mended.worst;
    int* ends[2] = {&report->first.a, &report->first.b};
    int cloth = r->input.triangleCount;
    for (int k = 0; k < 2; ++k) {
        int past = *ends[k] - level->surfaces.clothTriangleCount;
        *ends[k] = past >= 0 ? cloth + past : *ends[k] >> (2 * index);
    }
    return true;
}

bool wfRefiner_Run(wfRefiner* r, const wfVec3* cloth, const wfVec3* colliders, wfRefineReport* report, wfError* err) {
    *report = (wfRefineReport){0};
    wfObstacles* obstacles = r->colliderCount > 0 ? &r->obstacles : NULL;
    for (int i = 0; i <= r->levels; ++i) {
        wfSurfaces* s = &r->level[i].surfaces;
        if (r->colliderCount > 0) memcpy(s->x + s->clothVertexCount, colliders, (size_t)r->colliderVertices * sizeof(wfVec3));
    }
    wfSurfaces* s = &r->level[0].surfaces;
    if (s->clothVertexCount > 0) memcpy(s->x, cloth, (size_t)s->clothVertexCount * sizeof(wfVec3));
    float rounding = RoundingOf(s);
    if (obstacles != NULL) wfObstacles_Place(obstacles, colliders);
    WF_TRY(Mend(r, 0, rounding, report, err));
    for (int i = 1; i <= r->levels && !report->refused; ++i) {
        const wfVec3* coarse = r->level[i - 1].surfaces.x;
        s = &r->level[i].surfaces;
        wfSubdivision_Split(&r->level[i].made, coarse, s->x);
        WF_TRY(Mend(r, i, rounding, report, err));
        if (report->refused) break;
        wfSubdivision_Smooth(&r->level[i].made, coarse, r->wanted);
        wfMoveReport moved;
        WF_TRY(wfSafeMove_Advance(r->level[i].move, s->x, r->wanted, obstacles, rounding, s->x, &moved, err));
        report->stoppedCount = moved.stoppedCount;
        report->rounds = moved.rounds > report->rounds ? moved.rounds : report->rounds;
        report->pairs = moved.pairs;
    }
    if (report->refused) return true;
    // Collision detection has proven it; the exact test says it once more, of what is written.
    wfArena arena = {0};
    wfIntersections met = {0};
    bool ok = wfFindIntersections(s->x, s->triangles, s->triangleCount, s->ignore, 1, &arena, &met, err);
    if (ok && met.count > 0) ok = wfFail(err, wf_stepFailed, "subdivision made %lld triangles meet", (long long)met.count);
    wfArena_Free(&arena);
    return ok;
}
