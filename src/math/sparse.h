// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Sparse matrices by rows, in double precision, on the host: what building a hierarchy of a few matrices needs, and no more. Columns of a
// row ascend, and none is there twice.

#include "base/memory.h"

#include <stdbool.h>

typedef struct wfSparse {
    int rowCount, columnCount;
    int* start;    // rowCount + 1
    int* column;   // of the entries of row i: column[start[i]] …
    double* value; // … and value[start[i]], up to start[i + 1]
} wfSparse;

typedef struct wfSparseEntry {
    int row, column;
    double value;
} wfSparseEntry;

// Results live in the arena.

/// Sums up entries at the same place, in their order.
bool wfSparse_Gather(wfSparse* out, wfArena* arena, int rowCount, int columnCount, const wfSparseEntry* entries, size_t count,
                     wfError* err);
bool wfSparse_Transpose(wfSparse* out, wfArena* arena, const wfSparse* a, wfError* err);
bool wfSparse_Multiply(wfSparse* out, wfArena* arena, const wfSparse* a, const wfSparse* b, wfError* err);
