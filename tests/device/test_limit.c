// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "sheet.h"

#include "elastic/limit.h"

// Strain and strain-rate limits on the reference and on the device, from the same random velocities.

static void Limit(wfDevice* device, const Sheet* sheet, bool rate, wfVec4* out) {
    wfLimits limits = wfMakeLimits();
    wfError err = {0};
    ENSURE(wfLimits_Create(&limits, device, &sheet->model, &err), "%s", err.text);
    wfState state;
    Sheet_Upload(sheet, device, &state);
    if (rate)
        wfLimits_Rate(&limits, device, &state, 0.01f, 0.1f, 2);
    else
        wfLimits_Strain(&limits, device, &state, 0.01f, 0.1f, 3);
    wfDownload(device, out, &state.v, 0, (size_t)sheet->model.vertexCount, NULL);
    Sheet_FreeState(device, &state);
    wfLimits_Free(&limits, device);
}

void TestLimit(wfDevice* reference, wfDevice* device) {
    Sheet sheet;
    Sheet_Create(&sheet, 61, false);
    int n = sheet.model.vertexCount;
    bool cpu = wfDevice_GetKind(device) == wf_deviceCpu;
    wfVec4* a = calloc((size_t)n, sizeof *a);
    wfVec4* b = calloc((size_t)n, sizeof *b);
    for (int rate = 0; rate < 2; ++rate) {
        Limit(reference, &sheet, rate == 1, a);
        Limit(device, &sheet, rate == 1, b);
        float apart = LargestApart(a, b, n), moved = LargestApart(a, sheet.v, n);
        ENSURE(moved > 0.1f, "the limit changed velocities by %g m/s only", (double)moved);
        ENSURE(cpu ? apart == 0.0f : apart <= 2e-5f, "velocities differ by %g m/s", (double)apart);
    }
    free(a);
    free(b);
    Sheet_Free(&sheet);
}
