// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/ladder.h"

#include "compute/kernel.h"
#include "dynamics/ladder_kernels.h"
#include "elastic/bonds.h"
#include "math/aggregates.h"

#include <math.h>

enum { FewestUnknowns = 6 }; // one that stands for all of a cloth would carry it through what it is about to touch

static void MakeRows(wfShareRows* rows) {
    *rows = (wfShareRows){wfMakeBuffer(sizeof(int), "ladder.start"), wfMakeBuffer(sizeof(int), "ladder.item"),
                          wfMakeBuffer(sizeof(float), "ladder.share")};
}

static bool UploadRows(wfShareRows* out, wfDevice* device, const wfSparse* rows, wfError* err) {
    size_t count = (size_t)rows->start[rows->rowCount];
    wfArena scratch = {0};
    float* shares = wfArena_New(&scratch, float, count, "ladder", err);
    if (shares != NULL) {
        for (size_t k = 0; k < count; ++k) shares[k] = (float)rows->value[k];
        wfUpload(device, &out->start, rows->start, (size_t)rows->rowCount + 1);
        wfUpload(device, &out->item, rows->column, count);
        wfUpload(device, &out->share, shares, count);
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

// ---- what a ladder is made of -----------------------------------------------------------------------------------------------------

/// While it is built, on the host.
typedef struct Plan {
    wfArena arena;
    wfSparse parents[wf_mostRungs]; // of what is below a rung, in it
    float* bounds[wf_mostRungs];
    int counts[wf_mostRungs];
    int count;
} Plan;

/// Twice what springs pull at an unknown: no matrix of them is more.
static float* BoundsOf(wfArena* arena, const wfSparse* springs, wfError* err) {
    float* sums = wfArena_New(arena, float, springs->rowCount, "ladder", err);
    for (int i = 0; sums != NULL && i < springs->rowCount; ++i)
        for (int k = springs->start[i]; k < springs->start[i + 1]; ++k) sums[i] += (float)fabs(springs->value[k]);
    return sums;
}

/// The rung above `springs`, which become its own; *more is false where it would not be coarser, and then there is none.
static bool AddRung(Plan* plan, wfSparse* springs, bool* more, wfError* err) {
    wfSparse children, half, *parents = &plan->parents[plan->count];
    WF_TRY(wfSmoothAggregates(parents, &plan->arena, springs, err));
    *more = 2 * parents->columnCount <= springs->rowCount;
    if (!*more) return true;
    WF_TRY(wfSparse_Transpose(&children, &plan->arena, parents, err));
    WF_TRY(wfSparse_Multiply(&half, &plan->arena, springs, parents, err));
    WF_TRY(wfSparse_Multiply(springs, &plan->arena, &children, &half, err));
    plan->counts[plan->count] = parents->columnCount;
    plan->bounds[plan->count] = BoundsOf(&plan->arena, springs, err);
    return plan->bounds[plan->count++] != NULL;
}

/// Adds a matrix to the entries of a wider one, from a column on. Entries may be NULL: then it counts them.
static size_t PutBeside(wfSparseEntry* entries, size_t used, const wfSparse* a, int firstColumn) {
    for (int i = 0; i < a->rowCount; ++i)
        for (int k = a->start[i]; k < a->start[i + 1]; ++k, ++used)
            if (entries != NULL) entries[used] = (wfSparseEntry){i, firstColumn + a->column[k], a->value[k]};
    return used;
}

static bool Beside(wfSparse* out, wfArena* arena, int rowCount, const wfSparse* parts, int count, wfError* err) {
    size_t used = 0;
    int columns = 0;
    for (int k = 0; k < count; ++k) used = PutBeside(NULL, used, &parts[k], 0);
    wfSparseEntry* entries = wfArena_New(arena, wfSparseEntry, used, "ladder", err);
    if (entries == NULL) return false;
    used = 0;
    for (int k = 0; k < count; ++k) {
        used = PutBeside(entries, used, &parts[k], columns);
        columns += parts[k].columnCount;
    }
    return wfSparse_Gather(out, arena, rowCount, columns, entries, used, err);
}

/// The shares of the second rung in each coarser one, beside each other.
static bool FarShares(wfSparse* out, Plan* plan, wfError* err) {
    wfSparse parts[wf_mostRungs];
    int count = 0;
    for (int k = 2; k < plan->count; ++k, ++count) {
        if (count == 0)
            parts[0] = plan->parents[k];
        else
            WF_TRY(wfSparse_Multiply(&parts[count], &plan->arena, &parts[count - 1], &plan->parents[k], err));
    }
    return Beside(out, &plan->arena, plan->counts[1], parts, count, err);
}

static bool UploadBoth(wfLadder* ladder, wfDevice* device, Plan* plan, const wfSparse* a, wfShareRows* up, wfShareRows* down,
                       wfError* err) {
    wfSparse rows;
    ladder->bytes += 2.0 * (sizeof(int) + sizeof(float)) * (double)a->start[a->rowCount];
    return UploadRows(up, device, a, err) && wfSparse_Transpose(&rows, &plan->arena, a, err) && UploadRows(down, device, &rows, err);
}

static bool UploadPlan(wfLadder* ladder, wfDevice* device, Plan* plan, wfError* err) {
    for (int k = 0; k < plan->count; ++k) ladder->first[k + 1] = ladder->first[k] + plan->counts[k];
    ladder->count = plan->count;
    if (plan->count == 0) return true;
    size_t all = (size_t)ladder->first[plan->count];
    wfReserve(device, &ladder->bound, all);
    wfReserve(device, &ladder->way, all);
    for (int k = 0; k < plan->count; ++k)
        wfUploadRange(device, &ladder->bound, (size_t)ladder->first[k], plan->bounds[k], (size_t)plan->counts[k]);
    // Beside shares: of an unknown its bound, and its residual and its way, each written and read again.
    ladder->bytes += (sizeof(float) + 4.0 * sizeof(wfVec4)) * (double)all;
    wfSparse rows, far, none;
    const wfSparse* mesh = &plan->parents[0];
    wfReserve(device, &ladder->onFirst, (size_t)plan->counts[0]);
    ladder->bytes += 2.0 * (sizeof(int) + sizeof(float)) * (double)mesh->start[mesh->rowCount];
    WF_TRY(UploadPacked(ladder, device, mesh, err));
    WF_TRY(wfSparse_Transpose(&rows, &plan->arena, mesh, err));
    WF_TRY(UploadRows(&ladder->firstDown, device, &rows, err));
    if (plan->count == 1)
        return Beside(&none, &plan->arena, plan->counts[0], NULL, 0, err) && UploadRows(&ladder->firstUp, device, &none, err);
    wfReserve(device, &ladder->onSecond, (size_t)plan->counts[1]);
    return UploadBoth(ladder, device, plan, &plan->parents[1], &ladder->firstUp, &ladder->secondDown, err) && FarShares(&far, plan, err) &&
           UploadBoth(ladder, device, plan, &far, &ladder->secondUp, &ladder->farDown, err);
}

bool wfLadder_Create(wfLadder* ladder, wfDevice* device, const wfModel* model, const wfElasticDef* def, wfError* err) {
    *ladder = (wfLadder){
        .bound = wfMakeBuffer(sizeof(float), "ladder.bound"),
        .way = wfMakeBuffer(sizeof(wfVec4), "ladder.way"),
        .onFirst = wfMakeBuffer(sizeof(wfVec4), "ladder.onFirst"),
        .onSecond = wfMakeBuffer(sizeof(wfVec4), "ladder.onSecond"),
        .residual = wfMakeBuffer(sizeof(wfVec4), "ladder.residual"),
        .own = wfMakeBuffer(sizeof(wfVec4), "ladder.own"),
        .packStart = wfMakeBuffer(sizeof(int), "ladder.packStart"),
        .pack = wfMakeBuffer(sizeof(int), "ladder.pack"),
        .packShare = wfMakeBuffer(sizeof(float), "ladder.packShare"),
    };
    wfShareRows* rows[] = {&ladder->firstDown, &ladder->secondDown, &ladder->farDown, &ladder->firstUp, &ladder->secondUp};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) MakeRows(rows[k]);
    wfReserve(device, &ladder->residual, (size_t)model->vertexCount);
    wfReserve(device, &ladder->own, (size_t)model->vertexCount);
    Plan plan = {0};
    wfSparse springs;
    bool ok = wfFindBonds(&springs, &plan.arena, model, def, err), more = true;
    while (ok && more && plan.count < wf_mostRungs && springs.rowCount > FewestUnknowns) ok = AddRung(&plan, &springs, &more, err);
    ok = ok && UploadPlan(ladder, device, &plan, err) && wfDevice_Sync(device, err);
    wfArena_Free(&plan.arena);
    return ok;
}

void wfLadder_Free(wfLadder* ladder, wfDevice* device) {
    wfShareRows* rows[] = {&ladder->firstDown, &ladder->secondDown, &ladder->farDown, &ladder->firstUp, &ladder->secondUp};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        wfBuffer* buffers[] = {&rows[k]->start, &rows[k]->item, &rows[k]->share};
        for (size_t b = 0; b < sizeof buffers / sizeof buffers[0]; ++b) wfFreeBuffer(device, buffers[b]);
    }
    wfBuffer* buffers[] = {&ladder->bound, &ladder->way,       &ladder->onFirst, &ladder->onSecond, &ladder->residual,
                           &ladder->own,   &ladder->packStart, &ladder->pack,    &ladder->packShare};
    for (size_t b = 0; b < sizeof buffers / sizeof buffers[0]; ++b) wfFreeBuffer(device, buffers[b]);
    ladder->count = 0;
}

