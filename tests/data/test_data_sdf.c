// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/sdf.h"
#include "io/mesh_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Distance fields of the real bodies under WEFT_DATA: cells of half a hundredth of their size, points near the surface, distance and side
// judged by every triangle in double precision (the winding number of the mesh as it is in the file, holes and all). A body with holes that
// are too large must be refused with the place; every other one must have the right sign.

typedef struct Case {
    const char* path;
    const char* refusal; // NULL: must be built
} Case;

static const Case s_cases[] = {
    {"body/garmentcode/mean_all.obj", NULL},                 // 105 pairs of triangles cross
    {"body/makehuman/base.obj", "the surface is open"},      // with hair and other helpers: open sheets
    {"body-animated/codim-ipc/Kick/shell30.obj.gz", NULL},   // open at the mouth and the eyes, parts cross
    {"body-animated/codim-ipc/Kick/shell53.obj.gz", NULL},   // the same in another pose
    {"body-animated/arcsim/motion_body/body0003.obj", NULL}, // three closed parts that cross and touch
    {"body-animated/arcsim/motion_body/body0005.obj", NULL}, // five parts
    {"body-animated/arcsim/motion_body/body0012.obj", NULL}, // two parts
};

enum { Points = 800 };

static int s_failures;

static void Complain(const char* path, const char* what) {
    printf("%s: %s\n", path, what);
    ++s_failures;
}

static bool Read(wfMesh* mesh, const char* path, wfError* err) {
    size_t length = strlen(path);
    if (length < 3 || strcmp(path + length - 3, ".gz") != 0) return wfReadMesh(mesh, path, err);
    char command[1200];
    snprintf(command, sizeof command, "zcat '%s' > test_data_sdf.tmp.obj", path);
    bool ok = system(command) == 0 ? wfReadMesh(mesh, "test_data_sdf.tmp.obj", err) : wfFail(err, wf_fileFailed, "%s: zcat failed", path);
    remove("test_data_sdf.tmp.obj");
    return ok;
}

typedef struct Judgement {
    double distance, winding, open; // open: distance to the nearest edge with one triangle
} Judgement;

static Judgement Judge(const wfMesh* mesh, const wfTopology* topology, wfVec3 point) {
    Judgement j = {INFINITY, 0.0, INFINITY};
    wfVec3D p = wfWiden(point);
    for (int t = 0; t < mesh->triangleCount; ++t) {
        wfVec3D x[3], r[3];
        double length[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = wfWiden(mesh->positions[mesh->triangles[t].v[k]]);
            r[k] = wfSubD(x[k], p);
            length[k] = wfLengthD(r[k]);
        }
        j.winding += 2.0 * atan2(wfDotD(r[0], wfCrossD(r[1], r[2])), length[0] * length[1] * length[2] + wfDotD(r[0], r[1]) * length[2] +
                                                                         wfDotD(r[1], r[2]) * length[0] + wfDotD(r[2], r[0]) * length[1]);
        j.distance = fmin(j.distance, sqrt(wfPointTriangleD(p, x[0], x[1], x[2]).distanceSq));
    }
    j.winding /= 16.0 * atan(1.0);
    for (int e = 0; e < topology->edgeCount; ++e) {
        const wfEdge* edge = &topology->edges[e];
        if (edge->triangle[1] >= 0) continue;
        wfVec3D a = wfWiden(mesh->positions[edge->v[0]]), b = wfWiden(mesh->positions[edge->v[1]]);
        j.open = fmin(j.open, wfLengthD(wfSubD(p, wfMulAddD(a, wfPointEdgeD(p, a, b), wfSubD(b, a)))));
    }
    return j;
}

