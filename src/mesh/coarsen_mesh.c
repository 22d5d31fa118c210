// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/coarsen_mesh.h"

#include "base/assert.h"

#include <string.h>

#define PI 3.14159265358979323846

enum { MostRing = wf_mostFan + 1, MostPasses = 16 };

/// Some triangles laid out in the plane, and the polygon about them with its new triangles.
typedef struct Patch {
    int oldCount, ringCount, newCount;
    bool open;     // the side from the last vertex of the ring to the first is new: a chord
    bool oneChart; // the triangles lie in one flat pattern: places are the pattern's own
    int old[wf_mostFan];
    wfPoint2 place[wf_mostFan][3]; // of the corners of old triangles
    double turn[wf_mostFan];       // angle from an old triangle's own frame to the patch
    int ring[MostRing];            // counter-clockwise
    wfPoint2 at[MostRing];
    int beyond[MostRing]; // the side that the side from this vertex of the ring to the next has as its twin
    bool seam[MostRing];
    int cut[wf_mostFan][3]; // new triangles, as places in the ring
    int chord;              // the side that the chord became
} Patch;

static wfPoint2 Minus(wfPoint2 a, wfPoint2 b) { return (wfPoint2){a.x - b.x, a.y - b.y}; }
static double Cross(wfPoint2 a, wfPoint2 b) { return a.x * b.y - a.y * b.x; }
static double Dot(wfPoint2 a, wfPoint2 b) { return a.x * b.x + a.y * b.y; }
static bool Same(wfPoint2 a, wfPoint2 b) { return a.x == b.x && a.y == b.y; }
static double TwiceArea(wfPoint2 a, wfPoint2 b, wfPoint2 c) { return Cross(Minus(b, a), Minus(c, a)); }
static double Angle(wfPoint2 at, wfPoint2 a, wfPoint2 b) {
    wfPoint2 p = Minus(a, at), q = Minus(b, at);
    return atan2(fabs(Cross(p, q)), Dot(p, q));
}

// ---- from a model -------------------------------------------------------------------------------------------------------------

static int SideOfEdge(const wfTopology* topology, int triangle, int edge) {
    for (int k = 0; k < 3; ++k)
        if (topology->triangleEdges[triangle][k] == edge) return 3 * triangle + k;
    WF_ASSERT(false);
    return -1;
}

static bool Agree(const wfCoarsener* m, int side) {
    int twin = m->twin[side];
    return twin >= 0 && m->turned[side / 3] == m->turned[twin / 3] && Same(m->at[side], m->at[wfNextSide(twin)]) &&
           Same(m->at[wfNextSide(side)], m->at[twin]);
}

static bool InPattern(const wfCoarsener* m, int triangle) {
    return Agree(m, 3 * triangle) || Agree(m, 3 * triangle + 1) || Agree(m, 3 * triangle + 2);
}

