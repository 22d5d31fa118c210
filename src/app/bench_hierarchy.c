// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/bench.h"

#include "base/clock.h"
#include "dynamics/descent.h"
#include "mesh/generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// `weft bench hierarchy`: how long dynamics "hierarchy" and descent on the mesh alone take to solve one step of a stiff sheet equally well.
// The sheet is held at a side or at two corners, lies flat at first, and has fallen for a few steps, which the mesh alone has solved well:
// whatever is measured starts from the same state. (When "hierarchy" itself made these steps, what it left undone was in the next one's
// gain, and the worse it was, the smaller its error looked.) An error is the step's energy above the lowest that any of the runs has
// reached, as a share of what the whole step gains; energies are summed in double precision on the host.

typedef struct HierarchyOptions {
    int device, threads, size, steps, judge;
    double stretch, step, error;
    bool springs, json;
} HierarchyOptions;

#define AT(field) offsetof(HierarchyOptions, field)
static const wfOption s_rows[] = {
    WF_BENCH_DEVICE_ROWS,
    {"size", 0, wf_optionInt, AT(size), 8, 5000, "N", "vertices a side of the sheet (default 400)"},
    {"stretch", 0, wf_optionNumber, AT(stretch), 1.0, 1e7, "N/M", "its stiffness (default 10000)"},
    WF_BENCH_STEP_ROW("0.01"),
    {"steps", 0, wf_optionInt, AT(steps), 0, 10000, "N", "steps before it, by the mesh alone (default 10)"},
    {"error", 0, wf_optionNumber, AT(error), 1e-5, 0.5, "SHARE", "the error to be reached (default 0.01)"},
    {"judge", 0, wf_optionInt, AT(judge), 64, 1000000, "N",
     "iterations on the mesh alone at most; a quarter in steps before (default 6400)"},
    {"springs", 0, wf_optionFlag, AT(springs), .about = "springs in place of triangle elements"},
    WF_BENCH_JSON_ROW,
};
static const wfOptionTable s_table = {.command = "bench hierarchy",
                                      .rows = s_rows,
                                      .count = sizeof s_rows / sizeof s_rows[0],
                                      .notes =
                                          "One step of a stiff sheet, on three resolutions of the mesh and on the mesh alone: the time "
                                          "that each takes\nto come as near to the solution.\n"};

enum { MostRuns = 8, Chunk = 64, MostChunks = 16384 };

typedef struct Run {
    char name[32];
    int iterations; // on the mesh alone
    double wall, cpu, energy;
} Run;

typedef struct Rig {
    wfDevice* device;
    wfMesh mesh;
    wfTopology topology;
    wfArena arena;
    wfClothRange cloth;
    wfModel model;
    wfState state;
    wfBuffer scratch, predicted;
    wfStepContext ctx;
    wfElastic elastic; // on the host
    wfVec4 *x, *target;
    wfVec3D* wide;
    Run runs[MostRuns];
    int runCount;
} Rig;

static bool MakeModel(Rig* rig, const HierarchyOptions* o, wfError* err) {
    wfGenerateDef sheet = wfDefaultGenerateDef();
    sheet.n = o->size;
    WF_TRY(wfGenerate(&rig->mesh, &sheet, err));
    wfMesh* mesh = &rig->mesh;
    size_t n = (size_t)mesh->vertexCount;
    WF_TRY(wfTopology_Create(&rig->topology, mesh->triangles, mesh->triangleCount, mesh->vertexCount, err));
    float *mass = wfArena_New(&rig->arena, float, n, "bench", err), *area = wfArena_New(&rig->arena, float, n, "bench", err);
    int* clothOf = wfArena_New(&rig->arena, int, n, "bench", err);
    rig->x = wfArena_New(&rig->arena, wfVec4, n, "bench", err);
    rig->target = wfArena_New(&rig->arena, wfVec4, n, "bench", err);
    rig->wide = wfArena_New(&rig->arena, wfVec3D, n, "bench", err);
    if (!mass || !area || !clothOf || !rig->x || !rig->target || !rig->wide) return false;
    wfFabric fabric = wfDefaultFabric();
    fabric.stretch = (float)o->stretch;
    fabric.shear = 0.3f * fabric.stretch;
    for (int t = 0; t < mesh->triangleCount; ++t) {
        const int* v = mesh->triangles[t].v;
        float third = wfTriangleArea(mesh->positions[v[0]], mesh->positions[v[1]], mesh->positions[v[2]]) / 3.0f;
        for (int k = 0; k < 3; ++k) area[v[k]] += third;
    }
    for (size_t i = 0; i < n; ++i) mass[i] = area[i] * fabric.density;
    rig->cloth = (wfClothRange){.name = "sheet", .vertexCount = (int)n, .triangleCount = mesh->triangleCount, .fabric = fabric};
    rig->model = (wfModel){
        .vertexCount = (int)n,
        .triangleCount = mesh->triangleCount,
        .clothCount = 1,
        .start = mesh->positions,
        .triangles = mesh->triangles,
        .flat = mesh->flat,
        .mass = mass,
        .area = area,
        .clothOf = clothOf,
        .cloths = &rig->cloth,
        .topology = &rig->topology,
    };
    return true;
}

