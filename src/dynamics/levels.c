// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/levels.h"

#include "compute/kernel.h"
#include "compute/primitives.h"
#include "dynamics/hierarchy_kernels.h"

enum { Tries = 3 }; // lengths of a correction

static bool UploadChildren(wfCoarseLevel* level, wfDevice* device, const wfCoarseModel* coarse, wfError* err) {
    int n = coarse->model.vertexCount;
    wfArena arena = {0};
    int* start = wfArena_New(&arena, int, (size_t)n + 2, "hierarchy", err);
    int* child = wfArena_New(&arena, int, 3 * (size_t)coarse->fineCount, "hierarchy", err);
    float* share = wfArena_New(&arena, float, 3 * (size_t)coarse->fineCount, "hierarchy", err);
    bool ok = start != NULL && child != NULL && share != NULL;
    if (ok) {
        for (int v = 0; v < coarse->fineCount; ++v)
            for (int k = 0; k < 3; ++k)
                if (coarse->prolong[v].weight[k] != 0.0f) ++start[coarse->prolong[v].parent[k] + 2];
        for (int i = 0; i < n; ++i) start[i + 2] += start[i + 1];
        for (int v = 0; v < coarse->fineCount; ++v) // start[i + 1] is the next free place of row i
            for (int k = 0; k < 3; ++k) {
                if (coarse->prolong[v].weight[k] == 0.0f) continue;
                int place = start[coarse->prolong[v].parent[k] + 1]++;
                child[place] = v;
                share[place] = coarse->prolong[v].weight[k];
            }
        wfUpload(device, &level->childStart, start, (size_t)n + 1);
        wfUpload(device, &level->child, child, (size_t)start[n]);
        wfUpload(device, &level->share, share, (size_t)start[n]);
    }
    wfArena_Free(&arena);
    return ok;
}

bool wfCoarseLevel_Create(wfCoarseLevel* level, wfDevice* device, const wfCoarseModel* coarse, const wfElasticDef* def, wfError* err) {
    size_t n = (size_t)coarse->model.vertexCount;
    *level = (wfCoarseLevel){
        .x = wfMakeBuffer(sizeof(wfVec4), "hierarchy.x"),
        .before = wfMakeBuffer(sizeof(wfVec4), "hierarchy.before"),
        .target = wfMakeBuffer(sizeof(wfVec4), "hierarchy.target"),
        .fineOf = wfMakeBuffer(sizeof(int), "hierarchy.fineOf"),
        .childStart = wfMakeBuffer(sizeof(int), "hierarchy.childStart"),
        .child = wfMakeBuffer(sizeof(int), "hierarchy.child"),
        .share = wfMakeBuffer(sizeof(float), "hierarchy.share"),
        .prolong = wfMakeBuffer(sizeof(wfProlongation), "hierarchy.prolong"),
        .slope = wfMakeBuffer(sizeof(float), "hierarchy.slope"),
        .search = wfMakeBuffer(sizeof(wfSearch), "hierarchy.search"),
        .vertexCount = coarse->model.vertexCount,
        .fineCount = coarse->fineCount,
    };
    if (!wfDescent_Create(&level->descent, device, &coarse->model, def, err)) return false;
    level->descent.silent = true;
    wfReserve(device, &level->x, n);
    wfReserve(device, &level->before, n);
    wfReserve(device, &level->target, n);
    wfReserve(device, &level->slope, (size_t)coarse->fineCount);
    wfReserve(device, &level->search, 1);
    wfUpload(device, &level->fineOf, coarse->fineOf, n);
    wfUpload(device, &level->prolong, coarse->prolong, (size_t)coarse->fineCount);
    return UploadChildren(level, device, coarse, err);
}

void wfCoarseLevel_Free(wfCoarseLevel* level, wfDevice* device) {
    wfBuffer* buffers[] = {&level->x,     &level->before, &level->target,  &level->fineOf, &level->childStart,
                           &level->child, &level->share,  &level->prolong, &level->slope,  &level->search};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(device, buffers[k]);
    wfDescent_Free(&level->descent, device);
}

wfLevel wfCoarseLevel_View(wfCoarseLevel* level) {
    return (wfLevel){&level->descent, wfData(&level->x, wfVec4), wfData(&level->target, wfVec4)};
}

void wfCoarseLevel_Hold(wfCoarseLevel* level, wfDevice* device, const wfVec4* fineX) {
    InjectArgs args = {wfData(&level->fineOf, int), fineX, wfData(&level->x, wfVec4)};
    wfLaunch(device, Inject, level->vertexCount, &args);
    wfElasticTables_Hold(&level->descent.tables, device, args.out);
}

void wfCoarseLevel_Down(wfCoarseLevel* level, wfDevice* device, wfLevel fine, bool tau) {
    wfSearch* search = wfData(&level->search, wfSearch);
    if (tau) wfDescent_Energy(fine.descent, device, fine.x, fine.target, NULL, &search->start);
    RestrictArgs args = {
        .fineOf = wfData(&level->fineOf, int),
        .childStart = wfData(&level->childStart, int),
        .child = wfData(&level->child, int),
        .share = wfData(&level->share, float),
        .x = fine.x,
        .target = wfDescent_Target(fine.descent, device, fine.x, fine.target),
        .bound = wfData(&fine.descent->tables.bound, float),
        .gradient = tau ? wfData(&fine.descent->meter.gradient, wfVec4) : NULL,
        .coarseX = wfData(&level->x, wfVec4),
        .before = wfData(&level->before, wfVec4),
        .coarseTarget = wfData(&level->target, wfVec4),
    };
    wfLaunch(device, Restrict, level->vertexCount, &args);
    if (!tau) return;
    FoldTauArgs fold = {args.coarseX, wfData(&level->descent.meter.gradient, wfVec4), args.coarseTarget};
    wfElasticTables_Gradient(&level->descent.tables, device, args.coarseX, wfData(&level->descent.meter.gradient, wfVec4));
    wfLaunch(device, FoldTau, level->vertexCount, &fold);
}

void wfCoarseLevel_Up(wfCoarseLevel* level, wfDevice* device, wfLevel fine, bool searched) {
    wfVec4 *whole = wfData(&fine.descent->other, wfVec4), *part = wfData(&fine.descent->saved, wfVec4);
    ProlongArgs args = {
        .prolong = wfData(&level->prolong, wfProlongation),
        .coarseX = wfData(&level->x, wfVec4),
        .before = wfData(&level->before, wfVec4),
        .target = searched ? wfDescent_Target(fine.descent, device, fine.x, fine.target) : fine.target,
        .x = fine.x,
        .out = searched ? whole : fine.x,
        .gradient = searched ? wfData(&fine.descent->meter.gradient, wfVec4) : NULL,
        .slope = wfData(&level->slope, float),
    };
    wfLaunch(device, Prolong, level->fineCount, &args);
    if (!searched) return;
    wfSearch* search = wfData(&level->search, wfSearch);
    wfSum(device, args.slope, &search->slope, level->fineCount, &fine.descent->meter.scratch);
    GoAlongArgs along = {search, fine.x, whole, part};
    for (int k = 0; k < Tries; ++k) {
        wfDescent_Energy(fine.descent, device, k == 0 ? whole : part, fine.target, NULL, &search->tried);
        ChooseLengthArgs choose = {search, k == 0, k == Tries - 1};
        wfLaunch(device, ChooseLength, 1, &choose);
        if (k == Tries - 1) along.out = fine.x;
        wfLaunch(device, GoAlong, level->fineCount, &along);
    }
}
