// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/subdivide.h"

#include "math/vec_double.h"

#include <math.h>
#include <string.h>

// Modified Loop subdivision, after Loop 2001, "Triangle mesh subdivision with bounded curvature and the convex hull property".
//
// About a vertex of valence n, a step of subdivision takes a vertex v and its ring p to
//
//     v' = (1 - alpha) v + alpha mean(p)          p'_i = (1 - a0) v + sum_j w_j p_{i+j}
//
// and by symmetry the eigenvalues of that are the Fourier coefficients of w, a_k = sum_j w_j cos(2 pi j k / n), and of frequency zero
// 1 and a0 - alpha. The curvature stays bounded, and does not vanish, where with lambda = a_1 both a_2 and a0 - alpha are lambda².
// Loop's own masks have that at frequency zero but not at two, where curvature grows without bound from n = 7 on. Here lambda stays
// what it is with Loop's masks, 3/8 + cos(2 pi / n) / 4, and w is
//
//   n <= 5   all the coefficients that there are: a0 = 5/8, lambda and, but for n = 3, lambda². For n = 3 that is Loop's mask; for 4 and
//            5 no weight is negative (the least is 0.004)
//   n >= 7   w_j = q(cos(2 pi j / n)) / n with q(u) = (u + 1) (b u + g)², which is never negative. Its Chebyshev coefficients are the
//            eigenvalues: a_1 = lambda and a_2 = lambda² give b² = 2 lambda³ / (1 - lambda) and g = (4 lambda² - b²) / (2 b); a0 follows
//            as g² + 2 lambda². At n = 6 it is Loop's mask again.
//
// An edge between two such vertices takes the mean of both masks; there are none after the first level. At a boundary vertex with k
// triangles, k other than 3, edges to the inside follow Biermann, Levin and Zorin 2000: 3/4 - c of it and c of the other end,
// c = 1/2 - cos(pi / k) / 4, so that the surface is smooth there too.

// A mask about a vertex has a weight for each of its neighbours, for each of its edges: quadratic in the valence. Beyond this, Loop's own.
enum { maxValence = 64 };

#define PI 3.14159265358979323846

wfSharpDef wfDefaultSharpDef(void) { return (wfSharpDef){.cornerAngle = 45.0, .creaseAngle = 180.0}; }

// ---- what is sharp ------------------------------------------------------------------------------------------------------------

static wfVec3D Corner(const wfMeshView* mesh, int triangle, int k) {
    if (mesh->flat != NULL) {
        const float* f = mesh->flat + 6 * (size_t)triangle + 2 * k;
        return wfMake3D((double)f[0], (double)f[1], 0.0);
    }
    const float* p = mesh->positions + 3 * (size_t)mesh->triangles[3 * (size_t)triangle + (size_t)k];
    return wfMake3D((double)p[0], (double)p[1], (double)p[2]);
}

static double AngleAt(const wfMeshView* mesh, int triangle, int k) {
    wfVec3D at = Corner(mesh, triangle, k);
    wfVec3D a = wfSubD(Corner(mesh, triangle, (k + 1) % 3), at), b = wfSubD(Corner(mesh, triangle, (k + 2) % 3), at);
    return atan2(wfLengthD(wfCrossD(a, b)), wfDotD(a, b));
}

static wfVec3D Normal(const wfMeshView* mesh, int triangle) {
    wfVec3D x[3];
    for (int k = 0; k < 3; ++k) {
        const float* p = mesh->positions + 3 * (size_t)mesh->triangles[3 * (size_t)triangle + (size_t)k];
        x[k] = wfMake3D((double)p[0], (double)p[1], (double)p[2]);
    }
    return wfCrossD(wfSubD(x[1], x[0]), wfSubD(x[2], x[0]));
}

