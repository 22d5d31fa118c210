// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// One kernel source, two backends. A file named *_kernels.c is compiled as C (OpenMP) and as CUDA, so it keeps to what both languages
// share: no compound literals, no designated initialisers, no implicit void* casts, no variable-length arrays. This header and
// base/compiler.h are the only ones that know which compiler is at work.
//
//   WF_KERNEL(Name, a, i) { … }            an item kernel: NameArgs a by value, one index i in [0, count)
//   WF_HEAVY_KERNEL(Name, a, i) { … }      an item kernel of which a few items are worth a CPU thread (searches, whole blocks of numbers)
//   WF_ROUNDS_KERNEL(Name, a, i, round, fresh, kept) { … }  a kernel of the items i listed in a.items, which is run a.rounds times, a round
//                                          over all of them before the next begins: one launch on CUDA. kept, a NameKept*, holds what
//                                          an item needs in every round; it is to be filled where `fresh` says so. NameArgs has int round,
//                                          rounds; int* items; and wfRoundsWait* wait, which says how many items there are, and is zero
//                                          behind it. Its count is how many there could be
//   WF_TILE_KERNEL(Name, a, tile) { … }    one block (CUDA) or one pass of a thread (CPU) per tile of WF_TILE lanes
//   WF_LANES(t, n) { … }                   inside a tile kernel: for every lane t < n; beyond WF_TILE lanes take several
//   WF_SHARED float s[WF_TILE];            shared by the lanes of a tile; the only arrays that may live across WF_SYNC()
//   WF_TILE_FN                             before a function of tile kernels with lane loops and WF_SYNC() in it
//   WF_PRIVATE(float, name);               one value a lane, kept from lane loop to lane loop: a register on CUDA, an array on the CPU;
//   WF_MINE(name, t)                       … and how lane t reads and writes it
//
//   WF_WARPS(w) { … }                      inside a tile kernel: for every warp of WF_WARP lanes; loops inside may differ from warp to warp
//   WF_WARP_LANES(t, w) { … }              inside it: for every lane t of warp w; vectorised on the CPU, so: no branches that matter
//   WF_GROUPS(g), WF_GROUP_LANES(k, g)     the same for groups of WF_GROUP lanes; k counts from 0 in each group
//   WF_GATHER3(x, y, z, array, i);         x, y, z = array[i] of wfVec4: one 16-byte load on CUDA, three vector gathers on the CPU
//   WF_WARP_GATHER3(x, y, z, array, t, w, i);
//   WF_WARP_GATHER4(x, y, z, v, array, t, w, i);  private values = array[i] of wfVec4 for every lane t of warp w, i an expression of t: on
//                                          the CPU much faster than vector gathers
//   WF_WARP_STORE4(array, x, y, z, v, w, first, count);  array[first + t] = private values for every lane t of warp w, below count
//   WF_SIMD(n)                             before a loop of n rounds without branches: vectorised on the CPU, unrolled on CUDA
//   WF_PREFETCH(address)                   asks for a cache line ahead of its use; a GPU has other lanes to run meanwhile
//   WF_UNROLL(n)                           before a loop: n rounds in flight at once on CUDA, to hide the latency of their loads
//   WF_IN_FLIGHT(n)                        how many loads a lane is to have in flight: n on CUDA, one on the CPU, which looks ahead by
//   itself
//
// Inside one lane loop no lane reads what another writes. The validation build runs items and lanes backwards, so that a kernel that
// breaks this gives another answer on a machine without a GPU.

#include "compute/device.h"
#include "math/vec.h"

#define WF_TILE  128
#define WF_WARP  32
#define WF_GROUP 8

#if defined(__CUDACC__)

#include <cooperative_groups.h>

