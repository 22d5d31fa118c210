// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The reading side of run.json alone; io/run_folder.h opens the whole folder.

#include "io/run_folder.h"

/// The objects lie in `arena`, which the caller frees, also after a failure.
bool wfReadRunManifest(wfRunManifest* out, wfArena* arena, const char* path, wfError* err);
