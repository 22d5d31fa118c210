// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/measure.h"

#include "mesh/find_root.h"

static void MeasureEdges(const wfVec3* x, const wfTopology* topology, wfMeasures* out) {
    double sum = 0.0;
    out->edgeMin = topology->edgeCount > 0 ? INFINITY : 0.0;
    for (int e = 0; e < topology->edgeCount; ++e) {
        double length = (double)wfDistance(x[topology->edges[e].v[0]], x[topology->edges[e].v[1]]);
        sum += length;
        out->edgeMin = fmin(out->edgeMin, length);
        out->edgeMax = fmax(out->edgeMax, length);
    }
    if (topology->edgeCount > 0) out->edgeMean = sum / topology->edgeCount;
}

static void MeasureTriangles(const wfMesh* mesh, wfMeasures* out) {
    double volume = 0.0;
    // About the middle of the box: a mesh far from the origin keeps its digits.
    wfVec3 middle = wfScale(wfAdd(out->lo, out->hi), 0.5f);
    for (int t = 0; t < mesh->triangleCount; ++t) {
        const int* v = mesh->triangles[t].v;
        wfVec3 a = wfSub(mesh->positions[v[0]], middle), b = wfSub(mesh->positions[v[1]], middle), c = wfSub(mesh->positions[v[2]], middle);
        out->area += (double)wfTriangleArea(a, b, c);
        volume += ((double)a.x * ((double)b.y * c.z - (double)b.z * c.y) + (double)a.y * ((double)b.z * c.x - (double)b.x * c.z) +
                   (double)a.z * ((double)b.x * c.y - (double)b.y * c.x)) /
                  6.0;
    }
    out->volume = out->closed ? volume : NAN;
}

// Boundary edges that hang together through their vertices are one loop; where two loops touch in a vertex they count as one.
static bool CountLoops(const wfTopology* topology, int* count, wfError* err) {
    wfArena arena = {0};
    int* parent = wfArena_New(&arena, int, topology->vertexCount, "boundary loops", err);
    if (parent == NULL) return false;
    for (int i = 0; i < topology->vertexCount; ++i) parent[i] = i;
    int vertices = 0, joined = 0;
    for (int i = 0; i < topology->vertexCount; ++i) vertices += topology->boundaryVertex[i];
    for (int e = 0; e < topology->edgeCount; ++e) {
        const wfEdge* edge = &topology->edges[e];
        if (edge->triangle[1] >= 0) continue;
        int a = wfFindRoot(parent, edge->v[0]), b = wfFindRoot(parent, edge->v[1]);
        joined += a != b;
        parent[a] = b;
    }
    *count = vertices - joined;
    wfArena_Free(&arena);
    return true;
}

static bool IsClosed(const wfTopology* topology, bool* closed, wfError* err) {
    *closed = topology->boundaryEdgeCount == 0;
    if (!*closed) return true;
    wfArena arena = {0};
    wfDefect* defects;
    int count;
    bool ok = wfTopology_FindDefects(topology, &arena, &defects, &count, err);
    for (int i = 0; ok && i < count; ++i) {
        if (defects[i].kind == wf_defectEdge || defects[i].kind == wf_defectOrientation) *closed = false;
    }
    wfArena_Free(&arena);
    return ok;
}

bool wfMeasureMesh(const wfMesh* mesh, const wfTopology* topology, wfMeasures* out, wfError* err) {
    *out = (wfMeasures){0};
    wfMesh_Bounds(mesh->positions, mesh->vertexCount, &out->lo, &out->hi);
    WF_TRY(IsClosed(topology, &out->closed, err));
    WF_TRY(CountLoops(topology, &out->boundaryLoopCount, err));
    for (int i = 0; i < mesh->vertexCount; ++i) {
        out->looseVertexCount += topology->vertexTriangles.start[i] == topology->vertexTriangles.start[i + 1];
    }
    out->pieceCount = topology->componentCount - out->looseVertexCount;
    MeasureEdges(mesh->positions, topology, out);
    MeasureTriangles(mesh, out);
    return true;
}
