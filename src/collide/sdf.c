// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/sdf.h"

#include "base/assert.h"
#include "collide/sdf_kernels.h"
#include "compute/kernel.h"
#include "compute/primitives.h"

#include <string.h>

// Cells of the lattice, and bricks: both are counted in an int with 512 values each.
enum { MostCells = 1 << 26, MostBricks = 1 << 22 };

void wfSdf_Create(wfSdf* sdf, wfDevice* device, float cell, float band) {
    WF_ASSERT(cell > 0.0f && band >= cell);
    *sdf = (wfSdf){.device = device, .cell = cell, .band = band, .name = "signed distance field"};
    sdf->leafCount = wfMakeBuffer(sizeof(int), "sdf.leafCount");
    sdf->found = wfMakeBuffer(sizeof(int), "sdf.found");
    sdf->leafStart = wfMakeBuffer(sizeof(int), "sdf.leafStart");
    sdf->brickOf = wfMakeBuffer(sizeof(int), "sdf.brickOf");
    sdf->cellOf = wfMakeBuffer(sizeof(int), "sdf.cellOf");
    sdf->asked = wfMakeBuffer(sizeof(int), "sdf.asked");
    sdf->askedOf = wfMakeBuffer(sizeof(int), "sdf.askedOf");
    sdf->leaves = wfMakeBuffer(sizeof(int), "sdf.leaves");
    sdf->bricks = wfMakeBuffer(sizeof(float), "sdf.bricks");
    sdf->corners = wfMakeBuffer(sizeof(float), "sdf.corners");
    sdf->numbers = wfMakeBuffer(sizeof(int), "sdf.numbers");
    sdf->span = wfMakeBuffer(sizeof(unsigned), "sdf.span");
    sdf->status = wfMakeBuffer(sizeof(wfFaultSlot), "sdf.status");
    sdf->scratch = wfMakeBuffer(1, "sdf.scratch");
}

void wfSdf_Free(wfSdf* sdf) {
    wfBuffer* buffers[] = {&sdf->leafCount, &sdf->found,  &sdf->leafStart, &sdf->brickOf, &sdf->cellOf, &sdf->asked,  &sdf->askedOf,
                           &sdf->leaves,    &sdf->bricks, &sdf->corners,   &sdf->numbers, &sdf->span,   &sdf->status, &sdf->scratch};
    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; ++k) wfFreeBuffer(sdf->device, buffers[k]);
    *sdf = (wfSdf){0};
}

/// A body that moves needs a little more now and then: leave room, so that a warm build allocates nothing.
static void ReserveWithRoom(wfDevice* device, wfBuffer* buffer, size_t count) {
    if (count > buffer->capacity) wfReserveExactly(device, buffer, count + count / 8);
    wfReserve(device, buffer, count);
}

/// The lattice about the surface; its planes stay where they are while the body moves, so that values do not shimmer.
static bool PlaceLattice(wfSdf* sdf, const wfSurface* surface, wfError* err) {
    wfVec3 lo, hi;
    WF_TRY(wfSurface_Bounds(surface, &lo, &hi, err));
    wfSdfField* f = &sdf->field;
    double step = (double)sdf->cell * wf_sdfCells, pad = (double)f->reach;
    double from[3] = {lo.x, lo.y, lo.z}, to[3] = {hi.x, hi.y, hi.z}, cells = 1.0;
    int n[3];
    for (int k = 0; k < 3; ++k) {
        from[k] = floor((from[k] - pad) / step);
        double count = ceil((to[k] + pad) / step) - from[k];
        cells *= count;
        if (!(cells <= MostCells))
            return wfFail(err, wf_badInput, "%s: cells of %g m are too small for a body from (%.3g, %.3g, %.3g) to (%.3g, %.3g, %.3g)",
                          sdf->name, (double)sdf->cell, (double)lo.x, (double)lo.y, (double)lo.z, (double)hi.x, (double)hi.y, (double)hi.z);
        n[k] = (int)count;
    }
    f->origin = wfMake3((float)(from[0] * step), (float)(from[1] * step), (float)(from[2] * step));
    f->lx = f->ly = f->lz = 0;
    f->nx = f->mx = n[0];
    f->ny = f->my = n[1];
    f->nz = f->mz = n[2];
    return true;
}

