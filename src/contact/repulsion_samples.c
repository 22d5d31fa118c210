// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/repulsion_inside.h"

#include "base/memory.h"

#include <limits.h>

// Adaptive samples: who they are, and whom they are near. Nothing of it is done in a step in which no edge is longer than L_ada.
//
// Pairs are listed with the rows of the grid, and reach as far: a sample is a mean of vertices and goes no farther than they do, so that
// pairs are good for as long as the rows are. They are not found by these rows, in which two edges that cross may have no vertices.

enum { FirstRoom = 256, PairsOfSample = 32 };
// Steps down the penalty of samples in a round. Of two strips that cross (test_repulsion_samples) 1,359 of 1,872 rounds are soft without
// any, all with one; more are for cloth that is pressed harder.
enum { Yields = 4 };

bool wfRepulsion_BuildSamples(wfRepulsion* r, wfDevice* device, const wfModel* model, wfArena* arena, wfError* err) {
    const wfTopology* t = model->topology;
    wfSampleEdge* edges = wfArena_New(arena, wfSampleEdge, t->edgeCount, "edges", err);
    wfSampleSides* sides = wfArena_New(arena, wfSampleSides, t->triangleCount, "edges of triangles", err);
    if (edges == NULL || sides == NULL) return false;
    for (int e = 0; e < t->edgeCount; ++e)
        for (int k = 0; k < 2; ++k) edges[e].v[k] = t->edges[e].v[k];
    for (int i = 0; i < t->triangleCount; ++i)
        for (int k = 0; k < 3; ++k) sides[i].edge[k] = t->triangleEdges[i][k];
    r->edgeCount = t->edgeCount;
    r->triangleCount = t->triangleCount;
    r->sampleEdges = wfMakeBuffer(sizeof(wfSampleEdge), "repulsion.sample_edges");
    r->sampleSides = wfMakeBuffer(sizeof(wfSampleSides), "repulsion.sample_sides");
    r->levels = wfMakeBuffer(sizeof(int), "repulsion.levels");
    r->longEnds = wfMakeBuffer(sizeof(int), "repulsion.long_ends");
    r->samples = wfMakeBuffer(sizeof(wfRepulsionSample), "repulsion.samples");
    r->sampleCounts = wfMakeBuffer(sizeof(wfSampleCounts), "repulsion.sample_counts");
    r->sampleHeads = wfMakeBuffer(sizeof(int), "repulsion.sample_heads");
    r->sampleNodes = wfMakeBuffer(sizeof(wfSampleNode), "repulsion.sample_nodes");
    r->samplePairs = wfMakeBuffer(sizeof(wfPair), "repulsion.sample_pairs");
    r->samplePushes = wfMakeBuffer(sizeof(wfSamplePush), "repulsion.sample_pushes");
    wfUpload(device, &r->sampleEdges, edges, (size_t)t->edgeCount);
    wfUpload(device, &r->sampleSides, sides, (size_t)t->triangleCount);
    wfReserve(device, &r->levels, (size_t)t->edgeCount);
    wfReserve(device, &r->longEnds, (size_t)r->vertexCount);
    wfReserve(device, &r->sampleCounts, 1);
    wfRepulsion_DropSamples(r, device);
    return wfDevice_Sync(device, err); // the uploads read the arena
}

void wfRepulsion_FreeSamples(wfRepulsion* r, wfDevice* device) {
    wfBuffer* buffers[] = {&r->sampleEdges,  &r->sampleSides, &r->levels,      &r->longEnds,    &r->samples,
                           &r->sampleCounts, &r->sampleHeads, &r->sampleNodes, &r->samplePairs, &r->samplePushes};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(device, buffers[k]);
}

// ---- views ------------------------------------------------------------------------------------------------------------------------

static wfSampleList List(const wfRepulsion* r) {
    return (wfSampleList){wfData(&r->samples, wfRepulsionSample), wfData(&r->sampleCounts, wfSampleCounts), r->sampleRoom};
}

