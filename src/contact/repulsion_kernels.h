// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "collide/body.h"
#include "collide/surface.h"
#include "collide/vertex_grid.h"
#include "contact/repulsion_rules.h"
#include "mesh/mesh.h"

/// Rows of others: item k of vertex i is items[k * count + i].
typedef struct wfRepulsionRows {
    int *counts, *items;
    int room, count;
} wfRepulsionRows;

/// The rows of pairs and edges that act. Those of a slice of vertices lie side by side, as long as the longest of them: item k of vertex i
/// is at start[i / wf_repulsionSlice] + k * wf_repulsionSlice + i % wf_repulsionSlice.
enum { wf_repulsionLanes = 4, wf_repulsionSlice = 32 }; // lanes that share the work on a row; vertices of a slice, which is a tile's work
typedef struct wfRepulsionActive {
    int *counts, *start, *items;
    wfVec2* acts;    // beside the items: the limit of a distance squared, or of pairs, which all have the same, the cloth of the other;
                     // one over how far from the limit it acts [1/m²]
    long long* used; // places that rows take; where that is above the room, some rows are left empty
    int room;        // places that there are
} wfRepulsionActive;

WF_FN int wfRepulsion_Place(const wfRepulsionActive* rows, int i, int k) {
    return rows->start[i / wf_repulsionSlice] + k * wf_repulsionSlice + i % wf_repulsionSlice;
}

/// An item of the active rows.
WF_FN int wfRepulsion_Item(int vertex, int kind) { return vertex << 2 | kind; }
WF_FN int wfRepulsion_Vertex(int item) { return item >> 2; }
WF_FN int wfRepulsion_Kind(int item) { return item & 3; }

/// What was noticed since the host looked last; each holds the lowest vertex.
typedef struct wfRepulsionVerdict {
    wfFaultSlot violated; // a constraint does not hold
    wfFaultSlot far;      // a vertex has gone too far to know
    wfFaultSlot haste;    // a body or what holds it takes a vertex farther in a round than rows are good for in a block
    wfFaultSlot nearFull; // there is no room for all rows of the grid
    wfFaultSlot activeFull;
    wfFaultSlot late;               // a held vertex is far from where it should be
    wfFaultSlot cut;                // a triangle and a body meet
    wfFaultSlot passed;             // a vertex has gone through a body
    wfFaultSlot deep;               // a body goes deeper into the cloth in a step than rounds can answer
    wfFaultSlot outside;            // the field of a body was not asked for where a vertex is
    wfFaultSlot moved;              // a vertex has gone so far that near rows are to be listed anew
    wfFaultSlot stretched;          // an edge is so long that samples of it are to be switched on
    long long nearUsed, activeUsed; // places that rows need
    long long behind;               // vertices whose x has not come to where y is to be
} wfRepulsionVerdict;

/// Vertices that are sewn to each other, by groups of those that are near enough. A group is open (it is one vertex), closing (it moves as
/// one and is drawn together) or closed: then all of it is at one place, the same bits. It is named by where its first item is.
enum { wf_weldOpen, wf_weldClosing, wf_weldClosed };
typedef struct wfRepulsionWelds {
    int* group; // of each vertex, or -1; NULL: nothing is sewn
    int *item, *end;
    int* state;
} wfRepulsionWelds;

/// The group of a vertex that is closing or closed, else -1.
WF_FN int wfRepulsion_Weld(const wfRepulsionWelds* w, int i) {
    int group = w->group != 0 ? w->group[i] : -1;
    return group >= 0 && w->state[group] != wf_weldOpen ? group : -1;
}

/// Finds the groups of vertices that are to come to one place from where a step begins.
typedef struct RepulsionWeldArgs {
    const wfVec4* xStart;
    const int *first, *members; // of each such place, increasing
    int* labels;                // beside the members
    wfRepulsionWelds welds;
    const double* due; // [s] two of a place: when the last of its threads begins to shorten, and when it is gone
    double time;       // [s] at the end of the step
    float early, late; // [m] how far from their mean vertices may be to close between these, and …
    float lateTime;    // [s] … so long afterwards; between, ever farther: at once, they would be in each other's way
} RepulsionWeldArgs;

