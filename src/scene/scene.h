// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// A scene from the inside. Describing (scene.c) only records what the caller said; commit (commit.c) validates it all, builds the model
// and the device state; stepping (frame.c) touches the device alone. Each object is an allocation of its own, so that names and triangles
// that were handed out stay where they are.

#include "mesh/boundary.h"
#include "scene/motion.h"
#include "scene/params.h"
#include "scene/scene_kernels.h"
#include "step/step.h"
#include "weft/weft.h"

typedef struct wfCloth {
    wfClothDef def;        // its mesh points to the copies below
    int line;              // of the scene's file; 0 where there is none
    int firstVertex;       // in the model
    wfTriangle* triangles; // in mesh order, as long as the scene
    // Gone after commit.
    wfVec3* positions;
    wfVec3* rest;         // or NULL
    wfFlatTriangle* flat; // or NULL
    wfBoundary boundary;  // {0} until a seam asks for it
} wfCloth;

typedef struct wfCollider {
    wfColliderDef def; // its keys, mesh and sequence point to the copies below
    int line;          // of the scene's file; 0 where there is none
    wfKey* keys;
    wfMotion motion;
    // What stands for it in pictures, files and the certificate, in its own frame. That of an exact shape is made at commit.
    int vertexCount, triangleCount;
    wfVec3* positions;
    wfTriangle* triangles;
    wfVec3* sequence; // or NULL
    int* sameSince;   // of each frame of it, the first of those before it that are the same as it, with no others between
} wfCollider;

typedef struct wfPin {
    wfPinDef def; // its keys and vertices point to the copies below
    wfKey* keys;
    int* vertices;
    wfMotion motion;
} wfPin;

typedef struct wfSeam {
    wfSeamDef def; // its sides name cloths only
    wfTie* ties;   // vertices as their cloths number them
    int tieCount;
} wfSeam;

typedef enum wfScenePhase { wf_sceneOpen, wf_sceneCommitted, wf_sceneFailed } wfScenePhase;

/// What identifies a scene to a checkpoint, part by part, so that a refusal can say what differs.
typedef struct wfSceneHash {
    uint64_t params, cloths, colliders, pins, seams, friction;
} wfSceneHash;

/// What is left of a call that was cancelled, so that going on takes the steps that it would have taken.
typedef struct wfStepRest {
    double end;   // [s] where the call was to end
    double step;  // [s] its planned step
    int64_t left; // in parts of the shortest step of all; 0: nothing
    int32_t halvings, good;
} wfStepRest;

struct wfScene {
    wfDevice* device;
    wfSceneDef def;
    uint32_t generation;
    char* file; // that describes it, for messages; or NULL
    wfScenePhase phase;
    wfCloth** cloths;
    wfCollider** colliders;
    wfPin** pins;
    wfSeam** seams;
    wfFrictionDef* frictions;
    int clothCount, colliderCount, pinCount, seamCount, frictionCount;
    size_t clothCapacity, colliderCapacity, pinCapacity, seamCapacity, frictionCapacity;
    wfProgressFn progress;
    void* progressUser;

    // From commit on.
    wfArena arena; // of the model
    wfModel model;
    wfSceneHash hash;
    wfState state;
    const wfStepperType* stepper;
    wfStepParts parts;
    wfBuffer scratch;
    wfVec4* staging; // host, wf_stagingCount elements, for reading back

    wfColliderSet colliderSet;
    wfShape* shapes;       // host, colliderSet.shapeCount
    int* shapeOf;          // host, the collider of each shape
    wfVec4* bodyPositions; // host, twice colliderSet.vertexCount: where a step begins, and ends
    double bodiesAt;       // [s] of the step whose end these are; no number before the first
    wfBuffer pinnedVertices, pinLinks, pinPoses;
    wfPinPose* hostPinPoses;     // one a pin, then one an anchor
    struct wfAnchor* pinAnchors; // host: the links to colliders that change their shape
    int pinnedCount, pinAnchorCount;

    wfBuffer backupX, backupV, backupHistory; // the state before the call that is running; between calls room for the certificate
    wfBuffer backupPinched, backupMemory;     // likewise; memory: of the contact method
    wfBuffer fault, seenFault;                // the scene's own fault slot, and what was in it before the last check
    wfBuffer sums;                            // certificate

    wfStartReport startReport;

    int frame;
    double time;
    int64_t stepIndex;
    int stepsSinceCertificate;
    wfStepRest rest;
    bool stepped; // since commit or the last checkpoint read: there are contacts to count
};

enum { wf_stagingCount = 16384 };

/// The object of an id; fails with a clear line where it is not of this scene.
wfCloth* wfScene_FindCloth(const wfScene* scene, wfClothId id, wfError* err);
wfCollider* wfScene_FindCollider(const wfScene* scene, wfColliderId id, wfError* err);

