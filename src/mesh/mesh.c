// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/mesh.h"

#include <string.h>

_Static_assert(sizeof(wfVec3) == 3 * sizeof(float), "positions are read as rows of floats");
_Static_assert(sizeof(wfTriangle) == 3 * sizeof(int), "triangles are read as rows of ints");
_Static_assert(sizeof(wfFlatTriangle) == 6 * sizeof(float), "flat shapes are read as rows of floats");

static bool Allocate(wfMesh* mesh, size_t vertexCount, size_t triangleCount, size_t stitchCount, bool withFlat, wfError* err) {
    if (vertexCount > wf_maxMeshElements)
        return wfFail(err, wf_badInput, "a mesh of %zu vertices is too large, at most %d are possible", vertexCount, wf_maxMeshElements);
    if (triangleCount > wf_maxMeshElements)
        return wfFail(err, wf_badInput, "a mesh of %zu triangles is too large, at most %d are possible", triangleCount, wf_maxMeshElements);
    if (stitchCount > wf_maxMeshElements)
        return wfFail(err, wf_badInput, "a mesh of %zu stitches is too large, at most %d are possible", stitchCount, wf_maxMeshElements);
    mesh->positions = wfArena_New(&mesh->arena, wfVec3, vertexCount, "mesh positions", err);
    mesh->triangles = wfArena_New(&mesh->arena, wfTriangle, triangleCount, "mesh triangles", err);
    if (withFlat) mesh->flat = wfArena_New(&mesh->arena, wfFlatTriangle, triangleCount, "mesh flat shape", err);
    if (stitchCount > 0) mesh->stitches = wfArena_Alloc(&mesh->arena, stitchCount, sizeof *mesh->stitches, "mesh stitches", err);
    bool ok = mesh->positions != NULL && mesh->triangles != NULL && (!withFlat || mesh->flat != NULL) &&
              (stitchCount == 0 || mesh->stitches != NULL);
    if (!ok) {
        wfMesh_Free(mesh);
        return false;
    }
    mesh->vertexCount = (int)vertexCount;
    mesh->triangleCount = (int)triangleCount;
    mesh->stitchCount = (int)stitchCount;
    return true;
}

bool wfMesh_Create(wfMesh* mesh, int vertexCount, int triangleCount, bool withFlat, wfError* err) {
    if (vertexCount < 0 || triangleCount < 0)
        return wfFail(err, wf_badInput, "a mesh cannot have %d vertices and %d triangles", vertexCount, triangleCount);
    return Allocate(mesh, (size_t)vertexCount, (size_t)triangleCount, 0, withFlat, err);
}

void wfMesh_Free(wfMesh* mesh) {
    wfArena_Free(&mesh->arena);
    *mesh = (wfMesh){0};
}

// Copies `in` into the arrays of `out`, behind `vertex` vertices, `triangle` triangles and `stitch` stitches.
static void CopyInto(wfMesh* out, const wfMesh* in, int vertex, int triangle, int stitch) {
    if (in->vertexCount > 0) memcpy(out->positions + vertex, in->positions, (size_t)in->vertexCount * sizeof *in->positions);
    for (int t = 0; t < in->triangleCount; ++t)
        for (int k = 0; k < 3; ++k) out->triangles[triangle + t].v[k] = in->triangles[t].v[k] + vertex;
    if (out->flat != NULL && in->triangleCount > 0) memcpy(out->flat + triangle, in->flat, (size_t)in->triangleCount * sizeof *in->flat);
    for (int s = 0; s < in->stitchCount; ++s)
        for (int k = 0; k < 2; ++k) out->stitches[stitch + s][k] = in->stitches[s][k] + vertex;
}

bool wfMesh_Copy(wfMesh* out, const wfMesh* in, wfError* err) {
    WF_TRY(Allocate(out, (size_t)in->vertexCount, (size_t)in->triangleCount, (size_t)in->stitchCount, in->flat != NULL, err));
    CopyInto(out, in, 0, 0, 0);
    return true;
}

wfMeshView wfMesh_View(const wfMesh* mesh) {
    return (wfMeshView){.positions = (const float*)mesh->positions,
                        .vertexCount = mesh->vertexCount,
                        .triangles = (const int*)mesh->triangles,
                        .triangleCount = mesh->triangleCount,
                        .flat = (const float*)mesh->flat};
}

