// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The signed distance field of a surface, in a narrow band, on the device: bricks of 8 x 8 x 8 values near the surface, a lattice of values
// at their corners everywhere else. Negative inside.
//
// Within `band` of the surface a value at a grid point is the exact distance to the nearest triangle, and between them it is interpolated
// from eight such values; farther away the sign is right, the value at least the band, and the gradient a rough direction. Outside of the
// grid the value goes on growing with the distance.
//
// Where a point is, is decided where it is clearest. Two grid points whose distances together exceed the distance between them have nothing
// of the surface between them, so they lie on one side; each group that hangs together this way asks for the winding number once, at its
// point farthest from the surface. So a triangle that is turned over, or parts that overlap, change no sign.
//
// The field lives in the frame of the surface: a rigid body is built once and its pose applied to the point (collide/body.h); a body that
// deforms is built again from its moved surface. Building waits for the device four times and allocates only when it
// grows.
//
// Near points: the lattice ends where they may get to, only those of its cells that they may get to have bricks, and far outside they only
// say that it is far. A field for cloth with edges of a few millimetres would otherwise hold all of a body for the little of it that the
// cloth is near to.

#include "collide/surface.h"

enum { wf_sdfSide = 8, wf_sdfCells = wf_sdfSide - 1, wf_sdfBrick = wf_sdfSide * wf_sdfSide * wf_sdfSide };

enum { wf_sdfNone = -1, wf_sdfNotAsked = -2 };

/// What kernels sample.
typedef struct wfSdfField {
    const int* brickOf;   // per cell of the lattice, x fastest; or wf_sdfNone: far from the surface, or wf_sdfNotAsked
    const float* bricks;  // wf_sdfBrick values each, x fastest; neighbours share the values of their common face
    const float* corners; // (nx + 1)(ny + 1)(nz + 1) values
    wfVec3 origin;        // of a lattice about all of the body
    float cell;           // [m] between the values of a brick; a cell of the lattice is wf_sdfCells of them
    float reach;          // [m] values in bricks are cut off here, a little beyond the band
    int lx, ly, lz;       // from which cell on the lattice is held
    int nx, ny, nz;       // cells of it that are
    int mx, my, mz;       // cells of all of it
} wfSdfField;

typedef struct wfSdf {
    wfDevice* device;
    float cell, band; // [m]
    wfSdfField field; // of the last build
    int brickCount;
    wfBuffer brickOf, corners;            // per cell and corner of the lattice
    wfBuffer asked, leafCount, leafStart; // per cell that may have a brick: which one, leaves within its reach
    wfBuffer found;                       // the first of these
    wfBuffer askedOf, cellOf;             // per brick: which of these it is, its cell
    wfBuffer leaves, bricks, numbers, span, status, scratch;
    char name[64];
} wfSdf;

/// Where a field is asked: about ways from `from` to `to` (wfVec4, on the device) in the world, the body in either pose.
typedef struct wfSdfWhere {
    const wfVec4 *from, *to;
    int count;
    wfPose poses[2];
    float margin; // [m]
    bool brief;   // the field is built anew soon: speed is worth 128 bytes a cell that is asked
} wfSdfWhere;

/// cell > 0, band >= cell.
void wfSdf_Create(wfSdf* sdf, wfDevice* device, float cell, float band);
void wfSdf_Free(wfSdf* sdf);

/// Builds the field of the surface as it lies now. Fails where a vertex is not finite or the cell is too small for the size of the body.
bool wfSdf_Build(wfSdf* sdf, const wfSurface* surface, wfError* err);

/// The same, where it is asked alone; NULL: everywhere. Waits once more. Elsewhere values are those of far away, and may have the wrong
/// side; far outside all are the same, and have no direction.
bool wfSdf_BuildNear(wfSdf* sdf, const wfSurface* surface, const wfSdfWhere* where, wfError* err);

/// Waits; whether the last build has all that is asked, by looks at the middle and the corners of the boxes about the ways.
bool wfSdf_Covers(wfSdf* sdf, const wfSdfWhere* where);

/// Waits; fails, naming the place, where the last build could not tell inside from outside.
bool wfSdf_Check(const wfSdf* sdf, wfError* err);

/// Distances and gradients at many points: wfVec4 in, wfVec4 (gradient, distance) out, device buffers; out is reserved. Does not wait.
void wfSdf_Sample(const wfSdf* sdf, const wfBuffer* points, wfBuffer* out);

