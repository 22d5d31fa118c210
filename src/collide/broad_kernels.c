// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/broad_kernels.h"

#include "collide/bits.h"
#include "compute/kernel.h"

// ---- bounds -------------------------------------------------------------------------------------------------------------------

WF_FN float BoxSide(const wfAabb* box, int side) { return side < 3 ? box->lo[side] : box->hi[side - 3]; }
WF_FN float SlabSide(const wfSlabs* slabs, int side) { return side < wf_slabCount ? slabs->lo[side] : slabs->hi[side - wf_slabCount]; }

// A lane a triangle, then a lane a side (or two) of the patches' bounds.
WF_TILE_KERNEL(BroadFit, a, tile)
{
    WF_SHARED wfAabb boxes[WF_TILE];
    WF_SHARED wfSlabs slabs[WF_TILE];
    WF_LANES (t, WF_TILE) {
        int i = tile * WF_TILE + t;
        if (i < a.patchCount * wf_patchSize) {
            wfSlot slot = a.slots[i];
            wfAabb box = wfAabb_Empty(slot.triangle);
            wfSlabs around = wfSlabs_Empty();
            for (int k = 0; k < 3 && slot.triangle >= 0; ++k) {
                wfVec4 p = a.start[slot.v[k]], q = a.end != NULL ? a.end[slot.v[k]] : p;
                if (!isfinite(p.x + p.y + p.z + q.x + q.y + q.z)) wfRaise(a.fault, wf_faultNotFinite, slot.v[k]);
                wfAabb_Add(&box, p);
                wfAabb_Add(&box, q);
                if (a.slabs != NULL) {
                    wfSlabs_Add(&around, p);
                    wfSlabs_Add(&around, q);
                }
            }
            wfAabb_Grow(&box, a.radius); // what is empty stays so
            a.boxes[i] = boxes[t] = box;
            if (a.slabs != NULL) {
                wfSlabs_Grow(&around, a.radius);
                a.slabs[i] = slabs[t] = around;
            }
        }
    }
    WF_SYNC();
    WF_LANES (t, WF_TILE) {
        int patch = tile * wf_tilePatches + t / wf_patchSize, side = t % wf_patchSize, group = t - side;
        if (patch < a.patchCount) {
            wfAabb* box = &a.patchBoxes[patch];
            if (side < 6) {
                float extreme = BoxSide(&boxes[group], side);
                for (int k = 1; k < wf_patchSize; ++k) {
                    float x = BoxSide(&boxes[group + k], side);
                    extreme = side < 3 ? wfLess(extreme, x) : wfMore(extreme, x);
                }
                if (side < 3)
                    box->lo[side] = extreme;
                else
                    box->hi[side - 3] = extreme;
            } else if (side == 6) {
                box->item = patch;
            } else {
                box->spare = 0;
            }
            for (int s = side; a.slabs != NULL && s < 2 * wf_slabCount; s += wf_patchSize) {
                float extreme = SlabSide(&slabs[group], s);
                for (int k = 1; k < wf_patchSize; ++k) {
                    float x = SlabSide(&slabs[group + k], s);
                    extreme = s < wf_slabCount ? wfLess(extreme, x) : wfMore(extreme, x);
                }
                if (s < wf_slabCount)
                    a.patchSlabs[patch].lo[s] = extreme;
                else
                    a.patchSlabs[patch].hi[s - wf_slabCount] = extreme;
            }
        }
    }
}

// Three levels at once: 128 children give 32, 8 and 2 nodes.
WF_TILE_KERNEL(BroadRefit, a, tile)
{
    WF_SHARED wfAabb s[WF_TILE + WF_TILE / 4 + WF_TILE / 16];
    WF_LANES (t, WF_TILE) {
        int i = tile * WF_TILE + t;
        s[t] = i < wfTree_Count(&a.tree, a.depth) ? a.tree.nodes[wfTree_First(a.depth) + i] : wfAabb_Empty(-1);
    }
    int from = 0, width = WF_TILE;
    for (int depth = a.depth - 1; depth >= 0 && depth >= a.depth - wf_refitLevels; --depth) {
        int to = from + width;
        width /= 4;
        WF_SYNC();
        WF_LANES (t, width) {
            int i = tile * width + t;
            wfAabb box = wfAabb_Empty(-1);
            for (int k = 0; k < 4; ++k) wfAabb_Join(&box, &s[from + 4 * t + k]);
            if (depth > a.depth - wf_refitLevels) s[to + t] = box;
            if (i < wfTree_Count(&a.tree, depth)) a.tree.nodes[wfTree_First(depth) + i] = box;
        }
        from = to;
    }
}

// ---- order along a curve ------------------------------------------------------------------------------------------------------

