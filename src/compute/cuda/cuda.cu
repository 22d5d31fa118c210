// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "compute/kernel.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>

// The CUDA backend: one stream a device, stream capture for graphs, events for stage times, CUB for scan and sort.

#define WF_KERNEL_ID(name) extern "C" void wfCuda_##name(wfDevice* device, int count, const void* args);
#include "compute/kernel_list.inl"
#undef WF_KERNEL_ID

#define WF_KERNEL_ID(name) wfCuda_##name,
static const wfKernelFn s_kernels[] = {
#include "compute/kernel_list.inl"
};
#undef WF_KERNEL_ID

enum { MostMarks = 8192 };

typedef struct Cuda {
    cudaStream_t stream;
    int processors;
    bool launchesEarly;            // whether a kernel can be made ready while the one before it runs
    cudaEvent_t events[MostMarks]; // made when first needed
    int stages[MostMarks];
    int eventCount, markCount;
    double seconds[8]; // of marks already folded in
} Cuda;

static Cuda* Of(wfDevice* device) { return (Cuda*)device->impl; }

static bool Check(wfDevice* device, cudaError_t status, const char* what) {
    if (status == cudaSuccess) return true;
    wfDevice_Fail(device, wf_deviceFailed, "cuda: %s: %s", what, cudaGetErrorString(status));
    return false;
}

static void CheckLaunch(wfDevice* device, const char* kernel, int count) {
    cudaError_t status = cudaGetLastError();
    if (status != cudaSuccess)
        wfDevice_Fail(device, wf_deviceFailed, "cuda: kernel %s over %d: %s", kernel, count, cudaGetErrorString(status));
}

// As a kernel begins it waits for the one before it (WF_AWAIT_), so that one may be launched before that has ended, where GPUs can.
// `together`: all its blocks run at once.
static void LaunchGrid(wfDevice* device, const void* kernel, int blocks, int lanes, bool together, int count, const void* args) {
    cudaLaunchAttribute attributes[2] = {};
    unsigned used = 0;
    if (together) {
        attributes[used].id = cudaLaunchAttributeCooperative;
        attributes[used++].val.cooperative = 1;
    }
    if (Of(device)->launchesEarly) {
        attributes[used].id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attributes[used++].val.programmaticStreamSerializationAllowed = 1;
    }
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((unsigned)blocks);
    config.blockDim = dim3((unsigned)lanes);
    config.stream = Of(device)->stream;
    config.attrs = attributes;
    config.numAttrs = used;
    void* parameters[] = {(void*)args, &count};
    cudaLaunchKernelExC(&config, kernel, parameters);
}

void wfCuda_Launch(wfDevice* device, const char* name, const void* kernel, int blocks, int count, const void* args) {
    if (blocks > 0) LaunchGrid(device, kernel, blocks, WF_TILE, false, count, args);
    CheckLaunch(device, name, count);
}

// Blocks wait for each other between rounds: there may be no more of them than run at once, which the launch makes sure of.
void wfCuda_LaunchRounds(wfDevice* device, const char* name, const void* kernel, int count, const void* args) {
    if (count > 0) {
        int each = 0, blocks = (count - 1) / WF_ROUNDS_TILE + 1;
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, WF_ROUNDS_TILE, 0);
        int most = each * Of(device)->processors;
        LaunchGrid(device, kernel, blocks < most ? blocks : most, WF_ROUNDS_TILE, true, count, args);
    }
    CheckLaunch(device, name, count);
}

static void Launch(wfDevice* device, wfKernelId kernel, int count, const void* args, size_t argsSize) {
    (void)argsSize;
    s_kernels[kernel](device, count, args);
}

// ---- memory -------------------------------------------------------------------------------------------------------------------

static void* Alloc(wfDevice* device, size_t bytes, const char* name) {
    void* data = NULL;
    cudaError_t status = cudaMalloc(&data, bytes > 0 ? bytes : 1);
    if (status == cudaSuccess) return data;
    cudaGetLastError(); // an allocation that fails leaves the context usable; forget the mark it leaves
    size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    wfDevice_Fail(device, wf_outOfMemory, "cuda: out of memory for \"%s\" (%.3g GiB asked, %.3g of %.3g GiB free)", name,
                  (double)bytes / 1073741824.0, (double)free / 1073741824.0, (double)total / 1073741824.0);
    return NULL;
}

static void Release(wfDevice* device, void* data) { // waits for what still uses it
    (void)device;
    cudaFree(data);
}

static void Upload(wfDevice* device, void* to, const void* host, size_t bytes) {
    Check(device, cudaMemcpyAsync(to, host, bytes, cudaMemcpyHostToDevice, Of(device)->stream), "upload");
}

