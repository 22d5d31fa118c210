// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The broad phase: which triangles may touch, static or along a straight motion, within a mesh and between two. Leaves are patches of
// connected triangles; what is above them differs from type to type (see broad_inside.h), the pairs found do not: they are exactly those
// whose bounds overlap, each once.
//
//   wfBroad_Update(broad, &x, NULL, h);                        boxes about x, grown by h on every side
//   wfBroad_Update(broad, &x, &xEnd, 1e-6f);                   boxes about the motion from x to xEnd
//   if (!wfBroad_FindSelf(broad, &pairs, err)) return false;   pairs.count of them in pairs.pairs, on the device
//
// Two things at a distance d are found when the radii of their bounds add up to d. The order of a list is the same on every backend for
// equal bounds, for any number of threads and in every run.

#include "compute/device.h"
#include "mesh/topology.h"

typedef struct wfPair {
    int a, b;
} wfPair;

/// Pairs on the device. Grows to its high-water mark: a pass whose list is too small is redone, never cut.
typedef struct wfPairList {
    wfBuffer pairs; // wfPair
    int count;
} wfPairList;

wfPairList wfMakePairList(const char* name); // a literal
void wfPairList_Free(wfDevice* device, wfPairList* list);

/// How many pairs it can hold, as kernels count them.
int wfPairList_GetRoom(const wfPairList* list);

typedef struct wfBroadDef {
    const char* type; // "connectivity": built once, refitted; "morton": sorted anew by place in each update
    bool dop;         // bounds of triangles and patches are 18-DOPs, not boxes: fewer pairs, more bytes
} wfBroadDef;

typedef struct wfBroad wfBroad;

/// Reads the topology and keeps nothing of it. NULL with an error for an unknown type or no memory.
wfBroad* wfCreateBroad(wfDevice* device, const wfBroadDef* def, const wfTopology* topology, wfError* err);
void wfDestroyBroad(wfBroad* broad);

/// Fits the bounds: wfVec4 positions at the beginning and (may be NULL) at the end of the motion, as many as the mesh has vertices.
/// radius >= 0 [m]. Raises wf_faultNotFinite at the vertex where one is not finite. Does not wait.
void wfBroad_Update(wfBroad* broad, const wfBuffer* start, const wfBuffer* end, float radius);

/// Triangles of the mesh that share no vertex and whose bounds overlap: a < b, each pair once. Waits once, again after a list grew.
/// Fails where the device does, or where more pairs are found than can be counted.
bool wfBroad_FindSelf(wfBroad* broad, wfPairList* out, wfError* err);

/// Triangles a of this mesh and b of another one, on the same device and with the same `dop`, whose bounds overlap.
bool wfBroad_FindAgainst(wfBroad* broad, const wfBroad* other, wfPairList* out, wfError* err);
