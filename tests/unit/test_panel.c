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
            wfVec2 a = panel->filling.positions[wfPanel_CurveVertex(panel, k, i)],
                   b = panel->filling.positions[wfPanel_CurveVertex(panel, k, i + 1)];
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
    CHECK_OK(wfTopology_Create(&topology, panel->filling.triangles, panel->filling.triangleCount, panel->filling.vertexCount, &err), err);
    CHECK_OK(wfTopology_RequireManifold(&topology, "panel", &err), err);
    double area = 0.0;
    for (int t = 0; t < panel->filling.triangleCount; ++t) {
        const int* v = panel->filling.triangles[t].v;
        wfVec2 a = panel->filling.positions[v[0]], b = panel->filling.positions[v[1]], c = panel->filling.positions[v[2]];
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
    for (int i = 0; i < panel->filling.vertexCount; ++i)
        assert_true(topology.vertexTriangles.start[i + 1] > topology.vertexTriangles.start[i]); // every vertex is in use
    wfTopology_Free(&topology);
}

static double Ratio(const wfPanel* panel) {
    wfError err = {0};
    wfEdgeLengths lengths;
    CHECK_OK(wfMeasureFlat(panel->filling.positions, panel->filling.vertexCount, panel->filling.triangles, panel->filling.triangleCount,
                           &lengths, &err),
             err);
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
    CheckPanel(Ring, 0.06, 0.65);
    if (WF_SLOW_BUILD) return;
    CheckPanel(Disc, 0.06, 0.70);
    CheckPanel(Sheet, 0.06, 0.65);
    CheckPanel(Sleeve, 0.03, 0.65);
    CheckPanel(Bodice, 0.03, 0.65);
}

static void Strip(Pattern* p) { Rectangle(p, 0.5, 0.06); }
static void Ribbon(Pattern* p) { Rectangle(p, 0.5, 0.015); } // narrower than an edge is long: no vertex inside

static void TestThin(void** state) {
    (void)state;
    CheckPanel(Strip, 0.015, 0.65);
    CheckPanel(Ribbon, 0.02, 0.50);
}

// ---- seams, creases, kept points ------------------------------------------------------------------------------------------------

static void TestSeam(void** state) {
    (void)state;
    static Pattern sleeve, bodice;
    wfPanel a = {0}, b = {0};
    wfError err = {0};
    sleeve.count = bodice.count = 0;
    Sleeve(&sleeve);
    Bodice(&bodice);
    int parts = wfCurveParts(&bodice.curves[2], 0.03f); // the armhole, sewn to half of the sleeve's cap, which is longer
    sleeve.curves[2].parts = bodice.curves[2].parts = parts;
    wfPanelDef defA = DefOf(&sleeve, 0.03), defB = DefOf(&bodice, 0.03);
    CHECK_OK(wfPanel_Create(&a, &defA, &err), err);
    CHECK_OK(wfPanel_Create(&b, &defB, &err), err);
    CheckValid(&a, &sleeve);
    CheckValid(&b, &bodice);
    assert_int_equal(wfPanel_CurveParts(&a, 2), parts);
    assert_int_equal(wfPanel_CurveParts(&b, 2), parts);
    const wfPanel* panels[2] = {&a, &b};
    const Pattern* patterns[2] = {&sleeve, &bodice};
    for (int side = 0; side < 2; ++side) {
        const wfPanelCurve* curve = &patterns[side]->curves[2];
        wfVec2 first = panels[side]->filling.positions[wfPanel_CurveVertex(panels[side], 2, 0)];
        wfVec2 last = panels[side]->filling.positions[wfPanel_CurveVertex(panels[side], 2, parts)];
        assert_memory_equal(&first, &curve->points[0], sizeof first); // corners exactly
        assert_memory_equal(&last, &curve->points[curve->pointCount - 1], sizeof last);
        assert_int_equal(wfPanel_CurveVertex(panels[side], 2, parts), wfPanel_CurveVertex(panels[side], 3, 0));
        double part = wfCurveLength(curve) / parts;
        for (int i = 0; i < parts; ++i) { // chords of equal arcs: not longer, and on these curves hardly shorter
            wfVec2 p = panels[side]->filling.positions[wfPanel_CurveVertex(panels[side], 2, i)];
            wfVec2 q = panels[side]->filling.positions[wfPanel_CurveVertex(panels[side], 2, i + 1)];
            double chord = hypot((double)q.x - p.x, (double)q.y - p.y);
            assert_true(chord <= part * (1.0 + 1e-5) && chord >= 0.95 * part);
        }
    }
    wfPanel_Free(&a);
    wfPanel_Free(&b);
}

static bool HasEdge(const wfPanel* panel, int a, int b) {
    for (int t = 0; t < panel->filling.triangleCount; ++t)
        for (int k = 0; k < 3; ++k)
            if (panel->filling.triangles[t].v[k] == a && panel->filling.triangles[t].v[(k + 1) % 3] == b) return true;
    return false;
}