/// Leaves of the lattice what is asked, a cell where nothing is.
static bool CutLattice(wfSdf* sdf, const wfSdfWhere* where, wfError* err) {
    wfSdfField* f = &sdf->field;
    unsigned bits[wf_sdfSpan];
    wfReserve(sdf->device, &sdf->span, wf_sdfSpan);
    wfZero(sdf->device, &sdf->span);
    SdfSpanArgs args = {*where, *f, wfData(&sdf->span, unsigned)};
    wfLaunch(sdf->device, SdfSpan, where->count, &args);
    WF_TRY(wfDownload(sdf->device, bits, &sdf->span, 0, wf_sdfSpan, err));
    const int whole[3] = {f->mx, f->my, f->mz};
    int* low[3] = {&f->lx, &f->ly, &f->lz};
    int* count[3] = {&f->nx, &f->ny, &f->nz};
    for (int k = 0; k < 3; ++k) {
        int below = (int)wfFromOrder(bits[k]), end = (int)wfFromOrder(bits[3 + k]);
        *low[k] = end == 0 ? 0 : whole[k] - below;
        *count[k] = end == 0 ? 1 : end - *low[k];
    }
    return true;
}

/// Lists the cells that are asked; the others get no brick.
static bool ListAsked(wfSdf* sdf, const wfSdfWhere* where, SdfArgs* args, int* count, wfError* err) {
    wfDevice* device = sdf->device;
    const wfSdfField* f = &sdf->field;
    int cells = f->nx * f->ny * f->nz;
    SdfAskArgs ask = {.field = *f, .asked = args->brickOf, .everywhere = where == NULL};
    if (where != NULL) ask.where = *where;
    wfZero(device, &sdf->brickOf);
    wfLaunch(device, SdfAsk, where == NULL ? cells : where->count, &ask);
    int* places = (int*)args->corners; // until corners have values
    wfScanExclusive(device, args->brickOf, places, cells, &sdf->scratch);
    *count = wfReadInt(device, places + cells);
    WF_TRY(wfDevice_Sync(device, err));
    wfBuffer* perAsked[] = {&sdf->asked, &sdf->askedOf, &sdf->leafCount, &sdf->leafStart};
    for (size_t k = 0; k < sizeof perAsked / sizeof *perAsked; ++k) ReserveWithRoom(device, perAsked[k], (size_t)*count + 1);
    args->room = where != NULL && where->brief ? wf_sdfFound : 0;
    ReserveWithRoom(device, &sdf->found, (size_t)*count * (size_t)args->room);
    args->places = places;
    args->asked = wfData(&sdf->asked, int);
    args->askedOf = wfData(&sdf->askedOf, int);
    args->leafCount = wfData(&sdf->leafCount, int);
    args->found = wfData(&sdf->found, int);
    args->leafStart = wfData(&sdf->leafStart, int);
    wfLaunch(device, SdfList, cells, args);
    return true;
}

bool wfSdf_Build(wfSdf* sdf, const wfSurface* surface, wfError* err) { return wfSdf_BuildNear(sdf, surface, NULL, err); }

