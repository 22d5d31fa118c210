// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/relax.h"

#include "mesh/sides.h"

#include <string.h>

#define MIN_AREA 0.05  // doubled area of a triangle, in squared edges, below which none is brought
#define MAX_MOVE 0.2   // of an edge in one step
#define NOTHING  1e-6  // cost of an edge that needs no better
#define HOPE     100.0 // times what is needed: a change that costs more than this after a few moves is given up
#define LOST     1e12  // times what is needed: the sum of what a change costs and what moves then gain would be rounded away
#define LITTLE   1e-2  // of what is needed: a sweep about a change that gains less is the last
#define STIRRING 1e-2  // of the cost of an edge that is off by OFF: a move that gains less wakes nobody
#define OFF      1.17
enum { maxUndo = 1 << 15, undoReserve = 512 };

static bool HasRoom(const wfRelax* r) { return !r->recording || r->undoCount + undoReserve <= maxUndo; }

static void SetInt(wfRelax* r, int* place, int value) {
    if (r->recording) r->undo[r->undoCount++] = (wfUndo){.place = place, .value = *place};
    *place = value;
}

static void SetPoint(wfRelax* r, int v, double x, double y, double share) {
    if (r->recording) r->undo[r->undoCount++] = (wfUndo){.value = v, .x = {r->x[v][0], r->x[v][1]}, .share = r->share[v]};
    r->x[v][0] = x;
    r->x[v][1] = y;
    r->share[v] = share;
}

static void UndoAll(wfRelax* r) {
    while (r->undoCount > 0) {
        const wfUndo* u = &r->undo[--r->undoCount];
        if (u->place != NULL) {
            *u->place = u->value;
        } else {
            memcpy(r->x[u->value], u->x, sizeof u->x);
            r->share[u->value] = u->share;
        }
    }
}

// ---- costs --------------------------------------------------------------------------------------------------------------------

double wfRelax_LengthSq(const wfRelax* r, int a, int b) {
    double dx = r->x[b][0] - r->x[a][0], dy = r->x[b][1] - r->x[a][1];
    return dx * dx + dy * dy;
}

static double PowerOf(const wfRelax* r, double s) {
    for (int i = 0; i < r->doublings; ++i) s *= s;
    return s;
}

double wfRelax_Cost(const wfRelax* r, double lengthSq) {
    double s = PowerOf(r, lengthSq / r->target);
    return s + 1.0 / s - 2.0;
}

static double EdgeCost(const wfRelax* r, int a, int b) { return wfRelax_Cost(r, wfRelax_LengthSq(r, a, b)); }

/// Doubled area, in squared edges.
static double Area(const wfRelax* r, int a, int b, int c) {
    const double *p = r->x[a], *q = r->x[b], *s = r->x[c];
    return ((q[0] - p[0]) * (s[1] - p[1]) - (q[1] - p[1]) * (s[0] - p[0])) / r->target;
}

// ---- neighbourhoods -----------------------------------------------------------------------------------------------------------

static int Apex(const wfRelax* r, int side) { return r->corner[wfPreviousSide(side)]; }
static int EndOf(const wfRelax* r, int side) { return r->corner[wfNextSide(side)]; }

/// The side of a vertex from which all others follow counter-clockwise: any, or on the boundary the last one clockwise.
static int FirstSide(const wfRelax* r, int v) {
    int first = r->sideOf[v], h = first;
    while (r->twin[h] >= 0) {
        h = wfNextSide(r->twin[h]);
        if (h == first) break;
    }
    return h;
}

/// The neighbours of a vertex, counter-clockwise, on the boundary from one end to the other. -1 where there are more than wf_maxRing.
static int Ring(const wfRelax* r, int v, int* out, bool* closed) {
    int first = FirstSide(r, v), h = first, count = 0;
    *closed = r->twin[h] >= 0;
    for (;;) {
        if (count + 2 > wf_maxRing) return -1;
        out[count++] = EndOf(r, h);
        int m = wfPreviousSide(h);
        if (r->twin[m] < 0) {
            out[count++] = r->corner[m];
            return count;
        }
        h = r->twin[m];
        if (h == first) return count;
    }
}