#define WF_ROUNDS_TILE         512 // lanes of a block that waits for all others between rounds: few of them wait faster
#define WF_SHARED              __shared__
#define WF_TILE_FN             static __device__ __forceinline__
#define WF_PREFETCH(address)   ((void)(address))
#define WF_SYNC()              __syncthreads()
#define WF_LANES(t, n)         for (int t = (int)threadIdx.x; t < (n); t += WF_TILE)
#define WF_PRAGMA_(text)       _Pragma(#text)
#define WF_UNROLL(n)           WF_PRAGMA_(unroll n)
#define WF_SIMD(n)             WF_UNROLL(n)
#define WF_IN_FLIGHT(n)        (n)
#define WF_WARPS(w)            for (int w = (int)threadIdx.x / WF_WARP, w##_ = w; w##_ == w; w##_ = -1)
#define WF_WARP_LANES(t, w)    for (int t = (int)threadIdx.x, t##_ = t; t##_ == t; t##_ = -1)
#define WF_GROUPS(g)           for (int g = (int)threadIdx.x / WF_GROUP, g##_ = 1; g##_; g##_ = 0)
#define WF_GROUP_LANES(k, g)   for (int k = (int)threadIdx.x % WF_GROUP, k##_ = 1; k##_; k##_ = 0)
#define WF_PRIVATE(type, name) type name
#define WF_MINE(name, t)       (name)
#define WF_GATHER3(px, py, pz, array, i) \
    do {                                 \
        wfVec4 gathered_ = (array)[i];   \
        px = gathered_.x;                \
        py = gathered_.y;                \
        pz = gathered_.z;                \
    } while (0)

#define WF_WARP_GATHER3(px, py, pz, array, t, w, i) \
    do {                                            \
        int t = (int)threadIdx.x;                   \
        WF_GATHER3(px, py, pz, array, i);           \
    } while (0)
#define WF_WARP_GATHER4(px, py, pz, pw, array, t, w, i) \
    do {                                                \
        int t = (int)threadIdx.x;                       \
        wfVec4 gathered_ = (array)[i];                  \
        px = gathered_.x;                               \
        py = gathered_.y;                               \
        pz = gathered_.z;                               \
        pw = gathered_.w;                               \
    } while (0)
#define WF_WARP_STORE4(array, px, py, pz, pw, w, first, count)              \
    do {                                                                    \
        int at_ = (first) + (int)threadIdx.x;                               \
        if (at_ < (count)) (array)[at_] = wfMake4(wfMake3(px, py, pz), pw); \
    } while (0)

// A kernel is made ready while the one before it in the stream still runs (wfCuda_Launch), and waits here for that to end. Only then may
// the next be made ready: several that wait take the place of what runs.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define WF_AWAIT_()                                \
    do {                                           \
        cudaGridDependencySynchronize();           \
        cudaTriggerProgrammaticLaunchCompletion(); \
    } while (0)
#else
#define WF_AWAIT_() ((void)0)
#endif

#define WF_DEFINE_KERNEL_(name, a, index, indexExpression, blocksExpression, guard)                              \
    static __device__ __forceinline__ void name##_Body(const name##Args a, int index);                           \
    static __global__ void __launch_bounds__(WF_TILE) name##_Grid(const name##Args a, int count) {               \
        int index = (indexExpression);                                                                           \
        WF_AWAIT_();                                                                                             \
        if (guard) name##_Body(a, index);                                                                        \
        (void)count;                                                                                             \
    }                                                                                                            \
    extern "C" void wfCuda_##name(wfDevice* device, int count, const void* args) {                               \
        wfCuda_Launch(device, #name, (const void*)name##_Grid, count > 0 ? (blocksExpression) : 0, count, args); \
    }                                                                                                            \
    static __device__ __forceinline__ void name##_Body(const name##Args a, int index)

#define WF_KERNEL(name, a, i)         WF_DEFINE_KERNEL_(name, a, i, (int)(blockIdx.x * WF_TILE + threadIdx.x), (count - 1) / WF_TILE + 1, i < count)
#define WF_HEAVY_KERNEL               WF_KERNEL
#define WF_TILE_KERNEL(name, a, tile) WF_DEFINE_KERNEL_(name, a, tile, (int)blockIdx.x, count, true)

// Of a kernel of rounds: its blocks, which all run at once, wait until so many have arrived in all. Release and acquire order what they
// have written before; __threadfence() would order more, and take longer.
static __device__ __forceinline__ void wfCuda_Arrive(wfRoundsWait* wait, unsigned all) {
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned arrived;
        asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(&wait->arrived) : "memory");
        do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(arrived) : "l"(&wait->arrived) : "memory");
        while (arrived < all);
    }
    __syncthreads();
}

/// The last that leaves makes it ready for the next launch.
static __device__ __forceinline__ void wfCuda_Leave(wfRoundsWait* wait, unsigned blocks) {
    if (threadIdx.x == 0 && atomicAdd(&wait->left, 1u) + 1 == blocks) wait->count = wait->arrived = wait->left = 0;
}

