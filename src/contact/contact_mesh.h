// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Everything that can touch in a step as one row of vertices: those of the cloths, then those of the colliders' meshes; where they are at
// the beginning of the step, and where they are to be at its end. Of these it finds the pairs of a point and a triangle, and of two edges,
// that are near at the beginning or may come near in the motion; four vertices each, so that what answers a contact need not know which
// kind it is. A plane is met by vertices alone, beyond the edges of its mesh too.
//
// Nothing that two colliders do with each other is looked at.

#include "collide/candidates.h"
#include "collide/shape.h"

/// Four vertices, as in collide/distance.h: point and triangle, two edges, or a vertex and three of a plane.
typedef wfFourVertices wfQuad;

typedef enum wfQuadKind { wf_quadPointTriangle, wf_quadEdgeEdge, wf_quadPlane } wfQuadKind;

/// Where in a list of pairs which kind lies: points and triangles, edges, planes, and where some were looked for again the same once more.
enum { wf_mostSearches = 8 };
typedef struct wfQuadRanges {
    int end[3 * wf_mostSearches];
    int searches;
} wfQuadRanges;

WF_FN int wfQuadRanges_Count(const wfQuadRanges* ranges) { return ranges->searches > 0 ? ranges->end[3 * ranges->searches - 1] : 0; }

WF_FN int wfQuadRanges_KindOf(const wfQuadRanges* ranges, int index) {
    int range = 0;
    while (index >= ranges->end[range]) ++range;
    return range % 3; // as in wfQuadKind
}

/// Cloth may be as thick as its edges are long. What is nearer to each other than that in the cloth itself, parts that an edge connects,
/// counts as thinner, so that cloth at rest does not repel itself.
typedef struct wfNearThickness {
    const float* half; // [m] of each vertex; NULL: no cloth is that thick
    const int *ringStart, *ring;
    int clothVertexCount;
} wfNearThickness;

/// The triangles of each vertex, in rows: of each its other two vertices. Planes have none.
typedef struct wfRims {
    const int* start;
    const wfPair* rim;
    int clothVertexCount;
} wfRims;

typedef struct wfContactMesh {
    wfDevice* device;
    int clothCount;
    int clothVertexCount, vertexCount; // cloths; with colliders
    wfBuffer from;                     // wfVec4: at the beginning of the step; w = inverse mass [1/kg], 0: goes where it is told
    wfBuffer to;                       // wfVec4: at its end; w = half thickness [m], 0 of colliders
    wfBuffer half;                     // float a vertex of the cloths: half its thickness
    wfBuffer nearHalf;                 // float a vertex of the cloths: the same among neighbours; empty where it is the same everywhere
    wfBuffer ringStart, ring;          // int: the neighbours of each vertex of the cloths, in rows; empty with nearHalf
    wfBuffer rimStart, rim;            // int, wfPair: see wfRims
    wfBuffer surfaceOf;                // int a vertex: a cloth, or behind these a collider
    wfBuffer layerOf;                  // int a vertex: its place in the declared order of cloths, from 0 outward; -1 of colliders
    int layerCount;                    // how many places there are; 1: no order is declared
    float thickest;                    // [m] largest half thickness
    // Pairs.
    wfBuffer quads; // wfQuad; with some room behind them
    wfQuadRanges ranges;
    wfBuffer way;     // wfVec4 a vertex of the cloths: where it was to end when pairs with it were looked for
    wfBuffer strayed; // int a vertex of the cloths: whether pairs with it were looked for again, the last time
    float margin;     // [m] that pairs were looked for with
    wfBuffer planes;  // wfTriangle: three vertices of each plane, its normal by their order

    wfBroad *cloth, *bodies; // bodies: NULL where there are none
    bool bodiesFitted;       // the bounds of bodies are those of this step
    wfElements clothElements, bodyElements;
    wfBuffer clothEdges; // wfPair: vertices
    // Of the cloths with themselves, and with bodies: all are counted before any is written.
    wfPairList trianglePairs[2];
    wfCandidates work[2];
    wfBuffer flags, list, scratch;
} wfContactMesh;

/// Needs model->topology.
bool wfContactMesh_Create(wfContactMesh* mesh, wfDevice* device, const wfModel* model, const wfColliderSet* colliders, wfError* err);
void wfContactMesh_Free(wfContactMesh* mesh);

wfNearThickness wfContactMesh_NearThickness(const wfContactMesh* mesh);

wfRims wfContactMesh_Rims(const wfContactMesh* mesh);

/// Sets `from` and `to` from state->xStart, state->x, and the colliders.
void wfContactMesh_Place(wfContactMesh* mesh, const wfStepContext* ctx);

/// Fills the list of pairs that come nearer to each other than their thickness and `margin` on their even way from `from` to `to`, and some
/// more. It stays complete as long as no vertex of the cloths ends farther than half the margin from where it was to end. (Not: from its
/// way. What stops half way is hit by what went along with it.)
bool wfContactMesh_FindPairs(wfContactMesh* mesh, float margin, wfError* err);

/// What looking again has done to the list: nothing; pairs were added, and of those before all with a strayed vertex are out of date; or it
/// is a new one.
typedef enum wfPairsChange { wf_pairsHold, wf_pairsAdded, wf_pairsNew } wfPairsChange;

/// After wfContactMesh_FindPairs, where `to` has changed since: makes the list complete again. Waits.
bool wfContactMesh_FindAgain(wfContactMesh* mesh, wfPairsChange* change, wfError* err);

/// As wfContactMesh_FindPairs where nothing is asked about the way: about `at`, wfVec4 a vertex of the cloths. Colliders count wherever
/// they come on theirs.
bool wfContactMesh_FindNear(wfContactMesh* mesh, const wfBuffer* at, float margin, wfError* err);
