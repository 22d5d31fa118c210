// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/run_folder.h"

#include "io/cache.h"
#include "io/mesh_file.h"
#include "io/run_manifest.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static_assert(sizeof(wfVec3) == 3 * sizeof(float), "caches and meshes share positions");

struct wfRunFolder {
    char folder[900];
    wfArena arena;
    wfRunManifest manifest;
    wfMesh* meshes;
    wfPc2** caches; // NULL where an object never moves
    int frameCount;
};

static bool Join(char* out, size_t size, const char* folder, const char* name, wfError* err) {
    if (snprintf(out, size, "%s/%s", folder, name) < (int)size) return true;
    return wfFail(err, wf_badInput, "%.64s…: path is too long", folder);
}

static bool OpenObject(wfRunFolder* run, int index, wfError* err) {
    const wfRunObject* object = &run->manifest.objects[index];
    wfMesh* mesh = &run->meshes[index];
    char path[1024];
    WF_TRY(Join(path, sizeof path, run->folder, object->topology, err));
    WF_TRY(wfReadMesh(mesh, path, err));
    if (object->cache[0] == 0) return true;
    WF_TRY(Join(path, sizeof path, run->folder, object->cache, err));
    wfPc2* cache = run->caches[index] = wfPc2_OpenRead(path, err);
    if (cache == NULL) return false;
    if (wfPc2_GetVertexCount(cache) != mesh->vertexCount)
        return wfFail(err, wf_badInput, "%s: %d vertices, its topology %s has %d", path, wfPc2_GetVertexCount(cache), object->topology,
                      mesh->vertexCount);
    int frames = wfPc2_GetFrameCount(cache), cut = wfPc2_GetCutFrameCount(cache);
    if (cut > 0) // never of a run that was stopped, in any way: its count follows its frames
        return wfFail(err, wf_badInput, "%s: its header counts %d frames, the file ends after %d: it was cut off", path, frames + cut,
                      frames);
    if (run->frameCount < 0 || frames < run->frameCount) run->frameCount = frames;
    return true;
}

wfRunFolder* wfRunFolder_Open(const char* folder, wfError* err) {
    wfRunFolder* run = calloc(1, sizeof *run);
    if (run == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for the run in %s", folder);
        return NULL;
    }
    char path[1024];
    run->frameCount = -1;
    bool ok = Join(run->folder, sizeof run->folder, folder, ".", err) && Join(path, sizeof path, folder, "run.json", err);
    if (ok) run->folder[strlen(folder)] = 0;
    ok = ok && wfReadRunManifest(&run->manifest, &run->arena, path, err);
    int count = ok ? run->manifest.objectCount : 0;
    if (ok) run->meshes = wfArena_New(&run->arena, wfMesh, count, "meshes of a run", err);
    if (ok) run->caches = wfArena_New(&run->arena, wfPc2*, count, "caches of a run", err);
    ok = ok && run->meshes != NULL && run->caches != NULL;
    for (int i = 0; ok && i < count; ++i) ok = OpenObject(run, i, err);
    if (!ok) {
        wfRunFolder_Close(run);
        return NULL;
    }
    if (run->frameCount < 0) run->frameCount = 1;
    return run;
}

void wfRunFolder_Close(wfRunFolder* run) {
    if (run == NULL) return;
    for (int i = 0; run->caches != NULL && i < run->manifest.objectCount; ++i) wfPc2_Close(run->caches[i], NULL);
    for (int i = 0; run->meshes != NULL && i < run->manifest.objectCount; ++i) wfMesh_Free(&run->meshes[i]);
    wfArena_Free(&run->arena);
    free(run);
}

const wfRunManifest* wfRunFolder_GetManifest(const wfRunFolder* run) { return &run->manifest; }

int wfRunFolder_GetFrameCount(const wfRunFolder* run) { return run->frameCount; }

const wfMesh* wfRunFolder_GetMesh(const wfRunFolder* run, int object) { return &run->meshes[object]; }

bool wfRunFolder_ReadFrame(wfRunFolder* run, int object, int frame, wfVec3* out, wfError* err) {
    int first = run->manifest.firstFrame;
    if (frame < first || frame - first >= run->frameCount)
        return wfFail(err, wf_badInput, "%s: frame %d asked for, it has %d (%d is the first)", run->folder, frame, run->frameCount, first);
    if (run->caches[object] != NULL) return wfPc2_ReadFrame(run->caches[object], frame - first, &out->x, err);
    const wfMesh* mesh = &run->meshes[object];
    if (mesh->vertexCount > 0) memcpy(out, mesh->positions, sizeof *out * (size_t)mesh->vertexCount);
    return true;
}

bool wfRunFolder_ReadRest(wfRunFolder* run, int object, wfVec3* out, wfError* err) {
    const wfRunObject* info = &run->manifest.objects[object];
    const wfMesh* mesh = &run->meshes[object];
    wfMesh rest = {0};
    bool same = info->rest[0] == 0 || strcmp(info->rest, info->topology) == 0;
    bool ok = true;
    if (!same) {
        char path[1024];
        ok = Join(path, sizeof path, run->folder, info->rest, err) && wfReadMesh(&rest, path, err);
        if (ok && rest.vertexCount != mesh->vertexCount)
            ok = wfFail(err, wf_badInput, "%s: %d vertices, its topology %s has %d", path, rest.vertexCount, info->topology,
                        mesh->vertexCount);
    }
    const wfVec3* from = same ? mesh->positions : rest.positions;
    if (ok && mesh->vertexCount > 0) memcpy(out, from, sizeof *out * (size_t)mesh->vertexCount);
    wfMesh_Free(&rest);
    return ok;
}
