// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/bench_drape.h"

#include "mesh/delaunay.h"
#include "mesh/generate_shapes.h"
#include "mesh/revolve.h"
#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>

#define PI       3.14159265358979323846
#define CLOTH    0.15 // [m] radius of the disc …
#define PEDESTAL 0.09 // … and of what it lies on
#define AT_REST  1e-4 // [m/s]
// The ring is let down slowly, as by the plates of the apparatus: its weight grows from nothing within this time [s]. Let go at once it
// would buckle while it falls, into more and narrower folds than it keeps in the test.
#define LET_DOWN 2.0

wfDrapeDef wfDefaultDrapeDef(void) {
    return (wfDrapeDef){.fabric = wfDefaultFabric(),
                        .rows = 12,
                        .bending = wf_bendingDihedral,
                        .dynamics = "newton",
                        .timeStep = 0.02f,
                        .damping = 10.0f,
                        .longest = 20.0f};
}

// ---- the disc -----------------------------------------------------------------------------------------------------------------

/// A number in [-1, 1) that follows from an index (splitmix64).
static double Noise(uint64_t index) {
    uint64_t z = (index + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) / (double)(1ull << 52) - 1.0;
}

/// A flat disc stays flat on its way down until rounding decides about its folds. This says instead, the same for every mesh: waves of all
/// lengths about the rim, half a millimetre together.
static double StartHeight(wfVec3 p, double held) {
    enum { Shortest = 16 };
    double r = hypot(p.x, p.z), angle = atan2(p.z, p.x), sum = 0.0;
    for (int k = 2; k <= Shortest; ++k) sum += Noise(1000u + (uint64_t)k) * cos(k * angle + PI * Noise(2000u + (uint64_t)k));
    return r > held ? 0.5e-3 / sqrt((double)Shortest) * sum * (r - held) / (CLOTH - held) : 0.0;
}

/// Width of a row [m], so that the last held circle lies half a row outside the pedestal. The hinges there bend as a whole row does, half
/// of which lies before them: the cloth then leaves the pedestal where it should.
static double RowWidth(const wfDrapeDef* def) { return (CLOTH - PEDESTAL) / (def->rows + 0.5); }
static double HeldRadius(const wfDrapeDef* def) { return PEDESTAL + 0.5 * RowWidth(def); }

/// Moves every vertex that lies on neither edge by up to a fifth of a row, and connects them anew.
static bool MakeIrregular(wfMesh* mesh, const wfDrapeDef* def, wfError* err) {
    wfArena arena = {0};
    wfVec2* points = wfArena_New(&arena, wfVec2, mesh->vertexCount, "points of a disc", err);
    double most = 0.2 * RowWidth(def);
    for (int i = 0; points != NULL && i < mesh->vertexCount; ++i) {
        wfVec3* p = &mesh->positions[i];
        double r = hypot(p->x, p->z);
        if (fabs(r - CLOTH) > 1e-4 && fabs(r - HeldRadius(def)) > 1e-4) {
            double angle = PI * Noise(2 * (uint64_t)i), way = most * sqrt(0.5 + 0.5 * Noise(2 * (uint64_t)i + 1));
            p->x += (float)(way * cos(angle));
            p->z += (float)(way * sin(angle));
        }
        points[i] = (wfVec2){p->x, -p->z};
    }
    bool ok = points != NULL && wfFlipToDelaunay(points, mesh->vertexCount, mesh->triangles, mesh->triangleCount, err);
    wfArena_Free(&arena);
    if (ok) wfSetFlatFromAbove(mesh);
    return ok;
}

static bool MakeDisc(wfMesh* mesh, const wfDrapeDef* def, wfError* err) {
    double held = HeldRadius(def);
    const wfProfilePart inwards[2] = {{.r0 = CLOTH, .r1 = held}, {.r0 = held, .r1 = 0.0}};
    wfMeshBuilder builder = {0};
    bool ok = wfRevolve(&builder, inwards, 2, false, RowWidth(def), err) && wfBuilder_Finish(&builder, mesh, true, err);
    wfBuilder_Free(&builder);
    if (ok) wfSetFlatFromAbove(mesh);
    if (ok && def->irregular) ok = MakeIrregular(mesh, def, err);
    if (!ok) wfMesh_Free(mesh);
    return ok;
}

