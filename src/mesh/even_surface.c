// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/even_surface.h"

#include "mesh/topology.h"

#include <math.h>

// Side 3 t + k of triangle t runs from its corner k to corner k + 1; twin names the same side of the neighbour. A triangle that is gone has
// -1 for its corners.

typedef wfSurfacePoint Vector;

typedef struct Surface {
    int vertexCount, sideCount;
    Vector *x, *moved;
    int *corner, *twin; // per side
    int *out, *valence; // per vertex: a side that begins there, -1 if it is gone; how many do
    double edge;
    wfProjectFn* project;
    const void* user;
} Surface;

static Vector Mix(Vector a, double t, Vector b) { return (Vector){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)}; }
static double Distance(Vector a, Vector b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}
static double Dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static Vector Normal(Vector a, Vector b, Vector c) {
    Vector u = {b.x - a.x, b.y - a.y, b.z - a.z}, v = {c.x - a.x, c.y - a.y, c.z - a.z};
    return (Vector){u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

static int Next(int side) { return side % 3 == 2 ? side - 2 : side + 1; }
static int End(const Surface* s, int side) { return s->corner[Next(side)]; }
static int Apex(const Surface* s, int side) { return s->corner[Next(Next(side))]; }
static int Turn(const Surface* s, int side) { return s->twin[Next(Next(side))]; } // the next side out of the same vertex

static void Connect(Surface* s, int a, int b) {
    s->twin[a] = b;
    s->twin[b] = a;
}

// ---- collapses ----------------------------------------------------------------------------------------------------------------

static bool AreNeighbours(const Surface* s, int a, int b) {
    int side = s->out[a];
    do {
        if (End(s, side) == b) return true;
        side = Turn(s, side);
    } while (side != s->out[a]);
    return false;
}

// Whether the triangles about v that keep their other two corners would still face the same way, with edges not too long, were v at p.
static bool CanMove(const Surface* s, int v, int other, Vector p) {
    int side = s->out[v];
    do {
        int b = End(s, side), c = Apex(s, side);
        if (b != other && c != other) {
            Vector before = Normal(s->x[v], s->x[b], s->x[c]), after = Normal(p, s->x[b], s->x[c]);
            if (Dot(before, after) < 0.5 * sqrt(Dot(before, before) * Dot(after, after))) return false;
        }
        if (b != other && Distance(p, s->x[b]) > 1.35 * s->edge) return false;
        side = Turn(s, side);
    } while (side != s->out[v]);
    return true;
}

// Vertex b of side h = ab goes into a.
static bool Collapse(Surface* s, int h) {
    int g = s->twin[h], a = s->corner[h], b = s->corner[g], c = Apex(s, h), d = Apex(s, g);
    if (s->valence[c] <= 4 || s->valence[d] <= 4 || s->valence[a] + s->valence[b] > 12) return false;
    int common = 0, side = s->out[b];
    do {
        common += AreNeighbours(s, a, End(s, side));
        side = Turn(s, side);
    } while (side != s->out[b]);
    Vector p = s->project(Mix(s->x[a], 0.5, s->x[b]), s->user);
    if (common != 2 || !CanMove(s, a, b, p) || !CanMove(s, b, a, p)) return false;

    int beyond[4] = {s->twin[Next(h)], s->twin[Next(Next(h))], s->twin[Next(g)], s->twin[Next(Next(g))]}; // of bc, ca, ad, db
    side = s->out[b];
    do {
        int turn = Turn(s, side);
        s->corner[side] = a;
        side = turn;
    } while (side != s->out[b]);
    Connect(s, beyond[0], beyond[1]);
    Connect(s, beyond[2], beyond[3]);
    for (int k = 0; k < 3; ++k) s->corner[h - h % 3 + k] = s->corner[g - g % 3 + k] = -1;
    s->out[b] = -1;
    s->out[c] = beyond[0];
    s->out[a] = beyond[1];
    s->out[d] = beyond[2];
    s->valence[a] += s->valence[b] - 4;
    --s->valence[c];
    --s->valence[d];
    s->x[a] = p;
    return true;
}

// ---- flips --------------------------------------------------------------------------------------------------------------------

static int Square(int n) { return n * n; }

// abc with side h = ab, bad with side g = ba, become adc and bcd, where that brings the vertices closer to six neighbours.
static bool Flip(Surface* s, int h) {
    int g = s->twin[h], a = s->corner[h], b = s->corner[g], c = Apex(s, h), d = Apex(s, g);
    const int* n = s->valence;
    int before = Square(n[a] - 6) + Square(n[b] - 6) + Square(n[c] - 6) + Square(n[d] - 6);
    int after = Square(n[a] - 7) + Square(n[b] - 7) + Square(n[c] - 5) + Square(n[d] - 5);
    if (after >= before || n[a] <= 4 || n[b] <= 4 || AreNeighbours(s, c, d)) return false;
    if (Distance(s->x[c], s->x[d]) > 1.6 * s->edge) return false;
    Vector old[2] = {Normal(s->x[a], s->x[b], s->x[c]), Normal(s->x[b], s->x[a], s->x[d])};
    Vector new[2] = {Normal(s->x[a], s->x[d], s->x[c]), Normal(s->x[b], s->x[c], s->x[d])};
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 2; ++k) {
            if (Dot(old[i], new[k]) < 0.7 * sqrt(Dot(old[i], old[i]) * Dot(new[k], new[k]))) return false;
        }
    int h1 = Next(h), g1 = Next(g), beyondH = s->twin[h1], beyondG = s->twin[g1];
    s->corner[h1] = d;
    s->corner[g1] = c;
    Connect(s, h, beyondG);
    Connect(s, g, beyondH);
    Connect(s, h1, g1);
    s->out[a] = h;
    s->out[b] = g;
    s->out[c] = g1;
    s->out[d] = h1;
    --s->valence[a];
    --s->valence[b];
    ++s->valence[c];
    ++s->valence[d];
    return true;
}

// ---- all together -------------------------------------------------------------------------------------------------------------

static void Spread(Surface* s) {
    for (int v = 0; v < s->vertexCount; ++v) {
        if (s->out[v] < 0) continue;
        Vector mean = {0, 0, 0};
        int side = s->out[v];
        do {
            Vector q = s->x[End(s, side)];
            mean = (Vector){mean.x + q.x / s->valence[v], mean.y + q.y / s->valence[v], mean.z + q.z / s->valence[v]};
            side = Turn(s, side);
        } while (side != s->out[v]);
        s->moved[v] = s->project(Mix(s->x[v], 0.6, mean), s->user);
    }
    for (int v = 0; v < s->vertexCount; ++v) {
        if (s->out[v] >= 0) s->x[v] = s->moved[v];
    }
}

static void Improve(Surface* s) {
    enum { Rounds = 7, Flips = 4, Spreads = 4 };
    for (int round = 0; round < Rounds; ++round) {
        // The shortest go first, so that what is left is even.
        for (double share = 0.4; share < 0.85; share += 0.1)
            for (int h = 0; h < s->sideCount; ++h) {
                if (s->corner[h] < 0 || s->corner[h] > End(s, h)) continue;
                if (Distance(s->x[s->corner[h]], s->x[End(s, h)]) < share * s->edge) Collapse(s, h);
            }
        bool flipped = true;
        for (int k = 0; flipped && k < Flips; ++k) {
            flipped = false;
            for (int h = 0; h < s->sideCount; ++h) {
                if (s->corner[h] >= 0 && s->corner[h] < End(s, h)) flipped = Flip(s, h) || flipped;
            }
        }
        for (int k = 0; k < Spreads; ++k) Spread(s);
    }
    for (int v = 0; v < s->vertexCount; ++v) {
        if (s->out[v] >= 0) s->x[v] = s->project(s->x[v], s->user);
    }
}

static bool Open(Surface* s, const wfMesh* mesh, wfArena* arena, wfError* err) {
    int n = mesh->vertexCount, sides = 3 * mesh->triangleCount;
    s->vertexCount = n;
    s->sideCount = sides;
    s->x = wfArena_New(arena, Vector, n, "a surface", err);
    s->moved = wfArena_New(arena, Vector, n, "a surface", err);
    s->corner = wfArena_New(arena, int, sides, "a surface", err);
    s->twin = wfArena_New(arena, int, sides, "a surface", err);
    s->out = wfArena_New(arena, int, n, "a surface", err);
    s->valence = wfArena_New(arena, int, n, "a surface", err);
    if (s->x == NULL || s->moved == NULL || s->corner == NULL || s->twin == NULL || s->out == NULL || s->valence == NULL) return false;
    wfTopology topology;
    WF_TRY(wfTopology_Create(&topology, mesh->triangles, mesh->triangleCount, n, err));
    bool ok = wfTopology_RequireManifold(&topology, "a surface", err);
    if (ok && topology.boundaryEdgeCount > 0) ok = wfFail(err, wf_badInput, "a surface: expected a closed one");
    for (int side = 0; ok && side < sides; ++side) {
        const wfEdge* edge = &topology.edges[topology.triangleEdges[side / 3][side % 3]];
        int other = edge->triangle[0] == side / 3 ? edge->triangle[1] : edge->triangle[0];
        for (int k = 0; k < 3; ++k)
            if (topology.triangleEdges[other][k] == topology.triangleEdges[side / 3][side % 3]) s->twin[side] = 3 * other + k;
        s->corner[side] = mesh->triangles[side / 3].v[side % 3];
        s->out[s->corner[side]] = side;
        ++s->valence[s->corner[side]];
    }
    wfTopology_Free(&topology);
    for (int v = 0; v < n; ++v) s->x[v] = (Vector){mesh->positions[v].x, mesh->positions[v].y, mesh->positions[v].z};
    return ok;
}

static bool Close(const Surface* s, wfMesh* mesh, wfError* err) {
    int vertexCount = 0, triangleCount = 0, t = 0;
    wfMesh even = {0};
    for (int v = 0; v < s->vertexCount; ++v) s->valence[v] = s->out[v] < 0 ? -1 : vertexCount++; // its number from now on
    for (int h = 0; h < s->sideCount; h += 3) triangleCount += s->corner[h] >= 0;
    WF_TRY(wfMesh_Create(&even, vertexCount, triangleCount, false, err));
    for (int v = 0; v < s->vertexCount; ++v) {
        if (s->out[v] >= 0) even.positions[s->valence[v]] = wfMake3((float)s->x[v].x, (float)s->x[v].y, (float)s->x[v].z);
    }
    for (int h = 0; h < s->sideCount; h += 3) {
        if (s->corner[h] < 0) continue;
        for (int k = 0; k < 3; ++k) even.triangles[t].v[k] = s->valence[s->corner[h + k]];
        ++t;
    }
    wfMesh_Free(mesh);
    *mesh = even;
    return true;
}

bool wfEvenSurface(wfMesh* mesh, double edge, wfProjectFn* project, const void* user, wfError* err) {
    wfArena arena = {0};
    Surface s = {.edge = edge, .project = project, .user = user};
    bool ok = Open(&s, mesh, &arena, err);
    if (ok) {
        Improve(&s);
        ok = Close(&s, mesh, err);
    }
    wfArena_Free(&arena);
    return ok;
}