bool wfMesh_Append(wfMesh* mesh, const wfMesh* add, wfError* err) {
    bool flat = (mesh->flat != NULL || mesh->triangleCount == 0) && (add->flat != NULL || add->triangleCount == 0) &&
                (mesh->flat != NULL || add->flat != NULL);
    wfMesh both = {0};
    WF_TRY(Allocate(&both, (size_t)mesh->vertexCount + (size_t)add->vertexCount, (size_t)mesh->triangleCount + (size_t)add->triangleCount,
                    (size_t)mesh->stitchCount + (size_t)add->stitchCount, flat, err));
    CopyInto(&both, mesh, 0, 0, 0);
    CopyInto(&both, add, mesh->vertexCount, mesh->triangleCount, mesh->stitchCount);
    wfMesh_Free(mesh);
    *mesh = both;
    return true;
}

// Stretches a flat triangle as the scale stretches the triangle p in space. With F the map from flat to space, C = F'F and D = (SF)'(SF),
// the symmetric matrix A with A C A = D, the geometric mean of C^-1 and D, makes the new map S F A^-1 have the metric C again: the strain
// stays as it was, and the warp is not turned more than the stretch does. A triangle without area stays as it is.
static void StretchFlat(wfFlatTriangle* flat, const wfVec3 p[3], wfVec3 scale) {
    double u1 = (double)flat->corner[1].x - flat->corner[0].x, v1 = (double)flat->corner[1].y - flat->corner[0].y;
    double u2 = (double)flat->corner[2].x - flat->corner[0].x, v2 = (double)flat->corner[2].y - flat->corner[0].y;
    double det = u1 * v2 - u2 * v1;
    if (det == 0.0) return;
    double from[3][2], s[3] = {scale.x, scale.y, scale.z}; // rows of F
    double e[3][2] = {{(double)p[1].x - p[0].x, (double)p[2].x - p[0].x},
                      {(double)p[1].y - p[0].y, (double)p[2].y - p[0].y},
                      {(double)p[1].z - p[0].z, (double)p[2].z - p[0].z}};
    double c[3] = {0}, d[3] = {0}; // xx, xy, yy
    for (int i = 0; i < 3; ++i) {
        from[i][0] = (e[i][0] * v2 - e[i][1] * v1) / det;
        from[i][1] = (e[i][1] * u1 - e[i][0] * u2) / det;
        double products[3] = {from[i][0] * from[i][0], from[i][0] * from[i][1], from[i][1] * from[i][1]};
        for (int k = 0; k < 3; ++k) {
            c[k] += products[k];
            d[k] += s[i] * s[i] * products[k];
        }
    }
    double detC = c[0] * c[2] - c[1] * c[1], detD = d[0] * d[2] - d[1] * d[1];
    if (!(detC > 0.0) || !(detD > 0.0)) return;
    double rootC = sqrt(detC), rootD = sqrt(detD);
    double m[3] = {c[2] / rootC + d[0] / rootD, -c[1] / rootC + d[1] / rootD, c[0] / rootC + d[2] / rootD};
    double k = sqrt(rootD / rootC) / sqrt(m[0] * m[2] - m[1] * m[1]);
    for (int i = 0; i < 3; ++i) {
        double x = flat->corner[i].x, y = flat->corner[i].y;
        flat->corner[i] = (wfVec2){(float)(k * (m[0] * x + m[1] * y)), (float)(k * (m[1] * x + m[2] * y))};
    }
}

void wfMesh_Transform(wfMesh* mesh, wfVec3 scale, wfQuat rotate, wfVec3 translate) {
    bool mirrors = (scale.x < 0.0f) != ((scale.y < 0.0f) != (scale.z < 0.0f));
    bool uniform = fabsf(scale.x) == fabsf(scale.y) && fabsf(scale.y) == fabsf(scale.z);
    for (int t = 0; t < mesh->triangleCount; ++t) {
        int* v = mesh->triangles[t].v;
        if (mesh->flat != NULL) {
            wfFlatTriangle* flat = &mesh->flat[t];
            if (uniform) {
                for (int k = 0; k < 3; ++k)
                    flat->corner[k] = (wfVec2){flat->corner[k].x * fabsf(scale.x), flat->corner[k].y * fabsf(scale.x)};
            } else {
                StretchFlat(flat, (wfVec3[3]){mesh->positions[v[0]], mesh->positions[v[1]], mesh->positions[v[2]]}, scale);
            }
            if (mirrors)
                *flat = (wfFlatTriangle){{{flat->corner[0].x, -flat->corner[0].y},
                                          {flat->corner[2].x, -flat->corner[2].y},
                                          {flat->corner[1].x, -flat->corner[1].y}}};
        }
        if (mirrors) mesh->triangles[t] = (wfTriangle){{v[0], v[2], v[1]}};
    }
    for (int i = 0; i < mesh->vertexCount; ++i) {
        wfVec3 p = mesh->positions[i];
        mesh->positions[i] = wfAdd(wfRotate(rotate, wfMake3(scale.x * p.x, scale.y * p.y, scale.z * p.z)), translate);
    }
}

