// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene/scene.h"

#include "base/clock.h"
#include "collide/intersect.h"
#include "compute/primitives.h"
#include "mesh/sewn.h"

#include <limits.h>
#include <stdio.h>

// The certificate: what is known of the current state, and nothing that nobody has looked at.

static bool SumEnergies(wfScene* scene, wfCertificate* out, wfError* err) {
    wfDevice* device = scene->device;
    int n = scene->state.vertexCount;
    float* energy = (float*)wfData(&scene->backupX, wfVec4); // four floats a vertex, two of them needed
    StateEnergyArgs args = {
        .x = wfData(&scene->state.x, wfVec4),
        .v = wfData(&scene->state.v, wfVec4),
        .gravity = scene->def.gravity,
        .kinetic = energy,
        .potential = energy + n,
    };
    wfLaunch(device, StateEnergy, n, &args);
    float* sums = wfData(&scene->sums, float);
    wfSum(device, args.kinetic, sums, n, &scene->scratch);
    wfSum(device, args.potential, sums + 1, n, &scene->scratch);
    float host[2];
    WF_TRY(wfDownload(device, host, &scene->sums, 0, 2, err));
    out->kineticEnergy = host[0];
    out->gravityEnergy = host[1];
    return true;
}

bool wfScene_Gather(wfScene* scene, wfArena* arena, wfGathered* out, wfError* err) {
    const wfModel* m = &scene->model;
    size_t vertexCount = (size_t)m->vertexCount, triangleCount = (size_t)m->triangleCount;
    for (int i = 0; i < scene->colliderCount; ++i) {
        vertexCount += (size_t)scene->colliders[i]->vertexCount;
        triangleCount += (size_t)scene->colliders[i]->triangleCount;
    }
    if (vertexCount > wf_maxMeshElements || triangleCount > wf_maxMeshElements) {
        return wfFail(err, wf_badInput, "certificate: %zu triangles, of cloths and colliders, are too many to check", triangleCount);
    }
    *out = (wfGathered){.vertexCount = (int)vertexCount, .triangleCount = (int)triangleCount};
    out->positions = wfArena_New(arena, wfVec3, vertexCount, "positions to check", err);
    out->triangles = wfArena_New(arena, wfTriangle, triangleCount, "triangles to check", err);
    out->ignore = wfArena_New(arena, bool, triangleCount, "triangles to check", err);
    if (out->positions == NULL || out->triangles == NULL || out->ignore == NULL) return false;
    for (int i = 0; i < scene->clothCount; ++i) {
        wfClothId id = wfScene_GetCloth(scene, i);
        WF_TRY(wfCloth_ReadPositions(scene, id, &out->positions[m->cloths[i].firstVertex].x, sizeof(wfVec3), err));
    }
    for (int t = 0; t < m->triangleCount; ++t) out->triangles[t] = m->triangles[t];
    int v0 = m->vertexCount, t0 = m->triangleCount;
    for (int i = 0; i < scene->colliderCount; ++i) {
        const wfCollider* collider = scene->colliders[i];
        wfCollider_PositionsAt(collider, wfMotionTime(scene->time), &out->positions[v0].x, sizeof(wfVec3));
        for (int t = 0; t < collider->triangleCount; ++t) {
            for (int k = 0; k < 3; ++k) out->triangles[t0 + t].v[k] = v0 + collider->triangles[t].v[k];
            out->ignore[t0 + t] = true;
        }
        v0 += collider->vertexCount;
        t0 += collider->triangleCount;
    }
    return true;
}

// The meeting pairs of cloths and colliders, the first `limit` of them with their triangles: those of the cloths, then of the colliders.
static bool FindPairs(wfScene* scene, wfArena* arena, int limit, wfIntersections* out, wfError* err) {
    const wfModel* m = &scene->model;
    wfGathered all;
    WF_TRY(wfScene_Gather(scene, arena, &all, err));
    int(*sewn)[2] = wfArena_Alloc(arena, (size_t)m->stitchCount, sizeof *sewn, "stitches", err), count = 0;
    if (sewn == NULL) return false;
    for (int s = 0; s < m->stitchCount; ++s) { // vertex to vertex
        const int* v = m->stitches[s].v;
        if (v[1] != v[2]) continue;
        sewn[count][0] = v[0];
        sewn[count++][1] = v[1];
    }
    WF_TRY(wfJoinSewn(all.positions, all.vertexCount, (const int(*)[2])sewn, count, all.triangles, all.triangles, all.triangleCount, err));
    return wfFindIntersections(all.positions, all.triangles, all.triangleCount, all.ignore, limit, arena, out, err);
}

// `cloth "name", triangle 4`, of a triangle as FindPairs numbers them.
static void NameTriangle(const wfScene* scene, int triangle, char text[wf_placeSize + 32]) {
    const wfModel* m = &scene->model;
    for (int i = 0; i < m->clothCount; ++i) {
        const wfClothRange* cloth = &m->cloths[i];
        if (triangle < cloth->firstTriangle + cloth->triangleCount) {
            snprintf(text, wf_placeSize + 32, "cloth \"%s\", triangle %d", cloth->name, triangle - cloth->firstTriangle);
            return;
        }
    }
    triangle -= m->triangleCount;
    int i = 0;
    while (triangle >= scene->colliders[i]->triangleCount) triangle -= scene->colliders[i++]->triangleCount;
    snprintf(text, wf_placeSize + 32, "collider \"%s\", triangle %d", scene->colliders[i]->def.name, triangle);
}