// Blocks that have nothing to do leave at once; the others share the items evenly, but for very few.
#define WF_ROUNDS_KERNEL(name, a, i, round, fresh, kept)                                                                    \
    static __device__ __forceinline__ void name##_Body(const name##Args a, int i, int round, bool fresh, name##Kept* kept); \
    static __global__ void __launch_bounds__(WF_ROUNDS_TILE) name##_Rounds(const name##Args a, int count) {                 \
        WF_AWAIT_();                                                                                                        \
        int all = (int)*(volatile unsigned*)&a.wait->count, blocks = (int)gridDim.x;                                        \
        int each = max((all + blocks - 1) / blocks, WF_TILE), first = (int)blockIdx.x * each;                               \
        if (first >= all) return;                                                                                           \
        blocks = (all + each - 1) / each;                                                                                   \
        int last = min(first + each, all), k = first + (int)threadIdx.x;                                                    \
        name##Kept kept;                                                                                                    \
        for (int round = 0; round < a.rounds; ++round) {                                                                    \
            if (round > 0) wfCuda_Arrive(a.wait, (unsigned)(round * blocks));                                               \
            if (each <= WF_ROUNDS_TILE) {                                                                                   \
                if (k < last) name##_Body(a, a.items[k], round, round == 0, &kept);                                         \
            } else {                                                                                                        \
                for (int n = k; n < last; n += WF_ROUNDS_TILE) name##_Body(a, a.items[n], round, true, &kept);              \
            }                                                                                                               \
        }                                                                                                                   \
        wfCuda_Leave(a.wait, (unsigned)blocks);                                                                             \
        (void)count;                                                                                                        \
    }                                                                                                                       \
    extern "C" void wfCuda_##name(wfDevice* device, int count, const void* args) {                                          \
        wfCuda_LaunchRounds(device, #name, (const void*)name##_Rounds, count, args);                                        \
    }                                                                                                                       \
    static __device__ __forceinline__ void name##_Body(const name##Args a, int i, int round, bool fresh, name##Kept* kept)

void wfCuda_Launch(wfDevice* device, const char* name, const void* kernel, int blocks, int count, const void* args);
void wfCuda_LaunchRounds(wfDevice* device, const char* name, const void* kernel, int count, const void* args);

#else

#include "compute/cpu/rows.h"

#define WF_SHARED
#define WF_TILE_FN           static inline __attribute__((always_inline))
#define WF_PREFETCH(address) __builtin_prefetch(address)
#define WF_SYNC()            ((void)0)
#define WF_UNROLL(n)
#define WF_IN_FLIGHT(n)        1
#define WF_SIMD(n)             _Pragma("omp simd")
#define WF_PRIVATE(type, name) type name[WF_TILE]
#define WF_MINE(name, t)       ((name)[t])
#define WF_GATHER3(px, py, pz, array, i)            \
    do {                                            \
        const float* flat_ = (const float*)(array); \
        int at_ = 4 * (i);                          \
        px = flat_[at_];                            \
        py = flat_[at_ + 1];                        \
        pz = flat_[at_ + 2];                        \
    } while (0)

#define WF_WARP_ROWS_(px, py, pz, pw, array, t, w, i)                                  \
    for (int block_ = (w)*WF_WARP; block_ < ((w) + 1) * WF_WARP; block_ += 8) {        \
        int at_[8] = {0};                                                              \
        for (int t = block_; t < block_ + 8; ++t) at_[t - block_] = (i);               \
        wfCpu_LoadRows((array), at_, (px) + block_, (py) + block_, (pz) + block_, pw); \
    }
#define WF_WARP_GATHER3(px, py, pz, array, t, w, i)     WF_WARP_ROWS_(px, py, pz, 0, array, t, w, i)
#define WF_WARP_GATHER4(px, py, pz, pw, array, t, w, i) WF_WARP_ROWS_(px, py, pz, (pw) + block_, array, t, w, i)
#define WF_WARP_STORE4(array, px, py, pz, pw, w, first, count)                                                                         \
    for (int block_ = (w)*WF_WARP; block_ < ((w) + 1) * WF_WARP; block_ += 8) {                                                        \
        int at_ = (first) + block_;                                                                                                    \
        if (at_ + 8 <= (count))                                                                                                        \
            wfCpu_StoreRows((array) + at_, (px) + block_, (py) + block_, (pz) + block_, (pw) + block_);                                \
        else                                                                                                                           \
            for (int k_ = block_; at_ < (count); ++k_, ++at_) (array)[at_] = wfMake4(wfMake3((px)[k_], (py)[k_], (pz)[k_]), (pw)[k_]); \
    }

