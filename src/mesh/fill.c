// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/fill.h"

#include "math/predicates.h"
#include "mesh/topology.h"

#include <string.h>

bool wfFilling_Take(wfFilling* out, const wfTriangulation* in, const wfVec2* points, int count, int fixedCount, const char* name,
                    wfError* err) {
    int* number = wfArena_New(&out->arena, int, count, "numbers of vertices", err);
    out->positions = wfArena_New(&out->arena, wfVec2, count, "vertices of a panel", err);
    out->triangles = wfArena_New(&out->arena, wfTriangle, in->triangleCount, "triangles of a panel", err);
    out->twin = wfArena_New(&out->arena, int, 3 * (size_t)in->triangleCount, "triangles of a panel", err);
    out->kept = wfArena_New(&out->arena, bool, 3 * (size_t)in->triangleCount, "triangles of a panel", err);
    if (number == NULL || out->positions == NULL || out->triangles == NULL || out->twin == NULL || out->kept == NULL) return false;
    memcpy(out->twin, in->twin, 3 * (size_t)in->triangleCount * sizeof *out->twin);
    memcpy(out->kept, in->kept, 3 * (size_t)in->triangleCount * sizeof *out->kept);
    out->fixedCount = fixedCount;
    for (int h = 0; h < 3 * in->triangleCount; ++h) number[in->corner[h]] = 1;
    for (int i = 0; i < count; ++i) {
        if (i < fixedCount && number[i] == 0)
            return wfFail(err, wf_badInput, "%s: the point (%.9g, %.9g) lies outside of the outline", name, (double)points[i].x,
                          (double)points[i].y);
        if (number[i] == 0) continue;
        number[i] = out->vertexCount;
        out->positions[out->vertexCount++] = points[i];
    }
    for (int t = 0; t < in->triangleCount; ++t) {
        int* v = out->triangles[out->triangleCount++].v;
        for (int k = 0; k < 3; ++k) v[k] = number[in->corner[3 * t + k]];
        if (wfOrient2(out->positions[v[0]], out->positions[v[1]], out->positions[v[2]]) <= 0)
            return wfFail(err, wf_badInput, "%s: a triangle at (%.9g, %.9g) has no area in single precision", name,
                          (double)out->positions[v[0]].x, (double)out->positions[v[0]].y);
    }
    return true;
}

static bool FillOnce(wfFilling* out, const wfOutline* outline, double edge, int variant, const char* name, wfError* err) {
    wfArena arena = {0};
    wfTriangulation triangulation = {0};
    wfVec2* points;
    int count;
    bool ok = wfScatter(outline, edge, variant, &arena, &points, &count, name, err);
    wfOutline all = *outline;
    if (ok) all.points = points, all.pointCount = count;
    ok = ok && wfTriangulate(&triangulation, &all, name, err);
    if (ok && triangulation.triangleCount == 0) ok = wfFail(err, wf_badInput, "%s: the outline encloses nothing", name);
    ok = ok && wfEvenOut(&triangulation, &points, &count, outline->pointCount, edge, &arena, err);
    ok = ok && wfFilling_Take(out, &triangulation, points, count, outline->pointCount, name, err);
    wfTriangulation_Free(&triangulation);
    wfArena_Free(&arena);
    if (!ok) wfFilling_Free(out);
    return ok;
}

/// The ratio from which on no other start is tried: what is good, or nearly what the edges that are given allow.
static double EnoughFor(const wfOutline* outline) {
    double lo = INFINITY, hi = 0.0;
    for (int e = 0; e < outline->edgeCount; ++e) {
        wfVec2 a = outline->points[outline->edges[e][0]], b = outline->points[outline->edges[e][1]];
        double length = hypot((double)b.x - a.x, (double)b.y - a.y);
        lo = fmin(lo, length);
        hi = fmax(hi, length);
    }
    return fmin(wf_fairRatio, 0.9 * lo / hi);
}

bool wfFill(wfFilling* out, const wfOutline* outline, double edge, const char* name, wfError* err) {
    double best = 0.0, enough = EnoughFor(outline);
    for (int variant = 0; variant < wf_scatterVariants && best < enough; ++variant) {
        if (out->vertexCount > wf_largePiece && (variant > 1 || best >= wf_askedRatio)) break;
        wfFilling filling = {0};
        wfEdgeLengths lengths = {0};
        bool ok = FillOnce(&filling, outline, edge, variant, name, err);
        ok = ok && wfMeasureFlat(filling.positions, filling.vertexCount, filling.triangles, filling.triangleCount, &lengths, err);
        double ratio = lengths.shortest / lengths.longest;
        bool better = !ok || ratio > best;
        wfFilling_Free(better ? out : &filling);
        if (better) *out = filling;
        if (!ok) {
            wfFilling_Free(out);
            return false;
        }
        best = fmax(best, ratio);
    }
    return true;
}

void wfFilling_Free(wfFilling* filling) {
    wfArena_Free(&filling->arena);
    *filling = (wfFilling){0};
}

bool wfMeasureFlat(const wfVec2* positions, int vertexCount, const wfTriangle* triangles, int triangleCount, wfEdgeLengths* out,
                   wfError* err) {
    wfTopology topology;
    WF_TRY(wfTopology_Create(&topology, triangles, triangleCount, vertexCount, err));
    *out = (wfEdgeLengths){.shortest = INFINITY, .edgeCount = topology.edgeCount};
    for (int e = 0; e < topology.edgeCount; ++e) {
        wfVec2 a = positions[topology.edges[e].v[0]], b = positions[topology.edges[e].v[1]];
        double length = hypot((double)b.x - a.x, (double)b.y - a.y);
        if (length < out->shortest) out->shortest = length, out->shortestEnds[0] = a, out->shortestEnds[1] = b;
        if (length > out->longest) out->longest = length, out->longestEnds[0] = a, out->longestEnds[1] = b;
        out->mean += length / topology.edgeCount;
    }
    wfTopology_Free(&topology);
    return true;
}
