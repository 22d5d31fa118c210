// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/vertex_grid.h"
#include "harness.h"
#include "mesh/generate.h"
#include "mesh/topology.h"

// Rows of near vertices on the reference and on the device: in a wide box, and in ever smaller ones, in which cells have more than a lane
// keeps. The same vertices in the same order.

enum { Side = 64, Count = Side * Side };

typedef struct Rows {
    int starts[Count], counts[Count];
    int* items;
    long long used;
} Rows;

static void ListOn(wfDevice* device, const wfTopology* topology, const wfVec4* x, float reach, long long room, Rows* out) {
    wfError err = {0};
    wfBuffer positions = wfMakeBuffer(sizeof(wfVec4), "x"), counts = wfMakeBuffer(sizeof(int), "counts");
    wfBuffer starts = wfMakeBuffer(sizeof(int), "starts"), items = wfMakeBuffer(sizeof(int), "items");
    wfBuffer used = wfMakeBuffer(sizeof(long long), "used");
    wfUpload(device, &positions, x, Count);
    wfReserve(device, &counts, Count);
    wfReserve(device, &starts, Count);
    wfReserve(device, &used, 1);
    wfReserve(device, &items, (size_t)room);
    wfZero(device, &items);
    wfVertexGrid* grid = wfCreateVertexGrid(device, topology, reach, 0.0f, &err);
    ENSURE(grid != NULL, "%s", err.text);
    wfGridRows rows = {wfData(&starts, int), wfData(&counts, int), wfData(&items, int), wfData(&used, long long), (int)room};
    if (grid != NULL) wfVertexGrid_ListRows(grid, &positions, rows);
    out->items = malloc((size_t)room * sizeof(int));
    bool ok = wfDownload(device, out->starts, &starts, 0, Count, &err) && wfDownload(device, out->counts, &counts, 0, Count, &err) &&
              wfDownload(device, out->items, &items, 0, (size_t)room, &err) && wfDownload(device, &out->used, &used, 0, 1, &err);
    ENSURE(ok, "%s", err.text);
    wfDestroyVertexGrid(grid);
    wfBuffer* all[] = {&positions, &counts, &starts, &items, &used};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k) wfFreeBuffer(device, all[k]);
}

static void CompareIn(wfDevice* reference, wfDevice* device, const wfTopology* topology, float box) {
    static wfVec4 x[Count];
    static Rows want, got;
    uint32_t seed = 7;
    for (int i = 0; i < Count; ++i) x[i] = wfMake4(wfScale(wfMake3(NextFloat(&seed), NextFloat(&seed), NextFloat(&seed)), box), 1.0f);
    long long room = (long long)Count * Count;
    ListOn(reference, topology, x, 0.012f, room, &want);
    ListOn(device, topology, x, 0.012f, room, &got);
    ENSURE(want.used > 0 && want.used == got.used, "box of %g m: %lld and %lld places", (double)box, want.used, got.used);
    int wrong = 0;
    for (int i = 0; i < Count; ++i) {
        bool same = want.counts[i] == got.counts[i];
        for (int k = 0; k < want.counts[i] && same; ++k) same = want.items[want.starts[i] + k] == got.items[got.starts[i] + k];
        wrong += !same;
    }
    ENSURE(wrong == 0, "box of %g m: %d rows differ", (double)box, wrong);
    free(want.items);
    free(got.items);
}

void TestRows(wfDevice* reference, wfDevice* device) {
    wfError err = {0};
    wfGenerateDef def = wfDefaultGenerateDef();
    wfMesh sheet = {0};
    wfTopology topology = {0};
    def.shape = wf_makeSheet;
    def.n = Side;
    bool ok = wfGenerate(&sheet, &def, &err) &&
              wfTopology_Create(&topology, (const wfTriangle*)sheet.triangles, sheet.triangleCount, sheet.vertexCount, &err);
    ENSURE(ok && sheet.vertexCount == Count, "%s", err.text);
    const float boxes[] = {0.1f, 0.02f, 0.005f};
    for (int k = 0; k < 3 && ok; ++k) CompareIn(reference, device, &topology, boxes[k]);
    wfTopology_Free(&topology);
    wfMesh_Free(&sheet);
}
