// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT

// The body of a descent kernel: one Jacobi-preconditioned step down the energy, then the Chebyshev combination with the iterate before. Or the
// residual alone, for a preconditioner that takes more than a vertex to know.

#include "elastic/gather.inl"
    float scale = a.control->scale;
    int since = a.control->since + a.index;
    float more = since < 0 ? 0.0f : a.omegas[since < a.omegaCount ? since : a.omegaCount - 1] - 1.0f;
    bool shared = a.residual != 0;
    bool plain = !(more > 0.0f); // nothing of the iterate before, which may not even be a number
    if (a.sewn.start != 0) {
        WF_LANES(t, WF_TILE) {
            if (first + t < a.count) {
                wfVec3 sewn = wfSewn_Gradient(&a.sewn, a.x, first + t);
                WF_MINE(gx, t) += sewn.x;
                WF_MINE(gy, t) += sewn.y;
                WF_MINE(gz, t) += sewn.z;
            }
        }
    }
    WF_PRIVATE(float, tx);
    WF_PRIVATE(float, ty);
    WF_PRIVATE(float, tz);
    WF_PRIVATE(float, tw);
    WF_PRIVATE(float, bx); // the iterate before
    WF_PRIVATE(float, by);
    WF_PRIVATE(float, bz);
    WF_WARPS(w) {
        if (first + w * WF_WARP < a.count) {
            WF_WARP_GATHER4(tx, ty, tz, tw, a.target, t, w, first + t < a.count ? first + t : a.count - 1);
            WF_WARP_GATHER3(bx, by, bz, a.out, t, w, first + t < a.count ? first + t : a.count - 1);
            WF_WARP_LANES(t, w) {
                float weight = WF_MINE(tw, t), bound = a.bound[first + t], growth = 1.0f;
#if defined(WF_MODEL)
                growth = wfLanes_Growth(WF_MODEL, WF_MINE(uu, t), WF_MINE(vv, t), WF_MINE(uv, t), WF_MINE(shear, t), WF_MINE(most, t));
#endif
                bool held = weight < 0.0f, touched = a.touched != 0 && first + t < a.count && a.touched[first + t] != 0;
                float inverse = held ? 0.0f : 1.0f / (weight + scale * growth * bound), grown = weight + scale * (growth - 1.0f) * bound;
                float x = WF_MINE(px, t), y = WF_MINE(py, t), z = WF_MINE(pz, t);
                float rx = held ? 0.0f : -(WF_MINE(gx, t) + weight * (x - WF_MINE(tx, t)));
                float ry = held ? 0.0f : -(WF_MINE(gy, t) + weight * (y - WF_MINE(ty, t)));
                float rz = held ? 0.0f : -(WF_MINE(gz, t) + weight * (z - WF_MINE(tz, t)));
                float hx = x + inverse * rx, hy = y + inverse * ry, hz = z + inverse * rz;
                WF_MINE(px, t) = shared ? rx : held || plain ? hx : hx + more * (hx - WF_MINE(bx, t));
                WF_MINE(py, t) = shared ? ry : held || plain ? hy : hy + more * (hy - WF_MINE(by, t));
                WF_MINE(pz, t) = shared ? rz : held || plain ? hz : hz + more * (hz - WF_MINE(bz, t));
                WF_MINE(pw, t) = !shared ? WF_MINE(pw, t) : held ? -INFINITY : touched ? -grown : grown;
            }
            WF_WARP_STORE4(shared ? a.residual : a.out, px, py, pz, pw, w, first, a.count);
        }
    }
