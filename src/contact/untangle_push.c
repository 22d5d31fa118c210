// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/untangle_inside.h"

#include "collide/distance.h"

// What resolves a contour (Ye, Nyberg and Xiong, section V). An edge that passes through a face goes by d = n + 0.1 (r1 + r2), where n is
// the face's normal toward the edge's legal end, and r1, r2 point along the contour on both sides; the face goes by -d. Where no side is
// illegal (BI/BI) the edge goes along the contour to the boundary of the other surface, d = r1.
//
// How far: as far as it takes to have the edge's illegal end, or all that is left of the contour, on the other side, with the gap.

static const double shortening = 0.1, anchor = 2.0, following = 0.9, spread = 3.0, steepest = 2.0;

enum { smoothings = 6, smallFold = 8, smallShare = 8 }; // crossings; edges of the piece for each

static wfVec3D UnitOrZero(wfVec3D v) {
    double length = wfLengthD(v);
    return length > 0.0 ? wfScaleD(v, 1.0 / length) : wfMake3D(0.0, 0.0, 0.0);
}

void wfUntangler_Wish(wfUntangler* u, int vertex, wfVec3D way, double share) {
    double length = wfLengthD(way) * share;
    if (!(length > 0.0) || wfUntangler_IsFixed(u, vertex)) return;
    u->sum[vertex] = wfMulAddD(u->sum[vertex], length, way);
    u->weight[vertex] += length;
}

double wfUntangler_ShareOf(const wfUntangler* u, const int* a, int countA, const int* b, int countB) {
    double mobility[2] = {0.0, 0.0};
    for (int side = 0; side < 2; ++side) {
        const int* v = side == 0 ? a : b;
        int count = side == 0 ? countA : countB;
        for (int k = 0; k < count; ++k) {
            double m = wfUntangler_IsFixed(u, v[k]) ? 0.0 : u->def.mobility != NULL ? u->def.mobility[v[k]] : 1.0;
            mobility[side] = fmax(mobility[side], m);
        }
    }
    double sum = mobility[0] + mobility[1];
    return sum > 0.0 ? mobility[0] / sum : -1.0;
}

/// The edge goes by a part of the way, the face against it by the rest.
static void PushApart(wfUntangler* u, const wfCrossing* c, wfVec3D way) {
    const wfEdge* e = &u->topology.edges[c->edge];
    const int* f = u->topology.triangles[c->face].v;
    double share = wfUntangler_ShareOf(u, e->v, 2, f, 3);
    if (share < 0.0) return;
    for (int k = 0; k < 2; ++k) wfUntangler_Wish(u, e->v[k], wfScaleD(way, share), 1.0);
    for (int k = 0; k < 3; ++k) wfUntangler_Wish(u, f[k], wfScaleD(way, share - 1.0), 1.0);
}

/// Within the face toward the neighbours; where shortening is all there is, also along the face's normal as the edge leans, which together
/// is the gradient of the contour's length (Volino and Magnenat-Thalmann 2006). By as much as the neighbours are away, so that what is
/// small becomes nothing.
static void PushShorter(wfUntangler* u, const wfContour* c, int at) {
    const wfCrossing* crossing = &u->crossings->items[u->contours->stops[c->firstStop + at].crossing];
    const int* v = u->topology.edges[crossing->edge].v;
    wfVec3D back = wfUntangler_Along(u, c, at, -1), on = wfUntangler_Along(u, c, at, 1), r = wfAddD(UnitOrZero(back), UnitOrZero(on));
    wfVec3D edge = wfSubD(wfUntangler_At(u, v[1]), wfUntangler_At(u, v[0])), n = wfUntangler_Normal(u, crossing->face);
    double across = wfDotD(edge, n), lean = wfDotD(edge, r);
    double slope = u->scheme == wf_schemeShorten && across != 0.0 ? fmin(fmax(-2.0 * lean / across, -steepest), steepest) : 0.0;
    wfVec3D way = wfMulAddD(r, slope, n);
    double length = 0.5 * wfLengthD(wfAddD(back, on));
    PushApart(u, crossing, wfScaleD(UnitOrZero(way), length + u->gap));
}

