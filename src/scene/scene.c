// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene/scene.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The description of a scene: what is created is copied and range-checked here, one object at a time; what only shows when everything is
// there (meshes, methods by name) is checked at commit.

enum {
    sceneCookie = 0x77665343,
    clothCookie = 0x7766434C,
    colliderCookie = 0x7766434F,
    pinCookie = 0x77665049,
};

// ---- defaults -----------------------------------------------------------------------------------------------------------------

wfSceneDef wfDefaultSceneDef(void) {
    wfSceneDef def = {.cookie = sceneCookie};
    wfParamTable_SetDefaults(&wfSceneParams, &def);
    return def;
}

wfClothDef wfDefaultClothDef(void) {
    wfClothDef def = {.cookie = clothCookie, .fabric = wfDefaultFabric()};
    wfParamTable_SetDefaults(&wfClothParams, &def);
    return def;
}

wfColliderDef wfDefaultColliderDef(void) {
    wfColliderDef def = {.cookie = colliderCookie, .sequenceRate = 60.0f};
    wfParamTable_SetDefaults(&wfColliderParams, &def);
    return def;
}

wfPinDef wfDefaultPinDef(void) {
    wfPinDef def = {.cookie = pinCookie};
    wfParamTable_SetDefaults(&wfPinParams, &def);
    return def;
}

// ---- life ---------------------------------------------------------------------------------------------------------------------

wfScene* wfCreateScene(wfDevice* device, const wfSceneDef* def, wfError* err) {
    // The generation tells ids of different scenes apart; it needs no order, only that no two scenes of a program share it.
    static atomic_uint s_lastGeneration;
    if (device == NULL || def == NULL || def->cookie != sceneCookie) {
        wfFail(err, wf_badInput,
               device == NULL ? "scene: device: expected a device, got NULL" : "scene: the Def did not start from wfDefaultSceneDef()");
        return NULL;
    }
    if (!wfParamTable_Check(&wfSceneParams, def, "scene", err)) return NULL;
    wfScene* scene = calloc(1, sizeof *scene);
    if (scene == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for a scene");
        return NULL;
    }
    scene->device = device;
    scene->def = *def;
    scene->generation = atomic_fetch_add(&s_lastGeneration, 1u) + 1u;
    return scene;
}

bool wfScene_SetFile(wfScene* scene, const char* name, wfError* err) {
    free(scene->file);
    scene->file = strdup(name);
    return scene->file != NULL || wfFail(err, wf_outOfMemory, "out of memory for the name of a scene file");
}

static void FreeCloth(wfCloth* cloth) {
    if (cloth == NULL) return;
    free(cloth->triangles);
    free(cloth->positions);
    free(cloth->rest);
    free(cloth->flat);
    wfBoundary_Free(&cloth->boundary);
    free(cloth);
}

static void FreeCollider(wfCollider* collider) {
    if (collider == NULL) return;
    free(collider->keys);
    free(collider->positions);
    free(collider->triangles);
    free(collider->sequence);
    free(collider);
}

static void FreePin(wfPin* pin) {
    if (pin == NULL) return;
    free(pin->keys);
    free(pin->vertices);
    free(pin);
}

void wfScene_FreeBuilt(wfScene* scene) {
    wfDevice* device = scene->device;
    if (scene->parts.dynamicsSelf != NULL) scene->parts.dynamics->destroy(scene->parts.dynamicsSelf, device);
    if (scene->parts.contactSelf != NULL) scene->parts.contact->destroy(scene->parts.contactSelf, device);
    scene->parts = (wfStepParts){0};
    wfBuffer* buffers[] = {&scene->state.x,          &scene->state.v,
                           &scene->state.xStart,     &scene->state.target,
                           &scene->scratch,          &scene->colliderSet.shapes,
                           &scene->colliderSet.from, &scene->colliderSet.to,
                           &scene->pinnedVertices,   &scene->pinLinks,
                           &scene->pinPoses,         &scene->backupX,
                           &scene->backupV,          &scene->fault,
                           &scene->seenFault,        &scene->sums,
                           &scene->state.history,    &scene->backupHistory,
                           &scene->state.pinched,    &scene->backupPinched,
                           &scene->backupMemory};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i) wfFreeBuffer(device, buffers[i]);
    wfArena_Free(&scene->arena);
    scene->model = (wfModel){0};
}

void wfDestroyScene(wfScene* scene) {
    if (scene == NULL) return;
    wfScene_FreeBuilt(scene);
    for (int i = 0; i < scene->clothCount; ++i) FreeCloth(scene->cloths[i]);
    for (int i = 0; i < scene->colliderCount; ++i) FreeCollider(scene->colliders[i]);
    for (int i = 0; i < scene->pinCount; ++i) FreePin(scene->pins[i]);
    for (int i = 0; i < scene->seamCount; ++i) wfScene_FreeSeam(scene->seams[i]);
    free(scene->cloths);
    free(scene->colliders);
    free(scene->pins);
    free(scene->seams);
    free(scene->frictions);
    free(scene->file);
    free(scene);
}