static void MakeState(Rig* rig, const HierarchyOptions* o, bool corners) {
    wfState* s = &rig->state;
    size_t n = (size_t)rig->model.vertexCount;
    s->vertexCount = rig->model.vertexCount;
    s->x = wfMakeBuffer(sizeof(wfVec4), "bench.x");
    s->v = wfMakeBuffer(sizeof(wfVec4), "bench.v");
    s->xStart = wfMakeBuffer(sizeof(wfVec4), "bench.xStart");
    s->target = wfMakeBuffer(sizeof(wfVec4), "bench.target");
    s->history = wfMakeBuffer(sizeof(wfVec4), "bench.history");
    rig->predicted = wfMakeBuffer(sizeof(wfVec4), "bench.predicted");
    rig->scratch = wfMakeBuffer(1, "bench.scratch");
    wfReserve(rig->device, &s->v, n);
    wfZero(rig->device, &s->v);
    wfReserve(rig->device, &s->xStart, n);
    wfReserve(rig->device, &rig->predicted, n);
    for (size_t i = 0; i < n; ++i) rig->x[i] = wfMake4(rig->model.start[i], rig->model.mass[i]);
    wfUpload(rig->device, &s->x, rig->x, n);
    for (size_t i = 0; i < n; ++i) {
        bool held = (int)i < o->size && (!corners || i == 0 || (int)i == o->size - 1);
        rig->x[i].w = held ? -1.0f : 0.0f;
    }
    wfUpload(rig->device, &s->target, rig->x, n);
    rig->ctx = (wfStepContext){.device = rig->device, .model = &rig->model, .state = s, .dt = (float)o->step, .scratch = &rig->scratch};
}

static void FreeRig(Rig* rig) {
    wfBuffer* buffers[] = {&rig->state.x,       &rig->state.v,   &rig->state.xStart, &rig->state.target,
                           &rig->state.history, &rig->predicted, &rig->scratch};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(rig->device, buffers[k]);
    wfElastic_Free(&rig->elastic);
    wfTopology_Free(&rig->topology);
    wfMesh_Free(&rig->mesh);
    wfArena_Free(&rig->arena);
}

/// The energy of the step that was begun, at the positions in `x`.
static bool StepEnergyOf(Rig* rig, const wfBuffer* x, double* out, wfError* err) {
    size_t n = (size_t)rig->model.vertexCount;
    WF_TRY(wfDownload(rig->device, rig->x, x, 0, n, err));
    WF_TRY(wfDownload(rig->device, rig->target, &rig->state.target, 0, n, err));
    double inertia = 0.0;
    for (size_t i = 0; i < n; ++i) {
        wfVec4 a = rig->x[i], b = rig->target[i];
        double dx = (double)a.x - b.x, dy = (double)a.y - b.y, dz = (double)a.z - b.z;
        if (b.w > 0.0f) inertia += 0.5 * (double)b.w * (dx * dx + dy * dy + dz * dz);
        rig->wide[i] = wfWiden(wfXyz(a));
    }
    *out = inertia + wfElastic_Energy(&rig->elastic, rig->wide);
    return true;
}

static double CpuSeconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/// Back to the beginning of the step, with nothing left to do on the device.
static bool Restart(Rig* rig, wfError* err) {
    wfCopy(rig->device, &rig->state.x, &rig->predicted, (size_t)rig->model.vertexCount);
    return wfDevice_Sync(rig->device, err);
}

