// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/garment.h"

#include "base/assert.h"
#include "mesh/builder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

// ---- drawing ------------------------------------------------------------------------------------------------------------------

static void AddPoint(wfGarment* g, double x, double y) {
    if (g->failed) return;
    g->failed = !wfGrow(&g->points, &g->pointCapacity, (size_t)g->pointCount + 1, sizeof(wfVec2), "a garment", g->err);
    if (!g->failed) ((wfVec2*)g->points)[g->pointCount++] = (wfVec2){(float)x, (float)y};
}

static wfVec2 LastPoint(const wfGarment* g) { return g->failed ? (wfVec2){0, 0} : ((const wfVec2*)g->points)[g->pointCount - 1]; }

int wfGarment_Panel(wfGarment* g, wfGarmentPlace place, double x, double y) {
    WF_ASSERT(g->panelCount < wf_maxPanels);
    g->panels[g->panelCount].place = place;
    g->panels[g->panelCount].firstCurve = g->curveCount;
    AddPoint(g, x, y);
    return g->panelCount++;
}

static void AddCurve(wfGarment* g) {
    WF_ASSERT(g->panelCount > 0 && g->panels[g->panelCount - 1].curveCount < wf_maxPanelCurves);
    ++g->panels[g->panelCount - 1].curveCount;
    g->curves[g->curveCount++] = (wfGarmentCurve){.panel = g->panelCount - 1, .first = g->pointCount - 1, .count = 1};
}

void wfGarment_Line(wfGarment* g, double x, double y) {
    AddCurve(g);
    AddPoint(g, x, y);
    ++g->curves[g->curveCount - 1].count;
}

void wfGarment_More(wfGarment* g, double x1, double y1, double x2, double y2, double x, double y) {
    wfVec2 p = LastPoint(g);
    for (int k = 1; k <= wf_curveSteps; ++k) {
        double t = (double)k / wf_curveSteps, s = 1.0 - t, a = s * s * s, b = 3.0 * s * s * t, c = 3.0 * s * t * t, d = t * t * t;
        AddPoint(g, k == wf_curveSteps ? x : a * p.x + b * x1 + c * x2 + d * x, k == wf_curveSteps ? y : a * p.y + b * y1 + c * y2 + d * y);
        ++g->curves[g->curveCount - 1].count;
    }
}

void wfGarment_Curve(wfGarment* g, double x1, double y1, double x2, double y2, double x, double y) {
    AddCurve(g);
    wfGarment_More(g, x1, y1, x2, y2, x, y);
}

int wfGarment_Crease(wfGarment* g, double x, double y) {
    AddPoint(g, x, y);
    ++g->panels[g->panelCount - 1].creaseCount;
    return g->panels[g->panelCount - 1].curveCount;
}

void wfGarment_Sew(wfGarment* g, wfGarmentEdge a, wfGarmentEdge b, bool along) {
    WF_ASSERT(g->seamCount < wf_maxGarmentSeams && a.panel < g->panelCount && b.panel < g->panelCount);
    WF_ASSERT(a.curve < g->panels[a.panel].curveCount && b.curve < g->panels[b.panel].curveCount);
    g->seams[g->seamCount].a = a;
    g->seams[g->seamCount].b = b;
    g->seams[g->seamCount++].along = along;
}

// ---- dividing the curves ------------------------------------------------------------------------------------------------------

static wfPanelCurve CurveOf(const wfGarment* g, const wfGarmentCurve* c) {
    return (wfPanelCurve){(const wfVec2*)g->points + c->first, c->count, c->parts};
}

static wfGarmentCurve* Find(wfGarment* g, wfGarmentEdge e) { return &g->curves[g->panels[e.panel].firstCurve + e.curve]; }

// Curves that are sewn to each other get the same number of vertices, so they are divided together; gathers, where one is much longer, keep
// their own. `turned` tells which run against the curve that a group is named after.
typedef struct Groups {
    int of[wf_maxPanels * wf_maxPanelCurves];
    bool turned[wf_maxPanels * wf_maxPanelCurves];
} Groups;

