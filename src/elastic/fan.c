// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "elastic/fan.h"

int wfMostFanEntries(const wfModel* model) {
    const wfRows* rows = &model->topology->vertexTriangles;
    int most = 0;
    for (int v = 0; v < model->vertexCount; ++v)
        if (rows->start[v + 1] - rows->start[v] > most) most = rows->start[v + 1] - rows->start[v];
    return 2 * most; // every triangle a fan of its own
}

static bool WasWalked(const wfFanEntry* out, int count, int triangle) {
    for (int k = 0; k < count; ++k)
        if (out[k].triangle == triangle) return true;
    return false;
}

static int CornerOf(const wfTriangle* t, int v) { return t->v[0] == v ? 0 : t->v[1] == v ? 1 : 2; }

/// A triangle of v that no other one leads to, else any, that was not walked; -1 when all were.
static int FindStart(const wfModel* model, int v, const wfFanEntry* out, int count) {
    const wfRows* rows = &model->topology->vertexTriangles;
    int any = -1;
    for (int k = rows->start[v]; k < rows->start[v + 1]; ++k) {
        const wfTriangle* t = &model->triangles[rows->item[k]];
        if (WasWalked(out, count, rows->item[k])) continue;
        if (any < 0) any = rows->item[k];
        int from = t->v[(CornerOf(t, v) + 1) % 3];
        bool led = false;
        for (int j = rows->start[v]; j < rows->start[v + 1] && !led; ++j) {
            const wfTriangle* s = &model->triangles[rows->item[j]];
            led = j != k && s->v[(CornerOf(s, v) + 2) % 3] == from && !WasWalked(out, count, rows->item[j]);
        }
        if (!led) return rows->item[k];
    }
    return any;
}

static int FindOnward(const wfModel* model, int v, int from, const wfFanEntry* out, int count) {
    const wfRows* rows = &model->topology->vertexTriangles;
    for (int k = rows->start[v]; k < rows->start[v + 1]; ++k) {
        const wfTriangle* t = &model->triangles[rows->item[k]];
        if (t->v[(CornerOf(t, v) + 1) % 3] == from && !WasWalked(out, count, rows->item[k])) return rows->item[k];
    }
    return -1;
}

/// The edge from v to `next`, where no entry has it yet.
static int FindEdge(const wfModel* model, int v, int next, const wfFanEntry* out, int count) {
    const wfTopology* topology = model->topology;
    for (int k = 0; k < count; ++k)
        if (out[k].next == next) return -1;
    for (int k = topology->ring1.start[v]; k < topology->ring1.start[v + 1]; ++k)
        if (topology->ring1.item[k] == next) return topology->vertexEdges.item[k];
    return -1;
}

int wfWalkFan(const wfModel* model, int v, wfFanEntry* out) {
    int count = 0;
    for (int start; (start = FindStart(model, v, out, count)) >= 0;) {
        const wfTriangle* t = &model->triangles[start];
        int next = t->v[(CornerOf(t, v) + 1) % 3];
        int edge = FindEdge(model, v, next, out, count);
        out[count++] = (wfFanEntry){.next = next, .edge = edge, .triangle = -1};
        for (int at = start; at >= 0; at = FindOnward(model, v, next, out, count)) {
            t = &model->triangles[at];
            int corner = CornerOf(t, v);
            wfElementD element = wfMakeElement(&model->flat[at]);
            double s[4];
            wfElement_ShapeD(&element, (corner + 1) % 3, &s[0], &s[1]);
            wfElement_ShapeD(&element, (corner + 2) % 3, &s[2], &s[3]);
            next = t->v[(corner + 2) % 3];
            edge = FindEdge(model, v, next, out, count);
            out[count++] = (wfFanEntry){next, edge, at, {(float)s[0], (float)s[1], (float)s[2], (float)s[3]}};
        }
    }
    return count;
}
