// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/bench.h"

#include "mesh/generate.h"
#include "scene/scene.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// `weft bench judge`: descent beside Newton's method on small scenes. One step in the middle of a motion is posed to both: its energy is
// E = sum w/2 |x - target|² + elastic energy, and the error of descent is what is left of the way from its start to Newton's minimum,
// (E - E*) / (E0 - E*). E is computed in double precision by the judge. Then the whole motion is run by both.

typedef enum Hold { HoldNothing, HoldCorner, HoldSide, HoldBothSides } Hold;

typedef struct JudgeCase {
    const char *name, *about;
    float width, depth; // [m]; the sheet lies flat
    int n;              // vertices along the width
    const char* fabric;
    float stretch; // [N/m] in place of the fabric's; 0: as it is
    wfMembraneModel membrane;
    wfBendingModel bending;
    wfIntegrator integrator;
    Hold hold;
    float pull, shear; // how the sheet is strained at the start, as a share of its width
    float bump;        // [m] height of a wave at the start
    bool shake;        // what is held moves up and down
} JudgeCase;

// clang-format off
static const JudgeCase s_cases[] = {
    {.name = "corner", .about = "a sheet held at a corner swings down", .width = 0.4f, .depth = 0.4f, .n = 13, .fabric = "cotton",
     .membrane = wf_membraneFabric, .bending = wf_bendingQuadratic, .hold = HoldCorner},
    {.name = "side", .about = "held along a side", .width = 0.4f, .depth = 0.4f, .n = 13, .fabric = "wool",
     .membrane = wf_membraneFabric, .bending = wf_bendingQuadratic, .hold = HoldSide},
    {.name = "stretched", .about = "let go from 10 % strain, two sides held", .width = 0.3f, .depth = 0.2f, .n = 16, .fabric = "denim",
     .membrane = wf_membraneFabric, .bending = wf_bendingQuadratic, .hold = HoldBothSides, .pull = 0.1f, .bump = 1e-3f},
    {.name = "sheared", .about = "two sides moved apart by 20 % shear", .width = 0.3f, .depth = 0.2f, .n = 16, .fabric = "jersey",
     .membrane = wf_membraneFabric, .bending = wf_bendingQuadratic, .hold = HoldBothSides, .shear = 0.2f, .bump = 1e-3f},
    {.name = "strip", .about = "a narrow strip bends over an edge", .width = 0.16f, .depth = 0.03f, .n = 33, .fabric = "leather",
     .membrane = wf_membraneFabric, .bending = wf_bendingQuadratic, .hold = HoldSide},
    {.name = "free", .about = "a crumpled sheet falls free", .width = 0.3f, .depth = 0.3f, .n = 13, .fabric = "satin",
     .membrane = wf_membraneFabric, .bending = wf_bendingQuadratic, .pull = 0.02f, .bump = 4e-3f},
    {.name = "shaken", .about = "the held side moves", .width = 0.4f, .depth = 0.3f, .n = 13, .fabric = "silk",
     .membrane = wf_membraneFabric, .bending = wf_bendingQuadratic, .hold = HoldSide, .shake = true},
    {.name = "stiff", .about = "as paper, 500 times as stiff as cotton", .width = 0.2f, .depth = 0.2f, .n = 11, .fabric = "paper",
     .membrane = wf_membraneFabric, .bending = wf_bendingQuadratic, .hold = HoldCorner},
    {.name = "soft", .about = "a rubber sheet of 20 N/m", .width = 0.4f, .depth = 0.4f, .n = 13, .fabric = "cotton", .stretch = 20.0f,
     .membrane = wf_membraneCorotational, .bending = wf_bendingQuadratic, .hold = HoldSide},
    {.name = "dihedral", .about = "nonlinear bending", .width = 0.3f, .depth = 0.3f, .n = 13, .fabric = "leather",
     .membrane = wf_membraneFabric, .bending = wf_bendingDihedral, .hold = HoldCorner},
    {.name = "stvk", .about = "St. Venant-Kirchhoff, dihedral", .width = 0.3f, .depth = 0.3f, .n = 13, .fabric = "wool",
     .membrane = wf_membraneStVK, .bending = wf_bendingDihedral, .hold = HoldSide},
    {.name = "meshless", .about = "bending without edges", .width = 0.3f, .depth = 0.3f, .n = 13, .fabric = "wool",
     .membrane = wf_membraneFabric, .bending = wf_bendingMeshless, .hold = HoldSide},
    {.name = "springs", .about = "springs along and across edges", .width = 0.4f, .depth = 0.4f, .n = 13, .fabric = "cotton",
     .membrane = wf_membraneSprings, .bending = wf_bendingSprings, .hold = HoldCorner},
    {.name = "bdf2", .about = "the corner again, second order in time", .width = 0.4f, .depth = 0.4f, .n = 13, .fabric = "cotton",
     .membrane = wf_membraneFabric, .bending = wf_bendingQuadratic, .integrator = wf_integrateBdf2, .hold = HoldCorner},
};
// clang-format on
enum { CaseCount = sizeof s_cases / sizeof s_cases[0] };

