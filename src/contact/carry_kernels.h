// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "contact/carry.h"

/// How much of a vertex's contact forces stays, 0 to 1.
typedef struct CarryStayArgs {
    const wfTouch* touches;
    const wfResponse* responses;
    const int *first, *last, *values; // contacts of each vertex …
    const float* weights;             // … and its own in each
    const int* surfaceOf;             // of each vertex
    const wfVec4* from;               // w: inverse mass
    const wfVec4 *before, *after;     // velocities
    wfVec4* stays;                    // x
    int clothVertexCount;
    float dt;
} CarryStayArgs;

typedef struct CarryFlagArgs {
    const wfTouch* touches;
    const wfResponse* responses;
    int* flags;
} CarryFlagArgs;

typedef struct CarryKeysArgs {
    const wfTouch* touches;
    const int* list;
    uint32_t* keys;
} CarryKeysArgs;

typedef struct CarryWriteArgs {
    const wfTouch* touches;
    const wfResponse* responses;
    const wfVec4* stays; // of each cloth vertex
    const int* list;
    wfCarried* out;
    int clothVertexCount;
    float dt;
} CarryWriteArgs;

typedef struct CarryGiveArgs {
    const wfCarried* carried;
    const wfTouch* touches;
    wfResponse* responses;
    int count; // of `carried`
    float dt;
} CarryGiveArgs;
