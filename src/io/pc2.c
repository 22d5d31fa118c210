// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/cache.h"

#include "io/bytes.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// PC2, the point cache that Blender, 3ds Max and Houdini read. Little-endian: 32 bytes of header, then frames of 3 floats a vertex.
//   0  "POINTCACHE2\0"   12 version 1   16 vertices   20 first frame   24 sampling   28 frames
// The sampling holds the seconds from frame to frame, as Blender takes it when it plays by time.

enum { wf_pc2HeaderSize = 32, wf_pc2ChunkFloats = 16384 };

static const char s_magic[12] = "POINTCACHE2";

struct wfPc2 {
    int file;
    char path[1024];
    int vertexCount, frameCount;
    int cutFrames; // that the header counts and the file does not have
    float sampling;
    unsigned char chunk[4 * wf_pc2ChunkFloats];
};

static bool FailFile(const wfPc2* cache, wfError* err) { return wfFail(err, wf_fileFailed, "%s: %s", cache->path, strerror(errno)); }

static off_t FrameOffset(const wfPc2* cache, int frame) { return wf_pc2HeaderSize + (off_t)frame * 12 * cache->vertexCount; }

static bool WriteAt(const wfPc2* cache, const unsigned char* bytes, size_t size, off_t offset, wfError* err) {
    while (size > 0) {
        ssize_t written = pwrite(cache->file, bytes, size, offset);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return FailFile(cache, err);
        bytes += written;
        size -= (size_t)written;
        offset += written;
    }
    return true;
}

/// Reads what is there, up to size bytes; *got tells how many.
static bool ReadAt(const wfPc2* cache, unsigned char* bytes, size_t size, off_t offset, size_t* got, wfError* err) {
    for (*got = 0; *got < size;) {
        ssize_t n = pread(cache->file, bytes + *got, size - *got, offset + (off_t)*got);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return FailFile(cache, err);
        if (n == 0) return true;
        *got += (size_t)n;
    }
    return true;
}

/// The frame's bytes must be safe before the count says that they are there, and the count before anybody builds on it.
static bool SetFrameCount(wfPc2* cache, int count, wfError* err) {
    unsigned char bytes[4];
    wfStoreLe32(bytes, (uint32_t)count);
    if (fdatasync(cache->file) != 0) return FailFile(cache, err);
    WF_TRY(WriteAt(cache, bytes, 4, 28, err));
    if (fdatasync(cache->file) != 0) return FailFile(cache, err);
    cache->frameCount = count;
    return true;
}

static wfPc2* OpenFile(const char* path, int flags, wfError* err) {
    if (strlen(path) >= sizeof(((wfPc2*)0)->path)) {
        wfFail(err, wf_badInput, "%.64s…: path is too long", path);
        return NULL;
    }
    wfPc2* cache = calloc(1, sizeof *cache);
    if (cache == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for a point cache");
        return NULL;
    }
    snprintf(cache->path, sizeof cache->path, "%s", path);
    cache->file = open(path, flags | O_CLOEXEC);
    if (cache->file >= 0) return cache;
    FailFile(cache, err);
    free(cache);
    return NULL;
}

static void Abandon(wfPc2* cache) {
    close(cache->file);
    free(cache);
}

static bool ReadHeader(wfPc2* cache, wfError* err) {
    unsigned char h[wf_pc2HeaderSize];
    size_t got;
    struct stat info;
    WF_TRY(ReadAt(cache, h, sizeof h, 0, &got, err));
    if (got < sizeof h) return wfFail(err, wf_badInput, "%s: expected a PC2 header of 32 bytes, the file has %zu", cache->path, got);
    if (memcmp(h, s_magic, sizeof s_magic) != 0)
        return wfFail(err, wf_badInput, "%s: expected a PC2 file, it does not begin with \"POINTCACHE2\"", cache->path);
    int32_t version = (int32_t)wfLoadLe32(h + 12), vertexCount = (int32_t)wfLoadLe32(h + 16), frameCount = (int32_t)wfLoadLe32(h + 28);
    cache->sampling = wfLoadLeFloat(h + 24);
    if (version != 1) return wfFail(err, wf_badInput, "%s: version: expected 1, got %d", cache->path, version);
    if (vertexCount < 1) return wfFail(err, wf_badInput, "%s: vertices: expected 1 or more, got %d", cache->path, vertexCount);
    if (frameCount < 0) return wfFail(err, wf_badInput, "%s: frames: expected 0 or more, got %d", cache->path, frameCount);
    if (!(cache->sampling > 0.0f && isfinite(cache->sampling)))
        return wfFail(err, wf_badInput, "%s: sampling: expected seconds above 0, got %g", cache->path, (double)cache->sampling);
    if (fstat(cache->file, &info) != 0) return FailFile(cache, err);
    cache->vertexCount = vertexCount;
    int64_t whole = (info.st_size - wf_pc2HeaderSize) / (12 * (int64_t)vertexCount);
    cache->frameCount = frameCount <= whole ? frameCount : (int)whole;
    cache->cutFrames = frameCount - cache->frameCount;
    return true;
}

wfPc2* wfPc2_OpenRead(const char* path, wfError* err) {
    wfPc2* cache = OpenFile(path, O_RDONLY, err);
    if (cache == NULL || ReadHeader(cache, err)) return cache;
    Abandon(cache);
    return NULL;
}

