// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "compute/kernel.h"
#include "contact/repulsion_kernels.h"

// Triangles within two edges of each other, of which distances of vertices say nothing. Two triangles that share no vertex meet where an
// edge of one meets the other; those that share one meet beyond it where the edge across from it meets the other; those that share an edge
// where one is folded onto the other. So it is enough to look at edges and triangles without a common vertex, and at hinges. Vertices that
// are sewn together are one.

static const float s_flatFold = 0.9962f; // cosine of 5 degrees: what two triangles with a common edge must leave between them

enum { Lanes = wf_repulsionLanes, Slice = wf_repulsionSlice }; // lanes share the work on a vertex, each takes every fourth item

WF_TILE_KERNEL(RepulsionTight, a, tile)
{
    WF_SHARED int tight[WF_TILE];
    WF_LANES (t, WF_TILE) {
        int i = tile * Slice + t / Lanes, count = i < a.ring.count ? a.ring.counts[i] : 0;
        wfVec3 x = count > 0 ? wfXyz(a.x[i]) : wfMake3(0.0f, 0.0f, 0.0f);
        tight[t] = count > 0 && ((a.sewn != 0 && a.sewn[i] >= 0) || (a.longEnds != 0 && a.longEnds[i]));
        for (int k = t % Lanes; k < count; k += Lanes) {
            int at = k * a.ring.count + i, item = a.ring.items[at], j = wfRepulsion_Vertex(item);
            float sq = wfLengthSq(wfSub(x, wfXyz(a.x[j])));
            float flatSq = a.ringSq[at], least = flatSq == a.acrossSq ? a.leastSq : wfRingTight * flatSq;
            if (wfRepulsion_Kind(item) == wf_repelRing && !(sq >= least)) tight[t] = 1;
            if (a.longEnds != 0 && a.longEnds[j]) tight[t] = 1;
        }
    }
    WF_SYNC();
    WF_LANES (t, Slice) {
        int any = 0;
        for (int k = 0; k < Lanes; ++k) any |= tight[t * Lanes + k];
        if (tile * Slice + t < a.ring.count) a.tight[tile * Slice + t] = any;
        if (tile + t == 0) *a.listed = 0;
    }
}

WF_KERNEL(RepulsionNearTight, a, i)
{
    if (a.only != 0 && !a.only[i]) return;
    bool tight = a.tight[i] != 0;
    for (int k = 0; k < a.ring.counts[i] && !tight; ++k) {
        int item = a.ring.items[k * a.ring.count + i];
        if (wfRepulsion_Kind(item) != wf_repelEdge) break; // edges come first
        tight = a.tight[wfRepulsion_Vertex(item)] != 0;
    }
    if (tight) a.items[wfTakeOne(a.listed)] = i;
}

/// Whether two spans are farther apart than gap, in multiples of the axis' length.
WF_FN bool SpansApart(float p0, float p1, float t0, float t1, float t2, float gap) {
    float lo = fminf(t0, fminf(t1, t2)), hi = fmaxf(t0, fmaxf(t1, t2));
    return fminf(p0, p1) > hi + gap || fmaxf(p0, p1) < lo - gap;
}

WF_FN bool ApartAlong(wfVec3 axis, const wfVec3* edge, const wfVec3* t, float gap) {
    float length = wfLength(axis);
    return length > 0.0f &&
           SpansApart(wfDot(axis, edge[0]), wfDot(axis, edge[1]), wfDot(axis, t[0]), wfDot(axis, t[1]), wfDot(axis, t[2]), gap * length);
}

/// Along a side of the triangle from `from` to `to`: across it within the plane, and across both edges.
WF_FN bool ApartAcross(const wfVec3* edge, const wfVec3* t, wfVec3 normal, wfVec3 along, wfVec3 from, wfVec3 to, float gap) {
    wfVec3 side = wfSub(to, from);
    return ApartAlong(wfCross(normal, side), edge, t, gap) || ApartAlong(wfCross(along, side), edge, t, gap);
}

/// Whether some axis shows edge and triangle apart by more than the gap: the normal, within the plane across the triangle's edges and
/// across the edge, and across both edges. Where they do meet none does; where they are very near and none does, that counts as meeting,
/// too.
WF_FN bool AreApart(const wfVec3* edge, const wfVec3* t, wfVec3 normal, float gap) {
    if (ApartAlong(normal, edge, t, gap)) return true;
    wfVec3 along = wfSub(edge[1], edge[0]);
    if (ApartAlong(wfCross(normal, along), edge, t, gap)) return true; // in one plane the edge itself can part them
    return ApartAcross(edge, t, normal, along, t[0], t[1], gap) || ApartAcross(edge, t, normal, along, t[1], t[2], gap) ||
           ApartAcross(edge, t, normal, along, t[2], t[0], gap);
}

