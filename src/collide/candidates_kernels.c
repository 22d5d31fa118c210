// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/candidates_kernels.h"

#include "collide/bits.h"
#include "compute/kernel.h"

typedef struct Dop {
    wfAabb box;
    wfSlabs slabs;
} Dop;

/// Bounds of the motion of corners first … first + count - 1 of a triangle.
WF_FN Dop BoundsOf(const wfElementsView* mesh, const wfCorners* t, int first, int count) {
    Dop d;
    d.box = wfAabb_Empty(0);
    d.slabs = wfSlabs_Empty();
    for (int k = first; k < first + count; ++k) {
        int v = k == 1 ? t->v[1] : k == 2 ? t->v[2] : t->v[0]; // without an index, so that corners stay in registers
        wfVec4 p = mesh->start[v];
        wfAabb_Add(&d.box, p);
        wfSlabs_Add(&d.slabs, p);
        if (mesh->end == NULL) continue;
        p = mesh->end[v];
        wfAabb_Add(&d.box, p);
        wfSlabs_Add(&d.slabs, p);
    }
    wfAabb_Grow(&d.box, mesh->radius);
    wfSlabs_Grow(&d.slabs, mesh->radius);
    return d;
}

WF_FN bool Overlap(const Dop* a, const Dop* b) { return wfAabb_Overlap(&a->box, &b->box) && wfSlabs_Overlap(&a->slabs, &b->slabs); }

/// Of the three tests at `bit`, parts of triangle p (its vertices, or its edges) against the whole of q, those whose bounds overlap.
WF_FN int AgainstWhole(const wfElementsView* meshP, const wfCorners* p, int partSize, const wfElementsView* meshQ, const wfCorners* q,
                       int tests, int bit) {
    int found = 0;
    if ((tests >> bit & 7) == 0) return 0;
    Dop whole = BoundsOf(meshQ, q, 0, 3);
    for (int k = 0; k < 3; ++k) {
        if ((tests >> (bit + k) & 1) == 0) continue;
        Dop part = BoundsOf(meshP, p, k, partSize);
        if (Overlap(&part, &whole)) found |= 1 << (bit + k);
    }
    return found;
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
    int found = 0;
    if (tests != 0) {
        wfCorners s = a.a.corners[pair.a], t = a.b.corners[pair.b];
        found = AgainstWhole(&a.a, &s, 1, &a.b, &t, tests, wf_testVertexA) | AgainstWhole(&a.b, &t, 1, &a.a, &s, tests, wf_testVertexB) |
                AgainstWhole(&a.a, &s, 2, &a.b, &t, tests, wf_testEdgeA) | AgainstWhole(&a.b, &t, 2, &a.a, &s, tests, wf_testEdgeB);
        for (int k = 0; k < 3; ++k) {
            int row = tests >> (wf_testEdges + 3 * k) & 7;
            if (row == 0) continue;
            Dop mine = BoundsOf(&a.a, &s, k, 2);
            for (int l = 0; l < 3; ++l) {
                if ((row >> l & 1) == 0) continue;
                Dop other = BoundsOf(&a.b, &t, l, 2);
                if (Overlap(&mine, &other)) found |= 1 << (wf_testEdges + 3 * k + l);
            }
        }
    }
    a.masks[i] = found;
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
