// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "harness.h"

#include "collide/broad_inside.h"
#include "mesh/generate.h"
#include "mesh/pleats.h"

// Bounds are minima, maxima and single sums, and everything after them is whole numbers: every device must give the bits of the reference,
// in the trees and in the lists.

typedef struct Sheet {
    wfMesh mesh;
    wfTopology topology;
    wfVec4 *start, *end;
} Sheet;

static Sheet MakeSheet(int n, int seed) {
    Sheet s = {0};
    wfError err = {0};
    wfGenerateDef def = wfDefaultGenerateDef();
    def.n = def.m = n;
    def.size = wfMake3(0.005f * (float)(n - 1), 1.0f, 0.005f * (float)(n - 1));
    def.pattern = wf_patternIrregular;
    bool ok =
        wfGenerate(&s.mesh, &def, &err) && wfTopology_Create(&s.topology, s.mesh.triangles, s.mesh.triangleCount, s.mesh.vertexCount, &err);
    ENSURE(ok, "%s", err.text);
    wfLayIntoPleats(s.mesh.positions, s.mesh.vertexCount, 0.08f, 0.004f, 0.002f);
    s.start = malloc((size_t)s.mesh.vertexCount * sizeof(wfVec4));
    s.end = malloc((size_t)s.mesh.vertexCount * sizeof(wfVec4));
    uint32_t random = (uint32_t)seed;
    for (int i = 0; i < s.mesh.vertexCount; ++i) {
        wfVec3 p = s.mesh.positions[i];
        s.start[i] = wfMake4(p, 0.0f);
        s.end[i] = wfMake4(wfMake3(p.x + 2e-3f * NextFloat(&random), p.y - 1e-3f, p.z + 1e-3f * NextFloat(&random)), 0.0f);
    }
    return s;
}

static void FreeSheet(Sheet* s) {
    free(s->start);
    free(s->end);
    wfTopology_Free(&s->topology);
    wfMesh_Free(&s->mesh);
}

typedef struct Result {
    wfQuad* quads;
    size_t quadCount;
    wfPair* pairs[2]; // self, against
    int counts[2];
} Result;

static Result Find(wfDevice* device, const Sheet* a, const Sheet* b, const wfBroadDef* def, bool swept) {
    Result r = {0};
    wfError err = {0};
    wfBuffer x[4];
    const wfVec4* from[4] = {a->start, a->end, b->start, b->end};
    for (int k = 0; k < 4; ++k) {
        x[k] = wfMakeBuffer(sizeof(wfVec4), "test.x");
        wfUpload(device, &x[k], from[k], (size_t)(k < 2 ? a : b)->mesh.vertexCount);
    }
    wfBroad *first = wfCreateBroad(device, def, &a->topology, &err), *second = wfCreateBroad(device, def, &b->topology, &err);
    wfPairList lists[2] = {wfMakePairList("test.self"), wfMakePairList("test.against")};
    bool ok = first != NULL && second != NULL;
    if (ok) {
        wfBroad_Update(first, &x[0], swept ? &x[1] : NULL, 1e-3f);
        wfBroad_Update(second, &x[2], swept ? &x[3] : NULL, 0.0f);
        ok = wfBroad_FindSelf(first, &lists[0], &err) && wfBroad_FindAgainst(first, second, &lists[1], &err);
    }
    if (ok) {
        r.quadCount = first->quads.count;
        r.quads = calloc(r.quadCount, sizeof *r.quads);
        // Behind the last node of a level there are places that no one writes.
        for (int depth = 0; depth <= first->tree.depth; ++depth) {
            size_t at = (size_t)wfTree_First(depth);
            ok = ok && wfDownload(device, r.quads + at, &first->quads, at, (size_t)wfTree_QuadCount(&first->tree, depth), &err);
        }
    }
    for (int k = 0; ok && k < 2; ++k) {
        r.counts[k] = lists[k].count;
        r.pairs[k] = malloc(((size_t)lists[k].count + 1) * sizeof(wfPair));
        ok = wfDownload(device, r.pairs[k], &lists[k].pairs, 0, (size_t)lists[k].count, &err);
    }
    if (ok) { // once more, from warm buffers
        int64_t allocations = wfDevice_GetAllocCount(device);
        wfBroad_Update(first, &x[0], swept ? &x[1] : NULL, 1e-3f);
        ok = wfBroad_FindSelf(first, &lists[0], &err);
        wfPair* again = malloc(((size_t)r.counts[0] + 1) * sizeof(wfPair));
        ENSURE(lists[0].count == r.counts[0] && wfDownload(device, again, &lists[0].pairs, 0, (size_t)r.counts[0], &err) &&
                   memcmp(again, r.pairs[0], (size_t)r.counts[0] * sizeof(wfPair)) == 0,
               "%s: a second pass finds another list", def->type);
        ENSURE(wfDevice_GetAllocCount(device) == allocations, "%s: a warm pass allocates", def->type);
        free(again);
    }
    ENSURE(ok, "%s: %s", def->type, err.text);
    for (int k = 0; k < 2; ++k) wfPairList_Free(device, &lists[k]);
    for (int k = 0; k < 4; ++k) wfFreeBuffer(device, &x[k]);
    wfDestroyBroad(first);
    wfDestroyBroad(second);
    return r;
}

static void FreeResult(Result* r) {
    free(r->quads);
    free(r->pairs[0]);
    free(r->pairs[1]);
}

void TestBroad(wfDevice* reference, wfDevice* device) {
    static const char* const types[] = {"connectivity", "morton"};
    static const int sizes[] = {3, 40, 90};
    for (int size = 0; size < 3; ++size) {
        Sheet a = MakeSheet(sizes[size], 5), b = MakeSheet(30, 6);
        for (int k = 0; k < 8; ++k) {
            wfBroadDef def = {.type = types[k & 1], .dop = k & 2};
            bool swept = k & 4;
            Result expected = Find(reference, &a, &b, &def, swept), got = Find(device, &a, &b, &def, swept);
            ENSURE(got.quadCount == expected.quadCount && memcmp(got.quads, expected.quads, got.quadCount * sizeof(wfQuad)) == 0,
                   "%s%s%s: the trees over %d triangles differ", def.type, def.dop ? " dop" : "", swept ? " swept" : "",
                   a.mesh.triangleCount);
            for (int list = 0; list < 2; ++list)
                ENSURE(got.counts[list] == expected.counts[list] &&
                           memcmp(got.pairs[list], expected.pairs[list], (size_t)got.counts[list] * sizeof(wfPair)) == 0,
                       "%s%s%s: list %d over %d triangles: %d pairs, expected %d", def.type, def.dop ? " dop" : "", swept ? " swept" : "",
                       list, a.mesh.triangleCount, got.counts[list], expected.counts[list]);
            FreeResult(&expected);
            FreeResult(&got);
        }
        FreeSheet(&a);
        FreeSheet(&b);
    }
}
