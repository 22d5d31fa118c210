// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "app/untangle.h"

#include "io/json.h"

#include <inttypes.h>
#include <stdio.h>

enum { maxTold = 10, maxListed = 100000 };

static void PrintKinds(const int counts[wf_contourKindCount]) {
    int kinds = 0;
    for (int k = 0; k < wf_contourKindCount; ++k)
        if (counts[k] > 0) printf("%s%d %s", kinds++ > 0 ? ", " : "", counts[k], wfContourNames[k]);
    if (kinds == 0) printf("none");
}

static void PrintTriangle(const wfCheckScene* scene, int triangle) {
    const wfCheckPart* part = wfCheckScene_FindPart(scene, triangle);
    printf("triangle %d of %s", triangle - part->firstTriangle, part->name);
}

void wfUntangle_PrintText(const wfCheckScene* scene, const char* output, const wfUntangleResult* result) {
    const wfUntangleReport* r = &result->report;
    if (r->pairsBefore == 0 && r->movedCount == 0) {
        printf("%s: nothing intersected; written as it was\n", output);
    } else if (r->pairsAfter == 0) {
        printf("%s: no intersections (exact) after %d round%s; there were %" PRId64 " pairs\n", output, r->rounds,
               r->rounds == 1 ? "" : "s", r->pairsBefore);
    } else {
        printf("%s: %" PRId64 " intersecting pairs stay after %d rounds, of %" PRId64 "\n", output, r->pairsAfter, r->rounds,
               r->pairsBefore);
    }
    if (r->pairsBefore > 0) {
        printf("  contours    ");
        PrintKinds(r->contoursBefore);
        printf("\n");
    }
    if (r->movedCount > 0) {
        printf("  moved       %d vertices, by %.3g mm at most and %.3g mm on average\n", r->movedCount, 1e3 * r->largest, 1e3 * r->mean);
        printf("  stretch     edges %.4g to %.4g of their rest length, off by %.2g %% on average; before %.4g to %.4g, %.2g %%\n",
               result->after.smallest, result->after.largest, 1e2 * result->after.mean, result->before.smallest, result->before.largest,
               1e2 * result->before.mean);
    }
    if (result->ease > 0.0f) {
        printf("  ease        %.3g mm at least between objects, asked for %.3g mm", 1e3 * result->closest, 1e3 * (double)result->ease);
        if (result->closer > 0) printf("; %" PRId64 " pairs of elements are nearer", result->closer);
        printf("\n");
    }
    if (r->pairsAfter == 0) return;
    printf("  stay        ");
    PrintKinds(r->contoursAfter);
    printf("\n");
    for (int i = 0; i < result->leftCount && i < maxTold; ++i) {
        const wfContourInfo* c = &result->left[i];
        printf("    %s, %.3g mm: ", wfContourNames[c->kind], 1e3 * c->length);
        PrintTriangle(scene, c->triangles[0]);
        printf(" and ");
        PrintTriangle(scene, c->triangles[1]);
        printf(", at (%.6g, %.6g, %.6g)\n", (double)c->at.x, (double)c->at.y, (double)c->at.z);
    }
    if (result->leftCount > maxTold) printf("    and %d more\n", result->leftCount - maxTold);
}

static void JsonKinds(const char* name, const int counts[wf_contourKindCount]) {
    printf(", \"%s\": {", name);
    for (int k = 0; k < wf_contourKindCount; ++k) printf("%s\"%s\": %d", k > 0 ? ", " : "", wfContourNames[k], counts[k]);
    printf("}");
}

static void JsonStretch(const char* name, const wfStretch* s) {
    printf(", \"%s\": {\"smallest\": %.9g, \"largest\": %.9g, \"mean\": %.9g}", name, s->smallest, s->largest, s->mean);
}

void wfUntangle_PrintJson(const wfCheckScene* scene, const char* output, const wfUntangleResult* result) {
    const wfUntangleReport* r = &result->report;
    printf("{\"output\": ");
    wfJson_PutText(stdout, output);
    printf(", \"objects\": [");
    for (int i = 0; i < scene->partCount; ++i) {
        if (i > 0) printf(", ");
        wfJson_PutText(stdout, scene->parts[i].name);
    }
    printf("], \"pairs_before\": %" PRId64 ", \"pairs_after\": %" PRId64 ", \"rounds\": %d", r->pairsBefore, r->pairsAfter, r->rounds);
    JsonKinds("contours_before", r->contoursBefore);
    JsonKinds("contours_after", r->contoursAfter);
    printf(", \"moved\": %d, \"largest\": %.9g, \"mean\": %.9g", r->movedCount, r->largest, r->mean);
    JsonStretch("stretch_before", &result->before);
    JsonStretch("stretch", &result->after);
    if (result->ease > 0.0f) {
        printf(", \"ease\": %.9g, \"closest\": %.9g, \"closer\": %" PRId64, (double)result->ease, result->closest, result->closer);
    }
    printf(", \"seconds\": %.3f, \"stay\": [", result->seconds);
    for (int i = 0; i < result->leftCount && i < maxListed; ++i) {
        const wfContourInfo* c = &result->left[i];
        const wfCheckPart *a = wfCheckScene_FindPart(scene, c->triangles[0]), *b = wfCheckScene_FindPart(scene, c->triangles[1]);
        printf("%s{\"kind\": \"%s\", \"length\": %.9g, \"pair\": [%d, %d, %d, %d], \"at\": [%.9g, %.9g, %.9g]}", i > 0 ? ", " : "",
               wfContourNames[c->kind], c->length, (int)(a - scene->parts), c->triangles[0] - a->firstTriangle, (int)(b - scene->parts),
               c->triangles[1] - b->firstTriangle, (double)c->at.x, (double)c->at.y, (double)c->at.z);
    }
    printf("]}\n");
}
