// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/subdivide.h"
#include "app/untangle.h"

#include "app/staging.h"
#include "base/clock.h"
#include "base/file.h"
#include "io/mesh_file.h"
#include "step/relax.h"

#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// weft untangle: mesh files as one scene, with others that stay where they are.

typedef struct UntangleOptions {
    const char* output;
    wfTextList fixed;
    double relax, ease, gap;
    int rounds, threads;
    bool layers, json;
} UntangleOptions;

typedef struct Job {
    const UntangleOptions* options;
    const char* const* names; // of the files, then of what is fixed
    int clothCount, count;
    wfArena arena;
    wfMesh* meshes;
    wfSubdivideObjects objects;
    wfCheckScene scene;
    wfVec3* start;
    bool* fixed;
    int *objectOf, *layerOf;
    double* rest; // per edge of the scene's topology [m]
    wfTopology topology;
    wfStaging staging;
    wfUntangleResult result;
} Job;

static bool Describe(Job* job, wfError* err) {
    const wfMesh* m = &job->scene.mesh;
    job->start = wfArena_New(&job->arena, wfVec3, m->vertexCount, "positions", err);
    job->fixed = wfArena_New(&job->arena, bool, m->vertexCount, "fixed vertices", err);
    job->objectOf = wfArena_New(&job->arena, int, m->vertexCount, "objects", err);
    job->layerOf = wfArena_New(&job->arena, int, job->count, "layers", err);
    if (job->start == NULL || job->fixed == NULL || job->objectOf == NULL || job->layerOf == NULL) return false;
    memcpy(job->start, m->positions, (size_t)m->vertexCount * sizeof *job->start);
    for (int i = 0; i < job->count; ++i) {
        job->layerOf[i] = i < job->clothCount ? i + 1 : 0; // bodies are innermost
        for (int v = job->scene.parts[i].firstVertex; v < job->scene.parts[i + 1].firstVertex; ++v) {
            job->objectOf[v] = i;
            job->fixed[v] = i >= job->clothCount;
        }
    }
    return true;
}

static double FlatLength(const wfFlatTriangle* flat, int k) {
    wfVec2 a = flat->corner[k], b = flat->corner[(k + 1) % 3];
    return hypot((double)b.x - a.x, (double)b.y - a.y);
}

/// Of the flat shape where a file has one, otherwise as the file has it: the mean of both sides.
static bool MeasureRest(Job* job, wfError* err) {
    const wfTopology* t = &job->topology;
    job->rest = wfArena_New(&job->arena, double, t->edgeCount, "rest lengths", err);
    if (job->rest == NULL) return false;
    for (int i = 0; i < job->count; ++i) {
        const wfFlatTriangle* flat = job->meshes[i].flat;
        for (int f = job->scene.parts[i].firstTriangle; f < job->scene.parts[i + 1].firstTriangle; ++f)
            for (int k = 0; k < 3; ++k) {
                int e = t->triangleEdges[f][k];
                const wfEdge* edge = &t->edges[e];
                double length = flat != NULL ? FlatLength(&flat[f - job->scene.parts[i].firstTriangle], k)
                                             : (double)wfDistance(job->start[edge->v[0]], job->start[edge->v[1]]);
                if (edge->triangle[0] == f || edge->triangle[1] == f) job->rest[e] += length / (edge->triangle[1] >= 0 ? 2.0 : 1.0);
            }
    }
    return true;
}

static wfStretch MeasureStretch(const Job* job, const wfVec3* x) {
    wfStretch s = {.largest = 1.0, .smallest = 1.0};
    int count = 0;
    for (int e = 0; e < job->topology.edgeCount; ++e) {
        const int* v = job->topology.edges[e].v;
        if (!(job->rest[e] > 0.0) || job->fixed[v[0]]) continue;
        double ratio = (double)wfDistance(x[v[0]], x[v[1]]) / job->rest[e];
        if (count++ == 0) s.largest = s.smallest = ratio;
        s.largest = fmax(s.largest, ratio);
        s.smallest = fmin(s.smallest, ratio);
        s.mean += fabs(ratio - 1.0);
    }
    if (count > 0) s.mean /= count;
    return s;
}

