// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "body_fixture.h"

#include "collide/body.h"
#include "contact/repulsion_inside.h"

#include <stdlib.h>
#include <string.h>

// Distance fields against every triangle in double precision, against exact shapes, and against themselves on other thread counts.

typedef struct Rig {
    wfDevice* device;
    wfSurface surface;
    wfSdf sdf;
} Rig;

static Rig MakeRig(const wfMesh* mesh, float cell, float band, int threads) {
    Rig rig = {.device = OpenCpu(threads)};
    wfError err = {0};
    wfMeshView view = wfMesh_View(mesh);
    CHECK_OK(wfSurface_Create(&rig.surface, rig.device, &view, 0.2f, "body", &err), err);
    wfSdf_Create(&rig.sdf, rig.device, cell, band);
    CHECK_OK(wfSdf_Build(&rig.sdf, &rig.surface, &err), err);
    CHECK_OK(wfSdf_Check(&rig.sdf, &err), err);
    return rig;
}

static void FreeRig(Rig* rig) {
    wfSdf_Free(&rig->sdf);
    wfSurface_Free(&rig->surface);
    assert_int_equal(wfDevice_GetMemory(rig->device), sizeof(wfFaultSlot));
    wfDestroyDevice(rig->device);
}

/// A body of overlapping parts: trunk, head, and two arms of which one runs into the trunk.
static wfMesh MakeFigure(float edge) {
    wfGenerateDef def = wfDefaultGenerateDef();
    wfMesh body = {0};
    wfError err = {0};
    static const struct {
        float radius, length, x, y, turn;
    } parts[] = {{0.15f, 0.4f, 0.0f, 0.0f, 0.0f},
                 {0.1f, 0.02f, 0.0f, 0.42f, 0.0f},
                 {0.05f, 0.4f, 0.3f, 0.1f, 0.6f},
                 {0.05f, 0.4f, -0.2f, 0.1f, -0.9f}};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) {
        wfMesh part = {0};
        def.shape = wf_makeCapsule;
        def.edge = edge;
        def.radius = parts[k].radius;
        def.length = parts[k].length;
        CHECK_OK(wfGenerate(&part, &def, &err), err);
        wfMesh_Transform(&part, wfMake3(1, 1, 1), wfQuatAxisAngle(wfMake3(0, 0, 1), parts[k].turn), wfMake3(parts[k].x, parts[k].y, 0.01f));
        if (k == 0) {
            body = part;
        } else {
            CHECK_OK(wfMesh_Append(&body, &part, &err), err);
            wfMesh_Free(&part);
        }
    }
    return body;
}

// ---- the values in the bricks -------------------------------------------------------------------------------------------------

typedef struct Values {
    float *bricks, *corners;
    int *cellOf, brickCount, cornerCount;
} Values;

static Values ReadValues(const wfSdf* sdf) {
    const wfSdfField* f = &sdf->field;
    Values v = {.brickCount = sdf->brickCount, .cornerCount = (f->nx + 1) * (f->ny + 1) * (f->nz + 1)};
    size_t count = (size_t)v.brickCount * wf_sdfBrick;
    v.bricks = malloc(count * sizeof(float));
    v.corners = malloc((size_t)v.cornerCount * sizeof(float));
    v.cellOf = malloc((size_t)v.brickCount * sizeof(int));
    wfError err = {0};
    CHECK_OK(wfDownload(sdf->device, v.bricks, &sdf->bricks, 0, count, &err), err);
    CHECK_OK(wfDownload(sdf->device, v.corners, &sdf->corners, 0, (size_t)v.cornerCount, &err), err);
    CHECK_OK(wfDownload(sdf->device, v.cellOf, &sdf->cellOf, 0, (size_t)v.brickCount, &err), err);
    return v;
}

static void FreeValues(Values* v) {
    free(v->bricks);
    free(v->corners);
    free(v->cellOf);
}

