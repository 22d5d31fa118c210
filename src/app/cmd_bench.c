// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/bench.h"

#include "app/bench_broad.h"
#include "app/bench_ccd.h"
#include "app/bench_sdf.h"
#include "base/clock.h"
#include "compute/bandwidth.h"
#include "mesh/generate.h"
#include "scene/scene.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// `weft bench`: what a step of the dynamics costs beside what it would cost at the machine's bandwidth, and what frames of scenes cost.
// Times are wall times of whole steps with the device waited for; the fastest of the repeats counts, since what disturbs a run only
// ever makes it slower, and the median is printed beside it.

typedef struct BenchOptions {
    int device, threads, frames, repeat;
    const char* sizes;
    bool json;
    wfTextList set;
} BenchOptions;

#define AT(field) offsetof(BenchOptions, field)
static const wfOption s_rows[] = {
    WF_BENCH_DEVICE_ROWS,
    {"sizes", 0, wf_optionText, AT(sizes), .value = "N,N,...",
     .about = "vertices a side of the sheets (default 100,200,400,800); for broad, triangles (10000,100000,1000000)"},
    {"repeat", 0, wf_optionInt, AT(repeat), 1, 1000, "N", "steps timed a size (default 9)"},
    {"frames", 0, wf_optionInt, AT(frames), 1, 100000, "N", "frames a scene (default 30)"},
    {"set", 0, wf_optionList, AT(set), .value = "key=value", .about = "as for weft run; scenes only"},
    WF_BENCH_JSON_ROW,
};
static const wfOptionTable s_table = {
    .command = "bench",
    .rows = s_rows,
    .count = sizeof s_rows / sizeof s_rows[0],
    .maxArguments = INT_MAX,
    .notes = "Without a SCENE: one step of the dynamics on sheets of growing size, beside the floor that the\n"
             "measured bandwidth sets, and the memory it takes. With `broad`: the broad phases, stage by stage;\n"
             "with `sdf`: the distance field of a body that deforms; with `ccd`: a query of continuous collision detection.\n"
             "In place of a SCENE, with options of its own (weft bench NAME --help):\n"
             "  convergence          safe repulsion round by round: splitting and interleaving\n"
             "  fabrics [FABRIC...]  the drape test of every fabric, or of those named\n"
             "  hierarchy            a stiff step on three resolutions of the mesh, and on the mesh alone\n"
             "  judge [NAME...]      descent beside Newton's method on small scenes\n"
             "  linear               a step with impulse contact on pleated sheets of growing size\n"
             "  meshes [FABRIC]      the same cloth on coarser and finer meshes\n"};

