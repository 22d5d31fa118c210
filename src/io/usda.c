// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/cache.h"

#include "io/export.h"
#include "base/file.h"
#include "io/number.h"

#include <string.h>

// Universal Scene Description as text: one Mesh an object under one Xform, points by time code; a time code is a frame.

enum { wf_primNameSize = 96 };

typedef char PrimName[wf_primNameSize];

/// A name that USD takes (letters, digits, _), different from those before it.
static void MakePrimName(PrimName* names, int index, const char* wanted) {
    char* out = names[index];
    size_t length = 0;
    if (*wanted == 0 || (*wanted >= '0' && *wanted <= '9')) out[length++] = '_';
    for (; *wanted != 0 && length < wf_primNameSize - 16; ++wanted) {
        char c = *wanted;
        bool usable = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        out[length++] = usable ? c : '_';
    }
    out[length] = 0;
    for (int i = 0, suffix = 2; i < index; ++i) {
        if (strcmp(names[i], out) != 0) continue;
        snprintf(out + length, wf_primNameSize - length, "_%d", suffix++);
        i = -1; // from the beginning with the new name
    }
}

/// Unlike JSON, usda knows no \u: control characters become blanks.
static void WriteString(FILE* f, const char* text) {
    fputc('"', f);
    for (; *text != 0; ++text) {
        if (*text == '"' || *text == '\\') fputc('\\', f);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, f);
    }
    fputc('"', f);
}

static void WritePoints(FILE* f, const wfVec3* points, int count) {
    fputc('[', f);
    for (int i = 0; i < count; ++i) {
        fputs(i > 0 ? ", (" : "(", f);
        wfExport_WriteNumbers(f, &points[i].x, 3);
        fputc(')', f);
    }
    fputc(']', f);
}

static bool WriteFrames(const char* path, const wfExportObject* o, wfArena* arena, FILE* f, wfError* err) {
    int frameCount = wfExport_CountFrames(o), count = o->mesh->vertexCount;
    int rows = frameCount > 0 ? frameCount : 1;
    wfVec3* points = wfArena_New(arena, wfVec3, count, "usda points", err);
    wfVec3(*bounds)[2] = wfArena_Alloc(arena, (size_t)rows, sizeof *bounds, "usda bounds", err);
    if (points == NULL || bounds == NULL) return false;
    fprintf(f, frameCount > 0 ? "        point3f[] points.timeSamples = {\n" : "        point3f[] points = ");
    for (int i = 0; i < rows; ++i) {
        WF_TRY(wfExport_ReadFrame(path, o, i, points, err));
        wfMesh_Bounds(points, count, &bounds[i][0], &bounds[i][1]);
        if (frameCount > 0) fprintf(f, "            %d: ", i);
        WritePoints(f, points, count);
        fputs(frameCount > 0 ? ",\n" : "\n", f);
    }
    fprintf(f, frameCount > 0 ? "        }\n        float3[] extent.timeSamples = {\n" : "        float3[] extent = ");
    for (int i = 0; i < rows; ++i) {
        if (frameCount > 0) fprintf(f, "            %d: ", i);
        WritePoints(f, bounds[i], 2);
        fputs(frameCount > 0 ? ",\n" : "\n", f);
    }
    if (frameCount > 0) fputs("        }\n", f);
    return true;
}

static bool WriteObject(const char* path, const wfExportObject* o, const char* primName, FILE* f, wfError* err) {
    const wfMesh* mesh = o->mesh;
    fprintf(f, "\n    def Mesh \"%s\" (\n        displayName = ", primName);
    WriteString(f, o->name);
    fprintf(f, "\n    )\n    {\n        uniform token subdivisionScheme = \"none\"\n        uniform bool doubleSided = 1\n");
    fprintf(f, "        color3f[] primvars:displayColor = ");
    WritePoints(f, &o->color, 1);
    fprintf(f, "\n        int[] faceVertexCounts = [");
    for (int i = 0; i < mesh->triangleCount; ++i) fputs(i > 0 ? ", 3" : "3", f);
    fprintf(f, "]\n        int[] faceVertexIndices = [");
    for (int i = 0; i < mesh->triangleCount; ++i)
        fprintf(f, "%s%d, %d, %d", i > 0 ? ", " : "", mesh->triangles[i].v[0], mesh->triangles[i].v[1], mesh->triangles[i].v[2]);
    fprintf(f, "]\n");
    wfArena arena = {0};
    bool ok = WriteFrames(path, o, &arena, f, err);
    wfArena_Free(&arena);
    fprintf(f, "    }\n");
    return ok;
}

static bool WriteFile(const char* path, const wfExportObject* objects, int count, double frameRate, bool zUp, PrimName* names, FILE* f,
                      wfError* err) {
    char rate[wf_numberSize];
    int frameCount = 1;
    for (int i = 0; i < count; ++i) {
        int n = wfExport_CountFrames(&objects[i]);
        if (n > frameCount) frameCount = n;
    }
    wfFormatNumber(rate, frameRate);
    fprintf(f,
            "#usda 1.0\n(\n    defaultPrim = \"weft\"\n    metersPerUnit = 1\n    upAxis = \"%s\"\n    startTimeCode = 0\n    endTimeCode "
            "= %d\n"
            "    timeCodesPerSecond = %s\n    framesPerSecond = %s\n)\n\ndef Xform \"weft\"\n{",
            zUp ? "Z" : "Y", frameCount - 1, rate, rate);
    for (int i = 0; i < count; ++i) {
        MakePrimName(names, i, objects[i].name);
        WF_TRY(WriteObject(path, &objects[i], names[i], f, err));
    }
    fprintf(f, "}\n");
    return true;
}

bool wfWriteUsda(const char* path, const wfExportObject* objects, int count, double frameRate, bool zUp, wfError* err) {
    WF_TRY(wfExport_Check(path, objects, count, frameRate, err));
    wfArena arena = {0};
    wfOutFile file = {0};
    PrimName* names = wfArena_Alloc(&arena, (size_t)count, sizeof *names, "usda names", err);
    bool ok = names != NULL && wfOutFile_Open(&file, path, err) && WriteFile(path, objects, count, frameRate, zUp, names, file.stream, err);
    if (ok) {
        ok = wfOutFile_Close(&file, err);
    } else {
        wfOutFile_Discard(&file);
    }
    wfArena_Free(&arena);
    return ok;
}
