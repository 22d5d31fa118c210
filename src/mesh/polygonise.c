// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/polygonise.h"

#include "mesh/builder.h"
#include "mesh/even_surface.h"

#include <math.h>

typedef wfFieldPoint Vector;

static Vector Add(Vector a, double t, Vector b) { return (Vector){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z}; }
static double Dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// ---- the lattice --------------------------------------------------------------------------------------------------------------

typedef struct Cutter {
    const wfFieldDef* def;
    wfMeshBuilder* builder;
    double cell; // side of a cell
} Cutter;

// A point of the lattice by its coordinates in half cells: corners are even, centres odd.
typedef struct Node {
    int at[3];
    Vector p;
    double value;
} Node;

static Node NodeAt(const Cutter* cutter, int x, int y, int z) {
    double half = 0.5 * cutter->cell;
    Node node = {{x, y, z}, {x * half, y * half, z * half}, 0.0};
    node.value = cutter->def->field(node.p);
    return node;
}

static bool Before(const Node* a, const Node* b) {
    for (int k = 0; k < 3; ++k) {
        if (a->at[k] != b->at[k]) return a->at[k] < b->at[k];
    }
    return false;
}

// Where the surface crosses an edge: the same bits from either end. Kept off the ends, so that no triangle is without area.
static int AddCrossing(wfMeshBuilder* builder, const Node* a, const Node* b) {
    if (Before(b, a)) {
        const Node* swap = a;
        a = b;
        b = swap;
    }
    double t = fmin(fmax(a->value / (a->value - b->value), 0.1), 0.9);
    Vector p = Add(a->p, t, Add(b->p, -1.0, a->p));
    return wfBuilder_AddVertex(builder, p.x, p.y, p.z);
}

// The nodes stand so that seen from the first the others turn counter-clockwise.
static bool CutTetrahedron(wfMeshBuilder* builder, const Node* const nodes[4], wfError* err) {
    const Node *in[4], *out[4];
    int inCount = 0, outCount = 0;
    bool even = true; // whether in then out is an even permutation of the nodes
    for (int k = 0; k < 4; ++k) {
        if (nodes[k]->value < 0.0) {
            in[inCount++] = nodes[k];
            if (outCount % 2 == 1) even = !even;
        } else {
            out[outCount++] = nodes[k];
        }
    }
    if (inCount == 0 || outCount == 0) return true;
    WF_TRY(wfBuilder_Reserve(builder, 4, 2, err));
    int v[4], count = inCount == 2 ? 4 : 3;
    if (inCount == 2) {
        v[0] = AddCrossing(builder, in[0], out[0]);
        v[1] = AddCrossing(builder, in[0], out[1]);
        v[2] = AddCrossing(builder, in[1], out[1]);
        v[3] = AddCrossing(builder, in[1], out[0]);
    } else {
        for (int k = 0; k < 3; ++k) v[k] = inCount == 1 ? AddCrossing(builder, in[0], out[k]) : AddCrossing(builder, in[k], out[0]);
    }
    for (int k = 1; k + 1 < count; ++k) { wfBuilder_AddTriangle(builder, v[0], even ? v[k + 1] : v[k], even ? v[k] : v[k + 1]); }
    return true;
}