#if defined(WF_VALIDATE_ORDER)
#define WF_LANES(t, n)       for (int t = (n)-1; t >= 0; --t)
#define WF_WARPS(w)          for (int w = WF_TILE / WF_WARP - 1; w >= 0; --w)
#define WF_WARP_LANES(t, w)  for (int t = ((w) + 1) * WF_WARP - 1; t >= (w)*WF_WARP; --t)
#define WF_GROUPS(g)         for (int g = WF_TILE / WF_GROUP - 1; g >= 0; --g)
#define WF_GROUP_LANES(k, g) for (int k = WF_GROUP - 1; k >= 0; --k)
#define WF_ORDERED_(i, n)    ((n)-1 - (i))
#else
#define WF_LANES(t, n)       for (int t = 0; t < (n); ++t)
#define WF_WARPS(w)          for (int w = 0; w < WF_TILE / WF_WARP; ++w)
#define WF_WARP_LANES(t, w)  _Pragma("omp simd") for (int t = (w)*WF_WARP; t < ((w) + 1) * WF_WARP; ++t)
#define WF_GROUPS(g)         for (int g = 0; g < WF_TILE / WF_GROUP; ++g)
#define WF_GROUP_LANES(k, g) _Pragma("omp simd") for (int k = 0; k < WF_GROUP; ++k)
#define WF_ORDERED_(i, n)    (i)
#endif

// A tile kernel runs as a copy for each instruction set (WF_CLONES). The range has no OpenMP in it: compilers do not clone outlined
// regions.
#define WF_DEFINE_KERNEL_(name, a, index, clones, grain)                                                                              \
    static inline __attribute__((always_inline)) void name##_Body(const name##Args a, int index);                                     \
    clones static void name##_Range(const void* args, int first, int last, int count) {                                               \
        const name##Args a = *(const name##Args*)args;                                                                                \
        for (int i = first; i < last; ++i) name##_Body(a, WF_ORDERED_(i, count));                                                     \
        (void)count;                                                                                                                  \
    }                                                                                                                                 \
    void wfCpu_##name(wfDevice* device, int count, const void* args);                                                                 \
    void wfCpu_##name(wfDevice* device, int count, const void* args) { wfCpu_ForRanges(device, count, (grain), name##_Range, args); } \
    static inline __attribute__((always_inline)) void name##_Body(const name##Args a, int index)

#define WF_KERNEL(name, a, i)         WF_DEFINE_KERNEL_(name, a, i, , 2048)
#define WF_HEAVY_KERNEL(name, a, i)   WF_DEFINE_KERNEL_(name, a, i, WF_CLONES, 16)
#define WF_TILE_KERNEL(name, a, tile) WF_DEFINE_KERNEL_(name, a, tile, WF_CLONES, 16)

#define WF_ROUNDS_KERNEL(name, a, i, round, fresh, kept)                                                                               \
    static inline __attribute__((always_inline)) void name##_Body(const name##Args a, int i, int round, bool fresh, name##Kept* kept); \
    static void name##_Range(const void* args, int first, int last, int count) {                                                       \
        const name##Args a = *(const name##Args*)args;                                                                                 \
        name##Kept kept;                                                                                                               \
        for (int n = first; n < last; ++n) name##_Body(a, a.items[WF_ORDERED_(n, count)], a.round, true, &kept);                       \
        (void)count;                                                                                                                   \
    }                                                                                                                                  \
    void wfCpu_##name(wfDevice* device, int count, const void* args);                                                                  \
    void wfCpu_##name(wfDevice* device, int count, const void* args) {                                                                 \
        name##Args a = *(const name##Args*)args;                                                                                       \
        int all = (int)a.wait->count;                                                                                                  \
        for (a.round = 0; a.round < a.rounds; ++a.round) wfCpu_ForRanges(device, all, 2048, name##_Range, &a);                         \
        a.wait->count = 0;                                                                                                             \
        (void)count;                                                                                                                   \
    }                                                                                                                                  \
    static inline __attribute__((always_inline)) void name##_Body(const name##Args a, int i, int round, bool fresh, name##Kept* kept)

typedef void (*wfCpuRangeFn)(const void* args, int first, int last, int count);

/// Cuts [0, count) into one equal range a thread; runs on the calling thread alone below two grains.
void wfCpu_ForRanges(wfDevice* device, int count, int grain, wfCpuRangeFn fn, const void* args);

#endif

