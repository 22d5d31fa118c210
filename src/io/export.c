// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/export.h"

#include "io/number.h"

#include <string.h>

int wfExport_CountFrames(const wfExportObject* object) { return object->frames != NULL ? wfPc2_GetFrameCount(object->frames) : 0; }

bool wfExport_Check(const char* path, const wfExportObject* objects, int count, double frameRate, wfError* err) {
    if (!(frameRate > 0.0 && isfinite(frameRate)))
        return wfFail(err, wf_badInput, "%s: frame rate: expected above 0, got %g", path, frameRate);
    if (count < 1) return wfFail(err, wf_badInput, "%s: expected 1 or more objects, got %d", path, count);
    for (int i = 0; i < count; ++i) {
        const wfExportObject* o = &objects[i];
        if (o->mesh->vertexCount < 1 || o->mesh->triangleCount < 1)
            return wfFail(err, wf_badInput, "%s: object \"%s\" has no triangles", path, o->name);
        if (!wfIsFinite3(o->color)) return wfFail(err, wf_badInput, "%s: object \"%s\": the colour is not finite", path, o->name);
        if (o->frames != NULL && wfPc2_GetVertexCount(o->frames) != o->mesh->vertexCount)
            return wfFail(err, wf_badInput, "%s: object \"%s\": the mesh has %d vertices, the cache has %d", path, o->name,
                          o->mesh->vertexCount, wfPc2_GetVertexCount(o->frames));
    }
    return true;
}

bool wfExport_ReadFrame(const char* path, const wfExportObject* object, int frame, wfVec3* out, wfError* err) {
    int count = object->mesh->vertexCount;
    if (wfExport_CountFrames(object) > 0) {
        WF_TRY(wfPc2_ReadFrame(object->frames, frame, &out->x, err));
    } else {
        memcpy(out, object->mesh->positions, (size_t)count * sizeof *out);
    }
    for (int i = 0; i < count; ++i) {
        if (!wfIsFinite3(out[i]))
            return wfFail(err, wf_badInput, "%s: object \"%s\", frame %d, vertex %d: expected finite numbers, got \"%g %g %g\"", path,
                          object->name, frame, i, (double)out[i].x, (double)out[i].y, (double)out[i].z);
    }
    return true;
}

void wfExport_WriteNumbers(FILE* stream, const float* numbers, int count) {
    char text[wf_numberSize];
    for (int i = 0; i < count; ++i) {
        wfFormatNumber(text, (double)numbers[i]);
        if (i > 0) fputs(", ", stream);
        fputs(text, stream);
    }
}
