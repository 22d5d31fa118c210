// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/options.h"

#include "app/check_report.h"
#include "io/mesh_file.h"
#include "io/run_folder.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

// weft check: mesh files as one scene or one by one, and the folders of runs frame by frame.

typedef struct CheckOptions {
    bool each, gap, json;
} CheckOptions;

static bool CheckScene(const wfCheckScene* scene, const char* name, int frame, const CheckOptions* options, wfCheckResult* result,
                       wfError* err) {
    return wfCheckScene_Search(scene, options->gap, result, err) &&
           (options->json ? wfCheck_PrintJson : wfCheck_PrintText)(scene, name, frame, result, err);
}

// ---- files --------------------------------------------------------------------------------------------------------------------

static bool CheckFiles(char** paths, int count, const CheckOptions* options, bool* clean, wfError* err) {
    wfArena arena = {0};
    wfMesh* meshes = wfArena_New(&arena, wfMesh, count, "meshes", err);
    const wfMesh** pointers = wfArena_New(&arena, const wfMesh*, count, "meshes", err);
    const char** names = wfArena_New(&arena, const char*, count, "meshes", err);
    bool ok = meshes != NULL && pointers != NULL && names != NULL;
    for (int i = 0; ok && i < count; ++i) {
        ok = wfReadMesh(&meshes[i], paths[i], err);
        wfMeshView view = ok ? wfMesh_View(&meshes[i]) : (wfMeshView){0};
        ok = ok && wfMesh_Check(&view, paths[i], err);
        pointers[i] = &meshes[i];
        names[i] = paths[i];
    }
    wfCheckScene scene = {0};
    wfCheckResult result = {0};
    char together[64];
    snprintf(together, sizeof together, "%d files together", count);
    ok = ok && wfCheckScene_Create(&scene, pointers, names, count, err) &&
         CheckScene(&scene, count == 1 ? names[0] : together, -1, options, &result, err);
    *clean = *clean && result.found.count == 0;
    wfCheckResult_Free(&result);
    wfCheckScene_Free(&scene);
    for (int i = 0; meshes != NULL && i < count; ++i) wfMesh_Free(&meshes[i]);
    wfArena_Free(&arena);
    return ok;
}

// ---- runs ---------------------------------------------------------------------------------------------------------------------

static bool CreateRunScene(wfCheckScene* scene, const wfRunFolder* run, wfError* err) {
    const wfRunManifest* manifest = wfRunFolder_GetManifest(run);
    wfArena arena = {0};
    const wfMesh** meshes = wfArena_New(&arena, const wfMesh*, manifest->objectCount, "objects", err);
    const char** names = wfArena_New(&arena, const char*, manifest->objectCount, "objects", err);
    bool ok = meshes != NULL && names != NULL;
    for (int i = 0; ok && i < manifest->objectCount; ++i) {
        meshes[i] = wfRunFolder_GetMesh(run, i);
        names[i] = manifest->objects[i].name;
    }
    ok = ok && wfCheckScene_Create(scene, meshes, names, manifest->objectCount, err);
    wfArena_Free(&arena);
    if (!ok) return false;
    scene->ignore = wfArena_New(&scene->arena, bool, scene->mesh.triangleCount, "marks of colliders", err);
    if (scene->ignore == NULL) return false;
    for (int i = 0; i < manifest->objectCount; ++i) {
        for (int t = scene->parts[i].firstTriangle; t < scene->parts[i + 1].firstTriangle; ++t)
            scene->ignore[t] = !manifest->objects[i].cloth;
    }
    return true;
}

static bool ReadRunFrame(wfCheckScene* scene, wfRunFolder* run, const char* path, int frame, wfError* err) {
    for (int i = 0; i < scene->partCount; ++i) {
        wfVec3* x = scene->mesh.positions + scene->parts[i].firstVertex;
        WF_TRY(wfRunFolder_ReadFrame(run, i, frame, x, err));
        for (int v = 0; v < scene->parts[i + 1].firstVertex - scene->parts[i].firstVertex; ++v) {
            if (!wfIsFinite3(x[v])) {
                return wfFail(err, wf_badInput, "%s: frame %d: %s: vertex %d: expected finite numbers, got (%g, %g, %g)", path, frame,
                              scene->parts[i].name, v, (double)x[v].x, (double)x[v].y, (double)x[v].z);
            }
        }
    }
    return true;
}

