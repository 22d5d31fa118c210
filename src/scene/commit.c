// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene/scene.h"

#include "mesh/topology.h"
#include "scene/methods.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Commit: everything that was described is validated, becomes one model, and goes to the device. Host memory that only this needs (the
// topology, start positions, reference shapes) is freed at the end. A large cloth is never held twice: a scene of one cloth lends its
// own arrays to the model.

static bool PickMethods(wfScene* scene, wfError* err) {
    const wfSceneDef* def = &scene->def;
    wfMethods methods;
    const char* field;
    wfError inner = {0};
    if (!wfFindMethods(def, &methods, &field, &inner)) return wfFail(err, inner.code, "scene: %s: %s", field, inner.text);
    scene->parts.dynamics = methods.dynamics;
    scene->parts.contact = methods.contact;
    scene->stepper = methods.stepper;
    scene->parts.forces = (wfForces){
        .gravity = def->gravity,
        .airDensity = def->air_density,
        .airDrag = def->air_drag,
        .wind = def->wind,
        .windNoise = def->wind_noise,
        .windSize = def->wind_size,
        .seed = def->seed,
    };
    return true;
}

// ---- validation ---------------------------------------------------------------------------------------------------------------

enum { objectPlaceSize = 256 + wf_placeSize };

static void Place(const wfScene* scene, int line, const char* kind, const char* name, char place[objectPlaceSize]) {
    place[0] = 0;
    if (scene->file != NULL && line > 0) snprintf(place, objectPlaceSize, "%.240s:%d: ", scene->file, line);
    size_t used = strlen(place);
    snprintf(place + used, objectPlaceSize - used, "%s \"%s\"", kind, name);
}

static void ClothPlace(const wfScene* scene, const wfCloth* cloth, char place[objectPlaceSize]) {
    Place(scene, cloth->line, "cloth", cloth->def.name, place);
}

// Of several cloths each is looked at alone, so that the message counts its own vertices.
static bool RequireManifold(const wfCloth* cloth, const char* place, wfError* err) {
    wfTopology topology = {0};
    bool ok = wfTopology_Create(&topology, cloth->triangles, cloth->def.mesh.triangleCount, cloth->def.mesh.vertexCount, err) &&
              wfTopology_RequireManifold(&topology, place, err);
    wfTopology_Free(&topology);
    return ok;
}

static bool CheckMeshes(const wfScene* scene, wfError* err) {
    char place[objectPlaceSize];
    int64_t vertexCount = 0, triangleCount = 0;
    for (int i = 0; i < scene->clothCount; ++i) {
        const wfCloth* cloth = scene->cloths[i];
        ClothPlace(scene, cloth, place);
        WF_TRY(wfMesh_Check(&cloth->def.mesh, place, err));
        if (scene->clothCount > 1) WF_TRY(RequireManifold(cloth, place, err));
        vertexCount += cloth->def.mesh.vertexCount;
        triangleCount += cloth->def.mesh.triangleCount;
    }
    if (vertexCount > wf_maxMeshElements || triangleCount > wf_maxMeshElements) {
        return wfFail(err, wf_badInput, "scene: %lld vertices and %lld triangles are too many, at most %d of each are possible",
                      (long long)vertexCount, (long long)triangleCount, wf_maxMeshElements);
    }
    for (int i = 0; i < scene->colliderCount; ++i) {
        const wfCollider* collider = scene->colliders[i];
        if (collider->def.shape != wf_shapeMesh) continue;
        Place(scene, collider->line, "collider", collider->def.name, place);
        WF_TRY(wfMesh_Check(&collider->def.mesh, place, err));
        if (collider->sequence == NULL) continue;
        for (int f = 0; f < collider->def.sequenceCount; ++f) {
            const wfVec3* frame = collider->sequence + (size_t)f * (size_t)collider->vertexCount;
            for (int v = 0; v < collider->vertexCount; ++v) {
                if (!wfIsFinite3(frame[v])) return wfFail(err, wf_badInput, "%s: sequence frame %d: vertex %d is not finite", place, f, v);
            }
        }
    }
    return true;
}

// ---- model --------------------------------------------------------------------------------------------------------------------