static void JoinCurves(wfGarment* g, Groups* groups) {
    const double gathered = 1.3;
    for (int k = 0; k < g->curveCount; ++k) groups->of[k] = k, groups->turned[k] = false;
    for (int s = 0; s < g->seamCount; ++s) {
        const wfGarmentCurve *a = Find(g, g->seams[s].a), *b = Find(g, g->seams[s].b);
        wfPanelCurve curveA = CurveOf(g, a), curveB = CurveOf(g, b);
        double lengthA = wfCurveLength(&curveA), lengthB = wfCurveLength(&curveB);
        if (fmax(lengthA, lengthB) > gathered * fmin(lengthA, lengthB)) continue;
        int i = (int)(a - g->curves), j = (int)(b - g->curves), from = groups->of[i], to = groups->of[j];
        if (from == to) continue;
        bool turn = groups->turned[i] ^ groups->turned[j] ^ !g->seams[s].along;
        for (int k = 0; k < g->curveCount; ++k) {
            if (groups->of[k] != from) continue;
            groups->of[k] = to;
            groups->turned[k] ^= turn;
        }
    }
}

// By the middle of the shortest and the longest of a group. Returns the ratio of the shortest to the longest edge on the outlines, and of
// the edge that is asked for, which those inside get.
static double DivideCurves(wfGarment* g, const Groups* groups, double edge) {
    double shortest = edge, longest = edge;
    for (int k = 0; k < g->curveCount; ++k) {
        double lo = INFINITY, hi = 0.0;
        for (int i = 0; i < g->curveCount; ++i) {
            wfPanelCurve curve = CurveOf(g, &g->curves[i]);
            if (groups->of[i] != groups->of[k]) continue;
            lo = fmin(lo, wfCurveLength(&curve));
            hi = fmax(hi, wfCurveLength(&curve));
        }
        int parts = wfPartsOf(sqrt(lo * hi), edge);
        g->curves[k].parts = parts;
        shortest = fmin(shortest, lo / parts);
        longest = fmax(longest, hi / parts);
    }
    return shortest / longest;
}

// Short curves are divided evenly only by some edges: the best of those near to what is asked for.
static double ChooseEdge(wfGarment* g, const Groups* groups, double edge) {
    const double most = 0.05, worth = 1.0; // of the edge; what a change of it must gain in the ratio
    enum { Steps = 10 };
    double best = -INFINITY, chosen = edge;
    for (int k = -Steps; k <= Steps; ++k) {
        double change = most * k / Steps, gain = DivideCurves(g, groups, edge * (1.0 + change)) - worth * fabs(change);
        if (gain <= best) continue;
        best = gain;
        chosen = edge * (1.0 + change);
    }
    return chosen;
}

// ---- placing ------------------------------------------------------------------------------------------------------------------

static wfVec3 PlaceHanging(const wfGarmentPlace* place, double x, double y) {
    double side = place->depth < 0.0 ? -1.0 : 1.0, radius = fabs(place->depth), angle = fmax(y - place->bend, 0.0) / radius;
    double up = angle > 0.0 ? place->bend + radius * sin(angle) : y, roll = fmax(fabs(x) - place->flat, 0.0) / place->radius;
    double across = roll > 0.0 ? copysign(place->flat + place->radius * sin(roll), x) : x;
    double away = radius * cos(angle) - place->radius * (1.0 - cos(roll));
    return wfMake3((float)(side * across), (float)(up + place->lift), (float)(place->middle + side * away));
}

static wfVec3 PlaceRolled(const wfGarmentPlace* place, double x, double y) {
    const double *a = place->axis, *n = place->normal, *o = place->origin;
    double m[3] = {a[1] * n[2] - a[2] * n[1], a[2] * n[0] - a[0] * n[2], a[0] * n[1] - a[1] * n[0]}, p[3];
    double c = place->radius * cos(x / place->radius), s = place->radius * sin(x / place->radius);
    for (int k = 0; k < 3; ++k) p[k] = o[k] + y * a[k] + c * n[k] + s * m[k];
    return wfMake3((float)p[0], (float)p[1], (float)p[2]);
}

static wfVec3 PlaceOnCone(const wfGarmentPlace* place, double x, double y) {
    double side = place->depth < 0.0 ? -1.0 : 1.0, away = hypot(x, place->apex - y), angle = atan2(x, place->apex - y) / place->slope;
    double out = side * away * place->slope, down = away * sqrt(1.0 - place->slope * place->slope);
    return wfMake3((float)(out * sin(angle)), (float)(place->origin[1] - down), (float)(place->middle + place->depth + out * cos(angle)));
}

