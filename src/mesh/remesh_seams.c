// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/remesh_seams.h"

#include "mesh/builder.h"
#include "mesh/find_root.h"

#include <stdlib.h>
#include <string.h>

// Vertices of the mesh that are stitched together are one knot; every other vertex is a knot of its own. Two edges of the boundary between
// the same knots are sewn to each other, whether they share their vertices or are stitched. The boundary is cut into curves at knots where
// the outline turns, or what it is sewn to changes, on any side; so the curves of a seam consist of the same edges on all sides, and are
// divided at the same places.

#define TURN 0.866025403784 // cosine of the angle from which on a vertex of the boundary is a corner

typedef struct BoundaryEdge {
    int from, to; // vertices of the pattern
    int group;    // of edges between the same knots
    int piece;
} BoundaryEdge;

typedef struct Curve {
    int first, count; // edges, in `order`
    int loop;
    int seam;
    int key;       // its least group, which names the seam
    bool reversed; // against the first curve of the seam
    int strand;    // curves of a seam with the same vertices of the mesh
} Curve;

typedef struct Seam {
    int first, count; // curves, in `members`
    int parts, strandCount;
    int start;  // in `shares`
    int vertex; // of the new mesh: the first of strand 0 between the ends; the strands follow each other
    int knot;   // the first
} Seam;

typedef struct Work {
    const wfMesh* mesh;
    const wfPattern* pattern;
    wfDivision* out;
    double edge;
    wfArena arena;
    int* knot; // per vertex of the mesh
    int* knotSize;
    bool* corner; // per knot
    BoundaryEdge* edges;
    int edgeCount;
    int *groupSize, *groupStrands; // per group: edges, and different pairs of vertices of the mesh
    int* edgeAt;                   // per vertex of the pattern: the edge that starts there
    int *order, *loopStart;        // edges by loop, each from a corner on
    int loopCount;
    Curve* curves;
    int curveCount;
    Seam* seams;
    int seamCount;
    int* members;
    double* shares; // per seam, count + 1: where its vertices lie, 0 to 1
    int* kept;      // per vertex of the mesh: its number in the new one, -1 where it goes
    const char* name;
    wfError* err;
} Work;

static int KnotOf(const Work* w, int patternVertex) { return w->knot[w->pattern->meshVertex[patternVertex]]; }

// ---- edges of the boundary ----------------------------------------------------------------------------------------------------

static bool TieKnots(Work* w) {
    int n = w->mesh->vertexCount;
    w->knot = wfArena_New(&w->arena, int, n, "knots", w->err);
    w->knotSize = wfArena_New(&w->arena, int, n, "knots", w->err);
    w->corner = wfArena_New(&w->arena, bool, n, "knots", w->err);
    if (w->knot == NULL || w->knotSize == NULL || w->corner == NULL) return false;
    for (int i = 0; i < n; ++i) w->knot[i] = i;
    for (int i = 0; i < w->mesh->stitchCount; ++i) {
        int a = w->mesh->stitches[i][0], b = w->mesh->stitches[i][1];
        a = wfFindRoot(w->knot, a), b = wfFindRoot(w->knot, b);
        w->knot[a > b ? a : b] = a > b ? b : a;
    }
    for (int i = 0; i < n; ++i) ++w->knotSize[w->knot[i] = wfFindRoot(w->knot, i)];
    return true;
}

typedef struct EdgeKey {
    int lo, hi, meshLo, meshHi, edge;
} EdgeKey;

static int CompareEdges(const void* a, const void* b) {
    const EdgeKey *p = a, *q = b;
    if (p->lo != q->lo) return p->lo < q->lo ? -1 : 1;
    if (p->hi != q->hi) return p->hi < q->hi ? -1 : 1;
    if (p->meshLo != q->meshLo) return p->meshLo < q->meshLo ? -1 : 1;
    if (p->meshHi != q->meshHi) return p->meshHi < q->meshHi ? -1 : 1;
    return p->edge < q->edge ? -1 : 1;
}

