// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/bench.h"

#include "base/clock.h"
#include "contact/repulsion.h"
#include "mesh/generate.h"
#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// `weft bench convergence`: figure 5 of Wu et al. 2020. Two sheets drape over a ball; then one step is taken round by round, by splitting
// and by interleaving, with one level and with three. The error of a round is (E(x) - E*) / (E0 - E*), where E is the energy of the step,
// sum w/2 |x - target|² + elastic energy, E0 that of the start and E* that after 1024 rounds of interleaving.

enum { Rounds = 72, Exact = 1024, MethodCount = 4 };
static const float s_coupling = 80000.0f; // sigma [1/s²], as in step/splitting.c
enum { Horizon = 30 };

typedef struct Method {
    const char *name, *dynamics, *color;
    bool interleaved;
} Method;

static const Method s_methods[MethodCount] = {{"splitting, 1 level", "chebyshev", "#c23b22", false},
                                              {"splitting, 3 levels", "hierarchy", "#e08a1e", false},
                                              {"interleaving, 1 level", "chebyshev", "#2b6cb0", true},
                                              {"interleaving, 3 levels", "hierarchy", "#2f855a", true}};

typedef struct Curve {
    double energy[Exact + 1], seconds[Exact + 1];
    int rounds;
} Curve;

// ---- the scene ----------------------------------------------------------------------------------------------------------------

static wfScene* MakeScene(wfDevice* device, const char* dynamics, int n, wfError* err) {
    const float size = 0.3f;
    wfSceneDef def = wfDefaultSceneDef();
    def.time_step = 0.01f;
    snprintf(def.dynamics, sizeof def.dynamics, "%s", dynamics);
    snprintf(def.contact, sizeof def.contact, "repulsion");
    snprintf(def.stepper, sizeof def.stepper, "splitting");
    wfScene* scene = wfCreateScene(device, &def, err);
    wfGenerateDef sheet = wfDefaultGenerateDef();
    sheet.size = wfMake3(size, 1.0f, size);
    sheet.n = n;
    wfMesh mesh = {0};
    bool ok = scene != NULL && wfGenerate(&mesh, &sheet, err);
    for (int k = 0; ok && k < 2; ++k) {
        wfClothDef cloth = wfDefaultClothDef();
        snprintf(cloth.name, sizeof cloth.name, "sheet%d", k);
        for (int i = 0; i < mesh.vertexCount; ++i)
            mesh.positions[i] =
                wfAdd(mesh.positions[i], wfMake3(0.004f * (float)k, (k == 0 ? 0.1f : 0.0f) + 2.2f * size / (float)(n - 1), 0.003f));
        cloth.mesh = wfMesh_View(&mesh);
        ok = !WF_ID_IS_NULL(wfCreateCloth(scene, &cloth, err));
    }
    wfColliderDef ball = wfDefaultColliderDef();
    ball.shape = wf_shapeSphere;
    ball.radius = 0.1f;
    ok = ok && !WF_ID_IS_NULL(wfCreateCollider(scene, &ball, err)) && wfScene_Commit(scene, err);
    wfMesh_Free(&mesh);
    if (ok) return scene;
    wfDestroyScene(scene);
    return NULL;
}

// ---- one step -----------------------------------------------------------------------------------------------------------------

/// The energy at the contact's positions; those of the dynamics stay.
static bool EnergyAt(wfScene* scene, const wfStepContext* ctx, const wfVec4* target, wfVec4* y, wfVec4* x, double* out, wfError* err) {
    size_t n = (size_t)scene->state.vertexCount;
    wfMeasure measure;
    WF_TRY(wfDownload(scene->device, y, &scene->state.x, 0, n, err));
    WF_TRY(wfRepulsion_Leave(scene->parts.contactSelf, ctx, err));
    WF_TRY(wfDownload(scene->device, x, &scene->state.x, 0, n, err));
    WF_TRY(scene->parts.dynamics->measure(scene->parts.dynamicsSelf, ctx, &measure, err));
    wfUpload(scene->device, &scene->state.x, y, n);
    *out = measure.elasticEnergy;
    for (size_t i = 0; i < n; ++i) {
        double dx = (double)x[i].x - (double)target[i].x, dy = (double)x[i].y - (double)target[i].y,
               dz = (double)x[i].z - (double)target[i].z;
        *out += 0.5 * (double)target[i].w * (dx * dx + dy * dy + dz * dz);
    }
    return wfDevice_Sync(scene->device, err);
}

static bool TakeRound(wfScene* scene, const wfStepContext* ctx, int k, int rounds, bool interleaved, wfError* err) {
    const wfStepParts* parts = &scene->parts;
    wfRepulsion* contact = parts->contactSelf;
    parts->dynamics->round(parts->dynamicsSelf, k, k == 0 || interleaved);
    WF_TRY(wfRepulsion_FindAll(contact, ctx, err));
    parts->dynamics->iterate(parts->dynamicsSelf, ctx, parts->dynamics->roundIterations);
    wfRepulsion_TakeRound(contact, ctx, (wfRepulsionRound){.left = rounds - k, .arrive = rounds - k}, true);
    return wfRepulsion_Harden(contact, ctx, false, err);
}

