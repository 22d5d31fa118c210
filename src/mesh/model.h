// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// What is simulated: all cloths of a scene as one row of vertices and triangles (the model, fixed at commit, on the host), and what moves
// (the state, on the device). Dynamics and contact both work on these two and on the step context, and know nothing of each other.

#include "compute/device.h"
#include "mesh/topology.h"

typedef struct wfClothRange {
    const char* name;
    int firstVertex, vertexCount;
    int firstTriangle, triangleCount;
    wfFabric fabric;
    float pressure; // [Pa] of the inside over the outside
    wfInflation inflation;
    int layer; // declared order: the higher the further out
} wfClothRange;

/// A thread between vertex v[0] and the point (1 - share) v[1] + share v[2]; v[2] is v[1] where share is 0.
typedef struct wfStitch {
    int v[3];
    float share;
    float stiffness; // [N/m]
    float length;    // [m] at the start
    int seam;
} wfStitch;

/// When the threads of a seam shorten from their length at the start to none.
typedef struct wfSeamTiming {
    double begin, duration; // [s]
} wfSeamTiming;

/// What is left of the length of a seam's threads at `time`: from 1 to 0, slowly at first and in the end. Panels that came to their seam at
/// full speed would be stopped there within a step, and what is behind it would run into it.
WF_FN float wfSeamTiming_Open(const wfSeamTiming* seam, double time) {
    double since = time - seam->begin;
    if (since <= 0.0) return 1.0f;
    if (since >= seam->duration) return 0.0f;
    double left = 1.0 - since / seam->duration;
    return (float)(left * left * (3.0 - 2.0 * left));
}

/// Coulomb coefficients between two surfaces: at rest, and while one slides on the other. hold is never less than slide.
typedef struct wfFriction {
    float hold, slide;
} wfFriction;

typedef struct wfModel {
    int vertexCount, triangleCount, clothCount;
    const wfVec3* start;         // positions at commit; gone afterwards
    const wfTriangle* triangles; // numbered over all cloths
    const wfFlatTriangle* flat;  // reference shape of each triangle; gone after commit
    const float* mass;  // [kg] per vertex: a third of each triangle's reference area times density, or the mean of that over the cloth
    const float* area;  // [m^2] per vertex, likewise
    const int* clothOf; // per vertex
    const wfClothRange* cloths;
    const wfTopology* topology; // of all cloths together; gone after commit
    int stitchCount, seamCount;
    const wfStitch* stitches;
    const wfSeamTiming* seams;
    // Of surfaces i and k: friction[i * surfaceCount + k], the same both ways. The cloths come first, then the colliders of the scene.
    int surfaceCount;
    const wfFriction* friction;
} wfModel;

/// Which cloth and which of its vertices a vertex of the model is, for messages.
const wfClothRange* wfModel_FindCloth(const wfModel* model, int vertex, int* local);

typedef struct wfState {
    int vertexCount;
    wfBuffer x; // wfVec4: position; w = mass [kg]
    wfBuffer v; // wfVec4: velocity; w = acceleration along gravity in the last step, for dynamics that predict from it. At commit it is
                // full gravity: nothing is known to hold the cloth yet
    wfBuffer xStart; // wfVec4: positions at the beginning of the step
    // The diagonal quadratic terms of a step, w/2 |x - target|^2, folded into one: inertia with outer forces, soft pins, and what a
    // stepper couples in (a contact's targets, the pull toward a second set of positions). w < 0: the vertex is held at target.
    wfBuffer target; // wfVec4: target; w = weight [N/m]
    // Of integrators that look further back: x, then v, at the beginning of the last step. Empty where none does.
    wfBuffer history;
    float historyDt; // [s] length of that step; 0: there was none
    // Vertices that two bodies pinch (contact/pinch.h): 1 + a * bodyCount + b of bodies a < b, 0 of all others. Kept from step to step.
    wfBuffer pinched; // int
    int pinchedCount;
} wfState;

/// A rigid placement.
typedef struct wfPose {
    wfVec3 translate;
    wfQuat rotate;
} wfPose;

WF_FN wfVec3 wfPose_Apply(wfPose p, wfVec3 x) { return wfAdd(wfRotate(p.rotate, x), p.translate); }
WF_FN wfVec3 wfPose_Unapply(wfPose p, wfVec3 x) { return wfUnrotate(p.rotate, wfSub(x, p.translate)); }

/// What every stage of a step needs; rebuilt each step.
typedef struct wfStepContext {
    wfDevice* device;
    const wfModel* model;
    wfState* state;
    const struct wfColliderSet* colliders; // collide/shape.h
    float dt;                              // [s]
    double time;                           // [s] at the beginning of the step
    int64_t index;                         // number of the step, for messages
    bool mayShorten;                       // whether the step may be refused, to be taken again in two halves
    wfBuffer* scratch;                     // for primitives of the scene; other parts have their own
} wfStepContext;

/// What terms do to a vertex.
typedef struct wfTermForce {
    wfVec3 force;   // [N]
    wfVec3 fall[3]; // [N/m] by how much each part of it falls where all of the vertex's cloth moves alike, and nothing else
} wfTermForce;

/// Terms of a step's energy that its iterations evaluate anew at each x, beside the fixed ones in state->target. None of its calls waits.
typedef struct wfStepTerms {
    void* self;
    /// Changes whenever the calls below would launch other kernels, over other counts or with other addresses: what was recorded of them
    /// then counts no more.
    uint64_t shape;
    /// [m] The motion of a cloth that is little to them, where they hold it here and there: it is stretched between there and where it
    /// goes.
    float part;
    /// On the device, a cloth: the first of all that hang together by them; -1 where something outside holds one of these. NULL: no two do.
    const int* groups;
    /// The targets with the terms folded in: their forces as they are at x, and weights grown by a bound of how these change, so that a
    /// descent step from x does not overshoot. Valid until asked for at another x.
    const wfVec4* (*fold)(void* self, const wfVec4* x, const wfVec4* target);
    /// Of each vertex, at x. Valid until asked for again; NULL where there are no terms.
    const wfTermForce* (*forces)(void* self, const wfVec4* x);
    /// Adds their energy at x [J] to the number *energy on the device.
    void (*addEnergy)(void* self, const wfVec4* x, float* energy);
    /// Between the accelerated iterations and a few plain ones that end them. Acceleration makes what it shrinks swing, and a spring that
    /// only pushes would throw off what swings; until here such springs may pull.
    void (*release)(void* self);
    /// At the end of the iterations: their forces at x become part of the targets, as outer forces. span: weights are m / span² [s].
    void (*settle)(void* self, const wfVec4* x, wfVec4* target, float span);
} wfStepTerms;