static float FlatArea(const wfFlatTriangle* flat) {
    const wfVec2* c = flat->corner;
    return 0.5f * fabsf((c[1].x - c[0].x) * (c[2].y - c[0].y) - (c[2].x - c[0].x) * (c[1].y - c[0].y));
}

// Areas and masses of a cloth's vertices; its flat shape is in place already.
static bool Weigh(const wfCloth* cloth, const wfFlatTriangle* flat, float* area, float* mass, const char* place, wfError* err) {
    for (int t = 0; t < cloth->def.mesh.triangleCount; ++t) {
        float third = FlatArea(&flat[t]) / 3.0f;
        for (int k = 0; k < 3; ++k) area[cloth->triangles[t].v[k]] += third;
    }
    double total = 0.0;
    for (int v = 0; v < cloth->def.mesh.vertexCount; ++v) {
        mass[v] = area[v] * cloth->def.fabric.density;
        if (!(mass[v] > 0.0f)) return wfFail(err, wf_badInput, "%s: vertex %d belongs to no triangle", place, v);
        total += mass[v];
    }
    if (cloth->def.masses == wf_massesEqual)
        for (int v = 0; v < cloth->def.mesh.vertexCount; ++v) mass[v] = (float)(total / cloth->def.mesh.vertexCount);
    return true;
}

// Fills the model. What goes after commit comes from `temporary`.
static bool BuildModel(wfScene* scene, wfArena* temporary, wfError* err) {
    wfModel* m = &scene->model;
    m->clothCount = scene->clothCount;
    for (int i = 0; i < scene->clothCount; ++i) {
        scene->cloths[i]->firstVertex = m->vertexCount;
        m->vertexCount += scene->cloths[i]->def.mesh.vertexCount;
        m->triangleCount += scene->cloths[i]->def.mesh.triangleCount;
    }
    wfCloth* only = scene->clothCount == 1 ? scene->cloths[0] : NULL;
    wfVec3* start = only != NULL ? only->positions : wfArena_New(temporary, wfVec3, m->vertexCount, "start positions", err);
    wfTriangle* triangles = only != NULL ? only->triangles : wfArena_New(&scene->arena, wfTriangle, m->triangleCount, "triangles", err);
    wfFlatTriangle* flat =
        only != NULL && only->flat != NULL ? only->flat : wfArena_New(temporary, wfFlatTriangle, m->triangleCount, "flat shapes", err);
    float* mass = wfArena_New(&scene->arena, float, m->vertexCount, "masses", err);
    float* area = wfArena_New(&scene->arena, float, m->vertexCount, "areas", err);
    int* clothOf = wfArena_New(&scene->arena, int, m->vertexCount, "cloth numbers", err);
    wfClothRange* cloths = wfArena_New(&scene->arena, wfClothRange, m->clothCount, "cloths", err);
    if (!start || !triangles || !flat || !mass || !area || !clothOf || !cloths) return false;
    for (int i = 0, t0 = 0; i < scene->clothCount; ++i) {
        wfCloth* cloth = scene->cloths[i];
        const wfMeshView* view = &cloth->def.mesh;
        int v0 = cloth->firstVertex;
        char place[objectPlaceSize];
        ClothPlace(scene, cloth, place);
        WF_TRY(wfReferenceShape(view, place, flat + t0, err));
        WF_TRY(Weigh(cloth, flat + t0, area + v0, mass + v0, place, err));
        for (int v = 0; v < view->vertexCount; ++v) clothOf[v0 + v] = i;
        if (only == NULL) {
            memcpy(start + v0, cloth->positions, (size_t)view->vertexCount * sizeof *start);
            for (int t = 0; t < view->triangleCount; ++t) {
                for (int k = 0; k < 3; ++k) triangles[t0 + t].v[k] = v0 + cloth->triangles[t].v[k];
            }
        }
        cloths[i] = (wfClothRange){
            .name = cloth->def.name,
            .firstVertex = v0,
            .vertexCount = view->vertexCount,
            .firstTriangle = t0,
            .triangleCount = view->triangleCount,
            .fabric = cloth->def.fabric,
            .pressure = cloth->def.pressure,
            .inflation = cloth->def.inflation,
            .layer = cloth->def.layer,
        };
        t0 += view->triangleCount;
    }
    m->start = start;
    m->triangles = triangles;
    m->flat = flat;
    m->mass = mass;
    m->area = area;
    m->clothOf = clothOf;
    m->cloths = cloths;
    return true;
}