static wfScene* MakeScene(wfDevice* device, const wfDrapeDef* def, const wfMesh* mesh, wfError* err) {
    wfSceneDef sceneDef = wfDefaultSceneDef();
    sceneDef.time_step = def->timeStep;
    sceneDef.bending = def->bending;
    snprintf(sceneDef.dynamics, sizeof sceneDef.dynamics, "%s", def->dynamics);
    snprintf(sceneDef.contact, sizeof sceneDef.contact, "none");
    wfScene* scene = wfCreateScene(device, &sceneDef, err);
    int* held = calloc((size_t)mesh->vertexCount, sizeof *held);
    wfVec3* start = calloc((size_t)mesh->vertexCount, sizeof *start);
    bool ok = scene != NULL && held != NULL && start != NULL;
    if (scene != NULL && !ok) wfFail(err, wf_outOfMemory, "out of memory for a drape test");
    if (ok) {
        int count = 0;
        for (int i = 0; i < mesh->vertexCount; ++i) {
            wfVec3 p = mesh->positions[i];
            if (hypot(p.x, p.z) < HeldRadius(def) + 1e-4) held[count++] = i;
            start[i] = wfMake3(p.x, (float)StartHeight(p, HeldRadius(def)), p.z);
        }
        wfClothDef cloth = wfDefaultClothDef();
        cloth.fabric = def->fabric;
        cloth.fabric.damping = def->damping;
        cloth.mesh = wfMesh_View(mesh);
        cloth.mesh.restPositions = cloth.mesh.positions;
        cloth.mesh.positions = &start->x;
        wfPinDef pin = wfDefaultPinDef();
        pin.cloth = wfCreateCloth(scene, &cloth, err);
        pin.vertices = held;
        pin.vertexCount = count;
        ok = !WF_ID_IS_NULL(pin.cloth) && !WF_ID_IS_NULL(wfCreatePin(scene, &pin, err)) && wfScene_Commit(scene, err);
    }
    free(held);
    free(start);
    if (ok) return scene;
    wfDestroyScene(scene);
    return NULL;
}

// ---- the shadow ---------------------------------------------------------------------------------------------------------------

enum { Pixels = 1600, Angles = 720 };
#define EXTENT 0.2 // [m] half the side of the picture

/// Marks the pixels whose middle lies in the triangle seen from above.
static void Paint(bool* picture, wfVec3 a, wfVec3 b, wfVec3 c) {
    double scale = Pixels / (2.0 * EXTENT), px[3] = {a.x, b.x, c.x}, pz[3] = {a.z, b.z, c.z};
    for (int k = 0; k < 3; ++k) px[k] = (px[k] + EXTENT) * scale, pz[k] = (pz[k] + EXTENT) * scale;
    int i0 = (int)fmin(px[0], fmin(px[1], px[2])), i1 = (int)fmax(px[0], fmax(px[1], px[2]));
    int j0 = (int)fmin(pz[0], fmin(pz[1], pz[2])), j1 = (int)fmax(pz[0], fmax(pz[1], pz[2]));
    for (int j = j0; j <= j1; ++j)
        for (int i = i0; i <= i1; ++i) {
            double x = i + 0.5, z = j + 0.5;
            bool positive = false, negative = false;
            for (int k = 0; k < 3; ++k) {
                int l = (k + 1) % 3;
                double side = (px[l] - px[k]) * (z - pz[k]) - (pz[l] - pz[k]) * (x - px[k]);
                positive = positive || side > 0.0;
                negative = negative || side < 0.0;
            }
            if (!(positive && negative)) picture[j * Pixels + i] = true;
        }
}

/// How often a closed row of numbers goes up by more than `least` and down again.
static int CountWaves(const double* value, int count, double least) {
    int lowest = 0, waves = 0;
    for (int k = 1; k < count; ++k)
        if (value[k] < value[lowest]) lowest = k;
    double extreme = value[lowest];
    bool rising = true;
    for (int k = 1; k <= count; ++k) {
        double now = value[(lowest + k) % count];
        extreme = rising ? fmin(extreme, now) : fmax(extreme, now);
        if (fabs(now - extreme) < least) continue;
        waves += rising;
        rising = !rising;
        extreme = now;
    }
    return waves;
}

