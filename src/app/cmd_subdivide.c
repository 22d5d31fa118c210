// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/subdivide.h"

#include "app/staging.h"
#include "app/stop.h"
#include "base/file.h"
#include "io/mesh_file.h"

#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

// weft subdivide: mesh files as one scene or one by one; runs are in subdivide_run.c.

// ---- shared by files and runs ---------------------------------------------------------------------------------------------------

void wfSubdivideSum_Add(wfSubdivideSum* sum, const wfRefineReport* report) {
    sum->frameCount += 1;
    sum->pushedFrames += report->pushedCount > 0;
    sum->pushed = fmaxf(sum->pushed, report->pushed);
    sum->stoppedCount = report->stoppedCount > sum->stoppedCount ? report->stoppedCount : sum->stoppedCount;
}

bool wfReadMeshes(const char* const* paths, int count, wfArena* arena, wfMesh** meshes, wfSubdivideObjects* out, wfError* err) {
    const wfMesh** pointers = wfArena_New(arena, const wfMesh*, count, "meshes", err);
    *meshes = wfArena_New(arena, wfMesh, count, "meshes", err);
    if (*meshes == NULL || pointers == NULL) return false;
    for (int i = 0; i < count; ++i) {
        WF_TRY(wfReadMesh(&(*meshes)[i], paths[i], err));
        wfMeshView view = wfMesh_View(&(*meshes)[i]);
        WF_TRY(wfMesh_Check(&view, paths[i], err));
        pointers[i] = &(*meshes)[i];
    }
    *out = (wfSubdivideObjects){pointers, paths, count};
    return true;
}

void wfFreeMeshes(wfMesh* meshes, int count) {
    for (int i = 0; meshes != NULL && i < count; ++i) wfMesh_Free(&meshes[i]);
}

bool wfIsSameFile(const char* a, const char* b) {
    struct stat infoA, infoB;
    return stat(a, &infoA) == 0 && stat(b, &infoB) == 0 && infoA.st_dev == infoB.st_dev && infoA.st_ino == infoB.st_ino;
}

// ---- files --------------------------------------------------------------------------------------------------------------------

static bool HasEnding(const char* path, const char* ending) {
    size_t n = strlen(path), m = strlen(ending);
    return n > m && strcasecmp(path + n - m, ending) == 0;
}

bool wfIsMeshName(const char* path) { return HasEnding(path, ".obj") || HasEnding(path, ".ply"); }

bool wfOutputName(const char* path, char* out, size_t size, wfError* err) {
    const char* slash = strrchr(path, '/');
    const char* name = slash != NULL ? slash + 1 : path;
    const char* dot = wfIsMeshName(name) ? NULL : strrchr(name, '.');
    int length = dot != NULL ? snprintf(out, size, "%.*s.ply", (int)(dot - name), name) : snprintf(out, size, "%s", name);
    return (length > 0 && (size_t)length < size) || wfFail(err, wf_badInput, "%.64s...: name is too long", name);
}

typedef struct FileJob {
    const wfSubdivideOptions* options;
    wfDevice* device;
    wfArena arena;
    wfSubdivideObjects colliders;
    wfMesh* colliderMeshes;
    wfStaging staging; // where OUT is a folder
    wfSubdivideScene scene;
    wfSubdivideSum* sum;
} FileJob;

static bool WriteResults(FileJob* job, const char* const* paths, wfError* err) {
    for (int i = 0; i < job->scene.cloths.partCount; ++i) {
        char name[NAME_MAX + 1], path[wf_runPathSize];
        job->sum->triangleCount += job->scene.fine[i].triangleCount;
        if (job->staging.temporary[0] == 0) return wfWriteMesh(job->options->output, &job->scene.fine[i], err);
        WF_TRY(wfOutputName(paths[i], name, sizeof name, err) && wfStaging_Path(&job->staging, name, path, err));
        if (access(path, F_OK) == 0) return wfFail(err, wf_badInput, "%s: two files would be written as %s", paths[i], name);
        WF_TRY(wfWriteMesh(path, &job->scene.fine[i], err));
    }
    return true;
}

/// Whether the scene of the file before can take these positions: then what is sharp is told by the first of the sequence, and no corner
/// comes or goes in it.
static bool Fits(const wfSubdivideScene* scene, const wfMesh* mesh) {
    const wfMesh* old = &scene->cloths.mesh;
    return scene->refiner != NULL && mesh->flat == NULL && scene->fine[0].flat == NULL && mesh->stitchCount == 0 &&
           scene->fine[0].stitchCount == 0 && old->vertexCount == mesh->vertexCount && old->triangleCount == mesh->triangleCount &&
           memcmp(old->triangles, mesh->triangles, (size_t)mesh->triangleCount * sizeof(wfTriangle)) == 0;
}

