// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// A test framework without any dependency, for a bare GPU machine. Each test runs once per device; ENSURE prints the place and goes on.

#include "compute/primitives.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int g_checks, g_failures;

#define ENSURE(condition, ...)                                            \
    do {                                                                  \
        g_checks += 1;                                                    \
        if (!(condition)) {                                               \
            g_failures += 1;                                              \
            fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, __func__); \
            fprintf(stderr, __VA_ARGS__);                                 \
            fprintf(stderr, "\n");                                        \
        }                                                                 \
    } while (0)

#define ENSURE_NEAR(a, b, tolerance)                                                                                                     \
    ENSURE(fabs((double)(a) - (double)(b)) <= (tolerance), "%s = %.9g, %s = %.9g, more than %g apart", #a, (double)(a), #b, (double)(b), \
           (double)(tolerance))

/// A small fixed random sequence.
static inline uint32_t NextRandom(uint32_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static inline float NextFloat(uint32_t* state) { return (float)(NextRandom(state) >> 8) / 8388608.0f - 1.0f; } // [-1, 1)

/// How much all that follows depends on the last bit: 0 is the scene itself, others are moved by a bit here and there.
static inline float Ripple(float value, int ripple, int i) {
    int pattern = (i * 7919 + ripple * 104729) % 5 - 2;
    return ripple == 0 || pattern == 0 ? value : nextafterf(value, pattern > 0 ? INFINITY : -INFINITY);
}

/// The tests of one file: `reference` is the CPU with one thread.
void TestSdf(wfDevice* reference, wfDevice* device);
void TestPrimitives(wfDevice* reference, wfDevice* device);
void TestGraphs(wfDevice* reference, wfDevice* device);
void TestFaults(wfDevice* reference, wfDevice* device);
void TestBroad(wfDevice* reference, wfDevice* device);
void TestCandidates(wfDevice* reference, wfDevice* device);
void TestCcd(wfDevice* reference, wfDevice* device);
void TestStep(wfDevice* reference, wfDevice* device);
void TestModels(wfDevice* reference, wfDevice* device);
void TestScene(wfDevice* reference, wfDevice* device);
void TestRows(wfDevice* reference, wfDevice* device);
void TestSeams(wfDevice* reference, wfDevice* device);
void TestLimit(wfDevice* reference, wfDevice* device);
void TestViscosity(wfDevice* reference, wfDevice* device);
void TestPressure(wfDevice* reference, wfDevice* device);
void TestExplicit(wfDevice* reference, wfDevice* device);
void TestImpulse(wfDevice* reference, wfDevice* device);
void TestUntangle(wfDevice* reference, wfDevice* device);
void TestSoften(wfDevice* reference, wfDevice* device);
void TestRepulsion(wfDevice* reference, wfDevice* device);
void TestHierarchy(wfDevice* reference, wfDevice* device);
