// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
// Contacts as terms of a step's energy: their force is the derivative of their energy, what they add to the weights bounds how the force
// changes, and forces sum up to nothing where both sides can move.
#include "contact/touches.h"
#include "scene_fixture.h"

#include <stdlib.h>
#include <string.h>

enum { Cloth = 5, Vertices = 8, Contacts = 3 };

typedef struct Bench {
    wfDevice* device;
    wfContactMesh mesh; // the two rows of positions alone
    wfTouches touches;
    wfBuffer x, target, energy;
} Bench;

static void Fill(wfBuffer* buffer, wfDevice* device, const wfVec4* values, size_t count) {
    *buffer = wfMakeBuffer(sizeof(wfVec4), "test");
    wfUpload(device, buffer, values, count);
}

// Two contacts among cloth vertices, one of them with friction, and one with a triangle of a collider that moves.
static Bench MakeBench(void) {
    static const wfVec4 from[Vertices] = {{0.1f, 0.2f, 0, 500},    {0.9f, 0, 0.1f, 400}, {0, 0.1f, 1, 300},    {1, 0.05f, 1, 250},
                                          {0.4f, 0.3f, 0.5f, 450}, {0, -0.1f, 0, 0},     {1, -0.1f, 0.02f, 0}, {0, -0.1f, 1, 0}};
    Bench b = {.device = OpenCpu(1), .mesh = {.clothVertexCount = Cloth, .vertexCount = Vertices}};
    wfVec4 to[Vertices], target[Cloth];
    memcpy(to, from, sizeof to);
    for (int v = Cloth; v < Vertices; ++v) to[v].y += 2e-4f;
    for (int v = 0; v < Cloth; ++v) target[v] = wfMake4(wfXyz(from[v]), 30.0f);
    Fill(&b.mesh.from, b.device, from, Vertices);
    Fill(&b.mesh.to, b.device, to, Vertices);
    Fill(&b.x, b.device, from, Cloth);
    Fill(&b.target, b.device, target, Cloth);
    b.energy = wfMakeBuffer(sizeof(float), "test");
    wfReserve(b.device, &b.energy, 1);
    return b;
}

// `friction` of the second; `rests`: all of them do.
static void AddContacts(Bench* b, float friction, bool rests) {
    wfTouch touches[Contacts] = {{{{4, 0, 1, 2}}, {1, -0.5f, -0.3f, -0.2f}},
                                 {{{0, 3, 1, 2}}, {0.4f, 0.6f, -0.7f, -0.3f}},
                                 {{{1, 5, 6, 7}}, {1, -0.2f, -0.6f, -0.2f}}};
    wfResponse responses[Contacts] = {{.normal = {0, 1, 0}, .least = 3e-4f},
                                      {.normal = {0.6f, 0.8f, 0}, .least = 5e-4f, .friction = friction},
                                      {.normal = {0, 0.8f, 0.6f}, .least = 1e-4f}};
    for (int c = 0; c < Contacts; ++c) {
        responses[c].rests = rests;
        for (int k = 0; k < 4; ++k) {
            float inverse = wfData(&b->mesh.from, wfVec4)[touches[c].q.v[k]].w;
            responses[c].own += touches[c].w[k] * touches[c].w[k] * inverse;
        }
    }
    wfTouches_Create(&b->touches, b->device, &b->mesh, 700.0f);
    wfTouches_MakeRoom(&b->touches, Contacts);
    wfUploadRange(b->device, &b->touches.touches, 0, touches, Contacts);
    wfUploadRange(b->device, &b->touches.responses, 0, responses, Contacts);
    b->touches.count = Contacts;
    wfTouches_Sort(&b->touches);
    wfTouches_Place(&b->touches);
}

static void FreeBench(Bench* b) {
    wfTouches_Free(&b->touches);
    wfBuffer* buffers[] = {&b->mesh.from, &b->mesh.to, &b->x, &b->target, &b->energy};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(b->device, buffers[k]);
    wfDestroyDevice(b->device);
}

