// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "scene_fixture.h"

#include "collide/edge_triangle.h"
#include "contact/repulsion_inside.h"
#include "scene/scene.h"

// Seams with safe repulsion: what is sewn moves as one vertex does, whatever pulls at its sides.

static const float s_edge = 4.2e-3f;
enum { Across = 5 };

static void AddStrip(wfScene* scene, const char* name, int n, float x) {
    Grid grid = MakeGrid(n, Across, s_edge * (float)(n - 1), s_edge * (float)(Across - 1), wfMake3(x, 0, 0));
    wfClothDef cloth = GridCloth(&grid, name);
    AddCloth(scene, &cloth);
    FreeGrid(&grid);
}

static void Column(int n, int column, int* out) {
    for (int k = 0; k < Across; ++k) out[k] = k * n + column;
}

typedef struct Strips {
    wfScene* scene;
    wfClothId cloths[2];
    int far[2][Across], near[2][Across]; // vertices of their ends
} Strips;

// From x on, a strip of `first` vertices along it and one of `second`, to be sewn at the ends that are near each other; not committed. They
// are so near that they close at once, long before their threads are gone.
static Strips MakeStrips(wfDevice* device, const char* dynamics, float x, int first, int second, float gap) {
    wfSceneDef def = wfDefaultSceneDef();
    def.frame_rate = 100.0f;
    def.time_step = 0.01f;
    def.gravity = wfMake3(0, 0, 0);
    strcpy(def.contact, "repulsion");
    strcpy(def.stepper, "projection");
    strcpy(def.dynamics, dynamics);
    Strips s = {.scene = NewScene(device, &def)};
    AddStrip(s.scene, "first", first, x);
    AddStrip(s.scene, "second", second, x + s_edge * (float)(first - 1) + gap);
    for (int k = 0; k < 2; ++k) s.cloths[k] = wfScene_GetCloth(s.scene, k);
    Column(first, 0, s.far[0]);
    Column(first, first - 1, s.near[0]);
    Column(second, second - 1, s.far[1]);
    Column(second, 0, s.near[1]);
    wfSeamDef seam = wfDefaultSeamDef();
    seam.a = (wfSeamSide){.cloth = s.cloths[0], .vertices = s.near[0], .vertexCount = Across};
    seam.b = (wfSeamSide){.cloth = s.cloths[1], .vertices = s.near[1], .vertexCount = Across};
    seam.match = wf_matchVertices;
    seam.close = 100.0f;
    wfError err = {0};
    assert_false(WF_ID_IS_NULL(wfCreateSeam(s.scene, &seam, &err)));
    return s;
}

static void PinColumn(Strips* s, int cloth, const int* column, const wfKey* keys, int keyCount) {
    wfPinDef pin = wfDefaultPinDef();
    pin.cloth = s->cloths[cloth];
    pin.vertices = column;
    pin.vertexCount = Across;
    pin.keys = keys;
    pin.keyCount = keyCount;
    AddPin(s->scene, &pin);
}

// A long strip and a short one, held at their far ends, are sewn: where the seam comes to rest both are stretched alike. Were its two sides
// each drawn by D at most, they would keep it where it closed, and all of the stretch next to it.
static void RequireBalance(const char* dynamics) {
    enum { Long = 16, Short = 4 };
    wfDevice* device = OpenCpu(1);
    float gap = 0.6f * s_edge, back = -2.4f * s_edge; // then they are drawn apart
    const wfKey keys[] = {{.time = 0.0, .rotate = wfQuatIdentity()},
                          {.time = 0.04, .rotate = wfQuatIdentity()},
                          {.time = 0.12, .translate = {-back, 0, 0}, .rotate = wfQuatIdentity()}};
    Strips s = MakeStrips(device, dynamics, 0.0f, Long, Short, gap);
    PinColumn(&s, 0, s.far[0], NULL, 0);
    PinColumn(&s, 1, s.far[1], keys, 3);
    Commit(s.scene);
    // With "chebyshev" it swings about its place: where it is in one frame depends on the last bit of the start.
    enum { Frames = 60 };
    float mean = 0.0f;
    StepFrames(s.scene, 30);
    for (int k = 0; k < Frames; ++k) {
        StepFrames(s.scene, 1);
        mean += ReadVertex(s.scene, s.cloths[0], s.near[0][Across / 2]).x / (float)Frames;
    }
    float stretch = 1.0f + (gap - back) / (s_edge * (float)(Long + Short - 2)), want = stretch * s_edge * (float)(Long - 1);
    wfVec3 a = ReadVertex(s.scene, s.cloths[0], s.near[0][Across / 2]), b = ReadVertex(s.scene, s.cloths[1], s.near[1][Across / 2]);
    print_message("%s: a seam between strips of %d and %d edges rests at %.2f edges, wanted %.2f\n", dynamics, Long - 1, Short - 1,
                  (double)(mean / s_edge), (double)(want / s_edge));
    assert_true(wfDistance(a, b) == 0.0f);
    CHECK_NEAR(mean / s_edge, want / s_edge, 0.05);
    wfRepulsionCounts counts = wfRepulsion_GetCounts(s.scene->parts.contactSelf);
    assert_true(counts.softRounds == counts.rounds);
    wfDestroyScene(s.scene);
    wfDestroyDevice(device);
}

