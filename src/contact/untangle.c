// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/untangle_inside.h"

#include "base/assert.h"
#include "weft/weft.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

// The rounds: detect, decide, correct, and again. Where the number of crossings does not fall any more the scheme changes: regions as a
// whole, then edge by edge along normals, then contours shorter, then smoother surfaces. What came nearest to clean is kept.

enum { firstPatience = 14, patience = 6, farWorse = 300 };

static const int64_t crossed = INT32_MAX; // what crosses counts more than what only touches

static const double gapGrowth = 1.3, flatShare = 0.7, leastStride = 1.0 / 16.0;

// ---- creation -----------------------------------------------------------------------------------------------------------------

static bool Allocate(wfUntangler* u, wfError* err) {
    size_t vertexCount = (size_t)u->topology.vertexCount;
    wfArena* a = &u->arena;
    u->start = wfArena_New(a, wfVec3, vertexCount, "positions", err);
    u->best = wfArena_New(a, wfVec3, vertexCount, "positions", err);
    u->before = wfArena_New(a, wfVec3, vertexCount, "positions", err);
    u->seen = wfArena_New(a, wfVec3, vertexCount, "positions", err);
    u->idle = wfArena_New(a, bool, u->topology.triangleCount, "triangles that stay", err);
    u->step = wfArena_New(a, double, u->topology.componentCount, "pieces", err);
    u->size = wfArena_New(a, int, u->topology.componentCount, "pieces", err);
    u->solid = wfArena_New(a, short, u->topology.componentCount, "pieces", err);
    u->area = wfArena_New(a, double, vertexCount, "areas", err);
    u->color = wfArena_New(a, short, vertexCount, "regions", err);
    u->odd = wfArena_New(a, bool, u->topology.edgeCount, "regions", err);
    u->queue[0] = wfArena_New(a, int, vertexCount, "regions", err);
    u->queue[1] = wfArena_New(a, int, vertexCount, "regions", err);
    u->reached = wfArena_New(a, int, vertexCount, "regions", err);
    u->faceOf = wfArena_New(a, int, vertexCount, "regions", err);
    u->sum = wfArena_New(a, wfVec3D, vertexCount, "displacements", err);
    u->weight = wfArena_New(a, double, vertexCount, "displacements", err);
    u->way = wfArena_New(a, wfVec3D, vertexCount, "displacements", err);
    u->nextWay = wfArena_New(a, wfVec3D, vertexCount, "displacements", err);
    if (!u->seen || !u->idle || !u->before || !u->way || !u->nextWay || !u->start || !u->best || !u->step || !u->size || !u->solid ||
        !u->area || !u->color || !u->odd || !u->queue[0] || !u->queue[1] || !u->reached || !u->faceOf || !u->sum || !u->weight)
        return false;
    memset(u->color, wf_notReached, vertexCount * sizeof *u->color);
    memset(u->faceOf, -1, vertexCount * sizeof *u->faceOf);
    return true;
}

wfUntangler* wfCreateUntangler(const wfUntangleDef* def, wfError* err) {
    wfUntangler* u = calloc(1, sizeof *u);
    if (u == NULL) {
        wfFail(err, wf_outOfMemory, "out of memory for untangling");
        return NULL;
    }
    u->def = *def;
    wfDeviceDef device = wfDefaultDeviceDef();
    device.kind = wf_deviceCpu; // a repair of a few vertices, once
    device.threadCount = omp_get_max_threads();
    u->device = wfCreateDevice(&device, err);
    if (u->device != NULL && wfTopology_Create(&u->topology, def->triangles, def->triangleCount, def->vertexCount, err) &&
        Allocate(u, err) && wfCrossingFinder_Create(&u->finder, u->device, &u->topology, def->fixed, err))
        return u;
    wfDestroyUntangler(u);
    return NULL;
}

void wfDestroyUntangler(wfUntangler* u) {
    if (u == NULL) return;
    wfCrossingFinder_Free(&u->finder);
    wfTopology_Free(&u->topology);
    wfDestroyDevice(u->device);
    free(u->met);
    wfArena_Free(&u->arena);
    free(u);
}

// ---- a round --------------------------------------------------------------------------------------------------------------------

static int PieceOf(const wfUntangler* u, const wfContour* c, int strand) {
    const wfStop* stop = &u->contours->stops[c->firstStop];
    const wfCrossing* crossing = &u->crossings->items[stop->crossing];
    return u->topology
        .component[stop->strand == strand ? u->topology.edges[crossing->edge].v[0] : u->topology.triangles[crossing->face].v[0]];
}

