// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/sdf_kernels.h"

#include "collide/surface_tile.h"
#include "compute/kernel.h"
#include "math/vec_double.h"

// ---- which bricks, and which leaves of the surface's tree are within reach of each ----------------------------------------------

WF_FN float GapSq(wfVec3 lo, wfVec3 hi, const wfSurfaceBox* box) {
    float x = wfHigher(wfHigher(box->lo.x - hi.x, lo.x - box->hi.x), 0.0f),
          y = wfHigher(wfHigher(box->lo.y - hi.y, lo.y - box->hi.y), 0.0f),
          z = wfHigher(wfHigher(box->lo.z - hi.z, lo.z - box->hi.z), 0.0f);
    return x * x + y * y + z * z;
}

/// Whether a triangle of a leaf is within `farthest` of p.
WF_LANE_FN bool IsLeafNear(const SdfArgs* a, int leaf, wfVec3 p, float farthest) {
    int from = leaf * wf_surfaceLeaf, to = from + wf_surfaceLeaf < a->s.triangleCount ? from + wf_surfaceLeaf : a->s.triangleCount;
    bool near = false;
    for (int t = from; t < to && !near; ++t) {
        const wfSurfaceTriangle tri = a->s.triangles[t];
        near = wfSurfaceTriangle_DistanceSq(&tri, p) <= farthest * farthest;
    }
    return near;
}

// Lanes that share a tree, each with every so-many-th node of the coarsest level that has enough of them.
enum { Share = WF_WARP, Sharers = WF_TILE / Share };

/// Leaves within reach of a cell of the lattice, those of one lane; returns how many. out has room for some. Boxes of leaves are wide where
/// the surface is oblique: of those in reach, triangles are judged by the sphere about the cell.
WF_LANE_FN int FindLeaves(const SdfArgs* a, int cell, int lane, int* out, int room) {
    float step = a->cell * (float)wf_sdfCells, reachSq = a->reach * a->reach;
    int x = a->lx + cell % a->nx, y = a->ly + cell / a->nx % a->ny, z = a->lz + cell / a->nx / a->ny;
    wfVec3 lo = wfMulAdd(a->origin, step, wfMake3((float)x, (float)y, (float)z));
    wfVec3 hi = wfMulAdd(a->origin, step, wfMake3((float)(x + 1), (float)(y + 1), (float)(z + 1)));
    wfVec3 middle = wfScale(wfAdd(lo, hi), 0.5f);
    float farthest = a->reach + 0.8661f * step;
    int top = wfSurface_LevelFor(&a->s, Share / 2), count = 0;
    for (int start = lane; start < a->s.size[top]; start += Share) {
        int level = top, node = start;
        do {
            const wfSurfaceBox box = a->s.nodes[a->s.first[level] + node].box;
            if (GapSq(lo, hi, &box) <= reachSq) {
                if (level > 0) {
                    level -= 1;
                    node *= wf_surfaceArity;
                    continue;
                }
                if (IsLeafNear(a, node, middle, farthest)) {
                    if (count < room) out[count] = node;
                    ++count;
                }
            }
            if (!wfSurface_NextBelow(&a->s, top, &level, &node)) break;
        } while (true);
    }
    return count;
}

/// The box about a point's way, in the frame of the body. False where there is none.
WF_FN bool WayBox(const wfSdfWhere* where, int i, wfVec3* lo, wfVec3* hi) {
    wfVec3 from = wfXyz(where->from[i]), to = wfXyz(where->to[i]);
    if (!wfIsFinite3(from) || !wfIsFinite3(to)) return false;
    *lo = wfMake3(INFINITY, INFINITY, INFINITY);
    *hi = wfScale(*lo, -1.0f);
    for (int k = 0; k < 4; ++k) {
        wfVec3 p = wfPose_Unapply(where->poses[k & 1], k < 2 ? from : to);
        *lo = wfMake3(wfLower(lo->x, p.x), wfLower(lo->y, p.y), wfLower(lo->z, p.z));
        *hi = wfMake3(wfHigher(hi->x, p.x), wfHigher(hi->y, p.y), wfHigher(hi->z, p.z));
    }
    wfVec3 margin = wfMake3(where->margin, where->margin, where->margin);
    *lo = wfSub(*lo, margin);
    *hi = wfAdd(*hi, margin);
    return true;
}

