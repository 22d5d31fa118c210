// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/cache.h"

#include "io/bytes.h"
#include "io/export.h"
#include "base/file.h"
#include "io/json.h"

#include <stdlib.h>
#include <string.h>

// glTF 2.0 as one .glb: a header, a JSON chunk that describes, a binary chunk that holds. Of each object the binary chunk has
//   positions and normals of the first frame, then of each later frame the differences to them (one view, 12 bytes a row)
//   indices
//   times of the frames, and the weights at each: the target of the frame at 1, all others at 0
// The caches are read twice, since the JSON chunk in front must tell the bounds; memory holds four rows of vectors, not the animation.

typedef struct GltfObject {
    const wfExportObject* source;
    int frameCount, targetCount;
    uint64_t offset; // in the binary chunk
    uint64_t vertexBytes, indexBytes, timeBytes, weightBytes;
    int firstView, firstAccessor;
    wfVec3 *lo, *hi; // of the first frame, then of each target's differences
} GltfObject;

typedef struct GltfWriter {
    const char* path;
    wfError* err;
    wfArena arena;
    GltfObject* objects;
    int count;
    uint64_t binaryBytes;
    double frameRate;
    bool zUp;
    wfVec3 *first, *firstNormals, *now, *normals; // as many as the largest object has
} GltfWriter;

static bool Plan(GltfWriter* w, const wfExportObject* sources) {
    w->objects = wfArena_New(&w->arena, GltfObject, w->count, "glTF objects", w->err);
    if (w->objects == NULL) return false;
    int view = 0, accessor = 0, most = 0;
    for (int i = 0; i < w->count; ++i) {
        GltfObject* o = &w->objects[i];
        const wfMesh* mesh = sources[i].mesh;
        o->source = &sources[i];
        o->frameCount = wfExport_CountFrames(o->source);
        o->targetCount = o->frameCount > 1 ? o->frameCount - 1 : 0;
        o->offset = w->binaryBytes;
        o->vertexBytes = 24 * (uint64_t)mesh->vertexCount * (1 + (uint64_t)o->targetCount);
        o->indexBytes = 12 * (uint64_t)mesh->triangleCount;
        if (o->targetCount > 0) {
            o->timeBytes = 4 * (uint64_t)o->frameCount;
            o->weightBytes = 4 * (uint64_t)o->frameCount * (uint64_t)o->targetCount;
        }
        w->binaryBytes += o->vertexBytes + o->indexBytes + o->timeBytes + o->weightBytes;
        o->firstView = view;
        o->firstAccessor = accessor;
        view += o->targetCount > 0 ? 3 : 2;
        accessor += 3 + (o->targetCount > 0 ? 2 * o->targetCount + 2 : 0);
        o->lo = wfArena_New(&w->arena, wfVec3, 1 + o->targetCount, "glTF bounds", w->err);
        o->hi = wfArena_New(&w->arena, wfVec3, 1 + o->targetCount, "glTF bounds", w->err);
        if (o->lo == NULL || o->hi == NULL) return false;
        if (mesh->vertexCount > most) most = mesh->vertexCount;
    }
    uint64_t jsonBytes = 4096 * (uint64_t)w->count + 512 * (uint64_t)accessor; // generously
    if (w->binaryBytes + jsonBytes > UINT32_MAX)
        return wfFail(w->err, wf_badInput, "%s: the animation takes %.1f GiB, a .glb can hold 4; write fewer frames, or pc2 or usda",
                      w->path, (double)w->binaryBytes / 0x1p30);
    wfVec3** rows[] = {&w->first, &w->firstNormals, &w->now, &w->normals};
    for (int i = 0; i < 4; ++i) {
        *rows[i] = wfArena_New(&w->arena, wfVec3, most, "glTF frames", w->err);
        if (*rows[i] == NULL) return false;
    }
    return true;
}

