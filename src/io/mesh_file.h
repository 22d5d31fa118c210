// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Meshes in files. Readers keep the order of vertices and faces; polygons are cut into fans. A message names file, line (text formats) or
// byte offset (binary ones), what was expected and what came. Every reader also takes bytes in memory, which is what the fuzzers feed.

#include "mesh/mesh.h"

/// Reads by the ending of the name: .obj .ply .stl, each also with .gz refused with a clear message.
bool wfReadMesh(wfMesh* out, const char* path, wfError* err);
/// Writes by the ending: .obj .ply. Written to a temporary name first and renamed when whole.
bool wfWriteMesh(const char* path, const wfMesh* mesh, wfError* err);

bool wfParseObj(wfMesh* out, const char* bytes, size_t size, const char* name, wfError* err);
bool wfParsePly(wfMesh* out, const char* bytes, size_t size, const char* name, wfError* err);
bool wfParseStl(wfMesh* out, const char* bytes, size_t size, const char* name, wfError* err);