/// The first and the last cell of the whole lattice from lo to hi along an axis; none: the last is before the first.
WF_FN void CellsOf(float lo, float hi, float origin, float step, int count, int* first, int* last) {
    *first = (int)wfClamp((lo - origin) / step, 0.0f, (float)count);
    *last = hi >= origin ? (int)wfClamp((hi - origin) / step, 0.0f, (float)(count - 1)) : -1;
}

/// Cells of the whole lattice that are asked for point i; false where none is.
WF_FN bool AskedCells(const wfSdfField* f, const wfSdfWhere* where, int i, int first[3], int last[3]) {
    wfVec3 lo, hi;
    if (!WayBox(where, i, &lo, &hi)) return false;
    float step = f->cell * (float)wf_sdfCells;
    CellsOf(lo.x, hi.x, f->origin.x, step, f->mx, &first[0], &last[0]);
    CellsOf(lo.y, hi.y, f->origin.y, step, f->my, &first[1], &last[1]);
    CellsOf(lo.z, hi.z, f->origin.z, step, f->mz, &first[2], &last[2]);
    return first[0] <= last[0] && first[1] <= last[1] && first[2] <= last[2];
}

WF_KERNEL(SdfSpan, a, i)
{
    int first[3], last[3];
    if (!AskedCells(&a.field, &a.where, i, first, last)) return;
    wfRaiseMost(a.span, (float)(a.field.mx - first[0]));
    wfRaiseMost(a.span + 1, (float)(a.field.my - first[1]));
    wfRaiseMost(a.span + 2, (float)(a.field.mz - first[2]));
    for (int k = 0; k < 3; ++k) wfRaiseMost(a.span + 3 + k, (float)(last[k] + 1));
}

WF_KERNEL(SdfAsk, a, i)
{
    int first[3], last[3];
    if (a.everywhere) a.asked[i] = 1;
    if (a.everywhere || !AskedCells(&a.field, &a.where, i, first, last)) return;
    const wfSdfField* f = &a.field;
    for (int z = first[2] - f->lz; z <= last[2] - f->lz; ++z)
        for (int y = first[1] - f->ly; y <= last[1] - f->ly; ++y)
            for (int x = first[0] - f->lx; x <= last[0] - f->lx; ++x) wfMark(&a.asked[(z * f->ny + y) * f->nx + x]);
}

WF_KERNEL(SdfCover, a, i)
{
    wfVec3 lo, hi;
    if (!WayBox(&a.where, i, &lo, &hi)) return;
    bool all = wfSdf_Knows(&a.field, wfScale(wfAdd(lo, hi), 0.5f));
    for (int k = 0; k < 8; ++k) all = all && wfSdf_Knows(&a.field, wfMake3(k & 1 ? hi.x : lo.x, k & 2 ? hi.y : lo.y, k & 4 ? hi.z : lo.z));
    if (!all) wfMark(a.missing);
}

WF_KERNEL(SdfList, a, i)
{
    int place = a.places[i];
    if (a.brickOf[i]) a.asked[place] = i;
    a.brickOf[i] = a.brickOf[i] ? wf_sdfNone : wf_sdfNotAsked;
    if (i == 0) *a.status = ~(wfFaultSlot)0;
}

WF_TILE_KERNEL(SdfCount, a, tile)
{
    WF_SHARED int counts[WF_TILE], found[WF_TILE * wf_sdfFound];
    WF_LANES (t, WF_TILE) {
        int i = tile * Sharers + t / Share;
        counts[t] = i < a.askedCount ? FindLeaves(&a, a.asked[i], t % Share, found + t * wf_sdfFound, a.room) : 0;
    }
    WF_SYNC();
    WF_LANES (t, WF_TILE) {
        int i = tile * Sharers + t / Share, at = 0;
        for (int k = t - t % Share; k < t; ++k) at += counts[k];
        for (int k = 0; k < counts[t] && at + k < a.room; ++k) a.found[(size_t)i * a.room + at + k] = found[t * wf_sdfFound + k];
        if (t % Share == Share - 1 && i < a.askedCount) a.leafCount[i] = at + counts[t];
    }
}