static void CompareField(const char* path, const wfMesh* mesh, const wfSdf* sdf) {
    static wfVec4 points[Points], values[Points];
    uint32_t state = 9;
    wfError err = {0};
    wfTopology topology = {0};
    // Around random vertices, mostly within the band; a few anywhere.
    for (int i = 0; i < Points; ++i) {
        float r[3];
        for (int k = 0; k < 3; ++k) {
            state = state * 1664525u + 1013904223u;
            r[k] = (float)(state >> 8) / 8388608.0f - 1.0f;
        }
        wfVec3 p = mesh->positions[(int)((unsigned)i * 2654435761u % (unsigned)mesh->vertexCount)];
        points[i] = wfMake4(wfMulAdd(p, i % 4 == 0 ? 10.0f * sdf->band : sdf->band, wfMake3(r[0], r[1], r[2])), 0.0f);
    }
    wfBuffer in = wfMakeBuffer(sizeof(wfVec4), "test.in"), out = wfMakeBuffer(sizeof(wfVec4), "test.out");
    wfUpload(sdf->device, &in, points, Points);
    wfSdf_Sample(sdf, &in, &out);
    if (!wfDownload(sdf->device, values, &out, 0, Points, &err) ||
        !wfTopology_Create(&topology, mesh->triangles, mesh->triangleCount, mesh->vertexCount, &err)) {
        Complain(path, err.text);
    } else {
        int wrong = 0, judged = 0, inside = 0, unclear = 0;
        double worst = 0.0, cell = (double)sdf->cell;
        for (int i = 0; i < Points; ++i) {
            Judgement j = Judge(mesh, &topology, wfXyz(points[i]));
            double value = (double)values[i].w, winding = fabs(j.winding);
            // Between the values of a cell that the surface passes through, the zero of the interpolation may lie half a cell off.
            bool near = j.distance < 0.5 * cell, hole = j.open < 10.0 * cell;
            if (hole && fabs(winding - rint(winding)) > 0.1) {
                ++unclear; // by a hole the winding number of an open mesh says nothing
                continue;
            }
            ++judged;
            inside += winding > 0.5;
            wrong += !near && (value < 0.0) != (winding > 0.5);
            if (j.distance < (double)sdf->band && j.open > 2.0 * j.distance) worst = fmax(worst, fabs(fabs(value) - j.distance) / cell);
        }
        printf("%s: %d bricks, %d points judged (%d inside, %d by a hole left out), %d signs wrong, worst error %.3f cells\n", path,
               sdf->brickCount, judged, inside, unclear, wrong, worst);
        if (wrong > 0) Complain(path, "the sign is wrong");
        if (!(worst < 0.5)) Complain(path, "the error is more than half a cell");
        if (judged < Points / 2 || inside < Points / 20) Complain(path, "too few points were judged");
    }
    wfTopology_Free(&topology);
    wfFreeBuffer(sdf->device, &in);
    wfFreeBuffer(sdf->device, &out);
}

static void RunCase(wfDevice* device, const char* data, const Case* c) {
    char path[1024];
    wfError err = {0};
    wfMesh mesh = {0};
    wfSurface surface = {0};
    snprintf(path, sizeof path, "%s/%s", data, c->path);
    if (!Read(&mesh, path, &err)) {
        Complain(c->path, err.text);
        return;
    }
    wfVec3 lo, hi;
    wfMesh_Bounds(mesh.positions, mesh.vertexCount, &lo, &hi);
    float size = wfDistance(lo, hi), cell = 0.005f * size;
    wfMeshView view = wfMesh_View(&mesh);
    wfSdf sdf;
    wfSdf_Create(&sdf, device, cell, 2.0f * cell);
    bool ok = wfSurface_Create(&surface, device, &view, 0.05f * size, c->path, &err) && wfSdf_Build(&sdf, &surface, &err) &&
              wfSdf_Check(&sdf, &err);
    if (c->refusal != NULL) {
        if (ok || strstr(err.text, c->refusal) == NULL)
            Complain(c->path, ok ? "was not refused" : err.text);
        else
            printf("refused: %s\n", err.text);
    } else if (!ok) {
        Complain(c->path, err.text);
    } else {
        if (surface.fanCount > 0) printf("%s: %d holes closed\n", c->path, surface.fanCount);
        CompareField(c->path, &mesh, &sdf);
    }
    wfSdf_Free(&sdf);
    wfSurface_Free(&surface);
    wfMesh_Free(&mesh);
}

int main(void) {
    const char* data = getenv("WEFT_DATA");
    if (data == NULL) {
        fprintf(stderr, "test_data_sdf: set WEFT_DATA to the data folder\n");
        return 2;
    }
    wfDeviceDef def = wfDefaultDeviceDef();
    def.kind = wf_deviceCpu;
    wfError err = {0};
    wfDevice* device = wfCreateDevice(&def, &err);
    if (device == NULL) {
        fprintf(stderr, "test_data_sdf: %s\n", err.text);
        return 2;
    }
    for (size_t k = 0; k < sizeof s_cases / sizeof *s_cases; ++k) RunCase(device, data, &s_cases[k]);
    wfDestroyDevice(device);
    printf("%d bodies, %d failures\n", (int)(sizeof s_cases / sizeof *s_cases), s_failures);
    return s_failures == 0 ? 0 : 1;
}