static bool TakeStep(wfScene* scene, double time, bool interleaved, int rounds, wfVec4* scratch, Curve* out, wfError* err) {
    const wfStepParts* parts = &scene->parts;
    size_t n = (size_t)scene->state.vertexCount;
    wfScene_MoveShapes(scene, time, time + (double)scene->def.time_step);
    wfScene_MoveBodies(scene, time, time + (double)scene->def.time_step);
    wfScene_MovePins(scene, time, time + (double)scene->def.time_step);
    wfStepContext ctx = wfScene_Context(scene, time, scene->def.time_step);
    wfForces forces = parts->forces;
    forces.coupling = interleaved ? 0.0f : s_coupling;
    forces.horizon = interleaved ? Horizon : 0;
    parts->dynamics->begin(parts->dynamicsSelf, &ctx, &forces);
    WF_TRY(wfDownload(scene->device, scratch, &scene->state.target, 0, n, err));
    wfRepulsionMode mode = {.coupling = forces.coupling, .interleaved = interleaved};
    WF_TRY(wfRepulsion_Begin(parts->contactSelf, &ctx, mode, err));
    WF_TRY(EnergyAt(scene, &ctx, scratch, scratch + n, scratch + 2 * n, &out->energy[0], err));
    double begin = wfSeconds(), spent = 0.0;
    wfRepulsion_Smooth(parts->contactSelf, &ctx);
    for (int k = 0; k < wf_repulsionStart; ++k) {
        WF_TRY(wfRepulsion_FindAll(parts->contactSelf, &ctx, err));
        wfRepulsion_Drift(parts->contactSelf, &ctx, true, wf_repulsionStart - k, 0);
        WF_TRY(wfRepulsion_Harden(parts->contactSelf, &ctx, true, err));
    }
    for (int k = 0; k < rounds; ++k) {
        WF_TRY(TakeRound(scene, &ctx, k, rounds, interleaved, err));
        double now = wfSeconds();
        out->seconds[k + 1] = spent += now - begin;
        WF_TRY(EnergyAt(scene, &ctx, scratch, scratch + n, scratch + 2 * n, &out->energy[k + 1], err));
        begin = wfSeconds();
    }
    out->rounds = rounds;
    return true;
}

static bool CopyMotion(wfScene* to, const wfScene* from, wfVec4* scratch, wfError* err) {
    size_t n = (size_t)from->state.vertexCount;
    WF_TRY(wfDownload(from->device, scratch, &from->state.x, 0, n, err));
    wfUpload(to->device, &to->state.x, scratch, n);
    WF_TRY(wfDownload(from->device, scratch, &from->state.v, 0, n, err));
    wfUpload(to->device, &to->state.v, scratch, n);
    return wfDevice_Sync(to->device, err);
}

/// From the state of `from`.
static bool Follow(wfDevice* device, const wfScene* from, const Method* m, int n, int rounds, wfVec4* scratch, Curve* out, wfError* err) {
    wfScene* scene = MakeScene(device, m->dynamics, n, err);
    bool ok =
        scene != NULL && CopyMotion(scene, from, scratch, err) && TakeStep(scene, from->time, m->interleaved, rounds, scratch, out, err);
    wfDestroyScene(scene);
    return ok;
}

// ---- the picture --------------------------------------------------------------------------------------------------------------

static double ErrorOf(const Curve* c, int k, double exact) { return (c->energy[k] - exact) / (c->energy[0] - exact); }

/// One of the two plots: errors from 1 down to 1e-4, over rounds or over milliseconds.
static void DrawPlot(FILE* f, const Curve* curves, double exact, bool overTime, double left) {
    const double width = 340.0, height = 260.0, top = 30.0, decades = 4.0;
    double most = overTime ? 0.0 : Rounds;
    for (int m = 0; overTime && m < MethodCount; ++m) most = fmax(most, 1e3 * curves[m].seconds[curves[m].rounds]);
    fprintf(f, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"none\" stroke=\"#888\"/>\n", left, top, width, height);
    for (int d = 0; d <= (int)decades; ++d)
        fprintf(f, "<text x=\"%g\" y=\"%g\" text-anchor=\"end\">1e-%d</text>\n", left - 6.0, top + 4.0 + height * d / decades, d);
    for (int k = 0; k <= 4; ++k)
        fprintf(f, "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">%.0f</text>\n", left + width * k / 4.0, top + height + 16.0,
                most * k / 4.0);
    fprintf(f, "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">%s</text>\n", left + 0.5 * width, top + height + 34.0,
            overTime ? "milliseconds" : "rounds");
    for (int m = 0; m < MethodCount; ++m) {
        fprintf(f, "<polyline fill=\"none\" stroke-width=\"1.5\" stroke=\"%s\" points=\"", s_methods[m].color);
        for (int k = 0; k <= curves[m].rounds; ++k) {
            double error = fmin(fmax(ErrorOf(&curves[m], k, exact), pow(10.0, -decades)), 1.0);
            double at = overTime ? 1e3 * curves[m].seconds[k] : k;
            fprintf(f, "%.1f,%.1f ", left + width * at / most, top - height * log10(error) / decades);
        }
        fprintf(f, "\"/>\n");
        if (overTime)
            fprintf(f, "<text x=\"%g\" y=\"%g\" fill=\"%s\" text-anchor=\"end\">%s</text>\n", left + width - 8.0, top + 18.0 + 16.0 * m,
                    s_methods[m].color, s_methods[m].name);
    }
}

