// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/repulsion_inside.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// What repulsion must know of the cloth within two edges of a vertex: how far these vertices are from it on the flat cloth, and which
// triangles are there.

// ---- distances on the flat cloth ------------------------------------------------------------------------------------------------

enum { MostSpokes = 64 };
static const float s_acrossSeams = 1.56f; // of the mean edge squared: what stands for a distance that the flat cloth does not have

static float AcrossSq(float mean) { return s_acrossSeams * mean * mean; }

/// The neighbours of a vertex, and its triangles as angles between them.
typedef struct Fan {
    int count;
    int vertex[MostSpokes];
    float length[MostSpokes];
    float angle[MostSpokes][MostSpokes]; // the least way around the vertex
} Fan;

static int SpokeOf(const Fan* fan, int vertex) {
    for (int k = 0; k < fan->count; ++k)
        if (fan->vertex[k] == vertex) return k;
    return -1;
}

static float FlatLength(wfVec2 a, wfVec2 b) { return hypotf(b.x - a.x, b.y - a.y); }

static void MeasureFan(const wfModel* model, int v, Fan* fan) {
    const wfTopology* t = model->topology;
    const wfRows* ring = &t->ring1;
    fan->count = ring->start[v + 1] - ring->start[v];
    fan->count = fan->count < MostSpokes ? fan->count : MostSpokes; // a vertex with more is in no even mesh
    memcpy(fan->vertex, ring->item + ring->start[v], (size_t)fan->count * sizeof(int));
    for (int i = 0; i < fan->count; ++i)
        for (int k = 0; k < fan->count; ++k) fan->angle[i][k] = i == k ? 0.0f : INFINITY;
    for (int s = t->vertexTriangles.start[v]; s < t->vertexTriangles.start[v + 1]; ++s) {
        const wfTriangle* triangle = &model->triangles[t->vertexTriangles.item[s]];
        const wfVec2* flat = model->flat[t->vertexTriangles.item[s]].corner;
        int c = triangle->v[0] == v ? 0 : triangle->v[1] == v ? 1 : 2, d = (c + 1) % 3, e = (c + 2) % 3;
        int i = SpokeOf(fan, triangle->v[d]), k = SpokeOf(fan, triangle->v[e]);
        if (i < 0 || k < 0) continue;
        float a = fan->length[i] = FlatLength(flat[c], flat[d]), b = fan->length[k] = FlatLength(flat[c], flat[e]);
        float across = FlatLength(flat[d], flat[e]);
        fan->angle[i][k] = fan->angle[k][i] = acosf(wfClamp((a * a + b * b - across * across) / (2.0f * a * b), -1.0f, 1.0f));
    }
    for (int m = 0; m < fan->count; ++m)
        for (int i = 0; i < fan->count; ++i)
            for (int k = 0; k < fan->count; ++k) fan->angle[i][k] = fminf(fan->angle[i][k], fan->angle[i][m] + fan->angle[m][k]);
}

static float UnfoldedSq(const Fan* fan, int i, int k) {
    float a = fan->length[i], b = fan->length[k], angle = fan->angle[i][k];
    return angle < 3.14159265f ? a * a + b * b - 2.0f * a * b * cosf(angle) : (a + b) * (a + b);
}

/// ringSq[k * n + v] of the vertex in items[k * n + v]: the least over all vertices between the two.
static bool MeasureRing(const wfModel* model, float mean, const int* counts, const int* items, float* ringSq, wfArena* arena,
                        wfError* err) {
    size_t n = (size_t)model->vertexCount;
    Fan* fan = wfArena_New(arena, Fan, 1, "neighbours", err);
    if (fan == NULL) return false;
    for (size_t v = 0; v < n; ++v)
        for (size_t k = 0; k < (size_t)counts[v]; ++k) ringSq[k * n + v] = INFINITY;
    for (int middle = 0; middle < model->vertexCount; ++middle) {
        MeasureFan(model, middle, fan);
        for (int i = 0; i < fan->count; ++i) {
            size_t v = (size_t)fan->vertex[i];
            for (size_t k = 0; k < (size_t)counts[v]; ++k) {
                int item = items[k * n + v], other = SpokeOf(fan, wfRepulsion_Vertex(item));
                if (wfRepulsion_Kind(item) == wf_repelRing && other >= 0)
                    ringSq[k * n + v] = fminf(ringSq[k * n + v], UnfoldedSq(fan, i, other));
            }
        }
    }
    for (size_t v = 0; v < n; ++v) // across seams there is no flat cloth
        for (size_t k = 0; k < (size_t)counts[v]; ++k)
            if (ringSq[k * n + v] == INFINITY) ringSq[k * n + v] = AcrossSq(mean);
    return true;
}

// ---- triangles ------------------------------------------------------------------------------------------------------------------

static int CompareInts(const void* a, const void* b) { return (*(const int*)a > *(const int*)b) - (*(const int*)a < *(const int*)b); }

