// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "contact/touches.h"
#include "math/direction.h"

/// The nearest points of a pair. Directions need not be exact: they are where a proof is tried first that things stay apart.
typedef struct wfSide {
    uint32_t direction; // from the second thing to the first, as in math/direction.h
    float distance;     // [m] infinite where nothing can be done about the pair, negative where it was not looked at yet
} wfSide;

typedef struct PairStartArgs {
    const wfVec4 *from, *to;
    // Where they are looked at, and where they go from there: from, to; but for steppers that look at the end of a step.
    const wfVec4 *at, *toward;
    const wfQuad* quads;
    wfSide* sides;
    int* flags;  // whether they are nearer than their thickness, or within the reach and may come as near, and that leads out
    float reach; // [m] beyond the thickness
    wfNearThickness near;
    wfRims rims;
    const int* pinched; // of each cloth vertex, not 0: bodies are not looked at; NULL: of none
    int later;          // nobody asks which are near: sides are looked at when pairs may meet
    wfQuadRanges ranges;
    int first; // pairs before it are left as they are
    int clothVertexCount;
} PairStartArgs;

typedef struct wfTouchRules {
    float fraction;  // of what two things are too near, that a step takes back at most
    float stiffness; // [N/m] of the spring that does it
    float dt;
} wfTouchRules;

typedef struct wfTouchFriction {
    const wfFriction* table; // of two surfaces
    const int* surfaceOf;
    const wfVec4* v; // [m/s] of the cloths, when the step began
    int surfaceCount, clothVertexCount;
    float dt, still; // [m/s] what moves along a surface by no more is held
} wfTouchFriction;

typedef struct wfEdgeLimits {
    float strain; // of the rest length
    float rate;   // of the length at the beginning of the step
} wfEdgeLimits;

/// A limit on an edge is answered like a contact, but is none: its last three vertices are one.
WF_FN bool wfIsEdgeLimit(const wfTouch* touch) { return touch->q.v[1] == touch->q.v[2]; }

typedef struct TouchNearArgs {
    const wfVec4 *from, *to, *at; // at: where they are near
    const wfQuad* quads;
    const int* list;
    wfTouchFriction friction;
    wfTouch* touches;
    wfResponse* responses;
    wfTouchRules rules;
    wfNearThickness near;
    wfQuadRanges ranges;
} TouchNearArgs;

typedef struct PairTimesArgs {
    const wfVec4 *from, *to;
    wfSide* sides;
    const wfQuad* quads;
    int* meets; // 0: never; else when, see MeetAt
    wfQuadRanges ranges;
    float separation;
    int count;
} PairTimesArgs;

/// Where listed pairs meet: those count for never between which no way leads out of both (contact/outward.h).
typedef struct HitLeadsOutArgs {
    const wfVec4 *from, *to;
    const wfSide* sides;
    const wfQuad* quads;
    int* meets;
    const int* list;
    wfRims rims;
    wfQuadRanges ranges;
} HitLeadsOutArgs;

typedef struct TouchHitArgs {
    const wfVec4 *from, *to;
    const wfSide* sides;
    const wfQuad* quads;
    const int *meets, *list;
    wfTouchFriction friction;
    wfTouch* touches;
    wfResponse* responses;
    wfTouchRules rules;
    wfNearThickness near;
    wfQuadRanges ranges;
} TouchHitArgs;

/// Which edges impulses would stretch or shrink beyond the limits and beyond what the dynamics proposes, which has its reasons; those that
/// are answered already are left out.
/// Which edges are over their limits; these limits as contacts, of those in `list`; afterwards of those in `limited`, for another end or,
/// while the dynamics iterates, as what turns with the edge.
typedef struct TouchEdgeArgs {
    const wfVec4 *from, *to, *proposed;
    const wfPair* edges;
    const float* rest;
    const int* list;
    uint8_t* answered;
    int* flags;
    wfTouch* touches;
    wfResponse* responses;
    wfPair* limited; // a contact and its edge
    int first;       // of the contacts, that of the first in the list
    wfEdgeLimits limits;
} TouchEdgeArgs;
typedef TouchEdgeArgs EdgeOverArgs;
typedef TouchEdgeArgs TouchEdgeAnewArgs;
typedef TouchEdgeArgs TouchEdgeSpanArgs;

typedef struct TouchPlaceArgs {
    const wfVec4 *from, *moves;
    const int *first, *last;
    wfVec4* to;
} TouchPlaceArgs;

typedef struct HitQuadsArgs {
    const wfQuad* quads;
    const int* list;
    wfQuad* out;
} HitQuadsArgs;

/// Nothing is done any more about pairs with a marked vertex.
typedef struct PairDropArgs {
    const wfQuad* quads;
    const int* marks;
    wfSide* sides;
    int clothVertexCount;
} PairDropArgs;

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
