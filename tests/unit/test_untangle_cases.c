// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "tangles.h"

#include <stdio.h>

// Constructed tangles: every type of Figure 3 of the paper, pairs, several contours, several boundaries, loop vertices. Each must be
// classified as it was built and end without a meeting pair of triangles in at most 60 rounds, half of them in at most 10.
// With a folder as argument it also writes each before and after, for pictures (tools/untangle_sheet.sh).
//
// Figure 3: (a) CL/CL bump; (b) BB/II standing; (c) BI/BI corner; (d) CL two loop vertices; (e) CL/CL by one loop vertex, pinch; (f) BB/II
// by one loop vertex, cross; (g) BLI folded corner.

typedef struct Case {
    const char* name;
    void (*build)(Tangle* t, const float* p);
    float p[4];
    int expected[wf_contourKindCount];
    const int* layers;
} Case;

static void Floor(Tangle* t, int n) { Tangle_Sheet(t, n, n, wfMake3(-1.0f, 0.0f, -1.0f), wfMake3(0, 0, 2), wfMake3(2, 0, 0)); }

/// A sheet above another with p[0] bumps of depth p[1] and radius p[2] that press through it.
static void Bumps(Tangle* t, const float* p) {
    Floor(t, 24);
    Tangle_Sheet(t, 24, 24, wfMake3(-0.93f, 0.05f, -0.91f), wfMake3(0.03f, 0, 1.8f), wfMake3(1.8f, 0, -0.03f));
    for (int k = 0; k < (int)p[0]; ++k) {
        float angle = 6.2831853f * (float)k / p[0];
        Tangle_Bump(t, 1, wfMake3(p[0] > 1 ? 0.5f * cosf(angle) : 0.03f, 0, p[0] > 1 ? 0.5f * sinf(angle) : 0.05f), p[2], -p[1]);
    }
}

/// A sheet that stands in another one, through it by p[0], p[1] wide, leaning by p[2].
static void Standing(Tangle* t, const float* p) {
    Floor(t, 20);
    Tangle_Sheet(t, 12, 10, wfMake3(-0.5f * p[1], -p[0], 0.013f), wfMake3(p[1], 0, 0.07f), wfMake3(0, 1.0f, p[2]));
}

/// Two of them.
static void TwoStanding(Tangle* t, const float* p) {
    Floor(t, 20);
    for (int k = 0; k < 2; ++k)
        Tangle_Sheet(t, 10, 10, wfMake3(-0.5f * p[1], -p[0], k == 0 ? -0.41f : 0.43f), wfMake3(p[1], 0, 0.05f), wfMake3(0, 1.0f, p[2]));
}

/// A strip that hangs through a sheet in the shape of a U: in and out again.
static void Bow(Tangle* t, const float* p) {
    Floor(t, 20);
    int first = Tangle_Sheet(t, 6, 40, wfMake3(0, 0, 0), wfMake3(0.4f, 0, 0), wfMake3(0, 1, 0));
    for (int v = first; v < t->vertexCount; ++v) {
        float s = 2.0f * t->x[v].y - 1.0f;
        t->x[v] = wfMake3(t->x[v].x - 0.21f, s * s - p[0], 0.8f * s + 0.011f);
    }
}

/// A sheet that stands across the edge of another: p[0] of it is beyond, and it goes down by p[1].
static void Corner(Tangle* t, const float* p) {
    Floor(t, 20);
    Tangle_Sheet(t, 10, 10, wfMake3(1.0f - p[0], -p[1], 0.031f), wfMake3(0.8f, 0, p[2]), wfMake3(0.02f, 0.9f, 0.05f));
}

/// A tube whose lower end has gone through a sheet by p[0].
static void Tube(Tangle* t, const float* p) {
    Floor(t, 20);
    Tangle_Tube(t, 20, 12, wfMake3(0.02f, -p[0], 0.03f), 0.4f, 1.1f, p[1]);
}

/// A sheet through the wall of a tube along its whole length: from one boundary to the other, which parts nothing.
static void TubeCut(Tangle* t, const float* p) {
    Tangle_Tube(t, 24, 12, wfMake3(0, -0.5f, 0), 0.5f, 1.0f, 0.0f);
    Tangle_Sheet(t, 10, 16, wfMake3(0.5f - p[0], -0.8f, 0.02f), wfMake3(0.8f, 0, 0.03f), wfMake3(0.01f, 1.6f, 0.02f));
}

/// A tube in another one that is a little narrower there.
static void TubeInTube(Tangle* t, const float* p) {
    Tangle_Tube(t, 24, 14, wfMake3(0, -0.5f, 0), 0.5f, 1.0f, 0.0f);
    Tangle_Tube(t, 22, 12, wfMake3(0.003f, -0.4f, 0.004f), 0.46f, 0.8f, 0.0f);
    for (int v = 0; v < t->vertexCount; ++v) {
        float y = t->x[v].y - 0.03f, s = 1.0f + p[0] * expf(-y * y / 0.02f);
        if (t->objectOf[v] == 1) t->x[v] = wfMake3(t->x[v].x * s, t->x[v].y, t->x[v].z * s);
    }
}

