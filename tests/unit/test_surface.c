// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "body_fixture.h"

#include "collide/surface.h"

#include <stdlib.h>

// A surface's tree against every triangle in double precision; what closes open meshes against the winding number being whole.

enum { Points = 300 };

typedef struct Answers {
    wfSurfaceHit closest[Points], rays[Points];
    float winding[Points];
} Answers;

static void Ask(const wfSurface* surface, const wfVec4* points, const wfRay* rays, Answers* out) {
    wfDevice* device = surface->device;
    wfError err = {0};
    wfBuffer p = wfMakeBuffer(sizeof(wfVec4), "test.p"), r = wfMakeBuffer(sizeof(wfRay), "test.r"),
             hits = wfMakeBuffer(sizeof(wfSurfaceHit), "test.hits"), numbers = wfMakeBuffer(sizeof(float), "test.numbers");
    wfUpload(device, &p, points, Points);
    wfUpload(device, &r, rays, Points);
    wfSurface_FindClosest(surface, &p, &hits);
    CHECK_OK(wfDownload(device, out->closest, &hits, 0, Points, &err), err);
    wfSurface_CastRays(surface, &r, &hits);
    CHECK_OK(wfDownload(device, out->rays, &hits, 0, Points, &err), err);
    wfSurface_FindWinding(surface, &p, &numbers);
    CHECK_OK(wfDownload(device, out->winding, &numbers, 0, Points, &err), err);
    wfFreeBuffer(device, &p);
    wfFreeBuffer(device, &r);
    wfFreeBuffer(device, &hits);
    wfFreeBuffer(device, &numbers);
}

/// First meeting of a ray with a triangle, by solving for it (Cramer), in double precision.
static double BruteCast(const wfMesh* mesh, const wfRay* ray, int* triangle) {
    double best = (double)ray->limit;
    *triangle = -1;
    for (int t = 0; t < mesh->triangleCount; ++t) {
        const int* v = mesh->triangles[t].v;
        wfVec3D a = wfWiden(mesh->positions[v[0]]), d = wfWiden(ray->along), o = wfSubD(wfWiden(ray->from), a);
        wfVec3D ab = wfSubD(wfWiden(mesh->positions[v[1]]), a), ac = wfSubD(wfWiden(mesh->positions[v[2]]), a);
        wfVec3D n = wfCrossD(ab, ac);
        double det = -wfDotD(d, n);
        if (det == 0.0) continue;
        wfVec3D q = wfCrossD(o, d);
        double at = wfDotD(o, n) / det, u = wfDotD(ac, q) / det, w = -wfDotD(ab, q) / det;
        if (u < 0.0 || w < 0.0 || u + w > 1.0 || at < 0.0 || at >= best) continue;
        best = at;
        *triangle = t;
    }
    return best;
}

