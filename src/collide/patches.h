// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Patches: connected triangles in groups of 5 to 8, the leaves of hierarchies (Lan et al. 2024, section 6). Smaller only where a
// component or a corner leaves no choice. Their row is the leaf order of a hierarchy by connectivity: halved again and again by distance
// along the mesh, so that 4, 16, 64 … patches in a row from a multiple of that lie together whatever the cloth does.

#include "mesh/topology.h"

enum { wf_patchSize = 8, wf_patchLeast = 5 };

typedef struct wfPatches {
    int count;
    int (*triangles)[wf_patchSize]; // -1 behind the last one
} wfPatches;

/// Memory from `arena`.
bool wfPatches_Create(wfPatches* out, const wfTopology* topology, wfArena* arena, wfError* err);
