// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#pragma once

// The queries of a surface, for kernels (and for the host where the device is the CPU).

#include "collide/surface.h"
#include "compute/kernel.h"

WF_FN float wfLower(float a, float b) { return a < b ? a : b; } // an instruction, where fminf may be a call
WF_FN float wfHigher(float a, float b) { return a > b ? a : b; }

/// On to the next node in order below one of level `top` once this one, and what is below it, is done with; false at the end.
WF_FN bool wfSurface_NextBelow(const wfSurfaceView* s, int top, int* level, int* node) {
    for (;;) {
        if (*level == top) return false;
        *node += 1;
        if (*node % wf_surfaceArity != 0 && *node < s->size[*level]) return true;
        *node = (*node - 1) / wf_surfaceArity;
        *level += 1;
    }
}

/// The same of all nodes.
WF_FN bool wfSurface_Next(const wfSurfaceView* s, int* level, int* node) { return wfSurface_NextBelow(s, s->levelCount - 1, level, node); }

// ---- winding ------------------------------------------------------------------------------------------------------------------

/// A sum of angles kept as a direction and whole turns, so that one arc tangent serves all of them.
typedef struct wfTurn {
    float x, y;
    int turns;
} wfTurn;

/// Adds the angle of (x, y), in (-π, π].
WF_LANE_FN void wfTurn_Add(wfTurn* t, float x, float y) {
    float size = fabsf(x) + fabsf(y);
    if (!(size > 0.0f)) return; // seen from one of its corners: no angle to speak of
    x /= size;
    y /= size;
    float nx = t->x * x - t->y * y, ny = t->x * y + t->y * x;
    if (t->y >= 0.0f && y >= 0.0f) t->turns += ny < 0.0f;
    if (t->y < 0.0f && y < 0.0f) t->turns -= ny > 0.0f || (ny == 0.0f && nx < 0.0f);
    // Both were of length 1 / sqrt 2 at least: nothing vanishes.
    size = fabsf(nx) + fabsf(ny);
    t->x = nx / size;
    t->y = ny / size;
}

/// Adds half the solid angle of a triangle seen from p, positive from behind. Van Oosterom and Strackee 1983.
WF_LANE_FN void wfTurn_AddTriangle(wfTurn* t, wfVec3 p, wfVec3 a, wfVec3 b, wfVec3 c) {
    a = wfSub(a, p);
    b = wfSub(b, p);
    c = wfSub(c, p);
    float la = wfLength(a), lb = wfLength(b), lc = wfLength(c);
    wfTurn_Add(t, la * lb * lc + wfDot(a, b) * lc + wfDot(b, c) * la + wfDot(c, a) * lb, wfDot(a, wfCross(b, c)));
}

// Dipole and moment stand for what is farther than this many of its radii. Barill et al. 2018 take 2 for the winding number; the sum over a
// body is then within 0.05 of a whole number (test_surface), and whether a point is inside is asked at 0.5.
#define WF_SURFACE_FAR 2.0f

/// Adds 4π of what a node adds to the winding about p, seen from far; false where it is too near for that.
WF_FN bool wfSurface_AddFar(const wfSurfaceView* s, int level, int node, wfVec3 p, float* sum) {
    const wfSurfaceNode n = s->nodes[s->first[level] + node];
    const float(*m)[3] = n.moment;
    wfVec3 r = wfSub(n.centre, p);
    float distanceSq = wfDot(r, r), far = WF_SURFACE_FAR * n.box.radius;
    if (!(distanceSq > far * far)) return false;
    float inverseSq = 1.0f / distanceSq, trace = m[0][0] + m[1][1] + m[2][2];
    float along = r.x * (m[0][0] * r.x + m[0][1] * r.y + m[0][2] * r.z) + r.y * (m[1][0] * r.x + m[1][1] * r.y + m[1][2] * r.z) +
                  r.z * (m[2][0] * r.x + m[2][1] * r.y + m[2][2] * r.z);
    *sum += (wfDot(r, n.area) + trace - 3.0f * along * inverseSq) * inverseSq * sqrtf(inverseSq);
    return true;
}

WF_LANE_FN void wfSurface_AddNear(const wfSurfaceView* s, int place, wfVec3 p, wfTurn* sum) {
    const int* v = s->corners[place];
    wfTurn_AddTriangle(sum, p, wfXyz(s->x[v[0]]), wfXyz(s->x[v[1]]), wfXyz(s->x[v[2]]));
}

