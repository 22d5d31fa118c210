// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/bench_broad.h"

#include "base/clock.h"
#include "collide/broad_inside.h"
#include "collide/candidates.h"
#include "collide/vertex_grid.h"
#include "math/noise.h"
#include "mesh/generate.h"
#include "mesh/pleats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// The cloth hangs in pleats 3 mm apart with edges of 1.4 mm, so that a square metre has a million triangles, and moves by up to 1 mm in
// a smooth field. Radius 0.5 mm: what comes within 1 mm on the way is found. Cost a triangle compares sizes only where each triangle has
// as much near it: every size is a curtain of the same pleats, as many layers deep, and only its breadth along them grows. The pleats are
// low and the gusts short, so that the smallest is no mere fringe and meets the same mix of motions as the largest.
#define EDGE   0.00141f
#define HEIGHT 0.012f
#define GAP    0.003f
#define WAVE   0.004f
#define LAYERS 22
#define GUST   0.01f
#define MOTION 0.001f
#define RADIUS 0.0005f

enum { StageFit, StageWalk, StageTest, StageWrite, StageCount };

typedef struct Input {
    wfMesh mesh;
    wfTopology topology;
    wfBuffer x, xEnd;
} Input;

static bool MakeInput(wfDevice* device, int triangles, Input* in, wfError* err) {
    wfGenerateDef def = wfDefaultGenerateDef();
    def.n = (int)lround(LAYERS * wfGetPleatLength(HEIGHT, GAP) / EDGE) + 1;
    def.m = (int)lround(0.5 * triangles / (def.n - 1)) + 1;
    def.size = wfMake3(EDGE * (float)(def.n - 1), def.size.y, EDGE * (float)(def.m - 1));
    WF_TRY(wfGenerate(&in->mesh, &def, err));
    WF_TRY(wfTopology_Create(&in->topology, in->mesh.triangles, in->mesh.triangleCount, in->mesh.vertexCount, err));
    size_t count = (size_t)in->mesh.vertexCount;
    wfLayIntoPleats(in->mesh.positions, in->mesh.vertexCount, HEIGHT, GAP, WAVE);
    wfVec4 *start = calloc(count, sizeof *start), *end = calloc(count, sizeof *end);
    bool ok = start != NULL && end != NULL;
    for (size_t i = 0; ok && i < count; ++i) {
        wfVec3 p = in->mesh.positions[i], q = wfScale(p, 1.0f / GUST);
        start[i] = wfMake4(p, 0.0f);
        wfVec3 move = wfMake3(wfNoise3(q, 1), wfNoise3(q, 2), wfNoise3(q, 3));
        end[i] = wfMake4(wfMulAdd(p, MOTION, move), 0.0f);
    }
    if (ok) {
        wfUpload(device, &in->x, start, count);
        wfUpload(device, &in->xEnd, end, count);
        ok = wfDevice_Sync(device, err);
    } else {
        wfFail(err, wf_outOfMemory, "out of memory for %d triangles", triangles);
    }
    free(start);
    free(end);
    return ok;
}

static void Stages(wfBroad* broad, const Input* in, wfPairList* list) {
    wfDevice* device = broad->device;
    wfDevice_Mark(device, StageFit);
    wfBroad_Update(broad, &in->x, &in->xEnd, RADIUS);
    wfDevice_Mark(device, StageWalk);
    wfBroad_FindPatches(broad, NULL, 0);
    wfDevice_Mark(device, StageTest);
    wfBroad_TestTriangles(broad, NULL);
    wfDevice_Mark(device, StageWrite);
    wfBroad_WriteTriangles(broad, NULL, list);
    wfDevice_Mark(device, -1);
}

