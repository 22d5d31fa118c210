// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The compute device: named buffers that grow, launches, graphs, first failure kept. Calls below return nothing where a failure can wait:
// after the first one the device does nothing more, and wfDevice_Sync reports it.

#include "base/error.h"
#include "weft/weft.h"

#if defined(__cplusplus)
extern "C" {
#endif

// ---- kernels ------------------------------------------------------------------------------------------------------------------

typedef void (*wfKernelFn)(wfDevice* device, int count, const void* args);

#define WF_KERNEL_ID(name) wf_kernel##name,
typedef enum wfKernelId {
#include "compute/kernel_list.inl"
    wf_kernelCount
} wfKernelId;
#undef WF_KERNEL_ID

enum { wf_kernelArgsSize = 1024 }; // bytes that the arguments of a kernel may take

/// Runs kernel `name` over `count` items (item kernels) or tiles (tile kernels). `args` is a const nameArgs*; any other type is refused.
#define wfLaunch(device, name, count, args) \
    wfLaunchKernel((device), wf_kernel##name, (count), 1 ? (args) : (const name##Args*)0, sizeof(name##Args))
void wfLaunchKernel(wfDevice* device, wfKernelId kernel, int count, const void* args, size_t argsSize);

/// Of a kernel of rounds: how many items it takes, and how many of its blocks have come to where they wait for each other, and left.
typedef struct wfRoundsWait {
    unsigned count, arrived, left;
} wfRoundsWait;

// ---- faults -------------------------------------------------------------------------------------------------------------------

typedef unsigned long long wfFaultSlot; // index << 8 | code; all ones: none

typedef enum wfFaultCode {
    wf_faultNone,
    wf_faultNotFinite, // a position or velocity is not finite
    wf_faultNoEnergy,  // the energy about a vertex is too large to be a number
    wf_faultTest,      // raised by tests only
} wfFaultCode;

typedef struct wfFault {
    wfFaultCode code;
    int index;
} wfFault;

/// Where kernels raise faults: pass it in the arguments.
wfFaultSlot* wfDevice_FaultSlot(wfDevice* device);

/// Waits for the device; false with the first failure, if there was one.
bool wfDevice_Sync(wfDevice* device, wfError* err);

/// Waits, then returns the fault raised since the last call and clears it. {wf_faultNone} where there was none.
wfFault wfDevice_TakeFault(wfDevice* device);

// ---- memory -------------------------------------------------------------------------------------------------------------------

/// Device memory with a name; grows to its high-water mark. Start from wfMakeBuffer.
typedef struct wfBuffer {
    void* data;
    size_t count, capacity, stride;
    const char* name; // a literal: "elastic.springs"
} wfBuffer;

wfBuffer wfMakeBuffer(size_t stride, const char* name);

/// Makes room for `count` elements and sets the count. Growing loses the content.
void wfReserve(wfDevice* device, wfBuffer* buffer, size_t count);
/// The same without more room than that, for whoever has left some already.
void wfReserveExactly(wfDevice* device, wfBuffer* buffer, size_t count);
void wfFreeBuffer(wfDevice* device, wfBuffer* buffer);

/// The typed pointer, for kernel arguments only: on CUDA it must not be read on the host.
#define wfData(buffer, type) ((type*)wfBuffer_Check((buffer), sizeof(type)))
void* wfBuffer_Check(const wfBuffer* buffer, size_t stride);

/// Copies host → device (reserves `count`), device → host (waits), device → device.
void wfUpload(wfDevice* device, wfBuffer* buffer, const void* host, size_t count);
void wfUploadRange(wfDevice* device, wfBuffer* buffer, size_t first, const void* host, size_t count);
bool wfDownload(wfDevice* device, void* host, const wfBuffer* buffer, size_t first, size_t count, wfError* err);
void wfCopy(wfDevice* device, wfBuffer* to, const wfBuffer* from, size_t count);
void wfZero(wfDevice* device, wfBuffer* buffer);

/// A download that goes on while later launches run. Start from {0}; host memory is pinned and reused.
typedef struct wfReadback {
    void* host;
    size_t capacity;
    void* event;
} wfReadback;
void wfReadback_Start(wfDevice* device, wfReadback* readback, const wfBuffer* buffer, size_t first, size_t count);
const void* wfReadback_Wait(wfDevice* device, wfReadback* readback, wfError* err); // valid until the next Start
void wfReadback_Free(wfDevice* device, wfReadback* readback);

// ---- graphs -------------------------------------------------------------------------------------------------------------------

/// A recorded row of launches, copies and primitives, replayed at a fraction of the cost of launching them one by one.
/// Between Begin and End nothing runs, buffers must have their size already, and the host may neither upload nor read. A graph keeps the
/// addresses it was recorded with: scratch used inside it must not grow afterwards, so give it one of its own.
typedef struct wfGraph {
    void* impl;
} wfGraph;
void wfGraph_Begin(wfDevice* device, wfGraph* graph);
void wfGraph_End(wfDevice* device);
void wfGraph_Launch(wfDevice* device, wfGraph* graph);
void wfGraph_Free(wfDevice* device, wfGraph* graph);

// ---- time ---------------------------------------------------------------------------------------------------------------------

/// Says that what follows belongs to `stage` (< 8), until the next mark; -1 ends the stage. Does not wait.
void wfDevice_Mark(wfDevice* device, int stage);
/// Waits, adds the seconds spent in each stage since the last call to seconds[8], and forgets them.
void wfDevice_CollectTimes(wfDevice* device, double seconds[8]);

// ---- inside -------------------------------------------------------------------------------------------------------------------

/// What a backend must do; everything else is shared. Nothing but sync, release and destroy is called after a failure.
typedef struct wfBackend {
    void* (*alloc)(wfDevice* device, size_t bytes, const char* name);
    void (*release)(wfDevice* device, void* data);
    void (*upload)(wfDevice* device, void* to, const void* host, size_t bytes);
    void (*download)(wfDevice* device, void* host, const void* from, size_t bytes); // waits
    void (*copy)(wfDevice* device, void* to, const void* from, size_t bytes);
    void (*zero)(wfDevice* device, void* data, size_t bytes);
    void (*sync)(wfDevice* device);
    void (*readbackStart)(wfDevice* device, wfReadback* readback, const void* from, size_t bytes);
    void (*readbackWait)(wfDevice* device, wfReadback* readback);
    void (*readbackFree)(wfDevice* device, wfReadback* readback);
    void (*graphBegin)(wfDevice* device, wfGraph* graph);
    void (*graphEnd)(wfDevice* device, wfGraph* graph);
    void (*graphLaunch)(wfDevice* device, wfGraph* graph);
    void (*graphFree)(wfDevice* device, wfGraph* graph);
    void (*mark)(wfDevice* device, int stage);
    void (*collectTimes)(wfDevice* device, double seconds[8]);
    void (*launch)(wfDevice* device, wfKernelId kernel, int count, const void* args, size_t argsSize);
    size_t (*scanScratch)(wfDevice* device, int count); // bytes of `scratch` below
    void (*scan)(wfDevice* device, const int* in, int* out, int count, void* scratch);
    size_t (*sortScratch)(wfDevice* device, int count);
    void (*sort)(wfDevice* device, uint32_t* keys, int* values, int count, int bitCount, void* scratch);
    void (*destroy)(wfDevice* device);
} wfBackend;

struct wfDevice {
    const wfBackend* backend;
    void* impl;
    wfDeviceKind kind;
    int threadCount;
    char name[160];
    wfError failure; // the first one
    size_t memory;
    int64_t allocCount;
    wfBuffer fault;
    wfGraph* recording;
};

/// Keeps the first failure; every later call on the device does nothing.
void wfDevice_Fail(wfDevice* device, wfErrorCode code, const char* format, ...) WF_PRINTF(3, 4);

/// The name of a kernel, for messages.
const char* wfKernel_Name(wfKernelId kernel);

/// Each opens its backend on a zeroed device. The CUDA one fails where no GPU answers; without CUDA in the build it always does.
bool wfCpu_Open(wfDevice* device, wfError* err);
bool wfCuda_Open(wfDevice* device, wfError* err);

#if defined(__cplusplus)
}
#endif