bool wfCoarsener_Create(wfCoarsener* m, const wfModel* model, wfError* err) {
    const wfTopology* topology = model->topology;
    int n = m->vertexCount = model->vertexCount, triangleCount = m->triangleCount = model->triangleCount;
    size_t sideCount = 3 * (size_t)triangleCount;
    WF_TRY(wfTopology_RequireManifold(topology, "coarsening", err));
    m->corner = wfArena_New(&m->arena, int, sideCount, "coarsening", err);
    m->twin = wfArena_New(&m->arena, int, sideCount, "coarsening", err);
    m->seam = wfArena_New(&m->arena, bool, sideCount, "coarsening", err);
    m->at = wfArena_New(&m->arena, wfPoint2, sideCount, "coarsening", err);
    m->turned = wfArena_New(&m->arena, bool, triangleCount, "coarsening", err);
    m->sideOf = wfArena_New(&m->arena, int, n, "coarsening", err);
    m->home = wfArena_New(&m->arena, int, n, "coarsening", err);
    m->weight = wfArena_Alloc(&m->arena, (size_t)n, sizeof *m->weight, "coarsening", err);
    m->nextPoint = wfArena_New(&m->arena, int, n, "coarsening", err);
    m->firstPoint = wfArena_New(&m->arena, int, triangleCount, "coarsening", err);
    if (!m->corner || !m->twin || !m->seam || !m->at || !m->turned || !m->sideOf || !m->home || !m->weight || !m->nextPoint ||
        !m->firstPoint)
        return false;
    for (int v = 0; v < n; ++v) m->home[v] = m->sideOf[v] = -1;
    for (int t = 0; t < triangleCount; ++t) {
        const wfVec2* flat = model->flat[t].corner;
        m->firstPoint[t] = -1;
        for (int k = 0; k < 3; ++k) {
            m->corner[3 * t + k] = model->triangles[t].v[k];
            m->sideOf[model->triangles[t].v[k]] = 3 * t + k;
            m->twin[3 * t + k] = -1;
            m->at[3 * t + k] = (wfPoint2){flat[k].x, flat[k].y};
        }
        m->turned[t] = TwiceArea(m->at[3 * t], m->at[3 * t + 1], m->at[3 * t + 2]) < 0.0;
        for (int k = 0; k < 3 && m->turned[t]; ++k) m->at[3 * t + k].y = -m->at[3 * t + k].y;
    }
    for (int e = 0; e < topology->edgeCount; ++e) {
        const wfEdge* edge = &topology->edges[e];
        if (edge->triangle[1] < 0) continue;
        int a = SideOfEdge(topology, edge->triangle[0], e), b = SideOfEdge(topology, edge->triangle[1], e);
        m->twin[a] = b;
        m->twin[b] = a;
    }
    for (int side = 0; side < 3 * triangleCount; ++side)
        m->seam[side] = m->twin[side] >= 0 && !Agree(m, side) && InPattern(m, side / 3) && InPattern(m, m->twin[side] / 3);
    return true;
}

void wfCoarsener_Free(wfCoarsener* m) {
    wfArena_Free(&m->arena);
    *m = (wfCoarsener){0};
}

// ---- replacing triangles ------------------------------------------------------------------------------------------------------

/// Area of the part of triangle b inside triangle a, both counter-clockwise: b clipped by the three sides of a.
static double Overlap(const wfPoint2 a[3], const wfPoint2 b[3]) {
    wfPoint2 shape[2][9];
    int count = 3, now = 0;
    memcpy(shape[0], b, 3 * sizeof *b);
    for (int k = 0; k < 3; ++k) {
        wfPoint2 from = a[k], along = Minus(a[(k + 1) % 3], from);
        int kept = 0;
        for (int i = 0; i < count; ++i) {
            wfPoint2 p = shape[now][i], q = shape[now][(i + 1) % count];
            double hp = Cross(along, Minus(p, from)), hq = Cross(along, Minus(q, from));
            if (hp >= 0.0) shape[1 - now][kept++] = p;
            if ((hp > 0.0 && hq < 0.0) || (hp < 0.0 && hq > 0.0)) {
                double s = hp / (hp - hq);
                shape[1 - now][kept++] = (wfPoint2){p.x + s * (q.x - p.x), p.y + s * (q.y - p.y)};
            }
        }
        now = 1 - now;
        count = kept;
    }
    double twice = 0.0;
    for (int i = 2; i < count; ++i) twice += TwiceArea(shape[now][0], shape[now][i - 1], shape[now][i]);
    return 0.5 * twice;
}

/// The angle of the warp in a new triangle: the mean of what it covers. A thread has no sense of direction, so twice the angle counts.
static double WarpIn(const Patch* p, const wfPoint2 shape[3]) {
    double c = 0.0, s = 0.0;
    for (int i = 0; i < p->oldCount; ++i) {
        double weight = Overlap(shape, p->place[i]);
        c += weight * cos(2.0 * p->turn[i]);
        s += weight * sin(2.0 * p->turn[i]);
    }
    return 0.5 * atan2(s, c);
}

/// Takes the points out of the old triangles: one chain, with their places in the patch kept where their weights were.
static int CollectPoints(wfCoarsener* m, const Patch* p) {
    int first = -1;
    for (int i = 0; i < p->oldCount; ++i) {
        for (int v = m->firstPoint[p->old[i]], next; v >= 0; v = next) {
            next = m->nextPoint[v];
            double *w = m->weight[v], x = 0.0, y = 0.0;
            for (int k = 0; k < 3; ++k) {
                x += w[k] * p->place[i][k].x;
                y += w[k] * p->place[i][k].y;
            }
            w[0] = x;
            w[1] = y;
            m->nextPoint[v] = first;
            first = v;
        }
        m->firstPoint[p->old[i]] = -1;
    }
    return first;
}

