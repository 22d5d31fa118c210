// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene/scene.h"

#include <math.h>
#include <string.h>

// Where colliders are, and the exact ones as contact sees them.

wfPose wfCollider_PoseAt(const wfCollider* collider, double time) { return wfMotion_At(&collider->motion, time); }

void wfCollider_PositionsAt(const wfCollider* collider, double time, float* out, size_t strideBytes) {
    wfPose pose = wfCollider_PoseAt(collider, time);
    const wfColliderDef* def = &collider->def;
    for (int i = 0; i < collider->vertexCount; ++i) {
        wfVec3 local = collider->positions[i];
        if (collider->sequence != NULL) {
            local = wfSequence_At(collider->sequence, def->sequenceCount, collider->vertexCount, def->sequenceRate, time, i);
        }
        wfVec3 p = wfPose_Apply(pose, local);
        memcpy((char*)out + (size_t)i * strideBytes, &p, sizeof p);
    }
}

bool wfScene_CreateShapes(wfScene* scene, wfError* err) {
    wfColliderSet* set = &scene->colliderSet;
    set->shapes = wfMakeBuffer(sizeof(wfShape), "scene.shapes");
    for (int i = 0; i < scene->colliderCount; ++i) {
        if (scene->colliders[i]->def.shape == wf_shapeMesh) {
            ++set->meshCount;
        } else {
            ++set->shapeCount;
        }
    }
    scene->shapes = wfArena_New(&scene->arena, wfShape, set->shapeCount, "collider shapes", err);
    scene->shapeOf = wfArena_New(&scene->arena, int, set->shapeCount, "collider shapes", err);
    if (scene->shapes == NULL || scene->shapeOf == NULL) return false;
    for (int i = 0, n = 0; i < scene->colliderCount; ++i) {
        const wfColliderDef* def = &scene->colliders[i]->def;
        if (def->shape == wf_shapeMesh) continue;
        scene->shapes[n].kind = (int)def->shape;
        scene->shapes[n].radius = def->radius;
        scene->shapes[n].half = wfScale(def->size, 0.5f);
        scene->shapes[n].surface = scene->clothCount + i;
        scene->shapeOf[n++] = i;
    }
    wfReserve(scene->device, &set->shapes, (size_t)set->shapeCount);
    return true;
}

static bool FindSame(wfScene* scene, wfCollider* collider, wfError* err) {
    if (collider->sequence == NULL) return true;
    size_t count = (size_t)collider->vertexCount;
    collider->sameSince = wfArena_New(&scene->arena, int, collider->def.sequenceCount, "frames of a collider", err);
    if (collider->sameSince == NULL) return false;
    for (int f = 1; f < collider->def.sequenceCount; ++f) {
        const wfVec3* frame = collider->sequence + (size_t)f * count;
        bool same = memcmp(frame, frame - count, count * sizeof *frame) == 0;
        collider->sameSince[f] = same ? collider->sameSince[f - 1] : f;
    }
    return true;
}

bool wfScene_CreateBodies(wfScene* scene, wfError* err) {
    wfColliderSet* set = &scene->colliderSet;
    set->from = wfMakeBuffer(sizeof(wfVec4), "scene.bodiesFrom");
    set->to = wfMakeBuffer(sizeof(wfVec4), "scene.bodiesTo");
    set->bodyCount = scene->colliderCount;
    size_t vertexCount = 0, triangleCount = 0;
    for (int i = 0; i < scene->colliderCount; ++i) {
        vertexCount += (size_t)scene->colliders[i]->vertexCount;
        triangleCount += (size_t)scene->colliders[i]->triangleCount;
    }
    if (vertexCount > wf_maxMeshElements || triangleCount > wf_maxMeshElements)
        return wfFail(err, wf_badInput, "scene: colliders have %zu vertices and %zu triangles in all, at most %d of each are possible",
                      vertexCount, triangleCount, wf_maxMeshElements);
    set->vertexCount = (int)vertexCount;
    set->triangleCount = (int)triangleCount;
    set->bodies = wfArena_New(&scene->arena, wfBodyRange, set->bodyCount, "colliders", err);
    set->triangles = wfArena_New(&scene->arena, wfTriangle, triangleCount, "triangles of colliders", err);
    set->first = wfArena_New(&scene->arena, wfVec3, vertexCount, "vertices of colliders", err);
    set->kept = wfArena_New(&scene->arena, wfVec3, vertexCount, "vertices of colliders", err);
    scene->bodyPositions = wfArena_New(&scene->arena, wfVec4, 2 * vertexCount, "vertices of colliders", err);
    if (set->bodies == NULL || set->triangles == NULL || set->first == NULL || set->kept == NULL || scene->bodyPositions == NULL)
        return false;
    for (int i = 0, v = 0, t = 0; i < scene->colliderCount; ++i) {
        wfCollider* collider = scene->colliders[i];
        WF_TRY(FindSame(scene, collider, err));
        set->bodies[i] = (wfBodyRange){.name = collider->def.name,
                                       .firstVertex = v,
                                       .vertexCount = collider->vertexCount,
                                       .firstTriangle = t,
                                       .triangleCount = collider->triangleCount,
                                       .infinite = collider->def.shape == wf_shapePlane,
                                       .mesh = collider->def.shape == wf_shapeMesh,
                                       .rigid = collider->sequence == NULL,
                                       .keeps = collider->sequence == NULL,
                                       .since = collider->sequence == NULL ? 0.0 : NAN,
                                       .first = wfCollider_PoseAt(collider, wfMotionTime(0.0))};
        wfCollider_PositionsAt(collider, wfMotionTime(0.0), &set->first[v].x, sizeof *set->first);
        for (int k = 0; k < collider->triangleCount; ++k, ++t)
            for (int c = 0; c < 3; ++c) set->triangles[t].v[c] = v + collider->triangles[k].v[c];
        v += collider->vertexCount;
    }
    memcpy(set->kept, set->first, vertexCount * sizeof *set->kept);
    wfReserve(scene->device, &set->from, vertexCount);
    wfReserve(scene->device, &set->to, vertexCount);
    scene->bodiesAt = NAN;
    return true;
}

