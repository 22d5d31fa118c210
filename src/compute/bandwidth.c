// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "compute/bandwidth.h"

#include "base/clock.h"
#include "compute/bandwidth_kernels.h"
#include "compute/kernel.h"

double wfMeasureBandwidth(wfDevice* device) {
    enum { Runs = 12 };
    int count = wfDevice_GetKind(device) == wf_deviceCuda ? 1 << 28 : 1 << 26; // 1 GiB, 256 MiB an array
    wfBuffer buffers[3];
    for (int k = 0; k < 3; ++k) {
        buffers[k] = wfMakeBuffer(sizeof(float), "bandwidth");
        wfReserve(device, &buffers[k], (size_t)count);
        wfZero(device, &buffers[k]);
    }
    double best = 0.0;
    for (int run = 0; run < Runs; ++run) {
        if (!wfDevice_Sync(device, NULL)) break;
        double start = wfSeconds();
        TriadArgs args = {wfData(&buffers[0], float), wfData(&buffers[1], float), wfData(&buffers[2], float), 0.5f, count};
        wfLaunch(device, Triad, wfTileCount(count / 4), &args);
        wfDevice_Sync(device, NULL);
        double rate = 12.0 * count / (wfSeconds() - start);
        if (rate > best) best = rate;
    }
    for (int k = 0; k < 3; ++k) wfFreeBuffer(device, &buffers[k]);
    return wfDevice_Sync(device, NULL) ? best : 0.0;
}