static bool Finish(Rig* rig, const char* name, int iterations, double wall, double cpu, wfError* err) {
    Run* run = &rig->runs[rig->runCount++];
    WF_TRY(wfDevice_Sync(rig->device, err));
    *run = (Run){.iterations = iterations, .wall = wfSeconds() - wall, .cpu = CpuSeconds() - cpu};
    snprintf(run->name, sizeof run->name, "%s", name);
    return StepEnergyOf(rig, &rig->state.x, &run->energy, err);
}

static bool RunHierarchy(Rig* rig, void* hierarchy, wfError* err) {
    const wfDynamicsType* type = &wfHierarchyDynamics;
    enum { Rounds = 72 };
    WF_TRY(Restart(rig, err));
    double wall = wfSeconds(), cpu = CpuSeconds();
    type->iterate(hierarchy, &rig->ctx, 0);
    WF_TRY(Finish(rig, "hierarchy, whole step", 0, wall, cpu, err));
    WF_TRY(Restart(rig, err));
    wall = wfSeconds();
    cpu = CpuSeconds();
    for (int k = 0; k < Rounds; ++k) type->iterate(hierarchy, &rig->ctx, 1);
    return Finish(rig, "hierarchy, 72 rounds", 0, wall, cpu, err);
}

/// One level, chunk by chunk without a pause in the acceleration; energies and times after each.
typedef struct Curve {
    int count;
    double energy[MostChunks], wall[MostChunks], cpu[MostChunks];
} Curve;

static bool RunOneLevel(Rig* rig, wfDescent* descent, const HierarchyOptions* o, Curve* curve, wfError* err) {
    WF_TRY(Restart(rig, err));
    wfVec4 *x = wfData(&rig->state.x, wfVec4), *target = wfData(&rig->state.target, wfVec4);
    double wall = 0.0, cpu = 0.0;
    for (int done = 0; done < o->judge && curve->count < MostChunks; done += Chunk) {
        double wallStart = wfSeconds(), cpuStart = CpuSeconds();
        if (done == 0) wfDescent_Start(descent, rig->device, x, target);
        wfDescent_Continue(descent, rig->device, x, target, Chunk);
        WF_TRY(wfDevice_Sync(rig->device, err));
        wall += wfSeconds() - wallStart;
        cpu += CpuSeconds() - cpuStart;
        int k = curve->count++;
        curve->wall[k] = wall;
        curve->cpu[k] = cpu;
        WF_TRY(StepEnergyOf(rig, &rig->state.x, &curve->energy[k], err));
    }
    return true;
}

static void PrintRun(const HierarchyOptions* o, const char* hang, const Run* run, double error) {
    printf(o->json ? "{\"hangs\": \"%s\", \"method\": \"%s\", \"iterations\": %d, \"error\": %.5f, \"wall_ms\": %.3f, \"cpu_ms\": %.3f}\n"
                   : "%-8s %-24s %10d %10.5f %12.2f %12.2f\n",
           hang, run->name, run->iterations, error, 1e3 * run->wall, 1e3 * run->cpu);
}

/// What the mesh alone needs to be at least as good as `energy`.
static bool FirstBelow(const Curve* curve, double energy, const char* name, Run* out) {
    for (int k = 0; k < curve->count; ++k)
        if (curve->energy[k] <= energy) {
            *out = (Run){.iterations = Chunk * (k + 1), .wall = curve->wall[k], .cpu = curve->cpu[k], .energy = curve->energy[k]};
            snprintf(out->name, sizeof out->name, "%s", name);
            return true;
        }
    return false;
}