// Tile: some bricks. Leaves that found no room when they were counted are looked for again.
WF_TILE_KERNEL(SdfFill, a, tile)
{
    WF_SHARED int counts[WF_TILE];
    WF_LANES (t, WF_TILE) {
        int i = tile * Sharers + t / Share;
        bool again = i < a.brickCount && a.leafCount[a.askedOf[i]] > a.room;
        counts[t] = again ? FindLeaves(&a, a.asked[a.askedOf[i]], t % Share, NULL, 0) : 0;
    }
    WF_SYNC();
    WF_LANES (t, WF_TILE) {
        int i = tile * Sharers + t / Share;
        if (i < a.brickCount) {
            int place = a.askedOf[i], cell = a.asked[place], count = a.leafCount[place];
            int* leaves = a.leaves + a.leafStart[place];
            if (count > a.room) {
                for (int k = t - t % Share; k < t; ++k) leaves += counts[k];
                if (counts[t] > 0) FindLeaves(&a, cell, t % Share, leaves, counts[t]);
            } else {
                for (int k = t % Share; k < count; k += Share) leaves[k] = a.found[(size_t)place * a.room + k];
            }
            if (t % Share == 0) {
                a.brickOf[cell] = i;
                a.cellOf[i] = cell;
            }
        }
    }
}

// ---- distance -----------------------------------------------------------------------------------------------------------------

enum { Groups = wf_sdfBrick / 8, Near = 128, Half = Near / 2, Pairs = 1024 };

/// Squared distances of the values of a group to a triangle, where they are the least.
WF_FN void LowerGroup(const SdfArgs* a, int cell, int group, int triangle, uint32_t* least) {
    // Counted from the origin, so that bricks that share a value compute it with the same bits.
    int x = (a->lx + cell % a->nx) * wf_sdfCells + 2 * (group % 4), y = (a->ly + cell / a->nx % a->ny) * wf_sdfCells + 2 * (group / 4 % 4),
        z = (a->lz + cell / a->nx / a->ny) * wf_sdfCells + 2 * (group / 16);
    const wfSurfaceTriangle tri = a->s.triangles[triangle];
    float distanceSq[8];
    WF_SIMD(8)
    for (int n = 0; n < 8; ++n) {
        wfVec3 p = wfMake3(a->origin.x + a->cell * (float)(x + (n & 1)), a->origin.y + a->cell * (float)(y + (n >> 1 & 1)),
                           a->origin.z + a->cell * (float)(z + (n >> 2)));
        distanceSq[n] = wfSurfaceTriangle_DistanceSq(&tri, p);
    }
    WF_SIMD(8)
    for (int n = 0; n < 8; ++n) wfKeepLeast(&least[n], distanceSq[n]);
}

/// The place of the k-th triangle of leaves that are listed from one on.
WF_FN int TriangleAt(const SdfArgs* a, int leaves, int k) {
    return a->leaves[leaves + k / wf_surfaceLeaf] * wf_surfaceLeaf + k % wf_surfaceLeaf;
}

/// The middle of a group.
WF_FN wfVec3 MiddleOf(const SdfArgs* a, int cell, int group) {
    int x = (a->lx + cell % a->nx) * wf_sdfCells + 2 * (group % 4), y = (a->ly + cell / a->nx % a->ny) * wf_sdfCells + 2 * (group / 4 % 4),
        z = (a->lz + cell / a->nx / a->ny) * wf_sdfCells + 2 * (group / 16);
    return wfMulAdd(a->origin, a->cell, wfMake3((float)x + 0.5f, (float)y + 0.5f, (float)z + 0.5f));
}