// ---- scenes -------------------------------------------------------------------------------------------------------------------

static bool IsHeld(const JudgeCase* c, wfVec3 p) {
    bool left = p.x<-0.4999f * c->width, right = p.x> 0.4999f * c->width, back = p.z < -0.4999f * c->depth;
    return (c->hold == HoldCorner && left && back) || (c->hold == HoldSide && left) || (c->hold == HoldBothSides && (left || right));
}

static bool AddSheet(wfScene* scene, const JudgeCase* c, const wfMesh* mesh, wfVec3* start, int* held, wfError* err) {
    wfClothDef cloth = wfDefaultClothDef();
    WF_TRY(wfFindFabric(c->fabric, &cloth.fabric, err));
    if (c->stretch > 0.0f) cloth.fabric.stretch = c->stretch;
    int heldCount = 0;
    for (int i = 0; i < mesh->vertexCount; ++i) {
        wfVec3 p = mesh->positions[i];
        if (IsHeld(c, p)) held[heldCount++] = i;
        start[i] = wfMake3((1.0f + c->pull) * p.x, c->bump * sinf(40.0f * p.x) * cosf(31.0f * p.z), p.z + c->shear * p.x);
    }
    cloth.mesh = wfMesh_View(mesh);
    cloth.mesh.restPositions = cloth.mesh.positions;
    cloth.mesh.positions = &start->x;
    wfPinDef pin = wfDefaultPinDef();
    pin.cloth = wfCreateCloth(scene, &cloth, err);
    if (WF_ID_IS_NULL(pin.cloth)) return false;
    if (heldCount == 0) return true;
    const wfKey keys[] = {{.time = 0.0f, .rotate = {0, 0, 0, 1}},
                          {.time = 0.1f, .translate = {0, 0.05f, 0}, .rotate = {0, 0, 0, 1}},
                          {.time = 0.2f, .translate = {0, -0.05f, 0}, .rotate = {0, 0, 0, 1}},
                          {.time = 0.3f, .rotate = {0, 0, 0, 1}}};
    pin.vertices = held;
    pin.vertexCount = heldCount;
    if (c->shake) {
        pin.keys = keys;
        pin.keyCount = sizeof keys / sizeof keys[0];
    }
    return !WF_ID_IS_NULL(wfCreatePin(scene, &pin, err));
}

