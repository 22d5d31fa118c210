// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/fill.h"

#include "mesh/builder.h"

#include <stdlib.h>
#include <string.h>

// Samples inside an outline: one in the middle of each cell of a honeycomb, so that far from the outline nothing needs to move, without
// those that come too near to it; then all push each other apart.

#define CLEARANCE 0.6  // least distance of a sample from the outline, in edges
#define REACH     1.5  // how far samples push each other; below sqrt(3), where the second neighbours of a honeycomb begin
#define STEP      0.3  // of the push; stable below 0.5
#define MAX_MOVE  0.15 // of an edge in one round
enum { rounds = 30 };

typedef struct Grid {
    double x, y, size; // lower corner, width of cells
    int columns, rows;
    int *start, *item; // points by cell, increasing in each
} Grid;

static int CellAt(double at, int count) { return at < 0.0 ? 0 : at >= count ? count - 1 : (int)at; }
static int ColumnOf(const Grid* grid, double x) { return CellAt((x - grid->x) / grid->size, grid->columns); }
static int RowOf(const Grid* grid, double y) { return CellAt((y - grid->y) / grid->size, grid->rows); }
static int CellOf(const Grid* grid, wfVec2 p) { return RowOf(grid, p.y) * grid->columns + ColumnOf(grid, p.x); }

static void FillGrid(Grid* grid, const wfVec2* points, int count) {
    int cells = grid->columns * grid->rows;
    memset(grid->start, 0, ((size_t)cells + 1) * sizeof(int));
    for (int i = 0; i < count; ++i) ++grid->start[CellOf(grid, points[i]) + 1];
    for (int c = 0; c < cells; ++c) grid->start[c + 1] += grid->start[c];
    for (int i = count - 1; i >= 0; --i) { // from behind, using the ends as they sink to the starts
        int c = CellOf(grid, points[i]);
        grid->item[--grid->start[c + 1]] = i;
    }
    // Every start has moved one cell down: entry c + 1 now holds where cell c starts.
    memmove(grid->start, grid->start + 1, (size_t)cells * sizeof(int));
    grid->start[cells] = count;
}

typedef struct Scatter {
    const wfOutline* outline;
    double edge;
    wfVec2 lo, hi;
    wfArena arena; // scratch
    wfVec2* points;
    int count;
    const char* name;
    wfError* err;
} Scatter;

// ---- where samples may be -----------------------------------------------------------------------------------------------------

static int CompareDoubles(const void* a, const void* b) {
    double p = *(const double*)a, q = *(const double*)b;
    return (p > q) - (p < q);
}

typedef struct Rows {
    double first, height; // y of row 0, distance of rows
    int count;
    int* start;
    double* cross; // x where the outline crosses a row, increasing
} Rows;

/// The first row at or above y, so that rows [RowAbove(y0), RowAbove(y1)) are crossed by an edge between them.
static int RowAbove(const Rows* rows, double y) {
    double at = ceil((y - rows->first) / rows->height);
    return at < 0.0 ? 0 : at > rows->count ? rows->count : (int)at;
}

static bool CrossRows(Scatter* s, Rows* rows) {
    const wfOutline* o = s->outline;
    rows->start = wfArena_New(&s->arena, int, (size_t)rows->count + 2, "rows of samples", s->err);
    if (rows->start == NULL) return false;
    for (int pass = 0; pass < 2; ++pass) {
        for (int e = 0; e < o->outlineCount; ++e) {
            wfVec2 a = o->points[o->edges[e][0]], b = o->points[o->edges[e][1]];
            int from = RowAbove(rows, fminf(a.y, b.y)), to = RowAbove(rows, fmaxf(a.y, b.y));
            for (int j = from; j < to; ++j) {
                double t = (rows->first + j * rows->height - a.y) / ((double)b.y - a.y);
                if (pass == 0) {
                    ++rows->start[j + 2];
                } else {
                    rows->cross[rows->start[j + 1]++] = a.x + t * ((double)b.x - a.x);
                }
            }
        }
        if (pass == 1) break;
        for (int j = 0; j < rows->count; ++j) rows->start[j + 2] += rows->start[j + 1];
        rows->cross = wfArena_New(&s->arena, double, rows->start[rows->count + 1], "rows of samples", s->err);
        if (rows->cross == NULL) return false;
    }
    for (int j = 0; j < rows->count; ++j)
        qsort(rows->cross + rows->start[j], (size_t)(rows->start[j + 1] - rows->start[j]), sizeof(double), CompareDoubles);
    return true;
}