// The four tetrahedra about each axis from the cell's centre to the next cell's.
static bool CutCell(const Cutter* cutter, const int cell[3], wfError* err) {
    int c[3] = {2 * cell[0] + 1, 2 * cell[1] + 1, 2 * cell[2] + 1};
    Node centre = NodeAt(cutter, c[0], c[1], c[2]);
    if (fabs(centre.value) > cutter->def->slope * cutter->cell) return true;
    for (int axis = 0; axis < 3; ++axis) {
        int u = (axis + 1) % 3, w = (axis + 2) % 3, at[3] = {c[0], c[1], c[2]};
        at[axis] += 2;
        Node next = NodeAt(cutter, at[0], at[1], at[2]), ring[4];
        at[axis] -= 1;
        for (int k = 0; k < 4; ++k) { // counter-clockwise seen from `next`
            at[u] = c[u] + (k == 0 || k == 3 ? 1 : -1);
            at[w] = c[w] + (k < 2 ? 1 : -1);
            ring[k] = NodeAt(cutter, at[0], at[1], at[2]);
        }
        for (int k = 0; k < 4; ++k) {
            const Node* nodes[4] = {&next, &ring[k], &ring[(k + 1) % 4], &centre};
            WF_TRY(CutTetrahedron(cutter->builder, nodes, err));
        }
    }
    return true;
}

// A block of cells, 2^level a side: nothing is done about what is far from the surface.
static bool CutBlock(const Cutter* cutter, const int first[3], int level, wfError* err) {
    if (level == 0) return CutCell(cutter, first, err);
    double side = (double)(1 << level), half = 0.5 * side;
    Vector middle = {(first[0] + half) * cutter->cell, (first[1] + half) * cutter->cell, (first[2] + half) * cutter->cell};
    if (fabs(cutter->def->field(middle)) > cutter->def->slope * cutter->cell * (0.87 * side + 1.0)) return true;
    for (int k = 0; k < 8; ++k) {
        int step = 1 << (level - 1), at[3] = {first[0] + (k & 1) * step, first[1] + (k >> 1 & 1) * step, first[2] + (k >> 2 & 1) * step};
        WF_TRY(CutBlock(cutter, at, level - 1, err));
    }
    return true;
}

// ---- the mesh -----------------------------------------------------------------------------------------------------------------

// A step toward the surface.
static wfSurfacePoint Project(wfSurfacePoint at, const void* user) {
    const wfFieldDef* def = user;
    const double h = 1e-5;
    Vector p = {at.x, at.y, at.z};
    double f = def->field(p);
    Vector g = {def->field((Vector){p.x + h, p.y, p.z}) - f, def->field((Vector){p.x, p.y + h, p.z}) - f,
                def->field((Vector){p.x, p.y, p.z + h}) - f};
    p = Add(p, -f * h / fmax(Dot(g, g), 0.1 * h * h), g); // hardly any where limbs cancel each other out
    return (wfSurfacePoint){p.x, p.y, p.z};
}

static bool CutAll(const Cutter* cutter, int level, wfError* err) {
    const wfFieldDef* def = cutter->def;
    int side = 1 << level, first[3], at[3];
    for (int k = 0; k < 3; ++k) first[k] = k == 1 && def->onGround ? -1 : -def->cubes[k] * side / 2;
    for (int z = 0; z < def->cubes[2]; ++z)
        for (int y = 0; y < def->cubes[1]; ++y)
            for (int x = 0; x < def->cubes[0]; ++x) {
                at[0] = first[0] + x * side;
                at[1] = first[1] + y * side;
                at[2] = first[2] + z * side;
                WF_TRY(CutBlock(cutter, at, level, err));
            }
    return true;
}

bool wfPolygonise(wfMesh* out, const wfFieldDef* def, wfError* err) {
    const double cellOfEdge = 1.6; // measured: this side of a cell gives edges that are short enough
    wfMeshBuilder builder = {0};
    Cutter cutter = {def, &builder, cellOfEdge * def->edge};
    double triangles = 2.2 * def->area / (0.433 * def->edge * def->edge);
    WF_TRY(wfCheckMeshSize(0.5 * triangles, triangles, err));
    int level = 1;
    while ((1 << level) * cutter.cell < def->side) ++level;
    bool ok = CutAll(&cutter, level, err) && wfBuilder_Weld(&builder, err) && wfBuilder_Finish(&builder, out, false, err) &&
              wfEvenSurface(out, def->edge, Project, def, err);
    wfBuilder_Free(&builder);
    return ok;
}