static double RingCost(const wfRelax* r, int v, const int* ring, int count) {
    double sum = 0.0;
    for (int k = 0; k < count; ++k) sum += EdgeCost(r, v, ring[k]);
    return sum;
}

/// The least doubled area about v.
static double LeastArea(const wfRelax* r, int v, const int* ring, int count, bool closed) {
    double least = INFINITY;
    for (int k = 0; k < count - !closed; ++k) least = fmin(least, Area(r, v, ring[k], ring[(k + 1) % count]));
    return least;
}

// ---- moving a vertex ----------------------------------------------------------------------------------------------------------

/// What the edges at a vertex want of it.
typedef struct Pull {
    double cost, worst; // of all, of one
    double g[2], xx, xy, yy;
} Pull;

static Pull PullAt(const wfRelax* r, int v, const int* ring, int count) {
    int k = 1 << r->doublings;
    Pull out = {0};
    for (int i = 0; i < count; ++i) {
        double dx = r->x[v][0] - r->x[ring[i]][0], dy = r->x[v][1] - r->x[ring[i]][1];
        double s = (dx * dx + dy * dy) / r->target, p = PowerOf(r, s), q = 1.0 / p;
        double slope = k * (p - q) / s, bend = k * ((k - 1) * p + (k + 1) * q) / (s * s); // of the cost by s
        double along = 4.0 * bend / r->target, across = 2.0 * fmax(slope, 0.0);           // Hessian without what could make it indefinite
        out.g[0] += 2.0 * slope * dx;
        out.g[1] += 2.0 * slope * dy;
        out.xx += along * dx * dx + across;
        out.xy += along * dx * dy;
        out.yy += along * dy * dy + across;
        out.cost += p + q - 2.0;
        out.worst = fmax(out.worst, p + q - 2.0);
    }
    return out;
}

/// One Newton step on the cost of the edges at v, shortened until it lowers it. Returns by how much the cost changed.
static double MoveFree(wfRelax* r, int v) {
    int ring[wf_maxRing];
    bool closed;
    int count = Ring(r, v, ring, &closed);
    if (count < 0) return 0.0;
    Pull pull = PullAt(r, v, ring, count);
    if (pull.worst < NOTHING) return 0.0;
    double damp = 1e-3 * (pull.xx + pull.yy), xx = pull.xx + damp, yy = pull.yy + damp, xy = pull.xy, det = xx * yy - xy * xy;
    double mx = -(yy * pull.g[0] - xy * pull.g[1]) / det, my = -(xx * pull.g[1] - xy * pull.g[0]) / det;
    double m = sqrt(mx * mx + my * my), limit = MAX_MOVE * sqrt(r->target);
    if (!(m > 1e-4 * limit)) return 0.0;
    double scale = m > limit ? limit / m : 1.0, x = r->x[v][0], y = r->x[v][1], least = LeastArea(r, v, ring, count, closed);
    for (int half = 0; half < 6; ++half, scale *= 0.5) {
        r->x[v][0] = x + scale * mx;
        r->x[v][1] = y + scale * my;
        double after = RingCost(r, v, ring, count);
        if (after < pull.cost && LeastArea(r, v, ring, count, closed) > fmin(MIN_AREA, 0.999 * least)) {
            double nx = r->x[v][0], ny = r->x[v][1];
            r->x[v][0] = x, r->x[v][1] = y;
            SetPoint(r, v, nx, ny, 0.0);
            return after - pull.cost;
        }
    }
    r->x[v][0] = x;
    r->x[v][1] = y;
    return 0.0;
}

int wfRail_Find(const wfRail* rail, double share, double* along) {
    int lo = 0, hi = rail->count - 2;
    while (lo < hi) {
        int middle = (lo + hi + 1) / 2;
        if (rail->shares[middle] <= share) {
            lo = middle;
        } else {
            hi = middle - 1;
        }
    }
    double width = rail->shares[lo + 1] - rail->shares[lo];
    *along = width > 0.0 ? fmin((share - rail->shares[lo]) / width, 1.0) : 0.0;
    return lo;
}

