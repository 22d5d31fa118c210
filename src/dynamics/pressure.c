// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "dynamics/pressure.h"

#include "compute/primitives.h"
#include "dynamics/pressure_kernels.h"
#include "math/vec_double.h"

struct wfGasRange {
    int cloth, first, count;
};

wfPressure wfMakePressure(void) {
    return (wfPressure){
        .of = wfMakeBuffer(sizeof(wfInflated), "pressure.of"),
        .clothOf = wfMakeBuffer(sizeof(int), "pressure.clothOf"),
        .firstOf = wfMakeBuffer(sizeof(int), "pressure.firstOf"),
        .area = wfMakeBuffer(sizeof(wfVec4), "pressure.area"),
        .sums = wfMakeBuffer(sizeof(wfGasSums), "pressure.sums"),
        .parts = wfMakeBuffer(sizeof(float), "pressure.parts"),
        .areaParts = wfMakeBuffer(sizeof(float), "pressure.areaParts"),
        .folded = wfMakeBuffer(sizeof(wfVec4), "pressure.folded"),
        .scratch = wfMakeBuffer(1, "pressure.scratch"),
    };
}

void wfPressure_Free(wfPressure* pressure, wfDevice* device) {
    wfBuffer* buffers[] = {&pressure->of,    &pressure->clothOf,   &pressure->firstOf, &pressure->area,   &pressure->sums,
                           &pressure->parts, &pressure->areaParts, &pressure->folded,  &pressure->scratch};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) wfFreeBuffer(device, buffers[k]);
    wfArena_Free(&pressure->arena);
    pressure->inflatedCount = 0;
}

static wfVec3D StartOf(const wfModel* model, int v) { return wfWiden(model->start[v]); }

static bool RequireClosed(const wfModel* model, int c, wfError* err) {
    const wfClothRange* cloth = &model->cloths[c];
    const wfTopology* topology = model->topology;
    for (int e = 0; e < topology->edgeCount; ++e) {
        const wfEdge* edge = &topology->edges[e];
        if (model->clothOf[edge->v[0]] != c || edge->triangle[1] >= 0) continue;
        return wfFail(err, wf_badInput, "cloth \"%s\": inflation gas: expected a closed mesh, but edge %d-%d is on a boundary", cloth->name,
                      edge->v[0] - cloth->firstVertex, edge->v[1] - cloth->firstVertex);
    }
    return true;
}

/// Volume at the start, and the sum of the triangles' areas.
static double StartVolume(const wfModel* model, const wfClothRange* cloth, double* area) {
    wfVec3D origin = StartOf(model, cloth->firstVertex);
    double sum = 0.0;
    *area = 0.0;
    for (int t = cloth->firstTriangle; t < cloth->firstTriangle + cloth->triangleCount; ++t) {
        const int* v = model->triangles[t].v;
        wfVec3D a = wfSubD(StartOf(model, v[0]), origin), b = wfSubD(StartOf(model, v[1]), origin),
                c = wfSubD(StartOf(model, v[2]), origin);
        sum += wfDotD(a, wfCrossD(b, c)) / 6.0;
        *area += 0.5 * wfLengthD(wfCrossD(wfSubD(b, a), wfSubD(c, a)));
    }
    return sum;
}

/// Fills in the gas of a cloth; its stiffness at the start [N/m³] goes to *stiffness.
static bool FillGas(const wfModel* model, int c, wfInflated* of, double* stiffness, wfError* err) {
    const wfClothRange* cloth = &model->cloths[c];
    WF_TRY(RequireClosed(model, c, err));
    double area, volume = StartVolume(model, cloth, &area);
    double absolute = (double)wf_ambientPressure + cloth->pressure; // positive: the least pressure a scene may say is less than a vacuum
    if (!(volume > 0.0)) {
        return wfFail(err, wf_badInput, "cloth \"%s\": inflation gas: expected triangles that face outwards, but they enclose %g m^3",
                      cloth->name, volume);
    }
    of->amount = (float)(absolute * volume);
    of->leastVolume = (float)(1e-3 * volume);
    *stiffness = absolute / volume * area;
    return true;
}

/// Largest rows of stiffness over mass: of a gas that has `stiffness` [N/m³], and of how forces turn with the triangles about them.
static void BoundRows(wfPressure* pressure, const wfModel* model, int c, double stiffness) {
    const wfClothRange* cloth = &model->cloths[c];
    const wfRows* rows = &model->topology->vertexTriangles;
    for (int v = cloth->firstVertex; v < cloth->firstVertex + cloth->vertexCount; ++v) {
        double area = 0.0, around = 0.0;
        for (int k = rows->start[v]; k < rows->start[v + 1]; ++k) {
            const int* t = model->triangles[rows->item[k]].v;
            int own = t[0] == v ? 0 : t[1] == v ? 1 : 2;
            wfVec3D p = wfSubD(StartOf(model, t[(own + 1) % 3]), StartOf(model, v));
            wfVec3D q = wfSubD(StartOf(model, t[(own + 2) % 3]), StartOf(model, v));
            area += wfLengthD(wfCrossD(p, q)) / 6.0;
            around += wfLengthD(wfSubD(p, q));
        }
        pressure->gasRatio = fmaxf(pressure->gasRatio, (float)(2.0 * stiffness * area / model->mass[v]));
        pressure->turnRatio = fmaxf(pressure->turnRatio, (float)(fabs(cloth->pressure) * around / 3.0 / model->mass[v]));
    }
}

