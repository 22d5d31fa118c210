// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The functions. Describe (create device, scene, cloths, colliders, pins, seams, friction), commit, step, read back.
// A call that can fail ends in wfError* (NULL allowed) and returns false, NULL or the null id. Nothing here prints or exits.
// A scene belongs to one thread at a time; scenes on different devices are independent.

#include "weft/types.h"

typedef struct wfDevice wfDevice;
typedef struct wfScene wfScene;

/// "0.1.0"
WF_API const char* wfVersion(void);

// ---- device -------------------------------------------------------------------------------------------------------------------

WF_API wfDeviceDef wfDefaultDeviceDef(void);

/// Opens a compute device. It must outlive the scenes made on it.
WF_API wfDevice* wfCreateDevice(const wfDeviceDef* def, wfError* err);
WF_API void wfDestroyDevice(wfDevice* device); // NULL allowed

/// "CPU, 2 threads" or the GPU's name. Valid as long as the device.
WF_API const char* wfDevice_GetName(const wfDevice* device);
WF_API wfDeviceKind wfDevice_GetKind(const wfDevice* device);

/// Bytes of device memory now in use by this device's buffers, and how often one was allocated or grown since it was opened.
WF_API size_t wfDevice_GetMemory(const wfDevice* device);
WF_API int64_t wfDevice_GetAllocCount(const wfDevice* device);

// ---- scene --------------------------------------------------------------------------------------------------------------------

WF_API wfSceneDef wfDefaultSceneDef(void);
/// An empty scene on a device. The Def is copied and range-checked; the names of methods in it are looked up at commit.
WF_API wfScene* wfCreateScene(wfDevice* device, const wfSceneDef* def, wfError* err);
WF_API void wfDestroyScene(wfScene* scene); // NULL allowed; ids of it are dead afterwards

WF_API wfFabric wfDefaultFabric(void);
/// Finds a named fabric ("cotton", …). False if there is none of that name; `err` then lists the names.
WF_API bool wfFindFabric(const char* name, wfFabric* out, wfError* err);

// Objects. A creation copies its Def and every array in it: all may go as soon as the call returns. It checks ranges, names and counts
// (an empty name becomes cloth1, cloth2, …; cloths and colliders may not share a name) and returns the null id on failure; what the
// meshes hold is checked at commit. An id stays valid as long as its scene; an id of another scene is refused.

WF_API wfClothDef wfDefaultClothDef(void);
/// mesh: vertexCount times 3 floats, triangleCount times 3 ints; flat (6 floats a triangle) and restPositions (as positions) may be NULL.
WF_API wfClothId wfCreateCloth(wfScene* scene, const wfClothDef* def, wfError* err);

WF_API wfColliderDef wfDefaultColliderDef(void);
/// keys: keyCount of them in increasing time. Shape mesh reads mesh and, where given, sequence: sequenceCount times vertexCount positions.
WF_API wfColliderId wfCreateCollider(wfScene* scene, const wfColliderDef* def, wfError* err);

WF_API wfPinDef wfDefaultPinDef(void);
/// vertices: vertexCount indices of the pin's cloth. Where several pins name a vertex, the first that holds it wins; springs add up.
WF_API wfPinId wfCreatePin(wfScene* scene, const wfPinDef* def, wfError* err);

WF_API wfSeamDef wfDefaultSeamDef(void);
/// a, b: vertexCount indices of the side's cloth. Runs are looked up at once, so the meshes of both cloths must be sound by then.
WF_API wfSeamId wfCreateSeam(wfScene* scene, const wfSeamDef* def, wfError* err);
/// How many stitches a seam has. 0 for an id that does not fit.
WF_API int wfSeam_GetStitchCount(const wfScene* scene, wfSeamId id);

WF_API wfFrictionDef wfDefaultFrictionDef(void);
/// The friction between two surfaces, in place of the geometric mean of what each says for itself. Said again, the last holds.
WF_API bool wfScene_SetFriction(wfScene* scene, const wfFrictionDef* def, wfError* err);

/// Validates everything, builds and uploads. Nothing can be created in the scene afterwards; one whose commit failed can only be destroyed.
WF_API bool wfScene_Commit(wfScene* scene, wfError* err);

/// What commit did about a tangled start.
WF_API wfStartReport wfScene_GetStartReport(const wfScene* scene);

// ---- simulation (after commit) ------------------------------------------------------------------------------------------------

/// Advances by `seconds` of simulated time, in equal steps no longer than the scene's time_step.
/// Fails with wf_stepFailed when the state cannot be continued; time, positions and velocities are then those before the call.
WF_API bool wfScene_Step(wfScene* scene, float seconds, wfError* err);

