// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The judge of derivatives: central differences of a function of points, and random states to judge them in.

#include "check.h"

#include "math/polar.h"

/// [-1, 1), the same row of numbers in every run.
static inline double NextRandom(uint64_t* seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(*seed >> 11) / (double)(1ll << 52) - 1.0;
}

static inline wfVec3D RandomVector(uint64_t* seed) {
    double x = NextRandom(seed), y = NextRandom(seed), z = NextRandom(seed);
    return wfMake3D(x, y, z);
}

/// A rotation as three orthonormal rows.
static inline wfMat3D RandomRotation(uint64_t* seed) {
    wfMat32D f = {RandomVector(seed), RandomVector(seed)};
    wfPolarD p = wfPolar3x2D(f);
    return (wfMat3D){{{p.r.u.x, p.r.u.y, p.r.u.z}, {p.r.v.x, p.r.v.y, p.r.v.z}, {p.normal.x, p.normal.y, p.normal.z}}};
}

static inline double* Coordinate(wfVec3D* x, int axis) { return axis == 0 ? &x->x : axis == 1 ? &x->y : &x->z; }

typedef double (*EnergyFn)(const void* self, const wfVec3D* x);
typedef void (*GradientFn)(const void* self, const wfVec3D* x, wfVec3D* out);
/// Second derivative by points i and j.
typedef wfMat3D (*BlockFn)(const void* self, const wfVec3D* x, int i, int j);

enum { MostPoints = 32 };

/// Largest difference between a gradient and the central difference of its energy, by the largest entry of the gradient or `scale`.
static inline double GradientError(EnergyFn energy, GradientFn gradient, const void* self, wfVec3D* x, int count, double step,
                                   double scale) {
    wfVec3D g[MostPoints];
    double worst = 0.0;
    gradient(self, x, g);
    for (int i = 0; i < count; ++i)
        for (int a = 0; a < 3; ++a) {
            double *at = Coordinate(&x[i], a), kept = *at;
            scale = fmax(scale, fabs(*Coordinate(&g[i], a)));
            // Two steps, extrapolated: the error is of fourth order, so that the step can stay large against rounding.
            double d[2];
            for (int k = 0; k < 2; ++k) {
                double h = step / (1 + k);
                *at = kept + h;
                double high = energy(self, x);
                *at = kept - h;
                d[k] = (high - energy(self, x)) / (2.0 * h);
            }
            *at = kept;
            worst = fmax(worst, fabs((4.0 * d[1] - d[0]) / 3.0 - *Coordinate(&g[i], a)));
        }
    return worst / scale;
}

/// The same for a second derivative and its gradient; also how far it is from symmetric.
static inline double HessianError(GradientFn gradient, BlockFn block, const void* self, wfVec3D* x, int count, double step) {
    double worst = 0.0, scale = 0.0;
    for (int j = 0; j < count; ++j)
        for (int b = 0; b < 3; ++b) {
            double *at = Coordinate(&x[j], b), kept = *at;
            wfVec3D g[4][MostPoints];
            for (int k = 0; k < 4; ++k) {
                *at = kept + (k % 2 == 0 ? step : -step) / (1 + k / 2);
                gradient(self, x, g[k]);
            }
            *at = kept;
            for (int i = 0; i < count; ++i) {
                wfMat3D h = block(self, x, i, j), t = block(self, x, j, i);
                for (int a = 0; a < 3; ++a) {
                    double d0 = (*Coordinate(&g[0][i], a) - *Coordinate(&g[1][i], a)) / (2.0 * step);
                    double d1 = (*Coordinate(&g[2][i], a) - *Coordinate(&g[3][i], a)) / step;
                    worst = fmax(worst, fabs((4.0 * d1 - d0) / 3.0 - h.m[a][b]));
                    worst = fmax(worst, fabs(h.m[a][b] - t.m[b][a]));
                    scale = fmax(scale, fabs(h.m[a][b]));
                }
            }
        }
    return worst / scale;
}

/// Smallest and largest xᵀHx / xᵀx over random x: a cheap look for negative curvature, refined by steps downhill.
static inline void CurvatureRange(BlockFn block, const void* self, const wfVec3D* x, int count, uint64_t* seed, double* least,
                                  double* most) {
    *least = INFINITY, *most = 0.0;
    for (int trial = 0; trial < 30; ++trial) {
        wfVec3D d[MostPoints], hd[MostPoints];
        for (int i = 0; i < count; ++i) d[i] = RandomVector(seed);
        for (int round = 0; round < 20; ++round) {
            double dd = 0.0, dhd = 0.0, bound = 0.0;
            for (int i = 0; i < count; ++i) {
                hd[i] = wfMake3D(0, 0, 0);
                for (int j = 0; j < count; ++j) {
                    wfMat3D h = block(self, x, i, j);
                    hd[i] = wfAddD(hd[i], wfMat3_ApplyD(&h, d[j]));
                    for (int a = 0; a < 3; ++a) bound = fmax(bound, fabs(h.m[a][a]));
                }
                dd += wfDotD(d[i], d[i]);
                dhd += wfDotD(d[i], hd[i]);
            }
            *least = fmin(*least, dhd / dd);
            *most = fmax(*most, dhd / dd);
            double length = 1.0 / sqrt(dd);
            for (int i = 0; i < count; ++i) d[i] = wfScaleD(wfMulAddD(d[i], -0.5 / fmax(bound, 1e-300), hd[i]), length);
        }
    }
}

/// |sum of gradients| and |sum of torques| against the sum of their lengths.
static inline double MomentumError(const wfVec3D* x, const wfVec3D* g, int count) {
    wfVec3D force = wfMake3D(0, 0, 0), torque = force;
    double scale = 1e-300, arm = 0.0;
    for (int i = 0; i < count; ++i) {
        force = wfAddD(force, g[i]);
        torque = wfAddD(torque, wfCrossD(x[i], g[i]));
        scale += wfLengthD(g[i]);
        arm = fmax(arm, wfLengthD(x[i]));
    }
    return fmax(wfLengthD(force) / scale, wfLengthD(torque) / (scale * arm));
}
