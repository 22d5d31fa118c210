// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "harness.h"

#include "base/clock.h"
#include "compute/kernel.h"
#include "compute/primitives_kernels.h"

void TestGraphs(wfDevice* reference, wfDevice* device) {
    (void)reference;
    enum { Count = 5000, Rounds = 400 };
    int* host = malloc((Count + 1) * sizeof(int));
    for (int i = 0; i <= Count; ++i) host[i] = i % 3;
    wfBuffer a = wfMakeBuffer(sizeof(int), "test.a"), b = wfMakeBuffer(sizeof(int), "test.b"), scratch = wfMakeBuffer(1, "test.scratch");
    wfUpload(device, &a, host, Count + 1);
    wfReserve(device, &b, Count + 1);
    wfScanExclusive(device, wfData(&a, int), wfData(&b, int), Count, &scratch); // brings the scratch to its size
    wfZero(device, &b);

    // Recording runs nothing; each launch does all of it.
    wfGraph graph = {0};
    wfGraph_Begin(device, &graph);
    wfScanExclusive(device, wfData(&a, int), wfData(&b, int), Count, &scratch);
    wfCopy(device, &a, &b, Count + 1);
    wfGraph_End(device);
    ENSURE(wfReadInt(device, wfData(&b, int) + Count) == 0, "recording a graph ran it");
    for (int round = 0; round < 2; ++round) { // a third would overflow an int
        wfGraph_Launch(device, &graph);
        int sum = 0;
        for (int i = 0; i <= Count; ++i) {
            int value = host[i];
            host[i] = sum;
            sum += value;
        }
        int* back = malloc((Count + 1) * sizeof(int));
        wfDownload(device, back, &b, 0, Count + 1, NULL);
        ENSURE(memcmp(back, host, (Count + 1) * sizeof(int)) == 0, "graph launch %d gave another result than the loop", round);
        free(back);
    }
    wfGraph_Free(device, &graph);

    // What a small kernel costs to launch, alone and inside a graph: printed, not judged.
    CountFlagsArgs args = {wfData(&a, int), wfData(&b, int), 1};
    wfGraph many = {0};
    wfGraph_Begin(device, &many);
    for (int k = 0; k < Rounds; ++k) wfLaunch(device, CountFlags, 1, &args);
    wfGraph_End(device);
    wfGraph_Launch(device, &many);
    wfDevice_Sync(device, NULL);
    double t0 = wfSeconds();
    for (int r = 0; r < 10; ++r) wfGraph_Launch(device, &many);
    wfDevice_Sync(device, NULL);
    double t1 = wfSeconds();
    for (int k = 0; k < 10 * Rounds; ++k) wfLaunch(device, CountFlags, 1, &args);
    wfDevice_Sync(device, NULL);
    double t2 = wfSeconds();
    printf("     launch of an empty kernel: %.3f us in a graph, %.3f us alone\n", (t1 - t0) * 1e6 / (10 * Rounds),
           (t2 - t1) * 1e6 / (10 * Rounds));
    wfGraph_Free(device, &many);
    wfFreeBuffer(device, &a);
    wfFreeBuffer(device, &b);
    wfFreeBuffer(device, &scratch);
    free(host);
}

void TestFaults(wfDevice* reference, wfDevice* device) {
    (void)reference;
    ENSURE(wfDevice_TakeFault(device).code == wf_faultNone, "a fault without cause");

    // A failed allocation is kept with its name, later calls do nothing, and a fresh device is unharmed.
    wfDeviceDef def = wfDefaultDeviceDef();
    def.kind = wfDevice_GetKind(device);
    wfDevice* own = wfCreateDevice(&def, NULL);
    wfBuffer huge = wfMakeBuffer(1 << 20, "test.huge");
    wfReserve(own, &huge, (size_t)1 << 42);
    wfReserve(own, &huge, (size_t)1 << 43);
    wfError err = {0};
    ENSURE(!wfDevice_Sync(own, &err) && err.code == wf_outOfMemory && strstr(err.text, "test.huge") != NULL, "got \"%s\"", err.text);
    wfBuffer small = wfMakeBuffer(4, "test.small");
    wfReserve(own, &small, 10);
    ENSURE(small.data == NULL, "a failed device went on");
    wfDestroyDevice(own);
    ENSURE(wfDevice_Sync(device, NULL), "another device's failure spread");
}
