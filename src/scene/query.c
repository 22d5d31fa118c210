// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene/scene.h"

#include "base/assert.h"

// What is in a scene, and where it is.

static bool IdFits(const wfScene* scene, int32_t index1, uint32_t generation, int count) {
    return index1 >= 1 && index1 <= count && generation == scene->generation;
}

bool wfCloth_IsValid(const wfScene* scene, wfClothId id) { return IdFits(scene, id.index1, id.generation, scene->clothCount); }
bool wfCollider_IsValid(const wfScene* scene, wfColliderId id) { return IdFits(scene, id.index1, id.generation, scene->colliderCount); }

wfCloth* wfScene_FindCloth(const wfScene* scene, wfClothId id, wfError* err) {
    if (wfCloth_IsValid(scene, id)) return scene->cloths[id.index1 - 1];
    wfFail(err, wf_badInput, "cloth id %d: not a cloth of this scene", id.index1);
    return NULL;
}

wfCollider* wfScene_FindCollider(const wfScene* scene, wfColliderId id, wfError* err) {
    if (wfCollider_IsValid(scene, id)) return scene->colliders[id.index1 - 1];
    wfFail(err, wf_badInput, "collider id %d: not a collider of this scene", id.index1);
    return NULL;
}

void wfScene_SetClothLine(wfScene* scene, wfClothId id, int line) {
    wfCloth* cloth = wfScene_FindCloth(scene, id, NULL);
    if (cloth != NULL) cloth->line = line;
}

void wfScene_SetColliderLine(wfScene* scene, wfColliderId id, int line) {
    wfCollider* collider = wfScene_FindCollider(scene, id, NULL);
    if (collider != NULL) collider->line = line;
}

bool wfScene_RequireCommitted(const wfScene* scene, const char* call, wfError* err) {
    return scene->phase == wf_sceneCommitted || wfFail(err, wf_badInput, "%s: the scene has not been committed", call);
}

int wfScene_GetClothCount(const wfScene* scene) { return scene->clothCount; }
int wfScene_GetColliderCount(const wfScene* scene) { return scene->colliderCount; }
const wfSceneDef* wfScene_GetDef(const wfScene* scene) { return &scene->def; }
int wfScene_GetFrame(const wfScene* scene) { return scene->frame; }
double wfScene_GetTime(const wfScene* scene) { return scene->time; }

wfClothId wfScene_GetCloth(const wfScene* scene, int index) {
    return index >= 0 && index < scene->clothCount ? (wfClothId){index + 1, scene->generation} : wf_nullCloth;
}

wfColliderId wfScene_GetCollider(const wfScene* scene, int index) {
    return index >= 0 && index < scene->colliderCount ? (wfColliderId){index + 1, scene->generation} : wf_nullCollider;
}

void wfScene_SetProgress(wfScene* scene, wfProgressFn fn, void* user) {
    scene->progress = fn;
    scene->progressUser = user;
}

// ---- cloth --------------------------------------------------------------------------------------------------------------------

const char* wfCloth_GetName(const wfScene* scene, wfClothId id) {
    const wfCloth* cloth = wfScene_FindCloth(scene, id, NULL);
    return cloth == NULL ? "" : cloth->def.name;
}

wfVec3 wfCloth_GetColor(const wfScene* scene, wfClothId id) {
    const wfCloth* cloth = wfScene_FindCloth(scene, id, NULL);
    return cloth == NULL ? wfMake3(0, 0, 0) : cloth->def.color;
}

int wfCloth_GetVertexCount(const wfScene* scene, wfClothId id) {
    const wfCloth* cloth = wfScene_FindCloth(scene, id, NULL);
    return cloth == NULL ? 0 : cloth->def.mesh.vertexCount;
}

int wfCloth_GetTriangleCount(const wfScene* scene, wfClothId id) {
    const wfCloth* cloth = wfScene_FindCloth(scene, id, NULL);
    return cloth == NULL ? 0 : cloth->def.mesh.triangleCount;
}

const int* wfCloth_GetTriangles(const wfScene* scene, wfClothId id) {
    const wfCloth* cloth = wfScene_FindCloth(scene, id, NULL);
    return cloth == NULL ? NULL : cloth->triangles->v;
}

