// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT

// Reads the file named by WF_BOTH twice, in single precision for kernels and in double for what judges them, so that both run one source:
//
//   #define WF_BOTH "elastic/membrane.inl"
//   #include "math/both_precisions.inl"
//
// Inside, `real` is the number, R(name) a name that ends in D in double, and rSqrt … the functions of that precision.

#define real         float
#define R(name)      name
#define rSqrt(x)     sqrtf(x)
#define rInverse(x)  wfInverseSqrt(x) // 1 / sqrt(x)
#define rRoot(x, i)  ((x) * (i))      // sqrt(x), where i is rInverse(x): one root for both in kernels, to the last bit in double
#define rAbs(x)      fabsf(x)
#define rMin(a, b)   ((a) < (b) ? (a) : (b)) // not fminf, whose care for NaN keeps loops from being vectorised
#define rMax(a, b)   ((a) > (b) ? (a) : (b))
#define rAtan2(y, x) atan2f(y, x)
#define rEpsilon     1.1920929e-07f
#define rTiny        1e-30f // below the square of any length that means something, above the smallest normal number
#include WF_BOTH
#undef real
#undef R
#undef rSqrt
#undef rInverse
#undef rRoot
#undef rAbs
#undef rMin
#undef rMax
#undef rAtan2
#undef rEpsilon
#undef rTiny

#define real         double
#define R(name)      name##D
#define rSqrt(x)     sqrt(x)
#define rInverse(x)  (1.0 / sqrt(x))
#define rRoot(x, i)  sqrt(x)
#define rAbs(x)      fabs(x)
#define rMin(a, b)   ((a) < (b) ? (a) : (b))
#define rMax(a, b)   ((a) > (b) ? (a) : (b))
#define rAtan2(y, x) atan2(y, x)
#define rEpsilon     2.2204460492503131e-16
#define rTiny        1e-60
#include WF_BOTH
#undef real
#undef R
#undef rSqrt
#undef rInverse
#undef rRoot
#undef rAbs
#undef rMin
#undef rMax
#undef rAtan2
#undef rEpsilon
#undef rTiny

#undef WF_BOTH