// Tile: a brick, in groups of 2 x 2 x 2 values. Which triangles may be nearest to a value of a group is judged from its middle, first by
// the balls about them; two lanes a group look at half of the triangles each. The pairs of groups and triangles that are left are then
// shared out evenly: most groups have few, some have many.
WF_TILE_KERNEL(SdfDistance, a, brick)
{
    WF_SHARED float cx[Near], cy[Near], cz[Near], radius[Near], bounds[WF_TILE], within[WF_TILE];
    WF_SHARED uint32_t least[wf_sdfBrick]; // by groups; in order
    WF_SHARED int counts[WF_TILE], sums[wf_tileSums], pairs[Pairs];
    int cell = a.cellOf[brick], leaves = a.leafStart[a.askedOf[brick]];
    int all = (a.leafStart[a.askedOf[brick] + 1] - leaves) * wf_surfaceLeaf;
    float across = 2.0f * 0.8661f * a.cell; // of a group
    WF_LANES (t, WF_TILE) {
        within[t] = a.reach + 0.5f * across; // what is farther from the middle is not nearest to any of the eight
        for (int n = t; n < wf_sdfBrick; n += WF_TILE) least[n] = wfToOrder(a.reach * a.reach);
    }
    for (int first = 0; first < all; first += Near) {
        int half = all - first < Near ? (all - first + 15) / 16 * 8 : Half;
        WF_PRIVATE(uint64_t, near); // which of a lane's triangles may be nearest
        WF_SYNC();
        WF_LANES (t, Near) {
            int triangle = first + t < all ? TriangleAt(&a, leaves, first + t) : a.s.triangleCount;
            cx[t] = cy[t] = cz[t] = INFINITY;
            radius[t] = 0.0f;
            if (triangle < a.s.triangleCount) {
                const wfSurfaceTriangle tri = a.s.triangles[triangle];
                wfVec3 centre = wfMulAdd(tri.a, 1.0f / 3.0f, wfAdd(tri.ab, tri.ac));
                cx[t] = centre.x;
                cy[t] = centre.y;
                cz[t] = centre.z;
                radius[t] = tri.radius;
            }
        }
        WF_SYNC();
        WF_LANES (t, WF_TILE) {
            wfVec3 middle = MiddleOf(&a, cell, t % Groups);
            float parts[8];
            for (int n = 0; n < 8; ++n) parts[n] = INFINITY;
            for (int k = t / Groups * half; k < (t / Groups + 1) * half; k += 8) {
                WF_SIMD(8)
                for (int n = 0; n < 8; ++n) {
                    float x = cx[k + n] - middle.x, y = cy[k + n] - middle.y, z = cz[k + n] - middle.z;
                    parts[n] = wfLower(parts[n], x * x + y * y + z * z);
                }
            }
            for (int n = 1; n < 8; ++n) parts[0] = wfLower(parts[0], parts[n]);
            bounds[t] = wfLower(within[t], (sqrtf(parts[0]) + across) * (1.0f + 1e-5f));
        }
        WF_SYNC();
        WF_LANES (t, WF_TILE) {
            wfVec3 middle = MiddleOf(&a, cell, t % Groups);
            float bound = wfLower(bounds[t], bounds[(t + Groups) % WF_TILE]);
            int start = t / Groups * half;
            uint64_t left = 0;
            for (int k = 0; k < half; k += 8) {
                uint32_t bits[8], some = 0;
                WF_SIMD(8)
                for (int n = 0; n < 8; ++n) {
                    int at = start + k + n;
                    float x = cx[at] - middle.x, y = cy[at] - middle.y, z = cz[at] - middle.z, most = bound + radius[at];
                    bits[n] = x * x + y * y + z * z <= most * most ? 1u << n : 0u;
                }
                for (int n = 0; n < 8; ++n) some |= bits[n];
                left |= (uint64_t)some << k;
            }
            // One distance spares eight, but not where a vector takes eight in the time of one.
            for (uint64_t some = WF_LANES_PART ? left : 0; some != 0; some &= some - 1) {
                const wfSurfaceTriangle tri = a.s.triangles[TriangleAt(&a, leaves, first + start + WF_LOWEST_BIT(some))];
                float distance = sqrtf(wfSurfaceTriangle_DistanceSq(&tri, middle));
                if (distance > bound) left &= ~(some & (~some + 1));
                bound = wfLower(bound, (distance + across) * (1.0f + 1e-5f));
            }
            WF_MINE(near, t) = left;
            within[t] = bound;
            counts[t] = WF_COUNT_BITS(left);
        }
        WF_SYNC();
        WF_LANES (t, wf_tileSums) { sums[t] = wfTile_PartOf(counts, t); }
        WF_SYNC();
        int pairCount = wfTile_SumOf(sums);
        for (int from = 0; from < pairCount; from += Pairs) {
            WF_LANES (t, WF_TILE) {
                int at = wfTile_PlaceOf(counts, sums, t) - from;
                for (uint64_t left = WF_MINE(near, t); left != 0; left &= left - 1, ++at)
                    if (at >= 0 && at < Pairs) pairs[at] = (t / Groups * half + WF_LOWEST_BIT(left)) * Groups + t % Groups;
            }
            WF_SYNC();
            WF_LANES (t, WF_TILE) {
                for (int n = t; n < Pairs && from + n < pairCount; n += WF_TILE) {
                    int group = pairs[n] % Groups, k = pairs[n] / Groups;
                    LowerGroup(&a, cell, group, TriangleAt(&a, leaves, first + k), least + 8 * group);
                }
            }
            WF_SYNC();
        }
    }
    WF_SYNC();
    float* out = a.bricks + (size_t)brick * wf_sdfBrick;
    WF_LANES (t, WF_TILE) {
        for (int n = t; n < wf_sdfBrick; n += WF_TILE) {
            int x = n % wf_sdfSide, y = n / wf_sdfSide % wf_sdfSide, z = n / (wf_sdfSide * wf_sdfSide);
            float distanceSq = wfFromOrder(least[8 * (z / 2 * 16 + y / 2 * 4 + x / 2) + z % 2 * 4 + y % 2 * 2 + x % 2]);
            out[n] = distanceSq < a.reach * a.reach ? sqrtf(distanceSq) : a.reach;
        }
    }
}

