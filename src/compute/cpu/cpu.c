// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "compute/cpu/cpu.h"

#include "base/assert.h"
#include "base/clock.h"
#include "base/memory.h"
#include "compute/kernel.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// The CPU backend: OpenMP over equal ranges. A graph is the list of what was to be done, played back in order.

#define WF_KERNEL_ID(name) void wfCpu_##name(wfDevice* device, int count, const void* args);
#include "compute/kernel_list.inl"
#undef WF_KERNEL_ID

#define WF_KERNEL_ID(name) wfCpu_##name,
static const wfKernelFn s_kernels[] = {
#include "compute/kernel_list.inl"
};
#undef WF_KERNEL_ID

typedef struct Times {
    int stage; // -1: none is running
    double since, seconds[8];
} Times;

typedef struct Operation {
    wfKernelFn fn;
    int count;
    char* args; // malloc'ed
} Operation;

typedef struct Recording {
    void* operations; // Operation[]
    size_t count, capacity;
} Recording;

void wfCpu_ForRanges(wfDevice* device, int count, int grain, wfCpuRangeFn fn, const void* args) {
    int threads = device->threadCount;
    if (threads > count / grain) threads = count / grain;
    if (threads <= 1) {
        fn(args, 0, count, count);
        return;
    }
#pragma omp parallel num_threads(threads)
    {
        int64_t t = omp_get_thread_num(), n = omp_get_num_threads();
        fn(args, (int)(count * t / n), (int)(count * (t + 1) / n), count);
    }
}

void wfCpu_Do(wfDevice* device, wfKernelFn fn, int count, const void* args, size_t argsSize) {
    if (device->recording == NULL) {
        fn(device, count, args);
        return;
    }
    Recording* recording = device->recording->impl;
    if (!wfGrow(&recording->operations, &recording->capacity, recording->count + 1, sizeof(Operation), "graph", &device->failure)) return;
    char* copy = malloc(argsSize);
    if (copy == NULL) {
        wfDevice_Fail(device, wf_outOfMemory, "out of memory for a graph");
        return;
    }
    memcpy(copy, args, argsSize);
    ((Operation*)recording->operations)[recording->count++] = (Operation){fn, count, copy};
}

static void Launch(wfDevice* device, wfKernelId kernel, int count, const void* args, size_t argsSize) {
    wfCpu_Do(device, s_kernels[kernel], count, args, argsSize);
}

static void GraphBegin(wfDevice* device, wfGraph* graph) {
    graph->impl = calloc(1, sizeof(Recording));
    if (graph->impl == NULL) {
        device->recording = NULL;
        wfDevice_Fail(device, wf_outOfMemory, "out of memory for a graph");
    }
}

static void GraphEnd(wfDevice* device, wfGraph* graph) {
    (void)device;
    (void)graph;
}

static void GraphLaunch(wfDevice* device, wfGraph* graph) {
    const Recording* recording = graph->impl;
    for (size_t k = 0; k < recording->count; ++k) {
        const Operation* operation = (const Operation*)recording->operations + k;
        operation->fn(device, operation->count, operation->args);
    }
}

static void GraphFree(wfDevice* device, wfGraph* graph) {
    (void)device;
    Recording* recording = graph->impl;
    for (size_t k = 0; k < recording->count; ++k) free(((Operation*)recording->operations)[k].args);
    free(recording->operations);
    free(recording);
}

enum { HugePage = 1 << 21 };

// Large buffers lie in huge pages where the system has them: fine cloth has more pages of 4 KB than a core remembers the places of. The
// rest behind the last whole one stays in small pages, so that nothing is wasted.
static void* Alloc(wfDevice* device, size_t bytes, const char* name) {
    void* data = NULL;
    if (posix_memalign(&data, bytes >= HugePage ? HugePage : 64, bytes > 0 ? bytes : 64) != 0) {
        wfDevice_Fail(device, wf_outOfMemory, "cpu: out of memory for \"%s\" (%.3g MiB asked)", name, (double)bytes / 1048576.0);
        return NULL;
    }
#if defined(MADV_HUGEPAGE)
    if (bytes >= HugePage) (void)madvise(data, bytes / HugePage * HugePage, MADV_HUGEPAGE); // a hint
#endif
    return data;
}

