// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

#include "collide/vertex_grid.h"
#include "contact/repulsion.h"
#include "contact/repulsion_kernels.h"
#include "contact/repulsion_sample_kernels.h"

/// A mesh collider.
typedef struct wfRepulsionBody {
    int collider;
    wfSurface surface;
    wfSdf sdf;
    bool built;
    double since; // [s] from when on the shape of its field was what it is; no number: it has none that lasts
} wfRepulsionBody;

struct wfRepulsion {
    int vertexCount, surfaceCount;
    wfRepulsionRules rules;
    wfRepulsionMode mode;
    bool smoothStart;
    bool remembers; // multipliers
    wfVertexGrid* grid;
    wfBuffer x, kept, keptY;       // wfVec4: x; the state to come back to
    wfBuffer startV, startHistory; // wfVec4: of the state when the step began
    float startHistoryDt;
    wfBuffer init, plane, one, two;          // wfVec4: of a round
    wfBuffer before, smooth;                 // wfVec4: where a round began; of the start, or where y is to be
    wfBuffer at, nearAt;                     // wfVec4: where active pairs were picked, near ones listed
    wfBuffer base, multipliers;              // wfVec4
    wfBuffer clear, touched;                 // float; int: see wfRepulsion_Touched
    wfBuffer clothOf, friction;              // int, wfFriction
    wfBuffer ringCount, ringItem, ringSq;    // rows: edges and neighbours' neighbours; float beside the items
    wfBuffer aroundCount, aroundItem;        // rows: triangles about a vertex
    wfBuffer triangles, tight;               // wfTriangle; int: whether a vertex has one two edges away that is nearer than on flat cloth
    wfBuffer nearStart, nearCount, nearItem; // int: wfGridRows
    wfBuffer activeCount, activeStart, activeItem, acts; // int, wfVec2: wfRepulsionActive
    int ringRoom, aroundRoom;                            // of a vertex
    int nearRoom, activeRoom;                            // of all
    long long nearWanted, activeWanted;                  // what they get when they are listed and picked anew
    bool stale;                                          // whether near rows are to be listed anew
    bool hasty, behind;
    wfBuffer weldGroup, weldItem, weldEnd, weldState;     // int: wfRepulsionWelds
    wfBuffer weldFirst, weldMembers, weldLabels, weldDue; // int, and double: who is to come to one place, and when
    int weldCount;                                        // of places
    wfBuffer verdict;                                     // wfRepulsionVerdict
    wfReadback readback;
    // Adaptive samples.
    wfBuffer sampleEdges, sampleSides;  // wfSampleEdge, wfSampleSides
    wfBuffer levels, longEnds;          // int: how many times edges are halved; of vertices, whether they have an edge longer than L
    wfBuffer samples, sampleCounts;     // wfRepulsionSample, wfSampleCounts
    wfBuffer sampleHeads, sampleNodes;  // int, wfSampleNode: wfSampleHash
    wfBuffer samplePairs, samplePushes; // wfPair, wfSamplePush
    int edgeCount, triangleCount;
    int sampleRoom, samplePairRoom, sampleBits;
    bool adaptive, sampled; // whether there are any; whether any are on in this step
    wfBuffer sums, nodes, otherNodes, caps, excess, torn;
    // Safe mode.
    wfBuffer flags, labels, gradient, value, slope, share, trial;
    wfBuffer dirty, trialResult; // int: who is near a labelled vertex; wfHardTrial
    bool hardened;               // in this step
    wfFaultSlot passed;          // the first vertex that a body has gone through in this step
    int deepest;                 // the first vertex of those that a body is too deep in
    wfBuffer offsets, scratch;
    wfBuffer wait, listed; // wfRoundsWait of the soft phase; unsigned: how many vertices folds are looked for about
    // Bodies that are meshes.
    wfRepulsionBody* bodies;
    wfBody* hostBodies;
    int bodyCount;
    wfBuffer fields;  // wfBody
    wfBuffer carried; // wfVec4: how far surfaces that change their shape go next to each vertex
    unsigned long long deforming;
    wfGraph lists; // who is near whom
    wfGraph graphs[wf_repulsionPaces][wf_repulsionBlocks];
    bool recorded[wf_repulsionPaces][wf_repulsionBlocks];
    float graphDt;
    wfRepulsionMode graphMode;
    wfRepulsionCounts counts;
};

wfGridRows wfRepulsion_Near(const wfRepulsion* r);
void wfRepulsion_ReserveNear(wfRepulsion* r, wfDevice* device, long long count);
/// Slices of vertices, each the work of a tile.
int wfRepulsion_Tiles(const wfRepulsion* r);
wfRepulsionRows wfRepulsion_Ring(const wfRepulsion* r);