// ---- sign ---------------------------------------------------------------------------------------------------------------------

/// What a value bids to speak for its group: how far it is from the surface (distances order as their bits do), then the lower number.
WF_FN uint64_t Bid(float distance, int n) {
    union {
        float number;
        uint32_t bits;
    } u;
    u.number = distance;
    return (uint64_t)u.bits << 32 | (uint32_t)(wf_sdfBrick - 1 - n);
}

WF_FN int Bidder(uint64_t bid) { return wf_sdfBrick - 1 - (int)(uint32_t)bid; }

/// Where value n of a brick is.
WF_FN wfVec3 ValueAt(const SdfArgs* a, int brick, int n) {
    int cell = a->cellOf[brick], x = n % wf_sdfSide, y = n / wf_sdfSide % wf_sdfSide, z = n / (wf_sdfSide * wf_sdfSide);
    return wfMake3(a->origin.x + a->cell * (float)((a->lx + cell % a->nx) * wf_sdfCells + x),
                   a->origin.y + a->cell * (float)((a->ly + cell / a->nx % a->ny) * wf_sdfCells + y),
                   a->origin.z + a->cell * (float)((a->lz + cell / a->nx / a->ny) * wf_sdfCells + z));
}

/// A body turned inside out is the same body.
WF_FN float SideOf(float winding) { return fabsf(winding) > 0.5f ? -1.0f : 1.0f; }

/// On which side of the plane through q, p and an edge the third corner of a triangle is, seen along the edge; what two triangles find of
/// an edge that they share is opposite to the bit.
WF_LANE_FN bool IsLeftOf(const SdfArgs* a, wfVec3D q, wfVec3D way, int from, int to) {
    bool turned = from > to;
    wfVec3D b = wfSubD(wfWiden(wfXyz(a->s.x[turned ? to : from])), q), c = wfSubD(wfWiden(wfXyz(a->s.x[turned ? from : to])), q);
    return (wfDotD(way, wfCrossD(b, c)) >= 0.0) != turned;
}

/// How much farther in p is than q, both in a brick: the surface's crossings of the way between them, by every `every`-th triangle near the
/// brick, from one on. On its way in it meets a triangle's front.
WF_LANE_FN int CrossingsPart(const SdfArgs* a, int brick, wfVec3 from, wfVec3 to, int first, int every) {
    int place = a->askedOf[brick], leaves = a->leafStart[place], count = (a->leafStart[place + 1] - leaves) * wf_surfaceLeaf, sum = 0;
    // Bodies are symmetric and grids are, too: from a place a little beside it a way hardly ever goes through a vertex.
    wfVec3D q = wfMulAddD(wfWiden(from), 0.01 * (double)a->cell, wfMake3D(0.7236, 0.5772, -0.4142)), p = wfWiden(to), way = wfSubD(p, q);
    for (int k = first; k < count; k += every) {
        int t = TriangleAt(a, leaves, k);
        if (t >= a->s.triangleCount) continue;
        const int* v = a->s.corners[t];
        wfVec3D x = wfWiden(wfXyz(a->s.x[v[0]]));
        wfVec3D normal = wfCrossD(wfSubD(wfWiden(wfXyz(a->s.x[v[1]])), x), wfSubD(wfWiden(wfXyz(a->s.x[v[2]])), x));
        bool before = wfDotD(normal, wfSubD(q, x)) >= 0.0, behind = wfDotD(normal, wfSubD(p, x)) >= 0.0;
        bool left = IsLeftOf(a, q, way, v[0], v[1]);
        if (before == behind || IsLeftOf(a, q, way, v[1], v[2]) != left || IsLeftOf(a, q, way, v[2], v[0]) != left) continue;
        sum += before ? 1 : -1;
    }
    return sum;
}