static bool GroupEdges(Work* w) {
    const wfPattern* p = w->pattern;
    w->edges = wfArena_New(&w->arena, BoundaryEdge, p->vertexCount, "boundary of a pattern", w->err);
    w->edgeAt = wfArena_New(&w->arena, int, p->vertexCount, "boundary of a pattern", w->err);
    EdgeKey* keys = wfArena_New(&w->arena, EdgeKey, p->vertexCount, "boundary of a pattern", w->err);
    if (w->edges == NULL || w->edgeAt == NULL || keys == NULL) return false;
    for (int v = 0; v < p->vertexCount; ++v) {
        int h = p->boundarySide[v];
        w->edgeAt[v] = h >= 0 ? w->edgeCount : -1;
        if (h < 0) continue;
        int to = p->triangles[h / 3].v[(h % 3 + 1) % 3], a = KnotOf(w, v), b = KnotOf(w, to), c = p->meshVertex[v], d = p->meshVertex[to];
        w->edges[w->edgeCount] = (BoundaryEdge){v, to, 0, p->piece[h / 3]};
        keys[w->edgeCount] = (EdgeKey){a < b ? a : b, a < b ? b : a, c < d ? c : d, c < d ? d : c, w->edgeCount};
        ++w->edgeCount;
    }
    qsort(keys, (size_t)w->edgeCount, sizeof *keys, CompareEdges);
    w->groupSize = wfArena_New(&w->arena, int, w->edgeCount, "boundary of a pattern", w->err);
    w->groupStrands = wfArena_New(&w->arena, int, w->edgeCount, "boundary of a pattern", w->err);
    if (w->groupSize == NULL || w->groupStrands == NULL) return false;
    for (int i = 0, group = -1; i < w->edgeCount; ++i) {
        const EdgeKey *k = &keys[i], *before = i > 0 ? &keys[i - 1] : NULL;
        // An edge whose ends are stitched together is sewn to nothing.
        bool same = before != NULL && before->lo == k->lo && before->hi == k->hi && k->lo != k->hi;
        group += !same;
        w->edges[k->edge].group = group;
        ++w->groupSize[group];
        w->groupStrands[group] += !same || before->meshLo != k->meshLo || before->meshHi != k->meshHi;
    }
    return true;
}

// ---- corners ------------------------------------------------------------------------------------------------------------------

static bool Turns(const Work* w, const BoundaryEdge* in, const BoundaryEdge* out) {
    wfVec2 a = w->pattern->positions[in->from], b = w->pattern->positions[in->to], c = w->pattern->positions[out->to];
    double ux = (double)b.x - a.x, uy = (double)b.y - a.y, vx = (double)c.x - b.x, vy = (double)c.y - b.y;
    return ux * vx + uy * vy < TURN * hypot(ux, uy) * hypot(vx, vy);
}

typedef struct KnotGroup {
    int knot, group;
} KnotGroup;

static int CompareKnotGroups(const void* a, const void* b) {
    const KnotGroup *p = a, *q = b;
    if (p->knot != q->knot) return p->knot < q->knot ? -1 : 1;
    return (p->group > q->group) - (p->group < q->group);
}

static bool FindCorners(Work* w) {
    KnotGroup* meet = wfArena_New(&w->arena, KnotGroup, 2 * (size_t)w->edgeCount, "corners of a pattern", w->err);
    if (meet == NULL) return false;
    for (int i = 0; i < w->edgeCount; ++i) {
        const BoundaryEdge *in = &w->edges[i], *out = &w->edges[w->edgeAt[in->to]];
        int knot = KnotOf(w, in->to);
        meet[2 * i] = (KnotGroup){KnotOf(w, in->from), in->group};
        meet[2 * i + 1] = (KnotGroup){knot, in->group};
        bool changes = w->groupSize[in->group] != w->groupSize[out->group] || w->groupStrands[in->group] != w->groupStrands[out->group];
        bool loose = w->knotSize[knot] > 1 && w->groupStrands[in->group] == 1; // a stitch that is none of a seam along here
        if (changes || loose || Turns(w, in, out)) w->corner[knot] = true;
    }
    // Where a seam ends, begins or forks, other than two groups meet.
    qsort(meet, 2 * (size_t)w->edgeCount, sizeof *meet, CompareKnotGroups);
    for (int i = 0; i < 2 * w->edgeCount;) {
        int j = i, groups = 0;
        for (; j < 2 * w->edgeCount && meet[j].knot == meet[i].knot; ++j) groups += j == i || meet[j].group != meet[j - 1].group;
        if (groups != 2) w->corner[meet[i].knot] = true;
        i = j;
    }
    // Stitched vertices inside a piece stay, and so does what they are stitched to.
    for (int v = 0; v < w->pattern->vertexCount; ++v)
        if (w->edgeAt[v] < 0 && w->knotSize[KnotOf(w, v)] > 1) w->corner[KnotOf(w, v)] = true;
    return true;
}

