// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "harness.h"

#include "contact/repulsion_kernels.h"

// The soft phase by itself, on rows made for it: more vertices than a GPU takes at once, rows that are empty, kept, and longer than what is
// kept from step to step, and all kinds of items, most of which act.

enum { Side = 400, Count = 150001, Longest = 13, Slices = (Count + wf_repulsionSlice - 1) / wf_repulsionSlice };

typedef struct Made {
    wfVec4* x;
    int *counts, *starts, *items, *clothOf;
    wfVec2* acts;
    int used;
} Made;

/// One near i in the square that they lie in.
static int Neighbour(int i, int k) {
    static const int across[Longest] = {1, 0, 2, -1, 0, 0, -2, 1, 0, 3, -1, 2, -3},
                     down[Longest] = {0, 1, 0, 0, -1, 2, 0, 1, -2, 0, -1, 1, 1};
    int dx = i % Side + across[k] < 0 || i % Side + across[k] >= Side ? -across[k] : across[k], j = i + dx + down[k] * Side;
    return j >= 0 && j < Count ? j : i - Side >= 0 ? i - Side : i + Side;
}

// Of every so-many-th vertex; nothing acts on the others.
static void MakeRows(Made* m, const wfRepulsionRules* rules, int every) {
    uint32_t random = 99;
    m->used = 0;
    for (int i = 0; i < Count; ++i) {
        wfVec3 p =
            wfMake3((float)(i % Side) + 0.2f * NextFloat(&random), (float)(i / Side) + 0.2f * NextFloat(&random), NextFloat(&random));
        m->x[i] = wfMake4(wfScale(p, 1.3f * rules->mean), 1e-5f);
        m->counts[i] = i % 7 == 0 || i % every > 0 ? 0 : i % (Longest + 1);
        m->clothOf[i] = i % 3;
    }
    for (int s = 0; s < Slices; ++s) {
        int most = 0;
        m->starts[s] = m->used;
        for (int v = 0; v < wf_repulsionSlice; ++v) {
            int i = s * wf_repulsionSlice + v, count = i < Count ? m->counts[i] : 0;
            most = count > most ? count : most;
            for (int k = 0; k < count; ++k) {
                int at = m->used + k * wf_repulsionSlice + v, j = Neighbour(i, k), kind = (i + k) % 3;
                float sq = wfLengthSq(wfSub(wfXyz(m->x[i]), wfXyz(m->x[j])));
                m->items[at] = wfRepulsion_Item(j, kind);
                m->acts[at].x = kind == wf_repelPair ? (float)m->clothOf[j] : sq;
                m->acts[at].y = 1.0f / rules->slack;
            }
        }
        m->used += most * wf_repulsionSlice;
    }
}

