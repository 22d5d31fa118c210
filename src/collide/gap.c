// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "collide/gap.h"

#include "collide/distance.h"
#include "collide/triangle_pair.h"
#include "collide/triangle_tree.h"

// Each leaf looks among itself and the leaves behind it for a pair nearer than the nearest that any thread knows. Pairs as near as that are
// all looked at, so that the first of them is found whatever the order of threads.

typedef struct Search {
    const wfTriangleTree* tree;
    double bound; // squared, the smallest so far; all threads read and lower it
} Search;

typedef struct Best {
    int a, b;
    double distanceSq;
} Best;

// Squared distance of boxes, a little less than it is, so that rounding hides no pair.
static double BoxDistanceSq(const wfTreeBox* a, const wfTreeBox* b) {
    double x = fmax(fmax((double)a->lo.x - b->hi.x, (double)b->lo.x - a->hi.x), 0.0);
    double y = fmax(fmax((double)a->lo.y - b->hi.y, (double)b->lo.y - a->hi.y), 0.0);
    double z = fmax(fmax((double)a->lo.z - b->hi.z, (double)b->lo.z - a->hi.z), 0.0);
    return (x * x + y * y + z * z) * (1.0 - 1e-12);
}

static double Bound(const Search* search) {
    double bound;
#pragma omp atomic read
    bound = search->bound;
    return bound;
}

static void Lower(Search* search, double value) {
#pragma omp critical(wfGapBound)
    {
        if (value < search->bound) {
#pragma omp atomic write
            search->bound = value;
        }
    }
}

static bool Comes(int a, int b, const Best* best) { return a < best->a || (a == best->a && b < best->b); }

static bool ShareVertex(const wfTriangle* a, const wfTriangle* b) {
    for (int i = 0; i < 3; ++i) {
        if (a->v[i] == b->v[0] || a->v[i] == b->v[1] || a->v[i] == b->v[2]) return true;
    }
    return false;
}

// Two triangles, seen from a corner of the first: that takes their place in the world out of the rounding.
typedef struct Pair {
    wfVec3 xa[3], xb[3];
    wfVec3D a[3], b[3];
    double size; // squared, of all of it
} Pair;

static Pair LoadPair(const wfTriangleTree* tree, int a, int b) {
    Pair p;
    p.size = 0.0;
    for (int k = 0; k < 3; ++k) {
        p.xa[k] = tree->positions[tree->triangles[a].v[k]];
        p.xb[k] = tree->positions[tree->triangles[b].v[k]];
        p.a[k] = wfSubD(wfWiden(p.xa[k]), wfWiden(p.xa[0]));
        p.b[k] = wfSubD(wfWiden(p.xb[k]), wfWiden(p.xa[0]));
        p.size = fmax(p.size, fmax(wfDotD(p.a[k], p.a[k]), wfDotD(p.b[k], p.b[k])));
    }
    return p;
}

// Whether they are farther apart than the bound along the line of their middles: a few products in place of all their edges.
static bool FartherAlongMiddles(const Pair* p, double bound) {
    wfVec3D along = wfSubD(wfAddD(p->b[0], wfAddD(p->b[1], p->b[2])), wfAddD(p->a[1], p->a[2]));
    double lengthSq = wfDotD(along, along);
    double last = fmax(0.0, fmax(wfDotD(along, p->a[1]), wfDotD(along, p->a[2])));
    double first = fmin(wfDotD(along, p->b[0]), fmin(wfDotD(along, p->b[1]), wfDotD(along, p->b[2])));
    double apart = first - last - 1e-13 * sqrt(lengthSq * p->size); // less what rounding can have done
    return apart > 0.0 && apart * apart > bound * lengthSq;
}

static wfTrianglesNearestD Nearest(const Pair* p) {
    wfTrianglesNearestD near = wfTriangleTriangleD(p->a, p->b);
    if (near.distanceSq <= 1e-20 * p->size && wfTrianglesMeet(p->xa, p->xb)) near.distanceSq = 0.0;
    return near;
}

