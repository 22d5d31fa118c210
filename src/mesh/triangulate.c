// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/triangulate.h"

#include "math/predicates.h"
#include "mesh/sides.h"

#include <stdlib.h>
#include <string.h>

// Points are inserted one by one into a triangle about all of them (Lawson), edges are forced by flipping what crosses them, and what can
// be reached from the great triangle through an even number of outline edges is thrown away. Orientation is exact; circles are not, but
// only certain flips are made, so all loops end and every triangle has an area at each moment.

typedef struct Work {
    wfArena arena;
    wfVec2* points; // the three corners of the great triangle come last
    int pointCount; // without those
    int *corner, *twin, *sideOf;
    uint8_t* mark; // per side: edgeKept, edgeBounds
    int triangleCount;
    int* stack;
    const char* name;
    wfError* err;
} Work;

enum { edgeKept = 1, edgeBounds = 2 };

typedef struct Order {
    uint64_t key;
    int point;
} Order;

static void SetTriangle(Work* w, int t, int a, int b, int c) {
    const int v[3] = {a, b, c};
    for (int k = 0; k < 3; ++k) {
        w->corner[3 * t + k] = v[k];
        w->sideOf[v[k]] = 3 * t + k;
    }
}

static void Flip(Work* w, int h) {
    int g = w->twin[h], h1 = wfNextSide(h), g1 = wfNextSide(g);
    uint8_t markH = w->mark[h1], markG = w->mark[g1];
    w->mark[h] = markG;
    w->mark[g] = markH;
    w->mark[h1] = w->mark[g1] = 0;
    wfFlipSide(w->corner, w->twin, h);
    for (int k = 0; k < 3; ++k) {
        w->sideOf[w->corner[h / 3 * 3 + k]] = h / 3 * 3 + k;
        w->sideOf[w->corner[g / 3 * 3 + k]] = g / 3 * 3 + k;
    }
}

static int Orient(const Work* w, int a, int b, int c) { return wfOrient2(w->points[a], w->points[b], w->points[c]); }
static int Apex(const Work* w, int side) { return w->corner[wfPreviousSide(side)]; }

// ---- points -------------------------------------------------------------------------------------------------------------------

static uint64_t SpreadBits(uint64_t x) {
    x = (x | x << 16) & 0x0000ffff0000ffffu;
    x = (x | x << 8) & 0x00ff00ff00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
    x = (x | x << 2) & 0x3333333333333333u;
    return (x | x << 1) & 0x5555555555555555u;
}

static int CompareOrders(const void* a, const void* b) {
    const Order *p = a, *q = b;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return p->point < q->point ? -1 : 1;
}

// Rounds that double in size, each a random part of the points along a space-filling curve: the walk to the next point is short, and no
// order of the points makes many flips.
static uint64_t OrderKey(wfVec2 p, wfVec2 lo, double size, int index) {
    uint64_t hash = ((uint64_t)index + 1) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
    hash ^= hash >> 31;
    int round = 0;
    while (round < 15 && (hash >> round & 1)) ++round;
    uint64_t x = (uint64_t)(((double)p.x - lo.x) / size * 1048575.0), y = (uint64_t)(((double)p.y - lo.y) / size * 1048575.0);
    return (uint64_t)(15 - round) << 60 | SpreadBits(x) | SpreadBits(y) << 1;
}

/// A triangle that holds the point, from a side on by steps towards it.
static int Locate(const Work* w, int point, int side) {
    int t = side / 3;
    for (unsigned turn = 0;; ++turn) {
        int out = -1;
        for (int k = 0; k < 3 && out < 0; ++k) {
            int h = 3 * t + (int)((turn + (unsigned)k) % 3); // another first side each time, so that no walk can go in circles for long
            if (Orient(w, w->corner[h], w->corner[wfNextSide(h)], point) < 0) out = h;
        }
        if (out < 0) return t;
        t = w->twin[out] / 3; // the great triangle holds every point, so there is a neighbour
    }
}

/// Flips sides until the circles about the new point's triangles are empty.
static void Settle(Work* w, int point, int count) {
    while (count > 0) {
        int h = w->stack[--count], g = w->twin[h];
        if (g < 0) continue;
        int a = w->corner[h], b = w->corner[wfNextSide(h)], d = Apex(w, g);
        if (!wfInsideCircle(w->points[a], w->points[b], w->points[point], w->points[d])) continue;
        if (Orient(w, a, d, point) <= 0 || Orient(w, d, b, point) <= 0) continue;
        Flip(w, h);
        w->stack[count++] = h;                 // ad
        w->stack[count++] = wfPreviousSide(g); // db
    }
}

