// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The elastic energy of a model on the device. What elastic.h sums term by term on the host lies here as tables that a vertex reads from
// one end to the other, so that a kernel gives the gradient at a vertex without writing to any other: the same sums in the same order on
// every machine. In slices of 32 vertices, entry k of lane t is at start + 32 k + t; entries nobody uses add nothing.
//
//   fan      triangle elements: the neighbours in order about the vertex; an entry is the triangle between the neighbour before and this
//   one,
//            with the gradients of both neighbours' shape functions, and the quadratic bending weight toward this neighbour
//   springs  along edges, across edges
//   rows     further weights of quadratic bending: gradient = sum weight (x_j - x)
//   terms    what is cheaper by hinge or by star (dihedral angles, rest angles, meshless bending), and stitches: a term writes the gradient
//            of each of its points into a slot of its own, and a vertex adds up its slots
//
// `bound` is a number a vertex such that the second derivative at small strain is at most diag(bound): with the weights w of Cauchy–Schwarz
// |sum b_i d_i|² <= sum |b_i| sum |b_i| |d_i|² term by term. Divided by it, no descent step of a length below 2 goes up. Where cloth is
// stretched it is times wfLanes_Growth. `across` is what of it is not of elements: flat cloth that is not stretched resists motions across
// itself by no more.

#include "elastic/elastic.h"
#include "elastic/sewn.h"

typedef struct wfElasticSlice {
    int fan, fanCount, spring, springCount, row, rowCount; // counts are entries a lane
} wfElasticSlice;

/// What kernels see; absent tables have no entries.
typedef struct wfElasticView {
    const wfElasticSlice* slices;
    const int* next;    // fan: the neighbour
    const float* bend;  // fan: weight of quadratic bending [N/m]
    const float* shape; // fan: gradient (u, v) of the neighbour before, then of this one [1/m], as four lines of 32 an entry; zero where a
                        // fan begins
    const int* other;   // springs
    const float* rest;  // springs [m]
    const float* stiffness; // springs [N/m]
    const int* column;      // rows
    const float* weight;    // rows [N/m]
    const wfPlanar* laws;   // per cloth
    const int* clothOf;
    const wfVec4* extra; // gradient and energy of the terms; NULL where there are none
} wfElasticView;

// The law as numbers: a variable whose address is taken inside a lane loop keeps the loop from being vectorised.
WF_FN wfVec3 wfLanes_Pull(wfMembraneModel model, float uu, float vv, float uv, float shear, wfMat32 f, float bu, float bv) {
    wfPlanar law;
    law.uu = uu, law.vv = vv, law.uv = uv, law.shear = shear;
    return wfMembrane_Pull(model, &law, f, bu, bv);
}

WF_FN float wfLanes_Density(wfMembraneModel model, float uu, float vv, float uv, float shear, wfMat32 f) {
    wfPlanar law;
    law.uu = uu, law.vv = vv, law.uv = uv, law.shear = shear;
    return wfMembrane_Density(model, &law, f);
}

/// How many times its bound at small strain the second derivative of a density may be where threads are stretched to the square root of
/// `most`; twice that where they are sheared by large angles, too, which a descent step just bears. A thread that pulls does so across
/// itself, and the shear is that of stretched threads: it grows with their squares.
WF_FN float wfLanes_Growth(wfMembraneModel model, float uu, float vv, float uv, float shear, float most) {
    float u = uu + fabsf(uv), v = vv + fabsf(uv), law = u < v ? u : v, growth = 1.0f;
    law = law > 2.0f * shear ? law : 2.0f * shear;
    if (model == wf_membraneFabric) growth = 1.0f - wfInverseSqrt(most) + 2.0f * shear / law * most;
    return growth > 1.0f ? growth : 1.0f;
}

typedef struct wfRestEdge {
    int v[2];
    float length; // [m]
} wfRestEdge;

/// A hinge as a term: dihedral by stiffness and angle, quadratic with rest angle by k, stiffness and `length` (wfBendRestLength).
typedef struct wfHingeTerm {
    int v[4];
    wfBend bend;     // quadratic
    float stiffness; // dihedral [N m]
    float rest;      // dihedral: angle [rad]; quadratic: length [m]
} wfHingeTerm;

typedef struct wfElasticTables {
    wfElasticDef def;
    int vertexCount, edgeCount, hingeCount, starCount, stitchCount, slotCount;
    int64_t fanEntries, springEntries, rowEntries; // used ones
    float stiffestRatio;                           // largest over vertices of bound / mass [1/s²]
    wfBuffer slices, next, bend, shape, other, rest, stiffness, column, weight, laws, clothOf;
    wfBuffer bound, across;       // float [N/m], in whole slices: lanes without a vertex have something
    wfBuffer edges;               // wfRestEdge
    wfBuffer hinges, restVectors; // wfHingeTerm; wfVec4
    wfBuffer starStart, starItem, neighbours, starStiffness;
    wfBuffer stitches, seams, time;             // wfStitch; wfSeamTiming; one double
    wfBuffer slots, slotStart, slotItem, extra; // wfVec4 of gradient and energy; which slots a vertex adds up; their sum
} wfElasticTables;

/// Start from {0}. Needs model->topology, flat and start during this call.
bool wfElasticTables_Create(wfElasticTables* tables, wfDevice* device, const wfModel* model, const wfElasticDef* def, wfError* err);
void wfElasticTables_Free(wfElasticTables* tables, wfDevice* device);
wfElasticView wfElasticTables_View(const wfElasticTables* tables);

/// Where stitches are the only terms: for kernels that add them up themselves, in place of wfElasticTables_Terms and view.extra.
wfSewnView wfElasticTables_Sewn(const wfElasticTables* tables);

/// Turns the rest vectors of the quadratic model along with x; once a step.
void wfElasticTables_Hold(const wfElasticTables* tables, wfDevice* device, const wfVec4* x);
/// Shortens the threads of seams to what they have at `time` [s]; once a step, not within a graph. Before the first call they have their
/// length at the start.
void wfElasticTables_SetTime(wfElasticTables* tables, wfDevice* device, double time);
/// Evaluates the terms at x, for kernels that read view.extra; nothing where there are none.
void wfElasticTables_Terms(const wfElasticTables* tables, wfDevice* device, const wfVec4* x);
/// out: gradient [N] and, as w, a share of the energy [J], whose sum over all vertices is the whole. Evaluates the terms too.
void wfElasticTables_Gradient(const wfElasticTables* tables, wfDevice* device, const wfVec4* x, wfVec4* out);

/// Bytes that one evaluation of the gradient must read at least, positions and gradient aside.
double wfElasticTables_Bytes(const wfElasticTables* tables);
