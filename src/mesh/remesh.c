// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/remesh.h"

#include "mesh/remesh_pattern.h"
#include "mesh/remesh_seams.h"

#include <stdio.h>
#include <string.h>

// Narrow parts can be divided evenly by few lengths of edges only. Where the ratio stays poor in a mesh that is soon made, those near by
// are tried.
static const float s_others[] = {1.06f, 0.94f, 1.12f, 0.88f, 1.2f, 0.82f};
enum { otherCount = sizeof s_others / sizeof *s_others };

typedef struct Piece {
    wfFilling filling;
    wfVec3* inner; // places of the vertices behind the outline's
    int first;     // their number in the new mesh
    wfEdgeLengths lengths;
    wfArena arena;
    wfError err;
} Piece;

typedef struct Job {
    const wfMesh* in;
    const wfRemeshDef* def;
    const wfPattern* pattern;
    wfDivision division;
    wfArena arena;
    Piece* pieces;
} Job;

static int PointCount(const Job* job, int i) { return job->division.pointStart[i + 1] - job->division.pointStart[i]; }

static bool FillPiece(const Job* job, int index, Piece* piece) {
    const wfDivision* d = &job->division;
    char name[256];
    int count = PointCount(job, index), edges = d->edgeStart[index + 1] - d->edgeStart[index];
    wfOutline outline = {d->points + d->pointStart[index], count, (const int(*)[2])d->edges + d->edgeStart[index], edges, edges};
    snprintf(name, sizeof name, "%.160s: piece %d at edges of %g m", job->def->name, index + 1, (double)job->def->edge);
    return wfFill(&piece->filling, &outline, job->def->edge, name, &piece->err);
}

/// Places the vertices inside a piece on the old surface.
static bool LocatePiece(const Job* job, int index, Piece* piece) {
    const wfFilling* f = &piece->filling;
    int count = PointCount(job, index);
    WF_TRY(wfMeasureFlat(f->positions, f->vertexCount, f->triangles, f->triangleCount, &piece->lengths, &piece->err));
    wfLocator* locator = wfLocator_Create(job->pattern, index, &piece->arena, &piece->err);
    piece->inner = wfArena_New(&piece->arena, wfVec3, f->vertexCount - count, "vertices", &piece->err);
    if (locator == NULL || piece->inner == NULL) return false;
    for (int i = count; i < f->vertexCount; ++i) {
        double w[3], x[3] = {0};
        const int* v = job->in->triangles[wfLocator_Find(locator, f->positions[i], w)].v;
        for (int k = 0; k < 3; ++k) {
            wfVec3 p = job->in->positions[v[k]];
            x[0] += w[k] * p.x, x[1] += w[k] * p.y, x[2] += w[k] * p.z;
        }
        piece->inner[i - count] = wfMake3((float)x[0], (float)x[1], (float)x[2]);
    }
    return true;
}

static bool ForPieces(Job* job, bool (*make)(const Job* job, int index, Piece* piece), wfError* err) {
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < job->pattern->pieceCount; ++i) make(job, i, &job->pieces[i]);
    for (int i = 0; i < job->pattern->pieceCount; ++i)
        if (job->pieces[i].err.code != wf_ok) {
            *err = job->pieces[i].err;
            return false;
        }
    return true;
}

static bool FillPieces(Job* job, wfError* err) {
    wfDivision* d = &job->division;
    int count = job->pattern->pieceCount;
    job->pieces = wfArena_New(&job->arena, Piece, count, "pieces", err);
    wfFilling** fillings = wfArena_New(&job->arena, wfFilling*, count, "pieces", err);
    if (job->pieces == NULL || fillings == NULL) return false;
    for (int i = 0; i < count; ++i) fillings[i] = &job->pieces[i].filling;
    WF_TRY(ForPieces(job, FillPiece, err));
    WF_TRY(wfEvenTogether(fillings, count, d->riders, d->riderCount, d->shares, d->knotCount, job->def->edge, job->def->name, err));
    wfDivision_Place(d, job->in);
    return ForPieces(job, LocatePiece, err);
}

/// The vertex of the new mesh that a vertex of a filled piece is.
static int VertexOf(const Job* job, int piece, int v) {
    int count = PointCount(job, piece);
    return v < count ? job->division.vertex[job->division.pointStart[piece] + v] : job->pieces[piece].first + v - count;
}

static bool AddPiece(const Job* job, int index, wfMesh* out, int firstTriangle, wfError* err) {
    const wfFilling* f = &job->pieces[index].filling;
    bool mirrored = job->pattern->mirrored[index];
    memcpy(out->positions + job->pieces[index].first, job->pieces[index].inner,
           (size_t)(f->vertexCount - PointCount(job, index)) * sizeof(wfVec3));
    for (int t = 0; t < f->triangleCount; ++t) {
        wfTriangle* triangle = &out->triangles[firstTriangle + t];
        for (int k = 0; k < 3; ++k) {
            int v = f->triangles[t].v[k];
            wfVec2 p = f->positions[v];
            triangle->v[k] = VertexOf(job, index, v);
            if (out->flat != NULL) out->flat[firstTriangle + t].corner[k] = (wfVec2){mirrored ? -p.x : p.x, p.y};
        }
        const int* v = triangle->v;
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
            return wfFail(err, wf_badInput, "%s: edges of %g m are too long for piece %d: a triangle would meet itself across a seam",
                          job->def->name, (double)job->def->edge, index + 1);
    }
    return true;
}

