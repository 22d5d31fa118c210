// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "elastic/elastic.h"

#include "base/assert.h"
#include "elastic/springs.h"
#include "elastic/stitches.h"

static bool CreateSprings(wfElastic* elastic, wfError* err) {
    int edgeCount = elastic->model->topology->edgeCount;
    bool along = elastic->def.membrane == wf_membraneSprings, across = elastic->def.bending == wf_bendingSprings;
    elastic->springs = wfArena_New(&elastic->arena, wfSpring, 2 * (int64_t)edgeCount, "springs", err);
    if (elastic->springs == NULL) return false;
    for (int e = 0; e < edgeCount; ++e) {
        if (along) elastic->springs[elastic->springCount++] = wfSpring_Along(elastic->model, e);
        if (across && wfSpring_Across(elastic->model, e, &elastic->springs[elastic->springCount])) elastic->springCount++;
    }
    return true;
}

static bool CreateElements(wfElastic* elastic, wfError* err) {
    const wfModel* model = elastic->model;
    elastic->elements = wfArena_New(&elastic->arena, wfElementD, model->triangleCount, "elements", err);
    elastic->laws = wfArena_New(&elastic->arena, wfPlanarD, model->clothCount, "elements", err);
    if (elastic->elements == NULL || elastic->laws == NULL) return false;
    for (int t = 0; t < model->triangleCount; ++t) elastic->elements[t] = wfMakeElement(&model->flat[t]);
    for (int c = 0; c < model->clothCount; ++c) elastic->laws[c] = wfMakePlanar(&model->cloths[c].fabric, elastic->def.membrane);
    return true;
}

static bool CreateSeams(wfElastic* elastic, wfError* err) {
    elastic->open = wfArena_New(&elastic->arena, double, elastic->model->seamCount, "seams", err);
    if (elastic->open == NULL) return false;
    for (int s = 0; s < elastic->model->seamCount; ++s) elastic->open[s] = 1.0;
    return true;
}

bool wfElastic_Create(wfElastic* elastic, const wfModel* model, const wfElasticDef* def, wfError* err) {
    elastic->model = model;
    elastic->def = *def;
    bool ok =
        CreateSeams(elastic, err) && CreateSprings(elastic, err) && (def->membrane == wf_membraneSprings || CreateElements(elastic, err));
    if (ok && def->bending == wf_bendingMeshless) ok = wfMeshless_Create(&elastic->meshless, model, wf_meshlessRadius, err);
    if (ok && (def->bending == wf_bendingQuadratic || def->bending == wf_bendingDihedral)) {
        ok = wfBending_Create(&elastic->bending, model, def->restAngles ? model->start : NULL, err);
        if (ok) elastic->restVectors = wfArena_New(&elastic->arena, wfVec3D, elastic->bending.hingeCount, "hinges", err);
        ok = ok && elastic->restVectors != NULL;
    }
    if (!ok) wfElastic_Free(elastic);
    return ok;
}

void wfElastic_Free(wfElastic* elastic) {
    wfBending_Free(&elastic->bending);
    wfMeshless_Free(&elastic->meshless);
    wfArena_Free(&elastic->arena);
    *elastic = (wfElastic){0};
}

static void GatherHinge(const wfElastic* elastic, int h, const wfVec3D* x, wfVec3D* points) {
    for (int k = 0; k < 4; ++k) points[k] = x[elastic->bending.hinges[h].v[k]];
}

static const wfPlanarD* GatherTriangle(const wfElastic* elastic, int t, const wfVec3D* x, wfVec3D* points) {
    const int* v = elastic->model->triangles[t].v;
    for (int k = 0; k < 3; ++k) points[k] = x[v[k]];
    return &elastic->laws[elastic->model->clothOf[v[0]]];
}

typedef struct Star {
    const wfNeighbourD* neighbours;
    const int* item;
    int count;
    wfVec3D x[wf_mostNeighbours];
} Star;

static void GatherStar(const wfElastic* elastic, int v, const wfVec3D* x, Star* star) {
    int start = elastic->meshless.rows.start[v];
    star->neighbours = elastic->meshless.neighbours + start;
    star->item = elastic->meshless.rows.item + start;
    star->count = elastic->meshless.rows.start[v + 1] - start;
    for (int k = 0; k < star->count; ++k) star->x[k] = x[star->item[k]];
}

static int TriangleCount(const wfElastic* elastic) { return elastic->elements == NULL ? 0 : elastic->model->triangleCount; }