// ---- device -------------------------------------------------------------------------------------------------------------------

static bool ReserveState(wfScene* scene, wfError* err) {
    wfDevice* device = scene->device;
    wfState* s = &scene->state;
    size_t n = (size_t)scene->model.vertexCount;
    s->vertexCount = scene->model.vertexCount;
    s->x = wfMakeBuffer(sizeof(wfVec4), "state.x");
    s->v = wfMakeBuffer(sizeof(wfVec4), "state.v");
    s->xStart = wfMakeBuffer(sizeof(wfVec4), "state.xStart");
    s->target = wfMakeBuffer(sizeof(wfVec4), "state.target");
    s->history = wfMakeBuffer(sizeof(wfVec4), "state.history");
    s->historyDt = 0.0f;
    s->pinched = wfMakeBuffer(sizeof(int), "state.pinched");
    s->pinchedCount = 0;
    scene->backupPinched = wfMakeBuffer(sizeof(int), "scene.backupPinched");
    scene->backupMemory = wfMakeBuffer(sizeof(wfVec4), "scene.backupMemory");
    scene->backupX = wfMakeBuffer(sizeof(wfVec4), "scene.backupX");
    scene->backupHistory = wfMakeBuffer(sizeof(wfVec4), "scene.backupHistory");
    scene->backupV = wfMakeBuffer(sizeof(wfVec4), "scene.backupV");
    scene->fault = wfMakeBuffer(sizeof(wfFaultSlot), "scene.fault");
    scene->seenFault = wfMakeBuffer(sizeof(wfFaultSlot), "scene.seenFault");
    scene->sums = wfMakeBuffer(sizeof(float), "scene.sums");
    scene->scratch = wfMakeBuffer(1, "scene.scratch");
    wfBuffer* vectors[] = {&s->x, &s->v, &s->xStart, &s->target, &scene->backupX, &scene->backupV};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) wfReserve(device, vectors[i], n);
    wfReserve(device, &s->pinched, n);
    wfReserve(device, &scene->backupPinched, n);
    if (scene->def.integrator == wf_integrateBdf2) {
        wfReserve(device, &s->history, 2 * n);
        wfReserve(device, &scene->backupHistory, 2 * n);
    }
    wfUpload(device, &scene->fault, &(wfFaultSlot){wf_noFault}, 1);
    wfReserve(device, &scene->seenFault, 1);
    wfReserve(device, &scene->sums, 2);
    return wfDevice_Sync(device, err);
}

static bool UploadState(wfScene* scene, wfError* err) {
    wfDevice* device = scene->device;
    const wfModel* m = &scene->model;
    wfState* s = &scene->state;
    size_t n = (size_t)m->vertexCount;
    float gravity = wfLength(scene->def.gravity);
    scene->staging = wfArena_New(&scene->arena, wfVec4, wf_stagingCount, "staging", err);
    if (scene->staging == NULL) return false;
    for (size_t first = 0; first < n; first += wf_stagingCount) {
        size_t piece = n - first < wf_stagingCount ? n - first : wf_stagingCount;
        for (size_t i = 0; i < piece; ++i) scene->staging[i] = wfMake4(m->start[first + i], m->mass[first + i]);
        wfUploadRange(device, &s->x, first, scene->staging, piece);
        for (size_t i = 0; i < piece; ++i) scene->staging[i] = wfMake4(scene->cloths[m->clothOf[first + i]]->def.velocity, gravity);
        wfUploadRange(device, &s->v, first, scene->staging, piece);
    }
    wfCopy(device, &s->xStart, &s->x, n);
    wfZero(device, &s->target);
    wfZero(device, &s->pinched);
    if (s->history.count > 0) wfZero(device, &s->history);
    return wfDevice_Sync(device, err);
}

