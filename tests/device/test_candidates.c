// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "harness.h"

#include "collide/candidates.h"
#include "collide/vertex_grid.h"
#include "mesh/generate.h"
#include "mesh/pleats.h"

// Candidates and pairs of vertices: the bits of the reference on every device.

enum {
    Marked = 8,
    AsVertices = 10,
    Lists = 13
}; // three kinds within a mesh, two against itself; then vertex pairs: at the start, unmoved and at the end;
   // then two kinds of marked vertices; three kinds against itself as four vertices, which are two pairs here

typedef struct Cloth {
    wfMesh mesh;
    wfTopology topology;
    wfVec4 *start, *end;
} Cloth;

static Cloth MakeCloth(int n) {
    Cloth c = {0};
    wfError err = {0};
    wfGenerateDef def = wfDefaultGenerateDef();
    def.n = def.m = n;
    def.size = wfMake3(0.005f * (float)(n - 1), 1.0f, 0.005f * (float)(n - 1));
    bool ok =
        wfGenerate(&c.mesh, &def, &err) && wfTopology_Create(&c.topology, c.mesh.triangles, c.mesh.triangleCount, c.mesh.vertexCount, &err);
    ENSURE(ok, "%s", err.text);
    wfLayIntoPleats(c.mesh.positions, c.mesh.vertexCount, 0.08f, 0.004f, 0.002f);
    c.start = malloc((size_t)c.mesh.vertexCount * sizeof(wfVec4));
    c.end = malloc((size_t)c.mesh.vertexCount * sizeof(wfVec4));
    uint32_t random = 77;
    for (int i = 0; i < c.mesh.vertexCount; ++i) {
        wfVec3 p = c.mesh.positions[i];
        c.start[i] = wfMake4(p, 0.0f);
        c.end[i] = wfMake4(wfMake3(p.x + 2e-3f * NextFloat(&random), p.y - 1e-3f, p.z + 1e-3f * NextFloat(&random)), 0.0f);
    }
    return c;
}

/// One kind against itself, numbered as two meshes; two pairs a candidate.
static bool FindVertices(wfCandidates* work, const wfElements* elements, const wfPairList* triangles, wfCandidateKind kind, wfPairList* out,
                         wfError* err) {
    bool asked[wf_candidateKindCount] = {false};
    int totals[wf_candidateKindCount];
    asked[kind] = true;
    if (!wfCandidates_Count(work, elements, elements, triangles, asked, totals, err)) return false;
    wfBuffer vertices = wfMakeBuffer(sizeof(wfFourVertices), "test.vertices");
    wfReserve(elements->device, &vertices, (size_t)totals[kind]);
    wfFourVertices* to[wf_candidateKindCount] = {NULL};
    to[kind] = wfData(&vertices, wfFourVertices);
    wfCandidates_Write(work, elements, elements, triangles, totals, to, elements->vertexCount);
    out->count = 2 * totals[kind];
    wfPair* host = malloc(((size_t)out->count + 1) * sizeof(wfPair));
    bool ok = wfDownload(elements->device, host, &vertices, 0, (size_t)totals[kind], err);
    if (ok) wfUpload(elements->device, &out->pairs, host, (size_t)out->count);
    ok = ok && wfDevice_Sync(elements->device, err);
    free(host);
    wfFreeBuffer(elements->device, &vertices);
    return ok;
}

