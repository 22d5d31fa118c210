// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// What the writers of whole animations share.

#include "io/cache.h"

#include <stdio.h>

/// Frames of an object: those of its cache, or none (the mesh as it is).
int wfExport_CountFrames(const wfExportObject* object);

/// Frame rate, meshes and caches fit together; `path` opens the message.
bool wfExport_Check(const char* path, const wfExportObject* objects, int count, double frameRate, wfError* err);

/// Positions at a frame; frame 0 of an object without frames is its mesh. All finite, else an error. out: as many as its mesh has.
bool wfExport_ReadFrame(const char* path, const wfExportObject* object, int frame, wfVec3* out, wfError* err);

/// Writes numbers with commas between.
void wfExport_WriteNumbers(FILE* stream, const float* numbers, int count);
