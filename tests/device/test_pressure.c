// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "sheet.h"

#include "dynamics/pressure.h"

// A gas in a dented ball on the reference and on the device: areas, folded targets, energy.

static void Inflate(wfDevice* device, const Sheet* sheet, wfVec4* area, wfVec4* folded, float* energy) {
    wfPressure pressure = wfMakePressure();
    wfFans fans = wfMakeFans();
    wfError err = {0};
    wfState state;
    size_t n = (size_t)sheet->model.vertexCount;
    wfBuffer sum = wfMakeBuffer(sizeof(float), "sum"), moved = wfMakeBuffer(sizeof(wfVec4), "moved");
    ENSURE(wfPressure_Create(&pressure, device, &sheet->model, &err), "%s", err.text);
    ENSURE(wfFans_Create(&fans, device, &sheet->model, &err), "%s", err.text);
    Sheet_Upload(sheet, device, &state);
    wfVec4* x = calloc(n, sizeof *x);
    for (size_t i = 0; i < n; ++i) x[i] = wfMake4(wfMulAdd(wfXyz(sheet->x[i]), 0.005f, wfXyz(sheet->v[i])), sheet->mass[i]);
    wfUpload(device, &moved, x, n);
    free(x);
    wfUpload(device, &sum, energy, 1);
    const wfVec4 *from = wfData(&state.x, wfVec4), *to = wfData(&moved, wfVec4);
    wfPressure_Measure(&pressure, device, &fans, from);
    wfPressure_Fold(&pressure, device, from, to, wfData(&state.target, wfVec4));
    wfPressure_AddEnergy(&pressure, device, from, to, wfData(&sum, float));
    wfDownload(device, area, &pressure.area, 0, n, NULL);
    wfDownload(device, folded, &pressure.folded, 0, n, NULL);
    wfDownload(device, energy, &sum, 0, 1, NULL);
    wfFreeBuffer(device, &sum);
    wfFreeBuffer(device, &moved);
    Sheet_FreeState(device, &state);
    wfFans_Free(&fans, device);
    wfPressure_Free(&pressure, device);
}

void TestPressure(wfDevice* reference, wfDevice* device) {
    Sheet sheet;
    Sheet_Create(&sheet, 0, true);
    sheet.cloth.pressure = 2000.0f;
    sheet.cloth.inflation = wf_inflationGas;
    int n = sheet.model.vertexCount;
    wfVec4 *areas[2], *folded[2];
    float energy[2] = {1.0f, 1.0f};
    for (int k = 0; k < 2; ++k) {
        areas[k] = calloc((size_t)n, sizeof *areas[k]);
        folded[k] = calloc((size_t)n, sizeof *folded[k]);
        Inflate(k == 0 ? reference : device, &sheet, areas[k], folded[k], &energy[k]);
    }
    bool cpu = wfDevice_GetKind(device) == wf_deviceCpu;
    float area = LargestApart(areas[0], areas[1], n), apart = LargestApart(folded[0], folded[1], n);
    ENSURE(LargestApart(folded[0], sheet.target, n) > 1e-4f, "the gas pushes nobody");
    ENSURE(cpu ? area == 0.0f : area <= 1e-9f, "areas differ by %g m²", (double)area);
    ENSURE(cpu ? apart == 0.0f : apart <= 1e-6f, "folded targets differ by %g m", (double)apart);
    ENSURE_NEAR(energy[0], energy[1], cpu ? 0.0 : 1e-3 * fabs((double)energy[0]));
    for (int k = 0; k < 2; ++k) {
        free(areas[k]);
        free(folded[k]);
    }
    Sheet_Free(&sheet);
}
