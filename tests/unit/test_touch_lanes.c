// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/touches_kernels.h"

#include "compute/kernel.h"
#include "scene_fixture.h"

// Contacts are answered in lanes, without branches. Here one after the other, with them: the same numbers.

enum { Cloth = 60, Vertices = 90, Contacts = 301 }; // not whole tiles

typedef struct Bench {
    wfVec4 x[Cloth], from[Vertices], moves[Vertices], out[Contacts];
    wfTouch touches[Contacts];
    wfResponse responses[Contacts];
} Bench;

static unsigned s_random = 1;
static float Random(float most) {
    s_random = s_random * 1664525u + 1013904223u;
    return most * ((float)(s_random >> 8) / 8388608.0f - 1.0f);
}
static wfVec3 Random3(float most) {
    float x = Random(most), y = Random(most);
    return wfMake3(x, y, Random(most));
}

/// Pushing and not, sliding and held, between cloths and with bodies, and some of which nothing can move.
static void FillBench(Bench* b) {
    for (int v = 0; v < Vertices; ++v) {
        b->from[v] = wfMake4(Random3(1.0f), v < Cloth ? 500.0f : 0.0f);
        b->moves[v] = wfMake4(Random3(1e-3f), v % 7 == 0 || v >= Cloth ? 0.0f : 500.0f);
        if (v < Cloth) b->x[v] = wfMake4(wfAdd(wfXyz(b->from[v]), Random3(1e-3f)), 1.0f);
    }
    for (int i = 0; i < Contacts; ++i) {
        wfTouch* touch = &b->touches[i];
        float share = 0.5f + Random(0.5f), other = (1.0f - share) * (0.5f + Random(0.5f));
        const float weights[4] = {1.0f, -share, -other, share + other - 1.0f};
        for (int k = 0; k < 4; ++k) {
            touch->q.v[k] = i % 9 == 0 ? Cloth + (7 * i + k) % (Vertices - Cloth) : (7 * i + 13 * k) % (k == 0 ? Cloth : Vertices);
            touch->w[k] = weights[k];
        }
        wfVec3 normal = wfNormalizeOr(Random3(1.0f), wfMake3(0, 1, 0));
        float friction = i % 3 == 0 ? 0.0f : fabsf(Random(3.0f)), push = fmaxf(Random(1e-6f), 0.0f);
        b->responses[i] = (wfResponse){
            .normal = normal,
            .least = Random(5e-4f),
            .slip = Random3(i % 5 == 0 ? 0.0f : 1e-6f),
            .push = push,
            .aheadSlip = Random3(i % 5 == 0 ? 0.0f : 1e-6f),
            .aheadPush = push + Random(1e-7f),
            .friction = friction,
            .own = i % 9 == 0 ? 0.0f : 300.0f,
            .active = i % 2,
            .rests = i % 4 == 0,
        };
    }
}

static wfVec4 Spring(const Bench* b, int i, float stiffness, float dt, bool released, int* sticking) {
    const wfTouch* touch = &b->touches[i];
    const wfResponse* r = &b->responses[i];
    wfVec3 motion = wfMake3(0.0f, 0.0f, 0.0f);
    float sum = 0.0f;
    for (int k = 0; k < 4; ++k) {
        int v = touch->q.v[k];
        motion = wfMulAdd(motion, touch->w[k], v < Cloth ? wfSub(wfXyz(b->x[v]), wfXyz(b->from[v])) : wfXyz(b->moves[v]));
        sum += fabsf(touch->w[k]);
    }
    float along = wfDot(motion, r->normal), has = 1.0f / (dt * dt), push = has * r->push + stiffness * (r->least - along);
    if (push < 0.0f && (released || !r->rests)) push = 0.0f;
    wfVec3 slip = wfMulAdd(wfScale(r->slip, has), -stiffness, wfMulAdd(motion, -along, r->normal));
    float most = fmaxf(push, 0.0f), wanted = wfLength(slip);
    bool sticks = most > 0.0f && wanted <= r->friction * most;
    if (!sticks) slip = wfScale(slip, wanted > 0.0f ? r->friction * most / wanted : 0.0f);
    *sticking += sticks;
    return wfMake4(wfMulAdd(slip, push, r->normal), push != 0.0f ? stiffness * sum : 0.0f);
}

static wfVec4 Solve(const Bench* b, int i, float carry, wfResponse* out) {
    const wfTouch* touch = &b->touches[i];
    wfResponse r = b->responses[i];
    wfVec3 motion = wfMake3(0.0f, 0.0f, 0.0f);
    float sum = r.active ? 0.0f : r.own;
    for (int k = 0; k < 4; ++k) {
        wfVec4 move = b->moves[touch->q.v[k]];
        motion = wfMulAdd(motion, touch->w[k], wfXyz(move));
        sum += fabsf(touch->w[k]) * move.w;
    }
    float along = wfDot(motion, r.normal), step = sum > 0.0f ? 1.0f / sum : 0.0f;
    float push = fmaxf(r.aheadPush + step * (r.least - along), 0.0f);
    wfVec3 slip = wfMulAdd(r.aheadSlip, -step, wfMulAdd(motion, -along, r.normal));
    float wanted = wfLength(slip);
    if (wanted > r.friction * push) slip = wfScale(slip, r.friction * push / wanted);
    wfVec3 change = wfSub(slip, r.slip);
    float more = push - r.push;
    if ((r.aheadPush - push) * more + wfDot(wfSub(r.aheadSlip, slip), change) > 0.0f) carry = 0.0f;
    float ahead = push + carry * more;
    wfVec3 aheadSlip = wfMulAdd(slip, carry, change);
    wfVec3 given = wfAdd(wfScale(r.normal, ahead - r.aheadPush), wfSub(aheadSlip, r.aheadSlip));
    r.push = push;
    r.slip = slip;
    r.aheadPush = ahead;
    r.aheadSlip = aheadSlip;
    r.active = push > 0.0f || ahead != 0.0f;
    *out = r;
    return wfMake4(given, r.active ? 1.0f : 0.0f);
}

