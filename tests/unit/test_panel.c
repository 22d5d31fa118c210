// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include "math/predicates.h"
#include "mesh/fill.h"
#include "mesh/panel.h"
#include "mesh/topology.h"

#include <omp.h>
#include <string.h>

#define PI 3.14159265358979323846

// ---- panels -------------------------------------------------------------------------------------------------------------------

enum { curvePoints = 65 };

typedef struct Pattern {
    wfVec2 points[12][curvePoints];
    wfPanelCurve curves[12];
    int count;
} Pattern;

static wfVec2 At(double x, double y) { return (wfVec2){(float)x, (float)y}; }

static void Line(Pattern* p, wfVec2 a, wfVec2 b) {
    wfVec2* q = p->points[p->count];
    q[0] = a;
    q[1] = b;
    p->curves[p->count++] = (wfPanelCurve){q, 2, 0};
}

static void Arc(Pattern* p, double x, double y, double radius, double from, double to) {
    wfVec2* q = p->points[p->count];
    for (int i = 0; i < curvePoints; ++i) {
        double a = from + (to - from) * i / (curvePoints - 1);
        q[i] = At(x + radius * cos(a), y + radius * sin(a));
    }
    if (fabs(to - from) > 2.0 * PI - 1e-9) q[curvePoints - 1] = q[0];
    p->curves[p->count++] = (wfPanelCurve){q, curvePoints, 0};
}

static void Bow(Pattern* p, wfVec2 a, wfVec2 b, wfVec2 c, wfVec2 d) {
    wfVec2* q = p->points[p->count];
    for (int i = 0; i < curvePoints; ++i) {
        double t = (double)i / (curvePoints - 1), s = 1.0 - t, w[4] = {s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t};
        q[i] = At(w[0] * a.x + w[1] * b.x + w[2] * c.x + w[3] * d.x, w[0] * a.y + w[1] * b.y + w[2] * c.y + w[3] * d.y);
    }
    q[0] = a;
    q[curvePoints - 1] = d;
    p->curves[p->count++] = (wfPanelCurve){q, curvePoints, 0};
}

static void Disc(Pattern* p) { Arc(p, 0.0, 0.0, 0.5, 0.0, 2.0 * PI); }

static void Ring(Pattern* p) {
    Arc(p, 0.0, 0.0, 0.5, 0.0, 2.0 * PI);
    Arc(p, 0.1, 0.0, 0.15, 0.0, 2.0 * PI);
}

static void Rectangle(Pattern* p, double width, double height) {
    wfVec2 a = At(0, 0), b = At(width, 0), c = At(width, height), d = At(0, height);
    Line(p, a, b);
    Line(p, b, c);
    Line(p, c, d);
    Line(p, d, a);
}

static void Sheet(Pattern* p) { Rectangle(p, 1.0, 0.7); }

static void Sleeve(Pattern* p) {
    wfVec2 a = At(0.0, 0.4), b = At(0.5, 0.4), top = At(0.25, 0.55), left = At(0.06, 0.0), right = At(0.44, 0.0);
    Line(p, left, right);
    Line(p, right, b);
    Bow(p, b, At(0.42, 0.4), At(0.38, 0.55), top);
    Bow(p, top, At(0.12, 0.55), At(0.08, 0.4), a);
    Line(p, a, left);
}

static void Bodice(Pattern* p) { // with armhole and neckline
    wfVec2 a = At(0.0, 0.0), b = At(0.25, 0.0), under = At(0.27, 0.25), shoulder = At(0.22, 0.48), neck = At(0.08, 0.52),
           front = At(0.0, 0.42);
    Line(p, a, b);
    Line(p, b, under);
    Bow(p, under, At(0.18, 0.25), At(0.2, 0.4), shoulder);
    Line(p, shoulder, neck);
    Bow(p, neck, At(0.08, 0.45), At(0.05, 0.42), front);
    Line(p, front, a);
}

static wfPanelDef DefOf(const Pattern* p, double edge) {
    return (wfPanelDef){.name = "panel", .edge = (float)edge, .curves = p->curves, .curveCount = p->count};
}

// ---- what must hold -----------------------------------------------------------------------------------------------------------

