// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/fans.h"

wfFans wfMakeFans(void) {
    return (wfFans){.start = wfMakeBuffer(sizeof(int), "fans.start"), .corner = wfMakeBuffer(sizeof(int), "fans.corner")};
}

bool wfFans_Create(wfFans* fans, wfDevice* device, const wfModel* model, wfError* err) {
    const wfRows* rows = &model->topology->vertexTriangles;
    wfArena arena = {0};
    int* corner = wfArena_New(&arena, int, 6 * (size_t)model->triangleCount, "fans", err);
    if (corner == NULL) return false;
    for (int v = 0; v < model->vertexCount; ++v)
        for (int k = rows->start[v]; k < rows->start[v + 1]; ++k) {
            const int* t = model->triangles[rows->item[k]].v;
            int own = t[0] == v ? 0 : t[1] == v ? 1 : 2;
            corner[2 * k] = t[(own + 1) % 3];
            corner[2 * k + 1] = t[(own + 2) % 3];
        }
    wfUpload(device, &fans->start, rows->start, (size_t)model->vertexCount + 1);
    wfUpload(device, &fans->corner, corner, 6 * (size_t)model->triangleCount);
    wfArena_Free(&arena);
    return wfDevice_Sync(device, err);
}

void wfFans_Free(wfFans* fans, wfDevice* device) {
    wfFreeBuffer(device, &fans->start);
    wfFreeBuffer(device, &fans->corner);
}

wfFanView wfFans_View(const wfFans* fans) { return (wfFanView){wfData(&fans->start, int), wfData(&fans->corner, int)}; }
