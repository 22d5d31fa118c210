// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT

// The elastic gradient at every vertex of a tile. Read inside a tile kernel whose arguments have `view`, `x` and `count`; leaves the
// position in px, py, pz and the gradient in gx, gy, gz, a value a lane, and with WF_ENERGY a share of the energy in `energy`.
// WF_MODEL is the element model; without it there are no elements and the fan is empty.

    int first = tile * WF_TILE;
    WF_PRIVATE(float, px);
    WF_PRIVATE(float, py);
    WF_PRIVATE(float, pz);
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
#endif
    WF_WARPS(w) {
        if (first + w * WF_WARP < a.count) {
            wfElasticSlice slice = a.view.slices[tile * (WF_TILE / WF_WARP) + w];
            WF_WARP_LANES(t, w) {
                int i = first + t < a.count ? first + t : a.count - 1;
                WF_GATHER3(WF_MINE(px, t), WF_MINE(py, t), WF_MINE(pz, t), a.x, i);
                WF_MINE(gx, t) = 0.0f;
                WF_MINE(gy, t) = 0.0f;
                WF_MINE(gz, t) = 0.0f;
#if defined(WF_ENERGY)
                WF_MINE(energy, t) = 0.0f;
#endif
#if defined(WF_MODEL)
                WF_MINE(lx, t) = 0.0f;
                WF_MINE(ly, t) = 0.0f;
                WF_MINE(lz, t) = 0.0f;
                const float* laws = (const float*)a.view.laws; // as numbers: what a vector gather can read
                int cloth = 4 * a.view.clothOf[i];
                WF_MINE(uu, t) = laws[cloth];
                WF_MINE(vv, t) = laws[cloth + 1];
                WF_MINE(uv, t) = laws[cloth + 2];
                WF_MINE(shear, t) = laws[cloth + 3];
#endif
            }
#if defined(WF_MODEL)
            WF_UNROLL(4)
            for (int k = 0; k < slice.fanCount; ++k) {
                int row = slice.fan + k * WF_WARP - w * WF_WARP;
                WF_WARP_LANES(t, w) {
                    wfVec3 p = wfMake3(WF_MINE(lx, t), WF_MINE(ly, t), WF_MINE(lz, t)), q;
                    WF_GATHER3(q.x, q.y, q.z, a.x, a.view.next[row + t]);
                    q.x -= WF_MINE(px, t);
                    q.y -= WF_MINE(py, t);
                    q.z -= WF_MINE(pz, t);
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
                    wfMat32 stress = wfLanes_Stress(WF_MODEL, WF_MINE(uu, t), WF_MINE(vv, t), WF_MINE(uv, t), WF_MINE(shear, t), f);
                    float det = b.x * b.w - b.y * b.z;
                    float r = wfInverseSqrt(det * det + 1e-37f), area = 0.5f * (det * r) * (det * r) * r; // 1 / (2 |det|); zero: no triangle
                    float bu = -area * (b.x + b.z), bv = -area * (b.y + b.w);
                    WF_MINE(gx, t) += bu * stress.u.x + bv * stress.v.x + bend * q.x;
                    WF_MINE(gy, t) += bu * stress.u.y + bv * stress.v.y + bend * q.y;
                    WF_MINE(gz, t) += bu * stress.u.z + bv * stress.v.z + bend * q.z;
#if defined(WF_ENERGY)
                    float density = wfLanes_Density(WF_MODEL, WF_MINE(uu, t), WF_MINE(vv, t), WF_MINE(uv, t), WF_MINE(shear, t), f);
                    WF_MINE(energy, t) += 0.33333334f * area * density - 0.25f * bend * wfDot(q, q);
#endif
                }
            }
#endif
            WF_UNROLL(3)
            for (int k = 0; k < slice.springCount; ++k) {
                int row = slice.spring + k * WF_WARP - w * WF_WARP;
                WF_WARP_LANES(t, w) {
                    float stiffness = a.view.stiffness[row + t], rest = a.view.rest[row + t];
                    float qx, qy, qz;
                    WF_GATHER3(qx, qy, qz, a.x, a.view.other[row + t]);
                    float dx = qx - WF_MINE(px, t), dy = qy - WF_MINE(py, t), dz = qz - WF_MINE(pz, t);
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
                WF_WARP_LANES(t, w) {
                    float weight = a.view.weight[row + t];
                    float qx, qy, qz;
                    WF_GATHER3(qx, qy, qz, a.x, a.view.column[row + t]);
                    float dx = qx - WF_MINE(px, t), dy = qy - WF_MINE(py, t), dz = qz - WF_MINE(pz, t);
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
