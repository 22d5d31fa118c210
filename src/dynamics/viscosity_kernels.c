// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/viscosity_kernels.h"

#include "compute/kernel.h"
#include "dynamics/turn.h"

WF_KERNEL(RigidCenter, a, k)
{
    wfVec4 x = a.x[a.first + k];
    wfVec3 r = wfSub(wfXyz(x), wfXyz(a.x[a.first]));
    a.parts[k] = x.w * r.x;
    a.parts[a.stride + k] = x.w * r.y;
    a.parts[2 * a.stride + k] = x.w * r.z;
}

WF_FN wfVec3 Center(const wfVec4* x, int first, float mass, const wfRigid* rigid) {
    wfVec3 offset = wfMake3(rigid->offset[0], rigid->offset[1], rigid->offset[2]);
    return wfMulAdd(wfXyz(x[first]), 1.0f / mass, offset);
}

WF_KERNEL(RigidMoments, a, k)
{
    wfVec4 x = a.x[a.first + k];
    float m = x.w;
    wfVec3 r = wfSub(wfXyz(x), Center(a.x, a.first, a.mass, a.rigid)), u = wfXyz(a.u[a.first + k]), l = wfCross(r, u);
    float* p = a.parts + k;
    p[0] = m * (r.y * r.y + r.z * r.z);
    p[a.stride] = m * (r.z * r.z + r.x * r.x);
    p[2 * a.stride] = m * (r.x * r.x + r.y * r.y);
    p[3 * a.stride] = -m * r.x * r.y;
    p[4 * a.stride] = -m * r.y * r.z;
    p[5 * a.stride] = -m * r.z * r.x;
    p[6 * a.stride] = m * u.x;
    p[7 * a.stride] = m * u.y;
    p[8 * a.stride] = m * u.z;
    p[9 * a.stride] = m * l.x;
    p[10 * a.stride] = m * l.y;
    p[11 * a.stride] = m * l.z;
}

WF_KERNEL(RigidSolve, a, i)
{
    wfRigid* rigid = a.rigid + i;
    const float* s = rigid->sums;
    rigid->center = Center(a.x, a.first, a.mass, rigid);
    rigid->linear = wfScale(wfMake3(s[6], s[7], s[8]), 1.0f / a.mass);
    rigid->angular = wfSolveTurn(s[0], s[1], s[2], s[3], s[4], s[5], s[9], s[10], s[11]);
}

WF_FN wfVec3 RigidAt(const wfRigid* rigid, wfVec3 x) { return wfAdd(rigid->linear, wfCross(rigid->angular, wfSub(x, rigid->center))); }

WF_KERNEL(ViscosityStart, a, k)
{
    int i = a.first + k;
    wfVec3 w = wfSub(wfXyz(a.v[i]), RigidAt(a.rigid, wfXyz(a.x[i])));
    a.out[i] = a.before[i] = wfMake4(w, 0.0f);
}

WF_KERNEL(ViscosityStage, a, k)
{
    int i = a.first + k;
    if (a.target[i].w < 0.0f) return; // both stages have what it has
    wfVec3 w = wfXyz(a.now[i]), pull = wfMake3(0.0f, 0.0f, 0.0f);
    for (int e = a.start[i]; e < a.start[i + 1]; ++e) pull = wfMulAdd(pull, a.weight[e], wfSub(wfXyz(a.now[a.other[e]]), w));
    wfVec3 next = wfMulAdd(wfScale(w, a.mu), a.nu, wfXyz(a.out[i]));
    a.out[i] = wfMake4(wfMulAdd(next, a.tilde / a.x[i].w, pull), 0.0f);
}

WF_KERNEL(ViscosityChange, a, k)
{
    int i = a.first + k;
    wfVec3 w = wfSub(wfXyz(a.v[i]), RigidAt(a.rigid, wfXyz(a.x[i])));
    a.now[i] = wfMake4(wfSub(wfXyz(a.now[i]), w), 0.0f);
}

WF_KERNEL(ViscosityEnd, a, k)
{
    int i = a.first + k;
    if (a.target[i].w < 0.0f) return;
    wfVec4 v = a.v[i];
    wfVec3 change = wfSub(wfXyz(a.change[i]), RigidAt(a.rigid, wfXyz(a.x[i])));
    a.v[i] = wfMake4(wfAdd(wfXyz(v), change), v.w);
}