static bool CheckRun(const char* path, const CheckOptions* options, bool* clean, wfError* err) {
    if (!wfIsRunFolder(path))
        return wfFail(err, wf_badInput, "%s: a folder without run.json; expected mesh files or the folder of a run", path);
    wfRunFolder* run = wfRunFolder_Open(path, err);
    if (run == NULL) return false;
    wfCheckScene scene = {0};
    bool ok = CreateRunScene(&scene, run, err);
    int frames = ok ? wfRunFolder_GetFrameCount(run) : 0, bad = 0, first = -1, most = -1, nearest = -1;
    int64_t mostPairs = 0;
    wfGap gap = {.a = -1, .distance = INFINITY};
    int start = wfRunFolder_GetManifest(run)->firstFrame;
    if (ok && frames < 1) ok = wfFail(err, wf_badInput, "%s: the run has no frame yet", path);
    for (int frame = start; ok && frame < start + frames; ++frame) {
        wfCheckResult result = {0};
        ok = ReadRunFrame(&scene, run, path, frame, err) && CheckScene(&scene, path, frame, options, &result, err);
        if (result.found.count > 0 && bad++ == 0) first = frame;
        if (result.found.count > mostPairs) {
            mostPairs = result.found.count;
            most = frame;
        }
        if (ok && result.hasGap && result.gap.distance < gap.distance) {
            gap = result.gap;
            nearest = frame;
        }
        wfCheckResult_Free(&result);
    }
    if (ok && !options->json) {
        if (bad == 0) printf("%s: no intersections in %d frame%s (%s)\n", path, frames, frames == 1 ? "" : "s", wfCheckMethod);
        if (bad > 0) {
            printf("%s: intersections in %d of %d frames, first in frame %d, most in frame %d (%" PRId64 " pairs) (%s)\n", path, bad,
                   frames, first, most, mostPairs, wfCheckMethod);
        }
        if (options->gap) {
            printf("  smallest gap: ");
            wfCheck_PrintGap(&scene, &gap);
            if (nearest >= 0) printf(", in frame %d", nearest);
            printf("\n");
        }
    }
    *clean = *clean && bad == 0;
    wfCheckScene_Free(&scene);
    wfRunFolder_Close(run);
    return ok;
}

static bool IsFolder(const char* path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static const wfOption s_rows[] = {
    {.name = "each", .kind = wf_optionFlag, .offset = offsetof(CheckOptions, each), .about = "take the files one by one, not as one scene"},
    {.name = "gap",
     .kind = wf_optionFlag,
     .offset = offsetof(CheckOptions, gap),
     .about = "also find the smallest distance between triangles that share no vertex"},
    {.name = "json",
     .kind = wf_optionFlag,
     .offset = offsetof(CheckOptions, json),
     .about = "print a JSON object a line: one for the files, or one a frame"},
};
static const wfOptionTable s_table = {
    .command = "check",
    .rows = s_rows,
    .count = 3,
    .minArguments = 1,
    .maxArguments = INT_MAX,
    .notes =
        "Mesh files (.obj, .ply, .stl) are one scene: intersections are looked for within each and between them. The folder of a run is\n"
        "checked frame by frame; there, two colliders may meet. The test is exact, by adaptive arithmetic on the single-precision "
        "positions.\n"
        "Triangles that touch count as intersecting, and so do those that overlap in one plane; neighbours count where they meet beyond "
        "the\n"
        "vertex or edge they share, as when one is folded exactly onto the other. A triangle without area is the segment or point it "
        "spans.\n"
        "Triangles are counted from 0, in the order of the file.\n"
        "In JSON, objects are named once and then counted from 0; a pair is [object, triangle, object, triangle];\n"
        "the first 100000 pairs are listed. The triangles that are in most pairs are the worst.\n"
        "The gap is 0 where two such triangles meet, else right to the rounding of double precision; of a run it is that of all frames.\n"
        "Exit code: 0 clean, 1 intersecting, 2 bad input.\n",
};

int wfCmd_Check(int argc, char** argv) {
    CheckOptions options = {0};
    int code = wfParseOptions(&s_table, &argc, argv, &options);
    if (code != wf_exitGoOn) return code;
    wfError err = {0};
    bool ok = true, clean = true;
    int fileCount = 0; // moved to the front, folders are done at once
    for (int i = 1; ok && i < argc; ++i) {
        if (IsFolder(argv[i])) {
            ok = CheckRun(argv[i], &options, &clean, &err);
        } else if (options.each) {
            ok = CheckFiles(&argv[i], 1, &options, &clean, &err);
        } else {
            argv[1 + fileCount++] = argv[i];
        }
    }
    if (ok && fileCount > 0) ok = CheckFiles(argv + 1, fileCount, &options, &clean, &err);
    if (!ok) return wfApp_Fail(&err);
    return clean ? wf_exitOk : wf_exitNo;
}