// ---- shared by all objects ----------------------------------------------------------------------------------------------------

// A copy of an array; NULL where there is none to copy or no memory left.
static void* Copy(const void* data, size_t count, size_t size, const char* what, wfError* err) {
    if (data == NULL) return NULL;
    void* copy = NULL;
    size_t capacity = 0;
    if (wfGrow(&copy, &capacity, count, size, what, err)) memcpy(copy, data, count * size);
    return copy;
}

static bool NameIsTaken(const wfScene* scene, const char* name) {
    // Cloths and colliders share their names, since both become files of that name.
    for (int i = 0; i < scene->clothCount; ++i) {
        if (strcmp(scene->cloths[i]->def.name, name) == 0) return true;
    }
    for (int i = 0; i < scene->colliderCount; ++i) {
        if (strcmp(scene->colliders[i]->def.name, name) == 0) return true;
    }
    return false;
}

static bool PinNameIsTaken(const wfScene* scene, const char* name) {
    for (int i = 0; i < scene->pinCount; ++i) {
        if (strcmp(scene->pins[i]->def.name, name) == 0) return true;
    }
    return false;
}

bool wfScene_OpenObject(const wfScene* scene, const char* kind, int count, const wfParamTable* table, const void* def, bool cookieFits,
                        char* name, bool (*isTaken)(const wfScene*, const char*), char place[wf_placeSize], wfError* err) {
    if (scene == NULL || def == NULL) return wfFail(err, wf_badInput, "%s: expected a scene and a Def, got NULL", kind);
    if (scene->phase != wf_sceneOpen)
        return wfFail(err, wf_badInput, "%s: the scene is committed; nothing can be created in it any more", kind);
    if (!cookieFits) return wfFail(err, wf_badInput, "%s: the Def did not start from its wfDefault…Def()", kind);
    name[wf_nameSize - 1] = 0; // of the copy; an unended name is found by the check below
    if (name[0] == 0) {
        int number = count + 1;
        do snprintf(name, wf_nameSize, "%s%d", kind, number++);
        while (isTaken(scene, name));
    }
    snprintf(place, wf_placeSize, "%s \"%s\"", kind, name);
    WF_TRY(wfParamTable_Check(table, def, place, err));
    if (isTaken(scene, name)) return wfFail(err, wf_badInput, "%s: name: another object of the scene has it already", place);
    return true;
}

// What copying relies on; the content is checked at commit.
static bool CheckView(const wfMeshView* view, const char* place, wfError* err) {
    if (view->positions == NULL || view->vertexCount < 1) {
        return wfFail(err, wf_badInput, "%s: mesh: expected positions of at least one vertex, got %s", place,
                      view->positions == NULL ? "NULL" : "none");
    }
    if (view->triangles == NULL || view->triangleCount < 1) {
        return wfFail(err, wf_badInput, "%s: mesh: expected at least one triangle, got %s", place,
                      view->triangles == NULL ? "NULL" : "none");
    }
    return true;
}

static bool CopyKeys(const wfKey* keys, int keyCount, wfKey** out, const char* place, wfError* err) {
    if (keyCount < 0 || (keyCount > 0 && keys == NULL)) {
        return wfFail(err, wf_badInput, "%s: keyCount: expected the number of keys, got %d%s", place, keyCount,
                      keys == NULL ? " and no keys" : "");
    }
    if (keyCount == 0) return true;
    *out = Copy(keys, (size_t)keyCount, sizeof *keys, "motion keys", err);
    return *out != NULL && wfMotion_CopyKeys(keys, keyCount, *out, place, err);
}

static void* NewObject(size_t size, const char* place, wfError* err) {
    void* object = calloc(1, size);
    if (object == NULL) wfFail(err, wf_outOfMemory, "%s: out of memory", place);
    return object;
}

// ---- cloth --------------------------------------------------------------------------------------------------------------------