bool wfFindSharp(const wfTopology* topology, const wfMeshView* mesh, const wfSharpDef* def, wfArena* arena, wfSharp* out, wfError* err) {
    const double degree = PI / 180.0;
    double* angle = wfArena_New(arena, double, topology->vertexCount, "angles", err);
    out->edge = wfArena_New(arena, bool, topology->edgeCount, "sharp edges", err);
    out->corner = wfArena_New(arena, bool, topology->vertexCount, "corners", err);
    if (angle == NULL || out->edge == NULL || out->corner == NULL) return false;
    for (int t = 0; t < topology->triangleCount; ++t)
        for (int k = 0; k < 3; ++k) angle[topology->triangles[t].v[k]] += AngleAt(mesh, t, k);
    for (int v = 0; v < topology->vertexCount; ++v)
        out->corner[v] = topology->boundaryVertex[v] && def->cornerAngle < 180.0 && fabs(angle[v] - PI) > def->cornerAngle * degree;
    for (int e = 0; e < topology->edgeCount; ++e) {
        const wfEdge* edge = &topology->edges[e];
        out->edge[e] = edge->triangle[1] < 0;
        if (out->edge[e] || !(def->creaseAngle < 180.0)) continue;
        wfVec3D a = Normal(mesh, edge->triangle[0]), b = Normal(mesh, edge->triangle[1]);
        out->edge[e] = atan2(wfLengthD(wfCrossD(a, b)), wfDotD(a, b)) > def->creaseAngle * degree;
    }
    return true;
}

// ---- masks --------------------------------------------------------------------------------------------------------------------

typedef struct RingMask {
    double own;           // of v itself in the mask of its edges: 1 - a0
    double alpha;         // of the mean of the ring in v's own mask
    double w[maxValence]; // of the ring in the mask of an edge, from its other end on
} RingMask;

static RingMask MakeRingMask(int n) {
    RingMask mask = {0};
    double turn = 2.0 * PI / n, lambda = 0.375 + 0.25 * cos(turn), a0 = 0.625;
    double b = sqrt(2.0 * lambda * lambda * lambda / (1.0 - lambda)), g = (4.0 * lambda * lambda - b * b) / (2.0 * b);
    if (n > 6) a0 = g * g + 2.0 * lambda * lambda;
    for (int j = 0; j < n; ++j) {
        double u = cos(turn * j);
        if (n > 6) {
            mask.w[j] = (u + 1.0) * (b * u + g) * (b * u + g) / n;
        } else {
            mask.w[j] = a0 + 2.0 * lambda * u;
            if (n >= 4) mask.w[j] += (n == 4 ? 1.0 : 2.0) * lambda * lambda * cos(2.0 * turn * j);
            mask.w[j] /= n;
        }
    }
    mask.own = 1.0 - a0;
    mask.alpha = a0 - lambda * lambda;
    return mask;
}

typedef struct Builder {
    const wfTopology* coarse;
    const wfSharp* sharp;
    int* sharpCount; // per vertex: sharp edges at it
    wfRows rings;    // of smooth vertices of other valence than six: the ring in order; empty of others
    wfSubdivision* out;
    int count; // weights so far
    bool write;
} Builder;

static int Valence(const wfTopology* t, int v) { return t->vertexEdges.start[v + 1] - t->vertexEdges.start[v]; }

static bool IsSmooth(const Builder* b, int v) { return b->sharpCount[v] < 2 && !b->sharp->corner[v] && !b->coarse->boundaryVertex[v]; }

static bool IsExtraordinary(const Builder* b, int v) {
    int n = Valence(b->coarse, v);
    return n != 6 && n >= 3 && n <= maxValence && IsSmooth(b, v);
}

/// The neighbours of an inner vertex, one after the other around it.
static void OrderRing(const wfTopology* t, int v, int* ring) {
    int first = t->vertexEdges.item[t->vertexEdges.start[v]], edge = first, triangle = t->edges[first].triangle[0], n = Valence(t, v);
    for (int i = 0; i < n; ++i) {
        ring[i] = t->edges[edge].v[0] == v ? t->edges[edge].v[1] : t->edges[edge].v[0];
        for (int k = 0; k < 3; ++k) {
            int other = t->triangleEdges[triangle][k];
            if (other == edge || (t->edges[other].v[0] != v && t->edges[other].v[1] != v)) continue;
            edge = other;
            break;
        }
        triangle = t->edges[edge].triangle[t->edges[edge].triangle[0] == triangle];
    }
}

