// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/ladder.h"

#include "compute/kernel.h"
#include "dynamics/ladder_kernels.h"
#include "elastic/bonds.h"
#include "math/aggregates.h"

#include <math.h>

enum { FewestUnknowns = 6 }; // one that stands for all of a cloth would carry it through what it is about to touch

static void MakeRung(wfRung* rung, int count) {
    *rung = (wfRung){
        .count = count,
        .childStart = wfMakeBuffer(sizeof(int), "ladder.childStart"),
        .child = wfMakeBuffer(sizeof(int), "ladder.child"),
        .childShare = wfMakeBuffer(sizeof(float), "ladder.childShare"),
        .parentStart = wfMakeBuffer(sizeof(int), "ladder.parentStart"),
        .parent = wfMakeBuffer(sizeof(int), "ladder.parent"),
        .parentShare = wfMakeBuffer(sizeof(float), "ladder.parentShare"),
        .bound = wfMakeBuffer(sizeof(float), "ladder.bound"),
        .residual = wfMakeBuffer(sizeof(wfVec4), "ladder.residual"),
        .way = wfMakeBuffer(sizeof(wfVec4), "ladder.way"),
    };
}

static bool UploadShares(wfDevice* device, const wfSparse* rows, wfBuffer* start, wfBuffer* item, wfBuffer* share, wfError* err) {
    size_t count = (size_t)rows->start[rows->rowCount];
    wfArena scratch = {0};
    float* shares = wfArena_New(&scratch, float, count, "ladder", err);
    if (shares != NULL) {
        for (size_t k = 0; k < count; ++k) shares[k] = (float)rows->value[k];
        wfUpload(device, start, rows->start, (size_t)rows->rowCount + 1);
        wfUpload(device, item, rows->column, count);
        wfUpload(device, share, shares, count);
    }
    wfArena_Free(&scratch);
    return shares != NULL;
}

static int WidestRow(const wfSparse* rows, int first, int last) {
    int widest = 0;
    for (int i = first; i < last && i < rows->rowCount; ++i)
        widest = rows->start[i + 1] - rows->start[i] > widest ? rows->start[i + 1] - rows->start[i] : widest;
    return widest;
}

static bool UploadPacked(wfLadder* ladder, wfDevice* device, const wfSparse* rows, wfError* err) {
    int warps = (rows->rowCount + WF_WARP - 1) / WF_WARP;
    wfArena scratch = {0};
    int* start = wfArena_New(&scratch, int, (size_t)warps + 1, "ladder", err);
    bool ok = start != NULL;
    for (int w = 0; ok && w < warps; ++w) start[w + 1] = start[w] + WidestRow(rows, w * WF_WARP, (w + 1) * WF_WARP);
    size_t count = ok ? (size_t)start[warps] * WF_WARP : 0;
    int* item = ok ? wfArena_New(&scratch, int, count, "ladder", err) : NULL;
    float* share = item != NULL ? wfArena_New(&scratch, float, count, "ladder", err) : NULL;
    ok = share != NULL;
    for (int i = 0; ok && i < rows->rowCount; ++i)
        for (int k = rows->start[i]; k < rows->start[i + 1]; ++k) {
            size_t at = (size_t)(start[i / WF_WARP] + k - rows->start[i]) * WF_WARP + (size_t)(i % WF_WARP);
            item[at] = rows->column[k];
            share[at] = (float)rows->value[k];
        }
    if (ok) {
        wfUpload(device, &ladder->packStart, start, (size_t)warps + 1);
        wfUpload(device, &ladder->pack, item, count);
        wfUpload(device, &ladder->packShare, share, count);
    }
    wfArena_Free(&scratch);
    return ok;
}

/// Twice what springs pull at an unknown: no matrix of them is more.
static bool UploadBound(wfDevice* device, const wfSparse* springs, wfBuffer* bound, wfError* err) {
    wfArena scratch = {0};
    float* sums = wfArena_New(&scratch, float, springs->rowCount, "ladder", err);
    if (sums != NULL) {
        for (int i = 0; i < springs->rowCount; ++i)
            for (int k = springs->start[i]; k < springs->start[i + 1]; ++k) sums[i] += (float)fabs(springs->value[k]);
        wfUpload(device, bound, sums, (size_t)springs->rowCount);
    }
    wfArena_Free(&scratch);
    return sums != NULL;
}

