// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/candidates_kernels.h"

#include "collide/bits.h"
#include "compute/kernel.h"

// A lane tests all elements of a pair of triangles along one axis after the other: growing is monotone, so the grown bounds of an edge or a
// triangle are those of its corners joined, and what the corners cost is shared by up to 21 tests. (A lane a test, with the owned tests of
// a tile in a list, compares a quarter as much but gathers three times the corners; the CPU took 1.6 times as long, the H200 0.9 times.)
// Tiles count what they found; writing needs the masks and how many of each kind the tiles before have.

WF_KERNEL(CandidateMotion, a, i)
{
    a.motion[2 * i] = a.start[i];
    a.motion[2 * i + 1] = a.end[i];
}

// Numbers below 4096, one a kind, in one: they are added in one go.
WF_FN uint64_t Packed(int value, int kind) { return (uint64_t)value << (12 * kind); }
WF_FN int Unpacked(uint64_t numbers, int kind) { return (int)(numbers >> (12 * kind)) & 0xfff; }

WF_FN uint64_t CountKinds(int tests, const int* kinds) {
    uint64_t counts = 0;
    for (int kind = 0; kind < wf_candidateKindCount; ++kind) counts |= Packed(wfCountBits((uint64_t)(tests & kinds[kind])), kind);
    return counts;
}

/// A source's triangles.
WF_FN wfPair SourceOf(const wfPair* pairs, const wfAdjacent* adjacent, int pairCount, int i) {
    wfPair pair;
    if (i < pairCount) return pairs[i];
    pair.a = adjacent[i - pairCount].a;
    pair.b = adjacent[i - pairCount].b;
    return pair;
}

// ---- bounds that meet ---------------------------------------------------------------------------------------------------------

// Spelled out instead of looped over, so that a loop over lanes is vectorised; see extents.h. Axes are numbered as there.

typedef struct Corner { // at the start and at the end
    float x[2], y[2], z[2];
} Corner;

typedef struct Spans { // of the three corners or edges of the first triangle and the three of the second, along an axis
    float lo[6], hi[6];
} Spans;

WF_LANE_FN Corner LoadCorner(const wfElementsView* mesh, int vertex) {
    Corner c;
    WF_GATHER3(c.x[0], c.y[0], c.z[0], mesh->motion, 2 * vertex);
    WF_GATHER3(c.x[1], c.y[1], c.z[1], mesh->motion, 2 * vertex + 1);
    return c;
}

WF_LANE_FN float Along(const Corner* c, int end, int axis) {
    float x = c->x[end], y = c->y[end], z = c->z[end];
    switch (axis) {
    case 0:
        return x;
    case 1:
        return y;
    case 2:
        return z;
    case 3:
        return x + y;
    case 4:
        return x - y;
    case 5:
        return x + z;
    case 6:
        return x - z;
    case 7:
        return y + z;
    default:
        return y - z;
    }
}

WF_LANE_FN void SpanCorner(Spans* s, int k, const Corner* c, int axis, const wfGrowth* by) {
    float start = Along(c, 0, axis), end = Along(c, 1, axis), lo = wfLess(start, end), hi = wfMore(start, end);
    s->lo[k] = axis < 3 ? wfBoxBelow(lo, by) : wfSlabBelow(lo, by);
    s->hi[k] = axis < 3 ? wfBoxAbove(hi, by) : wfSlabAbove(hi, by);
}

WF_LANE_FN void SpanEdge(Spans* edges, int k, const Spans* corners) {
    int next = k % 3 == 2 ? k - 2 : k + 1;
    edges->lo[k] = wfLess(corners->lo[k], corners->lo[next]);
    edges->hi[k] = wfMore(corners->hi[k], corners->hi[next]);
}

WF_LANE_FN uint32_t Meet(const Spans* s, int k, float lo, float hi, int test) {
    return (uint32_t)((s->lo[k] <= hi) & (lo <= s->hi[k])) << test;
}