static bool InsertPoint(Work* w, int point, int* at) {
    int t = Locate(w, point, *at), zero = -1;
    for (int k = 0; k < 3; ++k) {
        int h = 3 * t + k, v = w->corner[h];
        if (w->points[v].x == w->points[point].x && w->points[v].y == w->points[point].y)
            return wfFail(w->err, wf_badInput, "%s: points %d and %d are both at (%.9g, %.9g)", w->name, v < point ? v : point,
                          v < point ? point : v, (double)w->points[v].x, (double)w->points[v].y);
        if (Orient(w, v, w->corner[wfNextSide(h)], point) == 0) zero = h;
    }
    // Rotate so that a side the point lies on comes first: abc with p on ab, or inside.
    int h = zero >= 0 ? zero : 3 * t, n = wfNextSide(h), m = wfPreviousSide(h);
    int a = w->corner[h], b = w->corner[n], c = w->corner[m], beyond[3] = {w->twin[h], w->twin[n], w->twin[m]};
    int u = w->triangleCount++, v = w->triangleCount++;
    SetTriangle(w, t, a, b, point);
    SetTriangle(w, u, b, c, point);
    SetTriangle(w, v, c, a, point);
    wfJoinSides(w->twin, 3 * t, beyond[0]);
    wfJoinSides(w->twin, 3 * u, beyond[1]);
    wfJoinSides(w->twin, 3 * v, beyond[2]);
    wfJoinSides(w->twin, 3 * t + 1, 3 * u + 2);
    wfJoinSides(w->twin, 3 * u + 1, 3 * v + 2);
    wfJoinSides(w->twin, 3 * v + 1, 3 * t + 2);
    int count = 0;
    w->stack[count++] = 3 * u;
    w->stack[count++] = 3 * v;
    if (zero >= 0) { // abp has no area: flipping ab makes two triangles of it and the one beyond
        int g = w->twin[3 * t];
        Flip(w, 3 * t);
        w->stack[count++] = 3 * t;
        w->stack[count++] = wfPreviousSide(g);
    } else {
        w->stack[count++] = 3 * t;
    }
    *at = w->sideOf[point];
    Settle(w, point, count);
    return true;
}

static bool InsertPoints(Work* w, wfVec2 lo, double size) {
    Order* order = wfArena_New(&w->arena, Order, w->pointCount, "order of points", w->err);
    if (order == NULL) return false;
    for (int i = 0; i < w->pointCount; ++i) order[i] = (Order){OrderKey(w->points[i], lo, size, i), i};
    qsort(order, (size_t)w->pointCount, sizeof *order, CompareOrders);
    int at = 0;
    for (int i = 0; i < w->pointCount; ++i) WF_TRY(InsertPoint(w, order[i].point, &at));
    return true;
}

// ---- edges --------------------------------------------------------------------------------------------------------------------

/// The side from a to b, -1 where there is none.
static int FindSide(const Work* w, int a, int b) {
    int first = w->sideOf[a], h = first;
    do {
        if (w->corner[wfNextSide(h)] == b) return h;
        h = w->twin[wfPreviousSide(h)];
    } while (h != first && h >= 0);
    return -1;
}

static bool IsConvex(const Work* w, int h) {
    int g = w->twin[h], a = w->corner[h], b = w->corner[g], c = Apex(w, h), d = Apex(w, g);
    return Orient(w, a, d, c) > 0 && Orient(w, d, b, c) > 0;
}

static bool FailThrough(Work* w, int a, int b, int p) {
    return wfFail(w->err, wf_badInput, "%s: the edge from (%.9g, %.9g) to (%.9g, %.9g) runs through the point (%.9g, %.9g)", w->name,
                  (double)w->points[a].x, (double)w->points[a].y, (double)w->points[b].x, (double)w->points[b].y, (double)w->points[p].x,
                  (double)w->points[p].y);
}

static bool FailCrossing(Work* w, int a, int b, int p, int q) {
    return wfFail(w->err, wf_badInput, "%s: the edge from (%.9g, %.9g) to (%.9g, %.9g) crosses that from (%.9g, %.9g) to (%.9g, %.9g)",
                  w->name, (double)w->points[a].x, (double)w->points[a].y, (double)w->points[b].x, (double)w->points[b].y,
                  (double)w->points[p].x, (double)w->points[p].y, (double)w->points[q].x, (double)w->points[q].y);
}

