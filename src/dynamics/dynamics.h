// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The seam of dynamics: how x moves without contact. A step is begin, iterate as often as the stepper likes, end. Between the calls a
// stepper may fold further terms into state->target: a coupling toward other positions, or a contact's weighted targets.

#include "elastic/elastic.h"

/// Forces from outside, for one step.
typedef struct wfForces {
    wfVec3 gravity;
    float airDensity, airDrag;
    wfVec3 wind;
    float windNoise, windSize;
    int seed;
    // Of steppers that take rounds, so that acceleration fits them:
    float coupling;     // [1/s²] over the mass: what is added to the weight of targets
    const int* touched; // on the device, or NULL: of each vertex, whether contact moves it, so that coarser meshes should not
    int horizon;        // iterations in which acceleration is to shrink errors by e, at least: more would outlast what contact does; 0: any
} wfForces;

typedef struct wfMeasure {
    double elasticEnergy; // [J]
    float worstStretch;   // edge length over rest length
    int worstVertex;      // a vertex of the model, -1 where there is no edge
} wfMeasure;

/// What a step costs at least, for benchmarks: the bytes that an iteration must move, everything read or written once.
typedef struct wfStepCost {
    int iterations;
    double iterationBytes;
} wfStepCost;

typedef struct wfDynamicsDef {
    wfElasticDef elastic;
    wfIntegrator integrator;
    int iterations; // 0: choose
} wfDynamicsDef;

typedef struct wfDynamicsType {
    const char* name;  // key in scene files
    const char* about; // one line for `weft help`
    void* (*create)(wfDevice* device, const wfModel* model, const wfState* state, const wfDynamicsDef* def, wfError* err);
    void (*destroy)(void* self, wfDevice* device);
    /// Copies x to xStart and predicts: x and state->target from x, v and the forces. Held vertices (target.w < 0) keep their target.
    void (*begin)(void* self, const wfStepContext* ctx, const wfForces* forces);
    /// Moves state->x toward the minimum of the step's energy by `count` iterations; 0 takes as many as a whole step needs.
    void (*iterate)(void* self, const wfStepContext* ctx, int count);
    /// NULL where it takes no rounds: iterate with a count (a round) then waits for the device or makes no sense. Says which round of the
    /// step comes next, where they are not taken in order; `anew`: x was changed since the last one, so that acceleration starts again.
    void (*round)(void* self, int round, bool anew);
    int roundIterations; // what a round is worth: the count to iterate with
    int rounds, fewest;  // of a step of 1/100 s, at most and where everything has arrived by then
    /// A whole step's iterations with further terms, where it takes such; NULL where it never does.
    bool (*takesTerms)(const void* self);
    void (*iterateWith)(void* self, const wfStepContext* ctx, const wfStepTerms* terms);
    /// Sets v from x and xStart.
    void (*end)(void* self, const wfStepContext* ctx);
    /// Of the current x. Waits.
    bool (*measure)(void* self, const wfStepContext* ctx, wfMeasure* out, wfError* err);
    wfStepCost (*cost)(const void* self, float dt);
} wfDynamicsType;

extern const wfDynamicsType wfChebyshevDynamics;
extern const wfDynamicsType wfExplicitDynamics;
extern const wfDynamicsType wfHierarchyDynamics;
extern const wfDynamicsType wfMultilevelDynamics;
extern const wfDynamicsType wfNewtonDynamics;

/// All of them, ended by NULL.
extern const wfDynamicsType* const wfDynamicsTypes[];