static wfVec3 PlaceAlong(const wfRibbonPath* path, double x, double y) {
    double step = fmin(fmax(y / path->length, 0.0), 1.0) * path->steps, p[3];
    int k = (int)fmin(step, path->steps - 1.0);
    const wfRibbonPlace *a = &path->places[k], *b = a + 1;
    for (int c = 0; c < 3; ++c) {
        p[c] = a->at[c] + x * a->across[c] + (step - k) * (b->at[c] - a->at[c] + x * (b->across[c] - a->across[c]));
    }
    return wfMake3((float)p[0], (float)p[1], (float)p[2]);
}

static wfVec3 Place(const wfGarmentPlace* place, double x, double y) {
    switch (place->lay) {
    case wf_layHang:
        return PlaceHanging(place, x, y);
    case wf_layRoll:
        return PlaceRolled(place, x, y);
    case wf_layCone:
        return PlaceOnCone(place, x, y);
    case wf_layRibbon:
        break;
    }
    return PlaceAlong(place->path, x, y);
}

// Appends the panel, which is in parts of the wearer's height. The warp runs along the flat y, as it does in clothes.
static bool AddPanel(wfMesh* mesh, const wfFilling* panel, const wfGarmentPlace* place, double height, wfError* err) {
    wfMesh add = {0};
    WF_TRY(wfMesh_Create(&add, panel->vertexCount, panel->triangleCount, true, err));
    for (int v = 0; v < panel->vertexCount; ++v) {
        double x = panel->positions[v].x, y = panel->positions[v].y;
        wfVec3 p = Place(place, x, y);
        add.positions[v] = wfScale(wfMake3(p.x, p.y - 0.5f, p.z), (float)height);
    }
    for (int t = 0; t < panel->triangleCount; ++t) {
        add.triangles[t] = panel->triangles[t];
        for (int k = 0; k < 3; ++k) {
            wfVec2 p = panel->positions[panel->triangles[t].v[k]];
            add.flat[t].corner[k] = (wfVec2){(float)(height * p.y), (float)(-height * p.x)};
        }
    }
    bool ok = wfMesh_Append(mesh, &add, err);
    wfMesh_Free(&add);
    return ok;
}

// ---- sewing -------------------------------------------------------------------------------------------------------------------

// The vertices of every curve, as they are numbered in the garment.
typedef struct Runs {
    wfArena arena;
    int* vertex[wf_maxPanels * wf_maxPanelCurves];
} Runs;

static bool KeepRuns(Runs* runs, const wfGarment* g, int p, const wfPanel* panel, int firstVertex, wfError* err) {
    for (int k = 0; k < g->panels[p].curveCount; ++k) {
        int curve = g->panels[p].firstCurve + k, parts = wfPanel_CurveParts(panel, k);
        int* vertex = runs->vertex[curve] = wfArena_New(&runs->arena, int, parts + 1, "a garment", err);
        if (vertex == NULL) return false;
        for (int i = 0; i <= parts; ++i) vertex[i] = firstVertex + wfPanel_CurveVertex(panel, k, i);
    }
    return true;
}

// Seams that go on from each other share a stitch.
static bool HasStitch(const wfMesh* mesh, int a, int b) {
    for (int s = 0; s < mesh->stitchCount; ++s) {
        if (mesh->stitches[s][0] == a && mesh->stitches[s][1] == b) return true;
    }
    return false;
}

// Every vertex of the side with fewer of them goes to the one of the other that is at the same share of the way. So no two of a panel are
// sewn to one: what a gather has more stays free between its stitches and puffs.
static bool AddStitches(wfMesh* mesh, wfGarment* g, const Runs* runs, wfError* err) {
    int count = 0;
    for (int s = 0; s < g->seamCount; ++s) {
        int a = Find(g, g->seams[s].a)->parts, b = Find(g, g->seams[s].b)->parts;
        count += 1 + (a < b ? a : b);
    }
    if (count == 0) return true;
    mesh->stitches = wfArena_Alloc(&mesh->arena, (size_t)count, sizeof *mesh->stitches, "stitches", err);
    if (mesh->stitches == NULL) return false;
    for (int s = 0; s < g->seamCount; ++s) {
        const wfGarmentCurve *a = Find(g, g->seams[s].a), *b = Find(g, g->seams[s].b);
        const int *va = runs->vertex[a - g->curves], *vb = runs->vertex[b - g->curves];
        int fewest = a->parts < b->parts ? a->parts : b->parts;
        for (int i = 0; i <= fewest; ++i) {
            int ia = (int)lround((double)i * a->parts / fewest), ib = (int)lround((double)i * b->parts / fewest);
            int v0 = va[ia], v1 = vb[g->seams[s].along ? ib : b->parts - ib];
            if ((i == 0 || i == fewest) && HasStitch(mesh, v0, v1)) continue;
            mesh->stitches[mesh->stitchCount][0] = v0;
            mesh->stitches[mesh->stitchCount++][1] = v1;
        }
    }
    return true;
}

