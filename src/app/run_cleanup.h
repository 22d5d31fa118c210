// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Taking away what an earlier run left in its folder, and keeping others out of it meanwhile. Only files that weft itself made are touched:
// those that run.json lists, frame files (digits and .ply or .obj in the folder of an object), and temporary names of a run that was
// killed.

#include "io/run_folder.h"

enum { wf_runFolderSize = 768, wf_runPathSize = 1024 }; // bytes; a path is the folder, an object and a frame

/// Everything of the run in `folder`, the checkpoint first, so that nobody resumes what is going. No run there is fine.
bool wfRemoveRun(const char* folder, wfError* err);

/// What belongs to frames behind `frame`, other than in the caches and the report: frame files and files made of the whole run.
bool wfCutRun(const char* folder, const wfRunManifest* manifest, int frame, wfError* err);

/// Keeps every other run out of a folder that is there until the file descriptor it returns is closed; -1 with an error where it cannot.
int wfLockRunFolder(const char* folder, wfError* err);