/// A ring with a strip through it, across from the inner boundary to the outer one.
static void Ring(Tangle* t, const float* p) {
    int first = Tangle_Grid(t, 32, 6, true);
    for (int v = first; v < t->vertexCount; ++v) {
        int i = (v - first) % 32, j = (v - first) / 32;
        float angle = -6.2831853f * (float)i / 32.0f, r = 0.5f + 0.1f * (float)j;
        t->x[v] = wfMake3(r * cosf(angle), 0, r * sinf(angle));
    }
    Tangle_Sheet(t, 14, 8, wfMake3(0.3f, -p[0], 0.017f), wfMake3(1.0f, 0, 0.03f), wfMake3(0, 0.8f, p[1]));
}

/// Three triangles about a vertex, of which the last goes through the first.
static void FoldedCorner(Tangle* t, const float* p) {
    const wfVec3 x[5] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0.5f, -p[1], 0.5f}};
    const int triangles[3][3] = {{0, 1, 2}, {0, 2, 3}, {3, 2, 4}};
    Tangle_Mesh(t, x, 5, triangles, 3);
    for (int k = 0; k < (int)p[0]; ++k) Tangle_Refine(t);
}

/// A contour between two loop vertices.
static void TwoLoops(Tangle* t, const float* p) {
    const wfVec3 x[5] = {{0, 0, 0}, {0.5f, 0, 0.5f}, {1, 0, 0}, {0, 1, 0}, {0, p[1], 1}};
    const int triangles[4][3] = {{0, 4, 2}, {1, 2, 3}, {0, 2, 1}, {0, 1, 3}};
    Tangle_Mesh(t, x, 5, triangles, 4);
    for (int k = 0; k < (int)p[0]; ++k) Tangle_Refine(t);
}

/// A cone over a curve that crosses itself twice, a row of three loops: two contours leave its apex, the loop vertex. p[0] rings; p[1] > 0:
/// the loops come undone on the way, and the contours meet again; else they run to the boundary, of which one half is farther out by p[2].
/// p[3] is how wide the loops are.
static void Cone(Tangle* t, const float* p) {
    enum { n = 30 };
    int m = (int)p[0], first = Tangle_Grid(t, n, m, true), at = t->triangleCount, apex = Tangle_Add(t, 1, n);
    t->objectCount -= 1;
    t->objectOf[apex] = t->objectOf[first];
    t->x[apex] = wfMake3(0, 0, 0);
    for (int v = first; v < apex; ++v) {
        float angle = 6.2831853f * ((float)((v - first) % n) + 0.37f) / (float)n, r = ((float)((v - first) / n) + 1.0f) / (float)(m + 1);
        float undone = p[1] * r * r, far = r * (angle > 3.1415927f ? 1.0f + p[2] : 1.0f);
        t->x[v] = wfMake3(far * cosf(angle), 0.5f * far, p[3] * far * (sinf(3 * angle) + undone * sinf(angle)));
    }
    for (int i = 0; i < n; ++i) t->triangles[at++] = (wfTriangle){{apex, first + i, first + (i + 1) % n}};
}

/// One sheet that is bent into a loop and goes through itself; it becomes narrower by p[1] from end to end, p[0] is how far it goes on.
static void Curl(Tangle* t, const float* p) {
    int first = Tangle_Sheet(t, 12, 48, wfMake3(0, 0, 0), wfMake3(1, 0, 0), wfMake3(0, 1, 0));
    for (int v = first; v < t->vertexCount; ++v) {
        float s = -1.6f + (1.6f + p[0]) * t->x[v].y; // crosses itself where it is -1 and 1
        t->x[v] = wfMake3((t->x[v].x - 0.5f) * (1.0f - p[1] * t->x[v].y), 0.4f * (s * s - 1.0f), 0.4f * s * (s * s - 1.0f));
    }
}

