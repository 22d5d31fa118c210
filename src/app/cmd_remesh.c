// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/options.h"

#include "app/subdivide.h"
#include "io/json.h"
#include "base/file.h"
#include "io/mesh_file.h"
#include "mesh/remesh.h"

#include <float.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct RemeshOptions {
    const char* output;
    double edge;
    int threads;
    bool json;
} RemeshOptions;

#define FIELD(name) offsetof(RemeshOptions, name)
static const wfOption s_rows[] = {
    {"output", 'o', wf_optionText, FIELD(output), .value = "OUT",
     .about = "the new mesh: .obj, or .ply for a mesh without pattern and stitches"},
    {"edge", 0, wf_optionNumber, FIELD(edge), FLT_MIN, 1e6, "L", "length of the edges in the pattern [m]"},
    {"threads", 0, wf_optionInt, FIELD(threads), 0, 1024, "N", "CPU threads; 0 is one a core. The result is the same for any number"},
    {"json", 0, wf_optionFlag, FIELD(json), .about = "print the result as JSON"},
};
static const wfOptionTable s_table = {
    .command = "remesh",
    .rows = s_rows,
    .count = sizeof s_rows / sizeof s_rows[0],
    .minArguments = 1,
    .maxArguments = 1,
    .notes =
        "Makes a cloth mesh anew with edges as equal as they can be made, in its flat pattern (OBJ texture coordinates, in metres); a "
        "mesh\n"
        "without one must consist of flat pieces. Corners are kept, the boundary between them is divided anew, and new vertices lie on "
        "the old\n"
        "surface. Seams stay sewn vertex for vertex: vertices that pieces share, and rows of stitches (OBJ lines) along their edges.\n"
        "Materials, groups and normals of the file are not kept.\n"
        "Exit code: 0 done, 2 bad input.\n",
};

static bool HasEnding(const char* path, const char* ending) {
    size_t n = strlen(path), m = strlen(ending);
    return n > m && strcasecmp(path + n - m, ending) == 0;
}

static bool Remesh(const char* path, const RemeshOptions* o, wfMesh* in, wfMesh* out, wfRemeshReport* report, wfError* err) {
    bool ply = o->output != NULL && HasEnding(o->output, ".ply");
    if (o->output == NULL || !(ply || HasEnding(o->output, ".obj")))
        return wfFail(err, wf_badInput, "-o: expected a mesh (.obj, .ply) to write to, got %s", o->output != NULL ? o->output : "nothing");
    if (!(o->edge > 0.0)) return wfFail(err, wf_badInput, "--edge: expected the length of edges in metres");
    if (wfIsSameFile(path, o->output)) return wfFail(err, wf_badInput, "-o %s: expected another name than the input's", o->output);
    WF_TRY(wfReadMesh(in, path, err) && wfRequireWritable(o->output, err));
    if (ply && (in->flat != NULL || in->stitchCount > 0))
        return wfFail(err, wf_badInput, "-o %s: expected an .obj file: a .ply file cannot hold pattern and stitches", o->output);
    wfRemeshDef def = {.name = path, .edge = (float)o->edge};
    return wfRemesh(out, in, &def, report, err) && wfWriteMesh(o->output, out, err);
}

static void PrintEdge(const char* which, int piece, const wfVec2 ends[2]) {
    printf("  %s    in piece %d of the pattern, from (%.5g, %.5g) to (%.5g, %.5g)\n", which, piece + 1, (double)ends[0].x,
           (double)ends[0].y, (double)ends[1].x, (double)ends[1].y);
}

static void PutEdge(const char* which, int piece, const wfVec2 ends[2]) {
    printf(", \"%s\": {\"piece\": %d, \"ends\": [[%.9g, %.9g], [%.9g, %.9g]]}", which, piece + 1, (double)ends[0].x, (double)ends[0].y,
           (double)ends[1].x, (double)ends[1].y);
}

static void PrintText(const char* output, const wfMesh* mesh, const wfRemeshReport* report) {
    const wfEdgeLengths* e = &report->lengths;
    printf("%s: %d vertices, %d triangles\n", output, mesh->vertexCount, mesh->triangleCount);
    printf("  pieces      %d, %d seam%s", report->pieceCount, report->seamCount, report->seamCount == 1 ? "" : "s");
    if (mesh->stitchCount > 0) printf(", %d stitches", mesh->stitchCount);
    printf("\n  edges       %.4g shortest, %.4g mean, %.4g longest m\n", e->shortest, e->mean, e->longest);
    printf("  ratio       %.3f of shortest to longest\n", e->shortest / e->longest);
    PrintEdge("shortest", report->shortestPiece, e->shortestEnds);
    PrintEdge("longest ", report->longestPiece, e->longestEnds);
}

static void PrintJson(const char* output, const wfMesh* mesh, const wfRemeshReport* report) {
    const wfEdgeLengths* e = &report->lengths;
    printf("{\"file\": ");
    wfJson_PutText(stdout, output);
    printf(", \"vertices\": %d, \"triangles\": %d, \"pieces\": %d, \"seams\": %d, \"stitches\": %d", mesh->vertexCount, mesh->triangleCount,
           report->pieceCount, report->seamCount, mesh->stitchCount);
    printf(", \"edge_min\": %.9g, \"edge_mean\": %.9g, \"edge_max\": %.9g, \"ratio\": %.9g", e->shortest, e->mean, e->longest,
           e->shortest / e->longest);
    PutEdge("shortest", report->shortestPiece, e->shortestEnds);
    PutEdge("longest", report->longestPiece, e->longestEnds);
    printf("}\n");
}

int wfCmd_Remesh(int argc, char** argv) {
    RemeshOptions o = {0};
    int code = wfParseOptions(&s_table, &argc, argv, &o);
    if (code != wf_exitGoOn) return code;
    if (o.threads > 0) omp_set_num_threads(o.threads);
    wfError err = {0};
    wfMesh in = {0}, out = {0};
    wfRemeshReport report;
    bool ok = Remesh(argv[1], &o, &in, &out, &report, &err);
    if (ok) (o.json ? PrintJson : PrintText)(o.output, &out, &report);
    wfMesh_Free(&in);
    wfMesh_Free(&out);
    return ok ? wf_exitOk : wfApp_Fail(&err);
}
