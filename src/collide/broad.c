// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/broad_inside.h"

#include "base/assert.h"
#include "compute/primitives.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void ArrangeMorton(wfBroad* b);

static const wfBroadType s_types[] = {{"connectivity", NULL}, {"morton", ArrangeMorton}};
enum { TypeCount = sizeof s_types / sizeof s_types[0] };

wfPairList wfMakePairList(const char* name) { return (wfPairList){.pairs = wfMakeBuffer(sizeof(wfPair), name)}; }

void wfPairList_Free(wfDevice* device, wfPairList* list) {
    wfFreeBuffer(device, &list->pairs);
    list->count = 0;
}

int wfPairList_GetRoom(const wfPairList* list) { return list->pairs.capacity < INT_MAX ? (int)list->pairs.capacity : INT_MAX; }

// ---- life ---------------------------------------------------------------------------------------------------------------------

static bool Build(wfBroad* b, const wfTopology* topology, wfArena* scratch, wfError* err) {
    wfPatches patches;
    WF_TRY(wfPatches_Create(&patches, topology, scratch, err));
    b->patchCount = patches.count;
    size_t count = (size_t)patches.count;
    wfPatchSlots* slots = wfArena_New(scratch, wfPatchSlots, count, "slots of patches", err);
    if (slots == NULL) return false;
    for (size_t p = 0; p < count; ++p)
        for (int k = 0; k < wf_patchSize; ++k) {
            int triangle = patches.triangles[p][k];
            slots[p].triangle[k] = triangle;
            for (int corner = 0; corner < 3; ++corner) slots[p].v[corner][k] = triangle >= 0 ? topology->triangles[triangle].v[corner] : 0;
        }
    wfDevice* device = b->device;
    wfUpload(device, &b->slots, slots, count);
    wfReserve(device, &b->boxes, count);
    if (b->dop) {
        wfReserve(device, &b->slabs, count);
        wfReserve(device, &b->leafSlabs, (count + 3) / 4);
    }
    b->tree.leafCount = b->patchCount;
    b->tree.depth = 1; // at least one step down
    while (1 << 2 * b->tree.depth < b->patchCount) b->tree.depth += 1;
    wfReserve(device, &b->quads, (size_t)wfTree_First(b->tree.depth) + (size_t)wfTree_QuadCount(&b->tree, b->tree.depth));
    b->tree.quads = wfData(&b->quads, wfQuad);
    wfReserve(device, &b->totals, 1);
    return wfDevice_Sync(device, err); // the upload reads the arena
}

wfBroad* wfCreateBroad(wfDevice* device, const wfBroadDef* def, const wfTopology* topology, wfError* err) {
    const wfBroadType* type = NULL;
    for (int k = 0; k < TypeCount; ++k)
        if (strcmp(def->type, s_types[k].name) == 0) type = &s_types[k];
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
        .slots = wfMakeBuffer(sizeof(wfPatchSlots), "broad.slots"),
        .boxes = wfMakeBuffer(sizeof(wfPatchBoxes), "broad.boxes"),
        .slabs = wfMakeBuffer(sizeof(wfPatchSlabs), "broad.slabs"),
        .patchBoxes = wfMakeBuffer(sizeof(wfAabb), "broad.patch_boxes"),
        .patchSlabs = wfMakeBuffer(sizeof(wfSlabs), "broad.patch_slabs"),
        .leafSlabs = wfMakeBuffer(sizeof(wfQuadSlabs), "broad.leaf_slabs"),
        .quads = wfMakeBuffer(sizeof(wfQuad), "broad.quads"),
        .keys = wfMakeBuffer(sizeof(uint32_t), "broad.keys"),
        .order = wfMakeBuffer(sizeof(int), "broad.order"),
        .splitMasks = wfMakeBuffer(sizeof(int), "broad.split_masks"),
        .splitCounts = wfMakeBuffer(sizeof(int), "broad.split_counts"),
        .splitOffsets = wfMakeBuffer(sizeof(int), "broad.split_offsets"),
        .masks = wfMakeBuffer(sizeof(uint64_t), "broad.masks"),
        .counts = wfMakeBuffer(sizeof(int), "broad.counts"),
        .offsets = wfMakeBuffer(sizeof(int), "broad.offsets"),
        .totals = wfMakeBuffer(sizeof(wfBroadTotals), "broad.totals"),
        .scratch = wfMakeBuffer(1, "broad.scratch"),
    };
    for (int k = 0; k <= wf_mostSteps; ++k) b->lists[k] = wfMakeBuffer(sizeof(wfPair), "broad.pairs");
    wfArena scratch = {0};
    bool ok = Build(b, topology, &scratch, err);
    wfArena_Free(&scratch);
    if (ok) return b;
    wfDestroyBroad(b);
    return NULL;
}

