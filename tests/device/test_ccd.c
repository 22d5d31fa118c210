// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "harness.h"

#include "collide/ccd_kernels.h"

// Two layers of loose corners, some passing through each other, some just past. CUDA may round otherwise than the reference (it may fuse a
// product and a sum), so there the times agree to a tolerance; the verdicts, none of which is near to rounding, must be the same.

enum { PAIRS = 20000 };

static void MakePairs(wfVec4* start, wfVec4* end, wfCcdPair* pairs) {
    uint32_t seed = 5;
    for (int i = 0; i < PAIRS; ++i) {
        pairs[i].kind = i % 2;
        for (int k = 0; k < 4; ++k) {
            int v = 4 * i + k;
            bool upper = k == 0 || (i % 2 == 1 && k == 1);
            wfVec3 x = wfMake3(NextFloat(&seed), NextFloat(&seed), (upper ? 1e-2f : 0.0f) + 1e-3f * NextFloat(&seed));
            wfVec3 move = wfMake3(0.2f * NextFloat(&seed), 0.2f * NextFloat(&seed), 4e-2f * NextFloat(&seed));
            if (i % 8 == 7) x.z = move.z = 0.0f; // all in one plane
            pairs[i].vertex[k] = v;
            start[v] = wfMake4(x, 0.0f);
            end[v] = wfMake4(wfAdd(x, move), 0.0f);
        }
    }
}

static void RunCcd(wfDevice* device, const wfVec4* start, const wfVec4* end, const wfCcdPair* pairs, float separation, bool byInclusion,
                   float* times) {
    wfBuffer x0 = wfMakeBuffer(sizeof(wfVec4), "test.start"), x1 = wfMakeBuffer(sizeof(wfVec4), "test.end");
    wfBuffer pair = wfMakeBuffer(sizeof(wfCcdPair), "test.pairs"), time = wfMakeBuffer(sizeof(float), "test.times");
    wfUpload(device, &x0, start, 4 * PAIRS);
    wfUpload(device, &x1, end, 4 * PAIRS);
    wfUpload(device, &pair, pairs, PAIRS);
    wfReserve(device, &time, PAIRS);
    CcdFirstTimesArgs args = {.start = wfData(&x0, wfVec4),
                              .end = wfData(&x1, wfVec4),
                              .pairs = wfData(&pair, wfCcdPair),
                              .times = wfData(&time, float),
                              .separation = separation,
                              .byInclusion = byInclusion};
    wfLaunch(device, CcdFirstTimes, PAIRS, &args);
    wfDownload(device, times, &time, 0, PAIRS, NULL);
    wfFreeBuffer(device, &x0);
    wfFreeBuffer(device, &x1);
    wfFreeBuffer(device, &pair);
    wfFreeBuffer(device, &time);
}

void TestCcd(wfDevice* reference, wfDevice* device) {
    wfVec4* start = malloc(4 * PAIRS * sizeof *start);
    wfVec4* end = malloc(4 * PAIRS * sizeof *end);
    wfCcdPair* pairs = malloc(PAIRS * sizeof *pairs);
    float *expected = malloc(PAIRS * sizeof *expected), *times = malloc(PAIRS * sizeof *times);
    MakePairs(start, end, pairs);
    bool sameArithmetic = wfDevice_GetKind(device) == wf_deviceCpu;
    for (int run = 0; run < 4; ++run) {
        float separation = run % 2 == 0 ? 0.0f : 2e-3f;
        RunCcd(reference, start, end, pairs, separation, run >= 2, expected);
        RunCcd(device, start, end, pairs, separation, run >= 2, times);
        int hits = 0, bits = 0, verdicts = 0;
        double farthest = 0.0;
        for (int i = 0; i < PAIRS; ++i) {
            bool hit = times[i] <= 1.0f, expectedHit = expected[i] <= 1.0f;
            hits += hit;
            bits += memcmp(&times[i], &expected[i], sizeof(float)) != 0;
            verdicts += hit != expectedHit;
            if (hit && expectedHit) farthest = fmax(farthest, fabs((double)times[i] - (double)expected[i]));
        }
        ENSURE(hits > PAIRS / 100 && hits < PAIRS / 2, "%d of %d hit: not much of a test", hits, PAIRS);
        ENSURE(!sameArithmetic || bits == 0, "run %d: %d times differ on the same arithmetic", run, bits);
        ENSURE(verdicts == 0, "run %d: %d verdicts differ", run, verdicts);
        ENSURE(farthest < 1e-6, "run %d: times are up to %g apart", run, farthest);
    }
    free(start);
    free(end);
    free(pairs);
    free(expected);
    free(times);
}
