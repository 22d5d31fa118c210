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

/// Both ways.
static double BytesOf(const wfSparse* shares) { return 2.0 * (sizeof(int) + sizeof(float)) * (double)shares->start[shares->rowCount]; }

/// Rungs that the mesh itself leads to.
static int NearRungs(const wfLadder* ladder) { return ladder->count < 2 ? ladder->count : 2; }

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

/// The shares of what is below a rung in it and in each coarser one, up to another, beside each other.
static bool SharesIn(wfSparse* out, Plan* plan, int first, int last, wfError* err) {
    wfSparse parts[wf_mostRungs] = {plan->parents[first]};
    for (int k = first + 1; k < last; ++k)
        WF_TRY(wfSparse_Multiply(&parts[k - first], &plan->arena, &parts[k - first - 1], &plan->parents[k], err));
    return Beside(out, &plan->arena, parts[0].rowCount, parts, last - first, err);
}

static bool UploadFar(wfLadder* ladder, wfDevice* device, Plan* plan, wfError* err) {
    wfSparse up, down;
    wfReserve(device, &ladder->onSecond, (size_t)plan->counts[1]);
    WF_TRY(SharesIn(&up, plan, 2, plan->count, err));
    WF_TRY(wfSparse_Transpose(&down, &plan->arena, &up, err));
    ladder->bytes += BytesOf(&up) + 4.0 * sizeof(wfVec4) * plan->counts[1]; // the residual, and the way once more
    return UploadRows(&ladder->farUp, device, &up, err) && UploadRows(&ladder->farDown, device, &down, err);
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
    wfSparse up, down;
    WF_TRY(SharesIn(&up, plan, 0, NearRungs(ladder), err));
    WF_TRY(wfSparse_Transpose(&down, &plan->arena, &up, err));
    // Beside shares: of an unknown its bound, and its way, written and read again.
    ladder->bytes = BytesOf(&up) + (sizeof(float) + 2.0 * sizeof(wfVec4)) * (double)all;
    return UploadPacked(ladder, device, &up, err) && UploadRows(&ladder->nearDown, device, &down, err) &&
           (plan->count == NearRungs(ladder) || UploadFar(ladder, device, plan, err));
}

bool wfLadder_Create(wfLadder* ladder, wfDevice* device, const wfModel* model, const wfElasticDef* def, wfError* err) {
    *ladder = (wfLadder){
        .bound = wfMakeBuffer(sizeof(float), "ladder.bound"),
        .way = wfMakeBuffer(sizeof(wfVec4), "ladder.way"),
        .onSecond = wfMakeBuffer(sizeof(wfVec4), "ladder.onSecond"),
        .residual = wfMakeBuffer(sizeof(wfVec4), "ladder.residual"),
        .own = wfMakeBuffer(sizeof(wfVec4), "ladder.own"),
        .packStart = wfMakeBuffer(sizeof(int), "ladder.packStart"),
        .pack = wfMakeBuffer(sizeof(int), "ladder.pack"),
        .packShare = wfMakeBuffer(sizeof(float), "ladder.packShare"),
    };
    wfShareRows* rows[] = {&ladder->nearDown, &ladder->farDown, &ladder->farUp};
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
    wfShareRows* rows[] = {&ladder->nearDown, &ladder->farDown, &ladder->farUp};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        wfBuffer* buffers[] = {&rows[k]->start, &rows[k]->item, &rows[k]->share};
        for (size_t b = 0; b < sizeof buffers / sizeof buffers[0]; ++b) wfFreeBuffer(device, buffers[b]);
    }
    wfBuffer* buffers[] = {&ladder->bound, &ladder->way,       &ladder->onSecond, &ladder->residual,
                           &ladder->own,   &ladder->packStart, &ladder->pack,     &ladder->packShare};
    for (size_t b = 0; b < sizeof buffers / sizeof buffers[0]; ++b) wfFreeBuffer(device, buffers[b]);
    ladder->count = 0;
}

// ---- a step -----------------------------------------------------------------------------------------------------------------------

static wfShares View(const wfShareRows* rows) {
    return (wfShares){wfData(&rows->start, int), wfData(&rows->item, int), wfData(&rows->share, float)};
}

static void GoDown(wfDevice* device, const LadderDownArgs* args) {
    wfLaunch(device, LadderDown, args->wide + wfTileCount(args->narrow * wf_ladderLanes), args);
}

/// All rungs coarser than the second: of these even the finest has dozens of children, and there are too few to fill a GPU otherwise.
static void GoFar(wfLadder* ladder, wfDevice* device, const wfDescentControl* control) {
    const int* first = ladder->first;
    int second = first[2] - first[1];
    wfVec4* way = wfData(&ladder->way, wfVec4);
    LadderDownArgs down = {
        .children = View(&ladder->farDown),
        .fine = wfData(&ladder->onSecond, wfVec4),
        .bound = wfData(&ladder->bound, float) + first[2],
        .control = control,
        .way = way + first[2],
        .wide = first[ladder->count] - first[2],
    };
    GoDown(device, &down);
    LadderUpArgs up = {View(&ladder->farUp), way + first[2], way + first[1], second};
    wfLaunch(device, LadderUp, wfTileCount(second * wf_ladderLanes), &up);
}

void wfLadder_Step(wfLadder* ladder, wfDevice* device, const DescendArgs* descend) {
    bool far = ladder->count > NearRungs(ladder);
    LadderDownArgs down = {
        .children = View(&ladder->nearDown),
        .fine = descend->residual,
        .fineBound = descend->bound,
        .bound = wfData(&ladder->bound, float),
        .control = descend->control,
        .way = wfData(&ladder->way, wfVec4),
        .wideResidual = far ? wfData(&ladder->onSecond, wfVec4) : NULL,
        .narrow = ladder->first[1],
        .wide = ladder->first[NearRungs(ladder)] - ladder->first[1],
    };
    GoDown(device, &down);
    if (far) GoFar(ladder, device, descend->control);
    LadderStepArgs step = {
        .parents = {wfData(&ladder->packStart, int), wfData(&ladder->pack, int), wfData(&ladder->packShare, float)},
        .coarse = down.way,
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
