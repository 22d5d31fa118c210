// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT

// The body of a descent kernel: one Jacobi-preconditioned step down the energy, then the Chebyshev combination with the iterate before. Or
// the residual and that step, for a preconditioner that takes more than a vertex to know.

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
    WF_PRIVATE(float, ox); // its own step
    WF_PRIVATE(float, oy);
    WF_PRIVATE(float, oz);
    WF_PRIVATE(float, bx); // the iterate before
    WF_PRIVATE(float, by);
    WF_PRIVATE(float, bz);
    WF_WARPS(w) {
        if (first + w * WF_WARP < a.count) {
            WF_WARP_GATHER4(tx, ty, tz, tw, a.target, t, w, first + t < a.count ? first + t : a.count - 1);
            WF_WARP_GATHER3(bx, by, bz, a.out, t, w, first + t < a.count ? first + t : a.count - 1);
            WF_WARP_LANES(t, w) {
                float weight = WF_MINE(tw, t), bound = a.bound[first + t], growth = 1.0f, across = bound;
                wfVec3 normal = wfMake3(0.0f, 0.0f, 0.0f);
#if defined(WF_MODEL)
                growth = wfLanes_Growth(WF_MODEL, WF_MINE(uu, t), WF_MINE(vv, t), WF_MINE(uv, t), WF_MINE(shear, t), WF_MINE(most, t));
                // Triangles that lean by an angle a about a vertex resist there with sin² a, of 1 / 2 on the mean along the cloth;
                // threads that are stretched pull across themselves by what their length is more than at rest.
                normal = wfMake3(WF_MINE(nx, t), WF_MINE(ny, t), WF_MINE(nz, t));
                float all = WF_MINE(spread, t), flat = wfDot(normal, normal) / (all * all + 1e-30f);
                float part = wf_descentAcross + 2.0f * (1.0f - flat) + 2.0f * (1.0f - wfInverseSqrt(WF_MINE(most, t)));
                if (a.across != 0) across = a.across[first + t] + (part < 1.0f ? part : 1.0f) * (bound - a.across[first + t]);
#endif
                bool held = weight < 0.0f, touched = a.touched != 0 && first + t < a.count && a.touched[first + t] != 0;
                float inverse = held ? 0.0f : 1.0f / (weight + scale * growth * bound);
                float easier = held ? 0.0f : 1.0f / (weight + scale * growth * across) - inverse; // of what is across
                float inertia = a.inertia[first + t < a.count ? first + t : a.count - 1].w;
                float grown = inertia + wf_descentTermShare * (weight - inertia) + scale * (growth - 1.0f) * bound;
                float x = WF_MINE(px, t), y = WF_MINE(py, t), z = WF_MINE(pz, t);
                float rx = held ? 0.0f : -(WF_MINE(gx, t) + weight * (x - WF_MINE(tx, t)));
                float ry = held ? 0.0f : -(WF_MINE(gy, t) + weight * (y - WF_MINE(ty, t)));
                float rz = held ? 0.0f : -(WF_MINE(gz, t) + weight * (z - WF_MINE(tz, t)));
                float lift = (rx * normal.x + ry * normal.y + rz * normal.z) / (wfDot(normal, normal) + 1e-30f) * easier;
                WF_MINE(ox, t) = inverse * rx + lift * normal.x;
                WF_MINE(oy, t) = inverse * ry + lift * normal.y;
                WF_MINE(oz, t) = inverse * rz + lift * normal.z;
                float hx = x + WF_MINE(ox, t), hy = y + WF_MINE(oy, t), hz = z + WF_MINE(oz, t);
                WF_MINE(px, t) = shared ? rx : held || plain ? hx : hx + more * (hx - WF_MINE(bx, t));
                WF_MINE(py, t) = shared ? ry : held || plain ? hy : hy + more * (hy - WF_MINE(by, t));
                WF_MINE(pz, t) = shared ? rz : held || plain ? hz : hz + more * (hz - WF_MINE(bz, t));
                WF_MINE(pw, t) = !shared ? WF_MINE(pw, t) : held ? -INFINITY : touched ? -grown : grown;
            }
            WF_WARP_STORE4(shared ? a.residual : a.out, px, py, pz, pw, w, first, a.count);
            if (shared) { WF_WARP_STORE4(a.own, ox, oy, oz, pw, w, first, a.count); }
        }
    }