/// Goes over the samples of the honeycomb inside; fills points behind the outline's where there are any. Returns how many.
static int PlaceSamples(const Scatter* s, const Rows* rows, wfVec2* out) {
    int count = 0;
    for (int j = 0; j < rows->count; ++j) {
        double first = s->lo.x + (j % 2 == 0 ? 0.25 : 0.75) * s->edge;
        for (int k = rows->start[j]; k + 1 < rows->start[j + 1]; k += 2) {
            double from = ceil((rows->cross[k] - first) / s->edge), to = floor((rows->cross[k + 1] - first) / s->edge);
            for (double i = from; i <= to; i += 1.0, ++count)
                if (out != NULL) out[count] = (wfVec2){(float)(first + i * s->edge), (float)(rows->first + j * rows->height)};
        }
    }
    return count;
}

static double DistanceToSegment(wfVec2 p, wfVec2 a, wfVec2 b) {
    double dx = (double)b.x - a.x, dy = (double)b.y - a.y, px = (double)p.x - a.x, py = (double)p.y - a.y, dd = dx * dx + dy * dy;
    double t = dd > 0.0 ? fmin(fmax((px * dx + py * dy) / dd, 0.0), 1.0) : 0.0;
    return hypot(px - t * dx, py - t * dy);
}

/// Marks samples near a segment.
static void ClearSegment(const Scatter* s, const Grid* grid, wfVec2 a, wfVec2 b, const wfVec2* samples, bool* gone) {
    double r = CLEARANCE * s->edge;
    int c0 = ColumnOf(grid, fminf(a.x, b.x) - r), c1 = ColumnOf(grid, fmaxf(a.x, b.x) + r);
    int r0 = RowOf(grid, fminf(a.y, b.y) - r), r1 = RowOf(grid, fmaxf(a.y, b.y) + r);
    for (int row = r0; row <= r1; ++row)
        for (int k = grid->start[row * grid->columns + c0]; k < grid->start[row * grid->columns + c1 + 1]; ++k) {
            int i = grid->item[k];
            if (!gone[i] && DistanceToSegment(samples[i], a, b) < r) gone[i] = true;
        }
}

static bool ClearOutline(Scatter* s, Grid* grid, int sampleCount) {
    const wfOutline* o = s->outline;
    wfVec2* samples = s->points + o->pointCount;
    bool* gone = wfArena_New(&s->arena, bool, sampleCount, "samples", s->err);
    if (gone == NULL) return false;
    FillGrid(grid, samples, sampleCount);
    for (int e = 0; e < o->edgeCount; ++e) ClearSegment(s, grid, o->points[o->edges[e][0]], o->points[o->edges[e][1]], samples, gone);
    for (int i = 0; i < o->pointCount; ++i) ClearSegment(s, grid, o->points[i], o->points[i], samples, gone);
    s->count = o->pointCount;
    for (int i = 0; i < sampleCount; ++i)
        if (!gone[i]) s->points[s->count++] = samples[i];
    return true;
}

// ---- pushing ------------------------------------------------------------------------------------------------------------------

static wfVec2 Push(const Scatter* s, const Grid* grid, const wfVec2* points, int i) {
    double x = points[i].x, y = points[i].y, reach = REACH * s->edge, fx = 0.0, fy = 0.0;
    int c0 = ColumnOf(grid, x - reach), c1 = ColumnOf(grid, x + reach), r0 = RowOf(grid, y - reach), r1 = RowOf(grid, y + reach);
    for (int row = r0; row <= r1; ++row)
        for (int k = grid->start[row * grid->columns + c0]; k < grid->start[row * grid->columns + c1 + 1]; ++k) {
            double dx = x - points[grid->item[k]].x, dy = y - points[grid->item[k]].y, dd = dx * dx + dy * dy;
            if (!(dd > 0.0) || dd >= reach * reach) continue; // itself, or out of reach
            double d = sqrt(dd), w = (1.0 - d / reach) / d;
            fx += w * dx;
            fy += w * dy;
        }
    double f = hypot(fx, fy), scale = s->edge * (f * STEP > MAX_MOVE ? MAX_MOVE / f : STEP);
    return (wfVec2){(float)(x + scale * fx), (float)(y + scale * fy)};
}

