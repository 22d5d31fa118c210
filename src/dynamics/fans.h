// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The triangles about each vertex on the device, as its other two corners in order: what normals and areas are gathered from.

#include "mesh/model.h"

/// What kernels see. Triangle k of vertex i is (i, corner[2 k], corner[2 k + 1]), k from start[i] to start[i + 1] - 1.
typedef struct wfFanView {
    const int* start;
    const int* corner;
} wfFanView;

/// A third of the areas of the triangles about a vertex, along their normals [m²].
WF_FN wfVec3 wfFanArea(const wfFanView* fans, const wfVec4* x, int i) {
    wfVec3 at = wfXyz(x[i]), sum = wfMake3(0.0f, 0.0f, 0.0f);
    for (int k = fans->start[i]; k < fans->start[i + 1]; ++k) {
        wfVec3 p = wfSub(wfXyz(x[fans->corner[2 * k]]), at), q = wfSub(wfXyz(x[fans->corner[2 * k + 1]]), at);
        sum = wfAdd(sum, wfCross(p, q));
    }
    return wfScale(sum, 1.0f / 6.0f);
}

typedef struct wfFans {
    wfBuffer start, corner;
} wfFans;

wfFans wfMakeFans(void);
/// Needs model->topology.
bool wfFans_Create(wfFans* fans, wfDevice* device, const wfModel* model, wfError* err);
void wfFans_Free(wfFans* fans, wfDevice* device);
wfFanView wfFans_View(const wfFans* fans);