/// Reads a frame into w->now; the first one also into w->first.
static bool ReadFrame(GltfWriter* w, const GltfObject* o, int frame) {
    WF_TRY(wfExport_ReadFrame(w->path, o->source, frame, w->now, w->err));
    if (frame == 0) memcpy(w->first, w->now, (size_t)o->source->mesh->vertexCount * sizeof *w->first);
    return true;
}

/// Later frames are told as differences to the first.
static void Subtract(wfVec3* vectors, const wfVec3* first, int count, int frame) {
    for (int i = 0; frame > 0 && i < count; ++i) vectors[i] = wfSub(vectors[i], first[i]);
}

static bool Measure(GltfWriter* w) {
    for (int i = 0; i < w->count; ++i) {
        GltfObject* o = &w->objects[i];
        int count = o->source->mesh->vertexCount;
        for (int frame = 0; frame <= o->targetCount; ++frame) {
            WF_TRY(ReadFrame(w, o, frame));
            Subtract(w->now, w->first, count, frame);
            wfMesh_Bounds(w->now, count, &o->lo[frame], &o->hi[frame]);
            if (!wfIsFinite3(o->lo[frame]) || !wfIsFinite3(o->hi[frame]))
                return wfFail(w->err, wf_badInput, "%s: object \"%s\", frame %d: moves farther than single precision can tell", w->path,
                              o->source->name, frame);
        }
    }
    return true;
}

//------------------------------------------------------------------------------------------------------------------------- JSON

static const char* Comma(int index) { return index > 0 ? "," : ""; }

static void WriteNodesAndMeshes(const GltfWriter* w, FILE* f) {
    fprintf(f, "\"scene\":0,\"scenes\":[{\"nodes\":[");
    for (int i = 0; i < w->count; ++i) fprintf(f, "%s%d", Comma(i), i);
    fprintf(f, "]}],\"nodes\":[");
    for (int i = 0; i < w->count; ++i) {
        fprintf(f, "%s{\"name\":", Comma(i));
        wfJson_PutText(f, w->objects[i].source->name);
        if (w->zUp) fprintf(f, ",\"rotation\":[-0.707106769,0,0,0.707106769]");
        fprintf(f, ",\"mesh\":%d}", i);
    }
    fprintf(f, "],\"meshes\":[");
    for (int i = 0; i < w->count; ++i) {
        const GltfObject* o = &w->objects[i];
        int a = o->firstAccessor;
        fprintf(f, "%s{\"name\":", Comma(i));
        wfJson_PutText(f, o->source->name);
        fprintf(f, ",\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d},\"indices\":%d,\"material\":%d", a, a + 1, a + 2, i);
        for (int t = 0; t < o->targetCount; ++t)
            fprintf(f, "%s{\"POSITION\":%d,\"NORMAL\":%d}", t == 0 ? ",\"targets\":[" : ",", a + 3 + 2 * t, a + 4 + 2 * t);
        fprintf(f, "%s}]}", o->targetCount > 0 ? "]" : "");
    }
    fprintf(f, "],\"materials\":[");
    for (int i = 0; i < w->count; ++i) {
        wfVec3 c = w->objects[i].source->color;
        float rgba[4] = {wfClamp(c.x, 0, 1), wfClamp(c.y, 0, 1), wfClamp(c.z, 0, 1), 1};
        fprintf(f, "%s{\"name\":", Comma(i));
        wfJson_PutText(f, w->objects[i].source->name);
        fprintf(f, ",\"doubleSided\":true,\"pbrMetallicRoughness\":{\"metallicFactor\":0,\"roughnessFactor\":0.8,\"baseColorFactor\":[");
        wfExport_WriteNumbers(f, rgba, 4);
        fprintf(f, "]}}");
    }
    fprintf(f, "]");
}

