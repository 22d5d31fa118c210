// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "harness.h"

#include "collide/sdf.h"
#include "mesh/generate.h"

// Every kernel of surfaces and distance fields on the reference and on the device: a torus with holes, bent step by step.

enum { Queries = 4000 };

typedef struct Rig {
    wfDevice* device;
    wfSurface surface;
    wfSdf sdf;
    wfBuffer x, points, rays;
} Rig;

static bool MakeTorus(wfMesh* mesh, wfError* err) {
    wfGenerateDef def = wfDefaultGenerateDef();
    def.shape = wf_makeTorus;
    def.edge = 0.02f;
    def.radius2 = 0.1f;
    if (!wfGenerate(mesh, &def, err)) return false;
    int kept = 0;
    for (int t = 0; t < mesh->triangleCount; ++t)
        if (t % 500 != 7) mesh->triangles[kept++] = mesh->triangles[t];
    mesh->triangleCount = kept;
    return true;
}

static bool Rig_Create(Rig* rig, wfDevice* device, const wfMesh* mesh, wfError* err) {
    *rig = (Rig){.device = device};
    wfMeshView view = wfMesh_View(mesh);
    wfSdf_Create(&rig->sdf, device, 0.015f, 0.03f);
    rig->x = wfMakeBuffer(sizeof(wfVec4), "test.x");
    rig->points = wfMakeBuffer(sizeof(wfVec4), "test.points");
    rig->rays = wfMakeBuffer(sizeof(wfRay), "test.rays");
    uint32_t seed = 77;
    wfVec4* points = malloc(Queries * sizeof *points);
    wfRay* rays = malloc(Queries * sizeof *rays);
    for (int i = 0; i < Queries; ++i) {
        points[i] = wfMake4(wfMake3(0.5f * NextFloat(&seed), 0.25f * NextFloat(&seed), 0.5f * NextFloat(&seed)), i % 2 == 0 ? 0.05f : 9.0f);
        rays[i].from = wfXyz(points[i]);
        rays[i].along = wfMake3(NextFloat(&seed), NextFloat(&seed), NextFloat(&seed));
        rays[i].limit = 5.0f;
    }
    wfUpload(device, &rig->points, points, Queries);
    wfUpload(device, &rig->rays, rays, Queries);
    bool ok = wfSurface_Create(&rig->surface, device, &view, 0.1f, "torus", err);
    free(points);
    free(rays);
    return ok;
}

static void Rig_Free(Rig* rig) {
    wfSdf_Free(&rig->sdf);
    wfSurface_Free(&rig->surface);
    wfFreeBuffer(rig->device, &rig->x);
    wfFreeBuffer(rig->device, &rig->points);
    wfFreeBuffer(rig->device, &rig->rays);
}

static bool Bend(Rig* rig, const wfMesh* mesh, float amount, wfError* err) {
    wfVec4* x = malloc((size_t)mesh->vertexCount * sizeof *x);
    for (int i = 0; i < mesh->vertexCount; ++i) {
        wfVec3 p = mesh->positions[i];
        x[i] = wfMake4(wfMake3(p.x + amount * p.z * p.z, p.y + amount * p.x * p.z, p.z), 0.0f);
    }
    wfUpload(rig->device, &rig->x, x, (size_t)mesh->vertexCount);
    wfSurface_Move(&rig->surface, &rig->x);
    bool ok = wfSdf_Build(&rig->sdf, &rig->surface, err) && wfSdf_Check(&rig->sdf, err);
    free(x);
    return ok;
}

static void* Read(wfDevice* device, const wfBuffer* buffer, size_t count) {
    void* host = malloc(count * buffer->stride);
    wfDownload(device, host, buffer, 0, count, NULL);
    return host;
}

/// Values of both builds: the same bits on the CPU; on CUDA, where sums may be contracted, the same to rounding.
static void CompareFields(const Rig* a, const Rig* b, bool cpu) {
    const wfSdfField *f = &a->sdf.field, *g = &b->sdf.field;
    ENSURE(a->sdf.brickCount == b->sdf.brickCount && f->nx == g->nx && f->ny == g->ny && f->nz == g->nz && f->lx == g->lx &&
               f->ly == g->ly && f->lz == g->lz,
           "bricks: %d, %d", a->sdf.brickCount, b->sdf.brickCount);
    if (a->sdf.brickCount != b->sdf.brickCount) return;
    size_t values = (size_t)a->sdf.brickCount * wf_sdfBrick, corners = (size_t)(f->nx + 1) * (size_t)((f->ny + 1) * (f->nz + 1));
    float *va = Read(a->device, &a->sdf.bricks, values), *vb = Read(b->device, &b->sdf.bricks, values);
    float *ca = Read(a->device, &a->sdf.corners, corners), *cb = Read(b->device, &b->sdf.corners, corners);
    int* cells[2] = {Read(a->device, &a->sdf.cellOf, (size_t)a->sdf.brickCount),
                     Read(b->device, &b->sdf.cellOf, (size_t)a->sdf.brickCount)};
    ENSURE(memcmp(cells[0], cells[1], (size_t)a->sdf.brickCount * sizeof(int)) == 0, "bricks lie elsewhere");
    float worst = 0.0f;
    for (size_t i = 0; i < values; ++i) worst = fmaxf(worst, fabsf(va[i] - vb[i]));
    for (size_t i = 0; i < corners; ++i) worst = fmaxf(worst, fabsf(ca[i] - cb[i]));
    ENSURE(cpu ? worst == 0.0f : worst <= 1e-6f, "values differ by %g", (double)worst);
    free(va);
    free(vb);
    free(ca);
    free(cb);
    free(cells[0]);
    free(cells[1]);
}

