// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The judge of exact intersection, in integers of any length (GMP), by another way than the one it judges. Two triangles meet where weights
// make the same point of both; the corners of the set of all such weights are the minimal linear dependencies among the six corners
// (as points with a 1 behind) whose signs part a from b. So all of these are listed, for as many dimensions as the six points span, and it
// is asked of the point of each whether it lies on what the triangles share. No edge, plane or case of degeneracy is looked at.

#include "math/vec.h"

#include <gmp.h>

typedef struct Judge {
    mpz_t x[6][3]; // corners of a, then of b, as integers of a common power of two
    mpz_t lambda[6], point[3], weight, t[8], difference[3][3];
} Judge;

static inline void Judge_Init(Judge* j) {
    mpz_t* all = (mpz_t*)j;
    for (size_t i = 0; i < sizeof *j / sizeof *all; ++i) mpz_init(all[i]);
}

static inline void Judge_Clear(Judge* j) {
    mpz_t* all = (mpz_t*)j;
    for (size_t i = 0; i < sizeof *j / sizeof *all; ++i) mpz_clear(all[i]);
}

static inline void Judge_Load(Judge* j, const wfVec3* points, int count) {
    int lowest = 1000;
    for (int i = 0; i < 3 * count; ++i) {
        float x = (&points[i / 3].x)[i % 3];
        int e;
        frexpf(x, &e);
        if (x != 0.0f && e - 24 < lowest) lowest = e - 24;
    }
    for (int i = 0; i < 3 * count; ++i) {
        float x = (&points[i / 3].x)[i % 3];
        int e;
        double m = ldexp((double)frexpf(x, &e), 24);
        mpz_set_d(j->x[i / 3][i % 3], m);
        if (x != 0.0f) mpz_mul_2exp(j->x[i / 3][i % 3], j->x[i / 3][i % 3], (mp_bitcnt_t)(e - 24 - lowest));
    }
}

// The determinant of dimension + 1 points with a 1 behind each, of their coordinates from `first` on, cyclic.
static inline void Judge_Determinant(Judge* j, mpz_t out, const int* points, int dimension, int first) {
    for (int i = 0; i < dimension; ++i) {
        for (int k = 0; k < dimension; ++k) {
            int c = (first + k) % 3;
            mpz_sub(j->difference[i][k], j->x[points[i + 1]][c], j->x[points[0]][c]);
        }
    }
    if (dimension == 0) {
        mpz_set_ui(out, 1);
    } else if (dimension == 1) {
        mpz_set(out, j->difference[0][0]);
    } else if (dimension == 2) {
        mpz_mul(out, j->difference[0][0], j->difference[1][1]);
        mpz_submul(out, j->difference[0][1], j->difference[1][0]);
    } else {
        mpz_set_ui(out, 0);
        for (int k = 0; k < 3; ++k) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            mpz_mul(j->t[0], j->difference[1][l], j->difference[2][m]);
            mpz_submul(j->t[0], j->difference[1][m], j->difference[2][l]);
            mpz_addmul(out, j->difference[0][k], j->t[0]);
        }
    }
}

// Whether the point of the weights in lambda lies on what the first `shared` corners span.
static inline bool Judge_OnShared(Judge* j, int shared) {
    for (int c = 0; c < 3; ++c) {
        mpz_set_ui(j->point[c], 0);
        for (int i = 0; i < 3; ++i) mpz_addmul(j->point[c], j->lambda[i], j->x[i][c]);
    }
    mpz_set_ui(j->weight, 0);
    for (int i = 0; i < 3; ++i) mpz_add(j->weight, j->weight, j->lambda[i]);
    if (mpz_sgn(j->weight) < 0) {
        mpz_neg(j->weight, j->weight);
        for (int c = 0; c < 3; ++c) mpz_neg(j->point[c], j->point[c]);
    }
    for (int c = 0; c < 3; ++c) { // within the box of the shared corners …
        const mpz_t *v = &j->x[0][c], *w = &j->x[shared - 1][c];
        bool swap = mpz_cmp(*v, *w) > 0;
        mpz_mul(j->t[1], j->weight, swap ? *w : *v);
        mpz_mul(j->t[2], j->weight, swap ? *v : *w);
        if (mpz_cmp(j->point[c], j->t[1]) < 0 || mpz_cmp(j->point[c], j->t[2]) > 0) return false;
        mpz_submul(j->point[c], j->weight, *v); // from here on seen from the first one
        mpz_sub(j->t[3 + c], *w, *v);
    }
    for (int c = 0; c < 3; ++c) { // … and on their line
        int d = (c + 1) % 3;
        mpz_mul(j->t[1], j->point[c], j->t[3 + d]);
        mpz_submul(j->t[1], j->point[d], j->t[3 + c]);
        if (mpz_sgn(j->t[1]) != 0) return false;
    }
    return true;
}

/// Whether the triangles have a point in common that is not on what their first `shared` corners (0, 1 or 2, the same in both) span.
static inline bool Judge_Meet(Judge* j, const wfVec3 a[3], const wfVec3 b[3], int shared) {
    wfVec3 all[6] = {a[0], a[1], a[2], b[0], b[1], b[2]};
    Judge_Load(j, all, 6);
    int dimension = 4, first = 0;
    for (bool found = false; !found;) { // what the six points span, and coordinates that show it
        --dimension;
        for (first = 0; first < 3 && !found; ++first) {
            for (int set = 0; set < 64 && !found; ++set) {
                int points[6], count = 0;
                for (int k = 0; k < 6; ++k) {
                    if (set >> k & 1) points[count++] = k;
                }
                if (count != dimension + 1) continue;
                Judge_Determinant(j, j->t[7], points, dimension, first);
                found = mpz_sgn(j->t[7]) != 0;
            }
        }
        --first;
    }
    for (int set = 0; set < 64; ++set) {
        int points[6], count = 0, signs = 0;
        for (int k = 0; k < 6; ++k) {
            mpz_set_ui(j->lambda[k], 0);
            if (set >> k & 1) points[count++] = k;
        }
        if (count != dimension + 2) continue;
        for (int k = 0; k < count; ++k) {
            int rest[6], n = 0;
            for (int l = 0; l < count; ++l) {
                if (l != k) rest[n++] = points[l];
            }
            mpz_t* value = &j->lambda[points[k]];
            Judge_Determinant(j, *value, rest, dimension, first);
            if (k % 2 == 1) mpz_neg(*value, *value);
            int sign = mpz_sgn(*value) * (points[k] < 3 ? 1 : -1);
            signs |= sign > 0 ? 1 : sign < 0 ? 2 : 0;
        }
        if (signs != 1 && signs != 2) continue;
        if (shared == 0 || !Judge_OnShared(j, shared)) return true;
    }
    return false;
}

/// The sign of wfOrient3.
static inline int Judge_Orient3(Judge* j, const wfVec3 x[4]) {
    static const int points[4] = {0, 1, 2, 3};
    Judge_Load(j, x, 4);
    Judge_Determinant(j, j->t[7], points, 3, 0);
    return mpz_sgn(j->t[7]);
}