/// The triangles with a corner within two edges of v, without its own, increasing; how many.
static int TrianglesAround(const wfModel* model, const wfRows* ring2, int v, int* seen, int* out) {
    const wfRows* own = &model->topology->vertexTriangles;
    int count = 0;
    for (int s = own->start[v]; s < own->start[v + 1]; ++s) seen[own->item[s]] = v + 1;
    for (int k = ring2->start[v]; k < ring2->start[v + 1]; ++k)
        for (int s = own->start[ring2->item[k]]; s < own->start[ring2->item[k] + 1]; ++s) {
            int t = own->item[s];
            if (seen[t] == v + 1) continue;
            seen[t] = v + 1;
            out[count++] = t;
        }
    qsort(out, (size_t)count, sizeof(int), CompareInts);
    return count;
}

static bool UploadAround(wfRepulsion* r, wfDevice* device, const wfModel* model, const wfRows* ring2, wfArena* arena, wfError* err) {
    int n = model->vertexCount, room = 1;
    int* seen = wfArena_New(arena, int, model->triangleCount, "triangles about vertices", err);
    int* found = wfArena_New(arena, int, model->triangleCount, "triangles about vertices", err);
    int* counts = wfArena_New(arena, int, n, "triangles about vertices", err);
    if (seen == NULL || found == NULL || counts == NULL) return false;
    for (int v = 0; v < n; ++v) {
        counts[v] = TrianglesAround(model, ring2, v, seen, found);
        room = counts[v] > room ? counts[v] : room;
    }
    int* items = wfArena_New(arena, int, (size_t)n*(size_t)room, "triangles about vertices", err);
    if (items == NULL) return false;
    memset(seen, 0, (size_t)model->triangleCount * sizeof *seen);
    for (int v = 0; v < n; ++v) {
        TrianglesAround(model, ring2, v, seen, found);
        for (int k = 0; k < counts[v]; ++k) items[(size_t)k * (size_t)n + (size_t)v] = found[k];
    }
    r->aroundRoom = room;
    wfUpload(device, &r->aroundCount, counts, (size_t)n);
    wfUpload(device, &r->aroundItem, items, (size_t)n * (size_t)room);
    wfUpload(device, &r->triangles, model->triangles, (size_t)model->triangleCount);
    return wfDevice_Sync(device, err);
}

// ---- both -----------------------------------------------------------------------------------------------------------------------

bool wfRepulsion_BuildFolds(wfRepulsion* r, wfDevice* device, const wfModel* model, const wfRows* near, wfArena* arena, wfError* err) {
    size_t n = (size_t)model->vertexCount, size = n * (size_t)r->ringRoom;
    int* counts = wfArena_New(arena, int, n, "neighbours", err);
    int* items = wfArena_New(arena, int, size, "neighbours", err);
    float* ringSq = wfArena_New(arena, float, size, "neighbours", err);
    if (counts == NULL || items == NULL || ringSq == NULL) return false;
    WF_TRY(wfDownload(device, counts, &r->ringCount, 0, n, err) && wfDownload(device, items, &r->ringItem, 0, size, err));
    WF_TRY(MeasureRing(model, r->rules.mean, counts, items, ringSq, arena, err));
    wfUpload(device, &r->ringSq, ringSq, size);
    return UploadAround(r, device, model, near, arena, err);
}

void wfRepulsion_CheckFolds(wfRepulsion* r, wfDevice* device, const wfBuffer* x, wfFoldLook look) {
    wfRepulsion_NoteStretch(r, device, x, look.verdict);
    RepulsionTightArgs tight = {
        .x = wfData(x, wfVec4),
        .ring = wfRepulsion_Ring(r),
        .ringSq = wfData(&r->ringSq, float),
        .acrossSq = AcrossSq(r->rules.mean),
        .leastSq = r->rules.leastSq,
        .sewn = wfRepulsion_Welds(r).group,
        .longEnds = r->sampled ? wfData(&r->longEnds, int) : NULL,
        .tight = wfData(&r->tight, int),
        .listed = wfData(&r->listed, unsigned),
    };
    RepulsionNearTightArgs near = {tight.ring, tight.tight, look.only, wfData(&r->offsets, int), tight.listed};
    RepulsionFoldArgs fold = {
        .x = tight.x,
        .ring = tight.ring,
        .around = {wfData(&r->aroundCount, int), wfData(&r->aroundItem, int), r->aroundRoom, r->vertexCount},
        .triangles = wfData(&r->triangles, wfTriangle),
        .items = near.items,
        .listed = near.listed,
        .welds = wfRepulsion_Welds(r),
        .flags = look.flags,
        .verdict = look.verdict,
        .gap = look.gap * r->rules.mean,
    };
    int most = (r->vertexCount + wf_foldVertices - 1) / wf_foldVertices;
    fold.tiles = most < wf_foldTiles ? most : wf_foldTiles;
    wfLaunch(device, RepulsionTight, wfRepulsion_Tiles(r), &tight);
    wfLaunch(device, RepulsionNearTight, r->vertexCount, &near);
    wfLaunch(device, RepulsionFold, fold.tiles, &fold);
}