#define WF_SURFACE_PI 3.14159265f
WF_FN float wfSurface_OfNear(const wfTurn* sum) { return (float)sum->turns + atan2f(sum->y, sum->x) / (2.0f * WF_SURFACE_PI); }
WF_FN float wfSurface_OfFar(float sum) { return sum / (4.0f * WF_SURFACE_PI); }

WF_FN wfTurn wfNoTurn(void) {
    wfTurn t;
    t.x = 1.0f;
    t.y = 0.0f;
    t.turns = 0;
    return t;
}

/// What of the winding about p every so-many-th node of a level adds to it, from one on.
WF_FN float wfSurface_WindingPart(const wfSurfaceView* s, wfVec3 p, int top, int from, int every) {
    wfTurn near = wfNoTurn();
    float far4Pi = 0.0f;
    for (int start = from; start < s->size[top]; start += every) {
        int level = top, node = start;
        do {
            bool far = wfSurface_AddFar(s, level, node, p, &far4Pi);
            if (!far && level > 0) {
                level -= 1;
                node *= wf_surfaceArity;
                continue;
            }
            if (!far) {
                int last = (node + 1) * wf_surfaceLeaf < s->triangleCount ? (node + 1) * wf_surfaceLeaf : s->triangleCount;
                for (int t = node * wf_surfaceLeaf; t < last; ++t) wfSurface_AddNear(s, t, p, &near);
            }
            if (!wfSurface_NextBelow(s, top, &level, &node)) break;
        } while (true);
    }
    return wfSurface_OfNear(&near) + wfSurface_OfFar(far4Pi);
}

/// How often the surface winds about p: 1 inside, 0 outside of a plain body; 2 where two parts overlap. Whole but for what is far, which is
/// taken together.
WF_FN float wfSurface_Winding(const wfSurfaceView* s, wfVec3 p) { return wfSurface_WindingPart(s, p, s->levelCount - 1, 0, 1); }

// ---- nearest point ------------------------------------------------------------------------------------------------------------

/// Squared distance of p to a triangle, without branches. Chosen among points of the triangle, so never too small, slivers included.
WF_LANE_FN float wfSurfaceTriangle_DistanceSq(const wfSurfaceTriangle* t, wfVec3 p) {
    wfVec3 ap = wfSub(p, t->a), bp = wfSub(ap, t->ab), bc = wfSub(t->ac, t->ab);
    float d1 = wfDot(t->ab, ap), d2 = wfDot(t->ac, ap);
    float alongAb = wfLower(wfHigher(d1 * t->abScale, 0.0f), 1.0f), alongAc = wfLower(wfHigher(d2 * t->acScale, 0.0f), 1.0f);
    float alongBc = wfLower(wfHigher(wfDot(bc, bp) * t->bcScale, 0.0f), 1.0f);
    float best = wfLengthSq(wfMulAdd(ap, -alongAb, t->ab));
    best = wfLower(best, wfLengthSq(wfMulAdd(ap, -alongAc, t->ac)));
    best = wfLower(best, wfLengthSq(wfMulAdd(bp, -alongBc, bc)));
    float wb = t->m00 * d1 + t->m01 * d2, wc = t->m01 * d1 + t->m11 * d2;
    float flat = wfLengthSq(wfMulAdd(wfMulAdd(ap, -wb, t->ab), -wc, t->ac));
    return wfLower(wb, wfLower(wc, 1.0f - wb - wc)) > 0.0f ? wfLower(best, flat) : best;
}

WF_LANE_FN float wfBoxDistanceSq(const wfSurfaceBox* box, wfVec3 p) {
    float x = wfHigher(wfHigher(box->lo.x - p.x, p.x - box->hi.x), 0.0f), y = wfHigher(wfHigher(box->lo.y - p.y, p.y - box->hi.y), 0.0f),
          z = wfHigher(wfHigher(box->lo.z - p.z, p.z - box->hi.z), 0.0f);
    return x * x + y * y + z * z;
}

WF_LANE_FN void wfSurface_SearchLeaf(const wfSurfaceView* s, int leaf, wfVec3 p, float* best, int* place) {
    int last = (leaf + 1) * wf_surfaceLeaf < s->triangleCount ? (leaf + 1) * wf_surfaceLeaf : s->triangleCount;
    for (int t = leaf * wf_surfaceLeaf; t < last; ++t) {
        const wfSurfaceTriangle tri = s->triangles[t];
        float distanceSq = wfSurfaceTriangle_DistanceSq(&tri, p);
        if (!(distanceSq < *best)) continue;
        *best = distanceSq;
        *place = t;
    }
}