void wfDestroyBroad(wfBroad* b) {
    if (b == NULL) return;
    wfBuffer* buffers[] = {&b->slots, &b->boxes,  &b->slabs,   &b->patchBoxes, &b->patchSlabs,  &b->leafSlabs,
                           &b->quads, &b->keys,   &b->order,   &b->splitMasks, &b->splitCounts, &b->splitOffsets,
                           &b->masks, &b->counts, &b->offsets, &b->totals,     &b->scratch};
    for (int k = 0; k <= wf_mostSteps; ++k) wfFreeBuffer(b->device, &b->lists[k]);
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(b->device, buffers[k]);
    free(b);
}

// ---- bounds -------------------------------------------------------------------------------------------------------------------

static wfPatchSlabs* Slabs(const wfBroad* b) { return b->dop ? wfData(&b->slabs, wfPatchSlabs) : NULL; }
static wfQuadSlabs* LeafSlabs(const wfBroad* b) { return b->dop ? wfData(&b->leafSlabs, wfQuadSlabs) : NULL; }
static wfQuad* Leaves(const wfBroad* b) { return b->tree.quads + wfTree_First(b->tree.depth); }
static const int* Order(const wfBroad* b) { return b->type->arrange != NULL ? wfData(&b->order, int) : NULL; }

static void Refit(wfBroad* b) {
    for (int depth = b->tree.depth; depth > 0; depth -= wf_refitLevels) {
        BroadRefitArgs args = {b->tree, depth};
        wfLaunch(b->device, BroadRefit, (wfTree_QuadCount(&b->tree, depth) - 1) / wf_refitTile + 1, &args);
    }
}

// Patches by the place of their middle along a Morton curve through the box about all of them, which a first sweep up the tree gives.
static void ArrangeMorton(wfBroad* b) {
    wfDevice* device = b->device;
    wfQuad* leaves = Leaves(b);
    wfReserve(device, &b->patchBoxes, (size_t)b->patchCount);
    if (b->dop) wfReserve(device, &b->patchSlabs, (size_t)b->patchCount);
    wfReserve(device, &b->keys, (size_t)b->patchCount);
    wfReserve(device, &b->order, (size_t)b->patchCount);
    Refit(b);
    BroadMortonArgs morton = {.leaves = leaves,
                              .root = b->tree.quads,
                              .leafSlabs = LeafSlabs(b),
                              .patchBoxes = wfData(&b->patchBoxes, wfAabb),
                              .patchSlabs = wfData(&b->patchSlabs, wfSlabs),
                              .keys = wfData(&b->keys, uint32_t),
                              .order = wfData(&b->order, int)};
    wfLaunch(device, BroadMorton, b->patchCount, &morton);
    wfSortPairs(device, morton.keys, morton.order, b->patchCount, wf_mortonBits, &b->scratch);
    BroadGatherArgs gather = {morton.patchBoxes, morton.patchSlabs, morton.order, leaves, LeafSlabs(b)};
    wfLaunch(device, BroadGather, b->patchCount, &gather);
}

void wfBroad_Update(wfBroad* b, const wfBuffer* start, const wfBuffer* end, float radius) {
    WF_ASSERT(radius >= 0.0f && start->count >= (size_t)b->vertexCount && (end == NULL || end->count >= (size_t)b->vertexCount));
    BroadFitArgs args = {.slots = wfData(&b->slots, wfPatchSlots),
                         .start = wfData(start, wfVec4),
                         .end = wfData(end != NULL ? end : start, wfVec4),
                         .boxes = wfData(&b->boxes, wfPatchBoxes),
                         .slabs = Slabs(b),
                         .leaves = Leaves(b),
                         .leafSlabs = LeafSlabs(b),
                         .fault = wfDevice_FaultSlot(b->device),
                         .growth = wfMakeGrowth(radius),
                         .patchCount = b->patchCount};
    wfLaunch(b->device, BroadFit, (b->patchCount - 1) / wf_tilePatches + 1, &args);
    if (b->type->arrange != NULL) b->type->arrange(b);
    Refit(b);
}

