// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/surface.h"

#include "base/assert.h"
#include "collide/surface_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static wfVec3 At(const wfMeshView* mesh, int vertex) {
    const float* p = mesh->positions + 3 * (size_t)vertex;
    return wfMake3(p[0], p[1], p[2]);
}

static wfVec3 MiddleOf(const wfMeshView* mesh, const wfFans* fans, int fan) {
    wfVec3 sum = {0};
    int first = fans->vertices.start[fan], last = fans->vertices.start[fan + 1];
    for (int k = first; k < last; ++k) sum = wfAdd(sum, At(mesh, fans->vertices.item[k]));
    return wfScale(sum, 1.0f / (float)(last - first));
}

static bool CheckHoles(const wfSurface* surface, const wfMeshView* mesh, const wfFans* fans, float maxHole, wfError* err) {
    int worst = -1;
    float across = maxHole;
    for (int f = 0; f < fans->fanCount; ++f) {
        wfVec3 lo, hi, first = At(mesh, fans->vertices.item[fans->vertices.start[f]]);
        lo = hi = first;
        for (int k = fans->vertices.start[f]; k < fans->vertices.start[f + 1]; ++k) {
            lo = wfMin3(lo, At(mesh, fans->vertices.item[k]));
            hi = wfMax3(hi, At(mesh, fans->vertices.item[k]));
        }
        if (wfDistance(lo, hi) <= across) continue;
        across = wfDistance(lo, hi);
        worst = f;
    }
    if (worst < 0) return true;
    wfVec3 at = MiddleOf(mesh, fans, worst);
    return wfFail(
        err, wf_badInput,
        "%s: the surface is open, or its triangles disagree, about (%.3g, %.3g, %.3g): %d vertices (vertex %d), %.3g m across; at "
        "most %.3g m is closed",
        surface->name, (double)at.x, (double)at.y, (double)at.z, fans->vertices.start[worst + 1] - fans->vertices.start[worst],
        fans->vertices.item[fans->vertices.start[worst]], (double)across, (double)maxHole);
}

static void LayOutLevels(wfSurface* surface) {
    wfSurfaceView* view = &surface->view;
    int size = (surface->triangleCount + wf_surfaceLeaf - 1) / wf_surfaceLeaf, first = 0;
    for (;;) {
        WF_ASSERT(view->levelCount < wf_surfaceLevels);
        view->first[view->levelCount] = first;
        view->size[view->levelCount++] = size;
        first += size;
        if (size == 1) break;
        size = (size + wf_surfaceArity - 1) / wf_surfaceArity;
    }
    wfReserve(surface->device, &surface->nodes, (size_t)first);
}

/// Makes boxes and dipoles of the positions that x holds.
static void Refit(wfSurface* surface) {
    wfDevice* device = surface->device;
    const wfSurfaceView* view = &surface->view;
    SurfaceFansArgs fans = {wfData(&surface->x, wfVec4), wfData(&surface->fanStart, int), wfData(&surface->fanVertex, int),
                            surface->vertexCount};
    if (surface->fanCount > 0) wfLaunch(device, SurfaceFans, surface->fanCount, &fans);
    wfSurfaceNode* nodes = wfData(&surface->nodes, wfSurfaceNode);
    SurfaceLeavesArgs leaves = {*view, wfData(&surface->triangles, wfSurfaceTriangle), nodes};
    wfLaunch(device, SurfaceLeaves, view->size[0], &leaves);
    for (int level = 1; level < view->levelCount; ++level) {
        SurfaceLevelArgs args = {nodes + view->first[level], nodes + view->first[level - 1], view->size[level - 1]};
        wfLaunch(device, SurfaceLevel, view->size[level], &args);
    }
}

/// Mesh and fans in one row, then into the order of the tree.
static bool UploadCorners(wfSurface* surface, const wfMeshView* mesh, const wfFans* fans, const wfVec4* x, wfArena* arena, wfError* err) {
    int count = surface->triangleCount;
    int(*corners)[4] = wfArena_Alloc(arena, (size_t)count, sizeof *corners, "triangles of a surface", err);
    int* order = wfArena_New(arena, int, count, "triangles of a surface", err);
    wfVec3* middles = wfArena_New(arena, wfVec3, count, "triangles of a surface", err);
    if (corners == NULL || order == NULL || middles == NULL) return false;
#define CORNERS(t) ((t) < mesh->triangleCount ? mesh->triangles + 3 * (size_t)(t) : fans->triangles[(t)-mesh->triangleCount].v)
    for (int t = 0; t < count; ++t) {
        const int* v = CORNERS(t);
        middles[t] = wfScale(wfAdd(wfXyz(x[v[0]]), wfAdd(wfXyz(x[v[1]]), wfXyz(x[v[2]]))), 1.0f / 3.0f);
    }
    WF_TRY(wfOrderTriangles(middles, count, order, err));
    for (int place = 0; place < count; ++place) {
        const int* v = CORNERS(order[place]);
        for (int k = 0; k < 3; ++k) corners[place][k] = v[k];
        corners[place][3] = order[place];
    }
#undef CORNERS
    wfUpload(surface->device, &surface->corners, corners, (size_t)count);
    return true;
}