/// Toward the middle of the neighbours, of those on the boundary where it lies there itself.
static void PushToMiddle(wfUntangler* u, int vertex) {
    const wfTopology* t = &u->topology;
    wfVec3D sum = {0.0, 0.0, 0.0};
    int count = 0;
    for (int k = t->vertexEdges.start[vertex]; k < t->vertexEdges.start[vertex + 1]; ++k) {
        if (t->boundaryVertex[vertex] && t->edges[t->vertexEdges.item[k]].triangle[1] >= 0) continue;
        sum = wfAddD(sum, wfUntangler_At(u, t->ring1.item[k]));
        ++count;
    }
    if (count > 0) wfUntangler_Wish(u, vertex, wfSubD(wfScaleD(sum, 1.0 / count), wfUntangler_At(u, vertex)), 1.0);
}

static void PushSmoother(wfUntangler* u, const wfCrossing* c) {
    for (int k = 0; k < 2; ++k) PushToMiddle(u, u->topology.edges[c->edge].v[k]);
    for (int k = 0; k < 3; ++k) PushToMiddle(u, u->topology.triangles[c->face].v[k]);
}

/// To the end of the contour on the boundary of the face's surface: `on` stops on is nearer to it, and `left` is how far it is.
static void PushToBoundary(wfUntangler* u, const wfContour* c, int at, int on, double left) {
    wfVec3D r = UnitOrZero(wfUntangler_Along(u, c, at, on));
    if (wfLengthD(r) == 0.0) r = UnitOrZero(wfScaleD(wfUntangler_Along(u, c, at, -on), -1.0));
    PushApart(u, &u->crossings->items[u->contours->stops[c->firstStop + at].crossing], wfScaleD(r, left + u->gap));
}

static void PushOpen(wfUntangler* u, const wfCurve* curve) {
    const wfContour* c = &u->contours->items[curve->contour];
    const wfStop* stops = u->contours->stops + c->firstStop;
    int first = stops[0].strand; // ends on a boundary at the first stop; the other strand does at the last
    double length = 0.0;
    for (int k = 0; k + 1 < c->stopCount; ++k) length += wfLengthD(wfUntangler_Along(u, c, k, 1));
    double passed = 0.0;
    for (int k = 0; k < c->stopCount; ++k) {
        if (k > 0) passed += wfLengthD(wfUntangler_Along(u, c, k, -1));
        if (!(curve->strands >> stops[k].strand & 1)) continue;
        bool forward = stops[k].strand == first; // the edge's own boundary is behind, that of the face is ahead
        PushToBoundary(u, c, k, forward ? 1 : -1, forward ? length - passed : passed);
    }
}

static void PushNormal(wfUntangler* u, const wfContour* contour, int at, int side, int illegalEnd) {
    const wfCrossing* c = &u->crossings->items[u->contours->stops[contour->firstStop + at].crossing];
    wfVec3D n = wfScaleD(wfUntangler_Normal(u, c->face), side);
    double depth = -wfDotD(n, wfSubD(wfUntangler_At(u, illegalEnd), wfUntangler_At(u, u->topology.triangles[c->face].v[0])));
    wfVec3D r = wfAddD(UnitOrZero(wfUntangler_Along(u, contour, at, -1)), UnitOrZero(wfUntangler_Along(u, contour, at, 1)));
    PushApart(u, c, wfScaleD(wfMulAddD(n, shortening, r), fmax(depth, 0.0) + u->gap));
}

// ---- regions ------------------------------------------------------------------------------------------------------------------

static wfNearestD NearestOn(const wfUntangler* u, wfVec3D p, int face) {
    const int* f = u->topology.triangles[face].v;
    return wfPointTriangleD(p, wfUntangler_At(u, f[0]), wfUntangler_At(u, f[1]), wfUntangler_At(u, f[2]));
}