static void Find(wfDevice* device, const Cloth* c, wfPair* pairs[Lists], int counts[Lists]) {
    wfError err = {0};
    size_t n = (size_t)c->mesh.vertexCount;
    wfBuffer x = wfMakeBuffer(sizeof(wfVec4), "test.x"), xEnd = wfMakeBuffer(sizeof(wfVec4), "test.x_end");
    wfUpload(device, &x, c->start, n);
    wfUpload(device, &xEnd, c->end, n);
    wfBuffer marks = wfMakeBuffer(sizeof(int), "test.marks");
    int* marked = calloc(n, sizeof *marked);
    for (size_t i = 0; i < n; ++i) marked[i] = i % 3 == 0;
    wfUpload(device, &marks, marked, n);
    wfPairList triangles = wfMakePairList("test.triangles"), list = wfMakePairList("test.list");
    wfCandidates work = wfMakeCandidates();
    wfElements elements;
    bool ok = wfElements_Create(&elements, device, &c->topology, &err);
    wfBroad* broad = wfCreateBroad(device, &(wfBroadDef){.type = "morton", .dop = true}, &c->topology, &err);
    wfVertexGrid* grid = wfCreateVertexGrid(device, &c->topology, 0.008f, 0.002f, &err);
    ok = ok && broad != NULL && grid != NULL;
    if (ok) {
        wfBroad_Update(broad, &x, &xEnd, 5e-4f);
        wfElements_Move(&elements, &x, &xEnd, wf_paceEven, 5e-4f);
        ok = wfBroad_FindSelf(broad, &triangles, &err);
    }
    for (int k = 0; ok && k < Lists; ++k) {
        static const wfCandidateKind kinds[Lists] = {wf_vertexTriangle, wf_edgeEdge,
                                                     wf_edgeTriangle,   wf_triangleVertex,
                                                     wf_triangleEdge,   [Marked] = wf_vertexTriangle,
                                                     wf_edgeEdge,       [AsVertices] = wf_vertexTriangle,
                                                     wf_edgeEdge,       wf_triangleVertex};
        bool self = k < 3 || (k >= Marked && k < AsVertices), ofGrid = k >= 5 && k < Marked;
        wfPairList* out[wf_candidateKindCount] = {NULL};
        if (k == Marked) wfElements_Mark(&elements, &marks);
        if (!ofGrid) out[kinds[k]] = &list;
        if (k >= AsVertices)
            ok = FindVertices(&work, &elements, &triangles, kinds[k], &list, &err);
        else if (!ofGrid)
            ok = wfCandidates_Find(&work, &elements, self ? NULL : &elements, &triangles, out, &err);
        else
            ok = wfVertexGrid_Find(grid, k < 7 ? &x : &xEnd, &list, &err);
        counts[k] = list.count;
        pairs[k] = malloc(((size_t)list.count + 1) * sizeof(wfPair));
        ok = ok && wfDownload(device, pairs[k], &list.pairs, 0, (size_t)list.count, &err);
    }
    ENSURE(ok, "%s", err.text);
    ENSURE(!ok || wfVertexGrid_GetFillCount(grid) == 2, "the cache was filled %d times, expected 2", wfVertexGrid_GetFillCount(grid));
    wfDestroyVertexGrid(grid);
    wfDestroyBroad(broad);
    wfElements_Free(&elements);
    wfCandidates_Free(device, &work);
    wfPairList_Free(device, &triangles);
    wfPairList_Free(device, &list);
    free(marked);
    wfFreeBuffer(device, &marks);
    wfFreeBuffer(device, &x);
    wfFreeBuffer(device, &xEnd);
}

void TestCandidates(wfDevice* reference, wfDevice* device) {
    static const int sizes[] = {3, 60};
    for (int size = 0; size < 2; ++size) {
        Cloth c = MakeCloth(sizes[size]);
        wfPair *expected[Lists] = {NULL}, *got[Lists] = {NULL};
        int expectedCounts[Lists] = {0}, counts[Lists] = {0};
        Find(reference, &c, expected, expectedCounts);
        Find(device, &c, got, counts);
        for (int k = 0; k < Lists; ++k) {
            ENSURE(counts[k] == expectedCounts[k] && memcmp(got[k], expected[k], (size_t)counts[k] * sizeof(wfPair)) == 0,
                   "list %d of %d triangles differs: %d pairs, expected %d", k, c.mesh.triangleCount, counts[k], expectedCounts[k]);
            ENSURE(size == 0 || counts[k] > 100, "list %d has only %d pairs", k, counts[k]);
            free(expected[k]);
            free(got[k]);
        }
        free(c.start);
        free(c.end);
        wfTopology_Free(&c.topology);
        wfMesh_Free(&c.mesh);
    }
}
