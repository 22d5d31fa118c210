// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "random_vectors.h"
#include "scene_fixture.h"

#include "collide/triangle_pair.h"
#include "contact/repulsion_inside.h"
#include "scene/scene.h"

#include <stdio.h>

// Adaptive samples of safe repulsion: that what they promise is so, which are on, whom they are near, and that cloth which is stretched far
// beyond L neither intersects nor needs the hard phase.

// ---- the slow way ---------------------------------------------------------------------------------------------------------------

typedef struct Point {
    double w[3]; // barycentric
    int halvings;
    int edge; // whose length decides; -1: a corner
} Point;

enum { Points = 15 };

// Corners and all candidates of a triangle, by their definition. Edge k runs from corner k to the next.
static void ListPoints(Point out[Points]) {
    for (int k = 0; k < 3; ++k) {
        int next = (k + 1) % 3, third = (k + 2) % 3;
        Point *p = out + 5 * k, middle = {.edge = k, .halvings = 1}, quarter = {.edge = k, .halvings = 2};
        p[0] = (Point){.edge = -1};
        p[0].w[k] = 1.0;
        p[1] = middle;
        p[1].w[k] = p[1].w[next] = 0.5;
        p[2] = p[3] = p[4] = quarter;
        p[2].w[k] = p[3].w[next] = 0.75;
        p[2].w[next] = p[3].w[k] = 0.25;
        p[4].w[k] = p[4].w[next] = 0.25; // between the middles of the two other edges
        p[4].w[third] = 0.5;
    }
}

static wfVec3 At(const Point* p, const wfVec3* t) {
    double x[3];
    for (int c = 0; c < 3; ++c) x[c] = p->w[0] * (&t[0].x)[c] + p->w[1] * (&t[1].x)[c] + p->w[2] * (&t[2].x)[c];
    return wfMake3((float)x[0], (float)x[1], (float)x[2]);
}

static float EdgeSq(const wfVec3* t, int k) { return wfLengthSq(wfSub(t[(k + 1) % 3], t[k])); }

// Whether a point counts: a corner always, a sample where its edge, halved once less than it is with the sample, is longer than L.
static bool PointCounts(const wfRepulsionRules* r, const Point* p, const wfVec3* t) {
    if (p->edge < 0) return true;
    double length = sqrt((double)EdgeSq(t, p->edge));
    return (p->halvings == 1 ? length : 0.5 * length) > (double)r->most;
}

static bool IsCut(const wfRepulsionRules* r, const wfVec3* t) {
    float sq[3];
    int levels[3];
    for (int k = 0; k < 3; ++k) levels[k] = wfSample_Level(r, sq[k] = EdgeSq(t, k));
    return wfSample_IsCut(r->mostSq, sq, levels);
}

// ---- the theorem ------------------------------------------------------------------------------------------------------------------

static void RandomTriangle(const wfRepulsionRules* r, wfVec3 about, float size, wfVec3 out[3]) {
    do
        for (int k = 0; k < 3; ++k) out[k] = wfMulAdd(about, Random(0.2f, 1.0f) * size, RandomDirection());
    while (!IsCut(r, out));
}

// The least distance of counting points before and after, and on the way between; squared.
typedef struct Apart {
    double state, way;
} Apart;

static Apart Measure(const wfRepulsionRules* r, const wfVec3* a0, const wfVec3* b0, const wfVec3* a1, const wfVec3* b1) {
    Point points[Points];
    ListPoints(points);
    Apart least = {INFINITY, INFINITY};
    for (int i = 0; i < Points; ++i) {
        if (!PointCounts(r, &points[i], a0) && !PointCounts(r, &points[i], a1)) continue;
        for (int k = 0; k < Points; ++k) {
            if (!PointCounts(r, &points[k], b0) && !PointCounts(r, &points[k], b1)) continue;
            wfVec3 before = wfSub(At(&points[i], a0), At(&points[k], b0)), after = wfSub(At(&points[i], a1), At(&points[k], b1));
            least.state = fmin(least.state, (double)wfLengthSq(after));
            least.way = fmin(least.way, (double)wfRepulsion_NearestSq(before, after));
        }
    }
    return least;
}

