// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/picture_source.h"

#include "io/mesh_file.h"
#include "io/render_heat.h"
#include "io/run_folder.h"
#include "mesh/topology.h"

#include <errno.h>
#include <float.h>
#include <string.h>
#include <sys/stat.h>

static float Height(wfVec3 p, bool zUp) { return zUp ? p.z : p.y; }

// Files say nothing of colours: cloths and bodies take turns in these.
static const wfVec3 s_clothColors[] = {
    {0.72f, 0.25f, 0.22f}, {0.07f, 0.31f, 0.36f}, {0.78f, 0.55f, 0.20f}, {0.23f, 0.25f, 0.50f}, {0.30f, 0.42f, 0.20f}};
static const wfVec3 s_bodyColors[] = {{0.55f, 0.56f, 0.58f}, {0.66f, 0.60f, 0.50f}, {0.45f, 0.51f, 0.56f}};

static bool OpenFile(wfPictureSource* source, int index, const char* path, int* cloths, int* bodies, wfError* err) {
    wfMesh* mesh = &source->meshes[index];
    WF_TRY(wfReadMesh(mesh, path, err));
    wfMeshView view = wfMesh_View(mesh);
    WF_TRY(wfMesh_Check(&view, path, err));
    wfTopology topology = {0};
    WF_TRY(wfTopology_Create(&topology, mesh->triangles, mesh->triangleCount, mesh->vertexCount, err));
    bool cloth = topology.boundaryEdgeCount > 0; // what is closed is taken for a body
    wfTopology_Free(&topology);
    wfVec3 color = cloth ? s_clothColors[(*cloths)++ % 5] : s_bodyColors[(*bodies)++ % 3];
    source->objects[index] = (wfPictureObject){.shown = true,
                                               .render = {.name = path,
                                                          .positions = mesh->positions,
                                                          .vertexCount = mesh->vertexCount,
                                                          .triangles = mesh->triangles,
                                                          .triangleCount = mesh->triangleCount,
                                                          .color = color,
                                                          .cloth = cloth}};
    return true;
}

static bool OpenObject(wfPictureSource* source, int index, wfError* err) {
    const wfRunObject* info = &wfRunFolder_GetManifest(source->run)->objects[index];
    const wfMesh* mesh = wfRunFolder_GetMesh(source->run, index);
    wfVec3* positions = wfArena_New(&source->arena, wfVec3, mesh->vertexCount, info->name, err);
    wfVec3* rest = wfArena_New(&source->arena, wfVec3, mesh->vertexCount, info->name, err);
    if (positions == NULL || rest == NULL) return false;
    WF_TRY(wfRunFolder_ReadRest(source->run, index, rest, err));
    source->objects[index] = (wfPictureObject){.shown = info->visible,
                                               .moves = info->cache[0] != 0,
                                               .positions = positions,
                                               .render = {.name = info->name,
                                                          .positions = positions,
                                                          .vertexCount = mesh->vertexCount,
                                                          .triangles = mesh->triangles,
                                                          .triangleCount = mesh->triangleCount,
                                                          .color = info->color,
                                                          .cloth = info->cloth,
                                                          .rest = rest}};
    return true;
}

// A level collider that never moves, with nothing below it in the first frame: drawn as the floor, it has no edge.
static void FindFloor(wfPictureSource* source) {
    float lowest = FLT_MAX, highest = -FLT_MAX;
    for (int o = 0; o < source->count; ++o) {
        const wfRenderObject* r = &source->objects[o].render;
        for (int v = 0; v < r->vertexCount; ++v) {
            lowest = fminf(lowest, Height(r->positions[v], source->zUp));
            highest = fmaxf(highest, Height(r->positions[v], source->zUp));
        }
    }
    for (int o = 0; o < source->count && !source->hasFloor; ++o) {
        wfPictureObject* object = &source->objects[o];
        const wfRenderObject* r = &object->render;
        if (r->cloth || object->moves || !object->shown || r->vertexCount == 0) continue;
        float level = Height(r->positions[0], source->zUp), tolerance = 1e-3f * fmaxf(highest - lowest, 1e-6f);
        bool flat = level <= lowest + tolerance;
        for (int v = 0; flat && v < r->vertexCount; ++v) flat = fabsf(Height(r->positions[v], source->zUp) - level) <= 1e-2f * tolerance;
        if (!flat) continue;
        source->hasFloor = true;
        source->floorHeight = level;
        object->shown = false;
    }
}

static bool OpenFiles(wfPictureSource* source, char** paths, int count, wfError* err) {
    source->meshes = wfArena_New(&source->arena, wfMesh, count, "meshes", err);
    if (source->meshes == NULL) return false;
    source->count = count;
    source->frameCount = 1;
    int cloths = 0, bodies = 0;
    for (int i = 0; i < count; ++i) WF_TRY(OpenFile(source, i, paths[i], &cloths, &bodies, err));
    return true;
}

static bool OpenRun(wfPictureSource* source, wfError* err) {
    const wfRunManifest* manifest = wfRunFolder_GetManifest(source->run);
    source->frameCount = wfRunFolder_GetFrameCount(source->run);
    source->firstFrame = manifest->firstFrame;
    source->frameRate = manifest->frameRate;
    source->zUp = manifest->up == wf_upZ;
    source->camera = manifest->camera;
    for (int i = 0; i < source->count; ++i) WF_TRY(OpenObject(source, i, err));
    if (source->frameCount < 1) return true;
    WF_TRY(wfPictureSource_Read(source, source->firstFrame, err));
    FindFloor(source);
    return true;
}