/// Puts a point into the new triangle that holds it, or is nearest to doing so.
static void PutPoint(wfCoarsener* m, const Patch* p, int v) {
    wfPoint2 at = {m->weight[v][0], m->weight[v][1]};
    double best = -INFINITY;
    for (int i = 0; i < p->newCount; ++i) {
        wfPoint2 a = p->at[p->cut[i][0]], b = p->at[p->cut[i][1]], c = p->at[p->cut[i][2]];
        double twice = TwiceArea(a, b, c), w[3] = {TwiceArea(at, b, c) / twice, TwiceArea(a, at, c) / twice, 0.0};
        w[2] = 1.0 - w[0] - w[1];
        double least = fmin(w[0], fmin(w[1], w[2]));
        if (least <= best) continue;
        best = least;
        m->home[v] = p->old[i]; // the new triangle takes its number
        memcpy(m->weight[v], w, sizeof w);
    }
    if (best < 0.0 && !p->open && !p->oneChart) { // a full turn that was stretched flat may push its middle out by a little
        double *w = m->weight[v], sum = 0.0;
        for (int k = 0; k < 3; ++k) sum += w[k] = fmax(w[k], 0.0);
        for (int k = 0; k < 3; ++k) w[k] /= sum;
    }
    m->nextPoint[v] = m->firstPoint[m->home[v]];
    m->firstPoint[m->home[v]] = v;
}

static void Connect(wfCoarsener* m, int side, int other, bool seam) {
    m->twin[side] = other;
    m->seam[side] = seam;
    if (other >= 0) m->twin[other] = side;
}

/// The new triangles take the places of the old ones; those left over are gone.
static void Replace(wfCoarsener* m, Patch* p) {
    int points = CollectPoints(m, p);
    bool turned = m->turned[p->old[0]];
    for (int i = 0; i < p->newCount; ++i) {
        int t = p->old[i];
        wfPoint2 shape[3];
        for (int k = 0; k < 3; ++k) {
            m->corner[3 * t + k] = p->ring[p->cut[i][k]];
            m->sideOf[p->ring[p->cut[i][k]]] = 3 * t + k;
            shape[k] = p->at[p->cut[i][k]];
        }
        if (!p->oneChart) {
            double angle = WarpIn(p, shape), c = cos(angle), s = sin(angle);
            for (int k = 0; k < 3; ++k) shape[k] = (wfPoint2){c * shape[k].x + s * shape[k].y, c * shape[k].y - s * shape[k].x};
        }
        memcpy(&m->at[3 * t], shape, sizeof shape);
        m->turned[t] = turned;
    }
    for (int i = p->newCount; i < p->oldCount; ++i)
        for (int k = 0; k < 3; ++k) m->corner[3 * p->old[i] + k] = -1;
    for (int i = 0; i < p->newCount; ++i)
        for (int k = 0; k < 3; ++k) {
            int side = 3 * p->old[i] + k, a = p->cut[i][k], b = p->cut[i][(k + 1) % 3];
            if (b == (a + 1) % p->ringCount) {
                if (p->open && b == 0) {
                    Connect(m, side, -1, false);
                    p->chord = side;
                } else {
                    Connect(m, side, p->beyond[a], p->seam[a]);
                }
                continue;
            }
            for (int j = 0; j < 3 * p->newCount; ++j)
                if (p->cut[j / 3][j % 3] == b && p->cut[j / 3][(j + 1) % 3] == a) Connect(m, side, 3 * p->old[j / 3] + j % 3, false);
        }
    for (int v = points, next; v >= 0; v = next) {
        next = m->nextPoint[v];
        PutPoint(m, p, v);
    }
}

// ---- taking a vertex out ------------------------------------------------------------------------------------------------------

/// The side from the vertex that comes next when turning counter-clockwise, or -1 at the boundary.
static int TurnLeft(const wfCoarsener* m, int side) { return m->twin[wfPreviousSide(side)]; }

