// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/bench.h"
#include "app/bench_drape.h"

#include "io/mesh_file.h"
#include "mesh/generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// `weft bench meshes`: the same cloth on coarser and finer, regular and irregular meshes. What it does must not depend on the mesh: the
// drape test of bench_drape.h, and a square sheet that hangs between two bars which are closer than it is wide.

typedef struct MeshesOptions {
    int device, threads;
    double step, damping, longest;
    const char *dynamics, *output, *sizes;
    int bending, pattern;
    bool json;
} MeshesOptions;

#define AT(field) offsetof(MeshesOptions, field)
static const wfOption s_rows[] = {
    {"output", 'o', wf_optionText, AT(output), .value = "DIR", .about = "keep each drape as an OBJ"},
    WF_BENCH_DEVICE_ROWS,
    {"sizes", 0, wf_optionText, AT(sizes), .value = "N,N,...", .about = "roots of the numbers of vertices (default 25,50,100,200)"},
    {"pattern", 0, wf_optionChoice, AT(pattern), .value = "both|regular|irregular", .about = "which meshes (default both)"},
    {"dynamics", 0, wf_optionText, AT(dynamics), .value = "NAME", .about = "as in scene files (default chebyshev)"},
    {"bending", 0, wf_optionChoice, AT(bending), .value = "none|quadratic|dihedral|meshless|springs",
     .about = "as in scene files (default dihedral)"},
    WF_BENCH_STEP_ROW("0.002"),
    WF_BENCH_REST_ROWS,
    WF_BENCH_JSON_ROW,
};
static const wfOptionTable s_table = {
    .command = "bench meshes",
    .rows = s_rows,
    .count = sizeof s_rows / sizeof s_rows[0],
    .maxArguments = 1,
    .notes = "The drape test of a FABRIC (default denim) on discs of as many vertices as a square of N x N has, and a square sheet\n"
             "of 40 cm that hangs between two bars 34 cm apart.\n"};

enum { BothPatterns, RegularOnly, IrregularOnly }; // as --pattern names them
static const char* const s_patterns[] = {"regular", "irregular"};

typedef struct Hanging {
    double sag, elasticEnergy, speed;
    int vertexCount;
} Hanging;

#define SIDE 0.40 // [m]
#define BARS 0.34 // [m] apart

/// A point of an arc over BARS that is SIDE long, at s from its middle.
static wfVec3 ArcPoint(double s, double z) {
    double angle = 1.0;
    for (int k = 0; k < 50; ++k) angle -= (sin(angle) / angle - BARS / SIDE) / ((cos(angle) - sin(angle) / angle) / angle);
    double radius = 0.5 * SIDE / angle;
    return wfMake3((float)(radius * sin(s / radius)), (float)(radius * (cos(angle) - cos(s / radius))), (float)z);
}

static wfScene* MakeHanging(wfDevice* device, const wfFabric* fabric, int n, bool irregular, const MeshesOptions* o, wfError* err) {
    wfSceneDef def = wfDefaultSceneDef();
    def.time_step = (float)o->step;
    def.bending = (wfBendingModel)o->bending;
    snprintf(def.dynamics, sizeof def.dynamics, "%s", o->dynamics);
    snprintf(def.contact, sizeof def.contact, "none");
    wfGenerateDef sheet = wfDefaultGenerateDef();
    sheet.size = wfMake3((float)SIDE, 1.0f, (float)SIDE);
    sheet.n = n;
    sheet.pattern = irregular ? wf_patternIrregular : wf_patternAlternating;
    wfMesh mesh = {0};
    wfArena arena = {0};
    wfScene* scene = wfCreateScene(device, &def, err);
    bool ok = scene != NULL && wfGenerate(&mesh, &sheet, err);
    wfVec3* start = ok ? wfArena_New(&arena, wfVec3, mesh.vertexCount, "a sheet", err) : NULL;
    int *held = ok ? wfArena_New(&arena, int, mesh.vertexCount, "a sheet", err) : NULL, heldCount = 0;
    ok = start != NULL && held != NULL;
    if (ok) {
        for (int i = 0; i < mesh.vertexCount; ++i) {
            wfVec3 p = mesh.positions[i];
            if (fabsf(p.x) > 0.4999 * SIDE) held[heldCount++] = i;
            start[i] = ArcPoint((double)p.x, (double)p.z);
        }
        wfClothDef cloth = wfDefaultClothDef();
        cloth.fabric = *fabric;
        cloth.fabric.damping = (float)o->damping;
        cloth.mesh = wfMesh_View(&mesh);
        cloth.mesh.restPositions = cloth.mesh.positions;
        cloth.mesh.positions = &start->x;
        wfPinDef pin = wfDefaultPinDef();
        pin.cloth = wfCreateCloth(scene, &cloth, err);
        pin.vertices = held;
        pin.vertexCount = heldCount;
        ok = !WF_ID_IS_NULL(pin.cloth) && !WF_ID_IS_NULL(wfCreatePin(scene, &pin, err)) && wfScene_Commit(scene, err);
    }
    wfArena_Free(&arena);
    wfMesh_Free(&mesh);
    if (ok) return scene;
    wfDestroyScene(scene);
    return NULL;
}

