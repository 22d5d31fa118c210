// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/vertex_grid_inside.h"

#include "base/assert.h"
#include "collide/vertex_grid_kernels.h"
#include "compute/kernel.h"
#include "compute/primitives.h"

#include <limits.h>
#include <stdlib.h>

static const wfGridTotals s_none = {.moved = ~(wfFaultSlot)0, .tooMany = ~(wfFaultSlot)0};

static bool Build(wfVertexGrid* g, const wfTopology* topology, wfArena* arena, wfError* err) {
    wfRows rings;
    WF_TRY(wfTopology_Ring2(topology, arena, &rings, err));
    size_t count = (size_t)g->vertexCount;
    wfUpload(g->device, &g->ringStart, rings.start, count + 1);
    wfUpload(g->device, &g->ring, rings.item, (size_t)rings.start[g->vertexCount]);
    while (g->bits < 30 && 1 << g->bits < g->vertexCount) g->bits += 1;
    wfReserve(g->device, &g->keys, count);
    wfReserve(g->device, &g->order, count);
    wfReserve(g->device, &g->placeOf, count);
    wfReserve(g->device, &g->entries, count);
    wfReserve(g->device, &g->places, count);
    wfReserve(g->device, &g->cachedAt, count);
    wfReserve(g->device, &g->buckets, (size_t)1 << g->bits);
    wfReserve(g->device, &g->counts, count);
    wfReserve(g->device, &g->cacheOffsets, count + 1);
    wfReserve(g->device, &g->offsets, count + 1);
    wfUpload(g->device, &g->totals, &s_none, 1);
    return wfDevice_Sync(g->device, err); // the uploads read the arena
}

wfVertexGrid* wfCreateVertexGrid(wfDevice* device, const wfTopology* topology, float radius, float skin, wfError* err) {
    if (!(radius > 0.0f && skin >= 0.0f && isfinite(radius + skin))) {
        wfFail(err, wf_badInput, "vertex grid: expected radius > 0 and skin >= 0, got %g and %g", (double)radius, (double)skin);
        return NULL;
    }
    wfVertexGrid* g = malloc(sizeof *g);
    if (g == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for a vertex grid");
        return NULL;
    }
    *g = (wfVertexGrid){
        .device = device,
        .vertexCount = topology->vertexCount,
        .bits = 1,
        .most = INT_MAX,
        .radius = radius,
        .skin = skin,
        .ringStart = wfMakeBuffer(sizeof(int), "grid.ring_start"),
        .ring = wfMakeBuffer(sizeof(int), "grid.ring"),
        .keys = wfMakeBuffer(sizeof(uint32_t), "grid.keys"),
        .order = wfMakeBuffer(sizeof(int), "grid.order"),
        .placeOf = wfMakeBuffer(sizeof(int), "grid.place_of"),
        .entries = wfMakeBuffer(sizeof(wfGridEntry), "grid.entries"),
        .places = wfMakeBuffer(sizeof(wfVec4), "grid.places"),
        .cachedAt = wfMakeBuffer(sizeof(wfVec4), "grid.cached_at"),
        .buckets = wfMakeBuffer(sizeof(wfGridRange), "grid.buckets"),
        .counts = wfMakeBuffer(sizeof(int), "grid.counts"),
        .cacheOffsets = wfMakeBuffer(sizeof(int), "grid.cache_offsets"),
        .cache = wfMakeBuffer(sizeof(int), "grid.cache"),
        .offsets = wfMakeBuffer(sizeof(int), "grid.offsets"),
        .totals = wfMakeBuffer(sizeof(wfGridTotals), "grid.totals"),
        .scratch = wfMakeBuffer(1, "grid.scratch"),
    };
    wfArena arena = {0};
    bool ok = Build(g, topology, &arena, err);
    wfArena_Free(&arena);
    if (ok) return g;
    wfDestroyVertexGrid(g);
    return NULL;
}

