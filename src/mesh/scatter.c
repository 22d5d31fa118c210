// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/fill.h"

#include "mesh/builder.h"

#include <stdlib.h>
#include <string.h>

// Samples inside an outline: one at each right corner, one in the middle of each cell of a honeycomb, so that far from the outline nothing
// needs to move, without those that come too near to it; then all push each other apart.

#define CLEARANCE    0.6  // least distance of a sample from the outline, in edges
#define REACH        1.5  // how far samples push each other; below sqrt(3), where the second neighbours of a honeycomb begin
#define STEP         0.3  // of the push; stable below 0.5
#define MAX_MOVE     0.15 // of an edge in one round

#define CORNER_SHARP 0.10  // cosines of the angles between which a corner gets a sample: 84
#define CORNER_BLUNT -0.64 // and 130 degrees
#define CORNER_REACH 1.15  // its distance, in edges
#define CORNER_ROOM  0.75  // and how far others stay from it
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
    bool shifted; // rows by half a sample
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
    double spacing;       // distance of samples in a row
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
        double first = s->lo.x + ((j % 2 == 0) != s->shifted ? 0.0 : 0.5) * rows->spacing;
        for (int k = rows->start[j]; k + 1 < rows->start[j + 1]; k += 2) {
            double from = ceil((rows->cross[k] - first) / rows->spacing), to = floor((rows->cross[k + 1] - first) / rows->spacing);
            for (double i = from; i <= to; i += 1.0, ++count)
                if (out != NULL) out[count] = (wfVec2){(float)(first + i * rows->spacing), (float)(rows->first + j * rows->height)};
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
static void ClearSegment(const Grid* grid, wfVec2 a, wfVec2 b, double r, const wfVec2* samples, bool* gone) {
    int c0 = ColumnOf(grid, fminf(a.x, b.x) - r), c1 = ColumnOf(grid, fmaxf(a.x, b.x) + r);
    int r0 = RowOf(grid, fminf(a.y, b.y) - r), r1 = RowOf(grid, fmaxf(a.y, b.y) + r);
    for (int row = r0; row <= r1; ++row)
        for (int k = grid->start[row * grid->columns + c0]; k < grid->start[row * grid->columns + c1 + 1]; ++k) {
            int i = grid->item[k];
            if (!gone[i] && DistanceToSegment(samples[i], a, b) < r) gone[i] = true;
        }
}

// ---- corners --------------------------------------------------------------------------------------------------------------------

/// Whether a point lies inside, by counting how often the outline passes on its right.
static bool IsInside(const wfOutline* o, double x, double y) {
    bool inside = false;
    for (int e = 0; e < o->outlineCount; ++e) {
        wfVec2 a = o->points[o->edges[e][0]], b = o->points[o->edges[e][1]];
        if ((a.y > y) == (b.y > y)) continue;
        inside ^= a.x + (y - a.y) / ((double)b.y - a.y) * ((double)b.x - a.x) > x;
    }
    return inside;
}

/// About right corners the longest edge is shortest where one leads from the corner to a vertex inside; elsewhere the corner is cut off
/// or has more of them by itself. A sample for each; out holds as many as there are points.
static bool PlaceCornerSamples(Scatter* s, wfVec2* out, int* count) {
    const wfOutline* o = s->outline;
    int(*next)[2] = wfArena_Alloc(&s->arena, (size_t)o->pointCount, sizeof *next, "corners of an outline", s->err);
    if (next == NULL) return false;
    for (int i = 0; i < o->pointCount; ++i) next[i][0] = next[i][1] = -1;
    for (int e = 0; e < 2 * o->outlineCount; ++e) {
        int from = o->edges[e / 2][e % 2], to = o->edges[e / 2][1 - e % 2];
        next[from][next[from][0] >= 0] = to;
    }
    *count = 0;
    for (int i = 0; i < o->pointCount; ++i) {
        if (next[i][1] < 0) continue;
        wfVec2 p = o->points[i], a = o->points[next[i][0]], b = o->points[next[i][1]];
        double ux = (double)a.x - p.x, uy = (double)a.y - p.y, vx = (double)b.x - p.x, vy = (double)b.y - p.y;
        double u = hypot(ux, uy), v = hypot(vx, vy), cosine = (ux * vx + uy * vy) / (u * v);
        if (!(cosine < CORNER_SHARP && cosine > CORNER_BLUNT) || fmax(u, v) > 1.5 * s->edge || fmin(u, v) < 0.5 * s->edge) continue;
        double wx = ux / u + vx / v, wy = uy / u + vy / v, scale = CORNER_REACH * 0.5 * (u + v) / hypot(wx, wy);
        double x = p.x + scale * wx, y = p.y + scale * wy;
        if (IsInside(o, x, y)) out[(*count)++] = (wfVec2){(float)x, (float)y};
    }
    return true;
}

/// Takes away samples that are too near to the outline or to those of corners, which come behind all others.
static bool ClearOutline(Scatter* s, Grid* grid, int sampleCount, int cornerCount) {
    const wfOutline* o = s->outline;
    wfVec2* samples = s->points + o->pointCount;
    bool* gone = wfArena_New(&s->arena, bool, sampleCount, "samples", s->err);
    if (gone == NULL) return false;
    double r = CLEARANCE * s->edge;
    FillGrid(grid, samples, sampleCount);
    for (int i = sampleCount; i < sampleCount + cornerCount; ++i)
        ClearSegment(grid, samples[i], samples[i], CORNER_ROOM * s->edge, samples, gone);
    for (int e = 0; e < o->edgeCount; ++e) ClearSegment(grid, o->points[o->edges[e][0]], o->points[o->edges[e][1]], r, samples, gone);
    for (int i = 0; i < o->pointCount; ++i) ClearSegment(grid, o->points[i], o->points[i], r, samples, gone);
    s->count = o->pointCount;
    for (int i = 0; i < sampleCount + cornerCount; ++i)
        if (i >= sampleCount || !gone[i]) s->points[s->count++] = samples[i];
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
#pragma omp parallel for schedule(static) if (s->count > 20000)
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
    double width = (double)s->hi.x - s->lo.x, height = (double)s->hi.y - s->lo.y;
    if (!isfinite(width) || !isfinite(height)) return wfFail(s->err, wf_badInput, "%s: expected finite points", s->name);
    double size = 1.2 * width * height / (s->edge * s->edge) + 1.2 * (width + height) / s->edge + o->pointCount + 16.0;
    if (size > wf_maxMeshElements / 4.0)
        return wfFail(s->err, wf_badInput, "%s: edges of %g m in a panel of %g x %g m: more than %d vertices", s->name, s->edge, width,
                      height, wf_maxMeshElements / 4);
    // Rows that divide the height and columns that divide the width, so that in a strip they run along both sides.
    double rowCount = fmax(round(height / (sqrt(0.75) * s->edge)), 1.0), columnCount = fmax(round(width / s->edge), 1.0);
    Rows rows = {.first = s->lo.y, .height = height / rowCount, .spacing = width / columnCount, .count = (int)rowCount};
    WF_TRY(CrossRows(s, &rows));
    int samples = PlaceSamples(s, &rows, NULL), corners, most = samples + 2 * o->pointCount;
    s->points = wfArena_New(arena, wfVec2, most, "points of a panel", s->err);
    Grid grid;
    WF_TRY(s->points != NULL && MakeGrid(s, &grid, most));
    memcpy(s->points, o->points, (size_t)o->pointCount * sizeof(wfVec2));
    PlaceSamples(s, &rows, s->points + o->pointCount);
    WF_TRY(PlaceCornerSamples(s, s->points + o->pointCount + samples, &corners));
    return ClearOutline(s, &grid, samples, corners) && PushApart(s, &grid);
}

static void Transpose(wfVec2* points, int count) {
    for (int i = 0; i < count; ++i) points[i] = (wfVec2){points[i].y, points[i].x};
}

bool wfScatter(const wfOutline* outline, double edge, int variant, wfArena* arena, wfVec2** points, int* count, const char* name,
               wfError* err) {
    wfOutline turned = *outline; // with rows along y
    Scatter s = {.outline = &turned, .edge = edge, .shifted = variant % 2 == 1, .name = name, .err = err};
    wfVec2* copy = wfArena_New(&s.arena, wfVec2, outline->pointCount, "points of a panel", err);
    bool transposed = variant / 2 == 1, ok = copy != NULL;
    if (ok) {
        memcpy(copy, outline->points, (size_t)outline->pointCount * sizeof *copy);
        if (transposed) Transpose(copy, outline->pointCount);
        turned.points = copy;
    }
    ok = ok && Run(&s, arena);
    if (ok && transposed) Transpose(s.points, s.count);
    wfArena_Free(&s.arena);
    *points = s.points;
    *count = s.count;
    return ok;
}
