// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/broad_inside.h"

#include "base/assert.h"
#include "compute/primitives.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const wfBroadType* const s_types[] = {&wf_broadConnectivity, &wf_broadMorton};
enum { TypeCount = sizeof s_types / sizeof s_types[0] };

wfPairList wfMakePairList(const char* name) { return (wfPairList){.pairs = wfMakeBuffer(sizeof(wfPair), name)}; }

void wfPairList_Free(wfDevice* device, wfPairList* list) {
    wfFreeBuffer(device, &list->pairs);
    list->count = 0;
}

int wfPairList_GetRoom(const wfPairList* list) { return list->pairs.capacity < INT_MAX ? (int)list->pairs.capacity : INT_MAX; }

static const wfBroadTotals s_none = {.tooMany = ~(wfFaultSlot)0};

static int QuadCount(const wfBroad* b) { return wfTree_Quads(b->tree).leafCount; }

// ---- life ---------------------------------------------------------------------------------------------------------------------

static bool Build(wfBroad* b, const wfTopology* topology, wfArena* scratch, wfError* err) {
    wfPatches patches;
    WF_TRY(wfPatches_Create(&patches, topology, scratch, err));
    b->patchCount = patches.count;
    size_t slotCount = (size_t)patches.count * wf_patchSize;
    wfSlot* slots = wfArena_New(scratch, wfSlot, slotCount, "slots of patches", err);
    if (slots == NULL) return false;
    for (size_t i = 0; i < slotCount; ++i) {
        int triangle = patches.triangles[i / wf_patchSize][i % wf_patchSize];
        const int none[3] = {-1, -1, -1};
        memcpy(slots[i].v, triangle >= 0 ? topology->triangles[triangle].v : none, sizeof slots[i].v);
        slots[i].triangle = triangle;
    }
    wfDevice* device = b->device;
    wfUpload(device, &b->slots, slots, slotCount);
    wfReserve(device, &b->boxes, slotCount);
    if (b->dop) {
        wfReserve(device, &b->slabs, slotCount);
        wfReserve(device, &b->patchSlabs, (size_t)b->patchCount);
    }
    b->tree.leafCount = b->patchCount;
    b->tree.depth = 1; // at least one quad
    while (1 << 2 * b->tree.depth < b->patchCount) b->tree.depth += 1;
    wfReserve(device, &b->nodes, (size_t)wfTree_First(b->tree.depth) + (size_t)b->patchCount);
    b->tree.nodes = wfData(&b->nodes, wfAabb);
    wfReserve(device, &b->quadCounts, (size_t)QuadCount(b));
    wfReserve(device, &b->quadOffsets, (size_t)QuadCount(b) + 1);
    wfUpload(device, &b->totals, &s_none, 1);
    return wfDevice_Sync(device, err); // the upload reads the arena
}

wfBroad* wfCreateBroad(wfDevice* device, const wfBroadDef* def, const wfTopology* topology, wfError* err) {
    const wfBroadType* type = NULL;
    for (int k = 0; k < TypeCount; ++k)
        if (strcmp(def->type, s_types[k]->name) == 0) type = s_types[k];
    if (type == NULL) {
        wfFail(err, wf_badInput, "broad phase: expected connectivity or morton, got \"%s\"", def->type);
        return NULL;
    }
    wfBroad* b = malloc(sizeof *b);
    if (b == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for a broad phase");
        return NULL;
    }
    *b = (wfBroad){
        .device = device,
        .type = type,
        .dop = def->dop,
        .vertexCount = topology->vertexCount,
        .triangleCount = topology->triangleCount,
        .mostPairs = INT_MAX,
        .slots = wfMakeBuffer(sizeof(wfSlot), "broad.slots"),
        .boxes = wfMakeBuffer(sizeof(wfAabb), "broad.boxes"),
        .slabs = wfMakeBuffer(sizeof(wfSlabs), "broad.slabs"),
        .patchBoxes = wfMakeBuffer(sizeof(wfAabb), "broad.patch_boxes"),
        .patchSlabs = wfMakeBuffer(sizeof(wfSlabs), "broad.patch_slabs"),
        .nodes = wfMakeBuffer(sizeof(wfAabb), "broad.nodes"),
        .keys = wfMakeBuffer(sizeof(uint32_t), "broad.keys"),
        .order = wfMakeBuffer(sizeof(int), "broad.order"),
        .quadCounts = wfMakeBuffer(sizeof(int), "broad.quad_counts"),
        .quadOffsets = wfMakeBuffer(sizeof(int), "broad.quad_offsets"),
        .quadPairs = wfMakeBuffer(sizeof(wfPair), "broad.quad_pairs"),
        .quadMasks = wfMakeBuffer(sizeof(int), "broad.quad_masks"),
        .quadMaskCounts = wfMakeBuffer(sizeof(int), "broad.quad_mask_counts"),
        .quadMaskOffsets = wfMakeBuffer(sizeof(int), "broad.quad_mask_offsets"),
        .patchPairs = wfMakeBuffer(sizeof(wfPair), "broad.patch_pairs"),
        .masks = wfMakeBuffer(sizeof(uint64_t), "broad.masks"),
        .counts = wfMakeBuffer(sizeof(int), "broad.counts"),
        .offsets = wfMakeBuffer(sizeof(int), "broad.offsets"),
        .totals = wfMakeBuffer(sizeof(wfBroadTotals), "broad.totals"),
        .scratch = wfMakeBuffer(1, "broad.scratch"),
    };
    wfArena scratch = {0};
    bool ok = Build(b, topology, &scratch, err);
    wfArena_Free(&scratch);
    if (ok) return b;
    wfDestroyBroad(b);
    return NULL;
}