void wfDestroyVertexGrid(wfVertexGrid* g) {
    if (g == NULL) return;
    wfBuffer* buffers[] = {&g->ringStart, &g->ring,   &g->placeOf,      &g->keys,  &g->order,   &g->entries, &g->places, &g->cachedAt,
                           &g->buckets,   &g->counts, &g->cacheOffsets, &g->cache, &g->offsets, &g->totals,  &g->scratch};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(g->device, buffers[k]);
    free(g);
}

int wfVertexGrid_GetFillCount(const wfVertexGrid* g) { return g->fillCount; }

bool wfVertexGrid_Exclude(wfVertexGrid* g, const wfRows* rows, wfError* err) {
    wfUpload(g->device, &g->ringStart, rows->start, (size_t)g->vertexCount + 1);
    wfUpload(g->device, &g->ring, rows->item, (size_t)rows->start[g->vertexCount]);
    g->filled = false;
    return wfDevice_Sync(g->device, err);
}

wfGridExcluded wfVertexGrid_GetExcluded(const wfVertexGrid* g) {
    return (wfGridExcluded){wfData(&g->ringStart, int), wfData(&g->ring, int)};
}

// Entries and buckets of where vertices are now.
static void Sort(wfVertexGrid* g, const wfBuffer* x) {
    wfDevice* device = g->device;
    // A cell a little larger than the reach: rounding can then never put two vertices within reach two cells apart.
    double reach = g->radius + g->skin, inverseCell = 1.0 / (reach * (1.0 + 1e-9));
    GridKeysArgs keys = {.x = wfData(x, wfVec4),
                         .keys = wfData(&g->keys, uint32_t),
                         .order = wfData(&g->order, int),
                         .fault = wfDevice_FaultSlot(device),
                         .inverseCell = inverseCell,
                         .bits = g->bits};
    wfLaunch(device, GridKeys, g->vertexCount, &keys);
    wfSortPairs(device, keys.keys, keys.order, g->vertexCount, g->bits, &g->scratch);
    wfZero(device, &g->buckets);
    GridEntriesArgs entries = {.x = keys.x,
                               .keys = keys.keys,
                               .order = keys.order,
                               .entries = wfData(&g->entries, wfGridEntry),
                               .places = wfData(&g->places, wfVec4),
                               .cachedAt = wfData(&g->cachedAt, wfVec4),
                               .placeOf = wfData(&g->placeOf, int),
                               .buckets = wfData(&g->buckets, wfGridRange),
                               .inverseCell = inverseCell,
                               .count = g->vertexCount};
    wfLaunch(device, GridEntries, g->vertexCount, &entries);
}

void wfVertexGrid_ListRows(wfVertexGrid* g, const wfBuffer* x, wfGridRows rows) {
    double reach = g->radius + g->skin;
    g->filled = false; // the cache is of another order now
    Sort(g, x);
    wfBuffer used = {.data = rows.used, .count = 1, .capacity = 1, .stride = sizeof *rows.used, .name = "grid.used"};
    wfZero(g->device, &used);
    GridRowsArgs args = {.entries = wfData(&g->entries, wfGridEntry),
                         .places = wfData(&g->places, wfVec4),
                         .buckets = wfData(&g->buckets, wfGridRange),
                         .ringStart = wfData(&g->ringStart, int),
                         .ring = wfData(&g->ring, int),
                         .order = wfData(&g->order, int),
                         .placeOf = wfData(&g->placeOf, int),
                         .rows = rows,
                         .reachSq = reach * reach,
                         .bits = g->bits,
                         .count = g->vertexCount};
    wfLaunch(g->device, GridRows, (g->vertexCount + wf_gridRowsOfTile - 1) / wf_gridRowsOfTile, &args);
}