static void Put(Builder* b, int vertex, double weight) {
    if (b->write) {
        b->out->masks.item[b->count] = vertex;
        b->out->weights[b->count] = weight;
    }
    ++b->count;
}

static void PutVertex(Builder* b, int v) {
    const wfTopology* t = b->coarse;
    int n = Valence(t, v), begin = t->vertexEdges.start[v];
    if (n == 0 || b->sharp->corner[v] || b->sharpCount[v] > 2) {
        Put(b, v, 1.0);
    } else if (b->sharpCount[v] == 2) {
        Put(b, v, 0.75);
        for (int k = 0; k < n; ++k)
            if (b->sharp->edge[t->vertexEdges.item[begin + k]]) Put(b, t->ring1.item[begin + k], 0.125);
    } else {
        double lambda = 0.375 + 0.25 * cos(2.0 * PI / n), alpha = 0.625 - lambda * lambda;
        if (b->write && IsExtraordinary(b, v)) alpha = MakeRingMask(n).alpha;
        Put(b, v, 1.0 - alpha);
        for (int k = 0; k < n; ++k) Put(b, t->ring1.item[begin + k], alpha / n);
    }
}

/// An edge as vertex v sees it, at its end, with the share of the mask that v has a say in.
static void PutRing(Builder* b, int v, int other, double share) {
    int start = b->rings.start[v], n = b->rings.start[v + 1] - start, first = 0;
    const int* ring = b->rings.item + start;
    while (ring[first] != other) ++first;
    RingMask mask = {0};
    if (b->write) mask = MakeRingMask(n);
    Put(b, v, share * mask.own);
    for (int j = 0; j < n; ++j) Put(b, ring[(first + j) % n], share * mask.w[j]);
}

/// What an end gives of itself to an inner edge, 3/4 less that coming from the other end: 3/8 but at a boundary with k other than 3.
static double BoundaryShare(const Builder* b, int v) {
    const wfTopology* t = b->coarse;
    if (!t->boundaryVertex[v] || b->sharp->corner[v] || b->sharpCount[v] != 2) return 0.375;
    int k = t->vertexTriangles.start[v + 1] - t->vertexTriangles.start[v];
    return 0.25 + 0.25 * cos(PI / k);
}

static void PutEdge(Builder* b, int e) {
    const wfEdge* edge = &b->coarse->edges[e];
    int extraordinary = 0;
    if (b->sharp->edge[e]) {
        Put(b, edge->v[0], 0.5);
        Put(b, edge->v[1], 0.5);
        return;
    }
    for (int k = 0; k < 2; ++k) extraordinary += IsExtraordinary(b, edge->v[k]);
    for (int k = 0; k < 2; ++k)
        if (IsExtraordinary(b, edge->v[k])) PutRing(b, edge->v[k], edge->v[1 - k], extraordinary == 2 ? 0.5 : 1.0);
    if (extraordinary > 0) return;
    double a = BoundaryShare(b, edge->v[0]) + 0.375 - BoundaryShare(b, edge->v[1]); // one of them is 3/8 but for edges across a strip
    Put(b, edge->v[0], a);
    Put(b, edge->v[1], 0.75 - a);
    Put(b, edge->opposite[0], 0.125);
    Put(b, edge->opposite[1], 0.125);
}

static void PutAll(Builder* b, bool write) {
    wfSubdivision* out = b->out;
    b->write = write;
    b->count = 0;
    for (int i = 0; i < out->vertexCount; ++i) {
        out->masks.start[i] = b->count;
        if (i < out->coarseCount) {
            PutVertex(b, i);
        } else {
            PutEdge(b, i - out->coarseCount);
        }
    }
    out->masks.start[out->vertexCount] = b->count;
}

