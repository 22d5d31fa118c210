// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/options.h"

#include "base/error.h"
#include "io/cache.h"
#include "base/file.h"
#include "io/mesh_file.h"
#include "io/run_folder.h"
#include "mesh/measure.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { maxDefects = 10 };

static bool HasEnding(const char* path, const char* ending) {
    size_t n = strlen(path), m = strlen(ending);
    return n > m && strcasecmp(path + n - m, ending) == 0;
}

// ---- meshes -------------------------------------------------------------------------------------------------------------------

static bool PrintDefects(const wfTopology* topology, bool oneBased, wfError* err) {
    wfArena arena = {0};
    wfDefect* defects;
    int count;
    bool ok = wfTopology_FindDefects(topology, &arena, &defects, &count, err);
    if (ok && count == 0) printf("  defects     none\n");
    for (int i = 0; ok && i < count && i < maxDefects; ++i) {
        char text[256];
        wfDefect_Describe(&defects[i], oneBased, text, sizeof text);
        printf("  defect      %s\n", text);
    }
    if (ok && count > maxDefects) printf("  defects     %d more\n", count - maxDefects);
    wfArena_Free(&arena);
    return ok;
}

static bool PrintMesh(const wfMesh* mesh, bool oneBased, wfError* err) {
    wfTopology topology = {0};
    WF_TRY(wfTopology_Create(&topology, mesh->triangles, mesh->triangleCount, mesh->vertexCount, err));
    wfMeasures m;
    bool ok = wfMeasureMesh(mesh, &topology, &m, err);
    if (ok) {
        printf("  counts      %d vertices, %d triangles, %d edges", mesh->vertexCount, mesh->triangleCount, topology.edgeCount);
        if (m.looseVertexCount > 0) printf(", %d vertices without a triangle", m.looseVertexCount);
        printf("\n  bounds      (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g) m\n", (double)m.lo.x, (double)m.lo.y, (double)m.lo.z,
               (double)m.hi.x, (double)m.hi.y, (double)m.hi.z);
        printf("  area        %.6g m^2\n", m.area);
        if (m.closed) printf("  volume      %.6g m^3%s\n", fabs(m.volume), m.volume < 0.0 ? ", inside out" : "");
        printf("  edges       %.4g shortest, %.4g mean, %.4g longest m\n", m.edgeMin, m.edgeMean, m.edgeMax);
        printf("  pieces      %d, ", m.pieceCount);
        if (topology.boundaryEdgeCount == 0) {
            printf("no boundary\n");
        } else {
            printf("%d boundary loop%s of %d edges\n", m.boundaryLoopCount, m.boundaryLoopCount == 1 ? "" : "s",
                   topology.boundaryEdgeCount);
        }
        printf("  flat shape  %s\n", mesh->flat != NULL ? "in the file" : "none, the rest shape is used");
        if (mesh->stitchCount > 0) printf("  stitches    %d\n", mesh->stitchCount);
        ok = PrintDefects(&topology, oneBased, err);
    }
    wfTopology_Free(&topology);
    return ok;
}

static bool InfoMesh(const char* path, wfError* err) {
    wfMesh mesh = {0};
    bool ok = wfReadMesh(&mesh, path, err);
    if (ok) {
        printf("%s: mesh\n", path);
        ok = PrintMesh(&mesh, HasEnding(path, ".obj"), err); // OBJ counts from 1
    }
    wfMesh_Free(&mesh);
    return ok;
}

static bool InfoCache(const char* path, wfError* err) {
    wfPc2* cache = wfPc2_OpenRead(path, err);
    if (cache == NULL) return false;
    printf("%s: cache\n  frames      %d at %.6g a second\n  vertices    %d\n", path, wfPc2_GetFrameCount(cache), wfPc2_GetFrameRate(cache),
           wfPc2_GetVertexCount(cache));
    return wfPc2_Close(cache, err);
}

// ---- scenes -------------------------------------------------------------------------------------------------------------------

static void PrintScene(const wfScene* scene, const wfSceneFile* file) {
    const wfSceneDef* def = wfScene_GetDef(scene);
    int64_t vertices = 0, triangles = 0;
    if (file->title[0] != 0) printf("  title       %s\n", file->title);
    for (int i = 0; i < wfScene_GetClothCount(scene); ++i) {
        wfClothId id = wfScene_GetCloth(scene, i);
        printf("  cloth       %s: %d vertices, %d triangles\n", wfCloth_GetName(scene, id), wfCloth_GetVertexCount(scene, id),
               wfCloth_GetTriangleCount(scene, id));
        vertices += wfCloth_GetVertexCount(scene, id);
        triangles += wfCloth_GetTriangleCount(scene, id);
    }
    if (wfScene_GetClothCount(scene) > 1) {
        printf("  in all      %lld vertices, %lld triangles of cloth\n", (long long)vertices, (long long)triangles);
    }
    for (int i = 0; i < wfScene_GetColliderCount(scene); ++i) {
        printf("  collider    %s\n", wfCollider_GetName(scene, wfScene_GetCollider(scene, i)));
    }
    // As the frame loop cuts a frame (scene/frame.c), with its slack for a time step that is a rounding short of a whole part.
    int steps = (int)ceil(1.0 / (double)def->frame_rate / (double)def->time_step * (1.0 - 1e-6));
    printf("  frames      %d at %.6g a second, %d step%s a frame\n", def->frames, (double)def->frame_rate, steps > 1 ? steps : 1,
           steps > 1 ? "s" : "");
    if (def->preroll > 0.0f) printf("  preroll     %.6g s\n", (double)def->preroll);
    printf("  method      %s with %s and %s\n", def->stepper, def->dynamics, def->contact);
}

