// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene/scene.h"

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