static bool SameValues(const Values* a, const Values* b) {
    return a->brickCount == b->brickCount && a->cornerCount == b->cornerCount &&
           memcmp(a->cellOf, b->cellOf, (size_t)a->brickCount * sizeof(int)) == 0 &&
           memcmp(a->bricks, b->bricks, (size_t)a->brickCount * wf_sdfBrick * sizeof(float)) == 0 &&
           memcmp(a->corners, b->corners, (size_t)a->cornerCount * sizeof(float)) == 0;
}

/// Every `every`-th value: the distance that every triangle gives, the sign that the winding number gives. `surface` is the mesh as it was
/// closed, `whole` says what is inside.
static void CheckValues(const wfSdf* sdf, const wfMesh* surface, const wfMesh* whole, int every) {
    Values v = ReadValues(sdf);
    const wfSdfField* f = &sdf->field;
    int exact = 0, inside = 0;
    for (size_t i = 0; i < (size_t)v.brickCount * wf_sdfBrick; i += (size_t)every) {
        int cell = v.cellOf[i / wf_sdfBrick], n = (int)(i % wf_sdfBrick);
        wfVec3 at = wfMake3((float)(cell % f->nx * wf_sdfCells + n % 8), (float)(cell / f->nx % f->ny * wf_sdfCells + n / 8 % 8),
                            (float)(cell / f->nx / f->ny * wf_sdfCells + n / 64));
        wfVec3 p = wfMulAdd(f->origin, f->cell, at);
        double distance = BruteDistance(surface, p), value = (double)v.bricks[i];
        if (fabs(value) < (double)f->reach) {
            CHECK_NEAR(fabs(value), distance, 1e-6);
            ++exact;
        } else {
            assert_true(distance >= (double)f->reach - 1e-6);
        }
        if (distance > 1e-5 && BruteDistance(whole, p) > 1e-3) {
            bool in = fabs(BruteWinding(whole, p)) > 0.5;
            inside += in;
            if (in != (value < 0.0))
                fail_msg("(%g, %g, %g): value %g, winding %g", (double)p.x, (double)p.y, (double)p.z, value, BruteWinding(whole, p));
        }
    }
    for (int i = 0; i < v.cornerCount; i += 7) {
        int row = f->nx + 1, layer = row * (f->ny + 1);
        wfVec3 p =
            wfMulAdd(f->origin, f->cell * (float)wf_sdfCells, wfMake3((float)(i % row), (float)(i % layer / row), (float)(i / layer)));
        CHECK_NEAR((double)fabsf(v.corners[i]), BruteDistance(surface, p), 2e-6);
        if (BruteDistance(whole, p) > 1e-3) assert_true((v.corners[i] < 0.0f) == (fabs(BruteWinding(whole, p)) > 0.5));
    }
    if (exact < 100 || inside < 10) fail_msg("only %d values in the band and %d inside were compared", exact, inside);
    FreeValues(&v);
}

static void TestValuesAreExact(void** state) {
    (void)state;
    static const struct {
        wfGenerator shape;
        float edge, cell, band;
    } cases[] = {{wf_makeSphere, 0.06f, 0.02f, 0.04f}, {wf_makeTorus, 0.06f, 0.02f, 0.02f}, {wf_makeSpikes, 0.15f, 0.05f, 0.05f}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        wfMesh mesh = MakeBody(cases[k].shape, cases[k].edge);
        Rig rig = MakeRig(&mesh, cases[k].cell, cases[k].band, 2);
        CheckValues(&rig.sdf, &mesh, &mesh, 67);
        FreeRig(&rig);
        wfMesh_Free(&mesh);
    }
    wfMesh figure = MakeFigure(0.04f);
    Rig rig = MakeRig(&figure, 0.02f, 0.03f, 2);
    CheckValues(&rig.sdf, &figure, &figure, 211);
    FreeRig(&rig);
    wfMesh_Free(&figure);
}

// ---- what is sampled ----------------------------------------------------------------------------------------------------------

