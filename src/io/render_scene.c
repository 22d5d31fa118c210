// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/render_scene.h"

#include <float.h>
#include <string.h>

// Where faces of a body meet at more than this angle the edge is meant to be sharp (a box); cloth is smooth everywhere.
#define CREASE_COSINE 0.77f // 40 degrees

// Threads are drawn wider than real ones (0.3 mm), else no picture of a whole garment would ever show one.
#define THREADS_ACROSS 300.0f

static void OnEmbreeError(void* user, enum RTCError code, const char* text) {
    (void)code;
    (void)text;
    ((wfTraceScene*)user)->failed = true;
}

static bool CheckObjects(const wfRenderObject* objects, int count, wfError* err) {
    for (int o = 0; o < count; ++o) {
        const wfRenderObject* object = &objects[o];
        for (int v = 0; v < object->vertexCount; ++v) {
            wfVec3 p = object->positions[v];
            if (!wfIsFinite3(p))
                return wfFail(err, wf_badInput, "object \"%s\": vertex %d: expected a finite position, got (%g, %g, %g)", object->name, v,
                              (double)p.x, (double)p.y, (double)p.z);
        }
        for (int t = 0; t < object->triangleCount; ++t) {
            for (int k = 0; k < 3; ++k) {
                int v = object->triangles[t].v[k];
                if (v < 0 || v >= object->vertexCount)
                    return wfFail(err, wf_badInput, "object \"%s\": triangle %d uses vertex %d, there are %d", object->name, t, v,
                                  object->vertexCount);
            }
        }
    }
    return true;
}

// A normal a corner: the area-weighted mean of the faces around its vertex, without those beyond a crease.
static bool MakeNormals(const wfRenderObject* object, wfArena* arena, wfVec3* out, wfError* err) {
    int corners = 3 * object->triangleCount;
    int* first = wfArena_New(arena, int, object->vertexCount + 1, "corners of vertices", err);
    int* list = wfArena_New(arena, int, corners, "corners of vertices", err);
    wfVec3* faces = wfArena_New(arena, wfVec3, object->triangleCount, "face normals", err);
    if (first == NULL || list == NULL || faces == NULL) return false;
    for (int t = 0; t < object->triangleCount; ++t) {
        const int* v = object->triangles[t].v;
        wfVec3 a = object->positions[v[0]];
        faces[t] = wfCross(wfSub(object->positions[v[1]], a), wfSub(object->positions[v[2]], a));
        for (int k = 0; k < 3; ++k) first[v[k] + 1]++;
    }
    for (int v = 0; v < object->vertexCount; ++v) first[v + 1] += first[v];
    // Filled from the back, so that first[] ends up where each vertex begins, in the order of the triangles.
    for (int c = corners - 1; c >= 0; --c) list[--first[object->triangles[c / 3].v[c % 3] + 1]] = c / 3;
    for (int c = 0; c < corners; ++c) {
        int v = object->triangles[c / 3].v[c % 3];
        int end = v + 2 <= object->vertexCount ? first[v + 2] : corners;
        wfVec3 own = faces[c / 3], sum = {0, 0, 0};
        float ownLength = wfLength(own);
        for (int i = first[v + 1]; i < end; ++i) {
            wfVec3 other = faces[list[i]];
            if (object->cloth || wfDot(own, other) >= CREASE_COSINE * ownLength * wfLength(other)) sum = wfAdd(sum, other);
        }
        out[c] = wfNormalizeOr(sum, wfNormalizeOr(own, wfMake3(0, 1, 0)));
    }
    return true;
}

static bool AddGeometry(wfTraceScene* scene, int index, wfError* err) {
    const wfRenderObject* object = &scene->objects[index];
    RTCGeometry geometry = rtcNewGeometry(scene->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    if (geometry == NULL) return wfFail(err, wf_outOfMemory, "out of memory for the picture of \"%s\"", object->name);
    // Copied rather than shared: Embree reads 16 bytes at the last vertex, of which the caller's array has 12.
    float* vertices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, (size_t)object->vertexCount);
    unsigned* indices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, (size_t)object->triangleCount);
    bool ok = vertices != NULL && indices != NULL;
    if (ok) {
        memcpy(vertices, object->positions, 12 * (size_t)object->vertexCount);
        memcpy(indices, object->triangles, 12 * (size_t)object->triangleCount);
        rtcCommitGeometry(geometry);
        rtcAttachGeometryByID(scene->scene, geometry, (unsigned)index);
    }
    rtcReleaseGeometry(geometry);
    if (!ok) return wfFail(err, wf_outOfMemory, "out of memory for the picture of \"%s\"", object->name);
    return true;
}