void wfRail_At(const wfRail* rail, double share, double out[2]) {
    double t;
    int i = wfRail_Find(rail, share, &t);
    wfVec2 a = rail->points[i], b = rail->points[i + 1];
    out[0] = a.x + t * ((double)b.x - a.x);
    out[1] = a.y + t * ((double)b.y - a.y);
}

/// The way of one unit of share there.
static void Tangent(const wfRail* rail, double share, double out[2]) {
    double t;
    int i = wfRail_Find(rail, share, &t);
    double width = rail->shares[i + 1] - rail->shares[i], scale = width > 0.0 ? 1.0 / width : 0.0;
    out[0] = scale * ((double)rail->points[i + 1].x - rail->points[i].x);
    out[1] = scale * ((double)rail->points[i + 1].y - rail->points[i].y);
}

/// Puts v and its mates at a share. Returns the cost of all their edges, INFINITY where a triangle would be turned over or one is brought
/// to less than `least` allows, which holds the least area of each.
static double TryShare(wfRelax* r, int v, double share, const double* least) {
    double cost = 0.0;
    int ring[wf_maxRing], u = v;
    bool closed;
    do wfRail_At(&r->rail[u], share, r->x[u]);
    while ((u = r->mate[u]) != v);
    do {
        int count = Ring(r, u, ring, &closed);
        cost += LeastArea(r, u, ring, count, closed) > fmin(MIN_AREA, 0.999 * *least++) ? RingCost(r, u, ring, count) : INFINITY;
    } while ((u = r->mate[u]) != v);
    return cost;
}

/// As MoveFree, along the rails of v and of its mates.
static double MoveRider(wfRelax* r, int v) {
    double slope = 0.0, bend = 0.0, before = 0.0, worst = 0.0, fastest = 0.0, least[wf_maxMates], x[wf_maxMates][2];
    int ring[wf_maxRing], u = v, mates = 0;
    bool closed;
    do {
        int count = mates < wf_maxMates ? Ring(r, u, ring, &closed) : -1;
        double way[2];
        if (count < 0) return 0.0;
        Pull pull = PullAt(r, u, ring, count);
        Tangent(&r->rail[u], r->share[u], way);
        slope += pull.g[0] * way[0] + pull.g[1] * way[1];
        bend += pull.xx * way[0] * way[0] + 2.0 * pull.xy * way[0] * way[1] + pull.yy * way[1] * way[1];
        before += pull.cost;
        worst = fmax(worst, pull.worst);
        fastest = fmax(fastest, hypot(way[0], way[1]));
        memcpy(x[mates], r->x[u], sizeof x[mates]);
        least[mates++] = LeastArea(r, u, ring, count, closed);
    } while ((u = r->mate[u]) != v);
    double share = r->share[v], limit = MAX_MOVE * sqrt(r->target) / fastest;
    if (worst < NOTHING || !(bend > 0.0)) return 0.0;
    double step = fmin(fmax(-slope / bend, -limit), limit), to = share, after = INFINITY;
    if (!(fabs(step) > 1e-4 * limit)) return 0.0;
    for (int half = 0; half < 6 && !(after < before); ++half, step *= 0.5) {
        to = share + step;
        if (to > 0.0 && to < 1.0) after = TryShare(r, v, to, least);
    }
    for (int k = 0; k < mates; ++k, u = r->mate[u]) memcpy(r->x[u], x[k], sizeof x[k]);
    if (!(after < before)) return 0.0;
    do {
        double place[2];
        wfRail_At(&r->rail[u], to, place);
        SetPoint(r, u, place[0], place[1], to);
    } while ((u = r->mate[u]) != v);
    return after - before;
}

static double Move(wfRelax* r, int v) {
    if (r->hold[v] == wf_relaxFixed || !HasRoom(r)) return 0.0;
    return r->hold[v] == wf_relaxFree ? MoveFree(r, v) : MoveRider(r, v);
}