// Two triangles whose corners and counting samples are B + Bt apart do not meet, however long their edges are; nor do they on the way to
// another such state that keeps them B apart.
static void TestTheorem(void** state) {
    (void)state;
    wfRepulsionRules r = wfMakeRepulsionRules(4.2e-3f);
    int kept = 0, met = 0, ways = 0, twice = 0, tries = WF_SLOW_BUILD ? 10000 : 100000;
    for (int k = 0; k < tries; ++k) {
        wfVec3 a[3], b[3], a1[3], b1[3];
        float size = Random(0.5f, 2.3f) * r.most;
        RandomTriangle(&r, wfMake3(0, 0, 0), size, a);
        RandomTriangle(&r, wfScale(RandomDirection(), Random(0.0f, 1.3f) * size), Random(0.5f, 2.3f) * r.most, b);
        bool meet = wfTrianglesMeet(a, b), apart = Measure(&r, a, b, a, b).state >= (double)r.pairSq;
        if (meet && apart) fail_msg("state %d: triangles meet though their samples are apart", k);
        met += meet;
        if (!apart) continue;
        ++kept;
        for (int c = 0; c < 3; ++c) twice += EdgeSq(a, c) > 4.0f * r.mostSq;
        for (int c = 0; c < 3; ++c) {
            a1[c] = wfMulAdd(a[c], r.stride * Random(0, 1), RandomDirection());
            b1[c] = wfMulAdd(b[c], r.stride * Random(0, 1), RandomDirection());
        }
        Apart next = Measure(&r, a, b, a1, b1);
        if (!IsCut(&r, a1) || !IsCut(&r, b1) || next.state < (double)r.pairSq) continue;
        ++ways;
        for (int t = 1; t < 10 && next.way >= (double)r.leastSq; ++t) {
            wfVec3 at[3], bt[3];
            for (int c = 0; c < 3; ++c) {
                at[c] = wfLerp(a[c], a1[c], 0.1f * (float)t);
                bt[c] = wfLerp(b[c], b1[c], 0.1f * (float)t);
            }
            if (wfTrianglesMeet(at, bt)) fail_msg("state %d: triangles meet on their way", k);
        }
    }
    print_message("%d states: %d keep the constraints, %d intersect; %d ways; %d edges of those kept are longer than 2 L\n", tries, kept,
                  met, ways, twice);
    assert_true(kept > tries / 20 && met > tries / 20 && ways > kept / 4 && twice > kept / 100);
}

// A cut has no edge longer than L: against all triangles of a fine lattice, whose points are no farther from a counting sample than such
// triangles allow.
static void TestCut(void** state) {
    (void)state;
    wfRepulsionRules r = wfMakeRepulsionRules(4.2e-3f);
    enum { N = 24 };
    double worst = 0.0;
    for (int k = 0; k < (WF_SLOW_BUILD ? 500 : 5000); ++k) {
        wfVec3 t[3];
        RandomTriangle(&r, wfMake3(0, 0, 0), Random(0.5f, 2.3f) * r.most, t);
        Point points[Points];
        ListPoints(points);
        for (int i = 0; i <= N; ++i)
            for (int j = 0; i + j <= N; ++j) {
                Point p = {.w = {(double)i / N, (double)j / N, (double)(N - i - j) / N}};
                double least = INFINITY;
                for (int s = 0; s < Points; ++s)
                    if (PointCounts(&r, &points[s], t)) least = fmin(least, (double)wfLengthSq(wfSub(At(&p, t), At(&points[s], t))));
                worst = fmax(worst, least);
            }
    }
    print_message("points of triangles are up to %.4f L from a sample, sqrt(1/3) is %.4f\n", sqrt(worst / (double)r.mostSq),
                  sqrt(1.0 / 3.0));
    assert_true(worst <= (double)r.mostSq / 3.0 * 1.0001);
    // What is refused: an edge beyond 4 L, a sample that is not on, a needle with edges beyond 2 L, a trapezoid without a short diagonal.
    const float one = r.mostSq;
    assert_true(wfSample_IsCut(one, (float[]){one, one, one}, (int[]){0, 0, 0}));
    assert_false(wfSample_IsCut(one, (float[]){1.01f * one, one, one}, (int[]){0, 0, 0}));
    assert_true(wfSample_IsCut(one, (float[]){2.0f * one, one, one}, (int[]){1, 0, 0}));
    assert_true(wfSample_IsCut(one, (float[]){2.0f * one, 2.0f * one, 0.5f * one}, (int[]){1, 1, 0}));
    assert_false(wfSample_IsCut(one, (float[]){4.0f * one, 4.0f * one, one}, (int[]){1, 1, 0}));
    assert_false(wfSample_IsCut(one, (float[]){4.1f * one, 4.1f * one, 0.1f * one}, (int[]){2, 2, 0}));
    assert_true(wfSample_IsCut(one, (float[]){4.0f * one, 4.0f * one, 4.0f * one}, (int[]){1, 1, 1}));
    assert_true(wfSample_IsCut(one, (float[]){9.0f * one, 4.0f * one, 3.0f * one}, (int[]){2, 1, 1}));
    assert_false(wfSample_IsCut(one, (float[]){9.0f * one, 4.0f * one, 3.0f * one}, (int[]){1, 1, 1}));
    assert_true(wfSample_IsCut(one, (float[]){16.0f * one, 16.0f * one, 16.0f * one}, (int[]){2, 2, 2}));
    assert_false(wfSample_IsCut(one, (float[]){16.1f * one, 16.0f * one, 16.0f * one}, (int[]){2, 2, 2}));
}

