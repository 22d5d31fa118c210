// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// What the renderer traces rays against: the objects in an Embree scene, with a normal a corner, and the light that falls on them.

#include "io/embree.h"
#include "io/render.h"

typedef struct wfTraceScene {
    RTCDevice device;
    RTCScene scene;
    wfArena arena;
    const wfRenderObject* objects;
    int objectCount;
    const wfRenderDef* def;
    wfVec3** normals;  // per object: 3 corner normals a triangle
    float* threadSize; // per object: [m] width of a thread of its weave
    wfVec3 lo, hi;     // bounds of all objects; the unit box where there is none
    wfVec3 center;
    float size;    // diagonal of the bounds
    float epsilon; // offset of rays that leave a surface
    bool failed;   // set by Embree's error callback
} wfTraceScene;

typedef struct wfTraceHit {
    int object; // -1: nothing
    int triangle;
    float distance;
    float bary[3]; // weights of the corners
} wfTraceHit;

/// Checks the objects (indices in range, finite positions) and builds. Free with wfTraceScene_Free, also after a failure.
bool wfTraceScene_Build(wfTraceScene* scene, const wfRenderObject* objects, int count, const wfRenderDef* def, wfError* err);
void wfTraceScene_Free(wfTraceScene* scene);

wfTraceHit wfTraceScene_Hit(const wfTraceScene* scene, wfVec3 origin, wfVec3 direction);
bool wfTraceScene_IsBlocked(const wfTraceScene* scene, wfVec3 origin, wfVec3 direction);
/// Whether something is between two points.
bool wfTraceScene_IsBetween(const wfTraceScene* scene, wfVec3 a, wfVec3 b);
