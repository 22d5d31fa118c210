// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/scene_reader.h"

#include "io/mesh_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const wfMeshSource wfMeshesFromFiles = {wfReadMesh, wfGenerate};

enum { maxPath = 4096 };

// A path of the scene file is relative to the folder that the file is in.
static bool Resolve(wfReader* r, const wfAt* at, const char* path, char* out) {
    const char* slash = strrchr(r->name, '/');
    int folder = path[0] == '/' || slash == NULL ? 0 : (int)(slash - r->name) + 1;
    int length = snprintf(out, maxPath, "%.*s%s", folder, r->name, path);
    return (length >= 0 && length < maxPath) || wfReader_Fail(r, at, "the path is too long");
}

static bool ReadFile(wfReader* r, const wfAt* at, const char* path, wfMesh* out) {
    char full[maxPath];
    if (!Resolve(r, at, path, full)) return false;
    wfError inner = {0};
    return r->meshes->read(out, full, &inner) || wfReader_Wrap(r, at, &inner);
}

bool wfReader_Mesh(wfReader* r, const wfAt* parent, bool* given, bool* generated, wfMesh* out) {
    wfAt mesh, generate;
    bool hasMesh = wfReader_Open(parent, "mesh", &mesh);
    *generated = wfReader_Open(parent, "generate", &generate);
    *given = hasMesh || *generated;
    if (hasMesh && *generated) return wfReader_Fail(r, &generate, "expected either \"mesh\" or \"generate\", got both");
    if (hasMesh) {
        const char* path;
        return wfReader_Text(r, &mesh, "a file name", &path) && ReadFile(r, &mesh, path, out);
    }
    if (*generated) {
        wfGenerateDef def;
        wfError inner = {0};
        wfParamTable_SetDefaults(&wfGenerateParams, &def);
        if (!wfReader_Section(r, &generate, &wfSectionGenerate, &def)) return false;
        return r->meshes->generate(out, &def, &inner) || wfReader_Wrap(r, &generate, &inner);
    }
    return true;
}

// ---- sequences ----------------------------------------------------------------------------------------------------------------

// The names of the files of a sequence, one after the other in malloc'ed memory.
typedef struct Names {
    char** path;
    size_t capacity;
    int count;
} Names;

static void FreeNames(Names* names) {
    for (int i = 0; i < names->count; ++i) free(names->path[i]);
    free(names->path);
}

static bool AddName(wfReader* r, Names* names, const char* text) {
    void* data = names->path;
    if (!wfGrow(&data, &names->capacity, (size_t)names->count + 1, sizeof(char*), "file names", r->err)) return false;
    names->path = data;
    char* copy = strdup(text);
    if (copy == NULL) return wfFail(r->err, wf_outOfMemory, "out of memory for file names");
    names->path[names->count++] = copy;
    return true;
}

// Splits "body_%04d.obj" into what stands before and behind the number. The pattern itself never reaches printf.
static bool SplitPattern(const char* pattern, int* before, int* digits, const char** behind) {
    const char* s = strchr(pattern, '%');
    if (s == NULL) return false;
    *before = (int)(s - pattern);
    *digits = 1;
    ++s;
    if (s[0] == '0' && s[1] >= '1' && s[1] <= '9') {
        *digits = s[1] - '0';
        s += 2;
    }
    if (*s != 'd' || strchr(s, '%') != NULL) return false;
    *behind = s + 1;
    return true;
}

static bool NamesOfPattern(wfReader* r, const wfAt* at, const char* pattern, const wfSequence* sequence, Names* names) {
    int before, digits;
    const char* behind;
    char path[maxPath], full[maxPath];
    if (!SplitPattern(pattern, &before, &digits, &behind)) return wfReader_FailKind(r, at, "a file name with one %d or %04d");
    for (int i = 0; sequence->count == 0 || i < sequence->count; ++i) {
        int length = snprintf(path, sizeof path, "%.*s%0*d%s", before, pattern, digits, sequence->first + i, behind);
        if (length < 0 || (size_t)length >= sizeof path) return wfReader_Fail(r, at, "the path is too long");
        if (sequence->count == 0) {
            struct stat info;
            if (!Resolve(r, at, path, full)) return false;
            if (stat(full, &info) != 0) break;
        }
        if (!AddName(r, names, path)) return false;
    }
    if (names->count == 0) return wfReader_Fail(r, at, "no file: %.200s: %s", path, strerror(errno));
    return true;
}

