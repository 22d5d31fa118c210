// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/untangle_inside.h"

#include "collide/distance.h"

#include <string.h>

// Ease: room between objects, as a garment needs it about a body and about the garment below. Whatever is nearer than asked for goes apart
// along the line between the nearest points; what comes to cross by that is untangled again. The best state in which nothing meets is kept.
// Clearance is the same within objects too, but of what was moved only: untangling ends where nothing meets, be it by the last bit, and
// contact methods need more than that to begin with.

static const double enough = 0.999, further = 1.2; // of what is missing; wishes of many are averaged, so each asks for more

enum { easeRounds = 40, easePatience = 8 };

typedef struct Quad {
    int v[4], first; // `first` of them belong to the first object
    wfNearestD nearest;
    wfVec3D normal;
} Quad;

static int ObjectOf(const wfUntangler* u, int v) { return u->def.objectOf != NULL ? u->def.objectOf[v] : 0; }

static Quad PointQuad(const wfUntangler* u, wfPair p) {
    const int* t = u->topology.triangles[p.b].v;
    Quad q = {.v = {p.a, t[0], t[1], t[2]}, .first = 1};
    wfVec3D x[4];
    for (int k = 0; k < 4; ++k) x[k] = wfUntangler_At(u, q.v[k]);
    q.nearest = wfPointTriangleD(x[0], x[1], x[2], x[3]);
    q.normal = wfPointTriangle_NormalD(&q.nearest, x[1], x[2], x[3]);
    return q;
}

static Quad EdgeQuad(const wfUntangler* u, wfPair p) {
    const int *a = u->topology.edges[p.a].v, *b = u->topology.edges[p.b].v;
    Quad q = {.v = {a[0], a[1], b[0], b[1]}, .first = 2};
    wfVec3D x[4];
    for (int k = 0; k < 4; ++k) x[k] = wfUntangler_At(u, q.v[k]);
    q.nearest = wfEdgeEdgeD(x[0], x[1], x[2], x[3]);
    q.normal = wfEdgeEdge_NormalD(&q.nearest, x[0], x[1], x[2], x[3]);
    return q;
}

static bool Moved(const wfUntangler* u, const int v[4]) {
    for (int k = 0; k < 4; ++k) {
        wfVec3 a = u->x[v[k]], b = u->start[v[k]];
        if (a.x != b.x || a.y != b.y || a.z != b.z) return true;
    }
    return false;
}

/// Adds the wishes of all that is too near: of different objects, or (anywhere) of whatever was moved.
static bool PushNear(wfUntangler* u, float ease, bool anywhere, wfEaseReport* out, wfError* err) {
    wfNearPairs pairs;
    WF_TRY(wfCrossingFinder_FindNear(&u->finder, u->x, ease, &pairs, err));
    out->closest = INFINITY;
    out->closer = 0;
    for (int i = 0; i < pairs.pointCount + pairs.edgeCount; ++i) {
        bool point = i < pairs.pointCount;
        wfPair pair = point ? pairs.points[i] : pairs.edges[i - pairs.pointCount];
        int a = point ? pair.a : u->topology.edges[pair.a].v[0],
            b = point ? u->topology.triangles[pair.b].v[0] : u->topology.edges[pair.b].v[0];
        if (!anywhere && ObjectOf(u, a) == ObjectOf(u, b)) continue;
        Quad q = point ? PointQuad(u, pair) : EdgeQuad(u, pair);
        if (anywhere && !Moved(u, q.v)) continue;
        double distance = sqrt(q.nearest.distanceSq), share = wfUntangler_ShareOf(u, q.v, q.first, q.v + q.first, 4 - q.first);
        if (share < 0.0) continue;
        out->closest = fmin(out->closest, distance);
        if (distance >= enough * (double)ease) continue;
        out->closer += 1;
        wfVec3D way = wfScaleD(q.normal, further * ((double)ease - distance));
        for (int k = 0; k < 4; ++k) wfUntangler_Wish(u, q.v[k], wfScaleD(way, k < q.first ? share : share - 1.0), fabs(q.nearest.w[k]));
    }
    return true;
}

static bool MakeRoom(wfUntangler* u, float ease, bool anywhere, wfEaseReport* eased, wfError* err) {
    wfVec3* x = u->x;
    size_t bytes = (size_t)u->def.vertexCount * sizeof *x;
    wfArena arena = {0};
    wfVec3* kept = wfArena_New(&arena, wfVec3, u->def.vertexCount, "positions", err);
    bool ok = kept != NULL;
    wfEaseReport best = {.closer = INT64_MAX};
    u->stride = 1.0;
    for (int round = 0, lastGain = 0; ok; ++round) {
        wfEaseReport now = {0};
        ok = PushNear(u, ease, anywhere, &now, err);
        now.rounds = round;
        if (ok && now.closer < best.closer) {
            best = now;
            lastGain = round;
            memcpy(kept, x, bytes);
        }
        if (!ok || now.closer == 0 || round == easeRounds || round - lastGain >= easePatience) break;
        if (u->def.relax != NULL) memcpy(u->before, x, bytes);
        wfUntangler_Move(u);
        if (u->def.relax != NULL) ok = u->def.relax(u->def.relaxSelf, u->before, x, err);
        bool clean = false;
        ok = ok && wfUntangler_Clean(u, &clean, err);
        if (ok && !clean) break;
    }
    if (ok) memcpy(x, kept, bytes);
    memset(u->sum, 0, (size_t)u->def.vertexCount * sizeof *u->sum); // wishes of the last look that nobody followed
    memset(u->weight, 0, (size_t)u->def.vertexCount * sizeof *u->weight);
    *eased = best;
    wfArena_Free(&arena);
    return ok;
}

bool wfUntangler_Ease(wfUntangler* u, wfVec3* x, float ease, wfEaseReport* eased, wfUntangleReport* report, wfError* err) {
    u->x = x;
    return MakeRoom(u, ease, false, eased, err) && wfUntangler_Finish(u, report, err);
}

bool wfUntangler_Clear(wfUntangler* u, wfError* err) {
    wfEaseReport eased;
    return MakeRoom(u, (float)(u->def.clearance * u->meanEdge), true, &eased, err) && wfUntangler_Look(u, false, err);
}