// ---- all together -------------------------------------------------------------------------------------------------------------

// Front and back, left and right are often cut alike.
static int FindLike(const wfGarment* g, int p) {
    for (int q = 0; q < p; ++q) {
        bool like = g->panels[q].curveCount == g->panels[p].curveCount && g->panels[q].creaseCount == g->panels[p].creaseCount;
        for (int k = 0; like && k < g->panels[p].curveCount; ++k) {
            wfPanelCurve a = CurveOf(g, &g->curves[g->panels[q].firstCurve + k]), b = CurveOf(g, &g->curves[g->panels[p].firstCurve + k]);
            like = a.parts == b.parts && a.pointCount == b.pointCount;
            for (int i = 0; like && i < a.pointCount; ++i) like = a.points[i].x == b.points[i].x && a.points[i].y == b.points[i].y;
        }
        if (like) return q;
    }
    return p;
}

static bool FillPanel(const wfGarment* g, int p, wfPanel* panel, double edge, wfError* err) {
    wfPanelCurve curves[wf_maxPanelCurves];
    for (int k = 0; k < g->panels[p].curveCount; ++k) curves[k] = CurveOf(g, &g->curves[g->panels[p].firstCurve + k]);
    int outline = g->panels[p].curveCount - g->panels[p].creaseCount;
    wfPanelDef def = {.name = g->name,
                      .edge = (float)edge,
                      .curves = curves,
                      .curveCount = outline,
                      .creases = curves + outline,
                      .creaseCount = g->panels[p].creaseCount};
    return wfPanel_Create(panel, &def, err);
}

static bool FillPanels(const wfGarment* g, wfPanel* panels, double edge, wfError* err) {
    wfError errors[wf_maxPanels] = {0};
    int like[wf_maxPanels];
    for (int p = 0; p < g->panelCount; ++p) like[p] = FindLike(g, p);
#pragma omp parallel for schedule(dynamic)
    for (int p = 0; p < g->panelCount; ++p)
        if (like[p] == p) FillPanel(g, p, &panels[p], edge, &errors[p]);
    for (int p = 0; p < g->panelCount; ++p) {
        if (errors[p].code != wf_ok) {
            if (err != NULL) *err = errors[p];
            return false;
        }
        if (like[p] != p) WF_TRY(wfPanel_Copy(&panels[p], &panels[like[p]], err));
    }
    return true;
}

// Lets the vertices of all curves go along them, those of a seam together.
static bool EvenPanels(const wfGarment* g, const Groups* groups, wfPanel* panels, double edge, wfError* err) {
    wfArena arena = {0};
    wfFilling* pieces[wf_maxPanels];
    int firstKnot[wf_maxPanels * wf_maxPanelCurves], knots = 0, most = 0, count = 0;
    for (int p = 0; p < g->panelCount; ++p) pieces[p] = &panels[p].filling;
    for (int k = 0; k < g->curveCount; ++k) {
        most += g->curves[k].parts - 1;
        firstKnot[k] = knots;
        if (groups->of[k] == k) knots += g->curves[k].parts - 1;
    }
    wfRider* riders = wfArena_New(&arena, wfRider, most, "a garment", err);
    double* shares = wfArena_New(&arena, double, knots, "a garment", err);
    bool ok = riders != NULL && shares != NULL;
    for (int k = 0; ok && k < g->curveCount; ++k) {
        const wfGarmentCurve* c = &g->curves[k];
        wfPanelCurve curve = CurveOf(g, c);
        wfRail rail;
        ok = wfCurveRail(&curve, groups->turned[k], &rail, &arena, err);
        for (int i = 1; ok && i < c->parts; ++i) {
            int at = groups->turned[k] ? c->parts - i : i, knot = firstKnot[groups->of[k]] + i - 1;
            riders[count++] =
                (wfRider){c->panel, wfPanel_CurveVertex(&panels[c->panel], k - g->panels[c->panel].firstCurve, at), rail, knot};
            shares[knot] = (double)i / c->parts;
        }
    }
    ok = ok && wfEvenTogether(pieces, g->panelCount, riders, count, shares, knots, edge, g->name, err);
    wfArena_Free(&arena);
    return ok;
}