// ---- flipping an edge ---------------------------------------------------------------------------------------------------------

static void FlipNow(wfRelax* r, int h) {
    int g = r->twin[h], h1 = wfNextSide(h), g1 = wfNextSide(g), h2 = wfNextSide(h1), g2 = wfNextSide(g1);
    int a = r->corner[h], b = r->corner[g], c = r->corner[h2], d = r->corner[g2], beyondH = r->twin[h1], beyondG = r->twin[g1];
    int keptH = r->kept[h1], keptG = r->kept[g1];
    SetInt(r, &r->corner[h1], d);
    SetInt(r, &r->corner[g1], c);
    SetInt(r, &r->twin[h], beyondG);
    if (beyondG >= 0) SetInt(r, &r->twin[beyondG], h);
    SetInt(r, &r->twin[g], beyondH);
    if (beyondH >= 0) SetInt(r, &r->twin[beyondH], g);
    SetInt(r, &r->twin[h1], g1);
    SetInt(r, &r->twin[g1], h1);
    SetInt(r, &r->kept[h], keptG);
    SetInt(r, &r->kept[g], keptH);
    SetInt(r, &r->kept[h1], 0);
    SetInt(r, &r->kept[g1], 0);
    SetInt(r, &r->sideOf[a], h);
    SetInt(r, &r->sideOf[b], g);
    SetInt(r, &r->sideOf[c], h2);
    SetInt(r, &r->sideOf[d], g2);
}

/// Flips a side where that lowers the cost.
static double TryFlip(wfRelax* r, int h) {
    int g = r->twin[h];
    if (g < 0 || r->kept[h] || !HasRoom(r)) return 0.0;
    int a = r->corner[h], b = r->corner[g], c = Apex(r, h), d = Apex(r, g);
    double change = EdgeCost(r, c, d) - EdgeCost(r, a, b);
    if (!(change < 0.0)) return 0.0;
    double least = fmin(MIN_AREA, 0.999 * fmin(Area(r, a, b, c), Area(r, b, a, d)));
    if (Area(r, a, d, c) <= least || Area(r, b, c, d) <= least) return 0.0;
    FlipNow(r, h);
    return change;
}

// ---- a neighbourhood moved and flipped ----------------------------------------------------------------------------------------

/// Vertices within `depth` edges of v, v first.
int wfRelax_Around(wfRelax* r, int v, int depth, int* out) {
    int count = 0, first = 0, ring[wf_maxRing];
    bool closed;
    ++r->time;
    r->stamp[v] = r->time;
    out[count++] = v;
    for (int level = 0; level < depth; ++level)
        for (int last = count; first < last; ++first) {
            int n = Ring(r, out[first], ring, &closed);
            for (int k = 0; k < n; ++k)
                for (int u = ring[k]; r->stamp[u] != r->time && count < wf_maxNear; u = r->mate[u]) {
                    r->stamp[u] = r->time;
                    out[count++] = u;
                }
        }
    return count;
}

int wfRelax_SidesOf(const wfRelax* r, int v, int* out) {
    int count = 0, first = FirstSide(r, v), h = first;
    do {
        out[count++] = h;
        h = r->twin[wfPreviousSide(h)];
    } while (h >= 0 && h != first && count < wf_maxRing);
    return count;
}

static double FlipAbout(wfRelax* r, int v) {
    double change = 0.0;
    int ring[wf_maxRing];
    bool closed;
    int count = Ring(r, v, ring, &closed);
    // Sides change their numbers, so each is found anew: the link of v, then its spokes.
    for (int k = 0; k < count; ++k) {
        int h = r->sideOf[v], first = h;
        do {
            double step = TryFlip(r, wfNextSide(h));
            if (step == 0.0) step = TryFlip(r, h);
            change += step;
            if (step != 0.0) break;
            h = r->twin[wfPreviousSide(h)];
        } while (h >= 0 && h != first);
        if (h < 0 || h == first) break;
    }
    return change;
}