static bool InfoScene(const char* name, wfError* err) {
    char path[1024];
    WF_TRY(wfApp_FindScene(name, path, sizeof path, err));
    wfDeviceDef def = wfDefaultDeviceDef();
    def.kind = wf_deviceCpu; // nothing is simulated
    wfDevice* device = wfCreateDevice(&def, err);
    if (device == NULL) return false;
    wfSceneFile file = {0};
    wfScene* scene = wfLoadScene(device, path, NULL, 0, &file, err);
    if (scene != NULL) {
        printf("%s: scene\n", name);
        PrintScene(scene, &file);
    }
    wfDestroyScene(scene);
    wfDestroyDevice(device);
    return scene != NULL;
}

// ---- runs ---------------------------------------------------------------------------------------------------------------------

/// The value of a key in a line of report.jsonl, as it stands there; "?" where it is missing.
static void FindValue(const char* line, const char* key, char* value, size_t size) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char* at = strstr(line, quoted);
    if (at == NULL) {
        snprintf(value, size, "?");
        return;
    }
    at += strlen(quoted);
    snprintf(value, size, "%.*s", (int)strcspn(at, ",}"), at);
}

static bool PrintCertificate(const char* folder, wfError* err) {
    char path[1200];
    struct stat info;
    if (snprintf(path, sizeof path, "%s/report.jsonl", folder) >= (int)sizeof path)
        return wfFail(err, wf_badInput, "%.64s...: path is too long", folder);
    if (stat(path, &info) != 0) {
        printf("  certificate none: there is no report.jsonl\n");
        return true;
    }
    size_t size;
    char* text = wfReadFile(path, &size, err);
    if (text == NULL) return false;
    char* end = strrchr(text, '\n'); // what follows the last end of line is a line that was never finished
    if (end != NULL) *end = 0;
    char* last = end != NULL ? strrchr(text, '\n') : NULL;
    if (last == NULL) {
        printf("  certificate none yet\n");
    } else {
        char frame[32], pairs[32], contacts[32], stretch[32], self[32];
        FindValue(last, "frame", frame, sizeof frame);
        FindValue(last, "intersecting_pairs", pairs, sizeof pairs);
        FindValue(last, "contacts", contacts, sizeof contacts);
        FindValue(last, "worst_stretch", stretch, sizeof stretch);
        FindValue(last, "self_contact", self, sizeof self);
        bool unchecked = strcmp(pairs, "null") == 0;
        printf("  certificate frame %s: %s%s, %s contacts, worst stretch %s, self contact %s\n", frame,
               unchecked ? "intersections not checked" : pairs, unchecked ? "" : " intersecting pairs", contacts, stretch,
               strcmp(self, "true") == 0 ? "answered" : "not answered");
    }
    free(text);
    return true;
}

static bool InfoRun(const char* folder, wfError* err) {
    if (!wfIsRunFolder(folder)) return wfFail(err, wf_badInput, "%s: a folder without run.json, so not that of a run", folder);
    wfRunFolder* run = wfRunFolder_Open(folder, err);
    if (run == NULL) return false;
    const wfRunManifest* manifest = wfRunFolder_GetManifest(run);
    printf("%s: run\n", folder);
    if (manifest->title[0] != 0) printf("  title       %s\n", manifest->title);
    printf("  frames      %d at %.6g a second\n", wfRunFolder_GetFrameCount(run), manifest->frameRate);
    for (int i = 0; i < manifest->objectCount; ++i) {
        const wfMesh* mesh = wfRunFolder_GetMesh(run, i);
        printf("  %-11s %s: %d vertices, %d triangles\n", manifest->objects[i].cloth ? "cloth" : "collider", manifest->objects[i].name,
               mesh->vertexCount, mesh->triangleCount);
    }
    wfRunFolder_Close(run);
    return PrintCertificate(folder, err);
}

// -------------------------------------------------------------------------------------------------------------------------------

static const wfOptionTable s_table = {
    .command = "info",
    .minArguments = 1,
    .maxArguments = INT_MAX,
    .notes = "Meshes (.obj, .ply, .stl): counts, bounds, area, volume when closed, edge lengths, pieces, boundary, defects. Caches (.pc2), "
             "scene\n"
             "files, built-in scenes by name, and the folder of a run: what is in them. Only reads; nothing is simulated.\n",
};

int wfCmd_Info(int argc, char** argv) {
    int code = wfParseOptions(&s_table, &argc, argv, NULL);
    if (code != wf_exitGoOn) return code;
    wfError err = {0};
    for (int i = 1; i < argc; ++i) {
        const char* path = argv[i];
        struct stat info;
        bool ok;
        if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
            ok = InfoRun(path, &err);
        } else if (HasEnding(path, ".pc2")) {
            ok = InfoCache(path, &err);
        } else if (HasEnding(path, ".yaml") || HasEnding(path, ".yml") || HasEnding(path, ".json") || strchr(path, '.') == NULL) {
            ok = InfoScene(path, &err);
        } else {
            ok = InfoMesh(path, &err);
        }
        if (!ok) return wfApp_Fail(&err);
    }
    return wf_exitOk;
}