bool wfSurface_Create(wfSurface* surface, wfDevice* device, const wfMeshView* mesh, float maxHole, const char* name, wfError* err) {
    *surface = (wfSurface){.device = device, .vertexCount = mesh->vertexCount};
    snprintf(surface->name, sizeof surface->name, "%s", name);
    surface->x = wfMakeBuffer(sizeof(wfVec4), "surface.x");
    surface->corners = wfMakeBuffer(sizeof(int[4]), "surface.corners");
    surface->fanStart = wfMakeBuffer(sizeof(int), "surface.fanStart");
    surface->fanVertex = wfMakeBuffer(sizeof(int), "surface.fanVertex");
    surface->triangles = wfMakeBuffer(sizeof(wfSurfaceTriangle), "surface.triangles");
    surface->nodes = wfMakeBuffer(sizeof(wfSurfaceNode), "surface.nodes");
    WF_TRY(wfMesh_Check(mesh, name, err));
    wfArena arena = {0};
    wfFans fans;
    bool ok = wfFindFans(mesh, &arena, &fans, err) && CheckHoles(surface, mesh, &fans, maxHole, err);
    surface->fanCount = fans.fanCount;
    surface->triangleCount = mesh->triangleCount + fans.triangleCount;
    wfVec4* x = wfArena_New(&arena, wfVec4, mesh->vertexCount + fans.fanCount, "positions of a surface", err);
    ok = ok && x != NULL;
    if (ok) {
        for (int i = 0; i < mesh->vertexCount; ++i) x[i] = wfMake4(At(mesh, i), 0.0f);
        for (int f = 0; f < fans.fanCount; ++f) x[mesh->vertexCount + f] = wfMake4(MiddleOf(mesh, &fans, f), 0.0f);
        wfUpload(device, &surface->x, x, (size_t)(mesh->vertexCount + fans.fanCount));
        wfUpload(device, &surface->fanStart, fans.vertices.start, (size_t)fans.fanCount + 1);
        wfUpload(device, &surface->fanVertex, fans.vertices.item, (size_t)fans.vertices.start[fans.fanCount]);
        wfReserve(device, &surface->triangles, (size_t)surface->triangleCount);
        LayOutLevels(surface);
        ok = UploadCorners(surface, mesh, &fans, x, &arena, err) && wfDevice_Sync(device, err);
    }
    wfArena_Free(&arena);
    if (!ok) return false;
    wfSurfaceView* view = &surface->view;
    view->x = wfData(&surface->x, wfVec4);
    view->corners = (const int(*)[4])wfBuffer_Check(&surface->corners, sizeof(int[4]));
    view->triangles = wfData(&surface->triangles, wfSurfaceTriangle);
    view->nodes = wfData(&surface->nodes, wfSurfaceNode);
    view->triangleCount = surface->triangleCount;
    Refit(surface);
    return true;
}

void wfSurface_Free(wfSurface* surface) {
    wfBuffer* buffers[] = {&surface->x, &surface->corners, &surface->fanStart, &surface->fanVertex, &surface->triangles, &surface->nodes};
    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; ++k) wfFreeBuffer(surface->device, buffers[k]);
    *surface = (wfSurface){0};
}

void wfSurface_Move(wfSurface* surface, const wfBuffer* positions) {
    wfCopy(surface->device, &surface->x, positions, (size_t)surface->vertexCount);
    Refit(surface);
}

bool wfSurface_Bounds(const wfSurface* surface, wfVec3* lo, wfVec3* hi, wfError* err) {
    wfSurfaceNode root;
    int at = surface->view.first[surface->view.levelCount - 1];
    WF_TRY(wfDownload(surface->device, &root, &surface->nodes, (size_t)at, 1, err));
    *lo = root.box.lo;
    *hi = root.box.hi;
    if (wfIsFinite3(root.box.lo) && wfIsFinite3(root.box.hi)) return true;
    wfVec4* x = malloc((size_t)surface->vertexCount * sizeof *x);
    if (x == NULL) return wfFail(err, wf_outOfMemory, "out of memory for the positions of %s", surface->name);
    int bad = -1;
    bool ok = wfDownload(surface->device, x, &surface->x, 0, (size_t)surface->vertexCount, err);
    for (int i = 0; ok && bad < 0 && i < surface->vertexCount; ++i)
        if (!wfIsFinite3(wfXyz(x[i]))) bad = i;
    free(x);
    if (ok) wfFail(err, wf_badInput, "%s: vertex %d is not finite", surface->name, bad);
    return false;
}

void wfSurface_FindClosest(const wfSurface* surface, const wfBuffer* points, wfBuffer* hits) {
    wfReserve(surface->device, hits, points->count);
    SurfaceClosestArgs args = {surface->view, wfData(points, wfVec4), wfData(hits, wfSurfaceHit)};
    wfLaunch(surface->device, SurfaceClosest, (int)points->count, &args);
}

void wfSurface_CastRays(const wfSurface* surface, const wfBuffer* rays, wfBuffer* hits) {
    wfReserve(surface->device, hits, rays->count);
    SurfaceCastArgs args = {surface->view, wfData(rays, wfRay), wfData(hits, wfSurfaceHit)};
    wfLaunch(surface->device, SurfaceCast, (int)rays->count, &args);
}

void wfSurface_FindWinding(const wfSurface* surface, const wfBuffer* points, wfBuffer* numbers) {
    wfReserve(surface->device, numbers, points->count);
    SurfaceWindingArgs args = {surface->view, wfData(points, wfVec4), wfData(numbers, float)};
    wfLaunch(surface->device, SurfaceWinding, (int)points->count, &args);
}
