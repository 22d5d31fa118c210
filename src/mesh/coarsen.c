// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/coarsen.h"

#include "mesh/coarsen_mesh.h"
#include "mesh/coarsen_seams.h"

#include <math.h>

// First it is chosen who stays: corners, every second vertex along boundaries and seams, and inside, in the order of the vertices, each one
// that is not within `Spacing` of one that stays already. On a regular grid that is every second one along both sides. Then the others are
// taken out in rounds, neighbours not in the same round, so that triangles stay well shaped; and at last edges are flipped.

#define PI      3.14159265358979323846
#define CORNER  0.7 // [rad] what the angles about a vertex may differ from flat or straight before it must stay
#define SPACING 1.6 // between those that stay, in units of the spacing of the fine mesh: above the diagonal of a grid, below twice its side

typedef enum Role { Inside, OnLine, Corner } Role; // a line is a boundary or a seam

typedef struct Choice {
    wfCoarsener* mesh;
    const wfTopology* topology;
    Role* role;
    bool *stays, *covered;
    bool* lineEdge; // per edge; false again once it was walked along
    // Of the walk that covers what is near:
    double* distance;
    int *seen, *queue;
    bool* waiting;
} Choice;

static double FlatDistance(wfPoint2 a, wfPoint2 b) { return hypot(a.x - b.x, a.y - b.y); }

static double AngleAt(const wfCoarsener* m, int side) {
    wfPoint2 at = m->at[side], a = m->at[wfNextSide(side)], b = m->at[wfPreviousSide(side)];
    double ax = a.x - at.x, ay = a.y - at.y, bx = b.x - at.x, by = b.y - at.y;
    return atan2(fabs(ax * by - ay * bx), ax * bx + ay * by);
}

static int CornerIn(const wfTriangle* t, int v) { return t->v[0] == v ? 0 : t->v[1] == v ? 1 : 2; }

// ---- who stays ----------------------------------------------------------------------------------------------------------------

static void FindLines(Choice* c) {
    const wfTopology* topology = c->topology;
    for (int e = 0; e < topology->edgeCount; ++e) c->lineEdge[e] = topology->edges[e].triangle[1] < 0;
    for (int side = 0; side < 3 * topology->triangleCount; ++side)
        if (c->mesh->seam[side]) c->lineEdge[topology->triangleEdges[side / 3][side % 3]] = true;
}

/// A vertex of a line is no corner when the line is either boundary or seam there, and straight as seen from each side of it.
static Role RoleOf(const Choice* c, int v) {
    const wfTopology* topology = c->topology;
    const wfCoarsener* m = c->mesh;
    const wfRows *edges = &topology->vertexEdges, *triangles = &topology->vertexTriangles;
    int lines = 0, boundaries = 0;
    for (int k = edges->start[v]; k < edges->start[v + 1]; ++k) {
        lines += c->lineEdge[edges->item[k]];
        boundaries += topology->edges[edges->item[k]].triangle[1] < 0;
    }
    double sum = 0.0;
    for (int k = triangles->start[v]; k < triangles->start[v + 1]; ++k) {
        int t = triangles->item[k];
        sum += AngleAt(m, 3 * t + CornerIn(&topology->triangles[t], v));
    }
    if (lines == 0) return fabs(sum - 2.0 * PI) > CORNER ? Corner : Inside;
    if (lines != 2 || boundaries == 1) return Corner;
    if (boundaries == 2) return fabs(sum - PI) > CORNER ? Corner : OnLine;
    // The two sides of a seam: walk from one of its edges to the other.
    int side = m->sideOf[v];
    while (!m->seam[side]) side = wfNextSide(m->twin[side]);
    double half = AngleAt(m, side);
    for (int at = side; !m->seam[wfPreviousSide(at)];) {
        at = m->twin[wfPreviousSide(at)];
        half += AngleAt(m, at);
    }
    return fabs(half - PI) > CORNER || fabs(sum - half - PI) > CORNER ? Corner : OnLine;
}

