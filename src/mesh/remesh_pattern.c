// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/remesh_pattern.h"

#include "math/predicates.h"
#include "math/vec_double.h"
#include "mesh/find_root.h"

#include <stdlib.h>

#define SAME_PLACE 1e-5 // of the pattern's extent: texture coordinates of a corner that differ by less are the same
#define PLANE      1e-3 // of a piece's extent: how far from its plane a piece without a pattern may lie

typedef struct SideKey {
    int lo, hi, side; // vertices of the mesh
} SideKey;

typedef struct Work {
    const wfMesh* mesh;
    wfPattern* pattern;
    wfArena arena;
    SideKey* keys;
    int* twin;   // per side, in the pattern
    int* parent; // per corner: those of one vertex of the pattern
    double tolerance;
    const char* name;
    wfError* err;
} Work;

static int CompareKeys(const void* a, const void* b) {
    const SideKey *p = a, *q = b;
    if (p->lo != q->lo) return p->lo < q->lo ? -1 : 1;
    if (p->hi != q->hi) return p->hi < q->hi ? -1 : 1;
    return p->side < q->side ? -1 : 1;
}

static int NextCorner(int corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; }
static int MeshVertex(const Work* w, int corner) { return w->mesh->triangles[corner / 3].v[corner % 3]; }

static bool IsSamePlace(const Work* w, int a, int b) {
    if (w->mesh->flat == NULL) return true;
    wfVec2 p = w->mesh->flat[a / 3].corner[a % 3], q = w->mesh->flat[b / 3].corner[b % 3];
    return hypot((double)p.x - q.x, (double)p.y - q.y) <= w->tolerance;
}

/// Joins triangles across the edges that they share in the mesh and in the pattern.
static void JoinSides(Work* w) {
    int sides = 3 * w->mesh->triangleCount;
    for (int h = 0; h < sides; ++h) {
        int a = MeshVertex(w, h), b = MeshVertex(w, NextCorner(h));
        w->keys[h] = (SideKey){a < b ? a : b, a < b ? b : a, h};
        w->twin[h] = -1;
        w->parent[h] = h;
    }
    qsort(w->keys, (size_t)sides, sizeof *w->keys, CompareKeys);
    for (int i = 0; i < sides; ++i)
        for (int j = i + 1; j < sides && w->keys[j].lo == w->keys[i].lo && w->keys[j].hi == w->keys[i].hi; ++j) {
            int h = w->keys[i].side, g = w->keys[j].side;
            if (w->twin[h] >= 0 || w->twin[g] >= 0 || MeshVertex(w, h) == MeshVertex(w, g)) continue; // runs the same way
            if (!IsSamePlace(w, h, NextCorner(g)) || !IsSamePlace(w, NextCorner(h), g)) continue;
            w->twin[h] = g;
            w->twin[g] = h;
            w->parent[wfFindRoot(w->parent, h)] = wfFindRoot(w->parent, NextCorner(g));
            w->parent[wfFindRoot(w->parent, NextCorner(h))] = wfFindRoot(w->parent, g);
        }
}

static bool NumberVertices(Work* w) {
    wfPattern* p = w->pattern;
    int sides = 3 * w->mesh->triangleCount;
    int* number = wfArena_New(&w->arena, int, sides, "vertices of a pattern", w->err);
    if (number == NULL) return false;
    for (int h = 0; h < sides; ++h) number[h] = -1;
    for (int h = 0; h < sides; ++h) {
        int root = wfFindRoot(w->parent, h);
        if (number[root] < 0) number[root] = p->vertexCount++;
        p->triangles[h / 3].v[h % 3] = number[root];
    }
    p->positions = wfArena_New(&p->arena, wfVec2, p->vertexCount, "vertices of a pattern", w->err);
    p->meshVertex = wfArena_New(&p->arena, int, p->vertexCount, "vertices of a pattern", w->err);
    p->boundarySide = wfArena_New(&p->arena, int, p->vertexCount, "vertices of a pattern", w->err);
    if (p->positions == NULL || p->meshVertex == NULL || p->boundarySide == NULL) return false;
    for (int i = 0; i < p->vertexCount; ++i) p->boundarySide[i] = -1;
    for (int h = sides - 1; h >= 0; --h) { // backwards, so that the first corner of a vertex tells its place
        int v = p->triangles[h / 3].v[h % 3];
        p->meshVertex[v] = MeshVertex(w, h);
        if (w->mesh->flat != NULL) p->positions[v] = w->mesh->flat[h / 3].corner[h % 3];
        if (w->twin[h] >= 0) continue;
        if (p->boundarySide[v] >= 0)
            return wfFail(w->err, wf_badInput, "%s: the boundary branches at vertex %d; expected a manifold", w->name, MeshVertex(w, h));
        p->boundarySide[v] = h;
    }
    return true;
}