static void CheckQueries(const wfMesh* mesh, const wfSurface* surface) {
    static wfVec4 points[Points];
    static wfRay rays[Points];
    static Answers answers;
    wfVec3 lo, hi;
    uint32_t seed = 17;
    wfMesh_Bounds(mesh->positions, mesh->vertexCount, &lo, &hi);
    wfVec3 pad = wfMake3(0.2f, 0.2f, 0.2f);
    for (int i = 0; i < Points; ++i) {
        points[i] = wfMake4(RandomIn(&seed, wfSub(lo, pad), wfAdd(hi, pad)), i % 3 == 0 ? 0.03f : 10.0f);
        wfVec3 to = RandomIn(&seed, lo, hi);
        rays[i].from = wfXyz(points[i]);
        // Some exactly at a vertex or the middle of an edge: nothing may slip through there.
        const int* v = mesh->triangles[i % mesh->triangleCount].v;
        if (i % 4 == 1) to = mesh->positions[v[0]];
        if (i % 4 == 2) to = wfScale(wfAdd(mesh->positions[v[0]], mesh->positions[v[1]]), 0.5f);
        rays[i].along = wfSub(to, rays[i].from);
        rays[i].limit = i % 5 == 0 ? 0.5f : 100.0f;
    }
    Ask(surface, points, rays, &answers);
    int near = 0, met = 0;
    for (int i = 0; i < Points; ++i) {
        wfVec3 p = wfXyz(points[i]);
        double distance = BruteDistance(mesh, p);
        const wfSurfaceHit* hit = &answers.closest[i];
        if (distance > (double)points[i].w + 1e-6) {
            assert_int_equal(hit->triangle, -1);
        } else if (distance < (double)points[i].w - 1e-6) {
            ++near;
            CHECK_NEAR((double)hit->distance, distance, 1e-6);
            const int* v = mesh->triangles[hit->triangle].v;
            wfVec3 q = wfScale(mesh->positions[v[0]], hit->w[0]);
            q = wfMulAdd(wfMulAdd(q, hit->w[1], mesh->positions[v[1]]), hit->w[2], mesh->positions[v[2]]);
            CHECK_NEAR((double)wfDistance(q, hit->point), 0.0, 1e-6);
            CHECK_NEAR((double)wfDistance(p, hit->point), distance, 1e-6);
            CHECK_NEAR((double)wfLength(hit->normal), 1.0, 1e-5);
        }
        double winding = BruteWinding(mesh, p);
        CHECK_NEAR((double)answers.winding[i], winding, 0.05);
        int triangle;
        double at = BruteCast(mesh, &rays[i], &triangle);
        hit = &answers.rays[i];
        // At a vertex or an edge that is an outline, rounding decides; then the answer must be on the surface, and no later.
        if (hit->triangle < 0) {
            if (i % 4 == 0 || i % 4 == 3) assert_int_equal(triangle, -1);
        } else {
            ++met;
            if (i % 4 == 0 || i % 4 == 3) CHECK_NEAR((double)hit->distance, at, 1e-6 * (1.0 + at));
            assert_true((double)hit->distance <= at * (1.0 + 1e-6) + 1e-6);
            CHECK_NEAR(BruteDistance(mesh, hit->point), 0.0, 2e-6);
        }
        if (winding > 0.5 && rays[i].limit > 1.0f) assert_true(hit->triangle >= 0); // nothing gets out
    }
    assert_true(near > Points / 2 && met > Points / 2);
}

static void TestQueries(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    static const wfGenerator shapes[] = {wf_makeSphere, wf_makeTorus, wf_makeBox, wf_makeStairs};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k) {
        wfMesh mesh = MakeBody(shapes[k], 0.07f);
        wfSurface surface;
        wfError err = {0};
        wfMeshView view = wfMesh_View(&mesh);
        CHECK_OK(wfSurface_Create(&surface, device, &view, 0.0f, "body", &err), err);
        assert_int_equal(surface.fanCount, 0);
        CheckQueries(&mesh, &surface);
        // Bent, the tree is the old one with new boxes: the answers must still be those of every triangle.
        wfBuffer moved = wfMakeBuffer(sizeof(wfVec4), "test.moved");
        wfVec4* x = malloc((size_t)mesh.vertexCount * sizeof *x);
        for (int i = 0; i < mesh.vertexCount; ++i) {
            wfVec3* p = &mesh.positions[i];
            *p = wfAdd(wfRotate(wfQuatAxisAngle(wfMake3(1, 2, 3), 3.0f * p->y), *p), wfMake3(0.1f * sinf(9.0f * p->x), 0.0f, 0.3f));
            x[i] = wfMake4(*p, 0.0f);
        }
        wfUpload(device, &moved, x, (size_t)mesh.vertexCount);
        wfSurface_Move(&surface, &moved);
        CheckQueries(&mesh, &surface);
        // A position that is not finite has a name.
        wfVec4 bad = {.x = 0.0f, .y = NAN, .z = 0.0f, .w = 0.0f};
        wfUploadRange(device, &moved, 5, &bad, 1);
        wfSurface_Move(&surface, &moved);
        wfVec3 lo, hi;
        CHECK_FAILS(wfSurface_Bounds(&surface, &lo, &hi, &err), err, "body: vertex 5 is not finite");
        free(x);
        wfFreeBuffer(device, &moved);
        wfSurface_Free(&surface);
        wfMesh_Free(&mesh);
    }
    wfDestroyDevice(device);
}

/// Keeps the triangles that `keep` wants.
static void Drop(wfMesh* mesh, bool (*drop)(const wfMesh* mesh, int triangle)) {
    int kept = 0;
    for (int t = 0; t < mesh->triangleCount; ++t)
        if (!drop(mesh, t)) mesh->triangles[kept++] = mesh->triangles[t];
    mesh->triangleCount = kept;
}

