// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/generate_shapes.h"

#include "mesh/builder.h"
#include "mesh/topology.h"

#include <math.h>

// A mannequin: the smooth union of tapered capsules, polygonised. The field is cut on a body-centred cubic lattice, whose tetrahedra leave
// no ambiguous case: each gives one or two triangles, what meets has the same bits, and welding closes the surface. Then the vertices are
// spread evenly along the surface.

typedef struct Vector {
    double x, y, z;
} Vector;

static Vector Add(Vector a, double t, Vector b) { return (Vector){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z}; }
static double Dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// ---- the field ----------------------------------------------------------------------------------------------------------------

typedef struct Limb {
    Vector a, b;
    double ra, rb; // radii at both ends
    int chain;
} Limb;

// For a height of 1, from the ground up, facing +z; the left half is the mirror image of the right one. Limbs of a chain go on from each
// other and meet as they are; chains run into each other.
static const Limb s_limbs[] = {
    {{0.000, 0.905, 0.012}, {0.000, 0.938, 0.004}, 0.050, 0.062, 0},   // head
    {{0.000, 0.820, -0.010}, {0.000, 0.890, 0.000}, 0.036, 0.032, 1},  // neck
    {{0.000, 0.800, -0.004}, {0.084, 0.788, -0.004}, 0.048, 0.040, 2}, // shoulders
    {{0.000, 0.750, 0.002}, {0.000, 0.640, 0.000}, 0.066, 0.058, 3},   // breast to loins, the middle
    {{0.000, 0.640, 0.000}, {0.000, 0.535, -0.002}, 0.058, 0.066, 3},
    {{0.048, 0.750, 0.002}, {0.036, 0.640, 0.000}, 0.062, 0.052, 4}, // and the side
    {{0.036, 0.640, 0.000}, {0.052, 0.535, -0.004}, 0.052, 0.060, 4},
    {{0.062, 0.510, -0.002}, {0.066, 0.285, 0.006}, 0.056, 0.036, 5}, // thigh, shin, foot
    {{0.066, 0.285, 0.006}, {0.068, 0.060, -0.012}, 0.036, 0.024, 5},
    {{0.068, 0.029, -0.018}, {0.080, 0.020, 0.075}, 0.029, 0.020, 6},
    {{0.124, 0.785, -0.004}, {0.158, 0.630, -0.008}, 0.034, 0.026, 7}, // arm and hand
    {{0.158, 0.630, -0.008}, {0.180, 0.490, 0.010}, 0.026, 0.018, 7},
    {{0.180, 0.490, 0.010}, {0.188, 0.425, 0.020}, 0.018, 0.017, 7},
};
enum { LimbCount = sizeof s_limbs / sizeof s_limbs[0], ArmChain = 7 };

static const double s_blend = 0.03;   // how far chains run into each other
static const double s_middle = 0.008; // how far the halves do
// How fast the field can change, for skipping what is far from the surface: a capsule whose radius changes has a little more than 1.
static const double s_slope = 1.1;

static double LimbDistance(const Limb* limb, Vector p) {
    Vector axis = Add(limb->b, -1.0, limb->a), d = Add(p, -1.0, limb->a);
    double t = fmin(fmax(Dot(d, axis) / Dot(axis, axis), 0.0), 1.0);
    d = Add(d, -t, axis);
    return sqrt(Dot(d, d)) - limb->ra - t * (limb->rb - limb->ra);
}

// Negative inside.
static double Field(Vector p) {
    p.x = sqrt(p.x * p.x + s_middle * s_middle) - s_middle; // mirrored, without a crease
    double f = INFINITY;
    for (int i = 0; i < LimbCount;) {
        double chain = INFINITY;
        for (int first = i; i < LimbCount && s_limbs[i].chain == s_limbs[first].chain; ++i)
            chain = fmin(chain, LimbDistance(&s_limbs[i], p));
        double mix = fmax(s_blend - fabs(f - chain), 0.0);
        f = fmin(f, chain) - mix * mix / (4.0 * s_blend);
    }
    return f;
}

// A step toward the surface.
static Vector Approach(Vector p) {
    const double h = 1e-5;
    double f = Field(p);
    Vector g = {Field((Vector){p.x + h, p.y, p.z}) - f, Field((Vector){p.x, p.y + h, p.z}) - f, Field((Vector){p.x, p.y, p.z + h}) - f};
    return Add(p, -f * h / fmax(Dot(g, g), 0.1 * h * h), g); // hardly any where limbs cancel each other out
}

// ---- the lattice --------------------------------------------------------------------------------------------------------------

typedef struct Cutter {
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
    node.value = Field(node.p);
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
    if (fabs(centre.value) > s_slope * cutter->cell) return true;
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
    if (fabs(Field(middle)) > s_slope * cutter->cell * (0.87 * side + 1.0)) return true;
    for (int k = 0; k < 8; ++k) {
        int step = 1 << (level - 1), at[3] = {first[0] + (k & 1) * step, first[1] + (k >> 1 & 1) * step, first[2] + (k >> 2 & 1) * step};
        WF_TRY(CutBlock(cutter, at, level - 1, err));
    }
    return true;
}