void wfDestroyBroad(wfBroad* b) {
    if (b == NULL) return;
    wfBuffer* buffers[] = {&b->slots,     &b->boxes,     &b->slabs,          &b->patchBoxes,      &b->patchSlabs,
                           &b->nodes,     &b->keys,      &b->order,          &b->quadCounts,      &b->quadOffsets,
                           &b->quadPairs, &b->quadMasks, &b->quadMaskCounts, &b->quadMaskOffsets, &b->patchPairs,
                           &b->masks,     &b->counts,    &b->offsets,        &b->totals,          &b->scratch};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(b->device, buffers[k]);
    free(b);
}

// ---- bounds -------------------------------------------------------------------------------------------------------------------

static wfSlabs* Slabs(const wfBroad* b, const wfBuffer* buffer) { return b->dop ? wfData(buffer, wfSlabs) : NULL; }

wfAabb* wfBroad_Leaves(const wfBroad* b) { return b->tree.nodes + wfTree_First(b->tree.depth); }

void wfBroad_FitPatches(wfBroad* b, wfAabb* out) {
    BroadPatchesArgs args = {wfData(&b->boxes, wfAabb), Slabs(b, &b->slabs), out, Slabs(b, &b->patchSlabs)};
    wfLaunch(b->device, BroadPatches, b->patchCount, &args);
}

void wfBroad_Refit(wfBroad* b) {
    for (int depth = b->tree.depth; depth > 0; depth -= wf_refitLevels) {
        BroadRefitArgs args = {b->tree, depth};
        wfLaunch(b->device, BroadRefit, (wfTree_Count(&b->tree, depth) - 1) / wf_refitTile + 1, &args);
    }
}

void wfBroad_Update(wfBroad* b, const wfBuffer* start, const wfBuffer* end, float radius) {
    WF_ASSERT(radius >= 0.0f && start->count >= (size_t)b->vertexCount && (end == NULL || end->count >= (size_t)b->vertexCount));
    BroadSlotsArgs slots = {.slots = wfData(&b->slots, wfSlot),
                            .start = wfData(start, wfVec4),
                            .end = end != NULL ? wfData(end, wfVec4) : NULL,
                            .boxes = wfData(&b->boxes, wfAabb),
                            .slabs = Slabs(b, &b->slabs),
                            .fault = wfDevice_FaultSlot(b->device),
                            .radius = radius};
    wfLaunch(b->device, BroadSlots, b->patchCount * wf_patchSize, &slots);
    b->type->arrange(b);
    wfBroad_Refit(b);
}

// ---- pairs --------------------------------------------------------------------------------------------------------------------

static void Walk(wfBroad* b, const wfBroad* other, bool write) {
    BroadWalkArgs args = {.tree = wfTree_Quads(other != NULL ? other->tree : b->tree),
                          .asking = wfTree_Quads(b->tree),
                          .offsets = write ? wfData(&b->quadOffsets, int) : NULL,
                          .counts = wfData(&b->quadCounts, int),
                          .out = wfData(&b->quadPairs, wfPair),
                          .totals = wfData(&b->totals, wfBroadTotals),
                          .self = other == NULL,
                          .capacity = (int)b->quadPairs.count,
                          .most = b->mostPairs / QuadCount(b)};
    wfLaunch(b->device, BroadWalk, QuadCount(b), &args);
}

void wfBroad_CountQuads(wfBroad* b, const wfBroad* other) {
    Walk(b, other, false);
    wfScanExclusive(b->device, wfData(&b->quadCounts, int), wfData(&b->quadOffsets, int), QuadCount(b), &b->scratch);
}

void wfBroad_WriteQuads(wfBroad* b, const wfBroad* other) { Walk(b, other, true); }

