// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "contact/posed_body.h"

#include "collide/distance.h"
#include "collide/triangle_pair.h"

bool wfPosedBody_Create(wfPosedBody* body, const wfColliderSet* set, int index, const wfVec3* positions, wfArena* arena, wfError* err) {
    const wfBodyRange* range = &set->bodies[index];
    const wfTriangle* triangles = set->triangles + range->firstTriangle;
    *body = (wfPosedBody){.range = range, .tree = {.positions = positions, .triangles = triangles, .triangleCount = range->triangleCount}};
    if (!range->infinite) return wfTriangleTree_Build(&body->tree, arena, err);
    wfVec3 a = positions[triangles[0].v[0]], b = positions[triangles[0].v[1]], c = positions[triangles[0].v[2]];
    body->point = a;
    body->normal = wfNormalizeOr(wfCross(wfSub(b, a), wfSub(c, a)), wfMake3(0.0f, 1.0f, 0.0f));
    return true;
}

static float Above(const wfPosedBody* body, wfVec3 p) { return wfDot(body->normal, wfSub(p, body->point)); }

static float BoxGap(wfTreeBox a, wfTreeBox b) {
    float x = wfHigher(a.lo.x - b.hi.x, b.lo.x - a.hi.x), y = wfHigher(a.lo.y - b.hi.y, b.lo.y - a.hi.y),
          z = wfHigher(a.lo.z - b.hi.z, b.lo.z - a.hi.z);
    return wfHigher(x, wfHigher(y, z));
}

// For the triangles whose boxes are nearer to `box` than limit, which `compare` may make less.
typedef struct Search {
    const wfVec3* triangle; // or one point
    wfTreeBox box;          // of it
    void (*compare)(const wfVec3 corner[3], int triangle, struct Search* s);
    float limit;
    wfNearest nearest;
    int at;
} Search;

static bool IsNear(const wfTriangleTree* tree, int level, int node, void* user) {
    const Search* s = user;
    return !(BoxGap(tree->level[level][node], s->box) > s->limit);
}

static void CompareLeaf(const wfTriangleTree* tree, int leaf, void* user) {
    Search* s = user;
    for (int k = wfTriangleTree_First(leaf); k < wfTriangleTree_Last(tree, leaf); ++k) {
        int t = wfTriangleTree_At(tree, k);
        if (BoxGap(wfTriangleBox(tree->positions, &tree->triangles[t]), s->box) > s->limit) continue;
        wfVec3 corner[3];
        for (int c = 0; c < 3; ++c) corner[c] = tree->positions[tree->triangles[t].v[c]];
        s->compare(corner, t, s);
    }
}

static void CompareTriangle(const wfVec3 corner[3], int triangle, Search* s) {
    (void)triangle;
    if (s->limit == 0.0f) return;
    float distance = wfTrianglesMeet(s->triangle, corner) ? 0.0f : sqrtf(wfTriangleTriangle(s->triangle, corner).distanceSq);
    s->limit = wfLower(s->limit, distance);
}

float wfPosedBody_TriangleDistance(const wfPosedBody* body, const wfVec3 triangle[3], float limit) {
    if (body->range->infinite) {
        float least = limit;
        for (int k = 0; k < 3; ++k) least = wfLower(least, wfHigher(Above(body, triangle[k]), 0.0f));
        return least;
    }
    Search s = {.triangle = triangle, .box = wfTriangleBox(triangle, &(wfTriangle){{0, 1, 2}}), .compare = CompareTriangle, .limit = limit};
    wfTriangleTree_Visit(&body->tree, IsNear, CompareLeaf, &s);
    return s.limit;
}

// Van Oosterom and Strackee 1983.
static double SolidAngle(wfVec3 p, const wfVec3 corner[3]) {
    double r[3][3], length[3];
    for (int k = 0; k < 3; ++k) {
        r[k][0] = (double)corner[k].x - p.x;
        r[k][1] = (double)corner[k].y - p.y;
        r[k][2] = (double)corner[k].z - p.z;
        length[k] = sqrt(r[k][0] * r[k][0] + r[k][1] * r[k][1] + r[k][2] * r[k][2]);
    }
    double volume = r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) + r[0][1] * (r[1][2] * r[2][0] - r[1][0] * r[2][2]) +
                    r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
    double sum = length[0] * length[1] * length[2];
    for (int k = 0; k < 3; ++k) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        sum += length[k] * (r[a][0] * r[b][0] + r[a][1] * r[b][1] + r[a][2] * r[b][2]);
    }
    return 2.0 * atan2(volume, sum);
}

bool wfPosedBody_Contains(const wfPosedBody* body, wfVec3 p) {
    if (body->range->infinite) return Above(body, p) <= 0.0f;
    const wfTriangleTree* tree = &body->tree;
    if (BoxGap(tree->level[tree->levelCount - 1][0], (wfTreeBox){p, p}) > 0.0f) return false;
    double angle = 0.0;
    for (int t = 0; t < tree->triangleCount; ++t) {
        wfVec3 corner[3];
        for (int c = 0; c < 3; ++c) corner[c] = tree->positions[tree->triangles[t].v[c]];
        angle += SolidAngle(p, corner);
    }
    return fabs(angle) > 6.283185307179586; // half of a full turn: a body turned inside out is the same body
}

static void ComparePoint(const wfVec3 corner[3], int triangle, Search* s) {
    wfNearest near = wfPointTriangle(s->triangle[0], corner[0], corner[1], corner[2]);
    if (s->at >= 0 && !(near.distanceSq < s->nearest.distanceSq)) return;
    s->nearest = near;
    s->at = triangle;
    s->limit = sqrtf(near.distanceSq);
}

wfBodyPoint wfPosedBody_Nearest(const wfPosedBody* body, wfVec3 p) {
    wfBodyPoint out = {.w = {1.0f, 0.0f, 0.0f}};
    int at = 0;
    if (body->range->infinite) {
        out.point = wfMulAdd(p, -Above(body, p), body->normal);
    } else {
        Search s = {.triangle = &p, .box = {p, p}, .compare = ComparePoint, .limit = INFINITY, .at = -1};
        wfTriangleTree_Visit(&body->tree, IsNear, CompareLeaf, &s);
        at = s.at;
        for (int k = 0; k < 3; ++k) out.w[k] = -s.nearest.w[1 + k];
        out.point = wfSub(p, s.nearest.offset);
    }
    for (int k = 0; k < 3; ++k) out.corners[k] = body->tree.triangles[at].v[k];
    return out;
}
