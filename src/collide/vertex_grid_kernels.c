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

/// The part of a row that lies in three cells side by side: counts it, or puts it into the row from `at` on; how many.
WF_FN int TakeColumn(const GridRowsArgs* a, int i, int column, int at) {
    enum { Batch = 4 }; // loads that are under way together
    wfGridEntry mine = a->entries[i];
    wfVec4 p = a->places[i], q[Batch];
    float reachSq = (float)(a->reachSq * (1.0 + 1e-5)); // in single precision first, which errs by less than this: most are far away
    int ringFirst = a->ringStart[mine.vertex], ringLast = a->ringStart[mine.vertex + 1], count = 0;
    int y = mine.cell[1] + column % 3 - 1, z = mine.cell[2] + column / 3 - 1;
    for (int x = mine.cell[0] - 1; x <= mine.cell[0] + 1; ++x) {
        wfGridRange bucket = a->buckets[BucketOf(x, y, z, a->bits)];
        for (int first = bucket.first; first < bucket.last; first += Batch) {
            WF_UNROLL(4)
            for (int k = 0; k < Batch; ++k) q[k] = a->places[first + k < bucket.last ? first + k : first];
            WF_UNROLL(4)
            for (int k = 0; k < Batch; ++k) {
                int j = first + k;
                float dx = p.x - q[k].x, dy = p.y - q[k].y, dz = p.z - q[k].z;
                if (j >= bucket.last || !(dx * dx + dy * dy + dz * dz <= reachSq)) continue;
                wfGridEntry other = a->entries[j];
                if (other.cell[0] != x || other.cell[1] != y || other.cell[2] != z || j == i) continue;
                if (!(DistanceSq(p, q[k]) <= a->reachSq) || InRow(a->ring, ringFirst, ringLast, other.vertex)) continue;
                if (a->fill) a->rows.items[at + count] = other.vertex;
                ++count;
            }
        }
    }
    return count;
}

// Each vertex gathers its own row from all 27 cells, so that what is summed over a row needs no atomics; nine items do it together, once to
// count and once to fill. The row's order is that of the sorted entries. Items side by side take the same column of vertices side by side,
// which mostly are in one cell.
WF_KERNEL(GridRows, a, item)
{
    int i = item % a.count, column = item / a.count;
    if (!a.fill) {
        a.columns[item] = TakeColumn(&a, i, column, 0);
        return;
    }
    int vertex = a.entries[i].vertex, at = a.rows.start[vertex];
    if (a.columns[item] == 0 || a.rows.counts[vertex] == 0) return; // nothing, or no room
    for (int k = 0; k < column; ++k) at += a.columns[k * a.count + i];
    TakeColumn(&a, i, column, at);
}

WF_TILE_KERNEL(GridPlaces, a, tile)
{
    WF_SHARED int size[WF_TILE], start[WF_TILE];
    WF_LANES (t, WF_TILE) {
        int i = tile * WF_TILE + t;
        size[t] = 0;
        for (int k = 0; k < wf_gridColumns && i < a.count; ++k) size[t] += a.columns[k * a.count + i];
    }
    WF_SYNC();
    WF_LANES (t, 1) {
        int sum = 0;
        for (int k = t; k < WF_TILE; ++k) sum += size[k];
        long long at = wfTake(a.rows.used, sum);
        int next = at + sum <= a.rows.room ? (int)at : -1;
        for (int k = t; k < WF_TILE; ++k) {
            start[k] = next;
            if (next >= 0) next += size[k];
        }
    }
    WF_SYNC();
    WF_LANES (t, WF_TILE) {
        int i = tile * WF_TILE + t;
        if (i < a.count) {
            int vertex = a.entries[i].vertex;
            a.rows.start[vertex] = start[t] < 0 ? 0 : start[t];
            a.rows.counts[vertex] = start[t] < 0 ? 0 : size[t];
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