// ---- evening out --------------------------------------------------------------------------------------------------------------

// Each vertex goes half the way to the middle of its neighbours and back to the surface.
static bool Spread(wfMesh* mesh, wfError* err) {
    enum { Rounds = 8 };
    wfTopology topology = {0};
    wfArena arena = {0};
    Vector* moved = wfArena_New(&arena, Vector, mesh->vertexCount, "a figure", err);
    bool ok = moved != NULL && wfTopology_Create(&topology, mesh->triangles, mesh->triangleCount, mesh->vertexCount, err);
    for (int round = 0; ok && round < Rounds; ++round) {
        for (int v = 0; v < mesh->vertexCount; ++v) {
            int first = topology.ring1.start[v], last = topology.ring1.start[v + 1];
            Vector p = {mesh->positions[v].x, mesh->positions[v].y, mesh->positions[v].z}, mean = {0, 0, 0};
            for (int k = first; k < last; ++k) {
                wfVec3 q = mesh->positions[topology.ring1.item[k]];
                mean = Add(mean, 1.0 / (last - first), (Vector){q.x, q.y, q.z});
            }
            p = Add(p, 0.5, Add(mean, -1.0, p));
            moved[v] = Approach(Approach(p));
        }
        for (int v = 0; v < mesh->vertexCount; ++v) {
            mesh->positions[v] = wfMake3((float)moved[v].x, (float)moved[v].y, (float)moved[v].z);
        }
    }
    wfTopology_Free(&topology);
    wfArena_Free(&arena);
    return ok;
}

bool wfMakeFigure(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    double height = def->size.y, edge = fmin((double)def->edge / height, 0.01); // so that the hands are still round
    // Measured: this side of a cell gives that edge, and a figure of height 1 has this surface.
    const double cellOfEdge = 2.34, area = 0.64;
    wfMeshBuilder builder = {0};
    Cutter cutter = {&builder, cellOfEdge * edge};
    double triangles = area / (0.433 * edge * edge);
    WF_TRY(wfCheckMeshSize(0.5 * triangles, triangles, err));
    int level = 1;
    while ((1 << level) * cutter.cell < 1.1) ++level;
    // Two cubes side by side, one for each half.
    const int right[3] = {0, -1, -(1 << (level - 1))}, left[3] = {-(1 << level), -1, -(1 << (level - 1))};
    bool ok = CutBlock(&cutter, left, level, err) && CutBlock(&cutter, right, level, err) && wfBuilder_Weld(&builder, err) &&
              wfBuilder_Finish(&builder, out, false, err) && Spread(out, err);
    wfBuilder_Free(&builder);
    for (int v = 0; ok && v < out->vertexCount; ++v) {
        wfVec3 p = out->positions[v];
        out->positions[v] = wfMake3((float)(height * p.x), (float)(height * (p.y - 0.5)), (float)(height * p.z));
    }
    return ok;
}

// ---- poses --------------------------------------------------------------------------------------------------------------------

static double SmoothStep(double t) {
    t = fmin(fmax(t, 0.0), 1.0);
    return t * t * (3.0 - 2.0 * t);
}

// Forward about an axis along x.
static Vector Swing(Vector p, double y, double angle) {
    double up = p.y - y, c = cos(angle), s = sin(angle);
    return (Vector){p.x, y + c * up + s * p.z, c * p.z - s * up};
}

// 0 for what belongs to the body, 1 for what belongs to an arm.
static double ArmShare(Vector p) {
    p.x = fabs(p.x) - s_middle;
    double arm = INFINITY, body = INFINITY;
    for (int i = 0; i < LimbCount; ++i) {
        double d = LimbDistance(&s_limbs[i], p);
        if (s_limbs[i].chain == ArmChain) {
            arm = fmin(arm, d);
        } else {
            body = fmin(body, d);
        }
    }
    return SmoothStep(0.5 + (body - arm) / 0.06);
}

void wfPoseFigure(const wfMesh* figure, float height, float pose, wfVec3* out) {
    const double legs = 0.42, arms = -0.3, hip = 0.50, shoulder = 0.78; // [rad], heights
    for (int v = 0; v < figure->vertexCount; ++v) {
        wfVec3 q = figure->positions[v];
        Vector p = {(double)q.x / height, (double)q.y / height + 0.5, (double)q.z / height};
        double side = fmin(fmax(p.x / 0.05, -1.0), 1.0), leg = SmoothStep((0.54 - p.y) / 0.1), arm = ArmShare(p);
        if (arm > 0.0) {
            p = Swing(p, shoulder, arms * arm * side * pose);
        } else {
            double angle = legs * leg * side * pose;
            p.y += 0.1 * fabs(angle) * fmax(1.0 - p.y / hip, 0.0); // shorter while it swings, so that the toes stay above the ground
            p = Swing(p, hip, angle);
        }
        out[v] = wfMake3((float)(height * p.x), (float)(height * (p.y - 0.5)), (float)(height * p.z));
    }
}