static void SampleAt(const wfSdf* sdf, const wfVec4* points, wfVec4* out, int count) {
    wfBuffer p = wfMakeBuffer(sizeof(wfVec4), "test.p"), v = wfMakeBuffer(sizeof(wfVec4), "test.v");
    wfError err = {0};
    wfUpload(sdf->device, &p, points, (size_t)count);
    wfSdf_Sample(sdf, &p, &v);
    CHECK_OK(wfDownload(sdf->device, out, &v, 0, (size_t)count, &err), err);
    wfFreeBuffer(sdf->device, &p);
    wfFreeBuffer(sdf->device, &v);
}

enum { Samples = 1000 };

/// The largest difference within the band to the signed distance of the triangles, in cells.
static double WorstError(const wfMesh* mesh, const Rig* rig) {
    static wfVec4 points[Samples], values[Samples];
    wfVec3 lo, hi;
    wfMesh_Bounds(mesh->positions, mesh->vertexCount, &lo, &hi);
    float band = rig->sdf.band;
    uint32_t seed = 3;
    for (int i = 0; i < Samples; ++i) { // around triangles: most points of a box are far from the surface
        const int* v = mesh->triangles[(int)((uint32_t)i * 7919u % (uint32_t)mesh->triangleCount)].v;
        wfVec3 p = wfLerp(mesh->positions[v[0]], wfLerp(mesh->positions[v[1]], mesh->positions[v[2]], 0.5f + 0.5f * Random(&seed)),
                          0.5f + 0.5f * Random(&seed));
        points[i] = wfMake4(wfAdd(p, RandomIn(&seed, wfMake3(-band, -band, -band), wfMake3(band, band, band))), 0.0f);
    }
    SampleAt(&rig->sdf, points, values, Samples);
    double worst = 0.0;
    int counted = 0;
    for (int i = 0; i < Samples; ++i) {
        double distance = BruteDistance(mesh, wfXyz(points[i]));
        if (distance > (double)band) continue;
        if (fabs(BruteWinding(mesh, wfXyz(points[i]))) > 0.5) distance = -distance;
        worst = fmax(worst, fabs((double)values[i].w - distance));
        ++counted;
    }
    assert_true(counted > Samples / 3);
    return worst / (double)rig->sdf.cell;
}

static void TestErrorIsBelowHalfACell(void** state) {
    (void)state;
    static const struct {
        wfGenerator shape;
        const char* name;
        float cell;
    } cases[] = {{wf_makeSphere, "sphere", 0.02f}, {wf_makeTorus, "torus", 0.02f}, {wf_makeCapsule, "capsule", 0.01f}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        wfMesh mesh = MakeBody(cases[k].shape, 0.05f);
        Rig rig = MakeRig(&mesh, cases[k].cell, 2.0f * cases[k].cell, 2);
        double worst = WorstError(&mesh, &rig);
        print_message("%s: worst error %.3f cells\n", cases[k].name, worst);
        assert_true(worst < 0.5);
        FreeRig(&rig);
        wfMesh_Free(&mesh);
    }
    wfMesh figure = MakeFigure(0.04f);
    Rig rig = MakeRig(&figure, 0.01f, 0.02f, 2);
    double worst = WorstError(&figure, &rig);
    print_message("figure: worst error %.3f cells\n", worst);
    assert_true(worst < 0.5);
    FreeRig(&rig);
    wfMesh_Free(&figure);
}

/// What safe repulsion takes for bodies that bend: wide cells on what is round, of no more error than narrow ones have at a right angle.
static void TestCellsGoByBends(void** state) {
    (void)state;
    const float mean = 0.0044f;
    static const wfGenerator shapes[] = {wf_makeCapsule, wf_makeTorus, wf_makeBox};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k) {
        wfMesh mesh = MakeBody(shapes[k], 0.02f);
        wfMeshView view = wfMesh_View(&mesh);
        float cell = 0.0f;
        wfError err = {0};
        CHECK_OK(wfRepulsion_CellFor(&view, mean, &cell, &err), err);
        Rig rig = MakeRig(&mesh, cell, 2.38f * mean, 2);
        double worst = WorstError(&mesh, &rig) * (double)cell;
        print_message("%s: cells of %.2f edges, off by %.3f\n", shapes[k] == wf_makeBox ? "box" : "round", (double)(cell / mean),
                      worst / (double)mean);
        if (shapes[k] == wf_makeBox)
            assert_true(cell < 0.48f * mean);
        else
            assert_true(cell > 0.7f * mean && worst <= 0.168 * (double)mean);
        FreeRig(&rig);
        wfMesh_Free(&mesh);
    }
}