/// One animation moves all objects, so that a player starts them together.
static void WriteAnimation(const GltfWriter* w, FILE* f) {
    int count = 0;
    for (int i = 0; i < w->count; ++i) {
        const GltfObject* o = &w->objects[i];
        if (o->targetCount == 0) continue;
        int times = o->firstAccessor + 3 + 2 * o->targetCount;
        fprintf(f, "%s{\"input\":%d,\"output\":%d,\"interpolation\":\"LINEAR\"}", count++ == 0 ? ",\"animations\":[{\"samplers\":[" : ",",
                times, times + 1);
    }
    if (count == 0) return;
    fprintf(f, "],\"channels\":[");
    for (int i = 0, k = 0; i < w->count; ++i) {
        if (w->objects[i].targetCount == 0) continue;
        fprintf(f, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"weights\"}}", Comma(k), k, i);
        ++k;
    }
    fprintf(f, "]}]");
}

static void WriteVertexAccessor(FILE* f, int view, uint64_t offset, int count, const wfVec3* lo, const wfVec3* hi) {
    fprintf(f, "{\"bufferView\":%d,\"byteOffset\":%llu,\"componentType\":5126,\"type\":\"VEC3\",\"count\":%d", view,
            (unsigned long long)offset, count);
    if (lo != NULL) {
        fprintf(f, ",\"min\":[");
        wfExport_WriteNumbers(f, &lo->x, 3);
        fprintf(f, "],\"max\":[");
        wfExport_WriteNumbers(f, &hi->x, 3);
        fprintf(f, "]");
    }
    fprintf(f, "}");
}

static float TimeOf(const GltfWriter* w, int frame) { return (float)(frame / w->frameRate); }

static void WriteAccessors(const GltfWriter* w, FILE* f) {
    fprintf(f, ",\"accessors\":[");
    for (int i = 0; i < w->count; ++i) {
        const GltfObject* o = &w->objects[i];
        const wfMesh* mesh = o->source->mesh;
        uint64_t row = 12 * (uint64_t)mesh->vertexCount;
        for (int t = 0; t <= o->targetCount; ++t) {
            fprintf(f, "%s", t > 0 || i > 0 ? "," : "");
            WriteVertexAccessor(f, o->firstView, 2 * row * (uint64_t)t, mesh->vertexCount, &o->lo[t], &o->hi[t]);
            fprintf(f, ",");
            WriteVertexAccessor(f, o->firstView, 2 * row * (uint64_t)t + row, mesh->vertexCount, NULL, NULL);
            if (t == 0)
                fprintf(f, ",{\"bufferView\":%d,\"componentType\":5125,\"type\":\"SCALAR\",\"count\":%lld}", o->firstView + 1,
                        3 * (long long)mesh->triangleCount);
        }
        if (o->targetCount == 0) continue;
        float last = TimeOf(w, o->frameCount - 1);
        fprintf(f, ",{\"bufferView\":%d,\"componentType\":5126,\"type\":\"SCALAR\",\"count\":%d,\"min\":[0],\"max\":[", o->firstView + 2,
                o->frameCount);
        wfExport_WriteNumbers(f, &last, 1);
        fprintf(f, "]},{\"bufferView\":%d,\"byteOffset\":%llu,\"componentType\":5126,\"type\":\"SCALAR\",\"count\":%lld}", o->firstView + 2,
                (unsigned long long)o->timeBytes, (long long)o->frameCount * o->targetCount);
    }
    fprintf(f, "]");
}

static void WriteViews(const GltfWriter* w, FILE* f) {
    fprintf(f, ",\"bufferViews\":[");
    for (int i = 0; i < w->count; ++i) {
        const GltfObject* o = &w->objects[i];
        unsigned long long at = o->offset, vertexBytes = o->vertexBytes, indexBytes = o->indexBytes;
        fprintf(f, "%s{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu,\"byteStride\":12,\"target\":34962}", Comma(i), at,
                vertexBytes);
        fprintf(f, ",{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu,\"target\":34963}", at + vertexBytes, indexBytes);
        if (o->targetCount > 0)
            fprintf(f, ",{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu}", at + vertexBytes + indexBytes,
                    (unsigned long long)(o->timeBytes + o->weightBytes));
    }
    fprintf(f, "],\"buffers\":[{\"byteLength\":%llu}]", (unsigned long long)w->binaryBytes);
}

