// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "sheet.h"

#include "dynamics/viscosity.h"

// Three steps of viscosity, with several stages each, on the reference and on the device.

static void Smooth(wfDevice* device, const Sheet* sheet, wfVec4* out) {
    wfViscosity viscosity = wfMakeViscosity();
    wfError err = {0};
    wfState state;
    ENSURE(wfViscosity_Create(&viscosity, device, &sheet->model, &err), "%s", err.text);
    Sheet_Upload(sheet, device, &state);
    int64_t warm = 0;
    for (int k = 0; k < 3; ++k) {
        wfViscosity_Apply(&viscosity, device, &state, 0.005f);
        if (k == 0) warm = wfDevice_GetAllocCount(device);
    }
    ENSURE(wfDevice_GetAllocCount(device) == warm, "a warm step allocated");
    wfDownload(device, out, &state.v, 0, (size_t)sheet->model.vertexCount, NULL);
    Sheet_FreeState(device, &state);
    wfViscosity_Free(&viscosity, device);
}

void TestViscosity(wfDevice* reference, wfDevice* device) {
    Sheet sheet;
    Sheet_Create(&sheet, 61, false);
    sheet.cloth.fabric.viscosity = 0.01f;
    int n = sheet.model.vertexCount;
    wfVec4* a = calloc((size_t)n, sizeof *a);
    wfVec4* b = calloc((size_t)n, sizeof *b);
    Smooth(reference, &sheet, a);
    Smooth(device, &sheet, b);
    bool cpu = wfDevice_GetKind(device) == wf_deviceCpu;
    float apart = LargestApart(a, b, n), moved = LargestApart(a, sheet.v, n);
    ENSURE(moved > 0.5f, "viscosity changed velocities by %g m/s only", (double)moved);
    ENSURE(cpu ? apart == 0.0f : apart <= 1e-5f, "velocities differ by %g m/s", (double)apart);
    free(a);
    free(b);
    Sheet_Free(&sheet);
}