/// Of the scene's bodies.
typedef struct wfRepulsionBodies {
    const wfShape* shapes;        // exact ones
    const wfBody* fields;         // meshes
    const wfVec4* carried;        // per vertex: how far the surface of bodies that change their shape goes next to it; NULL: there are none
    unsigned long long deforming; // bit k: field k is such a body; no more than 64 count
    int shapeCount, fieldCount;
} wfRepulsionBodies;

WF_FN const wfShape* wfRepulsion_BodyShape(const wfRepulsionBodies* b, int k) {
    return k >= b->shapeCount ? &b->fields[k - b->shapeCount].shape : &b->shapes[k];
}

WF_FN bool wfRepulsion_IsDeforming(const wfRepulsionBodies* b, int k) {
    int field = k - b->shapeCount;
    return field >= 0 && field < 64 && (b->deforming >> field & 1) != 0;
}

/// Distance of p to the k-th body at the end or the beginning of the step; exact shapes come first.
WF_FN float wfRepulsion_BodyDistance(const wfRepulsionBodies* b, int k, bool end, wfVec3 p, wfVec3* normal) {
    if (k >= b->shapeCount) {
        const wfBody* body = &b->fields[k - b->shapeCount];
        return wfBody_DistanceAt(body, end ? body->shape.end : body->shape.start, p, normal);
    }
    const wfShape* shape = &b->shapes[k];
    wfPose pose = end ? shape->end : shape->start;
    float distance = wfShape_Distance(shape, wfPose_Unapply(pose, p), normal);
    *normal = wfRotate(pose.rotate, *normal);
    return distance;
}

/// How far the point of body k at x goes in the step; i is the vertex there.
WF_FN wfVec3 wfRepulsion_CarriedBy(const wfRepulsionBodies* b, int k, int i, wfVec3 x) {
    if (wfRepulsion_IsDeforming(b, k)) return wfXyz(b->carried[i]);
    const wfShape* shape = wfRepulsion_BodyShape(b, k);
    return wfSub(x, wfPose_Apply(shape->start, wfPose_Unapply(shape->end, x)));
}

/// p, or where it is `clear` away from all bodies; *plane: of the body that was deepest, w -1 and no normal where there was none.
WF_FN wfVec3 wfRepulsion_OutOfBodies(const wfRepulsionBodies* b, wfVec3 p, float clear, wfVec4* plane) {
    float deepest = 0.0f;
    *plane = wfMake4(wfMake3(0.0f, 0.0f, 0.0f), -1.0f);
    for (int k = 0; k < b->shapeCount + b->fieldCount; ++k) {
        wfVec3 normal;
        float depth = clear - wfRepulsion_BodyDistance(b, k, true, p, &normal);
        if (!(depth > 0.0f)) continue;
        p = wfMulAdd(p, depth, normal);
        if (depth <= deepest) continue;
        deepest = depth;
        *plane = wfMake4(normal, wfDot(normal, p));
    }
    return p;
}

/// Where vertices are at the beginning of a step, and how near they may come to bodies in it: what is nearer than it should be goes away
/// slowly.
typedef struct RepulsionStartArgs {
    const wfVec4 *xStart, *target;
    wfVec4 *x, *base; // base: the step's own targets
    wfVec4* y;        // or NULL: stays as predicted
    float* clear;
    int* touched; // whether a body does
    wfRepulsionBodies bodies;
    float body, step;
} RepulsionStartArgs;

/// Picks the active of the near ones. A constraint acts from where it was at the beginning of the step, so that what is closer than it
/// could be at rest stays so, instead of leaping apart.
typedef struct RepulsionCollectArgs {
    const wfVec4 *x, *nearAt, *xStart; // nearAt: where the grid saw them, and w, what of the way that they may go was spent before
    const float* ringSq;               // beside ring.items: distance on the flat cloth, squared
    const int* clothOf;
    wfVec4* at; // where they are picked
    wfRepulsionRows ring;
    wfGridRows near;
    wfRepulsionActive active;
    wfRepulsionVerdict* verdict;
    wfRepulsionRules rules;
    float nearMove; // negative: the near rows are complete by other means
} RepulsionCollectArgs;