//----------------------------------------------------------------------------------------------------------------------- binary

static void WriteWord(FILE* f, uint32_t word) {
    unsigned char bytes[4];
    wfStoreLe32(bytes, word);
    fwrite(bytes, 1, 4, f);
}

static void WriteFloat(FILE* f, float value) { WriteWord(f, wfBitsFromFloat(value)); }

static void WriteVectors(FILE* f, const wfVec3* vectors, int count) {
    for (int i = 0; i < count; ++i) {
        WriteFloat(f, vectors[i].x);
        WriteFloat(f, vectors[i].y);
        WriteFloat(f, vectors[i].z);
    }
}

static bool WriteObject(GltfWriter* w, const GltfObject* o, FILE* f) {
    const wfMesh* mesh = o->source->mesh;
    int count = mesh->vertexCount;
    for (int frame = 0; frame <= o->targetCount; ++frame) {
        WF_TRY(ReadFrame(w, o, frame));
        wfMesh_VertexNormals(w->now, count, mesh->triangles, mesh->triangleCount, w->normals);
        if (frame == 0) memcpy(w->firstNormals, w->normals, (size_t)count * sizeof *w->normals);
        Subtract(w->now, w->first, count, frame);
        Subtract(w->normals, w->firstNormals, count, frame);
        WriteVectors(f, w->now, count);
        WriteVectors(f, w->normals, count);
    }
    for (int i = 0; i < mesh->triangleCount; ++i)
        for (int k = 0; k < 3; ++k) WriteWord(f, (uint32_t)mesh->triangles[i].v[k]);
    if (o->targetCount == 0) return true;
    for (int frame = 0; frame < o->frameCount; ++frame) WriteFloat(f, TimeOf(w, frame));
    for (int frame = 0; frame < o->frameCount; ++frame)
        for (int t = 0; t < o->targetCount; ++t) WriteFloat(f, t == frame - 1 ? 1.0f : 0.0f);
    return true;
}

static bool WriteFile(GltfWriter* w, FILE* f) {
    for (int i = 0; i < 5; ++i) WriteWord(f, 0); // header and the JSON chunk's: filled in when the length is known
    fprintf(f, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"weft\"},");
    WriteNodesAndMeshes(w, f);
    WriteAnimation(w, f);
    WriteAccessors(w, f);
    WriteViews(w, f);
    fprintf(f, "}");
    long end = ftell(f);
    for (; end % 4 != 0 && end > 0; ++end) fputc(' ', f);
    WriteWord(f, (uint32_t)w->binaryBytes);
    WriteWord(f, 0x004e4942); // BIN
    for (int i = 0; i < w->count; ++i) WF_TRY(WriteObject(w, &w->objects[i], f));
    uint64_t length = (uint64_t)end + 8 + w->binaryBytes;
    if (end < 0 || length > UINT32_MAX || fseek(f, 0, SEEK_SET) != 0)
        return wfFail(w->err, wf_fileFailed, "%s: cannot fill in its header", w->path);
    WriteWord(f, 0x46546c67); // glTF
    WriteWord(f, 2);
    WriteWord(f, (uint32_t)length);
    WriteWord(f, (uint32_t)end - 20);
    WriteWord(f, 0x4e4f534a); // JSON
    return true;
}

bool wfWriteGltf(const char* path, const wfExportObject* objects, int count, double frameRate, bool zUp, wfError* err) {
    WF_TRY(wfExport_Check(path, objects, count, frameRate, err));
    GltfWriter writer = {.path = path, .err = err, .count = count, .frameRate = frameRate, .zUp = zUp};
    wfOutFile file = {0};
    bool ok = Plan(&writer, objects) && Measure(&writer) && wfOutFile_Open(&file, path, err) && WriteFile(&writer, file.stream);
    if (ok) {
        ok = wfOutFile_Close(&file, err);
    } else {
        wfOutFile_Discard(&file);
    }
    wfArena_Free(&writer.arena);
    return ok;
}
