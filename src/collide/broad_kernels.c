// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/broad_kernels.h"

#include "collide/bits.h"
#include "collide/extents.h"
#include "compute/kernel.h"

// ---- bounds -------------------------------------------------------------------------------------------------------------------

enum { Sides = 2 * wf_axisCount, BoxSides = 6 }; // lo and hi along the axes of boxes, then lo and hi along those of slabs

/// The bounds of the triangle in slot k; returns whether its sum is finite. sides: one a WF_TILE.
WF_LANE_FN int FitSlot(const BroadFitArgs* a, const wfPatchSlots* slots, int k, bool slabs, float* sides) {
    wfExtents e;
    float x, y, z, sum;
    WF_GATHER3(x, y, z, a->start, slots->v[0][k]);
    wfExtents_Add(&e, true, slabs, x, y, z);
    sum = x + y + z;
#define ADD(positions, corner)                           \
    WF_GATHER3(x, y, z, positions, slots->v[corner][k]); \
    wfExtents_Add(&e, false, slabs, x, y, z);            \
    sum += x + y + z;
    ADD(a->end, 0)
    ADD(a->start, 1)
    ADD(a->end, 1)
    ADD(a->start, 2)
    ADD(a->end, 2)
#undef ADD
    wfExtents_Grow(&e, slabs, &a->growth);
    bool there = slots->triangle[k] >= 0;
#define PUT_BOX(axis)                                      \
    sides[(axis)*WF_TILE] = there ? e.lo[axis] : INFINITY; \
    sides[(3 + (axis)) * WF_TILE] = there ? e.hi[axis] : -INFINITY;
#define PUT_SLAB(axis)                                                      \
    sides[(BoxSides + (axis)-3) * WF_TILE] = there ? e.lo[axis] : INFINITY; \
    sides[(BoxSides + wf_slabCount + (axis)-3) * WF_TILE] = there ? e.hi[axis] : -INFINITY;
    WF_EACH_BOX_AXIS(PUT_BOX)
    if (slabs) { WF_EACH_SLAB_AXIS(PUT_SLAB) }
#undef PUT_BOX
#undef PUT_SLAB
    return (sum - sum == 0.0f) | !there;
}

/// Copies a side of a patch's triangles out and returns the patch's.
WF_FN float PutSide(const float* from, float* to, bool low) {
    float extreme = from[0];
    for (int k = 0; k < wf_patchSize; ++k) {
        to[k] = from[k];
        extreme = low ? wfLess(extreme, from[k]) : wfMore(extreme, from[k]);
    }
    return extreme;
}

// A lane a triangle, then a lane a side of each patch.
WF_TILE_KERNEL(BroadFit, a, tile)
{
    WF_SHARED float sides[Sides * WF_TILE];
    WF_SHARED int finite[WF_TILE];
    int firstPatch = tile * wf_tilePatches, patches = a.patchCount - firstPatch;
    if (patches > wf_tilePatches) patches = wf_tilePatches;
    WF_GROUPS(g) {
        if (g < patches && a.slabs != NULL) {
            WF_GROUP_LANES(k, g) { finite[g * WF_GROUP + k] = FitSlot(&a, &a.slots[firstPatch + g], k, true, &sides[g * WF_GROUP + k]); }
        } else if (g < patches) {
            WF_GROUP_LANES(k, g) { finite[g * WF_GROUP + k] = FitSlot(&a, &a.slots[firstPatch + g], k, false, &sides[g * WF_GROUP + k]); }
        }
    }
    WF_SYNC();
    WF_LANES (t, patches * wf_patchSize) {
        if (!finite[t]) { // one of its corners, or only their sum
            const wfPatchSlots* slots = &a.slots[firstPatch + t / wf_patchSize];
            for (int corner = 0; corner < 3; ++corner) {
                int v = slots->v[corner][t % wf_patchSize];
                wfVec4 p = a.start[v], q = a.end[v];
                if (!isfinite(p.x + p.y + p.z + q.x + q.y + q.z)) wfRaise(a.fault, wf_faultNotFinite, v);
            }
        }
    }
    WF_LANES (t, wf_tilePatches * BoxSides) {
        int p = t / BoxSides, side = t % BoxSides, patch = firstPatch + p;
        wfQuad* leaves = &a.leaves[patch / 4];
        if (p < patches)
            leaves->side[side][patch % 4] = PutSide(&sides[side * WF_TILE + p * wf_patchSize], a.boxes[patch].side[side], side < 3);
        else if (patch < (a.patchCount + 3) / 4 * 4)
            leaves->side[side][patch % 4] = side < 3 ? INFINITY : -INFINITY;
    }
    if (a.slabs != NULL)
        WF_LANES (t, wf_tilePatches * 2 * wf_slabCount) {
            int p = t / (2 * wf_slabCount), side = t % (2 * wf_slabCount), patch = firstPatch + p;
            if (p < patches)
                a.leafSlabs[patch / 4].side[side][patch % 4] =
                    PutSide(&sides[(BoxSides + side) * WF_TILE + p * wf_patchSize], a.slabs[patch].side[side], side < wf_slabCount);
        }
}

