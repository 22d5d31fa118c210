// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "sheet.h"

#include "dynamics/hierarchy_kernels.h"
#include "dynamics/levels.h"

// Down to a coarser mesh and up again, by plain loops on the host and by the kernels; then whole steps and rounds on both devices.

enum { Side = 33 };

static const wfElasticDef s_elastic = {.membrane = wf_membraneFabric, .bending = wf_bendingQuadratic};

/// Weights of a step, and a prediction that has moved away from its target.
static void Prepare(Sheet* sheet, wfVec4* x, wfVec4* target) {
    for (int i = 0; i < sheet->model.vertexCount; ++i) {
        x[i] = sheet->x[i];
        target[i] = sheet->target[i];
        if (target[i].w < 0.0f) continue;
        target[i] = wfMake4(wfMulAdd(wfXyz(x[i]), 1e-3f, wfXyz(sheet->v[i])), sheet->mass[i] * 1e4f);
    }
}

/// What Down must give: own targets, or with a gradient those of the tau correction. The coarse mesh must start `from` there, where it has
/// `coarseGradient`.
static void JudgeDown(const Sheet* sheet, const wfCoarseModel* coarse, const wfVec4* x, const wfVec4* target, const float* bound,
                      const wfVec3D* gradient, const wfVec3D* from, const wfVec3D* coarseGradient, const wfVec4* coarseX,
                      const wfVec4* coarseTarget) {
    int n = coarse->model.vertexCount, heldCount = 0;
    double worstWeight = 0.0, worstPull = 0.0, worstX = 0.0, pullScale = 0.0;
    for (int i = 0; i < n; ++i) {
        double weight = 0.0;
        wfVec3D sum = {0.0, 0.0, 0.0};
        wfVec3D own = from[i];
        bool held = target[coarse->fineOf[i]].w < 0.0f;
        for (int v = 0; v < sheet->model.vertexCount; ++v)
            for (int k = 0; k < 3; ++k) {
                const wfProlongation* p = &coarse->prolong[v];
                double share = p->weight[k];
                if (p->parent[k] != i || share == 0.0) continue;
                if (target[v].w < 0.0f) {
                    held = held || (gradient == NULL && share > 0.25);
                    weight += gradient != NULL ? fmax(share, 0.0) * (double)bound[v] : 0.0;
                    continue;
                }
                weight += share * (double)target[v].w;
                wfVec3D t = wfWiden(wfXyz(target[v])), at = wfWiden(wfXyz(x[v]));
                wfVec3D pull = gradient == NULL ? wfScaleD(wfSubD(t, at), (double)target[v].w)
                                                : wfAddD(gradient[v], wfScaleD(wfSubD(at, t), (double)target[v].w));
                sum = wfAddD(sum, wfScaleD(pull, share));
            }
        worstX = fmax(worstX, wfLengthD(wfSubD(own, wfWiden(wfXyz(coarseX[i])))));
        heldCount += held;
        if (held) {
            ENSURE(coarseTarget[i].w < 0.0f, "coarse vertex %d is not held", i);
            continue;
        }
        worstWeight = fmax(worstWeight, fabs((double)coarseTarget[i].w - weight) / weight);
        // As a force, so that both kinds compare: weight times the way from the positions to the target.
        wfVec3D way = wfScaleD(wfSubD(wfWiden(wfXyz(coarseTarget[i])), own), (double)coarseTarget[i].w);
        wfVec3D want = gradient == NULL ? sum : wfSubD(coarseGradient[i], sum);
        pullScale = fmax(pullScale, wfLengthD(want));
        worstPull = fmax(worstPull, wfLengthD(wfSubD(way, want)));
    }
    ENSURE(heldCount > 0 && heldCount < n / 2, "%d of %d coarse vertices are held", heldCount, n);
    ENSURE(worstX == 0.0, "coarse positions are off by %g", worstX);
    ENSURE(worstWeight < 1e-5, "coarse weights are off by %g", worstWeight);
    ENSURE(worstPull < 1e-3 * pullScale, "coarse forces are off by %g of %g N", worstPull, pullScale);
}