/// A ball that stands in a sheet, by p[0] of its radius.
static void Ball(Tangle* t, const float* p) {
    Floor(t, 24);
    int first = Tangle_Grid(t, 20, 12, true);
    for (int v = first; v < t->vertexCount; ++v) {
        int i = (v - first) % 20, j = (v - first) / 20;
        float a = 6.2831853f * (float)i / 20.0f, b = 3.1415927f * ((float)j + 0.5f) / 13.0f;
        t->x[v] = wfMake3(0.4f * sinf(b) * cosf(a) + 0.01f, 0.4f * cosf(b) + 0.4f * (1.0f - 2.0f * p[0]), 0.4f * sinf(b) * sinf(a));
    }
    int at = t->triangleCount, top = Tangle_Add(t, 2, 40);
    t->objectCount -= 1;
    for (int k = 0; k < 2; ++k) {
        t->x[top + k] = wfMake3(0.01f, (k == 0 ? 0.4f : -0.4f) + 0.4f * (1.0f - 2.0f * p[0]), 0);
        t->objectOf[top + k] = 1;
    }
    for (int i = 0; i < 20; ++i) {
        int next = (i + 1) % 20, last = first + 12 * 20;
        t->triangles[at++] = (wfTriangle){{top, first + next, first + i}};
        t->triangles[at++] = (wfTriangle){{top + 1, last + i, last + next}};
    }
    for (int v = first; v < t->vertexCount && p[1] > 0; ++v) t->fixed[v] = true;
}

/// Two equal sheets across each other: nothing says which half is wrong but the order of layers.
static void Crossed(Tangle* t, const float* p) {
    Tangle_Sheet(t, 16, 16, wfMake3(-0.5f, -p[0], -0.5f), wfMake3(0, 0, 1), wfMake3(1, 2 * p[0], 0));
    Tangle_Sheet(t, 16, 16, wfMake3(-0.6f, p[0], -0.62f), wfMake3(0.01f, 0, 1.2f), wfMake3(1.2f, -2 * p[0], 0));
}

static const int s_layers[] = {0, 1}, s_inverse[] = {1, 0};

#define CLCL(n) \
    { [wf_contourCLCL] = n }
#define BBII(n) \
    { [wf_contourBBII] = n }
#define BIBI(n) \
    { [wf_contourBIBI] = n }

static const Case s_cases[] = {
    {"bump", Bumps, {1, 0.1f, 0.4f}, CLCL(1), NULL},
    {"bump, deeper", Bumps, {1, 0.2f, 0.5f}, CLCL(1), NULL},
    {"bump, deep", Bumps, {1, 0.35f, 0.5f}, CLCL(1), NULL},
    {"bump, narrow", Bumps, {1, 0.2f, 0.25f}, CLCL(1), NULL},
    {"two bumps", Bumps, {2, 0.15f, 0.35f}, CLCL(2), NULL},
    {"three bumps", Bumps, {3, 0.15f, 0.35f}, CLCL(3), NULL},
    {"five bumps", Bumps, {5, 0.12f, 0.25f}, CLCL(5), NULL},
    {"eight bumps", Bumps, {8, 0.1f, 0.17f}, CLCL(8), NULL},
    {"standing", Standing, {0.1f, 0.8f, 0}, BBII(1), NULL},
    {"standing, deeper", Standing, {0.25f, 0.8f, 0}, BBII(1), NULL},
    {"standing, deep", Standing, {0.35f, 0.8f, 0}, BBII(1), NULL},
    {"standing, leaning", Standing, {0.15f, 0.8f, 0.4f}, BBII(1), NULL},
    {"standing, narrow", Standing, {0.2f, 0.3f, 0.1f}, BBII(1), NULL},
    {"standing, leaning far", Standing, {0.1f, 0.7f, 1.0f}, BBII(1), NULL},
    {"two standing", TwoStanding, {0.15f, 0.7f, 0.1f}, BBII(2), NULL},
    {"two standing, deeper", TwoStanding, {0.25f, 0.9f, -0.2f}, BBII(2), NULL},
    {"bow", Bow, {0.15f}, BBII(2), NULL},
    {"bow, deeper", Bow, {0.3f}, BBII(2), NULL},
    {"corner", Corner, {0.2f, 0.3f, 0.05f}, BIBI(1), NULL},
    {"corner, farther in", Corner, {0.4f, 0.4f, 0.1f}, BIBI(1), NULL},
    {"corner, little", Corner, {0.08f, 0.2f, 0.02f}, BIBI(1), NULL},
    {"corner, leaning", Corner, {0.25f, 0.5f, 0.4f}, BIBI(1), NULL},
    {"tube end", Tube, {0.1f, 0}, CLCL(1), NULL},
    {"tube end, deeper", Tube, {0.25f, 0.1f}, CLCL(1), NULL},
    {"tube wall, end to end", TubeCut, {0.15f}, BBII(1), NULL},
    {"tube wall, end to end, deeper", TubeCut, {0.3f}, BBII(1), NULL},
    {"tube in tube", TubeInTube, {0.12f}, CLCL(2), NULL},
    {"tube in tube, deeper", TubeInTube, {0.2f}, CLCL(2), NULL},
    {"tube in tube, layers", TubeInTube, {0.2f}, CLCL(2), s_inverse},
    {"ring, across", Ring, {0.1f, 0.05f}, BBII(1), NULL},
    {"ring, across, deeper", Ring, {0.25f, 0.2f}, BBII(1), NULL},
    {"folded corner", FoldedCorner, {0, 0.5f}, {[wf_contourBLI] = 1}, NULL},
    {"folded corner, refined", FoldedCorner, {3, 0.5f}, {[wf_contourBLI] = 1}, NULL},
    {"two loop vertices", TwoLoops, {0, 0.5f}, {[wf_contourCL] = 1}, NULL},
    {"two loop vertices, refined", TwoLoops, {3, 0.5f}, {[wf_contourCL] = 1}, NULL},
    {"pinch, one loop vertex", Cone, {8, 1.6f, 0, 0.5f}, CLCL(1), NULL},
    {"pinch, farther", Cone, {8, 1.2f, 0, 0.5f}, CLCL(1), NULL},
    {"cross, one loop vertex", Cone, {5, 0, 0.2f, 0.2f}, BBII(1), NULL},
    {"cross, finer", Cone, {7, 0, 0.25f, 0.15f}, BBII(1), NULL},
    {"curl", Curl, {1.2f, 0.3f}, BBII(1), NULL},
    {"curl, farther", Curl, {1.25f, 0.2f}, BBII(1), NULL},
    {"ball", Ball, {0.25f, 0}, CLCL(1), NULL},
    {"ball that is fixed, deep", Ball, {0.4f, 1}, CLCL(1), NULL},
    {"crossed, layers", Crossed, {0.1f}, BBII(1), s_layers},
};