// ---- a step -----------------------------------------------------------------------------------------------------------------------

static wfShares View(const wfShareRows* rows) {
    return (wfShares){wfData(&rows->start, int), wfData(&rows->item, int), wfData(&rows->share, float)};
}

static void GoDown(wfDevice* device, const wfShareRows* rows, const wfVec4* fine, const float* fineBound, wfVec4* out, int count) {
    LadderDownArgs args = {View(rows), fine, fineBound, out, count};
    wfLaunch(device, LadderDown, wfTileCount(count * wf_ladderLanes), &args);
}

/// The unknowns of rung k, with the ways of what their shares are of.
static void GoUp(wfLadder* ladder, wfDevice* device, const wfShareRows* rows, int k, const wfVec4* residual,
                 const wfDescentControl* control) {
    const int* first = ladder->first;
    wfVec4* way = wfData(&ladder->way, wfVec4);
    LadderUpArgs args = {
        .parents = View(rows),
        .residual = residual,
        .bound = wfData(&ladder->bound, float) + first[k],
        .control = control,
        .coarse = way + first[k + 1],
        .out = way + first[k],
    };
    wfLaunch(device, LadderUp, first[k + 1] - first[k], &args);
}

void wfLadder_Step(wfLadder* ladder, wfDevice* device, const DescendArgs* descend) {
    const int* first = ladder->first;
    wfVec4 *onFirst = wfData(&ladder->onFirst, wfVec4), *way = wfData(&ladder->way, wfVec4);
    GoDown(device, &ladder->firstDown, descend->residual, descend->bound, onFirst, first[1]);
    if (ladder->count > 1) {
        wfVec4* onSecond = wfData(&ladder->onSecond, wfVec4);
        GoDown(device, &ladder->secondDown, onFirst, NULL, onSecond, first[2] - first[1]);
        LadderFarArgs far = {View(&ladder->farDown), onSecond, wfData(&ladder->bound, float) + first[2], descend->control, way + first[2]};
        wfLaunch(device, LadderFar, first[ladder->count] - first[2], &far);
        GoUp(ladder, device, &ladder->secondUp, 1, onSecond, descend->control);
    }
    GoUp(ladder, device, &ladder->firstUp, 0, onFirst, descend->control);
    LadderStepArgs step = {
        .parents = {wfData(&ladder->packStart, int), wfData(&ladder->pack, int), wfData(&ladder->packShare, float)},
        .coarse = way,
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