/// Moves and flips what is near; with moves alone first where flips might take back the change that is tried.
static double Settle(wfRelax* r, int v, int depth, int sweeps, bool movesFirst) {
    int near[wf_maxNear], count = wfRelax_Around(r, v, depth, near);
    double change = 0.0;
    for (int sweep = movesFirst ? -4 : 0; sweep < sweeps; ++sweep) {
        double before = change;
        for (int i = 0; i < count; ++i) change += Move(r, near[i]);
        for (int i = 0; i < count && sweep >= 0; ++i)
            if (r->hold[near[i]] == wf_relaxFree) change += FlipAbout(r, near[i]);
        if (sweep >= 0 && change > before - LITTLE * r->need) break;
    }
    return change;
}

// ---- collapsing and splitting -------------------------------------------------------------------------------------------------

/// Pulls the start u of a side into its end v, in the middle where v can move. False where that would turn a triangle over.
static bool Collapse(wfRelax* r, int h, double* change) {
    int u = r->corner[h], v = EndOf(r, h), g = r->twin[h], ringU[wf_maxRing], ringV[wf_maxRing];
    bool closedU, closedV;
    if (r->hold[u] != wf_relaxFree || g < 0 || !HasRoom(r)) return false;
    int countU = Ring(r, u, ringU, &closedU), countV = Ring(r, v, ringV, &closedV), common = 0;
    if (countU < 0 || countV < 0 || !closedU) return false;
    for (int i = 0; i < countU; ++i)
        for (int j = 0; j < countV; ++j) common += ringU[i] == ringV[j];
    if (common != 2) return false;
    double before = RingCost(r, u, ringU, countU) + RingCost(r, v, ringV, countV) - EdgeCost(r, u, v);
    int c = Apex(r, h), d = Apex(r, g), n = wfNextSide(h), m = wfPreviousSide(h), gn = wfNextSide(g), gm = wfPreviousSide(g);
    int outN = r->twin[n], outM = r->twin[m], outGn = r->twin[gn], outGm = r->twin[gm];
    // h: u v c with n = v c, m = c u; g: v u d with gn = u d, gm = d v.
    if (outM < 0 || outGn < 0) return false;
    int side = r->sideOf[u], first = side;
    do {
        SetInt(r, &r->corner[side], v);
        side = r->twin[wfPreviousSide(side)];
    } while (side != first);
    SetInt(r, &r->twin[outM], outN);
    if (outN >= 0) SetInt(r, &r->twin[outN], outM);
    SetInt(r, &r->twin[outGn], outGm);
    if (outGm >= 0) SetInt(r, &r->twin[outGm], outGn);
    SetInt(r, &r->kept[outM], r->kept[n]);
    SetInt(r, &r->kept[outGn], r->kept[gm]);
    for (int k = 0; k < 3; ++k) {
        SetInt(r, &r->corner[h / 3 * 3 + k], -1);
        SetInt(r, &r->corner[g / 3 * 3 + k], -1);
    }
    SetInt(r, &r->sideOf[u], -1);
    // outM runs from u (now v) to c, outGn from d to u (now v).
    SetInt(r, &r->sideOf[v], outM);
    SetInt(r, &r->sideOf[c], wfNextSide(outM));
    SetInt(r, &r->sideOf[d], outGn);
    if (r->hold[v] == wf_relaxFree) SetPoint(r, v, 0.5 * (r->x[u][0] + r->x[v][0]), 0.5 * (r->x[u][1] + r->x[v][1]), 0.0);
    int count = Ring(r, v, ringV, &closedV);
    if (count < 0 || LeastArea(r, v, ringV, count, closedV) <= MIN_AREA) return false;
    *change = RingCost(r, v, ringV, count) - before;
    return true;
}