static bool AddPanels(wfMesh* mesh, Runs* runs, const wfGarment* g, const wfPanel* panels, double height, wfError* err) {
    for (int p = 0; p < g->panelCount; ++p) {
        WF_TRY(KeepRuns(runs, g, p, &panels[p], mesh->vertexCount, err));
        WF_TRY(AddPanel(mesh, &panels[p].filling, &g->panels[p].place, height, err));
    }
    return true;
}

// The panels, in parts of the height squared.
static double AreaOf(const wfGarment* g) {
    double twice = 0.0;
    for (int panel = 0; panel < g->panelCount; ++panel) {
        const wfGarmentCurve* curves = &g->curves[g->panels[panel].firstCurve];
        for (int k = 0; k < g->panels[panel].curveCount - g->panels[panel].creaseCount; ++k) {
            const wfVec2* p = (const wfVec2*)g->points + curves[k].first;
            for (int i = 0; i + 1 < curves[k].count; ++i) twice += (double)p[i].x * p[i + 1].y - (double)p[i + 1].x * p[i].y;
        }
    }
    return 0.5 * twice;
}

static void FreePanels(wfPanel* panels, int count) {
    for (int p = 0; p < count; ++p) wfPanel_Free(&panels[p]);
}

// The ratio of the shortest to the longest edge of all panels, and how many vertices they have.
static bool MeasurePanels(const wfGarment* g, const wfPanel* panels, double* ratio, double* vertices, wfError* err) {
    double shortest = INFINITY, longest = 0.0;
    *vertices = 0.0;
    for (int p = 0; p < g->panelCount; ++p) {
        const wfFilling* f = &panels[p].filling;
        wfEdgeLengths lengths;
        WF_TRY(wfMeasureFlat(f->positions, f->vertexCount, f->triangles, f->triangleCount, &lengths, err));
        shortest = fmin(shortest, lengths.shortest);
        longest = fmax(longest, lengths.longest);
        *vertices += f->vertexCount;
    }
    *ratio = shortest / longest;
    return true;
}

// By the edge that divides the curves best; where a small garment is poor then, by others near to what is asked for.
static bool MakePanels(wfGarment* g, wfPanel* panels, double edge, wfError* err) {
    Groups groups;
    JoinCurves(g, &groups);
    const double edges[] = {ChooseEdge(g, &groups, edge), 0.96 * edge, 1.04 * edge, edge};
    double best = 0.0, chosen = edges[0], vertices = 0.0;
    for (int k = 0; k < 4 && (k == 0 || (best < wf_askedRatio && vertices < wf_smallMesh)); ++k) {
        wfPanel tried[wf_maxPanels] = {0};
        double ratio = 0.0;
        DivideCurves(g, &groups, edges[k]);
        bool ok = FillPanels(g, tried, edges[k], err) && EvenPanels(g, &groups, tried, edges[k], err) &&
                  MeasurePanels(g, tried, &ratio, &vertices, err);
        if (!ok || ratio <= best) {
            FreePanels(tried, g->panelCount);
            WF_TRY(ok);
            continue;
        }
        FreePanels(panels, g->panelCount);
        memcpy(panels, tried, sizeof tried);
        best = ratio;
        chosen = edges[k];
    }
    DivideCurves(g, &groups, chosen); // the parts that those panels have
    return true;
}

bool wfGarment_Finish(wfGarment* g, wfMesh* out, double height, double edge, wfError* err) {
    const double triangleOfEdge = 0.433; // area of a triangle with sides of 1
    Runs runs = {0};
    wfPanel panels[wf_maxPanels] = {0};
    bool ok = !g->failed;
    edge = fmin(edge / height, wf_longestEdge);
    if (ok) {
        double triangles = AreaOf(g) / (triangleOfEdge * edge * edge);
        ok = wfCheckMeshSize(0.5 * triangles, triangles, err);
    }
    ok = ok && MakePanels(g, panels, edge, err) && AddPanels(out, &runs, g, panels, height, err) && AddStitches(out, g, &runs, err);
    FreePanels(panels, g->panelCount);
    wfArena_Free(&runs.arena);
    free(g->points);
    g->points = NULL;
    return ok;
}
