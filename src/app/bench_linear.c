// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/bench.h"

#include "base/clock.h"
#include "mesh/generate.h"
#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// `weft bench linear`: what a step with impulse contact costs against the number of vertices, with as many contacts a vertex at every
// size. A sheet lies in pleats on a floor, a third of it three layers deep; larger sheets have more pleats of the same size.

enum { Pleat = 10, Warm = 4 };                           // edges a pleat; steps before those that are timed
static const float s_edge = 0.01f, s_thickness = 0.004f; // [m]

typedef struct LinearOptions {
    int device, threads, steps;
    const char* sizes;
    bool json;
} LinearOptions;

#define AT(field) offsetof(LinearOptions, field)
static const wfOption s_rows[] = {
    WF_BENCH_DEVICE_ROWS,
    {"sizes", 0, wf_optionText, AT(sizes), .value = "N,N,...", .about = "vertices a side, multiples of 10 (default 50,100,200,400)"},
    {"steps", 0, wf_optionInt, AT(steps), 1, 1000, "N", "steps timed (default 6)"},
    WF_BENCH_JSON_ROW,
};
static const wfOptionTable s_table = {
    .command = "bench linear",
    .rows = s_rows,
    .count = sizeof s_rows / sizeof s_rows[0],
    .maxArguments = 0,
    .notes = "A pleated sheet on a floor, the same pleats at every size. `of linear` is the time a vertex over the mean of all sizes,\n"
             "by the clock and of the CPU, which a busy machine disturbs less.\n"};

/// Where each column of vertices lies: along a pleat four edges on the floor, back over them in the second layer, forth in the third, down.
static void FoldPleats(wfVec3* positions, int n) {
    const float rise = 1.02f * s_thickness, turn = sqrtf(s_edge * s_edge - rise * rise);
    const float down = sqrtf(s_edge * s_edge - 4.0f * rise * rise);
    const wfVec2 way[Pleat] = {{s_edge, 0},  {s_edge, 0},  {s_edge, 0}, {s_edge, 0}, {-turn, rise},
                               {-s_edge, 0}, {turn, rise}, {s_edge, 0}, {s_edge, 0}, {down, -2.0f * rise}};
    for (int row = 0; row < n; ++row) {
        wfVec3 p = wfMake3(0.0f, 0.5f * s_thickness, s_edge * (float)row);
        for (int column = 0; column < n; ++column) {
            positions[row * n + column] = p;
            p = wfAdd(p, wfMake3(way[column % Pleat].x, way[column % Pleat].y, 0.0f));
        }
    }
}

static wfScene* MakePleats(wfDevice* device, int n, wfError* err) {
    wfSceneDef def = wfDefaultSceneDef();
    def.shortest_step = 0.0f;           // every step as long as any other
    strcpy(def.dynamics, "multilevel"); // as in scenes of many contacts
    wfScene* scene = wfCreateScene(device, &def, err);
    wfGenerateDef sheet = wfDefaultGenerateDef();
    sheet.n = n;
    sheet.size = wfMake3(s_edge * (float)(n - 1), 1.0f, s_edge * (float)(n - 1));
    wfMesh mesh = {0};
    wfVec3* folded = malloc((size_t)n * (size_t)n * sizeof *folded);
    bool ok = scene != NULL && wfGenerate(&mesh, &sheet, err);
    if (ok && folded == NULL) ok = wfFail(err, wf_outOfMemory, "out of memory for a pleated sheet");
    if (ok) {
        FoldPleats(folded, n);
        wfClothDef cloth = wfDefaultClothDef();
        cloth.mesh = wfMesh_View(&mesh);
        cloth.mesh.restPositions = cloth.mesh.positions;
        cloth.mesh.positions = &folded->x;
        cloth.fabric.thickness = s_thickness;
        cloth.fabric.bending = 1e-7f; // soft, so that layers lie on each other
        wfColliderDef floor = wfDefaultColliderDef();
        floor.shape = wf_shapePlane;
        ok = !WF_ID_IS_NULL(wfCreateCloth(scene, &cloth, err)) && !WF_ID_IS_NULL(wfCreateCollider(scene, &floor, err));
    }
    free(folded);
    wfMesh_Free(&mesh);
    if (ok && wfScene_Commit(scene, err)) return scene;
    wfDestroyScene(scene);
    return NULL;
}

typedef struct LinearRow {
    double vertices, seconds, dynamics, contact, contacts, memory;
    double cpu; // [s] of all threads
} LinearRow;