static bool FindPieces(Work* w) {
    wfPattern* p = w->pattern;
    int* parent = wfArena_New(&w->arena, int, p->triangleCount, "pieces of a pattern", w->err);
    p->piece = wfArena_New(&p->arena, int, p->triangleCount, "pieces of a pattern", w->err);
    if (parent == NULL || p->piece == NULL) return false;
    for (int t = 0; t < p->triangleCount; ++t) parent[t] = t;
    for (int h = 0; h < 3 * p->triangleCount; ++h) {
        if (w->twin[h] < 0) continue;
        int a = wfFindRoot(parent, h / 3), b = wfFindRoot(parent, w->twin[h] / 3);
        parent[a > b ? a : b] = a > b ? b : a; // the root is the first triangle
    }
    for (int t = 0; t < p->triangleCount; ++t) {
        int root = wfFindRoot(parent, t);
        p->piece[t] = root == t ? p->pieceCount++ : p->piece[root];
    }
    p->mirrored = wfArena_New(&p->arena, bool, p->pieceCount, "pieces of a pattern", w->err);
    p->pieceStart = wfArena_New(&p->arena, int, (size_t)p->pieceCount + 2, "pieces of a pattern", w->err);
    p->pieceTriangle = wfArena_New(&p->arena, int, p->triangleCount, "pieces of a pattern", w->err);
    if (p->mirrored == NULL || p->pieceStart == NULL || p->pieceTriangle == NULL) return false;
    for (int t = 0; t < p->triangleCount; ++t) ++p->pieceStart[p->piece[t] + 2];
    for (int i = 0; i < p->pieceCount; ++i) p->pieceStart[i + 2] += p->pieceStart[i + 1];
    for (int t = 0; t < p->triangleCount; ++t) p->pieceTriangle[p->pieceStart[p->piece[t] + 1]++] = t;
    return true;
}

// ---- pieces without a pattern -------------------------------------------------------------------------------------------------

typedef struct Plane {
    wfVec3D normal, origin, u, v;
    wfVec3D lo, hi;
} Plane;

static bool LayPiecesFlat(Work* w) {
    wfPattern* p = w->pattern;
    const wfVec3* x = w->mesh->positions;
    Plane* planes = wfArena_New(&w->arena, Plane, p->pieceCount, "planes of pieces", w->err);
    if (planes == NULL) return false;
    for (int t = p->triangleCount - 1; t >= 0; --t) {
        Plane* plane = &planes[p->piece[t]];
        const int* m = w->mesh->triangles[t].v;
        wfVec3D a = wfWiden(x[m[0]]), b = wfWiden(x[m[1]]), c = wfWiden(x[m[2]]);
        plane->normal = wfAddD(plane->normal, wfCrossD(wfSubD(b, a), wfSubD(c, a)));
        plane->origin = a;
    }
    for (int i = 0; i < p->pieceCount; ++i) {
        Plane* plane = &planes[i];
        double length = wfLengthD(plane->normal);
        // A closed piece may have none; whichever is taken, it does not lie in that plane.
        plane->normal = length > 0.0 ? wfScaleD(plane->normal, 1.0 / length) : wfMake3D(0, 0, 1);
        wfVec3D n = plane->normal, axis = fabs(n.x) < 0.9 ? wfMake3D(1, 0, 0) : wfMake3D(0, 1, 0);
        wfVec3D u = wfMulAddD(axis, -wfDotD(axis, n), n);
        plane->u = wfScaleD(u, 1.0 / wfLengthD(u));
        plane->v = wfCrossD(n, plane->u);
        plane->lo = wfMake3D(INFINITY, INFINITY, INFINITY);
        plane->hi = wfMake3D(-INFINITY, -INFINITY, -INFINITY);
    }
    int* from = wfArena_New(&w->arena, int, p->pieceCount, "planes of pieces", w->err); // the vertex farthest off
    if (from == NULL) return false;
    for (int h = 0; h < 3 * p->triangleCount; ++h) {
        Plane* plane = &planes[p->piece[h / 3]];
        wfVec3D d = wfSubD(wfWiden(x[MeshVertex(w, h)]), plane->origin);
        double u = wfDotD(d, plane->u), v = wfDotD(d, plane->v), off = wfDotD(d, plane->normal);
        p->positions[p->triangles[h / 3].v[h % 3]] = (wfVec2){(float)u, (float)v};
        if (off > plane->hi.z || off < plane->lo.z) from[p->piece[h / 3]] = MeshVertex(w, h);
        plane->lo = wfMake3D(fmin(plane->lo.x, u), fmin(plane->lo.y, v), fmin(plane->lo.z, off));
        plane->hi = wfMake3D(fmax(plane->hi.x, u), fmax(plane->hi.y, v), fmax(plane->hi.z, off));
    }
    for (int i = 0; i < p->pieceCount; ++i) {
        wfVec3D size = wfSubD(planes[i].hi, planes[i].lo);
        if (size.z > PLANE * hypot(size.x, size.y))
            return wfFail(w->err, wf_badInput,
                          "%s: expected a flat pattern (texture coordinates): the piece with vertex %d has none and is not flat, by %.3g m",
                          w->name, from[i], size.z);
    }
    return true;
}