static bool FillCache(wfVertexGrid* g, const wfBuffer* x, wfError* err) {
    wfDevice* device = g->device;
    double reach = g->radius + g->skin;
    g->filled = false;
    Sort(g, x);
    GridCacheArgs cache = {.entries = wfData(&g->entries, wfGridEntry),
                           .places = wfData(&g->places, wfVec4),
                           .buckets = wfData(&g->buckets, wfGridRange),
                           .ringStart = wfData(&g->ringStart, int),
                           .ring = wfData(&g->ring, int),
                           .counts = wfData(&g->counts, int),
                           .totals = wfData(&g->totals, wfGridTotals),
                           .reachSq = reach * reach,
                           .bits = g->bits,
                           .most = g->most / g->vertexCount};
    wfLaunch(device, GridCache, g->vertexCount, &cache);
    wfScanExclusive(device, cache.counts, wfData(&g->cacheOffsets, int), g->vertexCount, &g->scratch);
    int total = 0;
    wfGridTotals totals;
    WF_TRY(wfDownload(device, &totals, &g->totals, 0, 1, err));
    if (totals.tooMany != s_none.tooMany) {
        wfUpload(device, &g->totals, &s_none, 1);
        return wfFail(err, wf_stepFailed, "vertex grid: vertex %d has more than %d others within %g m: too many pairs to be counted",
                      (int)(totals.tooMany >> 8), cache.most, reach);
    }
    WF_TRY(wfDownload(device, &total, &g->cacheOffsets, (size_t)g->vertexCount, 1, err));
    wfReserve(device, &g->cache, (size_t)total);
    cache.offsets = wfData(&g->cacheOffsets, int);
    cache.cache = wfData(&g->cache, int);
    wfLaunch(device, GridCache, g->vertexCount, &cache);
    g->filled = true; // only now: a cache that could not be filled is tried again
    g->fillCount += 1;
    return true;
}

bool wfVertexGrid_Find(wfVertexGrid* g, const wfBuffer* x, wfPairList* out, wfError* err) {
    WF_ASSERT(x->count >= (size_t)g->vertexCount);
    wfDevice* device = g->device;
    out->count = 0;
    if (!g->filled) WF_TRY(FillCache(g, x, err));
    for (;;) {
        GridPairsArgs pairs = {.x = wfData(x, wfVec4),
                               .cachedAt = wfData(&g->cachedAt, wfVec4),
                               .entries = wfData(&g->entries, wfGridEntry),
                               .cacheOffsets = wfData(&g->cacheOffsets, int),
                               .cache = wfData(&g->cache, int),
                               .counts = wfData(&g->counts, int),
                               .out = wfData(&out->pairs, wfPair),
                               .totals = wfData(&g->totals, wfGridTotals),
                               .fault = wfDevice_FaultSlot(device),
                               .radiusSq = g->radius * g->radius,
                               .slackSq = 0.25 * g->skin * g->skin * (1.0 - 1e-9),
                               .count = g->vertexCount,
                               .capacity = wfPairList_GetRoom(out)};
        wfLaunch(device, GridPairs, g->vertexCount, &pairs);
        wfScanExclusive(device, pairs.counts, wfData(&g->offsets, int), g->vertexCount, &g->scratch);
        pairs.offsets = wfData(&g->offsets, int);
        wfLaunch(device, GridPairs, g->vertexCount, &pairs);
        wfGridTotals totals;
        WF_TRY(wfDownload(device, &totals, &g->totals, 0, 1, err));
        if (totals.moved != s_none.moved) {
            wfUpload(device, &g->totals, &s_none, 1);
            WF_TRY(FillCache(g, x, err));
        } else if (totals.pairs > wfPairList_GetRoom(out)) {
            wfReserve(device, &out->pairs, (size_t)totals.pairs + (size_t)totals.pairs / 4);
        } else {
            wfReserve(device, &out->pairs, (size_t)totals.pairs);
            out->count = totals.pairs;
            return wfDevice_Sync(device, err);
        }
    }
}
