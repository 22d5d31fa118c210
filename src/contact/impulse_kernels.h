// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "contact/contact_mesh.h"

/// Where two things touch: the four vertices, and how much of the relative motion each has: r = sum w_k u_k, positive along the normal
/// where they part.
typedef struct wfTouch {
    wfQuad q;
    float w[4];
} wfTouch;

/// What is wanted there and what was given so far. Impulses are times the step: they move a mass m by impulse / m.
typedef struct wfResponse {
    WF_ALIGN(16) wfVec3 normal;
    float least;       // [m] r · normal is to be at least this
    wfVec3 slip;       // [kg m] given along the surface …
    float push;        // … and along the normal
    float hold, slide; // friction
    float own;         // sum w_k² / m_k
    int active;        // whether it pushes
} wfResponse;

/// The nearest points of a pair at the beginning of the step: direction (from the second thing to the first) and distance; infinite where
/// nothing can be done about the pair.
typedef struct PairStartArgs {
    const wfVec4 *from, *to;
    const wfQuad* quads;
    wfVec4* sides;
    int* flags; // whether they are nearer than their thickness
    int pointCount, edgeCount;
} PairStartArgs;

typedef struct wfTouchRules {
    float fraction;  // of what two things are too near, that a step takes back at most
    float stiffness; // [N/m] of the spring that does it
    float dt;
} wfTouchRules;

typedef struct wfEdgeLimits {
    float strain; // of the rest length
    float rate;   // of the length at the beginning of the step
} wfEdgeLimits;

typedef struct TouchNearArgs {
    const wfVec4 *from, *to;
    const wfQuad* quads;
    const int *list, *surfaceOf;
    const wfFriction* friction;
    wfTouch* touches;
    wfResponse* responses;
    wfTouchRules rules;
    int pointCount, edgeCount, surfaceCount;
} TouchNearArgs;

typedef struct PairTimesArgs {
    const wfVec4 *from, *to, *sides;
    const wfQuad* quads;
    float* times;
    int* flags;
    int pointCount, edgeCount;
    float separation;
} PairTimesArgs;

typedef struct TouchHitArgs {
    const wfVec4 *from, *to, *sides;
    const wfQuad* quads;
    const float* times;
    const int *list, *surfaceOf;
    const wfFriction* friction;
    wfTouch* touches;
    wfResponse* responses;
    wfTouchRules rules;
    int pointCount, edgeCount, surfaceCount;
} TouchHitArgs;

/// Which edges the motion would stretch or shrink beyond the limits; those that are answered already are left out.
typedef struct EdgeOverArgs {
    const wfVec4 *from, *to;
    const wfPair* edges;
    const float* rest;
    const int* answered;
    int* flags;
    wfEdgeLimits limits;
} EdgeOverArgs;

typedef struct TouchEdgeArgs {
    const wfVec4 *from, *to;
    const wfPair* edges;
    const float* rest;
    const int* list;
    int* answered;
    wfTouch* touches;
    wfResponse* responses;
    wfEdgeLimits limits;
} TouchEdgeArgs;

typedef struct TouchEntriesArgs {
    const wfTouch* touches;
    const wfVec4* from;
    uint32_t* keys; // vertex; `none` where it cannot be moved
    int* values;    // 4 contact + corner
    int none;
} TouchEntriesArgs;

typedef struct TouchRangesArgs {
    const uint32_t* keys;
    int *first, *last;
    int count;
} TouchRangesArgs;

/// moves: u, and in w the inverse mass times the sum of |w| of the active contacts there.
typedef struct TouchMovesArgs {
    const wfVec4 *from, *to;
    wfVec4* moves;
} TouchMovesArgs;

typedef struct TouchSolveArgs {
    const wfTouch* touches;
    wfResponse* responses;
    const wfVec4* moves;
    wfVec4* changes; // what the iteration gives; w: 1 where the contact is active
    bool give;       // false: only says what is active
} TouchSolveArgs;

typedef struct TouchApplyArgs {
    const wfTouch* touches;
    const wfVec4 *changes, *from;
    const int *first, *last, *values;
    wfVec4* moves;
} TouchApplyArgs;

typedef struct TouchPlaceArgs {
    const wfVec4 *from, *moves, *way; // way: where the pairs were found for
    const int *first, *last;
    wfVec4* to;
    float* astray; // [m] how far each vertex is from its straight way
} TouchPlaceArgs;

typedef struct HitQuadsArgs {
    const wfQuad* quads;
    const int* list;
    wfQuad* out;
} HitQuadsArgs;

typedef struct TouchAstrayArgs {
    const wfVec4 *from, *to, *way;
    float* astray;
} TouchAstrayArgs;

typedef struct ContactShiftArgs {
    const wfVec4 *to, *x;
    float* shift; // [m]
} ContactShiftArgs;

typedef struct ContactCoupleArgs {
    const wfVec4* to;
    wfVec4 *x, *target;
} ContactCoupleArgs;

typedef struct ContactLeaveArgs {
    const wfVec4* to;
    wfVec4* x;
} ContactLeaveArgs;