/// Where a walk about a vertex begins: at a boundary or seam, as far clockwise as one comes; anywhere else.
static int FirstSide(const wfCoarsener* m, int vertex) {
    int side = m->sideOf[vertex];
    for (int first = side; m->twin[side] >= 0 && !m->seam[side];) {
        side = wfNextSide(m->twin[side]);
        if (side == first) break;
    }
    return side;
}

static bool Adjacent(const wfCoarsener* m, int a, int b) {
    int first = m->sideOf[a], side = first;
    do {
        if (m->corner[wfNextSide(side)] == b || m->corner[wfPreviousSide(side)] == b) return true;
        side = TurnLeft(m, side);
    } while (side >= 0 && side != first);
    if (side == first) return false;
    for (side = m->twin[first]; side >= 0; side = m->twin[wfNextSide(side)]) // the rest of an open fan, clockwise
        if (m->corner[wfPreviousSide(side)] == b) return true;
    return false;
}

/// Collects the triangles about the vertex at the beginning of `side` until the boundary, a seam or the first one. Returns the side to go
/// on from, -1 at the boundary. False where there are too many.
static bool CollectFan(const wfCoarsener* m, Patch* p, int side, int* goOn) {
    int first = side;
    p->oldCount = p->ringCount = 0;
    for (;;) {
        if (p->oldCount == wf_mostFan) return false;
        int outer = wfNextSide(side), inner = wfPreviousSide(side);
        p->old[p->oldCount++] = side / 3;
        p->ring[p->ringCount] = m->corner[outer];
        p->beyond[p->ringCount] = m->twin[outer];
        p->seam[p->ringCount++] = m->seam[outer];
        *goOn = m->twin[inner];
        p->open = *goOn < 0 || m->seam[inner];
        if (p->open) p->ring[p->ringCount++] = m->corner[inner];
        if (p->open || *goOn == first) return true;
        side = *goOn;
    }
}

static int CornerOf(const wfCoarsener* m, int triangle, int vertex) {
    return m->corner[3 * triangle] == vertex ? 0 : m->corner[3 * triangle + 1] == vertex ? 1 : 2;
}

/// Lays the fan out. In a flat pattern everything is in place already; elsewhere angles follow each other about the vertex, stretched to
/// make a full turn where the fan is closed. False where an open fan would overlap itself.
static bool LayOutFan(const wfCoarsener* m, Patch* p, int vertex) {
    int n = p->oldCount;
    wfPoint2 u[wf_mostFan], a[wf_mostFan], b[wf_mostFan];
    for (int i = 0; i < n; ++i) {
        int t = p->old[i], k = CornerOf(m, t, vertex);
        u[i] = m->at[3 * t + k];
        a[i] = m->at[3 * t + (k + 1) % 3];
        b[i] = m->at[3 * t + (k + 2) % 3];
    }
    p->oneChart = p->open || Same(b[n - 1], a[0]);
    for (int i = 1; i < n; ++i)
        p->oneChart = p->oneChart && Same(u[i], u[0]) && Same(b[i - 1], a[i]) && m->turned[p->old[i]] == m->turned[p->old[0]];
    wfPoint2 middle = u[0];
    if (p->oneChart) {
        for (int i = 0; i < n; ++i) p->at[i] = a[i];
        if (p->open) p->at[n] = b[n - 1];
        for (int i = 0; i < n; ++i) p->turn[i] = 0.0;
    } else {
        double sum = 0.0;
        for (int i = 0; i < n; ++i) sum += Angle(u[i], a[i], b[i]);
        if (p->open && sum > 1.9 * PI) return false;
        double stretch = p->open ? 1.0 : 2.0 * PI / sum, angle = atan2(a[0].y - u[0].y, a[0].x - u[0].x);
        middle = (wfPoint2){0.0, 0.0};
        for (int i = 0; i < p->ringCount; ++i) {
            double length = 0.0; // a seam may have a length on either side: take the mean
            int sides = 0;
            if (i < n) length += sqrt(Dot(Minus(a[i], u[i]), Minus(a[i], u[i]))), ++sides;
            int before = i > 0 ? i - 1 : p->open ? -1 : n - 1;
            if (before >= 0) length += sqrt(Dot(Minus(b[before], u[before]), Minus(b[before], u[before]))), ++sides;
            p->at[i] = (wfPoint2){length / sides * cos(angle), length / sides * sin(angle)};
            if (i == n) break;
            double own = atan2(a[i].y - u[i].y, a[i].x - u[i].x), here = Angle(u[i], a[i], b[i]);
            p->turn[i] = angle + 0.5 * stretch * here - (own + 0.5 * here);
            angle += stretch * here;
        }
    }
    for (int i = 0; i < n; ++i) {
        int k = CornerOf(m, p->old[i], vertex);
        p->place[i][k] = middle;
        p->place[i][(k + 1) % 3] = p->at[i];
        p->place[i][(k + 2) % 3] = p->at[(i + 1) % p->ringCount];
    }
    return true;
}

