// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/vertex_grid_kernels.h"

#include "compute/kernel.h"

// Cells and distances are computed in double: a cell is then right for any position, and a distance squared is the same on every backend.

WF_FN int CellOf(float x, double inverseCell) {
    const double most = 1 << 30; // beyond it all cells are one: slower, but still right
    double cell = floor((double)x * inverseCell);
    return cell < -most ? -(1 << 30) : cell > most ? 1 << 30 : cell == cell ? (int)cell : 0;
}

WF_FN uint32_t BucketOf(int x, int y, int z, int bits) {
    uint32_t h = (uint32_t)x * 0x8da6b343u ^ (uint32_t)y * 0xd8163841u ^ (uint32_t)z * 0xcb1ab31fu;
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    h ^= h >> 13;
    return h & ((1u << bits) - 1u);
}

/// Infinity where a position is not a number, so that such a vertex is near nothing.
WF_FN double DistanceSq(wfVec4 p, wfVec4 q) {
    double x = (double)p.x - q.x, y = (double)p.y - q.y, z = (double)p.z - q.z, d = x * x + y * y + z * z;
    return d == d ? d : INFINITY;
}

WF_KERNEL(GridKeys, a, i)
{
    wfVec4 p = a.x[i];
    if (!isfinite(p.x + p.y + p.z)) wfRaise(a.fault, wf_faultNotFinite, i);
    a.keys[i] = BucketOf(CellOf(p.x, a.inverseCell), CellOf(p.y, a.inverseCell), CellOf(p.z, a.inverseCell), a.bits);
    a.order[i] = i;
}

WF_KERNEL(GridEntries, a, i)
{
    int vertex = a.order[i];
    wfVec4 p = a.x[vertex];
    wfGridEntry entry;
    entry.cell[0] = CellOf(p.x, a.inverseCell);
    entry.cell[1] = CellOf(p.y, a.inverseCell);
    entry.cell[2] = CellOf(p.z, a.inverseCell);
    entry.vertex = vertex;
    a.entries[i] = entry;
    a.places[i] = p;
    a.cachedAt[vertex] = p;
    uint32_t key = a.keys[i];
    if (i == 0 || a.keys[i - 1] != key) a.buckets[key].first = i;
    if (i == a.count - 1 || a.keys[i + 1] != key) a.buckets[key].last = i + 1;
}

WF_FN bool InRow(const int* items, int first, int last, int value) {
    while (first < last) {
        int middle = first + (last - first) / 2, item = items[middle];
        if (item == value) return true;
        if (item < value)
            first = middle + 1;
        else
            last = middle;
    }
    return false;
}

// Of the 27 cells, the own one (what comes behind in the row) and the 13 below it: each pair is met by one of its two.
WF_KERNEL(GridCache, a, i)
{
    wfGridEntry mine = a.entries[i];
    wfVec4 p = a.places[i];
    int ringFirst = a.ringStart[mine.vertex], ringLast = a.ringStart[mine.vertex + 1];
    int count = 0, at = a.offsets != NULL ? a.offsets[i] : 0;
    for (int neighbour = 0; neighbour < 14; ++neighbour) {
        int x = mine.cell[0] + neighbour % 3 - 1, y = mine.cell[1] + neighbour / 3 % 3 - 1, z = mine.cell[2] + neighbour / 9 - 1;
        wfGridRange bucket = a.buckets[BucketOf(x, y, z, a.bits)];
        for (int j = neighbour == 13 ? i + 1 : bucket.first; j < bucket.last; ++j) {
            wfGridEntry other = a.entries[j];
            if (other.cell[0] != x || other.cell[1] != y || other.cell[2] != z) continue;
            if (!(DistanceSq(p, a.places[j]) <= a.reachSq)) continue;
            if (InRow(a.ring, ringFirst, ringLast, other.vertex)) continue;
            if (count == a.most) {
                wfRaise(&a.totals->tooMany, 1, mine.vertex);
                a.counts[i] = count;
                return;
            }
            if (a.offsets != NULL) a.cache[at + count] = other.vertex;
            ++count;
        }
    }
    if (a.offsets == NULL) a.counts[i] = count;
}

// ---- rows -----------------------------------------------------------------------------------------------------------------------

/// Three cells side by side, about a vertex: which places of the sorted entries are theirs.
typedef struct Column {
    wfGridRange range[3];
    int x, y, z; // of the first cell
} Column;

WF_FN Column ColumnOf(const GridRowsArgs* a, const wfGridEntry* mine, int column) {
    Column c;
    c.x = mine->cell[0] - 1;
    c.y = mine->cell[1] + column % 3 - 1;
    c.z = mine->cell[2] + column / 3 - 1;
    for (int k = 0; k < 3; ++k) c.range[k] = a->buckets[BucketOf(c.x + k, c.y, c.z, a->bits)];
    return c;
}

/// The n-th place of a column; -1 behind the last.
WF_FN int PlaceOf(const Column* c, int n) {
    for (int k = 0; k < 3; ++k) {
        int size = c->range[k].last - c->range[k].first;
        if (n < size) return c->range[k].first + n;
        n -= size;
    }
    return -1;
}

