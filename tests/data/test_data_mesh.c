// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "base/file.h"
#include "io/mesh_file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

// Reads every mesh under the folder WEFT_DATA, packed ones through zcat, and holds vertices, triangles, flat shapes and bounds against the
// tables in the READMEs there, which another program made. A table row without its file fails, and so does a folder without a table.

static const char* const s_folders[] = {"meshes", "garments-berkeley", "garments-panels", "tangled",
                                        "body",   "body-animated",     "ccd-simulation"};

static int s_failures, s_read, s_compared;

static void Complain(const char* path, const char* what) {
    printf("%s: %s\n", path, what);
    ++s_failures;
}

static bool HasEnding(const char* name, const char* ending) {
    size_t length = strlen(name), endingLength = strlen(ending);
    return length >= endingLength && strcasecmp(name + length - endingLength, ending) == 0;
}

static bool IsMeshName(const char* name) {
    static const char* const endings[] = {".obj", ".ply", ".stl", ".obj.gz", ".ply.gz", ".stl.gz"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i) {
        if (HasEnding(name, endings[i])) return true;
    }
    return false;
}

/// Unpacks into a file of its own beside the program, so that the reader takes its usual way.
static bool ReadPacked(wfMesh* mesh, const char* path, wfError* err) {
    char unpacked[64], command[2200];
    snprintf(unpacked, sizeof unpacked, "test_data_mesh.tmp%.4s", path + strlen(path) - strlen(".obj.gz"));
    snprintf(command, sizeof command, "zcat '%s' > %s", path, unpacked);
    bool ok = system(command) == 0 ? wfReadMesh(mesh, unpacked, err) : wfFail(err, wf_fileFailed, "%s: zcat failed", path);
    remove(unpacked);
    return ok;
}

static bool ReadAny(wfMesh* mesh, const char* path) {
    wfError err = {0};
    ++s_read;
    if (HasEnding(path, ".gz") ? ReadPacked(mesh, path, &err) : wfReadMesh(mesh, path, &err)) return true;
    Complain(path, err.text);
    return false;
}

/// The table has three significant digits.
static bool IsNear(float value, double told) {
    double size = fabs(told);
    return fabs((double)value - told) <= 0.0051 * size + 1e-12;
}

/// One row: | file | verts | tris (…) | vt | parts | topology | crossings | (x, y, z) → (x, y, z) |
static void CompareRow(const char* folder, const char* row) {
    char name[512], path[1024], what[256];
    int vertexCount, triangleCount, coordinateCount;
    double lo[3], hi[3];
    const char* cells[9] = {row};
    for (int i = 1; i < 9; ++i) {
        const char* bar = strchr(cells[i - 1] + 1, '|');
        if (bar == NULL) return;
        cells[i] = bar;
    }
    if (sscanf(cells[0], "| %511s", name) != 1 || !IsMeshName(name)) return;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (sscanf(cells[1], "| %d", &vertexCount) != 1 || sscanf(cells[2], "| %d", &triangleCount) != 1 ||
        sscanf(cells[3], "| %d", &coordinateCount) != 1 ||
        sscanf(cells[7], "| (%lf, %lf, %lf) → (%lf, %lf, %lf)", &lo[0], &lo[1], &lo[2], &hi[0], &hi[1], &hi[2]) != 6) {
        Complain(path, "the README row cannot be understood");
        return;
    }
    wfMesh mesh = {0};
    if (!ReadAny(&mesh, path)) return;
    ++s_compared;
    if (mesh.vertexCount != vertexCount || mesh.triangleCount != triangleCount) {
        snprintf(what, sizeof what, "%d vertices, %d triangles; the README says %d and %d", mesh.vertexCount, mesh.triangleCount,
                 vertexCount, triangleCount);
        Complain(path, what);
    }
    if ((mesh.flat != NULL) != (coordinateCount > 0)) Complain(path, "flat shape where the README has no vt, or the other way round");
    wfVec3 a, b;
    wfMesh_Bounds(mesh.positions, mesh.vertexCount, &a, &b);
    if (!IsNear(a.x, lo[0]) || !IsNear(a.y, lo[1]) || !IsNear(a.z, lo[2]) || !IsNear(b.x, hi[0]) || !IsNear(b.y, hi[1]) ||
        !IsNear(b.z, hi[2])) {
        snprintf(what, sizeof what, "bounds (%.3g, %.3g, %.3g) to (%.3g, %.3g, %.3g) are not the README's", (double)a.x, (double)a.y,
                 (double)a.z, (double)b.x, (double)b.y, (double)b.z);
        Complain(path, what);
    }
    wfMesh_Free(&mesh);
}

static void CompareTable(const char* folder) {
    char path[1024];
    size_t size;
    wfError err = {0};
    snprintf(path, sizeof path, "%s/README.md", folder);
    char* text = wfReadFile(path, &size, &err);
    if (text == NULL) {
        Complain(path, err.text);
        return;
    }
    int before = s_compared;
    for (char *line = text, *next; line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL) *next++ = 0;
        if (*line == '|') CompareRow(folder, line);
    }
    if (s_compared == before) Complain(path, "no table row compared");
    free(text);
}

/// All meshes, in a table or not.
static void ReadFolder(const char* folder) {
    DIR* dir = opendir(folder);
    if (dir == NULL) {
        Complain(folder, "cannot be opened");
        return;
    }
    for (struct dirent* entry; (entry = readdir(dir)) != NULL;) {
        char path[1024];
        struct stat info;
        if (entry->d_name[0] == '.') continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path || stat(path, &info) != 0) {
            Complain(folder, "holds a file that cannot be reached");
        } else if (S_ISDIR(info.st_mode)) {
            ReadFolder(path);
        } else if (IsMeshName(path)) {
            wfMesh mesh = {0};
            if (ReadAny(&mesh, path)) wfMesh_Free(&mesh);
        }
    }
    closedir(dir);
}

int main(void) {
    const char* data = getenv("WEFT_DATA");
    if (data == NULL) {
        fprintf(stderr, "test_data_mesh: set WEFT_DATA to the data folder\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof s_folders / sizeof *s_folders; ++i) {
        char folder[512];
        snprintf(folder, sizeof folder, "%s/%s", data, s_folders[i]);
        CompareTable(folder);
        ReadFolder(folder);
    }
    printf("%d files read, %d table rows compared, %d failures\n", s_read, s_compared, s_failures);
    return s_failures == 0 ? 0 : 1;
}
