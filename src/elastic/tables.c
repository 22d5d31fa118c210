// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "elastic/tables_kernels.h"

#include "elastic/fan.h"
#include "elastic/slices.h"
#include "elastic/springs.h"
#include "elastic/stitches.h"
#include "elastic/stitches_kernels.h"

#include <string.h>

typedef struct Builder {
    wfElasticTables* tables;
    wfDevice* device;
    const wfModel* model;
    wfArena arena; // what lives as long as the building; each table's own memory goes as soon as it is on the device
    wfSlice* lane; // of the table at work
    int* length;   // of its rows
    wfElasticSlice* slices;
    double *bound, *along;  // of all but elements, and of these, which resist along the cloth alone
    wfRigidity* rigidities; // of the edges of each cloth
    double* edgeWeight;     // quadratic bending: of the two ends of an edge …
    double* acrossWeight;   // … and of the two vertices opposite to it
} Builder;

static bool HasElements(const wfElasticDef* def) { return def->membrane != wf_membraneSprings; }
static bool HasRows(const wfElasticDef* def) { return def->bending == wf_bendingQuadratic && !def->restAngles; }
static bool HasHingeTerms(const wfElasticDef* def) {
    return def->bending == wf_bendingDihedral || (def->bending == wf_bendingQuadratic && def->restAngles);
}

// ---- fans ---------------------------------------------------------------------------------------------------------------------

static void BoundElements(Builder* b) {
    const wfModel* model = b->model;
    for (int t = 0; t < model->triangleCount; ++t) {
        const int* v = model->triangles[t].v;
        wfElementD e = wfMakeElement(&model->flat[t]);
        wfPlanarD law = wfMakePlanar(&model->cloths[model->clothOf[v[0]]].fabric, b->tables->def.membrane);
        double u[3], w[3], sumU = 0.0, sumW = 0.0, lawU, lawV;
        wfPlanar_Bounds(&law, &lawU, &lawV);
        for (int k = 0; k < 3; ++k) {
            wfElement_ShapeD(&e, k, &u[k], &w[k]);
            sumU += fabs(u[k]);
            sumW += fabs(w[k]);
        }
        for (int k = 0; k < 3; ++k) b->along[v[k]] += e.area * (lawU * fabs(u[k]) * sumU + lawV * fabs(w[k]) * sumW);
    }
}

static bool BuildFans(Builder* b, wfError* err) {
    const wfModel* model = b->model;
    wfElasticTables* tables = b->tables;
    int n = model->vertexCount;
    bool ok = false;
    wfArena table = {0};
    wfFanEntry* walk = wfArena_New(&b->arena, wfFanEntry, wfMostFanEntries(model), "elements", err);
    if (walk == NULL) return false;
    for (int v = 0; v < n; ++v) b->length[v] = wfWalkFan(model, v, walk);
    int64_t total = wfLaySlices(b->length, n, "elements", b->lane, err);
    if (total < 0) return false;
    for (int s = 0; s < wfSliceCount(n); ++s) b->slices[s].fan = b->lane[s].start, b->slices[s].fanCount = b->lane[s].count;

    int* next = wfArena_New(&table, int, total, "elements", err);
    float* bend = wfArena_New(&table, float, total, "elements", err);
    float* shape = wfArena_New(&table, float, 4 * total, "elements", err);
    if (next == NULL || bend == NULL || shape == NULL) goto done;
    wfSlices_PointToSelf(b->lane, n, next);
    for (int v = 0; v < n; ++v) {
        int count = wfWalkFan(model, v, walk);
        for (int k = 0; k < count; ++k) {
            size_t at = wfSlice_At(b->lane, v, k);
            next[at] = walk[k].next;
            size_t line = 4 * (at - (size_t)(v % WF_WARP)) + (size_t)(v % WF_WARP);
            for (size_t c = 0; c < 4; ++c) shape[line + c * WF_WARP] = walk[k].shape[c];
            if (HasRows(&tables->def) && walk[k].edge >= 0) bend[at] = (float)b->edgeWeight[walk[k].edge];
        }
        tables->fanEntries += count;
    }
    wfUpload(b->device, &tables->next, next, (size_t)total);
    wfUpload(b->device, &tables->bend, bend, (size_t)total);
    wfUpload(b->device, &tables->shape, shape, 4 * (size_t)total);

    for (int c = 0; c < model->clothCount; ++c) {
        wfPlanar law = wfPlanar_Narrow(wfMakePlanar(&model->cloths[c].fabric, tables->def.membrane));
        wfUploadRange(b->device, &tables->laws, (size_t)c, &law, 1);
    }
    BoundElements(b);
    ok = true;
done:
    wfArena_Free(&table);
    return ok;
}