static int CompareCurves(const void* a, const void* b) {
    const wfCurve *p = a, *q = b;
    if (p->host != q->host) return p->host < q->host ? -1 : 1;
    if (p->opponent != q->opponent) return p->opponent < q->opponent ? -1 : 1;
    if (p->contour != q->contour) return p->contour < q->contour ? -1 : 1;
    return p->strands - q->strands;
}

/// Whether the order of layers is known between the two surfaces of a contour.
static bool SideIsKnown(const wfUntangler* u, const wfCurve* curve) {
    const wfContour* c = &u->contours->items[curve->contour];
    return wfUntangler_KnownSide(u, &u->crossings->items[u->contours->stops[c->firstStop].crossing]) != 0;
}

/// Whether the surfaces of a contour run along each other rather than across: then it takes less to part them than to push one to the
/// boundary of the other.
static bool IsFlat(const wfUntangler* u, const wfCurve* curve) {
    const wfContour* c = &u->contours->items[curve->contour];
    double sum = 0.0;
    for (int k = 0; k < c->stopCount; ++k) {
        const wfCrossing* crossing = &u->crossings->items[u->contours->stops[c->firstStop + k].crossing];
        wfVec3D n = wfUntangler_Normal(u, u->topology.edges[crossing->edge].triangle[0]);
        sum += fabs(wfDotD(n, wfUntangler_Normal(u, crossing->face)));
    }
    return sum > flatShare * c->stopCount;
}

typedef void (*AnswerFn)(wfUntangler* u, const wfCurve* curves, int count, const wfFlood* flood);

/// Floods curves together and answers them; false where that says nothing because they part nothing.
static bool AnswerTogether(wfUntangler* u, const wfCurve* curves, int count, bool near, AnswerFn answer) {
    wfFlood flood;
    wfUntangler_Flood(u, curves, count, near, &flood);
    if (near || flood.parts) answer(u, curves, count, &flood);
    wfUntangler_Forget(u, curves, count);
    return near || flood.parts;
}

/// Curves on one surface against one other: those that part it together, or else one by one.
static void AnswerGroup(wfUntangler* u, const wfCurve* curves, int count, AnswerFn answer) {
    if (curves[0].type == wf_curveBLI || curves[0].type == wf_curveBI) {
        AnswerTogether(u, curves, 1, true, answer);
        return;
    }
    if (AnswerTogether(u, curves, count, false, answer)) return;
    for (int i = 0; i < count; ++i) {
        if (count > 1 && AnswerTogether(u, &curves[i], 1, false, answer)) continue;
        bool across = curves[i].type == wf_curveBB && curves[i].host != curves[i].opponent && !IsFlat(u, &curves[i]);
        if (across && (answer != wfUntangler_Push || wfUntangler_PushOut(u, &curves[i]))) continue;
        AnswerTogether(u, &curves[i], 1, true, answer);
    }
}

/// Those of a piece with itself stand alone; of two pieces, all that may part the surface go together.
static int GroupEnd(const wfUntangler* u, const wfCurve* curves, int first, int count) {
    const wfCurve* lead = &curves[first];
    int last = first + 1;
    if ((lead->host == lead->opponent && u->solid[lead->host] == 0) || (lead->type != wf_curveCL && lead->type != wf_curveBB)) return last;
    while (last < count && curves[last].host == lead->host && curves[last].opponent == lead->opponent &&
           (curves[last].type == wf_curveCL || curves[last].type == wf_curveBB))
        ++last;
    return last;
}

/// Where a loop vertex lies on the boundary, the strand from there to the boundary parts the surface alone; -1: there is none.
static int OwnStrand(const wfUntangler* u, const wfContour* c) {
    if (c->kind != wf_contourBLI) return -1;
    int end = c->loop[0] >= 0 ? 0 : 1;
    if (!u->topology.boundaryVertex[c->loop[end]]) return -1;
    return u->contours->stops[c->firstStop + (end == 0 ? c->stopCount - 1 : 0)].strand;
}

