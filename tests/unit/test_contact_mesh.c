// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/contact_mesh.h"

#include "collide/bounds.h"
#include "collide/distance.h"
#include "math/vec_double.h"
#include "scene/scene.h"
#include "scene_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Pairs that are looked for again of strayed vertices alone: with what was found before they are those that all vertices give, and none
// that comes near is missing, whatever vertices do on their way.

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

/// Whether a pair of points and triangles or of edges is nearer than `reach` at one of some times of its motion.
static bool ComesNear(const int* row, const wfVec4* from, const wfVec4* to, double reach) {
    for (int step = 0; step <= 16; ++step) {
        wfVec3D x[4];
        for (int k = 0; k < 4; ++k) {
            wfVec3D p = wfWiden(wfXyz(from[row[1 + k]]));
            x[k] = wfMulAddD(p, step / 16.0, wfSubD(wfWiden(wfXyz(to[row[1 + k]])), p));
        }
        wfNearestD near = row[0] == wf_quadPointTriangle ? wfPointTriangleD(x[0], x[1], x[2], x[3]) : wfEdgeEdgeD(x[0], x[1], x[2], x[3]);
        if (near.distanceSq < reach * reach) return true;
    }
    return false;
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
        if (order != 0 && (row[0] == wf_quadPlane || ComesNear(row, from, to, reach)))
            fail_msg("a pair of kind %d comes near and is in one list only", row[0]);
        i += order <= 0;
        j += order >= 0;
        assert_true(i == a->count || i == 0 || CompareRows(a->row[i - 1], a->row[i]) != 0); // each once
    }
    for (int k = 0; k < 3; ++k) assert_true(kinds[k] > 20);
    assert_true(different < a->count / 100);
}

// Sheets a few millimetres apart, over a plane and beside a body. A scene forgets its reference shapes: these are made once more.
typedef struct Sheets {
    wfScene* scene;
    wfModel model;
    wfTopology topology;
    wfTriangle* triangles;
    wfFlatTriangle* flat;
} Sheets;