/// Fields that are made only about some of the points, and whether they know all that is asked.
static void CompareNear(Rig* a, Rig* b, bool cpu) {
    Rig* rigs[2] = {a, b};
    wfPose none = {.translate = {0.0f, 0.0f, 0.0f}, .rotate = wfQuatIdentity()};
    wfError err = {0};
    bool ok = true;
    for (int k = 0; k < 2 && ok; ++k) {
        const wfVec4* points = wfData(&rigs[k]->points, wfVec4);
        wfSdfWhere where = {points, points + 1, 40, {none, none}, 0.02f, true};
        ok = wfSdf_BuildNear(&rigs[k]->sdf, &rigs[k]->surface, &where, &err) && wfSdf_Check(&rigs[k]->sdf, &err);
        ENSURE(ok && wfSdf_Covers(&rigs[k]->sdf, &where), "%s", err.text);
        where.count = Queries - 1;
        ENSURE(!wfSdf_Covers(&rigs[k]->sdf, &where), "a part of a field knows all");
    }
    if (ok) CompareFields(a, b, cpu);
}

static void CompareQueries(Rig* a, Rig* b, bool cpu) {
    Rig* rigs[2] = {a, b};
    wfSurfaceHit *closest[2], *rays[2];
    float* winding[2];
    wfVec4* samples[2];
    for (int k = 0; k < 2; ++k) {
        wfDevice* device = rigs[k]->device;
        wfBuffer hits = wfMakeBuffer(sizeof(wfSurfaceHit), "test.hits"), numbers = wfMakeBuffer(sizeof(float), "test.numbers"),
                 out = wfMakeBuffer(sizeof(wfVec4), "test.out");
        wfSurface_FindClosest(&rigs[k]->surface, &rigs[k]->points, &hits);
        closest[k] = Read(device, &hits, Queries);
        wfSurface_CastRays(&rigs[k]->surface, &rigs[k]->rays, &hits);
        rays[k] = Read(device, &hits, Queries);
        wfSurface_FindWinding(&rigs[k]->surface, &rigs[k]->points, &numbers);
        winding[k] = Read(device, &numbers, Queries);
        wfSdf_Sample(&rigs[k]->sdf, &rigs[k]->points, &out);
        samples[k] = Read(device, &out, Queries);
        wfFreeBuffer(device, &hits);
        wfFreeBuffer(device, &numbers);
        wfFreeBuffer(device, &out);
    }
    float worst = 0.0f, worstRay = 0.0f, worstWinding = 0.0f, worstSample = 0.0f;
    int met = 0, wrong = 0;
    for (int i = 0; i < Queries; ++i) {
        wrong += (closest[0][i].triangle < 0) != (closest[1][i].triangle < 0) || (rays[0][i].triangle < 0) != (rays[1][i].triangle < 0);
        met += rays[0][i].triangle >= 0;
        worst = fmaxf(worst, fabsf(closest[0][i].distance - closest[1][i].distance));
        worstRay = fmaxf(worstRay, fabsf(rays[0][i].distance - rays[1][i].distance));
        worstWinding = fmaxf(worstWinding, fabsf(winding[0][i] - winding[1][i]));
        worstSample = fmaxf(worstSample, fabsf(samples[0][i].w - samples[1][i].w));
    }
    // A ray that grazes an edge may be met on one device and not on the other; none of these does.
    ENSURE(wrong == 0 && met > Queries / 10, "%d queries answered otherwise, %d rays met", wrong, met);
    ENSURE(cpu ? worst == 0.0f : worst <= 1e-6f, "distances differ by %g", (double)worst);
    ENSURE(cpu ? worstRay == 0.0f : worstRay <= 1e-5f, "rays differ by %g", (double)worstRay);
    ENSURE(cpu ? worstWinding == 0.0f : worstWinding <= 1e-4f, "winding numbers differ by %g", (double)worstWinding);
    ENSURE(cpu ? worstSample == 0.0f : worstSample <= 1e-5f, "samples differ by %g", (double)worstSample);
    for (int k = 0; k < 2; ++k) {
        free(closest[k]);
        free(rays[k]);
        free(winding[k]);
        free(samples[k]);
    }
}

void TestSdf(wfDevice* reference, wfDevice* device) {
    wfMesh mesh = {0};
    wfError err = {0};
    Rig a, b;
    bool ok = MakeTorus(&mesh, &err) && Rig_Create(&a, reference, &mesh, &err) && Rig_Create(&b, device, &mesh, &err);
    ENSURE(ok, "%s", err.text);
    if (!ok) return;
    ENSURE(a.surface.fanCount > 5, "%d holes", a.surface.fanCount);
    bool cpu = wfDevice_GetKind(device) == wf_deviceCpu;
    for (int step = 0; step < 3; ++step) {
        ok = Bend(&a, &mesh, 0.4f * (float)step, &err) && Bend(&b, &mesh, 0.4f * (float)step, &err);
        ENSURE(ok, "%s", err.text);
        if (!ok) break;
        CompareFields(&a, &b, cpu);
    }
    CompareQueries(&a, &b, cpu);
    CompareNear(&a, &b, cpu);
    int64_t warm = wfDevice_GetAllocCount(device);
    for (int step = 0; step < 3; ++step) Bend(&b, &mesh, 0.4f * (float)step, &err);
    ENSURE(wfDevice_GetAllocCount(device) == warm, "a warm build allocated");
    Rig_Free(&a);
    Rig_Free(&b);
    wfMesh_Free(&mesh);
}
