// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/run_cleanup.h"

#include "app/run_output.h"
#include "io/run_manifest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static bool Remove(const char* folder, const char* name, wfError* err) {
    // A list that was tampered with must not lead out of the folder.
    if (name[0] == 0 || strchr(name, '/') != NULL) return true;
    char path[wf_runPathSize];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (unlink(path) == 0 || errno == ENOENT) return true;
    return wfFail(err, wf_fileFailed, "%s: %s", path, strerror(errno));
}

/// NAME.PID.tmp, as io/file.h calls what is not yet whole.
static bool IsTemporary(const char* name) {
    size_t length = strlen(name);
    if (length < 7 || strcmp(name + length - 4, ".tmp") != 0) return false;
    size_t i = length - 4;
    while (i > 0 && name[i - 1] >= '0' && name[i - 1] <= '9') i--;
    return i < length - 4 && i > 1 && name[i - 1] == '.';
}

/// The number of a frame file, "00042.ply"; -1 where the name is no such.
static long FrameOfName(const char* name) {
    size_t digits = strspn(name, "0123456789");
    if (digits < 5 || digits > 9 || (strcmp(name + digits, ".ply") != 0 && strcmp(name + digits, ".obj") != 0)) return -1;
    return strtol(name, NULL, 10);
}

/// Removes temporary files and, where asked for, frame files behind `frame`.
static bool Sweep(const char* folder, bool frames, long frame, wfError* err) {
    DIR* stream = opendir(folder);
    if (stream == NULL) return errno == ENOENT || errno == ENOTDIR || wfFail(err, wf_fileFailed, "%s: %s", folder, strerror(errno));
    bool ok = true;
    for (struct dirent* entry; ok && (entry = readdir(stream)) != NULL;) {
        if (IsTemporary(entry->d_name) || (frames && FrameOfName(entry->d_name) > frame)) ok = Remove(folder, entry->d_name, err);
    }
    closedir(stream);
    return ok;
}

static bool SweepObject(const char* folder, const char* name, long frame, wfError* err) {
    if (name[0] == 0 || name[0] == '.' || strchr(name, '/') != NULL) return true;
    char path[wf_runPathSize];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    WF_TRY(Sweep(path, true, frame, err));
    if (frame < 0) rmdir(path); // stays where someone has put something of their own into it
    return true;
}

bool wfRemoveRun(const char* folder, wfError* err) {
    WF_TRY(Remove(folder, "checkpoint.wfc", err));
    WF_TRY(Sweep(folder, false, 0, err));
    if (!wfIsRunFolder(folder)) return true;
    char path[wf_runPathSize];
    snprintf(path, sizeof path, "%s/run.json", folder);
    wfArena arena = {0};
    wfRunManifest manifest;
    bool ok = wfReadRunManifest(&manifest, &arena, path, err);
    for (int i = 0; ok && i < manifest.objectCount; ++i) {
        const wfRunObject* object = &manifest.objects[i];
        ok = Remove(folder, object->cache, err) && Remove(folder, object->topology, err) && Remove(folder, object->rest, err) &&
             SweepObject(folder, object->name, -1, err);
    }
    wfArena_Free(&arena);
    return ok && Remove(folder, "scene.glb", err) && Remove(folder, "scene.usda", err) && Remove(folder, "report.jsonl", err);
}

bool wfCutRun(const char* folder, const wfRunManifest* manifest, int frame, wfError* err) {
    WF_TRY(Sweep(folder, false, 0, err));
    for (int i = 0; i < manifest->objectCount; ++i) WF_TRY(SweepObject(folder, manifest->objects[i].name, frame, err));
    return Remove(folder, "scene.glb", err) && Remove(folder, "scene.usda", err);
}

bool wfRunOutput_CheckFolder(const char* folder, bool* earlier, wfError* err) {
    *earlier = false;
    if (strlen(folder) == 0 || strlen(folder) >= wf_runFolderSize)
        return wfFail(err, wf_badInput, "\"%.64s\": not a usable folder name", folder);
    DIR* stream = opendir(folder);
    if (stream == NULL) return errno == ENOENT || wfFail(err, wf_fileFailed, "%s: %s", folder, strerror(errno));
    char other[NAME_MAX + 1] = "";
    for (struct dirent* entry; (entry = readdir(stream)) != NULL;) {
        const char* name = entry->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && !IsTemporary(name)) snprintf(other, sizeof other, "%s", name);
    }
    closedir(stream);
    if (other[0] == 0) return true;
    if (!wfIsRunFolder(folder)) {
        return wfFail(err, wf_badInput, "%s: expected an empty folder or an earlier run of weft, got a folder with \"%.64s\" in it", folder,
                      other);
    }
    char path[wf_runPathSize];
    snprintf(path, sizeof path, "%s/run.json", folder);
    wfArena arena = {0};
    wfRunManifest manifest;
    *earlier = wfReadRunManifest(&manifest, &arena, path, err);
    wfArena_Free(&arena);
    return *earlier;
}

int wfLockRunFolder(const char* folder, wfError* err) {
    int lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock < 0) {
        wfFail(err, wf_fileFailed, "%s: %s", folder, strerror(errno));
        return -1;
    }
    if (flock(lock, LOCK_EX | LOCK_NB) == 0) return lock;
    if (errno != EWOULDBLOCK) {
        wfFail(err, wf_fileFailed, "%s: cannot be locked: %s", folder, strerror(errno));
    } else {
        wfFail(err, wf_badInput, "%s: another run is writing to it", folder);
    }
    close(lock);
    return -1;
}
