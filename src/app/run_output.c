// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/run_output.h"

#include "app/run_cleanup.h"
#include "io/cache.h"
#include "base/file.h"
#include "io/mesh_file.h"
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Object {
    wfMesh mesh;     // its positions are overwritten frame by frame
    wfPc2* cache;    // NULL while closed, and for what rests
    wfClothId cloth; // one of the two is null
    wfColliderId collider;
    bool inFormat; // also written in the format of the run
} Object;

struct wfRunOutput {
    char folder[wf_runFolderSize];
    wfRunFormat format;
    int firstFrame;
    wfRunManifest manifest;
    Object* objects; // beside manifest.objects
    int lock;        // file descriptor of the folder, -1 while not held
};

// ---- taking over the scene's objects ----------------------------------------------------------------------------------------------

static bool Describe(wfRunObject* entry, const char* name, bool cloth, bool moves, wfError* err) {
    static const char* const endings[] = {".obj", ".pc2", ".json", ".jsonl", ".wfc", ".glb", ".usda"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; ++i) {
        size_t length = strlen(name), n = strlen(endings[i]);
        if (length >= n && strcmp(name + length - n, endings[i]) == 0) {
            return wfFail(err, wf_badInput, "%s \"%s\": name: expected one that does not end in %s, which a file of the run may",
                          cloth ? "cloth" : "collider", name, endings[i]);
        }
    }
    *entry = (wfRunObject){.cloth = cloth, .visible = true};
    snprintf(entry->name, sizeof entry->name, "%s", name);
    snprintf(entry->topology, sizeof entry->topology, "%s.obj", name);
    snprintf(entry->rest, sizeof entry->rest, "%s.obj", name);
    if (moves) snprintf(entry->cache, sizeof entry->cache, "%s.pc2", name);
    return true;
}

// What is sewn vertex to vertex within the cloth: `weft check` asks there only for what meets beyond the seam.
static bool TakeStitches(wfMesh* mesh, const wfModel* model, const wfClothRange* range, wfError* err) {
    mesh->stitches = wfArena_Alloc(&mesh->arena, (size_t)model->stitchCount, sizeof *mesh->stitches, "stitches", err);
    if (mesh->stitches == NULL) return false;
    for (int s = 0; s < model->stitchCount; ++s) {
        const int* v = model->stitches[s].v;
        int a = v[0] - range->firstVertex, b = v[1] - range->firstVertex;
        if (v[1] != v[2] || a < 0 || b < 0 || a >= range->vertexCount || b >= range->vertexCount) continue;
        mesh->stitches[mesh->stitchCount][0] = a;
        mesh->stitches[mesh->stitchCount++][1] = b;
    }
    return true;
}

static bool TakeCloth(Object* object, wfRunObject* entry, const wfScene* scene, wfClothId id, wfError* err) {
    WF_TRY(Describe(entry, wfCloth_GetName(scene, id), true, true, err));
    entry->color = wfCloth_GetColor(scene, id);
    object->cloth = id;
    object->inFormat = true;
    int triangleCount = wfCloth_GetTriangleCount(scene, id);
    WF_TRY(wfMesh_Create(&object->mesh, wfCloth_GetVertexCount(scene, id), triangleCount, false, err));
    memcpy(object->mesh.triangles, wfCloth_GetTriangles(scene, id), (size_t)triangleCount * sizeof(wfTriangle));
    WF_TRY(TakeStitches(&object->mesh, &scene->model, &scene->model.cloths[id.index1 - 1], err));
    return wfCloth_ReadPositions(scene, id, &object->mesh.positions->x, sizeof(wfVec3), err);
}

static bool TakeCollider(Object* object, wfRunObject* entry, const wfScene* scene, wfColliderId id, bool inFormat, wfError* err) {
    const wfCollider* collider = wfScene_FindCollider(scene, id, err);
    if (collider == NULL) return false;
    bool moves = collider->motion.keyCount > 1 || collider->def.sequenceCount > 1;
    WF_TRY(Describe(entry, wfCollider_GetName(scene, id), false, moves, err));
    entry->color = wfCollider_GetColor(scene, id);
    entry->visible = wfCollider_IsVisible(scene, id);
    object->collider = id;
    object->inFormat = inFormat;
    int triangleCount = wfCollider_GetTriangleCount(scene, id);
    WF_TRY(wfMesh_Create(&object->mesh, wfCollider_GetVertexCount(scene, id), triangleCount, false, err));
    memcpy(object->mesh.triangles, wfCollider_GetTriangles(scene, id), (size_t)triangleCount * sizeof(wfTriangle));
    return wfCollider_ReadPositions(scene, id, &object->mesh.positions->x, sizeof(wfVec3), err);
}

