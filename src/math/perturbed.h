// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Orientation without the case of zero (simulation of simplicity, Edelsbrunner and Mücke 1990): every point of a row is thought to be moved
// by amounts that are smaller than any number, and each smaller than any product of those before it. Four different points then never lie
// in one plane, and all answers about one row fit together, so that curves in which meshes cross have no gaps and no branches.
//
// The determinant of the moved points is a polynomial in those amounts; its coefficients are its minors, and the sign is that of the first
// that is not zero. Amount 3 r + c moves coordinate c of the r-th point, by number in the row, and is larger than those behind it.

#include "math/predicates.h"

/// The sign of the minor with the rows and columns that are left; the last column is all ones.
WF_FN int wfMinorSign(const wfVec3* x, const int* rows, const int* columns, int size) {
    if (size == 1) return 1;
    float value[3][2];
    for (int i = 0; i < size; ++i)
        for (int k = 0; k < size - 1; ++k) value[i][k] = columns[k] == 0 ? x[rows[i]].x : columns[k] == 1 ? x[rows[i]].y : x[rows[i]].z;
    if (size == 2) return (value[0][0] > value[1][0]) - (value[0][0] < value[1][0]);
    wfVec2 a, b, c;
    a.x = value[0][0], a.y = value[0][1], b.x = value[1][0], b.y = value[1][1], c.x = value[2][0], c.y = value[2][1];
    return wfOrient2(a, b, c);
}

/// The sign that decides for points in one plane; x are the points by increasing number.
WF_RARE_FN int wfPerturbedSign(const wfVec3* x) {
    for (int set = 1; set <= 84; ++set) { // 84: the largest amounts of three points, one a coordinate, which leave a minor of one
        int rows[4] = {0, 1, 2, 3}, columns[4] = {0, 1, 2, 3}, size = 4, sign = 1;
        bool fits = true;
        for (int bit = 0; bit < 9 && fits; ++bit) {
            if (!(set >> bit & 1)) continue;
            int r = 0, c = 0;
            while (r < size && rows[r] != bit / 3) ++r;
            while (c < size && columns[c] != bit % 3) ++c;
            fits = r < size && c < size; // no two amounts of one point or coordinate are multiplied
            if (!fits) break;
            if ((r + c) % 2 != 0) sign = -sign;
            --size;
            for (int k = r; k < size; ++k) rows[k] = rows[k + 1];
            for (int k = c; k < size; ++k) columns[k] = columns[k + 1];
        }
        int minor = fits ? wfMinorSign(x, rows, columns, size) : 0;
        if (minor != 0) return sign * minor;
    }
    return 1; // not reached: the last minor is 1
}

/// wfOrient3 of points a, b, c, d of the row x, which are four different ones: 1 or -1.
WF_FN int wfOrient3Perturbed(const wfVec3* x, int a, int b, int c, int d) {
    int sign = wfOrient3(x[a], x[b], x[c], x[d]);
    if (sign != 0) return sign;
    int v[4] = {a, b, c, d};
    sign = -1; // wfOrient3 is minus the determinant with rows (x, y, z, 1)
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3 - i; ++k)
            if (v[k] > v[k + 1]) {
                int swap = v[k];
                v[k] = v[k + 1];
                v[k + 1] = swap;
                sign = -sign;
            }
    wfVec3 sorted[4];
    for (int k = 0; k < 4; ++k) sorted[k] = x[v[k]];
    return sign * wfPerturbedSign(sorted);
}
