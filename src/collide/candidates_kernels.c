// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/candidates_kernels.h"

#include "collide/bits.h"
#include "compute/kernel.h"

// One axis at a time, for all tests of a pair together: growing is monotone, so the grown bounds of an edge or a triangle are those of its
// vertices joined, and most pairs are apart along the first axes already.

enum { AxisCount = 3 + wf_slabCount };

WF_FN float Along(wfVec4 p, int axis) {
    switch (axis) {
    case 0:
        return p.x;
    case 1:
        return p.y;
    case 2:
        return p.z;
    case 3:
        return p.x + p.y;
    case 4:
        return p.x - p.y;
    case 5:
        return p.x + p.z;
    case 6:
        return p.x - p.z;
    case 7:
        return p.y + p.z;
    default:
        return p.y - p.z;
    }
}

typedef struct Motion { // of the three corners of a triangle
    wfVec4 start[3], end[3];
    float radius, reach;
} Motion;

typedef struct Extents { // along an axis
    float vertexLo[3], vertexHi[3], edgeLo[3], edgeHi[3], lo, hi;
} Extents;

WF_FN Motion MotionOf(const wfElementsView* mesh, int triangle) {
    wfCorners corners = mesh->corners[triangle];
    Motion m;
    for (int k = 0; k < 3; ++k) {
        m.start[k] = mesh->start[corners.v[k]];
        m.end[k] = mesh->end != NULL ? mesh->end[corners.v[k]] : m.start[k];
    }
    m.radius = mesh->radius;
    m.reach = wfSlabReach(mesh->radius);
    return m;
}

WF_FN Extents ExtentsOf(const Motion* m, int axis) {
    Extents e;
    for (int k = 0; k < 3; ++k) {
        float p = Along(m->start[k], axis), q = Along(m->end[k], axis), lo = wfLess(p, q), hi = wfMore(p, q);
        e.vertexLo[k] = axis < 3 ? wfBoxBelow(lo, m->radius) : wfSlabBelow(lo, m->reach);
        e.vertexHi[k] = axis < 3 ? wfBoxAbove(hi, m->radius) : wfSlabAbove(hi, m->reach);
    }
    for (int k = 0; k < 3; ++k) {
        int next = k < 2 ? k + 1 : 0;
        e.edgeLo[k] = wfLess(e.vertexLo[k], e.vertexLo[next]);
        e.edgeHi[k] = wfMore(e.vertexHi[k], e.vertexHi[next]);
    }
    e.lo = wfLess(e.edgeLo[0], e.vertexLo[2]);
    e.hi = wfMore(e.edgeHi[0], e.vertexHi[2]);
    return e;
}

/// The tests whose extents overlap.
WF_FN int Overlapping(const Extents* a, const Extents* b) {
    int tests = 0;
    for (int k = 0; k < 3; ++k) {
        tests |= ((a->vertexLo[k] <= b->hi) & (b->lo <= a->vertexHi[k])) << (wf_testVertexA + k);
        tests |= ((b->vertexLo[k] <= a->hi) & (a->lo <= b->vertexHi[k])) << (wf_testVertexB + k);
        tests |= ((a->edgeLo[k] <= b->hi) & (b->lo <= a->edgeHi[k])) << (wf_testEdgeA + k);
        tests |= ((b->edgeLo[k] <= a->hi) & (a->lo <= b->edgeHi[k])) << (wf_testEdgeB + k);
        for (int l = 0; l < 3; ++l)
            tests |= ((a->edgeLo[k] <= b->edgeHi[l]) & (b->edgeLo[l] <= a->edgeHi[k])) << (wf_testEdges + 3 * k + l);
    }
    return tests;
}

WF_KERNEL(CandidateTest, a, i)
{
    wfPair pair;
    int tests = a.asked;
    if (i < a.pairCount) {
        pair = a.pairs[i];
        tests &= wfOwnedTests(a.a.corners[pair.a].owned, a.b.corners[pair.b].owned);
    } else {
        wfAdjacent adjacent = a.adjacent[i - a.pairCount];
        pair.a = adjacent.a;
        pair.b = adjacent.b;
        tests &= adjacent.tests;
    }
    if (tests != 0) {
        Motion first = MotionOf(&a.a, pair.a), second = MotionOf(&a.b, pair.b);
        WF_UNROLL(9)
        for (int axis = 0; axis < AxisCount; ++axis) {
            if (tests == 0) break;
            Extents mine = ExtentsOf(&first, axis), other = ExtentsOf(&second, axis);
            tests &= Overlapping(&mine, &other);
        }
    }
    a.masks[i] = tests;
}

WF_KERNEL(CandidateCount, a, i)
{ a.counts[i] = wfCountBits((uint64_t)(a.masks[i] & a.kind)); }

WF_KERNEL(CandidateWrite, a, i)
{
    if (i == 0) *a.total = a.offsets[a.sourceCount];
    uint32_t left = i < a.sourceCount ? (uint32_t)(a.masks[i] & a.kind) : 0;
    if (left == 0) return;
    wfPair pair;
    if (i < a.pairCount) {
        pair = a.pairs[i];
    } else {
        pair.a = a.adjacent[i - a.pairCount].a;
        pair.b = a.adjacent[i - a.pairCount].b;
    }
    for (int at = a.offsets[i]; left != 0 && at < a.capacity; left &= left - 1, ++at) {
        int test = wfLowestBit(left);
        wfPair c; // what lies in the first mesh, and what in the second
        bool swap = false;
        if (test < wf_testVertexB) {
            c.a = a.a.corners[pair.a].v[test - wf_testVertexA];
            c.b = pair.b;
        } else if (test < wf_testEdges) {
            c.a = pair.a;
            c.b = a.b.corners[pair.b].v[test - wf_testVertexB];
            swap = a.self;
        } else if (test < wf_testEdgeA) {
            c.a = a.a.edges[pair.a].v[(test - wf_testEdges) / 3];
            c.b = a.b.edges[pair.b].v[(test - wf_testEdges) % 3];
            swap = a.self && c.a > c.b;
        } else if (test < wf_testEdgeB) {
            c.a = a.a.edges[pair.a].v[test - wf_testEdgeA];
            c.b = pair.b;
        } else {
            c.a = pair.a;
            c.b = a.b.edges[pair.b].v[test - wf_testEdgeB];
            swap = a.self;
        }
        a.out[at].a = swap ? c.b : c.a;
        a.out[at].b = swap ? c.a : c.b;
    }
}
