// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Bodies for the tests of surfaces and distance fields, and the slow ways that judge them: every triangle, in double precision.

#include "check.h"

#include "collide/distance.h"
#include "compute/device.h"
#include "mesh/generate.h"

static inline wfDevice* OpenCpu(int threads) {
    wfDeviceDef def = wfDefaultDeviceDef();
    def.kind = wf_deviceCpu;
    def.threadCount = threads;
    wfError err = {0};
    wfDevice* device = wfCreateDevice(&def, &err);
    if (device == NULL) fail_msg("%s", err.text);
    return device;
}

static inline wfMesh MakeBody(wfGenerator shape, float edge) {
    wfGenerateDef def = wfDefaultGenerateDef();
    def.shape = shape;
    def.edge = edge;
    def.radius = shape == wf_makeCapsule ? 0.1f : 0.25f;
    def.radius2 = 0.08f;
    def.length = 0.4f;
    wfMesh mesh = {0};
    wfError err = {0};
    CHECK_OK(wfGenerate(&mesh, &def, &err), err);
    return mesh;
}

/// Uniform in [-1, 1).
static inline float Random(uint32_t* state) {
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) / 8388608.0f - 1.0f;
}

static inline wfVec3 RandomIn(uint32_t* state, wfVec3 lo, wfVec3 hi) {
    float x = Random(state), y = Random(state), z = Random(state);
    return wfMake3(lo.x + 0.5f * (x + 1.0f) * (hi.x - lo.x), lo.y + 0.5f * (y + 1.0f) * (hi.y - lo.y),
                   lo.z + 0.5f * (z + 1.0f) * (hi.z - lo.z));
}

/// Every triangle; one is passed over only where even its corner is farther than the best so far by more than its own length.
static inline double BruteDistance(const wfMesh* mesh, wfVec3 p) {
    double best = INFINITY;
    for (int t = 0; t < mesh->triangleCount; ++t) {
        const int* v = mesh->triangles[t].v;
        wfVec3 a = mesh->positions[v[0]], b = mesh->positions[v[1]], c = mesh->positions[v[2]];
        double length = (double)fmaxf(wfDistance(a, b), wfDistance(a, c));
        if ((double)wfDistance(p, a) - length > best + 1e-5) continue;
        best = fmin(best, sqrt(wfPointTriangleD(wfWiden(p), wfWiden(a), wfWiden(b), wfWiden(c)).distanceSq));
    }
    return best;
}

static inline double BruteWinding(const wfMesh* mesh, wfVec3 p) {
    double sum = 0.0;
    for (int t = 0; t < mesh->triangleCount; ++t) {
        wfVec3D x[3];
        double length[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = wfSubD(wfWiden(mesh->positions[mesh->triangles[t].v[k]]), wfWiden(p));
            length[k] = wfLengthD(x[k]);
        }
        sum += 2.0 * atan2(wfDotD(x[0], wfCrossD(x[1], x[2])), length[0] * length[1] * length[2] + wfDotD(x[0], x[1]) * length[2] +
                                                                   wfDotD(x[1], x[2]) * length[0] + wfDotD(x[2], x[0]) * length[1]);
    }
    return sum / (16.0 * atan(1.0));
}