/// A corner in each loop: where it has none, its least knot, which is the same for loops that are sewn together.
static bool FindLoops(Work* w) {
    bool* seen = wfArena_New(&w->arena, bool, w->edgeCount, "boundary of a pattern", w->err);
    w->order = wfArena_New(&w->arena, int, w->edgeCount, "boundary of a pattern", w->err);
    w->loopStart = wfArena_New(&w->arena, int, (size_t)w->edgeCount + 1, "boundary of a pattern", w->err);
    if (seen == NULL || w->order == NULL || w->loopStart == NULL) return false;
    for (int pass = 0; pass < 2; ++pass) { // first the corners of all loops, then their order
        int count = 0;
        memset(seen, 0, (size_t)w->edgeCount * sizeof *seen);
        w->loopCount = 0;
        for (int i = 0; i < w->edgeCount; ++i) {
            if (seen[i]) continue;
            int start = -1, least = -1;
            for (int e = i; !seen[e]; e = w->edgeAt[w->edges[e].to]) {
                int knot = KnotOf(w, w->edges[e].from);
                seen[e] = true;
                if (start < 0 && w->corner[knot]) start = e;
                if (least < 0 || knot < least) least = knot;
            }
            if (start < 0) w->corner[least] = true;
            if (pass == 0) continue;
            int e = start;
            w->loopStart[w->loopCount++] = count;
            do {
                w->order[count++] = e;
                e = w->edgeAt[w->edges[e].to];
            } while (e != start);
        }
        w->loopStart[w->loopCount] = count;
    }
    return true;
}

// ---- curves and seams ---------------------------------------------------------------------------------------------------------

static bool CutCurves(Work* w) {
    w->curves = wfArena_New(&w->arena, Curve, w->edgeCount, "curves of a pattern", w->err);
    if (w->curves == NULL) return false;
    for (int loop = 0; loop < w->loopCount; ++loop)
        for (int i = w->loopStart[loop]; i < w->loopStart[loop + 1]; ++i) {
            const BoundaryEdge* edge = &w->edges[w->order[i]];
            if (w->corner[KnotOf(w, edge->from)]) w->curves[w->curveCount++] = (Curve){.first = i, .loop = loop, .key = edge->group};
            Curve* curve = &w->curves[w->curveCount - 1];
            ++curve->count;
            if (edge->group < curve->key) curve->key = edge->group;
        }
    return true;
}

static const BoundaryEdge* EdgeOf(const Work* w, const Curve* curve, int i) { return &w->edges[w->order[curve->first + i]]; }

/// The i-th vertex of the pattern along a curve, counted in the direction of the seam.
static int CurveVertex(const Work* w, const Curve* curve, int i) {
    int at = curve->reversed ? curve->count - i : i;
    return at == 0 ? EdgeOf(w, curve, 0)->from : EdgeOf(w, curve, at - 1)->to;
}

/// Whether two curves pass the same knots, in this direction.
static bool RunsAlong(const Work* w, const Curve* a, const Curve* b) {
    bool same = a->count == b->count;
    for (int i = 0; same && i <= a->count; ++i) same = KnotOf(w, CurveVertex(w, a, i)) == KnotOf(w, CurveVertex(w, b, i));
    return same;
}

static bool IsSameStrand(const Work* w, const Curve* a, const Curve* b) {
    bool same = true;
    for (int i = 0; same && i <= a->count; ++i)
        same = w->pattern->meshVertex[CurveVertex(w, a, i)] == w->pattern->meshVertex[CurveVertex(w, b, i)];
    return same;
}

static bool JoinSeam(Work* w, Seam* seam) {
    Curve* first = &w->curves[w->members[seam->first]];
    for (int m = 0; m < seam->count; ++m) {
        Curve* curve = &w->curves[w->members[seam->first + m]];
        curve->seam = (int)(seam - w->seams);
        curve->reversed = !RunsAlong(w, first, curve);
        if (curve->reversed && !RunsAlong(w, first, curve))
            return wfFail(w->err, wf_badInput, "%s: the two sides of the seam at vertices %d and %d do not fit together", w->name,
                          w->pattern->meshVertex[CurveVertex(w, first, 0)], w->pattern->meshVertex[CurveVertex(w, curve, 0)]);
        curve->strand = seam->strandCount;
        for (int k = 0; k < m && curve->strand == seam->strandCount; ++k) {
            const Curve* other = &w->curves[w->members[seam->first + k]];
            if (IsSameStrand(w, other, curve)) curve->strand = other->strand;
        }
        seam->strandCount += curve->strand == seam->strandCount;
    }
    return true;
}