static bool Row(wfDevice* device, const Input* in, const wfBroadDef* def, int repeat, bool json, wfError* err) {
    size_t before = wfDevice_GetMemory(device);
    double created = wfSeconds();
    wfBroad* broad = wfCreateBroad(device, def, &in->topology, err);
    created = wfSeconds() - created;
    wfPairList list = wfMakePairList("bench.pairs");
    bool ok = broad != NULL;
    double best = INFINITY, busy = INFINITY, stage[8] = {0};
    for (int k = 0; ok && k < repeat + 2; ++k) { // the first two let buffers grow
        clock_t worked = clock();
        double start = wfSeconds();
        wfBroad_Update(broad, &in->x, &in->xEnd, RADIUS);
        ok = wfBroad_FindSelf(broad, &list, err);
        if (k >= 2) best = fmin(best, wfSeconds() - start);
        if (k >= 2) busy = fmin(busy, (double)(clock() - worked) / CLOCKS_PER_SEC);
    }
    if (ok) wfDevice_CollectTimes(device, (double[8]){0});
    for (int k = 0; ok && k < repeat; ++k) Stages(broad, in, &list);
    wfBroadTotals totals = {0};
    ok = ok && wfDownload(device, &totals, &broad->totals, 0, 1, err);
    if (ok) {
        wfDevice_CollectTimes(device, stage);
        int steps = 0;
        while (steps < wf_mostSteps && broad->lists[steps + 1].count > 0) ++steps;
        double n = in->mesh.triangleCount, memory = (double)(wfDevice_GetMemory(device) - before);
        const char* row = json ? "{\"triangles\": %.0f, \"type\": \"%s\", \"dop\": %d, \"pass_ms\": %.4f, \"ns_per_triangle\": %.3f, "
                                 "\"cpu_ns_per_triangle\": %.3f, \"cpu_ns_per_pair\": %.3f, \"cpu_ns_per_patch_pair\": %.3f, "
                                 "\"fit_ms\": %.4f, \"walk_ms\": %.4f, \"test_ms\": %.4f, \"write_ms\": %.4f, \"patch_pairs\": %.3f, "
                                 "\"pairs\": %.3f, \"bytes_per_triangle\": %.0f, \"create_s\": %.3f}\n"
                               : "%9.0f %-12s %3d %9.3f %8.2f %8.2f %8.2f %8.2f %8.3f %8.3f %8.3f %8.3f %11.2f %8.2f %8.0f %8.2f\n";
        printf(row, n, def->type, def->dop ? 18 : 6, 1e3 * best, 1e9 * best / n, 1e9 * busy / n, 1e9 * busy / list.count,
               1e9 * busy / totals.lists[steps], 1e3 * stage[StageFit] / repeat, 1e3 * stage[StageWalk] / repeat,
               1e3 * stage[StageTest] / repeat, 1e3 * stage[StageWrite] / repeat, totals.lists[steps] / n, list.count / n, memory / n,
               created);
        fflush(stdout);
    }
    wfPairList_Free(device, &list);
    wfDestroyBroad(broad);
    return ok;
}

// What comes after the triangles: vertex-triangle and edge-edge candidates, the same for every type.
static bool Candidates(wfDevice* device, const Input* in, int repeat, bool json, wfError* err) {
    wfElements elements = {.device = device};
    wfCandidates work = wfMakeCandidates();
    wfPairList triangles = wfMakePairList("bench.triangles"), vertices = wfMakePairList("bench.vertex_triangle"),
               edges = wfMakePairList("bench.edge_edge");
    wfPairList* out[wf_candidateKindCount] = {[wf_vertexTriangle] = &vertices, [wf_edgeEdge] = &edges};
    size_t before = wfDevice_GetMemory(device);
    wfBroad* broad = wfCreateBroad(device, &(wfBroadDef){.type = "morton", .dop = true}, &in->topology, err);
    bool ok = broad != NULL && wfElements_Create(&elements, device, &in->topology, err);
    double best = INFINITY, both = INFINITY, n = in->mesh.triangleCount;
    for (int k = 0; ok && k < repeat + 2; ++k) {
        double start = wfSeconds();
        wfBroad_Update(broad, &in->x, &in->xEnd, RADIUS);
        wfElements_Move(&elements, &in->x, &in->xEnd, wf_paceEven, RADIUS);
        ok = wfBroad_FindSelf(broad, &triangles, err);
        double middle = wfSeconds();
        ok = ok && wfCandidates_Find(&work, &elements, NULL, &triangles, out, err);
        if (k >= 2) best = fmin(best, wfSeconds() - middle);
        if (k >= 2) both = fmin(both, wfSeconds() - start);
    }
    double bytes = (double)(wfDevice_GetMemory(device) - before);
    if (ok)
        printf(
            json ? "{\"triangles\": %.0f, \"candidates_ms\": %.4f, \"with_pass_ms\": %.4f, \"vertex_triangle\": %.3f, \"edge_edge\": %.3f, "
                   "\"neighbours\": %.3f, \"bytes_per_triangle\": %.0f}\n"
                 : "%9.0f candidates after morton 18: %.3f ms, with the pass %.3f ms; a triangle: %.2f vertex-triangle, %.2f edge-edge, "
                   "%.2f "
                   "pairs of neighbours, %.0f bytes in all\n",
            n, 1e3 * best, 1e3 * both, vertices.count / n, edges.count / n, (double)elements.adjacent.count / n, bytes / n);
    wfDestroyBroad(broad);
    wfElements_Free(&elements);
    wfCandidates_Free(device, &work);
    wfPairList_Free(device, &triangles);
    wfPairList_Free(device, &vertices);
    wfPairList_Free(device, &edges);
    return ok;
}