static void Soften(wfDevice* device, const Made* m, const wfRepulsionRules* rules, int rounds, wfVec4* out, int* touched) {
    enum { Vectors = 10 };
    wfBuffer vectors[Vectors], counts = wfMakeBuffer(sizeof(int), "counts"), starts = wfMakeBuffer(sizeof(int), "starts");
    wfBuffer items = wfMakeBuffer(sizeof(int), "items"), acts = wfMakeBuffer(sizeof(wfVec2), "acts");
    wfBuffer clothOf = wfMakeBuffer(sizeof(int), "clothOf"), friction = wfMakeBuffer(sizeof(wfFriction), "friction");
    wfBuffer verdict = wfMakeBuffer(sizeof(wfRepulsionVerdict), "verdict"), touch = wfMakeBuffer(sizeof(int), "touched");
    wfBuffer going = wfMakeBuffer(sizeof(int), "going"), wait = wfMakeBuffer(sizeof(wfRoundsWait), "wait");
    wfVec4* moved = malloc(Count * sizeof *moved);
    wfFriction mu[9];
    wfRepulsionVerdict nothing;
    wfError err = {0};
    memset(&nothing, 0xff, sizeof nothing);
    for (int k = 0; k < 9; ++k) mu[k] = (wfFriction){0.1f * (float)(k + 1), 0.08f * (float)(k + 1)};
    for (int k = 0; k < Vectors; ++k) {
        vectors[k] = wfMakeBuffer(sizeof(wfVec4), "vectors");
        wfUpload(device, &vectors[k], m->x, Count);
    }
    uint32_t random = 7;
    for (int i = 0; i < Count; ++i) { // where the round begins; every 50th is held
        wfVec3 by = wfMake3(NextFloat(&random), NextFloat(&random), NextFloat(&random));
        moved[i] = wfMake4(wfMulAdd(wfXyz(m->x[i]), rules->step, by), i % 50 == 3 ? 1.0f : 0.0f);
    }
    wfUpload(device, &vectors[0], moved, Count);
    for (int i = 0; i < Count; ++i) moved[i] = wfMake4(wfMake3(0.0f, 0.0f, i % 4 == 0 ? 1.0f : 0.0f), i % 4 == 0 ? 0.0f : -1.0f);
    wfUpload(device, &vectors[1], moved, Count);
    wfUpload(device, &counts, m->counts, Count);
    wfUpload(device, &starts, m->starts, Slices);
    wfUpload(device, &items, m->items, (size_t)m->used);
    wfUpload(device, &acts, m->acts, (size_t)m->used);
    wfUpload(device, &clothOf, m->clothOf, Count);
    wfUpload(device, &friction, mu, 9);
    wfUpload(device, &verdict, &nothing, 1);
    wfReserve(device, &touch, Count);
    wfReserve(device, &going, Count);
    wfReserve(device, &wait, 1);
    wfZero(device, &wait);
    RepulsionSoftArgs args = {
        .init = wfData(&vectors[0], wfVec4),
        .plane = wfData(&vectors[1], wfVec4),
        .xStart = wfData(&vectors[2], wfVec4),
        .one = wfData(&vectors[3], wfVec4),
        .two = wfData(&vectors[4], wfVec4),
        .rounds = rounds,
        .steps = rounds,
        .items = wfData(&going, int),
        .wait = wfData(&wait, wfRoundsWait),
        .out = wfData(&vectors[5], wfVec4),
        .reference = wfData(&vectors[6], wfVec4),
        .limit = 1.0f,
        .project = wfData(&vectors[7], wfVec4),
        .goal = wfData(&vectors[8], wfVec4),
        .clothOf = wfData(&clothOf, int),
        .friction = wfData(&friction, wfFriction),
        .active = {wfData(&counts, int), wfData(&starts, int), wfData(&items, int), wfData(&acts, wfVec2), NULL, m->used},
        .verdict = wfData(&verdict, wfRepulsionVerdict),
        .rules = *rules,
        .surfaceCount = 3,
        .base = wfData(&vectors[2], wfVec4),
        .target = wfData(&vectors[9], wfVec4),
        .coupling = 80000.0f,
        .ahead = rules->step,
        .touched = wfData(&touch, int),
    };
    for (int k = 0; k < 2; ++k) { // a launch leaves all as the next needs it
        wfLaunch(device, RepulsionAlone, Count, &args);
        wfLaunch(device, RepulsionSoft, Count, &args);
    }
    wfRepulsionVerdict found;
    bool ok = wfDownload(device, out, &vectors[5], 0, Count, &err) && wfDownload(device, moved, &vectors[7], 0, Count, &err) &&
              wfDownload(device, touched, &touch, 0, Count, &err) && wfDownload(device, &found, &verdict, 0, 1, &err);
    ENSURE(ok, "%s", err.text);
    ENSURE(found.violated == nothing.violated, "vertex %d has gone too far", (int)(found.violated >> 8));
    float worst = 0.0f; // y is pushed as x is, and stays near it
    for (int i = 0; i < Count; ++i) worst = fmaxf(worst, wfDistance(wfXyz(moved[i]), wfXyz(out[i])));
    ENSURE(worst <= 1.001f * rules->step, "x and y are %g m apart", (double)worst);
    wfBuffer* all[] = {&counts, &starts, &items, &acts, &clothOf, &friction, &verdict, &touch, &going, &wait};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k) wfFreeBuffer(device, all[k]);
    for (int k = 0; k < Vectors; ++k) wfFreeBuffer(device, &vectors[k]);
    free(moved);
}

void TestSoften(wfDevice* reference, wfDevice* device) {
    wfRepulsionRules rules = wfMakeRepulsionRules(0.005f);
    Made made = {
        .x = malloc(Count * sizeof(wfVec4)),
        .counts = malloc(Count * sizeof(int)),
        .starts = malloc(Slices * sizeof(int)),
        .items = calloc((size_t)Slices * wf_repulsionSlice * Longest, sizeof(int)),
        .clothOf = malloc(Count * sizeof(int)),
        .acts = calloc((size_t)Slices * wf_repulsionSlice * Longest, sizeof(wfVec2)),
    };
    wfVec4 *want = malloc(Count * sizeof *want), *got = malloc(Count * sizeof *got);
    int *wantTouched = malloc(Count * sizeof(int)), *gotTouched = malloc(Count * sizeof(int));
    static const struct {
        int every, steps; // every tenth: few enough that lanes keep what they need
    } cases[] = {{1, 1}, {1, 2}, {1, 6}, {10, 2}, {10, 6}, {Count + 1, 6}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; ++n) {
        int rounds = cases[n].steps;
        MakeRows(&made, &rules, cases[n].every);
        Soften(reference, &made, &rules, rounds, want, wantTouched);
        Soften(device, &made, &rules, rounds, got, gotTouched);
        float worst = 0.0f, way = 0.0f;
        int touched = 0, differ = 0; // a push that has just begun may be none on another machine
        for (int i = 0; i < Count; ++i) {
            touched += wantTouched[i] != 0;
            differ += (wantTouched[i] != 0) != (gotTouched[i] != 0);
            worst = fmaxf(worst, wfDistance(wfXyz(want[i]), wfXyz(got[i])));
            way = fmaxf(way, wfDistance(wfXyz(want[i]), wfXyz(made.x[i])));
        }
        ENSURE(worst <= 1e-6f, "%d steps: %g m apart", rounds, (double)worst);
        ENSURE(touched > Count / 10 && touched < Count && differ <= Count / 1000, "%d steps: %d are touched, %d differ", rounds, touched,
               differ);
        ENSURE(way > 2.0f * rules.step, "%d steps: nothing has moved by more than %g m", rounds, (double)way);
    }
    free(made.x);
    free(made.counts);
    free(made.starts);
    free(made.items);
    free(made.clothOf);
    free(made.acts);
    free(want);
    free(got);
    free(wantTouched);
    free(gotTouched);
}
