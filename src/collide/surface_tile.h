// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Queries of a surface that all lanes of a tile work on together. They go down the tree level by level: lanes share the nodes of a level,
// list those that must be opened, and share what is below these. What is near lies next to each other in the tree, so lanes that keep the
// nodes they begin with would wait for the one that has it all.

#include "collide/surface_query.h"
#include "compute/kernel.h"

// Lanes that sum together before all do; nodes that are opened at a time.
enum { wf_tileSummed = 8, wf_tileSums = WF_TILE / wf_tileSummed, wf_tileOpened = 256 };

/// Of what lanes count, the sum of a few of them.
WF_FN int wfTile_PartOf(const int* counts, int sum) {
    int part = 0;
    for (int k = 0; k < wf_tileSummed; ++k) part += counts[sum * wf_tileSummed + k];
    return part;
}

/// Where what lane t counted begins, of what all lanes did.
WF_FN int wfTile_PlaceOf(const int* counts, const int* sums, int t) {
    int at = 0;
    for (int k = 0; k < t / wf_tileSummed; ++k) at += sums[k];
    for (int k = t - t % wf_tileSummed; k < t; ++k) at += counts[k];
    return at;
}

WF_FN int wfTile_SumOf(const int* sums) {
    int sum = 0;
    for (int k = 0; k < wf_tileSums; ++k) sum += sums[k];
    return sum;
}

/// The coarsest level that has a node for so many lanes.
WF_FN int wfSurface_LevelFor(const wfSurfaceView* s, int lanes) {
    int level = s->levelCount - 1;
    while (level > 0 && s->size[level] < lanes) --level;
    return level;
}

/// The k-th node, or triangle, below those that are opened; of all of a level where `opened` is NULL.
WF_FN int wfTile_Item(const int* opened, int k) {
    return opened == NULL ? k : opened[k / wf_surfaceArity] * wf_surfaceArity + k % wf_surfaceArity;
}

/// Lists which nodes are near: bit b of near[t] stands for item t + b WF_TILE. Returns how many are; bits of those that found no room are
/// left.
WF_TILE_FN int wfTile_List(const int* opened, uint32_t* near, int* list) {
    WF_SHARED int counts[WF_TILE], sums[wf_tileSums];
    WF_LANES (t, WF_TILE) { counts[t] = WF_COUNT_BITS(near[t]); }
    WF_SYNC();
    WF_LANES (t, wf_tileSums) { sums[t] = wfTile_PartOf(counts, t); }
    WF_SYNC();
    WF_LANES (t, WF_TILE) {
        int at = wfTile_PlaceOf(counts, sums, t);
        for (; near[t] != 0 && at < wf_tileOpened; near[t] &= near[t] - 1)
            list[at++] = wfTile_Item(opened, t + WF_LOWEST_BIT(near[t]) * WF_TILE);
    }
    return wfTile_SumOf(sums);
}

/// How often the surface winds about p.
WF_TILE_FN float wfSurface_TileWinding(const wfSurfaceView* s, wfVec3 p) {
    WF_SHARED float parts[WF_TILE], sums[wf_tileSums];
    WF_SHARED uint32_t near[WF_TILE];
    WF_SHARED int lists[2][wf_tileOpened];
    const int* opened = NULL;
    int top = wfSurface_LevelFor(s, WF_TILE), items = s->size[top];
    WF_LANES (t, WF_TILE) { parts[t] = 0.0f; }
    for (int level = top; level >= 0; --level) {
        WF_SYNC();
        WF_LANES (t, WF_TILE) {
            float far4Pi = 0.0f;
            near[t] = 0;
            for (int k = t; k < items; k += WF_TILE) {
                int node = wfTile_Item(opened, k);
                if (node < s->size[level] && !wfSurface_AddFar(s, level, node, p, &far4Pi)) near[t] |= 1u << k / WF_TILE;
            }
            parts[t] += wfSurface_OfFar(far4Pi);
        }
        int *list = lists[level % 2], count = wfTile_List(opened, near, list);
        WF_LANES (t, WF_TILE) {
            for (; near[t] != 0; near[t] &= near[t] - 1)
                parts[t] += wfSurface_WindingPart(s, p, level, wfTile_Item(opened, t + WF_LOWEST_BIT(near[t]) * WF_TILE), s->size[level]);
        }
        opened = list;
        items = (count < wf_tileOpened ? count : wf_tileOpened) * wf_surfaceArity;
    }
    WF_SYNC();
    WF_LANES (t, WF_TILE) {
        wfTurn turn = wfNoTurn();
        for (int k = t; k < items; k += WF_TILE) {
            int place = wfTile_Item(opened, k);
            if (place < s->triangleCount) wfSurface_AddNear(s, place, p, &turn);
        }
        parts[t] += wfSurface_OfNear(&turn);
    }
    WF_SYNC();
    WF_LANES (t, wf_tileSums) {
        sums[t] = 0.0f;
        for (int k = 0; k < wf_tileSummed; ++k) sums[t] += parts[t * wf_tileSummed + k];
    }
    WF_SYNC();
    float sum = 0.0f;
    for (int k = 0; k < wf_tileSums; ++k) sum += sums[k];
    return sum;
}