static void Sync(wfDevice* device) {
    if (device->failure.code == wf_ok) Check(device, cudaStreamSynchronize(Of(device)->stream), "waiting");
}

static void Download(wfDevice* device, void* host, const void* from, size_t bytes) {
    if (Check(device, cudaMemcpyAsync(host, from, bytes, cudaMemcpyDeviceToHost, Of(device)->stream), "download")) Sync(device);
}

static void Copy(wfDevice* device, void* to, const void* from, size_t bytes) {
    Check(device, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, Of(device)->stream), "copy");
}

static void Zero(wfDevice* device, void* data, size_t bytes) { Check(device, cudaMemsetAsync(data, 0, bytes, Of(device)->stream), "zero"); }

static void ReadbackFree(wfDevice* device, wfReadback* readback) {
    (void)device;
    cudaEventSynchronize((cudaEvent_t)readback->event);
    cudaEventDestroy((cudaEvent_t)readback->event);
    cudaFreeHost(readback->host);
}

static void ReadbackStart(wfDevice* device, wfReadback* readback, const void* from, size_t bytes) {
    if (bytes > readback->capacity || readback->host == NULL) {
        wfReadback_Free(device, readback);
        cudaEvent_t event;
        if (!Check(device, cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "event")) return;
        readback->event = event;
        if (!Check(device, cudaMallocHost(&readback->host, bytes > 0 ? bytes : 1), "pinned memory")) return;
        readback->capacity = bytes;
    }
    Check(device, cudaMemcpyAsync(readback->host, from, bytes, cudaMemcpyDeviceToHost, Of(device)->stream), "readback");
    Check(device, cudaEventRecord((cudaEvent_t)readback->event, Of(device)->stream), "readback");
}

static void ReadbackWait(wfDevice* device, wfReadback* readback) {
    Check(device, cudaEventSynchronize((cudaEvent_t)readback->event), "readback");
}

// ---- graphs -------------------------------------------------------------------------------------------------------------------

static void GraphBegin(wfDevice* device, wfGraph* graph) {
    (void)graph;
    if (!Check(device, cudaStreamBeginCapture(Of(device)->stream, cudaStreamCaptureModeThreadLocal), "recording")) device->recording = NULL;
}

static void GraphEnd(wfDevice* device, wfGraph* graph) {
    cudaGraph_t captured = NULL;
    if (!Check(device, cudaStreamEndCapture(Of(device)->stream, &captured), "recording")) return;
    cudaGraphExec_t exec = NULL;
    if (Check(device, cudaGraphInstantiate(&exec, captured, 0), "making a graph")) graph->impl = exec;
    cudaGraphDestroy(captured);
}

static void GraphLaunch(wfDevice* device, wfGraph* graph) {
    Check(device, cudaGraphLaunch((cudaGraphExec_t)graph->impl, Of(device)->stream), "launching a graph");
}

static void GraphFree(wfDevice* device, wfGraph* graph) {
    (void)device;
    cudaGraphExecDestroy((cudaGraphExec_t)graph->impl);
}

// ---- time ---------------------------------------------------------------------------------------------------------------------

static void FoldMarks(wfDevice* device) { // waits
    Cuda* cuda = Of(device);
    Sync(device);
    for (int k = 0; k + 1 < cuda->markCount; ++k) {
        float milliseconds = 0.0f;
        if (cuda->stages[k] >= 0 && Check(device, cudaEventElapsedTime(&milliseconds, cuda->events[k], cuda->events[k + 1]), "timing"))
            cuda->seconds[cuda->stages[k]] += 1e-3 * milliseconds;
    }
    cuda->markCount = 0;
}

static void Mark(wfDevice* device, int stage) {
    Cuda* cuda = Of(device);
    if (cuda->markCount == MostMarks) {
        int last = cuda->stages[MostMarks - 1];
        FoldMarks(device);
        if (last >= 0) Mark(device, last);
    }
    if (cuda->markCount == cuda->eventCount) {
        if (!Check(device, cudaEventCreate(&cuda->events[cuda->eventCount]), "event")) return;
        cuda->eventCount += 1;
    }
    cuda->stages[cuda->markCount] = stage;
    Check(device, cudaEventRecord(cuda->events[cuda->markCount], cuda->stream), "timing");
    cuda->markCount += 1;
}

static void CollectTimes(wfDevice* device, double seconds[8]) {
    Cuda* cuda = Of(device);
    int last = cuda->markCount > 0 ? cuda->stages[cuda->markCount - 1] : -1;
    if (last >= 0) Mark(device, -1); // closes the running stage here
    FoldMarks(device);
    for (int k = 0; k < 8; ++k) {
        seconds[k] += cuda->seconds[k];
        cuda->seconds[k] = 0.0;
    }
    if (last >= 0) Mark(device, last);
}