bool wfPressure_Create(wfPressure* pressure, wfDevice* device, const wfModel* model, wfError* err) {
    pressure->vertexCount = model->vertexCount;
    pressure->gas = wfArena_New(&pressure->arena, struct wfGasRange, model->clothCount, "pressure", err);
    wfInflated* of = wfArena_New(&pressure->arena, wfInflated, model->clothCount, "pressure", err);
    int* firstOf = wfArena_New(&pressure->arena, int, model->clothCount, "pressure", err);
    if (pressure->gas == NULL || of == NULL || firstOf == NULL) return false;
    int most = 0;
    for (int c = 0; c < model->clothCount; ++c) {
        const wfClothRange* cloth = &model->cloths[c];
        bool gas = cloth->inflation == wf_inflationGas;
        double stiffness = 0.0;
        firstOf[c] = cloth->firstVertex;
        of[c].pressure = cloth->pressure;
        if (cloth->pressure == 0.0f && !gas) continue;
        pressure->inflatedCount++;
        if (gas) {
            WF_TRY(FillGas(model, c, &of[c], &stiffness, err));
            pressure->gas[pressure->gasCount++] = (struct wfGasRange){c, cloth->firstVertex, cloth->vertexCount};
            if (cloth->vertexCount > most) most = cloth->vertexCount;
        }
        BoundRows(pressure, model, c, stiffness);
    }
    if (pressure->inflatedCount == 0) return true;
    size_t n = (size_t)model->vertexCount;
    wfUpload(device, &pressure->of, of, (size_t)model->clothCount);
    wfUpload(device, &pressure->firstOf, firstOf, (size_t)model->clothCount);
    wfUpload(device, &pressure->clothOf, model->clothOf, n);
    wfReserve(device, &pressure->area, n);
    wfReserve(device, &pressure->parts, n);
    wfReserve(device, &pressure->areaParts, n);
    wfReserve(device, &pressure->sums, (size_t)model->clothCount);
    if (pressure->gasCount > 0) wfReserve(device, &pressure->folded, n);
    wfZero(device, &pressure->sums);
    wfZero(device, &pressure->parts);
    // Once before any graph is recorded, so that the scratch has its size.
    if (most > 0) wfSum(device, wfData(&pressure->parts, float), &wfData(&pressure->sums, wfGasSums)->gain, most, &pressure->scratch);
    return wfDevice_Sync(device, err);
}

wfPressureView wfPressure_View(const wfPressure* pressure) {
    if (pressure->inflatedCount == 0) return (wfPressureView){0};
    return (wfPressureView){
        .area = wfData(&pressure->area, wfVec4),
        .clothOf = wfData(&pressure->clothOf, int),
        .of = wfData(&pressure->of, wfInflated),
        .sums = wfData(&pressure->sums, wfGasSums),
    };
}

void wfPressure_Measure(wfPressure* pressure, wfDevice* device, const wfFans* fans, const wfVec4* x) {
    if (pressure->inflatedCount == 0) return;
    PressureAreaArgs args = {
        .fans = wfFans_View(fans),
        .x = x,
        .clothOf = wfData(&pressure->clothOf, int),
        .firstOf = wfData(&pressure->firstOf, int),
        .area = wfData(&pressure->area, wfVec4),
        .volume = wfData(&pressure->parts, float),
        .size = wfData(&pressure->areaParts, float),
    };
    wfLaunch(device, PressureArea, pressure->vertexCount, &args);
    wfGasSums* sums = wfData(&pressure->sums, wfGasSums);
    for (int g = 0; g < pressure->gasCount; ++g) {
        const struct wfGasRange* gas = &pressure->gas[g];
        wfSum(device, args.volume + gas->first, &sums[gas->cloth].volume, gas->count, &pressure->scratch);
        wfSum(device, args.size + gas->first, &sums[gas->cloth].area, gas->count, &pressure->scratch);
    }
}

static void MeasureGain(wfPressure* pressure, wfDevice* device, const wfVec4* from, const wfVec4* x) {
    PressureGainArgs args = {wfData(&pressure->area, wfVec4), from, x, wfData(&pressure->parts, float)};
    wfLaunch(device, PressureGain, pressure->vertexCount, &args);
    wfGasSums* sums = wfData(&pressure->sums, wfGasSums);
    for (int g = 0; g < pressure->gasCount; ++g) {
        const struct wfGasRange* gas = &pressure->gas[g];
        wfSum(device, args.out + gas->first, &sums[gas->cloth].gain, gas->count, &pressure->scratch);
    }
}

const wfVec4* wfPressure_Fold(wfPressure* pressure, wfDevice* device, const wfVec4* from, const wfVec4* x, const wfVec4* target) {
    if (pressure->gasCount == 0) return target;
    MeasureGain(pressure, device, from, x);
    PressureFoldArgs args = {wfPressure_View(pressure), x, target, wfData(&pressure->folded, wfVec4)};
    wfLaunch(device, PressureFold, pressure->vertexCount, &args);
    return args.out;
}

void wfPressure_AddEnergy(wfPressure* pressure, wfDevice* device, const wfVec4* from, const wfVec4* x, float* energy) {
    if (pressure->gasCount == 0) return;
    MeasureGain(pressure, device, from, x);
    PressureEnergyArgs args = {wfPressure_View(pressure), (int)pressure->of.count, energy};
    wfLaunch(device, PressureEnergy, 1, &args);
}
