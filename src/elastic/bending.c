// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "elastic/bending.h"

#include <stdlib.h>

double wfBendingRigidity(const wfFabric* fabric, double warp) {
    double bias = fabric->bend_bias;
    double thread = warp >= 0.0 ? fabric->bend_warp : fabric->bend_weft;
    return fabric->bending * (bias + fabs(warp) * (thread - bias));
}

wfBendD wfMakeBend(const wfHinge* hinge, double rigidity) {
    double c0 = hinge->length / hinge->height[0], c1 = hinge->length / hinge->height[1];
    double k1 = -c0 * hinge->along[0] - c1 * hinge->along[1];
    return (wfBendD){.k = {-c0 - c1 - k1, k1, c0, c1}, .stiffness = rigidity / hinge->area};
}

wfBend wfBend_Narrow(wfBendD b) { return (wfBend){{(float)b.k[0], (float)b.k[1], (float)b.k[2], (float)b.k[3]}, (float)b.stiffness}; }

double wfDihedralStiffness(const wfHinge* hinge, double rigidity) { return rigidity * hinge->length * hinge->length / hinge->area; }

double wfBendRestLength(const wfHinge* hinge, double angle) { return 2.0 * hinge->length * sin(0.5 * angle); }

bool wfBending_Create(wfBending* bending, const wfModel* model, const wfVec3* rest, wfError* err) {
    const wfTopology* topology = model->topology;
    bending->hinges = wfArena_New(&bending->arena, wfHinge, topology->edgeCount, "hinges", err);
    bending->bends = wfArena_New(&bending->arena, wfBendD, topology->edgeCount, "hinges", err);
    bending->stiffness = wfArena_New(&bending->arena, double, topology->edgeCount, "hinges", err);
    bending->restAngle = wfArena_New(&bending->arena, double, topology->edgeCount, "hinges", err);
    if (bending->hinges == NULL || bending->bends == NULL || bending->stiffness == NULL || bending->restAngle == NULL) {
        wfBending_Free(bending);
        return false;
    }
    for (int e = 0; e < topology->edgeCount; ++e) {
        int i = bending->hingeCount;
        wfHinge* hinge = &bending->hinges[i];
        if (!wfMakeHinge(model, e, hinge)) continue;
        double rigidity = wfBendingRigidity(&model->cloths[model->clothOf[hinge->v[0]]].fabric, hinge->warp);
        bending->bends[i] = wfMakeBend(hinge, rigidity);
        bending->stiffness[i] = wfDihedralStiffness(hinge, rigidity);
        if (rest != NULL) {
            wfVec3D x[4];
            for (int k = 0; k < 4; ++k) x[k] = wfWiden(rest[hinge->v[k]]);
            bending->restAngle[i] = wfDihedral_AngleD(x);
        }
        bending->hingeCount++;
    }
    return true;
}

void wfBending_Free(wfBending* bending) {
    wfArena_Free(&bending->arena);
    *bending = (wfBending){0};
}

typedef struct Entry {
    int column, order; // by column, then in the order of the hinges, so that sums are always taken alike
    double weight;
} Entry;

static int CompareEntries(const void* a, const void* b) {
    const Entry *p = a, *q = b;
    return p->column != q->column ? (p->column > q->column) - (p->column < q->column) : (p->order > q->order) - (p->order < q->order);
}

bool wfBending_MakeRows(const wfBending* bending, int vertexCount, wfArena* arena, wfBendRows* out, wfError* err) {
    wfArena scratch = {0};
    int64_t most = 12 * (int64_t)bending->hingeCount;
    if (most > INT32_MAX) return wfFail(err, wf_badInput, "bending: more than 2^31 weights; the cloth is too large for one device");
    *out = (wfBendRows){.rows = {.rowCount = vertexCount}};
    out->rows.start = wfArena_New(arena, int, vertexCount + 1, "bending rows", err);
    out->diagonal = wfArena_New(arena, double, vertexCount, "bending rows", err);
    int* first = wfArena_New(&scratch, int, vertexCount + 1, "bending rows", err);
    Entry* entries = wfArena_New(&scratch, Entry, most, "bending rows", err);
    bool ok = out->rows.start != NULL && out->diagonal != NULL && first != NULL && entries != NULL;
    if (!ok) goto done;

    for (int h = 0; h < bending->hingeCount; ++h)
        for (int i = 0; i < 4; ++i) first[bending->hinges[h].v[i]] += 3;
    int total = 0;
    for (int v = 0; v <= vertexCount; ++v) { // to where each row ends, counted down as it fills
        if (v < vertexCount) total += first[v];
        first[v] = total;
    }
    for (int h = bending->hingeCount - 1; h >= 0; --h)
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) {
                if (i == j) continue;
                const wfBendD* b = &bending->bends[h];
                entries[--first[bending->hinges[h].v[i]]] = (Entry){bending->hinges[h].v[j], h, b->stiffness * b->k[i] * b->k[j]};
            }
    int used = 0; // merge in place, row by row: a row never grows
    for (int v = 0; v < vertexCount; ++v) {
        int begin = first[v], end = first[v + 1];
        qsort(entries + begin, (size_t)(end - begin), sizeof *entries, CompareEntries);
        out->rows.start[v] = used;
        for (int k = begin; k < end; ++k) {
            if (used > out->rows.start[v] && entries[used - 1].column == entries[k].column)
                entries[used - 1].weight += entries[k].weight;
            else
                entries[used++] = entries[k];
        }
    }
    out->rows.start[vertexCount] = used;
    out->rows.item = wfArena_New(arena, int, used, "bending rows", err);
    out->weight = wfArena_New(arena, double, used, "bending rows", err);
    ok = out->rows.item != NULL && out->weight != NULL;
    if (!ok) goto done;
    for (int v = 0; v < vertexCount; ++v)
        for (int k = out->rows.start[v]; k < out->rows.start[v + 1]; ++k) {
            out->rows.item[k] = entries[k].column;
            out->weight[k] = entries[k].weight;
            out->diagonal[v] -= entries[k].weight;
        }
done:
    wfArena_Free(&scratch);
    return ok;
}