// ---- springs ------------------------------------------------------------------------------------------------------------------

/// The springs of an edge: along it, across it; returns how many.
static int SpringsOf(const Builder* b, int edge, wfSpring* out) {
    int count = 0;
    if (b->tables->def.membrane == wf_membraneSprings) out[count++] = wfSpring_Along(b->model, edge);
    if (b->tables->def.bending == wf_bendingSprings && wfSpring_Across(b->model, edge, &out[count])) count++;
    return count;
}

static bool BuildSprings(Builder* b, wfError* err) {
    wfElasticTables* tables = b->tables;
    int n = b->model->vertexCount, edgeCount = b->model->topology->edgeCount;
    bool ok = false;
    wfArena table = {0};
    wfSpring springs[2];
    memset(b->length, 0, (size_t)n * sizeof *b->length);
    for (int e = 0; e < edgeCount; ++e)
        for (int k = SpringsOf(b, e, springs) - 1; k >= 0; --k)
            for (int s = 0; s < 2; ++s) b->length[springs[k].v[s]]++;
    int64_t total = wfLaySlices(b->length, n, "springs", b->lane, err);
    if (total < 0) return false;
    for (int s = 0; s < wfSliceCount(n); ++s) b->slices[s].spring = b->lane[s].start, b->slices[s].springCount = b->lane[s].count;

    int* other = wfArena_New(&table, int, total, "springs", err);
    float* rest = wfArena_New(&table, float, total, "springs", err);
    float* stiffness = wfArena_New(&table, float, total, "springs", err);
    if (other == NULL || rest == NULL || stiffness == NULL) goto done;
    wfSlices_PointToSelf(b->lane, n, other);
    memset(b->length, 0, (size_t)n * sizeof *b->length); // from now on: how many are placed
    for (int e = 0; e < edgeCount; ++e) {
        int count = SpringsOf(b, e, springs);
        for (int k = 0; k < count; ++k)
            for (int s = 0; s < 2; ++s) {
                int v = springs[k].v[s];
                size_t at = wfSlice_At(b->lane, v, b->length[v]++);
                other[at] = springs[k].v[1 - s];
                rest[at] = springs[k].rest;
                stiffness[at] = springs[k].stiffness;
                b->bound[v] += 2.0 * springs[k].stiffness;
            }
        tables->springEntries += 2 * count;
    }
    wfUpload(b->device, &tables->other, other, (size_t)total);
    wfUpload(b->device, &tables->rest, rest, (size_t)total);
    wfUpload(b->device, &tables->stiffness, stiffness, (size_t)total);
    ok = true;
done:
    wfArena_Free(&table);
    return ok;
}

// ---- quadratic bending --------------------------------------------------------------------------------------------------------

static int EdgeBetween(const wfTopology* topology, int triangle, int v, int w) {
    for (int k = 0; k < 3; ++k) {
        const wfEdge* e = &topology->edges[topology->triangleEdges[triangle][k]];
        if ((e->v[0] == v && e->v[1] == w) || (e->v[0] == w && e->v[1] == v)) return topology->triangleEdges[triangle][k];
    }
    return -1; // not reached: both are corners of the triangle
}

static bool FindRigidities(Builder* b, wfError* err) {
    b->rigidities = wfArena_New(&b->arena, wfRigidity, b->model->clothCount, "bending", err);
    if (b->rigidities == NULL) return false;
    wfFindRigidities(b->model, b->rigidities);
    return true;
}