bool wfDrape_MeasureShadow(const wfMesh* mesh, double* area, int* nodes, wfError* err) {
    for (int i = 0; i < mesh->vertexCount; ++i) {
        wfVec3 p = mesh->positions[i];
        if (!(fabsf(p.x) < 0.999 * EXTENT && fabsf(p.z) < 0.999 * EXTENT))
            return wfFail(err, wf_stepFailed, "drape: vertex %d: expected within %g m of the middle, got (%g, %g)", i, EXTENT, p.x, p.z);
    }
    bool* picture = calloc((size_t)Pixels * Pixels, sizeof *picture);
    if (picture == NULL) return wfFail(err, wf_outOfMemory, "out of memory for the shadow of a drape");
    for (int t = 0; t < mesh->triangleCount; ++t) {
        const int* v = mesh->triangles[t].v;
        Paint(picture, mesh->positions[v[0]], mesh->positions[v[1]], mesh->positions[v[2]]);
    }
    double side = 2.0 * EXTENT / Pixels, reach[Angles] = {0.0};
    int64_t covered = 0;
    for (int j = 0; j < Pixels; ++j)
        for (int i = 0; i < Pixels; ++i) {
            if (!picture[j * Pixels + i]) continue;
            double x = (i + 0.5) * side - EXTENT, z = (j + 0.5) * side - EXTENT;
            int angle = (int)((atan2(z, x) / PI + 1.0) * 0.5 * Angles) % Angles;
            reach[angle] = fmax(reach[angle], hypot(x, z));
            covered++;
        }
    free(picture);
    *area = (double)covered * side * side;
    *nodes = CountWaves(reach, Angles, 2e-3);
    return true;
}

double wfDrape_BendingLength(const wfFabric* fabric) {
    double mean =
        0.25 * (double)fabric->bending * ((double)fabric->bend_warp + (double)fabric->bend_weft + 2.0 * (double)fabric->bend_bias);
    return cbrt(mean / (9.81 * (double)fabric->density));
}

// ---- the test -----------------------------------------------------------------------------------------------------------------

bool wfDrape_Settle(wfScene* scene, wfVec3* scratch, float longest, double* speed, wfError* err) {
    wfClothId id = wfScene_GetCloth(scene, 0);
    int count = wfCloth_GetVertexCount(scene, id);
    do { // read seldom: the device runs behind
        WF_TRY(wfScene_Step(scene, 0.2f, err));
        WF_TRY(wfCloth_ReadVelocities(scene, id, &scratch->x, sizeof *scratch, err));
        *speed = 0.0;
        for (int i = 0; i < count; ++i) *speed = fmax(*speed, (double)wfLength(scratch[i]));
    } while (*speed > AT_REST && wfScene_GetTime(scene) < (double)longest);
    return true;
}

static bool Settle(wfDrape* out, wfScene* scene, const wfDrapeDef* def, wfError* err) {
    wfVec3 *positions = out->mesh.positions, gravity = scene->def.gravity;
    for (double at = def->timeStep; at < LET_DOWN; at += def->timeStep) {
        scene->parts.forces.gravity = wfScale(gravity, (float)(at / LET_DOWN));
        WF_TRY(wfScene_Step(scene, def->timeStep, err));
    }
    scene->parts.forces.gravity = gravity;
    WF_TRY(wfDrape_Settle(scene, positions, def->longest, &out->speed, err));
    out->time = wfScene_GetTime(scene);
    wfCertificate certificate;
    WF_TRY(wfScene_Certify(scene, false, &certificate, err));
    out->elasticEnergy = certificate.elasticEnergy;
    out->worstStretch = certificate.worstStretch;
    return wfCloth_ReadPositions(scene, wfScene_GetCloth(scene, 0), &positions->x, sizeof *positions, err);
}

bool wfDrape_Run(wfDrape* out, wfDevice* device, const wfDrapeDef* def, wfError* err) {
    if (!MakeDisc(&out->mesh, def, err)) return false;
    out->vertexCount = out->mesh.vertexCount;
    bool* rim = calloc((size_t)out->vertexCount, sizeof *rim);
    int rimCount = 0;
    if (rim == NULL) wfFail(err, wf_outOfMemory, "out of memory for a drape test");
    for (int i = 0; rim != NULL && i < out->vertexCount; ++i) {
        rim[i] = hypot(out->mesh.positions[i].x, out->mesh.positions[i].z) > CLOTH - 1e-4;
        rimCount += rim[i];
    }
    wfScene* scene = rim != NULL ? MakeScene(device, def, &out->mesh, err) : NULL;
    double area = 0.0;
    bool ok = scene != NULL && Settle(out, scene, def, err) && wfDrape_MeasureShadow(&out->mesh, &area, &out->nodes, err);
    out->coefficient = (area - PI * PEDESTAL * PEDESTAL) / (PI * (CLOTH * CLOTH - PEDESTAL * PEDESTAL));
    for (int i = 0; ok && i < out->vertexCount; ++i) out->drop -= rim[i] ? (double)out->mesh.positions[i].y / rimCount : 0.0;
    wfDestroyScene(scene);
    free(rim);
    if (!ok) wfMesh_Free(&out->mesh);
    return ok;
}