static void WriteVector(float* out, size_t strideBytes, int i, float x, float y, float z) {
    float* to = (float*)((char*)out + (size_t)i * strideBytes);
    to[0] = x;
    to[1] = y;
    to[2] = z;
}

static bool CheckOutput(const float* out, size_t strideBytes, const char* call, wfError* err) {
    if (out == NULL) return wfFail(err, wf_badInput, "%s: out: expected a buffer, got NULL", call);
    if (strideBytes < 3 * sizeof(float) || strideBytes % sizeof(float) != 0) {
        return wfFail(err, wf_badInput, "%s: strideBytes: expected a multiple of 4 from 12 on, got %zu", call, strideBytes);
    }
    return true;
}

static bool ReadVectors(const wfScene* scene, wfClothId id, const wfBuffer* from, const char* call, float* out, size_t strideBytes,
                        wfError* err) {
    WF_TRY(CheckOutput(out, strideBytes, call, err));
    const wfCloth* cloth = wfScene_FindCloth(scene, id, err);
    if (cloth == NULL) return false;
    WF_TRY(wfScene_RequireCommitted(scene, call, err));
    // In pieces: a whole copy of the state would double the host's memory.
    int count = cloth->def.mesh.vertexCount;
    for (int first = 0; first < count; first += wf_stagingCount) {
        int piece = count - first < wf_stagingCount ? count - first : wf_stagingCount;
        WF_TRY(wfDownload(scene->device, scene->staging, from, (size_t)(cloth->firstVertex + first), (size_t)piece, err));
        for (int i = 0; i < piece; ++i) {
            const wfVec4* p = &scene->staging[i];
            WriteVector(out, strideBytes, first + i, p->x, p->y, p->z);
        }
    }
    return true;
}

bool wfCloth_ReadPositions(const wfScene* scene, wfClothId id, float* out, size_t strideBytes, wfError* err) {
    return ReadVectors(scene, id, &scene->state.x, "wfCloth_ReadPositions", out, strideBytes, err);
}

bool wfCloth_ReadVelocities(const wfScene* scene, wfClothId id, float* out, size_t strideBytes, wfError* err) {
    return ReadVectors(scene, id, &scene->state.v, "wfCloth_ReadVelocities", out, strideBytes, err);
}

// ---- collider -----------------------------------------------------------------------------------------------------------------

const char* wfCollider_GetName(const wfScene* scene, wfColliderId id) {
    const wfCollider* collider = wfScene_FindCollider(scene, id, NULL);
    return collider == NULL ? "" : collider->def.name;
}

wfVec3 wfCollider_GetColor(const wfScene* scene, wfColliderId id) {
    const wfCollider* collider = wfScene_FindCollider(scene, id, NULL);
    return collider == NULL ? wfMake3(0, 0, 0) : collider->def.color;
}

bool wfCollider_IsVisible(const wfScene* scene, wfColliderId id) {
    const wfCollider* collider = wfScene_FindCollider(scene, id, NULL);
    return collider != NULL && collider->def.visible;
}

int wfCollider_GetVertexCount(const wfScene* scene, wfColliderId id) {
    const wfCollider* collider = wfScene_FindCollider(scene, id, NULL);
    return collider == NULL ? 0 : collider->vertexCount;
}

int wfCollider_GetTriangleCount(const wfScene* scene, wfColliderId id) {
    const wfCollider* collider = wfScene_FindCollider(scene, id, NULL);
    return collider == NULL ? 0 : collider->triangleCount;
}

const int* wfCollider_GetTriangles(const wfScene* scene, wfColliderId id) {
    const wfCollider* collider = wfScene_FindCollider(scene, id, NULL);
    return collider == NULL || collider->triangles == NULL ? NULL : collider->triangles->v;
}

bool wfCollider_ReadPositions(const wfScene* scene, wfColliderId id, float* out, size_t strideBytes, wfError* err) {
    const char* call = "wfCollider_ReadPositions";
    WF_TRY(CheckOutput(out, strideBytes, call, err));
    const wfCollider* collider = wfScene_FindCollider(scene, id, err);
    if (collider == NULL) return false;
    WF_TRY(wfScene_RequireCommitted(scene, call, err));
    wfCollider_PositionsAt(collider, wfMotionTime(scene->time), out, strideBytes);
    return true;
}