static void TestLevels(wfDevice* device, Sheet* sheet, const wfCoarseModel* coarse, wfVec4* upOut) {
    size_t n = (size_t)sheet->model.vertexCount, nc = (size_t)coarse->model.vertexCount;
    wfError err = {0};
    wfElastic fineElastic = {0}, coarseElastic = {0};
    wfDescent descent = {0};
    wfCoarseLevel level = {0};
    bool ok = wfElastic_Create(&fineElastic, &sheet->model, &s_elastic, &err) &&
              wfElastic_Create(&coarseElastic, &coarse->model, &s_elastic, &err) &&
              wfDescent_Create(&descent, device, &sheet->model, &s_elastic, &err) &&
              wfCoarseLevel_Create(&level, device, coarse, &s_elastic, &err);
    ENSURE(ok, "%s", err.text);
    wfVec4 *x = calloc(n, sizeof *x), *target = calloc(n, sizeof *target), *up = calloc(n, sizeof *up);
    float* bound = calloc(n, sizeof *bound);
    wfVec4 *coarseX = calloc(nc, sizeof *coarseX), *coarseTarget = calloc(nc, sizeof *coarseTarget);
    wfVec3D *wide = calloc(n, sizeof *wide), *gradient = calloc(n, sizeof *gradient);
    wfVec3D *coarseWide = calloc(nc, sizeof *coarseWide), *coarseGradient = calloc(nc, sizeof *coarseGradient);
    wfBuffer bx = wfMakeBuffer(sizeof(wfVec4), "x"), bt = wfMakeBuffer(sizeof(wfVec4), "target");
    Prepare(sheet, x, target);
    for (size_t i = 0; i < n; ++i) wide[i] = wfWiden(wfXyz(x[i]));
    for (size_t i = 0; i < nc; ++i) coarseWide[i] = wide[coarse->fineOf[i]];
    wfElastic_AddGradient(&fineElastic, wide, gradient);
    wfElastic_AddGradient(&coarseElastic, coarseWide, coarseGradient);
    ENSURE(wfDownload(device, bound, &descent.tables.bound, 0, n, &err), "%s", err.text);
    wfUpload(device, &bx, x, n);
    wfUpload(device, &bt, target, n);
    wfLevel fine = {&descent, wfData(&bx, wfVec4), wfData(&bt, wfVec4)};
    for (int tau = 0; tau < 2; ++tau) {
        wfCoarseLevel_Down(&level, device, fine, tau == 1);
        ENSURE(wfDownload(device, coarseX, &level.x, 0, nc, &err) && wfDownload(device, coarseTarget, &level.target, 0, nc, &err), "%s",
               err.text);
        JudgeDown(sheet, coarse, x, target, bound, tau == 1 ? gradient : NULL, coarseWide, coarseGradient, coarseX, coarseTarget);
        // Move the coarse mesh a little down its gradient, or by anything, and bring that up.
        for (size_t i = 0; i < nc; ++i) {
            wfVec3D way = wfScaleD(wfSubD(wfWiden(wfXyz(coarseTarget[i])), coarseWide[i]), tau == 1 ? 2e-5 : 0.1);
            if (coarseTarget[i].w < 0.0f) continue;
            coarseX[i].x += (float)way.x;
            coarseX[i].y += (float)way.y;
            coarseX[i].z += (float)way.z;
        }
        wfUploadRange(device, &level.x, 0, coarseX, nc);
        wfCoarseLevel_Up(&level, device, fine, tau == 1);
        ENSURE(wfDownload(device, up, &bx, 0, n, &err), "%s", err.text);
        memcpy(upOut + (size_t)tau * n, up, n * sizeof *up);
        wfSearch search = {.length = 1.0f};
        if (tau == 1) {
            ENSURE(wfDownload(device, &search, &level.search, 0, 1, &err), "%s", err.text);
            ENSURE(search.length > 0.0f && search.length <= 1.5f, "a way down was followed for %g", (double)search.length);
            ENSURE(search.slope < 0.0f, "the way down has slope %g", (double)search.slope);
            double energy[2] = {0.0, 0.0};
            for (int end = 0; end < 2; ++end) {
                for (size_t i = 0; i < n; ++i) {
                    wide[i] = wfWiden(wfXyz(end == 0 ? x[i] : up[i]));
                    wfVec3D d = wfSubD(wide[i], wfWiden(wfXyz(target[i])));
                    if (target[i].w > 0.0f) energy[end] += 0.5 * (double)target[i].w * wfDotD(d, d);
                }
                energy[end] += wfElastic_Energy(&fineElastic, wide);
            }
            ENSURE(energy[1] < energy[0], "the energy rose from %g to %g J", energy[0], energy[1]);
            ENSURE_NEAR(search.start, energy[0], 1e-5 * energy[0]);
        }
        double worst = 0.0;
        for (size_t i = 0; i < n; ++i) {
            wfVec3D want = wfWiden(wfXyz(x[i]));
            const wfProlongation* p = &coarse->prolong[i];
            for (int k = 0; k < 3 && target[i].w >= 0.0f; ++k) {
                wfVec3D way = wfSubD(wfWiden(wfXyz(coarseX[p->parent[k]])), coarseWide[p->parent[k]]);
                want = wfAddD(want, wfScaleD(way, (double)p->weight[k] * (double)search.length));
            }
            worst = fmax(worst, wfLengthD(wfSubD(want, wfWiden(wfXyz(up[i])))));
        }
        ENSURE(worst < 1e-6, "what came up is off by %g m", worst);
        wfUploadRange(device, &bx, 0, x, n);
        // A correction starts where the coarse mesh was left.
        for (size_t i = 0; i < nc; ++i) coarseWide[i] = wfWiden(wfXyz(coarseX[i]));
        memset(coarseGradient, 0, nc * sizeof *coarseGradient);
        wfElastic_AddGradient(&coarseElastic, coarseWide, coarseGradient);
    }
    // Positions that are worse, or no numbers, go back; better ones stay.
    const wfSearch outcomes[3] = {{.start = 2.0f, .tried = 1.0f}, {.start = 1.0f, .tried = 2.0f}, {.start = 1.0f, .tried = NAN}};
    for (int k = 0; k < 3; ++k) {
        wfUploadRange(device, &level.search, 0, &outcomes[k], 1);
        wfUploadRange(device, &bt, 0, up, n);
        KeepLowerArgs args = {wfData(&level.search, wfSearch), wfData(&bx, wfVec4), wfData(&bt, wfVec4)};
        wfLaunch(device, KeepLower, (int)n, &args);
        ENSURE(wfDownload(device, target, &bt, 0, n, &err), "%s", err.text);
        ENSURE(memcmp(target, k == 0 ? up : x, n * sizeof *x) == 0, "energies %g, %g", (double)outcomes[k].start,
               (double)outcomes[k].tried);
    }
    // A way that leads to no number is not taken.
    wfSearch search = {.start = 1.0f, .slope = -1.0f, .tried = NAN, .length = NAN};
    wfUploadRange(device, &level.search, 0, &search, 1);
    for (int k = 0; k < 3; ++k) {
        ChooseLengthArgs choose = {wfData(&level.search, wfSearch), k == 0, k == 2};
        wfLaunch(device, ChooseLength, 1, &choose);
    }
    ENSURE(wfDownload(device, &search, &level.search, 0, 1, &err), "%s", err.text);
    ENSURE(search.length == 0.0f, "length %g toward no number", (double)search.length);
    wfCoarseLevel_Free(&level, device);
    wfDescent_Free(&descent, device);
    wfFreeBuffer(device, &bx);
    wfFreeBuffer(device, &bt);
    wfElastic_Free(&fineElastic);
    wfElastic_Free(&coarseElastic);
    void* arrays[] = {x, target, up, coarseX, coarseTarget, wide, gradient, coarseWide, coarseGradient, bound};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; ++k) free(arrays[k]);
}