/// The exact sphere: distance, gradient, and what lies far out and deep inside.
static void TestSphereAgainstItsFormula(void** state) {
    (void)state;
    wfMesh mesh = MakeBody(wf_makeSphere, 0.012f);
    const float cell = 0.02f, radius = 0.25f;
    Rig rig = MakeRig(&mesh, cell, 2.0f * cell, 2);
    static wfVec4 points[Samples], values[Samples];
    uint32_t seed = 8;
    for (int i = 0; i < Samples; ++i) {
        float half = i % 3 == 0 ? 0.3f : 0.6f;
        points[i] = wfMake4(RandomIn(&seed, wfMake3(-half, -half, -half), wfMake3(half, half, half)), 0.0f);
    }
    SampleAt(&rig.sdf, points, values, Samples);
    int banded = 0, beyond = 0;
    for (int i = 0; i < Samples; ++i) {
        wfVec3 p = wfXyz(points[i]), g = wfXyz(values[i]);
        float exact = wfLength(p) - radius, turned = wfDot(wfNormalizeOr(g, wfMake3(0, 0, 0)), wfNormalizeOr(p, wfMake3(0, 1, 0)));
        assert_true((values[i].w < 0.0f) == (exact < 0.0f) || fabsf(exact) < 0.1f * cell);
        if (fabsf(exact) < 2.0f * cell) { // faces of the mesh stand about 1e-4 inside the sphere, and are flat
            CHECK_NEAR((double)values[i].w, (double)exact, 0.05 * (double)cell);
            assert_true(turned > 0.995f);
            CHECK_NEAR((double)wfLength(g), 1.0, 0.03);
            ++banded;
        } else {
            assert_true(fabsf(values[i].w) >= 1.99f * cell);
            if (exact > 0.0f) { // going out never turns back
                assert_true(turned > 0.7f);
                ++beyond;
            } else if (exact > -0.5f * radius) {
                assert_true(turned > 0.7f);
            }
        }
    }
    assert_true(banded > 50 && beyond > 400);
    // The gradient is that of what is sampled: central differences within a cell.
    int compared = 0;
    for (int i = 0; i < Samples; ++i) {
        const float h = 1e-3f * cell;
        wfVec4 around[7];
        wfVec4 at[7];
        bool split = false;
        for (int k = 0; k < 7; ++k) {
            float step = k % 2 == 1 ? h : -h;
            wfVec3 p = wfXyz(points[i]);
            if (k > 0) p = wfAdd(p, k < 3 ? wfMake3(step, 0, 0) : k < 5 ? wfMake3(0, step, 0) : wfMake3(0, 0, step));
            around[k] = wfMake4(p, 0.0f);
        }
        const float* o = (const float*)&rig.sdf.field.origin;
        for (int k = 1; k < 7; ++k)
            for (int c = 0; c < 3; ++c)
                split = split || floorf(((&around[k].x)[c] - o[c]) / cell) != floorf(((&around[0].x)[c] - o[c]) / cell);
        float exact = wfLength(wfXyz(points[i])) - radius;
        if (split || fabsf(exact) > 2.0f * cell) continue;
        SampleAt(&rig.sdf, around, at, 7);
        CHECK_NEAR((double)at[0].x, (double)((at[1].w - at[2].w) / (2.0f * h)), 5e-3);
        CHECK_NEAR((double)at[0].y, (double)((at[3].w - at[4].w) / (2.0f * h)), 5e-3);
        CHECK_NEAR((double)at[0].z, (double)((at[5].w - at[6].w) / (2.0f * h)), 5e-3);
        ++compared;
    }
    assert_true(compared > 50);
    wfVec4 bad = {.x = NAN, .y = 0.0f, .z = 0.0f, .w = 0.0f}, out;
    SampleAt(&rig.sdf, &bad, &out, 1);
    assert_true(isnan(out.w));
    FreeRig(&rig);
    wfMesh_Free(&mesh);
}