/// A new cache takes the place of an old one in one move, so that there is a readable cache at any time.
static bool StartAnew(const char* path, int vertexCount, float sampling, wfError* err) {
    unsigned char h[wf_pc2HeaderSize] = {0};
    memcpy(h, s_magic, sizeof s_magic);
    wfStoreLe32(h + 12, 1);
    wfStoreLe32(h + 16, (uint32_t)vertexCount);
    wfStoreLeFloat(h + 24, sampling);
    wfOutFile file;
    WF_TRY(wfOutFile_Open(&file, path, err));
    fwrite(h, 1, sizeof h, file.stream);
    return wfOutFile_Close(&file, err);
}

static bool GoOn(wfPc2* cache, int vertexCount, float sampling, int first, wfError* err) {
    WF_TRY(ReadHeader(cache, err));
    if (cache->vertexCount != vertexCount)
        return wfFail(err, wf_badInput, "%s: expected a cache of %d vertices, it has %d", cache->path, vertexCount, cache->vertexCount);
    if (cache->sampling != sampling)
        return wfFail(err, wf_badInput, "%s: expected a cache of %g frames a second, it has %g", cache->path, 1.0 / (double)sampling,
                      1.0 / (double)cache->sampling);
    if (cache->frameCount < first)
        return wfFail(err, wf_badInput, "%s: cannot go on at frame %d, it has %d whole frames", cache->path, first, cache->frameCount);
    // First the count, then the bytes: at no time does the count promise what is not there.
    WF_TRY(SetFrameCount(cache, first, err));
    if (ftruncate(cache->file, FrameOffset(cache, first)) != 0) return FailFile(cache, err);
    return true;
}

wfPc2* wfPc2_OpenWrite(const char* path, int vertexCount, double frameRate, int first, wfError* err) {
    float sampling = (float)(1.0 / frameRate);
    if (vertexCount < 1 || first < 0 || !(sampling > 0.0f && isfinite(sampling))) {
        wfFail(err, wf_badInput, "%s: cannot write a cache of %d vertices, %g frames a second, from frame %d", path, vertexCount, frameRate,
               first);
        return NULL;
    }
    if (first == 0 && !StartAnew(path, vertexCount, sampling, err)) return NULL;
    wfPc2* cache = OpenFile(path, O_RDWR, err);
    if (cache == NULL || GoOn(cache, vertexCount, sampling, first, err)) return cache;
    Abandon(cache);
    return NULL;
}

bool wfPc2_Append(wfPc2* cache, const float* positions, wfError* err) {
    if (cache->frameCount == INT_MAX) return wfFail(err, wf_badInput, "%s: more than %d frames", cache->path, INT_MAX);
    off_t offset = FrameOffset(cache, cache->frameCount);
    size_t count = 3 * (size_t)cache->vertexCount;
    for (size_t i = 0; i < count;) {
        size_t n = count - i < wf_pc2ChunkFloats ? count - i : wf_pc2ChunkFloats;
        for (size_t k = 0; k < n; ++k) wfStoreLeFloat(cache->chunk + 4 * k, positions[i + k]);
        WF_TRY(WriteAt(cache, cache->chunk, 4 * n, offset + 4 * (off_t)i, err));
        i += n;
    }
    return SetFrameCount(cache, cache->frameCount + 1, err);
}

int wfPc2_GetFrameCount(const wfPc2* cache) { return cache->frameCount; }
int wfPc2_GetCutFrameCount(const wfPc2* cache) { return cache->cutFrames; }
int wfPc2_GetVertexCount(const wfPc2* cache) { return cache->vertexCount; }

double wfPc2_GetFrameRate(const wfPc2* cache) {
    // The seconds are single precision: 1/24 comes back as 23.9999996. What is that near to a whole number was one.
    double rate = 1.0 / (double)cache->sampling, whole = round(rate);
    return fabs(rate - whole) <= 1e-6 * rate ? whole : rate;
}

bool wfPc2_ReadFrame(wfPc2* cache, int frame, float* positions, wfError* err) {
    if (frame < 0 || frame >= cache->frameCount)
        return wfFail(err, wf_badInput, "%s: frame %d: the cache has %d frames (numbered from 0)", cache->path, frame, cache->frameCount);
    off_t offset = FrameOffset(cache, frame);
    size_t count = 3 * (size_t)cache->vertexCount;
    for (size_t i = 0; i < count;) {
        size_t n = count - i < wf_pc2ChunkFloats ? count - i : wf_pc2ChunkFloats, got;
        WF_TRY(ReadAt(cache, cache->chunk, 4 * n, offset + 4 * (off_t)i, &got, err));
        if (got < 4 * n) return wfFail(err, wf_fileFailed, "%s: frame %d: the file has become shorter", cache->path, frame);
        for (size_t k = 0; k < n; ++k) positions[i + k] = wfLoadLeFloat(cache->chunk + 4 * k);
        i += n;
    }
    return true;
}

bool wfPc2_Close(wfPc2* cache, wfError* err) {
    if (cache == NULL) return true;
    bool ok = close(cache->file) == 0 || FailFile(cache, err);
    free(cache);
    return ok;
}