static double EnergyAt(Bench* b, const wfStepTerms* terms, const wfVec4* x) {
    wfError err = {0};
    float energy = 0.0f;
    wfUpload(b->device, &b->x, x, Cloth);
    wfUpload(b->device, &b->energy, &energy, 1);
    terms->addEnergy(terms->self, wfData(&b->x, wfVec4), wfData(&b->energy, float));
    CHECK_OK(wfDownload(b->device, &energy, &b->energy, 0, 1, &err), err);
    return energy;
}

// The force and the weight that the terms add to each vertex at x.
static void ForcesAt(Bench* b, const wfStepTerms* terms, const wfVec4* x, wfVec3 force[Cloth], float weight[Cloth]) {
    wfUpload(b->device, &b->x, x, Cloth);
    const wfVec4 *target = wfData(&b->target, wfVec4), *folded = terms->fold(terms->self, wfData(&b->x, wfVec4), target);
    for (int v = 0; v < Cloth; ++v) {
        wfVec3 all = wfScale(wfSub(wfXyz(folded[v]), wfXyz(x[v])), folded[v].w);
        force[v] = wfSub(all, wfScale(wfSub(wfXyz(target[v]), wfXyz(x[v])), target[v].w));
        weight[v] = folded[v].w - target[v].w;
    }
}

static void Shake(const Bench* b, unsigned seed, float size, wfVec4 x[Cloth]) {
    wfVec4* from = wfData(&b->mesh.from, wfVec4);
    for (int v = 0; v < Cloth; ++v) {
        float d[3];
        for (int k = 0; k < 3; ++k) {
            seed = seed * 1664525u + 1013904223u;
            d[k] = size * ((float)(seed >> 8) / 8388608.0f - 1.0f);
        }
        x[v] = wfMake4(wfAdd(wfXyz(from[v]), wfMake3(d[0], d[1], d[2])), from[v].w);
    }
}

static void TestDerivative(void** state) {
    (void)state;
    for (int k = 0; k < 40; ++k) {
        Bench b = MakeBench();
        AddContacts(&b, k % 2 == 0 ? 0.0f : 1e3f, k % 4 < 2); // friction that holds is a spring as well
        wfStepTerms terms = wfTouches_Terms(&b.touches, 0.005f);
        wfVec4 x[Cloth];
        wfVec3 force[Cloth];
        float weight[Cloth];
        Shake(&b, (unsigned)k, 4e-4f, x);
        ForcesAt(&b, &terms, x, force, weight);
        wfVec3 sum = wfMake3(0, 0, 0);
        for (int v = 0; v < Cloth; ++v) {
            const float h = 1.0f / 65536.0f, fx[3] = {force[v].x, force[v].y, force[v].z};
            for (int axis = 0; axis < 3; ++axis) {
                wfVec4 plus[Cloth], minus[Cloth];
                memcpy(plus, x, sizeof x);
                memcpy(minus, x, sizeof x);
                float *p = &plus[v].x + axis, *m = &minus[v].x + axis;
                *p += h;
                *m -= h;
                double slope = (EnergyAt(&b, &terms, plus) - EnergyAt(&b, &terms, minus)) / ((double)*p - *m);
                CHECK_NEAR(-slope, fx[axis], 5e-3); // of up to 0.5 N; springs that begin or end within h
            }
            sum = wfAdd(sum, force[v]);
        }
        // Only the third contact reaches outside.
        wfVec3 ground = wfXyz(wfData(&b.touches.changes, wfVec4)[2]);
        CHECK_NEAR(wfLength(wfSub(sum, ground)), 0.0, 5e-4); // five times a weight of 1500 N/m times the rounding of a position
        FreeBench(&b);
    }
}

