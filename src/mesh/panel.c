// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/panel.h"

#include "mesh/builder.h"

#include <string.h>

// ---- curves -------------------------------------------------------------------------------------------------------------------

static double Distance(wfVec2 a, wfVec2 b) { return hypot((double)b.x - a.x, (double)b.y - a.y); }

double wfCurveLength(const wfPanelCurve* curve) {
    double length = 0.0;
    for (int i = 1; i < curve->pointCount; ++i) length += Distance(curve->points[i - 1], curve->points[i]);
    return length;
}

int wfCurveParts(const wfPanelCurve* curve, float edge) { return wfPartsOf(wfCurveLength(curve), edge); }

bool wfCurveRail(const wfPanelCurve* curve, bool backwards, wfRail* out, wfArena* arena, wfError* err) {
    int n = curve->pointCount;
    wfVec2* points = wfArena_New(arena, wfVec2, n, "curves of a panel", err);
    double *shares = wfArena_New(arena, double, n, "curves of a panel", err), length = wfCurveLength(curve), at = 0.0;
    if (points == NULL || shares == NULL) return false;
    for (int i = 0; i < n; ++i) {
        points[i] = curve->points[backwards ? n - 1 - i : i];
        if (i > 0) at += Distance(points[i - 1], points[i]);
        shares[i] = i == n - 1 ? 1.0 : at / length;
    }
    *out = (wfRail){points, shares, n};
    return true;
}

/// The points that divide a curve into parts, both ends included and exact. out holds parts + 1.
static void DivideCurve(const wfPanelCurve* curve, int parts, wfVec2* out) {
    double length = wfCurveLength(curve), before = 0.0;
    int piece = 1;
    double size = Distance(curve->points[0], curve->points[1]);
    out[0] = curve->points[0];
    for (int i = 1; i < parts; ++i) {
        double at = length * i / parts;
        while (piece < curve->pointCount - 1 && before + size < at) {
            before += size;
            ++piece;
            size = Distance(curve->points[piece - 1], curve->points[piece]);
        }
        wfVec2 a = curve->points[piece - 1], b = curve->points[piece];
        double t = size > 0.0 ? fmin((at - before) / size, 1.0) : 0.0;
        out[i] = (wfVec2){(float)(a.x + t * ((double)b.x - a.x)), (float)(a.y + t * ((double)b.y - a.y))};
    }
    out[parts] = curve->points[curve->pointCount - 1];
}

// ---- outline ------------------------------------------------------------------------------------------------------------------

// A curve's samples become points in the order of the curves; where it ends, the point of the next one is taken. `corner` finds the points
// that are ends of curves by their place.
typedef struct Cutter {
    const wfPanelDef* def;
    wfPanel* panel;
    wfArena arena;
    wfVec2* points;
    int pointCount;
    int (*edges)[2];
    int edgeCount;
    wfVec2* samples; // of one curve
    wfError* err;
} Cutter;

static bool IsSame(wfVec2 a, wfVec2 b) { return a.x == b.x && a.y == b.y; }

static int CountParts(const wfPanelDef* def, const wfPanelCurve* curve) {
    return curve->parts > 0 ? curve->parts : wfCurveParts(curve, def->edge);
}

static bool CheckCurve(const Cutter* c, const wfPanelCurve* curve, const char* kind, int index) {
    const char* name = c->def->name;
    if (curve->pointCount < 2)
        return wfFail(c->err, wf_badInput, "%s: %s %d: expected at least 2 points, got %d", name, kind, index, curve->pointCount);
    if (curve->parts < 0)
        return wfFail(c->err, wf_badInput, "%s: %s %d: expected 0 or more parts, got %d", name, kind, index, curve->parts);
    double length = wfCurveLength(curve);
    if (!isfinite(length) || !(length > 0.0))
        return wfFail(c->err, wf_badInput, "%s: %s %d: expected a finite length above 0, got %g", name, kind, index, length);
    return true;
}

/// Adds the points of a curve between its ends; first and last are the points at its ends.
static void AddCurve(Cutter* c, const wfPanelCurve* curve, int row, int first, int last) {
    int parts = CountParts(c->def, curve), *vertex = c->panel->vertex + c->panel->start[row];
    DivideCurve(curve, parts, c->samples);
    vertex[0] = first;
    vertex[parts] = last;
    for (int i = 1; i < parts; ++i) {
        vertex[i] = c->pointCount;
        c->points[c->pointCount++] = c->samples[i];
    }
    for (int i = 0; i < parts; ++i, ++c->edgeCount) {
        c->edges[c->edgeCount][0] = vertex[i];
        c->edges[c->edgeCount][1] = vertex[i + 1];
    }
}

