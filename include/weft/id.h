// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "weft/base.h"

// What lives inside a scene is named by value. Zero is "none"; the generation catches an id of another scene.

typedef struct wfClothId {
    int32_t index1;
    uint32_t generation;
} wfClothId;

typedef struct wfColliderId {
    int32_t index1;
    uint32_t generation;
} wfColliderId;

typedef struct wfPinId {
    int32_t index1;
    uint32_t generation;
} wfPinId;

typedef struct wfSeamId {
    int32_t index1;
    uint32_t generation;
} wfSeamId;

static const wfClothId wf_nullCloth = {0, 0};
static const wfColliderId wf_nullCollider = {0, 0};
static const wfPinId wf_nullPin = {0, 0};
static const wfSeamId wf_nullSeam = {0, 0};

#define WF_ID_IS_NULL(id) ((id).index1 == 0)
#define WF_ID_EQUAL(a, b) ((a).index1 == (b).index1 && (a).generation == (b).generation)
