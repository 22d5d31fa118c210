// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Stitches as a vertex sees them: where there are no other terms (elastic/tables.h), a kernel adds up those of its vertex itself, which
// spares two launches an evaluation.

#include "elastic/stitches.h"
#include "mesh/model.h"

typedef struct wfSewnView {
    const int *start, *item; // of each vertex: three times the stitch, and which point of it the vertex is; NULL: there are none
    const wfStitch* stitches;
    const wfSeamTiming* seams;
    const double* time; // [s] on the device, so that a recorded graph sees it change
} wfSewnView;

/// How far the threads of a stitch reach now [m].
WF_FN float wfSewn_Length(const wfSewnView* v, const wfStitch* stitch) {
    return stitch->length * wfSeamTiming_Open(&v->seams[stitch->seam], *v->time);
}

/// The gradient of all stitches of vertex i.
WF_FN wfVec3 wfSewn_Gradient(const wfSewnView* v, const wfVec4* x, int i) {
    wfVec3 sum = wfMake3(0.0f, 0.0f, 0.0f);
    for (int k = v->start[i]; k < v->start[i + 1]; ++k) {
        int item = v->item[k], point = item % 3;
        wfStitch stitch = v->stitches[item / 3];
        wfVec3 at[3];
        for (int n = 0; n < 3; ++n) at[n] = wfXyz(x[stitch.v[n]]);
        wfVec3 pull = wfStitch_Pull(stitch.share, wfSewn_Length(v, &stitch), at);
        sum = wfAdd(sum, wfScale(pull, stitch.stiffness * wfStitch_Weight(stitch.share, point)));
    }
    return sum;
}