void wfMesh_Bounds(const wfVec3* positions, int count, wfVec3* lo, wfVec3* hi) {
    *lo = wfMake3(INFINITY, INFINITY, INFINITY);
    *hi = wfMake3(-INFINITY, -INFINITY, -INFINITY);
    for (int i = 0; i < count; ++i) {
        *lo = wfMin3(*lo, positions[i]);
        *hi = wfMax3(*hi, positions[i]);
    }
}

float wfTriangleArea(wfVec3 a, wfVec3 b, wfVec3 c) { return 0.5f * wfLength(wfCross(wfSub(b, a), wfSub(c, a))); }

void wfMesh_VertexNormals(const wfVec3* positions, int vertexCount, const wfTriangle* triangles, int triangleCount, wfVec3* out) {
    for (int i = 0; i < vertexCount; ++i) out[i] = wfMake3(0.0f, 0.0f, 0.0f);
    for (int t = 0; t < triangleCount; ++t) {
        const int* v = triangles[t].v;
        wfVec3 twice = wfCross(wfSub(positions[v[1]], positions[v[0]]), wfSub(positions[v[2]], positions[v[0]]));
        for (int k = 0; k < 3; ++k) out[v[k]] = wfAdd(out[v[k]], twice);
    }
    for (int i = 0; i < vertexCount; ++i) out[i] = wfNormalizeOr(out[i], wfMake3(0.0f, 1.0f, 0.0f));
}

bool wfCheckTriangles(const wfTriangle* triangles, int triangleCount, int vertexCount, const char* name, wfError* err) {
    if (vertexCount < 0 || vertexCount > wf_maxMeshElements)
        return wfFail(err, wf_badInput, "%s: expected 0 to %d vertices, got %d", name, wf_maxMeshElements, vertexCount);
    if (triangleCount < 0 || triangleCount > wf_maxMeshElements)
        return wfFail(err, wf_badInput, "%s: expected 0 to %d triangles, got %d", name, wf_maxMeshElements, triangleCount);
    for (int t = 0; t < triangleCount; ++t) {
        const int* v = triangles[t].v;
        for (int k = 0; k < 3; ++k)
            if (v[k] < 0 || v[k] >= vertexCount)
                return wfFail(err, wf_badInput, "%s: triangle %d uses vertex %d, there are %d (counted from 0)", name, t, v[k],
                              vertexCount);
        if (v[0] == v[1] || v[0] == v[2] || v[1] == v[2])
            return wfFail(err, wf_badInput, "%s: triangle %d uses vertex %d twice", name, t, v[1] == v[2] ? v[1] : v[0]);
    }
    return true;
}

static bool CheckPoints(const float* p, int count, const char* what, const char* name, wfError* err) {
    for (int i = 0; i < count; ++i, p += 3)
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]))
            return wfFail(err, wf_badInput, "%s: %s of vertex %d: expected 3 finite numbers, got (%g, %g, %g)", name, what, i, p[0], p[1],
                          p[2]);
    return true;
}

bool wfMesh_Check(const wfMeshView* view, const char* name, wfError* err) {
    if (view->triangleCount == 0) return wfFail(err, wf_badInput, "%s: expected at least one triangle, got none", name);
    if (view->positions == NULL || view->triangles == NULL)
        return wfFail(err, wf_badInput, "%s: expected positions and triangles, got NULL", name);
    WF_TRY(wfCheckTriangles((const wfTriangle*)view->triangles, view->triangleCount, view->vertexCount, name, err));
    WF_TRY(CheckPoints(view->positions, view->vertexCount, "position", name, err));
    if (view->restPositions != NULL) WF_TRY(CheckPoints(view->restPositions, view->vertexCount, "rest position", name, err));
    for (int t = 0; view->flat != NULL && t < view->triangleCount; ++t)
        for (int k = 0; k < 6; ++k)
            if (!isfinite(view->flat[6 * (size_t)t + (size_t)k]))
                return wfFail(err, wf_badInput, "%s: flat shape of triangle %d: expected 6 finite numbers, got %g", name, t,
                              view->flat[6 * (size_t)t + (size_t)k]);
    return true;
}