static void TestCrease(void** state) {
    (void)state;
    static Pattern p;
    p.count = 0;
    Rectangle(&p, 0.4, 0.3);
    const wfVec2 fold[3] = {At(0, 0), At(0.2, 0.1), At(0.25, 0.2)}, button = At(0.3, 0.07); // from a corner inwards
    const wfPanelCurve crease = {fold, 3, 0};
    wfPanelDef def = DefOf(&p, 0.03);
    def.creases = &crease;
    def.creaseCount = 1;
    def.points = &button;
    def.pointCount = 1;
    wfPanel panel = {0};
    wfError err = {0};
    CHECK_OK(wfPanel_Create(&panel, &def, &err), err);
    CheckValid(&panel, &p);
    assert_int_equal(panel.curveCount, 5);
    assert_int_equal(wfPanel_CurveVertex(&panel, 4, 0), wfPanel_CurveVertex(&panel, 0, 0)); // the corner is one vertex
    for (int i = 0; i < wfPanel_CurveParts(&panel, 4); ++i) {
        int a = wfPanel_CurveVertex(&panel, 4, i), b = wfPanel_CurveVertex(&panel, 4, i + 1);
        assert_true(HasEdge(&panel, a, b) && HasEdge(&panel, b, a));
    }
    assert_memory_equal(&panel.filling.positions[panel.pointVertex[0]], &button, sizeof button);
    wfPanel_Free(&panel);
}

// ---- the same bits --------------------------------------------------------------------------------------------------------------

static void TestThreads(void** state) {
    (void)state;
    static Pattern p;
    p.count = 0;
    Sleeve(&p);
    wfPanelDef def = DefOf(&p, 0.04);
    wfPanel one = {0}, many = {0};
    wfError err = {0};
    int before = omp_get_max_threads();
    omp_set_num_threads(1);
    CHECK_OK(wfPanel_Create(&one, &def, &err), err);
    omp_set_num_threads(5);
    CHECK_OK(wfPanel_Create(&many, &def, &err), err);
    omp_set_num_threads(before);
    assert_int_equal(one.filling.vertexCount, many.filling.vertexCount);
    assert_int_equal(one.filling.triangleCount, many.filling.triangleCount);
    assert_memory_equal(one.filling.positions, many.filling.positions, (size_t)one.filling.vertexCount * sizeof(wfVec2));
    assert_memory_equal(one.filling.triangles, many.filling.triangles, (size_t)one.filling.triangleCount * sizeof(wfTriangle));
    wfPanel_Free(&one);
    wfPanel_Free(&many);
}

// ---- bad input ------------------------------------------------------------------------------------------------------------------

static void TestBadPanels(void** state) {
    (void)state;
    static Pattern p;
    wfPanel panel = {0};
    wfError err = {0};
    p.count = 0;
    Rectangle(&p, 1.0, 0.5);
    wfPanelDef def = DefOf(&p, 0.1);
    def.curveCount = 3;
    CHECK_FAILS(wfPanel_Create(&panel, &def, &err), err, "panel: the last loop of curves is not closed");
    def = DefOf(&p, 0.0);
    CHECK_FAILS(wfPanel_Create(&panel, &def, &err), err, "panel: edge: expected a length above 0, got 0");
    def = DefOf(&p, NAN);
    CHECK_FAILS(wfPanel_Create(&panel, &def, &err), err, "panel: edge: expected a length above 0, got nan");
    def = DefOf(&p, 1e-9);
    CHECK_FAILS(wfPanel_Create(&panel, &def, &err), err, "panel: more than 134217727 points");
    def = DefOf(&p, 0.1);
    p.points[2][0].x = 0.9f;
    CHECK_FAILS(wfPanel_Create(&panel, &def, &err), err,
                "panel: curve 2 starts at (0.899999976, 0.5), expected (1, 0.5), where the one before ends");
    p.points[2][0].x = 1.0f;
    p.points[1][0].x = NAN;
    CHECK_FAILS(wfPanel_Create(&panel, &def, &err), err, "panel: curve 1: expected a finite length above 0, got nan");
    // A bow tie.
    p.count = 0;
    Line(&p, At(0, 0), At(1, 1));
    Line(&p, At(1, 1), At(1, 0));
    Line(&p, At(1, 0), At(0, 1));
    Line(&p, At(0, 1), At(0, 0));
    for (int k = 0; k < 4; ++k) p.curves[k].parts = 1;
    CHECK_FAILS(wfPanel_Create(&panel, &def, &err), err, "panel: the edge from (1, 0) to (0, 1) crosses that from (1, 1) to (0, 0)");
    // A point on the outline, and one outside.
    p.count = 0;
    Rectangle(&p, 1.0, 0.5);
    wfVec2 point = At(0.25, 0.0);
    for (int k = 0; k < 4; ++k) p.curves[k].parts = 2;
    def.points = &point;
    def.pointCount = 1;
    CHECK_FAILS(wfPanel_Create(&panel, &def, &err), err, "panel: the edge from (0, 0) to (0.5, 0) runs through the point (0.25, 0)");
    point = At(2.0, 0.0);
    CHECK_FAILS(wfPanel_Create(&panel, &def, &err), err, "panel: the point (2, 0) lies outside of the outline");
    point = At(0.5, 0.0);
    CHECK_FAILS(wfPanel_Create(&panel, &def, &err), err, "panel: points 1 and 8 are both at (0.5, 0)");
    assert_null(panel.filling.positions);
}