static bool WriteSvg(const char* path, const Curve* curves, double exact, wfError* err) {
    FILE* f = fopen(path, "w");
    if (f == NULL) return wfFail(err, wf_badInput, "%s: cannot be written", path);
    fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"840\" height=\"340\" font-family=\"sans-serif\" font-size=\"12\">\n"
               "<rect width=\"840\" height=\"340\" fill=\"white\"/>\n<text x=\"50\" y=\"18\">what is left of the energy above the exact "
               "step</text>\n");
    DrawPlot(f, curves, exact, false, 50.0);
    DrawPlot(f, curves, exact, true, 470.0);
    fprintf(f, "</svg>\n");
    return fclose(f) == 0 || wfFail(err, wf_badInput, "%s: cannot be written", path);
}

// ---- all of it ----------------------------------------------------------------------------------------------------------------

typedef struct ConvergenceOptions {
    int device, threads, n, steps;
    const char* svg;
} ConvergenceOptions;

#define AT(field) offsetof(ConvergenceOptions, field)
static const wfOption s_rows[] = {
    WF_BENCH_DEVICE_ROWS,
    {"n", 0, wf_optionInt, AT(n), 8, 1000, "N", "vertices along a sheet (default 24)"},
    {"steps", 0, wf_optionInt, AT(steps), 1, 1000, "N", "steps before the one that is looked at (default 30)"},
    {"svg", 0, wf_optionText, AT(svg), .value = "FILE", .about = "also draw the curves"},
};
static const wfOptionTable s_table = {
    .command = "bench convergence",
    .rows = s_rows,
    .count = sizeof s_rows / sizeof s_rows[0],
    .maxArguments = 0,
    .notes =
        "Two sheets drape over a ball. Then one step of 10 ms is taken in 72 rounds, each with the hard phase at hand, by splitting and "
        "by\n"
        "interleaving, with one level and with three (Wu et al. 2020, figure 5). Printed is what is left of the energy above that after\n"
        "1024 rounds of interleaving, and the time until then.\n"};

static void PrintCurves(const Curve* curves, double exact) {
    static const int shown[] = {1, 2, 4, 8, 16, 24, 36, 48, 60, 72};
    printf("%-8s", "rounds");
    for (int m = 0; m < MethodCount; ++m) printf("%28s", s_methods[m].name);
    printf("\n");
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; ++i) {
        printf("%-8d", shown[i]);
        for (int m = 0; m < MethodCount; ++m)
            printf("%16.2e in %6.1f ms", ErrorOf(&curves[m], shown[i], exact), 1e3 * curves[m].seconds[shown[i]]);
        printf("\n");
    }
}

static bool Compare(wfDevice* device, const ConvergenceOptions* o, wfError* err) {
    wfArena arena = {0};
    Curve* curves = wfArena_New(&arena, Curve, MethodCount + 1, "curves", err);
    wfScene* scene = curves != NULL ? MakeScene(device, "chebyshev", o->n, err) : NULL;
    wfVec4* scratch = scene != NULL ? wfArena_New(&arena, wfVec4, 3 * (size_t)scene->state.vertexCount, "curves", err) : NULL;
    bool ok = scratch != NULL && wfScene_Step(scene, (float)o->steps * scene->def.time_step, err);
    ok = ok && Follow(device, scene, &s_methods[2], o->n, Exact, scratch, &curves[MethodCount], err);
    for (int m = 0; ok && m < MethodCount; ++m) ok = Follow(device, scene, &s_methods[m], o->n, Rounds, scratch, &curves[m], err);
    if (ok) {
        double exact = curves[MethodCount].energy[Exact];
        printf("%s, %d vertices, after %d steps\n", wfDevice_GetName(device), scene->state.vertexCount, o->steps);
        PrintCurves(curves, exact);
        ok = o->svg == NULL || WriteSvg(o->svg, curves, exact, err);
    }
    wfDestroyScene(scene);
    wfArena_Free(&arena);
    return ok;
}

int wfBench_Convergence(int argc, char** argv) {
    ConvergenceOptions o = {.n = 24, .steps = 30};
    int code = wfParseOptions(&s_table, &argc, argv, &o);
    if (code != wf_exitGoOn) return code;
    wfError err = {0};
    wfDevice* device = wfBench_OpenDevice(o.device, o.threads, &err);
    bool ok = device != NULL && Compare(device, &o, &err);
    wfDestroyDevice(device);
    return ok ? wf_exitOk : wfApp_Fail(&err);
}