static bool PushApart(Scatter* s, Grid* grid) {
    wfVec2* next = wfArena_New(&s->arena, wfVec2, s->count, "samples", s->err);
    if (next == NULL) return false;
    for (int round = 0; round < rounds; ++round) {
        FillGrid(grid, s->points, s->count);
#pragma omp parallel for schedule(static)
        for (int i = s->outline->pointCount; i < s->count; ++i) next[i] = Push(s, grid, s->points, i);
        size_t fixed = (size_t)s->outline->pointCount;
        memcpy(s->points + fixed, next + fixed, ((size_t)s->count - fixed) * sizeof(wfVec2));
    }
    return true;
}

// -------------------------------------------------------------------------------------------------------------------------------

static bool MakeGrid(Scatter* s, Grid* grid, int most) {
    // Cells as wide as the reach, but not many more of them than points: a panel may be a thin ring in a large box.
    double width = (double)s->hi.x - s->lo.x, height = (double)s->hi.y - s->lo.y, size = REACH * s->edge;
    while ((width / size + 1.0) * (height / size + 1.0) > 4.0 * most + 64.0) size *= 1.25;
    *grid = (Grid){.x = s->lo.x, .y = s->lo.y, .size = size, .columns = (int)(width / size) + 1, .rows = (int)(height / size) + 1};
    grid->start = wfArena_New(&s->arena, int, (size_t)grid->columns*(size_t)grid->rows + 1, "grid of samples", s->err);
    grid->item = wfArena_New(&s->arena, int, most, "grid of samples", s->err);
    return grid->start != NULL && grid->item != NULL;
}

static bool Run(Scatter* s, wfArena* arena) {
    const wfOutline* o = s->outline;
    s->lo = (wfVec2){INFINITY, INFINITY}, s->hi = (wfVec2){-INFINITY, -INFINITY};
    for (int i = 0; i < o->pointCount; ++i) {
        s->lo = (wfVec2){fminf(s->lo.x, o->points[i].x), fminf(s->lo.y, o->points[i].y)};
        s->hi = (wfVec2){fmaxf(s->hi.x, o->points[i].x), fmaxf(s->hi.y, o->points[i].y)};
    }
    double width = (double)s->hi.x - s->lo.x, height = (double)s->hi.y - s->lo.y, rowHeight = sqrt(0.75) * s->edge;
    if (!isfinite(width) || !isfinite(height)) return wfFail(s->err, wf_badInput, "%s: expected finite points", s->name);
    double size = 1.2 * width * height / (s->edge * s->edge) + 1.2 * (width + height) / s->edge + o->pointCount + 16.0;
    if (size > wf_maxMeshElements / 4.0)
        return wfFail(s->err, wf_badInput, "%s: edges of %g m in a panel of %g x %g m: more than %d vertices", s->name, s->edge, width,
                      height, wf_maxMeshElements / 4);
    Rows rows = {.first = s->lo.y + 0.5 * rowHeight, .height = rowHeight, .count = (int)(height / rowHeight) + 1};
    WF_TRY(CrossRows(s, &rows));
    int samples = PlaceSamples(s, &rows, NULL), most = samples + o->pointCount;
    s->points = wfArena_New(arena, wfVec2, most, "points of a panel", s->err);
    Grid grid;
    WF_TRY(s->points != NULL && MakeGrid(s, &grid, most));
    memcpy(s->points, o->points, (size_t)o->pointCount * sizeof(wfVec2));
    PlaceSamples(s, &rows, s->points + o->pointCount);
    return ClearOutline(s, &grid, samples) && PushApart(s, &grid);
}

bool wfScatter(const wfOutline* outline, double edge, wfArena* arena, wfVec2** points, int* count, const char* name, wfError* err) {
    Scatter s = {.outline = outline, .edge = edge, .name = name, .err = err};
    bool ok = Run(&s, arena);
    wfArena_Free(&s.arena);
    *points = s.points;
    *count = s.count;
    return ok;
}
