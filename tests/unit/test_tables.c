// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "patch.h"

#include "elastic/tables.h"

#include <stdio.h>
#include <string.h>

// The device's tables against the sum of terms on the host in double precision: gradient, energy, and the bound of the second derivative.

static const wfElasticDef s_defs[] = {
    {.membrane = wf_membraneSprings, .bending = wf_bendingSprings},
    {.membrane = wf_membraneSprings, .bending = wf_bendingQuadratic},
    {.membrane = wf_membraneSprings, .bending = wf_bendingNone},
    {.membrane = wf_membraneStVK, .bending = wf_bendingQuadratic},
    {.membrane = wf_membraneCorotational, .bending = wf_bendingNone},
    {.membrane = wf_membraneFabric, .bending = wf_bendingQuadratic},
    {.membrane = wf_membraneFabric, .bending = wf_bendingSprings},
    {.membrane = wf_membraneFabric, .bending = wf_bendingQuadratic, .restAngles = true},
    {.membrane = wf_membraneFabric, .bending = wf_bendingDihedral},
    {.membrane = wf_membraneCorotational, .bending = wf_bendingDihedral, .restAngles = true},
    {.membrane = wf_membraneFabric, .bending = wf_bendingMeshless},
};
enum { DefCount = sizeof s_defs / sizeof s_defs[0] };

static double Random(uint64_t* seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 33) / 1073741824.0 - 1.0;
}

static wfFabric Cloth(void) {
    wfFabric fabric = wfDefaultFabric();
    fabric.stretch_warp = 2.0f;
    fabric.stretch_weft = 0.7f;
    fabric.bend_warp = 3.0f;
    fabric.bend_bias = 0.5f;
    fabric.bending = 1e-3f; // strong, so that it counts beside the membrane
    return fabric;
}

/// The sheet bent to part of a cylinder, stretched by some per cent and shaken.
static void Deform(const wfModel* model, uint64_t seed, double shake, wfVec4* x4, wfVec3D* x) {
    for (int v = 0; v < model->vertexCount; ++v) {
        wfVec3 p = model->start[v];
        double angle = 4.0 * p.x;
        wfVec3D q = wfMake3D(sin(angle) / 4.0, 0.1 + (1.0 - cos(angle)) / 4.0, 1.04 * p.z);
        q = wfAddD(q, wfMake3D(shake * Random(&seed), shake * Random(&seed), shake * Random(&seed)));
        x4[v] = wfMake4(wfMake3((float)q.x, (float)q.y, (float)q.z), model->mass[v]);
        x[v] = wfWiden(wfXyz(x4[v]));
    }
}

static void CheckModel(wfDevice* device, const wfModel* model, const wfElasticDef* def) {
    wfError err = {0};
    size_t n = (size_t)model->vertexCount;
    wfElasticTables tables = {0};
    wfElastic host = {0};
    CHECK_OK(wfElasticTables_Create(&tables, device, model, def, &err), err);
    CHECK_OK(wfElastic_Create(&host, model, def, &err), err);
    wfVec4 *x4 = calloc(n, sizeof *x4), *out = calloc(n, sizeof *out);
    wfVec3D *x = calloc(n, sizeof *x), *g = calloc(n, sizeof *g);
    assert_true(x4 != NULL && out != NULL && x != NULL && g != NULL);
    wfBuffer bx = wfMakeBuffer(sizeof(wfVec4), "x"), bg = wfMakeBuffer(sizeof(wfVec4), "g");
    wfReserve(device, &bg, n);
    for (int round = 0; round < 2; ++round) {
        Deform(model, 17, round == 0 ? 0.0 : 1e-3, x4, x);
        wfUpload(device, &bx, x4, n);
        wfElasticTables_Hold(&tables, device, wfData(&bx, wfVec4));
        wfElastic_Hold(&host, x);
        wfElasticTables_Gradient(&tables, device, wfData(&bx, wfVec4), wfData(&bg, wfVec4));
        CHECK_OK(wfDownload(device, out, &bg, 0, n, &err), err);
        memset(g, 0, n * sizeof *g);
        wfElastic_AddGradient(&host, x, g);
        double most = 0.0, worst = 0.0, energy = 0.0, expected = wfElastic_Energy(&host, x);
        for (size_t v = 0; v < n; ++v) {
            most = fmax(most, wfLengthD(g[v]));
            worst = fmax(worst, wfLengthD(wfSubD(g[v], wfWiden(wfXyz(out[v])))));
            energy += out[v].w;
        }
        // Single precision knows a vertex to 3e-8 m; times the stiffness about it that is the noise of a gradient.
        CHECK_NEAR(worst / most, 0.0, 2e-4);
        CHECK_NEAR(energy / expected, 1.0, 1e-4);
    }
    wfFreeBuffer(device, &bx);
    wfFreeBuffer(device, &bg);
    free(x4);
    free(out);
    free(x);
    free(g);
    wfElastic_Free(&host);
    wfElasticTables_Free(&tables, device);
}

