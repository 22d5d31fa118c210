// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/mesh_file.h"

#include "io/bytes.h"
#include "base/file.h"
#include "io/number.h"
#include "io/weld.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Which reader or writer a name asks for, and the writers. Numbers are written with 9 significant digits, so that what is read back has
// the same bits. A PLY file holds positions and triangles only; the flat shape and the stitches need an OBJ file.

typedef bool (*ParseFn)(wfMesh* out, const char* bytes, size_t size, const char* name, wfError* err);
typedef bool (*WriteFn)(FILE* stream, const wfMesh* mesh, wfError* err);

/// A record of up to three numbers.
static void WriteNumbers(FILE* stream, const char* keyword, const float* numbers, int count) {
    char line[4 + 3 * wf_numberSize];
    int length = snprintf(line, 4, "%s", keyword);
    for (int i = 0; i < count; ++i) {
        line[length++] = ' ';
        length += wfFormatNumber(line + length, (double)numbers[i]);
    }
    line[length++] = '\n';
    fwrite(line, 1, (size_t)length, stream);
}

static bool WriteObj(FILE* stream, const wfMesh* mesh, wfError* err) {
    for (int i = 0; i < mesh->vertexCount; ++i) WriteNumbers(stream, "v", &mesh->positions[i].x, 3);
    // Corners of neighbours mostly share their flat place: one `vt` each.
    wfWeld weld = {0};
    if (mesh->flat != NULL) WF_TRY(wfWeld_Create(&weld, 3 * (size_t)mesh->triangleCount, err));
    for (int i = 0; i < mesh->triangleCount; ++i) {
        const wfTriangle* t = &mesh->triangles[i];
        if (mesh->flat == NULL) {
            fprintf(stream, "f %d %d %d\n", t->v[0] + 1, t->v[1] + 1, t->v[2] + 1);
            continue;
        }
        int number[3];
        for (int k = 0; k < 3; ++k) {
            wfVec2 u = mesh->flat[i].corner[k];
            int known = weld.count;
            number[k] = wfWeld_Find(&weld, wfBitsFromFloat(u.x), wfBitsFromFloat(u.y), 0);
            if (weld.count > known) WriteNumbers(stream, "vt", &u.x, 2);
        }
        fprintf(stream, "f %d/%d %d/%d %d/%d\n", t->v[0] + 1, number[0] + 1, t->v[1] + 1, number[1] + 1, t->v[2] + 1, number[2] + 1);
    }
    wfWeld_Free(&weld);
    for (int i = 0; i < mesh->stitchCount; ++i) fprintf(stream, "l %d %d\n", mesh->stitches[i][0] + 1, mesh->stitches[i][1] + 1);
    return true;
}

static bool WritePly(FILE* stream, const wfMesh* mesh, wfError* err) {
    (void)err;
    fprintf(stream,
            "ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n"
            "element face %d\nproperty list uchar int vertex_indices\nend_header\n",
            mesh->vertexCount, mesh->triangleCount);
    unsigned char row[13];
    for (int i = 0; i < mesh->vertexCount; ++i) {
        wfStoreLeFloat(row, mesh->positions[i].x);
        wfStoreLeFloat(row + 4, mesh->positions[i].y);
        wfStoreLeFloat(row + 8, mesh->positions[i].z);
        fwrite(row, 1, 12, stream);
    }
    for (int i = 0; i < mesh->triangleCount; ++i) {
        row[0] = 3;
        for (int k = 0; k < 3; ++k) wfStoreLe32(row + 1 + 4 * k, (uint32_t)mesh->triangles[i].v[k]);
        fwrite(row, 1, 13, stream);
    }
    return true;
}

static const struct {
    const char* ending;
    ParseFn parse;
    WriteFn write;
} s_formats[] = {{".obj", wfParseObj, WriteObj}, {".ply", wfParsePly, WritePly}, {".stl", wfParseStl, NULL}};

enum { wf_formatCount = sizeof s_formats / sizeof *s_formats };

static bool HasEnding(const char* path, const char* ending) {
    size_t length = strlen(path), endingLength = strlen(ending);
    return length >= endingLength && strcasecmp(path + length - endingLength, ending) == 0;
}

bool wfReadMesh(wfMesh* out, const char* path, wfError* err) {
    if (HasEnding(path, ".gz")) return wfFail(err, wf_badInput, "%s: compressed; unpack it first (gunzip)", path);
    for (int i = 0; i < wf_formatCount; ++i) {
        if (!HasEnding(path, s_formats[i].ending)) continue;
        size_t size = 0;
        char* bytes = wfReadFile(path, &size, err);
        if (bytes == NULL) return false;
        bool ok = s_formats[i].parse(out, bytes, size, path, err);
        free(bytes);
        return ok;
    }
    return wfFail(err, wf_badInput, "%s: expected a name that ends in .obj, .ply or .stl", path);
}

bool wfWriteMesh(const char* path, const wfMesh* mesh, wfError* err) {
    for (int i = 0; i < mesh->vertexCount; ++i) {
        wfVec3 p = mesh->positions[i];
        if (!wfIsFinite3(p))
            return wfFail(err, wf_badInput, "%s: vertex %d: expected finite numbers, got \"%g %g %g\"", path, i, (double)p.x, (double)p.y,
                          (double)p.z);
    }
    for (int i = 0; mesh->flat != NULL && i < 3 * mesh->triangleCount; ++i) {
        wfVec2 u = mesh->flat[i / 3].corner[i % 3];
        if (!isfinite(u.x) || !isfinite(u.y))
            return wfFail(err, wf_badInput, "%s: flat shape of triangle %d: expected finite numbers, got \"%g %g\"", path, i / 3,
                          (double)u.x, (double)u.y);
    }
    for (int i = 0; i < wf_formatCount; ++i) {
        if (s_formats[i].write == NULL || !HasEnding(path, s_formats[i].ending)) continue;
        wfOutFile file;
        WF_TRY(wfOutFile_Open(&file, path, err));
        if (s_formats[i].write(file.stream, mesh, err)) return wfOutFile_Close(&file, err);
        wfOutFile_Discard(&file);
        return false;
    }
    return wfFail(err, wf_badInput, "%s: expected a name that ends in .obj or .ply", path);
}