static bool PushContours(wfUntangler* u, wfArena* arena, wfError* err) {
    wfCurve* curves = wfArena_New(arena, wfCurve, 2 * (size_t)u->contours->count, "curves", err);
    u->axes = wfArena_New(arena, wfAxis, u->contours->count, "axes of contours", err);
    if (curves == NULL || u->axes == NULL) return false;
    int count = 0;
    for (int i = 0; i < u->contours->count; ++i) {
        const wfContour* c = &u->contours->items[i];
        int host[2] = {PieceOf(u, c, 0), PieceOf(u, c, 1)};
        int own = OwnStrand(u, c);
        if (own >= 0) curves[count++] = (wfCurve){i, 1 << own, host[own], host[1 - own], wf_curveBB};
        if (c->single && own < 0) curves[count++] = (wfCurve){i, 3, host[0], host[1], c->type[0]};
        for (int s = 0; s < 2 && !c->single; ++s) curves[count++] = (wfCurve){i, 1 << s, host[s], host[1 - s], c->type[s]};
    }
    qsort(curves, (size_t)count, sizeof *curves, CompareCurves);
    for (int pass = u->scheme == wf_schemeGlobal ? 0 : 1; pass < 2; ++pass) {
        for (int i = 0; i < u->contours->count && pass == 1 && u->scheme == wf_schemeGlobal; ++i) {
            const wfContour* c = &u->contours->items[i];
            if (u->solid[PieceOf(u, c, 0)] != 0 && u->solid[PieceOf(u, c, 1)] != 0) wfUntangler_FindApart(u, i);
        }
        for (int first = 0, last; first < count; first = last) {
            const wfCurve* lead = &curves[first];
            last = GroupEnd(u, curves, first, count);
            if (lead->type == wf_curveII) continue;
            if (lead->type != wf_curveBI || SideIsKnown(u, lead) || IsFlat(u, lead)) {
                AnswerGroup(u, lead, last - first, pass == 0 ? wfUntangler_AddAxis : wfUntangler_Push);
            } else if (pass == 1) {
                wfUntangler_Push(u, lead, 1, NULL);
            }
        }
    }
    return true;
}

static void CountContours(const wfContours* contours, int counts[wf_contourKindCount]) {
    for (int k = 0; k < wf_contourKindCount; ++k) counts[k] = 0;
    for (int i = 0; i < contours->count; ++i) counts[contours->items[i].kind] += 1;
}

// ---- the rounds -----------------------------------------------------------------------------------------------------------------

typedef struct Progress {
    int64_t fewest;     // crossings, or pairs that meet behind them: less is nearer to clean
    int since;          // the round from which the gap grows
    int lastGain, vain; // the round of the last gain, and how often the scheme has changed since
    bool clean, restored;
} Progress;

/// Detects and, where something crosses or meets, corrects. Returns with progress->clean where nothing does.
static bool Round(wfUntangler* u, int round, Progress* progress, wfUntangleReport* report, wfArena* arena, wfError* err) {
    WF_TRY(wfUntangler_Look(u, false, err));
    if (round == 0 && u->metCount > 0) {
        WF_TRY(wfCrossingFinder_Find(&u->finder, u->x, arena, &u->found, err));
    } else {
        WF_TRY(wfCrossingFinder_FindAmong(&u->finder, u->x, u->met, u->metCount, arena, &u->found, err));
    }
    WF_TRY(wfContours_Create(&u->traced, &u->topology, &u->found, arena, err));
    u->crossings = &u->found;
    u->contours = &u->traced;
    if (round == 0) {
        CountContours(&u->traced, report->contoursBefore);
        report->testCount = u->found.testCount;
    }
    int64_t state = u->found.count > 0 ? crossed + (int64_t)u->found.count : u->metCount;
    if (state < progress->fewest) {
        progress->fewest = state;
        progress->lastGain = round;
        progress->vain = 0;
        u->stride = fmin(1.0, 1.5 * u->stride);
        memcpy(u->best, u->x, (size_t)u->def.vertexCount * sizeof *u->best);
    }
    progress->clean = state == 0;
    if (progress->clean || round >= u->def.rounds) return true;
    bool wild = u->found.count > farWorse + 2 * (progress->fewest > crossed ? progress->fewest - crossed : 0);
    if (wild || round - progress->lastGain >= (progress->restored ? patience : firstPatience)) {
        // Back to where it was best, and on with shorter steps in another way. After all ways in vain they are tried from
        // where it is, with small gaps.
        u->stride = 0.5 * u->stride < leastStride ? 1.0 : 0.5 * u->stride;
        u->scheme = (wfUntangleScheme)((u->scheme + 1) % wf_schemeCount);
        progress->lastGain = round;
        progress->restored = true;
        progress->vain += !wild;
        bool again = wild || progress->vain / wf_schemeCount % 2 == 0;
        progress->since = again ? 0 : round;
        if (again) {
            memcpy(u->x, u->best, (size_t)u->def.vertexCount * sizeof *u->best);
            return true;
        }
    }
    u->gap = fmin(u->leastGap * pow(gapGrowth, round - progress->since), u->mostGap);
    if (u->found.count > 0) {
        WF_TRY(PushContours(u, arena, err));
    } else {
        wfUntangler_PushPairs(u, u->met, u->metCount);
    }
    if (u->def.relax != NULL) memcpy(u->before, u->x, (size_t)u->def.vertexCount * sizeof *u->x);
    wfUntangler_Move(u);
    return u->def.relax == NULL || u->def.relax(u->def.relaxSelf, u->before, u->x, err);
}

