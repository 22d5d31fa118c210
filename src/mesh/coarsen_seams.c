// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/coarsen_seams.h"

static const float s_leastShare = 0.9f; // of a point, what must lie on the line

/// A point of the fine mesh as a sum over coarse vertices.
typedef struct Blend {
    int count;
    int vertex[6];
    float weight[6];
} Blend;

static void AddVertex(Blend* blend, const wfProlongation* p, float factor) {
    for (int k = 0; k < 3; ++k) {
        float weight = factor * p->weight[k];
        int at = 0;
        while (at < blend->count && blend->vertex[at] != p->parent[k]) ++at;
        if (at == blend->count) {
            if (weight == 0.0f) continue;
            blend->vertex[at] = p->parent[k];
            blend->weight[blend->count++] = 0.0f;
        }
        blend->weight[at] += weight;
    }
}

/// Brings the heaviest vertex to the front of those from `first` on.
static void Select(Blend* blend, int first) {
    int best = first;
    for (int k = first + 1; k < blend->count; ++k)
        if (blend->weight[k] > blend->weight[best]) best = k;
    int vertex = blend->vertex[best];
    float weight = blend->weight[best];
    blend->vertex[best] = blend->vertex[first];
    blend->weight[best] = blend->weight[first];
    blend->vertex[first] = vertex;
    blend->weight[first] = weight;
}

/// The coarse stitch from the vertex that `own` is to the point `far`; false where they are no such.
static bool Join(wfStitch* out, const Blend* own, const Blend* far) {
    if (own->count != 1) return false;
    Blend line = *far;
    Select(&line, 0);
    if (line.count > 1) Select(&line, 1);
    float second = line.count > 1 && line.weight[1] > 0.0f ? line.weight[1] : 0.0f, both = line.weight[0] + second;
    if (!(both > s_leastShare)) return false;
    int a = line.vertex[0], b = second > 0.0f ? line.vertex[1] : a;
    if (a == own->vertex[0] || b == own->vertex[0]) return false; // it has shrunk to nothing: a dart's tip
    out->v[0] = own->vertex[0];
    out->v[1] = a;
    out->v[2] = b;
    out->share = second / both;
    return true;
}

static bool Coarse(wfStitch* out, const wfCoarseModel* coarse, const wfStitch* stitch) {
    Blend own = {.count = 0}, far = {.count = 0};
    AddVertex(&own, &coarse->prolong[stitch->v[0]], 1.0f);
    AddVertex(&far, &coarse->prolong[stitch->v[1]], 1.0f - stitch->share);
    AddVertex(&far, &coarse->prolong[stitch->v[2]], stitch->share);
    *out = *stitch;
    if (!Join(out, &own, &far) && !Join(out, &far, &own)) return false;
    const wfVec3* x = coarse->model.start;
    out->length = wfLength(wfSub(x[out->v[0]], wfLerp(x[out->v[1]], x[out->v[2]], out->share)));
    return true;
}

bool wfCoarsenSeams(wfCoarseModel* coarse, const wfModel* fine, wfError* err) {
    if (fine->stitchCount == 0) return true;
    wfArena scratch = {0};
    wfStitch* stitches = wfArena_New(&coarse->arena, wfStitch, fine->stitchCount, "coarse seams", err);
    wfSeamTiming* seams = wfArena_New(&coarse->arena, wfSeamTiming, fine->seamCount, "coarse seams", err);
    double* whole = wfArena_New(&scratch, double, 2 * (size_t)fine->seamCount, "coarse seams", err);
    bool ok = stitches != NULL && seams != NULL && whole != NULL;
    if (ok) {
        double* kept = whole + fine->seamCount;
        int count = 0;
        for (int s = 0; s < fine->stitchCount; ++s) {
            const wfStitch* stitch = &fine->stitches[s];
            whole[stitch->seam] += stitch->stiffness;
            if (!Coarse(&stitches[count], coarse, stitch)) continue;
            kept[stitch->seam] += stitch->stiffness;
            ++count;
        }
        for (int s = 0; s < count; ++s) stitches[s].stiffness *= (float)(whole[stitches[s].seam] / kept[stitches[s].seam]);
        for (int k = 0; k < fine->seamCount; ++k) seams[k] = fine->seams[k];
        coarse->model.stitches = stitches;
        coarse->model.stitchCount = count;
        coarse->model.seams = seams;
        coarse->model.seamCount = fine->seamCount;
    }
    wfArena_Free(&scratch);
    return ok;
}
