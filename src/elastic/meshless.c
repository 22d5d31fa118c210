// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "elastic/meshless.h"

#include "elastic/hinge.h"

#include <stdlib.h>

typedef struct Placed {
    int vertex;
    double u, v;
} Placed;

/// Scratch for laying the neighbourhood of one vertex after another flat.
typedef struct Layout {
    const wfModel* model;
    int *vertexStamp, *triangleStamp; // == stamp: placed in this neighbourhood
    int* at;                          // of a placed vertex in `placed`
    Placed* placed;
    int* queue; // of triangles
    int stamp, placedCount, queueCount;
} Layout;

static void Place(Layout* l, int vertex, double u, double v) {
    if (l->vertexStamp[vertex] == l->stamp) return;
    l->vertexStamp[vertex] = l->stamp;
    l->at[vertex] = l->placedCount;
    l->placed[l->placedCount++] = (Placed){vertex, u, v};
}

/// Lays a triangle down beyond an edge whose ends are placed, away from what lies on this side.
static void Unfold(Layout* l, int edge, int side, int opposite, const Placed* near) {
    wfEdgeSide s = wfMakeEdgeSide(l->model, edge, side);
    const wfEdge* e = &l->model->topology->edges[edge];
    const Placed *a = &l->placed[l->at[s.first]], *b = &l->placed[l->at[s.first == e->v[0] ? e->v[1] : e->v[0]]];
    double eu = b->u - a->u, ev = b->v - a->v, length = sqrt(eu * eu + ev * ev);
    double nu = -ev / length, nv = eu / length;
    double sign = nu * (near->u - a->u) + nv * (near->v - a->v) > 0.0 ? -1.0 : 1.0;
    Place(l, opposite, a->u + s.along * eu + sign * s.height * nu, a->v + s.along * ev + sign * s.height * nv);
}

static double Distance(const Layout* l, int vertex) {
    const Placed* p = &l->placed[l->at[vertex]];
    return sqrt(p->u * p->u + p->v * p->v);
}

/// Places every vertex that can be reached over triangles within `radius` of the vertex.
static void LayOut(Layout* l, int vertex, double radius) {
    const wfTopology* topology = l->model->topology;
    l->stamp++;
    l->placedCount = l->queueCount = 0;
    int first = topology->vertexTriangles.item[topology->vertexTriangles.start[vertex]];
    const int* v = topology->triangles[first].v;
    const wfVec2* c = l->model->flat[first].corner;
    int k = v[0] == vertex ? 0 : v[1] == vertex ? 1 : 2;
    for (int j = 0; j < 3; ++j) Place(l, v[j], (double)c[j].x - c[k].x, (double)c[j].y - c[k].y);
    l->triangleStamp[first] = l->stamp;
    l->queue[l->queueCount++] = first;
    for (int head = 0; head < l->queueCount; ++head) {
        int t = l->queue[head];
        for (int j = 0; j < 3; ++j) {
            int edge = topology->triangleEdges[t][j];
            const wfEdge* e = &topology->edges[edge];
            int side = e->triangle[0] == t ? 1 : 0, next = e->triangle[side];
            if (e->triangle[1 - side] != t || next < 0 || l->triangleStamp[next] == l->stamp) continue;
            if (Distance(l, e->v[0]) > radius && Distance(l, e->v[1]) > radius) continue;
            l->triangleStamp[next] = l->stamp;
            Placed near = l->placed[l->at[e->opposite[1 - side]]];
            Unfold(l, edge, side, e->opposite[side], &near);
            l->queue[l->queueCount++] = next;
        }
    }
}

static int ByVertex(const void* a, const void* b) { return ((const Placed*)a)->vertex - ((const Placed*)b)->vertex; }

/// Keeps the neighbours within the radius, in order of their numbers. Returns how many.
static int Select(Layout* l, int vertex, double radius) {
    int count = 0;
    for (int i = 0; i < l->placedCount; ++i) {
        Placed p = l->placed[i];
        if (p.vertex != vertex && p.u * p.u + p.v * p.v <= radius * radius) l->placed[count++] = p;
    }
    qsort(l->placed, (size_t)count, sizeof *l->placed, ByVertex);
    return count;
}