static void TestGradient(void** state) {
    (void)state;
    wfError err = {0};
    wfDevice* device = wfCreateDevice(&(wfDeviceDef){.kind = wf_deviceCpu, .threadCount = 1, .cookie = wfDefaultDeviceDef().cookie}, &err);
    assert_non_null(device);
    wfFabric fabric = Cloth();
    const wfSheetPattern patterns[] = {wf_patternRegular, wf_patternAlternating, wf_patternIrregular};
    for (int p = 0; p < 3; ++p) {
        Patch patch;
        MakePatch(&patch, 0.3f, 0.25f, 14, patterns[p], &fabric);
        for (int d = 0; d < DefCount; ++d) CheckModel(device, &patch.model, &s_defs[d]);
        FreePatch(&patch);
    }
    wfDestroyDevice(device);
}

typedef struct Product {
    const wfVec3D* x;
    wfVec3D* out;
} Product;

static void Multiply(void* to, int i, int j, const wfMat3D* block) {
    Product* p = to;
    p->out[i] = wfAddD(p->out[i], wfMat3_ApplyD(block, p->x[j]));
}

/// Largest eigenvalue of bound^-1 H at the start, by power iteration: at most 1, and not far below it or descent would be slow.
static void TestBound(void** state) {
    (void)state;
    wfError err = {0};
    wfDevice* device = wfCreateDevice(&(wfDeviceDef){.kind = wf_deviceCpu, .threadCount = 1, .cookie = wfDefaultDeviceDef().cookie}, &err);
    assert_non_null(device);
    wfFabric fabric = Cloth();
    Patch patch;
    MakePatch(&patch, 0.3f, 0.25f, 14, wf_patternIrregular, &fabric);
    size_t n = (size_t)patch.model.vertexCount;
    wfVec3D *x = calloc(n, sizeof *x), *d = calloc(n, sizeof *d), *h = calloc(n, sizeof *h);
    float* bound = calloc(n, sizeof *bound);
    assert_true(x != NULL && d != NULL && h != NULL && bound != NULL);
    for (size_t v = 0; v < n; ++v) x[v] = wfWiden(patch.model.start[v]);
    for (int k = 0; k < DefCount; ++k) {
        wfElasticTables tables = {0};
        wfElastic host = {0};
        CHECK_OK(wfElasticTables_Create(&tables, device, &patch.model, &s_defs[k], &err), err);
        CHECK_OK(wfElastic_Create(&host, &patch.model, &s_defs[k], &err), err);
        CHECK_OK(wfDownload(device, bound, &tables.bound, 0, n, &err), err);
        uint64_t seed = 3;
        for (size_t v = 0; v < n; ++v) d[v] = wfMake3D(Random(&seed), Random(&seed), Random(&seed));
        double value = 0.0;
        for (int round = 0; round < 200; ++round) {
            memset(h, 0, n * sizeof *h);
            Product product = {d, h};
            wfElastic_AddHessian(&host, x, true, Multiply, &product);
            double dh = 0.0, dd = 0.0;
            for (size_t v = 0; v < n; ++v) {
                dh += wfDotD(d[v], h[v]);
                dd += bound[v] * wfDotD(d[v], d[v]);
            }
            value = dh / dd;
            for (size_t v = 0; v < n; ++v) d[v] = wfScaleD(h[v], 1.0 / (bound[v] * sqrt(dd)));
        }
        printf("membrane %d, bending %d: largest eigenvalue %.3f of the bound\n", (int)s_defs[k].membrane, (int)s_defs[k].bending, value);
        assert_true(value <= 1.0001);
        assert_true(value >= 0.3);
        wfElastic_Free(&host);
        wfElasticTables_Free(&tables, device);
    }
    free(x);
    free(d);
    free(h);
    free(bound);
    FreePatch(&patch);
    wfDestroyDevice(device);
}