/// One scene: files that are subdivided together.
static bool DoScene(FileJob* job, const char* const* paths, int count, wfError* err) {
    wfMesh* meshes = NULL;
    wfArena arena = {0};
    wfSubdivideDef def = {.colliders = job->colliders, .levels = job->options->levels};
    def.sharp = (wfSharpDef){job->options->corner, job->options->crease};
    bool ok = wfReadMeshes(paths, count, &arena, &meshes, &def.cloths, err);
    if (ok && count == 1 && Fits(&job->scene, &meshes[0])) {
        memcpy(job->scene.cloths.mesh.positions, meshes[0].positions, (size_t)meshes[0].vertexCount * sizeof(wfVec3));
        job->scene.cloths.parts[0].name = paths[0];
    } else if (ok) {
        wfSubdivideScene_Free(&job->scene);
        ok = wfSubdivideScene_Create(&job->scene, job->device, &def, err);
    }
    wfRefineReport report;
    ok = ok && wfSubdivideScene_Run(&job->scene, count == 1 ? paths[0] : "the files together", &report, err);
    if (ok) wfSubdivideSum_Add(job->sum, &report);
    if (ok && wfIsStopped()) ok = wfFail(err, wf_cancelled, "%s: stopped; nothing was written", paths[0]);
    ok = ok && WriteResults(job, paths, err);
    wfFreeMeshes(meshes, count);
    wfArena_Free(&arena);
    return ok;
}

static bool DoFiles(FileJob* job, const char* const* paths, int count, wfError* err) {
    const wfSubdivideOptions* o = job->options;
    bool terminal = isatty(STDERR_FILENO) == 1, folder = !wfIsMeshName(o->output), ok = true;
    if (o->frames != NULL || o->every != 1) return wfFail(err, wf_badInput, "--frames and --every: expected the folder of a run");
    if (!folder && count > 1) return wfFail(err, wf_badInput, "-o %s: %d files do not fit into one; expected a folder", o->output, count);
    WF_TRY(wfReadMeshes(o->colliders.items, o->colliders.count, &job->arena, &job->colliderMeshes, &job->colliders, err));
    WF_TRY(folder ? wfStaging_Open(&job->staging, o->output, err) : wfRequireWritable(o->output, err));
    for (int i = 0; ok && i < (o->each ? count : 1); ++i) {
        if (terminal && o->each) fprintf(stderr, "\rfile %d of %d ", i + 1, count);
        ok = DoScene(job, paths + i, o->each ? 1 : count, err);
    }
    if (terminal && o->each) fputs("\r\033[K", stderr);
    return ok && (!folder || wfStaging_Commit(&job->staging, err));
}

static bool SubdivideFiles(const char* const* paths, int count, const wfSubdivideOptions* o, wfDevice* device, wfSubdivideSum* sum,
                           wfError* err) {
    FileJob job = {.options = o, .device = device, .sum = sum};
    bool ok = DoFiles(&job, paths, count, err);
    wfStaging_Discard(&job.staging);
    wfSubdivideScene_Free(&job.scene);
    wfFreeMeshes(job.colliderMeshes, o->colliders.count);
    wfArena_Free(&job.arena);
    return ok;
}

// ---- the command --------------------------------------------------------------------------------------------------------------

