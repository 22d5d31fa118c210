// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// What C and CUDA spell differently for functions shared by host and kernels. Only this file and compute/kernel.h know __CUDACC__.

#if defined(__CUDACC__)
#define WF_FN              static __host__ __device__ __forceinline__
#define WF_LANE_FN         WF_FN
#define WF_RARE_FN         static __host__ __device__ __noinline__
#define WF_INVERSE_SQRT(x) rsqrtf(x)
#define WF_FAST_INVERSE    1 // whether rsqrtf is one instruction, and faster than a division
#define WF_LANES_PART      1 // whether a lane may leave early: a thread can, a lane of a vector would keep the others from being one
#else
#define WF_FN              static inline
#define WF_LANE_FN         static inline __attribute__((always_inline)) // for lane loops: one that calls is not vectorised
#define WF_RARE_FN         static __attribute__((noinline, unused))     // seldom called and long: no copy of it at each call
#define WF_INVERSE_SQRT(x) (1.0f / sqrtf(x))
#define WF_FAST_INVERSE    0
#define WF_LANES_PART      0
#endif

#if defined(__cplusplus)
#define WF_ALIGN(n) alignas(n)
#else
#define WF_ALIGN(n) _Alignas(n)
#endif

// A function with a copy for each instruction set, chosen when the program starts. No copy may use another order or a fused multiply-add
// (-ffp-contract=off), so all give the same bits.
#if defined(WF_TARGET_CLONES)
#define WF_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WF_CLONES
#endif
