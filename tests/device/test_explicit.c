// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "sheet.h"

#include "dynamics/dynamics.h"

// Explicit dynamics with everything it has (limits at work, both dampings, wind, a gas or folded targets) on the reference and on the
// device.

static void Run(wfDevice* device, const Sheet* sheet, wfVec4* x, wfVec4* v, wfMeasure* measure) {
    wfError err = {0};
    wfState state;
    Sheet_Upload(sheet, device, &state);
    wfDynamicsDef def = {.elastic = {.membrane = wf_membraneFabric, .bending = wf_bendingQuadratic}};
    void* self = wfExplicitDynamics.create(device, &sheet->model, &state, &def, &err);
    ENSURE(self != NULL, "%s", err.text);
    if (self == NULL) return;
    wfForces forces = {
        .gravity = {0.0f, -9.81f, 0.0f}, .airDensity = 1.2f, .wind = {1.0f, 0.5f, 2.0f}, .windNoise = 0.5f, .windSize = 0.3f};
    wfStepContext ctx = {.device = device, .model = &sheet->model, .state = &state, .dt = 0.0005f};
    int64_t warm = 0;
    for (int k = 0; k < 2; ++k) {
        wfExplicitDynamics.begin(self, &ctx, &forces);
        wfUploadRange(device, &state.target, 0, sheet->target, (size_t)sheet->model.vertexCount); // as a stepper that folds
        wfExplicitDynamics.iterate(self, &ctx, 0);
        wfExplicitDynamics.end(self, &ctx);
        ctx.time += ctx.dt;
        if (k == 0) warm = wfDevice_GetAllocCount(device);
    }
    ENSURE(wfDevice_GetAllocCount(device) == warm, "a warm step allocated");
    wfDownload(device, x, &state.x, 0, (size_t)sheet->model.vertexCount, NULL);
    wfDownload(device, v, &state.v, 0, (size_t)sheet->model.vertexCount, NULL);
    ENSURE(wfExplicitDynamics.measure(self, &ctx, measure, &err), "%s", err.text);
    wfExplicitDynamics.destroy(self, device);
    Sheet_FreeState(device, &state);
}

void TestExplicit(wfDevice* reference, wfDevice* device) {
    bool cpu = wfDevice_GetKind(device) == wf_deviceCpu;
    for (int ball = 0; ball < 2; ++ball) {
        Sheet sheet;
        Sheet_Create(&sheet, WF_SLOW_BUILD ? 21 : 41, ball == 1);
        sheet.cloth.fabric = wfDefaultFabric();
        sheet.cloth.fabric.stretch = 300.0f;
        sheet.cloth.fabric.rayleigh = 2e-4f;
        sheet.cloth.fabric.damping = 1.0f;
        sheet.cloth.fabric.viscosity = 1e-3f;
        sheet.cloth.pressure = ball ? 1000.0f : 20.0f;
        sheet.cloth.inflation = ball ? wf_inflationGas : wf_inflationConstant;
        int n = sheet.model.vertexCount;
        for (int i = 0; i < n; ++i)
            if (i % 31 == 5) sheet.target[i].w = i % 2 == 0 ? 10.0f : 1e6f;
        wfVec4 *x[2], *v[2];
        wfMeasure measure[2] = {{0}};
        for (int k = 0; k < 2; ++k) {
            x[k] = calloc((size_t)n, sizeof(wfVec4));
            v[k] = calloc((size_t)n, sizeof(wfVec4));
            Run(k == 0 ? reference : device, &sheet, x[k], v[k], &measure[k]);
        }
        float moved = LargestApart(x[0], sheet.x, n), apart = LargestApart(x[0], x[1], n), faster = LargestApart(v[0], v[1], n);
        ENSURE(moved > 1e-4f, "moved by %g m only", (double)moved);
        ENSURE(cpu ? apart == 0.0f : apart <= 2e-6f, "positions differ by %g m", (double)apart);
        ENSURE(cpu ? faster == 0.0f : faster <= 1e-2f, "velocities differ by %g m/s", (double)faster);
        ENSURE_NEAR(measure[0].worstStretch, measure[1].worstStretch, cpu ? 0.0 : 1e-4);
        ENSURE_NEAR(measure[0].elasticEnergy, measure[1].elasticEnergy, cpu ? 0.0 : 1e-3 * fabs(measure[0].elasticEnergy));
        if (!cpu) printf("     after 2 steps %.3g m and %.3g m/s apart\n", (double)apart, (double)faster);
        for (int k = 0; k < 2; ++k) {
            free(x[k]);
            free(v[k]);
        }
        Sheet_Free(&sheet);
    }
}