static double PatternLength(const Work* w, int a, int b) {
    wfVec2 p = w->pattern->positions[a], q = w->pattern->positions[b];
    return hypot((double)q.x - p.x, (double)q.y - p.y);
}

/// Where the vertices of a seam lie, as the mean over its curves, and how many parts it has.
static void MeasureSeam(const Work* w, Seam* seam) {
    int n = w->curves[w->members[seam->first]].count;
    double *share = w->shares + seam->start, total = 0.0;
    for (int m = 0; m < seam->count; ++m) {
        const Curve* curve = &w->curves[w->members[seam->first + m]];
        double length = 0.0, at = 0.0;
        for (int i = 0; i < n; ++i) length += PatternLength(w, CurveVertex(w, curve, i), CurveVertex(w, curve, i + 1));
        for (int i = 0; i < n; ++i) {
            at += PatternLength(w, CurveVertex(w, curve, i), CurveVertex(w, curve, i + 1));
            share[i + 1] += at / length / seam->count;
        }
        total += length / seam->count;
    }
    share[n] = 1.0;
    seam->parts = wfPartsOf(total, w->edge);
}

static int CompareCurves(const void* a, const void* b) {
    const Curve *p = *(const Curve*const*)a, *q = *(const Curve*const*)b;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return (p > q) - (p < q);
}

static bool JoinSeams(Work* w) {
    const Curve** sorted = wfArena_New(&w->arena, const Curve*, w->curveCount, "seams", w->err);
    w->members = wfArena_New(&w->arena, int, w->curveCount, "seams", w->err);
    w->seams = wfArena_New(&w->arena, Seam, w->curveCount, "seams", w->err);
    w->shares = wfArena_New(&w->out->arena, double, w->edgeCount + w->curveCount, "seams", w->err);
    if (sorted == NULL || w->members == NULL || w->seams == NULL || w->shares == NULL) return false;
    for (int i = 0; i < w->curveCount; ++i) sorted[i] = &w->curves[i];
    qsort(sorted, (size_t)w->curveCount, sizeof *sorted, CompareCurves);
    for (int i = 0, start = 0; i < w->curveCount; ++i) {
        w->members[i] = (int)(sorted[i] - w->curves);
        if (i == 0 || sorted[i]->key != sorted[i - 1]->key) {
            w->seams[w->seamCount++] = (Seam){.first = i, .start = start};
            start += sorted[i]->count + 1;
        }
        ++w->seams[w->seamCount - 1].count;
    }
    for (int i = 0; i < w->seamCount; ++i) {
        WF_TRY(JoinSeam(w, &w->seams[i]));
        MeasureSeam(w, &w->seams[i]);
        w->out->seamCount += w->seams[i].count > 1;
    }
    // A loop needs three edges.
    for (int first = 0, last; first < w->curveCount; first = last) {
        int parts = 0;
        for (last = first; last < w->curveCount && w->curves[last].loop == w->curves[first].loop; ++last)
            parts += w->seams[w->curves[last].seam].parts;
        for (int i = first; i < last && parts < 3; ++i) {
            Seam* seam = &w->seams[w->curves[i].seam];
            parts += 3 - seam->parts;
            seam->parts = 3;
        }
    }
    return true;
}

// ---- the new boundary ---------------------------------------------------------------------------------------------------------

static int Keep(Work* w, int meshVertex) {
    if (w->kept[meshVertex] < 0) {
        w->kept[meshVertex] = w->out->vertexCount;
        w->out->positions[w->out->vertexCount++] = w->mesh->positions[meshVertex];
    }
    return w->kept[meshVertex];
}

/// Numbers for the new vertices inside a seam, and their stitches.
static void NumberSeam(Work* w, Seam* seam) {
    seam->vertex = w->out->vertexCount;
    seam->knot = w->out->knotCount;
    w->out->vertexCount += seam->strandCount * (seam->parts - 1);
    for (int i = 1; i < seam->parts; ++i) w->out->shares[w->out->knotCount++] = (double)i / seam->parts;
    for (int strand = 1; strand < seam->strandCount; ++strand)
        for (int i = 0; i < seam->parts - 1; ++i, ++w->out->stitchCount) {
            w->out->stitches[w->out->stitchCount][0] = seam->vertex + i;
            w->out->stitches[w->out->stitchCount][1] = seam->vertex + strand * (seam->parts - 1) + i;
        }
}