/// Walks along a line from a vertex that stays to the next corner, or around. Every second vertex stays, but for the last one where it
/// would be next to the end.
static void WalkLine(Choice* c, int from, int edge) {
    const wfRows* edges = &c->topology->vertexEdges;
    int at = from, before = -1, count = 0;
    for (;;) {
        c->lineEdge[edge] = false;
        const int* ends = c->topology->edges[edge].v;
        before = at;
        at = ends[0] == at ? ends[1] : ends[0];
        if (at == from || c->role[at] != OnLine) break;
        ++count;
        c->stays[at] = count % 2 == 0;
        for (int k = edges->start[at]; k < edges->start[at + 1]; ++k)
            if (c->lineEdge[edges->item[k]]) edge = edges->item[k];
    }
    if (count > 0 && c->role[before] == OnLine) c->stays[before] = false;
}

/// Covers what lies within `radius` of a vertex, along edges and straight across them.
static void Cover(Choice* c, int from, double radius) {
    const wfCoarsener* m = c->mesh;
    const wfTopology* topology = c->topology;
    int head = 0, count = 0, n = topology->vertexCount;
    c->seen[from] = from;
    c->distance[from] = 0.0;
    c->queue[count++] = from;
    while (count > 0) {
        int v = c->queue[head];
        head = head + 1 == n ? 0 : head + 1;
        --count;
        c->waiting[v] = false;
        c->covered[v] = true;
        const wfRows* triangles = &topology->vertexTriangles;
        for (int k = triangles->start[v]; k < triangles->start[v + 1]; ++k) {
            int t = triangles->item[k], side = 3 * t + CornerIn(&topology->triangles[t], v);
            int a = wfNextSide(side), b = wfPreviousSide(side), twin = m->twin[a];
            int to[3] = {m->corner[a], m->corner[b], -1};
            double length[3] = {FlatDistance(m->at[side], m->at[a]), FlatDistance(m->at[side], m->at[b]), 0.0};
            if (twin >= 0) { // both triangles laid out along their edge
                int d = wfPreviousSide(twin);
                double base = FlatDistance(m->at[a], m->at[b]), other = FlatDistance(m->at[twin], m->at[wfNextSide(twin)]);
                double alongV = length[0] * cos(AngleAt(m, a)), upV = length[0] * sin(AngleAt(m, a));
                double toD = FlatDistance(m->at[wfNextSide(twin)], m->at[d]), angle = AngleAt(m, wfNextSide(twin));
                to[2] = m->corner[d];
                length[2] = hypot(alongV - toD * cos(angle) * base / other, upV + toD * sin(angle));
            }
            for (int j = 0; j < 3; ++j) {
                double reached = c->distance[v] + length[j];
                int w = to[j];
                if (w < 0 || reached >= radius || (c->seen[w] == from && c->distance[w] <= reached)) continue;
                c->distance[w] = reached;
                if (c->seen[w] != from || !c->waiting[w]) {
                    c->queue[(head + count++) % n] = w;
                    c->waiting[w] = true;
                }
                c->seen[w] = from;
            }
        }
    }
}

/// The spacing of the mesh at a vertex: a mesh has about half as many vertices as triangles.
static double SpacingAt(const Choice* c, int v) {
    const wfRows* triangles = &c->topology->vertexTriangles;
    double twice = 0.0;
    int count = triangles->start[v + 1] - triangles->start[v];
    for (int k = triangles->start[v]; k < triangles->start[v + 1]; ++k) {
        const wfPoint2* p = &c->mesh->at[3 * triangles->item[k]];
        twice += (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y);
    }
    return sqrt(twice / count);
}

