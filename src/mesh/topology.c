// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/topology.h"

#include "mesh/find_root.h"

#include <limits.h>

// Edges come from sorting the 3 T sides of the triangles by (lower vertex, upper vertex) with two stable counting sorts: linear time, one
// scratch array, and sides of one edge stay in the order of their triangles. Everything else is counting over the sorted edges.

static int Lower(const wfTriangle* triangles, int side) {
    const int* v = triangles[side / 3].v;
    int a = v[side % 3], b = v[(side + 1) % 3];
    return a < b ? a : b;
}

static int Upper(const wfTriangle* triangles, int side) {
    const int* v = triangles[side / 3].v;
    int a = v[side % 3], b = v[(side + 1) % 3];
    return a > b ? a : b;
}

// Turns counts, kept at count[i + 1], into the starts of rows, and the starts into the next free places of the rows.
static void CountsToStarts(int* count, int rows) {
    for (int i = 0; i < rows; ++i) count[i + 1] += count[i];
}

static void Sort(int* out, const int* in, int count, int (*key)(const wfTriangle*, int), const wfTriangle* triangles, int* start,
                 int rows) {
    for (int i = 0; i <= rows; ++i) start[i] = 0;
    for (int i = 0; i < count; ++i) ++start[key(triangles, i) + 1];
    CountsToStarts(start, rows);
    for (int i = 0; i < count; ++i) {
        int side = in != NULL ? in[i] : i;
        out[start[key(triangles, side)]++] = side;
    }
}

static void BuildEdges(wfTopology* t, const int* sides) {
    int e = -1;
    for (int i = 0; i < 3 * t->triangleCount; ++i) {
        int side = sides[i], triangle = side / 3, a = Lower(t->triangles, side), b = Upper(t->triangles, side);
        int opposite = t->triangles[triangle].v[(side + 2) % 3];
        if (e < 0 || t->edges[e].v[0] != a || t->edges[e].v[1] != b) {
            t->edges[++e] = (wfEdge){{a, b}, {triangle, -1}, {opposite, -1}};
        } else if (t->edges[e].triangle[1] < 0) {
            t->edges[e].triangle[1] = triangle;
            t->edges[e].opposite[1] = opposite;
        }
        t->triangleEdges[triangle][side % 3] = e;
    }
}

// Rows are filled in order of their items, the start of a row serving as its next free place; afterwards each start holds the next one's.
static void StepBackStarts(wfRows* rows) {
    for (int i = rows->rowCount; i > 0; --i) rows->start[i] = rows->start[i - 1];
    rows->start[0] = 0;
}

static void BuildVertexTriangles(wfTopology* t) {
    wfRows* rows = &t->vertexTriangles;
    for (int i = 0; i < t->triangleCount; ++i)
        for (int k = 0; k < 3; ++k) ++rows->start[t->triangles[i].v[k] + 1];
    CountsToStarts(rows->start, rows->rowCount);
    for (int i = 0; i < t->triangleCount; ++i)
        for (int k = 0; k < 3; ++k) rows->item[rows->start[t->triangles[i].v[k]]++] = i;
    StepBackStarts(rows);
}

// Edges are sorted, so a vertex meets first its lower neighbours, increasing, then its upper ones: the ring needs no sort of its own.
static void BuildVertexEdges(wfTopology* t) {
    wfRows *rows = &t->vertexEdges, *ring = &t->ring1;
    for (int e = 0; e < t->edgeCount; ++e)
        for (int k = 0; k < 2; ++k) ++rows->start[t->edges[e].v[k] + 1];
    CountsToStarts(rows->start, rows->rowCount);
    for (int e = 0; e < t->edgeCount; ++e)
        for (int k = 0; k < 2; ++k) {
            int place = rows->start[t->edges[e].v[k]]++;
            rows->item[place] = e;
            ring->item[place] = t->edges[e].v[1 - k];
        }
    StepBackStarts(rows);
}

static void FindBoundary(wfTopology* t) {
    for (int e = 0; e < t->edgeCount; ++e)
        if (t->edges[e].triangle[1] < 0) {
            ++t->boundaryEdgeCount;
            t->boundaryVertex[t->edges[e].v[0]] = t->boundaryVertex[t->edges[e].v[1]] = true;
        }
}

// Union by lower index, so that a root is the first vertex of its component and a parent is never above its child.
static void FindComponents(wfTopology* t) {
    int* parent = t->component;
    for (int i = 0; i < t->vertexCount; ++i) parent[i] = i;
    for (int e = 0; e < t->edgeCount; ++e) {
        int a = wfFindRoot(parent, t->edges[e].v[0]), b = wfFindRoot(parent, t->edges[e].v[1]);
        if (a < b) parent[b] = a;
        if (b < a) parent[a] = b;
    }
    // In place: whatever lies below i is a number already.
    for (int i = 0; i < t->vertexCount; ++i) parent[i] = parent[i] == i ? t->componentCount++ : parent[parent[i]];
}

static bool MakeRows(wfArena* arena, wfRows* rows, int rowCount, size_t itemCount, const char* what, wfError* err) {
    rows->rowCount = rowCount;
    rows->start = wfArena_New(arena, int, (size_t)rowCount + 1, what, err);
    rows->item = wfArena_New(arena, int, itemCount, what, err);
    return rows->start != NULL && rows->item != NULL;
}

