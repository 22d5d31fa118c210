// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/separate.h"

#include <math.h>
#include <string.h>

// A pair of triangles is separated along the direction in which they overlap least, of those that can separate two triangles at all:
// their normals, the products of their edges, and the normals of their edges within their planes. A collider's triangle stays, and cloth
// leaves it to the outside, not farther from its normal than 60 degrees: the way that is shortest for a pair may lead along the surface
// into the next triangle.

enum { maxRounds = 60, patience = 12, pairLimit = 200000 }; // patience: rounds without fewer pairs after which it is given up

static const double leastOutward = 0.5;

typedef struct Job {
    const wfSurfaces* s;
    const wfSeparateDef* def;
    wfVec3 *start, *wanted; // per cloth vertex
    double* outside;        // per collider triangle: 1, or -1 where the normals of its closed surface point inwards
    wfVec3D* sum;           // per cloth vertex: pushes, weighted by their length, and the weights
    double* weight;
} Job;

static void Corners(const wfSurfaces* s, int triangle, wfVec3D out[3]) {
    for (int k = 0; k < 3; ++k) out[k] = wfWiden(s->x[s->triangles[triangle].v[k]]);
}

static void Span(const wfVec3D t[3], wfVec3D u, double* lo, double* hi) {
    double d[3] = {wfDotD(u, t[0]), wfDotD(u, t[1]), wfDotD(u, t[2])};
    *lo = fmin(fmin(d[0], d[1]), d[2]);
    *hi = fmax(fmax(d[0], d[1]), d[2]);
}

/// Takes the axis where it is shorter; `outward`: the first may go only along it, or NULL.
static void Try(const wfVec3D a[3], const wfVec3D b[3], wfVec3D axis, const wfVec3D* outward, wfPush* best) {
    double length = wfLengthD(axis), aLo, aHi, bLo, bHi;
    if (!(length > 0.0)) return;
    axis = wfScaleD(axis, 1.0 / length);
    Span(a, axis, &aLo, &aHi);
    Span(b, axis, &bLo, &bHi);
    double up = fmax(bHi - aLo, 0.0), down = fmax(aHi - bLo, 0.0), along = outward != NULL ? wfDotD(axis, *outward) : 1.0;
    if (along >= leastOutward && up < best->depth) *best = (wfPush){axis, up};
    if ((outward == NULL || along <= -leastOutward) && down < best->depth) *best = (wfPush){wfScaleD(axis, -1.0), down};
}

static wfVec3D NormalOf(const wfVec3D t[3]) { return wfCrossD(wfSubD(t[1], t[0]), wfSubD(t[2], t[0])); }

wfPush wfShortestPush(const wfVec3D a[3], const wfVec3D b[3], const wfVec3D* outward) {
    wfPush best = {{0.0, 0.0, 0.0}, INFINITY};
    // Not about the origin but near both: products of edges of nearly parallel triangles are small, and their directions rough.
    wfVec3D p[3], q[3];
    for (int k = 0; k < 3; ++k) {
        p[k] = wfSubD(a[k], a[0]);
        q[k] = wfSubD(b[k], a[0]);
    }
    wfVec3D n[2] = {NormalOf(p), NormalOf(q)};
    for (int k = 0; k < 2; ++k) Try(p, q, n[k], outward, &best);
    for (int i = 0; i < 3; ++i) {
        wfVec3D e = wfSubD(p[(i + 1) % 3], p[i]), f = wfSubD(q[(i + 1) % 3], q[i]);
        Try(p, q, wfCrossD(n[0], e), outward, &best);
        Try(p, q, wfCrossD(n[1], f), outward, &best);
        for (int j = 0; j < 3; ++j) Try(p, q, wfCrossD(e, wfSubD(q[(j + 1) % 3], q[j])), outward, &best);
    }
    return best;
}

static bool ShareVertex(wfTriangle a, wfTriangle b) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            if (a.v[i] == b.v[j]) return true;
    return false;
}

static void Add(Job* job, int triangle, wfVec3D direction, double distance) {
    for (int k = 0; k < 3; ++k) {
        int v = job->s->triangles[triangle].v[k];
        job->sum[v] = wfMulAddD(job->sum[v], distance * distance, direction);
        job->weight[v] += distance;
    }
}

/// Whether something can be done about the pair. Of two that share a vertex nothing can be said; what pushes others may free them too.
static bool AddPair(Job* job, wfTrianglePair pair) {
    const wfSurfaces* s = job->s;
    if (ShareVertex(s->triangles[pair.a], s->triangles[pair.b])) return true;
    wfVec3D a[3], b[3];
    Corners(s, pair.a, a);
    Corners(s, pair.b, b);
    bool collider = pair.b >= s->clothTriangleCount;
    wfVec3D outward = {0.0, 0.0, 0.0};
    if (collider) {
        outward = NormalOf(b);
        double length = wfLengthD(outward);
        if (!(length > 0.0)) return false;
        outward = wfScaleD(outward, job->outside[pair.b - s->clothTriangleCount] / length);
    }
    wfPush push = wfShortestPush(a, b, collider ? &outward : NULL);
    if (!(push.depth <= (double)job->def->reach)) return false;
    double distance = push.depth + (double)job->def->separation;
    Add(job, pair.a, push.direction, collider ? distance : 0.5 * distance);
    if (!collider) Add(job, pair.b, wfScaleD(push.direction, -1.0), 0.5 * distance);
    return true;
}