static int AddPoint(Cutter* c, wfVec2 p) {
    c->points[c->pointCount] = p;
    return c->pointCount++;
}

static bool CutOutline(Cutter* c) {
    const wfPanelDef* def = c->def;
    int loopStart = -1, at = -1; // points
    for (int k = 0; k < def->curveCount; ++k) {
        const wfPanelCurve* curve = &def->curves[k];
        wfVec2 begin = curve->points[0], end = curve->points[curve->pointCount - 1];
        if (loopStart < 0) loopStart = at = AddPoint(c, begin);
        if (!IsSame(c->points[at], begin))
            return wfFail(c->err, wf_badInput, "%s: curve %d starts at (%.9g, %.9g), expected (%.9g, %.9g), where the one before ends",
                          def->name, k, (double)begin.x, (double)begin.y, (double)c->points[at].x, (double)c->points[at].y);
        bool closes = IsSame(c->points[loopStart], end);
        // The end of a curve is numbered behind its inner points, so that the points of a loop lie in its order.
        int parts = CountParts(def, curve), last = closes ? loopStart : c->pointCount + parts - 1;
        AddCurve(c, curve, k, at, last);
        if (!closes) AddPoint(c, end);
        at = last;
        if (closes) loopStart = -1;
    }
    if (loopStart >= 0) return wfFail(c->err, wf_badInput, "%s: the last loop of curves is not closed", def->name);
    return true;
}

/// A point at the end of some curve, by its place; added where there is none.
static int FindEnd(Cutter* c, int rowCount, wfVec2 p) {
    for (int k = 0; k < rowCount; ++k)
        for (int side = 0; side < 2; ++side) {
            int v = c->panel->vertex[side == 0 ? c->panel->start[k] : c->panel->start[k + 1] - 1];
            if (IsSame(c->points[v], p)) return v;
        }
    return AddPoint(c, p);
}

static void CutCreases(Cutter* c) {
    for (int k = 0; k < c->def->creaseCount; ++k) {
        const wfPanelCurve* curve = &c->def->creases[k];
        int row = c->def->curveCount + k;
        wfVec2 begin = curve->points[0], end = curve->points[curve->pointCount - 1];
        int first = FindEnd(c, row, begin), last = IsSame(begin, end) ? first : FindEnd(c, row, end);
        AddCurve(c, curve, row, first, last);
    }
}

static const wfPanelCurve* GetCurve(const wfPanelDef* def, int k) {
    return k < def->curveCount ? &def->curves[k] : &def->creases[k - def->curveCount];
}

static bool MakeRoom(Cutter* c) {
    const wfPanelDef* def = c->def;
    wfPanel* panel = c->panel;
    double total = 0.0;
    int most = 0;
    panel->curveCount = def->curveCount + def->creaseCount;
    panel->start = wfArena_New(&panel->arena, int, (size_t)panel->curveCount + 1, "curves of a panel", c->err);
    if (panel->start == NULL) return false;
    for (int k = 0; k < panel->curveCount; ++k) {
        const wfPanelCurve* curve = GetCurve(def, k);
        bool crease = k >= def->curveCount;
        WF_TRY(CheckCurve(c, curve, crease ? "crease" : "curve", crease ? k - def->curveCount : k));
        int parts = CountParts(def, curve);
        total += parts + 2.0;
        if (total > wf_maxMeshElements / 4)
            return wfFail(c->err, wf_badInput, "%s: more than %d points", def->name, wf_maxMeshElements / 4);
        panel->start[k + 1] = panel->start[k] + parts + 1;
        most = parts > most ? parts : most;
    }
    panel->vertex = wfArena_New(&panel->arena, int, panel->start[panel->curveCount], "vertices of curves", c->err);
    panel->pointCount = def->pointCount;
    panel->pointVertex = wfArena_New(&panel->arena, int, def->pointCount, "points of a panel", c->err);
    c->points = wfArena_New(&c->arena, wfVec2, total + def->pointCount, "points of a panel", c->err);
    c->edges = wfArena_Alloc(&c->arena, (size_t)total, sizeof *c->edges, "edges of an outline", c->err);
    c->samples = wfArena_New(&c->arena, wfVec2, most + 1, "points of a curve", c->err);
    return panel->vertex != NULL && panel->pointVertex != NULL && c->points != NULL && c->edges != NULL && c->samples != NULL;
}

