// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Every definition struct, enum and result. A Def starts from its wfDefault…Def(), which also stamps a cookie; the library copies what
// it is given, so a Def and the arrays it points to may go as soon as the call returns.
// The fields that scene files can set are written down once, in weft/params/*.inl, with default, range, unit and meaning.

#include "weft/id.h"

enum { wf_nameSize = 64 }; // bytes of a name, with the closing zero

typedef enum wfDeviceKind { wf_deviceAuto, wf_deviceCpu, wf_deviceCuda } wfDeviceKind;
typedef enum wfUpAxis { wf_upY, wf_upZ } wfUpAxis;
typedef enum wfShapeKind { wf_shapePlane, wf_shapeSphere, wf_shapeBox, wf_shapeCapsule, wf_shapeMesh } wfShapeKind;
typedef enum wfMembraneModel { wf_membraneStVK, wf_membraneCorotational, wf_membraneFabric, wf_membraneSprings } wfMembraneModel;
typedef enum wfBendingModel {
    wf_bendingNone,
    wf_bendingQuadratic,
    wf_bendingDihedral,
    wf_bendingMeshless,
    wf_bendingSprings
} wfBendingModel;
typedef enum wfStart { wf_startRefuse, wf_startUntangle } wfStart;
typedef enum wfRestBend { wf_restFlat, wf_restStart } wfRestBend;
typedef enum wfIntegrator { wf_integrateEuler, wf_integrateBdf2 } wfIntegrator;
typedef enum wfInflation { wf_inflationConstant, wf_inflationGas } wfInflation;
typedef enum wfMasses { wf_massesArea, wf_massesEqual } wfMasses;
typedef enum wfInterpolation { wf_interpolateLinear, wf_interpolateSmooth, wf_interpolateHold } wfInterpolation;
typedef enum wfAttach { wf_attachPlace, wf_attachSurface } wfAttach;
typedef enum wfSeamMatch { wf_matchLengths, wf_matchVertices } wfSeamMatch;

// How a row of a parameter list becomes a struct field.
#define WF_FLOAT(name, value, lo, hi, unit, meaning)  float name;
#define WF_INT(name, value, lo, hi, meaning)          int name;
#define WF_BOOL(name, value, meaning)                 bool name;
#define WF_VEC3(name, x, y, z, lo, hi, unit, meaning) wfVec3 name;
#define WF_COLOR(name, r, g, b, meaning)              wfVec3 name;
#define WF_ENUM(name, type, value, names, meaning)    type name;
#define WF_NAME(name, value, meaning)                 char name[wf_nameSize];

typedef struct wfDeviceDef {
    wfDeviceKind kind; // auto takes CUDA when a GPU answers, else the CPU
    int threadCount;   // CPU threads; 0 is one a core
    uint32_t cookie;
} wfDeviceDef;

typedef struct wfSceneDef {
#include "weft/params/scene.inl"
    uint32_t cookie;
} wfSceneDef;

typedef struct wfFabric {
#include "weft/params/fabric.inl"
} wfFabric;

/// A triangle mesh as the caller holds it.
typedef struct wfMeshView {
    const float* positions; // 3 floats a vertex [m]
    int vertexCount;
    const int* triangles; // 3 vertex indices a triangle, counter-clockwise seen from outside
    int triangleCount;
    const float* flat; // flat reference shape, 6 floats a triangle: (u, v) of each corner [m], u along the warp; NULL takes the rest shape
    const float* restPositions; // 3 floats a vertex: the shape in which nothing is stretched; NULL takes positions
} wfMeshView;

typedef struct wfClothDef {
#include "weft/params/cloth.inl"
    wfFabric fabric;
    wfMeshView mesh;
    uint32_t cookie;
} wfClothDef;

/// A placement at a time. Keys must come in increasing time; before the first and after the last the motion rests.
typedef struct wfKey {
    float time;       // [s]
    wfVec3 translate; // [m]
    wfQuat rotate;    // turns the object about its own origin, before translate
} wfKey;

typedef struct wfColliderDef {
#include "weft/params/collider.inl"
    const wfKey* keys; // NULL: at the origin, unturned
    int keyCount;
    wfMeshView mesh;       // shape mesh only
    const float* sequence; // shape mesh only: sequenceCount times vertexCount positions, played from time 0; NULL is rigid
    int sequenceCount;
    float sequenceRate; // [1/s]
    uint32_t cookie;
} wfColliderDef;