/// What a step asks of a round.
typedef struct wfRepulsionTurn {
    float step, lone; // limits of the way toward the dynamics, where others act on a vertex and not; infinite when interleaving
    float share;      // of the way that is left, for held vertices
    float coupling;   // sigma [1/s²]
} wfRepulsionTurn;

/// The soft phase: gradient steps, one a round, and where anything is sewn one more round, in which that is put together. Vertices on which
/// no others act take all of theirs at once, before those that are listed.
typedef struct RepulsionSoftArgs {
    const wfVec4 *init, *plane, *xStart;
    wfVec4 *one, *two; // steps read init, one, two, one, … and write one, two, one, …
    int round, rounds, steps;
    int* items; // those on which others act
    wfRoundsWait* wait;
    // The last step.
    wfVec4* out;             // what it writes
    const wfVec4* reference; // where the round began, what a vertex may not be farther from than …
    float limit;             // … this
    wfVec4* follow;          // gets the result too, or NULL
    wfVec4* project;         // y, which is pushed as x is; or NULL …
    const wfVec4* goal;      // … and where it was to be before
    const int* clothOf;
    const wfFriction* friction;
    wfRepulsionActive active;
    wfRepulsionVerdict* verdict;
    wfRepulsionRules rules;
    int surfaceCount;
    wfRepulsionWelds welds;
    // The last step: couples the dynamics to the result.
    const wfVec4 *base, *multipliers;
    wfVec4* target;
    float coupling;
    float ahead;  // [m] of x: how far y may be
    float behind; // [m] of y: how far x may be without a note
    int* touched;
} RepulsionSoftArgs;
typedef RepulsionSoftArgs RepulsionAloneArgs;

typedef struct RepulsionAimArgs {
    const wfVec4 *x, *y, *xStart, *base, *at;
    wfVec4* before;            // gets x
    wfVec4* goal;              // where y is to be: out of bodies, and of what is sewn at one place
    const wfVec4* multipliers; // or NULL
    wfVec4 *init, *plane;      // where the round begins; w of a plane: n·x of its points, w of init: 1 held, else 0
    const float* clear;
    const int* clothOf;
    const wfFriction* friction;
    wfRepulsionBodies bodies;
    wfRepulsionActive active;
    wfRepulsionVerdict* verdict;
    wfRepulsionRules rules;
    wfRepulsionTurn turn;
    wfRepulsionWelds welds;
    int surfaceCount;
    int test;         // whether x is judged by the active rows
    float mostDepth;  // [m] deeper in a body is noted
    float hasteDepth; // [m] deeper in a body is haste
    float hasteHeld;  // [m] a longer way of a held vertex in a round is, too
    RepulsionSoftArgs soft;
    int alone;       // whether vertices that are alone take their steps at once
    long long* used; // or NULL: is cleared
} RepulsionAimArgs;

/// Marks where an edge of y is too long for the dynamics to come back from.
typedef struct RepulsionTornArgs {
    const wfVec4 *y, *kept; // kept: x
    wfRepulsionRows ring;
    float mostSq, ratioSq; // L² [m²]; of L, or of the edge of x where that is longer, what an edge may be
    int* torn;
} RepulsionTornArgs;

/// Goes back to what was kept. Where y is torn it goes back to x itself: the dynamics has diverged from it, or would. Else it stays: what x
/// has not followed yet is momentum.
typedef struct RepulsionReturnArgs {
    const wfVec4 *kept, *keptY, *base;
    wfVec4 *x, *y;
    const int* torn; // or NULL
} RepulsionReturnArgs;

/// Judges a state by the active rows.
typedef struct RepulsionTestArgs {
    const wfVec4 *x, *at, *nearAt;
    const wfVec4* kept; // where the block began
    wfRepulsionActive active;
    wfRepulsionVerdict* verdict;
    wfRepulsionRules rules;
    // A vertex has moved where it could go farther in the next block than near rows allow: by what it went in this one, times `again`, or
    // by `spare` [m] at least.
    float again, spare;
} RepulsionTestArgs;