static wfBendD BendOf(const Builder* b, const wfHinge* hinge) {
    return wfMakeBend(hinge, wfRigidity_Across(&b->rigidities[b->model->clothOf[hinge->v[0]]], hinge->warp));
}

/// Both hinge models have the same second derivative where they are flat.
static void BoundHinge(Builder* b, const wfHinge* hinge, const wfBendD* bend) {
    double sum = 0.0;
    for (int i = 0; i < 4; ++i) sum += fabs(bend->k[i]);
    for (int i = 0; i < 4; ++i) b->bound[hinge->v[i]] += bend->stiffness * fabs(bend->k[i]) * sum;
}

/// Of the six pairs of a hinge's points five are edges of the mesh, so that all weights are numbers of edges.
static bool WeighBending(Builder* b, wfError* err) {
    const wfTopology* topology = b->model->topology;
    WF_TRY(FindRigidities(b, err));
    b->edgeWeight = wfArena_New(&b->arena, double, topology->edgeCount, "bending", err);
    b->acrossWeight = wfArena_New(&b->arena, double, topology->edgeCount, "bending", err);
    if (b->edgeWeight == NULL || b->acrossWeight == NULL) return false;
    for (int e = 0; e < topology->edgeCount; ++e) {
        wfHinge hinge;
        if (!wfMakeHinge(b->model, e, &hinge)) continue;
        wfBendD bend = BendOf(b, &hinge);
        const int* triangle = topology->edges[e].triangle;
        b->edgeWeight[e] += bend.stiffness * bend.k[0] * bend.k[1];
        b->acrossWeight[e] = bend.stiffness * bend.k[2] * bend.k[3];
        for (int side = 2; side < 4; ++side)
            for (int end = 0; end < 2; ++end) {
                int t = topology->edges[e].opposite[0] == hinge.v[side] ? triangle[0] : triangle[1];
                b->edgeWeight[EdgeBetween(topology, t, hinge.v[end], hinge.v[side])] += bend.stiffness * bend.k[end] * bend.k[side];
            }
        BoundHinge(b, &hinge, &bend);
    }
    return true;
}

/// Rows hold the pairs across an edge; those along one too where no fan carries them.
static bool BuildRows(Builder* b, wfError* err) {
    const wfTopology* topology = b->model->topology;
    wfElasticTables* tables = b->tables;
    int n = b->model->vertexCount;
    bool along = !HasElements(&tables->def), ok = false;
    wfArena table = {0};
    memset(b->length, 0, (size_t)n * sizeof *b->length);
    for (int e = 0; e < topology->edgeCount; ++e)
        for (int s = 0; s < 2; ++s) {
            if (along) b->length[topology->edges[e].v[s]]++;
            if (topology->edges[e].triangle[1] >= 0) b->length[topology->edges[e].opposite[s]]++;
        }
    int64_t total = wfLaySlices(b->length, n, "bending", b->lane, err);
    if (total < 0) return false;
    for (int s = 0; s < wfSliceCount(n); ++s) b->slices[s].row = b->lane[s].start, b->slices[s].rowCount = b->lane[s].count;

    int* column = wfArena_New(&table, int, total, "bending", err);
    float* weight = wfArena_New(&table, float, total, "bending", err);
    if (column == NULL || weight == NULL) goto done;
    wfSlices_PointToSelf(b->lane, n, column);
    memset(b->length, 0, (size_t)n * sizeof *b->length);
    for (int e = 0; e < topology->edgeCount; ++e)
        for (int s = 0; s < 2; ++s) {
            const wfEdge* edge = &topology->edges[e];
            if (along) {
                size_t at = wfSlice_At(b->lane, edge->v[s], b->length[edge->v[s]]++);
                column[at] = edge->v[1 - s];
                weight[at] = (float)b->edgeWeight[e];
                tables->rowEntries++;
            }
            if (edge->triangle[1] < 0) continue;
            size_t at = wfSlice_At(b->lane, edge->opposite[s], b->length[edge->opposite[s]]++);
            column[at] = edge->opposite[1 - s];
            weight[at] = (float)b->acrossWeight[e];
            tables->rowEntries++;
        }
    wfUpload(b->device, &tables->column, column, (size_t)total);
    wfUpload(b->device, &tables->weight, weight, (size_t)total);
    ok = true;
done:
    wfArena_Free(&table);
    return ok;
}