static bool Choose(Choice* c, wfArena* arena, wfError* err) {
    const wfTopology* topology = c->topology;
    int n = topology->vertexCount;
    c->role = wfArena_New(arena, Role, n, "coarsening", err);
    c->stays = wfArena_New(arena, bool, n, "coarsening", err);
    c->covered = wfArena_New(arena, bool, n, "coarsening", err);
    c->lineEdge = wfArena_New(arena, bool, topology->edgeCount, "coarsening", err);
    c->distance = wfArena_New(arena, double, n, "coarsening", err);
    c->seen = wfArena_New(arena, int, n, "coarsening", err);
    c->queue = wfArena_New(arena, int, n, "coarsening", err);
    c->waiting = wfArena_New(arena, bool, n, "coarsening", err);
    if (!c->role || !c->stays || !c->covered || !c->lineEdge || !c->distance || !c->seen || !c->queue || !c->waiting) return false;
    FindLines(c);
    for (int v = 0; v < n; ++v) {
        bool alone = topology->vertexTriangles.start[v] == topology->vertexTriangles.start[v + 1];
        c->role[v] = alone ? Corner : RoleOf(c, v);
        c->stays[v] = c->role[v] == Corner;
        c->seen[v] = -1;
    }
    for (int loops = 0; loops < 2; ++loops) // first from corners, then what has none
        for (int v = 0; v < n; ++v)
            for (int k = topology->vertexEdges.start[v]; k < topology->vertexEdges.start[v + 1]; ++k) {
                if (!c->lineEdge[topology->vertexEdges.item[k]] || (c->role[v] == Corner) != (loops == 0)) continue;
                c->stays[v] = true;
                WalkLine(c, v, topology->vertexEdges.item[k]);
            }
    for (int inside = 0; inside < 2; ++inside)
        for (int v = 0; v < n; ++v) {
            if (topology->vertexTriangles.start[v] == topology->vertexTriangles.start[v + 1]) continue;
            if (inside == 1 && c->role[v] == Inside && !c->covered[v]) c->stays[v] = true;
            if ((c->role[v] == Inside) == (inside == 1) && c->stays[v]) Cover(c, v, SPACING * SpacingAt(c, v));
        }
    return true;
}

static bool TakeOut(wfCoarsener* m, const bool* stays, wfArena* arena, wfError* err) {
    int n = m->vertexCount, ring[wf_mostFan + 1], ringCount, taken;
    int* touched = wfArena_New(arena, int, n, "coarsening", err); // the last round in which a neighbour went
    if (touched == NULL) return false;
    int round = 0;
    do {
        ++round;
        taken = 0;
        for (int v = 0; v < n; ++v) {
            if (stays[v] || m->sideOf[v] < 0 || touched[v] == round || !wfCoarsener_Remove(m, v, ring, &ringCount)) continue;
            for (int i = 0; i < ringCount; ++i) touched[ring[i]] = round;
            ++taken;
        }
    } while (taken > 0);
    return true;
}

// ---- the coarse model ---------------------------------------------------------------------------------------------------------

/// Weights in single precision, with what rounding left of zero gone, and what lies too far outside moved to the nearest edge or corner.
static wfProlongation Prolong(const wfCoarsener* m, const int* coarseOf, int v) {
    if (m->home[v] < 0) return (wfProlongation){{coarseOf[v], coarseOf[v], coarseOf[v]}, {1.0f, 0.0f, 0.0f}};
    double w[3], sum = 0.0, least = fmin(m->weight[v][0], fmin(m->weight[v][1], m->weight[v][2]));
    double lowest = least < (double)WF_LEAST_WEIGHT || least > -1e-7 ? 0.0 : (double)WF_LEAST_WEIGHT;
    for (int k = 0; k < 3; ++k) sum += w[k] = fmax(m->weight[v][k], lowest);
    const int* corner = &m->corner[3 * m->home[v]];
    wfProlongation p;
    for (int k = 0; k < 3; ++k) {
        p.parent[k] = coarseOf[corner[k]];
        p.weight[k] = (float)(w[k] / sum);
    }
    return p;
}

static bool ShareOut(wfCoarseModel* coarse, const float* fine, float* out, wfError* err) {
    wfArena scratch = {0};
    double* sum = wfArena_New(&scratch, double, coarse->model.vertexCount, "coarse masses", err);
    if (sum == NULL) return false;
    for (int v = 0; v < coarse->fineCount; ++v)
        for (int k = 0; k < 3; ++k) sum[coarse->prolong[v].parent[k]] += (double)coarse->prolong[v].weight[k] * fine[v];
    for (int v = 0; v < coarse->model.vertexCount; ++v) out[v] = (float)sum[v];
    wfArena_Free(&scratch);
    return true;
}

