// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/bench.h"
#include "app/bench_drape.h"

#include "base/error.h"
#include "io/mesh_file.h"
#include "scene/fabrics.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

// `weft bench fabrics`: the drape test for every fabric preset, or for those that are named.

typedef struct FabricsOptions {
    int device, threads, rows;
    double step, damping, longest;
    const char *dynamics, *output;
    bool regular, json;
} FabricsOptions;

#define AT(field) offsetof(FabricsOptions, field)
static const wfOption s_rows[] = {
    {"output", 'o', wf_optionText, AT(output), .value = "DIR", .about = "keep each drape as an OBJ"},
    WF_BENCH_DEVICE_ROWS,
    {"rows", 0, wf_optionInt, AT(rows), 2, 400, "N", "rows of triangles across the ring that hangs down (default 12)"},
    {"regular", 0, wf_optionFlag, AT(regular), .about = "vertices on circles, not moved at random"},
    {"dynamics", 0, wf_optionText, AT(dynamics), .value = "NAME", .about = "as in scene files (default newton)"},
    WF_BENCH_STEP_ROW("0.02"),
    WF_BENCH_REST_ROWS,
    WF_BENCH_JSON_ROW,
};
static const wfOptionTable s_table = {
    .command = "bench fabrics",
    .rows = s_rows,
    .count = sizeof s_rows / sizeof s_rows[0],
    .maxArguments = INT_MAX,
    .notes = "Without a FABRIC: all of them. A disc of 30 cm hangs over a pedestal of 18 cm (BS 5058); the drape coefficient is the\n"
             "share of the ring that its shadow covers.\n"};

static bool BenchFabric(wfDevice* device, const char* name, const FabricsOptions* o, wfError* err) {
    wfDrapeDef def = wfDefaultDrapeDef();
    WF_TRY(wfFindFabric(name, &def.fabric, err));
    def.rows = o->rows;
    def.irregular = !o->regular;
    def.dynamics = o->dynamics;
    def.timeStep = (float)o->step;
    def.damping = (float)o->damping;
    def.longest = (float)o->longest;
    wfDrape drape = {0};
    WF_TRY(wfDrape_Run(&drape, device, &def, err));
    printf(o->json ? "{\"fabric\": \"%s\", \"density\": %.3f, \"bending_length_mm\": %.1f, \"coefficient\": %.3f, \"nodes\": %d, "
                     "\"drop_mm\": %.1f, \"stretch\": %.4f, \"seconds\": %.1f, \"speed_mm_per_s\": %.2f, \"vertices\": %d}\n"
                   : "%-11s %8.3f %10.1f %12.3f %6d %8.1f %8.3f %8.1f %10.2f %9d\n",
           name, (double)def.fabric.density, 1e3 * wfDrape_BendingLength(&def.fabric), drape.coefficient, drape.nodes, 1e3 * drape.drop,
           drape.worstStretch, drape.time, 1e3 * drape.speed, drape.vertexCount);
    fflush(stdout);
    bool ok = true;
    if (o->output != NULL) {
        char path[1024];
        int length = snprintf(path, sizeof path, "%s/%s.obj", o->output, name);
        ok = length > 0 && (size_t)length < sizeof path ? wfWriteMesh(path, &drape.mesh, err)
                                                        : wfFail(err, wf_badInput, "--output: \"%s\" is too long", o->output);
    }
    wfMesh_Free(&drape.mesh);
    return ok;
}

int wfBench_Fabrics(int argc, char** argv) {
    FabricsOptions o = {.rows = 12, .dynamics = "newton", .step = 0.02, .damping = 10.0, .longest = 20.0};
    int code = wfParseOptions(&s_table, &argc, argv, &o);
    if (code != wf_exitGoOn) return code;
    wfError err = {0};
    wfFabric fabric;
    for (int i = 1; i < argc; ++i)
        if (!wfFindFabric(argv[i], &fabric, &err)) return wfApp_Fail(&err); // before any of them runs
    wfDevice* device = wfBench_OpenDevice(o.device, o.threads, &err);
    bool ok = device != NULL;
    if (ok && !o.json)
        printf("%s; dynamics %s, step %g s, damping %g /s\n"
               "%-11s %8s %10s %12s %6s %8s %8s %8s %10s %9s\n",
               wfDevice_GetName(device), o.dynamics, o.step, o.damping, "fabric", "kg/m2", "bending mm", "coefficient", "nodes", "drop mm",
               "stretch", "seconds", "speed mm/s", "vertices");
    for (int i = 1; ok && i < argc; ++i) ok = BenchFabric(device, argv[i], &o, &err);
    for (const wfFabricPreset* p = wfFabricPresets; ok && argc == 1 && p->name != NULL; ++p) ok = BenchFabric(device, p->name, &o, &err);
    wfDestroyDevice(device);
    return ok ? wf_exitOk : wfApp_Fail(&err);
}
