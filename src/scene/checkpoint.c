// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene/scene.h"

#include "base/file.h"
#include "scene/params.h"

#include <stdlib.h>
#include <string.h>

// A checkpoint: a header, the bits of x, v, the history, where bodies pinch cloth what they pinch, where the contact method has one its
// memory, and a checksum behind them.
// Little-endian, as the machine writes it. The file is written under a temporary name and renamed when it is whole; the checksum catches
// what a disk does to it afterwards.

enum { checkpointVersion = 7 };

typedef struct Header {
    char magic[8];
    uint32_t version;
    int32_t vertexCount;
    wfSceneHash hash;
    double time;
    int64_t stepIndex;
    wfStepRest rest;
    int32_t frame;
    int32_t stepsSinceCertificate;
    float historyDt;
    uint32_t historyCount; // elements behind x and v, for integrators that look further back
    int32_t pinchedCount;  // 0: state.pinched is not written
    uint32_t memoryCount;  // elements of the contact method's memory
} Header;
_Static_assert(sizeof(Header) == 136, "the header is written as it lies in memory");

static const char s_magic[8] = {'w', 'e', 'f', 't', 'c', 'k', 'p', '\n'};

// ---- hashes -------------------------------------------------------------------------------------------------------------------

static const uint64_t s_hashStart = 0xcbf29ce484222325u;