/// The shares in the affine map, and the stiffness that gives a cylinder its energy in the mean over directions.
static double SetUp(const Placed* p, int count, double rigidity, double area, wfNeighbourD* out) {
    double uu = 0.0, uv = 0.0, vv = 0.0;
    for (int j = 0; j < count; ++j) {
        uu += p[j].u * p[j].u;
        uv += p[j].u * p[j].v;
        vv += p[j].v * p[j].v;
    }
    double det = uu * vv - uv * uv;
    bool flat = !(det > 1e-9 * (uu + vv) * (uu + vv)); // all on a line
    for (int j = 0; j < count; ++j) {
        out[j] = (wfNeighbourD){.u = p[j].u, .v = p[j].v};
        if (flat) continue;
        out[j].qu = (vv * p[j].u - uv * p[j].v) / det;
        out[j].qv = (uu * p[j].v - uv * p[j].u) / det;
    }
    if (flat) return 0.0;
    // Residuals of u², uv and v² after the best linear map; then the mean of |residual of (cos u + sin v)²/2|² over the angle.
    double fit[3][2] = {{0.0}}, s[3][3] = {{0.0}}, size = 0.0;
    for (int j = 0; j < count; ++j) {
        double q[3] = {p[j].u * p[j].u, p[j].u * p[j].v, p[j].v * p[j].v};
        for (int a = 0; a < 3; ++a) fit[a][0] += q[a] * out[j].qu, fit[a][1] += q[a] * out[j].qv;
    }
    for (int j = 0; j < count; ++j) {
        double r[3] = {p[j].u * p[j].u, p[j].u * p[j].v, p[j].v * p[j].v};
        size += (r[0] + r[2]) * (r[0] + r[2]);
        for (int a = 0; a < 3; ++a) r[a] -= fit[a][0] * p[j].u + fit[a][1] * p[j].v;
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) s[a][b] += r[a] * r[b];
    }
    double mean = 0.25 * (0.375 * (s[0][0] + s[2][2]) + 0.5 * s[1][1] + 0.25 * s[0][2]);
    return mean > 1e-9 * size ? rigidity * area / mean : 0.0;
}

static double MeanEdge(const wfModel* model, int vertex) {
    const wfRows* edges = &model->topology->vertexEdges;
    double sum = 0.0;
    int count = edges->start[vertex + 1] - edges->start[vertex];
    for (int k = 0; k < count; ++k) sum += wfMakeEdgeSide(model, edges->item[edges->start[vertex] + k], 0).length;
    return sum / count;
}

bool wfMeshless_Create(wfMeshless* meshless, const wfModel* model, double radius, wfError* err) {
    int n = model->vertexCount;
    wfArena scratch = {0};
    Layout l = {
        .model = model,
        .vertexStamp = wfArena_New(&scratch, int, n, "meshless bending", err),
        .triangleStamp = wfArena_New(&scratch, int, model->triangleCount, "meshless bending", err),
        .at = wfArena_New(&scratch, int, n, "meshless bending", err),
        .placed = wfArena_New(&scratch, Placed, n, "meshless bending", err),
        .queue = wfArena_New(&scratch, int, model->triangleCount, "meshless bending", err),
    };
    meshless->rows = (wfRows){.rowCount = n, .start = wfArena_New(&meshless->arena, int, n + 1, "meshless bending", err)};
    meshless->stiffness = wfArena_New(&meshless->arena, double, n, "meshless bending", err);
    bool ok = l.vertexStamp != NULL && l.triangleStamp != NULL && l.at != NULL && l.placed != NULL && l.queue != NULL &&
              meshless->rows.start != NULL && meshless->stiffness != NULL;
    // Once to count, once to fill.
    for (int pass = 0; pass < 2 && ok; ++pass) {
        if (pass == 1) {
            meshless->rows.item = wfArena_New(&meshless->arena, int, meshless->rows.start[n], "meshless bending", err);
            meshless->neighbours = wfArena_New(&meshless->arena, wfNeighbourD, meshless->rows.start[n], "meshless bending", err);
            ok = meshless->rows.item != NULL && meshless->neighbours != NULL;
            if (!ok) break;
        }
        for (int v = 0; v < n; ++v) {
            if (model->topology->vertexTriangles.start[v] == model->topology->vertexTriangles.start[v + 1]) {
                meshless->rows.start[v + 1] = meshless->rows.start[v];
                continue;
            }
            double reach = radius * MeanEdge(model, v) * (1.0 + 1e-6); // a neighbour on the circle is inside, however it was rounded
            LayOut(&l, v, reach);
            int count = Select(&l, v, reach), start = meshless->rows.start[v];
            meshless->rows.start[v + 1] = start + count;
            if (count > wf_mostNeighbours) {
                ok = wfFail(err, wf_badInput, "meshless bending: vertex %d has %d neighbours, at most %d are possible", v, count,
                            (int)wf_mostNeighbours);
                break;
            }
            if (pass == 0) continue;
            const wfFabric* fabric = &model->cloths[model->clothOf[v]].fabric;
            double rigidity = 0.25 * fabric->bending * (fabric->bend_warp + fabric->bend_weft + 2.0 * fabric->bend_bias);
            for (int j = 0; j < count; ++j) meshless->rows.item[start + j] = l.placed[j].vertex;
            meshless->stiffness[v] = SetUp(l.placed, count, rigidity, model->area[v], meshless->neighbours + start);
        }
    }
    wfArena_Free(&scratch);
    if (!ok) wfMeshless_Free(meshless);
    return ok;
}

void wfMeshless_Free(wfMeshless* meshless) {
    wfArena_Free(&meshless->arena);
    *meshless = (wfMeshless){0};
}