// -------------------------------------------------------------------------------------------------------------------------------

/// Makes all pieces counter-clockwise, or says where one is not of one kind.
static bool TurnPieces(Work* w) {
    wfPattern* p = w->pattern;
    int* sign = wfArena_New(&w->arena, int, p->pieceCount, "pieces of a pattern", w->err);
    int* first = wfArena_New(&w->arena, int, p->pieceCount, "pieces of a pattern", w->err);
    bool* turned = wfArena_New(&w->arena, bool, p->vertexCount, "vertices of a pattern", w->err);
    if (sign == NULL || first == NULL || turned == NULL) return false;
    for (int t = 0; t < p->triangleCount; ++t) {
        const int* v = p->triangles[t].v;
        int i = p->piece[t], side = wfOrient2(p->positions[v[0]], p->positions[v[1]], p->positions[v[2]]);
        if (side == 0) return wfFail(w->err, wf_badInput, "%s: triangle %d has no area in the flat pattern", w->name, t);
        if (sign[i] == 0) sign[i] = side, first[i] = t;
        if (sign[i] != side)
            return wfFail(w->err, wf_badInput, "%s: the flat pattern folds over between triangles %d and %d of one piece", w->name,
                          first[i], t);
    }
    for (int i = 0; i < p->pieceCount; ++i) p->mirrored[i] = sign[i] < 0;
    for (int h = 0; h < 3 * p->triangleCount; ++h) {
        int v = p->triangles[h / 3].v[h % 3];
        if (!p->mirrored[p->piece[h / 3]] || turned[v]) continue;
        turned[v] = true;
        p->positions[v].x = -p->positions[v].x;
    }
    return true;
}

static bool Run(Work* w) {
    int triangles = w->mesh->triangleCount;
    size_t sides = 3 * (size_t)triangles;
    w->pattern->triangleCount = triangles;
    w->pattern->triangles = wfArena_New(&w->pattern->arena, wfTriangle, triangles, "triangles of a pattern", w->err);
    w->keys = wfArena_New(&w->arena, SideKey, sides, "sides of a pattern", w->err);
    w->twin = wfArena_New(&w->arena, int, sides, "sides of a pattern", w->err);
    w->parent = wfArena_New(&w->arena, int, sides, "corners of a pattern", w->err);
    if (w->pattern->triangles == NULL || w->keys == NULL || w->twin == NULL || w->parent == NULL) return false;
    if (w->mesh->flat != NULL) {
        double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
        for (size_t h = 0; h < sides; ++h) {
            wfVec2 q = w->mesh->flat[h / 3].corner[h % 3];
            lo[0] = fmin(lo[0], q.x), lo[1] = fmin(lo[1], q.y);
            hi[0] = fmax(hi[0], q.x), hi[1] = fmax(hi[1], q.y);
        }
        w->tolerance = SAME_PLACE * fmax(hi[0] - lo[0], hi[1] - lo[1]);
    }
    JoinSides(w);
    WF_TRY(NumberVertices(w) && FindPieces(w));
    return (w->mesh->flat != NULL || LayPiecesFlat(w)) && TurnPieces(w);
}

bool wfPattern_Create(wfPattern* pattern, const wfMesh* mesh, const char* name, wfError* err) {
    Work work = {.mesh = mesh, .pattern = pattern, .name = name, .err = err};
    bool ok = Run(&work);
    wfArena_Free(&work.arena);
    if (!ok) wfPattern_Free(pattern);
    return ok;
}

void wfPattern_Free(wfPattern* pattern) {
    wfArena_Free(&pattern->arena);
    *pattern = (wfPattern){0};
}
