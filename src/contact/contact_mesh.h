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
typedef struct wfQuad {
    WF_ALIGN(16) int v[4];
} wfQuad;

typedef enum wfQuadKind { wf_quadPointTriangle, wf_quadEdgeEdge, wf_quadPlane } wfQuadKind;

/// Cloth may be as thick as its edges are long. What is nearer to each other than that in the cloth itself, parts that an edge connects,
/// counts as thinner, so that cloth at rest does not repel itself.
typedef struct wfNearThickness {
    const float* half; // [m] of each vertex; NULL: no cloth is that thick
    const int *ringStart, *ring;
    int clothVertexCount;
} wfNearThickness;

typedef struct wfContactMesh {
    wfDevice* device;
    int clothCount;
    int clothVertexCount, vertexCount; // cloths; with colliders
    wfBuffer from;                     // wfVec4: at the beginning of the step; w = inverse mass [1/kg], 0: goes where it is told
    wfBuffer to;                       // wfVec4: at its end; w = half thickness [m], 0 of colliders
    wfBuffer half;                     // float a vertex of the cloths: half its thickness
    wfBuffer nearHalf;                 // float a vertex of the cloths: the same among neighbours; empty where it is the same everywhere
    wfBuffer ringStart, ring;          // int: the neighbours of each vertex of the cloths, in rows; empty with nearHalf
    wfBuffer surfaceOf;                // int a vertex: a cloth, or behind these a collider
    wfBuffer layerOf;                  // int a vertex: its place in the declared order of cloths, from 0 outward; -1 of colliders
    int layerCount;                    // how many places there are; 1: no order is declared
    float thickest;                    // [m] largest half thickness
    // Pairs, by kind: points and triangles, edges, planes.
    wfBuffer quads; // wfQuad
    int pointCount, edgeCount, planeCount;
    wfBuffer planes; // wfTriangle: three vertices of each plane, its normal by their order

    wfBroad *cloth, *bodies; // bodies: NULL where there are none
    bool bodiesFitted;       // the bounds of bodies are those of this step
    wfElements clothElements, bodyElements;
    wfBuffer clothTriangles, clothEdges, bodyTriangles, bodyEdges; // wfTriangle, wfPair: vertices, numbered as above
    wfPairList trianglePairs, pointPairs[3], edgePairs[2];         // self, against bodies, and bodies' points against cloth
    wfCandidates work;
    wfBuffer flags, list, count, scratch;
} wfContactMesh;

/// Needs model->topology.
bool wfContactMesh_Create(wfContactMesh* mesh, wfDevice* device, const wfModel* model, const wfColliderSet* colliders, wfError* err);
void wfContactMesh_Free(wfContactMesh* mesh);

wfNearThickness wfContactMesh_NearThickness(const wfContactMesh* mesh);

/// Sets `from` and `to` from state->xStart, state->x, and the colliders.
void wfContactMesh_Place(wfContactMesh* mesh, const wfStepContext* ctx);

/// Fills the list of pairs whose bounds, about the motion from `from` to `to` and grown by the half thickness and `margin`, overlap. It
/// stays complete as long as no vertex ends farther than the margin from its straight way.
bool wfContactMesh_FindPairs(wfContactMesh* mesh, float margin, wfError* err);

/// The same where nothing is asked about the way: about `at`, wfVec4 a vertex of the cloths. Colliders count wherever they come on theirs.
bool wfContactMesh_FindNear(wfContactMesh* mesh, const wfBuffer* at, float margin, wfError* err);

WF_FN int wfContactMesh_KindOf(int index, int pointCount, int edgeCount) {
    return index < pointCount ? wf_quadPointTriangle : index < pointCount + edgeCount ? wf_quadEdgeEdge : wf_quadPlane;
}
