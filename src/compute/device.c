// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "compute/device.h"

#include "base/assert.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WF_DEVICE_COOKIE 0x57464456u

const char* wfVersion(void) {
#define WF_TEXT_(x) #x
#define WF_TEXT(x)  WF_TEXT_(x)
    return WF_TEXT(WEFT_VERSION_MAJOR) "." WF_TEXT(WEFT_VERSION_MINOR) "." WF_TEXT(WEFT_VERSION_PATCH);
}

#if !defined(WF_HAS_CUDA)
bool wfCuda_Open(wfDevice* device, wfError* err) {
    (void)device;
    return wfFail(err, wf_deviceFailed, "cuda: this build of weft has no CUDA backend");
}
#endif

const char* wfKernel_Name(wfKernelId kernel) {
#define WF_KERNEL_ID(name) #name,
    static const char* const names[] = {
#include "compute/kernel_list.inl"
    };
#undef WF_KERNEL_ID
    return names[kernel];
}

// ---- life ---------------------------------------------------------------------------------------------------------------------

wfDeviceDef wfDefaultDeviceDef(void) { return (wfDeviceDef){.kind = wf_deviceAuto, .threadCount = 0, .cookie = WF_DEVICE_COOKIE}; }

wfDevice* wfCreateDevice(const wfDeviceDef* def, wfError* err) {
    if (def->cookie != WF_DEVICE_COOKIE) {
        wfFail(err, wf_badInput, "device: the Def did not start from wfDefaultDeviceDef()");
        return NULL;
    }
    if (def->threadCount < 0 || def->threadCount > 1024) {
        wfFail(err, wf_badInput, "device: threadCount: expected 0 to 1024, got %d", def->threadCount);
        return NULL;
    }
    wfDevice* device = calloc(1, sizeof *device);
    if (device == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for a device");
        return NULL;
    }
    device->threadCount = def->threadCount;
    bool open = false;
    if (def->kind == wf_deviceCuda) {
        open = wfCuda_Open(device, err);
    } else {
        if (def->kind == wf_deviceAuto) open = wfCuda_Open(device, NULL);
        if (!open) open = wfCpu_Open(device, err);
    }
    if (open) {
        wfFaultSlot none = ~(wfFaultSlot)0;
        device->fault = wfMakeBuffer(sizeof none, "device.fault");
        wfUpload(device, &device->fault, &none, 1);
        open = wfDevice_Sync(device, err);
    }
    if (!open) {
        wfDestroyDevice(device);
        return NULL;
    }
    return device;
}

void wfDestroyDevice(wfDevice* device) {
    if (device == NULL) return;
    if (device->backend != NULL) {
        wfFreeBuffer(device, &device->fault);
        device->backend->destroy(device);
    }
    free(device);
}

const char* wfDevice_GetName(const wfDevice* device) { return device->name; }
wfDeviceKind wfDevice_GetKind(const wfDevice* device) { return device->kind; }
size_t wfDevice_GetMemory(const wfDevice* device) { return device->memory; }
int64_t wfDevice_GetAllocCount(const wfDevice* device) { return device->allocCount; }

// ---- failure ------------------------------------------------------------------------------------------------------------------