// ---- lists ------------------------------------------------------------------------------------------------------------------------

static wfSceneDef MakeDef(void) {
    wfSceneDef def = wfDefaultSceneDef();
    def.frame_rate = 100.0f;
    def.time_step = 0.01f;
    strcpy(def.contact, "repulsion");
    strcpy(def.stepper, "projection");
    strcpy(def.dynamics, "multilevel");
    return def;
}

// Edges between two vertices: 0 more than two.
static char* CountSteps(const wfModel* m) {
    int n = m->vertexCount;
    char* steps = calloc((size_t)n * (size_t)n, 1);
    for (int t = 0; t < m->triangleCount; ++t)
        for (int k = 0; k < 9; ++k) steps[m->triangles[t].v[k / 3] * n + m->triangles[t].v[k % 3]] = 1;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; steps[i * n + j] == 1 && k < n; ++k)
                if (steps[j * n + k] == 1 && steps[i * n + k] == 0) steps[i * n + k] = 2;
    return steps;
}

// What is on, as the device has listed it.
typedef struct Lists {
    int count, pairCount;
    wfRepulsionSample* samples;
    wfPair* pairs;
} Lists;

static Lists ReadLists(wfRepulsion* r, wfDevice* device) {
    wfError err = {0};
    wfSampleCounts counts;
    CHECK_OK(wfDownload(device, &counts, &r->sampleCounts, 0, 1, &err), err);
    Lists lists = {.count = (int)counts.samples, .pairCount = (int)counts.pairs};
    lists.samples = malloc((size_t)lists.count * sizeof *lists.samples + 1);
    lists.pairs = malloc((size_t)lists.pairCount * sizeof *lists.pairs + 1);
    CHECK_OK(wfDownload(device, lists.samples, &r->samples, 0, (size_t)lists.count, &err), err);
    CHECK_OK(wfDownload(device, lists.pairs, &r->samplePairs, 0, (size_t)lists.pairCount, &err), err);
    return lists;
}

static void FreeLists(Lists* lists) {
    free(lists->samples);
    free(lists->pairs);
}

// A sample by who it is between: weights of vertices in increasing order, so that each has one name.
static uint64_t NameOf(const int* v, const int* w) {
    uint64_t name = 0;
    for (int last = -1, n = 0; n < 3; ++n) {
        int least = -1;
        for (int k = 0; k < 3; ++k)
            if (w[k] > 0 && v[k] > last && (least < 0 || v[k] < v[least])) least = k;
        if (least < 0) break;
        name = name << 20 | (uint64_t)v[least] << 3 | (uint64_t)w[least];
        last = v[least];
    }
    return name;
}

static int CompareNames(const void* a, const void* b) {
    return (*(const uint64_t*)a > *(const uint64_t*)b) - (*(const uint64_t*)a < *(const uint64_t*)b);
}