static bool HasVertex(const wfUntangler* u, int face, int vertex) {
    const int* f = u->topology.triangles[face].v;
    return f[0] == vertex || f[1] == vertex || f[2] == vertex;
}

/// From face to face about its corners, as long as it comes nearer.
static int WalkToNearest(const wfUntangler* u, int vertex, int face, wfNearestD* nearest) {
    enum { maxSteps = 64 };
    const wfRows* rows = &u->topology.vertexTriangles;
    wfVec3D p = wfUntangler_At(u, vertex);
    *nearest = NearestOn(u, p, face);
    for (int step = 0; step < maxSteps; ++step) {
        int better = face;
        for (int k = 0; k < 3; ++k) {
            int corner = u->topology.triangles[face].v[k];
            if (u->color[corner] == wf_onCurve) continue; // behind a loop vertex is the vertex's own side
            for (int at = rows->start[corner]; at < rows->start[corner + 1]; ++at) {
                int g = rows->item[at];
                if (HasVertex(u, g, vertex)) continue;
                wfNearestD near = NearestOn(u, p, g);
                if (near.distanceSq < nearest->distanceSq) {
                    *nearest = near;
                    better = g;
                }
            }
        }
        if (better == face) break;
        face = better;
    }
    return face;
}

static wfVec3D VertexNormal(const wfUntangler* u, int vertex) {
    const wfRows* rows = &u->topology.vertexTriangles;
    wfVec3D sum = {0.0, 0.0, 0.0};
    for (int k = rows->start[vertex]; k < rows->start[vertex + 1]; ++k) sum = wfAddD(sum, wfUntangler_Normal(u, rows->item[k]));
    return UnitOrZero(sum);
}

/// A vertex of an illegal region and its way out.
typedef struct Exit {
    wfVec3D unit;
    double distance;
    bool sliding; // the way lies in the vertex's own surface
    bool needed;  // it is on the wrong side here
    wfNearestD nearest;
} Exit;

/// To the nearest point of the other surface and through it. Where that way is not the way of the whole contour it is too deep inside for
/// the nearest point to mean much, and goes with the contour.
static Exit FindExit(const wfUntangler* u, int vertex, int face, int side, wfVec3D axis, bool whole, const wfNearestD* nearest) {
    wfVec3D n = wfScaleD(wfUntangler_Normal(u, face), side), toward = wfScaleD(nearest->offset, -1.0);
    Exit e = {.distance = sqrt(nearest->distanceSq), .nearest = *nearest, .needed = wfDotD(toward, n) >= 0.0};
    e.unit = e.distance > u->gap ? wfScaleD(toward, 1.0 / e.distance) : n;
    if (whole || (wfDotD(axis, axis) > 0.0 && wfDotD(axis, e.unit) < 0.5)) e.unit = axis;
    e.sliding = whole || fabs(wfDotD(e.unit, VertexNormal(u, vertex))) < 0.5;
    return e;
}

/// The face at the nearest point comes to meet the vertex.
static void PushThrough(wfUntangler* u, int vertex, int face, const Exit* e) {
    const int* f = u->topology.triangles[face].v;
    wfVec3D way = wfScaleD(e->unit, e->distance + u->gap);
    double share = wfUntangler_ShareOf(u, &vertex, 1, f, 3);
    if (share < 0.0) return;
    wfUntangler_Wish(u, vertex, wfScaleD(way, share), 1.0);
    bool rim = true, inner = false; // beyond the boundary of the other surface: there is nothing to come to meet it
    for (int k = 0; k < 3; ++k) {
        rim = rim && (e->nearest.w[1 + k] == 0.0 || u->topology.boundaryVertex[f[k]]);
        inner = inner || !u->topology.boundaryVertex[f[k]];
    }
    rim = rim && inner;
    for (int k = 0; k < 3 && !rim; ++k) wfUntangler_Wish(u, f[k], wfScaleD(way, share - 1.0), -e->nearest.w[1 + k]);
}