// ---- triangulation --------------------------------------------------------------------------------------------------------------

static double Random(uint32_t* seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 16777216.0;
}

static double InCircle(wfVec2 a, wfVec2 b, wfVec2 c, wfVec2 d) {
    double ax = (double)a.x - d.x, ay = (double)a.y - d.y, bx = (double)b.x - d.x, by = (double)b.y - d.y;
    double cx = (double)c.x - d.x, cy = (double)c.y - d.y;
    return (ax * ax + ay * ay) * (bx * cy - cx * by) + (bx * bx + by * by) * (cx * ay - ax * cy) +
           (cx * cx + cy * cy) * (ax * by - bx * ay);
}

/// Brute force: no point in any circle. Half of the points lie on a lattice, so that many are on one line or one circle.
static void TestDelaunay(void** state) {
    (void)state;
    enum { count = 164 };
    wfVec2 points[count] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const int square[4][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
    uint32_t seed = 7;
    for (int i = 4; i < count; ++i) points[i] = At(0.05 + 0.9 * Random(&seed), 0.05 + 0.9 * Random(&seed));
    for (int i = 0; i < 81; ++i) points[4 + i] = At((1.0 + i % 9) / 10.0, (1.0 + i / 9) / 10.0);
    wfOutline outline = {points, count, square, 4, 4};
    wfTriangulation t = {0};
    wfError err = {0};
    CHECK_OK(wfTriangulate(&t, &outline, "points", &err), err);
    assert_int_equal(t.triangleCount, 2 * count - 2 - 4); // Euler, with a hull of four
    double area = 0.0;
    for (int k = 0; k < t.triangleCount; ++k) {
        wfVec2 a = points[t.corner[3 * k]], b = points[t.corner[3 * k + 1]], c = points[t.corner[3 * k + 2]];
        assert_int_equal(wfOrient2(a, b, c), 1);
        area += 0.5 * (((double)b.x - a.x) * ((double)c.y - a.y) - ((double)b.y - a.y) * ((double)c.x - a.x));
        for (int i = 0; i < count; ++i) assert_true(InCircle(a, b, c, points[i]) <= 1e-14);
    }
    CHECK_NEAR(area, 1.0, 1e-12);
    wfTriangulation_Free(&t);
}

/// Random edges that do not cross, taken one by one, must all be there; the inside of a comb has its area.
static void TestForcedEdges(void** state) {
    (void)state;
    enum { count = 120, most = 60 };
    wfVec2 points[count] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    int edges[most][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}}, edgeCount = 4;
    uint32_t seed = 11;
    for (int i = 4; i < count; ++i) points[i] = At(0.01 + 0.98 * Random(&seed), 0.01 + 0.98 * Random(&seed));
    while (edgeCount < most) {
        int a = (int)(Random(&seed) * count), b = (int)(Random(&seed) * count);
        bool free = a != b;
        for (int e = 0; free && e < edgeCount; ++e) {
            int c = edges[e][0], d = edges[e][1];
            if (a == c || a == d || b == c || b == d) free = false; // also keeps collinear ones apart
            free = free && (wfOrient2(points[a], points[b], points[c]) == wfOrient2(points[a], points[b], points[d]) ||
                            wfOrient2(points[c], points[d], points[a]) == wfOrient2(points[c], points[d], points[b]));
        }
        if (!free && Random(&seed) < 0.999) continue;
        if (!free) break; // no room for more
        edges[edgeCount][0] = a;
        edges[edgeCount++][1] = b;
    }
    assert_true(edgeCount > 15);
    wfOutline outline = {points, count, (const int(*)[2])edges, edgeCount, 4};
    wfTriangulation t = {0};
    wfError err = {0};
    CHECK_OK(wfTriangulate(&t, &outline, "points", &err), err);
    for (int e = 0; e < edgeCount; ++e) {
        int found = 0;
        for (int h = 0; h < 3 * t.triangleCount; ++h) {
            int a = t.corner[h], b = t.corner[h % 3 == 2 ? h - 2 : h + 1];
            found += t.kept[h] && ((a == edges[e][0] && b == edges[e][1]) || (b == edges[e][0] && a == edges[e][1]));
        }
        assert_int_equal(found, e < 4 ? 1 : 2);
    }
    assert_int_equal(t.triangleCount, 2 * count - 2 - 4);
    wfTriangulation_Free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestEven),    cmocka_unit_test(TestThin),      cmocka_unit_test(TestSeam),     cmocka_unit_test(TestCrease),
        cmocka_unit_test(TestThreads), cmocka_unit_test(TestBadPanels), cmocka_unit_test(TestDelaunay), cmocka_unit_test(TestForcedEdges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
