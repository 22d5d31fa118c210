// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT

// The elastic gradient at every vertex of a tile. Read inside a tile kernel whose arguments have `view`, `x` and `count`; leaves the
// position in px, py, pz and the gradient in gx, gy, gz, a value a lane, and with WF_ENERGY a share of the energy in `energy`, without it
// the position's w in pw and, with elements, the largest square of a stretch along warp or weft in `most`, 1 at least, and twice the areas
// of the triangles about the vertex, as vectors in nx, ny, nz and as numbers in `spread`: what both differ by is how far it is from flat.
// WF_MODEL is the element model; without it there are no elements and the fan is empty.

    int first = tile * WF_TILE;
    WF_PRIVATE(float, px);
    WF_PRIVATE(float, py);
    WF_PRIVATE(float, pz);
#if !defined(WF_ENERGY)
    WF_PRIVATE(float, pw);
#endif
    WF_PRIVATE(float, qx); // a neighbour
    WF_PRIVATE(float, qy);
    WF_PRIVATE(float, qz);
    WF_PRIVATE(float, gx);
    WF_PRIVATE(float, gy);
    WF_PRIVATE(float, gz);
#if defined(WF_ENERGY)
    WF_PRIVATE(float, energy);
#endif
#if defined(WF_MODEL)
    WF_PRIVATE(float, lx); // the neighbour before, seen from the vertex
    WF_PRIVATE(float, ly);
    WF_PRIVATE(float, lz);
    WF_PRIVATE(float, uu);
    WF_PRIVATE(float, vv);
    WF_PRIVATE(float, uv);
    WF_PRIVATE(float, shear);
#if !defined(WF_ENERGY)
    WF_PRIVATE(float, most);
    WF_PRIVATE(float, nx);
    WF_PRIVATE(float, ny);
    WF_PRIVATE(float, nz);
    WF_PRIVATE(float, spread);