/// Before what is recorded in them is no longer so.
void wfRepulsion_DropGraphs(wfRepulsion* r, wfDevice* device);

/// Folds the pull of x into the targets of the dynamics.
void wfRepulsion_Couple(wfRepulsion* r, const wfStepContext* ctx);

// repulsion_welds.c
/// Everybody within two edges of a vertex, sewn vertices being one, increasing; `sewn` is those that are sewn to it.
bool wfRepulsion_ListSewn(const wfModel* model, wfArena* arena, wfRows* near, wfRows* sewn, wfError* err);
/// Groups of what is sewn vertex to vertex.
bool wfRepulsion_CreateWelds(wfRepulsion* r, wfDevice* device, const wfModel* model, wfArena* arena, wfError* err);
void wfRepulsion_FreeWelds(wfRepulsion* r, wfDevice* device);
/// Finds which groups are closed, or close in this step.
void wfRepulsion_PlaceWelds(wfRepulsion* r, const wfStepContext* ctx);
wfRepulsionWelds wfRepulsion_Welds(const wfRepulsion* r);

// repulsion_create.c
/// Rows, lengths and the start, from the model; fails where the mesh does not fit.
bool wfRepulsion_Build(wfRepulsion* r, wfDevice* device, const wfModel* model, wfError* err);

// repulsion_folds.c
/// near: who is within two edges of whom, across seams, too.
bool wfRepulsion_BuildFolds(wfRepulsion* r, wfDevice* device, const wfModel* model, const wfRows* near, wfArena* arena, wfError* err);
/// How folds are looked for, and where they are noted; all but the gap may be NULL.
typedef struct wfFoldLook {
    float gap;                   // mean edges
    const int* only;             // whose edges are looked at; NULL: of all
    int* flags;                  // of vertices: marked, beside what others have set before
    wfRepulsionVerdict* verdict; // violated
} wfFoldLook;
/// Whether triangles within two edges of each other are nearer than the gap at x.
void wfRepulsion_CheckFolds(wfRepulsion* r, wfDevice* device, const wfBuffer* x, wfFoldLook look);

// repulsion_samples.c
bool wfRepulsion_BuildSamples(wfRepulsion* r, wfDevice* device, const wfModel* model, wfArena* arena, wfError* err);
void wfRepulsion_FreeSamples(wfRepulsion* r, wfDevice* device);
/// The rules by which states are judged.
wfRepulsionRules wfRepulsion_JudgeBy(const wfRepulsion* r);
/// Notes whether edges at x ask for samples that are not on; where any are on, whose edges are longer than L. verdict: or NULL.
void wfRepulsion_NoteStretch(wfRepulsion* r, wfDevice* device, const wfBuffer* x, wfRepulsionVerdict* verdict);
/// Switches all off: at the beginning of a step.
void wfRepulsion_DropSamples(wfRepulsion* r, wfDevice* device);
/// Where edges have asked for samples, switches them on at x and lists whom they are near. Waits.
void wfRepulsion_ListSamples(wfRepulsion* r, wfDevice* device);
/// Where any are on, moves where a round begins, and where y is to be (goal, or NULL), out of their way.
bool wfRepulsion_HasSamples(const wfRepulsion* r);
void wfRepulsion_PushSamples(wfRepulsion* r, const wfStepContext* ctx, wfBuffer* goal);
/// Where any are on, judges the straight way from one state to another by them, and all edges at its end.
void wfRepulsion_CheckSamples(wfRepulsion* r, wfDevice* device, const wfBuffer* from, const wfBuffer* to, float cond, wfSampleNotes notes);

// repulsion_hard.c
/// Marks in r->dirty whose edges may meet triangles that the labelled (r->labels) move: these reach an edge beyond those within two edges.
void wfRepulsion_SpreadLabels(wfRepulsion* r, wfDevice* device);

// repulsion_bodies.c
bool wfRepulsion_CreateBodies(wfRepulsion* r, const wfColliderSet* colliders, wfError* err);
void wfRepulsion_FreeBodies(wfRepulsion* r, wfDevice* device);
/// How wide cells of a body's field may be, for cloth with edges of `mean` [m]: where a body is round, wider than where it has corners.
bool wfRepulsion_CellFor(const wfMeshView* view, float mean, float* cell, wfError* err);
/// Puts them where they are in this step.
bool wfRepulsion_PlaceBodies(wfRepulsion* r, const wfStepContext* ctx, wfError* err);
/// Makes their fields where x is now.
bool wfRepulsion_CoverBodies(wfRepulsion* r, const wfStepContext* ctx, wfError* err);