void wfElastic_Hold(wfElastic* elastic, const wfVec3D* x) {
    if (!elastic->def.restAngles || elastic->def.bending != wf_bendingQuadratic) return;
    for (int h = 0; h < elastic->bending.hingeCount; ++h) {
        wfVec3D points[4];
        GatherHinge(elastic, h, x, points);
        elastic->restVectors[h] = wfBend_RestD(wfBendRestLength(&elastic->bending.hinges[h], elastic->bending.restAngle[h]), points);
    }
}

void wfElastic_SetTime(wfElastic* elastic, double time) {
    for (int s = 0; s < elastic->model->seamCount; ++s) elastic->open[s] = wfSeamTiming_Open(&elastic->model->seams[s], time);
}

static double GatherStitch(const wfElastic* elastic, const wfStitch* stitch, const wfVec3D* x, wfVec3D* points) {
    for (int k = 0; k < 3; ++k) points[k] = x[stitch->v[k]];
    return elastic->open[stitch->seam] * stitch->length;
}

double wfElastic_Energy(const wfElastic* elastic, const wfVec3D* x) {
    double sum = 0.0;
    for (int s = 0; s < elastic->springCount; ++s) {
        const wfSpring* spring = &elastic->springs[s];
        double d = wfLengthD(wfSubD(x[spring->v[1]], x[spring->v[0]])) - spring->rest;
        sum += 0.5 * spring->stiffness * d * d;
    }
    for (int t = 0; t < TriangleCount(elastic); ++t) {
        wfVec3D points[3];
        const wfPlanarD* law = GatherTriangle(elastic, t, x, points);
        sum += wfMembrane_EnergyD(elastic->def.membrane, law, &elastic->elements[t], points);
    }
    for (int h = 0; h < elastic->bending.hingeCount; ++h) {
        wfVec3D points[4];
        GatherHinge(elastic, h, x, points);
        sum += elastic->def.bending == wf_bendingQuadratic
                   ? wfBend_EnergyD(&elastic->bending.bends[h], points, elastic->restVectors[h])
                   : wfDihedral_EnergyD(elastic->bending.stiffness[h], elastic->bending.restAngle[h], points);
    }
    for (int v = 0; v < elastic->meshless.rows.rowCount; ++v) {
        Star star;
        GatherStar(elastic, v, x, &star);
        sum += wfMeshless_EnergyD(elastic->meshless.stiffness[v], star.neighbours, star.count, x[v], star.x);
    }
    for (int s = 0; s < elastic->model->stitchCount; ++s) {
        const wfStitch* stitch = &elastic->model->stitches[s];
        wfVec3D points[3];
        double length = GatherStitch(elastic, stitch, x, points);
        sum += wfStitch_EnergyD(stitch->stiffness, stitch->share, length, points);
    }
    return sum;
}

void wfElastic_AddGradient(const wfElastic* elastic, const wfVec3D* x, wfVec3D* g) {
    for (int s = 0; s < elastic->springCount; ++s) {
        const wfSpring* spring = &elastic->springs[s];
        wfVec3D d = wfSubD(x[spring->v[1]], x[spring->v[0]]);
        double k = spring->stiffness * (1.0 - spring->rest / fmax(wfLengthD(d), 1e-30));
        g[spring->v[0]] = wfMulAddD(g[spring->v[0]], -k, d);
        g[spring->v[1]] = wfMulAddD(g[spring->v[1]], k, d);
    }
    for (int t = 0; t < TriangleCount(elastic); ++t) {
        const int* v = elastic->model->triangles[t].v;
        wfVec3D points[3], out[3];
        const wfPlanarD* law = GatherTriangle(elastic, t, x, points);
        wfMembrane_GradientD(elastic->def.membrane, law, &elastic->elements[t], points, out);
        for (int k = 0; k < 3; ++k) g[v[k]] = wfAddD(g[v[k]], out[k]);
    }
    for (int h = 0; h < elastic->bending.hingeCount; ++h) {
        const int* v = elastic->bending.hinges[h].v;
        wfVec3D points[4], out[4];
        GatherHinge(elastic, h, x, points);
        if (elastic->def.bending == wf_bendingQuadratic)
            wfBend_GradientD(&elastic->bending.bends[h], points, elastic->restVectors[h], out);
        else
            wfDihedral_GradientD(elastic->bending.stiffness[h], elastic->bending.restAngle[h], points, out);
        for (int k = 0; k < 4; ++k) g[v[k]] = wfAddD(g[v[k]], out[k]);
    }
    for (int v = 0; v < elastic->meshless.rows.rowCount; ++v) {
        Star star;
        wfVec3D out[wf_mostNeighbours];
        GatherStar(elastic, v, x, &star);
        wfVec3D own = wfMeshless_GradientD(elastic->meshless.stiffness[v], star.neighbours, star.count, x[v], star.x, out);
        g[v] = wfAddD(g[v], own);
        for (int k = 0; k < star.count; ++k) g[star.item[k]] = wfAddD(g[star.item[k]], out[k]);
    }
    for (int s = 0; s < elastic->model->stitchCount; ++s) {
        const wfStitch* stitch = &elastic->model->stitches[s];
        wfVec3D points[3], out[3];
        double length = GatherStitch(elastic, stitch, x, points);
        wfStitch_GradientD(stitch->stiffness, stitch->share, length, points, out);
        for (int k = 0; k < 3; ++k) g[stitch->v[k]] = wfAddD(g[stitch->v[k]], out[k]);
    }
}