static void Release(wfDevice* device, void* data) {
    (void)device;
    free(data);
}

static void Upload(wfDevice* device, void* to, const void* host, size_t bytes) {
    (void)device;
    memcpy(to, host, bytes);
}

static void Download(wfDevice* device, void* host, const void* from, size_t bytes) {
    (void)device;
    memcpy(host, from, bytes);
}

typedef struct CopyArgs {
    void* to;
    const void* from; // NULL: zero
    size_t bytes;
} CopyArgs;

static void CopyNow(wfDevice* device, int count, const void* args) {
    const CopyArgs* a = args;
    (void)device;
    (void)count;
    if (a->from != NULL)
        memcpy(a->to, a->from, a->bytes);
    else
        memset(a->to, 0, a->bytes);
}

static void Copy(wfDevice* device, void* to, const void* from, size_t bytes) {
    CopyArgs args = {to, from, bytes};
    wfCpu_Do(device, CopyNow, 1, &args, sizeof args);
}

static void Zero(wfDevice* device, void* data, size_t bytes) { Copy(device, data, NULL, bytes); }
static void Sync(wfDevice* device) { (void)device; }

static void ReadbackFree(wfDevice* device, wfReadback* readback) {
    (void)device;
    free(readback->host);
}

static void ReadbackStart(wfDevice* device, wfReadback* readback, const void* from, size_t bytes) {
    if (wfGrow(&readback->host, &readback->capacity, bytes, 1, "readback", &device->failure)) memcpy(readback->host, from, bytes);
}

static void ReadbackWait(wfDevice* device, wfReadback* readback) {
    (void)device;
    (void)readback;
}

static void Mark(wfDevice* device, int stage) {
    Times* times = device->impl;
    double now = wfSeconds();
    if (times->stage >= 0) times->seconds[times->stage] += now - times->since;
    times->stage = stage;
    times->since = now;
}

static void CollectTimes(wfDevice* device, double seconds[8]) {
    Times* times = device->impl;
    Mark(device, times->stage);
    for (int k = 0; k < 8; ++k) seconds[k] += times->seconds[k];
    memset(times->seconds, 0, sizeof times->seconds);
}

static void Destroy(wfDevice* device) { free(device->impl); }

static const wfBackend s_backend = {
    .alloc = Alloc,
    .release = Release,
    .upload = Upload,
    .download = Download,
    .copy = Copy,
    .zero = Zero,
    .sync = Sync,
    .readbackStart = ReadbackStart,
    .readbackWait = ReadbackWait,
    .readbackFree = ReadbackFree,
    .graphBegin = GraphBegin,
    .graphEnd = GraphEnd,
    .graphLaunch = GraphLaunch,
    .graphFree = GraphFree,
    .mark = Mark,
    .collectTimes = CollectTimes,
    .launch = Launch,
    .scanScratch = wfCpu_ScanScratch,
    .scan = wfCpu_Scan,
    .sortScratch = wfCpu_SortScratch,
    .sort = wfCpu_Sort,
    .destroy = Destroy,
};

bool wfCpu_Open(wfDevice* device, wfError* err) {
    Times* times = calloc(1, sizeof *times);
    if (times == NULL) return wfFail(err, wf_outOfMemory, "out of memory for a device");
    times->stage = -1;
    device->impl = times;
    device->backend = &s_backend;
    device->kind = wf_deviceCpu;
    if (device->threadCount == 0) device->threadCount = omp_get_num_procs();
    snprintf(device->name, sizeof device->name, "CPU, %d thread%s", device->threadCount, device->threadCount == 1 ? "" : "s");
    return true;
}
