// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Whole files, in and out. A file that is being written lies under a temporary name in the same folder until it is whole.

#include "base/memory.h"

#include <stdio.h>

/// Reads a whole file into malloc'ed memory with a zero behind it (not counted in *size). Folders and unreadable files are errors.
char* wfReadFile(const char* path, size_t* size, wfError* err);

typedef struct wfOutFile {
    FILE* stream;
    char path[1024], temporary[1056];
} wfOutFile;

bool wfOutFile_Open(wfOutFile* file, const char* path, wfError* err);
/// Flushes, syncs, renames into place. On failure (also a full disk noticed late) nothing is left and the old file stays.
bool wfOutFile_Close(wfOutFile* file, wfError* err);
void wfOutFile_Discard(wfOutFile* file);

/// Fails where no file can be written under that name, before long work is done for it. Leaves nothing.
bool wfRequireWritable(const char* path, wfError* err);

bool wfMakeFolder(const char* path, wfError* err); // with its parents; one that exists is fine