/// Folds the pull toward x into the targets of the dynamics.
typedef struct RepulsionCoupleArgs {
    const wfVec4 *x, *base, *multipliers;
    wfVec4* target;
    float coupling;
} RepulsionCoupleArgs;

/// Phantom mesh: changes multipliers by what x and y differ.
typedef struct RepulsionMultiplyArgs {
    const wfVec4 *x, *y;
    wfVec4* multipliers; // [N]
    float rate;          // [1/s²]
} RepulsionMultiplyArgs;

/// Whether held vertices have arrived, or where they are led lag behind by no more than they may.
typedef struct RepulsionArriveArgs {
    const wfVec4 *x, *xStart, *base;
    wfRepulsionVerdict* verdict;
    float farthest; // [m]
} RepulsionArriveArgs;

/// Which triangles come nearer to bodies than the gap, anywhere along their edges or in their middle. Only those with a corner that is near
/// one, as planes say.
typedef struct RepulsionCutArgs {
    const wfVec4 *x, *plane;
    const wfTriangle* triangles;
    wfRepulsionBodies bodies;
    wfRepulsionVerdict* verdict;
    int* flags; // of their corners
    float gap;  // [m]
} RepulsionCutArgs;

/// Which vertices have gone through a body in the step: as the body sees it, on a way that leads into it and out on its other side.
typedef struct RepulsionPassArgs {
    const wfVec4 *x, *xStart;
    wfRepulsionBodies bodies;
    wfRepulsionVerdict* verdict;
    float gap; // [m] what goes no deeper has not gone in
} RepulsionPassArgs;

/// Which vertices are where the fields of bodies know nothing.
typedef struct RepulsionOutsideArgs {
    const wfVec4* x;
    wfRepulsionBodies bodies;
    wfRepulsionVerdict* verdict;
} RepulsionOutsideArgs;

/// Keeps flagged vertices farther from bodies until the step ends.
typedef struct RepulsionAwayArgs {
    const int* flags;
    float* clear;
    float more; // [m]
} RepulsionAwayArgs;

/// How far the surface of a body that changes its shape goes next to each vertex.
typedef struct RepulsionCarryArgs {
    const wfVec4* xStart;
    wfSurfaceView surface;   // at the end of the step
    const wfVec4 *from, *to; // its vertices
    int vertexCount;         // surfaces may have more: of fans that close holes
    int first;               // whether it is the first body; of others only nearer ones count
    float limit;             // [m] farther ones do not
    wfVec4* carried;         // w: distance
} RepulsionCarryArgs;

/// The same of a body that keeps its shape in this step, though not always.
typedef struct RepulsionRideArgs {
    const wfVec4* xStart;
    wfBody body;
    int first;
    float limit;
    wfVec4* carried;
} RepulsionRideArgs;

/// Says where near rows are listed.
typedef struct RepulsionSeenArgs {
    const wfVec4* x;
    wfVec4* nearAt;
} RepulsionSeenArgs;

/// Who touches something.
typedef struct RepulsionTouchArgs {
    const wfVec4 *x, *plane;
    wfRepulsionActive active;
    wfRepulsionRules rules;
    int* touching;
} RepulsionTouchArgs;

// ---- the start of a step --------------------------------------------------------------------------------------------------------

enum { wf_smoothSide = 32, wf_smoothNodes = wf_smoothSide * wf_smoothSide * wf_smoothSide };

/// Sums in whole numbers, which have no order.
typedef struct wfSmoothSum {
    long long x, y, z, count;
} wfSmoothSum;

typedef struct SmoothScatterArgs {
    const wfVec4 *x, *y;
    const float* clear;
    wfRepulsionBodies bodies;
    wfSmoothSum* sums;
    float inverseCell;
} SmoothScatterArgs;

typedef struct SmoothMeanArgs {
    const wfSmoothSum* sums;
    wfVec4* out; // displacement times weight; weight
} SmoothMeanArgs;