// |force(x) - force(y)| stays below the added weights times |x - y|, vertex by vertex, where springs stay as they are.
static void TestBound(void** state) {
    (void)state;
    for (int k = 0; k < 40; ++k) {
        Bench b = MakeBench();
        AddContacts(&b, 1e3f, true);
        wfStepTerms terms = wfTouches_Terms(&b.touches, 0.005f);
        wfVec4 x[Cloth], y[Cloth];
        wfVec3 fx[Cloth], fy[Cloth];
        float weight[Cloth];
        Shake(&b, (unsigned)k, 2e-4f, x);
        Shake(&b, (unsigned)k + 77u, 2e-4f, y);
        ForcesAt(&b, &terms, y, fy, weight);
        ForcesAt(&b, &terms, x, fx, weight);
        double work = 0.0, most = 0.0;
        for (int v = 0; v < Cloth; ++v) {
            wfVec3 d = wfSub(wfXyz(y[v]), wfXyz(x[v]));
            work -= wfDot(d, wfSub(fy[v], fx[v]));
            most += weight[v] * wfDot(d, d);
        }
        assert_true(work >= -1e-9 && work <= 1.001 * most + 1e-9);
        FreeBench(&b);
    }
}

// What rests is pulled back until released, and never after.
static void TestRelease(void** state) {
    (void)state;
    Bench b = MakeBench();
    AddContacts(&b, 0.0f, true);
    wfStepTerms terms = wfTouches_Terms(&b.touches, 0.005f);
    wfVec4 x[Cloth];
    wfVec3 force[Cloth];
    float weight[Cloth];
    memcpy(x, wfData(&b.mesh.from, wfVec4), sizeof x);
    x[4].y += 1e-3f; // leaves its contact by 0.7 mm
    ForcesAt(&b, &terms, x, force, weight);
    CHECK_NEAR(force[4].y, -0.5 * 700.0 * 0.7e-3, 1e-3); // of the stiffness a half: contacts pull at vertex 1 with weights of 2 in all
    terms.release(terms.self);
    ForcesAt(&b, &terms, x, force, weight);
    CHECK_NEAR(force[4].y, 0.0, 1e-4);
    FreeBench(&b);
}

// Contacts share the stiffness of that of their vertices which has most of them; where pushes press it in by more than a tenth of the
// thickness they have more of it, by what the vertex is pushed in all; no more than all of it where they come from farther away.
static void TestShares(void** state) {
    (void)state;
    static const float loads[Cloth] = {0.9f, 2.0f, 0.5f, 0.6f, 1.0f}; // of AddContacts
    const float dt = 0.005f, thickness = 1e-3f, firmAt = 0.1f * thickness * 700.0f * dt * dt;
    const float pushes[4][Contacts] = {{0, 0, 0}, {0.0f, 0.8f * firmAt, 0.0f}, {50.0f * firmAt, 0, 0}, {50.0f * firmAt, 0, 0}};
    for (int k = 0; k < 4; ++k) {
        Bench b = MakeBench();
        AddContacts(&b, 0.0f, true);
        if (k == 3) wfData(&b.touches.responses, wfResponse)[1].least = -1e-4f;
        b.mesh.thickest = 0.5f * thickness;
        for (int c = 0; c < Contacts; ++c) wfData(&b.touches.responses, wfResponse)[c].push = pushes[k][c];
        wfTouches_Terms(&b.touches, dt);
        const wfTouch* touches = wfData(&b.touches.touches, wfTouch);
        float pushed[Cloth] = {0};
        for (int c = 0; c < Contacts; ++c)
            for (int j = 0; j < 4; ++j)
                if (touches[c].q.v[j] < Cloth) pushed[touches[c].q.v[j]] += fabsf(touches[c].w[j]) * pushes[k][c];
        for (int c = 0; c < Contacts; ++c) {
            float most = 1.0f, firm = 0.0f;
            for (int j = 0; j < 4; ++j) {
                int v = touches[c].q.v[j];
                if (v >= Cloth) continue;
                most = fmaxf(most, loads[v]);
                firm = fmaxf(firm, pushed[v] / firmAt / fmaxf(loads[v], 1.0f));
            }
            CHECK_NEAR(wfData(&b.touches.responses, wfResponse)[c].share, fminf(fmaxf(1.0f / most, firm), k == 3 && c == 1 ? 1.0f : 8.0f),
                       1e-5);
        }
        FreeBench(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestDerivative),
        cmocka_unit_test(TestBound),
        cmocka_unit_test(TestRelease),
        cmocka_unit_test(TestShares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