// ---- terms --------------------------------------------------------------------------------------------------------------------

static bool BuildHinges(Builder* b, int* slotVertex, wfError* err) {
    const wfTopology* topology = b->model->topology;
    wfElasticTables* tables = b->tables;
    wfArena table = {0};
    WF_TRY(FindRigidities(b, err));
    wfHingeTerm* terms = wfArena_New(&table, wfHingeTerm, tables->hingeCount, "hinges", err);
    if (terms == NULL) return false;
    int count = 0;
    for (int e = 0; e < topology->edgeCount; ++e) {
        wfHinge hinge;
        if (!wfMakeHinge(b->model, e, &hinge)) continue;
        wfBendD bend = BendOf(b, &hinge);
        double angle = 0.0;
        if (tables->def.restAngles) {
            wfVec3D x[4];
            for (int k = 0; k < 4; ++k) x[k] = wfWiden(b->model->start[hinge.v[k]]);
            angle = wfDihedral_AngleD(x);
        }
        bool dihedral = tables->def.bending == wf_bendingDihedral;
        wfHingeTerm* term = &terms[count];
        memcpy(term->v, hinge.v, sizeof term->v);
        term->bend = wfBend_Narrow(bend);
        term->stiffness = (float)(bend.stiffness * hinge.length * hinge.length);
        term->rest = (float)(dihedral ? angle : wfBendRestLength(&hinge, angle));
        for (int k = 0; k < 4; ++k) slotVertex[4 * count + k] = hinge.v[k];
        BoundHinge(b, &hinge, &bend);
        count++;
    }
    wfUpload(b->device, &tables->hinges, terms, (size_t)count);
    if (tables->def.bending == wf_bendingQuadratic) wfReserve(b->device, &tables->restVectors, (size_t)count);
    wfArena_Free(&table);
    return true;
}

static double LargestRowSum(const wfMat3D* m) {
    double most = 0.0;
    for (int i = 0; i < 3; ++i) most = fmax(most, fabs(m->m[i][0]) + fabs(m->m[i][1]) + fabs(m->m[i][2]));
    return most;
}

static void BoundStar(Builder* b, const wfMeshless* meshless, int v) {
    int start = meshless->rows.start[v], count = meshless->rows.start[v + 1] - start;
    const int* item = meshless->rows.item + start;
    wfVec3D x = wfWiden(b->model->start[v]), xs[wf_mostNeighbours];
    for (int k = 0; k < count; ++k) xs[k] = wfWiden(b->model->start[item[k]]);
    const wfNeighbourD* n = meshless->neighbours + start;
    wfMeshlessFrameD frame = wfMeshless_FrameD(n, count, x, xs);
    for (int i = -1; i < count; ++i)
        for (int j = -1; j < count; ++j) {
            wfMat3D block = wfMeshless_BlockD(meshless->stiffness[v], n, count, &frame, i, j);
            b->bound[i < 0 ? v : item[i]] += LargestRowSum(&block);
        }
}

static bool BuildStars(Builder* b, const wfMeshless* meshless, int* slotVertex, wfError* err) {
    wfElasticTables* tables = b->tables;
    int n = b->model->vertexCount, items = meshless->rows.start[n];
    wfArena table = {0};
    wfNeighbour* neighbours = wfArena_New(&table, wfNeighbour, items, "stars", err);
    float* stiffness = wfArena_New(&table, float, n, "stars", err);
    if (neighbours == NULL || stiffness == NULL) {
        wfArena_Free(&table);
        return false;
    }
    for (int v = 0; v < n; ++v) {
        stiffness[v] = (float)meshless->stiffness[v];
        *slotVertex++ = v;
        for (int k = meshless->rows.start[v]; k < meshless->rows.start[v + 1]; ++k) {
            wfNeighbourD d = meshless->neighbours[k];
            neighbours[k] = (wfNeighbour){(float)d.u, (float)d.v, (float)d.qu, (float)d.qv};
            *slotVertex++ = meshless->rows.item[k];
        }
        BoundStar(b, meshless, v);
    }
    wfUpload(b->device, &tables->starStart, meshless->rows.start, (size_t)n + 1);
    wfUpload(b->device, &tables->starItem, meshless->rows.item, (size_t)items);
    wfUpload(b->device, &tables->neighbours, neighbours, (size_t)items);
    wfUpload(b->device, &tables->starStiffness, stiffness, (size_t)n);
    tables->starCount = n;
    wfArena_Free(&table);
    return true;
}

