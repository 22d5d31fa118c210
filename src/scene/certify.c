// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene/scene.h"

#include "base/clock.h"
#include "collide/intersect.h"
#include "compute/primitives.h"

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

static bool CountPairs(wfScene* scene, wfArena* arena, int64_t* out, wfError* err) {
    const wfModel* m = &scene->model;
    size_t vertexCount = (size_t)m->vertexCount, triangleCount = (size_t)m->triangleCount;
    for (int i = 0; i < scene->colliderCount; ++i) {
        vertexCount += (size_t)scene->colliders[i]->vertexCount;
        triangleCount += (size_t)scene->colliders[i]->triangleCount;
    }
    if (vertexCount > wf_maxMeshElements || triangleCount > wf_maxMeshElements) {
        return wfFail(err, wf_badInput, "certificate: %zu triangles, of cloths and colliders, are too many to check", triangleCount);
    }
    wfVec3* positions = wfArena_New(arena, wfVec3, vertexCount, "positions to check", err);
    wfTriangle* triangles = wfArena_New(arena, wfTriangle, triangleCount, "triangles to check", err);
    bool* ignore = wfArena_New(arena, bool, triangleCount, "triangles to check", err);
    if (positions == NULL || triangles == NULL || ignore == NULL) return false;
    for (int i = 0; i < scene->clothCount; ++i) {
        wfClothId id = wfScene_GetCloth(scene, i);
        WF_TRY(wfCloth_ReadPositions(scene, id, &positions[m->cloths[i].firstVertex].x, sizeof(wfVec3), err));
    }
    for (int t = 0; t < m->triangleCount; ++t) triangles[t] = m->triangles[t];
    int v0 = m->vertexCount, t0 = m->triangleCount;
    for (int i = 0; i < scene->colliderCount; ++i) {
        const wfCollider* collider = scene->colliders[i];
        wfCollider_PositionsAt(collider, wfMotionTime(scene->time), &positions[v0].x, sizeof(wfVec3));
        for (int t = 0; t < collider->triangleCount; ++t) {
            for (int k = 0; k < 3; ++k) triangles[t0 + t].v[k] = v0 + collider->triangles[t].v[k];
            ignore[t0 + t] = true;
        }
        v0 += collider->vertexCount;
        t0 += collider->triangleCount;
    }
    wfIntersections found = {0};
    WF_TRY(wfFindIntersections(positions, triangles, t0, ignore, 0, arena, &found, err));
    *out = found.count;
    return true;
}

static bool CheckPairs(wfScene* scene, wfCertificate* out, wfError* err) {
    double begin = wfSeconds();
    wfArena arena = {0};
    bool ok = CountPairs(scene, &arena, &out->intersectingPairs, err);
    wfArena_Free(&arena);
    out->stageSeconds[wf_stageCheck] += wfSeconds() - begin;
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
    if (checkPairs) WF_TRY(CheckPairs(scene, out, err));
    WF_TRY(wfDevice_Sync(scene->device, err));
    scene->stepsSinceCertificate = 0;
    return true;
}
