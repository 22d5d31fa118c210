// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/fill.h"

#include "mesh/relax.h"
#include "mesh/sides.h"

#include <stdlib.h>
#include <string.h>

// Rounds of moves and flips with ever larger powers k, and between them changes of the mesh: first where an edge is to be collapsed or
// split, which sets the number of vertices right; then, at the worst edges that are left, whatever helps near them.

#define LOOSE 1.15 // edges longer or shorter than wanted by this factor are split or collapsed
#define BAD   1.17 // and by this one, are worth any effort
enum { sweepsPerRound = 10, lastSweeps = 20, firstPolish = 4, lastPolish = 6 };

static const struct {
    int doublings;
    bool hard;  // try whatever helps
    bool adapt; // aim for the middle between the shortest and the longest edge
} s_rounds[] = {{1, false, false}, {2, false, false}, {2, true, false}, {2, true, false}, {2, true, false}, {3, true, false},
                {3, true, false},  {3, true, true},   {4, true, true},  {4, true, true},  {4, true, true}};
enum { roundCount = sizeof s_rounds / sizeof *s_rounds };

static int EndOf(const wfRelax* r, int side) { return r->corner[wfNextSide(side)]; }

/// The length of a side over the one that is wanted, or its inverse where that is more.
static double Excess(const wfRelax* r, int side) {
    double s = sqrt(wfRelax_LengthSq(r, r->corner[side], EndOf(r, side)) / r->target);
    return fmax(s, 1.0 / s);
}

void wfRelax_Extremes(const wfRelax* r, double* lo, double* hi) {
    *lo = INFINITY;
    *hi = 0.0;
    for (int h = 0; h < 3 * r->triangleCount; ++h) {
        if (r->corner[h] < 0) continue;
        double s = wfRelax_LengthSq(r, r->corner[h], EndOf(r, h));
        *lo = fmin(*lo, s);
        *hi = fmax(*hi, s);
    }
}

static void SplitAndCollapse(wfRelax* r) {
    for (int h = 0; h < 3 * r->triangleCount; ++h) {
        if (r->corner[h] < 0 || Excess(r, h) < LOOSE) continue;
        bool tooLong = wfRelax_LengthSq(r, r->corner[h], EndOf(r, h)) > r->target;
        wfRelax_Try(r, h, tooLong ? wf_relaxSplit : wf_relaxCollapse);
    }
}

/// Tries everything near a vertex, until something helps.
static bool TryNear(wfRelax* r, int v) {
    int near[wf_maxNear], count = wfRelax_Around(r, v, 2, near);
    for (int i = 0; i < count; ++i) {
        int sides[wf_maxRing], n = wfRelax_SidesOf(r, near[i], sides);
        for (int k = 0; k < n; ++k)
            for (int change = 0; change < wf_relaxChangeCount; ++change)
                if (wfRelax_Try(r, sides[k], (wfRelaxChange)change)) return true;
    }
    return false;
}

typedef struct BadSide {
    double excess;
    int side, corner; // the side may be another one by the time it is looked at
} BadSide;

static int CompareBad(const void* a, const void* b) {
    const BadSide *p = a, *q = b;
    if (p->excess != q->excess) return p->excess > q->excess ? -1 : 1;
    return (p->side > q->side) - (p->side < q->side);
}

/// The worst edges first, as long as there are tries left.
static void MendWorst(wfRelax* r, int tries, BadSide* bad) {
    int count = 0, last = r->tries + tries;
    for (int h = 0; h < 3 * r->triangleCount; ++h)
        if (r->corner[h] >= 0 && Excess(r, h) >= BAD) bad[count++] = (BadSide){Excess(r, h), h, r->corner[h]};
    qsort(bad, (size_t)count, sizeof *bad, CompareBad);
    for (int i = 0; i < count && r->tries < last; ++i) {
        int a = r->corner[bad[i].side];
        if (a != bad[i].corner || Excess(r, bad[i].side) < BAD) continue;
        int b = EndOf(r, bad[i].side);
        if (r->tired[a] && r->tired[b]) continue;
        if (!TryNear(r, a)) r->tired[a] = r->tired[b] = true;
    }
}

/// Changes that may be tried in a round: a small panel is not worth many, a large one has few bad edges for its size.
static int TriesFor(int vertexCount) {
    int small = 200 + vertexCount / 2, large = 1000 + vertexCount / 20;
    return small < large ? small : large;
}