// ---- bodies that move ---------------------------------------------------------------------------------------------------------

/// A capsule as a shape and as a field, both turned and moved: the same call gives the same answer.
static void TestBodyIsShapeOrField(void** state) {
    (void)state;
    wfMesh mesh = MakeBody(wf_makeCapsule, 0.01f);
    Rig rig = MakeRig(&mesh, 0.01f, 0.02f, 2);
    wfBody exact = {.shape = {.kind = wf_shapeCapsule, .radius = 0.1f, .half = {0.0f, 0.2f, 0.0f}}};
    wfBody field = {.shape = {.kind = wf_shapeMesh}, .field = rig.sdf.field};
    uint32_t seed = 21;
    int near = 0;
    for (int i = 0; i < 2000; ++i) {
        wfPose pose = {RandomIn(&seed, wfMake3(-3, -3, -3), wfMake3(3, 3, 3)),
                       wfQuatAxisAngle(wfMake3(1, Random(&seed), 2), 3.0f * Random(&seed))};
        wfVec3 p = wfPose_Apply(pose, RandomIn(&seed, wfMake3(-0.13f, -0.33f, -0.13f), wfMake3(0.13f, 0.33f, 0.13f))), ne, nf;
        float de = wfBody_DistanceAt(&exact, pose, p, &ne), df = wfBody_DistanceAt(&field, pose, p, &nf);
        CHECK_NEAR((double)wfLength(nf), 1.0, 1e-5);
        if (fabsf(de) > 0.02f) {
            assert_true((de < 0.0f) == (df < 0.0f));
            continue;
        }
        CHECK_NEAR((double)df, (double)de, 0.05 * 0.01);
        assert_true(wfDot(ne, nf) > 0.99f);
        ++near;
    }
    assert_true(near > 200);
    FreeRig(&rig);
    wfMesh_Free(&mesh);
}

static wfVec3 Bend(wfVec3 p, float amount) {
    wfVec3 q = wfRotate(wfQuatAxisAngle(wfMake3(0, 1, 0), amount * p.y), p);
    return wfMake3(q.x * (1.0f + 0.3f * amount * q.y) + 0.4f * amount, q.y, q.z);
}