// How many pairs of quads and of patches there are, where the device knows it.
static const int* QuadPairCount(const wfBroad* b) { return wfData(&b->quadOffsets, int) + QuadCount(b); }
static const int* PatchPairCount(const wfBroad* b) { return wfData(&b->quadMaskOffsets, int) + b->quadPairs.count; }

void wfBroad_FindPatches(wfBroad* b, const wfBroad* other) {
    const wfBroad* to = other != NULL ? other : b;
    int capacity = (int)b->quadPairs.count;
    BroadQuadsArgs quads = {.pairs = wfData(&b->quadPairs, wfPair),
                            .pairCount = QuadPairCount(b),
                            .treeA = b->tree,
                            .treeB = to->tree,
                            .slabsA = Slabs(b, &b->patchSlabs),
                            .slabsB = Slabs(to, &to->patchSlabs),
                            .masks = wfData(&b->quadMasks, int),
                            .counts = wfData(&b->quadMaskCounts, int),
                            .self = other == NULL};
    wfLaunch(b->device, BroadQuads, capacity, &quads);
    wfScanExclusive(b->device, quads.counts, wfData(&b->quadMaskOffsets, int), capacity, &b->scratch);
    BroadPatchPairsArgs write = {.pairs = quads.pairs,
                                 .pairCount = quads.pairCount,
                                 .leavesA = wfBroad_Leaves(b),
                                 .leavesB = wfBroad_Leaves(to),
                                 .masks = quads.masks,
                                 .offsets = wfData(&b->quadMaskOffsets, int),
                                 .out = wfData(&b->patchPairs, wfPair),
                                 .pairCapacity = capacity,
                                 .capacity = (int)b->patchPairs.count};
    wfLaunch(b->device, BroadPatchPairs, capacity, &write);
}

void wfBroad_TestTriangles(wfBroad* b, const wfBroad* other) {
    const wfBroad* to = other != NULL ? other : b;
    int capacity = (int)b->patchPairs.count;
    BroadTestArgs args = {.pairs = wfData(&b->patchPairs, wfPair),
                          .pairCount = PatchPairCount(b),
                          .boxesA = wfData(&b->boxes, wfAabb),
                          .boxesB = wfData(&to->boxes, wfAabb),
                          .slabsA = Slabs(b, &b->slabs),
                          .slabsB = Slabs(to, &to->slabs),
                          .slotsA = wfData(&b->slots, wfSlot),
                          .slotsB = wfData(&to->slots, wfSlot),
                          .masks = wfData(&b->masks, uint64_t),
                          .counts = wfData(&b->counts, int),
                          .self = other == NULL,
                          .capacity = capacity};
    wfLaunch(b->device, BroadTest, (capacity + wf_broadTestPairs - 1) / wf_broadTestPairs, &args);
    wfScanExclusive(b->device, args.counts, wfData(&b->offsets, int), capacity, &b->scratch);
}

void wfBroad_WriteTriangles(wfBroad* b, const wfBroad* other, wfPairList* out) {
    const wfBroad* to = other != NULL ? other : b;
    int capacity = (int)b->patchPairs.count;
    BroadWriteArgs args = {.pairs = wfData(&b->patchPairs, wfPair),
                           .quadPairCount = QuadPairCount(b),
                           .pairCount = PatchPairCount(b),
                           .masks = wfData(&b->masks, uint64_t),
                           .offsets = wfData(&b->offsets, int),
                           .slotsA = wfData(&b->slots, wfSlot),
                           .slotsB = wfData(&to->slots, wfSlot),
                           .out = wfData(&out->pairs, wfPair),
                           .totals = wfData(&b->totals, wfBroadTotals),
                           .self = other == NULL,
                           .pairCapacity = capacity,
                           .capacity = wfPairList_GetRoom(out)};
    wfLaunch(b->device, BroadWrite, capacity > 0 ? capacity : 1, &args);
}

/// Room for `count` and a quarter more: the next pass of a moving cloth finds a few more, and should not be redone for them.
static int WithRoom(int count) { return count < INT_MAX / 5 * 4 - 64 ? count + count / 4 + 64 : count; }

static void ReserveQuadPairs(wfBroad* b, int count) {
    wfReserve(b->device, &b->quadPairs, (size_t)count);
    wfReserve(b->device, &b->quadMasks, (size_t)count);
    wfReserve(b->device, &b->quadMaskCounts, (size_t)count);
    wfReserve(b->device, &b->quadMaskOffsets, (size_t)count + 1);
}