// Tile: a brick. Values on one side of the surface come to share the bid of the one among them that is farthest from it. How often the
// surface winds about the farthest of all is asked of the whole tree; from there to the others it is the triangles near the brick that
// count.
WF_TILE_KERNEL(SdfSign, a, brick)
{
    enum { Side = wf_sdfSide, Layer = Side * Side, Own = wf_sdfBrick / WF_TILE };
    WF_SHARED float d[wf_sdfBrick], side[wf_sdfBrick];
    WF_SHARED uint64_t bid[wf_sdfBrick], joined[wf_sdfBrick], most[WF_TILE];
    WF_SHARED int moved[Layer], counts[WF_TILE], sums[wf_tileSums], roots[wf_sdfBrick];
    float* values = a.bricks + (size_t)brick * wf_sdfBrick;
    float apart = a.cell * (1.0f + 1e-4f);
    WF_LANES (t, WF_TILE) {
        most[t] = 0;
        for (int n = t; n < wf_sdfBrick; n += WF_TILE) {
            d[n] = values[n];
            bid[n] = Bid(d[n], n);
            if (bid[n] > most[t]) most[t] = bid[n];
        }
    }
    WF_SYNC();
    WF_LANES (t, wf_tileSums) {
        for (int k = t + wf_tileSums; k < WF_TILE; k += wf_tileSums)
            if (most[k] > most[t]) most[t] = most[k];
    }
    WF_SYNC();
    uint64_t highest = most[0];
    for (int k = 1; k < wf_tileSums; ++k) highest = most[k] > highest ? most[k] : highest;
    int farthest = Bidder(highest);
    // Back and forth along lines of values, a lane a line, until nothing changes.
    for (bool any = true; any;) {
        WF_LANES (t, Layer) { moved[t] = 0; }
        for (int axis = 0; axis < 3; ++axis) {
            WF_LANES (t, Layer) {
                int stride = axis == 0 ? 1 : axis == 1 ? Side : Layer;
                int start = axis == 0 ? t * Side : axis == 1 ? t % Side + t / Side * Layer : t;
                uint64_t line[Side];
                bool joins[Side - 1], changes = false;
                for (int k = 0; k < Side; ++k) line[k] = bid[start + k * stride];
                for (int k = 0; k < Side - 1; ++k) {
                    joins[k] = d[start + k * stride] + d[start + (k + 1) * stride] > apart;
                    bool moves = joins[k] && line[k] > line[k + 1];
                    line[k + 1] = moves ? line[k] : line[k + 1];
                    changes = changes || moves;
                }
                for (int k = Side - 2; k >= 0; --k) {
                    bool moves = joins[k] && line[k + 1] > line[k];
                    line[k] = moves ? line[k + 1] : line[k];
                    changes = changes || moves;
                }
                if (changes) {
                    for (int k = 0; k < Side; ++k) bid[start + k * stride] = line[k];
                    moved[t] = 1;
                }
            }
            WF_SYNC();
        }
        any = false;
        for (int k = 0; k < Layer; ++k) any = any || moved[k] != 0;
        WF_SYNC();
    }
    // What is alone lies close to the surface; most of it sees a group across a diagonal.
    WF_LANES (t, WF_TILE) {
        for (int n = t; n < wf_sdfBrick; n += WF_TILE) {
            uint64_t best = bid[n];
            int x = n % Side, y = n / Side % Side, z = n / Layer;
            for (int k = 0; k < 27 && Bidder(bid[n]) == n; ++k) {
                int dx = k % 3 - 1, dy = k / 3 % 3 - 1, dz = k / 9 - 1;
                if (x + dx < 0 || x + dx >= Side || y + dy < 0 || y + dy >= Side || z + dz < 0 || z + dz >= Side) continue;
                int other = n + dx + dy * Side + dz * Layer;
                float length = apart * sqrtf((float)(dx * dx + dy * dy + dz * dz));
                if (d[n] + d[other] > length && bid[other] > best) best = bid[other];
            }
            joined[n] = best;
        }
    }
    WF_SYNC();
    // Those that speak for others, in order.
    WF_LANES (t, WF_TILE) {
        counts[t] = 0;
        for (int n = t * Own; n < (t + 1) * Own; ++n) counts[t] += Bidder(joined[n]) == n;
    }
    WF_SYNC();
    WF_LANES (t, wf_tileSums) { sums[t] = wfTile_PartOf(counts, t); }
    WF_SYNC();
    WF_LANES (t, WF_TILE) {
        int at = wfTile_PlaceOf(counts, sums, t);
        for (int n = t * Own; n < (t + 1) * Own; ++n)
            if (Bidder(joined[n]) == n) roots[at++] = n;
    }
    int rootCount = wfTile_SumOf(sums);
    wfVec3 clear = ValueAt(&a, brick, farthest);
    float winding = wfSurface_TileWinding(&a.s, clear);
    WF_LANES (t, 1) {
        // Close to the surface both answers are as good; elsewhere it must be one or the other.
        if (!(fabsf(winding - rintf(winding)) < 0.25f) && d[farthest] > 0.5f * a.cell)
            wfRaise(a.status, wf_faultNone, brick * wf_sdfBrick + farthest);
    }
    for (int first = 0; first < rootCount; first += Sharers) {
        WF_LANES (t, WF_TILE) {
            int k = first + t / Share;
            counts[t] = 0;
            if (k < rootCount && roots[k] != farthest)
                counts[t] = CrossingsPart(&a, brick, clear, ValueAt(&a, brick, roots[k]), t % Share, Share);
        }
        WF_SYNC();
        WF_LANES (t, Sharers) {
            int sum = 0;
            for (int k = 0; k < Share; ++k) sum += counts[t * Share + k];
            if (first + t < rootCount) side[roots[first + t]] = SideOf(winding + (float)sum);
        }
        WF_SYNC();
    }
    WF_LANES (t, WF_TILE) {
        for (int n = t; n < wf_sdfBrick; n += WF_TILE) {
            int root = n;
            while (Bidder(joined[root]) != root) root = Bidder(joined[root]); // each bids more than the one before
            values[n] = side[root] * d[n];
        }
    }
}