/// Two steps by whole steps or by rounds.
static void RunSteps(wfDevice* device, Sheet* sheet, const wfDynamicsDef* def, int rounds, wfVec4* out) {
    wfError err = {0};
    wfState state;
    Sheet_Upload(sheet, device, &state);
    state.history = wfMakeBuffer(sizeof(wfVec4), "history");
    void* self = wfHierarchyDynamics.create(device, &sheet->model, &state, def, &err);
    ENSURE(self != NULL, "%s", err.text);
    wfStepContext ctx = {.device = device, .model = &sheet->model, .state = &state, .dt = 0.005f};
    const wfForces forces = {.gravity = {0.0f, -9.81f, 0.0f}};
    int64_t warm = 0;
    for (int step = 0; step < 2 && self != NULL; ++step) {
        wfHierarchyDynamics.begin(self, &ctx, &forces);
        for (int k = 0; k < rounds; ++k) wfHierarchyDynamics.iterate(self, &ctx, 1);
        if (rounds == 0) wfHierarchyDynamics.iterate(self, &ctx, 0);
        wfHierarchyDynamics.end(self, &ctx);
        if (step == 0) warm = wfDevice_GetAllocCount(device);
    }
    ENSURE(wfDevice_GetAllocCount(device) == warm, "a warm step allocated");
    ENSURE(wfDownload(device, out, &state.x, 0, (size_t)sheet->model.vertexCount, &err), "%s", err.text);
    wfHierarchyDynamics.destroy(self, device);
    Sheet_FreeState(device, &state);
    wfFreeBuffer(device, &state.history);
}