static wfSampleHash Hash(const wfRepulsion* r) {
    return (wfSampleHash){
        .heads = wfData(&r->sampleHeads, int),
        .nodes = wfData(&r->sampleNodes, wfSampleNode),
        .inverseCell = 1.0 / ((double)wfRepulsion_Reach(&r->rules) * (1.0 + 1e-6)), // rounding puts no two within reach two cells apart
        .bits = r->sampleBits,
        .vertexCount = r->vertexCount,
    };
}

wfRepulsionRules wfRepulsion_JudgeBy(const wfRepulsion* r) {
    wfRepulsionRules rules = r->rules;
    if (r->sampled) rules.acceptSq = INFINITY; // SampleCut judges edges
    return rules;
}

// ---- lists ------------------------------------------------------------------------------------------------------------------------

void wfRepulsion_NoteStretch(wfRepulsion* r, wfDevice* device, const wfBuffer* x, wfRepulsionVerdict* verdict) {
    SampleStretchArgs args = {
        .x = wfData(x, wfVec4),
        .edges = wfData(&r->sampleEdges, wfSampleEdge),
        .levels = wfData(&r->levels, int),
        .verdict = verdict,
        .longEnds = r->sampled ? wfData(&r->longEnds, int) : NULL,
        .rules = r->rules,
    };
    if (r->sampled) wfZero(device, &r->longEnds);
    if (r->sampled || verdict != NULL) wfLaunch(device, SampleStretch, r->edgeCount, &args);
}

void wfRepulsion_DropSamples(wfRepulsion* r, wfDevice* device) {
    r->sampled = false;
    wfZero(device, &r->levels);
    wfZero(device, &r->sampleCounts);
}

// Room for lists that need so much, and half as much again; blocks that are recorded know of the old ones.
static void Grow(wfRepulsion* r, wfDevice* device, wfSampleCounts need) {
    if (need.samples > r->sampleRoom) {
        long long room = need.samples + need.samples / 2 + FirstRoom;
        r->sampleRoom = room < INT_MAX / 32 ? (int)room : INT_MAX / 32;
        wfReserve(device, &r->samples, (size_t)r->sampleRoom);
        wfReserve(device, &r->sampleNodes, (size_t)r->vertexCount + (size_t)r->sampleRoom);
        for (r->sampleBits = 1; r->sampleBits < 24 && 1 << r->sampleBits < r->vertexCount + r->sampleRoom;) r->sampleBits += 1;
        wfReserve(device, &r->sampleHeads, (size_t)1 << r->sampleBits);
        wfReserve(device, &r->samplePushes, (size_t)r->vertexCount);
        wfZero(device, &r->samplePushes);
        wfRepulsion_DropGraphs(r, device);
    }
    if (need.pairs > r->samplePairRoom) {
        long long room = need.pairs + need.pairs / 2 + (long long)FirstRoom * PairsOfSample;
        r->samplePairRoom = room < INT_MAX / 2 ? (int)room : INT_MAX / 2;
        wfReserve(device, &r->samplePairs, (size_t)r->samplePairRoom);
        wfRepulsion_DropGraphs(r, device);
    }
}

static wfSampleCounts CountAll(wfRepulsion* r, wfDevice* device) {
    wfSampleCounts counts = {0};
    wfDownload(device, &counts, &r->sampleCounts, 0, 1, NULL); // a device that has failed says so later
    return counts;
}

static wfSampleCounts SwitchOn(wfRepulsion* r, wfDevice* device) {
    SampleEdgesArgs edges = {
        .x = wfData(&r->x, wfVec4),
        .edges = wfData(&r->sampleEdges, wfSampleEdge),
        .levels = wfData(&r->levels, int),
        .list = List(r),
        .rules = r->rules,
    };
    SampleInsideArgs inside = {wfData(&r->triangles, wfTriangle), wfData(&r->sampleSides, wfSampleSides), edges.levels, edges.list};
    wfZero(device, &r->sampleCounts);
    wfLaunch(device, SampleEdges, r->edgeCount, &edges);
    wfLaunch(device, SampleInside, r->triangleCount, &inside);
    return CountAll(r, device);
}

