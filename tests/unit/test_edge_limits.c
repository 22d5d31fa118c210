// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "compute/kernel.h"
#include "contact/impulse_kernels.h"
#include "math/vec.h"
#include "scene_fixture.h"

// Limits on what impulses do to the length of an edge: on its length, however it turns, and with the motion that ends just at the limit.

enum { Vertices = 2 };

typedef struct Bench {
    wfVec4 from[Vertices], to[Vertices], proposed[Vertices];
    float rest;
    uint8_t answered;
    int over, list;
    wfTouch touches[2]; // the second is for the limit
    wfResponse responses[2];
    wfPair limited;
} Bench;

static const wfEdgeLimits s_limits = {.strain = 0.1f, .rate = 0.1f};

/// An edge from the origin, as a length and an angle to x, at the beginning and at the end of the step and as the dynamics proposed it.
static Bench MakeEdge(float rest, float start, float end, float proposed, float turn) {
    Bench b = {.rest = rest};
    b.from[0] = b.to[0] = b.proposed[0] = wfMake4(wfMake3(0.2f, -0.1f, 0.3f), 500.0f);
    b.from[1] = wfMake4(wfAdd(wfXyz(b.from[0]), wfMake3(start, 0.0f, 0.0f)), 300.0f);
    wfVec3 along = wfMake3(cosf(turn), 0.6f * sinf(turn), 0.8f * sinf(turn));
    b.to[1] = wfMake4(wfMulAdd(wfXyz(b.to[0]), end, along), 300.0f);
    b.proposed[1] = wfMake4(wfMulAdd(wfXyz(b.from[0]), proposed, along), 300.0f);
    return b;
}

static TouchEdgeArgs Args(Bench* b) {
    static const wfPair edge = {0, 1};
    return (TouchEdgeArgs){.from = b->from,
                           .to = b->to,
                           .proposed = b->proposed,
                           .edges = &edge,
                           .rest = &b->rest,
                           .list = &b->list,
                           .answered = &b->answered,
                           .flags = &b->over,
                           .touches = b->touches,
                           .responses = b->responses,
                           .limited = &b->limited,
                           .first = 1,
                           .limits = s_limits};
}

static bool IsOver(wfDevice* device, Bench* b) {
    TouchEdgeArgs args = Args(b);
    wfLaunch(device, EdgeOver, 1, &args);
    return b->over != 0;
}

/// How far the ends are to part along the limit's normal, less how far they do: what the limit still asks for.
static float Missing(const Bench* b) {
    const wfTouch* touch = &b->touches[1];
    float along = 0.0f;
    for (int k = 0; k < 4; ++k) {
        int v = touch->q.v[k];
        along += touch->w[k] * wfDot(b->responses[1].normal, wfSub(wfXyz(b->to[v]), wfXyz(b->from[v])));
    }
    return b->responses[1].least - along;
}

// The first of the cases was held when limits were along the edge as it had begun, where a turn by a third of a right angle looks like a
// loss of an eighth of the length: the tips of folds on a ball were stretched by up to a tenth for it.
static void TestLength(void** state) {
    (void)state;
    static const struct {
        float start, end, proposed, turn, wanted; // wanted: the length that the limit leads to; 0: there is none
    } cases[] = {
        {1.00f, 1.00f, 1.00f, 0.6f, 0.0f},   // turns
        {1.00f, 1.09f, 1.00f, 1.2f, 0.0f},   // within both limits
        {1.00f, 1.20f, 1.00f, 0.0f, 1.1f},   // stretched
        {1.00f, 1.20f, 1.00f, 1.5f, 1.1f},   // and turned
        {1.00f, 0.80f, 1.00f, -0.7f, 0.9f},  // shrunk and turned
        {1.00f, 1.20f, 1.18f, 0.9f, 1.18f},  // no farther than the dynamics wants
        {1.00f, 0.80f, 0.84f, 0.9f, 0.84f},  // …
        {1.00f, 1.20f, 1.25f, 0.9f, 0.0f},   // which wants more
        {1.05f, 1.14f, 1.05f, 0.9f, 1.1f},   // the strain counts
        {0.85f, 0.99f, 0.85f, 0.9f, 0.935f}, // the rate counts
        {1.20f, 1.25f, 1.20f, 0.9f, 1.2f},   // beyond the limit already: no farther
    };
    wfDevice* device = OpenCpu(1);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        const float rest = 0.005f;
        Bench b = MakeEdge(rest, rest * cases[k].start, rest * cases[k].end, rest * cases[k].proposed, cases[k].turn);
        bool over = IsOver(device, &b);
        if (over != (cases[k].wanted > 0.0f)) fail_msg("case %d: %s", (int)k, over ? "over its limits" : "within its limits");
        if (!over) continue;
        TouchEdgeArgs args = Args(&b);
        wfLaunch(device, TouchEdge, 1, &args);
        assert_true(b.limited.a == 1 && b.limited.b == 0);
        float missing = Missing(&b);
        CHECK_NEAR(missing, rest * fabsf(cases[k].wanted - cases[k].end), 1e-7f); // positions are rounded to 3e-8 m
        assert_true(b.answered == 1 && !IsOver(device, &b));                      // once
        // Moved along the normal by what is missing, it has the length that is wanted.
        b.to[1] = wfMake4(wfMulAdd(wfXyz(b.to[1]), missing, b.responses[1].normal), b.to[1].w);
        float length = wfLength(wfSub(wfXyz(b.to[1]), wfXyz(b.to[0])));
        CHECK_NEAR(length, rest * cases[k].wanted, 1e-7f);
    }
    wfDestroyDevice(device);
}

// For another end and another proposal the limit is the one that would be found there, but also where it is kept: then it asks for nothing.
static void TestAnew(void** state) {
    (void)state;
    static const struct {
        float end, proposed, turn, missing;
    } cases[] = {{1.2f, 1.0f, 0.9f, 0.1f},
                 {0.8f, 1.0f, -0.4f, 0.1f},
                 {1.2f, 1.2f, 2.0f, 0.0f},
                 {1.04f, 1.0f, 0.3f, -0.06f},
                 {0.93f, 1.0f, 0.3f, -0.03f}};
    wfDevice* device = OpenCpu(1);
    const float rest = 0.005f;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        Bench b = MakeEdge(rest, rest, 1.3f * rest, rest, 0.2f);
        TouchEdgeArgs args = Args(&b);
        wfLaunch(device, TouchEdge, 1, &args);
        b.responses[1].push = b.responses[1].aheadPush = 1e-6f; // of the turn before
        Bench other = MakeEdge(rest, rest, rest * cases[k].end, rest * cases[k].proposed, cases[k].turn);
        memcpy(b.to, other.to, sizeof b.to);
        memcpy(b.proposed, other.proposed, sizeof b.proposed);
        wfLaunch(device, TouchEdgeAnew, 1, &args);
        assert_true(b.responses[1].push == 0.0f && b.responses[1].aheadPush == 0.0f);
        CHECK_NEAR(Missing(&b), rest * cases[k].missing, 1e-7f);
        // While the dynamics iterates it has the span that it began with.
        wfLaunch(device, TouchEdgeSpan, 1, &args);
        CHECK_NEAR(b.responses[1].slip.x, -(b.from[0].x - b.from[1].x), 1e-9f);
        assert_true(b.responses[1].friction < 0.0f);
    }
    wfDestroyDevice(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestLength), cmocka_unit_test(TestAnew)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
