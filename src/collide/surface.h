// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// A body's surface on the device: its triangles, closed where the mesh is not, under a tree of boxes and dipoles. It answers how often it
// winds about a point, which of its points is nearest, and where a ray meets it.
//
// Closed: where the edges of a mesh do not cancel (holes, triangles turned the wrong way, edges with a third triangle) the
// edges that are left make loops, and a fan from the middle of each cancels it. The winding number is then a whole number off the surface,
// whatever the mesh was, and the fans close the holes for distances too. A hole too large for this is an error that says where it is.
//
// The tree has no pointers: triangles lie in an order found once, wf_surfaceLeaf of them a leaf, and node i of a level holds nodes 8 i … of
// the level below. When the body deforms, only boxes and dipoles are made again (wfSurface_Move).

#include "collide/distance.h"
#include "mesh/model.h"

enum { wf_surfaceLeaf = 8, wf_surfaceArity = 8, wf_surfaceLevels = 10 };

// Triangles and boxes are aligned, and copied whole by kernels: a GPU then loads them 16 bytes at a time, where lanes look at different
// ones a quarter of the loads.

/// A triangle ready for many distances.
typedef struct wfSurfaceTriangle {
    WF_ALIGN(16) wfVec3 a;
    wfVec3 ab, ac;
    float abScale, acScale, bcScale; // 1 / |edge|²; 0 of an edge without length
    float m00, m01, m11;             // weights of b and c in the plane: m (ab·ap, ac·ap); 0 without area
    float radius;                    // about the mean of the corners
} wfSurfaceTriangle;

/// The box about some triangles.
typedef struct wfSurfaceBox {
    WF_ALIGN(16) wfVec3 lo; // NaN where a vertex is not finite
    wfVec3 hi;
    float weight; // sum of the areas
    float radius; // about the node's centre
} wfSurfaceBox;

/// Some triangles together: their box, and what stands for them seen from far.
typedef struct wfSurfaceNode {
    wfSurfaceBox box;
    wfVec3 centre;      // where dipole and moment stand
    wfVec3 area;        // the dipole: sum of the triangles' areas along their normals
    float moment[3][3]; // sum of (middle of a triangle - centre) by its area along its normal
} wfSurfaceNode;

/// What kernels read of a surface.
typedef struct wfSurfaceView {
    const wfVec4* x;
    const int (*corners)[4]; // per place in the tree: three vertices, and the triangle's number in the mesh (behind its last: a fan's)
    const wfSurfaceTriangle* triangles;
    const wfSurfaceNode* nodes;
    int triangleCount, levelCount;
    int first[wf_surfaceLevels], size[wf_surfaceLevels]; // nodes of each level; level 0 are the leaves
} wfSurfaceView;

typedef struct wfSurfaceHit {
    int triangle;   // number in the mesh, from its triangleCount on a fan that closes it; -1: none within the limit
    float distance; // to the point; of a ray: along it, in lengths of its direction
    wfVec3 point;
    wfVec3 normal; // of the triangle, unit; zero of one without area
    float w[3];    // weights of the triangle's corners at the point
} wfSurfaceHit;

typedef struct wfRay {
    wfVec3 from, along; // need not be unit
    float limit;        // in lengths of `along`
} wfRay;

typedef struct wfSurface {
    wfDevice* device;
    int vertexCount;     // of the mesh; the middles of fans follow
    int fanCount;        // places that had to be closed
    int triangleCount;   // of the mesh and the fans
    wfBuffer x, corners; // wfVec4; int[4]
    wfBuffer fanStart, fanVertex, triangles, nodes;
    wfSurfaceView view;
    char name[64]; // opens messages
} wfSurface;

/// Makes the surface of a mesh that wfMesh_Check has passed. A place that must be closed and is farther across than maxHole [m] is an
/// error (wf_badInput). Free it also after a failure.
bool wfSurface_Create(wfSurface* surface, wfDevice* device, const wfMeshView* mesh, float maxHole, const char* name, wfError* err);
void wfSurface_Free(wfSurface* surface);

/// Takes new positions of the mesh's vertices: wfVec4, on the device. Does not wait.
void wfSurface_Move(wfSurface* surface, const wfBuffer* positions);

/// The box about it. Waits. Fails, naming the vertex, where a position is not finite.
bool wfSurface_Bounds(const wfSurface* surface, wfVec3* lo, wfVec3* hi, wfError* err);

/// Many queries at once, device buffers; out is reserved. None waits. points: wfVec4, w is the largest distance looked at.
void wfSurface_FindClosest(const wfSurface* surface, const wfBuffer* points, wfBuffer* hits);
void wfSurface_CastRays(const wfSurface* surface, const wfBuffer* rays, wfBuffer* hits);
void wfSurface_FindWinding(const wfSurface* surface, const wfBuffer* points, wfBuffer* numbers);

// ---- closing (host) -------------------------------------------------------------------------------------------------------------

/// What closes a mesh: fan k runs about new vertex vertexCount + k, which lies in the middle of the vertices of row k.
typedef struct wfFans {
    int fanCount, triangleCount;
    wfTriangle* triangles;
    wfRows vertices;
} wfFans;

bool wfFindFans(const wfMeshView* mesh, wfArena* arena, wfFans* out, wfError* err);

/// Sorts triangles into the tree's order: order[place] = triangle. `middles` are of the triangles.
bool wfOrderTriangles(const wfVec3* middles, int count, int* order, wfError* err);