/// Whether triangles abc and abd, with d given, are folded onto each other.
WF_FN bool IsFoldedFlat(wfVec3 a, wfVec3 b, wfVec3 c, wfVec3 d) {
    wfVec3 edge = wfSub(b, a), u = wfSub(c, a), v = wfSub(d, a);
    float sq = wfLengthSq(edge);
    if (!(sq > 0.0f)) return true;
    u = wfMulAdd(u, -wfDot(u, edge) / sq, edge);
    v = wfMulAdd(v, -wfDot(v, edge) / sq, edge);
    float dot = wfDot(u, v);
    return !(dot <= 0.0f || dot * dot <= s_flatFold * s_flatFold * wfLengthSq(u) * wfLengthSq(v));
}

WF_FN void Report(const RepulsionFoldArgs* a, const wfTriangle* triangle, int i, int j) {
    if (a->verdict != 0) wfRaise(&a->verdict->violated, 1, i);
    if (a->flags == 0) return;
    wfMark(&a->flags[i]);
    wfMark(&a->flags[j]);
    WF_UNROLL(3)
    for (int c = 0; c < 3; ++c) wfMark(&a->flags[triangle->v[c]]);
}

/// The first of the vertices at one place: those that are sewn together are one once they are there.
WF_FN int PlaceOf(const RepulsionFoldArgs* a, int vertex) {
    int group = wfRepulsion_Weld(&a->welds, vertex), place = vertex;
    if (group < 0) return vertex;
    if (a->welds.state[group] == wf_weldClosed) return a->welds.item[group];
    wfVec4 x = a->x[vertex];
    for (int k = group; k < a->welds.end[group]; ++k) {
        wfVec4 y = a->x[a->welds.item[k]];
        if (a->welds.item[k] < place && y.x == x.x && y.y == x.y && y.z == x.z) place = a->welds.item[k];
    }
    return place;
}

/// Whether an end of the edge is being sewn to a corner of the triangle: they come to one place, so that no gap can stay between them.
WF_FN bool AreClosing(const RepulsionFoldArgs* a, int i, int j, const wfTriangle* triangle) {
    int first = wfRepulsion_Weld(&a->welds, i), second = wfRepulsion_Weld(&a->welds, j);
    bool closing = false;
    for (int c = 0; c < 3 && (first >= 0 || second >= 0); ++c) {
        int group = wfRepulsion_Weld(&a->welds, triangle->v[c]);
        closing = closing || (group >= 0 && (group == first || group == second));
    }
    return closing;
}

/// A triangle, its corners relative to the vertex that looks at it.
typedef struct Corners {
    wfTriangle triangle;
    wfVec3 t[3];
    int place[3];
} Corners;

/// Which of them are at a place: bit c of corner c.
WF_FN int CornersAt(const Corners* corners, int place) {
    return (corners->place[0] == place ? 1 : 0) | (corners->place[1] == place ? 2 : 0) | (corners->place[2] == place ? 4 : 0);
}

WF_FN Corners CornersOf(const RepulsionFoldArgs* a, wfVec3 x, int index) {
    Corners corners;
    corners.triangle = a->triangles[index];
    WF_UNROLL(3)
    for (int c = 0; c < 3; ++c) {
        corners.t[c] = wfSub(wfXyz(a->x[corners.triangle.v[c]]), x);
        corners.place[c] = PlaceOf(a, corners.triangle.v[c]);
    }
    return corners;
}

enum { EdgeRoom = 12 }; // edges of a vertex that a tile keeps
enum { Batch = wf_foldVertices, Sharing = WF_TILE / Batch };

/// The edges of the vertices of a batch: edge k of vertex v is at k * Batch + v.
typedef struct Edges {
    const wfVec4* along; // from the vertex to the other end
    const int *places, *others;
} Edges;

/// The way of a lane through the triangles about a vertex, every so-many-th of them, and the vertex's edges.
typedef struct Search {
    int i, v, edgeCount;
    wfVec3 x;
    float longest;
    int next, step, count; // triangles
    Corners corners;       // of the triangle that it is at, relative to x
    wfVec3 toward, along;  // to its middle, three times as far; the edge that it has found, …
    float nearest;         // how near the triangle comes that way, times its length
    int edge, other;       // … which comes before `edge`, and its other end
    int shared;            // corners of the triangle that are neighbours of i
} Search;

/// Edge k: its other end, and the place of that.
WF_FN wfVec3 EdgeOf(const RepulsionFoldArgs* a, const Edges* edges, const Search* s, int k, int* other, int* place) {
    if (k < EdgeRoom) {
        *other = edges->others[k * Batch + s->v];
        *place = edges->places[k * Batch + s->v];
        return wfXyz(edges->along[k * Batch + s->v]);
    }
    *other = wfRepulsion_Vertex(a->ring.items[k * a->ring.count + s->i]);
    *place = PlaceOf(a, *other);
    return wfSub(wfXyz(a->x[*other]), s->x);
}

