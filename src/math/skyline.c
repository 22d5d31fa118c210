// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "math/skyline.h"

#include "base/assert.h"
#include "base/compiler.h"

#include <string.h>

/// Breadth first from `root` over what is not visited (mark < 0); writes the order and each block's distance to `mark`. Returns the count.
static int Sweep(int root, const int* start, const int* neighbour, int* order, int* mark) {
    int count = 0;
    order[count++] = root;
    mark[root] = 0;
    for (int head = 0; head < count; ++head) {
        int i = order[head], begin = count;
        for (int k = start[i]; k < start[i + 1]; ++k) {
            int j = neighbour[k];
            if (mark[j] >= 0) continue;
            mark[j] = mark[i] + 1;
            int at = count++; // the new ones in order of their degree, as few as they are by insertion
            int degree = start[j + 1] - start[j];
            for (; at > begin && start[order[at - 1] + 1] - start[order[at - 1]] > degree; --at) order[at] = order[at - 1];
            order[at] = j;
        }
    }
    return count;
}

bool wfSkyline_Create(wfSkyline* matrix, int blockCount, const int* neighbourStart, const int* neighbour, wfError* err) {
    matrix->blockCount = blockCount;
    matrix->place = wfArena_New(&matrix->arena, int, blockCount, "matrix", err);
    matrix->first = wfArena_New(&matrix->arena, int, blockCount, "matrix", err);
    matrix->start = wfArena_New(&matrix->arena, int64_t, 3 * (int64_t)blockCount, "matrix", err);
    int* order = wfArena_New(&matrix->arena, int, blockCount, "matrix", err);
    int* mark = wfArena_New(&matrix->arena, int, blockCount, "matrix", err);
    if (matrix->place == NULL || matrix->first == NULL || matrix->start == NULL || order == NULL || mark == NULL) {
        wfSkyline_Free(matrix);
        return false;
    }
    for (int i = 0; i < blockCount; ++i) mark[i] = -1;
    int done = 0;
    for (int i = 0; i < blockCount; ++i) {
        if (mark[i] >= 0) continue;
        int root = i;
        for (int round = 0; round < 3; ++round) { // a block at the far end of the part: the longest way gives the narrowest matrix
            int count = Sweep(root, neighbourStart, neighbour, order + done, mark);
            root = order[done + count - 1];
            for (int k = 0; k < count; ++k) mark[order[done + k]] = -1;
        }
        done += Sweep(root, neighbourStart, neighbour, order + done, mark);
    }
    for (int k = 0; k < blockCount; ++k) matrix->place[order[k]] = blockCount - 1 - k;
    for (int k = 0; k < blockCount; ++k) matrix->first[k] = k;
    return true;
}

void wfSkyline_Touch(wfSkyline* matrix, int i, int j) {
    int row = matrix->place[i], column = matrix->place[j];
    if (column < matrix->first[row]) matrix->first[row] = column;
    if (row < matrix->first[column]) matrix->first[column] = row;
}

bool wfSkyline_LayOut(wfSkyline* matrix, wfError* err) {
    matrix->size = 0;
    for (int r = 0; r < 3 * matrix->blockCount; ++r) {
        int first = 3 * matrix->first[r / 3];
        matrix->start[r] = matrix->size - first;
        matrix->size += r + 1 - first;
    }
    matrix->value = wfArena_New(&matrix->arena, double, matrix->size, "matrix", err);
    return matrix->value != NULL;
}

void wfSkyline_Free(wfSkyline* matrix) {
    wfArena_Free(&matrix->arena);
    *matrix = (wfSkyline){0};
}

void wfSkyline_Clear(wfSkyline* matrix) { memset(matrix->value, 0, (size_t)matrix->size * sizeof *matrix->value); }

void wfSkyline_Add(wfSkyline* matrix, int i, int j, const wfMat3D* block) {
    int row = matrix->place[i], column = matrix->place[j];
    if (column > row) return;
    WF_ASSERT(column >= matrix->first[row]);
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            if (3 * column + b <= 3 * row + a) matrix->value[matrix->start[3 * row + a] + 3 * column + b] += block->m[a][b];
}