/// The side opposite a through which one leaves towards b; fails where a point lies on the way.
static bool FindWayOut(Work* w, int a, int b, int* out) {
    for (int h = w->sideOf[a];; h = w->twin[wfPreviousSide(h)]) { // the great triangle is about every point, so there is a way
        int p = w->corner[wfNextSide(h)], right = Orient(w, a, b, p);
        double ahead = ((double)w->points[p].x - w->points[a].x) * ((double)w->points[b].x - w->points[a].x) +
                       ((double)w->points[p].y - w->points[a].y) * ((double)w->points[b].y - w->points[a].y);
        if (right == 0 && ahead > 0.0) return FailThrough(w, a, b, p); // nearer than b, or it would lie upon the side to b
        *out = wfNextSide(h);
        if (right < 0 && Orient(w, a, b, Apex(w, h)) > 0) return true;
    }
}

/// Walks along the edge over the sides that cross it, from the first on, and flips one: the first that does not cross any more then, or
/// one behind `patience` others. The flips of the second kind make room for those of the first.
static bool FlipAlong(Work* w, int a, int b, int h, int patience) {
    for (int index = 0;; ++index) {
        int g = w->twin[h], right = w->corner[h], left = w->corner[g], c = Apex(w, h), d = Apex(w, g);
        int where = d == b ? 0 : Orient(w, a, b, d);
        if (w->mark[h] != 0) return FailCrossing(w, a, b, right, left);
        if (d != b && where == 0) return FailThrough(w, a, b, d);
        bool clear = c == a || d == b || (Orient(w, a, b, c) > 0) == (where > 0);
        if (IsConvex(w, h) && (clear || index >= patience)) {
            Flip(w, h);
            return true;
        }
        if (d == b) return true;
        h = where > 0 ? wfNextSide(g) : wfPreviousSide(g); // between right and d, or d and left
    }
}

static bool ForceEdge(Work* w, int a, int b, uint8_t mark) {
    int side = FindSide(w, a, b);
    for (int turn = 0; side < 0; ++turn, side = FindSide(w, a, b)) {
        int out = -1;
        WF_TRY(FindWayOut(w, a, b, &out) && FlipAlong(w, a, b, out, turn % 32));
    }
    int twin = w->twin[side];
    w->mark[side] = w->mark[twin] = (uint8_t)((w->mark[side] ^ (mark & edgeBounds)) | edgeKept);
    return true;
}

static bool ForceEdges(Work* w, const wfOutline* outline) {
    for (int e = 0; e < outline->edgeCount; ++e) {
        int a = outline->edges[e][0], b = outline->edges[e][1];
        if (a == b) return wfFail(w->err, wf_badInput, "%s: an edge ends where it starts, at point %d", w->name, a);
        WF_TRY(ForceEdge(w, a, b, e < outline->outlineCount ? edgeKept | edgeBounds : edgeKept));
    }
    return true;
}

/// Flips what forced edges have left with points in circles.
static void SettleAll(Work* w) {
    for (bool flipped = true; flipped;) {
        flipped = false;
        for (int h = 0; h < 3 * w->triangleCount; ++h) {
            int g = w->twin[h];
            if (g < h || w->mark[h] != 0) continue;
            int a = w->corner[h], b = w->corner[g], c = Apex(w, h), d = Apex(w, g);
            if (!wfInsideCircle(w->points[a], w->points[b], w->points[c], w->points[d]) || !IsConvex(w, h)) continue;
            Flip(w, h);
            flipped = true;
        }
    }
}

// ---- the inside ---------------------------------------------------------------------------------------------------------------

/// Numbers the triangles inside, -1 outside.
static bool NumberInside(Work* w, int* number, int* count) {
    int *queue = wfArena_New(&w->arena, int, w->triangleCount, "triangles outside", w->err), last = 0;
    if (queue == NULL) return false;
    for (int t = 0; t < w->triangleCount; ++t) number[t] = -2; // not seen
    int start = w->sideOf[w->pointCount] / 3;
    number[start] = -1;
    queue[last++] = start;
    for (int first = 0; first < last; ++first)
        for (int k = 0; k < 3; ++k) {
            int h = 3 * queue[first] + k, g = w->twin[h];
            if (g < 0 || number[g / 3] != -2) continue;
            bool inside = (number[h / 3] >= 0) != ((w->mark[h] & edgeBounds) != 0);
            number[g / 3] = inside ? 0 : -1;
            queue[last++] = g / 3;
        }
    *count = 0;
    for (int t = 0; t < w->triangleCount; ++t)
        if (number[t] >= 0) number[t] = (*count)++;
    return true;
}