static int CompareNames(const void* a, const void* b) { return strcmp(*(char* const*)a, *(char* const*)b); }

static bool NamesOfFolder(wfReader* r, const wfAt* at, const char* folder, const wfSequence* sequence, Names* names) {
    char full[maxPath], path[maxPath];
    if (!Resolve(r, at, folder, full)) return false;
    DIR* dir = opendir(full);
    if (dir == NULL) return wfReader_Fail(r, at, "%.200s: %s", full, strerror(errno));
    bool ok = true;
    for (const struct dirent* entry; ok && (entry = readdir(dir)) != NULL;) {
        const char* ending = strrchr(entry->d_name, '.');
        if (ending == NULL || entry->d_name[0] == '.') continue;
        if (strcmp(ending, ".obj") != 0 && strcmp(ending, ".ply") != 0 && strcmp(ending, ".stl") != 0) continue;
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        ok = length >= 0 && (size_t)length < sizeof path ? AddName(r, names, path) : wfReader_Fail(r, at, "the path is too long");
    }
    closedir(dir);
    if (!ok) return false;
    if (names->count > 1) qsort(names->path, (size_t)names->count, sizeof(char*), CompareNames);
    if (names->count == 0) return wfReader_Fail(r, at, "no .obj, .ply or .stl file in %.200s", full);
    if (sequence->count > names->count) {
        return wfReader_Fail(r, at, "expected %d files in %.200s, got %d", sequence->count, full, names->count);
    }
    while (sequence->count > 0 && names->count > sequence->count) free(names->path[--names->count]);
    return true;
}

static bool SameTriangles(const wfMesh* a, const wfMesh* b) {
    return a->vertexCount == b->vertexCount && a->triangleCount == b->triangleCount &&
           memcmp(a->triangles, b->triangles, (size_t)a->triangleCount * sizeof a->triangles[0]) == 0;
}

static bool ReadFrames(wfReader* r, const wfAt* at, const Names* names, const wfTransform* t, wfMesh* out, float** frames) {
    size_t capacity = 0, size = 0;
    void* data = NULL;
    for (int i = 0; i < names->count; ++i) {
        wfMesh frame = {0};
        bool ok = ReadFile(r, at, names->path[i], i == 0 ? out : &frame);
        const wfMesh* mesh = i == 0 ? out : &frame;
        if (ok && !SameTriangles(mesh, out)) {
            ok = wfReader_Fail(r, at, "%.200s: expected the %d vertices and the triangles of %.200s, got %d vertices", names->path[i],
                               out->vertexCount, names->path[0], frame.vertexCount);
        }
        if (ok && i > 0) wfMesh_Transform(&frame, t->scale, t->rotate, wfMake3(0, 0, 0));
        if (ok && i == 0) {
            size = (size_t)out->vertexCount * 3;
            wfMesh_Transform(out, t->scale, t->rotate, wfMake3(0, 0, 0));
        }
        if (ok) ok = wfGrow(&data, &capacity, size * (size_t)(i + 1), sizeof(float), "mesh sequence", r->err);
        if (ok) memcpy((float*)data + size * (size_t)i, mesh->positions, size * sizeof(float));
        wfMesh_Free(&frame);
        if (!ok) {
            free(data);
            return false;
        }
    }
    *frames = data;
    return true;
}

// A number is a stride; a list is a place in the walk cycle: phase, amount, and how far the arms are out.
static bool ReadPose(wfReader* r, const wfAt* at, wfFigurePose* out) {
    double v[3] = {0.0, 0.0, 0.0};
    if (at->node->kind != wf_yamlList) {
        WF_TRY(wfReader_Number(r, at, -1.0, 1.0, "a number in [-1, 1]", &v[0]));
        *out = (wfFigurePose){.stride = (float)v[0]};
        return true;
    }
    wfAt item = {0};
    const wfYamlItem* next = NULL;
    if (at->node->count < 2 || at->node->count > 3) return wfReader_FailKind(r, at, "phase, amount and, if not 0, arms");
    while (wfReader_NextItem(at, &next, &item)) {
        static const double lo[] = {-1e6, 0.0, -30.0}, hi[] = {1e6, 1.0, 60.0};
        static const char* const kinds[] = {"a phase in [-1e+06, 1e+06]", "an amount in [0, 1]", "arms in [-30, 60] degrees"};
        WF_TRY(wfReader_Number(r, &item, lo[item.index], hi[item.index], kinds[item.index], &v[item.index]));
    }
    *out = wfWalkingPose((float)v[0], (float)v[1], (float)v[2]);
    return true;
}

