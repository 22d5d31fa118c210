// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct wfArenaBlock {
    struct wfArenaBlock* next;
    char padding[56]; // what follows is 64-byte aligned
};

void* wfArena_Alloc(wfArena* arena, size_t count, size_t size, const char* what, wfError* err) {
    size_t bytes = count * size;
    size_t total = (sizeof(struct wfArenaBlock) + bytes + 63) & ~(size_t)63;
    struct wfArenaBlock* block = NULL;
    if ((size == 0 || bytes / size == count) && total >= bytes) block = aligned_alloc(64, total);
    if (block == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for %s (%zu elements of %zu bytes)", what, count, size);
        return NULL;
    }
    memset(block, 0, total);
    block->next = arena->first;
    arena->first = block;
    return block + 1;
}

void wfArena_Free(wfArena* arena) {
    for (struct wfArenaBlock *b = arena->first, *next; b != NULL; b = next) {
        next = b->next;
        free(b);
    }
    arena->first = NULL;
}

bool wfGrow(void** data, size_t* capacity, size_t need, size_t size, const char* what, wfError* err) {
    if (need <= *capacity) return true;
    size_t grown = *capacity + *capacity / 2 + 16;
    if (grown < need) grown = need;
    void* p = grown <= SIZE_MAX / size ? realloc(*data, grown * size) : NULL;
    if (p == NULL) return wfFail(err, wf_outOfMemory, "out of memory for %s (%zu elements of %zu bytes)", what, grown, size);
    *data = p;
    *capacity = grown;
    return true;
}
