// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/vertex_grid_kernels.h"

#include "collide/grid_cell.h"
#include "compute/kernel.h"

// Distances are computed in double, as cells are: squared, they are the same on every backend.

/// Infinity where a position is not a number, so that such a vertex is near nothing.
WF_FN double DistanceSq(wfVec4 p, wfVec4 q) {
    double x = (double)p.x - q.x, y = (double)p.y - q.y, z = (double)p.z - q.z, d = x * x + y * y + z * z;
    return d == d ? d : INFINITY;
}

WF_KERNEL(GridKeys, a, i)
{
    wfVec4 p = a.x[i];
    if (!isfinite(p.x + p.y + p.z)) wfRaise(a.fault, wf_faultNotFinite, i);
    a.keys[i] = wfBucketOf(wfCellOf(p.x, a.inverseCell), wfCellOf(p.y, a.inverseCell), wfCellOf(p.z, a.inverseCell), a.bits);
    a.order[i] = i;
}

WF_KERNEL(GridEntries, a, i)
{
    int vertex = a.order[i];
    wfVec4 p = a.x[vertex];
    wfGridEntry entry;
    entry.cell[0] = wfCellOf(p.x, a.inverseCell);
    entry.cell[1] = wfCellOf(p.y, a.inverseCell);
    entry.cell[2] = wfCellOf(p.z, a.inverseCell);
    entry.vertex = vertex;
    a.entries[i] = entry;
    a.places[i] = p;
    a.cachedAt[vertex] = p;
    a.placeOf[vertex] = i;
    uint32_t key = a.keys[i];
    if (i == 0 || a.keys[i - 1] != key) a.buckets[key].first = i;
    if (i == a.count - 1 || a.keys[i + 1] != key) {
        a.buckets[key].last = i + 1;
        return;
    }
    wfVec4 next = a.x[a.order[i + 1]];
    if (wfCellOf(next.x, a.inverseCell) != entry.cell[0] || wfCellOf(next.y, a.inverseCell) != entry.cell[1] ||
        wfCellOf(next.z, a.inverseCell) != entry.cell[2])
        wfMark(&a.buckets[key].mixed);
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
        wfGridRange bucket = a.buckets[wfBucketOf(x, y, z, a.bits)];
        for (int j = neighbour == 13 ? i + 1 : bucket.first; j < bucket.last; ++j) {
            wfGridEntry other = a.entries[j];
            if (other.cell[0] != x || other.cell[1] != y || other.cell[2] != z) continue;
            if (!(DistanceSq(p, a.places[j]) <= a.reachSq)) continue;
            if (wfInRow(a.ring, ringFirst, ringLast, other.vertex)) continue;
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

// Lanes that share the cells about a vertex; words of bits that are kept of a cell; places kept of those within two edges.
enum { Cells = 27, Rows = wf_gridRowsOfTile, Parts = WF_TILE / Rows, Word = 64, Words = 2, RingRoom = 32 };

/// A vertex that looks through cells.
typedef struct Seeker {
    wfGridEntry mine;
    wfVec4 p;
    int i;
    int ringFirst, ringCount;
    const int* ringPlaces; // where the first RingRoom of these are, every Rows-th item
} Seeker;

WF_FN Seeker SeekerOf(const GridRowsArgs* a, int i, const int* ringPlaces) {
    Seeker s;
    s.mine = a->entries[i];
    s.p = a->places[i];
    s.i = i;
    s.ringFirst = a->ringStart[s.mine.vertex];
    s.ringCount = a->ringStart[s.mine.vertex + 1] - s.ringFirst;
    s.ringPlaces = ringPlaces;
    return s;
}

WF_FN wfGridRange BucketAt(const GridRowsArgs* a, const Seeker* s, int cell) {
    return a
        ->buckets[wfBucketOf(s->mine.cell[0] + cell % 3 - 1, s->mine.cell[1] + cell / 3 % 3 - 1, s->mine.cell[2] + cell / 9 - 1, a->bits)];
}

/// Which of up to a word's entries from `first` on are near, as bits: by distance in single precision, in double where that cannot tell.
WF_FN uint64_t NearBits(const GridRowsArgs* a, const Seeker* s, int first, int count) {
    enum { Batch = 8 };                                                                        // loads that are under way together
    float far = (float)(a->reachSq * (1.0 + 1e-5)), sure = (float)(a->reachSq * (1.0 - 1e-5)); // single precision errs by less than this
    uint64_t near = 0, doubt = 0;
    for (int b = 0; b < count; b += Batch) {
        wfVec4 q[Batch];
        unsigned nearHere = 0, sureHere = 0;
        WF_UNROLL(8)
        for (int n = 0; n < Batch; ++n) q[n] = a->places[b + n < count ? first + b + n : first];
        WF_UNROLL(8)
        for (int n = 0; n < Batch; ++n) {
            float dx = s->p.x - q[n].x, dy = s->p.y - q[n].y, dz = s->p.z - q[n].z, sq = dx * dx + dy * dy + dz * dz;
            if (sq <= far) nearHere |= 1u << n;
            if (sq <= sure) sureHere |= 1u << n;
        }
        near |= (uint64_t)nearHere << b;
        doubt |= (uint64_t)(nearHere & ~sureHere) << b;
    }
    if (count < Word) near &= ((uint64_t)1 << count) - 1;
    for (doubt &= near; doubt != 0; doubt &= doubt - 1) // seldom
        if (!(DistanceSq(s->p, a->places[first + WF_LOWEST_BIT(doubt)]) <= a->reachSq)) near &= ~(doubt & (~doubt + 1));
    return near;
}

/// Which of the cells about a vertex another is in; others than those 27: none of them.
WF_FN int CellAbout(const GridRowsArgs* a, const Seeker* s, int place) {
    wfGridEntry e = a->entries[place];
    int x = e.cell[0] - s->mine.cell[0] + 1, y = e.cell[1] - s->mine.cell[1] + 1, z = e.cell[2] - s->mine.cell[2] + 1;
    return (unsigned)x < 3u && (unsigned)y < 3u && (unsigned)z < 3u ? (z * 3 + y) * 3 + x : -1;
}

/// The entries of a cell from `first` on that are near, but for the vertex itself; its bucket may hold others, too, or only others.
WF_FN uint64_t CellBits(const GridRowsArgs* a, const Seeker* s, int cell, wfGridRange bucket, int first) {
    uint64_t bits = NearBits(a, s, first, bucket.last - first < Word ? bucket.last - first : Word);
    if ((unsigned)(s->i - first) < (unsigned)Word) bits &= ~((uint64_t)1 << (s->i - first));
    if (bits == 0 || (!bucket.mixed && CellAbout(a, s, first) == cell)) return bits;
    for (uint64_t left = bits; left != 0; left &= left - 1)
        if (CellAbout(a, s, first + WF_LOWEST_BIT(left)) != cell) bits &= ~(left & (~left + 1));
    return bits;
}

/// Those of a row: without the ones within two edges.
WF_FN uint64_t RowBits(const GridRowsArgs* a, const Seeker* s, int cell, wfGridRange bucket, int first) {
    uint64_t bits = CellBits(a, s, cell, bucket, first);
    if (bits == 0) return 0;
    int kept = s->ringCount < RingRoom ? s->ringCount : RingRoom;
    WF_UNROLL(4)
    for (int n = 0; n < kept; ++n) {
        unsigned at = (unsigned)(s->ringPlaces[n * Rows] - first);
        if (at < (unsigned)Word) bits &= ~((uint64_t)1 << at);
    }
    for (int n = RingRoom; n < s->ringCount; ++n) { // seldom
        unsigned at = (unsigned)(a->placeOf[a->ring[s->ringFirst + n]] - first);
        if (at < (unsigned)Word) bits &= ~((uint64_t)1 << at);
    }
    return bits;
}

/// Puts entries into a row; where it goes on. Several at a time: one by one each would wait for the one before.
WF_FN int PutRow(const GridRowsArgs* a, uint64_t bits, int first, int at) {
    enum { Batch = 8 };
    while (bits != 0) {
        int others[Batch], count = 0;
        WF_UNROLL(8)
        for (int n = 0; n < Batch; ++n) {
            if (bits == 0) continue;
            others[n] = a->order[first + WF_LOWEST_BIT(bits)];
            bits &= bits - 1;
            count = n + 1;
        }
        WF_UNROLL(8)
        for (int n = 0; n < Batch; ++n)
            if (n < count) a->rows.items[at + n] = others[n];
        at += count;
    }
    return at;
}

// Each vertex gathers its own row from all 27 cells, so that what is summed over a row needs no atomics. Many lanes share a vertex: where
// cloth is crowded its cells hold hundreds of others, and the tile that takes longest is what the rest wait for. Each lane takes every
// so-many-th cell and keeps what it has found there as bits until the tile knows where its rows go; only of cells with more than 128 some
// are looked at twice. Those within two edges are taken out by where they are among the entries. The row's order is that of cells, and in
// them of the sorted entries.
WF_TILE_KERNEL(GridRows, a, tile)
{
    WF_SHARED uint64_t bits[Words * Cells * Rows];
    WF_SHARED int begins[Cells * Rows], found[Cells * Rows]; // found: how many, then where they go in the row
    WF_SHARED int ringPlaces[RingRoom * Rows];
    WF_SHARED int size[Rows], start[Rows]; // a start is negative where there is no room
    WF_LANES (t, WF_TILE) {
        int v = t % Rows, i = tile * Rows + v;
        if (i < a.count) {
            int vertex = a.order[i], first = a.ringStart[vertex], last = a.ringStart[vertex + 1];
            for (int n = t / Rows; n < RingRoom && first + n < last; n += Parts) ringPlaces[n * Rows + v] = a.placeOf[a.ring[first + n]];
        }
    }
    WF_SYNC();
    WF_LANES (t, WF_TILE) {
        int v = t % Rows, i = tile * Rows + v;
        if (i < a.count) {
            Seeker s = SeekerOf(&a, i, ringPlaces + v);
            for (int cell = t / Rows; cell < Cells; cell += Parts) {
                wfGridRange bucket = BucketAt(&a, &s, cell);
                int at = cell * Rows + v, first = bucket.first, count = 0;
                begins[at] = first;
                for (int word = 0; word < Words; ++word, first += Word) {
                    uint64_t here = first < bucket.last ? RowBits(&a, &s, cell, bucket, first) : 0;
                    bits[word * Cells * Rows + at] = here;
                    count += WF_COUNT_BITS(here);
                }
                for (; first < bucket.last; first += Word) count += WF_COUNT_BITS(RowBits(&a, &s, cell, bucket, first));
                found[at] = count;
            }
        }
    }
    WF_SYNC();
    WF_LANES (t, Rows) {
        int sum = 0, last = tile * Rows + t < a.count ? Cells : 0;
        WF_UNROLL(9)
        for (int cell = 0; cell < last; ++cell) {
            int count = found[cell * Rows + t];
            found[cell * Rows + t] = sum;
            sum += count;
        }
        size[t] = sum;
    }
    WF_SYNC();
    WF_LANES (t, 1) {
        int sum = 0;
        for (int k = t; k < Rows; ++k) sum += size[k];
        long long at = wfTake(a.rows.used, sum);
        int next = at + sum <= a.rows.room ? (int)at : -1;
        for (int k = t; k < Rows; ++k) {
            start[k] = next;
            if (next >= 0) next += size[k];
        }
    }
    WF_SYNC();
    WF_LANES (t, WF_TILE) {
        int v = t % Rows, i = tile * Rows + v;
        if (i < a.count) {
            if (t < Rows) {
                int vertex = a.order[i];
                a.rows.start[vertex] = start[v] < 0 ? 0 : start[v];
                a.rows.counts[vertex] = start[v] < 0 ? 0 : size[v];
            }
            for (int cell = t / Rows; cell < Cells && start[v] >= 0; cell += Parts) {
                int from = cell * Rows + v, at = start[v] + found[from], end = cell + 1 < Cells ? found[from + Rows] : size[v];
                if (found[from] == end) continue;
                for (int word = 0; word < Words; ++word) at = PutRow(&a, bits[word * Cells * Rows + from], begins[from] + word * Word, at);
                if (at == start[v] + end) continue;
                Seeker s = SeekerOf(&a, i, ringPlaces + v);
                wfGridRange bucket = BucketAt(&a, &s, cell);
                for (int first = bucket.first + Words * Word; first < bucket.last; first += Word)
                    at = PutRow(&a, RowBits(&a, &s, cell, bucket, first), first, at);
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
