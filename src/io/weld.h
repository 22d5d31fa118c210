// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Gives equal keys one number, in the order in which they are first seen. A key is three words, compared by their bits.

#include "base/memory.h"

typedef struct wfWeld {
    uint32_t (*keys)[3]; // by number
    int count;
    size_t capacity;
    int* slots; // number + 1, 0: free
    size_t slotMask;
} wfWeld;

/// Room for `most` different keys.
bool wfWeld_Create(wfWeld* weld, size_t most, wfError* err);
void wfWeld_Free(wfWeld* weld);

/// The number of the key; a new one when it has not been seen.
int wfWeld_Find(wfWeld* weld, uint32_t a, uint32_t b, uint32_t c);
