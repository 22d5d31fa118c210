// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
// What contacts push is carried from step to step: what is kept of it, and who gets it, against plain loops; and what it is good for,
// cloth that is wrung.
#include "contact/carry.h"
#include "random_vectors.h"
#include "scene_fixture.h"

#include <math.h>

// ---- against plain loops ------------------------------------------------------------------------------------------------------

enum { Cloth = 12, FirstBody = Cloth, Vertices = 18, Contacts = 400 }; // one vertex of a body, and those of another
static const float s_dt = 0.004f;

typedef struct Bench {
    wfDevice* device;
    wfContactMesh mesh; // the two rows of positions alone
    wfTouches touches;
    wfTouch touch[Contacts];
    wfResponse response[Contacts];
    wfBuffer before, after, scratch;
    wfVec4 v[2][Cloth]; // before, after
} Bench;

static int Pick(int count) { return (int)Random(0.0f, (float)count - 0.01f); }

static bool IsLimit(int contact) { return contact % 9 == 4; }

// Pairs of few vertices, so that many are there twice, in both kinds and among them limits on edges; vertex 3 is held.
static void AddContacts(Bench* b) {
    for (int c = 0; c < Contacts; ++c) {
        wfTouch* t = &b->touch[c];
        float u = Random(0.05f, 0.95f);
        bool edges = c % 2 == 0;
        for (int k = 0; k < 3; ++k) t->q.v[k] = k == 0 ? Pick(Cloth) : Pick(3) + 3 * k;
        t->q.v[3] = Pick(Cloth);
        if (c % 40 == 1) t->q = (wfQuad){{0, 1, 2, c % 3 == 0 ? FirstBody : FirstBody + 1 + Pick(Vertices - Cloth - 1)}};
        if (IsLimit(c)) t->q.v[2] = t->q.v[3] = t->q.v[1];
        for (int k = 0; k < 4; ++k)
            t->w[k] = edges ? (k == 0 ? u : k == 1 ? 1.0f - u : -0.5f) : (k == 0 ? 1.0f : k == 1 ? -u : -0.5f * (1.0f - u));
        b->response[c] = (wfResponse){.normal = RandomDirection(), .friction = Random(0.0f, 1.0f), .push = Random(-1e-6f, 2e-6f)};
        if (b->response[c].push < 0.0f) b->response[c].push = 0.0f;
        b->response[c].slip = wfScale(RandomDirection(), 0.5f * b->response[c].push);
    }
    b->touches.count = 0;
    wfTouches_MakeRoom(&b->touches, Contacts);
    wfUploadRange(b->device, &b->touches.touches, 0, b->touch, Contacts);
    wfUploadRange(b->device, &b->touches.responses, 0, b->response, Contacts);
    b->touches.count = Contacts;
    wfTouches_Sort(&b->touches);
}

static Bench MakeBench(void) {
    Bench b = {.device = OpenCpu(1), .mesh = {.clothVertexCount = Cloth, .vertexCount = Vertices}};
    wfVec4 from[Vertices];
    for (int i = 0; i < Vertices; ++i) from[i] = wfMake4(RandomDirection(), i < Cloth && i != 3 ? Random(2e3f, 9e3f) : 0.0f);
    int surfaceOf[Vertices];
    for (int i = 0; i < Vertices; ++i) surfaceOf[i] = i < Cloth ? 0 : i == FirstBody ? 1 : 2;
    b.mesh.surfaceOf = wfMakeBuffer(sizeof(int), "test");
    wfUpload(b.device, &b.mesh.surfaceOf, surfaceOf, Vertices);
    b.mesh.from = wfMakeBuffer(sizeof(wfVec4), "test");
    wfUpload(b.device, &b.mesh.from, from, Vertices);
    for (int k = 0; k < 2; ++k)
        for (int i = 0; i < Cloth; ++i) b.v[k][i] = wfMake4(wfScale(RandomDirection(), 2.5f), 0.0f);
    b.before = b.after = wfMakeBuffer(sizeof(wfVec4), "test");
    wfUpload(b.device, &b.before, b.v[0], Cloth);
    wfUpload(b.device, &b.after, b.v[1], Cloth);
    b.scratch = wfMakeBuffer(1, "test");
    return b;
}

static void FreeBench(Bench* b) {
    wfTouches_Free(&b->touches);
    wfBuffer* buffers[] = {&b->mesh.from, &b->mesh.surfaceOf, &b->before, &b->after, &b->scratch};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(b->device, buffers[k]);
    wfDestroyDevice(b->device);
}

static bool IsKept(const Bench* b, int c) { return b->response[c].push > 0.0f && !IsLimit(c); }