/// The illegal side, from the edges of the crossings inwards; a vertex begins to look for its face where the one before it has found its.
/// What slides within its own surface goes as far as the deepest of its contour does, or it would be pressed together.
static void PushRegion(wfUntangler* u, const wfCurve* curves, int count, int illegal) {
    const wfTopology* t = &u->topology;
    int *queue = u->queue[illegal], tail = 0, *origin = u->queue[1 - illegal]; // the flood is done with both
    // origin: of which contour the region is, its strand, and the sign of the other surface's normal that leads out
    for (int i = 0; i < count; ++i) {
        const wfContour* c = &u->contours->items[curves[i].contour];
        for (int k = 0; k < c->stopCount; ++k) {
            const wfStop* stop = &u->contours->stops[c->firstStop + k];
            const wfCrossing* crossing = &u->crossings->items[stop->crossing];
            int v = -1, side = curves[i].strands >> stop->strand & 1 ? wfUntangler_LegalSide(u, crossing, illegal, &v) : 0;
            if (side == 0 || u->faceOf[v] >= 0) continue;
            u->faceOf[v] = crossing->face;
            origin[tail] = curves[i].contour * 4 + stop->strand * 2 + (side > 0);
            queue[tail++] = v;
        }
    }
    for (int pass = 0; pass < 2; ++pass)
        for (int head = 0; head < tail; ++head) {
            int v = queue[head], side = origin[head] & 1 ? 1 : -1, strand = origin[head] >> 1 & 1;
            wfAxis* axis = &u->axes[origin[head] / 4];
            wfNearestD nearest;
            u->faceOf[v] = WalkToNearest(u, v, u->faceOf[v], &nearest);
            Exit e = FindExit(u, v, u->faceOf[v], side, wfUntangler_AxisOf(u, origin[head] / 4, strand),
                              wfDotD(axis->apart, axis->apart) > 0.0, &nearest);
            if (pass == 1) {
                if (e.sliding) e.distance = fmax(e.distance, axis->deepest[strand]);
                if (e.needed) PushThrough(u, v, u->faceOf[v], &e);
                continue;
            }
            if (e.needed && e.sliding) axis->deepest[strand] = fmax(axis->deepest[strand], e.distance);
            for (int k = t->vertexEdges.start[v]; k < t->vertexEdges.start[v + 1]; ++k) {
                int w = t->ring1.item[k];
                if (u->odd[t->vertexEdges.item[k]] || u->color[w] != illegal || u->faceOf[w] >= 0) continue;
                if (HasVertex(u, u->faceOf[v], w)) continue; // of the same surface: it has come to where it hangs together
                u->faceOf[w] = u->faceOf[v];
                origin[tail] = origin[head];
                queue[tail++] = w;
            }
        }
    for (int i = 0; i < tail; ++i) u->faceOf[queue[i]] = -1;
}

/// The way from the contour to the nearest boundary of the surface it lies inside of, over that surface; false where it is farther than
/// the contour is long.
static bool FindBoundary(wfUntangler* u, const wfCurve* curve, wfVec3D* way) {
    const wfTopology* t = &u->topology;
    const wfContour* c = &u->contours->items[curve->contour];
    int *queue = u->queue[0], *from = u->queue[1], tail = 0;
    double length = 0.0, nearest = INFINITY;
    for (int k = 0; k < c->stopCount; ++k) {
        const wfStop* stop = &u->contours->stops[c->firstStop + k];
        const wfCrossing* crossing = &u->crossings->items[stop->crossing];
        bool edge = !(curve->strands >> stop->strand & 1); // the other surface has the edge
        const int* v = edge ? t->edges[crossing->edge].v : t->triangles[crossing->face].v;
        length += wfLengthD(wfUntangler_Along(u, c, k, 1));
        for (int i = 0; i < (edge ? 2 : 3); ++i)
            if (u->color[v[i]] == wf_notReached) {
                u->color[v[i]] = wf_onCurve;
                from[tail] = stop->crossing;
                queue[tail++] = v[i];
            }
    }
    for (int head = 0; head < tail; ++head) {
        int v = queue[head];
        wfVec3D offset = wfSubD(wfUntangler_At(u, v), u->crossings->items[from[head]].point);
        double distance = wfLengthD(offset);
        if (distance > fmin(length, nearest)) continue;
        if (t->boundaryVertex[v]) {
            nearest = distance;
            *way = offset;
            continue;
        }
        for (int k = t->ring1.start[v]; k < t->ring1.start[v + 1]; ++k) {
            int w = t->ring1.item[k];
            if (u->color[w] != wf_notReached) continue;
            u->color[w] = wf_onCurve;
            from[tail] = from[head];
            queue[tail++] = w;
        }
    }
    for (int i = 0; i < tail; ++i) u->color[queue[i]] = wf_notReached;
    return nearest < INFINITY;
}

