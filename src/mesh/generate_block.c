// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/generate_shapes.h"

#include "mesh/builder.h"

// Solids with straight sides. All sides are rectangles of one lattice, three rows of coordinates, so that what meets, meets in vertices of
// the same bits, and welding closes the surface.

typedef struct Lattice {
    wfArena arena;
    float* line[3]; // coordinates along x, y, z
} Lattice;

static bool AddLines(Lattice* lattice, int axis, size_t count, wfError* err) {
    lattice->line[axis] = wfArena_New(&lattice->arena, float, count, "lattice lines", err);
    return lattice->line[axis] != NULL;
}

// `parts` equal parts from lo to hi; writes parts + 1 coordinates, the ends exact.
static void Divide(float* line, double lo, double hi, int parts) {
    for (int i = 0; i <= parts; ++i) line[i] = (float)(i == parts ? hi : lo + (hi - lo) * i / parts);
}

/// The rectangle lo..hi of the lattice; lo and hi agree along one axis, the normal, which points along or against it.
static bool AddSide(wfMeshBuilder* builder, const Lattice* lattice, const int lo[3], const int hi[3], bool along, wfError* err) {
    int axis = lo[0] == hi[0] ? 0 : lo[1] == hi[1] ? 1 : 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    int nu = hi[u] - lo[u], nv = hi[v] - lo[v], first = builder->vertexCount;
    WF_TRY(wfBuilder_Reserve(builder, (nu + 1.0) * (nv + 1.0), 2.0 * nu * nv, err));
    for (int j = 0; j <= nv; ++j)
        for (int i = 0; i <= nu; ++i) {
            double p[3];
            p[axis] = lattice->line[axis][lo[axis]];
            p[u] = lattice->line[u][lo[u] + i];
            p[v] = lattice->line[v][lo[v] + j];
            wfBuilder_AddVertex(builder, p[0], p[1], p[2]);
        }
    for (int j = 0; j < nv; ++j)
        for (int i = 0; i < nu; ++i) {
            int a = first + j * (nu + 1) + i, b = a + 1, c = a + nu + 1, d = c + 1, corner[4] = {a, b, d, c};
            int turn = (i + j) % 2; // alternating diagonals
            for (int k = 0; k < 2; ++k) {
                int p = corner[turn], q = corner[(turn + 1 + k) % 4], r = corner[(turn + 2 + k) % 4];
                wfBuilder_AddTriangle(builder, p, along ? q : r, along ? r : q);
            }
        }
    return true;
}

static bool Finish(wfMeshBuilder* builder, Lattice* lattice, bool ok, wfMesh* out, wfError* err) {
    ok = ok && wfBuilder_Weld(builder, err) && wfBuilder_Finish(builder, out, false, err);
    wfBuilder_Free(builder);
    wfArena_Free(&lattice->arena);
    return ok;
}

static bool MakeLines(Lattice* lattice, const wfGenerateDef* def, const int parts[3], wfError* err) {
    const float size[3] = {def->size.x, def->size.y, def->size.z};
    double most = 2.0 * ((double)parts[0] * parts[1] + (double)parts[1] * parts[2] + (double)parts[2] * parts[0]);
    WF_TRY(wfCheckMeshSize(most, 2.0 * most, err));
    for (int k = 0; k < 3; ++k) {
        WF_TRY(AddLines(lattice, k, (size_t)parts[k] + 1, err));
        Divide(lattice->line[k], -0.5 * (double)size[k], 0.5 * (double)size[k], parts[k]);
    }
    return true;
}

// The six sides of a box but the top.
static bool AddOpenBox(wfMeshBuilder* builder, const Lattice* lattice, int nx, int ny, int nz, wfError* err) {
    return AddSide(builder, lattice, (int[]){0, 0, 0}, (int[]){0, ny, nz}, false, err) &&
           AddSide(builder, lattice, (int[]){nx, 0, 0}, (int[]){nx, ny, nz}, true, err) &&
           AddSide(builder, lattice, (int[]){0, 0, 0}, (int[]){nx, 0, nz}, false, err) &&
           AddSide(builder, lattice, (int[]){0, 0, 0}, (int[]){nx, ny, 0}, false, err) &&
           AddSide(builder, lattice, (int[]){0, 0, nz}, (int[]){nx, ny, nz}, true, err);
}

bool wfMakeBox(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    int nx = wfPartsOf(def->size.x, def->edge), ny = wfPartsOf(def->size.y, def->edge), nz = wfPartsOf(def->size.z, def->edge);
    wfMeshBuilder builder = {0};
    Lattice lattice = {0};
    bool ok = MakeLines(&lattice, def, (int[]){nx, ny, nz}, err) && AddOpenBox(&builder, &lattice, nx, ny, nz, err) &&
              AddSide(&builder, &lattice, (int[]){0, ny, 0}, (int[]){nx, ny, nz}, true, err);
    return Finish(&builder, &lattice, ok, out, err);
}

