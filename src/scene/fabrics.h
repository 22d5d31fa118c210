// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Named fabrics (wfFindFabric) as data, for help and docs.

#include "weft/types.h"

typedef struct wfFabricPreset {
    const char* name;
    wfFabric fabric;
    const char* source; // where the values come from; what was not measured is called typical
} wfFabricPreset;

extern const wfFabricPreset wfFabricPresets[]; // ended by a NULL name
