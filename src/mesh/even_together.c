// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/fill.h"

#include "mesh/find_root.h"

#include <string.h>

// All pieces as one mesh of several parts, which may overlap in the plane: only their triangles tell what is next to what. A seam then is a
// share that vertices of several parts have in common, and the edges of all of them pull at it.

// Of the rounds of wfRelax_Optimise, in one attempt after the other while the ratio is poor: from other ones it goes elsewhere.
enum { attempts = 3, fewRounds = 3 }; // few: all that large meshes get
static const int s_rounds[attempts] = {7, 5, 9};

typedef struct Together {
    wfFilling* const* pieces;
    int pieceCount;
    int *firstVertex, *firstTriangle; // of each piece, and the ends
    wfRelax relax;
    wfArena arena;
    const char* name;
    wfError* err;
} Together;

static bool Join(Together* t) {
    t->firstVertex = wfArena_New(&t->arena, int, (size_t)t->pieceCount + 1, "pieces", t->err);
    t->firstTriangle = wfArena_New(&t->arena, int, (size_t)t->pieceCount + 1, "pieces", t->err);
    if (t->firstVertex == NULL || t->firstTriangle == NULL) return false;
    for (int i = 0; i < t->pieceCount; ++i) {
        double vertices = (double)t->firstVertex[i] + t->pieces[i]->vertexCount;
        double triangles = (double)t->firstTriangle[i] + t->pieces[i]->triangleCount;
        if (vertices > wf_maxMeshElements || triangles > wf_maxMeshElements)
            return wfFail(t->err, wf_badInput, "%s: more than %d vertices or triangles", t->name, wf_maxMeshElements);
        t->firstVertex[i + 1] = (int)vertices;
        t->firstTriangle[i + 1] = (int)triangles;
    }
    wfRelax* r = &t->relax;
    WF_TRY(wfRelax_Create(r, t->firstVertex[t->pieceCount], t->firstTriangle[t->pieceCount], &t->arena, t->err));
    for (int i = 0; i < t->pieceCount; ++i) {
        const wfFilling* f = t->pieces[i];
        int v0 = t->firstVertex[i], h0 = 3 * t->firstTriangle[i];
        memset(r->hold + v0, wf_relaxFixed, (size_t)f->fixedCount);
        for (int v = 0; v < f->vertexCount; ++v) r->x[v0 + v][0] = f->positions[v].x, r->x[v0 + v][1] = f->positions[v].y;
        for (int h = 0; h < 3 * f->triangleCount; ++h) {
            r->corner[h0 + h] = v0 + f->triangles[h / 3].v[h % 3];
            r->twin[h0 + h] = f->twin[h] < 0 ? -1 : h0 + f->twin[h];
            r->kept[h0 + h] = f->kept[h];
            r->sideOf[r->corner[h0 + h]] = h0 + h;
        }
    }
    return true;
}

static bool SeatRiders(Together* t, const wfRider* riders, int riderCount, const double* shares, int knotCount) {
    wfRelax* r = &t->relax;
    int* last = wfArena_New(&t->arena, int, knotCount, "seams", t->err); // rider of each knot, and 1
    if (last == NULL) return false;
    for (int i = 0; i < riderCount; ++i) {
        int v = t->firstVertex[riders[i].piece] + riders[i].vertex, knot = riders[i].knot;
        r->hold[v] = wf_relaxRides;
        r->rail[v] = riders[i].rail;
        r->share[v] = shares[knot];
        if (last[knot] > 0) {
            r->mate[v] = r->mate[last[knot] - 1];
            r->mate[last[knot] - 1] = v;
        }
        last[knot] = v + 1;
    }
    return true;
}