/// Largest eigenvalue of the second derivative of a density over its bound at small strain, by power iteration.
static double DensityValue(const wfPlanarD* law, wfMat32D f, uint64_t* seed) {
    const double u = fmax(law->uu + fabs(law->uv), 2.0 * law->shear), v = fmax(law->vv + fabs(law->uv), 2.0 * law->shear);
    wfMembraneHessianD h = wfMembrane_DensityHessianD(wf_membraneFabric, law, f, false);
    wfMat3D vu = wfMat3_TransposeD(&h.uv);
    wfVec3D a = wfMake3D(Random(seed), Random(seed), Random(seed)), b = wfMake3D(Random(seed), Random(seed), Random(seed));
    double value = 0.0;
    for (int round = 0; round < 60; ++round) {
        double size = sqrt(u * wfDotD(a, a) + v * wfDotD(b, b));
        a = wfScaleD(a, 1.0 / size);
        b = wfScaleD(b, 1.0 / size);
        wfVec3D ha = wfAddD(wfMat3_ApplyD(&h.uu, a), wfMat3_ApplyD(&h.uv, b));
        wfVec3D hb = wfAddD(wfMat3_ApplyD(&vu, a), wfMat3_ApplyD(&h.vv, b));
        value = wfDotD(a, ha) + wfDotD(b, hb);
        a = wfMulAddD(a, 1.0 / u, ha); // and 1, so that none is large below zero
        b = wfMulAddD(b, 1.0 / v, hb);
    }
    return value;
}

/// Stretched up to fivefold, in any direction.
static wfVec3D RandomThread(uint64_t* seed) {
    wfVec3D way = wfMake3D(Random(seed), Random(seed), Random(seed));
    return wfScaleD(way, (2.7 + 2.3 * Random(seed)) / wfLengthD(way));
}

/// However far threads are stretched, a descent over the bound times its growth takes steps of less than twice the length that is right.
static void TestGrowth(void** state) {
    (void)state;
    wfFabric fabric = wfDefaultFabric();
    wfPlanarD law = wfMakePlanar(&fabric, wf_membraneFabric);
    uint64_t seed = 5;
    double worst = 0.0, without = 0.0;
    for (int k = 0; k < 4000; ++k) {
        wfMat32D f = {RandomThread(&seed), RandomThread(&seed)};
        double most = fmax(1.0, fmax(wfDotD(f.u, f.u), wfDotD(f.v, f.v)));
        double value = DensityValue(&law, f, &seed);
        float growth = wfLanes_Growth(wf_membraneFabric, (float)law.uu, (float)law.vv, (float)law.uv, (float)law.shear, (float)most);
        assert_true(growth >= 1.0f);
        worst = fmax(worst, value / (double)growth);
        without = fmax(without, value);
    }
    printf("stretched up to fivefold: largest eigenvalue %.2f of the bound, %.2f of what it grows to\n", without, worst);
    assert_true(worst < 2.0);
    assert_true(without > 4.0);
    assert_true(wfLanes_Growth(wf_membraneFabric, (float)law.uu, (float)law.vv, (float)law.uv, (float)law.shear, 1.0f) == 1.0f);
}

