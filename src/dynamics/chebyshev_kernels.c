// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/chebyshev_kernels.h"

#include "compute/kernel.h"
#include "math/noise.h"

/// Velocity that the air gives a vertex in dt. Both drags are taken implicitly, so that light cloth in a strong wind does not overshoot.
WF_FN wfVec3 AirVelocity(const ChebyshevPredictArgs* a, int i, wfVec3 x, wfVec3 v, float mass) {
    const wfForces* f = &a->forces;
    wfVec3 wind = wfGust(f->wind, f->windNoise, f->windSize, f->seed, x, a->time);
    wfVec3 u = wfSub(wind, v);
    wfVec3 normal = wfMake3(0.0f, 0.0f, 0.0f);
    for (int k = a->fanStart[i]; k < a->fanStart[i + 1]; ++k) {
        wfVec3 p = wfSub(wfXyz(a->xStart[a->fan[2 * k]]), x), q = wfSub(wfXyz(a->xStart[a->fan[2 * k + 1]]), x);
        normal = wfAdd(normal, wfCross(p, q));
    }
    normal = wfNormalizeOr(normal, wfMake3(0.0f, 0.0f, 0.0f));
    float un = wfDot(u, normal);
    float pressure = 0.5f * f->airDensity * fabsf(un) * a->area[i] / mass * a->dt;
    float linear = f->airDrag * a->area[i] / mass * a->dt;
    wfVec3 dv = wfScale(normal, un * pressure / (1.0f + pressure));
    return wfMulAdd(dv, linear / (1.0f + linear), wfSub(u, dv));
}

// xStart is copied before this runs, so that the fan can be read there while x is written.
WF_KERNEL(ChebyshevPredict, a, i)
{
    wfVec4 x4 = a.xStart[i];
    wfVec4 target = a.target[i];
    if (target.w < 0.0f) { // held: the scene has said where
        a.x[i] = wfMake4(wfXyz(target), x4.w);
        return;
    }
    wfVec3 x = wfXyz(x4);
    wfVec3 v = wfXyz(a.v[i]);
    if (!wfIsFinite3(x) || !wfIsFinite3(v)) wfRaise(a.fault, wf_faultNotFinite, i);
    if (a.forces.airDensity > 0.0f || a.forces.airDrag > 0.0f) v = wfAdd(v, AirVelocity(&a, i, x, v, x4.w));
    wfVec3 moved = wfMulAdd(x, a.dt, v);
    a.target[i] = wfMake4(wfMulAdd(moved, a.dt * a.dt, a.forces.gravity), x4.w / (a.dt * a.dt));
    // Start where the vertex would be if it went on to fall as fast as it did in the last step: right in free flight, where descent
    // alone would never catch up, and right at rest, where starting from free flight would sag (Chen et al. 2024, section 3.7).
    float g = wfLength(a.forces.gravity);
    float share = g > 0.0f ? wfClamp(a.v[i].w / g, 0.0f, 1.0f) : 0.0f;
    a.x[i] = wfMake4(wfMulAdd(moved, share * a.dt * a.dt, a.forces.gravity), x4.w);
}

/// One iteration: a Jacobi-preconditioned descent step on the energy of implicit Euler, then the Chebyshev combination with the iterate
/// before (Wang and Yang 2016). The preconditioner of a spring is its whole stiffness, which bounds its Hessian from above.
WF_TILE_KERNEL(ChebyshevIterate, a, tile)
{
    WF_PRIVATE(float, px);
    WF_PRIVATE(float, py);
    WF_PRIVATE(float, pz);
    WF_PRIVATE(float, fx);
    WF_PRIVATE(float, fy);
    WF_PRIVATE(float, fz);
    WF_PRIVATE(float, diagonal);
    WF_WARPS(w) {
        int first = tile * WF_TILE;
        if (first + w * WF_WARP < a.count) {
            wfSpringSlice slice = a.springs.slices[tile * (WF_TILE / WF_WARP) + w];
            WF_WARP_LANES(t, w) {
                int i = first + t < a.count ? first + t : a.count - 1;
                WF_GATHER3(WF_MINE(px, t), WF_MINE(py, t), WF_MINE(pz, t), a.x, i);
                WF_MINE(fx, t) = 0.0f;
                WF_MINE(fy, t) = 0.0f;
                WF_MINE(fz, t) = 0.0f;
                WF_MINE(diagonal, t) = 0.0f;
            }
            WF_UNROLL(3)
            for (int k = 0; k < slice.count; ++k) {
                int row = slice.start + k * WF_WARP - w * WF_WARP;
                WF_WARP_LANES(t, w) {
                    float stiffness = a.springs.stiffness[row + t], rest = a.springs.rest[row + t];
                    float qx, qy, qz;
                    WF_GATHER3(qx, qy, qz, a.x, a.springs.other[row + t]);
                    float dx = qx - WF_MINE(px, t), dy = qy - WF_MINE(py, t), dz = qz - WF_MINE(pz, t);
                    float square = dx * dx + dy * dy + dz * dz;
                    float s = stiffness * (1.0f - rest * wfInverseSqrt(square > 1e-30f ? square : 1e-30f));
                    WF_MINE(fx, t) += s * dx;
                    WF_MINE(fy, t) += s * dy;
                    WF_MINE(fz, t) += s * dz;
                    WF_MINE(diagonal, t) += stiffness;
                }
            }
            WF_WARP_LANES(t, w) {
                int i = first + t;
                if (i < a.count) {
                    wfVec4 target = a.target[i], before = a.out[i], now = a.x[i];
                    float weight = target.w;
                    float inverse = weight >= 0.0f ? 1.0f / (weight + WF_MINE(diagonal, t)) : 0.0f;
                    float hx = now.x + inverse * (WF_MINE(fx, t) + weight * (target.x - now.x));
                    float hy = now.y + inverse * (WF_MINE(fy, t) + weight * (target.y - now.y));
                    float hz = now.z + inverse * (WF_MINE(fz, t) + weight * (target.z - now.z));
                    bool held = weight < 0.0f;
                    now.x = held ? now.x : before.x + a.omega * (hx - before.x);
                    now.y = held ? now.y : before.y + a.omega * (hy - before.y);
                    now.z = held ? now.z : before.z + a.omega * (hz - before.z);
                    a.out[i] = now;
                }
            }
        }
    }
}

WF_KERNEL(ChebyshevEnd, a, i)
{
    float keep = a.keep[a.clothOf[i]] / a.dt;
    wfVec3 v = wfScale(wfSub(wfXyz(a.x[i]), wfXyz(a.xStart[i])), keep);
    float fall = wfDot(wfSub(v, wfXyz(a.v[i])), a.down) / a.dt; // for the start of the next step
    a.v[i] = wfMake4(v, fall);
}

WF_KERNEL(SpringMeasure, a, i)
{
    wfSpringSlice slice = a.springs.slices[i / WF_WARP];
    wfVec3 x = wfXyz(a.x[i]);
    float energy = 0.0f, stretch = 0.0f;
    for (int k = 0; k < slice.count; ++k) {
        int at = slice.start + k * WF_WARP + i % WF_WARP;
        float rest = a.springs.rest[at];
        float length = wfDistance(wfXyz(a.x[a.springs.other[at]]), x);
        energy += 0.25f * a.springs.stiffness[at] * (length - rest) * (length - rest); // half of it: the other end has the rest
        if (k < slice.alongCount && rest > 0.0f) stretch = fmaxf(stretch, length / rest);
    }
    a.energy[i] = energy;
    a.stretch[i] = stretch;
}