/// The tests whose bounds overlap along an axis; those of edges with triangles only if asked for.
WF_LANE_FN uint32_t TestAxis(const Corner* c, int axis, const wfGrowth* growA, const wfGrowth* growB, bool edgeTriangle) {
    Spans v, e;
    SpanCorner(&v, 0, &c[0], axis, growA);
    SpanCorner(&v, 1, &c[1], axis, growA);
    SpanCorner(&v, 2, &c[2], axis, growA);
    SpanCorner(&v, 3, &c[3], axis, growB);
    SpanCorner(&v, 4, &c[4], axis, growB);
    SpanCorner(&v, 5, &c[5], axis, growB);
    SpanEdge(&e, 0, &v);
    SpanEdge(&e, 1, &v);
    SpanEdge(&e, 2, &v);
    SpanEdge(&e, 3, &v);
    SpanEdge(&e, 4, &v);
    SpanEdge(&e, 5, &v);
    float loA = wfLess(e.lo[0], v.lo[2]), hiA = wfMore(e.hi[0], v.hi[2]), loB = wfLess(e.lo[3], v.lo[5]), hiB = wfMore(e.hi[3], v.hi[5]);
    uint32_t bits = Meet(&v, 0, loB, hiB, wf_testVertexA) | Meet(&v, 1, loB, hiB, wf_testVertexA + 1);
    bits |= Meet(&v, 2, loB, hiB, wf_testVertexA + 2) | Meet(&v, 3, loA, hiA, wf_testVertexB);
    bits |= Meet(&v, 4, loA, hiA, wf_testVertexB + 1) | Meet(&v, 5, loA, hiA, wf_testVertexB + 2);
    bits |= Meet(&e, 0, e.lo[3], e.hi[3], wf_testEdges) | Meet(&e, 0, e.lo[4], e.hi[4], wf_testEdges + 1);
    bits |= Meet(&e, 0, e.lo[5], e.hi[5], wf_testEdges + 2) | Meet(&e, 1, e.lo[3], e.hi[3], wf_testEdges + 3);
    bits |= Meet(&e, 1, e.lo[4], e.hi[4], wf_testEdges + 4) | Meet(&e, 1, e.lo[5], e.hi[5], wf_testEdges + 5);
    bits |= Meet(&e, 2, e.lo[3], e.hi[3], wf_testEdges + 6) | Meet(&e, 2, e.lo[4], e.hi[4], wf_testEdges + 7);
    bits |= Meet(&e, 2, e.lo[5], e.hi[5], wf_testEdges + 8);
    if (!edgeTriangle) return bits;
    bits |= Meet(&e, 0, loB, hiB, wf_testEdgeA) | Meet(&e, 1, loB, hiB, wf_testEdgeA + 1) | Meet(&e, 2, loB, hiB, wf_testEdgeA + 2);
    bits |= Meet(&e, 3, loA, hiA, wf_testEdgeB) | Meet(&e, 4, loA, hiA, wf_testEdgeB + 1) | Meet(&e, 5, loA, hiA, wf_testEdgeB + 2);
    return bits;
}

/// Of `tests` those whose bounds overlap. corners: six, one a WF_TILE.
WF_LANE_FN uint32_t TestSource(uint32_t tests, const int* corners, const wfElementsView* meshA, const wfElementsView* meshB,
                               bool edgeTriangle) {
    Corner c[6];
    c[0] = LoadCorner(meshA, corners[0 * WF_TILE]);
    c[1] = LoadCorner(meshA, corners[1 * WF_TILE]);
    c[2] = LoadCorner(meshA, corners[2 * WF_TILE]);
    c[3] = LoadCorner(meshB, corners[3 * WF_TILE]);
    c[4] = LoadCorner(meshB, corners[4 * WF_TILE]);
    c[5] = LoadCorner(meshB, corners[5 * WF_TILE]);
    tests &= TestAxis(c, 0, &meshA->growth, &meshB->growth, edgeTriangle);
    tests &= TestAxis(c, 1, &meshA->growth, &meshB->growth, edgeTriangle);
    tests &= TestAxis(c, 2, &meshA->growth, &meshB->growth, edgeTriangle);
    if (WF_LANES_PART && tests == 0) return 0; // where boxes decide, they often do so for all threads of a warp
    tests &= TestAxis(c, 3, &meshA->growth, &meshB->growth, edgeTriangle);
    tests &= TestAxis(c, 4, &meshA->growth, &meshB->growth, edgeTriangle);
    tests &= TestAxis(c, 5, &meshA->growth, &meshB->growth, edgeTriangle);
    tests &= TestAxis(c, 6, &meshA->growth, &meshB->growth, edgeTriangle);
    tests &= TestAxis(c, 7, &meshA->growth, &meshB->growth, edgeTriangle);
    tests &= TestAxis(c, 8, &meshA->growth, &meshB->growth, edgeTriangle);
    return tests;
}