bool wfSdf_BuildNear(wfSdf* sdf, const wfSurface* surface, const wfSdfWhere* where, wfError* err) {
    wfDevice* device = sdf->device;
    wfSdfField* f = &sdf->field;
    memcpy(sdf->name, surface->name, sizeof sdf->name);
    f->cell = sdf->cell;
    f->reach = sdf->band + 1.75f * sdf->cell; // the corners of a cell with a point of the band in it
    WF_TRY(PlaceLattice(sdf, surface, err));
    if (where != NULL) WF_TRY(CutLattice(sdf, where, err));
    int cells = f->nx * f->ny * f->nz, corners = (f->nx + 1) * (f->ny + 1) * (f->nz + 1), asked = 0;
    ReserveWithRoom(device, &sdf->brickOf, (size_t)cells);
    ReserveWithRoom(device, &sdf->corners, (size_t)corners);
    wfReserve(device, &sdf->numbers, 1);
    wfReserve(device, &sdf->status, 1);

    SdfArgs args = {.s = surface->view, .origin = f->origin, .cell = f->cell, .reach = f->reach};
    args.lx = f->lx, args.ly = f->ly, args.lz = f->lz;
    args.nx = f->nx, args.ny = f->ny, args.nz = f->nz;
    args.near = where != NULL;
    args.brickOf = wfData(&sdf->brickOf, int);
    args.corners = wfData(&sdf->corners, float);
    args.status = wfData(&sdf->status, wfFaultSlot);
    WF_TRY(ListAsked(sdf, where, &args, &asked, err));
    args.askedCount = asked;
    wfLaunch(device, SdfCount, wfTileCount(asked * WF_WARP), &args);
    wfScanExclusive(device, args.leafCount, wfData(&sdf->leafStart, int), asked, &sdf->scratch);
    wfCompact(device, args.leafCount, wfData(&sdf->askedOf, int), wfData(&sdf->numbers, int), asked, &sdf->scratch);
    int leaves = wfReadInt(device, wfData(&sdf->leafStart, int) + asked);
    sdf->brickCount = wfReadInt(device, wfData(&sdf->numbers, int));
    WF_TRY(wfDevice_Sync(device, err));
    if (sdf->brickCount > MostBricks)
        return wfFail(err, wf_badInput, "%s: cells of %g m give %d bricks, at most %d can be held", sdf->name, (double)sdf->cell,
                      sdf->brickCount, (int)MostBricks);
    ReserveWithRoom(device, &sdf->cellOf, (size_t)sdf->brickCount);
    ReserveWithRoom(device, &sdf->leaves, (size_t)leaves);
    ReserveWithRoom(device, &sdf->bricks, (size_t)sdf->brickCount * wf_sdfBrick);
    args.cellOf = wfData(&sdf->cellOf, int);
    args.leaves = wfData(&sdf->leaves, int);
    args.bricks = wfData(&sdf->bricks, float);
    args.brickCount = sdf->brickCount;
    wfLaunch(device, SdfFill, wfTileCount(sdf->brickCount * WF_WARP), &args);
    wfLaunch(device, SdfDistance, sdf->brickCount, &args);
    wfLaunch(device, SdfSign, sdf->brickCount, &args);
    wfLaunch(device, SdfCorners, corners, &args);
    if (args.near) wfLaunch(device, SdfDepths, corners, &args);
    f->brickOf = args.brickOf;
    f->bricks = args.bricks;
    f->corners = args.corners;
    return true;
}

bool wfSdf_Covers(wfSdf* sdf, const wfSdfWhere* where) {
    SdfCoverArgs args = {*where, sdf->field, wfData(&sdf->numbers, int)};
    wfZero(sdf->device, &sdf->numbers);
    wfLaunch(sdf->device, SdfCover, where->count, &args);
    return wfReadInt(sdf->device, args.missing) == 0;
}

bool wfSdf_Check(const wfSdf* sdf, wfError* err) {
    wfFaultSlot slot;
    WF_TRY(wfDownload(sdf->device, &slot, &sdf->status, 0, 1, err));
    if (slot == ~(wfFaultSlot)0) return true;
    int at = (int)(slot >> 8), n = at % wf_sdfBrick, cell = 0;
    WF_TRY(wfDownload(sdf->device, &cell, &sdf->cellOf, (size_t)(at / wf_sdfBrick), 1, err));
    const wfSdfField* f = &sdf->field;
    int x = (f->lx + cell % f->nx) * wf_sdfCells + n % wf_sdfSide,
        y = (f->ly + cell / f->nx % f->ny) * wf_sdfCells + n / wf_sdfSide % wf_sdfSide,
        z = (f->lz + cell / f->nx / f->ny) * wf_sdfCells + n / (wf_sdfSide * wf_sdfSide);
    wfVec3 p = wfMulAdd(f->origin, f->cell, wfMake3((float)x, (float)y, (float)z));
    return wfFail(err, wf_badInput, "%s: inside and outside cannot be told apart at (%.4g, %.4g, %.4g)", sdf->name, (double)p.x,
                  (double)p.y, (double)p.z);
}

void wfSdf_Sample(const wfSdf* sdf, const wfBuffer* points, wfBuffer* out) {
    wfReserve(sdf->device, out, points->count);
    SdfSampleArgs args = {sdf->field, wfData(points, wfVec4), wfData(out, wfVec4)};
    wfLaunch(sdf->device, SdfSample, (int)points->count, &args);
}