// FNV-1a.
static uint64_t HashBytes(uint64_t hash, const void* data, size_t size) {
    const unsigned char* p = data;
    for (size_t i = 0; i < size; ++i) hash = (hash ^ p[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t HashInt(uint64_t hash, int64_t value) { return HashBytes(hash, &value, sizeof value); }

// Parameter by parameter: a struct has holes, and some parameters may change between a run and its continuation.
static uint64_t HashParams(uint64_t hash, const wfParamTable* table, const void* def) {
    for (int i = 0; i < table->count; ++i) {
        const wfParam* row = &table->rows[i];
        const char* field = (const char*)def + row->offset;
        switch (row->type) {
        case wf_paramFloat:
            hash = HashBytes(hash, field, sizeof(float));
            break;
        case wf_paramInt:
        case wf_paramEnum:
            if (strcmp(row->name, "frames") != 0) hash = HashBytes(hash, field, sizeof(int)); // a run may be made longer
            break;
        case wf_paramVec3:
            hash = HashBytes(hash, field, sizeof(wfVec3));
            break;
        case wf_paramName:
            hash = HashBytes(hash, field, strlen(field) + 1);
            break;
        case wf_paramBool: // "visible": looks only, as colours
        case wf_paramColor:
            break;
        }
    }
    return hash;
}

static uint64_t HashKeys(uint64_t hash, const wfKey* keys, int count) {
    hash = HashInt(hash, count);
    return count > 0 ? HashBytes(hash, keys, (size_t)count * sizeof *keys) : hash;
}

wfSceneHash wfScene_Hash(const wfScene* scene) {
    const wfModel* m = &scene->model;
    size_t n = (size_t)m->vertexCount, t = (size_t)m->triangleCount;
    wfSceneHash h = {s_hashStart, s_hashStart, s_hashStart, s_hashStart, s_hashStart, s_hashStart};
    h.params = HashParams(h.params, &wfSceneParams, &scene->def);

    for (int i = 0; i < scene->clothCount; ++i) {
        h.cloths = HashParams(h.cloths, &wfClothParams, &scene->cloths[i]->def);
        h.cloths = HashParams(h.cloths, &wfFabricParams, &scene->cloths[i]->def.fabric);
        h.cloths = HashInt(h.cloths, m->cloths[i].vertexCount);
        h.cloths = HashInt(h.cloths, m->cloths[i].triangleCount);
    }
    h.cloths = HashBytes(h.cloths, m->mass, n * sizeof *m->mass);
    h.cloths = HashBytes(h.cloths, m->start, n * sizeof *m->start);
    h.cloths = HashBytes(h.cloths, m->triangles, t * sizeof *m->triangles);
    h.cloths = HashBytes(h.cloths, m->flat, t * sizeof *m->flat);

    for (int i = 0; i < scene->colliderCount; ++i) {
        const wfCollider* c = scene->colliders[i];
        h.colliders = HashParams(h.colliders, &wfColliderParams, &c->def);
        h.colliders = HashKeys(h.colliders, c->keys, c->def.keyCount);
        if (c->def.shape != wf_shapeMesh) continue;
        size_t count = (size_t)c->vertexCount;
        h.colliders = HashInt(h.colliders, c->vertexCount);
        h.colliders = HashBytes(h.colliders, c->positions, count * sizeof(wfVec3));
        h.colliders = HashBytes(h.colliders, c->triangles, (size_t)c->triangleCount * sizeof(wfTriangle));
        if (c->sequence == NULL) continue;
        h.colliders = HashBytes(h.colliders, &c->def.sequenceRate, sizeof(float));
        h.colliders = HashBytes(h.colliders, c->sequence, count * (size_t)c->def.sequenceCount * sizeof(wfVec3));
    }

    for (int i = 0; i < scene->pinCount; ++i) {
        const wfPinDef* def = &scene->pins[i]->def;
        h.pins = HashParams(h.pins, &wfPinParams, def);
        h.pins = HashKeys(h.pins, scene->pins[i]->keys, def->keyCount);
        h.pins = HashInt(HashInt(h.pins, def->cloth.index1), def->follow.index1);
        h.pins = HashBytes(h.pins, &def->center, sizeof def->center);
        h.pins = HashBytes(h.pins, def->vertices, (size_t)def->vertexCount * sizeof(int));
    }

    for (int i = 0; i < scene->seamCount; ++i) h.seams = HashParams(h.seams, &wfSeamParams, &scene->seams[i]->def);
    for (int k = 0; k < m->stitchCount; ++k) {
        h.seams = HashBytes(h.seams, m->stitches[k].v, sizeof m->stitches[k].v);
        h.seams = HashBytes(h.seams, &m->stitches[k].share, sizeof(float));
    }
    h.friction = HashBytes(h.friction, m->friction, (size_t)m->surfaceCount * (size_t)m->surfaceCount * sizeof *m->friction);
    return h;
}

// ---- writing ------------------------------------------------------------------------------------------------------------------

static bool Write(wfOutFile* file, uint64_t* sum, const void* data, size_t size, wfError* err) {
    *sum = HashBytes(*sum, data, size);
    if (fwrite(data, 1, size, file->stream) == size) return true;
    return wfFail(err, wf_fileFailed, "%s: the checkpoint could not be written", file->path);
}

wfBuffer* wfScene_ContactMemory(wfScene* scene, bool load) {
    const wfContactType* contact = scene->parts.contact;
    return contact->memory != NULL ? contact->memory(scene->parts.contactSelf, load) : NULL;
}

static bool WriteAll(wfScene* scene, wfOutFile* file, wfError* err) {
    const wfBuffer* memory = wfScene_ContactMemory(scene, false);
    Header header = {
        .version = checkpointVersion,
        .vertexCount = scene->state.vertexCount,
        .hash = scene->hash,
        .time = scene->time,
        .stepIndex = scene->stepIndex,
        .rest = scene->rest,
        .frame = scene->frame,
        .stepsSinceCertificate = scene->stepsSinceCertificate,
        .historyDt = scene->state.historyDt,
        .historyCount = (uint32_t)scene->state.history.count,
        .pinchedCount = scene->state.pinchedCount,
        .memoryCount = memory != NULL ? (uint32_t)memory->count : 0,
    };
    memcpy(header.magic, s_magic, sizeof s_magic);
    uint64_t sum = s_hashStart;
    WF_TRY(Write(file, &sum, &header, sizeof header, err));
    const wfBuffer* buffers[] = {&scene->state.x, &scene->state.v, &scene->state.history,
                                 header.pinchedCount > 0 ? &scene->state.pinched : NULL, memory};
    for (int b = 0; b < 5; ++b) {
        if (buffers[b] == NULL) continue;
        size_t n = buffers[b]->count;
        for (size_t first = 0; first < n; first += wf_stagingCount) {
            size_t piece = n - first < wf_stagingCount ? n - first : wf_stagingCount;
            WF_TRY(wfDownload(scene->device, scene->staging, buffers[b], first, piece, err));
            WF_TRY(Write(file, &sum, scene->staging, piece * buffers[b]->stride, err));
        }
    }
    uint64_t total = sum;
    return Write(file, &sum, &total, sizeof total, err);
}

bool wfScene_SaveCheckpoint(wfScene* scene, const char* path, wfError* err) {
    WF_TRY(wfScene_RequireCommitted(scene, "wfScene_SaveCheckpoint", err));
    wfOutFile file;
    WF_TRY(wfOutFile_Open(&file, path, err));
    if (WriteAll(scene, &file, err)) return wfOutFile_Close(&file, err);
    wfOutFile_Discard(&file);
    return false;
}

// ---- reading ------------------------------------------------------------------------------------------------------------------

static bool Read(wfScene* scene, const char* path, const char* data, size_t size, wfError* err) {
    Header header;
    if (size < sizeof header || memcmp(data, s_magic, sizeof s_magic) != 0)
        return wfFail(err, wf_badInput, "%s: not a weft checkpoint", path);
    memcpy(&header, data, sizeof header);
    if (header.version != checkpointVersion) {
        return wfFail(err, wf_badInput, "%s: checkpoint of version %u, expected version %d", path, header.version, checkpointVersion);
    }
    size_t n = header.vertexCount > 0 ? (size_t)header.vertexCount : 0, bytes = n * sizeof(wfVec4);
    size_t history = (size_t)header.historyCount * sizeof(wfVec4), pinched = header.pinchedCount > 0 ? n * sizeof(int) : 0;
    size_t memory = (size_t)header.memoryCount * sizeof(wfVec4);
    size_t expected = sizeof header + 2 * bytes + history + pinched + memory + sizeof(uint64_t);
    if (size != expected) return wfFail(err, wf_badInput, "%s: the checkpoint is torn: expected %zu bytes, got %zu", path, expected, size);
    uint64_t sum;
    memcpy(&sum, data + size - sizeof sum, sizeof sum);
    if (sum != HashBytes(s_hashStart, data, size - sizeof sum)) {
        return wfFail(err, wf_badInput, "%s: the checkpoint is damaged: its checksum does not fit", path);
    }
    const wfSceneHash *a = &header.hash, *b = &scene->hash;
    const char* what = a->cloths != b->cloths         ? "cloths"
                       : a->colliders != b->colliders ? "colliders"
                       : a->pins != b->pins           ? "pins"
                       : a->seams != b->seams         ? "seams"
                       : a->friction != b->friction   ? "friction pairs"
                       : a->params != b->params       ? "parameters"
                                                      : NULL;
    if (what != NULL) return wfFail(err, wf_badInput, "%s: the checkpoint is of another scene: its %s differ", path, what);
    wfUpload(scene->device, &scene->state.x, data + sizeof header, n);
    wfUpload(scene->device, &scene->state.v, data + sizeof header + bytes, n);
    wfUpload(scene->device, &scene->state.history, data + sizeof header + 2 * bytes, header.historyCount);
    scene->state.historyDt = header.historyDt;
    if (pinched > 0)
        wfUpload(scene->device, &scene->state.pinched, data + sizeof header + 2 * bytes + history, n);
    else
        wfZero(scene->device, &scene->state.pinched);
    scene->state.pinchedCount = header.pinchedCount;
    wfBuffer* contactMemory = wfScene_ContactMemory(scene, header.memoryCount > 0);
    if (contactMemory != NULL && header.memoryCount > 0)
        wfUpload(scene->device, contactMemory, data + sizeof header + 2 * bytes + history + pinched, header.memoryCount);
    else if (contactMemory != NULL)
        wfZero(scene->device, contactMemory);
    WF_TRY(wfDevice_Sync(scene->device, err));
    scene->time = header.time;
    scene->stepIndex = header.stepIndex;
    scene->rest = header.rest;
    scene->frame = header.frame;
    scene->stepsSinceCertificate = header.stepsSinceCertificate;
    scene->stepped = false;
    return true;
}

bool wfScene_LoadCheckpoint(wfScene* scene, const char* path, wfError* err) {
    WF_TRY(wfScene_RequireCommitted(scene, "wfScene_LoadCheckpoint", err));
    size_t size = 0;
    char* data = wfReadFile(path, &size, err);
    if (data == NULL) return false;
    bool ok = Read(scene, path, data, size, err);
    free(data);
    return ok;
}