static void TestDeformingBodyIsRebuilt(void** state) {
    (void)state;
    wfMesh mesh = MakeBody(wf_makeTorus, 0.07f), bent = {0};
    wfError err = {0};
    CHECK_OK(wfMesh_Copy(&bent, &mesh, &err), err);
    Rig rig = MakeRig(&mesh, 0.02f, 0.03f, 2);
    wfBuffer x = wfMakeBuffer(sizeof(wfVec4), "test.x");
    wfVec4* host = malloc((size_t)mesh.vertexCount * sizeof *host);
    wfReserve(rig.device, &x, (size_t)mesh.vertexCount);
    int64_t warm = 0;
    for (int step = 0; step <= 9; ++step) {
        for (int i = 0; i < mesh.vertexCount; ++i) {
            bent.positions[i] = Bend(mesh.positions[i], 0.5f * sinf((float)step));
            host[i] = wfMake4(bent.positions[i], 0.0f);
        }
        wfUploadRange(rig.device, &x, 0, host, (size_t)mesh.vertexCount);
        wfSurface_Move(&rig.surface, &x);
        CHECK_OK(wfSdf_Build(&rig.sdf, &rig.surface, &err), err);
        CHECK_OK(wfSdf_Check(&rig.sdf, &err), err);
        if (step == 6) warm = wfDevice_GetAllocCount(rig.device); // by then it has had its largest extent
    }
    assert_int_equal(wfDevice_GetAllocCount(rig.device), warm);
    CheckValues(&rig.sdf, &bent, &bent, 97);
    // The field of a body that came there by moving is that of one that was made there.
    Rig fresh = MakeRig(&bent, 0.02f, 0.03f, 1);
    static wfVec4 points[Samples], here[Samples], there[Samples];
    uint32_t seed = 12;
    int near = 0;
    for (int i = 0; i < Samples; ++i) {
        wfVec3 p = bent.positions[i % bent.vertexCount];
        points[i] = wfMake4(wfAdd(p, RandomIn(&seed, wfMake3(-0.03f, -0.03f, -0.03f), wfMake3(0.03f, 0.03f, 0.03f))), 0.0f);
    }
    SampleAt(&rig.sdf, points, here, Samples);
    SampleAt(&fresh.sdf, points, there, Samples);
    for (int i = 0; i < Samples; ++i) {
        if (fabsf(there[i].w) > 0.03f) continue;
        CHECK_NEAR((double)here[i].w, (double)there[i].w, 1e-6);
        ++near;
    }
    assert_true(near > Samples / 2);
    host[3].x = INFINITY;
    wfUploadRange(rig.device, &x, 0, host, (size_t)mesh.vertexCount);
    wfSurface_Move(&rig.surface, &x);
    CHECK_FAILS(wfSdf_Build(&rig.sdf, &rig.surface, &err), err, "body: vertex 3 is not finite");
    wfFreeBuffer(rig.device, &x);
    free(host);
    FreeRig(&rig);
    FreeRig(&fresh);
    wfMesh_Free(&mesh);
    wfMesh_Free(&bent);
}

/// Near points a field that was made there alone has the same bits as a whole one, and it says where it knows nothing.
static void CheckNearPoints(bool brief) {
    wfMesh mesh = MakeFigure(0.04f);
    Rig whole = MakeRig(&mesh, 0.01f, 0.02f, 1), part = MakeRig(&mesh, 0.01f, 0.02f, 2);
    static wfVec4 from[Samples], to[Samples], all[Samples], some[Samples];
    wfPose pose = {.translate = {0.2f, -0.1f, 0.3f}, .rotate = wfQuatAxisAngle(wfMake3(0, 1, 0), 0.7f)};
    uint32_t seed = 5;
    for (int i = 0; i < Samples; ++i) { // about the head, seen from where the body is
        wfVec3 p = RandomIn(&seed, wfMake3(-0.1f, 0.4f, -0.1f), wfMake3(0.15f, 0.6f, 0.1f));
        from[i] = wfMake4(wfPose_Apply(pose, p), 0.0f);
        to[i] = wfMake4(wfPose_Apply(pose, wfAdd(p, RandomIn(&seed, wfMake3(-0.02f, 0, 0), wfMake3(0.02f, 0.03f, 0)))), 0.0f);
    }
    wfBuffer a = wfMakeBuffer(sizeof(wfVec4), "test.a"), b = wfMakeBuffer(sizeof(wfVec4), "test.b");
    wfUpload(part.device, &a, from, Samples);
    wfUpload(part.device, &b, to, Samples);
    wfSdfWhere where = {wfData(&a, wfVec4), wfData(&b, wfVec4), Samples, {pose, pose}, 0.02f, brief};
    wfError err = {0};
    CHECK_OK(wfSdf_BuildNear(&part.sdf, &part.surface, &where, &err), err);
    CHECK_OK(wfSdf_Check(&part.sdf, &err), err);
    assert_true(part.sdf.brickCount > 10 && 3 * part.sdf.brickCount < whole.sdf.brickCount);
    assert_true(8 * part.sdf.corners.count < whole.sdf.corners.count); // the lattice ends about the head
    int far = 0;                                                       // outside, of which it need not say how far
    for (int end = 0; end < 2; ++end) {
        for (int i = 0; i < Samples; ++i) from[i] = wfMake4(wfPose_Unapply(pose, wfXyz(end ? to[i] : from[i])), 0.0f);
        SampleAt(&whole.sdf, from, all, Samples);
        SampleAt(&part.sdf, from, some, Samples);
        for (int i = 0; i < Samples; ++i) {
            float reach = part.sdf.field.reach;
            if (all[i].w < reach) CHECK_NEAR((double)some[i].w, (double)all[i].w, 0.0);
            if (all[i].w >= reach) assert_true(some[i].w >= 0.9999f * reach && some[i].w <= 1.0001f * all[i].w);
            far += all[i].w >= reach;
            assert_true(wfSdf_Knows(&part.sdf.field, wfXyz(from[i])));
        }
    }
    assert_in_range(far, Samples / 20, Samples);
    assert_true(wfSdf_Covers(&part.sdf, &where));
    where.margin = 0.2f;
    assert_false(wfSdf_Covers(&part.sdf, &where));
    assert_true(wfSdf_Covers(&whole.sdf, &where));
    assert_false(wfSdf_Knows(&part.sdf.field, wfMake3(0.0f, -0.2f, 0.14f)));
    assert_true(wfSdf_Knows(&part.sdf.field, wfMake3(0.0f, -9.0f, 0.0f)));
    // Nothing is asked of a body that is far away.
    where.poses[0].translate.x = where.poses[1].translate.x = 50.0f;
    CHECK_OK(wfSdf_BuildNear(&part.sdf, &part.surface, &where, &err), err);
    assert_int_equal(part.sdf.brickCount, 0);
    assert_int_equal(part.sdf.corners.count, 8);
    assert_true(wfSdf_Covers(&part.sdf, &where));
    wfFreeBuffer(part.device, &a);
    wfFreeBuffer(part.device, &b);
    FreeRig(&whole);
    FreeRig(&part);
    wfMesh_Free(&mesh);
}

