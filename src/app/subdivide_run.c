// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/subdivide.h"

#include "app/run_output.h"
#include "app/staging.h"
#include "app/stop.h"
#include "io/cache.h"
#include "io/mesh_file.h"
#include "io/number.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// The folder of a run, frame by frame, into a folder of the same kind.

typedef struct Object {
    int source; // object of the run, -1: of --collider
    int part;   // among the cloths, or among the colliders
    wfPc2* cache;
} Object;

typedef struct Job {
    const char* path;
    const wfSubdivideOptions* options;
    wfRunFolder* run;
    wfArena arena;
    wfSubdivideScene scene;
    wfStaging staging;
    wfRunManifest manifest; // of what is written; beside its objects:
    Object* objects;
    wfMesh* extra; // of --collider
    int extraCount;
    int first, last; // frames
} Job;

// ---- frames -------------------------------------------------------------------------------------------------------------------

static bool ReadBound(const char* at, const char* end, int* out) {
    int64_t value;
    if (at == end) return true;
    if (wfScanInt(at, end, &value) != end || value < 0 || value > INT_MAX) return false;
    *out = (int)value;
    return true;
}

static bool ChooseFrames(Job* job, wfError* err) {
    const char* text = job->options->frames;
    int start = wfRunFolder_GetManifest(job->run)->firstFrame, count = wfRunFolder_GetFrameCount(job->run);
    if (count < 1) return wfFail(err, wf_badInput, "%s: the run has no frame yet", job->path);
    job->first = start;
    job->last = start + count - 1;
    if (text == NULL) return true;
    const char *colon = strchr(text, ':'), *end = text + strlen(text);
    if (colon == NULL || !ReadBound(text, colon, &job->first) || !ReadBound(colon + 1, end, &job->last) || job->first > job->last)
        return wfFail(err, wf_badInput, "--frames: expected A:B with A <= B, got \"%s\"", text);
    if (job->first < start || job->last >= start + count)
        return wfFail(err, wf_badInput, "--frames: frame %d asked for, %s has %d (%d is the first)",
                      job->first < start ? job->first : job->last, job->path, count, start);
    return true;
}

static bool ReadFrame(Job* job, int frame, wfError* err) {
    for (int i = 0; i < job->manifest.objectCount; ++i) {
        if (job->objects[i].source < 0) continue;
        bool cloth = job->manifest.objects[i].cloth;
        wfCheckScene* row = cloth ? &job->scene.cloths : &job->scene.colliders;
        const wfCheckPart* part = &row->parts[job->objects[i].part];
        wfVec3* x = row->mesh.positions + part->firstVertex;
        WF_TRY(wfRunFolder_ReadFrame(job->run, job->objects[i].source, frame, x, err));
        for (int v = 0; v < part[1].firstVertex - part->firstVertex; ++v) {
            if (!wfIsFinite3(x[v]))
                return wfFail(err, wf_badInput, "%s: frame %d: %s: vertex %d: expected finite numbers, got (%g, %g, %g)", job->path, frame,
                              part->name, v, (double)x[v].x, (double)x[v].y, (double)x[v].z);
        }
    }
    return true;
}

// ---- objects ------------------------------------------------------------------------------------------------------------------

/// The name of a file without folder and ending.
static void NameOf(const char* path, char* out, size_t size) {
    const char* slash = strrchr(path, '/');
    snprintf(out, size, "%s", slash != NULL ? slash + 1 : path);
    char* dot = strrchr(out, '.');
    if (dot != NULL && dot != out) *dot = 0;
}