static void CompareLeaves(Search* search, int leafA, int leafB, const wfTreeBox boxA[wf_treeLeaf], Best* best) {
    const wfTriangleTree* tree = search->tree;
    int firstA = wfTriangleTree_First(leafA), lastA = wfTriangleTree_Last(tree, leafA);
    int firstB = wfTriangleTree_First(leafB), lastB = wfTriangleTree_Last(tree, leafB);
    for (int j = firstB; j < lastB; ++j) {
        int tb = wfTriangleTree_At(tree, j);
        wfTreeBox boxB = wfTriangleBox(tree->positions, &tree->triangles[tb]);
        for (int i = firstA; i < lastA && (leafA != leafB || i < j); ++i) {
            int ta = wfTriangleTree_At(tree, i), a = ta < tb ? ta : tb, b = ta < tb ? tb : ta;
            if (tree->ignore != NULL && tree->ignore[a] && tree->ignore[b]) continue;
            double low = BoxDistanceSq(&boxA[i - firstA], &boxB);
            if (low > Bound(search) || (low >= best->distanceSq && !Comes(a, b, best))) continue;
            if (ShareVertex(&tree->triangles[a], &tree->triangles[b])) continue;
            Pair pair = LoadPair(tree, a, b);
            if (FartherAlongMiddles(&pair, Bound(search))) continue;
            double distanceSq = Nearest(&pair).distanceSq;
            if (distanceSq > best->distanceSq || (distanceSq == best->distanceSq && !Comes(a, b, best))) continue;
            *best = (Best){a, b, distanceSq};
            if (distanceSq < Bound(search)) Lower(search, distanceSq);
        }
    }
}

typedef struct Visit {
    int level, node;
    double low;
} Visit;

static void SearchLeaf(Search* search, int leaf, Best* best) {
    const wfTriangleTree* tree = search->tree;
    wfTreeBox boxes[wf_treeLeaf];
    int first = wfTriangleTree_First(leaf), depth = 1;
    for (int k = 0; first + k < wfTriangleTree_Last(tree, leaf); ++k) {
        boxes[k] = wfTriangleBox(tree->positions, &tree->triangles[wfTriangleTree_At(tree, first + k)]);
    }
    bool ignored = tree->ignore != NULL && tree->ignored[0][leaf] != 0;
    Visit stack[2 * wf_treeMaxLevels] = {{tree->levelCount - 1, 0, 0.0}};
    while (depth > 0) {
        Visit at = stack[--depth];
        if (at.low > Bound(search)) continue;
        if (at.level == 0) {
            CompareLeaves(search, leaf, at.node, boxes, best);
            continue;
        }
        Visit child[2];
        int count = 0;
        for (int node = 2 * at.node; node <= 2 * at.node + 1 && node < tree->size[at.level - 1]; ++node) {
            int level = at.level - 1;
            if (wfTriangleTree_LastLeaf(level, node) < leaf || (ignored && (tree->ignored[level][node] & wf_treeAllIgnored) != 0)) continue;
            child[count++] = (Visit){level, node, BoxDistanceSq(&tree->level[0][leaf], &tree->level[level][node])};
        }
        // The nearer of two is taken first: it lowers the bound for the other.
        bool swap = count == 2 && child[0].low < child[1].low;
        for (int k = 0; k < count; ++k) stack[depth++] = child[swap ? 1 - k : k];
    }
}

static wfVec3 PointOf(const wfTriangleTree* tree, int triangle, const double w[3]) {
    wfVec3D p = wfMake3D(0, 0, 0);
    for (int k = 0; k < 3; ++k) p = wfMulAddD(p, w[k], wfWiden(tree->positions[tree->triangles[triangle].v[k]]));
    return wfNarrow(p);
}

bool wfFindGap(const wfVec3* positions, const wfTriangle* triangles, int triangleCount, const bool* ignore, wfGap* out, wfError* err) {
    *out = (wfGap){.a = -1, .b = -1, .distance = INFINITY};
    if (triangleCount == 0) return true;
    wfTriangleTree tree = {.positions = positions, .triangles = triangles, .ignore = ignore, .triangleCount = triangleCount};
    wfArena arena = {0};
    if (!wfTriangleTree_Build(&tree, &arena, err)) {
        wfArena_Free(&arena);
        return false;
    }
    Search search = {&tree, INFINITY};
    Best best = {INT32_MAX, INT32_MAX, INFINITY};
#pragma omp parallel
    {
        Best mine = {INT32_MAX, INT32_MAX, INFINITY};
#pragma omp for schedule(dynamic, 64) nowait
        for (int leaf = 0; leaf < tree.size[0]; ++leaf) SearchLeaf(&search, leaf, &mine);
#pragma omp critical(wfGapBest)
        {
            if (mine.distanceSq < best.distanceSq || (mine.distanceSq == best.distanceSq && Comes(mine.a, mine.b, &best))) best = mine;
        }
    }
    if (best.distanceSq < INFINITY) {
        Pair pair = LoadPair(&tree, best.a, best.b);
        wfTrianglesNearestD near = Nearest(&pair);
        *out = (wfGap){best.a, best.b, sqrt(best.distanceSq), PointOf(&tree, best.a, near.wa), PointOf(&tree, best.b, near.wb)};
    }
    wfArena_Free(&arena);
    return true;
}
