// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/remesh_pattern.h"

// A grid over the triangles of a piece, with about one a cell.

struct wfLocator {
    const wfPattern* pattern;
    double x, y, size; // lower corner, width of cells
    int columns, rows;
    int *start, *triangle; // by cell
};

static int CellAt(double at, int count) { return at < 0.0 ? 0 : at >= count ? count - 1 : (int)at; }

typedef struct Cells {
    int c0, c1, r0, r1;
} Cells;

static Cells CellsOf(const wfLocator* l, int t) {
    const int* v = l->pattern->triangles[t].v;
    wfVec2 a = l->pattern->positions[v[0]], b = l->pattern->positions[v[1]], c = l->pattern->positions[v[2]];
    return (Cells){CellAt((fminf(a.x, fminf(b.x, c.x)) - l->x) / l->size, l->columns),
                   CellAt((fmaxf(a.x, fmaxf(b.x, c.x)) - l->x) / l->size, l->columns),
                   CellAt((fminf(a.y, fminf(b.y, c.y)) - l->y) / l->size, l->rows),
                   CellAt((fmaxf(a.y, fmaxf(b.y, c.y)) - l->y) / l->size, l->rows)};
}

wfLocator* wfLocator_Create(const wfPattern* pattern, int piece, wfArena* arena, wfError* err) {
    wfLocator* l = wfArena_New(arena, wfLocator, 1, "search in a pattern", err);
    if (l == NULL) return NULL;
    double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
    int first = pattern->pieceStart[piece], last = pattern->pieceStart[piece + 1], count = last - first;
    l->pattern = pattern;
    for (int i = first; i < last; ++i) {
        int t = pattern->pieceTriangle[i];
        for (int k = 0; k < 3; ++k) {
            wfVec2 p = pattern->positions[pattern->triangles[t].v[k]];
            lo[0] = fmin(lo[0], p.x), lo[1] = fmin(lo[1], p.y);
            hi[0] = fmax(hi[0], p.x), hi[1] = fmax(hi[1], p.y);
        }
    }
    double width = hi[0] - lo[0], height = hi[1] - lo[1];
    l->size = fmax(sqrt(width * height / count), 1e-3 * fmax(width, height) / sqrt(count));
    l->x = lo[0], l->y = lo[1];
    l->columns = (int)(width / l->size) + 1;
    l->rows = (int)(height / l->size) + 1;
    int cells = l->columns * l->rows;
    l->start = wfArena_New(arena, int, (size_t)cells + 2, "search in a pattern", err);
    if (l->start == NULL) return NULL;
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = first; i < last; ++i) {
            int t = pattern->pieceTriangle[i];
            Cells in = CellsOf(l, t);
            for (int row = in.r0; row <= in.r1; ++row)
                for (int column = in.c0; column <= in.c1; ++column) {
                    int cell = row * l->columns + column;
                    if (pass == 0) {
                        ++l->start[cell + 2];
                    } else {
                        l->triangle[l->start[cell + 1]++] = t;
                    }
                }
        }
        if (pass == 1) break;
        for (int c = 0; c < cells; ++c) l->start[c + 2] += l->start[c + 1];
        l->triangle = wfArena_New(arena, int, l->start[cells + 1], "search in a pattern", err);
        if (l->triangle == NULL) return NULL;
    }
    return l;
}

/// The weights of the point of a triangle that is nearest to p; returns its squared distance.
static double Nearest(const wfPattern* pattern, int t, wfVec2 p, double weights[3]) {
    double x[3], y[3], area[3], sum = 0.0, best = INFINITY;
    for (int k = 0; k < 3; ++k) {
        wfVec2 q = pattern->positions[pattern->triangles[t].v[k]];
        x[k] = (double)q.x - p.x, y[k] = (double)q.y - p.y;
    }
    for (int k = 0; k < 3; ++k) { // of the triangle between p and the side opposite k
        int a = (k + 1) % 3, b = (k + 2) % 3;
        area[k] = x[a] * y[b] - x[b] * y[a];
        sum += area[k];
    }
    if (area[0] >= 0.0 && area[1] >= 0.0 && area[2] >= 0.0) {
        for (int k = 0; k < 3; ++k) weights[k] = area[k] / sum;
        return 0.0;
    }
    for (int k = 0; k < 3; ++k) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        double dx = x[b] - x[a], dy = y[b] - y[a], share = fmin(fmax(-(x[a] * dx + y[a] * dy) / (dx * dx + dy * dy), 0.0), 1.0);
        double nx = x[a] + share * dx, ny = y[a] + share * dy, dd = nx * nx + ny * ny;
        if (dd >= best) continue;
        best = dd;
        weights[k] = 0.0, weights[a] = 1.0 - share, weights[b] = share;
    }
    return best;
}

int wfLocator_Find(const wfLocator* l, wfVec2 p, double weights[3]) {
    int column = CellAt((p.x - l->x) / l->size, l->columns), row = CellAt((p.y - l->y) / l->size, l->rows), found = -1;
    double best = INFINITY;
    int most = l->columns > l->rows ? l->columns : l->rows;
    // Rings of cells about that of p, until what was found is nearer than the next ring.
    for (int ring = 0; ring <= most; ++ring) {
        double gap = (ring - 1) * l->size;
        if (found >= 0 && (best == 0.0 || (ring > 1 && best <= gap * gap))) break;
        for (int r = row - ring; r <= row + ring; ++r)
            for (int c = column - ring; c <= column + ring; ++c) {
                bool rim = r == row - ring || r == row + ring || c == column - ring || c == column + ring;
                if (!rim || r < 0 || c < 0 || r >= l->rows || c >= l->columns) continue;
                int cell = r * l->columns + c;
                for (int k = l->start[cell]; k < l->start[cell + 1] && best > 0.0; ++k) {
                    double w[3] = {0}, dd = Nearest(l->pattern, l->triangle[k], p, w);
                    if (dd >= best) continue;
                    best = dd;
                    found = l->triangle[k];
                    for (int i = 0; i < 3; ++i) weights[i] = w[i];
                }
            }
    }
    return found;
}