static void TestNearPoints(void** state) {
    (void)state;
    CheckNearPoints(false);
    CheckNearPoints(true);
}

static void TestThreadsGiveTheSameBits(void** state) {
    (void)state;
    wfMesh mesh = MakeFigure(0.04f);
    Rig one = MakeRig(&mesh, 0.02f, 0.02f, 1);
    Values a = ReadValues(&one.sdf);
    for (int threads = 2; threads <= 7; threads += 5) {
        Rig many = MakeRig(&mesh, 0.02f, 0.02f, threads);
        Values b = ReadValues(&many.sdf);
        assert_true(SameValues(&a, &b));
        FreeValues(&b);
        FreeRig(&many);
    }
    FreeValues(&a);
    FreeRig(&one);
    wfMesh_Free(&mesh);
}

// ---- meshes with defects ------------------------------------------------------------------------------------------------------

/// The mesh with what closes it.
static wfMesh Close(const wfMesh* mesh) {
    wfArena arena = {0};
    wfFans fans;
    wfError err = {0};
    wfMeshView view = wfMesh_View(mesh);
    wfMesh closed = {0};
    CHECK_OK(wfFindFans(&view, &arena, &fans, &err), err);
    assert_true(fans.fanCount > 0);
    CHECK_OK(wfMesh_Create(&closed, mesh->vertexCount + fans.fanCount, mesh->triangleCount + fans.triangleCount, false, &err), err);
    memcpy(closed.positions, mesh->positions, (size_t)mesh->vertexCount * sizeof(wfVec3));
    memcpy(closed.triangles, mesh->triangles, (size_t)mesh->triangleCount * sizeof(wfTriangle));
    memcpy(closed.triangles + mesh->triangleCount, fans.triangles, (size_t)fans.triangleCount * sizeof(wfTriangle));
    for (int f = 0; f < fans.fanCount; ++f) {
        wfVec3 sum = {0};
        int first = fans.vertices.start[f], last = fans.vertices.start[f + 1];
        for (int k = first; k < last; ++k) sum = wfAdd(sum, mesh->positions[fans.vertices.item[k]]);
        closed.positions[mesh->vertexCount + f] = wfScale(sum, 1.0f / (float)(last - first));
    }
    wfArena_Free(&arena);
    return closed;
}