/// By Cauchy–Schwarz as above, with weights whose amounts sum to 2.
static bool BuildStitches(Builder* b, int* slotVertex, wfError* err) {
    const wfModel* model = b->model;
    wfElasticTables* tables = b->tables;
    for (int s = 0; s < model->stitchCount; ++s) {
        const wfStitch* stitch = &model->stitches[s];
        for (int k = 0; k < 3; ++k) {
            slotVertex[3 * s + k] = stitch->v[k];
            b->bound[stitch->v[k]] += 2.0 * stitch->stiffness * fabs(wfStitch_WeightD(stitch->share, k));
        }
    }
    wfUpload(b->device, &tables->stitches, model->stitches, (size_t)model->stitchCount);
    wfUpload(b->device, &tables->seams, model->seams, (size_t)model->seamCount);
    wfReserve(b->device, &tables->time, 1);
    wfElasticTables_SetTime(tables, b->device, -INFINITY);
    return wfDevice_Sync(b->device, err);
}

/// Which slots each vertex adds up, in increasing order.
static bool BuildSlots(Builder* b, const int* slotVertex, wfError* err) {
    wfElasticTables* tables = b->tables;
    int n = b->model->vertexCount;
    wfArena table = {0};
    int* start = wfArena_New(&table, int, n + 1, "slots", err);
    int* item = wfArena_New(&table, int, tables->slotCount, "slots", err);
    if (start == NULL || item == NULL) {
        wfArena_Free(&table);
        return false;
    }
    for (int s = 0; s < tables->slotCount; ++s) start[slotVertex[s]]++;
    int total = 0;
    for (int v = 0; v <= n; ++v) { // to where each row ends, counted down as it fills
        if (v < n) total += start[v];
        start[v] = total;
    }
    for (int s = tables->slotCount - 1; s >= 0; --s) item[--start[slotVertex[s]]] = s;
    wfUpload(b->device, &tables->slotStart, start, (size_t)n + 1);
    wfUpload(b->device, &tables->slotItem, item, (size_t)tables->slotCount);
    wfReserve(b->device, &tables->slots, (size_t)tables->slotCount);
    wfReserve(b->device, &tables->extra, (size_t)n);
    wfArena_Free(&table);
    return true;
}

static bool BuildTerms(Builder* b, wfError* err) {
    wfElasticTables* tables = b->tables;
    wfMeshless meshless = {0};
    int64_t slots = 0;
    if (HasHingeTerms(&tables->def)) {
        for (int e = 0; e < b->model->topology->edgeCount; ++e) tables->hingeCount += b->model->topology->edges[e].triangle[1] >= 0;
        slots = 4 * (int64_t)tables->hingeCount;
    }
    if (tables->def.bending == wf_bendingMeshless) {
        WF_TRY(wfMeshless_Create(&meshless, b->model, wf_meshlessRadius, err));
        slots = (int64_t)meshless.rows.start[b->model->vertexCount] + b->model->vertexCount;
    }
    tables->stitchCount = b->model->stitchCount;
    int64_t bendingSlots = slots;
    slots += 3 * (int64_t)tables->stitchCount;
    bool ok = slots <= INT32_MAX;
    if (!ok) wfFail(err, wf_badInput, "elastic: more than 2^31 bending terms; the cloth is too large for one device");
    tables->slotCount = (int)slots;
    if (ok && slots > 0) {
        int* slotVertex = wfArena_New(&b->arena, int, slots, "slots", err);
        ok = slotVertex != NULL && (tables->hingeCount == 0 || BuildHinges(b, slotVertex, err)) &&
             (tables->def.bending != wf_bendingMeshless || BuildStars(b, &meshless, slotVertex, err)) &&
             (tables->stitchCount == 0 || BuildStitches(b, slotVertex + bendingSlots, err)) && BuildSlots(b, slotVertex, err);
    }
    wfMeshless_Free(&meshless);
    return ok;
}