static void ReservePatchPairs(wfBroad* b, int count) {
    wfReserve(b->device, &b->patchPairs, (size_t)count);
    wfReserve(b->device, &b->masks, (size_t)count);
    wfReserve(b->device, &b->counts, (size_t)count);
    wfReserve(b->device, &b->offsets, (size_t)count + 1);
}

static bool CheckTotals(wfBroad* b, const wfBroadTotals* totals, wfError* err) {
    if (totals->tooMany != s_none.tooMany) {
        wfUpload(b->device, &b->totals, &s_none, 1);
        return wfFail(err, wf_stepFailed, "broad phase: part %d of %d meets more than %d others: too many pairs to be counted",
                      (int)(totals->tooMany >> 8), QuadCount(b), b->mostPairs / QuadCount(b));
    }
    // Each pair of quads may hold 16 of patches, each of these 64 of triangles; sums of what was found so far must not overflow.
    if (totals->quadPairs > b->mostPairs / 16)
        return wfFail(err, wf_stepFailed, "broad phase: %d pairs of quads: too many pairs to be counted", totals->quadPairs);
    if (totals->patchPairs > b->mostPairs / (wf_patchSize * wf_patchSize))
        return wfFail(err, wf_stepFailed, "broad phase: %d pairs of patches: too many pairs to be counted", totals->patchPairs);
    return true;
}

static bool Find(wfBroad* b, const wfBroad* other, wfPairList* out, wfError* err) {
    wfDevice* device = b->device;
    out->count = 0;
    if (b->offsets.count == 0) {
        ReserveQuadPairs(b, 0);
        ReservePatchPairs(b, 0);
    }
    wfBroad_CountQuads(b, other);
    // Whatever was too small grows, and the pass goes on from the stage that fills it.
    for (int from = 0;;) {
        if (from <= 0) wfBroad_WriteQuads(b, other);
        if (from <= 1) {
            wfBroad_FindPatches(b, other);
            wfBroad_TestTriangles(b, other);
        }
        wfBroad_WriteTriangles(b, other, out);
        wfBroadTotals totals;
        WF_TRY(wfDownload(device, &totals, &b->totals, 0, 1, err));
        WF_TRY(CheckTotals(b, &totals, err));
        if (totals.quadPairs > (int)b->quadPairs.count) {
            from = 0;
            ReserveQuadPairs(b, WithRoom(totals.quadPairs));
        } else if (totals.patchPairs > (int)b->patchPairs.count) {
            from = 1;
            ReservePatchPairs(b, WithRoom(totals.patchPairs));
        } else if (totals.pairs > wfPairList_GetRoom(out)) {
            from = 2;
            wfReserve(device, &out->pairs, (size_t)WithRoom(totals.pairs));
        } else {
            wfReserve(device, &out->pairs, (size_t)totals.pairs);
            out->count = totals.pairs;
            return wfDevice_Sync(device, err);
        }
    }
}

bool wfBroad_FindSelf(wfBroad* b, wfPairList* out, wfError* err) { return Find(b, NULL, out, err); }

bool wfBroad_FindAgainst(wfBroad* b, const wfBroad* other, wfPairList* out, wfError* err) {
    WF_ASSERT(b->device == other->device && b->dop == other->dop);
    return Find(b, other, out, err);
}

// ---- types --------------------------------------------------------------------------------------------------------------------

static void ArrangeConnectivity(wfBroad* b) { wfBroad_FitPatches(b, wfBroad_Leaves(b)); }

const wfBroadType wf_broadConnectivity = {"connectivity", ArrangeConnectivity};

// Patches by the place of their middle along a Morton curve through the box about all of them, which a first sweep up the tree gives.
static void ArrangeMorton(wfBroad* b) {
    wfDevice* device = b->device;
    wfAabb* leaves = wfBroad_Leaves(b);
    wfReserve(device, &b->patchBoxes, (size_t)b->patchCount);
    wfReserve(device, &b->keys, (size_t)b->patchCount);
    wfReserve(device, &b->order, (size_t)b->patchCount);
    wfBroad_FitPatches(b, leaves);
    wfBroad_Refit(b);
    BroadMortonArgs morton = {.leaves = leaves,
                              .root = b->tree.nodes,
                              .patchBoxes = wfData(&b->patchBoxes, wfAabb),
                              .keys = wfData(&b->keys, uint32_t),
                              .order = wfData(&b->order, int)};
    wfLaunch(device, BroadMorton, b->patchCount, &morton);
    wfSortPairs(device, morton.keys, morton.order, b->patchCount, wf_mortonBits, &b->scratch);
    BroadGatherArgs gather = {morton.patchBoxes, morton.order, leaves};
    wfLaunch(device, BroadGather, b->patchCount, &gather);
}

const wfBroadType wf_broadMorton = {"morton", ArrangeMorton};