bool wfScene_RequireClean(wfScene* scene, wfErrorCode code, const char* rule, wfError* err) {
    wfArena arena = {0};
    wfIntersections found = {0};
    bool ok = FindPairs(scene, &arena, 1, &found, err);
    if (ok && found.count > 0) {
        char a[wf_placeSize + 32], b[wf_placeSize + 32];
        NameTriangle(scene, found.pairs[0].a, a);
        NameTriangle(scene, found.pairs[0].b, b);
        ok = wfFail(err, code, "contact \"%s\" %s: %s meets %s (%lld pairs in all)", scene->parts.contact->name, rule, a, b,
                    (long long)found.count);
    }
    wfArena_Free(&arena);
    return ok;
}

// How many of the pairs are of a collider and a triangle with a pinched vertex.
static int64_t CountPinched(const wfModel* m, const wfIntersections* found, const int* pinched) {
    int64_t count = 0;
    for (int64_t i = 0; i < found->count; ++i) {
        if (found->pairs[i].b < m->triangleCount) continue;
        const int* v = m->triangles[found->pairs[i].a].v;
        count += pinched[v[0]] != 0 || pinched[v[1]] != 0 || pinched[v[2]] != 0;
    }
    return count;
}

static void NamePinch(const wfScene* scene, const int* pinched, wfCertificate* out) {
    const wfModel* m = &scene->model;
    int v = 0;
    while (v < m->vertexCount && pinched[v] == 0) ++v;
    if (v == m->vertexCount) return;
    out->pinchedCloth = m->clothOf[v];
    out->pinchedColliders[0] = (pinched[v] - 1) / scene->colliderCount;
    out->pinchedColliders[1] = (pinched[v] - 1) % scene->colliderCount;
}

static bool CheckPairs(wfScene* scene, const int* pinched, wfCertificate* out, wfError* err) {
    double begin = wfSeconds();
    wfArena arena = {0};
    wfIntersections found = {0};
    bool ok = FindPairs(scene, &arena, pinched != NULL ? INT_MAX : 0, &found, err);
    out->pinchedPairs = ok && pinched != NULL ? CountPinched(&scene->model, &found, pinched) : 0;
    out->intersectingPairs = found.count - out->pinchedPairs;
    wfArena_Free(&arena);
    out->stageSeconds[wf_stageCheck] += wfSeconds() - begin;
    return ok;
}

// What bodies pinch, and the pairs that meet.
static bool CheckCloth(wfScene* scene, bool checkPairs, wfCertificate* out, wfError* err) {
    out->pinchedVertices = scene->state.pinchedCount;
    if (out->pinchedVertices == 0) return !checkPairs || CheckPairs(scene, NULL, out, err);
    wfArena arena = {0};
    int* pinched = wfArena_New(&arena, int, scene->model.vertexCount, "pinched cloth", err);
    bool ok = pinched != NULL && wfDownload(scene->device, pinched, &scene->state.pinched, 0, (size_t)scene->model.vertexCount, err);
    if (ok) NamePinch(scene, pinched, out);
    ok = ok && (!checkPairs || CheckPairs(scene, pinched, out, err));
    wfArena_Free(&arena);
    return ok;
}

bool wfScene_Certify(wfScene* scene, bool checkPairs, wfCertificate* out, wfError* err) {
    WF_TRY(wfScene_RequireCommitted(scene, "wfScene_Certify", err));
    const wfStepParts* parts = &scene->parts;
    *out = (wfCertificate){
        .frame = scene->frame,
        .time = scene->time,
        .stepCount = scene->stepsSinceCertificate,
        .selfContact = parts->contact->selfContact,
        .meshContact = parts->contact->meshContact,
        .intersectingPairs = -1,
        .contacts = -1,
        .worstStretchCloth = -1,
        .worstStretchVertex = -1,
        .pinchedPairs = -1,
        .pinchedCloth = -1,
        .pinchedColliders = {-1, -1},
        .rounds = {-1, -1, -1},
    };
    wfDevice_CollectTimes(scene->device, out->stageSeconds);
    wfStepContext ctx = wfScene_Context(scene, scene->time, scene->def.time_step);
    wfMeasure measure = {.worstVertex = -1};
    WF_TRY(parts->dynamics->measure(parts->dynamicsSelf, &ctx, &measure, err));
    out->elasticEnergy = measure.elasticEnergy;
    out->worstStretch = measure.worstVertex < 0 ? NAN : measure.worstStretch;
    if (measure.worstVertex >= 0) {
        const wfClothRange* cloth = wfModel_FindCloth(&scene->model, measure.worstVertex, &out->worstStretchVertex);
        out->worstStretchCloth = (int)(cloth - scene->model.cloths);
    }
    WF_TRY(SumEnergies(scene, out, err));
    if (scene->stepped && parts->contact->count != NULL) out->contacts = parts->contact->count(parts->contactSelf, &ctx);
    if (parts->contact->rounds != NULL) out->rounds = parts->contact->rounds(parts->contactSelf);
    WF_TRY(CheckCloth(scene, checkPairs, out, err));
    WF_TRY(wfDevice_Sync(scene->device, err));
    scene->stepsSinceCertificate = 0;
    return true;
}