WF_KERNEL(BroadMorton, a, p)
{
    wfAabb root = *a.root, box = a.leaves[p];
    a.patchBoxes[p] = box;
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
{ a.leaves[i] = a.patchBoxes[a.order[i]]; }

// ---- patches that meet --------------------------------------------------------------------------------------------------------

WF_FN wfPair PairOf(const wfPair* pairs, int rowLength, int i) {
    wfPair pair;
    if (pairs != NULL) return pairs[i];
    pair.a = i / rowLength;
    pair.b = i % rowLength;
    return pair;
}

WF_KERNEL(BroadSplit, a, i)
{
    int mask = 0;
    if (a.pairCount == NULL || i < *a.pairCount) {
        wfPair pair = PairOf(a.pairs, a.rowLength, i);
        const wfAabb *first = a.childrenA + 4 * pair.a, *second = a.childrenB + 4 * pair.b;
        int firstCount = a.self && pair.a > pair.b ? 0 : a.childCountA - 4 * pair.a, secondCount = a.childCountB - 4 * pair.b;
        for (int k = 0; k < 4 && k < firstCount; ++k) {
            wfAabb mine = first[k];
            for (int l = a.self && pair.a == pair.b ? k : 0; l < 4 && l < secondCount; ++l) {
                wfAabb other = second[l];
                if (wfAabb_Overlap(&mine, &other) && (a.slabsA == NULL || wfSlabs_Overlap(&a.slabsA[mine.item], &a.slabsB[other.item])))
                    mask |= 1 << (4 * k + l);
            }
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
        int bit = wfLowestBit(left), first = 4 * pair.a + (bit >> 2), second = 4 * pair.b + (bit & 3);
        a.out[at].a = a.leavesA != NULL ? a.leavesA[first].item : first;
        a.out[at].b = a.leavesB != NULL ? a.leavesB[second].item : second;
    }
}

// ---- triangles that meet ------------------------------------------------------------------------------------------------------

WF_FN bool ShareVertex(const wfSlot* a, const wfSlot* b) {
    for (int k = 0; k < 3; ++k)
        if (a->v[k] == b->v[0] || a->v[k] == b->v[1] || a->v[k] == b->v[2]) return true;
    return false;
}

// Eight lanes a pair of patches, one for each triangle of the first; what they need of the second's is shared.
WF_TILE_KERNEL(BroadTest, a, tile)
{
    WF_SHARED wfAabb boxes[WF_TILE];
    WF_SHARED wfSlot slots[WF_TILE];
    WF_SHARED wfSlabs slabs[WF_TILE];
    WF_SHARED uint32_t rows[WF_TILE];
    int first = tile * wf_tilePatches, known = *a.pairCount;
    if (known > a.capacity) known = a.capacity;
    WF_LANES (t, WF_TILE) {
        int pair = first + t / wf_patchSize;
        if (pair < known) {
            int other = a.pairs[pair].b * wf_patchSize + t % wf_patchSize;
            boxes[t] = a.boxesB[other];
            if (a.self) slots[t] = a.slotsB[other];
            if (a.slabsB != NULL) slabs[t] = a.slabsB[other];
        }
    }
    WF_SYNC();
    WF_LANES (t, WF_TILE) {
        int pair = first + t / wf_patchSize, k = t % wf_patchSize, group = t - k;
        uint32_t row = 0;
        if (pair < known) {
            wfPair patches = a.pairs[pair];
            int mine = patches.a * wf_patchSize + k;
            wfAabb box = a.boxesA[mine];
            for (int l = 0; l < wf_patchSize; ++l) row |= (uint32_t)wfAabb_Overlap(&box, &boxes[group + l]) << l;
            if (a.self) {
                if (patches.a == patches.b) row &= ~0u << (k + 1); // each pair inside a patch once
                wfSlot slot = a.slotsA[mine];
                for (uint32_t left = row; left != 0; left &= left - 1) {
                    int l = wfLowestBit(left);
                    if (ShareVertex(&slot, &slots[group + l])) row &= ~(1u << l);
                }
            }
            if (a.slabsA != NULL && row != 0) {
                wfSlabs own = a.slabsA[mine];
                for (uint32_t left = row; left != 0; left &= left - 1) {
                    int l = wfLowestBit(left);
                    if (!wfSlabs_Overlap(&own, &slabs[group + l])) row &= ~(1u << l);
                }
            }
        }
        rows[t] = row;
    }
    WF_SYNC();
    WF_LANES (t, wf_tilePatches) {
        uint64_t mask = 0;
        for (int k = 0; k < wf_patchSize; ++k) mask |= (uint64_t)rows[t * wf_patchSize + k] << (8 * k);
        if (first + t < a.capacity) {
            a.masks[first + t] = mask;
            a.counts[first + t] = wfCountBits(mask);
        }
    }
}

WF_KERNEL(BroadWrite, a, i)
{
    if (i == 0) *a.outCount = a.offsets[a.pairCapacity];
    if (i >= *a.pairCount || i >= a.pairCapacity) return;
    wfPair patches = a.pairs[i];
    int at = a.offsets[i];
    for (uint64_t left = a.masks[i]; left != 0 && at < a.capacity; left &= left - 1, ++at) {
        int bit = wfLowestBit64(left);
        int s = a.slotsA[patches.a * wf_patchSize + (bit >> 3)].triangle, t = a.slotsB[patches.b * wf_patchSize + (bit & 7)].triangle;
        bool swap = a.self && s > t;
        a.out[at].a = swap ? t : s;
        a.out[at].b = swap ? s : t;
    }
}