static void TestBalance(void** state) {
    (void)state;
    RequireBalance("chebyshev");
    RequireBalance("multilevel");
}

// What is sewn to a pinned vertex comes to where that is held, the very bits, wherever that is; it stays there, also while the seam closes.
static void TestHeld(void** state) {
    (void)state;
    enum { Length = 6, Frames = 20, Places = 8 };
    wfDevice* device = OpenCpu(1);
    for (int place = 0; place < Places; ++place) {
        Strips s = MakeStrips(device, "chebyshev", 0.137f * (float)place, Length, Length, 0.5f * s_edge);
        PinColumn(&s, 0, s.near[0], NULL, 0);
        Commit(s.scene);
        wfVec3 places[Across];
        for (int k = 0; k < Across; ++k) places[k] = ReadVertex(s.scene, s.cloths[0], s.near[0][k]);
        for (int frame = 1; frame <= Frames; ++frame) {
            StepFrames(s.scene, 1);
            for (int k = 0; k < Across; ++k) {
                float off = wfDistance(ReadVertex(s.scene, s.cloths[0], s.near[0][k]), places[k]);
                if (off != 0.0f) fail_msg("frame %d: a pinned vertex is %g edges from its place", frame, (double)(off / s_edge));
            }
        }
        for (int k = 0; k < Across; ++k) {
            float off = wfDistance(ReadVertex(s.scene, s.cloths[1], s.near[1][k]), places[k]);
            if (off != 0.0f) fail_msg("place %d: what is sewn to a pinned vertex is %g edges from it", place, (double)(off / s_edge));
        }
        wfDestroyScene(s.scene);
    }
    wfDestroyDevice(device);
}

