// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.h"

/// A growing row of blocks that are freed together. Start from {0}.
typedef struct wfArena {
    struct wfArenaBlock* first;
} wfArena;

/// Zeroed memory for `count` elements, 64-byte aligned, valid until the arena is freed. On failure returns NULL and fills err with `what`.
/// A count of zero gives a valid pointer.
void* wfArena_Alloc(wfArena* arena, size_t count, size_t size, const char* what, wfError* err);
void wfArena_Free(wfArena* arena);

#define wfArena_New(arena, type, count, what, err) ((type*)wfArena_Alloc((arena), (size_t)(count), sizeof(type), (what), (err)))

/// Grows a malloc'ed array so that it holds at least `need` elements (by half at a time), keeping its content.
/// *capacity is updated; on failure the old array stays valid and err is filled with `what`.
bool wfGrow(void** data, size_t* capacity, size_t need, size_t size, const char* what, wfError* err);