typedef struct SmoothFilterArgs {
    const wfVec4* in;
    wfVec4* out;
    int beyond; // only to nodes whose motion is not known, from those beside them: vertices come there on their way
} SmoothFilterArgs;

/// Displacement times weight to displacement; from here on w is what of it is taken: all, or nothing where it is not known.
typedef struct SmoothDivideArgs {
    const wfVec4* in;
    wfVec4* out;
} SmoothDivideArgs;

/// What bodies that move still push vertices where the motion takes them, onto the nodes of their cells.
typedef struct SmoothRestArgs {
    const wfVec4 *x, *nodes, *base;
    const float* clear;
    wfRepulsionBodies bodies;
    wfSmoothSum* sums;
    float inverseCell;
} SmoothRestArgs;

/// Adds it to the motion, and empties the sums.
typedef struct SmoothAddArgs {
    wfSmoothSum* sums;
    wfVec4* nodes;
} SmoothAddArgs;

/// How much too steep the motion about a node is, then of each vertex how much too far it goes into a body, which its nodes note.
typedef struct SmoothCapArgs {
    const wfVec4 *nodes, *x;
    const float* clear;
    wfRepulsionBodies bodies;
    unsigned* caps; // of nodes: the most of both, as bits, which order as the numbers do
    float inverseCell;
    float steepest;   // [m] difference between neighbouring nodes
    float ontoBodies; // [m] of the displacement of vertices that meet bodies, what is along their normals
} SmoothCapArgs;

/// Takes no more of the motion than caps allow, and about them little enough less that it does not become steep thereby.
typedef struct SmoothEaseArgs {
    const wfVec4* in;
    wfVec4* out;
    const unsigned* caps; // or NULL: taken before
    float rise;           // [m] from node to node
} SmoothEaseArgs;

/// How much too steep or too long what is taken of the motion about a node still is: at most 1 where nothing is wrong.
typedef struct SmoothLimitArgs {
    const wfVec4* nodes;
    unsigned* excess;        // the most of all, and the most of how steep alone; as bits
    float steepest, longest; // [m] difference between neighbouring nodes; displacement
} SmoothLimitArgs;

typedef struct SmoothMoveArgs {
    const wfVec4 *x, *nodes;
    const unsigned* excess;  // the most of all
    wfVec4 *before, *smooth; // x; where the smooth motion alone would take it
    wfVec4 *init, *plane;    // where it goes: out of bodies, too
    const wfVec4* base;
    const float* clear;
    wfRepulsionBodies bodies;
    float inverseCell, share;
    wfRepulsionVerdict* verdict;
    float left;               // rounds of the start from this one on
    float longest;            // [m] of a vertex's way
    float astray, astrayHeld; // [m] how far bodies, or what holds it, may take it off the smooth motion in a round
    float hasteDepth;         // [m] what bodies may leave to the rounds that follow before it is haste
    float hasteHeld;          // [m] the same of what holds it
    long long* used;          // is cleared
} SmoothMoveArgs;

// ---- safe mode ------------------------------------------------------------------------------------------------------------------

/// Judges the straight way from one state to another by all near rows. flags[i]: whether a constraint of vertex i fails.
/// In the start of a step everything goes with the smooth motion: only what vertices leave it by, and what it brings them nearer to each
/// other, counts as a way. So does the limit of that way.
typedef struct RepulsionCheckArgs {
    const wfVec4 *from, *to;
    wfRepulsionRows ring;
    wfGridRows near;
    const int* only;             // or NULL: of whom constraints are looked at
    int* flags;                  // or NULL
    wfRepulsionVerdict* verdict; // or NULL
    wfRepulsionRules rules;
    wfVec4* nearAt;        // where the near rows were listed
    const wfVec4* smooth;  // where the smooth motion alone would take vertices, or NULL: no start
    const unsigned* steep; // of the smooth motion: how much of what it may be
    float shrink;          // [m] half of what distances as long as the grid reaches lose in a round where that is 1
    float soon;            // [m] a vertex that has gone farther since near rows were listed has moved
    float cond;            // what must be left of each
    float farthest;        // a vertex that has gone farther may meet others than those of its row
    int count;
} RepulsionCheckArgs;

