// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/untangle_inside.h"

// Legal and illegal regions. The two sides of a curve are opposite, so a flood over the edges of a surface that changes its colour at each
// edge the curves cross an odd number of times finds both. All curves between two pieces are taken together, since what lies between two of
// them is on one side (a strip that goes in and out again); curves of a piece with itself one by one, and only until the smaller side is
// known. Where a colour meets the other without a curve between them the curves part nothing.

static const double clearShare = 0.8; // sides more alike than this are told apart by depth, not by area

enum { nearBudget = 2, farBudget = 20, nearBase = 32 }; // vertices a crossing

#define FOR_STOPS(u, curve, stop)                                                                      \
    for (const wfStop *stop = (u)->contours->stops + (u)->contours->items[(curve)->contour].firstStop, \
                      *end_##stop = stop + (u)->contours->items[(curve)->contour].stopCount;           \
         stop < end_##stop; ++stop)                                                                    \
        if ((curve)->strands >> stop->strand & 1)

static void Reach(wfUntangler* u, int v, int color, int tail[2]) {
    u->color[v] = (short)color;
    u->reached[u->reachedCount++] = v;
    if (color != wf_onCurve) u->queue[color][tail[color]++] = v;
}

static void BlockLoops(wfUntangler* u, const wfCurve* curve, int tail[2]) {
    const wfContour* c = &u->contours->items[curve->contour];
    for (int k = 0; k < c->viaCount + 2; ++k) {
        int v = k < c->viaCount ? u->contours->vias[c->firstVia + k] : c->loop[k - c->viaCount];
        if (v >= 0 && u->color[v] == wf_notReached) Reach(u, v, wf_onCurve, tail);
    }
}

/// Spreads from what is queued. budget: vertices to look at, all where it is 0; whole: go on when one side is done and clearly the smaller.
/// Whether no vertex was reached on both sides.
static bool Spread(wfUntangler* u, int head[2], int tail[2], double area[2], bool whole, int budget) {
    const wfTopology* t = &u->topology;
    bool parts = true;
    for (int looked = 0; head[0] < tail[0] || head[1] < tail[1]; ++looked) {
        int side = head[0] == tail[0] ? 1 : head[1] == tail[1] ? 0 : area[0] <= area[1] ? 0 : 1;
        if (!whole && head[1 - side] == tail[1 - side] && area[1 - side] < clearShare * area[side] && looked > 0) break;
        if (budget > 0 && looked >= budget) break;
        int v = u->queue[side][head[side]++];
        area[side] += u->area[v];
        for (int k = t->vertexEdges.start[v]; k < t->vertexEdges.start[v + 1]; ++k) {
            int w = t->ring1.item[k], color = u->odd[t->vertexEdges.item[k]] ? 1 - side : side;
            if (u->color[w] == wf_notReached) {
                Reach(u, w, color, tail);
            } else if (u->color[w] != wf_onCurve && u->color[w] != color) {
                parts = false;
            }
        }
    }
    return parts;
}

/// The first edge that can tell the sides apart.
static void Seed(wfUntangler* u, const wfCurve* curves, int count, int tail[2]) {
    for (int i = 0; i < count; ++i) {
        FOR_STOPS(u, &curves[i], stop) {
            int e = u->crossings->items[stop->crossing].edge;
            const int* v = u->topology.edges[e].v;
            if (!u->odd[e] || u->color[v[0]] != wf_notReached || u->color[v[1]] != wf_notReached) continue;
            Reach(u, v[0], 0, tail);
            Reach(u, v[1], 1, tail);
            return;
        }
    }
}

/// Along a strand, from an edge that is coloured to the next: the two are edges of one triangle and have a vertex in common.
static void Carry(wfUntangler* u, const wfCurve* curve, int tail[2]) {
    const wfContour* c = &u->contours->items[curve->contour];
    const wfStop* stops = u->contours->stops + c->firstStop;
    for (int strand = 0; strand < 2; ++strand) {
        for (int way = 0; way < 2; ++way) {
            const int* last = NULL;
            for (int k = 0; k < c->stopCount; ++k) {
                const wfStop* stop = &stops[way == 0 ? k : c->stopCount - 1 - k];
                if (stop->strand != strand) continue;
                const int* v = u->topology.edges[u->crossings->items[stop->crossing].edge].v;
                for (int j = 0; j < 2; ++j) {
                    bool shared = last != NULL && (v[j] == last[0] || v[j] == last[1]) && u->color[v[j]] != wf_notReached;
                    if (shared && u->color[v[j]] != wf_onCurve && u->color[v[1 - j]] == wf_notReached) {
                        Reach(u, v[1 - j], 1 - u->color[v[j]], tail);
                        break;
                    }
                }
                last = v;
            }
        }
    }
}

static void Uncolor(wfUntangler* u) {
    for (int i = 0; i < u->reachedCount; ++i) u->color[u->reached[i]] = wf_notReached;
    u->reachedCount = 0;
}

static double Depth(const wfUntangler* u, int vertex, int face) {
    wfVec3D n = wfUntangler_Normal(u, face);
    return fabs(wfDotD(n, wfSubD(wfUntangler_At(u, vertex), wfUntangler_At(u, u->topology.triangles[face].v[0]))));
}

int wfUntangler_KnownSide(const wfUntangler* u, const wfCrossing* c) {
    const wfTopology* t = &u->topology;
    int v = t->edges[c->edge].v[0], w = t->triangles[c->face].v[0], solid = u->solid[t->component[w]];
    if (solid != 0) return solid;
    if (u->def.layerOf != NULL && u->def.objectOf != NULL) {
        int difference = u->def.layerOf[u->def.objectOf[v]] - u->def.layerOf[u->def.objectOf[w]];
        if (difference != 0) return difference > 0 ? 1 : -1;
    }
    return 0;
}

/// Votes of crossings whose side is known, for side 0 being illegal; and how deep the sides are.
static int Vote(const wfUntangler* u, const wfCurve* curves, int count, double depth[2]) {
    int votes = 0;
    depth[0] = depth[1] = 0.0;
    for (int i = 0; i < count; ++i) {
        FOR_STOPS(u, &curves[i], stop) {
            const wfCrossing* c = &u->crossings->items[stop->crossing];
            const int* v = u->topology.edges[c->edge].v;
            if (u->color[v[0]] < 0 || u->color[v[0]] > 1 || u->color[v[1]] != 1 - u->color[v[0]]) continue;
            for (int k = 0; k < 2; ++k) depth[u->color[v[k]]] += Depth(u, v[k], c->face);
            int known = wfUntangler_KnownSide(u, c);
            if (known == 0) continue;
            wfVec3D n = wfUntangler_Normal(u, c->face);
            bool firstAbove = known * wfDotD(n, wfSubD(wfUntangler_At(u, v[0]), wfUntangler_At(u, v[1]))) > 0.0;
            int illegal = u->color[firstAbove ? v[1] : v[0]];
            votes += illegal == 0 ? 1 : -1;
        }
    }
    return votes;
}

void wfUntangler_Flood(wfUntangler* u, const wfCurve* curves, int count, bool near, wfFlood* out) {
    int head[2] = {0, 0}, tail[2] = {0, 0}, crossings = 0;
    *out = (wfFlood){0};
    for (int i = 0; i < count; ++i) {
        FOR_STOPS(u, &curves[i], stop) {
            int e = u->crossings->items[stop->crossing].edge;
            u->odd[e] = !u->odd[e];
            ++crossings;
        }
        BlockLoops(u, &curves[i], tail);
    }
    Seed(u, curves, count, tail);
    if (near) {
        for (int i = 0; i < count; ++i) Carry(u, &curves[i], tail);
        Spread(u, head, tail, out->area, true, (curves[0].type == wf_curveBI ? farBudget : nearBudget) * (crossings + nearBase));
        for (int i = 0; i < count; ++i) Carry(u, &curves[i], tail);
    } else {
        out->parts = Spread(u, head, tail, out->area, curves[0].host != curves[0].opponent || count > 1, 0);
    }
    double depth[2];
    int votes = Vote(u, curves, count, depth), small = out->area[0] <= out->area[1] ? 0 : 1;
    bool clear = (out->parts || curves[0].type == wf_curveBI) && out->area[small] < clearShare * out->area[1 - small];
    out->illegal = votes != 0 ? (votes > 0 ? 0 : 1) : clear ? small : depth[0] <= depth[1] ? 0 : 1;
}

void wfUntangler_Forget(wfUntangler* u, const wfCurve* curves, int count) {
    Uncolor(u);
    for (int i = 0; i < count; ++i) FOR_STOPS(u, &curves[i], stop) u->odd[u->crossings->items[stop->crossing].edge] = false;
}