// ---- all of it ----------------------------------------------------------------------------------------------------------------

static void MakeBuffers(wfElasticTables* tables) {
    tables->slices = wfMakeBuffer(sizeof(wfElasticSlice), "elastic.slices");
    tables->next = wfMakeBuffer(sizeof(int), "elastic.next");
    tables->bend = wfMakeBuffer(sizeof(float), "elastic.bend");
    tables->shape = wfMakeBuffer(sizeof(float), "elastic.shape");
    tables->other = wfMakeBuffer(sizeof(int), "elastic.other");
    tables->rest = wfMakeBuffer(sizeof(float), "elastic.rest");
    tables->stiffness = wfMakeBuffer(sizeof(float), "elastic.stiffness");
    tables->column = wfMakeBuffer(sizeof(int), "elastic.column");
    tables->weight = wfMakeBuffer(sizeof(float), "elastic.weight");
    tables->laws = wfMakeBuffer(sizeof(wfPlanar), "elastic.laws");
    tables->clothOf = wfMakeBuffer(sizeof(int), "elastic.clothOf");
    tables->bound = wfMakeBuffer(sizeof(float), "elastic.bound");
    tables->across = wfMakeBuffer(sizeof(float), "elastic.across");
    tables->edges = wfMakeBuffer(sizeof(wfRestEdge), "elastic.edges");
    tables->hinges = wfMakeBuffer(sizeof(wfHingeTerm), "elastic.hinges");
    tables->restVectors = wfMakeBuffer(sizeof(wfVec4), "elastic.restVectors");
    tables->starStart = wfMakeBuffer(sizeof(int), "elastic.starStart");
    tables->starItem = wfMakeBuffer(sizeof(int), "elastic.starItem");
    tables->neighbours = wfMakeBuffer(sizeof(wfNeighbour), "elastic.neighbours");
    tables->starStiffness = wfMakeBuffer(sizeof(float), "elastic.starStiffness");
    tables->stitches = wfMakeBuffer(sizeof(wfStitch), "elastic.stitches");
    tables->seams = wfMakeBuffer(sizeof(wfSeamTiming), "elastic.seams");
    tables->time = wfMakeBuffer(sizeof(double), "elastic.time");
    tables->slots = wfMakeBuffer(sizeof(wfVec4), "elastic.slots");
    tables->slotStart = wfMakeBuffer(sizeof(int), "elastic.slotStart");
    tables->slotItem = wfMakeBuffer(sizeof(int), "elastic.slotItem");
    tables->extra = wfMakeBuffer(sizeof(wfVec4), "elastic.extra");
}

static bool UploadEdges(Builder* b, wfError* err) {
    const wfTopology* topology = b->model->topology;
    wfArena table = {0};
    wfRestEdge* edges = wfArena_New(&table, wfRestEdge, topology->edgeCount, "edges", err);
    if (edges == NULL) return false;
    for (int e = 0; e < topology->edgeCount; ++e) {
        wfSpring spring = wfSpring_Along(b->model, e);
        edges[e] = (wfRestEdge){{spring.v[0], spring.v[1]}, spring.rest};
    }
    b->tables->edgeCount = topology->edgeCount;
    wfUpload(b->device, &b->tables->edges, edges, (size_t)topology->edgeCount);
    wfArena_Free(&table);
    return true;
}

static bool UploadBound(Builder* b, wfError* err) {
    int n = b->model->vertexCount, padded = wfSliceCount(n) * WF_WARP;
    wfArena table = {0};
    float *bound = wfArena_New(&table, float, padded, "elastic", err), *across = wfArena_New(&table, float, padded, "elastic", err);
    if (bound == NULL || across == NULL) {
        wfArena_Free(&table);
        return false;
    }
    for (int v = 0; v < n; ++v) {
        bound[v] = (float)(b->bound[v] + b->along[v]);
        across[v] = (float)b->bound[v];
        if (b->model->mass[v] > 0.0f) b->tables->stiffestRatio = fmaxf(b->tables->stiffestRatio, bound[v] / b->model->mass[v]);
    }
    for (int v = n; v < padded; ++v) bound[v] = across[v] = 1.0f;
    wfUpload(b->device, &b->tables->bound, bound, (size_t)padded);
    wfUpload(b->device, &b->tables->across, across, (size_t)padded);
    wfArena_Free(&table);
    return true;
}