static bool TimeSteps(wfDevice* device, wfScene* scene, int steps, LinearRow* out, wfError* err) {
    float dt = scene->def.time_step;
    wfCertificate c;
    for (int k = 0; k < Warm; ++k) WF_TRY(wfScene_Step(scene, dt, err));
    WF_TRY(wfScene_Certify(scene, false, &c, err)); // takes the times so far
    double start = wfSeconds();
    clock_t ticks = clock();
    for (int k = 0; k < steps; ++k) WF_TRY(wfScene_Step(scene, dt, err));
    WF_TRY(wfDevice_Sync(device, err));
    out->seconds = (wfSeconds() - start) / steps;
    out->cpu = (double)(clock() - ticks) / CLOCKS_PER_SEC / steps;
    WF_TRY(wfScene_Certify(scene, true, &c, err));
    if (c.intersectingPairs != 0)
        return wfFail(err, wf_stepFailed, "bench linear: %lld intersecting pairs", (long long)c.intersectingPairs);
    out->vertices = scene->model.vertexCount;
    out->dynamics = c.stageSeconds[wf_stageDynamics] / steps;
    out->contact = c.stageSeconds[wf_stageContact] / steps;
    out->contacts = (double)c.contacts;
    out->memory = (double)wfDevice_GetMemory(device);
    return true;
}

static bool ReadSizes(const char* text, int sizes[16], int* count, wfError* err) {
    *count = 0;
    for (const char* at = text; *at != 0 && *count < 16;) {
        char* end;
        long n = strtol(at, &end, 10);
        if (end == at || n < Pleat || n > 5000 || n % Pleat != 0 || (*end != 0 && *end != ','))
            return wfFail(err, wf_badInput, "--sizes: expected multiples of %d up to 5000 with commas between, got \"%s\"", Pleat, text);
        sizes[(*count)++] = (int)n;
        at = *end == ',' ? end + 1 : end;
    }
    return true;
}

static void Print(const LinearRow* rows, int count, const LinearOptions* o) {
    double mean[2] = {0, 0};
    for (int k = 0; k < count; ++k) {
        mean[0] += rows[k].seconds / rows[k].vertices / count;
        mean[1] += rows[k].cpu / rows[k].vertices / count;
    }
    if (!o->json)
        printf("%9s %10s %12s %10s %12s %10s %16s %10s %18s %10s\n", "vertices", "step ms", "dynamics ms", "contact ms", "us a vertex",
               "of linear", "cpu us a vertex", "of linear", "contacts a vertex", "bytes");
    for (int k = 0; k < count; ++k) {
        const LinearRow* r = &rows[k];
        double n = r->vertices, wall = r->seconds / n, cpu = r->cpu / n;
        printf(o->json ? "{\"vertices\": %.0f, \"step_ms\": %.3f, \"dynamics_ms\": %.3f, \"contact_ms\": %.3f, \"us_per_vertex\": %.3f, "
                         "\"of_linear\": %.3f, \"cpu_us_per_vertex\": %.3f, \"cpu_of_linear\": %.3f, "
                         "\"contacts_per_vertex\": %.3f, \"device_bytes_per_vertex\": %.0f}\n"
                       : "%9.0f %10.2f %12.2f %10.2f %12.3f %10.3f %16.3f %10.3f %18.3f %10.0f\n",
               n, 1e3 * r->seconds, 1e3 * r->dynamics, 1e3 * r->contact, 1e6 * wall, wall / mean[0], 1e6 * cpu, cpu / mean[1],
               r->contacts / n, r->memory / n);
    }
}

int wfBench_Linear(int argc, char** argv) {
    LinearOptions o = {.steps = 6, .sizes = "50,100,200,400"};
    int code = wfParseOptions(&s_table, &argc, argv, &o);
    if (code != wf_exitGoOn) return code;
    wfError err = {0};
    int sizes[16], count;
    LinearRow rows[16] = {0};
    if (!ReadSizes(o.sizes, sizes, &count, &err)) return wfApp_Fail(&err);
    wfDevice* device = wfBench_OpenDevice(o.device, o.threads, &err);
    bool ok = device != NULL;
    for (int k = 0; ok && k < count; ++k) {
        wfScene* scene = MakePleats(device, sizes[k], &err);
        ok = scene != NULL && TimeSteps(device, scene, o.steps, &rows[k], &err);
        wfDestroyScene(scene);
    }
    if (ok) Print(rows, count, &o);
    wfDestroyDevice(device);
    return ok ? wf_exitOk : wfApp_Fail(&err);
}
