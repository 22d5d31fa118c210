// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/staging.h"

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char s_manifest[] = "run.json";

static void Close(wfStaging* s) {
    if (s->lock >= 0) close(s->lock);
    *s = (wfStaging){.lock = -1};
}

bool wfStaging_Open(wfStaging* s, const char* folder, wfError* err) {
    *s = (wfStaging){0};
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/') --length;
    if (length == 0 || length >= sizeof s->folder) return wfFail(err, wf_badInput, "\"%.64s\": not a usable folder name", folder);
    snprintf(s->folder, sizeof s->folder, "%.*s", (int)length, folder);
    s->lock = -1;
    if (access(s->folder, F_OK) == 0) {
        s->lock = wfLockRunFolder(s->folder, err);
        if (s->lock < 0) return false;
    }
    snprintf(s->temporary, sizeof s->temporary, "%s.%ld.tmp", s->folder, (long)getpid());
    if (wfMakeFolder(s->temporary, err)) return true;
    Close(s);
    return false;
}

static bool Join(const char* folder, const char* name, char path[wf_runPathSize], wfError* err) {
    if (snprintf(path, wf_runPathSize, "%s/%s", folder, name) < wf_runPathSize) return true;
    return wfFail(err, wf_badInput, "%.64s...: path is too long", folder);
}

bool wfStaging_Path(const wfStaging* s, const char* name, char path[wf_runPathSize], wfError* err) {
    return Join(s->temporary, name, path, err);
}

static bool MoveFile(const wfStaging* s, const char* name, wfError* err) {
    char from[wf_runPathSize], to[wf_runPathSize];
    WF_TRY(Join(s->temporary, name, from, err) && Join(s->folder, name, to, err));
    if (rename(from, to) == 0) return true;
    return wfFail(err, wf_fileFailed, "%s: %s", to, strerror(errno));
}

/// Calls `act` for every file of the temporary folder but run.json.
static bool ForEach(const wfStaging* s, bool (*act)(const wfStaging*, const char*, wfError*), wfError* err) {
    DIR* stream = opendir(s->temporary);
    if (stream == NULL) return wfFail(err, wf_fileFailed, "%s: %s", s->temporary, strerror(errno));
    bool ok = true;
    for (struct dirent* entry; ok && (entry = readdir(stream)) != NULL;) {
        const char* name = entry->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && strcmp(name, s_manifest) != 0) ok = act(s, name, err);
    }
    closedir(stream);
    return ok;
}

static bool DeleteFile(const wfStaging* s, const char* name, wfError* err) {
    char path[wf_runPathSize];
    WF_TRY(Join(s->temporary, name, path, err));
    return unlink(path) == 0 || wfFail(err, wf_fileFailed, "%s: %s", path, strerror(errno));
}

bool wfStaging_Commit(wfStaging* s, wfError* err) {
    char path[wf_runPathSize];
    WF_TRY(wfMakeFolder(s->folder, err));
    if (rename(s->temporary, s->folder) == 0) { // it was not there or empty: all at once
        Close(s);
        return true;
    }
    WF_TRY(Join(s->temporary, s_manifest, path, err));
    bool run = access(path, F_OK) == 0;
    if (run) {
        WF_TRY(wfRemoveRun(s->folder, err));
        WF_TRY(Join(s->folder, s_manifest, path, err));
        if (unlink(path) != 0 && errno != ENOENT) return wfFail(err, wf_fileFailed, "%s: %s", path, strerror(errno));
    }
    WF_TRY(ForEach(s, MoveFile, err));
    if (run) WF_TRY(MoveFile(s, s_manifest, err));
    wfStaging_Discard(s);
    return true;
}

void wfStaging_Discard(wfStaging* s) {
    if (s->temporary[0] == 0) return;
    ForEach(s, DeleteFile, NULL);
    DeleteFile(s, s_manifest, NULL);
    rmdir(s->temporary);
    Close(s);
}
