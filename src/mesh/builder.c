// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/builder.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

int wfPartsOf(double length, double edge) {
    double parts = floor(length / edge + 0.5);
    return parts < 1.0 ? 1 : parts > wf_maxMeshElements ? wf_maxMeshElements : (int)parts;
}

bool wfCheckMeshSize(double vertexCount, double triangleCount, wfError* err) {
    double most = vertexCount > triangleCount ? vertexCount : triangleCount;
    if (most <= wf_maxMeshElements) return true;
    return wfFail(err, wf_badInput, "the mesh would have %.3g %s, at most %d are possible: choose a longer edge", most,
                  vertexCount > triangleCount ? "vertices" : "triangles", wf_maxMeshElements);
}

bool wfBuilder_Reserve(wfMeshBuilder* builder, double vertexCount, double triangleCount, wfError* err) {
    double vertices = builder->vertexCount + vertexCount, triangles = builder->triangleCount + triangleCount;
    return wfCheckMeshSize(vertices, triangles, err) &&
           wfGrow(&builder->positions, &builder->positionCapacity, (size_t)vertices, sizeof(wfVec3), "generated vertices", err) &&
           wfGrow(&builder->triangles, &builder->triangleCapacity, (size_t)triangles, sizeof(wfTriangle), "generated triangles", err);
}

void wfBuilder_Free(wfMeshBuilder* builder) {
    free(builder->positions);
    free(builder->triangles);
    *builder = (wfMeshBuilder){0};
}

int wfBuilder_AddVertex(wfMeshBuilder* builder, double x, double y, double z) {
    WF_ASSERT((size_t)builder->vertexCount < builder->positionCapacity);
    // Adding zero turns -0 into 0, so that equal places have equal bits.
    ((wfVec3*)builder->positions)[builder->vertexCount] = wfMake3((float)x + 0.0f, (float)y + 0.0f, (float)z + 0.0f);
    return builder->vertexCount++;
}

void wfBuilder_AddTriangle(wfMeshBuilder* builder, int a, int b, int c) {
    WF_ASSERT((size_t)builder->triangleCount < builder->triangleCapacity);
    ((wfTriangle*)builder->triangles)[builder->triangleCount++] = (wfTriangle){{a, b, c}};
}

// Goes once around, each time along the ring whose next edge has its middle first. Rings with vertices at the same places (the corners of
// a pyramid) are joined there.
bool wfBuilder_Zip(wfMeshBuilder* builder, wfVertexRing lower, wfVertexRing upper, wfError* err) {
    int edgesA = lower.count > 1 ? lower.count : 0, edgesB = upper.count > 1 ? upper.count : 0;
    WF_TRY(wfBuilder_Reserve(builder, 0, (double)edgesA + edgesB, err));
    for (int i = 0, j = 0; i < edgesA || j < edgesB;) {
        int a = lower.first + i % lower.count, b = upper.first + j % upper.count;
        bool alongA = j == edgesB ||
                      (i < edgesA && (2 * (int64_t)i + 1 + lower.half) * upper.count <= (2 * (int64_t)j + 1 + upper.half) * lower.count);
        if (alongA)
            wfBuilder_AddTriangle(builder, a, lower.first + ++i % lower.count, b);
        else
            wfBuilder_AddTriangle(builder, a, upper.first + ++j % upper.count, b);
    }
    return true;
}

typedef struct Place {
    uint32_t bits[3];
    int vertex;
} Place;

static int ComparePlaces(const void* a, const void* b) {
    const Place *p = a, *q = b;
    for (int k = 0; k < 3; ++k)
        if (p->bits[k] != q->bits[k]) return p->bits[k] < q->bits[k] ? -1 : 1;
    return p->vertex < q->vertex ? -1 : p->vertex > q->vertex;
}

bool wfBuilder_Weld(wfMeshBuilder* builder, wfError* err) {
    wfArena scratch = {0};
    Place* places = wfArena_New(&scratch, Place, builder->vertexCount, "places of vertices", err);
    int* number = wfArena_New(&scratch, int, builder->vertexCount, "numbers of vertices", err);
    bool ok = places != NULL && number != NULL;
    if (ok) {
        wfVec3* positions = builder->positions;
        wfTriangle* triangles = builder->triangles;
        for (int i = 0; i < builder->vertexCount; ++i) {
            memcpy(places[i].bits, &positions[i], sizeof places[i].bits);
            places[i].vertex = i;
        }
        qsort(places, (size_t)builder->vertexCount, sizeof *places, ComparePlaces);
        // First the lowest vertex at the same place, then its new number, which lies below it.
        for (int i = 0; i < builder->vertexCount; ++i) {
            bool same = i > 0 && memcmp(places[i].bits, places[i - 1].bits, sizeof places[i].bits) == 0;
            number[places[i].vertex] = same ? number[places[i - 1].vertex] : places[i].vertex;
        }
        int count = 0;
        for (int i = 0; i < builder->vertexCount; ++i) {
            if (number[i] == i) {
                positions[count] = positions[i];
                number[i] = count++;
            } else {
                number[i] = number[number[i]];
            }
        }
        for (int t = 0; t < builder->triangleCount; ++t)
            for (int k = 0; k < 3; ++k) triangles[t].v[k] = number[triangles[t].v[k]];
        builder->vertexCount = count;
    }
    wfArena_Free(&scratch);
    return ok;
}

bool wfBuilder_Finish(const wfMeshBuilder* builder, wfMesh* out, bool withFlat, wfError* err) {
    WF_TRY(wfMesh_Create(out, builder->vertexCount, builder->triangleCount, withFlat, err));
    memcpy(out->positions, builder->positions, (size_t)builder->vertexCount * sizeof *out->positions);
    memcpy(out->triangles, builder->triangles, (size_t)builder->triangleCount * sizeof *out->triangles);
    return true;
}