/// Puts a vertex in the middle of a side.
static bool Split(wfRelax* r, int h, double* change, int* vertex) {
    int g = r->twin[h];
    if (g < 0 || r->kept[h] || r->vertexCount == r->vertexCapacity || r->triangleCount + 2 > r->triangleCapacity || !HasRoom(r))
        return false;
    int a = r->corner[h], b = r->corner[g], c = Apex(r, h), d = Apex(r, g), n = wfNextSide(h), gn = wfNextSide(g);
    int outN = r->twin[n], outGn = r->twin[gn], v = r->vertexCount, t = r->triangleCount, p = 3 * t, q = 3 * t + 3;
    double before = EdgeCost(r, a, b);
    SetInt(r, &r->vertexCount, v + 1);
    SetInt(r, &r->triangleCount, t + 2);
    SetPoint(r, v, 0.5 * (r->x[a][0] + r->x[b][0]), 0.5 * (r->x[a][1] + r->x[b][1]), 0.0);
    // h: a b c becomes a v c, and p: v b c is new; g: b a d becomes b v d... and q: v a d is new.
    const int newP[3] = {v, b, c}, newQ[3] = {v, a, d};
    for (int k = 0; k < 3; ++k) {
        SetInt(r, &r->corner[p + k], newP[k]);
        SetInt(r, &r->corner[q + k], newQ[k]);
    }
    SetInt(r, &r->corner[n], v);
    SetInt(r, &r->corner[gn], v);
    // outer sides
    SetInt(r, &r->twin[p + 1], outN);
    if (outN >= 0) SetInt(r, &r->twin[outN], p + 1);
    SetInt(r, &r->twin[q + 1], outGn);
    if (outGn >= 0) SetInt(r, &r->twin[outGn], q + 1);
    SetInt(r, &r->kept[p + 1], r->kept[n]);
    SetInt(r, &r->kept[q + 1], r->kept[gn]);
    // inner ones: av with va, bv with vb, vc, vd
    SetInt(r, &r->twin[h], q);
    SetInt(r, &r->twin[q], h);
    SetInt(r, &r->twin[g], p);
    SetInt(r, &r->twin[p], g);
    SetInt(r, &r->twin[n], p + 2);
    SetInt(r, &r->twin[p + 2], n);
    SetInt(r, &r->twin[gn], q + 2);
    SetInt(r, &r->twin[q + 2], gn);
    SetInt(r, &r->kept[n], 0);
    SetInt(r, &r->kept[gn], 0);
    SetInt(r, &r->kept[p], 0);
    SetInt(r, &r->kept[p + 2], 0);
    SetInt(r, &r->kept[q], 0);
    SetInt(r, &r->kept[q + 2], 0);
    SetInt(r, &r->sideOf[v], p);
    SetInt(r, &r->sideOf[b], p + 1);
    SetInt(r, &r->sideOf[a], q + 1);
    SetInt(r, &r->sideOf[c], p + 2);
    SetInt(r, &r->sideOf[d], q + 2);
    *change = EdgeCost(r, a, v) + EdgeCost(r, v, b) + EdgeCost(r, v, c) + EdgeCost(r, v, d) - before;
    *vertex = v;
    return true;
}

/// Flips a side whatever that costs.
static bool ForceFlip(wfRelax* r, int h, double* change, int* vertex) {
    int g = r->twin[h];
    if (g < 0 || r->kept[h]) return false;
    int a = r->corner[h], b = r->corner[g], c = Apex(r, h), d = Apex(r, g);
    if (Area(r, a, d, c) <= MIN_AREA || Area(r, b, c, d) <= MIN_AREA) return false;
    *change = EdgeCost(r, c, d) - EdgeCost(r, a, b);
    *vertex = r->hold[c] == wf_relaxFree ? c : d;
    FlipNow(r, h);
    return true;
}