static int SortOnce(uint64_t* names, int count) {
    int kept = 0;
    qsort(names, (size_t)count, sizeof *names, CompareNames);
    for (int k = 0; k < count; ++k)
        if (kept == 0 || names[kept - 1] != names[k]) names[kept++] = names[k];
    return kept;
}

// Those that are on at x, triangle by triangle.
static int NamesOn(const wfModel* m, const wfRepulsionRules* r, const wfVec4* x, uint64_t* out) {
    int count = 0;
    for (int t = 0; t < m->triangleCount; ++t) {
        const int* v = m->triangles[t].v;
        double length[3];
        for (int k = 0; k < 3; ++k) length[k] = (double)wfDistance(wfXyz(x[v[k]]), wfXyz(x[v[(k + 1) % 3]]));
        double ada = sqrt((double)r->adaptSq);
        for (int k = 0; k < 3; ++k) {
            int edge[3] = {v[k], v[(k + 1) % 3], v[(k + 2) % 3]};
            if (length[k] > ada) out[count++] = NameOf(edge, (int[]){2, 2, 0});
            if (0.5 * length[k] > ada) {
                out[count++] = NameOf(edge, (int[]){3, 1, 0});
                out[count++] = NameOf(edge, (int[]){1, 3, 0});
            }
            bool between = length[(k + 1) % 3] > ada && length[(k + 2) % 3] > ada; // its segment joins two samples
            if (between && 0.5 * length[k] > ada) out[count++] = NameOf(edge, (int[]){1, 1, 2});
        }
    }
    return SortOnce(out, count);
}

static int NamesListed(const Lists* lists, uint64_t* out) {
    for (int k = 0; k < lists->count; ++k) {
        const wfRepulsionSample* s = &lists->samples[k];
        out[k] = NameOf(s->v, (int[]){wfSample_Weight(s, 0), wfSample_Weight(s, 1), wfSample_Weight(s, 2)});
    }
    return SortOnce(out, lists->count);
}

enum { Side = 9, Two = 2 * Side * Side };

static wfScene* MakeSheets(wfDevice* device) {
    wfSceneDef def = MakeDef();
    wfScene* scene = NewScene(device, &def);
    for (int k = 0; k < 2; ++k) {
        Grid grid = MakeGrid(Side, Side, 0.032f, 0.032f, wfMake3(0, 0.01f * (float)k, 0));
        wfClothDef cloth = GridCloth(&grid, k == 0 ? "lower" : "upper");
        AddCloth(scene, &cloth);
        FreeGrid(&grid);
    }
    Commit(scene);
    return scene;
}

// Both sheets stretched, one along x, the other along z, laid across each other, and shaken.
static void Stretch(wfVec4* x, float most, float shake) {
    float along[2] = {Random(1.0f, most), Random(1.0f, most)}, across[2] = {Random(0.7f, most), Random(0.7f, most)};
    for (int i = 0; i < Two; ++i) {
        int k = i / (Side * Side), n = i % (Side * Side);
        float u = 4e-3f * (float)(n % Side) * (k == 0 ? along[0] : across[1]),
              w = 4e-3f * (float)(n / Side) * (k == 0 ? across[0] : along[1]);
        x[i] = wfMake4(wfMake3(u + Random(-shake, shake), 6e-3f * (float)k + Random(-shake, shake), w + Random(-shake, shake)), 1.0f);
    }
}

static void ListAt(wfRepulsion* r, wfDevice* device, const wfVec4* x) {
    wfUpload(device, &r->x, x, Two);
    r->sampled = true;
    wfRepulsion_ListSamples(r, device);
}

