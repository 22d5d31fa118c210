// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/check_report.h"

#include "io/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { maxListed = 100000, maxWorst = 5, maxBetween = 10 };
const char wfCheckMethod[] = "exact";

typedef struct Worst {
    int triangle;
    int pairCount;
} Worst;

static wfVec3 Middle(const wfCheckScene* scene, int triangle) {
    const int* v = scene->mesh.triangles[triangle].v;
    const wfVec3* x = scene->mesh.positions;
    return wfScale(wfAdd(x[v[0]], wfAdd(x[v[1]], x[v[2]])), 1.0f / 3.0f);
}

/// The triangles in most pairs, the lower number first among equals.
static bool FindWorst(const wfCheckScene* scene, const wfCheckResult* result, Worst* worst, int* count, wfError* err) {
    wfArena arena = {0};
    int* pairCount = wfArena_New(&arena, int, scene->mesh.triangleCount, "pairs of each triangle", err);
    if (pairCount == NULL) return false;
    for (int i = 0; i < result->stored; ++i) {
        ++pairCount[result->found.pairs[i].a];
        ++pairCount[result->found.pairs[i].b];
    }
    *count = 0;
    for (int t = 0; t < scene->mesh.triangleCount; ++t) {
        if (pairCount[t] == 0) continue;
        int at = *count;
        while (at > 0 && worst[at - 1].pairCount < pairCount[t]) --at;
        if (at == maxWorst) continue;
        if (*count < maxWorst) ++*count;
        for (int i = *count - 1; i > at; --i) worst[i] = worst[i - 1];
        worst[at] = (Worst){t, pairCount[t]};
    }
    wfArena_Free(&arena);
    return true;
}

/// How many pairs lie between each two parts: calls `put` for those that have some, in order.
typedef void (*PutBetween)(const wfCheckScene* scene, int a, int b, int64_t pairs, int index);
static bool CountBetween(const wfCheckScene* scene, const wfCheckResult* result, PutBetween put, int* count, wfError* err) {
    wfArena arena = {0};
    int64_t* row = wfArena_New(&arena, int64_t, scene->partCount, "pairs of each part", err);
    if (row == NULL) return false;
    const wfTrianglePair* pairs = result->found.pairs;
    *count = 0;
    // Pairs are sorted by their first triangle, so those of one part come in a row.
    for (int i = 0; i < result->stored;) {
        const wfCheckPart* part = wfCheckScene_FindPart(scene, pairs[i].a);
        memset(row, 0, (size_t)scene->partCount * sizeof *row);
        for (; i < result->stored && wfCheckScene_FindPart(scene, pairs[i].a) == part; ++i) {
            ++row[wfCheckScene_FindPart(scene, pairs[i].b) - scene->parts];
        }
        for (int k = 0; k < scene->partCount; ++k) {
            if (row[k] > 0) put(scene, (int)(part - scene->parts), k, row[k], (*count)++);
        }
    }
    wfArena_Free(&arena);
    return true;
}

// ---- JSON ---------------------------------------------------------------------------------------------------------------------

static void PutJsonBetween(const wfCheckScene* scene, int a, int b, int64_t pairs, int index) {
    (void)scene;
    printf("%s{\"a\": %d, \"b\": %d, \"pairs\": %" PRId64 "}", index > 0 ? ", " : "", a, b, pairs);
}

static void PutJsonPair(const wfCheckScene* scene, int a, int b) {
    const wfCheckPart *partA = wfCheckScene_FindPart(scene, a), *partB = wfCheckScene_FindPart(scene, b);
    printf("[%d, %d, %d, %d]", (int)(partA - scene->parts), a - partA->firstTriangle, (int)(partB - scene->parts),
           b - partB->firstTriangle);
}

static void PutJsonPoint(wfVec3 p) { printf("[%.9g, %.9g, %.9g]", (double)p.x, (double)p.y, (double)p.z); }

static void PutJsonGap(const wfCheckScene* scene, const wfGap* gap) {
    if (gap->a < 0) {
        printf(", \"gap\": null");
        return;
    }
    printf(", \"gap\": {\"distance\": %.17g, \"pair\": ", gap->distance);
    PutJsonPair(scene, gap->a, gap->b);
    printf(", \"at\": [");
    PutJsonPoint(gap->onA);
    printf(", ");
    PutJsonPoint(gap->onB);
    printf("]}");
}