static bool AddStairs(wfMeshBuilder* builder, const Lattice* lattice, int count, int nx, int ny, int nz, wfError* err) {
    for (int k = 0; k < count; ++k) {
        int x0 = k * nx, x1 = x0 + nx, y0 = k * ny, y1 = y0 + ny;
        bool ok = AddSide(builder, lattice, (int[]){x0, y1, 0}, (int[]){x1, y1, nz}, true, err) &&  // tread
                  AddSide(builder, lattice, (int[]){x0, y0, 0}, (int[]){x0, y1, nz}, false, err) && // riser
                  AddSide(builder, lattice, (int[]){x0, 0, 0}, (int[]){x1, 0, nz}, false, err) &&   // floor
                  AddSide(builder, lattice, (int[]){x0, 0, 0}, (int[]){x1, y1, 0}, false, err) &&
                  AddSide(builder, lattice, (int[]){x0, 0, nz}, (int[]){x1, y1, nz}, true, err);
        if (!ok) return false;
    }
    return AddSide(builder, lattice, (int[]){count * nx, 0, 0}, (int[]){count * nx, count * ny, nz}, true, err);
}

bool wfMakeStairs(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    int nx = wfPartsOf((double)def->size.x / def->count, def->edge), ny = wfPartsOf((double)def->size.y / def->count, def->edge);
    int nz = wfPartsOf(def->size.z, def->edge);
    double columns = (double)def->count * nx, rows = (double)def->count * ny, most = columns * rows + columns * nz + rows * nz;
    WF_TRY(wfCheckMeshSize(most, 2.0 * most, err)); // also keeps the products below in their ints
    wfMeshBuilder builder = {0};
    Lattice lattice = {0};
    bool ok = MakeLines(&lattice, def, (int[]){def->count * nx, def->count * ny, nz}, err) &&
              AddStairs(&builder, &lattice, def->count, nx, ny, nz, err);
    return Finish(&builder, &lattice, ok, out, err);
}

// ---- spikes -------------------------------------------------------------------------------------------------------------------

// Along one side of the plate: gap, spike, gap, spike, ..., gap; the gaps at both ends are half as wide, and all are empty where the spikes
// touch. Interval k, 0 .. 2 count, is line[start[k]] .. line[start[k + 1]]; the odd ones are spikes.
typedef struct Spacing {
    double size, pitch, radius;
    int endParts, gapParts, spikeParts; // how often each kind of interval is divided
    double lineCount;                   // a double until it is known to be small enough
    int* start;
} Spacing;

static Spacing PlanSpacing(double size, const wfGenerateDef* def) {
    Spacing s = {.size = size, .pitch = size / def->count, .radius = def->radius2};
    double gap = s.pitch - 2.0 * s.radius;
    if (gap <= 1e-6 * s.pitch) {
        s.radius = 0.5 * s.pitch;
    } else {
        s.endParts = wfPartsOf(0.5 * gap, def->edge);
        s.gapParts = wfPartsOf(gap, def->edge);
    }
    s.spikeParts = wfPartsOf(2.0 * (double)def->radius2, def->edge);
    s.lineCount = 1.0 + 2.0 * s.endParts + (def->count - 1.0) * s.gapParts + (double)def->count * s.spikeParts;
    return s;
}

static bool AddSpacing(Spacing* s, Lattice* lattice, int axis, int count, wfError* err) {
    s->start = wfArena_New(&lattice->arena, int, 2 * (size_t)count + 2, "spacing of spikes", err);
    if (s->start == NULL) return false;
    WF_TRY(AddLines(lattice, axis, (size_t)s->lineCount, err));
    float* line = lattice->line[axis];
    double lo = -0.5 * s->size;
    int at = 0;
    for (int c = 0; c <= count; ++c) {
        double from = c == 0 ? lo : lo + (c - 0.5) * s->pitch + s->radius, to = c == count ? -lo : lo + (c + 0.5) * s->pitch - s->radius;
        int n = c == 0 || c == count ? s->endParts : s->gapParts;
        s->start[2 * c] = at;
        if (n > 0) Divide(line + at, from, to, n);
        at += n;
        s->start[2 * c + 1] = at;
        if (c == count) break;
        Divide(line + at, to, lo + (c + 0.5) * s->pitch + s->radius, s->spikeParts);
        at += s->spikeParts;
    }
    // Touching spikes have no gap to write the ends.
    line[0] = (float)lo;
    line[at] = (float)-lo;
    return true;
}