WF_TILE_KERNEL(CandidateTest, a, tile)
{
    WF_SHARED int corners[6 * WF_TILE]; // corner * WF_TILE + source
    WF_SHARED uint32_t tests[WF_TILE];  // that belong to a source; afterwards those that are candidates
    WF_SHARED uint64_t sums[WF_TILE];
    int asked = 0;
    for (int kind = 0; kind < wf_candidateKindCount; ++kind) asked |= a.kinds[kind];
    bool edgeTriangle = (a.kinds[wf_edgeTriangle] | a.kinds[wf_triangleEdge]) != 0;
    WF_LANES (t, WF_TILE) {
        int i = tile * WF_TILE + t, last = a.sourceCount - 1;
        wfPair pair = SourceOf(a.pairs, a.adjacent, a.pairCount, i < last ? i : last);
        wfCorners first = a.a.corners[pair.a], second = a.b.corners[pair.b];
        for (int k = 0; k < 3; ++k) {
            corners[k * WF_TILE + t] = first.v[k];
            corners[(3 + k) * WF_TILE + t] = second.v[k];
        }
        int mine = i < a.pairCount ? wfOwnedTests(first.owned, second.owned) : i <= last ? a.adjacent[i - a.pairCount].tests : 0;
        tests[t] = (uint32_t)(mine & asked);
    }
    WF_SYNC();
    WF_WARPS(w) {
        if (edgeTriangle) WF_WARP_LANES(t, w) {
                tests[t] = TestSource(tests[t], &corners[t], &a.a, &a.b, true);
            }
        else
            WF_WARP_LANES(t, w) { tests[t] = TestSource(tests[t], &corners[t], &a.a, &a.b, false); }
    }
    WF_SYNC();
    WF_LANES (t, WF_TILE) {
        if (tile * WF_TILE + t < a.sourceCount) a.masks[tile * WF_TILE + t] = (int)tests[t];
        sums[t] = CountKinds((int)tests[t], a.kinds);
    }
    WF_SYNC();
    for (int half = WF_TILE / 2; half > 0; half /= 2) {
        WF_LANES (t, half) { sums[t] += sums[t + half]; }
        WF_SYNC();
    }
    WF_LANES (t, wf_candidateKindCount) { a.counts[t * a.tileCount + tile] = Unpacked(sums[0], t); }
}

// ---- lists --------------------------------------------------------------------------------------------------------------------

/// The vertices and edges of a source's triangles, loaded at once.
typedef struct Elements {
    wfPair pair;
    wfCorners cornersA, cornersB;
    wfTriangle edgesA, edgesB;
} Elements;

WF_FN int Pick(const int* three, int k) { return k == 0 ? three[0] : k == 1 ? three[1] : three[2]; }

/// What a test of a source is about: an element of the first mesh and one of the second.
WF_FN wfPair ElementsOf(const Elements* e, int test, bool self) {
    wfPair c = e->pair;
    bool swap = false; // within a mesh the vertex or the edge comes before the triangle, and of two edges the lower
    if (test < wf_testVertexB) {
        c.a = Pick(e->cornersA.v, test - wf_testVertexA);
    } else if (test < wf_testEdges) {
        c.b = Pick(e->cornersB.v, test - wf_testVertexB);
        swap = self;
    } else if (test < wf_testEdgeA) {
        int k = (test - wf_testEdges) / 3;
        c.a = Pick(e->edgesA.v, k);
        c.b = Pick(e->edgesB.v, test - wf_testEdges - 3 * k);
        swap = self && c.a > c.b;
    } else if (test < wf_testEdgeB) {
        c.a = Pick(e->edgesA.v, test - wf_testEdgeA);
    } else {
        c.b = Pick(e->edgesB.v, test - wf_testEdgeB);
        swap = self;
    }
    wfPair swapped;
    swapped.a = c.b;
    swapped.b = c.a;
    return swap ? swapped : c;
}

WF_TILE_KERNEL(CandidateWrite, a, tile)
{
    WF_SHARED uint64_t sums[2][WF_TILE];
    WF_LANES (t, WF_TILE) {
        int i = tile * WF_TILE + t;
        sums[0][t] = CountKinds(i < a.sourceCount ? a.masks[i] : 0, a.kinds);
    }
    int from = 0;
    for (int step = 1; step < WF_TILE; step *= 2) {
        WF_SYNC();
        WF_LANES (t, WF_TILE) { sums[1 - from][t] = sums[from][t] + (t >= step ? sums[from][t - step] : 0); }
        from = 1 - from;
    }
    WF_SYNC();
    WF_LANES (t, WF_TILE) {
        int i = tile * WF_TILE + t, mask = i < a.sourceCount ? a.masks[i] : 0;
        if (mask != 0) {
            Elements e;
            e.pair = SourceOf(a.pairs, a.adjacent, a.pairCount, i);
            e.cornersA = a.a.corners[e.pair.a];
            e.cornersB = a.b.corners[e.pair.b];
            e.edgesA = a.a.edges[e.pair.a];
            e.edgesB = a.b.edges[e.pair.b];
            for (int kind = 0; kind < wf_candidateKindCount; ++kind) {
                uint32_t left = a.out[kind] != NULL ? (uint32_t)(mask & a.kinds[kind]) : 0;
                if (left == 0) continue;
                const int* offsets = a.offsets + kind * a.tileCount;
                int at = offsets[tile] - offsets[0] + Unpacked(sums[from][t], kind) - wfCountBits(left);
                for (; left != 0 && at < a.capacity[kind]; left &= left - 1, ++at)
                    a.out[kind][at] = ElementsOf(&e, wfLowestBit(left), a.self);
            }
        }
    }
    if (tile == 0)
        WF_LANES (t, wf_candidateKindCount) { a.totals[t] = a.offsets[(t + 1) * a.tileCount] - a.offsets[t * a.tileCount]; }
}