// How many bits of an unsigned 64-bit number are set, and where the lowest of them is (x != 0). A product that no sum is fused with, so
// that it has the same bits on every device.
#if defined(__CUDA_ARCH__)
#define WF_COUNT_BITS(x) __popcll(x)
#define WF_LOWEST_BIT(x) (__ffsll((long long)(x)) - 1)
#define WF_PRODUCT(a, b) __fmul_rn(a, b)
#else
#define WF_COUNT_BITS(x) __builtin_popcountll(x)
#define WF_LOWEST_BIT(x) __builtin_ctzll(x)
#define WF_PRODUCT(a, b) ((a) * (b))
#endif

/// Tiles that cover `count` items.
WF_FN int wfTileCount(int count) { return (count + WF_TILE - 1) / WF_TILE; }

/// Records that something is wrong at `index`; of all faults raised before the next check the one with the lowest index is kept,
/// so that the report does not depend on the order of threads.
WF_FN void wfRaise(wfFaultSlot* slot, int code, int index) {
    unsigned long long fault = ((unsigned long long)(unsigned)index << 8) | (unsigned)code;
#if defined(__CUDA_ARCH__)
    if (fault < *(volatile unsigned long long*)slot) atomicMin(slot, fault); // where all raise it, most need not wait for each other
#else
    unsigned long long old = __atomic_load_n(slot, __ATOMIC_RELAXED);
    while (fault < old && !__atomic_compare_exchange_n(slot, &old, fault, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
#endif
}

/// Adds to a whole number that others add to as well: the sum has no order.
WF_FN void wfAddWhole(long long* to, long long value) {
#if defined(__CUDA_ARCH__)
    atomicAdd((unsigned long long*)to, (unsigned long long)value);
#else
    __atomic_fetch_add(to, value, __ATOMIC_RELAXED);
#endif
}

/// The bits of a number that is not negative, which order as such numbers do; what is no number is above all.
WF_FN unsigned wfToOrder(float value) {
    union {
        float number;
        unsigned bits;
    } u;
    u.number = value;
    return u.bits & 0x7fffffffu;
}
WF_FN float wfFromOrder(unsigned bits) {
    union {
        float number;
        unsigned bits;
    } u;
    u.bits = bits;
    return u.number;
}

/// Keeps the most of what it is given, none of it negative.
WF_FN void wfRaiseMost(unsigned* slot, float value) {
    unsigned bits = wfToOrder(value);
#if defined(__CUDA_ARCH__)
    if (bits > *(volatile unsigned*)slot) atomicMax(slot, bits); // most are not: spares the others' time
#else
    unsigned old = __atomic_load_n(slot, __ATOMIC_RELAXED);
    while (bits > old && !__atomic_compare_exchange_n(slot, &old, bits, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
#endif
}

/// Keeps the least of what the lanes of a tile give it, none of it negative; in shared memory.
WF_FN void wfKeepLeast(unsigned* slot, float value) {
    unsigned bits = wfToOrder(value);
#if defined(__CUDA_ARCH__)
    atomicMin(slot, bits);
#else
    *slot = bits < *slot ? bits : *slot; // lanes take turns
#endif
}

/// Takes `count` of what others take from as well: where its part begins depends on their order.
WF_FN long long wfTake(long long* from, long long count) {
#if defined(__CUDA_ARCH__)
    return (long long)atomicAdd((unsigned long long*)from, (unsigned long long)count);
#else
    return __atomic_fetch_add(from, count, __ATOMIC_RELAXED);
#endif
}

/// One of what others take one of as well: lanes that do so together take theirs together.
WF_FN unsigned wfTakeOne(unsigned* from) {
#if defined(__CUDA_ARCH__)
    cooperative_groups::coalesced_group lanes = cooperative_groups::coalesced_threads();
    unsigned first = 0;
    if (lanes.thread_rank() == 0) first = atomicAdd(from, lanes.size());
    return lanes.shfl(first, 0) + lanes.thread_rank();
#else
    return __atomic_fetch_add(from, 1u, __ATOMIC_RELAXED);
#endif
}

/// Puts a value where others put theirs; what was there before.
WF_FN int wfSwap(int* at, int value) {
#if defined(__CUDA_ARCH__)
    return atomicExch(at, value);
#else
    return __atomic_exchange_n(at, value, __ATOMIC_RELAXED);
#endif
}

/// Sets a flag that others may set as well.
WF_FN void wfMark(int* flag) {
#if defined(__CUDA_ARCH__)
    if (*(volatile int*)flag == 0) atomicExch(flag, 1); // as many do, most need not wait for each other
#else
    __atomic_store_n(flag, 1, __ATOMIC_RELAXED);
#endif
}