/// The area within the divided outline, by the shoelace formula; holes count against it whatever their direction.
static double OutlineArea(const wfPanel* panel, const Pattern* p) {
    double total = 0.0, loop = 0.0;
    int first = 0;
    for (int k = 0; k < p->count; ++k) {
        for (int i = 0; i < wfPanel_CurveParts(panel, k); ++i) {
            wfVec2 a = panel->positions[wfPanel_CurveVertex(panel, k, i)], b = panel->positions[wfPanel_CurveVertex(panel, k, i + 1)];
            loop += 0.5 * ((double)a.x * b.y - (double)a.y * b.x);
        }
        if (wfPanel_CurveVertex(panel, k, wfPanel_CurveParts(panel, k)) != wfPanel_CurveVertex(panel, first, 0)) continue;
        total += first == 0 ? fabs(loop) : -fabs(loop);
        loop = 0.0;
        first = k + 1;
    }
    return total;
}

/// Every triangle counter-clockwise (exactly), areas that add up to the outline's, a boundary that is the outline's edges and no others:
/// then nothing overlaps and nothing is missing.
static void CheckValid(const wfPanel* panel, const Pattern* p) {
    wfError err = {0};
    wfTopology topology;
    CHECK_OK(wfTopology_Create(&topology, panel->triangles, panel->triangleCount, panel->vertexCount, &err), err);
    CHECK_OK(wfTopology_RequireManifold(&topology, "panel", &err), err);
    double area = 0.0;
    for (int t = 0; t < panel->triangleCount; ++t) {
        const int* v = panel->triangles[t].v;
        wfVec2 a = panel->positions[v[0]], b = panel->positions[v[1]], c = panel->positions[v[2]];
        assert_int_equal(wfOrient2(a, b, c), 1);
        area += 0.5 * (((double)b.x - a.x) * ((double)c.y - a.y) - ((double)b.y - a.y) * ((double)c.x - a.x));
    }
    double outline = OutlineArea(panel, p);
    CHECK_NEAR(area, outline, 1e-9 * outline);
    int edges = 0;
    for (int k = 0; k < p->count; ++k)
        for (int i = 0; i < wfPanel_CurveParts(panel, k); ++i, ++edges) {
            int a = wfPanel_CurveVertex(panel, k, i), b = wfPanel_CurveVertex(panel, k, i + 1), found = 0;
            for (int row = topology.vertexEdges.start[a]; row < topology.vertexEdges.start[a + 1]; ++row) {
                const wfEdge* edge = &topology.edges[topology.vertexEdges.item[row]];
                found += edge->v[0] + edge->v[1] - a == b && edge->triangle[1] < 0;
            }
            assert_int_equal(found, 1);
        }
    assert_int_equal(topology.boundaryEdgeCount, edges);
    for (int i = 0; i < panel->vertexCount; ++i)
        assert_true(topology.vertexTriangles.start[i + 1] > topology.vertexTriangles.start[i]); // every vertex is in use
    wfTopology_Free(&topology);
}

static double Ratio(const wfPanel* panel) {
    wfError err = {0};
    wfEdgeLengths lengths;
    CHECK_OK(wfMeasureFlat(panel->positions, panel->vertexCount, panel->triangles, panel->triangleCount, &lengths, &err), err);
    return lengths.shortest / lengths.longest;
}

static void CheckPanel(void (*make)(Pattern*), double edge, double least) {
    static Pattern p;
    p.count = 0;
    make(&p);
    wfPanelDef def = DefOf(&p, edge);
    wfPanel panel = {0};
    wfError err = {0};
    CHECK_OK(wfPanel_Create(&panel, &def, &err), err);
    CheckValid(&panel, &p);
    double ratio = Ratio(&panel);
    if (!(ratio >= least)) fail_msg("ratio %.3f with edges of %g m, expected %.3f", ratio, edge, least);
    wfPanel_Free(&panel);
}

static void TestEven(void** state) {
    (void)state;
    CheckPanel(Disc, 0.02, 0.65);
    CheckPanel(Ring, 0.025, 0.65);
    CheckPanel(Sheet, 0.025, 0.65);
    CheckPanel(Sleeve, 0.02, 0.65);
    CheckPanel(Bodice, 0.02, 0.65);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestEven),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