static void MakeSheets(Sheets* s, wfDevice* device, int sheets, int n, float size, float gap, const wfColliderDef* body) {
    int each = 2 * (n - 1) * (n - 1), count = sheets * each;
    wfSceneDef def = wfDefaultSceneDef();
    s->scene = NewScene(device, &def);
    s->triangles = malloc((size_t)count * sizeof *s->triangles);
    s->flat = malloc((size_t)count * sizeof *s->flat);
    for (int k = 0; k < sheets; ++k) {
        Grid grid = MakeGrid(n, n, size, size, wfMake3(-0.5f * size, 0.02f + gap * (float)k, -0.5f * size));
        for (int i = 0; i < 3 * each; ++i) {
            int v = grid.triangles[i];
            s->triangles[k * each + i / 3].v[i % 3] = k * n * n + v;
            s->flat[k * each + i / 3].corner[i % 3] = (wfVec2){grid.positions[3 * v], grid.positions[3 * v + 2]};
        }
        char name[32];
        snprintf(name, sizeof name, "sheet%d", k);
        wfClothDef cloth = GridCloth(&grid, name);
        cloth.fabric.thickness = 1e-3f;
        AddCloth(s->scene, &cloth);
        FreeGrid(&grid);
    }
    wfColliderDef plane = wfDefaultColliderDef();
    plane.shape = wf_shapePlane;
    AddCollider(s->scene, &plane);
    AddCollider(s->scene, body);
    Commit(s->scene);
    s->model = s->scene->model;
    wfError err = {0};
    CHECK_OK(wfTopology_Create(&s->topology, s->triangles, count, sheets * n * n, &err), err);
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

static const float s_margin = 0.002f;

/// A mesh with its places, and the pairs that it is to be asked about.
typedef struct Places {
    wfContactMesh mesh;
    wfVec4 *from, *to; // of all vertices
    size_t n;          // of the cloths
    int* strayed;
    Quads live;
} Places;

static void MakePlaces(Places* p, const Sheets* sheets, const wfStepContext* ctx) {
    wfError err = {0};
    wfDevice* device = sheets->scene->device;
    CHECK_OK(wfContactMesh_Create(&p->mesh, device, &sheets->model, ctx->colliders, &err), err);
    wfContactMesh_Place(&p->mesh, ctx);
    size_t all = (size_t)p->mesh.vertexCount;
    p->n = (size_t)p->mesh.clothVertexCount;
    p->from = malloc(all * sizeof *p->from);
    p->to = malloc(all * sizeof *p->to);
    p->strayed = malloc(p->n * sizeof *p->strayed);
    CHECK_OK(wfDownload(device, p->from, &p->mesh.from, 0, all, &err), err);
    CHECK_OK(wfDownload(device, p->to, &p->mesh.to, 0, all, &err), err);
}

static void FreePlaces(Places* p) {
    free(p->from);
    free(p->to);
    free(p->strayed);
    free(p->live.row);
    wfContactMesh_Free(&p->mesh);
}

static void Find(Places* p) {
    wfError err = {0};
    wfUploadRange(p->mesh.device, &p->mesh.to, 0, p->to, p->n);
    CHECK_OK(wfContactMesh_FindPairs(&p->mesh, s_margin, &err), err);
    p->live.count = 0;
    AddQuads(&p->live, &p->mesh, 0);
}

static wfPairsChange FindAgain(Places* p) {
    wfError err = {0};
    wfPairsChange change;
    int before = wfQuadRanges_Count(&p->mesh.ranges);
    wfUploadRange(p->mesh.device, &p->mesh.to, 0, p->to, p->n);
    CHECK_OK(wfContactMesh_FindAgain(&p->mesh, &change, &err), err);
    CHECK_OK(wfDownload(p->mesh.device, p->strayed, &p->mesh.strayed, 0, p->n, &err), err);
    if (change == wf_pairsAdded) DropMarked(&p->live, p->strayed, (int)p->n);
    if (change == wf_pairsNew) p->live.count = 0;
    if (change != wf_pairsHold) AddQuads(&p->live, &p->mesh, change == wf_pairsNew ? 0 : before);
    return change;
}

/// Takes about that share of the vertices away from where they were to end, farther than they may go.
static void Stray(Places* p, float share) {
    for (size_t i = 0; i < p->n; ++i) {
        if (fabsf(Random(1.0f)) >= share) continue;
        wfVec4 before = p->to[i];
        do { p->to[i] = Moved(p->from[i], 0.01f, 0.03f, before.w); } while (wfDistance(wfXyz(p->to[i]), wfXyz(before)) < s_margin);
    }
}

static void TestSameAsAll(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    Sheets sheets = {0};
    const wfKey above = {0.0f, {0, 0.13f, 0}, {0, 0, 0, 1}};
    wfColliderDef ball = wfDefaultColliderDef();
    ball.radius = 0.1f;
    ball.keys = &above;
    ball.keyCount = 1;
    MakeSheets(&sheets, device, 2, 24, 0.4f, 0.003f, &ball);
    wfStepContext ctx = wfScene_Context(sheets.scene, 0.0, 0.01f);
    wfScene_MoveBodies(sheets.scene, 0.0, 0.01);
    Places some = {0}, all = {0};
    MakePlaces(&some, &sheets, &ctx);
    MakePlaces(&all, &sheets, &ctx);
    int searches = 0;
    s_random = 1;
    for (int start = 0; start < 4; ++start) {
        for (size_t i = 0; i < some.n; ++i) some.to[i] = Moved(some.from[i], 0.004f, 0.02f, some.to[i].w);
        Find(&some);
        for (;;) { // until there is no room
            Stray(&some, 0.005f * (float)(start + 1));
            if (FindAgain(&some) != wf_pairsAdded) break;
            memcpy(all.to, some.to, some.n * sizeof *all.to);
            Find(&all);
            CheckSame(&some.live, &all.live, some.from, some.to, 2.0 * (double)some.mesh.thickest + (double)s_margin);
            searches += 1;
        }
    }
    assert_true(searches > 6);
    FreePlaces(&some);
    FreePlaces(&all);
    FreeSheets(&sheets);
    wfDestroyDevice(device);
}

// ---- all pairs ----------------------------------------------------------------------------------------------------------------

static int CompareInts(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

/// A row as no order of corners matters to it.
static void Normalise(int* row) {
    if (row[0] == wf_quadPointTriangle) qsort(row + 2, 3, sizeof *row, CompareInts);
    if (row[0] != wf_quadEdgeEdge) return;
    qsort(row + 1, 2, sizeof *row, CompareInts);
    qsort(row + 3, 2, sizeof *row, CompareInts);
    for (int k = 1; k < 3 && row[1] > row[3]; ++k) {
        int other = row[5 - k];
        row[5 - k] = row[k];
        row[k] = other;
    }
}

// What all pairs are made of: vertices, edges and triangles of the cloths, and behind them those of the body.
typedef struct Part {
    int v[3];
    wfAabb box; // about its way, with half its thickness
} Part;

typedef struct Parts {
    Part* item[3]; // by how many vertices they have
    int count[3], clothCount[3];
} Parts;

static void AddParts(Parts* p, const wfTopology* t, int firstVertex) {
    const int counts[3] = {t->vertexCount, t->edgeCount, t->triangleCount};
    for (int kind = 0; kind < 3; ++kind) {
        p->item[kind] = realloc(p->item[kind], (size_t)(p->count[kind] + counts[kind]) * sizeof *p->item[kind]);
        for (int i = 0; i < counts[kind]; ++i) {
            const int* v = kind == 0 ? &i : kind == 1 ? t->edges[i].v : t->triangles[i].v;
            for (int k = 0; k <= kind; ++k) p->item[kind][p->count[kind] + i].v[k] = firstVertex + v[k];
        }
        p->count[kind] += counts[kind];
    }
}

static void PlaceParts(Parts* p, const wfVec4* from, const wfVec4* to, float half) {
    for (int kind = 0; kind < 3; ++kind)
        for (int i = 0; i < p->count[kind]; ++i) {
            Part* part = &p->item[kind][i];
            wfGrowth growth = wfMakeGrowth(i < p->clothCount[kind] ? half : 0.0f);
            part->box = wfAabb_Empty(i);
            for (int k = 0; k <= kind; ++k) {
                wfAabb_Add(&part->box, from[part->v[k]]);
                wfAabb_Add(&part->box, to[part->v[k]]);
            }
            wfAabb_Grow(&part->box, &growth);
        }
}

static bool ShareVertex(const Part* a, int countA, const Part* b, int countB) {
    for (int i = 0; i < countA; ++i)
        for (int j = 0; j < countB; ++j)
            if (a->v[i] == b->v[j]) return true;
    return false;
}

/// That every pair that comes within its thickness on the way is in the list; how many these are.
static int CheckComplete(const Quads* live, const Parts* parts, const wfVec4* from, const wfVec4* to, float half) {
    int near = 0;
    for (int kind = 0; kind < 2; ++kind) { // a vertex and a triangle, two edges
        int second = 2 - kind;
        for (int i = 0; i < parts->count[kind]; ++i)
            for (int j = kind == 1 ? i + 1 : 0; j < parts->count[second]; ++j) {
                const Part *a = &parts->item[kind][i], *b = &parts->item[second][j];
                bool bodyA = i >= parts->clothCount[kind], bodyB = j >= parts->clothCount[second];
                if (!wfAabb_Overlap(&a->box, &b->box) || (bodyA && bodyB) || ShareVertex(a, kind + 1, b, second + 1)) continue;
                int row[5] = {kind == 0 ? wf_quadPointTriangle : wf_quadEdgeEdge};
                memcpy(row + 1, a->v, (size_t)(kind + 1) * sizeof a->v[0]);
                memcpy(row + 2 + kind, b->v, (size_t)(second + 1) * sizeof b->v[0]);
                if (!ComesNear(row, from, to, (double)(!bodyA + !bodyB) * (double)half)) continue;
                ++near;
                Normalise(row);
                if (bsearch(row, live->row, (size_t)live->count, sizeof *live->row, CompareRows) == NULL)
                    fail_msg("a pair of kind %d, (%d %d %d %d), comes near and is not found", row[0], row[1], row[2], row[3], row[4]);
            }
    }
    return near;
}

/// All sheets fall together, each vertex with a little of its own.
static void Fall(Places* p) {
    for (size_t i = 0; i < p->n; ++i) {
        wfVec3 way = wfMake3(0.01f + Random(0.0005f), -0.04f + Random(0.0005f), Random(0.0005f));
        p->to[i] = wfMake4(wfAdd(wfXyz(p->from[i]), way), p->to[i].w);
    }
}

/// What dynamics and impulses do to where vertices are to be: all go a little aside, each time by a little more, often a patch of a sheet
/// stays behind on its way, and now and then one goes anywhere.
static void ThinkAgain(Places* p) {
    size_t first = (size_t)(s_random >> 8) % p->n, last = first + (Random(1.0f) < 0.4f ? p->n / 40 : 0);
    float share = fabsf(Random(1.0f));
    for (size_t i = 0; i < p->n; ++i) {
        p->to[i] = Moved(p->to[i], 0.0002f, 0.0002f, p->to[i].w);
        if (i >= first && i < last) p->to[i] = wfMake4(wfLerp(wfXyz(p->from[i]), wfXyz(p->to[i]), share), p->to[i].w);
        if (fabsf(Random(1.0f)) < 0.001f) p->to[i] = Moved(p->from[i], 0.03f, 0.03f, p->to[i].w);
    }
}

static void TestComplete(void** state) {
    (void)state;
    enum { Starts = WF_SLOW_BUILD ? 2 : 5, Rounds = 6 };
    wfDevice* device = OpenCpu(2);
    Sheets sheets = {0};
    const wfKey rising[] = {{0.0f, {0, 0, 0}, {0, 0, 0, 1}}, {0.01f, {0.005f, 0.01f, 0}, {0, 0, 0, 1}}};
    wfColliderDef box = wfDefaultColliderDef();
    box.shape = wf_shapeBox;
    box.size = wfMake3(0.03f, 0.01f, 0.03f);
    box.keys = rising;
    box.keyCount = 2;
    MakeSheets(&sheets, device, 4, 9, 0.1f, 0.0025f, &box);
    wfStepContext ctx = wfScene_Context(sheets.scene, 0.0, 0.01f);
    wfScene_MoveBodies(sheets.scene, 0.0, 0.01);
    Places p = {0};
    MakePlaces(&p, &sheets, &ctx);
    Parts parts = {0};
    AddParts(&parts, &sheets.topology, 0);
    memcpy(parts.clothCount, parts.count, sizeof parts.count);
    const wfBodyRange* range = &ctx.colliders->bodies[1];
    wfTopology body = {0}; // numbered over all colliders, as the mesh does
    wfError err = {0};
    CHECK_OK(
        wfTopology_Create(&body, ctx.colliders->triangles + range->firstTriangle, range->triangleCount, ctx.colliders->vertexCount, &err),
        err);
    AddParts(&parts, &body, (int)p.n);

    int changes[3] = {0}, near = 0;
    s_random = 7;
    for (int start = 0; start < Starts; ++start) {
        Fall(&p);
        Find(&p);
        for (int round = 0; round < Rounds; ++round) {
            ThinkAgain(&p);
            changes[FindAgain(&p)] += 1;
            for (int i = 0; i < p.live.count; ++i) Normalise(p.live.row[i]);
            qsort(p.live.row, (size_t)p.live.count, sizeof *p.live.row, CompareRows);
            PlaceParts(&parts, p.from, p.to, p.mesh.thickest);
            near += CheckComplete(&p.live, &parts, p.from, p.to, p.mesh.thickest);
        }
    }
    print_message("%d pairs come near; the list held %d times, was added to %d times and made anew %d times\n", near, changes[wf_pairsHold],
                  changes[wf_pairsAdded], changes[wf_pairsNew]);
    assert_true(near > 1000 && changes[wf_pairsHold] > 0 && changes[wf_pairsAdded] > Starts && changes[wf_pairsNew] > 0);
    for (int kind = 0; kind < 3; ++kind) free(parts.item[kind]);
    wfTopology_Free(&body);
    FreePlaces(&p);
    FreeSheets(&sheets);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestSameAsAll), cmocka_unit_test(TestComplete)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