static bool Cut(Cutter* c, wfOutline* outline) {
    const wfPanelDef* def = c->def;
    if (!(def->edge > 0.0f) || !isfinite(def->edge))
        return wfFail(c->err, wf_badInput, "%s: edge: expected a length above 0, got %g", def->name, (double)def->edge);
    WF_TRY(MakeRoom(c) && CutOutline(c));
    int outlineCount = c->edgeCount;
    CutCreases(c);
    for (int i = 0; i < def->pointCount; ++i) c->panel->pointVertex[i] = AddPoint(c, def->points[i]);
    *outline = (wfOutline){c->points, c->pointCount, (const int(*)[2])c->edges, c->edgeCount, outlineCount};
    return true;
}

// -------------------------------------------------------------------------------------------------------------------------------

/// Curves whose parts nobody has counted are nobody's to rely on: their points may go along them.
static bool LoosenCurves(Cutter* c) {
    const wfPanelDef* def = c->def;
    const wfPanel* panel = c->panel;
    wfFilling* piece = &c->panel->filling;
    wfRider* riders = wfArena_New(&c->arena, wfRider, panel->start[panel->curveCount], "vertices of curves", c->err);
    double* shares = wfArena_New(&c->arena, double, panel->start[panel->curveCount], "vertices of curves", c->err);
    int count = 0;
    if (riders == NULL || shares == NULL) return false;
    for (int k = 0; k < panel->curveCount; ++k) {
        const wfPanelCurve* curve = GetCurve(def, k);
        wfRail rail;
        if (curve->parts > 0) continue;
        WF_TRY(wfCurveRail(curve, false, &rail, &c->arena, c->err));
        for (int i = 1, parts = wfPanel_CurveParts(panel, k); i < parts; ++i, ++count) {
            riders[count] = (wfRider){0, wfPanel_CurveVertex(panel, k, i), rail, count};
            shares[count] = (double)i / parts;
        }
    }
    return wfEvenTogether(&piece, 1, riders, count, shares, count, def->edge, def->name, c->err);
}

bool wfPanel_Create(wfPanel* out, const wfPanelDef* def, wfError* err) {
    Cutter cutter = {.def = def, .panel = out, .err = err};
    wfOutline outline;
    bool ok = Cut(&cutter, &outline) && wfFill(&out->filling, &outline, def->edge, def->name, err) && LoosenCurves(&cutter);
    wfArena_Free(&cutter.arena);
    if (!ok) wfPanel_Free(out);
    return ok;
}

static void* Copy(wfArena* arena, const void* from, size_t count, size_t size, wfError* err) {
    void* to = wfArena_Alloc(arena, count, size, "a panel", err);
    if (to != NULL && count > 0) memcpy(to, from, count * size);
    return to;
}

bool wfPanel_Copy(wfPanel* out, const wfPanel* in, wfError* err) {
    const wfFilling* f = &in->filling;
    wfFilling* to = &out->filling;
    size_t vertices = (size_t)f->vertexCount, triangles = (size_t)f->triangleCount, curves = (size_t)in->curveCount;
    to->vertexCount = f->vertexCount;
    to->triangleCount = f->triangleCount;
    to->fixedCount = f->fixedCount;
    to->positions = Copy(&to->arena, f->positions, vertices, sizeof *f->positions, err);
    to->triangles = Copy(&to->arena, f->triangles, triangles, sizeof *f->triangles, err);
    to->twin = Copy(&to->arena, f->twin, 3 * triangles, sizeof *f->twin, err);
    to->kept = Copy(&to->arena, f->kept, 3 * triangles, sizeof *f->kept, err);
    out->curveCount = in->curveCount;
    out->pointCount = in->pointCount;
    out->start = Copy(&out->arena, in->start, curves + 1, sizeof *in->start, err);
    out->vertex = Copy(&out->arena, in->vertex, (size_t)in->start[curves], sizeof *in->vertex, err);
    out->pointVertex = Copy(&out->arena, in->pointVertex, (size_t)in->pointCount, sizeof *in->pointVertex, err);
    bool ok = to->positions != NULL && to->triangles != NULL && to->twin != NULL && to->kept != NULL && out->start != NULL &&
              out->vertex != NULL && out->pointVertex != NULL;
    if (!ok) wfPanel_Free(out);
    return ok;
}

void wfPanel_Free(wfPanel* panel) {
    wfFilling_Free(&panel->filling);
    wfArena_Free(&panel->arena);
    *panel = (wfPanel){0};
}
