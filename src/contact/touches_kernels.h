// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "contact/touches.h"

typedef struct TouchEntriesArgs {
    const wfTouch* touches;
    const wfVec4* from;
    const int *layerOf, *borne; // of a contact of layers, what is further in and borne does not move; NULL: all of it does
    uint32_t* keys;             // vertex; `none` where it cannot be moved
    int* values;                // 4 contact + corner
    int none;
} TouchEntriesArgs;

/// Which vertices of a layer are borne: they touch a body, or what is further in and held or borne itself. The layers one after the other.
typedef struct TouchBearArgs {
    const wfTouch* touches;
    const wfVec4* from;
    const int* layerOf;
    int* borne;
    int layer;
} TouchBearArgs;

typedef struct TouchRangesArgs {
    const uint32_t* keys;
    const int* values;
    const wfTouch* touches;
    int *first, *last;
    float* weights; // of the corner in the contact
    int count;
} TouchRangesArgs;

typedef struct TouchMovesArgs {
    const wfVec4 *from, *to;
    wfVec4* moves;
} TouchMovesArgs;

/// What each cloth vertex bears: x is the sum of |w| of its contacts, y that of |w| times what they push [kg m].
typedef struct TouchLoadArgs {
    const int *first, *last, *values;
    const float* weights;
    const wfResponse* responses;
    wfVec4* loads;
} TouchLoadArgs;

typedef struct TouchShareArgs {
    const wfTouch* touches;
    wfResponse* responses;
    const wfVec4* loads;
    int clothVertexCount;
    float firmAt;  // [kg m] a vertex that is pushed by this needs all of the stiffness at each of its contacts …
    float firmest; // … and where by more, more of it, up to this, where things were near already
} TouchShareArgs;

typedef struct TouchSpringArgs {
    const int* count; // of contacts; more are launched
    const wfTouch* touches;
    const wfResponse* responses;
    const wfVec4 *x, *from, *moves; // moves: of colliders
    wfVec4* forces;                 // [N]; w: bound of the spring's second derivative [N/m]
    int clothVertexCount;
    float stiffness; // [N/m]
    float dt;        // the impulses that contacts have are forces times dt²
    bool released;   // no spring pulls
} TouchSpringArgs;

/// Marks which cloths meet; a cloth and itself: it meets a body.
typedef struct TouchMeetArgs {
    const wfTouch* touches;
    const int* surfaceOf;
    int* meets; // clothCount by clothCount
    int clothCount;
} TouchMeetArgs;

/// One tile: see wfStepTerms.
typedef struct TouchGroupArgs {
    const int* meets;
    int *groups, *next;
    int clothCount;
} TouchGroupArgs;

typedef struct TouchForcesArgs {
    TouchSpringArgs springs;
    const int *first, *last, *values; // contacts of each vertex …
    const float* weights;             // … and its own in each
    const int* surfaceOf;
    wfTermForce* out;
} TouchForcesArgs;

typedef struct TouchEnergyArgs {
    TouchSpringArgs springs;
    float* energies; // [J]
} TouchEnergyArgs;

typedef struct TouchAddEnergyArgs {
    const float* sum;
    float* energy;
} TouchAddEnergyArgs;

enum { wf_touchTile = 32 }; // vertices of which a tile sums up the contacts

typedef struct TouchFoldArgs {
    int count; // of vertices
    const int *first, *last, *values;
    const float* weights;
    const wfVec4 *forces, *x, *target;
    wfVec4* out;
} TouchFoldArgs;

typedef struct TouchSettleArgs {
    const int *first, *last, *values;
    const float* weights;
    const wfVec4* forces;
    wfVec4* target;
} TouchSettleArgs;

typedef struct TouchImpulseArgs {
    const int* count;
    const wfVec4* forces;
    wfResponse* responses;
    float span;
} TouchImpulseArgs;

/// Which contacts push or are about to; as TouchSolveArgs.
typedef struct TouchActiveArgs {
    const wfTouch* touches;
    wfResponse* responses;
    const wfVec4* moves;
    wfVec4* changes;
} TouchActiveArgs;

/// moves: u, and in w the inverse mass times the sum of |w| of the active contacts there.
typedef struct TouchSolveArgs {
    const wfTouch* touches;
    wfResponse* responses;
    const wfVec4* moves;
    wfVec4* changes; // what the iteration gives; w: 1 where the contact is active
    float carry;     // of the last change, on top of it
    int count;
} TouchSolveArgs;

typedef struct TouchApplyArgs {
    int count; // of vertices
    const wfVec4 *changes, *from;
    const int *first, *last, *values;
    const float* weights;
    wfVec4* moves;
} TouchApplyArgs;