#define FIELD(name) offsetof(wfSubdivideOptions, name)
static const wfOption s_rows[] = {
    {"output", 'o', wf_optionText, FIELD(output), .value = "OUT", .about = "a mesh (.obj, .ply) for one file, else a folder"},
    {"levels", 'n', wf_optionInt, FIELD(levels), 1, wf_maxRefineLevels, "N", "how often each triangle becomes four; default 1"},
    {"frames", 0, wf_optionText, FIELD(frames), .value = "A:B", .about = "of a run, the frames from A to B; either may be left out"},
    {"every", 0, wf_optionInt, FIELD(every), 1, 1000000, "K", "of a run, every K-th frame from the first on"},
    {"collider", 0, wf_optionList, FIELD(colliders), .value = "FILE",
     .about = "a mesh that stays as it is and stops the cloth; may be given several times. A run's own colliders are known"},
    {"each", 0, wf_optionFlag, FIELD(each), .about = "take the files one by one, as frames of a sequence, not as one scene"},
    {"corner", 0, wf_optionNumber, FIELD(corner), 0, 180, "DEG",
     "boundary vertices where the boundary turns by more than this in the cloth at rest stay sharp; default 45, 180: none"},
    {"crease", 0, wf_optionNumber, FIELD(crease), 0, 180, "DEG",
     "edges bent by more than this in the cloth at rest stay sharp; default 180: none"},
    {"threads", 0, wf_optionInt, FIELD(threads), 0, 1024, "N", "CPU threads; 0 is one a core. The result is the same for any number"},
};
static const wfOptionTable s_table = {
    .command = "subdivide",
    .rows = s_rows,
    .count = sizeof s_rows / sizeof s_rows[0],
    .minArguments = 1,
    .maxArguments = INT_MAX,
    .notes =
        "Smooths cloth for the picture: every triangle becomes four, N times, by Loop's rules with bounded curvature. Whatever would "
        "meet on\n"
        "the way to its smooth place stops before, so the result has no intersections, by the exact test of weft check; cloths are\n"
        "stopped by themselves, by each other and by the colliders, which are not subdivided.\n"
        "Triangles that touch, or have slipped into each other by less than a quarter of an edge, are pushed apart first. What cannot be "
        "mended\n"
        "so is named and nothing is written.\n"
        "Mesh files (.obj, .ply, .stl) are one scene. The folder of a run becomes a folder that weft check, render and info take; with\n"
        "--every its frames are numbered anew, at a K-th of the rate.\n"
        "Exit code: 0 done, 1 the input intersects too deeply, 2 bad input.\n",
};

static bool Subdivide(char** paths, int count, const wfSubdivideOptions* o, wfSubdivideSum* sum, wfError* err) {
    struct stat info;
    bool folder = stat(paths[0], &info) == 0 && S_ISDIR(info.st_mode);
    if (o->output == NULL) return wfFail(err, wf_badInput, "-o: expected a mesh (.obj, .ply) or a folder to write to");
    for (int i = 0; i < count; ++i)
        if (wfIsSameFile(paths[i], o->output)) return wfFail(err, wf_badInput, "-o %s: expected another name than the input's", o->output);
    if (folder && !wfIsRunFolder(paths[0]))
        return wfFail(err, wf_badInput, "%s: a folder without run.json; expected mesh files or the folder of a run", paths[0]);
    if (folder && count > 1) return wfFail(err, wf_badInput, "%s: a run's folder is subdivided alone, got %d arguments", paths[0], count);
    if (folder && wfIsMeshName(o->output)) return wfFail(err, wf_badInput, "-o %s: expected a folder for a run", o->output);
    wfDeviceDef def = wfDefaultDeviceDef();
    def.kind = wf_deviceCpu;
    def.threadCount = o->threads;
    wfDevice* device = wfCreateDevice(&def, err);
    if (device == NULL) return false;
    bool ok =
        folder ? wfSubdivideRun(paths[0], o, device, sum, err) : SubdivideFiles((const char* const*)paths, count, o, device, sum, err);
    wfDestroyDevice(device);
    return ok;
}

int wfCmd_Subdivide(int argc, char** argv) {
    wfSharpDef sharp = wfDefaultSharpDef();
    wfSubdivideOptions o = {.levels = 1, .every = 1, .corner = sharp.cornerAngle, .crease = sharp.creaseAngle};
    int code = wfParseOptions(&s_table, &argc, argv, &o);
    if (code != wf_exitGoOn) return code;
    if (o.threads > 0) omp_set_num_threads(o.threads);
    wfCatchSignals();
    wfError err = {0};
    wfSubdivideSum sum = {0};
    if (!Subdivide(argv + 1, argc - 1, &o, &sum, &err)) return wfApp_Fail(&err);
    printf("%s: ", o.output);
    if (sum.frameCount > 1) printf(o.each ? "%d files, " : "%d frames of ", sum.frameCount);
    printf("%lld triangles, no intersections (exact)\n", (long long)sum.triangleCount);
    if (sum.pushedFrames > 0)
        printf("  pushed apart before: %d frame%s, vertices by up to %.3g mm\n", sum.pushedFrames, sum.pushedFrames == 1 ? "" : "s",
               1e3 * (double)sum.pushed);
    if (sum.stoppedCount > 0) printf("  stopped before their smooth place: up to %d vertices a frame\n", sum.stoppedCount);
    return wf_exitOk;
}