static bool TakeObjects(wfRunOutput* output, const wfRunOutputDef* def, const wfScene* scene, wfError* err) {
    int clothCount = wfScene_GetClothCount(scene), colliderCount = wfScene_GetColliderCount(scene);
    output->objects = calloc((size_t)(clothCount + colliderCount) + 1, sizeof *output->objects);
    output->manifest.objects = calloc((size_t)(clothCount + colliderCount) + 1, sizeof *output->manifest.objects);
    if (output->objects == NULL || output->manifest.objects == NULL)
        return wfFail(err, wf_outOfMemory, "out of memory for the list of objects");
    for (int i = 0; i < clothCount + colliderCount; ++i) {
        wfRunObject* entry = &output->manifest.objects[i];
        Object* object = &output->objects[i];
        output->manifest.objectCount = i + 1;
        if (i < clothCount) {
            WF_TRY(TakeCloth(object, entry, scene, wfScene_GetCloth(scene, i), err));
        } else {
            WF_TRY(TakeCollider(object, entry, scene, wfScene_GetCollider(scene, i - clothCount), def->colliders, err));
        }
        for (int k = 0; k < i; ++k) {
            if (strcmp(output->manifest.objects[k].name, entry->name) != 0) continue;
            return wfFail(err, wf_badInput, "\"%s\": two objects of this name, which names their files", entry->name);
        }
    }
    return true;
}

wfRunOutput* wfRunOutput_Create(const wfRunOutputDef* def, const wfScene* scene, wfError* err) {
    wfRunOutput* output = calloc(1, sizeof *output);
    if (output == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for the output of the run");
        return NULL;
    }
    output->lock = -1;
    output->format = def->format;
    output->firstFrame = def->firstFrame;
    snprintf(output->folder, sizeof output->folder, "%s", def->folder);
    snprintf(output->manifest.title, sizeof output->manifest.title, "%s", def->title);
    output->manifest.frameRate = (double)wfScene_GetDef(scene)->frame_rate;
    output->manifest.firstFrame = def->firstFrame;
    output->manifest.up = wfScene_GetDef(scene)->up;
    output->manifest.camera = def->camera;
    if (TakeObjects(output, def, scene, err)) return output;
    wfRunOutput_Destroy(output);
    return NULL;
}

static bool CloseCaches(wfRunOutput* output, wfError* err) {
    bool ok = true;
    for (int i = 0; output->objects != NULL && i < output->manifest.objectCount; ++i) {
        ok = wfPc2_Close(output->objects[i].cache, err) && ok;
        output->objects[i].cache = NULL;
    }
    return ok;
}

void wfRunOutput_Destroy(wfRunOutput* output) {
    if (output == NULL) return;
    CloseCaches(output, NULL);
    for (int i = 0; output->objects != NULL && i < output->manifest.objectCount; ++i) wfMesh_Free(&output->objects[i].mesh);
    if (output->lock >= 0) close(output->lock);
    free(output->objects);
    free(output->manifest.objects);
    free(output);
}

// ---- the folder -------------------------------------------------------------------------------------------------------------------

bool wfRunOutput_Lock(wfRunOutput* output, wfError* err) {
    WF_TRY(wfMakeFolder(output->folder, err));
    output->lock = wfLockRunFolder(output->folder, err);
    return output->lock >= 0;
}

static void MakePath(const wfRunOutput* output, const char* name, char* path) {
    snprintf(path, wf_runPathSize, "%s/%s", output->folder, name);
}

static void MakeFramePath(const wfRunOutput* output, int object, int frame, char* path) {
    const char* ending = output->format == wf_formatPly ? "ply" : "obj";
    snprintf(path, wf_runPathSize, "%s/%s/%05d.%s", output->folder, output->manifest.objects[object].name, frame, ending);
}

static bool HasFrameFiles(const wfRunOutput* output, int object) {
    return (output->format == wf_formatPly || output->format == wf_formatObj) && output->objects[object].inFormat;
}

/// The list, the meshes (which still have their start shape) and the caches, opened for the frames from `count` on.
static bool OpenFiles(wfRunOutput* output, int count, wfError* err) {
    char path[wf_runPathSize];
    WF_TRY(wfWriteRunManifest(output->folder, &output->manifest, err));
    for (int i = 0; i < output->manifest.objectCount; ++i) {
        const wfRunObject* entry = &output->manifest.objects[i];
        Object* object = &output->objects[i];
        MakePath(output, entry->topology, path);
        WF_TRY(wfWriteMesh(path, &object->mesh, err));
        if (HasFrameFiles(output, i)) {
            MakePath(output, entry->name, path);
            WF_TRY(wfMakeFolder(path, err));
        }
        if (entry->cache[0] == 0) continue;
        MakePath(output, entry->cache, path);
        object->cache = wfPc2_OpenWrite(path, object->mesh.vertexCount, output->manifest.frameRate, count, err);
        if (object->cache == NULL) return false;
    }
    return true;
}

