// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/boundary.h"

#include "base/assert.h"
#include "mesh/topology.h"

#include <string.h>

// Nearer to a vertex than this part of its edge, a point is that vertex: what was cut to match is sewn vertex to vertex.
#define SNAP 1e-3
// Two ways whose lengths differ by less than this part are the same to whoever drew the mesh.
#define SAME_LENGTH 1e-5

static double EdgeLength(const wfMeshView* view, int triangle, int corner) {
    int next = (corner + 1) % 3;
    if (view->flat != NULL) {
        const float *p = view->flat + 6 * (size_t)triangle + 2 * corner, *q = view->flat + 6 * (size_t)triangle + 2 * next;
        return hypot((double)q[0] - p[0], (double)q[1] - p[1]);
    }
    const float* x = view->restPositions != NULL ? view->restPositions : view->positions;
    const float *p = x + 3 * (size_t)view->triangles[3 * triangle + corner], *q = x + 3 * (size_t)view->triangles[3 * triangle + next];
    double dx = (double)q[0] - p[0], dy = (double)q[1] - p[1], dz = (double)q[2] - p[2];
    return sqrt(dx * dx + dy * dy + dz * dz);
}

static bool LinkEdge(wfBoundary* b, const wfMeshView* view, int triangle, int corner, const char* name, wfError* err) {
    int from = view->triangles[3 * triangle + corner], to = view->triangles[3 * triangle + (corner + 1) % 3];
    if (b->next[from] >= 0 || b->previous[to] >= 0) {
        return wfFail(err, wf_badInput, "%s: the boundary branches at vertex %d", name, b->next[from] >= 0 ? from : to);
    }
    b->next[from] = to;
    b->previous[to] = from;
    b->length[from] = EdgeLength(view, triangle, corner);
    if (b->length[from] > 0.0 && isfinite(b->length[from])) return true;
    return wfFail(err, wf_badInput, "%s: the boundary edge from vertex %d to %d has no length", name, from, to);
}

bool wfBoundary_Create(wfBoundary* boundary, const wfMeshView* view, const char* name, wfError* err) {
    size_t n = (size_t)view->vertexCount;
    wfTopology topology = {0};
    *boundary = (wfBoundary){.vertexCount = view->vertexCount};
    boundary->next = wfArena_New(&boundary->arena, int, n, "boundary", err);
    boundary->previous = wfArena_New(&boundary->arena, int, n, "boundary", err);
    boundary->length = wfArena_New(&boundary->arena, double, n, "boundary", err);
    bool ok = boundary->next != NULL && boundary->previous != NULL && boundary->length != NULL &&
              wfCheckTriangles((const wfTriangle*)view->triangles, view->triangleCount, view->vertexCount, name, err) &&
              wfTopology_Create(&topology, (const wfTriangle*)view->triangles, view->triangleCount, view->vertexCount, err);
    for (size_t v = 0; ok && v < n; ++v) boundary->next[v] = boundary->previous[v] = -1;
    for (int t = 0; ok && t < view->triangleCount; ++t) {
        for (int k = 0; ok && k < 3; ++k) {
            if (topology.edges[topology.triangleEdges[t][k]].triangle[1] < 0) ok = LinkEdge(boundary, view, t, k, name, err);
        }
    }
    for (size_t v = 0; ok && v < n; ++v) { // of a mesh that is not manifold
        if ((boundary->next[v] < 0) != (boundary->previous[v] < 0)) {
            ok = wfFail(err, wf_badInput, "%s: the boundary ends at vertex %zu", name, v);
        }
    }
    wfTopology_Free(&topology);
    if (!ok) wfBoundary_Free(boundary);
    return ok;
}

void wfBoundary_Free(wfBoundary* boundary) {
    wfArena_Free(&boundary->arena);
    *boundary = (wfBoundary){0};
}

// ---- runs ---------------------------------------------------------------------------------------------------------------------

// One leg of a run: how far it is to go, and which way.
typedef struct Leg {
    bool forward;
    int count; // edges
} Leg;

static bool FindLeg(const wfBoundary* b, int from, int to, Leg* out, const char* name, wfError* err) {
    if (from == to) return wfFail(err, wf_badInput, "%s: the run goes from vertex %d to itself; name vertices between", name, from);
    double ahead = 0.0, behind = 0.0;
    int aheadCount = 0, behindCount = 0;
    for (int v = from; v != to || aheadCount == 0; v = b->next[v]) {
        if (aheadCount > 0 && v == from) {
            return wfFail(err, wf_badInput, "%s: vertices %d and %d lie on different boundaries", name, from, to);
        }
        ahead += b->length[v];
        ++aheadCount;
    }
    for (int v = from; v != to; v = b->previous[v], ++behindCount) behind += b->length[b->previous[v]];
    if (fabs(ahead - behind) <= SAME_LENGTH * (ahead + behind)) {
        return wfFail(err, wf_badInput, "%s: both ways from vertex %d to %d are %.6g m long; name a vertex between", name, from, to, ahead);
    }
    *out = ahead < behind ? (Leg){true, aheadCount} : (Leg){false, behindCount};
    return true;
}