static wfSampleCounts ListPairs(wfRepulsion* r, wfDevice* device, int samples) {
    double reach = (double)wfRepulsion_Reach(&r->rules);
    SampleNearArgs near = {
        .x = wfData(&r->x, wfVec4),
        .list = List(r),
        .hash = Hash(r),
        .excluded = wfVertexGrid_GetExcluded(r->grid),
        .pairs = wfData(&r->samplePairs, wfPair),
        .pairRoom = r->samplePairRoom,
        .reachSq = reach * reach,
    };
    SampleHashArgs hash = {near.x, near.list, near.hash};
    wfZero(device, &r->sampleHeads);
    wfLaunch(device, SampleHash, r->vertexCount + samples, &hash);
    wfLaunch(device, SampleNear, 27 * samples, &near);
    return CountAll(r, device);
}

void wfRepulsion_ListSamples(wfRepulsion* r, wfDevice* device) {
    if (!r->sampled) return;
    for (;;) {
        wfSampleCounts need = SwitchOn(r, device);
        if (need.samples == 0) return; // what asked for them has been taken back
        if (need.samples <= r->sampleRoom) need = ListPairs(r, device, (int)need.samples);
        if (need.samples <= r->sampleRoom && need.pairs <= r->samplePairRoom) return;
        Grow(r, device, need);
    }
}

// ---- pushes -----------------------------------------------------------------------------------------------------------------------

bool wfRepulsion_HasSamples(const wfRepulsion* r) { return r->sampled && r->samplePairRoom > 0; }

void wfRepulsion_PushSamples(wfRepulsion* r, const wfStepContext* ctx, wfBuffer* goal) {
    if (!wfRepulsion_HasSamples(r)) return;
    SamplePushArgs push = {
        .x = wfData(&r->init, wfVec4),
        .xStart = wfData(&ctx->state->xStart, wfVec4),
        .list = List(r),
        .pairs = wfData(&r->samplePairs, wfPair),
        .pushes = wfData(&r->samplePushes, wfSamplePush),
        .rules = r->rules,
        .vertexCount = r->vertexCount,
    };
    SampleYieldArgs yield = {push.pushes, wfData(&r->init, wfVec4), goal != NULL ? wfData(goal, wfVec4) : NULL, r->rules.step};
    for (int k = 0; k < Yields; ++k) {
        wfLaunch(ctx->device, SamplePush, r->samplePairRoom, &push);
        wfLaunch(ctx->device, SampleYield, r->vertexCount, &yield);
    }
}

// ---- judging ----------------------------------------------------------------------------------------------------------------------

void wfRepulsion_CheckSamples(wfRepulsion* r, wfDevice* device, const wfBuffer* from, const wfBuffer* to, float cond, wfSampleNotes notes) {
    if (!r->sampled) return;
    SampleCutArgs cut = {
        .x = wfData(to, wfVec4),
        .triangles = wfData(&r->triangles, wfTriangle),
        .sides = wfData(&r->sampleSides, wfSampleSides),
        .levels = wfData(&r->levels, int),
        .notes = notes,
        .rules = r->rules,
        .cond = cond,
    };
    SampleTestArgs test = {
        .from = wfData(from, wfVec4),
        .to = cut.x,
        .list = List(r),
        .pairs = wfData(&r->samplePairs, wfPair),
        .notes = notes,
        .rules = r->rules,
        .cond = cond,
        .vertexCount = r->vertexCount,
    };
    wfLaunch(device, SampleCut, r->triangleCount, &cut);
    wfLaunch(device, SampleTest, r->samplePairRoom, &test);
}