static wfVec3 ForceOf(const wfResponse* r) { return wfScale(wfAdd(r->slip, wfScale(r->normal, r->push)), 1.0f / (s_dt * s_dt)); }

// Of the force that contacts give a vertex what its change of velocity leaves; the sums are even where a thousandth of their squares
// counts.
static double StaysAt(const Bench* b, int vertex) {
    wfVec3 sum = wfMake3(0, 0, 0);
    double all = 0.0, inverse = wfData(&b->mesh.from, wfVec4)[vertex].w;
    for (int c = 0; c < Contacts; ++c)
        for (int k = 0; k < 4; ++k) {
            if (!IsKept(b, c) || b->touch[c].q.v[k] != vertex) continue;
            wfVec3 force = ForceOf(&b->response[c]);
            sum = wfAdd(sum, wfScale(force, b->touch[c].w[k]));
            all += (double)(fabsf(b->touch[c].w[k]) * wfLength(force));
        }
    bool first = false, second = false; // which bodies push it
    for (int c = 0; c < Contacts; ++c)
        for (int k = 0; k < 4 && IsKept(b, c); ++k)
            if (b->touch[c].q.v[k] == vertex && b->touch[c].w[k] != 0.0f && inverse > 0.0) {
                first = first || b->touch[c].q.v[3] == FirstBody;
                second = second || b->touch[c].q.v[3] > FirstBody;
            }
    if (first && second) return 0.0;
    if (inverse == 0.0 || all == 0.0) return 1.0;
    double taken = (double)wfDot(wfSub(wfXyz(b->v[1][vertex]), wfXyz(b->v[0][vertex])), sum) / (inverse * (double)s_dt);
    return fmin(fmax(1.0 - taken / ((double)wfLengthSq(sum) + 1e-3 * all * all), 0.0), 1.0);
}

static int Lowest(const wfQuad* q) {
    int lowest = q->v[0];
    for (int k = 1; k < 4; ++k) lowest = q->v[k] < lowest ? q->v[k] : lowest;
    return lowest;
}

static bool AreEdges(const wfTouch* t) { return t->w[1] > 0.0f; }

static wfVec3 KeptForce(const Bench* b, int c) {
    double stays = 1.0;
    for (int k = 0; k < 4; ++k)
        if (b->touch[c].q.v[k] < Cloth) stays = fmin(stays, StaysAt(b, b->touch[c].q.v[k]));
    return wfScale(ForceOf(&b->response[c]), (float)stays);
}

static void TestKeepAndGive(void** state) {
    (void)state;
    Bench b = MakeBench();
    wfTouches_Create(&b.touches, b.device, &b.mesh, 700.0f);
    wfCarry carry = wfMakeCarry();
    AddContacts(&b);
    wfCarry_Keep(&carry, &b.touches, wfData(&b.before, wfVec4), wfData(&b.after, wfVec4), s_dt, &b.scratch);
    const wfCarried* kept = (const wfCarried*)wfData(&carry.contacts, wfVec4);
    int at = 0, partly = 0, squeezed = 0;
    for (int vertex = 0; vertex < Cloth; ++vertex)
        for (int c = 0; c < Contacts; ++c) {
            if (!IsKept(&b, c) || Lowest(&b.touch[c].q) != vertex) continue;
            assert_memory_equal(&kept[at].q, &b.touch[c].q, sizeof(wfQuad));
            assert_int_equal(kept[at].edges, AreEdges(&b.touch[c]));
            wfVec3 expected = KeptForce(&b, c), whole = ForceOf(&b.response[c]);
            CHECK_NEAR(wfLength(wfSub(kept[at].force, expected)), 0.0, 1e-4 * (double)wfLength(whole));
            partly += wfLength(expected) < 0.9f * wfLength(whole) && wfLength(expected) > 0.1f * wfLength(whole);
            squeezed += wfLength(expected) == 0.0f;
            ++at;
        }
    assert_int_equal(at, carry.contacts.count * sizeof(wfVec4) / sizeof(wfCarried));
    assert_true(partly > 20 && squeezed > 5);

    // To others, of which some are the same pairs, in a step of another length.
    Bench last = b;
    const float dt = 0.5f * s_dt;
    int count = Contacts / 2, given = 0;
    AddContacts(&b);
    for (int c = 0; c < Contacts; c += 3) b.touch[c] = last.touch[Contacts - 1 - c];
    for (int c = 0; c < Contacts; ++c) b.response[c].push *= 0.1f; // so that some get more
    wfUploadRange(b.device, &b.touches.touches, 0, b.touch, Contacts);
    wfUploadRange(b.device, &b.touches.responses, 0, b.response, Contacts);
    wfCarry_Give(&carry, &b.touches, count, dt);
    const wfResponse* now = wfData(&b.touches.responses, wfResponse);
    for (int c = 0; c < Contacts; ++c) {
        wfVec3 force = wfMake3(0, 0, 0);
        for (int k = 0; k < Contacts && c < count; ++k) {
            bool same = memcmp(&last.touch[k].q, &b.touch[c].q, sizeof(wfQuad)) == 0 && AreEdges(&last.touch[k]) == AreEdges(&b.touch[c]);
            if (same && IsKept(&last, k)) force = wfAdd(force, KeptForce(&last, k));
        }
        force = wfScale(force, dt * dt);
        float push = wfDot(force, b.response[c].normal);
        if (push > b.response[c].push) {
            wfVec3 slip = wfSub(force, wfScale(b.response[c].normal, push));
            float most = b.response[c].friction * push, length = wfLength(slip);
            if (length > most) slip = wfScale(slip, most / length);
            CHECK_NEAR(now[c].push, push, 1e-4 * (double)push);
            CHECK_NEAR(wfLength(wfSub(now[c].slip, slip)), 0.0, 1e-4 * (double)push);
            ++given;
        } else {
            assert_memory_equal(&now[c], &b.response[c], sizeof(wfResponse));
        }
        CHECK_NEAR(now[c].aheadPush, push > b.response[c].push ? now[c].push : b.response[c].aheadPush, 0.0);
    }
    assert_true(given > 5);
    wfCarry_Free(&carry, b.device);
    FreeBench(&b);
}

