// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The contacts of a step, and what is given at each. They are answered twice. While the dynamics iterates they are terms of its energy:
// springs along the normal that only push, all of a vertex together as stiff as the cloth, and friction inside Coulomb's cone of their
// force; so cloth gives way about a contact in the same step. What such springs leave is solved afterwards, by impulses on the motion that
// the dynamics proposes.
//
// Why they share a stiffness: a vertex between two layers is in a dozen contacts, of points and of edges. Each as stiff as the cloth, they
// hold it a dozen times as firmly, and iterations, whose step is the inverse of that, neither let cloth slide nor a heap of it sink.

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
    float least;      // [m] r · normal is to be at least this
    wfVec3 slip;      // [kg m] given along the surface …
    float push;       // … and along the normal
    wfVec3 aheadSlip; // what the vertices were moved by: the same, carried on the way it changed
    float aheadPush;
    float friction; // what it holds or slides with in this step; while the dynamics iterates -1: the limit of an edge, which spans `slip`
    float own;      // sum w_k² / m_k
    union {
        int active;  // while impulses are solved: whether it pushes
        float share; // while the dynamics iterates: times the stiffness
    };
    int rests; // whether it did so before and is not leaving
} wfResponse;

typedef struct wfTouches {
    wfDevice* device;
    const wfContactMesh* mesh;
    float stiffness; // [N/m] of the springs of a vertex, which share it
    int count;
    bool outward; // of layers with a declared order only the outer one gives way: see wfTouches_Sort
    // As terms, contacts are launched for `room`, a round number above the count, so that steps with about as many launch the same.
    int room;
    uint64_t shape;               // of wfStepTerms
    wfBuffer countNow;            // int: the count, for kernels
    float dt;                     // [s] of the step
    bool released;                // springs of what rests only push too
    wfBuffer touches, responses;  // wfTouch, wfResponse
    wfBuffer changes;             // wfVec4 a contact; while they are sorted, a uint32_t for each of its vertices
    wfBuffer values, first, last; // int: contacts of each cloth vertex, its range; weights are in `scratch`
    wfBuffer borne;               // int a vertex of the mesh, with `outward`
    wfBuffer moves;               // wfVec4 a vertex of the mesh
    wfBuffer folded, sums;        // wfVec4, wfTermForce a cloth vertex; folded: before iterations what it bears
    wfBuffer energies, energy;    // float a contact; their sum
    wfBuffer meets, groups;       // int a pair of cloths; of wfStepTerms, and as many to work with
    wfBuffer scratch;             // of sorting; afterwards a float for each of `values`, how much of the contact the vertex has
    wfBuffer energyScratch;
} wfTouches;

void wfTouches_Create(wfTouches* touches, wfDevice* device, const wfContactMesh* mesh, float stiffness);
void wfTouches_Free(wfTouches* touches);

/// Room for `count` more, which the caller writes behind the first touches->count; those stay.
void wfTouches_MakeRoom(wfTouches* touches, int count);
/// After that: which contacts each vertex has. With `outward`, a contact of two layers moves the outer one alone where the inner one lies
/// on a body or on layers that do, so that what is settled there is not undone from outside.
void wfTouches_Sort(wfTouches* touches);

/// How much of each of `values` its vertex has.
float* wfTouches_Weights(const wfTouches* touches);

/// The motions of all vertices, as mesh->from and mesh->to have them now.
void wfTouches_Place(wfTouches* touches);
/// Impulses at all contacts, on top of those that they have. Changes `moves`.
void wfTouches_Solve(wfTouches* touches);
/// As terms for a dynamics, on top of the impulses that they have. Needs wfTouches_Place, of which it takes the motions of colliders.
wfStepTerms wfTouches_Terms(wfTouches* touches, float dt);