static bool ListObjects(Job* job, wfError* err) {
    const wfRunManifest* source = wfRunFolder_GetManifest(job->run);
    int extra = job->options->colliders.count, count = source->objectCount + extra, parts[2] = {0, 0};
    job->manifest = *source;
    job->manifest.objects = wfArena_New(&job->arena, wfRunObject, count, "objects", err);
    job->objects = wfArena_New(&job->arena, Object, count, "objects", err);
    if (job->manifest.objects == NULL || job->objects == NULL) return false;
    job->manifest.objectCount = count;
    for (int i = 0; i < count; ++i) {
        wfRunObject* object = &job->manifest.objects[i];
        bool own = i < source->objectCount;
        *object = own ? source->objects[i] : (wfRunObject){.color = {0.55f, 0.56f, 0.58f}, .visible = true};
        if (!own) NameOf(job->options->colliders.items[i - source->objectCount], object->name, sizeof object->name);
        job->objects[i] = (Object){.source = own ? i : -1, .part = parts[object->cloth]++};
        if (object->name[0] == 0 || object->name[0] == '.' || strchr(object->name, '/') != NULL)
            return wfFail(err, wf_badInput, "%s: object \"%s\": expected a name that a file can have", job->path, object->name);
        for (int k = 0; k < i; ++k)
            if (strcmp(object->name, job->manifest.objects[k].name) == 0)
                return wfFail(err, wf_badInput, "%s: two objects of the name \"%s\", which names their files", job->path, object->name);
        bool moves = object->cloth || object->cache[0] != 0;
        snprintf(object->topology, sizeof object->topology, "%s.obj", object->name);
        snprintf(object->rest, sizeof object->rest, "%s.obj", object->name);
        object->cache[0] = 0;
        if (moves) snprintf(object->cache, sizeof object->cache, "%s.pc2", object->name);
    }
    if (parts[1] == 0) return wfFail(err, wf_badInput, "%s: the run has no cloth", job->path);
    job->manifest.frameRate = source->frameRate / job->options->every;
    job->manifest.firstFrame = job->first / job->options->every;
    return true;
}

/// The meshes of cloths or colliders, cloths at rest.
static bool Collect(Job* job, bool cloth, wfSubdivideObjects* out, wfMesh* rest, wfError* err) {
    int room = job->manifest.objectCount;
    const wfMesh** meshes = wfArena_New(&job->arena, const wfMesh*, room, "meshes", err);
    const char** names = wfArena_New(&job->arena, const char*, room, "meshes", err);
    if (meshes == NULL || names == NULL) return false;
    *out = (wfSubdivideObjects){meshes, names, 0};
    for (int i = 0; i < room; ++i) {
        if (job->manifest.objects[i].cloth != cloth) continue;
        int source = job->objects[i].source;
        const wfMesh* mesh = source >= 0 ? wfRunFolder_GetMesh(job->run, source) : &job->extra[i - (room - job->extraCount)];
        wfMeshView view = wfMesh_View(mesh);
        WF_TRY(wfMesh_Check(&view, job->manifest.objects[i].name, err));
        if (cloth) {
            WF_TRY(wfMesh_Copy(&rest[out->count], mesh, err));
            WF_TRY(wfRunFolder_ReadRest(job->run, source, rest[out->count].positions, err));
            mesh = &rest[out->count];
        }
        meshes[out->count] = mesh;
        names[out->count++] = job->manifest.objects[i].name;
    }
    return true;
}

static bool CreateScene(Job* job, wfDevice* device, wfError* err) {
    wfSubdivideDef def = {.levels = job->options->levels, .sharp = {job->options->corner, job->options->crease}};
    wfMesh* rest = wfArena_New(&job->arena, wfMesh, job->manifest.objectCount, "cloths at rest", err);
    bool ok = rest != NULL && Collect(job, true, &def.cloths, rest, err) && Collect(job, false, &def.colliders, NULL, err) &&
              wfSubdivideScene_Create(&job->scene, device, &def, err);
    if (rest != NULL) wfFreeMeshes(rest, job->manifest.objectCount);
    return ok;
}

// ---- what is written ------------------------------------------------------------------------------------------------------------

static const wfMesh* MeshOf(const Job* job, int object) {
    int source = job->objects[object].source;
    if (job->manifest.objects[object].cloth) return &job->scene.fine[job->objects[object].part];
    return source >= 0 ? wfRunFolder_GetMesh(job->run, source) : &job->extra[object - (job->manifest.objectCount - job->extraCount)];
}

