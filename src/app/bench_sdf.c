// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/bench_sdf.h"

#include "base/clock.h"
#include "collide/sdf.h"
#include "mesh/generate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// A figure of capsules, 1.8 m high, 20K triangles, that bends from step to step: the whole way from positions on the device to a field that
// can be sampled, and a sample for each of 100K points near the skin.

enum { Samples = 100000 };

static bool MakeFigure(wfMesh* body, wfError* err) {
    static const struct {
        float radius, length, x, y, turn;
    } parts[] = {{0.14f, 0.45f, 0.0f, 0.2f, 0.0f},    {0.1f, 0.05f, 0.0f, 0.72f, 0.0f},   {0.045f, 0.55f, 0.3f, 0.2f, 0.5f},
                 {0.045f, 0.55f, -0.3f, 0.2f, -0.5f}, {0.07f, 0.75f, 0.1f, -0.5f, 0.05f}, {0.07f, 0.75f, -0.1f, -0.5f, -0.05f}};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) {
        wfGenerateDef def = wfDefaultGenerateDef();
        wfMesh part = {0};
        def.shape = wf_makeCapsule;
        def.edge = 0.0145f;
        def.radius = parts[k].radius;
        def.length = parts[k].length;
        WF_TRY(wfGenerate(&part, &def, err));
        wfMesh_Transform(&part, wfMake3(1.0f, 1.0f, 1.0f), wfQuatAxisAngle(wfMake3(0.0f, 0.0f, 1.0f), parts[k].turn),
                         wfMake3(parts[k].x, parts[k].y, 0.0f));
        bool ok = wfMesh_Append(body, &part, err);
        wfMesh_Free(&part);
        if (!ok) return false;
    }
    return true;
}

typedef struct Figure {
    wfMesh mesh;
    wfSurface surface;
    wfBuffer x[2], points, values; // positions at two ends of a bend
} Figure;

static bool UploadFigure(wfDevice* device, Figure* f, wfError* err) {
    int count = f->mesh.vertexCount;
    wfVec4* x = calloc((size_t)(count > Samples ? count : Samples), sizeof *x);
    if (x == NULL) return wfFail(err, wf_outOfMemory, "out of memory for a figure");
    for (int end = 0; end < 2; ++end) {
        for (int i = 0; i < count; ++i) {
            wfVec3 p = f->mesh.positions[i];
            x[i] = wfMake4(wfMake3(p.x, p.y, p.z + (end == 0 ? 0.05f : -0.05f) * p.y * p.y), 0.0f);
        }
        wfUpload(device, &f->x[end], x, (size_t)count);
    }
    for (int i = 0; i < Samples; ++i) {
        wfVec3 p = f->mesh.positions[i % count];
        x[i] = wfMake4(wfMulAdd(p, 0.01f * (float)(i / count), wfMake3(p.z, 0.3f, -p.x)), 0.0f);
    }
    wfUpload(device, &f->points, x, Samples);
    bool ok = wfDevice_Sync(device, err);
    free(x);
    return ok;
}

static bool Row(wfDevice* device, Figure* f, float cell, int repeat, bool json, wfError* err) {
    wfSdf sdf;
    wfSdf_Create(&sdf, device, cell, 2.0f * cell);
    size_t before = wfDevice_GetMemory(device);
    double refit = INFINITY, build = INFINITY, sample = INFINITY;
    int64_t warm = 0;
    bool ok = true;
    for (int k = -4; ok && k < repeat; ++k) { // the first ones let buffers grow
        if (k == 0) warm = wfDevice_GetAllocCount(device);
        double start = wfSeconds();
        wfSurface_Move(&f->surface, &f->x[k & 1]);
        ok = wfDevice_Sync(device, err);
        double moved = wfSeconds();
        ok = ok && wfSdf_Build(&sdf, &f->surface, err) && wfDevice_Sync(device, err);
        double built = wfSeconds();
        if (ok) wfSdf_Sample(&sdf, &f->points, &f->values);
        ok = ok && wfDevice_Sync(device, err);
        if (k < 0) continue;
        refit = fmin(refit, moved - start);
        build = fmin(build, built - moved);
        sample = fmin(sample, wfSeconds() - built);
    }
    ok = ok && wfSdf_Check(&sdf, err);
    if (ok)
        printf(json ? "{\"triangles\": %d, \"cell_mm\": %g, \"refit_ms\": %.3f, \"build_ms\": %.3f, \"sample_ns\": %.2f, \"bricks\": %d, "
                      "\"mb\": %.1f, \"allocations\": %lld}\n"
                    : "%9d %8g %9.3f %9.3f %10.2f %8d %8.1f %7lld\n",
               f->mesh.triangleCount, 1e3 * (double)cell, 1e3 * refit, 1e3 * build, 1e9 * sample / Samples, sdf.brickCount,
               (double)(wfDevice_GetMemory(device) - before) / 1e6, (long long)(wfDevice_GetAllocCount(device) - warm));
    fflush(stdout);
    wfSdf_Free(&sdf);
    return ok;
}

bool wfBench_Sdf(wfDevice* device, int repeat, bool json, wfError* err) {
    Figure f = {.surface = {.device = device}};
    f.x[0] = f.x[1] = f.points = f.values = wfMakeBuffer(sizeof(wfVec4), "bench.x");
    bool ok = MakeFigure(&f.mesh, err);
    wfMeshView view = wfMesh_View(&f.mesh);
    ok = ok && wfSurface_Create(&f.surface, device, &view, 0.0f, "figure", err) && UploadFigure(device, &f, err);
    if (ok && !json)
        printf("%s\nthe distance field of a body that bends, band of two cells; grown: buffers allocated in warm builds\n"
               "%9s %8s %9s %9s %10s %8s %8s %7s\n",
               wfDevice_GetName(device), "triangles", "cell mm", "refit ms", "build ms", "sample ns", "bricks", "MB", "grown");
    static const float cells[] = {0.01f, 0.005f};
    for (size_t k = 0; ok && k < sizeof cells / sizeof *cells; ++k) ok = Row(device, &f, cells[k], repeat, json, err);
    wfBuffer* buffers[] = {&f.x[0], &f.x[1], &f.points, &f.values};
    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; ++k) wfFreeBuffer(device, buffers[k]);
    wfSurface_Free(&f.surface);
    wfMesh_Free(&f.mesh);
    return ok;
}
