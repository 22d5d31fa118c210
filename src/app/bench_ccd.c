// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/bench_ccd.h"

#include "base/clock.h"
#include "collide/ccd_kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Points and edges above triangles and edges of about 3 mm, half of each kind, in a random order of corners.
#define EDGE 0.003f
#define GAP  0.001f

typedef struct Crowd {
    const char* name;
    float spread; // of the upper ones, in edges: beyond the lower ones they pass the plane and hit nothing
    float fall;   // of the upper ones, in gaps
} Crowd;
static const Crowd s_crowds[] = {{"apart", 1.0f, 0.3f}, {"past", 4.0f, 2.0f}, {"through", 0.2f, 2.0f}};

static float Random(uint32_t* seed) { // [-1, 1)
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / 8388608.0f - 1.0f;
}

static void MakeCrowd(const Crowd* crowd, int count, wfVec4* start, wfVec4* end, wfCcdPair* pairs) {
    uint32_t seed = 1;
    for (int i = 0; i < count; ++i) {
        pairs[i].kind = i % 2;
        float x = crowd->spread * EDGE * Random(&seed), y = crowd->spread * EDGE * Random(&seed), fall = crowd->fall * GAP;
        for (int k = 0; k < 4; ++k) {
            bool upper = k == 0 || (i % 2 == 1 && k == 1);
            float angle = 2.0944f * (float)k + Random(&seed);
            wfVec3 p = wfMake3(EDGE * cosf(angle), EDGE * sinf(angle), 0.1f * GAP * Random(&seed));
            if (upper) p = i % 2 == 0 ? wfMake3(x, y, GAP) : wfMake3(x + (k == 0 ? EDGE : -EDGE), y + 0.1f * p.y, GAP + p.z);
            wfVec3 move = wfMake3(0.3f * GAP * Random(&seed), 0.3f * GAP * Random(&seed), 0.1f * GAP * Random(&seed));
            if (upper) move.z -= fall;
            pairs[i].vertex[k] = 4 * i + k;
            start[4 * i + k] = wfMake4(p, 0.0f);
            end[4 * i + k] = wfMake4(wfAdd(p, move), 0.0f);
        }
    }
}

typedef struct Input {
    wfBuffer start, end, pairs, times;
    int count;
} Input;

static bool Row(wfDevice* device, const Input* in, const char* crowd, float separation, bool byInclusion, int repeat, bool json,
                float* times, wfError* err) {
    CcdFirstTimesArgs args = {.start = wfData(&in->start, wfVec4),
                              .end = wfData(&in->end, wfVec4),
                              .pairs = wfData(&in->pairs, wfCcdPair),
                              .times = wfData(&in->times, float),
                              .separation = separation,
                              .byInclusion = byInclusion};
    double best = INFINITY;
    for (int k = 0; k <= repeat; ++k) { // the first is to warm up
        double begin = wfSeconds();
        wfLaunch(device, CcdFirstTimes, in->count, &args);
        WF_TRY(wfDevice_Sync(device, err));
        if (k > 0) best = fmin(best, wfSeconds() - begin);
    }
    WF_TRY(wfDownload(device, times, &in->times, 0, (size_t)in->count, err));
    int hits = 0;
    for (int i = 0; i < in->count; ++i) hits += times[i] <= 1.0f;
    const char* row = json ? "{\"pairs\": \"%s\", \"separation\": %g, \"method\": \"%s\", \"hits\": %.3f, \"ns_per_query\": %.2f}\n"
                           : "%-8s %11g %-10s %6.3f %9.2f\n";
    printf(row, crowd, (double)separation, byInclusion ? "inclusion" : "cubic", (double)hits / in->count, 1e9 * best / in->count);
    fflush(stdout);
    return true;
}

bool wfBench_Ccd(wfDevice* device, int repeat, bool json, wfError* err) {
    int count = wfDevice_GetKind(device) == wf_deviceCuda ? 1 << 21 : 1 << 14;
    if (json)
        printf("{\"device\": \"%s\", \"queries\": %d}\n", wfDevice_GetName(device), count);
    else
        printf("%s; %d queries, half point-triangle, half edge-edge\n%-8s %11s %-10s %6s %9s\n", wfDevice_GetName(device), count, "pairs",
               "separation", "method", "hits", "ns/query");
    Input in = {.start = wfMakeBuffer(sizeof(wfVec4), "bench.start"),
                .end = wfMakeBuffer(sizeof(wfVec4), "bench.end"),
                .pairs = wfMakeBuffer(sizeof(wfCcdPair), "bench.pairs"),
                .times = wfMakeBuffer(sizeof(float), "bench.times"),
                .count = count};
    size_t n = (size_t)count;
    wfVec4 *start = malloc(4 * n * sizeof *start), *end = malloc(4 * n * sizeof *end);
    wfCcdPair* pairs = malloc(n * sizeof *pairs);
    float* times = malloc(n * sizeof *times);
    bool ok = start != NULL && end != NULL && pairs != NULL && times != NULL;
    if (!ok) wfFail(err, wf_outOfMemory, "out of memory for %d queries", count);
    for (size_t c = 0; ok && c < sizeof s_crowds / sizeof *s_crowds; ++c) {
        MakeCrowd(&s_crowds[c], count, start, end, pairs);
        wfUpload(device, &in.start, start, 4 * n);
        wfUpload(device, &in.end, end, 4 * n);
        wfUpload(device, &in.pairs, pairs, n);
        wfReserve(device, &in.times, n);
        for (int k = 0; ok && k < 4; ++k)
            ok = Row(device, &in, s_crowds[c].name, k < 2 ? 0.0f : 0.1f * GAP, k % 2 == 1, repeat, json, times, err);
    }
    wfFreeBuffer(device, &in.start);
    wfFreeBuffer(device, &in.end);
    wfFreeBuffer(device, &in.pairs);
    wfFreeBuffer(device, &in.times);
    free(start);
    free(end);
    free(pairs);
    free(times);
    return ok;
}