/// Topologies, cloths at rest, and the caches without a frame.
static bool OpenFiles(Job* job, wfError* err) {
    char path[wf_runPathSize];
    WF_TRY(wfSubdivideScene_Smooth(&job->scene, err));
    for (int i = 0; i < job->manifest.objectCount; ++i) {
        const wfRunObject* object = &job->manifest.objects[i];
        WF_TRY(wfStaging_Path(&job->staging, object->topology, path, err));
        WF_TRY(wfWriteMesh(path, MeshOf(job, i), err));
        if (object->cache[0] == 0) continue;
        WF_TRY(wfStaging_Path(&job->staging, object->cache, path, err));
        job->objects[i].cache = wfPc2_OpenWrite(path, MeshOf(job, i)->vertexCount, job->manifest.frameRate, 0, err);
        if (job->objects[i].cache == NULL) return false;
    }
    return true;
}

static bool WriteFrame(Job* job, wfError* err) {
    for (int i = 0; i < job->manifest.objectCount; ++i) {
        if (job->objects[i].cache == NULL) continue;
        const wfCheckScene* row = &job->scene.colliders;
        bool cloth = job->manifest.objects[i].cloth;
        const wfVec3* x = cloth ? MeshOf(job, i)->positions : row->mesh.positions + row->parts[job->objects[i].part].firstVertex;
        WF_TRY(wfPc2_Append(job->objects[i].cache, &x->x, err));
    }
    return true;
}

static bool CloseCaches(Job* job, wfError* err) {
    bool ok = true;
    for (int i = 0; job->objects != NULL && i < job->manifest.objectCount; ++i) {
        ok = wfPc2_Close(job->objects[i].cache, err) && ok;
        job->objects[i].cache = NULL;
    }
    return ok;
}

static bool Work(Job* job, wfSubdivideSum* sum, wfError* err) {
    bool terminal = isatty(STDERR_FILENO) == 1, ok = true;
    int every = job->options->every, total = (job->last - job->first) / every + 1;
    for (int i = 0; ok && i < total; ++i) {
        char label[wf_runPathSize];
        wfRefineReport report;
        int frame = job->first + i * every;
        if (terminal) fprintf(stderr, "\rframe %d (%d of %d) ", frame, i + 1, total);
        snprintf(label, sizeof label, "%.160s: frame %d", job->path, frame);
        ok = ReadFrame(job, frame, err) && wfSubdivideScene_Run(&job->scene, label, &report, err) && WriteFrame(job, err);
        if (ok) wfSubdivideSum_Add(sum, &report);
        if (ok && wfIsStopped()) ok = wfFail(err, wf_cancelled, "%s: stopped behind frame %d; nothing was written", job->path, frame);
    }
    if (terminal) fputs("\r\033[K", stderr);
    return ok;
}

static bool Do(Job* job, wfDevice* device, wfSubdivideSum* sum, wfError* err) {
    bool earlier;
    wfSubdivideObjects extra;
    WF_TRY(wfRunOutput_CheckFolder(job->options->output, &earlier, err));
    job->run = wfRunFolder_Open(job->path, err);
    if (job->run == NULL) return false;
    WF_TRY(ChooseFrames(job, err));
    job->extraCount = job->options->colliders.count;
    WF_TRY(wfReadMeshes(job->options->colliders.items, job->extraCount, &job->arena, &job->extra, &extra, err));
    WF_TRY(ListObjects(job, err));
    WF_TRY(CreateScene(job, device, err));
    for (int i = 0; i < job->scene.cloths.partCount; ++i) sum->triangleCount += job->scene.fine[i].triangleCount;
    WF_TRY(wfStaging_Open(&job->staging, job->options->output, err));
    WF_TRY(OpenFiles(job, err));
    WF_TRY(Work(job, sum, err));
    WF_TRY(CloseCaches(job, err));
    WF_TRY(wfWriteRunManifest(job->staging.temporary, &job->manifest, err));
    return wfStaging_Commit(&job->staging, err);
}

bool wfSubdivideRun(const char* path, const wfSubdivideOptions* options, wfDevice* device, wfSubdivideSum* sum, wfError* err) {
    Job job = {.path = path, .options = options};
    bool ok = Do(&job, device, sum, err);
    CloseCaches(&job, NULL);
    wfStaging_Discard(&job.staging);
    wfSubdivideScene_Free(&job.scene);
    if (job.extra != NULL) wfFreeMeshes(job.extra, job.extraCount);
    wfRunFolder_Close(job.run);
    wfArena_Free(&job.arena);
    return ok;
}