static wfScene* MakeScene(wfDevice* device, const JudgeCase* c, const char* dynamics, int iterations, wfError* err) {
    wfSceneDef def = wfDefaultSceneDef();
    def.time_step = 0.01f;
    def.membrane = c->membrane;
    def.bending = c->bending;
    def.integrator = c->integrator;
    def.iterations = iterations;
    snprintf(def.dynamics, sizeof def.dynamics, "%s", dynamics);
    snprintf(def.contact, sizeof def.contact, "none");
    wfGenerateDef sheet = wfDefaultGenerateDef();
    sheet.size = wfMake3(c->width, 1.0f, c->depth);
    sheet.n = c->n;
    sheet.pattern = wf_patternIrregular;
    wfMesh mesh = {0};
    wfArena arena = {0};
    wfScene* scene = wfCreateScene(device, &def, err);
    bool ok = scene != NULL && wfGenerate(&mesh, &sheet, err);
    wfVec3* start = ok ? wfArena_New(&arena, wfVec3, mesh.vertexCount, "a scene", err) : NULL;
    int* held = ok ? wfArena_New(&arena, int, mesh.vertexCount, "a scene", err) : NULL;
    ok = start != NULL && held != NULL && AddSheet(scene, c, &mesh, start, held, err) && wfScene_Commit(scene, err);
    wfArena_Free(&arena);
    wfMesh_Free(&mesh);
    if (ok) return scene;
    wfDestroyScene(scene);
    return NULL;
}

// ---- one step -----------------------------------------------------------------------------------------------------------------

enum { Steps = 30, MostIterations = 6000 };

typedef struct Judgement {
    int vertexCount;
    int planned;         // iterations that descent takes by itself …
    double plannedError; // … and what they leave
    int needed;          // iterations to 1e-3; -1 where MostIterations are not enough
    double apart[2];     // [m] between both at the end of the run, the farthest vertex: as planned, and with four times the iterations
} Judgement;

/// A step in the middle of a motion.
typedef struct Problem {
    const JudgeCase* about;
    const char* dynamics;
    wfScene *judge, *judged; // both at the same time; the judged one says where the step begins
    wfStepContext ctx;       // of the judge
    wfVec4 *target, *scratch;
    double first, best; // energies: where the step begins to descend, and Newton's
} Problem;

/// Takes positions and targets, velocities and what else a step begins with from one scene to another.
static bool CopyState(wfScene* to, wfScene* from, wfVec4* scratch, wfError* err) {
    size_t n = (size_t)from->state.vertexCount;
    wfBuffer* buffers[2][4] = {{&from->state.x, &from->state.v, &from->state.xStart, &from->state.target},
                               {&to->state.x, &to->state.v, &to->state.xStart, &to->state.target}};
    for (int k = 0; k < 4; ++k) {
        WF_TRY(wfDownload(from->device, scratch, buffers[0][k], 0, n, err));
        wfUpload(to->device, buffers[1][k], scratch, n);
    }
    for (size_t at = 0; at < from->state.history.count; at += n) {
        WF_TRY(wfDownload(from->device, scratch, &from->state.history, at, n, err));
        wfUploadRange(to->device, &to->state.history, at, scratch, n);
    }
    to->state.historyDt = from->state.historyDt;
    return wfDevice_Sync(to->device, err);
}

/// The energy of the step at a scene's positions.
static bool StepEnergy(Problem* p, wfScene* scene, double* out, wfError* err) {
    const wfStepParts* parts = &p->judge->parts;
    size_t n = (size_t)scene->state.vertexCount;
    wfMeasure measure;
    WF_TRY(wfDownload(scene->device, p->scratch, &scene->state.x, 0, n, err));
    wfUpload(p->judge->device, &p->judge->state.x, p->scratch, n);
    WF_TRY(parts->dynamics->measure(parts->dynamicsSelf, &p->ctx, &measure, err));
    *out = measure.elasticEnergy;
    for (size_t i = 0; i < n; ++i) {
        wfVec4 x = p->scratch[i], y = p->target[i];
        double dx = (double)x.x - (double)y.x, dy = (double)x.y - (double)y.y, dz = (double)x.z - (double)y.z;
        if (y.w >= 0.0f) *out += 0.5 * (double)y.w * (dx * dx + dy * dy + dz * dz);
    }
    return true;
}

static void Begin(wfScene* scene, double time, wfStepContext* ctx) {
    *ctx = wfScene_Context(scene, time, scene->def.time_step);
    wfScene_MovePins(scene, time, time + (double)scene->def.time_step);
    scene->parts.dynamics->begin(scene->parts.dynamicsSelf, ctx, &scene->parts.forces);
}

