// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Drag and wind on a vertex.

#include "dynamics/dynamics.h"
#include "math/noise.h"

WF_FN bool wfHasAir(const wfForces* f) { return f->airDensity > 0.0f || f->airDrag > 0.0f; }

/// Velocity that the air gives a vertex of mass m and (reference) area in dt: pressure drag along the normal, half the density times the
/// square of the wind against it, and linear drag in every direction. Both are taken implicitly, so that light cloth in a strong wind does
/// not overshoot.
WF_FN wfVec3 wfAirVelocity(const wfForces* f, wfVec3 normal, float area, float mass, wfVec3 x, wfVec3 v, float dt, float time) {
    wfVec3 wind = wfGust(f->wind, f->windNoise, f->windSize, f->seed, x, time);
    wfVec3 u = wfSub(wind, v);
    normal = wfNormalizeOr(normal, wfMake3(0.0f, 0.0f, 0.0f));
    float un = wfDot(u, normal);
    float pressure = 0.5f * f->airDensity * fabsf(un) * area / mass * dt;
    float linear = f->airDrag * area / mass * dt;
    wfVec3 dv = wfScale(normal, un * pressure / (1.0f + pressure));
    return wfMulAdd(dv, linear / (1.0f + linear), wfSub(u, dv));
}