// ---- primitives ---------------------------------------------------------------------------------------------------------------

static size_t ScanScratch(wfDevice* device, int count) {
    size_t bytes = 0;
    Check(device, cub::DeviceScan::InclusiveSum(NULL, bytes, (const int*)NULL, (int*)NULL, count > 0 ? count : 1), "scan");
    return bytes;
}

static void Scan(wfDevice* device, const int* in, int* out, int count, void* scratch) {
    cudaStream_t stream = Of(device)->stream;
    if (!Check(device, cudaMemsetAsync(out, 0, sizeof(int), stream), "scan") || count == 0) return;
    size_t bytes = ScanScratch(device, count);
    Check(device, cub::DeviceScan::InclusiveSum(scratch, bytes, in, out + 1, count, stream), "scan");
}

static size_t RoundUp(size_t bytes) { return (bytes + 255) & ~(size_t)255; }

static size_t SortOwnScratch(wfDevice* device, int count) {
    size_t bytes = 0;
    cub::DoubleBuffer<uint32_t> keys(NULL, NULL);
    cub::DoubleBuffer<int> values(NULL, NULL);
    Check(device, cub::DeviceRadixSort::SortPairs(NULL, bytes, keys, values, count, 0, 32), "sort");
    return bytes;
}

static size_t SortScratch(wfDevice* device, int count) { return 2 * RoundUp((size_t)count * sizeof(int)) + SortOwnScratch(device, count); }

static void Sort(wfDevice* device, uint32_t* keys, int* values, int count, int bitCount, void* scratch) {
    cudaStream_t stream = Of(device)->stream;
    size_t room = RoundUp((size_t)count * sizeof(int)), bytes = SortOwnScratch(device, count);
    char* memory = (char*)scratch;
    cub::DoubleBuffer<uint32_t> k(keys, (uint32_t*)memory);
    cub::DoubleBuffer<int> v(values, (int*)(memory + room));
    if (!Check(device, cub::DeviceRadixSort::SortPairs(memory + 2 * room, bytes, k, v, count, 0, bitCount, stream), "sort")) return;
    if (k.Current() != keys) Copy(device, keys, k.Current(), (size_t)count * sizeof(uint32_t));
    if (v.Current() != values) Copy(device, values, v.Current(), (size_t)count * sizeof(int));
}

// ---- life ---------------------------------------------------------------------------------------------------------------------

static void Destroy(wfDevice* device) {
    Cuda* cuda = Of(device);
    for (int k = 0; k < cuda->eventCount; ++k) cudaEventDestroy(cuda->events[k]);
    if (cuda->stream != NULL) cudaStreamDestroy(cuda->stream);
    free(cuda);
}

static const wfBackend s_backend = {
    Alloc,    Release,     Upload,    Download, Copy,         Zero,   Sync,        ReadbackStart, ReadbackWait, ReadbackFree, GraphBegin,
    GraphEnd, GraphLaunch, GraphFree, Mark,     CollectTimes, Launch, ScanScratch, Scan,          SortScratch,  Sort,         Destroy,
};

bool wfCuda_Open(wfDevice* device, wfError* err) {
    // Without a driver this is an error rather than a count of zero: both mean that there is no GPU.
    int count = 0;
    cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess || count == 0) {
        cudaGetLastError();
        return wfFail(err, wf_deviceFailed, "cuda: no GPU answers (%s)", status != cudaSuccess ? cudaGetErrorString(status) : "none found");
    }
    Cuda* cuda = (Cuda*)calloc(1, sizeof *cuda);
    if (cuda == NULL) return wfFail(err, wf_outOfMemory, "out of memory for a device");
    cudaDeviceProp properties;
    status = cudaGetDeviceProperties(&properties, 0);
    if (status == cudaSuccess) status = cudaStreamCreateWithFlags(&cuda->stream, cudaStreamNonBlocking);
    if (status != cudaSuccess) {
        free(cuda);
        return wfFail(err, wf_deviceFailed, "cuda: %s", cudaGetErrorString(status));
    }
    cuda->processors = properties.multiProcessorCount;
    cuda->launchesEarly = properties.major >= 9;
    device->impl = cuda;
    device->backend = &s_backend;
    device->kind = wf_deviceCuda;
    if (device->threadCount == 0) device->threadCount = 1; // host threads are not used
    snprintf(device->name, sizeof device->name, "%s", properties.name);
    return true;
}