/// How good a triangle is: 1 when equilateral, 0 when it has no area, negative when it is turned over.
static double Shape(wfPoint2 a, wfPoint2 b, wfPoint2 c) {
    wfPoint2 ab = Minus(b, a), bc = Minus(c, b), ca = Minus(a, c);
    return 2.0 * sqrt(3.0) * Cross(ab, Minus(c, a)) / (Dot(ab, ab) + Dot(bc, bc) + Dot(ca, ca));
}

static bool Holds(const Patch* p, int a, int b, int c, int other) {
    wfPoint2 at = p->at[other];
    return TwiceArea(p->at[a], p->at[b], at) >= 0.0 && TwiceArea(p->at[b], p->at[c], at) >= 0.0 && TwiceArea(p->at[c], p->at[a], at) >= 0.0;
}

/// The best ear at the i-th of the vertices left, or a negative number where there is none: turned over, too thin, over another vertex, or
/// closed by an edge that the mesh has already.
static double EarAt(const wfCoarsener* m, const Patch* p, const int* left, int count, int i) {
    const double thinnest = 0.01;
    int a = left[(i + count - 1) % count], b = left[i], c = left[(i + 1) % count];
    double shape = Shape(p->at[a], p->at[b], p->at[c]);
    if (!(shape > thinnest)) return -1.0;
    for (int j = 0; j < count; ++j)
        if (left[j] != a && left[j] != b && left[j] != c && Holds(p, a, b, c, left[j])) return -1.0;
    if (count > 3 && Adjacent(m, p->ring[a], p->ring[c])) return -1.0;
    return shape;
}

static bool Triangulate(const wfCoarsener* m, Patch* p) {
    int left[MostRing], count = p->ringCount;
    if (count < 3 || (p->open && Adjacent(m, p->ring[0], p->ring[count - 1]))) return false;
    for (int i = 0; i < count; ++i) left[i] = i;
    p->newCount = 0;
    while (count >= 3) {
        int ear = -1;
        double best = 0.0;
        for (int i = 0; i < count; ++i) {
            double shape = EarAt(m, p, left, count, i);
            if (shape > best) {
                best = shape;
                ear = i;
            }
            if (count == 3) break; // all three are the same
        }
        if (ear < 0) return false;
        int* cut = p->cut[p->newCount++];
        cut[0] = left[(ear + count - 1) % count];
        cut[1] = left[ear];
        cut[2] = left[(ear + 1) % count];
        for (int i = ear; i < count - 1; ++i) left[i] = left[i + 1];
        --count;
        if (count == 2) break;
    }
    // Three triangles about a vertex of a tetrahedron: the hole's triangle is there already, on the other side.
    if (p->ringCount == 3 && !p->open && p->beyond[0] >= 0 && m->corner[wfPreviousSide(p->beyond[0])] == p->ring[2]) return false;
    return true;
}

