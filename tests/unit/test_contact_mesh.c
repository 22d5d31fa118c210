// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/contact_mesh.h"

#include "collide/distance.h"
#include "math/vec_double.h"
#include "scene/scene.h"
#include "scene_fixture.h"

#include <stdlib.h>
#include <string.h>

// Pairs that are looked for again of marked vertices alone: with what was found before they are those that all vertices give.

typedef struct Quads {
    int (*row)[5]; // its kind, its vertices
    int count;
} Quads;

static int CompareRows(const void* a, const void* b) {
    const int *p = a, *q = b;
    for (int k = 0; k < 5; ++k)
        if (p[k] != q[k]) return p[k] < q[k] ? -1 : 1;
    return 0;
}

static void DropMarked(Quads* quads, const int* marks, int clothVertexCount) {
    int kept = 0;
    for (int i = 0; i < quads->count; ++i) {
        bool marked = false;
        for (int k = 1; k < 5; ++k) marked = marked || (quads->row[i][k] < clothVertexCount && marks[quads->row[i][k]]);
        if (!marked) memmove(quads->row[kept++], quads->row[i], sizeof quads->row[i]);
    }
    quads->count = kept;
}

// The pairs from `first` on.
static void AddQuads(Quads* quads, wfContactMesh* m, int first) {
    int count = wfQuadRanges_Count(&m->ranges);
    wfQuad* read = malloc(((size_t)count + 1) * sizeof *read);
    wfError err = {0};
    CHECK_OK(wfDownload(m->device, read, &m->quads, 0, (size_t)count, &err), err);
    quads->row = realloc(quads->row, ((size_t)(quads->count + count) + 1) * sizeof *quads->row);
    for (int i = first; i < count; ++i) {
        int* row = quads->row[quads->count++];
        row[0] = wfQuadRanges_KindOf(&m->ranges, i);
        memcpy(row + 1, read[i].v, sizeof read[i].v);
    }
    free(read);
}

/// The least distance of a pair of points and triangles or of edges at some times of its motion.
static double LeastDistance(const int* row, const wfVec4* from, const wfVec4* to) {
    double least = INFINITY;
    for (int step = 0; step <= 16; ++step) {
        wfVec3D x[4];
        for (int k = 0; k < 4; ++k) {
            wfVec3D p = wfWiden(wfXyz(from[row[1 + k]]));
            x[k] = wfMulAddD(p, step / 16.0, wfSubD(wfWiden(wfXyz(to[row[1 + k]])), p));
        }
        wfNearestD near = row[0] == wf_quadPointTriangle ? wfPointTriangleD(x[0], x[1], x[2], x[3]) : wfEdgeEdgeD(x[0], x[1], x[2], x[3]);
        least = fmin(least, sqrt(near.distanceSq));
    }
    return least;
}

// Candidates are looked at from beside their triangles, so which of those come along that never come within the reach depends on where the
// other corners of these go: few, and none of those that do.
static void CheckSame(Quads* a, Quads* b, const wfVec4* from, const wfVec4* to, double reach) {
    qsort(a->row, (size_t)a->count, sizeof *a->row, CompareRows);
    qsort(b->row, (size_t)b->count, sizeof *b->row, CompareRows);
    int kinds[3] = {0}, different = 0;
    for (int i = 0, j = 0; i < a->count || j < b->count;) {
        int order = i == a->count ? 1 : j == b->count ? -1 : CompareRows(a->row[i], b->row[j]);
        const int* row = order <= 0 ? a->row[i] : b->row[j];
        kinds[row[0]] += 1;
        different += order != 0;
        if (order != 0 && (row[0] == wf_quadPlane || LeastDistance(row, from, to) < reach))
            fail_msg("a pair of kind %d comes near and is in one list only", row[0]);
        i += order <= 0;
        j += order >= 0;
        assert_true(i == a->count || i == 0 || CompareRows(a->row[i - 1], a->row[i]) != 0); // each once
    }
    for (int k = 0; k < 3; ++k) assert_true(kinds[k] > 20);
    assert_true(different < a->count / 100);
}

// Two sheets a few millimetres apart, over a plane and under a ball. A scene forgets its reference shapes: these are made once more.
typedef struct Sheets {
    wfScene* scene;
    wfModel model;
    wfTopology topology;
    wfTriangle* triangles;
    wfFlatTriangle* flat;
} Sheets;

