// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/weld.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

bool wfWeld_Create(wfWeld* weld, size_t most, wfError* err) {
    *weld = (wfWeld){.capacity = most};
    size_t slotCount = 16;
    while (slotCount < 2 * most) slotCount *= 2;
    weld->slotMask = slotCount - 1;
    weld->keys = malloc(most * sizeof *weld->keys + 1);
    weld->slots = calloc(slotCount, sizeof *weld->slots);
    if (weld->keys != NULL && weld->slots != NULL) return true;
    wfWeld_Free(weld);
    return wfFail(err, wf_outOfMemory, "out of memory for welding (%zu keys)", most);
}

void wfWeld_Free(wfWeld* weld) {
    free(weld->keys);
    free(weld->slots);
    *weld = (wfWeld){0};
}

static uint64_t Mix(uint64_t x) {
    x ^= x >> 32;
    x *= 0x9e3779b97f4a7c15u;
    return x ^ x >> 29;
}

int wfWeld_Find(wfWeld* weld, uint32_t a, uint32_t b, uint32_t c) {
    uint64_t hash = Mix(Mix(a | (uint64_t)b << 32) ^ c * 0xd6e8feb86659fd93u);
    size_t slot = (size_t)hash & weld->slotMask;
    for (; weld->slots[slot] != 0; slot = (slot + 1) & weld->slotMask) {
        const uint32_t* key = weld->keys[weld->slots[slot] - 1];
        if (key[0] == a && key[1] == b && key[2] == c) return weld->slots[slot] - 1;
    }
    WF_ASSERT((size_t)weld->count < weld->capacity);
    uint32_t* key = weld->keys[weld->count];
    key[0] = a;
    key[1] = b;
    key[2] = c;
    weld->slots[slot] = weld->count + 1;
    return weld->count++;
}