static bool CreateMethods(wfScene* scene, wfError* err) {
    wfStepParts* parts = &scene->parts;
    const wfSceneDef* s = &scene->def;
    wfDynamicsDef def = {
        .elastic = {.membrane = s->membrane, .bending = s->bending, .restAngles = s->rest_bend == wf_restStart},
        .integrator = s->integrator,
        .iterations = s->iterations,
    };
    parts->dynamicsSelf = parts->dynamics->create(scene->device, &scene->model, &scene->state, &def, err);
    if (parts->dynamicsSelf == NULL) return false;
    if (parts->contact->create == NULL) return true;
    parts->contactSelf = parts->contact->create(scene->device, &scene->model, &scene->colliderSet, err);
    return parts->contactSelf != NULL;
}

// The methods come first and the topology goes before the state is filled: a method's own tables are built twice, here and on the device,
// and nothing else should be in memory then.
static bool BuildMethods(wfScene* scene, wfError* err) {
    char place[objectPlaceSize];
    ClothPlace(scene, scene->cloths[0], place);
    wfTopology topology = {0};
    scene->model.topology = &topology;
    bool ok = wfTopology_Create(&topology, scene->model.triangles, scene->model.triangleCount, scene->model.vertexCount, err) &&
              (scene->clothCount > 1 || wfTopology_RequireManifold(&topology, place, err)) && ReserveState(scene, err) &&
              CreateMethods(scene, err);
    wfTopology_Free(&topology);
    scene->model.topology = NULL;
    return ok;
}

static bool Build(wfScene* scene, wfArena* temporary, wfError* err) {
    if (scene->clothCount == 0) return wfFail(err, wf_badInput, "scene: expected at least one cloth, got none");
    WF_TRY(PickMethods(scene, err));
    WF_TRY(CheckMeshes(scene, err));
    WF_TRY(BuildModel(scene, temporary, err));
    WF_TRY(wfScene_BuildStitches(scene, err));
    WF_TRY(wfScene_BuildFriction(scene, err));
    scene->hash = wfScene_Hash(scene);
    for (int i = 0; i < scene->colliderCount; ++i) WF_TRY(wfCollider_BuildMesh(scene->colliders[i], err));
    WF_TRY(wfScene_CreateShapes(scene, err));
    WF_TRY(wfScene_CreateBodies(scene, err));
    WF_TRY(BuildMethods(scene, err));
    WF_TRY(UploadState(scene, err));
    WF_TRY(wfScene_CreatePins(scene, err));
    return true;
}

static bool Commit(wfScene* scene, wfError* err) {
    if (scene->phase == wf_sceneCommitted) return wfFail(err, wf_badInput, "scene: it is committed already");
    if (scene->phase == wf_sceneFailed) return wfFail(err, wf_badInput, "scene: its commit has failed before");
    wfArena temporary = {0};
    bool ok = Build(scene, &temporary, err);
    scene->phase = ok ? wf_sceneCommitted : wf_sceneFailed;
    scene->time = -(double)scene->def.preroll;
    // What keeps things apart must find them apart.
    ok = ok && (scene->def.start != wf_startUntangle || wfScene_UntangleStart(scene, err));
    ok = ok && (!scene->parts.contact->selfContact || scene->parts.contact->anyStart ||
                wfScene_RequireClean(scene, wf_badInput, "needs a start free of intersections", err));
    if (!ok) scene->phase = wf_sceneFailed;
    scene->model.start = NULL;
    scene->model.flat = NULL;
    wfArena_Free(&temporary);
    for (int i = 0; i < scene->clothCount; ++i) {
        wfCloth* cloth = scene->cloths[i];
        free(cloth->positions);
        free(cloth->rest);
        free(cloth->flat);
        cloth->positions = cloth->rest = NULL;
        cloth->flat = NULL;
        wfBoundary_Free(&cloth->boundary);
        cloth->def.mesh.positions = cloth->def.mesh.restPositions = cloth->def.mesh.flat = NULL;
    }
    if (!ok) wfScene_FreeBuilt(scene);
    return ok;
}

bool wfScene_Commit(wfScene* scene, wfError* err) {
    wfError inner = {0};
    if (Commit(scene, &inner)) return true;
    bool named = scene->file == NULL || strncmp(inner.text, scene->file, strlen(scene->file)) == 0;
    return named ? wfFail(err, inner.code, "%s", inner.text) : wfFail(err, inner.code, "%s: %s", scene->file, inner.text);
}
