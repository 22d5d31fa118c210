// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// What a scene file may hold, as data: the parameter tables of the engine, and the keys that give a scene its structure. The reader
// refuses what is not here; the reference (io/reference.c) prints what is.

#include "scene/params.h"
#include "weft/io.h"

typedef struct wfSceneKey {
    const char* name;
    const char* type;    // "text", "list of pins", …
    const char* initial; // what holds when the key is not given
    const char* meaning;
} wfSceneKey;

typedef struct wfSceneSection {
    const char* path;          // "cloths[]"
    const char* about;         // a sentence or two, Markdown
    const wfParamTable* table; // or NULL
    const wfSceneKey* keys;    // ended by a NULL name
} wfSceneSection;

extern const wfSceneSection wfSectionScene, wfSectionCamera, wfSectionFabric, wfSectionCloth, wfSectionGenerate, wfSectionTransform,
    wfSectionRotate, wfSectionCopies, wfSectionPin, wfSectionBox, wfSectionSeam, wfSectionStitches, wfSectionSide, wfSectionFriction,
    wfSectionCollider, wfSectionSequence, wfSectionKey;

extern const wfSceneSection* const wfSceneSections[]; // in the order of the reference, ended by NULL

// What the structural rows fill.
typedef struct wfCopies {
    int count;
    wfVec3 offset;
    int layer;
} wfCopies;

typedef struct wfBox {
    wfVec3 min, max;
} wfBox;

typedef struct wfSequence {
    int first, count;
    float rate;
} wfSequence;

typedef struct wfPlacement {
    wfVec3 translate;
} wfPlacement;

typedef struct wfMotionKey {
    float time;
    wfVec3 translate;
} wfMotionKey;

/// Fills `names` with every key of the section; at most `size`. Returns how many there are.
int wfSceneSection_Names(const wfSceneSection* section, const char** names, int size);
