// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "math/aggregates.h"

static const double s_strong = 0.1;          // of the stiffest spring at an unknown
static const double s_smoothing = 2.0 / 3.0; // of a Jacobi step
enum { None = -1 };

static double Stiffest(const wfSparse* a, int i) {
    double most = 0.0;
    for (int k = a->start[i]; k < a->start[i + 1]; ++k)
        if (a->column[k] != i && -a->value[k] > most) most = -a->value[k];
    return most;
}

static bool IsStrong(const wfSparse* a, int i, int k, double stiffest) {
    return a->column[k] != i && -a->value[k] > 0.0 && -a->value[k] >= s_strong * stiffest;
}

/// An unknown none of whose strong neighbours is taken, with all of these.
static int TakeWhole(const wfSparse* a, int* of) {
    int count = 0;
    for (int i = 0; i < a->rowCount; ++i) {
        double stiffest = Stiffest(a, i);
        bool alone = stiffest == 0.0, open = of[i] == None && !alone;
        for (int k = a->start[i]; open && k < a->start[i + 1]; ++k) open = !IsStrong(a, i, k, stiffest) || of[a->column[k]] == None;
        if (!open) continue;
        for (int k = a->start[i]; k < a->start[i + 1]; ++k)
            if (IsStrong(a, i, k, stiffest)) of[a->column[k]] = count;
        of[i] = count++;
    }
    return count;
}

/// Those left over go to the aggregate of the neighbour that holds them most, as these were before; or, without any, are one by themselves.
static int TakeRest(const wfSparse* a, int count, int* of, int* joined) {
    for (int i = 0; i < a->rowCount; ++i) {
        joined[i] = of[i];
        double most = 0.0;
        for (int k = a->start[i]; of[i] == None && k < a->start[i + 1]; ++k)
            if (a->column[k] != i && of[a->column[k]] != None && -a->value[k] > most) {
                most = -a->value[k];
                joined[i] = of[a->column[k]];
            }
    }
    for (int i = 0; i < a->rowCount; ++i) of[i] = joined[i] != None ? joined[i] : count++;
    return count;
}

static bool Smooth(wfSparse* out, wfArena* arena, wfArena* scratch, const wfSparse* a, const int* of, int count, wfError* err) {
    wfSparseEntry* entries = wfArena_New(scratch, wfSparseEntry, a->start[a->rowCount] + a->rowCount, "aggregates", err);
    if (entries == NULL) return false;
    size_t used = 0;
    for (int i = 0; i < a->rowCount; ++i) {
        double diagonal = 0.0;
        for (int k = a->start[i]; k < a->start[i + 1]; ++k) // what pushes in place of pulling is left out: it would have negative shares
            if (a->column[k] != i && a->value[k] < 0.0) diagonal -= a->value[k];
        entries[used++] = (wfSparseEntry){i, of[i], diagonal > 0.0 ? 1.0 - s_smoothing : 1.0};
        for (int k = a->start[i]; k < a->start[i + 1]; ++k)
            if (a->column[k] != i && a->value[k] < 0.0)
                entries[used++] = (wfSparseEntry){i, of[a->column[k]], s_smoothing * -a->value[k] / diagonal};
    }
    return wfSparse_Gather(out, arena, a->rowCount, count, entries, used, err);
}

bool wfSmoothAggregates(wfSparse* out, wfArena* arena, const wfSparse* a, wfError* err) {
    wfArena scratch = {0};
    int* of = wfArena_New(&scratch, int, a->rowCount, "aggregates", err);
    int* joined = wfArena_New(&scratch, int, a->rowCount, "aggregates", err);
    bool ok = of != NULL && joined != NULL;
    if (ok) {
        for (int i = 0; i < a->rowCount; ++i) of[i] = None;
        int count = TakeRest(a, TakeWhole(a, of), of, joined);
        ok = Smooth(out, arena, &scratch, a, of, count, err);
    }
    wfArena_Free(&scratch);
    return ok;
}