static void PlaceBodies(const wfScene* scene, double time, wfVec4* positions) {
    const wfColliderSet* set = &scene->colliderSet;
    for (int i = 0; i < set->bodyCount; ++i) {
        wfVec4* out = positions + set->bodies[i].firstVertex;
        wfCollider_PositionsAt(scene->colliders[i], wfMotionTime(time), &out->x, sizeof *out);
    }
}

/// Whether a sequence keeps its shape between two times, and since when: found by its frames alone, so that a run that goes on from a
/// checkpoint finds the same.
static void KeepShape(const wfCollider* collider, double start, double end, wfBodyRange* body, wfVec3* kept) {
    double last = collider->def.sequenceCount - 1.0, rate = (double)collider->def.sequenceRate;
    int first = collider->sameSince[(int)fmin(fmax(start * rate, 0.0), last)];
    body->keeps = first == collider->sameSince[(int)ceil(fmin(fmax(end * rate, 0.0), last))];
    if (!body->keeps || body->since == first / rate) return;
    body->since = first / rate;
    body->first = wfCollider_PoseAt(collider, body->since);
    const wfVec3* frame = collider->sequence + (size_t)first * (size_t)collider->vertexCount;
    for (int v = 0; v < collider->vertexCount; ++v) kept[v] = wfPose_Apply(body->first, frame[v]);
}

void wfScene_MoveBodies(wfScene* scene, double start, double end) {
    wfColliderSet* set = &scene->colliderSet;
    size_t count = (size_t)set->vertexCount;
    if (set->bodyCount == 0) return;
    bool still = !isnan(scene->bodiesAt);
    for (int i = 0; i < set->bodyCount; ++i) {
        const wfCollider* collider = scene->colliders[i];
        wfBodyRange* body = &set->bodies[i];
        body->start = wfCollider_PoseAt(collider, wfMotionTime(start));
        body->end = wfCollider_PoseAt(collider, wfMotionTime(end));
        if (collider->sequence != NULL) KeepShape(collider, wfMotionTime(start), wfMotionTime(end), body, set->kept + body->firstVertex);
        still = still && collider->motion.keyCount <= 1 && collider->sequence == NULL;
    }
    set->still = still;
    if (still) return;
    wfVec4 *from = scene->bodyPositions, *to = from + count;
    if (start == scene->bodiesAt) { // as from step to step
        memcpy(from, to, count * sizeof *from);
        wfCopy(scene->device, &set->from, &set->to, count);
    } else {
        PlaceBodies(scene, start, from);
        wfUpload(scene->device, &set->from, from, count);
    }
    PlaceBodies(scene, end, to);
    wfUpload(scene->device, &set->to, to, count);
    for (int i = 0; i < set->bodyCount; ++i) {
        wfBodyRange* body = &set->bodies[i];
        body->moves = memcmp(from + body->firstVertex, to + body->firstVertex, (size_t)body->vertexCount * sizeof *to) != 0;
    }
    scene->bodiesAt = end;
}

void wfScene_MoveShapes(wfScene* scene, double start, double end) {
    const wfColliderSet* set = &scene->colliderSet;
    if (set->shapeCount == 0) return;
    for (int i = 0; i < set->shapeCount; ++i) {
        const wfCollider* collider = scene->colliders[scene->shapeOf[i]];
        scene->shapes[i].start = wfCollider_PoseAt(collider, wfMotionTime(start));
        scene->shapes[i].end = wfCollider_PoseAt(collider, wfMotionTime(end));
    }
    wfUpload(scene->device, &scene->colliderSet.shapes, scene->shapes, (size_t)set->shapeCount);
}