static void CheckRow(const char* what, int i, const float* is, const float* expected, int count) {
    for (int k = 0; k < count; ++k)
        if (is[k] != expected[k]) fail_msg("contact %d: %s %d is %g, expected %g", i, what, k, (double)is[k], (double)expected[k]);
}

static void TestSprings(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    static Bench b;
    const int count = Contacts;
    int sticking = 0;
    for (int round = 0; round < 20; ++round) {
        FillBench(&b);
        for (int i = 0; i < Contacts; ++i) b.responses[i].share = 1.0f / (float)(1 + i % 13);
        TouchSpringArgs args = {&count, b.touches, b.responses, b.x, b.from, b.moves, b.out, Cloth, 700.0f, 0.005f, round % 2 == 1};
        wfLaunch(device, TouchSpring, wfTileCount(4 * Contacts), &args); // more are launched than there are
        for (int i = 0; i < Contacts; ++i) {
            wfVec4 expected = Spring(&b, i, args.stiffness * b.responses[i].share, args.dt, args.released, &sticking);
            CheckRow("force", i, &b.out[i].x, &expected.x, 4);
        }
    }
    assert_in_range(sticking, 100, 20 * Contacts - 100);
    wfDestroyDevice(device);
}

// Limits of edges push along the edge where it is, by what its length lacks, however it has turned.
static void TestLimits(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    static Bench b;
    const int count = Contacts;
    const float stiffness = 700.0f, dt = 0.005f, has = 1.0f / (dt * dt);
    FillBench(&b);
    for (int i = 0; i < Contacts; ++i) {
        float length = 0.005f + Random(0.001f), limit = i % 2 == 0 ? 0.0045f : -0.0055f;
        wfVec3 start = wfScale(wfNormalizeOr(Random3(1.0f), wfMake3(1, 0, 0)), length);
        wfVec3 found =
            wfNormalizeOr(wfMulAdd(start, 0.002f, Random3(1.0f)), wfMake3(1, 0, 0)); // where the edge was when the limit was found
        int first = i % Cloth, last = (i + 7) % Cloth;
        b.touches[i] = (wfTouch){{{first, last, last, last}}, {1, -1, 0, 0}};
        wfResponse* r = &b.responses[i];
        *r = (wfResponse){.normal = wfScale(found, limit > 0.0f ? 1.0f : -1.0f), .slip = start, .friction = -1.0f, .share = 1.0f};
        r->push = i % 5 == 0 ? 1e-7f : 0.0f;
        r->least = limit - wfDot(r->normal, start);
    }
    TouchSpringArgs args = {&count, b.touches, b.responses, b.x, b.from, b.moves, b.out, Cloth, stiffness, dt, false};
    wfLaunch(device, TouchSpring, wfTileCount(Contacts), &args);
    int pushing = 0;
    for (int i = 0; i < Contacts; ++i) {
        const int* v = b.touches[i].q.v;
        const wfResponse* r = &b.responses[i];
        wfVec3 from = wfSub(wfXyz(b.from[v[0]]), wfXyz(b.from[v[1]])), to = wfSub(wfXyz(b.x[v[0]]), wfXyz(b.x[v[1]]));
        wfVec3 end = wfAdd(r->slip, wfSub(to, from));
        float length = wfLength(end), lacks = i % 2 == 0 ? 0.0045f - length : length - 0.0055f;
        float push = fmaxf(has * r->push + stiffness * lacks, 0.0f);
        wfVec3 expected = wfScale(end, (i % 2 == 0 ? push : -push) / length);
        pushing += push > 0.0f;
        for (int k = 0; k < 3; ++k) CHECK_NEAR((&b.out[i].x)[k], (&expected.x)[k], 1e-3f);
    }
    assert_in_range(pushing, 60, Contacts - 60);
    wfDestroyDevice(device);
}

static void TestImpulses(void** state) {
    (void)state;
    wfDevice* device = OpenCpu(2);
    static Bench b, before;
    int active = 0;
    for (int round = 0; round < 20; ++round) {
        FillBench(&b);
        before = b;
        TouchSolveArgs args = {b.touches, b.responses, b.moves, b.out, 0.05f * (float)round, Contacts};
        wfLaunch(device, TouchSolve, wfTileCount(Contacts), &args);
        for (int i = 0; i < Contacts; ++i) {
            wfResponse expected, *is = &b.responses[i];
            wfVec4 given = Solve(&before, i, args.carry, &expected);
            CheckRow("given", i, &b.out[i].x, &given.x, 4);
            CheckRow("slip", i, &is->slip.x, &expected.slip.x, 3);
            CheckRow("slip ahead", i, &is->aheadSlip.x, &expected.aheadSlip.x, 3);
            CheckRow("push", i, &is->push, &expected.push, 1);
            CheckRow("push ahead", i, &is->aheadPush, &expected.aheadPush, 1);
            assert_int_equal(is->active, expected.active);
            active += is->active;
        }
    }
    assert_in_range(active, 100, 20 * Contacts - 100);
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestSprings), cmocka_unit_test(TestLimits), cmocka_unit_test(TestImpulses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