// While a seam closes its two sides are near each other, not one: an edge of one that goes through a triangle of the other is seen, by the
// exact test, also where they are sewn to each other. Flat strips side by side meet nowhere.
static void TestCrossing(void** state) {
    (void)state;
    enum { N = 6, Count = 2 * N * Across };
    wfDevice* device = OpenCpu(1);
    Strips s = MakeStrips(device, "chebyshev", 0.0f, N, N, 0.5f * s_edge);
    Commit(s.scene);
    StepFrames(s.scene, 1);
    wfRepulsion* r = s.scene->parts.contactSelf;
    const wfModel* m = &s.scene->model;
    assert_int_equal(m->vertexCount, Count);
    wfError err = {0};
    int groups[2 * Across], marked[Count], met = 0, sewn = 0;
    CHECK_OK(wfDownload(device, groups, &r->weldState, 0, 2 * Across, &err), err);
    for (int k = 0; k < 2 * Across; k += 2) assert_int_equal(groups[k], wf_weldClosing);
    wfVec4 from[Count], x[Count];
    CHECK_OK(wfDownload(device, from, &r->x, 0, Count, &err), err);
    for (int i = N * Across; i < Count; ++i) from[i].x += 0.3f * s_edge; // they have come to one place by now
    wfBuffer bx = wfMakeBuffer(sizeof(wfVec4), "x"), flags = wfMakeBuffer(sizeof(int), "flags");
    wfReserve(device, &flags, Count);
    uint32_t random = 17;
    float seam = s_edge * (float)(N - 1);
    for (int trial = 0; trial < 400; ++trial) {
        for (int i = 0; i < Count; ++i) { // the second strip is folded over the first in half of them, its seam shaken
            bool second = i >= N * Across;
            float column = (float)(i % N), off = trial == 0 || !second || i % N > 0 ? 0.0f : 0.45f * s_edge;
            wfVec3 p = wfXyz(from[i]), shake = wfMake3(0, 0, 0);
            for (int c = 0; c < 3; ++c) {
                random = random * 1664525u + 1013904223u;
                float value = off * ((float)(random >> 8) / (float)(1 << 23) - 1.0f);
                shake = wfAdd(shake, wfMake3(c == 0 ? value : 0.0f, c == 1 ? value : 0.0f, c == 2 ? value : 0.0f));
            }
            if (second && trial % 4 > 0 && trial % 4 < 3) p = wfMake3(p.x - 1.7f * s_edge * column, p.y + 0.35f * s_edge * column, p.z);
            if (trial % 2 == 1) p = wfMake3(seam + 1.8f * (p.x - seam), 1.8f * p.y, 1.8f * p.z); // edges are nearly as long as they may be
            x[i] = wfMake4(wfAdd(p, shake), from[i].w);
        }
        wfUpload(device, &bx, x, Count);
        wfZero(device, &flags);
        wfRepulsion_CheckFolds(r, device, &bx, (wfFoldLook){.gap = wfFoldGap, .flags = wfData(&flags, int)});
        CHECK_OK(wfDownload(device, marked, &flags, 0, Count, &err), err);
        for (int i = 0; trial == 0 && i < Count; ++i) assert_false(marked[i]);
        for (int e = 0; e < 3 * m->triangleCount; ++e)
            for (int t = 0; t < m->triangleCount; ++t) {
                int p = m->triangles[e / 3].v[e % 3], q = m->triangles[e / 3].v[(e + 1) % 3];
                const int* v = m->triangles[t].v;
                if ((p < N * Across) == (v[0] < N * Across)) continue;
                // Of those that are near the seam: corners within two edges of each other.
                bool near = (p % N == (p < N * Across ? N - 1 : 0) || q % N == (q < N * Across ? N - 1 : 0));
                if (!near || !wfEdgeMeetsTriangle(wfXyz(x[p]), wfXyz(x[q]), wfXyz(x[v[0]]), wfXyz(x[v[1]]), wfXyz(x[v[2]]))) continue;
                int rows[2] = {p / N % Across, q / N % Across};
                bool reached = false, together = false;
                for (int c = 0; c < 3; ++c) {
                    int column = v[c] < N * Across ? N - 1 - v[c] % N : v[c] % N, row = v[c] / N % Across;
                    reached = reached || (column <= 1 && (abs(row - rows[0]) <= 1 || abs(row - rows[1]) <= 1));
                    together = together || (column == 0 && (row == rows[0] || row == rows[1]));
                }
                if (!reached) continue;
                ++met;
                sewn += together;
                if (!marked[p] || !marked[q] || !marked[v[0]] || !marked[v[1]] || !marked[v[2]])
                    fail_msg("state %d: edge %d-%d meets triangle %d, and that is not marked", trial, p, q, t);
            }
    }
    print_message("400 states: %d edges meet triangles across the seam, %d of them next to where they are sewn\n", met, sewn);
    assert_true(sewn > 50);
    wfFreeBuffer(device, &bx);
    wfFreeBuffer(device, &flags);
    wfDestroyScene(s.scene);
    wfDestroyDevice(device);
}