bool wfCoarsener_Remove(wfCoarsener* m, int vertex, int* ring, int* ringCount) {
    Patch part[2];
    int side = FirstSide(m, vertex), count = 0, first = side;
    do {
        if (count == 2) return false; // where seams meet, or one ends
        Patch* p = &part[count++];
        if (!CollectFan(m, p, side, &side) || !LayOutFan(m, p, vertex) || !Triangulate(m, p)) return false;
    } while (side >= 0 && side != first);
    if (count == 1 && part[0].open && side >= 0) return false;         // the end of a seam
    if (side < 0 && (count == 2 || m->twin[first] >= 0)) return false; // a seam that meets the boundary
    *ringCount = 0;
    for (int s = 0; s < count; ++s)
        for (int i = 0; i < part[s].ringCount; ++i) {
            bool again = s == 1 && (i == 0 || i == part[s].ringCount - 1); // both halves have the neighbours along the seam
            if (!again && *ringCount <= wf_mostFan) ring[(*ringCount)++] = part[s].ring[i];
        }
    // The vertex becomes a point of the first part.
    int t = part[0].old[0], k = CornerOf(m, t, vertex);
    for (int j = 0; j < 3; ++j) m->weight[vertex][j] = j == k ? 1.0 : 0.0;
    m->nextPoint[vertex] = m->firstPoint[t];
    m->firstPoint[t] = vertex;
    m->sideOf[vertex] = -1;
    for (int s = 0; s < count; ++s) Replace(m, &part[s]);
    if (count == 2) {
        Connect(m, part[0].chord, part[1].chord, true);
        m->seam[part[1].chord] = true;
    }
    return true;
}

// ---- flips --------------------------------------------------------------------------------------------------------------------

/// Both triangles of an edge, the second unfolded into the plane of the first.
static void LayOutPair(const wfCoarsener* m, Patch* p, int side) {
    int twin = m->twin[side], t = side / 3, other = twin / 3;
    wfPoint2 a = m->at[side], b = m->at[wfNextSide(side)], c = m->at[wfPreviousSide(side)], d = m->at[wfPreviousSide(twin)];
    p->oneChart = Agree(m, side);
    double turn = 0.0;
    if (!p->oneChart) {
        wfPoint2 along = Minus(b, a), own = Minus(m->at[twin], m->at[wfNextSide(twin)]), to = Minus(d, m->at[wfNextSide(twin)]);
        turn = atan2(Cross(own, along), Dot(own, along));
        double co = cos(turn), si = sin(turn);
        d = (wfPoint2){a.x + co * to.x - si * to.y, a.y + si * to.x + co * to.y};
    }
    const int sides[4] = {wfNextSide(twin), wfPreviousSide(twin), wfNextSide(side), wfPreviousSide(side)}; // a d b c
    const wfPoint2 at[4] = {a, d, b, c};
    for (int i = 0; i < 4; ++i) {
        p->ring[i] = m->corner[sides[i]];
        p->at[i] = at[i];
        p->beyond[i] = m->twin[sides[i]];
        p->seam[i] = m->seam[sides[i]];
    }
    p->ringCount = 4;
    p->open = false;
    p->oldCount = p->newCount = 2;
    p->old[0] = t;
    p->old[1] = other;
    p->turn[0] = 0.0;
    p->turn[1] = turn;
    p->place[0][side % 3] = a;
    p->place[0][wfNextSide(side) % 3] = b;
    p->place[0][wfPreviousSide(side) % 3] = c;
    p->place[1][twin % 3] = b;
    p->place[1][wfNextSide(twin) % 3] = a;
    p->place[1][wfPreviousSide(twin) % 3] = d;
    const int cut[2][3] = {{0, 1, 3}, {1, 2, 3}};
    memcpy(p->cut, cut, sizeof cut);
}

static bool FlipOnce(wfCoarsener* m) {
    bool flipped = false;
    Patch p;
    for (int side = 0; side < 3 * m->triangleCount; ++side) {
        int twin = m->twin[side];
        if (m->corner[side] < 0 || twin < side || m->seam[side]) continue; // each edge once; boundary sides have -1
        int c = wfPreviousSide(side), d = wfPreviousSide(twin);
        double sum = Angle(m->at[c], m->at[side], m->at[wfNextSide(side)]) + Angle(m->at[d], m->at[twin], m->at[wfNextSide(twin)]);
        if (sum < PI + 1e-6 || Adjacent(m, m->corner[c], m->corner[d])) continue;
        LayOutPair(m, &p, side);
        double before = fmin(Shape(p.at[0], p.at[2], p.at[3]), Shape(p.at[2], p.at[0], p.at[1]));
        if (!(fmin(Shape(p.at[0], p.at[1], p.at[3]), Shape(p.at[1], p.at[2], p.at[3])) > fmin(before, 1e-3))) continue;
        Replace(m, &p);
        flipped = true;
    }
    return flipped;
}

void wfCoarsener_Flip(wfCoarsener* m) {
    for (int pass = 0; pass < MostPasses && FlipOnce(m); ++pass) {}
}