WF_FN wfAabb QuadBox(const wfQuad* quad) {
    wfAabb box = wfAabb_Empty(-1);
    for (int k = 0; k < 3; ++k)
        for (int lane = 0; lane < 4; ++lane) {
            box.lo[k] = wfLess(box.lo[k], quad->side[k][lane]);
            box.hi[k] = wfMore(box.hi[k], quad->side[3 + k][lane]);
        }
    return box;
}

WF_FN wfAabb LaneBox(const wfQuad* quad, int lane) {
    wfAabb box = wfAabb_Empty(-1);
    for (int k = 0; k < 3; ++k) {
        box.lo[k] = quad->side[k][lane];
        box.hi[k] = quad->side[3 + k][lane];
    }
    return box;
}

WF_FN void PutLane(wfQuad* quad, int lane, const wfAabb* box) {
    for (int k = 0; k < 3; ++k) {
        quad->side[k][lane] = box->lo[k];
        quad->side[3 + k][lane] = box->hi[k];
    }
}

// Three levels at once: 128 quads of children give 128, 32 and 8 nodes. Lanes behind the last node of a level become empty.
WF_TILE_KERNEL(BroadRefit, a, tile)
{
    WF_SHARED wfAabb s[WF_TILE + WF_TILE / 4];
    int from = 0, width = WF_TILE;
    for (int depth = a.depth - 1; depth >= 0 && depth >= a.depth - wf_refitLevels; --depth) {
        bool first = depth == a.depth - 1, last = depth == a.depth - wf_refitLevels;
        int to = first ? 0 : from + 4 * width;
        WF_LANES (t, width) {
            int i = tile * width + t, count = wfTree_Count(&a.tree, depth);
            wfAabb box = wfAabb_Empty(-1);
            if (first && i < count)
                box = QuadBox(&a.tree.quads[wfTree_First(a.depth) + i]);
            else if (!first)
                for (int k = 0; k < 4; ++k) wfAabb_Join(&box, &s[from + 4 * t + k]);
            if (!last) s[to + t] = box;
            if (i < (count + 3) / 4 * 4) PutLane(&a.tree.quads[wfTree_First(depth) + i / 4], i % 4, &box);
        }
        from = to;
        width /= 4;
        WF_SYNC();
    }
}

// ---- order along a curve ------------------------------------------------------------------------------------------------------

WF_KERNEL(BroadMorton, a, p)
{
    wfAabb root = LaneBox(a.root, 0), box = LaneBox(&a.leaves[p / 4], p % 4);
    a.patchBoxes[p] = box;
    for (int k = 0; k < wf_slabCount && a.leafSlabs != NULL; ++k) {
        a.patchSlabs[p].lo[k] = a.leafSlabs[p / 4].side[k][p % 4];
        a.patchSlabs[p].hi[k] = a.leafSlabs[p / 4].side[wf_slabCount + k][p % 4];
    }
    float size = 0.0f;
    for (int k = 0; k < 3; ++k) size = wfMore(size, root.hi[k] - root.lo[k]);
    float scale = size > 0.0f ? 1023.0f / size : 0.0f;
    uint32_t key = 0;
    for (int k = 0; k < 3; ++k) {
        float at = (0.5f * (box.lo[k] + box.hi[k]) - root.lo[k]) * scale;
        key |= wfSpreadBits((uint32_t)wfClamp(at, 0.0f, 1023.0f)) << k;
    }
    a.keys[p] = key;
    a.order[p] = p;
}

WF_KERNEL(BroadGather, a, i)
{
    wfAabb box = a.patchBoxes[a.order[i]];
    PutLane(&a.leaves[i / 4], i % 4, &box);
    if (a.leafSlabs == NULL) return;
    wfSlabs slabs = a.patchSlabs[a.order[i]];
    for (int k = 0; k < wf_slabCount; ++k) {
        a.leafSlabs[i / 4].side[k][i % 4] = slabs.lo[k];
        a.leafSlabs[i / 4].side[wf_slabCount + k][i % 4] = slabs.hi[k];
    }
}

// ---- patches that meet --------------------------------------------------------------------------------------------------------