static bool FillCloth(wfCloth* cloth, const char* place, wfError* err) {
    wfMeshView* view = &cloth->def.mesh;
    size_t vertexCount = (size_t)view->vertexCount, triangleCount = (size_t)view->triangleCount;
    cloth->positions = Copy(view->positions, vertexCount, sizeof(wfVec3), "cloth positions", err);
    cloth->triangles = Copy(view->triangles, triangleCount, sizeof(wfTriangle), "cloth triangles", err);
    cloth->rest = Copy(view->restPositions, vertexCount, sizeof(wfVec3), "cloth rest positions", err);
    cloth->flat = Copy(view->flat, triangleCount, sizeof(wfFlatTriangle), "cloth flat shape", err);
    bool whole = cloth->positions != NULL && cloth->triangles != NULL && (cloth->rest != NULL) == (view->restPositions != NULL) &&
                 (cloth->flat != NULL) == (view->flat != NULL);
    if (!whole) return wfFail(err, wf_outOfMemory, "%s: out of memory", place);
    view->positions = &cloth->positions->x;
    view->triangles = cloth->triangles->v;
    view->restPositions = cloth->rest == NULL ? NULL : &cloth->rest->x;
    view->flat = cloth->flat == NULL ? NULL : &cloth->flat->corner[0].x;
    return true;
}

wfClothId wfCreateCloth(wfScene* scene, const wfClothDef* def, wfError* err) {
    char place[wf_placeSize], name[wf_nameSize] = "";
    if (def != NULL) memcpy(name, def->name, sizeof name);
    if (!wfScene_OpenObject(scene, "cloth", scene == NULL ? 0 : scene->clothCount, &wfClothParams, def,
                            def != NULL && def->cookie == clothCookie, name, NameIsTaken, place, err) ||
        !wfParamTable_Check(&wfFabricParams, &def->fabric, place, err) || !CheckView(&def->mesh, place, err) ||
        !wfGrow((void**)&scene->cloths, &scene->clothCapacity, (size_t)scene->clothCount + 1, sizeof *scene->cloths, "cloths", err)) {
        return wf_nullCloth;
    }
    wfCloth* cloth = NewObject(sizeof *cloth, place, err);
    if (cloth == NULL) return wf_nullCloth;
    cloth->def = *def;
    memcpy(cloth->def.name, name, sizeof name);
    if (!FillCloth(cloth, place, err)) {
        FreeCloth(cloth);
        return wf_nullCloth;
    }
    scene->cloths[scene->clothCount++] = cloth;
    return (wfClothId){scene->clothCount, scene->generation};
}

// ---- collider -----------------------------------------------------------------------------------------------------------------

static bool CheckCollider(const wfColliderDef* def, const char* place, wfError* err) {
    if (def->shape != wf_shapeMesh) {
        if (def->mesh.positions != NULL || def->sequence != NULL) {
            return wfFail(err, wf_badInput, "%s: mesh: expected none, since the shape is not mesh", place);
        }
        return true;
    }
    WF_TRY(CheckView(&def->mesh, place, err));
    if (def->sequence == NULL) return true;
    if (def->sequenceCount < 1) {
        return wfFail(err, wf_badInput, "%s: sequenceCount: expected at least 1, got %d", place, def->sequenceCount);
    }
    if (!(def->sequenceRate > 0.0f && isfinite(def->sequenceRate))) {
        return wfFail(err, wf_badInput, "%s: sequenceRate: expected a number above 0 [1/s], got %g", place, def->sequenceRate);
    }
    return true;
}

static bool FillCollider(wfCollider* collider, const char* place, wfError* err) {
    wfColliderDef* def = &collider->def;
    WF_TRY(CopyKeys(def->keys, def->keyCount, &collider->keys, place, err));
    def->keys = collider->keys;
    collider->motion = (wfMotion){collider->keys, def->keyCount, def->interpolation};
    if (def->shape != wf_shapeMesh) return true;
    collider->vertexCount = def->mesh.vertexCount;
    collider->triangleCount = def->mesh.triangleCount;
    size_t vertexCount = (size_t)def->mesh.vertexCount;
    collider->positions = Copy(def->mesh.positions, vertexCount, sizeof(wfVec3), "collider positions", err);
    collider->triangles = Copy(def->mesh.triangles, (size_t)def->mesh.triangleCount, sizeof(wfTriangle), "collider triangles", err);
    collider->sequence = Copy(def->sequence, vertexCount * (size_t)def->sequenceCount, sizeof(wfVec3), "collider sequence", err);
    if (collider->positions == NULL || collider->triangles == NULL || (collider->sequence != NULL) != (def->sequence != NULL)) {
        return wfFail(err, wf_outOfMemory, "%s: out of memory", place);
    }
    def->mesh = (wfMeshView){.positions = &collider->positions->x,
                             .vertexCount = collider->vertexCount,
                             .triangles = collider->triangles->v,
                             .triangleCount = collider->triangleCount};
    def->sequence = collider->sequence == NULL ? NULL : &collider->sequence->x;
    return true;
}

