// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/topology.h"

#include "mesh/find_root.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What makes a mesh something other than an oriented surface. Each kind has its own pass over the topology; all take linear time on
// meshes (the search for duplicates looks at the corner with the fewest triangles, so that a fan's centre costs nothing).

typedef struct List {
    void* items;
    size_t count, capacity;
} List;

static bool Add(List* list, wfDefect defect, wfError* err) {
    WF_TRY(wfGrow(&list->items, &list->capacity, list->count + 1, sizeof defect, "defects", err));
    ((wfDefect*)list->items)[list->count++] = defect;
    return true;
}

// Whether a triangle runs along the edge from its lower to its upper vertex.
static bool RunsUp(const wfTopology* t, int triangle, const wfEdge* edge) {
    const int* v = t->triangles[triangle].v;
    for (int k = 0; k < 3; ++k)
        if (v[k] == edge->v[0]) return v[(k + 1) % 3] == edge->v[1];
    return false;
}

static bool FindEdgeDefects(const wfTopology* t, List* list, wfArena* scratch, wfError* err) {
    int* count = wfArena_New(scratch, int, t->edgeCount, "triangles of edges", err);
    if (count == NULL) return false;
    for (int i = 0; i < t->triangleCount; ++i)
        for (int k = 0; k < 3; ++k) ++count[t->triangleEdges[i][k]];
    for (int e = 0; e < t->edgeCount; ++e) {
        const wfEdge* edge = &t->edges[e];
        if (count[e] > 2)
            WF_TRY(Add(list, (wfDefect){wf_defectEdge, {edge->v[0], edge->v[1]}, {edge->triangle[0], edge->triangle[1]}}, err));
    }
    for (int e = 0; e < t->edgeCount; ++e) {
        const wfEdge* edge = &t->edges[e];
        if (count[e] == 2 && RunsUp(t, edge->triangle[0], edge) == RunsUp(t, edge->triangle[1], edge))
            WF_TRY(Add(list, (wfDefect){wf_defectOrientation, {edge->v[0], edge->v[1]}, {edge->triangle[0], edge->triangle[1]}}, err));
    }
    return true;
}

// A triangle joins two neighbours of a vertex; the neighbours that hang together make a fan.
static bool FindVertexDefects(const wfTopology* t, List* list, wfArena* scratch, wfError* err) {
    int* parent = wfArena_New(scratch, int, t->vertexCount, "fans", err);
    if (parent == NULL) return false;
    for (int i = 0; i < t->vertexCount; ++i) {
        const int *ring = t->ring1.item + t->ring1.start[i], *faces = t->vertexTriangles.item + t->vertexTriangles.start[i];
        int ringCount = t->ring1.start[i + 1] - t->ring1.start[i];
        int faceCount = t->vertexTriangles.start[i + 1] - t->vertexTriangles.start[i];
        for (int k = 0; k < ringCount; ++k) parent[ring[k]] = ring[k];
        for (int f = 0; f < faceCount; ++f) {
            const int* v = t->triangles[faces[f]].v;
            int k = v[0] == i ? 0 : v[1] == i ? 1 : 2;
            parent[wfFindRoot(parent, v[(k + 1) % 3])] = wfFindRoot(parent, v[(k + 2) % 3]);
        }
        for (int f = 1, first = -1; f < faceCount; ++f) {
            const int *v = t->triangles[faces[f]].v, *w = t->triangles[faces[0]].v;
            if (first < 0) first = wfFindRoot(parent, w[0] == i ? w[1] : w[0]);
            if (wfFindRoot(parent, v[0] == i ? v[1] : v[0]) == first) continue;
            WF_TRY(Add(list, (wfDefect){wf_defectVertex, {i, -1}, {faces[0], faces[f]}}, err));
            break;
        }
    }
    return true;
}

static bool SameVertices(const int* a, const int* b) {
    for (int k = 0; k < 3; ++k)
        if (a[k] != b[0] && a[k] != b[1] && a[k] != b[2]) return false;
    return true;
}

static bool FindDuplicates(const wfTopology* t, List* list, wfError* err) {
    const int* start = t->vertexTriangles.start;
    for (int i = 0; i < t->triangleCount; ++i) {
        const int* v = t->triangles[i].v;
        int best = v[0];
        for (int k = 1; k < 3; ++k)
            if (start[v[k] + 1] - start[v[k]] < start[best + 1] - start[best]) best = v[k];
        for (int k = start[best]; k < start[best + 1] && t->vertexTriangles.item[k] < i; ++k) {
            int other = t->vertexTriangles.item[k];
            if (!SameVertices(v, t->triangles[other].v)) continue;
            const int* w = t->triangles[other].v;
            WF_TRY(Add(list, (wfDefect){wf_defectDuplicate, {w[0], w[1]}, {other, i}}, err));
            break;
        }
    }
    return true;
}

bool wfTopology_FindDefects(const wfTopology* topology, wfArena* arena, wfDefect** out, int* count, wfError* err) {
    List list = {0};
    wfArena scratch = {0};
    bool ok = FindEdgeDefects(topology, &list, &scratch, err) && FindVertexDefects(topology, &list, &scratch, err) &&
              FindDuplicates(topology, &list, err);
    wfArena_Free(&scratch);
    if (ok) {
        *count = (int)list.count;
        *out = wfArena_New(arena, wfDefect, list.count, "defects", err);
        ok = *out != NULL;
    }
    if (ok && list.count > 0) memcpy(*out, list.items, list.count * sizeof **out);
    free(list.items);
    return ok;
}

void wfDefect_Describe(const wfDefect* defect, bool oneBased, char* text, size_t size) {
    int base = oneBased ? 1 : 0;
    int a = defect->vertices[0] + base, b = defect->vertices[1] + base, s = defect->triangles[0] + base, t = defect->triangles[1] + base;
    switch (defect->kind) {
    case wf_defectEdge:
        snprintf(text, size, "edge %d-%d has more than two triangles (faces %d, %d)", a, b, s, t);
        break;
    case wf_defectOrientation:
        snprintf(text, size, "edge %d-%d is run along in the same direction twice (faces %d, %d)", a, b, s, t);
        break;
    case wf_defectVertex:
        snprintf(text, size, "vertex %d joins more than one fan of triangles (faces %d, %d)", a, s, t);
        break;
    case wf_defectDuplicate:
        snprintf(text, size, "faces %d and %d have the same three vertices", s, t);
        break;
    }
}

bool wfTopology_RequireManifold(const wfTopology* topology, const char* name, wfError* err) {
    wfArena arena = {0};
    wfDefect* defects;
    int count = 0;
    bool ok = wfTopology_FindDefects(topology, &arena, &defects, &count, err);
    if (ok && count > 0) {
        char text[128];
        wfDefect_Describe(&defects[0], false, text, sizeof text);
        ok = wfFail(err, wf_badInput, "%s: %s; %d %s in all", name, text, count, count == 1 ? "defect" : "defects");
    }
    wfArena_Free(&arena);
    return ok;
}