// Pairs of vertices within two and a half edges' length, so that the next layer is reached, with a skin of a quarter of that: a pass that
// fills the cache, and one that looks through it.
static bool Grid(wfDevice* device, const Input* in, int repeat, bool json, wfError* err) {
    const float radius = 2.5f * EDGE;
    wfPairList list = wfMakePairList("bench.pairs");
    wfVertexGrid* grid = wfCreateVertexGrid(device, &in->topology, radius, 0.25f * radius, err);
    bool ok = grid != NULL;
    double fill = INFINITY, look = INFINITY, n = in->mesh.vertexCount;
    for (int k = 0; ok && k < 2 * (repeat + 2); ++k) {
        int fills = wfVertexGrid_GetFillCount(grid);
        double start = wfSeconds();
        ok = wfVertexGrid_Find(grid, k / 2 % 2 ? &in->xEnd : &in->x, &list, err); // each place twice
        double seconds = wfSeconds() - start;
        bool filled = wfVertexGrid_GetFillCount(grid) > fills;
        if (k >= 4 && filled) fill = fmin(fill, seconds);
        if (k >= 4 && !filled) look = fmin(look, seconds);
    }
    if (ok)
        printf(json ? "{\"vertices\": %.0f, \"grid_fill_ms\": %.4f, \"grid_look_ms\": %.4f, \"vertex_pairs\": %.3f}\n"
                    : "%9.0f vertices, grid: %.3f ms with filling the cache, %.3f ms without; %.2f pairs a vertex\n",
               n, 1e3 * fill, 1e3 * look, list.count / n);
    wfDestroyVertexGrid(grid);
    wfPairList_Free(device, &list);
    return ok;
}

static bool Size(wfDevice* device, int triangles, int repeat, bool json, wfError* err) {
    Input in = {.x = wfMakeBuffer(sizeof(wfVec4), "bench.x"), .xEnd = wfMakeBuffer(sizeof(wfVec4), "bench.x_end")};
    bool ok = MakeInput(device, triangles, &in, err);
    for (int k = 0; ok && k < 4; ++k) {
        wfBroadDef def = {.type = k < 2 ? "connectivity" : "morton", .dop = k % 2};
        ok = Row(device, &in, &def, repeat, json, err);
    }
    ok = ok && Candidates(device, &in, repeat, json, err) && Grid(device, &in, repeat, json, err);
    wfFreeBuffer(device, &in.x);
    wfFreeBuffer(device, &in.xEnd);
    wfTopology_Free(&in.topology);
    wfMesh_Free(&in.mesh);
    return ok;
}

bool wfBench_Broad(wfDevice* device, const char* sizes, int repeat, bool json, wfError* err) {
    if (json)
        printf("{\"device\": \"%s\"}\n", wfDevice_GetName(device));
    else
        printf(
            "%s\nswept self pass over %d layers of pleated cloth: edges 1.4 mm, layers 3 mm apart, motion to 1 mm, radius 0.5 mm; cpu: "
            "time of all threads in ns, a triangle, a pair and a pair of patches; stages in ms on the device; pairs and bytes a triangle\n"
            "%9s %-12s %3s %9s %8s %8s %8s %8s %8s %8s %8s %8s %11s %8s %8s %8s\n",
            wfDevice_GetName(device), LAYERS, "triangles", "type", "dop", "pass ms", "ns/tri", "cpu/tri", "cpu/pair", "cpu/pp", "fit",
            "walk", "test", "write", "patch pairs", "pairs", "bytes", "create s");
    for (const char* at = sizes; *at != 0;) {
        char* end;
        long n = strtol(at, &end, 10);
        if (end == at || n < 1000 || n > 100000000 || (*end != 0 && *end != ','))
            return wfFail(err, wf_badInput, "--sizes: expected numbers in [1000, 100000000] with commas between, got \"%s\"", sizes);
        WF_TRY(Size(device, (int)n, repeat, json, err));
        at = *end == ',' ? end + 1 : end;
    }
    return true;
}