static void MakeSheets(Sheets* s, wfDevice* device) {
    enum { N = 24, Triangles = 2 * (N - 1) * (N - 1) };
    wfSceneDef def = wfDefaultSceneDef();
    s->scene = NewScene(device, &def);
    s->triangles = malloc(2 * Triangles * sizeof *s->triangles);
    s->flat = malloc(2 * Triangles * sizeof *s->flat);
    for (int k = 0; k < 2; ++k) {
        Grid grid = MakeGrid(N, N, 0.4f, 0.4f, wfMake3(-0.2f, 0.02f + 0.003f * (float)k, -0.2f));
        for (int i = 0; i < 3 * Triangles; ++i) {
            int v = grid.triangles[i];
            s->triangles[k * Triangles + i / 3].v[i % 3] = k * N * N + v;
            s->flat[k * Triangles + i / 3].corner[i % 3] = (wfVec2){grid.positions[3 * v], grid.positions[3 * v + 2]};
        }
        wfClothDef cloth = GridCloth(&grid, k == 0 ? "lower" : "upper");
        cloth.fabric.thickness = 1e-3f;
        AddCloth(s->scene, &cloth);
        FreeGrid(&grid);
    }
    wfColliderDef plane = wfDefaultColliderDef(), ball = wfDefaultColliderDef();
    plane.shape = wf_shapePlane;
    AddCollider(s->scene, &plane);
    const wfKey above = {0.0f, {0, 0.13f, 0}, {0, 0, 0, 1}};
    ball.radius = 0.1f;
    ball.keys = &above;
    ball.keyCount = 1;
    AddCollider(s->scene, &ball);
    Commit(s->scene);
    s->model = s->scene->model;
    wfError err = {0};
    CHECK_OK(wfTopology_Create(&s->topology, s->triangles, 2 * Triangles, 2 * N * N, &err), err);
    s->model.topology = &s->topology;
    s->model.flat = s->flat;
}

static void FreeSheets(Sheets* s) {
    wfDestroyScene(s->scene);
    wfTopology_Free(&s->topology);
    free(s->triangles);
    free(s->flat);
}

static unsigned s_random;
static float Random(float most) {
    s_random = s_random * 1664525u + 1013904223u;
    return most * ((float)(s_random >> 8) / 8388608.0f - 1.0f);
}

static wfVec4 Moved(wfVec4 from, float side, float down, float w) {
    return wfMake4(wfAdd(wfXyz(from), wfMake3(Random(side), Random(down), Random(side))), w);
}

static void TestMarked(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    Sheets sheets = {0};
    MakeSheets(&sheets, device);
    wfStepContext ctx = wfScene_Context(sheets.scene, 0.0, 0.01f);
    wfScene_MoveBodies(sheets.scene, 0.0, 0.01);
    wfContactMesh some, all;
    wfError err = {0};
    CHECK_OK(wfContactMesh_Create(&some, device, &sheets.model, ctx.colliders, &err), err);
    CHECK_OK(wfContactMesh_Create(&all, device, &sheets.model, ctx.colliders, &err), err);
    wfContactMesh_Place(&some, &ctx);
    wfContactMesh_Place(&all, &ctx);
    size_t n = (size_t)some.clothVertexCount;
    wfVec4 *from = malloc(n * sizeof *from), *to = malloc(n * sizeof *to);
    int* marks = malloc(n * sizeof *marks);
    size_t vertexCount = (size_t)some.vertexCount;
    wfVec4 *allFrom = malloc(vertexCount * sizeof *allFrom), *allTo = malloc(vertexCount * sizeof *allTo);
    CHECK_OK(wfDownload(device, allFrom, &some.from, 0, vertexCount, &err), err);
    CHECK_OK(wfDownload(device, from, &some.from, 0, n, &err), err);
    CHECK_OK(wfDownload(device, to, &some.to, 0, n, &err), err);
    wfBuffer way = wfMakeBuffer(sizeof(wfVec4), "test.way"), markBuffer = wfMakeBuffer(sizeof(int), "test.marks");
    const float margin = 0.002f;
    int searches = 0;
    s_random = 1;
    for (int start = 0; start < 4; ++start) {
        Quads live = {0};
        for (size_t i = 0; i < n; ++i) to[i] = Moved(from[i], 0.004f, 0.02f, to[i].w);
        wfUploadRange(device, &some.to, 0, to, n);
        CHECK_OK(wfContactMesh_FindPairs(&some, margin, &err), err);
        AddQuads(&live, &some, 0);
        for (bool added = true; added; searches += added) { // until there is no room
            for (size_t i = 0; i < n; ++i) {
                marks[i] = fabsf(Random(1.0f)) < 0.005f * (float)(start + 1);
                if (marks[i]) to[i] = Moved(from[i], 0.01f, 0.03f, to[i].w);
            }
            wfUploadRange(device, &some.to, 0, to, n);
            wfUploadRange(device, &all.to, 0, to, n);
            wfUpload(device, &way, to, n);
            wfUpload(device, &markBuffer, marks, n);
            int before = wfQuadRanges_Count(&some.ranges);
            CHECK_OK(wfContactMesh_FindMarked(&some, &way, &markBuffer, margin, &added, &err), err);
            if (!added) continue;
            DropMarked(&live, marks, some.clothVertexCount);
            AddQuads(&live, &some, before);
            CHECK_OK(wfContactMesh_FindPairs(&all, margin, &err), err);
            CHECK_OK(wfDownload(device, allTo, &all.to, 0, vertexCount, &err), err);
            Quads expected = {0};
            AddQuads(&expected, &all, 0);
            CheckSame(&live, &expected, allFrom, allTo, 2.0 * (double)some.thickest + (double)margin);
            free(expected.row);
        }
        free(live.row);
    }
    assert_true(searches > 6);
    free(from);
    free(to);
    free(allFrom);
    free(allTo);
    free(marks);
    wfFreeBuffer(device, &way);
    wfFreeBuffer(device, &markBuffer);
    wfContactMesh_Free(&some);
    wfContactMesh_Free(&all);
    FreeSheets(&sheets);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestMarked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