static bool NearTop(const wfMesh* mesh, int t) { return mesh->positions[mesh->triangles[t].v[0]].y > 0.245f; }
static bool EveryHundredth(const wfMesh* mesh, int t) {
    (void)mesh;
    return t % 100 == 3;
}

/// The winding number of a closed surface is whole wherever one asks, and that of the body it was.
static void CheckClosed(wfMesh* broken, const wfMesh* whole, int fans) {
    wfDevice* device = OpenCpu(1);
    wfSurface surface;
    wfError err = {0};
    wfMeshView view = wfMesh_View(broken);
    CHECK_OK(wfSurface_Create(&surface, device, &view, 0.3f, "body", &err), err);
    if (fans >= 0) assert_int_equal(surface.fanCount, fans);
    static wfVec4 points[Points];
    static wfRay rays[Points];
    static Answers answers;
    uint32_t seed = 5;
    for (int i = 0; i < Points; ++i) {
        points[i] = wfMake4(RandomIn(&seed, wfMake3(-0.4f, -0.4f, -0.4f), wfMake3(0.4f, 0.4f, 0.4f)), 1.0f);
        rays[i] = (wfRay){wfXyz(points[i]), wfMake3(1, 0, 0), 1.0f};
    }
    Ask(&surface, points, rays, &answers);
    for (int i = 0; i < Points; ++i) {
        CHECK_NEAR((double)answers.winding[i], rint((double)answers.winding[i]), 0.05);
        if (BruteDistance(whole, wfXyz(points[i])) > 0.02)
            CHECK_NEAR((double)answers.winding[i], rint(BruteWinding(whole, wfXyz(points[i]))), 0.05);
    }
    wfSurface_Free(&surface);
    wfDestroyDevice(device);
}

static void TestHolesAreClosed(void** state) {
    (void)state;
    wfMesh whole = MakeBody(wf_makeSphere, 0.03f), mesh = MakeBody(wf_makeSphere, 0.03f);
    Drop(&mesh, NearTop);
    CheckClosed(&mesh, &whole, 1);
    wfMesh_Free(&mesh);
    mesh = MakeBody(wf_makeSphere, 0.03f);
    Drop(&mesh, EveryHundredth);
    CheckClosed(&mesh, &whole, -1);
    wfMesh_Free(&mesh);
    wfMesh_Free(&whole);
}

static void TestTurnedTrianglesAreClosed(void** state) {
    (void)state;
    wfMesh whole = MakeBody(wf_makeSphere, 0.03f), mesh = MakeBody(wf_makeSphere, 0.03f);
    for (int t = 7; t < mesh.triangleCount; t += 97) {
        int* v = mesh.triangles[t].v;
        int swap = v[0];
        v[0] = v[1];
        v[1] = swap;
    }
    // A third triangle at an edge, and one triangle twice.
    mesh.triangles[50] = mesh.triangles[51];
    mesh.triangles[200].v[0] = mesh.triangles[203].v[1];
    CheckClosed(&mesh, &whole, -1);
    wfMesh_Free(&mesh);
    wfMesh_Free(&whole);
}

static void TestLargeHoleHasAPlace(void** state) {
    (void)state;
    wfMesh mesh = MakeBody(wf_makeSphere, 0.03f);
    Drop(&mesh, NearTop);
    wfDevice* device = OpenCpu(1);
    wfSurface surface;
    wfError err;
    wfMeshView view = wfMesh_View(&mesh);
    CHECK_FAILS(wfSurface_Create(&surface, device, &view, 0.05f, "bust", &err), err,
                "bust: the surface is open, or its triangles disagree, about (0.000252, 0.245, -0.0131): 12 vertices (vertex 71), 0.133 m "
                "across; at most 0.05 m is closed");
    wfSurface_Free(&surface);
    wfDestroyDevice(device);
    wfMesh_Free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestQueries),
        cmocka_unit_test(TestHolesAreClosed),
        cmocka_unit_test(TestTurnedTrianglesAreClosed),
        cmocka_unit_test(TestLargeHoleHasAPlace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