/// Place in the tree of the triangle nearest to p, and its squared distance; -1 where none is nearer than `limit`.
WF_FN int wfSurface_Nearest(const wfSurfaceView* s, wfVec3 p, float limit, float* distanceSq) {
    int place = -1, top = s->levelCount - 1, level = top, node = 0;
    float best = limit * limit;
    uint64_t left = 0; // eight bits a level from 2 on: the children of what is open there that are yet to be looked at
    if (top == 0) wfSurface_SearchLeaf(s, 0, p, &best, &place);
    for (bool open = top > 0; open;) {
        // All children at once, so that their boxes are loaded together; then the nearest of them first.
        int from = node * wf_surfaceArity, nearest = 0;
        uint32_t near = 0;
        float least = best;
        WF_UNROLL(8)
        for (int k = 0; k < wf_surfaceArity; ++k) {
            if (from + k >= s->size[level - 1]) continue;
            const wfSurfaceBox box = s->nodes[s->first[level - 1] + from + k].box;
            float gap = wfBoxDistanceSq(&box, p);
            if (gap < best) near |= 1u << k;
            if (!(gap < least)) continue;
            least = gap;
            nearest = k;
        }
        if (near != 0 && level > 1) {
            left |= (uint64_t)(near & ~(1u << nearest)) << 8 * (level - 2);
            node = from + nearest;
            level -= 1;
            continue;
        }
        for (int k = nearest; near != 0; k = near != 0 ? WF_LOWEST_BIT(near) : 0) {
            near &= ~(1u << k);
            const wfSurfaceBox box = s->nodes[from + k].box;
            if (wfBoxDistanceSq(&box, p) < best) wfSurface_SearchLeaf(s, from + k, p, &best, &place);
        }
        for (open = false; !open && level <= top;) {
            uint32_t bits = level > 1 ? (uint32_t)(left >> 8 * (level - 2)) & 255u : 0u;
            if (bits == 0) {
                node /= wf_surfaceArity;
                level += 1;
                continue;
            }
            int k = WF_LOWEST_BIT(bits);
            left &= ~((uint64_t)1 << (8 * (level - 2) + k));
            const wfSurfaceBox box = s->nodes[s->first[level - 1] + node * wf_surfaceArity + k].box;
            if (!(wfBoxDistanceSq(&box, p) < best)) continue;
            node = node * wf_surfaceArity + k;
            level -= 1;
            open = true;
        }
    }
    *distanceSq = best;
    return place;
}

/// Squared distance of p to what is below a node, where it is below that of `bound`, else that.
WF_FN float wfSurface_DistanceSqBelow(const wfSurfaceView* s, wfVec3 p, int top, int start, float bound) {
    int level = top, node = start, place = -1;
    float best = bound * bound;
    do {
        const wfSurfaceBox box = s->nodes[s->first[level] + node].box;
        if (wfBoxDistanceSq(&box, p) < best) {
            if (level > 0) {
                level -= 1;
                node *= wf_surfaceArity;
                continue;
            }
            wfSurface_SearchLeaf(s, node, p, &best, &place);
        }
        if (!wfSurface_NextBelow(s, top, &level, &node)) break;
    } while (true);
    return best;
}

WF_FN wfVec3 wfSurface_Normal(const wfSurfaceView* s, int place) {
    const wfSurfaceTriangle* t = &s->triangles[place];
    return wfUnitOr(wfCross(t->ab, t->ac), wfMake3(0.0f, 0.0f, 0.0f));
}

/// The point of the surface nearest to p within `limit`.
WF_FN wfSurfaceHit wfSurface_Closest(const wfSurfaceView* s, wfVec3 p, float limit) {
    wfSurfaceHit hit;
    float distanceSq;
    int place = wfSurface_Nearest(s, p, limit, &distanceSq);
    hit.triangle = -1;
    hit.distance = limit;
    hit.point = hit.normal = wfMake3(0.0f, 0.0f, 0.0f);
    hit.w[0] = hit.w[1] = hit.w[2] = 0.0f;
    if (place < 0) return hit;
    const int* v = s->corners[place];
    wfNearest near = wfPointTriangle(p, wfXyz(s->x[v[0]]), wfXyz(s->x[v[1]]), wfXyz(s->x[v[2]]));
    hit.triangle = v[3];
    hit.distance = sqrtf(near.distanceSq);
    hit.point = wfSub(p, near.offset);
    hit.normal = wfSurface_Normal(s, place);
    for (int k = 0; k < 3; ++k) hit.w[k] = -near.w[k + 1];
    return hit;
}

// ---- rays ---------------------------------------------------------------------------------------------------------------------