static bool TakeInside(Work* w, wfTriangulation* out) {
    int count, *number = wfArena_New(&w->arena, int, w->triangleCount, "triangles inside", w->err);
    WF_TRY(number != NULL && NumberInside(w, number, &count));
    out->triangleCount = count;
    out->corner = wfArena_New(&out->arena, int, 3 * (size_t)count, "triangles", w->err);
    out->twin = wfArena_New(&out->arena, int, 3 * (size_t)count, "neighbours of triangles", w->err);
    out->kept = wfArena_New(&out->arena, bool, 3 * (size_t)count, "kept sides", w->err);
    if (out->corner == NULL || out->twin == NULL || out->kept == NULL) return false;
    for (int h = 0; h < 3 * w->triangleCount; ++h) {
        int t = number[h / 3], g = w->twin[h];
        if (t < 0) continue;
        int n = g >= 0 ? number[g / 3] : -1;
        out->corner[3 * t + h % 3] = w->corner[h];
        out->twin[3 * t + h % 3] = n >= 0 ? 3 * n + g % 3 : -1;
        out->kept[3 * t + h % 3] = w->mark[h] != 0;
    }
    return true;
}

// -------------------------------------------------------------------------------------------------------------------------------

static bool Begin(Work* w, const wfOutline* outline, wfVec2* lo, double* size) {
    size_t n = (size_t)outline->pointCount + 3, triangles = 2 * n + 1;
    w->pointCount = outline->pointCount;
    w->points = wfArena_New(&w->arena, wfVec2, n, "points", w->err);
    w->corner = wfArena_New(&w->arena, int, 3 * triangles, "triangles", w->err);
    w->twin = wfArena_New(&w->arena, int, 3 * triangles, "neighbours of triangles", w->err);
    w->mark = wfArena_New(&w->arena, uint8_t, 3 * triangles, "kept sides", w->err);
    w->sideOf = wfArena_New(&w->arena, int, n, "sides of points", w->err);
    w->stack = wfArena_New(&w->arena, int, n + 8, "sides to look at", w->err);
    if (w->points == NULL || w->corner == NULL || w->twin == NULL || w->mark == NULL || w->sideOf == NULL || w->stack == NULL) return false;
    wfVec2 hi = {-INFINITY, -INFINITY};
    *lo = (wfVec2){INFINITY, INFINITY};
    for (int i = 0; i < w->pointCount; ++i) {
        wfVec2 p = w->points[i] = outline->points[i];
        if (!isfinite(p.x) || !isfinite(p.y)) return wfFail(w->err, wf_badInput, "%s: point %d is not finite", w->name, i);
        *lo = (wfVec2){fminf(lo->x, p.x), fminf(lo->y, p.y)};
        hi = (wfVec2){fmaxf(hi.x, p.x), fmaxf(hi.y, p.y)};
    }
    *size = fmax((double)hi.x - lo->x, (double)hi.y - lo->y);
    if (!(*size > 0.0)) return wfFail(w->err, wf_badInput, "%s: expected an outline with an area", w->name);
    float x = (float)(0.5 * ((double)lo->x + hi.x)), y = (float)(0.5 * ((double)lo->y + hi.y)), r = (float)(8.0 * *size);
    int p = w->pointCount;
    w->points[p] = (wfVec2){x - r, y - r};
    w->points[p + 1] = (wfVec2){x + r, y - r};
    w->points[p + 2] = (wfVec2){x, y + r};
    w->triangleCount = 1;
    SetTriangle(w, 0, p, p + 1, p + 2);
    for (int k = 0; k < 3; ++k) w->twin[k] = -1;
    return true;
}

bool wfTriangulate(wfTriangulation* out, const wfOutline* outline, const char* name, wfError* err) {
    Work w = {.name = name, .err = err};
    wfVec2 lo;
    double size = 0.0;
    bool ok =
        outline->pointCount <= wf_maxMeshElements / 2 || wfFail(err, wf_badInput, "%s: more than %d points", name, wf_maxMeshElements / 2);
    ok = ok && Begin(&w, outline, &lo, &size) && InsertPoints(&w, lo, size) && ForceEdges(&w, outline);
    if (ok) SettleAll(&w);
    ok = ok && TakeInside(&w, out);
    wfArena_Free(&w.arena);
    if (!ok) wfTriangulation_Free(out);
    return ok;
}

void wfTriangulation_Free(wfTriangulation* triangulation) {
    wfArena_Free(&triangulation->arena);
    *triangulation = (wfTriangulation){0};
}
