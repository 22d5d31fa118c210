// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Bounds of what moves, for host and kernels: boxes along the axes, and the six slabs along the diagonals of the coordinate planes that
// make an 18-DOP of a box. Points at the beginning and at the end of a motion give bounds of the whole (straight) motion. Growing rounds
// outwards, so that what comes within the radius is never missed, and is monotone: the grown bounds of a part lie inside those of the
// whole. Not-a-number must be kept out by the caller.

#include "math/vec.h"

#include <string.h>

/// A box with a number: what a node of a hierarchy and the box of a triangle are. 32 bytes, two loads.
typedef struct wfAabb {
    WF_ALIGN(16) float lo[3];
    float hi[3];
    int item;
    int spare;
} wfAabb;

enum { wf_slabCount = 6 };

/// Extents along x+y, x-y, x+z, x-z, y+z, y-z (not unit).
typedef struct wfSlabs {
    WF_ALIGN(16) float lo[wf_slabCount];
    float hi[wf_slabCount];
} wfSlabs;

/// The next single-precision number below and above; infinities stay.
WF_FN float wfNextBelow(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if ((bits & 0x7fffffffu) == 0u)
        bits = 0x80000001u;
    else if ((bits & 0x7f800000u) != 0x7f800000u)
        bits += bits >> 31 ? 1u : ~0u;
    memcpy(&x, &bits, sizeof bits);
    return x;
}
WF_FN float wfNextAbove(float x) { return -wfNextBelow(-x); }

/// Below and above every number that a sum or difference of two numbers may have been before it was rounded to x (which is exact where x is
/// tiny), in few instructions; by one to two units of the last place, the same with and without fused multiply-add. Outward infinities
/// stay.
WF_FN float wfBelow(float x) { return x - 1.1920929e-7f * fabsf(x); }
WF_FN float wfAbove(float x) { return x + 1.1920929e-7f * fabsf(x); }

WF_FN float wfLess(float a, float b) { return a < b ? a : b; }
WF_FN float wfMore(float a, float b) { return a > b ? a : b; }

WF_FN wfAabb wfAabb_Empty(int item) {
    wfAabb box;
    for (int k = 0; k < 3; ++k) {
        box.lo[k] = INFINITY;
        box.hi[k] = -INFINITY;
    }
    box.item = item;
    box.spare = 0;
    return box;
}

WF_FN void wfAabb_Add(wfAabb* box, wfVec4 p) {
    box->lo[0] = wfLess(box->lo[0], p.x);
    box->lo[1] = wfLess(box->lo[1], p.y);
    box->lo[2] = wfLess(box->lo[2], p.z);
    box->hi[0] = wfMore(box->hi[0], p.x);
    box->hi[1] = wfMore(box->hi[1], p.y);
    box->hi[2] = wfMore(box->hi[2], p.z);
}

WF_FN void wfAabb_Join(wfAabb* box, const wfAabb* other) {
    for (int k = 0; k < 3; ++k) {
        box->lo[k] = wfLess(box->lo[k], other->lo[k]);
        box->hi[k] = wfMore(box->hi[k], other->hi[k]);
    }
}

/// What bounds are grown by: a radius >= 0, and its length along the axes of slabs, which are sqrt(2) long. Made once for many bounds.
typedef struct wfGrowth {
    float radius, reach;
    float unit; // of the last place, for the rounding of what is grown
} wfGrowth;

WF_FN wfGrowth wfMakeGrowth(float radius) {
    wfGrowth g;
    g.radius = radius;
    g.reach = wfNextAbove(radius * 1.41421366f);
    g.unit = radius > 0.0f ? 1.1920929e-7f : 0.0f;
    return g;
}

/// A side of a box. A radius of zero changes nothing: corners of a straight motion are its exact bounds. Not for an empty box.
WF_FN float wfBoxBelow(float lo, const wfGrowth* by) { return lo - by->radius - by->unit * fabsf(lo - by->radius); }
WF_FN float wfBoxAbove(float hi, const wfGrowth* by) { return hi + by->radius + by->unit * fabsf(hi + by->radius); }

WF_FN void wfAabb_Grow(wfAabb* box, const wfGrowth* by) {
    for (int k = 0; k < 3; ++k) {
        box->lo[k] = wfBoxBelow(box->lo[k], by);
        box->hi[k] = wfBoxAbove(box->hi[k], by);
    }
}

/// Boxes are closed: touching ones overlap. An empty one overlaps nothing.
/// Without branches: in a row of tests the outcome of a single one is as good as random.
WF_FN bool wfAabb_Overlap(const wfAabb* a, const wfAabb* b) {
    return (a->lo[0] <= b->hi[0]) & (b->lo[0] <= a->hi[0]) & (a->lo[1] <= b->hi[1]) & (b->lo[1] <= a->hi[1]) & (a->lo[2] <= b->hi[2]) &
           (b->lo[2] <= a->hi[2]);
}

WF_FN wfSlabs wfSlabs_Empty(void) {
    wfSlabs s;
    for (int k = 0; k < wf_slabCount; ++k) {
        s.lo[k] = INFINITY;
        s.hi[k] = -INFINITY;
    }
    return s;
}

WF_FN void wfSlabs_Add(wfSlabs* s, wfVec4 p) {
    const float d[wf_slabCount] = {p.x + p.y, p.x - p.y, p.x + p.z, p.x - p.z, p.y + p.z, p.y - p.z};
    for (int k = 0; k < wf_slabCount; ++k) {
        s->lo[k] = wfLess(s->lo[k], d[k]);
        s->hi[k] = wfMore(s->hi[k], d[k]);
    }
}

/// A side of a slab, also by a radius of zero: the sums and differences of coordinates were rounded.
WF_FN float wfSlabBelow(float lo, const wfGrowth* by) { return wfBelow(wfBelow(lo) - by->reach); }
WF_FN float wfSlabAbove(float hi, const wfGrowth* by) { return wfAbove(wfAbove(hi) + by->reach); }

WF_FN void wfSlabs_Grow(wfSlabs* s, const wfGrowth* by) {
    for (int k = 0; k < wf_slabCount; ++k) {
        s->lo[k] = wfSlabBelow(s->lo[k], by);
        s->hi[k] = wfSlabAbove(s->hi[k], by);
    }
}

WF_FN bool wfSlabs_Overlap(const wfSlabs* a, const wfSlabs* b) {
    bool apart = false;
    for (int k = 0; k < wf_slabCount; ++k) apart |= (a->lo[k] > b->hi[k]) | (b->lo[k] > a->hi[k]);
    return !apart;
}