/// What a vertex sees of its triangles: their areas as vectors, flatness and the largest square of a stretch, as dynamics/descend.inl has
/// it.
static wfVec3D LookAround(const wfModel* model, const wfVec3D* x, int vertex, double* flat, double* most) {
    wfVec3D normal = {0.0, 0.0, 0.0};
    double all = 0.0;
    *most = 1.0;
    for (int t = 0; t < model->triangleCount; ++t) {
        const int* v = model->triangles[t].v;
        if (v[0] != vertex && v[1] != vertex && v[2] != vertex) continue;
        wfElementD e = wfMakeElement(&model->flat[t]);
        wfMat32D f = wfElement_MapD(&e, x[v[0]], x[v[1]], x[v[2]]);
        wfVec3D twice = wfCrossD(wfSubD(x[v[1]], x[v[0]]), wfSubD(x[v[2]], x[v[0]]));
        normal = wfAddD(normal, twice);
        all += wfLengthD(twice);
        *most = fmax(*most, fmax(wfDotD(f.u, f.u), wfDotD(f.v, f.v)));
    }
    *flat = wfDotD(normal, normal) / (all * all);
    return wfScaleD(normal, 1.0 / wfLengthD(normal));
}

/// What descent takes for the second derivative across the cloth, without the tenth that it adds, is no less than that is: of flat cloth,
/// bent, crumpled and stretched; and far less than along it where cloth is about flat.
static void TestAcross(void** state) {
    (void)state;
    const wfElasticDef def = {.membrane = wf_membraneFabric, .bending = wf_bendingQuadratic};
    wfFabric fabric = Cloth();
    wfError err = {0};
    Patch patch;
    MakePatch(&patch, 0.2f, 0.2f, 9, wf_patternIrregular, &fabric);
    const wfModel* model = &patch.model;
    size_t n = (size_t)model->vertexCount;
    wfDevice* device = wfCreateDevice(&(wfDeviceDef){.kind = wf_deviceCpu, .threadCount = 1, .cookie = wfDefaultDeviceDef().cookie}, &err);
    wfElasticTables tables = {0};
    wfElastic host = {0};
    CHECK_OK(wfElasticTables_Create(&tables, device, model, &def, &err), err);
    CHECK_OK(wfElastic_Create(&host, model, &def, &err), err);
    float *bound = calloc(n, sizeof *bound), *across = calloc(n, sizeof *across);
    wfVec4* x4 = calloc(n, sizeof *x4);
    wfVec3D* x = calloc(n, sizeof *x);
    CHECK_OK(wfDownload(device, bound, &tables.bound, 0, n, &err), err);
    CHECK_OK(wfDownload(device, across, &tables.across, 0, n, &err), err);
    double tightest = 0.0;
    for (int trial = 0; trial < 8; ++trial) {
        Deform(model, (uint64_t)trial, 0.001 * trial, x4, x);
        for (size_t v = 0; v < n; ++v) x[v] = wfScaleD(x[v], 1.0 + 0.05 * (trial % 3));
        for (size_t v = 0; v < n; ++v) {
            double flat, most, h = 1e-5, energy[3];
            wfVec3D normal = LookAround(model, x, (int)v, &flat, &most), at = x[v];
            for (int k = -1; k <= 1; ++k) {
                x[v] = wfAddD(at, wfScaleD(normal, k * h));
                energy[k + 1] = wfElastic_Energy(&host, x);
            }
            x[v] = at;
            double second = (energy[0] + energy[2] - 2.0 * energy[1]) / (h * h), part = 2.0 * (1.0 - flat) + 2.0 * (1.0 - 1.0 / sqrt(most));
            double limit = (double)across[v] + fmin(part, 1.0) * (double)(bound[v] - across[v]);
            assert_true(second <= limit * (1.0 + 1e-3) + 1e-3);
            tightest = fmax(tightest, second / limit);
            if (trial == 0) assert_true(limit < 0.2 * (double)bound[v]);
        }
    }
    printf("across: up to %.2f of what is taken for it\n", tightest);
    wfElastic_Free(&host);
    wfElasticTables_Free(&tables, device);
    wfDestroyDevice(device);
    FreePatch(&patch);
    free(bound);
    free(across);
    free(x4);
    free(x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestGradient),
        cmocka_unit_test(TestBound),
        cmocka_unit_test(TestGrowth),
        cmocka_unit_test(TestAcross),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