bool wfUntangler_PushOut(wfUntangler* u, const wfCurve* curve) {
    wfVec3D way;
    if (!FindBoundary(u, curve, &way)) return false;
    const wfContour* c = &u->contours->items[curve->contour];
    way = wfMulAddD(way, u->gap, UnitOrZero(way));
    for (int k = 0; k < c->stopCount; ++k) {
        const wfStop* stop = &u->contours->stops[c->firstStop + k];
        bool own = curve->strands >> stop->strand & 1;
        PushApart(u, &u->crossings->items[stop->crossing], own ? way : wfScaleD(way, -1.0));
    }
    return true;
}

/// A small fold of a large piece through itself: it has no sides to speak of, and comes undone by being smoothed.
static bool IsFold(const wfUntangler* u, const wfCurve* curve) {
    const wfContour* c = &u->contours->items[curve->contour];
    return c->single && c->stopCount <= smallFold && c->stopCount * smallShare < u->size[curve->host];
}

void wfUntangler_Push(wfUntangler* u, const wfCurve* curves, int count, const wfFlood* flood) {
    for (int i = 0; i < count; ++i) {
        const wfCurve* curve = &curves[i];
        const wfContour* c = &u->contours->items[curve->contour];
        if (flood == NULL && curve->type == wf_curveBI) PushOpen(u, curve);
        if (flood == NULL) continue;
        bool fold = IsFold(u, curve);
        for (int k = 0; k < c->stopCount; ++k) {
            const wfStop* stop = &u->contours->stops[c->firstStop + k];
            if (!(curve->strands >> stop->strand & 1)) continue;
            int illegalEnd = -1, side = wfUntangler_LegalSide(u, &u->crossings->items[stop->crossing], flood->illegal, &illegalEnd);
            if (u->scheme == wf_schemeSmooth || fold) {
                PushSmoother(u, &u->crossings->items[stop->crossing]);
            } else if (side == 0 || u->scheme == wf_schemeShorten) {
                PushShorter(u, c, k);
            } else if (u->scheme == wf_schemeLocal) {
                PushNormal(u, c, k, side, illegalEnd);
            }
        }
    }
    if (flood != NULL && u->scheme == wf_schemeGlobal && !(count == 1 && IsFold(u, curves))) PushRegion(u, curves, count, flood->illegal);
}

// ---- moving -------------------------------------------------------------------------------------------------------------------