bool wfUntangler_Finish(wfUntangler* u, wfUntangleReport* report, wfError* err) {
    wfArena arena = {0};
    wfCrossings crossings;
    wfContours contours;
    bool ok = wfUntangler_Look(u, false, err) &&
              wfCrossingFinder_FindAmong(&u->finder, u->x, u->met, u->metCount, &arena, &crossings, err) &&
              wfContours_Create(&contours, &u->topology, &crossings, &arena, err);
    if (ok) {
        report->pairsAfter = u->metCount;
        CountContours(&contours, report->contoursAfter);
    }
    wfArena_Free(&arena);
    double sum = 0.0;
    report->farthest = -1;
    report->movedCount = 0;
    report->largest = 0.0;
    for (int v = 0; v < u->def.vertexCount; ++v) {
        double distance = wfLengthD(wfSubD(wfUntangler_At(u, v), wfWiden(u->start[v])));
        if (!(distance > 0.0)) continue;
        report->movedCount += 1;
        sum += distance;
        if (distance > report->largest) {
            report->largest = distance;
            report->farthest = v;
        }
    }
    report->mean = report->movedCount > 0 ? sum / report->movedCount : 0.0;
    return ok;
}

static bool Rounds(wfUntangler* u, int rounds, wfUntangleReport* report, wfError* err) {
    Progress progress = {.fewest = INT64_MAX};
    bool ok = true;
    u->scheme = wf_schemeGlobal;
    u->stride = 1.0;
    for (int round = 0; ok && round <= rounds && !progress.clean; ++round) {
        wfArena scratch = {0};
        report->rounds = round;
        ok = Round(u, round, &progress, report, &scratch, err);
        wfArena_Free(&scratch);
    }
    if (ok) memcpy(u->x, u->best, (size_t)u->def.vertexCount * sizeof *u->best);
    return ok;
}

bool wfUntangler_Clean(wfUntangler* u, bool* clean, wfError* err) {
    wfUntangleReport report = {0};
    bool ok = Rounds(u, u->def.rounds, &report, err) && wfUntangler_Look(u, false, err);
    *clean = ok && u->metCount == 0;
    return ok;
}

void wfUntangler_SetRounds(wfUntangler* u, int rounds) { u->def.rounds = rounds; }

bool wfUntangler_Run(wfUntangler* u, wfVec3* x, wfUntangleReport* report, wfError* err) {
    *report = (wfUntangleReport){0};
    report->farthest = -1;
    u->x = x;
    memcpy(u->start, x, (size_t)u->def.vertexCount * sizeof *x);
    WF_TRY(wfUntangler_MeasurePieces(u, err) && wfUntangler_Look(u, true, err));
    report->pairsBefore = u->metCount;
    if (u->metCount == 0) return true;
    WF_TRY(Rounds(u, u->def.rounds, report, err) && wfUntangler_Look(u, false, err));
    if (u->metCount == 0 && u->def.clearance > 0.0f) WF_TRY(wfUntangler_Clear(u, err));
    return wfUntangler_Finish(u, report, err);
}

bool wfUntangler_ListContours(wfUntangler* u, const wfVec3* x, wfArena* arena, wfContourInfo** out, int* count, wfError* err) {
    wfCrossings crossings;
    wfContours contours;
    WF_TRY(wfCrossingFinder_Find(&u->finder, x, arena, &crossings, err));
    WF_TRY(wfContours_Create(&contours, &u->topology, &crossings, arena, err));
    *out = wfArena_New(arena, wfContourInfo, contours.count, "contours", err);
    if (*out == NULL) return false;
    *count = contours.count;
    for (int i = 0; i < contours.count; ++i) {
        const wfContour* c = &contours.items[i];
        const wfCrossing* first = &crossings.items[contours.stops[c->firstStop].crossing];
        wfContourInfo* info = &(*out)[i];
        *info = (wfContourInfo){c->kind, {u->topology.edges[first->edge].triangle[0], first->face}, wfNarrow(first->point), 0.0};
        for (int k = 1; k < c->stopCount + c->closed; ++k) {
            const wfStop* stops = contours.stops + c->firstStop;
            wfVec3D a = crossings.items[stops[k - 1].crossing].point, b = crossings.items[stops[k % c->stopCount].crossing].point;
            info->length += wfLengthD(wfSubD(b, a));
        }
    }
    return true;
}