wfColliderId wfCreateCollider(wfScene* scene, const wfColliderDef* def, wfError* err) {
    char place[wf_placeSize], name[wf_nameSize] = "";
    if (def != NULL) memcpy(name, def->name, sizeof name);
    if (!wfScene_OpenObject(scene, "collider", scene == NULL ? 0 : scene->colliderCount, &wfColliderParams, def,
                            def != NULL && def->cookie == colliderCookie, name, NameIsTaken, place, err) ||
        !CheckCollider(def, place, err) ||
        !wfGrow((void**)&scene->colliders, &scene->colliderCapacity, (size_t)scene->colliderCount + 1, sizeof *scene->colliders,
                "colliders", err)) {
        return wf_nullCollider;
    }
    wfCollider* collider = NewObject(sizeof *collider, place, err);
    if (collider == NULL) return wf_nullCollider;
    collider->def = *def;
    memcpy(collider->def.name, name, sizeof name);
    if (!FillCollider(collider, place, err)) {
        FreeCollider(collider);
        return wf_nullCollider;
    }
    scene->colliders[scene->colliderCount++] = collider;
    return (wfColliderId){scene->colliderCount, scene->generation};
}

// ---- pin ----------------------------------------------------------------------------------------------------------------------

static bool CheckPin(const wfScene* scene, const wfPinDef* def, const char* place, wfError* err) {
    if (!wfCloth_IsValid(scene, def->cloth)) return wfFail(err, wf_badInput, "%s: cloth: expected a cloth of this scene", place);
    if (!WF_ID_IS_NULL(def->follow)) {
        if (!wfCollider_IsValid(scene, def->follow))
            return wfFail(err, wf_badInput, "%s: follow: expected a collider of this scene", place);
        if (def->keyCount != 0) return wfFail(err, wf_badInput, "%s: keys: expected none, since the pin follows a collider", place);
    } else if (def->attach == wf_attachSurface) {
        return wfFail(err, wf_badInput, "%s: attach: surface needs a collider to follow", place);
    }
    if (def->close > 0.0f && def->attach != wf_attachSurface) {
        return wfFail(err, wf_badInput, "%s: close: only with attach surface", place);
    }
    if (!wfIsFinite3(def->center)) {
        return wfFail(err, wf_badInput, "%s: center: expected 3 finite numbers, got [%g, %g, %g]", place, def->center.x, def->center.y,
                      def->center.z);
    }
    if (def->vertices == NULL || def->vertexCount < 1) {
        return wfFail(err, wf_badInput, "%s: vertices: expected at least one, got %s", place, def->vertices == NULL ? "NULL" : "none");
    }
    const wfCloth* cloth = scene->cloths[def->cloth.index1 - 1];
    for (int i = 0; i < def->vertexCount; ++i) {
        if (def->vertices[i] < 0 || def->vertices[i] >= cloth->def.mesh.vertexCount) {
            return wfFail(err, wf_badInput, "%s: vertices[%d]: expected 0 to %d, the vertices of cloth \"%s\", got %d", place, i,
                          cloth->def.mesh.vertexCount - 1, cloth->def.name, def->vertices[i]);
        }
    }
    return true;
}

static bool FillPin(wfPin* pin, const char* place, wfError* err) {
    wfPinDef* def = &pin->def;
    WF_TRY(CopyKeys(def->keys, def->keyCount, &pin->keys, place, err));
    pin->vertices = Copy(def->vertices, (size_t)def->vertexCount, sizeof(int), "pinned vertices", err);
    if (pin->vertices == NULL) return false;
    def->keys = pin->keys;
    def->vertices = pin->vertices;
    pin->motion = (wfMotion){pin->keys, def->keyCount, def->interpolation};
    return true;
}

wfPinId wfCreatePin(wfScene* scene, const wfPinDef* def, wfError* err) {
    char place[wf_placeSize], name[wf_nameSize] = "";
    if (def != NULL) memcpy(name, def->name, sizeof name);
    if (!wfScene_OpenObject(scene, "pin", scene == NULL ? 0 : scene->pinCount, &wfPinParams, def, def != NULL && def->cookie == pinCookie,
                            name, PinNameIsTaken, place, err) ||
        !CheckPin(scene, def, place, err) ||
        !wfGrow((void**)&scene->pins, &scene->pinCapacity, (size_t)scene->pinCount + 1, sizeof *scene->pins, "pins", err)) {
        return wf_nullPin;
    }
    wfPin* pin = NewObject(sizeof *pin, place, err);
    if (pin == NULL) return wf_nullPin;
    pin->def = *def;
    memcpy(pin->def.name, name, sizeof name);
    if (!FillPin(pin, place, err)) {
        FreePin(pin);
        return wf_nullPin;
    }
    scene->pins[scene->pinCount++] = pin;
    return (wfPinId){scene->pinCount, scene->generation};
}