void TestHierarchy(wfDevice* reference, wfDevice* device) {
    bool cpu = wfDevice_GetKind(device) == wf_deviceCpu;
    Sheet sheet;
    Sheet_Create(&sheet, Side, false);
    wfError err = {0};
    wfCoarseModel coarse = {0};
    ENSURE(wfCoarsen(&coarse, &sheet.model, &err), "%s", err.text);
    size_t n = (size_t)sheet.model.vertexCount;
    wfVec4 *a = calloc(2 * n, sizeof *a), *b = calloc(2 * n, sizeof *b);
    TestLevels(reference, &sheet, &coarse, a);
    TestLevels(device, &sheet, &coarse, b);
    float levels = LargestApart(a, b, 2 * (int)n);
    ENSURE(cpu ? levels == 0.0f : levels <= 1e-6f, "what came up differs by %g", (double)levels);
    float apart[3];
    for (int k = 0; k < 3; ++k) {
        wfDynamicsDef def = {.elastic = s_elastic};
        if (k == 1) def.elastic = (wfElasticDef){.membrane = wf_membraneSprings, .bending = wf_bendingSprings};
        int rounds = k == 2 ? 72 : 0;
        RunSteps(reference, &sheet, &def, rounds, a);
        RunSteps(device, &sheet, &def, rounds, b);
        apart[k] = LargestApart(a, b, (int)n);
        ENSURE(cpu ? apart[k] == 0.0f : apart[k] <= 1e-4f, "run %d: positions after 2 steps differ by %g", k, (double)apart[k]);
    }
    if (!cpu)
        printf("     what comes up %.3g m apart; whole steps %.3g, springs %.3g, rounds %.3g\n", (double)levels, (double)apart[0],
               (double)apart[1], (double)apart[2]);
    free(a);
    free(b);
    wfCoarseModel_Free(&coarse);
    Sheet_Free(&sheet);
}