/// What `iterations` (0: as many as it plans) leave of the way down.
static bool DescentError(Problem* p, int iterations, double* out, int* planned, wfError* err) {
    double energy = 0.0;
    wfStepContext ctx;
    wfScene* scene = MakeScene(p->judged->device, p->about, p->dynamics, iterations, err);
    bool ok = scene != NULL && CopyState(scene, p->judged, p->scratch, err);
    if (ok) {
        Begin(scene, p->judged->time, &ctx);
        scene->parts.dynamics->iterate(scene->parts.dynamicsSelf, &ctx, 0);
        *planned = scene->parts.dynamics->cost(scene->parts.dynamicsSelf, ctx.dt).iterations;
        ok = StepEnergy(p, scene, &energy, err);
    }
    *out = (energy - p->best) / (p->first - p->best);
    wfDestroyScene(scene);
    return ok;
}

static bool JudgeStep(Problem* p, Judgement* out, wfError* err) {
    wfScene* judge = p->judge;
    double left;
    int count;
    WF_TRY(CopyState(judge, p->judged, p->scratch, err));
    Begin(judge, p->judged->time, &p->ctx);
    WF_TRY(wfDownload(judge->device, p->target, &judge->state.target, 0, (size_t)judge->state.vertexCount, err));
    WF_TRY(StepEnergy(p, judge, &p->first, err));
    judge->parts.dynamics->iterate(judge->parts.dynamicsSelf, &p->ctx, 0);
    WF_TRY(wfDevice_Sync(judge->device, err));
    WF_TRY(StepEnergy(p, judge, &p->best, err));
    WF_TRY(DescentError(p, 0, &out->plannedError, &out->planned, err));
    out->needed = -1;
    for (int k = 8; k <= MostIterations && out->needed < 0; k += k / 8 * 2) { // to a quarter
        WF_TRY(DescentError(p, k, &left, &count, err));
        if (left <= 1e-3) out->needed = k;
    }
    return true;
}

// ---- all of it ----------------------------------------------------------------------------------------------------------------

static bool FarthestApart(wfScene* a, wfScene* b, wfVec4* x, wfVec4* y, double* out, wfError* err) {
    size_t n = (size_t)a->state.vertexCount;
    WF_TRY(wfDownload(a->device, x, &a->state.x, 0, n, err));
    WF_TRY(wfDownload(b->device, y, &b->state.x, 0, n, err));
    *out = 0.0;
    for (size_t i = 0; i < n; ++i) *out = fmax(*out, (double)wfDistance(wfXyz(x[i]), wfXyz(y[i])));
    return true;
}

static bool JudgeScenes(Problem* p, Judgement* out, wfError* err) {
    float seconds = Steps * p->judge->def.time_step;
    WF_TRY(wfScene_Step(p->judge, seconds, err));
    WF_TRY(wfScene_Step(p->judged, seconds, err));
    WF_TRY(FarthestApart(p->judge, p->judged, p->target, p->scratch, &out->apart[0], err));
    int planned = p->judged->parts.dynamics->cost(p->judged->parts.dynamicsSelf, p->judged->def.time_step).iterations;
    wfScene* better = MakeScene(p->judged->device, p->about, p->dynamics, 4 * planned, err);
    bool ok =
        better != NULL && wfScene_Step(better, seconds, err) && FarthestApart(p->judge, better, p->target, p->scratch, &out->apart[1], err);
    wfDestroyScene(better);
    return ok && JudgeStep(p, out, err);
}

