// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Motion by keys, and meshes that change their shape with time. All on the host: a step needs two poses a moving thing.

#include "mesh/model.h"

/// Keys in increasing time with unit quaternions; no keys is the origin, unturned. The keys are the owner's.
typedef struct wfMotion {
    const wfKey* keys;
    int keyCount;
    wfInterpolation interpolation;
} wfMotion;

/// Where it is at `time`. Rests before the first key and after the last.
wfPose wfMotion_At(const wfMotion* motion, double time);

/// Checks keys as a caller gives them and copies them to `out` (keyCount elements): quaternions made unit, each in the half of its
/// neighbour before it, so that the way between them is the shorter one. `where` opens the message.
bool wfMotion_CopyKeys(const wfKey* keys, int keyCount, wfKey* out, const char* where, wfError* err);

/// First b, then a.
wfPose wfPose_Mul(wfPose a, wfPose b);
wfPose wfPose_Inverse(wfPose p);

/// A vertex of a mesh sequence (`frameCount` times `vertexCount` positions, played at `rate` from time 0) at `time`: linear between frames,
/// at rest outside.
wfVec3 wfSequence_At(const wfVec3* frames, int frameCount, int vertexCount, float rate, double time, int vertex);