static bool RunHanging(Hanging* out, wfScene* scene, wfVec3* scratch, const MeshesOptions* o, wfError* err) {
    wfClothId id = wfScene_GetCloth(scene, 0);
    WF_TRY(wfDrape_Settle(scene, scratch, (float)o->longest, &out->speed, err));
    wfCertificate certificate;
    WF_TRY(wfScene_Certify(scene, false, &certificate, err));
    out->elasticEnergy = certificate.elasticEnergy;
    WF_TRY(wfCloth_ReadPositions(scene, id, &scratch->x, sizeof *scratch, err));
    for (int i = 0; i < out->vertexCount; ++i) out->sag = fmax(out->sag, -(double)scratch[i].y);
    return true;
}

static bool BenchMesh(wfDevice* device, const wfFabric* fabric, int size, bool irregular, const MeshesOptions* o, wfError* err) {
    Hanging hanging = {0};
    wfScene* scene = MakeHanging(device, fabric, size, irregular, o, err);
    if (scene == NULL) return false;
    hanging.vertexCount = wfCloth_GetVertexCount(scene, wfScene_GetCloth(scene, 0));
    wfVec3* scratch = calloc((size_t)hanging.vertexCount, sizeof *scratch);
    bool ok = scratch != NULL ? RunHanging(&hanging, scene, scratch, o, err) : wfFail(err, wf_outOfMemory, "out of memory for a sheet");
    free(scratch);
    wfDestroyScene(scene);
    if (!ok) return false;
    wfDrapeDef def = wfDefaultDrapeDef();
    def.fabric = *fabric;
    def.rows = (int)lround(0.21 * size - 0.5); // a disc of size² vertices
    def.irregular = irregular;
    def.bending = (wfBendingModel)o->bending;
    def.dynamics = o->dynamics;
    def.timeStep = (float)o->step;
    def.damping = (float)o->damping;
    def.longest = (float)o->longest;
    wfDrape drape = {0};
    WF_TRY(wfDrape_Run(&drape, device, &def, err));
    printf(o->json
               ? "{\"pattern\": \"%s\", \"size\": %d, \"vertices\": %d, \"sag_mm\": %.3f, \"elastic_mj\": %.4f, \"speed_mm_per_s\": %.2f, "
                 "\"disc_vertices\": %d, \"coefficient\": %.4f, \"nodes\": %d, \"drop_mm\": %.2f, \"disc_elastic_mj\": %.4f, "
                 "\"disc_speed_mm_per_s\": %.2f}\n"
               : "%-9s %5d %9d %8.2f %8.3f %8.2f %9d %12.4f %6d %8.2f %8.3f %8.2f\n",
           s_patterns[irregular], size, hanging.vertexCount, 1e3 * hanging.sag, 1e3 * hanging.elasticEnergy, 1e3 * hanging.speed,
           drape.vertexCount, drape.coefficient, drape.nodes, 1e3 * drape.drop, 1e3 * drape.elasticEnergy, 1e3 * drape.speed);
    fflush(stdout);
    if (o->output != NULL) {
        char path[1024];
        int length = snprintf(path, sizeof path, "%s/%s-%d.obj", o->output, s_patterns[irregular], size);
        ok = length > 0 && (size_t)length < sizeof path ? wfWriteMesh(path, &drape.mesh, err)
                                                        : wfFail(err, wf_badInput, "--output: \"%s\" is too long", o->output);
    }
    wfMesh_Free(&drape.mesh);
    return ok;
}

static bool BenchSizes(wfDevice* device, const wfFabric* fabric, const MeshesOptions* o, wfError* err) {
    for (int irregular = o->pattern == IrregularOnly; irregular <= (o->pattern != RegularOnly); ++irregular)
        for (const char* at = o->sizes; *at != 0;) {
            char* end;
            long n = strtol(at, &end, 10);
            if (end == at || n < 12 || n > 2000 || (*end != 0 && *end != ','))
                return wfFail(err, wf_badInput, "--sizes: expected numbers in [12, 2000] with commas between, got \"%s\"", o->sizes);
            WF_TRY(BenchMesh(device, fabric, (int)n, irregular == 1, o, err));
            at = *end == ',' ? end + 1 : end;
        }
    return true;
}

int wfBench_Meshes(int argc, char** argv) {
    MeshesOptions o = {
        .sizes = "25,50,100,200", .dynamics = "chebyshev", .bending = wf_bendingDihedral, .step = 0.002, .damping = 10.0, .longest = 20.0};
    int code = wfParseOptions(&s_table, &argc, argv, &o);
    if (code != wf_exitGoOn) return code;
    const char* name = argc > 1 ? argv[1] : "denim";
    wfError err = {0};
    wfFabric fabric;
    wfDevice* device = wfFindFabric(name, &fabric, &err) ? wfBench_OpenDevice(o.device, o.threads, &err) : NULL;
    bool ok = device != NULL;
    if (ok && !o.json)
        printf("%s; %s, dynamics %s, step %g s, damping %g /s; first the hanging sheet, then the disc\n"
               "%-9s %5s %9s %8s %8s %8s %9s %12s %6s %8s %8s %8s\n",
               wfDevice_GetName(device), name, o.dynamics, o.step, o.damping, "mesh", "size", "vertices", "sag mm", "mJ", "mm/s",
               "vertices", "coefficient", "nodes", "drop mm", "mJ", "mm/s");
    ok = ok && BenchSizes(device, &fabric, &o, &err);
    wfDestroyDevice(device);
    return ok ? wf_exitOk : wfApp_Fail(&err);
}