bool wfRunOutput_Start(wfRunOutput* output, wfError* err) {
    WF_TRY(wfRemoveRun(output->folder, err));
    return OpenFiles(output, 0, err);
}

/// Frame files that are not there though their frame is: the run began in another format.
static bool MakeUpFrameFiles(wfRunOutput* output, int object, int frame, wfError* err) {
    char path[wf_runPathSize];
    Object* o = &output->objects[object];
    const char* cacheName = output->manifest.objects[object].cache;
    wfPc2* cache = NULL;
    if (cacheName[0] != 0) {
        MakePath(output, cacheName, path);
        cache = wfPc2_OpenRead(path, err);
        if (cache == NULL) return false;
    }
    bool ok = true;
    for (int f = output->firstFrame; f <= frame && ok; ++f) {
        MakeFramePath(output, object, f, path);
        if (access(path, F_OK) == 0) continue;
        ok = (cache == NULL || wfPc2_ReadFrame(cache, f - output->firstFrame, &o->mesh.positions->x, err)) &&
             wfWriteMesh(path, &o->mesh, err);
    }
    return wfPc2_Close(cache, err) && ok;
}

bool wfRunOutput_Resume(wfRunOutput* output, int frame, wfError* err) {
    WF_TRY(wfCutRun(output->folder, &output->manifest, frame, err));
    int count = frame + 1 - output->firstFrame;
    WF_TRY(OpenFiles(output, count > 0 ? count : 0, err));
    for (int i = 0; i < output->manifest.objectCount; ++i) {
        if (HasFrameFiles(output, i)) WF_TRY(MakeUpFrameFiles(output, i, frame, err));
    }
    return true;
}

// ---- frames -----------------------------------------------------------------------------------------------------------------------

bool wfRunOutput_WriteFrame(wfRunOutput* output, const wfScene* scene, wfError* err) {
    int frame = wfScene_GetFrame(scene);
    if (frame < output->firstFrame) return true;
    char path[wf_runPathSize];
    for (int i = 0; i < output->manifest.objectCount; ++i) {
        Object* object = &output->objects[i];
        float* positions = &object->mesh.positions->x;
        if (object->cache == NULL && !HasFrameFiles(output, i)) continue;
        if (WF_ID_IS_NULL(object->cloth)) {
            WF_TRY(wfCollider_ReadPositions(scene, object->collider, positions, sizeof(wfVec3), err));
        } else {
            WF_TRY(wfCloth_ReadPositions(scene, object->cloth, positions, sizeof(wfVec3), err));
        }
        if (object->cache != NULL) WF_TRY(wfPc2_Append(object->cache, positions, err));
        if (HasFrameFiles(output, i)) {
            MakeFramePath(output, i, frame, path);
            WF_TRY(wfWriteMesh(path, &object->mesh, err));
        }
    }
    return true;
}

// ---- one file of it all -----------------------------------------------------------------------------------------------------------

static bool Export(wfRunOutput* output, wfExportObject* exported, int count, wfError* err) {
    char path[wf_runPathSize];
    bool gltf = output->format == wf_formatGltf;
    MakePath(output, gltf ? "scene.glb" : "scene.usda", path);
    if (gltf) return wfWriteGltf(path, exported, count, output->manifest.frameRate, output->manifest.up == wf_upZ, err);
    return wfWriteUsda(path, exported, count, output->manifest.frameRate, output->manifest.up == wf_upZ, err);
}

bool wfRunOutput_Finish(wfRunOutput* output, wfError* err) {
    WF_TRY(CloseCaches(output, err));
    if (output->format != wf_formatGltf && output->format != wf_formatUsda) return true;
    wfExportObject* exported = calloc((size_t)output->manifest.objectCount + 1, sizeof *exported);
    if (exported == NULL) return wfFail(err, wf_outOfMemory, "out of memory for the export");
    int count = 0;
    bool ok = true;
    for (int i = 0; i < output->manifest.objectCount && ok; ++i) {
        const wfRunObject* entry = &output->manifest.objects[i];
        if (!output->objects[i].inFormat) continue;
        exported[count] = (wfExportObject){.name = entry->name, .color = entry->color, .mesh = &output->objects[i].mesh};
        if (entry->cache[0] != 0) {
            char path[wf_runPathSize];
            MakePath(output, entry->cache, path);
            exported[count].frames = wfPc2_OpenRead(path, err);
            ok = exported[count].frames != NULL;
        }
        count++;
    }
    ok = ok && Export(output, exported, count, err);
    for (int i = 0; i < count; ++i) ok = wfPc2_Close(exported[i].frames, err) && ok;
    free(exported);
    return ok;
}
