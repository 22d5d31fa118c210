// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "io/render_heat.h"

#include "io/render_scene.h"

void wfHeat_Stretch(const wfTriangle* triangles, int triangleCount, const wfVec3* positions, const wfVec3* rest, int vertexCount,
                    float* out) {
    for (int v = 0; v < vertexCount; ++v) out[v] = -1.0f;
    for (int t = 0; t < triangleCount; ++t) {
        for (int k = 0; k < 3; ++k) {
            int a = triangles[t].v[k], b = triangles[t].v[(k + 1) % 3];
            float length = wfDistance(rest[a], rest[b]);
            if (!(length > 0.0f)) continue;
            float ratio = wfDistance(positions[a], positions[b]) / length;
            out[a] = fmaxf(out[a], ratio);
            out[b] = fmaxf(out[b], ratio);
        }
    }
    for (int v = 0; v < vertexCount; ++v)
        if (out[v] < 0.0f) out[v] = 1.0f;
}

void wfHeat_Speed(const wfVec3* before, const wfVec3* after, int vertexCount, double seconds, float* out) {
    for (int v = 0; v < vertexCount; ++v) out[v] = wfDistance(before[v], after[v]) / (float)seconds;
}

// Nearest point of a triangle: inside by the plane, else on the nearest edge.
static float TriangleDistance(wfVec3 p, wfVec3 a, wfVec3 b, wfVec3 c) {
    wfVec3 corners[3] = {a, b, c};
    wfVec3 n = wfCross(wfSub(b, a), wfSub(c, a));
    float area = wfLengthSq(n);
    bool inside = area > 0.0f;
    float best = INFINITY;
    for (int k = 0; k < 3; ++k) {
        wfVec3 from = corners[k], e = wfSub(corners[(k + 1) % 3], from), d = wfSub(p, from);
        if (inside && wfDot(wfCross(e, d), n) < 0.0f) inside = false;
        float length = wfLengthSq(e), t = length > 0.0f ? wfClamp(wfDot(d, e) / length, 0.0f, 1.0f) : 0.0f;
        best = fminf(best, wfLength(wfMulAdd(d, -t, e)));
    }
    return inside ? fabsf(wfDot(wfSub(p, a), n)) / sqrtf(area) : best;
}

static bool OnTriangle(struct RTCPointQueryFunctionArguments* query) {
    const wfTraceScene* scene = query->userPtr;
    const wfRenderObject* body = &scene->objects[query->geomID];
    const int* v = body->triangles[query->primID].v;
    wfVec3 p = wfMake3(query->query->x, query->query->y, query->query->z);
    float distance = TriangleDistance(p, body->positions[v[0]], body->positions[v[1]], body->positions[v[2]]);
    if (!(distance < query->query->radius)) return false;
    query->query->radius = distance;
    return true;
}

bool wfHeat_Distance(const wfVec3* positions, int vertexCount, const wfRenderObject* bodies, int bodyCount, float limit, float* out,
                     wfError* err) {
    wfRenderDef def = wfDefaultRenderDef();
    wfTraceScene scene;
    bool ok = wfTraceScene_Build(&scene, bodies, bodyCount, &def, err);
    for (int v = 0; ok && v < vertexCount; ++v) {
        struct RTCPointQuery query = {.x = positions[v].x, .y = positions[v].y, .z = positions[v].z, .time = 0.0f, .radius = limit};
        struct RTCPointQueryContext context;
        rtcInitPointQueryContext(&context);
        rtcPointQuery(scene.scene, &query, &context, OnTriangle, &scene);
        out[v] = query.radius;
    }
    wfTraceScene_Free(&scene);
    return ok;
}