/// The rung above `springs`, which become its own; *more is false where it would not be coarser, and then there is none.
static bool AddRung(wfLadder* ladder, wfDevice* device, wfArena* arena, wfSparse* springs, bool* more, wfError* err) {
    wfSparse parents, children, half;
    WF_TRY(wfSmoothAggregates(&parents, arena, springs, err));
    *more = 2 * parents.columnCount <= springs->rowCount;
    if (!*more) return true;
    WF_TRY(wfSparse_Transpose(&children, arena, &parents, err));
    WF_TRY(wfSparse_Multiply(&half, arena, springs, &parents, err));
    WF_TRY(wfSparse_Multiply(springs, arena, &children, &half, err));
    wfRung* rung = &ladder->rungs[ladder->count++];
    MakeRung(rung, parents.columnCount);
    // Each share is read on the way down and on the way up; of an unknown its residual and its way are written, read and read again.
    ladder->bytes += 2.0 * (sizeof(int) + sizeof(float)) * parents.start[parents.rowCount] + 6.0 * sizeof(wfVec4) * rung->count;
    wfReserve(device, &rung->residual, (size_t)rung->count);
    wfReserve(device, &rung->way, (size_t)rung->count);
    bool ok = rung == ladder->rungs ? UploadPacked(ladder, device, &parents, err)
                                    : UploadShares(device, &parents, &rung->parentStart, &rung->parent, &rung->parentShare, err);
    return ok && UploadShares(device, &children, &rung->childStart, &rung->child, &rung->childShare, err) &&
           UploadBound(device, springs, &rung->bound, err);
}

bool wfLadder_Create(wfLadder* ladder, wfDevice* device, const wfModel* model, const wfElasticDef* def, wfError* err) {
    *ladder = (wfLadder){
        .residual = wfMakeBuffer(sizeof(wfVec4), "ladder.residual"),
        .own = wfMakeBuffer(sizeof(wfVec4), "ladder.own"),
        .packStart = wfMakeBuffer(sizeof(int), "ladder.packStart"),
        .pack = wfMakeBuffer(sizeof(int), "ladder.pack"),
        .packShare = wfMakeBuffer(sizeof(float), "ladder.packShare"),
    };
    wfReserve(device, &ladder->residual, (size_t)model->vertexCount);
    wfReserve(device, &ladder->own, (size_t)model->vertexCount);
    wfArena arena = {0};
    wfSparse springs;
    bool ok = wfFindBonds(&springs, &arena, model, def, err), more = true;
    while (ok && more && ladder->count < wf_mostRungs && springs.rowCount > FewestUnknowns)
        ok = AddRung(ladder, device, &arena, &springs, &more, err);
    wfArena_Free(&arena);
    return ok && wfDevice_Sync(device, err);
}

void wfLadder_Free(wfLadder* ladder, wfDevice* device) {
    for (int k = 0; k < ladder->count; ++k) {
        wfRung* r = &ladder->rungs[k];
        wfBuffer* buffers[] = {&r->childStart,  &r->child, &r->childShare, &r->parentStart, &r->parent,
                               &r->parentShare, &r->bound, &r->residual,   &r->way};
        for (size_t b = 0; b < sizeof buffers / sizeof buffers[0]; ++b) wfFreeBuffer(device, buffers[b]);
    }
    wfBuffer* buffers[] = {&ladder->residual, &ladder->own, &ladder->packStart, &ladder->pack, &ladder->packShare};
    for (size_t b = 0; b < sizeof buffers / sizeof buffers[0]; ++b) wfFreeBuffer(device, buffers[b]);
    ladder->count = 0;
}

static wfShares Children(const wfRung* rung) {
    return (wfShares){wfData(&rung->childStart, int), wfData(&rung->child, int), wfData(&rung->childShare, float)};
}

static wfShares Parents(const wfRung* rung) {
    return (wfShares){wfData(&rung->parentStart, int), wfData(&rung->parent, int), wfData(&rung->parentShare, float)};
}

void wfLadder_Step(wfLadder* ladder, wfDevice* device, const DescendArgs* descend) {
    const wfVec4* fine = descend->residual;
    for (int k = 0; k < ladder->count; ++k) {
        const wfRung* rung = &ladder->rungs[k];
        LadderDownArgs down = {Children(rung), fine, descend->bound, wfData(&rung->residual, wfVec4), rung->count};
        wfLaunch(device, LadderDown, wfTileCount(rung->count * wf_ladderLanes), &down);
        fine = down.out;
    }
    for (int k = ladder->count - 1; k >= 0; --k) {
        const wfRung *rung = &ladder->rungs[k], *above = k + 1 < ladder->count ? rung + 1 : NULL;
        LadderUpArgs up = {
            .parents = above != NULL ? Parents(above) : (wfShares){0},
            .coarse = above != NULL ? wfData(&above->way, wfVec4) : NULL,
            .residual = wfData(&rung->residual, wfVec4),
            .bound = wfData(&rung->bound, float),
            .control = descend->control,
            .out = wfData(&rung->way, wfVec4),
        };
        wfLaunch(device, LadderUp, rung->count, &up);
    }
    LadderStepArgs step = {
        .parents = {wfData(&ladder->packStart, int), wfData(&ladder->pack, int), wfData(&ladder->packShare, float)},
        .coarse = wfData(&ladder->rungs[0].way, wfVec4),
        .own = descend->own,
        .x = descend->x,
        .out = descend->out,
        .control = descend->control,
        .omegas = descend->omegas,
        .omegaCount = descend->omegaCount,
        .index = descend->index,
        .count = descend->count,
    };
    wfLaunch(device, LadderStep, wfTileCount(descend->count), &step);
}