static void FindBounds(wfTraceScene* scene) {
    wfVec3 lo = {FLT_MAX, FLT_MAX, FLT_MAX}, hi = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
    for (int o = 0; o < scene->objectCount; ++o) {
        const wfRenderObject* object = &scene->objects[o];
        wfVec3 restLo = {FLT_MAX, FLT_MAX, FLT_MAX}, restHi = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
        const wfVec3* rest = object->rest != NULL ? object->rest : object->positions;
        for (int v = 0; v < object->vertexCount; ++v) {
            lo = wfMin3(lo, object->positions[v]);
            hi = wfMax3(hi, object->positions[v]);
            restLo = wfMin3(restLo, rest[v]);
            restHi = wfMax3(restHi, rest[v]);
        }
        scene->threadSize[o] = object->vertexCount > 0 ? wfDistance(restLo, restHi) / THREADS_ACROSS : 0.0f;
    }
    if (lo.x > hi.x) lo = wfMake3(-0.5f, 0, -0.5f), hi = wfMake3(0.5f, 1, 0.5f);
    scene->lo = lo;
    scene->hi = hi;
    scene->center = wfLerp(lo, hi, 0.5f);
    scene->size = fmaxf(wfDistance(lo, hi), 1e-6f);
    // Above the rounding of positions, below the gaps between cloth and body.
    scene->epsilon = 2e-5f * scene->size + 2e-6f * wfLength(scene->center);
}

bool wfTraceScene_Build(wfTraceScene* scene, const wfRenderObject* objects, int count, const wfRenderDef* def, wfError* err) {
    *scene = (wfTraceScene){.objects = objects, .objectCount = count, .def = def};
    WF_TRY(CheckObjects(objects, count, err));
    // One thread: a picture's hierarchy is small, and one built by several could break ties between triangles differently.
    scene->device = rtcNewDevice("threads=1");
    if (scene->device == NULL) return wfFail(err, wf_deviceFailed, "Embree cannot start (error %d)", (int)rtcGetDeviceError(NULL));
    rtcSetDeviceErrorFunction(scene->device, OnEmbreeError, scene);
    scene->scene = rtcNewScene(scene->device);
    scene->normals = wfArena_New(&scene->arena, wfVec3*, count, "normals", err);
    scene->threadSize = wfArena_New(&scene->arena, float, count, "thread sizes", err);
    if (scene->scene == NULL) return wfFail(err, wf_outOfMemory, "out of memory for the picture");
    if (scene->normals == NULL || scene->threadSize == NULL) return false;
    rtcSetSceneFlags(scene->scene, RTC_SCENE_FLAG_ROBUST); // no light through the cracks between triangles
    FindBounds(scene);
    for (int o = 0; o < count; ++o) {
        if (objects[o].triangleCount == 0) continue;
        scene->normals[o] = wfArena_New(&scene->arena, wfVec3, 3 * (size_t)objects[o].triangleCount, "normals", err);
        if (scene->normals[o] == NULL) return false;
        wfArena scratch = {0};
        bool ok = MakeNormals(&objects[o], &scratch, scene->normals[o], err);
        wfArena_Free(&scratch);
        WF_TRY(ok && AddGeometry(scene, o, err));
    }
    rtcCommitScene(scene->scene);
    if (scene->failed) return wfFail(err, wf_outOfMemory, "Embree could not build the scene of the picture");
    return true;
}

void wfTraceScene_Free(wfTraceScene* scene) {
    if (scene->scene != NULL) rtcReleaseScene(scene->scene);
    if (scene->device != NULL) rtcReleaseDevice(scene->device);
    wfArena_Free(&scene->arena);
}

wfTraceHit wfTraceScene_Hit(const wfTraceScene* scene, wfVec3 origin, wfVec3 direction) {
    struct RTCRayHit ray = {0};
    ray.ray.org_x = origin.x, ray.ray.org_y = origin.y, ray.ray.org_z = origin.z;
    ray.ray.dir_x = direction.x, ray.ray.dir_y = direction.y, ray.ray.dir_z = direction.z;
    ray.ray.tfar = INFINITY;
    ray.ray.mask = ~0u;
    ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    wfEmbree_Intersect(scene->scene, &ray);
    wfTraceHit hit = {.object = -1};
    if (ray.hit.geomID == RTC_INVALID_GEOMETRY_ID) return hit;
    hit.object = (int)ray.hit.geomID;
    hit.triangle = (int)ray.hit.primID;
    hit.distance = ray.ray.tfar;
    hit.bary[0] = 1.0f - ray.hit.u - ray.hit.v;
    hit.bary[1] = ray.hit.u;
    hit.bary[2] = ray.hit.v;
    return hit;
}

static bool IsOccluded(const wfTraceScene* scene, wfVec3 origin, wfVec3 direction, float most) {
    struct RTCRay ray = {0};
    ray.org_x = origin.x, ray.org_y = origin.y, ray.org_z = origin.z;
    ray.dir_x = direction.x, ray.dir_y = direction.y, ray.dir_z = direction.z;
    ray.tfar = most;
    ray.mask = ~0u;
    wfEmbree_Occluded(scene->scene, &ray);
    return ray.tfar < 0.0f;
}

bool wfTraceScene_IsBlocked(const wfTraceScene* scene, wfVec3 origin, wfVec3 direction) {
    return IsOccluded(scene, origin, direction, INFINITY);
}

bool wfTraceScene_IsBetween(const wfTraceScene* scene, wfVec3 a, wfVec3 b) { return IsOccluded(scene, a, wfSub(b, a), 1.0f); }