typedef struct wfPinDef {
#include "weft/params/pin.inl"
    wfClothId cloth;
    const int* vertices; // vertex indices of that cloth
    int vertexCount;
    wfColliderId follow; // moves with this collider, see attach; null: see keys
    const wfKey* keys;   // placement relative to the start, about `center`; NULL stays where it is
    int keyCount;
    wfVec3 center; // [m] what the keys turn about
    uint32_t cookie;
} wfPinDef;

/// One of the two sides that a seam joins.
typedef struct wfSeamSide {
    wfClothId cloth;
    const int* vertices; // vertex indices of that cloth, in order
    int vertexCount;
} wfSeamSide;

typedef struct wfSeamDef {
#include "weft/params/seam.inl"
    /// lengths: the vertices of a side name a run along the boundary that goes through them, from each to the next by the shorter way;
    /// equal shares of the two runs' lengths in the reference shape meet, so that the longer one is gathered. A run that ends where it
    /// begins is closed. vertices: the k-th vertex of one side meets the k-th of the other.
    wfSeamMatch match;
    wfSeamSide a, b; // may be of one cloth
    uint32_t cookie;
} wfSeamDef;

/// One of the two surfaces of a pair: a cloth or a collider; the other id is null.
typedef struct wfFrictionSide {
    wfClothId cloth;
    wfColliderId collider;
} wfFrictionSide;

typedef struct wfFrictionDef {
#include "weft/params/friction.inl"
    wfFrictionSide a, b; // at least one is a cloth; twice the same cloth is the cloth on itself
    uint32_t cookie;
} wfFrictionDef;

#undef WF_FLOAT
#undef WF_INT
#undef WF_BOOL
#undef WF_VEC3
#undef WF_COLOR
#undef WF_ENUM
#undef WF_NAME

/// What a contact method that works in rounds took since the scene was made.
typedef struct wfContactRounds {
    int64_t all, soft; // rounds; those that were safe at the first attempt
    int64_t takenBack; // blocks of rounds that were not, and were taken again one by one
} wfContactRounds;

/// What is known of a state. Values that nobody has checked are negative (counts) or NaN, never zero.
typedef struct wfCertificate {
    int frame;
    double time;      // [s] simulated
    int stepCount;    // steps since the last certificate
    bool selfContact; // whether the contact method in use answers cloth against cloth at all
    bool meshContact; // whether it answers mesh colliders
    int64_t
        intersectingPairs; // triangle pairs, cloth with itself, with other cloth and with colliders (but see pinchedPairs); -1: not checked
    int64_t contacts;      // that were answered in the last step: pairs (and edges at their limits) of impulses, vertices of others
    float worstStretch;    // largest edge length over rest length
    int worstStretchCloth; // index of the cloth it lies in, from 0
    int worstStretchVertex; // one of its vertices, in mesh order
    double kineticEnergy;   // [J]
    double elasticEnergy;   // [J]
    double gravityEnergy;   // [J] relative to height 0
    double stageSeconds[8]; // wall time since the last certificate, by wfStage
    // Cloth between two colliders that leave it no room is held by them and lies inside them until they part.
    int pinchedVertices;  // how many are held so
    int64_t pinchedPairs; // triangle pairs of colliders and cloth that is held so, which intersectingPairs does not count; -1: not checked
    int pinchedCloth;     // of the first such vertex: its cloth, and the two colliders, from 0; -1 where there is none
    int pinchedColliders[2];
    wfContactRounds rounds; // -1 each where the contact method has none
} wfCertificate;

/// What was done to a start in which triangles met (scene parameter `start: untangle`).
typedef struct wfStartReport {
    int64_t pairs; // of triangles that met; 0: nothing was done
    int rounds;
    int movedCount;      // vertices
    float largest, mean; // [m] how far; the mean is of those that were moved
    int cloth, vertex;   // which went farthest; -1 where none was moved
} wfStartReport;

typedef enum wfStage { wf_stageMotion, wf_stageDynamics, wf_stageContact, wf_stageCheck, wf_stageOutput, wf_stageCount } wfStage;

/// Called between steps; return false to stop. The call that was running then fails with wf_cancelled and the state is that of the
/// last whole step, from which the next call goes on.
typedef bool (*wfProgressFn)(void* user, int64_t step, double time);