// A figure in all its poses.
static bool MakePoses(wfReader* r, const wfAt* at, const wfAt* generate, const wfTransform* t, wfMesh* out, float** frames, int* count) {
    wfAt poses, item = {0};
    const wfYamlItem* next = NULL;
    wfGenerateDef def;
    wfError inner = {0};
    void* data = NULL;
    size_t capacity = 0;
    wfParamTable_SetDefaults(&wfGenerateParams, &def);
    WF_TRY(wfReader_Section(r, generate, &wfSectionGenerate, &def));
    if (def.shape != wf_makeFigure) return wfReader_Fail(r, generate, "expected the shape figure, which alone has poses");
    if (!wfReader_Open(at, "poses", &poses)) return wfReader_Fail(r, at, "expected the key \"poses\"");
    WF_TRY(wfReader_IsList(r, &poses));
    if (poses.node->count == 0) return wfReader_FailKind(r, &poses, "at least one pose");
    if (!r->meshes->generate(out, &def, &inner)) return wfReader_Wrap(r, generate, &inner);
    size_t n = (size_t)out->vertexCount;
    WF_TRY(wfGrow(&data, &capacity, n * (size_t)poses.node->count, sizeof(wfVec3), "mesh sequence", r->err));
    *frames = data;
    while (wfReader_NextItem(&poses, &next, &item)) {
        wfFigurePose pose;
        wfVec3* frame = (wfVec3*)data + n * (size_t)item.index;
        WF_TRY(ReadPose(r, &item, &pose));
        wfPoseFigure(out, def.size.y, pose, frame);
        for (size_t v = 0; v < n; ++v) {
            frame[v] = wfRotate(t->rotate, wfMake3(t->scale.x * frame[v].x, t->scale.y * frame[v].y, t->scale.z * frame[v].z));
        }
    }
    memcpy(out->positions, data, n * sizeof(wfVec3));
    *count = poses.node->count;
    return true;
}

bool wfReader_Sequence(wfReader* r, const wfAt* at, const wfTransform* transform, wfMesh* out, float** frames, int* count, float* rate) {
    wfSequence sequence = {0};
    wfAt pattern, folder, generate;
    const char* text;
    if (!wfReader_Section(r, at, &wfSectionSequence, &sequence)) return false;
    *rate = sequence.rate > 0.0f ? sequence.rate : r->def.frame_rate;
    bool hasPattern = wfReader_Open(at, "pattern", &pattern), hasFolder = wfReader_Open(at, "folder", &folder);
    bool isMade = wfReader_Open(at, "generate", &generate);
    if (hasPattern + hasFolder + isMade != 1)
        return wfReader_Fail(r, at, "expected one of the keys \"pattern\", \"folder\" and \"generate\"");
    const char* const other[] = {isMade ? "first" : "poses", isMade ? "count" : "poses"};
    for (int i = 0; i < 2; ++i) {
        wfAt wrong;
        if (wfReader_Open(at, other[i], &wrong))
            return wfReader_Fail(r, &wrong, isMade ? "not with \"generate\"" : "only with \"generate\"");
    }
    if (isMade) return MakePoses(r, at, &generate, transform, out, frames, count);
    Names names = {0};
    bool ok = wfReader_Text(r, hasPattern ? &pattern : &folder, hasPattern ? "a file name with one %d or %04d" : "a folder", &text);
    if (ok) ok = hasPattern ? NamesOfPattern(r, &pattern, text, &sequence, &names) : NamesOfFolder(r, &folder, text, &sequence, &names);
    if (ok) ok = ReadFrames(r, hasPattern ? &pattern : &folder, &names, transform, out, frames);
    *count = names.count;
    FreeNames(&names);
    return ok;
}
