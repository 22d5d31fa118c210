// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
// The smallest program that uses the installed library.
#include <weft/weft.h>

#include <stdio.h>

int main(void) {
    wfError err = {0};
    wfDeviceDef def = wfDefaultDeviceDef();
    def.kind = wf_deviceCpu;
    wfDevice* device = wfCreateDevice(&def, &err);
    if (device == NULL) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    printf("weft %s on %s\n", wfVersion(), wfDevice_GetName(device));
    wfDestroyDevice(device);
    return 0;
}