static bool BenchHang(wfDevice* device, const HierarchyOptions* o, bool corners, wfError* err) {
    const char* hang = corners ? "corners" : "side";
    wfDynamicsDef def = {.elastic = {.membrane = o->springs ? wf_membraneSprings : wf_membraneFabric,
                                     .bending = o->springs ? wf_bendingSprings : wf_bendingQuadratic}};
    const wfForces forces = {.gravity = {0.0f, -9.81f, 0.0f}};
    Rig rig = {.device = device};
    wfDescent descent = {0};
    Curve* curve = calloc(1, sizeof *curve);
    void *hierarchy = NULL, *alone = NULL;
    bool ok = curve != NULL && MakeModel(&rig, o, err);
    if (ok) MakeState(&rig, o, corners);
    ok = ok && wfElastic_Create(&rig.elastic, &rig.model, &def.elastic, err) &&
         (hierarchy = wfHierarchyDynamics.create(device, &rig.model, &rig.state, &def, err)) != NULL &&
         wfDescent_Create(&descent, device, &rig.model, &def.elastic, err);
    def.iterations = o->judge / 4;
    ok = ok && (alone = wfChebyshevDynamics.create(device, &rig.model, &rig.state, &def, err)) != NULL;
    for (int k = 0; ok && k < o->steps; ++k) {
        wfChebyshevDynamics.begin(alone, &rig.ctx, &forces);
        wfChebyshevDynamics.iterate(alone, &rig.ctx, 0);
        wfChebyshevDynamics.end(alone, &rig.ctx);
        ok = wfDevice_Sync(device, err);
    }
    double before = 0.0;
    if (ok) {
        wfHierarchyDynamics.begin(hierarchy, &rig.ctx, &forces);
        wfDescent_Prepare(&descent, device, (float)o->step, 0);
        wfCopy(device, &rig.predicted, &rig.state.x, (size_t)rig.model.vertexCount);
        wfHierarchyDynamics.iterate(hierarchy, &rig.ctx, 0); // warm: its graph is recorded
        ok = StepEnergyOf(&rig, &rig.predicted, &before, err) && RunHierarchy(&rig, hierarchy, err) &&
             RunOneLevel(&rig, &descent, o, curve, err);
    }
    if (ok) {
        double lowest = INFINITY;
        for (int k = 0; k < curve->count; ++k) lowest = fmin(lowest, curve->energy[k]);
        for (int k = 0; k < rig.runCount; ++k) lowest = fmin(lowest, rig.runs[k].energy);
        double gain = before - lowest;
        if (!o->json) printf("%-8s the step gains %.4g J\n", hang, gain);
        for (int k = 0; k < rig.runCount; ++k) {
            double error = (rig.runs[k].energy - lowest) / gain;
            PrintRun(o, hang, &rig.runs[k], error);
        }
        Run run, *whole = &rig.runs[0];
        if (FirstBelow(curve, lowest + o->error * gain, "mesh alone, to the error", &run))
            PrintRun(o, hang, &run, (run.energy - lowest) / gain);
        if (FirstBelow(curve, whole->energy, "mesh alone, as good", &run)) {
            PrintRun(o, hang, &run, (run.energy - lowest) / gain);
            if (!o->json)
                printf("%-8s the mesh alone takes %.1f times as long (cpu: %.1f)\n", hang, run.wall / whole->wall, run.cpu / whole->cpu);
        }
        run = (Run){.iterations = Chunk * curve->count, .wall = curve->wall[curve->count - 1], .cpu = curve->cpu[curve->count - 1]};
        snprintf(run.name, sizeof run.name, "mesh alone, all");
        PrintRun(o, hang, &run, (curve->energy[curve->count - 1] - lowest) / gain);
        fflush(stdout);
    }
    wfDescent_Free(&descent, device);
    wfHierarchyDynamics.destroy(hierarchy, device);
    wfChebyshevDynamics.destroy(alone, device);
    FreeRig(&rig);
    free(curve);
    return ok;
}

int wfBench_Hierarchy(int argc, char** argv) {
    HierarchyOptions o = {.size = 400, .steps = 10, .judge = 6400, .stretch = 1e4, .step = 0.01, .error = 0.01};
    int code = wfParseOptions(&s_table, &argc, argv, &o);
    if (code != wf_exitGoOn) return code;
    wfError err = {0};
    wfDevice* device = wfBench_OpenDevice(o.device, o.threads, &err);
    bool ok = device != NULL;
    if (ok && !o.json)
        printf("%s; sheet of %d x %d vertices, 1 m, %g N/m, step %g s\n%-8s %-24s %10s %10s %12s %12s\n", wfDevice_GetName(device), o.size,
               o.size, o.stretch, o.step, "hangs by", "method", "iterations", "error", "wall ms", "cpu ms");
    ok = ok && BenchHang(device, &o, false, &err) && BenchHang(device, &o, true, &err);
    wfDestroyDevice(device);
    return ok ? wf_exitOk : wfApp_Fail(&err);
}