bool wfElasticTables_Create(wfElasticTables* tables, wfDevice* device, const wfModel* model, const wfElasticDef* def, wfError* err) {
    int n = model->vertexCount;
    Builder b = {.tables = tables, .device = device, .model = model};
    *tables = (wfElasticTables){.def = *def, .vertexCount = n};
    MakeBuffers(tables);
    b.lane = wfArena_New(&b.arena, wfSlice, wfSliceCount(n), "elastic", err);
    b.length = wfArena_New(&b.arena, int, n, "elastic", err);
    b.slices = wfArena_New(&b.arena, wfElasticSlice, wfSliceCount(n), "elastic", err);
    b.bound = wfArena_New(&b.arena, double, n, "elastic", err);
    b.along = wfArena_New(&b.arena, double, n, "elastic", err);
    wfReserve(device, &tables->laws, (size_t)model->clothCount);
    bool ok = b.lane != NULL && b.length != NULL && b.slices != NULL && b.bound != NULL && b.along != NULL && BuildSprings(&b, err) &&
              (!HasRows(def) || (WeighBending(&b, err) && BuildRows(&b, err))) && (!HasElements(def) || BuildFans(&b, err)) &&
              BuildTerms(&b, err) && UploadEdges(&b, err) && UploadBound(&b, err);
    if (ok) {
        wfUpload(device, &tables->slices, b.slices, (size_t)wfSliceCount(n));
        wfUpload(device, &tables->clothOf, model->clothOf, (size_t)n);
        ok = wfDevice_Sync(device, err);
    }
    wfArena_Free(&b.arena);
    if (!ok) wfElasticTables_Free(tables, device);
    return ok;
}

void wfElasticTables_Free(wfElasticTables* tables, wfDevice* device) {
    wfBuffer* buffers[] = {&tables->slices,    &tables->next,      &tables->bend,       &tables->shape,         &tables->other,
                           &tables->rest,      &tables->stiffness, &tables->column,     &tables->weight,        &tables->laws,
                           &tables->clothOf,   &tables->bound,     &tables->edges,      &tables->hinges,        &tables->restVectors,
                           &tables->starStart, &tables->starItem,  &tables->neighbours, &tables->starStiffness, &tables->slots,
                           &tables->slotStart, &tables->slotItem,  &tables->extra,      &tables->stitches,      &tables->seams,
                           &tables->time,      &tables->across};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(device, buffers[k]);
}

wfElasticView wfElasticTables_View(const wfElasticTables* tables) {
    return (wfElasticView){
        .slices = wfData(&tables->slices, wfElasticSlice),
        .next = wfData(&tables->next, int),
        .bend = wfData(&tables->bend, float),
        .shape = wfData(&tables->shape, float),
        .other = wfData(&tables->other, int),
        .rest = wfData(&tables->rest, float),
        .stiffness = wfData(&tables->stiffness, float),
        .column = wfData(&tables->column, int),
        .weight = wfData(&tables->weight, float),
        .laws = wfData(&tables->laws, wfPlanar),
        .clothOf = wfData(&tables->clothOf, int),
        .extra = tables->slotCount > 0 ? wfData(&tables->extra, wfVec4) : NULL,
    };
}

wfSewnView wfElasticTables_Sewn(const wfElasticTables* tables) {
    if (tables->stitchCount == 0 || tables->slotCount > 3 * tables->stitchCount) return (wfSewnView){0};
    return (wfSewnView){
        .start = wfData(&tables->slotStart, int),
        .item = wfData(&tables->slotItem, int),
        .stitches = wfData(&tables->stitches, wfStitch),
        .seams = wfData(&tables->seams, wfSeamTiming),
        .time = wfData(&tables->time, double),
    };
}

