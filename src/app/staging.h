// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// A folder that is filled under a temporary name beside its own and takes its place when all of it is there, so that whoever stops or fails
// on the way leaves what was there before.

#include "app/run_cleanup.h"

typedef struct wfStaging {
    char folder[wf_runFolderSize], temporary[wf_runFolderSize + 32];
    int lock; // file descriptor of the folder where it is there already
} wfStaging;

/// Makes the temporary folder, and keeps runs out of the other one. Touches nothing else.
bool wfStaging_Open(wfStaging* staging, const char* folder, wfError* err);
/// The path of a file that is being made.
bool wfStaging_Path(const wfStaging* staging, const char* name, char path[wf_runPathSize], wfError* err);
/// Puts everything in place: other files that were there stay, but for those of an earlier run, which go. run.json comes last.
bool wfStaging_Commit(wfStaging* staging, wfError* err);
/// Takes away what is left of the temporary folder. Nothing to do where none was opened ({0}) or after a commit.
void wfStaging_Discard(wfStaging* staging);