/// The strain limits of the cloths' rest shapes; bodies are held.
static wfRelax* MakeRelax(Job* job, wfError* err) {
    const wfMesh* m = &job->scene.mesh;
    wfFlatTriangle* flat = wfArena_New(&job->arena, wfFlatTriangle, m->triangleCount, "rest shape", err);
    if (flat == NULL) return NULL;
    for (int i = 0; i < job->count; ++i) {
        wfMeshView view = wfMesh_View(&job->meshes[i]);
        if (!wfReferenceShape(&view, job->names[i], flat + job->scene.parts[i].firstTriangle, err)) return NULL;
    }
    wfRelaxDef def = {m->vertexCount, m->triangleCount, m->triangles, flat, NULL, job->fixed, (float)job->options->relax};
    return wfCreateRelax(&def, err);
}

static bool Untangle(Job* job, wfError* err) {
    const UntangleOptions* o = job->options;
    wfMesh* m = &job->scene.mesh;
    wfUntangleResult* r = &job->result;
    double begin = wfSeconds();
    wfRelax* relax = o->relax > 0.0 ? MakeRelax(job, err) : NULL;
    if (o->relax > 0.0 && relax == NULL) return false;
    wfUntangleDef def = {
        .vertexCount = m->vertexCount,
        .triangleCount = m->triangleCount,
        .triangles = m->triangles,
        .fixed = job->clothCount < job->count ? job->fixed : NULL,
        .objectOf = job->objectOf,
        .layerOf = o->layers ? job->layerOf : NULL,
        .gap = (float)o->gap,
        .clearance = wf_untangleClearance,
        .rounds = o->rounds,
        .relax = relax != NULL ? wfRelax_Apply : NULL,
        .relaxSelf = relax,
    };
    wfUntangler* u = wfCreateUntangler(&def, err);
    bool ok = u != NULL && wfUntangler_Run(u, m->positions, &r->report, err);
    if (ok && o->ease > 0.0 && r->report.pairsAfter == 0) {
        wfEaseReport ease;
        r->ease = (float)o->ease;
        ok = wfUntangler_Ease(u, m->positions, r->ease, &ease, &r->report, err);
        r->closest = ease.closest;
        r->closer = ease.closer;
    }
    if (r->report.pairsAfter > 0) ok = ok && wfUntangler_ListContours(u, m->positions, &job->arena, &r->left, &r->leftCount, err);
    r->before = MeasureStretch(job, job->start);
    r->after = MeasureStretch(job, m->positions);
    r->seconds = wfSeconds() - begin;
    wfDestroyUntangler(u);
    wfDestroyRelax(relax);
    return ok;
}

static bool Write(Job* job, wfError* err) {
    bool folder = !wfIsMeshName(job->options->output);
    for (int i = 0; i < job->clothCount; ++i) {
        char name[NAME_MAX + 1], path[wf_runPathSize];
        wfMesh* mesh = &job->meshes[i];
        memcpy(mesh->positions, job->scene.mesh.positions + job->scene.parts[i].firstVertex, (size_t)mesh->vertexCount * sizeof(wfVec3));
        if (!folder) return wfWriteMesh(job->options->output, mesh, err);
        WF_TRY(wfOutputName(job->names[i], name, sizeof name, err) && wfStaging_Path(&job->staging, name, path, err));
        if (access(path, F_OK) == 0) return wfFail(err, wf_badInput, "%s: two files would be written as %s", job->names[i], name);
        WF_TRY(wfWriteMesh(path, mesh, err));
    }
    return wfStaging_Commit(&job->staging, err);
}

static bool Run(Job* job, wfError* err) {
    const UntangleOptions* o = job->options;
    if (o->output == NULL) return wfFail(err, wf_badInput, "-o: expected a mesh (.obj, .ply) or a folder to write to");
    if (wfIsMeshName(o->output) && job->clothCount > 1)
        return wfFail(err, wf_badInput, "-o %s: %d files do not fit into one; expected a folder", o->output, job->clothCount);
    for (int i = 0; i < job->count; ++i)
        if (wfIsSameFile(job->names[i], o->output))
            return wfFail(err, wf_badInput, "-o %s: expected another name than the input's", o->output);
    WF_TRY(wfReadMeshes(job->names, job->count, &job->arena, &job->meshes, &job->objects, err));
    WF_TRY(wfCheckScene_Create(&job->scene, job->objects.meshes, job->names, job->count, err));
    WF_TRY(Describe(job, err));
    WF_TRY(wfIsMeshName(o->output) ? wfRequireWritable(o->output, err) : wfStaging_Open(&job->staging, o->output, err));
    const wfMesh* m = &job->scene.mesh;
    WF_TRY(wfTopology_Create(&job->topology, m->triangles, m->triangleCount, m->vertexCount, err));
    return MeasureRest(job, err) && Untangle(job, err) && Write(job, err);
}