/// Which vertices have one two edges away that is nearer than on flat cloth: only about these the cloth can meet itself, as long as no edge
/// is longer than L. So those with one within two edges that has such an edge count, too. Seams have no flat shape: there one that is
/// nearer than pairs may be, for whatever meets has two vertices that are, and all that are sewn, whose others are in no row.
typedef struct RepulsionTightArgs {
    const wfVec4* x;
    wfRepulsionRows ring;
    const float* ringSq;
    float acrossSq, leastSq; // [m²] what ringSq is across seams; B²
    const int* sewn;         // of each vertex, below 0 where it is not; NULL: nothing is
    const int* longEnds;     // of each vertex, whether it has an edge longer than L; NULL: none has
    int* tight;
    unsigned* listed; // is cleared
} RepulsionTightArgs;

/// Lists the vertices about which the cloth can meet itself: those that are tight, and their neighbours.
typedef struct RepulsionNearTightArgs {
    wfRepulsionRows ring;
    const int* tight;
    const int* only; // or NULL: whose edges are looked at
    int* items;
    unsigned* listed;
} RepulsionNearTightArgs;

/// Looks for intersections of triangles that have corners within two edges of each other: edges of the listed vertices and triangles about
/// them. So many tiles share these.
enum { wf_foldVertices = 8, wf_foldTiles = 2048 }; // vertices that a tile looks at together
typedef struct RepulsionFoldArgs {
    const wfVec4* x;
    wfRepulsionRows ring, around; // around: triangles with a corner within two edges, but those of the vertex itself
    const wfTriangle* triangles;
    const int* items;
    const unsigned* listed;
    wfRepulsionWelds welds;
    int* flags;                  // or NULL: all vertices of what meets are marked
    wfRepulsionVerdict* verdict; // or NULL
    float gap;                   // [m] nearer counts as meeting
    int tiles;
} RepulsionFoldArgs;

/// Tells y how the hard phase differs from what the soft phase gave.
typedef struct HardFollowArgs {
    const wfVec4 *x, *soft;
    wfVec4* y;
} HardFollowArgs;

/// Takes vertices that are flagged back to where they were.
typedef struct RepulsionLabelArgs {
    const wfVec4 *before, *soft;
    const int* flags;
    int* labels;
    wfVec4* x;
    wfRepulsionWelds welds;
} RepulsionLabelArgs;

/// The gradient of the hard phase's objective, of the labelled; others have none.
typedef struct HardGradientArgs {
    const wfVec4 *x, *init, *plane;
    const int* labels;
    wfRepulsionRows ring;
    wfGridRows near;
    wfVec4* way;          // down: the gradient over a bound of how it grows, the other way round
    float *value, *slope; // the objective's share of a vertex, and how it falls along the way
    wfRepulsionRules rules;
    wfRepulsionWelds welds;
    float barrier; // mu [m²]
} HardGradientArgs;

/// Whom the labelled are near: themselves and those an edge away, or within two edges.
typedef struct HardSpreadArgs {
    wfRepulsionRows ring;
    const int* labels;
    int* out;
    int edges; // whether an edge away
} HardSpreadArgs;

/// How a vertex goes on: those of a first try go the whole length; those that fail in one try go a quarter as far in the next, so that what
/// is stuck does not hold up all others; after a step they try to go farther again.
enum { wf_hardFirst, wf_hardRetry, wf_hardNext };
typedef struct HardMoveArgs {
    const wfVec4 *x, *way;
    const int* flags; // who failed in the try before
    float* share;     // of the length, kept from try to try
    wfVec4* out;
    wfRepulsionWelds welds;
    float length;
    int turn;
    wfFaultSlot* violated; // is cleared
} HardMoveArgs;

/// What a step of the hard phase would give.
typedef struct wfHardTrial {
    wfRepulsionVerdict verdict;
    float value, slopeSq;
} wfHardTrial;
