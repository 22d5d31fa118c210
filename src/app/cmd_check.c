// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/options.h"

#include "collide/intersect.h"
#include "io/json.h"
#include "io/mesh_file.h"
#include "io/run_folder.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// weft check: what goes together is put into one row of triangles, searched once, and the pairs are told apart by object again.

enum { maxPairs = 10000000, maxListed = 100, maxWorst = 5, maxBetween = 10 };
static const char s_method[] = "exact";

typedef struct CheckOptions {
    bool each, json;
} CheckOptions;

typedef struct Part {
    const char* name;
    int firstVertex, firstTriangle;
} Part;

typedef struct Whole {
    wfArena arena;
    wfMesh mesh; // all parts in a row
    Part* parts; // one more than partCount, so that every part has an end
    int partCount;
    bool* ignore; // per triangle: a collider's, of which two may meet; NULL without any
} Whole;

typedef struct Worst {
    int triangle;
    int pairCount;
} Worst;

static bool CreateWhole(Whole* whole, const wfMesh* const* meshes, const char* const* names, int count, wfError* err) {
    *whole = (Whole){.partCount = count};
    int64_t vertices = 0, triangles = 0;
    whole->parts = wfArena_New(&whole->arena, Part, count + 1, "parts", err);
    if (whole->parts == NULL) return false;
    for (int i = 0; i <= count; ++i) {
        whole->parts[i] = (Part){i < count ? names[i] : NULL, (int)vertices, (int)triangles};
        if (i == count) break;
        vertices += meshes[i]->vertexCount;
        triangles += meshes[i]->triangleCount;
        if (vertices > wf_maxMeshElements || triangles > wf_maxMeshElements) {
            return wfFail(err, wf_badInput, "%s: more than %d vertices or triangles in all", names[i], wf_maxMeshElements);
        }
    }
    WF_TRY(wfMesh_Create(&whole->mesh, (int)vertices, (int)triangles, false, err));
    for (int i = 0; i < count; ++i) {
        const Part* part = &whole->parts[i];
        memcpy(whole->mesh.positions + part->firstVertex, meshes[i]->positions, (size_t)meshes[i]->vertexCount * sizeof(wfVec3));
        for (int t = 0; t < meshes[i]->triangleCount; ++t) {
            for (int k = 0; k < 3; ++k)
                whole->mesh.triangles[part->firstTriangle + t].v[k] = meshes[i]->triangles[t].v[k] + part->firstVertex;
        }
    }
    return true;
}

static void FreeWhole(Whole* whole) {
    wfMesh_Free(&whole->mesh);
    wfArena_Free(&whole->arena);
}

