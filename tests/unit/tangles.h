// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Surfaces that cross in known ways, for the tests of untangling.

#include "check.h"
#include "contact/untangle.h"

#include <stdlib.h>
#include <string.h>

typedef struct Tangle {
    wfVec3* x;
    wfTriangle* triangles;
    int* objectOf;
    bool* fixed;
    int vertexCount, triangleCount, objectCount;
} Tangle;

static inline void Tangle_Free(Tangle* t) {
    free(t->x);
    free(t->triangles);
    free(t->objectOf);
    free(t->fixed);
    *t = (Tangle){0};
}

/// Room for another object; returns its first vertex.
static inline int Tangle_Add(Tangle* t, int vertexCount, int triangleCount) {
    int first = t->vertexCount;
    t->vertexCount += vertexCount;
    t->triangleCount += triangleCount;
    t->x = realloc(t->x, (size_t)t->vertexCount * sizeof *t->x);
    t->triangles = realloc(t->triangles, (size_t)t->triangleCount * sizeof *t->triangles);
    t->objectOf = realloc(t->objectOf, (size_t)t->vertexCount * sizeof *t->objectOf);
    t->fixed = realloc(t->fixed, (size_t)t->vertexCount * sizeof *t->fixed);
    for (int v = first; v < t->vertexCount; ++v) {
        t->objectOf[v] = t->objectCount;
        t->fixed[v] = false;
    }
    t->objectCount += 1;
    return first;
}

/// n by m squares from `corner` along u and v, cut one way or the other in turn; closed along u where `round`.
static inline int Tangle_Grid(Tangle* t, int n, int m, bool round) {
    int columns = round ? n : n + 1, at = t->triangleCount, first = Tangle_Add(t, columns * (m + 1), 2 * n * m);
    for (int j = 0; j < m; ++j)
        for (int i = 0; i < n; ++i) {
            int a = first + j * columns + i, b = first + j * columns + (i + 1) % columns, c = a + columns, d = b + columns;
            if ((i + j) % 2 == 0) {
                t->triangles[at++] = (wfTriangle){{a, b, d}};
                t->triangles[at++] = (wfTriangle){{a, d, c}};
            } else {
                t->triangles[at++] = (wfTriangle){{a, b, c}};
                t->triangles[at++] = (wfTriangle){{b, d, c}};
            }
        }
    return first;
}

static inline int Tangle_Sheet(Tangle* t, int n, int m, wfVec3 corner, wfVec3 u, wfVec3 v) {
    int first = Tangle_Grid(t, n, m, false);
    for (int j = 0; j <= m; ++j)
        for (int i = 0; i <= n; ++i)
            t->x[first + j * (n + 1) + i] = wfMulAdd(wfMulAdd(corner, (float)i / (float)n, u), (float)j / (float)m, v);
    return first;
}

/// A tube about the y axis through `centre`, open at both ends; `tilt` moves its top along x.
static inline int Tangle_Tube(Tangle* t, int n, int m, wfVec3 centre, float radius, float height, float tilt) {
    int first = Tangle_Grid(t, n, m, true);
    for (int j = 0; j <= m; ++j)
        for (int i = 0; i < n; ++i) {
            float angle = 6.2831853f * (float)i / (float)n, share = (float)j / (float)m;
            t->x[first + j * n + i] = wfAdd(centre, wfMake3(radius * cosf(angle) + tilt * share, height * share, radius * sinf(angle)));
        }
    return first;
}

/// Presses a bump into what lies about `middle`: by `depth` along y, within `radius`.
static inline void Tangle_Bump(Tangle* t, int object, wfVec3 middle, float radius, float depth) {
    for (int v = 0; v < t->vertexCount; ++v) {
        float dx = t->x[v].x - middle.x, dz = t->x[v].z - middle.z, r = sqrtf(dx * dx + dz * dz) / radius;
        if (t->objectOf[v] == object && r < 1.0f) t->x[v].y += depth * (1.0f - r * r) * (1.0f - r * r);
    }
}

/// Every triangle becomes four within its plane.
static inline void Tangle_Refine(Tangle* t) {
    wfTopology topology = {0};
    wfError err = {0};
    CHECK_OK(wfTopology_Create(&topology, t->triangles, t->triangleCount, t->vertexCount, &err), err);
    int old = t->vertexCount, count = t->triangleCount;
    wfTriangle* triangles = malloc((size_t)count * 4 * sizeof *triangles);
    Tangle_Add(t, topology.edgeCount, 0);
    t->objectCount -= 1;
    for (int e = 0; e < topology.edgeCount; ++e) {
        const int* v = topology.edges[e].v;
        t->x[old + e] = wfLerp(t->x[v[0]], t->x[v[1]], 0.5f);
        t->objectOf[old + e] = t->objectOf[v[0]];
    }
    for (int i = 0; i < count; ++i) {
        const int *v = t->triangles[i].v, *e = topology.triangleEdges[i];
        int a = old + e[0], b = old + e[1], c = old + e[2];
        triangles[4 * i] = (wfTriangle){{v[0], a, c}};
        triangles[4 * i + 1] = (wfTriangle){{a, v[1], b}};
        triangles[4 * i + 2] = (wfTriangle){{c, b, v[2]}};
        triangles[4 * i + 3] = (wfTriangle){{a, b, c}};
    }
    free(t->triangles);
    t->triangles = triangles;
    t->triangleCount = 4 * count;
    wfTopology_Free(&topology);
}

static inline int Tangle_Mesh(Tangle* t, const wfVec3* x, int vertexCount, const int (*triangles)[3], int triangleCount) {
    int at = t->triangleCount, first = Tangle_Add(t, vertexCount, triangleCount);
    memcpy(t->x + first, x, (size_t)vertexCount * sizeof *x);
    for (int i = 0; i < triangleCount; ++i)
        for (int k = 0; k < 3; ++k) t->triangles[at + i].v[k] = first + triangles[i][k];
    return first;
}

/// Moves everything by a rotation, so that nothing lies along an axis.
static inline void Tangle_Turn(Tangle* t, wfVec3 axis, float angle) {
    wfQuat q = wfQuatAxisAngle(axis, angle);
    for (int v = 0; v < t->vertexCount; ++v) t->x[v] = wfRotate(q, t->x[v]);
}

static inline wfUntangleDef Tangle_Def(const Tangle* t) {
    return (wfUntangleDef){.vertexCount = t->vertexCount,
                           .triangleCount = t->triangleCount,
                           .triangles = t->triangles,
                           .fixed = t->fixed,
                           .objectOf = t->objectOf,
                           .rounds = 60};
}