// A pyramid over the cells x0 .. x0 + n, z0 .. z0 + n of the plate. Its rings are squares with equal numbers on their sides, so that
// zipping joins corner to corner and the four sides stay flat.
static bool AddSpike(wfMeshBuilder* builder, const Lattice* lattice, int x0, int z0, int y, int n, double top, double edge, wfError* err) {
    const float *xs = lattice->line[0] + x0, *zs = lattice->line[2] + z0;
    double base = lattice->line[1][y], side = (double)xs[n] - xs[0], slant = hypot(top - base, 0.5 * side);
    double cx = 0.5 * ((double)xs[0] + xs[n]), cz = 0.5 * ((double)zs[0] + zs[n]);
    int rows = wfPartsOf(slant, 0.9 * edge); // as far apart as the rows of round shapes
    wfVertexRing last = {builder->vertexCount, 4 * n, 0};
    WF_TRY(wfBuilder_Reserve(builder, 4.0 * n, 0, err));
    // Counter-clockwise seen from above: along the front (greatest z), the right, the back, the left.
    for (int i = 0; i < n; ++i) wfBuilder_AddVertex(builder, xs[i], base, zs[n]);
    for (int i = 0; i < n; ++i) wfBuilder_AddVertex(builder, xs[n], base, zs[n - i]);
    for (int i = 0; i < n; ++i) wfBuilder_AddVertex(builder, xs[n - i], base, zs[0]);
    for (int i = 0; i < n; ++i) wfBuilder_AddVertex(builder, xs[0], base, zs[i]);
    for (int row = 1; row <= rows; ++row) {
        double t = (double)row / rows, half = 0.5 * side * (1.0 - t), height = base + t * (top - base);
        int parts = row == rows ? 0 : wfPartsOf(2.0 * half, edge);
        wfVertexRing next = {builder->vertexCount, row == rows ? 1 : 4 * parts, 0};
        WF_TRY(wfBuilder_Reserve(builder, next.count, 0, err));
        if (row == rows) wfBuilder_AddVertex(builder, cx, top, cz);
        for (int i = 0; i < 4 * parts; ++i) {
            double s = half * (2.0 * (i % parts) / parts - 1.0); // along the side, from -half
            double x[4] = {s, half, -s, -half}, z[4] = {half, -s, -half, s};
            wfBuilder_AddVertex(builder, cx + x[i / parts], height, cz + z[i / parts]);
        }
        WF_TRY(wfBuilder_Zip(builder, last, next, err));
        last = next;
    }
    return true;
}

static bool AddBed(wfMeshBuilder* builder, Lattice* lattice, const wfGenerateDef* def, wfError* err) {
    double y = 0.5 * (double)def->size.y;
    Spacing x = PlanSpacing(def->size.x, def), z = PlanSpacing(def->size.z, def);
    int ny = wfPartsOf(def->thickness, def->edge), rows = wfPartsOf((double)def->size.y - def->thickness, def->edge);
    double most = x.lineCount * z.lineCount + 2.0 * (x.lineCount + z.lineCount) * ny + 2.0 * rows * x.spikeParts * def->count * def->count;
    WF_TRY(wfCheckMeshSize(most, 2.0 * most, err));
    WF_TRY(AddSpacing(&x, lattice, 0, def->count, err));
    WF_TRY(AddSpacing(&z, lattice, 2, def->count, err));
    WF_TRY(AddLines(lattice, 1, (size_t)ny + 1, err));
    Divide(lattice->line[1], -y, -y + def->thickness, ny);
    WF_TRY(AddOpenBox(builder, lattice, (int)x.lineCount - 1, ny, (int)z.lineCount - 1, err));
    for (int b = 0; b < 2 * def->count + 1; ++b)
        for (int a = 0; a < 2 * def->count + 1; ++a) {
            int x0 = x.start[a], x1 = x.start[a + 1], z0 = z.start[b], z1 = z.start[b + 1];
            if (x0 == x1 || z0 == z1) continue;
            bool ok = a % 2 == 1 && b % 2 == 1 ? AddSpike(builder, lattice, x0, z0, ny, x.spikeParts, y, def->edge, err)
                                               : AddSide(builder, lattice, (int[]){x0, ny, z0}, (int[]){x1, ny, z1}, true, err);
            if (!ok) return false;
        }
    return true;
}

bool wfMakeSpikes(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    double pitch = fmin(def->size.x, def->size.z) / def->count;
    if (2.0 * (double)def->radius2 > pitch * (1.0 + 1e-6))
        return wfFail(err, wf_badInput, "spikes: radius2: expected at most %g m (%d spikes a side), got %g", 0.5 * pitch, def->count,
                      (double)def->radius2);
    if (def->thickness >= def->size.y)
        return wfFail(err, wf_badInput, "spikes: thickness: expected a plate thinner than size y %g m, got %g", (double)def->size.y,
                      (double)def->thickness);
    wfMeshBuilder builder = {0};
    Lattice lattice = {0};
    return Finish(&builder, &lattice, AddBed(&builder, &lattice, def, err), out, err);
}