void wfDevice_Fail(wfDevice* device, wfErrorCode code, const char* format, ...) {
    char text[sizeof device->failure.text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    wfFail(&device->failure, code, "%s", text);
}

static bool Works(const wfDevice* device) { return device->failure.code == wf_ok; }

bool wfDevice_Sync(wfDevice* device, wfError* err) {
    device->backend->sync(device);
    if (Works(device)) return true;
    return wfFail(err, device->failure.code, "%s", device->failure.text);
}

wfFaultSlot* wfDevice_FaultSlot(wfDevice* device) { return wfData(&device->fault, wfFaultSlot); }

wfFault wfDevice_TakeFault(wfDevice* device) {
    const wfFaultSlot none = ~(wfFaultSlot)0;
    wfFaultSlot slot = none;
    if (!wfDownload(device, &slot, &device->fault, 0, 1, NULL) || slot == none) return (wfFault){wf_faultNone, -1};
    wfUpload(device, &device->fault, &none, 1);
    return (wfFault){(wfFaultCode)(slot & 0xff), (int)(slot >> 8)};
}

// ---- launches and graphs ------------------------------------------------------------------------------------------------------

void wfLaunchKernel(wfDevice* device, wfKernelId kernel, int count, const void* args, size_t argsSize) {
    WF_ASSERT(count >= 0 && argsSize <= wf_kernelArgsSize);
    if (Works(device)) device->backend->launch(device, kernel, count, args, argsSize);
}

void wfGraph_Begin(wfDevice* device, wfGraph* graph) {
    WF_ASSERT(device->recording == NULL);
    if (!Works(device)) return;
    wfGraph_Free(device, graph);
    device->recording = graph;
    device->backend->graphBegin(device, graph);
}

void wfGraph_End(wfDevice* device) {
    wfGraph* graph = device->recording;
    if (graph == NULL) return; // Begin found the device failed
    device->backend->graphEnd(device, graph);
    device->recording = NULL;
}

void wfGraph_Launch(wfDevice* device, wfGraph* graph) {
    if (Works(device)) device->backend->graphLaunch(device, graph);
}

void wfGraph_Free(wfDevice* device, wfGraph* graph) {
    if (graph->impl != NULL) device->backend->graphFree(device, graph);
    graph->impl = NULL;
}

// ---- memory -------------------------------------------------------------------------------------------------------------------

wfBuffer wfMakeBuffer(size_t stride, const char* name) { return (wfBuffer){.stride = stride, .name = name}; }

void wfReserve(wfDevice* device, wfBuffer* buffer, size_t count) {
    if (!Works(device)) return;
    if (count > buffer->capacity) {
        WF_ASSERT(device->recording == NULL);
        // The first allocation is exact (most buffers never grow); later ones leave room, little, as lists of pairs are most of the memory.
        size_t capacity = buffer->capacity == 0 ? count : count + count / 8;
        wfFreeBuffer(device, buffer);
        if (capacity > SIZE_MAX / buffer->stride) {
            wfDevice_Fail(device, wf_outOfMemory, "out of memory for \"%s\" (%zu elements of %zu bytes)", buffer->name, capacity,
                          buffer->stride);
            return;
        }
        buffer->data = device->backend->alloc(device, capacity * buffer->stride, buffer->name);
        if (buffer->data == NULL) return; // alloc said why
        buffer->capacity = capacity;
        device->memory += capacity * buffer->stride;
        device->allocCount += 1;
    }
    buffer->count = count;
}

void wfReserveExactly(wfDevice* device, wfBuffer* buffer, size_t count) {
    if (count > buffer->capacity) wfFreeBuffer(device, buffer);
    wfReserve(device, buffer, count);
}

void wfFreeBuffer(wfDevice* device, wfBuffer* buffer) {
    if (buffer->data == NULL) return;
    device->backend->release(device, buffer->data);
    device->memory -= buffer->capacity * buffer->stride;
    buffer->data = NULL;
    buffer->count = buffer->capacity = 0;
}

void* wfBuffer_Check(const wfBuffer* buffer, size_t stride) {
    WF_ASSERT(buffer->stride == stride);
    (void)stride;
    return buffer->data;
}

void wfUpload(wfDevice* device, wfBuffer* buffer, const void* host, size_t count) {
    wfReserve(device, buffer, count);
    wfUploadRange(device, buffer, 0, host, count);
}

void wfUploadRange(wfDevice* device, wfBuffer* buffer, size_t first, const void* host, size_t count) {
    WF_ASSERT(device->recording == NULL);
    if (!Works(device) || count == 0) return;
    WF_ASSERT(first + count <= buffer->count);
    device->backend->upload(device, (char*)buffer->data + first * buffer->stride, host, count * buffer->stride);
}

bool wfDownload(wfDevice* device, void* host, const wfBuffer* buffer, size_t first, size_t count, wfError* err) {
    WF_ASSERT(device->recording == NULL);
    if (Works(device) && count > 0) {
        WF_ASSERT(first + count <= buffer->count);
        device->backend->download(device, host, (const char*)buffer->data + first * buffer->stride, count * buffer->stride);
    }
    if (Works(device)) return true;
    return wfFail(err, device->failure.code, "%s", device->failure.text);
}

void wfCopy(wfDevice* device, wfBuffer* to, const wfBuffer* from, size_t count) {
    WF_ASSERT(to->stride == from->stride && count <= from->count && count <= to->capacity);
    if (Works(device) && count > 0) device->backend->copy(device, to->data, from->data, count * from->stride);
}

void wfZero(wfDevice* device, wfBuffer* buffer) {
    if (Works(device) && buffer->count > 0) device->backend->zero(device, buffer->data, buffer->count * buffer->stride);
}

void wfReadback_Start(wfDevice* device, wfReadback* readback, const wfBuffer* buffer, size_t first, size_t count) {
    WF_ASSERT(device->recording == NULL);
    if (!Works(device)) return;
    WF_ASSERT(first + count <= buffer->count);
    device->backend->readbackStart(device, readback, (const char*)buffer->data + first * buffer->stride, count * buffer->stride);
}

const void* wfReadback_Wait(wfDevice* device, wfReadback* readback, wfError* err) {
    if (Works(device)) device->backend->readbackWait(device, readback);
    if (Works(device)) return readback->host;
    wfFail(err, device->failure.code, "%s", device->failure.text);
    return NULL;
}

void wfReadback_Free(wfDevice* device, wfReadback* readback) {
    if (readback->host != NULL) device->backend->readbackFree(device, readback);
    *readback = (wfReadback){0};
}

// ---- time ---------------------------------------------------------------------------------------------------------------------

void wfDevice_Mark(wfDevice* device, int stage) {
    WF_ASSERT(-1 <= stage && stage < 8 && device->recording == NULL);
    if (Works(device)) device->backend->mark(device, stage);
}

void wfDevice_CollectTimes(wfDevice* device, double seconds[8]) {
    if (Works(device)) device->backend->collectTimes(device, seconds);
}