static bool Build(wfTopology* t, wfArena* scratch, wfError* err) {
    int sideCount = 3 * t->triangleCount;
    t->triangleEdges = wfArena_Alloc(&t->arena, (size_t)t->triangleCount, sizeof *t->triangleEdges, "edges of triangles", err);
    int* sides = wfArena_New(scratch, int, sideCount, "sides of triangles", err);
    int* start = wfArena_New(scratch, int, (size_t)t->vertexCount + 1, "sides of vertices", err);
    if (t->triangleEdges == NULL || sides == NULL || start == NULL) return false;

    int* byUpper = (int*)t->triangleEdges; // its place is free until the edges are numbered
    Sort(byUpper, NULL, sideCount, Upper, t->triangles, start, t->vertexCount);
    Sort(sides, byUpper, sideCount, Lower, t->triangles, start, t->vertexCount);
    for (int i = 0; i < sideCount; ++i)
        t->edgeCount += i == 0 || Lower(t->triangles, sides[i]) != Lower(t->triangles, sides[i - 1]) ||
                        Upper(t->triangles, sides[i]) != Upper(t->triangles, sides[i - 1]);
    if (t->edgeCount > INT_MAX / 2)
        return wfFail(err, wf_badInput, "a mesh of %d edges is too large, at most %d are possible", t->edgeCount, INT_MAX / 2);
    t->edges = wfArena_New(&t->arena, wfEdge, t->edgeCount, "edges", err);
    if (t->edges == NULL) return false;
    BuildEdges(t, sides);
    wfArena_Free(scratch);

    size_t ends = 2 * (size_t)t->edgeCount;
    WF_TRY(MakeRows(&t->arena, &t->vertexTriangles, t->vertexCount, (size_t)sideCount, "triangles of vertices", err));
    WF_TRY(MakeRows(&t->arena, &t->vertexEdges, t->vertexCount, ends, "edges of vertices", err));
    t->ring1 = (wfRows){t->vertexCount, t->vertexEdges.start, wfArena_New(&t->arena, int, ends, "rings of vertices", err)};
    t->boundaryVertex = wfArena_New(&t->arena, bool, t->vertexCount, "boundary", err);
    t->component = wfArena_New(&t->arena, int, t->vertexCount, "components", err);
    if (t->ring1.item == NULL || t->boundaryVertex == NULL || t->component == NULL) return false;
    BuildVertexTriangles(t);
    BuildVertexEdges(t);
    FindBoundary(t);
    FindComponents(t);
    return true;
}

bool wfTopology_Create(wfTopology* topology, const wfTriangle* triangles, int triangleCount, int vertexCount, wfError* err) {
    *topology = (wfTopology){0};
    WF_TRY(wfCheckTriangles(triangles, triangleCount, vertexCount, "mesh", err));
    topology->triangles = triangles;
    topology->triangleCount = triangleCount;
    topology->vertexCount = vertexCount;
    wfArena scratch = {0};
    bool ok = Build(topology, &scratch, err);
    wfArena_Free(&scratch);
    if (!ok) wfTopology_Free(topology);
    return ok;
}

void wfTopology_Free(wfTopology* topology) {
    wfArena_Free(&topology->arena);
    *topology = (wfTopology){0};
}

// Calls for each vertex within two edges of i, once. `seen` holds i where a vertex was met already. With cursor NULL it counts only;
// else it writes i behind the cursor of each: being near is mutual, so the rows come out increasing when i does.
static int Visit2(const wfRows* ring, int i, int* seen, int* cursor, int* item) {
    int count = 0;
    seen[i] = i;
    for (int a = ring->start[i]; a < ring->start[i + 1]; ++a) {
        int near = ring->item[a];
        for (int b = ring->start[near] - 1; b < ring->start[near + 1]; ++b) {
            int v = b < ring->start[near] ? near : ring->item[b];
            if (seen[v] == i) continue;
            seen[v] = i;
            ++count;
            if (cursor != NULL) item[cursor[v]++] = i;
        }
    }
    return count;
}

bool wfTopology_Ring2(const wfTopology* topology, wfArena* arena, wfRows* out, wfError* err) {
    int n = topology->vertexCount;
    wfArena scratch = {0};
    int* seen = wfArena_New(&scratch, int, n, "two-rings", err);
    int* start = wfArena_New(arena, int, (size_t)n + 1, "two-rings", err);
    bool ok = seen != NULL && start != NULL;
    if (ok) {
        int64_t total = 0;
        for (int i = 0; i < n; ++i) seen[i] = -1;
        for (int i = 0; i < n && total <= INT_MAX; ++i) {
            total += Visit2(&topology->ring1, i, seen, NULL, NULL);
            start[i + 1] = (int)(total <= INT_MAX ? total : INT_MAX);
        }
        if (total > INT_MAX)
            ok = wfFail(err, wf_badInput, "the two-rings of %d vertices are too large, at most %d entries are possible", n, INT_MAX);
        *out = (wfRows){n, start, ok ? wfArena_New(arena, int, total, "two-rings", err) : NULL};
        ok = out->item != NULL;
    }
    if (ok) {
        for (int i = 0; i < n; ++i) seen[i] = -1;
        for (int i = 0; i < n; ++i) Visit2(&topology->ring1, i, seen, start, out->item);
        StepBackStarts(out);
    }
    wfArena_Free(&scratch);
    return ok;
}