/// The part of the joined mesh that is piece i, whose vertices are those that have its number in `piece`.
static bool TakePiece(Together* t, int i, const int* piece, int* number, wfFilling* out) {
    const wfRelax* r = &t->relax;
    wfTriangulation part = {0};
    int vertices = 0;
    for (int v = 0; v < r->vertexCount; ++v)
        if (piece[v] == i) number[v] = vertices++;
    wfVec2* points = wfArena_New(&t->arena, wfVec2, vertices, "vertices of a panel", t->err);
    WF_TRY(points != NULL && wfRelax_Take(r, piece, i, number, &part, &t->arena, &t->arena, t->err));
    for (int v = 0; v < r->vertexCount; ++v) {
        if (piece[v] != i) continue;
        bool still = r->hold[v] == wf_relaxFixed;
        points[number[v]] = still ? t->pieces[i]->positions[number[v]] : (wfVec2){(float)r->x[v][0], (float)r->x[v][1]};
    }
    return wfFilling_Take(out, &part, points, vertices, t->pieces[i]->fixedCount, t->name, t->err);
}

static bool TakeAll(Together* t) {
    const wfRelax* r = &t->relax;
    int* piece = wfArena_New(&t->arena, int, r->vertexCount, "pieces", t->err);
    int* number = wfArena_New(&t->arena, int, r->vertexCount, "pieces", t->err);
    if (piece == NULL || number == NULL) return false;
    // Vertices that were added are found by what they hang together with; the least of a piece is one of its outline.
    for (int v = 0; v < r->vertexCount; ++v) piece[v] = v;
    for (int i = 0; i < t->pieceCount; ++i)
        for (int v = t->firstVertex[i]; v < t->firstVertex[i + 1]; ++v) piece[v] = t->firstVertex[i];
    for (int h = 0; h < 3 * r->triangleCount; ++h) {
        if (r->corner[h] < 0) continue;
        int a = wfFindRoot(piece, r->corner[h]), b = wfFindRoot(piece, r->corner[h / 3 * 3]);
        piece[a > b ? a : b] = a > b ? b : a;
    }
    for (int v = 0; v < r->vertexCount; ++v) piece[v] = wfFindRoot(piece, v);
    for (int v = 0; v < r->vertexCount; ++v) {
        int lo = 0, hi = t->pieceCount - 1, root = piece[v];
        while (lo < hi) {
            int middle = (lo + hi + 1) / 2;
            if (t->firstVertex[middle] <= root) {
                lo = middle;
            } else {
                hi = middle - 1;
            }
        }
        piece[v] = lo;
    }
    for (int i = 0; i < t->pieceCount; ++i) {
        wfFilling taken = {0};
        bool ok = TakePiece(t, i, piece, number, &taken);
        wfFilling_Free(ok ? t->pieces[i] : &taken);
        if (!ok) return false;
        *t->pieces[i] = taken;
    }
    return true;
}

/// One attempt; tells the ratio before and after it.
static bool Attempt(Together* t, const wfRider* riders, int riderCount, double* shares, int knotCount, double edge, int rounds,
                    double* before, double* after) {
    double lo, hi;
    WF_TRY(Join(t) && SeatRiders(t, riders, riderCount, shares, knotCount));
    t->relax.target = edge * edge;
    wfRelax_Extremes(&t->relax, &lo, &hi);
    *before = sqrt(lo / hi);
    WF_TRY(wfRelax_Optimise(&t->relax, rounds, &t->arena, t->err));
    wfRelax_Extremes(&t->relax, &lo, &hi);
    *after = sqrt(lo / hi);
    if (!(*after > *before)) return true;
    for (int i = 0; i < riderCount; ++i) shares[riders[i].knot] = t->relax.share[t->firstVertex[riders[i].piece] + riders[i].vertex];
    return TakeAll(t);
}

bool wfEvenTogether(wfFilling* const* pieces, int pieceCount, const wfRider* riders, int riderCount, double* shares, int knotCount,
                    double edge, const char* name, wfError* err) {
    double before, after = 0.0, most = 0.0;
    bool ok = true;
    for (int i = 0; i < pieceCount; ++i) most += pieces[i]->vertexCount;
    for (int k = 0; ok && k < attempts && after < wf_fairRatio && (k == 0 || most < wf_largePiece); ++k) {
        Together t = {.pieces = pieces, .pieceCount = pieceCount, .name = name, .err = err};
        ok = Attempt(&t, riders, riderCount, shares, knotCount, edge, most < wf_largePiece ? s_rounds[k] : fewRounds, &before, &after);
        wfArena_Free(&t.arena);
    }
    return ok;
}