WF_FN wfPair PairOf(const wfPair* pairs, int rowLength, int i) {
    wfPair pair;
    if (pairs != NULL) return pairs[i];
    pair.a = i / rowLength;
    pair.b = i % rowLength;
    return pair;
}

WF_FN int PatchOf(const int* order, int leaf) { return order != NULL ? order[leaf] : leaf; }

// Child k of the first with child l of the second along an axis; sides as in wfQuad, half of them lo.
#define MEETS(first, second, axis, half) \
    (((first).side[axis][k] <= (second).side[(half) + (axis)][l]) & ((second).side[axis][l] <= (first).side[(half) + (axis)][k]))

WF_HEAVY_KERNEL(BroadSplit, a, i) {
    int mask = 0;
    wfPair pair;
    pair.a = pair.b = 0;
    bool there = a.pairCount == NULL || i < *a.pairCount;
    if (there) pair = PairOf(a.pairs, a.rowLength, i);
    if (there && !(a.self && pair.a > pair.b)) {
        wfQuad first = a.childrenA[pair.a], second = a.childrenB[pair.b];
        int columns[4] = {0, 0, 0, 0}; // of the second's children: bits of the first's
        for (int k = 0; k < 4; ++k) {
            WF_SIMD(4)
            for (int l = 0; l < 4; ++l)
                columns[l] |= (MEETS(first, second, 0, 3) & MEETS(first, second, 1, 3) & MEETS(first, second, 2, 3)) << (4 * k);
        }
        mask = columns[0] | columns[1] << 1 | columns[2] << 2 | columns[3] << 3;
        if (a.self && pair.a == pair.b) mask &= 0x8cef; // k <= l
        if (mask != 0 && a.slabsA != NULL) {
            wfQuadSlabs firstSlabs = a.slabsA[pair.a], secondSlabs = a.slabsB[pair.b];
            columns[0] = columns[1] = columns[2] = columns[3] = 0;
            for (int k = 0; k < 4; ++k) {
                WF_SIMD(4)
                for (int l = 0; l < 4; ++l)
                    columns[l] |= (MEETS(firstSlabs, secondSlabs, 0, wf_slabCount) & MEETS(firstSlabs, secondSlabs, 1, wf_slabCount) &
                                   MEETS(firstSlabs, secondSlabs, 2, wf_slabCount) & MEETS(firstSlabs, secondSlabs, 3, wf_slabCount) &
                                   MEETS(firstSlabs, secondSlabs, 4, wf_slabCount) & MEETS(firstSlabs, secondSlabs, 5, wf_slabCount))
                                  << (4 * k);
            }
            mask &= columns[0] | columns[1] << 1 | columns[2] << 2 | columns[3] << 3;
        }
    }
    a.masks[i] = mask;
    a.counts[i] = wfCountBits((uint64_t)mask);
}

WF_KERNEL(BroadSplitWrite, a, i)
{
    if (i == 0) *a.outCount = a.offsets[a.pairCapacity];
    if (i >= a.pairCapacity || (a.pairCount != NULL && i >= *a.pairCount)) return;
    wfPair pair = PairOf(a.pairs, a.rowLength, i);
    int at = a.offsets[i];
    for (uint32_t left = (uint32_t)a.masks[i]; left != 0 && at < a.capacity; left &= left - 1, ++at) {
        int bit = wfLowestBit(left);
        a.out[at].a = PatchOf(a.orderA, 4 * pair.a + (bit >> 2));
        a.out[at].b = PatchOf(a.orderB, 4 * pair.b + (bit & 3));
    }
}

// ---- triangles that meet ------------------------------------------------------------------------------------------------------

// A lane has a triangle of the second patch and goes through those of the first, which are the same for its group: bits. (Spelled out, so
// that the group is vectorised.)
#define EACH_SLOT(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)

WF_LANE_FN uint32_t MeetingBoxes(const wfPatchBoxes* first, const wfPatchBoxes* second, int l) {
    float x0 = second->side[0][l], y0 = second->side[1][l], z0 = second->side[2][l];
    float x1 = second->side[3][l], y1 = second->side[4][l], z1 = second->side[5][l];
    uint32_t bits = 0;
#define MEET(k)                                                                                                                        \
    bits |= (uint32_t)((first->side[0][k] <= x1) & (x0 <= first->side[3][k]) & (first->side[1][k] <= y1) & (y0 <= first->side[4][k]) & \
                       (first->side[2][k] <= z1) & (z0 <= first->side[5][k]))                                                          \
            << (k);
    EACH_SLOT(MEET)
#undef MEET
    return bits;
}