static bool MakeRings(Builder* b, wfArena* scratch, wfError* err) {
    const wfTopology* t = b->coarse;
    b->rings.rowCount = t->vertexCount;
    b->rings.start = wfArena_New(scratch, int, t->vertexCount + 1, "rings", err);
    b->sharpCount = wfArena_New(scratch, int, t->vertexCount, "sharp edges of vertices", err);
    if (b->rings.start == NULL || b->sharpCount == NULL) return false;
    for (int e = 0; e < t->edgeCount; ++e)
        for (int k = 0; k < 2; ++k) b->sharpCount[t->edges[e].v[k]] += b->sharp->edge[e];
    for (int v = 0; v < t->vertexCount; ++v) b->rings.start[v + 1] = b->rings.start[v] + (IsExtraordinary(b, v) ? Valence(t, v) : 0);
    b->rings.item = wfArena_New(scratch, int, b->rings.start[t->vertexCount], "rings", err);
    if (b->rings.item == NULL) return false;
    for (int v = 0; v < t->vertexCount; ++v)
        if (b->rings.start[v + 1] > b->rings.start[v]) OrderRing(t, v, b->rings.item + b->rings.start[v]);
    return true;
}

static bool MakeMasks(Builder* b, wfArena* scratch, wfError* err) {
    wfSubdivision* out = b->out;
    WF_TRY(MakeRings(b, scratch, err));
    out->masks.rowCount = out->vertexCount;
    out->masks.start = wfArena_New(&out->arena, int, out->vertexCount + 1, "masks of subdivision", err);
    if (out->masks.start == NULL) return false;
    PutAll(b, false);
    out->masks.item = wfArena_New(&out->arena, int, b->count, "masks of subdivision", err);
    out->weights = wfArena_New(&out->arena, double, b->count, "masks of subdivision", err);
    if (out->masks.item == NULL || out->weights == NULL) return false;
    PutAll(b, true);
    return true;
}

// ---- a level ------------------------------------------------------------------------------------------------------------------

static void SplitTriangles(const wfTopology* coarse, wfTriangle* out) {
    for (int t = 0; t < coarse->triangleCount; ++t) {
        wfTriangle* four = out + 4 * (size_t)t;
        int middle[3];
        for (int k = 0; k < 3; ++k) middle[k] = coarse->vertexCount + coarse->triangleEdges[t][k];
        for (int k = 0; k < 3; ++k) four[k] = (wfTriangle){{coarse->triangles[t].v[k], middle[k], middle[(k + 2) % 3]}};
        four[3] = (wfTriangle){{middle[0], middle[1], middle[2]}};
    }
}

/// A new edge is sharp where it is half of a sharp one: those run from an old vertex to the middle of an edge of its.
static bool PassOnSharp(wfSubdivision* s, const wfSharp* sharp, wfError* err) {
    s->sharp.edge = wfArena_New(&s->arena, bool, s->topology.edgeCount, "sharp edges", err);
    s->sharp.corner = wfArena_New(&s->arena, bool, s->vertexCount, "corners", err);
    if (s->sharp.edge == NULL || s->sharp.corner == NULL) return false;
    memcpy(s->sharp.corner, sharp->corner, (size_t)s->coarseCount * sizeof(bool));
    for (int e = 0; e < s->topology.edgeCount; ++e) {
        const int* v = s->topology.edges[e].v;
        s->sharp.edge[e] = v[0] < s->coarseCount && sharp->edge[v[1] - s->coarseCount];
    }
    return true;
}