void wfElasticTables_Hold(const wfElasticTables* tables, wfDevice* device, const wfVec4* x) {
    if (tables->restVectors.count == 0) return;
    HoldHingesArgs args = {wfData(&tables->hinges, wfHingeTerm), x, wfData(&tables->restVectors, wfVec4)};
    wfLaunch(device, HoldHinges, tables->hingeCount, &args);
}

void wfElasticTables_SetTime(wfElasticTables* tables, wfDevice* device, double time) {
    if (tables->stitchCount > 0) wfUploadRange(device, &tables->time, 0, &time, 1);
}

void wfElasticTables_Terms(const wfElasticTables* tables, wfDevice* device, const wfVec4* x) {
    if (tables->slotCount == 0) return;
    wfVec4* slots = wfData(&tables->slots, wfVec4);
    if (tables->hingeCount > 0) {
        const wfVec4* rest = tables->restVectors.count > 0 ? wfData(&tables->restVectors, wfVec4) : NULL;
        HingeTermsArgs args = {wfData(&tables->hinges, wfHingeTerm), rest, x, slots};
        wfLaunch(device, HingeTerms, tables->hingeCount, &args);
    }
    if (tables->starCount > 0) {
        StarTermsArgs args = {
            .start = wfData(&tables->starStart, int),
            .item = wfData(&tables->starItem, int),
            .neighbours = wfData(&tables->neighbours, wfNeighbour),
            .stiffness = wfData(&tables->starStiffness, float),
            .x = x,
            .slots = slots,
        };
        wfLaunch(device, StarTerms, tables->starCount, &args);
    }
    if (tables->stitchCount > 0) {
        StitchTermsArgs args = {
            .stitches = wfData(&tables->stitches, wfStitch),
            .seams = wfData(&tables->seams, wfSeamTiming),
            .time = wfData(&tables->time, double),
            .x = x,
            .slots = slots + tables->slotCount - 3 * tables->stitchCount,
        };
        wfLaunch(device, StitchTerms, tables->stitchCount, &args);
    }
    GatherSlotsArgs args = {wfData(&tables->slotStart, int), wfData(&tables->slotItem, int), slots, wfData(&tables->extra, wfVec4)};
    wfLaunch(device, GatherSlots, tables->vertexCount, &args);
}

void wfElasticTables_Gradient(const wfElasticTables* tables, wfDevice* device, const wfVec4* x, wfVec4* out) {
    wfElasticTables_Terms(tables, device, x);
    GradientArgs args = {wfElasticTables_View(tables), x, out, tables->vertexCount};
    int tiles = wfTileCount(tables->vertexCount);
    switch (tables->def.membrane) {
    case wf_membraneStVK:
        wfLaunch(device, GradientStVK, tiles, &args);
        break;
    case wf_membraneCorotational:
        wfLaunch(device, GradientCorotational, tiles, &args);
        break;
    case wf_membraneFabric:
        wfLaunch(device, GradientFabric, tiles, &args);
        break;
    case wf_membraneSprings:
        wfLaunch(device, GradientSprings, tiles, &args);
        break;
    }
}

double wfElasticTables_Bytes(const wfElasticTables* tables) {
    double fan = sizeof(int) + sizeof(float) + sizeof(wfVec4), spring = sizeof(int) + 2 * sizeof(float), row = sizeof(int) + sizeof(float);
    double hinge = sizeof(wfHingeTerm) + 4 * (2 * sizeof(wfVec4) + sizeof(int));
    double star = sizeof(wfNeighbour) + 2 * sizeof(wfVec4) + 2 * sizeof(int);
    double stitch = sizeof(wfStitch) + 3 * (2 * sizeof(wfVec4) + sizeof(int));
    double stars = tables->starCount > 0 ? (double)tables->slotCount - 3.0 * tables->stitchCount - tables->starCount : 0.0;
    return fan * (double)tables->fanEntries + spring * (double)tables->springEntries + row * (double)tables->rowEntries +
           hinge * tables->hingeCount + star * stars + stitch * tables->stitchCount;
}