/// Lists the vertices with wishes, in `queue`, and those about them. Where a way lies in the surface those before it follow, the less the
/// farther they are, or what lies between would be pressed together.
static int ListMoving(wfUntangler* u) {
    const wfTopology* t = &u->topology;
    int *list = u->queue[0], *ring = u->queue[1], count = 0;
    for (int v = 0; v < t->vertexCount; ++v)
        if (u->weight[v] > 0.0) {
            u->color[v] = 0;
            ring[count] = 0;
            list[count++] = v;
        }
    for (int i = 0; i < count; ++i) {
        int v = list[i];
        double edge = u->step[t->component[v]] / wf_stepInEdges, length = wfLengthD(u->way[v]);
        // What is left to fall over the rings to come: `spread` edges for each edge of the way.
        double fall = edge / spread;
        bool follow = length > fall && fabs(wfDotD(u->way[v], VertexNormal(u, v))) < 0.5 * length;
        if (ring[i] >= smoothings && !follow) continue;
        for (int k = t->ring1.start[v]; k < t->ring1.start[v + 1]; ++k) {
            int w = t->ring1.item[k];
            if (u->color[w] != wf_notReached || wfUntangler_IsFixed(u, w)) continue;
            u->color[w] = 0;
            ring[count] = ring[i] + 1;
            list[count++] = w;
            if (follow) u->way[w] = wfScaleD(u->way[v], 1.0 - fall / length);
        }
    }
    for (int i = 0; i < count; ++i) u->color[list[i]] = wf_notReached;
    return count;
}

/// Ways that differ much from vertex to vertex fold the surface onto itself: each is drawn to the mean of its neighbours', and those
/// without wishes follow. In `way`, per vertex; zero outside the list.
static void Smooth(wfUntangler* u, const int* list, int count, wfVec3D* way, wfVec3D* next) {
    const wfRows* rows = &u->topology.ring1;
    for (int pass = 0; pass < smoothings; ++pass) {
        for (int i = 0; i < count; ++i) {
            int v = list[i], degree = rows->start[v + 1] - rows->start[v];
            wfVec3D mean = {0.0, 0.0, 0.0};
            for (int k = rows->start[v]; k < rows->start[v + 1]; ++k) mean = wfAddD(mean, way[rows->item[k]]);
            if (degree > 0) mean = wfScaleD(mean, 1.0 / degree);
            next[i] = u->weight[v] > 0.0 ? wfScaleD(wfMulAddD(mean, anchor, u->sum[v]), 1.0 / (1.0 + anchor)) : wfScaleD(mean, following);
        }
        for (int i = 0; i < count; ++i) way[list[i]] = next[i];
    }
}

/// Of the edges at a vertex: where they are short, long steps would fold them.
static double MeanEdge(const wfUntangler* u, int v) {
    const wfRows* rows = &u->topology.ring1;
    double sum = 0.0;
    for (int k = rows->start[v]; k < rows->start[v + 1]; ++k)
        sum += wfLengthD(wfSubD(wfUntangler_At(u, rows->item[k]), wfUntangler_At(u, v)));
    return sum / (rows->start[v + 1] - rows->start[v]);
}

double wfUntangler_Move(wfUntangler* u) {
    const wfTopology* t = &u->topology;
    double longest = 0.0;
    for (int v = 0; v < t->vertexCount; ++v) {
        if (!(u->weight[v] > 0.0)) continue;
        wfVec3D way = wfScaleD(u->sum[v], 1.0 / u->weight[v]);
        double length = wfLengthD(way), limit = u->stride * fmin(u->step[t->component[v]], wf_stepInEdges * MeanEdge(u, v));
        u->sum[v] = wfScaleD(way, limit / sqrt(length * length + limit * limit)); // h0 |d| / sqrt(|d|² + g0²), with g0 = h0
        u->way[v] = u->sum[v];
    }
    int *list = u->queue[0], count = ListMoving(u);
    Smooth(u, list, count, u->way, u->nextWay);
    for (int i = 0; i < count; ++i) {
        int v = list[i];
        wfVec3D to = wfAddD(wfUntangler_At(u, v), u->way[v]);
        if (u->def.reach > 0.0f) {
            wfVec3D from = wfWiden(u->start[v]), whole = wfSubD(to, from);
            double far = wfLengthD(whole);
            if (far > (double)u->def.reach) to = wfMulAddD(from, (double)u->def.reach / far, whole);
        }
        longest = fmax(longest, wfLengthD(u->way[v]));
        u->x[v] = wfNarrow(to);
        u->sum[v] = u->way[v] = wfMake3D(0.0, 0.0, 0.0);
        u->weight[v] = 0.0;
    }
    return longest;
}