/// Runs what is left of the preroll, so that the state is that of frame 0. Does nothing where there is none or it has run.
WF_API bool wfScene_Preroll(wfScene* scene, wfError* err);

/// Advances to the next frame; runs the preroll first when frame 0 has not begun. On failure the positions are those before the call, or
/// those of frame 0 where the preroll was run.
WF_API bool wfScene_StepFrame(wfScene* scene, wfError* err);

WF_API int wfScene_GetFrame(const wfScene* scene);   // the last whole frame; 0 after commit
WF_API double wfScene_GetTime(const wfScene* scene); // [s]; negative during preroll
/// Calls fn(user, steps done so far, time) before every step; NULL takes it off again. See wfProgressFn.
WF_API void wfScene_SetProgress(wfScene* scene, wfProgressFn fn, void* user);

/// Fills the certificate of the current state. Waits for the device. `checkPairs` also counts intersecting triangle pairs, on the host.
/// Stage times and the step count are those since the last certificate.
WF_API bool wfScene_Certify(wfScene* scene, bool checkPairs, wfCertificate* out, wfError* err);

/// Writes the whole state to a file, atomically (a reader sees the old file or the new one), and reads it back into a committed scene
/// that was described the same way. A scene that goes on from it gives the same bits as one that never stopped. A file that is torn,
/// damaged or of another scene is refused and the scene stays as it was; `frames`, colours and visibility may differ.
WF_API bool wfScene_SaveCheckpoint(wfScene* scene, const char* path, wfError* err);
WF_API bool wfScene_LoadCheckpoint(wfScene* scene, const char* path, wfError* err);

// ---- what is in a scene -------------------------------------------------------------------------------------------------------

// An id or index that does not fit gives the null id, 0, "" or NULL. Names live as long as the scene.

WF_API int wfScene_GetClothCount(const wfScene* scene);
WF_API wfClothId wfScene_GetCloth(const wfScene* scene, int index); // index from 0
WF_API int wfScene_GetColliderCount(const wfScene* scene);
WF_API wfColliderId wfScene_GetCollider(const wfScene* scene, int index);
WF_API const wfSceneDef* wfScene_GetDef(const wfScene* scene); // the scene's own copy, valid as long as it

WF_API bool wfCloth_IsValid(const wfScene* scene, wfClothId id);
WF_API const char* wfCloth_GetName(const wfScene* scene, wfClothId id);
WF_API wfVec3 wfCloth_GetColor(const wfScene* scene, wfClothId id);
WF_API int wfCloth_GetVertexCount(const wfScene* scene, wfClothId id);
WF_API int wfCloth_GetTriangleCount(const wfScene* scene, wfClothId id);
/// 3 indices a triangle, owned by the scene, valid as long as it.
WF_API const int* wfCloth_GetTriangles(const wfScene* scene, wfClothId id);

/// Copies the current positions [m] (velocities [m/s]) of a cloth to `out`, in mesh order.
/// out must hold wfCloth_GetVertexCount() elements of 3 floats, strideBytes apart (a multiple of 4, >= 12). Waits for the device.
WF_API bool wfCloth_ReadPositions(const wfScene* scene, wfClothId id, float* out, size_t strideBytes, wfError* err);
WF_API bool wfCloth_ReadVelocities(const wfScene* scene, wfClothId id, float* out, size_t strideBytes, wfError* err);

WF_API bool wfCollider_IsValid(const wfScene* scene, wfColliderId id);
WF_API const char* wfCollider_GetName(const wfScene* scene, wfColliderId id);
WF_API wfVec3 wfCollider_GetColor(const wfScene* scene, wfColliderId id);
WF_API bool wfCollider_IsVisible(const wfScene* scene, wfColliderId id);
/// The mesh that stands for the collider in pictures and files, as for cloths. That of an exact shape is made at commit: 0 and NULL before.
WF_API int wfCollider_GetVertexCount(const wfScene* scene, wfColliderId id);
WF_API int wfCollider_GetTriangleCount(const wfScene* scene, wfColliderId id);
WF_API const int* wfCollider_GetTriangles(const wfScene* scene, wfColliderId id);
/// Where it is at the scene's current time [m]; during the preroll, where it starts.
/// out must hold wfCollider_GetVertexCount() elements of 3 floats, strideBytes apart (a multiple of 4, >= 12). Does not wait for the
/// device.
WF_API bool wfCollider_ReadPositions(const wfScene* scene, wfColliderId id, float* out, size_t strideBytes, wfError* err);