/// A curve as a rail, in the direction of its seam, and the vertices of the mesh along it.
static bool LayRail(Work* w, const Curve* curve, wfRail* rail, int** path) {
    wfVec2* points = wfArena_New(&w->out->arena, wfVec2, (size_t)curve->count + 1, "curves of a pattern", w->err);
    *path = wfArena_New(&w->out->arena, int, (size_t)curve->count + 1, "curves of a pattern", w->err);
    if (points == NULL || *path == NULL) return false;
    for (int i = 0; i <= curve->count; ++i) {
        points[i] = w->pattern->positions[CurveVertex(w, curve, i)];
        (*path)[i] = w->pattern->meshVertex[CurveVertex(w, curve, i)];
    }
    *rail = (wfRail){points, w->shares + w->seams[curve->seam].start, curve->count + 1};
    return true;
}

/// The points of a curve but its last, in the direction of its loop.
static bool PlaceCurve(Work* w, const Curve* curve, int at) {
    const Seam* seam = &w->seams[curve->seam];
    int begin = EdgeOf(w, curve, 0)->from, piece = EdgeOf(w, curve, 0)->piece, inner = seam->parts - 1, *path;
    wfRail rail;
    w->out->points[at] = w->pattern->positions[begin];
    w->out->vertex[at] = Keep(w, w->pattern->meshVertex[begin]);
    WF_TRY(LayRail(w, curve, &rail, &path));
    for (int i = 1; i < seam->parts; ++i) {
        int place = at + (curve->reversed ? seam->parts - i : i), knot = seam->knot + i - 1;
        double x[2];
        wfRail_At(&rail, w->out->shares[knot], x);
        w->out->points[place] = (wfVec2){(float)x[0], (float)x[1]};
        w->out->vertex[place] = seam->vertex + curve->strand * inner + i - 1;
        w->out->riderPath[w->out->riderCount] = path;
        w->out->riders[w->out->riderCount++] = (wfRider){piece, place - w->out->pointStart[piece], rail, knot};
    }
    return true;
}

static bool MakeRoom(Work* w, int* cursor) {
    wfDivision* out = w->out;
    int pieces = w->pattern->pieceCount;
    double vertices = w->mesh->vertexCount, stitches = w->mesh->stitchCount, points = 0.0, knots = 0.0;
    for (int i = 0; i < w->seamCount; ++i) {
        knots += w->seams[i].parts - 1;
        vertices += (double)w->seams[i].strandCount * (w->seams[i].parts - 1);
        stitches += (double)(w->seams[i].strandCount - 1) * (w->seams[i].parts - 1);
        points += (double)w->seams[i].count * w->seams[i].parts;
    }
    points += w->pattern->vertexCount;
    if (vertices + points > wf_maxMeshElements / 4.0)
        return wfFail(w->err, wf_badInput, "%s: edges of %g m: more than %d vertices on the boundary", w->name, w->edge,
                      wf_maxMeshElements / 4);
    w->kept = wfArena_New(&w->arena, int, w->mesh->vertexCount, "vertices", w->err);
    out->positions = wfArena_New(&out->arena, wfVec3, vertices, "vertices", w->err);
    out->stitches = wfArena_Alloc(&out->arena, (size_t)stitches, sizeof *out->stitches, "stitches", w->err);
    out->pointStart = wfArena_New(&out->arena, int, (size_t)pieces + 1, "pieces", w->err);
    out->edgeStart = wfArena_New(&out->arena, int, (size_t)pieces + 1, "pieces", w->err);
    out->points = wfArena_New(&out->arena, wfVec2, points, "boundary", w->err);
    out->vertex = wfArena_New(&out->arena, int, points, "boundary", w->err);
    out->riders = wfArena_New(&out->arena, wfRider, points, "boundary", w->err);
    out->riderPath = wfArena_New(&out->arena, int*, points, "boundary", w->err);
    out->shares = wfArena_New(&out->arena, double, knots, "boundary", w->err);
    out->edges = wfArena_Alloc(&out->arena, (size_t)points, sizeof *out->edges, "boundary", w->err);
    if (w->kept == NULL || out->positions == NULL || out->stitches == NULL || out->pointStart == NULL || out->edgeStart == NULL ||
        out->points == NULL || out->vertex == NULL || out->edges == NULL || out->riders == NULL || out->riderPath == NULL ||
        out->shares == NULL)
        return false;
    for (int v = 0; v < w->mesh->vertexCount; ++v) w->kept[v] = -1;
    for (int i = 0; i < w->curveCount; ++i) {
        int piece = EdgeOf(w, &w->curves[i], 0)->piece;
        out->pointStart[piece + 1] += w->seams[w->curves[i].seam].parts;
        out->edgeStart[piece + 1] += w->seams[w->curves[i].seam].parts;
    }
    for (int t = 0; t < w->pattern->triangleCount; ++t)
        for (int k = 0; k < 3; ++k) {
            int v = w->pattern->triangles[t].v[k];
            if (cursor[v] != 0 || w->edgeAt[v] >= 0 || w->knotSize[KnotOf(w, v)] == 1) continue;
            cursor[v] = 1; // seen
            ++out->pointStart[w->pattern->piece[t] + 1];
        }
    for (int i = 0; i < pieces; ++i) {
        out->pointStart[i + 1] += out->pointStart[i];
        out->edgeStart[i + 1] += out->edgeStart[i];
    }
    return true;
}