/// Fails where the scene has not been committed; `call` opens the message.
bool wfScene_RequireCommitted(const wfScene* scene, const char* call, wfError* err);

/// For messages of commit: the file that describes the scene, and the lines of its objects.
bool wfScene_SetFile(wfScene* scene, const char* name, wfError* err);
void wfScene_SetClothLine(wfScene* scene, wfClothId id, int line);
void wfScene_SetColliderLine(wfScene* scene, wfColliderId id, int line);

/// What of the contact method outlives a step; NULL where there is nothing. `load`: where to put it.
wfBuffer* wfScene_ContactMemory(wfScene* scene, bool load);

/// Frees what commit made; the description stays.
void wfScene_FreeBuilt(wfScene* scene);

enum { wf_placeSize = wf_nameSize + 32 }; // "collider \"name\": pin \"…"

/// Opens every creation: the scene must still be open, the Def must come from its default function, its values be in range, its name be
/// free. An empty name becomes kind1, kind2, …; `place` receives `kind "name"`, which opens every later message.
bool wfScene_OpenObject(const wfScene* scene, const char* kind, int count, const wfParamTable* table, const void* def, bool cookieFits,
                        char* name, bool (*isTaken)(const wfScene*, const char*), char place[wf_placeSize], wfError* err);

// certify.c
/// Fails, naming the contact's rule and the first pair, where triangles of cloths meet each other or colliders.
bool wfScene_RequireClean(wfScene* scene, wfErrorCode code, const char* rule, wfError* err);

// collider_mesh.c
/// Makes the mesh that stands for an exact shape.
bool wfCollider_BuildMesh(wfCollider* collider, wfError* err);

// collider.c
/// Where its mesh is at `time`; out holds vertexCount elements of 3 floats, strideBytes apart.
void wfCollider_PositionsAt(const wfCollider* collider, double time, float* out, size_t strideBytes);
wfPose wfCollider_PoseAt(const wfCollider* collider, double time);
/// Reserves and fills the list of exact shapes; counts mesh colliders.
bool wfScene_CreateShapes(wfScene* scene, wfError* err);
/// Lays the colliders' meshes one after the other.
bool wfScene_CreateBodies(wfScene* scene, wfError* err);
/// Uploads where their vertices are at the ends of a step.
void wfScene_MoveBodies(wfScene* scene, double start, double end);
/// Uploads the shapes with their poses at the ends of a step from `start` to `end`.
void wfScene_MoveShapes(wfScene* scene, double start, double end);

// certify.c
/// Cloths and colliders as they are now in one row of triangles: those of the cloths, then those of the colliders.
typedef struct wfGathered {
    int vertexCount, triangleCount;
    wfVec3* positions;
    wfTriangle* triangles;
    bool* ignore; // per triangle: whether it is a collider's
} wfGathered;

/// Memory from `arena`.
bool wfScene_Gather(wfScene* scene, wfArena* arena, wfGathered* out, wfError* err);

// untangle_start.c
/// Moves the cloths of a tangled start until nothing meets; fails where some stay.
bool wfScene_UntangleStart(wfScene* scene, wfError* err);

// attach.c
/// A point of a triangle of a collider that changes its shape.
typedef struct wfAnchor {
    const wfCollider* collider;
    int pin;
    int triangle;
    float weight[3];
} wfAnchor;

/// The point of the collider's surface that is nearest to p at the start, with the unit normal there. Needs CheckMeshes to have passed.
/// *anchor (may be NULL) receives the triangle of a mesh.
wfVec3 wfCollider_NearestPoint(const wfCollider* collider, wfVec3 p, wfVec3* normal, wfAnchor* anchor);
/// The frame of the anchor's triangle at `time`, about the anchor.
wfPose wfAnchor_PoseAt(const wfAnchor* anchor, double time);

// seams.c
void wfScene_FreeSeam(wfSeam* seam);
/// Adds the stitches of all seams to the model, whose vertices are in place.
bool wfScene_BuildStitches(wfScene* scene, wfError* err);

// friction.c
/// Fills the model's table of coefficients, surface against surface.
bool wfScene_BuildFriction(wfScene* scene, wfError* err);

// pins.c
/// Lists the pinned vertices on the device.
bool wfScene_CreatePins(wfScene* scene, wfError* err);
/// Uploads the pins' poses for a step from `start` to `end` and holds what they hold.
void wfScene_MovePins(wfScene* scene, double start, double end);
/// For wfStepParts.fold; self is the scene.
void wfScene_FoldPins(void* self, const wfStepContext* ctx);

// frame.c
/// The context of a step of the current state.
wfStepContext wfScene_Context(wfScene* scene, double time, float dt);

// checkpoint.c
/// Of a scene in the middle of commit, when the model is whole.
wfSceneHash wfScene_Hash(const wfScene* scene);

/// Motions are held at their start during the preroll, when time is negative.
static inline double wfMotionTime(double time) { return time > 0.0 ? time : 0.0; }
