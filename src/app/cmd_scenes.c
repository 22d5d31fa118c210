// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/options.h"

#include "base/error.h"
#include "base/file.h"
#include "scene/params.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { maxScenes = 256, pathSize = 1024 };

typedef struct SceneList {
    char folder[pathSize];
    char* names[maxScenes]; // without ".yaml", sorted
    int count;
} SceneList;

static bool IsFolder(const char* path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/// The folder beside the installed program, or that of the source tree where the program was built but not installed.
static void FindFolder(char* folder, size_t size) {
    char program[pathSize];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length > 0) {
        program[length] = 0;
        char* slash = strrchr(program, '/');
        if (slash != NULL) {
            *slash = 0;
            int n = snprintf(folder, size, "%s/%s", program, WF_INSTALLED_SCENES);
            if (n > 0 && (size_t)n < size && IsFolder(folder)) return;
        }
    }
    snprintf(folder, size, "%s", WF_SCENE_FOLDER);
}

static int CompareNames(const void* a, const void* b) { return strcmp(*(char* const*)a, *(char* const*)b); }

static bool ListScenes(SceneList* list, wfError* err) {
    *list = (SceneList){0};
    FindFolder(list->folder, sizeof list->folder);
    DIR* folder = opendir(list->folder);
    if (folder == NULL) return wfFail(err, wf_fileFailed, "%s (the built-in scenes): %s", list->folder, strerror(errno));
    for (struct dirent* entry; (entry = readdir(folder)) != NULL && list->count < maxScenes;) {
        char* name = entry->d_name;
        size_t length = strlen(name);
        if (name[0] == '.' || length <= 5 || strcmp(name + length - 5, ".yaml") != 0) continue;
        name[length - 5] = 0;
        char* copy = strdup(name);
        if (copy == NULL) break;
        list->names[list->count++] = copy;
    }
    closedir(folder);
    qsort(list->names, (size_t)list->count, sizeof list->names[0], CompareNames);
    return true;
}

static void FreeScenes(SceneList* list) {
    for (int i = 0; i < list->count; ++i) free(list->names[i]);
}

/// Neither a file nor a built-in scene: says what would have been found.
static bool FailUnknown(const SceneList* list, const char* name, wfError* err) {
    const char* nearest = wfNearestName(name, (const char* const*)list->names, list->count);
    if (nearest != NULL) return wfFail(err, wf_badInput, "%s: neither a scene file nor a built-in scene; did you mean %s?", name, nearest);
    return wfFail(err, wf_badInput, "%s: neither a scene file nor a built-in scene; weft scenes lists those", name);
}

bool wfApp_FindScene(const char* name, char* path, size_t size, wfError* err) {
    struct stat info;
    bool exists = stat(name, &info) == 0;
    if (exists && !S_ISDIR(info.st_mode)) {
        if (strlen(name) >= size) return wfFail(err, wf_badInput, "%.64s...: path is too long", name);
        snprintf(path, size, "%s", name);
        return true;
    }
    // A name with a folder or an ending means a file, and nothing else.
    if (strchr(name, '/') != NULL || strchr(name, '.') != NULL) {
        return wfFail(err, wf_fileFailed, "%s: %s", name, exists ? "is a folder, expected a scene file" : strerror(ENOENT));
    }
    SceneList list;
    WF_TRY(ListScenes(&list, err));
    bool found = false;
    for (int i = 0; i < list.count && !found; ++i) found = strcmp(list.names[i], name) == 0;
    if (found && (size_t)snprintf(path, size, "%s/%s.yaml", list.folder, name) >= size) {
        found = wfFail(err, wf_badInput, "%.64s...: path is too long", list.folder);
    } else if (!found) {
        FailUnknown(&list, name, err);
    }
    FreeScenes(&list);
    return found;
}

/// The value of the line "title: …". Reading the whole scene would make all its meshes only to show a name.
static bool ReadTitle(const char* path, char* title, size_t size, wfError* err) {
    size_t length;
    char* text = wfReadFile(path, &length, err);
    if (text == NULL) return false;
    title[0] = 0;
    for (char* line = text; line != NULL && *line != 0; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, "title:", 6) != 0) continue;
        line += 6 + strspn(line + 6, " \t\"'");
        size_t n = strcspn(line, "\"'\r\n");
        snprintf(title, size, "%.*s", (int)n, line);
        break;
    }
    free(text);
    return true;
}

static const wfOptionTable s_table = {.command = "scenes"};

int wfCmd_Scenes(int argc, char** argv) {
    int code = wfParseOptions(&s_table, &argc, argv, NULL);
    if (code != wf_exitGoOn) return code;
    wfError err = {0};
    SceneList list;
    if (!ListScenes(&list, &err)) return wfApp_Fail(&err);
    int width = 0;
    for (int i = 0; i < list.count; ++i) width = (int)strlen(list.names[i]) > width ? (int)strlen(list.names[i]) : width;
    bool ok = true;
    for (int i = 0; i < list.count && ok; ++i) {
        char path[2 * pathSize], title[256];
        snprintf(path, sizeof path, "%s/%s.yaml", list.folder, list.names[i]);
        ok = ReadTitle(path, title, sizeof title, &err);
        if (ok) printf("%-*s  %s\n", width, list.names[i], title);
    }
    FreeScenes(&list);
    return ok ? wf_exitOk : wfApp_Fail(&err);
}