/// The ends of an edge as they are in the pattern of the file.
static void TakeEnds(wfVec2 to[2], const wfVec2 from[2], bool mirrored) {
    for (int k = 0; k < 2; ++k) to[k] = (wfVec2){mirrored ? -from[k].x : from[k].x, from[k].y};
}

static bool Assemble(Job* job, wfMesh* out, wfRemeshReport* report, wfError* err) {
    const wfDivision* d = &job->division;
    double vertices = d->vertexCount, triangles = 0.0, sum = 0.0;
    wfEdgeLengths* all = &report->lengths;
    *report = (wfRemeshReport){.pieceCount = job->pattern->pieceCount, .seamCount = d->seamCount, .lengths.shortest = INFINITY};
    for (int i = 0; i < job->pattern->pieceCount; ++i) {
        Piece* piece = &job->pieces[i];
        piece->first = (int)vertices;
        vertices += piece->filling.vertexCount - PointCount(job, i);
        triangles += piece->filling.triangleCount;
        if (vertices > wf_maxMeshElements || triangles > wf_maxMeshElements)
            return wfFail(err, wf_badInput, "%s: more than %d vertices or triangles", job->def->name, wf_maxMeshElements);
        const wfEdgeLengths* own = &piece->lengths;
        if (own->shortest < all->shortest) {
            report->shortestPiece = i;
            all->shortest = own->shortest;
            TakeEnds(all->shortestEnds, own->shortestEnds, job->pattern->mirrored[i]);
        }
        if (own->longest > all->longest) {
            report->longestPiece = i;
            all->longest = own->longest;
            TakeEnds(all->longestEnds, own->longestEnds, job->pattern->mirrored[i]);
        }
        all->edgeCount += piece->lengths.edgeCount;
        sum += piece->lengths.mean * piece->lengths.edgeCount;
    }
    all->mean = sum / all->edgeCount;
    WF_TRY(wfMesh_Create(out, (int)vertices, (int)triangles, job->in->flat != NULL, err));
    memcpy(out->positions, d->positions, (size_t)d->vertexCount * sizeof(wfVec3));
    for (int i = 0, triangle = 0; i < job->pattern->pieceCount; ++i) {
        WF_TRY(AddPiece(job, i, out, triangle, err));
        triangle += job->pieces[i].filling.triangleCount;
    }
    if (d->stitchCount == 0) return true;
    out->stitches = wfArena_Alloc(&out->arena, (size_t)d->stitchCount, sizeof *out->stitches, "stitches", err);
    if (out->stitches == NULL) return false;
    memcpy(out->stitches, d->stitches, (size_t)d->stitchCount * sizeof *out->stitches);
    out->stitchCount = d->stitchCount;
    return true;
}

/// One mesh, by edges of that length.
static bool MakeOne(wfMesh* out, const wfMesh* in, const wfRemeshDef* def, const wfPattern* pattern, wfRemeshReport* report, wfError* err) {
    Job job = {.in = in, .def = def, .pattern = pattern};
    bool ok = wfDivision_Create(&job.division, in, pattern, def->edge, def->name, err) && FillPieces(&job, err) &&
              Assemble(&job, out, report, err);
    for (int i = 0; job.pieces != NULL && i < pattern->pieceCount; ++i) {
        wfFilling_Free(&job.pieces[i].filling);
        wfArena_Free(&job.pieces[i].arena);
    }
    wfDivision_Free(&job.division);
    wfArena_Free(&job.arena);
    if (!ok) wfMesh_Free(out);
    return ok;
}

static double RatioOf(const wfRemeshReport* report) { return report->lengths.shortest / report->lengths.longest; }

bool wfRemesh(wfMesh* out, const wfMesh* in, const wfRemeshDef* def, wfRemeshReport* report, wfError* err) {
    wfMeshView view = wfMesh_View(in);
    wfPattern pattern = {0};
    if (!(def->edge > 0.0f) || !isfinite(def->edge))
        return wfFail(err, wf_badInput, "%s: edge: expected a length above 0, got %g", def->name, (double)def->edge);
    WF_TRY(wfMesh_Check(&view, def->name, err));
    bool ok = wfPattern_Create(&pattern, in, def->name, err) && MakeOne(out, in, def, &pattern, report, err);
    int vain = 0; // attempts in a row that brought nothing: what is poor then is how sides of a seam were cut, not their division
    for (int k = 0; ok && k < otherCount && vain < 3 && out->vertexCount < wf_smallMesh && RatioOf(report) < wf_askedRatio; ++k) {
        wfRemeshDef other = {.name = def->name, .edge = s_others[k] * def->edge};
        wfRemeshReport otherReport;
        wfMesh mesh = {0};
        wfError otherErr = {0};
        if (!MakeOne(&mesh, in, &other, &pattern, &otherReport, &otherErr)) continue; // what fits is there already
        bool better = RatioOf(&otherReport) > RatioOf(report);
        vain = RatioOf(&otherReport) > RatioOf(report) + 0.005 ? 0 : vain + 1;
        wfMesh_Free(better ? out : &mesh);
        if (better) *out = mesh, *report = otherReport;
    }
    wfPattern_Free(&pattern);
    return ok;
}
