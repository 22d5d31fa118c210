// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// Rigid impact zones, the last resort of impulse contact: what still collides moves as one piece. Based on: Bridson, Fedkiw and Anderson
// 2002, "Robust treatment of collisions, contact and friction for cloth animation", section 7.5. Host code.
//
//   Begin with the ends that were proposed; then, until nothing collides:
//   find hits, Grow (vertices of a hit come into one zone), Move (all vertices of a zone get ends by one rigid motion), see what changed.
//
// A rigid motion keeps distances, and on the straight ways from start to end no two parts of a zone meet: in between the zone is an affine
// image of itself that is flat only after half a turn. So a zone has no hits inside but for what rounding makes; growing ends, at the
// latest with one zone.
//
// A zone without kinematic vertices keeps the linear and the angular momentum that was proposed (math/rigid_motion.h), to the rounding of
// its positions; always from the ends proposed before the first Move, so that growing twice loses nothing. Beyond the paper: the rotation
// meets the momentum of the whole step, not of its first moment, so a zone that moves rigidly already is left as it is (below a quarter
// turn).
//
// Kinematic vertices (colliders, held vertices of a cloth) keep their ends and take the zone with them. They do not join zones: two that
// touch the same collider far apart stay two. A zone moves
//   - with a rigid collider, where all kinematic vertices that it touches follow that one's motion. Several that stand still count as one
//   - else by the motion that keeps momentum with kinematic vertices 1e7 times as heavy as the rest together: they lead, and what freedom
//     they leave (a turn about one held vertex) keeps the momentum of the rest. Where they do not move rigidly themselves (cloth between
//     two bodies, a collider that deforms) there is no way to follow all of them: the zone is moved so, and is in the list of conflicts.
//
// The same for any order of hits within a call of Grow, bit by bit. A step costs time in proportion to the vertices in zones (times the
// logarithm that sorting needs), not to those of the scene; a Move visits only zones that grew. Memory is kept between steps.

#include "mesh/model.h"

/// Vertex and triangle, or edge and edge: four vertices of the contact mesh, which are those of all cloths and then those of colliders.
typedef struct wfHit {
    int v[4];
} wfHit;

/// A collider over a step. The poses matter only where it is rigid: then its vertices go from start to end by the motion between them.
typedef struct wfZoneBody {
    wfPose start, end;
    bool rigid;
} wfZoneBody;

/// What the zones of a step work on. All of it belongs to the caller and must stay until the next Begin.
typedef struct wfZoneStep {
    const wfVec4* start;      // every vertex; w = inverse mass [1/kg], 0 for kinematic ones (all of colliders, held ones of cloth)
    wfVec4* end;              // proposed; Move writes x, y and z of the free vertices in zones, which nobody else may change meanwhile
    const wfZoneBody* bodies; // by body number
    int bodyCount;
} wfZoneStep;

/// Kinematic vertices of a zone do not move as one.
typedef struct wfZoneConflict {
    int zone;      // the lowest vertex of the zone
    int bodies[2]; // of the two kinematic vertices that disagree most, ascending; -1: a held cloth vertex. Equal: a body that deforms
    float gap;     // [m] largest distance from the end of a kinematic vertex to where the zone's motion takes it
} wfZoneConflict;

typedef struct wfZoneStats {
    int zoneCount, vertexCount; // free vertices
    int unmatchedCount;         // zones moved since Begin that no rotation could give all of their angular momentum
    int fixedHitCount;          // hits since Begin without a free vertex, which nobody can answer
    int64_t work;               // vertices read or written since Begin, sorting not counted
} wfZoneStats;

typedef struct wfImpactZones wfImpactZones;

/// bodyOf: the body of each vertex from clothVertexCount on (vertexCount - clothVertexCount of them); must outlive the zones.
wfImpactZones* wfCreateImpactZones(int clothVertexCount, int vertexCount, const int* bodyOf, wfError* err);
void wfDestroyImpactZones(wfImpactZones* zones);

/// No zones.
void wfImpactZones_Begin(wfImpactZones* zones, const wfZoneStep* step);

/// Brings the free vertices of each hit into one zone and notes its kinematic ones. A vertex that enters is proposed to end where it does
/// now. *grew (may be NULL): whether any zone is more than it was; if not, moving and growing will not help against these hits.
/// On failure (a vertex of a hit is not finite, no memory) the zones are as they were.
bool wfImpactZones_Grow(wfImpactZones* zones, const wfHit* hits, int count, bool* grew, wfError* err);

/// Moves the zones that grew since the last Move. Fails for want of memory only.
bool wfImpactZones_Move(wfImpactZones* zones, wfError* err);

/// Free vertices to which the last Move gave another end than they had, ascending. Valid until the next Move.
const int* wfImpactZones_GetChanged(const wfImpactZones* zones, int* count);

/// Of all zones, as the last Move left them, ascending by zone. Valid until the next Move.
const wfZoneConflict* wfImpactZones_GetConflicts(const wfImpactZones* zones, int* count);

/// The lowest vertex of the zone that a cloth vertex is in; -1: in none.
int wfImpactZones_Find(const wfImpactZones* zones, int vertex);

/// Whether one zone holds a hit already: all its free vertices, and the kinematic ones or the rigid body that the zone moves with. What is
/// found there after a Move is rounding, or a conflict; growing does not help.
bool wfImpactZones_Holds(const wfImpactZones* zones, const wfHit* hit);

/// The free vertices of the zone that holds `vertex`, ascending; none where none does. Valid until the next call with these zones.
const int* wfImpactZones_GetZone(wfImpactZones* zones, int vertex, int* count);

wfZoneStats wfImpactZones_GetStats(const wfImpactZones* zones);