bool wfRelax_Try(wfRelax* r, int h, wfRelaxChange kind) {
    if (r->corner[h] < 0) return false;
    int v = EndOf(r, h), near[wf_maxNear];
    double change = 0.0;
    ++r->tries;
    r->recording = true;
    r->undoCount = 0;
    bool ok = kind == wf_relaxCollapse ? Collapse(r, h, &change)
              : kind == wf_relaxSplit  ? Split(r, h, &change, &v)
                                       : ForceFlip(r, h, &change, &v);
    ok = ok && change < LOST * r->need;
    if (ok) change += Settle(r, v, 2, 4, kind == wf_relaxFlip);
    ok = ok && change < HOPE * r->need;
    if (ok && change >= -r->need) change += Settle(r, v, 4, 16, false);
    ok = ok && change < -r->need;
    if (!ok) UndoAll(r);
    r->recording = false;
    for (int i = ok ? wfRelax_Around(r, v, 4, near) - 1 : -1; i >= 0; --i) r->tired[near[i]] = false;
    return ok;
}

// -------------------------------------------------------------------------------------------------------------------------------

static void Wake(wfRelax* r, int v) {
    int ring[wf_maxRing], u = v;
    bool closed;
    do {
        r->awake[u] = true;
        for (int k = Ring(r, u, ring, &closed) - 1; k >= 0; --k) r->awake[ring[k]] = true;
    } while ((u = r->mate[u]) != v);
}

void wfRelax_Sweep(wfRelax* r, int sweeps) {
    double stirring = -STIRRING * wfRelax_Cost(r, OFF * OFF * r->target);
    for (int v = 0; v < r->vertexCount; ++v) r->awake[v] = true;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        for (int v = 0; v < r->vertexCount; ++v) {
            if (r->hold[v] == wf_relaxFixed || r->sideOf[v] < 0 || !r->awake[v]) continue;
            r->awake[v] = false;
            if (Move(r, v) < stirring) Wake(r, v);
        }
        for (int h = 0; h < 3 * r->triangleCount; ++h) {
            if (r->corner[h] < 0 || r->twin[h] < h || !(r->awake[r->corner[h]] || r->awake[Apex(r, h)])) continue;
            if (TryFlip(r, h) != 0.0) Wake(r, r->corner[h]);
        }
    }
}

bool wfRelax_Create(wfRelax* r, int vertexCount, int triangleCount, wfArena* arena, wfError* err) {
    *r = (wfRelax){.vertexCount = vertexCount, .vertexCapacity = vertexCount + vertexCount / 4 + 64, .triangleCount = triangleCount};
    r->triangleCapacity = triangleCount + 2 * (r->vertexCapacity - vertexCount);
    size_t sides = 3 * (size_t)r->triangleCapacity;
    r->x = wfArena_Alloc(arena, (size_t)r->vertexCapacity, sizeof *r->x, "vertices of a panel", err);
    r->corner = wfArena_New(arena, int, sides, "triangles of a panel", err);
    r->twin = wfArena_New(arena, int, sides, "triangles of a panel", err);
    r->kept = wfArena_New(arena, int, sides, "triangles of a panel", err);
    r->sideOf = wfArena_New(arena, int, r->vertexCapacity, "vertices of a panel", err);
    r->stamp = wfArena_New(arena, int, r->vertexCapacity, "vertices of a panel", err);
    r->hold = wfArena_New(arena, uint8_t, r->vertexCapacity, "vertices of a panel", err);
    r->rail = wfArena_New(arena, wfRail, r->vertexCapacity, "vertices of a panel", err);
    r->share = wfArena_New(arena, double, r->vertexCapacity, "vertices of a panel", err);
    r->mate = wfArena_New(arena, int, r->vertexCapacity, "vertices of a panel", err);
    r->awake = wfArena_New(arena, bool, r->vertexCapacity, "vertices of a panel", err);
    r->tired = wfArena_New(arena, bool, r->vertexCapacity, "vertices of a panel", err);
    r->undo = wfArena_New(arena, wfUndo, maxUndo, "changes of a panel", err);
    if (r->x == NULL || r->corner == NULL || r->twin == NULL || r->kept == NULL || r->sideOf == NULL || r->stamp == NULL ||
        r->awake == NULL || r->tired == NULL || r->undo == NULL || r->hold == NULL || r->rail == NULL || r->share == NULL ||
        r->mate == NULL)
        return false;
    for (int i = 0; i < r->vertexCapacity; ++i) r->sideOf[i] = -1, r->mate[i] = i;
    return true;
}