static const Part* FindPart(const Whole* whole, int triangle) {
    int lo = 0, hi = whole->partCount; // the part is in [lo, hi); parts without triangles are passed over
    while (hi - lo > 1) {
        int middle = lo + (hi - lo) / 2;
        if (whole->parts[middle].firstTriangle <= triangle) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    return &whole->parts[lo];
}

static wfVec3 Middle(const Whole* whole, int triangle) {
    const int* v = whole->mesh.triangles[triangle].v;
    const wfVec3* x = whole->mesh.positions;
    return wfScale(wfAdd(x[v[0]], wfAdd(x[v[1]], x[v[2]])), 1.0f / 3.0f);
}

/// The triangles in most pairs, the lower number first among equals.
static bool FindWorst(const Whole* whole, const wfIntersections* found, int stored, Worst* worst, int* count, wfError* err) {
    wfArena arena = {0};
    int* pairCount = wfArena_New(&arena, int, whole->mesh.triangleCount, "pairs of each triangle", err);
    if (pairCount == NULL) return false;
    for (int i = 0; i < stored; ++i) {
        ++pairCount[found->pairs[i].a];
        ++pairCount[found->pairs[i].b];
    }
    *count = 0;
    for (int t = 0; t < whole->mesh.triangleCount; ++t) {
        if (pairCount[t] == 0) continue;
        int at = *count;
        while (at > 0 && worst[at - 1].pairCount < pairCount[t]) --at;
        if (at == maxWorst) continue;
        if (*count < maxWorst) ++*count;
        for (int i = *count - 1; i > at; --i) worst[i] = worst[i - 1];
        worst[at] = (Worst){t, pairCount[t]};
    }
    wfArena_Free(&arena);
    return true;
}

/// How many pairs lie between each two parts: calls `put` for those that have some, in order.
typedef void (*PutBetween)(const Whole* whole, int a, int b, int64_t pairs, int index);
static bool CountBetween(const Whole* whole, const wfIntersections* found, int stored, PutBetween put, int* count, wfError* err) {
    wfArena arena = {0};
    int64_t* row = wfArena_New(&arena, int64_t, whole->partCount, "pairs of each part", err);
    if (row == NULL) return false;
    *count = 0;
    // Pairs are sorted by their first triangle, so those of one part come in a row.
    for (int i = 0; i < stored;) {
        const Part* part = FindPart(whole, found->pairs[i].a);
        memset(row, 0, (size_t)whole->partCount * sizeof *row);
        for (; i < stored && FindPart(whole, found->pairs[i].a) == part; ++i) ++row[FindPart(whole, found->pairs[i].b) - whole->parts];
        for (int k = 0; k < whole->partCount; ++k) {
            if (row[k] > 0) put(whole, (int)(part - whole->parts), k, row[k], (*count)++);
        }
    }
    wfArena_Free(&arena);
    return true;
}

static void PrintBetween(const Whole* whole, int a, int b, int64_t pairs, int index) {
    if (index >= maxBetween) return;
    printf("  %s with %s: %" PRId64 " pair%s\n", whole->parts[a].name, a == b ? "itself" : whole->parts[b].name, pairs,
           pairs == 1 ? "" : "s");
}

static void PutJsonBetween(const Whole* whole, int a, int b, int64_t pairs, int index) {
    (void)whole;
    printf("%s{\"a\": %d, \"b\": %d, \"pairs\": %" PRId64 "}", index > 0 ? ", " : "", a, b, pairs);
}

static bool PrintJson(const Whole* whole, const char* name, int frame, const wfIntersections* found, int stored, wfError* err) {
    Worst worst[maxWorst] = {{0}};
    int worstCount, betweenCount;
    WF_TRY(FindWorst(whole, found, stored, worst, &worstCount, err));
    printf("{\"name\": ");
    wfJson_PutText(stdout, name);
    if (frame >= 0) printf(", \"frame\": %d", frame);
    printf(", \"method\": \"%s\", \"vertices\": %d, \"triangles\": %d, \"intersecting_pairs\": %" PRId64 ", \"objects\": [", s_method,
           whole->mesh.vertexCount, whole->mesh.triangleCount, found->count);
    for (int i = 0; i < whole->partCount; ++i) {
        if (i > 0) printf(", ");
        wfJson_PutText(stdout, whole->parts[i].name);
    }
    printf("], \"between\": [");
    WF_TRY(CountBetween(whole, found, stored, PutJsonBetween, &betweenCount, err));
    printf("], \"worst\": [");
    for (int i = 0; i < worstCount; ++i) {
        const Part* part = FindPart(whole, worst[i].triangle);
        wfVec3 at = Middle(whole, worst[i].triangle);
        printf("%s{\"object\": %d", i > 0 ? ", " : "", (int)(part - whole->parts));
        printf(", \"triangle\": %d, \"pairs\": %d, \"at\": [%.9g, %.9g, %.9g]}", worst[i].triangle - part->firstTriangle,
               worst[i].pairCount, (double)at.x, (double)at.y, (double)at.z);
    }
    printf("], \"pairs\": [");
    for (int i = 0; i < stored && i < maxListed; ++i) {
        const Part *a = FindPart(whole, found->pairs[i].a), *b = FindPart(whole, found->pairs[i].b);
        printf("%s[%d, %d, %d, %d]", i > 0 ? ", " : "", (int)(a - whole->parts), found->pairs[i].a - a->firstTriangle,
               (int)(b - whole->parts), found->pairs[i].b - b->firstTriangle);
    }
    printf("]}\n");
    return true;
}

static void PrintWorst(const Whole* whole, const Worst* worst, const char* before) {
    const Part* part = FindPart(whole, worst->triangle);
    wfVec3 at = Middle(whole, worst->triangle);
    printf("%striangle %d", before, worst->triangle - part->firstTriangle);
    if (whole->partCount > 1) printf(" of %s", part->name);
    printf(", in %d pair%s, at (%.4g, %.4g, %.4g)\n", worst->pairCount, worst->pairCount == 1 ? "" : "s", (double)at.x, (double)at.y,
           (double)at.z);
}

static bool PrintText(const Whole* whole, const char* name, int frame, const wfIntersections* found, int stored, wfError* err) {
    Worst worst[maxWorst] = {{0}};
    int worstCount, betweenCount;
    if (frame >= 0 && found->count == 0) return true; // a run says only what is wrong, and the sum at the end
    WF_TRY(FindWorst(whole, found, stored, worst, &worstCount, err));
    if (frame >= 0) {
        printf("frame %d: %" PRId64 " intersecting pair%s; worst: ", frame, found->count, found->count == 1 ? "" : "s");
        PrintWorst(whole, &worst[0], "");
        return true;
    }
    if (found->count == 0) {
        printf("%s: no intersections among %d triangles (%s)\n", name, whole->mesh.triangleCount, s_method);
        return true;
    }
    printf("%s: %" PRId64 " intersecting pair%s among %d triangles (%s)\n", name, found->count, found->count == 1 ? "" : "s",
           whole->mesh.triangleCount, s_method);
    if (whole->partCount > 1) {
        WF_TRY(CountBetween(whole, found, stored, PrintBetween, &betweenCount, err));
        if (betweenCount > maxBetween) printf("  and between %d more\n", betweenCount - maxBetween);
    }
    for (int i = 0; i < worstCount; ++i) PrintWorst(whole, &worst[i], "  worst: ");
    return true;
}

static bool CheckWhole(const Whole* whole, const char* name, int frame, bool json, int64_t* pairs, wfError* err) {
    wfArena arena = {0};
    wfIntersections found;
    bool ok = wfFindIntersections(whole->mesh.positions, whole->mesh.triangles, whole->mesh.triangleCount, whole->ignore, maxPairs, &arena,
                                  &found, err);
    if (ok) {
        int stored = found.count < maxPairs ? (int)found.count : maxPairs;
        ok = (json ? PrintJson : PrintText)(whole, name, frame, &found, stored, err);
        *pairs = found.count;
    }
    wfArena_Free(&arena);
    return ok;
}

// ---- files --------------------------------------------------------------------------------------------------------------------

static bool CheckFiles(char** paths, int count, bool json, bool* clean, wfError* err) {
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
    Whole whole = {0};
    int64_t pairs = 0;
    char together[64];
    snprintf(together, sizeof together, "%d files together", count);
    ok = ok && CreateWhole(&whole, pointers, names, count, err) &&
         CheckWhole(&whole, count == 1 ? names[0] : together, -1, json, &pairs, err);
    *clean = *clean && pairs == 0;
    FreeWhole(&whole);
    for (int i = 0; meshes != NULL && i < count; ++i) wfMesh_Free(&meshes[i]);
    wfArena_Free(&arena);
    return ok;
}

// ---- runs ---------------------------------------------------------------------------------------------------------------------

static bool CreateRunWhole(Whole* whole, const wfRunFolder* run, wfError* err) {
    const wfRunManifest* manifest = wfRunFolder_GetManifest(run);
    wfArena arena = {0};
    const wfMesh** meshes = wfArena_New(&arena, const wfMesh*, manifest->objectCount, "objects", err);
    const char** names = wfArena_New(&arena, const char*, manifest->objectCount, "objects", err);
    bool ok = meshes != NULL && names != NULL;
    for (int i = 0; ok && i < manifest->objectCount; ++i) {
        meshes[i] = wfRunFolder_GetMesh(run, i);
        names[i] = manifest->objects[i].name;
    }
    ok = ok && CreateWhole(whole, meshes, names, manifest->objectCount, err);
    wfArena_Free(&arena);
    if (!ok) return false;
    whole->ignore = wfArena_New(&whole->arena, bool, whole->mesh.triangleCount, "marks of colliders", err);
    if (whole->ignore == NULL) return false;
    for (int i = 0; i < manifest->objectCount; ++i) {
        for (int t = whole->parts[i].firstTriangle; t < whole->parts[i + 1].firstTriangle; ++t)
            whole->ignore[t] = !manifest->objects[i].cloth;
    }
    return true;
}

static bool ReadRunFrame(Whole* whole, wfRunFolder* run, const char* path, int frame, wfError* err) {
    for (int i = 0; i < whole->partCount; ++i) {
        wfVec3* x = whole->mesh.positions + whole->parts[i].firstVertex;
        WF_TRY(wfRunFolder_ReadFrame(run, i, frame, x, err));
        for (int v = 0; v < whole->parts[i + 1].firstVertex - whole->parts[i].firstVertex; ++v) {
            if (!wfIsFinite3(x[v])) {
                return wfFail(err, wf_badInput, "%s: frame %d: %s: vertex %d: expected finite numbers, got (%g, %g, %g)", path, frame,
                              whole->parts[i].name, v, (double)x[v].x, (double)x[v].y, (double)x[v].z);
            }
        }
    }
    return true;
}

static bool CheckRun(const char* path, bool json, bool* clean, wfError* err) {
    if (!wfIsRunFolder(path))
        return wfFail(err, wf_badInput, "%s: a folder without run.json; expected mesh files or the folder of a run", path);
    wfRunFolder* run = wfRunFolder_Open(path, err);
    if (run == NULL) return false;
    Whole whole = {0};
    bool ok = CreateRunWhole(&whole, run, err);
    int frames = ok ? wfRunFolder_GetFrameCount(run) : 0, bad = 0, first = -1, most = -1;
    int64_t mostPairs = 0;
    int start = wfRunFolder_GetManifest(run)->firstFrame;
    for (int frame = start; ok && frame < start + frames; ++frame) {
        int64_t pairs = 0;
        ok = ReadRunFrame(&whole, run, path, frame, err) && CheckWhole(&whole, path, frame, json, &pairs, err);
        if (pairs == 0) continue;
        if (bad++ == 0) first = frame;
        if (pairs > mostPairs) {
            mostPairs = pairs;
            most = frame;
        }
    }
    if (ok && !json && bad == 0) printf("%s: no intersections in %d frame%s (%s)\n", path, frames, frames == 1 ? "" : "s", s_method);
    if (ok && !json && bad > 0) {
        printf("%s: intersections in %d of %d frames, first in frame %d, most in frame %d (%" PRId64 " pairs) (%s)\n", path, bad, frames,
               first, most, mostPairs, s_method);
    }
    *clean = *clean && bad == 0;
    FreeWhole(&whole);
    wfRunFolder_Close(run);
    return ok;
}

static bool IsFolder(const char* path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static const wfOption s_rows[] = {
    {.name = "each", .kind = wf_optionFlag, .offset = offsetof(CheckOptions, each), .about = "take the files one by one, not as one scene"},
    {.name = "json",
     .kind = wf_optionFlag,
     .offset = offsetof(CheckOptions, json),
     .about = "print a JSON object a line: one for the files, or one a frame"},
};
static const wfOptionTable s_table = {
    .command = "check",
    .rows = s_rows,
    .count = 2,
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
        "In JSON, objects are named once and then counted from 0; a pair is [object, triangle, object, triangle].\n"
        "Exit code: 0 clean, 1 intersecting, 2 bad input.",
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
            ok = CheckRun(argv[i], options.json, &clean, &err);
        } else if (options.each) {
            ok = CheckFiles(&argv[i], 1, options.json, &clean, &err);
        } else {
            argv[1 + fileCount++] = argv[i];
        }
    }
    if (ok && fileCount > 0) ok = CheckFiles(argv + 1, fileCount, options.json, &clean, &err);
    if (!ok) return wfApp_Fail(&err);
    return clean ? wf_exitOk : wf_exitNo;
}
