// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/candidates_kernels.h"

#include "collide/bits.h"
#include "compute/kernel.h"

// First whole triangles, then, of those that meet, all their elements: a lane tests a pair of triangles along one axis after the other, so
// that what the corners cost is shared by up to 21 tests. (A lane a test, with the owned tests of a tile in a list, compares a quarter as
// much but gathers three times the corners.) Tiles count what they found; writing needs the masks and how many of each kind the tiles
// before have.

WF_KERNEL(CandidateMotion, a, i)
{
    wfVec3 start = wfXyz(a.start[i]), way = wfSub(wfXyz(a.end[i]), start);
    a.motion[2 * i] = wfMake4(start, 0.0f);
    a.motion[2 * i + 1] = wfMake4(way, wfMore(wfMore(fabsf(way.x), fabsf(way.y)), fabsf(way.z)));
}

WF_KERNEL(CandidateMark, a, i)
{
    wfCorners c = a.corners[i];
    int marks = 0;
    for (int k = 0; k < 3; ++k) marks |= (a.vertices[c.v[k]] != 0) << k;
    a.marks[i] = marks;
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
//
// Two triangles are looked at from beside them: from a corner of the first, and, where all vertices go evenly, going along with the mean
// of four corners, two of each. What falls or flies together then stands still, and its bounds are small. With S the largest coordinate of
// a corner seen so, W the largest of a way, and u = 2^-24: a corner at the end is off by u (2 S + 5 W), for it is three differences and a
// sum; along an axis of a slab by 6 S + 14 W, and growing adds 2 S + 4 W. Of both triangles that makes 14 S + 32 W at most; bounds are
// grown by twice that. Along any direction n it is 11 S + 24 W, times the sum of its coordinates.

typedef struct Corner { // where it starts, its way, and the largest coordinate of that
    float x, y, z, wayX, wayY, wayZ, way;
} Corner;

typedef struct Moving { // at the start and at the end, seen from beside them
    float x[2], y[2], z[2];
} Moving;

typedef struct Six {
    Moving c[6];
    float slack;            // of what is rounded
    float reach, slabReach; // how far apart bounds are taken to meet
} Six;

typedef struct Spans { // of the three corners or edges of the first triangle and the three of the second, along an axis
    float lo[6], hi[6];
} Spans;

WF_LANE_FN Corner MakeCorner(float x, float y, float z, float wayX, float wayY, float wayZ, float way) {
    Corner c;
    c.x = x, c.y = y, c.z = z;
    c.wayX = wayX, c.wayY = wayY, c.wayZ = wayZ, c.way = way;
    return c;
}

WF_LANE_FN float Largest(float a, float b, float c) { return wfMore(wfMore(fabsf(a), fabsf(b)), fabsf(c)); }

/// Quarters are exact, so that this is the same with and without fused multiply-add.
WF_LANE_FN Six SeeFromBeside(Corner a, Corner b, Corner c, Corner d, Corner e, Corner f, float beside, wfReach reach) {
    Six s;
    float alongX = beside * ((a.wayX + b.wayX) + (d.wayX + e.wayX)), alongY = beside * ((a.wayY + b.wayY) + (d.wayY + e.wayY)),
          alongZ = beside * ((a.wayZ + b.wayZ) + (d.wayZ + e.wayZ));
#define SEE(k, from)                                  \
    s.c[k].x[0] = from.x - a.x;                       \
    s.c[k].y[0] = from.y - a.y;                       \
    s.c[k].z[0] = from.z - a.z;                       \
    s.c[k].x[1] = s.c[k].x[0] + (from.wayX - alongX); \
    s.c[k].y[1] = s.c[k].y[0] + (from.wayY - alongY); \
    s.c[k].z[1] = s.c[k].z[0] + (from.wayZ - alongZ);
    SEE(0, a)
    SEE(1, b)
    SEE(2, c)
    SEE(3, d)
    SEE(4, e)
    SEE(5, f)
#undef SEE
#define SIZE(k) Largest(s.c[k].x[0], s.c[k].y[0], s.c[k].z[0])
    float size = wfMore(wfMore(SIZE(1), SIZE(2)), wfMore(wfMore(SIZE(3), SIZE(4)), SIZE(5)));
#undef SIZE
    float way = wfMore(wfMore(wfMore(a.way, b.way), wfMore(c.way, d.way)), wfMore(e.way, f.way));
    s.slack = 0x1p-19f * (size + 2.0f * way);
    s.reach = reach.box + s.slack;
    s.slabReach = reach.slab + s.slack;
    return s;
}

WF_LANE_FN float Along(const Moving* c, int end, int axis) {
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

WF_LANE_FN void SpanCorner(Spans* s, int k, const Moving* c, int axis, float reach) {
    float start = Along(c, 0, axis), end = Along(c, 1, axis);
    s->lo[k] = wfLess(start, end) - reach;
    s->hi[k] = wfMore(start, end) + reach;
}

WF_LANE_FN void SpanCorners(Spans* s, const Six* six, int axis) {
    float reach = axis < 3 ? six->reach : six->slabReach;
    SpanCorner(s, 0, &six->c[0], axis, reach);
    SpanCorner(s, 1, &six->c[1], axis, reach);
    SpanCorner(s, 2, &six->c[2], axis, reach);
    SpanCorner(s, 3, &six->c[3], axis, 0.0f);
    SpanCorner(s, 4, &six->c[4], axis, 0.0f);
    SpanCorner(s, 5, &six->c[5], axis, 0.0f);
}

WF_LANE_FN void SpanEdge(Spans* edges, int k, const Spans* corners) {
    int next = k % 3 == 2 ? k - 2 : k + 1;
    edges->lo[k] = wfLess(corners->lo[k], corners->lo[next]);
    edges->hi[k] = wfMore(corners->hi[k], corners->hi[next]);
}

WF_LANE_FN uint32_t Meet(const Spans* s, int k, float lo, float hi, int test) {
    return (uint32_t)((s->lo[k] <= hi) & (lo <= s->hi[k])) << test;
}

/// The tests whose bounds overlap, by those of the corners; those of edges with triangles only if asked for.
WF_LANE_FN uint32_t TestSpans(Spans v, bool edgeTriangle) {
    Spans e;
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

WF_LANE_FN uint32_t TestAxis(const Six* six, int axis, bool edgeTriangle) {
    Spans v;
    SpanCorners(&v, six, axis);
    return TestSpans(v, edgeTriangle);
}

/// Of `tests` those whose bounds overlap.
WF_LANE_FN uint32_t TestElements(uint32_t tests, Six six, bool edgeTriangle) {
    tests &= TestAxis(&six, 0, edgeTriangle);
    tests &= TestAxis(&six, 1, edgeTriangle);
    tests &= TestAxis(&six, 2, edgeTriangle);
    if (WF_LANES_PART && tests == 0) return 0; // where boxes decide, they often do so for all threads of a warp
    tests &= TestAxis(&six, 3, edgeTriangle);
    tests &= TestAxis(&six, 4, edgeTriangle);
    tests &= TestAxis(&six, 5, edgeTriangle);
    tests &= TestAxis(&six, 6, edgeTriangle);
    tests &= TestAxis(&six, 7, edgeTriangle);
    tests &= TestAxis(&six, 8, edgeTriangle);
    return tests;
}

/// Along the line between the middles of both triangles, which parts most of those that lie beside each other, neighbours too. All tests
/// of edges with triangles count as met.
WF_LANE_FN uint32_t TestBetween(Six six, float radii) {
    const Moving* c = six.c;
    Spans s;
#define BOTH(k, axis) (c[k].axis[0] + c[k].axis[1])
#define BETWEEN(axis) ((BOTH(0, axis) + BOTH(1, axis)) + BOTH(2, axis)) - ((BOTH(3, axis) + BOTH(4, axis)) + BOTH(5, axis))
    float x = BETWEEN(x), y = BETWEEN(y), z = BETWEEN(z);
#undef BOTH
#undef BETWEEN
    float length = sqrtf(WF_PRODUCT(x, x) + WF_PRODUCT(y, y) + WF_PRODUCT(z, z));
    float reach = WF_PRODUCT(WF_PRODUCT(radii, length), 1.0f + 0x1p-20f) + WF_PRODUCT(six.slack, fabsf(x) + fabsf(y) + fabsf(z)) + 1e-37f;
#define DOT(k, end) (WF_PRODUCT(x, c[k].x[end]) + WF_PRODUCT(y, c[k].y[end]) + WF_PRODUCT(z, c[k].z[end]))
#define SPAN(k, by)                               \
    {                                             \
        float start = DOT(k, 0), end = DOT(k, 1); \
        s.lo[k] = wfLess(start, end) - (by);      \
        s.hi[k] = wfMore(start, end) + (by);      \
    }
    SPAN(0, reach)
    SPAN(1, reach)
    SPAN(2, reach)
    SPAN(3, 0.0f)
    SPAN(4, 0.0f)
    SPAN(5, 0.0f)
#undef SPAN
#undef DOT
    return TestSpans(s, false) | 7u << wf_testEdgeA | 7u << wf_testEdgeB;
}

/// The tests of vertices with triangles and of edges with edges that a marked vertex takes part in.
WF_FN int MarkedTests(int a, int b) {
    int edgesA = a | a >> 1 | (a & 1) << 2, edgesB = b | b >> 1 | (b & 1) << 2;
    int tests = (b != 0 ? 7 : a) << wf_testVertexA | (a != 0 ? 7 : b) << wf_testVertexB;
    for (int k = 0; k < 3; ++k) tests |= (edgesA >> k & 1 ? 7 : edgesB) << (wf_testEdges + 3 * k);
    return tests;
}

// The six corners of the source that lane t of a warp takes, as private values.
#define EACH_CORNER(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5)
#define PRIVATE_CORNER(k)    \
    WF_PRIVATE(float, x##k); \
    WF_PRIVATE(float, y##k); \
    WF_PRIVATE(float, z##k); \
    WF_PRIVATE(float, u##k); \
    WF_PRIVATE(float, v##k); \
    WF_PRIVATE(float, w##k); \
    WF_PRIVATE(float, m##k);
#define GATHER_CORNER(k, source)                                                                                 \
    WF_WARP_GATHER3(x##k, y##k, z##k, (k) < 3 ? a.a.motion : a.b.motion, t, w, corners[(k)*WF_TILE + (source)]); \
    WF_WARP_GATHER4(u##k, v##k, w##k, m##k, (k) < 3 ? a.a.motion : a.b.motion, t, w, corners[(k)*WF_TILE + (source)] + 1);
#define GATHER_OWN(k)    GATHER_CORNER(k, t)
#define GATHER_LISTED(k) GATHER_CORNER(k, list[t])
#define CORNER(k) \
    MakeCorner(WF_MINE(x##k, t), WF_MINE(y##k, t), WF_MINE(z##k, t), WF_MINE(u##k, t), WF_MINE(v##k, t), WF_MINE(w##k, t), WF_MINE(m##k, t))
// The sources of the tile that have tests left to `list`, and how many these are to `count`.
#define LIST_LEFT()                                                                                                          \
    WF_SYNC();                                                                                                               \
    WF_LANES (t, WF_TILE) { ranks[0][WF_TILE + t] = tests[t] != 0u; }                                                        \
    from = 0;                                                                                                                \
    for (int step = 1; step < WF_TILE; step *= 2) {                                                                          \
        WF_SYNC();                                                                                                           \
        WF_LANES (t, WF_TILE) { ranks[1 - from][WF_TILE + t] = ranks[from][WF_TILE + t] + ranks[from][WF_TILE + t - step]; } \
        from = 1 - from;                                                                                                     \
    }                                                                                                                        \
    WF_SYNC();                                                                                                               \
    count = ranks[from][2 * WF_TILE - 1];                                                                                    \
    WF_LANES (t, WF_TILE) { list[t] = t; }                                                                                   \
    WF_SYNC();                                                                                                               \
    WF_LANES (t, WF_TILE) {                                                                                                  \
        if (tests[t] != 0u) list[ranks[from][WF_TILE + t] - 1] = t;                                                          \
    }                                                                                                                        \
    WF_SYNC();
#define SIX SeeFromBeside(CORNER(0), CORNER(1), CORNER(2), CORNER(3), CORNER(4), CORNER(5), a.beside, a.reach)

WF_TILE_KERNEL(CandidateTest, a, tile)
{
    WF_SHARED int corners[6 * WF_TILE];  // corner * WF_TILE + source
    WF_SHARED uint32_t tests[WF_TILE];   // that belong to a source; afterwards those that are candidates
    WF_SHARED int list[WF_TILE];         // sources of the tile that are left, and behind them any
    WF_SHARED int ranks[2][2 * WF_TILE]; // behind as many zeros
    WF_SHARED uint64_t sums[WF_TILE];
    WF_PRIVATE(uint32_t, found);
    EACH_CORNER(PRIVATE_CORNER)
    int asked = 0, from = 0, count = 0;
    for (int kind = 0; kind < wf_candidateKindCount; ++kind) asked |= a.kinds[kind];
    bool edgeTriangle = (a.kinds[wf_edgeTriangle] | a.kinds[wf_triangleEdge]) != 0;
    WF_LANES (t, 6 * WF_TILE) { corners[t] = 0; } // of what is not looked at
    WF_LANES (t, WF_TILE) {
        int i = tile * WF_TILE + t, last = a.sourceCount - 1;
        wfPair pair = SourceOf(a.pairs, a.adjacent, a.pairCount, i < last ? i : last);
        int marksA = a.a.marks != NULL ? a.a.marks[pair.a] : 0, marksB = a.b.marks != NULL ? a.b.marks[pair.b] : 0;
        tests[t] = 0u;
        ranks[0][t] = ranks[1][t] = 0;
        if (!a.some || (marksA | marksB) != 0) {
            wfCorners first = a.a.corners[pair.a], second = a.b.corners[pair.b];
            for (int k = 0; k < 3; ++k) {
                corners[k * WF_TILE + t] = 2 * first.v[k]; // rows of motion
                corners[(3 + k) * WF_TILE + t] = 2 * second.v[k];
            }
            int mine = i < a.pairCount ? wfOwnedTests(first.owned, second.owned) : i <= last ? a.adjacent[i - a.pairCount].tests : 0;
            if (a.some) mine &= MarkedTests(marksA, marksB);
            tests[t] = (uint32_t)(mine & asked);
        }
    }
    if (a.some) {
        LIST_LEFT()
    } else {
        WF_LANES (t, WF_TILE) { list[t] = t; }
        count = WF_TILE;
        WF_SYNC();
    }
    if (count == 0) {
        WF_LANES (t, WF_TILE) {
            if (tile * WF_TILE + t < a.sourceCount) a.masks[tile * WF_TILE + t] = 0;
        }
        WF_LANES (t, wf_candidateKindCount) { a.counts[t * a.tileCount + tile] = 0; }
        return;
    }
    WF_WARPS(w) {
        if (w * WF_WARP < count) {
            if (a.some) {
                EACH_CORNER(GATHER_LISTED)
            } else {
                EACH_CORNER(GATHER_OWN)
            }
            WF_WARP_LANES(t, w) { WF_MINE(found, t) = TestBetween(SIX, a.reach.box); }
        }
    }
    WF_SYNC();
    WF_LANES (t, count) { tests[list[t]] &= WF_MINE(found, t); }
    LIST_LEFT()
    WF_WARPS(w) {
        if (w * WF_WARP < count) {
            EACH_CORNER(GATHER_LISTED)
            if (edgeTriangle) WF_WARP_LANES(t, w) {
                    WF_MINE(found, t) = TestElements(tests[list[t]], SIX, true);
                }
            else
                WF_WARP_LANES(t, w) { WF_MINE(found, t) = TestElements(tests[list[t]], SIX, false); }
        }
    }
    WF_SYNC();
    WF_LANES (t, count) { tests[list[t]] = WF_MINE(found, t); }
    WF_SYNC();
    WF_LANES (t, WF_TILE) {
        if (tile * WF_TILE + t < a.sourceCount) a.masks[tile * WF_TILE + t] = (int)tests[t];
        sums[t] = tests[t] != 0u ? CountKinds((int)tests[t], a.kinds) : 0u;
    }
    WF_SYNC();
    for (int half = WF_TILE / 2; half > 0; half /= 2) {
        WF_LANES (t, half) { sums[t] += sums[t + half]; }
        WF_SYNC();
    }
    WF_LANES (t, wf_candidateKindCount) { a.counts[t * a.tileCount + tile] = Unpacked(sums[0], t); }
}

#undef EACH_CORNER
#undef PRIVATE_CORNER
#undef GATHER_CORNER
#undef GATHER_OWN
#undef GATHER_LISTED
#undef CORNER
#undef LIST_LEFT
#undef SIX

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

/// Puts edge k of a triangle as its two vertices, the lower first, as wfTopology has them.
WF_FN void PutEdge(const int* corners, int k, int offset, int* out) {
    int p = Pick(corners, k) + offset, q = Pick(corners, k < 2 ? k + 1 : 0) + offset;
    out[0] = p < q ? p : q;
    out[1] = p < q ? q : p;
}

/// As ElementsOf, their vertices; not of edges with triangles.
WF_FN wfFourVertices VerticesOf(const Elements* e, int test, bool self, int offset) {
    wfFourVertices c;
    if (test < wf_testVertexB) {
        c.v[0] = Pick(e->cornersA.v, test - wf_testVertexA);
        for (int k = 0; k < 3; ++k) c.v[1 + k] = e->cornersB.v[k] + offset;
    } else if (test < wf_testEdges) {
        c.v[0] = Pick(e->cornersB.v, test - wf_testVertexB) + offset;
        for (int k = 0; k < 3; ++k) c.v[1 + k] = e->cornersA.v[k];
    } else {
        int k = (test - wf_testEdges) / 3, l = test - wf_testEdges - 3 * k;
        bool swap = self && Pick(e->edgesA.v, k) > Pick(e->edgesB.v, l);
        PutEdge(e->cornersA.v, k, 0, c.v + (swap ? 2 : 0));
        PutEdge(e->cornersB.v, l, offset, c.v + (swap ? 0 : 2));
    }
    return c;
}

WF_TILE_KERNEL(CandidateWrite, a, tile)
{
    WF_SHARED uint64_t sums[2][WF_TILE];
    int found = 0;
    for (int kind = 0; kind < wf_candidateKindCount; ++kind)
        found += a.offsets[kind * a.tileCount + tile + 1] - a.offsets[kind * a.tileCount + tile];
    WF_LANES (t, WF_TILE) {
        int i = tile * WF_TILE + t;
        sums[0][t] = found > 0 && i < a.sourceCount && a.masks[i] != 0 ? CountKinds(a.masks[i], a.kinds) : 0;
    }
    int from = 0;
    for (int step = 1; step < WF_TILE && found > 0; step *= 2) {
        WF_SYNC();
        WF_LANES (t, WF_TILE) { sums[1 - from][t] = sums[from][t] + (t >= step ? sums[from][t - step] : 0); }
        from = 1 - from;
    }
    WF_SYNC();
    WF_LANES (t, WF_TILE) {
        int i = tile * WF_TILE + t, mask = found > 0 && i < a.sourceCount ? a.masks[i] : 0;
        if (mask != 0) {
            Elements e;
            e.pair = SourceOf(a.pairs, a.adjacent, a.pairCount, i);
            e.cornersA = a.a.corners[e.pair.a];
            e.cornersB = a.b.corners[e.pair.b];
            e.edgesA = a.a.edges[e.pair.a];
            e.edgesB = a.b.edges[e.pair.b];
            for (int kind = 0; kind < wf_candidateKindCount; ++kind) {
                wfFourVertices* vertices = a.vertices[kind];
                uint32_t left = a.out[kind] != NULL || vertices != NULL ? (uint32_t)(mask & a.kinds[kind]) : 0;
                if (left == 0) continue;
                const int* offsets = a.offsets + kind * a.tileCount;
                int at = offsets[tile] - offsets[0] + Unpacked(sums[from][t], kind) - wfCountBits(left);
                for (; left != 0 && at < a.capacity[kind]; left &= left - 1, ++at)
                    if (vertices != NULL)
                        vertices[at] = VerticesOf(&e, wfLowestBit(left), a.self, a.offset);
                    else
                        a.out[kind][at] = ElementsOf(&e, wfLowestBit(left), a.self);
            }
        }
    }
    if (tile == 0)
        WF_LANES (t, wf_candidateKindCount) { a.totals[t] = a.offsets[(t + 1) * a.tileCount] - a.offsets[t * a.tileCount]; }
}