// ---- the command --------------------------------------------------------------------------------------------------------------

#define FIELD(name) offsetof(UntangleOptions, name)
static const wfOption s_rows[] = {
    {"output", 'o', wf_optionText, FIELD(output), .value = "OUT", .about = "a mesh (.obj, .ply) for one file, else a folder"},
    {"fixed", 0, wf_optionList, FIELD(fixed), .value = "FILE",
     .about = "a mesh that stays where it is: a body; where it is closed, its inside is wrong for all others. May be given several times"},
    {"layers", 0, wf_optionFlag, FIELD(layers),
     .about = "the files are given from the inside out: each belongs on the side of the normals of those before it"},
    {"relax", 0, wf_optionNumber, FIELD(relax), 0, 10, "STRETCH",
     "keep edges within this share of their rest length, 0.05 say, while untangling; default 0: no limit"},
    {"ease", 0, wf_optionNumber, FIELD(ease), 0, 1, "LENGTH", "leave this much room between objects [m]; default 0: they may come near"},
    {"gap", 0, wf_optionNumber, FIELD(gap), 0, 1, "LENGTH",
     "how far apart what crossed is put at first [m]; default: a fiftieth of the mean edge"},
    {"rounds", 0, wf_optionInt, FIELD(rounds), 0, 100000, "N", "at most so many; default 200"},
    {"json", 0, wf_optionFlag, FIELD(json), .about = "print a JSON object instead of lines"},
    {"threads", 0, wf_optionInt, FIELD(threads), 0, 1024, "N", "CPU threads; 0 is one a core. The result is the same for any number"},
};
static const wfOptionTable s_table = {
    .command = "untangle",
    .rows = s_rows,
    .count = sizeof s_rows / sizeof s_rows[0],
    .minArguments = 1,
    .maxArguments = INT_MAX,
    .notes =
        "Moves the vertices of meshes that pass through themselves or each other until nothing does, by the exact test of weft check. "
        "Mesh\n"
        "files (.obj, .ply, .stl) are one scene. It knows no history: of two sides of a curve in which surfaces cross, the smaller one is\n"
        "taken to be wrong, unless a closed mesh or --layers says which.\n"
        "Contours: CL closed, BB from boundary to boundary, BI and II with ends inside, BLI with a loop vertex; two names are the two\n"
        "surfaces.\n"
        "Where some stay, what came nearest is written all the same, and the contours that stay are listed.\n"
        "Exit code: 0 clean, 1 some intersections stay, 2 bad input.\n",
};

int wfCmd_Untangle(int argc, char** argv) {
    UntangleOptions o = {.rounds = 200};
    int code = wfParseOptions(&s_table, &argc, argv, &o);
    if (code != wf_exitGoOn) return code;
    if (o.threads > 0) omp_set_num_threads(o.threads);
    wfError err = {0};
    Job job = {.options = &o, .clothCount = argc - 1, .count = argc - 1 + o.fixed.count};
    const char** names = wfArena_New(&job.arena, const char*, job.count, "names", &err);
    bool ok = names != NULL;
    for (int i = 0; ok && i < job.count; ++i) names[i] = i < job.clothCount ? argv[i + 1] : o.fixed.items[i - job.clothCount];
    job.names = names;
    ok = ok && Run(&job, &err);
    if (ok) (o.json ? wfUntangle_PrintJson : wfUntangle_PrintText)(&job.scene, o.output, &job.result);
    bool clean = job.result.report.pairsAfter == 0;
    wfStaging_Discard(&job.staging);
    wfTopology_Free(&job.topology);
    wfCheckScene_Free(&job.scene);
    wfFreeMeshes(job.meshes, job.count);
    wfArena_Free(&job.arena);
    if (!ok) return wfApp_Fail(&err);
    return clean ? wf_exitOk : wf_exitNo;
}