// ---- pairs --------------------------------------------------------------------------------------------------------------------

// Where walking down begins: both trees have equally many steps to their leaves from there, and few enough nodes for all pairs of them.
typedef struct Start {
    int steps, depthA, depthB;
} Start;

static Start FindStart(const wfTree* a, const wfTree* b) {
    enum { MostPairs = 4096 };
    int steps = a->depth < b->depth ? a->depth : b->depth;
    Start start = {steps, a->depth - steps, b->depth - steps};
    while (start.steps > 1 && (int64_t)wfTree_Count(a, start.depthA + 1) * wfTree_Count(b, start.depthB + 1) <= MostPairs) {
        start.steps -= 1;
        start.depthA += 1;
        start.depthB += 1;
    }
    return start;
}

static void ReserveSplit(wfBroad* b, int count) {
    if ((size_t)count <= b->splitMasks.count) return;
    wfReserve(b->device, &b->splitMasks, (size_t)count);
    wfReserve(b->device, &b->splitCounts, (size_t)count);
    wfReserve(b->device, &b->splitOffsets, (size_t)count + 1);
}

static void Split(wfBroad* b, const wfBroad* other, const Start* start, int step) {
    const wfBroad* to = other != NULL ? other : b;
    int depthA = start->depthA + step, depthB = start->depthB + step, rowLength = wfTree_Count(&to->tree, depthB);
    bool first = step == 0, last = step == start->steps - 1;
    int capacity = first ? wfTree_Count(&b->tree, depthA) * rowLength : (int)b->lists[step].count;
    int* listCounts = (int*)wfData(&b->totals, wfBroadTotals); // its first member
    ReserveSplit(b, capacity);
    BroadSplitArgs split = {.pairs = first ? NULL : wfData(&b->lists[step], wfPair),
                            .pairCount = first ? NULL : listCounts + step,
                            .childrenA = b->tree.quads + wfTree_First(depthA + 1),
                            .childrenB = to->tree.quads + wfTree_First(depthB + 1),
                            .slabsA = last ? LeafSlabs(b) : NULL,
                            .slabsB = last ? LeafSlabs(to) : NULL,
                            .masks = wfData(&b->splitMasks, int),
                            .counts = wfData(&b->splitCounts, int),
                            .rowLength = rowLength,
                            .self = other == NULL};
    wfLaunch(b->device, BroadSplit, capacity, &split);
    wfScanExclusive(b->device, split.counts, wfData(&b->splitOffsets, int), capacity, &b->scratch);
    BroadSplitWriteArgs write = {.pairs = split.pairs,
                                 .pairCount = split.pairCount,
                                 .orderA = last ? Order(b) : NULL,
                                 .orderB = last ? Order(to) : NULL,
                                 .masks = split.masks,
                                 .offsets = wfData(&b->splitOffsets, int),
                                 .out = wfData(&b->lists[step + 1], wfPair),
                                 .outCount = listCounts + step + 1,
                                 .rowLength = rowLength,
                                 .pairCapacity = capacity,
                                 .capacity = (int)b->lists[step + 1].count};
    wfLaunch(b->device, BroadSplitWrite, capacity > 0 ? capacity : 1, &write);
}

static int StepCount(const wfBroad* b, const wfBroad* other) { return FindStart(&b->tree, other != NULL ? &other->tree : &b->tree).steps; }

void wfBroad_FindPatches(wfBroad* b, const wfBroad* other, int fromStep) {
    Start start = FindStart(&b->tree, other != NULL ? &other->tree : &b->tree);
    for (int step = fromStep; step < start.steps; ++step) Split(b, other, &start, step);
}

