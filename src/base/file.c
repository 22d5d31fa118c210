// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char* wfReadFile(const char* path, size_t* size, wfError* err) {
    FILE* stream = fopen(path, "rb");
    if (stream == NULL) {
        wfFail(err, wf_fileFailed, "%s: %s", path, strerror(errno));
        return NULL;
    }
    // Read in pieces rather than by the size that stat tells: pipes and growing files have none.
    void* data = NULL;
    size_t capacity = 0, count = 0;
    for (;;) {
        if (!wfGrow(&data, &capacity, count + 65536 + 1, 1, path, err)) break;
        size_t got = fread((char*)data + count, 1, capacity - count - 1, stream);
        count += got;
        if (got == 0) {
            if (ferror(stream)) {
                wfFail(err, wf_fileFailed, "%s: %s", path, strerror(errno));
                break;
            }
            fclose(stream);
            ((char*)data)[count] = 0;
            *size = count;
            return data;
        }
    }
    fclose(stream);
    free(data);
    return NULL;
}

bool wfOutFile_Open(wfOutFile* file, const char* path, wfError* err) {
    *file = (wfOutFile){0};
    if (strlen(path) >= sizeof file->path) return wfFail(err, wf_badInput, "%.64s…: path is too long", path);
    snprintf(file->path, sizeof file->path, "%s", path);
    snprintf(file->temporary, sizeof file->temporary, "%s.%ld.tmp", path, (long)getpid());
    file->stream = fopen(file->temporary, "wb");
    if (file->stream == NULL) return wfFail(err, wf_fileFailed, "%s: %s", path, strerror(errno));
    return true;
}

bool wfOutFile_Close(wfOutFile* file, wfError* err) {
    errno = EIO; // a write that failed earlier has left its mark on the stream, but not its reason: another one fails for the same
    if (ferror(file->stream) && write(fileno(file->stream), "", 1) == 1) errno = EIO;
    bool ok = !ferror(file->stream) && fflush(file->stream) == 0 && fsync(fileno(file->stream)) == 0;
    int saved = errno;
    if (fclose(file->stream) != 0 && ok) {
        ok = false;
        saved = errno;
    }
    file->stream = NULL;
    if (ok && rename(file->temporary, file->path) == 0) return true;
    if (ok) saved = errno;
    unlink(file->temporary);
    return wfFail(err, wf_fileFailed, "%s: %s", file->path, strerror(saved));
}

void wfOutFile_Discard(wfOutFile* file) {
    if (file->stream == NULL) return;
    fclose(file->stream);
    unlink(file->temporary);
    file->stream = NULL;
}

bool wfRequireWritable(const char* path, wfError* err) {
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) return wfFail(err, wf_fileFailed, "%s: is a folder, expected a file name", path);
    wfOutFile file;
    WF_TRY(wfOutFile_Open(&file, path, err));
    wfOutFile_Discard(&file);
    return true;
}

bool wfMakeFolder(const char* path, wfError* err) {
    char part[1024];
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof part) return wfFail(err, wf_badInput, "\"%.64s\": not a usable folder name", path);
    for (size_t i = 1; i <= length; ++i) {
        if (path[i] != '/' && path[i] != 0) continue;
        memcpy(part, path, i);
        part[i] = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST) return wfFail(err, wf_fileFailed, "%s: %s", part, strerror(errno));
    }
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) return wfFail(err, wf_fileFailed, "%s: not a folder", path);
    return true;
}