#endif
#endif
    WF_WARPS(w) {
        if (first + w * WF_WARP < a.count) {
            wfElasticSlice slice = a.view.slices[tile * (WF_TILE / WF_WARP) + w];
#if defined(WF_ENERGY)
            WF_WARP_GATHER3(px, py, pz, a.x, t, w, first + t < a.count ? first + t : a.count - 1);
#else
            WF_WARP_GATHER4(px, py, pz, pw, a.x, t, w, first + t < a.count ? first + t : a.count - 1);
#endif
            WF_WARP_LANES(t, w) {
                WF_MINE(gx, t) = 0.0f;
                WF_MINE(gy, t) = 0.0f;
                WF_MINE(gz, t) = 0.0f;
#if defined(WF_ENERGY)
                WF_MINE(energy, t) = 0.0f;
#elif defined(WF_MODEL)
                WF_MINE(most, t) = 1.0f;
                WF_MINE(nx, t) = WF_MINE(ny, t) = WF_MINE(nz, t) = WF_MINE(spread, t) = 0.0f;
#endif
            }
#if defined(WF_MODEL)
            if (slice.fanCount > 0) { // the first neighbour, with which no triangle ends
                int row = slice.fan - w * WF_WARP;
                int last = first + (w + 1) * WF_WARP < a.count ? first + (w + 1) * WF_WARP - 1 : a.count - 1;
                bool uniform = a.view.clothOf[first + w * WF_WARP] == a.view.clothOf[last];
                wfPlanar law = a.view.laws[a.view.clothOf[last]]; // the vertices of a cloth follow each other: mostly all are of this one
                WF_WARP_GATHER3(lx, ly, lz, a.x, t, w, a.view.next[row + t]);
                WF_WARP_LANES(t, w) {
                    float bend = a.view.bend[row + t];
                    wfVec3 q = wfMake3(WF_MINE(lx, t) - WF_MINE(px, t), WF_MINE(ly, t) - WF_MINE(py, t), WF_MINE(lz, t) - WF_MINE(pz, t));
                    WF_MINE(gx, t) = bend * q.x;
                    WF_MINE(gy, t) = bend * q.y;
                    WF_MINE(gz, t) = bend * q.z;
#if defined(WF_ENERGY)
                    WF_MINE(energy, t) = -0.25f * bend * wfDot(q, q);
#endif
                    WF_MINE(lx, t) = q.x;
                    WF_MINE(ly, t) = q.y;
                    WF_MINE(lz, t) = q.z;
                    WF_MINE(uu, t) = law.uu;
                    WF_MINE(vv, t) = law.vv;
                    WF_MINE(uv, t) = law.uv;
                    WF_MINE(shear, t) = law.shear;
                }
                if (!uniform) {
                    WF_WARP_LANES(t, w) {
                        wfPlanar own = a.view.laws[a.view.clothOf[first + t < a.count ? first + t : a.count - 1]];
                        WF_MINE(uu, t) = own.uu;
                        WF_MINE(vv, t) = own.vv;
                        WF_MINE(uv, t) = own.uv;
                        WF_MINE(shear, t) = own.shear;
                    }
                }
            }
            WF_UNROLL(3)
            for (int k = 1; k < slice.fanCount; ++k) {
                int row = slice.fan + k * WF_WARP - w * WF_WARP;
                WF_WARP_GATHER3(qx, qy, qz, a.x, t, w, a.view.next[row + t]);
                WF_WARP_LANES(t, w) {
                    wfVec3 p = wfMake3(WF_MINE(lx, t), WF_MINE(ly, t), WF_MINE(lz, t));
                    wfVec3 q = wfMake3(WF_MINE(qx, t) - WF_MINE(px, t), WF_MINE(qy, t) - WF_MINE(py, t), WF_MINE(qz, t) - WF_MINE(pz, t));
                    WF_MINE(lx, t) = q.x;
                    WF_MINE(ly, t) = q.y;
                    WF_MINE(lz, t) = q.z;
                    const float* shape = a.view.shape + 4 * (slice.fan + k * WF_WARP) - w * WF_WARP + t;
                    wfVec4 b;
                    b.x = shape[0];
                    b.y = shape[WF_WARP];
                    b.z = shape[2 * WF_WARP];
                    b.w = shape[3 * WF_WARP];
                    float bend = a.view.bend[row + t];
                    wfMat32 f;
                    f.u = wfMulAdd(wfScale(p, b.x), b.z, q);
                    f.v = wfMulAdd(wfScale(p, b.y), b.w, q);
                    float det = b.x * b.w - b.y * b.z, area = det != 0.0f ? 0.5f * wfInverseAbs(det) : 0.0f; // zero: no triangle
                    float bu = -area * (b.x + b.z), bv = -area * (b.y + b.w);
                    wfVec3 pull = wfLanes_Pull(WF_MODEL, WF_MINE(uu, t), WF_MINE(vv, t), WF_MINE(uv, t), WF_MINE(shear, t), f, bu, bv);
                    WF_MINE(gx, t) += pull.x + bend * q.x;
                    WF_MINE(gy, t) += pull.y + bend * q.y;
                    WF_MINE(gz, t) += pull.z + bend * q.z;
#if defined(WF_ENERGY)
                    float density = wfLanes_Density(WF_MODEL, WF_MINE(uu, t), WF_MINE(vv, t), WF_MINE(uv, t), WF_MINE(shear, t), f);
                    WF_MINE(energy, t) += 0.33333334f * area * density - 0.25f * bend * wfDot(q, q);
#else
                    float alongU = wfDot(f.u, f.u), alongV = wfDot(f.v, f.v), larger = alongU > alongV ? alongU : alongV;
                    WF_MINE(most, t) = larger > WF_MINE(most, t) ? larger : WF_MINE(most, t);
                    wfVec3 twice = wfScale(wfCross(p, q), det != 0.0f ? 1.0f : 0.0f);
                    WF_MINE(nx, t) += twice.x;
                    WF_MINE(ny, t) += twice.y;
                    WF_MINE(nz, t) += twice.z;
                    WF_MINE(spread, t) += sqrtf(wfDot(twice, twice));
#endif
                }
            }
#endif
            WF_UNROLL(3)
            for (int k = 0; k < slice.springCount; ++k) {
                int row = slice.spring + k * WF_WARP - w * WF_WARP;
                WF_WARP_GATHER3(qx, qy, qz, a.x, t, w, a.view.other[row + t]);
                WF_WARP_LANES(t, w) {
                    float stiffness = a.view.stiffness[row + t], rest = a.view.rest[row + t];
                    float dx = WF_MINE(qx, t) - WF_MINE(px, t), dy = WF_MINE(qy, t) - WF_MINE(py, t), dz = WF_MINE(qz, t) - WF_MINE(pz, t);
                    float square = dx * dx + dy * dy + dz * dz;
                    float inverse = wfInverseSqrt(square > 1e-30f ? square : 1e-30f);
                    float s = stiffness * (1.0f - rest * inverse);
                    WF_MINE(gx, t) -= s * dx;
                    WF_MINE(gy, t) -= s * dy;
                    WF_MINE(gz, t) -= s * dz;
#if defined(WF_ENERGY)
                    float over = square * inverse - rest; // half of it: the other end has the rest
                    WF_MINE(energy, t) += 0.25f * stiffness * over * over;
#endif
                }
            }
            WF_UNROLL(3)
            for (int k = 0; k < slice.rowCount; ++k) {
                int row = slice.row + k * WF_WARP - w * WF_WARP;
                WF_WARP_GATHER3(qx, qy, qz, a.x, t, w, a.view.column[row + t]);
                WF_WARP_LANES(t, w) {
                    float weight = a.view.weight[row + t];
                    float dx = WF_MINE(qx, t) - WF_MINE(px, t), dy = WF_MINE(qy, t) - WF_MINE(py, t), dz = WF_MINE(qz, t) - WF_MINE(pz, t);
                    WF_MINE(gx, t) += weight * dx;
                    WF_MINE(gy, t) += weight * dy;
                    WF_MINE(gz, t) += weight * dz;
#if defined(WF_ENERGY)
                    WF_MINE(energy, t) -= 0.25f * weight * (dx * dx + dy * dy + dz * dz);
#endif
                }
            }
            if (a.view.extra != 0) {
                WF_WARP_LANES(t, w) {
                    int i = first + t < a.count ? first + t : a.count - 1;
                    wfVec4 extra = a.view.extra[i];
                    WF_MINE(gx, t) += extra.x;
                    WF_MINE(gy, t) += extra.y;
                    WF_MINE(gz, t) += extra.z;
#if defined(WF_ENERGY)
                    WF_MINE(energy, t) += extra.w;
#endif
                }
            }
        }
    }
