// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// From pairs of triangles to what is really tested: vertex and triangle, edge and edge, edge and triangle, each exactly once. A vertex or
// an edge belongs to the lowest of its triangles (its representative: Curtis et al. 2008; Ye et al., section III), and only that triangle's
// pairs test it. Tests between triangles that share a vertex never come out of the broad phase; which of them are needed does not change,
// so they are listed once, at the beginning (the orphan sets), without those that share a vertex themselves.
//
// What comes out is every pair of the kind that shares no vertex and comes within the sum of both radii, and of the others, to rounding,
// those whose 18-DOPs overlap. Where all vertices go evenly these are seen from beside the two triangles that they belong to: from a frame
// that goes along with these, so that what falls or flies together has no more candidates than what rests. Vertices and edges are also
// looked at along the line between the middles of the two triangles. Vertices without triangles have none.

#include "collide/broad.h"

typedef enum wfCandidateKind {
    wf_vertexTriangle, // a: vertex of the first mesh, b: triangle of the second
    wf_triangleVertex, // a: triangle of the first, b: vertex of the second. Not within one mesh: vertexTriangle has all of them
    wf_edgeEdge,       // within one mesh a < b
    wf_edgeTriangle,
    wf_triangleEdge, // not within one mesh
    wf_candidateKindCount
} wfCandidateKind;

/// A mesh as candidates see it: what belongs to which triangle. Made once; of the motion only what wfElements_Move was given last is kept.
typedef struct wfElements {
    wfDevice* device;
    wfBuffer corners;  // wfCorners a triangle
    wfBuffer edges;    // wfTriangle a triangle: edges as wfTopology numbers them
    wfBuffer adjacent; // wfAdjacent: neighbours, and what they must test
    wfBuffer motion;   // wfVec4, two a vertex; empty before wfElements_Move
    wfBuffer marks;    // int a triangle: which of its vertices are marked, as bits; empty before the first wfElements_Mark
    int vertexCount;
    float radius;
    bool even;   // the pace of the last move
    bool marked; // since the last move
} wfElements;

/// Reads the topology and keeps nothing of it.
bool wfElements_Create(wfElements* elements, wfDevice* device, const wfTopology* topology, wfError* err);
void wfElements_Free(wfElements* elements);

/// How vertices go from start to end: all evenly, as in a step of time, or each as it likes, also only a part of the way. What goes along
/// with another thing never meets it in the first case, and may in the second.
typedef enum wfPace { wf_paceAny, wf_paceEven } wfPace;

/// The positions and the radius that the triangles were found with; see wfBroad_Update. Copies the positions on the device.
void wfElements_Move(wfElements* elements, const wfBuffer* start, const wfBuffer* end, wfPace pace, float radius);

/// After a move: from here to the next one only those pairs are found in which a vertex is marked; int a vertex, not 0: it is. Of other
/// elements none is. Not for edges with triangles.
void wfElements_Mark(wfElements* elements, const wfBuffer* vertices);

/// What finding needs beside its input; may serve any number of meshes in turn. Start from wfMakeCandidates.
typedef struct wfCandidates {
    wfBuffer masks;           // int a pair of triangles
    wfBuffer counts, offsets; // int a kind and tile of pairs
    wfBuffer totals;          // int a kind
    wfBuffer scratch;
    int kinds[wf_candidateKindCount]; // what was asked for last: its tests, as bits
} wfCandidates;

wfCandidates wfMakeCandidates(void);
void wfCandidates_Free(wfDevice* device, wfCandidates* work);

/// Finds the candidates of every kind k for which out[k] is not NULL. `triangles`: from wfBroad_FindSelf where second is NULL, else from
/// wfBroad_FindAgainst. Waits once, again after a list grew.
bool wfCandidates_Find(wfCandidates* work, const wfElements* first, const wfElements* second, const wfPairList* triangles,
                       wfPairList* const out[wf_candidateKindCount], wfError* err);

/// A candidate as four vertices, as in collide/distance.h: a vertex and a triangle, or two edges.
typedef struct wfFourVertices {
    WF_ALIGN(16) int v[4];
} wfFourVertices;

/// The same in two halves and without lists of pairs, for whoever wants vertices in an array of his own. First how many there are of each
/// kind k for which asked[k]; not edges with triangles. Waits.
bool wfCandidates_Count(wfCandidates* work, const wfElements* first, const wfElements* second, const wfPairList* triangles,
                        const bool asked[wf_candidateKindCount], int totals[wf_candidateKindCount], wfError* err);
/// Then they themselves, to out[k], in the order of wfCandidates_Find; with `work` and all else as they were left. Vertices of the second
/// mesh are numbered from `offset` on.
void wfCandidates_Write(const wfCandidates* work, const wfElements* first, const wfElements* second, const wfPairList* triangles,
                        const int totals[wf_candidateKindCount], wfFourVertices* const out[wf_candidateKindCount], int offset);