static bool Assemble(wfCoarseModel* coarse, const wfModel* fine, const wfCoarsener* m, wfArena* scratch, wfError* err) {
    wfModel* model = &coarse->model;
    int vertexCount = 0, triangleCount = 0, n = fine->vertexCount;
    for (int v = 0; v < n; ++v) vertexCount += m->home[v] < 0;
    for (int t = 0; t < fine->triangleCount; ++t) triangleCount += m->corner[3 * t] >= 0;
    int* coarseOf = wfArena_New(scratch, int, n, "coarse model", err);
    int* fineOf = wfArena_New(&coarse->arena, int, vertexCount, "coarse model", err);
    wfVec3* start = wfArena_New(&coarse->arena, wfVec3, vertexCount, "coarse model", err);
    int* clothOf = wfArena_New(&coarse->arena, int, vertexCount, "coarse model", err);
    float* mass = wfArena_New(&coarse->arena, float, vertexCount, "coarse model", err);
    float* area = wfArena_New(&coarse->arena, float, vertexCount, "coarse model", err);
    wfTriangle* triangles = wfArena_New(&coarse->arena, wfTriangle, triangleCount, "coarse model", err);
    wfFlatTriangle* flat = wfArena_New(&coarse->arena, wfFlatTriangle, triangleCount, "coarse model", err);
    wfClothRange* cloths = wfArena_New(&coarse->arena, wfClothRange, fine->clothCount, "coarse model", err);
    coarse->prolong = wfArena_New(&coarse->arena, wfProlongation, n, "coarse model", err);
    if (!coarseOf || !fineOf || !start || !clothOf || !mass || !area || !triangles || !flat || !cloths || !coarse->prolong) return false;

    for (int v = 0, to = 0; v < n; ++v) {
        coarseOf[v] = to;
        if (m->home[v] >= 0) continue;
        fineOf[to] = v;
        start[to] = fine->start[v];
        clothOf[to++] = fine->clothOf[v];
    }
    for (int i = 0, to = 0; i < fine->clothCount; ++i) { // both rows stay in order, so cloths stay ranges
        const wfClothRange* range = &fine->cloths[i];
        cloths[i] = *range;
        int end = range->firstVertex + range->vertexCount;
        cloths[i].firstVertex = range->firstVertex < n ? coarseOf[range->firstVertex] : vertexCount;
        cloths[i].vertexCount = (end < n ? coarseOf[end] : vertexCount) - cloths[i].firstVertex;
        cloths[i].firstTriangle = to;
        for (int t = range->firstTriangle; t < range->firstTriangle + range->triangleCount; ++t) {
            if (m->corner[3 * t] < 0) continue;
            for (int k = 0; k < 3; ++k) {
                wfPoint2 at = m->at[3 * t + k];
                triangles[to].v[k] = coarseOf[m->corner[3 * t + k]];
                flat[to].corner[k] = (wfVec2){(float)at.x, (float)(m->turned[t] ? -at.y : at.y)};
            }
            ++to;
        }
        cloths[i].triangleCount = to - cloths[i].firstTriangle;
    }
    for (int v = 0; v < n; ++v) coarse->prolong[v] = Prolong(m, coarseOf, v);
    coarse->fineCount = n;
    coarse->fineOf = fineOf;
    *model = (wfModel){
        .vertexCount = vertexCount,
        .triangleCount = triangleCount,
        .clothCount = fine->clothCount,
        .start = start,
        .triangles = triangles,
        .flat = flat,
        .mass = mass,
        .area = area,
        .clothOf = clothOf,
        .cloths = cloths,
        .topology = &coarse->topology,
    };
    return ShareOut(coarse, fine->mass, mass, err) && ShareOut(coarse, fine->area, area, err) &&
           wfTopology_Create(&coarse->topology, triangles, triangleCount, vertexCount, err) && wfCoarsenSeams(coarse, fine, err);
}

bool wfCoarsen(wfCoarseModel* coarse, const wfModel* fine, wfError* err) {
    wfCoarsener mesh = {0};
    wfArena scratch = {0};
    Choice choice = {.mesh = &mesh, .topology = fine->topology};
    bool ok = wfCoarsener_Create(&mesh, fine, err) && Choose(&choice, &scratch, err) && TakeOut(&mesh, choice.stays, &scratch, err);
    if (ok) {
        wfCoarsener_Flip(&mesh);
        ok = Assemble(coarse, fine, &mesh, &scratch, err);
    }
    wfArena_Free(&scratch);
    wfCoarsener_Free(&mesh);
    if (!ok) wfCoarseModel_Free(coarse);
    return ok;
}

void wfCoarseModel_Free(wfCoarseModel* coarse) {
    wfTopology_Free(&coarse->topology);
    wfArena_Free(&coarse->arena);
    *coarse = (wfCoarseModel){0};
}