static void TestSwitches(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(1);
    wfScene* scene = MakeSheets(device);
    wfRepulsion* r = scene->parts.contactSelf;
    static wfVec4 x[Two], back[Two];
    static uint64_t want[64 * Two], got[64 * Two];
    int most = 0, inside = 0;
    for (int k = 0; k < 40; ++k) {
        Stretch(x, 1.0f + 0.1f * (float)k, 1e-3f);
        wfRepulsion_DropSamples(r, device);
        ListAt(r, device, x);
        Lists lists = ReadLists(r, device);
        int count = NamesOn(&scene->model, &r->rules, x, want);
        assert_int_equal(lists.count, count); // each once
        assert_int_equal(NamesListed(&lists, got), count);
        assert_memory_equal(want, got, (size_t)count * sizeof *want);
        for (int s = 0; s < lists.count; ++s) inside += wfSample_Corners(&lists.samples[s]) == 3;
        most = count > most ? count : most;
        FreeLists(&lists);
        for (int i = 0; i < Two; ++i) back[i] = wfMake4(wfScale(wfXyz(x[i]), 0.1f), 1.0f); // they stay on until the step ends
        ListAt(r, device, back);
        lists = ReadLists(r, device);
        assert_int_equal(lists.count, count);
        assert_int_equal(NamesListed(&lists, got), count);
        assert_memory_equal(want, got, (size_t)count * sizeof *want);
        FreeLists(&lists);
        wfRepulsion_DropSamples(r, device);
        ListAt(r, device, back);
        lists = ReadLists(r, device);
        assert_int_equal(lists.count, 0);
        FreeLists(&lists);
    }
    print_message("40 states: up to %d samples, %d inside triangles\n", most, inside);
    assert_true(most > 1000 && inside > 1000);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

static bool AreNear(const char* steps, const wfRepulsionSample* s, const int* v, int count) {
    for (int k = 0; k < wfSample_Corners(s); ++k)
        for (int l = 0; l < count; ++l)
            if (s->v[k] == v[l] || steps[s->v[k] * Two + v[l]] != 0) return true;
    return false;
}

// All pairs of samples against everybody, within reach; and that those found hold all that come near on a way as long as rows are good for.
static void TestPairs(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    wfScene* scene = MakeSheets(device);
    wfRepulsion* r = scene->parts.contactSelf;
    char* steps = CountSteps(&scene->model);
    static wfVec4 x[Two], later[Two];
    double reach = (double)wfRepulsion_Reach(&r->rules);
    float way = 0.5f * (wfRepulsion_Reach(&r->rules) - sqrtf(r->rules.pairSq));
    int found = 0, near = 0;
    for (int k = 0; k < (WF_SLOW_BUILD ? 2 : 8); ++k) {
        Stretch(x, 1.6f + 0.35f * (float)k, 1.5e-3f);
        wfRepulsion_DropSamples(r, device);
        ListAt(r, device, x);
        Lists lists = ReadLists(r, device);
        for (int i = 0; i < Two; ++i) later[i] = wfMake4(wfMulAdd(wfXyz(x[i]), way * Random(0.5f, 1.0f), RandomDirection()), 1.0f);
        int points = Two + lists.count;
        char* listed = calloc((size_t)lists.count * (size_t)points, 1);
        for (int p = 0; p < lists.pairCount; ++p) {
            char* at = &listed[(size_t)lists.pairs[p].a * (size_t)points + (size_t)lists.pairs[p].b];
            assert_int_equal(*at, 0);
            *at = 1;
        }
        for (int s = 0; s < lists.count; ++s)
            for (int q = 0; q < Two + s; ++q) {
                const wfRepulsionSample *a = &lists.samples[s], *b = q >= Two ? &lists.samples[q - Two] : NULL;
                wfVec3 p = wfSample_At(a, x), at = b != NULL ? wfSample_At(b, x) : wfXyz(x[q]);
                double dx = (double)p.x - at.x, dy = (double)p.y - at.y, dz = (double)p.z - at.z;
                bool excluded = AreNear(steps, a, b != NULL ? b->v : &q, b != NULL ? wfSample_Corners(b) : 1);
                bool want = !excluded && dx * dx + dy * dy + dz * dz <= reach * reach;
                if (want != (listed[(size_t)s * (size_t)points + (size_t)q] == 1)) fail_msg("state %d: sample %d and %d", k, s, q);
                found += want;
                wfVec3 d = wfSub(wfSample_At(a, later), b != NULL ? wfSample_At(b, later) : wfXyz(later[q]));
                if (excluded || !(wfLengthSq(d) < r->rules.pairSq)) continue;
                ++near;
                if (!want) fail_msg("state %d: sample %d and %d come within B + Bt and were not listed", k, s, q);
            }
        free(listed);
        FreeLists(&lists);
    }
    print_message("%d pairs listed, %d come near\n", found, near);
    assert_true(found > (WF_SLOW_BUILD ? 2000 : 10000) && near > (WF_SLOW_BUILD ? 200 : 1000));
    free(steps);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
}

// ---- scenes -----------------------------------------------------------------------------------------------------------------------

// Two strips cross, each pulled at its ends until edges are far longer than L, the upper one drawn down over the lower one.
enum { Long = 20, Wide = 5 };

static void AddStrip(wfScene* scene, bool upper, float pull, float press) {
    const float h = 4.0e-3f, length = h * (float)(Long - 1), width = h * (float)(Wide - 1), end = 0.5f;
    Grid grid = MakeGrid(Long, Wide, length, width, wfMake3(-0.5f * length, 0, -0.5f * width));
    for (int i = 0; upper && i < Long * Wide; ++i) {
        float *p = grid.positions + 3 * i, x = p[0];
        p[0] = p[2] + 0.0011f;
        p[1] = 0.009f;
        p[2] = -x + 0.0007f;
    }
    wfClothDef cloth = GridCloth(&grid, upper ? "upper" : "lower");
    wfClothId id = AddCloth(scene, &cloth);
    for (int side = 0; side < 2; ++side) {
        int held[Wide];
        for (int k = 0; k < Wide; ++k) held[k] = k * Long + (side == 0 ? 0 : Long - 1);
        float way = 0.5f * pull * length * (side == 0 ? -1.0f : 1.0f);
        const wfKey keys[] = {{0.0f, {0, 0, 0}, {0, 0, 0, 1}}, {end, upper ? wfMake3(0, -press, -way) : wfMake3(way, 0, 0), {0, 0, 0, 1}}};
        wfPinDef pin = wfDefaultPinDef();
        pin.cloth = id;
        pin.vertices = held;
        pin.vertexCount = Wide;
        pin.keys = keys;
        pin.keyCount = 2;
        AddPin(scene, &pin);
    }
    FreeGrid(&grid);
}

static wfScene* MakeCross(wfDevice* device, float pull, float press) {
    wfSceneDef def = MakeDef();
    wfScene* scene = NewScene(device, &def);
    AddStrip(scene, false, pull, press);
    AddStrip(scene, true, pull, press);
    Commit(scene);
    return scene;
}

// Every constraint of the current state by the slow way, and the exact check. Returns the longest edge over L.
static double CheckSafe(wfScene* scene) {
    wfError err = {0};
    const wfModel* m = &scene->model;
    const wfRepulsionRules* r = wfRepulsion_GetRules(scene->parts.contactSelf);
    size_t size;
    float* x = ReadState(scene, &size);
    int n = m->vertexCount;
    char* steps = CountSteps(m);
    Point points[Points];
    ListPoints(points);
    double longest = 0.0;
    for (int s = 0; s < m->triangleCount; ++s) {
        wfVec3 a[3], b[3];
        for (int k = 0; k < 3; ++k) memcpy(&a[k], x + 6 * m->triangles[s].v[k], sizeof a[k]);
        for (int k = 0; k < 3; ++k) longest = fmax(longest, sqrt((double)EdgeSq(a, k)));
        if (!IsCut(r, a)) fail_msg("triangle %d is not cut finely enough", s);
        for (int t = 0; t < s; ++t) {
            bool near = false;
            for (int k = 0; k < 9; ++k) near = near || steps[m->triangles[s].v[k / 3] * n + m->triangles[t].v[k % 3]] != 0;
            if (near) continue;
            for (int k = 0; k < 3; ++k) memcpy(&b[k], x + 6 * m->triangles[t].v[k], sizeof b[k]);
            for (int i = 0; i < Points * Points; ++i) {
                const Point *p = &points[i / Points], *q = &points[i % Points];
                if (!PointCounts(r, p, a) || !PointCounts(r, q, b)) continue;
                double sq = (double)wfLengthSq(wfSub(At(p, a), At(q, b)));
                if (sq < (double)r->pairSq) fail_msg("triangles %d and %d: %g of B + Bt", s, t, sqrt(sq / (double)r->pairSq));
            }
        }
    }
    free(steps);
    free(x);
    wfCertificate c;
    CHECK_OK(wfScene_Certify(scene, true, &c, &err), err);
    if (c.intersectingPairs != 0) fail_msg("frame %d: %lld intersecting pairs", c.frame, (long long)c.intersectingPairs);
    return longest / (double)r->most;
}

typedef struct Result {
    wfRepulsionCounts counts;
    double longest; // edge, of L
} Result;

static Result RunCross(bool adaptive, float push, float pull, float press, int frames) {
    wfDevice* device = OpenCpu(1);
    wfScene* scene = MakeCross(device, pull, press);
    wfRepulsion_SetSamples(scene->parts.contactSelf, adaptive);
    if (push >= 0.0f) wfRepulsion_SetPush(scene->parts.contactSelf, push);
    Result result = {.longest = 0.0};
    for (int k = 0; k < frames; ++k) {
        StepFrames(scene, 1);
        result.longest = fmax(result.longest, CheckSafe(scene));
        result.counts = wfRepulsion_GetCounts(scene->parts.contactSelf);
    }
    wfRepulsionCounts* c = &result.counts;
    print_message("samples %s, push %g: edges up to %.3f L, %lld of %lld rounds soft, %lld blocks taken back, %lld rounds hard\n",
                  adaptive ? "on" : "off", (double)push, result.longest, (long long)c->softRounds, (long long)c->rounds,
                  (long long)c->rollbacks, (long long)c->hardRounds);
    wfDestroyScene(scene);
    wfDestroyDevice(device);
    return result;
}

// Figure 10: with samples the hard phase is never needed, and nothing intersects; without them it is.
static void TestCross(void** state) {
    (void)state;
    int frames = WF_SLOW_BUILD ? 34 : 44;
    Result with = RunCross(true, -1.0f, 1.8f, 0.012f, frames), without = RunCross(false, -1.0f, 1.8f, 0.012f, WF_SLOW_BUILD ? 30 : frames);
    assert_true(with.longest > (WF_SLOW_BUILD ? 1.1 : 1.2) && without.longest <= 1.0);
    assert_int_equal(with.counts.softRounds, with.counts.rounds);
    assert_true(without.counts.softRounds < without.counts.rounds);
}

// Without pushes the soft phase fails wherever the strips meet: the hard phase takes edges beyond L, too, and everything stays apart.
static void TestHard(void** state) {
    (void)state;
    Result hard = RunCross(true, 0.0f, 1.8f, 0.012f, WF_SLOW_BUILD ? 30 : 36);
    assert_true(hard.counts.hardRounds > 100 && hard.longest > 1.05);
}

// Samples are listed in any order; what is made of them is the same for any number of threads, and after a checkpoint.
static void TestSameBits(void** state) {
    (void)state;
    static const char path[] = "test_repulsion_samples.wfc";
    enum { Before = 32, After = WF_SLOW_BUILD ? 2 : 4 };
    wfError err = {0};
    wfDevice *one = OpenCpu(1), *two = OpenCpu(2);
    wfScene *a = MakeCross(one, 1.8f, 0.012f), *b = MakeCross(two, 1.8f, 0.012f), *c = MakeCross(two, 1.8f, 0.012f);
    StepFrames(a, Before);
    StepFrames(b, Before);
    CheckSameState(a, b);
    assert_true(CheckSafe(a) > 1.05);
    CHECK_OK(wfScene_SaveCheckpoint(a, path, &err), err);
    CHECK_OK(wfScene_LoadCheckpoint(c, path, &err), err);
    StepFrames(a, After);
    StepFrames(b, After);
    StepFrames(c, After);
    CheckSameState(a, b);
    CheckSameState(a, c);
    remove(path);
    wfDestroyScene(a);
    wfDestroyScene(b);
    wfDestroyScene(c);
    wfDestroyDevice(one);
    wfDestroyDevice(two);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestTheorem), cmocka_unit_test(TestCut),  cmocka_unit_test(TestSwitches), cmocka_unit_test(TestPairs),
        cmocka_unit_test(TestCross),   cmocka_unit_test(TestHard), cmocka_unit_test(TestSameBits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