static void AddSpring(const wfSpring* spring, const wfVec3D* x, bool clamped, wfAddBlockFn add, void* to) {
    wfVec3D d = wfSubD(x[spring->v[1]], x[spring->v[0]]);
    double length = fmax(wfLengthD(d), 1e-30), k = spring->stiffness, across = k * (1.0 - spring->rest / length);
    if (clamped) across = fmax(across, 0.0);
    wfMat3D h = wfDiagonal3D(across), minus = wfDiagonal3D(0.0);
    wfMat3_AddOuterD(&h, (k - across) / (length * length), d, d);
    wfMat3_AddD(&minus, -1.0, &h);
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) add(to, spring->v[i], spring->v[j], i == j ? &h : &minus);
}

static void AddHinge(const wfElastic* elastic, int h, const wfVec3D* x, bool clamped, wfAddBlockFn add, void* to) {
    const int* v = elastic->bending.hinges[h].v;
    const wfBendD* b = &elastic->bending.bends[h];
    wfMat3D blocks[4][4];
    if (elastic->def.bending == wf_bendingDihedral) {
        wfVec3D points[4];
        GatherHinge(elastic, h, x, points);
        wfDihedral_HessianD(elastic->bending.stiffness[h], elastic->bending.restAngle[h], points, clamped, blocks);
    } else {
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) blocks[i][j] = wfDiagonal3D(b->stiffness * b->k[i] * b->k[j]);
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) add(to, v[i], v[j], &blocks[i][j]);
}

static void AddStitch(const wfElastic* elastic, const wfStitch* stitch, const wfVec3D* x, wfAddBlockFn add, void* to) {
    wfVec3D points[3];
    double length = GatherStitch(elastic, stitch, x, points);
    wfMat3D curvature = wfStitch_CurvatureD(stitch->stiffness, stitch->share, length, points);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            wfMat3D block = wfDiagonal3D(0.0);
            wfMat3_AddD(&block, wfStitch_WeightD(stitch->share, i) * wfStitch_WeightD(stitch->share, j), &curvature);
            add(to, stitch->v[i], stitch->v[j], &block);
        }
}

void wfElastic_AddHessian(const wfElastic* elastic, const wfVec3D* x, bool clamped, wfAddBlockFn add, void* to) {
    for (int s = 0; s < elastic->springCount; ++s) AddSpring(&elastic->springs[s], x, clamped, add, to);
    for (int t = 0; t < TriangleCount(elastic); ++t) {
        const int* v = elastic->model->triangles[t].v;
        wfVec3D points[3];
        wfMat3D blocks[3][3];
        const wfPlanarD* law = GatherTriangle(elastic, t, x, points);
        wfMembrane_HessianD(elastic->def.membrane, law, &elastic->elements[t], points, clamped, blocks);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) add(to, v[i], v[j], &blocks[i][j]);
    }
    for (int h = 0; h < elastic->bending.hingeCount; ++h) AddHinge(elastic, h, x, clamped, add, to);
    for (int v = 0; v < elastic->meshless.rows.rowCount; ++v) {
        Star star;
        GatherStar(elastic, v, x, &star);
        wfMeshlessFrameD frame = wfMeshless_FrameD(star.neighbours, star.count, x[v], star.x);
        for (int i = -1; i < star.count; ++i)
            for (int j = -1; j < star.count; ++j) {
                wfMat3D block = wfMeshless_BlockD(elastic->meshless.stiffness[v], star.neighbours, star.count, &frame, i, j);
                add(to, i < 0 ? v : star.item[i], j < 0 ? v : star.item[j], &block);
            }
    }
    for (int s = 0; s < elastic->model->stitchCount; ++s) AddStitch(elastic, &elastic->model->stitches[s], x, add, to);
}