// ---- cloth that is wrung ------------------------------------------------------------------------------------------------------

// Both ends of a sheet turn against each other, a turn a second between them.
static wfScene* MakeWrung(wfDevice* device, float timeStep) {
    enum { N = 14 };
    wfSceneDef def = wfDefaultSceneDef();
    def.time_step = timeStep;
    def.gravity = wfMake3(0, 0, 0);
    strcpy(def.dynamics, "multilevel");
    wfScene* scene = NewScene(device, &def);
    Grid grid = MakeGrid(N, N, 0.5f, 0.5f, wfMake3(-0.25f, 0, -0.25f));
    wfClothDef cloth = GridCloth(&grid, "sheet");
    cloth.fabric.density = 0.2f;
    cloth.fabric.stretch = 1000.0f;
    cloth.fabric.friction = 0.2f;
    cloth.fabric.thickness = 0.001f;
    wfClothId id = AddCloth(scene, &cloth);
    FreeGrid(&grid);
    for (int end = 0; end < 2; ++end) {
        int held[N];
        wfKey keys[9]; // by quarters of a turn, so that they go the right way round
        for (int k = 0; k < N; ++k) held[k] = k * N + end * (N - 1);
        for (int k = 0; k < 9; ++k) {
            float half = (end == 0 ? 0.25f : -0.25f) * 3.14159265f * (float)k;
            keys[k] = (wfKey){0.5f * (float)k, {0, 0, 0}, {sinf(half), 0, 0, cosf(half)}};
        }
        wfPinDef pin = wfDefaultPinDef();
        pin.cloth = id;
        pin.vertices = held;
        pin.vertexCount = N;
        pin.interpolation = wf_interpolateLinear;
        pin.keys = keys;
        pin.keyCount = 9;
        AddPin(scene, &pin);
    }
    Commit(scene);
    return scene;
}

// While steps began without the forces of the last one, springs gave way by many times the thickness, whatever the length of the step: the
// shorter ones here were cut into 12 to 16 a frame from the second half of the second turn on.
static void TestWrung(void** state) {
    (void)state;
    if (WF_SLOW_BUILD) skip();
    wfDevice* device = OpenCpu(2);
    wfScene *scene = MakeWrung(device, 1.0f / 120.0f), *fine = MakeWrung(device, 1.0f / 240.0f);
    for (int frame = 1; frame <= 84; ++frame) {
        wfError err = {0};
        wfCertificate c, small;
        StepFrames(scene, 1);
        StepFrames(fine, 1);
        CHECK_OK(wfScene_Certify(scene, true, &c, &err), err);
        CHECK_OK(wfScene_Certify(fine, false, &small, &err), err);
        assert_int_equal(c.intersectingPairs, 0);
        if (c.stepCount > 4 || small.stepCount > 8) fail_msg("frame %d: %d and %d steps", frame, c.stepCount, small.stepCount);
        if (frame % 10 == 0) CHECK_NEAR(c.elasticEnergy, small.elasticEnergy, 0.05 * small.elasticEnergy);
    }
    wfDestroyScene(scene);
    wfDestroyScene(fine);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestKeepAndGive), cmocka_unit_test(TestWrung)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
