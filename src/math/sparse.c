// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "math/sparse.h"

#include <limits.h>
#include <string.h>

static bool Reserve(wfSparse* out, wfArena* arena, int rowCount, int columnCount, size_t count, wfError* err) {
    if (count > INT_MAX) return wfFail(err, wf_outOfMemory, "a matrix has more than %d entries", INT_MAX);
    *out = (wfSparse){
        .rowCount = rowCount,
        .columnCount = columnCount,
        .start = wfArena_New(arena, int, (size_t)rowCount + 2, "a matrix", err), // one more, for counting
        .column = wfArena_New(arena, int, count, "a matrix", err),
        .value = wfArena_New(arena, double, count, "a matrix", err),
    };
    return out->start != NULL && out->column != NULL && out->value != NULL;
}

/// Of rows of which start[i + 2] says how many entries row i has: start[i + 1] becomes its first place, for those that fill it in.
static void StartFilling(wfSparse* m) {
    for (int i = 0; i < m->rowCount; ++i) m->start[i + 2] += m->start[i + 1];
}

static void Put(wfSparse* m, int row, int column, double value) {
    int at = m->start[row + 1]++;
    m->column[at] = column;
    m->value[at] = value;
}

bool wfSparse_Transpose(wfSparse* out, wfArena* arena, const wfSparse* a, wfError* err) {
    size_t count = (size_t)a->start[a->rowCount];
    WF_TRY(Reserve(out, arena, a->columnCount, a->rowCount, count, err));
    for (size_t k = 0; k < count; ++k) out->start[a->column[k] + 2]++;
    StartFilling(out);
    for (int i = 0; i < a->rowCount; ++i)
        for (int k = a->start[i]; k < a->start[i + 1]; ++k) Put(out, a->column[k], i, a->value[k]);
    return true;
}

/// Entries of one column follow each other in each row: they become one.
static void Merge(wfSparse* m) {
    int to = 0, from = 0;
    for (int i = 0; i < m->rowCount; ++i) {
        int first = to, end = m->start[i + 1];
        for (; from < end; ++from) {
            if (to > first && m->column[to - 1] == m->column[from]) {
                m->value[to - 1] += m->value[from];
            } else {
                m->column[to] = m->column[from];
                m->value[to++] = m->value[from];
            }
        }
        m->start[i + 1] = to;
    }
}

bool wfSparse_Gather(wfSparse* out, wfArena* arena, int rowCount, int columnCount, const wfSparseEntry* entries, size_t count,
                     wfError* err) {
    wfArena scratch = {0};
    wfSparse byColumn;
    // By columns first: taken from there in order, those of each row are in order.
    bool ok = Reserve(&byColumn, &scratch, columnCount, rowCount, count, err);
    if (ok) {
        for (size_t k = 0; k < count; ++k) byColumn.start[entries[k].column + 2]++;
        StartFilling(&byColumn);
        for (size_t k = 0; k < count; ++k) Put(&byColumn, entries[k].column, entries[k].row, entries[k].value);
        ok = wfSparse_Transpose(out, arena, &byColumn, err);
    }
    if (ok) Merge(out);
    wfArena_Free(&scratch);
    return ok;
}

/// Row i of a b, as columns in the order in which they are met, and values by column; returns how many. mark: per column, the last row + 1
/// in which it was met.
static int MultiplyRow(const wfSparse* a, const wfSparse* b, int i, int* mark, int* columns, double* values) {
    int count = 0;
    for (int k = a->start[i]; k < a->start[i + 1]; ++k)
        for (int m = b->start[a->column[k]]; m < b->start[a->column[k] + 1]; ++m) {
            int column = b->column[m];
            if (mark[column] != i + 1) {
                mark[column] = i + 1;
                columns[count++] = column;
                values[column] = 0.0;
            }
            values[column] += a->value[k] * b->value[m];
        }
    return count;
}

bool wfSparse_Multiply(wfSparse* out, wfArena* arena, const wfSparse* a, const wfSparse* b, wfError* err) {
    wfArena scratch = {0};
    wfSparse turned; // the transpose, whose rows are filled in order
    int* mark = wfArena_New(&scratch, int, b->columnCount, "a matrix", err);
    int* columns = wfArena_New(&scratch, int, b->columnCount, "a matrix", err);
    double* values = wfArena_New(&scratch, double, b->columnCount, "a matrix", err);
    int* counts = wfArena_New(&scratch, int, b->columnCount, "a matrix", err);
    bool ok = mark != NULL && columns != NULL && values != NULL && counts != NULL;
    size_t total = 0;
    for (int i = 0; ok && i < a->rowCount; ++i) {
        int count = MultiplyRow(a, b, i, mark, columns, values);
        for (int k = 0; k < count; ++k) counts[columns[k]]++;
        total += (size_t)count;
    }
    ok = ok && Reserve(&turned, &scratch, b->columnCount, a->rowCount, total, err);
    if (ok) {
        memcpy(turned.start + 2, counts, (size_t)b->columnCount * sizeof *counts);
        StartFilling(&turned);
        memset(mark, 0, (size_t)b->columnCount * sizeof *mark);
        for (int i = 0; i < a->rowCount; ++i) {
            int count = MultiplyRow(a, b, i, mark, columns, values);
            for (int k = 0; k < count; ++k) Put(&turned, columns[k], i, values[columns[k]]);
        }
        ok = wfSparse_Transpose(out, arena, &turned, err);
    }
    wfArena_Free(&scratch);
    return ok;
}