void wfBroad_TestTriangles(wfBroad* b, const wfBroad* other) {
    const wfBroad* to = other != NULL ? other : b;
    int steps = StepCount(b, other), capacity = (int)b->lists[steps].count;
    BroadTestArgs args = {.pairs = wfData(&b->lists[steps], wfPair),
                          .pairCount = (int*)wfData(&b->totals, wfBroadTotals) + steps,
                          .boxesA = wfData(&b->boxes, wfPatchBoxes),
                          .boxesB = wfData(&to->boxes, wfPatchBoxes),
                          .slabsA = Slabs(b),
                          .slabsB = Slabs(to),
                          .slotsA = wfData(&b->slots, wfPatchSlots),
                          .slotsB = wfData(&to->slots, wfPatchSlots),
                          .masks = wfData(&b->masks, uint64_t),
                          .counts = wfData(&b->counts, int),
                          .self = other == NULL,
                          .capacity = capacity};
    wfLaunch(b->device, BroadTest, (capacity + wf_tilePatches - 1) / wf_tilePatches, &args);
    wfScanExclusive(b->device, args.counts, wfData(&b->offsets, int), capacity, &b->scratch);
}

void wfBroad_WriteTriangles(wfBroad* b, const wfBroad* other, wfPairList* out) {
    const wfBroad* to = other != NULL ? other : b;
    int steps = StepCount(b, other), capacity = (int)b->lists[steps].count;
    int* counts = (int*)wfData(&b->totals, wfBroadTotals);
    BroadWriteArgs args = {.pairs = wfData(&b->lists[steps], wfPair),
                           .pairCount = counts + steps,
                           .masks = wfData(&b->masks, uint64_t),
                           .offsets = wfData(&b->offsets, int),
                           .slotsA = wfData(&b->slots, wfPatchSlots),
                           .slotsB = wfData(&to->slots, wfPatchSlots),
                           .out = wfData(&out->pairs, wfPair),
                           .outCount = counts + wf_mostSteps + 1,
                           .self = other == NULL,
                           .pairCapacity = capacity,
                           .capacity = wfPairList_GetRoom(out)};
    wfLaunch(b->device, BroadWrite, capacity > 0 ? capacity : 1, &args);
}

/// Room for `count` and an eighth more: the next pass of a moving cloth finds a few more, and should not be redone for them.
static int WithRoom(int count) { return count < INT_MAX / 9 * 8 - 64 ? count + count / 8 + 64 : count; }

static void ReservePatchPairs(wfBroad* b, int steps, int count) {
    wfReserveExactly(b->device, &b->lists[steps], (size_t)count);
    if (b->offsets.count != 0 && (size_t)count <= b->masks.count) return;
    wfReserveExactly(b->device, &b->masks, (size_t)count);
    wfReserveExactly(b->device, &b->counts, (size_t)count);
    wfReserveExactly(b->device, &b->offsets, (size_t)count + 1);
}

static bool Find(wfBroad* b, const wfBroad* other, wfPairList* out, wfError* err) {
    wfDevice* device = b->device;
    int steps = StepCount(b, other);
    out->count = 0;
    // Whatever was too small grows, and the pass goes on from the step that fills it.
    for (int from = 0;;) {
        if (b->offsets.count < b->lists[steps].count + 1) ReservePatchPairs(b, steps, (int)b->lists[steps].count);
        wfBroad_FindPatches(b, other, from);
        if (from <= steps) wfBroad_TestTriangles(b, other);
        wfBroad_WriteTriangles(b, other, out);
        wfBroadTotals totals;
        WF_TRY(wfDownload(device, &totals, &b->totals, 0, 1, err));
        int step = 1;
        while (step <= steps && totals.lists[step] <= (int)b->lists[step].count) ++step;
        if (step <= steps) {
            // Each pair may become 16 of children, or 64 of triangles, and those must still be counted.
            int count = totals.lists[step], most = b->mostPairs / (step < steps ? 16 : wf_patchSize * wf_patchSize);
            if (count > most)
                return wfFail(err, wf_stepFailed, "broad phase: %d pairs of %s meet, more than the %d that can be handled", count,
                              step < steps ? "nodes" : "patches", most);
            int room = WithRoom(count) < most ? WithRoom(count) : most;
            if (step < steps)
                wfReserveExactly(device, &b->lists[step], (size_t)room);
            else
                ReservePatchPairs(b, steps, room);
            from = step - 1;
        } else if (totals.pairs > wfPairList_GetRoom(out)) {
            wfReserveExactly(device, &out->pairs, (size_t)WithRoom(totals.pairs));
            from = steps + 1;
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