static bool Place(Work* w) {
    const wfPattern* p = w->pattern;
    wfDivision* out = w->out;
    int* inside = wfArena_New(&w->arena, int, p->vertexCount, "kept vertices", w->err); // per vertex: 1 where it is kept inside
    int* point = wfArena_New(&w->arena, int, p->pieceCount, "pieces", w->err);
    int* edge = wfArena_New(&w->arena, int, p->pieceCount, "pieces", w->err);
    WF_TRY(inside != NULL && point != NULL && edge != NULL && MakeRoom(w, inside));
    for (int i = 0; i < w->curveCount; ++i) Keep(w, p->meshVertex[EdgeOf(w, &w->curves[i], 0)->from]);
    for (int i = 0; i < w->seamCount; ++i) NumberSeam(w, &w->seams[i]);
    for (int first = 0, last; first < w->curveCount; first = last) { // loop by loop
        int piece = EdgeOf(w, &w->curves[first], 0)->piece, begin = point[piece], base = out->pointStart[piece];
        for (last = first; last < w->curveCount && w->curves[last].loop == w->curves[first].loop; ++last) {
            WF_TRY(PlaceCurve(w, &w->curves[last], base + point[piece]));
            point[piece] += w->seams[w->curves[last].seam].parts;
        }
        for (int k = begin; k < point[piece]; ++k) {
            int* e = out->edges[out->edgeStart[piece] + edge[piece]++];
            e[0] = k;
            e[1] = k + 1 < point[piece] ? k + 1 : begin;
        }
    }
    for (int t = 0; t < p->triangleCount; ++t)
        for (int k = 0; k < 3; ++k) {
            int v = p->triangles[t].v[k], piece = p->piece[t];
            if (inside[v] == 0) continue;
            inside[v] = 0;
            int at = out->pointStart[piece] + point[piece]++;
            out->points[at] = p->positions[v];
            out->vertex[at] = Keep(w, p->meshVertex[v]);
        }
    for (int i = 0; i < w->mesh->stitchCount; ++i) { // those at corners and inside; the others have been made anew
        const int* s = w->mesh->stitches[i];
        if (!w->corner[w->knot[s[0]]]) continue;
        int* to = out->stitches[out->stitchCount++];
        to[0] = Keep(w, s[0]);
        to[1] = Keep(w, s[1]);
    }
    wfDivision_Place(out, w->mesh);
    return true;
}

void wfDivision_Place(wfDivision* d, const wfMesh* mesh) {
    for (int i = 0; i < d->riderCount; ++i) {
        const wfRider* rider = &d->riders[i];
        double along;
        const int* path = d->riderPath[i] + wfRail_Find(&rider->rail, d->shares[rider->knot], &along);
        d->positions[d->vertex[d->pointStart[rider->piece] + rider->vertex]] =
            wfLerp(mesh->positions[path[0]], mesh->positions[path[1]], (float)along);
    }
}

bool wfDivision_Create(wfDivision* division, const wfMesh* mesh, const wfPattern* pattern, double edge, const char* name, wfError* err) {
    Work w = {.mesh = mesh, .pattern = pattern, .out = division, .edge = edge, .name = name, .err = err};
    bool ok = TieKnots(&w) && GroupEdges(&w) && FindCorners(&w) && FindLoops(&w) && CutCurves(&w) && JoinSeams(&w) && Place(&w);
    wfArena_Free(&w.arena);
    if (!ok) wfDivision_Free(division);
    return ok;
}

void wfDivision_Free(wfDivision* division) {
    wfArena_Free(&division->arena);
    *division = (wfDivision){0};
}