bool wfPictureSource_Open(wfPictureSource* source, char** paths, int count, bool zUp, wfError* err) {
    *source = (wfPictureSource){.zUp = zUp, .frameRate = 24.0};
    struct stat info;
    if (stat(paths[0], &info) != 0) return wfFail(err, wf_fileFailed, "%s: %s", paths[0], strerror(errno));
    bool folder = S_ISDIR(info.st_mode);
    if (folder && !wfIsRunFolder(paths[0])) return wfFail(err, wf_badInput, "%s: expected a run's folder, it has no run.json", paths[0]);
    if (folder && count > 1) return wfFail(err, wf_badInput, "%s: a run's folder is drawn alone, got %d arguments", paths[0], count);
    if (folder) source->run = wfRunFolder_Open(paths[0], err);
    if (folder && source->run == NULL) return false;
    int objectCount = folder ? wfRunFolder_GetManifest(source->run)->objectCount : count;
    source->objects = wfArena_New(&source->arena, wfPictureObject, objectCount, "objects", err);
    if (source->objects == NULL) return false;
    source->count = folder ? objectCount : 0;
    return folder ? OpenRun(source, err) : OpenFiles(source, paths, count, err);
}

void wfPictureSource_Close(wfPictureSource* source) {
    for (int i = 0; source->meshes != NULL && i < source->count; ++i) wfMesh_Free(&source->meshes[i]);
    wfRunFolder_Close(source->run);
    wfArena_Free(&source->arena);
}

bool wfPictureSource_Read(wfPictureSource* source, int frame, wfError* err) {
    for (int o = 0; source->run != NULL && o < source->count; ++o)
        WF_TRY(wfRunFolder_ReadFrame(source->run, o, frame, source->objects[o].positions, err));
    return true;
}

const char* wfHeat_GetTitle(wfHeatKind kind) {
    static const char* const titles[] = {NULL, "Largest edge length / rest length", "Distance to nearest collider mesh [m]", "Speed [m/s]"};
    return titles[kind];
}

bool wfPictureSource_CheckHeat(const wfPictureSource* source, wfHeatKind kind, wfError* err) {
    if (kind == wf_heatStretch && source->run == NULL)
        return wfFail(err, wf_badInput, "--heat strain: a mesh file has no rest shape; expected a run's folder");
    if (kind == wf_heatSpeed && source->frameCount < 2)
        return wfFail(err, wf_badInput, "--heat speed: there is one frame; expected a run's folder with two or more");
    int cloths = 0;
    for (int o = 0; o < source->count; ++o) cloths += source->objects[o].render.cloth;
    if (kind != wf_heatNone && cloths == 0) return wfFail(err, wf_badInput, "--heat: there is no cloth (an open mesh)");
    if (kind == wf_heatContact && cloths == source->count) return wfFail(err, wf_badInput, "--heat contact: there is no collider");
    return true;
}

static bool ReadSpeed(wfPictureSource* source, int index, int frame, float* out, wfError* err) {
    const wfRenderObject* r = &source->objects[index].render;
    int end = source->firstFrame + source->frameCount;
    int before = frame > source->firstFrame ? frame - 1 : frame, after = frame + 1 < end ? frame + 1 : frame;
    wfArena scratch = {0};
    wfVec3* x0 = wfArena_New(&scratch, wfVec3, r->vertexCount, r->name, err);
    wfVec3* x1 = wfArena_New(&scratch, wfVec3, r->vertexCount, r->name, err);
    bool ok = x0 != NULL && x1 != NULL && wfRunFolder_ReadFrame(source->run, index, before, x0, err) &&
              wfRunFolder_ReadFrame(source->run, index, after, x1, err);
    if (ok) wfHeat_Speed(x0, x1, r->vertexCount, (after - before) / source->frameRate, out);
    wfArena_Free(&scratch);
    return ok;
}

static bool ReadDistance(const wfPictureSource* source, int index, float limit, float* out, wfError* err) {
    const wfRenderObject* r = &source->objects[index].render;
    wfArena scratch = {0};
    wfRenderObject* bodies = wfArena_New(&scratch, wfRenderObject, source->count, "colliders", err);
    int count = 0;
    for (int o = 0; bodies != NULL && o < source->count; ++o)
        if (!source->objects[o].render.cloth) bodies[count++] = source->objects[o].render;
    bool ok = bodies != NULL && wfHeat_Distance(r->positions, r->vertexCount, bodies, count, limit, out, err);
    wfArena_Free(&scratch);
    return ok;
}

bool wfPictureSource_ReadHeat(wfPictureSource* source, wfHeatKind kind, int frame, float limit, wfError* err) {
    for (int o = 0; kind != wf_heatNone && o < source->count; ++o) {
        wfPictureObject* object = &source->objects[o];
        wfRenderObject* r = &object->render;
        if (!r->cloth) continue;
        if (object->heat == NULL) object->heat = wfArena_New(&source->arena, float, r->vertexCount, "heat", err);
        if (object->heat == NULL) return false;
        float* out = object->heat;
        r->heat = out;
        if (kind == wf_heatStretch) wfHeat_Stretch(r->triangles, r->triangleCount, r->positions, r->rest, r->vertexCount, out);
        if (kind == wf_heatSpeed) WF_TRY(ReadSpeed(source, o, frame, out, err));
        if (kind == wf_heatContact) WF_TRY(ReadDistance(source, o, limit, out, err));
    }
    return true;
}