/// Whether the field has what it can have about p, in its frame.
WF_FN bool wfSdf_Knows(const wfSdfField* f, wfVec3 p) {
    wfVec3 q = wfScale(wfSub(p, f->origin), 1.0f / (f->cell * (float)wf_sdfCells));
    if (!(q.x >= 0.0f && q.y >= 0.0f && q.z >= 0.0f && q.x < (float)f->mx && q.y < (float)f->my && q.z < (float)f->mz)) return true;
    int x = (int)q.x - f->lx, y = (int)q.y - f->ly, z = (int)q.z - f->lz;
    if (x < 0 || y < 0 || z < 0 || x >= f->nx || y >= f->ny || z >= f->nz) return false;
    return f->brickOf[(z * f->ny + y) * f->nx + x] != wf_sdfNotAsked;
}

WF_FN float wfSdf_Lerp(float a, float b, float t) { return a + t * (b - a); }

/// Trilinear in the eight values v, x fastest; the gradient is by (u, v, w) in [0, 1].
WF_FN float wfSdf_Interpolate(const float v[8], wfVec3 u, wfVec3* gradient) {
    float x00 = wfSdf_Lerp(v[0], v[1], u.x), x10 = wfSdf_Lerp(v[2], v[3], u.x), x01 = wfSdf_Lerp(v[4], v[5], u.x),
          x11 = wfSdf_Lerp(v[6], v[7], u.x);
    float y0 = wfSdf_Lerp(x00, x10, u.y), y1 = wfSdf_Lerp(x01, x11, u.y);
    float dx0 = wfSdf_Lerp(v[1] - v[0], v[3] - v[2], u.y), dx1 = wfSdf_Lerp(v[5] - v[4], v[7] - v[6], u.y);
    *gradient = wfMake3(wfSdf_Lerp(dx0, dx1, u.z), wfSdf_Lerp(x10 - x00, x11 - x01, u.z), y1 - y0);
    return wfSdf_Lerp(y0, y1, u.z);
}

/// Signed distance of p, in the frame of the field, and its gradient.
WF_FN float wfSdf_Distance(const wfSdfField* f, wfVec3 p, wfVec3* gradient) {
    float step = f->cell * (float)wf_sdfCells, inverse = 1.0f / step;
    wfVec3 q = wfScale(wfSub(p, f->origin), inverse);
    wfVec3 c = wfMake3(wfClamp(q.x, (float)f->lx, (float)(f->lx + f->nx)), wfClamp(q.y, (float)f->ly, (float)(f->ly + f->ny)),
                       wfClamp(q.z, (float)f->lz, (float)(f->lz + f->nz)));
    int x = (int)c.x - f->lx, y = (int)c.y - f->ly, z = (int)c.z - f->lz;
    x = x < f->nx ? x : f->nx - 1;
    y = y < f->ny ? y : f->ny - 1;
    z = z < f->nz ? z : f->nz - 1;
    wfVec3 u = wfSub(c, wfMake3((float)(f->lx + x), (float)(f->ly + y), (float)(f->lz + z)));
    int brick = f->brickOf[(z * f->ny + y) * f->nx + x];
    float v[8], distance = 0.0f;
    bool flat = brick < 0;
    if (!flat) {
        wfVec3 g = wfScale(u, (float)wf_sdfCells);
        int i = (int)g.x, j = (int)g.y, k = (int)g.z, last = wf_sdfCells - 1;
        i = i < last ? i : last;
        j = j < last ? j : last;
        k = k < last ? k : last;
        const float* at = f->bricks + (size_t)brick * wf_sdfBrick + (k * wf_sdfSide + j) * wf_sdfSide + i;
        for (int n = 0; n < 8; ++n) v[n] = at[(n & 1) + (n >> 1 & 1) * wf_sdfSide + (n >> 2) * wf_sdfSide * wf_sdfSide];
        distance = wfSdf_Interpolate(v, wfSub(g, wfMake3((float)i, (float)j, (float)k)), gradient);
        *gradient = wfScale(*gradient, 1.0f / f->cell);
        // Where values are cut off the point is beyond the band: the bricks know the side, the lattice the direction.
        for (int n = 0; n < 8; ++n) flat = flat || fabsf(v[n]) >= f->reach;
    }
    if (flat) {
        int row = f->nx + 1, layer = row * (f->ny + 1);
        const float* at = f->corners + (z * layer + y * row + x);
        for (int n = 0; n < 8; ++n) v[n] = at[(n & 1) + (n >> 1 & 1) * row + (n >> 2) * layer];
        float coarse = wfSdf_Interpolate(v, u, gradient);
        *gradient = wfScale(*gradient, inverse);
        if (brick < 0) distance = coarse;
    }
    wfVec3 out = wfSub(p, wfMulAdd(f->origin, step, c)); // from the grid to the point: zero inside, but for rounding
    if (q.x == c.x && q.y == c.y && q.z == c.z) return distance;
    float beyond = wfLength(out);
    wfVec3 away = wfScale(out, beyond > 0.0f ? 1.0f / beyond : 0.0f);
    *gradient = wfAdd(wfMulAdd(*gradient, -wfDot(*gradient, away), away), away);
    return distance + beyond;
}