enum { caseCount = sizeof s_cases / sizeof s_cases[0] };

static int CompareInts(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

/// A file for each object, so that pictures can tell them apart.
static void WriteObjects(const Tangle* t, const char* folder, int number, const char* when) {
    int* place = malloc((size_t)t->vertexCount * sizeof *place);
    for (int object = 0; object < t->objectCount; ++object) {
        char path[1000];
        snprintf(path, sizeof path, "%s/%02d-%s-%d.obj", folder, number, when, object);
        FILE* file = fopen(path, "w");
        assert_non_null(file);
        for (int v = 0, count = 0; v < t->vertexCount; ++v) {
            if (t->objectOf[v] != object) continue;
            place[v] = ++count;
            fprintf(file, "v %.9g %.9g %.9g\n", (double)t->x[v].x, (double)t->x[v].y, (double)t->x[v].z);
        }
        for (int i = 0; i < t->triangleCount; ++i) {
            const int* v = t->triangles[i].v;
            if (t->objectOf[v[0]] == object) fprintf(file, "f %d %d %d\n", place[v[0]], place[v[1]], place[v[2]]);
        }
        assert_int_equal(fclose(file), 0);
    }
    free(place);
}

static const char* s_folder; // for pictures, or NULL

static void Cases(void** state) {
    (void)state;
    int rounds[caseCount], failures = 0;
    for (int i = 0; i < caseCount; ++i) {
        const Case* c = &s_cases[i];
        Tangle t = {0};
        c->build(&t, c->p);
        Tangle_Turn(&t, wfMake3(1, 2, 3), 0.3f); // nothing along an axis
        wfUntangleDef def = Tangle_Def(&t);
        def.layerOf = c->layers;
        wfUntangleReport report;
        wfError err = {0};
        wfUntangler* u = wfCreateUntangler(&def, &err);
        CHECK_OK(u != NULL, err);
        if (s_folder != NULL) WriteObjects(&t, s_folder, i, "before");
        CHECK_OK(wfUntangler_Run(u, t.x, &report, &err), err);
        bool right = memcmp(report.contoursBefore, c->expected, sizeof c->expected) == 0;
        bool clean = report.pairsBefore > 0 && report.pairsAfter == 0;
        rounds[i] = report.rounds;
        printf("%-30s %4lld pairs, %2d rounds, moved by %.3f", c->name, (long long)report.pairsBefore, report.rounds, report.largest);
        for (int k = 0; k < wf_contourKindCount; ++k)
            if (report.contoursBefore[k] > 0) printf(", %d %s", report.contoursBefore[k], wfContourNames[k]);
        printf("%s%s\n", right ? "" : "  NOT AS BUILT", clean ? "" : "  NOT RESOLVED");
        failures += !right || !clean;
        if (s_folder != NULL) WriteObjects(&t, s_folder, i, "after");
        wfDestroyUntangler(u);
        Tangle_Free(&t);
    }
    assert_true(caseCount >= 40);
    assert_int_equal(failures, 0);
    qsort(rounds, caseCount, sizeof *rounds, CompareInts);
    printf("rounds: median %d, most %d\n", rounds[caseCount / 2], rounds[caseCount - 1]);
    assert_in_range(rounds[caseCount / 2], 0, 10);
}

int main(int argc, char** argv) {
    s_folder = argc > 1 ? argv[1] : NULL;
    const struct CMUnitTest tests[] = {cmocka_unit_test(Cases)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
