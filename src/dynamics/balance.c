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
    wfBalanceCloth* cloths = wfArena_New(&arena, wfBalanceCloth, model->clothCount, "dynamics", err);
    wfBalanceTile* tiles = wfArena_New(&arena, wfBalanceTile, wfTileCount(model->vertexCount) + model->clothCount, "dynamics", err);
    bool ok = cloths != NULL && tiles != NULL;
    for (int c = 0; ok && c < model->clothCount; ++c) {
        const wfClothRange* range = &model->cloths[c];
        cloths[c] = (wfBalanceCloth){.firstVertex = range->firstVertex, .vertexCount = range->vertexCount, .firstTile = balance->tileCount};
        for (int first = 0; first < range->vertexCount; first += WF_TILE) {
            int count = range->vertexCount - first < WF_TILE ? range->vertexCount - first : WF_TILE;
            tiles[balance->tileCount++] = (wfBalanceTile){range->firstVertex + first, count, c};
            cloths[c].tileCount++;
        }
    }
    for (int s = 0; ok && s < model->stitchCount; ++s)
        for (int k = 0; k < 3; ++k) cloths[model->clothOf[model->stitches[s].v[k]]].sewn = 1;
    balance->clothCount = ok ? model->clothCount : 0;
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

// Of each cloth, or of `groups` of them. terms: whose forces count, or NULL.
static void Find(const wfBalance* balance, wfDevice* device, const wfVec4* x, const wfVec4* target, const wfStepTerms* terms,
                 const int* groups) {
    wfBalanceCloth* cloths = wfData(&balance->cloths, wfBalanceCloth);
    BalanceSumArgs sum = {
        .tiles = wfData(&balance->tiles, wfBalanceTile),
        .cloths = cloths,
        .x = x,
        .target = target,
        .forces = terms != NULL ? terms->forces(terms->self, x) : NULL,
        .groups = groups,
        .sums = wfData(&balance->sums, float),
    };
    BalanceSolveArgs solve = {.cloths = cloths, .sums = sum.sums, .x = x, .groups = groups, .clothCount = balance->clothCount};
    wfLaunch(device, BalanceSum, balance->tileCount, &sum);
    if (sum.forces != NULL) {
        sum.stiff = 1;
        sum.sums += balance->tileCount * wf_balanceSums;
        wfLaunch(device, BalanceSum, balance->tileCount, &sum);
        solve.stiffSums = sum.sums;
        solve.part = terms->part;
    }
    wfLaunch(device, BalanceSolve, balance->clothCount, &solve);
}

static void Move(const wfBalance* balance, wfDevice* device, wfVec4* x, const int* groups) {
    BalanceMoveArgs move = {wfData(&balance->tiles, wfBalanceTile), wfData(&balance->cloths, wfBalanceCloth), groups, x};
    wfLaunch(device, BalanceMove, balance->tileCount, &move);
}

void wfBalance_Apply(const wfBalance* balance, wfDevice* device, wfVec4* x, const wfVec4* target) {
    Find(balance, device, x, target, NULL, NULL);
    Move(balance, device, x, NULL);
}

void wfBalance_Settle(const wfBalance* balance, wfDevice* device, wfVec4* x, wfVec4* target, float span, const wfStepTerms* terms) {
    Find(balance, device, x, target, terms, NULL);
    terms->settle(terms->self, x, target, span);
    Move(balance, device, x, NULL);
    if (terms->groups == NULL) return;
    Find(balance, device, x, target, NULL, terms->groups);
    Move(balance, device, x, terms->groups);
}
