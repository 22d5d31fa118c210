// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/generate_shapes.h"

#include "mesh/builder.h"
#include "mesh/delaunay.h"
#include "mesh/revolve.h"

// A point of the irregular pattern leaves its place by up to this part of a cell along each side. Below a quarter no triangle of the
// regular pattern can turn over (its doubled area stays above (1 - 2 j)^2 - (2 j)^2 = 1 - 4 j of a cell), so flips can start from it.
#define JITTER 0.24

// A number in [-1, 1) from seed and index (the mixing steps of splitmix64).
static double Noise(int seed, int64_t index) {
    uint64_t x = (uint64_t)seed * 0x9e3779b97f4a7c15u + (uint64_t)index * 0xd1b54a32d192ed03u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    x ^= x >> 31;
    return (double)(x >> 11) / (double)(1ull << 52) - 1.0;
}

static void Place(wfMesh* mesh, const wfGenerateDef* def, int n, int m) {
    double dx = (double)def->size.x / (n - 1), dz = (double)def->size.z / (m - 1);
    for (int j = 0; j < m; ++j)
        for (int i = 0; i < n; ++i) {
            int v = j * n + i;
            bool inside = i > 0 && j > 0 && i < n - 1 && j < m - 1;
            double jitter = inside && def->pattern == wf_patternIrregular ? JITTER : 0.0;
            // From the middle outwards, so that both ends are exact.
            double x = 0.5 * (2 * i - (n - 1)) + jitter * Noise(def->seed, 2 * (int64_t)v);
            double z = 0.5 * (2 * j - (m - 1)) + jitter * Noise(def->seed, 2 * (int64_t)v + 1);
            mesh->positions[v] = wfMake3((float)(x * dx), 0.0f, (float)(z * dz));
        }
}

static void Cut(wfMesh* mesh, wfSheetPattern pattern, int n, int m) {
    wfTriangle* t = mesh->triangles;
    for (int j = 0; j < m - 1; ++j)
        for (int i = 0; i < n - 1; ++i) {
            int a = j * n + i, b = a + 1, c = a + n, d = c + 1; // seen from above: a b over c d
            if (pattern != wf_patternRegular && (i + j) % 2 == 1) {
                *t++ = (wfTriangle){{a, c, b}};
                *t++ = (wfTriangle){{b, c, d}};
            } else {
                *t++ = (wfTriangle){{a, c, d}};
                *t++ = (wfTriangle){{a, d, b}};
            }
        }
}

static bool FlipSheet(wfMesh* mesh, wfError* err) {
    wfArena scratch = {0};
    wfVec2* points = wfArena_New(&scratch, wfVec2, mesh->vertexCount, "points of a sheet", err);
    for (int i = 0; points != NULL && i < mesh->vertexCount; ++i) points[i] = (wfVec2){mesh->positions[i].x, -mesh->positions[i].z};
    bool ok = points != NULL && wfFlipToDelaunay(points, mesh->vertexCount, mesh->triangles, mesh->triangleCount, err);
    wfArena_Free(&scratch);
    return ok;
}

bool wfMakeSheet(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    if (def->n == 1) return wfFail(err, wf_badInput, "sheet: n: expected 0 or at least 2 vertices along x, got 1");
    if (def->m == 1) return wfFail(err, wf_badInput, "sheet: m: expected 0 or at least 2 vertices along z, got 1");
    int n = def->n > 0 ? def->n : wfPartsOf(def->size.x, def->edge) + 1;
    int m = def->m > 0 ? def->m : wfPartsOf(def->size.z, (double)def->size.x / (n - 1)) + 1;
    WF_TRY(wfCheckMeshSize((double)n * m, 2.0 * (n - 1) * (m - 1), err));
    WF_TRY(wfMesh_Create(out, n * m, 2 * (n - 1) * (m - 1), true, err));
    Place(out, def, n, m);
    Cut(out, def->pattern, n, m);
    if (def->pattern == wf_patternIrregular) WF_TRY(FlipSheet(out, err));
    wfSetFlatFromAbove(out);
    return true;
}

bool wfMakeDisc(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    wfMeshBuilder builder = {0};
    const wfProfilePart inwards = {.r0 = def->radius}; // from the rim to the middle, so that it faces up
    bool ok = wfRevolve(&builder, &inwards, 1, false, fmin(def->edge, wfRoundEdge(def->radius)), err) &&
              wfBuilder_Finish(&builder, out, true, err);
    wfBuilder_Free(&builder);
    if (ok) wfSetFlatFromAbove(out);
    return ok;
}