/// Aims for the middle between the shortest and the longest edge, near the square of the length that is wanted.
static void Aim(wfRelax* r, double wanted) {
    double lo, hi;
    wfRelax_Extremes(r, &lo, &hi);
    r->target = fmin(fmax(sqrt(lo * hi), 0.9 * wanted), 1.1 * wanted);
}

bool wfRelax_Optimise(wfRelax* r, int rounds, wfArena* arena, wfError* err) {
    double wanted = r->target;
    BadSide* bad = wfArena_New(arena, BadSide, 3 * (size_t)r->triangleCapacity, "edges of a panel", err);
    if (bad == NULL) return false;
    for (int round = rounds < roundCount ? roundCount - rounds : 0; round < roundCount; ++round) {
        r->doublings = s_rounds[round].doublings;
        wfRelax_Sweep(r, sweepsPerRound);
        if (s_rounds[round].adapt || rounds < roundCount) {
            Aim(r, wanted);
            memset(r->tired, 0, (size_t)r->vertexCapacity * sizeof *r->tired);
        }
        r->need = 1e-2 * wfRelax_Cost(r, BAD * BAD * r->target);
        if (s_rounds[round].hard) {
            MendWorst(r, TriesFor(r->vertexCount), bad);
        } else {
            SplitAndCollapse(r);
        }
    }
    for (r->doublings = firstPolish; r->doublings <= lastPolish; ++r->doublings) {
        Aim(r, wanted);
        wfRelax_Sweep(r, lastSweeps);
    }
    return true;
}

bool wfRelax_Take(const wfRelax* r, const int* piece, int which, const int* vertexNumber, wfTriangulation* out, wfArena* keep,
                  wfArena* scratch, wfError* err) {
    int left = 0, *number = wfArena_New(scratch, int, r->triangleCount, "triangles of a panel", err);
    if (number == NULL) return false;
    for (int t = 0; t < r->triangleCount; ++t) {
        int v = r->corner[3 * t];
        number[t] = v >= 0 && (piece == NULL || piece[v] == which) ? left++ : -1;
    }
    out->triangleCount = left;
    out->corner = wfArena_New(keep, int, 3 * (size_t)left, "triangles of a panel", err);
    out->twin = wfArena_New(keep, int, 3 * (size_t)left, "triangles of a panel", err);
    out->kept = wfArena_New(keep, bool, 3 * (size_t)left, "triangles of a panel", err);
    if (out->corner == NULL || out->twin == NULL || out->kept == NULL) return false;
    for (int h = 0; h < 3 * r->triangleCount; ++h) {
        if (number[h / 3] < 0) continue;
        int to = 3 * number[h / 3] + h % 3;
        out->corner[to] = vertexNumber == NULL ? r->corner[h] : vertexNumber[r->corner[h]];
        out->twin[to] = r->twin[h] < 0 ? -1 : 3 * number[r->twin[h] / 3] + r->twin[h] % 3;
        out->kept[to] = r->kept[h] != 0;
    }
    return true;
}

bool wfEvenOut(wfTriangulation* triangulation, wfVec2** points, int* count, int fixedCount, double edge, wfArena* arena, wfError* err) {
    wfRelax r;
    WF_TRY(wfRelax_Create(&r, *count, triangulation->triangleCount, arena, err));
    wfVec2* moved = wfArena_New(arena, wfVec2, r.vertexCapacity, "vertices of a panel", err);
    if (moved == NULL) return false;
    memset(r.hold, wf_relaxFixed, (size_t)fixedCount);
    r.target = edge * edge;
    for (int i = 0; i < *count; ++i) r.x[i][0] = (*points)[i].x, r.x[i][1] = (*points)[i].y;
    for (int h = 0; h < 3 * triangulation->triangleCount; ++h) {
        r.corner[h] = triangulation->corner[h];
        r.twin[h] = triangulation->twin[h];
        r.kept[h] = triangulation->kept[h];
        r.sideOf[r.corner[h]] = h;
    }
    WF_TRY(wfRelax_Optimise(&r, roundCount, arena, err));
    WF_TRY(wfRelax_Take(&r, NULL, 0, NULL, triangulation, &triangulation->arena, arena, err));
    for (int i = 0; i < r.vertexCount; ++i) moved[i] = i < fixedCount ? (*points)[i] : (wfVec2){(float)r.x[i][0], (float)r.x[i][1]};
    *points = moved;
    *count = r.vertexCount;
    return true;
}
