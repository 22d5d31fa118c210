// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/topology.h"

#include <float.h>

static wfFlatTriangle LayFlat(const float* a, const float* b, const float* c) {
    double e[3], f[3], along = 0.0, ee = 0.0, cross[3];
    for (int k = 0; k < 3; ++k) {
        e[k] = (double)b[k] - a[k];
        f[k] = (double)c[k] - a[k];
        ee += e[k] * e[k];
        along += e[k] * f[k];
    }
    for (int k = 0; k < 3; ++k) cross[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
    double length = sqrt(ee), twice = sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]);
    if (length == 0.0) return (wfFlatTriangle){{{0.0f, 0.0f}, {0.0f, 0.0f}, {0.0f, 0.0f}}};
    return (wfFlatTriangle){{{0.0f, 0.0f}, {(float)length, 0.0f}, {(float)(along / length), (float)(twice / length)}}};
}

// A triangle so thin that rounding its corners to single precision could turn it over has no shape to return to.
static bool HasArea(const wfFlatTriangle* flat) {
    double x[3], y[3], longest = 0.0;
    for (int k = 0; k < 3; ++k) {
        x[k] = (double)flat->corner[(k + 1) % 3].x - flat->corner[k].x;
        y[k] = (double)flat->corner[(k + 1) % 3].y - flat->corner[k].y;
        longest = fmax(longest, x[k] * x[k] + y[k] * y[k]);
    }
    return fabs(x[0] * y[1] - x[1] * y[0]) > FLT_EPSILON * longest;
}

bool wfReferenceShape(const wfMeshView* view, const char* name, wfFlatTriangle* out, wfError* err) {
    const float* rest = view->restPositions != NULL ? view->restPositions : view->positions;
    for (int t = 0; t < view->triangleCount; ++t) {
        if (view->flat != NULL) {
            const float* f = view->flat + 6 * (size_t)t;
            out[t] = (wfFlatTriangle){{{f[0], f[1]}, {f[2], f[3]}, {f[4], f[5]}}};
        } else {
            const int* v = view->triangles + 3 * (size_t)t;
            out[t] = LayFlat(rest + 3 * (size_t)v[0], rest + 3 * (size_t)v[1], rest + 3 * (size_t)v[2]);
        }
        if (!HasArea(&out[t]))
            return wfFail(err, wf_badInput, "%s: the %s shape of triangle %d has no area", name, view->flat != NULL ? "flat" : "rest", t);
    }
    return true;
}