bool wfCheck_PrintJson(const wfCheckScene* scene, const char* name, int frame, const wfCheckResult* result, wfError* err) {
    Worst worst[maxWorst] = {{0}};
    int worstCount, betweenCount;
    WF_TRY(FindWorst(scene, result, worst, &worstCount, err));
    printf("{\"name\": ");
    wfJson_PutText(stdout, name);
    if (frame >= 0) printf(", \"frame\": %d", frame);
    printf(", \"method\": \"%s\", \"vertices\": %d, \"triangles\": %d, \"intersecting_pairs\": %" PRId64 ", \"objects\": [", wfCheckMethod,
           scene->mesh.vertexCount, scene->mesh.triangleCount, result->found.count);
    for (int i = 0; i < scene->partCount; ++i) {
        if (i > 0) printf(", ");
        wfJson_PutText(stdout, scene->parts[i].name);
    }
    printf("], \"between\": [");
    WF_TRY(CountBetween(scene, result, PutJsonBetween, &betweenCount, err));
    printf("], \"worst\": [");
    for (int i = 0; i < worstCount; ++i) {
        const wfCheckPart* part = wfCheckScene_FindPart(scene, worst[i].triangle);
        printf("%s{\"object\": %d", i > 0 ? ", " : "", (int)(part - scene->parts));
        printf(", \"triangle\": %d, \"pairs\": %d, \"at\": ", worst[i].triangle - part->firstTriangle, worst[i].pairCount);
        PutJsonPoint(Middle(scene, worst[i].triangle));
        printf("}");
    }
    printf("], \"pairs\": [");
    for (int i = 0; i < result->stored && i < maxListed; ++i) {
        if (i > 0) printf(", ");
        PutJsonPair(scene, result->found.pairs[i].a, result->found.pairs[i].b);
    }
    printf("]");
    if (result->hasGap) PutJsonGap(scene, &result->gap);
    printf("}\n");
    return true;
}

// ---- text ---------------------------------------------------------------------------------------------------------------------

static void PrintBetween(const wfCheckScene* scene, int a, int b, int64_t pairs, int index) {
    if (index >= maxBetween) return;
    printf("  %s with %s: %" PRId64 " pair%s\n", scene->parts[a].name, a == b ? "itself" : scene->parts[b].name, pairs,
           pairs == 1 ? "" : "s");
}

static void PrintTriangle(const wfCheckScene* scene, int triangle) {
    const wfCheckPart* part = wfCheckScene_FindPart(scene, triangle);
    printf("triangle %d", triangle - part->firstTriangle);
    if (scene->partCount > 1) printf(" of %s", part->name);
}

static void PrintWorst(const wfCheckScene* scene, const Worst* worst, const char* before) {
    wfVec3 at = Middle(scene, worst->triangle);
    printf("%s", before);
    PrintTriangle(scene, worst->triangle);
    printf(", in %d pair%s, at (%.4g, %.4g, %.4g)\n", worst->pairCount, worst->pairCount == 1 ? "" : "s", (double)at.x, (double)at.y,
           (double)at.z);
}

void wfCheck_PrintGap(const wfCheckScene* scene, const wfGap* gap) {
    if (gap->a < 0) {
        printf("none, no two triangles to compare");
        return;
    }
    printf("%.6g m between ", gap->distance);
    PrintTriangle(scene, gap->a);
    printf(" and ");
    PrintTriangle(scene, gap->b);
    printf(", at (%.4g, %.4g, %.4g)", (double)gap->onA.x, (double)gap->onA.y, (double)gap->onA.z);
}

bool wfCheck_PrintText(const wfCheckScene* scene, const char* name, int frame, const wfCheckResult* result, wfError* err) {
    Worst worst[maxWorst] = {{0}};
    int worstCount, betweenCount;
    int64_t pairs = result->found.count;
    if (frame >= 0 && pairs == 0) return true; // a run says only what is wrong, and the sum at the end
    WF_TRY(FindWorst(scene, result, worst, &worstCount, err));
    if (frame >= 0) {
        printf("frame %d: %" PRId64 " intersecting pair%s; worst: ", frame, pairs, pairs == 1 ? "" : "s");
        PrintWorst(scene, &worst[0], "");
        return true;
    }
    if (pairs == 0) {
        printf("%s: no intersections among %d triangles (%s)\n", name, scene->mesh.triangleCount, wfCheckMethod);
    } else {
        printf("%s: %" PRId64 " intersecting pair%s among %d triangles (%s)\n", name, pairs, pairs == 1 ? "" : "s",
               scene->mesh.triangleCount, wfCheckMethod);
        if (scene->partCount > 1) {
            WF_TRY(CountBetween(scene, result, PrintBetween, &betweenCount, err));
            if (betweenCount > maxBetween) printf("  and between %d more\n", betweenCount - maxBetween);
        }
        for (int i = 0; i < worstCount; ++i) PrintWorst(scene, &worst[i], "  worst: ");
    }
    if (result->hasGap) {
        printf("  smallest gap: ");
        wfCheck_PrintGap(scene, &result->gap);
        printf("\n");
    }
    return true;
}