/// Closed colliders are outside where they are larger; of open ones the normals are believed.
static bool FindOutside(const wfSurfaces* s, const wfObstacles* obstacles, wfArena* arena, double** out, wfError* err) {
    const wfTopology* t = &obstacles->topology;
    double* volume = wfArena_New(arena, double, t->componentCount, "volumes", err);
    bool* open = wfArena_New(arena, bool, t->componentCount, "open colliders", err);
    *out = wfArena_New(arena, double, t->triangleCount, "sides of colliders", err);
    if (volume == NULL || open == NULL || *out == NULL) return false;
    for (int e = 0; e < t->edgeCount; ++e)
        if (t->edges[e].triangle[1] < 0) open[t->component[t->edges[e].v[0]]] = true;
    for (int i = 0; i < t->triangleCount; ++i) {
        wfVec3D x[3];
        Corners(s, s->clothTriangleCount + i, x);
        volume[t->component[t->triangles[i].v[0]]] += wfDotD(x[0], wfCrossD(x[1], x[2]));
    }
    for (int i = 0; i < t->triangleCount; ++i) {
        int piece = t->component[t->triangles[i].v[0]];
        (*out)[i] = !open[piece] && volume[piece] < 0.0 ? -1.0 : 1.0;
    }
    return true;
}

static bool Move(Job* job, bool selfMeets, wfSafeMove* move, wfError* err) {
    const wfSurfaces* s = job->s;
    wfVec3* wanted = job->wanted;
    for (int v = 0; v < s->clothVertexCount; ++v) {
        wanted[v] = s->x[v];
        if (job->weight[v] > 0.0) wanted[v] = wfNarrow(wfMulAddD(wfWiden(s->x[v]), 1.0 / job->weight[v], job->sum[v]));
    }
    wfMoveReport report;
    if (!selfMeets) return wfSafeMove_Advance(move, s->x, wanted, NULL, job->def->separation, s->x, &report, err);
    memcpy(s->x, wanted, (size_t)s->clothVertexCount * sizeof *wanted); // the next look tells what came of it
    return true;
}

/// What a repair needs, once it is clear that there is one.
static bool Begin(Job* job, const wfObstacles* obstacles, wfArena* arena, wfError* err) {
    const wfSurfaces* s = job->s;
    job->start = wfArena_New(arena, wfVec3, s->clothVertexCount, "positions", err);
    job->wanted = wfArena_New(arena, wfVec3, s->clothVertexCount, "positions", err);
    job->sum = wfArena_New(arena, wfVec3D, s->clothVertexCount, "pushes", err);
    job->weight = wfArena_New(arena, double, s->clothVertexCount, "pushes", err);
    if (job->start == NULL || job->wanted == NULL || job->sum == NULL || job->weight == NULL) return false;
    memcpy(job->start, s->x, (size_t)s->clothVertexCount * sizeof *job->start);
    return obstacles == NULL || FindOutside(s, obstacles, arena, &job->outside, err);
}

/// Moves everything by what its pairs want; *goOn tells whether there was something to move for each.
static bool Round(Job* job, const wfIntersections* met, wfSafeMove* move, wfTrianglePair* stuck, bool* goOn, wfError* err) {
    const wfSurfaces* s = job->s;
    bool selfMeets = false;
    memset(job->sum, 0, (size_t)s->clothVertexCount * sizeof *job->sum);
    memset(job->weight, 0, (size_t)s->clothVertexCount * sizeof *job->weight);
    for (int64_t i = 0; i < met->count; ++i) {
        selfMeets = selfMeets || met->pairs[i].b < s->clothTriangleCount;
        *goOn = AddPair(job, met->pairs[i]);
        *stuck = met->pairs[i];
        if (!*goOn) return true;
    }
    return Move(job, selfMeets, move, err);
}

static bool Repair(Job* job, wfSafeMove* move, const wfObstacles* obstacles, wfArena* arena, wfSeparateReport* report, wfError* err) {
    const wfSurfaces* s = job->s;
    int64_t fewest = INT64_MAX;
    bool goOn = true;
    for (int round = 0, lastGain = 0; goOn; ++round) {
        wfArena found = {0};
        wfIntersections met = {0};
        wfTrianglePair stuck = {0, 0};
        bool ok = wfFindIntersections(s->x, s->triangles, s->triangleCount, s->ignore, pairLimit, &found, &met, err);
        report->pairCount = met.count;
        if (round == 0) report->before = met.count;
        if (round == 0 && ok && met.count > 0) {
            report->worst = met.pairs[0];
            ok = Begin(job, obstacles, arena, err);
        }
        if (met.count < fewest) lastGain = round;
        fewest = met.count < fewest ? met.count : fewest;
        goOn = ok && met.count > 0 && met.count <= pairLimit && round < maxRounds && round - lastGain < patience;
        if (goOn) ok = Round(job, &met, move, &stuck, &goOn, err);
        if (round == 0 && met.count > 0 && met.count <= pairLimit && !goOn) report->worst = stuck;
        wfArena_Free(&found);
        WF_TRY(ok);
    }
    for (int v = 0; job->start != NULL && v < s->clothVertexCount; ++v) {
        float distance = wfDistance(job->start[v], s->x[v]);
        report->movedCount += distance > 0.0f;
        report->farthest = fmaxf(report->farthest, distance);
    }
    if (report->farthest > job->def->reach) report->pairCount = report->before; // no repair but another shape
    return true;
}

bool wfSeparate(const wfSurfaces* s, const wfSeparateDef* def, wfSafeMove* move, const wfObstacles* obstacles, wfSeparateReport* report,
                wfError* err) {
    wfArena arena = {0};
    *report = (wfSeparateReport){0};
    Job job = {.s = s, .def = def};
    bool ok = Repair(&job, move, obstacles, &arena, report, err);
    wfArena_Free(&arena);
    return ok;
}