static bool JudgeOne(wfDevice* device, const JudgeCase* c, const char* dynamics, Judgement* out, wfError* err) {
    *out = (Judgement){0};
    wfArena arena = {0};
    Problem p = {.about = c, .dynamics = dynamics, .judge = MakeScene(device, c, "newton", 0, err)};
    p.judged = p.judge != NULL ? MakeScene(device, c, dynamics, 0, err) : NULL;
    if (p.judged != NULL) {
        out->vertexCount = p.judged->state.vertexCount;
        p.target = wfArena_New(&arena, wfVec4, out->vertexCount, "a judgement", err);
        p.scratch = wfArena_New(&arena, wfVec4, out->vertexCount, "a judgement", err);
    }
    bool ok = p.target != NULL && p.scratch != NULL && JudgeScenes(&p, out, err);
    wfArena_Free(&arena);
    wfDestroyScene(p.judge);
    wfDestroyScene(p.judged);
    return ok;
}

typedef struct JudgeOptions {
    int device, threads;
    const char* dynamics;
    bool json;
} JudgeOptions;

#define AT(field) offsetof(JudgeOptions, field)
static const wfOption s_rows[] = {
    WF_BENCH_DEVICE_ROWS,
    {"dynamics", 0, wf_optionText, AT(dynamics), .value = "NAME", .about = "what is judged (default chebyshev)"},
    WF_BENCH_JSON_ROW,
};
static const wfOptionTable s_table = {
    .command = "bench judge",
    .rows = s_rows,
    .count = sizeof s_rows / sizeof s_rows[0],
    .maxArguments = INT_MAX,
    .notes = "Each scene runs 30 steps of 10 ms by both methods. Then the next step is posed to both: `left` is what the iterations\n"
             "that descent plans by itself leave of the way down to Newton's minimum, `to 1e-3` how many would do. `apart` is how far\n"
             "the farthest vertex is from Newton's at the end of the run, and `x4` with four times the iterations.\n"};

static const JudgeCase* FindCase(const char* name, wfError* err) {
    for (int k = 0; k < CaseCount; ++k)
        if (strcmp(s_cases[k].name, name) == 0) return &s_cases[k];
    char quoted[96];
    wfFail(err, wf_badInput, "bench judge: unknown scene %s", wfQuote(quoted, sizeof quoted, name));
    return NULL;
}

static bool PrintJudgement(wfDevice* device, const JudgeCase* c, const JudgeOptions* o, wfError* err) {
    Judgement j;
    WF_TRY(JudgeOne(device, c, o->dynamics, &j, err));
    printf(o->json ? "{\"scene\": \"%s\", \"vertices\": %d, \"planned\": %d, \"left\": %.3g, \"needed\": %d, \"apart_mm\": [%.4f, %.4f], "
                     "\"about\": \"%s\"}\n"
                   : "%-10s %9d %8d %10.2e %8d %9.3f %8.3f  %s\n",
           c->name, j.vertexCount, j.planned, j.plannedError, j.needed, 1e3 * j.apart[0], 1e3 * j.apart[1], c->about);
    fflush(stdout);
    return true;
}

int wfBench_Judge(int argc, char** argv) {
    JudgeOptions o = {.dynamics = "chebyshev"};
    int code = wfParseOptions(&s_table, &argc, argv, &o);
    if (code != wf_exitGoOn) return code;
    wfError err = {0};
    for (int i = 1; i < argc; ++i)
        if (FindCase(argv[i], &err) == NULL) return wfApp_Fail(&err); // before any of them runs
    wfDevice* device = wfBench_OpenDevice(o.device, o.threads, &err);
    bool ok = device != NULL;
    if (ok && !o.json)
        printf("%s; %s beside newton\n%-10s %9s %8s %10s %8s %9s %8s  %s\n", wfDevice_GetName(device), o.dynamics, "scene", "vertices",
               "planned", "left", "to 1e-3", "apart mm", "x4 mm", "what it is");
    for (int i = 1; ok && i < argc; ++i) ok = PrintJudgement(device, FindCase(argv[i], &err), &o, &err);
    for (int k = 0; ok && argc == 1 && k < CaseCount; ++k) ok = PrintJudgement(device, &s_cases[k], &o, &err);
    wfDestroyDevice(device);
    return ok ? wf_exitOk : wfApp_Fail(&err);
}