// ---- far from the surface -----------------------------------------------------------------------------------------------------

WF_FN wfVec3 CornerAt(const SdfArgs* a, int i) {
    int x = i % (a->nx + 1), y = i / (a->nx + 1) % (a->ny + 1), z = i / (a->nx + 1) / (a->ny + 1);
    return wfMulAdd(a->origin, a->cell * (float)wf_sdfCells, wfMake3((float)(a->lx + x), (float)(a->ly + y), (float)(a->lz + z)));
}

/// Of a whole field: which side q is on, within reach of the surface: that of the grid point next to it, which is nearer than the surface
/// is. Where that has no brick the winding number says it.
WF_FN float SideAt(const SdfArgs* a, wfVec3 q) {
    float inverse = 1.0f / a->cell;
    wfVec3 g = wfScale(wfSub(q, a->origin), inverse);
    int x = (int)rintf(g.x), y = (int)rintf(g.y), z = (int)rintf(g.z);
    int cx = x / wf_sdfCells, cy = y / wf_sdfCells, cz = z / wf_sdfCells;
    cx = cx < a->nx ? cx : a->nx - 1;
    cy = cy < a->ny ? cy : a->ny - 1;
    cz = cz < a->nz ? cz : a->nz - 1;
    int brick = a->brickOf[(cz * a->ny + cy) * a->nx + cx];
    if (brick < 0) return SideOf(wfSurface_Winding(&a->s, q));
    int at = ((z - cz * wf_sdfCells) * wf_sdfSide + y - cy * wf_sdfCells) * wf_sdfSide + x - cx * wf_sdfCells;
    return a->bricks[(size_t)brick * wf_sdfBrick + at];
}

/// The brick of a cell of the lattice; wf_sdfNotAsked beyond it.
WF_FN int BrickAt(const SdfArgs* a, int x, int y, int z) {
    bool beyond = x < 0 || x >= a->nx || y < 0 || y >= a->ny || z < 0 || z >= a->nz;
    int brick = a->brickOf[beyond ? 0 : (z * a->ny + y) * a->nx + x]; // without a branch about the load
    return beyond ? wf_sdfNotAsked : brick;
}