bool wfBoundary_FindRun(const wfBoundary* b, const int* through, int count, wfArena* arena, wfRun* out, const char* name, wfError* err) {
    *out = (wfRun){0};
    if (count < 2) return wfFail(err, wf_badInput, "%s: expected at least 2 vertices for a run, got %d", name, count);
    for (int k = 0; k < count; ++k) {
        if (through[k] < 0 || through[k] >= b->vertexCount) {
            return wfFail(err, wf_badInput, "%s: expected vertices from 0 to %d, got %d", name, b->vertexCount - 1, through[k]);
        }
        if (b->next[through[k]] < 0) return wfFail(err, wf_badInput, "%s: vertex %d is not on the boundary", name, through[k]);
    }
    wfArena scratch = {0};
    Leg* legs = wfArena_New(&scratch, Leg, count, "a run", err);
    bool* met = wfArena_New(&scratch, bool, b->vertexCount, "a run", err);
    bool ok = legs != NULL && met != NULL;
    int64_t edges = 0;
    for (int k = 0; ok && k + 1 < count; ++k) {
        ok = FindLeg(b, through[k], through[k + 1], &legs[k], name, err);
        edges += ok ? legs[k].count : 0;
    }
    if (ok && edges > b->vertexCount) ok = wfFail(err, wf_badInput, "%s: the run meets itself", name);
    if (ok) {
        out->vertices = wfArena_New(arena, int, edges + 1, "a run", err);
        out->share = wfArena_New(arena, double, edges + 1, "a run", err);
        ok = out->vertices != NULL && out->share != NULL;
    }
    int v = through[0];
    for (int k = 0; ok && k + 1 < count; ++k) {
        for (int e = 0; ok && e < legs[k].count; ++e) {
            if (met[v]) ok = wfFail(err, wf_badInput, "%s: the run meets itself at vertex %d", name, v);
            met[v] = true;
            out->vertices[out->count] = v;
            out->share[out->count++] = out->length;
            out->length += b->length[legs[k].forward ? v : b->previous[v]];
            v = legs[k].forward ? b->next[v] : b->previous[v];
        }
    }
    if (ok && met[v] && v != through[0]) ok = wfFail(err, wf_badInput, "%s: the run meets itself at vertex %d", name, v);
    if (ok) {
        out->vertices[out->count] = v;
        out->share[out->count++] = out->length;
        for (int k = 0; k < out->count; ++k) out->share[k] /= out->length;
    }
    wfArena_Free(&scratch);
    return ok;
}

// ---- sewing -------------------------------------------------------------------------------------------------------------------

// The point of a run at a share of its length; *edge is where to look first and where it was found, so that a row of shares is one walk.
static wfTie TieAt(int side, int vertex, const wfRun* other, double share, int* edge) {
    while (*edge + 2 < other->count && other->share[*edge + 1] <= share) ++*edge;
    double from = other->share[*edge], to = other->share[*edge + 1];
    double t = (share - from) / (to - from);
    int a = other->vertices[*edge], b = other->vertices[*edge + 1];
    if (t < SNAP) return (wfTie){side, vertex, {a, a}, 0.0f};
    if (t > 1.0 - SNAP) return (wfTie){side, vertex, {b, b}, 0.0f};
    return (wfTie){side, vertex, {a, b}, (float)t};
}

int wfSewRuns(const wfRun* a, const wfRun* b, wfTie* out) {
    WF_ASSERT(a->count >= 2 && b->count >= 2);
    int side = b->count > a->count ? 1 : 0, count = 0, edge = 0;
    const wfRun *fine = side == 0 ? a : b, *coarse = side == 0 ? b : a;
    bool fineClosed = fine->vertices[0] == fine->vertices[fine->count - 1];
    bool coarseClosed = coarse->vertices[0] == coarse->vertices[coarse->count - 1];
    for (int k = 0; k < fine->count - (fineClosed ? 1 : 0); ++k) {
        out[count++] = TieAt(side, fine->vertices[k], coarse, fine->share[k], &edge);
    }
    // Of the coarse run every vertex at or beside a tied point takes part. Both rows increase: one walk finds the others.
    int tied = count, tie = 0;
    edge = 0;
    for (int k = 1; k + 1 < coarse->count; ++k) { // the ends meet the ends of the other run
        while (tie < tied && fine->share[tie] <= coarse->share[k - 1] + SNAP * (coarse->share[k] - coarse->share[k - 1])) ++tie;
        bool reached = tie < tied && fine->share[tie] < coarse->share[k + 1] - SNAP * (coarse->share[k + 1] - coarse->share[k]);
        if (!reached) out[count++] = TieAt(1 - side, coarse->vertices[k], fine, coarse->share[k], &edge);
    }
    if (fineClosed && !coarseClosed) {
        out[count++] = (wfTie){1 - side, coarse->vertices[coarse->count - 1], {fine->vertices[0], fine->vertices[0]}, 0.0f};
    }
    return count;
}