/// Peak resident memory of this process since ForgetPeak, from the kernel's own count.
static double PeakBytes(void) {
    double kib = 0.0;
    char line[256];
    FILE* status = fopen("/proc/self/status", "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "VmHWM: %lf", &kib) == 1) break;
    if (status != NULL) fclose(status);
    return 1024.0 * kib;
}

static void ForgetPeak(void) {
    FILE* refs = fopen("/proc/self/clear_refs", "w");
    if (refs == NULL) return;
    fputs("5", refs);
    fclose(refs);
}

static int CompareDoubles(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

/// A square metre of cloth, n by n vertices, held along one side.
static wfScene* MakeSheetScene(wfDevice* device, int n, wfError* err) {
    wfSceneDef sceneDef = wfDefaultSceneDef();
    wfScene* scene = wfCreateScene(device, &sceneDef, err);
    wfGenerateDef sheet = wfDefaultGenerateDef();
    sheet.n = n;
    wfMesh mesh = {0};
    int* held = calloc((size_t)n, sizeof *held);
    bool ok = scene != NULL && held != NULL && wfGenerate(&mesh, &sheet, err);
    if (ok) {
        wfClothDef cloth = wfDefaultClothDef();
        cloth.mesh = wfMesh_View(&mesh);
        wfPinDef pin = wfDefaultPinDef();
        pin.cloth = wfCreateCloth(scene, &cloth, err);
        for (int i = 0; i < n; ++i) held[i] = i;
        pin.vertices = held;
        pin.vertexCount = n;
        ok = !WF_ID_IS_NULL(pin.cloth) && !WF_ID_IS_NULL(wfCreatePin(scene, &pin, err));
    }
    free(held);
    wfMesh_Free(&mesh);
    if (ok && wfScene_Commit(scene, err)) return scene;
    wfDestroyScene(scene);
    return NULL;
}

static bool BenchSheet(wfDevice* device, int n, const BenchOptions* o, double bandwidth, wfError* err) {
    ForgetPeak();
    double peakBefore = PeakBytes();
    wfScene* scene = MakeSheetScene(device, n, err);
    if (scene == NULL) return false;
    float dt = scene->def.time_step;
    double vertices = (double)n * n;
    double* seconds = calloc((size_t)o->repeat, sizeof *seconds);
    bool ok = seconds != NULL && wfScene_Step(scene, dt, err) && wfScene_Step(scene, dt, err); // warm: graph recorded, buffers grown
    double stages[8] = {0};
    wfDevice_CollectTimes(device, stages);
    memset(stages, 0, sizeof stages);
    int64_t allocations = wfDevice_GetAllocCount(device);
    for (int k = 0; ok && k < o->repeat; ++k) {
        double start = wfSeconds();
        ok = wfScene_Step(scene, dt, err) && wfDevice_Sync(device, err);
        seconds[k] = wfSeconds() - start;
    }
    if (ok) {
        wfDevice_CollectTimes(device, stages);
        qsort(seconds, (size_t)o->repeat, sizeof *seconds, CompareDoubles);
        wfStepCost cost = scene->parts.dynamics->cost(scene->parts.dynamicsSelf, dt);
        double iteration = stages[wf_stageDynamics] / o->repeat / cost.iterations, floor = cost.iterationBytes / bandwidth;
        double deviceBytes = (double)wfDevice_GetMemory(device) / vertices, hostBytes = (PeakBytes() - peakBefore) / vertices;
        long long grown = (long long)(wfDevice_GetAllocCount(device) - allocations);
        const char* row = o->json
                              ? "{\"vertices\": %.0f, \"step_ms\": %.4f, \"median_ms\": %.4f, \"iterations\": %d, \"iteration_us\": %.2f, "
                                "\"floor_us\": %.2f, \"share\": %.3f, \"device_bytes_per_vertex\": %.0f, \"host_bytes_per_vertex\": %.0f, "
                                "\"allocations\": %lld}\n"
                              : "%9.0f %10.3f %10.3f %6d %12.2f %10.2f %7.2f %9.0f %9.0f %7lld\n";
        printf(row, vertices, 1e3 * seconds[0], 1e3 * seconds[o->repeat / 2], cost.iterations, 1e6 * iteration, 1e6 * floor,
               floor / iteration, deviceBytes, hostBytes, grown);
        fflush(stdout);
    }
    free(seconds);
    wfDestroyScene(scene);
    return ok;
}

static bool BenchSheets(wfDevice* device, const BenchOptions* o, wfError* err) {
    double bandwidth = wfMeasureBandwidth(device);
    if (o->json)
        printf("{\"device\": \"%s\", \"triad_gb_per_s\": %.1f}\n", wfDevice_GetName(device), 1e-9 * bandwidth);
    else
        printf("%s; triad %.1f GB/s\n"
               "one step of chebyshev on fabric elements with quadratic bending, dt 5 ms; bytes a vertex: on the device, and at the peak "
               "in this process; grown: buffers "
               "allocated in warm steps\n"
               "%9s %10s %10s %6s %12s %10s %7s %9s %9s %7s\n",
               wfDevice_GetName(device), 1e-9 * bandwidth, "vertices", "step ms", "median ms", "iter.", "iteration us", "floor us", "share",
               "device", "host", "grown");
    const char* sizes = o->sizes != NULL ? o->sizes : "100,200,400,800";
    for (const char* at = sizes; *at != 0;) {
        char* end;
        long n = strtol(at, &end, 10);
        if (end == at || n < 2 || n > 5000 || (*end != 0 && *end != ','))
            return wfFail(err, wf_badInput, "--sizes: expected numbers in [2, 5000] with commas between, got \"%s\"", sizes);
        WF_TRY(BenchSheet(device, (int)n, o, bandwidth, err));
        at = *end == ',' ? end + 1 : end;
    }
    return true;
}

static bool BenchScene(wfDevice* device, const char* name, const BenchOptions* o, wfError* err) {
    char path[1024];
    WF_TRY(wfApp_FindScene(name, path, sizeof path, err));
    wfScene* scene = wfLoadScene(device, path, o->set.items, o->set.count, NULL, err);
    double* seconds = calloc((size_t)o->frames, sizeof *seconds);
    bool ok = scene != NULL && seconds != NULL && wfScene_Commit(scene, err);
    wfCertificate certificate = {0};
    for (int k = 0; ok && k < o->frames; ++k) {
        double start = wfSeconds();
        ok = wfScene_StepFrame(scene, err) && wfDevice_Sync(device, err);
        seconds[k] = wfSeconds() - start;
    }
    ok = ok && wfScene_Certify(scene, false, &certificate, err);
    if (ok) {
        qsort(seconds, (size_t)o->frames, sizeof *seconds, CompareDoubles);
        double frames = o->frames, *stage = certificate.stageSeconds;
        const char* row =
            o->json ? "{\"scene\": \"%s\", \"vertices\": %d, \"steps\": %d, \"min_ms\": %.3f, \"median_ms\": %.3f, \"max_ms\": %.3f, "
                      "\"dynamics_ms\": %.3f, \"contact_ms\": %.3f, \"contacts\": %lld, \"stretch\": %.4f}\n"
                    : "%-16s %8d vertices %4d steps  ms a frame: %.2f min, %.2f median, %.2f max (dynamics %.2f, contact %.2f); "
                      "contacts %lld, stretch %.3f\n";
        printf(row, name, scene->model.vertexCount, certificate.stepCount, 1e3 * seconds[0], 1e3 * seconds[o->frames / 2],
               1e3 * seconds[o->frames - 1], 1e3 * stage[wf_stageDynamics] / frames, 1e3 * stage[wf_stageContact] / frames,
               (long long)certificate.contacts, (double)certificate.worstStretch);
        fflush(stdout);
    }
    free(seconds);
    wfDestroyScene(scene);
    return ok;
}

wfDevice* wfBench_OpenDevice(int kind, int threads, wfError* err) {
    wfDeviceDef def = wfDefaultDeviceDef();
    def.kind = (wfDeviceKind)kind;
    def.threadCount = threads;
    return wfCreateDevice(&def, err);
}

int wfCmd_Bench(int argc, char** argv) {
    static const struct {
        const char* name;
        int (*run)(int argc, char** argv);
    } parts[] = {{"fabrics", wfBench_Fabrics},     {"judge", wfBench_Judge},   {"meshes", wfBench_Meshes},
                 {"hierarchy", wfBench_Hierarchy}, {"linear", wfBench_Linear}, {"convergence", wfBench_Convergence}};
    for (size_t k = 0; argc > 1 && k < sizeof parts / sizeof parts[0]; ++k)
        if (strcmp(argv[1], parts[k].name) == 0) return parts[k].run(argc - 1, argv + 1);
    BenchOptions o = {.repeat = 9, .frames = 30};
    int code = wfParseOptions(&s_table, &argc, argv, &o);
    if (code != wf_exitGoOn) return code;
    wfError err = {0};
    wfDevice* device = wfBench_OpenDevice(o.device, o.threads, &err);
    bool ok = device != NULL;
    if (ok && argc == 1) ok = BenchSheets(device, &o, &err);
    for (int i = 1; ok && i < argc; ++i)
        ok = strcmp(argv[i], "broad") == 0
                 ? wfBench_Broad(device, o.sizes != NULL ? o.sizes : "10000,100000,1000000", o.repeat, o.json, &err)
             : strcmp(argv[i], "sdf") == 0 ? wfBench_Sdf(device, o.repeat, o.json, &err)
             : strcmp(argv[i], "ccd") == 0 ? wfBench_Ccd(device, o.repeat, o.json, &err)
                                           : BenchScene(device, argv[i], &o, &err);
    wfDestroyDevice(device);
    return ok ? wf_exitOk : wfApp_Fail(&err);
}
