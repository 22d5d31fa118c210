// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "harness.h"

// Runs every primitive and every kernel on the CPU with one thread, with several, and on CUDA, and compares.
//   test_device          every device that answers
//   test_device cuda     CUDA must answer: for a GPU machine, where a silent skip would hide a failure
//   test_device cuda NAME   only that part, on CUDA alone: for tools that make it slow

int g_checks, g_failures;

typedef struct Test {
    const char* name;
    void (*run)(wfDevice* reference, wfDevice* device);
} Test;

static const Test s_tests[] = {
    // clang-format off
    {"sdf", TestSdf},
    {"primitives", TestPrimitives},
    {"graphs", TestGraphs},
    {"faults", TestFaults},
    {"step", TestStep},
    {"models", TestModels},
    {"hierarchy", TestHierarchy},
    {"scene", TestScene},
    {"limit", TestLimit},
    {"broad", TestBroad},
    {"candidates", TestCandidates},
    {"ccd", TestCcd},
    {"viscosity", TestViscosity},
    {"pressure", TestPressure},
    {"explicit", TestExplicit},
    {"impulse", TestImpulse},
    {"untangle", TestUntangle},
    {"rows", TestRows},
    {"soften", TestSoften},
    {"repulsion", TestRepulsion},
    // clang-format on
    {"seams", TestSeams},
};

static wfDevice* Open(wfDeviceKind kind, int threads, wfError* err) {
    wfDeviceDef def = wfDefaultDeviceDef();
    def.kind = kind;
    def.threadCount = threads;
    return wfCreateDevice(&def, err);
}

int main(int argc, char** argv) {
    bool needCuda = argc > 1 && strcmp(argv[1], "cuda") == 0;
    const char* only = argc > 2 ? argv[2] : NULL;
    wfError err = {0};
    wfDevice* reference = Open(wf_deviceCpu, 1, &err);
    wfDevice* devices[] = {Open(wf_deviceCpu, 3, &err), NULL};
    if (reference == NULL || devices[0] == NULL) {
        fprintf(stderr, "test_device: %s\n", err.text);
        return 1;
    }
    devices[1] = Open(wf_deviceCuda, 0, &err);
    if (devices[1] == NULL) {
        printf("no CUDA device: %s\n", err.text);
        if (needCuda) return 1;
    }
    for (int d = 0; d < 2; ++d) {
        if (devices[d] == NULL) continue;
        if (only != NULL && d == 0) {
            wfDestroyDevice(devices[d]);
            continue;
        }
        for (size_t k = 0; k < sizeof s_tests / sizeof s_tests[0]; ++k) {
            if (only != NULL && strcmp(only, s_tests[k].name) != 0) continue;
            int before = g_failures;
            s_tests[k].run(reference, devices[d]);
            wfError failed = {0};
            ENSURE(wfDevice_Sync(devices[d], &failed), "%s", failed.text);
            printf("%-4s %-12s %s\n", g_failures == before ? "ok" : "FAIL", s_tests[k].name, wfDevice_GetName(devices[d]));
        }
        ENSURE(wfDevice_GetMemory(devices[d]) == sizeof(wfFaultSlot), "%zu bytes of device memory not freed",
               wfDevice_GetMemory(devices[d]));
        wfDestroyDevice(devices[d]);
    }
    wfDestroyDevice(reference);
    ENSURE(g_checks > 0, "nothing was tested");
    printf("%d checks, %d failed\n", g_checks, g_failures);
    return g_failures > 0;
}