/// The value of a corner of the lattice in the first brick that has it; false where none has. *asked: whether a cell about it is. All cells
/// are looked at before any is judged, so that a GPU waits for them together.
WF_FN bool FindCorner(const SdfArgs* a, int x, int y, int z, float* value, bool* asked) {
    int found = wf_sdfNone, at = 0;
    WF_UNROLL(8)
    for (int k = 7; k >= 0; --k) {
        int dx = k & 1, dy = k >> 1 & 1, dz = k >> 2; // the corner is the high or the low one of the cell along each axis
        int brick = BrickAt(a, x - dx, y - dy, z - dz);
        *asked |= brick != wf_sdfNotAsked;
        at = brick < 0 ? at : (dz * wf_sdfSide + dy) * wf_sdfSide + dx;
        found = brick < 0 ? found : brick;
    }
    if (found >= 0) *value = a->bricks[(size_t)found * wf_sdfBrick + at * wf_sdfCells]; // cut off in one brick, and so in all
    return found >= 0;
}

/// Whether a cell about the edge of the lattice from (x, y, z) along an axis is far from the surface: it has both ends on one side then.
WF_FN bool IsEdgeFar(const SdfArgs* a, int x, int y, int z, int axis) {
    bool far = false;
    WF_UNROLL(4)
    for (int k = 0; k < 4; ++k) {
        int u = k & 1, v = k >> 1;
        int brick = BrickAt(a, x - (axis == 0 ? 0 : u), y - (axis == 1 ? 0 : axis == 0 ? u : v), z - (axis == 2 ? 0 : v));
        far |= brick == wf_sdfNone;
    }
    return far;
}

/// The side of a corner that no brick has, by a corner that one has, a few edges of the lattice away; 0 where none is found.
WF_FN float SideFromBricks(const SdfArgs* a, int x, int y, int z) {
    enum { Steps = 4 };
    for (int way = 0; way < 6; ++way) {
        int axis = way / 2, step = way % 2 == 0 ? 1 : -1, at[3] = {x, y, z};
        for (int k = 0; k < Steps; ++k) {
            int low[3] = {at[0], at[1], at[2]};
            low[axis] += step < 0 ? -1 : 0;
            if (!IsEdgeFar(a, low[0], low[1], low[2], axis)) break;
            at[axis] += step;
            float value;
            bool asked = false;
            if (FindCorner(a, at[0], at[1], at[2], &value, &asked)) return value < 0.0f ? -1.0f : 1.0f;
        }
    }
    return 0.0f;
}

/// Item: a corner of the lattice. Taken from a brick where that has it exactly, else found in the tree; its side is that of any point on
/// the way to the nearest point of the surface, and the last part of this way runs through bricks. Of a field near points those outside are
/// only known to be far; those of which that is not known are no number, and as those that are far inside left to SdfDepths.
WF_HEAVY_KERNEL(SdfCorners, a, i) {
    int x = i % (a.nx + 1), y = i / (a.nx + 1) % (a.ny + 1), z = i / (a.nx + 1) / (a.ny + 1);
    bool asked = false;
    float value = a.reach;
    bool known = FindCorner(&a, x, y, z, &value, &asked);
    if (asked && a.near && !known) {
        float side = SideFromBricks(&a, x, y, z);
        value = side != 0.0f ? side * a.reach : NAN;
    }
    if (asked && !a.near && (!known || fabsf(value) >= a.reach)) {
        wfVec3 p = CornerAt(&a, i);
        wfSurfaceHit hit = wfSurface_Closest(&a.s, p, INFINITY);
        float side = known ? value : SideAt(&a, wfLerp(hit.point, p, wfLower(1.0f, (a.reach - a.cell) / hit.distance)));
        value = copysignf(hit.distance, side);
    }
    a.corners[i] = value;
}

/// Tile: a corner of the lattice of a field near points. How deep it is, if it is far inside; those that no brick has may be.
WF_TILE_KERNEL(SdfDepths, a, i)
{
    float value = a.corners[i];
    bool known = !isnan(value);
    if (known && value > -a.reach) return;
    wfVec3 p = CornerAt(&a, i);
    float side = known ? -1.0f : SideOf(wfSurface_TileWinding(&a.s, p));
    value = side < 0.0f ? -sqrtf(wfSurface_TileDistanceSq(&a.s, p)) : a.reach;
    WF_LANES (t, 1) { a.corners[i] = value; }
}

WF_KERNEL(SdfSample, a, i)
{
    wfVec3 gradient;
    float distance = wfSdf_Distance(&a.field, wfXyz(a.points[i]), &gradient);
    a.out[i] = wfMake4(gradient, distance);
}