/// The least of what lanes have.
WF_TILE_FN float wfTile_LeastOf(const float* parts) {
    WF_SHARED float least[wf_tileSums];
    WF_SYNC();
    WF_LANES (t, wf_tileSums) {
        least[t] = parts[t * wf_tileSummed];
        for (int k = 1; k < wf_tileSummed; ++k) least[t] = wfLower(least[t], parts[t * wf_tileSummed + k]);
    }
    WF_SYNC();
    float all = least[0];
    for (int k = 1; k < wf_tileSums; ++k) all = wfLower(all, least[k]);
    return all;
}

/// Squared distance of p to the surface, however far that is.
WF_TILE_FN float wfSurface_TileDistanceSq(const wfSurfaceView* s, wfVec3 p) {
    WF_SHARED float parts[WF_TILE], found[WF_TILE];
    WF_SHARED uint32_t near[WF_TILE];
    WF_SHARED int lists[2][wf_tileOpened];
    const int* opened = NULL;
    int top = wfSurface_LevelFor(s, WF_TILE), items = s->size[top];
    float bound = INFINITY;
    WF_LANES (t, WF_TILE) { found[t] = INFINITY; }
    for (int level = top; level >= 0; --level) {
        const wfSurfaceNode* nodes = &s->nodes[s->first[level]];
        WF_SYNC();
        WF_LANES (t, WF_TILE) {
            parts[t] = INFINITY;
            for (int k = t; k < items; k += WF_TILE) {
                int node = wfTile_Item(opened, k);
                if (node < s->size[level]) parts[t] = wfLower(parts[t], wfDistance(p, nodes[node].centre) + nodes[node].box.radius);
            }
        }
        bound = wfLower(bound, wfTile_LeastOf(parts) * (1.0f + 1e-5f));
        WF_LANES (t, WF_TILE) {
            near[t] = 0;
            for (int k = t; k < items; k += WF_TILE) {
                int node = wfTile_Item(opened, k);
                if (node >= s->size[level]) continue;
                const wfSurfaceBox box = nodes[node].box;
                if (wfBoxDistanceSq(&box, p) < bound * bound) near[t] |= 1u << k / WF_TILE;
            }
        }
        int *list = lists[level % 2], count = wfTile_List(opened, near, list);
        WF_LANES (t, WF_TILE) {
            for (; near[t] != 0; near[t] &= near[t] - 1) {
                int node = wfTile_Item(opened, t + WF_LOWEST_BIT(near[t]) * WF_TILE);
                found[t] = wfLower(found[t], wfSurface_DistanceSqBelow(s, p, level, node, bound));
            }
        }
        opened = list;
        items = (count < wf_tileOpened ? count : wf_tileOpened) * wf_surfaceArity;
    }
    WF_SYNC();
    WF_LANES (t, WF_TILE) {
        for (int k = t; k < items; k += WF_TILE) {
            int place = wfTile_Item(opened, k);
            if (place >= s->triangleCount) continue;
            const wfSurfaceTriangle tri = s->triangles[place];
            found[t] = wfLower(found[t], wfSurfaceTriangle_DistanceSq(&tri, p));
        }
    }
    return wfTile_LeastOf(found);
}