/// Triangles left out and turned over here and there, and one moved to the wrong edge: the sign is that of the whole body.
static void TestSignOnBrokenMeshes(void** state) {
    (void)state;
    wfMesh whole = MakeBody(wf_makeTorus, 0.03f);
    for (int kind = 0; kind < 3; ++kind) {
        wfMesh mesh = MakeBody(wf_makeTorus, 0.03f);
        int kept = 0;
        for (int t = 0; t < mesh.triangleCount; ++t) {
            wfTriangle triangle = mesh.triangles[t];
            if (t % 53 == 11) {
                if (kind == 0) continue;
                if (kind == 1) triangle = (wfTriangle){{triangle.v[1], triangle.v[0], triangle.v[2]}};
                if (kind == 2) triangle = mesh.triangles[t + 1];
            }
            mesh.triangles[kept++] = triangle;
        }
        mesh.triangleCount = kept;
        Rig rig = MakeRig(&mesh, 0.02f, 0.03f, 2);
        wfMesh closed = Close(&mesh);
        CheckValues(&rig.sdf, &closed, &whole, 151);
        wfMesh_Free(&closed);
        FreeRig(&rig);
        wfMesh_Free(&mesh);
    }
    wfMesh_Free(&whole);
}

/// A plate thinner than a cell, inside out.
static void TestThinPlateInsideOut(void** state) {
    (void)state;
    wfGenerateDef def = wfDefaultGenerateDef();
    def.shape = wf_makeBox;
    def.size = wfMake3(0.3f, 0.013f, 0.2f);
    def.edge = 0.05f;
    wfMesh mesh = {0};
    wfError err = {0};
    CHECK_OK(wfGenerate(&mesh, &def, &err), err);
    for (int t = 0; t < mesh.triangleCount; ++t) {
        int* v = mesh.triangles[t].v;
        int swap = v[0];
        v[0] = v[1];
        v[1] = swap;
    }
    wfMesh_Transform(&mesh, wfMake3(1, 1, 1), wfQuatAxisAngle(wfMake3(1, 2, 1), 0.7f), wfMake3(0.01f, 0.02f, 0.03f));
    Rig rig = MakeRig(&mesh, 0.01f, 0.03f, 1);
    CheckValues(&rig.sdf, &mesh, &mesh, 13);
    FreeRig(&rig);
    wfMesh_Free(&mesh);
}

static void TestCellTooSmall(void** state) {
    (void)state;
    wfMesh mesh = MakeBody(wf_makeSphere, 0.1f);
    Rig rig = MakeRig(&mesh, 0.05f, 0.05f, 1);
    wfSdf sdf;
    wfError err;
    wfSdf_Create(&sdf, rig.device, 1e-5f, 1e-5f);
    CHECK_FAILS(wfSdf_Build(&sdf, &rig.surface, &err), err,
                "body: cells of 1e-05 m are too small for a body from (-0.245, -0.245, -0.245) to (0.245, 0.245, 0.245)");
    wfSdf_Free(&sdf);
    FreeRig(&rig);
    wfMesh_Free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestValuesAreExact),     cmocka_unit_test(TestErrorIsBelowHalfACell),
        cmocka_unit_test(TestCellsGoByBends),     cmocka_unit_test(TestSphereAgainstItsFormula),
        cmocka_unit_test(TestBodyIsShapeOrField), cmocka_unit_test(TestDeformingBodyIsRebuilt),
        cmocka_unit_test(TestNearPoints),         cmocka_unit_test(TestThreadsGiveTheSameBits),
        cmocka_unit_test(TestSignOnBrokenMeshes), cmocka_unit_test(TestThinPlateInsideOut),
        cmocka_unit_test(TestCellTooSmall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