WF_LANE_FN uint32_t MeetingSlabs(const wfPatchSlabs* first, const wfPatchSlabs* second, int l) {
    uint32_t bits = 0xff;
#define MEET(k) meet |= (uint32_t)((first->side[axis][k] <= hi) & (lo <= first->side[wf_slabCount + axis][k])) << (k);
#define AXIS(number)                                                                 \
    {                                                                                \
        enum { axis = (number)-3 };                                                  \
        float lo = second->side[axis][l], hi = second->side[wf_slabCount + axis][l]; \
        uint32_t meet = 0;                                                           \
        EACH_SLOT(MEET)                                                              \
        bits &= meet;                                                                \
    }
    WF_EACH_SLAB_AXIS(AXIS)
#undef AXIS
#undef MEET
    return bits;
}

WF_LANE_FN uint32_t SharingVertices(const wfPatchSlots* first, const wfPatchSlots* second, int l) {
    int v0 = second->v[0][l], v1 = second->v[1][l], v2 = second->v[2][l];
    uint32_t bits = 0;
#define IS(corner, k) ((first->v[corner][k] == v0) | (first->v[corner][k] == v1) | (first->v[corner][k] == v2))
#define SHARE(k)      bits |= (uint32_t)(IS(0, k) | IS(1, k) | IS(2, k)) << (k);
    EACH_SLOT(SHARE)
#undef SHARE
#undef IS
    return bits;
}

WF_FN void Prefetch(const void* data, int bytes) {
    for (int at = 0; at < bytes; at += 64) WF_PREFETCH((const char*)data + at);
}

// Eight lanes a pair of patches, one for each triangle of the second.
WF_TILE_KERNEL(BroadTest, a, tile)
{
    enum { Ahead = 6 }; // pairs; the first patch stays the same for some, the second seldom
    WF_SHARED uint32_t columns[WF_TILE];
    int firstPair = tile * wf_tilePatches, known = *a.pairCount;
    if (known > a.capacity) known = a.capacity;
    WF_GROUPS(g) {
        uint32_t* mine = &columns[g * WF_GROUP];
        if (firstPair + g < known) {
            wfPair pair = a.pairs[firstPair + g], next = a.pairs[firstPair + g + (firstPair + g + Ahead < known ? Ahead : 0)];
            Prefetch(&a.boxesB[next.b], sizeof(wfPatchBoxes));
            if (a.self) Prefetch(&a.slotsB[next.b], sizeof(wfPatchSlots));
            if (a.slabsB != NULL) Prefetch(&a.slabsB[next.b], sizeof(wfPatchSlabs));
            const wfPatchBoxes *boxesA = &a.boxesA[pair.a], *boxesB = &a.boxesB[pair.b];
            const wfPatchSlots *slotsA = &a.slotsA[pair.a], *slotsB = &a.slotsB[pair.b];
            WF_GROUP_LANES(l, g) { mine[l] = MeetingBoxes(boxesA, boxesB, l); }
            if (a.self && pair.a == pair.b) WF_GROUP_LANES(l, g) {
                    mine[l] &= (1u << l) - 1u;
                } // each pair inside a patch once
            if (a.self) WF_GROUP_LANES(l, g) {
                    mine[l] &= ~SharingVertices(slotsA, slotsB, l);
                }
            if (a.slabsA != NULL) {
                const wfPatchSlabs *slabsA = &a.slabsA[pair.a], *slabsB = &a.slabsB[pair.b];
                WF_GROUP_LANES(l, g) { mine[l] &= MeetingSlabs(slabsA, slabsB, l); }
            }
        } else {
            WF_GROUP_LANES(l, g) { mine[l] = 0; }
        }
    }
    WF_SYNC();
    WF_LANES (t, wf_tilePatches) {
        uint64_t mask = 0;
        for (int l = 0; l < wf_patchSize; ++l) mask |= (uint64_t)columns[t * wf_patchSize + l] << (8 * l);
        if (firstPair + t < a.capacity) {
            a.masks[firstPair + t] = mask;
            a.counts[firstPair + t] = wfCountBits(mask);
        }
    }
}

WF_KERNEL(BroadWrite, a, i)
{
    if (i == 0) *a.outCount = a.offsets[a.pairCapacity];
    if (i >= *a.pairCount || i >= a.pairCapacity) return;
    wfPair patches = a.pairs[i];
    const int *first = a.slotsA[patches.a].triangle, *second = a.slotsB[patches.b].triangle;
    int at = a.offsets[i];
    for (uint64_t left = a.masks[i]; left != 0 && at < a.capacity; left &= left - 1, ++at) {
        int bit = wfLowestBit64(left), s = first[bit & 7], t = second[bit >> 3];
        bool swap = a.self && s > t;
        a.out[at].a = swap ? t : s;
        a.out[at].b = swap ? s : t;
    }
}
