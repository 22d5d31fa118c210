// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "compute/primitives.h"

#include "base/assert.h"
#include "compute/primitives_kernels.h"

static int ReduceTiles(int count) { return (count + wf_reduceTile - 1) / wf_reduceTile; }

void wfScanExclusive(wfDevice* device, const int* in, int* out, int count, wfBuffer* scratch) {
    if (device->failure.code != wf_ok) return;
    wfReserve(device, scratch, device->backend->scanScratch(device, count));
    if (device->failure.code == wf_ok) device->backend->scan(device, in, out, count, scratch->data);
}

void wfSortPairs(wfDevice* device, uint32_t* keys, int* values, int count, int bitCount, wfBuffer* scratch) {
    WF_ASSERT(0 < bitCount && bitCount <= 32);
    if (count < 2 || device->failure.code != wf_ok) return;
    wfReserve(device, scratch, device->backend->sortScratch(device, count));
    if (device->failure.code == wf_ok) device->backend->sort(device, keys, values, count, bitCount, scratch->data);
}

/// Items of scratch for the partial results of a reduction: each round at most an eighth of the one before, the first included.
static size_t PartialCount(int tiles) { return (size_t)tiles + (size_t)tiles / 8 + 64; }

void wfDotProduct(wfDevice* device, const float* a, const float* b, float* out, int count, wfBuffer* scratch) {
    int tiles = count > 0 ? ReduceTiles(count) : 1;
    wfReserve(device, scratch, PartialCount(tiles) * sizeof(float));
    float* partial = scratch->data;
    for (;;) {
        TileSumArgs args = {a, b, tiles == 1 ? out : partial, count};
        wfLaunch(device, TileSum, tiles, &args);
        if (tiles == 1) return;
        a = partial;
        b = NULL; // from here on the tiles' sums are summed
        partial += tiles;
        count = tiles;
        tiles = ReduceTiles(count);
    }
}

void wfSum(wfDevice* device, const float* in, float* out, int count, wfBuffer* scratch) {
    wfDotProduct(device, in, NULL, out, count, scratch);
}

void wfMaxIndex(wfDevice* device, const float* in, float* out, int* outIndex, int count, wfBuffer* scratch) {
    int tiles = count > 0 ? ReduceTiles(count) : 1;
    size_t room = PartialCount(tiles);
    wfReserve(device, scratch, room * (sizeof(float) + sizeof(int)));
    float* values = scratch->data;
    int* indices = (int*)(values + room);
    const int* inIndex = NULL;
    for (;;) {
        TileMaxIndexArgs args = {in, inIndex, tiles == 1 ? out : values, tiles == 1 ? outIndex : indices, count};
        wfLaunch(device, TileMaxIndex, tiles, &args);
        if (tiles == 1) return;
        in = values;
        inIndex = indices;
        values += tiles;
        indices += tiles;
        count = tiles;
        tiles = ReduceTiles(count);
    }
}

void wfSegmentedSum(wfDevice* device, const float* in, const int* start, float* out, int segmentCount) {
    SegmentedSumArgs args = {in, start, out};
    wfLaunch(device, SegmentedSum, segmentCount, &args);
}

// A compaction keeps in its scratch a number a tile, where the flagged ones of each tile begin, and behind that the scan's own.
static int FlagTiles(int count) { return count > 0 ? ReduceTiles(count) : 1; }
static size_t FlagRow(int tiles) { return ((size_t)tiles + 1 + 63) & ~(size_t)63; } // CUB wants its scratch aligned
static int* FlagOffsets(int tiles, const wfBuffer* scratch) { return (int*)scratch->data + FlagRow(tiles); }

static void CountTiles(wfDevice* device, const int* flags, int count, wfBuffer* scratch) {
    int tiles = FlagTiles(count);
    if (device->failure.code != wf_ok) return;
    wfReserve(device, scratch, 2 * FlagRow(tiles) * sizeof(int) + device->backend->scanScratch(device, tiles));
    if (device->failure.code != wf_ok) return;
    int *counts = scratch->data, *offsets = FlagOffsets(tiles, scratch);
    CountFlagsArgs args = {flags, counts, count};
    wfLaunch(device, CountFlags, tiles, &args);
    device->backend->scan(device, counts, offsets, tiles, offsets + FlagRow(tiles));
}

static void ListTiles(wfDevice* device, const int* flags, int* out, int* outCount, int count, const wfBuffer* scratch) {
    if (device->failure.code != wf_ok) return;
    int tiles = FlagTiles(count);
    ListFlagsArgs args = {flags, FlagOffsets(tiles, scratch), out, outCount, count, tiles};
    wfLaunch(device, ListFlags, tiles, &args);
}

void wfCompact(wfDevice* device, const int* flags, int* out, int* outCount, int count, wfBuffer* scratch) {
    CountTiles(device, flags, count, scratch);
    ListTiles(device, flags, out, outCount, count, scratch);
}

int wfCountFlagged(wfDevice* device, const int* flags, int count, wfBuffer* scratch) {
    CountTiles(device, flags, count, scratch);
    if (device->failure.code != wf_ok) return 0;
    int tiles = FlagTiles(count);
    return wfReadInt(device, FlagOffsets(tiles, scratch) + tiles);
}

void wfListFlagged(wfDevice* device, const int* flags, int* out, int count, const wfBuffer* scratch) {
    ListTiles(device, flags, out, NULL, count, scratch);
}

int wfReadInt(wfDevice* device, const int* value) {
    int host = 0;
    wfBuffer view = {.data = (void*)value, .count = 1, .capacity = 1, .stride = sizeof(int), .name = "value"};
    wfDownload(device, &host, &view, 0, 1, NULL);
    return host;
}

float wfReadFloat(wfDevice* device, const float* value) {
    float host = 0.0f;
    wfBuffer view = {.data = (void*)value, .count = 1, .capacity = 1, .stride = sizeof(float), .name = "value"};
    wfDownload(device, &host, &view, 0, 1, NULL);
    return host;
}
