// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/balance.h"

#include "compute/kernel.h"
#include "dynamics/balance_kernels.h"

bool wfBalance_Create(wfBalance* balance, wfDevice* device, const wfModel* model, wfError* err) {
    *balance = (wfBalance){
        .tiles = wfMakeBuffer(sizeof(wfBalanceTile), "balance.tiles"),
        .cloths = wfMakeBuffer(sizeof(wfBalanceCloth), "balance.cloths"),
        .sums = wfMakeBuffer(sizeof(float), "balance.sums"),
    };
    wfArena arena = {0};
    bool* sewn = wfArena_New(&arena, bool, model->clothCount, "dynamics", err);
    wfBalanceCloth* cloths = wfArena_New(&arena, wfBalanceCloth, model->clothCount, "dynamics", err);
    wfBalanceTile* tiles = wfArena_New(&arena, wfBalanceTile, wfTileCount(model->vertexCount) + model->clothCount, "dynamics", err);
    bool ok = sewn != NULL && cloths != NULL && tiles != NULL;
    for (int s = 0; ok && s < model->stitchCount; ++s)
        for (int k = 0; k < 3; ++k) sewn[model->clothOf[model->stitches[s].v[k]]] = true;
    for (int c = 0; ok && c < model->clothCount; ++c) {
        const wfClothRange* range = &model->cloths[c];
        if (sewn[c]) continue;
        wfBalanceCloth* cloth = &cloths[balance->clothCount];
        *cloth = (wfBalanceCloth){.firstVertex = range->firstVertex, .firstTile = balance->tileCount};
        for (int first = 0; first < range->vertexCount; first += WF_TILE) {
            int count = range->vertexCount - first < WF_TILE ? range->vertexCount - first : WF_TILE;
            tiles[balance->tileCount++] = (wfBalanceTile){range->firstVertex + first, count, balance->clothCount};
            cloth->tileCount++;
        }
        balance->clothCount++;
    }
    if (ok && balance->clothCount > 0) {
        wfUpload(device, &balance->tiles, tiles, (size_t)balance->tileCount);
        wfUpload(device, &balance->cloths, cloths, (size_t)balance->clothCount);
        wfReserve(device, &balance->sums, 2 * (size_t)balance->tileCount * wf_balanceSums);
    }
    wfArena_Free(&arena);
    return ok;
}

void wfBalance_Free(wfBalance* balance, wfDevice* device) {
    wfFreeBuffer(device, &balance->tiles);
    wfFreeBuffer(device, &balance->cloths);
    wfFreeBuffer(device, &balance->sums);
}

void wfBalance_Find(const wfBalance* balance, wfDevice* device, const wfVec4* x, const wfVec4* target, const wfStepTerms* terms) {
    if (balance->clothCount == 0) return;
    const wfBalanceTile* tiles = wfData(&balance->tiles, wfBalanceTile);
    wfBalanceCloth* cloths = wfData(&balance->cloths, wfBalanceCloth);
    float* sums = wfData(&balance->sums, float);
    BalanceSumArgs sum = {
        .tiles = tiles,
        .cloths = cloths,
        .x = x,
        .target = target,
        .forces = terms != NULL ? terms->forces(terms->self, x) : NULL,
        .sums = sums,
    };
    wfLaunch(device, BalanceSum, balance->tileCount, &sum);
    BalanceSolveArgs solve = {.cloths = cloths, .sums = sums, .x = x};
    if (sum.forces != NULL) {
        sum.stiff = 1;
        sum.sums = sums + balance->tileCount * wf_balanceSums;
        wfLaunch(device, BalanceSum, balance->tileCount, &sum);
        solve.stiffSums = sum.sums;
        solve.tolerance = terms->tolerance;
    }
    wfLaunch(device, BalanceSolve, balance->clothCount, &solve);
}

void wfBalance_Move(const wfBalance* balance, wfDevice* device, wfVec4* x) {
    if (balance->clothCount == 0) return;
    BalanceMoveArgs move = {wfData(&balance->tiles, wfBalanceTile), wfData(&balance->cloths, wfBalanceCloth), x};
    wfLaunch(device, BalanceMove, balance->tileCount, &move);
}