/// Whether the ray meets a box before `limit`; also a flat one, and along its faces.
WF_FN bool wfRayMeetsBox(const wfRay* ray, float limit, wfVec3 lo, wfVec3 hi) {
    // A little longer than the box, so that rounding never loses what the triangles' own test would find.
    float from = 0.0f, to = limit;
    const float o[3] = {ray->from.x, ray->from.y, ray->from.z}, d[3] = {ray->along.x, ray->along.y, ray->along.z};
    const float l[3] = {lo.x, lo.y, lo.z}, h[3] = {hi.x, hi.y, hi.z};
    for (int k = 0; k < 3; ++k) {
        float slack = 1e-6f * (fabsf(l[k]) + fabsf(h[k]) + fabsf(o[k]));
        if (d[k] == 0.0f) {
            if (o[k] < l[k] - slack || o[k] > h[k] + slack) return false;
            continue;
        }
        float t0 = (l[k] - slack - o[k]) / d[k], t1 = (h[k] + slack - o[k]) / d[k];
        from = wfHigher(from, wfLower(t0, t1));
        to = wfLower(to, wfHigher(t0, t1));
    }
    return from <= to * (1.0f + 1e-5f);
}

/// Where the ray meets a triangle: through the signs of its moments about the edges, in double precision. Two triangles at an edge see the
/// same number with opposite signs, so a ray never slips between them.
WF_FN bool wfRayMeetsTriangle(const wfRay* ray, wfVec3 fa, wfVec3 fb, wfVec3 fc, double* t, double w[3]) {
    wfVec3D o = wfWiden(ray->from), d = wfWiden(ray->along);
    wfVec3D a = wfSubD(wfWiden(fa), o), b = wfSubD(wfWiden(fb), o), c = wfSubD(wfWiden(fc), o);
    w[0] = wfDotD(d, wfCrossD(b, c));
    w[1] = wfDotD(d, wfCrossD(c, a));
    w[2] = wfDotD(d, wfCrossD(a, b));
    bool front = w[0] >= 0.0 && w[1] >= 0.0 && w[2] >= 0.0, back = w[0] <= 0.0 && w[1] <= 0.0 && w[2] <= 0.0;
    double sum = w[0] + w[1] + w[2];
    if (!(front || back) || sum == 0.0) return false; // a ray within the plane meets only the neighbours
    for (int k = 0; k < 3; ++k) w[k] /= sum;
    wfVec3D p = wfAddD(wfAddD(wfScaleD(a, w[0]), wfScaleD(b, w[1])), wfScaleD(c, w[2]));
    *t = wfDotD(p, d) / wfDotD(d, d);
    return *t >= 0.0;
}

/// Where the ray first meets the surface, from either side.
WF_FN wfSurfaceHit wfSurface_Cast(const wfSurfaceView* s, const wfRay* ray) {
    wfSurfaceHit hit;
    int level = s->levelCount - 1, node = 0;
    hit.triangle = -1;
    hit.distance = ray->limit;
    hit.point = hit.normal = wfMake3(0.0f, 0.0f, 0.0f);
    hit.w[0] = hit.w[1] = hit.w[2] = 0.0f;
    do {
        const wfSurfaceNode* n = &s->nodes[s->first[level] + node];
        if (wfRayMeetsBox(ray, hit.distance, n->box.lo, n->box.hi)) {
            if (level > 0) {
                level -= 1;
                node *= wf_surfaceArity;
                continue;
            }
            int last = (node + 1) * wf_surfaceLeaf < s->triangleCount ? (node + 1) * wf_surfaceLeaf : s->triangleCount;
            for (int place = node * wf_surfaceLeaf; place < last; ++place) {
                const int* v = s->corners[place];
                double t, w[3];
                if (!wfRayMeetsTriangle(ray, wfXyz(s->x[v[0]]), wfXyz(s->x[v[1]]), wfXyz(s->x[v[2]]), &t, w)) continue;
                // Of triangles met at one place (an edge) the lowest number counts, whatever the order of the tree.
                float at = (float)t;
                if (!(at < hit.distance || (at == hit.distance && v[3] < hit.triangle))) continue;
                hit.triangle = v[3];
                hit.distance = at;
                hit.normal = wfSurface_Normal(s, place);
                for (int k = 0; k < 3; ++k) hit.w[k] = (float)w[k];
            }
        }
        if (!wfSurface_Next(s, &level, &node)) break;
    } while (true);
    if (hit.triangle >= 0) hit.point = wfMulAdd(ray->from, hit.distance, ray->along);
    return hit;
}