/// Which of the places from `from` on, 64 at most, are in the row of the vertex at place i, as bits.
WF_FN uint64_t Matches(const GridRowsArgs* a, const Column* c, int i, int from) {
    enum { Batch = 4 }; // loads that are under way together
    wfGridEntry mine = a->entries[i];
    wfVec4 p = a->places[i], q[Batch];
    // In single precision first, which errs by less than this: most are far away.
    float reachSq = (float)(a->reachSq * (1.0 + 1e-5));
    int ringFirst = a->ringStart[mine.vertex], ringLast = a->ringStart[mine.vertex + 1], n = 0;
    uint64_t found = 0;
    for (int cell = 0; cell < 3; ++cell) {
        int first = c->range[cell].first, last = c->range[cell].last, skip = from - n > 0 ? from - n : 0;
        n += last - first;
        for (int j0 = first + skip; j0 < last && j0 - last + n < from + 64; j0 += Batch) {
            WF_UNROLL(4)
            for (int k = 0; k < Batch; ++k) q[k] = a->places[j0 + k < last ? j0 + k : j0];
            WF_UNROLL(4)
            for (int k = 0; k < Batch; ++k) {
                int j = j0 + k, bit = j - last + n - from;
                float dx = p.x - q[k].x, dy = p.y - q[k].y, dz = p.z - q[k].z;
                if (j >= last || bit >= 64 || !(dx * dx + dy * dy + dz * dz <= reachSq)) continue;
                wfGridEntry other = a->entries[j];
                if (other.cell[0] != c->x + cell || other.cell[1] != c->y || other.cell[2] != c->z || j == i) continue;
                if (!(DistanceSq(p, q[k]) <= a->reachSq) || InRow(a->ring, ringFirst, ringLast, other.vertex)) continue;
                found |= (uint64_t)1 << bit;
            }
        }
    }
    return found;
}

// Each vertex gathers its own row from all 27 cells, so that what is summed over a row needs no atomics. The row's order is that of the
// sorted entries. Lanes count first, and keep as bits what they have found among their first 64 places.
WF_TILE_KERNEL(GridRows, a, tile)
{
    WF_SHARED int found[WF_TILE];
    WF_SHARED int start[1];
    WF_PRIVATE(uint64_t, bits);
    WF_LANES (t, WF_TILE) {
        int row = t / wf_gridLanes, i = tile * wf_gridTile + row;
        found[t] = 0;
        WF_MINE(bits, t) = 0;
        if (row < wf_gridTile && i < a.count) {
            wfGridEntry mine = a.entries[i];
            Column c = ColumnOf(&a, &mine, t % wf_gridLanes);
            WF_MINE(bits, t) = Matches(&a, &c, i, 0);
            found[t] = WF_COUNT_BITS(WF_MINE(bits, t));
            for (int from = 64; PlaceOf(&c, from) >= 0; from += 64) found[t] += WF_COUNT_BITS(Matches(&a, &c, i, from));
        }
    }
    WF_SYNC();
    WF_LANES (t, 1) {
        int sum = 0;
        for (int k = t; k < WF_TILE; ++k) sum += found[k];
        long long at = wfTake(a.rows.used, sum);
        start[0] = at + sum <= a.rows.room ? (int)at : -1;
    }
    WF_SYNC();
    WF_LANES (t, WF_TILE) {
        int row = t / wf_gridLanes, i = tile * wf_gridTile + row, at = start[0];
        if (row < wf_gridTile && i < a.count) {
            wfGridEntry mine = a.entries[i];
            for (int k = 0; k < row * wf_gridLanes; ++k) at += found[k];
            if (t % wf_gridLanes == 0) {
                int count = 0;
                for (int k = 0; k < wf_gridLanes; ++k) count += found[t + k];
                a.rows.start[mine.vertex] = at;
                a.rows.counts[mine.vertex] = start[0] < 0 ? 0 : count;
            }
            for (int k = row * wf_gridLanes; k < t; ++k) at += found[k];
            if (start[0] >= 0 && found[t] > 0) {
                Column c = ColumnOf(&a, &mine, t % wf_gridLanes);
                uint64_t left = WF_MINE(bits, t);
                for (int from = 0; PlaceOf(&c, from) >= 0; from += 64) {
                    if (from > 0) left = Matches(&a, &c, i, from);
                    for (; left != 0; left &= left - 1) a.rows.items[at++] = a.entries[PlaceOf(&c, from + WF_LOWEST_BIT(left))].vertex;
                }
            }
        }
    }
}

WF_KERNEL(GridPairs, a, i)
{
    int vertex = a.entries[i].vertex, count = 0, at = a.offsets != NULL ? a.offsets[i] : 0;
    wfVec4 p = a.x[vertex];
    if (a.offsets == NULL) {
        if (!isfinite(p.x + p.y + p.z))
            wfRaise(a.fault, wf_faultNotFinite, vertex);
        else if (!(DistanceSq(p, a.cachedAt[vertex]) <= a.slackSq))
            wfRaise(&a.totals->moved, 1, vertex);
    }
    for (int k = a.cacheOffsets[i]; k < a.cacheOffsets[i + 1]; ++k) {
        int other = a.cache[k];
        if (!(DistanceSq(p, a.x[other]) <= a.radiusSq)) continue;
        if (a.offsets != NULL && at + count < a.capacity) {
            a.out[at + count].a = vertex < other ? vertex : other;
            a.out[at + count].b = vertex < other ? other : vertex;
        }
        ++count;
    }
    if (a.offsets == NULL)
        a.counts[i] = count;
    else if (i == a.count - 1)
        a.totals->pairs = at + count;
}