static bool Build(wfSubdivision* s, const wfTopology* coarse, const wfSharp* sharp, const char* name, wfArena* scratch, wfError* err) {
    WF_TRY(wfTopology_RequireManifold(coarse, name, err));
    int64_t vertices = (int64_t)coarse->vertexCount + coarse->edgeCount, triangles = 4 * (int64_t)coarse->triangleCount;
    if (vertices > wf_maxMeshElements / 8 || triangles > wf_maxMeshElements / 8) // rows of masks are counted in ints too
        return wfFail(err, wf_badInput, "%s: %lld triangles after subdivision, expected at most %d", name, (long long)triangles,
                      wf_maxMeshElements / 8);
    s->coarseCount = coarse->vertexCount;
    s->vertexCount = (int)vertices;
    s->triangleCount = (int)triangles;
    s->triangles = wfArena_New(&s->arena, wfTriangle, triangles, "new triangles", err);
    s->ends = wfArena_Alloc(&s->arena, (size_t)coarse->edgeCount, sizeof *s->ends, "ends of edges", err);
    if (s->triangles == NULL || s->ends == NULL) return false;
    for (int e = 0; e < coarse->edgeCount; ++e) memcpy(s->ends[e], coarse->edges[e].v, sizeof s->ends[e]);
    SplitTriangles(coarse, s->triangles);
    WF_TRY(wfTopology_Create(&s->topology, s->triangles, s->triangleCount, s->vertexCount, err));
    WF_TRY(PassOnSharp(s, sharp, err));
    Builder builder = {.coarse = coarse, .sharp = sharp, .out = s};
    return MakeMasks(&builder, scratch, err);
}

bool wfSubdivision_Create(wfSubdivision* out, const wfTopology* coarse, const wfSharp* sharp, const char* name, wfError* err) {
    wfArena scratch = {0};
    *out = (wfSubdivision){0};
    bool ok = Build(out, coarse, sharp, name, &scratch, err);
    wfArena_Free(&scratch);
    if (!ok) wfSubdivision_Free(out);
    return ok;
}

void wfSubdivision_Free(wfSubdivision* s) {
    wfTopology_Free(&s->topology);
    wfArena_Free(&s->arena);
    *s = (wfSubdivision){0};
}

// ---- positions ----------------------------------------------------------------------------------------------------------------

void wfSubdivision_Split(const wfSubdivision* s, const wfVec3* coarse, wfVec3* out) {
    if (s->coarseCount > 0) memcpy(out, coarse, (size_t)s->coarseCount * sizeof *out);
        // Sums of two floats are exact in double but for extremes, so the middle is rounded once.
#pragma omp parallel for schedule(static)
    for (int i = s->coarseCount; i < s->vertexCount; ++i) {
        const int* ends = s->ends[i - s->coarseCount];
        out[i] = wfNarrow(wfScaleD(wfAddD(wfWiden(coarse[ends[0]]), wfWiden(coarse[ends[1]])), 0.5));
    }
}

void wfSubdivision_Smooth(const wfSubdivision* s, const wfVec3* coarse, wfVec3* out) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < s->vertexCount; ++i) {
        wfVec3D sum = {0.0, 0.0, 0.0};
        for (int k = s->masks.start[i]; k < s->masks.start[i + 1]; ++k)
            sum = wfMulAddD(sum, s->weights[k], wfWiden(coarse[s->masks.item[k]]));
        out[i] = wfNarrow(sum);
    }
}

void wfSplitFlat(const wfFlatTriangle* coarse, int count, wfFlatTriangle* out) {
    for (int t = 0; t < count; ++t) {
        const wfVec2* c = coarse[t].corner;
        wfVec2 middle[3];
        for (int k = 0; k < 3; ++k) middle[k] = (wfVec2){0.5f * c[k].x + 0.5f * c[(k + 1) % 3].x, 0.5f * c[k].y + 0.5f * c[(k + 1) % 3].y};
        for (int k = 0; k < 3; ++k) out[4 * t + k] = (wfFlatTriangle){{c[k], middle[k], middle[(k + 2) % 3]}};
        out[4 * t + 3] = (wfFlatTriangle){{middle[0], middle[1], middle[2]}};
    }
}