// Vertices that are to come to one place go together with those that are near enough: chains of links, as long as none is far from their
// middle; else only what is at one place already.
static void TestGroups(void** state) {
    (void)state;
    enum { Places = 400, Most = 6, Count = Places * Most };
    const float reach = 0.01f;
    wfDevice* device = OpenCpu(1);
    static wfVec4 x[Count];
    static int first[Places + 1], members[Count], group[Count], item[Count], end[Count], states[Count];
    static double due[2 * Places];
    uint32_t random = 5;
    int n = 0, closing = 0, closed = 0, open = 0, split = 0;
    for (int place = 0; place < Places; ++place) {
        first[place] = n;
        for (int k = 0; k < 2 + place % (Most - 1); ++k) {
            members[n] = n;
            for (int c = 0; c < 3; ++c) {
                random = random * 1664525u + 1013904223u;
                (&x[n].x)[c] = 2.5f * reach * (float)(random >> 8) / (float)(1 << 24) * (c == 0 ? 1.0f : 0.3f);
            }
            x[n].w = 1.0f + (float)(n % 3);
            if (n > first[place] && random % 3 == 0) x[n] = wfMake4(wfXyz(x[n - 1]), x[n].w);
            ++n;
        }
        due[2 * place] = 0.0;
        due[2 * place + 1] = 2.0;
    }
    first[Places] = n;
    wfBuffer b[9];
    const struct {
        const void* from;
        size_t stride, count;
    } all[9] = {{x, sizeof *x, (size_t)n},       {first, sizeof(int), Places + 1}, {members, sizeof(int), (size_t)n},
                {group, sizeof(int), (size_t)n}, {group, sizeof(int), (size_t)n},  {item, sizeof(int), (size_t)n},
                {end, sizeof(int), (size_t)n},   {states, sizeof(int), (size_t)n}, {due, sizeof(double), 2 * Places}};
    for (int k = 0; k < 9; ++k) {
        b[k] = wfMakeBuffer(all[k].stride, "welds");
        wfUpload(device, &b[k], all[k].from, all[k].count);
    }
    RepulsionWeldArgs args = {.xStart = wfData(&b[0], wfVec4),
                              .first = wfData(&b[1], int),
                              .members = wfData(&b[2], int),
                              .labels = wfData(&b[3], int),
                              .welds = {wfData(&b[4], int), wfData(&b[5], int), wfData(&b[6], int), wfData(&b[7], int)},
                              .due = wfData(&b[8], double),
                              .time = 1.0,
                              .early = reach,
                              .late = 2.0f * reach,
                              .lateTime = 0.1f};
    wfLaunch(device, RepulsionWeld, Places, &args);
    wfError err = {0};
    CHECK_OK(wfDownload(device, group, &b[4], 0, (size_t)n, &err) && wfDownload(device, item, &b[5], 0, (size_t)n, &err), err);
    CHECK_OK(wfDownload(device, end, &b[6], 0, (size_t)n, &err) && wfDownload(device, states, &b[7], 0, (size_t)n, &err), err);
    for (int place = 0; place < Places; ++place) {
        int m = first[place + 1] - first[place], o = first[place];
        bool linked[Most][Most], with[Most][Most];
        for (int i = 0; i < m; ++i)
            for (int k = 0; k < m; ++k) linked[i][k] = wfDistance(wfXyz(x[o + i]), wfXyz(x[o + k])) <= 2.0f * reach;
        for (int via = 0; via < m; ++via)
            for (int i = 0; i < m; ++i)
                for (int k = 0; k < m; ++k) linked[i][k] = linked[i][k] || (linked[i][via] && linked[via][k]);
        for (int i = 0; i < m; ++i) {
            double mean[3] = {0}, mass = 0.0, farthest = 0.0;
            for (int k = 0; k < m; ++k)
                for (int c = 0; linked[i][k] && c < 4; ++c)
                    *(c < 3 ? &mean[c] : &mass) += (c < 3 ? (double)(&x[o + k].x)[c] : 1.0) * (double)x[o + k].w;
            for (int k = 0; k < m; ++k) {
                double sq = 0.0;
                for (int c = 0; c < 3; ++c) sq += pow((double)(&x[o + k].x)[c] - mean[c] / mass, 2);
                if (linked[i][k]) farthest = fmax(farthest, sqrt(sq));
            }
            for (int k = 0; k < m; ++k)
                with[i][k] = linked[i][k] && (farthest <= (double)reach || wfDistance(wfXyz(x[o + i]), wfXyz(x[o + k])) == 0.0f);
            split += farthest > (double)reach;
        }
        for (int i = 0; i < m; ++i) {
            int g = group[o + i], size = 0, found = 0, apart = 0;
            for (int k = 0; k < m; ++k) {
                size += with[i][k];
                apart += with[i][k] && wfDistance(wfXyz(x[o + i]), wfXyz(x[o + k])) > 0.0f;
                assert_int_equal(group[o + k] == g, with[i][k]);
            }
            assert_int_equal(end[g] - g, size);
            for (int k = g; k < end[g]; ++k) {
                found += item[k] == o + i;
                assert_true(k == g || item[k] > item[k - 1]);
            }
            assert_int_equal(found, 1);
            assert_int_equal(states[g], size == 1 ? wf_weldOpen : apart > 0 ? wf_weldClosing : wf_weldClosed);
            open += size == 1;
            closed += size > 1 && apart == 0;
            closing += apart > 0;
        }
    }
    print_message("%d vertices: %d open, %d closing, %d closed, %d in chains that are too long\n", n, open, closing, closed, split);
    assert_true(open > 20 && closing > 100 && closed > 20 && split > 20);
    for (int k = 0; k < 9; ++k) wfFreeBuffer(device, &b[k]);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestBalance), cmocka_unit_test(TestHeld), cmocka_unit_test(TestCrossing),
                                       cmocka_unit_test(TestGroups)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