/// out[a][b] -= rows[a] · columns[b] over [first, last), nine products side by side in four lanes each, added in an order that no
/// instruction set changes.
WF_CLONES static void SubtractProducts(const double* const rows[3], const double* const columns[3], int first, int last, double out[3][3]) {
    const double *p = rows[0], *q = rows[1], *r = rows[2], *u = columns[0], *v = columns[1], *w = columns[2];
    double pu[4] = {0}, pv[4] = {0}, pw[4] = {0}, qu[4] = {0}, qv[4] = {0}, qw[4] = {0}, ru[4] = {0}, rv[4] = {0}, rw[4] = {0};
    int k = first;
    for (; k + 4 <= last; k += 4) _Pragma("omp simd") for (int l = 0; l < 4; ++l) {
            pu[l] += p[k + l] * u[k + l], pv[l] += p[k + l] * v[k + l], pw[l] += p[k + l] * w[k + l];
            qu[l] += q[k + l] * u[k + l], qv[l] += q[k + l] * v[k + l], qw[l] += q[k + l] * w[k + l];
            ru[l] += r[k + l] * u[k + l], rv[l] += r[k + l] * v[k + l], rw[l] += r[k + l] * w[k + l];
        }
    const double* sums[3][3] = {{pu, pv, pw}, {qu, qv, qw}, {ru, rv, rw}};
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            out[a][b] -= (sums[a][b][0] + sums[a][b][1]) + (sums[a][b][2] + sums[a][b][3]);
            for (int i = k; i < last; ++i) out[a][b] -= rows[a][i] * columns[b][i];
        }
}

/// The diagonal block becomes its factor; false where it is not positive definite.
static bool FactorDiagonal(double block[3][3], double* const rows[3], int at) {
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b <= a; ++b) {
            double sum = block[a][b];
            for (int k = 0; k < b; ++k) sum -= rows[a][at + k] * rows[b][at + k];
            if (b == a) {
                // A pivot that cancellation has eaten is none.
                if (!(sum > 1e-14 * fabs(rows[a][at + a]))) return false;
                rows[a][at + a] = sqrt(sum);
            } else {
                rows[a][at + b] = sum / rows[b][at + b];
            }
        }
    return true;
}

bool wfSkyline_Factor(wfSkyline* matrix) {
    for (int r = 0; r < matrix->blockCount; ++r) {
        double* rows[3];
        for (int a = 0; a < 3; ++a) rows[a] = matrix->value + matrix->start[3 * r + a];
        for (int c = matrix->first[r]; c <= r; ++c) {
            const double* columns[3];
            for (int b = 0; b < 3; ++b) columns[b] = matrix->value + matrix->start[3 * c + b];
            double block[3][3];
            for (int a = 0; a < 3; ++a)
                for (int b = 0; b < 3; ++b) block[a][b] = c < r || b <= a ? rows[a][3 * c + b] : 0.0;
            int first = matrix->first[r] > matrix->first[c] ? matrix->first[r] : matrix->first[c];
            SubtractProducts((const double* const*)rows, columns, 3 * first, 3 * c, block);
            if (c == r) {
                if (!FactorDiagonal(block, rows, 3 * c)) return false;
                continue;
            }
            for (int a = 0; a < 3; ++a)
                for (int b = 0; b < 3; ++b) {
                    double sum = block[a][b];
                    for (int k = 0; k < b; ++k) sum -= rows[a][3 * c + k] * columns[b][3 * c + k];
                    rows[a][3 * c + b] = sum / columns[b][3 * c + b];
                }
        }
    }
    return true;
}

void wfSkyline_Solve(const wfSkyline* matrix, wfVec3D* x, double* scratch) {
    double* y = scratch;
    int n = 3 * matrix->blockCount;
    for (int i = 0; i < matrix->blockCount; ++i) {
        double* to = y + 3 * (int64_t)matrix->place[i];
        to[0] = x[i].x, to[1] = x[i].y, to[2] = x[i].z;
    }
    for (int r = 0; r < n; ++r) {
        const double* row = matrix->value + matrix->start[r];
        double sum = y[r];
        for (int k = 3 * matrix->first[r / 3]; k < r; ++k) sum -= row[k] * y[k];
        y[r] = sum / row[r];
    }
    for (int r = n - 1; r >= 0; --r) {
        const double* row = matrix->value + matrix->start[r];
        y[r] /= row[r];
        for (int k = 3 * matrix->first[r / 3]; k < r; ++k) y[k] -= row[k] * y[r];
    }
    for (int i = 0; i < matrix->blockCount; ++i) {
        const double* from = y + 3 * (int64_t)matrix->place[i];
        x[i] = wfMake3D(from[0], from[1], from[2]);
    }
}
