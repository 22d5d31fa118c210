// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// What the parts of untangling share.

#include "collide/intersect.h"
#include "contact/untangle.h"

/// A curve on a surface: a strand of a contour, or both where they are one.
typedef struct wfCurve {
    int contour;
    int strands;        // bit s: strand s
    int host, opponent; // pieces of the mesh (wfTopology.component): whose surface it lies on, and which one crosses it
    wfCurveType type;
} wfCurve;

/// Which way the normals of a contour point together: of strand 0, the other goes against it.
typedef struct wfAxis {
    wfVec3D sum;
    double weight;
    double deepest[2]; // [m] by strand: the longest way out of what slides within its own surface
    wfVec3D apart;     // where bodies pass right through each other, unit, else zero: strand 0 goes that way as a whole
} wfAxis;

typedef enum wfUntangleScheme {
    wf_schemeGlobal,  // whole regions through the surface
    wf_schemeLocal,   // edges and faces of crossings along repulsive normals
    wf_schemeShorten, // contours shorter, whatever is on the wrong side
    wf_schemeSmooth,  // what crosses toward the middle of its neighbours: out of folds and spikes
    wf_schemeCount
} wfUntangleScheme;

struct wfUntangler {
    wfUntangleDef def;
    wfArena arena;
    wfDevice* device;
    wfTopology topology;
    wfCrossingFinder finder;
    wfVec3* x; // the caller's, during a run
    wfVec3 *start, *best, *before;
    double gap, leastGap, mostGap, *step; // [m]; the gap grows from round to round; step, per piece: the longest way in a round
    double meanEdge;                      // [m] of all pieces
    int* size;                            // per piece: its edges
    short* solid;                         // per piece: 1 closed and normals outwards, -1 inwards, 0 open
    double* area;                         // per vertex
    wfUntangleScheme scheme;
    double stride; // of the longest step, from 0 to 1
    // What meets, kept from look to look.
    wfTrianglePair* met;
    int metCount;
    size_t metCapacity;
    wfVec3* seen; // positions at the last look
    bool* idle;   // per triangle: whether it was then as it had been before, or cannot move
    // A flood, between Flood and Forget.
    short* color; // per vertex: 0 or 1 side of the curves; notReached, or onCurve
    bool* odd;    // per edge: whether the curves cross it an odd number of times
    int *queue[2], *reached;
    int reachedCount;
    int* faceOf; // per vertex: the face of the other surface it is nearest to, or -1
    // What is wanted of each vertex: ways weighted by their length, and the weights.
    wfVec3D* sum;
    double* weight;
    wfVec3D *way, *nextWay;
    wfCrossings found; // of this round
    wfContours traced;
    const wfCrossings* crossings;
    const wfContours* contours;
    wfAxis* axes; // per contour
};

enum { wf_notReached = -1, wf_onCurve = 2, wf_stepInEdges = 2 }; // the longest step of a round, in mean edges of its piece

typedef struct wfFlood {
    bool parts;     // the curves part the surface
    double area[2]; // of each side, as far as it was looked at
    int illegal;    // the side that is on the wrong side of the other surface
} wfFlood;

// untangle_regions.c
/// Colours the two sides of curves on one surface and decides which is illegal. near: only what is beside them, where they part nothing.
/// wfUntangler_Forget must follow.
void wfUntangler_Flood(wfUntangler* u, const wfCurve* curves, int count, bool near, wfFlood* out);
void wfUntangler_Forget(wfUntangler* u, const wfCurve* curves, int count);
/// The side that crossing's edge should be on, as a sign along the normal of its face, where a closed body or layers say it; else 0.
int wfUntangler_KnownSide(const wfUntangler* u, const wfCrossing* c);

// untangle_pieces.c
/// Of each piece the longest step, and whether it is closed and which way round.
bool wfUntangler_MeasurePieces(wfUntangler* u, wfError* err);

// untangle_axis.c
/// Adds the normals along the curves to the axes of their contours.
void wfUntangler_AddAxis(wfUntangler* u, const wfCurve* curves, int count, const wfFlood* flood);
/// Of a contour between bodies whose normals point everywhere: which way the bodies go apart.
void wfUntangler_FindApart(wfUntangler* u, int contour);
/// The way of the whole contour for a strand, unit; zero where its normals point everywhere.
wfVec3D wfUntangler_AxisOf(const wfUntangler* u, int contour, int strand);
/// The sign of the face's normal that points to the legal end of the edge, and which end is illegal; 0 where the ends are alike.
int wfUntangler_LegalSide(const wfUntangler* u, const wfCrossing* c, int illegalColor, int* illegalEnd);
/// From a stop to its neighbour on the contour, -1 or 1 stops on; zero at an end without one.
wfVec3D wfUntangler_Along(const wfUntangler* u, const wfContour* c, int at, int on);

// untangle_push.c
/// Adds to the wishes what resolves the curves; of curves that part nothing flood is NULL.
void wfUntangler_Push(wfUntangler* u, const wfCurve* curves, int count, const wfFlood* flood);
/// A curve from boundary to boundary that parts nothing: pushes its surface to the nearest boundary of the other. False where that is far.
bool wfUntangler_PushOut(wfUntangler* u, const wfCurve* curve);
/// A wish: the vertex goes by `way`, counted `share` times as much as others of that length.
void wfUntangler_Wish(wfUntangler* u, int vertex, wfVec3D way, double share);
/// How the way between two things is shared: of the first; the second gets the rest. Negative: neither moves.
double wfUntangler_ShareOf(const wfUntangler* u, const int* a, int countA, const int* b, int countB);
/// Moves the vertices by their wishes and forgets those. Returns the longest way.
double wfUntangler_Move(wfUntangler* u);

// untangle.c
/// Rounds until nothing meets, from x as it is; x is what came nearest to that.
bool wfUntangler_Clean(wfUntangler* u, bool* clean, wfError* err);
/// Fills in what a report says of the end.
bool wfUntangler_Finish(wfUntangler* u, wfUntangleReport* report, wfError* err);

// untangle_ease.c
/// Pushes apart what was moved and is nearer than the clearance to something, as far as it goes. Nothing may meet.
bool wfUntangler_Clear(wfUntangler* u, wfError* err);

// untangle_look.c
/// Brings the list of triangles that meet up to date with x. anew: nothing is known from an earlier look, and `fixed` may be another.
bool wfUntangler_Look(wfUntangler* u, bool anew, wfError* err);

// untangle_touch.c
/// Adds wishes that push apart triangles which meet without crossing.
void wfUntangler_PushPairs(wfUntangler* u, const wfTrianglePair* pairs, int count);

static inline bool wfUntangler_IsFixed(const wfUntangler* u, int v) { return u->def.fixed != NULL && u->def.fixed[v]; }
static inline wfVec3D wfUntangler_At(const wfUntangler* u, int v) { return wfWiden(u->x[v]); }

/// The normal of a triangle, unit; zero where it has no area.
static inline wfVec3D wfUntangler_Normal(const wfUntangler* u, int triangle) {
    wfTriangle t = u->topology.triangles[triangle];
    wfVec3D a = wfUntangler_At(u, t.v[0]);
    wfVec3D n = wfCrossD(wfSubD(wfUntangler_At(u, t.v[1]), a), wfSubD(wfUntangler_At(u, t.v[2]), a));
    double length = wfLengthD(n);
    return length > 0.0 ? wfScaleD(n, 1.0 / length) : wfMake3D(0.0, 0.0, 0.0);
}