/// Takes the next triangle that is near enough for an edge to meet it, and is not about the vertex itself.
WF_FN bool NextTriangle(const RepulsionFoldArgs* a, Search* s) {
    for (; s->next < s->count; s->next += s->step) {
        s->corners = CornersOf(a, s->x, a->around.items[s->next * a->around.count + s->i]);
        const wfVec3* t = s->corners.t;
        s->toward = wfAdd(wfAdd(t[0], t[1]), t[2]);
        float length = wfLength(s->toward);
        s->nearest = fminf(wfDot(s->toward, t[0]), fminf(wfDot(s->toward, t[1]), wfDot(s->toward, t[2]))) - a->gap * length;
        if (s->nearest > s->longest * length || CornersAt(&s->corners, PlaceOf(a, s->i)) != 0) continue;
        s->next += s->step;
        s->edge = 0;
        s->shared = 0;
        return true;
    }
    return false;
}

/// Goes on to an edge and a triangle that may meet. Most are shown apart by the direction to the middle of the triangle: all edges at once
/// where it is farther than these reach. Lanes side by side all come here before they test: one after the other would wait for the rest.
WF_FN bool NextEdge(const RepulsionFoldArgs* a, const Edges* edges, Search* s) {
    for (;;) {
        while (s->edge < s->edgeCount) {
            int place;
            s->along = EdgeOf(a, edges, s, s->edge++, &s->other, &place);
            int corner = CornersAt(&s->corners, place);
            s->shared |= corner;
            if (corner == 0 && !(s->nearest > fmaxf(0.0f, wfDot(s->toward, s->along)))) return true;
        }
        const wfVec3* t = s->corners.t;
        WF_UNROLL(3)
        for (int c = 0; c < 3; ++c) // the one corner that is no neighbour of i
            if (s->shared == (7 ^ 1 << c) && IsFoldedFlat(t[(c + 1) % 3], t[(c + 2) % 3], t[c], wfMake3(0.0f, 0.0f, 0.0f)))
                Report(a, &s->corners.triangle, s->i, s->corners.triangle.v[c]);
        if (!NextTriangle(a, s)) return false;
    }
}

WF_FN void TestEdge(const RepulsionFoldArgs* a, const Search* s) {
    const wfVec3* t = s->corners.t;
    wfVec3 edge[2];
    edge[0] = wfMake3(0.0f, 0.0f, 0.0f);
    edge[1] = s->along;
    float gap = AreClosing(a, s->i, s->other, &s->corners.triangle) ? 0.0f : a->gap;
    if (!AreApart(edge, t, wfCross(wfSub(t[1], t[0]), wfSub(t[2], t[0])), gap)) Report(a, &s->corners.triangle, s->i, s->other);
}

// Lanes share a vertex: each keeps some of its edges, and how far these reach, then goes through some of the triangles about it. A tile
// takes one batch of vertices after the other, and few are listed, often.
WF_TILE_KERNEL(RepulsionFold, a, tile)
{
    WF_SHARED wfVec4 along[EdgeRoom * Batch];
    WF_SHARED int places[EdgeRoom * Batch], others[EdgeRoom * Batch];
    WF_SHARED float reach[WF_TILE];
    WF_SHARED int seen[WF_TILE]; // edges of a lane
    int listed = (int)*a.listed;
    for (int first = tile * Batch; first < listed; first += a.tiles * Batch) {
        WF_LANES (t, WF_TILE) {
            int v = t / Sharing, i = first + v < listed ? a.items[first + v] : -1, count = i >= 0 ? a.ring.counts[i] : 0;
            wfVec3 x = count > 0 ? wfXyz(a.x[i]) : wfMake3(0.0f, 0.0f, 0.0f);
            float sq = 0.0f;
            int edgeCount = 0;
            for (int k = t % Sharing; k < count; k += Sharing) {
                int item = a.ring.items[k * a.ring.count + i], j = wfRepulsion_Vertex(item);
                if (wfRepulsion_Kind(item) != wf_repelEdge) break; // edges come first
                wfVec3 d = wfSub(wfXyz(a.x[j]), x);
                sq = fmaxf(sq, wfLengthSq(d));
                edgeCount += 1;
                if (k < EdgeRoom) {
                    along[k * Batch + v] = wfMake4(d, 0.0f);
                    places[k * Batch + v] = PlaceOf(&a, j);
                    others[k * Batch + v] = j;
                }
            }
            reach[t] = sqrtf(sq);
            seen[t] = edgeCount;
        }
        WF_SYNC();
        WF_LANES (t, WF_TILE) {
            if (first + t / Sharing < listed) {
                Edges edges;
                edges.along = along;
                edges.places = places;
                edges.others = others;
                Search s;
                s.v = t / Sharing;
                s.i = a.items[first + s.v];
                s.x = wfXyz(a.x[s.i]);
                s.edgeCount = 0;
                s.longest = 0.0f;
                for (int k = s.v * Sharing; k < (s.v + 1) * Sharing; ++k) {
                    s.edgeCount += seen[k];
                    s.longest = fmaxf(s.longest, reach[k]);
                }
                s.next = t % Sharing;
                s.step = Sharing;
                s.count = a.around.counts[s.i];
                if (NextTriangle(&a, &s))
                    while (NextEdge(&a, &edges, &s)) TestEdge(&a, &s);
            }
        }
        WF_SYNC();
    }
}
