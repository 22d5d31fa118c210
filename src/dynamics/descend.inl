// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT

// The body of a descent kernel: one Jacobi-preconditioned step down the energy, then the Chebyshev combination with the iterate before.

#include "elastic/gather.inl"
    float scale = a.control->scale;
    int since = a.control->since + a.index;
    float more = since < 0 ? 0.0f : a.omegas[since < a.omegaCount ? since : a.omegaCount - 1] - 1.0f;
    bool plain = !(more > 0.0f); // nothing of the iterate before, which may not even be a number
    WF_LANES(t, WF_TILE) {
        int i = first + t;
        if (i < a.count) {
            wfVec4 target = a.target[i], before = a.out[i], now = a.x[i];
            float weight = target.w;
            bool held = weight < 0.0f;
            float inverse = held ? 0.0f : 1.0f / (weight + scale * a.bound[i]);
            float hx = now.x - inverse * (WF_MINE(gx, t) + weight * (now.x - target.x));
            float hy = now.y - inverse * (WF_MINE(gy, t) + weight * (now.y - target.y));
            float hz = now.z - inverse * (WF_MINE(gz, t) + weight * (now.z - target.z));
            now.x = held ? now.x : plain ? hx : hx + more * (hx - before.x);
            now.y = held ? now.y : plain ? hy : hy + more * (hy - before.y);
            now.z = held ? now.z : plain ? hz : hz + more * (hz - before.z);
            a.out[i] = now;
        }
    }
